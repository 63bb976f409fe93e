// SPDX-License-Identifier: Apache-2.0
#include "dynamics/tree_region.h"

#include <math.h>

const sni_tree_kernel* sni_tree_kernel_pick(void) {
    return sni_tree_kernel_avx2.works() ? &sni_tree_kernel_avx2 : &sni_tree_kernel_scalar;
}

// Rows of spatial vectors in canonical child axes: 0 1 2 angular, 3 4 5 linear.
static const sni_freedom freedoms[] = {
    [SN_JOINT_FIXED] = {6, {0, 1, 2, 3, 4, 5}, 0, 0, 0},
    [SN_JOINT_REVOLUTE] = {5, {0, 1, 3, 4, 5, 2}, 0, 0, 0},
    [SN_JOINT_PRISMATIC] = {5, {0, 1, 2, 3, 4, 5}, 0, 0, 0},
    [SN_JOINT_HELICAL] = {5, {0, 1, 3, 4, 5, 2}, 1, 5, 2},
    [SN_JOINT_CYLINDRICAL] = {4, {0, 1, 3, 4, 2, 5}, 0, 0, 0},
    [SN_JOINT_PLANAR] = {3, {0, 1, 5, 2, 3, 4}, 0, 0, 0},
    [SN_JOINT_UNIVERSAL] = {4, {2, 3, 4, 5, 0, 1}, 1, 0, 2},
    [SN_JOINT_SPHERICAL] = {3, {3, 4, 5, 0, 1, 2}, 0, 0, 0},
    [SN_JOINT_FREE] = {0, {0, 1, 2, 3, 4, 5}, 0, 0, 0},
};

const sni_freedom* sni_freedom_of(sn_joint_type type, bool locked) {
    return &freedoms[locked ? SN_JOINT_FIXED : type];
}

/// Parts of a region: its active nodes, and what hangs below them.
static size_t part_count(int32_t active_most) { return 2 * (size_t)active_most + 1; }

void sni_region_layout(sni_region* region, sni_arena* arena, const sn_model* model,
                       int32_t active_most) {
    size_t parts = part_count(active_most), lumps = (size_t)active_most + 1;
    region->part = SN_ARENA_ARRAY(arena, sni_part, parts);
    region->flow = SN_ARENA_ARRAY(arena, sni_flow, parts);
    region->pulse = SN_ARENA_ARRAY(arena, sni_flow, parts);
    region->order = SN_ARENA_ARRAY(arena, int32_t, parts);
    region->hinge = SN_ARENA_ARRAY(arena, sni_hinge, active_most);
    region->lump = SN_ARENA_ARRAY(arena, sni_lump, lumps);
    region->block = SN_ARENA_ARRAY(arena, sni_mat6, 3 * parts);
    region->X_wb = SN_ARENA_ARRAY(arena, sn_pose, model->body_count);
    region->v = SN_ARENA_ARRAY(arena, sn_twist, model->body_count);
    region->a = SN_ARENA_ARRAY(arena, sn_twist, model->body_count);
}

void sni_climb_layout(sni_climb* climb, sni_arena* arena, const sn_model* model,
                      int32_t active_most) {
    size_t parts = part_count(active_most), n = (size_t)model->body_count;
    climb->part = SN_ARENA_ARRAY(arena, int32_t, n);
    climb->X_ug = SN_ARENA_ARRAY(arena, sn_pose, n);
    climb->Phi_ug = SN_ARENA_ARRAY(arena, sni_mat6, n);
    climb->Phi_dg = SN_ARENA_ARRAY(arena, sni_mat6, n);
    climb->x = SN_ARENA_ARRAY(arena, sni_mat6, n);
    climb->Wx = SN_ARENA_ARRAY(arena, sni_mat6, n);
    climb->sorted = SN_ARENA_ARRAY(arena, int32_t, n);
    climb->first = SN_ARENA_ARRAY(arena, int32_t, parts);
    climb->last = SN_ARENA_ARRAY(arena, int32_t, parts);
    climb->mark = SN_ARENA_ARRAY(arena, uint32_t, parts);
}

void sni_region_clear(sni_region* region, const sn_model* model) {
    region->model = model;
    region->count = region->order_count = region->hinge_count = region->lump_count = 0;
    region->block_count = 0;
}

static sni_part* add_part(sni_region* region, const sni_tree* tree, int32_t n) {
    const sni_node* node = &tree->node[n];
    sni_part* part = &region->part[region->count++];
    *part = (sni_part){
        .node = n, .parent = -1, .a = -1, .b = -1, .u = node->u, .d = node->d, .index = -1};
    if (node->u < 0) return part;
    part->phi = region->block + region->block_count;
    region->block_count += node->d >= 0 ? 3 : 1;
    return part;
}

