// SPDX-License-Identifier: Apache-2.0
// mmCIF: the same structure as a PDB file becomes the same molecule, whatever the file looks like; what is wrong is told by line.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sinew/load.h"
#include "support/molecules.h"

// ---- from PDB to mmCIF ------------------------------------------------------------------------------------

/// Text that grows.
typedef struct text {
    char* at;
    size_t length, room;
} text;

static void add(text* t, const char* piece) {
    size_t more = strlen(piece);
    if (t->length + more + 1 > t->room) {
        t->room = 2 * (t->length + more + 1);
        t->at = realloc(t->at, t->room);
        assert_non_null(t->at);
    }
    memcpy(t->at + t->length, piece, more + 1);
    t->length += more;
}

/// Columns of a line without blanks; "." where there is nothing, in quotes where it must be.
static const char* cell(const char* line, int first, int last, char out[32]) {
    int length = (int)strcspn(line, "\r\n"), n = 0;
    char word[24] = "";
    for (int c = first - 1; c < last && c < length; c++)
        if (line[c] != ' ') word[n++] = line[c];
    word[n] = '\0';
    if (n == 0)
        snprintf(out, 32, ".");
    else if (strchr(word, '\'') || strchr(word, '"'))
        snprintf(out, 32, strchr(word, '"') ? "'%s'" : "\"%s\"", word);
    else
        snprintf(out, 32, "%s", word);
    return out;
}

static void add_disulfides(text* t, const char* pdb) {
    char a[32], b[32], c[32], d[32], e[32], f[32], row[256];
    if (!strstr(pdb, "SSBOND")) return;
    add(t, "loop_\n_struct_conn.id\n_struct_conn.conn_type_id\n_struct_conn.ptnr1_auth_asym_id\n"
           "_struct_conn.ptnr1_auth_seq_id\n_struct_conn.pdbx_ptnr1_PDB_ins_code\n"
           "_struct_conn.ptnr2_auth_asym_id\n_struct_conn.ptnr2_auth_seq_id\n"
           "_struct_conn.pdbx_ptnr2_PDB_ins_code\n");
    for (const char* line = pdb; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, "SSBOND", 6) != 0) continue;
        snprintf(row, sizeof row, "disulf1 disulf %s %s %s %s %s %s\ncovale1 covale . . . . . .\n",
                 cell(line, 16, 16, a), cell(line, 18, 21, b), cell(line, 22, 22, c),
                 cell(line, 30, 30, d), cell(line, 32, 35, e), cell(line, 36, 36, f));
        add(t, row);
    }
    add(t, "#\n");
}

/// label_asym_id counts parts, which end with TER and with chains.
static char* mmcif_of(const char* pdb) {
    text t = {0};
    int part = 1, model = 1;
    char last = 0, row[512], c[12][32];
    add(&t, "# made of a PDB file\ndata_TEST\n_entry.id TEST\n_struct.title\n;loop_ of\n_atom_site."
            "nothing 'here\n;\n");
    add_disulfides(&t, pdb);
    add(&t, "loop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n"
            "_atom_site.label_atom_id\n_atom_site.label_alt_id\n_atom_site.label_comp_id\n"
            "_atom_site.label_asym_id\n_atom_site.label_seq_id\n_atom_site.pdbx_PDB_ins_code\n"
            "_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n_atom_site.occupancy\n"
            "_atom_site.auth_seq_id\n_atom_site.auth_asym_id\n_atom_site.pdbx_PDB_model_num\n");
    for (const char* line = pdb; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, "MODEL", 5) == 0) model = atoi(line + 6);
        if (strncmp(line, "TER", 3) == 0) last = 0;
        if (strncmp(line, "ATOM", 4) != 0 && strncmp(line, "HETATM", 6) != 0) continue;
        char chain = line[21] == ' ' ? '_' : line[21];
        if (chain != last) part++;
        last = chain;
        snprintf(row, sizeof row, "%s %s %s %s %s %s P%d . %s %s %s %s %s %s %c %d\n",
                 cell(line, 1, 6, c[0]), cell(line, 7, 11, c[1]), cell(line, 77, 78, c[2]),
                 cell(line, 13, 16, c[3]), cell(line, 17, 17, c[4]), cell(line, 18, 21, c[5]), part,
                 cell(line, 27, 27, c[6]), cell(line, 31, 38, c[7]), cell(line, 39, 46, c[8]),
                 cell(line, 47, 54, c[9]), cell(line, 55, 60, c[10]), cell(line, 23, 26, c[11]),
                 chain, model);
        add(&t, row);
    }
    add(&t, "#\n");
    return t.at;
}

