// SPDX-License-Identifier: Apache-2.0
// The simulation's side of a recorder: copies what happens into the stream, a whole step or nothing of it.
#include "record/recorder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "record/contents.h"

/// Kept free of all but new models, so that one gets through where a step does not: samples that follow are of it.
enum { SPARE = 1 << 14 };

sn_recorder_def sn_recorder_def_default(void) {
    sn_recorder_def def = {.every = 1};
    return def;
}

// ---- messages -----------------------------------------------------------------------------------------------

/// Whether a message can ever get through.
static bool can_fit(const sn_recorder* r, size_t size) {
    return size <= UINT32_MAX && sizeof(sni_message) + size + SPARE <= r->stream.capacity;
}

static bool begin_message(sn_recorder* r, sni_message_kind kind, size_t size, size_t spare) {
    while (!sni_stream_begin(&r->stream, kind, (uint32_t)size, spare)) {
        if (!r->wait) return false;
        sni_stream_publish(&r->stream); // who waits loses nothing: there is no need to take it back
        sni_thread_rest(0);
    }
    return true;
}

/// Before anything else that comes after a gap.
static bool tell_gap(sn_recorder* r) {
    if (r->gap == 0 || r->gap_is_told) return true;
    if (!begin_message(r, SN_MESSAGE_GAP, sizeof r->gap, SPARE)) return false;
    sni_stream_add(&r->stream, &r->gap, sizeof r->gap);
    r->gap_is_told = true;
    return true;
}

static bool begin(sn_recorder* r, sni_message_kind kind, size_t size) {
    if (can_fit(r, size) && tell_gap(r) && begin_message(r, kind, size, SPARE)) return true;
    sni_stream_cancel(&r->stream);
    r->gap_is_told = false;
    r->broken = true;
    return false;
}

static void add_numbers(sn_recorder* r, const double* numbers, int count) {
    sni_stream_add(&r->stream, numbers, (size_t)count * sizeof *numbers);
}

static void remember_replaced(sn_recorder* r, sn_replacement* replacement) {
    if (r->replaced_count < SN_RECORD_REPLACED_MOST)
        r->replaced[r->replaced_count++] = replacement;
    else
        r->forgot = true; // no matter, unless the step is lost
}

static bool is_listening(const sn_recorder* r) { return !r->deaf && !sni_shown_value(&r->stopped); }

static void write_command(void* context, const sn_command* command) {
    sn_recorder* r = context;
    if (!is_listening(r)) return;
    if (command->type == SN_COMMAND_REPLACE) remember_replaced(r, command->replacement);
    if (r->broken) return;
    const sn_model* model = sn_world_model(r->world);
    int nq = sn_model_nq(model), nv = sn_model_nv(model);
    if (command->type == SN_COMMAND_CONTROL || command->type == SN_COMMAND_DRIVE) {
        bool drive = command->type == SN_COMMAND_DRIVE;
        int count = drive ? 3 * nv : nv;
        if (begin(r, drive ? SN_MESSAGE_DRIVE : SN_MESSAGE_CONTROL, (size_t)count * sizeof(double)))
            add_numbers(r, command->v, count);
        return;
    }
    sni_sent_command sent = {.command = *command, .nq = nq, .nv = nv};
    size_t numbers = (size_t)(command->q ? nq : 0) + (size_t)(command->v ? nv : 0);
    if (!begin(r, SN_MESSAGE_COMMAND, sizeof sent + numbers * sizeof(double))) return;
    sni_stream_add(&r->stream, &sent, sizeof sent);
    if (command->q) add_numbers(r, command->q, nq);
    if (command->v) add_numbers(r, command->v, nv);
    if (command->type == SN_COMMAND_REPLACE) r->models_place = sni_stream_place(&r->stream);
}

