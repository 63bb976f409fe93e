// SPDX-License-Identifier: Apache-2.0
#include "dynamics/disparity.h"

sni_disparity sni_disparity_of(const sn_model* model) {
    sni_disparity most = {1, -1, -1};
    for (int32_t i = 0; i < model->body_count; i++) {
        int32_t p = model->joint[i].parent;
        if (p < 0) continue;
        bool lighter = model->inertia[i].m < model->inertia[p].m;
        int32_t light = lighter ? i : p, heavy = lighter ? p : i;
        double ratio = model->inertia[heavy].m / model->inertia[light].m;
        if (ratio > most.ratio) most = (sni_disparity){ratio, light, heavy};
    }
    return most;
}
