// SPDX-License-Identifier: Apache-2.0
#include "sinew/safety.h"

bool sn_slew_apply(sn_slew* s, double h, sn_vec3* force) {
    sn_vec3 change = sn_vec3_sub(*force, s->last);
    double square = sn_vec3_dot(change, change), most = s->rate * h;
    bool late = square > most * most;
    if (late) *force = sn_vec3_add(s->last, sn_vec3_scale(most / sqrt(square), change));
    s->last = *force;
    return late;
}
