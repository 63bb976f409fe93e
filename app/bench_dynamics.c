// SPDX-License-Identifier: Apache-2.0
/// sinew bench dynamics: (q, v, tau) -> qdd, kinematics included, by our algorithms and by other
/// engines, on chains, trees and robots. All must agree before times mean anything.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_contender.h"
#include "bench_page.h"
#include "bench_peer.h"
#include "bench_print.h"
#include "bench_ratios.h"
#include "bench_report.h"
#include "command.h"
#include "memory.h"
#include "message.h"
#include "sinew/sinew.h"
#include "suggest.h"

enum { REPS = 21, QUICK_REPS = 5, REPS_MOST = 10000 };
static const double REPETITION = 6e-3, QUICK_REPETITION = 2e-3; // s

// Agreement of qdd wanted, of the largest difference over the largest acceleration. CRBA and MuJoCo
// factor the joint-space inertia, whose condition grows as the fourth power of the length of a chain.
static const double AGREE = 1e-9, AGREE_FACTORED = 1e-6;

typedef struct bench_run {
    const bench_options* options;
    const bench_line_spec* specs[BENCH_LINES_MOST]; ///< the lines that were asked for
    int spec_count;
    bench_peers peers;
    bench_rows rows;
    // The lines that are timed together, and all engines on them.
    bench_line lines[BENCH_LINES_MOST];
    bench_contender contenders[BENCH_LINES_MOST * BENCH_ENGINES_MOST];
    int line_count, contender_count;
} bench_run;

// ---- which lines ---------------------------------------------------------------------------------

static const bench_line_spec* find_line(const char* name) {
    const char* names[BENCH_LINES_MOST];
    int count = 0;
    for (; bench_line_at(count); count++) {
        names[count] = bench_line_at(count)->name;
        if (strcmp(name, names[count]) == 0) return bench_line_at(count);
    }
    const char* near = suggest_name(name, names, count);
    message_error("--lines: there is no line '%s'; %s%s%s", name, near ? "did you mean '" : "",
                  near ? near : "`sinew bench dynamics --quick` shows them", near ? "'?" : "");
    return NULL;
}

static bool choose_lines(bench_run* run) {
    const char* text = run->options->lines;
    for (int i = 0; !text && bench_line_at(i); i++) {
        if (run->options->quick && (bench_line_at(i)->flags & LINE_SLOW)) continue;
        run->specs[run->spec_count++] = bench_line_at(i);
    }
    while (text && *text && run->spec_count < BENCH_LINES_MOST) {
        char name[32];
        int length = (int)strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", length, text);
        run->specs[run->spec_count] = find_line(name);
        if (!run->specs[run->spec_count++]) return false;
        text += length;
        text += *text == ',';
    }
    return true;
}

// ---- agreement -----------------------------------------------------------------------------------

// Accelerations of the line's states by the clear version, NULL when it fails.
static double* compute_clear(const bench_line* line, int states) {
    sn_dynamics* dynamics = NULL;
    size_t nq = (size_t)sn_model_nq(line->model), nv = (size_t)line->dof;
    double* qdd = memory_take((size_t)states * nv, sizeof *qdd);
    sn_status status = sn_dynamics_create(line->model, "reference", &dynamics, NULL);
    for (size_t s = 0; s < (size_t)states && status == SN_OK; s++) {
        status = sn_dynamics_forward(dynamics, line->q + s * nq, line->v + s * nv,
                                     line->tau + s * nv, qdd + s * nv);
    }
    sn_dynamics_free(dynamics);
    if (status == SN_OK) return qdd;
    free(qdd);
    return NULL;
}

static bool factors_inertia(const bench_row* row) {
    return row->peer ? strncmp(row->engine, "mujoco", 6) == 0
                     : strcmp(row->engine, "sinew:crba") == 0;
}

static void check_agreement(bench_contender* c, const double* clear) {
    size_t nv = (size_t)c->line->dof, count = (size_t)c->states * nv;
    double* qdd = memory_take(count, sizeof *qdd);
    // Leave the other state behind first: what is asked for must not be what is still there.
    if (c->kind->time(c, 2) >= 0 && c->kind->compute(c, qdd) && clear) {
        double worst = 0;
        for (size_t s = 0; s < count; s += nv) {
            double difference = bench_difference(qdd + s, clear + s, nv);
            if (!(difference <= worst)) worst = difference;
        }
        c->row.agree = worst;
        c->row.disagrees = !(worst <= (factors_inertia(&c->row) ? AGREE_FACTORED : AGREE));
    }
    free(qdd);
}

// ---- a group of lines ----------------------------------------------------------------------------

