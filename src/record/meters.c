// SPDX-License-Identifier: Apache-2.0
// The meters of a recording, one after the other.
#include <stdlib.h>

#include "record/meters_code.h"
#include "record/recording.h"

void sn_recording_rewind_meters(sn_recording* r) {
    free(r->meters.bytes);
    r->meters = (sni_meters_place){0};
}

/// What follows makes no sense, or cannot be read any more.
static bool give_up(sn_recording* r) {
    sni_recording_damaged(r, r->meters.next - 1, "its meters make no sense");
    sn_recording_rewind_meters(r);
    r->meters.next = r->count;
    return false;
}

static bool find_meters(sn_recording* r) {
    sni_meters_place* at = &r->meters;
    free(at->bytes);
    at->bytes = NULL;
    while (at->next < r->count && r->blocks[at->next].block.type != SN_BLOCK_METERS) at->next++;
    if (at->next == r->count) return false;
    uint64_t block = at->next++;
    at->bytes = sni_recording_bytes(r, block);
    if (!at->bytes) return give_up(r);
    at->coder = sni_reader(at->bytes, (size_t)r->blocks[block].block.length);
    sni_code_count(&at->coder, &at->left, SN_METERS_LEAST);
    return !at->coder.failed || give_up(r);
}

bool sn_recording_next_meters(sn_recording* r, sn_meters* meters) {
    sni_meters_place* at = &r->meters;
    while (at->left == 0)
        if (!find_meters(r)) return false;
    *meters = (sn_meters){0};
    sni_code_meters(&at->coder, meters);
    meters->time = (double)meters->step * r->def.step;
    at->left--;
    return !at->coder.failed || give_up(r);
}
