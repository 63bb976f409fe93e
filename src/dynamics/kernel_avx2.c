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

#include "math/lane4.h"
#include "math/sincos4.h"

/// Constants of four consecutive bodies, a body per lane.
typedef struct block {
    sni_lane4 R[3][3], p[3]; ///< X_pj
    sni_lane4 m, h[3], J[6]; ///< inertia about the body origin: xx xy xz yy yz zz
} block;

/// Motion of a body, with zero qdd and gravity at the ground.
typedef struct body {
    sni_lane4 x, y, z; ///< axes of the body: columns of R_wb
    sni_lane4 r;       ///< from the parent's origin to the body's
    sni_lane4 w, alpha, a;
} body;

typedef struct rows {
    sni_lane4 J[3], H[3], M[3];
} rows;

/// What is left of an eliminated degree of freedom: V/D, U/D, and -u/D in lane 3 of U. Those of a hinge
/// are at the parent's origin.
typedef struct factor {
    sni_lane4 V, U;
} factor;

/// Acceleration due to qdd alone (lane 3 of a is one), or an impulse (n in alpha, f in a).
typedef struct rate {
    sni_lane4 alpha, a;
} rate;

/// Motion subspace of one degree of freedom. Hinges have body.z instead; ball joints the axes of the
/// body, and keep a row of D^-1 in v.
typedef struct axis {
    sni_lane4 w, v;
} axis;

/// The ground comes first in body, rows, rate, hit and change.
typedef struct memory {
    block* block;     // [blocks]
    body* body;       // [4 blocks + 1]
    rows* rows;       // [4 blocks + 1]
    rate* rate;       // [body_count + 1]
    factor* factor;   // [nv]
    axis* axis;       // [nv]
    double* inverse;  // [nv] 1/D
    uint8_t* way;     // [body_count] how backward took the joint out
    bool forces_only; ///< the last forward left bias forces in hit, no inertias
    rate* hit;        // [4 blocks + 1] zero between uses
    rate* change;     // [body_count + 1]
} memory;

enum { WAY_LOCKED, WAY_HINGE, WAY_BALL, WAY_OTHER };

#define INLINE static inline __attribute__((always_inline))

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

// ---- forward: motion and rigid inertias, four bodies at a time -----------------------------------------

/// Local rotation and offset of four bodies, [row][column][body].
typedef struct local {
    _Alignas(32) double R[3][3][4];
    _Alignas(32) double p[3][4];
} local;

/// X_pj Rz(angle) of four bodies.
INLINE void turn_hinges(const block* b, sni_lane4 angle, local* to) {
    sni_lane4 s, c;
    sni_sincos4(angle, &s, &c);
    for (int r = 0; r < 3; r++) {
        *(sni_lane4*)to->R[r][0] = b->R[r][0] * c + b->R[r][1] * s;
        *(sni_lane4*)to->R[r][1] = b->R[r][1] * c - b->R[r][0] * s;
        *(sni_lane4*)to->R[r][2] = b->R[r][2];
        *(sni_lane4*)to->p[r] = b->p[r];
    }
}

/// From the parent's motion to that of body k of the block, whose hinge turns about z.
INLINE void move_hinge(const local* at, int k, double rate_v, double rate_a, body* on) {
    sni_lane4 x = on->x, y = on->y, z = on->z, w = on->w, alpha = on->alpha;
    sni_lane4 s = x * at->R[0][2][k] + y * at->R[1][2][k] + z * at->R[2][2][k];
    sni_lane4 r = x * at->p[0][k] + y * at->p[1][k] + z * at->p[2][k];
    sni_lane4 w_J = s * rate_v;
    on->x = x * at->R[0][0][k] + y * at->R[1][0][k] + z * at->R[2][0][k];
    on->y = x * at->R[0][1][k] + y * at->R[1][1][k] + z * at->R[2][1][k];
    on->z = s;
    on->r = r;
    on->w = w + w_J;
    on->alpha = alpha + (sni_cross4(w, w_J) + s * rate_a);
    on->a += sni_cross4(alpha, r) + sni_cross4(w, sni_cross4(w, r));
}

