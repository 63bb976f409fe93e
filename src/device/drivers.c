// SPDX-License-Identifier: Apache-2.0
// The list of drivers, and opening by name.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest.h"
#include "device/sn_device.h"
#include "sinew/simulated_device.h"

enum { DRIVERS_MOST = 32, NAME_MOST = 32 };

static const sn_driver* (*const ours[])(void) = {
    sn_simulated_driver,
    sni_openhaptics_driver,
    sni_forcedimension_driver,
};
enum { OURS = sizeof ours / sizeof ours[0] };

// Of the process, as the vendors' libraries are.
static const sn_driver* added[DRIVERS_MOST];
static int added_count;

int sn_driver_count(void) { return OURS + added_count; }

const sn_driver* sn_driver_at(int i) {
    if (i < 0 || i >= sn_driver_count()) return NULL;
    return i < OURS ? ours[i]() : added[i - OURS];
}

static const sn_driver* find(const char* name) {
    for (int i = 0; i < sn_driver_count(); i++)
        if (strcmp(sn_driver_at(i)->name, name) == 0) return sn_driver_at(i);
    return NULL;
}

// ---- adding -------------------------------------------------------------------------------------------------------

/// A name is what can stand before a colon.
static bool is_name(const char* name) {
    size_t n = name ? strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") : 0;
    return n > 0 && n < NAME_MOST && name[n] == '\0';
}

sn_status sn_driver_add(const sn_driver* driver, sn_error* error) {
    if (!driver || !is_name(driver->name))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "a driver needs a name of small letters, digits, - and _");
    if (!driver->about || !driver->list || !driver->open)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "driver '%s' lacks %s", driver->name,
                        !driver->about  ? "a line about it"
                        : !driver->list ? "the function `list`"
                                        : "the function `open`");
    if (find(driver->name))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "there is a driver '%s' already",
                        driver->name);
    if (added_count == DRIVERS_MOST)
        return sni_fail(error, SN_ERR_CAPACITY, sni_nowhere(), "%d drivers were added already",
                        DRIVERS_MOST);
    added[added_count++] = driver;
    return SN_OK;
}

sn_status sn_driver_load(const char* path, sn_error* error) {
    static const char* const ENTRY = "sn_driver_of_library_1";
    const sn_driver* (*entry)(void) = NULL;
    sn_place place = {path, 0, 0};
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return sni_fail(error, SN_ERR_FILE, place, "the driver cannot be loaded: %s", dlerror());
    void* symbol = dlsym(library, ENTRY);
    memcpy(&entry, &symbol, sizeof entry); // to a pointer to a function
    if (!entry)
        return sni_fail(
            error, SN_ERR_FORMAT, place,
            "it exports no %s; SN_DRIVER_EXPORT makes it, and a library made for another "
            "version of sinew must be built again",
            ENTRY);
    return sn_driver_add(entry(), error);
}

// ---- opening ------------------------------------------------------------------------------------------------------

static sn_status say_unknown(const char* name, sn_error* error) {
    sni_nearest search = {.wanted = name};
    char all[256] = "";
    for (int i = 0; i < sn_driver_count(); i++) {
        const char* known = sn_driver_at(i)->name;
        size_t used = strlen(all);
        sni_nearest_offer(&search, known);
        (void)snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", known);
    }
    if (search.best)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "there is no driver '%s'; did you mean '%s'?", name, search.best);
    return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "there is no driver '%s'; there are %s",
                    name, all);
}

sn_status sn_device_open(const char* word, sn_device** device, sn_error* error) {
    char name[NAME_MOST];
    if (!device) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "no place for the device");
    *device = NULL;
    if (!word || !word[0])
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "no device named; such as 'openhaptics' or 'forcedimension:0'");
    size_t length = strcspn(word, ":");
    (void)snprintf(name, sizeof name, "%.*s", (int)length, word);
    const sn_driver* driver = find(name);
    if (!driver) return say_unknown(name, error);
    return driver->open(word[length] ? word + length + 1 : "", device, error);
}
