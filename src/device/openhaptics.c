// SPDX-License-Identifier: Apache-2.0
// PHANToM and Touch devices by OpenHaptics: libHD.
//
// The vendor's servo thread calls us back a thousand times a second; there the newest sample and force are exchanged,
// and nothing else. One scheduler serves all devices; starting and stopping it, and everything else that is done once,
// is done by the device's agent while it has the library for itself.
//
// HDAPI's axes: x right, y up, z to the person. Ours: x = x, y = -z, z = y.
#define _POSIX_C_SOURCE 200809L
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/frames.h"
#include "device/library.h"
#include "device/openhaptics_api.h"
#include "device/sn_device.h"
#include "device/usb.h"
#include "device/vendor.h"

#define MM 1e-3

enum {
    RATE_HZ = 1000,
    CALIBRATE_EVERY = 64, // ticks
    SAY_TICKS = 1000,     // how long a passing trouble is told
    ERRORS_MOST = 8,      // of one tick
    WATCH_NS = 2000000,
    FAREWELL_NS = 200000000, // for the servo to write a last zero
    PATH_MOST = 512
};

// ---- the library ----------------------------------------------------------------------------------------------------

static const char* const places[] = {"libHD.so",
                                     "/opt/OpenHaptics/Developer/*/lib/libHD.so*",
                                     "/opt/OpenHaptics/Developer/*/lib/lin-*/libHD.so*",
                                     "/usr/local/lib/libHD.so*",
                                     "~/.local/lib/libHD.so*",
                                     NULL};
static const sni_library library = {
    .name = "libHD.so (OpenHaptics)",
    .variable = "SINEW_OPENHAPTICS",
    .places = places,
    .global = true, // the device's own driver, which it loads, looks for its functions
    .install =
        "install \"OpenHaptics for Linux, Developer Edition\" and \"Touch Device Driver\", both "
        "from 3D Systems (support.3dsystems.com, search for OpenHaptics)",
};

// Of the process, as libHD's scheduler is. All but `taken` belongs to who has it.
static struct {
    sni_shown taken;
    bool loaded;
    hd_api api;
    int scheduled; ///< devices
} hd;

static sn_status load(sn_error* error) {
    char path[PATH_MOST];
#define HD_SYMBOL(result, name, arguments) {#name, &hd.api.name, true},
    const sni_symbol symbols[] = {HD_FUNCTIONS(HD_SYMBOL)};
#undef HD_SYMBOL
    if (hd.loaded) return SN_OK;
    sn_status status = sni_library_load(&library, symbols, sizeof symbols / sizeof symbols[0], path,
                                        sizeof path, error);
    hd.loaded = !status;
    return status;
}

// ---- words for codes ------------------------------------------------------------------------------------------------

typedef struct words {
    unsigned code;
    bool lost; ///< the device has to be opened again
    const char* text;
} words;

static const words ERRORS[] = {
    {HD_WARM_MOTORS, false,
     "the motors are warm: the device renders less force until they have cooled; rest for a "
     "minute"},
    {HD_EXCEEDED_FORCE, false, "more force was asked for than the device can render"},
    {HD_EXCEEDED_IMPULSE, false, "the force changed faster than the device permits"},
    {HD_EXCEEDED_VELOCITY, false,
     "the handle moved faster than the device permits: it switched its force off for a moment"},
    {HD_FORCE_ERROR, false, "the device could not render the force"},
    {HD_TIMER_ERROR, false,
     "the vendor's servo thread came late: the machine is too busy; `sinew doctor` looks at it"},
    {HD_DEVICE_FAULT, true, "the device has a fault; look at its lights and its cable"},
    {HD_ALREADY_INITIATED, true, "it is in use already, by this program or another"},
    {HD_COMM_ERROR, true,
     "it does not answer: check power and cable, and that /dev/ttyACM* or /dev/bus/usb may be "
     "written "
     "(group dialout: `sudo adduser $USER dialout`, then log in again)"},
    {HD_COMM_CONFIG_ERROR, true,
     "its configuration is wrong: run Touch_Setup (not by sudo) and pair the device; an old "
     "configuration in ~/.3dsystems or $GTDD_HOME must be deleted first"},
    {HD_INVALID_LICENSE, true, "OpenHaptics has no valid licence on this machine"},
};

