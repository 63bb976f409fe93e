// SPDX-License-Identifier: Apache-2.0
#include "svg_axis.h"

#include <math.h>
#include <stdio.h>

// The round number (1, 2 or 5 times a power of ten) that is at least x.
static double round_up(double x) {
    double power = pow(10, floor(log10(x)));
    double lead = x / power;
    return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

static void add_tick(svg_axis* axis, double tick) {
    if (axis->tick_count < AXIS_TICKS_MOST) axis->ticks[axis->tick_count++] = tick;
}

static void make_linear(svg_axis* axis, bool fit, int wanted) {
    static const double SLACK = 1e-9; // of a step: rounding must not lose the last tick
    if (!(axis->high > axis->low)) {
        double half = axis->low == 0 ? 1 : 0.5 * fabs(axis->low);
        axis->low -= half;
        axis->high += half;
    }
    double step = round_up((axis->high - axis->low) / wanted);
    axis->tick_step = step;
    if (fit) {
        axis->low = step * floor(axis->low / step + SLACK);
        axis->high = step * ceil(axis->high / step - SLACK);
    }
    double first = ceil(axis->low / step - SLACK), last = floor(axis->high / step + SLACK);
    for (double k = first; k <= last; k++) add_tick(axis, k * step);
}

static void make_log(svg_axis* axis, bool fit, int wanted) {
    if (!(axis->high > axis->low)) {
        axis->low *= 0.5;
        axis->high *= 2;
    }
    double first = log10(axis->low), last = log10(axis->high);
    if (fit) {
        first = floor(first);
        last = ceil(last);
        axis->low = pow(10, first);
        axis->high = pow(10, last);
    }
    double step = ceil((last - first) / wanted);
    if (step < 1) step = 1;
    for (double k = ceil(first - 1e-9); k <= last + 1e-9; k += step) add_tick(axis, pow(10, k));
}

svg_axis svg_axis_make(double low, double high, bool log, bool fit, int wanted) {
    static const double LARGEST = 1e300; // differences stay finite
    svg_axis axis = {.log = log, .low = low, .high = high};
    if (!isfinite(low) || !isfinite(high) || low > high || (log && low <= 0)) {
        axis.low = log ? 0.1 : 0;
        axis.high = 1;
    }
    if (axis.low < -LARGEST) axis.low = -LARGEST;
    if (axis.high > LARGEST) axis.high = LARGEST;
    if (log) {
        make_log(&axis, fit, wanted);
    } else {
        make_linear(&axis, fit, wanted);
    }
    return axis;
}

double svg_axis_place(const svg_axis* axis, double value) {
    double share = axis->log ? log(value / axis->low) / log(axis->high / axis->low)
                             : (value - axis->low) / (axis->high - axis->low);
    return axis->from + share * (axis->to - axis->from);
}

void svg_axis_label(const svg_axis* axis, double tick, char* text, size_t size) {
    double magnitude = fmax(fabs(axis->low), fabs(axis->high));
    if (axis->log) {
        double power = round(log10(tick));
        if (power >= -3 && power <= 4) {
            snprintf(text, size, "%g", tick);
        } else {
            snprintf(text, size, "1e%.0f", power);
        }
    } else if (magnitude >= 1e6 || magnitude < 1e-3) {
        snprintf(text, size, "%.3g", fabs(tick) < 1e-9 * axis->tick_step ? 0 : tick);
    } else {
        int decimals = (int)fmax(0, ceil(-log10(axis->tick_step) - 1e-9));
        double shown = fabs(tick) < 1e-9 * axis->tick_step ? 0 : tick; // never "-0"
        snprintf(text, size, "%.*f", decimals, shown);
    }
}
