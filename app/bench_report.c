// SPDX-License-Identifier: Apache-2.0
#include "bench_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_charts.h"
#include "bench_page.h"
#include "bench_print.h"
#include "memory.h"
#include "output_file.h"

static void write_figures(FILE* out, const bench_rows* rows) {
    fputs("<h2>Charts</h2>\n<figure role=\"img\" aria-label=\"time per joint against the number of "
          "joints\">\n",
          out);
    bench_chart_joints(rows, true, out);
    fputs("<figcaption>A flat line is a cost that grows with the number of joints; a rising one "
          "grows "
          "faster, and leaves the picture above 10000 ns. Engines are told apart by marker and "
          "dash.</figcaption>\n</figure>\n"
          "<figure role=\"img\" aria-label=\"time of one state on each robot\">\n",
          out);
    bench_chart_robots(rows, true, out);
    fputs("<figcaption>Shorter is faster; the scale starts at zero and is each robot's own. "
          "sinew:aba-batch is the time of one state among 64 that are computed together."
          "</figcaption>\n</figure>\n",
          out);
}

static void write_time_cell(FILE* out, const bench_row* row, const bench_row* ours) {
    char time[32];
    if (!row) {
        fputs("<td>-</td>", out);
        return;
    }
    bench_format_us(row->median_us, time, sizeof time);
    fprintf(out, row == ours ? "<td class=\"ours\">%s" : "<td>%s", time);
    if (row == ours) {
        fprintf(out, "<span class=\"by\">%.1f ns/joint</span>", bench_ns_per_joint(row));
    } else if (ours) {
        double ratio = row->median_us / ours->median_us;
        fprintf(out, "<span class=\"by%s\">%.*fx</span>", row->disagrees ? " bad" : "",
                ratio < 100 ? 2 : 0, ratio);
    }
    fputs("</td>", out);
}

static const bench_row* first_row(const bench_rows* rows, const char* line) {
    for (int i = 0; i < rows->count; i++) {
        if (strcmp(rows->at[i].line, line) == 0) return &rows->at[i];
    }
    return NULL;
}

