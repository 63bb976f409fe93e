// SPDX-License-Identifier: Apache-2.0
/// Parts of controllers and sensors: motors with their gears, springs that stay stable, as plain records and functions.
///
/// Nothing here knows a world or a scene: a controller of your own (sn_simulation_set_controller, a plugin, another
/// program) can use what the controllers of scene files are made of. Nothing allocates after creation, locks, or reads
/// a file. Units SI, angles in radians.   docs/control.md
#ifndef SINEW_CONTROL_H
#define SINEW_CONTROL_H

#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- springs ------------------------------------------------------------------------------------------------

/// Force on a degree of freedom over a step of h seconds: tau - give qdd, see sn_drive.
typedef struct sn_pull {
    double tau;  ///< N m or N, if it did not accelerate
    double give; ///< kg m^2 or kg
} sn_pull;

/// A spring and a damper as they are at the end of the step: kp (target - q) + kd (v_target - v), with error = target -
/// q at its beginning, where target is that of the end. Stable for any gains that are not negative. h = 0: as they
/// are at the beginning.
sn_pull sn_spring_pull(double kp, double kd, double error, double v, double v_target, double h);

// ---- actuators ----------------------------------------------------------------------------------------------

/// A motor with its gear at one degree of freedom. Everything but gear and rotor is at the joint.
typedef struct sn_actuator {
    double gear;     ///< angle of the motor over that of the joint
    double rotor;    ///< kg m^2 (kg) of the rotor; the joint feels gear^2 times that
    double viscous;  ///< N m s/rad (N s/m): friction that grows with speed
    double friction; ///< N m (N): dry friction
    double torque;   ///< N m (N): most it can do, at rest; INFINITY: anything
    double speed;    ///< rad/s (m/s): at which it cannot pull any more; INFINITY: never
} sn_actuator;

/// Gear 1, nothing else.
sn_actuator sn_actuator_default(void);
/// What is wrong with it; NULL: nothing.
const char* sn_actuator_trouble(const sn_actuator* actuator);
/// What it is to a joint: adds armature, damping and dry friction, and lowers the effort to its torque, of all degrees
/// of freedom.
void sn_actuator_join(const sn_actuator* actuator, sn_joint_def* joint);
/// Forces that it can do at a speed. In the direction of motion it loses torque in proportion to the speed, down to
/// none at `speed`; against it there is all of it.
void sn_actuator_bounds(const sn_actuator* actuator, double v, double* lower, double* upper);

/// What gains are per: X(code, name, how the joint's are made of them; R: gear).   [C12 22], docs/control.md
#define SN_GAIN_SIDE_LIST(X)                                                                       \
    X(SN_GAINS_JOINT, "joint", "joint torque per joint angle: as they are")                        \
    X(SN_GAINS_MOTOR, "motor", "motor torque per motor angle: times R^2")                          \
    X(SN_GAINS_MIXED, "mixed", "motor torque per joint angle: times R")

#define SN_GAIN_SIDE_ENUM(code, name, text) code,
typedef enum sn_gain_side { SN_GAIN_SIDE_LIST(SN_GAIN_SIDE_ENUM) SN_GAIN_SIDE_COUNT } sn_gain_side;
#undef SN_GAIN_SIDE_ENUM

/// By which gains are multiplied to become the joint's.
double sn_gain_factor(sn_gain_side side, double gear);

// ---- motions ------------------------------------------------------------------------------------------------

/// How one goes from a posture to the next: X(code, name, what it is).
#define SN_SMOOTH_LIST(X)                                                                          \
    X(SN_SMOOTH_MINIMUM_JERK, "minimum_jerk", "of order five, at rest at each posture")            \
    X(SN_SMOOTH_CUBIC, "cubic", "of order three, at rest at each posture")                         \
    X(SN_SMOOTH_SPLINE, "spline",                                                                  \
      "of order three, without stopping between the first and the last")                           \
    X(SN_SMOOTH_LINEAR, "linear", "at constant speeds")

#define SN_SMOOTH_ENUM(code, name, text) code,
typedef enum sn_smooth { SN_SMOOTH_LIST(SN_SMOOTH_ENUM) SN_SMOOTH_COUNT } sn_smooth;
#undef SN_SMOOTH_ENUM

/// Postures of a model at increasing times.
typedef struct sn_motion {
    int count;          ///< at least 1
    const double* time; ///< [count] s
    const double* q;    ///< [count][nq]
    sn_smooth smooth;
    bool repeat;         ///< from the last time on again from the first
    const double* force; ///< [count][nv] of joints, ahead of any spring; NULL: none
} sn_motion;

