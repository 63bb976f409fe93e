// SPDX-License-Identifier: Apache-2.0
/// The map as a picture: cells told apart by hatching, bounds by dashes, so that no colour is needed.
#include <math.h>

#include "markup.h"
#include "svg_axis.h"
#include "zwidth.h"

enum {
    LEFT = 70,
    TOP = 64,
    WIDTH = 480,
    HEIGHT = 320,
    LEGEND = 575,
    PAGE_WIDTH = 860,
    PAGE_HEIGHT = 445
};

typedef struct page {
    FILE* out;
    svg_axis x, y;
} page;

static void text(const page* p, double x, double y, const char* how, const char* words) {
    fprintf(p->out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, how);
    markup_write(p->out, words);
    fprintf(p->out, "</text>\n");
}

static void line(const page* p, double x1, double y1, double x2, double y2, const char* how) {
    fprintf(p->out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, y1, x2, y2,
            how);
}

static const char SWINGS[] = "url(#swings)", ACTIVE[] = "url(#active)";

static const char* fill_of(const zwidth_result* r) {
    return r->swings ? SWINGS : r->active ? ACTIVE : NULL;
}

// Cells of a kind that lie side by side are one rectangle.
static void draw_cells(const page* p, const zwidth_map* m) {
    double w = (double)WIDTH / ZWIDTH_COLUMNS, h = (double)HEIGHT / ZWIDTH_ROWS;
    for (int r = 0; r < ZWIDTH_ROWS; r++) {
        for (int c = 0, end; c < ZWIDTH_COLUMNS; c = end) {
            const char* fill = fill_of(&m->cell[r][c]);
            for (end = c + 1; end < ZWIDTH_COLUMNS && fill_of(&m->cell[r][end]) == fill;) end++;
            if (!fill) continue;
            fprintf(p->out,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                    LEFT + c * w, TOP + HEIGHT - (r + 1) * h, (end - c) * w, h, fill);
        }
    }
}

static void draw_axes(const page* p) {
    char words[32];
    fprintf(p->out,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#000\"/>\n",
            LEFT, TOP, WIDTH, HEIGHT);
    for (int i = 0; i < p->x.tick_count; i++) {
        double at = svg_axis_place(&p->x, p->x.ticks[i]);
        line(p, at, TOP + HEIGHT, at, TOP + HEIGHT + 5, "stroke=\"#000\"");
        svg_axis_label(&p->x, p->x.ticks[i], words, sizeof words);
        text(p, at, TOP + HEIGHT + 19, "text-anchor=\"middle\"", words);
    }
    for (int i = 0; i < p->y.tick_count; i++) {
        double at = svg_axis_place(&p->y, p->y.ticks[i]);
        line(p, LEFT - 5, at, LEFT, at, "stroke=\"#000\"");
        svg_axis_label(&p->y, p->y.ticks[i], words, sizeof words);
        text(p, LEFT - 9, at + 4, "text-anchor=\"end\"", words);
    }
    text(p, LEFT + 0.5 * WIDTH, TOP + HEIGHT + 40, "text-anchor=\"middle\"", "stiffness [N/m]");
    fprintf(p->out,
            "<text transform=\"translate(20 %.1f) rotate(-90)\" text-anchor=\"middle\">damping "
            "[N s/m]</text>\n",
            TOP + 0.5 * HEIGHT);
}

// K slowness + B = share of friction, within the map.
static void draw_bound(const page* p, const zwidth_map* m, double share, const char* how) {
    double budget = share * m->friction;
    double b1 = fmin(budget, m->damping_high), k1 = (budget - b1) / m->slowness;
    double k2 = fmin(budget / m->slowness, m->stiffness_high), b2 = budget - k2 * m->slowness;
    line(p, svg_axis_place(&p->x, k1), svg_axis_place(&p->y, b1), svg_axis_place(&p->x, k2),
         svg_axis_place(&p->y, b2), how);
}

static const char BOUND[] = "stroke=\"#0050b0\" stroke-width=\"3\"";
static const char MARGIN[] = "stroke=\"#0050b0\" stroke-width=\"2\" stroke-dasharray=\"9 5\"";
static const char ENCODER[] = "stroke=\"#b03000\" stroke-width=\"3\" stroke-dasharray=\"2 5\"";

