// SPDX-License-Identifier: Apache-2.0
// Adaptive dynamics against the dense oracle: joints that are active accelerate as if the others were
// locked, and what is left out is known exactly.
#include <math.h>
#include <string.h>

#include "support/adaptive.h"

enum {
    MODELS = 240,
    // first argument of test_case_seed
    HYBRID = 500,
    REPORT,
    MONOTONE,
    THRESHOLD,
    KEPT,
    WRENCHES,
    AGAIN,
    MEDIUM,
    LARGE
};

/// Larger models, `count` bodies but where noted. What costs digits is in the open: joints that move and
/// are not active are held one by one, which adds up along a chain; and light legs on a heavy spine.
static adaptive_case begin_larger(int index, test_units u, uint64_t seed, int count) {
    enum { CATERPILLAR_MOST = 40 };
    static const sn_generate_shape shapes[] = {SN_GENERATE_CHAIN, SN_GENERATE_TREE,
                                               SN_GENERATE_STAR, SN_GENERATE_CATERPILLAR,
                                               SN_GENERATE_RANDOM};
    sn_generate_shape shape = shapes[index % 5];
    bool free_base = index / 5 % 2 == 1, passive = index / 10 % 2 == 0;
    adaptive_motion motion = (adaptive_motion)(index % ADAPTIVE_MOTIONS);
    if (shape == SN_GENERATE_CHAIN && motion == ADAPTIVE_ALL_MOVE) motion = ADAPTIVE_SOME_MOVE;
    if (shape == SN_GENERATE_CATERPILLAR && count > CATERPILLAR_MOST) count = CATERPILLAR_MOST;
    sn_model* model = test_generate(shape, count, seed, free_base, passive, u);
    return adaptive_begin(fixture_create(model, u, seed), motion,
                          (sn_metric)(index / 2 % SN_METRIC_COUNT));
}

/// Model `index` of a test: of the list, all metrics with all kinds of motion.
static adaptive_case begin(test_units u, int test, int index) {
    fixture* f = fixture_of_list(index, u, test_case_seed((uint64_t)test, (uint64_t)index));
    return adaptive_begin(f, (adaptive_motion)(index / 2 % ADAPTIVE_MOTIONS),
                          (sn_metric)(index / 7 % SN_METRIC_COUNT));
}

// ---- hybrid motion and remaining error ------------------------------------------------------------

static void active_joints_accelerate_as_if_the_others_were_locked(void** state) {
    const test_units* u = *state;
    int rigid_motion = 0;
    for (int m = 0; m < MODELS; m++) {
        adaptive_case c = begin(*u, HYBRID, m);
        for (int choice = 0; choice < 3; choice++) {
            adaptive_limit_randomly(c);
            adaptive_forward(c);
            adaptive_check_hybrid(c);
            adaptive_check_impulse(c);
            adaptive_check_response(c);
            adaptive_check_hybrid(c); // asking changed nothing
        }
        for (int i = 0; i < c.f->n; i++) { // a sleeping joint at rest on a body that moves
            const oracle_body* b = &c.f->o->body[i];
            if (b->nv == 0 || b->parent < 0 || sn_dynamics_is_active(c.d, sn_body(i))) continue;
            const real* w = c.f->o->body[b->parent].w;
            rigid_motion += c.f->v[b->iv] == 0 && w[0] * w[0] + w[1] * w[1] + w[2] * w[2] > 0;
        }
        adaptive_end(c);
    }
    CHECK(rigid_motion > MODELS / 8, test_seed()); // the list tests what it says
}

static void what_is_left_out_is_known_exactly(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < MODELS; m++) {
        adaptive_case c = begin(*u, REPORT, m);
        for (int choice = 0; choice < 4; choice++) {
            if (choice == 0)
                adaptive_limit(c, -1, 0);
            else
                adaptive_limit_randomly(c);
            adaptive_forward(c);
            adaptive_check_report(c);
        }
        adaptive_end(c);
    }
}

static void larger_models_are_hybrid_and_know_their_error(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < 20; m++) {
        uint64_t seed = test_case_seed(MEDIUM, (uint64_t)m);
        adaptive_case c = begin_larger(m, *u, seed, 24 + m);
        for (int choice = 0; choice < 2; choice++) {
            adaptive_limit_randomly(c);
            adaptive_forward(c);
            adaptive_check_report(c);
            adaptive_check_hybrid(c);
            adaptive_check_impulse(c);
            adaptive_check_response(c);
        }
        adaptive_end(c);
    }
}

// ---- large models, by another algorithm -------------------------------------------------------------

