// SPDX-License-Identifier: Apache-2.0
/// The witness: mechanics of articulated bodies written a second time, to be read, not to be fast.
///
/// Nothing here is shared with the library. It starts from what a user sees of a model
/// (sn_body_info: general axis, placement, inertia) and works in world axes with the *classical*
/// acceleration of every body-frame origin, dense matrices and no recursion over articulated
/// inertias. Forward dynamics is the maximal-coordinate system of Newton-Euler equations and joint
/// constraints, all unknowns at once. Arithmetic is long double, so that a comparison shows the
/// rounding of the library and not that of the oracle.
///
/// Vectors of six are angular (or moment), then linear (or force), as in the library.
/// Tests own an oracle: oracle_create / oracle_free. Every function allocates as it likes.
#ifndef SINEW_TESTS_ORACLE_H
#define SINEW_TESTS_ORACLE_H

#include <stdbool.h>

#include "sinew/model.h"

typedef long double real;

/// One column of a joint's motion: velocity of the child relative to the parent per unit of v[k].
typedef struct oracle_column {
    real angular[3]; ///< world axes
    real linear[3];  ///< of the child's frame origin, world axes
    bool on_parent;  ///< the vectors turn with the parent; otherwise with the child
} oracle_column;

/// A body and its joint, as the user described them.
typedef struct oracle_body {
    int parent; ///< -1: the world
    sn_joint_type type;
    int iq, nq, iv, nv;
    real R_T[9], p_T[3];           ///< placement
    real axis[3], axis2[3], pitch; ///< as in sn_body_info
    real plane_x[3], plane_y[3];   ///< planar: the directions of x and y, body axes
    real mass, com[3], inertia[9];
    real armature[SN_JOINT_MAX_NV];
    real damping[SN_JOINT_MAX_NV];
    real stiffness[SN_JOINT_MAX_NV];
    real rest[SN_JOINT_MAX_NQ];
    // set by oracle_move, world axes
    real R[9], p[3]; ///< pose
    real w[3], v[3]; ///< angular velocity, velocity of the frame origin
    real alpha0[3];  ///< angular acceleration that would be there with qdd = 0
    real acc0[3];    ///< classical acceleration of the origin with qdd = 0
    oracle_column S[SN_JOINT_MAX_NV];
    real f_ext[6]; ///< external wrench at the frame origin, world axes
    bool locked;
} oracle_body;

/// A joint that closes a loop, as the user described it.
typedef struct oracle_loop {
    int body[2];           ///< a, b; -1: the world
    real R[2][9], p[2][3]; ///< loop frame in each body
    sn_joint_type type;
    real axis[3], axis2[3], pitch, length, t_s;
} oracle_loop;

typedef struct oracle {
    int n, nq, nv;
    real g[3]; ///< gravity, world axes
    oracle_body* body;
    int loops;
    oracle_loop* loop;
} oracle;

oracle* oracle_create(const sn_model* model);
void oracle_free(oracle* o);
void oracle_set_gravity(oracle* o, sn_vec3 g_w);

/// Poses, velocities, motion columns and velocity-product accelerations at (q, v).
void oracle_move(oracle* o, const real* q, const real* v);
/// External wrench on a body at its frame origin, in the axes it has now; call after oracle_move.
void oracle_wrench_body_axes(oracle* o, int body, const real wrench[6]);
void oracle_wrench_world_axes(oracle* o, int body, const real wrench[6]);
void oracle_clear_wrenches(oracle* o);

/// q_out = q (+) dv, by rotation exponentials written out for each joint.
void oracle_integrate(const oracle* o, const real* q, const real* dv, real* q_out);
/// Springs and dampers of the joints.
void oracle_passive_force(const oracle* o, const real* q, const real* v, real* tau);

