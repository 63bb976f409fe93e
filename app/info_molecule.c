// SPDX-License-Identifier: Apache-2.0
#include "info_molecule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "json_writer.h"
#include "memory.h"
#include "molecule_argument.h"
#include "sinew/torsion_tree.h"
#include "table.h"

enum { CHAINS_MOST = 20, WARNINGS_MOST = 20 };

// What there is to say.
typedef struct census {
    const sn_molecule* molecule;
    int hetero, gaps, disulfides;
    double charge;
    int kinds[SN_TORSION_KINDS];
    int torsions[SN_TORSION_POLICIES], groups[SN_TORSION_POLICIES];
    int largest[SN_TORSION_POLICIES]; // atoms of the largest group
} census;

static int largest_group(const sn_torsion_tree* tree, int* sizes) {
    int most = 0;
    for (int i = 0; i < sn_molecule_atom_count(sn_torsion_tree_molecule(tree)); i++) {
        int size = ++sizes[sn_torsion_tree_atom_group(tree, i)];
        if (size > most) most = size;
    }
    return most;
}

static sn_status count_policy(census* c, sn_torsion_policy policy, sn_error* error) {
    sn_torsion_tree_def def = sn_torsion_tree_def_for(c->molecule);
    sn_torsion_tree* tree;
    def.policy = policy;
    sn_status status = sn_torsion_tree_create(c->molecule, &def, &tree, error);
    if (status) return status;
    c->torsions[policy] = sn_torsion_tree_torsion_count(tree);
    c->groups[policy] = sn_torsion_tree_group_count(tree);
    int* sizes = memory_take((size_t)c->groups[policy], sizeof *sizes);
    c->largest[policy] = largest_group(tree, sizes);
    free(sizes);
    sn_torsion_tree_free(tree);
    return SN_OK;
}

static sn_status take_census(const sn_molecule* m, census* c, sn_error* error) {
    *c = (census){.molecule = m};
    for (int i = 0; i < sn_molecule_residue_count(m); i++) {
        c->hetero += sn_molecule_residue(m, i).form[0] == '\0';
        c->gaps += sn_molecule_residue(m, i).after_gap;
    }
    for (int i = 0; i < sn_molecule_atom_count(m); i++) c->charge += sn_molecule_atom(m, i).charge;
    for (int i = 0; i < sn_molecule_bond_count(m); i++)
        c->disulfides += sn_molecule_bond(m, i).disulfide;
    sn_status status = sn_molecule_count_torsions(m, c->kinds, error);
    for (int p = 0; p < SN_TORSION_POLICIES && !status; p++)
        status = count_policy(c, (sn_torsion_policy)p, error);
    return status;
}

// ---- for people -----------------------------------------------------------------------------------

static void print_summary(const census* c) {
    const sn_molecule* m = c->molecule;
    table* t = table_create("ll", NULL);
    table_pair(t, "molecule", "%s", sn_molecule_name(m));
    table_pair(t, "atoms", "%d", sn_molecule_atom_count(m));
    table_pair(t, "residues", "%d in %d chain%s", sn_molecule_residue_count(m),
               sn_molecule_chain_count(m), sn_molecule_chain_count(m) == 1 ? "" : "s");
    table_pair(t, "bonds", "%d, of them %d disulfides", sn_molecule_bond_count(m), c->disulfides);
    table_pair(t, "mass", "%.6g u", sn_molecule_mass(m));
    table_pair(t, "charge", "%.0f e", fabs(c->charge) < 0.5 ? 0 : c->charge);
    if (c->gaps > 0) table_pair(t, "gaps", "%d", c->gaps);
    if (c->hetero > 0) table_pair(t, "hetero groups", "%d, rigid and without forces", c->hetero);
    table_print(t, 0, stdout);
}

static void print_chains(const sn_molecule* m, bool all) {
    int count = sn_molecule_chain_count(m),
        shown = all || count <= CHAINS_MOST ? count : CHAINS_MOST;
    printf("\nChains\n");
    table* t = table_create("lrll", "chain|residues|from|to");
    for (int i = 0; i < shown; i++) {
        sn_chain_info chain = sn_molecule_chain(m, i);
        sn_residue_info first = sn_molecule_residue(m, chain.first_residue);
        sn_residue_info last =
            sn_molecule_residue(m, chain.first_residue + chain.residue_count - 1);
        table_cell(t, "%s", chain.label);
        table_cell(t, "%d", chain.residue_count);
        table_cell(t, "%s %d", first.name, first.number);
        table_cell(t, "%s %d", last.name, last.number);
    }
    table_print(t, 2, stdout);
    if (shown < count) printf("  and %d more; --all shows them\n", count - shown);
}

