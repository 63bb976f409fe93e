// SPDX-License-Identifier: Apache-2.0
// The acceleration nearest to a wished one under linear conditions.
#include <math.h>
#include <string.h>

#include "base/hot.h"
#include "control/balance.h"
#include "math/padded.h"

// min 1/2 (x - wish)' W (x - wish), C x = d:   (C W^-1 C') y = d - C wish,   x = wish + W^-1 C' y
//
// Rows are scaled to length one, and a little is added to the diagonal, so that y stays bounded where conditions can
// only be met together by a hair, as with straight knees; solves for what is left undo this elsewhere. What is left is
// what was added times y, so that the rows themselves are not asked again. The factor of the first rows is part of that
// of all of them.
enum { SOLVES = 3 };
static const double HAIR = 1e-7;

static double* row_of(const sn_balance* b, int i) { return b->rows + (size_t)i * b->wide; }
static double* line_of(const sn_balance* b, int i) { return b->factor + i * SN_BALANCE_PADDED; }

/// Rows i and j of C, by what both of them reach.
static double dot_rows(const sn_balance* b, const double* row, int i, int j) {
    size_t wide = b->reach[i] < b->reach[j] ? b->reach[i] : b->reach[j];
    return sni_padded_dot(row, row_of(b, j), wide);
}

/// L L' = D C W^-1 C' D + HAIR, line by line; D such that the diagonal is 1 + HAIR. That of L is kept as its inverse.
SN_HOT void sni_balance_factor(sn_balance* b, int count) {
    for (int i = 0; i < count; i++) {
        double *line = line_of(b, i), *eased = b->error;
        memset(line, 0, sni_padded((size_t)i + 1) * sizeof *line);
        sni_padded_times(row_of(b, i), b->ease, eased, b->reach[i]);
        double length = dot_rows(b, eased, i, i);
        b->scale[i] = length > 0 ? 1 / sqrt(length) : 0;
        for (int j = 0; j < i; j++) {
            double entry = dot_rows(b, eased, i, j) * b->scale[i] * b->scale[j];
            size_t before = sni_padded((size_t)j); // beyond j the line is still zero
            line[j] = (entry - sni_padded_dot(line, line_of(b, j), before)) * line_of(b, j)[j];
        }
        double left = 1 + HAIR - sni_padded_dot(line, line, sni_padded((size_t)i));
        line[i] = 1 / sqrt(fmax(left, HAIR)); // less is rounding
    }
}

/// y = (L L')^-1 y; what is half solved is padded with zeros.
static void solve(const sn_balance* b, int count, double* y) {
    double half[SN_BALANCE_PADDED] = {0};
    for (int i = 0; i < count; i++) {
        const double* line = line_of(b, i);
        half[i] = (y[i] - sni_padded_dot(line, half, sni_padded((size_t)i))) * line[i];
    }
    for (int i = count - 1; i >= 0; i--) {
        const double* line = line_of(b, i);
        y[i] = half[i] * line[i];
        sni_padded_add(-y[i], line, half, sni_padded((size_t)i));
    }
}

SN_HOT void sni_balance_nearest(sn_balance* b, int count, double* qdd) {
    double left[SN_BALANCE_ROWS], y[SN_BALANCE_ROWS] = {0}, *change = b->error;
    for (int i = 0; i < count; i++)
        left[i] = (b->given[i] - sni_padded_dot(row_of(b, i), b->wish, b->reach[i])) * b->scale[i];
    for (int n = 0; n < SOLVES; n++) {
        solve(b, count, left);
        for (int i = 0; i < count; i++) {
            y[i] += left[i];
            left[i] *= HAIR;
        }
    }
    memset(change, 0, b->wide * sizeof *change);
    for (int i = 0; i < count; i++)
        sni_padded_add(y[i] * b->scale[i], row_of(b, i), change, b->reach[i]);
    sni_padded_times(b->ease, change, change, b->wide);
    memcpy(qdd, b->wish, b->wide * sizeof *qdd);
    sni_padded_add(1, change, qdd, b->wide);
}