/// Jacobian of a body, 6 x nv row-major: world axes at the body-frame origin, or body axes.
void oracle_jacobian_world(const oracle* o, int body, real* J);
void oracle_jacobian_body(const oracle* o, int body, real* J);
/// Spatial velocity in body axes; spatial acceleration in body axes for joint accelerations qdd.
void oracle_velocity(const oracle* o, int body, real twist[6]);
void oracle_acceleration(const oracle* o, int body, const real* qdd, real twist[6]);

/// M = sum J' I J + armature, nv x nv.
void oracle_mass_matrix(const oracle* o, real* M);
/// tau for qdd by the principle of virtual power: sum J' (I a + w x I w - weight - f_ext).
void oracle_inverse(const oracle* o, const real* qdd, real* tau);
/// All accelerations and joint wrenches at once: 12 n + nv unknowns, LU with partial pivoting.
/// joint_wrench (6 n, world axes at the child's origin, exerted on the child) may be NULL.
bool oracle_forward(const oracle* o, const real* tau, real* qdd, real* joint_wrench);
/// M^-1 b with the rows and columns of locked joints removed (their entries become zero).
/// columns right-hand sides, b is nv x columns row-major, solved in place.
bool oracle_solve_mass(const oracle* o, real* b, int columns);
/// Lambda = J M^-1 J', bodies in their own axes, 6 count x 6 count row-major.
bool oracle_response(const oracle* o, const int* bodies, int count, real* Lambda);

// ---- loops -----------------------------------------------------------------------------------------
//
// The functions above are of the tree. A loop is what its closed frames satisfy, written as equations
// between directions and points; some follow from others, which least squares do not mind. Derivatives
// are differences of sixth order along q (+) dv: no velocity product is derived anywhere.

/// Equations of all loops.
int oracle_loop_rows(const oracle* o);
/// What they are off by at the state of the last oracle_move.
void oracle_loop_values(const oracle* o, real* value);
/// The equations at (q, v), rows of J each: value, rate = J v, and bias = second rate with qdd = 0.
/// Lengths are divided by a length of the model, so that the rows can be compared.
typedef struct oracle_closing {
    int rows;
    real *J, *value, *rate, *bias;
    // of the last oracle_close
    int rank;
    real weakest;  ///< smallest eigenvalue of J M^-1 J' that counted, relative to the largest
    real residual; ///< largest of target - J x: what could not be met
} oracle_closing;
oracle_closing oracle_closing_create(oracle* o, const real* q, const real* v);
void oracle_closing_free(oracle_closing* c);
/// x += M^-1 J' (J M^-1 J')^+ (target - J x): the nearest x with J x = target (NULL: zero).
bool oracle_close(const oracle* o, oracle_closing* c, const real* target, real* x);
/// Second rates that close the loops in their times t_s, less the bias: target of J qdd.
void oracle_closing_target(const oracle* o, const oracle_closing* c, real* target);

typedef struct oracle_sums {
    real kinetic, potential, mass;
    real com[3], linear[3], angular[3]; ///< angular momentum about the centre of mass
} oracle_sums;
oracle_sums oracle_energy_momentum(const oracle* o, const real* v);

/// Classical Runge-Kutta on the plain numbers q (rates of quaternions and positions) and v, joint
/// springs and dampers and constant tau included: no charts, no exponentials.
void oracle_simulate(oracle* o, real* q, real* v, const real* tau, real h, int steps);

// ---- dense linear algebra ------------------------------------------------------------------------

/// Solves A x = b in place of b, by LU with row and column scaling, partial pivoting and one
/// refinement. A is n x n row-major and is kept. False when singular.
bool oracle_solve(int n, const real* A, real* b);
/// A = L L' in place (lower part). False when A is not positive definite.
bool oracle_cholesky(int n, real* A);
/// Solves L L' x = b in place.
void oracle_cholesky_solve(int n, const real* L, real* b);
/// Eigenvalues of a symmetric matrix, by Jacobi rotations, in no order. A is destroyed.
void oracle_eigenvalues(int n, real* A, real* values);
/// The same with eigenvectors in the columns of V.
void oracle_eigenvectors(int n, real* A, real* values, real* V);

#endif
