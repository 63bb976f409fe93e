// SPDX-License-Identifier: Apache-2.0
/// sinew bench delassus: the Delassus operator of a humanoid by every method, and how it grows with the
/// contacts and with the body.
#include "bench_delassus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_operator.h"
#include "command.h"
#include "memory.h"
#include "message.h"

enum {
    REPS = 21,
    QUICK_REPS = 5,
    SIZES = 5,
    CHAINS = 5,
    OTHERS_MOST = 4,
    LIMBS = 4,
    WELDS_MOST = 8,
    CONTENDERS_MOST = 128
};
static const double REPETITION = 4e-3, QUICK_REPETITION = 1e-3; // s

static const bench_line_spec HRP2 = {"hrp2", "hrp2", 0};
static const char* const LIMB_NAMES[LIMBS] = {"l_ankle", "r_ankle", "l_wrist", "r_wrist"};
static const int POINTS[SIZES] = {8, 16, 32, 64, 128};
static const char* const METHODS[] = {"per-point", "per-body", "chang-khatib", "compressed",
                                      "tree"};
enum {
    METHOD_COUNT = sizeof METHODS / sizeof METHODS[0],
    APART = 2
}; // 32 points: in two parts, too
static const int WELDS[] = {2, 4, 8};
enum { WELD_COUNT = sizeof WELDS / sizeof WELDS[0] };
static const bench_line_spec CHAIN_LINES[CHAINS] = {
    {"chain32", "chain:32", 0},     {"chain128", "chain:128", 0},   {"chain512", "chain:512", 0},
    {"chain2048", "chain:2048", 0}, {"chain8192", "chain:8192", 0},
};

typedef struct delassus_run {
    bench_robot hrp2, chains[CHAINS], others[OTHERS_MOST];
    int other_count;
    char* other_names; ///< copy of --lines, cut into words
    bench_line_spec other_specs[OTHERS_MOST];
    touching points[SIZES], welds[1 + OTHERS_MOST][WELD_COUNT], along[CHAINS];
    bench_contender at[CONTENDERS_MOST];
    int count;
} delassus_run;

static bench_contender* open_task(delassus_run* run, const bench_robot* robot,
                                  const touching* contacts, const char* method,
                                  bench_operator_task task, const char* part, const char* format,
                                  int number) {
    bench_contender* c = &run->at[run->count++];
    char name[24];
    snprintf(name, sizeof name, format, robot->line.spec->name, number);
    bench_open_operator(c, robot, contacts, method, task, name);
    c->row.part = part;
    return c;
}

// ---- contacts ---------------------------------------------------------------------------------------

static bool find_limbs(const sn_model* model, sn_body_id* limbs) {
    for (int i = 0; i < LIMBS; i++) {
        limbs[i] = sn_model_find_body(model, LIMB_NAMES[i]);
        if (limbs[i].i >= 0) continue;
        message_error("the model has no body '%s'", LIMB_NAMES[i]);
        return false;
    }
    return true;
}

// The ends of the branches, the deepest first, then the bodies that carry them, and so on.
static int choose_ends(const sn_model* model, int count, sn_body_id* chosen) {
    int n = sn_model_body_count(model), found = 0;
    int* depth = memory_take((size_t)n, sizeof *depth);
    bool* taken = memory_take((size_t)n, sizeof *taken);
    bool* carries = memory_take((size_t)n, sizeof *carries); // some body that is not taken
    for (int i = 0; i < n; i++) {
        int parent = sn_model_body(model, sn_body(i)).parent.i;
        depth[i] = parent < 0 ? 0 : depth[parent] + 1;
    }
    while (found < count && found < n) {
        int best = -1;
        memset(carries, 0, (size_t)n * sizeof *carries);
        for (int i = 0; i < n; i++) {
            int parent = sn_model_body(model, sn_body(i)).parent.i;
            if (parent >= 0 && !taken[i]) carries[parent] = true;
        }
        for (int i = 0; i < n; i++) {
            if (!taken[i] && !carries[i] && (best < 0 || depth[i] > depth[best])) best = i;
        }
        taken[best] = true;
        chosen[found++] = sn_body(best);
    }
    free(depth);
    free(taken);
    free(carries);
    return found;
}

// ---- rows -------------------------------------------------------------------------------------------

static bool open_points(delassus_run* run) {
    sn_body_id limbs[LIMBS];
    if (!find_limbs(run->hrp2.line.model, limbs)) return false;
    for (int s = 0; s < SIZES; s++) {
        const char* part = "The operator W of hrp2, feet and hands, by contact points";
        run->points[s] = touching_points(limbs, LIMBS, POINTS[s] / LIMBS);
        for (int m = 0; m < METHOD_COUNT; m++) {
            open_task(run, &run->hrp2, &run->points[s], METHODS[m], OPERATOR_MATRIX, part, "%s-%d",
                      POINTS[s]);
        }
        if (s == APART) {
            open_task(run, &run->hrp2, &run->points[s], "dense", OPERATOR_MATRIX, part, "%s-%d",
                      POINTS[s]);
            open_task(run, &run->hrp2, &run->points[s], "compressed", OPERATOR_NEW, part,
                      "%s-%d-new", POINTS[s]);
        }
    }
    for (int m = 0; m < METHOD_COUNT; m++) {
        const char* part = "32 points: Omega and projection apart";
        open_task(run, &run->hrp2, &run->points[APART], METHODS[m], OPERATOR_OMEGA, part,
                  "%s-%d-omega", POINTS[APART]);
        open_task(run, &run->hrp2, &run->points[APART], METHODS[m], OPERATOR_PROJECTION, part,
                  "%s-%d-projection", POINTS[APART]);
    }
    open_task(run, &run->hrp2, &run->points[APART], "compressed", OPERATOR_APPLY,
              "32 points: one product without the matrix", "%s-%d-product", POINTS[APART]);
    return true;
}

