// SPDX-License-Identifier: Apache-2.0
// Choosing the active region: from the root down, always into the part whose joints wish to accelerate
// most, until what is left is small enough or there are enough. What is left is known exactly.  [RGL05]
#include <math.h>

#include "dynamics/tree_adaptive.h"

static bool is_active_now(const sni_tree_dynamics* m, int32_t node) {
    int32_t p = m->part_of[node];
    return p >= 0 && m->region.part[p].kind != SNI_NODE_LEAF;
}

// ---- the current region with all joints free -----------------------------------------------------------------

/// Velocity of the d of a rigid node, from that of its u.
static sn_twist velocity_below(const sn_dynamics* d, int32_t node, sn_twist v_u) {
    const sni_frozen* frozen = &sni_adaptive_of(d)->frozen;
    if (d->tree->node[node].d < 0) return v_u;
    sni_rigid I;
    sn_pose X_ud;
    sni_frozen_body(frozen, d, node, &I, &X_ud);
    return sn_pose_twist_inverse(X_ud, v_u);
}

/// A rigid node as it would move now.
static sni_view view_rigid(const sn_dynamics* d, int32_t n, sn_twist v_u, sni_whole* room,
                           sni_moment* moment) {
    const sni_node* node = &d->tree->node[n];
    const sni_whole* whole = sni_frozen_whole(&sni_adaptive_of(d)->frozen, d, n, room);
    if (node->u < 0) { // held by the ground
        moment->eta = whole->eta[0];
        return sni_moment_view(whole, true, moment);
    }
    sn_twist v_d = velocity_below(d, n, v_u);
    sni_whole_at(whole, sni_node_has_joints(node), v_u, v_d, node->d >= 0, moment);
    return sni_moment_view(whole, sni_node_has_joints(node), moment);
}

/// The joint of a node of the region, as it moves now.
static void join_moving(const sn_dynamics* d, int32_t n, sni_joining* j) {
    const sni_tree_dynamics* m = sni_tree_of(d);
    const sni_node* node = &d->tree->node[n];
    const sni_frozen* frozen = &m->adaptive->frozen;
    sni_begin_joining(frozen, d, n, j);
    j->c[0] = sni_row6_zero();
    if (node->kind == SNI_NODE_WELD) return;
    if (is_active_now(m, n)) {
        const sni_hinge* h = &m->region.hinge[m->region.part[m->part_of[n]].index];
        j->hinge.X = h->X;
        for (int k = 0; k < 4; k++) j->hinge.mix[k] = h->mix[k];
        j->c[0] = sni_row6_from_twist(h->c);
    } else {
        sni_hinge_place(&j->hinge, d->model, d->q);
    }
    if (node->kind != SNI_NODE_GROUND) return;
    sn_twist up = sn_twist_make(sn_vec3_zero(), sn_vec3_neg(d->gravity));
    sni_row6 ground = sni_row6_from_twist(sn_pose_twist_inverse(j->hinge.X, up));
    sni_row6_add(&j->c[0], &ground);
}

/// Weighted square of a joint's velocity.
static double velocity_metric(const sn_dynamics* d, int32_t joint) {
    const sni_joint* on = &d->model->joint[joint];
    const double* weight = sni_adaptive_of(d)->frozen.weight;
    double sum = 0;
    for (int32_t k = on->iv; k < on->iv + on->nv; k++) sum += weight[k] * d->v[k] * d->v[k];
    return sum;
}

/// Views of all parts of the region.
static void look(sn_dynamics* d) {
    sni_tree_dynamics* m = sni_tree_of(d);
    sni_adaptive* adaptive = m->adaptive;
    for (int32_t p = 0; p < m->region.count; p++) {
        const sni_part* part = &m->region.part[p];
        sni_view* view = &adaptive->view[p];
        double* V = &adaptive->velocity_metric[p];
        *V = 0;
        if (part->kind == SNI_NODE_LEAF) {
            sn_twist v_u = part->u >= 0 ? m->region.v[part->u] : sn_twist_zero();
            *view = view_rigid(d, part->node, v_u, &adaptive->working[p], &adaptive->moment[p]);
            continue;
        }
        const sni_view *A = part->a >= 0 ? &adaptive->view[part->a] : NULL,
                       *B = &adaptive->view[part->b];
        sni_whole* out = &adaptive->working[p];
        *V = adaptive->velocity_metric[part->b] + (A ? adaptive->velocity_metric[part->a] : 0);
        *view = sni_whole_view(out, true);
        if (part->kind == SNI_NODE_FOREST) {
            out->eta[0] = A->eta[0] + B->eta[0];
            continue;
        }
        if (part->kind != SNI_NODE_WELD) *V += velocity_metric(d, d->tree->node[part->node].body);
        sni_joining j;
        join_moving(d, part->node, &j);
        adaptive->frozen.kernel->assemble(&j, A, B, out);
    }
}

// ---- candidates, the most restless first ------------------------------------------------------------------------

static bool comes_before(const sni_adaptive* a, int32_t i, int32_t j) {
    if (a->candidate[i].key != a->candidate[j].key)
        return a->candidate[i].key > a->candidate[j].key;
    return i < j; // the same order on every machine
}

