// SPDX-License-Identifier: Apache-2.0
// What a hand feels, for every forward dynamics there is: the affine law, the pass over the structure and
// the dense oracle with the hands' wrenches applied agree, in SI and in molecular units.
#include <math.h>
#include <string.h>

#include "oracle/vectors.h"
#include "sinew/coupling.h"
#include "support/fixture.h"

enum {
    MODELS = 60,
    // first argument of test_case_seed: one stream of models per test
    TEST_LAW = 700,
    TEST_APPLIED,
    TEST_LAMBDA,
    TEST_SUPERPOSITION,
    TEST_ONE_BODY,
    TEST_LOCKED,
    TEST_STATIC,
    TEST_FREE,
    TEST_LOOPS,
    TEST_ORDER,
    TEST_BAD,
    TEST_PATHS
};

typedef struct setting {
    const char* algorithm;
    test_units units;
} setting;

/// A model with hands on it.
typedef struct scene {
    fixture* f;
    sn_dynamics* dynamics;
    sn_body_wrench hand[SN_GRAB_MAX];
    sn_wrench f_u[SN_GRAB_MAX];
    int count;
} scene;

static scene begin(void** state, int test, int index, int most) {
    const setting* s = *state;
    scene c = {0};
    c.f = fixture_of_list(index, s->units, test_case_seed((uint64_t)test, (uint64_t)index));
    c.dynamics = test_dynamics(c.f->model, s->algorithm);
    sn_dynamics_set_gravity(c.dynamics, c.f->gravity);
    c.count = 1 + test_index(&c.f->rng, most);
    for (int i = 0; i < c.count; i++) { // the same body may come twice
        c.hand[i].body = sn_body(test_index(&c.f->rng, c.f->n));
        c.f_u[i] = c.hand[i].wrench = test_random_wrench(&c.f->rng, s->units);
    }
    return c;
}

static void end(scene c) {
    sn_dynamics_free(c.dynamics);
    fixture_free(c.f);
}

static void forward(scene* c) {
    CHECK_STATUS(sn_dynamics_forward(c->dynamics, c->f->q, c->f->v, c->f->tau, c->f->x), SN_OK);
}

/// The law when the last forward does not know the hands.
static sn_coupling_law* law_of(scene* c) {
    sn_body_wrench none[SN_GRAB_MAX];
    sn_coupling_law* law = malloc(sizeof *law);
    memset(law, 0xff, sizeof *law); // NaN where nothing is written
    for (int i = 0; i < c->count; i++)
        none[i] = (sn_body_wrench){c->hand[i].body, sn_wrench_zero()};
    CHECK_STATUS(sn_dynamics_coupling(c->dynamics, none, c->count, law), SN_OK);
    CHECK(law->count == c->count && law->nodes > 0, c->f->seed);
    return law;
}

/// n = 6 count numbers with their units, and one more that is the size they are judged by.
static void units_of(const scene* c, double* unit) {
    for (int i = 0; i < c->count; i++) test_unit_wrench(c->f->u, unit + 6 * i);
    unit[6 * c->count] = 1;
}

static void check_wrenches(const scene* c, const sn_wrench* actual, const real* expected,
                           double size) {
    int n = 6 * c->count;
    double a[SN_GRAB_ROWS + 1], unit[SN_GRAB_ROWS + 1];
    real e[SN_GRAB_ROWS + 1];
    for (int i = 0; i < c->count; i++) wrench_numbers(actual[i], a + 6 * i);
    for (int k = 0; k < n; k++) e[k] = expected[k];
    units_of(c, unit);
    a[n] = size, e[n] = size;
    CHECK_SCALED(a, e, unit, n + 1, TOL_SOLVE, c->f->seed);
}

// ---- the oracle ------------------------------------------------------------------------------------

/// I t: t in body axes at the origin.
static void oracle_inertia(const oracle_body* b, const real t[6], real out[6]) {
    real p[3] = {t[3], t[4], t[5]};
    r3_add_cross(p, t, b->com);
    for (int k = 0; k < 3; k++) out[3 + k] = b->mass * p[k];
    r3_apply(out, b->inertia, t);
    r3_add_cross(out, b->com, out + 3);
}

/// v x* f.
static void oracle_cross(const real v[6], const real f[6], real out[6]) {
    real r[6] = {0};
    r3_add_cross(r, v, f);
    r3_add_cross(r, v + 3, f + 3);
    r3_add_cross(r + 3, v, f + 3);
    for (int k = 0; k < 6; k++) out[k] = r[k];
}

static void add_to_oracle(scene* c, int body, sn_wrench w) {
    oracle_body* b = &c->f->o->body[body];
    double d[6];
    real l[6], turned[6];
    wrench_numbers(w, d);
    for (int k = 0; k < 6; k++) l[k] = d[k];
    r3_apply(turned, b->R, l);
    r3_apply(turned + 3, b->R, l + 3);
    for (int k = 0; k < 6; k++) b->f_ext[k] += turned[k];
}

