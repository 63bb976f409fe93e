// SPDX-License-Identifier: Apache-2.0
/// Lemke's method for a linear complementarity problem: w = M z + q, 0 <= w, z >= 0, w'z = 0.
///
/// A dictionary, every basic variable as a function of the others, is pivoted until the artificial
/// variable z0 has left. Ties are broken lexicographically, so it cannot cycle; where M is copositive, as
/// those of contacts are, it ends at a solution unless there is none.   [CPS92 4.4]
#ifndef SN_CONTACT_LEMKE_H
#define SN_CONTACT_LEMKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sni_lemke {
    int32_t n;
    double* T; // [n x (n + 2)] row i: basic variable i by those outside (n + 1), then its constant
    int32_t* basic;   // [n] variable of a row; w_j is j, z_j is n + j, z0 is 2n
    int32_t* outside; // [n + 1] variable of a column
    int32_t* column;  // [2n + 1] column of a variable that is outside, -1: it is basic
    int32_t entering; ///< column
    double smallest;  ///< a coefficient below this is rounding
} sni_lemke;

typedef enum sni_lemke_state { SNI_LEMKE_GOING, SNI_LEMKE_SOLVED, SNI_LEMKE_RAY } sni_lemke_state;

static inline size_t sni_lemke_numbers(size_t n) { return n * (n + 2); }
static inline double* sni_lemke_line(const sni_lemke* lemke, int32_t row) {
    return lemke->T + (ptrdiff_t)row * (lemke->n + 2);
}

/// M is in the first n columns of T, q in the last; numbers about 1.
sni_lemke_state sni_lemke_start(sni_lemke* lemke);
/// One pivot.
sni_lemke_state sni_lemke_pivot(sni_lemke* lemke);
/// z, when solved.
void sni_lemke_solution(const sni_lemke* lemke, double* z);

#endif
