// SPDX-License-Identifier: Apache-2.0
/// Motion of the bodies, their inertias and bias forces, and inverse dynamics.
#ifndef SN_DYNAMICS_AVX2_MOTION_H
#define SN_DYNAMICS_AVX2_MOTION_H

#include "dynamics/avx2_memory.h"
#include "math/sincos4.h"

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

/// The same for a slide along z; the block has turned it by no angle.
INLINE void move_slide(const local* at, int k, double q, double v, double qdd, axis* S, body* on) {
    sni_lane4 w = on->w, alpha = on->alpha, a = on->a;
    move_hinge(at, k, 0, 0, on);
    on->r += on->z * q;
    on->a = a + sni_cross4(alpha, on->r) + on->z * qdd +
            sni_cross4(w, sni_cross4(w, on->r) + on->z * (2 * v));
    S->w = sni_lane4_zero();
    S->v = on->z;
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
            if (joint[k].type == SN_JOINT_PRISMATIC) {
                move_slide(&at, k, q[iq], v[iv], qdd ? qdd[iv] : 0, &m->axis[iv], &on);
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

// ---- wrenches and inverse dynamics -----------------------------------------------------------------------

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

#endif