static void heap_push(sni_adaptive* a, int32_t i) {
    int32_t at = a->heap_count++;
    while (at > 0 && comes_before(a, i, a->heap[(at - 1) / 2])) {
        a->heap[at] = a->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    a->heap[at] = i;
}

static int32_t heap_pop(sni_adaptive* a) {
    int32_t top = a->heap[0], last = a->heap[--a->heap_count], at = 0;
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= a->heap_count) break;
        if (child + 1 < a->heap_count && comes_before(a, a->heap[child + 1], a->heap[child]))
            child++;
        if (!comes_before(a, a->heap[child], last)) break;
        a->heap[at] = a->heap[child];
        at = child;
    }
    a->heap[at] = last;
    return top;
}

/// Active nodes are preferred by this factor, so that a node does not come and go.
#define STAY 4.0

static void add_candidate(sn_dynamics* d, int32_t node, double metric, const sni_row6* f_u,
                          const sni_row6* f_d, sn_twist v_u) {
    sni_tree_dynamics* m = sni_tree_of(d);
    sni_adaptive* a = m->adaptive;
    sni_candidate* c = &a->candidate[a->candidate_count];
    *c = (sni_candidate){.node = node, .metric = metric, .key = metric, .v_u = v_u};
    c->f_u = f_u ? *f_u : sni_row6_zero();
    c->f_d = f_d ? *f_d : sni_row6_zero();
    if (a->forced[node] == a->forced_stamp) {
        c->key = INFINITY;
    } else if (is_active_now(m, node)) {
        double T = a->options.settling_time;
        c->key = STAY * metric + a->velocity_metric[m->part_of[node]] / (T * T);
    }
    a->candidate_count++;
}

/// A part of a node being expanded: its view, and the velocity of its u when it is rigid.
typedef struct opened {
    sni_view view;
    sni_whole room;
    sni_moment moment;
    sn_twist v_u;
} opened;

static void open_part(const sn_dynamics* d, int32_t node, sn_twist v_u, opened* out) {
    const sni_tree_dynamics* m = sni_tree_of(d);
    int32_t p = m->part_of[node];
    out->v_u = v_u;
    if (p >= 0) {
        out->view = m->adaptive->view[p];
        if (m->region.part[p].u >= 0) out->v_u = m->region.v[m->region.part[p].u];
    } else {
        out->view = view_rigid(d, node, v_u, &out->room, &out->moment);
    }
}

static void add_part(sn_dynamics* d, int32_t n, const opened* part, const sni_row6 f[2]) {
    const sni_node* node = &d->tree->node[n];
    if (!sni_node_has_joints(node)) return;
    double metric = sni_view_metric(&part->view, node->d >= 0, &f[0], &f[1]);
    add_candidate(d, n, metric, &f[0], &f[1], part->v_u);
}

/// Makes a node active: its joint accelerates, its parts become candidates.
static void expand(sn_dynamics* d, const sni_candidate* from) {
    sni_adaptive* a = sni_adaptive_of(d);
    const sni_candidate c = *from;
    const sni_node* node = &d->tree->node[c.node];
    opened A, B;
    a->chosen[c.node] = a->stamp;
    if (node->kind == SNI_NODE_FOREST) {
        open_part(d, node->a, sn_twist_zero(), &A);
        open_part(d, node->b, sn_twist_zero(), &B);
        add_candidate(d, node->a, A.view.eta[0], NULL, NULL, sn_twist_zero());
        add_candidate(d, node->b, B.view.eta[0], NULL, NULL, sn_twist_zero());
        return;
    }
    sni_joining j;
    sni_row6 to_A[2], to_B[2];
    double qdd[6];
    join_moving(d, c.node, &j);
    sn_twist v_k = c.v_u;
    if (node->a >= 0) {
        open_part(d, node->a, c.v_u, &A);
        if (sni_tree_of(d)->part_of[node->a] < 0) v_k = velocity_below(d, node->a, c.v_u);
    } else {
        v_k = sn_twist_zero();
    }
    // the velocity given to B counts only inside a rigid node, where nothing moves across the joint
    open_part(d, node->b,
              node->kind == SNI_NODE_WELD ? c.v_u : sn_pose_twist_inverse(j.hinge.X, v_k), &B);
    a->frozen.kernel->expand(&j, node->a >= 0 ? &A.view : NULL, &B.view, &c.f_u, &c.f_d, to_A, to_B,
                             qdd);
    if (node->a >= 0) add_part(d, node->a, &A, to_A);
    add_part(d, node->b, &B, to_B);
}

/// Marks the ways from bodies that must be active to the root.
static void mark_forced(sn_dynamics* d) {
    sni_adaptive* a = sni_adaptive_of(d);
    a->forced_stamp++;
    for (int32_t k = 0; k < a->wanted_count; k++) {
        int32_t n = d->tree->node[d->tree->leaf_of[a->wanted_list[k]]].parent;
        for (; n >= 0 && a->forced[n] != a->forced_stamp; n = d->tree->node[n].parent)
            a->forced[n] = a->forced_stamp;
        n = d->tree->node_of[a->wanted_list[k]]; // and its own joint
        for (; n >= 0 && a->forced[n] != a->forced_stamp; n = d->tree->node[n].parent)
            a->forced[n] = a->forced_stamp;
    }
}

