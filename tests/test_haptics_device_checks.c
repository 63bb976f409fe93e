// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "sinew/device.h"
#include "support/check.h"

// A driver that gives what it is told to and keeps what it gets.
typedef struct memory {
    sn_status status; ///< of read and write
    sn_device_sample sample;
    sn_device_force force;
    int writes, closes;
    const char* trouble;
} memory;

static sn_status read_it(void* m, int64_t now_ns, sn_device_sample* sample) {
    (void)now_ns;
    *sample = ((memory*)m)->sample;
    return ((memory*)m)->status;
}
static sn_status write_it(void* m, int64_t now_ns, const sn_device_force* force) {
    (void)now_ns;
    ((memory*)m)->force = *force;
    ((memory*)m)->writes++;
    return ((memory*)m)->status;
}
static void close_it(void* m) { ((memory*)m)->closes++; }
static const char* trouble_of(void* m) { return ((memory*)m)->trouble; }

static const sn_device_ops OPS = {read_it, write_it, close_it, trouble_of};

static memory good_memory(void) {
    memory m = {.trouble = ""};
    m.sample.pose.R = sn_mat3_identity();
    m.sample.time_ns = 1000;
    return m;
}

static sn_device* made(memory* m) {
    sn_device_profile profile;
    sn_device* device = NULL;
    CHECK(sn_device_profile_find("touch", &profile), 0);
    CHECK_STATUS(sn_device_create(&OPS, m, &profile, &device, NULL), SN_OK);
    return device;
}

static void a_device_gives_the_drivers_sample_and_takes_its_force(void** state) {
    (void)state;
    memory m = good_memory();
    sn_device* device = made(&m);
    sn_device_sample sample;
    const sn_device_force force = {{1, 2, 3}, {4, 5, 6}};
    m.sample.pose.p = sn_vec3_make(.1, .2, .3);
    m.sample.buttons = 5;
    CHECK_STATUS(sn_device_read(device, 0, &sample), SN_OK);
    CHECK(memcmp(&sample, &m.sample, sizeof sample) == 0, 0);
    CHECK_STATUS(sn_device_write(device, 0, &force), SN_OK);
    CHECK(memcmp(&force, &m.force, sizeof force) == 0, 0);
    CHECK(strcmp(sn_device_profile_of(device)->name, "touch") == 0, 0);
    CHECK(sn_device_trouble(device)[0] == '\0', 0);
    sn_device_free(device);
    CHECK(m.closes == 1, 0);
}

static sn_status read_only_time(void* m, int64_t now_ns, sn_device_sample* sample) {
    (void)m;
    sample->time_ns = now_ns;
    return SN_OK;
}

static void what_a_driver_leaves_out_is_at_rest(void** state) {
    (void)state;
    memory m = good_memory();
    sn_device_profile profile;
    sn_device* device = NULL;
    sn_device_ops ops = OPS;
    sn_device_sample sample;
    memset(&sample, 0x5a, sizeof sample);
    ops.read = read_only_time;
    CHECK(sn_device_profile_find("touch", &profile), 0);
    CHECK_STATUS(sn_device_create(&ops, &m, &profile, &device, NULL), SN_OK);
    CHECK_STATUS(sn_device_read(device, 7, &sample), SN_OK);
    CHECK(sample.time_ns == 7 && sample.buttons == 0 && sample.gripper == 0, 0);
    CHECK(sn_vec3_norm(sample.pose.p) == 0 && sn_vec3_norm(sample.velocity.v) == 0, 0);
    CHECK(sample.pose.R.m[0][0] == 1 && sample.pose.R.m[0][1] == 0, 0);
    sn_device_free(device);
}

static void a_sample_that_is_not_finite_is_refused(void** state) {
    (void)state;
    memory m = good_memory();
    sn_device* device = made(&m);
    sn_device_sample sample, good = m.sample;
    double* places[] = {&m.sample.pose.p.x, &m.sample.pose.R.m[2][1], &m.sample.velocity.v.y,
                        &m.sample.velocity.w.z, &m.sample.gripper};
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 15; i++) {
        *places[i % 5] = bad[i / 5];
        CHECK_STATUS(sn_device_read(device, 0, &sample), SN_ERR_NUMERIC);
        m.sample = good;
        CHECK_STATUS(sn_device_read(device, 0, &sample), SN_OK);
    }
    sn_device_free(device);
}

