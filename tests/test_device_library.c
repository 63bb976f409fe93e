// SPDX-License-Identifier: Apache-2.0
// Vendors' libraries that are not as they should be, and what is said of them.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>

#include "device/sn_device.h"
#include "support/check.h"
#include "support/loading.h"

typedef struct vendor {
    const sn_driver* (*driver)(void);
    const char* file;
    const char* lacking;
    const char* lacks;
    const char* variable;
    const char* source; ///< of the library, in the words that are said
} vendor;

static const vendor vendors[] = {
    {sni_openhaptics_driver, "libHD.so", "libHD_lacking.so", "hdEndFrame", "SINEW_OPENHAPTICS",
     "3D Systems"},
    {sni_forcedimension_driver, "libdrd.so", "libdrd_lacking.so", "dhdGetLinearVelocity",
     "SINEW_FORCEDIMENSION", "forcedimension.com"},
};
enum { VENDORS = 2 };

/// Neither list nor open works with the library at `path`, and both say `text`.
static void is_refused(const vendor* v, const char* path, const char* text) {
    sn_device* device = NULL;
    sn_error error = {0};
    sn_device_found found[1];
    char why[600];
    setenv(v->variable, path, 1);
    CHECK(v->driver()->list(found, 1, why, sizeof why) == 0, 0);
    check_context(why);
    CHECK(strstr(why, text), 0);
    CHECK(v->driver()->open("", &device, &error) == SN_ERR_FILE && !device, 0);
    CHECK(strstr(error.text, text), 0);
    check_context(NULL);
}

static void one_that_is_missing_says_what_to_install(void** state) {
    (void)state;
    char home[64], *before = getenv("HOME");
    make_scratch_folder(home);
    setenv("HOME", home, 1);
    for (int i = 0; i < VENDORS; i++) {
        sn_device_found found[1];
        char why[600];
        unsetenv(vendors[i].variable);
        if (vendors[i].driver()->list(found, 1, why, sizeof why) > 0 ||
            !strstr(why, "not installed"))
            skip(); // this machine has the vendor's own
        CHECK(strstr(why, vendors[i].source) && strstr(why, vendors[i].variable), 0);
        is_refused(&vendors[i], "/nowhere/lib.so", "not at /nowhere/lib.so");
    }
    if (before) setenv("HOME", before, 1);
    remove(home);
}

/// A library with these bytes, in a folder of its own, is refused by a vendor's driver.
static void bytes_are_refused(const vendor* v, const void* bytes, size_t size) {
    char folder[64], path[80];
    make_scratch_folder(folder);
    (void)snprintf(path, sizeof path, "%s/lib.so", folder);
    FILE* file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0, 0);
    is_refused(v, path, "cannot be loaded");
    remove(path);
    remove(folder);
}

static void one_that_is_garbage_is_not_loaded(void** state) {
    (void)state;
    char bytes[4096];
    memset(bytes, 'x', sizeof bytes);
    for (int i = 0; i < VENDORS; i++) bytes_are_refused(&vendors[i], bytes, sizeof bytes);
}

static void one_of_another_machine_is_not_loaded(void** state) {
    (void)state;
    enum { MACHINE = 18, SIZE = 1 << 20 }; // where an ELF file says it
    static unsigned char bytes[SIZE];
    for (int i = 0; i < VENDORS; i++) {
        char source[512];
        (void)snprintf(source, sizeof source, "%s/%s", SN_TEST_FAKE_DIR, vendors[i].file);
        FILE* file = fopen(source, "rb");
        CHECK(file != NULL, 0);
        size_t size = fread(bytes, 1, SIZE, file);
        fclose(file);
        bytes[MACHINE] ^= 0x55;
        bytes_are_refused(&vendors[i], bytes, size);
    }
}

static void one_that_lacks_a_function_is_named(void** state) {
    (void)state;
    for (int i = 0; i < VENDORS; i++) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s", SN_TEST_FAKE_DIR, vendors[i].lacking);
        is_refused(&vendors[i], path, vendors[i].lacks);
    }
}

/// After all this, one that is good is found. Last, because a library that was loaded stays.
static void a_good_one_is_taken_in_the_end(void** state) {
    (void)state;
    for (int i = 0; i < VENDORS; i++) {
        char path[512];
        sn_device* device = NULL;
        sn_error error = {0};
        (void)snprintf(path, sizeof path, "%s/%s", SN_TEST_FAKE_DIR, vendors[i].file);
        setenv(vendors[i].variable, path, 1);
        CHECK_STATUS(vendors[i].driver()->open("", &device, &error), SN_OK);
        sn_device_free(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_is_missing_says_what_to_install),
        cmocka_unit_test(one_that_is_garbage_is_not_loaded),
        cmocka_unit_test(one_of_another_machine_is_not_loaded),
        cmocka_unit_test(one_that_lacks_a_function_is_named),
        cmocka_unit_test(a_good_one_is_taken_in_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
