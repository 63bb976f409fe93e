// SPDX-License-Identifier: Apache-2.0
/// What drivers within this module share.
#ifndef SN_HAPTICS_DEVICE_H
#define SN_HAPTICS_DEVICE_H

#include "sinew/device.h"

bool sni_force_is_finite(const sn_device_force* force);
bool sni_sample_is_finite(const sn_device_sample* sample);

/// SN_ERR_ARGUMENT with the reason.
sn_status sni_device_profile_check(const sn_device_profile* profile, sn_error* error);

/// Memory of a device with these functions; NULL of another.
void* sni_device_memory(const sn_device* device, const sn_device_ops* ops);

#endif
