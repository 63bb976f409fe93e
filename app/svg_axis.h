// SPDX-License-Identifier: Apache-2.0
/// One axis of a plot: the range it shows, round ticks, and where a value lies on paper.
#ifndef SINEW_APP_SVG_AXIS_H
#define SINEW_APP_SVG_AXIS_H

#include <stdbool.h>
#include <stddef.h>

enum { AXIS_TICKS_MOST = 24 };

typedef struct svg_axis {
    bool log;
    double low, high; ///< shown range
    double from, to;  ///< the same on paper
    double ticks[AXIS_TICKS_MOST];
    int tick_count;
    double tick_step; ///< distance of linear ticks
} svg_axis;

/// An axis for values low..high with about `wanted` ticks. `fit` widens the range to the ticks
/// around it. Ranges that are empty or not finite become something that can be drawn.
svg_axis svg_axis_make(double low, double high, bool log, bool fit, int wanted);
double svg_axis_place(const svg_axis* axis, double value);
/// Text of a tick, as many digits as the ticks need.
void svg_axis_label(const svg_axis* axis, double tick, char* text, size_t size);

#endif
