// SPDX-License-Identifier: Apache-2.0
// The world through its public door: state, faults, wrenches, locks, commands, snapshots, reports.
#include <math.h>
#include <string.h>

#include "support/fixture.h"

enum { TEST_WORLD = 800, CAPACITY = 8 };

static const sn_vec3 DOWN = {0, 0, -9.81};
static const double H = 1e-3;

/// A floating chain with every type of joint, a world of it, and a random state set.
typedef struct setup {
    fixture* f;
    sn_world* world;
} setup;

static sn_world* another_world(const fixture* f) {
    sn_world* world = NULL;
    sn_error error;
    sn_world_def def = sn_world_def_default();
    def.step = H;
    def.gravity = DOWN;
    def.command_capacity = CAPACITY;
    CHECK_STATUS(sn_world_create(f->model, &def, &world, &error), SN_OK);
    CHECK_STATUS(sn_world_set_state(world, f->q, f->v), SN_OK);
    return world;
}

static setup begin(int index) {
    setup s;
    uint64_t seed = test_case_seed(TEST_WORLD, (uint64_t)index);
    test_rng rng = test_rng_make(seed);
    s.f = fixture_create(test_all_joints(&rng, true, false), test_units_si(), seed);
    s.world = another_world(s.f);
    return s;
}

static void end(setup s) {
    sn_world_free(s.world);
    fixture_free(s.f);
}

static bool same(const double* a, const double* b, int n) {
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

// ---- creation and state ----------------------------------------------------------------------------

static void a_world_starts_neutral_and_at_rest(void** state) {
    (void)state;
    setup s = begin(0);
    sn_world* world = test_world(s.f->model, H, SN_INTEGRATE_EULER, DOWN);
    sn_model_neutral(s.f->model, s.f->q);
    CHECK(same(sn_world_q(world), s.f->q, s.f->nq), s.f->seed);
    for (int k = 0; k < s.f->nv; k++) CHECK(sn_world_v(world)[k] == 0, s.f->seed);
    CHECK(sn_world_time(world) == 0 && sn_world_step_count(world) == 0, s.f->seed);
    CHECK(sn_world_model(world) == s.f->model, s.f->seed);
    sn_world_free(world);
    end(s);
}

static void definitions_that_make_no_sense_are_refused(void** state) {
    (void)state;
    setup s = begin(1);
    const double steps[] = {0, -1e-3, NAN, INFINITY};
    sn_error error;
    for (int i = 0; i < 4; i++) {
        sn_world_def def = sn_world_def_default();
        sn_world* world = NULL;
        def.step = steps[i];
        CHECK_STATUS(sn_world_create(s.f->model, &def, &world, &error), SN_ERR_ARGUMENT);
        CHECK(world == NULL && error.text[0] != 0, s.f->seed);
    }
    sn_world_def def = sn_world_def_default();
    sn_world* world = NULL;
    def.dynamics = "phlogiston";
    CHECK_STATUS(sn_world_create(s.f->model, &def, &world, &error), SN_ERR_ARGUMENT);
    CHECK(world == NULL && strstr(error.text, "phlogiston"), s.f->seed);
    def = sn_world_def_default();
    def.gravity.y = NAN;
    CHECK_STATUS(sn_world_create(s.f->model, &def, &world, &error), SN_ERR_ARGUMENT);
    def = sn_world_def_default();
    def.command_capacity = -1;
    CHECK_STATUS(sn_world_create(s.f->model, &def, &world, &error), SN_ERR_ARGUMENT);
    def = sn_world_def_default();
    def.integrator = (sn_integrator)77;
    CHECK_STATUS(sn_world_create(s.f->model, &def, &world, &error), SN_ERR_ARGUMENT);
    CHECK(world == NULL, s.f->seed);
    end(s);
}

/// Quaternions may be made unit to the last digit, nothing else may change.
static void check_state(const fixture* f, const sn_world* world, const double* q, const double* v) {
    CHECK(same(sn_world_v(world), v, f->nv), f->seed);
    for (int i = 0; i < f->n; i++) {
        sn_body_info b = sn_model_body(f->model, sn_body(i));
        bool turns = b.type == SN_JOINT_SPHERICAL || b.type == SN_JOINT_FREE;
        double tolerance = turns ? 4e-16 : 0; // two ulps of one
        for (int k = b.iq; k < b.iq + b.nq; k++)
            CHECK_NEAR(sn_world_q(world)[k], q[k], tolerance, f->seed);
    }
}

static void state_is_what_was_set(void** state) {
    (void)state;
    setup s = begin(2);
    fixture* f = s.f;
    check_state(f, s.world, f->q, f->v);
    double* q = calloc((size_t)f->nq, sizeof *q);
    memcpy(q, f->q, (size_t)f->nq * sizeof *q);
    memcpy(f->x, f->v, (size_t)f->nv * sizeof *f->x);
    fixture_random_state(f);
    CHECK_STATUS(sn_world_set_state(s.world, f->q, NULL), SN_OK); // v stays
    check_state(f, s.world, f->q, f->x);
    CHECK_STATUS(sn_world_set_state(s.world, q, f->v), SN_OK);
    check_state(f, s.world, q, f->v);
    free(q);
    end(s);
}

static void a_state_that_is_read_and_set_again_goes_on_to_the_same_bits(void** state) {
    (void)state;
    for (int m = 0; m < 20; m++) {
        setup s = begin(200 + m);
        test_run(s.world, 10 + m);
        sn_world* other = another_world(s.f);
        test_run(other, 10 + m); // the same time
        CHECK_STATUS(sn_world_set_state(other, sn_world_q(s.world), sn_world_v(s.world)), SN_OK);
        CHECK(same(sn_world_q(other), sn_world_q(s.world), s.f->nq), s.f->seed);
        test_run(s.world, 5);
        test_run(other, 5);
        CHECK(sn_world_hash(other) == sn_world_hash(s.world), s.f->seed);
        sn_world_free(other);
        end(s);
    }
}

static void numbers_that_are_not_finite_are_refused_and_change_nothing(void** state) {
    (void)state;
    setup s = begin(3);
    fixture* f = s.f;
    uint64_t hash = sn_world_hash(s.world);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        double good_q = f->q[f->nq - 1], good_v = f->v[1];
        f->q[f->nq - 1] = bad[i];
        CHECK_STATUS(sn_world_set_state(s.world, f->q, f->v), SN_ERR_NUMERIC);
        f->q[f->nq - 1] = good_q;
        f->v[1] = bad[i];
        CHECK_STATUS(sn_world_set_state(s.world, f->q, f->v), SN_ERR_NUMERIC);
        f->v[1] = good_v;
        CHECK(sn_world_hash(s.world) == hash, f->seed);
        // forces and wrenches too
        double good_tau = f->tau[0];
        f->tau[0] = bad[i];
        CHECK(sn_world_set_force(s.world, f->tau) != SN_OK, f->seed);
        f->tau[0] = good_tau;
        sn_wrench w = sn_wrench_make(sn_vec3_make(0, bad[i], 0), sn_vec3_zero());
        CHECK(sn_world_set_wrench(s.world, sn_body(0), SN_AXES_BODY, w) != SN_OK, f->seed);
    }
    double good = f->q[3];
    f->q[3] += 0.1; // the quaternion of the free base is not unit any more
    CHECK_STATUS(sn_world_set_state(s.world, f->q, f->v), SN_ERR_NUMERIC);
    f->q[3] = good;
    CHECK(sn_world_hash(s.world) == hash, f->seed);
    sn_world* untouched = another_world(f); // and the next step is the same
    test_run(s.world, 1);
    test_run(untouched, 1);
    CHECK(sn_world_hash(s.world) == sn_world_hash(untouched), f->seed);
    sn_world_free(untouched);
    end(s);
}

