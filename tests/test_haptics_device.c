// SPDX-License-Identifier: Apache-2.0
// Devices: what a driver gives and takes is checked; profiles make sense; scripts and recordings are devices too.
#include <math.h>
#include <string.h>

#include "sinew/certify.h"
#include "sinew/simulated_device.h"
#include "support/check.h"

/// A driver that gives what it is told to.
typedef struct fake {
    sn_device_sample sample;
    sn_device_force force;
    sn_status status;
    int closed;
} fake;

static sn_status fake_read(void* memory, int64_t now_ns, sn_device_sample* sample) {
    (void)now_ns;
    *sample = ((fake*)memory)->sample;
    return ((fake*)memory)->status;
}
static sn_status fake_write(void* memory, int64_t now_ns, const sn_device_force* force) {
    (void)now_ns;
    ((fake*)memory)->force = *force;
    return ((fake*)memory)->status;
}
static void fake_close(void* memory) { ((fake*)memory)->closed++; }
static const char* fake_trouble(void* memory) { return ((fake*)memory)->status ? "broken" : ""; }

static const sn_device_ops fake_ops = {fake_read, fake_write, fake_close, fake_trouble};

static sn_device_profile touch(void) {
    sn_device_profile p;
    CHECK(sn_device_profile_find("touch", &p), 0);
    return p;
}

static fake fake_well(void) {
    fake f;
    memset(&f, 0, sizeof f);
    f.sample.pose = sn_pose_identity();
    return f;
}

static void samples_that_are_not_finite_or_go_back_are_refused(void** state) {
    (void)state;
    fake f = fake_well();
    sn_device_profile p = touch();
    sn_device* device;
    sn_device_sample sample;
    CHECK_STATUS(sn_device_create(&fake_ops, &f, &p, &device, NULL), SN_OK);
    double* places[] = {&f.sample.pose.p.y, &f.sample.pose.R.m[1][2], &f.sample.velocity.v.z,
                        &f.sample.velocity.w.x, &f.sample.gripper};
    f.sample.time_ns = 5;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        double was = *places[i];
        CHECK_STATUS(sn_device_read(device, 5, &sample), SN_OK);
        *places[i] = i % 2 ? NAN : INFINITY;
        CHECK_STATUS(sn_device_read(device, 5, &sample), SN_ERR_NUMERIC);
        *places[i] = was;
    }
    f.sample.time_ns = 4;
    CHECK_STATUS(sn_device_read(device, 5, &sample), SN_ERR_NUMERIC);
    CHECK_STATUS(sn_device_read(device, 5, &sample), SN_OK); // a jump costs one sample
    f.status = SN_ERR_FAULT;
    CHECK_STATUS(sn_device_read(device, 5, &sample), SN_ERR_FAULT);
    assert_string_equal(sn_device_trouble(device), "broken");
    sn_device_free(device);
    CHECK(f.closed == 1, 0);
}

static void forces_that_are_not_finite_are_written_as_zero(void** state) {
    (void)state;
    fake f = fake_well();
    sn_device_profile p = touch();
    sn_device* device;
    CHECK_STATUS(sn_device_create(&fake_ops, &f, &p, &device, NULL), SN_OK);
    sn_device_force force = {{1, 2, 3}, {4, 5, 6}};
    CHECK_STATUS(sn_device_write(device, 0, &force), SN_OK);
    CHECK(memcmp(&f.force, &force, sizeof force) == 0, 0);
    force.torque.y = NAN;
    CHECK_STATUS(sn_device_write(device, 0, &force), SN_ERR_NUMERIC);
    CHECK(f.force.force.x == 0 && f.force.torque.y == 0 && f.force.torque.z == 0, 0);
    CHECK(strcmp(sn_device_profile_of(device)->name, "touch") == 0, 0);
    CHECK(sn_device_trouble(device)[0] == 0, 0);
    sn_device_free(device);
    sn_device_free(NULL);
}

