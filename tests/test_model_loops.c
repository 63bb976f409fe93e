// SPDX-License-Identifier: Apache-2.0
// Loops of a model: what compiling makes of them, and what it refuses.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/batch.h"
#include "support/check.h"
#include "support/random_state.h"

/// Bodies a and b on the world, and frames fixed to them: tip on a at (1, 0, 0), post on the world.
static sn_model_builder* two_bodies(void) {
    static const char* const names[] = {"a", "b", "tip", "post"};
    static const char* const parents[] = {NULL, NULL, "a", NULL};
    sn_model_builder* builder = sn_model_builder_create("two");
    for (int i = 0; i < 4; i++) {
        sn_body_def def = sn_body_def_default();
        def.name = names[i];
        def.parent = parents[i];
        if (i >= 2) def.joint.type = SN_JOINT_FIXED;
        if (i == 2) def.joint.placement.p = sn_vec3_make(1, 0, 0);
        CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    }
    return builder;
}

static sn_loop_def loop_between(const char* a, const char* b) {
    sn_loop_def def = sn_loop_def_default();
    def.name = "ring";
    def.body_a = a;
    def.body_b = b;
    return def;
}

static void loops_are_compiled_in_their_order_and_found(void** state) {
    (void)state;
    char name[] = "first"; // strings are copied
    sn_model_builder* builder = two_bodies();
    sn_loop_def def = loop_between("tip", "b");
    def.name = name;
    def.type = SN_JOINT_HELICAL;
    def.axis = sn_vec3_make(0, 3, 0);
    def.pitch = 0.25;
    def.X_ac.p = sn_vec3_make(0, 2, 0);
    CHECK_STATUS(sn_model_builder_add_loop(builder, &def), SN_OK);
    name[0] = 'x';
    def = loop_between("a", NULL);
    def.name = "second";
    def.type = SN_JOINT_SPHERICAL;
    def.t_s = 0;
    CHECK_STATUS(sn_model_builder_add_loop(builder, &def), SN_OK);
    sn_model* model = test_compile(builder);
    assert_int_equal(sn_model_loop_count(model), 2);
    assert_int_equal(sn_model_find_loop(model, "first"), 0);
    assert_int_equal(sn_model_find_loop(model, "second"), 1);
    assert_int_equal(sn_model_find_loop(model, "third"), -1);
    sn_loop_info first = sn_model_loop(model, 0), second = sn_model_loop(model, 1);
    assert_string_equal(first.name, "first");
    assert_int_equal(first.type, SN_JOINT_HELICAL);
    assert_true(first.axis.y == 1 && first.pitch == 0.25 && first.t_s == 0.02);
    assert_int_equal(first.a.body.i, sn_model_find_body(model, "a").i);
    assert_int_equal(first.a.frame.i, sn_model_find_frame(model, "tip").i);
    assert_true(first.a.X_bc.p.x == 1 && first.a.X_bc.p.y == 2); // in the body
    assert_true(first.a.X_fc.p.x == 0 && first.a.X_fc.p.y == 2); // in the frame
    assert_int_equal(first.b.body.i, 1);
    assert_true(second.b.body.i == -1 && second.b.frame.i == -1 && second.t_s == 0);
    assert_true(second.axis.z == 1 && second.pitch == 0);
    assert_true(first.rows == 5 && second.rows == 3 && first.length == 0);
    assert_int_equal(sn_model_nv(model), 2); // loops have no coordinates
    sn_model_free(model);
}

static void a_free_loop_with_a_length_is_a_rod(void** state) {
    (void)state;
    sn_model_builder* builder = two_bodies();
    sn_loop_def def = loop_between("a", "b");
    def.type = SN_JOINT_FREE;
    def.length = 0.75;
    CHECK_STATUS(sn_model_builder_add_loop(builder, &def), SN_OK);
    sn_model* model = test_compile(builder);
    sn_loop_info rod = sn_model_loop(model, 0);
    assert_true(rod.rows == 1 && rod.length == 0.75);
    builder = sn_model_builder_create("twice");
    CHECK_STATUS(sn_model_builder_add_model(builder, model, "x/", sn_pose_identity()), SN_OK);
    sn_model* copy = test_compile(builder);
    assert_true(sn_model_loop(copy, 0).length == 0.75);
    sn_model_free(copy);
    sn_model_free(model);
}

/// Expects a loop to be refused with its place and a reason that contains `reason`.
static void expect_refused(const sn_loop_def* def, const char* reason) {
    sn_model_builder* builder = two_bodies();
    sn_loop_def placed = *def;
    placed.place.file = "linkage.json";
    placed.place.line = 17;
    CHECK_STATUS(sn_model_builder_add_loop(builder, &placed), SN_OK);
    sn_model* model;
    sn_error error;
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &model, &error), SN_ERR_MODEL);
    assert_null(model);
    if (!strstr(error.text, reason)) fail_msg("'%s' does not say '%s'", error.text, reason);
    assert_non_null(strstr(error.text, "loop 'ring'"));
    assert_string_equal(error.file, "linkage.json");
    assert_int_equal(error.line, 17);
    sn_model_builder_free(builder);
}

