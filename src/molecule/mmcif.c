// SPDX-License-Identifier: Apache-2.0
#include "molecule/mmcif.h"

#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "molecule/cif.h"
#include "molecule/elements.h"

enum { WORD_MOST = 32 };

typedef struct reader {
    sni_records* records;
    sni_warnings* warnings;
    sn_error* error;
    char model[WORD_MOST]; ///< of the first atom
    char part[WORD_MOST];  ///< label_asym_id of the last atom
    bool has_atoms;
} reader;

static sn_place place_of(const reader* r, const sni_cif_value* v) {
    sn_place place = {r->records->file, v->line, v->column};
    return place;
}

// ---- values ---------------------------------------------------------------------------------------

static bool is_given(const sni_cif_value* v) { return v->text != NULL; }

/// The first of two that is given; else one that has a place in the file.
static const sni_cif_value* either(const sni_cif_value* a, const sni_cif_value* b) {
    return is_given(a) || (!is_given(b) && a->line > 0) ? a : b;
}

/// As a string of at most size - 1 characters, what cannot be printed as question marks; false: it is longer. "" where nothing
/// is given.
static bool copy_word(const sni_cif_value* v, char* word, size_t size) {
    size_t length = is_given(v) ? v->length : 0, kept = length < size ? length : size - 1;
    for (size_t i = 0; i < kept; i++) {
        char c = v->text[i];
        word[i] = c <= 0x20 || c > 0x7e ? '?' : c;
    }
    word[kept] = '\0';
    return kept == length;
}

static char letter(const sni_cif_value* v) {
    char word[2];
    (void)copy_word(v, word, sizeof word); // longer ones are told apart by their first letter
    return word[0] ? word[0] : ' ';
}

/// A column that the file does not have is in no line; the first that it has will do.
static sn_status fail_value(const reader* r, const sni_cif_value* v, const sni_cif_value* row,
                            const char* name, const char* expected) {
    char word[WORD_MOST];
    bool there = v->line > 0;
    (void)copy_word(v, word, sizeof word); // as much as fits
    for (int k = 0; k < SN_CIF_COLUMNS && v->line == 0; k++)
        if (row[k].line > 0) v = &row[k];
    return sni_fail(r->error, SN_ERR_FORMAT, place_of(r, v), "%s: expected %s, found %s%s%s", name,
                    expected, there ? "'" : "no such column", there ? word : "", there ? "'" : "");
}

static sn_status read_number(const reader* r, const sni_cif_value* v, const sni_cif_value* row,
                             const char* name, double* value) {
    char word[WORD_MOST];
    if (copy_word(v, word, sizeof word) &&
        sni_number_read(word, strlen(word), value) == SN_NUMBER_OK)
        return SN_OK;
    return fail_value(r, v, row, name, "a finite number");
}

static sn_status read_name(const reader* r, const sni_cif_value* v, const sni_cif_value* row,
                           const char* name, char* word, size_t size) {
    if (copy_word(v, word, size) && word[0]) return SN_OK;
    return fail_value(r, v, row, name, word[0] ? "fewer characters" : "a name");
}

// ---- atoms ----------------------------------------------------------------------------------------

enum {
    SITE_GROUP,
    SITE_SYMBOL,
    SITE_ATOM,
    SITE_AUTH_ATOM,
    SITE_ALT,
    SITE_COMP,
    SITE_AUTH_COMP,
    SITE_ASYM,
    SITE_AUTH_ASYM,
    SITE_SEQ,
    SITE_AUTH_SEQ,
    SITE_INSERTION,
    SITE_X,
    SITE_Y,
    SITE_Z,
    SITE_OCCUPANCY,
    SITE_MODEL,
    SITE_COLUMNS
};

