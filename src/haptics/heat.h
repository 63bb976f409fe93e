// SPDX-License-Identifier: Apache-2.0
/// How motors warm, and what that leaves of their force.
///
///   heat' = (|f|^2 / continuous^2 - heat) / time        heat 1: what the continuous force makes of it
///   |f| <= peak while heat <= 1 - knee, then less along a line, continuous at heat 1
///
/// So no force can bring heat above 1, and a force that is held ends at the continuous one.
#ifndef SN_HAPTICS_HEAT_H
#define SN_HAPTICS_HEAT_H

#include <math.h>

#include "math/least.h"

static const double SN_HEAT_KNEE = 0.1;

/// Most force at this heat; `peak` where nothing is known of heat.
static inline double sni_heat_limit(double heat, double peak, double continuous, double time) {
    if (!(continuous > 0 && continuous < peak && time > 0)) return peak;
    double cool = (1 - heat) * (1 / SN_HEAT_KNEE);
    if (cool >= 1) return peak;
    return continuous + sni_most(cool, 0) * (peak - continuous);
}

/// 1 - exp(-x), x >= 0: by the series where that is exact to rounding, as for one tick in seconds.
static inline double sni_share_gone(double x) {
    if (x < 1e-3) return x * (1 - x / 2 * (1 - x / 3 * (1 - x / 4 * (1 - x / 5))));
    return -expm1(-x);
}

/// Heat after a force of this square was held for h, exact.
static inline double sni_heat_after(double heat, double force_squared, double continuous,
                                    double time, double h) {
    if (!(continuous > 0 && time > 0)) return 0;
    double ends_at = force_squared / (continuous * continuous);
    return heat + (ends_at - heat) * sni_share_gone(h / time);
}

#endif
