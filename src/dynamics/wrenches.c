// SPDX-License-Identifier: Apache-2.0
// External wrenches: set once, act until changed; only bodies that have one cost anything.
#include <string.h>

#include "dynamics/sn_dynamics.h"

static bool is_zero(sn_wrench f) {
    return f.n.x == 0 && f.n.y == 0 && f.n.z == 0 && f.f.x == 0 && f.f.y == 0 && f.f.z == 0;
}

static bool is_finite(sn_wrench f) {
    return isfinite(f.n.x) && isfinite(f.n.y) && isfinite(f.n.z) && isfinite(f.f.x) &&
           isfinite(f.f.y) && isfinite(f.f.z);
}

/// Takes entry k out by moving the last one into its place.
static void take_out(sni_wrench_set* set, int32_t k) {
    int32_t last = --set->count;
    set->slot[set->body[k]] = 0;
    if (k == last) return;
    set->body[k] = set->body[last];
    set->axes[k] = set->axes[last];
    set->wrench[k] = set->wrench[last];
    set->slot[set->body[k]] = k + 1;
}

sn_status sn_dynamics_set_wrench(sn_dynamics* d, sn_body_id body, sn_axes axes, sn_wrench wrench) {
    if (!d || body.i < 0 || body.i >= d->model->body_count) return SN_ERR_ARGUMENT;
    if (axes != SN_AXES_BODY && axes != SN_AXES_WORLD) return SN_ERR_ARGUMENT;
    if (!is_finite(wrench)) return SN_ERR_NUMERIC;
    sni_wrench_set* set = &d->wrenches;
    int32_t k = set->slot[body.i] - 1;
    if (is_zero(wrench)) {
        if (k < 0) return SN_OK;
        take_out(set, k);
        if (d->ops->push) d->ops->push(d, body.i);
        return SN_OK;
    }
    if (k < 0) {
        k = set->count++;
        set->slot[body.i] = k + 1;
        set->body[k] = body.i;
    }
    set->axes[k] = axes;
    set->wrench[k] = wrench;
    if (d->ops->push) d->ops->push(d, body.i);
    return SN_OK;
}

void sn_dynamics_clear_wrenches(sn_dynamics* d) {
    while (d->wrenches.count > 0) {
        int32_t body = d->wrenches.body[d->wrenches.count - 1];
        take_out(&d->wrenches, d->wrenches.count - 1);
        if (d->ops->push) d->ops->push(d, body);
    }
}

sn_wrench sni_external_wrench(const sn_dynamics* d, int32_t k, sn_mat3 R_wb) {
    sn_wrench f = d->wrenches.wrench[k];
    if (d->wrenches.axes[k] == SN_AXES_WORLD) return f;
    f = sni_wrench_from_user(d, d->wrenches.body[k], f);
    return sn_wrench_make(sn_mat3_apply(R_wb, f.n), sn_mat3_apply(R_wb, f.f));
}
