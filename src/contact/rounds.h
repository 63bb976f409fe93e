// SPDX-License-Identifier: Apache-2.0
/// All groups iterate side by side, one iteration of each in a round. So when time runs out every group that
/// is not solved has had as many iterations as any other, and one number replays the solve exactly.
#ifndef SN_CONTACT_ROUNDS_H
#define SN_CONTACT_ROUNDS_H

#include "contact/sn_contact.h"

/// One iteration of group g. True: it is done, and nothing was changed.
typedef bool sni_advance(void* memory, const sni_solve* solve, int32_t g, int64_t round);

/// Rounds until all groups are done, options.iterations (or `most`, when that is 0) are reached or it is
/// late; at least one. Fills iterations, sweeps and late of the report. done: [groups].
void sni_rounds_run(sni_solve* solve, int64_t most, bool* done, sni_advance* advance, void* memory);

/// Rounds at which it pays to look how far a method has come: 0, 1, 2, 4, and every eighth.
static inline bool sni_round_is_checked(int64_t round) {
    return round % 8 == 0 || (round < 8 && (round & (round - 1)) == 0);
}

#endif
