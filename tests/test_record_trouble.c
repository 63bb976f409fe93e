// SPDX-License-Identifier: Apache-2.0
// What goes wrong with files: writers that are killed, disks that are full or slow, bytes that are missing or wrong.
// What was written stays readable and comes out again; the simulation goes on.
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/block.h"
#include "support/random_state.h"
#include "support/recorded.h"

static test_units si;

static sn_model* make_chain(int bodies) {
    return test_generate(SN_GENERATE_CHAIN, bodies, 5, false, true, si);
}

/// Steps that a replay finds the same, from the beginning on; -1: one differs.
static long count_same(sn_recording* recording) {
    sn_replay* replay = NULL;
    bool same = true, differs = false;
    long count = 0;
    CHECK_STATUS(sn_replay_create(recording, NULL, &replay, NULL), SN_OK);
    while (sn_replay_step(replay, NULL, &same) == SN_OK) {
        count++;
        if (!same) differs = true;
    }
    sn_replay_free(replay);
    return differs ? -1 : count;
}

static long count_samples(sn_recording* recording) {
    sn_sample sample;
    long count = 0;
    sn_recording_rewind(recording);
    while (sn_recording_next(recording, &sample)) count++;
    return count;
}

static sn_recording* open_recording(const char* path) {
    sn_recording* recording = NULL;
    sn_error error = {0};
    check_context(path);
    if (sn_recording_open(path, NULL, &recording, &error)) fail_msg("%s", error.text);
    return recording;
}

// ---- killed writers ---------------------------------------------------------------------------------------

/// Records in real time until it is killed; tells how far it came, step by step.
static void record_until_killed(const char* path, int tell) {
    sn_model* model = make_chain(8);
    sn_world_def def = sn_world_def_default();
    sn_world* world = NULL;
    sn_recorder* recorder = NULL;
    if (sn_world_create(model, &def, &world, NULL)) _exit(1);
    if (sn_recorder_create(path, world, &def, NULL, &recorder, NULL)) _exit(1);
    for (;;) {
        sn_step_report report;
        struct timespec nap = {0, 1000000};
        sn_wrench push = sn_wrench_make(sn_vec3_make(0, 0, 0.1), sn_vec3_zero());
        (void)sn_world_set_wrench(world, sn_body(3), SN_AXES_BODY, push);
        (void)sn_world_step(world, &report);
        sn_recorder_step(recorder, world, &report, NULL);
        if (write(tell, &report.step, sizeof report.step) < 0) _exit(1);
        nanosleep(&nap, NULL);
    }
}

static void a_killed_writer_leaves_all_but_the_last_second(void** state) {
    (void)state;
    char path[256];
    int pipes[2];
    recorded_path(path, "killed");
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) record_until_killed(path, pipes[1]);
    close(pipes[1]);
    // what is there is written every fifth of a second, steps and samples: once the file has grown by that twice
    // more, it holds everything that was before
    enum { OLD = 300, GROWN = 5 };
    uint64_t step = 0;
    off_t size = 0;
    int grown = 0;
    while (grown < GROWN && read(pipes[0], &step, sizeof step) == (ssize_t)sizeof step) {
        struct stat facts;
        if (step < OLD || stat(path, &facts) != 0 || facts.st_size == size) continue;
        size = facts.st_size;
        grown++;
    }
    assert_int_equal(kill(child, SIGKILL), 0);
    int how = 0;
    assert_true(waitpid(child, &how, 0) == child);
    CHECK(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL, 0);
    close(pipes[0]);
    sn_recording* recording = open_recording(path);
    sn_recording_info info = sn_recording_ask(recording);
    CHECK(info.steps >= OLD && !info.closed && !info.damaged && info.lost == 0, info.steps);
    CHECK(count_same(recording) == (long)info.steps, info.steps);
    CHECK(count_samples(recording) == (long)info.samples && info.samples >= OLD, info.samples);
    sn_recording_free(recording);
    remove(path);
}

// ---- full disks -------------------------------------------------------------------------------------------

