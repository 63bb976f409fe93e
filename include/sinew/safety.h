// SPDX-License-Identifier: Apache-2.0
/// What stands between a force that was computed and a hand: ten small elements in a fixed order, always on.
///
///   finite check -> passivity -> energy tank -> peak -> heat -> slew -> ramp-in -> speed -> watchdog -> enable button
///
/// The first six work on the force; the last four decide together whether there is to be force at all, and one gain
/// between 0 and 1 follows that: up in `rise` seconds, down in `fall` seconds. So whatever happens, the output never
/// changes by more than the slew limit in a tick, and is zero after `fall` seconds of trouble.
///
/// Each element is a plain struct with a function, usable alone; sn_safety is all of them for one device. Nothing
/// here allocates, locks or waits. Force and torque go through elements of their own.   docs/haptics_safety.md
#ifndef SINEW_SAFETY_H
#define SINEW_SAFETY_H

#include "sinew/device.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- elements ------------------------------------------------------------------------------------------------------

/// Finite check: the last force that was finite stands in for one that is not.
typedef struct sn_finite {
    sn_device_force good;
} sn_finite;
/// False: *force was not finite, or `usable` is false.
bool sn_finite_apply(sn_finite* element, bool usable, sn_device_force* force);

enum { SN_PASSIVITY_KEPT = 64 };

/// Passivity observer and controller, in three directions.   [HR02]
///
///   energy += - f x + friction x^2 / h + supplied - share (stored - stored before)
///
/// x: way of the handle in this tick, f: the force that acted meanwhile, which was sent `delay` ago. stored is the
/// energy of a spring that renders this force, |f|^2 / 2k; nothing is counted as stored when k is 0. Energy that
/// falls below -slack was made by the rendering: damping takes it away, as much as is allowed in a tick, the rest
/// in the next ones.
typedef struct sn_passivity {
    double friction;     ///< N s/m, of the device, that may be counted on
    double most_damping; ///< N s/m
    double credit;       ///< J, most that is kept for later
    double most_debt;    ///< J, most that is carried on; 0: all of it
    double slack;        ///< J, that nobody minds
    double forget;       ///< s, time constant with which credit and debt are forgotten
    double delay;        ///< s
    double energy;       ///< J: state
    double least;        ///< J, lowest energy so far
    double damping;      ///< N s/m, of this tick
    double stored;       ///< J
    sn_vec3 sent[SN_PASSIVITY_KEPT];
    int newest;
} sn_passivity;

typedef struct sn_passivity_input {
    double h;         ///< s, since the last tick
    sn_vec3 moved;    ///< since the last tick
    sn_vec3 velocity; ///< now
    double stiffness; ///< N/m, of the spring that is rendered; 0: not known
    double limit;     ///< N, of what can be rendered of it now
    double share;     ///< of it that is rendered: the gain of the ramp
    double supplied;  ///< J, that the other end of the spring has put in since the last tick
} sn_passivity_input;

sn_vec3 sn_passivity_apply(sn_passivity* element, const sn_passivity_input* input, sn_vec3 force);
/// What was sent in the end.
void sn_passivity_sent(sn_passivity* element, sn_vec3 force);
void sn_passivity_reset(sn_passivity* element);

/// Energy tank: what a new state of the simulation may add at once to the spring that is rendered. Filled by what
/// the spring's damper takes and, slowly, by itself. What it cannot pay for comes over `release` seconds instead.
typedef struct sn_tank {
    double capacity; ///< J
    double refill;   ///< W
    double release;  ///< s
    double level;    ///< J: state
    double unpaid;   ///< J, that came slowly without being paid for, so far
    sn_vec3 before;  ///< force that came in last
    sn_vec3 held;    ///< back
} sn_tank;

/// fresh: this force is the first after a new state of the simulation. taken: J, by the damper since the last tick.
sn_vec3 sn_tank_apply(sn_tank* element, double h, bool fresh, sn_vec3 moved, double stiffness,
                      double taken, sn_vec3 force);
void sn_tank_reset(sn_tank* element);

/// Shortens a vector, direction kept. True: it was longer.
bool sn_peak_apply(double most, sn_vec3* force);

/// Thermal model of the motors: heat' = (|f|^2/continuous^2 - heat) / time; peak while it is cool, continuous at 1.
typedef struct sn_thermal {
    double peak, continuous, time;
    double heat; ///< state
} sn_thermal;
/// Most force now.
double sn_thermal_limit(const sn_thermal* element);
/// What was sent in the end, for h seconds.
void sn_thermal_warm(sn_thermal* element, double h, sn_vec3 force);

