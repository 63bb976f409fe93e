// SPDX-License-Identifier: Apache-2.0
/// Options of adaptive dynamics, the same in every command that has them.
#ifndef SINEW_APP_ADAPTIVE_OPTIONS_H
#define SINEW_APP_ADAPTIVE_OPTIONS_H

#include <stdbool.h>

#include "sinew/dynamics.h"
#include "sinew/units.h"

/// As options.h fills it; start from adaptive_options_none().
typedef struct adaptive_options {
    long max_active;      ///< negative: not given
    double threshold;     ///< negative: not given
    int metric;           ///< of METRIC_CHOICES, negative: not given
    long period;          ///< steps, 0: not given
    double settling_time; ///< s, 0: not given
} adaptive_options;

#define MAX_ACTIVE_HELP                                                                            \
    "adaptive dynamics: joints that may be active at once; the others are locked"
#define THRESHOLD_HELP                                                                             \
    "adaptive dynamics: joints stay locked while the accelerations left out are below this, by "   \
    "the metric; 0 if not given"
#define PERIOD_HELP "adaptive dynamics: steps between two choices of joints; 10 if not given"
#define METRIC_CHOICES "inertia|unit"
#define METRIC_HELP                                                                                \
    "adaptive dynamics: how accelerations count: by the inertia that the joint carries (the "      \
    "default; sqrt(J)/s) or all alike"

adaptive_options adaptive_options_none(void);
bool algorithm_is_adaptive(const char* algorithm);
/// False, with the reason said, when something was given that the algorithm has no use for;
/// `choose` is the option that chooses algorithms.
bool adaptive_options_fit(const adaptive_options* options, const char* algorithm,
                          const char* choose);
/// The library's defaults with what was given.
sn_adaptivity adaptive_options_make(const adaptive_options* options);
/// Others with what was given.
sn_adaptivity adaptive_options_on(const adaptive_options* options, sn_adaptivity base);
const char* metric_name(sn_metric metric);
/// Unit of errors by that metric, "" when there is none that holds for all joints.
const char* metric_unit(sn_metric metric, const sn_units* units);

#endif
