// SPDX-License-Identifier: Apache-2.0
/// Pairs that were switched on or off one by one: a growing table from two numbers to a switch.
#ifndef SN_COLLISION_FILTER_H
#define SN_COLLISION_FILTER_H

#include <stdbool.h>
#include <stdint.h>

typedef enum sni_switch { SNI_UNSET, SNI_OFF, SNI_ON } sni_switch;

typedef struct sni_switch_entry {
    int32_t a, b;  ///< a <= b
    int32_t value; ///< sni_switch
} sni_switch_entry;

typedef struct sni_switches {
    sni_switch_entry* entry; // [size]
    int32_t count, size;     ///< size: a power of two, or 0
} sni_switches;

/// False: no memory, nothing changed.
bool sni_switches_set(sni_switches* switches, int32_t a, int32_t b, sni_switch value);
sni_switch sni_switches_get(const sni_switches* switches, int32_t a, int32_t b);
void sni_switches_free(sni_switches* switches);

#endif
