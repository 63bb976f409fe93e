// SPDX-License-Identifier: Apache-2.0
// The Delassus operator by every method, on every dynamics it works with, in SI and in molecular units:
// random models, states and rows, judged by the dense oracle; and J v of some bodies.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/delassus.h"
#include "support/fixture.h"

enum {
    MODELS = 160,
    GROUPS_MOST = 12,
    ROWS_MOST = 6 * GROUPS_MOST,
    // first argument of test_case_seed
    MATRIX = 900,
    LOOPED,
    LARGE,
    ALL_BODIES,
    ASLEEP,
    RESPONSE,
    BAD,
    TWISTS
};

/// What all methods promise. Relative to the largest entry.
#define TOL_AGREE 1e-11

/// A method with a dynamics that it works with.
typedef struct pairing {
    const char *dynamics, *method;
} pairing;

static const pairing PAIRINGS[] = {
    {"aba", "compressed"},
    {"aba", "per-body"},
    {"aba", "chang-khatib"},
    {"aba", "per-point"},
    {"aba", "dense"},
    {"aba", NULL},
    {"aba-scalar", "compressed"},
    {"aba-scalar", "per-body"},
    {"aba-scalar", "chang-khatib"},
    {"crba", NULL},
    {"crba", "dense"},
    {"dca", "tree"},
    {"dca", "per-point"},
    {"dca", "dense"},
    {"adaptive", NULL},
    {"reference", "per-point"},
    {"reference", "dense"},
};
enum { PAIRING_COUNT = sizeof PAIRINGS / sizeof PAIRINGS[0] };

// ---- rows ----------------------------------------------------------------------------------------------

/// Row groups with their numbers.
typedef struct contacts {
    sn_delassus_rows group[GROUPS_MOST];
    int count, rows;
    double C[2][ROWS_MOST][6];
    int group_of[ROWS_MOST];
} contacts;

/// Rows of a velocity: lengths of lever arms in natural units. Some bodies have several groups, some groups
/// no rows, some rows no body.
static contacts* random_contacts(test_rng* rng, int n, test_units u, int groups) {
    contacts* c = calloc(1, sizeof *c);
    int few = 1 + test_index(rng, n < 5 ? n : 5), body[5];
    for (int i = 0; i < few; i++) body[i] = test_index(rng, n);
    for (int g = 0; g < groups; g++) {
        sn_delassus_rows* group = &c->group[c->count++];
        bool as_before = g > 0 && test_chance(rng, 0.5);
        group->a = as_before ? group[-1].a : sn_body(body[test_index(rng, few)]);
        group->b = as_before ? group[-1].b : sn_body(body[test_index(rng, few)]);
        if (!as_before && test_chance(rng, 0.4)) group->b = sn_body_world();
        if (!as_before && test_chance(rng, 0.1)) group->a = sn_body_world();
        group->rows = test_chance(rng, 0.5) ? 3 : test_index(rng, 7);
        group->C_a = c->C[0][c->rows], group->C_b = c->C[1][c->rows];
        for (int r = 0; r < group->rows; r++, c->rows++) {
            c->group_of[c->rows] = g;
            for (int e = 0; e < 2; e++)
                for (int k = 0; k < 6; k++)
                    c->C[e][c->rows][k] = test_normal(rng) * (k < 3 ? u.length : 1);
        }
        if (group->b.i < 0) group->C_b = NULL;
        if (group->a.i < 0) group->C_a = NULL;
    }
    return c;
}

// ---- the oracle -----------------------------------------------------------------------------------------

/// Jacobian of the rows, rows x nv.
static real* oracle_rows(const fixture* f, const contacts* c) {
    real* J = calloc((size_t)(c->rows + 1) * (size_t)f->nv, sizeof *J);
    real* body = calloc(6 * (size_t)f->nv, sizeof *body);
    for (int r = 0; r < c->rows; r++) {
        const sn_delassus_rows* group = &c->group[c->group_of[r]];
        for (int e = 0; e < 2; e++) {
            int b = e == 0 ? group->a.i : group->b.i;
            if (b < 0) continue;
            oracle_jacobian_body(f->o, b, body);
            for (int k = 0; k < f->nv; k++)
                for (int i = 0; i < 6; i++)
                    J[r * f->nv + k] += (real)c->C[e][r][i] * body[i * f->nv + k];
        }
    }
    free(body);
    return J;
}

