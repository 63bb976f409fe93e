// SPDX-License-Identifier: Apache-2.0
// Records of a PDB file, by columns.
#include "molecule/pdb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "molecule/array.h"
#include "molecule/elements.h"
#include "molecule/pdb_altloc.h"

static const double NM_PER_ANGSTROM = 0.1;
/// No structure is this large; such a coordinate is damage.
static const double COORDINATE_MOST = 1e5; // nm

enum { FIELD_MOST = 16 };

typedef struct reader {
    sni_pdb* pdb;
    sni_warnings* warnings;
    sn_error* error;
    const char* line; ///< the current one, without its end
    int32_t length;
    int32_t number;
    bool chain_open, residue_open; ///< the last one goes on
    bool in_model, skip;           ///< inside MODEL; behind the first one
} reader;

static sn_place at_column(const reader* r, int column) {
    sn_place place = {r->pdb->file, r->number, column};
    return place;
}

static sn_status no_memory(const reader* r) {
    return sni_fail(r->error, SN_ERR_MEMORY, at_column(r, 0), "not enough memory");
}

// ---- columns ------------------------------------------------------------------------------------

/// Names are printed: what cannot be is a question mark.
static char printable(char c) { return c < 0x20 || c > 0x7e ? '?' : c; }

static char column(const reader* r, int c) {
    return c <= r->length ? printable(r->line[c - 1]) : ' ';
}

/// Columns first to last without blanks around; at most FIELD_MOST - 1 characters.
static void field(const reader* r, int first, int last, char text[FIELD_MOST]) {
    if (last > r->length) last = r->length;
    while (first <= last && r->line[first - 1] == ' ') first += 1;
    while (last >= first && r->line[last - 1] == ' ') last -= 1;
    int length = last - first + 1;
    for (int i = 0; i < length; i++) text[i] = printable(r->line[first - 1 + i]);
    text[length > 0 ? length : 0] = '\0';
}

static sn_status fail_field(const reader* r, int column, const char* name, const char* expected,
                            const char* text) {
    return sni_fail(r->error, SN_ERR_FORMAT, at_column(r, column), "%s: expected %s, found '%s'%s",
                    name, expected, text,
                    text[0] ? "; PDB files have fixed columns, are they shifted?"
                            : "; is the line cut off?");
}

static sn_status read_number(const reader* r, int first, int last, const char* name,
                             double* value) {
    char text[FIELD_MOST];
    field(r, first, last, text);
    if (sni_number_read(text, strlen(text), value) == SN_NUMBER_OK) return SN_OK;
    return fail_field(r, first, name, "a finite number", text);
}

/// A whole number; false: something else.
static bool whole_number(const char* text, int32_t* value) {
    bool minus = text[0] == '-';
    const char* digit = text + minus;
    int32_t sum = 0;
    if (!*digit || strlen(digit) > 8) return false;
    for (; *digit; digit++) {
        if (*digit < '0' || *digit > '9') return false;
        sum = 10 * sum + (*digit - '0');
    }
    *value = minus ? -sum : sum;
    return true;
}

/// Numbers too large for their columns go on with letters [GK07]: A000 follows 9999.
static bool hybrid_number(const char* text, int32_t* value) {
    if (whole_number(text, value)) return true;
    size_t width = strlen(text);
    bool upper = text[0] >= 'A' && text[0] <= 'Z', lower = text[0] >= 'a' && text[0] <= 'z';
    if (width < 4 || width > 5 || (!upper && !lower)) return false;
    int64_t sum = 0, block = 1, decimal = 1;
    for (size_t i = 0; i < width; i++) {
        char c = text[i], base = upper ? 'A' : 'a';
        bool letter = c >= base && c < base + 26;
        if (!letter && !(c >= '0' && c <= '9')) return false;
        sum = 36 * sum + (letter ? c - base + 10 : c - '0');
        if (i > 0) block *= 36;
        decimal *= 10;
    }
    sum += decimal - 10 * block + (lower ? 26 * block : 0);
    *value = (int32_t)sum;
    return true;
}

// ---- atoms --------------------------------------------------------------------------------------

/// Cuts and ends of chains make a new one; so does another id.
static bool open_chain(reader* r, char id) {
    sni_pdb* pdb = r->pdb;
    if (r->chain_open && pdb->chains[pdb->chain_count - 1].id == id) return true;
    if (!SN_GROW(pdb->chains, pdb->chain_count, pdb->chain_room)) return false;
    pdb->chains[pdb->chain_count++] =
        (sni_pdb_chain){.id = id, .first_residue = pdb->residue_count};
    r->chain_open = true;
    r->residue_open = false;
    return true;
}

