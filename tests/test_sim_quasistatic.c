// SPDX-License-Identifier: Apache-2.0
// Worlds without inertia: they come to rest where damped ones do, downhill, with loops closed, within their budget,
// and springs of hands pull as springs do.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/fixture.h"

enum { TEST_REST = 900, LINKS = 8, STEPS_MOST = 400 };
static const sn_vec3 DOWN = {0, 0, -9.81};

/// A chain of rods along x with springs at its joints, axes by turns about y and z.
static sn_model* springy_chain(uint64_t seed, double damping) {
    test_rng rng = test_rng_make(seed);
    sn_model_builder* builder = sn_model_builder_create("springy");
    char names[LINKS][16];
    for (int i = 0; i < LINKS; i++) {
        sn_body_def def = sn_body_def_default();
        snprintf(names[i], sizeof names[i], "link%d", i);
        def.name = names[i];
        def.parent = i ? names[i - 1] : NULL;
        def.joint.type = SN_JOINT_REVOLUTE;
        def.joint.axis = sn_vec3_make(0, i % 2 == 0, i % 2);
        def.joint.stiffness[0] = test_uniform(&rng, 2, 10);
        def.joint.damping[0] = damping;
        if (i) def.joint.placement.p = sn_vec3_make(0.1, 0, 0);
        def.inertia = sn_inertia_box(test_uniform(&rng, 0.05, 0.3), sn_vec3_make(0.1, 0.02, 0.02));
        def.inertia.com = sn_vec3_make(0.05, 0, 0);
        CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    }
    return test_compile(builder);
}

static sn_world* still_world(const sn_model* model, const char* dynamics, double tolerance) {
    sn_world_def def = sn_world_def_default();
    sn_world* world;
    def.gravity = DOWN;
    def.dynamics = dynamics;
    def.integrator = SN_INTEGRATE_QUASISTATIC;
    def.relaxation.tolerance = tolerance;
    CHECK_STATUS(sn_world_create(model, &def, &world, NULL), SN_OK);
    return world;
}

static double energy_of(sn_world* world) {
    sn_energy e = sn_world_energy(world);
    return e.potential + e.spring;
}

/// Steps until forces balance; energy never rises, and no step takes more than its budget.
static void relax(sn_world* world, uint64_t seed) {
    double last = energy_of(world);
    sn_step_report report;
    for (int i = 0; i < STEPS_MOST; i++) {
        CHECK_STATUS(sn_world_step(world, &report), SN_OK);
        CHECK(report.sweeps <= 2 + sn_world_def_default().relaxation.evaluations, seed);
        double now = energy_of(world);
        CHECK(now <= last + 1e-12 * fabs(last), seed);
        last = now;
        if (!(report.events & SN_EVENT_NO_CONVERGE)) return;
    }
    const bool balanced = false; // or it would have returned
    CHECK(balanced, seed);
}

/// Largest force on a joint, springs included, by inverse dynamics of the reference.
static double unbalance(sn_world* world) {
    const sn_model* model = sn_world_model(world);
    int nv = sn_model_nv(model);
    double *tau = calloc((size_t)nv, sizeof *tau), *passive = calloc((size_t)nv, sizeof *passive);
    double *rest = calloc((size_t)nv, sizeof *rest), most = 0;
    sn_dynamics* d = test_dynamics(model, "reference");
    sn_dynamics_set_gravity(d, DOWN);
    for (int i = 0; i < sn_model_body_count(model); i++)
        CHECK_STATUS(
            sn_dynamics_set_wrench(d, sn_body(i), SN_AXES_BODY, sn_world_pull(world, sn_body(i))),
            SN_OK);
    CHECK_STATUS(sn_dynamics_inverse(d, sn_world_q(world), NULL, NULL, tau), SN_OK);
    sn_dynamics_passive_force(d, sn_world_q(world), rest, passive);
    for (int k = 0; k < nv; k++) most = fmax(most, fabs(passive[k] - tau[k]));
    sn_dynamics_free(d);
    free(tau), free(passive), free(rest);
    return most;
}

