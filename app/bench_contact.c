// SPDX-License-Identifier: Apache-2.0
/// sinew bench contact: whole steps of scenes with contact, by our world and by other engines in turns, and how
/// far each is from what must happen.
#include "bench_contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_contender.h"
#include "command.h"
#include "memory.h"
#include "message.h"
#include "step_engine.h"
#include "suggest.h"

const char BENCH_CONTACT_OURS[] = "sinew:nsgs";

enum { SCENES_MOST = 32 };

// s of wall time: what an engine does in its turn, and what it may take for a scene.
static const double TURN = 0.1, LIMIT = 40, QUICK_LIMIT = 10;

// ---- which scenes -------------------------------------------------------------------------------------

// Whether `name` is one of the names in `list`, which commas separate; without a list all are.
static bool is_wanted(const char* list, const char* name) {
    size_t length = strlen(name);
    if (!list) return true;
    for (const char* at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

static bool all_are_known(const char* list, const char* const* names, int count) {
    for (const char* at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char name[40];
        bool known = false;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        for (int i = 0; i < count; i++) known = known || strcmp(names[i], name) == 0;
        if (known) continue;
        const char* near = suggest_name(name, names, count);
        message_error("--lines: there is no scene '%s'; %s%s%s", name,
                      near ? "did you mean '" : "docs/benchmarks.md has them", near ? near : "",
                      near ? "'?" : "");
        return false;
    }
    return true;
}

typedef struct scene_list {
    step_scene* at[SCENES_MOST];
    int count;
} scene_list;

static void free_scenes(scene_list* list) {
    for (int i = 0; i < list->count; i++) step_scene_free(list->at[i]);
    list->count = 0;
}

// All, or those that were asked for. False, with the reason said, when there is trouble.
static bool make_scenes(const bench_options* o, scene_list* list) {
    const char* names[SCENES_MOST + 1];
    step_scene* scene;
    int kept = 0;
    for (int i = 0; i < SCENES_MOST && step_scene_make(i, o->quick, &scene); i++) {
        if (!scene) return false;
        names[i] = scene->name;
        list->at[list->count++] = scene;
    }
    names[list->count] = BENCH_BROAD_LINE;
    if (!all_are_known(o->lines, names, list->count + 1)) return false;
    for (int i = 0; i < list->count; i++) {
        if (!is_wanted(o->lines, list->at[i]->name)) {
            step_scene_free(list->at[i]);
        } else {
            list->at[kept++] = list->at[i];
        }
    }
    list->count = kept;
    return true;
}

// ---- one scene ----------------------------------------------------------------------------------------

typedef struct attempt {
    step_engine* engine;
    step_track track;
    bool running;
    int turn;    ///< steps of the last turn
    double used; ///< s of wall time
} attempt;

// Steps that fit into a turn, going by the last one; at most twice as many as in the last turn, for steps become
// slow when things land.
static int turn_steps(const attempt* a) {
    int left = (int)lround(a->track.scene->duration / a->track.scene->step) - a->track.steps;
    double us = a->track.steps > 0 ? a->track.us[a->track.steps - 1] : 1e6 * TURN;
    double fit = fmin(1e6 * TURN / fmax(us, 1), 2 * fmax(a->turn, 1));
    return fit < 1 ? 1 : fit < left ? (int)fit : left;
}

static void take_turn(attempt* a, double limit) {
    double start = bench_now();
    a->turn = turn_steps(a);
    a->running = a->engine->kind->advance(a->engine, a->turn, &a->track);
    a->used += bench_now() - start;
    if (!a->running || step_track_complete(&a->track)) {
        a->running = false;
    } else if (a->used > limit) {
        a->running = false;
        snprintf(a->engine->trouble, sizeof a->engine->trouble,
                 "stopped after %.3g of %.3g s simulated, which took %.0f s",
                 a->track.steps * a->track.scene->step, a->track.scene->duration, a->used);
    }
}

static void add_row(const attempt* a, bench_rows* rows) {
    const step_scene* scene = a->track.scene;
    step_fact facts[STEP_FACTS_MOST];
    step_times times = step_track_times(&a->track);
    bench_row row =
        bench_row_on(scene->name, sn_model_body_count(scene->model), sn_model_nv(scene->model));
    row.part = scene->about;
    row.peer = a->engine->peer;
    snprintf(row.engine, sizeof row.engine, "%s", a->engine->name);
    bench_trouble(&row, "%s", a->engine->trouble);
    row.median_us = times.median_us;
    row.min_us = times.min_us;
    row.reps = times.count;
    if (times.count > 0) {
        bench_note_add(&row, "realtime", 1e6 * scene->step / times.block_us);
        bench_note_add(&row, "contacts", step_track_contacts(&a->track));
        bench_note_add(&row, "depth_mm", 1e3 * step_track_depth(&a->track));
        if (!row.peer) bench_note_add(&row, "residual", step_track_residual(&a->track));
        int count = scene->judge(scene, &a->track, facts);
        for (int i = 0; i < count; i++) bench_note_add(&row, facts[i].name, facts[i].value);
    }
    bench_rows_add(rows, &row);
}

// All engines take turns until each is through.
static bool run_scene(const step_scene* scene, step_engines* engines, double limit,
                      bench_rows* rows) {
    FILE *model = tmpfile(), *text = tmpfile();
    bool good =
        model && text && step_scene_write_model(scene, model) && step_scene_write(scene, text);
    attempt* at = memory_take((size_t)engines->count, sizeof *at);
    bool any = good;
    for (int i = 0; i < engines->count && good; i++) {
        at[i] = (attempt){.engine = &engines->at[i], .track = step_track_start(scene)};
        at[i].running = engines->at[i].kind->open(&engines->at[i], scene, model, text);
    }
    while (any) {
        any = false;
        for (int i = 0; i < engines->count; i++) {
            if (at[i].running) take_turn(&at[i], limit);
            any = any || at[i].running;
        }
    }
    for (int i = 0; i < engines->count && good; i++) {
        add_row(&at[i], rows);
        engines->at[i].kind->close(&engines->at[i]);
        step_track_free(&at[i].track);
    }
    if (!good) message_error("no temporary file can be written; free some space");
    if (model) fclose(model);
    if (text) fclose(text);
    free(at);
    return good;
}

// ---- all ----------------------------------------------------------------------------------------------

static bool run_all(const bench_options* o, const scene_list* scenes, bench_rows* rows) {
    step_engines engines = {0};
    step_engine_world(step_engines_add(&engines), "nsgs");
    bool good = step_engines_add_peers(&engines, o->peers, o->timeout);
    for (int i = 0; i < scenes->count && good; i++) {
        bench_progress("%s, %d of %d", scenes->at[i]->name, i + 1, scenes->count);
        good = run_scene(scenes->at[i], &engines, o->quick ? QUICK_LIMIT : LIMIT, rows);
    }
    step_engines_end(&engines);
    return good && (!is_wanted(o->lines, BENCH_BROAD_LINE) || bench_broad(o, rows));
}

int bench_contact(const bench_options* options) {
    bench_options ours = *options; // --lines and --peers are not only of bench dynamics
    ours.lines = ours.peers = NULL;
    scene_list scenes = {.count = 0};
    if (!bench_account_possible(&ours)) return STATUS_USAGE;
    bench_account* account = memory_take(1, sizeof *account);
    bool good = make_scenes(options, &scenes) && run_all(options, &scenes, &account->rows);
    int status = STATUS_USAGE;
    bench_progress_end();
    if (good) {
        bench_contact_account(account);
        status = bench_account_show(account, options);
    }
    free_scenes(&scenes);
    free(account->rows.at);
    free(account);
    return status;
}
