// SPDX-License-Identifier: Apache-2.0
/// Front door of `session`: hands in a running simulation (sinew/session.h).
///
/// The three loops are plain objects with a tick; who calls the ticks is threads.c, with threads, or virtual.c, one
/// after the other in the order of their times. What the simulation's side does before and after a step is in hands.c;
/// how hands come and go is in joining.c.
#ifndef SN_SESSION_SN_SESSION_H
#define SN_SESSION_SN_SESSION_H

#include "base/error.h"
#include "base/thread.h"
#include "haptics/sn_haptics.h"
#include "run/sn_run.h"
#include "sinew/certify.h"
#include "sinew/session.h"

/// Of a hand's place: who may touch what is in it. The simulation's side fills a place, says that it is taken, or that
/// its hand is to leave; who ticks the hand says when its force is gone; then the simulation's side empties the place.
typedef enum sni_place { SN_PLACE_FREE, SN_PLACE_TAKEN, SN_PLACE_LEAVES, SN_PLACE_LEFT } sni_place;
/// Added to it: nobody feels its force, and in a run with threads the simulation's ticks it (shared.c).
enum { SN_PLACE_SHARED = 4 };

/// Whether a loop keeps its rate, second by second.
typedef struct sni_rate_watch {
    bool begun, slow;
    int64_t begun_ns; ///< the second, by the clock of the simulation's loop
    uint64_t ticks;   ///< of the loop then
    int falls;        ///< times that it was found slow
} sni_rate_watch;

/// A hand, on the simulation's side.
typedef struct sni_session_hand {
    int number; ///< that it is known by
    sn_hand_def def;
    char* name;
    char* action[SN_HAND_BUTTONS]; ///< of buttons; NULL: none
    sn_device* device;
    sni_haptic_loop* loop;
    sni_hold_terms terms;
    uint64_t fitted;      ///< hold that gains were fitted to
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
    sn_hold_id grip;                ///< of its gripper; generation 0: open
    bool closed;                    ///< so is the gripper that the device measures
    uint64_t trips;                 ///< that were told of
    sni_rate_watch watch;
    char reason[256];
    char scales[160];
    int32_t* still; ///< [still_count] joints of the item that are locked while it holds
    int still_count;
    int64_t
        let_go_ns; ///< of who ticks it: when its force will be gone; 0: it is not told to let go
} sni_session_hand;

/// Wrenches of all hands on bodies of the whole, body axes.
typedef struct sni_wrench_list {
    sn_body_wrench* at; // [most]
    int count, most;
} sni_wrench_list;

/// What any thread may ask of a running session.
typedef struct sni_session_control {
    sni_shown paused;
    sni_shown singles; ///< steps asked for while it is paused, so far
    sni_shown pace;    ///< bits of a double
} sni_session_control;

struct sn_session {
    sn_session_def def;
    sn_simulation* sim;
    sni_shown* stage;       // [def.most_hands] sni_place of each place
    sni_session_hand* hand; // [def.most_hands]
    sni_hand_line** line;   // [def.most_hands] made when its place is first taken, then kept
    int numbers;            ///< of hands, given so far
    sni_coupling_loop* coupling;
    sn_loop_meter meter;          ///< of the simulation
    sn_loop_meter coupling_meter; ///< newest
    sni_rate_watch watch, coupling_watch;
    int64_t recorded_ns;      ///< when meters were recorded last
    sni_wrench_list wrenches; ///< of the last step
    sni_wrench_list before;   ///< of the step before
    uint64_t holds;           ///< numbers given so far
    uint64_t records;         ///< the same
    int64_t virtual_ns;       ///< where virtual time is
    sni_session_control control;
    bool paused;      ///< as the simulation's thread has heard
    uint64_t singles; ///< single steps that were done or are void
    double pace;      ///< as it has heard
    bool runs;
    struct sni_crew* crew; ///< threads of a run
};

enum { SN_PAUSE_NS = 10000000 }; ///< between two calls of go_on while it is paused

