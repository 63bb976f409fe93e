// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "base/error.h"
#include "run/plugins.h"

struct sn_plugin_modules {
    sni_plugins plugins;
    sn_modules* modules;
};

static sn_status load(sn_plugin_modules* m, const char* const* paths, sn_error* error) {
    sn_status status = SN_OK;
    for (const char* const* path = paths; *path && !status; path++)
        status = sni_plugins_load(&m->plugins, *path, NULL, sni_nowhere(), error);
    if (!status) status = sni_plugins_provide(&m->plugins, m->modules, error);
    return status;
}

sn_status sn_plugin_modules_load(const char* const* paths, sn_plugin_modules** out,
                                 sn_error* error) {
    if (!out) return SN_ERR_ARGUMENT;
    *out = NULL;
    if (!paths) return SN_ERR_ARGUMENT;
    sn_plugin_modules* m = calloc(1, sizeof *m);
    if (m) m->modules = sn_modules_create();
    sn_status status = m && m->modules ? load(m, paths, error)
                                       : sni_fail(error, SN_ERR_MEMORY, sni_nowhere(),
                                                  "not enough memory for plugins");
    if (status) sn_plugin_modules_free(m);
    if (!status) *out = m;
    return status;
}

const sn_modules* sn_plugin_modules_get(const sn_plugin_modules* m) { return m->modules; }

void sn_plugin_modules_free(sn_plugin_modules* m) {
    if (!m) return;
    sn_modules_free(m->modules);
    sni_plugins_free(&m->plugins);
    free(m);
}
