// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "control/sn_control.h"

// Without a spring the solution is known:  E = exp(-h B/M),  v+ = E v + (1 - E) f/B,
//   x+ = x + (M/B)(1 - E)(v - f/B) + h f/B
void sn_admittance_step(double mass, double damping, double stiffness, double force, double h,
                        double* x, double* v) {
    if (stiffness > 0 || damping == 0) {
        *v =
            (*v + h / mass * (force - stiffness * *x)) / (1 + h / mass * (damping + h * stiffness));
        *x += h * *v;
        return;
    }
    double part = -expm1(-h * damping / mass), end = force / damping; // 1 - E
    *x += mass / damping * part * (*v - end) + h * end;
    *v += part * (end - *v);
}