/// x a + y b + z c.
INLINE sni_lane4 combine(const body* on, double a, double b, double c) {
    return on->x * a + on->y * b + on->z * c;
}

/// The same for a ball joint with quaternion q.
static __attribute__((noinline)) void move_ball(const sn_pose* X, const double* q, const double* v,
                                                const double* qdd, body* on) {
    double w = q[0], x = q[1], y = q[2], z = q[3];
    body at = {.x = combine(on, X->R.m[0][0], X->R.m[1][0], X->R.m[2][0]),
               .y = combine(on, X->R.m[0][1], X->R.m[1][1], X->R.m[2][1]),
               .z = combine(on, X->R.m[0][2], X->R.m[1][2], X->R.m[2][2])};
    sni_lane4 r = combine(on, X->p.x, X->p.y, X->p.z);
    on->x = combine(&at, 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y));
    on->y = combine(&at, 2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x));
    on->z = combine(&at, 2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y));
    on->r = r;
    on->a += sni_cross4(on->alpha, r) + sni_cross4(on->w, sni_cross4(on->w, r));
    sni_lane4 w_J = combine(on, v[0], v[1], v[2]);
    on->alpha += sni_cross4(on->w, w_J);
    if (qdd) on->alpha += combine(on, qdd[0], qdd[1], qdd[2]);
    on->w += w_J;
}

INLINE sni_lane4 turned(const body* b, sn_vec3 a) { return b->x * a.x + b->y * a.y + b->z * a.z; }

/// The same for any other joint; its motion subspace is kept for the passes to come.
static __attribute__((noinline)) void move_other(const sni_joint* joint, const double* q,
                                                 const double* v, const double* qdd, local* at,
                                                 int k, axis* S, body* on) {
    sn_pose X = sn_pose_mul(joint->X_pj, sni_joint_pose(joint, q));
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) at->R[r][c][k] = X.R.m[r][c];
    at->p[0][k] = X.p.x, at->p[1][k] = X.p.y, at->p[2][k] = X.p.z;
    sni_lane4 w = on->w;
    move_hinge(at, k, 0, 0, on); // pose, and what the parent's motion does

    sn_twist subspace[SN_JOINT_MAX_NV], ring = sni_joint_bias(joint, q, v);
    sni_joint_subspace(joint, q, subspace);
    sni_lane4 w_J = sni_lane4_zero(), v_J = w_J, alpha_J = w_J, a_J = w_J;
    for (int d = 0; d < joint->nv; d++) {
        S[d].w = turned(on, subspace[d].w);
        S[d].v = turned(on, subspace[d].v);
        w_J += S[d].w * v[d];
        v_J += S[d].v * v[d];
        if (!qdd) continue;
        alpha_J += S[d].w * qdd[d];
        a_J += S[d].v * qdd[d];
    }
    on->w = w + w_J;
    on->alpha += sni_cross4(w, w_J) + turned(on, ring.w) + alpha_J;
    on->a += sni_cross4(2 * w + w_J, v_J) + turned(on, ring.v) + a_J;
}

/// (a, b, c, d) of four bodies, a body per lane, to one row of each body.
#define PUT_ROWS(field, to, a, b, c, d)                                                            \
    do {                                                                                           \
        sni_lane4 row0 = a, row1 = b, row2 = c, row3 = d;                                          \
        sni_transpose4(&row0, &row1, &row2, &row3);                                                \
        (to)[0].field = row0, (to)[1].field = row1;                                                \
        (to)[2].field = row2, (to)[3].field = row3;                                                \
    } while (0)

/// One vector of four bodies by component: [component], a body per lane.
#define GET_PARTS(part, field)                                                                     \
    sni_lane4 part[4] = {on[0].field, on[1].field, on[2].field, on[3].field};                      \
    sni_transpose4(&part[0], &part[1], &part[2], &part[3])

