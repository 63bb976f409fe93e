// SPDX-License-Identifier: Apache-2.0
#include "svg_polar.h"

#include <math.h>
#include <stdbool.h>

#include "markup.h"
#include "svg_axis.h"

enum { WIDTH = 640, HEIGHT = 700, TOP = 70, MARGIN = 60, LEGEND = 70 };
static const double X0 = WIDTH / 2.0, Y0 = TOP + (HEIGHT - TOP - LEGEND) / 2.0;
static const double REACH = (WIDTH - 2.0 * MARGIN) / 2;
static const char* const COLOURS[POLAR_SERIES_MOST] = {"#0b5fa5", "#b3541e", "#2f7d32", "#6b3fa0"};
static const char* const DASHES[POLAR_SERIES_MOST] = {"", "7 4", "2 3", "9 3 2 3"};

static void text_at(FILE* out, double x, double y, const char* attributes, const char* text) {
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
    markup_write(out, text);
    fputs("</text>\n", out);
}

// Ahead is up on the paper, left is left.
static double paper_x(const svg_axis* r, double angle, double radius) {
    return X0 - (svg_axis_place(r, radius) - svg_axis_place(r, 0)) * sin(angle);
}
static double paper_y(const svg_axis* r, double angle, double radius) {
    return Y0 - (svg_axis_place(r, radius) - svg_axis_place(r, 0)) * cos(angle);
}

static void write_rings(const polar* p, const svg_axis* r, FILE* out) {
    static const double FARTHEST = 1.06;
    for (int i = 0; i < r->tick_count; i++) {
        if (!(r->ticks[i] > 0)) continue;
        char label[32];
        fprintf(out, "<circle class=\"grid\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", X0, Y0,
                svg_axis_place(r, r->ticks[i]) - svg_axis_place(r, 0));
        svg_axis_label(r, r->ticks[i], label, sizeof label);
        text_at(out, paper_x(r, -0.35, r->ticks[i]) + 3, paper_y(r, -0.35, r->ticks[i]) - 3,
                "class=\"tick\"", label);
    }
    for (int i = 0; i < 12; i++) {
        double angle = i * M_PI / 6;
        fprintf(out, "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", X0,
                Y0, paper_x(r, angle, r->high), paper_y(r, angle, r->high));
    }
    for (int i = 0; i < 4; i++)
        text_at(out, paper_x(r, i * M_PI / 2, FARTHEST * r->high),
                paper_y(r, i * M_PI / 2, FARTHEST * r->high) + 4,
                i == 1   ? "class=\"side\" text-anchor=\"end\""
                : i == 3 ? "class=\"side\""
                         : "class=\"side\" text-anchor=\"middle\"",
                p->sides[i]);
}

static void write_series(const polar* p, const svg_axis* r, FILE* out) {
    for (int s = 0; s < p->series_count; s++) {
        const polar_series* c = &p->series[s];
        fprintf(out,
                "<polygon fill=\"%s\" fill-opacity=\"0.08\" stroke=\"%s\" stroke-width=\"2\" "
                "stroke-dasharray=\"%s\" points=\"",
                COLOURS[s], COLOURS[s], DASHES[s]);
        for (int i = 0; i < c->count; i++)
            fprintf(out, "%.1f,%.1f ", paper_x(r, c->angle[i], c->radius[i]),
                    paper_y(r, c->angle[i], c->radius[i]));
        fputs("\"/>\n", out);
        for (int i = 0; i < c->count; i++)
            fprintf(out, "<circle fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>\n", COLOURS[s],
                    paper_x(r, c->angle[i], c->radius[i]), paper_y(r, c->angle[i], c->radius[i]));
    }
}

static void write_legend(const polar* p, FILE* out) {
    double y = HEIGHT - LEGEND + 24;
    for (int s = 0; s <= p->series_count; s++) {
        bool mark = s == p->series_count;
        const char* name = mark ? p->mark_label : p->series[s].name;
        if (!name) continue;
        fprintf(out,
                "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\" "
                "stroke-width=\"2\" stroke-dasharray=\"%s\"/>\n",
                MARGIN, y - 4, MARGIN + 38, y - 4, mark ? "#333" : COLOURS[s],
                mark ? "2 3" : DASHES[s]);
        text_at(out, MARGIN + 46, y, "class=\"key\"", name);
        y += 20;
    }
}

void svg_polar_write(const polar* p, FILE* out) {
    double most = p->mark_label ? p->mark : 0;
    for (int s = 0; s < p->series_count; s++)
        for (int i = 0; i < p->series[s].count; i++) most = fmax(most, p->series[s].radius[i]);
    svg_axis r = svg_axis_make(0, most, false, true, 5);
    r.from = 0, r.to = REACH;
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
            "<style>.grid{fill:none;stroke:#ddd}.title{font-size:19px;font-weight:bold;fill:#111}"
            ".subtitle{font-size:13px;fill:#555}.side{font-size:14px;font-weight:bold;fill:#222}"
            ".key{font-size:13px;fill:#222}.tick{font-size:12px;fill:#444}</style>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    text_at(out, 20, 28, "class=\"title\"", p->title);
    if (p->subtitle) text_at(out, 20, 48, "class=\"subtitle\"", p->subtitle);
    write_rings(p, &r, out);
    if (p->mark_label)
        fprintf(out,
                "<circle fill=\"none\" stroke=\"#333\" stroke-width=\"1.5\" "
                "stroke-dasharray=\"2 3\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n",
                X0, Y0, svg_axis_place(&r, p->mark) - svg_axis_place(&r, 0));
    write_series(p, &r, out);
    text_at(out, X0 + 4, Y0 - 4, "class=\"tick\"", p->unit);
    write_legend(p, out);
    fputs("</svg>\n", out);
}
