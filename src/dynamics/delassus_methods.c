// SPDX-License-Identifier: Apache-2.0
// The methods of the Delassus operator, but for "dense".
#include "dynamics/aba.h"
#include "dynamics/delassus.h"

// ---- multiplications ----------------------------------------------------------------------------------------

/// Of one wrench up through a joint, or one motion down: projection, update, and the shift.
static double joint_work(const sni_joint* joint) {
    const double SHIFT = 6;
    if (joint->type == SN_JOINT_REVOLUTE) return SHIFT + 3 + 6 + 1;
    return SHIFT + joint->nv * (6 + 6 + 1);
}

static const double PRODUCT = 216; // of two 6x6 matrices

static double branch_work(const sn_model* model, int32_t from, int32_t to) {
    double work = 0;
    for (int32_t i = from; i != to; i = model->joint[i].parent)
        work += joint_work(&model->joint[i]);
    return work;
}

static double list_work(const sn_model* model, const sni_branches* b) {
    double work = 0;
    for (int32_t p = 0; p < b->count; p++) work += joint_work(&model->joint[b->body[p]]);
    return work;
}

// ---- unit wrenches over the whole tree, which any dynamics can ---------------------------------------------

static sn_status unit_wrenches(sn_delassus* x, double* Omega) {
    size_t size = 6 * (size_t)x->body_count;
    for (size_t c = 0; c < size; c++) {
        double unit[6] = {0};
        unit[c % 6] = 1;
        x->wrench[0] = (sn_body_wrench){x->bodies[c / 6], sni_wrench_from_numbers(unit)};
        x->d->ops->impulse(x->d, NULL, x->wrench, 1, x->dv);
        for (size_t g = 0; g < size / 6; g++) {
            int32_t body = x->bodies[g].i;
            sn_twist t = sni_twist_to_user(x->d, body, x->d->ops->change(x->d, body));
            const double v[6] = {t.w.x, t.w.y, t.w.z, t.v.x, t.v.y, t.v.z};
            for (size_t r = 0; r < 6; r++) Omega[(6 * g + r) * size + c] = v[r];
        }
    }
    return SN_OK;
}

// ---- what the dynamics does by itself: "compressed", "tree" --------------------------------------------------

static sn_status own_omega(sn_delassus* x, double* Omega) {
    if (x->body_count > x->d->response_most) return unit_wrenches(x, Omega);
    x->d->ops->response(x->d, x->bodies, x->body_count, Omega);
    return SN_OK;
}

static bool has_tree(const sn_dynamics* d) { return d->tree; }

static double compressed_work(const sn_delassus* x) {
    const sni_keys* k = sni_aba_keys(x->d);
    double work = 0;
    if (x->body_count > x->d->response_most) return NAN;
    for (int32_t n = 0; n < k->count; n++) {
        const sni_key* key = &k->key[n];
        int32_t end = key->up < 0 ? -1 : k->key[key->up].body;
        work += 6 * branch_work(x->d->model, key->body, end);
        for (int32_t i = key->body; i != end; i = x->d->model->joint[i].parent)
            work += 36 * x->d->model->joint[i].nv; // t' s
        if (key->up >= 0) work += 2 * PRODUCT;
        if (key->slot >= 0) work += PRODUCT * (k->key[key->root].last - n - 1);
    }
    return work;
}

const sni_delassus_method sni_delassus_compressed = {
    .name = "compressed",
    .about = "the tree reduced to the bodies and where their branches meet",
    .needs = "aba",
    .fits = sni_aba_has_factors,
    .omega = own_omega,
    .work = compressed_work,
};

const sni_delassus_method sni_delassus_tree = {
    .name = "tree",
    .about = "queries of the assembly tree, sub-linear in the number of joints",
    .needs = "dca or adaptive",
    .fits = has_tree,
    .omega = own_omega,
};

// ---- along whole branches: "per-body", "chang-khatib" -----------------------------------------------------------

static void sweep_layout(sn_delassus* x, sni_arena* arena) {
    const sn_model* model = x->d->model;
    sni_sweep* w = &x->sweep;
    w->R = SN_ARENA_ARRAY(arena, sn_mat3, x->most.bodies);
    w->path = SN_ARENA_ARRAY(arena, int32_t, model->body_count);
    w->s = SN_ARENA_ARRAY(arena, sni_row6, model->nv);
    w->t = SN_ARENA_ARRAY(arena, sni_row6, model->nv);
    w->carries = SN_ARENA_ARRAY(arena, bool, model->body_count);
    w->on = SN_ARENA_ARRAY(arena, sni_mat6, model->body_count);
    sni_branches_layout(&w->branches, arena, model);
}

static sni_factors begin_sweep(sn_delassus* x) {
    sni_sweep* w = &x->sweep;
    w->count = x->body_count;
    w->bodies = x->bodies;
    sni_branches_clear(&w->branches, x->d->model);
    for (int32_t g = 0; g < w->count; g++) {
        sni_branches_add(&w->branches, x->d->model, w->bodies[g].i);
        w->R[g] = sni_aba_user_axes(x->d, w->bodies[g].i);
    }
    return sni_aba_factors(x->d);
}