/// Bias forces of four bodies in world axes: with their inertias to `to`, or alone to `forces`.
INLINE void weigh(const block* of, const body on[4], rows to[4], rate forces[4]) {
    GET_PARTS(x, x);
    GET_PARTS(y, y);
    GET_PARTS(z, z);
    sni_lane4 A[3][3], h[3];
    for (int i = 0; i < 3; i++) { // R J, R h
        A[i][0] = x[i] * of->J[0] + y[i] * of->J[1] + z[i] * of->J[2];
        A[i][1] = x[i] * of->J[1] + y[i] * of->J[3] + z[i] * of->J[4];
        A[i][2] = x[i] * of->J[2] + y[i] * of->J[4] + z[i] * of->J[5];
        h[i] = x[i] * of->h[0] + y[i] * of->h[1] + z[i] * of->h[2];
    }
    sni_lane4 xx = A[0][0] * x[0] + A[0][1] * y[0] + A[0][2] * z[0];
    sni_lane4 xy = A[0][0] * x[1] + A[0][1] * y[1] + A[0][2] * z[1];
    sni_lane4 xz = A[0][0] * x[2] + A[0][1] * y[2] + A[0][2] * z[2];
    sni_lane4 yy = A[1][0] * x[1] + A[1][1] * y[1] + A[1][2] * z[1];
    sni_lane4 yz = A[1][0] * x[2] + A[1][1] * y[2] + A[1][2] * z[2];
    sni_lane4 zz = A[2][0] * x[2] + A[2][1] * y[2] + A[2][2] * z[2];
    sni_lane4 zero = sni_lane4_zero();
    if (to) {
        PUT_ROWS(J[0], to, xx, xy, xz, zero);
        PUT_ROWS(J[1], to, xy, yy, yz, zero);
        PUT_ROWS(J[2], to, xz, yz, zz, zero);
    }

    // f = m a + alpha x h + w x (w x h)     n = J alpha + w x J w + h x a
    GET_PARTS(w, w);
    GET_PARTS(e, alpha);
    GET_PARTS(a, a);
    sni_lane4 m = of->m;
    sni_lane4 wh[3] = {w[1] * h[2] - w[2] * h[1], w[2] * h[0] - w[0] * h[2],
                       w[0] * h[1] - w[1] * h[0]};
    sni_lane4 f0 = m * a[0] + (e[1] * h[2] - e[2] * h[1]) + (w[1] * wh[2] - w[2] * wh[1]);
    sni_lane4 f1 = m * a[1] + (e[2] * h[0] - e[0] * h[2]) + (w[2] * wh[0] - w[0] * wh[2]);
    sni_lane4 f2 = m * a[2] + (e[0] * h[1] - e[1] * h[0]) + (w[0] * wh[1] - w[1] * wh[0]);
    if (to) {
        PUT_ROWS(M[0], to, m, zero, zero, f0);
        PUT_ROWS(M[1], to, zero, m, zero, f1);
        PUT_ROWS(M[2], to, zero, zero, m, f2);
    }
    sni_lane4 Jw[3] = {xx * w[0] + xy * w[1] + xz * w[2], xy * w[0] + yy * w[1] + yz * w[2],
                       xz * w[0] + yz * w[1] + zz * w[2]};
    sni_lane4 n0 = xx * e[0] + xy * e[1] + xz * e[2] + (w[1] * Jw[2] - w[2] * Jw[1]) +
                   (h[1] * a[2] - h[2] * a[1]);
    sni_lane4 n1 = xy * e[0] + yy * e[1] + yz * e[2] + (w[2] * Jw[0] - w[0] * Jw[2]) +
                   (h[2] * a[0] - h[0] * a[2]);
    sni_lane4 n2 = xz * e[0] + yz * e[1] + zz * e[2] + (w[0] * Jw[1] - w[1] * Jw[0]) +
                   (h[0] * a[1] - h[1] * a[0]);
    if (to) {
        PUT_ROWS(H[0], to, zero, -h[2], h[1], n0);
        PUT_ROWS(H[1], to, h[2], zero, -h[0], n1);
        PUT_ROWS(H[2], to, -h[1], h[0], zero, n2);
    } else {
        PUT_ROWS(alpha, forces, n0, n1, n2, zero);
        PUT_ROWS(a, forces, f0, f1, f2, zero);
    }
}

