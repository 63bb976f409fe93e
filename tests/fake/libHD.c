// SPDX-License-Identifier: Apache-2.0
// Stands in for OpenHaptics' libHD: the documented calls, numbers and units (mm, N, mN m, transforms by columns), a
// scheduler with a thread that calls back a thousand times a second, and a stack of errors. Devices are called
// "Left Device" and "Right Device"; the default is the left one, by the name given to hd_fake_default().
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "fake.h"

// clang-format off
#define CALLS(X) \
    X(hdInitDevice) X(hdDisableDevice) X(hdMakeCurrentDevice) X(hdEnable) X(hdStartScheduler) \
    X(hdStopScheduler) X(hdSetSchedulerRate) X(hdScheduleAsynchronous) X(hdUnschedule) \
    X(hdBeginFrame) X(hdEndFrame) X(hdGetDoublev) X(hdGetIntegerv) X(hdGetString) \
    X(hdSetDoublev) X(hdGetError) X(hdGetErrorString) X(hdCheckCalibration) \
    X(hdUpdateCalibration)
// clang-format on
#define NUMBER(name) CALL_##name,
enum { CALLS(NUMBER) CALL_COUNT };
#define NAME(name) #name,
static const char* const names[] = {CALLS(NAME)};

static fake_switch calls = {FAKE_NONE, FAKE_NONE, {0}, names, CALL_COUNT};
#define ENTER(name) fake_enter(&calls, CALL_##name)

typedef struct error_info {
    unsigned code;
    int internal;
    unsigned device;
} error_info;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of all below
static fake_device devices[FAKE_DEVICES];
static unsigned errors[16];
static int error_count;
static unsigned failing_code = 0x302;
static unsigned calibration = 0x5000;
static int calibration_style = 4;
static const char* default_name; // NULL: without a name, as it should be
static const char* model = "PHANTOM Omni";
static int output_dof = 3;
static unsigned long rate;

static struct {
    unsigned (*callback)(void*);
    void* data;
    bool done;
} schedule[FAKE_DEVICES + 1];
static bool running;
static pthread_t scheduler;
static atomic_bool go_on;

static _Thread_local unsigned current; // device of this thread

// ---- for tests ------------------------------------------------------------------------------------------------

fake_switch* hd_fake_switch(void) { return &calls; }

void hd_fake_set(int i, const fake_device* state) {
    pthread_mutex_lock(&lock);
    fake_device* d = &devices[i];
    memcpy(d->position, state->position, sizeof d->position);
    memcpy(d->R, state->R, sizeof d->R);
    memcpy(d->velocity, state->velocity, sizeof d->velocity);
    memcpy(d->turning, state->turning, sizeof d->turning);
    d->buttons = state->buttons;
    pthread_mutex_unlock(&lock);
}

void hd_fake_get(int i, fake_device* state) {
    pthread_mutex_lock(&lock);
    *state = devices[i];
    pthread_mutex_unlock(&lock);
}

/// As it was in the beginning, but for the scheduler's callbacks.
void hd_fake_reset(void) {
    pthread_mutex_lock(&lock);
    memset(devices, 0, sizeof devices);
    for (int i = 0; i < FAKE_DEVICES; i++)
        for (int k = 0; k < 3; k++) devices[i].R[k][k] = 1;
    error_count = 0;
    calibration = 0x5000;
    calibration_style = 4;
    default_name = NULL;
    model = "PHANTOM Omni";
    output_dof = 3;
    pthread_mutex_unlock(&lock);
}

/// One more error on the stack.
void hd_fake_error(unsigned code) {
    pthread_mutex_lock(&lock);
    if (error_count < 16) errors[error_count++] = code;
    pthread_mutex_unlock(&lock);
}

void hd_fake_configure(const char* only_name, const char* model_name, int dof) {
    pthread_mutex_lock(&lock);
    default_name = only_name;
    model = model_name;
    output_dof = dof;
    pthread_mutex_unlock(&lock);
}

