// SPDX-License-Identifier: Apache-2.0
#include "molecule/cif.h"

#include <string.h>
#include <strings.h>

#include "base/error.h"

typedef enum token_kind { TOKEN_END, TOKEN_DATA, TOKEN_LOOP, TOKEN_NAME, TOKEN_VALUE } token_kind;

typedef struct reader {
    const char *at, *end;
    const char* line_start;
    int32_t line;
    const char* file;
    sn_error* error;
    const sni_cif_table* tables;
    int table_count;
    void* context;
    token_kind kind; ///< of the last token
    sni_cif_value token;
} reader;

static sn_status fail(const reader* r, int32_t line, int32_t column, const char* what) {
    sn_place place = {r->file, line, column};
    return sni_fail(r->error, SN_ERR_FORMAT, place, "%s", what);
}

// ---- tokens ---------------------------------------------------------------------------------------

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static void next_line(reader* r) {
    r->line += 1;
    r->line_start = r->at;
}

/// Past blanks and comments.
static void skip_blanks(reader* r) {
    while (r->at < r->end) {
        if (*r->at == '#') {
            while (r->at < r->end && *r->at != '\n') r->at++;
        } else if (!is_blank(*r->at)) {
            return;
        } else if (*r->at++ == '\n') {
            next_line(r);
        }
    }
}

/// From a semicolon that begins a line to the next such.
static sn_status read_text_field(reader* r) {
    r->token.text = ++r->at;
    while (r->at < r->end) {
        if (*r->at++ != '\n') continue;
        next_line(r);
        if (r->at < r->end && *r->at == ';') {
            r->token.length = (size_t)(r->at - 1 - r->token.text);
            r->at++;
            return SN_OK;
        }
    }
    return fail(r, r->token.line, r->token.column,
                "a text that begins here with ; has no end; is the file cut off?");
}

/// To the same quote before a blank, on one line.
static sn_status read_quoted(reader* r) {
    char quote = *r->at++;
    r->token.text = r->at;
    for (; r->at < r->end && *r->at != '\n'; r->at++) {
        if (*r->at != quote || (r->at + 1 < r->end && !is_blank(r->at[1]))) continue;
        r->token.length = (size_t)(r->at - r->token.text);
        r->at++;
        return SN_OK;
    }
    return fail(r, r->token.line, r->token.column,
                "a quoted value has no end on its line; is the file cut off?");
}

static bool begins_with(const sni_cif_value* v, const char* word, bool whole) {
    size_t length = strlen(word);
    return v->length >= length && strncasecmp(v->text, word, length) == 0 &&
           (!whole || v->length == length);
}

static void read_word(reader* r) {
    r->token.text = r->at;
    while (r->at < r->end && !is_blank(*r->at)) r->at++;
    r->token.length = (size_t)(r->at - r->token.text);
    if (r->token.text[0] == '_')
        r->kind = TOKEN_NAME;
    else if (begins_with(&r->token, "loop_", true))
        r->kind = TOKEN_LOOP;
    else if (begins_with(&r->token, "data_", false))
        r->kind = TOKEN_DATA;
    if (r->kind != TOKEN_VALUE) return;
    if (r->token.length == 1 && (r->token.text[0] == '.' || r->token.text[0] == '?'))
        r->token.text = NULL;
}

static sn_status next(reader* r) {
    skip_blanks(r);
    r->token = (sni_cif_value){.line = r->line, .column = (int32_t)(r->at - r->line_start) + 1};
    r->kind = r->at < r->end ? TOKEN_VALUE : TOKEN_END;
    if (r->kind == TOKEN_END) return SN_OK;
    if (*r->at == ';' && r->at == r->line_start) return read_text_field(r);
    if (*r->at == '\'' || *r->at == '"') return read_quoted(r);
    read_word(r);
    return SN_OK;
}

// ---- tables ---------------------------------------------------------------------------------------

/// The table that a name is of, and its column there, -1: not wanted. NULL: neither.
static const sni_cif_table* find_table(const reader* r, const sni_cif_value* name, int* column) {
    for (int t = 0; t < r->table_count; t++) {
        const sni_cif_table* table = &r->tables[t];
        size_t length = strlen(table->category);
        if (!begins_with(name, table->category, false)) continue;
        sni_cif_value rest = {.text = name->text + length, .length = name->length - length};
        *column = -1;
        for (int k = 0; k < SN_CIF_COLUMNS && table->columns[k]; k++)
            if (begins_with(&rest, table->columns[k], true)) *column = k;
        return table;
    }
    return NULL;
}

