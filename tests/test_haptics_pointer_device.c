// SPDX-License-Identifier: Apache-2.0
// A pointer as a device: what is read between its messages, against the equation solved by small steps.
#include "sinew/pointer_device.h"

#include <math.h>

#include "support/check.h"

static const int64_t MS = 1000000;

static sn_device* make(double smoothing, double silence) {
    const sn_pointer_def def = {smoothing, silence};
    sn_device* device = NULL;
    CHECK_STATUS(sn_pointer_device_create(&def, &device, NULL), SN_OK);
    return device;
}

static void say(sn_device* device, double x, sn_vec3 turn) {
    const sn_pointer_sample sample = {.position = sn_vec3_make(x, 0, 0),
                                      .orientation = sn_quat_exp(turn)};
    CHECK_STATUS(sn_pointer_device_move(device, &sample), SN_OK);
}

/// x'' = (to - x) / T^2 - 2 x' / T by 1,000 midpoint steps.
static void oracle(double T, double h, double to, double* x, double* v) {
    for (int i = 0; i < 1000; i++) {
        double dt = h / 1000, a = (to - *x) / (T * T) - 2 * *v / T;
        double xm = *x + dt / 2 * *v, vm = *v + dt / 2 * a;
        *x += dt * vm;
        *v += dt * ((to - xm) / (T * T) - 2 * vm / T);
    }
}

static void messages_at_60_hz_become_a_movement_without_corners(void** state) {
    (void)state;
    const double T = 0.02, speed = 0.3, tolerance = 1e-6;
    sn_device* device = make(T, 1);
    double x = 0, v = 0, said = 0, before = 0;
    say(device, 0, sn_vec3_zero());
    for (int64_t ms = 0; ms < 1000; ms++) {
        sn_device_sample sample;
        CHECK_STATUS(sn_device_read(device, ms * MS, &sample), SN_OK);
        if (ms > 0) oracle(T, 1e-3, said, &x, &v);
        CHECK_NEAR(sample.pose.p.x, x, tolerance * speed, 0);
        CHECK_NEAR(sample.velocity.v.x, v, tolerance * speed / T, 0);
        CHECK_NEAR(sample.velocity.w.z, v, tolerance * speed / T, 0); // turns as it moves
        // no corner: velocity changes by no more than a step of one message, x/T^2, gives in a tick
        CHECK(fabs(sample.velocity.v.x - before) <= speed / 60 / (T * T) * 1.1e-3, 0);
        if (ms > 300) { // two time constants behind, and even
            CHECK_NEAR(sample.pose.p.x, speed * ((double)ms * 1e-3 - 2 * T), speed / 60, 0);
            CHECK_NEAR(sample.velocity.v.x, speed, 0.1 * speed, 0);
        }
        before = sample.velocity.v.x;
        if (ms * 60 / 1000 == (ms - 1) * 60 / 1000) continue; // 16 or 17 ms apart
        said = speed * ((double)ms * 1e-3);
        say(device, said, sn_vec3_make(0, 0, said));
        CHECK_STATUS(sn_device_read(device, ms * MS, &sample), SN_OK); // heard within this tick
    }
    sn_device_free(device);
}

static void a_silent_pointer_is_lost_and_comes_back_where_it_is(void** state) {
    (void)state;
    sn_device* device = make(0.02, 0.1);
    sn_device_sample sample;
    CHECK(sn_device_read(device, 0, &sample) != SN_OK, 0); // nothing was said yet
    say(device, 1, sn_vec3_zero());
    CHECK_STATUS(sn_device_read(device, MS, &sample), SN_OK);
    CHECK(sample.pose.p.x == 1 && sample.velocity.v.x == 0, 0);
    CHECK_STATUS(sn_device_read(device, 100 * MS, &sample), SN_OK);
    CHECK(sn_device_read(device, 101 * MS, &sample) != SN_OK, 0);
    say(device, 2, sn_vec3_zero());
    CHECK_STATUS(sn_device_read(device, 500 * MS, &sample), SN_OK);
    CHECK(sample.pose.p.x == 2 && sample.velocity.v.x == 0, 0); // it did not fly there
    sn_device_free(device);
}

static void what_makes_no_sense_changes_nothing(void** state) {
    (void)state;
    sn_device* device = make(0.02, 1);
    sn_device_sample sample;
    const sn_pointer_sample bad[] = {{.position = {NAN, 0, 0}},
                                     {.position = {0, INFINITY, 0}},
                                     {.orientation = {0.5, 0, 0, 0}},
                                     {.orientation = {NAN, 0, 0, 0}},
                                     {.gripper = NAN}};
    say(device, 1, sn_vec3_make(0, 0, 1));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_STATUS(sn_pointer_device_move(device, &bad[i]), SN_ERR_NUMERIC);
    CHECK_STATUS(sn_pointer_device_move(NULL, &bad[0]), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_pointer_device_move(device, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_device_read(device, 0, &sample), SN_OK);
    CHECK(sample.pose.p.x == 1, 0);
    const sn_pointer_sample same = {.position = {1, 0, 0}, .buttons = 5, .gripper = 0.5};
    CHECK_STATUS(sn_pointer_device_move(device, &same), SN_OK); // without an orientation: as it was
    CHECK_STATUS(sn_device_read(device, MS, &sample), SN_OK);
    CHECK_NEAR(sample.pose.R.m[0][0], cos(1), 1e-12, 0);
    CHECK(sample.buttons == 5 && sample.gripper == 0.5, 0);
    sn_device_free(device);
    const sn_pointer_def defs[] = {{0, 1}, {-1, 1}, {2, 1}, {NAN, 1}, {0.02, 0}, {0.02, NAN}};
    for (size_t i = 0; i < sizeof defs / sizeof defs[0]; i++)
        CHECK_STATUS(sn_pointer_device_create(&defs[i], &device, NULL), SN_ERR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_at_60_hz_become_a_movement_without_corners),
        cmocka_unit_test(a_silent_pointer_is_lost_and_comes_back_where_it_is),
        cmocka_unit_test(what_makes_no_sense_changes_nothing),
    };
    return cmocka_run_group_tests_name("haptics_pointer_device", tests, NULL, NULL);
}
