// SPDX-License-Identifier: Apache-2.0
#include "svg_view.h"

#include <math.h>
#include <stdlib.h>

#include "extent.h"
#include "markup.h"
#include "memory.h"

enum {
    DIRECTIONS = 72, // in which the outline of a shape is looked for
    DIRECTIONS_PLAIN = 24,
    CORNERS_MOST = 8,   // of a rectangle that a plane cuts
    NORMAL_LENGTH = 11, // SVG units
    FORCE_LENGTH = 46,  // of the largest force
    LABEL_LEAST = 15,   // smallest width of a shape that has a label
    ROOM = 46,          // around what is drawn, for arrows and ground
    HEIGHT_LEAST = 90   // of a view
};

static const double PI = 3.14159265358979323846;
static const double EDGE_ON = 1e-6; // a plane that is seen as a line: its normal lies in the paper
static const double FAR = 1.5;      // a floor this many heights below everything is not shown
static const double TINY = 1e-12;   // m: a scene as small as a point has a size all the same
static const double SMALL = 0.02;   // part of the largest force below which there is no arrow

static const char* const COLOURS[VIEW_COLOURS] = {"#56b4e9", "#e69f00", "#009e73", "#cc79a7",
                                                  "#f0e442", "#7f9fdf", "#d55e00", "#999999"};
static const char* const HATCHES[VIEW_HATCHES] = {
    "",
    "<path d=\"M0 8L8 0\"/>",
    "<path d=\"M0 4H8\"/>",
    "<path d=\"M0 0L8 8\"/>",
    "<circle cx=\"4\" cy=\"4\" r=\"1\"/>",
    "<path d=\"M0 4H8M4 0V8\"/>",
};

// ---- from the world to the paper -------------------------------------------------------------------

static double x_of(const view* v, sn_vec3 p) {
    return v->x + v->scale * (sn_vec3_dot(p, v->right) - v->low[0]);
}

static double y_of(const view* v, sn_vec3 p) {
    return v->y + v->scale * (v->high[1] - sn_vec3_dot(p, v->up));
}

bool view_frame_include(view_frame* frame, const scene_picture* p) {
    const sn_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < sn_model_shape_count(p->model); i++) {
        sn_shape_info shape = sn_model_shape(p->model, i);
        if (!(shape.use & SN_SHAPE_COLLISION) || !extent_is_bounded(&shape)) continue;
        sn_pose X_ws = extent_shape_pose(&shape, p->poses);
        for (int k = 0; k < 3; k++) {
            double least = sn_vec3_dot(extent_support(&shape, X_ws, sn_vec3_neg(axes[k])), axes[k]);
            double most = sn_vec3_dot(extent_support(&shape, X_ws, axes[k]), axes[k]);
            frame->low[k] = frame->filled ? fmin(frame->low[k], least) : least;
            frame->high[k] = frame->filled ? fmax(frame->high[k], most) : most;
        }
        frame->filled = true;
    }
    for (int i = 0; i < sn_model_shape_count(p->model) && frame->filled; i++) {
        sn_shape_info shape = sn_model_shape(p->model, i);
        if (shape.type != SN_SHAPE_PLANE || shape.body.i >= 0) continue;
        double below = frame->low[2] - shape.X_bs.p.z;
        if (below > 0 && below <= FAR * (frame->high[2] - frame->low[2])) {
            frame->low[2] = shape.X_bs.p.z;
        }
    }
    return frame->filled;
}

// Room around what is seen, and for flat scenes more of it above.
static void make_room(view* v, double width) {
    double across = 0.5 * (width / v->scale - (v->high[0] - v->low[0]));
    v->low[0] -= across;
    v->high[0] += across;
    v->low[1] -= ROOM / v->scale;
    v->high[1] += ROOM / v->scale;
    double missing = HEIGHT_LEAST / v->scale - (v->high[1] - v->low[1]);
    if (missing > 0) v->high[1] += missing;
}

static double span(const view_frame* f, int axis) {
    return fmax(f->high[axis] - f->low[axis], TINY);
}

view view_from_side(const view_frame* f, double width, double height_most) {
    const sn_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    bool wide = span(f, 0) >= span(f, 1); // along x: that is to the right
    int right = wide ? 0 : 1;
    view v = {.right = wide ? x : y, .up = z, .towards = wide ? sn_vec3_neg(y) : x};
    v.low[0] = f->low[right], v.high[0] = f->high[right];
    v.low[1] = f->low[2], v.high[1] = f->high[2];
    double tallest = fmax(span(f, 2), span(f, 1 - right));
    v.scale = fmin((width - 2.0 * ROOM) / span(f, right), (height_most - 2.0 * ROOM) / tallest);
    make_room(&v, width);
    return v;
}