/// f_feed with the hands' wrenches among the external ones; returns the size of what is summed, in
/// natural units. The hands stay in the oracle.
static double oracle_feel(scene* c, real* f_feed) {
    fixture* f = c->f;
    double size = 0, unit[SN_GRAB_ROWS + 1];
    units_of(c, unit);
    for (int i = 0; i < c->count; i++) add_to_oracle(c, c->hand[i].body.i, c->f_u[i]);
    CHECK(oracle_forward(f->o, f->tau_l, f->x_l, NULL), f->seed);
    for (int i = 0; i < c->count; i++) {
        const oracle_body* b = &f->o->body[c->hand[i].body.i];
        real a[6], v[6], g[3], Ia[6], Iv[6], gyro[6];
        double u[6];
        oracle_acceleration(f->o, c->hand[i].body.i, f->x_l, a);
        oracle_velocity(f->o, c->hand[i].body.i, v);
        r3_apply_transposed(g, b->R, f->o->g);
        for (int k = 0; k < 3; k++) a[3 + k] -= g[k];
        oracle_inertia(b, a, Ia);
        oracle_inertia(b, v, Iv);
        oracle_cross(v, Iv, gyro);
        wrench_numbers(c->f_u[i], u);
        for (int k = 0; k < 6; k++) {
            f_feed[6 * i + k] = Ia[k] + gyro[k] - u[k];
            double sum = fabs((double)Ia[k]) + fabs((double)gyro[k]) + fabs(u[k]);
            size = fmax(size, sum / unit[k]);
        }
    }
    return size;
}

// ---- the law ---------------------------------------------------------------------------------------

static void law_and_pass_are_the_full_recomputation(void** state) {
    bool twice = false;
    for (int m = 0; m < MODELS; m++) {
        scene c = begin(state, TEST_LAW, m, m % 4 == 3 ? SN_GRAB_MAX : 3);
        for (int i = 1; i < c.count; i++) twice |= c.hand[i].body.i == c.hand[0].body.i;
        fixture_random_wrenches(c.f, c.dynamics, 0.4);
        if (m % 3 == 0) fixture_random_locks(c.f, c.dynamics, 0.3);
        forward(&c);
        sn_coupling_law* law = law_of(&c);
        real expected[SN_GRAB_ROWS];
        sn_wrench f_feed[SN_GRAB_MAX];
        double size = oracle_feel(&c, expected);
        CHECK_STATUS(sn_dynamics_feel(c.dynamics, c.hand, c.count, f_feed), SN_OK);
        check_wrenches(&c, f_feed, expected, size);
        CHECK_STATUS(sn_coupling_tick(law, c.f_u, f_feed), SN_OK);
        check_wrenches(&c, f_feed, expected, size);
        free(law);
        end(c);
    }
    CHECK(twice, test_seed()); // the list has two hands on one body
}

static void the_law_carries_the_state_of_the_bodies(void** state) {
    for (int m = 0; m < 40; m++) {
        scene c = begin(state, TEST_LAW, 1000 + m, 3);
        forward(&c);
        sn_coupling_law* law = law_of(&c);
        for (int i = 0; i < c.count; i++) {
            const sn_grabbed* g = &law->hand[i];
            sn_body_id body = c.hand[i].body;
            sn_pose pose = sn_dynamics_pose(c.dynamics, body);
            sn_twist v = sn_dynamics_velocity(c.dynamics, body);
            const oracle_body* b = &c.f->o->body[body.i];
            CHECK(g->body.i == body.i, c.f->seed);
            CHECK(memcmp(&g->pose, &pose, sizeof pose) == 0, c.f->seed);
            CHECK(memcmp(&g->velocity, &v, sizeof v) == 0, c.f->seed);
            CHECK(g->inertia.mass == (double)b->mass, c.f->seed);
            // weight: I [0; g]
            real t[6] = {0}, weight[6];
            double unit[6];
            r3_apply_transposed(t + 3, b->R, c.f->o->g);
            const double gravity[3] = {g->gravity.x, g->gravity.y, g->gravity.z};
            CHECK_VECTOR(gravity, (t + 3), 3, TOL_CHAIN, c.f->seed);
            oracle_inertia(b, t, weight);
            test_unit_wrench(c.f->u, unit);
            CHECK_SCALED(law->weight + 6 * i, weight, unit, 6, TOL_CHAIN, c.f->seed);
        }
        free(law);
        end(c);
    }
}

