// SPDX-License-Identifier: Apache-2.0
// Control inside a step, and constraints that hold bodies while models are replaced.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/world_scene.h"

static sn_vec3 cube(double edge) { return sn_vec3_make(edge, edge, edge); }
static sn_pose at(double x, double z) {
    return sn_pose_make(sn_mat3_identity(), sn_vec3_make(x, 0, z));
}

typedef struct lift {
    double force; ///< N upward on body 0
    int calls, fail_at;
} lift;

static sn_status push_up(void* context, const sn_world* world, const sn_drive* drive) {
    double* tau = drive->tau;
    lift* l = context;
    (void)world; // the same force in every state
    l->calls++;
    for (int k = 0; k < 6; k++) assert_true(tau[k] == 0);
    tau[5] = l->calls == l->fail_at ? NAN : l->force; // body axes are the world's
    return SN_OK;
}

static sn_status refuse(void* context, const sn_world* world, const sn_drive* drive) {
    (void)world;
    drive->tau[5] = 1e6;
    return ++*(int*)context == 3 ? SN_ERR_ARGUMENT : SN_OK;
}

static world_scene* one_cube(double height) {
    world_scene* s = world_scene_create();
    s->def.contact = sn_world_contact_default();
    s->def.contact.on = true;
    world_scene_floor(s, sn_pose_identity());
    world_scene_add(s, SN_SHAPE_BOX, cube(0.2), 2, at(0, height));
    world_scene_start(s);
    return s;
}

static void control_adds_to_the_forces_of_the_user(void** state) {
    (void)state;
    world_scene* s = one_cube(1);
    lift l = {.force = 2 * 9.81 * 0.75};
    double user[6] = {0, 0, 0, 0, 0, 2 * 9.81 * 0.25};
    sn_world_set_control(s->world, &(sn_control){push_up, &l});
    CHECK_STATUS(sn_world_set_force(s->world, user), SN_OK);
    world_scene_run(s, 0.5);
    assert_int_equal(l.calls, 500);
    CHECK_NEAR(sn_world_control(s->world)[5], l.force, 0, 0);
    CHECK_NEAR(world_scene_pose(s, 0).p.z, 1, 1e-12, 0); // weightless
    sn_world_set_control(s->world, NULL);
    CHECK_NEAR(sn_world_control(s->world)[5], 0, 0, 0);
    world_scene_run(s, 0.1);
    double a = 9.81 * 0.75; // what the user holds is missing; in flight positions are exact
    CHECK_NEAR(world_scene_pose(s, 0).p.z, 1 - a * 0.01 / 2, 1e-12, 0);
    world_scene_free(s);
}

static void control_that_fails_or_is_not_finite_is_switched_off(void** state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        world_scene* s = one_cube(1);
        lift l = {.force = 1, .fail_at = 3};
        int calls = 0;
        sn_control bad = way ? (sn_control){refuse, &calls} : (sn_control){push_up, &l};
        sn_world_set_control(s->world, &bad);
        for (int k = 1; k <= 6; k++) {
            world_scene_step(s); // succeeds
            assert_int_equal((s->report.events & SN_EVENT_CONTROL) != 0, k == 3);
            if (k >= 3) CHECK_NEAR(sn_world_control(s->world)[5], 0, 0, 0);
        }
        assert_int_equal(way ? calls : l.calls, 3);
        world_scene_free(s);
    }
}

static void what_is_controlled_does_not_sleep(void** state) {
    (void)state;
    world_scene* s = one_cube(0.1);
    lift l = {.force = 1};
    sn_world_set_control(s->world, &(sn_control){push_up, &l});
    world_scene_run(s, 1);
    assert_int_equal(s->report.contact.resting, 0);
    sn_world_set_control(s->world, NULL);
    world_scene_run(s, 1);
    assert_int_equal(s->report.contact.resting, 1);
    sn_world_set_control(s->world, &(sn_control){push_up, &l});
    world_scene_step(s);
    assert_int_equal(s->report.contact.resting, 0);
    world_scene_free(s);
}

static sn_status push_last(void* context, const sn_world* world, const sn_drive* drive) {
    (void)context;
    drive->tau[sn_model_nv(sn_world_model(world)) - 1] = 0.1;
    return SN_OK;
}

