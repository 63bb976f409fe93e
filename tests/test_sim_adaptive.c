// SPDX-License-Identifier: Apache-2.0
// Worlds in which joints sleep: what is awake moves as it should, what changes the region loses nothing, and
// what others see of the world is the world.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dynamics/sn_dynamics.h"
#include "support/fixture.h"

enum { ALL_ACTIVE = 500, LOOKING, HASHING, STOPPING, DRIFTING, WAKING, BUDGET };

static const sn_vec3 DOWN = {0, 0, -9.81};

static sn_world* adaptive_world(const sn_model* model, double step, sn_integrator integrator,
                                sn_vec3 gravity, int max_active, double threshold) {
    sn_world_def def = sn_world_def_default();
    sn_world* world = NULL;
    sn_error error;
    def.dynamics = "adaptive";
    def.step = step;
    def.integrator = integrator;
    def.gravity = gravity;
    def.adaptivity.max_active = max_active;
    def.adaptivity.threshold = threshold;
    def.adaptivity.period = 5;
    CHECK_STATUS(sn_world_create(model, &def, &world, &error), SN_OK);
    return world;
}

/// A chain of 40 links in a random pose: revolute joints, free base or fixed.
static fixture* chain_of_40(int test, int index, bool free_base) {
    uint64_t seed = test_case_seed((uint64_t)test, (uint64_t)index);
    sn_generate_shape shape = index % 3 == 0   ? SN_GENERATE_CHAIN
                              : index % 3 == 1 ? SN_GENERATE_TREE
                                               : SN_GENERATE_RANDOM;
    return fixture_create(
        test_generate(shape, 40, seed, free_base, index % 2 == 0, test_units_si()), test_units_si(),
        seed);
}

static void with_all_joints_active_a_world_moves_as_with_aba(void** state) {
    (void)state;
    for (int m = 0; m < 30; m++) {
        uint64_t seed = test_case_seed(ALL_ACTIVE, (uint64_t)m);
        fixture* f = fixture_of_list(m, test_units_si(), seed);
        sn_integrator integrator = (sn_integrator)(m % TEST_INTEGRATORS_MOVING);
        sn_world* a = test_world(f->model, 1e-4, integrator, DOWN);
        sn_world* b = adaptive_world(f->model, 1e-4, integrator, DOWN, -1, 0);
        CHECK_STATUS(sn_world_set_state(a, f->q, f->v), SN_OK);
        CHECK_STATUS(sn_world_set_state(b, f->q, f->v), SN_OK);
        test_run(a, 20);
        test_run(b, 20);
        CHECK_VECTOR(sn_world_q(b), sn_world_q(a), f->nq, TOL_SOLVE, seed);
        CHECK_VECTOR(sn_world_v(b), sn_world_v(a), f->nv, TOL_SOLVE, seed);
        sn_energy ea = sn_world_energy(a), eb = sn_world_energy(b);
        CHECK_NEAR(eb.kinetic, ea.kinetic, TOL_SOLVE * (1 + ea.kinetic), seed);
        CHECK_NEAR(eb.potential, ea.potential, TOL_SOLVE * (1 + fabs(ea.potential)), seed);
        CHECK_NEAR(eb.spring, ea.spring, TOL_SOLVE * (1 + ea.spring), seed);
        sn_world_free(a), sn_world_free(b);
        fixture_free(f);
    }
}

// ---- what others see -----------------------------------------------------------------------------------

/// Largest distance of the snapshot's poses from those of its own joints.
static double look(const sn_world* world, const sn_snapshot* s, sn_dynamics* witness, fixture* f) {
    double worst = 0;
    for (int i = 0; i < f->n; i++) {
        const oracle_body* b = &f->o->body[i];
        sn_snapshot_joint(s, sn_body(i), f->q + b->iq, f->v + b->iv);
    }
    CHECK(memcmp(f->q, sn_world_q(world), (size_t)f->nq * sizeof *f->q) == 0, f->seed);
    CHECK(memcmp(f->v, sn_world_v(world), (size_t)f->nv * sizeof *f->v) == 0, f->seed);
    CHECK_STATUS(sn_dynamics_kinematics(witness, f->q, f->v), SN_OK);
    for (int i = 0; i < f->n; i++) {
        double seen[12], expected[12];
        pose_numbers(sn_snapshot_pose(s, sn_body(i)), seen);
        pose_numbers(sn_dynamics_pose(witness, sn_body(i)), expected);
        for (int k = 0; k < 12; k++) worst = fmax(worst, fabs(seen[k] - expected[k]));
        int group = sn_snapshot_group_of(s, sn_body(i));
        CHECK(group >= 0 && group < sn_snapshot_group_count(s), f->seed);
    }
    return worst;
}