static void bodies_that_do_not_exist_are_refused(void** state) {
    (void)state;
    setup s = begin(4);
    const int bad[] = {-1, s.f->n, 1 << 30, -(1 << 30)};
    for (int i = 0; i < 4; i++) {
        sn_body_id b = sn_body(bad[i]);
        CHECK_STATUS(sn_world_set_wrench(s.world, b, SN_AXES_BODY, sn_wrench_zero()),
                     SN_ERR_ARGUMENT);
        CHECK_STATUS(sn_world_lock(s.world, b, true), SN_ERR_ARGUMENT);
    }
    end(s);
}

static void missing_arguments_are_refused(void** state) {
    (void)state;
    setup s = begin(4);
    sn_world* none = NULL;
    sn_world_def def = sn_world_def_default();
    CHECK_STATUS(sn_world_create(NULL, &def, &none, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_world_create(s.f->model, &def, NULL, NULL), SN_ERR_ARGUMENT);
    CHECK(none == NULL, s.f->seed);
    CHECK_STATUS(sn_world_step(NULL, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_world_set_state(NULL, s.f->q, s.f->v), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_world_set_force(s.world, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_world_set_force(NULL, s.f->tau), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_world_post(s.world, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_world_lock(NULL, sn_body(0), true), SN_ERR_ARGUMENT);
    sn_world_free(NULL); // as free
    end(s);
}

// ---- faults ----------------------------------------------------------------------------------------

static void a_step_that_overflows_latches_and_keeps_the_last_good_state(void** state) {
    (void)state;
    for (int i = 0; i < SN_INTEGRATOR_COUNT; i++) {
        setup s = begin(5);
        fixture* f = s.f;
        sn_world* world = test_world(f->model, H, (sn_integrator)i, DOWN);
        CHECK_STATUS(sn_world_set_state(world, f->q, f->v), SN_OK);
        test_run(world, 3);
        uint64_t hash = sn_world_hash(world);
        double time = sn_world_time(world);
        for (int k = 0; k < f->nv; k++) f->tau[k] = 1e308; // finite, but not its consequences
        CHECK_STATUS(sn_world_set_force(world, f->tau), SN_OK);
        sn_step_report report;
        CHECK_STATUS(sn_world_step(world, &report), SN_ERR_NUMERIC);
        CHECK(report.events & SN_EVENT_NOT_FINITE, f->seed);
        CHECK(sn_world_hash(world) == hash && sn_world_time(world) == time, f->seed);
        for (int k = 0; k < f->nq; k++) CHECK(isfinite(sn_world_q(world)[k]), f->seed);
        for (int k = 0; k < f->nv; k++) CHECK(isfinite(sn_world_v(world)[k]), f->seed);
        CHECK(isfinite(sn_world_energy(world).kinetic), f->seed);

        CHECK_STATUS(sn_world_step(world, &report), SN_ERR_FAULT);
        CHECK_STATUS(sn_world_step(world, NULL), SN_ERR_FAULT);
        CHECK(sn_world_hash(world) == hash, f->seed);
        CHECK(sn_snapshot_events(sn_world_snapshot(world)) & SN_EVENT_NOT_FINITE, f->seed);

        memset(f->tau, 0, (size_t)f->nv * sizeof *f->tau);
        CHECK_STATUS(sn_world_set_force(world, f->tau), SN_OK);
        CHECK_STATUS(sn_world_step(world, NULL), SN_ERR_FAULT); // only a new state clears it
        CHECK_STATUS(sn_world_set_state(world, NULL, f->v), SN_OK);
        CHECK_STATUS(sn_world_step(world, &report), SN_OK);
        CHECK((report.events & SN_EVENT_NOT_FINITE) == 0, f->seed);
        sn_world_free(world);
        end(s);
    }
}

// ---- forces, wrenches, locks -----------------------------------------------------------------------

static void forces_and_wrenches_act_until_changed(void** state) {
    (void)state;
    // semi-implicit Euler by hand: v += h qdd(q, v), q = q (+) h v
    setup s = begin(6);
    fixture* f = s.f;
    sn_dynamics* dynamics = test_dynamics(f->model, NULL);
    sn_dynamics_set_gravity(dynamics, DOWN);
    sn_wrench a = test_random_wrench(&f->rng, f->u), b = test_random_wrench(&f->rng, f->u);
    CHECK_STATUS(sn_world_set_force(s.world, f->tau), SN_OK);
    CHECK_STATUS(sn_world_set_wrench(s.world, sn_body(1), SN_AXES_WORLD, a), SN_OK);
    CHECK_STATUS(sn_world_set_wrench(s.world, sn_body(f->n - 1), SN_AXES_BODY, b), SN_OK);
    CHECK_STATUS(sn_dynamics_set_wrench(dynamics, sn_body(1), SN_AXES_WORLD, a), SN_OK);
    CHECK_STATUS(sn_dynamics_set_wrench(dynamics, sn_body(f->n - 1), SN_AXES_BODY, b), SN_OK);
    for (int step = 0; step < 40; step++) {
        if (step == 20) { // changed once
            CHECK_STATUS(sn_world_set_wrench(s.world, sn_body(1), SN_AXES_WORLD, sn_wrench_zero()),
                         SN_OK);
            CHECK_STATUS(
                sn_dynamics_set_wrench(dynamics, sn_body(1), SN_AXES_WORLD, sn_wrench_zero()),
                SN_OK);
        }
        test_run(s.world, 1);
        CHECK_STATUS(sn_dynamics_forward(dynamics, f->q, f->v, f->tau, f->x), SN_OK);
        for (int k = 0; k < f->nv; k++) {
            f->v[k] += H * f->x[k];
            f->x[k] = H * f->v[k];
        }
        sn_model_integrate(f->model, f->q, f->x, f->q);
        CHECK_VECTOR(sn_world_q(s.world), f->q, f->nq, TOL_SOLVE, f->seed);
        CHECK_VECTOR(sn_world_v(s.world), f->v, f->nv, TOL_SOLVE, f->seed);
    }
    sn_dynamics_free(dynamics);
    end(s);
}

/// p = M v: momentum about each joint.
static void joint_momentum(fixture* f, sn_dynamics* dynamics, const sn_world* world, double* p) {
    CHECK_STATUS(sn_dynamics_mass_matrix(dynamics, sn_world_q(world), f->A), SN_OK);
    for (int r = 0; r < f->nv; r++) {
        p[r] = 0;
        for (int k = 0; k < f->nv; k++) p[r] += f->A[r * f->nv + k] * sn_world_v(world)[k];
    }
}

static void locking_a_joint_stops_it_by_an_impulse_through_itself(void** state) {
    (void)state;
    for (int m = 0; m < 10; m++) {
        setup s = begin(100 + m);
        fixture* f = s.f;
        sn_dynamics* dynamics = test_dynamics(f->model, NULL);
        bool* locked = calloc((size_t)f->nv, sizeof *locked);
        for (int j = m % f->n, count = 0; count < 3; count++, j = (j + 2) % f->n) {
            sn_body_info b = sn_model_body(f->model, sn_body(j));
            double kinetic = sn_world_energy(s.world).kinetic;
            uint64_t step = sn_world_step_count(s.world);
            double* q = calloc((size_t)f->nq, sizeof *q);
            memcpy(q, sn_world_q(s.world), (size_t)f->nq * sizeof *q);
            joint_momentum(f, dynamics, s.world, f->x);
            CHECK_STATUS(sn_world_lock(s.world, sn_body(j), true), SN_OK);
            joint_momentum(f, dynamics, s.world, f->y);
            for (int k = 0; k < b.nv; k++) locked[b.iv + k] = true;
            double most = 0;
            for (int k = 0; k < f->nv; k++) most = fmax(most, fabs(f->x[k]));
            for (int k = 0; k < f->nv; k++) {
                if (locked[k])
                    CHECK(sn_world_v(s.world)[k] == 0, f->seed); // stopped, and stays so
                else
                    CHECK_NEAR(f->y[k], f->x[k], TOL_SOLVE * most, f->seed); // not pushed
            }
            CHECK(same(q, sn_world_q(s.world), f->nq), f->seed); // an impulse moves nothing
            CHECK(sn_world_step_count(s.world) == step, f->seed);
            CHECK(sn_world_energy(s.world).kinetic <= kinetic * (1 + TOL_CHAIN), f->seed);
            free(q);
        }
        free(locked);
        sn_dynamics_free(dynamics);
        end(s);
    }
}

static void a_locked_joint_stays_where_it_is_while_the_rest_moves(void** state) {
    (void)state;
    for (int m = 0; m < 10 * TEST_INTEGRATORS_MOVING; m++) {
        setup s = begin(300 + m);
        fixture* f = s.f;
        sn_world* world =
            test_world(f->model, H, (sn_integrator)(m % TEST_INTEGRATORS_MOVING), DOWN);
        CHECK_STATUS(sn_world_set_state(world, f->q, f->v), SN_OK);
        double* q = calloc((size_t)f->nq, sizeof *q);
        memcpy(q, sn_world_q(world), (size_t)f->nq * sizeof *q);
        for (int j = 1; j < f->n; j += 2)
            CHECK_STATUS(sn_world_lock(world, sn_body(j), true), SN_OK);
        test_run(world, 50);
        for (int j = 0; j < f->n; j++) {
            sn_body_info b = sn_model_body(f->model, sn_body(j));
            bool stayed = same(sn_world_q(world) + b.iq, q + b.iq, b.nq);
            CHECK(stayed == (j % 2 == 1), f->seed);
            for (int k = 0; k < b.nv && j % 2 == 1; k++)
                CHECK(sn_world_v(world)[b.iv + k] == 0, f->seed);
        }
        CHECK_STATUS(sn_world_lock(world, sn_body(1), false), SN_OK);
        test_run(world, 5);
        sn_body_info b = sn_model_body(f->model, sn_body(1));
        CHECK(!same(sn_world_q(world) + b.iq, q + b.iq, b.nq), f->seed); // free again
        free(q);
        sn_world_free(world);
        end(s);
    }
}

static void a_locked_tree_moves_as_one_rigid_body(void** state) {
    (void)state;
    // all joints but the free base locked: momentum as one body keeps, gravity off
    setup s = begin(8);
    fixture* f = s.f;
    sn_world* world = test_world(f->model, H, SN_INTEGRATE_MIDPOINT, sn_vec3_zero());
    CHECK_STATUS(sn_world_set_state(world, f->q, f->v), SN_OK);
    sn_momentum before = sn_world_momentum(world);
    for (int j = 1; j < f->n; j++) CHECK_STATUS(sn_world_lock(world, sn_body(j), true), SN_OK);
    sn_momentum after = sn_world_momentum(world);
    double size = sn_vec3_norm(before.linear) + sn_vec3_norm(before.angular);
    CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(before.linear, after.linear)), 0, TOL_SOLVE * size,
               f->seed);
    CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(before.angular, after.angular)), 0, TOL_SOLVE * size,
               f->seed);
    double kinetic = sn_world_energy(world).kinetic;
    test_run(world, 200);
    // implicit midpoint keeps the energy of one tumbling body to rounding (MATH 1.5: 5e-15)
    CHECK_RELATIVE(sn_world_energy(world).kinetic, kinetic, TOL_CHAIN, f->seed);
    sn_world_free(world);
    end(s);
}

