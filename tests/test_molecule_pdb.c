// SPDX-License-Identifier: Apache-2.0
// What a PDB file says becomes a molecule, or an error with line and column.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/load.h"
#include "support/molecules.h"

/// ALA_ALA with line `line` (from 1) replaced; several lines at once may take its place.
static char* with_line(int line, const char* text) {
    size_t size = ALA_ALA_SIZE + strlen(text) + 2;
    char* out = calloc(1, size);
    const char* at = ALA_ALA;
    for (int i = 1; *at; i++) {
        const char* end = strchr(at, '\n') + 1;
        if (i == line)
            strcat(out, text);
        else
            strncat(out, at, (size_t)(end - at));
        at = end;
    }
    return out;
}

static int find_atom(const sn_molecule* m, int residue, const char* name) {
    sn_residue_info r = sn_molecule_residue(m, residue);
    for (int i = r.first_atom; i < r.first_atom + r.atom_count; i++)
        if (strcmp(sn_molecule_atom(m, i).name, name) == 0) return i;
    return -1;
}

static void a_file_without_hydrogens_becomes_a_complete_molecule(void** state) {
    (void)state;
    heard h = {0};
    sn_molecule* m = read_molecule(ALA_ALA, &h, NULL);
    CHECK(sn_molecule_atom_count(m) == 32 && sn_molecule_bond_count(m) == 31, 0);
    CHECK(sn_molecule_residue_count(m) == 4 && sn_molecule_chain_count(m) == 1, 0);
    CHECK(strcmp(sn_molecule_residue(m, 0).form, "ACE") == 0, 0);
    CHECK(strcmp(sn_molecule_residue(m, 1).form, "ALA") == 0, 0);
    CHECK(heard_line(&h, "17 hydrogens were added") == 0, 0);
    CHECK(heard_line(&h, "ALA A/3 lacks CB") == 9, 0);
    sn_atom_info ca = sn_molecule_atom(m, find_atom(m, 1, "CA"));
    CHECK_NEAR(ca.p.x, 0.3561, 1e-12, 0); // Angstroms to nm
    CHECK(strcmp(ca.element, "C") == 0 && ca.known, 0);
    double charge = 0;
    for (int i = 0; i < 32; i++) charge += sn_molecule_atom(m, i).charge;
    CHECK_NEAR(charge, 0, 1e-9, 0);
    sn_molecule_free(m);
}

static void every_bond_is_as_long_as_a_bond(void** state) {
    (void)state;
    sn_molecule* m = read_molecule(ALA_ALA, NULL, NULL);
    for (int i = 0; i < sn_molecule_bond_count(m); i++) {
        sn_bond_info b = sn_molecule_bond(m, i);
        double d =
            sn_vec3_norm(sn_vec3_sub(sn_molecule_atom(m, b.a).p, sn_molecule_atom(m, b.b).p));
        CHECK(b.a < b.b && d > 0.09 && d < 0.16, 0);
    }
    sn_molecule_free(m);
}