/// Whether an atom goes on with the last residue. Alternate locations may have names of their own.
static bool same_residue(const reader* r, const sni_pdb_residue* key, char altloc) {
    if (!r->residue_open) return false;
    const sni_pdb_residue* last = &r->pdb->residues[r->pdb->residue_count - 1];
    return last->number == key->number && last->insertion == key->insertion &&
           last->hetero == key->hetero && (altloc != ' ' || strcmp(last->name, key->name) == 0);
}

static sn_status open_residue(reader* r, const sni_pdb_residue* key, char chain_id, char altloc) {
    sni_pdb* pdb = r->pdb;
    if (!open_chain(r, chain_id)) return no_memory(r);
    if (same_residue(r, key, altloc)) {
        if (pdb->residues[pdb->residue_count - 1].atom_count < SN_RESIDUE_ATOMS_MOST) return SN_OK;
        return sni_fail(r->error, SN_ERR_FORMAT, at_column(r, 23),
                        "residue %s %c%d has more than %d atoms; are residues numbered?", key->name,
                        chain_id, (int)key->number, SN_RESIDUE_ATOMS_MOST);
    }
    if (r->residue_open) sni_pdb_settle_residue(pdb, r->warnings);
    if (!SN_GROW(pdb->residues, pdb->residue_count, pdb->residue_room)) return no_memory(r);
    sni_pdb_residue* residue = &pdb->residues[pdb->residue_count++];
    *residue = *key;
    residue->chain = pdb->chain_count - 1;
    residue->first_atom = pdb->atom_count;
    residue->line = r->number;
    pdb->chains[pdb->chain_count - 1].residue_count += 1;
    r->residue_open = true;
    return SN_OK;
}

static sn_status read_position(const reader* r, sn_vec3* p) {
    static const char* const names[] = {"x", "y", "z"};
    double value[3];
    for (int k = 0; k < 3; k++) {
        int first = 31 + 8 * k;
        sn_status status = read_number(r, first, first + 7, names[k], &value[k]);
        if (status) return status;
        value[k] *= NM_PER_ANGSTROM;
        if (value[k] > COORDINATE_MOST || value[k] < -COORDINATE_MOST)
            return sni_fail(r->error, SN_ERR_FORMAT, at_column(r, first),
                            "%s is larger than any molecule; is the file damaged?", names[k]);
    }
    *p = sn_vec3_make(value[0], value[1], value[2]);
    return SN_OK;
}

/// Hydrogens of old files have their number in front: 1HB is HB1.
static void turn_name(char name[5]) {
    size_t length = strlen(name);
    if (length < 2 || name[0] < '0' || name[0] > '9') return;
    char digit = name[0];
    memmove(name, name + 1, length - 1);
    name[length - 1] = digit;
}

static sn_status read_atom(reader* r, bool hetero) {
    sni_pdb_residue key = {.hetero = hetero};
    sni_pdb_atom atom = {.line = r->number, .occupancy = 1};
    char text[FIELD_MOST];
    field(r, 13, 16, text);
    if (!text[0]) return fail_field(r, 13, "atom name", "up to 4 characters", text);
    memcpy(atom.name, text, strlen(text) + 1);
    turn_name(atom.name);
    field(r, 18, 21, text); // column 21 is free; some programs write names of four letters
    if (!text[0]) return fail_field(r, 18, "residue name", "up to 4 characters", text);
    memcpy(key.name, text, strlen(text) + 1);
    memcpy(atom.residue_name, text, strlen(text) + 1);
    field(r, 23, 26, text);
    if (!hybrid_number(text, &key.number))
        return fail_field(r, 23, "residue number", "a whole number", text);
    key.insertion = column(r, 27);
    sn_status status = read_position(r, &atom.p);
    if (status) return status;
    field(r, 55, 60, text);
    if (text[0]) status = read_number(r, 55, 60, "occupancy", &atom.occupancy);
    if (status) return status;
    field(r, 7, 11, text);
    if (!hybrid_number(text, &atom.serial)) atom.serial = -1;
    atom.altloc = column(r, 17);
    field(r, 77, 78, text);
    sni_element_guess(text, column(r, 13) == ' ' ? NULL : atom.name, atom.name, atom.element);
    status = open_residue(r, &key, column(r, 22), atom.altloc);
    if (status) return status;
    sni_pdb* pdb = r->pdb;
    if (!SN_GROW(pdb->atoms, pdb->atom_count, pdb->atom_room)) return no_memory(r);
    pdb->atoms[pdb->atom_count++] = atom;
    pdb->residues[pdb->residue_count - 1].atom_count += 1;
    return SN_OK;
}

// ---- bonds --------------------------------------------------------------------------------------