static void avx2_forward(const sn_model* model, void* context, sn_vec3 ground_a, const double* q,
                         const double* v, const double* qdd) {
    memory* m = context;
    m->forces_only = qdd != NULL;
    m->body[0].a = sni_lane4_from(ground_a);
    body on = m->body[0];
    for (int32_t first = 0; first < model->body_count; first += 4) {
        const sni_joint* joint = &model->joint[first];
        int count = model->body_count - first < 4 ? model->body_count - first : 4;
        _Alignas(32) double angle[4] = {0};
        local at;
        for (int k = 0; k < count; k++)
            if (joint[k].type == SN_JOINT_REVOLUTE) angle[k] = q[joint[k].iq];
        turn_hinges(&m->block[first / 4], *(sni_lane4*)angle, &at);
        for (int k = 0; k < count; k++) {
            int32_t i = first + k, iq = joint[k].iq, iv = joint[k].iv;
            if (joint[k].parent != i - 1) on = m->body[joint[k].parent + 1];
            if (joint[k].type == SN_JOINT_REVOLUTE) {
                move_hinge(&at, k, v[iv], qdd ? qdd[iv] : 0, &on);
                m->body[i + 1] = on;
                continue;
            }
            // a copy, so that `on` itself may stay in registers
            m->body[i + 1] = on;
            if (joint[k].type == SN_JOINT_SPHERICAL)
                move_ball(&joint[k].X_pj, q + iq, v + iv, qdd ? qdd + iv : NULL, &m->body[i + 1]);
            else
                move_other(&joint[k], q + iq, v + iv, qdd ? qdd + iv : NULL, &at, k, m->axis + iv,
                           &m->body[i + 1]);
            on = m->body[i + 1];
        }
        if (qdd)
            weigh(&m->block[first / 4], &m->body[first + 1], NULL, &m->hit[first + 1]);
        else
            weigh(&m->block[first / 4], &m->body[first + 1], &m->rows[first + 1], NULL);
    }
}

/// A row with x added to its lane 3.
INLINE sni_lane4 with_lane3(sni_lane4 row, double x) {
    return row + x * sni_lane4_make(0, 0, 0, 1);
}

static void avx2_hit(void* context, int32_t i, sn_wrench f_w) {
    rate* hit = &((memory*)context)->hit[i + 1];
    hit->alpha -= sni_lane4_from(f_w.n);
    hit->a -= sni_lane4_from(f_w.f);
}

static void avx2_push(void* context, int32_t i, sn_wrench f_w) {
    memory* m = context;
    if (m->forces_only) {
        avx2_hit(context, i, f_w);
        return;
    }
    rows* at = &m->rows[i + 1];
    at->H[0] = with_lane3(at->H[0], -f_w.n.x);
    at->H[1] = with_lane3(at->H[1], -f_w.n.y);
    at->H[2] = with_lane3(at->H[2], -f_w.n.z);
    at->M[0] = with_lane3(at->M[0], -f_w.f.x);
    at->M[1] = with_lane3(at->M[1], -f_w.f.y);
    at->M[2] = with_lane3(at->M[2], -f_w.f.z);
}

/// Sums of the lanes of three vectors.
INLINE sni_lane4 sums(sni_lane4 x, sni_lane4 y, sni_lane4 z) {
    sni_lane4 none = sni_lane4_zero();
    sni_transpose4(&x, &y, &z, &none);
    return (x + y) + (z + none);
}

/// A vector in body axes: its components along x, y, z of the body.
INLINE void put_body_parts(const body* on, sni_lane4 a, double* out) {
    sni_lane4 parts = sums(a * on->x, a * on->y, a * on->z);
    out[0] = parts[0], out[1] = parts[1], out[2] = parts[2];
}

