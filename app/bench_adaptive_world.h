// SPDX-License-Identifier: Apache-2.0
/// Worlds as contenders: whole steps, with what a running simulation does around the dynamics.
///
/// The world falls under gravity from a bent configuration, and a hand holds a body and pulls: every ten
/// steps another one, so that adaptive dynamics has to choose other joints. A step is sn_world_step with its
/// snapshot, and the hash of the state; every ten steps somebody takes the newest snapshot.
#ifndef SINEW_APP_BENCH_ADAPTIVE_WORLD_H
#define SINEW_APP_BENCH_ADAPTIVE_WORLD_H

#include "bench_contender.h"

enum { BENCH_PERIOD = 10 }; // steps between two choices of the active joints

/// A world with `dynamics` on a line; max_active is of "adaptive", which is timed in blocks of
/// BENCH_PERIOD steps. The row is named `name`.
void bench_open_world(bench_contender* c, const bench_line* line, const char* name,
                      const char* dynamics, int max_active);
/// After timing: goes on for a while and notes how many joints are active, how many of them are others
/// after each choice, and what is left out.
void bench_note_activity(bench_contender* c);
/// Seconds that it took to create the world.
double bench_world_seconds(const bench_contender* c);

#endif
