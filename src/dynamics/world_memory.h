// SPDX-License-Identifier: Apache-2.0
// Memory of the passes in world axes, over a number type REAL with names ending in TYPE(...).
// Included by kernel_scalar.c for doubles and by batch_lanes.h for four states at once.

typedef struct TYPE(vec) {
    REAL x, y, z;
} TYPE(vec);

/// Motion of a body, with zero qdd and gravity at the ground.
typedef struct TYPE(body) {
    TYPE(vec) x, y, z; ///< axes of the body: columns of R_wb
    TYPE(vec) r;       ///< from the parent's origin to the body's
    TYPE(vec) w;       ///< angular velocity
    TYPE(vec) alpha;   ///< angular acceleration
    TYPE(vec) a;       ///< classical acceleration of the origin
} TYPE(body);

/// Inertia [J H; H^T M] and bias force (n, f) about the body's origin.
typedef struct TYPE(rows) {
    REAL J[6];    ///< xx xy xz yy yz zz
    REAL H[3][3]; ///< row, column
    REAL M[6];
    TYPE(vec) n, f;
} TYPE(rows);

/// What is left of an eliminated degree of freedom: V/D, U/D, 1/D and u/D.
typedef struct TYPE(factor) {
    TYPE(vec) V, U;
    REAL inverse, u;
} TYPE(factor);

/// Acceleration due to qdd alone.
typedef struct TYPE(rate) {
    TYPE(vec) alpha, a;
} TYPE(rate);

/// Motion subspace of one degree of freedom in world axes; hinges have body.z instead.
typedef struct TYPE(axis) {
    TYPE(vec) w, v;
} TYPE(axis);

/// The ground comes first in body, rows and rate.
typedef struct TYPE(memory) {
    TYPE(body) * body;     // [body_count + 1]
    TYPE(rows) * rows;     // [body_count + 1] what children and wrenches add to a body
    bool* touched;         // [body_count + 1] there is something in rows
    TYPE(rate) * rate;     // [body_count + 1]
    TYPE(factor) * factor; // [nv]
    TYPE(axis) * axis;     // [nv]
} TYPE(memory);
