// SPDX-License-Identifier: Apache-2.0
// Loops, for every algorithm, in SI and in molecular units: random trees with loops of every type closed
// at a random state, judged by the dense oracle (tests/oracle/loops.c).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/fixture.h"

enum {
    MODELS = 40,
    LOOPS_MOST = 3,
    // first argument of test_case_seed
    CLOSED = 700,
    VIOLATED,
    OPEN,
    LOCKED,
    REDUNDANT,
    IMPULSE,
    RESPONSE,
    WRENCH,
    ERRORS
};

/// Loops that leave motions which hardly move anything are close to a singular position, where digits
/// are lost by nature; such states are passed over. Relative eigenvalue of J M^-1 J'.
static const real WEAKEST = 1e-5L;
/// Equations that contradict each other have no common answer: what least squares leave, natural units.
static const real CONTRADICTION = 1e-9L;

// ---- models --------------------------------------------------------------------------------------------

static sn_mat3 turn_about(sn_vec3 axis, double angle) {
    return sn_quat_matrix(sn_quat_exp(sn_vec3_scale(angle, axis)));
}

/// Where a joint of that type may have moved frame b against frame a.
static sn_pose random_joint_motion(test_rng* rng, const sn_loop_def* def, double length) {
    double angle = test_uniform(rng, -2.5, 2.5), distance = length * test_uniform(rng, -1, 1);
    sn_vec3 axis = sn_vec3_scale(1 / sn_vec3_norm(def->axis), def->axis);
    sn_vec3 across = sn_vec3_cross(axis, test_vec3(rng, length));
    sn_mat3 R = turn_about(axis, angle);
    switch (def->type) {
    case SN_JOINT_REVOLUTE: return sn_pose_make(R, sn_vec3_zero());
    case SN_JOINT_PRISMATIC: return sn_pose_make(sn_mat3_identity(), sn_vec3_scale(distance, axis));
    case SN_JOINT_HELICAL: return sn_pose_make(R, sn_vec3_scale(def->pitch * angle, axis));
    case SN_JOINT_CYLINDRICAL: return sn_pose_make(R, sn_vec3_scale(distance, axis));
    case SN_JOINT_PLANAR: return sn_pose_make(R, across);
    case SN_JOINT_UNIVERSAL:
        return sn_pose_make(sn_mat3_mul(R, turn_about(def->axis2, test_uniform(rng, -2.5, 2.5))),
                            sn_vec3_zero());
    case SN_JOINT_SPHERICAL: return sn_pose_make(test_rotation(rng), sn_vec3_zero());
    case SN_JOINT_FREE: return test_pose(rng, length);
    case SN_JOINT_FIXED:
    case SN_JOINT_TYPE_COUNT: break;
    }
    return sn_pose_identity();
}

static sn_loop_def random_loop(test_rng* rng, test_units u, const char* name, sn_joint_type type) {
    sn_loop_def def = sn_loop_def_default();
    def.name = name;
    def.type = type;
    def.axis = test_direction(rng);
    sn_vec3 across = sn_vec3_cross(def.axis, test_direction(rng));
    def.axis2 = sn_vec3_scale(1 / sn_vec3_norm(across), across);
    def.axis = sn_vec3_scale(test_uniform(rng, 0.5, 2), def.axis);
    // a turn is longer than what the tests open: halfway to the next turn there is no derivative
    def.pitch = u.length * test_uniform(rng, 0.2, 0.5) * (test_chance(rng, 0.5) ? 1 : -1);
    def.X_ac = test_pose(rng, 0.3 * u.length);
    def.t_s = test_chance(rng, 0.3) ? 0 : u.time * test_uniform(rng, 0.1, 1);
    return def;
}

/// Closes the loop between two bodies (-1: the world) of the tree as it stands.
static void close_between(test_rng* rng, test_units u, const sn_dynamics* tree, int a, int b,
                          sn_loop_def* def) {
    const sn_model* model = sn_dynamics_model(tree);
    def->body_a = a < 0 ? NULL : sn_model_body(model, sn_body(a)).name;
    def->body_b = b < 0 ? NULL : sn_model_body(model, sn_body(b)).name;
    sn_pose X_wc = sn_pose_mul(sn_dynamics_pose(tree, sn_body(a)), def->X_ac);
    sn_pose motion = random_joint_motion(rng, def, 0.5 * u.length);
    if (def->type == SN_JOINT_FREE &&
        test_chance(rng, 0.8)) { // a rod; the oracle's differences want it long
        motion.p = sn_vec3_scale(u.length * test_uniform(rng, 2, 4), test_direction(rng));
        def->length = sn_vec3_norm(motion.p);
    }
    X_wc = sn_pose_mul(X_wc, motion);
    def->X_bc = sn_pose_mul(sn_pose_inverse(sn_dynamics_pose(tree, sn_body(b))), X_wc);
}