/// W, rows x rows, in units of 1/mass. closing NULL: no loops.
static real* oracle_matrix(const fixture* f, const contacts* c, oracle_closing* closing) {
    int rows = c->rows, nv = f->nv;
    real* W = calloc((size_t)(rows * rows) + 1, sizeof *W);
    real *J = oracle_rows(f, c), *x = calloc((size_t)nv, sizeof *x);
    real* MinvJ = calloc((size_t)(nv * rows) + 1, sizeof *MinvJ); // M^-1 J', nv x rows
    for (int j = 0; j < rows; j++)
        for (int k = 0; k < nv; k++) MinvJ[k * rows + j] = J[j * nv + k];
    CHECK(oracle_solve_mass(f->o, MinvJ, rows), f->seed);
    for (int j = 0; j < rows; j++) {
        for (int k = 0; k < nv; k++) x[k] = MinvJ[k * rows + j];
        if (closing) CHECK(oracle_close(f->o, closing, NULL, x), f->seed);
        for (int i = 0; i < rows; i++)
            for (int k = 0; k < nv; k++) W[i * rows + j] += J[i * nv + k] * x[k] * (real)f->u.mass;
    }
    free(J), free(x), free(MinvJ);
    return W;
}

static real largest(const real* x, int count) {
    real most = 0;
    for (int i = 0; i < count; i++) most = fmaxl(most, fabsl(x[i]));
    return most > 0 ? most : 1; // all locked: compared with the natural unit
}

/// What a matrix is expected to be, and how far it may be off.
typedef struct expectation {
    real* W;
    double off;
} expectation;

/// Relative to the operator of the tree: what loops take away from it may be nearly all.
static expectation expect(const fixture* f, const contacts* c, oracle_closing* closing,
                          double tolerance) {
    expectation e = {oracle_matrix(f, c, NULL), 0};
    e.off = tolerance * (double)largest(e.W, c->rows * c->rows);
    if (!closing) return e;
    free(e.W);
    e.W = oracle_matrix(f, c, closing);
    return e;
}

static void check_matrix(const fixture* f, const contacts* c, const double* W,
                         const expectation* e) {
    int rows = c->rows;
    for (int i = 0; i < rows * rows; i++) CHECK_NEAR(W[i] * f->u.mass, e->W[i], e->off, f->seed);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < i; j++) CHECK(W[i * rows + j] == W[j * rows + i], f->seed);
}

/// Eigenvalues move no further than the norm of the error, which is at most rows times its largest entry.
static void check_not_negative(const fixture* f, const contacts* c, const double* W, double off) {
    int rows = c->rows;
    real* A = calloc((size_t)(rows * rows) + 1, sizeof *A);
    real* values = calloc((size_t)rows + 1, sizeof *values);
    for (int i = 0; i < rows * rows; i++) A[i] = (real)W[i] * (real)f->u.mass;
    oracle_eigenvalues(rows, A, values);
    for (int i = 0; i < rows; i++) CHECK(values[i] >= -rows * (real)off, f->seed);
    free(A), free(values);
}

// ---- the library ---------------------------------------------------------------------------------------

static sn_delassus* test_delassus(sn_dynamics* d, const char* method, int bodies, int groups,
                                  int rows) {
    sn_delassus_capacity most = {bodies, groups, rows};
    sn_delassus* x = NULL;
    sn_error error = {0};
    sn_status status = sn_delassus_create(d, method, &most, &x, &error);
    if (status) print_error("%s\n", error.text);
    CHECK_STATUS(status, SN_OK);
    return x;
}

static int root_of(const oracle* o, int body) {
    while (body >= 0 && o->body[body].parent >= 0) body = o->body[body].parent;
    return body;
}

/// Whether two groups touch one tree.
static bool tied(const oracle* o, const sn_delassus_rows* g, const sn_delassus_rows* h) {
    const int a[2] = {root_of(o, g->a.i), root_of(o, g->b.i)};
    const int b[2] = {root_of(o, h->a.i), root_of(o, h->b.i)};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (a[i] >= 0 && a[i] == b[j]) return true;
    return false;
}

