// SPDX-License-Identifier: Apache-2.0
#include "bench_account.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_page.h"
#include "command.h"
#include "machine.h"
#include "memory.h"
#include "message.h"
#include "output_file.h"
#include "table.h"

enum { REPS_MOST = 10000, COLUMNS_MOST = 16 };

bool bench_account_possible(const bench_options* options) {
    if (options->lines || options->peers) {
        message_error("%s belongs to `sinew bench dynamics`; leave it out",
                      options->lines ? "--lines" : "--peers");
        return false;
    }
    if (options->reps > REPS_MOST) {
        message_error("--reps %ld is too many; at most %d", options->reps, REPS_MOST);
        return false;
    }
    return !options->report || bench_report_possible(options->report);
}

void bench_account_ratio(bench_account* account, const char* name, double value) {
    if (account->ratio_count == BENCH_RATIOS_MOST) return;
    account->ratios[account->ratio_count++] = (bench_note){name, value};
}

// ---- which tables, which columns --------------------------------------------------------------------

typedef struct names {
    const char* at[COLUMNS_MOST];
    int count;
} names;

static void add_name(names* n, const char* name) {
    for (int i = 0; i < n->count; i++) {
        if (strcmp(n->at[i], name) == 0) return;
    }
    if (n->count < COLUMNS_MOST) n->at[n->count++] = name;
}

static names parts_of(const bench_rows* rows) {
    names n = {.count = 0};
    for (int i = 0; i < rows->count; i++) add_name(&n, rows->at[i].part);
    return n;
}

// Notes of the rows of one table.
static names notes_of(const bench_rows* rows, const char* part) {
    names n = {.count = 0};
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        for (int k = 0; k < row->note_count && strcmp(row->part, part) == 0; k++) {
            add_name(&n, row->notes[k].name);
        }
    }
    return n;
}

static void format_time(double us, char* text, size_t size) {
    snprintf(text, size, "-");
    if (isfinite(us)) bench_format_us(us, text, size);
}

static void format_note(double value, char* text, size_t size) {
    snprintf(text, size, "-");
    if (isfinite(value)) snprintf(text, size, "%.4g", value);
}

// ---- JSON -------------------------------------------------------------------------------------------

static void write_json(const bench_account* a, FILE* out) {
    json_writer w = bench_json_start(a->name, out);
    for (int i = 0; i < a->rows.count; i++) {
        jw_object_line(&w);
        bench_json_row(&w, &a->rows.at[i]);
        jw_object_end(&w);
    }
    jw_array_end(&w);
    jw_key(&w, "ratios");
    jw_object(&w);
    for (int i = 0; i < a->ratio_count; i++) {
        jw_key(&w, a->ratios[i].name);
        jw_number(&w, a->ratios[i].value);
    }
    jw_object_end(&w);
    bench_json_end(&w);
}

// ---- text -------------------------------------------------------------------------------------------

static void print_part(const bench_account* a, const char* part) {
    const bench_rows* rows = &a->rows;
    names notes = notes_of(rows, part);
    char align[8 + COLUMNS_MOST] = "lrlrr", titles[512];
    snprintf(titles, sizeof titles, "case|%s|engine|median|smallest",
             a->count_of ? a->count_of : "joints");
    for (int k = 0; k < notes.count; k++) {
        size_t length = strlen(titles);
        snprintf(titles + length, sizeof titles - length, "|%s", notes.at[k]);
        align[5 + k] = 'r';
    }
    table* t = table_create(align, titles);
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        char text[32];
        if (strcmp(row->part, part) != 0) continue;
        table_cell(t, "%s", row->line);
        table_cell(t, "%d", row->n);
        table_cell(t, "%s", row->engine);
        format_time(row->median_us, text, sizeof text);
        table_cell(t, "%s", text);
        format_time(row->min_us, text, sizeof text);
        table_cell(t, "%s", text);
        for (int k = 0; k < notes.count; k++) {
            format_note(bench_note_find(row, notes.at[k]), text, sizeof text);
            table_cell(t, "%s", text);
        }
    }
    printf("%s\n", part);
    table_print(t, 2, stdout);
    printf("\n");
}

static void print_text(const bench_account* a) {
    machine m = machine_ask();
    names parts = parts_of(&a->rows);
    printf("%s, on %s, %d cores, %s.\n%s\n", a->heading, m.cpu, m.cores, m.compiler,
           a->print_rows ? "" : "Times in microseconds.\n");
    if (a->print_rows) a->print_rows(&a->rows);
    for (int i = 0; i < parts.count && !a->print_rows; i++) print_part(a, parts.at[i]);
    bench_print_troubles(&a->rows);
    table* t = table_create("lr", "ratio|");
    for (int i = 0; i < a->ratio_count; i++) {
        char text[32];
        format_note(a->ratios[i].value, text, sizeof text);
        table_pair(t, a->ratios[i].name, "%s", text);
    }
    table_print(t, 0, stdout);
    printf("\n");
    bench_sentences_print(&a->sentences);
}

