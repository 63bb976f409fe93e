// SPDX-License-Identifier: Apache-2.0
/// How stiff a device may be driven: gains that are passive for a device, period and delay, whoever holds it.
/// docs/haptics_safety.md derives the bounds.
#ifndef SINEW_CERTIFY_H
#define SINEW_CERTIFY_H

#include "sinew/coupling.h"
#include "sinew/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is rendered to the hand.
typedef enum sn_law_kind {
    SN_LAW_SPRING,   ///< the reaction of the grip, -f_u
    SN_LAW_REACTION, ///< f_feed = K f_u + f0
} sn_law_kind;

/// Of the spring and damper that a handle feels: where they hold (sn_grip_at) and as the device renders them, after
/// scaling of workspace and force.
typedef struct sn_gains {
    double stiffness, damping;           ///< N/m, N s/m
    double turn_stiffness, turn_damping; ///< Nm/rad, Nm s/rad
} sn_gains;

typedef struct sn_certify_def {
    sn_device_profile profile;
    double period; ///< s, of the haptic loop, measured: the longest that is usual
    double delay; ///< s, from sample to force beyond what the profile has: of computing, of filters
    sn_law_kind law;
    double amplification; ///< reaction only: bound of the norm of K, sn_reaction_gain; at least 1
    sn_gains wanted;
    double margin; ///< share of the bound that is used
} sn_certify_def;

/// 1 kHz, no delay, spring, wanting more than any device has, margin 0.8.
sn_certify_def sn_certify_def_default(const sn_device_profile* profile);

typedef enum sn_certify_limit {
    SN_LIMIT_NONE,
    SN_LIMIT_PASSIVITY, ///< sampling and delay against the friction of the device
    SN_LIMIT_ENCODER,   ///< steps of the encoder against its dry friction
    SN_LIMIT_DEVICE,    ///< what the profile says it can render
    SN_LIMIT_NO_OUTPUT, ///< the device does not render it
} sn_certify_limit;

typedef struct sn_certificate {
    sn_gains gains;
    sn_gains most;          ///< the stiffest, with no damping; the most damping, with no stiffness
    sn_certify_limit limit; ///< what stiffness was cut by
    sn_certify_limit turn_limit; ///< the same of turning
    double delay;                ///< s, in all, with half a period of sampling
    bool
        needs_passivity_controller; ///< reaction: its forces have a curl, which no gain makes passive
} sn_certificate;

/// Gains as wanted where that is safe, else as large as is; `text` (may be NULL) says what was cut and why, "" when
/// nothing was. SN_ERR_ARGUMENT: a number is negative or not finite, no period.
sn_status sn_certify(const sn_certify_def* def, sn_certificate* certificate, char* text,
                     size_t room);

/// Norm of K of all hands of a law, as springs of these gains at `points` (body frame, one a hand) see it: the
/// reaction feels up to this many times as stiff as its grip. turn_stiffness 0: force at the point only.
/// SN_ERR_ARGUMENT: no hand, stiffness not positive. Not realtime.
sn_status sn_reaction_gain(const sn_coupling_law* law, const sn_vec3* points, const sn_gains* gains,
                           double* norm);
/// A bound of it for one hand on a body of this inertia, whatever the mechanism and its posture: the square root of
/// the condition of the inertia, scaled by the grip.
sn_status sn_reaction_gain_bound(const sn_inertia* inertia, sn_vec3 point, const sn_gains* gains,
                                 double* norm);

#ifdef __cplusplus
}
#endif
#endif