static void loops_that_make_no_sense_are_refused_with_their_place(void** state) {
    (void)state;
    sn_loop_def def = loop_between("a", "c");
    expect_refused(&def, "holds body 'c', which does not exist");
    def = loop_between("a", "a");
    expect_refused(&def, "parts of one body");
    def = loop_between("a", "tip");
    expect_refused(&def, "holds 'a' and 'tip', which are parts of one body");
    def = loop_between(NULL, NULL);
    expect_refused(&def, "parts of one body");
    def = loop_between("post", NULL);
    expect_refused(&def, "holds 'post' and 'world'");
    def = loop_between("a", "b");
    def.type = SN_JOINT_TYPE_COUNT;
    expect_refused(&def, "unknown joint type");
    def.type = SN_JOINT_FREE;
    def.length = -1;
    expect_refused(&def, "the length of a rod must be finite");
    def = loop_between("a", "b");
    def.axis = sn_vec3_zero();
    expect_refused(&def, "axis must be a vector of non-zero length");
    def.type = SN_JOINT_UNIVERSAL;
    def.axis = def.axis2;
    expect_refused(&def, "must be perpendicular");
    def = loop_between("a", "b");
    def.type = SN_JOINT_HELICAL;
    def.pitch = NAN;
    expect_refused(&def, "pitch is not finite");
    def = loop_between("a", "b");
    def.X_ac.p.x = INFINITY;
    expect_refused(&def, "not finite");
    def = loop_between("a", "b");
    def.X_bc.R.m[0][0] = 2;
    expect_refused(&def, "not a rotation");
    def = loop_between("a", "b");
    def.t_s = -1;
    expect_refused(&def, "t_s must be finite and not negative");
    def.t_s = NAN;
    expect_refused(&def, "t_s must be finite and not negative");
}

static void two_loops_of_one_name_are_refused(void** state) {
    (void)state;
    sn_model_builder* builder = two_bodies();
    sn_loop_def def = loop_between("a", "b");
    CHECK_STATUS(sn_model_builder_add_loop(builder, &def), SN_OK);
    CHECK_STATUS(sn_model_builder_add_loop(builder, &def), SN_OK);
    sn_model* model;
    sn_error error;
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &model, &error), SN_ERR_MODEL);
    assert_non_null(strstr(error.text, "there is another loop 'ring'"));
    sn_model_builder_free(builder);
}

static void arguments_that_are_missing_are_refused(void** state) {
    (void)state;
    sn_model_builder* builder = two_bodies();
    sn_loop_def def = loop_between("a", "b");
    CHECK_STATUS(sn_model_builder_add_loop(NULL, &def), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_model_builder_add_loop(builder, NULL), SN_ERR_ARGUMENT);
    def.name = NULL;
    CHECK_STATUS(sn_model_builder_add_loop(builder, &def), SN_ERR_ARGUMENT);
    sn_model_builder_free(builder);
}

static void hear(void* context, sn_log_level level, sn_place place, const char* text) {
    (void)place;
    if (level == SN_LOG_WARNING && strstr(text, "holds nothing together")) *(int*)context += 1;
}

static void a_free_loop_is_warned_about(void** state) {
    (void)state;
    int warnings = 0;
    sn_log log = {hear, &warnings};
    sn_model_builder* builder = two_bodies();
    sn_loop_def def = loop_between("a", "b");
    def.type = SN_JOINT_FREE;
    CHECK_STATUS(sn_model_builder_add_loop(builder, &def), SN_OK);
    sn_model* model;
    CHECK_STATUS(sn_model_builder_compile(builder, &log, &model, NULL), SN_OK);
    assert_int_equal(warnings, 1);
    sn_model_builder_free(builder);
    sn_model_free(model);
}

static void a_batch_refuses_loops(void** state) {
    (void)state;
    sn_model_builder* builder = two_bodies();
    sn_loop_def def = loop_between("a", "b");
    CHECK_STATUS(sn_model_builder_add_loop(builder, &def), SN_OK);
    sn_model* model = test_compile(builder);
    sn_batch* batch;
    sn_error error;
    CHECK_STATUS(sn_batch_create(model, &batch, &error), SN_ERR_ARGUMENT);
    assert_null(batch);
    assert_non_null(strstr(error.text, "loops of 'two'"));
    sn_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_compiled_in_their_order_and_found),
        cmocka_unit_test(a_free_loop_with_a_length_is_a_rod),
        cmocka_unit_test(loops_that_make_no_sense_are_refused_with_their_place),
        cmocka_unit_test(two_loops_of_one_name_are_refused),
        cmocka_unit_test(arguments_that_are_missing_are_refused),
        cmocka_unit_test(a_free_loop_is_warned_about),
        cmocka_unit_test(a_batch_refuses_loops),
    };
    return cmocka_run_group_tests_name("model loops", tests, NULL, NULL);
}
