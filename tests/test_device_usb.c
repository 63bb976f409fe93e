// SPDX-License-Identifier: Apache-2.0
// A tree of files as the kernel shows devices on USB.
#define _POSIX_C_SOURCE 200809L
#include "device/usb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"
#include "support/loading.h"

static char root[64];
static char sys[128], dev[128];

static void write_file(const char* folder, const char* name, const char* text) {
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "w");
    CHECK(file != NULL, 0);
    fputs(text, file);
    fclose(file);
}

static void plug_in(const char* name, const char* vendor, const char* product, const char* number) {
    char folder[256];
    (void)snprintf(folder, sizeof folder, "%s/%s", sys, name);
    CHECK(mkdir(folder, 0700) == 0, 0);
    write_file(folder, "idVendor", vendor);
    write_file(folder, "idProduct", product);
    write_file(folder, "busnum", "2\n");
    write_file(folder, "devnum", number);
}

static int make_tree(void** state) {
    char folder[256];
    (void)state;
    make_scratch_folder(root);
    (void)snprintf(sys, sizeof sys, "%s/sys", root);
    (void)snprintf(dev, sizeof dev, "%s/dev", root);
    (void)snprintf(folder, sizeof folder, "%s/dev/002", root);
    if (mkdir(sys, 0700) || mkdir(dev, 0700) || mkdir(folder, 0700)) return -1;
    plug_in("usb2", "1d6b\n", "0002\n", "1\n");
    plug_in("2-1", "1451\n", "0402\n", "7\n");
    plug_in("2-2", "0403\n", "6001\n", "8\n");
    (void)snprintf(folder, sizeof folder, "%s/2-1:1.0", sys); // an interface
    if (mkdir(folder, 0700)) return -1;
    (void)snprintf(folder, sizeof folder, "%s/dev/002", root);
    write_file(folder, "007", "");
    return 0;
}

static int remove_tree(void** state) {
    char command[128];
    (void)state;
    (void)snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

static void a_device_is_found_by_vendor(void** state) {
    char node[256] = "";
    (void)state;
    CHECK(sni_usb_find("1451:", sys, dev, node, sizeof node) == SNI_USB_USABLE, 0);
    CHECK(strstr(node, "/dev/002/007"), 0);
}

static void one_without_permission_is_refused(void** state) {
    char node[256] = "";
    (void)state;
    // its file is missing: not to be used by anybody, the administrator included
    CHECK(sni_usb_find("0403:6001", sys, dev, node, sizeof node) == SNI_USB_REFUSED, 0);
    CHECK(strstr(node, "/dev/002/008"), 0);
}

static void one_of_another_product_is_another(void** state) {
    char node[256];
    (void)state;
    CHECK(sni_usb_find("0403:cb48", sys, dev, node, sizeof node) == SNI_USB_ABSENT, 0);
    CHECK(sni_usb_find("9999:", sys, dev, node, sizeof node) == SNI_USB_ABSENT, 0);
}

static void a_machine_without_usb_has_none(void** state) {
    char node[256];
    (void)state;
    CHECK(sni_usb_find("1451:", "/nowhere", dev, node, sizeof node) == SNI_USB_ABSENT, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_is_found_by_vendor),
        cmocka_unit_test(one_without_permission_is_refused),
        cmocka_unit_test(one_of_another_product_is_another),
        cmocka_unit_test(a_machine_without_usb_has_none),
    };
    return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
