// SPDX-License-Identifier: Apache-2.0
/// What a hand feels: how grabbed bodies answer the wrenches of hands, as plain records that another
/// thread evaluates at haptic rate without touching the simulation (docs/coupling.md).   [MR07]
///
///   sn_dynamics_coupling   after forward dynamics: the law of 1 to SN_GRAB_MAX grabbed bodies
///   sn_dynamics_feel       the same answer by a pass over the structure, exact, without a law
///   sn_coupling_tick       f_feed = K f_u + f0: constant time, whatever the size of the body
///   sn_local_model         the bodies moved on at haptic rate between two simulation steps
///
/// Everything is in the users' body frames: body axes, moments about the body-frame origin; six
/// numbers are angular (moment), then linear (force). Accelerations a' = a - gravity's, so K and f0 do
/// not contain the weight of a grabbed body; it is in the law apart, to be added by who wants it felt.
#ifndef SINEW_COUPLING_H
#define SINEW_COUPLING_H

#include "sinew/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SN_GRAB_MAX = 8, SN_GRAB_ROWS = 6 * SN_GRAB_MAX };

/// A grabbed body when the law was made.
typedef struct sn_grabbed {
    sn_body_id body;
    sn_pose pose;       ///< X_wb
    sn_twist velocity;  ///< body axes
    sn_vec3 gravity;    ///< acceleration of gravity in body axes
    sn_inertia inertia; ///< of this body alone
} sn_grabbed;

/// With f_u the wrenches of the hands on the grabbed bodies, n = 6 count numbers:
///   a'     = Lambda f_u + a0
///   f_feed = K f_u + f0        K = blockdiag(I) Lambda - 1,  f0 = I a0 + v x* I v
/// f_feed is what joints, other hands and other external wrenches do to each body together. Only the
/// first count, n or n*n entries of the arrays are used; matrices are row-major with n columns.
typedef struct sn_coupling_law {
    int32_t count; ///< hands; 0: none
    int32_t nodes; ///< bodies, or nodes of the assembly tree, that were visited to make it
    uint64_t step; ///< for who publishes it; zero from sn_dynamics_coupling
    double time;   ///< s, the same
    sn_grabbed hand[SN_GRAB_MAX];
    double a0[SN_GRAB_ROWS];     ///< a' without the hands
    double f0[SN_GRAB_ROWS];     ///< f_feed without the hands
    double weight[SN_GRAB_ROWS]; ///< I [0; g]: add it to f_feed to feel the weight of the body
    double Lambda[SN_GRAB_ROWS * SN_GRAB_ROWS];
    double K[SN_GRAB_ROWS * SN_GRAB_ROWS];
} sn_coupling_law;

// ---- making a law: the thread of the dynamics -----------------------------------------------------

/// After sn_dynamics_forward: the law of the bodies hands[i].body. hands[i].wrench is what the external
/// wrenches of that forward contain of hand i (zero: nothing); it is left out of a0 and f0. The same
/// body may be grabbed by several hands: each then feels the others through it.
/// Refused as sn_dynamics_impulse is; SN_ERR_CAPACITY: more than SN_GRAB_MAX hands; SN_ERR_NUMERIC: not
/// finite, and the law has no hands. Realtime: yes.
sn_status sn_dynamics_coupling(sn_dynamics* dynamics, const sn_body_wrench* hands, int count,
                               sn_coupling_law* law);

/// After sn_dynamics_forward: what each hand feels when the hands' wrenches act as well, by a pass over
/// the structure: f_feed = I a' + v x* I v - f_u. The wrenches of that forward stay; they are to be
/// without the hands. Any number of hands, several on one body too. Refused as sn_dynamics_impulse is.
/// Realtime: yes.
sn_status sn_dynamics_feel(sn_dynamics* dynamics, const sn_body_wrench* hands, int count,
                           sn_wrench* f_feed);

// ---- using a law: any thread, nothing but the arguments is touched, realtime ------------------------

/// Copies what is used: 1 kB for one hand instead of 40.
void sn_coupling_copy(const sn_coupling_law* law, sn_coupling_law* out);

/// f_feed = K f_u + f0 of all hands, 36 multiply-adds for one; f_feed may be f_u. SN_ERR_NUMERIC when a
/// result is not finite: all of f_feed is then zero.
sn_status sn_coupling_tick(const sn_coupling_law* law, const sn_wrench* f_u, sn_wrench* f_feed);

/// What holds a body in a hand: f_u = stiffness e + damping (v_hand - v), both symmetric and not
/// negative, in the frame of the body; e is the pose of the hand seen from the body,
/// [rotation vector; position].
typedef struct sn_grip {
    double stiffness[6][6]; ///< Nm/rad, N/rad, N/m
    double damping[6][6];   ///< Nm s/rad, N s/rad, N s/m
} sn_grip;

