// SPDX-License-Identifier: Apache-2.0
#include "bench_charts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_line.h"
#include "bench_print.h"
#include "memory.h"
#include "svg_bars.h"
#include "svg_plot.h"

static const double TOP_NS = 1e4; // of the chart of joints; what costs more leaves it

typedef struct curve {
    double x[BENCH_LINES_MOST], y[BENCH_LINES_MOST];
    int count;
} curve;

// Puts a point where it belongs by x.
static void add_point(curve* c, double x, double y) {
    int at = c->count;
    if (at == BENCH_LINES_MOST) return;
    for (; at > 0 && c->x[at - 1] > x; at--) c->x[at] = c->x[at - 1], c->y[at] = c->y[at - 1];
    c->x[at] = x, c->y[at] = y;
    c->count += 1;
}

// Time per joint of one engine on the models of one shape.
static curve trace(const bench_rows* rows, const char* shape, const char* engine) {
    curve c = {.count = 0};
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        if (strncmp(row->line, shape, strlen(shape)) != 0 || strcmp(row->engine, engine) != 0)
            continue;
        if (isfinite(row->median_us)) add_point(&c, row->n, bench_ns_per_joint(row));
    }
    return c;
}

// Shows all but the most expensive points.
static void set_range(plot_panel* panel) {
    double low = INFINITY, high = 0;
    for (int s = 0; s < panel->series_count; s++) {
        const plot_series* series = &panel->series[s];
        for (int i = 0; i < series->count; i++) {
            low = fmin(low, series->y[i]);
            high = fmax(high, series->y[i]);
        }
    }
    panel->y_low = 0.6 * low;
    panel->y_high = fmin(1.5 * high, TOP_NS);
}

static void add_panel(plot* p, const bench_rows* rows, const char* shape, const char* title,
                      curve* curves) {
    const char* engines[BENCH_ENGINES_MOST];
    int count = bench_rows_engines(rows, engines, BENCH_ENGINES_MOST);
    plot_panel* panel = &p->panels[p->panel_count];
    *panel = (plot_panel){.title = title, .x_label = "joints", .y_label = "time per joint [ns]"};
    panel->x_log = panel->y_log = true;
    bool any = false;
    for (int e = 0; e < count && panel->series_count < PLOT_SERIES_MOST; e++) {
        if (strcmp(engines[e], BENCH_OUR_BATCH) == 0) continue; // on too few lines for a curve
        curve* c = &curves[panel->series_count];
        *c = trace(rows, shape, engines[e]);
        any = any || c->count > 0;
        // An empty one keeps its place: an engine looks the same in all panels.
        plot_add_series(panel, engines[e], c->x, c->y, c->count, true);
    }
    set_range(panel);
    p->panel_count += any;
}

bool bench_chart_joints(const bench_rows* rows, bool inside, FILE* out) {
    curve* curves = memory_take(2 * PLOT_SERIES_MOST, sizeof *curves);
    plot p = {.title = "Forward dynamics: what a joint costs", .inside = inside};
    p.subtitle = "(q, v, tau) -> qdd with kinematics, one core; medians; both axes logarithmic";
    add_panel(&p, rows, "chain", "Chains", curves);
    add_panel(&p, rows, "tree", "Binary trees", curves + PLOT_SERIES_MOST);
    if (p.panel_count > 0) svg_plot_write(&p, out);
    free(curves);
    return p.panel_count > 0;
}

static void add_group(bar_chart* chart, const bench_rows* rows, const char* line) {
    const bench_row* ours = bench_rows_find(rows, line, BENCH_OURS);
    if (!ours || chart->group_count == BAR_GROUPS_MOST) return;
    bar_group* group = &chart->groups[chart->group_count++];
    *group = (bar_group){.count = 0};
    snprintf(group->title, sizeof group->title, "%s, %d joints, %d degrees of freedom", line,
             ours->n, ours->dof);
    for (int i = 0; i < rows->count && group->count < BARS_MOST; i++) {
        const bench_row* row = &rows->at[i];
        if (strcmp(row->line, line) != 0 || !isfinite(row->median_us)) continue;
        bar* b = &group->bars[group->count++];
        char time[24];
        bench_format_us(row->median_us, time, sizeof time);
        *b = (bar){.name = row->engine, .value = row->median_us, .solid = row == ours};
        if (row == ours) {
            snprintf(b->text, sizeof b->text, "%s us", time);
        } else {
            snprintf(b->text, sizeof b->text, "%s us, %.2fx", time,
                     row->median_us / ours->median_us);
        }
    }
}

static int compare_bars(const void* a, const void* b) {
    double x = ((const bar*)a)->value, y = ((const bar*)b)->value;
    return (x > y) - (x < y);
}

bool bench_chart_robots(const bench_rows* rows, bool inside, FILE* out) {
    bar_chart* chart = memory_take(1, sizeof *chart);
    chart->title = "Forward dynamics of robots";
    chart->subtitle = "time of one state, median; behind it how many times that of sinew:aba";
    chart->inside = inside;
    for (int i = 0; bench_line_at(i); i++) {
        if (bench_line_at(i)->flags & LINE_ROBOT) add_group(chart, rows, bench_line_at(i)->name);
    }
    for (int g = 0; g < chart->group_count; g++) {
        bar_group* group = &chart->groups[g];
        qsort(group->bars, (size_t)group->count, sizeof group->bars[0], compare_bars);
    }
    bool any = chart->group_count > 0;
    if (any) svg_bars_write(chart, out);
    free(chart);
    return any;
}
