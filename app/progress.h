// SPDX-License-Identifier: Apache-2.0
/// How far a run is, on stderr. On a terminal one line that is drawn over: share done, simulated
/// time, speed, time left. Elsewhere a line every ten percent, and none for runs that end at once.
#ifndef SINEW_APP_PROGRESS_H
#define SINEW_APP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "sinew/world.h"

typedef struct progress {
    sn_clock clock;
    const sn_units* units;
    double total; ///< time to simulate
    int64_t started, drawn;
    bool live, utf8, quiet;
    int tenths; ///< last tenth that was printed
} progress;

/// quiet: says nothing, except on a terminal.
progress progress_start(double total, const sn_units* units, bool quiet);
/// Cheap: looks at the clock, draws at most ten times a second.
void progress_update(progress* p, double time);
/// Clears the line; wall time in s since the start.
double progress_finish(progress* p);

#endif