// ---- commands --------------------------------------------------------------------------------------

static sn_command command(sn_command_type type, int body) {
    sn_command c;
    memset(&c, 0, sizeof c);
    c.type = type;
    c.body = sn_body(body);
    return c;
}

static void posted_commands_do_at_the_next_step_what_the_calls_do(void** state) {
    (void)state;
    setup s = begin(9);
    fixture* f = s.f;
    sn_world* other = another_world(f);
    sn_wrench w = test_random_wrench(&f->rng, f->u);
    int joint = 3;
    sn_body_info b = sn_model_body(f->model, sn_body(joint));

    sn_command c[4] = {command(SN_COMMAND_WRENCH, 2), command(SN_COMMAND_FORCE, joint),
                       command(SN_COMMAND_LOCK, 5), command(SN_COMMAND_UNLOCK, 5)};
    c[0].axes = SN_AXES_WORLD;
    c[0].wrench = w;
    for (int k = 0; k < b.nv; k++) c[1].force[k] = 1.5 + k;
    memset(f->tau, 0, (size_t)f->nv * sizeof *f->tau);
    for (int k = 0; k < b.nv; k++) f->tau[b.iv + k] = 1.5 + k;

    uint64_t before = sn_world_hash(s.world);
    for (int i = 0; i < 3; i++) CHECK_STATUS(sn_world_post(s.world, &c[i]), SN_OK);
    CHECK(sn_world_hash(s.world) == before, f->seed); // not before the step
    CHECK_STATUS(sn_world_set_wrench(other, sn_body(2), SN_AXES_WORLD, w), SN_OK);
    CHECK_STATUS(sn_world_set_force(other, f->tau), SN_OK);
    CHECK_STATUS(sn_world_lock(other, sn_body(5), true), SN_OK);
    for (int step = 0; step < 20; step++) {
        sn_step_report report;
        if (step == 10) {
            CHECK_STATUS(sn_world_post(s.world, &c[3]), SN_OK);
            CHECK_STATUS(sn_world_lock(other, sn_body(5), false), SN_OK);
        }
        CHECK_STATUS(sn_world_step(s.world, &report), SN_OK);
        CHECK(report.commands == (step == 0 ? 3 : step == 10 ? 1 : 0), f->seed);
        CHECK(report.events == 0, f->seed);
        test_run(other, 1);
        CHECK(sn_world_hash(s.world) == sn_world_hash(other), f->seed); // to the bit
    }
    sn_world_free(other);
    end(s);
}

