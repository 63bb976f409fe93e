// SPDX-License-Identifier: Apache-2.0
// The list of drivers, and the example of one.
#include <stdio.h>
#include <string.h>

#include "device/sn_device.h"
#include "support/check.h"

static int list_none(sn_device_found* found, int most, char* why, size_t room) {
    (void)found, (void)most;
    (void)snprintf(why, room, "none");
    return 0;
}

static char opened[64];
static sn_status remember(const char* rest, sn_device** device, sn_error* error) {
    (void)device, (void)error;
    (void)snprintf(opened, sizeof opened, "%s", rest);
    return SN_ERR_FAULT;
}

static const sn_driver mine = {"mine", "of this test", list_none, remember};

static bool is_there(const char* name) {
    for (int i = 0; i < sn_driver_count(); i++)
        if (strcmp(sn_driver_at(i)->name, name) == 0) return true;
    return false;
}

static void ours_are_there(void** state) {
    (void)state;
    CHECK(is_there("openhaptics") && is_there("forcedimension") && !is_there("mine"), 0);
    CHECK(!sn_driver_at(-1) && !sn_driver_at(sn_driver_count()), 0);
}

static void an_added_driver_gets_what_follows_the_colon(void** state) {
    (void)state;
    sn_device* device = NULL;
    int before = sn_driver_count();
    CHECK_STATUS(sn_driver_add(&mine, NULL), SN_OK);
    CHECK(sn_driver_count() == before + 1 && sn_driver_at(before) == &mine, 0);
    CHECK_STATUS(sn_device_open("mine:a:b c", &device, NULL), SN_ERR_FAULT);
    CHECK(strcmp(opened, "a:b c") == 0, 0);
    CHECK_STATUS(sn_device_open("mine", &device, NULL), SN_ERR_FAULT);
    CHECK(opened[0] == '\0', 0);
}

static void a_driver_that_is_not_whole_or_not_new_is_refused(void** state) {
    (void)state;
    sn_driver bad[] = {mine, mine, mine, mine, mine, mine};
    static const char* const texts[] = {"already", "name", "name", "`list`", "`open`", "a line"};
    bad[1].name = "Big";
    bad[2].name = NULL;
    bad[3].name = "no_list", bad[3].list = NULL;
    bad[4].name = "no_open", bad[4].open = NULL;
    bad[5].name = "no_about", bad[5].about = NULL;
    for (int i = 0; i < 6; i++) {
        sn_error error = {0};
        CHECK_STATUS(sn_driver_add(&bad[i], &error), SN_ERR_ARGUMENT);
        CHECK(strstr(error.text, texts[i]), (uint64_t)i);
    }
    CHECK_STATUS(sn_driver_add(NULL, NULL), SN_ERR_ARGUMENT);
}

static void a_word_that_is_nearly_right_is_understood(void** state) {
    (void)state;
    static const struct {
        const char *word, *text;
    } cases[] = {{"openhaptic:x", "did you mean 'openhaptics'"},
                 {"forcedimensions", "did you mean 'forcedimension'"},
                 {"zzz", "openhaptics, forcedimension"},
                 {"", "no device named"},
                 {":x", "no driver"},
                 {"a_name_that_is_longer_than_any_name_of_a_driver_can_be:0", "no driver"}};
    for (int i = 0; i < 6; i++) {
        sn_device* device = (sn_device*)&i;
        sn_error error = {0};
        CHECK_STATUS(sn_device_open(cases[i].word, &device, &error), SN_ERR_ARGUMENT);
        CHECK(!device && strstr(error.text, cases[i].text), (uint64_t)i);
    }
    sn_error error = {0};
    sn_device* device;
    CHECK_STATUS(sn_device_open(NULL, &device, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_device_open("mine", NULL, &error), SN_ERR_ARGUMENT);
}

/// Constant force on a knob: it comes to rest where the spring holds it, p = f/k.
static void the_example_is_loaded_and_moves_by_its_spring(void** state) {
    (void)state;
    sn_device* device = NULL;
    sn_error error = {0};
    sn_device_sample sample = {0};
    const sn_device_force force = {{1, -0.5, 0.25}, {0, 0, 0}};
    CHECK_STATUS(sn_driver_load(SN_TEST_DRIVER_DIR "/knob.so", &error), SN_OK);
    CHECK_STATUS(sn_driver_load(SN_TEST_DRIVER_DIR "/knob.so", &error), SN_ERR_ARGUMENT);
    CHECK(strstr(error.text, "already"), 0);
    CHECK_STATUS(sn_device_open("knob", &device, &error), SN_OK);
    for (int64_t t = 1; t < 3000; t++) {
        CHECK_STATUS(sn_device_read(device, t * 1000000, &sample), SN_OK);
        CHECK_STATUS(sn_device_write(device, t * 1000000, &force), SN_OK);
    }
    const double rest[3] = {1 / 20.0, -0.5 / 20.0, 0.25 / 20.0};
    CHECK_VECTOR(&sample.pose.p.x, rest, 3, 1e-6, 0);
    CHECK(sn_device_trouble(device)[0] == '\0', 0);
    sn_device_free(device);
    CHECK_STATUS(sn_device_open("knob:stuck", &device, &error), SN_OK);
    CHECK_STATUS(sn_device_read(device, 0, &sample), SN_ERR_FAULT);
    CHECK(strstr(sn_device_trouble(device), "oil"), 0);
    sn_device_free(device);
    CHECK_STATUS(sn_device_open("knob:loose", &device, &error), SN_ERR_ARGUMENT);
    CHECK(strstr(error.text, "knob:loose"), 0);
}

static void a_file_that_is_no_driver_is_refused(void** state) {
    (void)state;
    sn_error error = {0};
    CHECK_STATUS(sn_driver_load("/nowhere/driver.so", &error), SN_ERR_FILE);
    CHECK(strcmp(error.file, "/nowhere/driver.so") == 0, 0);
    CHECK_STATUS(sn_driver_load(SN_TEST_FAKE_DIR "/libHD.so", &error), SN_ERR_FORMAT);
    CHECK(strstr(error.text, "SN_DRIVER_EXPORT"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ours_are_there),
        cmocka_unit_test(an_added_driver_gets_what_follows_the_colon),
        cmocka_unit_test(a_driver_that_is_not_whole_or_not_new_is_refused),
        cmocka_unit_test(a_word_that_is_nearly_right_is_understood),
        cmocka_unit_test(the_example_is_loaded_and_moves_by_its_spring),
        cmocka_unit_test(a_file_that_is_no_driver_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
