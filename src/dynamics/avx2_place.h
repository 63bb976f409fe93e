// SPDX-License-Identifier: Apache-2.0
/// Where the bodies are and how they move, as others ask for it.
#ifndef SN_DYNAMICS_AVX2_PLACE_H
#define SN_DYNAMICS_AVX2_PLACE_H

#include "dynamics/avx2_memory.h"

/// Axes that the user knows a body by: columns of R_wc R_bc'.
INLINE void user_axes(const body* on, const sn_mat3* R_bc, sni_lane4 axes[3]) {
    for (int k = 0; k < 3; k++) axes[k] = combine(on, R_bc->m[k][0], R_bc->m[k][1], R_bc->m[k][2]);
}

INLINE sn_vec3 along(const sni_lane4 axes[3], sni_lane4 a) {
    return sni_lane4_vec(sums(a * axes[0], a * axes[1], a * axes[2]));
}

static void avx2_place(const sn_model* model, const void* context, const double* v,
                       sni_places* to) {
    const memory* m = context;
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        const body* on = &m->body[i + 1];
        sni_lane4 p = on->r, u = sni_lane4_zero(), axes[3];
        if (joint->parent >= 0) {
            p += sni_lane4_from(to->p[joint->parent]);
            u = sni_lane4_from(to->v[joint->parent]) +
                sni_cross4(m->body[joint->parent + 1].w, on->r);
        }
        bool turns_only = joint->type == SN_JOINT_REVOLUTE || joint->type == SN_JOINT_SPHERICAL;
        for (int32_t k = joint->iv; !turns_only && k < joint->iv + joint->nv; k++)
            u += m->axis[k].v * v[k];
        user_axes(on, &model->R_bc[i], axes);
        to->p[i] = sni_lane4_vec(p);
        to->v[i] = sni_lane4_vec(u);
        for (int k = 0; k < 3; k++)
            for (int r = 0; r < 3; r++) to->pose[i].R.m[r][k] = axes[k][r];
        to->pose[i].p = sni_lane4_vec(p);
        to->twist[i].w = along(axes, on->w);
        to->twist[i].v = along(axes, u);
    }
}

#endif
