// SPDX-License-Identifier: Apache-2.0
/// Siconos beside our solvers: the helper program sinew-peer-siconos (bench/peers), asked problem by problem.
#ifndef SINEW_APP_BENCH_SICONOS_H
#define SINEW_APP_BENCH_SICONOS_H

#include "child.h"
#include "sinew/contact.h"

typedef struct bench_siconos {
    child program;
    char* path; ///< NULL: there is none
} bench_siconos;

typedef struct siconos_answer {
    char engine[48];
    double seconds, iterations, error; ///< NAN: not known
    bool ok;
    char trouble[120];
} siconos_answer;

/// Starts the program of `folder` (NULL: the folder "peers" beside this program). That there is none is a
/// note; false, with the reason said, when the folder was given and has none.
bool bench_siconos_start(bench_siconos* siconos, const char* folder);
/// Solves the problem to |.|/|q| <= tolerance within `limit` seconds, the median of up to `repeat` times.
/// False when there is no program, or there never was.
bool bench_siconos_solve(bench_siconos* siconos, const sn_contact_problem* problem,
                         double tolerance, double limit, long repeat, siconos_answer* answer);
void bench_siconos_end(bench_siconos* siconos);

#endif
