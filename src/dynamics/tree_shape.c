// SPDX-License-Identifier: Apache-2.0
#include "dynamics/tree_shape.h"

#include <string.h>

#include "dynamics/tree_adaptive.h"

void sni_shape_layout(sni_shape* shape, sni_arena* arena, const sn_dynamics* d) {
    size_t nodes = (size_t)d->tree->count, inner = 0;
    for (size_t n = 0; n < nodes; n++) inner += d->tree->node[n].kind != SNI_NODE_LEAF;
    size_t most = inner < SNI_ACTIVE_MOST ? inner : SNI_ACTIVE_MOST;
    shape->model = d->model;
    shape->tree = d->tree;
    shape->active = SN_ARENA_ARRAY(arena, bool, nodes);
    shape->X_ud = SN_ARENA_ARRAY(arena, sn_pose, nodes);
    shape->group = SN_ARENA_ARRAY(arena, int32_t, nodes);
    shape->pose = SN_ARENA_ARRAY(arena, sn_pose, most + 1);
    shape->q = SN_ARENA_ARRAY(arena, double, d->model->nq);
    shape->v = SN_ARENA_ARRAY(arena, double, d->model->nv);
}

static void copy_joint(sni_shape* shape, int32_t body, const double* q, const double* v) {
    const sni_joint* joint = &shape->model->joint[body];
    memcpy(shape->q + joint->iq, q + joint->iq, joint->nq * sizeof *q);
    memcpy(shape->v + joint->iv, v + joint->iv, joint->nv * sizeof *v);
}

static void copy_node(sni_shape* shape, const sn_dynamics* d, int32_t n, const double* q,
                      const double* v) {
    const sni_tree_dynamics* m = sni_tree_of(d);
    const sni_node* node = &d->tree->node[n];
    int32_t p = m->part_of[n];
    shape->active[n] = p >= 0 && m->region.part[p].kind != SNI_NODE_LEAF;
    if (node->kind == SNI_NODE_LEAF) return;
    if (node->d >= 0) {
        sni_rigid I;
        sni_frozen_body(&m->adaptive->frozen, d, n, &I, &shape->X_ud[n]);
    }
    if (node->kind == SNI_NODE_JOINT || node->kind == SNI_NODE_GROUND)
        copy_joint(shape, node->body, q, v);
}

void sni_shape_renew(sni_shape* shape, const sn_dynamics* d, const double* q, const double* v) {
    const sni_tree_dynamics* m = sni_tree_of(d);
    const sni_journal* journal = &m->adaptive->journal;
    uint64_t capacity = (uint64_t)journal->capacity;
    if (journal->written - shape->read > capacity) {
        for (int32_t n = 0; n < d->tree->count; n++) copy_node(shape, d, n, q, v);
    } else {
        for (uint64_t k = shape->read; k < journal->written; k++)
            copy_node(shape, d, journal->node[k % capacity], q, v);
        for (int32_t k = 0; k < d->awake_count; k++) copy_joint(shape, d->awake[k], q, v);
    }
    shape->read = journal->written;
    shape->count = 0;
    for (int32_t p = 0; p < m->region.count; p++) {
        const sni_part* part = &m->region.part[p];
        if (part->kind != SNI_NODE_LEAF) continue;
        shape->group[part->node] = shape->count;
        shape->pose[shape->count++] = part->u < 0 ? sn_pose_identity() : m->region.X_wb[part->u];
    }
}

int32_t sni_shape_locate(const sni_shape* shape, int32_t body, sn_pose* offset) {
    const sni_node* node = shape->tree->node;
    int32_t n = shape->tree->leaf_of[body];
    sn_mat3 R_bc = shape->model->R_bc[body];
    sn_pose X = sn_pose_make(sn_mat3_transpose(R_bc), sn_vec3_zero());
    for (;;) {
        int32_t up = node[n].parent;
        if (up < 0 || shape->active[up]) break;
        if (n == node[up].b &&
            (node[up].kind == SNI_NODE_JOINT || node[up].kind == SNI_NODE_GROUND)) {
            const sni_joint* joint = &shape->model->joint[node[up].body];
            sn_pose step = sn_pose_mul(joint->X_pj, sni_joint_pose(joint, shape->q + joint->iq));
            if (node[up].kind == SNI_NODE_JOINT && node[node[up].a].d >= 0)
                step = sn_pose_mul(shape->X_ud[node[up].a], step);
            X = sn_pose_mul(step, X);
        }
        n = up;
    }
    *offset = X;
    return shape->group[n];
}

bool sni_shape_is_still(const sni_shape* shape, int32_t body) {
    return !shape->active[shape->tree->node_of[body]];
}