/// W by a method; and by one impulse pass a product.
static void check_method(fixture* f, sn_dynamics* d, const char* method, const contacts* c,
                         const expectation* e) {
    sn_delassus* x = test_delassus(d, method, f->n, GROUPS_MOST, ROWS_MOST);
    int rows = c->rows;
    double* W = calloc((size_t)(rows * rows) + 1, sizeof *W);
    double *in = calloc((size_t)rows + 1, sizeof *in), *out = calloc((size_t)rows + 1, sizeof *out);
    memset(W, 0x7f, (size_t)(rows * rows) * sizeof *W); // every number is to be written
    CHECK_STATUS(sn_delassus_matrix(x, c->group, c->count, W), SN_OK);
    check_matrix(f, c, W, e);
    check_not_negative(f, c, W, e->off);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows && sn_model_loop_count(f->model) == 0; j++)
            if (!tied(f->o, &c->group[c->group_of[i]], &c->group[c->group_of[j]]))
                CHECK(W[i * rows + j] == 0, f->seed);
    for (int i = 0; i < rows; i++) in[i] = test_normal(&f->rng);
    CHECK_STATUS(sn_delassus_apply(x, c->group, c->count, in, out), SN_OK);
    for (int i = 0; i < rows; i++) {
        real sum = 0, terms = 0;
        for (int j = 0; j < rows; j++) {
            sum += e->W[i * rows + j] * (real)in[j];
            terms += fabsl((real)in[j]);
        }
        CHECK_NEAR(out[i] * f->u.mass, sum, e->off * (double)terms, f->seed);
    }
    free(W), free(in), free(out);
    sn_delassus_free(x);
}

static void check_all(fixture* f, const contacts* c, const bool* locked, oracle_closing* closing,
                      double tolerance) {
    expectation e = expect(f, c, closing, tolerance);
    for (int p = 0; p < PAIRING_COUNT; p++) {
        char text[80];
        (void)snprintf(text, sizeof text, "%s, %s", PAIRINGS[p].dynamics, // cannot be too long
                       PAIRINGS[p].method ? PAIRINGS[p].method : "default");
        check_context(text);
        sn_dynamics* d = test_dynamics(f->model, PAIRINGS[p].dynamics);
        for (int i = 0; i < f->n; i++)
            CHECK_STATUS(sn_dynamics_lock(d, sn_body(i), locked[i]), SN_OK);
        CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
        check_method(f, d, PAIRINGS[p].method, c, &e);
        // what the dynamics held is still there
        memset(f->y, 0, (size_t)f->nv * sizeof *f->y);
        CHECK_STATUS(sn_dynamics_impulse(d, f->tau, NULL, 0, f->y), SN_OK);
        sn_dynamics_free(d);
    }
    check_context(NULL);
    free(e.W);
}

static void every_method_is_the_dense_operator(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < MODELS; m++) {
        fixture* f = fixture_of_list(m, *u, test_case_seed(MATRIX, (uint64_t)m));
        bool* locked = calloc((size_t)f->n, sizeof *locked);
        for (int i = 0; m % 3 == 0 && i < f->n; i++)
            f->o->body[i].locked = locked[i] = test_chance(&f->rng, m % 12 == 0 ? 1.0 : 0.3);
        contacts* c = random_contacts(&f->rng, f->n, *u, 1 + m % GROUPS_MOST);
        check_all(f, c, locked, NULL, TOL_AGREE);
        free(c), free(locked);
        fixture_free(f);
    }
}

// ---- loops -----------------------------------------------------------------------------------------------

