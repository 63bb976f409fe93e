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

/// Places in q of the columns after the first.
static sn_status read_header(table* t, const sn_model* model, int* place, int* columns) {
    const char* field;
    size_t length;
    if (!next_field(t, &field, &length) || length != 4 || strncmp(field, "time", 4) != 0)
        return fail_table(t, "the first column of a motion is 'time'");
    for (*columns = 0; next_field(t, &field, &length); *columns += 1) {
        char name[128];
        if (*columns == sn_model_nq(model)) return fail_table(t, "more columns than joints");
        size_t size = length < sizeof name - 1 ? length : sizeof name - 1;
        memcpy(name, field, size);
        name[size] = '\0';
        sn_body_id joint = sn_model_find_joint(model, name);
        if (joint.i < 0 || sn_model_body(model, joint).nq != 1)
            return fail_table(t, "a column names no joint of one number");
        place[*columns] = sn_model_body(model, joint).iq;
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

static sn_status read_rows(table* t, const double* before, size_t nq, const int* place, int columns,
                           double* time, double* q, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double* row = q + i * nq;
        (void)next_line(t); // they were counted
        memcpy(row, before, nq * sizeof *q);
        before = row;
        sn_status status = read_number(t, &time[i]);
        for (int k = 0; k < columns && !status; k++) status = read_number(t, &row[place[k]]);
        if (status) return status;
        if (i > 0 && !(time[i] > time[i - 1]))
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
    size_t nq = (size_t)sn_model_nq(model);
    table t = {reader, path, text, 1};
    size_t count = count_rows(t);
    if (count == 0 || count > POSTURES_MOST) return fail_table(&t, "a motion has postures");
    double *time, *q;
    sn_motion* motion = sni_motion_make(reader, k, nq, count, &time, &q);
    int *place = sni_memory_take(reader->memory, (nq + 1) * sizeof *place), columns = 0;
    if (!motion || !place) return sni_fail_memory(reader);
    sn_status status = read_header(&t, model, place, &columns);
    if (!status) status = read_rows(&t, c->target, nq, place, columns, time, q, count);
    c->motion = motion;
    return status;
}