/// Slew limit.
typedef struct sn_slew {
    double rate; ///< N/s
    sn_vec3 last;
} sn_slew;
/// True: it could not follow.
bool sn_slew_apply(sn_slew* element, double h, sn_vec3* force);

/// Gain that opens in `rise` seconds and closes in `fall`.
typedef struct sn_ramp {
    double rise, fall; ///< s
    double gain;
} sn_ramp;
double sn_ramp_apply(sn_ramp* element, double h, bool open);

/// Speed trip: beyond the limit something is wrong with the device or nobody holds it. Over when below half of it.
typedef struct sn_speed_trip {
    double limit, turn_limit; ///< m/s, rad/s; 0: none
    bool tripped;
} sn_speed_trip;
bool sn_speed_trip_apply(sn_speed_trip* element, const sn_twist* velocity);

/// Watchdog: samples, simulation and ticks have to come in time.
typedef struct sn_watchdog {
    double gap;  ///< s, longest tick
    double jump; ///< s: a tick that is longer than this, or negative, is the clock's fault
    double
        stale_least; ///< s: the simulation is late after this and after stale_periods of its own periods,
    double stale_periods;
    double stale_most; ///< s: or after this, however slow it was
    double law_period; ///< s, measured: state
    int64_t law_ns;    ///< of the newest law
    int64_t now_ns;
    bool started;
} sn_watchdog;

typedef enum sn_watchdog_verdict {
    SN_WATCHDOG_WELL,
    SN_WATCHDOG_STALE,
    SN_WATCHDOG_GAP,
    SN_WATCHDOG_CLOCK
} sn_watchdog_verdict;

/// `period` is what a tick is meant to take. *passed: s, what this one took, a period when the clock is wrong; *h:
/// the same but a period at most, for what must not make larger steps when a tick is late.
sn_watchdog_verdict sn_watchdog_apply(sn_watchdog* element, double period, int64_t now_ns,
                                      int64_t law_ns, double* h, double* passed);

/// Enable button: force only while it is held.
typedef struct sn_enable {
    bool needed;
    int button;
} sn_enable;
bool sn_enable_apply(const sn_enable* element, uint32_t buttons);

// ---- all of them ----------------------------------------------------------------------------------------------------

/// X(name, text): the elements, in order.
#define SN_SAFETY_ELEMENT_LIST(X)                                                                  \
    X(FINITE, "finite check")                                                                      \
    X(PASSIVITY, "passivity controller")                                                           \
    X(TANK, "energy tank")                                                                         \
    X(PEAK, "peak force")                                                                          \
    X(HEAT, "motor heat")                                                                          \
    X(SLEW, "slew limit")                                                                          \
    X(RAMP, "ramp")                                                                                \
    X(SPEED, "speed trip")                                                                         \
    X(WATCHDOG, "watchdog")                                                                        \
    X(ENABLE, "enable button")

#define SN_SAFETY_ENUM(name, text) SN_SAFETY_##name,
typedef enum sn_safety_element {
    SN_SAFETY_ELEMENT_LIST(SN_SAFETY_ENUM) SN_SAFETY_ELEMENTS
} sn_safety_element;
#undef SN_SAFETY_ENUM
const char* sn_safety_element_text(sn_safety_element element);

/// X(name, text): why there is no force.
#define SN_SAFETY_CAUSE_LIST(X)                                                                    \
    X(NONE, "")                                                                                    \
    X(IDLE, "not engaged")                                                                         \
    X(PAUSED, "the simulation is paused; the force comes back with it")                            \
    X(BUTTON, "the enable button is not held")                                                     \
    X(NOT_FINITE, "the computed force is not a number; look for a fault in the simulation")        \
    X(LOST, "the device gives no usable samples; is it plugged in and switched on?")               \
    X(SPEED, "the device moves faster than a hand does; was it let go, or is a gain too high?")    \
    X(STALE, "the simulation has stopped or is late; the force comes back with it")                \
    X(GAP, "the haptic loop was kept from running; `sinew doctor` says what to do")                \
    X(CLOCK, "the clock has jumped")

#define SN_SAFETY_ENUM(name, text) SN_CAUSE_##name,
typedef enum sn_safety_cause { SN_SAFETY_CAUSE_LIST(SN_SAFETY_ENUM) SN_CAUSES } sn_safety_cause;
#undef SN_SAFETY_ENUM
const char* sn_safety_cause_text(sn_safety_cause cause);

