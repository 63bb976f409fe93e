// SPDX-License-Identifier: Apache-2.0
// omega, delta, sigma, lambda and Falcon by the Force Dimension SDK: libdrd.
//
// Its calls wait for the device, so the agent makes them: it polls at up to 4 kHz and exchanges the newest sample and
// force with the loop. The device itself has a watchdog, which takes the force away when nobody sends one.
//
// The SDK's axes: x to the person, y right, z up. Ours: x = y, y = -x, z = z.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/agent.h"
#include "device/forcedimension_api.h"
#include "device/frames.h"
#include "device/library.h"
#include "device/sn_device.h"
#include "device/usb.h"
#include "device/vendor.h"
#include "sinew/clock.h"
#include "sinew/realtime.h"

enum {
    PERIOD_NS = 250000,
    FAILURES_MOST = 20, // ticks in a row, then the device is lost
    WATCHDOG = 160,     // eighths of a millisecond: 20 ms
    INIT_TIMES = 6,     // patience while the device moves through its workspace
    LOOK_AGAIN_NS = 500000,
    PATH_MOST = 512
};

static const double GRIPPER_OPEN = 0.5236; // rad, 30 degrees

#define UDEV_RULE "SUBSYSTEM==\"usb\", ATTR{idVendor}==\"1451\", MODE=\"0666\""

// ---- the library ----------------------------------------------------------------------------------------------------

static const char* const places[] = {"libdrd.so.3",
                                     "libdrd.so",
                                     "$FDSDK/lib/release/lin-*-gcc/libdrd.so*",
                                     "~/.local/lib/libdrd.so*",
                                     "/usr/local/lib/libdrd.so*",
                                     NULL};
static const sni_library library = {
    .name = "libdrd.so (Force Dimension SDK)",
    .variable = "SINEW_FORCEDIMENSION",
    .places = places,
    .install = "download the SDK from forcedimension.com/software/sdk and set FDSDK to its folder",
};

// Of the process, as the library is. All but `taken` belongs to who has it.
static struct {
    sni_shown taken;
    bool loaded;
    dhd_api api;
} fd;

static sn_status load(sn_error* error) {
    char path[PATH_MOST];
#define DHD_SYMBOL(must, result, name, arguments) {#name, &fd.api.name, must},
    const sni_symbol symbols[] = {DHD_FUNCTIONS(DHD_SYMBOL)};
#undef DHD_SYMBOL
    if (fd.loaded) return SN_OK;
    sn_status status = sni_library_load(&library, symbols, sizeof symbols / sizeof symbols[0], path,
                                        sizeof path, error);
    fd.loaded = !status;
    return status;
}

// ---- a device ---------------------------------------------------------------------------------------------------------

typedef struct delta {
    sni_vendor vendor; // first
    char id;           // that was asked for
    char open;         // that the SDK gave
    bool init;         // move through the workspace to calibrate
    bool hinted;       // told that it is not calibrated
    bool gripper;
    sni_frame frame;
    sn_realtime granted;
    int failures;    // ticks in a row
    int64_t next_ns; // of the next tick
} delta;

#define CALL(d, name) (sni_vendor_enter(&(d)->vendor, #name " of libdrd"), fd.api.name)

static sn_status failure(delta* d, const char* what, sn_error* error) {
    const char* theirs = CALL(d, dhdErrorGetLastStr)();
    return sni_fail(error, SN_ERR_FAULT, sni_nowhere(), "%s of device %d failed: %.120s", what,
                    d->id, theirs ? theirs : "no reason given");
}

// ---- agent: opening ---------------------------------------------------------------------------------------------------

/// Why there is no such device, for a person.
static void say_absent(char* why, size_t room) {
    char node[64];
    static const char* const ids[] = {"1451:", "0403:cb48"};
    sni_usb_state state = SNI_USB_ABSENT;
    for (int i = 0; i < 2 && state == SNI_USB_ABSENT; i++)
        state = sni_usb_find(ids[i], NULL, NULL, node, sizeof node);
    if (state == SNI_USB_REFUSED)
        (void)snprintf(
            why, room,
            "a device is plugged in but %s may not be written; put the line `%s` into "
            "/etc/udev/rules.d/51-forcedimension.rules, then `sudo udevadm control --reload` "
            "and plug it in again",
            node, UDEV_RULE);
    else if (state == SNI_USB_USABLE)
        (void)snprintf(
            why, room,
            "a device is plugged in but the SDK does not see it: another program may have "
            "it, or it is switched off");
    else
        (void)snprintf(why, room, "no device is plugged in (USB vendor 1451; Falcon 0403:cb48)");
}

