// SPDX-License-Identifier: Apache-2.0
#include "sinew/safety.h"

bool sn_peak_apply(double most, sn_vec3* force) {
    double square = sn_vec3_dot(*force, *force);
    if (!(square > most * most)) return false;
    double size = sqrt(square);
    // a square beyond all numbers: smaller first
    if (!isfinite(size)) {
        double big = fmax(fabs(force->x), fmax(fabs(force->y), fabs(force->z)));
        *force = sn_vec3_scale(1 / big, *force);
        size = sn_vec3_norm(*force);
    }
    *force = sn_vec3_scale(most / size, *force);
    return true;
}
