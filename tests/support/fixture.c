// SPDX-License-Identifier: Apache-2.0
#include "support/fixture.h"

#include <math.h>
#include <string.h>

static double* numbers(int n) { return calloc((size_t)(n > 0 ? n : 1), sizeof(double)); }
static real* reals(int n) { return calloc((size_t)(n > 0 ? n : 1), sizeof(real)); }

fixture* fixture_create(sn_model* model, test_units u, uint64_t seed) {
    fixture* f = calloc(1, sizeof *f);
    int nq = sn_model_nq(model), nv = sn_model_nv(model);
    f->seed = seed;
    f->rng = test_rng_make(seed);
    f->u = u;
    f->model = model;
    f->o = oracle_create(model);
    f->n = sn_model_body_count(model), f->nq = nq, f->nv = nv;
    f->q = numbers(nq), f->v = numbers(nv), f->qdd = numbers(nv), f->tau = numbers(nv);
    f->unit_qdd = numbers(nv), f->unit_tau = numbers(nv);
    f->x = numbers(nv), f->y = numbers(nv), f->A = numbers(nv * nv);
    f->q_l = reals(nq), f->v_l = reals(nv), f->qdd_l = reals(nv), f->tau_l = reals(nv);
    f->x_l = reals(nv), f->y_l = reals(nv), f->A_l = reals(nv * nv);
    test_unit_acceleration(model, u, f->unit_qdd);
    test_unit_force(model, u, f->unit_tau);
    f->gravity = test_random_gravity(&f->rng, u);
    oracle_set_gravity(f->o, f->gravity);
    fixture_random_state(f);
    return f;
}

void fixture_free(fixture* f) {
    free(f->q), free(f->v), free(f->qdd), free(f->tau), free(f->unit_qdd), free(f->unit_tau);
    free(f->x), free(f->y), free(f->A);
    free(f->q_l), free(f->v_l), free(f->qdd_l), free(f->tau_l);
    free(f->x_l), free(f->y_l), free(f->A_l);
    oracle_free(f->o);
    sn_model_free(f->model);
    free(f);
}

void fixture_random_state(fixture* f) {
    test_random_q(&f->rng, f->model, f->u, f->q);
    test_random_v(&f->rng, f->model, f->u, f->v);
    test_random_qdd(&f->rng, f->model, f->u, f->qdd);
    test_random_tau(&f->rng, f->model, f->u, f->tau);
    fixture_update(f);
}

void fixture_update(fixture* f) {
    for (int i = 0; i < f->nq; i++) f->q_l[i] = f->q[i];
    for (int i = 0; i < f->nv; i++)
        f->v_l[i] = f->v[i], f->qdd_l[i] = f->qdd[i], f->tau_l[i] = f->tau[i];
    oracle_move(f->o, f->q_l, f->v_l);
}

fixture* fixture_of_list(int index, test_units u, uint64_t seed) {
    // two of three are forests with every type of joint; the others take turns
    static const sn_generate_shape other[] = {SN_GENERATE_CHAIN, SN_GENERATE_TREE, SN_GENERATE_STAR,
                                              SN_GENERATE_CATERPILLAR};
    sn_generate_shape shape = index % 3 == 2 ? other[index / 3 % 4] : SN_GENERATE_RANDOM;
    int count = 1 + index * 5 % 12;
    bool free_base = index / 2 % 2 == 1;
    bool passive = index / 4 % 2 == 0;
    return fixture_create(test_generate(shape, count, seed, free_base, passive, u), u, seed);
}

void twist_numbers(sn_twist t, double out[6]) {
    out[0] = t.w.x, out[1] = t.w.y, out[2] = t.w.z;
    out[3] = t.v.x, out[4] = t.v.y, out[5] = t.v.z;
}

void wrench_numbers(sn_wrench w, double out[6]) {
    out[0] = w.n.x, out[1] = w.n.y, out[2] = w.n.z;
    out[3] = w.f.x, out[4] = w.f.y, out[5] = w.f.z;
}

void pose_numbers(sn_pose X, double out[12]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[3 * i + j] = X.R.m[i][j];
    out[9] = X.p.x, out[10] = X.p.y, out[11] = X.p.z;
}