/// A tree of the list of fixtures with 1 to 3 loops of any type, at a random state in which
/// they are closed. twice: every loop again under another name.
static fixture* looped_fixture(int index, test_units u, uint64_t seed, bool twice) {
    static const sn_generate_shape other[] = {SN_GENERATE_CHAIN, SN_GENERATE_TREE, SN_GENERATE_STAR,
                                              SN_GENERATE_CATERPILLAR};
    test_rng rng = test_rng_make(seed);
    sn_generate_def def = sn_generate_def_default();
    def.shape = index % 3 == 2 ? other[index / 3 % 4] : SN_GENERATE_RANDOM;
    def.count = 2 + index * 5 % 11;
    def.seed = seed;
    def.free_base = index / 2 % 2 == 1;
    def.passive = index / 4 % 2 == 0;
    def.mass_unit = u.mass, def.length_unit = u.length, def.time_unit = u.time;
    sn_model_builder* builder = sn_model_builder_create("looped");
    CHECK_STATUS(sn_generate(&def, builder), SN_OK);
    sn_model* tree = NULL;
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &tree, NULL), SN_OK);
    sn_dynamics* placed = test_dynamics(tree, "reference");
    int n = sn_model_body_count(tree), loops = 1 + index % LOOPS_MOST;
    double* q = calloc((size_t)sn_model_nq(tree), sizeof *q);
    test_random_q(&rng, tree, u, q);
    CHECK_STATUS(sn_dynamics_kinematics(placed, q, NULL), SN_OK);
    for (int l = 0; l < loops; l++) {
        char name[2][16];
        (void)snprintf(name[0], sizeof name[0], "loop%d", l); // cannot be too long
        (void)snprintf(name[1], sizeof name[1], "again%d", l);
        sn_joint_type type = (sn_joint_type)test_index(&rng, SN_JOINT_TYPE_COUNT);
        sn_loop_def loop = random_loop(&rng, u, name[0], type);
        int a = test_index(&rng, n + 1) - 1, b = test_index(&rng, n + 1) - 1;
        if (b == a) b = a < n - 1 ? a + 1 : -1;
        close_between(&rng, u, placed, a, b, &loop);
        CHECK_STATUS(sn_model_builder_add_loop(builder, &loop), SN_OK);
        loop.name = name[1];
        if (twice) CHECK_STATUS(sn_model_builder_add_loop(builder, &loop), SN_OK);
    }
    fixture* f = fixture_create(test_compile(builder), u, seed);
    memcpy(f->q, q, (size_t)f->nq * sizeof *q);
    fixture_update(f);
    free(q);
    sn_dynamics_free(placed);
    sn_model_free(tree);
    return f;
}

/// Moves v to the nearest velocity that opens no loop.
static void obey_the_loops(fixture* f) {
    oracle_closing c = oracle_closing_create(f->o, f->q_l, f->v_l);
    CHECK(oracle_close(f->o, &c, NULL, f->v_l), f->seed);
    for (int k = 0; k < f->nv; k++) f->v[k] = (double)f->v_l[k];
    oracle_closing_free(&c);
    fixture_update(f);
}

static void stand_still(fixture* f) {
    memset(f->v, 0, (size_t)f->nv * sizeof *f->v);
    fixture_update(f);
}

// ---- comparing ------------------------------------------------------------------------------------------

/// The largest deviation that any comparison found, for the curious.
static double worst;

/// What loops hold back is as large as what the tree would do without them, so is its rounding: compares
/// relative to the largest number of the answer and of the tree's.
static void check_closed(const fixture* f, const double* actual, const real* expected,
                         const real* tree) {
    real most = 0, error = 0;
    for (int k = 0; k < f->nv; k++) {
        real unit = f->unit_qdd[k], d = fabsl(actual[k] - expected[k]) / unit;
        most = fmaxl(most, fmaxl(fabsl(expected[k]), fabsl(tree[k])) / unit);
        if (!(d <= error)) error = d;
    }
    if (error > 0 && !(error / most <= worst)) worst = (double)(error / most);
    CHECK(error <= TOL_SOLVE * most, f->seed);
}

