// SPDX-License-Identifier: Apache-2.0
// Finding the blocks of a recording, and what they begin with.
#define _POSIX_C_SOURCE 200809L
#include "record/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "record/model_code.h"
#include "record/options_code.h"
#include "record/step_reader.h"

static sn_place place_of(const sn_recording* r) { return (sn_place){r->name, 0, 0}; }

// ---- bytes --------------------------------------------------------------------------------------------------

/// False when they are not there (any more).
static bool read_at(const sn_recording* r, uint64_t offset, void* to, size_t count) {
    if (offset > r->size || count > r->size - offset) return false;
    unsigned char* at = to;
    if (r->memory) {
        if (count > 0) memcpy(at, r->memory + offset, count);
        return true;
    }
    while (count > 0) {
        ssize_t done = pread(r->file, at, count, (off_t)offset);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        at += done;
        offset += (uint64_t)done;
        count -= (size_t)done;
    }
    return true;
}

void* sni_recording_bytes(const sn_recording* r, uint64_t block) {
    const sni_indexed* at = &r->blocks[block];
    size_t length = (size_t)at->block.length;
    void* bytes = malloc(length + sizeof(uint64_t));
    if (!bytes) return NULL;
    if (read_at(r, at->offset + SN_BLOCK_HEADER, bytes, length) &&
        sni_block_sum(bytes, length) == at->block.sum)
        return bytes;
    free(bytes);
    return NULL;
}

void sni_recording_damaged(sn_recording* r, uint64_t block, const char* why) {
    r->info.damaged = true;
    sni_say(&r->log, SN_LOG_WARNING, place_of(r), "block %llu at byte %llu: %s",
            (unsigned long long)block, (unsigned long long)r->blocks[block].offset, why);
}

// ---- the index ------------------------------------------------------------------------------------------------

typedef enum scan_result { SCAN_BLOCK, SCAN_END, SCAN_CUT, SCAN_DAMAGED, SCAN_MEMORY } scan_result;

static scan_result sum_block(const sn_recording* r, const sni_indexed* at, sni_bytes* scratch) {
    sni_bytes_clear(scratch);
    void* bytes = sni_bytes_grow(scratch, (size_t)at->block.length + 1);
    if (!bytes) return SCAN_MEMORY;
    if (!read_at(r, at->offset + SN_BLOCK_HEADER, bytes, (size_t)at->block.length)) return SCAN_CUT;
    bool good = sni_block_sum(bytes, (size_t)at->block.length) == at->block.sum;
    return good ? SCAN_BLOCK : SCAN_DAMAGED;
}

static scan_result scan_block(const sn_recording* r, sni_indexed* at, sni_bytes* scratch) {
    unsigned char header[SN_BLOCK_HEADER];
    uint64_t left = r->size - at->offset;
    if (left == 0) return SCAN_END;
    if (left < sizeof header) return SCAN_CUT;
    if (!read_at(r, at->offset, header, sizeof header)) return SCAN_CUT;
    if (!sni_block_read(header, &at->block) || at->block.number != r->count) return SCAN_DAMAGED;
    if (at->block.length > left - sizeof header) return SCAN_CUT;
    return sum_block(r, at, scratch);
}

/// Numbers that blocks of some types begin with.
static void count_block(sn_recording* r, const sni_block* block, const sni_bytes* scratch) {
    uint32_t head[2] = {0};
    uint64_t lost = 0;
    if (block->length >= sizeof head) memcpy(head, scratch->at, sizeof head);
    if (block->length >= sizeof lost) memcpy(&lost, scratch->at, sizeof lost);
    switch ((sni_block_type)block->type) {
    case SN_BLOCK_STEPS:
        r->info.steps += head[0];
        r->info.inputs += head[1];
        break;
    case SN_BLOCK_SAMPLES: r->info.samples += head[0]; break;
    case SN_BLOCK_METERS: r->info.meters += head[0]; break;
    case SN_BLOCK_GAP: r->info.lost += lost; break;
    case SN_BLOCK_END: r->info.closed = true; break;
    default: break;
    }
}

static bool push_block(sn_recording* r, const sni_indexed* at) {
    if (r->count == r->capacity) {
        uint64_t wanted = r->capacity ? 2 * r->capacity : 64;
        sni_indexed* larger = realloc(r->blocks, (size_t)wanted * sizeof *larger);
        if (!larger) return false;
        r->blocks = larger;
        r->capacity = wanted;
    }
    r->blocks[r->count++] = *at;
    return true;
}

