// SPDX-License-Identifier: Apache-2.0
// Devices: what a driver gives and takes is looked at here, once for all drivers.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "haptics/device.h"

struct sn_device {
    sn_device_ops ops;
    void* memory;
    sn_device_profile profile;
    int64_t newest_ns; ///< time of the newest sample
    bool has_read;
};

/// Zero, unless one of the three is not finite.
static inline double zero_of(sn_vec3 v) { return 0 * v.x + 0 * v.y + 0 * v.z; }

bool sni_force_is_finite(const sn_device_force* force) {
    return zero_of(force->force) + zero_of(force->torque) == 0;
}

bool sni_sample_is_finite(const sn_device_sample* sample) {
    sn_mat3 R = sample->pose.R;
    double turned =
        zero_of(sn_mat3_row(R, 0)) + zero_of(sn_mat3_row(R, 1)) + zero_of(sn_mat3_row(R, 2));
    double moves = zero_of(sample->velocity.v) + zero_of(sample->velocity.w);
    return turned + moves + zero_of(sample->pose.p) + 0 * sample->gripper == 0;
}

/// What is wrong with a profile, or NULL.
static const char* profile_fault(const sn_device_profile* p) {
    if (!memchr(p->name, 0, sizeof p->name) || !p->name[0]) return "a profile needs a name";
    if (p->inputs != 3 && p->inputs != 6) return "inputs are 3 or 6";
    if (p->outputs != 3 && p->outputs != 6) return "outputs are 3 or 6";
    if (p->outputs > p->inputs) return "a device cannot render more than it measures";
    if (p->buttons < 0 || p->buttons > 32) return "a device has 0 to 32 buttons";
    const double numbers[] = {
        p->workspace,         p->peak_force,   p->continuous_force, p->peak_torque,
        p->continuous_torque, p->thermal_time, p->stiffness,        p->damping,
        p->turn_stiffness,    p->turn_damping, p->friction_viscous, p->friction_dry,
        p->turn_viscous,      p->mass,         p->inertia,          p->resolution,
        p->turn_resolution,   p->lag,          p->latency,          p->speed_limit,
        p->turn_speed_limit,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!(numbers[i] >= 0) || !isfinite(numbers[i]))
            return "limits are finite and not negative";
    if (!(p->peak_force > 0)) return "peak_force is above zero";
    return NULL;
}

sn_status sni_device_profile_check(const sn_device_profile* profile, sn_error* error) {
    const char* fault = profile_fault(profile);
    if (!fault) return SN_OK;
    return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "device profile: %s", fault);
}

static sn_status check(const sn_device_ops* ops, const sn_device_profile* profile,
                       sn_error* error) {
    if (!ops || !ops->read || !ops->write || !ops->close)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "a driver needs the functions read, write and close");
    if (!profile)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "a device needs a profile");
    return sni_device_profile_check(profile, error);
}

sn_status sn_device_create(const sn_device_ops* ops, void* memory, const sn_device_profile* profile,
                           sn_device** device, sn_error* error) {
    *device = NULL;
    sn_status status = check(ops, profile, error);
    sn_device* made = status ? NULL : calloc(1, sizeof *made);
    if (!status && !made)
        status = sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory for a device");
    if (status) {
        if (ops && ops->close) ops->close(memory);
        return status;
    }
    made->ops = *ops, made->memory = memory, made->profile = *profile;
    *device = made;
    return SN_OK;
}

void sn_device_free(sn_device* device) {
    if (!device) return;
    device->ops.close(device->memory);
    free(device);
}

const sn_device_profile* sn_device_profile_of(const sn_device* device) { return &device->profile; }

sn_status sn_device_read(sn_device* device, int64_t now_ns, sn_device_sample* sample) {
    *sample = (sn_device_sample){.pose.R = sn_mat3_identity()}; // what a driver leaves out
    sn_status status = device->ops.read(device->memory, now_ns, sample);
    if (status) return status;
    bool back = device->has_read && sample->time_ns < device->newest_ns;
    device->newest_ns = sample->time_ns;
    device->has_read = true;
    return back || !sni_sample_is_finite(sample) ? SN_ERR_NUMERIC : SN_OK;
}

sn_status sn_device_write(sn_device* device, int64_t now_ns, const sn_device_force* force) {
    if (sni_force_is_finite(force)) return device->ops.write(device->memory, now_ns, force);
    const sn_device_force zero = {{0, 0, 0}, {0, 0, 0}};
    (void)device->ops.write(device->memory, now_ns,
                            &zero); // what was asked for is the worse trouble
    return SN_ERR_NUMERIC;
}

const char* sn_device_trouble(const sn_device* device) {
    return device->ops.trouble ? device->ops.trouble(device->memory) : "";
}

void* sni_device_memory(const sn_device* device, const sn_device_ops* ops) {
    return device && device->ops.read == ops->read ? device->memory : NULL;
}
