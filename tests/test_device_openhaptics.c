// SPDX-License-Identifier: Apache-2.0
// The OpenHaptics driver against tests/fake/libHD.c.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "device/sn_device.h"
#include "support/check.h"
#include "support/eventually.h"
#include "support/fake_vendor.h"
#include "support/loading.h"

static fake_vendor hd = {
    .word = "openhaptics", .file = "libHD.so", .variable = "SINEW_OPENHAPTICS", .prefix = "hd"};
static void (*push_error)(unsigned code);
static void (*configure)(const char* only_name, const char* model, int dof);
static void (*calibrate)(unsigned state, int style);
static unsigned long (*rate)(void);

static int load(void** state) {
    (void)state;
    fake_vendor_load(&hd);
    fake_vendor_function(&hd, "error", &push_error);
    fake_vendor_function(&hd, "configure", &configure);
    fake_vendor_function(&hd, "calibrate", &calibrate);
    fake_vendor_function(&hd, "rate", &rate);
    return 0;
}

static fake_device at_rest(void) {
    fake_device d = {0};
    for (int k = 0; k < 3; k++) d.R[k][k] = 1;
    return d;
}

/// HDAPI: x right, y up, z to the person, mm. The fake's usable workspace is x -210 to 210, y -110 to 205, z -85 to
/// 130 mm, so its middle is (0, 47.5, 22.5).
static void positions_come_in_metres_about_the_middle_in_our_axes(void** state) {
    (void)state;
    hd.reset();
    fake_device d = at_rest();
    const double position[3] = {10, 47.5 + 20, 22.5 + 30}, velocity[3] = {100, 200, 300};
    const double turning[3] = {1, 2, 3};
    memcpy(d.position, position, sizeof position);
    memcpy(d.velocity, velocity, sizeof velocity);
    memcpy(d.turning, turning, sizeof turning);
    d.buttons = 2;
    hd.set(0, &d);
    sn_device* device = fake_vendor_open("openhaptics");
    sn_device_sample s = fake_vendor_sample(device);
    const double p[3] = {0.010, -0.030, 0.020}, v[3] = {0.1, -0.3, 0.2}, w[3] = {1, -3, 2};
    CHECK_VECTOR(&s.pose.p.x, p, 3, TOL_CHAIN, 0);
    CHECK_VECTOR(&s.velocity.v.x, v, 3, TOL_CHAIN, 0);
    CHECK_VECTOR(&s.velocity.w.x, w, 3, TOL_CHAIN, 0);
    CHECK(s.buttons == 2, 0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) CHECK_NEAR(s.pose.R.m[i][j], i == j, TOL_ROUNDOFF, 0);
    sn_device_free(device);
}

/// A quarter turn about their up (y) is one about ours (z): right goes away from the person, in both.
static void a_turn_about_up_is_a_turn_about_up(void** state) {
    (void)state;
    hd.reset();
    fake_device d = at_rest();
    const double R[3][3] = {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}; // about y by 90 degrees: x -> -z
    memcpy(d.R, R, sizeof R);
    hd.set(0, &d);
    sn_device* device = fake_vendor_open("openhaptics");
    sn_device_sample s = fake_vendor_sample(device);
    sn_vec3 x = sn_mat3_apply(s.pose.R, sn_vec3_make(1, 0, 0));
    sn_vec3 z = sn_mat3_apply(s.pose.R, sn_vec3_make(0, 0, 1));
    const double away[3] = {0, 1, 0}, up[3] = {0, 0, 1};
    CHECK_VECTOR(&x.x, away, 3, TOL_ROUNDOFF, 0);
    CHECK_VECTOR(&z.x, up, 3, TOL_ROUNDOFF, 0);
    sn_device_free(device);
}

static void forces_go_out_in_newtons_in_their_axes(void** state) {
    (void)state;
    hd.reset();
    sn_device* device = fake_vendor_open("openhaptics");
    const sn_device_force ours = {{0.1, 0.2, 0.3}, {1, 2, 3}};
    const double theirs[3] = {0.1, 0.3, -0.2}, none[3] = {0, 0, 0};
    CHECK(fake_vendor_gets(&hd, 0, device, ours, theirs, none), 0); // three degrees: no torque
    sn_device_free(device);
    fake_device d;
    hd.get(0, &d);
    CHECK(!d.open && d.force[0] == 0, 0);
}

static void torques_go_out_in_millinewton_metres(void** state) {
    (void)state;
    hd.reset();
    configure(NULL, "PHANTOM Premium 1.5 6DOF", 6);
    sn_device* device = fake_vendor_open("openhaptics");
    CHECK(sn_device_profile_of(device)->outputs == 6, 0);
    CHECK(strcmp(sn_device_profile_of(device)->name, "premium15_6dof") == 0, 0);
    const sn_device_force ours = {{0.1, 0.2, 0.3}, {0.01, 0.02, 0.03}};
    const double force[3] = {0.1, 0.3, -0.2}, torque[3] = {10, 30, -20};
    CHECK(fake_vendor_gets(&hd, 0, device, ours, force, torque), 0);
    sn_device_free(device);
}

