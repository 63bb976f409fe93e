// SPDX-License-Identifier: Apache-2.0
/// Devices without hardware: a simulated one with a simulated hand on it, one that moves exactly as a script says,
/// one that repeats what was recorded.   docs/simulated_device.md
///
/// The simulated device is what an interaction is tested against before a person touches it: mass, friction, encoder
/// steps, amplifier lag, latency and motor heat of a real device (sn_device_profile), held by a hand that is a mass
/// with a spring and a damper to where it wants to be. The same calls at the same times give the same bits.
#ifndef SINEW_SIMULATED_DEVICE_H
#define SINEW_SIMULATED_DEVICE_H

#include "sinew/device.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- what a hand wants ------------------------------------------------------------------------------------------

/// From `time` on. Between two knots the hand moves from the one pose to the other and rests at both: minimum jerk,
/// 10 u^3 - 15 u^4 + 6 u^5 of the way, about a fixed axis. Before the first knot and after the last it rests.
typedef struct sn_hand_knot {
    double time;      ///< s, rising
    sn_pose pose;     ///< device frame
    uint32_t buttons; ///< held from here to the next knot
    bool released;    ///< the hand lets go of the handle from here to the next knot
} sn_hand_knot;

typedef struct sn_hand_script sn_hand_script;

/// Copies the knots. At least one.
sn_status sn_hand_script_create(const sn_hand_knot* knots, int count, sn_hand_script** script,
                                sn_error* error);
/// Out of a text, one knot a line: seconds, metres, and if wanted a rotation vector in radians, pressed buttons as a
/// number (1: button 0, 2: button 1, 3: both), and the word `released`. # starts a comment.
///
///     t x y z [rx ry rz] [buttons] [released]
///
/// `name` is for messages, which give the line.
sn_status sn_hand_script_parse(const char* text, size_t length, const char* name,
                               sn_hand_script** script, sn_error* error);
void sn_hand_script_free(sn_hand_script* script);
int sn_hand_script_knots(const sn_hand_script* script, const sn_hand_knot** knots);
/// s, time of the last knot.
double sn_hand_script_end(const sn_hand_script* script);

/// What is wanted at a time.
typedef struct sn_hand_intent {
    sn_pose pose;
    sn_twist velocity; ///< device axes
    uint32_t buttons;
    bool released;
} sn_hand_intent;

/// Realtime: yes.
void sn_hand_script_at(const sn_hand_script* script, double time, sn_hand_intent* intent);

// ---- what a hand is -----------------------------------------------------------------------------------------------

/// Moves with the handle, and is drawn to what it wants by spring and damper.
typedef struct sn_hand_model {
    double mass, damping, stiffness;              ///< kg, N s/m, N/m
    double inertia, turn_damping, turn_stiffness; ///< kg m^2, Nm s/rad, Nm/rad
} sn_hand_model;

/// Preset i with its name: light, medium, firm, arm, none, mass; NULL past the last.
const char* sn_hand_model_at(int i, sn_hand_model* hand);
bool sn_hand_model_find(const char* name, sn_hand_model* hand);

// ---- simulated ----------------------------------------------------------------------------------------------------

typedef struct sn_simulated_device_def {
    sn_device_profile profile; ///< of the device; any number in it may be changed
    sn_hand_model hand;
    const sn_hand_script*
        script;    ///< copied; NULL: the hand wants to stay where it starts. Time 0: the first read
    sn_pose start; ///< without a script
    sn_vec3 velocity; ///< m/s, of the handle at the start
    double jitter;    ///< s: samples are older by up to this, at random
    double step;      ///< s, longest step of its own integration
    uint64_t seed;
} sn_simulated_device_def;

/// Profile touch, hand medium, at rest in the middle.
sn_simulated_device_def sn_simulated_device_def_default(void);
sn_status sn_simulated_device_create(const sn_simulated_device_def* def, sn_device** device,
                                     sn_error* error);

/// What nobody could measure. The device as of its newest sample.
typedef struct sn_simulated_state {
    sn_pose pose;
    sn_twist velocity;      ///< device axes
    sn_device_force motor;  ///< of the motors, after their limits, lag and latency
    sn_device_force hand;   ///< of the hand on the handle: its spring and damper
    double heat, turn_heat; ///< 1: as warm as continuous force makes it
    double motor_work;      ///< J, that the motors have put in
    double hand_work;       ///< J, that the hand's spring and damper have put in
    double viscous_loss;    ///< J, that viscous friction of the device took, turning included
    double dry_loss,
        stop_loss;  ///< J, that dry friction and the stop at the end of the workspace took
    double kinetic; ///< J, of handle and hand
} sn_simulated_state;

/// False: not a simulated device.
bool sn_simulated_device_state(const sn_device* device, sn_simulated_state* state);

/// Lets it fail, to see what a loop makes of that.
typedef enum sn_simulated_trouble {
    SN_SIMULATED_WELL,
    SN_SIMULATED_LOST,   ///< reads and writes fail: SN_ERR_FAULT; the motors get zero
    SN_SIMULATED_NAN,    ///< samples are not numbers
    SN_SIMULATED_FROZEN, ///< samples stay what they were
} sn_simulated_trouble;

/// Thread: that of the loop. False: not a simulated device.
bool sn_simulated_device_trouble(sn_device* device, sn_simulated_trouble trouble);

/// "sim:PROFILE" and "sim:PROFILE,HAND"; "sim" alone is sim:touch,medium.
const sn_driver* sn_simulated_driver(void);

// ---- scripted -------------------------------------------------------------------------------------------------------

/// A force that was written.
typedef struct sn_written_force {
    int64_t time_ns;
    sn_device_force force;
} sn_written_force;

/// Moves exactly as the script (copied) says, whatever the force, from the first read on. Keeps the first `most`
/// forces that are written.
sn_status sn_scripted_device_create(const sn_device_profile* profile, const sn_hand_script* script,
                                    int most, sn_device** device, sn_error* error);
/// Forces that were kept; returns how many. `written`: how many there were in all, may be NULL. 0: not scripted.
int sn_scripted_device_forces(const sn_device* device, const sn_written_force** forces,
                              int64_t* written);

// ---- replayed -------------------------------------------------------------------------------------------------------

/// Gives the samples (copied; times not falling) again at the pace they were taken, from the first read on; rests
/// at the last. Force is accepted and ignored.
sn_status sn_replayed_device_create(const sn_device_profile* profile,
                                    const sn_device_sample* samples, int count, sn_device** device,
                                    sn_error* error);

#ifdef __cplusplus
}
#endif
#endif
