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
    set->pull[k] = set->pull[last];
    set->slot[set->body[k]] = k + 1;
}

/// The entry of a body, a new one when it has none.
static int32_t entry_of(sni_wrench_set* set, int32_t body) {
    if (set->slot[body]) return set->slot[body] - 1;
    int32_t k = set->count++;
    set->slot[body] = k + 1;
    set->body[k] = body;
    set->axes[k] = SN_AXES_BODY;
    set->wrench[k] = set->pull[k] = sn_wrench_zero();
    return k;
}

static sn_status check(const sn_dynamics* d, sn_body_id body, sn_wrench wrench) {
    if (!d || body.i < 0 || body.i >= d->model->body_count) return SN_ERR_ARGUMENT;
    return is_finite(wrench) ? SN_OK : SN_ERR_NUMERIC;
}

/// Entry k has changed.
static void changed(sn_dynamics* d, int32_t k) {
    sni_wrench_set* set = &d->wrenches;
    int32_t body = set->body[k];
    if (is_zero(set->wrench[k]) && is_zero(set->pull[k]) && !set->field) take_out(set, k);
    if (d->ops->push) d->ops->push(d, body);
}

sn_status sn_dynamics_set_wrench(sn_dynamics* d, sn_body_id body, sn_axes axes, sn_wrench wrench) {
    sn_status status = check(d, body, wrench);
    if (status) return status;
    if (axes != SN_AXES_BODY && axes != SN_AXES_WORLD) return SN_ERR_ARGUMENT;
    sni_wrench_set* set = &d->wrenches;
    if (is_zero(wrench) && !set->slot[body.i]) return SN_OK;
    int32_t k = entry_of(set, body.i);
    set->axes[k] = axes;
    set->wrench[k] = wrench;
    changed(d, k);
    return SN_OK;
}

sn_status sn_dynamics_set_pull(sn_dynamics* d, sn_body_id body, sn_wrench wrench) {
    sn_status status = check(d, body, wrench);
    if (status) return status;
    sni_wrench_set* set = &d->wrenches;
    if (is_zero(wrench) && !set->slot[body.i]) return SN_OK;
    int32_t k = entry_of(set, body.i);
    set->pull[k] = wrench;
    changed(d, k);
    return SN_OK;
}

/// Every body has an entry while there is a field; afterwards those with a wrench of their own.
static void list_bodies(sni_wrench_set* set, int32_t body_count, bool all) {
    for (int32_t i = 0; i < body_count; i++) {
        int32_t k = all ? entry_of(set, i) : set->slot[i] - 1;
        if (!all && k >= 0 && is_zero(set->wrench[k]) && is_zero(set->pull[k])) take_out(set, k);
    }
}

void sn_dynamics_clear_wrenches(sn_dynamics* d) {
    while (d->wrenches.count > 0) {
        int32_t body = d->wrenches.body[d->wrenches.count - 1];
        take_out(&d->wrenches, d->wrenches.count - 1);
        if (d->ops->push) d->ops->push(d, body);
    }
    if (d->wrenches.field) list_bodies(&d->wrenches, d->model->body_count, true);
}

sn_wrench sni_turning_wrench(const sn_dynamics* d, int32_t k) {
    const sni_wrench_set* set = &d->wrenches;
    if (set->axes[k] == SN_AXES_WORLD) return set->pull[k];
    return sn_wrench_add(set->wrench[k], set->pull[k]);
}

sn_status sni_set_field(sn_dynamics* d, const sn_wrench* wrench_w) {
    for (int32_t i = 0; wrench_w && i < d->model->body_count; i++)
        if (!is_finite(wrench_w[i])) return SN_ERR_NUMERIC;
    if (!wrench_w != !d->wrenches.field)
        list_bodies(&d->wrenches, d->model->body_count, wrench_w != NULL);
    d->wrenches.field = wrench_w;
    if (d->ops->push_all) d->ops->push_all(d);
    return SN_OK;
}

sn_wrench sni_external_wrench(const sn_dynamics* d, int32_t k, sn_mat3 R_wb) {
    const sni_wrench_set* set = &d->wrenches;
    sn_wrench f = sni_wrench_from_user(d, set->body[k], sni_turning_wrench(d, k));
    f = sn_wrench_make(sn_mat3_apply(R_wb, f.n), sn_mat3_apply(R_wb, f.f));
    if (set->axes[k] == SN_AXES_WORLD) f = sn_wrench_add(set->wrench[k], f);
    return set->field ? sn_wrench_add(f, set->field[set->body[k]]) : f;
}
