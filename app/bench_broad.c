// SPDX-License-Identifier: Apache-2.0
/// The broad phase: many spheres that all move in every step.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_contact.h"
#include "bench_contender.h"
#include "contact_scene.h"
#include "median.h"
#include "memory.h"
#include "message.h"
#include "sinew/collision.h"

const char BENCH_BROAD_PART[] = "Collision of spheres that all move";
const char BENCH_BROAD_LINE[] = "broad-10000";

enum { SPHERES = 10000, STEPS = 200, QUICK_STEPS = 50, WARM_STEPS = 10 };

static const double RADIUS = 0.05, ROOM = 5, SPEED = 1, STEP = 1e-3; // m, m, m/s, s

static sn_model* make_model(sn_error* error) {
    sn_model_builder* builder = sn_model_builder_create("spheres");
    sn_model* model = NULL;
    sn_status status = builder ? SN_OK : SN_ERR_MEMORY;
    for (int i = 0; i < SPHERES && !status; i++) {
        char name[16];
        sn_body_def body = sn_body_def_default();
        sn_shape_def shape = sn_shape_def_default();
        snprintf(name, sizeof name, "s%d", i);
        body.name = name;
        body.joint.type = SN_JOINT_FREE;
        body.inertia = sn_inertia_sphere(1, RADIUS);
        shape.body = name;
        shape.type = SN_SHAPE_SPHERE;
        shape.use = SN_SHAPE_COLLISION;
        shape.size = sn_vec3_make(RADIUS, 0, 0);
        status = sn_model_builder_add_body(builder, &body);
        if (!status) status = sn_model_builder_add_shape(builder, &shape);
    }
    if (!status) status = sn_model_builder_compile(builder, NULL, &model, error);
    sn_model_builder_free(builder);
    return model;
}

typedef struct swarm {
    sn_vec3 *x, *v; ///< m in a cube of edge 2 ROOM, m/s
} swarm;

static sn_vec3 random_vector(double size, uint64_t* random) {
    double x = contact_scene_random(random), y = contact_scene_random(random);
    return sn_vec3_scale(size, sn_vec3_make(x, y, contact_scene_random(random)));
}

static double reflected(double x, double* v) {
    if (fabs(x) > ROOM && x * *v > 0) *v = -*v;
    return x + STEP * *v;
}

// Moves all, and tells the collider.
static void move_all(swarm* s, sn_collider* collider) {
    for (int i = 0; i < SPHERES; i++) {
        sn_vec3* v = &s->v[i];
        s->x[i] = sn_vec3_make(reflected(s->x[i].x, &v->x), reflected(s->x[i].y, &v->y),
                               reflected(s->x[i].z, &v->z));
        sn_twist motion = {.w = sn_vec3_zero(), .v = *v};
        sn_collider_move(collider, sn_body(i), sn_pose_make(sn_mat3_identity(), s->x[i]), motion);
    }
}

static void measure(sn_collider* collider, int steps, bench_row* row) {
    uint64_t random = 7;
    swarm s = {memory_take(SPHERES, sizeof *s.x), memory_take(SPHERES, sizeof *s.v)};
    double* us = memory_take((size_t)steps, sizeof *us);
    sn_collision_report report = {0};
    const sn_contact* contacts;
    for (int i = 0; i < SPHERES; i++) {
        s.x[i] = random_vector(ROOM, &random);
        s.v[i] = random_vector(SPEED, &random);
    }
    for (int k = -WARM_STEPS; k < steps; k++) {
        double start = bench_now();
        move_all(&s, collider);
        sn_collider_collide(collider, STEP, &contacts, &report);
        if (k >= 0) us[k] = 1e6 * (bench_now() - start);
    }
    row->median_us = median_of(us, steps);
    row->min_us = us[0];
    row->reps = steps;
    bench_note_add(row, "contacts", report.contacts);
    bench_note_add(row, "near", report.near);
    free(s.x);
    free(s.v);
    free(us);
}

bool bench_broad(const bench_options* options, bench_rows* rows) {
    sn_error error = {0};
    sn_collider* collider = NULL;
    sn_collider_def def = sn_collider_def_default();
    sn_model* model = make_model(&error);
    bench_row row = bench_row_on(BENCH_BROAD_LINE, SPHERES, 6 * SPHERES);
    row.part = BENCH_BROAD_PART;
    snprintf(row.engine, sizeof row.engine, "sinew:collider");
    def.contacts = 4 * SPHERES;
    bool good = model && sn_collider_create(model, &def, NULL, &collider, &error) == SN_OK;
    bench_progress("broad phase");
    if (good) {
        measure(collider, options->quick ? QUICK_STEPS : STEPS, &row);
        bench_rows_add(rows, &row);
    } else {
        message_error_from(&error);
    }
    sn_collider_free(collider);
    sn_model_free(model);
    return good;
}