static void a_full_ring_is_reported_and_empties_at_the_step(void** state) {
    (void)state;
    setup s = begin(10);
    sn_command c = command(SN_COMMAND_WRENCH, 1);
    int sent = 0;
    while (sent < 1000 && sn_world_post(s.world, &c) == SN_OK) sent++;
    CHECK(sent == CAPACITY, s.f->seed);
    CHECK_STATUS(sn_world_post(s.world, &c), SN_ERR_CAPACITY);
    sn_step_report report;
    CHECK_STATUS(sn_world_step(s.world, &report), SN_OK);
    CHECK(report.commands == CAPACITY, s.f->seed);
    for (int i = 0; i < CAPACITY; i++) CHECK_STATUS(sn_world_post(s.world, &c), SN_OK);
    CHECK_STATUS(sn_world_post(s.world, &c), SN_ERR_CAPACITY);
    end(s);
}

static void commands_that_do_not_fit_are_dropped_and_reported(void** state) {
    (void)state;
    setup s = begin(11);
    fixture* f = s.f;
    sn_world* other = another_world(f);
    sn_command bad[5] = {command(SN_COMMAND_WRENCH, f->n), command(SN_COMMAND_LOCK, -1),
                         command(SN_COMMAND_FORCE, 0), command((sn_command_type)99, 0),
                         command(SN_COMMAND_WRENCH, 0)};
    bad[2].force[0] = NAN;
    bad[4].wrench.f.x = INFINITY;
    for (int i = 0; i < 5; i++) {
        sn_step_report report;
        memset(&report, 0, sizeof report);
        sn_status status = sn_world_post(s.world, &bad[i]);   // refused at the door, or
        CHECK_STATUS(sn_world_step(s.world, &report), SN_OK); // dropped inside
        CHECK(status == SN_ERR_ARGUMENT || (report.events & SN_EVENT_BAD_COMMAND), f->seed);
        test_run(other, 1);
        CHECK(sn_world_hash(s.world) == sn_world_hash(other), f->seed);
    }
    sn_world_free(other);
    end(s);
}

