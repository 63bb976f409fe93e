// SPDX-License-Identifier: Apache-2.0
#include "sinew/safety.h"

bool sn_slew_apply(sn_slew* s, double h, sn_vec3* force) {
    sn_vec3 change = sn_vec3_sub(*force, s->last);
    double size = sn_vec3_norm(change), most = s->rate * h;
    bool late = size > most;
    if (late) *force = sn_vec3_add(s->last, sn_vec3_scale(most / size, change));
    s->last = *force;
    return late;
}
