// SPDX-License-Identifier: Apache-2.0
#include "table.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "terminal.h"

enum { GAP = 2 }; // columns of space between two cells

struct table {
    char* align;
    int width; ///< columns
    bool titled;
    char** cells;
    int count, capacity;
};

static void add(table* t, char* text) {
    if (t->count == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 64;
        t->cells = memory_resize(t->cells, (size_t)t->capacity, sizeof *t->cells);
    }
    t->cells[t->count++] = text;
}

static char* format_list(const char* format, va_list list) {
    char text[1024];
    vsnprintf(text, sizeof text, format, list);
    return memory_copy(text);
}

table* table_create(const char* align, const char* titles) {
    table* t = memory_take(1, sizeof *t);
    t->align = memory_copy(align);
    t->width = (int)strlen(align);
    t->titled = titles != NULL;
    while (titles) {
        const char* bar = strchr(titles, '|');
        int length = bar ? (int)(bar - titles) : (int)strlen(titles);
        add(t, memory_text("%.*s", length, titles));
        titles = bar ? bar + 1 : NULL;
    }
    return t;
}

void table_cell(table* t, const char* format, ...) {
    va_list list;
    va_start(list, format);
    add(t, format_list(format, list));
    va_end(list);
}

void table_pair(table* t, const char* title, const char* format, ...) {
    va_list list;
    va_start(list, format);
    add(t, memory_copy(title));
    add(t, format_list(format, list));
    va_end(list);
}

static void print_row(const table* t, int row, const int* widths, int indent, FILE* out) {
    fprintf(out, "%*s", indent, "");
    for (int c = 0; c < t->width; c++) {
        int at = row * t->width + c;
        const char* text = at < t->count ? t->cells[at] : "";
        int pad = widths[c] - terminal_columns(text);
        bool last = c == t->width - 1;
        if (t->align[c] == 'r') {
            fprintf(out, "%*s%s", pad, "", text);
        } else {
            fprintf(out, "%s%*s", text, last ? 0 : pad, "");
        }
        if (!last) fprintf(out, "%*s", GAP, "");
    }
    fputc('\n', out);
}

static void print_rule(const table* t, const int* widths, int indent, FILE* out) {
    const char* dash = terminal_utf8() ? "─" : "-";
    int total = GAP * (t->width - 1);
    for (int c = 0; c < t->width; c++) total += widths[c];
    fprintf(out, "%*s", indent, "");
    for (int i = 0; i < total; i++) fputs(dash, out);
    fputc('\n', out);
}

void table_print(table* t, int indent, FILE* out) {
    int* widths = memory_take((size_t)t->width, sizeof *widths);
    for (int i = 0; i < t->count; i++) {
        int columns = terminal_columns(t->cells[i]);
        if (columns > widths[i % t->width]) widths[i % t->width] = columns;
    }
    int rows = (t->count + t->width - 1) / t->width;
    for (int row = 0; row < rows; row++) {
        print_row(t, row, widths, indent, out);
        if (row == 0 && t->titled) print_rule(t, widths, indent, out);
    }
    free(widths);
    table_free(t);
}

void table_free(table* t) {
    for (int i = 0; i < t->count; i++) free(t->cells[i]);
    free(t->cells);
    free(t->align);
    free(t);
}
