// SPDX-License-Identifier: Apache-2.0
// Adaptive dynamics: forward dynamics with only some joints active, and the change from one such region to
// another.   [RGL05; MR07]
#include "dynamics/tree_adaptive.h"

#include <math.h>
#include <string.h>

// ---- memory ---------------------------------------------------------------------------------------------------

static void adaptive_layout(sn_dynamics* d, sni_arena* arena) {
    int32_t inner = 0, nodes = d->tree->count, n = d->model->body_count;
    for (int32_t k = 0; k < nodes; k++) inner += d->tree->node[k].kind != SNI_NODE_LEAF;
    int32_t most = inner < SNI_ACTIVE_MOST ? inner : SNI_ACTIVE_MOST;
    size_t parts = 2 * (size_t)most + 1;
    sni_tree_dynamics* m = SN_ARENA_ARRAY(arena, sni_tree_dynamics, 1);
    sni_tree_dynamics sized = {.active_most = most};
    sni_tree_dynamics_layout(&sized, d, arena);
    sni_adaptive* a = sized.adaptive = SN_ARENA_ARRAY(arena, sni_adaptive, 1);
    sni_adaptive own = {0};
    sni_frozen_layout(&own.frozen, arena, d);
    own.held = SN_ARENA_ARRAY(arena, bool, n);
    own.chosen = SN_ARENA_ARRAY(arena, uint32_t, nodes);
    own.held_in = SN_ARENA_ARRAY(arena, uint32_t, nodes);
    own.active_in = SN_ARENA_ARRAY(arena, uint32_t, nodes);
    own.moved = SN_ARENA_ARRAY(arena, int32_t, n);
    own.journal.capacity = nodes / 8 + 64;
    own.journal.node = SN_ARENA_ARRAY(arena, int32_t, own.journal.capacity);
    own.forced = SN_ARENA_ARRAY(arena, uint32_t, nodes);
    own.quiet = SN_ARENA_ARRAY(arena, uint8_t, nodes);
    own.wanted = SN_ARENA_ARRAY(arena, bool, n);
    own.wanted_list = SN_ARENA_ARRAY(arena, int32_t, n);
    own.candidate = SN_ARENA_ARRAY(arena, sni_candidate, parts + 1);
    own.heap = SN_ARENA_ARRAY(arena, int32_t, parts + 1);
    own.working = SN_ARENA_ARRAY(arena, sni_whole, parts);
    own.moment = SN_ARENA_ARRAY(arena, sni_moment, parts);
    own.view = SN_ARENA_ARRAY(arena, sni_view, parts);
    own.velocity_metric = SN_ARENA_ARRAY(arena, double, parts);
    own.stale = SN_ARENA_ARRAY(arena, int32_t, n);
    own.is_stale = SN_ARENA_ARRAY(arena, bool, n);
    if (a) *a = own;
    if (m) *m = sized;
    d->algorithm = m;
}

static void adaptive_start(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    m->adaptive->options = sn_adaptivity_default();
    sni_frozen_start(&m->adaptive->frozen, d);
    for (int32_t k = 0; k < d->model->nv; k++) m->adaptive->frozen.weight[k] = 1;
    m->adaptive->weights_due = true;
    for (int32_t n = 0; n < d->tree->count; n++) m->part_of[n] = -1;
}

static bool is_marked(const sni_adaptive* a, int32_t node) { return a->chosen[node] == a->stamp; }

/// Nothing is limited, and there is room for everything.
static bool all_may_be_active(const sn_dynamics* d) {
    const sni_tree_dynamics* m = sni_tree_of(d);
    const sn_adaptivity* options = &m->adaptive->options;
    bool unlimited = options->max_active < 0 || options->max_active >= d->model->body_count;
    return unlimited && options->threshold <= 0 && m->active_most < SNI_ACTIVE_MOST;
}

// ---- the region ------------------------------------------------------------------------------------------------

static void note_change(sni_adaptive* a, int32_t node) {
    a->journal.node[a->journal.written++ % (uint64_t)a->journal.capacity] = node;
}