// ---- snapshots -------------------------------------------------------------------------------------

static void check_snapshot(fixture* f, sn_world* world, sn_dynamics* dynamics) {
    const sn_snapshot* snapshot = sn_world_snapshot(world);
    CHECK(snapshot != NULL, f->seed);
    CHECK(sn_snapshot_time(snapshot) == sn_world_time(world), f->seed);
    CHECK(sn_snapshot_step(snapshot) == sn_world_step_count(world), f->seed);
    CHECK_STATUS(sn_dynamics_kinematics(dynamics, sn_world_q(world), sn_world_v(world)), SN_OK);
    int groups = sn_snapshot_group_count(snapshot);
    CHECK(groups >= 1 && groups <= f->n + 1, f->seed);
    for (int i = 0; i < f->n; i++) {
        sn_body_info b = sn_model_body(f->model, sn_body(i));
        double q[SN_JOINT_MAX_NQ], v[SN_JOINT_MAX_NV], pose[12], expected[12];
        sn_snapshot_joint(snapshot, sn_body(i), q, v);
        CHECK(same(q, sn_world_q(world) + b.iq, b.nq), f->seed);
        CHECK(same(v, sn_world_v(world) + b.iv, b.nv), f->seed);
        sn_snapshot_joint(snapshot, sn_body(i), NULL, NULL); // either may be NULL
        pose_numbers(sn_dynamics_pose(dynamics, sn_body(i)), expected);
        pose_numbers(sn_snapshot_pose(snapshot, sn_body(i)), pose);
        CHECK_VECTOR(pose, expected, 12, TOL_CHAIN, f->seed);
        int group = sn_snapshot_group_of(snapshot, sn_body(i));
        CHECK(group >= 0 && group < groups, f->seed);
        pose_numbers(sn_pose_mul(sn_snapshot_group_pose(snapshot, group),
                                 sn_snapshot_offset(snapshot, sn_body(i))),
                     pose);
        CHECK_VECTOR(pose, expected, 12, TOL_CHAIN, f->seed);
    }
}

