// SPDX-License-Identifier: Apache-2.0
#include "collision/filter.h"

#include <stdlib.h>

#include "base/hash.h"

/// Where (a, b) is, or the free place where it would be.
static sni_switch_entry* find(const sni_switches* s, int32_t a, int32_t b) {
    const int32_t key[2] = {a, b};
    uint32_t mask = (uint32_t)s->size - 1;
    uint32_t at = (uint32_t)sni_hash(0, key, sizeof key) & mask;
    for (;; at = (at + 1) & mask) {
        sni_switch_entry* entry = &s->entry[at];
        if (entry->value == SNI_UNSET || (entry->a == a && entry->b == b)) return entry;
    }
}

/// Room for one more, at most half full.
static bool grow(sni_switches* s) {
    if (2 * (s->count + 1) <= s->size) return true;
    if (s->size > INT32_MAX / 4) return false;
    sni_switches larger = {.size = s->size ? 2 * s->size : 64};
    larger.entry = calloc((size_t)larger.size, sizeof *larger.entry);
    if (!larger.entry) return false;
    for (int32_t k = 0; k < s->size; k++)
        if (s->entry[k].value != SNI_UNSET)
            *find(&larger, s->entry[k].a, s->entry[k].b) = s->entry[k];
    larger.count = s->count;
    free(s->entry);
    *s = larger;
    return true;
}

bool sni_switches_set(sni_switches* s, int32_t a, int32_t b, sni_switch value) {
    if (!grow(s)) return false;
    sni_switch_entry entry = {a < b ? a : b, a < b ? b : a, (int32_t)value};
    sni_switch_entry* at = find(s, entry.a, entry.b);
    if (at->value == SNI_UNSET) s->count++;
    *at = entry;
    return true;
}

sni_switch sni_switches_get(const sni_switches* s, int32_t a, int32_t b) {
    if (s->count == 0) return SNI_UNSET;
    return (sni_switch)(a < b ? find(s, a, b) : find(s, b, a))->value;
}

void sni_switches_free(sni_switches* s) { free(s->entry); }
