// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/generate.h"
#include "support/check.h"

/// Collects what the compiler says.
typedef struct heard {
    int warnings;
    char last[512];
} heard;

static void hear(void* context, sn_log_level level, sn_place place, const char* text) {
    heard* h = context;
    (void)place;
    if (level == SN_LOG_WARNING) h->warnings++;
    snprintf(h->last, sizeof h->last, "%s", text);
}

static sn_body_def named(const char* name, const char* parent) {
    sn_body_def def = sn_body_def_default();
    def.name = name;
    def.parent = parent;
    return def;
}

/// Compiles and frees the builder; the error text goes to *error.
static sn_status compile(sn_model_builder* builder, const sn_log* log, sn_model** model,
                         sn_error* error) {
    sn_status status = sn_model_builder_compile(builder, log, model, error);
    sn_model_builder_free(builder);
    return status;
}

/// Expects the definitions to be refused with a reason that contains `reason`.
static void expect_refused(sn_model_builder* builder, const char* reason) {
    sn_model* model = (sn_model*)&model;
    sn_error error;
    CHECK_STATUS(compile(builder, NULL, &model, &error), SN_ERR_MODEL);
    assert_null(model);
    if (!strstr(error.text, reason)) fail_msg("'%s' does not say '%s'", error.text, reason);
}

static void expect_body_refused(const sn_body_def* def, const char* reason) {
    sn_model_builder* builder = sn_model_builder_create("m");
    CHECK_STATUS(sn_model_builder_add_body(builder, def), SN_OK);
    expect_refused(builder, reason);
}

static void an_empty_model_is_a_model(void** state) {
    (void)state;
    sn_model* model;
    CHECK_STATUS(compile(sn_model_builder_create("nothing"), NULL, &model, NULL), SN_OK);
    assert_int_equal(sn_model_body_count(model), 0);
    assert_int_equal(sn_model_nq(model), 0);
    assert_true(sn_model_mass(model) == 0);
    assert_int_equal(sn_model_find_body(model, "x").i, -1);
    sn_model_free(model);
}

static void bodies_keep_their_order_when_parents_come_first(void** state) {
    (void)state;
    sn_model_builder* builder = sn_model_builder_create("m");
    const char* names[][2] = {{"a", NULL}, {"b", NULL}, {"c", "a"}, {"d", "b"}};
    for (int i = 0; i < 4; i++) {
        sn_body_def def = named(names[i][0], names[i][1]);
        CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    }
    sn_model* model;
    CHECK_STATUS(compile(builder, NULL, &model, NULL), SN_OK);
    for (int i = 0; i < 4; i++)
        assert_string_equal(sn_model_body(model, sn_body(i)).name, names[i][0]);
    assert_int_equal(sn_model_body(model, sn_body(3)).parent.i, 1);
    sn_model_free(model);
}

static void bodies_in_any_order_are_put_depth_first(void** state) {
    (void)state;
    sn_model_builder* builder = sn_model_builder_create("m");
    const char* names[][2] = {{"leaf", "mid"}, {"mid", "top"}, {"top", NULL}, {"side", "top"}};
    for (int i = 0; i < 4; i++) {
        sn_body_def def = named(names[i][0], names[i][1]);
        CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    }
    sn_model* model;
    CHECK_STATUS(compile(builder, NULL, &model, NULL), SN_OK);
    const char* expected[] = {"top", "mid", "leaf", "side"};
    for (int i = 0; i < 4; i++)
        assert_string_equal(sn_model_body(model, sn_body(i)).name, expected[i]);
    sn_model_free(model);
}

