// SPDX-License-Identifier: Apache-2.0
// The Delassus operator as it is written down: J M^-1 J' with M and J in full. Clear rather than fast;
// what is fast is tested against it.
#include <math.h>
#include <string.h>

#include "dynamics/delassus.h"

static void dense_layout(sn_delassus* x, sni_arena* arena) {
    size_t nv = (size_t)x->d->model->nv;
    x->dense.M = sni_arena_take(arena, nv, nv * sizeof(double));
    x->dense.J = sni_arena_take(arena, 6 * (size_t)x->most.bodies, nv * sizeof(double));
    x->dense.held = SN_ARENA_ARRAY(arena, bool, nv);
}

/// Degrees of freedom that cannot move: rows and columns of the unit matrix.
static void hold(sn_delassus* x) {
    const sn_dynamics* d = x->d;
    size_t nv = (size_t)d->model->nv;
    bool* held = x->dense.held;
    for (int32_t i = 0; i < d->model->body_count; i++) {
        const sni_joint* joint = &d->model->joint[i];
        bool still = d->locked[i] || (d->ops->update && !sn_dynamics_is_active(d, sn_body(i)));
        for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++) held[k] = still;
    }
    for (size_t r = 0; r < nv; r++)
        for (size_t c = 0; c <= r; c++)
            if (held[r] || held[c]) x->dense.M[r * nv + c] = r == c;
}

/// Rows of J: what unit wrenches on the body are to the joints that carry it.
static void find_jacobian(sn_delassus* x, int32_t g) {
    const sn_dynamics* d = x->d;
    size_t nv = (size_t)d->model->nv;
    double* J = x->dense.J + 6 * (size_t)g * nv;
    memset(J, 0, 6 * nv * sizeof *J);
    for (size_t r = 0; r < 6; r++, J += nv) {
        double unit[6] = {0};
        unit[r] = 1;
        int32_t body = x->bodies[g].i;
        sn_wrench f = sni_wrench_from_user(d, body, sni_wrench_from_numbers(unit));
        for (int32_t i = body; i >= 0; i = d->model->joint[i].parent) {
            const sni_joint* joint = &d->model->joint[i];
            const double* q = d->q + joint->iq;
            sn_twist S[SN_JOINT_MAX_NV];
            sni_joint_subspace(joint, q, S);
            for (int k = 0; k < joint->nv; k++)
                J[joint->iv + k] = x->dense.held[joint->iv + k] ? 0 : sn_power(f, S[k]);
            f = sn_pose_wrench(sn_pose_mul(joint->X_pj, sni_joint_pose(joint, q)), f);
        }
    }
}

static bool factor(double* M, size_t n) {
    for (size_t c = 0; c < n; c++) {
        double pivot = M[c * n + c];
        for (size_t k = 0; k < c; k++) pivot -= M[c * n + k] * M[c * n + k];
        if (!(pivot > 0)) return false;
        M[c * n + c] = sqrt(pivot);
        for (size_t r = c + 1; r < n; r++) {
            double sum = M[r * n + c];
            for (size_t k = 0; k < c; k++) sum -= M[r * n + k] * M[c * n + k];
            M[r * n + c] = sum / M[c * n + c];
        }
    }
    return true;
}

static sn_status dense_omega(sn_delassus* x, double* Omega) {
    size_t nv = (size_t)x->d->model->nv, size = 6 * (size_t)x->body_count;
    double *M = x->dense.M, *J = x->dense.J;
    sni_rows rows = {M, NULL, NULL, x->d->model->nv};
    memset(M, 0, nv * nv * sizeof *M);
    x->d->ops->mass_matrix(x->d, &rows);
    hold(x);
    if (!factor(M, nv)) return SN_ERR_NUMERIC;
    for (int32_t g = 0; g < x->body_count; g++) find_jacobian(x, g);
    for (size_t r = 0; r < size; r++) { // L^-1 J', a row of J at a time
        double* y = J + r * nv;
        for (size_t k = 0; k < nv; k++) {
            for (size_t c = 0; c < k; c++) y[k] -= M[k * nv + c] * y[c];
            y[k] /= M[k * nv + k];
        }
    }
    for (size_t r = 0; r < size; r++) {
        for (size_t c = 0; c <= r; c++) {
            double sum = 0;
            for (size_t k = 0; k < nv; k++) sum += J[r * nv + k] * J[c * nv + k];
            Omega[r * size + c] = Omega[c * size + r] = sum;
        }
    }
    return SN_OK;
}

static double dense_work(const sn_delassus* x) {
    double nv = x->d->model->nv, size = 6 * x->body_count;
    return nv * nv * nv / 6 + size * nv * nv / 2 + size * size * nv / 2;
}

const sni_delassus_method sni_delassus_dense = {
    .name = "dense",
    .about = "joint-space inertia, its Cholesky factors and Jacobians, in full",
    .needs = "any dynamics",
    .layout = dense_layout,
    .omega = dense_omega,
    .work = dense_work,
};
