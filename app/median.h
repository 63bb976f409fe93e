// SPDX-License-Identifier: Apache-2.0
/// The middle of some numbers.
#ifndef SINEW_APP_MEDIAN_H
#define SINEW_APP_MEDIAN_H

/// NAN of none. Sorts the values.
double median_of(double* values, int count);

#endif
