// SPDX-License-Identifier: Apache-2.0
// Worlds with contact against what a textbook says: inclines, bounces, rolling, spinning, stacks, cards, fast bodies.
#include <math.h>
#include <string.h>

#include "support/random_state.h"
#include "support/world_scene.h"

static const double G = 9.81;
/// Solved to 1e-10 at every step, and steps add up.
#define TOL_STEPS 1e-7

enum { ENERGY = 960, MOMENTUM }; // first argument of test_case_seed

static sn_vec3 cube(double edge) { return sn_vec3_make(edge, edge, edge); }
static sn_pose lean(double angle, sn_vec3 p) {
    return sn_pose_make(sn_quat_matrix(sn_quat_exp(sn_vec3_make(0, angle, 0))), p);
}

// ---- an incline -------------------------------------------------------------------------------------------

static void a_block_on_an_incline_sticks_or_slides_as_coulomb_says(void** state) {
    (void)state;
    for (int k = 0; k <= 10; k++) {
        double angle = 0.06 * k, mu = 0.3, edge = 0.2;
        world_scene* s = world_scene_create();
        s->material = world_scene_rubs(mu, 0);
        world_scene_floor(s, lean(angle, sn_vec3_zero()));
        // it lies on the plane, turned with it
        sn_mat3 R = lean(angle, sn_vec3_zero()).R;
        world_scene_add(s, SN_SHAPE_BOX, cube(edge), 2,
                        sn_pose_make(R, sn_mat3_apply(R, sn_vec3_make(0, 0, edge / 2))));
        world_scene_start(s);
        sn_vec3 start = world_scene_pose(s, 0).p;
        world_scene_run(s, 0.5);
        double rate = fmax(0, G * (sin(angle) - mu * cos(angle)));
        sn_vec3 down = sn_mat3_apply(R, sn_vec3_make(1, 0, 0));
        CHECK_NEAR(sn_vec3_dot(world_scene_velocity(s, 0), down), 0.5 * rate, TOL_STEPS,
                   (uint64_t)k);
        CHECK(s->report.contact.points == 4, (uint64_t)k);
        if (rate == 0) {
            double crept = sn_vec3_norm(sn_vec3_sub(world_scene_pose(s, 0).p, start));
            CHECK_NEAR(crept, 0, TOL_STEPS, (uint64_t)k);
        }
        sn_vec3 force = world_scene_force(s, 0), n = sn_mat3_apply(R, sn_vec3_make(0, 0, 1));
        CHECK_RELATIVE(sn_vec3_dot(force, n), 2 * G * cos(angle), 1e-6, (uint64_t)k);
        world_scene_free(s);
    }
}

static void a_sliding_box_stops_after_v2_over_2_mu_g(void** state) {
    (void)state;
    double mu = 0.4, v0 = 3;
    world_scene* s = world_scene_create();
    s->material = world_scene_rubs(mu, 0);
    world_scene_floor(s, sn_pose_identity());
    world_scene_add(s, SN_SHAPE_BOX, sn_vec3_make(1, 1, 0.1), 5, at_height(0.05));
    world_scene_start(s);
    world_scene_set_velocity(s, 0, sn_vec3_make(v0, 0, 0), sn_vec3_zero());
    world_scene_run(s, 1.5);
    double exact = v0 * v0 / (2 * mu * G);
    CHECK_NEAR(world_scene_velocity(s, 0).x, 0, TOL_STEPS, 0);
    CHECK_NEAR(world_scene_pose(s, 0).p.x, exact, v0 * s->def.step, 0); // order 1 in the step
    world_scene_free(s);
}

static void a_push_at_the_limit_of_friction_decides(void** state) {
    (void)state;
    double mu = 0.5, mass = 3;
    for (int above = 0; above < 2; above++) {
        world_scene* s = world_scene_create();
        s->material = world_scene_rubs(mu, 0);
        world_scene_floor(s, sn_pose_identity());
        world_scene_add(s, SN_SHAPE_BOX, sn_vec3_make(0.4, 0.4, 0.1), mass, at_height(0.05));
        world_scene_start(s);
        double share = above ? 1.01 : 0.99, push = share * mu * mass * G;
        // along the floor, at the floor: a force below the centre has a moment about it
        sn_wrench f = sn_wrench_make(sn_vec3_make(0, -0.05 * push, 0), sn_vec3_make(push, 0, 0));
        assert_int_equal(sn_world_set_wrench(s->world, sn_body(0), SN_AXES_WORLD, f), SN_OK);
        world_scene_run(s, 0.3);
        double expected = above ? 0.3 * 0.01 * mu * G : 0;
        CHECK_NEAR(world_scene_velocity(s, 0).x, expected, TOL_STEPS, (uint64_t)above);
        world_scene_free(s);
    }
}