static void a_chain_comes_to_rest_where_a_damped_one_does(void** state) {
    (void)state;
    static const char* const names[] = {"aba", "crba", "dca", "adaptive"};
    for (int k = 0; k < 4; k++) {
        uint64_t seed = test_case_seed(TEST_REST, (uint64_t)k);
        sn_model *model = springy_chain(seed, 0), *damped = springy_chain(seed, 2);
        sn_world* still = still_world(model, names[k], 1e-9);
        relax(still, seed);
        CHECK(unbalance(still) < 1e-8, seed);
        for (int i = 0; i < LINKS; i++) CHECK(sn_world_v(still)[i] == 0, seed);
        sn_world* moving = test_world(damped, 1e-3, SN_INTEGRATE_EULER, DOWN);
        test_run(moving, 20000);
        CHECK_VECTOR(sn_world_q(still), sn_world_q(moving), LINKS, 1e-6, seed);
        CHECK(fabs(sn_world_q(still)[0]) > 0.05, seed); // it hangs
        sn_world_free(still), sn_world_free(moving);
        sn_model_free(model), sn_model_free(damped);
    }
}

static void locked_joints_stay_and_do_not_count(void** state) {
    (void)state;
    sn_model* model = springy_chain(3, 0);
    sn_world* world = still_world(model, NULL, 1e-9);
    CHECK_STATUS(sn_world_lock(world, sn_body(2), true), SN_OK);
    relax(world, 3);
    CHECK(sn_world_q(world)[2] == 0 && fabs(sn_world_q(world)[4]) > 1e-3, 3);
    sn_world_free(world);
    sn_model_free(model);
}

/// Three joints of eight may move; it rests where one does whose other joints are locked.
static void joints_that_sleep_stay_and_do_not_count(void** state) {
    (void)state;
    enum { AWAKE = 3 };
    sn_model* model = springy_chain(4, 0);
    sn_world *world = still_world(model, "adaptive", 1e-9),
             *locked = still_world(model, NULL, 1e-9);
    sn_adaptivity options = sn_adaptivity_default();
    options.max_active = AWAKE;
    options.period = 1 << 30; // nobody else wakes
    CHECK_STATUS(sn_world_set_adaptivity(world, &options), SN_OK);
    sn_step_report report;
    CHECK_STATUS(sn_world_step(world, &report), SN_OK);
    CHECK(sn_world_active(world, NULL, 0) == AWAKE, 4);
    for (int i = 0; i < LINKS; i++)
        CHECK_STATUS(sn_world_lock(locked, sn_body(i), !sn_world_is_active(world, sn_body(i))),
                     SN_OK);
    relax(world, 4);
    relax(locked, 4);
    CHECK(sn_world_active(world, NULL, 0) == AWAKE, 4);
    CHECK_VECTOR(sn_world_q(world), sn_world_q(locked), LINKS, 1e-7, 4);
    for (int i = 0; i < LINKS; i++)
        CHECK((fabs(sn_world_q(world)[i]) > 1e-4) == sn_world_is_active(world, sn_body(i)), 4);
    sn_world_free(world), sn_world_free(locked);
    sn_model_free(model);
}

/// Three rods of 1 m in a plane, hinged at x = 0 and x = 2: a loop joint holds the last one's end.
static sn_model* hanging_loop(void) {
    sn_model_builder* builder = sn_model_builder_create("loop");
    static const char* const names[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) {
        sn_body_def def = sn_body_def_default();
        def.name = names[i];
        def.parent = i ? names[i - 1] : NULL;
        def.joint.type = SN_JOINT_REVOLUTE;
        def.joint.axis = sn_vec3_make(0, 1, 0);
        if (i) def.joint.placement.p = sn_vec3_make(1, 0, 0);
        def.inertia = sn_inertia_box(1 + i, sn_vec3_make(1, 0.05, 0.05));
        def.inertia.com = sn_vec3_make(0.5, 0, 0);
        CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    }
    sn_loop_def loop = sn_loop_def_default();
    loop.name = "end";
    loop.axis = sn_vec3_make(0, 1, 0);
    loop.body_b = "c";
    loop.X_ac.p = sn_vec3_make(2, 0, 0);
    loop.X_bc.p = sn_vec3_make(1, 0, 0);
    CHECK_STATUS(sn_model_builder_add_loop(builder, &loop), SN_OK);
    return test_compile(builder);
}

