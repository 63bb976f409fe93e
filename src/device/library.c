// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "device/library.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_MOST = 512 };

// ---- places ---------------------------------------------------------------------------------------------------

/// Writes a pattern with a leading ~ or $NAME replaced; false when the environment has no such thing.
static bool expand(const char* pattern, char* out) {
    char name[32] = "HOME";
    size_t skip = 1;
    if (pattern[0] != '~' && pattern[0] != '$') {
        (void)snprintf(out, PATH_MOST, "%s", pattern);
        return true;
    }
    if (pattern[0] == '$') {
        skip = strcspn(pattern, "/");
        (void)snprintf(name, sizeof name, "%.*s", (int)skip - 1, pattern + 1);
    }
    const char* value = getenv(name);
    if (!value || !value[0]) return false;
    (void)snprintf(out, PATH_MOST, "%s%s", value, pattern + skip);
    return true;
}

// ---- opening ----------------------------------------------------------------------------------------------------

// What came of trying.
typedef struct attempt {
    const sni_library* library;
    void* handle;
    char path[PATH_MOST]; ///< that was loaded, or exists and could not be
    char reason[300];     ///< why not, of that path
} attempt;

static bool try_path(attempt* a, const char* path) {
    a->handle = dlopen(path, RTLD_LAZY | (a->library->global ? RTLD_GLOBAL : RTLD_LOCAL));
    const char* reason = a->handle ? "" : dlerror();
    // of several that fail, the first that is there says most
    if (a->handle || (!a->reason[0] && strchr(path, '/') && access(path, F_OK) == 0)) {
        (void)snprintf(a->path, sizeof a->path, "%s", path);
        (void)snprintf(a->reason, sizeof a->reason, "%s", reason ? reason : "unknown reason");
    }
    return a->handle;
}

static bool try_pattern(attempt* a, const char* pattern) {
    char expanded[PATH_MOST];
    glob_t found;
    if (!expand(pattern, expanded)) return false;
    if (!strchr(expanded, '/')) return try_path(a, expanded); // a name: the loader knows where
    if (glob(expanded, 0, NULL, &found)) return false;
    for (size_t i = found.gl_pathc; i-- > 0 && !a->handle;) try_path(a, found.gl_pathv[i]);
    globfree(&found);
    return a->handle;
}

static void try_places(attempt* a) {
    const char* given = getenv(a->library->variable);
    if (given && given[0]) {
        try_path(a, given);
        return;
    }
    for (const char* const* place = a->library->places; *place && !a->handle; place++)
        try_pattern(a, *place);
}

static sn_status say_missing(const attempt* a, sn_error* error) {
    const sni_library* library = a->library;
    const char* given = getenv(library->variable);
    if (a->reason[0])
        return sni_fail(error, SN_ERR_FILE, sni_nowhere(), "%s is at %s but cannot be loaded: %s",
                        library->name, a->path, a->reason);
    if (given && given[0])
        return sni_fail(error, SN_ERR_FILE, sni_nowhere(),
                        "%s is not at %s, where the variable %s says it is", library->name, given,
                        library->variable);
    return sni_fail(error, SN_ERR_FILE, sni_nowhere(),
                    "%s is not installed; %s, or set %s to where it is", library->name,
                    library->install, library->variable);
}

// ---- functions ----------------------------------------------------------------------------------------------------

static sn_status find_symbols(const attempt* a, const sni_symbol* symbols, int count,
                              sn_error* error) {
    for (int i = 0; i < count; i++) {
        void* function = dlsym(a->handle, symbols[i].name);
        if (!function && symbols[i].must)
            return sni_fail(error, SN_ERR_FILE, sni_nowhere(),
                            "%s at %s has no function %s; it is of another version, or broken; %s",
                            a->library->name, a->path, symbols[i].name, a->library->install);
        memcpy(symbols[i].place, &function, sizeof function); // to a pointer to a function
    }
    return SN_OK;
}

sn_status sni_library_load(const sni_library* library, const sni_symbol* symbols, int count,
                           char* path, size_t room, sn_error* error) {
    attempt a = {.library = library};
    try_places(&a);
    if (!a.handle) return say_missing(&a, error);
    (void)snprintf(path, room, "%s", a.path);
    return find_symbols(&a, symbols, count, error); // never closed, not even when useless
}
