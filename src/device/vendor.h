// SPDX-License-Identifier: Apache-2.0
/// Life of a vendor's device. All of its calls are made by an agent (base/agent.h): it opens the device, serves it
/// until it is told to stop, opens it again when it was lost, and closes it. Whoever opens or closes waits for the
/// agent, but never longer than the patience there is: an agent that is stuck in a vendor's call is left behind, and
/// finishes by itself if the call ever comes back.
#ifndef SN_DEVICE_VENDOR_H
#define SN_DEVICE_VENDOR_H

#include "base/agent.h"
#include "base/error.h"
#include "device/link.h"

typedef struct sni_vendor sni_vendor;

/// What a driver does; thread: the agent. `vendor` is the first member of the driver's own structure.
typedef struct sni_vendor_ops {
    size_t size; ///< of that structure
    /// Opens the device and fills the profile. When it fails it has closed everything again.
    sn_status (*begin)(sni_vendor* vendor, sn_error* error);
    /// A short while of service. False: the device is lost.
    bool (*serve)(sni_vendor* vendor);
    /// Force off, everything closed. After a begin that worked.
    void (*end)(sni_vendor* vendor);
} sni_vendor_ops;

struct sni_vendor {
    const sni_vendor_ops* ops;
    sni_agent* agent;
    sni_link link;
    sn_device_profile profile;
    sni_shown stop;    ///< 1: end soon
    sni_shown opening; ///< 0: still; else 1 + status of the first begin
    sni_shown call;    ///< name of the call that the agent is in, a text that lives for ever
    sn_error error;    ///< of the first begin
};

/// Memory for a driver's structure, all zero but for what is of the vendor; NULL: none. sni_vendor_open takes it over.
sni_vendor* sni_vendor_create(const sni_vendor_ops* ops);
/// Starts the agent, waits for the device and makes an sn_device of it. Longer patience: `times` as much.
sn_status sni_vendor_open(sni_vendor* vendor, int times, sn_device** device, sn_error* error);

// ---- for drivers; thread: agent ------------------------------------------------------------------------------

int64_t sni_vendor_now(void);
/// How long is waited for calls that find or open a device.
int64_t sni_vendor_open_patience(void);
/// Says which call comes next, so that one that does not return can be named.
void sni_vendor_enter(sni_vendor* vendor, const char* call);
bool sni_vendor_must_stop(const sni_vendor* vendor);
/// Waits until a library that one thread at a time may call is ours.
void sni_vendor_take(sni_vendor* vendor, sni_shown* library);

#endif