view view_from_above(const view_frame* f, const view* side) {
    bool wide = side->right.x > 0.5;
    view v = *side;
    v.towards = sn_vec3_make(0, 0, 1);
    v.up = wide ? sn_vec3_make(0, 1, 0) : sn_vec3_make(-1, 0, 0);
    int right = wide ? 0 : 1;
    v.low[0] = f->low[right], v.high[0] = f->high[right];
    v.low[1] = wide ? f->low[1] : -f->high[0];
    v.high[1] = wide ? f->high[1] : -f->low[0];
    make_room(&v, v.scale * (side->high[0] - side->low[0]));
    return v;
}

double view_height(const view* v) { return v->scale * (v->high[1] - v->low[1]); }

// ---- planes ----------------------------------------------------------------------------------------

typedef struct corner {
    double x, y;
} corner;

// Keeps of a polygon what is on the side a x + b y <= c; how many corners that has.
static int cut(const corner* in, int count, double a, double b, double c, corner* out) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        corner p = in[i], q = in[(i + 1) % count];
        double dp = a * p.x + b * p.y - c, dq = a * q.x + b * q.y - c;
        if (dp <= 0) out[kept++] = p;
        if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) {
            double t = dp / (dp - dq);
            out[kept++] = (corner){p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
        }
    }
    return kept;
}

static void write_polygon(const view* v, const corner* corners, int count, const char* class) {
    fprintf(v->out, "<path class=\"%s\" d=\"", class);
    for (int i = 0; i < count; i++) {
        fprintf(v->out, "%s%.1f %.1f", i ? "L" : "M", corners[i].x, corners[i].y);
    }
    fputs("z\"/>\n", v->out);
}

// What is solid below a plane, where it is seen edge-on; a shade where it faces the reader.
static void write_plane(const view* v, sn_pose X_ws) {
    sn_vec3 n = sn_mat3_column(X_ws.R, 2);
    double x0 = v->x, x1 = v->x + v->scale * (v->high[0] - v->low[0]);
    double y0 = v->y, y1 = v->y + v->scale * (v->high[1] - v->low[1]);
    corner frame[4] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, solid[CORNERS_MOST];
    double facing = sn_vec3_dot(n, v->towards);
    if (fabs(facing) > EDGE_ON) {
        if (facing > 0) write_polygon(v, frame, 4, "floor");
        return;
    }
    double a = sn_vec3_dot(n, v->right), b = -sn_vec3_dot(n, v->up); // the paper's y points down
    double c = a * x_of(v, X_ws.p) + b * y_of(v, X_ws.p);
    int count = cut(frame, 4, a, b, c, solid);
    if (count >= 3) write_polygon(v, solid, count, "ground");
}

// ---- shapes ----------------------------------------------------------------------------------------

typedef struct figure {
    int shape;
    sn_pose X_ws;
    double depth; ///< towards the reader
} figure;

static int by_depth(const void* a, const void* b) {
    const figure *f = a, *g = b;
    if (f->depth != g->depth) return f->depth < g->depth ? -1 : 1;
    return f->shape - g->shape;
}

void view_write_class(FILE* out, const scene_picture* p, int group) {
    fprintf(out, "class=\"g%d%s\"", group % (VIEW_COLOURS * VIEW_HATCHES),
            p->groups[group].asleep ? " asleep" : "");
}

// The outline is convex: its corners are the farthest points in all directions of the paper.
static void write_outline(const view* v, const sn_shape_info* shape, sn_pose X_ws) {
    double x = NAN, y = NAN;
    int directions = v->plain ? DIRECTIONS_PLAIN : DIRECTIONS;
    fputs("<path d=\"", v->out);
    for (int k = 0; k < directions; k++) {
        double angle = 2 * PI * (k + 0.5) / directions;
        sn_vec3 d =
            sn_vec3_add(sn_vec3_scale(cos(angle), v->right), sn_vec3_scale(sin(angle), v->up));
        sn_vec3 p = extent_support(shape, X_ws, d);
        if (fabs(x_of(v, p) - x) < 0.05 && fabs(y_of(v, p) - y) < 0.05) continue;
        x = x_of(v, p);
        y = y_of(v, p);
        fprintf(v->out, "%s%.1f %.1f", k ? "L" : "M", x, y);
    }
    fputs("z\" ", v->out);
}

static bool is_root(const sn_model* model, int body) {
    return sn_model_body(model, sn_body(body)).parent.i < 0;
}

