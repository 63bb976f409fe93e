// SPDX-License-Identifier: Apache-2.0
#include "dynamics/fast.h"

#include <string.h>

#include "base/hot.h"

void sni_fast_layout(sni_fast* fast, const sni_kernel* kernel, const sn_model* model,
                     sni_arena* arena) {
    fast->kernel = kernel;
    fast->memory = kernel->layout(model, arena);
    fast->at.p = SN_ARENA_ARRAY(arena, sn_vec3, model->body_count);
    fast->at.v = SN_ARENA_ARRAY(arena, sn_vec3, model->body_count);
    fast->at.pose = SN_ARENA_ARRAY(arena, sn_pose, model->body_count);
    fast->at.twist = SN_ARENA_ARRAY(arena, sn_twist, model->body_count);
    fast->scratch = SN_ARENA_ARRAY(arena, double, model->nv);
    fast->composite = SN_ARENA_ARRAY(arena, sni_rigid, model->body_count);
    fast->r = SN_ARENA_ARRAY(arena, sn_vec3, model->body_count);
    fast->S = SN_ARENA_ARRAY(arena, sn_twist, model->nv);
}

void sni_fast_start(sn_dynamics* d, sni_fast* fast) {
    fast->kernel->prepare(d->model, fast->memory);
    d->places = &fast->at;
}

void sni_fast_kinematics(sn_dynamics* d, sni_fast* fast) {
    fast->kernel->forward(d->model, fast->memory, sn_vec3_neg(d->gravity), d->q, d->v, NULL);
    fast->ready = true;
    fast->solved = false;
    fast->at.current = false;
}

/// The external wrenches; the bias forces are then no longer those of the state alone.
static void push_external(sn_dynamics* d, sni_fast* fast) {
    for (int32_t k = 0; k < d->wrenches.count; k++) {
        int32_t body = d->wrenches.body[k];
        sn_mat3 R_wb = fast->kernel->motion(fast->memory, body, false).R;
        fast->kernel->push(fast->memory, body, sni_external_wrench(d, k, R_wb));
    }
    fast->ready = false;
}

void sni_fast_load(sn_dynamics* d, sni_fast* fast) {
    if (!fast->ready) sni_fast_kinematics(d, fast);
    push_external(d, fast);
}

void sni_fast_inverse(sn_dynamics* d, sni_fast* fast, const double* qdd, bool moving, double* tau) {
    const sn_model* model = d->model;
    sn_vec3 ground = moving ? sn_vec3_neg(d->gravity) : sn_vec3_zero();
    double* none = fast->scratch;
    memset(none, 0, (size_t)model->nv * sizeof *none);
    fast->kernel->forward(model, fast->memory, ground, d->q, moving ? d->v : none,
                          qdd ? qdd : none);
    fast->solved = false;
    fast->at.current = false;
    fast->ready = false;
    if (moving) push_external(d, fast);
    fast->kernel->inverse(model, fast->memory, tau);
    for (int32_t k = 0; qdd && k < model->nv; k++) tau[k] += d->armature[k] * qdd[k];
}

// ---- joint-space inertia ----------------------------------------------------------------------------------

/// Inertias, offsets and subspaces of all bodies in world axes.
static void spread_out(sn_dynamics* d, sni_fast* fast) {
    const sn_model* model = d->model;
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        sni_kernel_motion motion = fast->kernel->motion(fast->memory, i, false);
        fast->r[i] = motion.r;
        fast->composite[i] = sni_rigid_turned(motion.R, &model->inertia[i]);
        for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++)
            fast->S[k] = fast->kernel->axis(model, fast->memory, i, k);
    }
}

/// Adds a body, with all it carries, to its parent.
static void load_parent(const sn_model* model, sni_fast* fast, int32_t i) {
    int32_t parent = model->joint[i].parent;
    if (parent < 0) return;
    sni_rigid felt = sni_rigid_shifted(fast->r[i], &fast->composite[i]);
    fast->composite[parent] = sni_rigid_sum(&fast->composite[parent], &felt);
}

