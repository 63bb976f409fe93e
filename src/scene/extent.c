// SPDX-License-Identifier: Apache-2.0
// Where the bodies of a model are at q: how low they reach, and how heavy their joints feel.
#include <math.h>
#include <stdlib.h>

#include "model/sn_model.h"
#include "scene/sn_scene.h"

/// Poses of all bodies, canonical axes, when the world is at X_w; to be freed. NULL without memory.
static sn_pose* poses_at(const sn_model* model, sn_pose X_w, const double* q) {
    sn_pose* X = malloc(((size_t)model->body_count + 1) * sizeof *X);
    for (int32_t i = 0; X && i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        sn_pose parent = joint->parent < 0 ? X_w : X[joint->parent];
        X[i] = sn_pose_mul(sn_pose_mul(parent, joint->X_pj), sni_joint_pose(joint, q + joint->iq));
    }
    return X;
}

static double lowest_corner(const sn_shape_info* shape, sn_vec3 down) {
    double most = -INFINITY;
    for (int32_t i = 0; i < shape->vertex_count; i++)
        most = fmax(most, sn_vec3_dot(shape->vertices[i], down));
    return most;
}

/// How far a shape reaches along the unit vector d of its own axes; -INFINITY: it has no extent.
static double reach(const sn_shape_info* shape, sn_vec3 d) {
    sn_vec3 size = shape->size;
    switch (shape->type) {
    case SN_SHAPE_SPHERE: return size.x;
    case SN_SHAPE_CAPSULE: return size.x + 0.5 * size.z * fabs(d.z);
    case SN_SHAPE_CYLINDER: return size.x * hypot(d.x, d.y) + 0.5 * size.z * fabs(d.z);
    case SN_SHAPE_BOX: return 0.5 * (size.x * fabs(d.x) + size.y * fabs(d.y) + size.z * fabs(d.z));
    case SN_SHAPE_MESH:
    case SN_SHAPE_HULL: return lowest_corner(shape, d);
    case SN_SHAPE_PLANE: break;
    }
    return -INFINITY;
}

bool sni_lowest(const sn_model* model, sn_pose X_w, const double* q, double* lowest) {
    *lowest = INFINITY;
    sn_pose* X = poses_at(model, X_w, q);
    for (int32_t s = 0; X && s < model->shape_count; s++) {
        const sn_shape_info* shape = &model->shape[s];
        int32_t b = shape->body.i;
        if (b < 0 || !(shape->use & SN_SHAPE_COLLISION)) continue;
        sn_pose to_body = sn_pose_make(sn_mat3_transpose(model->R_bc[b]), sn_vec3_zero());
        sn_pose X_ws = sn_pose_mul(sn_pose_mul(X[b], to_body), shape->X_bs);
        sn_vec3 down = sn_mat3_apply_transposed(X_ws.R, sn_vec3_make(0, 0, -1));
        *lowest = fmin(*lowest, X_ws.p.z - reach(shape, down));
    }
    bool enough = X;
    free(X);
    return enough;
}

/// Of the twist t: twice the kinetic energy of a body.
static double inertia_along(const sn_inertia* I, sn_twist t) {
    sn_vec3 v = sn_vec3_add(t.v, sn_vec3_cross(t.w, I->com));
    return I->mass * sn_vec3_dot(v, v) + sn_vec3_dot(t.w, sn_mat3_apply(I->I, t.w));
}

// M[k][k] = S_k' I^c S_k + armature, I^c: what the joint carries, as one body.   [F08 ch 6]
bool sni_inertia_diagonal(const sn_model* model, const double* q, double* diagonal) {
    int32_t n = model->body_count;
    sn_inertia* carried = malloc(((size_t)n + 1) * sizeof *carried);
    if (!carried) return false;
    for (int32_t i = 0; i < n; i++) {
        sn_pose canonical = sn_pose_make(sn_mat3_transpose(model->R_bc[i]), sn_vec3_zero());
        carried[i] = sn_inertia_moved(canonical, model->body[i].inertia);
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        const sni_joint* joint = &model->joint[i];
        sn_twist S[SN_JOINT_MAX_NV];
        sni_joint_subspace(joint, q + joint->iq, S);
        for (int k = 0; k < joint->nv; k++)
            diagonal[joint->iv + k] =
                inertia_along(&carried[i], S[k]) + model->dof.armature[joint->iv + k];
        if (joint->parent < 0) continue;
        sn_pose X = sn_pose_mul(joint->X_pj, sni_joint_pose(joint, q + joint->iq));
        sn_inertia* parent = &carried[joint->parent];
        *parent = sn_inertia_sum(*parent, sn_inertia_moved(X, carried[i]));
    }
    free(carried);
    return true;
}