/// Springs and dampers at a point of the body: against turning and against moving that point.
sn_grip sn_grip_at(sn_vec3 point, double turn_stiffness, double move_stiffness, double turn_damping,
                   double move_damping);

/// The law whose K renders no work on closed paths of hands that pull by these grips (one a hand,
/// stiffness positive definite: else SN_ERR_ARGUMENT): K Kc is replaced by its symmetric part. It is no
/// longer the reaction of the mechanism: docs/coupling.md says what is lost. out may be law.
sn_status sn_coupling_symmetric(const sn_coupling_law* law, const sn_grip* grips,
                                sn_coupling_law* out);

// ---- local model: one haptic thread, realtime ---------------------------------------------------------

/// Pose and motion of a device, as the frame that the grabbed body's frame is pulled to.
typedef struct sn_hand {
    sn_pose pose;      ///< X_wh
    sn_twist velocity; ///< angular, and linear of the frame's origin; world axes
} sn_hand;

/// A grip made ready for ticks of one length: L L^T = period damping + period^2 stiffness.
typedef struct sn_local_grip {
    double factor[6][6]; ///< L
    double spring[6][6]; ///< L^+ stiffness
    double damper[6][6]; ///< L^+ damping
} sn_local_grip;

/// A grabbed body as the local model has it.
typedef struct sn_local_hand {
    sn_vec3 p; ///< position, world
    sn_quat r; ///< orientation, body to world
    sn_mat3 R; ///< the same
    sn_twist velocity;
    // what is still to be added because the simulation said so
    sn_vec3 move;  ///< world axes
    sn_vec3 turn;  ///< rotation vector, body axes
    sn_twist push; ///< velocity, body axes
    // what the hand does
    sn_wrench wrench;  ///< f_u of the last tick
    sn_wrench impulse; ///< sum of period * f_u since the last sn_local_model_average
    sn_local_grip grip;
} sn_local_hand;

/// Law and grip of a hand that is alone, multiplied out; each row is a column of the matrix.
typedef struct sn_local_alone {
    double spring[6][6]; ///< f_u of a stretch of the grip
    double damper[6][6]; ///< f_u of a slip
    double move[6][6];   ///< change of velocity in a tick, of f_u
} sn_local_alone;

/// The law between two simulation steps, integrated implicitly with the grips. All zero: a new one.
typedef struct sn_local_model {
    sn_coupling_law law;
    double period;  ///< s, of a tick
    double blend;   ///< share of what is still to be added that a tick adds
    double elapsed; ///< s, since the last sn_local_model_average
    sn_local_hand hand[SN_GRAB_MAX];
    double acceleration[SN_GRAB_ROWS];         ///< a0 with gravity
    double solve[SN_GRAB_ROWS * SN_GRAB_ROWS]; ///< Cholesky factor of 1 + L^T Lambda L, n columns
    bool general;         ///< Lambda is not symmetric (contact that slides): the inverse instead
    sn_local_alone alone; ///< of a law of one hand
} sn_local_model;

/// Takes over a new law with one grip a hand, for ticks of `period` s; all factors are made here. A
/// hand that keeps its body keeps pose and velocity, and comes to those of the law with time constant
/// blend_time (s; the step of the simulation is a good one, 0: with the next tick); another starts from
/// the law's. SN_ERR_ARGUMENT: a grip is not symmetric or is negative, period not above zero;
/// SN_ERR_NUMERIC: the law is not finite. The model is then as it was. Where law and grip together determine no motion,
/// as may be of contact that slides, no hand pulls until the next law.
sn_status sn_local_model_prepare(sn_local_model* model, const sn_coupling_law* law,
                                 const sn_grip* grips, double period, double blend_time);

/// Takes over what sn_local_model_prepare has made of the same hands in another model, such as in another thread: the
/// same result without the work. moved false: the simulation has not moved on since the last law, only forces are
/// others; so the bodies do not come nearer to the law's poses.
void sn_local_model_take(sn_local_model* model, const sn_local_model* prepared, bool moved);

/// One tick: the hands pull, the bodies move on by one period. hands and f_u: one a hand of the law; f_u
/// is on the body, in its frame. Unconditionally stable for the frozen law when its Lambda is symmetric. When a sample is not finite,
/// SN_ERR_NUMERIC: no hand pulls, nothing moves.
sn_status sn_local_model_tick(sn_local_model* model, const sn_hand* hands, sn_wrench* f_u);

/// Average of f_u over the ticks since the last call (no tick since: f_u of the last one), for the
/// simulation to apply in body axes during its step; starts the next average.
void sn_local_model_average(sn_local_model* model, sn_wrench* f_u);

/// Where the local model has body i of its law now.
sn_pose sn_local_model_pose(const sn_local_model* model, int i);

#ifdef __cplusplus
}
#endif
#endif
