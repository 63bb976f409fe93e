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

/// y = L^-1 y with the first lines of L, four of them at a time.
static void solve_lower(const sn_balance* b, int count, double* y) {
    for (int j = 0; j < count; j += 4) {
        double before[4];
        sni_padded_store(before, sni_padded_dots(y, line_of(b, j), SN_BALANCE_PADDED, (size_t)j));
        for (int i = j; i < count && i < j + 4; i++) {
            const double* line = line_of(b, i);
            double left = y[i] - before[i - j];
            for (int k = j; k < i; k++) left -= line[k] * y[k];
            y[i] = left * line[i];
        }
    }
}

/// y = (L L')^-1 y; what is half solved is padded with zeros.
static void solve(const sn_balance* b, int count, double* y) {
    double half[SN_BALANCE_PADDED] = {0};
    memcpy(half, y, (size_t)count * sizeof *y);
    solve_lower(b, count, half);
    for (int i = count - 1; i >= 0; i--) {
        const double* line = line_of(b, i);
        y[i] = half[i] * line[i];
        sni_padded_add(-y[i], line, half, sni_padded((size_t)i));
    }
}

/// Row i of C W^-1 C' up to its diagonal, by what row i of C reaches; what follows is of no use.
static void multiply_rows(const sn_balance* b, int i, double* line) {
    double* eased = b->error;
    sni_padded_times(row_of(b, i), b->ease, eased, b->reach[i]);
    for (int j = 0; j <= i; j += 4)
        sni_padded_store(line + j, sni_padded_dots(eased, row_of(b, j), b->wide, b->reach[i]));
}

/// L L' = D C W^-1 C' D + HAIR, line by line; D such that the diagonal is 1 + HAIR. That of L is kept as its inverse.
SN_HOT void sni_balance_factor(sn_balance* b, int count) {
    for (int i = 0; i < count; i++) {
        double* line = line_of(b, i);
        size_t before = sni_padded((size_t)i);
        multiply_rows(b, i, line);
        double length = line[i];
        b->scale[i] = length > 0 ? 1 / sqrt(length) : 0;
        for (size_t k = 0; k < before; k += 4)
            sni_padded_store(line + k, sni_load4(line + k) * sni_load4(b->scale + k) *
                                           sni_splat(b->scale[i]));
        for (size_t k = (size_t)i; k < sni_padded((size_t)i + 1); k++) line[k] = 0;
        solve_lower(b, i, line);
        double left = 1 + HAIR - sni_padded_dot(line, line, before);
        line[i] = 1 / sqrt(fmax(left, HAIR)); // less is rounding
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
