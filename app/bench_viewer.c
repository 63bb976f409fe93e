// SPDX-License-Identifier: Apache-2.0
/// sinew bench viewer: what the server costs, how long a pointer's way is, and whether viewers slow the simulation.
#include "bench_viewer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_viewer_client.h"
#include "command.h"
#include "median.h"
#include "memory.h"
#include "message.h"
#include "scene_argument.h"
#include "sinew/clock.h"

enum { REPS = 15, QUICK_REPS = 3 };
static const double SECONDS = 6, QUICK_SECONDS = 1.5, PATIENCE = 60;

const char VIEWER_MANY[] = "version: 1\n"
                           "name: many\n"
                           "gravity: [0, 0, 0]\n"
                           "step: 0.0166666666666666667\n"
                           "contact: false\n"
                           "objects:\n"
                           "- {name: ball, sphere: 0.05, mass: 1, at: [0, 0, 1],\n"
                           "   v: [0.1, 0.05, 0.02], w: [1, 2, 3],\n"
                           "   repeat: {count: [100, 100, 1], spacing: [0.3, 0.3, 0]}}\n";
const char VIEWER_TWO[] = "version: 1\n"
                          "name: two\n"
                          "gravity: [0, 0, 0]\n"
                          "objects:\n"
                          "- {name: a, box: [0.1, 0.1, 0.1], mass: 0.5, at: [0, 0, 1]}\n"
                          "- {name: b, sphere: 0.05, mass: 0.5, at: [0.5, 0, 1]}\n";

static int64_t now_ns(void) {
    sn_clock clock = sn_clock_real();
    return clock.now_ns(clock.context);
}

// ---- the stage ----------------------------------------------------------------------------------------

bool viewer_stage_open(viewer_stage* stage, const char* scene, bench_row* row) {
    sn_error error = {0};
    sn_scene* read = NULL;
    sn_simulation_def def = sn_simulation_def_default();
    sn_session_def session = sn_session_def_default();
    sn_server_def server = sn_server_def_default();
    *stage = (viewer_stage){0};
    def.load = scene_argument_def();
    server.port = 0;
    sn_status status =
        sn_scene_load_memory(scene, strlen(scene), "bench", &def.load, &read, &error);
    if (!status) status = sn_simulation_create(read, &def, &stage->sim, &error);
    if (!status) status = sn_session_create(stage->sim, &session, &stage->session, &error);
    if (!status) status = sn_server_create(&server, &stage->server, &error);
    const sn_server_view view = {.name = "bench", .sim = stage->sim, .session = stage->session};
    if (!status) status = sn_server_show(stage->server, &view, &error);
    if (status) bench_trouble(row, "%.150s", error.text);
    if (!status) {
        const sn_model* model = sn_world_model(sn_simulation_world(stage->sim));
        row->n = sn_model_body_count(model);
        row->dof = sn_model_nv(model);
    }
    return !status;
}

void viewer_stage_close(viewer_stage* stage) {
    if (stage->server)
        (void)sn_server_show(stage->server, NULL, NULL); // nothing can be shown always
    sn_server_free(stage->server);
    sn_session_free(stage->session);
    sn_simulation_free(stage->sim);
}

typedef struct running {
    const viewer_stage* stage;
    int64_t end_ns;
    viewer_look look;
    void* context;
} running;

static bool go_on(void* context, sn_session* session, const sn_step_report* report) {
    const running* r = context;
    int64_t now = now_ns();
    (void)session;
    sn_server_after(r->stage->server, report);
    return now < r->end_ns && r->look(r->context, r->stage, now);
}

void viewer_stage_run(viewer_stage* stage, double seconds, viewer_look look, void* context) {
    running r = {stage, now_ns() + (int64_t)(1e9 * seconds), look, context};
    (void)sn_session_run(stage->session, INFINITY, go_on,
                         &r); // what does not come is missed in the row
}

static bench_row begin_row(const char* name, const char* part) {
    bench_row row = bench_row_on(name, 0, 0);
    row.part = part;
    snprintf(row.engine, sizeof row.engine, "sinew");
    return row;
}

/// Numbers that were measured one after the other.
typedef struct series {
    double* at;
    long count, most;
} series;

static series series_of(long most) {
    return (series){memory_take((size_t)most, sizeof(double)), 0, most};
}

static void series_add(series* s, double value) {
    if (s->count < s->most) s->at[s->count++] = value;
}

/// Median, smallest and number into a row; frees it. Without numbers there is a reason.
static void series_into(series* s, bench_row* row) {
    if (s->count > 0) {
        row->median_us = median_of(s->at, (int)s->count);
        row->min_us = s->at[0];
        row->reps = s->count;
    } else if (!row->trouble[0]) {
        bench_trouble(row, "nothing came within %g s", PATIENCE);
    }
    free(s->at);
}

