// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "support/fake_vendor.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device/sn_device.h"
#include "sinew/clock.h"
#include "support/check.h"
#include "support/eventually.h"

enum { LOOPS = 50 };

static int64_t now(void) {
    sn_clock clock = sn_clock_real();
    return clock.now_ns(clock.context);
}

void fake_vendor_function(const fake_vendor* v, const char* name, void* place) {
    char symbol[64];
    (void)snprintf(symbol, sizeof symbol, "%s_fake_%s", v->prefix, name);
    void* found = dlsym(v->library, symbol);
    CHECK(found != NULL, 0);
    memcpy(place, &found, sizeof found);
}

void fake_vendor_load(fake_vendor* v) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", SN_TEST_FAKE_DIR, v->file);
    setenv(v->variable, path, 1);
    v->library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    CHECK(v->library != NULL, 0);
    fake_switch* (*control)(void);
    fake_vendor_function(v, "switch", &control);
    v->control = control();
    fake_vendor_function(v, "reset", &v->reset);
    fake_vendor_function(v, "set", &v->set);
    fake_vendor_function(v, "get", &v->get);
    v->reset();
}

sn_device* fake_vendor_open(const char* word) {
    sn_device* device = NULL;
    sn_error error = {0};
    sn_status status = sn_device_open(word, &device, &error);
    if (status) print_message("%s\n", error.text);
    CHECK_STATUS(status, SN_OK);
    return device;
}

bool fake_vendor_reads(sn_device* device) {
    sn_device_sample sample;
    return sn_device_read(device, now(), &sample) == SN_OK;
}

sn_device_sample fake_vendor_sample(sn_device* device) {
    sn_device_sample sample = {0};
    CHECK(EVENTUALLY(sn_device_read(device, now(), &sample) == SN_OK), 0);
    return sample;
}

static bool is_near(const double a[3], const double b[3]) {
    return fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]) < 1e-9;
}

static bool got(const fake_vendor* v, int i, const double force[3], const double torque[3]) {
    fake_device d;
    v->get(i, &d);
    return is_near(d.force, force) && is_near(d.torque, torque);
}

bool fake_vendor_gets(const fake_vendor* v, int i, sn_device* device, sn_device_force ours,
                      const double force[3], const double torque[3]) {
    return EVENTUALLY(((void)sn_device_write(device, now(), &ours), got(v, i, force, torque)));
}

// ---- whole tests ------------------------------------------------------------------------------------------------

static const sn_device_force PUSH = {{0.5, 0.25, -0.125}, {0, 0, 0}};

/// Closes a device, and waits for whoever was left behind once nothing blocks any more.
static void close_and_settle(const fake_vendor* v, sn_device* device) {
    sn_device_free(device);
    atomic_store(&v->control->fail, FAKE_NONE);
    atomic_store(&v->control->block, FAKE_NONE);
    CHECK(EVENTUALLY(sn_device_left_behind() == 0), 0);
}

static bool has_no_force(const fake_vendor* v) {
    fake_device d;
    v->get(0, &d);
    return d.force[0] == 0 && d.force[1] == 0 && d.force[2] == 0;
}

/// A device of the library works: it can be opened, read, written and closed, and is without force then.
static void works_again(const fake_vendor* v) {
    v->reset();
    sn_device* device = fake_vendor_open(v->word);
    (void)fake_vendor_sample(device);
    (void)sn_device_write(device, now(), &PUSH);
    close_and_settle(v, device);
    CHECK(has_no_force(v), 0);
}

void fake_vendor_fails_at_opening(fake_vendor* v) {
    for (int call = 0; call < v->control->count; call++) {
        sn_device* device = NULL;
        sn_error error = {0};
        check_context(v->control->names[call]);
        v->reset();
        atomic_store(&v->control->fail, call);
        sn_status status = sn_device_open(v->word, &device, &error);
        CHECK((status == SN_OK) == (device != NULL), 0);
        if (status) CHECK(error.status == status && strlen(error.text) > 20, 0);
        close_and_settle(v, device);
        works_again(v);
    }
    check_context(NULL);
}

