// SPDX-License-Identifier: Apache-2.0
/// The Delassus operator W = J M^-1 J^T: how velocities along contact rows answer impulses along them.
///
/// A row is a direction on one body against another: u = C_a v_a + C_b v_b. First the response of the
/// bodies is computed ("Omega", 6x6 blocks), then it is projected to the rows; contacts on the same bodies
/// share their blocks. An sn_delassus is one method with its memory for one sn_dynamics, whose factors of
/// the last sn_dynamics_forward it reads: refused as sn_dynamics_impulse is when there are none. Locked
/// joints do not move, loops hold back, independent trees have zero blocks between them. Nothing here
/// allocates after creation, and the sn_dynamics stays as it was. Methods, which agree to rounding:
///   "compressed"    the tree reduced to the bodies and where their branches meet; aba
///   "tree"          queries of the assembly tree, sub-linear in the number of joints; dca, adaptive
///   "per-body"      six unit wrenches for each body, over the branches concerned; aba     [C12]
///   "chang-khatib"  recursion down the branches, pairs through their common ancestor; aba  [CK00]
///   "per-point"     a unit force for each row, over the whole tree; any dynamics
///   "dense"         joint-space inertia, its Cholesky factors, Jacobians; any dynamics, for reference
/// docs/delassus.md has what they cost.
#ifndef SINEW_DELASSUS_H
#define SINEW_DELASSUS_H

#include "sinew/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_delassus sn_delassus;

/// Name of the i-th method, NULL past the last; and one line about it.
const char* sn_delassus_method(int i);
const char* sn_delassus_about(int i);

/// The largest question that will be asked.
typedef struct sn_delassus_capacity {
    int bodies; ///< different bodies that move
    int groups; ///< row groups
    int rows;   ///< over all groups; 0: only responses of bodies
} sn_delassus_capacity;

/// method NULL: the best for the dynamics. SN_ERR_ARGUMENT when the method is unknown or needs factors
/// that the dynamics does not have. The sn_dynamics must outlive the sn_delassus.
sn_status sn_delassus_create(sn_dynamics* dynamics, const char* method,
                             const sn_delassus_capacity* capacity, sn_delassus** delassus,
                             sn_error* error);
void sn_delassus_free(sn_delassus* delassus);
/// The method in use.
const char* sn_delassus_name(const sn_delassus* delassus);

/// Rows that act between two bodies: all rows of one contact, or of several.
typedef struct sn_delassus_rows {
    sn_body_id a, b; ///< i = -1: does not move
    int rows;
    const double*
        C_a; ///< rows x 6, row-major, of body a: angular, linear; body axes and origin. Not read
             ///< where a does not move
    const double* C_b; ///< of body b, with its sign: u = C_a v_a + C_b v_b
} sn_delassus_rows;

/// W of all rows in their order, row-major, symmetric to the bit. SN_ERR_CAPACITY: more than was said.
/// Consecutive groups on the same pair of bodies are the quickest.
sn_status sn_delassus_matrix(sn_delassus* delassus, const sn_delassus_rows* groups, int count,
                             double* W);

/// The two halves of sn_delassus_matrix, to be timed apart. The groups and their rows must stay until
/// the projection.
sn_status sn_delassus_omega(sn_delassus* delassus, const sn_delassus_rows* groups, int count);
/// After sn_delassus_omega; SN_ERR_ARGUMENT otherwise.
sn_status sn_delassus_project(sn_delassus* delassus, double* W);

/// Response of bodies to wrenches on them, as sn_dynamics_response, by this method. A body may come
/// twice.
sn_status sn_delassus_response(sn_delassus* delassus, const sn_body_id* bodies, int count,
                               double* Omega);

/// y = W x without W: one impulse pass, whatever the method. x and y have as many numbers as there are
/// rows; they may be the same.
sn_status sn_delassus_apply(sn_delassus* delassus, const sn_delassus_rows* groups, int count,
                            const double* x, double* y);

/// Multiplications that the last sn_delassus_omega took, and the projection after it takes: counted, not
/// timed. What "tree" takes depends on its nodes and is not counted: NAN.
typedef struct sn_delassus_work {
    double omega, projection;
} sn_delassus_work;
sn_delassus_work sn_delassus_count(const sn_delassus* delassus);

#ifdef __cplusplus
}
#endif
#endif