// ---- bounce, roll, spin -----------------------------------------------------------------------------------

static void a_ball_comes_back_to_e_squared_of_its_height(void** state) {
    (void)state;
    for (int k = 0; k <= 4; k++) {
        double e = 0.25 * k, r = 0.05, height = 1;
        world_scene* s = world_scene_create();
        s->def.step = 1e-4;
        s->material = world_scene_rubs(0.5, e);
        world_scene_floor(s, sn_pose_identity());
        world_scene_add(s, SN_SHAPE_SPHERE, sn_vec3_make(r, r, r), 1, at_height(r + height));
        world_scene_start(s);
        double top = 0, before = world_scene_energy(s);
        bool bounced = false;
        for (int step = 0; step < 9500; step++) {
            world_scene_step(s);
            bounced = bounced || s->report.contact.points > 0;
            if (bounced) top = fmax(top, world_scene_pose(s, 0).p.z - r);
            double now = world_scene_energy(s);
            CHECK(now <= before + 1e-12, (uint64_t)k);
            before = now;
        }
        CHECK(bounced, (uint64_t)k);
        CHECK_NEAR(top, e * e * height, 5e-3, (uint64_t)k);
        world_scene_free(s);
    }
}

static void a_sliding_ball_ends_rolling_at_five_sevenths(void** state) {
    (void)state;
    double r = 0.1, v0 = 2;
    world_scene* s = world_scene_create();
    s->material = world_scene_rubs(0.3, 0);
    world_scene_floor(s, sn_pose_identity());
    world_scene_add(s, SN_SHAPE_SPHERE, sn_vec3_make(r, r, r), 1, at_height(r));
    world_scene_start(s);
    world_scene_set_velocity(s, 0, sn_vec3_make(v0, 0, 0), sn_vec3_zero());
    world_scene_run(s, 1);
    double v = world_scene_velocity(s, 0).x, w = world_scene_spin(s, 0).y;
    CHECK_NEAR(v, 5 * v0 / 7, 1e-6, 0);
    CHECK_NEAR(w * r, v, 1e-6, 0);
    world_scene_run(s, 1);
    CHECK_NEAR(world_scene_velocity(s, 0).x, v, 1e-6, 0); // and goes on
    CHECK_NEAR(world_scene_pose(s, 0).p.z, r, 2e-4, 0);
    world_scene_free(s);
}

/// A coin that lies flat and spins touches along its rim: torque mu m g r against m r^2/2.
static void a_spinning_coin_stops_after_w_r_over_2_mu_g(void** state) {
    (void)state;
    double r = 0.05, mu = 0.2, w0 = 20;
    world_scene* s = world_scene_create();
    s->material = world_scene_rubs(mu, 0);
    world_scene_floor(s, sn_pose_identity());
    world_scene_add(s, SN_SHAPE_CYLINDER, sn_vec3_make(r, r, 0.01), 0.02, at_height(0.005));
    world_scene_start(s);
    world_scene_set_velocity(s, 0, sn_vec3_zero(), sn_vec3_make(0, 0, w0));
    double t = 0, end = w0 * r / (2 * mu * G);
    while (world_scene_spin(s, 0).z > 1e-3 * w0 && t < 2 * end) {
        world_scene_step(s);
        t += s->def.step;
    }
    CHECK_RELATIVE(t, end, 0.01, 0);
    CHECK_NEAR(sn_vec3_norm(world_scene_velocity(s, 0)), 0, 1e-4, 0);
    world_scene_free(s);
}

// ---- standing ---------------------------------------------------------------------------------------------