/// Where the values of a loop go.
typedef struct loop_plan {
    const sni_cif_table* table; ///< NULL: nobody wants it
    int width;                  ///< names
    int16_t column[512];        ///< of each; -1: not wanted
} loop_plan;

static sn_status read_loop_names(reader* r, loop_plan* plan) {
    sn_status status = next(r);
    *plan = (loop_plan){0};
    for (; !status && r->kind == TOKEN_NAME; status = next(r)) {
        int column = -1;
        const sni_cif_table* table = find_table(r, &r->token, &column);
        if (plan->width == (int)(sizeof plan->column / sizeof *plan->column))
            return fail(r, r->token.line, r->token.column,
                        "a loop of more than 512 names; is this a structure?");
        if (table) plan->table = table;
        plan->column[plan->width++] = (int16_t)column;
    }
    if (!status && plan->width == 0)
        return fail(r, r->token.line, r->token.column, "loop_ without names");
    return status;
}

/// The token after the loop is read when this returns.
static sn_status read_loop(reader* r) {
    loop_plan plan;
    sni_cif_value row[SN_CIF_COLUMNS];
    sn_status status = read_loop_names(r, &plan);
    int32_t first_line = r->token.line;
    while (!status && r->kind == TOKEN_VALUE) {
        memset(row, 0, sizeof row);
        first_line = r->token.line;
        int k = 0;
        for (; k < plan.width && !status && r->kind == TOKEN_VALUE; k++) {
            if (plan.column[k] >= 0) row[plan.column[k]] = r->token;
            status = next(r);
        }
        if (!status && k < plan.width && plan.table)
            return fail(r, first_line, 0,
                        "a row of a loop has fewer values than the loop has names; is the file "
                        "cut off?");
        if (!status && k == plan.width && plan.table) status = plan.table->row(r->context, row);
    }
    return status;
}

/// Pairs of name and value, as long as they are of one table: one row. The token after them is read when this returns.
static sn_status read_pairs(reader* r) {
    sni_cif_value row[SN_CIF_COLUMNS] = {0};
    int column = -1;
    const sni_cif_table* table = find_table(r, &r->token, &column);
    const sni_cif_table* same = table;
    sn_status status = SN_OK;
    while (!status && r->kind == TOKEN_NAME && same == table) {
        sni_cif_value name = r->token;
        status = next(r);
        if (!status && r->kind != TOKEN_VALUE)
            return fail(r, name.line, name.column, "a name without a value; is the file cut off?");
        if (!status && column >= 0) row[column] = r->token;
        if (!status) status = next(r);
        column = -1;
        if (!status && r->kind == TOKEN_NAME) same = find_table(r, &r->token, &column);
    }
    if (!status && table) status = table->row(r->context, row);
    return status;
}

// ---- the file -------------------------------------------------------------------------------------

static reader begin(const char* text, size_t length) {
    return (reader){.at = text, .end = text + length, .line_start = text, .line = 1};
}

bool sni_cif_is(const char* text, size_t length) {
    reader r = begin(text, length);
    skip_blanks(&r);
    return r.end - r.at >= 5 && strncasecmp(r.at, "data_", 5) == 0;
}

sn_status sni_cif_read(const char* text, size_t length, const char* file,
                       const sni_cif_table* tables, int count, void* context, sn_error* error) {
    reader r = begin(text, length);
    r.file = file;
    r.error = error;
    r.tables = tables;
    r.table_count = count;
    r.context = context;
    int blocks = 0;
    sn_status status = next(&r);
    while (!status && r.kind != TOKEN_END) {
        if (r.kind == TOKEN_DATA && blocks++ == 1) break; // the first is the structure
        if (r.kind == TOKEN_LOOP)
            status = read_loop(&r);
        else if (r.kind == TOKEN_NAME)
            status = read_pairs(&r);
        else if (r.kind == TOKEN_DATA)
            status = next(&r);
        else
            status = fail(&r, r.token.line, r.token.column,
                          "a value without a name; is a quote or a semicolon missing before it?");
    }
    return status;
}
