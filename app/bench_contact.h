// SPDX-License-Identifier: Apache-2.0
/// `sinew bench contact`: scenes with contact, ours beside other engines, and the broad phase.
#ifndef SINEW_APP_BENCH_CONTACT_H
#define SINEW_APP_BENCH_CONTACT_H

#include "bench_account.h"

/// The part of the row on the broad phase; those on scenes have what is judged there.
extern const char BENCH_BROAD_PART[];
extern const char BENCH_BROAD_LINE[];
/// Ours in the rows of scenes.
extern const char BENCH_CONTACT_OURS[];

/// Adds a row on the broad phase: 10^4 spheres that all move.
bool bench_broad(const bench_options* options, bench_rows* rows);

/// Fills in everything but the rows.
void bench_contact_account(bench_account* account);

#endif
