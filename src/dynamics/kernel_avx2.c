// SPDX-License-Identifier: Apache-2.0
// The passes for AVX2 with FMA: one state, vectors in space across the lanes of a register.
//
// Inertia and bias force of a body are nine registers,
//     J rows [J | 0]    H rows [H | n]    M rows [M | f]
// so that one update serves both: lane 3 of U starts at -tau and becomes -u. Rigid inertias are
// computed four bodies at a time, a body per lane. The backward pass is bound by the latency of the
// chain V - D - 1/D - update; what it hands to the body before it stays in registers.
#include "dynamics/kernel.h"

#if defined(__AVX2__) && defined(__FMA__)

#include "dynamics/avx2_motion.h"
#include "dynamics/avx2_place.h"
#include "dynamics/avx2_solve.h"

static bool avx2_works(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static void* avx2_layout(const sn_model* model, sni_arena* arena) {
    size_t blocks = ((size_t)model->body_count + 3) / 4, padded = 4 * blocks + 1;
    size_t n = (size_t)model->body_count + 1, nv = (size_t)model->nv;
    memory* m = SN_ARENA_ARRAY(arena, memory, 1);
    memory sized = {
        .block = SN_ARENA_ARRAY(arena, block, blocks),
        .body = SN_ARENA_ARRAY(arena, body, padded),
        .rows = SN_ARENA_ARRAY(arena, rows, padded),
        .rate = SN_ARENA_ARRAY(arena, rate, n),
        .factor = SN_ARENA_ARRAY(arena, factor, nv),
        .axis = SN_ARENA_ARRAY(arena, axis, nv),
        .inverse = SN_ARENA_ARRAY(arena, double, nv),
        .no_tau = SN_ARENA_ARRAY(arena, double, nv),
        .way = SN_ARENA_ARRAY(arena, uint8_t, n),
        .hit = SN_ARENA_ARRAY(arena, rate, padded),
        .change = SN_ARENA_ARRAY(arena, rate, n),
    };
    if (m) *m = sized;
    return m;
}

static void avx2_prepare(const sn_model* model, void* context) {
    memory* m = context;
    for (int32_t i = 0; i < model->body_count; i++) {
        const sn_pose* X = &model->joint[i].X_pj;
        const sni_rigid* I = &model->inertia[i];
        block* b = &m->block[i / 4];
        int k = i % 4;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) b->R[r][c][k] = X->R.m[r][c];
        b->p[0][k] = X->p.x, b->p[1][k] = X->p.y, b->p[2][k] = X->p.z;
        b->m[k] = I->m;
        b->h[0][k] = I->h.x, b->h[1][k] = I->h.y, b->h[2][k] = I->h.z;
        b->J[0][k] = I->J.m[0][0], b->J[1][k] = I->J.m[0][1], b->J[2][k] = I->J.m[0][2];
        b->J[3][k] = I->J.m[1][1], b->J[4][k] = I->J.m[1][2], b->J[5][k] = I->J.m[2][2];
    }
    m->body[0].x = sni_lane4_make(1, 0, 0, 0);
    m->body[0].y = sni_lane4_make(0, 1, 0, 0);
    m->body[0].z = sni_lane4_make(0, 0, 1, 0);
}

static sni_factors avx2_factors(const void* context) {
    const memory* m = context;
    const body* first = &m->body[1];
    return (sni_factors){
        .z = (const double*)&first->z,
        .r = (const double*)&first->r,
        .V = (const double*)&m->factor->V,
        .U = (const double*)&m->factor->U,
        .inverse = m->inverse,
        .axis_w = (const double*)&m->axis->w,
        .axis_v = (const double*)&m->axis->v,
        .body_stride = sizeof *first / sizeof(double),
        .factor_stride = sizeof *m->factor / sizeof(double),
        .inverse_stride = 1,
        .axis_stride = sizeof *m->axis / sizeof(double),
        .way = m->way,
    };
}

// ---- questions ---------------------------------------------------------------------------------------------

static sni_kernel_motion avx2_motion(const void* context, int32_t i, bool solved) {
    const memory* m = context;
    const body* on = &m->body[i + 1];
    sn_mat3 columns =
        sn_mat3_rows(sni_lane4_vec(on->x), sni_lane4_vec(on->y), sni_lane4_vec(on->z));
    sni_lane4 alpha = on->alpha, a = on->a;
    if (solved) alpha += m->rate[i + 1].alpha, a += m->rate[i + 1].a;
    sni_kernel_motion motion = {sn_mat3_transpose(columns), sni_lane4_vec(on->r),
                                sni_lane4_vec(on->w), sni_lane4_vec(alpha), sni_lane4_vec(a)};
    return motion;
}

static sn_twist avx2_change(const void* context, int32_t i) {
    const rate* change = &((const memory*)context)->change[i + 1];
    return sn_twist_make(sni_lane4_vec(change->alpha), sni_lane4_vec(change->a));
}

static sn_twist avx2_axis(const sn_model* model, const void* context, int32_t i, int32_t dof) {
    const memory* m = context;
    const body* on = &m->body[i + 1];
    if (model->joint[i].type == SN_JOINT_REVOLUTE)
        return sn_twist_make(sni_lane4_vec(on->z), sn_vec3_zero());
    if (model->joint[i].type == SN_JOINT_SPHERICAL)
        return sn_twist_make(sni_lane4_vec((&on->x)[dof - model->joint[i].iv]), sn_vec3_zero());
    return sn_twist_make(sni_lane4_vec(m->axis[dof].w), sni_lane4_vec(m->axis[dof].v));
}

const sni_kernel sni_kernel_avx2 = {
    .name = "avx2",
    .works = avx2_works,
    .layout = avx2_layout,
    .prepare = avx2_prepare,
    .forward = avx2_forward,
    .push = avx2_push,
    .inverse = avx2_inverse,
    .backward = avx2_backward,
    .accelerate = avx2_accelerate,
    .hit = avx2_hit,
    .impulse = avx2_impulse,
    .factors = avx2_factors,
    .motion = avx2_motion,
    .place = avx2_place,
    .change = avx2_change,
    .axis = avx2_axis,
};

#else

static bool nowhere(void) { return false; }

const sni_kernel sni_kernel_avx2 = {.name = "avx2", .works = nowhere};

#endif