static const words* words_of(unsigned code) {
    static const words OTHER = {0, true, "the vendor's library reports an error"};
    for (size_t i = 0; i < sizeof ERRORS / sizeof ERRORS[0]; i++)
        if (ERRORS[i].code == code) return &ERRORS[i];
    return &OTHER;
}

static const char* calibration_words(int style) {
    if (style & HD_STYLE_INKWELL)
        return "not calibrated: put the stylus into the inkwell for a moment";
    if (style & HD_STYLE_ENCODER_RESET)
        return "not calibrated: put the arm into its reset position (all links at right angles) "
               "and "
               "open the device again";
    return "not calibrated: move the handle through its workspace";
}

// ---- a device ---------------------------------------------------------------------------------------------------------

typedef struct phantom {
    sni_vendor vendor; // first
    char name[48];
    unsigned long rate; // Hz
    hd_handle handle;
    hd_serial serial;
    int style; // of calibration
    sni_frame frame;
    // the servo's
    unsigned long tick, told_tick; // told_tick: of a passing trouble; 0: none
    bool uncalibrated;
    sni_shown inside; // 1: in the callback
    sni_shown gone;   // 1: it will not be called any more
    sni_shown lost;   // 1: the device does not work any more
} phantom;

// ---- servo: called by libHD. Realtime: yes ----------------------------------------------------------------------------

static sn_vec3 vector(const double v[3]) { return sn_vec3_make(v[0], v[1], v[2]); }

/// Transform by columns to a pose in our frame.
static sn_pose pose_of(const phantom* d, const double t[16]) {
    sn_mat3 R;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) R.m[row][column] = t[4 * column + row];
    return sni_frame_pose(d->frame, R, sn_vec3_scale(MM, vector(t + 12)));
}

static void read_state(phantom* d, sn_device_sample* s) {
    double transform[16] = {0}, velocity[3] = {0}, turning[3] = {0};
    int buttons = 0;
    s->time_ns = sni_vendor_now();
    hd.api.hdGetDoublev(HD_TRANSFORM, transform);
    hd.api.hdGetDoublev(HD_VELOCITY, velocity);
    if (d->vendor.profile.inputs == 6) hd.api.hdGetDoublev(HD_TURNING, turning);
    hd.api.hdGetIntegerv(HD_BUTTONS, &buttons);
    s->pose = pose_of(d, transform);
    if (d->vendor.profile.inputs == 3) s->pose.R = sn_mat3_identity();
    s->velocity.v = sni_frame_in(d->frame, sn_vec3_scale(MM, vector(velocity)));
    s->velocity.w = sni_frame_in(d->frame, vector(turning));
    s->buttons = (uint32_t)buttons;
}

static void write_force(phantom* d, sn_device_force ours) {
    sn_vec3 f = sni_frame_out(d->frame, ours.force);
    const double force[3] = {f.x, f.y, f.z};
    hd.api.hdSetDoublev(HD_FORCE, force);
    if (d->vendor.profile.outputs < 6) return;
    sn_vec3 n = sn_vec3_scale(1 / MM, sni_frame_out(d->frame, ours.torque));
    const double torque[3] = {n.x, n.y, n.z};
    hd.api.hdSetDoublev(HD_TORQUE, torque);
}

static void look_at_calibration(phantom* d) {
    if (d->tick % CALIBRATE_EVERY) return;
    unsigned state = hd.api.hdCheckCalibration();
    if (state == HD_CALIBRATION_NEEDS_UPDATE) hd.api.hdUpdateCalibration((unsigned)d->style);
    bool uncalibrated = state == HD_CALIBRATION_NEEDS_HANDS;
    if (uncalibrated) sni_link_tell(&d->vendor.link, calibration_words(d->style));
    if (d->uncalibrated && !uncalibrated) sni_link_tell(&d->vendor.link, "");
    d->uncalibrated = uncalibrated;
}

