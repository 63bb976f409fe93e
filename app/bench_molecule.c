// SPDX-License-Identifier: Apache-2.0
/// sinew bench molecule: forces between atoms, the dynamics of torsions, what a hand on a protein feels, and whole steps.
#include "bench_molecule.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench_forces_peer.h"
#include "command.h"
#include "memory.h"
#include "message.h"

enum { REPS = 201, QUICK_REPS = 21, ROWS = 6, PEER_REPS = 7, QUICK_PEER_REPS = 2, PEER_ROWS = 4 };
static const double REPETITION = 2e-3, QUICK_REPETITION = 2e-3; // s
static const double STEP = 1e-3;                                // ps

typedef struct molecule_task molecule_task;

typedef struct task_spec {
    const char *line, *part, *engine;
    int subject;
    sn_status (*run)(molecule_task* t);
} task_spec;

struct molecule_task {
    const task_spec* spec;
    bench_subject* subject;
    sn_world* world;
    sn_molecule_forces* forces;
    sn_coupling_law law;
    sn_body_wrench hand;
    long turn; // which of the two positions comes next
};

// ---- what is timed ----------------------------------------------------------------------------------

static sn_status do_forces(molecule_task* t) {
    bench_subject* s = t->subject;
    return sn_forcefield_evaluate(s->field, s->X_wg[t->turn++ & 1], s->wrench_w, NULL);
}

static sn_status do_multibody(molecule_task* t) {
    bench_subject* s = t->subject;
    return sn_dynamics_forward(s->dynamics, s->q[t->turn++ & 1], s->v, NULL, s->qdd);
}

static sn_status do_refresh(molecule_task* t) {
    return sn_dynamics_coupling(t->subject->dynamics, &t->hand, 1, &t->law);
}

static sn_status do_step(molecule_task* t) { return sn_world_step(t->world, NULL); }

static sn_status compute_field(void* context, const sn_dynamics* dynamics, uint64_t step,
                               sn_wrench* wrench_w) {
    return sn_molecule_forces_compute(context, dynamics, 0, sn_pose_identity(), step, wrench_w);
}

static const task_spec TASKS[ROWS] = {
    {"forces-crambin", "Forces on all groups", "sinew:field", SUBJECT_CRAMBIN, do_forces},
    {"forces-3500", "Forces on all groups", "sinew:field", SUBJECT_RHODOPSIN, do_forces},
    {"window48-3500", "Forces with 48 torsions active", "sinew:field", SUBJECT_WINDOW, do_forces},
    {"multibody-768", "Accelerations of torsions", "sinew:aba", SUBJECT_TORSIONS, do_multibody},
    {"refresh-857", "Making the law of a grabbed residue", "sinew:dca", SUBJECT_SEQUENCE,
     do_refresh},
    {"step-ala20", "Whole steps", "sinew:aba+field", SUBJECT_HELIX, do_step},
};

static double time_task(bench_contender* c, long count) {
    molecule_task* t = c->self;
    sn_status status = SN_OK;
    double began = bench_now();
    for (long i = 0; i < count && !status; i++) status = t->spec->run(t);
    double taken = bench_now() - began;
    if (!status) return taken;
    bench_trouble(&c->row, "%s", sn_status_text(status));
    return -1;
}

static void close_task(bench_contender* c) {
    molecule_task* t = c->self;
    sn_world_free(t->world);
    sn_molecule_forces_free(t->forces);
    free(t);
}

static const bench_kind KIND = {NULL, time_task, close_task};

// ---- setting up -------------------------------------------------------------------------------------

static sn_status make_world(molecule_task* t, sn_error* error) {
    sn_world_def def = sn_world_def_default();
    def.step = STEP;
    def.gravity = sn_vec3_zero();
    def.field = true;
    sn_status status = sn_molecule_forces_create(t->subject->tree, NULL, &t->forces, error);
    if (!status) {
        status = sn_world_create(sn_torsion_tree_model(t->subject->tree), &def, &t->world, error);
    }
    sn_field field = {"molecule", compute_field, t->forces, NULL, NULL};
    return status ? status : sn_world_set_field(t->world, &field);
}

