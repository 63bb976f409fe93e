// SPDX-License-Identifier: Apache-2.0
/// Horizontal bars as SVG, in groups with a scale of their own. Every bar has its name before it and
/// its number behind it, so that neither colour nor an axis is needed to read it.
#ifndef SINEW_APP_SVG_BARS_H
#define SINEW_APP_SVG_BARS_H

#include <stdbool.h>
#include <stdio.h>

enum { BARS_MOST = 32, BAR_GROUPS_MOST = 8 };

typedef struct bar {
    const char* name;
    double value;
    char text[48]; ///< behind the bar: the value with its unit
    bool solid;    ///< stands out from the others, which are hatched
} bar;

typedef struct bar_group {
    char title[80];
    bar bars[BARS_MOST];
    int count;
} bar_group;

typedef struct bar_chart {
    const char* title;
    const char* subtitle; ///< or NULL
    bar_group groups[BAR_GROUPS_MOST];
    int group_count;
    bool inside; ///< part of an HTML page rather than a file of its own
} bar_chart;

void svg_bars_write(const bar_chart* chart, FILE* out);

#endif