static void loops_are_closed_where_it_rests(void** state) {
    (void)state;
    sn_model* model = hanging_loop();
    sn_world* world = still_world(model, NULL, 1e-8);
    const double q[3] = {0.9, -0.5, -0.9}; // nearly closed
    sn_step_report report = {.events = SN_EVENT_NO_CONVERGE};
    CHECK_STATUS(sn_world_set_state(world, q, NULL), SN_OK);
    for (int i = 0; i < STEPS_MOST && report.events & SN_EVENT_NO_CONVERGE; i++)
        CHECK_STATUS(sn_world_step(world, &report), SN_OK);
    CHECK(!(report.events & SN_EVENT_NO_CONVERGE), 0);
    sn_twist open = sn_dynamics_loop_error(sn_world_dynamics(world), 0).pose;
    CHECK(sn_vec3_norm(open.v) < 1e-9, 0);
    // the centre of mass is as low as the loop allows: any closed neighbour is higher
    double low = sn_world_energy(world).potential;
    double a = sn_world_q(world)[0];
    for (int side = -1; side <= 1; side += 2) {
        // rods of 1 m from (0, 0) to (2, 0): the middle one between the ends of the others
        double t = a + 0.01 * side, x = cos(t), z = -sin(t);
        double dx = 2 - x, dz = -z, d = sqrt(dx * dx + dz * dz), s = sqrt(1 - d * d / 4);
        double best = INFINITY;
        for (int up = -1; up <= 1; up += 2) {
            double mz = z + dz / 2 - up * s * dx / d; // the third one's other end
            best = fmin(best, 9.81 * (1 * z / 2 + 2 * (z + mz) / 2 + 3 * mz / 2));
        }
        CHECK(best > low, (uint64_t)(side + 1));
    }
    sn_world_free(world);
    sn_model_free(model);
}

static sn_vec3 way_of(sn_world* world, const sn_spring* s) {
    sn_pose X = sn_dynamics_pose(sn_world_dynamics(world), s->body);
    return sn_vec3_sub(s->anchor.p, sn_pose_apply(X, s->point));
}

static void step_to_balance(sn_world* world) {
    sn_step_report report = {.events = SN_EVENT_NO_CONVERGE};
    for (int i = 0; i < STEPS_MOST && report.events & SN_EVENT_NO_CONVERGE; i++)
        CHECK_STATUS(sn_world_step(world, &report), SN_OK);
    CHECK(!(report.events & SN_EVENT_NO_CONVERGE), 0);
}

static void a_spring_pulls_until_it_balances(void** state) {
    (void)state;
    sn_model* model = springy_chain(5, 0);
    sn_world* world = still_world(model, NULL, 1e-9);
    relax(world, 5);
    sn_spring spring = {.body = sn_body(LINKS - 1),
                        .point = {0.1, 0, 0},
                        .anchor = sn_pose_identity(),
                        .stiffness = 50};
    sn_pose X = sn_dynamics_pose(sn_world_dynamics(world), spring.body);
    spring.anchor.p = sn_vec3_add(sn_pose_apply(X, spring.point), sn_vec3_make(0, 0.05, 0.1));
    CHECK_STATUS(sn_world_set_spring(world, 3, &spring), SN_OK);
    step_to_balance(world);
    CHECK(unbalance(world) < 1e-8, 5);
    X = sn_dynamics_pose(sn_world_dynamics(world), spring.body);
    sn_vec3 way = way_of(world, &spring);
    sn_vec3 f = sn_mat3_apply(X.R, sn_world_pull(world, spring.body).f);
    CHECK_NEAR(f.z, spring.stiffness * way.z, 1e-9, 5);
    CHECK_NEAR(f.y, spring.stiffness * way.y, 1e-9, 5);
    CHECK(f.z > 0.1 && way.z < 0.1, 5); // it moved, and is held
    // two halves of it do the same, and a limit is kept
    sn_spring half = spring;
    double q = sn_world_q(world)[0];
    half.stiffness = 25;
    CHECK_STATUS(sn_world_set_spring(world, 3, &half), SN_OK);
    CHECK_STATUS(sn_world_set_spring(world, 0, &half), SN_OK);
    step_to_balance(world);
    CHECK_NEAR(sn_world_q(world)[0], q, 1e-7, 5);
    CHECK_NEAR(sn_world_spring_wrench(world, 0).f.z, sn_world_spring_wrench(world, 3).f.z, 1e-12,
               5);
    CHECK_STATUS(sn_world_set_spring(world, 0, NULL), SN_OK);
    half.most_force = 0.2;
    CHECK_STATUS(sn_world_set_spring(world, 3, &half), SN_OK);
    step_to_balance(world);
    CHECK_NEAR(sn_vec3_norm(sn_world_pull(world, spring.body).f), 0.2, 1e-12, 5);
    // let go, it comes back
    CHECK_STATUS(sn_world_set_spring(world, 3, NULL), SN_OK);
    relax(world, 5);
    CHECK(sn_vec3_norm(sn_world_pull(world, spring.body).f) == 0, 5);
    CHECK(unbalance(world) < 1e-8, 5);
    sn_world_free(world);
    sn_model_free(model);
}

