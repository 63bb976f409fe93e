// SPDX-License-Identifier: Apache-2.0
// Records of a PDB file, by columns.
#include "molecule/pdb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "molecule/elements.h"

enum { FIELD_MOST = 16 };

typedef struct reader {
    sni_records* records;
    sni_warnings* warnings;
    sn_error* error;
    const char* line; ///< the current one, without its end
    int32_t length;
    int32_t number;
    bool skip; ///< behind the first MODEL
} reader;

static sn_place at_column(const reader* r, int column) {
    sn_place place = {r->records->file, r->number, column};
    return place;
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

/// Numbers too large for their columns go on with letters [GK07]: A000 follows 9999.
static bool hybrid_number(const char* text, int32_t* value) {
    if (sni_records_number(text, value)) return true;
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

static sn_status read_position(const reader* r, sn_vec3* p) {
    static const char* const names[] = {"x", "y", "z"};
    double value[3];
    for (int k = 0; k < 3; k++) {
        int first = 31 + 8 * k;
        sn_status status = read_number(r, first, first + 7, names[k], &value[k]);
        if (status) return status;
    }
    int axis;
    if (sni_records_place(value, p, &axis)) return SN_OK;
    return sni_fail(r->error, SN_ERR_FORMAT, at_column(r, 31 + 8 * axis),
                    "%s is larger than any molecule; is the file damaged?", names[axis]);
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
    sni_record_residue key = {.hetero = hetero};
    sni_record_atom atom = {.line = r->number, .column = 13, .occupancy = 1};
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
    atom.altloc = column(r, 17);
    field(r, 77, 78, text);
    sni_element_guess(text, column(r, 13) == ' ' ? NULL : atom.name, atom.name, atom.element);
    const char chain[2] = {column(r, 22), '\0'};
    return sni_records_add(r->records, chain, &key, &atom, r->warnings, r->error);
}

// ---- bonds --------------------------------------------------------------------------------------

static sn_status read_ssbond(reader* r) {
    sni_record_ssbond bond = {.line = r->number};
    for (int k = 0; k < 2; k++) {
        char text[FIELD_MOST];
        int first = k == 0 ? 18 : 32;
        field(r, first, first + 3, text);
        bond.chain[k][0] = column(r, first - 2);
        bond.insertion[k] = column(r, first + 4);
        if (!hybrid_number(text, &bond.number[k]))
            return fail_field(r, first, "residue number of SSBOND", "a whole number", text);
    }
    return sni_records_add_ssbond(r->records, &bond, r->error);
}

// ---- lines --------------------------------------------------------------------------------------

static bool is_record(const reader* r, const char* name) {
    char text[FIELD_MOST];
    field(r, 1, 6, text);
    return strcmp(text, name) == 0;
}

/// An atom whose columns cannot be told is not left out silently.
static sn_status refuse_tabs(const reader* r) {
    bool atom =
        r->length >= 6 && (memcmp(r->line, "ATOM", 4) == 0 || memcmp(r->line, "HETATM", 6) == 0);
    const char* tab = atom ? memchr(r->line, '\t', (size_t)r->length) : NULL;
    if (!tab) return SN_OK;
    return sni_fail(r->error, SN_ERR_FORMAT, at_column(r, (int)(tab - r->line) + 1),
                    "a tab; PDB files have fixed columns, with blanks between");
}

static sn_status read_line(reader* r) {
    if (is_record(r, "MODEL")) {
        if (r->records->atom_count > 0) {
            r->skip = true;
            sni_warnings_note(r->warnings, "models", at_column(r, 1),
                              "only the first model is used; this one is left out");
        }
        return SN_OK;
    }
    if (r->skip) return SN_OK;
    sn_status status = refuse_tabs(r);
    if (status) return status;
    if (is_record(r, "ATOM")) return read_atom(r, false);
    if (is_record(r, "HETATM")) return read_atom(r, true);
    if (is_record(r, "SSBOND")) return read_ssbond(r);
    if (is_record(r, "TER")) sni_records_end_chain(r->records, r->warnings);
    return SN_OK;
}

sn_status sni_pdb_read(const char* text, size_t length, sni_warnings* warnings,
                       sni_records* records, sn_error* error) {
    reader r = {.records = records, .warnings = warnings, .error = error};
    sn_status status = SN_OK;
    sni_number_scope scope;
    if (!sni_number_scope_begin(&scope))
        return sni_fail(error, SN_ERR_MEMORY, at_column(&r, 0), "not enough memory");
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
    return status;
}
