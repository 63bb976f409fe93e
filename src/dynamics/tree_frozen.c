// SPDX-License-Identifier: Apache-2.0
#include "dynamics/tree_frozen.h"

#include <string.h>

void sni_frozen_layout(sni_frozen* frozen, sni_arena* arena, const sn_dynamics* d) {
    const sni_tree* tree = d->tree;
    size_t inner = 0, kept = 0;
    for (int32_t n = 0; n < tree->count; n++) {
        inner += tree->node[n].kind != SNI_NODE_LEAF;
        kept += tree->node[n].joints >= SNI_KEPT_JOINTS;
    }
    frozen->inner_of = SN_ARENA_ARRAY(arena, int32_t, tree->count);
    frozen->node = SN_ARENA_ARRAY(arena, sni_frozen_node, inner);
    frozen->kept_of = SN_ARENA_ARRAY(arena, int32_t, tree->count);
    frozen->kept = SN_ARENA_ARRAY(arena, sni_whole, kept);
    frozen->tau = SN_ARENA_ARRAY(arena, double, d->model->nv);
    frozen->weight = SN_ARENA_ARRAY(arena, double, d->model->nv);
}

void sni_frozen_start(sni_frozen* frozen, const sn_dynamics* d) {
    const sni_tree* tree = d->tree;
    int32_t inner = 0, kept = 0;
    frozen->kernel = sni_whole_kernel_pick();
    for (int32_t n = 0; n < tree->count; n++) {
        frozen->inner_of[n] = tree->node[n].kind != SNI_NODE_LEAF ? inner++ : -1;
        frozen->kept_of[n] = tree->node[n].joints >= SNI_KEPT_JOINTS ? kept++ : -1;
    }
}

static sni_frozen_node* inner(const sni_frozen* frozen, int32_t n) {
    return &frozen->node[frozen->inner_of[n]];
}

// ---- one rigid body ------------------------------------------------------------------------------------------

void sni_frozen_body(const sni_frozen* frozen, const sn_dynamics* d, int32_t n, sni_rigid* I,
                     sn_pose* X_ud) {
    const sni_tree* tree = d->tree;
    if (tree->node[n].kind == SNI_NODE_LEAF) {
        *I = sni_rigid_scaled(tree->share[n], &d->model->inertia[tree->node[n].body]);
        *X_ud = sn_pose_identity();
        return;
    }
    *I = inner(frozen, n)->I;
    *X_ud = inner(frozen, n)->X_ud;
}

static sn_pose joint_step(const sn_dynamics* d, int32_t joint) {
    const sni_joint* on = &d->model->joint[joint];
    return sn_pose_mul(on->X_pj, sni_joint_pose(on, d->q + on->iq));
}

sn_pose sni_frozen_step(const sni_frozen* frozen, const sn_dynamics* d, int32_t n) {
    const sni_node* node = &d->tree->node[n];
    if (node->kind == SNI_NODE_WELD || node->kind == SNI_NODE_FOREST) return sn_pose_identity();
    sn_pose X = joint_step(d, node->body);
    if (node->kind == SNI_NODE_GROUND || d->tree->node[node->a].d < 0) return X;
    return sn_pose_mul(inner(frozen, node->a)->X_ud, X);
}

/// Energy in the springs of a joint.
static double spring_energy(const sn_dynamics* d, int32_t joint) {
    const sni_joint* on = &d->model->joint[joint];
    double stretch[SN_JOINT_MAX_NV], sum = 0;
    sni_joint_stretch(on, d->model->dof.rest + on->iq, d->q + on->iq, stretch);
    for (int k = 0; k < on->nv; k++)
        sum += 0.5 * d->model->dof.stiffness[on->iv + k] * stretch[k] * stretch[k];
    return sum;
}

double sni_frozen_spring(const sni_frozen* frozen, int32_t n) {
    return frozen->inner_of[n] < 0 ? 0 : inner(frozen, n)->spring;
}

