// SPDX-License-Identifier: Apache-2.0
#include "haptics/device.h"
#include "sinew/safety.h"

bool sn_finite_apply(sn_finite* element, bool usable, sn_device_force* force) {
    bool good = usable && sni_force_is_finite(force);
    if (good)
        element->good = *force;
    else
        *force = element->good;
    return good;
}
