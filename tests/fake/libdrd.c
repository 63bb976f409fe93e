// SPDX-License-Identifier: Apache-2.0
// Stands in for Force Dimension's libdrd: the documented calls, numbers and units (m, N, Nm, rad). Results are 0, or
// DHD_TIMEGUARD (1) at every other call, which is as good; -1 when a call fails. Two devices.
#include <pthread.h>
#include <string.h>

#include "fake.h"

// clang-format off
#define CALLS(X) \
    X(dhdGetAvailableCount) X(dhdOpenID) X(dhdClose) X(dhdGetSystemType) X(dhdEnableForce) \
    X(dhdGetPositionAndOrientationFrame) X(dhdGetLinearVelocity) X(dhdGetAngularVelocityRad) \
    X(dhdGetGripperAngleRad) X(dhdGetButtonMask) X(dhdSetForceAndTorqueAndGripperForce) \
    X(dhdErrorGetLastStr) X(dhdSetWatchdog) X(dhdSetGravityCompensation) X(drdOpenID) \
    X(drdIsInitialized) X(drdAutoInit) X(drdStop) X(drdClose)
// clang-format on
#define NUMBER(name) CALL_##name,
enum { CALLS(NUMBER) CALL_COUNT };
#define NAME(name) #name,
static const char* const names[] = {CALLS(NAME)};

static fake_switch calls = {FAKE_NONE, FAKE_NONE, {0}, names, CALL_COUNT};
#define ENTER(name) fake_enter(&calls, CALL_##name)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of all below
static fake_device devices[FAKE_DEVICES];
static int available = FAKE_DEVICES;
static int type = 104; // sigma.7, right hand
static bool initialised = true;
static int watchdog = -1;
static int turn; // for DHD_TIMEGUARD

// ---- for tests ------------------------------------------------------------------------------------------------

fake_switch* dhd_fake_switch(void) { return &calls; }

void dhd_fake_set(int i, const fake_device* state) {
    pthread_mutex_lock(&lock);
    fake_device* d = &devices[i];
    memcpy(d->position, state->position, sizeof d->position);
    memcpy(d->R, state->R, sizeof d->R);
    memcpy(d->velocity, state->velocity, sizeof d->velocity);
    memcpy(d->turning, state->turning, sizeof d->turning);
    d->gripper = state->gripper;
    d->buttons = state->buttons;
    pthread_mutex_unlock(&lock);
}

void dhd_fake_get(int i, fake_device* state) {
    pthread_mutex_lock(&lock);
    *state = devices[i];
    pthread_mutex_unlock(&lock);
}

/// As it was in the beginning.
void dhd_fake_reset(void) {
    pthread_mutex_lock(&lock);
    memset(devices, 0, sizeof devices);
    for (int i = 0; i < FAKE_DEVICES; i++)
        for (int k = 0; k < 3; k++) devices[i].R[k][k] = 1;
    available = FAKE_DEVICES;
    type = 104;
    initialised = true;
    pthread_mutex_unlock(&lock);
}

void dhd_fake_configure(int how_many, int of_type, bool is_initialised) {
    pthread_mutex_lock(&lock);
    available = how_many;
    type = of_type;
    initialised = is_initialised;
    pthread_mutex_unlock(&lock);
}

int dhd_fake_watchdog(void) {
    pthread_mutex_lock(&lock);
    int eighths = watchdog;
    pthread_mutex_unlock(&lock);
    return eighths;
}

// ---- the library --------------------------------------------------------------------------------------------------

/// Locks the device; NULL, nothing locked, when there is none or it is not open.
static fake_device* lock_open(bool works, char id) {
    if (!works || id < 0 || id >= FAKE_DEVICES) return NULL;
    pthread_mutex_lock(&lock);
    if (devices[(int)id].open && id < available) return &devices[(int)id];
    pthread_mutex_unlock(&lock);
    return NULL;
}

static int unlock(void) {
    int result = turn ^= 1;
    pthread_mutex_unlock(&lock);
    return result;
}

int dhdGetAvailableCount(void) {
    if (!ENTER(dhdGetAvailableCount)) return -1;
    pthread_mutex_lock(&lock);
    int count = available;
    pthread_mutex_unlock(&lock);
    return count;
}

