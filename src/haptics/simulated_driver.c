// SPDX-License-Identifier: Apache-2.0
// Simulated devices by name: sim:PROFILE,HAND.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "sinew/simulated_device.h"

static int list(sn_device_found* found, int most, char* why, size_t room) {
    if (room) why[0] = 0;
    sn_device_profile p;
    int count = 0;
    for (; sn_device_profile_at(count, &p); count++) {
        if (count >= most) continue;
        snprintf(found[count].word, sizeof found[count].word, "sim:%s", p.name);
        snprintf(found[count].about, sizeof found[count].about,
                 "simulated: %d in, %d out, %.3g N, %.0f N/m", p.inputs, p.outputs, p.peak_force,
                 p.stiffness);
    }
    return count;
}

/// "touch,firm" into the def; a part that is empty stays as it is by default.
static sn_status choose(const char* rest, sn_simulated_device_def* def, sn_error* error) {
    size_t length = strcspn(rest, ",");
    const char* hand = rest[length] ? rest + length + 1 : "";
    char name[sizeof def->profile.name] = "";
    if (length < sizeof name) memcpy(name, rest, length);
    if (length && !sn_device_profile_find(name, &def->profile))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "no simulated device `%.*s`; `sinew devices` lists them", (int)length,
                        rest);
    if (*hand && !sn_hand_model_find(hand, &def->hand))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "no hand `%s`; there are light, medium, firm, arm, none and mass", hand);
    return SN_OK;
}

static sn_status open_simulated(const char* rest, sn_device** device, sn_error* error) {
    *device = NULL;
    sn_simulated_device_def def = sn_simulated_device_def_default();
    sn_status status = choose(rest, &def, error);
    return status ? status : sn_simulated_device_create(&def, device, error);
}

const sn_driver* sn_simulated_driver(void) {
    static const sn_driver driver = {"sim", "simulated devices, held by a simulated hand", list,
                                     open_simulated};
    return &driver;
}
