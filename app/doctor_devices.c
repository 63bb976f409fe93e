// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <glob.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doctor.h"
#include "sinew/device.h"

enum { FOUND_MOST = 16, PATH_ROOM = 512, LINE_ROOM = 1024, GROUPS_MOST = 256 };

// ---- drivers ----------------------------------------------------------------------------------------------------

/// What is there but does not work is worse than what is not there.
static verdict verdict_on(const char* why) {
    static const char* const bad[] = {"cannot be loaded", "has no function", "may not be written",
                                      "does not return", "is not at"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (strstr(why, bad[i])) return VERDICT_BROKEN;
    return VERDICT_BETTER;
}

static void look_at_driver(findings* list, const sn_driver* driver) {
    sn_device_found found[FOUND_MOST];
    char why[LINE_ROOM] = "";
    int count = driver->list(found, FOUND_MOST, why, sizeof why);
    if (count > 0) {
        doctor_find(list, driver->name, VERDICT_FINE, "%d device%s; `sinew devices --try '%s'`",
                    count, count > 1 ? "s" : "", found[0].word);
        return;
    }
    char* remedy = strstr(why, "; "); // what is wrong; what to do
    if (remedy) *remedy = '\0';
    finding* f = doctor_find(list, driver->name, verdict_on(why), "%.500s", why);
    doctor_advise(f, "%.500s", remedy ? remedy + 2 : "");
}

// ---- permissions ------------------------------------------------------------------------------------------------

static bool file_says(const char* path, const char* text) {
    char line[LINE_ROOM];
    bool found = false;
    FILE* file = fopen(path, "r");
    if (!file) return false;
    while (!found && fgets(line, sizeof line, file)) found = line[0] != '#' && strstr(line, text);
    fclose(file);
    return found;
}

static bool rules_say(const char* root, const char* folder, const char* text) {
    char pattern[PATH_ROOM];
    glob_t files;
    bool found = false;
    (void)snprintf(pattern, sizeof pattern, "%s%s/*.rules", root, folder);
    if (glob(pattern, 0, NULL, &files)) return false;
    for (size_t i = 0; i < files.gl_pathc && !found; i++)
        found = file_says(files.gl_pathv[i], text);
    globfree(&files);
    return found;
}

static void look_at_udev(findings* list, const char* root) {
    static const char* const folders[] = {"/etc/udev/rules.d", "/run/udev/rules.d",
                                          "/usr/lib/udev/rules.d", "/lib/udev/rules.d"};
    bool found = false;
    for (int i = 0; i < 4 && !found; i++) found = rules_say(root, folders[i], "\"1451\"");
    if (found) {
        doctor_find(list, "udev rules", VERDICT_FINE, "Force Dimension devices (USB 1451)");
        return;
    }
    if (geteuid() == 0) {
        doctor_find(list, "udev rules", VERDICT_FINE,
                    "none for Force Dimension devices; the administrator needs none");
        return;
    }
    finding* f = doctor_find(list, "udev rules", VERDICT_BETTER,
                             "none for Force Dimension devices (USB 1451): only the administrator "
                             "could use one");
    doctor_advise(f,
                  "echo 'SUBSYSTEM==\"usb\", ATTR{idVendor}==\"1451\", MODE=\"0666\"' | sudo tee "
                  "/etc/udev/rules.d/51-forcedimension.rules; sudo udevadm control --reload; plug "
                  "the device in again");
}

static bool is_member(gid_t group) {
    gid_t groups[GROUPS_MOST];
    int count = getgroups(GROUPS_MOST, groups);
    for (int i = 0; i < count; i++)
        if (groups[i] == group) return true;
    return getegid() == group;
}

static void look_at_groups(findings* list) {
    const struct group* dialout = getgrnam("dialout");
    if (geteuid() == 0 || !dialout || is_member(dialout->gr_gid)) {
        doctor_find(list, "groups", VERDICT_FINE, "%s",
                    geteuid() == 0 ? "administrator" : "dialout, for a Touch by USB");
        return;
    }
    finding* f = doctor_find(list, "groups", VERDICT_BETTER,
                             "you are not in the group dialout, which a Touch by USB needs");
    doctor_advise(f, "sudo adduser $USER dialout; log in again");
}

void doctor_look_at_devices(findings* list, const char* root) {
    look_at_udev(list, root);
    look_at_groups(list);
    for (int i = 0; i < sn_driver_count(); i++) look_at_driver(list, sn_driver_at(i));
}