// ---- the page ---------------------------------------------------------------------------------------

static void write_part(const bench_account* a, const char* part, FILE* out) {
    const bench_rows* rows = &a->rows;
    names notes = notes_of(rows, part);
    bench_page_element(out, "<h2>", part, "</h2>\n");
    fputs("<div class=\"wide\"><table>\n<thead><tr><th class=\"name\">case</th>", out);
    bench_page_element(out, "<th>", a->count_of ? a->count_of : "joints", "</th>");
    fputs("<th class=\"name\">engine</th><th>median [us]</th><th>smallest [us]</th>", out);
    for (int k = 0; k < notes.count; k++) {
        bench_page_element(out, "<th>", notes.at[k], "</th>");
    }
    fputs("<th class=\"name\">remark</th></tr></thead>\n<tbody>\n", out);
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        char median[32], smallest[32], note[32];
        if (strcmp(row->part, part) != 0) continue;
        format_time(row->median_us, median, sizeof median);
        format_time(row->min_us, smallest, sizeof smallest);
        bench_page_element(out, "<tr><th scope=\"row\">", row->line, "</th>");
        fprintf(out, "<td>%d</td>", row->n);
        bench_page_element(out, "<td class=\"name\">", row->engine, "</td>");
        fprintf(out, "<td>%s</td><td>%s</td>", median, smallest);
        for (int k = 0; k < notes.count; k++) {
            format_note(bench_note_find(row, notes.at[k]), note, sizeof note);
            fprintf(out, "<td>%s</td>", note);
        }
        bench_page_element(out, "<td class=\"name\">", row->trouble, "</td></tr>\n");
    }
    fputs("</tbody></table></div>\n", out);
}

static void write_page(const bench_account* a, FILE* out) {
    char title[64];
    names parts = parts_of(&a->rows);
    snprintf(title, sizeof title, "sinew bench %s", a->name);
    bench_page_start(out, title, a->heading, &a->sentences);
    for (int i = 0; i < a->chart_count; i++) {
        bench_page_element(out, "<figure role=\"img\" aria-label=\"", a->charts[i].caption,
                           "\">\n");
        a->charts[i].draw(&a->rows, true, out);
        bench_page_element(out, "<figcaption>", a->charts[i].caption, "</figcaption>\n</figure>\n");
    }
    for (int i = 0; i < parts.count; i++) write_part(a, parts.at[i], out);
    fputs("<h2>How it was measured</h2>\n<ul>\n", out);
    for (int i = 0; a->method[i]; i++) {
        bench_page_element(out, "<li>", a->method[i], "</li>\n");
    }
    fputs("</ul>\n", out);
    bench_page_end(out);
}

// Writes one file of the report: the page, the data, or chart number `chart`.
static bool write_file(const bench_account* a, const char* folder, const char* name, int chart) {
    output_file file;
    char* path = memory_text("%s/%s", folder, name);
    bool good = output_open(&file, path);
    free(path);
    if (!good) return false;
    if (chart >= 0) {
        good = a->charts[chart].draw(&a->rows, false, file.stream);
    } else if (strcmp(name, "report.json") == 0) {
        write_json(a, file.stream);
    } else {
        write_page(a, file.stream);
    }
    if (good) return output_commit(&file);
    output_discard(&file); // nothing to draw
    return true;
}

static bool write_report(const bench_account* a, const char* folder) {
    bool good =
        write_file(a, folder, "report.html", -1) && write_file(a, folder, "report.json", -1);
    for (int i = 0; i < a->chart_count && good; i++) {
        good = write_file(a, folder, a->charts[i].file, i);
    }
    return good;
}

int bench_account_show(const bench_account* account, const bench_options* options) {
    if (options->json) {
        write_json(account, stdout);
    } else {
        print_text(account);
    }
    int status = STATUS_DONE;
    for (int i = 0; i < account->rows.count; i++) {
        const bench_row* row = &account->rows.at[i];
        if (!row->disagrees) continue;
        message_error("%s: %s disagrees on qdd, by %.2g of its size; its times mean nothing",
                      row->line, row->engine, row->agree);
        status = STATUS_FAILED;
    }
    if (options->report && !write_report(account, options->report)) status = STATUS_FAILED;
    return status;
}

void bench_curve_add(bench_curve* c, double x, double y) {
    if (c->count == BENCH_CURVE_MOST || !isfinite(y)) return;
    c->x[c->count] = x;
    c->y[c->count++] = y;
}
