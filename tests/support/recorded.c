// SPDX-License-Identifier: Apache-2.0
#include "support/recorded.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void recorded_path(char path[256], const char* name) {
    const char* directory = getenv("TMPDIR");
    snprintf(path, 256, "%.100s/sinew_test_%ld_%.80s.sinew", directory ? directory : P_tmpdir,
             (long)getpid(), name);
    remove(path);
}

recorded recorded_make(const char* name, const sn_model* model, const sn_world_def* def) {
    recorded r = {.model = model, .def = *def, .options = sn_recorder_def_default()};
    r.options.wait = true;
    recorded_path(r.path, name);
    CHECK_STATUS(sn_world_create(model, &r.def, &r.world, NULL), SN_OK);
    return r;
}

void recorded_begin(recorded* r) {
    sn_error error = {0};
    check_context(r->path);
    sn_status status =
        sn_recorder_create(r->path, r->world, &r->def, &r->options, &r->recorder, &error);
    if (status) fail_msg("%s", error.text);
}

void recorded_step(recorded* r) {
    if (r->steps == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 1024;
        r->hash = realloc(r->hash, (size_t)r->capacity * sizeof *r->hash);
        assert_non_null(r->hash);
    }
    (void)sn_world_step(r->world, &r->report);
    r->hash[r->steps++] = sn_world_hash(r->world);
    sn_recorder_step(r->recorder, r->world, &r->report, NULL);
}

void recorded_end(recorded* r) {
    sn_recorder_status status;
    sn_recorder_free(r->recorder, &status);
    r->recorder = NULL;
    CHECK(status.state == SN_RECORDER_RUNS && status.lost == 0, 0);
    CHECK(status.steps == (uint64_t)r->steps, 0);
}

/// Replayed steps against the recorded ones, and against the samples where there are some.
static void verify_steps(const recorded* r, sn_recording* recording) {
    sn_replay* replay = NULL;
    sn_sample sample;
    sn_step_report report;
    bool same = false;
    CHECK_STATUS(sn_replay_create(recording, NULL, &replay, NULL), SN_OK);
    const sn_world* world = sn_replay_world(replay);
    bool more = sn_recording_next(recording, &sample);
    for (int k = 0; k < r->steps; k++) {
        CHECK_STATUS(sn_replay_step(replay, &report, &same), SN_OK);
        CHECK(same, (uint64_t)k);
        CHECK(sn_world_hash(world) == r->hash[k], (uint64_t)k);
        if (!more || sample.step != sn_world_step_count(world)) continue;
        const sn_model* model = sn_world_model(world);
        CHECK(sample.model == model && sample.hash == r->hash[k], (uint64_t)k);
        CHECK(memcmp(sample.q, sn_world_q(world), (size_t)sn_model_nq(model) * sizeof(double)) == 0,
              (uint64_t)k);
        CHECK(memcmp(sample.v, sn_world_v(world), (size_t)sn_model_nv(model) * sizeof(double)) == 0,
              (uint64_t)k);
        CHECK(sample.time == sn_world_time(world), (uint64_t)k);
        more = sn_recording_next(recording, &sample);
    }
    CHECK(!more, 0);
    CHECK_STATUS(sn_replay_step(replay, &report, &same), SN_ERR_CAPACITY);
    sn_replay_free(replay);
}

void recorded_verify(const recorded* r) {
    sn_recording* recording = NULL;
    sn_error error = {0};
    check_context(r->path);
    if (sn_recording_open(r->path, NULL, &recording, &error)) fail_msg("%s", error.text);
    sn_recording_info info = sn_recording_ask(recording);
    CHECK(info.closed && !info.damaged && info.exact && info.lost == 0, 0);
    CHECK(info.steps == (uint64_t)r->steps && info.step == r->def.step, 0);
    verify_steps(r, recording);
    sn_recording_free(recording);
}

void recorded_free(recorded* r) {
    sn_recorder_free(r->recorder, NULL);
    sn_world_free(r->world);
    remove(r->path);
    free(r->hash);
}

unsigned char* recorded_read(const char* path, size_t* count) {
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *count = (size_t)ftell(file);
    rewind(file);
    unsigned char* bytes = malloc(*count + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *count, file), *count);
    fclose(file);
    return bytes;
}

void recorded_write(const char* path, const void* bytes, size_t count) {
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}
