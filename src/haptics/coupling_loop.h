// SPDX-License-Identifier: Apache-2.0
/// The loop between simulation and haptics: takes the newest law of hands that hold something, finds which contacts
/// are closed with what the hands do now, adds what each hand gets from the others, and makes it ready for each hand's
/// ticks. It runs at a rate of its own, and does nothing when nothing is new.   [MR07]
///
/// A law has at most SN_GRAB_MAX hands: places 0 to 7 of the line are one party, 8 to 15 the next. Hands of one party
/// exchange their newest wrenches here; those of another come with the simulation's next step, as any wrench does.
#ifndef SN_HAPTICS_COUPLING_LOOP_H
#define SN_HAPTICS_COUPLING_LOOP_H

#include "haptics/hand_line.h"
#include "sinew/haptics.h"

/// Hands that share a law.
typedef struct sni_party {
    sni_mailbox law_box;
    sni_law_record law[SN_MAILBOX_SLOTS];
    sn_coupling_solver* solver;
    sn_coupling_law closed; ///< the law with contact
    int64_t law_ns;         ///< when the newest record came
} sni_party;

typedef struct sni_coupling_loop {
    sni_party** party; // [parties]
    int parties;
    sni_hand_line* const* line; // a hand's, by its place; looked at when a record names it
    double period;              ///< s, of each hand's ticks
    sn_loop_meter meter;
    sni_mailbox meter_box; ///< for who wants to know how it does
    sn_loop_meter shown[SN_MAILBOX_SLOTS];
    uint64_t made;    ///< records given to hands
    uint64_t refused; ///< laws that could not be made, or were not finite
} sni_coupling_loop;

/// For hands at places 0 to hands - 1. Freed by sni_coupling_loop_free, also when this fails.
sn_status sni_coupling_loop_init(sni_coupling_loop* loop, sni_hand_line* const* line, int hands,
                                 double period, sn_error* error);
void sni_coupling_loop_free(sni_coupling_loop* loop);
/// Realtime: yes.
void sni_coupling_loop_tick(sni_coupling_loop* loop, int64_t now_ns);

#endif
