// SPDX-License-Identifier: Apache-2.0
// Forward dynamics by divide and conquer over the assembly tree with every joint active.   [F99; MR07]
//
// On one core it costs a few times the articulated-body algorithm; what it gives for that is a
// structure in which any body is O(log n) away from all others (response, touch).
#include "dynamics/disparity.h"
#include "dynamics/tree_dynamics.h"

static void dca_layout(sn_dynamics* d, sni_arena* arena) {
    sni_tree_dynamics* m = SN_ARENA_ARRAY(arena, sni_tree_dynamics, 1);
    sni_tree_dynamics sized = {0};
    for (int32_t n = 0; n < d->tree->count; n++)
        sized.active_most += d->tree->node[n].kind != SNI_NODE_LEAF;
    sni_tree_dynamics_layout(&sized, d, arena);
    if (m) *m = sized;
    d->algorithm = m;
}

static void dca_kinematics(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    m->kernel->move(&m->region, d->q, d->v);
    m->by_inverse = false;
}

/// Locks and armatures may have changed since the last time.
static void update_hinges(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    if (m->version == d->version) return;
    m->version = d->version;
    for (int32_t k = 0; k < m->region.hinge_count; k++)
        sni_hinge_update(&m->region.hinge[k], d->model, d->locked, d->armature);
}

static void push_lumps(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    sni_region* region = &m->region;
    if (m->pushed)
        for (int32_t k = 0; k < region->lump_count; k++) region->lump[k].F = sn_wrench_zero();
    m->pushed = d->wrenches.count > 0;
    for (int32_t k = 0; k < d->wrenches.count; k++) {
        int32_t body = d->wrenches.body[k];
        sn_mat3 R = region->X_wb[body].R;
        sn_wrench f_w = sni_external_wrench(d, k, R);
        region->lump[region->part[d->tree->leaf_of[body]].index].F =
            sn_wrench_make(sn_mat3_apply_transposed(R, f_w.n), sn_mat3_apply_transposed(R, f_w.f));
    }
}

// Iterative refinement: what inverse dynamics says is missing is solved for and added.
static void refine(sn_dynamics* d, const double* tau, double* qdd) {
    sni_tree_dynamics* m = sni_tree_of(d);
    double* missing = d->rate;
    sni_tree_inverse(d, qdd, true, missing);
    for (int32_t k = 0; k < d->model->nv; k++) missing[k] = (tau ? tau[k] : 0) - missing[k];
    sni_tree_impulse(d, missing, NULL, 0, missing);
    for (int32_t k = 0; k < d->model->nv; k++) m->qdd[k] = qdd[k] += missing[k];
    m->by_inverse = m->accelerated = false;
}

static sn_status dca_forward(sn_dynamics* d, const double* tau, double* qdd) {
    update_hinges(d);
    push_lumps(d);
    sn_status status = sni_tree_forward(d, tau, qdd);
    if (status || d->disparity <= SNI_DISPARITY_NONE) return status;
    for (int k = d->disparity > SNI_DISPARITY_WARN ? 3 : 1; k > 0; k--) refine(d, tau, qdd);
    return SN_OK;
}

const sni_dynamics_ops sni_dca = {
    .name = "dca",
    .inverts = true,
    .prepare = sni_tree_prepare,
    .layout = dca_layout,
    .start = sni_tree_fill_region,
    .kinematics = dca_kinematics,
    .forward = dca_forward,
    .inverse = sni_tree_inverse,
    .mass_matrix = sni_tree_mass_matrix,
    .impulse = sni_tree_impulse,
    .change = sni_tree_change,
    .response = sni_tree_response,
    .touch = sni_tree_touch,
    .pose = sni_tree_pose,
    .velocity = sni_tree_velocity,
    .acceleration = sni_tree_acceleration,
    .quick_acceleration = sni_tree_quick_acceleration,
};