static void fixed_bodies_add_their_inertia_and_stay_addressable(void** state) {
    (void)state;
    sn_model_builder* builder = sn_model_builder_create("m");
    sn_body_def arm = named("arm", NULL), tool = named("tool", "arm"), tip = named("tip", "tool");
    tool.joint.type = tip.joint.type = SN_JOINT_FIXED;
    tool.joint.placement.p = sn_vec3_make(1, 0, 0);
    tip.joint.placement.p = sn_vec3_make(0, 2, 0);
    arm.inertia = sn_inertia_sphere(1, 0.5);
    tool.inertia = sn_inertia_sphere(3, 0.5);
    tip.inertia = sn_inertia_sphere(0, 0);
    sn_body_def next = named("next", "tip");
    CHECK_STATUS(sn_model_builder_add_body(builder, &arm), SN_OK);
    CHECK_STATUS(sn_model_builder_add_body(builder, &tool), SN_OK);
    CHECK_STATUS(sn_model_builder_add_body(builder, &tip), SN_OK);
    CHECK_STATUS(sn_model_builder_add_body(builder, &next), SN_OK);
    sn_model* model;
    CHECK_STATUS(compile(builder, NULL, &model, NULL), SN_OK);

    assert_int_equal(sn_model_body_count(model), 2);
    assert_int_equal(sn_model_frame_count(model), 4);
    sn_body_info info = sn_model_body(model, sn_body(0));
    CHECK_NEAR(info.inertia.mass, 4, 0, 0);
    CHECK_NEAR(info.inertia.com.x, 0.75, TOL_ROUNDOFF, 0);
    // two spheres of 0.4 m r^2 a distance 1 apart: reduced mass 1*3/4 across, nothing along
    CHECK_NEAR(info.inertia.I.m[0][0], 0.4, TOL_ROUNDOFF, 0);
    CHECK_NEAR(info.inertia.I.m[2][2], 0.4 + 0.75, TOL_ROUNDOFF, 0);
    sn_frame_info frame = sn_model_frame(model, sn_model_find_frame(model, "tip"));
    assert_true(frame.folded);
    assert_int_equal(frame.body.i, 0);
    CHECK_NEAR(frame.X_bf.p.x, 1, 0, 0);
    CHECK_NEAR(frame.X_bf.p.y, 2, 0, 0);
    assert_int_equal(sn_model_find_body(model, "tip").i, -1);
    // a joint behind fixed ones is placed in the moving body
    CHECK_NEAR(sn_model_body(model, sn_body(1)).placement.p.y, 2, 0, 0);
    sn_model_free(model);
}

static void a_body_fixed_to_the_world_is_a_frame_of_the_world(void** state) {
    (void)state;
    sn_model_builder* builder = sn_model_builder_create("m");
    sn_body_def base = named("base", NULL), arm = named("arm", "base");
    base.joint.type = SN_JOINT_FIXED;
    CHECK_STATUS(sn_model_builder_add_body(builder, &base), SN_OK);
    CHECK_STATUS(sn_model_builder_add_body(builder, &arm), SN_OK);
    sn_model* model;
    CHECK_STATUS(compile(builder, NULL, &model, NULL), SN_OK);
    assert_int_equal(sn_model_frame(model, sn_model_find_frame(model, "base")).body.i, -1);
    assert_int_equal(sn_model_body(model, sn_body(0)).parent.i, -1);
    CHECK_NEAR(sn_model_mass(model), 1, 0, 0); // the base does not move
    sn_model_free(model);
}

