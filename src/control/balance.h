// SPDX-License-Identifier: Apache-2.0
/// Memory of an sn_balance (sinew/balance.h), and the parts of one computation. Axes "w" are those of what the model
/// hangs on; wrenches of the whole are about its centre of mass there.
#ifndef SN_CONTROL_BALANCE_H
#define SN_CONTROL_BALANCE_H

#include "base/arena.h"
#include "control/cone_forces.h"
#include "sinew/balance.h"

enum {
    SN_SOLE_CORNERS = 4,
    SN_SOLE_EDGES = 4, ///< of the friction pyramid at a corner
    SN_SOLE_RAYS = SN_SOLE_CORNERS * SN_SOLE_EDGES,
    SN_BALANCE_ROWS = 6 + 6 * SN_BALANCE_FEET,
    SN_BALANCE_PADDED = (SN_BALANCE_ROWS + 3) / 4 * 4
};

struct sn_balance {
    sn_balance_def def;
    const sn_model* model;
    sn_dynamics* dynamics;
    sni_arena arena;
    int nv;
    size_t wide; ///< nv, padded
    double mass;
    sn_body_id foot_body[SN_BALANCE_FEET];
    double* limit; // [nv]
    double* ease;  // [wide] how easily an acceleration differs from the wished one: 1 / its weight
    // of the posture, while it stays
    double* posture; // [nq]
    sn_vec3 posture_up;
    double height; ///< of its centre of mass above the soles
    // of one computation
    sn_wrench* momentum; // [nv] of unit velocities, w, about the origin
    double* bias;        // [nv] forces of velocities and gravity
    double* wish;        // [wide] acceleration to the posture
    double* qdd;         // [wide]
    double* error;       // [wide] scratch
    double* rows;        // [SN_BALANCE_PADDED wide] rate of momentum, the feet, rate of its moment
    size_t reach[SN_BALANCE_ROWS]; ///< padded: numbers of a row beyond them are zero
    double* scale;                 // [SN_BALANCE_PADDED] 1 / length of a row
    double* factor;                // [SN_BALANCE_PADDED SN_BALANCE_PADDED] lower triangle
    double* given;                 // [SN_BALANCE_ROWS] what the rows shall give
    sn_pose base;                  ///< w
    sn_pose foot[SN_BALANCE_FEET]; ///< w, body that carries the sole
    sn_pose sole[SN_BALANCE_FEET]; ///< w
    sn_vec3 up, com, v_com;        ///< w
    double (*ray)[SN_CONE_ROWS];   // [rays] scaled wrench of each about the centre of mass
    sn_vec3* ray_at;               // [rays] w
    sn_vec3* ray_along;            // [rays] w, of normal force 1
    double* ray_force;             // [rays]
    double dual[SN_CONE_ROWS];     ///< where the search for forces ended
};

/// Makes the first rows ready for what follows.
void sni_balance_factor(sn_balance* b, int count);
/// Acceleration nearest to `wish` of which the first rows give what is given, as far as they can.
void sni_balance_nearest(sn_balance* b, int count, double* qdd);
/// Forces of the soles nearest to a wrench about the centre of mass; returns the wrench that they have.
sn_wrench sni_balance_forces(sn_balance* b, sn_wrench wanted, int* iterations);

#endif