static sn_status read_position(const reader* r, const sni_cif_value* row, sn_vec3* p) {
    static const char* const names[] = {"Cartn_x", "Cartn_y", "Cartn_z"};
    double value[3];
    for (int k = 0; k < 3; k++) {
        sn_status status = read_number(r, &row[SITE_X + k], row, names[k], &value[k]);
        if (status) return status;
    }
    int axis;
    if (sni_records_place(value, p, &axis)) return SN_OK;
    return sni_fail(r->error, SN_ERR_FORMAT, place_of(r, &row[SITE_X + axis]),
                    "%s is larger than any molecule; is the file damaged?", names[axis]);
}

/// Its residue: name, number, insertion code.
static sn_status read_residue(const reader* r, const sni_cif_value* row, sni_record_residue* key) {
    char word[WORD_MOST];
    const sni_cif_value* number = either(&row[SITE_AUTH_SEQ], &row[SITE_SEQ]);
    sn_status status = read_name(r, either(&row[SITE_AUTH_COMP], &row[SITE_COMP]), row,
                                 "residue name", key->name, sizeof key->name);
    if (status) return status;
    if (!copy_word(number, word, sizeof word) || !sni_records_number(word, &key->number))
        return fail_value(r, number, row, "residue number", "a whole number");
    (void)copy_word(&row[SITE_GROUP], word, sizeof word); // anything else is no HETATM
    key->hetero = strcmp(word, "HETATM") == 0;
    key->insertion = letter(&row[SITE_INSERTION]);
    return SN_OK;
}

/// True: of another model than the first.
static bool is_of_other_model(reader* r, const sni_cif_value* row) {
    char model[WORD_MOST];
    (void)copy_word(&row[SITE_MODEL], model, sizeof model);
    if (!r->has_atoms) memcpy(r->model, model, sizeof model);
    r->has_atoms = true;
    if (strcmp(model, r->model) == 0) return false;
    sni_warnings_note(r->warnings, "models", place_of(r, &row[SITE_MODEL]),
                      "only the first model is used; this one is left out");
    return true;
}

/// Parts of an entry are polymers, ligands, waters: another one ends the chain, as TER does.
static void end_part(reader* r, const sni_cif_value* row) {
    char part[WORD_MOST];
    (void)copy_word(&row[SITE_ASYM], part, sizeof part);
    if (strcmp(part, r->part) == 0) return;
    sni_records_end_chain(r->records, r->warnings);
    memcpy(r->part, part, sizeof part);
}

static sn_status read_atom(void* context, const sni_cif_value* row) {
    reader* r = context;
    const sni_cif_value* name = either(&row[SITE_AUTH_ATOM], &row[SITE_ATOM]);
    sni_record_residue key = {0};
    sni_record_atom atom = {.line = name->line, .column = name->column, .occupancy = 1};
    char chain[SN_CHAIN_ID], symbol[WORD_MOST];
    if (is_of_other_model(r, row)) return SN_OK;
    end_part(r, row);
    sn_status status = read_name(r, name, row, "atom name", atom.name, sizeof atom.name);
    if (!status) status = read_residue(r, row, &key);
    if (!status) status = read_position(r, row, &atom.p);
    if (!status && is_given(&row[SITE_OCCUPANCY]))
        status = read_number(r, &row[SITE_OCCUPANCY], row, "occupancy", &atom.occupancy);
    if (!status)
        status = read_name(r, either(&row[SITE_AUTH_ASYM], &row[SITE_ASYM]), row, "chain", chain,
                           sizeof chain);
    if (status) return status;
    atom.altloc = letter(&row[SITE_ALT]);
    memcpy(atom.residue_name, key.name, sizeof atom.residue_name);
    (void)copy_word(&row[SITE_SYMBOL], symbol, sizeof symbol); // what is no element is guessed
    sni_element_guess(symbol, NULL, atom.name, atom.element);
    return sni_records_add(r->records, chain, &key, &atom, r->warnings, r->error);
}

// ---- disulfides -----------------------------------------------------------------------------------

enum { CONN_TYPE, CONN_ASYM, CONN_AUTH_ASYM, CONN_SEQ, CONN_AUTH_SEQ, CONN_INSERTION, CONN_STRIDE };
enum { CONN_SIDE = CONN_STRIDE - 1 }; // columns of a partner

