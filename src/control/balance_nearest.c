// SPDX-License-Identifier: Apache-2.0
// The acceleration nearest to a wished one under linear conditions.
#include <math.h>
#include <string.h>

#include "control/balance.h"
#include "math/padded.h"

// min 1/2 (x - wish)' W (x - wish), C x = d:   (C W^-1 C') y = d - C wish,   x = wish + W^-1 C' y
//
// Rows are scaled to length one, and a little is added to the diagonal, so that y stays bounded where conditions can
// only be met together by a hair, as with straight knees; solves for what is left undo this elsewhere. The factor of the
// first rows is part of that of all of them.
enum { SOLVES = 3 };
static const double HAIR = 1e-7;

static double* row_of(const sn_balance* b, int i) { return b->rows + (size_t)i * b->wide; }
static double* line_of(const sn_balance* b, int i) { return b->factor + i * SN_BALANCE_PADDED; }

/// L L' = D C W^-1 C' D + HAIR, line by line; D such that the diagonal is 1 + HAIR.
void sni_balance_factor(sn_balance* b, int count) {
    memset(b->factor, 0, (size_t)count * SN_BALANCE_PADDED * sizeof *b->factor);
    for (int i = 0; i < count; i++) {
        double* line = line_of(b, i);
        sni_padded_times(row_of(b, i), b->ease, b->error, b->wide);
        double length = sni_padded_dot(b->error, row_of(b, i), b->wide);
        b->scale[i] = length > 0 ? 1 / sqrt(length) : 0;
        for (int j = 0; j < i; j++) {
            double entry =
                sni_padded_dot(b->error, row_of(b, j), b->wide) * b->scale[i] * b->scale[j];
            size_t before = sni_padded((size_t)j); // beyond j the line is still zero
            line[j] = (entry - sni_padded_dot(line, line_of(b, j), before)) / line_of(b, j)[j];
        }
        double left = 1 + HAIR - sni_padded_dot(line, line, sni_padded((size_t)i));
        line[i] = sqrt(fmax(left, HAIR)); // less is rounding
    }
}

/// y = (L L')^-1 y
static void solve(const sn_balance* b, int count, double* y) {
    for (int i = 0; i < count; i++) {
        double sum = y[i];
        for (int j = 0; j < i; j++) sum -= line_of(b, i)[j] * y[j];
        y[i] = sum / line_of(b, i)[i];
    }
    for (int i = count - 1; i >= 0; i--) {
        y[i] /= line_of(b, i)[i];
        for (int j = 0; j < i; j++) y[j] -= line_of(b, i)[j] * y[i];
    }
}

void sni_balance_nearest(sn_balance* b, int count, double* qdd) {
    double y[SN_BALANCE_ROWS];
    memcpy(qdd, b->wish, b->wide * sizeof *qdd);
    for (int n = 0; n < SOLVES; n++) {
        for (int i = 0; i < count; i++)
            y[i] = (b->given[i] - sni_padded_dot(row_of(b, i), qdd, b->wide)) * b->scale[i];
        solve(b, count, y);
        memset(b->error, 0, b->wide * sizeof *b->error);
        for (int i = 0; i < count; i++)
            sni_padded_add(y[i] * b->scale[i], row_of(b, i), b->error, b->wide);
        sni_padded_times(b->ease, b->error, b->error, b->wide);
        sni_padded_add(1, b->error, qdd, b->wide);
    }
}