enum { SN_SPEED_TRIPS = 8 };

/// Settings; 0 is no valid one where a time or limit is asked for.
typedef struct sn_safety_def {
    sn_device_profile profile;
    double period;        ///< s, of the loop
    double delay;         ///< s, of the loop beyond what the profile has
    double slew_time;     ///< s, from nothing to the peak force at the earliest
    double rise, fall;    ///< s, of the ramp
    double calm;          ///< s without trouble before force comes back
    double lost_most;     ///< s without a sample after which it latches
    int speed_trips;      ///< so many, 8 at most, within speed_memory latch
    double speed_memory;  ///< s
    double gap;           ///< s, longest tick
    double stale_least;   ///< s, as in sn_watchdog
    double stale_periods; ///< the same
    double stale_most;    ///< s, the same
    double
        law_period; ///< s, of the simulation, as it is meant to be; 0: not known before it is measured
    double thermal_share;  ///< of the continuous force that heat is counted against
    double friction_share; ///< of the device's viscous friction that passivity counts on
    bool enable_button;    ///< needed; the profile's by default
    int button;            ///< which it is
} sn_safety_def;

sn_safety_def sn_safety_def_default(const sn_device_profile* profile, double period);

/// What is reported.
typedef struct sn_safety_report {
    uint32_t acted;                     ///< bit e: element e changed something in the last tick
    uint64_t count[SN_SAFETY_ELEMENTS]; ///< ticks in which it did
    uint64_t ticks;
    sn_safety_cause cause; ///< why there is no force, or less; NONE: there is
    bool latched;          ///< until sn_safety_reset
    uint64_t trips;        ///< times that force was stopped by trouble
    sn_safety_cause last_trip;
    double gain;                  ///< of the ramp
    double energy, energy_least;  ///< J, of the passivity observer, moving and turning together
    double tank;                  ///< J
    double heat;                  ///< of moving or turning, the larger
    double max_force_step;        ///< N, largest change of the output from tick to tick
    double max_torque_step;       ///< Nm
    double max_force, max_torque; ///< N, Nm
} sn_safety_report;

/// Elements for three directions.
typedef struct sn_safety_axes {
    sn_passivity passivity;
    sn_tank tank;
    sn_thermal thermal;
    sn_slew slew;
} sn_safety_axes;

/// Everything, for one device. A plain struct: sn_safety_init makes it, nothing frees it.
typedef struct sn_safety {
    sn_safety_def def;
    sn_finite finite;
    sn_safety_axes move, turn;
    sn_ramp ramp;
    sn_speed_trip speed;
    sn_watchdog watchdog;
    sn_enable enable;
    sn_safety_report report;
    // state
    sn_device_force output;
    sn_pose pose; ///< of the last good sample
    bool has_pose;
    double calm_for;                  ///< s without trouble
    double lost_for;                  ///< s without a sample
    int64_t speed_ns[SN_SPEED_TRIPS]; ///< when the last speed trips were
    uint64_t speed_count;
} sn_safety;

/// SN_ERR_ARGUMENT: profile or a setting makes no sense, with the reason.
sn_status sn_safety_init(sn_safety* safety, const sn_safety_def* def, sn_error* error);
/// Ends a latch, and forgets what led to it. The force comes back by the ramp.
void sn_safety_reset(sn_safety* safety);

/// What a tick knows.
typedef struct sn_safety_input {
    int64_t now_ns;
    sn_status read;                 ///< of sn_device_read
    const sn_device_sample* sample; ///< looked at when read is SN_OK
    bool engaged;                   ///< something is held or touched, or could be: force is wanted
    bool paused;                    ///< the simulation was told to stand still
    sn_status law;  ///< of computing the force; not SN_OK counts as not finite, as do numbers below
                    ///< that are absurd
    int64_t law_ns; ///< when the simulation's newest state came, by the clock of the loop
    sn_device_force wanted;
    double stiffness,
        turn_stiffness; ///< N/m, Nm/rad at the handle, of the spring that is rendered; 0: not known
    double supplied, turn_supplied; ///< J: sn_passivity_input
    double taken, turn_taken;       ///< J: sn_tank_apply
} sn_safety_input;

/// The force to write, always finite and within the limits; SN_ERR_FAULT while latched. Realtime: yes.
sn_status sn_safety_apply(sn_safety* safety, const sn_safety_input* input, sn_device_force* out);

#ifdef __cplusplus
}
#endif
#endif