static void open_task(bench_contender* c, const task_spec* spec, bench_subject* subject) {
    molecule_task* t = memory_take(1, sizeof *t);
    sn_forcefield_report report = {0};
    sn_error error = {0};
    int atoms = sn_molecule_atom_count(subject->molecule);
    *c = (bench_contender){.kind = &KIND, .self = t, .states = 1, .patient = true};
    c->row = bench_row_on(spec->line, atoms, subject->torsions);
    c->row.part = spec->part;
    snprintf(c->row.engine, sizeof c->row.engine, "%s", spec->engine);
    t->spec = spec;
    t->subject = subject;
    t->hand.body = sn_torsion_tree_torsion(subject->tree, subject->torsions / 2).body;
    sn_status status = SN_OK;
    if (spec->run == do_step) status = make_world(t, &error);
    if (spec->run == do_forces) {
        status =
            sn_forcefield_evaluate(subject->field, subject->X_wg[0], subject->wrench_w, &report);
        bench_note_add(&c->row, "listed_pairs", (double)report.listed_pairs);
    }
    if (!status) status = spec->run(t);
    if (status) bench_trouble(&c->row, "%s", sn_status_text(status));
}

static bool run_all(bench_contender* all, bench_subject* subjects, const bench_options* o,
                    bench_rows* rows) {
    for (int i = 0; i < SUBJECTS; i++) {
        bench_progress("protein %d of %d", i + 1, SUBJECTS);
        if (!bench_subject_make(&subjects[i], i)) return false;
    }
    for (int i = 0; i < ROWS; i++) open_task(&all[i], &TASKS[i], &subjects[TASKS[i].subject]);
    bench_progress("timing %d rows by turns", ROWS);
    long reps = o->reps ? o->reps : o->quick ? QUICK_REPS : REPS;
    bench_measure(all, ROWS, reps, o->quick ? QUICK_REPETITION : REPETITION);
    for (int i = 0; i < ROWS; i++) bench_rows_add(rows, &all[i].row);
    return true;
}

/// Other programs on the molecules of the first two rows, after ours: each of their repetitions takes long.
static void run_peers(const bench_subject* subjects, const bench_options* o, bench_rows* rows) {
    static const long COUNTS[] = {300, 60}; // evaluations in a repetition
    bench_contender* peers = memory_take(PEER_ROWS, sizeof *peers);
    int count = 0;
    double cutoff = sn_forcefield_def_default().cutoff;
    for (int i = 0; i < PEER_ROWS; i++) {
        const task_spec* spec = &TASKS[i / BENCH_FORCES_PEERS];
        bench_progress("%s by other programs", spec->line);
        bool there = bench_open_forces_peer(&peers[count], i % BENCH_FORCES_PEERS, o->peers,
                                            spec->line, subjects[spec->subject].molecule, cutoff,
                                            COUNTS[i / BENCH_FORCES_PEERS], o->timeout);
        if (there) peers[count++].row.part = spec->part;
    }
    bench_measure(peers, count, o->quick ? QUICK_PEER_REPS : PEER_REPS, 0);
    for (int i = 0; i < count; i++) {
        bench_rows_add(rows, &peers[i].row);
        bench_close(&peers[i]);
    }
    if (count == 0)
        message_note("no other programs beside; `make peers` brings GROMACS and OpenMM");
    free(peers);
}

int bench_molecule(const bench_options* options) {
    bench_options ours = *options;
    ours.peers = NULL; // they belong here
    if (!bench_account_possible(&ours)) return STATUS_USAGE;
    bench_account* account = memory_take(1, sizeof *account);
    bench_subject* subjects = memory_take(SUBJECTS, sizeof *subjects);
    bench_contender* all = memory_take(ROWS, sizeof *all);
    int status = STATUS_FAILED;
    bool good = run_all(all, subjects, options, &account->rows);
    if (good) run_peers(subjects, options, &account->rows);
    bench_progress_end();
    if (good) {
        bench_molecule_account(account, subjects);
        status = bench_account_show(account, options);
    }
    for (int i = 0; i < ROWS; i++) bench_close(&all[i]);
    for (int i = 0; i < SUBJECTS; i++) bench_subject_free(&subjects[i]);
    free(all);
    free(subjects);
    free(account->rows.at);
    free(account);
    return status;
}