// In world axes a force climbs to the parent by n += r x f alone.   [F08 ch 6]
void sni_fast_mass_matrix(sn_dynamics* d, sni_fast* fast, const sni_rows* rows) {
    const sn_model* model = d->model;
    spread_out(d, fast);
    for (int32_t i = model->body_count - 1; i >= 0; i--) {
        const sni_joint* joint = &model->joint[i];
        for (int32_t c = joint->iv; c < joint->iv + joint->nv; c++) {
            sn_wrench F = sni_rigid_mul(&fast->composite[i], fast->S[c]);
            for (int32_t k = joint->iv; k <= c; k++)
                *sni_rows_entry(rows, c, k) = sn_power(F, fast->S[k]);
            *sni_rows_entry(rows, c, c) += d->armature[c];
            for (int32_t j = i; model->joint[j].parent >= 0;) {
                F.n = sn_vec3_add(F.n, sn_vec3_cross(fast->r[j], F.f));
                j = model->joint[j].parent;
                const sni_joint* above = &model->joint[j];
                for (int32_t k = above->iv; k < above->iv + above->nv; k++)
                    *sni_rows_entry(rows, c, k) = sn_power(F, fast->S[k]);
            }
        }
        load_parent(model, fast, i);
    }
}

// What a joint moves is the body and all it carries, as one.
SN_HOT sn_vec3 sni_fast_momentum(sn_dynamics* d, sni_fast* fast, sn_wrench* column) {
    const sn_model* model = d->model;
    sn_vec3 moment = sn_vec3_zero();
    spread_out(d, fast);
    sni_fast_place(d, fast);
    for (int32_t i = model->body_count - 1; i >= 0; i--) {
        const sni_joint* joint = &model->joint[i];
        const sni_rigid* I = &fast->composite[i];
        sn_vec3 p = fast->at.p[i];
        for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++) {
            column[k] = sni_rigid_mul(I, fast->S[k]);
            column[k].n = sn_vec3_add(column[k].n, sn_vec3_cross(p, column[k].f));
        }
        if (joint->parent < 0)
            moment = sn_vec3_add(moment, sn_vec3_add(I->h, sn_vec3_scale(I->m, p)));
        load_parent(model, fast, i);
    }
    return moment;
}

// ---- questions ---------------------------------------------------------------------------------------------

void sni_fast_place(const sn_dynamics* d, sni_fast* fast) {
    if (fast->at.current) return;
    fast->kernel->place(d->model, fast->memory, d->v, &fast->at);
    fast->at.current = true;
}

sn_pose sni_fast_pose(const sn_dynamics* d, sni_fast* fast, int32_t body) {
    sni_fast_place(d, fast);
    return sn_pose_make(fast->kernel->motion(fast->memory, body, false).R, fast->at.p[body]);
}

sn_twist sni_fast_velocity(const sn_dynamics* d, sni_fast* fast, int32_t body) {
    sni_fast_place(d, fast);
    sni_kernel_motion motion = fast->kernel->motion(fast->memory, body, false);
    return sn_twist_make(sn_mat3_apply_transposed(motion.R, motion.w),
                         sn_mat3_apply_transposed(motion.R, fast->at.v[body]));
}

sn_twist sni_fast_acceleration(const sn_dynamics* d, sni_fast* fast, int32_t body) {
    sni_fast_place(d, fast);
    sni_kernel_motion motion = fast->kernel->motion(fast->memory, body, fast->solved);
    // from classical to spatial
    sn_vec3 a = sn_vec3_sub(motion.a, sn_vec3_cross(motion.w, fast->at.v[body]));
    return sn_twist_make(sn_mat3_apply_transposed(motion.R, motion.alpha),
                         sn_mat3_apply_transposed(motion.R, a));
}
