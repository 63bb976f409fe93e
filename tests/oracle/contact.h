// SPDX-License-Identifier: Apache-2.0
/// Contact solved another way: one contact by the roots of a polynomial, equalities by orthogonal projection.
#ifndef SINEW_TESTS_ORACLE_CONTACT_H
#define SINEW_TESTS_ORACLE_CONTACT_H

#include <stdbool.h>

#include "oracle/oracle.h"

enum { ORACLE_CONTACT_ROOTS = 5 };

/// All impulses that solve one point contact with W (3 x 3 symmetric, positive definite), q, mu > 0: none,
/// sticking, or sliding with u_t = -alpha r_t, alpha a positive root of the quartic. Returns how many.
int oracle_contact_solutions(const real W[9], const real q[3], real mu,
                             real r[ORACLE_CONTACT_ROOTS][3]);

/// The sliding solution of smallest alpha by bisection of |r_t| - mu r_n. False: it does not slide.
bool oracle_contact_slide(const real W[9], const real q[3], real mu, real r[3]);

/// The velocity nearest to v_free, in the metric of the inverse of the response, with J v = 0.
/// J: rows x n, response: n x n positive definite.
void oracle_hold(int n, const real* response, int rows, const real* J, const real* v_free, real* v);

#endif
