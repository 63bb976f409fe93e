// SPDX-License-Identifier: Apache-2.0
#include "sinew/safety.h"

double sn_ramp_apply(sn_ramp* r, double h, bool open) {
    r->gain += open ? h / r->rise : -h / r->fall;
    r->gain = fmin(1, fmax(0, r->gain));
    return r->gain;
}
