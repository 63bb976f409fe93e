// SPDX-License-Identifier: Apache-2.0
/// sinew run with the viewer: one scene after the other, as people choose them, until Ctrl-C.
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "interrupt.h"
#include "memory.h"
#include "message.h"
#include "run.h"

static const char* const FIRST = "humanoid";

/// What goes on when the same scene is opened with another algorithm.
typedef struct kept_state {
    double *q, *v;
    int nq, nv;
} kept_state;

/// What is shown.
typedef struct choice {
    const char* word;   ///< that opens it
    char name[128];     ///< as people know it
    char dynamics[128]; ///< "": as the scene has it
    bool is_from_start; ///< the scene that the command line named
} choice;

typedef struct viewing {
    run_state* run;
    viewer seen;
    choice now, before;
    kept_state kept; ///< of the world before; q NULL: none
} viewing;

// ---- the state, across algorithms ---------------------------------------------------------------------------------

static void keep_state(viewing* v) {
    const sn_world* world = sn_simulation_world(v->run->sim);
    const sn_model* model = sn_world_model(world);
    kept_state* kept = &v->kept;
    kept->nq = sn_model_nq(model);
    kept->nv = sn_model_nv(model);
    kept->q = memory_take((size_t)kept->nq + 1, sizeof *kept->q);
    kept->v = memory_take((size_t)kept->nv + 1, sizeof *kept->v);
    memcpy(kept->q, sn_world_q(world), (size_t)kept->nq * sizeof *kept->q);
    memcpy(kept->v, sn_world_v(world), (size_t)kept->nv * sizeof *kept->v);
}

static void forget_state(viewing* v) {
    free(v->kept.q);
    free(v->kept.v);
    v->kept = (kept_state){0};
}

// Goes on from there, where the bodies are the same.
static void use_state(viewing* v) {
    sn_world* world = sn_simulation_world(v->run->sim);
    const sn_model* model = sn_world_model(world);
    bool fits = v->kept.q && v->kept.nq == sn_model_nq(model) && v->kept.nv == sn_model_nv(model);
    if (fits && sn_world_set_state(world, v->kept.q, v->kept.v))
        message_warning("the state could not be taken over");
    forget_state(v);
}

// ---- one scene ------------------------------------------------------------------------------------------------------

// It cannot go on: people look at it, until somebody wants something else.
static void wait_for_wish(viewing* v) {
    enum { GLANCE_US = 10000 };
    sn_server* server = v->seen.server;
    const char* fault = sn_world_fault(sn_simulation_world(v->run->sim));
    char* text = memory_text("the simulation has stopped: %s",
                             fault[0] ? fault : "its state is no longer finite");
    message_error("%s; reset it in the viewer, or try a smaller --step than %g", text,
                  v->run->world.step);
    sn_server_say_fault(server, text);
    free(text);
    while (!interrupt_came() && !sn_server_has_wish(server)) {
        sn_server_after(server, NULL);
        usleep(GLANCE_US);
    }
    if (!interrupt_came()) v->run->result.stopped = NULL;
}

static bool show(viewing* v) {
    sn_error error = {0};
    const sn_server_view view = {
        .name = v->now.name, .sim = v->run->sim, .session = v->run->session};
    if (!sn_server_show(v->seen.server, &view, &error)) return true;
    message_error_from(&error);
    return false;
}

static void play(viewing* v, sn_wish* wish) {
    run_state* run = v->run;
    run_interact(run);
    if (run->result.stopped && strcmp(run->result.stopped, "fault") == 0) wait_for_wish(v);
    (void)sn_server_take_wish(v->seen.server, wish); // none: it is the end
    if (wish->type == SN_WISH_DYNAMICS) keep_state(v);
    (void)sn_server_show(v->seen.server, NULL, NULL); // nothing can always be shown
}

// What is opened next.
static void choose(viewing* v, const sn_wish* wish) {
    choice* now = &v->now;
    v->before = *now;
    if (wish->type == SN_WISH_SCENE) {
        const char* word = gallery_word(&v->seen.shown, wish->name);
        *now = (choice){.word = word ? word : now->word};
        snprintf(now->name, sizeof now->name, "%s", wish->name);
    }
    if (wish->type == SN_WISH_DYNAMICS)
        snprintf(now->dynamics, sizeof now->dynamics, "%s", wish->name);
}

static int end(viewing* v) {
    run_state* run = v->run;
    bool interrupted = run->result.stopped && strcmp(run->result.stopped, "interrupted") == 0;
    if (interrupted) run->result.stopped = NULL; // the usual end
    run_write_files(run);
    if (run->options->json || run->options->duration > 0)
        return run_report(run) ? STATUS_DONE : STATUS_FAILED;
    return run->result.files_written ? STATUS_DONE : STATUS_FAILED;
}

static bool open_choice(viewing* v) {
    v->run->is_another = !v->now.is_from_start;
    v->run->dynamics = v->now.dynamics[0] ? v->now.dynamics : NULL;
    return run_open(v->run, v->now.word);
}

// What cannot be opened, such as a scene with an algorithm that is not for it, gives way to what was there before.
static bool open_next(viewing* v) {
    if (open_choice(v)) return true;
    run_close(v->run);
    forget_state(v);
    if (!v->before.word) return false;
    v->now = v->before;
    sn_server_say(v->seen.server, SN_LOG_WARNING,
                  "that cannot be opened; the program's terminal says why");
    return open_choice(v);
}

static int go_through_scenes(viewing* v) {
    run_state* run = v->run;
    bool announced = false;
    for (;;) {
        sn_wish wish = {0};
        if (!open_next(v)) return STATUS_USAGE;
        use_state(v);
        if (!show(v)) return STATUS_FAILED;
        if (!announced) viewer_announce(&v->seen, &run->options->viewer, v->now.name);
        announced = true;
        play(v, &wish);
        if (wish.type == SN_WISH_NONE) return end(v);
        run_write_files(run);
        run_close(run);
        choose(v, &wish);
    }
}

// As people call it: of a file its name, without folders and ending.
static void set_name(choice* now) {
    const char *slash = strrchr(now->word, '/'), *name = slash && slash[1] ? slash + 1 : now->word;
    const char* dot = strrchr(name, '.');
    int length = (int)(dot && dot > name ? dot - name : (ptrdiff_t)strlen(name));
    snprintf(now->name, sizeof now->name, "%.*s", length, name);
}

int run_with_viewer(run_state* run) {
    viewing v = {.run = run, .now = {.is_from_start = true}};
    int status = STATUS_FAILED;
    v.now.word = run->options->scene ? run->options->scene : FIRST;
    set_name(&v.now);
    interrupt_catch();
    if (viewer_begin(&v.seen, &run->options->viewer)) {
        run->viewer = &v.seen;
        status = go_through_scenes(&v);
        run->viewer = NULL; // nobody looks any more
    }
    run_close(run);
    viewer_end(&v.seen);
    forget_state(&v);
    return status;
}
