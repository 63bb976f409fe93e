// SPDX-License-Identifier: Apache-2.0
#include "haptics/heat.h"
#include "sinew/safety.h"

double sn_thermal_limit(const sn_thermal* t) {
    return sni_heat_limit(t->heat, t->peak, t->continuous, t->time);
}

void sn_thermal_warm(sn_thermal* t, double h, sn_vec3 force) {
    t->heat = sni_heat_after(t->heat, sn_vec3_dot(force, force), t->continuous, t->time, h);
}