static sn_status per_body_omega(sn_delassus* x, double* Omega) {
    sni_factors factors = begin_sweep(x);
    x->kernel->per_body(x->d->model, &factors, &x->sweep, Omega);
    return SN_OK;
}

static double per_body_work(const sn_delassus* x) {
    const sn_model* model = x->d->model;
    double down = list_work(model, &x->sweep.branches), work = 0;
    for (int32_t g = 0; g < x->body_count; g++)
        work += 6 * (branch_work(model, x->bodies[g].i, -1) + down);
    return work;
}

const sni_delassus_method sni_delassus_per_body = {
    .name = "per-body",
    .about = "six unit wrenches for each body, over the branches concerned",
    .needs = "aba",
    .fits = sni_aba_has_factors,
    .layout = sweep_layout,
    .omega = per_body_omega,
    .work = per_body_work,
};

static sn_status chang_khatib_omega(sn_delassus* x, double* Omega) {
    sni_factors factors = begin_sweep(x);
    x->kernel->chang_khatib(x->d->model, &factors, &x->sweep, Omega);
    return SN_OK;
}

/// Where the branches of two bodies meet, -1: nowhere.
static int32_t meet(const sn_model* model, const sni_branches* b, int32_t x, int32_t y) {
    while (x != y && x >= 0 && y >= 0) {
        int32_t* lower = b->place[x] > b->place[y] ? &x : &y;
        *lower = model->joint[*lower].parent;
    }
    return x == y ? x : -1;
}

static double chang_khatib_work(const sn_delassus* x) {
    const sn_model* model = x->d->model;
    const sni_branches* b = &x->sweep.branches;
    double work = 0;
    for (int32_t p = 0; p < b->count; p++) {
        const sni_joint* joint = &model->joint[b->body[p]];
        bool hinge = joint->type == SN_JOINT_REVOLUTE;
        if (joint->parent >= 0) work += 12 * joint_work(joint);
        work += hinge ? 12 : 6 * joint_work(joint) + 36 * joint->nv;
    }
    for (int32_t g = 0; g < x->body_count; g++) {
        for (int32_t h = 0; h <= g; h++) {
            int32_t top = meet(model, b, x->bodies[g].i, x->bodies[h].i);
            if (top < 0) continue;
            work += 6 * (branch_work(model, x->bodies[g].i, top) +
                         branch_work(model, x->bodies[h].i, top));
        }
    }
    return work;
}

const sni_delassus_method sni_delassus_chang_khatib = {
    .name = "chang-khatib",
    .about = "recursion down the branches, pairs of bodies through their common ancestor",
    .needs = "aba",
    .fits = sni_aba_has_factors,
    .layout = sweep_layout,
    .omega = chang_khatib_omega,
    .work = chang_khatib_work,
};

// ---- unit forces over the whole tree: "per-point" -----------------------------------------------------------------

/// Motions of the bodies under a unit force along the row at a place of a segment.
static void push_row(sn_delassus* x, const sni_segment* s, size_t at) {
    int count = 0;
    for (int side = 0; side < 2; side++) {
        int32_t slot = side == 0 ? s->a : s->b;
        if (slot < 0) continue;
        sn_wrench f = sni_wrench_from_numbers(x->p.row[side][at]);
        x->wrench[count++] = (sn_body_wrench){x->bodies[slot], f};
    }
    sni_delassus_push(x, count);
    for (int32_t g = 0; g < x->body_count; g++) {
        double* Y = x->p.Y + 6 * (size_t)g * (size_t)x->p.padded + sni_place_offset(at);
        sn_twist t = x->twist[g];
        Y[0] = t.w.x, Y[SNI_TILE] = t.w.y, Y[2 * SNI_TILE] = t.w.z;
        Y[3 * SNI_TILE] = t.v.x, Y[4 * SNI_TILE] = t.v.y, Y[5 * SNI_TILE] = t.v.z;
    }
}

static void per_point_rows(sn_delassus* x) {
    for (int32_t k = 0; k < x->p.segment_count; k++) {
        const sni_segment* s = &x->p.segment[k];
        for (int32_t at = s->place; at < s->place + s->rows; at++) push_row(x, s, (size_t)at);
    }
}

static double per_point_work(const sn_delassus* x) {
    double whole = 0;
    for (int32_t i = 0; i < x->d->model->body_count; i++)
        whole += joint_work(&x->d->model->joint[i]);
    return 2 * x->p.rows * whole;
}

const sni_delassus_method sni_delassus_per_point = {
    .name = "per-point",
    .about = "a unit force for each row, over the whole tree",
    .needs = "any dynamics",
    .omega = unit_wrenches,
    .rows = per_point_rows,
    .work = per_point_work,
};