/// The same for the accelerations of all bodies.
static void check_closed_bodies(const fixture* f, const sn_dynamics* d, const real* expected,
                                const real* tree) {
    double unit[6], actual[6];
    real closed[6], open[6], most = 1, error = 0; // at least one unit: velocity products are
    test_unit_twist(f->u, 2, unit);
    for (int i = 0; i < f->n; i++) {
        twist_numbers(sn_dynamics_acceleration(d, sn_body(i)), actual);
        oracle_acceleration(f->o, i, expected, closed);
        oracle_acceleration(f->o, i, tree, open);
        for (int k = 0; k < 6; k++) {
            real e = fabsl(actual[k] - closed[k]) / (real)unit[k];
            most = fmaxl(most, fmaxl(fabsl(closed[k]), fabsl(open[k])) / (real)unit[k]);
            if (!(e <= error)) error = e;
        }
    }
    if (error > 0 && !(error / most <= worst)) worst = (double)(error / most);
    CHECK(error <= TOL_SOLVE * most, f->seed);
}

typedef enum verdict { GOOD, NEARLY_SINGULAR, CONTRADICTORY } verdict;

/// Forward dynamics of the oracle: into f->x_l with the loops, into f->y_l without.
static verdict oracle_answer(fixture* f) {
    oracle_closing c = oracle_closing_create(f->o, f->q_l, f->v_l);
    real* target = calloc((size_t)c.rows + 1, sizeof *target);
    oracle_closing_target(f->o, &c, target);
    CHECK(oracle_forward(f->o, f->tau_l, f->x_l, NULL), f->seed);
    memcpy(f->y_l, f->x_l, (size_t)f->nv * sizeof *f->x_l);
    CHECK(oracle_close(f->o, &c, target, f->x_l), f->seed);
    real left = c.residual * (real)f->u.time * (real)f->u.time;
    verdict v = c.weakest < WEAKEST ? NEARLY_SINGULAR : left > CONTRADICTION ? CONTRADICTORY : GOOD;
    free(target);
    oracle_closing_free(&c);
    return v;
}

/// All algorithms at the state of the fixture, after the oracle.
static void check_all_algorithms(fixture* f, void (*prepare)(fixture* f, sn_dynamics* d)) {
    for (int i = 0; sn_dynamics_algorithm(i); i++) {
        test_rng rng = f->rng; // the same wrenches and locks for all of them
        sn_dynamics* d = test_dynamics(f->model, sn_dynamics_algorithm(i));
        check_context(sn_dynamics_algorithm(i));
        sn_dynamics_set_gravity(d, f->gravity);
        if (prepare) prepare(f, d);
        CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
        check_closed(f, f->x, f->x_l, f->y_l);
        check_closed_bodies(f, d, f->x_l, f->y_l);
        sn_dynamics_free(d);
        f->rng = rng;
    }
    check_context(NULL);
}

static void with_wrenches(fixture* f, sn_dynamics* d) { fixture_random_wrenches(f, d, 0.4); }
static void with_locks(fixture* f, sn_dynamics* d) { fixture_random_locks(f, d, 0.3); }

/// Sets the oracle up as `prepare` will set up the algorithms.
static void prepare_oracle(fixture* f, void (*prepare)(fixture* f, sn_dynamics* d)) {
    test_rng rng = f->rng;
    sn_dynamics* d = test_dynamics(f->model, "reference");
    prepare(f, d);
    sn_dynamics_free(d);
    f->rng = rng;
}

// ---- forward dynamics --------------------------------------------------------------------------------------

static void closed_loops_move_as_the_dense_oracle_says(void** state) {
    const test_units* u = *state;
    int good = 0;
    unsigned seen = 0;
    for (int m = 0; m < MODELS; m++) {
        fixture* f = looped_fixture(m, *u, test_case_seed(CLOSED, (uint64_t)m), false);
        obey_the_loops(f);
        prepare_oracle(f, with_wrenches);
        verdict v = oracle_answer(f);
        CHECK(v != CONTRADICTORY, f->seed); // closed loops never contradict each other
        if (v == GOOD) {
            good++;
            for (int l = 0; l < f->o->loops; l++) seen |= 1u << f->o->loop[l].type;
            check_all_algorithms(f, with_wrenches);
        }
        fixture_free(f);
    }
    CHECK(good >= MODELS * 3 / 4, test_seed());
    for (int t = 0; t < SN_JOINT_TYPE_COUNT; t++) CHECK(seen >> t & 1u, test_seed());
}

