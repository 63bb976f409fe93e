// SPDX-License-Identifier: Apache-2.0
#include "contact/lemke.h"

#include <math.h>

/// Exchanges the basic variable of `row` with the one outside at `column`.
static void exchange(sni_lemke* lemke, int32_t row, int32_t column) {
    int32_t width = lemke->n + 2;
    double* pivot_line = sni_lemke_line(lemke, row);
    double inverse = 1 / pivot_line[column];
    for (int32_t j = 0; j < width; j++) pivot_line[j] *= -inverse;
    pivot_line[column] = inverse;
    for (int32_t i = 0; i < lemke->n; i++) {
        double* line = sni_lemke_line(lemke, i);
        double factor = line[column];
        if (i == row || factor == 0) continue;
        line[column] = 0;
        for (int32_t j = 0; j < width; j++) line[j] += factor * pivot_line[j];
    }
    int32_t leaving = lemke->basic[row], entering = lemke->outside[column];
    lemke->basic[row] = entering;
    lemke->outside[column] = leaving;
    lemke->column[entering] = -1;
    lemke->column[leaving] = column;
}

static int32_t complement(const sni_lemke* lemke, int32_t variable) {
    return variable < lemke->n ? variable + lemke->n : variable - lemke->n;
}

/// Entry of the inverse basis in `row` and the column of w_j: what the constants would be for q = e_j.
static double inverse_basis(const sni_lemke* lemke, int32_t row, int32_t j) {
    if (lemke->column[j] >= 0) return -sni_lemke_line(lemke, row)[lemke->column[j]];
    return lemke->basic[row] == j;
}

/// Whether row a reaches zero before row b, by constants that are perturbed by vanishing powers.
static bool is_first(const sni_lemke* lemke, int32_t a, int32_t b) {
    const double tie = 1e-10; // zeros that pivots have left; the constants are about 1
    int32_t constant = lemke->n + 1;
    const double *line_a = sni_lemke_line(lemke, a), *line_b = sni_lemke_line(lemke, b);
    double rate_a = -line_a[lemke->entering], rate_b = -line_b[lemke->entering];
    double x = line_a[constant] / rate_a, y = line_b[constant] / rate_b;
    if (fabs(x - y) > tie * (fabs(x) + fabs(y) + 1)) return x < y;
    if (lemke->basic[a] == 2 * lemke->n) return true; // z0 leaves whenever it can
    if (lemke->basic[b] == 2 * lemke->n) return false;
    for (int32_t j = 0; j < lemke->n; j++) {
        x = inverse_basis(lemke, a, j) / rate_a;
        y = inverse_basis(lemke, b, j) / rate_b;
        if (fabs(x - y) > tie * (fabs(x) + fabs(y))) return x < y;
    }
    return false;
}

sni_lemke_state sni_lemke_pivot(sni_lemke* lemke) {
    int32_t row = -1;
    for (int32_t i = 0; i < lemke->n; i++) {
        if (!(sni_lemke_line(lemke, i)[lemke->entering] < -lemke->smallest)) continue;
        if (row < 0 || is_first(lemke, i, row)) row = i;
    }
    if (row < 0) return SNI_LEMKE_RAY;
    int32_t leaving = lemke->basic[row];
    exchange(lemke, row, lemke->entering);
    if (leaving == 2 * lemke->n) return SNI_LEMKE_SOLVED;
    lemke->entering = lemke->column[complement(lemke, leaving)];
    return SNI_LEMKE_GOING;
}

// z0 enters with the weight 1 in every row; the row that is lowest leaves, and then none is below zero.
sni_lemke_state sni_lemke_start(sni_lemke* lemke) {
    int32_t n = lemke->n, lowest = -1;
    double least = 0;
    lemke->smallest = 1e-9; // many pivots of numbers about 1 leave more than ulps
    for (int32_t i = 0; i < n; i++) {
        double* line = sni_lemke_line(lemke, i);
        line[n] = 1;
        if (line[n + 1] < least) least = line[n + 1], lowest = i;
        lemke->basic[i] = i;
        lemke->column[i] = -1;
        lemke->outside[i] = n + i;
        lemke->column[n + i] = i;
    }
    lemke->outside[n] = 2 * n;
    lemke->column[2 * n] = n;
    if (lowest < 0) return SNI_LEMKE_SOLVED;
    exchange(lemke, lowest, n);
    lemke->entering = lemke->column[n + lowest];
    return SNI_LEMKE_GOING;
}

void sni_lemke_solution(const sni_lemke* lemke, double* z) {
    int32_t n = lemke->n;
    for (int32_t j = 0; j < n; j++) z[j] = 0;
    for (int32_t i = 0; i < n; i++)
        if (lemke->basic[i] >= n && lemke->basic[i] < 2 * n)
            z[lemke->basic[i] - n] = fmax(0, sni_lemke_line(lemke, i)[n + 1]);
}
