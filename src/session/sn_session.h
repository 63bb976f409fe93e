// SPDX-License-Identifier: Apache-2.0
/// Front door of `session`: hands in a running simulation (sinew/session.h).
///
/// The three loops are plain objects with a tick; who calls the ticks is threads.c, with a thread for each, or
/// virtual.c, one after the other in the order of their times. What the simulation's side does before and after a
/// step is in hands.c.
#ifndef SN_SESSION_SN_SESSION_H
#define SN_SESSION_SN_SESSION_H

#include "base/error.h"
#include "haptics/sn_haptics.h"
#include "run/sn_run.h"
#include "sinew/session.h"

/// A hand, on the simulation's side.
typedef struct sni_session_hand {
    sn_hand_def def;
    char* name;
    char* action[SN_HAND_BUTTONS]; ///< of buttons; NULL: none
    sn_device* device;
    sni_haptic_loop* loop;
    sni_hold_terms terms;
    sn_item_id item;      ///< of what it holds; generation 0: nothing
    int32_t body_in_item; ///< counted from the item's first
    sn_body_id body;      ///< the same in the whole, as of the last step; -1: none
    sn_wrench wrench;     ///< on it, in the last step
    sni_pull pull;        ///< newest
    sni_pull counted;     ///< the one whose pushes the last step had
    sni_hand_state state; ///< the same
    sn_wrench impulse;    ///< of the pull before
    double elapsed;
    double idle;                    ///< s without a tick of the haptic loop
    uint32_t seen[SN_LINE_BUTTONS]; ///< presses that were answered
    char reason[256];
} sni_session_hand;

enum { SN_SESSION_WRENCHES = SN_GRAB_MAX * (1 + SN_LINE_PUSHES) };

/// Wrenches of all hands on bodies of the whole, body axes.
typedef struct sni_wrench_list {
    sn_body_wrench at[SN_SESSION_WRENCHES];
    int count;
} sni_wrench_list;

struct sn_session {
    sn_session_def def;
    sn_simulation* sim;
    sni_session_hand hand[SN_GRAB_MAX];
    int hands;
    sni_hand_line* line; // [SN_GRAB_MAX]
    double period[SN_GRAB_MAX];
    sni_coupling_loop* coupling;
    sn_loop_meter meter;          ///< of the simulation
    sn_loop_meter coupling_meter; ///< newest
    sni_wrench_list wrenches;     ///< of the last step
    uint64_t holds;               ///< numbers given so far
    uint64_t records;             ///< the same
    int64_t virtual_ns;           ///< where virtual time is
};

/// Takes over the newest that the other loops have told.
void sni_listen(sn_session* session);
/// Before a step: answers buttons, and gives the world what each hand did since the last.
void sni_hands_pull(sn_session* session);
/// After a step: makes the record of what the hands hold. False: there is nothing new to be told.
bool sni_hands_make_law(sn_session* session);
/// Tells the coupling loop.
void sni_hands_publish(sn_session* session);

/// s in which the force of every hand is gone when a run ends.
double sni_ending_time(const sn_session* session);

typedef bool (*sni_go_on)(void* context, sn_session* session, const sn_step_report* report);
sn_status sni_run_threads(sn_session* session, double duration, sni_go_on go_on, void* context);
sn_status sni_run_virtual(sn_session* session, double duration, sni_go_on go_on, void* context);

#endif