/// Moves the device to its stops and back, by itself.
static sn_status initialise(delta* d, sn_error* error) {
    if (!fd.api.drdOpenID || !fd.api.drdAutoInit || !fd.api.drdIsInitialized || !fd.api.drdStop ||
        !fd.api.drdClose)
        return sni_fail(error, SN_ERR_FILE, sni_nowhere(),
                        "libdrd has no functions to calibrate by; move the device by hand instead");
    if (CALL(d, drdOpenID)(d->id) < 0) return failure(d, "drdOpenID", error);
    sn_status status = SN_OK;
    if (!CALL(d, drdIsInitialized)(d->id) && CALL(d, drdAutoInit)(d->id) < 0)
        status = failure(d, "drdAutoInit", error);
    if (CALL(d, drdStop)(false, d->id) < 0 && !status) status = failure(d, "drdStop", error);
    if (CALL(d, drdClose)(d->id) < 0 && !status) status = failure(d, "drdClose", error);
    return status;
}

typedef struct kind {
    int type;
    const char* profile;
    int inputs, outputs;
    bool gripper;
} kind;

static const kind KINDS[] = {
    {DHD_OMEGA3, "omega3", 3, 3, false},         {DHD_OMEGA6_RIGHT, "omega6", 6, 3, false},
    {DHD_OMEGA6_LEFT, "omega6", 6, 3, false},    {DHD_OMEGA7_RIGHT, "omega7", 6, 3, true},
    {DHD_OMEGA7_LEFT, "omega7", 6, 3, true},     {DHD_DELTA3, "delta3", 3, 3, false},
    {DHD_SIGMA3, "sigma7", 3, 3, false},         {DHD_SIGMA7_RIGHT, "sigma7", 6, 6, true},
    {DHD_SIGMA7_LEFT, "sigma7", 6, 6, true},     {DHD_LAMBDA3, "lambda7", 3, 3, false},
    {DHD_LAMBDA6_RIGHT, "lambda7", 6, 3, false}, {DHD_LAMBDA6_LEFT, "lambda7", 6, 3, false},
    {DHD_LAMBDA7_RIGHT, "lambda7", 6, 6, true},  {DHD_LAMBDA7_LEFT, "lambda7", 6, 6, true},
    {DHD_FALCON, "falcon", 3, 3, false},
};

/// A device that we do not know is one of three degrees of freedom, as weak as the weakest.
static const kind* kind_of(int type) {
    static const kind UNKNOWN = {0, "falcon", 3, 3, false};
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++)
        if (KINDS[i].type == type) return &KINDS[i];
    return &UNKNOWN;
}

static void describe(delta* d, int type) {
    const kind* k = kind_of(type);
    sn_device_profile* p = &d->vendor.profile;
    (void)sn_device_profile_find(k->profile, p);
    p->inputs = k->inputs;
    p->outputs = k->outputs;
    p->gripper = k->gripper;
    if (k->outputs < 6) p->peak_torque = p->continuous_torque = 0;
    d->frame.A = sn_mat3_rows(sn_vec3_make(0, 1, 0), sn_vec3_make(-1, 0, 0), sn_vec3_make(0, 0, 1));
    d->frame.middle = sn_vec3_zero(); // the SDK's origin is there
}

static sn_status prepare(delta* d, sn_error* error) {
    int type = CALL(d, dhdGetSystemType)(d->open);
    if (type < 0) return failure(d, "dhdGetSystemType", error);
    describe(d, type);
    if (fd.api.dhdSetWatchdog) (void)CALL(d, dhdSetWatchdog)(WATCHDOG, d->open); // where it has one
    if (fd.api.dhdSetGravityCompensation) (void)CALL(d, dhdSetGravityCompensation)(1, d->open);
    if (CALL(d, dhdEnableForce)(1, d->open) < 0) return failure(d, "dhdEnableForce", error);
    d->hinted = fd.api.drdIsInitialized && !CALL(d, drdIsInitialized)(d->open);
    if (d->hinted)
        sni_link_tell(&d->vendor.link,
                      "not calibrated: move the handle once to its stops, or open the device as "
                      "'forcedimension:N:init' with nobody's hand near, and it moves by itself");
    return SN_OK;
}