/// Adds the part of a node, and below it what is marked; returns the part.
static int32_t add_node(sn_dynamics* d, int32_t n) {
    sni_tree_dynamics* m = sni_tree_of(d);
    sni_adaptive* a = m->adaptive;
    const sni_node* node = &d->tree->node[n];
    if (!is_marked(a, n)) {
        sni_rigid I = {0};
        sn_pose X_ud = sn_pose_identity();
        sni_frozen_body(&a->frozen, d, n, &I, &X_ud);
        int32_t p = m->part_of[n] = sni_region_add_lump(&m->region, d->tree, n, &I, X_ud);
        if (node->d >= 0) m->region.order[m->region.order_count++] = p;
        return p;
    }
    if (node->kind == SNI_NODE_JOINT || node->kind == SNI_NODE_GROUND)
        a->held[node->body] = d->locked[node->body] || a->held_in[n] == a->stamp;
    int32_t part_a = node->a >= 0 ? add_node(d, node->a) : -1;
    int32_t place = m->region.order_count++;
    int32_t part_b = add_node(d, node->b);
    int32_t p = m->part_of[n] =
        sni_region_add_active(&m->region, d->tree, n, part_a, part_b, a->held, d->armature);
    m->region.order[place] = p;
    if (a->active_in[n] != a->version - 1) note_change(a, n);
    a->active_in[n] = a->version;
    if (node->kind == SNI_NODE_JOINT || node->kind == SNI_NODE_GROUND) {
        if (a->held[node->body]) note_change(a, n); // it may have moved until now
        a->active += !a->held[node->body];
        if (!a->held[node->body]) d->awake[d->awake_count++] = node->body;
    }
    return p;
}

void sni_build_region(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    for (int32_t p = 0; p < m->region.count; p++) m->part_of[m->region.part[p].node] = -1;
    sni_region_clear(&m->region, d->model);
    m->adaptive->active = 0;
    m->adaptive->version++;
    m->adaptive->all_placed = false;
    d->awake_count = 0;
    if (d->tree->count > 0) add_node(d, d->tree->count - 1);
}

/// Renews what was active and is not marked: from now on it is rigid.
static void freeze_unmarked(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    for (int32_t p = 0; p < m->region.count; p++) {
        const sni_part* part = &m->region.part[p];
        if (part->kind == SNI_NODE_LEAF || is_marked(m->adaptive, part->node)) continue;
        sni_frozen_renew(&m->adaptive->frozen, d, part->node);
        note_change(m->adaptive, part->node);
    }
}

// ---- stopping joints ---------------------------------------------------------------------------------------------

/// Velocity of a joint as a twist in its child's frame.
static sn_twist joint_velocity(const sn_dynamics* d, int32_t joint) {
    const sni_joint* on = &d->model->joint[joint];
    sn_twist S[SN_JOINT_MAX_NV], sum = sn_twist_zero();
    sni_joint_subspace(on, d->q + on->iq, S);
    for (int k = 0; k < on->nv; k++)
        sum = sn_twist_add(sum, sn_twist_scale(d->v[on->iv + k], S[k]));
    return sum;
}

// Joints to be stopped are locked and their relative velocity is taken away: c = -S v. The others answer;
// momentum is kept, and kinetic energy lost is that of the change.
void sni_stop_unmarked(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    sni_adaptive* a = m->adaptive;
    bool any = false;
    for (int32_t p = 0; p < m->region.count; p++) {
        const sni_part* part = &m->region.part[p];
        if (part->kind != SNI_NODE_JOINT && part->kind != SNI_NODE_GROUND) continue;
        int32_t joint = m->region.hinge[part->index].joint;
        bool stop = !is_marked(a, part->node) || d->locked[joint];
        a->held[joint] = stop;
        for (int32_t k = 0; stop && k < d->model->joint[joint].nv; k++)
            any |= d->v[d->model->joint[joint].iv + k] != 0;
    }
    if (!any) return;
    for (int32_t k = 0; k < m->region.hinge_count; k++) {
        sni_hinge* h = &m->region.hinge[k];
        if (h->joint < 0) continue;
        sni_hinge_update(h, d->model, a->held, d->model->dof.armature);
        h->c =
            a->held[h->joint] ? sn_twist_scale(-1, joint_velocity(d, h->joint)) : sn_twist_zero();
    }
    for (int32_t k = 0; k < m->region.lump_count; k++) m->region.lump[k].F = sn_wrench_zero();
    sni_load load = {.biased = true};
    if (!m->kernel->factor(&m->region, m->region.pulse, &load)) return;
    m->kernel->spread(&m->region, m->region.pulse, &load, d->rate);
    for (int32_t p = 0; p < m->region.count; p++) {
        const sni_part* part = &m->region.part[p];
        if (part->kind != SNI_NODE_JOINT && part->kind != SNI_NODE_GROUND) continue;
        int32_t joint = m->region.hinge[part->index].joint;
        const sni_joint* on = &d->model->joint[joint];
        for (int32_t k = on->iv; k < on->iv + on->nv; k++)
            d->v[k] = a->held[joint] ? 0 : d->v[k] + d->rate[k];
    }
}

