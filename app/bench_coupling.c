// SPDX-License-Identifier: Apache-2.0
/// sinew bench coupling: making the law of a grabbed body after a simulation step, evaluating it at
/// haptic rate, and how both grow with the body and with the number of hands.
#include "bench_coupling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_hand.h"
#include "bench_memory.h"
#include "command.h"
#include "memory.h"
#include "message.h"

enum { REPS = 21, QUICK_REPS = 5, LINES = 4, HANDS = 4, CONTENDERS_MOST = 32 };
static const double REPETITION = 6e-3, QUICK_REPETITION = 2e-3; // s
static const double NEEDED_MB = 5000; // for dynamics of 10^6 joints that are all active

static const bench_line_spec SIZES[LINES] = {
    {"40", "chain:40", 0},
    {"857", "protein", 0},
    {"1e3", "chain:1000", 0},
    {"1e6", "chain:1000000", LINE_SLOW},
};
static const bench_line_spec HANDS_LINE = {"hands", "chain:2000", 0};

typedef struct task {
    bench_hand_task task;
    const char* format; ///< of the name of its rows
    const char* part;
} task;

static const task TASKS[] = {
    {HAND_REFRESH, "refresh-%s", "Making the law of a grabbed body"},
    {HAND_FRESH, "refresh-%s-fresh", "Making the law of a grabbed body"},
    {HAND_FEEL, "two-pass-%s", "The same answer by two passes, for one wrench"},
    {HAND_TICK, "tick-%s", "At haptic rate"},
    {HAND_LOCAL, "local-%s", "At haptic rate"},
    {HAND_PREPARE, "prepare-%s", "At haptic rate"},
};
enum { TASK_COUNT = sizeof TASKS / sizeof TASKS[0] };

typedef struct coupling_run {
    bench_held sizes[LINES], hands[HANDS];
    bench_contender at[CONTENDERS_MOST];
    int count;
} coupling_run;

static void open_task(coupling_run* run, bench_held* held, const task* t) {
    bench_contender* c = &run->at[run->count++];
    char name[24];
    snprintf(name, sizeof name, t->format, held->line.spec->name);
    bench_open_hand(c, held, t->task, name);
    c->row.part = t->part;
}

// Laws of several hands, and what their nodes should grow with: k log2(n / k) for k hands.
static void open_hands(coupling_run* run, int which) {
    static const char* const NAMES[HANDS] = {"hands-1", "hands-2", "hands-4", "hands-8"};
    bench_held* held = &run->hands[which];
    bench_contender* c = &run->at[run->count++];
    double k = held->hand_count, law = k * log2(BENCH_HANDS_JOINTS / k);
    bench_open_hand(c, held, HAND_REFRESH, NAMES[which]);
    c->row.part = "Making the law of several hands";
    bench_note_add(&c->row, "hands", k);
    bench_note_add(&c->row, "k_log2_n_over_k", law);
    bench_note_add(&c->row, "nodes_over_that", held->law.nodes / law);
}

static bool make_all(coupling_run* run, const bench_options* o) {
    for (int i = 0; i < LINES; i++) {
        bool slow = SIZES[i].flags & LINE_SLOW;
        if (slow && o->quick) continue;
        bench_progress("body of %s joints", SIZES[i].name);
        bool sleeps = slow && bench_memory_free() < NEEDED_MB;
        if (sleeps) {
            message_note("less than %.0f GB of memory are free: 10^6 joints are held by adaptive "
                         "dynamics, 500 of them active",
                         1e-3 * NEEDED_MB);
        }
        if (!bench_held_make(&run->sizes[i], &SIZES[i], sleeps ? "adaptive" : "dca", 1)) {
            return false;
        }
    }
    for (int i = 0; i < HANDS; i++) {
        if (!bench_held_make(&run->hands[i], &HANDS_LINE, "dca", 1 << i)) return false;
    }
    return true;
}

static bool run_all(coupling_run* run, const bench_options* o, bench_rows* rows) {
    if (!make_all(run, o)) return false;
    for (int t = 0; t < TASK_COUNT; t++) {
        for (int i = 0; i < LINES; i++) {
            if (run->sizes[i].dynamics) open_task(run, &run->sizes[i], &TASKS[t]);
        }
    }
    for (int i = 0; i < HANDS; i++) open_hands(run, i);
    bench_progress("timing %d rows by turns", run->count);
    long reps = o->reps ? o->reps : o->quick ? QUICK_REPS : REPS;
    bench_measure(run->at, run->count, reps, o->quick ? QUICK_REPETITION : REPETITION);
    for (int i = 0; i < run->count; i++) bench_rows_add(rows, &run->at[i].row);
    return true;
}

int bench_coupling(const bench_options* options) {
    if (!bench_account_possible(options)) return STATUS_USAGE;
    bench_account* account = memory_take(1, sizeof *account);
    coupling_run* run = memory_take(1, sizeof *run);
    int status = STATUS_FAILED;
    bool good = run_all(run, options, &account->rows);
    bench_progress_end();
    for (int i = 0; i < run->count; i++) bench_close(&run->at[i]);
    for (int i = 0; i < LINES; i++) bench_held_free(&run->sizes[i]);
    for (int i = 0; i < HANDS; i++) bench_held_free(&run->hands[i]);
    if (good) {
        bench_coupling_account(account);
        status = bench_account_show(account, options);
    }
    free(run);
    free(account->rows.at);
    free(account);
    return status;
}