static void snapshots_show_every_body_where_it_is(void** state) {
    (void)state;
    for (int m = 0; m < 12; m++) {
        fixture* f = chain_of_40(LOOKING, m, m % 2 == 0);
        sn_world* world = adaptive_world(f->model, 1e-3, SN_INTEGRATE_EULER, DOWN, 3 + m, 0);
        sn_dynamics* witness = test_dynamics(f->model, NULL);
        memset(f->v, 0, (size_t)f->nv * sizeof *f->v);
        CHECK_STATUS(sn_world_set_state(world, f->q, f->v), SN_OK);
        for (int k = 0; k < 60; k++) {
            // seldom looked at: what happened in between must not be lost
            int steps = 1 + test_index(&f->rng, 7);
            sn_wrench push = test_random_wrench(&f->rng, f->u);
            int body = test_index(&f->rng, f->n);
            CHECK_STATUS(sn_world_set_wrench(world, sn_body(body), SN_AXES_WORLD, push), SN_OK);
            test_run(world, steps);
            double worst = look(world, sn_world_snapshot(world), witness, f);
            CHECK_NEAR(worst, 0, TOL_SOLVE, f->seed);
            sn_region_report region = sn_world_region(world);
            CHECK(region.active <= 3 + m, f->seed);
            for (int i = 0; i < f->n; i++) // what sleeps is at rest
                for (int v = 0; v < f->o->body[i].nv && !sn_world_is_active(world, sn_body(i)); v++)
                    CHECK(sn_world_v(world)[f->o->body[i].iv + v] == 0, f->seed);
        }
        sn_dynamics_free(witness);
        sn_world_free(world);
        fixture_free(f);
    }
}

static void the_hash_is_of_the_state_and_not_of_what_sleeps(void** state) {
    (void)state;
    for (int m = 0; m < 6; m++) {
        fixture* f = chain_of_40(HASHING, m, true);
        sn_world* a = adaptive_world(f->model, 1e-3, SN_INTEGRATE_EULER, DOWN, 5, 0);
        sn_world* b = adaptive_world(f->model, 1e-3, SN_INTEGRATE_EULER, DOWN, 5, 0);
        CHECK_STATUS(sn_world_set_state(a, f->q, f->v), SN_OK);
        CHECK_STATUS(sn_world_set_state(b, f->q, f->v), SN_OK);
        for (int k = 0; k < 30; k++) {
            test_run(a, 1);
            test_run(b, 1);
            CHECK(sn_world_hash(a) == sn_world_hash(b), f->seed);
        }
        uint64_t hash = sn_world_hash(a);
        CHECK_STATUS(sn_world_set_adaptivity(
                         b, &(sn_adaptivity){.max_active = -1, .settling_time = 0.1, .period = 1}),
                     SN_OK);
        memcpy(f->q, sn_world_q(a), (size_t)f->nq * sizeof *f->q);
        memcpy(f->v, sn_world_v(a), (size_t)f->nv * sizeof *f->v);
        CHECK_STATUS(sn_world_set_state(b, f->q, f->v), SN_OK); // the same state, all awake
        CHECK(sn_world_region(b).active == f->n, f->seed);
        CHECK(sn_world_hash(b) == hash, f->seed);
        f->q[f->nq - 1] += 1e-15 + 1e-15 * fabs(f->q[f->nq - 1]); // the last bits of a joint
        CHECK_STATUS(sn_world_set_state(b, f->q, f->v), SN_OK);
        CHECK(sn_world_hash(b) != hash, f->seed);
        sn_world_free(a), sn_world_free(b);
        fixture_free(f);
    }
}

// ---- falling asleep --------------------------------------------------------------------------------------

