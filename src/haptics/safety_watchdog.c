// SPDX-License-Identifier: Apache-2.0
#include "math/least.h"
#include "sinew/safety.h"

/// Of each new period of the simulation; a stall counts for a few.
static const double LEARNING = 0.25;

static double seconds(int64_t from_ns, int64_t to_ns) {
    return 1e-9 * (double)(int64_t)((uint64_t)to_ns - (uint64_t)from_ns);
}

static void learn_law_period(sn_watchdog* w, int64_t law_ns) {
    if (law_ns == w->law_ns) return;
    double took = seconds(w->law_ns, law_ns);
    w->law_ns = law_ns;
    if (!(took > 0 && took < w->stale_most)) return;
    w->law_period += (w->law_period > 0 ? LEARNING : 1) * (took - w->law_period);
}

static bool is_stale(const sn_watchdog* w, int64_t now_ns) {
    double most = sni_most(w->stale_periods * w->law_period, w->stale_least);
    return !(seconds(w->law_ns, now_ns) <= sni_least(most, w->stale_most));
}

sn_watchdog_verdict sn_watchdog_apply(sn_watchdog* w, double period, int64_t now_ns, int64_t law_ns,
                                      double* h, double* passed) {
    double took = w->started ? seconds(w->now_ns, now_ns) : period;
    w->now_ns = now_ns;
    if (!w->started) w->law_ns = law_ns;
    w->started = true;
    learn_law_period(w, law_ns);
    bool jumped = took < 0 || took > w->jump;
    *passed = jumped ? period : took;
    *h = sni_least(*passed, period);
    if (jumped) return SN_WATCHDOG_CLOCK;
    if (took > w->gap) return SN_WATCHDOG_GAP;
    return is_stale(w, now_ns) ? SN_WATCHDOG_STALE : SN_WATCHDOG_WELL;
}