static void loops_whose_velocities_disagree_are_stabilised(void** state) {
    const test_units* u = *state;
    int good = 0;
    unsigned seen = 0;
    for (int m = 0; m < 2 * MODELS; m++) {
        fixture* f = looped_fixture(m, *u, test_case_seed(VIOLATED, (uint64_t)m), false);
        if (oracle_answer(f) == GOOD) {
            good++;
            for (int l = 0; l < f->o->loops; l++) seen |= 1u << f->o->loop[l].type;
            check_all_algorithms(f, NULL);
        }
        fixture_free(f);
    }
    CHECK(good >= MODELS / 2, test_seed());
    for (int t = 0; t < SN_JOINT_TYPE_COUNT; t++) CHECK(seen >> t & 1u, test_seed());
}

static void loops_that_are_open_are_pulled_together(void** state) {
    const test_units* u = *state;
    int good = 0;
    unsigned seen = 0;
    for (int m = 0; m < 2 * MODELS; m++) {
        fixture* f = looped_fixture(m, *u, test_case_seed(OPEN, (uint64_t)m), false);
        for (int k = 0; k < f->nv; k++) // of the order of a tenth of a radian, or of a length
            f->x[k] = 0.1 * f->unit_qdd[k] * u->time * u->time * test_uniform(&f->rng, -1, 1);
        sn_model_integrate(f->model, f->q, f->x, f->q);
        fixture_update(f);
        if (oracle_answer(f) == GOOD) {
            good++;
            for (int l = 0; l < f->o->loops; l++) seen |= 1u << f->o->loop[l].type;
            check_all_algorithms(f, NULL);
        }
        fixture_free(f);
    }
    CHECK(good >= MODELS / 2, test_seed());
    for (int t = 0; t < SN_JOINT_TYPE_COUNT; t++) CHECK(seen >> t & 1u, test_seed());
}

static void locked_joints_in_loops_do_not_accelerate(void** state) {
    const test_units* u = *state;
    int good = 0;
    for (int m = 0; m < MODELS; m++) {
        fixture* f = looped_fixture(m, *u, test_case_seed(LOCKED, (uint64_t)m), false);
        if (m % 2)
            stand_still(f);
        else
            obey_the_loops(f); // joints are locked while they move: that may be a contradiction
        prepare_oracle(f, with_locks);
        verdict v = oracle_answer(f);
        CHECK(m % 2 == 0 || v != CONTRADICTORY, f->seed);
        if (v == GOOD) {
            good++;
            check_all_algorithms(f, with_locks);
            for (int i = 0; i < f->n; i++)
                for (int k = 0; k < f->o->body[i].nv && f->o->body[i].locked; k++)
                    CHECK(f->x[f->o->body[i].iv + k] == 0, f->seed);
        }
        fixture_free(f);
    }
    CHECK(good >= MODELS / 2, test_seed());
}

static void loops_that_say_the_same_twice_change_nothing(void** state) {
    const test_units* u = *state;
    int good = 0;
    for (int m = 0; m < MODELS; m++) {
        fixture* f = looped_fixture(m, *u, test_case_seed(REDUNDANT, (uint64_t)m), true);
        obey_the_loops(f);
        verdict v = oracle_answer(f);
        CHECK(v != CONTRADICTORY, f->seed);
        if (v == GOOD) {
            good++;
            check_all_algorithms(f, NULL);
        }
        fixture_free(f);
    }
    CHECK(good >= MODELS * 3 / 4, test_seed());
}

// ---- impulses and responses ---------------------------------------------------------------------------------

/// Some wrenches, and their generalised forces added to x.
static int random_impulses(fixture* f, sn_body_wrench* impulse, int most, real* x) {
    int count = test_index(&f->rng, most + 1);
    real* J = calloc(6 * (size_t)f->nv, sizeof *J);
    for (int i = 0; i < count; i++) {
        double w[6];
        impulse[i].body = sn_body(test_index(&f->rng, f->n));
        impulse[i].wrench = test_random_wrench(&f->rng, f->u);
        wrench_numbers(impulse[i].wrench, w);
        oracle_jacobian_body(f->o, impulse[i].body.i, J);
        for (int r = 0; r < 6; r++)
            for (int k = 0; k < f->nv; k++) x[k] += J[r * f->nv + k] * w[r];
    }
    free(J);
    return count;
}

