// SPDX-License-Identifier: Apache-2.0
/// The loop between simulation and haptics: takes the newest law of all hands that hold something, finds which contacts
/// are closed with what the hands do now, adds what each hand gets from the others, and makes it ready for each hand's
/// ticks. It runs at a rate of its own, and does nothing when nothing is new.   [MR07]
#ifndef SN_HAPTICS_COUPLING_LOOP_H
#define SN_HAPTICS_COUPLING_LOOP_H

#include "haptics/hand_line.h"
#include "sinew/haptics.h"

typedef struct sni_coupling_loop {
    sni_mailbox law_box;
    sni_law_record law[SN_MAILBOX_SLOTS];
    sni_hand_line* line;  // [hands]
    const double* period; // [hands] s, of each hand's ticks
    int hands;
    sn_coupling_solver* solver;
    sn_coupling_law closed; ///< the law with contact
    int64_t law_ns;         ///< when the newest record came
    sn_loop_meter meter;
    sni_mailbox meter_box; ///< for who wants to know how it does
    sn_loop_meter shown[SN_MAILBOX_SLOTS];
    uint64_t made;    ///< records given to hands
    uint64_t refused; ///< laws that could not be made, or were not finite
} sni_coupling_loop;

sn_status sni_coupling_loop_init(sni_coupling_loop* loop, sni_hand_line* line, const double* period,
                                 int hands, sn_error* error);
void sni_coupling_loop_free(sni_coupling_loop* loop);
/// Realtime: yes.
void sni_coupling_loop_tick(sni_coupling_loop* loop, int64_t now_ns);

#endif
