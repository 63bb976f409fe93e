// SPDX-License-Identifier: Apache-2.0
/// Memory of the AVX2 kernel, and small operations on its vectors. Included by the parts of
/// kernel_avx2.c only, as they are by it.
#ifndef SN_DYNAMICS_AVX2_MEMORY_H
#define SN_DYNAMICS_AVX2_MEMORY_H

#include "dynamics/kernel.h"
#include "math/lane4.h"

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
    double* no_tau;   // [nv] zeros
    uint8_t* way;     // [body_count] how backward took the joint out
    bool forces_only; ///< the last forward left bias forces in hit, no inertias
    rate* hit;        // [4 blocks + 1] zero between uses
    rate* change;     // [body_count + 1]
} memory;

#define INLINE static inline __attribute__((always_inline))

/// x a + y b + z c.
INLINE sni_lane4 combine(const body* on, double a, double b, double c) {
    return on->x * a + on->y * b + on->z * c;
}

/// A row with x added to its lane 3.
INLINE sni_lane4 with_lane3(sni_lane4 row, double x) {
    return row + x * sni_lane4_make(0, 0, 0, 1);
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

#endif
