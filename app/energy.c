// SPDX-License-Identifier: Apache-2.0
/// sinew energy: what the force field says of a molecule where it is.
#include "energy.h"

#include <math.h>
#include <stdio.h>

#include "atom_names.h"
#include "command.h"
#include "message.h"
#include "molecule_argument.h"
#include "options.h"
#include "output_file.h"
#include "table.h"

enum { WARNINGS_MOST = 10 };

static const command_page PAGE = {
    "energy",
    "MOLECULE [--terms] [--forces F.json] [--cutoff NM] [--json]",
    "Energy of a molecule by the force field AMBER99SB, term by term, and the forces on its "
    "atoms,\n"
    "where it is: nothing is moved. Without options it is exact: all pairs, vacuum, double\n"
    "precision. " MOLECULE_HELP,
    "  sinew build ala:20 -o helix.pdb\n"
    "  sinew energy helix.pdb --terms                         every term\n"
    "  sinew energy helix.pdb --json                          for a script\n"
    "  sinew energy helix.pdb --forces f.json                 forces, torques about torsions\n"
    "  sinew energy helix.pdb --cutoff 1 --precision mixed    what a simulation uses\n",
    "Units: nm, kJ/mol, e, rad; 1 kJ/(mol nm) is 1.66 pN. Hydrogens and side chain atoms that a "
    "file\n"
    "lacks are added first; hetero groups have no parameters and feel nothing. With a cut-off,\n"
    "energies have an offset (pairs are shifted to be zero there): compare differences only.\n"
    "F.json has atoms in the order of the file, those that were added last; forces are -dE/dr of\n"
    "all terms (total) and of three kinds alone; torques are -dE/d(dihedral) of the torsions of\n"
    "--policy. Formulas: docs/forcefield.md.\n",
    1,
    1,
};

typedef struct energy_options {
    const char* forces;
    bool terms, json;
    double cutoff, soften, permittivity; // cut-off 0: none; permittivity 0: that of the dielectric
    int dielectric, precision, policy;
} energy_options;

static sn_forcefield_def def_of(const energy_options* o) {
    sn_forcefield_def def = sn_forcefield_def_exact();
    if (o->cutoff > 0) def.cutoff = o->cutoff;
    def.soften = o->soften;
    def.dielectric = o->dielectric ? SN_DIELECTRIC_DISTANCE : SN_DIELECTRIC_VACUUM;
    def.permittivity = o->permittivity > 0 ? o->permittivity : o->dielectric ? 4 : 1;
    def.precision = o->precision ? SN_PRECISION_MIXED : SN_PRECISION_DOUBLE;
    return def;
}

// ---- printing ---------------------------------------------------------------------------------------

/// The atom with the largest force on it, and the root of the mean square of forces.
static int largest_force(const energy_result* r, double* largest, double* rms) {
    int on = 0;
    double sum = 0;
    *largest = 0;
    for (int i = 0; i < r->count; i++) {
        double f = sn_vec3_norm(r->f[0][i]);
        sum += f * f;
        if (f > *largest) *largest = f, on = i;
    }
    *rms = r->count > 0 ? sqrt(sum / r->count) : 0;
    return on;
}

static void print_text(const energy_result* r, bool terms) {
    const sn_forcefield_energy* e = &r->report.energy;
    double largest, rms;
    char label[64];
    int on = largest_force(r, &largest, &rms);
    printf("%s: %d atoms, %d torsions; AMBER99SB, %s", r->name, r->count, r->torsion_count,
           r->def.dielectric == SN_DIELECTRIC_VACUUM ? "vacuum" : "permittivity of distance");
    if (isfinite(r->def.cutoff)) {
        printf(", cut-off %g nm\n", r->def.cutoff);
    } else {
        printf(", no cut-off\n");
    }
    table* t = table_create("lrl", NULL);
    const struct {
        const char* name;
        double value;
    } rows[] = {{"bonds", e->bond},
                {"angles", e->angle},
                {"torsions", e->torsion},
                {"Lennard-Jones", e->lj_nonbonded},
                {"Lennard-Jones, three bonds apart", e->lj_14},
                {"Coulomb", e->coulomb_nonbonded},
                {"Coulomb, three bonds apart", e->coulomb_14}};
    for (size_t i = 0; terms && i < sizeof rows / sizeof rows[0]; i++) {
        table_cell(t, "%s", rows[i].name);
        table_cell(t, "%.4f", rows[i].value);
        table_cell(t, "kJ/mol");
    }
    table_cell(t, "energy");
    table_cell(t, "%.4f", e->total);
    table_cell(t, "kJ/mol");
    table_cell(t, "largest force");
    table_cell(t, "%.4g", largest);
    table_cell(t, "kJ/(mol nm), %.3g pN, on %s", largest * SN_MOLECULE_FORCE_PN,
               atom_label(r->molecule, on, label));
    table_cell(t, "rms force");
    table_cell(t, "%.4g", rms);
    table_cell(t, "kJ/(mol nm)");
    table_print(t, 2, stdout);
}