static void print_torsions(const census* c) {
    static const char* const kind_text[] = {
#define TEXT(code, name, text) text,
        SN_TORSION_LIST(TEXT)};
    static const char* const policy_text[] = {SN_TORSION_POLICY_LIST(TEXT)
#undef TEXT
    };
    printf("\nBonds that can turn\n");
    table* t = table_create("lrl", "kind|bonds|what turns");
    for (int k = 0; k < SN_TORSION_KINDS; k++) {
        table_cell(t, "%s", sn_torsion_kind_name((sn_torsion_kind)k));
        table_cell(t, "%d", c->kinds[k]);
        table_cell(t, "%s", kind_text[k]);
    }
    table_print(t, 2, stdout);
    printf("\nTorsions by policy\n");
    t = table_create("lrrrl", "policy|torsions|rigid groups|atoms of the largest|what turns");
    for (int p = 0; p < SN_TORSION_POLICIES; p++) {
        table_cell(t, "%s", sn_torsion_policy_name((sn_torsion_policy)p));
        table_cell(t, "%d", c->torsions[p]);
        table_cell(t, "%d", c->groups[p]);
        table_cell(t, "%d", c->largest[p]);
        table_cell(t, "%s%s", policy_text[p], p == SN_TORSION_POLICY_B ? " (the default)" : "");
    }
    table_print(t, 2, stdout);
    if (sn_torsion_tree_def_for(c->molecule).open_rings)
        printf("  phi turns in proline, too, and the first side chain does not: counted as in "
               "[MR07], 857 in B\n");
}

static void print_everything(const census* c, const message_log* log, bool all) {
    print_summary(c);
    print_chains(c->molecule, all);
    print_torsions(c);
    int warnings = message_log_warnings(log);
    if (warnings > 0)
        printf("\n%d warning%s:\n", warnings, warnings == 1 ? "" : "s");
    else
        printf("\nno warnings\n");
    fflush(stdout);
    message_log_print(log, all ? 0 : WARNINGS_MOST);
}

// ---- for programs ---------------------------------------------------------------------------------

static void write_counts(json_writer* w, const char* key, const int* counts, int count,
                         const char* (*name)(int)) {
    jw_key(w, key);
    jw_object_line(w);
    for (int i = 0; i < count; i++) {
        jw_key(w, name(i));
        jw_integer(w, counts[i]);
    }
    jw_object_end(w);
}

static const char* kind_name(int i) { return sn_torsion_kind_name((sn_torsion_kind)i); }
static const char* policy_name(int i) { return sn_torsion_policy_name((sn_torsion_policy)i); }

static void write_integer(json_writer* w, const char* key, int value) {
    jw_key(w, key);
    jw_integer(w, value);
}

static void print_json(const census* c, const message_log* log) {
    const sn_molecule* m = c->molecule;
    json_writer w = jw_start(stdout);
    jw_object(&w);
    jw_key(&w, "molecule");
    jw_text(&w, sn_molecule_name(m));
    write_integer(&w, "atoms", sn_molecule_atom_count(m));
    write_integer(&w, "residues", sn_molecule_residue_count(m));
    write_integer(&w, "chains", sn_molecule_chain_count(m));
    write_integer(&w, "bonds", sn_molecule_bond_count(m));
    write_integer(&w, "disulfides", c->disulfides);
    write_integer(&w, "gaps", c->gaps);
    write_integer(&w, "hetero_groups", c->hetero);
    jw_key(&w, "mass_u");
    jw_number(&w, sn_molecule_mass(m));
    jw_key(&w, "charge_e");
    jw_number(&w, c->charge);
    write_counts(&w, "rotatable", c->kinds, SN_TORSION_KINDS, kind_name);
    write_counts(&w, "torsions", c->torsions, SN_TORSION_POLICIES, policy_name);
    write_counts(&w, "rigid_groups", c->groups, SN_TORSION_POLICIES, policy_name);
    write_integer(&w, "warnings", message_log_warnings(log));
    jw_object_end(&w);
    jw_finish(&w);
}

int info_molecule(const char* text, bool json, bool all) {
    molecule_source source;
    census c;
    sn_error error;
    int status = STATUS_USAGE;
    if (molecule_source_load(text, &source)) {
        error.status = take_census(source.molecule, &c, &error);
        status = error.status ? STATUS_FAILED : STATUS_DONE;
        if (error.status)
            message_error_from(&error);
        else if (json)
            print_json(&c, &source.log);
        else
            print_everything(&c, &source.log, all);
    }
    molecule_source_free(&source);
    return status;
}
