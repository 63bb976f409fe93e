// SPDX-License-Identifier: Apache-2.0
// The writing side of a recorder: takes messages from the stream, makes blocks of them, and appends these to the
// file at least every quarter of a second, so that no more is lost with the program.
#include <stdio.h>

#include "base/error.h"
#include "record/contents.h"
#include "record/meters_code.h"
#include "record/model_code.h"
#include "record/molecule_code.h"
#include "record/options_code.h"
#include "record/recorder.h"

static const int64_t WRITE_NS = 200000000; // oldest that anything gets that is not written
static const int64_t NAP_NS = 2000000;     // when there is nothing to do
enum { BLOCK_BYTES = 1 << 20 };            // a block that is larger is written at once

/// What `pending` holds: a message, and for a new model the number of its block.
typedef struct pending {
    sni_message message;
    uint64_t block;
} pending;

static void put_count(sni_bytes* bytes, size_t place, uint32_t count) {
    if (!bytes->failed) memcpy(bytes->at + SN_BLOCK_HEADER + place, &count, sizeof count);
}

// ---- blocks ---------------------------------------------------------------------------------------------------

static void write_steps(sni_record_writer* w) {
    if (w->step_count == 0) return;
    put_count(&w->steps, 0, w->step_count);
    put_count(&w->steps, sizeof(uint32_t), w->input_count);
    sni_block_append(&w->file, SN_BLOCK_STEPS, w->first, &w->steps);
    if (w->file.stopped) return;
    w->all_steps += w->step_count;
    w->all_inputs += w->input_count;
    w->step_count = w->input_count = 0;
}

static void write_samples(sni_record_writer* w) {
    if (w->sample_count == 0) return;
    put_count(&w->samples, 0, w->sample_count);
    sni_block_append(&w->file, SN_BLOCK_SAMPLES, w->first_sample, &w->samples);
    if (w->file.stopped) return;
    w->all_samples += w->sample_count;
    w->sample_count = 0;
}

static void write_meters(sni_record_writer* w) {
    if (w->meters_count == 0) return;
    put_count(&w->meters, 0, w->meters_count);
    sni_block_append(&w->file, SN_BLOCK_METERS, w->first_meters, &w->meters);
    w->meters_count = 0;
}

static void write_blocks(sni_record_writer* w) {
    write_steps(w);
    write_samples(w);
    write_meters(w);
}

static void write_u64(sni_record_writer* w, sni_block_type type, const uint64_t* numbers,
                      size_t count) {
    sni_block_begin(&w->message);
    sni_bytes_add(&w->message, numbers, count * sizeof *numbers);
    sni_block_append(&w->file, type, w->last, &w->message);
}

/// A new model with where it comes from. Returns the number of its block.
static uint64_t write_replacement(sni_record_writer* w, const sn_replacement* replacement) {
    sni_bytes block = {0};
    sni_block_begin(&block);
    sni_coder coder = sni_writer(&block);
    sni_write_replacement(&coder, replacement);
    uint64_t number = sni_block_append(&w->file, SN_BLOCK_REPLACE, w->last, &block);
    sni_bytes_free(&block);
    return number;
}

// ---- messages -------------------------------------------------------------------------------------------------

static void keep_command(sni_record_writer* w, sni_message message) {
    pending entry = {.message = message};
    const sni_sent_command* sent = (const void*)w->message.at;
    if (message.kind == SN_MESSAGE_COMMAND && sent->command.type == SN_COMMAND_REPLACE) {
        write_blocks(w); // what comes before it in the file was before it
        entry.block = write_replacement(w, sent->command.replacement);
    }
    sni_bytes_add(&w->pending, &entry, sizeof entry);
    sni_bytes_add(&w->pending, w->message.at, message.size);
    static const unsigned char zeros[8];
    sni_bytes_add(&w->pending, zeros, (8 - message.size % 8) % 8); // as numbers are aligned
    w->pending_count++;
}

static void add_command(sni_record_writer* w, sni_coder* coder, const pending* entry) {
    const void* bytes = entry + 1;
    uint64_t block = entry->block;
    bool drive = entry->message.kind == SN_MESSAGE_DRIVE;
    if (drive || entry->message.kind == SN_MESSAGE_CONTROL) {
        sn_command command = {.type = drive ? SN_COMMAND_DRIVE : SN_COMMAND_CONTROL, .v = bytes};
        int nv = (int)(entry->message.size / sizeof(double)) / (drive ? 3 : 1);
        sni_code_command(coder, &w->memory, &command, 0, nv, &block);
        return;
    }
    const sni_sent_command* sent = bytes;
    const double* numbers = (const void*)(sent + 1);
    sn_command command = sent->command;
    if (command.q) command.q = numbers;
    if (command.v) command.v = numbers + (command.q ? sent->nq : 0);
    sni_code_command(coder, &w->memory, &command, sent->nq, sent->nv, &block);
}