/// A tree with a pin, a ball or a weld between two of its bodies, or a body and the world, closed as it
/// stands.
static fixture* looped_fixture(int index, test_units u, uint64_t seed) {
    static const sn_joint_type types[] = {SN_JOINT_SPHERICAL, SN_JOINT_REVOLUTE, SN_JOINT_FIXED};
    test_rng rng = test_rng_make(seed);
    sn_generate_def def = sn_generate_def_default();
    def.shape = index % 2 ? SN_GENERATE_TREE : SN_GENERATE_CHAIN;
    def.count = 4 + index % 7;
    def.seed = seed;
    def.free_base = index % 4 < 2;
    def.mass_unit = u.mass, def.length_unit = u.length, def.time_unit = u.time;
    sn_model_builder* builder = sn_model_builder_create("looped");
    CHECK_STATUS(sn_generate(&def, builder), SN_OK);
    sn_model* tree = NULL;
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &tree, NULL), SN_OK);
    sn_dynamics* placed = test_dynamics(tree, "reference");
    double* q = calloc((size_t)sn_model_nq(tree), sizeof *q);
    test_random_q(&rng, tree, u, q);
    CHECK_STATUS(sn_dynamics_kinematics(placed, q, NULL), SN_OK);
    int b = sn_model_body_count(tree) - 1, a = test_index(&rng, b + 1) - 1;
    sn_loop_def loop = sn_loop_def_default();
    loop.name = "loop";
    loop.type = types[index % 3];
    loop.axis = test_direction(&rng);
    loop.body_a = a < 0 ? NULL : sn_model_body(tree, sn_body(a)).name;
    loop.body_b = sn_model_body(tree, sn_body(b)).name;
    loop.X_ac = test_pose(&rng, 0.3 * u.length);
    sn_pose X_wc = sn_pose_mul(sn_dynamics_pose(placed, sn_body(a)), loop.X_ac);
    loop.X_bc = sn_pose_mul(sn_pose_inverse(sn_dynamics_pose(placed, sn_body(b))), X_wc);
    CHECK_STATUS(sn_model_builder_add_loop(builder, &loop), SN_OK);
    fixture* f = fixture_create(test_compile(builder), u, seed);
    memcpy(f->q, q, (size_t)f->nq * sizeof *q);
    fixture_update(f);
    free(q);
    sn_dynamics_free(placed);
    sn_model_free(tree);
    return f;
}

static void loops_hold_back(void** state) {
    const test_units* u = *state;
    const real WEAKEST = 1e-5L; // close to a singular position digits are lost by nature
    int seen = 0;
    for (int m = 0; m < MODELS / 4; m++) {
        fixture* f = looped_fixture(m, *u, test_case_seed(LOOPED, (uint64_t)m));
        bool* locked = calloc((size_t)f->n, sizeof *locked);
        contacts* c = random_contacts(&f->rng, f->n, *u, 1 + m % GROUPS_MOST);
        oracle_closing closing = oracle_closing_create(f->o, f->q_l, f->v_l);
        memset(f->x_l, 0, (size_t)f->nv * sizeof *f->x_l);
        CHECK(oracle_close(f->o, &closing, NULL, f->x_l), f->seed);
        if (closing.weakest >= WEAKEST) {
            check_all(f, c, locked, &closing, TOL_SOLVE); // as loops promise, not as the tree does
            seen++;
        }
        oracle_closing_free(&closing);
        free(c), free(locked);
        fixture_free(f);
    }
    CHECK(seen > MODELS / 8, test_seed());
}

// ---- shapes of trees ----------------------------------------------------------------------------------------

/// Response of bodies by a method, against "dense" on the same dynamics.
static void check_response(fixture* f, sn_dynamics* d, const char* method, const sn_body_id* bodies,
                           int count, double tolerance) {
    size_t size = 36 * (size_t)count * (size_t)count;
    double* expected = calloc(size, sizeof *expected);
    double* actual = calloc(size, sizeof *actual);
    sn_delassus* dense = test_delassus(d, "dense", count, 0, 0);
    sn_delassus* x = test_delassus(d, method, count, 0, 0);
    double acceleration[6], wrench[6], most = 0;
    test_unit_twist(f->u, 2, acceleration);
    test_unit_wrench(f->u, wrench);
    CHECK_STATUS(sn_delassus_response(dense, bodies, count, expected), SN_OK);
    CHECK_STATUS(sn_delassus_response(x, bodies, count, actual), SN_OK);
    for (size_t i = 0; i < size; i++) {
        size_t r = i / (6 * (size_t)count) % 6, c = i % 6;
        expected[i] *= wrench[c] / acceleration[r];
        actual[i] *= wrench[c] / acceleration[r];
        most = fmax(most, fabs(expected[i]));
    }
    for (size_t i = 0; i < size; i++) CHECK_NEAR(actual[i], expected[i], tolerance * most, f->seed);
    sn_delassus_free(dense);
    sn_delassus_free(x);
    free(expected), free(actual);
}