static inline sni_place sni_stage_of(const sn_session* session, int place) {
    return (sni_place)(sni_shown_value(&session->stage[place]) & ~(uint64_t)SN_PLACE_SHARED);
}
static inline void sni_set_stage(sn_session* session, int place, sni_place stage) {
    uint64_t shared = sni_shown_value(&session->stage[place]) & SN_PLACE_SHARED;
    sni_show(&session->stage[place], stage == SN_PLACE_FREE ? 0 : (uint64_t)stage | shared);
}
/// Whether a hand is in a place, and stays.
static inline bool sni_is_taken(const sn_session* session, int place) {
    return sni_stage_of(session, place) == SN_PLACE_TAKEN;
}
/// The place of a hand by its number; -1: it is gone.
int sni_find_hand(const sn_session* session, int number);

/// Takes over the newest that the other loops have told.
void sni_listen(sn_session* session);
/// Hears what was asked of the session, and lets hands that have left go. False: it is paused, there is no step to do.
bool sni_hear_control(sn_session* session);
/// Empties the places of hands that have left; of all that leave when nobody ticks any more.
void sni_clear_places(sn_session* session, bool nobody_ticks);
/// Instead of a step, while it is paused: answers buttons; what hands do meanwhile does not count.
void sni_hands_rest(sn_session* session);
/// Before a step: answers buttons, and gives the world what each hand did since the last.
void sni_hands_pull(sn_session* session);
/// Lets go of what a hand's gripper has.
void sni_open_gripper(sn_session* session, sni_session_hand* hand);
/// After a step: makes the records of what the hands hold. False: there is nothing new to be told.
bool sni_hands_make_law(sn_session* session);
/// Tells the coupling loop.
void sni_hands_publish(sn_session* session);
/// After a step: records meters when it is time to, and tells of loops that fall behind, or keep up again.
void sni_watch_meters(sn_session* session);
/// Into the recording, if there is one.
void sni_record_meters(sn_session* session);
/// What the loops did so far says nothing of their rates: the simulation stood still as it was told to.
void sni_forget_rates(sn_session* session);
/// Scales of a hand that are left to be chosen: those of a molecule by its device, or 1.
void sni_choose_scales(const sn_session* session, sni_session_hand* hand);
/// What they come to, for people.
void sni_describe_scales(sni_session_hand* hand);
/// The molecule that an item is; NULL: it is none.
const sn_scene_molecule* sni_molecule_of(const sn_session* session, sn_item_id item);
/// How hard a pointer pulls at molecules.
sn_gains sni_molecule_gains(double* most_force);
/// Makes the gains of a hand fit what it holds, by its law.
void sni_fit_gains(sn_session* session, sni_session_hand* hand, const sn_coupling_law* law,
                   int row);

/// One tick of a hand. True: it was told to let go, and its force is gone.
bool sni_tick_hand(sn_session* session, int place, int64_t now_ns, int64_t due_ns,
                   int64_t period_ns, bool run_is_over);

typedef bool (*sni_go_on)(void* context, sn_session* session, const sn_step_report* report);
sn_status sni_run_threads(sn_session* session, uint64_t steps, sni_go_on go_on, void* context);
sn_status sni_run_virtual(sn_session* session, uint64_t steps, sni_go_on go_on, void* context);
// ---- shared.c: hands that have no thread, in a run with threads -----------------------------------------------------

/// Their ticks between two steps.
typedef struct sni_shared_ticks {
    int64_t period_ns;
    int64_t last_ns; ///< when they were ticked last
    int left;        ///< until the next step
} sni_shared_ticks;

sni_shared_ticks sni_shared_begin(const sn_session* session, int64_t now_ns);
/// As many as fit between now and the next step.
void sni_shared_plan(sni_shared_ticks* ticks, int64_t interval_ns);
/// Waits for the next step; ticks come in time meanwhile.
void sni_shared_wait(sn_session* session, sni_shared_ticks* ticks, int64_t until_ns);
/// Does those that are left.
void sni_shared_catch_up(sn_session* session, sni_shared_ticks* ticks, int64_t now_ns);
/// The run is over: until no force is left.
void sni_shared_let_go(sn_session* session, sni_shared_ticks* ticks);

/// A run in threads takes care of a hand that has come, or forgets one that has left.
sn_status sni_crew_add(sn_session* session, int place);
void sni_crew_drop(sn_session* session, int place);

#endif