static void impulses_open_no_loop(void** state) {
    const test_units* u = *state;
    int good = 0;
    for (int m = 0; m < MODELS; m++) {
        fixture* f = looped_fixture(m, *u, test_case_seed(IMPULSE, (uint64_t)m), m % 4 == 0);
        if (m % 3 == 0) prepare_oracle(f, with_locks);
        sn_body_wrench impulse[4];
        test_rng rng = f->rng;
        if (m % 3 == 0) { // locks first, as the algorithms will draw them
            sn_dynamics* d = test_dynamics(f->model, NULL);
            with_locks(f, d);
            sn_dynamics_free(d);
        }
        memcpy(f->x_l, f->tau_l, (size_t)f->nv * sizeof *f->x_l);
        int count = random_impulses(f, impulse, 4, f->x_l);
        CHECK(oracle_solve_mass(f->o, f->x_l, 1), f->seed);
        memcpy(f->y_l, f->x_l, (size_t)f->nv * sizeof *f->x_l);
        oracle_closing c = oracle_closing_create(f->o, f->q_l, f->v_l);
        CHECK(oracle_close(f->o, &c, NULL, f->x_l), f->seed);
        for (int i = 0; sn_dynamics_algorithm(i) && c.weakest >= WEAKEST; i++) {
            f->rng = rng;
            sn_dynamics* d = test_dynamics(f->model, sn_dynamics_algorithm(i));
            check_context(sn_dynamics_algorithm(i));
            if (m % 3 == 0) with_locks(f, d);
            CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
            sn_twist a = sn_dynamics_acceleration(d, sn_body(f->n - 1));
            CHECK_STATUS(sn_dynamics_impulse(d, f->tau, impulse, count, f->y), SN_OK);
            check_closed(f, f->y, f->x_l, f->y_l);
            sn_twist again = sn_dynamics_acceleration(d, sn_body(f->n - 1));
            CHECK(memcmp(&a, &again, sizeof a) == 0, f->seed); // still that of the forward
            sn_dynamics_free(d);
            good += i == 0;
        }
        check_context(NULL);
        oracle_closing_free(&c);
        fixture_free(f);
    }
    CHECK(good >= MODELS * 3 / 4, test_seed());
}

/// Response of the constrained oracle; tree: without the loops.
static void oracle_response_of(fixture* f, oracle_closing* c, const int* bodies, int count,
                               real* Lambda, real* tree) {
    int nv = f->nv, rows = 6 * count;
    real* J = calloc((size_t)(rows * nv), sizeof *J);
    real* x = calloc((size_t)nv, sizeof *x);
    for (int i = 0; i < count; i++) oracle_jacobian_body(f->o, bodies[i], J + 6 * i * nv);
    CHECK(oracle_response(f->o, bodies, count, tree), f->seed);
    for (int column = 0; column < rows; column++) {
        memcpy(x, J + column * nv, (size_t)nv * sizeof *x);
        CHECK(oracle_solve_mass(f->o, x, 1), f->seed);
        CHECK(oracle_close(f->o, c, NULL, x), f->seed);
        for (int r = 0; r < rows; r++) {
            Lambda[r * rows + column] = 0;
            for (int k = 0; k < nv; k++) Lambda[r * rows + column] += J[r * nv + k] * x[k];
        }
    }
    free(J), free(x);
}

static void check_response(fixture* f, sn_dynamics* d, const sn_body_id* ids, int count,
                           const real* expected, const real* tree) {
    double acceleration[6], wrench[6], Lambda[18 * 18];
    real most = 0, error = 0;
    int rows = 6 * count;
    test_unit_twist(f->u, 2, acceleration);
    test_unit_wrench(f->u, wrench);
    CHECK_STATUS(sn_dynamics_response(d, ids, count, Lambda), SN_OK);
    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < rows; k++) {
            real unit = (real)acceleration[r % 6] / (real)wrench[k % 6];
            real e = fabsl((real)Lambda[r * rows + k] - expected[r * rows + k]) / unit;
            most = fmaxl(most, fabsl(tree[r * rows + k]) / unit);
            if (!(e <= error)) error = e;
        }
    }
    if (error > 0 && !(error / most <= worst)) worst = (double)(error / most);
    CHECK(error <= TOL_SOLVE * most, f->seed);
}

