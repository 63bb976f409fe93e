// SPDX-License-Identifier: Apache-2.0
#include "eval_answer.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

static void put3(double* out, sn_vec3 a) { out[0] = a.x, out[1] = a.y, out[2] = a.z; }

static void put_twist(double* out, sn_twist t) {
    put3(out, t.v);
    put3(out + 3, t.w);
}

static void reorder(const double* api, const int* order, int count, double* file) {
    for (int k = 0; k < count; k++) file[k] = api[order[k]];
}

// Weights by inertia belong to the first state that is asked for after the metric was changed: with
// this a case does not depend on the one before it.
static void forget_weights(sn_dynamics* dynamics) {
    sn_adaptivity asked, other;
    if (sn_dynamics_adaptivity(dynamics, &asked) != SN_OK) return; // not adaptive
    other = asked;
    other.metric = asked.metric == SN_METRIC_UNIT ? SN_METRIC_INERTIA : SN_METRIC_UNIT;
    sn_dynamics_set_adaptivity(dynamics, &other);
    sn_dynamics_set_adaptivity(dynamics, &asked);
}

void eval_case_apply(const eval_case* c, sn_dynamics* dynamics) {
    forget_weights(dynamics);
    sn_dynamics_set_gravity(dynamics, c->gravity);
    sn_dynamics_clear_wrenches(dynamics);
    for (int i = 0; i < c->fext_count; i++) {
        // Several wrenches on one body add up.
        sn_wrench sum = c->fext[i].wrench;
        for (int k = 0; k < i; k++) {
            if (c->fext[k].body.i == c->fext[i].body.i) {
                sum = sn_wrench_add(sum, c->fext[k].wrench);
            }
        }
        sn_dynamics_set_wrench(dynamics, c->fext[i].body, SN_AXES_BODY, sum);
    }
}

// Bias forces, then gravity alone: inverse dynamics without acceleration and external wrenches.
static sn_status compute_bias(const eval_case* c, sn_dynamics* dynamics, const int* v_order,
                              eval_answer* a) {
    double* zero = memory_take((size_t)a->nv, sizeof *zero);
    double* tau = memory_take((size_t)a->nv, sizeof *tau);
    sn_dynamics_clear_wrenches(dynamics);
    sn_dynamics_set_gravity(dynamics, c->gravity);
    sn_status status = sn_dynamics_inverse(dynamics, c->q, c->v, zero, tau);
    reorder(tau, v_order, a->nv, a->nle);
    if (status == SN_OK) status = sn_dynamics_inverse(dynamics, c->q, zero, zero, tau);
    reorder(tau, v_order, a->nv, a->gravity_torque);
    free(zero);
    free(tau);
    return status;
}

static sn_status compute_M(const eval_case* c, sn_dynamics* dynamics, const int* v_order,
                           eval_answer* a) {
    size_t n = (size_t)a->nv;
    double* api = memory_take(n * n, sizeof *api);
    sn_status status = sn_dynamics_mass_matrix(dynamics, c->q, api);
    a->M = memory_take(n * n, sizeof *a->M);
    for (size_t i = 0; i < n; i++) {
        reorder(api + (size_t)v_order[i] * n, v_order, a->nv, a->M + i * n);
    }
    free(api);
    return status;
}

// Turns both sides of one 6x6 block, linear part first, from body to world axes.
static void turn_block(double* block, size_t stride, sn_mat3 R_row, sn_mat3 R_column) {
    for (int r = 0; r < 6; r += 3) {
        for (int s = 0; s < 6; s += 3) {
            sn_mat3 m;
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++)
                    m.m[i][j] = block[(size_t)(r + i) * stride + (size_t)(s + j)];
            }
            m = sn_mat3_mul(R_row, sn_mat3_mul(m, sn_mat3_transpose(R_column)));
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++)
                    block[(size_t)(r + i) * stride + (size_t)(s + j)] = m.m[i][j];
            }
        }
    }
}

// Place of the i-th number of a file, linear parts first, in the order of the API.
static size_t api_place(size_t i) {
    static const size_t ANGULAR_LAST[6] = {3, 4, 5, 0, 1, 2};
    return i - i % 6 + ANGULAR_LAST[i % 6];
}

// n x n numbers with linear rows and columns first.
static double* linear_first(const double* api, size_t n) {
    double* out = memory_take(n * n, sizeof *out);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) out[i * n + j] = api[api_place(i) * n + api_place(j)];
    }
    return out;
}

// W = J M^-1 J^T of the listed bodies, linear rows first, in body or in world axes.
static sn_status compute_delassus(sn_dynamics* dynamics, body_list list, bool world, double** W) {
    size_t n = 6 * (size_t)list.count;
    double* api = memory_take(n * n, sizeof *api);
    sn_status status = sn_dynamics_response(dynamics, list.at, list.count, api);
    double* out = linear_first(api, n);
    for (int i = 0; world && i < list.count; i++) {
        sn_mat3 R_row = sn_dynamics_pose(dynamics, list.at[i]).R;
        for (int j = 0; j < list.count; j++) {
            sn_mat3 R_column = sn_dynamics_pose(dynamics, list.at[j]).R;
            turn_block(out + 6 * (size_t)i * n + 6 * (size_t)j, n, R_row, R_column);
        }
    }
    free(api);
    *W = out;
    return status;
}

static double* linear_first_vector(const double* api, size_t n) {
    double* out = memory_take(n, sizeof *out);
    for (size_t i = 0; i < n; i++) out[i] = api[api_place(i)];
    return out;
}

