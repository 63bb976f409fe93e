// SPDX-License-Identifier: Apache-2.0
#include "support/molecules.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char ALA_ALA[ALA_ALA_SIZE] =
    "ATOM      1  CH3 ACE A   1       0.000   0.000   0.000  1.00  0.00           C\n"
    "ATOM      2  C   ACE A   1       1.525   0.000   0.000  1.00  0.00           C\n"
    "ATOM      3  O   ACE A   1       2.155   1.058   0.000  1.00  0.00           O\n"
    "ATOM      4  N   ALA A   2       2.112  -1.192   0.000  1.00  0.00           N\n"
    "ATOM      5  CA  ALA A   2       3.561  -1.352   0.000  1.00  0.00           C\n"
    "ATOM      6  C   ALA A   2       4.217  -0.693   1.210  1.00  0.00           C\n"
    "ATOM      7  O   ALA A   2       5.184   0.058   1.077  1.00  0.00           O\n"
    "ATOM      8  CB  ALA A   2       3.945  -2.829   0.034  1.00  0.00           C\n"
    "ATOM      9  N   ALA A   3       3.687  -0.977   2.396  1.00  0.00           N\n"
    "ATOM     10  CA  ALA A   3       4.213  -0.418   3.636  1.00  0.00           C\n"
    "ATOM     11  C   ALA A   3       4.208   1.107   3.606  1.00  0.00           C\n"
    "ATOM     12  O   ALA A   3       5.209   1.757   3.912  1.00  0.00           O\n"
    "ATOM     13  N   NME A   4       3.068   1.677   3.228  1.00  0.00           N\n"
    "ATOM     14  CH3 NME A   4       2.933   3.128   3.158  1.00  0.00           C\n";

static void hear(void* context, sn_log_level level, sn_place place, const char* text) {
    heard* h = context;
    if (h->count == HEARD_MOST) return;
    h->items[h->count].level = level;
    h->items[h->count].line = place.line;
    h->items[h->count].column = place.column;
    snprintf(h->items[h->count].text, sizeof h->items[h->count].text, "%s", text);
    h->count += 1;
}

sn_molecule* read_molecule(const char* text, heard* h, sn_error* error) {
    sn_molecule_read_def def = sn_molecule_read_def_default();
    sn_molecule* m = NULL;
    sn_error own;
    if (h) def.log = (sn_log){hear, h};
    if (!error) error = &own;
    error->status = sn_molecule_read_memory(text, strlen(text), "text.pdb", &def, &m, error);
    CHECK((error->status == SN_OK) == (m != NULL), 0);
    return m;
}

sn_molecule* read_shared_molecule(const char* path) {
    char full[512];
    snprintf(full, sizeof full, "%s/data/%s", SN_TEST_SHARED_DIR, path);
    if (access(full, R_OK) != 0) skip();
    sn_molecule* m;
    sn_error error;
    check_context(path);
    CHECK_STATUS(sn_molecule_read(full, NULL, &m, &error), SN_OK);
    return m;
}

int heard_line(const heard* h, const char* text) {
    for (int i = 0; i < h->count; i++)
        if (strstr(h->items[i].text, text)) return h->items[i].line;
    return -1;
}

void check_same_molecule(const sn_molecule* a, const sn_molecule* b, bool same_file) {
    int atoms = sn_molecule_atom_count(a);
    CHECK(atoms == sn_molecule_atom_count(b), 0);
    CHECK(sn_molecule_bond_count(a) == sn_molecule_bond_count(b), 0);
    CHECK(sn_molecule_residue_count(a) == sn_molecule_residue_count(b), 0);
    CHECK(sn_molecule_chain_count(a) == sn_molecule_chain_count(b), 0);
    if (same_file) assert_string_equal(sn_molecule_name(a), sn_molecule_name(b));
    for (int i = 0; i < atoms; i++) {
        sn_atom_info x = sn_molecule_atom(a, i), y = sn_molecule_atom(b, i);
        assert_string_equal(x.name, y.name);
        assert_string_equal(x.element, y.element);
        CHECK(memcmp(&x.p, &y.p, sizeof x.p) == 0 && x.mass == y.mass && x.charge == y.charge, 0);
        CHECK(x.residue == y.residue && x.known == y.known, 0);
        CHECK(!same_file || x.line == y.line, 0);
    }
    for (int i = 0; i < sn_molecule_residue_count(a); i++) {
        sn_residue_info x = sn_molecule_residue(a, i), y = sn_molecule_residue(b, i);
        assert_string_equal(x.name, y.name);
        assert_string_equal(x.form, y.form);
        CHECK(x.number == y.number && x.insertion == y.insertion && x.chain == y.chain, 0);
        CHECK(x.after_gap == y.after_gap && x.first_atom == y.first_atom, 0);
    }
    for (int i = 0; i < sn_molecule_chain_count(a); i++)
        assert_string_equal(sn_molecule_chain(a, i).label, sn_molecule_chain(b, i).label);
    for (int i = 0; i < sn_molecule_bond_count(a); i++) {
        sn_bond_info x = sn_molecule_bond(a, i), y = sn_molecule_bond(b, i);
        CHECK(x.a == y.a && x.b == y.b && x.disulfide == y.disulfide, 0);
    }
}
