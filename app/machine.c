// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static void read_cpu_name(char* name, size_t size) {
    char line[256];
    snprintf(name, size, "unknown");
    FILE* file = fopen("/proc/cpuinfo", "r");
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        char* colon = strchr(line, ':');
        if (!colon || strncmp(line, "model name", 10) != 0) continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(name, size, "%s", colon + 2);
        break;
    }
    fclose(file);
}

machine machine_ask(void) {
    machine m = {0};
    struct utsname system;
    read_cpu_name(m.cpu, sizeof m.cpu);
    if (uname(&system) == 0) {
        snprintf(m.system, sizeof m.system, "%.48s %.64s %.32s", system.sysname, system.release,
                 system.machine);
    }
#ifdef __clang__
    snprintf(m.compiler, sizeof m.compiler, "%s", __VERSION__);
#else
    snprintf(m.compiler, sizeof m.compiler, "gcc %s", __VERSION__);
#endif
    m.cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    return m;
}

void machine_write(const machine* m, json_writer* w) {
    jw_key(w, "machine");
    jw_object(w);
    jw_key(w, "cpu");
    jw_text(w, m->cpu);
    jw_key(w, "cores");
    jw_integer(w, m->cores);
    jw_key(w, "system");
    jw_text(w, m->system);
    jw_key(w, "compiler");
    jw_text(w, m->compiler);
    jw_object_end(w);
}