static void renew_body(sni_frozen* frozen, const sn_dynamics* d, int32_t n) {
    const sni_node* node = &d->tree->node[n];
    sni_frozen_node* out = inner(frozen, n);
    out->spring = sni_frozen_spring(frozen, node->b);
    if (node->a >= 0) out->spring += sni_frozen_spring(frozen, node->a);
    if (node->kind == SNI_NODE_JOINT || node->kind == SNI_NODE_GROUND)
        out->spring += spring_energy(d, node->body);
    sni_rigid A = {0}, B;
    sn_pose X_ud_a, X_ud_b, step = sni_frozen_step(frozen, d, n);
    if (node->a >= 0) sni_frozen_body(frozen, d, node->a, &A, &X_ud_a);
    sni_frozen_body(frozen, d, node->b, &B, &X_ud_b);
    B = sni_rigid_moved(step, &B);
    out->I = sni_rigid_sum(&A, &B);
    out->I.J = sni_symmetric_part(out->I.J);
    if (node->d >= 0) // of a single body, d is u
        out->X_ud = d->tree->node[node->b].d >= 0 ? sn_pose_mul(step, X_ud_b) : step;
}

// ---- wrenches -----------------------------------------------------------------------------------------------

/// Wrenches of a part as they are kept: zero where a leaf is not the first piece of its body.
static void wrenches_of(const sni_frozen* frozen, const sn_dynamics* d, int32_t n, sn_wrench* F,
                        sni_world_push* push) {
    const sni_node* node = &d->tree->node[n];
    if (node->kind != SNI_NODE_LEAF) {
        *F = inner(frozen, n)->F;
        *push = inner(frozen, n)->push;
        return;
    }
    int32_t slot = d->wrenches.slot[node->body] - 1;
    *F = sn_wrench_zero();
    *push = (sni_world_push){0};
    if (slot < 0 || d->tree->leaf_of[node->body] != n) return;
    *F = sni_wrench_from_user(d, node->body, sni_turning_wrench(d, slot));
    sn_wrench w = sn_wrench_zero();
    if (d->wrenches.axes[slot] == SN_AXES_WORLD) w = d->wrenches.wrench[slot];
    if (d->wrenches.field) w = sn_wrench_add(w, d->wrenches.field[node->body]);
    push->f = w.f;
    push->n = w.n;
}

void sni_frozen_renew_wrench(sni_frozen* frozen, const sn_dynamics* d, int32_t n) {
    const sni_node* node = &d->tree->node[n];
    if (node->u < 0) return; // held by the ground
    sn_wrench Fa, Fb;
    sni_world_push Pa, Pb;
    wrenches_of(frozen, d, node->a, &Fa, &Pa);
    wrenches_of(frozen, d, node->b, &Fb, &Pb);
    sn_pose step = sni_frozen_step(frozen, d, n);
    sni_frozen_node* out = inner(frozen, n);
    out->F = sn_wrench_add(Fa, sn_pose_wrench(step, Fb));
    out->push.f = sn_vec3_add(Pa.f, Pb.f);
    out->push.n = sn_vec3_add(Pa.n, Pb.n);
    // r in u_A is R r_B + p
    sn_mat3 moved = sn_mat3_add(sn_mat3_mul(step.R, Pb.rf), sni_outer(step.p, Pb.f));
    out->push.rf = sn_mat3_add(Pa.rf, moved);
}

sn_wrench sni_frozen_wrench(const sni_frozen* frozen, const sn_dynamics* d, int32_t n, sn_mat3 R) {
    sn_wrench F;
    sni_world_push push;
    wrenches_of(frozen, d, n, &F, &push);
    sn_mat3 A = sn_mat3_mul(push.rf, R); // sum of r (R' f)'
    sn_vec3 turn =
        sn_vec3_make(A.m[1][2] - A.m[2][1], A.m[2][0] - A.m[0][2], A.m[0][1] - A.m[1][0]);
    sn_wrench world = sn_wrench_make(sn_vec3_add(sn_mat3_apply_transposed(R, push.n), turn),
                                     sn_mat3_apply_transposed(R, push.f));
    return sn_wrench_add(F, world);
}

// ---- wholes -------------------------------------------------------------------------------------------------

void sni_begin_joining(const sni_frozen* frozen, const sn_dynamics* d, int32_t n, sni_joining* j) {
    const sni_node* node = &d->tree->node[n];
    j->part = (sni_part){.kind = node->kind, .u = node->u, .d = node->d};
    j->part.joined_below = node->kind == SNI_NODE_JOINT && d->tree->node[node->a].d >= 0;
    j->part.keeps_top = node->d >= 0 && d->tree->node[node->b].d < 0;
    sni_hinge_begin(&j->hinge, node->kind == SNI_NODE_WELD ? -1 : node->body);
    sni_hinge_update(&j->hinge, d->model, d->locked, d->armature);
    j->turned = false;
    j->columns = 1;
    if (node->kind == SNI_NODE_WELD) {
        memset(j->tau, 0, sizeof j->tau);
        return;
    }
    const sni_joint* joint = &d->model->joint[node->body];
    for (int k = 0; k < joint->nv; k++) {
        j->tau[k] = frozen->tau[joint->iv + k];
        j->weight[k] = frozen->weight[joint->iv + k];
    }
}

