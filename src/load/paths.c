// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // realpath
#include "load/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool sni_path_is_file(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/// out = a + b + c; false (out empty) when it does not fit.
static bool join(char* out, size_t size, const char* a, const char* b, const char* c) {
    int length = snprintf(out, size, "%s%s%s", a, b, c);
    if (length >= 0 && (size_t)length < size) return true;
    out[0] = '\0';
    return false;
}

static bool starts_with(const char* text, const char* start) {
    return strncmp(text, start, strlen(start)) == 0;
}

/// Last component of a path, without trailing slashes, is `name`.
static bool ends_with_folder(const char* path, const char* name) {
    size_t length = strlen(path), wanted = strlen(name);
    while (length > 0 && path[length - 1] == '/') length--;
    if (length < wanted || memcmp(path + length - wanted, name, wanted) != 0) return false;
    return length == wanted || path[length - wanted - 1] == '/';
}

/// `folder` is the package itself, or holds it.
static bool package_at(const char* folder, const char* name, char* out, size_t size) {
    if (ends_with_folder(folder, name) && is_folder(folder)) return join(out, size, folder, "", "");
    return join(out, size, folder, "/", name) && is_folder(out);
}

static bool search_given(const sni_load* load, const char* name, char* out, size_t size) {
    const char** paths = load->def.package_paths;
    for (; paths && *paths; paths++)
        if (package_at(*paths, name, out, size)) return true;
    return false;
}

/// From the folder of the file being loaded up to the root.
static bool search_upwards(const sni_load* load, const char* name, char* out, size_t size) {
    char folder[SN_PATH_MAX];
    const char* slash = strrchr(load->file, '/');
    int length = slash ? (int)(slash - load->file) + 1 : 1;
    int needed = snprintf(folder, sizeof folder, "%.*s", length, slash ? load->file : ".");
    if (needed < 0 || (size_t)needed >= sizeof folder) return false;
    char* full = realpath(folder, NULL);
    bool found = false;
    while (full && !found) {
        found = package_at(full, name, out, size);
        char* last = strrchr(full, '/');
        if (!last || full[1] == '\0') break;
        last[last == full ? 1 : 0] = '\0';
    }
    free(full);
    return found;
}

/// Folder of a package, remembered for the next mesh; NULL when it is nowhere.
static const char* find_package(sni_load* load, const char* name) {
    sni_package* package = &load->package;
    if (strcmp(package->name, name) != 0) {
        size_t size = sizeof package->folder;
        snprintf(package->name, sizeof package->name, "%s", name);
        if (!search_given(load, name, package->folder, size) &&
            !search_upwards(load, name, package->folder, size))
            package->folder[0] = '\0';
    }
    return package->folder[0] ? package->folder : NULL;
}

/// package://NAME/REST: false when the package or the path is not to be had.
static bool resolve_package(sni_load* load, sn_place place, const char* reference, char* out,
                            size_t size) {
    const char* start = reference + strlen("package://");
    size_t length = strcspn(start, "/");
    char name[sizeof load->package.name];
    bool plain = length > 0 && length < sizeof name && start[0] != '.';
    snprintf(name, sizeof name, "%.*s", plain ? (int)length : 0, start);
    const char* folder = plain ? find_package(load, name) : NULL;
    if (folder) return join(out, size, folder, start + length, "");
    char key[160];
    snprintf(key, sizeof key, "package %s", name);
    if (load->def.check_meshes)
        sni_warn(load, key, place,
                 "package '%s' is not found, so its meshes cannot be shown or touched; give the "
                 "folder that holds it as a package path",
                 name);
    return false;
}

static bool has_scheme(const char* reference) { return strstr(reference, "://") != NULL; }

static bool resolve(sni_load* load, sn_place place, const char* reference, char* out, size_t size) {
    if (starts_with(reference, "package://"))
        return resolve_package(load, place, reference, out, size);
    if (starts_with(reference, "file://"))
        return join(out, size, reference + strlen("file://"), "", "");
    if (has_scheme(reference)) return false;
    const char* slash = strrchr(load->file, '/');
    if (reference[0] == '/' || !slash) return join(out, size, reference, "", "");
    int length =
        snprintf(out, size, "%.*s%s", (int)(slash - load->file) + 1, load->file, reference);
    return length >= 0 && (size_t)length < size;
}

void sni_path_check(sni_load* load, sn_place place, const char* path) {
    if (load->def.check_meshes && !sni_path_is_file(path))
        sni_warn(load, "mesh file", place,
                 "mesh file '%.200s' does not exist; it cannot be shown or touched", path);
}

void sni_path_resolve(sni_load* load, sn_place place, const char* reference, char* out,
                      size_t size) {
    if (resolve(load, place, reference, out, size)) {
        sni_path_check(load, place, out);
        return;
    }
    snprintf(out, size, "%s", reference);
    if (load->def.check_meshes && !starts_with(reference, "package://"))
        sni_warn(load, "mesh address", place,
                 "mesh '%.200s' is not a file on this machine; it cannot be shown or touched",
                 reference);
}