/// v+ that is nearest to v in the norm of M among those with v+ = 0 at the stopped joints, dense.
static void stop_by_oracle(fixture* f, const sn_dynamics* d, const double* v, real* v_next) {
    oracle_mass_matrix(f->o, f->A_l);
    for (int i = 0; i < f->n; i++) f->o->body[i].locked = !sn_dynamics_is_active(d, sn_body(i));
    for (int k = 0; k < f->nv; k++) {
        v_next[k] = 0;
        for (int j = 0; j < f->nv; j++) v_next[k] += f->A_l[k * f->nv + j] * (real)v[j];
    }
    CHECK(oracle_solve_mass(f->o, v_next, 1), f->seed); // locked rows: zero
}

static void joints_that_fall_asleep_are_stopped_and_momentum_is_kept(void** state) {
    (void)state;
    for (int m = 0; m < 60; m++) {
        uint64_t seed = test_case_seed(STOPPING, (uint64_t)m);
        fixture* f =
            m % 2 ? chain_of_40(STOPPING, m, true) : fixture_of_list(m, test_units_si(), seed);
        sn_dynamics* d = test_dynamics(f->model, "adaptive");
        double* v = f->x;
        memcpy(v, f->v, (size_t)f->nv * sizeof *v);
        sni_kinematics(d, f->q, f->v);
        CHECK_STATUS(sni_update_awake(d, f->tau, v, NULL), SN_OK); // all are active
        CHECK(memcmp(v, f->v, (size_t)f->nv * sizeof *v) == 0, f->seed);
        sn_momentum p0 = sn_dynamics_momentum(d);
        sn_energy e0 = sn_dynamics_energy(d);
        sn_adaptivity options = sn_adaptivity_default();
        options.max_active = test_index(&f->rng, f->n);
        CHECK_STATUS(sn_dynamics_set_adaptivity(d, &options), SN_OK);
        CHECK_STATUS(sni_update_awake(d, f->tau, v, NULL), SN_OK);
        CHECK(sn_dynamics_region(d).active <= options.max_active, f->seed);
        sn_momentum p1 = sn_dynamics_momentum(d);
        sn_energy e1 = sn_dynamics_energy(d);
        CHECK_NEAR(e1.potential, e0.potential, TOL_SOLVE * (1 + fabs(e0.potential)), f->seed);
        CHECK(e1.kinetic <= e0.kinetic * (1 + TOL_CHAIN), f->seed);
        stop_by_oracle(f, d, f->v, f->x_l);
        real lost = 0; // 1/2 |v+ - v|^2 in the norm of M
        for (int k = 0; k < f->nv; k++)
            for (int j = 0; j < f->nv; j++)
                lost += f->A_l[k * f->nv + j] * (f->x_l[k] - (real)f->v[k]) *
                        (f->x_l[j] - (real)f->v[j]) / 2;
        CHECK_NEAR(e1.kinetic, e0.kinetic - (double)lost, TOL_SOLVE * e0.kinetic, f->seed);
        double most = 0;
        for (int k = 0; k < f->nv; k++) most = fmax(most, fabs(f->v[k]));
        for (int k = 0; k < f->nv; k++) CHECK_NEAR(v[k], f->x_l[k], TOL_SOLVE * most, f->seed);
        bool floats = m % 2 && m % 3 < 2;                     // one tree
        if (floats && sn_dynamics_is_active(d, sn_body(0))) { // nothing outside pushed
            double size = sn_vec3_norm(p0.linear) + sn_vec3_norm(p0.angular);
            CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(p1.linear, p0.linear)), 0, TOL_SOLVE * size, seed);
            CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(p1.angular, p0.angular)), 0, TOL_SOLVE * size,
                       seed);
        }
        sn_dynamics_free(d);
        fixture_free(f);
    }
}

