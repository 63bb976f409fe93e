// SPDX-License-Identifier: Apache-2.0
// Forward dynamics by articulated bodies, on the fastest kernel of this machine ("aba") or on portable
// code ("aba-scalar").
#include "dynamics/fast.h"

static void aba_layout_with(sn_dynamics* d, sni_arena* arena, const sni_kernel* kernel) {
    sni_fast* fast = SN_ARENA_ARRAY(arena, sni_fast, 1);
    sni_fast sized = {0};
    sni_fast_layout(&sized, kernel, d->model, arena);
    if (fast) *fast = sized;
    d->algorithm = fast;
}

static void aba_layout(sn_dynamics* d, sni_arena* arena) {
    aba_layout_with(d, arena, sni_kernel_pick());
}

static void aba_scalar_layout(sn_dynamics* d, sni_arena* arena) {
    aba_layout_with(d, arena, &sni_kernel_scalar);
}

static void aba_start(sn_dynamics* d) {
    const sni_fast* fast = d->algorithm;
    fast->kernel->prepare(d->model, fast->memory);
}

static void aba_kinematics(sn_dynamics* d) { sni_fast_kinematics(d, d->algorithm); }

static sn_status aba_forward(sn_dynamics* d, const double* tau, double* qdd) {
    sni_fast* fast = d->algorithm;
    sni_fast_load(d, fast);
    if (!fast->kernel->backward(d->model, fast->memory, tau, d->armature, d->locked))
        return SN_ERR_NUMERIC;
    fast->kernel->accelerate(d->model, fast->memory, qdd);
    fast->solved = true;
    return SN_OK;
}

static void aba_inverse(sn_dynamics* d, const double* qdd, bool moving, double* tau) {
    sni_fast_inverse(d, d->algorithm, qdd, moving, tau);
}

static void aba_mass_matrix(sn_dynamics* d, const sni_rows* rows) {
    sni_fast_mass_matrix(d, d->algorithm, rows);
}

static void aba_impulse(sn_dynamics* d, const double* tau, const sn_body_wrench* impulses,
                        int count, double* dv) {
    const sni_fast* fast = d->algorithm;
    for (int k = 0; k < count; k++) {
        int32_t body = impulses[k].body.i;
        sn_mat3 R = fast->kernel->motion(fast->memory, body, false).R;
        sn_wrench f = sni_wrench_from_user(d, body, impulses[k].wrench);
        sn_wrench f_w = sn_wrench_make(sn_mat3_apply(R, f.n), sn_mat3_apply(R, f.f));
        fast->kernel->hit(fast->memory, body, f_w);
    }
    fast->kernel->impulse(d->model, fast->memory, tau, dv);
}

static sn_twist aba_change(const sn_dynamics* d, int32_t body) {
    const sni_fast* fast = d->algorithm;
    sn_mat3 R = fast->kernel->motion(fast->memory, body, false).R;
    sn_twist t = fast->kernel->change(fast->memory, body);
    return sn_twist_make(sn_mat3_apply_transposed(R, t.w), sn_mat3_apply_transposed(R, t.v));
}

static sn_pose aba_pose(const sn_dynamics* d, int32_t body) {
    return sni_fast_pose(d, d->algorithm, body);
}
static sn_twist aba_velocity(const sn_dynamics* d, int32_t body) {
    return sni_fast_velocity(d, d->algorithm, body);
}
static sn_twist aba_acceleration(const sn_dynamics* d, int32_t body) {
    return sni_fast_acceleration(d, d->algorithm, body);
}

#define ABA_OPS(NAME, LAYOUT)                                                                      \
    {                                                                                              \
        .name = NAME, .layout = LAYOUT, .start = aba_start, .kinematics = aba_kinematics,          \
        .forward = aba_forward, .inverse = aba_inverse, .mass_matrix = aba_mass_matrix,            \
        .impulse = aba_impulse, .change = aba_change, .pose = aba_pose, .velocity = aba_velocity,  \
        .acceleration = aba_acceleration,                                                          \
    }

const sni_dynamics_ops sni_aba = ABA_OPS("aba", aba_layout);
const sni_dynamics_ops sni_aba_scalar = ABA_OPS("aba-scalar", aba_scalar_layout);