static void a_snapshot_agrees_with_the_dynamics_of_its_state(void** state) {
    (void)state;
    setup s = begin(12);
    sn_dynamics* dynamics = test_dynamics(s.f->model, NULL);
    for (int step = 0; step < 10; step++) {
        test_run(s.world, 1);
        check_snapshot(s.f, s.world, dynamics);
    }
    sn_dynamics_free(dynamics);
    end(s);
}

static void a_snapshot_is_there_before_the_first_step(void** state) {
    (void)state;
    setup s = begin(13);
    sn_world* fresh = test_world(s.f->model, H, SN_INTEGRATE_EULER, DOWN);
    sn_dynamics* dynamics = test_dynamics(s.f->model, NULL);
    check_snapshot(s.f, fresh, dynamics);
    sn_dynamics_free(dynamics);
    sn_world_free(fresh);
    end(s);
}

static void bodies_joined_by_a_locked_joint_form_a_group_with_constant_offsets(void** state) {
    (void)state;
    setup s = begin(14);
    fixture* f = s.f;
    sn_dynamics* dynamics = test_dynamics(f->model, NULL);
    const int joint = 4;
    CHECK_STATUS(sn_world_lock(s.world, sn_body(joint), true), SN_OK);
    test_run(s.world, 1);
    int parent = sn_model_body(f->model, sn_body(joint)).parent.i;
    const sn_snapshot* snapshot = sn_world_snapshot(s.world);
    CHECK(sn_snapshot_group_of(snapshot, sn_body(joint)) ==
              sn_snapshot_group_of(snapshot, sn_body(parent)),
          f->seed);
    CHECK(sn_snapshot_group_of(snapshot, sn_body(joint)) !=
              sn_snapshot_group_of(snapshot, sn_body(joint + 1)),
          f->seed);
    double before[12], after[12];
    pose_numbers(sn_snapshot_offset(snapshot, sn_body(joint)), before);
    test_run(s.world, 20);
    pose_numbers(sn_snapshot_offset(sn_world_snapshot(s.world), sn_body(joint)), after);
    CHECK_VECTOR(after, before, 12, TOL_CHAIN, f->seed);
    check_snapshot(f, s.world, dynamics);
    sn_dynamics_free(dynamics);
    end(s);
}