/// Part of the way at a part u of the time, both 0 to 1, and its rate; of SPLINE as CUBIC.
double sn_smooth_way(sn_smooth smooth, double u, double* rate);
/// Posture and velocity at a time; at rest before the first and after the last. scratch: 3 nv numbers. Velocities of
/// spherical and free joints are exact where they turn about one axis from a posture to the next.
void sn_motion_at(const sn_model* model, const sn_motion* motion, double time, double* q, double* v,
                  double* scratch);

/// Joint forces at a time, straight from posture to posture; those of the ends before and after. There are some.
void sn_motion_force(const sn_model* model, const sn_motion* motion, double time, double* force);

// ---- compliance -----------------------------------------------------------------------------------------------

/// mass x'' + damping x' + stiffness x = force over a step of h: exact without stiffness, else implicit Euler, so stable.
/// [C12 16]
void sn_admittance_step(double mass, double damping, double stiffness, double force, double h,
                        double* x, double* v);

// ---- gaze -----------------------------------------------------------------------------------------------------

/// Rotation vector of the shortest turn from one direction to another; any of those where they are opposite.
sn_vec3 sn_turn_between(sn_vec3 from, sn_vec3 to);
/// Turns about `count` axes that together come nearest to a rotation vector, small where they would have to be large:
/// damped least squares.
void sn_turn_by_axes(sn_vec3 turn, const sn_vec3* axes, int count, double damping, double* angles);

// ---- patterns of force ------------------------------------------------------------------------------------------

#define SN_PATTERN_LIST(X)                                                                         \
    X(SN_PATTERN_NONE, "none")                                                                     \
    X(SN_PATTERN_TAP, "tap")     /* short, then nothing */                                         \
    X(SN_PATTERN_PUSH, "push")   /* lasting, towards the middle of the body */                     \
    X(SN_PATTERN_PULL, "pull")   /* lasting, away from it */                                       \
    X(SN_PATTERN_SHAKE, "shake") /* to and fro */

#define SN_PATTERN_ENUM(code, name) code,
typedef enum sn_pattern { SN_PATTERN_LIST(SN_PATTERN_ENUM) SN_PATTERN_COUNT } sn_pattern;
#undef SN_PATTERN_ENUM

typedef struct sn_recogniser_def {
    double threshold;  ///< N: weaker forces are none; half of it while there is one
    double tap_time;   ///< s: a tap is over sooner
    double hold_time;  ///< s: a push or pull lasts longer
    double quiet_time; ///< s without force end a pattern
    int turns;         ///< changes of direction that make a shake,
    double turn_time;  ///< s, each within so long of the one before
} sn_recogniser_def;

/// 2 N, 0.35 s, 0.4 s, 0.1 s, 3 turns within 0.5 s.
sn_recogniser_def sn_recogniser_def_default(void);

/// Start from {.def = ...}; it is plain memory and may be copied.
typedef struct sn_recogniser {
    sn_recogniser_def def;
    double since;   ///< s since the force began; 0: there is none
    double quiet;   ///< s since it was last felt
    double turned;  ///< s since it last changed direction
    int turns;      ///< changes of direction so far
    sn_vec3 swing;  ///< direction of the force at the last change
    double outward; ///< N s along the outward direction
    bool told;      ///< the pattern was recognised already
} sn_recogniser;

/// A force felt for h seconds; outward: direction from the middle of the body to where it acts. The pattern that is
/// recognised now, each once, or NONE.
sn_pattern sn_recogniser_feel(sn_recogniser* recogniser, sn_vec3 force, sn_vec3 outward, double h);

// ---- sensors ------------------------------------------------------------------------------------------------

/// A number of the standard normal distribution that belongs to a step and a channel: the same whenever it is asked
/// for.
double sn_sensor_noise(uint64_t seed, uint64_t step, int channel);

/// A six-axis sensor that feels f and shows G^-1 f - offset.   [C12 18-20]
typedef struct sn_force_sensor {
    double G[36];       ///< calibration, row by row: f = G (shown + offset)
    double inverse[36]; ///< of G
    double offset[6];
} sn_force_sensor;

/// False: G has no inverse, or a number is not finite. offset NULL: none.
bool sn_force_sensor_make(const double* G, const double* offset, sn_force_sensor* sensor);
/// What it shows of f; and f of what it shows.
void sn_force_sensor_show(const sn_force_sensor* sensor, const double* f, double* shown);
void sn_force_sensor_feel(const sn_force_sensor* sensor, const double* shown, double* f);

#ifdef __cplusplus
}
#endif
#endif