static scan_result scan(sn_recording* r) {
    sni_bytes scratch = {0};
    sni_indexed at = {.offset = SN_FILE_HEADER};
    scan_result result;
    while ((result = scan_block(r, &at, &scratch)) == SCAN_BLOCK) {
        if (!push_block(r, &at)) result = SCAN_MEMORY;
        if (result != SCAN_BLOCK) break;
        count_block(r, &at.block, &scratch);
        at.offset += SN_BLOCK_HEADER + at.block.length;
        if (at.block.type == SN_BLOCK_END) break;
    }
    // after the end there is nothing
    if (result == SCAN_BLOCK) result = at.offset == r->size ? SCAN_END : SCAN_DAMAGED;
    sni_bytes_free(&scratch);
    r->info.blocks = r->count;
    r->info.damaged = result == SCAN_DAMAGED;
    if (result == SCAN_CUT)
        sni_say(&r->log, SN_LOG_WARNING, place_of(r),
                "it ends in the middle of block %llu: its writer was stopped; all before is good",
                (unsigned long long)r->count);
    if (result == SCAN_DAMAGED)
        sni_say(&r->log, SN_LOG_WARNING, place_of(r),
                "damaged at block %llu, byte %llu; all before is good",
                (unsigned long long)r->count, (unsigned long long)at.offset);
    return result;
}

// ---- the first blocks -----------------------------------------------------------------------------------------

static bool read_scene(sn_recording* r, uint64_t block) {
    r->scene_bytes = sni_recording_bytes(r, block);
    if (!r->scene_bytes) return false;
    sni_coder coder = sni_reader(r->scene_bytes, (size_t)r->blocks[block].block.length);
    sni_code_text(&coder, &r->info.scene, false);
    return !coder.failed;
}

static bool read_sensors(sn_recording* r, sni_coder* coder) {
    enum { ALL_MOST = 1 << 24 };
    uint32_t count = r->sampled.sensors;
    r->sensor_name = calloc((size_t)count + 1, sizeof *r->sensor_name);
    r->sensor_numbers = calloc((size_t)count + 1, sizeof *r->sensor_numbers);
    if (!r->sensor_name || !r->sensor_numbers) return false;
    for (uint32_t k = 0; k < count && !coder->failed; k++) {
        sni_code_sensor(coder, &r->sensor_name[k], &r->sensor_numbers[k]);
        if (!coder->failed) r->sensor_count += r->sensor_numbers[k];
        if (r->sensor_count > ALL_MOST) coder->failed = true;
    }
    return !coder->failed;
}

static bool read_options(sn_recording* r, uint64_t block) {
    r->options_bytes = sni_recording_bytes(r, block);
    if (!r->options_bytes) return false;
    sni_coder coder = sni_reader(r->options_bytes, (size_t)r->blocks[block].block.length);
    sni_code_sampled(&coder, &r->sampled);
    if (coder.failed || !read_sensors(r, &coder)) return false;
    r->def = sn_world_def_default();
    sni_code_options(&coder, &r->def);
    r->info.step = r->def.step;
    r->info.sensors = (int)r->sampled.sensors;
    return !coder.failed;
}

static bool read_start(sn_recording* r, uint64_t block) {
    void* bytes = sni_recording_bytes(r, block);
    if (!bytes) return false;
    sni_coder coder = sni_reader(bytes, (size_t)r->blocks[block].block.length);
    sni_code_u64(&coder, &r->info.first_step);
    sni_code_bool(&coder, &r->info.exact);
    r->start_block = block;
    free(bytes);
    return !coder.failed;
}

static bool is_of_type(const sn_recording* r, uint64_t block, sni_block_type type) {
    return block < r->count && r->blocks[block].block.type == (uint32_t)type;
}

/// Molecules from a block on.
static bool read_molecules(sn_recording* r, uint64_t first, uint64_t count) {
    if (count == 0) return true;
    r->molecules = calloc((size_t)count, sizeof *r->molecules);
    r->molecule_bytes = calloc((size_t)count, sizeof *r->molecule_bytes);
    if (!r->molecules || !r->molecule_bytes) return false;
    for (uint64_t k = 0; k < count; k++) {
        sn_error error;
        void* bytes = sni_recording_bytes(r, first + k);
        if (!bytes) return false;
        r->molecule_bytes[r->molecule_count++] = bytes;
        sni_coder coder = sni_reader(bytes, (size_t)r->blocks[first + k].block.length);
        if (sni_read_molecule(&coder, &r->molecules[k], &error)) return false;
    }
    r->def.field = true;
    return true;
}