static void a_stack_stands_and_carries_its_weight(void** state) {
    (void)state;
    enum { BOXES = 10 };
    world_scene* s = world_scene_create();
    world_scene_floor(s, sn_pose_identity());
    for (int i = 0; i < BOXES; i++)
        world_scene_add(s, SN_SHAPE_BOX, cube(0.2), 1, at_height(0.1 + 0.2 * i));
    world_scene_start(s);
    world_scene_run(s, 2);
    for (int i = 0; i < BOXES; i++) {
        sn_vec3 p = world_scene_pose(s, i).p;
        CHECK_NEAR(p.x, 0, 1e-5, (uint64_t)i);
        CHECK_NEAR(p.y, 0, 1e-5, (uint64_t)i);
        CHECK_NEAR(p.z, 0.1 + 0.2 * i, 1e-3, (uint64_t)i);
        CHECK_NEAR(world_scene_force(s, i).z, G, 1e-4 * G, (uint64_t)i);
    }
    CHECK(s->report.contact.points == 4 * BOXES, 0);
    CHECK(s->report.contact.groups == 1, 0);
    CHECK(s->report.contact.found.deepest < 5e-4, 0);
    world_scene_free(s);
}

/// Two cards lean against each other. Each needs mu >= tan(angle)/2 on the floor, the angle from upright.
static void two_cards_stand_as_long_as_friction_holds(void** state) {
    (void)state;
    double angle = 0.5, length = 0.1, thick = 0.002;
    for (int holds = 0; holds < 2; holds++) {
        double mu = (holds ? 1.1 : 0.9) * 0.5 * tan(angle);
        world_scene* s = world_scene_create();
        s->material = world_scene_rubs(mu, 0);
        world_scene_floor(s, sn_pose_identity());
        for (int side = -1; side <= 1; side += 2) {
            sn_mat3 R = lean(-side * angle, sn_vec3_zero()).R;
            // lower edge on the floor, upper inner edge at x = 0
            double x = 0.5 * (length * sin(angle) + thick * cos(angle));
            double z = 0.5 * (length * cos(angle) + thick * sin(angle));
            sn_vec3 p = sn_vec3_make(side * (x + 1e-5), 0, z);
            world_scene_add(s, SN_SHAPE_BOX, sn_vec3_make(thick, 0.06, length), 0.002,
                            sn_pose_make(R, p));
        }
        world_scene_start(s);
        double height = world_scene_pose(s, 0).p.z;
        world_scene_run(s, 1);
        double fell = height - world_scene_pose(s, 0).p.z;
        if (holds)
            CHECK(fell < 1e-4, 0);
        else
            CHECK(fell > 0.3 * length, 0);
        world_scene_free(s);
    }
}

// ---- fast ones --------------------------------------------------------------------------------------------

static void nothing_passes_a_thin_wall_however_fast(void** state) {
    (void)state;
    static const sn_shape_type types[] = {SN_SHAPE_SPHERE, SN_SHAPE_BOX, SN_SHAPE_CAPSULE,
                                          SN_SHAPE_CYLINDER};
    static const double speeds[] = {1, 30, 100, 1000, 1e4};
    for (int k = 0; k < 4; k++) {
        for (int j = 0; j < 5; j++) {
            world_scene* s = world_scene_create();
            s->def.gravity = sn_vec3_zero();
            world_scene_add_fixed(s, SN_SHAPE_BOX, sn_vec3_make(0.002, 2, 2), sn_pose_identity());
            world_scene_add(s, types[k], sn_vec3_make(0.02, 0.02, 0.02), 0.1,
                            sn_pose_make(sn_mat3_identity(), sn_vec3_make(-0.73, 0.01, 0)));
            world_scene_start(s);
            world_scene_set_velocity(s, 0, sn_vec3_make(speeds[j], 0, 0), sn_vec3_zero());
            for (int step = 0; step < 1000 && s->report.contact.points == 0; step++)
                world_scene_step(s);
            world_scene_run(s, 0.01);
            CHECK(world_scene_pose(s, 0).p.x < 0, (uint64_t)(10 * k + j));
            CHECK_NEAR(world_scene_velocity(s, 0).x, 0, 1e-6 * speeds[j], (uint64_t)(10 * k + j));
            world_scene_free(s);
        }
    }
}

// ---- energy and momentum ------------------------------------------------------------------------------------

static sn_vec3 random3(test_rng* rng, double most) {
    double x = test_uniform(rng, -most, most), y = test_uniform(rng, -most, most);
    return sn_vec3_make(x, y, test_uniform(rng, -most, most));
}