/// Forward dynamics of the articulated-body algorithm into f->y with joints locked.
static void forward_locked(adaptive_case c, sn_dynamics* aba, bool sleeping_locked) {
    fixture* f = c.f;
    for (int i = 0; i < f->n; i++) {
        bool locked = c.locked[i] || (sleeping_locked && !sn_dynamics_is_active(c.d, sn_body(i)));
        CHECK_STATUS(sn_dynamics_lock(aba, sn_body(i), locked), SN_OK);
        CHECK_STATUS(sn_dynamics_set_wrench(aba, sn_body(i), c.axes[i], c.wrench[i]), SN_OK);
    }
    CHECK_STATUS(sn_dynamics_forward(aba, f->q, f->v, f->tau, f->y), SN_OK);
}

static void compare_bodies(adaptive_case c, const sn_dynamics* aba) {
    fixture* f = c.f;
    double unit[6], *units = calloc(6 * (size_t)f->n, sizeof *units);
    double* a = calloc(6 * (size_t)f->n, sizeof *a);
    double* e = calloc(6 * (size_t)f->n, sizeof *e);
    test_unit_twist(f->u, 2, unit);
    for (int i = 0; i < f->n; i++) {
        memcpy(units + 6 * i, unit, sizeof unit);
        twist_numbers(sn_dynamics_acceleration(c.d, sn_body(i)), a + 6 * i);
        twist_numbers(sn_dynamics_acceleration(aba, sn_body(i)), e + 6 * i);
    }
    CHECK_SCALED(a, e, units, 6 * f->n, TOL_SOLVE, f->seed);
    free(units), free(a), free(e);
}

static void large_models_equal_the_articulated_body_algorithm_with_locks(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < 10; m++) {
        uint64_t seed = test_case_seed(LARGE, (uint64_t)m);
        adaptive_case c = begin_larger(m, *u, seed, 100);
        fixture* f = c.f;
        sn_dynamics* aba = test_dynamics(f->model, "aba");
        sn_dynamics_set_gravity(aba, f->gravity);
        forward_locked(c, aba, false);
        for (int k = 0; k < f->nv; k++) c.full[k] = f->y[k];
        adaptive_limit_randomly(c);
        adaptive_forward(c);
        adaptive_check_report(c);
        forward_locked(c, aba, true);
        for (int k = 0; k < f->nv; k++) f->x_l[k] = f->y[k];
        adaptive_check_scaled(f->x, f->x_l, f->unit_qdd, f->nv, seed);
        compare_bodies(c, aba);
        fixture_check_motion(f, c.d);
        sn_dynamics_free(aba);
        adaptive_end(c);
    }
}

// ---- bounds -------------------------------------------------------------------------------------------

/// x' M x
static real norm2(const fixture* f, const real* x) {
    real sum = 0;
    for (int i = 0; i < f->nv; i++)
        for (int k = 0; k < f->nv; k++) sum += x[i] * f->A_l[i * f->nv + k] * x[k];
    return sum;
}

/// |qdd_h - qdd*|_M^2 of the library's answer in f->x, and its bound qdd*_L' M_LL qdd*_L.
static void gauss(adaptive_case c, real* error, real* bound) {
    fixture* f = c.f;
    for (int k = 0; k < f->nv; k++) f->x_l[k] = f->x[k] - c.full[k];
    memset(f->y_l, 0, (size_t)f->nv * sizeof *f->y_l);
    for (int i = 0; i < f->n; i++) {
        const oracle_body* b = &f->o->body[i];
        if (sn_dynamics_is_active(c.d, sn_body(i))) continue;
        for (int k = b->iv; k < b->iv + b->nv; k++) f->y_l[k] = c.full[k];
    }
    *error = norm2(f, f->x_l);
    *bound = norm2(f, f->y_l);
}

static void more_active_joints_never_mean_more_error(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < MODELS; m++) {
        adaptive_case c = begin(*u, MONOTONE, m);
        fixture* f = c.f;
        real scale, error, bound, before = INFINITY;
        double left_before = INFINITY;
        oracle_mass_matrix(f->o, f->A_l);
        scale = norm2(f, c.full);
        bool at_rest = m / 2 % ADAPTIVE_MOTIONS == ADAPTIVE_AT_REST;
        for (int most = 0; most <= f->n; most++) {
            adaptive_limit(c, most, 0);
            adaptive_forward(c);
            sn_region_report report = sn_dynamics_region(c.d);
            CHECK(report.active <= most, f->seed);
            double left = report.error * report.error;
            CHECK(left <= left_before + TOL_SOLVE * report.total * report.total, f->seed);
            adaptive_check_report(c);
            left_before = left;
            if (most == f->n) CHECK(report.error == 0, f->seed);
            if (!at_rest) continue;
            gauss(c, &error, &bound); // least constraint: a projection of the full solution
            CHECK(error <= bound + TOL_SOLVE * scale, f->seed);
            CHECK(error <= before + TOL_SOLVE * scale, f->seed);
            before = error;
            if (most == f->n) CHECK(error <= TOL_SOLVE * scale, f->seed);
        }
        adaptive_end(c);
    }
}

