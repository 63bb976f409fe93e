// SPDX-License-Identifier: Apache-2.0
/// Hands in a running simulation: the three loops, in threads or in virtual time.
///
///   simulation   steps at its pace; gets the average wrench of each hand over the step, gives the law of what they hold
///   coupling     makes the newest law ready for each hand, at a rate of its own
///   haptics      one a device, 1 to 4 kHz: reads it, pulls, and renders what the safety chain lets through
///
/// In virtual time the same ticks run in one thread, in the order of their times, with delays, jitter and stalls as
/// asked for: faster than real time, and to the bit the same each time.   docs/haptics.md
#ifndef SINEW_SESSION_H
#define SINEW_SESSION_H

#include "sinew/device.h"
#include "sinew/haptics.h"
#include "sinew/safety.h"
#include "sinew/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_session sn_session;

typedef enum sn_loop { SN_LOOP_SIMULATION, SN_LOOP_COUPLING, SN_LOOP_HAPTICS, SN_LOOPS } sn_loop;
const char* sn_loop_name(sn_loop loop);

/// A loop that does not run for a while, in virtual time.
typedef struct sn_stall {
    sn_loop loop;
    double at, duration; ///< s
} sn_stall;

enum { SN_STALLS_MOST = 8 };

/// What virtual time does as a machine would.
typedef struct sn_session_timing {
    double step_time;        ///< s that a simulation step takes; its results come that much later
    double jitter[SN_LOOPS]; ///< s: ticks begin late by up to this, at random
    sn_stall stall[SN_STALLS_MOST];
    int stalls;
    uint64_t seed;
} sn_session_timing;

typedef struct sn_session_def {
    double haptic_rate;   ///< Hz
    double coupling_rate; ///< Hz
    double pace;          ///< simulated seconds a second
    bool virtual_time;
    sn_session_timing timing; ///< of virtual time
    bool
        real_time; ///< asks for the priority of real time where there are threads; says so when it cannot be had
    double delay; ///< s, of the loop beyond what profiles have, that gains are certified for
    sn_log log;
} sn_session_def;

/// 1 kHz, coupling at 2 kHz, pace 1, threads that ask for priority.
sn_session_def sn_session_def_default(void);

/// For a simulation whose edits come from the thread that steps. It must outlive the session.
sn_status sn_session_create(sn_simulation* sim, const sn_session_def* def, sn_session** session,
                            sn_error* error);
/// Ends the loops, closes the devices.
void sn_session_free(sn_session* session);

/// A hand on a device, which becomes the session's, also when this fails. Gains are what the device can render with
/// certainty, see sn_certify; the log says when they had to be less than asked for. Before sn_session_run.
/// SN_ERR_CAPACITY: more than SN_GRAB_MAX hands.
sn_status sn_session_add_hand(sn_session* session, const sn_hand_def* def, sn_device* device,
                              sn_error* error);
int sn_session_hand_count(const sn_session* session);

/// Runs for so many seconds of the simulation; go_on (may be NULL) is asked after each step, false ends the run. However
/// it ends, also when a step fails, the force of every hand goes down by its ramp before this returns. Another run goes on
/// from there.
sn_status sn_session_run(sn_session* session, double duration,
                         bool (*go_on)(void* context, sn_session* session,
                                       const sn_step_report* report),
                         void* context);

/// One tick of one loop at a time of the caller's: for a schedule of one's own, or to measure it. Of the simulation a
/// step, whose results are there at once. SN_ERR_ARGUMENT: not in virtual time, no such hand.
sn_status sn_session_tick(sn_session* session, sn_loop loop, int hand, int64_t now_ns);

/// Takes hold of a body of the whole at a point of it, or lets go (body -1). Between steps; thread: sim.
sn_status sn_session_hold(sn_session* session, int hand, sn_body_id body, sn_vec3 point);

// ---- looking: thread sim, after a run (as it was before the force went down) or from go_on ------------------------------------------------------------

typedef struct sn_hand_report {
    const char* name;
    sn_device_profile profile;
    sn_loop_meter meter;
    sn_safety_report safety;
    sn_body_id body;       ///< that it holds; -1: none
    sn_wrench wrench;      ///< of the hand on it in the last step, body axes
    sn_device_force force; ///< on the hand, last
    sn_hand hand;          ///< in the world
    double stiffness, damping, turn_stiffness, turn_damping; ///< certified, at the body
    char reason[256]; ///< why these are less than asked for; "": they are not
} sn_hand_report;

void sn_session_ask_hand(const sn_session* session, int hand, sn_hand_report* report);
/// Of haptics the first hand's; coupling and haptics only after a run.
sn_loop_meter sn_session_ask_loop(const sn_session* session, sn_loop loop);

#ifdef __cplusplus
}
#endif
#endif