static sn_status begin_taken(delta* d, sn_error* error) {
    char why[300];
    sn_status status = load(error);
    if (status) return status;
    int count = CALL(d, dhdGetAvailableCount)();
    if (count <= 0) {
        say_absent(why, sizeof why);
        return sni_fail(error, SN_ERR_FAULT, sni_nowhere(), "%s", why);
    }
    if (d->init) status = initialise(d, error);
    if (status) return status;
    int open = CALL(d, dhdOpenID)(d->id);
    if (open < 0) return failure(d, "dhdOpenID", error);
    d->open = (char)open;
    status = prepare(d, error);
    if (status) (void)CALL(d, dhdClose)(d->open); // what failed first is what is said
    return status;
}

static sn_status begin(sni_vendor* v, sn_error* error) {
    delta* d = (delta*)v;
    sni_vendor_take(v, &fd.taken);
    sn_status status = begin_taken(d, error);
    sni_give(&fd.taken);
    if (status) return status;
    sn_realtime_def def = sn_realtime_def_default();
    def.lock_memory = false; // the loop's to ask for
    d->granted = sn_realtime_enter(&def);
    d->failures = 0;
    d->next_ns = sni_vendor_now();
    return SN_OK;
}

// ---- agent: a tick ------------------------------------------------------------------------------------------------------

static double closed_share(double angle) {
    double open = fabs(angle) / GRIPPER_OPEN; // left hands' angles are below zero
    return open < 1 ? 1 - open : open >= 1 ? 0 : NAN;
}

/// False when a call failed.
static bool read_state(delta* d, sn_device_sample* s) {
    double p[3] = {0}, v[3] = {0}, w[3] = {0}, angle = 0;
    sn_mat3 R = sn_mat3_identity();
    char id = d->open;
    s->time_ns = sni_vendor_now();
    if (CALL(d, dhdGetPositionAndOrientationFrame)(&p[0], &p[1], &p[2], R.m, id) < 0) return false;
    if (CALL(d, dhdGetLinearVelocity)(&v[0], &v[1], &v[2], id) < 0) return false;
    if (d->vendor.profile.inputs == 6 &&
        CALL(d, dhdGetAngularVelocityRad)(&w[0], &w[1], &w[2], id) < 0)
        return false;
    if (d->vendor.profile.gripper) {
        if (CALL(d, dhdGetGripperAngleRad)(&angle, id) < 0) return false;
        s->gripper = closed_share(angle);
    }
    s->buttons = CALL(d, dhdGetButtonMask)(id);
    if (d->vendor.profile.inputs == 3) R = sn_mat3_identity();
    s->pose = sni_frame_pose(d->frame, R, sn_vec3_make(p[0], p[1], p[2]));
    s->velocity.v = sni_frame_in(d->frame, sn_vec3_make(v[0], v[1], v[2]));
    s->velocity.w = sni_frame_in(d->frame, sn_vec3_make(w[0], w[1], w[2]));
    return true;
}

static bool write_force(delta* d, sn_device_force ours) {
    sn_vec3 f = sni_frame_out(d->frame, ours.force), n = sn_vec3_zero();
    if (d->vendor.profile.outputs == 6) n = sni_frame_out(d->frame, ours.torque);
    return CALL(d, dhdSetForceAndTorqueAndGripperForce)(f.x, f.y, f.z, n.x, n.y, n.z, 0, d->open) >=
           0;
}

static void keep_pace(delta* d) {
    sn_clock clock = sn_clock_real();
    int64_t now = sni_vendor_now();
    d->next_ns += PERIOD_NS;
    if (d->next_ns < now) d->next_ns = now; // late: no hurry to make up for it
    clock.wait_ns(clock.context, d->next_ns);
}

static void look_at_calibration(delta* d) {
    if (!d->hinted || !CALL(d, drdIsInitialized)(d->open)) return;
    d->hinted = false;
    sni_link_tell(&d->vendor.link, "");
}