void fake_vendor_fails_in_run(fake_vendor* v) {
    int noticed = 0;
    for (int call = 0; call < v->control->count; call++) {
        check_context(v->control->names[call]);
        v->reset();
        sn_device* device = fake_vendor_open(v->word);
        (void)fake_vendor_sample(device);
        int before = atomic_load(&v->control->calls[call]);
        atomic_store(&v->control->fail, call);
        for (int i = 0; i < LOOPS; i++) {
            (void)fake_vendor_reads(device);
            (void)sn_device_write(device, now(), &PUSH);
            eventually_rest();
        }
        // made in mid-run, it is noticed or does not matter
        if (atomic_load(&v->control->calls[call]) > before && sn_device_trouble(device)[0])
            noticed++;
        atomic_store(&v->control->fail, FAKE_NONE);
        (void)fake_vendor_sample(device);
        close_and_settle(v, device);
        CHECK(has_no_force(v), 0);
    }
    check_context(NULL);
    CHECK(noticed >= 4, 0); // reading and writing
}

void fake_vendor_blocks_at_opening(fake_vendor* v) {
    int named = 0;
    for (int call = 0; call < v->control->count; call++) {
        sn_device* device = NULL;
        sn_error error = {0};
        check_context(v->control->names[call]);
        v->reset();
        sni_device_set_patience(100 * MS_NS, 100 * MS_NS);
        atomic_store(&v->control->block, call);
        sn_status status = sn_device_open(v->word, &device, &error);
        if (status) {
            CHECK_STATUS(status, SN_ERR_FAULT);
            CHECK(strstr(error.text, "has not returned"), 0);
            if (strstr(error.text, v->control->names[call])) named++;
            CHECK(sn_device_left_behind() == 1, 0);
        }
        close_and_settle(v, device);
        sni_device_set_patience(0, 0);
        works_again(v);
    }
    check_context(NULL);
    CHECK(named >= 4, 0); // those that every opening makes
}

void fake_vendor_blocks_in_run(fake_vendor* v) {
    int left = 0;
    for (int call = 0; call < v->control->count; call++) {
        check_context(v->control->names[call]);
        v->reset();
        sn_device* device = fake_vendor_open(v->word);
        (void)fake_vendor_sample(device);
        int before = atomic_load(&v->control->calls[call]);
        atomic_store(&v->control->block, call);
        for (int i = 0; i < LOOPS; i++) {
            (void)fake_vendor_reads(device); // does not wait, or this would never end
            (void)sn_device_write(device, now(), &PUSH);
            eventually_rest();
        }
        if (atomic_load(&v->control->calls[call]) > before) {
            CHECK(EVENTUALLY(!fake_vendor_reads(device)), 0);
            CHECK(strstr(sn_device_trouble(device), "does not answer"), 0);
            CHECK_STATUS(sn_device_write(device, now(), &PUSH), SN_ERR_FAULT);
        }
        sni_device_set_patience(0, 300 * MS_NS);
        sn_device_free(device);
        if (sn_device_left_behind()) left++;
        close_and_settle(v, NULL);
        sni_device_set_patience(0, 0);
        CHECK(has_no_force(v), 0);
    }
    check_context(NULL);
    CHECK(left >= 4, 0);
}

void fake_vendor_gives_nan(fake_vendor* v) {
    fake_device broken;
    sn_device_sample sample;
    v->reset();
    sn_device* device = fake_vendor_open(v->word);
    (void)fake_vendor_sample(device);
    v->get(0, &broken);
    fake_device good = broken;
    double* places[] = {&broken.position[1], &broken.R[2][0], &broken.velocity[0],
                        &broken.turning[2]};
    for (int i = 0; i < 4; i++) {
        broken = good;
        *places[i] = NAN;
        v->set(0, &broken);
        CHECK(EVENTUALLY(sn_device_read(device, now(), &sample) == SN_ERR_NUMERIC), 0);
        v->set(0, &good);
        (void)fake_vendor_sample(device);
    }
    close_and_settle(v, device);
}

void fake_vendor_loses_its_loop(fake_vendor* v) {
    v->reset();
    sn_device* device = fake_vendor_open(v->word);
    CHECK(EVENTUALLY(((void)sn_device_write(device, now(), &PUSH), !has_no_force(v))), 0);
    CHECK(EVENTUALLY(has_no_force(v)), 0); // nobody writes any more
    CHECK(fake_vendor_reads(device) || EVENTUALLY(fake_vendor_reads(device)), 0);
    close_and_settle(v, device);
}
