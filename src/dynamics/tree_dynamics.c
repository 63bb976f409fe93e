// SPDX-License-Identifier: Apache-2.0
#include "dynamics/tree_dynamics.h"

#include <string.h>

#include "dynamics/tree_adaptive.h"

sn_status sni_tree_prepare(sn_dynamics* d) {
    d->tree = sni_tree_create(d->model);
    return d->tree ? SN_OK : SN_ERR_MEMORY;
}

void sni_tree_dynamics_layout(sni_tree_dynamics* m, sn_dynamics* d, sni_arena* arena) {
    m->kernel = sni_tree_kernel_pick();
    sni_region_layout(&m->region, arena, d->model, m->active_most);
    m->part_of = SN_ARENA_ARRAY(arena, int32_t, d->tree->count);
    sni_climb_layout(&m->climb, arena, d->model, m->active_most);
    d->response_most = d->model->body_count; // more: bodies are listed twice
    m->qdd = SN_ARENA_ARRAY(arena, double, d->model->nv);
    m->touch = SN_ARENA_ARRAY(arena, sn_wrench, d->model->body_count);
    sni_fast_layout(&m->fast, sni_kernel_pick(), d->model, arena);
}

/// Inertia of a leaf: that of its body, or its share of it.
static sni_rigid leaf_inertia(const sn_dynamics* d, int32_t leaf) {
    const sni_tree* tree = d->tree;
    return sni_rigid_scaled(tree->share[leaf], &d->model->inertia[tree->node[leaf].body]);
}

void sni_tree_fill_region(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    sni_region_clear(&m->region, d->model);
    int32_t at = 0; // of the order
    for (int32_t n = 0; n < d->tree->count; n++) {
        const sni_node* node = &d->tree->node[n];
        m->part_of[n] = n;
        if (node->kind == SNI_NODE_LEAF) {
            sni_rigid I = leaf_inertia(d, n);
            sni_region_add_lump(&m->region, d->tree, n, &I, sn_pose_identity());
        } else {
            sni_region_add_active(&m->region, d->tree, n, node->a, node->b, d->locked, d->armature);
        }
    }
    // bodies come parents first, which is all that passing motion on needs here
    for (int32_t i = 0; i < d->model->body_count; i++) m->region.order[at++] = d->tree->node_of[i];
    m->region.order_count = at;
}

int32_t sni_tree_locate(const sn_dynamics* d, int32_t body, sn_pose* X_ug) {
    const sni_tree_dynamics* m = sni_tree_of(d);
    int32_t n = d->tree->leaf_of[body];
    sn_pose X = sn_pose_identity();
    while (m->part_of[n] < 0) {
        int32_t up = d->tree->node[n].parent;
        if (n == d->tree->node[up].b)
            X = sn_pose_mul(sni_frozen_step(&m->adaptive->frozen, d, up), X);
        n = up;
    }
    *X_ug = X;
    return m->part_of[n];
}

sn_status sni_tree_forward(sn_dynamics* d, const double* tau, double* qdd) {
    sni_tree_dynamics* m = sni_tree_of(d);
    sni_load load = {.gravity = d->gravity, .tau = tau, .moving = true, .biased = true};
    if (!m->kernel->factor(&m->region, m->region.flow, &load)) return SN_ERR_NUMERIC;
    m->kernel->spread(&m->region, m->region.flow, &load, m->qdd);
    if (!m->adaptive) memcpy(qdd, m->qdd, (size_t)d->model->nv * sizeof *qdd);
    for (int32_t k = 0; m->adaptive && k < d->awake_count; k++) {
        const sni_joint* joint = &d->model->joint[d->awake[k]];
        for (int32_t i = joint->iv; i < joint->iv + joint->nv; i++) qdd[i] = m->qdd[i];
    }
    m->by_inverse = m->accelerated = false;
    return SN_OK;
}

// ---- impulses and responses ------------------------------------------------------------------------------