static void responses_are_of_the_constrained_bodies(void** state) {
    const test_units* u = *state;
    int good = 0;
    for (int m = 0; m < MODELS / 2; m++) {
        fixture* f = looped_fixture(m, *u, test_case_seed(RESPONSE, (uint64_t)m), m % 4 == 0);
        sn_body_id ids[3];
        int bodies[3], count = 0;
        for (int i = 0; i < f->n && count < 3; i++)
            if (i == f->n - 1 || test_chance(&f->rng, 0.4)) bodies[count++] = i;
        for (int i = 0; i < count; i++) ids[i] = sn_body(bodies[i]);
        real expected[18 * 18], tree[18 * 18];
        oracle_closing c = oracle_closing_create(f->o, f->q_l, f->v_l);
        oracle_response_of(f, &c, bodies, count, expected, tree);
        for (int i = 0; sn_dynamics_algorithm(i) && c.weakest >= WEAKEST; i++) {
            sn_dynamics* d = test_dynamics(f->model, sn_dynamics_algorithm(i));
            check_context(sn_dynamics_algorithm(i));
            CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
            check_response(f, d, ids, count, expected, tree);
            sn_dynamics_free(d);
            good += i == 0;
        }
        check_context(NULL);
        oracle_closing_free(&c);
        fixture_free(f);
    }
    CHECK(good >= MODELS / 2 * 3 / 4, test_seed());
}

// ---- wrenches and errors --------------------------------------------------------------------------------------

/// A vector of the loop frame on body b (or a) in the world, and the frame's origin.
static void loop_point(const oracle* o, const oracle_loop* l, int end, const real local[3],
                       real world[3], real origin[3]) {
    real R[9];
    memcpy(R, l->R[end], sizeof R);
    memcpy(origin, l->p[end], 3 * sizeof(real));
    real identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const real *R_b = identity, zero[3] = {0, 0, 0}, *p_b = zero;
    if (l->body[end] >= 0) R_b = o->body[l->body[end]].R, p_b = o->body[l->body[end]].p;
    real in_body[3], at[3];
    for (int i = 0; i < 3; i++)
        in_body[i] = R[3 * i] * local[0] + R[3 * i + 1] * local[1] + R[3 * i + 2] * local[2];
    for (int i = 0; i < 3; i++) {
        world[i] = at[i] = 0;
        for (int k = 0; k < 3; k++) {
            world[i] += R_b[3 * i + k] * in_body[k];
            at[i] += R_b[3 * i + k] * origin[k];
        }
    }
    for (int i = 0; i < 3; i++) origin[i] = at[i] + p_b[i];
}

/// Adds the generalised force of the wrench of loop l on its two bodies.
static void add_loop_force(fixture* f, int l, sn_wrench wrench, real* tau) {
    const oracle_loop* loop = &f->o->loop[l];
    double w[6];
    wrench_numbers(wrench, w);
    real n_l[3] = {w[0], w[1], w[2]}, f_l[3] = {w[3], w[4], w[5]}, n[3], force[3], p[3];
    loop_point(f->o, loop, 1, n_l, n, p);
    loop_point(f->o, loop, 1, f_l, force, p);
    real* J = calloc(6 * (size_t)f->nv, sizeof *J);
    for (int end = 0; end < 2; end++) {
        if (loop->body[end] < 0) continue;
        real sign = end ? 1 : -1, arm[3];
        const oracle_body* b = &f->o->body[loop->body[end]];
        for (int i = 0; i < 3; i++) arm[i] = p[i] - b->p[i];
        real at[6] = {n[0] + arm[1] * force[2] - arm[2] * force[1],
                      n[1] + arm[2] * force[0] - arm[0] * force[2],
                      n[2] + arm[0] * force[1] - arm[1] * force[0],
                      force[0],
                      force[1],
                      force[2]};
        oracle_jacobian_world(f->o, loop->body[end], J);
        for (int r = 0; r < 6; r++)
            for (int k = 0; k < f->nv; k++) tau[k] += sign * J[r * f->nv + k] * at[r];
    }
    free(J);
}

static double dot(sn_vec3 a, sn_vec3 b) { return sn_vec3_dot(a, b); }

