// SPDX-License-Identifier: Apache-2.0
/// Whole interactions in virtual time: a scene, a session, simulated devices with hands; every force that is written to
/// a device is looked at.
///
///     playing p = playing_begin(scene, NULL);
///     playing_hand(&p, &hand, "omega3", "firm", way, 3);
///     playing_watch(&p, 4, 5);                           // ripple and mean force between these times
///     CHECK_STATUS(playing_run(&p, 5), SN_OK);
///     playing_end(&p);
#ifndef SINEW_TESTS_PLAYING_H
#define SINEW_TESTS_PLAYING_H

#include "session/sn_session.h"
#include "sinew/simulated_device.h"
#include "support/check.h"
#include "support/running.h"

enum { PLAYING_TROUBLES = 4 };

/// A simulated device that is looked at, and told when to fail.
typedef struct playing_tap {
    sn_device* inner;
    int64_t first_ns; ///< of the first read
    bool started;
    struct {
        double at;
        sn_simulated_trouble trouble;
    } trouble[PLAYING_TROUBLES]; ///< from when on; in order
    int troubles;
    double from, to;   ///< s: the watch
    sn_vec3 low, high; ///< N, of what was written in it
    sn_vec3 sum;       ///< N
    long count;
    sn_vec3 sum_p;                   ///< m, of the handle
    double produced;                 ///< J, by the motors so far beyond what viscous friction took
    sn_vec3 second_low, second_high; ///< N: of the second that goes on
    int second;
    double ripple;        ///< N, of the second before; INFINITY: there was none
    sn_device_force last; ///< written
    double quiet_since;   ///< s: since when nothing but zero was written
    double largest_step;  ///< N, from write to write
    /// Told of every write, if given.
    void (*seen)(void* context, double now, const sn_device_force* force);
    void* context;
} playing_tap;

typedef struct playing {
    sn_simulation* sim;
    sn_session* session;
    playing_tap* tap[SN_GRAB_MAX]; ///< freed with the session's devices
    int hands;
    double produced; ///< J, most so far by the motors of all hands beyond viscous friction
    sn_vec3 thrown;  ///< m/s: of handles that are added from now on, where nobody holds them
} playing;

/// A session of a scene, in virtual time; def NULL: defaults.
playing playing_begin(const char* scene, const sn_session_def* def);
void playing_end(playing* p);
sn_session_def playing_def(void);

/// What a hand holds, or that it touches (item -1): 200 N/m, 0.2 N s/m.
sn_hand_def playing_hold(int item);
sn_hand_def playing_touch(double stiffness);

/// A place that the hand wants to be at, holding the enable button.
sn_hand_knot playing_knot(double time, double x, double y, double z);
void playing_hand(playing* p, const sn_hand_def* hand, const char* profile, const char* preset,
                  const sn_hand_knot* knots, int count);

void playing_trouble(playing* p, int hand, double at, sn_simulated_trouble trouble);
void playing_watch(playing* p, double from, double to);
sn_status playing_run(playing* p, double seconds);
/// Runs for `least` seconds of the clock, and on until forces vary by no more than `ripple` in a second, `most` at the
/// longest.
sn_status playing_settle(playing* p, double ripple, double least, double most);
sn_hand_report playing_report(const playing* p, int hand);
sn_vec3 playing_place(const playing* p, int32_t body);

/// Of the watch: mean force, half of what it varied by in the worst direction, mean place of the handle.
sn_vec3 playing_mean(const playing* p, int hand);
double playing_ripple(const playing* p, int hand);
sn_vec3 playing_handle(const playing* p, int hand);

/// N: most that the output of the chain may change by in a tick.
double playing_slew(const playing* p, int hand);
/// Force never made a larger step than that.
void playing_check_steps(const playing* p, int hand);

#endif
