// SPDX-License-Identifier: Apache-2.0
#include "sinew/safety.h"

static bool above(double speed, double limit) { return limit > 0 && !(speed <= limit); }

bool sn_speed_trip_apply(sn_speed_trip* s, const sn_twist* velocity) {
    double share = s->tripped ? 0.5 : 1;
    s->tripped = above(sn_vec3_norm(velocity->v), share * s->limit) ||
                 above(sn_vec3_norm(velocity->w), share * s->turn_limit);
    return s->tripped;
}
