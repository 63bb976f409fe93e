// SPDX-License-Identifier: Apache-2.0
#include "sinew/safety.h"

bool sn_enable_apply(const sn_enable* e, uint32_t buttons) {
    return !e->needed || (buttons >> e->button & 1u) != 0;
}
