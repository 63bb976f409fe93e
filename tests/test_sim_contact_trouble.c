// SPDX-License-Identifier: Apache-2.0
// What can go wrong with contact inside a step: the step finishes, says so, and nothing is NaN.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_state.h"
#include "support/world_scene.h"

enum { CHAOS = 970 }; // first argument of test_case_seed

static sn_vec3 cube(double edge) { return sn_vec3_make(edge, edge, edge); }

static void check_finite(const world_scene* s, uint64_t seed) {
    for (int k = 0; k < sn_model_nq(s->model); k++) CHECK(isfinite(sn_world_q(s->world)[k]), seed);
    for (int k = 0; k < sn_model_nv(s->model); k++) CHECK(isfinite(sn_world_v(s->world)[k]), seed);
    CHECK(isfinite(s->report.contact.residual) && isfinite(s->report.contact.energy), seed);
    CHECK(isfinite(s->report.contact.found.deepest), seed);
}

static void contacts_beyond_the_capacity_are_dropped_and_counted(void** state) {
    (void)state;
    world_scene* s = world_scene_create();
    s->def.contact.collider.contacts = 7;
    world_scene_floor(s, sn_pose_identity());
    for (int i = 0; i < 4; i++)
        world_scene_add(s, SN_SHAPE_BOX, cube(0.2), 1,
                        sn_pose_make(sn_mat3_identity(), sn_vec3_make(i, 0, 0.1 - 1e-4 * i)));
    world_scene_start(s);
    world_scene_step(s);
    assert_true(s->report.events & SN_EVENT_FULL);
    assert_int_equal(s->report.contact.points, 7);
    assert_int_equal(s->report.contact.found.dropped_contacts, 9);
    // the deepest were kept: those of the last box
    int of_last = 0;
    for (int i = 0; i < 7; i++) {
        sn_contact c = sn_world_contacts(s->world)[i];
        of_last += c.a.i == 3 || c.b.i == 3;
    }
    assert_int_equal(of_last, 4);
    world_scene_run(s, 0.2);
    check_finite(s, 0);
    world_scene_free(s);
}

static void pairs_beyond_the_capacity_are_dropped_and_counted(void** state) {
    (void)state;
    world_scene* s = world_scene_create();
    s->def.contact.collider.pairs = 3;
    world_scene_floor(s, sn_pose_identity());
    for (int i = 0; i < 6; i++)
        world_scene_add(s, SN_SHAPE_SPHERE, cube(0.1), 1,
                        sn_pose_make(sn_mat3_identity(), sn_vec3_make(i, 0, 0.1)));
    world_scene_start(s);
    world_scene_step(s);
    assert_true(s->report.events & SN_EVENT_FULL);
    assert_int_equal(s->report.contact.found.dropped_pairs, 3);
    world_scene_run(s, 0.1);
    check_finite(s, 0);
    world_scene_free(s);
}

static void coincident_bodies_come_apart_without_flying_off(void** state) {
    (void)state;
    static const sn_shape_type types[] = {SN_SHAPE_SPHERE, SN_SHAPE_BOX, SN_SHAPE_CYLINDER,
                                          SN_SHAPE_CAPSULE};
    for (int t = 0; t < 4; t++) {
        world_scene* s = world_scene_create();
        s->def.contact.solve.iterations = 500;
        world_scene_floor(s, sn_pose_identity());
        for (int i = 0; i < 4; i++)
            world_scene_add(s, types[t], sn_vec3_make(0.1, 0.1, 0.1), 1, at_height(0.3));
        world_scene_start(s);
        for (int step = 0; step < 2000; step++) {
            world_scene_step(s);
            check_finite(s, (uint64_t)t);
            for (int i = 0; i < 4; i++)
                CHECK(sn_vec3_norm(world_scene_velocity(s, i)) < 10, (uint64_t)t);
        }
        CHECK(s->report.contact.found.deepest < 0.01, (uint64_t)t);
        world_scene_free(s);
    }
}

