// SPDX-License-Identifier: Apache-2.0
#include "adaptive_options.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "message.h"

adaptive_options adaptive_options_none(void) {
    return (adaptive_options){.max_active = -1, .threshold = -1, .metric = -1};
}

bool algorithm_is_adaptive(const char* algorithm) { return strcmp(algorithm, "adaptive") == 0; }

bool adaptive_options_fit(const adaptive_options* o, const char* algorithm, const char* choose) {
    if (algorithm_is_adaptive(algorithm)) return true;
    const char* given = o->max_active >= 0     ? "max-active"
                        : o->threshold >= 0    ? "threshold"
                        : o->metric >= 0       ? "metric"
                        : o->period > 0        ? "period"
                        : o->settling_time > 0 ? "settling-time"
                                               : NULL;
    if (!given) return true;
    message_error("--%s: only adaptive dynamics locks joints, %s moves all of them; add %s "
                  "adaptive, or leave out --%s",
                  given, algorithm, choose, given);
    return false;
}

sn_adaptivity adaptive_options_make(const adaptive_options* o) {
    return adaptive_options_on(o, sn_adaptivity_default());
}

sn_adaptivity adaptive_options_on(const adaptive_options* o, sn_adaptivity a) {
    if (o->max_active >= 0) a.max_active = o->max_active < INT_MAX ? (int)o->max_active : INT_MAX;
    if (o->threshold >= 0) a.threshold = o->threshold;
    if (o->metric >= 0) a.metric = o->metric == 0 ? SN_METRIC_INERTIA : SN_METRIC_UNIT;
    if (o->period > 0) a.period = o->period < INT_MAX ? (int)o->period : INT_MAX;
    if (o->settling_time > 0) a.settling_time = o->settling_time;
    return a;
}

const char* metric_name(sn_metric metric) {
    switch (metric) {
    case SN_METRIC_INERTIA: return "inertia";
    case SN_METRIC_UNIT: return "unit";
    case SN_METRIC_GIVEN:
    case SN_METRIC_COUNT: break;
    }
    return "given";
}

const char* metric_unit(sn_metric metric, const sn_units* units) {
    return metric == SN_METRIC_INERTIA ? units->metric.shown : "";
}
