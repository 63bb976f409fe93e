// SPDX-License-Identifier: Apache-2.0
/// The scene while it moves, as an SVG whose frames follow each other; what cannot play it shows the last one.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "markup.h"
#include "memory.h"
#include "sim.h"
#include "svg_view.h"

enum {
    FRAMES_MOST = 100,
    POSES_MOST = 500000, // over all frames
    WIDTH = 880,
    HEIGHT_MOST = 520, // of the scene
    MARGIN = 16,
    TITLE = 44
};
static const double FRAME_TIME = 0.1;   // s, until there are too many
static const double ROUNDED = 1 - 1e-6; // share of the interval: times are sums of steps
static const double LAST_TIME = 1.5;    // s that the last frame stays

// What there is at one moment: bodies may come and go.
typedef struct frame {
    double time;
    const sn_model* model;
    sn_pose* poses;     ///< per body
    sn_stroke* strokes; ///< of plugins
    int stroke_count;
} frame;

struct sim_film {
    frame* frames;
    int count;
    double interval; ///< s between frames
    size_t poses;    ///< over all frames
};

// Trees have colours, and keep them when others come and go: the number of a tree is the place of its root's name.
typedef struct colouring {
    const sn_model* model;
    const char** roots;
    int root_count;
    int* tree_of; ///< per body
    scene_group* trees;
} colouring;

sim_film* sim_film_create(void) {
    sim_film* f = memory_take(1, sizeof *f);
    f->interval = FRAME_TIME;
    f->frames = memory_take(FRAMES_MOST, sizeof *f->frames);
    return f;
}

static void free_frame(frame* shot) {
    free(shot->poses);
    free(shot->strokes);
}

// Every other frame goes, so that the rest of a long run has room.
static void thin_out(sim_film* f) {
    int kept = 0;
    f->interval *= 2;
    f->poses = 0;
    for (int k = 0; k < f->count; k++) {
        if (k % 2) {
            free_frame(&f->frames[k]);
            continue;
        }
        f->poses += (size_t)sn_model_body_count(f->frames[k].model);
        f->frames[kept++] = f->frames[k];
    }
    f->count = kept;
}

static void take_frame(frame* shot, sn_simulation* sim) {
    sn_world* world = sn_simulation_world(sim);
    const sn_snapshot* seen = sn_world_snapshot(world);
    const sn_stroke* strokes = sn_simulation_draw(sim, &shot->stroke_count);
    int bodies = sn_model_body_count(sn_snapshot_model(seen));
    shot->time = sn_world_time(world);
    shot->model = sn_snapshot_model(seen);
    shot->poses = memory_take((size_t)bodies, sizeof *shot->poses);
    for (int i = 0; i < bodies; i++) shot->poses[i] = sn_snapshot_pose(seen, sn_body(i));
    shot->strokes = memory_take((size_t)shot->stroke_count, sizeof *strokes);
    if (shot->stroke_count > 0)
        memcpy(shot->strokes, strokes, (size_t)shot->stroke_count * sizeof *strokes);
}

void sim_film_add(sim_film* f, sn_simulation* sim, bool last) {
    double time = sn_world_time(sn_simulation_world(sim));
    double since = f->count > 0 ? time - f->frames[f->count - 1].time : INFINITY;
    if (!(since >= ROUNDED * f->interval) && !(last && since > 0)) return;
    if (f->count == FRAMES_MOST || (f->count > 2 && f->poses > POSES_MOST)) thin_out(f);
    take_frame(&f->frames[f->count], sim);
    f->poses += (size_t)sn_model_body_count(f->frames[f->count++].model);
}

// ---- colours ---------------------------------------------------------------------------------------

// Roots that stay are found where they are expected.
static int number_of_root(colouring* c, const char* name, int expected) {
    for (int i = 0; i < c->root_count; i++) {
        int at = (expected + i) % c->root_count;
        if (strcmp(c->roots[at], name) == 0) return at;
    }
    c->roots = memory_resize(c->roots, (size_t)c->root_count + 1, sizeof *c->roots);
    c->roots[c->root_count] = name;
    return c->root_count++;
}