/// Part of a force on b that is not along the line between the two origins.
static double force_across(const fixture* f, const oracle_loop* loop, sn_vec3 F) {
    real F_l[3] = {F.x, F.y, F.z}, F_w[3], p_a[3], p_b[3], e[3];
    loop_point(f->o, loop, 0, F_l, F_w, p_a);
    loop_point(f->o, loop, 1, F_l, F_w, p_b);
    real size = 0, along = 0, sum = 0;
    for (int i = 0; i < 3; i++) e[i] = p_b[i] - p_a[i], size += e[i] * e[i];
    for (int i = 0; i < 3; i++) along += F_w[i] * e[i] / size;
    for (int i = 0; i < 3; i++) sum += powl(F_w[i] - along * e[i], 2);
    return (double)sqrtl(sum);
}

/// The largest part of a wrench, in natural units, that works along motions the closed loop leaves free.
static double work_along_free_motion(const fixture* f, int l, sn_wrench w) {
    sn_loop_info info = sn_model_loop(f->model, l);
    double unit[6];
    test_unit_wrench(f->u, unit);
    sn_vec3 n = sn_vec3_scale(1 / unit[0], w.n), F = sn_vec3_scale(1 / unit[3], w.f), a = info.axis;
    sn_vec3 across = sn_vec3_sub(F, sn_vec3_scale(dot(F, a), a));
    const oracle_loop* loop = &f->o->loop[l];
    real axis_a[3], axis_b[3], p[3];
    switch (info.type) {
    case SN_JOINT_REVOLUTE: return fabs(dot(n, a));
    case SN_JOINT_PRISMATIC: return fabs(dot(F, a));
    case SN_JOINT_HELICAL: return fabs(dot(n, a) + info.pitch / f->u.length * dot(F, a));
    case SN_JOINT_CYLINDRICAL: return fmax(fabs(dot(n, a)), fabs(dot(F, a)));
    case SN_JOINT_PLANAR: return fmax(fabs(dot(n, a)), sn_vec3_norm(across));
    case SN_JOINT_UNIVERSAL: {
        real n_l[3] = {n.x, n.y, n.z}, n_w[3];
        loop_point(f->o, loop, 0, loop->axis, axis_a, p);
        loop_point(f->o, loop, 1, loop->axis2, axis_b, p);
        loop_point(f->o, loop, 1, n_l, n_w, p);
        real first = 0, second = 0;
        for (int i = 0; i < 3; i++) first += axis_a[i] * n_w[i], second += axis_b[i] * n_w[i];
        return (double)fmaxl(fabsl(first), fabsl(second));
    }
    case SN_JOINT_SPHERICAL: return sn_vec3_norm(n);
    case SN_JOINT_FREE:
        return fmax(sn_vec3_norm(n), info.length > 0 ? force_across(f, loop, F) : sn_vec3_norm(F));
    case SN_JOINT_FIXED:
    case SN_JOINT_TYPE_COUNT: break;
    }
    return 0;
}

static void loop_wrenches_cause_the_motion_and_do_no_work(void** state) {
    const test_units* u = *state;
    int good = 0;
    for (int m = 0; m < MODELS; m++) {
        fixture* f = looped_fixture(m, *u, test_case_seed(WRENCH, (uint64_t)m), m % 5 == 0);
        obey_the_loops(f);
        bool usable = oracle_answer(f) == GOOD;
        for (int i = 0; sn_dynamics_algorithm(i) && usable; i++) {
            sn_dynamics* d = test_dynamics(f->model, sn_dynamics_algorithm(i));
            check_context(sn_dynamics_algorithm(i));
            sn_dynamics_set_gravity(d, f->gravity);
            CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->x), SN_OK);
            double unit[6], largest = 1;
            test_unit_wrench(f->u, unit);
            memcpy(f->y_l, f->tau_l, (size_t)f->nv * sizeof *f->y_l);
            for (int l = 0; l < f->o->loops; l++) {
                sn_wrench w = sn_dynamics_loop_wrench(d, l);
                largest = fmax(largest, sn_vec3_norm(w.n) / unit[0]);
                largest = fmax(largest, sn_vec3_norm(w.f) / unit[3]);
                add_loop_force(f, l, w, f->y_l);
            }
            for (int l = 0; l < f->o->loops; l++)
                CHECK(work_along_free_motion(f, l, sn_dynamics_loop_wrench(d, l)) <=
                          TOL_SOLVE * largest,
                      f->seed);
            real* needed = calloc((size_t)f->nv, sizeof *needed); // M qdd + bias = tau + loops
            for (int k = 0; k < f->nv; k++) f->x_l[k] = f->x[k];
            oracle_inverse(f->o, f->x_l, needed);
            for (int k = 0; k < f->nv; k++)
                CHECK(fabsl(needed[k] - f->y_l[k]) / (real)f->unit_tau[k] <=
                          (real)(10 * TOL_SOLVE * largest),
                      f->seed);
            free(needed);
            CHECK_STATUS(sn_dynamics_kinematics(d, f->q, f->v), SN_OK);
            sn_wrench none = sn_dynamics_loop_wrench(d, 0);
            CHECK(none.n.x == 0 && none.f.z == 0, f->seed); // of nothing that was computed
            sn_dynamics_free(d);
            good += i == 0;
        }
        check_context(NULL);
        fixture_free(f);
    }
    CHECK(good >= MODELS * 3 / 4, test_seed());
}

