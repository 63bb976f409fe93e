// SPDX-License-Identifier: Apache-2.0
// A world goes through a recording once more: the same commands between the same steps.
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "record/step_reader.h"
#include "sim/sn_sim.h"

struct sn_replay {
    sn_recording* recording;
    sn_world* world;
    sni_step_reader reader;
};

/// Puts a recorded model in. A status when it does not fit the world's.
static sn_status replace(sn_replay* p, uint64_t block) {
    const sni_block_model* m = sni_recording_replacement(p->recording, block);
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
    sn_command command;
    uint64_t block;
    sn_status status =
        sni_step_reader_input(&p->reader, sn_model_nq(model), sn_model_nv(model), &command, &block);
    if (status) return status;
    status =
        command.type == SN_COMMAND_REPLACE ? replace(p, block) : sn_world_apply(p->world, &command);
    if (status) *fits = false;
    return status == SN_ERR_MEMORY || status == SN_ERR_FORMAT ? status : SN_OK;
}

static sn_status give_commands(sn_replay* p, uint32_t count, bool* fits) {
    sn_status status = SN_OK;
    for (uint32_t k = 0; k < count && !status; k++) status = give_command(p, fits);
    return status;
}

// ---- the beginning ----------------------------------------------------------------------------------------------

static sn_status begin_world(sn_replay* p, const sn_modules* modules, sn_error* error) {
    sn_world_def def = p->recording->def;
    def.clock = sn_clock_real();
    def.contact.solve_time = INFINITY; // what a clock decided is among the commands
    def.modules = modules;
    return sn_world_create(p->recording->first_model, &def, &p->world, error);
}

/// The commands of the start, read as if they were those of a step.
static sn_status give_start(sn_replay* p, void* bytes, bool* fits) {
    const sn_recording* r = p->recording;
    sni_coder* coder = &p->reader.coder;
    uint64_t step = 0;
    bool exact = false;
    uint32_t count = 0;
    *coder = sni_reader(bytes, (size_t)r->blocks[r->start_block].block.length);
    sni_code_u64(coder, &step);
    sni_code_bool(coder, &exact);
    sni_code_count(coder, &count, 1);
    sni_command_memory_begin(&p->reader.memory);
    return coder->failed ? SN_ERR_FORMAT : give_commands(p, count, fits);
}

static sn_status begin_state(sn_replay* p, sn_error* error) {
    const sn_recording* r = p->recording;
    void* bytes = sni_recording_bytes(r, r->start_block);
    if (!bytes) return sni_fail(error, SN_ERR_FILE, sni_nowhere(), "its start cannot be read");
    bool fits = true;
    sn_status status = give_start(p, bytes, &fits);
    free(bytes);
    if (status || !fits)
        return sni_fail(error, SN_ERR_FORMAT, sni_nowhere(),
                        "the state that it starts from does not fit its model");
    sni_forget_thoughts(p->world);
    p->world->state.step = r->info.first_step;
    sni_step_reader_begin(&p->reader, r);
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
    sni_step_reader_free(&p->reader);
    free(p);
}

sn_world* sn_replay_world(sn_replay* p) { return p->world; }

uint64_t sn_replay_block(const sn_replay* p, uint64_t* offset) {
    if (offset) *offset = p->recording->blocks[p->reader.block].offset;
    return p->reader.block;
}

// ---- steps ------------------------------------------------------------------------------------------------------

sn_status sn_replay_step(sn_replay* p, sn_step_report* report, bool* same) {
    if (!p || !same) return SN_ERR_ARGUMENT;
    *same = false;
    sni_step_head head;
    bool fits = true;
    sn_status status = sni_step_reader_next(&p->reader, p->recording, &head);
    if (!status) status = give_commands(p, head.inputs, &fits);
    if (status) return status;
    (void)sn_world_step(p->world, report); // that it fails may be what was recorded: the hash tells
    (void)sn_world_collect(p->world);
    *same = fits && sn_world_hash(p->world) == head.hash;
    return SN_OK;
}
