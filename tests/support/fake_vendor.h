// SPDX-License-Identifier: Apache-2.0
/// What tests of vendors' drivers share: a fake library, and doing the same with every one of its calls.
#ifndef SINEW_TESTS_FAKE_VENDOR_H
#define SINEW_TESTS_FAKE_VENDOR_H

#include "../fake/fake.h"
#include "sinew/device.h"

enum { MS_NS = 1000000 };

/// A fake library, and how it is driven.
typedef struct fake_vendor {
    const char* word;     ///< that opens its first device
    const char* file;     ///< "libHD.so"
    const char* variable; ///< of the environment, that says where it is
    const char* prefix;   ///< of its functions for tests
    fake_switch* control;
    void (*reset)(void);
    void (*set)(int i, const fake_device* state);
    void (*get)(int i, fake_device* state);
    void* library;
} fake_vendor;

/// Sets the variable and finds the functions.
void fake_vendor_load(fake_vendor* v);
/// Another function of the library.
void fake_vendor_function(const fake_vendor* v, const char* name, void* place);

/// Opens a device or fails the test.
sn_device* fake_vendor_open(const char* word);
/// The newest good sample, waiting for it.
sn_device_sample fake_vendor_sample(sn_device* device);
/// Reads once; whether it worked.
bool fake_vendor_reads(sn_device* device);
/// Writes, until device i of the library has got this force in its axes and units (to 1e-9).
bool fake_vendor_gets(const fake_vendor* v, int i, sn_device* device, sn_device_force ours,
                      const double force[3], const double torque[3]);

// ---- whole tests ------------------------------------------------------------------------------------------------

/// Each call fails while a device is opened: it says why or works nevertheless, and the next opening works.
void fake_vendor_fails_at_opening(fake_vendor* v);
/// Each call fails in mid-run: reading and writing come back, and when it works again so does the device.
void fake_vendor_fails_in_run(fake_vendor* v);
/// Each call blocks while a device is opened: opening comes back and names it.
void fake_vendor_blocks_at_opening(fake_vendor* v);
/// Each call blocks in mid-run and while closing: reading, writing and closing come back.
void fake_vendor_blocks_in_run(fake_vendor* v);
/// What comes from the device is not finite.
void fake_vendor_gives_nan(fake_vendor* v);
/// A loop that stops writing leaves no force behind.
void fake_vendor_loses_its_loop(fake_vendor* v);

#endif