static void the_error_stays_below_the_threshold(void** state) {
    const test_units* u = *state;
    int sleeping = 0;
    for (int m = 0; m < MODELS; m++) {
        adaptive_case c = begin(*u, THRESHOLD, m);
        double total = sqrt((double)adaptive_total(c));
        for (int k = 0; k < 6; k++) {
            double threshold = total * exp(-1.0 * k);
            adaptive_limit(c, -1, threshold);
            adaptive_forward(c);
            sn_region_report report = sn_dynamics_region(c.d);
            CHECK(report.error <= threshold * (1 + TOL_SOLVE), c.f->seed);
            CHECK((double)adaptive_left_out(c) <= threshold * threshold + TOL_SOLVE * total * total,
                  c.f->seed);
            sleeping += c.f->n - report.active;
        }
        adaptive_end(c);
    }
    CHECK(sleeping > MODELS, test_seed()); // it did leave out something
}

static void the_choice_depends_on_the_state_alone(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < MODELS; m++) {
        adaptive_case c = begin(*u, AGAIN, m);
        fixture* f = c.f;
        adaptive_limit_randomly(c);
        adaptive_forward(c);
        size_t size = (size_t)f->nv * sizeof(double);
        sn_region_report first = sn_dynamics_region(c.d);
        for (int again = 0; again < 3; again++) {
            if (again == 2) { // having been elsewhere
                memset(f->y, 0, size);
                CHECK_STATUS(sn_dynamics_forward(c.d, f->q, NULL, NULL, f->y), SN_OK);
            }
            CHECK_STATUS(sn_dynamics_forward(c.d, f->q, f->v, f->tau, f->y), SN_OK);
            sn_region_report second = sn_dynamics_region(c.d);
            CHECK(memcmp(f->x, f->y, size) == 0, f->seed); // to the bit
            CHECK(first.active == second.active && first.rigid == second.rigid, f->seed);
            CHECK(first.error == second.error && first.total == second.total, f->seed);
            CHECK(second.updates > first.updates, f->seed);
        }
        adaptive_end(c);
    }
}

// ---- what the user asks for ---------------------------------------------------------------------------

/// More children than this and a body is split.
enum { UNSPLIT_CHILDREN = 4 };

static void bodies_kept_active_are_free_to_move(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < MODELS; m++) {
        adaptive_case c = begin(*u, KEPT, m);
        fixture* f = c.f;
        int body = test_index(&f->rng, f->n), children = 0;
        adaptive_limit(c, -1, 2 * sqrt((double)adaptive_total(c)));
        for (int i = 0; i < f->n; i++)
            CHECK_STATUS(sn_dynamics_keep_active(c.d, sn_body(i), i == body), SN_OK);
        adaptive_forward(c);
        adaptive_check_hybrid(c);
        adaptive_check_report(c);
        CHECK(sn_dynamics_is_active(c.d, sn_body(body)) == !c.locked[body], f->seed);
        for (int i = 0; i < f->n; i++) children += f->o->body[i].parent == body;
        for (int i = 0; i < f->n && children <= UNSPLIT_CHILDREN; i++)
            if (f->o->body[i].parent == body)
                CHECK(sn_dynamics_is_active(c.d, sn_body(i)) == !c.locked[i], f->seed);
        memset(f->v, 0, (size_t)f->nv * sizeof *f->v); // nothing holds it then
        CHECK_STATUS(sn_dynamics_keep_active(c.d, sn_body(body), false), SN_OK);
        adaptive_solve(c);
        adaptive_limit(c, -1, 2 * sqrt((double)adaptive_total(c)));
        adaptive_forward(c);
        CHECK(sn_dynamics_region(c.d).active == 0, f->seed);
        adaptive_end(c);
    }
}

static void rigid_parts_are_counted(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < MODELS; m++) { // each joint that is not inside one carries one
        adaptive_case c = begin(*u, KEPT, 1000 + m);
        fixture* f = c.f;
        adaptive_limit_randomly(c);
        adaptive_forward(c);
        sn_region_report report = sn_dynamics_region(c.d);
        CHECK(report.rigid >= report.active && report.rigid <= f->n, f->seed);
        adaptive_limit(c, -1, 0);
        adaptive_forward(c);
        CHECK(sn_dynamics_region(c.d).rigid == f->n, f->seed);
        adaptive_end(c);
    }
}