// ---- frames of many bodies ----------------------------------------------------------------------------

typedef struct frames_run {
    const viewer_client* client;
    series cpu_us; ///< a frame, of each quarter of a second
    sn_server_meter first, last;
    int64_t first_ns, last_ns;
    uint64_t first_seen;
    double seconds;
} frames_run;

static bool look_at_frames(void* context, const viewer_stage* stage, int64_t now) {
    enum { WARM_UP = 30 };
    frames_run* run = context;
    uint64_t seen = viewer_client_frames(run->client);
    if (seen < WARM_UP) return true;
    sn_server_meter meter = sn_server_ask(stage->server);
    if (!run->first_ns) {
        run->first = run->last = meter;
        run->first_ns = now;
        run->first_seen = seen;
    }
    if (meter.frames > run->last.frames) {
        double frames = (double)(meter.frames - run->last.frames);
        if (run->last.frames > run->first.frames)
            series_add(&run->cpu_us, 1e6 * (meter.cpu - run->last.cpu) / frames);
        run->last = meter;
    }
    run->last_ns = now;
    return 1e-9 * (double)(now - run->first_ns) < run->seconds;
}

static void measure_frames(bench_rows* rows, double seconds) {
    bench_row row = begin_row("bodies-10000", "Frames: processor of the server's thread, each");
    viewer_stage stage;
    frames_run run = {.cpu_us = series_of(1000), .seconds = seconds};
    viewer_client* client = NULL;
    if (viewer_stage_open(&stage, VIEWER_MANY, &row)) {
        run.client = client = viewer_client_start(sn_server_address(stage.server), CLIENT_LOOKS);
        if (client) viewer_stage_run(&stage, PATIENCE, look_at_frames, &run);
    }
    series_into(&run.cpu_us, &row);
    if (client && isfinite(row.median_us)) {
        double real = 1e-9 * (double)(run.last_ns - run.first_ns);
        uint64_t seen = viewer_client_frames(client) - run.first_seen;
        bench_note_add(&row, "frames_s", (double)seen / real);
        bench_note_add(&row, "frame_bytes", (double)viewer_client_frame_bytes(client));
        bench_note_add(&row, "core_percent_60hz", 100 * 60 * 1e-6 * row.median_us);
        bench_note_add(&row, "first_frame_ms", viewer_client_first_ms(client));
    }
    bench_rows_add(rows, &row);
    viewer_client_end(client);
    viewer_stage_close(&stage);
}

// ---- the pointer's way ----------------------------------------------------------------------------------

typedef struct pointer_run {
    const viewer_client* client;
    series way_us;     ///< from sending a move to the end of the first step that has it
    int64_t waited_ns; ///< of the move that is waited for
    sn_vec3 rest;      ///< where the hand was before
} pointer_run;

static bool look_at_pointer(void* context, const viewer_stage* stage, int64_t now) {
    static const double MOVED =
        1e-6; // m: far more than is left of the glide before, far less than a tick's
    pointer_run* run = context;
    sn_hand_report hand;
    int64_t moved = viewer_client_moved_ns(run->client);
    int number = sn_session_hand_at(stage->session, 0);
    if (number < 0 || !sn_session_ask_hand(stage->session, number, &hand)) return true;
    bool has_come = sn_vec3_norm(sn_vec3_sub(hand.end, run->rest)) > MOVED;
    if (moved != run->waited_ns && has_come) {
        if (run->waited_ns)
            series_add(&run->way_us, 1e-3 * (double)(now - moved)); // after the first
        run->waited_ns = moved;
    }
    if (moved == run->waited_ns) run->rest = hand.end;
    return run->way_us.count < run->way_us.most;
}

static void measure_pointer(bench_rows* rows, long reps) {
    bench_row row =
        begin_row("pointer", "From a pointer's move to the simulation step that has it");
    viewer_stage stage;
    pointer_run run = {.way_us = series_of(reps)};
    viewer_client* client = NULL;
    double worst = 0;
    if (viewer_stage_open(&stage, VIEWER_TWO, &row)) {
        run.client = client = viewer_client_start(sn_server_address(stage.server), CLIENT_PULLS);
        if (client) viewer_stage_run(&stage, PATIENCE, look_at_pointer, &run);
    }
    for (long k = 0; k < run.way_us.count; k++) worst = fmax(worst, run.way_us.at[k]);
    series_into(&run.way_us, &row);
    if (isfinite(row.median_us)) bench_note_add(&row, "worst_us", worst);
    bench_rows_add(rows, &row);
    viewer_client_end(client);
    viewer_stage_close(&stage);
}