void hd_fake_calibrate(unsigned state, int style) {
    pthread_mutex_lock(&lock);
    calibration = state;
    calibration_style = style;
    pthread_mutex_unlock(&lock);
}

unsigned long hd_fake_rate(void) {
    pthread_mutex_lock(&lock);
    unsigned long hz = rate;
    pthread_mutex_unlock(&lock);
    return hz;
}

/// Whether the call works; puts an error on the stack when it does not.
static bool works(bool entered) {
    if (!entered) hd_fake_error(failing_code);
    return entered;
}

// ---- devices ----------------------------------------------------------------------------------------------------

static int find(const char* name) {
    if (!name) return default_name ? -1 : 0;
    if (default_name && strcmp(name, default_name) == 0) return 0;
    if (strcmp(name, "Left Device") == 0) return 0;
    if (strcmp(name, "Right Device") == 0) return 1;
    return -1;
}

unsigned hdInitDevice(const char* name) {
    if (!works(ENTER(hdInitDevice))) return 0xffffffffu;
    pthread_mutex_lock(&lock);
    int i = find(name);
    bool again = i >= 0 && devices[i].open;
    if (i >= 0) devices[i].open = true;
    pthread_mutex_unlock(&lock);
    if (i < 0 || again) hd_fake_error(again ? 0x301 : 0x302);
    return i < 0 || again ? 0xffffffffu : (current = (unsigned)i + 7);
}

static fake_device* device(unsigned handle) {
    return handle >= 7 && handle < 7 + FAKE_DEVICES ? &devices[handle - 7] : NULL;
}

void hdDisableDevice(unsigned handle) {
    if (!works(ENTER(hdDisableDevice)) || !device(handle)) return;
    pthread_mutex_lock(&lock);
    fake_device* d = device(handle);
    d->open = d->force_on = false;
    memset(d->force, 0, sizeof d->force);
    memset(d->torque, 0, sizeof d->torque);
    pthread_mutex_unlock(&lock);
}

void hdMakeCurrentDevice(unsigned handle) {
    if (works(ENTER(hdMakeCurrentDevice))) current = handle;
}

void hdEnable(unsigned ability) {
    if (!works(ENTER(hdEnable)) || !device(current)) return;
    pthread_mutex_lock(&lock);
    if (ability == 0x4000) device(current)->force_on = true;
    pthread_mutex_unlock(&lock);
}

// ---- scheduler ----------------------------------------------------------------------------------------------------

static void* schedule_run(void* nothing) {
    while (atomic_load(&go_on)) {
        for (int i = 0; i <= FAKE_DEVICES; i++) {
            pthread_mutex_lock(&lock);
            unsigned (*callback)(void*) = schedule[i].done ? NULL : schedule[i].callback;
            void* data = schedule[i].data;
            pthread_mutex_unlock(&lock);
            if (!callback || callback(data)) continue;
            pthread_mutex_lock(&lock);
            schedule[i].done = true;
            pthread_mutex_unlock(&lock);
        }
        fake_rest(1000);
    }
    return nothing;
}

void hdStartScheduler(void) {
    if (!works(ENTER(hdStartScheduler)) || running) return;
    atomic_store(&go_on, true);
    running = pthread_create(&scheduler, NULL, schedule_run, NULL) == 0;
}

void hdStopScheduler(void) {
    if (!works(ENTER(hdStopScheduler)) || !running) return;
    atomic_store(&go_on, false);
    pthread_join(scheduler, NULL);
    running = false;
}

void hdSetSchedulerRate(unsigned long hz) {
    if (!works(ENTER(hdSetSchedulerRate))) return;
    pthread_mutex_lock(&lock);
    rate = hz;
    pthread_mutex_unlock(&lock);
}

unsigned long hdScheduleAsynchronous(unsigned (*callback)(void*), void* data,
                                     unsigned short priority) {
    (void)priority;
    if (!works(ENTER(hdScheduleAsynchronous))) return 0xffffffffu;
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < FAKE_DEVICES && schedule[i].callback) i++;
    schedule[i].callback = callback;
    schedule[i].data = data;
    schedule[i].done = false;
    pthread_mutex_unlock(&lock);
    return (unsigned long)i + 100;
}