static void draw_point(const page* p, double x, double y) {
    fprintf(p->out,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"7\" fill=\"#fff\" stroke=\"#000\" "
            "stroke-width=\"2\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n",
            x, y, x, y);
}

static void legend_cell(const page* p, double y, const char* fill, const char* words) {
    fprintf(p->out,
            "<rect x=\"%d\" y=\"%.1f\" width=\"26\" height=\"18\" fill=\"%s\" stroke=\"#000\"/>\n",
            LEGEND, y - 13, fill);
    text(p, LEGEND + 36, y, "", words);
}

static void legend_line(const page* p, double y, const char* how, const char* words) {
    line(p, LEGEND, y - 4, LEGEND + 26, y - 4, how);
    text(p, LEGEND + 36, y, "", words);
}

static void draw_legend(const page* p, const zwidth_map* m) {
    char words[80];
    legend_cell(p, TOP + 14, "#fff", "stable, no energy made");
    legend_cell(p, TOP + 42, ACTIVE, "makes energy, comes to rest");
    snprintf(words, sizeof words, "limit cycle above %g N", ZWIDTH_FELT);
    legend_cell(p, TOP + 70, SWINGS, words);
    legend_line(p, TOP + 106, BOUND, "passive below: K (T/2 + t) + B = b");
    legend_line(p, TOP + 132, MARGIN, "certified below: 80 % of that");
    if (m->encoder <= m->stiffness_high)
        legend_line(p, TOP + 158, ENCODER, "encoder: K = 2 f / step");
    draw_point(p, LEGEND + 13, TOP + 182);
    snprintf(words, sizeof words, "certified: %.4g N/m, %.3g N s/m", m->certified.stiffness,
             m->certified.damping);
    text(p, LEGEND + 36, TOP + 186, "", words);
}

void zwidth_draw(const zwidth_map* m, FILE* out) {
    page p = {.out = out,
              .x = svg_axis_make(0, m->stiffness_high, false, false, 6),
              .y = svg_axis_make(0, m->damping_high, false, false, 6)};
    char words[200];
    p.x.from = LEFT, p.x.to = LEFT + WIDTH;
    p.y.from = TOP + HEIGHT, p.y.to = TOP;
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n"
        "<defs><pattern id=\"active\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\">"
        "<rect width=\"7\" height=\"7\" fill=\"#f4efe0\"/><path d=\"M0 7L7 0\" stroke=\"#806000\"/>"
        "</pattern><pattern id=\"swings\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
        "<rect width=\"6\" height=\"6\" fill=\"#999\"/><path d=\"M0 0L6 6M0 6L6 0\" "
        "stroke=\"#333\"/></pattern></defs>\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
        PAGE_WIDTH, PAGE_HEIGHT, PAGE_WIDTH, PAGE_HEIGHT);
    snprintf(words, sizeof words, "What %s can render, hand %s", m->device, m->hand);
    text(&p, LEFT, 28, "font-size=\"18\"", words);
    snprintf(
        words, sizeof words, "%s; %g Hz; %.3g ms of delay beyond the device's own; no safety chain",
        m->task == ZWIDTH_WALL ? "a wall that is pressed" : "a grip that is let go off its middle",
        1 / m->period, 1e3 * m->delay);
    text(&p, LEFT, 48, "fill=\"#333\"", words);
    draw_cells(&p, m);
    draw_bound(&p, m, 1, BOUND);
    draw_bound(&p, m, 0.8, MARGIN);
    double encoder = svg_axis_place(&p.x, fmin(m->encoder, m->stiffness_high));
    if (m->encoder <= m->stiffness_high) line(&p, encoder, TOP, encoder, TOP + HEIGHT, ENCODER);
    draw_axes(&p);
    draw_point(&p, svg_axis_place(&p.x, m->certified.stiffness),
               svg_axis_place(&p.y, m->certified.damping));
    draw_legend(&p, m);
    fprintf(out, "</svg>\n");
}