/// Acceleration of the ground, minus gravity, carried to the child of a ground node.
static sni_row6 ground_acceleration(const sn_dynamics* d, sn_pose X) {
    sn_twist up = sn_twist_make(sn_vec3_zero(), sn_vec3_neg(d->gravity));
    return sni_row6_from_twist(sn_pose_twist_inverse(X, up));
}

/// How a rigid node's joint would move: nothing moves in it, so what is left of c is what turns with u.
static void join_frozen(const sni_frozen* frozen, const sn_dynamics* d, int32_t n, sni_joining* j) {
    const sni_node* node = &d->tree->node[n];
    sni_begin_joining(frozen, d, n, j);
    for (int k = 0; k < SNI_Z; k++) j->c[k] = sni_row6_zero();
    if (node->kind == SNI_NODE_WELD) {
        j->columns = SNI_Z;
        return;
    }
    sni_hinge_place(&j->hinge, d->model, d->q);
    if (node->kind == SNI_NODE_GROUND) { // at rest: one column
        j->c[0] = ground_acceleration(d, j->hinge.X);
        return;
    }
    j->columns = SNI_Z;
    sn_mat3 R_uk = sn_mat3_identity();
    if (j->part.joined_below) R_uk = inner(frozen, node->a)->X_ud.R;
    sn_mat3 R_lu = sn_mat3_transpose(sn_mat3_mul(R_uk, j->hinge.X.R));
    j->turned = true;
    j->R_lu = R_lu;
    sni_add_centripetal(sn_mat3_apply(R_uk, j->hinge.X.p), 1, j->c);
    for (int k = 1; k < SNI_Z; k++) {
        sn_twist c = sni_row6_twist(&j->c[k]);
        j->c[k] = sni_row6_from_twist(sn_twist_make(c.w, sn_mat3_apply(R_lu, c.v)));
    }
}

static void assemble_whole(const sni_frozen* frozen, const sn_dynamics* d, int32_t n,
                           sni_whole* out) {
    const sni_node* node = &d->tree->node[n];
    sni_whole room_a, room_b;
    const sni_whole* A = node->a >= 0 ? sni_frozen_whole(frozen, d, node->a, &room_a) : NULL;
    const sni_whole* B = sni_frozen_whole(frozen, d, node->b, &room_b);
    if (node->kind == SNI_NODE_FOREST) {
        out->eta[0] = A->eta[0] + B->eta[0];
        return;
    }
    sni_joining j;
    join_frozen(frozen, d, n, &j);
    sni_view b = sni_whole_view(B, sni_node_has_joints(&d->tree->node[node->b])), a;
    if (A) a = sni_whole_view(A, sni_node_has_joints(&d->tree->node[node->a]));
    frozen->kernel->assemble(&j, A ? &a : NULL, &b, out);
}

const sni_whole* sni_frozen_whole(const sni_frozen* frozen, const sn_dynamics* d, int32_t n,
                                  sni_whole* room) {
    const sni_node* node = &d->tree->node[n];
    if (node->kind == SNI_NODE_LEAF) {
        sni_rigid I;
        sn_pose X_ud;
        sni_frozen_body(frozen, d, n, &I, &X_ud);
        sn_pose X_wb = d->wrenches.slot[node->body] ? d->ops->pose(d, node->body) : X_ud;
        sni_whole_of_body(&I, sni_frozen_wrench(frozen, d, n, X_wb.R), room);
        return room;
    }
    if (frozen->kept_of[n] >= 0) return &frozen->kept[frozen->kept_of[n]];
    assemble_whole(frozen, d, n, room);
    return room;
}

void sni_frozen_renew_whole(sni_frozen* frozen, const sn_dynamics* d, int32_t n) {
    if (frozen->kept_of[n] >= 0) assemble_whole(frozen, d, n, &frozen->kept[frozen->kept_of[n]]);
}

void sni_frozen_renew(sni_frozen* frozen, const sn_dynamics* d, int32_t n) {
    if (d->tree->node[n].kind == SNI_NODE_LEAF) return;
    renew_body(frozen, d, n);
    sni_frozen_renew_wrench(frozen, d, n);
    sni_frozen_renew_whole(frozen, d, n);
}
