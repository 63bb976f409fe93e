// SPDX-License-Identifier: Apache-2.0
/// sinew bench haptics: what the loops of an interaction take, whatever the size of what is held.
#ifndef SINEW_APP_BENCH_HAPTICS_H
#define SINEW_APP_BENCH_HAPTICS_H

#include "bench_account.h"
#include "bench_contender.h"
#include "sinew/session.h"

/// An interaction in virtual time whose loops are ticked one by one: a simulated device with a hand that keeps moving,
/// and a body that it holds. Start from {0}; free with bench_rig_free.
typedef struct bench_rig {
    sn_simulation* sim;
    sn_session* session;
    int64_t now_ns;
    int joints, dof;
    const char* dynamics;
    char trouble[160]; ///< why it could not be made, or ""
} bench_rig;

/// The hand holds the body in the middle of a chain; "adaptive" leaves 100 joints active.
void bench_rig_chain(bench_rig* rig, int joints, const char* dynamics);
/// It presses a ball on the floor.
void bench_rig_contact(bench_rig* rig);
void bench_rig_free(bench_rig* rig);

typedef enum bench_rig_task {
    RIG_TICK,     ///< the haptic tick, by the thousand, one law for all
    RIG_FRESH,    ///< the haptic tick that gets a new law
    RIG_COUPLING, ///< the tick of the coupling loop that makes one ready
} bench_rig_task;

/// A task as a contender, its row named `name`; the rig must stay.
void bench_open_rig(bench_contender* c, bench_rig* rig, bench_rig_task task, const char* name);
/// Parts of a haptic tick alone: the safety chain, or the simulated device, read and written, which the hand moves.
void bench_open_safety(bench_contender* c, const char* profile, const char* name);
void bench_open_device(bench_contender* c, const char* profile, const char* name);

/// Ratios, sentences, chart and method.
void bench_haptics_account(bench_account* account);

#endif
