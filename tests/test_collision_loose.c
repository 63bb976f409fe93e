// SPDX-License-Identifier: Apache-2.0
// Near pairs that are kept while bodies stray little, against boxes of all shapes, each compared with each.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "collision/box.h"
#include "collision/sn_collision.h"
#include "model/sn_model.h"
#include "support/check.h"

enum { CASES = 60, STEPS = 60, BODIES = 14, PLATE = 3, NEAR_POINTS = 64, TEST_WALKS = 990 };

typedef struct walk {
    uint64_t seed;
    sni_rng rng;
    sn_model* model;
    sn_collider *kept, *witness; ///< witness: keeps nothing
    sn_pose X[BODIES];
    sn_twist v[BODIES];
    bool rests[BODIES];
    double h, pace; ///< s; sizes a second
} walk;

// ---- bodies on a floor ------------------------------------------------------------------------------------

static sn_vec3 random_vector(sni_rng* rng, double size) {
    double x = sni_rng_uniform(rng, -size, size), y = sni_rng_uniform(rng, -size, size);
    return sn_vec3_make(x, y, sni_rng_uniform(rng, -size, size));
}

static sn_mat3 random_rotation(sni_rng* rng, double angle) {
    return sn_quat_matrix(sn_quat_exp(random_vector(rng, angle)));
}

static void add_shape(sn_model_builder* b, const char* body, sn_shape_type type, sn_vec3 size,
                      sn_pose X) {
    sn_shape_def s = sn_shape_def_default();
    s.body = body;
    s.type = type;
    s.size = size;
    s.pose = X;
    assert_int_equal(sn_model_builder_add_shape(b, &s), SN_OK);
}

/// Balls, boxes and capsules, two on each body and beside its origin; the plate has a plane; a floor and a table stay.
static sn_model* model_of(sni_rng* rng) {
    static const sn_shape_type types[] = {SN_SHAPE_SPHERE, SN_SHAPE_BOX, SN_SHAPE_CAPSULE};
    sn_model_builder* b = sn_model_builder_create("walk");
    sn_pose X = sn_pose_identity();
    add_shape(b, NULL, SN_SHAPE_PLANE, sn_vec3_zero(), X);
    X.p.z = 0.5;
    add_shape(b, NULL, SN_SHAPE_BOX, sn_vec3_make(1, 1, 0.1), X);
    for (int i = 0; i < BODIES; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        sn_body_def body = sn_body_def_default();
        body.name = name;
        body.joint.type = SN_JOINT_FREE;
        assert_int_equal(sn_model_builder_add_body(b, &body), SN_OK);
        for (int k = 0; k < 2; k++) {
            X = sn_pose_make(random_rotation(rng, 3), random_vector(rng, 0.3));
            add_shape(b, name, types[sni_rng_index(rng, 3)], sn_vec3_make(0.1, 0.15, 0.2), X);
        }
        if (i == PLATE) add_shape(b, name, SN_SHAPE_PLANE, sn_vec3_zero(), sn_pose_identity());
    }
    sn_model* model;
    sn_error error;
    if (sn_model_builder_compile(b, NULL, &model, &error)) fail_msg("%s", error.text);
    sn_model_builder_free(b);
    return model;
}

static walk* begin(int i) {
    walk* w = calloc(1, sizeof *w);
    sn_error error;
    w->seed = test_case_seed(TEST_WALKS, (uint64_t)i);
    w->rng.state = w->seed;
    w->model = model_of(&w->rng);
    w->h = i % 4 == 0 ? 1e-2 : 1e-3;
    w->pace = pow(10, sni_rng_uniform(&w->rng, -2, 1.5));
    if (sn_collider_create(w->model, NULL, NULL, &w->kept, &error) ||
        sn_collider_create(w->model, NULL, NULL, &w->witness, &error))
        fail_msg("%s", error.text);
    double far = i % 7 == 6 ? 1e5 : 0;
    for (int k = 0; k < BODIES; k++)
        w->X[k] = sn_pose_make(random_rotation(&w->rng, 3),
                               sn_vec3_add(sn_vec3_make(far, 0, 0), random_vector(&w->rng, 1)));
    w->X[PLATE].R = sn_mat3_identity();
    return w;
}

static void end(walk* w) {
    sn_collider_free(w->kept);
    sn_collider_free(w->witness);
    sn_model_free(w->model);
    free(w);
}