static void check_same(const char* pdb) {
    heard from_pdb = {0}, from_cif = {0};
    char* cif = mmcif_of(pdb);
    sn_error error;
    sn_molecule *a = read_molecule(pdb, &from_pdb, &error),
                *b = read_molecule(cif, &from_cif, &error);
    if (!b) fail_msg("line %d, column %d: %s", error.line, error.column, error.text);
    check_same_molecule(a, b, false);
    CHECK(from_pdb.count == from_cif.count, 0);
    for (int i = 0; i < from_pdb.count && i < HEARD_MOST; i++)
        assert_string_equal(from_pdb.items[i].text, from_cif.items[i].text);
    sn_molecule_free(a);
    sn_molecule_free(b);
    free(cif);
}

static char* read_file(const char* path) {
    FILE* file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char* bytes = calloc(1, (size_t)size + 1);
    assert_int_equal(fread(bytes, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return bytes;
}

// ---- tests ------------------------------------------------------------------------------------------------

static void the_same_structure_is_the_same_molecule(void** state) {
    (void)state;
    static const char* const files[] = {"charged", "disulfide", "hetero", "no_hydrogens"};
    check_same(ALA_ALA);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        char path[512];
        snprintf(path, sizeof path, "%s/../fuzz/corpus/molecule/%s.pdb", SN_TEST_DATA_DIR,
                 files[k]);
        char* pdb = read_file(path);
        assert_non_null(pdb);
        check_same(pdb);
        free(pdb);
    }
}

/// What sinew builds: with hydrogens, a bridge, every kind of residue.
static void what_was_built_comes_back(void** state) {
    (void)state;
    sn_molecule_build_def def = sn_molecule_build_def_default();
    def.name = "all";
    def.sequence = "ACDEFGHIKLMNPQRSTVWY";
    for (int capped = 0; capped < 2; capped++) {
        sn_molecule *m, *back;
        char* pdb;
        sn_error error;
        def.capped = capped;
        CHECK_STATUS(sn_molecule_build(&def, &m, &error), SN_OK);
        CHECK_STATUS(sn_molecule_to_pdb(m, NULL, &pdb, &error), SN_OK);
        check_same(pdb);
        char* cif = mmcif_of(pdb);
        back = read_molecule(cif, NULL, &error);
        CHECK(sn_molecule_atom_count(back) == sn_molecule_atom_count(m), 0);
        CHECK(sn_molecule_bond_count(back) == sn_molecule_bond_count(m), 0);
        sn_molecule_free(back);
        sn_molecule_free(m);
        sn_text_free(pdb);
        free(cif);
    }
}

/// Files of the Protein Data Bank: gaps, alternate locations, retinal, lipids, three chains, models.
static void deposited_structures_are_the_same(void** state) {
    (void)state;
    static const char* const files[] = {"1crn", "1c3w",        "1m0l_A",     "1m0l_trimer",
                                        "1ake", "1l2y_model1", "br227_allH", "ala20_helix_capped"};
    if (access(SN_TEST_SHARED_DIR "/data/proteins", R_OK) != 0) skip();
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        char path[512];
        snprintf(path, sizeof path, "%s/data/proteins/%s.pdb", SN_TEST_SHARED_DIR, files[k]);
        char* pdb = read_file(path);
        assert_non_null(pdb);
        check_context(path);
        check_same(pdb);
        free(pdb);
    }
}