/// The blocks before the first step: text of the scene, if any, options, molecules, model, start.
static sn_status read_beginning(sn_recording* r, sn_error* error) {
    uint64_t options = is_of_type(r, 0, SN_BLOCK_SCENE), model = options + 1;
    while (is_of_type(r, model, SN_BLOCK_MOLECULE)) model++;
    if (!is_of_type(r, options, SN_BLOCK_OPTIONS) || !is_of_type(r, model, SN_BLOCK_MODEL) ||
        !is_of_type(r, model + 1, SN_BLOCK_START))
        return sni_fail(error, SN_ERR_FORMAT, place_of(r),
                        "the recording ends before its first step; there is nothing in it");
    bool good = (options == 0 || read_scene(r, 0)) && read_options(r, options) &&
                read_molecules(r, options + 1, model - options - 1) && read_start(r, model + 1);
    if (good) return SN_OK;
    return sni_fail(
        error, SN_ERR_FORMAT, place_of(r),
        "the recording's first blocks make no sense; it was written by another program?");
}

static sn_status read_header(sn_recording* r, sn_error* error) {
    unsigned char header[SN_FILE_HEADER];
    if (!read_at(r, 0, header, sizeof header))
        return sni_fail(error, SN_ERR_FORMAT, place_of(r),
                        "not a recording: it is shorter than a recording's header");
    const char* trouble = NULL;
    switch (sni_file_header_read(header, r->build)) {
    case SN_HEADER_GOOD: return SN_OK;
    case SN_HEADER_FOREIGN: trouble = "not a recording; `--record FILE` makes one"; break;
    case SN_HEADER_VERSION:
        trouble = "a recording of another version of the format; use the program that wrote it";
        break;
    case SN_HEADER_ORDER:
        trouble = "a recording of a machine with another order of bytes; replay it there";
        break;
    case SN_HEADER_DAMAGED: trouble = "the recording's header is damaged"; break;
    }
    return sni_fail(error, SN_ERR_FORMAT, place_of(r), "%s", trouble);
}

// ---- opening --------------------------------------------------------------------------------------------------

static sn_status finish_open(sn_recording* r, sn_recording** out, sn_error* error) {
    sn_status status = read_header(r, error);
    r->info.scene = "";
    r->info.build = r->build;
    if (!status && scan(r) == SCAN_MEMORY)
        status = sni_fail(error, SN_ERR_MEMORY, place_of(r), "not enough memory for its blocks");
    if (!status) status = read_beginning(r, error);
    if (!status) {
        const sni_block_model* first = sni_recording_model(r, r->start_block - 1, error);
        if (first) r->first_model = first->model;
        if (!first) status = SN_ERR_FORMAT;
    }
    if (status) {
        sn_recording_free(r);
        return status;
    }
    sn_recording_rewind(r);
    *out = r;
    return SN_OK;
}

static sn_recording* create(const char* name, const sn_log* log, sn_error* error) {
    sn_recording* r = calloc(1, sizeof *r);
    char* copy = strdup(name);
    if (!r || !copy) {
        free(r);
        free(copy);
        sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory for a recording");
        return NULL;
    }
    r->file = -1;
    r->name = copy;
    if (log) r->log = *log;
    return r;
}

sn_status sn_recording_open(const char* path, const sn_log* log, sn_recording** out,
                            sn_error* error) {
    if (!out) return SN_ERR_ARGUMENT;
    *out = NULL;
    if (!path) return SN_ERR_ARGUMENT;
    sn_recording* r = create(path, log, error);
    if (!r) return SN_ERR_MEMORY;
    struct stat facts;
    r->file = open(path, O_RDONLY | O_CLOEXEC);
    bool good = r->file >= 0 && fstat(r->file, &facts) == 0;
    int trouble = errno;
    if (good && !S_ISREG(facts.st_mode)) {
        good = false;
        trouble = S_ISDIR(facts.st_mode) ? EISDIR : ESPIPE;
    }
    if (!good) {
        char text[128];
        if (strerror_r(trouble, text, sizeof text) != 0) text[0] = 0;
        sn_status status = sni_fail(error, SN_ERR_FILE, place_of(r), "cannot be read: %s", text);
        sn_recording_free(r);
        return status;
    }
    r->size = (uint64_t)facts.st_size;
    return finish_open(r, out, error);
}