static void send_step(sn_recorder* r, const sn_world* world, const sn_step_report* report,
                      const double* sensors) {
    sni_sent_step sent = {.step = sn_world_step_count(world),
                          .hash = sn_world_hash(world),
                          .deepest = report->contact.found.deepest,
                          .residual = report->contact.residual,
                          .events = report->events,
                          .contacts = report->contact.points,
                          .nq = -1,
                          .nv = -1};
    size_t size = sizeof sent;
    bool sampled = sent.step % (uint64_t)r->every == 0;
    if (sampled) {
        sent.nq = sn_model_nq(sn_world_model(world));
        sent.nv = sn_model_nv(sn_world_model(world));
        size += (size_t)(sent.nq + sent.nv + r->writer.sensor_count) * sizeof(double);
    }
    if (!begin(r, SN_MESSAGE_STEP, size)) return;
    sni_stream_add(&r->stream, &sent, sizeof sent);
    if (!sampled) return;
    add_numbers(r, sn_world_q(world), sent.nq);
    add_numbers(r, sn_world_v(world), sent.nv);
    add_numbers(r, sensors ? sensors : r->no_sensors, r->writer.sensor_count);
}

/// New models of a step that is lost: the writer must know them all the same.
static void send_replaced(sn_recorder* r) {
    r->deaf = r->forgot;
    for (int k = 0; k < r->replaced_count && !r->deaf; k++) {
        sni_sent_command sent = {
            .command = {.type = SN_COMMAND_REPLACE, .replacement = r->replaced[k]}};
        r->deaf = !begin_message(r, SN_MESSAGE_COMMAND, sizeof sent, 0);
        if (r->deaf) return;
        sni_stream_add(&r->stream, &sent, sizeof sent);
        r->models_place = sni_stream_place(&r->stream);
    }
}

static void lose_step(sn_recorder* r) {
    r->lost++;
    r->gap++;
    sni_show(&r->lost_shown, r->lost);
}

void sn_recorder_step(sn_recorder* r, const sn_world* world, const sn_step_report* report,
                      const double* sensors) {
    size_t begun = sni_stream_place(&r->stream);
    sni_show(&r->steps_shown, ++r->steps);
    if (is_listening(r) && !r->broken) send_step(r, world, report, sensors);
    if (!is_listening(r)) {
        lose_step(r);
    } else if (r->broken) {
        lose_step(r);
        send_replaced(r);
        sni_stream_publish(&r->stream);
    } else {
        sni_stream_publish(&r->stream);
        sni_stream_expect(&r->stream, sni_stream_place(&r->stream) - begun); // the next is alike
        if (r->gap_is_told) r->gap = 0;
    }
    r->gap_is_told = r->broken = r->forgot = false;
    r->replaced_count = 0;
}

void sn_recorder_meters(sn_recorder* r, const sn_meters* meters) {
    sni_sent_meters sent = {.meters = *meters};
    size_t length = meters->hand ? strlen(meters->hand) : 0;
    if (length >= sizeof sent.hand) length = sizeof sent.hand - 1;
    if (length > 0) memcpy(sent.hand, meters->hand, length);
    if (!is_listening(r) || r->broken) return;
    if (!begin_message(r, SN_MESSAGE_METERS, sizeof sent, SPARE)) return;
    sni_stream_add(&r->stream, &sent, sizeof sent);
    sni_stream_publish(&r->stream);
}

bool sn_recorder_is_idle(const sn_recorder* r) {
    return sni_stream_has_passed(&r->stream, r->models_place);
}

void sn_recorder_ask(sn_recorder* r, sn_recorder_status* status) {
    *status = (sn_recorder_status){
        .steps = sni_shown_value(&r->steps_shown),
        .lost = sni_shown_value(&r->lost_shown) + sni_shown_value(&r->discarded_shown),
        .bytes = sni_shown_value(&r->bytes_shown),
    };
    if (status->lost > 0) status->state = SN_RECORDER_GAP;
    if (!sni_shown_value(&r->stopped)) return;
    status->state = SN_RECORDER_STOPPED;
    memcpy(status->text, r->text, sizeof status->text);
}

// ---- creation -------------------------------------------------------------------------------------------------

static void layout(sn_recorder* r, sni_arena* arena, size_t bytes) {
    sni_stream_layout(&r->stream, arena, bytes);
    r->no_sensors = SN_ARENA_ARRAY(arena, double, r->writer.sensor_count);
}

/// Room for some steps, however large the model.
static size_t ring_bytes(const sn_recorder_def* def, const sn_world* world, int sensors) {
    enum { USUAL = 16 << 20, STEPS = 4 };
    const sn_model* model = sn_world_model(world);
    size_t numbers =
        2 * ((size_t)sn_model_nq(model) + (size_t)sn_model_nv(model)) + (size_t)sensors;
    size_t least = 2 * SPARE + STEPS * (numbers * sizeof(double) + sizeof(sni_sent_command));
    size_t wanted = def->ring_bytes ? def->ring_bytes : USUAL;
    return wanted > least ? wanted : least;
}

