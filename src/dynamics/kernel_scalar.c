// SPDX-License-Identifier: Apache-2.0
// The passes on doubles, for every machine, and the twin that vector code is tested against.
#include "dynamics/kernel.h"

#define REAL double
#define WHOLE(x) (x)
#define LEAST(a, b) ((b) < (a) ? (b) : (a))
#define SINCOS(x, s, c) (*(s) = sin(x), *(c) = cos(x))
#define TYPE(name) scalar_##name
#include "dynamics/world_memory.inc"
#include "dynamics/world_passes.inc"

typedef struct memory {
    scalar_memory at;
    const bool* locked;  ///< of the last backward
    uint8_t* way;        // [body_count] in which it took the joints out
    scalar_rate* hit;    // [body_count + 1] impulses on bodies: alpha is n, a is f
    scalar_rate* change; // [body_count + 1] of velocity
    double* no_tau;      // [nv] zeros
} memory;

static void* scalar_layout(const sn_model* model, sni_arena* arena) {
    size_t n = (size_t)model->body_count + 1, nv = (size_t)model->nv;
    memory* m = SN_ARENA_ARRAY(arena, memory, 1);
    memory sized = {
        .at = {.body = SN_ARENA_ARRAY(arena, scalar_body, n),
               .rows = SN_ARENA_ARRAY(arena, scalar_rows, n),
               .touched = SN_ARENA_ARRAY(arena, bool, n),
               .rate = SN_ARENA_ARRAY(arena, scalar_rate, n),
               .factor = SN_ARENA_ARRAY(arena, scalar_factor, nv),
               .axis = SN_ARENA_ARRAY(arena, scalar_axis, nv)},
        .way = SN_ARENA_ARRAY(arena, uint8_t, n),
        .hit = SN_ARENA_ARRAY(arena, scalar_rate, n),
        .change = SN_ARENA_ARRAY(arena, scalar_rate, n),
        .no_tau = SN_ARENA_ARRAY(arena, double, nv),
    };
    if (m) *m = sized;
    return m;
}

static vec from_vec3(sn_vec3 a) { return make(a.x, a.y, a.z); }
static sn_vec3 to_vec3(vec a) { return sn_vec3_make(a.x, a.y, a.z); }

static void scalar_prepare(const sn_model* model, void* context) {
    (void)model;
    set_ground(&((memory*)context)->at, zero());
}

static bool scalar_works(void) { return true; }

static void scalar_forward(const sn_model* model, void* context, sn_vec3 ground_a, const double* q,
                           const double* v, const double* qdd) {
    memory* m = context;
    set_ground(&m->at, from_vec3(ground_a));
    pass_forward(model, &m->at, q, v, qdd);
}

static void scalar_push(void* context, int32_t body, sn_wrench f_w) {
    scalar_rows* rows = touch(&((memory*)context)->at, body + 1);
    rows->n = plus(rows->n, -1, from_vec3(f_w.n));
    rows->f = plus(rows->f, -1, from_vec3(f_w.f));
}

static void scalar_inverse(const sn_model* model, void* context, double* tau) {
    pass_inverse(model, &((memory*)context)->at, tau);
}

static bool scalar_backward(const sn_model* model, void* context, const double* tau,
                            const double* armature, const bool* locked) {
    memory* m = context;
    m->locked = locked;
    for (int32_t i = 0; i < model->body_count; i++)
        m->way[i] = locked[i]                                   ? SNI_WAY_LOCKED
                    : model->joint[i].type == SN_JOINT_REVOLUTE ? SNI_WAY_HINGE
                                                                : SNI_WAY_OTHER;
    return pass_backward(model, &m->at, tau ? tau : m->no_tau, armature, locked) > 0;
}

static void scalar_accelerate(const sn_model* model, void* context, double* qdd) {
    memory* m = context;
    pass_accelerate(model, &m->at, m->locked, qdd);
}

static void scalar_hit(void* context, int32_t body, sn_wrench f_w) {
    scalar_rate* hit = &((memory*)context)->hit[body + 1];
    hit->alpha = plus(hit->alpha, -1, from_vec3(f_w.n));
    hit->a = plus(hit->a, -1, from_vec3(f_w.f));
}

