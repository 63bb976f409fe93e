// SPDX-License-Identifier: Apache-2.0
/// Forces along given directions, none of them pulling, whose sum comes nearest to a wanted wrench:
///
///     min_x  1/2 |B x - b|^2 + eps/2 |x|^2 ,   x >= 0 ,      B: 6 x n
///
/// The least eps makes it unique, and spreads the force over all that can give it. Its dual has six unknowns whatever
/// n is,
///
///     min_y  eps/2 |y|^2 + 1/2 |max(0, B' y)|^2 - b' y ,     x = max(0, B' y) ,   b - B x = eps y ,
///
/// convex and piecewise quadratic: Newton's method with a line search ends after a few pieces.
#ifndef SN_CONTROL_CONE_FORCES_H
#define SN_CONTROL_CONE_FORCES_H

enum { SN_CONE_ROWS = 6 };

/// y: where the search begins, and where it ended; zeros at first. Returns the number of Newton steps.
int sni_cone_forces(int n, const double (*B)[SN_CONE_ROWS], const double b[SN_CONE_ROWS],
                    double eps, double y[SN_CONE_ROWS], double* x);

#endif
