// SPDX-License-Identifier: Apache-2.0
// The Force Dimension driver against tests/fake/libdrd.c.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>

#include "device/sn_device.h"
#include "support/check.h"
#include "support/eventually.h"
#include "support/fake_vendor.h"

static fake_vendor dhd = {.word = "forcedimension",
                          .file = "libdrd.so",
                          .variable = "SINEW_FORCEDIMENSION",
                          .prefix = "dhd"};
static void (*configure)(int how_many, int type, bool initialised);
static int (*watchdog)(void);

static int load(void** state) {
    (void)state;
    fake_vendor_load(&dhd);
    fake_vendor_function(&dhd, "configure", &configure);
    fake_vendor_function(&dhd, "watchdog", &watchdog);
    return 0;
}

static fake_device at_rest(void) {
    fake_device d = {0};
    for (int k = 0; k < 3; k++) d.R[k][k] = 1;
    return d;
}

/// The SDK: x to the person, y right, z up, in metres about the middle.
static void samples_come_in_our_axes(void** state) {
    (void)state;
    dhd.reset();
    fake_device d = at_rest();
    const double position[3] = {.01, .02, .03}, velocity[3] = {.1, .2, .3}, turning[3] = {1, 2, 3};
    memcpy(d.position, position, sizeof position);
    memcpy(d.velocity, velocity, sizeof velocity);
    memcpy(d.turning, turning, sizeof turning);
    d.buttons = 5;
    d.gripper = 0.5236 / 4;
    dhd.set(0, &d);
    sn_device* device = fake_vendor_open("forcedimension:0");
    sn_device_sample s = fake_vendor_sample(device);
    const double p[3] = {.02, -.01, .03}, v[3] = {.2, -.1, .3}, w[3] = {2, -1, 3};
    CHECK_VECTOR(&s.pose.p.x, p, 3, TOL_ROUNDOFF, 0);
    CHECK_VECTOR(&s.velocity.v.x, v, 3, TOL_ROUNDOFF, 0);
    CHECK_VECTOR(&s.velocity.w.x, w, 3, TOL_ROUNDOFF, 0);
    CHECK(s.buttons == 5, 0);
    CHECK_NEAR(s.gripper, 0.75, TOL_CHAIN, 0);
    CHECK(watchdog() == 160, 0); // 20 ms in units of 125 us
    sn_device_free(device);
}

/// About the person's line of sight: up goes right in both.
static void a_turn_about_the_depth_is_one(void** state) {
    (void)state;
    dhd.reset();
    fake_device d = at_rest();
    const double R[3][3] = {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}; // z (up) -> y (right)
    memcpy(d.R, R, sizeof R);
    dhd.set(0, &d);
    sn_device* device = fake_vendor_open("forcedimension");
    sn_device_sample s = fake_vendor_sample(device);
    sn_vec3 up = sn_mat3_apply(s.pose.R, sn_vec3_make(0, 0, 1));
    sn_vec3 away = sn_mat3_apply(s.pose.R, sn_vec3_make(0, 1, 0));
    const double right[3] = {1, 0, 0}, still_away[3] = {0, 1, 0};
    CHECK_VECTOR(&up.x, right, 3, TOL_ROUNDOFF, 0);
    CHECK_VECTOR(&away.x, still_away, 3, TOL_ROUNDOFF, 0);
    sn_device_free(device);
}

static void forces_and_torques_go_out_in_their_axes(void** state) {
    (void)state;
    dhd.reset();
    sn_device* device = fake_vendor_open("forcedimension");
    const sn_device_force ours = {{1, 2, 3}, {.01, .02, .03}};
    const double force[3] = {-2, 1, 3}, torque[3] = {-.02, .01, .03};
    CHECK(fake_vendor_gets(&dhd, 0, device, ours, force, torque), 0);
    fake_device d;
    dhd.get(0, &d);
    CHECK(d.force_on, 0);
    sn_device_free(device);
    dhd.get(0, &d);
    CHECK(!d.open && !d.force_on && d.force[2] == 0, 0);
}

