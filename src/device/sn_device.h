// SPDX-License-Identifier: Apache-2.0
/// Vendors' devices, and the list of drivers (sinew/device.h has the interface that they all fill).
///
/// A vendor's library is loaded when it is asked for (dlopen), with prototypes and constants of our own. Its calls may
/// fail, block for ever or be stopped by a cable that is pulled; so none of them is made by the haptic loop. A thread
/// of the driver (`base/agent.h`), or the vendor's own servo thread, makes them and exchanges the newest sample and
/// force with the loop (`link.h`).
///
///   drivers.c          the list of drivers, and sn_device_open
///   link.h             between the loop and the thread that makes the vendor's calls
///   vendor.h           life of a vendor's device: opening, watching, opening again, closing within a bound
///   library.h          finding and loading a vendor's library, and saying why not
///   usb.h              what is plugged in, and whether we may use it
///   openhaptics.c      PHANToM, Touch: libHD
///   forcedimension.c   omega, delta, sigma, lambda, Falcon: libdrd
#ifndef SN_DEVICE_H
#define SN_DEVICE_H

#include "sinew/device.h"

const sn_driver* sni_openhaptics_driver(void);
const sn_driver* sni_forcedimension_driver(void);

/// How long is waited for vendors' calls; for tests. 0: as it comes, 10 s to open and 2 s to close.
void sni_device_set_patience(int64_t open_ns, int64_t close_ns);

#endif
