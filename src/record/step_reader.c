// SPDX-License-Identifier: Apache-2.0
#include "record/step_reader.h"

#include <stdlib.h>

void sni_step_reader_begin(sni_step_reader* reader, const sn_recording* r) {
    sni_step_reader_free(reader);
    reader->next = r->start_block + 1;
    reader->step = r->info.first_step;
}

void sni_step_reader_free(sni_step_reader* reader) {
    sni_command_memory_free(&reader->memory);
    free(reader->bytes);
    *reader = (sni_step_reader){0};
}

/// The next block with steps.
static sn_status find_block(sni_step_reader* reader, const sn_recording* r) {
    free(reader->bytes);
    reader->bytes = NULL;
    for (; reader->next < r->count; reader->next++) {
        const sni_block* block = &r->blocks[reader->next].block;
        if (block->type == SN_BLOCK_GAP) break;
        if (block->type != SN_BLOCK_STEPS) continue;
        reader->block = reader->next;
        reader->bytes = sni_recording_bytes(r, reader->block);
        if (!reader->bytes) return SN_ERR_FILE;
        reader->next++;
        reader->step = block->step;
        reader->coder = sni_reader(reader->bytes, (size_t)block->length);
        sni_command_memory_begin(&reader->memory);
        uint32_t inputs;
        sni_code_u32(&reader->coder, &reader->left);
        sni_code_u32(&reader->coder, &inputs);
        return reader->coder.failed ? SN_ERR_FORMAT : SN_OK;
    }
    return SN_ERR_CAPACITY;
}

sn_status sni_step_reader_next(sni_step_reader* reader, const sn_recording* r,
                               sni_step_head* head) {
    *head = (sni_step_head){0};
    while (reader->left == 0) {
        sn_status status = find_block(reader, r);
        if (status) return status;
    }
    int flags = 0;
    sni_code_choice(&reader->coder, &flags, SN_STEP_FLAGS);
    sni_code_u64(&reader->coder, &head->hash);
    if (flags & SN_STEP_HAS_INPUTS) sni_code_count(&reader->coder, &head->inputs, 1);
    if (reader->coder.failed) return SN_ERR_FORMAT;
    head->stood_still = flags & SN_STEP_STOOD_STILL;
    if (!head->stood_still) reader->step++;
    reader->left--;
    return SN_OK;
}

sn_status sni_step_reader_input(sni_step_reader* reader, int nq, int nv, sn_command* command,
                                uint64_t* block) {
    *command = (sn_command){0};
    *block = 0;
    sni_code_command(&reader->coder, &reader->memory, command, nq, nv, block);
    return reader->coder.failed ? SN_ERR_FORMAT : SN_OK;
}
