// SPDX-License-Identifier: Apache-2.0
/// What the rows of `sinew bench coupling` come down to.
#ifndef SINEW_APP_BENCH_COUPLING_H
#define SINEW_APP_BENCH_COUPLING_H

#include "bench_account.h"

enum { BENCH_HANDS_JOINTS = 2000 }; // of the chain that several hands hold

/// Fills in everything but the rows.
void bench_coupling_account(bench_account* account);

#endif
