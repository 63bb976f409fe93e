// SPDX-License-Identifier: Apache-2.0
// A model added to another is the same model: with other names, at another place.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/decorated.h"
#include "support/fixture.h"
#include "support/loading.h"

enum { TEST_SAME = 1, TEST_MOTION, TEST_TWO, TEST_PLACE };

static sn_model* alone(const sn_model* model, const char* prefix, sn_pose X_w) {
    sn_model_builder* builder = sn_model_builder_create(sn_model_name(model));
    CHECK_STATUS(sn_model_builder_add_model(builder, model, prefix, X_w), SN_OK);
    return test_compile(builder);
}

static void check_same_text(const sn_model* a, const sn_model* b) {
    char *text_a, *text_b;
    CHECK_STATUS(sn_model_to_json(a, &text_a, NULL), SN_OK);
    CHECK_STATUS(sn_model_to_json(b, &text_b, NULL), SN_OK);
    assert_string_equal(text_a, text_b);
    sn_text_free(text_a);
    sn_text_free(text_b);
}

static void a_model_alone_and_in_place_is_the_same_model(void** state) {
    (void)state;
    for (uint64_t i = 0; i < 300; i++) {
        uint64_t seed = test_case_seed(TEST_SAME, i);
        sn_model* model = test_decorated_model(seed);
        sn_model* copy = alone(model, i % 2 ? "" : NULL, sn_pose_identity());
        check_same_model(model, copy, seed);
        check_same_text(model, copy);
        sn_model_free(copy);
        sn_model_free(model);
    }
}

static void check_file(const char* path) {
    for (int base = SN_BASE_AS_FILE; base <= SN_BASE_FREE; base++) {
        sn_load_def def = sn_load_def_default();
        def.base = (sn_load_base)base;
        sn_model* model;
        if (sn_model_load(path, &def, &model, NULL) != SN_OK) continue;
        check_context(path);
        sn_model* copy = alone(model, "", sn_pose_identity());
        check_same_model(model, copy, 0);
        sn_model_free(copy);
        sn_model_free(model);
    }
    check_context(NULL);
}

static void robots_stay_the_same(void** state) {
    (void)state;
    for_each_file(SN_TEST_MODELS_DIR, ".urdf", check_file);
    for_each_file(SN_TEST_MODELS_DIR, ".json", check_file);
    for_each_file(SN_TEST_SHARED_DIR "/data/robots", ".urdf", check_file);
}

static void the_same_model_moves_the_same_to_the_last_bit(void** state) {
    (void)state;
    for (int i = 0; i < 100; i++) {
        uint64_t seed = test_case_seed(TEST_MOTION, (uint64_t)i);
        fixture* f = fixture_of_list(i, test_units_si(), seed);
        sn_model* copy = alone(f->model, "", sn_pose_identity());
        sn_dynamics *d = test_dynamics(f->model, NULL), *e = test_dynamics(copy, NULL);
        CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
        CHECK_STATUS(sn_dynamics_forward(e, f->q, f->v, f->tau, f->y), SN_OK);
        CHECK(memcmp(f->x, f->y, (size_t)f->nv * sizeof(double)) == 0, seed);
        sn_dynamics_free(d);
        sn_dynamics_free(e);
        sn_model_free(copy);
        fixture_free(f);
    }
}

/// Accelerations of the model at the state of f, under gravity g.
static void accelerations(const fixture* f, sn_vec3 gravity, double* qdd) {
    sn_dynamics* d = test_dynamics(f->model, NULL);
    sn_dynamics_set_gravity(d, gravity);
    CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, qdd), SN_OK);
    sn_dynamics_free(d);
}

/// Gravity of the composed world, in the world of a copy that was added at X.
static sn_vec3 turned_back(sn_pose X, sn_vec3 gravity) {
    return sn_mat3_apply_transposed(X.R, gravity);
}

