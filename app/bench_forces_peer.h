// SPDX-License-Identifier: Apache-2.0
/// Other programs' forces beside ours: scripts sinew-forces-NAME (bench/peers), asked line by line.
#ifndef SINEW_APP_BENCH_FORCES_PEER_H
#define SINEW_APP_BENCH_FORCES_PEER_H

#include "bench_contender.h"
#include "sinew/molecule.h"

enum { BENCH_FORCES_PEERS = 2 };

/// Number i of them on a molecule, as a contender that computes forces `count` times in a repetition; false when there is
/// none. What fails is said in its row. folder NULL: "peers" beside this program.
bool bench_open_forces_peer(bench_contender* c, int i, const char* folder, const char* line,
                            const sn_molecule* molecule, double cutoff, long count, double timeout);

#endif