static void bad_options_are_refused(void** state) {
    const test_units* u = *state;
    adaptive_case c = begin(*u, KEPT, 5000);
    sn_dynamics* aba = test_dynamics(c.f->model, "aba");
    sn_adaptivity good = sn_adaptivity_default(), bad, now;
    double weight = -1;
    CHECK_STATUS(sn_dynamics_set_adaptivity(aba, &good), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_adaptivity(aba, &now), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_keep_active(aba, sn_body(0), true), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_set_metric_weights(aba, c.f->unit_qdd), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_set_adaptivity(c.d, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_set_metric_weights(c.d, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_set_metric_weights(c.d, &weight), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_keep_active(c.d, sn_body(c.f->n), true), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_keep_active(c.d, sn_body(-1), true), SN_ERR_ARGUMENT);
    for (int k = 0; k < 6; k++) {
        bad = good;
        if (k == 0) bad.threshold = -1;
        if (k == 1) bad.threshold = NAN;
        if (k == 2) bad.settling_time = 0;
        if (k == 3) bad.settling_time = NAN;
        if (k == 4) bad.period = 0;
        if (k == 5) bad.metric = SN_METRIC_COUNT;
        CHECK_STATUS(sn_dynamics_set_adaptivity(c.d, &bad), SN_ERR_ARGUMENT);
    }
    good.max_active = 3;
    CHECK_STATUS(sn_dynamics_set_adaptivity(c.d, &good), SN_OK);
    CHECK_STATUS(sn_dynamics_adaptivity(c.d, &now), SN_OK);
    CHECK(now.max_active == 3 && now.period == good.period, c.f->seed);
    sn_dynamics_free(aba);
    adaptive_end(c);
}

static void more_moving_joints_than_there_is_room_for_are_refused(void** state) {
    // a star so large that not all may be active; those chosen and those that move do not fit together
    const test_units* u = *state;
    enum { BODIES = 40000, MOVING = 7000 };
    sn_model* model = test_generate(SN_GENERATE_STAR, BODIES, 1, false, false, *u);
    sn_dynamics* d = test_dynamics(model, "adaptive");
    int nv = sn_model_nv(model);
    double* q = calloc((size_t)sn_model_nq(model), sizeof *q);
    double* v = calloc((size_t)nv, sizeof *v);
    double* tau = calloc((size_t)nv, sizeof *tau);
    double* qdd = calloc((size_t)nv, sizeof *qdd);
    test_rng rng = test_rng_make(test_case_seed(LARGE, 1000));
    sn_model_neutral(model, q);
    sn_dynamics_set_gravity(d, sn_vec3_zero());
    test_random_tau(&rng, model, *u, tau);
    memset(tau + nv - MOVING, 0, MOVING * sizeof *tau);
    CHECK_STATUS(sn_dynamics_forward(d, q, NULL, tau, qdd), SN_OK);
    for (int k = nv - MOVING; k < nv; k++) v[k] = 1e-3 / u->time;
    CHECK_STATUS(sn_dynamics_forward(d, q, v, tau, qdd), SN_ERR_CAPACITY);
    sn_adaptivity none = sn_adaptivity_default();
    none.max_active = 0;
    CHECK_STATUS(sn_dynamics_set_adaptivity(d, &none), SN_OK);
    CHECK_STATUS(sn_dynamics_forward(d, q, v, tau, qdd), SN_OK); // those that move, held
    CHECK(sn_dynamics_region(d).active == 0, test_seed());
    free(q), free(v), free(tau), free(qdd);
    sn_dynamics_free(d);
    sn_model_free(model);
}

int main(void) {
    (void)test_seed(); // print it first
    static test_units si, molecular;
    si = test_units_si();
    molecular = test_units_molecular();
    const struct CMUnitTest tests[] = {
        TEST_IN_BOTH_UNITS(active_joints_accelerate_as_if_the_others_were_locked),
        TEST_IN_BOTH_UNITS(what_is_left_out_is_known_exactly),
        TEST_IN_BOTH_UNITS(larger_models_are_hybrid_and_know_their_error),
        TEST_IN_BOTH_UNITS(large_models_equal_the_articulated_body_algorithm_with_locks),
        TEST_IN_BOTH_UNITS(more_active_joints_never_mean_more_error),
        TEST_IN_BOTH_UNITS(the_error_stays_below_the_threshold),
        TEST_IN_BOTH_UNITS(the_choice_depends_on_the_state_alone),
        TEST_IN_BOTH_UNITS(bodies_kept_active_are_free_to_move),
        TEST_IN_BOTH_UNITS(rigid_parts_are_counted),
        TEST_IN_BOTH_UNITS(bad_options_are_refused),
        {"more_moving_joints_than_there_is_room_for_are_refused",
         more_moving_joints_than_there_is_room_for_are_refused, NULL, NULL, &si},
    };
    return cmocka_run_group_tests_name("region", tests, NULL, NULL);
}