// ---- several viewers --------------------------------------------------------------------------------------

typedef struct rate_run {
    int64_t begin_ns, last_ns;
    uint64_t begin_step, last_step;
    double seconds;
} rate_run;

static bool look_at_rate(void* context, const viewer_stage* stage, int64_t now) {
    rate_run* run = context;
    uint64_t step = sn_world_step_count(sn_simulation_world(stage->sim));
    if (!run->begin_ns) {
        run->begin_ns = now;
        run->begin_step = step;
    }
    run->last_ns = now;
    run->last_step = step;
    return 1e-9 * (double)(now - run->begin_ns) < run->seconds;
}

/// Steps a second over a while.
static double rate_of(viewer_stage* stage, double seconds) {
    rate_run run = {.seconds = seconds};
    viewer_stage_run(stage, PATIENCE, look_at_rate, &run);
    return (double)(run.last_step - run.begin_step) * 1e9 / (double)(run.last_ns - run.begin_ns);
}

static void measure_viewers(bench_rows* rows, long reps, double seconds) {
    enum { OTHERS = 3 };
    bench_row row =
        begin_row("viewers-4", "A simulation at 1 kHz with four viewers, one of which has stalled");
    viewer_stage stage;
    series one = series_of(reps), four = series_of(reps), percent = series_of(reps);
    viewer_client *first = NULL, *other[OTHERS];
    if (viewer_stage_open(&stage, VIEWER_TWO, &row))
        first = viewer_client_start(sn_server_address(stage.server), CLIENT_LOOKS);
    for (long r = 0; r < reps && first; r++) {
        double alone = rate_of(&stage, seconds);
        for (int k = 0; k < OTHERS; k++)
            other[k] = viewer_client_start(sn_server_address(stage.server),
                                           k == 0 ? CLIENT_STALLS : CLIENT_LOOKS);
        double together = rate_of(&stage, seconds);
        for (int k = 0; k < OTHERS; k++) viewer_client_end(other[k]);
        series_add(&one, alone);
        series_add(&four, together);
        series_add(&percent, 100 * (1 - together / alone));
    }
    if (one.count > 0) {
        double rate = median_of(four.at, (int)four.count);
        row.median_us = row.min_us = 1e6 / rate; // of one step, by the clock
        row.reps = one.count;
        bench_note_add(&row, "rate_1_hz", median_of(one.at, (int)one.count));
        bench_note_add(&row, "rate_4_hz", rate);
        bench_note_add(&row, "slower_percent", median_of(percent.at, (int)percent.count));
    }
    free(one.at);
    free(four.at);
    free(percent.at);
    bench_rows_add(rows, &row);
    viewer_client_end(first);
    viewer_stage_close(&stage);
}

// ---- the page -----------------------------------------------------------------------------------------------

static void measure_page(bench_rows* rows, long reps) {
    bench_row row = begin_row("page", "The page: all of its files, compressed, over loopback");
    viewer_stage stage;
    series us = series_of(reps);
    double bytes = NAN, ms = 0;
    bool good = viewer_stage_open(&stage, VIEWER_TWO, &row);
    for (long r = 0; r < reps && good; r++) {
        good = viewer_page_fetch(sn_server_address(stage.server), &bytes, &ms);
        if (good) series_add(&us, 1e3 * ms);
    }
    if (!good) bench_trouble(&row, "the page is not in this program: it was built without Node");
    series_into(&us, &row);
    if (good) bench_note_add(&row, "page_bytes", bytes);
    bench_rows_add(rows, &row);
    viewer_stage_close(&stage);
}

int bench_viewer(const bench_options* o) {
    if (!bench_account_possible(o)) return STATUS_USAGE;
    bench_account* account = memory_take(1, sizeof *account);
    long reps = o->reps ? o->reps : o->quick ? QUICK_REPS : REPS;
    double seconds = o->quick ? QUICK_SECONDS : SECONDS;
    bench_progress("frames of 10^4 bodies");
    measure_frames(&account->rows, seconds);
    bench_progress("the way of a pointer");
    measure_pointer(&account->rows, reps);
    bench_progress("one viewer and four, by turns");
    measure_viewers(&account->rows, reps, seconds / 6);
    bench_progress("the page");
    measure_page(&account->rows, reps);
    bench_progress("the page in a browser");
    bool browser = bench_viewer_browser(&account->rows, o->quick ? 1 : 5, seconds);
    bench_progress_end();
    if (!browser)
        message_note("without a browser: install chromium, or say where it is by CHROMIUM=...");
    bench_viewer_account(account);
    int status = bench_account_show(account, o);
    free(account->rows.at);
    free(account);
    return status;
}