static void scalar_impulse(const sn_model* model, void* context, const double* tau, double* dv) {
    memory* m = context;
    pass_impulse(model, &m->at, tau, m->locked, m->hit, m->change, dv);
}

static sni_factors scalar_factors(const void* context) {
    const memory* m = context;
    const scalar_body* first = &m->at.body[1];
    return (sni_factors){
        .z = &first->z.x,
        .r = &first->r.x,
        .V = &m->at.factor->V.x,
        .U = &m->at.factor->U.x,
        .inverse = &m->at.factor->inverse,
        .axis_w = &m->at.axis->w.x,
        .axis_v = &m->at.axis->v.x,
        .body_stride = sizeof *first / sizeof(double),
        .factor_stride = sizeof *m->at.factor / sizeof(double),
        .inverse_stride = sizeof *m->at.factor / sizeof(double),
        .axis_stride = sizeof *m->at.axis / sizeof(double),
        .way = m->way,
    };
}

static sni_kernel_motion scalar_motion(const void* context, int32_t body, bool solved) {
    const memory* m = context;
    const scalar_body* b = &m->at.body[body + 1];
    const scalar_rate* rate = &m->at.rate[body + 1];
    sni_kernel_motion motion = {
        sn_mat3_transpose(sn_mat3_rows(to_vec3(b->x), to_vec3(b->y), to_vec3(b->z))),
        to_vec3(b->r),
        to_vec3(b->w),
        to_vec3(solved ? add(b->alpha, rate->alpha) : b->alpha),
        to_vec3(solved ? add(b->a, rate->a) : b->a),
    };
    return motion;
}

static void scalar_place(const sn_model* model, const void* context, const double* v,
                         sni_places* to) {
    const memory* m = context;
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        sni_kernel_motion motion = scalar_motion(m, i, false);
        sn_vec3 p = motion.r, u = sn_vec3_zero();
        if (joint->parent >= 0) {
            sn_vec3 w = to_vec3(m->at.body[joint->parent + 1].w);
            p = sn_vec3_add(to->p[joint->parent], motion.r);
            u = sn_vec3_add(to->v[joint->parent], sn_vec3_cross(w, motion.r));
        }
        for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++) {
            if (joint->type == SN_JOINT_REVOLUTE) break; // turns only
            u = sn_vec3_add(u, sn_vec3_scale(v[k], to_vec3(m->at.axis[k].v)));
        }
        sn_mat3 R = sn_mat3_mul(motion.R, sn_mat3_transpose(model->R_bc[i]));
        to->p[i] = p;
        to->v[i] = u;
        to->pose[i] = sn_pose_make(R, p);
        to->twist[i] =
            sn_twist_make(sn_mat3_apply_transposed(R, motion.w), sn_mat3_apply_transposed(R, u));
    }
}

static sn_twist scalar_change(const void* context, int32_t body) {
    const scalar_rate* change = &((const memory*)context)->change[body + 1];
    return sn_twist_make(to_vec3(change->alpha), to_vec3(change->a));
}

static sn_twist scalar_axis_of(const sn_model* model, const void* context, int32_t body,
                               int32_t dof) {
    const memory* m = context;
    if (model->joint[body].type == SN_JOINT_REVOLUTE)
        return sn_twist_make(to_vec3(m->at.body[body + 1].z), sn_vec3_zero());
    return sn_twist_make(to_vec3(m->at.axis[dof].w), to_vec3(m->at.axis[dof].v));
}

const sni_kernel sni_kernel_scalar = {
    .name = "scalar",
    .works = scalar_works,
    .layout = scalar_layout,
    .prepare = scalar_prepare,
    .forward = scalar_forward,
    .push = scalar_push,
    .inverse = scalar_inverse,
    .backward = scalar_backward,
    .accelerate = scalar_accelerate,
    .hit = scalar_hit,
    .impulse = scalar_impulse,
    .factors = scalar_factors,
    .motion = scalar_motion,
    .place = scalar_place,
    .change = scalar_change,
    .axis = scalar_axis_of,
};