static const sn_generate_shape SHAPES[] = {SN_GENERATE_CHAIN, SN_GENERATE_TREE, SN_GENERATE_STAR,
                                           SN_GENERATE_CATERPILLAR, SN_GENERATE_RANDOM};
static const pairing QUICK[] = {{"aba", "compressed"},        {"aba", "per-body"},
                                {"aba", "chang-khatib"},      {"aba", "per-point"},
                                {"aba-scalar", "compressed"}, {"dca", "tree"}};
enum { SHAPE_COUNT = 5, QUICK_COUNT = 6 };

static void large_trees_agree(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < 40; m++) {
        uint64_t seed = test_case_seed(LARGE, (uint64_t)m);
        int n = 20 + m;
        fixture* f = fixture_create(
            test_generate(SHAPES[m % SHAPE_COUNT], n, seed, m % 4 < 2, m % 8 < 4, *u), *u, seed);
        const pairing* p = &QUICK[m / SHAPE_COUNT % QUICK_COUNT];
        sn_dynamics* d = test_dynamics(f->model, p->dynamics);
        for (int i = 0; i < f->n; i++)
            CHECK_STATUS(sn_dynamics_lock(d, sn_body(i), test_chance(&f->rng, 0.1)), SN_OK);
        CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
        sn_body_id bodies[12];
        int count = 1 + test_index(&f->rng, 12);
        for (int k = 0; k < count; k++)
            bodies[k] = sn_body(test_index(&f->rng, f->n)); // some twice
        check_response(f, d, p->method, bodies, count, TOL_SOLVE);
        sn_dynamics_free(d);
        fixture_free(f);
    }
}

static void every_body_may_be_in_contact(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < SHAPE_COUNT * QUICK_COUNT; m++) {
        uint64_t seed = test_case_seed(ALL_BODIES, (uint64_t)m);
        fixture* f = fixture_create(
            test_generate(SHAPES[m % SHAPE_COUNT], 14, seed, m % 4 < 2, true, *u), *u, seed);
        const pairing* p = &QUICK[m / SHAPE_COUNT];
        sn_dynamics* d = test_dynamics(f->model, p->dynamics);
        CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
        sn_body_id bodies[20];
        for (int k = 0; k < f->n; k++) bodies[k] = sn_body(m % 2 ? k : f->n - 1 - k);
        check_response(f, d, p->method, bodies, f->n, TOL_SOLVE);
        sn_dynamics_free(d);
        fixture_free(f);
    }
}

static void joints_that_sleep_do_not_move(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < 40; m++) {
        uint64_t seed = test_case_seed(ASLEEP, (uint64_t)m);
        fixture* f = fixture_create(
            test_generate(SHAPES[m % SHAPE_COUNT], 15, seed, m % 4 < 2, false, *u), *u, seed);
        memset(f->v, 0, (size_t)f->nv * sizeof *f->v);
        fixture_update(f);
        sn_dynamics* d = test_dynamics(f->model, "adaptive");
        sn_adaptivity few = sn_adaptivity_default();
        few.max_active = 1 + m % 8;
        CHECK_STATUS(sn_dynamics_set_adaptivity(d, &few), SN_OK);
        CHECK_STATUS(sn_dynamics_forward(d, f->q, NULL, f->tau, f->x), SN_OK);
        for (int i = 0; i < f->n; i++) f->o->body[i].locked = !sn_dynamics_is_active(d, sn_body(i));
        contacts* c = random_contacts(&f->rng, f->n, *u, 6);
        expectation e = expect(f, c, NULL, TOL_SOLVE);
        check_method(f, d, "tree", c, &e);
        check_method(f, d, "per-point", c, &e);
        check_method(f, d, "dense", c, &e);
        free(e.W), free(c);
        sn_dynamics_free(d);
        fixture_free(f);
    }
}

