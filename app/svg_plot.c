// SPDX-License-Identifier: Apache-2.0
#include "svg_plot.h"

#include <math.h>
#include <string.h>

#include "markup.h"
#include "svg_axis.h"

// Layout on paper, in SVG units (pixels at scale 1).
enum {
    WIDTH = 880,
    LEFT = 84,          // of the drawing area
    RIGHT = WIDTH - 28, // of the drawing area
    TITLE_HEIGHT = 62,
    PANEL_HEIGHT = 320,
    LEGEND_ROW = 20,
    LEGEND_GAP = 16, // below the last row
    PANEL_FOOT = 54, // tick labels and x label
    BUCKETS = 450,   // a long series is drawn as first, least, greatest, last of each bucket
    MARKS = 7        // markers on a long line, to tell it from others without colour
};

// Colours that colour-blind readers can tell apart (Okabe and Ito), dark ones first.
static const char* const COLOURS[PLOT_SERIES_MOST] = {"#0072b2", "#d55e00", "#009e73", "#aa4499",
                                                      "#b8860b", "#332288", "#56b4e9", "#555555"};
static const char* const DASHES[PLOT_SERIES_MOST] = {"none", "9 4",  "3 3",      "12 3 3 3",
                                                     "6 3",  "none", "14 4 5 4", "2 4"};

static const double START_AT_ZERO = 0.02; // an axis that starts this near to zero starts at zero

static void write_text(FILE* out, double x, double y, const char* style, const char* text) {
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, style);
    markup_write(out, text);
    fputs("</text>\n", out);
}

void plot_add_series(plot_panel* panel, const char* name, const double* x, const double* y,
                     int count, bool markers) {
    if (panel->series_count == PLOT_SERIES_MOST) return;
    panel->series[panel->series_count++] = (plot_series){name, x, y, count, markers};
}

// A marker of the series' own shape: disc, square, triangle, diamond, and the same hollow.
static void write_marker(FILE* out, int kind, double x, double y) {
    const char* fill = kind < 4 ? COLOURS[kind] : "white";
    switch (kind % 4) {
    case 0: fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.6\"", x, y); break;
    case 1:
        fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"6.6\" height=\"6.6\"", x - 3.3, y - 3.3);
        break;
    case 2: fprintf(out, "<path d=\"M%.1f %.1fl4.2 7.4h-8.4z\"", x, y - 4.6); break;
    default: fprintf(out, "<path d=\"M%.1f %.1fl4.4 4.4l-4.4 4.4l-4.4 -4.4z\"", x, y - 4.4); break;
    }
    fprintf(out, " fill=\"%s\" stroke=\"%s\" stroke-width=\"1.4\"/>\n", fill, COLOURS[kind]);
}

static bool drawable(const plot_panel* panel, double x, double y) {
    return isfinite(x) && isfinite(y) && !(panel->x_log && x <= 0) && !(panel->y_log && y <= 0);
}

static void grow(double value, double* low, double* high) {
    if (!(*low <= value)) *low = value;
    if (!(*high >= value)) *high = value;
}

static void find_ranges(const plot_panel* panel, svg_axis* x_axis, svg_axis* y_axis) {
    double x_low = NAN, x_high = NAN, y_low = NAN, y_high = NAN;
    for (int s = 0; s < panel->series_count; s++) {
        const plot_series* series = &panel->series[s];
        for (int i = 0; i < series->count; i++) {
            if (!drawable(panel, series->x[i], series->y[i])) continue;
            grow(series->x[i], &x_low, &x_high);
            grow(series->y[i], &y_low, &y_high);
        }
    }
    if (panel->mark_label) grow(panel->mark, &y_low, &y_high);
    if (!panel->x_log && x_low > 0 && x_low < START_AT_ZERO * x_high) x_low = 0;
    bool fixed = panel->y_low < panel->y_high;
    if (fixed) y_low = panel->y_low, y_high = panel->y_high;
    *x_axis = svg_axis_make(x_low, x_high, panel->x_log, false, 8);
    *y_axis = svg_axis_make(y_low, y_high, panel->y_log, !fixed, 6);
}