/// Records until the recorder has stopped, and goes on; what is in the file is good.
static void record_past_the_end(const char* name, const char* path, bool wait) {
    sn_model* model = make_chain(10);
    sn_world_def def = sn_world_def_default();
    recorded r = recorded_make(name, model, &def);
    if (path) snprintf(r.path, sizeof r.path, "%s", path);
    r.options.wait = wait;
    recorded_begin(&r);
    sn_recorder_status status = {0};
    int after = 0;
    while (after < 100) {
        recorded_step(&r);
        CHECK(r.report.step == (uint64_t)r.steps, 0); // it goes on
        sn_recorder_ask(r.recorder, &status);
        if (status.state == SN_RECORDER_STOPPED) after++;
        if (r.steps % 64 == 0) sched_yield();
        assert_true(r.steps < 3000000);
    }
    sn_recorder_free(r.recorder, &status);
    r.recorder = NULL;
    CHECK(status.state == SN_RECORDER_STOPPED && status.steps == (uint64_t)r.steps, 0);
    assert_non_null(strstr(status.text, "make room and record anew"));
    sn_recording* recording = open_recording(r.path);
    sn_recording_info info = sn_recording_ask(recording);
    CHECK(!info.closed && !info.damaged && info.steps > 0, info.steps);
    CHECK(info.steps + status.lost == (uint64_t)r.steps, info.steps);
    struct stat facts;
    assert_int_equal(stat(r.path, &facts), 0);
    CHECK((uint64_t)facts.st_size == status.bytes, 0); // cut after its last whole block
    CHECK(count_same(recording) == (long)info.steps, 0);
    sn_recording_free(recording);
    recorded_free(&r);
    sn_model_free(model);
}

/// As a user's program is that knows nothing of limits: signals do what they do by default.
static void in_child(CMUnitTestFunction test) {
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct CMUnitTest alone[] = {cmocka_unit_test(test)};
        int failed = cmocka_run_group_tests(alone, NULL, NULL);
        fflush(NULL);
        _exit(failed);
    }
    int how = 0;
    assert_true(waitpid(child, &how, 0) == child);
    CHECK(WIFEXITED(how) && WEXITSTATUS(how) == 0, (uint64_t)how);
}

static void limit_files(rlim_t bytes) {
    struct rlimit limit = {bytes, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_DFL);
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0, 0);
}

static void record_to_the_limit(void** state) {
    (void)state;
    limit_files(300000);
    record_past_the_end("limit", NULL, false);
    record_past_the_end("limit_wait", NULL, true);
}

static void begin_beyond_the_limit(void** state) {
    (void)state;
    limit_files(200); // the header fits, the model does not
    sn_model* model = make_chain(10);
    sn_world_def def = sn_world_def_default();
    sn_world* world = NULL;
    sn_recorder* recorder = NULL;
    sn_error error = {0};
    char path[256];
    recorded_path(path, "beyond");
    CHECK_STATUS(sn_world_create(model, &def, &world, NULL), SN_OK);
    CHECK_STATUS(sn_recorder_create(path, world, &def, NULL, &recorder, &error), SN_ERR_FILE);
    CHECK(!recorder && strstr(error.text, "File too large"), 0);
    remove(path);
    sn_world_free(world);
    sn_model_free(model);
}

static void a_limit_on_files_stops_the_recording_and_not_the_program(void** state) {
    (void)state;
    in_child(record_to_the_limit);
    in_child(begin_beyond_the_limit);
}

static void a_full_disk_stops_the_recording_and_not_the_simulation(void** state) {
    (void)state;
    char folder[256], path[300];
    recorded_path(folder, "disk");
    assert_int_equal(mkdir(folder, 0700), 0);
    if (mount("tmpfs", folder, "tmpfs", 0, "size=512k") != 0) {
        rmdir(folder);
        skip(); // only root may
    }
    snprintf(path, sizeof path, "%s/run.sinew", folder);
    record_past_the_end("disk", path, false);
    assert_int_equal(umount(folder), 0);
    rmdir(folder);
}