static void colour(colouring* c, const sn_model* model) {
    if (c->model == model) return;
    bool first = c->model == NULL;
    size_t bodies = (size_t)sn_model_body_count(model);
    int expected = 0;
    c->model = model;
    c->tree_of = memory_resize(c->tree_of, bodies + 1, sizeof *c->tree_of);
    if (first) c->roots = memory_take(bodies, sizeof *c->roots);
    for (int i = 0; i < (int)bodies; i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        if (b.parent.i >= 0) {
            c->tree_of[i] = c->tree_of[b.parent.i];
        } else if (first) {
            c->roots[c->root_count] = b.name;
            c->tree_of[i] = c->root_count++;
        } else {
            c->tree_of[i] = number_of_root(c, b.name, expected);
            expected = c->tree_of[i] + 1;
        }
    }
    free(c->trees);
    c->trees = memory_take((size_t)c->root_count, sizeof *c->trees);
}

static void free_colouring(colouring* c) {
    free(c->roots);
    free(c->tree_of);
    free(c->trees);
}

static scene_picture picture_of(const frame* shot, colouring* c) {
    colour(c, shot->model);
    return (scene_picture){.model = shot->model,
                           .poses = shot->poses,
                           .group_of = c->tree_of,
                           .groups = c->trees,
                           .group_count = c->root_count,
                           .strokes = shot->strokes,
                           .stroke_count = shot->stroke_count};
}

// ---- writing ---------------------------------------------------------------------------------------

// One side and one scale that all frames fit into; false when there is nothing to draw.
static bool arrange(const sim_film* f, colouring* c, view* v) {
    view_frame all = {0};
    for (int k = 0; k < f->count; k++) {
        scene_picture p = picture_of(&f->frames[k], c);
        (void)view_frame_include(&all, &p); // there may be nothing for a while
    }
    if (!all.filled) return false;
    *v = view_from_side(&all, WIDTH - 2.0 * MARGIN, HEIGHT_MOST);
    v->x = MARGIN;
    v->y = TITLE;
    v->plain = true;
    return isfinite(v->scale) && v->scale > 0;
}

// When frame k shows: a share of the whole film, which begins anew at 1.
static double begins(const sim_film* f, int k, double length) {
    return k == f->count ? 1 : (f->frames[k].time - f->frames[0].time) / length;
}

static void write_frame(const sim_film* f, const sn_units* units, colouring* c, view* v, int k,
                        double length) {
    bool last = k == f->count - 1;
    scene_picture p = picture_of(&f->frames[k], c);
    v->p = &p;
    v->number = k;
    fprintf(v->out, "<g visibility=\"%s\">", last ? "visible" : "hidden");
    if (f->count > 1) {
        fprintf(v->out,
                "<animate attributeName=\"visibility\" calcMode=\"discrete\" dur=\"%.3fs\" "
                "repeatCount=\"indefinite\" values=\"%svisible%s\" keyTimes=\"",
                length, k ? "hidden;" : "", last ? "" : ";hidden");
        fprintf(v->out, k ? "0;%.5f" : "%.0f", k ? begins(f, k, length) : 0.0);
        if (!last) fprintf(v->out, ";%.5f", begins(f, k + 1, length));
        fputs("\"/>", v->out);
    }
    fprintf(v->out, "\n<text class=\"time\" x=\"%d\" y=\"28\">%.2f %s</text>\n", WIDTH - MARGIN,
            f->frames[k].time, units->time.shown);
    view_write(v);
    fputs("</g>\n", v->out);
}

void sim_film_write(const sim_film* f, const sn_units* units, const char* title, FILE* out) {
    view v;
    colouring c = {0};
    bool drawn = arrange(f, &c, &v);
    double height = TITLE + (drawn ? view_height(&v) : 0) + MARGIN;
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
            "viewBox=\"0 0 %d %.0f\" font-family=\"Helvetica, Arial, 'DejaVu Sans', "
            "sans-serif\">\n<style>.title{font-size:17px;font-weight:bold;fill:#111}\n"
            ".time{font-size:15px;fill:#444;text-anchor:end}</style>\n",
            WIDTH, height, WIDTH, height);
    scene_picture any = {.group_count = c.root_count};
    view_write_style(&any, out);
    fprintf(out, "<rect width=\"%d\" height=\"%.0f\" fill=\"white\"/>\n", WIDTH, height);
    fprintf(out, "<text class=\"title\" x=\"%d\" y=\"28\">", MARGIN);
    markup_write(out, title);
    fputs("</text>\n", out);
    double length = f->frames[f->count - 1].time - f->frames[0].time + LAST_TIME;
    v.out = out;
    for (int k = 0; k < f->count && drawn; k++) write_frame(f, units, &c, &v, k, length);
    fputs("</svg>\n", out);
    free_colouring(&c);
}

void sim_film_free(sim_film* f) {
    if (!f) return;
    for (int k = 0; k < f->count; k++) free_frame(&f->frames[k]);
    free(f->frames);
    free(f);
}