int dhdOpenID(char id) {
    if (!ENTER(dhdOpenID) || id < 0) return -1;
    pthread_mutex_lock(&lock);
    bool good = id < available && !devices[(int)id].open;
    if (good) devices[(int)id].open = true;
    pthread_mutex_unlock(&lock);
    return good ? id : -1;
}

int dhdClose(char id) {
    if (!ENTER(dhdClose) || id < 0 || id >= FAKE_DEVICES) return -1;
    pthread_mutex_lock(&lock);
    devices[(int)id].open = false;
    pthread_mutex_unlock(&lock);
    return 0;
}

int dhdGetSystemType(char id) {
    if (!lock_open(ENTER(dhdGetSystemType), id)) return -1;
    int answer = type;
    unlock();
    return answer;
}

int dhdEnableForce(unsigned char on, char id) {
    fake_device* d = lock_open(ENTER(dhdEnableForce), id);
    if (!d) return -1;
    d->force_on = on;
    unlock();
    return 0;
}

static void give(const double from[3], double* x, double* y, double* z) {
    *x = from[0], *y = from[1], *z = from[2];
}

int dhdGetPositionAndOrientationFrame(double* x, double* y, double* z, double R[3][3], char id) {
    fake_device* d = lock_open(ENTER(dhdGetPositionAndOrientationFrame), id);
    if (!d) return -1;
    give(d->position, x, y, z);
    memcpy(R, d->R, sizeof d->R);
    return unlock();
}

#ifndef FAKE_LACKING
int dhdGetLinearVelocity(double* x, double* y, double* z, char id) {
    fake_device* d = lock_open(ENTER(dhdGetLinearVelocity), id);
    if (!d) return -1;
    give(d->velocity, x, y, z);
    return unlock();
}
#endif

int dhdGetAngularVelocityRad(double* x, double* y, double* z, char id) {
    fake_device* d = lock_open(ENTER(dhdGetAngularVelocityRad), id);
    if (!d) return -1;
    give(d->turning, x, y, z);
    return unlock();
}

int dhdGetGripperAngleRad(double* angle, char id) {
    fake_device* d = lock_open(ENTER(dhdGetGripperAngleRad), id);
    if (!d) return -1;
    *angle = d->gripper;
    return unlock();
}

unsigned dhdGetButtonMask(char id) {
    fake_device* d = lock_open(ENTER(dhdGetButtonMask), id);
    if (!d) return 0; // it has no other way to fail
    unsigned mask = (unsigned)d->buttons;
    unlock();
    return mask;
}

int dhdSetForceAndTorqueAndGripperForce(double fx, double fy, double fz, double tx, double ty,
                                        double tz, double grip, char id) {
    fake_device* d = lock_open(ENTER(dhdSetForceAndTorqueAndGripperForce), id);
    (void)grip;
    if (!d) return -1;
    const double force[3] = {fx, fy, fz}, torque[3] = {tx, ty, tz};
    memcpy(d->force, force, sizeof force);
    memcpy(d->torque, torque, sizeof torque);
    return unlock();
}

const char* dhdErrorGetLastStr(void) { return ENTER(dhdErrorGetLastStr) ? "fake reason" : NULL; }

int dhdSetWatchdog(unsigned char eighths, char id) {
    if (!lock_open(ENTER(dhdSetWatchdog), id)) return -1;
    watchdog = eighths;
    return unlock();
}

int dhdSetGravityCompensation(int on, char id) {
    (void)on;
    if (!lock_open(ENTER(dhdSetGravityCompensation), id)) return -1;
    return unlock();
}

int drdOpenID(char id) {
    if (!ENTER(drdOpenID)) return -1;
    return dhdOpenID(id);
}

bool drdIsInitialized(char id) {
    if (!lock_open(ENTER(drdIsInitialized), id)) return false;
    bool answer = initialised;
    unlock();
    return answer;
}

int drdAutoInit(char id) {
    if (!lock_open(ENTER(drdAutoInit), id)) return -1;
    initialised = true;
    unlock();
    return 0;
}

int drdStop(bool force_on, char id) {
    (void)force_on;
    if (!lock_open(ENTER(drdStop), id)) return -1;
    unlock();
    return 0;
}

int drdClose(char id) {
    if (!ENTER(drdClose)) return -1;
    return dhdClose(id);
}