/// Momentum of a floating body after half a second with a changing region, relative to where it began.
static double drift_of_momentum(fixture* f, sn_integrator integrator, double step) {
    sn_world* world = adaptive_world(f->model, step, integrator, sn_vec3_zero(), -1, 0);
    CHECK_STATUS(sn_world_keep_active(world, sn_body(0), true), SN_OK); // it floats
    CHECK_STATUS(sn_world_set_state(world, f->q, f->v), SN_OK);
    sn_momentum p0 = sn_world_momentum(world), p1;
    int steps = (int)lround(0.3 / step), changes = 0;
    double kinetic = sn_world_energy(world).kinetic;
    for (int k = 0; k < steps; k++) {
        int phase = (int)(6.0 * k / steps), before = sn_world_region(world).active;
        static const int budget[] = {-1, 12, 5, 25, 8, -1}; // live change, to and fro
        sn_adaptivity options = sn_adaptivity_default();
        options.max_active = budget[phase];
        options.period = 1 + (int)lround(0.01 / step);
        CHECK_STATUS(sn_world_set_adaptivity(world, &options), SN_OK);
        CHECK_STATUS(sn_world_step(world, NULL), SN_OK);
        changes += sn_world_region(world).active != before;
        if (budget[phase] > 0) CHECK(sn_world_region(world).active <= budget[phase], f->seed);
    }
    CHECK(changes >= 4, f->seed);
    CHECK(sn_world_region(world).active == f->n, f->seed); // all awake again
    CHECK(sn_world_energy(world).kinetic < kinetic, f->seed);
    p1 = sn_world_momentum(world);
    double linear = sn_vec3_norm(sn_vec3_sub(p1.linear, p0.linear)) / sn_vec3_norm(p0.linear);
    double angular = sn_vec3_norm(sn_vec3_sub(p1.angular, p0.angular)) / sn_vec3_norm(p0.angular);
    sn_world_free(world);
    return fmax(linear, angular);
}

static void momentum_drifts_with_the_integrator_only(void** state) {
    (void)state;
    for (int m = 0; m < 3; m++) {
        uint64_t seed = test_case_seed(DRIFTING, (uint64_t)m);
        // no springs: nothing stiff
        fixture* f =
            fixture_create(test_generate(SN_GENERATE_CHAIN, 40, seed, true, false, test_units_si()),
                           test_units_si(), seed);
        double coarse = drift_of_momentum(f, SN_INTEGRATE_RK4, 2e-3);
        double fine = drift_of_momentum(f, SN_INTEGRATE_RK4, 1e-3);
        // order 4 or better, down to rounding
        CHECK(fine <= coarse / 8 || fine < TOL_SOLVE, seed);
        CHECK(fine < 1e-5, seed);
        fixture_free(f);
    }
}

// ---- waking and sleeping by what is asked --------------------------------------------------------------------

/// Links on springs with dampers.
static sn_model* springy_chain(int links) {
    sn_model_builder* builder = sn_model_builder_create("springy");
    char name[2][16] = {"", ""};
    for (int i = 0; i < links; i++) {
        sn_body_def def = sn_body_def_default();
        (void)snprintf(name[i % 2], sizeof name[0], "link%d", i);
        def.name = name[i % 2];
        def.parent = i > 0 ? name[(i + 1) % 2] : NULL;
        def.joint.type = SN_JOINT_REVOLUTE;
        def.joint.axis = sn_vec3_make(i % 2, (i + 1) % 2, 0);
        def.joint.placement.p = sn_vec3_make(0, 0, i > 0 ? -0.2 : 0);
        def.joint.stiffness[0] = 20;
        def.joint.damping[0] = 60; // half of critical for the slowest mode
        def.inertia = sn_inertia_moved(sn_pose_make(sn_mat3_identity(), sn_vec3_make(0, 0, -0.1)),
                                       sn_inertia_box(0.1, sn_vec3_make(0.05, 0.05, 0.2)));
        CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    }
    return test_compile(builder);
}

