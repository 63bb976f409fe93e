// SPDX-License-Identifier: Apache-2.0
// Many steps, as fast as possible or at a pace. The step is fixed: what comes late is counted, never stretched.
#include <string.h>

#include "run/sn_run.h"

static const double LET_GO = 0.1; // s: so much lateness is not made up for

static void count_step(sn_run_report* total, const sn_step_report* report) {
    total->steps++;
    total->events |= report->events;
    for (int i = 0; i < report->stage_count; i++) total->stage_ns[i] += report->stage_ns[i];
}

/// Waits for the beginning of a step that is due at *due, or counts by how much it is late.
static void keep_pace(const sn_clock* clock, double period_ns, int64_t* due, sn_run_report* total) {
    int64_t now = clock->now_ns(clock->context);
    int64_t late = now - *due;
    if (late < 0) {
        if (clock->wait_ns) clock->wait_ns(clock->context, *due);
        return;
    }
    if ((double)late > period_ns) total->late++;
    if ((double)late * 1e-9 > total->worst) total->worst = (double)late * 1e-9;
    if ((double)late * 1e-9 <= LET_GO) return;
    total->caught_up++;
    *due = now;
}

sn_status sn_simulation_run(sn_simulation* sim, const sn_run_def* def, sn_run_report* report) {
    if (!sim || !def || !(def->pace >= 0) || (def->steps == 0 && !def->go_on))
        return SN_ERR_ARGUMENT;
    sn_run_report here;
    sn_run_report* total = report ? report : &here;
    memset(total, 0, sizeof *total);
    sn_clock clock = sim->world_def.clock;
    double period_ns = def->pace > 0 ? sn_world_step_size(sim->world) / def->pace * 1e9 : 0;
    int64_t start = clock.now_ns(clock.context), due = start;
    double fraction = 0; // of a nanosecond, so that periods that are not whole do not drift
    sn_status status = SN_OK;
    while (!status && (def->steps == 0 || total->steps < def->steps)) {
        sn_step_report step;
        if (def->pace > 0) {
            keep_pace(&clock, period_ns, &due, total);
            fraction += period_ns;
            int64_t whole = (int64_t)fraction;
            due += whole;
            fraction -= (double)whole;
        }
        status = sn_simulation_step(sim, &step);
        if (!status) count_step(total, &step);
        if (!status && def->go_on && !def->go_on(def->context, sim, &step)) break;
    }
    total->seconds = (double)(clock.now_ns(clock.context) - start) * 1e-9;
    return status;
}
