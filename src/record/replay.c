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
    sn_molecule_forces** forces; // [molecules of the recording]
    int* first_body;             // [molecules] in found_in; -1: gone
    const sn_model* found_in;
};

// ---- molecules --------------------------------------------------------------------------------------------------

/// Where molecules are in the model that the world has now.
static void find_molecules(sn_replay* p, const sn_model* model) {
    if (p->found_in == model) return;
    p->found_in = model;
    for (int i = 0; i < p->recording->molecule_count; i++)
        p->first_body[i] = sn_world_molecule_find(&p->recording->molecules[i].world, model);
}

static sn_status compute_forces(void* context, const sn_dynamics* dynamics, uint64_t step,
                                sn_wrench* wrench_w) {
    sn_replay* p = context;
    sn_status status = SN_OK;
    find_molecules(p, sn_dynamics_model(dynamics));
    for (int i = 0; i < p->recording->molecule_count && !status; i++)
        if (p->first_body[i] >= 0)
            status =
                sn_molecule_forces_compute(p->forces[i], dynamics, p->first_body[i],
                                           p->recording->molecules[i].world.pose, step, wrench_w);
    return status;
}

static double measure_energy(void* context, const sn_dynamics* dynamics) {
    sn_replay* p = context;
    double sum = 0;
    find_molecules(p, sn_dynamics_model(dynamics));
    for (int i = 0; i < p->recording->molecule_count; i++) {
        sn_forcefield_report report;
        if (p->first_body[i] < 0) continue;
        sn_status status =
            sn_molecule_forces_measure(p->forces[i], dynamics, p->first_body[i],
                                       p->recording->molecules[i].world.pose, &report);
        sum += status ? NAN : report.energy.total;
    }
    return sum;
}

static void forget(void* context) {
    sn_replay* p = context;
    for (int i = 0; i < p->recording->molecule_count; i++) sn_molecule_forces_forget(p->forces[i]);
}

static sn_status begin_molecules(sn_replay* p, sn_error* error) {
    size_t count = (size_t)p->recording->molecule_count;
    if (count == 0) return SN_OK;
    p->forces = calloc(count, sizeof *p->forces);
    p->first_body = calloc(count, sizeof *p->first_body);
    if (!p->forces || !p->first_body)
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory to replay");
    for (size_t i = 0; i < count; i++) {
        const sn_world_molecule* m = &p->recording->molecules[i].world;
        sn_status status = sn_molecule_forces_create(m->tree, &m->forces, &p->forces[i], error);
        if (status) return status;
    }
    sn_field field = {"molecules", compute_forces, p, measure_energy, forget};
    return sn_world_set_field(p->world, &field);
}

sn_molecule_forces* sn_replay_molecule(sn_replay* p, int i) {
    return i >= 0 && i < p->recording->molecule_count ? p->forces[i] : NULL;
}

// ---- inputs -----------------------------------------------------------------------------------------------------

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
    if (!status) status = begin_molecules(p, error);
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
    for (int i = 0; p->forces && i < p->recording->molecule_count; i++)
        sn_molecule_forces_free(p->forces[i]);
    free(p->forces);
    free(p->first_body);
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
