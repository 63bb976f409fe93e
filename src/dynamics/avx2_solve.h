// SPDX-License-Identifier: Apache-2.0
/// Forward dynamics: eliminate joints leaf to root, accelerate root to leaf; further right-hand sides
/// with the factors that are left.
#ifndef SN_DYNAMICS_AVX2_SOLVE_H
#define SN_DYNAMICS_AVX2_SOLVE_H

#include "dynamics/avx2_memory.h"

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

/// A slide along z and the shift to the parent. Returns D.
INLINE double reduce_slide(rows* at, const body* on, double tau, double armature, factor* left,
                           double* inverse) {
    sni_lane4 s = on->z;
    sni_lane4 V = sums(at->H[0] * s, at->H[1] * s, at->H[2] * s), U = rows_times(at->M, s);
    double D = sni_sum4(U * s) + armature;
    double k = 1 / D;
    U = with_lane3(U, -tau);
    sni_lane4 kV = V * k, kU = U * k;
    subtract(at, V, U, kV, kU);
    shift(at, on->r);
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
    sni_lane4 t = combine(on, tau[0], tau[1], tau[2]);
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
        U = with_lane3(U, -tau[d]);
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
    if (locked) return SNI_WAY_LOCKED;
    if (joint->type == SN_JOINT_REVOLUTE) return SNI_WAY_HINGE;
    bool ball = joint->type == SN_JOINT_SPHERICAL;
    bool even = ball && armature[0] == armature[1] && armature[1] == armature[2];
    return even ? SNI_WAY_BALL : SNI_WAY_OTHER;
}

static bool avx2_backward(const sn_model* model, void* context, const double* tau,
                          const double* armature, const bool* locked) {
    memory* m = context;
    bool good = true;
    if (!tau) tau = m->no_tau;
    rows at = m->rows[model->body_count];
    for (int32_t i = model->body_count - 1; i >= 0; i--) {
        const sni_joint* joint = &model->joint[i];
        const body* on = &m->body[i + 1];
        int iv = joint->iv;
        const double* joint_tau = tau + iv;
        uint8_t way = m->way[i] = way_of(joint, armature + iv, locked[i]);
        double D = 1;
        if (way == SNI_WAY_HINGE) {
            D = reduce_hinge(&at, on, tau[iv], armature[iv], &m->factor[iv], &m->inverse[iv]);
        } else if (way == SNI_WAY_OTHER && joint->type == SN_JOINT_PRISMATIC) {
            D = reduce_slide(&at, on, tau[iv], armature[iv], &m->factor[iv], &m->inverse[iv]);
        } else if (way == SNI_WAY_BALL) {
            rows copy = at;
            D = reduce_ball(&copy, on, joint_tau, armature[iv], m->factor + iv, m->axis + iv);
            at = copy;
        } else {
            if (way == SNI_WAY_OTHER) {
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

/// Root to leaf, from motion[0] of the ground to all of motion. The right-hand side is the u that
/// `backward` left in lane 3 of U, which a one in lane 3 of a picks up; or, `own`, the u in x.
INLINE void spread(const sn_model* model, const memory* m, rate* motion, bool own, double* out) {
    rate at = motion[0];
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        const body* on = &m->body[i + 1];
        const factor* left = &m->factor[joint->iv];
        const axis* S = &m->axis[joint->iv];
        const double* inverse = &m->inverse[joint->iv];
        double* x = out + joint->iv;
        if (joint->parent != i - 1) at = motion[joint->parent + 1];
        sni_lane4 a = at.a + sni_cross4(at.alpha, on->r);
        if (m->way[i] == SNI_WAY_HINGE) { // its factors are at the parent's origin
            x[0] = (own ? x[0] * inverse[0] : 0) - sni_sum4(left->V * at.alpha + left->U * at.a);
            at.alpha += on->z * x[0];
            at.a = a;
        } else if (m->way[i] == SNI_WAY_BALL) {
            at.a = a;
            sni_lane4 alpha = spin_ball(left, &at);
            if (own) alpha += S[0].v * x[0] + S[1].v * x[1] + S[2].v * x[2]; // D^-1 u
            put_body_parts(on, alpha - at.alpha, x);
            at.alpha = alpha;
        } else if (m->way[i] == SNI_WAY_OTHER) {
            at.a = a;
            for (int d = 0; d < joint->nv; d++) {
                x[d] = (own ? x[d] * inverse[d] : 0) -
                       sni_sum4(left[d].V * at.alpha + left[d].U * at.a);
                at.alpha += S[d].w * x[d];
                at.a += S[d].v * x[d];
            }
        } else { // locked
            at.a = a;
            for (int d = 0; d < joint->nv; d++) x[d] = 0;
        }
        motion[i + 1] = at;
    }
}

static void avx2_accelerate(const sn_model* model, void* context, double* qdd) {
    memory* m = context;
    m->rate[0].alpha = sni_lane4_zero();
    m->rate[0].a = sni_lane4_make(0, 0, 0, 1);
    spread(model, m, m->rate, false, qdd);
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
        if (m->way[i] == SNI_WAY_HINGE) { // its factors are at the parent's origin
            u[0] = (t ? t[0] : 0) - sni_sum4(n * on->z);
            n += sni_cross4(on->r, f) + u[0] * left->V;
            f += u[0] * left->U;
        } else if (m->way[i] == SNI_WAY_BALL) {
            sni_lane4 torque = t ? combine(on, t[0], t[1], t[2]) : sni_lane4_zero();
            sni_lane4 gap = torque - n;
            u[0] = gap[0], u[1] = gap[1], u[2] = gap[2];
            n = torque - (left[0].V * u[0] + left[1].V * u[1] + left[2].V * u[2]);
            f += left[0].U * u[0] + left[1].U * u[1] + left[2].U * u[2];
            n += sni_cross4(on->r, f);
        } else {
            for (int d = joint->nv - 1; m->way[i] == SNI_WAY_OTHER && d >= 0; d--) {
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
    spread(model, m, m->change, true, dv);
}

#endif
