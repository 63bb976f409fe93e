// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <stdio.h>

#include "terminal.h"
#include "unit_text.h"

static const int64_t DRAW_INTERVAL_NS = 100000000; // ten pictures a second
static const int64_t SILENT_NS = 2000000000;       // shorter runs leave no lines in a log
enum { BAR_WIDTH = 24 };

progress progress_start(double total, const sn_units* units, bool quiet) {
    progress p = {.clock = sn_clock_real(), .units = units, .total = total};
    p.live = terminal_is(stderr);
    p.quiet = quiet && !p.live;
    p.utf8 = terminal_utf8();
    p.started = p.clock.now_ns(p.clock.context);
    p.drawn = p.started;
    return p;
}

static void draw(const progress* p, double time, double wall) {
    double share = time / p->total;
    char speed[UNIT_TEXT];
    double left = time > 0 ? (p->total - time) * wall / time : 0;
    int full = (int)(share * BAR_WIDTH);
    fputc('\r', stderr);
    for (int i = 0; i < BAR_WIDTH; i++) {
        fputs(i < full ? (p->utf8 ? "█" : "#") : (p->utf8 ? "░" : "-"), stderr);
    }
    fprintf(stderr, " %3.0f %%  %.4g of %g %s  %s  %.0f s left \033[K", 100 * share, time, p->total,
            p->units->time.shown, unit_pace(p->units, wall > 0 ? time / wall : 0, speed), left);
    fflush(stderr);
}

void progress_update(progress* p, double time) {
    if (p->quiet) return;
    int64_t now = p->clock.now_ns(p->clock.context);
    double wall = (double)(now - p->started) * 1e-9;
    if (p->live) {
        if (now - p->drawn < DRAW_INTERVAL_NS) return;
        p->drawn = now;
        draw(p, time, wall);
        return;
    }
    int tenths = (int)(10 * time / p->total);
    if (tenths <= p->tenths || tenths >= 10) return;
    p->tenths = tenths;
    if (now - p->started < SILENT_NS) return;
    char speed[UNIT_TEXT];
    fprintf(stderr, "sinew: %d %% done, %.4g of %g %s, %s\n", 10 * tenths, time, p->total,
            p->units->time.shown, unit_pace(p->units, time / wall, speed));
}

double progress_finish(progress* p) {
    int64_t now = p->clock.now_ns(p->clock.context);
    if (p->live && p->drawn > p->started) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    return (double)(now - p->started) * 1e-9;
}
