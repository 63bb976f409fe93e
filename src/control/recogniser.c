// SPDX-License-Identifier: Apache-2.0
// What a person means by a force: how long it lasts, how often it turns round, and where it points.
#include <math.h>

#include "control/sn_control.h"

sn_recogniser_def sn_recogniser_def_default(void) {
    return (sn_recogniser_def){.threshold = 2,
                               .tap_time = 0.35,
                               .hold_time = 0.4,
                               .quiet_time = 0.1,
                               .turns = 3,
                               .turn_time = 0.5};
}

static void forget(sn_recogniser* r) { *r = (sn_recogniser){.def = r->def}; }

/// No force: after a while what there was is over, and was a tap if it was short.
static sn_pattern rest(sn_recogniser* r, double h) {
    if (r->since == 0) return SN_PATTERN_NONE;
    r->since += h;
    r->quiet += h;
    r->turned += h;
    if (r->quiet < r->def.quiet_time) return SN_PATTERN_NONE;
    bool tap = !r->told && r->turns < r->def.turns && r->since - r->quiet < r->def.tap_time;
    forget(r);
    return tap ? SN_PATTERN_TAP : SN_PATTERN_NONE;
}

/// Whether the force has turned round once more, soon enough for a shake.
static void count_turns(sn_recogniser* r, sn_vec3 force) {
    if (sn_vec3_dot(force, r->swing) >= 0) return;
    r->turns = r->turned < r->def.turn_time ? r->turns + 1 : 1;
    r->turned = 0;
    r->swing = force;
}

sn_pattern sn_recogniser_feel(sn_recogniser* r, sn_vec3 force, sn_vec3 outward, double h) {
    double least = r->since == 0 ? r->def.threshold : 0.5 * r->def.threshold;
    if (!(sn_vec3_norm(force) >= least)) return rest(r, h);
    if (r->since == 0) r->swing = force;
    r->since += h;
    r->turned += h;
    r->quiet = 0;
    r->outward += h * sn_vec3_dot(force, outward);
    count_turns(r, force);
    if (r->told) return SN_PATTERN_NONE;
    bool shake = r->turns >= r->def.turns;
    bool lasts = r->turned > r->def.hold_time;
    if (!shake && !lasts) return SN_PATTERN_NONE;
    r->told = true;
    return shake ? SN_PATTERN_SHAKE : r->outward > 0 ? SN_PATTERN_PULL : SN_PATTERN_PUSH;
}