static void each_type_has_its_profile(void** state) {
    (void)state;
    static const struct {
        int type;
        const char* name;
        int inputs, outputs;
        bool gripper;
    } cases[] = {
        {33, "omega3", 3, 3, false},   {34, "omega6", 6, 3, false},   {36, "omega6", 6, 3, false},
        {35, "omega7", 6, 3, true},    {37, "omega7", 6, 3, true},    {63, "delta3", 3, 3, false},
        {104, "sigma7", 6, 6, true},   {105, "sigma7", 6, 6, true},   {206, "sigma7", 3, 3, false},
        {108, "lambda7", 6, 6, true},  {109, "lambda7", 6, 6, true},  {131, "lambda7", 6, 3, false},
        {132, "lambda7", 6, 3, false}, {203, "lambda7", 3, 3, false}, {60, "falcon", 3, 3, false},
        {91, "falcon", 3, 3, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dhd.reset();
        configure(2, cases[i].type, true);
        fake_device d = at_rest();
        const double R[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
        memcpy(d.R, R, sizeof R);
        dhd.set(0, &d);
        sn_device* device = fake_vendor_open("forcedimension");
        const sn_device_profile* p = sn_device_profile_of(device);
        CHECK(strcmp(p->name, cases[i].name) == 0, i);
        CHECK(p->inputs == cases[i].inputs && p->outputs == cases[i].outputs, i);
        CHECK(p->gripper == cases[i].gripper, i);
        sn_device_sample s = fake_vendor_sample(device);
        CHECK_NEAR(s.pose.R.m[0][0], cases[i].inputs == 3, TOL_ROUNDOFF, i); // three: identity
        const sn_device_force ours = {{1, 0, 0}, {0, 0, .5}};
        const double force[3] = {0, 1, 0}, torque[3] = {0, 0, cases[i].outputs == 6 ? .5 : 0};
        CHECK(fake_vendor_gets(&dhd, 0, device, ours, force, torque), i);
        sn_device_free(device);
    }
}

static void a_gripper_is_open_at_thirty_degrees_of_either_hand(void** state) {
    (void)state;
    static const double angles[] = {0, 0.5236, -0.5236, 0.8, -0.2618};
    static const double closed[] = {1, 0, 0, 0, 0.5};
    dhd.reset();
    sn_device* device = fake_vendor_open("forcedimension");
    for (int i = 0; i < 5; i++) {
        fake_device d = at_rest();
        d.gripper = angles[i];
        dhd.set(0, &d);
        CHECK(EVENTUALLY(fabs(fake_vendor_sample(device).gripper - closed[i]) < 1e-9), 0);
    }
    sn_device_free(device);
}

static void two_devices_are_two(void** state) {
    (void)state;
    dhd.reset();
    fake_device d = at_rest();
    d.position[2] = .1;
    dhd.set(0, &d);
    d.position[2] = .2;
    dhd.set(1, &d);
    sn_device* a = fake_vendor_open("forcedimension:0");
    sn_device* b = fake_vendor_open("forcedimension:1");
    CHECK_NEAR(fake_vendor_sample(a).pose.p.z, .1, TOL_ROUNDOFF, 0);
    CHECK_NEAR(fake_vendor_sample(b).pose.p.z, .2, TOL_ROUNDOFF, 0);
    const sn_device_force push = {{0, 0, 1}, {0, 0, 0}}, pull = {{0, 0, -1}, {0, 0, 0}};
    const double up[3] = {0, 0, 1}, down[3] = {0, 0, -1}, none[3] = {0, 0, 0};
    CHECK(fake_vendor_gets(&dhd, 0, a, push, up, none), 0);
    CHECK(fake_vendor_gets(&dhd, 1, b, pull, down, none), 0);
    sn_device* again = NULL;
    sn_error error = {0};
    CHECK_STATUS(sn_device_open("forcedimension:1", &again, &error), SN_ERR_FAULT);
    CHECK(strstr(error.text, "dhdOpenID") && strstr(error.text, "fake reason"), 0);
    sn_device_free(a);
    CHECK(fake_vendor_gets(&dhd, 1, b, pull, down, none), 0);
    sn_device_free(b);
}

static void words_that_are_none_are_refused(void** state) {
    (void)state;
    static const char* const bad[] = {"forcedimension:x", "forcedimension:-1", "forcedimension:99",
                                      "forcedimension:0:go", "forcedimension:0init"};
    for (int i = 0; i < 5; i++) {
        sn_device* device = NULL;
        sn_error error = {0};
        CHECK_STATUS(sn_device_open(bad[i], &device, &error), SN_ERR_ARGUMENT);
        CHECK(strstr(error.text, "NUMBER:init"), (uint64_t)i);
    }
}

static void a_device_that_is_not_calibrated_says_how(void** state) {
    (void)state;
    dhd.reset();
    configure(2, 104, false);
    sn_device* device = fake_vendor_open("forcedimension");
    CHECK(strstr(sn_device_trouble(device), "not calibrated"), 0);
    configure(2, 104, true); // somebody moved it
    CHECK(EVENTUALLY(sn_device_trouble(device)[0] == '\0'), 0);
    sn_device_free(device);
    configure(2, 104, false);
    device = fake_vendor_open("forcedimension:0:init"); // moves by itself
    CHECK(EVENTUALLY(sn_device_trouble(device)[0] == '\0'), 0);
    sn_device_free(device);
}

static void an_unplugged_device_is_told_and_opened_again(void** state) {
    (void)state;
    dhd.reset();
    sn_device* device = fake_vendor_open("forcedimension");
    (void)fake_vendor_sample(device);
    configure(0, 104, true);
    CHECK(EVENTUALLY(!fake_vendor_reads(device)), 0);
    CHECK(EVENTUALLY(strstr(sn_device_trouble(device), "lost") != NULL), 0);
    configure(2, 104, true);
    (void)fake_vendor_sample(device);
    CHECK(EVENTUALLY(sn_device_trouble(device)[0] == '\0'), 0);
    sn_device_free(device);
}

static void devices_are_listed_or_why_not(void** state) {
    (void)state;
    sn_device_found found[4];
    char why[512];
    dhd.reset();
    CHECK(sni_forcedimension_driver()->list(found, 4, why, sizeof why) == 2, 0);
    CHECK(strcmp(found[1].word, "forcedimension:1") == 0 && !why[0], 0);
    CHECK(sni_forcedimension_driver()->list(found, 1, why, sizeof why) == 2, 0);
    configure(0, 104, true);
    CHECK(sni_forcedimension_driver()->list(found, 4, why, sizeof why) == 0, 0);
    CHECK(strstr(why, "1451") || strstr(why, "plugged in"), 0);
    sn_device* device = NULL;
    sn_error error = {0};
    CHECK_STATUS(sn_device_open("forcedimension", &device, &error), SN_ERR_FAULT);
    CHECK(strstr(error.text, "plugged in"), 0);
}

static void looking_for_devices_that_blocks_comes_back(void** state) {
    (void)state;
    sn_device_found found[4];
    char why[512];
    dhd.reset();
    sni_device_set_patience(50 * MS_NS, 50 * MS_NS);
    atomic_store(&dhd.control->block, 0); // dhdGetAvailableCount
    CHECK(sni_forcedimension_driver()->list(found, 4, why, sizeof why) == 0, 0);
    CHECK(strstr(why, "does not return"), 0);
    atomic_store(&dhd.control->block, FAKE_NONE);
    sni_device_set_patience(0, 0);
    CHECK(sni_forcedimension_driver()->list(found, 4, why, sizeof why) == 2, 0);
}

static void every_call_may_fail_at_opening(void** state) {
    (void)state;
    fake_vendor_fails_at_opening(&dhd);
}
static void every_call_may_fail_in_mid_run(void** state) {
    (void)state;
    fake_vendor_fails_in_run(&dhd);
}
static void every_call_may_block_at_opening(void** state) {
    (void)state;
    fake_vendor_blocks_at_opening(&dhd);
}
static void every_call_may_block_in_mid_run(void** state) {
    (void)state;
    fake_vendor_blocks_in_run(&dhd);
}
/// The same with the device calibrating itself: other calls.
static void calibrating_may_fail_or_block_too(void** state) {
    (void)state;
    fake_vendor init = dhd;
    init.word = "forcedimension:0:init";
    fake_vendor_fails_at_opening(&init);
}
static void what_is_not_finite_is_not_passed_on(void** state) {
    (void)state;
    fake_vendor_gives_nan(&dhd);
}
static void a_dead_loop_leaves_no_force(void** state) {
    (void)state;
    fake_vendor_loses_its_loop(&dhd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_come_in_our_axes),
        cmocka_unit_test(a_turn_about_the_depth_is_one),
        cmocka_unit_test(forces_and_torques_go_out_in_their_axes),
        cmocka_unit_test(each_type_has_its_profile),
        cmocka_unit_test(a_gripper_is_open_at_thirty_degrees_of_either_hand),
        cmocka_unit_test(two_devices_are_two),
        cmocka_unit_test(words_that_are_none_are_refused),
        cmocka_unit_test(a_device_that_is_not_calibrated_says_how),
        cmocka_unit_test(an_unplugged_device_is_told_and_opened_again),
        cmocka_unit_test(devices_are_listed_or_why_not),
        cmocka_unit_test(looking_for_devices_that_blocks_comes_back),
        cmocka_unit_test(what_is_not_finite_is_not_passed_on),
        cmocka_unit_test(a_dead_loop_leaves_no_force),
        cmocka_unit_test(every_call_may_fail_at_opening),
        cmocka_unit_test(every_call_may_fail_in_mid_run),
        cmocka_unit_test(every_call_may_block_at_opening),
        cmocka_unit_test(every_call_may_block_in_mid_run),
        cmocka_unit_test(calibrating_may_fail_or_block_too),
    };
    return cmocka_run_group_tests(tests, load, NULL);
}