static void avx2_inverse(const sn_model* model, void* context, double* tau) {
    memory* m = context;
    for (int32_t i = model->body_count - 1; i >= 0; i--) {
        const sni_joint* joint = &model->joint[i];
        const body* on = &m->body[i + 1];
        sni_lane4 n = m->hit[i + 1].alpha, f = m->hit[i + 1].a;
        m->hit[i + 1].alpha = m->hit[i + 1].a = sni_lane4_zero();
        double* t = tau + joint->iv;
        if (joint->type == SN_JOINT_REVOLUTE)
            t[0] = sni_sum4(n * on->z);
        else if (joint->type == SN_JOINT_SPHERICAL)
            put_body_parts(on, n, t);
        else
            for (int d = 0; d < joint->nv; d++)
                t[d] = sni_sum4(n * m->axis[joint->iv + d].w + f * m->axis[joint->iv + d].v);
        m->hit[joint->parent + 1].alpha += n + sni_cross4(on->r, f);
        m->hit[joint->parent + 1].a += f;
    }
    m->hit[0].alpha = m->hit[0].a = sni_lane4_zero();
}

// ---- backward: eliminate joints, leaf to root ------------------------------------------------------------

/// To the parent's origin: with Q = [r]x M and C = -(H + Q/2) [r]x,  H' = H + Q,  J' = J + C + C^T;
/// n and f come along in lane 3.
INLINE void shift(rows* at, sni_lane4 r) {
    sni_lane4 rx = sni_splat0(r), ry = sni_splat1(r), rz = sni_splat2(r);
    sni_lane4 Q0 = ry * at->M[2] - rz * at->M[1];
    sni_lane4 Q1 = rz * at->M[0] - rx * at->M[2];
    sni_lane4 Q2 = rx * at->M[1] - ry * at->M[0];
    sni_lane4 C0 = sni_cross4(r, at->H[0] + 0.5 * Q0);
    sni_lane4 C1 = sni_cross4(r, at->H[1] + 0.5 * Q1);
    sni_lane4 C2 = sni_cross4(r, at->H[2] + 0.5 * Q2), C3 = sni_lane4_zero();
    at->H[0] += Q0, at->H[1] += Q1, at->H[2] += Q2;
    at->J[0] += C0, at->J[1] += C1, at->J[2] += C2;
    sni_transpose4(&C0, &C1, &C2, &C3);
    at->J[0] += C0, at->J[1] += C1, at->J[2] += C2;
}

/// I -= (V, U)(kV, kU)^T; the bias force comes along.
INLINE void subtract(rows* at, sni_lane4 V, sni_lane4 U, sni_lane4 kV, sni_lane4 kU) {
    sni_lane4 v0 = sni_splat0(V), v1 = sni_splat1(V), v2 = sni_splat2(V);
    at->J[0] -= v0 * kV, at->J[1] -= v1 * kV, at->J[2] -= v2 * kV;
    at->H[0] -= v0 * kU, at->H[1] -= v1 * kU, at->H[2] -= v2 * kU;
    at->M[0] -= sni_splat0(U) * kU;
    at->M[1] -= sni_splat1(U) * kU;
    at->M[2] -= sni_splat2(U) * kU;
}

/// x a + y b + z c of three rows.
INLINE sni_lane4 rows_times(const sni_lane4 row[3], sni_lane4 s) {
    return row[0] * sni_splat0(s) + row[1] * sni_splat1(s) + row[2] * sni_splat2(s);
}

/// A hinge about z and the shift to the parent; the division overlaps the shift. Returns D.
INLINE double reduce_hinge(rows* at, const body* on, double tau, double armature, factor* left,
                           double* inverse) {
    sni_lane4 V = rows_times(at->J, on->z), U = rows_times(at->H, on->z);
    double D = sni_sum4(V * on->z) + armature;
    double k = 1 / D;
    U = with_lane3(U, -tau);
    shift(at, on->r);
    V += sni_cross4(on->r, U);
    sni_lane4 kV = V * k, kU = U * k;
    subtract(at, V, U, kV, kU);
    left->V = kV;
    left->U = kU;
    *inverse = k;
    return D;
}