static void add_commands(sni_record_writer* w, sni_coder* coder) {
    sni_code_u32(coder, &w->pending_count);
    size_t place = 0;
    while (place < w->pending.count && !w->pending.failed) {
        const pending* entry = (const void*)(w->pending.at + place);
        add_command(w, coder, entry);
        place += sizeof *entry + (entry->message.size + 7) / 8 * 8;
    }
    w->input_count += w->pending_count;
    w->pending_count = 0;
    sni_bytes_clear(&w->pending);
}

static void add_step(sni_record_writer* w, const sni_sent_step* sent) {
    if (w->step_count == 0) {
        sni_block_begin(&w->steps);
        sni_bytes_grow(&w->steps, 2 * sizeof(uint32_t));
        sni_command_memory_begin(&w->memory);
        w->first = w->last;
    }
    sni_coder coder = sni_writer(&w->steps);
    uint8_t flags = (w->pending_count > 0 ? SN_STEP_HAS_INPUTS : 0) |
                    (sent->step == w->last ? SN_STEP_STOOD_STILL : 0);
    uint64_t hash = sent->hash;
    sni_code(&coder, &flags, sizeof flags);
    sni_code_u64(&coder, &hash);
    if (w->pending_count > 0) add_commands(w, &coder);
    w->step_count++;
    w->last = sent->step;
}

static void add_sample(sni_record_writer* w, const sni_sent_step* sent, const double* numbers) {
    if (w->sample_count > 0 && (sent->nq != w->sample_nq || sent->nv != w->sample_nv))
        write_samples(w);
    size_t count = (size_t)sent->nq + (size_t)sent->nv + (size_t)w->sensor_count;
    if (w->sample_count == 0) {
        sni_samples_head all = {0, (uint32_t)sent->nq, (uint32_t)sent->nv,
                                (uint32_t)w->sensor_count};
        sni_block_begin(&w->samples);
        sni_bytes_add(&w->samples, &all, sizeof all);
        w->sample_nq = sent->nq;
        w->sample_nv = sent->nv;
        w->first_sample = sent->step;
    }
    sni_sample_head head = {sent->step,     sent->hash,    sent->events,
                            sent->contacts, sent->deepest, sent->residual};
    sni_bytes_add(&w->samples, &head, sizeof head);
    sni_bytes_add(&w->samples, numbers, count * sizeof *numbers);
    w->sample_count++;
}

static void take_step(sni_record_writer* w) {
    const sni_sent_step* sent = (const void*)w->message.at;
    add_step(w, sent);
    if (sent->nq >= 0) add_sample(w, sent, (const void*)(sent + 1));
    if (w->steps.count + w->samples.count > BLOCK_BYTES) write_blocks(w);
}

static void take_meters(sni_record_writer* w) {
    sni_sent_meters* sent = (void*)w->message.at;
    if (w->meters_count == 0) {
        sni_block_begin(&w->meters);
        sni_bytes_grow(&w->meters, sizeof(uint32_t));
        w->first_meters = sent->meters.step;
    }
    sent->meters.hand = sent->hand;
    sni_coder coder = sni_writer(&w->meters);
    sni_code_meters(&coder, &sent->meters);
    w->meters_count++;
}

/// Commands of steps that are missing mean nothing.
static void take_gap(sni_record_writer* w) {
    uint64_t lost;
    memcpy(&lost, w->message.at, sizeof lost);
    write_blocks(w);
    sni_bytes_clear(&w->pending);
    w->pending_count = 0;
    w->last += lost;
    w->all_lost += lost;
    write_u64(w, SN_BLOCK_GAP, &lost, 1);
}

static void take_message(sni_record_writer* w, sni_message message) {
    switch ((sni_message_kind)message.kind) {
    case SN_MESSAGE_COMMAND:
    case SN_MESSAGE_CONTROL:
    case SN_MESSAGE_DRIVE: keep_command(w, message); break;
    case SN_MESSAGE_STEP: take_step(w); break;
    case SN_MESSAGE_METERS: take_meters(w); break;
    case SN_MESSAGE_GAP: take_gap(w); break;
    }
}

