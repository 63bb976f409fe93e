// SPDX-License-Identifier: Apache-2.0
/// Hands in a running simulation: the three loops, in threads or in virtual time.
///
///   simulation   steps at its pace; gets the average wrench of each hand over the step, gives the law of what they hold
///   coupling     makes the newest law ready for each hand, at a rate of its own
///   haptics      one a device, 1 to 4 kHz: reads it, pulls, and renders what the safety chain lets through
///
/// Hands come and go while it runs; each is known by a number that is never given again. It can be paused, stepped
/// and slowed down from any thread.
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
    double delay;   ///< s, of the loop beyond what profiles have, that gains are certified for
    int most_hands; ///< at once
    sn_log log;
} sn_session_def;

/// 1 kHz, coupling at 2 kHz, pace 1, threads that ask for priority, 32 hands.
sn_session_def sn_session_def_default(void);

/// For a simulation whose edits come from the thread that steps. It must outlive the session.
sn_status sn_session_create(sn_simulation* sim, const sn_session_def* def, sn_session** session,
                            sn_error* error);
/// Ends the loops, closes the devices.
void sn_session_free(sn_session* session);

// ---- hands: before a run, or from go_on -------------------------------------------------------------------------

/// A hand on a device, which becomes the session's, also when this fails. Gains are what the device can render with
/// certainty, see sn_certify; the log says when they had to be less than asked for. *hand (may be NULL): its number,
/// counted from 0. SN_ERR_CAPACITY: there are most_hands already, or some have not yet left.
sn_status sn_session_add_hand(sn_session* session, const sn_hand_def* def, sn_device* device,
                              int* hand, sn_error* error);
/// Lets go of what it holds; in a run its force goes down by its ramp, and the device is closed after that. Its number
/// is of no use from now on. SN_ERR_ARGUMENT: there is no such hand.
sn_status sn_session_remove_hand(sn_session* session, int hand);
int sn_session_hand_count(const sn_session* session);
/// Number of the i-th hand that is there, 0 <= i < count; -1: none.
int sn_session_hand_at(const sn_session* session, int i);

/// Takes hold of a body of the whole at a point of it, or lets go (body -1). Any body will do, also one without shapes.
/// SN_ERR_ARGUMENT: no such hand or body. Between steps; thread: sim.
sn_status sn_session_hold(sn_session* session, int hand, sn_body_id body, sn_vec3 point);

// ---- running ---------------------------------------------------------------------------------------------------

/// Runs for so many seconds of the simulation (INFINITY: until told); go_on (may be NULL) is asked after each step, and
/// 100 times a second with report NULL while it is paused; false ends the run. However it ends, also when a step fails,
/// the force of every hand goes down by its ramp before this returns. Another run goes on from there.
sn_status sn_session_run(sn_session* session, double duration,
                         bool (*go_on)(void* context, sn_session* session,
                                       const sn_step_report* report),
                         void* context);

/// Keeps joints locked, so that what is held moves as one piece, until the hand lets go of what it holds now. They are of
/// the item that is held. SN_ERR_ARGUMENT: the hand holds nothing, or a joint is not of that item. Thread: sim.
sn_status sn_session_hold_still(sn_session* session, int hand, const sn_body_id* joints, int count);

/// One tick of one loop at a time of the caller's: for a schedule of one's own, or to measure it. Of the simulation a
/// step, whose results are there at once. SN_ERR_ARGUMENT: not in virtual time, no such hand.
sn_status sn_session_tick(sn_session* session, sn_loop loop, int hand, int64_t now_ns);

// ---- asked of a run: thread any -----------------------------------------------------------------------------------

/// Paused, no time passes in the simulation and hands feel nothing: their force goes down by the ramp, and comes back by
/// it. Bodies stay held.
void sn_session_pause(sn_session* session, bool paused);
/// So many single steps, while it is paused; with the wrenches that hands had when it was.
void sn_session_step(sn_session* session, int steps);
/// Simulated seconds a second from the next step on. SN_ERR_ARGUMENT: not above zero and finite.
sn_status sn_session_set_pace(sn_session* session, double pace);
bool sn_session_is_paused(const sn_session* session);
double sn_session_pace(const sn_session* session);

// ---- looking: thread sim, after a run (as it was before the force went down) or from go_on ------------------------------------------------------------

typedef struct sn_hand_report {
    int number;
    const char* name;
    sn_device_profile profile;
    sn_loop_meter meter;
    sn_latency_meter latency; ///< from samples to forces; in virtual time what the device delays
    sn_safety_report safety;
    sn_body_id body;       ///< that it holds; -1: none
    sn_vec3 point;         ///< m, where it is held, in the body
    sn_wrench wrench;      ///< of the hand on it in the last step, body axes
    sn_device_force force; ///< on the hand, last; the device's axes
    sn_hand hand;          ///< in the world
    // for the eye, all in the world
    sn_vec3 anchor; ///< m: the body's end of the spring; the hand while it holds nothing
    sn_vec3 end;    ///< m: the hand's end
    sn_vec3 on_body, torque_on_body; ///< N, Nm: wrench as force and moment at the anchor
    sn_vec3 on_hand, torque_on_hand; ///< N, Nm: force as the scene's, before workspace scaling
    uint32_t buttons;                ///< held now
    double stiffness, damping, turn_stiffness, turn_damping; ///< certified, at the body
    double most_force;  ///< N, with which it pulls by its spring; 0: no limit
    char reason[256];   ///< why these are less than asked for; "": they are not
    double scale;       ///< metres of the scene for one of the device
    double force_scale; ///< newtons of the scene for one of the device
    char scales[160]; ///< what these mean, where they were chosen for a molecule; "": they were not
} sn_hand_report;

/// False: there is no such hand, and the report is empty.
bool sn_session_ask_hand(const sn_session* session, int hand, sn_hand_report* report);
/// Of haptics the first hand's; coupling and haptics only after a run.
sn_loop_meter sn_session_ask_loop(const sn_session* session, sn_loop loop);

#ifdef __cplusplus
}
#endif
#endif
