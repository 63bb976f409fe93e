// SPDX-License-Identifier: Apache-2.0
// Groups of bodies that touch, and their sleep: who is in which, when they fall asleep, what wakes them.
#include <math.h>
#include <string.h>

#include "support/world_scene.h"

static sn_vec3 cube(double edge) { return sn_vec3_make(edge, edge, edge); }
static sn_pose at(double x, double z) {
    return sn_pose_make(sn_mat3_identity(), sn_vec3_make(x, 0, z));
}

static world_scene* sleepy_scene(void) {
    world_scene* s = world_scene_create();
    s->def.contact = sn_world_contact_default();
    s->def.contact.on = true;
    world_scene_floor(s, sn_pose_identity());
    return s;
}

static void three_stacked_cubes_are_one_group_and_three_apart_are_three(void** state) {
    (void)state;
    for (int stacked = 0; stacked < 2; stacked++) {
        world_scene* s = sleepy_scene();
        for (int i = 0; i < 3; i++)
            world_scene_add(s, SN_SHAPE_BOX, cube(0.2), 1,
                            stacked ? at(0, 0.1 + 0.2 * i) : at(0.5 * i, 0.1));
        world_scene_start(s);
        world_scene_step(s);
        assert_int_equal(s->report.contact.groups, stacked ? 1 : 3);
        assert_int_equal(sn_world_group_count(s->world), stacked ? 1 : 3);
        for (int i = 0; i < 3; i++)
            assert_int_equal(sn_world_group_of(s->world, sn_body(i)), stacked ? 0 : i);
        assert_int_equal(sn_world_group_of(s->world, sn_body_world()), -1);
        world_scene_free(s);
    }
}

static void a_stack_falls_asleep_and_keeps_its_place_to_the_bit(void** state) {
    (void)state;
    world_scene* s = sleepy_scene();
    for (int i = 0; i < 3; i++)
        world_scene_add(s, SN_SHAPE_BOX, cube(0.2), 1, at(0, 0.1 + 0.2 * i));
    world_scene_start(s);
    world_scene_run(s, 0.45);
    assert_int_equal(s->report.contact.resting, 0);
    world_scene_run(s, 0.2);
    assert_int_equal(s->report.contact.resting, 3);
    sn_pose before = world_scene_pose(s, 2);
    world_scene_run(s, 1);
    sn_pose after = world_scene_pose(s, 2);
    assert_memory_equal(&before, &after, sizeof before);
    CHECK_NEAR(sn_vec3_norm(world_scene_velocity(s, 2)), 0, 0, 0);
    assert_int_equal(s->report.contact.points, 0); // nothing is solved
    world_scene_free(s);
}

/// Every way to disturb a sleeper.
static void wake(world_scene* s, int how) {
    sn_wrench push = sn_wrench_make(sn_vec3_zero(), sn_vec3_make(0, 0, 1));
    double v[12] = {0}, force[12] = {0};
    sn_command command = {.type = SN_COMMAND_WRENCH, .axes = SN_AXES_WORLD, .wrench = push};
    switch (how) {
    case 0: sn_world_set_wrench(s->world, sn_body(0), SN_AXES_WORLD, push); break;
    case 1:
        force[0] = 0.1;
        sn_world_set_force(s->world, force);
        break;
    case 2: sn_world_set_state(s->world, NULL, v); break;
    case 3: sn_world_lock(s->world, sn_body(1), true); break;
    case 4: sn_world_post(s->world, &command); break;
    case 5: sn_world_wake(s->world, sn_body(1)); break;
    default: break;
    }
}

static void whatever_pushes_one_body_wakes_its_group(void** state) {
    (void)state;
    for (int how = 0; how < 6; how++) {
        world_scene* s = sleepy_scene();
        for (int i = 0; i < 2; i++)
            world_scene_add(s, SN_SHAPE_BOX, cube(0.2), 1, at(0, 0.1 + 0.2 * i));
        world_scene_start(s);
        world_scene_run(s, 1);
        assert_int_equal(s->report.contact.resting, 2);
        assert_true(sn_world_is_resting(s->world, sn_body(1)));
        wake(s, how);
        world_scene_step(s);
        assert_int_equal(s->report.contact.resting, 0);
        world_scene_free(s);
    }
}

