// SPDX-License-Identifier: Apache-2.0
/// What the rows of `sinew bench delassus` come down to.
#ifndef SINEW_APP_BENCH_DELASSUS_H
#define SINEW_APP_BENCH_DELASSUS_H

#include "bench_account.h"

/// Fills in everything but the rows.
void bench_delassus_account(bench_account* account);

#endif