/// A ball joint whose three armatures are equal, in one go: with D = J + a and X = D^-1 [H | n - tau]
///     J' = a (1 - a D^-1)     [H' | n'] = a X + [0 | tau]     [M' | f'] = [M | f] - H^T X
/// Returns the determinant of D.
static __attribute__((noinline)) double reduce_ball(rows* at, const body* on, const double* tau,
                                                    double a, factor* left, axis* S) {
    sni_lane4 e0 = sni_lane4_make(a, 0, 0, 0), e1 = sni_lane4_make(0, a, 0, 0),
              e2 = sni_lane4_make(0, 0, a, 0);
    sni_lane4 D0 = at->J[0] + e0, D1 = at->J[1] + e1, D2 = at->J[2] + e2;
    sni_lane4 C0 = sni_cross4(D1, D2), C1 = sni_cross4(D2, D0), C2 = sni_cross4(D0, D1);
    double det = sni_sum4(D0 * C0);
    sni_lane4 k = sni_splat(1 / det);
    sni_lane4 I0 = C0 * k, I1 = C1 * k, I2 = C2 * k; // rows of D^-1
    sni_lane4 t = sni_lane4_zero();
    if (tau) t = combine(on, tau[0], tau[1], tau[2]);
    const sni_lane4 H[3] = {with_lane3(at->H[0], -t[0]), with_lane3(at->H[1], -t[1]),
                            with_lane3(at->H[2], -t[2])};
    sni_lane4 X0 = rows_times(H, I0), X1 = rows_times(H, I1), X2 = rows_times(H, I2);
    at->M[0] -= sni_splat0(H[0]) * X0 + sni_splat0(H[1]) * X1 + sni_splat0(H[2]) * X2;
    at->M[1] -= sni_splat1(H[0]) * X0 + sni_splat1(H[1]) * X1 + sni_splat1(H[2]) * X2;
    at->M[2] -= sni_splat2(H[0]) * X0 + sni_splat2(H[1]) * X1 + sni_splat2(H[2]) * X2;
    at->H[0] = with_lane3(a * X0, t[0]);
    at->H[1] = with_lane3(a * X1, t[1]);
    at->H[2] = with_lane3(a * X2, t[2]);
    left[0].U = X0, left[1].U = X1, left[2].U = X2;
    S[0].v = I0, S[1].v = I1, S[2].v = I2;
    I0 = a * I0, I1 = a * I1, I2 = a * I2;
    left[0].V = I0, left[1].V = I1, left[2].V = I2;
    at->J[0] = e0 - a * I0, at->J[1] = e1 - a * I1, at->J[2] = e2 - a * I2;
    shift(at, on->r);
    return det;
}

/// Any other joint, one degree of freedom after the other. Returns the smallest D.
static __attribute__((noinline)) double reduce_other(rows* at, const sni_joint* joint,
                                                     const body* on, axis* S, const double* tau,
                                                     const double* armature, factor* left,
                                                     double* inverse) {
    double least = INFINITY;
    if (joint->type == SN_JOINT_SPHERICAL) {
        S[0].w = on->x, S[1].w = on->y, S[2].w = on->z;
        S[0].v = S[1].v = S[2].v = sni_lane4_zero();
    }
    for (int d = joint->nv - 1; d >= 0; d--) {
        sni_lane4 w = S[d].w, v = S[d].v;
        sni_lane4 V =
            rows_times(at->J, w) + sni_lane4_make(sni_sum4(at->H[0] * v), sni_sum4(at->H[1] * v),
                                                  sni_sum4(at->H[2] * v), 0);
        sni_lane4 U = rows_times(at->H, w) + rows_times(at->M, v);
        double D = sni_sum4(V * w) + sni_sum4(U * v) + armature[d];
        double k = 1 / D;
        U = with_lane3(U, tau ? -tau[d] : 0);
        sni_lane4 kV = V * k, kU = U * k;
        subtract(at, V, U, kV, kU);
        left[d].V = kV;
        left[d].U = kU;
        inverse[d] = k;
        if (!(D >= least)) least = D;
    }
    return least;
}