static void write_axes(const plot_panel* panel, const svg_axis* x, const svg_axis* y, FILE* out) {
    char label[32];
    for (int i = 0; i < y->tick_count; i++) {
        double at = svg_axis_place(y, y->ticks[i]);
        fprintf(out, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n", LEFT,
                at, RIGHT, at);
        svg_axis_label(y, y->ticks[i], label, sizeof label);
        write_text(out, LEFT - 8, at + 4, "class=\"tick\" text-anchor=\"end\"", label);
    }
    for (int i = 0; i < x->tick_count; i++) {
        double at = svg_axis_place(x, x->ticks[i]);
        fprintf(out, "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", at,
                y->from, at, y->to);
        svg_axis_label(x, x->ticks[i], label, sizeof label);
        write_text(out, at, y->from + 18, "class=\"tick\" text-anchor=\"middle\"", label);
    }
    fprintf(out, "<rect class=\"frame\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>\n", LEFT,
            y->to, RIGHT - LEFT, y->from - y->to);
    write_text(out, 0.5 * (LEFT + RIGHT), y->from + 40, "class=\"label\" text-anchor=\"middle\"",
               panel->x_label);
    char style[120];
    double middle = 0.5 * (y->from + y->to);
    snprintf(style, sizeof style,
             "class=\"label\" text-anchor=\"middle\" transform=\"rotate(-90 20 %.1f)\"", middle);
    write_text(out, 20, middle, style, panel->y_label);
}

static void write_point(FILE* out, const svg_axis* x, const svg_axis* y, double px, double py,
                        bool* pen_down) {
    static const double FAR = 1e5; // beyond the paper; SVG readers dislike huge numbers
    double at_x = svg_axis_place(x, px), at_y = svg_axis_place(y, py);
    if (at_y > FAR) at_y = FAR;
    if (at_y < -FAR) at_y = -FAR;
    fprintf(out, "%c%.1f %.1f", *pen_down ? 'L' : 'M', at_x, at_y);
    *pen_down = true;
}

// One bucket of a long series: its first, least, greatest and last point, in order.
static void write_bucket(FILE* out, const plot_panel* panel, const plot_series* s, int from, int to,
                         const svg_axis* x, const svg_axis* y, bool* pen_down) {
    int keep[4] = {-1, -1, -1, -1}; // first, least, greatest, last
    for (int i = from; i < to; i++) {
        if (!drawable(panel, s->x[i], s->y[i])) continue;
        if (keep[0] < 0) keep[0] = keep[1] = keep[2] = i;
        if (s->y[i] < s->y[keep[1]]) keep[1] = i;
        if (s->y[i] > s->y[keep[2]]) keep[2] = i;
        keep[3] = i;
    }
    if (keep[0] < 0) {
        *pen_down = false;
        return;
    }
    if (keep[1] > keep[2]) {
        int swap = keep[1];
        keep[1] = keep[2];
        keep[2] = swap;
    }
    for (int k = 0; k < 4; k++) {
        if (k > 0 && keep[k] == keep[k - 1]) continue;
        write_point(out, x, y, s->x[keep[k]], s->y[keep[k]], pen_down);
    }
}

static void write_line(FILE* out, const plot_panel* panel, int kind, const svg_axis* x,
                       const svg_axis* y) {
    const plot_series* s = &panel->series[kind];
    int buckets = s->count > BUCKETS * 4 ? BUCKETS : s->count;
    bool pen_down = false;
    fprintf(out, "<path class=\"line\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"", COLOURS[kind],
            DASHES[kind]);
    for (int b = 0; b < buckets; b++) {
        int from = (int)((long long)s->count * b / buckets);
        int to = (int)((long long)s->count * (b + 1) / buckets);
        write_bucket(out, panel, s, from, to, x, y, &pen_down);
    }
    fputs("\"/>\n", out);
}

static void write_markers(FILE* out, const plot_panel* panel, int kind, const svg_axis* x,
                          const svg_axis* y) {
    const plot_series* s = &panel->series[kind];
    int marks = s->markers ? s->count : panel->series_count > 1 ? MARKS : 0;
    for (int m = 0; m < marks && s->count > 0; m++) {
        // sparse markers of different lines are shifted against each other
        double share = (m + 0.15 + 0.7 * kind / PLOT_SERIES_MOST) / marks;
        int i = s->markers ? m : (int)(share * (s->count - 1));
        if (!drawable(panel, s->x[i], s->y[i])) continue;
        double at_y = svg_axis_place(y, s->y[i]);
        if (at_y > y->from + 1 || at_y < y->to - 1) continue;
        write_marker(out, kind, svg_axis_place(x, s->x[i]), at_y);
    }
}