static void wrenches_that_act_already_are_left_out(void** state) {
    for (int m = 0; m < MODELS; m++) {
        scene c = begin(state, TEST_APPLIED, m, 3);
        fixture* f = c.f;
        int n = 6 * c.count;
        double unit[SN_GRAB_ROWS + 1];
        // without the hands
        sn_wrench other[SN_GRAB_MAX];
        for (int i = 0; i < c.count; i++) {
            other[i] = test_random_wrench(&f->rng, f->u);
            CHECK_STATUS(sn_dynamics_set_wrench(c.dynamics, c.hand[i].body, SN_AXES_BODY, other[i]),
                         SN_OK);
        }
        forward(&c);
        sn_coupling_law *without = law_of(&c), *with = law_of(&c);
        // with them: all that are on one body, and what was there
        for (int i = 0; i < c.count; i++) {
            sn_wrench sum = sn_wrench_zero();
            for (int k = 0; k < c.count; k++) {
                if (c.hand[k].body.i != c.hand[i].body.i) continue;
                sum = sn_wrench_add(sum, c.f_u[k]);
                if (k >= i) other[i] = other[k]; // the last one set stayed
            }
            sum = sn_wrench_add(sum, other[i]);
            CHECK_STATUS(sn_dynamics_set_wrench(c.dynamics, c.hand[i].body, SN_AXES_BODY, sum),
                         SN_OK);
        }
        forward(&c);
        CHECK_STATUS(sn_dynamics_coupling(c.dynamics, c.hand, c.count, with), SN_OK);
        double twist_unit[SN_GRAB_ROWS + 1], a[2][SN_GRAB_ROWS + 1], size = 0;
        for (int i = 0; i < c.count; i++) test_unit_twist(f->u, 2, twist_unit + 6 * i);
        // what is subtracted is part of the size
        units_of(&c, unit);
        for (int r = 0; r < n; r++)
            for (int k = 0; k < n; k++)
                size = fmax(size, fabs(without->Lambda[r * n + k]) * unit[k] / twist_unit[r]);
        memcpy(a[0], with->a0, (size_t)n * sizeof(double));
        memcpy(a[1], without->a0, (size_t)n * sizeof(double));
        a[0][n] = a[1][n] = size, twist_unit[n] = 1;
        CHECK_SCALED(a[0], a[1], twist_unit, n + 1, TOL_SOLVE, f->seed);
        free(without), free(with);
        end(c);
    }
}

/// Largest entry of I^-1 in natural units: how the bodies would answer without joints. Algorithms that
/// take freedom away from that leave its rounding where nothing can move.
static double free_response(const scene* c) {
    double twist_unit[6], unit[6], most = 0;
    test_unit_twist(c->f->u, 2, twist_unit);
    test_unit_wrench(c->f->u, unit);
    for (int i = 0; i < c->count; i++) {
        real I[36], column[6];
        for (int k = 0; k < 6; k++) {
            real t[6] = {0};
            t[k] = twist_unit[k];
            oracle_inertia(&c->f->o->body[c->hand[i].body.i], t, column);
            for (int r = 0; r < 6; r++) I[6 * r + k] = column[r] / (real)unit[r];
        }
        for (int k = 0; k < 6; k++) {
            for (int r = 0; r < 6; r++) column[r] = r == k;
            CHECK(oracle_solve(6, I, column), c->f->seed);
            for (int r = 0; r < 6; r++) most = fmax(most, fabs((double)column[r]));
        }
    }
    return most;
}

static void lambda_is_the_dense_operator_symmetric_and_not_negative(void** state) {
    for (int m = 0; m < MODELS; m++) {
        scene c = begin(state, TEST_LAMBDA, m, 5);
        fixture* f = c.f;
        if (m % 3 == 0) fixture_random_locks(f, c.dynamics, 0.4);
        forward(&c);
        sn_coupling_law* law = law_of(&c);
        int n = 6 * c.count, bodies[SN_GRAB_MAX];
        size_t size = (size_t)(n * n);
        real *dense = calloc(size, sizeof *dense), *values = calloc((size_t)n, sizeof *values);
        double *natural = calloc(size, sizeof *natural), *expected = calloc(size, sizeof *expected);
        double twist_unit[6], unit[6], most = free_response(&c);
        test_unit_twist(f->u, 2, twist_unit);
        test_unit_wrench(f->u, unit);
        for (int i = 0; i < c.count; i++) bodies[i] = c.hand[i].body.i;
        CHECK(oracle_response(f->o, bodies, c.count, dense), f->seed);
        for (int r = 0; r < n; r++) {
            for (int k = 0; k < n; k++) {
                double scale = unit[k % 6] / twist_unit[r % 6];
                natural[r * n + k] = law->Lambda[r * n + k] * scale;
                expected[r * n + k] = (double)(dense[r * n + k] * (real)scale);
                most = fmax(most, fabs(expected[r * n + k]));
            }
        }
        for (int r = 0; r < n; r++) {
            for (int k = 0; k < n; k++) {
                double across = natural[k * n + r];
                CHECK_NEAR(natural[r * n + k], expected[r * n + k], TOL_SOLVE * most, f->seed);
                CHECK_NEAR(natural[r * n + k], across, TOL_SOLVE * most, f->seed);
                dense[r * n + k] = ((real)natural[r * n + k] + (real)across) / 2;
            }
        }
        oracle_eigenvalues(n, dense, values);
        for (int r = 0; r < n; r++) CHECK(values[r] >= -TOL_SOLVE * (real)most, f->seed);
        free(dense), free(values), free(natural), free(expected), free(law);
        end(c);
    }
}

// ---- several hands ---------------------------------------------------------------------------------

