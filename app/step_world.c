// SPDX-License-Identifier: Apache-2.0
/// Our own engine for scenes with contact.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "sinew/world.h"
#include "step_engine.h"

enum { CONTACTS_LEAST = 256, CONTACTS_OF_BODY = 24, CONTACTS_OF_SHAPE = 2 };

typedef struct ours {
    const char* solver;
    sn_world* world;
    sn_clock clock;
} ours;

static sn_world_def options(const ours* o, const step_scene* scene) {
    sn_world_def def = sn_world_def_default();
    int of_bodies = CONTACTS_OF_BODY * sn_model_body_count(scene->model);
    int of_shapes = CONTACTS_OF_SHAPE * sn_model_shape_count(scene->model);
    int contacts = of_bodies > of_shapes ? of_bodies : of_shapes;
    def.step = scene->step;
    def.gravity = scene->gravity;
    def.contact.on = true;
    def.contact.solver = o->solver;
    def.contact.collider.contacts = contacts > CONTACTS_LEAST ? contacts : CONTACTS_LEAST;
    def.contact.rest_time = INFINITY; // nobody sleeps in other engines either
    return def;
}

static bool open_world(step_engine* e, const step_scene* scene, FILE* model, FILE* text) {
    ours* o = e->self;
    sn_error error = {0};
    sn_world_def def = options(o, scene);
    (void)model;
    (void)text;
    e->trouble[0] = '\0';
    if (sn_world_create(scene->model, &def, &o->world, &error) != SN_OK) {
        snprintf(e->trouble, sizeof e->trouble, "%.150s", error.text);
        return false;
    }
    double* q = memory_take((size_t)sn_model_nq(scene->model), sizeof *q);
    double* v = memory_take((size_t)sn_model_nv(scene->model), sizeof *v);
    sn_model_neutral(scene->model, q);
    step_roots_put(scene, scene->roots, q, v);
    sn_status status = sn_world_set_state(o->world, q, v);
    free(q);
    free(v);
    if (status) snprintf(e->trouble, sizeof e->trouble, "its start was refused");
    return !status;
}

static bool advance_world(step_engine* e, int count, step_track* track) {
    ours* o = e->self;
    for (int i = 0; i < count; i++) {
        sn_step_report report;
        int64_t start = o->clock.now_ns(o->clock.context);
        sn_status status = sn_world_step(o->world, &report);
        int64_t taken = o->clock.now_ns(o->clock.context) - start;
        if (status) {
            snprintf(e->trouble, sizeof e->trouble, "step %d: %s", track->steps + 1,
                     sn_status_text(status));
            return false;
        }
        step_track_step(track, 1e-3 * (double)taken);
        if (track->steps % track->scene->every != 0) continue;
        const sn_contact_summary* c = &report.contact;
        step_root* roots =
            step_track_look(track, c->points, c->found.deepest, c->points ? c->residual : 0);
        step_roots_get(track->scene, sn_world_q(o->world), sn_world_v(o->world), roots);
    }
    return true;
}

static void close_world(step_engine* e) {
    ours* o = e->self;
    sn_world_free(o->world);
    o->world = NULL;
}

static void end_world(step_engine* e) { free(e->self); }

static const step_kind KIND = {open_world, advance_world, close_world, end_world};

void step_engine_world(step_engine* e, const char* solver) {
    ours* o = memory_take(1, sizeof *o);
    *o = (ours){.solver = solver, .clock = sn_clock_real()};
    *e = (step_engine){.kind = &KIND, .self = o};
    snprintf(e->name, sizeof e->name, "sinew:%.30s", solver);
}