// Writes the legend from height y on, in as many rows as it needs; the height of the last row.
static double write_legend(FILE* out, const plot_panel* panel, double y) {
    double x = LEFT;
    for (int s = 0; s < panel->series_count; s++) {
        double width = 46 + 7.0 * (double)strlen(panel->series[s].name) + 18;
        if (s > 0 && x + width > RIGHT) x = LEFT, y += LEGEND_ROW;
        fprintf(
            out,
            "<line class=\"line\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
            "stroke-dasharray=\"%s\"/>\n",
            x, y - 4, x + 38, y - 4, COLOURS[s], DASHES[s]);
        write_marker(out, s, x + 19, y - 4);
        write_text(out, x + 46, y, "class=\"key\"", panel->series[s].name);
        x += width;
    }
    if (panel->mark_label) {
        if (x + 46 + 7.0 * (double)strlen(panel->mark_label) > RIGHT) x = LEFT, y += LEGEND_ROW;
        fprintf(out, "<line class=\"mark\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x,
                y - 4, x + 38, y - 4);
        write_text(out, x + 46, y, "class=\"key\"", panel->mark_label);
    }
    return y;
}

static void write_panel(FILE* out, const plot_panel* panel, int index) {
    double top = TITLE_HEIGHT + (double)index * PANEL_HEIGHT;
    svg_axis x, y;
    find_ranges(panel, &x, &y);
    x.from = LEFT, x.to = RIGHT;
    write_text(out, LEFT, top + 18, "class=\"panel\"", panel->title);
    y.from = top + PANEL_HEIGHT - PANEL_FOOT;
    y.to = write_legend(out, panel, top + 42) + LEGEND_GAP;
    write_axes(panel, &x, &y, out);
    fprintf(out,
            "<clipPath id=\"clip%d\"><rect x=\"%d\" y=\"%.1f\" width=\"%d\" "
            "height=\"%.1f\"/></clipPath>\n"
            "<g clip-path=\"url(#clip%d)\">\n",
            index, LEFT, y.to, RIGHT - LEFT, y.from - y.to, index);
    for (int s = 0; s < panel->series_count; s++) write_line(out, panel, s, &x, &y);
    fputs("</g>\n", out);
    if (panel->mark_label) {
        double at = svg_axis_place(&y, panel->mark);
        fprintf(out, "<line class=\"mark\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n", LEFT,
                at, RIGHT, at);
    }
    for (int s = 0; s < panel->series_count; s++) write_markers(out, panel, s, &x, &y);
}

void svg_plot_write(const plot* p, FILE* out) {
    int height = TITLE_HEIGHT + p->panel_count * PANEL_HEIGHT + 8;
    if (!p->inside) fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n",
            WIDTH, height, WIDTH, height);
    fputs("<style>\n"
          ".grid{stroke:#e3e3e3;stroke-width:1}\n"
          ".frame{fill:none;stroke:#777;stroke-width:1}\n"
          ".line{fill:none;stroke-width:1.8;stroke-linejoin:round}\n"
          ".mark{stroke:#333;stroke-width:1.2;stroke-dasharray:2 3}\n"
          ".title{font-size:19px;font-weight:bold;fill:#111}\n"
          ".subtitle{font-size:13px;fill:#555}\n"
          ".panel{font-size:15px;font-weight:bold;fill:#222}\n"
          ".label{font-size:13px;fill:#222}\n"
          ".key{font-size:13px;fill:#222}\n"
          ".tick{font-size:12px;fill:#444}\n"
          "</style>\n",
          out);
    fprintf(out, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", WIDTH, height);
    write_text(out, LEFT, 28, "class=\"title\"", p->title);
    if (p->subtitle) write_text(out, LEFT, 48, "class=\"subtitle\"", p->subtitle);
    for (int i = 0; i < p->panel_count; i++) write_panel(out, &p->panels[i], i);
    fputs("</svg>\n", out);
}