static void one_controlled_joint_keeps_its_tree_awake_and_no_other(void** state) {
    (void)state;
    world_scene* s = world_scene_create();
    s->def.contact = sn_world_contact_default();
    s->def.contact.on = true;
    world_scene_floor(s, sn_pose_identity());
    for (int i = 0; i < 3; i++) world_scene_add(s, SN_SHAPE_BOX, cube(0.2), 2, at(i, 0.1));
    world_scene_start(s);
    sn_world_set_control(s->world, &(sn_control){push_last, NULL});
    world_scene_run(s, 1);
    for (int i = 0; i < 3; i++) assert_int_equal(sn_world_is_resting(s->world, sn_body(i)), i < 2);
    world_scene_free(s);
}

// ---- holds ------------------------------------------------------------------------------------------------

/// Cubes in a row, the first `count`.
static sn_model* row_of_cubes(int count, double first_x) {
    sn_model_builder* builder = sn_model_builder_create("row");
    for (int i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        sn_body_def body = sn_body_def_default();
        body.name = name;
        body.joint.type = SN_JOINT_FREE;
        body.joint.placement = at(first_x + i, 1);
        body.inertia = sn_inertia_box(1, cube(0.2));
        CHECK_STATUS(sn_model_builder_add_body(builder, &body), SN_OK);
    }
    sn_model* model;
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &model, NULL), SN_OK);
    sn_model_builder_free(builder);
    return model;
}

static sn_world* world_of(const sn_model* model) {
    sn_world_def def = sn_world_def_default();
    sn_world* world;
    def.contact.on = true;
    CHECK_STATUS(sn_world_create(model, &def, &world, NULL), SN_OK);
    return world;
}

static void run_steps(sn_world* world, int steps) {
    for (int k = 0; k < steps; k++) CHECK_STATUS(sn_world_step(world, NULL), SN_OK);
}

static double height_of(sn_world* world, int body) {
    return sn_snapshot_pose(sn_world_snapshot(world), sn_body(body)).p.z;
}

static void a_hold_keeps_bodies_as_they_were_and_goes_on_with_them(void** state) {
    (void)state;
    sn_model *three = row_of_cubes(3, 0), *two = row_of_cubes(2, 1);
    sn_world* world = world_of(three);
    sn_constraint c = sn_constraint_default();
    c.id = 1;
    c.a = sn_body(1);
    c.b = sn_body_world();
    CHECK_STATUS(sn_world_hold(world, &c, NULL), SN_OK); // 1 hangs on the world
    c.id = 2;
    c.a = sn_body(2);
    c.b = sn_body(1);
    CHECK_STATUS(sn_world_hold(world, &c, NULL), SN_OK); // 2 on 1
    c.id = 3;
    c.a = sn_body(0);
    CHECK_STATUS(sn_world_hold(world, &c, NULL), SN_OK); // 0 on 1, on the other side
    run_steps(world, 500);
    for (int i = 0; i < 3; i++) CHECK_NEAR(height_of(world, i), 1, 1e-3, 0);

    // body 0 goes, and its hold with it; 1 and 2 are 0 and 1 now and hold on
    sn_replacement* r = NULL;
    sn_body_id from[2] = {{1}, {2}};
    CHECK_STATUS(sn_world_prepare(world, three, two, from, &r, NULL), SN_OK);
    CHECK_STATUS(sn_world_replace(world, r), SN_OK);
    run_steps(world, 500);
    for (int i = 0; i < 2; i++) CHECK_NEAR(height_of(world, i), 1, 1e-3, 0);
    CHECK_STATUS(sn_world_remove_constraint(world, 3), SN_ERR_ARGUMENT); // gone with its body
    CHECK_STATUS(sn_world_remove_constraint(world, 2), SN_OK);
    run_steps(world, 200);
    CHECK_NEAR(height_of(world, 0), 1, 1e-3, 0);
    assert_true(height_of(world, 1) < 0.9);
    sn_world_free(world);
    sn_model_free(three);
    sn_model_free(two);
}