void fixture_random_wrenches(fixture* f, sn_dynamics* dynamics, double probability) {
    sn_dynamics_clear_wrenches(dynamics);
    oracle_clear_wrenches(f->o);
    for (int i = 0; i < f->n; i++) {
        if (!test_chance(&f->rng, probability)) continue;
        sn_wrench w = test_random_wrench(&f->rng, f->u);
        sn_axes axes = test_chance(&f->rng, 0.5) ? SN_AXES_BODY : SN_AXES_WORLD;
        double d[6];
        real l[6];
        wrench_numbers(w, d);
        for (int k = 0; k < 6; k++) l[k] = d[k];
        CHECK_STATUS(sn_dynamics_set_wrench(dynamics, sn_body(i), axes, w), SN_OK);
        if (axes == SN_AXES_BODY)
            oracle_wrench_body_axes(f->o, i, l);
        else
            oracle_wrench_world_axes(f->o, i, l);
    }
}

void fixture_random_locks(fixture* f, sn_dynamics* dynamics, double probability) {
    for (int i = 0; i < f->n; i++) {
        f->o->body[i].locked = test_chance(&f->rng, probability);
        CHECK_STATUS(sn_dynamics_lock(dynamics, sn_body(i), f->o->body[i].locked), SN_OK);
    }
}

void fixture_check_motion(fixture* f, const sn_dynamics* dynamics) {
    double pose_unit[12], twist_unit[6];
    for (int k = 0; k < 9; k++) pose_unit[k] = 1;
    for (int k = 9; k < 12; k++) pose_unit[k] = f->u.length;
    test_unit_twist(f->u, 1, twist_unit);
    for (int i = 0; i < f->n; i++) {
        const oracle_body* b = &f->o->body[i];
        double pose[12], twist[6];
        real expected[12];
        for (int k = 0; k < 9; k++) expected[k] = b->R[k];
        for (int k = 0; k < 3; k++) expected[9 + k] = b->p[k];
        pose_numbers(sn_dynamics_pose(dynamics, sn_body(i)), pose);
        CHECK_SCALED(pose, expected, pose_unit, 12, TOL_CHAIN, f->seed);
        twist_numbers(sn_dynamics_velocity(dynamics, sn_body(i)), twist);
        oracle_velocity(f->o, i, expected);
        CHECK_SCALED(twist, expected, twist_unit, 6, TOL_CHAIN, f->seed);
    }
}

void fixture_check_accelerations(fixture* f, const sn_dynamics* dynamics, const real* qdd,
                                 double tolerance) {
    // relative to the largest acceleration of any body (a body that hardly accelerates among others
    // that do carries their rounding), at least one unit: where nothing accelerates, velocity
    // products of order one unit cancel
    int n6 = 6 * f->n;
    double unit[6], *all = numbers(n6 + 1), *units = numbers(n6 + 1);
    real* expected = reals(n6 + 1);
    all[n6] = units[n6] = 1, expected[n6] = 1;
    test_unit_twist(f->u, 2, unit);
    for (int i = 0; i < f->n; i++) {
        twist_numbers(sn_dynamics_acceleration(dynamics, sn_body(i)), all + 6 * i);
        oracle_acceleration(f->o, i, qdd, expected + 6 * i);
        memcpy(units + 6 * i, unit, sizeof unit);
    }
    CHECK_SCALED(all, expected, units, n6 + 1, tolerance, f->seed);
    free(all), free(units), free(expected);
}

static const sn_dynamics_module* added;

void test_add_dynamics(const sn_dynamics_module* module) { added = module; }

static bool is_added(const char* algorithm) { return added && strcmp(added->name, algorithm) == 0; }

sn_dynamics* test_dynamics(const sn_model* model, const char* algorithm) {
    sn_dynamics* dynamics = NULL;
    sn_error error;
    CHECK_STATUS(is_added(algorithm) ? sn_dynamics_create_module(model, added, &dynamics, &error)
                                     : sn_dynamics_create(model, algorithm, &dynamics, &error),
                 SN_OK);
    return dynamics;
}

sn_world* test_world(const sn_model* model, double step, sn_integrator integrator,
                     sn_vec3 gravity) {
    sn_world* world = NULL;
    sn_error error;
    sn_world_def def = sn_world_def_default();
    def.step = step;
    def.integrator = integrator;
    def.gravity = gravity;
    CHECK_STATUS(sn_world_create(model, &def, &world, &error), SN_OK);
    return world;
}

void test_run(sn_world* world, int steps) {
    for (int i = 0; i < steps; i++) CHECK_STATUS(sn_world_step(world, NULL), SN_OK);
}

bool test_algorithm_exists(const char* algorithm) {
    if (is_added(algorithm)) return true;
    for (int i = 0; sn_dynamics_algorithm(i); i++)
        if (strcmp(sn_dynamics_algorithm(i), algorithm) == 0) return true;
    return false;
}
