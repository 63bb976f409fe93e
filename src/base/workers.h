// SPDX-License-Identifier: Apache-2.0
/// A few threads that help with one loop at a time, whose turns do not depend on each other.
///
///     sni_workers* workers = sni_workers_create(2);
///     sni_workers_run(workers, 2, solve_one, &job, count);   // solve_one(&job, i, who), i < count
///
/// Who takes which turn is chance, so a turn must write only what is its own, or what is its worker's:
/// then the result does not depend on how many help. Between loops the helpers sleep.
#ifndef SN_BASE_WORKERS_H
#define SN_BASE_WORKERS_H

typedef struct sni_workers sni_workers;

/// who: 0 is the caller of sni_workers_run, 1 .. helpers the others; no two at the same time have the
/// same number.
typedef void sni_job(void* context, int turn, int who);

/// Threads besides the caller's. NULL: no memory, or no threads to be had.
sni_workers* sni_workers_create(int helpers);
void sni_workers_free(sni_workers* workers);

/// Does turns 0 .. count - 1 and returns when all are done. At most `helpers` threads help, and none when
/// workers is NULL. One caller at a time. Waits for its helpers: not for the haptic loop.
void sni_workers_run(sni_workers* workers, int helpers, sni_job* work, void* context, int count);

#endif
