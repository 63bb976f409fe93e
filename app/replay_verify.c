// SPDX-License-Identifier: Apache-2.0
/// A recording done again, and compared.
#include <math.h>
#include <string.h>

#include "coordinates.h"
#include "message.h"
#include "progress.h"
#include "recording_argument.h"
#include "replay.h"

const char* replay_verdict_name(replay_verdict verdict) {
    static const char* const names[] = {"none", "same", "gap", "differs", "nonsense", "unreadable"};
    return names[verdict];
}

/// How far apart two numbers are; equal bits are not, and NaN is farthest.
static double distance(double a, double b) {
    if (memcmp(&a, &b, sizeof a) == 0) return 0;
    double d = fabs(a - b);
    return isnan(d) ? INFINITY : d;
}

typedef void name_function(const sn_body_info* joint, int k, const sn_units* units, char* name,
                           size_t size);

static void find_worst(const sn_sample* sample, const double* recorded, const double* again,
                       bool velocity, const sn_units* units, double* worst, replay_result* result) {
    name_function* name = velocity ? coordinates_v_name : coordinates_q_name;
    for (int b = 0; b < sn_model_body_count(sample->model); b++) {
        sn_body_info joint = sn_model_body(sample->model, sn_body(b));
        int first = velocity ? joint.iv : joint.iq, count = velocity ? joint.nv : joint.nq;
        for (int k = 0; k < count; k++) {
            double d = distance(recorded[first + k], again[first + k]);
            if (!(d > *worst)) continue;
            *worst = d;
            name(&joint, k, units, result->worst, sizeof result->worst);
            result->recorded = recorded[first + k];
            result->again = again[first + k];
        }
    }
}

/// Names the coordinate that is farthest off, where there is a sample of the step.
static void blame(const sn_sample* sample, const sn_world* world, replay_result* result) {
    const sn_model* model = sn_world_model(world);
    if (sample->step != sn_world_step_count(world) || sample->model != model) return;
    const sn_units* units = sn_units_of(sn_world_units(world));
    double worst = 0;
    find_worst(sample, sample->q, sn_world_q(world), false, units, &worst, result);
    if (worst == 0) find_worst(sample, sample->v, sn_world_v(world), true, units, &worst, result);
}

/// The first sample at or after a step; false: there is none.
static bool reach_sample(sn_recording* recording, uint64_t step, sn_sample* sample) {
    bool there = true;
    while (there && sample->step < step) there = sn_recording_next(recording, sample);
    return there;
}

static replay_verdict verdict_of(sn_status status, const sn_recording_info* info,
                                 const replay_result* result) {
    switch (status) {
    case SN_OK: return REPLAY_DIFFERS;
    case SN_ERR_CAPACITY: return result->same < info->steps ? REPLAY_GAP : REPLAY_SAME;
    case SN_ERR_FORMAT: return REPLAY_NONSENSE;
    default: return REPLAY_UNREADABLE;
    }
}

static void run(sn_recording* recording, sn_replay* replay, bool quiet, replay_result* result) {
    const sn_recording_info info = sn_recording_ask(recording);
    const sn_world* world = sn_replay_world(replay);
    sn_sample sample = {0};
    sn_status status = SN_OK;
    bool same = true;
    progress bar =
        progress_start(recording_time(&info, info.steps), recording_units(recording), quiet);
    sn_recording_rewind(recording);
    bool sampled = reach_sample(recording, info.first_step + 1, &sample);
    while (same && !status) {
        status = sn_replay_step(replay, NULL, &same);
        if (status || !same) break;
        result->same++;
        if (sampled) sampled = reach_sample(recording, sn_world_step_count(world) + 1, &sample);
        progress_update(&bar, recording_time(&info, result->same));
    }
    result->verdict = verdict_of(status, &info, result);
    result->step = sn_world_step_count(world) + (status ? 1 : 0);
    result->block = sn_replay_block(replay, &result->offset);
    if (!status && sampled) blame(&sample, world, result);
    result->seconds = progress_finish(&bar);
}

bool replay_verify(sn_recording* recording, const sn_modules* modules, bool quiet,
                   replay_result* result) {
    sn_replay* replay = NULL;
    sn_error error = {0};
    if (sn_replay_create(recording, modules, &replay, &error)) {
        message_error_from(&error);
        return false;
    }
    run(recording, replay, quiet, result);
    sn_replay_free(replay);
    return true;
}
