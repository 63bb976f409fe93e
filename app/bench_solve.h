// SPDX-License-Identifier: Apache-2.0
/// `sinew bench solve`: problems, the ways to solve them, and what the rows come down to.
#ifndef SINEW_APP_BENCH_SOLVE_H
#define SINEW_APP_BENCH_SOLVE_H

#include "bench_account.h"
#include "contact_scene.h"
#include "sinew/contact.h"

/// What is solved: to this error |.|/|q|.
extern const double BENCH_SOLVE_ERROR;

/// A problem under its name: made here, or loaded.
typedef struct bench_problem {
    char name[40];
    contact_scene* scene;       ///< or NULL
    sn_contact_problem* loaded; ///< or NULL
    const sn_contact_problem* problem;
} bench_problem;

typedef struct bench_problems {
    bench_problem* at;
    int count;
} bench_problems;

/// Those made here, then those of the files and of the folders. False, with the reason said, when one
/// cannot be read.
bool bench_problems_make(bench_problems* problems, const bench_options* options);
void bench_problems_free(bench_problems* problems);

/// One way to solve.
typedef struct bench_way {
    const char* engine;
    const char* title; ///< of its column
    const char* solver;
    bool accelerate, newton;
} bench_way;

/// The i-th, NULL past the last; the first is the default.
const bench_way* bench_way_at(int i);
sn_solve_options bench_way_options(const bench_way* way);

extern const char BENCH_SOLVE_PART[], BENCH_SWEEP_PART[];

/// Adds rows on what a sweep costs over the number of contacts, in both spaces. False, with the reason
/// said, when that cannot be measured.
bool bench_sweeps(const bench_options* options, bench_rows* rows);

/// Fills in everything but the rows.
void bench_solve_account(bench_account* account);

#endif