static void duplicate_names_missing_parents_and_cycles_are_named(void** state) {
    (void)state;
    const struct {
        const char* bodies[3][2];
        const char* reason;
    } cases[] = {
        {{{"a", NULL}, {"a", NULL}}, "body 'a' is defined twice"},
        {{{"a", NULL}, {"b", "zz"}}, "'zz', which does not exist"},
        {{{"a", "b"}, {"b", "a"}}, "cycle: a -> b -> a"},
        {{{"a", "a"}}, "cycle: a -> a"},
        {{{"r", NULL}, {"a", "b"}, {"b", "a"}}, "cycle"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        sn_model_builder* builder = sn_model_builder_create("m");
        for (int i = 0; i < 3 && cases[c].bodies[i][0]; i++) {
            sn_body_def def = named(cases[c].bodies[i][0], cases[c].bodies[i][1]);
            CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
        }
        expect_refused(builder, cases[c].reason);
    }
    sn_model_builder* builder = sn_model_builder_create("m");
    sn_body_def a = named("a", NULL), b = named("b", NULL);
    a.joint.name = b.joint.name = "hinge";
    CHECK_STATUS(sn_model_builder_add_body(builder, &a), SN_OK);
    CHECK_STATUS(sn_model_builder_add_body(builder, &b), SN_OK);
    expect_refused(builder, "joint 'hinge' is defined twice");
}

static void moving_bodies_without_proper_inertia_are_refused(void** state) {
    (void)state;
    sn_body_def def = named("a", NULL);
    def.inertia.mass = 0;
    expect_body_refused(&def, "has no mass");
    def = named("a", NULL);
    def.inertia.mass = -1;
    expect_body_refused(&def, "mass is negative");
    def = named("a", NULL);
    def.inertia.I = sn_mat3_diagonal(1, 1, 0);
    expect_body_refused(&def, "not positive definite");
    def.inertia.I = sn_mat3_diagonal(1, 1, -1);
    expect_body_refused(&def, "not positive definite");
}

static void an_impossible_inertia_is_warned_about_and_used(void** state) {
    (void)state;
    sn_model_builder* builder = sn_model_builder_create("m");
    sn_body_def def = named("a", NULL);
    def.inertia.I = sn_mat3_diagonal(1, 1, 3);
    CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    heard h = {0, ""};
    sn_log log = {hear, &h};
    sn_model* model;
    CHECK_STATUS(compile(builder, &log, &model, NULL), SN_OK);
    assert_int_equal(h.warnings, 1);
    assert_non_null(strstr(h.last, "triangle inequality"));
    CHECK_NEAR(sn_model_body(model, sn_body(0)).inertia.I.m[2][2], 3, 0, 0);
    sn_model_free(model);
}

static void numbers_that_are_none_are_refused_by_name(void** state) {
    (void)state;
    sn_body_def def = named("a", NULL);
    def.inertia.com.y = NAN;
    expect_body_refused(&def, "body 'a': mass, centre of mass or inertia is not finite");
    def = named("a", NULL);
    def.joint.placement.p.x = INFINITY;
    expect_body_refused(&def, "placement is not finite");
    def = named("a", NULL);
    def.joint.placement.R = sn_mat3_diagonal(1, 1, 2);
    expect_body_refused(&def, "not a rotation");
    def.joint.placement.R = sn_mat3_diagonal(1, 1, -1); // left-handed
    expect_body_refused(&def, "not a rotation");
    def = named("a", NULL);
    def.joint.axis = sn_vec3_zero();
    expect_body_refused(&def, "axis must be a vector of non-zero length");
    def = named("a", NULL);
    def.joint.damping[0] = -1;
    expect_body_refused(&def, "damping");
    def.joint.damping[0] = NAN;
    expect_body_refused(&def, "damping");
    def = named("a", NULL);
    def.joint.lower[0] = 1, def.joint.upper[0] = 0;
    expect_body_refused(&def, "lower limit is above");
    def = named("a", NULL);
    def.joint.type = SN_JOINT_UNIVERSAL;
    def.joint.axis2 = sn_vec3_make(0, 1, 1);
    expect_body_refused(&def, "perpendicular");
    def = named("a", NULL);
    def.joint.type = SN_JOINT_SPHERICAL;
    def.joint.stiffness[0] = 1;
    expect_body_refused(&def, "must be equal");
    def = named("a", NULL);
    def.joint.type = (sn_joint_type)77;
    expect_body_refused(&def, "unknown joint type 77");
}

static void the_place_of_a_definition_is_in_the_error(void** state) {
    (void)state;
    sn_model_builder* builder = sn_model_builder_create("m");
    sn_body_def def = named("a", NULL);
    def.inertia.mass = 0;
    def.place.file = "robot.urdf";
    def.place.line = 12;
    CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    sn_model* model;
    sn_error error;
    CHECK_STATUS(compile(builder, NULL, &model, &error), SN_ERR_MODEL);
    assert_string_equal(error.file, "robot.urdf");
    assert_int_equal(error.line, 12);
}

static void shapes_follow_their_frame(void** state) {
    (void)state;
    sn_model_builder* builder = sn_model_builder_create("m");
    sn_body_def arm = named("arm", NULL), tool = named("tool", "arm");
    tool.joint.type = SN_JOINT_FIXED;
    tool.joint.placement.p = sn_vec3_make(1, 0, 0);
    CHECK_STATUS(sn_model_builder_add_body(builder, &arm), SN_OK);
    CHECK_STATUS(sn_model_builder_add_body(builder, &tool), SN_OK);
    sn_shape_def shape = sn_shape_def_default();
    shape.body = "tool";
    shape.name = "ball";
    shape.pose.p = sn_vec3_make(0, 0, 5);
    CHECK_STATUS(sn_model_builder_add_shape(builder, &shape), SN_OK);
    shape.body = NULL; // the world
    shape.type = SN_SHAPE_PLANE;
    CHECK_STATUS(sn_model_builder_add_shape(builder, &shape), SN_OK);
    sn_model* model;
    CHECK_STATUS(compile(builder, NULL, &model, NULL), SN_OK);
    sn_shape_info info = sn_model_shape(model, 0);
    assert_string_equal(info.name, "ball");
    assert_int_equal(info.body.i, 0);
    CHECK_NEAR(info.X_bs.p.x, 1, 0, 0);
    CHECK_NEAR(info.X_bs.p.z, 5, 0, 0);
    assert_int_equal(sn_model_shape(model, 1).body.i, -1);
    sn_model_free(model);

    builder = sn_model_builder_create("m");
    shape = sn_shape_def_default();
    shape.body = "nobody";
    CHECK_STATUS(sn_model_builder_add_shape(builder, &shape), SN_OK);
    expect_refused(builder, "'nobody', which does not exist");
    builder = sn_model_builder_create("m");
    shape = sn_shape_def_default();
    shape.size.x = 0;
    CHECK_STATUS(sn_model_builder_add_shape(builder, &shape), SN_OK);
    expect_refused(builder, "size must be positive");
}

static void a_hundred_thousand_bodies_compile_and_are_found(void** state) {
    (void)state;
    sn_generate_def def = sn_generate_def_default();
    def.count = 100000;
    sn_model_builder* builder = sn_model_builder_create("long");
    CHECK_STATUS(sn_generate(&def, builder), SN_OK);
    sn_model* model;
    CHECK_STATUS(compile(builder, NULL, &model, NULL), SN_OK);
    assert_int_equal(sn_model_find_body(model, "b054321").i, 54321);
    sn_model_free(model);
}

static void generated_models_have_the_shape_they_are_named_after(void** state) {
    (void)state;
    for (int shape = 0; shape < SN_GENERATE_COUNT; shape++) {
        sn_generate_def def = sn_generate_def_default();
        def.shape = (sn_generate_shape)shape;
        def.count = 31;
        sn_model_builder* builder = sn_model_builder_create("m");
        CHECK_STATUS(sn_generate(&def, builder), SN_OK);
        sn_model* model;
        CHECK_STATUS(compile(builder, NULL, &model, NULL), SN_OK);
        assert_int_equal(sn_model_body_count(model), 31);
        int children[31] = {0}, depth[31], deepest = 0, most = 0, types = 0;
        for (int i = 0; i < 31; i++) {
            sn_body_info info = sn_model_body(model, sn_body(i));
            depth[i] = info.parent.i < 0 ? 1 : depth[info.parent.i] + 1;
            if (info.parent.i >= 0) children[info.parent.i]++;
            deepest = depth[i] > deepest ? depth[i] : deepest;
            types |= 1 << info.type;
        }
        for (int i = 0; i < 31; i++) most = children[i] > most ? children[i] : most;
        const int expected[SN_GENERATE_COUNT][2] = {{31, 1}, {5, 2},  {2, 30}, {16, 2},
                                                    {0, 0},  {31, 1}, {31, 1}};
        if (shape != SN_GENERATE_RANDOM) {
            assert_int_equal(deepest, expected[shape][0]);
            assert_int_equal(most, expected[shape][1]);
        } else {
            assert_int_equal(types, (1 << SN_JOINT_TYPE_COUNT) - 2); // all but fixed
        }
        sn_model_free(model);
    }
}

static void a_pendulum_is_the_same_rod_however_it_is_cut(void** state) {
    (void)state;
    for (int count = 1; count <= 300; count += 23) {
        sn_generate_def def = sn_generate_def_default();
        def.shape = SN_GENERATE_PENDULUM;
        def.count = count;
        sn_model_builder* builder = sn_model_builder_create("m");
        CHECK_STATUS(sn_generate(&def, builder), SN_OK);
        sn_model* model;
        CHECK_STATUS(compile(builder, NULL, &model, NULL), SN_OK);
        sn_body_info last = sn_model_body(model, sn_body(count - 1));
        double length = 2 * last.inertia.com.x; // of the last link, then of those before
        for (int i = 1; i < count; i++) length += sn_model_body(model, sn_body(i)).placement.p.x;
        CHECK_RELATIVE(sn_model_mass(model), 3, TOL_CHAIN, (uint64_t)count);
        CHECK_RELATIVE(length, 3, TOL_CHAIN, (uint64_t)count);
        sn_model_free(model);
    }
}

// Seeds are named in reports and scripts, so a seed must give the same model with every compiler:
// random draws may not depend on the order in which arguments are evaluated.
static void a_seed_gives_the_same_model_with_every_compiler(void** state) {
    (void)state;
    sn_generate_def def = sn_generate_def_default();
    assert_true(sn_generate_parse("random:200:7", &def));
    sn_model_builder* builder = sn_model_builder_create("m");
    CHECK_STATUS(sn_generate(&def, builder), SN_OK);
    sn_model* model;
    CHECK_STATUS(compile(builder, NULL, &model, NULL), SN_OK);
    double sum = 0;
    for (int i = 0; i < 200; i++) {
        sn_body_info info = sn_model_body(model, sn_body(i));
        sum += info.inertia.com.x + info.placement.R.m[0][1] + info.axis.z;
    }
    // as printed by gcc 12 and clang 14
    assert_int_equal(sn_model_nv(model), 464);
    CHECK_RELATIVE(sn_model_mass(model), 372.344142560413, TOL_ROUNDOFF, 7);
    CHECK_RELATIVE(sum, 60.2333493014392, TOL_CHAIN, 7);
    sn_model_free(model);
}

static void generator_texts_are_read_or_refused(void** state) {
    (void)state;
    sn_generate_def def = sn_generate_def_default();
    assert_true(sn_generate_parse("random:20:7", &def));
    assert_int_equal(def.shape, SN_GENERATE_RANDOM);
    assert_int_equal(def.count, 20);
    assert_int_equal(def.seed, 7);
    const char* bad[] = {"chain",
                         "chain:",
                         "chain:0",
                         "chain:-1",
                         "chain:9x",
                         "chain:3:",
                         "chain:99999999999999999999",
                         "worm:3",
                         "chain:3:4:5",
                         ""};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(sn_generate_parse(bad[i], &def));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_model_is_a_model),
        cmocka_unit_test(bodies_keep_their_order_when_parents_come_first),
        cmocka_unit_test(bodies_in_any_order_are_put_depth_first),
        cmocka_unit_test(fixed_bodies_add_their_inertia_and_stay_addressable),
        cmocka_unit_test(a_body_fixed_to_the_world_is_a_frame_of_the_world),
        cmocka_unit_test(duplicate_names_missing_parents_and_cycles_are_named),
        cmocka_unit_test(moving_bodies_without_proper_inertia_are_refused),
        cmocka_unit_test(an_impossible_inertia_is_warned_about_and_used),
        cmocka_unit_test(numbers_that_are_none_are_refused_by_name),
        cmocka_unit_test(the_place_of_a_definition_is_in_the_error),
        cmocka_unit_test(shapes_follow_their_frame),
        cmocka_unit_test(a_hundred_thousand_bodies_compile_and_are_found),
        cmocka_unit_test(generated_models_have_the_shape_they_are_named_after),
        cmocka_unit_test(a_pendulum_is_the_same_rod_however_it_is_cut),
        cmocka_unit_test(a_seed_gives_the_same_model_with_every_compiler),
        cmocka_unit_test(generator_texts_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
