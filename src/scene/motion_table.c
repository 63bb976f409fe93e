// SPDX-License-Identifier: Apache-2.0
#include "scene/motion_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { POSTURES_MOST = 1 << 20 };

/// A table being read: where it is, for errors.
typedef struct table {
    sni_reader* reader;
    const char* path;
    const char* at;
    int line;
} table;

/// A column after the first: an angle or length of a joint, or its force.
typedef struct column {
    int place; ///< in q or v
    bool force;
} column;

/// What the numbers of a row go to.
typedef struct rows {
    size_t nq, nv;
    double *time, *q;
    double* force; ///< NULL: no column is one
} rows;

static sn_status fail_table(const table* t, const char* what) {
    sn_place place = {.file = t->path, .line = t->line};
    return sni_fail(t->reader->source.error, SN_ERR_FORMAT, place, "%s", what);
}

/// The next field of the line, without blanks; false at its end.
static bool next_field(table* t, const char** field, size_t* length) {
    if (*t->at == '\0' || *t->at == '\n') return false;
    size_t size = strcspn(t->at, ",\n");
    const char* start = t->at;
    t->at += size + (t->at[size] == ',');
    while (size > 0 && strchr(" \t\r", *start)) start++, size--;
    while (size > 0 && strchr(" \t\r", start[size - 1])) size--;
    *field = start;
    *length = size;
    return true;
}

/// The next line that is not empty; false: there is none.
static bool next_line(table* t) {
    t->at += strcspn(t->at, "\n");
    while (*t->at == '\n' || *t->at == '\r') t->line += *t->at++ == '\n';
    return *t->at != '\0';
}

/// The joint of a column's name, and whether the column is its force: JOINT or JOINT:force.
static sn_status read_column(const table* t, const sn_model* model, const char* field,
                             size_t length, column* c) {
    static const char FORCE[] = ":force";
    const size_t end = sizeof FORCE - 1;
    char name[128];
    c->force = length > end && strncmp(field + length - end, FORCE, end) == 0;
    if (c->force) length -= end;
    size_t size = length < sizeof name - 1 ? length : sizeof name - 1;
    memcpy(name, field, size);
    name[size] = '\0';
    sn_body_id joint = sn_model_find_joint(model, name);
    if (joint.i < 0 || sn_model_body(model, joint).nq != 1)
        return fail_table(t, "a column names no joint of one number");
    sn_body_info info = sn_model_body(model, joint);
    c->place = c->force ? info.iv : info.iq;
    return SN_OK;
}

/// Columns after the first.
static sn_status read_header(table* t, const sn_model* model, column* at, int most, int* columns) {
    const char* field;
    size_t length;
    if (!next_field(t, &field, &length) || length != 4 || strncmp(field, "time", 4) != 0)
        return fail_table(t, "the first column of a motion is 'time'");
    for (*columns = 0; next_field(t, &field, &length); *columns += 1) {
        if (*columns == most) return fail_table(t, "more columns than joints and forces");
        sn_status status = read_column(t, model, field, length, &at[*columns]);
        if (status) return status;
    }
    return SN_OK;
}

static sn_status read_number(table* t, double* number) {
    const char* field;
    size_t length;
    char text[64], *end;
    if (!next_field(t, &field, &length)) return fail_table(t, "fewer numbers than columns");
    if (length == 0 || length >= sizeof text) return fail_table(t, "a number is expected");
    memcpy(text, field, length);
    text[length] = '\0';
    *number = strtod(text, &end);
    bool finite = *number - *number == 0;
    return *end || !finite ? fail_table(t, "a number is expected") : SN_OK;
}

static sn_status read_rows(table* t, const double* before, const column* at, int columns,
                           const rows* to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double *row = to->q + i * to->nq, *force = to->force ? to->force + i * to->nv : NULL;
        (void)next_line(t); // they were counted
        memcpy(row, before, to->nq * sizeof *row);
        before = row;
        sn_status status = read_number(t, &to->time[i]);
        for (int k = 0; k < columns && !status; k++)
            status = read_number(t, (at[k].force ? force : row) + at[k].place);
        if (status) return status;
        if (i > 0 && !(to->time[i] > to->time[i - 1]))
            return fail_table(t, "postures come in the order of time");
    }
    return SN_OK;
}

static size_t count_rows(table t) {
    size_t count = 0;
    while (next_line(&t)) count++;
    return count;
}

sn_status sni_motion_read_table(sni_reader* reader, const sni_controller_keys* k, const char* path,
                                const char* text, sn_controller_def* c) {
    const sn_model* model = reader->scene->item[c->item].model;
    rows to = {.nq = (size_t)sn_model_nq(model), .nv = (size_t)sn_model_nv(model)};
    table t = {reader, path, text, 1};
    size_t count = count_rows(t);
    if (count == 0 || count > POSTURES_MOST) return fail_table(&t, "a motion has postures");
    sn_motion* motion = sni_motion_make(reader, k, to.nq, count, &to.time, &to.q);
    int most = (int)(to.nq + to.nv), columns = 0;
    column* at = sni_memory_take(reader->memory, (size_t)(most + 1) * sizeof *at);
    if (!motion || !at) return sni_fail_memory(reader);
    sn_status status = read_header(&t, model, at, most, &columns);
    bool forces = false;
    for (int i = 0; i < columns; i++) forces = forces || at[i].force;
    if (forces) to.force = sni_memory_take(reader->memory, count * to.nv * sizeof *to.force);
    if (forces && !to.force) return sni_fail_memory(reader);
    if (!status) status = read_rows(&t, c->target, at, columns, &to, count);
    motion->force = to.force;
    c->motion = motion;
    return status;
}