// ---- state -------------------------------------------------------------------------------------------------------

/// Poses and velocities of all bodies, from nothing but the state.
static void adaptive_kinematics(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    sni_region* region = &m->region;
    for (int32_t i = 0; i < d->model->body_count; i++) {
        const sni_joint* joint = &d->model->joint[i];
        sn_pose X = sn_pose_mul(joint->X_pj, sni_joint_pose(joint, d->q + joint->iq));
        int32_t p = joint->parent;
        sn_twist carried = p < 0 ? sn_twist_zero() : sn_pose_twist_inverse(X, region->v[p]);
        region->X_wb[i] = p < 0 ? X : sn_pose_mul(region->X_wb[p], X);
        region->v[i] = sn_twist_add(carried, joint_velocity(d, i));
        d->awake[i] = i;
    }
    d->awake_count = d->model->body_count;
    m->adaptive->all_placed = true;
    m->adaptive->reset_due = true;
    m->by_inverse = false;
}

/// The region of joints that move, all others rigid: what there is to choose from.
static sn_status reset(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    sni_adaptive* a = m->adaptive;
    sni_weigh(d);
    sni_choose_moving(d);
    int32_t marked = 0;
    for (int32_t n = 0; n < d->tree->count; n++) marked += is_marked(a, n);
    if (marked > m->active_most) return SN_ERR_CAPACITY;
    for (int32_t n = 0; n < d->tree->count; n++)
        if (!is_marked(a, n)) sni_frozen_renew(&a->frozen, d, n);
    sni_build_region(d);
    m->kernel->move(&m->region, d->q, d->v);
    a->reset_due = false;
    a->stale_count = 0;
    memset(a->is_stale, 0, (size_t)d->model->body_count * sizeof *a->is_stale);
    a->all_stale = false;
    memset(a->quiet, SNI_QUIET, (size_t)d->tree->count * sizeof *a->quiet); // the past is forgotten
    a->journal.written += (uint64_t)a->journal.capacity + 1; // everything may have changed
    return SN_OK;
}

/// The joint force or the wrench of a body changed.
static void mark_stale(sn_dynamics* d, int32_t body) {
    sni_adaptive* a = sni_adaptive_of(d);
    if (a->is_stale[body]) return;
    a->is_stale[body] = true;
    a->stale[a->stale_count++] = body;
}