/// Whether a node that is not selected stays active because it moves, or wished to move lately.
static bool stays(sn_dynamics* d, const sni_candidate* c) {
    sni_tree_dynamics* m = sni_tree_of(d);
    sni_adaptive* a = m->adaptive;
    if (!is_active_now(m, c->node)) return false;
    double eps = a->options.threshold, eps_v = eps * a->options.settling_time;
    a->quiet[c->node] = c->metric < 0.25 * eps * eps ? (uint8_t)(a->quiet[c->node] + 1) : 0;
    if (a->quiet[c->node] > SNI_QUIET) a->quiet[c->node] = SNI_QUIET;
    return a->velocity_metric[m->part_of[c->node]] > eps_v * eps_v || a->quiet[c->node] < SNI_QUIET;
}

static bool has_free_joint(const sn_dynamics* d, int32_t n) {
    const sni_node* node = &d->tree->node[n];
    return (node->kind == SNI_NODE_JOINT || node->kind == SNI_NODE_GROUND) &&
           !d->locked[node->body];
}

/// A sum of large numbers that come and go, with the rounding kept.
typedef struct exact_sum {
    double sum, rest;
} exact_sum;

static void add_to_sum(exact_sum* s, double x) {
    double sum = s->sum + x, seen = sum - s->sum;
    s->rest += (s->sum - (sum - seen)) + (x - seen);
    s->sum = sum;
}

/// What a choice has come to.
typedef struct choice {
    exact_sum error; ///< metric of all candidates
    int32_t nodes, joints;
} choice;

/// Whether a candidate becomes active. A weld is opened for the joints behind it: not when no more of them
/// may be active.
static bool is_selected(sn_dynamics* d, const choice* so_far, const sni_candidate* c) {
    const sni_tree_dynamics* m = sni_tree_of(d);
    sni_adaptive* a = m->adaptive;
    int32_t most = a->options.max_active;
    double eps2 = a->options.threshold * a->options.threshold;
    if (so_far->nodes >= m->active_most || (most >= 0 && so_far->joints >= most)) return false;
    bool too_much = so_far->error.sum + so_far->error.rest > eps2 && c->metric > 0;
    if (too_much) a->quiet[c->node] = 0;
    return too_much || isinf(c->key) || stays(d, c);
}

/// Makes a candidate active. Returns the candidate to go on with, -1: the most restless of all. From a node
/// without a joint of its own the way goes straight down to one; otherwise many welds with many joints
/// behind them would all be opened before any joint is.
static int32_t take(sn_dynamics* d, choice* so_far, int32_t candidate) {
    sni_adaptive* a = sni_adaptive_of(d);
    const sni_candidate* c = &a->candidate[candidate];
    int32_t from = a->candidate_count, next = -1;
    bool counts = has_free_joint(d, c->node);
    add_to_sum(&so_far->error, -c->metric);
    so_far->nodes++;
    so_far->joints += counts;
    expand(d, c);
    for (int32_t k = from; k < a->candidate_count; k++) {
        add_to_sum(&so_far->error, a->candidate[k].metric);
        if (!counts && (next < 0 || comes_before(a, k, next))) next = k;
    }
    for (int32_t k = from; k < a->candidate_count; k++)
        if (k != next) heap_push(a, k);
    return next;
}

void sni_choose(sn_dynamics* d) {
    sni_adaptive* a = sni_adaptive_of(d);
    int32_t root = d->tree->count - 1;
    if (root < 0) return;
    a->stamp++;
    a->candidate_count = a->heap_count = 0;
    look(d);
    mark_forced(d);
    opened whole;
    open_part(d, root, sn_twist_zero(), &whole);
    a->total2 = whole.view.eta[0];
    a->error2 = 0;
    a->total_due = false;
    choice so_far = {.error = {a->total2, 0}};
    add_candidate(d, root, a->total2, NULL, NULL, sn_twist_zero());
    heap_push(a, 0);
    while (a->heap_count > 0) {
        int32_t next = heap_pop(a);
        while (next >= 0) {
            if (!is_selected(d, &so_far, &a->candidate[next])) {
                a->error2 += a->candidate[next].metric;
                break;
            }
            next = take(d, &so_far, next);
        }
    }
}

void sni_choose_moving(sn_dynamics* d) {
    sni_adaptive* a = sni_adaptive_of(d);
    a->stamp++;
    for (int32_t n = 0; n < d->tree->count; n++) {
        const sni_node* node = &d->tree->node[n];
        bool moving = (node->a >= 0 && a->chosen[node->a] == a->stamp) ||
                      (node->b >= 0 && a->chosen[node->b] == a->stamp);
        if (node->kind == SNI_NODE_JOINT || node->kind == SNI_NODE_GROUND) {
            const sni_joint* joint = &d->model->joint[node->body];
            for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++) moving |= d->v[k] != 0;
        }
        if (moving) a->chosen[n] = a->stamp;
    }
}