static void write_times(FILE* out, const bench_rows* rows) {
    const char *engines[BENCH_ENGINES_MOST], *lines[BENCH_LINES_MOST];
    int engine_count = bench_rows_engines(rows, engines, BENCH_ENGINES_MOST);
    int line_count = bench_rows_lines(rows, lines, BENCH_LINES_MOST);
    fputs(
        "<h2>Times</h2>\n<p>Medians in microseconds; below them how many times that of sinew:aba. "
        "A dash: not measured.</p>\n"
        "<div class=\"wide\"><table>\n<thead><tr><th class=\"name\">line</th><th>joints</th>"
        "<th>DOF</th>",
        out);
    for (int e = 0; e < engine_count; e++) {
        bench_page_element(out, "<th scope=\"col\">", engines[e], "</th>");
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int i = 0; i < line_count; i++) {
        const bench_row* any = first_row(rows, lines[i]);
        bench_page_element(out, "<tr><th scope=\"row\">", lines[i], "</th>");
        fprintf(out, "<td>%d</td><td>%d</td>", any->n, any->dof);
        for (int e = 0; e < engine_count; e++) {
            write_time_cell(out, bench_rows_find(rows, lines[i], engines[e]),
                            bench_rows_find(rows, lines[i], BENCH_OURS));
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static void write_number(FILE* out, const char* format, double value) {
    char text[32] = "-";
    if (isfinite(value)) snprintf(text, sizeof text, "%.9g", value);
    if (isfinite(value) && strcmp(format, "e") == 0) snprintf(text, sizeof text, "%.1e", value);
    if (isfinite(value) && strcmp(format, "us") == 0) bench_format_us(value, text, sizeof text);
    fprintf(out, "<td>%s</td>", text);
}

static void write_rows(FILE* out, const bench_rows* rows) {
    fputs("<h2>All rows</h2>\n<details><summary>Every engine on every line, with the agreement of "
          "its "
          "accelerations</summary>\n<div class=\"wide\"><table>\n<thead><tr>"
          "<th class=\"name\">line</th><th class=\"name\">engine</th><th>median [us]</th>"
          "<th>min [us]</th><th>ns/joint</th><th>repetitions</th><th>difference of qdd</th>"
          "<th class=\"name\">remark</th></tr></thead>\n<tbody>\n",
          out);
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        bench_page_element(out, "<tr><td class=\"name\">", row->line, "</td>");
        bench_page_element(out, "<td class=\"name\">", row->engine, "</td>");
        write_number(out, "us", row->median_us);
        write_number(out, "us", row->min_us);
        write_number(out, "us", bench_ns_per_joint(row));
        fprintf(out, "<td>%ld</td>", row->reps);
        write_number(out, "e", row->agree);
        bench_page_element(out, "<td class=\"name\">", row->disagrees ? "disagrees" : row->trouble,
                           "</td></tr>\n");
    }
    fputs("</tbody></table></div></details>\n", out);
}

static void write_method(FILE* out) {
    fputs(
        "<h2>How it was measured</h2>\n<ul>\n"
        "<li>One evaluation takes q, v and tau and gives qdd: kinematics, bias forces and the "
        "articulated-body pass (or what an engine has instead) are all inside. Two states that "
        "differ by a hair take turns, so nothing can be kept from the evaluation before.</li>\n"
        "<li>Each repetition runs one engine some milliseconds; engines take turns, another one "
        "first each time. The median over the repetitions counts.</li>\n"
        "<li>Other engines run in helper programs that read the same model and state and time "
        "themselves; what the pipe costs is not in their figures. An engine that needs more than "
        "200 ms for one evaluation is given up.</li>\n"
        "<li>Before timing, every engine's qdd is compared with that of sinew:reference, the clear "
        "version: largest difference over largest acceleration, at most 1e-9 (CRBA and MuJoCo, "
        "which factor the joint-space inertia, 1e-6).</li>\n"
        "<li>chainN and treeN: N revolute joints with alternating axes, serial and balanced "
        "binary, "
        "fixed base. arm: 7 revolute joints and 2 sliding fingers. hrp2: humanoid with a free "
        "base. "
        "human: spherical joints and a free base.</li>\n</ul>\n",
        out);
}

static void write_page(FILE* out, const bench_rows* rows, const bench_ratios* ratios) {
    bench_sentences sentences = bench_say(rows, ratios);
    bench_page_start(out, "sinew bench dynamics", "Forward dynamics: (q, v, tau) to qdd",
                     &sentences);
    write_figures(out, rows);
    write_times(out, rows);
    write_rows(out, rows);
    write_method(out);
    bench_page_end(out);
}

// Writes one file of the report by `part`: 0 page, 1 data, 2 and 3 charts.
static bool write_file(const char* folder, const char* name, int part, const bench_rows* rows,
                       const bench_ratios* ratios) {
    output_file file;
    char* path = memory_text("%s/%s", folder, name);
    bool good = output_open(&file, path);
    free(path);
    if (!good) return false;
    switch (part) {
    case 0: write_page(file.stream, rows, ratios); break;
    case 1: bench_write_json("dynamics", rows, ratios, file.stream); break;
    case 2: good = bench_chart_joints(rows, false, file.stream); break;
    default: good = bench_chart_robots(rows, false, file.stream); break;
    }
    if (good) return output_commit(&file);
    output_discard(&file); // nothing to draw
    return true;
}

bool bench_report_write(const char* folder, const bench_rows* rows, const bench_ratios* ratios) {
    return write_file(folder, "report.html", 0, rows, ratios) &&
           write_file(folder, "report.json", 1, rows, ratios) &&
           write_file(folder, "joints.svg", 2, rows, ratios) &&
           write_file(folder, "robots.svg", 3, rows, ratios);
}