static void bad_numbers_are_told_with_line_and_column(void** state) {
    (void)state;
    static const struct {
        const char* line;
        int column;
        const char* text;
    } cases[] = {
        {"ATOM      5  CA  ALA A   2       3.561  -1.352     nan  1.00  0.00           C\n", 47,
         "finite"},
        {"ATOM      5  CA  ALA A   2       3.5b1  -1.352   0.000  1.00  0.00           C\n", 31,
         "shifted"},
        {"ATOM      5  CA  ALA A   2       3.561  -1.352\n", 47, "cut off"},
        {"ATOM      5  CA  ALA A  2x       3.561  -1.352   0.000  1.00  0.00           C\n", 23,
         "residue number"},
        {"ATOM      5      ALA A   2       3.561  -1.352   0.000  1.00  0.00           C\n", 13,
         "atom name"},
        {"ATOM      5  CA  ALA A   2       3.5619999999  -1.352   0.000  1.00  0.00    C\n", 39,
         "damaged"},
        {"ATOM      5  CA  ALA A   2       3.561  -1.352   0.000  1.0x  0.00           C\n", 55,
         "occupancy"},
        {"ATOM\t5\tCA\tALA\tA\t2\t3.561\t-1.352\t0.000\n", 5, "a tab"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char* text = with_line(5, cases[i].line);
        sn_error error;
        CHECK(read_molecule(text, NULL, &error) == NULL, i);
        CHECK(error.status == SN_ERR_FORMAT && error.line == 5, i);
        CHECK(error.column == cases[i].column, i);
        CHECK(strstr(error.text, cases[i].text) && strcmp(error.file, "text.pdb") == 0, i);
        free(text);
    }
}

static void what_is_no_pdb_file_is_refused_with_advice(void** state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {{"", "no ATOM"},
                 {"hello\nworld\n", "no ATOM"},
                 {"data_1CRN\n#\n", "mmCIF"},
                 {"\x1f\x8b\x08", "gunzip"},
                 {"ATOM      1  CA  ALA A   1       0.000   0.000   0.000\n", "trace of CA"},
                 {"HETATM    1  O   HOH A   1       0.000   0.000   0.000\n", "water only"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sn_error error;
        CHECK(read_molecule(cases[i].text, NULL, &error) == NULL, i);
        CHECK(error.status == SN_ERR_FORMAT && strstr(error.text, cases[i].says), i);
    }
    sn_molecule* m;
    sn_error error;
    CHECK_STATUS(sn_molecule_read("no/such/file.pdb", NULL, &m, &error), SN_ERR_FILE);
}

static void of_alternate_locations_the_one_with_most_occupancy_is_kept(void** state) {
    (void)state;
    heard h = {0};
    char* text = with_line(
        8, "ATOM      8  CB AALA A   2       3.945  -2.829   0.034  0.40  0.00           C\n"
           "ATOM      8  CB BALA A   2       3.845  -2.829   0.034  0.60  0.00           C\n");
    sn_molecule* m = read_molecule(text, &h, NULL);
    CHECK_NEAR(sn_molecule_atom(m, find_atom(m, 1, "CB")).p.x, 0.3845, 1e-12, 0);
    CHECK(heard_line(&h, "alternate location") == 9, 0);
    sn_molecule_free(m);
    free(text);
}

static void insertion_codes_make_residues_of_their_own(void** state) {
    (void)state;
    char* text = strdup(ALA_ALA);
    for (char* at = text; (at = strstr(at, "ALA A   3 ")); at += 10) memcpy(at, "ALA A   2B", 10);
    sn_molecule* m = read_molecule(text, NULL, NULL);
    CHECK(sn_molecule_residue_count(m) == 4, 0);
    sn_residue_info r = sn_molecule_residue(m, 2);
    CHECK(r.number == 2 && r.insertion == 'B' && !r.after_gap, 0);
    sn_molecule_free(m);
    free(text);
}

static void only_the_first_model_is_used(void** state) {
    (void)state;
    heard h = {0};
    char text[3 * ALA_ALA_SIZE];
    snprintf(text, sizeof text, "MODEL        1\n%sENDMDL\nMODEL        2\n%sENDMDL\nEND\n",
             ALA_ALA, ALA_ALA);
    sn_molecule* m = read_molecule(text, &h, NULL);
    CHECK(sn_molecule_atom_count(m) == 32, 0);
    CHECK(heard_line(&h, "only the first model") == 17, 0);
    sn_molecule_free(m);
}

static void hetero_groups_are_kept_or_left_out_and_told(void** state) {
    (void)state;
    heard h = {0};
    char text[2 * ALA_ALA_SIZE];
    snprintf(text, sizeof text,
             "%sTER\n"
             "HETATM   15  C1  LIG A  90       9.000   0.000   0.000  1.00  0.00           C\n"
             "HETATM   16  O1  LIG A  90      10.200   0.000   0.000  1.00  0.00           O\n"
             "HETATM   17  O   HOH A  91      20.000   0.000   0.000  1.00  0.00           O\n",
             ALA_ALA);
    sn_molecule* m = read_molecule(text, &h, NULL);
    CHECK(sn_molecule_residue_count(m) == 5 && sn_molecule_atom_count(m) == 34, 0);
    CHECK(!sn_molecule_atom(m, 33).known && sn_molecule_bond_count(m) == 32, 0);
    CHECK(heard_line(&h, "does not know LIG") == 16, 0);
    CHECK(heard_line(&h, "1 water") == 0, 0);
    sn_molecule_free(m);
    sn_molecule_read_def def = sn_molecule_read_def_default();
    def.hetero = false;
    sn_error error;
    CHECK_STATUS(sn_molecule_read_memory(text, strlen(text), "x", &def, &m, &error), SN_OK);
    CHECK(sn_molecule_residue_count(m) == 4, 0);
    sn_molecule_free(m);
}

static void atoms_at_one_place_are_told(void** state) {
    (void)state;
    heard h = {0};
    char* text = with_line(
        8, "ATOM      8  CB  ALA A   2       3.561  -1.352   0.010  1.00  0.00           C\n");
    sn_molecule* m = read_molecule(text, &h, NULL);
    CHECK(m && heard_line(&h, "at the same place") >= 0, 0);
    sn_molecule_free(m);
    free(text);
}

static void a_file_cut_off_anywhere_is_read_or_refused(void** state) {
    (void)state;
    int read = 0;
    for (size_t length = 0; length < ALA_ALA_SIZE - 1; length += 7) {
        sn_molecule* m;
        sn_error error;
        sn_status status = sn_molecule_read_memory(ALA_ALA, length, "cut", NULL, &m, &error);
        CHECK((status == SN_OK) == (m != NULL), length);
        CHECK(status == SN_OK || error.text[0], length);
        read += status == SN_OK;
        sn_molecule_free(m);
    }
    CHECK(read > 0, 0);
}

static void what_is_written_is_read_back_to_the_same_molecule(void** state) {
    (void)state;
    sn_molecule *a = read_molecule(ALA_ALA, NULL, NULL), *b;
    char *text, *again;
    sn_error error;
    CHECK_STATUS(sn_molecule_to_pdb(a, NULL, &text, &error), SN_OK);
    heard h = {0};
    b = read_molecule(text, &h, NULL);
    CHECK(h.count == 0, 0); // nothing had to be added
    CHECK_STATUS(sn_molecule_to_pdb(b, NULL, &again, &error), SN_OK);
    CHECK(strcmp(text, again) == 0, 0);
    sn_text_free(text);
    sn_text_free(again);
    sn_molecule_free(a);
    sn_molecule_free(b);
}

static void structures_of_the_protein_data_bank_have_the_atoms_they_should(void** state) {
    (void)state;
    static const struct {
        const char* path;
        int atoms, residues;
    } files[] = {{"proteins/1crn.pdb", 642, 46},
                 {"proteins/1c3w.pdb", 3506, 222},
                 {"proteins/1l2y_model1.pdb", 304, 20},
                 {"proteins/br227_allH.pdb", 3575, 227},
                 {"proteins/br227_allH_minimized.pdb", 3575, 227},
                 {"proteins/ala_dipeptide.pdb", 22, 3},
                 {"proteins/ala20_helix_capped.pdb", 212, 22}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        sn_molecule* m = read_shared_molecule(files[i].path);
        CHECK(sn_molecule_atom_count(m) == files[i].atoms, i);
        CHECK(sn_molecule_residue_count(m) == files[i].residues, i);
        sn_molecule_free(m);
    }
}

static void crambin_has_three_disulfides(void** state) {
    (void)state;
    sn_molecule* m = read_shared_molecule("proteins/1crn.pdb");
    int count = 0;
    for (int i = 0; i < sn_molecule_bond_count(m); i++) count += sn_molecule_bond(m, i).disulfide;
    CHECK(count == 3, 0);
    CHECK(strcmp(sn_molecule_residue(m, 2).form, "CYX") == 0, 0);
    sn_molecule_free(m);
}

/// 9999 is followed by A000, ZZZZ by nothing of four columns in capitals.
static void numbers_beyond_four_digits_come_back(void** state) {
    (void)state;
    static const struct {
        const char* columns;
        int number;
    } cases[] = {
        {"9999", 9999}, {"A000", 10000}, {"A00Z", 10035}, {"B000", 56656}, {"ZZZZ", 1223055}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char pdb[ALA_ALA_SIZE];
        memcpy(pdb, ALA_ALA, sizeof pdb);
        for (char* at = pdb; (at = strstr(at, "NME A   4")); at++)
            memcpy(at + 5, cases[k].columns, 4);
        sn_molecule* m = read_molecule(pdb, NULL, NULL);
        CHECK(sn_molecule_residue(m, 3).number == cases[k].number, k);
        char* text;
        CHECK_STATUS(sn_molecule_to_pdb(m, NULL, &text, NULL), SN_OK);
        sn_molecule* back = read_molecule(text, NULL, NULL);
        CHECK(sn_molecule_residue(back, 3).number == cases[k].number, k);
        sn_text_free(text);
        sn_molecule_free(back);
        sn_molecule_free(m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_without_hydrogens_becomes_a_complete_molecule),
        cmocka_unit_test(every_bond_is_as_long_as_a_bond),
        cmocka_unit_test(bad_numbers_are_told_with_line_and_column),
        cmocka_unit_test(what_is_no_pdb_file_is_refused_with_advice),
        cmocka_unit_test(of_alternate_locations_the_one_with_most_occupancy_is_kept),
        cmocka_unit_test(insertion_codes_make_residues_of_their_own),
        cmocka_unit_test(only_the_first_model_is_used),
        cmocka_unit_test(hetero_groups_are_kept_or_left_out_and_told),
        cmocka_unit_test(atoms_at_one_place_are_told),
        cmocka_unit_test(a_file_cut_off_anywhere_is_read_or_refused),
        cmocka_unit_test(what_is_written_is_read_back_to_the_same_molecule),
        cmocka_unit_test(structures_of_the_protein_data_bank_have_the_atoms_they_should),
        cmocka_unit_test(crambin_has_three_disulfides),
        cmocka_unit_test(numbers_beyond_four_digits_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
