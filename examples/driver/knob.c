// SPDX-License-Identifier: Apache-2.0
// A driver in one file, to copy and fill with your device.   docs/devices.md
//
//   sinew devices --driver build/examples/driver/knob.so
//
// The "hardware" here is pretended: a knob of 50 g in a bath of oil, on a weak spring that brings it back to the middle.
// It moves by the force that is written, so everything can be tried. What is between the two rulers marked HARDWARE is
// where your calls go. Two rules: read and write come from a loop that runs a thousand times a second and must not
// wait, so when your hardware's calls can block, make them in a thread of your own; and all is in SI units and in our
// axes, x to the right, y away from the person, z up.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/device.h"

// ---- HARDWARE ---------------------------------------------------------------------------------------------------

static const double MASS = 0.05;      // kg
static const double OIL = 2.0;        // N s/m
static const double SPRING = 20.0;    // N/m
static const double STEP = 1e-4;      // s
static const double LONGEST = 0.1;    // s that a pause may count for
static const double WORKSPACE = 0.08; // m

typedef struct knob {
    sn_vec3 p, v, force;
    int64_t time_ns; // of p and v; 0: not yet
    bool stuck;      // opened as "knob:stuck", to see what trouble looks like
} knob;

static void knob_move(knob* k, double seconds) {
    for (double t = 0; t < seconds; t += STEP) {
        sn_vec3 f = sn_vec3_sub(k->force,
                                sn_vec3_add(sn_vec3_scale(OIL, k->v), sn_vec3_scale(SPRING, k->p)));
        k->v = sn_vec3_add(k->v, sn_vec3_scale(STEP / MASS, f));
        k->p = sn_vec3_add(k->p, sn_vec3_scale(STEP, k->v));
    }
}

// ---- HARDWARE ---------------------------------------------------------------------------------------------------

/// The newest sample. Anything but SN_OK: none this time.
static sn_status knob_read(void* memory, int64_t now_ns, sn_device_sample* sample) {
    knob* k = memory;
    if (k->stuck) return SN_ERR_FAULT;
    if (k->time_ns) knob_move(k, fmin((double)(now_ns - k->time_ns) * 1e-9, LONGEST));
    k->time_ns = now_ns;
    sample->time_ns = now_ns;
    sample->pose.p =
        k->p; // R stays the identity: it cannot be turned; nor has it buttons or a gripper
    sample->velocity.v = k->v;
    return SN_OK;
}

/// From now on; zero must always be accepted.
static sn_status knob_write(void* memory, int64_t now_ns, const sn_device_force* force) {
    (void)now_ns;
    ((knob*)memory)->force = force->force;
    return SN_OK;
}

/// Force off, memory freed.
static void knob_close(void* memory) { free(memory); }

/// Why it does not work, for a person; may be asked from any thread.
static const char* knob_trouble(void* memory) {
    return ((knob*)memory)->stuck ? "the knob is stuck; put some oil on it" : "";
}

static const sn_device_ops OPS = {knob_read, knob_write, knob_close, knob_trouble};

/// What the device can do. The safety chain never lets more out than this, so be honest, and rather too low.
static sn_device_profile knob_profile(void) {
    sn_device_profile profile = {
        .name = "knob",
        .inputs = 3,
        .outputs = 3,
        .workspace = WORKSPACE,
        .peak_force = 2,
        .continuous_force = 1,
        .thermal_time = 20,
        .stiffness = 500,
        .damping = 1,
        .friction_viscous = OIL,
        .mass = MASS,
        .resolution = 1e-5,
        .speed_limit = 2,
    };
    return profile;
}

/// `rest` is what follows the colon: "" or "stuck".
static sn_status knob_open(const char* rest, sn_device** device, sn_error* error) {
    if (rest[0] && strcmp(rest, "stuck") != 0) {
        if (error) {
            error->status = SN_ERR_ARGUMENT;
            (void)snprintf(error->text, sizeof error->text,
                           "a knob is opened by 'knob' or 'knob:stuck', not by 'knob:%.40s'", rest);
        }
        return SN_ERR_ARGUMENT;
    }
    knob* k = calloc(1, sizeof *k);
    if (!k) return SN_ERR_MEMORY;
    k->stuck = rest[0] != '\0';
    sn_device_profile profile = knob_profile();
    return sn_device_create(&OPS, k, &profile, device, error); // closes k when it fails
}

/// Devices that can be opened now, or why there are none.
static int knob_list(sn_device_found* found, int most, char* why, size_t room) {
    if (room > 0) why[0] = '\0';
    if (most > 0) {
        (void)snprintf(found->word, sizeof found->word, "knob");
        (void)snprintf(found->about, sizeof found->about, "a knob in oil, pretended");
    }
    return 1;
}

static const sn_driver driver = {
    .name = "knob",
    .about = "example of a driver: a knob in oil that is not there",
    .list = knob_list,
    .open = knob_open,
};

SN_DRIVER_EXPORT(driver)