/// False when the device is lost.
static bool look_at_errors(phantom* d) {
    for (int i = 0; i < ERRORS_MOST; i++) {
        unsigned code = hd.api.hdGetError().code;
        if (!code) break;
        const words* w = words_of(code);
        sni_link_tell(&d->vendor.link, w->text);
        if (w->lost) return false;
        d->told_tick = d->tick;
    }
    if (d->told_tick && d->tick - d->told_tick > SAY_TICKS) {
        sni_link_tell(&d->vendor.link, "");
        d->told_tick = 0;
    }
    return true;
}

/// False: not again.
static bool servo_tick(phantom* d) {
    static const sn_device_force ZERO = {{0, 0, 0}, {0, 0, 0}};
    bool last = sni_vendor_must_stop(&d->vendor);
    sn_device_sample sample = {0};
    d->tick++;
    look_at_calibration(d);
    hd.api.hdMakeCurrentDevice(d->handle);
    hd.api.hdBeginFrame(d->handle);
    read_state(d, &sample);
    write_force(d, last ? ZERO : sni_link_force_at(&d->vendor.link, sample.time_ns));
    hd.api.hdEndFrame(d->handle);
    bool works = look_at_errors(d);
    if (works) sni_link_publish(&d->vendor.link, &sample);
    if (!works) sni_show(&d->lost, 1);
    return works && !last;
}

static unsigned servo(void* data) {
    phantom* d = data;
    sni_show(&d->inside, 1);
    bool again = servo_tick(d);
    if (!again) sni_show(&d->gone, 1);
    sni_show(&d->inside, 0); // d may be freed from here on
    return again ? HD_CALLBACK_CONTINUE : HD_CALLBACK_DONE;
}

// ---- agent: opening ---------------------------------------------------------------------------------------------------

#define CALL(d, name) (sni_vendor_enter(&(d)->vendor, #name " of libHD"), hd.api.name)

/// Turns what libHD's stack of errors holds into ours; SN_OK when it is empty.
static sn_status failure(phantom* d, const char* what, sn_error* error) {
    hd_error e = CALL(d, hdGetError)();
    if (!e.code) return SN_OK;
    const char* theirs = CALL(d, hdGetErrorString)(e.code);
    for (int i = 0; i < ERRORS_MOST && CALL(d, hdGetError)().code; i++) continue;
    return sni_fail(error, SN_ERR_FAULT, sni_nowhere(), "%s of '%s' failed: %s (0x%x, %.80s)", what,
                    d->name[0] ? d->name : "the default device", words_of(e.code)->text, e.code,
                    theirs ? theirs : "no text");
}

static bool try_name(phantom* d, const char* name) {
    d->handle = CALL(d, hdInitDevice)(name);
    return d->handle != HD_NO_DEVICE;
}

/// The device by its name; without one the default, which has had three names.
static sn_status init_device(phantom* d, sn_error* error) {
    sn_error said = {0};
    bool there = try_name(d, d->name[0] ? d->name : NULL);
    sn_status status = failure(d, "hdInitDevice", &said);
    static const char* const others[] = {"Default Device", "Default PHANToM"};
    for (int i = 0; i < 2 && !d->name[0] && (!there || status); i++) {
        there = try_name(d, others[i]);
        status = failure(d, "hdInitDevice", NULL);
    }
    if (there && !status) return SN_OK;
    if (error) *error = said;
    if (said.status) return said.status;
    return sni_fail(error, SN_ERR_FAULT, sni_nowhere(),
                    "hdInitDevice of '%s' failed without a reason; `sinew devices` lists the names",
                    d->name[0] ? d->name : "the default device");
}