static void a_device_that_cannot_be_made_is_closed_at_once(void** state) {
    (void)state;
    sn_device* device;
    sn_error error;
    for (int k = 0; k < 12; k++) {
        fake f = fake_well();
        sn_device_profile p = touch();
        sn_device_ops ops = fake_ops;
        if (k == 0) ops.read = NULL;
        if (k == 1) ops.write = NULL;
        if (k == 2) p.inputs = 4;
        if (k == 3) p.outputs = 5;
        if (k == 4) p.inputs = 3, p.outputs = 6;
        if (k == 5) p.buttons = 33;
        if (k == 6) p.stiffness = -1;
        if (k == 7) p.turn_speed_limit = NAN;
        if (k == 8) p.name[0] = 0;
        if (k == 9) memset(p.name, 'x', sizeof p.name);
        if (k == 10) p.peak_force = 0;
        error.text[0] = 0;
        CHECK_STATUS(sn_device_create(&ops, &f, k == 11 ? NULL : &p, &device, &error),
                     SN_ERR_ARGUMENT);
        CHECK(!device && f.closed == 1 && error.text[0], 0);
    }
    sn_device_profile p = touch();
    sn_device_ops none = {0};
    CHECK_STATUS(sn_device_create(&none, NULL, &p, &device, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_device_create(NULL, NULL, &p, &device, &error), SN_ERR_ARGUMENT);
}

static void every_profile_is_found_by_name_and_loses_passivity_where_it_is_rated(void** state) {
    (void)state;
    sn_device_profile p, again;
    int count = 0;
    for (; sn_device_profile_at(count, &p); count++) {
        check_context(p.name);
        CHECK(sn_device_profile_find(p.name, &again) && memcmp(&p, &again, sizeof p) == 0, 0);
        CHECK(p.continuous_force <= p.peak_force && p.continuous_torque <= p.peak_torque, 0);
        CHECK(p.mass > 0 && p.workspace > 0 && p.speed_limit > 0, 0);
        CHECK((p.outputs == 6) == (p.peak_torque > 0), 0);
        CHECK(!p.enable_button || p.buttons > 1, 0);
        CHECK_RELATIVE(p.friction_viscous / (0.5e-3 + p.lag + p.latency), p.stiffness, TOL_ROUNDOFF,
                       0);
        fake f = fake_well();
        sn_device* device;
        CHECK_STATUS(sn_device_create(&fake_ops, &f, &p, &device, NULL), SN_OK);
        sn_device_free(device);
    }
    check_context(NULL);
    CHECK(count == 13, 0);
    CHECK(!sn_device_profile_at(-1, &p) && !sn_device_profile_find("inverse3", &p), 0);
}

static sn_hand_script* some_script(void) {
    const char text[] = "0 0 0 0\n1 0.1 0 0 0 0 1 2\n";
    sn_hand_script* script;
    CHECK_STATUS(sn_hand_script_parse(text, strlen(text), "test", &script, NULL), SN_OK);
    return script;
}

static void a_scripted_device_is_where_its_script_says_and_keeps_forces(void** state) {
    (void)state;
    sn_hand_script* script = some_script();
    sn_device_profile p = touch();
    sn_device* device;
    CHECK_STATUS(sn_scripted_device_create(&p, script, 3, &device, NULL), SN_OK);
    const int64_t start = 7000000000;
    for (int i = 0; i < 5; i++) {
        sn_device_sample sample;
        sn_hand_intent want;
        int64_t now = start + 300000000 * (int64_t)i;
        CHECK_STATUS(sn_device_read(device, now, &sample), SN_OK);
        sn_hand_script_at(script, 0.3 * i, &want);
        CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(sample.pose.p, want.pose.p)), 0, TOL_ROUNDOFF, 0);
        CHECK_NEAR(sample.pose.R.m[0][1], want.pose.R.m[0][1], TOL_ROUNDOFF, 0);
        CHECK(sample.time_ns == now && sample.buttons == want.buttons, 0);
        sn_device_force force = {{i, 0, 0}, {0, 0, 0}};
        CHECK_STATUS(sn_device_write(device, now, &force), SN_OK);
    }
    const sn_written_force* forces;
    int64_t written;
    CHECK(sn_scripted_device_forces(device, &forces, &written) == 3 && written == 5, 0);
    CHECK(forces[2].force.force.x == 2 && forces[2].time_ns == start + 600000000, 0);
    sn_device_free(device);
    p.inputs = 3;
    CHECK_STATUS(sn_scripted_device_create(&p, script, 0, &device, NULL), SN_OK);
    sn_device_sample sample;
    CHECK_STATUS(sn_device_read(device, 0, &sample), SN_OK);
    CHECK_STATUS(sn_device_read(device, 2000000000, &sample), SN_OK);
    CHECK(sample.pose.R.m[0][0] == 1 && sample.pose.p.x == 0.1, 0);
    sn_device_free(device);
    sn_error error;
    CHECK_STATUS(sn_scripted_device_create(&p, NULL, 0, &device, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_scripted_device_create(&p, script, -1, &device, &error), SN_ERR_ARGUMENT);
    CHECK(sn_scripted_device_forces(NULL, &forces, &written) == 0 && !forces, 0);
    sn_hand_script_free(script);
}

