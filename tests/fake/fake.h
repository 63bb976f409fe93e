// SPDX-License-Identifier: Apache-2.0
/// What fake vendors' libraries have in common: every call of theirs can be made to fail or to block, one at a time.
/// A test finds the switch by dlsym, in the same library that the driver under test has loaded.
#ifndef SINEW_TESTS_FAKE_H
#define SINEW_TESTS_FAKE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

enum { FAKE_CALLS_MOST = 32, FAKE_NONE = -1, FAKE_DEVICES = 2 };

typedef struct fake_switch {
    atomic_int fail;  ///< number of the call that fails; FAKE_NONE
    atomic_int block; ///< number of the call that does not return; FAKE_NONE
    atomic_int calls[FAKE_CALLS_MOST];
    const char* const* names; ///< of the calls
    int count;
} fake_switch;

static inline void fake_rest(long us) {
    struct timespec time = {0, us * 1000};
    nanosleep(&time, NULL);
}

/// At the beginning of each call: false when it has to fail.
static inline bool fake_enter(fake_switch* s, int call) {
    atomic_fetch_add(&s->calls[call], 1);
    while (atomic_load(&s->block) == call) fake_rest(200);
    return atomic_load(&s->fail) != call;
}

/// What a fake device is and got, in the vendor's axes and units.
typedef struct fake_device {
    double position[3];
    double R[3][3]; ///< rows
    double velocity[3], turning[3];
    double gripper; ///< rad
    int buttons;
    double force[3], torque[3]; ///< got last
    bool open;
    bool force_on;
} fake_device;

#endif
