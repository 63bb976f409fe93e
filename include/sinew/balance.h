// SPDX-License-Identifier: Apache-2.0
/// Balance of a robot or an avatar on its feet: whole-body inverse dynamics.
///
/// An sn_balance finds joint forces that bring a model with a free base to a posture and keep its centre of mass
/// above its feet, with contact forces that the soles can give: inside friction pyramids at the corners of each
/// sole, so that they push, do not slip, and the centre of pressure stays on the sole. Where these do not suffice, the
/// trunk and the arms swing before the centre of mass is given up.   docs/avatars.md
///
/// Scene files say `controllers: - {item: robot, balance: true}`. Nothing here allocates after creation.
#ifndef SINEW_BALANCE_H
#define SINEW_BALANCE_H

#include "sinew/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_balance sn_balance;

enum { SN_BALANCE_FEET = 4 };

/// A sole: a rectangle in the plane z = 0 of a frame whose z points up into the foot.
typedef struct sn_sole {
    sn_frame_id frame;
    double x0, x1, y0, y1; ///< m, in the frame
} sn_sole;

typedef struct sn_balance_def {
    int foot_count;
    sn_sole foot[SN_BALANCE_FEET];
    double mu;                ///< friction that is relied on
    double margin;            ///< m that the centre of pressure keeps from the edges of a sole
    double frequency;         ///< Hz: how fast the centre of mass comes back
    double posture_frequency; ///< Hz: how fast joints and the base come back to the posture
    double turn_weight;  ///< 1/m^2: how dear a moment about the centre of mass is against a force
    const double* limit; ///< [nv] largest joint force, NULL: none
} sn_balance_def;

/// No feet; mu 0.5, 1 cm of margin, 0.8 Hz, 1.5 Hz.
sn_balance_def sn_balance_def_default(void);

/// The rectangle around what a body has in the plane of a frame: corners of boxes and hulls, spheres and capsules that
/// come within `reach` of it. False: there is nothing.
bool sn_sole_measure(const sn_model* model, sn_frame_id frame, double reach, sn_sole* sole);

/// The model outlives it; its first body floats (SN_JOINT_FREE). SN_ERR_ARGUMENT with the reason otherwise, or when there
/// is no foot or a number makes no sense.
sn_status sn_balance_create(const sn_model* model, const sn_balance_def* def, sn_balance** balance,
                            sn_error* error);
void sn_balance_free(sn_balance* balance);

typedef struct sn_balance_report {
    sn_vec3 com, com_wanted;         ///< m, in what the model hangs on
    sn_wrench foot[SN_BALANCE_FEET]; ///< on each foot, about the origin of its frame, in its axes
    sn_wrench
        missing; ///< of the wrench about the centre of mass that the tasks ask for: what soles cannot give
    int limited;    ///< joint forces that were cut at their limit
    int iterations; ///< of the search for contact forces
} sn_balance_report;

/// tau [nv] for the state (q, v): zeros for the base. gravity in the axes of what the model hangs on. posture: nq
/// numbers, of which the position of the base does not count. report may be NULL. Thread: one at a time. Realtime: yes.
sn_status sn_balance_compute(sn_balance* balance, const double* q, const double* v, sn_vec3 gravity,
                             const double* posture, double* tau, sn_balance_report* report);

#ifdef __cplusplus
}
#endif
#endif