void sni_tree_impulse(sn_dynamics* d, const double* tau, const sn_body_wrench* impulses, int count,
                      double* dv) {
    sni_tree_dynamics* m = sni_tree_of(d);
    for (int32_t k = 0; k < m->region.lump_count; k++) m->region.lump[k].F = sn_wrench_zero();
    for (int k = 0; k < count; k++) {
        int32_t body = impulses[k].body.i;
        sn_pose X_ug;
        const sni_part* part = &m->region.part[sni_tree_locate(d, body, &X_ug)];
        if (!part->phi) continue; // held by the ground
        sn_wrench* F = &m->region.lump[part->index].F;
        sn_wrench f = sni_wrench_from_user(d, body, impulses[k].wrench);
        *F = sn_wrench_add(*F, sn_pose_wrench(X_ug, f));
    }
    m->pushed = true;
    sni_load load = {.tau = tau};
    m->kernel->gather(&m->region, m->region.pulse, &load);
    m->kernel->spread(&m->region, m->region.pulse, &load, dv);
}

// The part that hangs on a joint has the child for its u, and more inertia than the body alone: its
// motion is the difference of smaller numbers.
/// Motion of a body in one of the flows; of what the ground holds that of the ground.
static sn_twist motion_in(const sn_dynamics* d, const sni_flow* flow, sn_vec3 ground,
                          int32_t body) {
    const sni_tree_dynamics* m = sni_tree_of(d);
    sn_pose X_ug;
    int32_t u = m->region.part[sni_tree_locate(d, body, &X_ug)].u;
    if (u < 0) return sn_twist_make(sn_vec3_zero(), sn_mat3_apply_transposed(X_ug.R, ground));
    int32_t p = m->region.part[m->part_of[d->tree->node_of[u]]].b;
    return sn_pose_twist_inverse(X_ug, sni_part_motion(&m->region.part[p], &flow[p]));
}

sn_twist sni_tree_change(const sn_dynamics* d, int32_t body) {
    return motion_in(d, sni_tree_of(d)->region.pulse, sn_vec3_zero(), body);
}

/// A climb of the bodies, answers in the axes that `in_user_axes` says.
static void begin_climb(sn_dynamics* d, int count, const sn_body_wrench* wrenches,
                        const sn_body_id* bodies) {
    sni_tree_dynamics* m = sni_tree_of(d);
    m->climb.count = count;
    for (int g = 0; g < count; g++) {
        int32_t body = bodies ? bodies[g].i : wrenches[g].body.i;
        sn_pose X_ug;
        m->climb.part[g] = sni_tree_locate(d, body, &X_ug);
        // a response is wanted in the user's axes
        if (bodies) X_ug.R = sn_mat3_mul(X_ug.R, sn_mat3_transpose(d->model->R_bc[body]));
        m->climb.X_ug[g] = X_ug;
    }
}

void sni_tree_response(sn_dynamics* d, const sn_body_id* bodies, int count, double* Lambda) {
    sni_tree_dynamics* m = sni_tree_of(d);
    begin_climb(d, count, NULL, bodies);
    m->kernel->respond(&m->region, &m->climb, Lambda);
    d->visited = m->climb.visited;
}

void sni_tree_touch(sn_dynamics* d, const sn_body_wrench* wrenches, int count, sn_twist* change) {
    sni_tree_dynamics* m = sni_tree_of(d);
    begin_climb(d, count, wrenches, NULL);
    for (int g = 0; g < count; g++)
        m->touch[g] = sni_wrench_from_user(d, wrenches[g].body.i, wrenches[g].wrench);
    m->pushed = true;
    m->kernel->touch(&m->region, &m->climb, m->touch, change);
    d->visited = m->climb.visited;
}

// ---- what the articulated-body kernels do as well ----------------------------------------------------------

/// The kernel at the state of d. Nothing of it is touched before it is asked for.
static sni_fast* fast_at_state(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    if (!m->fast_began) m->fast.kernel->prepare(d->model, m->fast.memory);
    m->fast_began = true;
    return &m->fast;
}