/// Two models in one, each turned and somewhere else: each moves as if it were alone, with gravity turned.
static void two_models_side_by_side_move_as_two(void** state) {
    (void)state;
    for (int i = 0; i < 150; i++) {
        uint64_t seed = test_case_seed(TEST_TWO, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        fixture* one = fixture_of_list(i, test_units_si(), seed);
        fixture* two = i % 2 ? fixture_of_list(i + 1, test_units_si(), seed + 1)
                             : fixture_of_list(i, test_units_si(), seed);
        sn_pose X[2] = {test_pose(&rng, 3), test_pose(&rng, 3)};
        sn_model_builder* builder = sn_model_builder_create("two");
        CHECK_STATUS(sn_model_builder_add_model(builder, one->model, "left/", X[0]), SN_OK);
        CHECK_STATUS(sn_model_builder_add_model(builder, two->model, "right/", X[1]), SN_OK);
        fixture* both = fixture_create(test_compile(builder), test_units_si(), seed);
        CHECK(both->nq == one->nq + two->nq && both->nv == one->nv + two->nv, seed);
        memcpy(both->q, one->q, (size_t)one->nq * sizeof(double));
        memcpy(both->q + one->nq, two->q, (size_t)two->nq * sizeof(double));
        memcpy(both->v, one->v, (size_t)one->nv * sizeof(double));
        memcpy(both->v + one->nv, two->v, (size_t)two->nv * sizeof(double));
        memcpy(both->tau, one->tau, (size_t)one->nv * sizeof(double));
        memcpy(both->tau + one->nv, two->tau, (size_t)two->nv * sizeof(double));
        accelerations(both, both->gravity, both->x);
        accelerations(one, turned_back(X[0], both->gravity), both->y);
        accelerations(two, turned_back(X[1], both->gravity), both->y + one->nv);
        CHECK_SCALED(both->x, both->y, both->unit_qdd, both->nv, TOL_SOLVE, seed);
        fixture_free(both);
        fixture_free(two);
        fixture_free(one);
    }
}

static void check_pose(sn_pose actual, sn_pose expected, uint64_t seed) {
    double a[12], e[12];
    pose_numbers(actual, a);
    pose_numbers(expected, e);
    CHECK_VECTOR(a, e, 12, TOL_CHAIN, seed);
}

/// A pose on a body, in the world.
static sn_pose in_world(const sn_dynamics* d, sn_body_id body, sn_pose X_b) {
    return body.i < 0 ? X_b : sn_pose_mul(sn_dynamics_pose(d, body), X_b);
}

/// Everything of the copy is where it was, seen from where the copy was put; names have the prefix.
static void all_parts_are_placed_together(void** state) {
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        uint64_t seed = test_case_seed(TEST_PLACE, i);
        test_rng rng = test_rng_make(seed);
        sn_model* model = test_decorated_model(seed);
        sn_pose X = test_pose(&rng, 2);
        sn_model* copy = alone(model, "at/", X);
        sn_dynamics *d = test_dynamics(model, NULL), *e = test_dynamics(copy, NULL);
        double q[256], v[256] = {0};
        assert_true(sn_model_nq(model) <= 256);
        test_random_q(&rng, model, test_units_si(), q);
        CHECK_STATUS(sn_dynamics_kinematics(d, q, v), SN_OK);
        CHECK_STATUS(sn_dynamics_kinematics(e, q, v), SN_OK);
        for (int k = 0; k < sn_model_frame_count(model); k++) {
            sn_frame_id frame = {k};
            char name[64];
            snprintf(name, sizeof name, "at/%s", sn_model_frame(model, frame).name);
            assert_string_equal(sn_model_frame(copy, frame).name, name);
            check_pose(sn_dynamics_frame_pose(e, frame),
                       sn_pose_mul(X, sn_dynamics_frame_pose(d, frame)), seed);
        }
        for (int k = 0; k < sn_model_shape_count(model); k++) {
            sn_shape_info a = sn_model_shape(model, k), b = sn_model_shape(copy, k);
            CHECK(a.body.i == b.body.i && (b.name[0] == 0 || strncmp(b.name, "at/", 3) == 0), seed);
            check_pose(in_world(e, b.body, b.X_bs), sn_pose_mul(X, in_world(d, a.body, a.X_bs)),
                       seed);
        }
        for (int k = 0; k < sn_model_loop_count(model); k++) {
            sn_loop_info a = sn_model_loop(model, k), b = sn_model_loop(copy, k);
            check_pose(in_world(e, b.a.body, b.a.X_bc),
                       sn_pose_mul(X, in_world(d, a.a.body, a.a.X_bc)), seed);
            check_pose(in_world(e, b.b.body, b.b.X_bc),
                       sn_pose_mul(X, in_world(d, a.b.body, a.b.X_bc)), seed);
        }
        sn_dynamics_free(d);
        sn_dynamics_free(e);
        sn_model_free(copy);
        sn_model_free(model);
    }
}

static void bad_arguments_change_nothing(void** state) {
    (void)state;
    sn_model* model = test_decorated_model(test_seed());
    sn_model_builder* builder = sn_model_builder_create("none");
    CHECK_STATUS(sn_model_builder_add_model(NULL, model, "", sn_pose_identity()), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_model_builder_add_model(builder, NULL, "", sn_pose_identity()),
                 SN_ERR_ARGUMENT);
    sn_model* empty = test_compile(builder);
    assert_int_equal(sn_model_frame_count(empty), 0);
    sn_model_free(empty);
    // the same names twice are found when compiling
    builder = sn_model_builder_create("twice");
    CHECK_STATUS(sn_model_builder_add_model(builder, model, "", sn_pose_identity()), SN_OK);
    CHECK_STATUS(sn_model_builder_add_model(builder, model, "", sn_pose_identity()), SN_OK);
    sn_model* twice;
    sn_error error;
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &twice, &error), SN_ERR_MODEL);
    sn_model_builder_free(builder);
    sn_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_alone_and_in_place_is_the_same_model),
        cmocka_unit_test(robots_stay_the_same),
        cmocka_unit_test(the_same_model_moves_the_same_to_the_last_bit),
        cmocka_unit_test(two_models_side_by_side_move_as_two),
        cmocka_unit_test(all_parts_are_placed_together),
        cmocka_unit_test(bad_arguments_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