// The law of the hands, and what they feel. Their wrenches are not among those of the last forward.
static sn_status compute_coupling(const eval_case* c, sn_dynamics* dynamics, eval_answer* a) {
    sn_coupling_law* law = memory_take(1, sizeof *law);
    sn_body_wrench none[SN_GRAB_MAX];
    sn_wrench f_u[SN_GRAB_MAX], f_feed[SN_GRAB_MAX];
    for (int i = 0; i < c->grab_count; i++) {
        none[i] = (sn_body_wrench){c->grab[i].body, sn_wrench_zero()};
        f_u[i] = c->grab[i].wrench;
    }
    sn_status status = sn_dynamics_coupling(dynamics, none, c->grab_count, law);
    if (status == SN_OK) status = sn_coupling_tick(law, f_u, f_feed);
    if (status == SN_OK) {
        size_t n = 6 * (size_t)c->grab_count;
        double felt[SN_GRAB_ROWS];
        memcpy(felt, f_feed, n * sizeof *felt);
        a->Lambda = linear_first(law->Lambda, n);
        a->K = linear_first(law->K, n);
        a->a0 = linear_first_vector(law->a0, n);
        a->f0 = linear_first_vector(law->f0, n);
        a->weight = linear_first_vector(law->weight, n);
        a->f_feed = linear_first_vector(felt, n);
    }
    free(law);
    return status;
}

// Which joints adaptive dynamics chose, and what the others would do.
static void read_region(const sn_dynamics* dynamics, eval_answer* a) {
    sn_adaptivity adaptivity;
    if (sn_dynamics_adaptivity(dynamics, &adaptivity) != SN_OK) return;
    int count = 0;
    a->region = sn_dynamics_region(dynamics);
    a->active = memory_take((size_t)a->bodies, sizeof *a->active);
    for (int i = 0; i < a->bodies; i++) {
        if (sn_dynamics_is_active(dynamics, sn_body(i))) a->active[count++] = i;
    }
    a->region.active = count;
}

static void read_motion(sn_dynamics* dynamics, eval_answer* a) {
    for (int i = 0; i < a->bodies; i++) {
        sn_pose pose = sn_dynamics_pose(dynamics, sn_body(i));
        put3(a->body_p + 3 * i, pose.p);
        memcpy(a->body_R + 9 * i, pose.R.m, sizeof pose.R.m);
        put_twist(a->body_vel + 6 * i, sn_dynamics_velocity(dynamics, sn_body(i)));
        put_twist(a->body_acc + 6 * i, sn_dynamics_acceleration(dynamics, sn_body(i)));
    }
    sn_energy energy = sn_dynamics_energy(dynamics);
    a->kinetic_energy = energy.kinetic;
    a->potential_energy = energy.potential;
    sn_momentum momentum = sn_dynamics_momentum(dynamics);
    put3(a->com, momentum.com);
    put3(a->centroidal_momentum, momentum.linear);
    put3(a->centroidal_momentum + 3, momentum.angular);
}

static void allocate(const sn_model* model, eval_answer* a) {
    size_t nv = (size_t)sn_model_nv(model), n = (size_t)sn_model_body_count(model);
    *a = (eval_answer){.nv = (int)nv, .bodies = (int)n};
    a->qdd = memory_take(nv, sizeof(double));
    a->nle = memory_take(nv, sizeof(double));
    a->gravity_torque = memory_take(nv, sizeof(double));
    a->body_p = memory_take(3 * n, sizeof(double));
    a->body_R = memory_take(9 * n, sizeof(double));
    a->body_vel = memory_take(6 * n, sizeof(double));
    a->body_acc = memory_take(6 * n, sizeof(double));
}

sn_status eval_answer_compute(const eval_case* c, sn_dynamics* dynamics, const int* v_order,
                              eval_answer* a) {
    allocate(sn_dynamics_model(dynamics), a);
    sn_status status = compute_bias(c, dynamics, v_order, a);
    if (status == SN_OK && (c->wants & EVAL_M)) status = compute_M(c, dynamics, v_order, a);
    if (status != SN_OK) return status;
    // Forward dynamics comes last: the queries after it belong to it.
    double* qdd = memory_take((size_t)a->nv, sizeof *qdd);
    eval_case_apply(c, dynamics);
    status = sn_dynamics_forward(dynamics, c->q, c->v, c->tau, qdd);
    reorder(qdd, v_order, a->nv, a->qdd);
    free(qdd);
    if (status != SN_OK) return status;
    read_motion(dynamics, a);
    read_region(dynamics, a);
    if (c->wants & EVAL_DELASSUS_LOCAL) {
        status = compute_delassus(dynamics, c->local, false, &a->delassus_local);
    }
    if (status == SN_OK && (c->wants & EVAL_DELASSUS_WORLD)) {
        status = compute_delassus(dynamics, c->world, true, &a->delassus_world_aligned);
    }
    if (status == SN_OK && c->grab_count > 0) status = compute_coupling(c, dynamics, a);
    return status;
}

void eval_answer_free(eval_answer* a) {
    double* all[] = {a->qdd,
                     a->nle,
                     a->gravity_torque,
                     a->body_p,
                     a->body_R,
                     a->body_vel,
                     a->body_acc,
                     a->M,
                     a->delassus_local,
                     a->delassus_world_aligned,
                     a->Lambda,
                     a->K,
                     a->a0,
                     a->f0,
                     a->weight,
                     a->f_feed,
                     a->active};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
    *a = (eval_answer){0};
}
