// SPDX-License-Identifier: Apache-2.0
/// One tick of a hand: read the device, pull at what is held by the newest law, let the safety chain decide what of the
/// answer reaches the hand, write it. Constant time, whatever is held; waits for nobody.   docs/haptics.md
#ifndef SN_HAPTICS_HAPTIC_LOOP_H
#define SN_HAPTICS_HAPTIC_LOOP_H

#include "haptics/hand_line.h"
#include "haptics/hand_map.h"
#include "haptics/meter.h"
#include "sinew/clock.h"
#include "sinew/haptics.h"
#include "sinew/safety.h"
#include "sinew/touch.h"

typedef struct sni_haptic_def {
    sni_hand_map_def map;
    sn_safety_def safety;
    double period; ///< s
    bool reaction; ///< the law of [MR07]; else the spring
    bool touches;  ///< feels surfaces while it holds nothing
    sn_touch_def touch;
    bool shown;    ///< its force reaches the eye only: after trouble it pulls to where it is then
    bool has_tool; ///< touches with that, not with a point
    sn_tool tool;
    sn_clock clock;        ///< of latency; no function: ticks take no time
    int clutch;            ///< button; -1: none
    uint64_t holds_before; ///< holds up to this number were of another hand on the same line
} sni_haptic_def;

typedef struct sni_haptic_loop {
    sni_haptic_def def;
    sn_device* device;
    sni_hand_line* line;
    sni_hand_map map;
    sn_safety safety;
    sn_device_sample sample; ///< of this tick
    sn_hand hand;            ///< in the world
    // what is held
    sni_hold_terms terms;
    sn_local_model model;
    sn_mat3 turn_offset;  ///< from the hand's orientation to the body's, as when it took hold
    sn_vec3 point_offset; ///< m, world: from the hand to the point
    sn_mat3 kept_turn;    ///< of the spring when the simulation was paused; world
    sn_vec3 kept_stretch; ///< m, the same
    bool has_pulled;      ///< since it took hold
    sn_wrench f_w; ///< of the spring on the body in the last tick: at the held point, world axes
    double pace;   ///< of the simulation: model is in its time
    // what is touched
    sn_proxy proxy;
    sn_god_object tool;
    uint64_t push_number;   ///< of sums that were begun
    uint64_t law_number;    ///< of the newest record of the simulation
    int64_t law_ns;         ///< when it came
    sni_pull pull;          ///< what is published
    sn_device_force output; ///< written last, but for the end
    double step;            ///< s of the clock that a step of the simulation takes, as it said
    bool ending;            ///< lets go of everything: the force goes down by the ramp
    bool silent;            ///< nothing was rendered in the last tick
    bool paused;            ///< the simulation stands still: so does the force
    bool rested;            ///< it was so in the last tick
    sn_loop_meter meter;
    sn_latency_meter latency; ///< of the device's samples
} sni_haptic_loop;

sn_status sni_haptic_loop_init(sni_haptic_loop* loop, const sni_haptic_def* def, sn_device* device,
                               sni_hand_line* line, sn_error* error);
/// Realtime: yes.
void sni_haptic_loop_tick(sni_haptic_loop* loop, int64_t now_ns);

#endif