static void print_json(const energy_result* r) {
    double largest, rms;
    char label[64];
    int on = largest_force(r, &largest, &rms);
    json_writer w = jw_start(stdout);
    jw_object(&w);
    jw_key(&w, "molecule");
    jw_text(&w, r->name);
    jw_key(&w, "forcefield");
    jw_text(&w, "AMBER99SB");
    jw_key(&w, "atoms");
    jw_integer(&w, r->count);
    jw_key(&w, "torsions");
    jw_integer(&w, r->torsion_count);
    jw_key(&w, "unknown_atoms");
    jw_integer(&w, r->unknown);
    jw_key(&w, "cutoff_nm"); // null: none
    jw_number(&w, r->def.cutoff);
    jw_key(&w, "energy_kJ_per_mol");
    energy_write_terms(&w, &r->report.energy);
    jw_key(&w, "forces");
    jw_object_line(&w);
    jw_key(&w, "largest_kJ_per_mol_nm");
    jw_number(&w, largest);
    jw_key(&w, "largest_on");
    jw_text(&w, atom_label(r->molecule, on, label));
    jw_key(&w, "rms_kJ_per_mol_nm");
    jw_number(&w, rms);
    jw_key(&w, "overlaps");
    jw_integer(&w, r->report.overlaps);
    jw_object_end(&w);
    jw_object_end(&w);
    jw_finish(&w);
}

// ---- the command ------------------------------------------------------------------------------------

static int show(const energy_result* r, const energy_options* o) {
    if (r->unknown > 0) {
        message_warning("%d atoms of hetero groups have no parameters; nothing acts on them",
                        r->unknown);
    }
    if (r->report.overlaps > 0) {
        message_warning("%d pairs of atoms overlap; their forces are bounded (--soften %g)",
                        (int)r->report.overlaps, o->soften);
    }
    output_file file = {0};
    if (o->forces) {
        if (!output_open(&file, o->forces)) return STATUS_FAILED;
        json_writer w = jw_start(file.stream);
        energy_write_forces(&w, r);
        if (!output_commit(&file)) return STATUS_FAILED;
    }
    if (o->json) {
        print_json(r);
    } else {
        print_text(r, o->terms);
    }
    return STATUS_DONE;
}

static int compute(const char* name, const energy_options* o) {
    molecule_source source = {0};
    if (!molecule_source_load(name, &source)) {
        molecule_source_free(&source);
        return STATUS_USAGE;
    }
    message_log_print(&source.log, WARNINGS_MOST);
    sn_torsion_tree_def tree_def = sn_torsion_tree_def_for(source.molecule);
    tree_def.policy = (sn_torsion_policy)o->policy;
    sn_torsion_tree* tree = NULL;
    sn_error error = {0};
    error.status = sn_torsion_tree_create(source.molecule, &tree_def, &tree, &error);
    int status = STATUS_USAGE;
    if (error.status) {
        message_error_from(&error);
    } else {
        energy_result r = {
            .molecule = source.molecule, .name = name, .def = def_of(o), .tree = tree};
        if (energy_compute(&r, o->forces != NULL)) status = show(&r, o);
        energy_free(&r);
    }
    sn_torsion_tree_free(tree);
    molecule_source_free(&source);
    return status;
}

int command_energy(int argc, char** argv) {
    energy_options o = {.policy = SN_TORSION_POLICY_B};
    text_list arguments = {0};
    const option options[] = {
        {"terms", NULL, "every kind of term, not only the sum (--json always has them)",
         OPTION_FLAG, &o.terms},
        {"forces", "F.json", "forces on atoms and torques about torsions, to a file", OPTION_TEXT,
         &o.forces},
        {"cutoff", "NM", "leave out pairs farther apart than this, smoothly; none if not given",
         OPTION_POSITIVE, &o.cutoff},
        {"dielectric", "vacuum|distance",
         "permittivity 1, or proportional to distance (a crude solvent)", OPTION_CHOICE,
         &o.dielectric},
        {"permittivity", "X", "relative; of distance at 0.1 nm; 1, of distance 4", OPTION_POSITIVE,
         &o.permittivity},
        {"soften", "X", "forces stop growing below this part of sigma, up to 1; 0, never",
         OPTION_LEAST, &o.soften},
        {"precision", "double|mixed", "of pairs; mixed is what simulations use", OPTION_CHOICE,
         &o.precision},
        {"policy", MOLECULE_POLICY_CHOICES, MOLECULE_POLICY_HELP, OPTION_CHOICE, &o.policy},
        {"json", NULL, "JSON instead of text", OPTION_FLAG, &o.json},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &arguments);
    int status = parsed == OPTIONS_HELP ? STATUS_DONE : STATUS_USAGE;
    if (parsed == OPTIONS_RUN) status = compute(arguments.items[0], &o);
    text_list_free(&arguments);
    return status;
}
