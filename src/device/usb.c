// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "device/usb.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_MOST = 512 };

/// The first word of an attribute; "" when there is none.
static void read_attribute(const char* sys, const char* device, const char* name, char* word,
                           size_t room) {
    char path[PATH_MOST];
    word[0] = '\0';
    if (snprintf(path, sizeof path, "%s/%s/%s", sys, device, name) >= (int)sizeof path) return;
    FILE* file = fopen(path, "r");
    if (!file) return;
    if (!fgets(word, (int)room, file)) word[0] = '\0';
    word[strcspn(word, " \n")] = '\0';
    fclose(file);
}

static bool is_wanted(const char* sys, const char* device, const char* id) {
    char vendor[8], product[8], both[20];
    read_attribute(sys, device, "idVendor", vendor, sizeof vendor);
    if (!vendor[0]) return false; // an interface or a hub's port
    read_attribute(sys, device, "idProduct", product, sizeof product);
    (void)snprintf(both, sizeof both, "%s:%s", vendor, product);
    return strncmp(both, id, strlen(id)) == 0;
}

static void node_of(const char* sys, const char* device, const char* dev, char* node, size_t room) {
    char bus[8], number[8];
    read_attribute(sys, device, "busnum", bus, sizeof bus);
    read_attribute(sys, device, "devnum", number, sizeof number);
    (void)snprintf(node, room, "%s/%03d/%03d", dev, atoi(bus), atoi(number));
}

sni_usb_state sni_usb_find(const char* id, const char* sys, const char* dev, char* node,
                           size_t room) {
    sni_usb_state state = SNI_USB_ABSENT;
    if (!sys) sys = "/sys/bus/usb/devices";
    if (!dev) dev = "/dev/bus/usb";
    DIR* directory = opendir(sys);
    if (!directory) return state;
    for (struct dirent* e; state != SNI_USB_REFUSED && (e = readdir(directory));) {
        if (e->d_name[0] == '.' || !is_wanted(sys, e->d_name, id)) continue;
        node_of(sys, e->d_name, dev, node, room);
        state = access(node, R_OK | W_OK) == 0 ? SNI_USB_USABLE : SNI_USB_REFUSED;
    }
    closedir(directory);
    return state;
}