static const char* profile_name(const char* model) {
    static const char* const names[][2] = {{"Premium 3", "premium30_6dof"},
                                           {"Premium", "premium15_6dof"},
                                           {"Touch X", "touch_x"},
                                           {"Desktop", "desktop"},
                                           {"Omni", "omni"},
                                           {"Touch", "touch"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (model && strstr(model, names[i][0])) return names[i][1];
    return "touch"; // the weakest
}

/// The lower of two limits, where 0 and what is not finite are none.
static double lower(double ours, double theirs) {
    return theirs > 0 && theirs < ours ? theirs : ours;
}

static void describe(phantom* d) {
    sn_device_profile* p = &d->vendor.profile;
    double box[6] = {0}, force = 0, held = 0;
    int inputs = 6, outputs = 3;
    (void)sn_device_profile_find(profile_name(CALL(d, hdGetString)(HD_MODEL)), p);
    CALL(d, hdGetIntegerv)(HD_INPUT_DOF, &inputs);
    CALL(d, hdGetIntegerv)(HD_OUTPUT_DOF, &outputs);
    CALL(d, hdGetIntegerv)(HD_CALIBRATION_STYLE, &d->style);
    CALL(d, hdGetDoublev)(HD_USABLE_WORKSPACE, box);
    CALL(d, hdGetDoublev)(HD_MAX_FORCE, &force);
    CALL(d, hdGetDoublev)(HD_CONTINUOUS_FORCE, &held);
    p->inputs = inputs >= 6 ? 6 : 3;
    p->outputs = outputs >= 6 && p->inputs == 6 ? 6 : 3;
    p->peak_force = lower(p->peak_force, force);
    p->continuous_force = lower(p->continuous_force, held);
    d->frame.A = sn_mat3_rows(sn_vec3_make(1, 0, 0), sn_vec3_make(0, 0, -1), sn_vec3_make(0, 1, 0));
    d->frame.middle = sn_vec3_scale(MM / 2, sn_vec3_add(vector(box), vector(box + 3)));
}

static sn_status schedule(phantom* d, sn_error* error) {
    CALL(d, hdEnable)(HD_FORCE_OUTPUT);
    CALL(d, hdEnable)(HD_MAX_FORCE_CLAMPING);
    sn_status status = failure(d, "hdEnable", error);
    if (status) return status;
    CALL(d, hdSetSchedulerRate)(d->rate);
    (void)failure(d, "hdSetSchedulerRate", NULL); // then it is the rate that the device has
    d->serial = CALL(d, hdScheduleAsynchronous)(servo, d, HD_MAX_PRIORITY);
    hd.scheduled++;
    CALL(d, hdStartScheduler)();
    return failure(d, "hdStartScheduler", error);
}

/// Takes the device out of the scheduler, after its servo has been asked to stop or has stopped by itself.
static void unschedule(phantom* d) {
    int64_t until = sni_vendor_now() + FAREWELL_NS;
    while (!sni_shown_value(&d->gone) && sni_vendor_now() < until) sni_thread_rest(WATCH_NS);
    CALL(d, hdStopScheduler)();
    CALL(d, hdUnschedule)(d->serial);
    if (--hd.scheduled > 0) CALL(d, hdStartScheduler)(); // for the other devices
    while (sni_shown_value(&d->inside)) sni_thread_rest(WATCH_NS);
}

static sn_status begin_taken(phantom* d, sn_error* error) {
    sn_status status = load(error);
    if (status) return status;
    if (hd.scheduled > 0) CALL(d, hdStopScheduler)(); // a device cannot join while it runs
    status = init_device(d, error);
    if (!status) {
        CALL(d, hdMakeCurrentDevice)(d->handle);
        describe(d);
        status = failure(d, "asking for what the device can do", error);
        int before = hd.scheduled;
        if (!status) status = schedule(d, error);
        if (status && hd.scheduled > before) {
            sni_show(&d->gone, 1);
            unschedule(d);
        }
        if (status) CALL(d, hdDisableDevice)(d->handle);
    }
    if (status && hd.scheduled > 0) CALL(d, hdStartScheduler)();
    return status;
}

static sn_status begin(sni_vendor* v, sn_error* error) {
    phantom* d = (phantom*)v;
    d->tick = d->told_tick = 0;
    d->uncalibrated = false;
    sni_show(&d->gone, 0);
    sni_show(&d->lost, 0);
    sni_vendor_take(v, &hd.taken);
    sn_status status = begin_taken(d, error);
    sni_give(&hd.taken);
    return status;
}

// ---- agent: watching and closing ----------------------------------------------------------------------------------------

static bool serve(sni_vendor* v) {
    sni_thread_rest(WATCH_NS);
    return !sni_shown_value(&((phantom*)v)->lost);
}

static void end(sni_vendor* v) {
    phantom* d = (phantom*)v;
    sni_vendor_take(v, &hd.taken);
    unschedule(d);
    CALL(d, hdDisableDevice)(d->handle);
    (void)failure(d, "closing", NULL); // leave nothing on the stack of errors
    sni_give(&hd.taken);
}

// ---- driver ---------------------------------------------------------------------------------------------------------

/// NAME or NAME@HZ; false when the rate is none.
static bool read_words(const char* rest, phantom* d) {
    const char* at = strrchr(rest, '@');
    size_t length = at ? (size_t)(at - rest) : strlen(rest);
    if (length >= sizeof d->name) return false;
    (void)snprintf(d->name, sizeof d->name, "%.*s", (int)length, rest);
    d->rate = RATE_HZ;
    if (!at) return true;
    char* stop;
    d->rate = strtoul(at + 1, &stop, 10);
    return at[1] && !*stop && d->rate >= 500 && d->rate <= 4000;
}

static sn_status open_device(const char* rest, sn_device** device, sn_error* error) {
    static const sni_vendor_ops OPS = {sizeof(phantom), begin, serve, end};
    sni_vendor* v = sni_vendor_create(&OPS);
    if (!v) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory for a device");
    if (read_words(rest, (phantom*)v)) return sni_vendor_open(v, 1, device, error);
    free(v);
    return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                    "'%.80s' is neither NAME nor NAME@HZ with 500 to 4000 Hz", rest);
}

/// Names of configurations, which Touch_Setup writes, one file each.
static int list_configured(const char* pattern, sn_device_found* found, int most, int count) {
    glob_t files;
    if (glob(pattern, 0, NULL, &files)) return count;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char* file = strrchr(files.gl_pathv[i], '/') + 1;
        int length = (int)(strlen(file) - strlen(".config"));
        if (count < most) {
            (void)snprintf(found[count].word, sizeof found[count].word, "openhaptics:%.*s", length,
                           file);
            (void)snprintf(found[count].about, sizeof found[count].about,
                           "configured in %.80s; opening it shows if it is on", files.gl_pathv[i]);
        }
        count++;
    }
    globfree(&files);
    return count;
}

