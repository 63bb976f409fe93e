// SPDX-License-Identifier: Apache-2.0
#include "svg_scene.h"

#include <math.h>

#include "markup.h"
#include "svg_view.h"

// Layout on paper, in SVG units (pixels at scale 1).
enum {
    MARGIN = 36,
    WIDTH = 880,
    VIEW_HEIGHT_MOST = 460,
    CAPTION = 26, // above a view
    LEGEND_ROW = 22,
    LEGEND_COLUMN = 264,
    GROUPS_MOST = 12 // in the legend
};

static void write_text(FILE* out, double x, double y, const char* class, const char* text) {
    fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
    markup_write(out, text);
    fputs("</text>\n", out);
}

// ---- views -----------------------------------------------------------------------------------------

static double largest_force(const scene_picture* p) {
    double most = 0;
    for (int i = 0; i < p->contact_count; i++) {
        most = fmax(most, sn_vec3_norm(p->contacts[i].force));
    }
    return most;
}

// Both views, at one scale, without places on the paper; false when there is nothing to draw.
static bool arrange(const scene_picture* p, FILE* out, view* side, view* above) {
    view_frame frame = {0};
    if (!view_frame_include(&frame, p)) return false;
    *side = view_from_side(&frame, WIDTH - 2.0 * MARGIN, VIEW_HEIGHT_MOST);
    if (!isfinite(side->scale) || !(side->scale > 0)) return false;
    side->p = p;
    side->out = out;
    side->x = MARGIN;
    side->force = largest_force(p);
    *above = view_from_above(&frame, side);
    above->number = 1;
    return true;
}

// ---- legend ----------------------------------------------------------------------------------------

static double write_groups(const scene_picture* p, FILE* out, double y, bool dry) {
    int shown = p->group_count < GROUPS_MOST ? p->group_count : GROUPS_MOST;
    int columns = (WIDTH - 2 * MARGIN) / LEGEND_COLUMN;
    for (int i = 0; i < shown && !dry; i++) {
        const scene_group* g = &p->groups[i];
        double x = MARGIN + LEGEND_COLUMN * (i % columns), at = y + LEGEND_ROW * (i / columns);
        fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"22\" height=\"14\" ", x, at);
        view_write_class(out, p, i);
        fprintf(
            out,
            "/>\n<text class=\"key\" x=\"%.1f\" y=\"%.1f\">%d: %d bod%s, %d contact%s%s</text>\n",
            x + 30, at + 11.5, i + 1, g->bodies, g->bodies == 1 ? "y" : "ies", g->contacts,
            g->contacts == 1 ? "" : "s", g->asleep ? ", asleep" : "");
    }
    y += LEGEND_ROW * ((shown + columns - 1) / columns);
    if (shown == p->group_count) return y;
    if (!dry) {
        fprintf(out, "<text class=\"key\" x=\"%d\" y=\"%.1f\">and %d more groups</text>\n", MARGIN,
                y + 11.5, p->group_count - shown);
    }
    return y + LEGEND_ROW;
}

// A length with one digit, 1, 2 or 5, of about `wanted`.
static double round_length(double wanted) {
    double ten = pow(10, floor(log10(wanted)));
    return wanted / ten >= 5 ? 5 * ten : wanted / ten >= 2 ? 2 * ten : ten;
}

static double write_marks(const view* v, double y, bool dry) {
    double length = round_length(140 / v->scale), width = v->scale * length;
    if (dry) return y + LEGEND_ROW;
    FILE* out = v->out;
    const sn_units* u = v->p->units;
    double at = y + 8, x = MARGIN;
    fprintf(out, "<path class=\"bar\" d=\"M%.1f %.1fv8m0 -4h%.1fm0 -4v8\"/>\n", x, at - 4, width);
    fprintf(out, "<text class=\"key\" x=\"%.1f\" y=\"%.1f\">%g %s</text>\n", x + width + 8, at + 4,
            length, u->length.shown);
    if (v->p->contact_count == 0) return y + LEGEND_ROW;
    x = MARGIN + LEGEND_COLUMN;
    fprintf(out,
            "<path class=\"normal\" d=\"M%.1f %.1fh11\"/><circle class=\"point\" cx=\"%.1f\" "
            "cy=\"%.1f\" r=\"2.1\"/>\n",
            x, at, x, at);
    write_text(out, x + 18, at + 4, "key", "contact with its normal");
    x += LEGEND_COLUMN;
    view_write_arrow(out, x, at, x + 46, at);
    fprintf(out, "<text class=\"key\" x=\"%.1f\" y=\"%.1f\">force, so long: %.3g %s</text>\n",
            x + 54, at + 4, u->force.factor * v->force, u->force.shown);
    return y + LEGEND_ROW;
}

// ---- the page --------------------------------------------------------------------------------------

static const char STYLE[] = "<style>\n"
                            ".title{font-size:19px;font-weight:bold;fill:#111}\n"
                            ".subtitle{font-size:13px;fill:#444}\n"
                            ".key{font-size:13px;fill:#222}\n"
                            ".bar{fill:none;stroke:#222;stroke-width:1.6}\n"
                            "</style>\n";

void svg_scene_write(const scene_picture* p, FILE* out) {
    view side, above;
    int lines = 0;
    while (lines < SCENE_LINES_MOST && p->lines[lines]) lines += 1;
    bool drawn = arrange(p, out, &side, &above);
    double legend = 48 + 18.0 * lines, views = write_groups(p, out, legend, true);
    if (drawn) {
        views = write_marks(&side, views, true) + CAPTION;
        side.y = views;
        above.y = side.y + view_height(&side) + CAPTION;
        views = above.y + view_height(&above);
    }
    double height = views + MARGIN;
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
            "viewBox=\"0 0 %d %.0f\" font-family=\"Helvetica, Arial, 'DejaVu Sans', "
            "sans-serif\">\n",
            WIDTH, height, WIDTH, height);
    fputs(STYLE, out);
    view_write_style(p, out);
    fprintf(out, "<rect width=\"%d\" height=\"%.0f\" fill=\"white\"/>\n", WIDTH, height);
    write_text(out, MARGIN, 30, "title", p->title);
    for (int i = 0; i < lines; i++) {
        write_text(out, MARGIN, 50 + 18.0 * i, "subtitle", p->lines[i]);
    }
    double y = write_groups(p, out, legend, false);
    if (drawn) {
        bool wide = side.right.x > 0.5;
        (void)write_marks(&side, y, false);
        write_text(out, MARGIN, side.y - 7, "key",
                   wide ? "from the side: x to the right, z up"
                        : "from the side: y to the right, z up");
        write_text(out, MARGIN, above.y - 7, "key",
                   wide ? "from above: x to the right, y up"
                        : "from above: y to the right, x down");
        view_write(&side);
        view_write(&above);
    }
    fputs("</svg>\n", out);
}