/// Renews wholes above bodies whose wrench or joint force changed; those in world axes change always.
static void renew_stale(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    sni_adaptive* a = m->adaptive;
    for (int32_t k = 0; k < d->wrenches.count && !d->wrenches.field; k++)
        if (d->wrenches.axes[k] == SN_AXES_WORLD) mark_stale(d, d->wrenches.body[k]);
    a->all_stale = a->all_stale || d->wrenches.field; // they are others in every step
    if (a->all_stale) {
        for (int32_t n = 0; n < d->tree->count; n++) {
            int32_t up = n;
            while (up >= 0 && m->part_of[up] < 0) up = d->tree->node[up].parent;
            bool rigid = up >= 0 && m->region.part[m->part_of[up]].kind == SNI_NODE_LEAF;
            if (rigid && d->tree->node[n].kind != SNI_NODE_LEAF)
                sni_frozen_renew_whole(&a->frozen, d, n);
        }
    }
    for (int32_t k = 0; k < a->stale_count; k++) {
        int32_t body = a->stale[k];
        a->is_stale[body] = false;
        const int32_t from[2] = {d->tree->leaf_of[body], d->tree->node_of[body]};
        for (int i = 0; i < 2 && !a->all_stale; i++) {
            for (int32_t n = from[i]; n >= 0; n = d->tree->node[n].parent) {
                int32_t p = m->part_of[n];
                if (p >= 0 && m->region.part[p].kind != SNI_NODE_LEAF) break; // active from here on
                if (d->tree->node[n].kind != SNI_NODE_LEAF)
                    sni_frozen_renew_whole(&a->frozen, d, n);
            }
        }
    }
    a->stale_count = 0;
    a->all_stale = false;
}

static void mark_all(sn_dynamics* d) {
    sni_adaptive* a = sni_adaptive_of(d);
    a->stamp++;
    for (int32_t n = 0; n < d->tree->count; n++)
        if (d->tree->node[n].kind != SNI_NODE_LEAF) a->chosen[n] = a->stamp;
    a->error2 = 0;
    a->total_due = true; // nothing was looked at
}

/// The metric of accelerations that are all there is.
static void sum_total(sn_dynamics* d, const double* qdd) {
    sni_adaptive* a = sni_adaptive_of(d);
    a->total_due = false;
    a->total2 = 0;
    for (int32_t k = 0; k < d->awake_count; k++) {
        const sni_joint* joint = &d->model->joint[d->awake[k]];
        for (int32_t i = joint->iv; i < joint->iv + joint->nv; i++)
            a->total2 += a->frozen.weight[i] * qdd[i] * qdd[i];
    }
}

/// Moving joints that are not marked stay in the region, held: they keep their velocity.
static sn_status hold_unmarked(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    sni_adaptive* a = m->adaptive;
    for (int32_t p = 0; p < m->region.count; p++) {
        const sni_part* part = &m->region.part[p];
        if (part->kind == SNI_NODE_LEAF || is_marked(a, part->node)) continue;
        a->chosen[part->node] = a->held_in[part->node] = a->stamp;
    }
    int32_t marked = 0; // those that were chosen and those that move may be too many together
    for (int32_t n = 0; n < d->tree->count; n++) marked += is_marked(a, n);
    a->reset_due = marked > m->active_most;
    return a->reset_due ? SN_ERR_CAPACITY : SN_OK;
}

/// Joint forces of some joints.
static void take_forces(sn_dynamics* d, const int32_t* joints, int32_t count, const double* tau) {
    sni_adaptive* a = sni_adaptive_of(d);
    for (int32_t k = 0; k < count; k++) {
        const sni_joint* joint = &d->model->joint[joints[k]];
        for (int32_t i = joint->iv; i < joint->iv + joint->nv; i++) a->frozen.tau[i] = tau[i];
    }
}

/// Stops what is not marked; v and joint forces of all joints of the region may change with it.
static void stop_unmarked(sn_dynamics* d, const double* tau, double* v, const sni_forces* forces) {
    sni_tree_dynamics* m = sni_tree_of(d);
    int32_t* joints = m->adaptive->moved;
    int32_t count = 0;
    sni_stop_unmarked(d);
    for (int32_t k = 0; k < m->region.hinge_count; k++) {
        if (m->region.hinge[k].joint < 0) continue;
        const sni_joint* joint = &d->model->joint[m->region.hinge[k].joint];
        joints[count++] = m->region.hinge[k].joint;
        for (int32_t i = joint->iv; i < joint->iv + joint->nv; i++) v[i] = d->v[i];
    }
    if (!forces) return;
    forces->compute(forces->context, joints, count);
    take_forces(d, joints, count, tau);
}