static void the_profile_is_that_of_the_model_and_never_above_what_it_reports(void** state) {
    (void)state;
    hd.reset();
    sn_device* device = fake_vendor_open("openhaptics");
    const sn_device_profile* p = sn_device_profile_of(device);
    CHECK(strcmp(p->name, "omni") == 0 && p->inputs == 6 && p->outputs == 3, 0);
    CHECK(p->peak_force == 3.0 && p->continuous_force == 0.8, 0); // as the fake reports
    CHECK(rate() == 1000, 0);
    sn_device_free(device);
    configure(NULL, "Touch X", 3);
    device = fake_vendor_open("openhaptics:Left Device@500");
    CHECK(strcmp(sn_device_profile_of(device)->name, "touch_x") == 0, 0);
    CHECK(rate() == 500, 0);
    sn_device_free(device);
}

static void the_default_is_found_by_its_old_name(void** state) {
    (void)state;
    hd.reset();
    configure("Default PHANToM", "PHANTOM Omni", 3);
    sn_device* device = fake_vendor_open("openhaptics");
    (void)fake_vendor_sample(device);
    sn_device_free(device);
}

static void a_name_that_is_not_there_is_said(void** state) {
    (void)state;
    sn_device* device = NULL;
    sn_error error = {0};
    hd.reset();
    CHECK_STATUS(sn_device_open("openhaptics:Third Device", &device, &error), SN_ERR_FAULT);
    CHECK(!device && strstr(error.text, "Third Device") && strstr(error.text, "does not answer"),
          0);
    CHECK(strstr(error.text, "Comm. error"), 0); // theirs, too
    CHECK_STATUS(sn_device_open("openhaptics:Left Device@fast", &device, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_device_open("openhaptics:Left Device@", &device, &error), SN_ERR_ARGUMENT);
}

static void two_devices_are_two(void** state) {
    (void)state;
    hd.reset();
    fake_device d = at_rest();
    d.position[0] = 10;
    hd.set(0, &d);
    d.position[0] = 20;
    hd.set(1, &d);
    sn_device* left = fake_vendor_open("openhaptics:Left Device");
    sn_device* right = fake_vendor_open("openhaptics:Right Device");
    sn_device_sample a = fake_vendor_sample(left), b = fake_vendor_sample(right);
    CHECK_NEAR(a.pose.p.x, 0.01, TOL_CHAIN, 0);
    CHECK_NEAR(b.pose.p.x, 0.02, TOL_CHAIN, 0);
    const sn_device_force push = {{1, 0, 0}, {0, 0, 0}}, pull = {{-1, 0, 0}, {0, 0, 0}};
    const double at_left[3] = {1, 0, 0}, at_right[3] = {-1, 0, 0}, none[3] = {0, 0, 0};
    CHECK(fake_vendor_gets(&hd, 0, left, push, at_left, none), 0);
    CHECK(fake_vendor_gets(&hd, 1, right, pull, at_right, none), 0);
    sn_device* again = NULL;
    sn_error error = {0};
    CHECK_STATUS(sn_device_open("openhaptics:Left Device", &again, &error), SN_ERR_FAULT);
    CHECK(strstr(error.text, "in use already"), 0);
    sn_device_free(left);
    (void)fake_vendor_sample(right); // goes on
    CHECK(fake_vendor_gets(&hd, 1, right, pull, at_right, none), 0);
    sn_device_free(right);
}

static bool tells(sn_device* device, const char* text) {
    return EVENTUALLY(strstr(sn_device_trouble(device), text) != NULL);
}

static void errors_of_the_vendor_become_words_and_pass(void** state) {
    (void)state;
    static const struct {
        unsigned code;
        const char* text;
    } cases[] = {{0x200, "motors are warm"},  {0x201, "more force was asked"},
                 {0x202, "changed faster"},   {0x203, "moved faster"},
                 {0x204, "could not render"}, {0x304, "sinew doctor"}};
    hd.reset();
    sn_device* device = fake_vendor_open("openhaptics");
    (void)fake_vendor_sample(device);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        push_error(cases[i].code);
        CHECK(tells(device, cases[i].text), i);
        (void)fake_vendor_sample(device); // it works nevertheless
    }
    CHECK(EVENTUALLY(sn_device_trouble(device)[0] == '\0'), 0);
    sn_device_free(device);
}

