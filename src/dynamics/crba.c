// SPDX-License-Identifier: Apache-2.0
// Forward dynamics through the sparse factors of the joint-space inertia.
// M[i][j] is zero unless one DOF is an ancestor of the other, and M = L' D L has no fill-in, so a
// row is kept as the path from the root to its DOF.   [F08 ch 6]
#include "base/error.h"
#include "dynamics/fast.h"

typedef struct crba_memory {
    sni_fast fast;
    sni_rows rows;    ///< L and D over M
    int32_t* above;   // [nv] next DOF towards the root, -1: none
    double* bias;     // [nv]
    bool* locked;     // [nv]
    sn_twist* change; // [body_count] of velocity, by the last impulse
} crba_memory;

/// Entries of the lower part of M: each DOF with itself and all above it.
static size_t entry_count(const sn_model* model) {
    size_t count = 0;
    for (int32_t i = 0; i < model->body_count; i++)
        for (int k = 0; k < model->joint[i].nv; k++)
            count += (size_t)(model->joint[i].above + k + 1);
    return count;
}

static sn_status crba_check(const sn_model* model, sn_error* error) {
    const double GIGABYTE = 1e9, MOST = 4;
    double size = (double)entry_count(model) * sizeof(double) / GIGABYTE;
    if (size <= MOST) return SN_OK;
    return sni_fail(error, SN_ERR_CAPACITY, sni_nowhere(),
                    "crba would need %.0f GB for the joint-space inertia of '%s'; use aba", size,
                    model->name);
}

static void fill_tables(const sn_model* model, int32_t* above, int32_t* column, size_t* start) {
    size_t count = 0;
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++) {
            const sni_joint* parent = joint->parent < 0 ? NULL : &model->joint[joint->parent];
            above[k] = k > joint->iv ? k - 1 : parent ? parent->iv + parent->nv - 1 : -1;
            column[k] = joint->above + (k - joint->iv);
            start[k] = count;
            count += (size_t)column[k] + 1;
        }
    }
}

static void crba_layout(sn_dynamics* d, sni_arena* arena) {
    const sn_model* model = d->model;
    crba_memory* memory = SN_ARENA_ARRAY(arena, crba_memory, 1);
    double* values = SN_ARENA_ARRAY(arena, double, entry_count(model));
    size_t* start = SN_ARENA_ARRAY(arena, size_t, model->nv);
    int32_t* column = SN_ARENA_ARRAY(arena, int32_t, model->nv);
    int32_t* above = SN_ARENA_ARRAY(arena, int32_t, model->nv);
    double* bias = SN_ARENA_ARRAY(arena, double, model->nv);
    bool* locked = SN_ARENA_ARRAY(arena, bool, model->nv);
    sn_twist* change = SN_ARENA_ARRAY(arena, sn_twist, model->body_count);
    sni_fast fast = {0};
    sni_fast_layout(&fast, sni_kernel_pick(), model, arena);
    d->algorithm = memory;
    if (!memory) return; // measuring
    fill_tables(model, above, column, start);
    sni_rows rows = {values, start, column, model->nv};
    memory->rows = rows;
    memory->above = above;
    memory->bias = bias;
    memory->locked = locked;
    memory->change = change;
    memory->fast = fast;
}

/// A locked DOF has infinite inertia: its row and column become those of the unit matrix.
static void lock_rows(sn_dynamics* d, crba_memory* memory) {
    const sn_model* model = d->model;
    bool* locked = memory->locked; // by DOF
    bool any = false;
    for (int32_t i = 0; i < model->body_count; i++) {
        any |= d->locked[i];
        for (int k = 0; k < model->joint[i].nv; k++) locked[model->joint[i].iv + k] = d->locked[i];
    }
    for (int32_t k = 0; any && k < model->nv; k++) {
        if (locked[k]) *sni_rows_entry(&memory->rows, k, k) = 1;
        for (int32_t j = memory->above[k]; j >= 0; j = memory->above[j])
            if (locked[k] || locked[j]) *sni_rows_entry(&memory->rows, k, j) = 0;
    }
}

// M = L' D L in place: L unit lower over the ancestors, D on the diagonal.   [F08 table 6.3]
// A row holds its ancestors from the root down, and so does the row of each of them: what is taken
// from row i are the leading entries of row k.
static bool factor(crba_memory* memory) {
    const sni_rows* rows = &memory->rows;
    for (int32_t k = rows->nv - 1; k >= 0; k--) {
        double* row_k = rows->values + rows->start[k];
        double pivot = row_k[rows->column[k]];
        if (!(pivot > 0)) return false;
        for (int32_t i = memory->above[k]; i >= 0; i = memory->above[i]) {
            double* row_i = rows->values + rows->start[i];
            int32_t length = rows->column[i] + 1;
            double ratio = row_k[length - 1] / pivot;
            for (int32_t c = 0; c < length; c++) row_i[c] -= ratio * row_k[c];
            row_k[length - 1] = ratio;
        }
    }
    return true;
}

/// Solves L' D L x = b in place.
static void solve(const crba_memory* memory, double* x) {
    const sni_rows* rows = &memory->rows;
    for (int32_t k = rows->nv - 1; k >= 0; k--)
        for (int32_t j = memory->above[k]; j >= 0; j = memory->above[j])
            x[j] -= *sni_rows_entry(rows, k, j) * x[k];
    for (int32_t k = 0; k < rows->nv; k++) {
        x[k] /= *sni_rows_entry(rows, k, k);
        for (int32_t j = memory->above[k]; j >= 0; j = memory->above[j])
            x[k] -= *sni_rows_entry(rows, k, j) * x[j];
    }
}

