// SPDX-License-Identifier: Apache-2.0
#include "sinew/safety.h"

static bool above(sn_vec3 v, double limit) {
    return limit > 0 && !(sn_vec3_dot(v, v) <= limit * limit);
}

bool sn_speed_trip_apply(sn_speed_trip* s, const sn_twist* velocity) {
    double share = s->tripped ? 0.5 : 1;
    s->tripped = above(velocity->v, share * s->limit) || above(velocity->w, share * s->turn_limit);
    return s->tripped;
}