static void an_unplugged_device_is_told_and_opened_again(void** state) {
    (void)state;
    static const unsigned codes[] = {0x302, 0x300, 0x303, 0x999};
    hd.reset();
    sn_device* device = fake_vendor_open("openhaptics");
    for (int i = 0; i < 4; i++) {
        (void)fake_vendor_sample(device);
        push_error(codes[i]);
        CHECK(EVENTUALLY(!fake_vendor_reads(device)), (uint64_t)i);
        CHECK(tells(device, "lost"), (uint64_t)i);
        (void)fake_vendor_sample(device);
        CHECK(EVENTUALLY(sn_device_trouble(device)[0] == '\0'), (uint64_t)i);
    }
    sn_device_free(device);
}

static void calibration_is_done_or_asked_for(void** state) {
    (void)state;
    hd.reset();
    calibrate(0x5002, 4);
    sn_device* device = fake_vendor_open("openhaptics");
    CHECK(tells(device, "inkwell"), 0);
    calibrate(0x5001, 4); // into the inkwell: the driver updates it
    CHECK(EVENTUALLY(sn_device_trouble(device)[0] == '\0'), 0);
    sn_device_free(device);
    calibrate(0x5002, 1);
    device = fake_vendor_open("openhaptics");
    CHECK(tells(device, "reset position"), 0);
    sn_device_free(device);
    calibrate(0x5002, 2);
    device = fake_vendor_open("openhaptics");
    CHECK(tells(device, "move the handle"), 0);
    sn_device_free(device);
}

static void configured_devices_are_listed(void** state) {
    (void)state;
    char home[64], path[512], why[512];
    sn_device_found found[4];
    make_scratch_folder(home);
    setenv("GTDD_HOME", home, 1);
    CHECK(sni_openhaptics_driver()->list(found, 4, why, sizeof why) == 0, 0);
    CHECK(strstr(why, "Touch_Setup"), 0);
    (void)snprintf(path, sizeof path, "%s/config", home);
    CHECK(mkdir(path, 0700) == 0, 0);
    (void)snprintf(path, sizeof path, "%s/config/Left Device.config", home);
    FILE* file = fopen(path, "w");
    CHECK(file != NULL, 0);
    fclose(file);
    CHECK(sni_openhaptics_driver()->list(found, 4, why, sizeof why) == 1, 0);
    CHECK(strcmp(found[0].word, "openhaptics:Left Device") == 0 && !why[0], 0);
    CHECK(sni_openhaptics_driver()->list(found, 0, why, sizeof why) == 1, 0);
    remove(path);
    (void)snprintf(path, sizeof path, "%s/config", home);
    remove(path);
    remove(home);
    unsetenv("GTDD_HOME");
}

static void every_call_may_fail_at_opening(void** state) {
    (void)state;
    fake_vendor_fails_at_opening(&hd);
}
static void every_call_may_fail_in_mid_run(void** state) {
    (void)state;
    fake_vendor_fails_in_run(&hd);
}
static void every_call_may_block_at_opening(void** state) {
    (void)state;
    fake_vendor_blocks_at_opening(&hd);
}
static void every_call_may_block_in_mid_run(void** state) {
    (void)state;
    fake_vendor_blocks_in_run(&hd);
}
static void what_is_not_finite_is_not_passed_on(void** state) {
    (void)state;
    fake_vendor_gives_nan(&hd);
}
static void a_dead_loop_leaves_no_force(void** state) {
    (void)state;
    fake_vendor_loses_its_loop(&hd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_come_in_metres_about_the_middle_in_our_axes),
        cmocka_unit_test(a_turn_about_up_is_a_turn_about_up),
        cmocka_unit_test(forces_go_out_in_newtons_in_their_axes),
        cmocka_unit_test(torques_go_out_in_millinewton_metres),
        cmocka_unit_test(the_profile_is_that_of_the_model_and_never_above_what_it_reports),
        cmocka_unit_test(the_default_is_found_by_its_old_name),
        cmocka_unit_test(a_name_that_is_not_there_is_said),
        cmocka_unit_test(two_devices_are_two),
        cmocka_unit_test(errors_of_the_vendor_become_words_and_pass),
        cmocka_unit_test(an_unplugged_device_is_told_and_opened_again),
        cmocka_unit_test(calibration_is_done_or_asked_for),
        cmocka_unit_test(configured_devices_are_listed),
        cmocka_unit_test(what_is_not_finite_is_not_passed_on),
        cmocka_unit_test(a_dead_loop_leaves_no_force),
        cmocka_unit_test(every_call_may_fail_at_opening),
        cmocka_unit_test(every_call_may_fail_in_mid_run),
        cmocka_unit_test(every_call_may_block_at_opening),
        cmocka_unit_test(every_call_may_block_in_mid_run),
    };
    return cmocka_run_group_tests(tests, load, NULL);
}