static void a_falling_ball_wakes_the_stack_it_hits_and_no_other(void** state) {
    (void)state;
    world_scene* s = sleepy_scene();
    for (int i = 0; i < 2; i++)
        world_scene_add(s, SN_SHAPE_BOX, cube(0.2), 1, at(0, 0.1 + 0.2 * i));
    for (int i = 0; i < 2; i++)
        world_scene_add(s, SN_SHAPE_BOX, cube(0.2), 1, at(1, 0.1 + 0.2 * i));
    world_scene_add(s, SN_SHAPE_SPHERE, cube(0.1), 1, at(0, 5));
    world_scene_start(s);
    world_scene_run(s, 0.8);
    assert_int_equal(s->report.contact.resting, 4);
    bool woke = false;
    for (int k = 0; k < 400 && !woke; k++) {
        world_scene_step(s);
        woke = s->report.contact.resting == 2;
        if (!woke) assert_int_equal(s->report.contact.resting, 4);
    }
    assert_true(woke);
    // the step that wakes them solves the whole stack: floor, box on box, ball on box
    assert_true(s->report.contact.points >= 9);
    assert_true(!sn_world_is_resting(s->world, sn_body(0)));
    assert_true(sn_world_is_resting(s->world, sn_body(2)));
    world_scene_run(s, 4);
    assert_int_equal(s->report.contact.resting, 5);
    world_scene_free(s);
}

static void what_touches_nothing_never_sleeps(void** state) {
    (void)state;
    world_scene* s = sleepy_scene();
    s->def.gravity = sn_vec3_zero();
    world_scene_add(s, SN_SHAPE_BOX, cube(0.2), 1, at(0, 3));
    world_scene_start(s);
    world_scene_set_velocity(s, 0, sn_vec3_make(1e-3, 0, 0), sn_vec3_zero());
    world_scene_run(s, 2);
    assert_int_equal(s->report.contact.resting, 0);
    CHECK_NEAR(world_scene_pose(s, 0).p.x, 2e-3, 1e-9, 0);
    world_scene_free(s);
}

static void who_is_waked_before_each_step_never_sleeps(void** state) {
    (void)state;
    world_scene* s = sleepy_scene();
    world_scene_add(s, SN_SHAPE_BOX, cube(0.2), 1, at(0, 0.1));
    world_scene_start(s);
    for (int i = 0; i < 1500; i++) {
        sn_world_wake(s->world, sn_body(0));
        world_scene_step(s);
        assert_false(sn_world_is_resting(s->world, sn_body(0)));
    }
    world_scene_run(s, 0.7);
    assert_true(sn_world_is_resting(s->world, sn_body(0)));
    world_scene_free(s);
}

static uint64_t hash_of_heap(int workers) {
    world_scene* s = sleepy_scene();
    s->def.contact.workers = workers;
    s->def.contact.solve.workers = workers;
    for (int i = 0; i < 24; i++)
        world_scene_add(s, i % 2 ? SN_SHAPE_BOX : SN_SHAPE_SPHERE, cube(0.1), 1,
                        sn_pose_make(sn_mat3_identity(),
                                     sn_vec3_make(0.25 * (i % 4), 0.03 * (i % 5), 0.2 + 0.1 * i)));
    world_scene_start(s);
    world_scene_run(s, 1);
    uint64_t hash = sn_world_hash(s->world);
    world_scene_free(s);
    return hash;
}

static void any_number_of_workers_gives_the_same_bits(void** state) {
    (void)state;
    uint64_t alone = hash_of_heap(0);
    for (int workers = 1; workers <= 3; workers++) assert_true(hash_of_heap(workers) == alone);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_stacked_cubes_are_one_group_and_three_apart_are_three),
        cmocka_unit_test(a_stack_falls_asleep_and_keeps_its_place_to_the_bit),
        cmocka_unit_test(whatever_pushes_one_body_wakes_its_group),
        cmocka_unit_test(a_falling_ball_wakes_the_stack_it_hits_and_no_other),
        cmocka_unit_test(what_touches_nothing_never_sleeps),
        cmocka_unit_test(who_is_waked_before_each_step_never_sleeps),
        cmocka_unit_test(any_number_of_workers_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