void hdUnschedule(unsigned long serial) {
    bool good = works(ENTER(hdUnschedule));
    if (!good || serial < 100 || serial > 100 + FAKE_DEVICES) return;
    pthread_mutex_lock(&lock);
    schedule[serial - 100].callback = NULL;
    pthread_mutex_unlock(&lock);
}

void hdBeginFrame(unsigned handle) {
    if (works(ENTER(hdBeginFrame))) current = handle;
}

#ifndef FAKE_LACKING
void hdEndFrame(unsigned handle) {
    (void)handle;
    works(ENTER(hdEndFrame));
}
#endif

// ---- asking and telling -----------------------------------------------------------------------------------------

void hdGetDoublev(unsigned what, double* values) {
    static const double workspace[6] = {-210, -110, -85, 210, 205, 130}; // mm
    if (!works(ENTER(hdGetDoublev)) || !device(current)) return;
    pthread_mutex_lock(&lock);
    const fake_device* d = device(current);
    if (what == 0x2050) memcpy(values, d->position, sizeof d->position);
    if (what == 0x2051) memcpy(values, d->velocity, sizeof d->velocity);
    if (what == 0x2053) memcpy(values, d->turning, sizeof d->turning);
    if (what == 0x2052) {
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++) values[4 * column + row] = d->R[row][column];
        memcpy(values + 12, d->position, sizeof d->position);
        values[3] = values[7] = values[11] = 0;
        values[15] = 1;
    }
    if (what == 0x2551) memcpy(values, workspace, sizeof workspace);
    if (what == 0x2603) *values = 3.0;
    if (what == 0x2604) *values = 0.8;
    pthread_mutex_unlock(&lock);
}

void hdGetIntegerv(unsigned what, int* values) {
    if (!works(ENTER(hdGetIntegerv)) || !device(current)) return;
    pthread_mutex_lock(&lock);
    if (what == 0x2000) *values = device(current)->buttons;
    if (what == 0x2553) *values = 6;
    if (what == 0x2554) *values = output_dof;
    if (what == 0x2555) *values = calibration_style;
    pthread_mutex_unlock(&lock);
}

const char* hdGetString(unsigned what) {
    bool good = works(ENTER(hdGetString));
    return !good ? NULL : what == 0x2501 ? model : "fake";
}

void hdSetDoublev(unsigned what, const double* values) {
    if (!works(ENTER(hdSetDoublev)) || !device(current)) return;
    pthread_mutex_lock(&lock);
    fake_device* d = device(current);
    if (what == 0x2700) memcpy(d->force, values, sizeof d->force);
    if (what == 0x2701) memcpy(d->torque, values, sizeof d->torque);
    pthread_mutex_unlock(&lock);
}

error_info hdGetError(void) {
    error_info info = {0, 0, current};
    if (!ENTER(hdGetError)) {
        info.code = failing_code;
        return info;
    }
    pthread_mutex_lock(&lock);
    if (error_count > 0) info.code = errors[--error_count];
    pthread_mutex_unlock(&lock);
    return info;
}

const char* hdGetErrorString(unsigned code) {
    return ENTER(hdGetErrorString) ? (code == 0x302 ? "Comm. error" : "some error") : NULL;
}

unsigned hdCheckCalibration(void) {
    if (!works(ENTER(hdCheckCalibration))) return 0;
    pthread_mutex_lock(&lock);
    unsigned state = calibration;
    pthread_mutex_unlock(&lock);
    return state;
}

void hdUpdateCalibration(unsigned style) {
    if (!works(ENTER(hdUpdateCalibration))) return;
    pthread_mutex_lock(&lock);
    if (style == (unsigned)calibration_style) calibration = 0x5000;
    pthread_mutex_unlock(&lock);
}
