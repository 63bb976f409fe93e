// SPDX-License-Identifier: Apache-2.0
#include "bench_print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json_writer.h"
#include "machine.h"
#include "table.h"

enum { TITLES_SIZE = 2048 };

// ---- JSON ----------------------------------------------------------------------------------------

json_writer bench_json_start(const char* name, FILE* out) {
    machine m = machine_ask();
    json_writer w = jw_start(out);
    jw_object(&w);
    jw_key(&w, "bench");
    jw_text(&w, name);
    machine_write(&m, &w);
    jw_key(&w, "rows");
    jw_array(&w);
    return w;
}

void bench_json_row(json_writer* w, const bench_row* row) {
    jw_key(w, "case");
    jw_text(w, row->line);
    jw_key(w, "n");
    jw_integer(w, row->n);
    jw_key(w, "dof");
    jw_integer(w, row->dof);
    jw_key(w, "engine");
    jw_text(w, row->engine);
    jw_key(w, "median_us");
    jw_number(w, row->median_us);
    jw_key(w, "min_us");
    jw_number(w, row->min_us);
    jw_key(w, "reps");
    jw_integer(w, row->reps);
    for (int i = 0; i < row->note_count; i++) {
        jw_key(w, row->notes[i].name);
        jw_number(w, row->notes[i].value);
    }
    if (row->trouble[0]) {
        jw_key(w, "trouble");
        jw_text(w, row->trouble);
    }
}

void bench_json_end(json_writer* w) {
    jw_object_end(w);
    jw_finish(w);
}

void bench_write_json(const char* name, const bench_rows* rows, const bench_ratios* ratios,
                      FILE* out) {
    json_writer w = bench_json_start(name, out);
    for (int i = 0; i < rows->count; i++) {
        jw_object_line(&w);
        bench_json_row(&w, &rows->at[i]);
        jw_key(&w, "ns_per_joint");
        jw_number(&w, bench_ns_per_joint(&rows->at[i]));
        jw_key(&w, "agree");
        jw_number(&w, rows->at[i].agree);
        jw_object_end(&w);
    }
    jw_array_end(&w);
    bench_ratios_write(ratios, &w);
    bench_json_end(&w);
}

// ---- text ----------------------------------------------------------------------------------------

static void append(char* text, size_t size, const char* part) {
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", part);
}

static const bench_row* any_row(const bench_rows* rows, const char* line) {
    for (int i = 0; i < rows->count; i++) {
        if (strcmp(rows->at[i].line, line) == 0) return &rows->at[i];
    }
    return NULL;
}

static bool has_row(const bench_rows* rows, const char* line, const char** engines, int count) {
    for (int e = 0; e < count; e++) {
        if (bench_rows_find(rows, line, engines[e])) return true;
    }
    return false;
}

static void add_time_cells(table* t, const bench_row* row, const bench_row* ours) {
    char time[32] = "-";
    if (row) bench_format_us(row->median_us, time, sizeof time);
    table_cell(t, "%s", time);
    if (row && ours) {
        double ratio = row->median_us / ours->median_us;
        table_cell(t, "%.*fx", ratio < 100 ? 2 : 0, ratio);
    } else {
        table_cell(t, "%s", "");
    }
}

// A row for each line that one of the engines was measured on; sinew:aba leads.
static void print_times(const bench_rows* rows, const char** engines, int count) {
    const char* lines[BENCH_LINES_MOST];
    int line_count = bench_rows_lines(rows, lines, BENCH_LINES_MOST);
    char align[3 * BENCH_ENGINES_MOST] = "lrrrr",
                   titles[TITLES_SIZE] = "line|joints|DOF|sinew:aba|ns/joint";
    for (int e = 0; e < count; e++) {
        append(align, sizeof align, "rr");
        append(titles, sizeof titles, "|");
        append(titles, sizeof titles, engines[e]);
        append(titles, sizeof titles, "|");
    }
    table* t = table_create(align, titles);
    for (int i = 0; i < line_count; i++) {
        const bench_row *ours = bench_rows_find(rows, lines[i], BENCH_OURS),
                        *any = any_row(rows, lines[i]);
        char time[32] = "-";
        if (!has_row(rows, lines[i], engines, count)) continue;
        if (ours) bench_format_us(ours->median_us, time, sizeof time);
        table_cell(t, "%s", lines[i]);
        table_cell(t, "%d", any->n);
        table_cell(t, "%d", any->dof);
        table_cell(t, "%s", time);
        table_cell(t, ours ? "%.1f" : "-", ours ? bench_ns_per_joint(ours) : 0);
        for (int e = 0; e < count; e++) {
            add_time_cells(t, bench_rows_find(rows, lines[i], engines[e]), ours);
        }
    }
    table_print(t, 2, stdout);
    printf("\n");
}

void bench_print_troubles(const bench_rows* rows) {
    bool any = false;
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        if (!row->trouble[0]) continue;
        if (!any) printf("Not measured:\n");
        any = true;
        printf("  %s on %s: %s\n", row->engine, row->line, row->trouble);
    }
    if (any) printf("\n");
}

// Wraps at 90 columns, with a mark before the first line.
static void print_sentence(const char* text) {
    int column = 1;
    printf("-");
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column + 1 + length > 90) {
            printf("\n ");
            column = 1;
        }
        printf(" %.*s", length, text);
        column += 1 + length;
        text += length;
        text += strspn(text, " ");
    }
    printf("\n");
}

void bench_sentences_print(const bench_sentences* s) {
    for (int i = 0; i < s->count; i++) print_sentence(s->at[i]);
}

void bench_print_dynamics(const bench_rows* rows, const bench_ratios* ratios) {
    const char *engines[BENCH_ENGINES_MOST], *ours[BENCH_ENGINES_MOST], *others[BENCH_ENGINES_MOST];
    int count = bench_rows_engines(rows, engines, BENCH_ENGINES_MOST), our_count = 0,
        other_count = 0;
    for (int e = 0; e < count; e++) {
        bool is_ours = strncmp(engines[e], "sinew:", 6) == 0;
        if (!is_ours) others[other_count++] = engines[e];
        if (is_ours && strcmp(engines[e], BENCH_OURS) != 0) ours[our_count++] = engines[e];
    }
    machine m = machine_ask();
    printf("(q, v, tau) -> qdd, kinematics included, on %s, %d cores, %s.\n"
           "Medians in microseconds; beside them how many times sinew:aba's.\n\n",
           m.cpu, m.cores, m.compiler);
    if (other_count > 0) {
        printf("Other engines\n");
        print_times(rows, others, other_count);
    }
    printf("Ours\n");
    print_times(rows, ours, our_count);
    bench_print_troubles(rows);
    bench_sentences s = bench_say(rows, ratios);
    bench_sentences_print(&s);
}