// A root with other bodies on it; those come next.
static bool carries(const sn_model* model, int body) {
    bool last = body + 1 == sn_model_body_count(model);
    return is_root(model, body) && !last && !is_root(model, body + 1);
}

static double width_of(const view* v, const sn_shape_info* shape, sn_pose X_ws, sn_vec3 axis) {
    sn_vec3 reach = sn_vec3_sub(extent_support(shape, X_ws, axis),
                                extent_support(shape, X_ws, sn_vec3_neg(axis)));
    return v->scale * sn_vec3_dot(reach, axis);
}

static void write_number(const view* v, sn_vec3 p, int group) {
    fprintf(v->out, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">%d</text>\n", x_of(v, p),
            y_of(v, p) + 4, group + 1);
}

static void write_label(const view* v, const sn_shape_info* shape, sn_pose X_ws, int group) {
    double width = width_of(v, shape, X_ws, v->right), height = width_of(v, shape, X_ws, v->up);
    if (fmin(width, height) >= LABEL_LEAST) write_number(v, X_ws.p, group);
}

// Bodies on joints have one number for all, above them, on the one that carries them.
static void write_tree_labels(const view* v) {
    for (int i = 0; i < sn_model_body_count(v->p->model); i++) {
        if (carries(v->p->model, i)) write_number(v, v->p->poses[i].p, v->p->group_of[i]);
    }
}

static void write_figures(const view* v) {
    const sn_model* model = v->p->model;
    int count = 0, shapes = sn_model_shape_count(model);
    figure* figures = memory_take((size_t)shapes, sizeof *figures);
    for (int i = 0; i < shapes; i++) {
        sn_shape_info shape = sn_model_shape(model, i);
        if (!(shape.use & SN_SHAPE_COLLISION)) continue;
        sn_pose X_ws = extent_shape_pose(&shape, v->p->poses);
        if (shape.type == SN_SHAPE_PLANE) write_plane(v, X_ws);
        if (!extent_is_bounded(&shape)) continue;
        double depth = sn_vec3_dot(X_ws.p, v->towards);
        figures[count++] = (figure){i, X_ws, depth};
    }
    qsort(figures, (size_t)count, sizeof *figures, by_depth);
    for (int fixed = 1; fixed >= 0; fixed--) { // what is fixed never hides what moves
        for (int i = 0; i < count; i++) {
            sn_shape_info shape = sn_model_shape(model, figures[i].shape);
            if ((shape.body.i < 0) != fixed) continue;
            write_outline(v, &shape, figures[i].X_ws);
            if (fixed) {
                fputs("class=\"fixed\"/>\n", v->out);
                continue;
            }
            int group = v->p->group_of[shape.body.i];
            view_write_class(v->out, v->p, group);
            fputs("/>\n", v->out);
            bool alone = is_root(model, shape.body.i) && !carries(model, shape.body.i);
            if (alone && !v->plain) write_label(v, &shape, figures[i].X_ws, group);
        }
    }
    free(figures);
}

// ---- contacts --------------------------------------------------------------------------------------

void view_write_arrow(FILE* out, double x0, double y0, double x1, double y1) {
    double dx = x1 - x0, dy = y1 - y0, length = hypot(dx, dy);
    if (!(length > 1)) return; // towards the reader
    double tip = fmin(6, 0.5 * length), ux = dx / length, uy = dy / length;
    fprintf(out, "<path class=\"force\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", x0, y0, x1 - tip * ux,
            y1 - tip * uy);
    fprintf(out, "<path class=\"tip\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fz\"/>\n", x1, y1,
            x1 - tip * ux - 0.5 * tip * uy, y1 - tip * uy + 0.5 * tip * ux,
            x1 - tip * ux + 0.5 * tip * uy, y1 - tip * uy - 0.5 * tip * ux);
}

// Of the two equal and opposite sides of a contact, what is felt by the body that moves, or by the upper one.
static bool seen_from_b(const sn_contact_view* c) {
    if (c->a.i < 0 || c->b.i < 0) return c->a.i < 0;
    return c->n.z < 0;
}

static void write_contacts(const view* v) {
    for (int i = 0; i < v->p->contact_count; i++) {
        const sn_contact_view* c = &v->p->contacts[i];
        double x = x_of(v, c->x), y = y_of(v, c->x);
        sn_vec3 n = seen_from_b(c) ? sn_vec3_neg(c->n) : c->n;
        sn_vec3 f = seen_from_b(c) ? sn_vec3_neg(c->force) : c->force;
        fprintf(v->out, "<path class=\"normal\" d=\"M%.1f %.1fl%.1f %.1f\"/>\n", x, y,
                NORMAL_LENGTH * sn_vec3_dot(n, v->right), -NORMAL_LENGTH * sn_vec3_dot(n, v->up));
        if (sn_vec3_norm(f) > SMALL * v->force) {
            double k = FORCE_LENGTH / v->force;
            view_write_arrow(v->out, x, y, x + k * sn_vec3_dot(f, v->right),
                             y - k * sn_vec3_dot(f, v->up));
        }
    }
    for (int i = 0; i < v->p->contact_count; i++) {
        sn_vec3 p = v->p->contacts[i].x;
        fprintf(v->out, "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.1\"/>\n", x_of(v, p),
                y_of(v, p));
    }
}