static void a_spring_turns_a_body(void** state) {
    (void)state;
    sn_model* model = springy_chain(6, 0);
    sn_world* world = still_world(model, NULL, 1e-9);
    relax(world, 6);
    sn_body_id end = sn_body(LINKS - 1);
    sn_pose X = sn_dynamics_pose(sn_world_dynamics(world), end);
    sn_spring spring = {.body = end, .anchor = X, .stiffness = 1, .turn_stiffness = 20};
    sn_vec3 turn = sn_vec3_make(0, 0.3, 0);
    spring.anchor.R = sn_mat3_mul(sn_quat_matrix(sn_quat_exp(turn)), X.R);
    CHECK_STATUS(sn_world_set_spring(world, 0, &spring), SN_OK);
    step_to_balance(world);
    CHECK(unbalance(world) < 1e-8, 6);
    sn_mat3 R = sn_dynamics_pose(sn_world_dynamics(world), end).R;
    sn_mat3 left = sn_mat3_mul(sn_mat3_transpose(R), spring.anchor.R);
    double angle = sn_vec3_norm(sn_quat_log(sn_quat_from_matrix(left)));
    CHECK(angle < 0.25 && angle > 0.001, 6);
    CHECK_NEAR(sn_vec3_norm(sn_world_spring_wrench(world, 0).n), 20 * angle, 1e-9, 6);
    sn_world_free(world);
    sn_model_free(model);
}

static void springs_are_refused_where_they_make_no_sense(void** state) {
    (void)state;
    sn_model* model = springy_chain(1, 0);
    sn_world* still = still_world(model, NULL, 1e-6);
    sn_world* moving = test_world(model, 1e-3, SN_INTEGRATE_EULER, DOWN);
    sn_spring spring = {.body = sn_body(0), .anchor = sn_pose_identity(), .stiffness = 1};
    sn_spring bad = spring;
    CHECK_STATUS(sn_world_set_spring(moving, 0, &spring), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_world_set_spring(still, SN_SPRINGS_MOST, &spring), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_world_set_spring(still, -1, &spring), SN_ERR_ARGUMENT);
    bad.stiffness = -1;
    CHECK_STATUS(sn_world_set_spring(still, 0, &bad), SN_ERR_ARGUMENT);
    bad = spring;
    bad.body = sn_body(LINKS);
    CHECK_STATUS(sn_world_set_spring(still, 0, &bad), SN_ERR_ARGUMENT);
    bad = spring;
    bad.anchor.p.x = NAN;
    CHECK_STATUS(sn_world_set_spring(still, 0, &bad), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_world_set_spring(still, 0, &spring), SN_OK);
    sn_world_def def = sn_world_def_default();
    sn_world* none;
    def.integrator = SN_INTEGRATE_QUASISTATIC;
    def.contact.on = true;
    CHECK_STATUS(sn_world_create(model, &def, &none, NULL), SN_ERR_ARGUMENT);
    def.contact.on = false;
    def.relaxation.evaluations = 0;
    CHECK_STATUS(sn_world_create(model, &def, &none, NULL), SN_ERR_ARGUMENT);
    sn_world_free(still), sn_world_free(moving);
    sn_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_comes_to_rest_where_a_damped_one_does),
        cmocka_unit_test(locked_joints_stay_and_do_not_count),
        cmocka_unit_test(joints_that_sleep_stay_and_do_not_count),
        cmocka_unit_test(loops_are_closed_where_it_rests),
        cmocka_unit_test(a_spring_pulls_until_it_balances),
        cmocka_unit_test(a_spring_turns_a_body),
        cmocka_unit_test(springs_are_refused_where_they_make_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