/// Sizes of what the oracle says a loop is off by, its angles and lengths apart; rates too.
static void errors_are_those_of_the_frames(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < MODELS; m++) {
        fixture* f = looped_fixture(3 * m, *u, test_case_seed(ERRORS, (uint64_t)m), false);
        sn_dynamics* d = test_dynamics(f->model, NULL);
        CHECK_STATUS(sn_dynamics_kinematics(d, f->q, f->v), SN_OK);
        sn_loop_error closed = sn_dynamics_loop_error(d, 0);
        CHECK(sn_vec3_norm(closed.pose.w) <= TOL_CHAIN, f->seed);
        CHECK(sn_vec3_norm(closed.pose.v) <= TOL_CHAIN * u->length, f->seed);
        // the rate of the error is its difference along the motion
        double h = 1e-5 * u->time, unit[6], rate[6], plus[6], minus[6];
        for (int k = 0; k < f->nv; k++) f->x[k] = h * f->v[k];
        double* q = calloc((size_t)f->nq, sizeof *q);
        sn_model_integrate(f->model, f->q, f->x, q);
        CHECK_STATUS(sn_dynamics_kinematics(d, q, f->v), SN_OK);
        twist_numbers(sn_dynamics_loop_error(d, 0).pose, plus);
        for (int k = 0; k < f->nv; k++) f->x[k] = -h * f->v[k];
        sn_model_integrate(f->model, f->q, f->x, q);
        CHECK_STATUS(sn_dynamics_kinematics(d, q, f->v), SN_OK);
        twist_numbers(sn_dynamics_loop_error(d, 0).pose, minus);
        twist_numbers(closed.velocity, rate);
        test_unit_twist(f->u, 1, unit);
        for (int k = 0; k < 6; k++)
            CHECK_NEAR(rate[k] / unit[k], (plus[k] - minus[k]) / (2 * h) / unit[k],
                       10 * TOL_DIFFERENCES, f->seed);
        free(q);
        sn_dynamics_free(d);
        fixture_free(f);
    }
}

static int say_worst(void** state) {
    (void)state;
    print_message("largest relative error: %.2g, allowed %.2g\n", worst, TOL_SOLVE);
    return 0;
}

int main(void) {
    static test_units si, molecular;
    (void)test_seed(); // print it first
    si = test_units_si();
    molecular = test_units_molecular();
    const struct CMUnitTest tests[] = {
        TEST_IN_BOTH_UNITS(closed_loops_move_as_the_dense_oracle_says),
        TEST_IN_BOTH_UNITS(loops_whose_velocities_disagree_are_stabilised),
        TEST_IN_BOTH_UNITS(loops_that_are_open_are_pulled_together),
        TEST_IN_BOTH_UNITS(locked_joints_in_loops_do_not_accelerate),
        TEST_IN_BOTH_UNITS(loops_that_say_the_same_twice_change_nothing),
        TEST_IN_BOTH_UNITS(impulses_open_no_loop),
        TEST_IN_BOTH_UNITS(responses_are_of_the_constrained_bodies),
        TEST_IN_BOTH_UNITS(loop_wrenches_cause_the_motion_and_do_no_work),
        TEST_IN_BOTH_UNITS(errors_are_those_of_the_frames),
    };
    return cmocka_run_group_tests_name("loops", tests, NULL, say_worst);
}