/// Says that it stopped, once.
static void show_state(sn_recorder* r) {
    sni_record_writer* w = &r->writer;
    sni_show(&r->bytes_shown, w->file.bytes);
    bool failed = w->message.failed || w->pending.failed || w->memory.control.failed ||
                  w->memory.forces.failed;
    if (failed && !w->file.stopped) {
        w->file.stopped = true;
        snprintf(w->file.text, sizeof w->file.text, "not enough memory to go on recording");
    }
    if (!w->file.stopped || sni_shown_value(&r->stopped)) return;
    w->discarded = w->step_count; // gathered and never written
    sni_show(&r->discarded_shown, w->discarded);
    memcpy(r->text, w->file.text, sizeof r->text);
    sni_show(&r->stopped, 1);
}

/// What comes after it stopped is let go of.
static bool take_messages(sn_recorder* r) {
    sni_record_writer* w = &r->writer;
    sni_message message;
    bool some = false;
    for (; sni_stream_look(&r->stream, &message); sni_stream_release(&r->stream), some = true) {
        if (w->file.stopped) {
            if (message.kind == SN_MESSAGE_STEP) sni_show(&r->discarded_shown, ++w->discarded);
            continue;
        }
        sni_bytes_clear(&w->message);
        void* bytes = sni_bytes_grow(&w->message, message.size);
        if (bytes) {
            sni_stream_copy(&r->stream, &message, bytes);
            take_message(w, message);
        }
        show_state(r);
    }
    return some;
}

void sni_recorder_write(void* context) {
    sn_recorder* r = context;
    sni_record_writer* w = &r->writer;
    sn_clock clock = sn_clock_real();
    w->written_ns = clock.now_ns(clock.context);
    for (bool ends = false; !ends;) {
        ends = sni_shown_value(&r->end) != 0; // asked before the stream is emptied
        bool some = take_messages(r);
        int64_t now = clock.now_ns(clock.context);
        if (now - w->written_ns >= WRITE_NS || ends) {
            if (!w->file.stopped) write_blocks(w);
            w->written_ns = now;
            show_state(r);
        }
        if (!some && !ends) sni_thread_rest(NAP_NS);
    }
    uint64_t gap = sni_shown_value(&r->lost_shown) - w->all_lost;
    if (gap > 0 && !w->file.stopped) write_u64(w, SN_BLOCK_GAP, &gap, 1);
    uint64_t totals[] = {w->all_steps, w->all_inputs, w->all_samples, w->all_lost + gap};
    if (!w->file.stopped) write_u64(w, SN_BLOCK_END, totals, sizeof totals / sizeof *totals);
    sni_block_file_close(&w->file);
    show_state(r);
}

void sni_record_writer_free(sni_record_writer* w) {
    sni_bytes_free(&w->message);
    sni_bytes_free(&w->pending);
    sni_bytes_free(&w->steps);
    sni_bytes_free(&w->samples);
    sni_bytes_free(&w->meters);
    sni_command_memory_free(&w->memory);
}

// ---- the beginning ----------------------------------------------------------------------------------------------

static void append(sni_record_writer* w, sni_block_type type) {
    sni_block_append(&w->file, type, w->last, &w->message);
    sni_block_begin(&w->message);
}

sn_status sni_recorder_begin(sni_record_writer* w, const sn_world* world,
                             const sn_world_def* world_def, const sn_recorder_def* def,
                             sn_error* error) {
    w->last = sn_world_step_count(world);
    sni_coder coder = sni_writer(&w->message);
    sni_block_begin(&w->message);
    if (def->scene) {
        const char* scene = def->scene;
        sni_code_text(&coder, &scene, false);
        append(w, SN_BLOCK_SCENE);
    }
    sni_sampled sampled = {(uint32_t)def->every, (uint32_t)def->sensors};
    sni_code_sampled(&coder, &sampled);
    for (int k = 0; k < def->sensors; k++) {
        const char* name = def->sensor_names[k];
        uint32_t numbers = (uint32_t)def->sensor_numbers[k];
        sni_code_sensor(&coder, &name, &numbers);
    }
    sn_world_def now = sni_options_now(world, world_def);
    sni_code_options(&coder, &now);
    append(w, SN_BLOCK_OPTIONS);
    for (int k = 0; k < def->molecule_count; k++) {
        if (!sni_write_molecule(&coder, &def->molecules[k]))
            return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory to record");
        append(w, SN_BLOCK_MOLECULE);
    }
    sni_write_model(&coder, sn_world_model(world));
    append(w, SN_BLOCK_MODEL);
    sni_write_start(&coder, &w->memory, world);
    append(w, SN_BLOCK_START);
    sn_place place = {w->file.path, 0, 0};
    if (coder.failed)
        return sni_fail(error, SN_ERR_CAPACITY, place, "the world's capacities are too large");
    if (w->file.stopped) return sni_fail(error, SN_ERR_FILE, sni_nowhere(), "%s", w->file.text);
    return SN_OK;
}