/// v NULL: joints that leave the region keep their velocity, held.
static sn_status adaptive_update(sn_dynamics* d, const double* tau, double* v,
                                 const sni_forces* forces) {
    sni_tree_dynamics* m = sni_tree_of(d);
    sni_adaptive* a = m->adaptive;
    if (a->reset_due) {
        size_t size = (size_t)d->model->nv * sizeof *tau;
        if (tau)
            memcpy(a->frozen.tau, tau, size);
        else
            memset(a->frozen.tau, 0, size);
        sn_status status = reset(d);
        if (status) return status;
    } else if (tau) {
        take_forces(d, d->awake, d->awake_count, tau);
    }
    a->updates++;
    a->first_restless = -1;
    if (all_may_be_active(d)) {
        mark_all(d);
    } else {
        renew_stale(d);
        sni_choose(d);
    }
    if (v)
        stop_unmarked(d, tau, v, forces);
    else if (hold_unmarked(d) != SN_OK)
        return SN_ERR_CAPACITY;
    freeze_unmarked(d);
    sni_build_region(d);
    m->kernel->move(&m->region, d->q, d->v);
    return SN_OK;
}

static void adaptive_move(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    m->kernel->move(&m->region, d->q, d->v);
    m->by_inverse = false;
}

/// External wrenches of the rigid parts, and hinges whose lock or armature may have changed.
static void load_region(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    bool pushed = d->wrenches.count > 0;
    for (int32_t p = 0; p < m->region.count; p++) {
        const sni_part* part = &m->region.part[p];
        if (part->kind == SNI_NODE_LEAF) {
            if (part->index < 0) continue;
            sn_mat3 R = m->region.X_wb[part->u].R;
            m->region.lump[part->index].F =
                pushed ? sni_frozen_wrench(&m->adaptive->frozen, d, part->node, R)
                       : sn_wrench_zero();
        } else if (part->index >= 0) {
            sni_hinge_update(&m->region.hinge[part->index], d->model, m->adaptive->held,
                             d->armature);
        }
    }
}

static sn_status adaptive_forward(sn_dynamics* d, const double* tau, double* qdd) {
    sni_tree_dynamics* m = sni_tree_of(d);
    if (m->adaptive->reset_due) {
        sn_status status = adaptive_update(d, tau, NULL, NULL);
        if (status) return status;
    }
    load_region(d);
    sn_status status = sni_tree_forward(d, tau, qdd);
    if (!status && m->adaptive->total_due) sum_total(d, qdd);
    return status;
}

// ---- what others change --------------------------------------------------------------------------------------------

static void adaptive_push(sn_dynamics* d, int32_t body) {
    sni_tree_dynamics* m = sni_tree_of(d);
    if (m->adaptive->reset_due) return;
    mark_stale(d, body);
    for (int32_t n = d->tree->leaf_of[body]; n >= 0 && m->part_of[n] < 0;) {
        n = d->tree->node[n].parent; // up to the rigid part that is in the region
        if (n >= 0 && (m->part_of[n] < 0 || m->region.part[m->part_of[n]].kind == SNI_NODE_LEAF))
            sni_frozen_renew_wrench(&m->adaptive->frozen, d, n);
    }
}

/// Wrenches of all rigid parts, from their parts on.
static void adaptive_push_all(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    sni_adaptive* a = m->adaptive;
    if (a->reset_due) return;
    a->all_stale = true;
    for (int32_t n = 0; n < d->tree->count; n++) {
        int32_t p = m->part_of[n];
        bool rigid = p < 0 || m->region.part[p].kind == SNI_NODE_LEAF;
        if (rigid && d->tree->node[n].kind != SNI_NODE_LEAF)
            sni_frozen_renew_wrench(&a->frozen, d, n);
    }
}

static void adaptive_pull(sn_dynamics* d, int32_t joint, const double* tau) {
    sni_adaptive* a = sni_adaptive_of(d);
    const sni_joint* on = &d->model->joint[joint];
    for (int k = 0; k < on->nv; k++) a->frozen.tau[on->iv + k] = tau[k];
    mark_stale(d, joint);
}

