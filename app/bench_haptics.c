// SPDX-License-Identifier: Apache-2.0
#include "bench_haptics.h"

#include <stdlib.h>

#include "bench_memory.h"
#include "command.h"
#include "memory.h"
#include "message.h"

enum { REPS = 21, QUICK_REPS = 5, SIZES = 4, ROWS_MOST = 16 };
static const double NEEDED_MB = 9000; // for a scene of 10^6 joints

typedef struct size {
    const char* row;
    int joints;
    const char* dynamics;
} size;

static const size CHAINS[SIZES] = {
    {"tick-40", 40, "dca"},
    {"tick-857", 857, "dca"},
    {"tick-1e5", 100000, "adaptive"},
    {"tick-1e6", 1000000, "adaptive"},
};
enum { MIDDLE = 1, MILLION = 3 };

typedef struct haptics_run {
    bench_rig chains[SIZES], again, contact;
    bench_contender at[ROWS_MOST];
    int count;
} haptics_run;

static bench_contender* next(haptics_run* run, const char* part) {
    bench_contender* c = &run->at[run->count++];
    c->row.part = part;
    return c;
}

static void open_rig(haptics_run* run, const char* part, bench_rig* rig, bench_rig_task task,
                     const char* name) {
    bench_contender* c = next(run, part);
    bench_open_rig(c, rig, task, name);
    c->row.part = part;
}

static void open_chains(haptics_run* run, bool quick) {
    for (int i = 0; i < SIZES; i++) {
        if (i == MILLION && quick) continue;
        bench_progress("a hand on a chain of %d joints", CHAINS[i].joints);
        if (i == MILLION && bench_memory_free() < NEEDED_MB)
            snprintf(run->chains[i].trouble, sizeof run->chains[i].trouble,
                     "less than %.0f GB of memory are free", 1e-3 * NEEDED_MB);
        else
            bench_rig_chain(&run->chains[i], CHAINS[i].joints, CHAINS[i].dynamics);
        open_rig(run, "The whole haptic tick", &run->chains[i], RIG_TICK, CHAINS[i].row);
    }
}

static void open_all(haptics_run* run, bool quick) {
    static const char* const PARTS = "Parts of it";
    static const char* const LAWS = "With a new law";
    open_chains(run, quick);
    bench_open_device(next(run, NULL), "omega3", "device-3");
    bench_open_device(next(run, NULL), "premium15_6dof", "device-6");
    bench_open_safety(next(run, NULL), "omega3", "safety-3");
    bench_open_safety(next(run, NULL), "premium15_6dof", "safety-6");
    for (int i = run->count - 4; i < run->count; i++) run->at[i].row.part = PARTS;
    bench_rig_chain(&run->again, CHAINS[MIDDLE].joints, CHAINS[MIDDLE].dynamics);
    bench_rig_contact(&run->contact);
    open_rig(run, LAWS, &run->again, RIG_FRESH, "tick-857-fresh");
    open_rig(run, LAWS, &run->again, RIG_COUPLING, "coupling-857");
    open_rig(run, LAWS, &run->contact, RIG_FRESH, "tick-contact-fresh");
    open_rig(run, LAWS, &run->contact, RIG_COUPLING, "coupling-contact");
}

static void note_mean(bench_contender* c) {
    double sum = 0;
    for (long r = 0; r < c->row.reps; r++) sum += c->times_us[r];
    if (c->row.reps > 0) bench_note_add(&c->row, "mean_us", sum / (double)c->row.reps);
}

int bench_haptics(const bench_options* o) {
    if (!bench_account_possible(o)) return STATUS_USAGE;
    bench_account* account = memory_take(1, sizeof *account);
    haptics_run* run = memory_take(1, sizeof *run);
    open_all(run, o->quick);
    bench_progress("timing %d rows by turns", run->count);
    bench_measure(run->at, run->count, o->reps ? o->reps : o->quick ? QUICK_REPS : REPS, 0);
    bench_progress_end();
    for (int i = 0; i < run->count; i++) {
        note_mean(&run->at[i]);
        bench_rows_add(&account->rows, &run->at[i].row);
        bench_close(&run->at[i]);
    }
    for (int i = 0; i < SIZES; i++) bench_rig_free(&run->chains[i]);
    bench_rig_free(&run->again);
    bench_rig_free(&run->contact);
    bench_haptics_account(account);
    int status = bench_account_show(account, o);
    free(run);
    free(account->rows.at);
    free(account);
    return status;
}