// ---- the view --------------------------------------------------------------------------------------

static int byte_of(double part) { return (int)lround(255 * fmin(1, fmax(0, part))); }

// Lines and words of plugins, in their colours.
static void write_strokes(const view* v) {
    for (int i = 0; i < v->p->stroke_count; i++) {
        const sn_stroke* s = &v->p->strokes[i];
        double x = x_of(v, s->from), y = y_of(v, s->from);
        if (!isfinite(x) || !isfinite(y)) continue;
        char colour[64];
        snprintf(colour, sizeof colour, "#%02x%02x%02x", byte_of(s->color[0]), byte_of(s->color[1]),
                 byte_of(s->color[2]));
        double shows = fmin(1, fmax(0, s->color[3]));
        if (s->text[0]) {
            fprintf(v->out,
                    "<text class=\"word\" x=\"%.1f\" y=\"%.1f\" fill=\"%s\" "
                    "opacity=\"%.2f\">",
                    x, y, colour, shows);
            markup_write(v->out, s->text);
            fputs("</text>\n", v->out);
        } else if (isfinite(x_of(v, s->to)) && isfinite(y_of(v, s->to))) {
            fprintf(v->out,
                    "<line class=\"stroke\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                    "stroke=\"%s\" opacity=\"%.2f\"/>\n",
                    x, y, x_of(v, s->to), y_of(v, s->to), colour, shows);
        }
    }
}

void view_write(const view* v) {
    double width = v->scale * (v->high[0] - v->low[0]), height = view_height(v);
    fprintf(v->out,
            "<clipPath id=\"view%d\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
            "</clipPath>\n<g clip-path=\"url(#view%d)\">\n",
            v->number, v->x, v->y, width, height, v->number);
    write_figures(v);
    write_contacts(v);
    if (!v->plain) write_tree_labels(v);
    write_strokes(v);
    fputs("</g>\n", v->out);
    fprintf(v->out,
            "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", v->x,
            v->y, width, height);
}

void view_write_style(const scene_picture* p, FILE* out) {
    int kinds = VIEW_COLOURS * VIEW_HATCHES;
    if (p->group_count < kinds) kinds = p->group_count;
    fputs("<defs>\n<pattern id=\"earth\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
          "<rect width=\"8\" height=\"8\" fill=\"#f1eee8\"/>"
          "<path d=\"M0 8L8 0\" stroke=\"#cfc8ba\"/></pattern>\n",
          out);
    for (int i = 0; i < kinds; i++) {
        fprintf(out,
                "<pattern id=\"p%d\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
                "<rect width=\"8\" height=\"8\" fill=\"%s\"/><g stroke=\"#333\" "
                "stroke-opacity=\"0.55\" fill=\"#333\">%s</g></pattern>\n",
                i, COLOURS[i % VIEW_COLOURS], HATCHES[i % VIEW_HATCHES]);
    }
    fputs("</defs>\n<style>\n", out);
    for (int i = 0; i < kinds; i++) {
        fprintf(out, ".g%d{fill:url(#p%d);stroke:#222;stroke-width:1}\n", i, i);
    }
    fputs(".asleep{opacity:0.42}\n"
          ".fixed{fill:#d8d4cb;fill-opacity:0.45;stroke:#8a8578}\n"
          ".ground{fill:url(#earth);stroke:#5b564b;stroke-width:1.6}\n"
          ".floor{fill:#f6f4ef}\n"
          ".frame{fill:none;stroke:#bbb}\n"
          ".point{fill:#111}\n"
          ".normal{stroke:#111;stroke-width:1.1}\n"
          ".force{stroke:#c2185b;stroke-width:1.8}\n"
          ".tip{fill:#c2185b}\n"
          ".stroke{stroke-width:2}\n"
          ".word{font-size:12px}\n"
          ".label{font-size:12px;font-weight:bold;text-anchor:middle;fill:#111;stroke:#fff;"
          "stroke-width:3px;paint-order:stroke;stroke-linejoin:round}\n"
          "</style>\n",
          out);
}