// Six directions of each of a few bodies, the question of the table in notes on other engines.
static void open_welds(delassus_run* run, const bench_robot* robot, touching* welds) {
    const char* part = "Six directions of C bodies";
    sn_body_id bodies[WELDS_MOST];
    for (int k = 0; k < WELD_COUNT; k++) {
        if (robot != &run->hrp2 || WELDS[k] > LIMBS || !find_limbs(robot->line.model, bodies)) {
            if (choose_ends(robot->line.model, WELDS[k], bodies) < WELDS[k]) return;
        }
        welds[k] = touching_welds(bodies, WELDS[k]);
        open_task(run, robot, &welds[k], "compressed", OPERATOR_BOTH, part, "%.12s-c%d-forward",
                  WELDS[k]);
        open_task(run, robot, &welds[k], "compressed", OPERATOR_RESPONSE, part, "%.12s-c%d",
                  WELDS[k]);
        open_task(run, robot, &welds[k], "tree", OPERATOR_RESPONSE, part, "%.12s-c%d", WELDS[k]);
    }
    open_task(run, robot, &welds[0], "compressed", OPERATOR_FORWARD, part, "%.12s-forward", 0);
}

static void open_chain(delassus_run* run, int which) {
    const char* part = "Response of four bodies spread evenly over a chain";
    const bench_robot* robot = &run->chains[which];
    int n = robot->line.joints;
    sn_body_id bodies[LIMBS];
    for (int i = 0; i < LIMBS; i++) bodies[i] = sn_body((i + 1) * n / LIMBS - 1);
    run->along[which] = touching_welds(bodies, LIMBS);
    open_task(run, robot, &run->along[which], "compressed", OPERATOR_RESPONSE, part, "%s", 0);
    open_task(run, robot, &run->along[which], "tree", OPERATOR_RESPONSE, part, "%s", 0);
}

// Models given by --lines: names or files, their roots floating as in other engines' benchmarks.
static bool make_others(delassus_run* run, const char* list) {
    if (!list) return true;
    run->other_names = memory_copy(list);
    for (char* word = strtok(run->other_names, ","); word; word = strtok(NULL, ",")) {
        if (run->other_count == OTHERS_MOST) {
            message_error("--lines has more than %d models", OTHERS_MOST);
            return false;
        }
        int k = run->other_count++;
        const char* slash = strrchr(word, '/');
        char* name = slash ? word + 1 + (slash - word) : word;
        run->other_specs[k] = (bench_line_spec){name, memory_copy(word), LINE_FREE};
        char* dot = strrchr(name, '.');
        if (dot) *dot = '\0';
        if (!bench_robot_make(&run->others[k], &run->other_specs[k])) return false;
    }
    return true;
}

static bool run_all(delassus_run* run, const bench_options* o, bench_rows* rows) {
    bench_progress("making models");
    if (!bench_robot_make(&run->hrp2, &HRP2) || !make_others(run, o->lines)) return false;
    if (!open_points(run)) return false;
    open_welds(run, &run->hrp2, run->welds[0]);
    for (int i = 0; i < run->other_count; i++) {
        open_welds(run, &run->others[i], run->welds[1 + i]);
    }
    for (int i = 0; i < CHAINS; i++) {
        if (!bench_robot_make(&run->chains[i], &CHAIN_LINES[i])) return false;
        open_chain(run, i);
    }
    bench_progress("timing %d rows by turns", run->count);
    long reps = o->reps ? o->reps : o->quick ? QUICK_REPS : REPS;
    bench_measure(run->at, run->count, reps, o->quick ? QUICK_REPETITION : REPETITION);
    for (int i = 0; i < run->count; i++) bench_rows_add(rows, &run->at[i].row);
    return true;
}

static void run_free(delassus_run* run) {
    for (int i = 0; i < run->count; i++) bench_close(&run->at[i]);
    for (int i = 0; i < SIZES; i++) touching_free(&run->points[i]);
    for (int i = 0; i <= OTHERS_MOST; i++) {
        for (int k = 0; k < WELD_COUNT; k++) touching_free(&run->welds[i][k]);
    }
    for (int i = 0; i < CHAINS; i++) {
        touching_free(&run->along[i]);
        bench_robot_free(&run->chains[i]);
    }
    for (int i = 0; i < OTHERS_MOST; i++) {
        bench_robot_free(&run->others[i]);
        free((char*)run->other_specs[i].model);
    }
    bench_robot_free(&run->hrp2);
    free(run->other_names);
    free(run);
}

int bench_delassus(const bench_options* options) {
    bench_options rest = *options;
    rest.lines = NULL; // ours are models
    if (!bench_account_possible(&rest)) return STATUS_USAGE;
    bench_account* account = memory_take(1, sizeof *account);
    delassus_run* run = memory_take(1, sizeof *run);
    int status = STATUS_FAILED;
    bool good = run_all(run, options, &account->rows);
    bench_progress_end();
    run_free(run);
    if (good) {
        bench_delassus_account(account);
        status = bench_account_show(account, options);
        for (int i = 0; i < account->rows.count; i++) {
            if (account->rows.at[i].trouble[0]) status = STATUS_FAILED;
        }
    }
    free(account->rows.at);
    free(account);
    return status;
}