static void what_cannot_be_written_from_the_first_is_said_at_once(void** state) {
    (void)state;
    sn_model* model = make_chain(3);
    sn_world_def def = sn_world_def_default();
    sn_world* world = NULL;
    CHECK_STATUS(sn_world_create(model, &def, &world, NULL), SN_OK);
    static const char* const cases[][2] = {
        {"/dev/full", "No space left"},
        {"/nowhere/at/all.sinew", "No such file"},
        {"/", "directory"},
    };
    for (int k = 0; k < 3; k++) {
        sn_recorder* recorder = NULL;
        sn_error error = {0};
        CHECK_STATUS(sn_recorder_create(cases[k][0], world, &def, NULL, &recorder, &error),
                     SN_ERR_FILE);
        CHECK(!recorder && strstr(error.text, cases[k][1]), (uint64_t)k);
        assert_string_equal(error.file, cases[k][0]);
        CHECK_STATUS(sn_world_step(world, NULL), SN_OK); // no tape is left behind
    }
    sn_recorder_def bad = sn_recorder_def_default();
    sn_recorder* recorder = NULL;
    bad.every = 0;
    CHECK_STATUS(sn_recorder_create("/dev/null", world, &def, &bad, &recorder, NULL),
                 SN_ERR_ARGUMENT);
    bad = sn_recorder_def_default();
    bad.sensors = 1;
    CHECK_STATUS(sn_recorder_create("/dev/null", world, &def, &bad, &recorder, NULL),
                 SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_recorder_create(NULL, world, &def, NULL, &recorder, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_recorder_create("/dev/null", NULL, &def, NULL, &recorder, NULL),
                 SN_ERR_ARGUMENT);
    sn_world_free(world);
    sn_model_free(model);
}

// ---- slow disks -------------------------------------------------------------------------------------------

/// A pipe with a name, whose reader takes nothing until it is told to, and keeps what it took.
typedef struct slow_disk {
    char path[256];
    atomic_bool goes;
    pthread_t thread;
    unsigned char* bytes;
    size_t count, capacity;
} slow_disk;

static void* read_slowly(void* context) {
    slow_disk* d = context;
    int file = open(d->path, O_RDONLY);
    for (;;) {
        if (!atomic_load(&d->goes) && d->count >= 20000) { // the beginning gets through
            sched_yield();
            continue;
        }
        if (d->capacity - d->count < 65536) {
            d->capacity = 2 * d->capacity + 65536;
            d->bytes = realloc(d->bytes, d->capacity);
        }
        ssize_t got = read(file, d->bytes + d->count, 4096);
        if (got <= 0) break;
        d->count += (size_t)got;
    }
    close(file);
    return NULL;
}

static void disk_begin(slow_disk* d, const char* name) {
    *d = (slow_disk){0};
    recorded_path(d->path, name);
    assert_int_equal(mkfifo(d->path, 0600), 0);
    assert_int_equal(pthread_create(&d->thread, NULL, read_slowly, d), 0);
}

static sn_recording* disk_end(slow_disk* d) {
    sn_recording* recording = NULL;
    pthread_join(d->thread, NULL);
    CHECK_STATUS(sn_recording_open_memory(d->bytes, d->count, "pipe", NULL, &recording, NULL),
                 SN_OK);
    remove(d->path);
    return recording;
}

static void begin_slow(recorded* r, slow_disk* d, const char* name, const sn_model* model,
                       const sn_world_def* def, bool wait) {
    *r = recorded_make(name, model, def);
    disk_begin(d, name);
    snprintf(r->path, sizeof r->path, "%s", d->path);
    r->options.wait = wait;
    r->options.ring_bytes = 1; // as small as it may be
    recorded_begin(r);
}

static void a_disk_that_is_too_slow_makes_a_gap(void** state) {
    (void)state;
    sn_model *model = make_chain(10), *other = make_chain(12);
    sn_world_def def = sn_world_def_default();
    recorded r;
    slow_disk d;
    begin_slow(&r, &d, "gap", model, &def, false);
    sn_recorder_status status = {0};
    while (status.lost < 500) { // and nobody waits
        recorded_step(&r);
        sn_recorder_ask(r.recorder, &status);
        assert_true(r.steps < 1000000);
    }
    CHECK(status.state == SN_RECORDER_GAP, 0);
    // bodies come while nothing gets through; what follows is of the new model
    sn_body_id from[12];
    sn_replacement* replacement = NULL;
    for (int b = 0; b < 12; b++) from[b] = sn_body(b < 10 ? b : -1);
    CHECK_STATUS(sn_world_prepare(r.world, model, other, from, &replacement, NULL), SN_OK);
    CHECK_STATUS(sn_world_replace(r.world, replacement), SN_OK);
    recorded_step(&r);
    sn_recorder_ask(r.recorder, &status);
    uint64_t lost = status.lost;
    atomic_store(&d.goes, true);
    for (int k = 0; k < 400; k++) { // it has got room again, after a while
        struct timespec nap = {0, 200000};
        CHECK_STATUS(sn_world_set_gravity(r.world, sn_vec3_make(0, 0, -k)), SN_OK);
        recorded_step(&r);
        nanosleep(&nap, NULL);
    }
    sn_recorder_free(r.recorder, &status);
    r.recorder = NULL;
    CHECK(status.state == SN_RECORDER_GAP && status.lost >= lost, 0);
    sn_recording* recording = disk_end(&d);
    sn_recording_info info = sn_recording_ask(recording);
    CHECK(info.closed && !info.damaged && info.lost == status.lost, info.lost);
    CHECK(info.steps + info.lost == (uint64_t)r.steps, info.steps);
    long same = count_same(recording);
    CHECK(same > 0 && (uint64_t)same < info.steps, (uint64_t)same); // up to the gap
    // samples after the gap are of the new model, and the last one is the world's state
    sn_sample sample = {0};
    long samples = 0;
    while (sn_recording_next(recording, &sample)) samples++;
    CHECK(samples == (long)info.samples && sn_model_body_count(sample.model) == 12, 0);
    CHECK(sample.step == sn_world_step_count(r.world) && sample.hash == sn_world_hash(r.world), 0);
    // so are inputs
    sn_input input;
    uint64_t inputs = 0, last = 0;
    while (sn_recording_next_input(recording, &input)) {
        inputs++;
        CHECK(input.step > last && input.command.type == SN_COMMAND_GRAVITY, inputs);
        CHECK(sn_model_body_count(input.model) == 12, inputs);
        last = input.step;
    }
    CHECK(inputs == info.inputs && inputs > 0 && last == sample.step, inputs);
    sn_recording_free(recording);
    free(d.bytes);
    recorded_free(&r);
    sn_model_free(model);
    sn_model_free(other);
}

static void* go_after_a_while(void* context) {
    struct timespec nap = {0, 50000000};
    nanosleep(&nap, NULL);
    atomic_store(&((slow_disk*)context)->goes, true);
    return NULL;
}

static void who_waits_for_the_disk_loses_nothing(void** state) {
    (void)state;
    sn_model* model = make_chain(10);
    sn_world_def def = sn_world_def_default();
    recorded r;
    slow_disk d;
    pthread_t other;
    begin_slow(&r, &d, "wait", model, &def, true);
    assert_int_equal(pthread_create(&other, NULL, go_after_a_while, &d), 0);
    for (int k = 0; k < 3000; k++) recorded_step(&r);
    recorded_end(&r);
    pthread_join(other, NULL);
    sn_recording* recording = disk_end(&d);
    sn_recording_info info = sn_recording_ask(recording);
    CHECK(info.closed && info.lost == 0 && info.steps == 3000, info.steps);
    CHECK(count_same(recording) == 3000, 0);
    sn_recording_free(recording);
    free(d.bytes);
    recorded_free(&r);
    sn_model_free(model);
}

static void a_reader_that_leaves_stops_the_recording_and_not_the_program(void** state) {
    (void)state;
    sn_model* model = make_chain(3);
    sn_world_def def = sn_world_def_default();
    recorded r = recorded_make("leaves", model, &def);
    assert_int_equal(mkfifo(r.path, 0600), 0);
    int reader = open(r.path, O_RDONLY | O_NONBLOCK);
    recorded_begin(&r);
    close(reader);
    sn_recorder_status status = {0};
    while (status.state != SN_RECORDER_STOPPED) {
        recorded_step(&r);
        sn_recorder_ask(r.recorder, &status);
    }
    assert_non_null(strstr(status.text, "Broken pipe"));
    recorded_free(&r);
    sn_model_free(model);
}

// ---- bytes that are missing or wrong ------------------------------------------------------------------------

/// A small recording with blocks of every kind but gaps, as bytes.
static unsigned char* small_recording(size_t* count, int* steps) {
    sn_model *model = make_chain(2), *other = make_chain(3);
    sn_world_def def = sn_world_def_default();
    recorded r = recorded_make("small", model, &def);
    r.options.scene = "version: 1\n";
    recorded_begin(&r);
    for (int k = 0; k < 6; k++) {
        sn_body_id from[3] = {{0}, {1}, {-1}};
        sn_replacement* replacement = NULL;
        if (k == 3) {
            CHECK_STATUS(sn_world_prepare(r.world, model, other, from, &replacement, NULL), SN_OK);
            CHECK_STATUS(sn_world_replace(r.world, replacement), SN_OK);
        }
        CHECK_STATUS(sn_world_set_gravity(r.world, sn_vec3_make(0, 0.5, -k)), SN_OK);
        recorded_step(&r);
    }
    recorded_end(&r);
    unsigned char* bytes = recorded_read(r.path, count);
    *steps = r.steps;
    recorded_free(&r);
    sn_model_free(model);
    sn_model_free(other);
    return bytes;
}

/// Places of blocks' headers; how many.
static int find_blocks(const unsigned char* bytes, size_t count, size_t* place, int most) {
    int blocks = 0;
    for (size_t at = SN_FILE_HEADER; at < count; blocks++) {
        sni_block block;
        assert_true(blocks < most && sni_block_read(bytes + at, &block));
        place[blocks] = at;
        at += SN_BLOCK_HEADER + (size_t)block.length;
    }
    return blocks;
}

static void a_recording_cut_at_any_byte_is_good_up_to_there(void** state) {
    (void)state;
    size_t count, place[32];
    int steps;
    unsigned char* bytes = small_recording(&count, &steps);
    int blocks = find_blocks(bytes, count, place, 32);
    int refused = 0, opened = 0;
    uint64_t last = 0;
    for (size_t length = 0; length <= count; length++) {
        // memory of its own, so that nothing behind it can be read unseen
        unsigned char* cut = malloc(length + 1);
        memcpy(cut, bytes, length);
        sn_recording* recording = NULL;
        sn_error error = {0};
        sn_status status = sn_recording_open_memory(cut, length, "cut", NULL, &recording, &error);
        if (status) {
            CHECK(status == SN_ERR_FORMAT && error.text[0] && opened == 0, length);
            refused++;
        } else {
            sn_recording_info info = sn_recording_ask(recording);
            int whole = 0;
            while (whole < blocks && (whole + 1 < blocks ? place[whole + 1] : count) <= length)
                whole++;
            CHECK(info.blocks == (uint64_t)whole && !info.damaged, length);
            CHECK(info.closed == (length == count), length);
            CHECK(info.steps >= last, length);
            last = info.steps;
            bool boundary = length == (whole < blocks ? place[whole] : count);
            if (boundary) CHECK(count_same(recording) == (long)info.steps, length);
            if (boundary) CHECK(count_samples(recording) == (long)info.samples, length);
            sn_recording_free(recording);
            opened++;
        }
        free(cut);
    }
    CHECK(refused > 100 && opened > 100 && last == (uint64_t)steps, last);
    free(bytes);
}

static void a_flipped_bit_is_noticed_wherever_it_is(void** state) {
    (void)state;
    size_t count, place[32];
    int steps;
    unsigned char* bytes = small_recording(&count, &steps);
    int blocks = find_blocks(bytes, count, place, 32);
    test_rng rng = test_rng_make(test_case_seed(1, 0));
    for (size_t at = 0; at < count; at++) {
        int bit = test_index(&rng, 8);
        sn_recording* recording = NULL;
        bytes[at] ^= (unsigned char)(1 << bit);
        sn_status status = sn_recording_open_memory(bytes, count, "flip", NULL, &recording, NULL);
        int block = -1;
        while (block + 1 < blocks && place[block + 1] <= at) block++;
        if (status) {
            CHECK(status == SN_ERR_FORMAT && block < 4, at); // header, or what it begins with
        } else {
            sn_recording_info info = sn_recording_ask(recording);
            bool noticed = info.damaged || !info.closed; // a length may become too large: cut
            CHECK(noticed && info.blocks == (uint64_t)block, at);
            CHECK(count_same(recording) == (long)info.steps, at);
            sn_recording_free(recording);
        }
        bytes[at] ^= (unsigned char)(1 << bit);
    }
    free(bytes);
}

static void what_follows_the_end_is_damage(void** state) {
    (void)state;
    size_t count;
    int steps;
    unsigned char* bytes = small_recording(&count, &steps);
    sn_recording* recording = NULL;
    bytes = realloc(bytes, count + 1);
    bytes[count] = 7;
    CHECK_STATUS(sn_recording_open_memory(bytes, count + 1, "more", NULL, &recording, NULL), SN_OK);
    sn_recording_info info = sn_recording_ask(recording);
    CHECK(info.damaged && info.closed && info.steps == (uint64_t)steps, 0);
    sn_recording_free(recording);
    free(bytes);
}

static void refuse_header(const unsigned char* bytes, size_t count, const char* text) {
    sn_recording* recording = NULL;
    sn_error error = {0};
    CHECK_STATUS(sn_recording_open_memory(bytes, count, "head", NULL, &recording, &error),
                 SN_ERR_FORMAT);
    if (!strstr(error.text, text)) fail_msg("'%s' lacks '%s'", error.text, text);
}

static void sum_header(unsigned char* bytes) {
    uint64_t sum = sni_block_sum(bytes, SN_FILE_HEADER - 8);
    memcpy(bytes + SN_FILE_HEADER - 8, &sum, sizeof sum);
}

static void headers_of_others_are_told_apart(void** state) {
    (void)state;
    size_t count;
    int steps;
    unsigned char* bytes = small_recording(&count, &steps);
    unsigned char header[SN_FILE_HEADER];
    memcpy(header, bytes, sizeof header);
    bytes[0] = 'X';
    refuse_header(bytes, count, "not a recording");
    memcpy(bytes, header, sizeof header);
    bytes[8] = SN_RECORD_VERSION + 1;
    refuse_header(bytes, count, "header is damaged");
    sum_header(bytes);
    refuse_header(bytes, count, "another version");
    memcpy(bytes, header, sizeof header);
    for (int k = 0; k < 4; k++) bytes[12 + k] = header[15 - k];
    refuse_header(bytes, count, "another order of bytes");
    memcpy(bytes, header, sizeof header);
    refuse_header(bytes, 63, "shorter than");
    refuse_header(bytes, 64, "ends before its first step");
    refuse_header((const unsigned char*)"", 0, "shorter than");
    free(bytes);
}

// ---- the first step that differs ----------------------------------------------------------------------------

/// The first place of a double among some bytes.
static unsigned char* find_number(unsigned char* bytes, size_t count, double number) {
    for (size_t at = 0; at + sizeof number <= count; at++)
        if (memcmp(bytes + at, &number, sizeof number) == 0) return bytes + at;
    return NULL;
}

static void the_first_step_that_differs_is_found(void** state) {
    (void)state;
    size_t count, place[32];
    int steps;
    unsigned char* bytes = small_recording(&count, &steps);
    int blocks = find_blocks(bytes, count, place, 32);
    // gravity (0, 0.5, -4) of the fifth step becomes (0, 0.5, -4.25), and the sums are made right again
    for (int b = 0; b < blocks; b++) {
        sni_block block;
        assert_true(sni_block_read(bytes + place[b], &block));
        unsigned char* payload = bytes + place[b] + SN_BLOCK_HEADER;
        unsigned char* found =
            block.type == SN_BLOCK_STEPS ? find_number(payload, (size_t)block.length, -4) : NULL;
        if (!found) continue;
        double other = -4.25;
        memcpy(found, &other, sizeof other);
        block.sum = sni_block_sum(payload, (size_t)block.length);
        sni_block_write(bytes + place[b], &block);
        sn_recording* recording = NULL;
        sn_replay* replay = NULL;
        bool same = true;
        CHECK_STATUS(sn_recording_open_memory(bytes, count, "other", NULL, &recording, NULL),
                     SN_OK);
        CHECK(!sn_recording_ask(recording).damaged, 0); // nothing tells but the replay
        CHECK_STATUS(sn_replay_create(recording, NULL, &replay, NULL), SN_OK);
        for (int k = 1; k <= 5; k++) {
            CHECK_STATUS(sn_replay_step(replay, NULL, &same), SN_OK);
            CHECK(same == (k < 5), (uint64_t)k);
        }
        uint64_t offset = 0;
        CHECK(sn_replay_block(replay, &offset) == (uint64_t)b && offset == place[b], offset);
        sn_replay_free(replay);
        sn_recording_free(recording);
        free(bytes);
        return;
    }
    fail_msg("the input is not in the file");
}

int main(void) {
    si = test_units_si();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_writer_leaves_all_but_the_last_second),
        cmocka_unit_test(a_limit_on_files_stops_the_recording_and_not_the_program),
        cmocka_unit_test(a_full_disk_stops_the_recording_and_not_the_simulation),
        cmocka_unit_test(what_cannot_be_written_from_the_first_is_said_at_once),
        cmocka_unit_test(a_disk_that_is_too_slow_makes_a_gap),
        cmocka_unit_test(who_waits_for_the_disk_loses_nothing),
        cmocka_unit_test(a_reader_that_leaves_stops_the_recording_and_not_the_program),
        cmocka_unit_test(a_recording_cut_at_any_byte_is_good_up_to_there),
        cmocka_unit_test(a_flipped_bit_is_noticed_wherever_it_is),
        cmocka_unit_test(what_follows_the_end_is_damage),
        cmocka_unit_test(headers_of_others_are_told_apart),
        cmocka_unit_test(the_first_step_that_differs_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
