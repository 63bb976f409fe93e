// SPDX-License-Identifier: Apache-2.0
/// What the rows of `sinew bench adaptive` come down to.
#ifndef SINEW_APP_BENCH_ADAPTIVE_H
#define SINEW_APP_BENCH_ADAPTIVE_H

#include "bench_account.h"

enum { BENCH_ACTIVE = 50 }; // joints that are active where nothing else is said

/// Fills in everything but the rows.
void bench_adaptive_account(bench_account* account);

#endif