/// Size of what f_feed is made of, in natural units: I a' alone has it, f_u is of order one.
static double size_of(const scene* c, const sn_wrench* a, const sn_wrench* b) {
    double unit[SN_GRAB_ROWS + 1], x[6], size = 10;
    units_of(c, unit);
    for (int i = 0; i < c->count; i++) {
        wrench_numbers(a[i], x);
        for (int k = 0; k < 6; k++) size = fmax(size, fabs(x[k]) / unit[k]);
        wrench_numbers(b[i], x);
        for (int k = 0; k < 6; k++) size = fmax(size, fabs(x[k]) / unit[k]);
    }
    return size;
}

static int root_of(const oracle* o, int body) {
    while (o->body[body].parent >= 0) body = o->body[body].parent;
    return body;
}

static void effects_of_several_hands_add_up(void** state) {
    bool apart = false;
    for (int m = 0; m < MODELS; m++) {
        scene c = begin(state, TEST_SUPERPOSITION, m, 4);
        fixture* f = c.f;
        forward(&c);
        // f_feed is affine: the sum over hands of (one hand alone - none) + none
        sn_wrench all[SN_GRAB_MAX], none[SN_GRAB_MAX], one[SN_GRAB_MAX], sum[SN_GRAB_MAX];
        sn_body_wrench alone[SN_GRAB_MAX];
        memcpy(alone, c.hand, sizeof alone);
        for (int i = 0; i < c.count; i++) alone[i].wrench = sn_wrench_zero();
        CHECK_STATUS(sn_dynamics_feel(c.dynamics, c.hand, c.count, all), SN_OK);
        CHECK_STATUS(sn_dynamics_feel(c.dynamics, alone, c.count, none), SN_OK);
        memcpy(sum, none, sizeof sum);
        for (int i = 0; i < c.count; i++) {
            alone[i].wrench = c.f_u[i];
            CHECK_STATUS(sn_dynamics_feel(c.dynamics, alone, c.count, one), SN_OK);
            alone[i].wrench = sn_wrench_zero();
            for (int k = 0; k < c.count; k++) {
                sum[k] = sn_wrench_add(sum[k], sn_wrench_sub(one[k], none[k]));
                // a hand in another tree is not felt at all
                if (root_of(f->o, c.hand[i].body.i) == root_of(f->o, c.hand[k].body.i)) continue;
                apart = true;
                CHECK(memcmp(&one[k], &none[k], sizeof one[k]) == 0, f->seed);
            }
        }
        real expected[SN_GRAB_ROWS];
        double numbers[6];
        for (int i = 0; i < c.count; i++) {
            wrench_numbers(sum[i], numbers);
            for (int k = 0; k < 6; k++) expected[6 * i + k] = numbers[k];
        }
        check_wrenches(&c, all, expected, size_of(&c, all, none));
        end(c);
    }
    CHECK(apart, test_seed()); // the list has forests of more than one tree
}

static void a_hand_feels_another_on_the_same_body_as_an_external_wrench(void** state) {
    for (int m = 0; m < MODELS; m++) {
        scene c = begin(state, TEST_ONE_BODY, m, 1);
        sn_body_wrench two[2] = {c.hand[0],
                                 {c.hand[0].body, test_random_wrench(&c.f->rng, c.f->u)}};
        sn_wrench both[2], alone[1];
        sn_coupling_law* law = malloc(sizeof *law);
        forward(&c);
        CHECK_STATUS(sn_dynamics_feel(c.dynamics, two, 2, both), SN_OK);
        sn_body_wrench none[2] = {{two[0].body, sn_wrench_zero()}, {two[0].body, sn_wrench_zero()}};
        const sn_wrench f_u[2] = {two[0].wrench, two[1].wrench};
        sn_wrench by_law[2];
        CHECK_STATUS(sn_dynamics_coupling(c.dynamics, none, 2, law), SN_OK);
        CHECK_STATUS(sn_coupling_tick(law, f_u, by_law), SN_OK);
        CHECK_STATUS(sn_dynamics_set_wrench(c.dynamics, two[1].body, SN_AXES_BODY, two[1].wrench),
                     SN_OK);
        forward(&c);
        CHECK_STATUS(sn_dynamics_feel(c.dynamics, c.hand, 1, alone), SN_OK);
        real expected[6];
        double numbers[6];
        wrench_numbers(alone[0], numbers);
        for (int k = 0; k < 6; k++) expected[k] = numbers[k];
        double size = size_of(&c, both, alone);
        check_wrenches(&c, both, expected, size);
        check_wrenches(&c, by_law, expected, size);
        free(law);
        end(c);
    }
}

// ---- known answers ---------------------------------------------------------------------------------

static void a_body_that_cannot_move_answers_with_the_opposite(void** state) {
    for (int m = 0; m < 40; m++) {
        scene c = begin(state, TEST_LOCKED, m, 3);
        fixture_random_locks(c.f, c.dynamics, 1.1); // all
        forward(&c);
        sn_coupling_law* law = law_of(&c);
        double unit[SN_GRAB_ROWS + 1];
        units_of(&c, unit);
        int n = 6 * c.count;
        for (int r = 0; r < n; r++)
            for (int k = 0; k < n; k++)
                CHECK_NEAR(law->K[r * n + k] * unit[k] / unit[r], r == k ? -1 : 0, TOL_SOLVE,
                           c.f->seed);
        free(law);
        end(c);
    }
}

