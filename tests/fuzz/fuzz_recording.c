// SPDX-License-Identifier: Apache-2.0
// Recordings: opened, listed and replayed for a few steps. Checksums would keep all but untouched bytes out, so they
// are made right first; numbers of blocks and their lengths, too, where they do not fit.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "record/block.h"
#include "record/recording.h"
#include "sim/sn_sim.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum {
    SAMPLES_MOST = 200,
    INPUTS_MOST = 200,
    METERS_MOST = 200,
    STEPS_MOST = 12,
    BODIES_MOST = 40,
    ATOMS_MOST = 200,
    ROOM_MOST = 512,
    ITERATIONS_MOST = 100
};

/// The block at a place; its length is at most what is left.
static size_t mend_block(unsigned char* at, size_t left, uint64_t number) {
    sni_block block = {0};
    memcpy(&block.type, at + 4, sizeof block.type);
    memcpy(&block.length, at + 8, sizeof block.length);
    memcpy(&block.step, at + 24, sizeof block.step);
    left -= SN_BLOCK_HEADER;
    if (block.length > left) block.length %= left + 1;
    block.number = number;
    block.sum = sni_block_sum(at + SN_BLOCK_HEADER, (size_t)block.length);
    sni_block_write(at, &block);
    return SN_BLOCK_HEADER + (size_t)block.length;
}

static void mend(unsigned char* bytes, size_t size) {
    if (size < SN_FILE_HEADER) return;
    sni_file_header_write(bytes, "fuzz");
    uint64_t number = 0;
    for (size_t at = SN_FILE_HEADER; size - at >= SN_BLOCK_HEADER; number++)
        at += mend_block(bytes + at, size - at, number);
}

// ---- what is done with it ---------------------------------------------------------------------------------

static volatile double sum; // so that everything is read

static void list(sn_recording* recording) {
    sn_sample sample;
    sn_input input;
    for (int k = 0; k < SAMPLES_MOST && sn_recording_next(recording, &sample); k++) {
        for (int i = 0; i < sn_model_nq(sample.model); i++) sum += sample.q[i];
        for (int i = 0; i < sn_model_nv(sample.model); i++) sum += sample.v[i];
        for (uint32_t i = 0; i < recording->sensor_count; i++) sum += sample.sensors[i];
    }
    for (int k = 0; k < INPUTS_MOST && sn_recording_next_input(recording, &input); k++) {
        for (int i = 0; input.command.q && i < sn_model_nq(input.model); i++)
            sum += input.command.q[i];
        for (int i = 0; input.command.v && i < sn_model_nv(input.model); i++)
            sum += input.command.v[i];
    }
    sn_meters meters;
    for (int k = 0; k < METERS_MOST && sn_recording_next_meters(recording, &meters); k++)
        sum += (double)strlen(meters.hand) + (double)meters.meter.ticks + meters.safety.energy;
    sn_recording_info info = sn_recording_ask(recording);
    for (int k = 0; k < info.sensors; k++)
        sum += (double)strlen(sn_recording_sensor_name(recording, k));
    sum += (double)strlen(info.scene);
    for (int k = 0; k < sn_recording_molecule_count(recording); k++) {
        const sn_world_molecule* m = sn_recording_molecule(recording, k);
        sum += sn_world_molecule_find(m, sn_recording_model(recording)) +
               (double)strlen(m->prefix) + sn_molecule_mass(sn_torsion_tree_molecule(m->tree));
    }
}

static bool are_small(const sn_recording* recording) {
    int atoms = 0;
    for (int k = 0; k < sn_recording_molecule_count(recording); k++)
        atoms += sn_molecule_atom_count(
            sn_torsion_tree_molecule(sn_recording_molecule(recording, k)->tree));
    return atoms <= ATOMS_MOST;
}

/// A world that takes no more than some megabytes and milliseconds.
static bool is_small(const sn_recording* recording) {
    const sn_world_def* def = &recording->def;
    const sn_world_contact* contact = &def->contact;
    return are_small(recording) && sn_model_body_count(recording->first_model) <= BODIES_MOST &&
           contact->collider.contacts <= ROOM_MOST && contact->collider.pairs <= ROOM_MOST &&
           contact->constraints <= ROOM_MOST && def->command_capacity <= ROOM_MOST &&
           contact->workers <= 1 && contact->solve.iterations > 0 &&
           contact->solve.iterations <= ITERATIONS_MOST;
}

/// As many iterations as an input likes are its right, and nothing to wait for here.
static void keep_short(void* context, const sn_command* command) {
    sn_world* world = context;
    if (command->type == SN_COMMAND_SOLVE) world->settings.iterations = ITERATIONS_MOST;
}

static void replay(sn_recording* recording) {
    sn_replay* replay = NULL;
    if (!is_small(recording) || sn_replay_create(recording, NULL, &replay, NULL)) return;
    sn_world* world = sn_replay_world(replay);
    sn_tape tape = {keep_short, world};
    sn_world_set_tape(world, &tape);
    world->settings.iterations = ITERATIONS_MOST;
    bool same;
    sn_status status = SN_OK;
    for (int k = 0; k < STEPS_MOST && !status; k++) {
        status = sn_replay_step(replay, NULL, &same);
        if (sn_model_body_count(sn_world_model(world)) > BODIES_MOST) break;
    }
    (void)sn_replay_block(replay, NULL);
    sn_replay_free(replay);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    sn_recording* recording = NULL;
    unsigned char* bytes = malloc(size ? size : 1);
    if (!bytes) return 0;
    if (size > 0) memcpy(bytes, data, size);
    // some as they are: headers, sums and lengths that do not fit are read, too
    if (size % 8 != 7) mend(bytes, size);
    if (!sn_recording_open_memory(bytes, size, "fuzz", NULL, &recording, NULL)) {
        list(recording);
        replay(recording);
    }
    sn_recording_free(recording);
    free(bytes);
    return 0;
}