/// Friction and restitution as they come; the solver's tolerance is all that may be gained.
static void a_falling_heap_never_gains_energy(void** state) {
    (void)state;
    static const sn_shape_type types[] = {SN_SHAPE_SPHERE, SN_SHAPE_BOX, SN_SHAPE_CYLINDER};
    for (int k = 0; k < 6; k++) {
        uint64_t seed = test_case_seed(ENERGY, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        world_scene* s = world_scene_create();
        s->def.contact.solve.tolerance = 1e-6;
        s->def.contact.solve.iterations = 2000;
        double mu = test_uniform(&rng, 0, 1);
        s->material = world_scene_rubs(mu, test_uniform(&rng, 0, 1));
        world_scene_floor(s, sn_pose_identity());
        for (int i = 0; i < 12; i++) {
            sn_quat turn = sn_quat_exp(random3(&rng, 2));
            sn_vec3 p = random3(&rng, 0.15);
            p.z = 0.3 + 0.25 * i;
            world_scene_add(s, types[i % 3], sn_vec3_make(0.1, 0.12, 0.14), 1,
                            sn_pose_make(sn_quat_matrix(turn), p));
        }
        world_scene_start(s);
        double first = world_scene_energy(s), before = first;
        for (int step = 0; step < 1500; step++) {
            world_scene_step(s);
            double now = world_scene_energy(s);
            CHECK(now <= before + 1e-6 * first, seed);
            before = now;
        }
        for (int i = 0; i < 12; i++) CHECK(world_scene_pose(s, i).p.z > 0.03, seed);
        world_scene_free(s);
    }
}

static void a_collision_in_free_space_keeps_momentum(void** state) {
    (void)state;
    for (int k = 0; k < 20; k++) {
        uint64_t seed = test_case_seed(MOMENTUM, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        world_scene* s = world_scene_create();
        s->def.gravity = sn_vec3_zero();
        s->def.contact.options.position_factor = 0; // moves bodies, and so their moment of momentum
        s->material = world_scene_rubs(0.4, k % 2 ? 0.5 : 0);
        for (int i = 0; i < 2; i++) {
            double y = test_uniform(&rng, -0.1, 0.1), angle = test_uniform(&rng, -1, 1);
            world_scene_add(s, SN_SHAPE_BOX, sn_vec3_make(0.2, 0.3, 0.25), 1 + i,
                            lean(angle, sn_vec3_make(i ? 0.3 : -0.3, y, 0)));
        }
        world_scene_start(s);
        for (int i = 0; i < 2; i++)
            world_scene_set_velocity(
                s, i, sn_vec3_make(i ? -2 : 2, 0, 0),
                sn_vec3_make(test_uniform(&rng, -3, 3), 0, test_uniform(&rng, -3, 3)));
        sn_momentum before = sn_world_momentum(s->world);
        double energy = world_scene_energy(s);
        bool met = false;
        for (int step = 0; step < 300; step++) {
            world_scene_step(s);
            met = met || s->report.contact.points > 0;
        }
        sn_momentum after = sn_world_momentum(s->world);
        CHECK(met, seed);
        CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(after.linear, before.linear)), 0, 1e-10, seed);
        CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(after.angular, before.angular)), 0, 1e-10, seed);
        CHECK(world_scene_energy(s) <= energy * (1 + 1e-9), seed);
        world_scene_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_on_an_incline_sticks_or_slides_as_coulomb_says),
        cmocka_unit_test(a_sliding_box_stops_after_v2_over_2_mu_g),
        cmocka_unit_test(a_push_at_the_limit_of_friction_decides),
        cmocka_unit_test(a_ball_comes_back_to_e_squared_of_its_height),
        cmocka_unit_test(a_sliding_ball_ends_rolling_at_five_sevenths),
        cmocka_unit_test(a_spinning_coin_stops_after_w_r_over_2_mu_g),
        cmocka_unit_test(a_stack_stands_and_carries_its_weight),
        cmocka_unit_test(two_cards_stand_as_long_as_friction_holds),
        cmocka_unit_test(nothing_passes_a_thin_wall_however_fast),
        cmocka_unit_test(a_falling_heap_never_gains_energy),
        cmocka_unit_test(a_collision_in_free_space_keeps_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
