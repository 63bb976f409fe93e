// SPDX-License-Identifier: Apache-2.0
#include "bench_memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The number of kB behind a word at the beginning of a line, as MB.
static double read_mb(const char* path, const char* word) {
    char line[256];
    double kb = NAN;
    FILE* file = fopen(path, "r");
    if (!file) return NAN;
    while (isnan(kb) && fgets(line, sizeof line, file)) {
        if (strncmp(line, word, strlen(word)) != 0) continue;
        if (sscanf(line + strlen(word), "%lf", &kb) != 1) kb = NAN;
    }
    fclose(file);
    return 1.024e-3 * kb;
}

double bench_memory_peak(void) { return read_mb("/proc/self/status", "VmHWM:"); }
double bench_memory_free(void) { return read_mb("/proc/meminfo", "MemAvailable:"); }
