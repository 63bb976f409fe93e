// SPDX-License-Identifier: Apache-2.0
/// Line plots as SVG: panels one below the other, axes with round numbers and units, a legend,
/// lines told apart by dash and marker as well as by colour. Long series are thinned so that every
/// peak stays visible.
#ifndef SINEW_APP_SVG_PLOT_H
#define SINEW_APP_SVG_PLOT_H

#include <stdbool.h>
#include <stdio.h>

enum { PLOT_SERIES_MOST = 8, PLOT_PANELS_MOST = 16 };

typedef struct plot_series {
    const char* name;
    const double* x;
    const double* y; ///< a number that is not finite leaves a gap
    int count;
    bool markers; ///< a marker on every point: for few, measured points
} plot_series;

typedef struct plot_panel {
    const char* title;
    const char* x_label; ///< with its unit
    const char* y_label;
    bool x_log, y_log;
    double y_low, y_high; ///< shown range when y_low < y_high; otherwise all of the data
    double mark; ///< a horizontal line at this y, named in the legend, when mark_label is not NULL
    const char* mark_label;
    plot_series series[PLOT_SERIES_MOST];
    int series_count;
} plot_panel;

typedef struct plot {
    const char* title;
    const char* subtitle; ///< or NULL
    plot_panel panels[PLOT_PANELS_MOST];
    int panel_count;
    bool inside; ///< part of an HTML page rather than a file of its own
} plot;

void plot_add_series(plot_panel* panel, const char* name, const double* x, const double* y,
                     int count, bool markers);
/// Writes the picture; write errors stay on the stream for its owner to find.
void svg_plot_write(const plot* p, FILE* out);

#endif
