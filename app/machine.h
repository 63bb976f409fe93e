// SPDX-License-Identifier: Apache-2.0
/// The machine and the build that numbers were measured with.
#ifndef SINEW_APP_MACHINE_H
#define SINEW_APP_MACHINE_H

#include "json_writer.h"

typedef struct machine {
    char cpu[128];
    char system[160];
    char compiler[128];
    int cores; ///< that this process may use
} machine;

machine machine_ask(void);
/// As the object "machine" of a benchmark.
void machine_write(const machine* m, json_writer* w);

#endif