static void at_rest_the_hand_feels_its_own_wrench_and_the_weight_of_the_body(void** state) {
    for (int m = 0; m < MODELS; m++) {
        scene c = begin(state, TEST_STATIC, m, 3);
        fixture* f = c.f;
        size_t size = (size_t)f->nv * sizeof(double);
        memset(f->v, 0, size);
        memset(f->qdd, 0, size);
        for (int i = 0; i < c.count; i++) { // joints that hold against the hands and gravity
            sn_wrench sum = sn_wrench_zero();
            for (int k = 0; k < c.count; k++)
                if (c.hand[k].body.i == c.hand[i].body.i) sum = sn_wrench_add(sum, c.f_u[k]);
            CHECK_STATUS(sn_dynamics_set_wrench(c.dynamics, c.hand[i].body, SN_AXES_BODY, sum),
                         SN_OK);
        }
        CHECK_STATUS(sn_dynamics_inverse(c.dynamics, f->q, f->v, f->qdd, f->tau), SN_OK);
        sn_dynamics_clear_wrenches(c.dynamics);
        forward(&c);
        sn_coupling_law* law = law_of(&c);
        sn_wrench f_feed[SN_GRAB_MAX];
        CHECK_STATUS(sn_coupling_tick(law, c.f_u, f_feed), SN_OK);
        real expected[SN_GRAB_ROWS];
        double most = 0, unit[SN_GRAB_ROWS + 1], numbers[6];
        units_of(&c, unit);
        for (int i = 0; i < c.count; i++) {
            wrench_numbers(c.f_u[i], numbers);
            for (int k = 0; k < 6; k++) expected[6 * i + k] = -numbers[k];
            sn_wrench weight;
            memcpy(&weight, law->weight + 6 * i, sizeof weight);
            f_feed[i] = sn_wrench_add(f_feed[i], weight);
        }
        // the weights that the joints hold, and what they do to the body before the hands act
        for (int k = 0; k < f->nv; k++) most = fmax(most, fabs(f->tau[k]) / f->unit_tau[k]);
        for (int k = 0; k < 6 * c.count; k++) most = fmax(most, fabs(law->f0[k]) / unit[k]);
        check_wrenches(&c, f_feed, expected, most);
        free(law);
        end(c);
    }
}

static void a_free_body_has_nothing_to_answer_with(void** state) {
    const setting* s = *state;
    for (int m = 0; m < 40; m++) {
        uint64_t seed = test_case_seed(TEST_FREE, (uint64_t)m);
        scene c = {.count = 1};
        c.f = fixture_create(test_generate(SN_GENERATE_CHAIN, 1, seed, true, false, s->units),
                             s->units, seed);
        c.dynamics = test_dynamics(c.f->model, s->algorithm);
        sn_dynamics_set_gravity(c.dynamics, c.f->gravity);
        c.hand[0] = (sn_body_wrench){sn_body(0), test_random_wrench(&c.f->rng, s->units)};
        CHECK_STATUS(sn_dynamics_forward(c.dynamics, c.f->q, c.f->v, NULL, c.f->x), SN_OK);
        sn_coupling_law* law = law_of(&c);
        double unit[6];
        test_unit_wrench(s->units, unit);
        for (int r = 0; r < 6; r++) {
            CHECK_NEAR(law->f0[r] / unit[r], 0, TOL_CHAIN, seed);
            for (int k = 0; k < 6; k++)
                CHECK_NEAR(law->K[6 * r + k] * unit[k] / unit[r], 0, TOL_CHAIN, seed);
        }
        free(law);
        end(c);
    }
}