static void time_that_goes_back_costs_a_sample(void** state) {
    (void)state;
    memory m = good_memory();
    sn_device* device = made(&m);
    sn_device_sample sample;
    CHECK_STATUS(sn_device_read(device, 0, &sample), SN_OK);
    CHECK_STATUS(sn_device_read(device, 0, &sample), SN_OK); // the same again is well
    m.sample.time_ns = 999;
    CHECK_STATUS(sn_device_read(device, 0, &sample), SN_ERR_NUMERIC);
    m.sample.time_ns = 1001;
    CHECK_STATUS(sn_device_read(device, 0, &sample), SN_OK);
    sn_device_free(device);
}

static void a_force_that_is_not_finite_becomes_zero(void** state) {
    (void)state;
    memory m = good_memory();
    sn_device* device = made(&m);
    sn_device_force force = {{1, 2, 3}, {0, 0, 0}};
    double* places[] = {&force.force.x, &force.force.z, &force.torque.y};
    for (int i = 0; i < 3; i++) {
        double before = *places[i];
        *places[i] = i == 1 ? INFINITY : NAN;
        m.force.force = sn_vec3_make(9, 9, 9);
        CHECK_STATUS(sn_device_write(device, 0, &force), SN_ERR_NUMERIC);
        CHECK(sn_vec3_norm(m.force.force) == 0 && sn_vec3_norm(m.force.torque) == 0, 0);
        *places[i] = before;
    }
    CHECK(m.writes == 3, 0);
    sn_device_free(device);
}

static void what_the_driver_says_is_passed_on(void** state) {
    (void)state;
    memory m = good_memory();
    sn_device* device = made(&m);
    sn_device_sample sample;
    const sn_device_force force = {{1, 2, 3}, {0, 0, 0}};
    m.status = SN_ERR_FAULT;
    m.trouble = "unplugged";
    CHECK_STATUS(sn_device_read(device, 0, &sample), SN_ERR_FAULT);
    CHECK_STATUS(sn_device_write(device, 0, &force), SN_ERR_FAULT);
    CHECK(strcmp(sn_device_trouble(device), "unplugged") == 0, 0);
    sn_device_free(device);
}

static void a_driver_that_lacks_a_function_is_refused_and_closed(void** state) {
    (void)state;
    memory m = good_memory();
    sn_device_profile profile;
    sn_device* device = NULL;
    sn_error error = {0};
    CHECK(sn_device_profile_find("touch", &profile), 0);
    sn_device_ops ops = OPS;
    ops.read = NULL;
    CHECK_STATUS(sn_device_create(&ops, &m, &profile, &device, &error), SN_ERR_ARGUMENT);
    CHECK(!device && m.closes == 1 && error.text[0], 0);
    ops = OPS;
    ops.write = NULL;
    CHECK_STATUS(sn_device_create(&ops, &m, &profile, &device, &error), SN_ERR_ARGUMENT);
    ops = OPS;
    ops.close = NULL;
    CHECK_STATUS(sn_device_create(&ops, &m, &profile, &device, &error), SN_ERR_ARGUMENT);
    CHECK(!device && m.closes == 2, 0);
    ops = OPS;
    ops.trouble = NULL; // needs none
    CHECK_STATUS(sn_device_create(&ops, &m, &profile, &device, &error), SN_OK);
    CHECK(sn_device_trouble(device)[0] == '\0', 0);
    sn_device_free(device);
}

static void a_profile_that_limits_nothing_is_refused(void** state) {
    (void)state;
    sn_device_profile profiles[6];
    sn_device* device = NULL;
    for (int i = 0; i < 6; i++) CHECK(sn_device_profile_find("touch", &profiles[i]), 0);
    profiles[0].peak_force = 0;
    profiles[1].peak_force = NAN;
    profiles[2].inputs = 4;
    profiles[3].outputs = 0;
    profiles[4].buttons = 40;
    profiles[5].mass = -1;
    for (int i = 0; i < 6; i++) {
        memory m = good_memory();
        sn_error error = {0};
        CHECK_STATUS(sn_device_create(&OPS, &m, &profiles[i], &device, &error), SN_ERR_ARGUMENT);
        CHECK(!device && m.closes == 1 && error.text[0], (uint64_t)i);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_gives_the_drivers_sample_and_takes_its_force),
        cmocka_unit_test(what_a_driver_leaves_out_is_at_rest),
        cmocka_unit_test(a_sample_that_is_not_finite_is_refused),
        cmocka_unit_test(time_that_goes_back_costs_a_sample),
        cmocka_unit_test(a_force_that_is_not_finite_becomes_zero),
        cmocka_unit_test(what_the_driver_says_is_passed_on),
        cmocka_unit_test(a_driver_that_lacks_a_function_is_refused_and_closed),
        cmocka_unit_test(a_profile_that_limits_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
