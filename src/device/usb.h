// SPDX-License-Identifier: Apache-2.0
/// What is plugged in by USB, and whether this process may use it.
#ifndef SN_DEVICE_USB_H
#define SN_DEVICE_USB_H

#include <stdbool.h>
#include <stddef.h>

typedef enum sni_usb_state { SNI_USB_ABSENT, SNI_USB_REFUSED, SNI_USB_USABLE } sni_usb_state;

/// Looks for a device by vendor and product as lsusb writes them, "1451:" or "0403:cb48". `node` gets its file under
/// /dev, the one that is refused if any is. Where that is: NULL, or a copy of /sys/bus/usb/devices and /dev/bus/usb.
sni_usb_state sni_usb_find(const char* id, const char* sys, const char* dev, char* node,
                           size_t room);

#endif
