// SPDX-License-Identifier: Apache-2.0
/// 6x6 matrices of spatial algebra, row by row, each row padded to eight so that it is two vectors of
/// four. Rows are angular, then linear. The last two numbers of a row are zero.
///
/// A pose X_kl (frame l in frame k) acts on motion vectors from k to l: `sni_mat6_carry`.
#ifndef SN_MATH_MAT6_H
#define SN_MATH_MAT6_H

#include "math/inertia.h"
#include "math/lane4.h"

typedef union sni_row6 {
    double x[8];
    sni_lane4 half[2];
} sni_row6;

typedef struct sni_mat6 {
    sni_row6 row[6];
} sni_mat6;

static inline sni_row6 sni_row6_zero(void) {
    sni_row6 r = {.half = {sni_lane4_zero(), sni_lane4_zero()}};
    return r;
}

/// Put together in registers: numbers stored one by one would have to be waited for.
static inline sni_row6 sni_row6_make(double a, double b, double c, double d, double e, double f) {
    sni_row6 r = {.half = {sni_lane4_make(a, b, c, d), sni_lane4_make(e, f, 0, 0)}};
    return r;
}

static inline sni_row6 sni_row6_from_twist(sn_twist t) {
    return sni_row6_make(t.w.x, t.w.y, t.w.z, t.v.x, t.v.y, t.v.z);
}

static inline sni_row6 sni_row6_from_wrench(sn_wrench f) {
    return sni_row6_make(f.n.x, f.n.y, f.n.z, f.f.x, f.f.y, f.f.z);
}

static inline sn_twist sni_row6_twist(const sni_row6* r) {
    return sn_twist_make(sn_vec3_make(r->x[0], r->x[1], r->x[2]),
                         sn_vec3_make(r->x[3], r->x[4], r->x[5]));
}

static inline sn_wrench sni_row6_wrench(const sni_row6* r) {
    return sn_wrench_make(sn_vec3_make(r->x[0], r->x[1], r->x[2]),
                          sn_vec3_make(r->x[3], r->x[4], r->x[5]));
}

static inline void sni_row6_add(sni_row6* sum, const sni_row6* a) {
    sum->half[0] += a->half[0];
    sum->half[1] += a->half[1];
}

static inline void sni_row6_subtract(sni_row6* sum, const sni_row6* a) {
    sum->half[0] -= a->half[0];
    sum->half[1] -= a->half[1];
}

/// sum += s a
static inline void sni_row6_add_scaled(sni_row6* sum, double s, const sni_row6* a) {
    sni_lane4 ss = sni_splat(s);
    sum->half[0] += ss * a->half[0];
    sum->half[1] += ss * a->half[1];
}

static inline void sni_row6_scale(sni_row6* a, double s) {
    sni_lane4 ss = sni_splat(s);
    a->half[0] *= ss;
    a->half[1] *= ss;
}

static inline sni_mat6 sni_mat6_zero(void) {
    sni_mat6 m;
    for (int i = 0; i < 6; i++) m.row[i] = sni_row6_zero();
    return m;
}

static inline sni_mat6 sni_mat6_unit(void) {
    sni_mat6 m = {{{{1, 0, 0, 0, 0, 0, 0, 0}},
                   {{0, 1, 0, 0, 0, 0, 0, 0}},
                   {{0, 0, 1, 0, 0, 0, 0, 0}},
                   {{0, 0, 0, 1, 0, 0, 0, 0}},
                   {{0, 0, 0, 0, 1, 0, 0, 0}},
                   {{0, 0, 0, 0, 0, 1, 0, 0}}}};
    return m;
}

static inline double sni_row6_dot(const sni_row6* a, const sni_row6* b) {
    return sni_sum4(a->half[0] * b->half[0] + a->half[1] * b->half[1]);
}

static inline void sni_mat6_transpose(const sni_mat6* a, sni_mat6* out) {
    sni_lane4 zero = sni_lane4_zero();
    sni_lane4 p0 = a->row[0].half[0], p1 = a->row[1].half[0], p2 = a->row[2].half[0],
              p3 = a->row[3].half[0];
    sni_lane4 q0 = a->row[0].half[1], q1 = a->row[1].half[1], q2 = a->row[2].half[1],
              q3 = a->row[3].half[1];
    sni_lane4 r0 = a->row[4].half[0], r1 = a->row[5].half[0], r2 = zero, r3 = zero;
    sni_lane4 s0 = a->row[4].half[1], s1 = a->row[5].half[1], s2 = zero, s3 = zero;
    sni_transpose4(&p0, &p1, &p2, &p3);
    sni_transpose4(&q0, &q1, &q2, &q3);
    sni_transpose4(&r0, &r1, &r2, &r3);
    sni_transpose4(&s0, &s1, &s2, &s3);
    out->row[0].half[0] = p0, out->row[1].half[0] = p1;
    out->row[2].half[0] = p2, out->row[3].half[0] = p3;
    out->row[4].half[0] = q0, out->row[5].half[0] = q1;
    out->row[0].half[1] = r0, out->row[1].half[1] = r1;
    out->row[2].half[1] = r2, out->row[3].half[1] = r3;
    out->row[4].half[1] = s0, out->row[5].half[1] = s1;
}

/// a^T x: the rows of a, weighted by x. For a symmetric matrix the same as a x.
static inline sni_row6 sni_mat6_transposed_apply(const sni_mat6* a, const sni_row6* x) {
    sni_row6 even = sni_row6_zero(), odd = sni_row6_zero(); // two chains of sums run side by side
    for (int i = 0; i < 6; i += 2) {
        sni_row6_add_scaled(&even, x->x[i], &a->row[i]);
        sni_row6_add_scaled(&odd, x->x[i + 1], &a->row[i + 1]);
    }
    sni_row6_add(&even, &odd);
    return even;
}

