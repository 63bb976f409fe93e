// SPDX-License-Identifier: Apache-2.0
// Runs a scene for a while, with a plugin if one is given, built against the installed libraries only.
#include <sinew/plugin.h>
#include <sinew/simulation.h>
#include <stdio.h>

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const char* plugins[] = {argc > 2 ? argv[2] : NULL, NULL};
    sn_simulation_def def = sn_simulation_def_default();
    sn_simulation* sim = NULL;
    sn_error error = {0};
    def.plugins = plugins;
    sn_status status = sn_simulation_load(argv[1], &def, &sim, &error);
    for (int i = 0; i < 100 && !status; i++) status = sn_simulation_step(sim, NULL);
    if (sim)
        for (int i = 0; i < sn_simulation_plugin_count(sim); i++)
            printf("%s: %s\n", sn_simulation_plugin(sim, i)->name,
                   sn_simulation_plugin_trouble(sim, i) ? "stopped" : "runs");
    if (error.text[0]) puts(error.text);
    puts(sn_status_text(status));
    sn_simulation_free(sim);
    return status != SN_OK;
}