static void a_replayed_device_keeps_the_pace_and_rests_at_the_end(void** state) {
    (void)state;
    sn_device_sample samples[3];
    memset(samples, 0, sizeof samples);
    for (int i = 0; i < 3; i++) {
        samples[i].time_ns = 1000 + 10 * i;
        samples[i].pose = sn_pose_identity();
        samples[i].pose.p.x = i;
        samples[i].velocity.v.x = 1;
        samples[i].buttons = 1u << i;
    }
    sn_device_profile p = touch();
    sn_device* device;
    sn_device_sample s;
    sn_device_force force = {{1, 0, 0}, {0, 0, 0}};
    CHECK_STATUS(sn_replayed_device_create(&p, samples, 3, &device, NULL), SN_OK);
    const int when[] = {0, 9, 10, 19, 20, 500}, which[] = {0, 0, 1, 1, 2, 2};
    for (int i = 0; i < 6; i++) {
        CHECK_STATUS(sn_device_read(device, 50 + when[i], &s), SN_OK);
        CHECK(s.pose.p.x == which[i] && s.time_ns == 50 + when[i] && s.buttons == 1u << which[i],
              0);
        CHECK_STATUS(sn_device_write(device, 50 + when[i], &force), SN_OK);
    }
    CHECK(s.velocity.v.x == 0, 0);
    sn_device_free(device);
    sn_error error;
    CHECK_STATUS(sn_replayed_device_create(&p, samples, 0, &device, &error), SN_ERR_ARGUMENT);
    samples[1].time_ns = 0;
    CHECK_STATUS(sn_replayed_device_create(&p, samples, 3, &device, &error), SN_ERR_ARGUMENT);
    samples[1].time_ns = 1000, samples[1].gripper = NAN;
    CHECK_STATUS(sn_replayed_device_create(&p, samples, 3, &device, &error), SN_ERR_ARGUMENT);
}

static void the_driver_opens_every_device_that_it_lists(void** state) {
    (void)state;
    const sn_driver* driver = sn_simulated_driver();
    sn_device_found found[32];
    char why[64] = "x";
    sn_device* device;
    sn_error error;
    assert_string_equal(driver->name, "sim");
    int count = driver->list(found, 32, why, sizeof why);
    CHECK(count == 13 && why[0] == 0 && driver->list(found, 2, why, sizeof why) == 13, 0);
    for (int i = 0; i < count; i++) {
        CHECK(strncmp(found[i].word, "sim:", 4) == 0 && found[i].about[0], 0);
        CHECK_STATUS(driver->open(found[i].word + 4, &device, &error), SN_OK);
        CHECK(strcmp(sn_device_profile_of(device)->name, found[i].word + 4) == 0, 0);
        sn_device_free(device);
    }
    const char* good[] = {"", "omega3,firm", ",none"};
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(driver->open(good[i], &device, &error), SN_OK);
        sn_device_free(device);
    }
    const char* bad[] = {"phantom", "touch,strong",
                         "a name that is longer than any that a profile may have"};
    for (int i = 0; i < 3; i++) {
        error.text[0] = 0;
        CHECK_STATUS(driver->open(bad[i], &device, &error), SN_ERR_ARGUMENT);
        CHECK(!device && error.text[0], 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_that_are_not_finite_or_go_back_are_refused),
        cmocka_unit_test(forces_that_are_not_finite_are_written_as_zero),
        cmocka_unit_test(a_device_that_cannot_be_made_is_closed_at_once),
        cmocka_unit_test(every_profile_is_found_by_name_and_loses_passivity_where_it_is_rated),
        cmocka_unit_test(a_scripted_device_is_where_its_script_says_and_keeps_forces),
        cmocka_unit_test(a_replayed_device_keeps_the_pace_and_rests_at_the_end),
        cmocka_unit_test(the_driver_opens_every_device_that_it_lists),
    };
    return cmocka_run_group_tests_name("haptics_device", tests, NULL, NULL);
}
