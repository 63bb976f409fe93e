// SPDX-License-Identifier: Apache-2.0
// A world goes through a recording once more: the same commands between the same steps.
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "record/recording.h"
#include "sim/sn_sim.h"

struct sn_replay {
    sn_recording* recording;
    sn_world* world;
    uint64_t next;  ///< block after the one that is read
    uint64_t block; ///< of the last step
    void* bytes;    ///< of the block that is read, NULL: none
    sni_coder coder;
    uint32_t left; ///< steps in it
    sni_command_memory memory;
};

/// Puts a recorded model in. A status when it does not fit the world's.
static sn_status replace(sn_replay* p, uint64_t block) {
    sn_recording* r = p->recording;
    if (block >= r->count || r->blocks[block].block.type != SN_BLOCK_REPLACE) return SN_ERR_FORMAT;
    const sni_block_model* m = sni_recording_model(r, block, NULL);
    if (!m) return SN_ERR_FORMAT;
    int bodies = sn_model_body_count(m->model);
    sn_body_id* from = calloc((size_t)bodies + 1, sizeof *from);
    if (!from) return SN_ERR_MEMORY;
    for (int b = 0; b < bodies; b++) from[b] = sn_body(m->parts.from[b]);
    sn_replacement* replacement = NULL;
    sn_status status =
        sn_world_prepare(p->world, sn_world_model(p->world), m->model, from, &replacement, NULL);
    free(from);
    if (!status) status = sn_replacement_set_state(replacement, m->parts.q, m->parts.v);
    for (int b = 0; b < bodies && !status; b++)
        if (m->parts.locked[b]) status = sn_replacement_lock(replacement, sn_body(b));
    if (!status) status = sn_world_replace(p->world, replacement);
    if (status) sn_replacement_free(replacement);
    return status;
}

/// One command; *fits becomes false when the world does not take it.
static sn_status give_command(sn_replay* p, bool* fits) {
    const sn_model* model = sn_world_model(p->world);
    sn_command command = {0};
    uint64_t block = 0;
    sni_code_command(&p->coder, &p->memory, &command, sn_model_nq(model), sn_model_nv(model),
                     &block);
    if (p->coder.failed) return SN_ERR_FORMAT;
    sn_status status =
        command.type == SN_COMMAND_REPLACE ? replace(p, block) : sn_world_apply(p->world, &command);
    if (status) *fits = false;
    return status == SN_ERR_MEMORY || status == SN_ERR_FORMAT ? status : SN_OK;
}

static sn_status give_commands(sn_replay* p, bool* fits) {
    uint32_t count = 0;
    sni_code_count(&p->coder, &count, 1);
    sn_status status = SN_OK;
    for (uint32_t k = 0; k < count && !status; k++) status = give_command(p, fits);
    return p->coder.failed ? SN_ERR_FORMAT : status;
}

// ---- the beginning ----------------------------------------------------------------------------------------------

static sn_status begin_world(sn_replay* p, const sn_modules* modules, sn_error* error) {
    sn_recording* r = p->recording;
    const sni_block_model* m = sni_recording_model(r, r->model_block, error);
    if (!m) return SN_ERR_FORMAT;
    sn_world_def def = r->def;
    def.clock = sn_clock_real();
    def.contact.solve_time = INFINITY; // what a clock decided is among the commands
    (void)modules;
    return sn_world_create(m->model, &def, &p->world, error);
}

static sn_status begin_state(sn_replay* p, sn_error* error) {
    sn_recording* r = p->recording;
    p->bytes = sni_recording_bytes(r, r->start_block);
    if (!p->bytes) return sni_fail(error, SN_ERR_FILE, sni_nowhere(), "its start cannot be read");
    p->coder = sni_reader(p->bytes, (size_t)r->blocks[r->start_block].block.length);
    uint64_t step = 0;
    bool exact = false, fits = true;
    sni_code_u64(&p->coder, &step);
    sni_code_bool(&p->coder, &exact);
    sni_command_memory_begin(&p->memory);
    sn_status status = give_commands(p, &fits);
    free(p->bytes);
    p->bytes = NULL;
    if (status || !fits)
        return sni_fail(error, SN_ERR_FORMAT, sni_nowhere(),
                        "the state that it starts from does not fit its model");
    sni_forget_thoughts(p->world);
    p->world->state.step = step;
    p->next = r->start_block + 1;
    return SN_OK;
}

sn_status sn_replay_create(sn_recording* recording, const sn_modules* modules, sn_replay** replay,
                           sn_error* error) {
    if (!replay) return SN_ERR_ARGUMENT;
    *replay = NULL;
    if (!recording) return SN_ERR_ARGUMENT;
    sn_replay* p = calloc(1, sizeof *p);
    if (!p) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory to replay");
    p->recording = recording;
    sn_status status = begin_world(p, modules, error);
    if (!status) status = begin_state(p, error);
    if (status) {
        sn_replay_free(p);
        return status;
    }
    *replay = p;
    return SN_OK;
}

void sn_replay_free(sn_replay* p) {
    if (!p) return;
    sn_world_free(p->world);
    sni_command_memory_free(&p->memory);
    free(p->bytes);
    free(p);
}

sn_world* sn_replay_world(sn_replay* p) { return p->world; }

uint64_t sn_replay_block(const sn_replay* p, uint64_t* offset) {
    if (offset) *offset = p->recording->blocks[p->block].offset;
    return p->block;
}

// ---- steps ------------------------------------------------------------------------------------------------------

/// The next block with steps; SN_ERR_CAPACITY: there is none before the end or a gap.
static sn_status find_steps(sn_replay* p) {
    const sn_recording* r = p->recording;
    free(p->bytes);
    p->bytes = NULL;
    for (; p->next < r->count; p->next++) {
        const sni_block* block = &r->blocks[p->next].block;
        if (block->type == SN_BLOCK_GAP) break;
        if (block->type != SN_BLOCK_STEPS) continue;
        p->bytes = sni_recording_bytes(r, p->next);
        if (!p->bytes) return SN_ERR_FILE;
        p->coder = sni_reader(p->bytes, (size_t)block->length);
        sni_command_memory_begin(&p->memory);
        uint32_t inputs;
        sni_code_u32(&p->coder, &p->left);
        sni_code_u32(&p->coder, &inputs);
        p->block = p->next++;
        return p->coder.failed ? SN_ERR_FORMAT : SN_OK;
    }
    return SN_ERR_CAPACITY;
}

sn_status sn_replay_step(sn_replay* p, sn_step_report* report, bool* same) {
    if (!p || !same) return SN_ERR_ARGUMENT;
    *same = false;
    sn_status status = SN_OK;
    while (p->left == 0 && !status) status = find_steps(p);
    if (status) return status;
    int flags = 0;
    uint64_t hash = 0;
    bool fits = true;
    sni_code_choice(&p->coder, &flags, SN_STEP_FLAGS);
    sni_code_u64(&p->coder, &hash);
    if (p->coder.failed) return SN_ERR_FORMAT;
    if (flags & SN_STEP_HAS_INPUTS) status = give_commands(p, &fits);
    if (status) return status;
    p->left--;
    (void)sn_world_step(p->world, report); // that it fails may be what was recorded: the hash tells
    (void)sn_world_collect(p->world);
    *same = fits && sn_world_hash(p->world) == hash;
    return SN_OK;
}