/// Random bodies thrown at each other at up to 10^4 m/s and 10^4 rad/s, huge beside tiny, heavy beside light.
static void anything_may_be_thrown_at_anything(void** state) {
    (void)state;
    static const sn_shape_type types[] = {SN_SHAPE_SPHERE, SN_SHAPE_BOX, SN_SHAPE_CYLINDER,
                                          SN_SHAPE_CAPSULE};
    for (int k = 0; k < 10; k++) {
        uint64_t seed = test_case_seed(CHAOS, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        world_scene* s = world_scene_create();
        s->def.contact.solve.tolerance = 1e-4;
        s->def.contact.solve.iterations = 200;
        s->def.contact.collider.contacts = 256;
        double mu = test_uniform(&rng, 0, 2);
        s->material = world_scene_rubs(mu, test_uniform(&rng, 0, 1));
        world_scene_floor(s, sn_pose_identity());
        for (int i = 0; i < 12; i++) {
            double size = pow(10, test_uniform(&rng, -2.5, 0));
            double x = test_uniform(&rng, -1, 1), y = test_uniform(&rng, -1, 1);
            double width = size * test_uniform(&rng, 0.1, 1),
                   mass = pow(10, test_uniform(&rng, -3, 3));
            sn_pose X =
                sn_pose_make(sn_mat3_identity(), sn_vec3_make(x, y, test_uniform(&rng, 0, 2)));
            world_scene_add(s, types[test_index(&rng, 4)], sn_vec3_make(size, width, size), mass,
                            X);
        }
        world_scene_start(s);
        for (int i = 0; i < 12; i++) {
            double speed = pow(10, test_uniform(&rng, 0, 4));
            double x = test_normal(&rng), y = test_normal(&rng);
            sn_vec3 d = sn_vec3_make(x, y, test_normal(&rng));
            world_scene_set_velocity(s, i, sn_vec3_scale(speed / sn_vec3_norm(d), d),
                                     sn_vec3_make(0, speed * test_uniform(&rng, 0, 1), 0));
        }
        for (int step = 0; step < 200; step++) {
            world_scene_step(s);
            check_finite(s, seed);
        }
        for (int i = 0; i < 12; i++) // nobody went through the floor
            CHECK(world_scene_pose(s, i).p.z > -1e-3, seed);
        world_scene_free(s);
    }
}

static void contact_with_another_integrator_is_refused_with_the_reason(void** state) {
    (void)state;
    world_scene* s = world_scene_create();
    s->def.integrator = SN_INTEGRATE_RK4;
    world_scene_add(s, SN_SHAPE_BOX, cube(0.2), 1, at_height(1));
    sn_error error = {0};
    assert_int_equal(sn_model_builder_compile(s->builder, NULL, &s->model, &error), SN_OK);
    assert_int_equal(sn_world_create(s->model, &s->def, &s->world, &error), SN_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "euler"));
    world_scene_free(s);
}

/// A solve that must end at once still gives impulses within the cones and a report of how good they are.
static void a_deadline_in_the_past_is_late_and_says_how_far_off_it_is(void** state) {
    (void)state;
    world_scene* s = world_scene_create();
    s->def.contact.solve_time = 1e-9;
    world_scene_floor(s, sn_pose_identity());
    for (int i = 0; i < 20; i++)
        world_scene_add(s, SN_SHAPE_BOX, cube(0.2), 1, at_height(0.1 + 0.2 * i));
    world_scene_start(s);
    world_scene_step(s);
    assert_true(s->report.events & SN_EVENT_LATE);
    assert_true(s->report.events & SN_EVENT_UNSOLVED);
    assert_true(s->report.contact.residual > 0);
    world_scene_run(s, 0.1);
    check_finite(s, 0);
    world_scene_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_beyond_the_capacity_are_dropped_and_counted),
        cmocka_unit_test(pairs_beyond_the_capacity_are_dropped_and_counted),
        cmocka_unit_test(coincident_bodies_come_apart_without_flying_off),
        cmocka_unit_test(anything_may_be_thrown_at_anything),
        cmocka_unit_test(contact_with_another_integrator_is_refused_with_the_reason),
        cmocka_unit_test(a_deadline_in_the_past_is_late_and_says_how_far_off_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
