// SPDX-License-Identifier: Apache-2.0
// The states of a recording, one after the other.
#include <stdlib.h>
#include <string.h>

#include "record/recording.h"

void sn_recording_rewind(sn_recording* r) {
    free(r->samples.bytes);
    r->samples = (sni_sample_place){0};
}

static size_t sample_size(const sni_samples_head* head) {
    return sizeof(sni_sample_head) +
           ((size_t)head->nq + (size_t)head->nv + (size_t)head->sensors) * sizeof(double);
}

/// Whether a block of samples is of the model and holds what it says.
static bool head_makes_sense(const sn_recording* r, const sni_sample_place* at, uint64_t length) {
    const sni_samples_head* head = &at->head;
    if (!at->model || head->nq != (uint32_t)sn_model_nq(at->model) ||
        head->nv != (uint32_t)sn_model_nv(at->model) || head->sensors != r->sensor_count)
        return false;
    uint64_t left = length - sizeof *head;
    return head->count == left / sample_size(head) && left % sample_size(head) == 0;
}

static bool open_samples(sn_recording* r, uint64_t block) {
    sni_sample_place* at = &r->samples;
    uint64_t length = r->blocks[block].block.length;
    at->bytes = sni_recording_bytes(r, block);
    at->index = 0;
    at->head = (sni_samples_head){0};
    if (!at->bytes || length < sizeof at->head) return false;
    memcpy(&at->head, at->bytes, sizeof at->head);
    return head_makes_sense(r, at, length);
}

/// The next block with samples, past models that came before it; false: there is none.
static bool find_samples(sn_recording* r) {
    sni_sample_place* at = &r->samples;
    free(at->bytes);
    at->bytes = NULL;
    for (; at->next < r->count; at->next++) {
        uint32_t type = r->blocks[at->next].block.type;
        if (type == SN_BLOCK_MODEL || type == SN_BLOCK_REPLACE) {
            const sni_block_model* m = sni_recording_model(r, at->next, NULL);
            if (!m) {
                sni_recording_damaged(r, at->next, "its model makes no sense");
                at->next = r->count;
                return false;
            }
            at->model = m->model;
        }
        if (type != SN_BLOCK_SAMPLES) continue;
        uint64_t block = at->next++;
        if (open_samples(r, block)) return true;
        sni_recording_damaged(r, block, "its samples make no sense");
        at->next = r->count;
        return false;
    }
    return false;
}

bool sn_recording_next(sn_recording* r, sn_sample* sample) {
    sni_sample_place* at = &r->samples;
    while (!at->bytes || at->index == at->head.count)
        if (!find_samples(r)) return false;
    const unsigned char* bytes = (const unsigned char*)at->bytes + sizeof at->head +
                                 (size_t)at->index * sample_size(&at->head);
    const sni_sample_head* head = (const void*)bytes;
    const double* numbers = (const void*)(head + 1);
    *sample = (sn_sample){
        .step = head->step,
        .time = (double)head->step * r->def.step,
        .model = at->model,
        .q = numbers,
        .v = numbers + at->head.nq,
        .events = head->events,
        .contacts = head->contacts,
        .deepest = head->deepest,
        .residual = head->residual,
        .hash = head->hash,
        .sensors = numbers + at->head.nq + at->head.nv,
    };
    at->index++;
    return true;
}