void sni_tree_inverse(sn_dynamics* d, const double* qdd, bool moving, double* tau) {
    sni_fast_inverse(d, fast_at_state(d), qdd, moving, tau);
    if (!moving) return; // M qdd: what is awake stays so
    d->ops->kinematics(d);
    sni_tree_of(d)->by_inverse = true;
}

void sni_tree_mass_matrix(sn_dynamics* d, const sni_rows* rows) {
    sni_fast* fast = fast_at_state(d);
    sni_fast_kinematics(d, fast);
    sni_fast_mass_matrix(d, fast, rows);
}

// ---- motion ------------------------------------------------------------------------------------------------

/// The arrays hold poses and velocities of all bodies, not only of those on boundaries.
static bool all_are_placed(const sni_tree_dynamics* m) {
    return !m->adaptive || m->adaptive->all_placed;
}

sn_pose sni_tree_pose(const sn_dynamics* d, int32_t body) {
    const sni_tree_dynamics* m = sni_tree_of(d);
    if (all_are_placed(m)) return m->region.X_wb[body];
    sn_pose X_ug;
    const sni_part* part = &m->region.part[sni_tree_locate(d, body, &X_ug)];
    return part->u < 0 ? X_ug : sn_pose_mul(m->region.X_wb[part->u], X_ug);
}

sn_twist sni_tree_velocity(const sn_dynamics* d, int32_t body) {
    const sni_tree_dynamics* m = sni_tree_of(d);
    if (all_are_placed(m)) return m->region.v[body];
    sn_pose X_ug;
    const sni_part* part = &m->region.part[sni_tree_locate(d, body, &X_ug)];
    return part->u < 0 ? sn_twist_zero() : sn_pose_twist_inverse(X_ug, m->region.v[part->u]);
}

sn_twist sni_tree_acceleration(const sn_dynamics* d, int32_t body) {
    sni_tree_dynamics* m = sni_tree_of(d);
    if (m->by_inverse) return sni_fast_acceleration(d, &m->fast, body);
    sn_pose X_ug;
    int32_t u = m->region.part[sni_tree_locate(d, body, &X_ug)].u;
    if (u < 0) return sni_tree_quick_acceleration(d, body); // held by the ground
    if (!m->accelerated) sni_region_accelerate(&m->region, d->gravity, d->q, m->qdd);
    m->accelerated = true;
    return sn_pose_twist_inverse(X_ug, m->region.a[u]);
}

sn_twist sni_tree_quick_acceleration(const sn_dynamics* d, int32_t body) {
    return motion_in(d, sni_tree_of(d)->region.flow, sn_vec3_neg(d->gravity), body);
}

// ---- the tree itself ---------------------------------------------------------------------------------------

int sn_dynamics_tree_size(const sn_dynamics* d) { return d->tree ? d->tree->count : 0; }
int sn_dynamics_tree_depth(const sn_dynamics* d) { return d->tree ? d->tree->depth : 0; }

int sn_dynamics_tree_leaf(const sn_dynamics* d, sn_body_id body) {
    if (!d->tree || body.i < 0 || body.i >= d->model->body_count) return -1;
    return d->tree->leaf_of[body.i];
}

sn_tree_node sn_dynamics_tree_node(const sn_dynamics* d, int n) {
    sn_tree_node r = {.parent = -1, .a = -1, .b = -1, .body = {-1}, .u = {-1}, .d = {-1}};
    if (n < 0 || n >= sn_dynamics_tree_size(d)) return r;
    const sni_tree_dynamics* m = sni_tree_of(d);
    const sni_node* node = &d->tree->node[n];
    int32_t p = m->part_of[n];
    r.kind = (sn_tree_kind)node->kind; // the two lists are the same
    r.parent = node->parent, r.a = node->a, r.b = node->b;
    r.body = sn_body(node->body), r.u = sn_body(node->u), r.d = sn_body(node->d);
    r.joints = node->joints;
    r.active = p >= 0 && m->region.part[p].kind != SNI_NODE_LEAF;
    if (r.kind == SN_TREE_JOINT || r.kind == SN_TREE_GROUND)
        r.active = r.active && sn_dynamics_is_active(d, r.body);
    r.inside = p < 0;
    return r;
}