static void zero_locked(const sn_dynamics* d, double* x) {
    for (int32_t i = 0; i < d->model->body_count; i++)
        for (int k = 0; d->locked[i] && k < d->model->joint[i].nv; k++)
            x[d->model->joint[i].iv + k] = 0;
}

static sni_fast* fast_of(const sn_dynamics* d) { return &((crba_memory*)d->algorithm)->fast; }

static void crba_start(sn_dynamics* d) { sni_fast_start(d, fast_of(d)); }

static const sni_fast* crba_fast(const sn_dynamics* d) { return fast_of(d); }

static void crba_kinematics(sn_dynamics* d) { sni_fast_kinematics(d, fast_of(d)); }

static void crba_inverse(sn_dynamics* d, const double* qdd, bool moving, double* tau) {
    sni_fast_inverse(d, fast_of(d), qdd, moving, tau);
}

static void crba_mass_matrix(sn_dynamics* d, const sni_rows* rows) {
    sni_fast_mass_matrix(d, fast_of(d), rows);
}

/// One step of iterative refinement. M of a long chain is so ill-conditioned (a straight one of 256
/// links loses seven digits) that the residual, which inverse dynamics gives to rounding, is worth
/// another solve.
static void refine(sn_dynamics* d, const double* tau, double* qdd) {
    double* residual = d->rate;
    crba_inverse(d, qdd, true, residual);
    for (int32_t k = 0; k < d->model->nv; k++) residual[k] = (tau ? tau[k] : 0) - residual[k];
    zero_locked(d, residual);
    solve(d->algorithm, residual);
    for (int32_t k = 0; k < d->model->nv; k++) qdd[k] += residual[k];
}

static sn_status crba_forward(sn_dynamics* d, const double* tau, double* qdd) {
    crba_memory* memory = d->algorithm;
    crba_inverse(d, NULL, true, memory->bias);
    sni_fast_mass_matrix(d, &memory->fast, &memory->rows);
    lock_rows(d, memory);
    if (!factor(memory)) return SN_ERR_NUMERIC;
    for (int32_t k = 0; k < d->model->nv; k++) qdd[k] = (tau ? tau[k] : 0) - memory->bias[k];
    zero_locked(d, qdd);
    solve(memory, qdd);
    refine(d, tau, qdd);
    crba_inverse(d, qdd, true, memory->bias); // for the accelerations of the bodies
    return SN_OK;
}

/// Velocity changes of the bodies that joint rates give, world axes.
static void propagate(sn_dynamics* d, const double* dv) {
    const sni_fast* fast = fast_of(d);
    sn_twist* change = ((crba_memory*)d->algorithm)->change;
    for (int32_t i = 0; i < d->model->body_count; i++) {
        const sni_joint* joint = &d->model->joint[i];
        sn_twist t = sn_twist_zero();
        if (joint->parent >= 0) {
            t = change[joint->parent];
            t.v = sn_vec3_add(t.v, sn_vec3_cross(t.w, fast->r[i]));
        }
        for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++)
            t = sn_twist_add(t, sn_twist_scale(dv[k], fast->S[k]));
        change[i] = t;
    }
}

static sn_twist crba_change(const sn_dynamics* d, int32_t body) {
    const sni_fast* fast = fast_of(d);
    sn_mat3 R = fast->kernel->motion(fast->memory, body, false).R;
    sn_twist t = ((const crba_memory*)d->algorithm)->change[body];
    return sn_twist_make(sn_mat3_apply_transposed(R, t.w), sn_mat3_apply_transposed(R, t.v));
}

static void crba_place(const sn_dynamics* d) { sni_fast_place(d, fast_of(d)); }
static sn_pose crba_pose(const sn_dynamics* d, int32_t body) {
    return sni_fast_pose(d, fast_of(d), body);
}
static sn_twist crba_velocity(const sn_dynamics* d, int32_t body) {
    return sni_fast_velocity(d, fast_of(d), body);
}
static sn_twist crba_acceleration(const sn_dynamics* d, int32_t body) {
    return sni_fast_acceleration(d, fast_of(d), body);
}

static void crba_impulse(sn_dynamics* d, const double* tau, const sn_body_wrench* impulses,
                         int count, double* dv) {
    const sn_model* model = d->model;
    const sni_fast* fast = fast_of(d);
    for (int32_t k = 0; k < model->nv; k++) dv[k] = tau ? tau[k] : 0;
    for (int w = 0; w < count; w++) { // J' f: climb with the wrench
        int32_t body = impulses[w].body.i;
        sn_mat3 R = fast->kernel->motion(fast->memory, body, false).R;
        sn_wrench f = sni_wrench_from_user(d, body, impulses[w].wrench);
        f = sn_wrench_make(sn_mat3_apply(R, f.n), sn_mat3_apply(R, f.f));
        for (int32_t i = body; i >= 0; i = model->joint[i].parent) {
            const sni_joint* joint = &model->joint[i];
            for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++)
                dv[k] += sn_power(f, fast->S[k]);
            f.n = sn_vec3_add(f.n, sn_vec3_cross(fast->r[i], f.f));
        }
    }
    zero_locked(d, dv);
    solve(d->algorithm, dv);
    propagate(d, dv);
}

const sni_dynamics_ops sni_crba = {
    .name = "crba",
    .check = crba_check,
    .layout = crba_layout,
    .start = crba_start,
    .kinematics = crba_kinematics,
    .forward = crba_forward,
    .inverse = crba_inverse,
    .mass_matrix = crba_mass_matrix,
    .impulse = crba_impulse,
    .change = crba_change,
    .fast = crba_fast,
    .place = crba_place,
    .pose = crba_pose,
    .velocity = crba_velocity,
    .acceleration = crba_acceleration,
};