static void the_same_question_twice_has_the_same_answer(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < 20; m++) {
        fixture* f = fixture_of_list(m, *u, test_case_seed(RESPONSE, (uint64_t)m));
        sn_dynamics* d = test_dynamics(f->model, "aba");
        sn_delassus* x = test_delassus(d, NULL, f->n, GROUPS_MOST, ROWS_MOST);
        contacts* c = random_contacts(&f->rng, f->n, *u, 5);
        contacts* other = random_contacts(&f->rng, f->n, *u, 7);
        double *A = calloc(ROWS_MOST * ROWS_MOST, sizeof *A),
               *B = calloc(ROWS_MOST * ROWS_MOST, sizeof *B);
        CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
        CHECK_STATUS(sn_delassus_matrix(x, c->group, c->count, A), SN_OK);
        CHECK_STATUS(sn_delassus_matrix(x, other->group, other->count, B), SN_OK);
        CHECK_STATUS(sn_delassus_matrix(x, c->group, c->count, B), SN_OK);
        CHECK(memcmp(A, B, (size_t)(c->rows * c->rows) * sizeof *A) == 0, f->seed);
        CHECK_STATUS(sn_delassus_omega(x, c->group, c->count), SN_OK);
        CHECK_STATUS(sn_delassus_project(x, B), SN_OK);
        CHECK(memcmp(A, B, (size_t)(c->rows * c->rows) * sizeof *A) == 0, f->seed);
        free(A), free(B), free(c), free(other);
        sn_delassus_free(x);
        sn_dynamics_free(d);
        fixture_free(f);
    }
}

// ---- refusals -------------------------------------------------------------------------------------------------