static void a_snapshot_keeps_still_until_the_next_is_asked_for(void** state) {
    (void)state;
    setup s = begin(15);
    test_run(s.world, 1);
    const sn_snapshot* snapshot = sn_world_snapshot(s.world);
    double before[12], after[12];
    pose_numbers(sn_snapshot_pose(snapshot, sn_body(s.f->n - 1)), before);
    test_run(s.world, 7);
    pose_numbers(sn_snapshot_pose(snapshot, sn_body(s.f->n - 1)), after);
    CHECK(same(before, after, 12) && sn_snapshot_step(snapshot) == 1, s.f->seed);
    CHECK(sn_snapshot_step(sn_world_snapshot(s.world)) == 8, s.f->seed);
    end(s);
}

// ---- reports, clock, hash --------------------------------------------------------------------------

static int64_t ticking(void* context) { return *(int64_t*)context += 1000; }

static void the_report_counts_steps_and_time(void** state) {
    (void)state;
    setup s = begin(16);
    sn_step_report report;
    for (uint64_t step = 1; step <= 100; step++) {
        CHECK_STATUS(sn_world_step(s.world, &report), SN_OK);
        CHECK(report.step == step && sn_world_step_count(s.world) == step, s.f->seed);
        CHECK(report.time == sn_world_time(s.world), s.f->seed);
        CHECK_NEAR(report.time, (double)step * H, TOL_ROUNDOFF, s.f->seed);
        CHECK(report.events == 0 && report.commands == 0, s.f->seed);
    }
    end(s);
}

static void every_stage_has_a_name_and_a_time_by_the_injected_clock(void** state) {
    (void)state;
    setup s = begin(17);
    int stages = 0;
    while (sn_world_stage_name(stages)) {
        CHECK(sn_world_stage_name(stages)[0] != 0, 0);
        stages++;
    }
    CHECK(stages >= 1 && stages <= SN_STAGE_MAX, 0);
    CHECK(sn_world_stage_name(-1) == NULL && sn_world_stage_name(stages) == NULL, 0);
    CHECK(strcmp(sn_world_stage_name(0), "input") == 0, 0);            // DESIGN 2: first
    CHECK(strcmp(sn_world_stage_name(stages - 1), "publish") == 0, 0); // and last

    int64_t now = 5;
    sn_world_def def = sn_world_def_default();
    for (int kind = 0; kind < 2; kind++) {
        sn_world* world = NULL;
        sn_step_report report;
        sn_error error;
        def.clock = sn_clock_virtual(&now); // stands still
        if (kind == 1) def.clock.now_ns = ticking, def.clock.context = &now;
        CHECK_STATUS(sn_world_create(s.f->model, &def, &world, &error), SN_OK);
        CHECK_STATUS(sn_world_step(world, &report), SN_OK);
        CHECK(report.stage_count == stages, 0);
        for (int i = 0; i < stages; i++)
            CHECK(kind == 0 ? report.stage_ns[i] == 0 : report.stage_ns[i] > 0, 0);
        sn_world_free(world);
    }
    end(s);
}

static void clocks_do_what_they_say(void** state) {
    (void)state;
    int64_t now = 42;
    sn_clock virtual_clock = sn_clock_virtual(&now), real_clock = sn_clock_real();
    CHECK(virtual_clock.now_ns(virtual_clock.context) == 42, 0);
    now = -7;
    CHECK(virtual_clock.now_ns(virtual_clock.context) == -7, 0);
    int64_t a = real_clock.now_ns(real_clock.context), b = real_clock.now_ns(real_clock.context);
    CHECK(b >= a, 0);
}

static void the_same_inputs_give_the_same_bits(void** state) {
    (void)state;
    for (int i = 0; i < SN_INTEGRATOR_COUNT; i++) {
        uint64_t hash[2];
        for (int run = 0; run < 2; run++) {
            setup s = begin(18);
            int64_t now = 0;
            sn_world* world = NULL;
            sn_error error;
            sn_world_def def = sn_world_def_default();
            def.integrator = (sn_integrator)i;
            if (run == 1) def.clock.now_ns = ticking, def.clock.context = &now; // must not matter
            CHECK_STATUS(sn_world_create(s.f->model, &def, &world, &error), SN_OK);
            CHECK_STATUS(sn_world_set_state(world, s.f->q, s.f->v), SN_OK);
            CHECK_STATUS(sn_world_set_force(world, s.f->tau), SN_OK);
            uint64_t start = sn_world_hash(world);
            test_run(world, 50);
            hash[run] = sn_world_hash(world);
            CHECK(hash[run] != start, s.f->seed);
            sn_world_free(world);
            end(s);
        }
        CHECK(hash[0] == hash[1], 0);
    }
}