static void a_held_body_sleeps_and_wakes_with_what_holds_it(void** state) {
    (void)state;
    world_scene* s = world_scene_create();
    s->def.contact = sn_world_contact_default();
    s->def.contact.on = true;
    world_scene_floor(s, sn_pose_identity());
    world_scene_add(s, SN_SHAPE_BOX, cube(0.2), 1, at(0, 0.1));
    world_scene_add(s, SN_SHAPE_BOX, cube(0.2), 1, at(1, 0.1)); // apart, but held
    world_scene_start(s);
    sn_constraint c = sn_constraint_default();
    c.id = 7;
    c.a = sn_body(0);
    c.b = sn_body(1);
    CHECK_STATUS(sn_world_hold(s->world, &c, NULL), SN_OK);
    world_scene_run(s, 1);
    assert_int_equal(s->report.contact.groups, 1);
    assert_int_equal(s->report.contact.resting, 2);
    sn_wrench up = sn_wrench_make(sn_vec3_zero(), sn_vec3_make(0, 0, 40));
    CHECK_STATUS(sn_world_set_wrench(s->world, sn_body(0), SN_AXES_WORLD, up), SN_OK);
    world_scene_run(s, 0.3);
    assert_int_equal(s->report.contact.resting, 0);
    assert_true(world_scene_pose(s, 0).p.z > 0.15);
    world_scene_free(s);
}

static void a_replacement_that_was_posted_and_never_taken_is_freed_with_the_world(void** state) {
    (void)state;
    sn_model *three = row_of_cubes(3, 0), *two = row_of_cubes(2, 1);
    sn_world* world = world_of(three);
    sn_replacement* r = NULL;
    sn_body_id from[2] = {{1}, {2}};
    CHECK_STATUS(sn_world_prepare(world, three, two, from, &r, NULL), SN_OK);
    sn_command command = {.type = SN_COMMAND_REPLACE, .replacement = r};
    CHECK_STATUS(sn_world_post(world, &command), SN_OK);
    sn_world_free(world); // the leak checker looks on
    sn_model_free(three);
    sn_model_free(two);
}

static void new_bodies_of_a_replacement_begin_where_they_are_put(void** state) {
    (void)state;
    sn_model *two = row_of_cubes(2, 0), *three = row_of_cubes(3, 0);
    sn_world* world = world_of(two);
    run_steps(world, 10);
    double before = height_of(world, 0);
    sn_replacement* r = NULL;
    sn_body_id from[3] = {{0}, {1}, {-1}};
    double q[21], v[18] = {0};
    CHECK_STATUS(sn_world_prepare(world, two, three, from, &r, NULL), SN_OK);
    sn_model_neutral(three, q);
    q[2] = 99; // of a body that goes on: does not count
    q[14 + 2] = 4;
    v[12 + 5] = 3;
    CHECK_STATUS(sn_replacement_set_state(r, q, v), SN_OK);
    q[14] = NAN;
    CHECK_STATUS(sn_replacement_set_state(r, q, v), SN_ERR_NUMERIC);
    CHECK_STATUS(sn_world_replace(world, r), SN_OK);
    CHECK_NEAR(sn_world_q(world)[14 + 2], 4, 0, 0);
    CHECK_NEAR(sn_world_v(world)[12 + 5], 3, 0, 0);
    CHECK_NEAR(sn_world_q(world)[2] + 1, before, 1e-12, 0);
    run_steps(world, 1);
    CHECK_NEAR(height_of(world, 2), 5 + 3e-3 - 9.81e-6 / 2, 1e-12, 0);
    sn_world_free(world);
    sn_model_free(two);
    sn_model_free(three);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_adds_to_the_forces_of_the_user),
        cmocka_unit_test(control_that_fails_or_is_not_finite_is_switched_off),
        cmocka_unit_test(what_is_controlled_does_not_sleep),
        cmocka_unit_test(one_controlled_joint_keeps_its_tree_awake_and_no_other),
        cmocka_unit_test(a_hold_keeps_bodies_as_they_were_and_goes_on_with_them),
        cmocka_unit_test(a_held_body_sleeps_and_wakes_with_what_holds_it),
        cmocka_unit_test(a_replacement_that_was_posted_and_never_taken_is_freed_with_the_world),
        cmocka_unit_test(new_bodies_of_a_replacement_begin_where_they_are_put),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
