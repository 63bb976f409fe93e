// SPDX-License-Identifier: Apache-2.0
#include "math/least.h"
#include "sinew/safety.h"

double sn_ramp_apply(sn_ramp* r, double h, bool open) {
    r->gain += open ? h / r->rise : -h / r->fall;
    r->gain = sni_least(sni_most(r->gain, 0), 1);
    return r->gain;
}