static void the_hash_sees_the_last_bit_of_every_number(void** state) {
    (void)state;
    setup s = begin(19);
    fixture* f = s.f;
    uint64_t hash = sn_world_hash(s.world);
    for (int k = 0; k < f->nv; k++) {
        double good = f->v[k];
        f->v[k] = nextafter(good, INFINITY);
        CHECK_STATUS(sn_world_set_state(s.world, NULL, f->v), SN_OK);
        CHECK(sn_world_hash(s.world) != hash, f->seed);
        f->v[k] = good;
    }
    CHECK_STATUS(sn_world_set_state(s.world, f->q, f->v), SN_OK);
    CHECK(sn_world_hash(s.world) == hash, f->seed);
    end(s);
}

static void energy_and_momentum_are_those_of_the_state(void** state) {
    (void)state;
    setup s = begin(20);
    fixture* f = s.f;
    sn_dynamics* dynamics = test_dynamics(f->model, NULL);
    sn_dynamics_set_gravity(dynamics, DOWN);
    for (int moved = 0; moved < 3; moved++) { // after set_state, after a step, after a lock
        if (moved == 1) test_run(s.world, 1);
        if (moved == 2) CHECK_STATUS(sn_world_lock(s.world, sn_body(2), true), SN_OK);
        CHECK_STATUS(sn_dynamics_kinematics(dynamics, sn_world_q(s.world), sn_world_v(s.world)),
                     SN_OK);
        sn_energy e = sn_dynamics_energy(dynamics), w = sn_world_energy(s.world);
        CHECK_RELATIVE(w.kinetic, e.kinetic, TOL_ROUNDOFF, f->seed);
        CHECK_RELATIVE(w.potential, e.potential, TOL_ROUNDOFF, f->seed);
        sn_momentum p = sn_dynamics_momentum(dynamics), m = sn_world_momentum(s.world);
        CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(p.linear, m.linear)), 0,
                   TOL_ROUNDOFF * sn_vec3_norm(p.linear), f->seed);
        CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(p.angular, m.angular)), 0,
                   TOL_ROUNDOFF * sn_vec3_norm(p.angular), f->seed);
    }
    sn_dynamics_free(dynamics);
    end(s);
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_starts_neutral_and_at_rest),
        cmocka_unit_test(definitions_that_make_no_sense_are_refused),
        cmocka_unit_test(state_is_what_was_set),
        cmocka_unit_test(a_state_that_is_read_and_set_again_goes_on_to_the_same_bits),
        cmocka_unit_test(numbers_that_are_not_finite_are_refused_and_change_nothing),
        cmocka_unit_test(bodies_that_do_not_exist_are_refused),
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(a_step_that_overflows_latches_and_keeps_the_last_good_state),
        cmocka_unit_test(forces_and_wrenches_act_until_changed),
        cmocka_unit_test(locking_a_joint_stops_it_by_an_impulse_through_itself),
        cmocka_unit_test(a_locked_joint_stays_where_it_is_while_the_rest_moves),
        cmocka_unit_test(a_locked_tree_moves_as_one_rigid_body),
        cmocka_unit_test(posted_commands_do_at_the_next_step_what_the_calls_do),
        cmocka_unit_test(a_full_ring_is_reported_and_empties_at_the_step),
        cmocka_unit_test(commands_that_do_not_fit_are_dropped_and_reported),
        cmocka_unit_test(a_snapshot_agrees_with_the_dynamics_of_its_state),
        cmocka_unit_test(a_snapshot_is_there_before_the_first_step),
        cmocka_unit_test(bodies_joined_by_a_locked_joint_form_a_group_with_constant_offsets),
        cmocka_unit_test(a_snapshot_keeps_still_until_the_next_is_asked_for),
        cmocka_unit_test(the_report_counts_steps_and_time),
        cmocka_unit_test(every_stage_has_a_name_and_a_time_by_the_injected_clock),
        cmocka_unit_test(clocks_do_what_they_say),
        cmocka_unit_test(the_same_inputs_give_the_same_bits),
        cmocka_unit_test(the_hash_sees_the_last_bit_of_every_number),
        cmocka_unit_test(energy_and_momentum_are_those_of_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
