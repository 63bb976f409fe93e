// SPDX-License-Identifier: Apache-2.0
// What reached the world, one input after the other, as a table of them needs it: nothing is simulated.
#include "record/step_reader.h"

void sn_recording_rewind_inputs(sn_recording* r) {
    sni_input_place* at = &r->inputs;
    sni_step_reader_free(&at->reader);
    *at = (sni_input_place){0};
}

static void begin(sn_recording* r) {
    r->inputs.model = r->first_model;
    sni_step_reader_begin(&r->inputs.reader, r);
}

/// Past a gap. Models that came in it are in the file before it, and stay.
static bool pass_gap(sn_recording* r) {
    sni_input_place* at = &r->inputs;
    if (at->reader.next >= r->count) return false;
    for (uint64_t block = at->reader.next; block-- > 0;) {
        if (r->blocks[block].block.type != SN_BLOCK_REPLACE) continue;
        const sni_block_model* m = sni_recording_model(r, block, NULL);
        if (!m) return false;
        at->model = m->model;
        break;
    }
    at->reader.next++;
    return true;
}

/// The next step that has inputs.
static sn_status find_step(sn_recording* r) {
    sni_input_place* at = &r->inputs;
    sn_status status = SN_OK;
    sni_step_head head = {0};
    while (!status && at->left == 0) {
        status = sni_step_reader_next(&at->reader, r, &head);
        if (status == SN_ERR_CAPACITY && pass_gap(r)) status = SN_OK;
        at->left = head.inputs;
    }
    return status;
}

static sn_status read_input(sn_recording* r, sn_input* input) {
    sni_input_place* at = &r->inputs;
    uint64_t block;
    sn_status status = sni_step_reader_input(&at->reader, sn_model_nq(at->model),
                                             sn_model_nv(at->model), &input->command, &block);
    if (status) return status;
    at->left--;
    if (input->command.type == SN_COMMAND_REPLACE) {
        const sni_block_model* m = sni_recording_replacement(r, block);
        if (!m) return SN_ERR_FORMAT;
        at->model = m->model;
    }
    input->model = at->model;
    input->step = at->reader.step;
    return SN_OK;
}

bool sn_recording_next_input(sn_recording* r, sn_input* input) {
    sni_input_place* at = &r->inputs;
    if (at->done) return false;
    if (!at->model) begin(r);
    sn_status status = find_step(r);
    if (!status) status = read_input(r, input);
    if (!status) return true;
    at->done = true;
    if (status != SN_ERR_CAPACITY)
        sni_recording_damaged(r, at->reader.block, "its steps make no sense");
    return false;
}
