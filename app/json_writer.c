// SPDX-License-Identifier: Apache-2.0
#include "json_writer.h"

#include <math.h>
#include <stdlib.h>

json_writer jw_start(FILE* file) {
    json_writer w = {0};
    w.file = file;
    return w;
}

void jw_finish(json_writer* w) { fputc('\n', w->file); }

static void line_break(const json_writer* w) {
    if (w->one_line[w->depth]) return;
    fprintf(w->file, "\n%*s", w->depth, "");
}

// What comes before a value: a comma when it is not the first, nothing after a key.
static void before_value(json_writer* w) {
    if (w->after_key) {
        w->after_key = false;
        return;
    }
    if (w->depth == 0) return;
    bool spaced = w->one_line[w->depth] && w->members[w->depth];
    if (w->filled[w->depth]) fputs(spaced ? ", " : ",", w->file);
    w->filled[w->depth] = true;
    line_break(w);
}

static void open(json_writer* w, char bracket, bool one_line) {
    before_value(w);
    fputc(bracket, w->file);
    if (w->depth + 1 >= JSON_DEPTH_MOST) abort(); // a bug: our formats are not that deep
    bool inherited = w->one_line[w->depth];
    w->depth += 1;
    w->filled[w->depth] = false;
    w->one_line[w->depth] = inherited || one_line;
    w->members[w->depth] = bracket == '{';
}

static void close(json_writer* w, char bracket) {
    bool broken = w->filled[w->depth] && !w->one_line[w->depth];
    w->depth -= 1;
    if (broken) fprintf(w->file, "\n%*s", w->depth, "");
    fputc(bracket, w->file);
}

void jw_object(json_writer* w) { open(w, '{', false); }
void jw_object_line(json_writer* w) { open(w, '{', true); }
void jw_object_end(json_writer* w) { close(w, '}'); }
void jw_array(json_writer* w) { open(w, '[', false); }
void jw_array_line(json_writer* w) { open(w, '[', true); }
void jw_array_end(json_writer* w) { close(w, ']'); }

static void quote(FILE* file, const char* text) {
    fputc('"', file);
    for (const char* c = text; *c; c++) {
        if (*c == '"' || *c == '\\') {
            fprintf(file, "\\%c", *c);
        } else if ((unsigned char)*c < 0x20) {
            fprintf(file, "\\u%04x", (unsigned)*c);
        } else {
            fputc(*c, file);
        }
    }
    fputc('"', file);
}

void jw_key(json_writer* w, const char* key) {
    before_value(w);
    quote(w->file, key);
    fputs(": ", w->file);
    w->after_key = true;
}

void jw_text(json_writer* w, const char* text) {
    before_value(w);
    quote(w->file, text);
}

void jw_number(json_writer* w, double value) {
    before_value(w);
    if (!isfinite(value)) {
        fputs("null", w->file);
        return;
    }
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    fputs(text, w->file);
}

void jw_integer(json_writer* w, long long value) {
    before_value(w);
    fprintf(w->file, "%lld", value);
}

void jw_boolean(json_writer* w, bool value) {
    before_value(w);
    fputs(value ? "true" : "false", w->file);
}

void jw_numbers(json_writer* w, const double* values, int count) {
    jw_array_line(w);
    for (int i = 0; i < count; i++) jw_number(w, values[i]);
    jw_array_end(w);
}

void jw_matrix(json_writer* w, const double* values, int count, int width) {
    jw_array(w);
    for (int i = 0; i < count; i++) jw_numbers(w, values + (size_t)i * (size_t)width, width);
    jw_array_end(w);
}