static sn_status read_connection(void* context, const sni_cif_value* row) {
    reader* r = context;
    sni_record_ssbond bond = {.line = row[CONN_TYPE].line};
    char type[WORD_MOST];
    (void)copy_word(&row[CONN_TYPE], type, sizeof type); // longer ones are others
    if (strcmp(type, "disulf") != 0) return SN_OK;
    for (int side = 0; side < 2; side++) {
        const sni_cif_value* v = row + side * CONN_SIDE;
        const sni_cif_value* number = either(&v[CONN_AUTH_SEQ], &v[CONN_SEQ]);
        char word[WORD_MOST];
        sn_status status = read_name(r, either(&v[CONN_AUTH_ASYM], &v[CONN_ASYM]), row, "chain",
                                     bond.chain[side], sizeof bond.chain[side]);
        if (status) return status;
        if (!copy_word(number, word, sizeof word) || !sni_records_number(word, &bond.number[side]))
            return fail_value(r, number, row, "residue number of a disulfide", "a whole number");
        bond.insertion[side] = letter(&v[CONN_INSERTION]);
    }
    return sni_records_add_ssbond(r->records, &bond, r->error);
}

// ---- the file -------------------------------------------------------------------------------------

static const sni_cif_table TABLES[] = {
    {"_atom_site.",
     {[SITE_GROUP] = "group_PDB",
      [SITE_SYMBOL] = "type_symbol",
      [SITE_ATOM] = "label_atom_id",
      [SITE_AUTH_ATOM] = "auth_atom_id",
      [SITE_ALT] = "label_alt_id",
      [SITE_COMP] = "label_comp_id",
      [SITE_AUTH_COMP] = "auth_comp_id",
      [SITE_ASYM] = "label_asym_id",
      [SITE_AUTH_ASYM] = "auth_asym_id",
      [SITE_SEQ] = "label_seq_id",
      [SITE_AUTH_SEQ] = "auth_seq_id",
      [SITE_INSERTION] = "pdbx_PDB_ins_code",
      [SITE_X] = "Cartn_x",
      [SITE_Y] = "Cartn_y",
      [SITE_Z] = "Cartn_z",
      [SITE_OCCUPANCY] = "occupancy",
      [SITE_MODEL] = "pdbx_PDB_model_num"},
     read_atom},
    {"_struct_conn.",
     {[CONN_TYPE] = "conn_type_id",
      [CONN_ASYM] = "ptnr1_label_asym_id",
      [CONN_AUTH_ASYM] = "ptnr1_auth_asym_id",
      [CONN_SEQ] = "ptnr1_label_seq_id",
      [CONN_AUTH_SEQ] = "ptnr1_auth_seq_id",
      [CONN_INSERTION] = "pdbx_ptnr1_PDB_ins_code",
      [CONN_SIDE + CONN_ASYM] = "ptnr2_label_asym_id",
      [CONN_SIDE + CONN_AUTH_ASYM] = "ptnr2_auth_asym_id",
      [CONN_SIDE + CONN_SEQ] = "ptnr2_label_seq_id",
      [CONN_SIDE + CONN_AUTH_SEQ] = "ptnr2_auth_seq_id",
      [CONN_SIDE + CONN_INSERTION] = "pdbx_ptnr2_PDB_ins_code"},
     read_connection},
};

bool sni_mmcif_is(const char* text, size_t length) { return sni_cif_is(text, length); }

sn_status sni_mmcif_read(const char* text, size_t length, sni_warnings* warnings,
                         sni_records* records, sn_error* error) {
    reader r = {.records = records, .warnings = warnings, .error = error};
    sni_number_scope scope;
    if (!sni_number_scope_begin(&scope))
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    sn_status status = sni_cif_read(text, length, records->file, TABLES,
                                    sizeof TABLES / sizeof *TABLES, &r, error);
    sni_number_scope_end(&scope);
    return status;
}