static void what_does_not_fit_is_refused(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(BAD, 0);
    fixture* f =
        fixture_create(test_generate(SN_GENERATE_TREE, 8, seed, true, true, test_units_si()),
                       test_units_si(), seed);
    sn_dynamics *d = test_dynamics(f->model, "aba"), *crba = test_dynamics(f->model, "crba");
    sn_delassus_capacity most = {2, 3, 9}, negative = {2, -1, 9};
    sn_delassus* x = NULL;
    sn_error error = {0};
    CHECK_STATUS(sn_delassus_create(NULL, NULL, &most, &x, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_delassus_create(d, NULL, NULL, &x, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_delassus_create(d, NULL, &negative, &x, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_delassus_create(d, NULL, &most, NULL, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_delassus_create(d, "phlogiston", &most, &x, &error), SN_ERR_ARGUMENT);
    CHECK(!x && strstr(error.text, "phlogiston"), seed);
    CHECK_STATUS(sn_delassus_create(d, "tree", &most, &x, &error), SN_ERR_ARGUMENT);
    CHECK(!x && strstr(error.text, "dca"), seed);
    CHECK_STATUS(sn_delassus_create(crba, "compressed", &most, &x, &error), SN_ERR_ARGUMENT);
    CHECK(!x && strstr(error.text, "crba"), seed);
    for (int i = 0; i < 6; i++) CHECK(sn_delassus_method(i) && sn_delassus_about(i), seed);
    CHECK(!sn_delassus_method(6) && !sn_delassus_method(-1) && !sn_delassus_about(6), seed);

    x = test_delassus(d, NULL, most.bodies, most.groups, most.rows);
    CHECK(strcmp(sn_delassus_name(x), "compressed") == 0, seed);
    double C[10 * 6] = {1}, W[100], Omega[18 * 18];
    const sn_body_id bodies[3] = {{1}, {2}, {3}}, twice[3] = {{1}, {2}, {1}}, world = {-1};
    sn_delassus_rows g[4] = {{sn_body(1), sn_body(2), 3, C, C},
                             {sn_body(2), sn_body(-1), 3, C, NULL},
                             {sn_body(1), sn_body(1), 3, C, C},
                             {sn_body(1), sn_body(1), 0, NULL, NULL}};
    CHECK_STATUS(sn_delassus_matrix(x, g, 3, W), SN_ERR_ARGUMENT); // no forward yet
    CHECK_STATUS(sn_delassus_response(x, bodies, 1, Omega), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_delassus_project(x, W), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
    CHECK_STATUS(sn_delassus_project(x, W), SN_ERR_ARGUMENT); // nothing to project
    CHECK_STATUS(sn_delassus_matrix(x, g, 3, W), SN_OK);
    CHECK_STATUS(sn_delassus_matrix(x, g, 4, W), SN_ERR_CAPACITY); // groups
    g[0].rows = 4;
    CHECK_STATUS(sn_delassus_matrix(x, g, 3, W), SN_ERR_CAPACITY); // rows
    g[0].rows = 3;
    g[2].b = sn_body(3);
    CHECK_STATUS(sn_delassus_matrix(x, g, 3, W), SN_ERR_CAPACITY); // bodies
    CHECK_STATUS(sn_delassus_project(x, W), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_delassus_matrix(x, g, 2, W), SN_OK);
    CHECK_STATUS(sn_delassus_matrix(x, NULL, 0, NULL), SN_OK);
    CHECK_STATUS(sn_delassus_matrix(x, NULL, 1, W), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_delassus_matrix(x, g, -1, W), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_delassus_matrix(x, g, 2, NULL), SN_ERR_ARGUMENT);
    g[1].C_a = NULL;
    CHECK_STATUS(sn_delassus_matrix(x, g, 2, W), SN_ERR_ARGUMENT);
    g[1].C_a = C;
    g[1].rows = -1;
    CHECK_STATUS(sn_delassus_matrix(x, g, 2, W), SN_ERR_ARGUMENT);
    g[1].rows = 3;
    g[1].a = sn_body(f->n);
    CHECK_STATUS(sn_delassus_matrix(x, g, 2, W), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_delassus_apply(x, g, 1, NULL, W), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_delassus_response(x, bodies, 3, Omega), SN_ERR_CAPACITY);
    CHECK_STATUS(sn_delassus_response(x, twice, 3, Omega), SN_OK);
    CHECK_STATUS(sn_delassus_response(x, &world, 1, Omega), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_delassus_response(x, bodies, -1, Omega), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_lock(d, sn_body(2), true), SN_OK);
    CHECK_STATUS(sn_delassus_matrix(x, g, 1, W), SN_ERR_ARGUMENT); // the factors are of other locks
    sn_delassus_free(x);
    sn_delassus_free(NULL); // as free
    sn_dynamics_free(d);
    sn_dynamics_free(crba);
    fixture_free(f);
}

static void work_is_counted(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(BAD, 1);
    fixture* f =
        fixture_create(test_generate(SN_GENERATE_CHAIN, 10, seed, false, true, test_units_si()),
                       test_units_si(), seed);
    sn_dynamics* d = test_dynamics(f->model, "aba");
    double C[2 * 18], W[36];
    for (int i = 0; i < 36; i++) C[i] = test_normal(&f->rng);
    const sn_delassus_rows g[2] = {{sn_body(4), sn_body(-1), 3, C, NULL},
                                   {sn_body(9), sn_body(-1), 3, C + 18, NULL}};
    CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
    double per_point = 0;
    for (int i = 0; sn_delassus_method(i); i++) {
        if (strcmp(sn_delassus_method(i), "tree") == 0) continue;
        sn_delassus* x = test_delassus(d, sn_delassus_method(i), 2, 2, 6);
        CHECK_STATUS(sn_delassus_matrix(x, g, 2, W), SN_OK);
        sn_delassus_work work = sn_delassus_count(x);
        CHECK(work.omega > 0 && work.projection > 0, seed);
        if (strcmp(sn_delassus_method(i), "per-point") == 0) {
            per_point = work.omega;
            CHECK(work.projection == 6 * 21, seed); // rows on and above the diagonal
        }
        sn_delassus_free(x);
    }
    CHECK(per_point == 2 * 6 * 10 * 16, seed); // up and down, rows, hinges, multiplications of one
    sn_dynamics_free(d);
    fixture_free(f);
}

// ---- J v --------------------------------------------------------------------------------------------------------

static void twists_are_the_jacobian_times_velocities(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < MODELS; m++) {
        fixture* f = fixture_of_list(m, *u, test_case_seed(TWISTS, (uint64_t)m));
        double* w = calloc((size_t)f->nv, sizeof *w); // velocities other than those of the state
        real* J = calloc(6 * (size_t)f->nv, sizeof *J);
        test_random_v(&f->rng, f->model, *u, w);
        sn_body_id bodies[6];
        int count = test_index(&f->rng, 7);
        for (int k = 0; k < count; k++) bodies[k] = sn_body(test_index(&f->rng, f->n + 1) - 1);
        for (int a = 0; sn_dynamics_algorithm(a); a++) {
            sn_dynamics* d = test_dynamics(f->model, sn_dynamics_algorithm(a));
            sn_twist t[6];
            check_context(sn_dynamics_algorithm(a));
            if (m % 2)
                CHECK_STATUS(sn_dynamics_kinematics(d, f->q, f->v), SN_OK);
            else
                CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
            CHECK_STATUS(sn_dynamics_twists(d, w, bodies, count, t), SN_OK);
            for (int k = 0; k < count; k++) {
                double actual[6], unit[6];
                real expected[6] = {0};
                twist_numbers(t[k], actual);
                test_unit_twist(*u, 1, unit);
                if (bodies[k].i >= 0) oracle_jacobian_body(f->o, bodies[k].i, J);
                for (int r = 0; r < 6 && bodies[k].i >= 0; r++)
                    for (int i = 0; i < f->nv; i++) expected[r] += J[r * f->nv + i] * (real)w[i];
                CHECK_SCALED(actual, expected, unit, 6, TOL_CHAIN, f->seed);
            }
            // the state and its factors are as they were
            CHECK_STATUS(sn_dynamics_twists(d, f->v, bodies, count, t), SN_OK);
            for (int k = 0; k < count; k++) {
                double actual[6], expected[6], unit[6];
                twist_numbers(t[k], actual);
                twist_numbers(sn_dynamics_velocity(d, bodies[k]), expected);
                test_unit_twist(*u, 1, unit);
                CHECK_SCALED(actual, expected, unit, 6, TOL_CHAIN, f->seed);
            }
            sn_status impulse = sn_dynamics_impulse(d, f->tau, NULL, 0, f->y);
            CHECK_STATUS(impulse, m % 2 ? SN_ERR_ARGUMENT : SN_OK);
            sn_dynamics_free(d);
        }
        check_context(NULL);
        free(w), free(J);
        fixture_free(f);
    }
}

static void twists_of_bodies_that_do_not_exist_are_refused(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(TWISTS, 1000);
    fixture* f = fixture_of_list(3, test_units_si(), seed);
    sn_dynamics* d = test_dynamics(f->model, "aba");
    sn_body_id body = sn_body(f->n);
    sn_twist t;
    CHECK_STATUS(sn_dynamics_twists(d, f->v, &body, 1, &t), SN_ERR_ARGUMENT);
    body = sn_body(-2);
    CHECK_STATUS(sn_dynamics_twists(d, f->v, &body, 1, &t), SN_ERR_ARGUMENT);
    body = sn_body(0);
    CHECK_STATUS(sn_dynamics_twists(NULL, f->v, &body, 1, &t), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_twists(d, NULL, &body, 1, &t), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_twists(d, f->v, NULL, 1, &t), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_twists(d, f->v, &body, 1, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_twists(d, f->v, &body, -1, &t), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_twists(d, f->v, &body, 1, &t), SN_OK);
    sn_dynamics_free(d);
    fixture_free(f);
}

int main(void) {
    (void)test_seed(); // print it first
    static test_units si, molecular;
    si = test_units_si();
    molecular = test_units_molecular();
    const struct CMUnitTest tests[] = {
        TEST_IN_BOTH_UNITS(every_method_is_the_dense_operator),
        TEST_IN_BOTH_UNITS(loops_hold_back),
        TEST_IN_BOTH_UNITS(large_trees_agree),
        TEST_IN_BOTH_UNITS(every_body_may_be_in_contact),
        TEST_IN_BOTH_UNITS(joints_that_sleep_do_not_move),
        TEST_IN_BOTH_UNITS(the_same_question_twice_has_the_same_answer),
        TEST_IN_BOTH_UNITS(twists_are_the_jacobian_times_velocities),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(work_is_counted),
        cmocka_unit_test(twists_of_bodies_that_do_not_exist_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