/// a x
static inline sni_row6 sni_mat6_apply(const sni_mat6* a, const sni_row6* x) {
    sni_lane4 p[6], zero = sni_lane4_zero(), none = zero;
    for (int i = 0; i < 6; i++)
        p[i] = a->row[i].half[0] * x->half[0] + a->row[i].half[1] * x->half[1];
    sni_transpose4(&p[0], &p[1], &p[2], &p[3]);
    sni_transpose4(&p[4], &p[5], &zero, &none);
    sni_row6 r = {.half = {(p[0] + p[1]) + (p[2] + p[3]), (p[4] + p[5]) + (zero + none)}};
    return r;
}

/// sum += sign a^T b, where sign is 1 or -1: products of columns over `rows` rows.
static inline void sni_mat6_add_products(sni_mat6* sum, double sign, int rows, const sni_mat6* a,
                                         const sni_mat6* b) {
    for (int c = 0; c < 6; c++) {
        sni_lane4 low = sum->row[c].half[0], high = sum->row[c].half[1];
        for (int i = 0; i < rows; i++) {
            sni_lane4 s = sni_splat(sign * a->row[i].x[c]);
            low += s * b->row[i].half[0];
            high += s * b->row[i].half[1];
        }
        sum->row[c].half[0] = low, sum->row[c].half[1] = high;
    }
}

/// out = base - a^T b over `rows` rows; out may be base. Equal a and b leave it symmetric to the bit.
static inline __attribute__((always_inline)) void
sni_mat6_minus_products(const sni_mat6* base, int rows, const sni_mat6* a, const sni_mat6* b,
                        sni_mat6* out) {
    for (int c = 0; c < 6; c++) {
        sni_lane4 low = base->row[c].half[0], high = base->row[c].half[1];
        for (int i = 0; i < rows; i++) {
            sni_lane4 s = sni_splat(a->row[i].x[c]);
            low -= s * b->row[i].half[0];
            high -= s * b->row[i].half[1];
        }
        out->row[c].half[0] = low, out->row[c].half[1] = high;
    }
}

/// out = a^T b over `rows` rows.
static inline __attribute__((always_inline)) void
sni_mat6_products(int rows, const sni_mat6* a, const sni_mat6* b, sni_mat6* out) {
    for (int c = 0; c < 6; c++) {
        sni_lane4 low = sni_lane4_zero(), high = sni_lane4_zero();
        for (int i = 0; i < rows; i++) {
            sni_lane4 s = sni_splat(a->row[i].x[c]);
            low += s * b->row[i].half[0];
            high += s * b->row[i].half[1];
        }
        out->row[c].half[0] = low, out->row[c].half[1] = high;
    }
}

/// The first `rows` rows of a b.
static inline __attribute__((always_inline)) void
sni_mat6_rows_times(int rows, const sni_mat6* a, const sni_mat6* b, sni_mat6* out) {
    for (int i = 0; i < rows; i++) {
        sni_lane4 low = sni_lane4_zero(), high = sni_lane4_zero();
        for (int j = 0; j < 6; j++) {
            sni_lane4 s = sni_splat(a->row[i].x[j]);
            low += s * b->row[j].half[0];
            high += s * b->row[j].half[1];
        }
        out->row[i].half[0] = low, out->row[i].half[1] = high;
    }
}

/// Motion vectors in the columns of m, from frame k to frame l:  X m, with X_kl = (R, p):
///   angular' = R^T angular,  linear' = R^T (linear - p x angular)
static inline void sni_mat6_carry(sn_pose X_kl, const sni_mat6* m, sni_mat6* out) {
    const sn_vec3 p = X_kl.p;
    sni_row6 t[3];
    for (int h = 0; h < 2; h++) {
        sni_lane4 a0 = m->row[0].half[h], a1 = m->row[1].half[h], a2 = m->row[2].half[h];
        t[0].half[h] = m->row[3].half[h] - sni_splat(p.y) * a2 + sni_splat(p.z) * a1;
        t[1].half[h] = m->row[4].half[h] - sni_splat(p.z) * a0 + sni_splat(p.x) * a2;
        t[2].half[h] = m->row[5].half[h] - sni_splat(p.x) * a1 + sni_splat(p.y) * a0;
        for (int i = 0; i < 3; i++) {
            sni_lane4 r0 = sni_splat(X_kl.R.m[0][i]), r1 = sni_splat(X_kl.R.m[1][i]),
                      r2 = sni_splat(X_kl.R.m[2][i]);
            out->row[i].half[h] = r0 * a0 + r1 * a1 + r2 * a2;
            out->row[3 + i].half[h] = r0 * t[0].half[h] + r1 * t[1].half[h] + r2 * t[2].half[h];
        }
    }
}

/// Makes m equal to its upper triangle mirrored.
static inline void sni_mat6_mirror(sni_mat6* m) {
    for (int i = 1; i < 6; i++)
        for (int j = 0; j < i; j++) m->row[i].x[j] = m->row[j].x[i];
}

/// Inverse of a rigid inertia in closed form: one 3x3 inverse of the inertia about the centre of mass.
///   [ Ic^-1          -Ic^-1 [c]x              ]
///   [ [c]x Ic^-1     1/m - [c]x Ic^-1 [c]x    ]
void sni_rigid_inverse(const sni_rigid* I, sni_mat6* inverse);

#endif