static bool serve(sni_vendor* v) {
    delta* d = (delta*)v;
    sn_device_sample sample = {0};
    bool works = read_state(d, &sample);
    if (works) sni_link_publish(&v->link, &sample);
    works = write_force(d, sni_link_force_at(&v->link, sni_vendor_now())) && works;
    d->failures = works ? 0 : d->failures + 1;
    look_at_calibration(d);
    keep_pace(d);
    return d->failures < FAILURES_MOST;
}

static void end(sni_vendor* v) {
    static const sn_device_force ZERO = {{0, 0, 0}, {0, 0, 0}};
    delta* d = (delta*)v;
    sn_realtime_leave(&d->granted);
    (void)write_force(d, ZERO); // may be gone; closing is all that can be done about it
    sni_vendor_take(v, &fd.taken);
    (void)CALL(d, dhdEnableForce)(0, d->open);
    (void)CALL(d, dhdClose)(d->open);
    sni_give(&fd.taken);
}

// ---- driver ---------------------------------------------------------------------------------------------------------

/// "", N, or N:init; false when it is none of them.
static bool read_words(const char* rest, delta* d) {
    char* stop = (char*)rest;
    long id = rest[0] ? strtol(rest, &stop, 10) : 0;
    if ((rest[0] && stop == rest) || id < 0 || id > 31) return false;
    d->id = (char)id;
    d->init = strcmp(stop, ":init") == 0;
    return d->init || *stop == '\0';
}

static sn_status open_device(const char* rest, sn_device** device, sn_error* error) {
    static const sni_vendor_ops OPS = {sizeof(delta), begin, serve, end};
    sni_vendor* v = sni_vendor_create(&OPS);
    if (!v) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory for a device");
    delta* d = (delta*)v;
    if (read_words(rest, d)) return sni_vendor_open(v, d->init ? INIT_TIMES : 1, device, error);
    free(v);
    return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                    "'%.80s' is neither a number from 0 nor NUMBER:init", rest);
}

// Counting asks the bus, and may not come back.
typedef struct census {
    int count;
    char why[512];
} census;

static void count_devices(void* context) {
    census* c = context;
    sn_error error = {0};
    while (!sni_try_take(&fd.taken)) sni_thread_rest(LOOK_AGAIN_NS);
    sn_status status = load(&error);
    if (!status) c->count = fd.api.dhdGetAvailableCount();
    sni_give(&fd.taken);
    if (status)
        (void)snprintf(c->why, sizeof c->why, "%s", error.text);
    else if (c->count <= 0)
        say_absent(c->why, sizeof c->why);
}

static int list(sn_device_found* found, int most, char* why, size_t room) {
    census* c = calloc(1, sizeof *c);
    sni_agent* agent = c ? sni_agent_start(count_devices, free, c) : NULL;
    why[0] = '\0';
    if (!agent) {
        free(c);
        (void)snprintf(why, room, "no memory to look for devices");
        return 0;
    }
    int64_t until = sni_vendor_now() + sni_vendor_open_patience();
    while (!sni_agent_has_ended(agent) && sni_vendor_now() < until) sni_thread_rest(LOOK_AGAIN_NS);
    bool ended = sni_agent_has_ended(agent);
    int count = ended && c->count > 0 ? c->count : 0;
    (void)snprintf(why, room, "%s",
                   ended ? c->why
                         : "libdrd does not return from looking for devices, or is still "
                           "inside an earlier call; start the program again");
    (void)sni_agent_leave(agent, 0); // c is gone now, or when it returns
    for (int i = 0; i < count && i < most; i++) {
        (void)snprintf(found[i].word, sizeof found[i].word, "forcedimension:%d", i);
        (void)snprintf(
            found[i].about, sizeof found[i].about,
            "a device that the Force Dimension SDK sees; :init after it lets it calibrate "
            "by itself");
    }
    return count;
}

const sn_driver* sni_forcedimension_driver(void) {
    static const sn_driver driver = {
        .name = "forcedimension",
        .about = "omega, delta, sigma, lambda, Falcon, by Force Dimension's SDK: "
                 "forcedimension[:N[:init]]",
        .list = list,
        .open = open_device,
    };
    return &driver;
}