int32_t sni_region_add_lump(sni_region* region, const sni_tree* tree, int32_t node,
                            const sni_rigid* I, sn_pose X_ud) {
    sni_part* part = add_part(region, tree, node);
    part->kind = SNI_NODE_LEAF;
    if (!part->phi) return region->count - 1; // held by the ground
    part->index = region->lump_count++;
    region->lump[part->index] = (sni_lump){.I = *I, .X_ud = X_ud};
    sni_rigid_inverse(I, part->phi);
    if (part->d >= 0) { // du = X uu, dd = X uu X'
        sni_mat6 turned;
        sni_mat6_carry(X_ud, part->phi, &part->phi[1]);
        sni_mat6_transpose(&part->phi[1], &turned);
        sni_mat6_carry(X_ud, &turned, &part->phi[2]);
        sni_mat6_mirror(&part->phi[2]);
    }
    return region->count - 1;
}

void sni_hinge_begin(sni_hinge* h, int32_t joint) {
    h->freedom = sni_freedom_of(SN_JOINT_FIXED, true);
    h->joint = joint;
    h->armed = false;
    h->X = sn_pose_identity();
    h->c = sn_twist_zero();
}

void sni_hinge_place(sni_hinge* h, const sn_model* model, const double* q_all) {
    const sni_joint* joint = &model->joint[h->joint];
    const double* q = q_all + joint->iq;
    h->X = sn_pose_mul(joint->X_pj, sni_joint_pose(joint, q));
    if (joint->type == SN_JOINT_HELICAL) { // e6 - k e3 is held
        h->mix[0] = 1, h->mix[1] = -joint->pitch;
        h->mix[2] = 0, h->mix[3] = 1;
    } else if (joint->type == SN_JOINT_UNIVERSAL) { // the first axis has turned about the second
        double c = cos(q[1]), s = sin(q[1]);
        h->mix[0] = c, h->mix[1] = s;
        h->mix[2] = -s, h->mix[3] = c;
    }
}

void sni_hinge_update(sni_hinge* h, const sn_model* model, const bool* locked,
                      const double* armature) {
    if (h->joint < 0) return;
    const sni_joint* joint = &model->joint[h->joint];
    bool held = locked[h->joint];
    h->freedom = sni_freedom_of((sn_joint_type)joint->type, held);
    h->armed = false;
    for (int k = 0; k < joint->nv; k++) {
        h->root_Ia[k] = held ? 0 : sqrt(armature[joint->iv + k]);
        h->armed |= h->root_Ia[k] > 0;
    }
}

int32_t sni_region_add_active(sni_region* region, const sni_tree* tree, int32_t n, int32_t a,
                              int32_t b, const bool* locked, const double* armature) {
    const sni_node* node = &tree->node[n];
    sni_part* part = add_part(region, tree, n);
    part->kind = node->kind;
    part->a = a;
    part->b = b;
    if (a >= 0) region->part[a].parent = region->count - 1;
    if (b >= 0) region->part[b].parent = region->count - 1;
    if (node->kind == SNI_NODE_FOREST) return region->count - 1;
    part->index = region->hinge_count++;
    sni_hinge* h = &region->hinge[part->index];
    sni_hinge_begin(h, node->kind == SNI_NODE_WELD ? -1 : node->body);
    sni_hinge_update(h, region->model, locked, armature);
    part->joined_below = node->kind == SNI_NODE_JOINT && region->part[a].d >= 0;
    part->keeps_top = part->d >= 0 && region->part[b].d < 0;
    return region->count - 1;
}

void sni_region_accelerate(sni_region* region, sn_vec3 gravity, const double* q,
                           const double* qdd) {
    for (int32_t o = 0; o < region->order_count; o++) {
        const sni_part* part = &region->part[region->order[o]];
        if (part->kind == SNI_NODE_LEAF) {
            if (part->d >= 0)
                region->a[part->d] =
                    sn_pose_twist_inverse(region->lump[part->index].X_ud, region->a[part->u]);
            continue;
        }
        if (part->kind != SNI_NODE_JOINT && part->kind != SNI_NODE_GROUND) continue;
        const sni_hinge* h = &region->hinge[part->index];
        const sni_joint* joint = &region->model->joint[h->joint];
        sn_twist a = sn_twist_make(sn_vec3_zero(), sn_vec3_neg(gravity)), S[SN_JOINT_MAX_NV];
        if (joint->parent >= 0) a = region->a[joint->parent];
        a = sn_twist_add(sn_pose_twist_inverse(h->X, a), h->c);
        int free_count = 6 - h->freedom->held; // none where it is locked
        if (free_count > 0) sni_joint_subspace(joint, q + joint->iq, S);
        for (int k = 0; k < free_count; k++)
            a = sn_twist_add(a, sn_twist_scale(qdd[joint->iv + k], S[k]));
        region->a[h->joint] = a;
    }
}

sn_twist sni_part_motion(const sni_part* part, const sni_flow* flow) {
    sni_row6 a = sni_mat6_transposed_apply(part->phi, &flow->f_u);
    sni_row6_add(&a, &flow->b_u);
    if (part->d >= 0) {
        sni_row6 below = sni_mat6_transposed_apply(&part->phi[1], &flow->f_d);
        sni_row6_add(&a, &below);
    }
    return sni_row6_twist(&a);
}