/// Names in any case, quotes of both kinds, comments, texts of several lines, tables that nobody wants, pairs instead of a loop.
static void syntax_is_that_of_cif(void** state) {
    (void)state;
    static const char LOOP[] =
        "\n  # a comment before\nDATA_x\n_cell.length_a 10 _CELL.length_b 'it''s fine'\n"
        "LOOP_ _citation.title _citation.year\n;one\ntwo 'three\n;\n1999 \"a b\" ?\n"
        "loop_\n_Atom_Site.Cartn_z _atom_site.CARTN_X _atom_site.Cartn_y\n"
        "_atom_site.auth_asym_id _atom_site.auth_seq_id _atom_site.label_asym_id\n"
        "_atom_site.label_atom_id _atom_site.label_comp_id _atom_site.type_symbol\n"
        "3 1 2 AB 7 A 'N' \"GLY\" N # behind\n"
        "3 2.4 2 AB 7 A CA GLY C\n4 3 2 AB 7 A C GLY C 4 3 3.2 AB 7 A O GLY O\n"
        "5 3.5 1 AB 8 A N GLY N\n6 4 1 AB 8 A CA GLY C\n7 4.2 1.2 AB 8 A C GLY C\n"
        "7 5 1.9 AB 8 A O GLY O data_y _atom_site.Cartn_x 1";
    static const char PAIRS[] =
        "data_z\n_atom_site.group_PDB HETATM\n_atom_site.auth_asym_id A\n"
        "_atom_site.auth_seq_id 1\n_atom_site.label_atom_id ZN\n"
        "_atom_site.label_comp_id ZN\n_atom_site.type_symbol ZN\n"
        "_atom_site.Cartn_x 1\n_atom_site.Cartn_y -2.5e0\n_atom_site.Cartn_z 3\n"
        "_cell.length_a 3\n";
    sn_error error;
    sn_molecule* m = read_molecule(LOOP, NULL, &error);
    if (!m) fail_msg("line %d: %s", error.line, error.text);
    CHECK(sn_molecule_residue_count(m) == 2 && sn_molecule_chain_count(m) == 1, 0);
    assert_string_equal(sn_molecule_chain(m, 0).label, "AB");
    CHECK(sn_molecule_residue(m, 1).number == 8, 0);
    for (int i = 0; i < sn_molecule_atom_count(m); i++) {
        sn_atom_info a = sn_molecule_atom(m, i);
        if (strcmp(a.name, "CA") != 0 || a.residue != 0) continue;
        CHECK_NEAR(a.p.x, 0.24, 1e-12, 0);
        CHECK_NEAR(a.p.z, 0.3, 1e-12, 0);
        CHECK(a.line == 15, (uint64_t)a.line);
    }
    sn_molecule_free(m);
    m = read_molecule(PAIRS, NULL, &error);
    if (!m) fail_msg("line %d: %s", error.line, error.text);
    CHECK(sn_molecule_atom_count(m) == 1, 0);
    CHECK_NEAR(sn_molecule_atom(m, 0).p.y, -0.25, 1e-12, 0);
    sn_molecule_free(m);
}

#define HEAD                                                                                       \
    "data_x\nloop_\n_atom_site.label_atom_id\n_atom_site.label_comp_id\n_atom_site.auth_asym_id\n" \
    "_atom_site.auth_seq_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"