INLINE void add_rows(rows* to, const rows* from) {
    for (int i = 0; i < 3; i++) {
        to->J[i] += from->J[i];
        to->H[i] += from->H[i];
        to->M[i] += from->M[i];
    }
}

/// How to take a joint out.
INLINE uint8_t way_of(const sni_joint* joint, const double* armature, bool locked) {
    if (locked) return WAY_LOCKED;
    if (joint->type == SN_JOINT_REVOLUTE) return WAY_HINGE;
    bool ball = joint->type == SN_JOINT_SPHERICAL;
    bool even = ball && armature[0] == armature[1] && armature[1] == armature[2];
    return even ? WAY_BALL : WAY_OTHER;
}

static bool avx2_backward(const sn_model* model, void* context, const double* tau,
                          const double* armature, const bool* locked) {
    memory* m = context;
    bool good = true;
    rows at = m->rows[model->body_count];
    for (int32_t i = model->body_count - 1; i >= 0; i--) {
        const sni_joint* joint = &model->joint[i];
        const body* on = &m->body[i + 1];
        int iv = joint->iv;
        const double* joint_tau = tau ? tau + iv : NULL;
        uint8_t way = m->way[i] = way_of(joint, armature + iv, locked[i]);
        double D = 1;
        if (way == WAY_HINGE) {
            D = reduce_hinge(&at, on, tau ? tau[iv] : 0, armature[iv], &m->factor[iv],
                             &m->inverse[iv]);
        } else if (way == WAY_BALL) {
            rows copy = at;
            D = reduce_ball(&copy, on, joint_tau, armature[iv], m->factor + iv, m->axis + iv);
            at = copy;
        } else {
            if (way == WAY_OTHER) {
                rows copy = at; // so that `at` itself may stay in registers
                D = reduce_other(&copy, joint, on, m->axis + iv, joint_tau, armature + iv,
                                 m->factor + iv, m->inverse + iv);
                at = copy;
            }
            shift(&at, on->r);
        }
        good &= D > 0;
        if (joint->parent == i - 1) {
            add_rows(&at, &m->rows[i]);
        } else {
            add_rows(&m->rows[joint->parent + 1], &at);
            at = m->rows[i];
        }
    }
    return good;
}

// ---- forward again: accelerations ------------------------------------------------------------------------

/// Angular acceleration of a body on a ball joint: a D^-1 alpha - X [a | 1].
INLINE sni_lane4 spin_ball(const factor* left, const rate* at) {
    return sums(left[0].V * at->alpha - left[0].U * at->a,
                left[1].V * at->alpha - left[1].U * at->a,
                left[2].V * at->alpha - left[2].U * at->a);
}

static void avx2_accelerate(const sn_model* model, void* context, double* qdd) {
    memory* m = context;
    m->rate[0].alpha = sni_lane4_zero();
    m->rate[0].a = sni_lane4_make(0, 0, 0, 1);
    rate at = m->rate[0];
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        const body* on = &m->body[i + 1];
        const factor* left = &m->factor[joint->iv];
        const axis* S = &m->axis[joint->iv];
        double* x = qdd + joint->iv;
        if (joint->parent != i - 1) at = m->rate[joint->parent + 1];
        sni_lane4 a = at.a + sni_cross4(at.alpha, on->r);
        if (m->way[i] == WAY_HINGE) {
            x[0] = -sni_sum4(left->V * at.alpha + left->U * at.a);
            at.alpha += on->z * x[0];
            at.a = a;
        } else if (m->way[i] == WAY_BALL) {
            at.a = a;
            sni_lane4 alpha = spin_ball(left, &at);
            put_body_parts(on, alpha - at.alpha, x);
            at.alpha = alpha;
        } else {
            at.a = a;
            for (int d = 0; d < joint->nv; d++) {
                bool held = m->way[i] == WAY_LOCKED;
                x[d] = held ? 0 : -sni_sum4(left[d].V * at.alpha + left[d].U * at.a);
                if (held) continue;
                at.alpha += S[d].w * x[d];
                at.a += S[d].v * x[d];
            }
        }
        m->rate[i + 1] = at;
    }
}

// ---- impulses with kept factors --------------------------------------------------------------------------