static int count_sensors(const sn_recorder_def* def) {
    int count = 0;
    for (int k = 0; k < def->sensors; k++) {
        if (def->sensor_numbers[k] < 1) return -1;
        count += def->sensor_numbers[k];
    }
    return count;
}

static sn_status check(const char* path, const sn_world* world, const sn_world_def* world_def,
                       const sn_recorder_def* def, sn_error* error) {
    const char* trouble = NULL;
    if (!path || !world || !world_def)
        trouble = "no path, world or options given";
    else if (def->every < 1)
        trouble = "samples are taken every 1 step or more";
    else if (def->sensors < 0 || (def->sensors > 0 && (!def->sensor_names || !def->sensor_numbers)))
        trouble = "sensors need names and numbers";
    else if (def->sensors > 0 && count_sensors(def) < 0)
        trouble = "a sensor has at least one number";
    if (trouble) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "%s", trouble);
    return SN_OK;
}

/// The beginning of the file.
typedef struct beginning {
    sn_recorder* recorder;
    const sn_world_def* world_def;
    const sn_recorder_def* def;
    sn_error* error;
    sn_status status;
} beginning;

static void write_beginning(void* context) {
    beginning* b = context;
    sn_recorder* r = b->recorder;
    b->status = sni_block_file_open(&r->writer.file, r->path, b->error);
    if (!b->status)
        b->status = sni_recorder_begin(&r->writer, r->world, b->world_def, b->def, b->error);
}

/// A thread writes the beginning as well: where a file may grow no more, or nobody reads a pipe, the signal that
/// would end the program is blocked in it.
static sn_status start(sn_recorder* r, const sn_world_def* world_def, const sn_recorder_def* def,
                       sn_error* error) {
    size_t bytes = ring_bytes(def, r->world, r->writer.sensor_count);
    layout(r, &r->arena, bytes);
    if (!r->path || !sni_arena_allocate(&r->arena))
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory to record");
    layout(r, &r->arena, bytes);
    memset(r->stream.bytes, 0xff, bytes); // so that no step is the first to touch a page
    for (int k = 0; k < r->writer.sensor_count; k++) r->no_sensors[k] = NAN;
    beginning first = {r, world_def, def, error, SN_OK};
    r->thread = sni_thread_start(write_beginning, &first);
    sni_thread_join(r->thread);
    if (first.status) return first.status;
    sni_show(&r->bytes_shown, r->writer.file.bytes);
    if (r->thread) r->thread = sni_thread_start(sni_recorder_write, r);
    if (!r->thread)
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "there is no thread to record with");
    return SN_OK;
}

static void free_parts(sn_recorder* r) {
    sni_block_file_close(&r->writer.file);
    sni_record_writer_free(&r->writer);
    sni_arena_free(&r->arena);
    free(r->path);
    free(r);
}

sn_status sn_recorder_create(const char* path, sn_world* world, const sn_world_def* world_def,
                             const sn_recorder_def* def, sn_recorder** recorder, sn_error* error) {
    if (!recorder) return SN_ERR_ARGUMENT;
    *recorder = NULL;
    sn_recorder_def defaults = sn_recorder_def_default();
    if (!def) def = &defaults;
    sn_status status = check(path, world, world_def, def, error);
    if (status) return status;
    sn_recorder* r = aligned_alloc(alignof(sn_recorder), sizeof *r);
    if (!r) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory to record");
    memset(r, 0, sizeof *r);
    r->world = world;
    r->path = strdup(path);
    r->every = def->every;
    r->wait = def->wait;
    r->writer.file.file = -1;
    r->writer.sensor_count = count_sensors(def);
    status = start(r, world_def, def, error);
    if (status) {
        free_parts(r);
        return status;
    }
    sni_forget_thoughts(world);
    sn_tape tape = {write_command, r};
    sn_world_set_tape(world, &tape);
    *recorder = r;
    return SN_OK;
}

void sn_recorder_free(sn_recorder* r, sn_recorder_status* status) {
    if (!r) return;
    sn_world_set_tape(r->world, NULL);
    sni_show(&r->end, 1);
    sni_thread_join(r->thread);
    if (status) sn_recorder_ask(r, status);
    free_parts(r);
}