/// A chain whose last body is held by the world as well.
static void hands_feel_loops(void** state) {
    const setting* s = *state;
    test_units u = s->units;
    for (int m = 0; m < 40; m++) {
        uint64_t seed = test_case_seed(TEST_LOOPS, (uint64_t)m);
        sn_generate_def def = sn_generate_def_default();
        def.shape = SN_GENERATE_CHAIN;
        def.count = 6;
        def.seed = seed;
        def.free_base = true;
        def.mass_unit = u.mass, def.length_unit = u.length, def.time_unit = u.time;
        sn_model_builder* builder = sn_model_builder_create("loop");
        CHECK_STATUS(sn_generate(&def, builder), SN_OK);
        sn_model* tree = NULL;
        CHECK_STATUS(sn_model_builder_compile(builder, NULL, &tree, NULL), SN_OK);
        sn_loop_def loop = sn_loop_def_default();
        loop.name = "held";
        loop.body_b = sn_model_body(tree, sn_body(5)).name;
        loop.type = m % 2 ? SN_JOINT_SPHERICAL : SN_JOINT_REVOLUTE;
        CHECK_STATUS(sn_model_builder_add_loop(builder, &loop), SN_OK);
        scene c = {.count = 2};
        c.f = fixture_create(test_compile(builder), u, seed);
        c.dynamics = test_dynamics(c.f->model, s->algorithm);
        for (int i = 0; i < 2; i++) {
            c.hand[i].body = sn_body(3 * i);
            c.f_u[i] = c.hand[i].wrench = test_random_wrench(&c.f->rng, u);
        }
        forward(&c);
        sn_coupling_law* law = law_of(&c);
        sn_wrench by_law[SN_GRAB_MAX], by_pass[SN_GRAB_MAX], again[SN_GRAB_MAX];
        CHECK_STATUS(sn_coupling_tick(law, c.f_u, by_law), SN_OK);
        CHECK_STATUS(sn_dynamics_feel(c.dynamics, c.hand, 2, by_pass), SN_OK);
        // and with the hands among the external wrenches: what the bodies then do, less the hands
        sn_body_wrench none[2];
        for (int i = 0; i < 2; i++) {
            none[i] = (sn_body_wrench){c.hand[i].body, sn_wrench_zero()};
            CHECK_STATUS(sn_dynamics_set_wrench(c.dynamics, c.hand[i].body, SN_AXES_BODY, c.f_u[i]),
                         SN_OK);
        }
        forward(&c);
        CHECK_STATUS(sn_dynamics_feel(c.dynamics, none, 2, again), SN_OK);
        real expected[12];
        double numbers[6];
        for (int i = 0; i < 2; i++) {
            wrench_numbers(sn_wrench_sub(again[i], c.f_u[i]), numbers);
            for (int k = 0; k < 6; k++) expected[6 * i + k] = numbers[k];
        }
        check_wrenches(&c, by_law, expected, size_of(&c, again, by_law));
        check_wrenches(&c, by_pass, expected, size_of(&c, again, by_law));
        free(law);
        sn_model_free(tree);
        end(c);
    }
}

// ---- using it --------------------------------------------------------------------------------------

static void questions_in_between_do_not_change_the_law(void** state) {
    for (int m = 0; m < 40; m++) {
        scene c = begin(state, TEST_ORDER, m, 3);
        fixture* f = c.f;
        forward(&c);
        sn_coupling_law *first = law_of(&c), *copy = malloc(sizeof *copy);
        sn_wrench f_feed[SN_GRAB_MAX];
        double Lambda[36];
        sn_body_id body = sn_body(f->n - 1);
        CHECK_STATUS(sn_dynamics_impulse(c.dynamics, f->tau, c.hand, c.count, f->y), SN_OK);
        CHECK_STATUS(sn_dynamics_response(c.dynamics, &body, 1, Lambda), SN_OK);
        CHECK_STATUS(sn_dynamics_feel(c.dynamics, c.hand, c.count, f_feed), SN_OK);
        sn_coupling_law* second = law_of(&c);
        CHECK(memcmp(first, second, sizeof *first) == 0, f->seed); // to the bit
        memset(copy, 0xff, sizeof *copy);
        sn_coupling_copy(first, copy);
        CHECK(memcmp(first, copy, sizeof *first) == 0, f->seed); // and nothing more
        sn_coupling_copy(copy, copy);
        sn_wrench again[SN_GRAB_MAX];
        memcpy(again, c.f_u, sizeof again);
        CHECK_STATUS(sn_coupling_tick(first, c.f_u, f_feed), SN_OK);
        CHECK_STATUS(sn_coupling_tick(copy, again, again), SN_OK); // in place
        CHECK(memcmp(again, f_feed, (size_t)c.count * sizeof *again) == 0, f->seed);
        free(first), free(second), free(copy);
        end(c);
    }
}