// Sets up another engine. One that would take too long, by the way it grew on smaller models, is not
// even asked: some need minutes only to read a large model.
static bool open_peer(bench_run* run, const bench_line* line, int i, bench_contender* c) {
    const char* name = run->peers.at[i].name;
    double expected = bench_rows_expect_us(&run->rows, line->spec->name, line->joints, name);
    if (!(expected > BENCH_SLOW_US)) return bench_open_peer(c, line, &run->peers, i);
    *c = (bench_contender){.line = line, .states = 1};
    c->row = bench_row_on(line->spec->name, line->joints, line->dof);
    c->row.peer = true;
    snprintf(c->row.engine, sizeof c->row.engine, "%s", name);
    bench_trouble(&c->row,
                  "one evaluation would take about %.1g s, going by smaller ones; given up",
                  1e-6 * expected);
    return true;
}

// These are the matter of `sinew bench adaptive`.
static bool has_assembly_tree(const char* algorithm) {
    return strcmp(algorithm, "dca") == 0 || strcmp(algorithm, "adaptive") == 0;
}

static void open_engines(bench_run* run, const bench_line* line) {
    bench_contender* all = run->contenders;
    int first = run->contender_count, count = first;
    bool peers = line->spec->flags & LINE_PEERS && bench_peers_give(&run->peers, line);
    for (int i = 0; sn_dynamics_algorithm(i); i++) {
        if (has_assembly_tree(sn_dynamics_algorithm(i))) continue;
        count += bench_open_algorithm(&all[count], line, sn_dynamics_algorithm(i));
    }
    count += bench_open_batch(&all[count], line);
    for (int i = 0; peers && i < run->peers.count; i++) {
        if (count - first == BENCH_ENGINES_MOST) break;
        count += open_peer(run, line, i, &all[count]);
    }
    double* clear = compute_clear(line, line->spec->flags & LINE_BATCH ? BENCH_BATCH : 1);
    for (int i = first; i < count; i++) {
        if (!all[i].row.trouble[0]) check_agreement(&all[i], clear);
    }
    free(clear);
    run->contender_count = count;
}

// Times the lines from number `at` that belong together; how many, or -1 when one cannot be made.
static int run_group(bench_run* run, int at) {
    int count = 1;
    const bench_options* o = run->options;
    while (run->specs[at]->flags & LINE_LONG && at + count < run->spec_count &&
           run->specs[at + count]->flags & LINE_LONG) {
        count += 1;
    }
    bool made = true;
    for (int i = 0; i < count && made; i++) {
        bench_progress("%d of %d: %s", at + i + 1, run->spec_count, run->specs[at + i]->name);
        made = bench_line_make(run->specs[at + i], &run->lines[i]);
        if (!made) break;
        run->line_count = i + 1;
        open_engines(run, &run->lines[i]);
    }
    if (made) {
        long reps = o->reps ? o->reps : o->quick ? QUICK_REPS : REPS;
        bench_measure(run->contenders, run->contender_count, reps,
                      o->quick ? QUICK_REPETITION : REPETITION);
    }
    for (int i = 0; i < run->contender_count; i++) {
        if (made) bench_rows_add(&run->rows, &run->contenders[i].row);
        bench_close(&run->contenders[i]);
    }
    for (int i = 0; i < run->line_count; i++) bench_line_free(&run->lines[i]);
    run->line_count = run->contender_count = 0;
    return made ? count : -1;
}

static int name_disagreements(const bench_rows* rows) {
    int count = 0;
    for (int i = 0; i < rows->count; i++) {
        const bench_row* row = &rows->at[i];
        if (!row->disagrees) continue;
        message_error("%s: %s disagrees on qdd, by %.2g of its size; its times mean nothing",
                      row->line, row->engine, row->agree);
        count += 1;
    }
    return count;
}

static int run_all(bench_run* run) {
    if (!choose_lines(run)) return STATUS_USAGE;
    if (run->options->report && !bench_report_possible(run->options->report)) return STATUS_USAGE;
    if (!bench_peers_start(&run->peers, run->options->peers, run->options->timeout)) {
        return STATUS_USAGE;
    }
    for (int at = 0, done; at < run->spec_count; at += done) {
        done = run_group(run, at);
        if (done < 0) return STATUS_FAILED;
    }
    bench_progress_end();
    bench_ratios ratios = bench_ratios_find(&run->rows);
    if (run->options->json) {
        bench_write_json("dynamics", &run->rows, &ratios, stdout);
    } else {
        bench_print_dynamics(&run->rows, &ratios);
    }
    int status = name_disagreements(&run->rows) ? STATUS_FAILED : STATUS_DONE;
    if (run->options->report && !bench_report_write(run->options->report, &run->rows, &ratios)) {
        status = STATUS_FAILED;
    }
    return status;
}

int bench_dynamics(const bench_options* options) {
    if (options->reps > REPS_MOST) {
        message_error("--reps %ld is too many; at most %d", options->reps, REPS_MOST);
        return STATUS_USAGE;
    }
    bench_run* run = memory_take(1, sizeof *run);
    run->options = options;
    int status = run_all(run);
    bench_progress_end();
    bench_peers_end(&run->peers);
    free(run->rows.at);
    free(run);
    return status;
}
