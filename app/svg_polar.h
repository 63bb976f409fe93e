// SPDX-License-Identifier: Apache-2.0
/// A polar plot as SVG: how far something reaches in each direction, seen from above.
#ifndef SINEW_APP_SVG_POLAR_H
#define SINEW_APP_SVG_POLAR_H

#include <stdio.h>

enum { POLAR_SERIES_MOST = 4 };

typedef struct polar_series {
    const char* name;
    const double* angle;  ///< rad, from ahead to the left
    const double* radius; ///< not negative
    int count;
} polar_series;

typedef struct polar {
    const char* title;
    const char* subtitle; ///< or NULL
    const char* unit;     ///< of the radius
    const char* sides[4]; ///< ahead, left, behind, right
    double mark;          ///< a dashed ring, named in the legend when mark_label is not NULL
    const char* mark_label;
    polar_series series[POLAR_SERIES_MOST];
    int series_count;
} polar;

/// Write errors stay on the stream for its owner to find.
void svg_polar_write(const polar* p, FILE* out);

#endif