/// Wrenches down to the roots; u of every degree of freedom is left in dv (of a ball: in world axes).
static void gather(const sn_model* model, memory* m, const double* tau, double* dv) {
    for (int32_t i = model->body_count - 1; i >= 0; i--) {
        const sni_joint* joint = &model->joint[i];
        const body* on = &m->body[i + 1];
        const factor* left = &m->factor[joint->iv];
        const axis* S = &m->axis[joint->iv];
        const double* t = tau ? tau + joint->iv : NULL;
        double* u = dv + joint->iv;
        sni_lane4 n = m->hit[i + 1].alpha, f = m->hit[i + 1].a;
        m->hit[i + 1].alpha = m->hit[i + 1].a = sni_lane4_zero();
        if (m->way[i] == WAY_HINGE) { // its factors are at the parent's origin
            u[0] = (t ? t[0] : 0) - sni_sum4(n * on->z);
            n += sni_cross4(on->r, f) + u[0] * left->V;
            f += u[0] * left->U;
        } else if (m->way[i] == WAY_BALL) {
            sni_lane4 torque = t ? combine(on, t[0], t[1], t[2]) : sni_lane4_zero();
            sni_lane4 gap = torque - n;
            u[0] = gap[0], u[1] = gap[1], u[2] = gap[2];
            n = torque - (left[0].V * u[0] + left[1].V * u[1] + left[2].V * u[2]);
            f += left[0].U * u[0] + left[1].U * u[1] + left[2].U * u[2];
            n += sni_cross4(on->r, f);
        } else {
            for (int d = joint->nv - 1; m->way[i] == WAY_OTHER && d >= 0; d--) {
                u[d] = (t ? t[d] : 0) - sni_sum4(n * S[d].w + f * S[d].v);
                n += u[d] * left[d].V;
                f += u[d] * left[d].U;
            }
            n += sni_cross4(on->r, f);
        }
        m->hit[joint->parent + 1].alpha += n;
        m->hit[joint->parent + 1].a += f;
    }
    m->hit[0].alpha = m->hit[0].a = sni_lane4_zero();
}

static void avx2_impulse(const sn_model* model, void* context, const double* tau, double* dv) {
    memory* m = context;
    gather(model, m, tau, dv);
    m->change[0].alpha = m->change[0].a = sni_lane4_zero();
    rate at = m->change[0];
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        const body* on = &m->body[i + 1];
        const factor* left = &m->factor[joint->iv];
        const axis* S = &m->axis[joint->iv];
        double* x = dv + joint->iv;
        if (joint->parent != i - 1) at = m->change[joint->parent + 1];
        sni_lane4 a = at.a + sni_cross4(at.alpha, on->r);
        if (m->way[i] == WAY_HINGE) {
            x[0] = x[0] * m->inverse[joint->iv] - sni_sum4(left->V * at.alpha + left->U * at.a);
            at.alpha += on->z * x[0];
            at.a = a;
        } else if (m->way[i] == WAY_BALL) {
            at.a = a;
            sni_lane4 own = S[0].v * x[0] + S[1].v * x[1] + S[2].v * x[2]; // D^-1 u
            sni_lane4 alpha = own + spin_ball(left, &at);
            put_body_parts(on, alpha - at.alpha, x);
            at.alpha = alpha;
        } else {
            at.a = a;
            for (int d = 0; d < joint->nv; d++) {
                bool held = m->way[i] == WAY_LOCKED;
                double own = held ? 0 : x[d] * m->inverse[joint->iv + d];
                x[d] = held ? 0 : own - sni_sum4(left[d].V * at.alpha + left[d].U * at.a);
                if (held) continue;
                at.alpha += S[d].w * x[d];
                at.a += S[d].v * x[d];
            }
        }
        m->change[i + 1] = at;
    }
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
    .motion = avx2_motion,
    .change = avx2_change,
    .axis = avx2_axis,
};

#else

static bool nowhere(void) { return false; }

const sni_kernel sni_kernel_avx2 = {.name = "avx2", .works = nowhere};

#endif
