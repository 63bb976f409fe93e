// SPDX-License-Identifier: Apache-2.0
// A device that moves exactly as its script says, whatever the force.
#include <stdlib.h>

#include "base/error.h"
#include "haptics/device.h"
#include "haptics/hand_script.h"

typedef struct scripted {
    sn_hand_script* script;
    bool turns, started;
    int64_t origin_ns;
    sn_written_force* forces;
    int most;
    int64_t written;
} scripted;

static sn_status scripted_read(void* memory, int64_t now_ns, sn_device_sample* sample) {
    scripted* s = memory;
    if (!s->started) s->origin_ns = now_ns;
    s->started = true;
    sn_hand_intent want;
    sn_hand_script_at(s->script, 1e-9 * (double)(now_ns - s->origin_ns), &want);
    if (!s->turns) want.pose.R = sn_mat3_identity(), want.velocity.w = sn_vec3_zero();
    *sample = (sn_device_sample){now_ns, want.pose, want.velocity, want.buttons, 0};
    return SN_OK;
}

static sn_status scripted_write(void* memory, int64_t now_ns, const sn_device_force* force) {
    scripted* s = memory;
    if (s->written < s->most) s->forces[s->written] = (sn_written_force){now_ns, *force};
    s->written++;
    return SN_OK;
}

static void scripted_close(void* memory) {
    scripted* s = memory;
    sn_hand_script_free(s->script);
    free(s->forces);
    free(s);
}

static const sn_device_ops ops = {scripted_read, scripted_write, scripted_close, NULL};

sn_status sn_scripted_device_create(const sn_device_profile* profile, const sn_hand_script* script,
                                    int most, sn_device** device, sn_error* error) {
    *device = NULL;
    if (!script || most < 0)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "a scripted device needs a script, and room for 0 or more forces");
    scripted* s = calloc(1, sizeof *s);
    if (s) s->script = sni_hand_script_copy(script);
    if (s) s->forces = calloc((size_t)most + 1, sizeof *s->forces);
    if (!s || !s->script || !s->forces) {
        if (s) scripted_close(s);
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory for a device");
    }
    s->most = most;
    s->turns = profile->inputs == 6;
    return sn_device_create(&ops, s, profile, device, error);
}

int sn_scripted_device_forces(const sn_device* device, const sn_written_force** forces,
                              int64_t* written) {
    const scripted* s = sni_device_memory(device, &ops);
    *forces = s ? s->forces : NULL;
    if (written) *written = s ? s->written : 0;
    if (!s) return 0;
    return s->written < s->most ? (int)s->written : s->most;
}
