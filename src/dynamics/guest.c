// SPDX-License-Identifier: Apache-2.0
#include "dynamics/guest.h"

#include <stdlib.h>
#include <string.h>

#include "base/guest.h"
#include "dynamics/aba.h"
#include "dynamics/fast.h"

sn_status sni_dynamics_module_check(const sn_dynamics_module* table, sn_error* error) {
    if (!table) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "no dynamics module given");
    const sni_guest_function functions[] = {
        {"create", table->create},
        {"free", table->free},
        {"forward", table->forward},
        {"impulse", table->impulse},
    };
    enum { COUNT = sizeof functions / sizeof functions[0] };
    return sni_guest_check("dynamics", table->name, functions, COUNT, error);
}

// ---- what is asked of the guest -------------------------------------------------------------------------

static bool all_finite(const double* x, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        if (!isfinite(x[k])) return false;
    return true;
}

/// Its answer x, of nv numbers, goes on when it is one; otherwise zeros do, and the trouble is kept.
static sn_status look_at(sn_dynamics* d, sn_status status, double* x) {
    int32_t nv = d->model->nv;
    if (!status && !all_finite(x, nv)) status = SN_ERR_NUMERIC;
    if (!status) return SN_OK;
    memset(x, 0, (size_t)nv * sizeof *x);
    d->trouble = status;
    return status;
}

static sn_wrench in_body_axes(const sn_dynamics* d, int32_t k) {
    const sni_wrench_set* set = &d->wrenches;
    bool world = set->axes[k] == SN_AXES_WORLD;
    sn_wrench turning = sni_turning_wrench(d, k), f = world ? set->wrench[k] : sn_wrench_zero();
    if (!world && !set->field) return turning;
    if (set->field) f = sn_wrench_add(f, set->field[set->body[k]]);
    sn_mat3 R_wb = sni_aba_user_axes(d, d->wrenches.body[k]);
    f = sn_wrench_make(sn_mat3_apply_transposed(R_wb, f.n), sn_mat3_apply_transposed(R_wb, f.f));
    return sn_wrench_add(f, turning);
}

static sn_status guest_forward(sn_dynamics* d, const double* tau, double* qdd) {
    sni_dynamics_guest* guest = d->guest;
    guest->spread = false;
    memset(guest->dv, 0, (size_t)d->model->nv * sizeof *guest->dv);
    for (int32_t k = 0; k < d->wrenches.count; k++)
        guest->wrench[k] = (sn_body_wrench){sn_body(d->wrenches.body[k]), in_body_axes(d, k)};
    sn_dynamics_input input = {.q = d->q,
                               .v = d->v,
                               .tau = tau ? tau : guest->dv,
                               .armature = d->armature,
                               .locked = d->locked,
                               .gravity = d->gravity,
                               .wrenches = guest->wrench,
                               .wrench_count = d->wrenches.count};
    sn_status status = guest->table.forward(guest->table.context, guest->memory, &input, qdd);
    status = look_at(d, status, qdd);
    if (status) return status;
    d->ops->inverse(d, qdd, true, guest->dv); // for the accelerations of the bodies
    return SN_OK;
}

static void guest_impulse(sn_dynamics* d, const double* tau, const sn_body_wrench* impulses,
                          int count, double* dv) {
    sni_dynamics_guest* guest = d->guest;
    sn_status status =
        guest->table.impulse(guest->table.context, guest->memory, tau, impulses, count, dv);
    (void)look_at(d, status, dv); // kept in d->trouble
    memcpy(guest->dv, dv, (size_t)d->model->nv * sizeof *dv);
    guest->spread = false;
}

/// J dv in world axes: only the lever arm to the parent changes a velocity on its way.
static void spread(const sn_dynamics* d, const sni_fast* fast, const double* dv, sn_twist* change) {
    for (int32_t i = 0; i < d->model->body_count; i++) {
        const sni_joint* joint = &d->model->joint[i];
        sn_twist at = sn_twist_zero();
        if (joint->parent >= 0) {
            at = change[joint->parent];
            sn_vec3 r = fast->kernel->motion(fast->memory, i, false).r;
            at.v = sn_vec3_add(at.v, sn_vec3_cross(at.w, r));
        }
        for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++)
            at = sn_twist_add(
                at, sn_twist_scale(dv[k], fast->kernel->axis(d->model, fast->memory, i, k)));
        change[i] = at;
    }
}

static sn_twist guest_change(const sn_dynamics* d, int32_t body) {
    sni_dynamics_guest* guest = d->guest;
    const sni_fast* fast = d->ops->fast(d);
    if (!guest->spread) spread(d, fast, guest->dv, guest->change);
    guest->spread = true;
    sn_mat3 R = fast->kernel->motion(fast->memory, body, false).R;
    sn_twist t = guest->change[body];
    return sn_twist_make(sn_mat3_apply_transposed(R, t.w), sn_mat3_apply_transposed(R, t.v));
}

// ---- creation -------------------------------------------------------------------------------------------

static void guest_layout(sn_dynamics* d, sni_arena* arena) {
    sni_dynamics_guest* guest = d->guest;
    sni_aba.layout(d, arena);
    guest->wrench = SN_ARENA_ARRAY(arena, sn_body_wrench, d->model->body_count);
    guest->dv = SN_ARENA_ARRAY(arena, double, d->model->nv);
    guest->change = SN_ARENA_ARRAY(arena, sn_twist, d->model->body_count);
}

sn_status sni_dynamics_guest_create(const sn_model* model, const sn_dynamics_module* table,
                                    sni_dynamics_guest** out, sn_error* error) {
    sn_error said = {0};
    *out = NULL;
    sni_dynamics_guest* guest = calloc(1, sizeof *guest);
    if (!guest) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    guest->table = *table;
    guest->ops = sni_aba;
    guest->ops.name = table->name;
    guest->ops.layout = guest_layout;
    guest->ops.forward = guest_forward;
    guest->ops.impulse = guest_impulse;
    guest->ops.change = guest_change;
    guest->ops.response = NULL; // by impulses
    sn_status status = table->create(table->context, model, &guest->memory, &said);
    if (status) {
        free(guest);
        return sni_guest_refused("dynamics", table->name, status, &said, error);
    }
    *out = guest;
    return SN_OK;
}

void sni_dynamics_guest_free(sni_dynamics_guest* guest) {
    if (!guest) return;
    guest->table.free(guest->table.context, guest->memory);
    free(guest);
}
