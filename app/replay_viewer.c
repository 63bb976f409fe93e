// SPDX-License-Identifier: Apache-2.0
/// A recording in the viewer: played, paused, stepped and wound, by simulating it again.
#include <math.h>

#include "command.h"
#include "interrupt.h"
#include "message.h"
#include "recording_argument.h"
#include "replay.h"

static const double BEHIND_MOST = 0.1; // s that are made up for; more is let go
static const int64_t GLANCE_NS = 10000000, WIND_NS = 20000000;

typedef struct playing {
    sn_recording* recording;
    const sn_modules* modules;
    sn_replay* replay;
    sn_world* world;
    viewer seen;
    double begin, end; ///< s
    double target;     ///< s, that it is wound to; NAN: it is not
    bool at_end;
    int64_t due_ns; ///< of the next step
} playing;

static int64_t now_ns(void) {
    sn_clock clock = sn_clock_real();
    return clock.now_ns(clock.context);
}

static void rest_until(int64_t ns) {
    sn_clock clock = sn_clock_real();
    clock.wait_ns(clock.context, ns);
}

// From the first step; the one before is shown until this one is.
static bool begin_again(playing* p, const char* name) {
    sn_error error = {0};
    sn_replay* next = NULL;
    error.status = sn_replay_create(p->recording, p->modules, &next, &error);
    if (!error.status) {
        const sn_server_view view = {.name = name,
                                     .world = sn_replay_world(next),
                                     .is_replay = true,
                                     .recording = p->recording,
                                     .replay_begin = p->begin,
                                     .replay_end = p->end};
        error.status = sn_server_show(p->seen.server, &view, &error);
    }
    if (error.status) {
        message_error_from(&error);
        sn_replay_free(next);
        return false;
    }
    sn_replay_free(p->replay);
    p->replay = next;
    p->world = sn_replay_world(next);
    p->at_end = false;
    return true;
}

// One step; past the last it stays where it is.
static void step(playing* p, sn_step_report* report, const sn_step_report** told) {
    bool same;
    *told = NULL;
    if (p->at_end) return;
    sn_status status = sn_replay_step(p->replay, report, &same);
    if (!status) {
        *told = report;
        return;
    }
    p->at_end = true;
    sn_server_pause_player(p->seen.server);
    if (status != SN_ERR_CAPACITY)
        sn_server_say(p->seen.server, SN_LOG_WARNING,
                      "what is recorded makes no sense from here on");
}

// Steps towards the target for a while, so that people see it go and may change their mind.
static void wind(playing* p) {
    int64_t until = now_ns() + WIND_NS;
    double half = sn_world_step_size(p->world) / 2;
    const sn_step_report* told = NULL;
    sn_step_report report;
    while (!p->at_end && sn_world_time(p->world) < p->target - half && now_ns() < until)
        step(p, &report, &told);
    if (p->at_end || !(sn_world_time(p->world) < p->target - half)) p->target = NAN;
    sn_server_after(p->seen.server, told);
    p->due_ns = now_ns();
}

static bool seek(playing* p, const char* name, double time) {
    p->target = fmax(time, p->begin);
    return p->target >= sn_world_time(p->world) || begin_again(p, name);
}

static void play_step(playing* p, double pace) {
    int64_t now = now_ns();
    sn_step_report report;
    const sn_step_report* told;
    if (p->due_ns < now - (int64_t)(BEHIND_MOST * 1e9)) p->due_ns = now;
    rest_until(p->due_ns);
    step(p, &report, &told);
    sn_server_after(p->seen.server, told);
    p->due_ns += (int64_t)llround(sn_world_step_size(p->world) / pace * 1e9);
}

static bool play(playing* p, const char* name) {
    bool good = true;
    while (good && !interrupt_came()) {
        sn_player player = sn_server_player(p->seen.server);
        if (player.seek) good = seek(p, name, player.seek_time);
        if (p->at_end && !player.paused) good = seek(p, name, p->begin); // from the beginning
        for (uint32_t k = 0; k < player.steps && good; k++) {
            sn_step_report report;
            const sn_step_report* told;
            step(p, &report, &told);
            sn_server_after(p->seen.server, told);
        }
        if (!good) break;
        if (!isnan(p->target)) {
            wind(p);
        } else if (player.paused) {
            sn_server_after(p->seen.server, NULL);
            rest_until(now_ns() + GLANCE_NS);
            p->due_ns = now_ns();
        } else {
            play_step(p, player.pace);
        }
    }
    return good;
}

int replay_in_viewer(sn_recording* recording, const sn_modules* modules, const char* path,
                     const viewer_options* options) {
    sn_recording_info info = sn_recording_ask(recording);
    playing p = {.recording = recording,
                 .modules = modules,
                 .begin = recording_time(&info, info.first_step),
                 .end = recording_time(&info, info.first_step + info.steps),
                 .target = NAN,
                 .due_ns = now_ns()};
    bool good = false;
    interrupt_catch();
    if (viewer_begin(&p.seen, options) && begin_again(&p, path)) {
        viewer_announce(&p.seen, options, path);
        good = play(&p, path);
        (void)sn_server_show(p.seen.server, NULL, NULL); // nothing can always be shown
    }
    viewer_end(&p.seen);
    sn_replay_free(p.replay);
    return good ? STATUS_DONE : STATUS_FAILED;
}