static void what_is_pushed_wakes_and_what_comes_to_rest_sleeps(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(WAKING, 0);
    fixture* f = fixture_create(springy_chain(20), test_units_si(), seed);
    sn_world* world = adaptive_world(f->model, 1e-3, SN_INTEGRATE_EULER, sn_vec3_zero(), -1, 1e-2);
    sn_model_neutral(f->model, f->q); // every spring slack
    memset(f->v, 0, (size_t)f->nv * sizeof *f->v);
    CHECK_STATUS(sn_world_set_state(world, f->q, f->v), SN_OK);
    test_run(world, 20);
    CHECK(sn_world_region(world).active == 0, seed); // nothing to do
    CHECK(memcmp(sn_world_q(world), f->q, (size_t)f->nq * sizeof *f->q) == 0, seed);
    sn_wrench push = sn_wrench_make(sn_vec3_zero(), sn_vec3_make(0, 5, 5));
    CHECK_STATUS(sn_world_set_wrench(world, sn_body(15), SN_AXES_WORLD, push), SN_OK);
    sn_step_report report;
    CHECK_STATUS(sn_world_step(world, &report), SN_OK);
    CHECK(report.events & SN_EVENT_REGION, seed); // at once
    CHECK(report.active > 0, seed);
    CHECK(report.region_error <= 1e-2, seed);
    test_run(world, 200);
    CHECK_STATUS(sn_world_set_wrench(world, sn_body(15), SN_AXES_WORLD, sn_wrench_zero()), SN_OK);
    int steps = 0, active = 1;
    while (active > 0 && steps < 60000) {
        CHECK_STATUS(sn_world_step(world, &report), SN_OK);
        active = report.active;
        steps++;
    }
    CHECK(active == 0, seed); // dampers took it all
    // a force on a sleeping joint does the same
    sn_command force = {.type = SN_COMMAND_FORCE, .body = sn_body(10), .force = {3}};
    CHECK_STATUS(sn_world_post(world, &force), SN_OK);
    CHECK_STATUS(sn_world_step(world, &report), SN_OK);
    CHECK(report.active > 0, seed);
    // and bodies that are wanted awake
    force = (sn_command){.type = SN_COMMAND_KEEP_ACTIVE, .body = sn_body(7)};
    CHECK_STATUS(sn_world_post(world, &force), SN_OK);
    CHECK_STATUS(sn_world_step(world, &report), SN_OK);
    CHECK(sn_world_is_active(world, sn_body(7)), seed);
    sn_world_free(world);
    fixture_free(f);
}

static void locks_and_bad_options(void** state) {
    (void)state;
    fixture* f = chain_of_40(BUDGET, 0, false);
    sn_world* world = adaptive_world(f->model, 1e-3, SN_INTEGRATE_EULER, DOWN, 10, 0);
    CHECK_STATUS(sn_world_set_state(world, f->q, f->v), SN_OK);
    test_run(world, 10);
    int joint = 0;
    while (!sn_world_is_active(world, sn_body(joint))) joint++;
    double kinetic = sn_world_energy(world).kinetic;
    CHECK_STATUS(sn_world_lock(world, sn_body(joint), true), SN_OK);
    CHECK(sn_world_v(world)[f->o->body[joint].iv] == 0, f->seed);
    CHECK(sn_world_energy(world).kinetic <= kinetic, f->seed);
    double q = sn_world_q(world)[f->o->body[joint].iq];
    test_run(world, 30);
    CHECK(sn_world_q(world)[f->o->body[joint].iq] == q, f->seed);
    CHECK(!sn_world_is_active(world, sn_body(joint)), f->seed);
    sn_adaptivity bad = sn_adaptivity_default();
    bad.threshold = NAN;
    CHECK_STATUS(sn_world_set_adaptivity(world, &bad), SN_ERR_ARGUMENT);
    bad = sn_adaptivity_default();
    bad.period = 0;
    CHECK_STATUS(sn_world_set_adaptivity(world, &bad), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_world_keep_active(world, sn_body(-1), true), SN_ERR_ARGUMENT);
    sn_world* plain = test_world(f->model, 1e-3, SN_INTEGRATE_EULER, DOWN);
    bad = sn_adaptivity_default();
    CHECK_STATUS(sn_world_set_adaptivity(plain, &bad), SN_ERR_ARGUMENT);
    sn_world_free(plain);
    sn_world_free(world);
    fixture_free(f);
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_all_joints_active_a_world_moves_as_with_aba),
        cmocka_unit_test(snapshots_show_every_body_where_it_is),
        cmocka_unit_test(the_hash_is_of_the_state_and_not_of_what_sleeps),
        cmocka_unit_test(joints_that_fall_asleep_are_stopped_and_momentum_is_kept),
        cmocka_unit_test(momentum_drifts_with_the_integrator_only),
        cmocka_unit_test(what_is_pushed_wakes_and_what_comes_to_rest_sleeps),
        cmocka_unit_test(locks_and_bad_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
