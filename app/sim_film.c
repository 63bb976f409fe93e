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

struct sim_film {
    const sn_model* model;
    int most, count;
    double interval; ///< s between frames
    double* time;
    sn_pose* poses; ///< of all bodies, frame after frame
    int* tree_of;   ///< per body: trees have colours
    scene_group* trees;
    int tree_count;
};

static sn_pose* poses_of(const sim_film* f, int frame) {
    return f->poses + (size_t)frame * (size_t)sn_model_body_count(f->model);
}

sim_film* sim_film_create(const sn_model* model) {
    int bodies = sn_model_body_count(model);
    sim_film* f = memory_take(1, sizeof *f);
    f->model = model;
    f->interval = FRAME_TIME;
    f->most = bodies * FRAMES_MOST <= POSES_MOST ? FRAMES_MOST : POSES_MOST / bodies + 2;
    f->time = memory_take((size_t)f->most, sizeof *f->time);
    f->poses = memory_take((size_t)f->most * (size_t)bodies, sizeof *f->poses);
    f->tree_of = memory_take((size_t)bodies, sizeof *f->tree_of);
    f->trees = memory_take((size_t)bodies, sizeof *f->trees);
    for (int i = 0; i < bodies; i++) {
        int parent = sn_model_body(model, sn_body(i)).parent.i;
        f->tree_of[i] = parent < 0 ? f->tree_count++ : f->tree_of[parent];
        f->trees[f->tree_of[i]].bodies += 1;
    }
    return f;
}

// Every other frame goes, so that the rest of a long run has room.
static void thin_out(sim_film* f) {
    size_t size = (size_t)sn_model_body_count(f->model) * sizeof *f->poses;
    f->interval *= 2;
    f->count = (f->count + 1) / 2;
    for (int k = 1; k < f->count; k++) {
        f->time[k] = f->time[2 * k];
        memcpy(poses_of(f, k), poses_of(f, 2 * k), size);
    }
}

void sim_film_add(sim_film* f, sn_world* world, bool last) {
    double time = sn_world_time(world);
    double since = f->count > 0 ? time - f->time[f->count - 1] : INFINITY;
    if (!(since >= ROUNDED * f->interval) && !(last && since > 0)) return;
    if (f->count == f->most) thin_out(f);
    const sn_snapshot* shot = sn_world_snapshot(world);
    for (int i = 0; i < sn_model_body_count(f->model); i++) {
        poses_of(f, f->count)[i] = sn_snapshot_pose(shot, sn_body(i));
    }
    f->time[f->count++] = time;
}

static scene_picture picture_of(const sim_film* f, int frame) {
    return (scene_picture){.model = f->model,
                           .poses = poses_of(f, frame),
                           .group_of = f->tree_of,
                           .groups = f->trees,
                           .group_count = f->tree_count};
}

// One side and one scale that all frames fit into; false when there is nothing to draw.
static bool arrange(const sim_film* f, view* v) {
    view_frame all = {0};
    for (int k = 0; k < f->count; k++) {
        scene_picture p = picture_of(f, k);
        if (!view_frame_include(&all, &p)) return false;
    }
    *v = view_from_side(&all, WIDTH - 2.0 * MARGIN, HEIGHT_MOST);
    v->x = MARGIN;
    v->y = TITLE;
    v->plain = true;
    return isfinite(v->scale) && v->scale > 0;
}

// When frame k shows: a share of the whole film, which begins anew at 1.
static double begins(const sim_film* f, int k, double length) {
    return k == f->count ? 1 : (f->time[k] - f->time[0]) / length;
}

static void write_frame(const sim_film* f, view* v, int k, double length) {
    bool last = k == f->count - 1;
    scene_picture p = picture_of(f, k);
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
    fprintf(v->out, "\n<text class=\"time\" x=\"%d\" y=\"28\">%.2f s</text>\n", WIDTH - MARGIN,
            f->time[k]);
    view_write(v);
    fputs("</g>\n", v->out);
}

void sim_film_write(const sim_film* f, const char* title, FILE* out) {
    view v;
    bool drawn = arrange(f, &v);
    double height = TITLE + (drawn ? view_height(&v) : 0) + MARGIN;
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
            "viewBox=\"0 0 %d %.0f\" font-family=\"Helvetica, Arial, 'DejaVu Sans', "
            "sans-serif\">\n<style>.title{font-size:17px;font-weight:bold;fill:#111}\n"
            ".time{font-size:15px;fill:#444;text-anchor:end}</style>\n",
            WIDTH, height, WIDTH, height);
    scene_picture any = picture_of(f, 0);
    view_write_style(&any, out);
    fprintf(out, "<rect width=\"%d\" height=\"%.0f\" fill=\"white\"/>\n", WIDTH, height);
    fprintf(out, "<text class=\"title\" x=\"%d\" y=\"28\">", MARGIN);
    markup_write(out, title);
    fputs("</text>\n", out);
    double length = f->time[f->count - 1] - f->time[0] + LAST_TIME;
    v.out = out;
    for (int k = 0; k < f->count && drawn; k++) write_frame(f, &v, k, length);
    fputs("</svg>\n", out);
}

void sim_film_free(sim_film* f) {
    if (!f) return;
    free(f->time);
    free(f->poses);
    free(f->tree_of);
    free(f->trees);
    free(f);
}