static sn_status read_ssbond(reader* r) {
    sni_pdb_ssbond bond = {.line = r->number};
    for (int k = 0; k < 2; k++) {
        char text[FIELD_MOST];
        int first = k == 0 ? 18 : 32;
        field(r, first, first + 3, text);
        bond.chain[k] = column(r, first - 2);
        bond.insertion[k] = column(r, first + 4);
        if (!hybrid_number(text, &bond.number[k]))
            return fail_field(r, first, "residue number of SSBOND", "a whole number", text);
    }
    sni_pdb* pdb = r->pdb;
    if (!SN_GROW(pdb->ssbonds, pdb->ssbond_count, pdb->ssbond_room)) return no_memory(r);
    pdb->ssbonds[pdb->ssbond_count++] = bond;
    return SN_OK;
}

/// Every bond is named from both sides; what is no number is left out, as many programs write.
static sn_status read_conect(reader* r) {
    sni_pdb* pdb = r->pdb;
    char text[FIELD_MOST];
    sni_pdb_conect bond;
    field(r, 7, 11, text);
    if (!hybrid_number(text, &bond.serial[0])) {
        sni_warnings_note(r->warnings, "conect", at_column(r, 7),
                          "CONECT without the number of an atom; the line is ignored");
        return SN_OK;
    }
    for (int first = 12; first <= 27; first += 5) {
        field(r, first, first + 4, text);
        if (!hybrid_number(text, &bond.serial[1])) continue;
        if (!SN_GROW(pdb->conects, pdb->conect_count, pdb->conect_room)) return no_memory(r);
        pdb->conects[pdb->conect_count++] = bond;
    }
    return SN_OK;
}

// ---- lines --------------------------------------------------------------------------------------

static bool is_record(const reader* r, const char* name) {
    char text[FIELD_MOST];
    field(r, 1, 6, text);
    return strcmp(text, name) == 0;
}

static void close_residue(reader* r) {
    if (r->residue_open) sni_pdb_settle_residue(r->pdb, r->warnings);
    r->residue_open = false;
}

static sn_status read_line(reader* r) {
    if (is_record(r, "MODEL")) {
        if (r->pdb->atom_count > 0) {
            r->skip = true;
            sni_warnings_note(r->warnings, "models", at_column(r, 1),
                              "only the first model is used; this one is left out");
        }
        return SN_OK;
    }
    if (is_record(r, "CONECT")) return read_conect(r);
    if (r->skip) return SN_OK;
    if (is_record(r, "ATOM")) return read_atom(r, false);
    if (is_record(r, "HETATM")) return read_atom(r, true);
    if (is_record(r, "SSBOND")) return read_ssbond(r);
    if (is_record(r, "TER")) {
        close_residue(r);
        r->chain_open = false;
    }
    return SN_OK;
}

static sn_status refuse_format(const char* text, size_t length, const char* file, sn_error* error) {
    sn_place place = {file, 0, 0};
    if (length >= 2 && memcmp(text, "\x1f\x8b", 2) == 0)
        return sni_fail(error, SN_ERR_FORMAT, place,
                        "compressed by gzip; unpack it first: gunzip -k FILE");
    if (length >= 5 && memcmp(text, "data_", 5) == 0)
        return sni_fail(error, SN_ERR_FORMAT, place,
                        "mmCIF, which is not read; get the same entry in PDB format");
    return SN_OK;
}

sn_status sni_pdb_read(const char* text, size_t length, const char* file, sni_warnings* warnings,
                       sni_pdb* pdb, sn_error* error) {
    *pdb = (sni_pdb){.file = file};
    sn_status status = refuse_format(text, length, file, error);
    reader r = {.pdb = pdb, .warnings = warnings, .error = error};
    sni_number_scope scope;
    if (!status && !sni_number_scope_begin(&scope)) return no_memory(&r);
    if (status) return status;
    for (size_t at = 0; at < length && !status;) {
        const char* end = memchr(text + at, '\n', length - at);
        size_t size = end ? (size_t)(end - text) - at : length - at;
        r.line = text + at;
        r.length = (int32_t)(size < 128 ? size : 128); // records end at column 80
        if (r.length > 0 && r.line[r.length - 1] == '\r') r.length -= 1;
        r.number += 1;
        status = read_line(&r);
        at += size + 1;
    }
    sni_number_scope_end(&scope);
    if (status) return status;
    close_residue(&r);
    if (pdb->atom_count == 0) {
        sn_place place = {file, 0, 0};
        return sni_fail(error, SN_ERR_FORMAT, place,
                        "no ATOM or HETATM record; is it a PDB file, and is it complete?");
    }
    return SN_OK;
}

void sni_pdb_free(sni_pdb* pdb) {
    free(pdb->atoms);
    free(pdb->residues);
    free(pdb->chains);
    free(pdb->ssbonds);
    free(pdb->conects);
    *pdb = (sni_pdb){0};
}