/// The metric of what sleeps, with the wrenches of the last forward, against four times the threshold, or
/// what it was right after the choice: a budget may leave more than the threshold asleep.
static bool adaptive_restless(const sn_dynamics* d) {
    const sni_tree_dynamics* m = sni_tree_of(d);
    double eps = m->adaptive->options.threshold, sum = 0;
    if (!(eps > 0)) return false;
    for (int32_t p = 0; p < m->region.count; p++) {
        const sni_part* part = &m->region.part[p];
        const sni_node* node = &d->tree->node[part->node];
        if (part->kind != SNI_NODE_LEAF || part->u < 0 || !sni_node_has_joints(node)) continue;
        sni_whole room;
        sni_moment moment;
        const sni_whole* whole = sni_frozen_whole(&m->adaptive->frozen, d, part->node, &room);
        sn_twist v_d = part->d >= 0 ? m->region.v[part->d] : sn_twist_zero();
        sni_whole_at(whole, true, m->region.v[part->u], v_d, part->d >= 0, &moment);
        sni_view view = sni_moment_view(whole, true, &moment);
        const sni_flow* flow = &m->region.flow[p];
        sum += sni_view_metric(&view, part->d >= 0, &flow->f_u, &flow->f_d);
    }
    if (m->adaptive->first_restless < 0) m->adaptive->first_restless = sum;
    return sum > 4 * fmax(eps * eps, m->adaptive->first_restless);
}

/// Rigid parts one after the other; all bodies, while nothing else is known.
static bool adaptive_part(const sn_dynamics* d, int32_t k, sni_moving_part* out) {
    const sni_tree_dynamics* m = sni_tree_of(d);
    if (m->adaptive->all_placed) {
        if (k >= d->model->body_count) return false;
        *out = (sni_moving_part){d->model->inertia[k], m->region.X_wb[k], m->region.v[k], 0};
        return true;
    }
    if (k >= m->region.count) return false;
    const sni_part* part = &m->region.part[k];
    *out = (sni_moving_part){.X = sn_pose_identity()};
    if (part->kind != SNI_NODE_LEAF) return true; // nothing by itself
    sn_pose X_ud;
    sni_frozen_body(&m->adaptive->frozen, d, part->node, &out->I, &X_ud);
    out->spring = sni_frozen_spring(&m->adaptive->frozen, part->node);
    if (part->u < 0) return true; // stands on the ground
    out->X = m->region.X_wb[part->u];
    out->v = m->region.v[part->u];
    return true;
}

static void adaptive_lock(sn_dynamics* d, int32_t joint) {
    sni_tree_dynamics* m = sni_tree_of(d);
    sni_adaptive* a = m->adaptive;
    if (a->reset_due) return;
    mark_stale(d, joint);
    int32_t n = d->tree->node_of[joint], p = m->part_of[n], k = 0;
    if (p < 0 || m->region.part[p].kind == SNI_NODE_LEAF) return; // asleep anyway
    bool held = d->locked[joint] || a->held_in[n] == a->stamp;
    a->active += a->held[joint] - held;
    a->held[joint] = held;
    if (held) return; // stays awake: it may have a velocity to lose
    while (k < d->awake_count && d->awake[k] != joint) k++;
    if (k == d->awake_count) d->awake[d->awake_count++] = joint;
}

/// Stops what is locked; the others stay active.
static void adaptive_stop(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    m->adaptive->stamp++;
    for (int32_t p = 0; p < m->region.count; p++)
        if (m->region.part[p].kind != SNI_NODE_LEAF)
            m->adaptive->chosen[m->region.part[p].node] = m->adaptive->stamp;
    sni_stop_unmarked(d);
    m->kernel->move(&m->region, d->q, d->v);
}

const sni_dynamics_ops sni_adaptive_ops = {
    .name = "adaptive",
    .inverts = true,
    .prepare = sni_tree_prepare,
    .layout = adaptive_layout,
    .start = adaptive_start,
    .kinematics = adaptive_kinematics,
    .move = adaptive_move,
    .update = adaptive_update,
    .push = adaptive_push,
    .push_all = adaptive_push_all,
    .pull = adaptive_pull,
    .lock = adaptive_lock,
    .stop = adaptive_stop,
    .restless = adaptive_restless,
    .part = adaptive_part,
    .forward = adaptive_forward,
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