/// Goes on by velocities that change now and then; sometimes a body leaps, is lost or comes to rest. The plate is level at first.
static void go_on(walk* w, int step) {
    for (int k = 0; k < BODIES; k++) {
        int event = sni_rng_index(&w->rng, 200);
        if (step == 0 || event < 10)
            w->v[k] =
                sn_twist_make(random_vector(&w->rng, w->pace), random_vector(&w->rng, w->pace));
        if (event == 10) w->X[k].p = random_vector(&w->rng, 1);
        if (event == 11) w->rests[k] = !w->rests[k];
        sn_twist v = w->v[k];
        if (w->rests[k]) v = sn_twist_zero();
        if (k == PLATE && step < STEPS / 2) v.w = sn_vec3_zero();
        sn_vec3 turn = sn_vec3_scale(w->h, v.w);
        sn_vec3 way = sn_mat3_apply(w->X[k].R, sn_vec3_scale(w->h, v.v));
        w->X[k].R = sn_mat3_mul(w->X[k].R, sn_quat_matrix(sn_quat_exp(turn)));
        w->X[k].p = sn_vec3_add(w->X[k].p, way);
        sn_pose X = w->X[k];
        if (event == 12) X.p.y = NAN;
        if (event == 13) v.w.z = INFINITY;
        if (event == 14) v.v = sn_vec3_make(1e200, 0, 0);
        sn_collider* both[2] = {w->kept, w->witness};
        for (int c = 0; c < 2; c++) {
            sn_collider_rest(both[c], sn_body(k), w->rests[k]);
            sn_collider_move(both[c], sn_body(k), X, v);
        }
    }
}

/// Every pair of shapes that is wanted and whose boxes overlap is near, and no other.
static void check_pairs(walk* w) {
    sn_collider *kept = w->kept, *witness = w->witness;
    int32_t found = sni_collider_find_near(kept), at = 0;
    for (int32_t c = 0; c <= BODIES; c++) sni_collider_place(witness, &witness->carrier[c]);
    for (int32_t a = 0; a < witness->shape_count; a++)
        for (int32_t b = a + 1; b < witness->shape_count; b++) {
            int32_t A = witness->shape[a].body + 1, B = witness->shape[b].body + 1;
            if ((witness->resting[A] && witness->resting[B]) || witness->carrier[A].lost ||
                witness->carrier[B].lost || !sni_collider_wants(witness, a, b) ||
                !sni_box_overlap(&witness->box[a], &witness->box[b]))
                continue;
            CHECK(at < found && kept->near[at].a == a && kept->near[at].b == b, w->seed);
            at++;
        }
    CHECK(at == found, w->seed);
}

static void check_answers(walk* w) {
    sn_near_point answer[2][NEAR_POINTS];
    sn_vec3 p = random_vector(&w->rng, 1);
    int32_t count = sn_collider_near(w->kept, p, 0.2, ~0u, answer[0], NEAR_POINTS);
    CHECK(sn_collider_near(w->witness, p, 0.2, ~0u, answer[1], NEAR_POINTS) == count, w->seed);
    for (int32_t k = 0; k < count; k++) {
        CHECK(answer[0][k].shape == answer[1][k].shape, w->seed);
        CHECK(answer[0][k].distance == answer[1][k].distance, w->seed);
    }
}

// ---- tests ------------------------------------------------------------------------------------------------

static void near_pairs_and_answers_do_not_depend_on_what_is_kept(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        walk* w = begin(i);
        for (int step = 0; step < STEPS; step++) {
            go_on(w, step);
            sni_loose_forget(&w->witness->loose);
            sni_collider_refit(w->kept, w->h);
            sni_collider_refit(w->witness, w->h);
            check_pairs(w);
            check_answers(w);
        }
        end(w);
    }
}

/// A pair that was switched off is not near any more, though all stay where they are; and the other way round.
static void other_wishes_are_heard(void** state) {
    (void)state;
    walk* w = begin(0);
    for (int k = 0; k < BODIES; k++)
        for (int c = 0; c < 2; c++)
            sn_collider_move(c ? w->kept : w->witness, sn_body(k), sn_pose_identity(),
                             sn_twist_zero());
    for (int step = 0; step < 6; step++) {
        bool allowed = step % 2;
        sn_collider_allow(w->kept, sn_body(step / 2), sn_body(7), allowed);
        sn_collider_allow(w->witness, sn_body(step / 2), sn_body(7), allowed);
        sni_collider_refit(w->kept, w->h);
        check_pairs(w);
    }
    end(w);
}

/// Bodies that creep are not looked at by making boxes again and again.
static void pairs_are_kept_while_bodies_creep(void** state) {
    (void)state;
    walk* w = begin(1);
    int32_t chosen = 0;
    w->pace = 1e-2;
    for (int step = 0; step < 100; step++) {
        for (int k = 0; k < BODIES; k++) {
            w->X[k].p.x += w->h * w->pace;
            sn_twist v = sn_twist_make(sn_vec3_zero(), sn_vec3_make(w->pace, 0, 0));
            sn_collider_move(w->kept, sn_body(k), w->X[k], v);
        }
        sni_collider_refit(w->kept, w->h);
        chosen += w->kept->carrier[1].away == 0;
        (void)sni_collider_find_near(w->kept);
    }
    CHECK(chosen <= 2, w->seed);
    end(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_pairs_and_answers_do_not_depend_on_what_is_kept),
        cmocka_unit_test(other_wishes_are_heard),
        cmocka_unit_test(pairs_are_kept_while_bodies_creep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