static void what_is_wrong_is_told_by_line_and_column(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int line, column;
        const char* says;
    } cases[] = {
        {HEAD "N ALA A 1 0 0 nan\n", 10, 15, "Cartn_z: expected a finite number, found 'nan'"},
        {HEAD "N ALA A 1 0 0 1e400\n", 10, 15, "Cartn_z"},
        {HEAD "N ALA A 1 0 1e9 0\n", 10, 13, "larger than any molecule"},
        {HEAD "N ALA A 1x 0 0 0\n", 10, 9, "residue number: expected a whole number, found '1x'"},
        {HEAD "N ALA A ? 0 0 0\n", 10, 9, "residue number"},
        {HEAD "? ALA A 1 0 0 0\n", 10, 1, "atom name: expected a name, found ''"},
        {HEAD "TOOLONG ALA A 1 0 0 0\n", 10, 1, "atom name: expected fewer characters"},
        {HEAD "N ALALALALA A 1 0 0 0\n", 10, 3, "residue name: expected fewer characters"},
        {HEAD "N ALA VERYLONGCHAIN 1 0 0 0\n", 10, 7, "chain: expected fewer characters"},
        {HEAD "N ALA A 1 0 0 0\nCA ALA A 1 0\n", 11, 0, "cut off"},
        {HEAD "N ALA A 1 0 0 'x\n", 10, 15, "no end on its line"},
        {HEAD "N ALA A 1 0 0\n;x\n", 11, 1, "has no end"},
        {"data_x\nloop_\n_atom_site.label_atom_id\n_atom_site.auth_seq_id\nN 1\n", 5, 1,
         "residue name: expected a name, found no such column"},
        {"data_x\nloop_\nN 1\n", 3, 1, "loop_ without names"},
        {"data_x\nvalue\n", 2, 1, "a value without a name"},
        {"data_x\n_cell.length_a\n_cell.length_b 2\n", 2, 1, "a name without a value"},
        {"data_x\n#\n", 0, 0, "mmCIF without atoms"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sn_error error;
        CHECK(read_molecule(cases[i].text, NULL, &error) == NULL, i);
        CHECK(error.status == SN_ERR_FORMAT, i);
        if (error.line != cases[i].line || error.column != cases[i].column ||
            !strstr(error.text, cases[i].says))
            fail_msg("case %zu: %d:%d: %s", i, error.line, error.column, error.text);
    }
}

/// Chains that share the authors' id have labels of their own, also where a chain is called as such a label would be.
static void chains_have_labels_of_their_own(void** state) {
    (void)state;
    static const char ROWS[] =
        "data_x\nloop_\n_atom_site.group_PDB\n_atom_site.label_atom_id\n_atom_site.label_comp_id\n"
        "_atom_site.auth_asym_id\n_atom_site.label_asym_id\n_atom_site.auth_seq_id\n"
        "_atom_site.type_symbol\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"
        "HETATM ZN ZN A a 1 ZN 0 0 0\nHETATM ZN ZN A2 b 1 ZN 9 0 0\nHETATM ZN ZN A c 2 ZN 18 0 0\n"
        "HETATM ZN ZN A d 3 ZN 27 0 0\nHETATM ZN ZN A2 e 4 ZN 36 0 0\n";
    static const char* const labels[] = {"A", "A2", "A3", "A4", "A22"};
    sn_error error;
    sn_molecule* m = read_molecule(ROWS, NULL, &error);
    if (!m) fail_msg("line %d: %s", error.line, error.text);
    CHECK(sn_molecule_chain_count(m) == 5, 0);
    for (int i = 0; i < 5; i++) assert_string_equal(sn_molecule_chain(m, i).label, labels[i]);
    sn_molecule_free(m);
}

static void only_the_first_model_counts(void** state) {
    (void)state;
    char* one = mmcif_of(ALA_ALA);
    size_t size = 2 * ALA_ALA_SIZE + 100;
    char* twice = calloc(1, size);
    snprintf(twice, size, "MODEL        1\n%sENDMDL\nMODEL        2\n%sENDMDL\n", ALA_ALA, ALA_ALA);
    char* both = mmcif_of(twice);
    heard h = {0};
    sn_error error;
    sn_molecule *a = read_molecule(one, NULL, &error), *b = read_molecule(both, &h, &error);
    check_same_molecule(a, b, false);
    CHECK(heard_line(&h, "only the first model") > 0, 0);
    sn_molecule_free(a);
    sn_molecule_free(b);
    free(one);
    free(twice);
    free(both);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_structure_is_the_same_molecule),
        cmocka_unit_test(what_was_built_comes_back),
        cmocka_unit_test(deposited_structures_are_the_same),
        cmocka_unit_test(syntax_is_that_of_cif),
        cmocka_unit_test(what_is_wrong_is_told_by_line_and_column),
        cmocka_unit_test(chains_have_labels_of_their_own),
        cmocka_unit_test(only_the_first_model_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
