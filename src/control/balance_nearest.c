// SPDX-License-Identifier: Apache-2.0
// The acceleration nearest to a wished one under linear conditions.
#include <math.h>
#include <string.h>

#include "control/balance.h"
#include "math/pivoted.h"

// min 1/2 (x - wish)' W (x - wish), C x = d:   (C W^-1 C') y = d - C wish,   x = wish + W^-1 C' y
//
// Rows are scaled to length one, and a little is added to the diagonal, so that y stays bounded where conditions can
// only be met together by a hair, as with straight knees; solves for what is left undo this elsewhere.
enum { SOLVES = 3 };
static const double HAIR = 1e-7;

void sni_balance_gram(sn_balance* b, int count) {
    size_t nv = (size_t)b->nv;
    for (int i = 0; i < count; i++) {
        const double* row = b->rows + (size_t)i * nv;
        for (size_t k = 0; k < nv; k++) b->error[k] = row[k] * b->ease[k];
        for (int j = 0; j <= i; j++) {
            const double* other = b->rows + (size_t)j * nv;
            double sum = 0;
            for (size_t k = 0; k < nv; k++) sum += b->error[k] * other[k];
            b->gram[i * SN_BALANCE_ROWS + j] = sum;
        }
        double length = b->gram[i * SN_BALANCE_ROWS + i];
        b->scale[i] = length > 0 ? 1 / sqrt(length) : 0;
    }
}

/// factor = D G D + HAIR of the rows from `first` on, D such that its diagonal is 1 + HAIR.
static void take_factor(sn_balance* b, int first, int count) {
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= i; j++) {
            double value = b->gram[(first + i) * SN_BALANCE_ROWS + first + j];
            value *= b->scale[first + i] * b->scale[first + j];
            if (i == j) value += HAIR;
            b->factor[i * count + j] = b->factor[j * count + i] = value;
        }
}

void sni_balance_nearest(sn_balance* b, int first, int count, double* qdd) {
    size_t nv = (size_t)b->nv;
    const double *C = b->rows + (size_t)first * nv, *scale = b->scale + first;
    double y[SN_BALANCE_ROWS];
    int32_t order[SN_BALANCE_ROWS];
    take_factor(b, first, count);
    int32_t rank = sni_pivoted_cholesky(count, b->factor, 0, order);
    memcpy(qdd, b->wish, nv * sizeof *qdd);
    for (int n = 0; n < SOLVES; n++) {
        for (int i = 0; i < count; i++) {
            const double* row = C + (size_t)i * nv;
            y[i] = b->given[first + i];
            for (size_t k = 0; k < nv; k++) y[i] -= row[k] * qdd[k];
            y[i] *= scale[i];
        }
        sni_pivoted_solve(count, b->factor, rank, order, y);
        memset(b->error, 0, nv * sizeof *b->error);
        for (int i = 0; i < count; i++) {
            const double* row = C + (size_t)i * nv;
            for (size_t k = 0; k < nv; k++) b->error[k] += row[k] * (y[i] * scale[i]);
        }
        for (size_t k = 0; k < nv; k++) qdd[k] += b->ease[k] * b->error[k];
    }
}