static int list_all(sn_device_found* found, int most) {
    char pattern[PATH_MOST];
    const char *home = getenv("GTDD_HOME"), *user = getenv("HOME");
    int count = 0;
    if (home && home[0])
        (void)snprintf(pattern, sizeof pattern, "%s/config/*.config", home);
    else
        (void)snprintf(pattern, sizeof pattern, "%s/.3dsystems/config/*.config", user ? user : "");
    count = list_configured(pattern, found, most, count);
    if (count == 0)
        count = list_configured("/usr/share/3DSystems/config/*.config", found, most, count);
    return count;
}

static void say_none(char* why, size_t room) {
    char node[64];
    static const char ID[] = "0301:2988"; // of the Touch
    if (sni_usb_find(ID, NULL, NULL, node, sizeof node) == SNI_USB_ABSENT)
        (void)snprintf(
            why, room,
            "no device is configured: run Touch_Setup (not by sudo) and pair it; it writes "
            "~/.3dsystems/config or $GTDD_HOME/config");
    else
        (void)snprintf(
            why, room,
            "a Touch is plugged in (USB %s) but not configured: run Touch_Setup (not by "
            "sudo) and pair it; if that cannot see it: `sudo adduser $USER dialout`, then "
            "log in again",
            ID);
}

static int list(sn_device_found* found, int most, char* why, size_t room) {
    sn_error error = {0};
    why[0] = '\0';
    if (!sni_try_take(&hd.taken)) {
        (void)snprintf(why, room, "libHD is busy with a device that is opened or closed");
        return 0;
    }
    sn_status status = load(&error);
    sni_give(&hd.taken);
    if (status) {
        (void)snprintf(why, room, "%s", error.text);
        return 0;
    }
    int count = list_all(found, most);
    if (count == 0) say_none(why, room);
    return count;
}

const sn_driver* sni_openhaptics_driver(void) {
    static const sn_driver driver = {
        .name = "openhaptics",
        .about = "PHANToM and Touch, by 3D Systems' OpenHaptics: openhaptics[:NAME[@HZ]]",
        .list = list,
        .open = open_device,
    };
    return &driver;
}
