// SPDX-License-Identifier: Apache-2.0
#include "median.h"

#include <math.h>
#include <stdlib.h>

static int compare_numbers(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

double median_of(double* values, int count) {
    if (count == 0) return NAN;
    qsort(values, (size_t)count, sizeof *values, compare_numbers);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}