sn_status sn_recording_open_memory(const void* bytes, size_t count, const char* name,
                                   const sn_log* log, sn_recording** out, sn_error* error) {
    if (!out) return SN_ERR_ARGUMENT;
    *out = NULL;
    if (!bytes && count > 0) return SN_ERR_ARGUMENT;
    sn_recording* r = create(name ? name : "recording", log, error);
    if (!r) return SN_ERR_MEMORY;
    static const unsigned char nothing;
    r->memory = bytes ? bytes : &nothing;
    r->size = count;
    return finish_open(r, out, error);
}

void sn_recording_free(sn_recording* r) {
    if (!r) return;
    while (r->models) {
        sni_block_model* next = r->models->next;
        sn_model_free(r->models->model);
        free(r->models->bytes);
        free(r->models);
        r->models = next;
    }
    if (r->file >= 0) close(r->file);
    sni_step_reader_free(&r->inputs.reader);
    free(r->samples.bytes);
    free(r->meters.bytes);
    free(r->scene_bytes);
    free(r->options_bytes);
    for (int k = 0; k < r->molecule_count; k++) {
        sni_recorded_molecule_free(&r->molecules[k]);
        free(r->molecule_bytes[k]);
    }
    free(r->molecules);
    free(r->molecule_bytes);
    free(r->sensor_name);
    free(r->sensor_numbers);
    free(r->blocks);
    free(r->name);
    free(r);
}

sn_recording_info sn_recording_ask(const sn_recording* r) { return r->info; }

const sn_model* sn_recording_model(const sn_recording* r) { return r->first_model; }

const sn_world_def* sn_recording_world(const sn_recording* r) { return &r->def; }

int sn_recording_molecule_count(const sn_recording* r) { return r->molecule_count; }

const sn_world_molecule* sn_recording_molecule(const sn_recording* r, int i) {
    return i >= 0 && i < r->molecule_count ? &r->molecules[i].world : NULL;
}

const char* sn_recording_sensor_name(const sn_recording* r, int sensor) {
    return sensor >= 0 && sensor < r->info.sensors ? r->sensor_name[sensor] : NULL;
}

int sn_recording_sensor_numbers(const sn_recording* r, int sensor) {
    return sensor >= 0 && sensor < r->info.sensors ? (int)r->sensor_numbers[sensor] : 0;
}

// ---- models -----------------------------------------------------------------------------------------------------

/// A replacement goes on from bodies of the model before, so only -1 is too small; what is too large is refused by
/// the world.
static bool parts_make_sense(const sni_block_model* m) {
    for (int b = 0; b < sn_model_body_count(m->model); b++)
        if (m->parts.from[b] < -1 || m->parts.locked[b] > 1) return false;
    return true;
}

static sn_status read_block_model(const sn_recording* r, sni_block_model* m, sn_error* error) {
    const sni_block* block = &r->blocks[m->block].block;
    m->bytes = sni_recording_bytes(r, m->block);
    if (!m->bytes) return sni_fail(error, SN_ERR_FILE, place_of(r), "a model cannot be read");
    sni_coder coder = sni_reader(m->bytes, (size_t)block->length);
    sn_status status = sni_read_model(&coder, &m->model, error);
    if (status || block->type != SN_BLOCK_REPLACE) return status;
    sni_code_replacement_parts(&coder, m->model, &m->parts);
    if (!coder.failed && parts_make_sense(m)) return SN_OK;
    return sni_fail(error, SN_ERR_FORMAT, place_of(r), "a model's places make no sense");
}

const sni_block_model* sni_recording_model(sn_recording* r, uint64_t block, sn_error* error) {
    for (const sni_block_model* m = r->models; m; m = m->next)
        if (m->block == block) return m;
    sni_block_model* m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->block = block;
    if (read_block_model(r, m, error)) {
        sn_model_free(m->model);
        free(m->bytes);
        free(m);
        return NULL;
    }
    m->next = r->models;
    r->models = m;
    return m;
}

const sni_block_model* sni_recording_replacement(sn_recording* r, uint64_t block) {
    if (block >= r->count || r->blocks[block].block.type != SN_BLOCK_REPLACE) return NULL;
    return sni_recording_model(r, block, NULL);
}