static void bad_arguments_are_refused_and_change_nothing(void** state) {
    scene c = begin(state, TEST_BAD, 7, 1);
    sn_coupling_law *law = malloc(sizeof *law), *before = malloc(sizeof *before);
    memset(law, 0x55, sizeof *law);
    memcpy(before, law, sizeof *law);
    sn_body_wrench many[SN_GRAB_MAX + 1];
    sn_wrench f_feed[SN_GRAB_MAX];
    sn_dynamics* d = c.dynamics;
    for (int i = 0; i <= SN_GRAB_MAX; i++) many[i] = c.hand[0];
    CHECK_STATUS(sn_dynamics_coupling(d, many, 1, law), SN_ERR_ARGUMENT); // no forward yet
    CHECK_STATUS(sn_dynamics_feel(d, many, 1, f_feed), SN_ERR_ARGUMENT);
    forward(&c);
    CHECK_STATUS(sn_dynamics_coupling(NULL, many, 1, law), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_coupling(d, NULL, 1, law), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_coupling(d, many, 0, law), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_coupling(d, many, -1, law), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_coupling(d, many, 1, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_coupling(d, many, SN_GRAB_MAX + 1, law), SN_ERR_CAPACITY);
    CHECK_STATUS(sn_dynamics_feel(d, many, SN_GRAB_MAX + 1, f_feed), SN_ERR_CAPACITY);
    CHECK_STATUS(sn_dynamics_feel(d, many, 1, NULL), SN_ERR_ARGUMENT);
    many[0].body = sn_body(c.f->n);
    CHECK_STATUS(sn_dynamics_coupling(d, many, 1, law), SN_ERR_ARGUMENT);
    many[0].body = sn_body(-1);
    CHECK_STATUS(sn_dynamics_feel(d, many, 1, f_feed), SN_ERR_ARGUMENT);
    many[0] = c.hand[0];
    many[0].wrench.f.y = NAN;
    CHECK_STATUS(sn_dynamics_coupling(d, many, 1, law), SN_ERR_NUMERIC);
    CHECK_STATUS(sn_dynamics_feel(d, many, 1, f_feed), SN_ERR_NUMERIC);
    CHECK_STATUS(sn_dynamics_kinematics(d, c.f->q, c.f->v), SN_OK); // the factors are gone
    many[0] = c.hand[0];
    CHECK_STATUS(sn_dynamics_coupling(d, many, 1, law), SN_ERR_ARGUMENT);
    CHECK(memcmp(law, before, sizeof *law) == 0, c.f->seed);
    free(law), free(before);
    end(c);
}

static void wrenches_that_are_not_finite_feel_like_nothing(void** state) {
    for (int m = 0; m < 20; m++) {
        scene c = begin(state, TEST_BAD, 100 + m, 3);
        forward(&c);
        sn_coupling_law* law = law_of(&c);
        sn_wrench f_feed[SN_GRAB_MAX], zero[SN_GRAB_MAX] = {0};
        const double bad[] = {NAN, INFINITY, -INFINITY};
        (&c.f_u[m % c.count].n.x)[m % 6] = bad[m % 3];
        CHECK_STATUS(sn_coupling_tick(law, c.f_u, f_feed), SN_ERR_NUMERIC);
        CHECK(memcmp(f_feed, zero, (size_t)c.count * sizeof *zero) == 0, c.f->seed);
        free(law);
        end(c);
    }
}

// ---- closed paths ----------------------------------------------------------------------------------

/// Work done on a hand that goes round a circle of radius one, x = cos a + sin b, in the space of
/// displacements e of all hands, pulling with f_u = Kc e; natural units. Trapezoids are exact.
static double work_of_circle(const sn_coupling_law* law, const sn_grip* grips, const double* a,
                             const double* b) {
    enum { POINTS = 12 };
    int n = 6 * law->count;
    double work = 0;
    for (int p = 0; p < POINTS; p++) {
        double angle = 2 * acos(-1.0) * p / POINTS, f[SN_GRAB_ROWS];
        sn_wrench f_u[SN_GRAB_MAX], f_feed[SN_GRAB_MAX];
        for (int r = 0; r < n; r++) {
            f[r] = 0;
            for (int k = 0; k < 6; k++) {
                int at = r - r % 6 + k;
                f[r] +=
                    grips[r / 6].stiffness[r % 6][k] * (cos(angle) * a[at] + sin(angle) * b[at]);
            }
        }
        memcpy(f_u, f, (size_t)n * sizeof *f);
        CHECK_STATUS(sn_coupling_tick(law, f_u, f_feed), SN_OK);
        memcpy(f, f_feed, (size_t)n * sizeof *f);
        for (int r = 0; r < n; r++)
            work += f[r] * (-sin(angle) * a[r] + cos(angle) * b[r]) * 2 * acos(-1.0) / POINTS;
    }
    return work;
}

static int ascending(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/// The frozen law does work on closed paths; its symmetric part does none. Numbers: docs/coupling.md.
static void closed_paths_do_work_unless_the_law_is_symmetric(void** state) {
    enum { CIRCLES = 20 };
    static double ratio[MODELS * CIRCLES];
    int count = 0;
    double worst = 0;
    for (int m = 0; m < MODELS; m++) {
        scene c = begin(state, TEST_PATHS, m, m % 2 ? 1 : 3);
        test_units u = c.f->u;
        forward(&c);
        sn_coupling_law *law = law_of(&c), *symmetric = malloc(sizeof *law);
        sn_grip grips[SN_GRAB_MAX];
        double force = u.mass * u.length / (u.time * u.time), stiffest = 0;
        for (int i = 0; i < c.count; i++) {
            double turn = test_uniform(&c.f->rng, 0.2, 2), move = test_uniform(&c.f->rng, 0.2, 2);
            grips[i] = sn_grip_at(test_vec3(&c.f->rng, 0.3 * u.length), turn * force * u.length,
                                  move * force / u.length, 0, 0);
            for (int k = 0; k < 3; k++)
                stiffest = fmax(stiffest, grips[i].stiffness[k][k] / (force * u.length));
            stiffest = fmax(stiffest, move);
        }
        CHECK_STATUS(sn_coupling_symmetric(law, grips, symmetric), SN_OK);
        for (int k = 0; k < CIRCLES; k++) {
            double a[SN_GRAB_ROWS], b[SN_GRAB_ROWS], aa = 0, bb = 0;
            int n = 6 * c.count;
            for (int r = 0; r < n; r++) {
                a[r] = test_normal(&c.f->rng), b[r] = test_normal(&c.f->rng);
                aa += a[r] * a[r], bb += b[r] * b[r];
            }
            for (int r = 0; r < n; r++) { // radii of one unit
                double unit = r % 6 < 3 ? 1 : u.length;
                a[r] *= unit / sqrt(aa), b[r] *= unit / sqrt(bb);
            }
            // against the work of going the same way along a force as large as the stiffest spring's
            double scale = 2 * acos(-1.0) * stiffest * force * u.length;
            double none = fabs(work_of_circle(symmetric, grips, a, b)) / scale;
            worst = fmax(worst, none);
            CHECK_NEAR(none, 0, TOL_CHAIN, c.f->seed);
            ratio[count++] = fabs(work_of_circle(law, grips, a, b)) / scale;
        }
        free(law), free(symmetric);
        end(c);
    }
    qsort(ratio, (size_t)count, sizeof *ratio, ascending);
    print_message("work of closed paths, of 2 pi x stiffest spring: median %.3g, 90 %% below %.3g, "
                  "largest %.3g; symmetric part: %.2g\n",
                  ratio[count / 2], ratio[count * 9 / 10], ratio[count - 1], worst);
    CHECK(ratio[count / 2] > 1e-3, test_seed());
}

static void the_symmetric_part_keeps_what_is_symmetric(void** state) {
    const setting* s = *state;
    if (s->units.mass != 1)
        return; // one stiffness for turning and moving means something in SI only
    for (int m = 0; m < 40; m++) {
        scene c = begin(state, TEST_PATHS, 1000 + m, 3);
        forward(&c);
        sn_coupling_law *law = law_of(&c), *one = malloc(sizeof *law);
        sn_grip grips[SN_GRAB_MAX];
        int n = 6 * c.count;
        double most = 0;
        for (int i = 0; i < c.count; i++) grips[i] = sn_grip_at(sn_vec3_zero(), 3, 3, 0, 0);
        CHECK_STATUS(sn_coupling_symmetric(law, grips, one), SN_OK);
        for (int k = 0; k < n * n; k++) most = fmax(most, fabs(law->K[k]));
        for (int r = 0; r < n; r++)
            for (int k = 0; k < n; k++)
                CHECK_NEAR(one->K[r * n + k], 0.5 * (law->K[r * n + k] + law->K[k * n + r]),
                           TOL_ROUNDOFF * most, c.f->seed);
        CHECK(memcmp(one->f0, law->f0, (size_t)n * sizeof(double)) == 0, c.f->seed);
        CHECK(memcmp(one->Lambda, law->Lambda, (size_t)(n * n) * sizeof(double)) == 0, c.f->seed);
        grips[0] = sn_grip_at(sn_vec3_zero(), 0, 3, 0, 0); // not positive definite
        CHECK_STATUS(sn_coupling_symmetric(law, grips, one), SN_ERR_ARGUMENT);
        free(law), free(one);
        end(c);
    }
}

int main(void) {
    (void)test_seed(); // print it first
    int failed = 0;
    for (int i = 0; sn_dynamics_algorithm(i); i++) {
        setting si = {sn_dynamics_algorithm(i), test_units_si()};
        setting molecular = {sn_dynamics_algorithm(i), test_units_molecular()};
        const struct CMUnitTest tests[] = {
            TEST_IN_BOTH_UNITS(law_and_pass_are_the_full_recomputation),
            TEST_IN_BOTH_UNITS(the_law_carries_the_state_of_the_bodies),
            TEST_IN_BOTH_UNITS(wrenches_that_act_already_are_left_out),
            TEST_IN_BOTH_UNITS(lambda_is_the_dense_operator_symmetric_and_not_negative),
            TEST_IN_BOTH_UNITS(effects_of_several_hands_add_up),
            TEST_IN_BOTH_UNITS(a_hand_feels_another_on_the_same_body_as_an_external_wrench),
            TEST_IN_BOTH_UNITS(a_body_that_cannot_move_answers_with_the_opposite),
            TEST_IN_BOTH_UNITS(at_rest_the_hand_feels_its_own_wrench_and_the_weight_of_the_body),
            TEST_IN_BOTH_UNITS(a_free_body_has_nothing_to_answer_with),
            TEST_IN_BOTH_UNITS(hands_feel_loops),
            TEST_IN_BOTH_UNITS(questions_in_between_do_not_change_the_law),
            TEST_IN_BOTH_UNITS(bad_arguments_are_refused_and_change_nothing),
            TEST_IN_BOTH_UNITS(wrenches_that_are_not_finite_feel_like_nothing),
            TEST_IN_BOTH_UNITS(closed_paths_do_work_unless_the_law_is_symmetric),
            TEST_IN_BOTH_UNITS(the_symmetric_part_keeps_what_is_symmetric),
        };
        failed += cmocka_run_group_tests_name(sn_dynamics_algorithm(i), tests, NULL, NULL);
    }
    return failed;
}
