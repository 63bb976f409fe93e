// SPDX-License-Identifier: Apache-2.0
/// Ratios, sentences and method of `sinew bench molecule`.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_molecule.h"

// Printed by [MR07], us.
static const double PAPER_COUPLING = 50, PAPER_STEP = 10000;

static double time_of(const bench_rows* rows, const char* line, const char* engine) {
    const bench_row* row = bench_rows_find(rows, line, engine);
    return row ? row->median_us : NAN;
}

static const char* const METHOD[] = {
    "forces-crambin, forces-3500: sn_forcefield_evaluate with what a simulation uses (cut-off 1 "
    "nm, skin "
    "0.12 nm, mixed precision, vacuum): all pairs between rigid groups, torsions, pairs three "
    "bonds apart, and "
    "the wrench on every group. Two positions a hair apart by turns; the pair list is kept, as "
    "between two "
    "steps.",
    "window48-3500: the same with 48 torsions in the middle of the chain active: what the other "
    "groups do to "
    "each other is kept.",
    "multibody-768: sn_dynamics_forward of the torsion tree, policy B. refresh-857: "
    "sn_dynamics_coupling for a "
    "hand on a residue in the middle of the whole sequence, 857 torsions, all active.",
    "step-ala20: forces and a whole step of a world with the helix of twenty alanines, 40 "
    "torsions, all active.",
    "gromacs: steps of `gmx mdrun`, one thread, Verlet lists, reaction field, the same cut-off; a "
    "step is more than "
    "its forces, and its name says for which instructions it was built. openmm: forces of its CPU "
    "platform, one "
    "thread (AVX where the machine has it), CutoffNonPeriodic. Both AMBER99SB in vacuum, all atoms "
    "free; timed after "
    "ours, in the same run.",
    "n counts atoms. One thread. Proteins come from the Protein Data Bank where the files are "
    "beside the clone; "
    "otherwise they are built from their sequences, and a long helix has fewer near pairs than a "
    "folded one.",
    NULL,
};

// How much longer others take than we.
static void compare_peers(bench_account* a) {
    static const struct {
        const char *engine, *line, *ratio;
    } RATIOS[] = {{"gromacs", "forces-crambin", "gromacs_over_crambin"},
                  {"gromacs", "forces-3500", "gromacs_over_3500"},
                  {"openmm", "forces-crambin", "openmm_over_crambin"},
                  {"openmm", "forces-3500", "openmm_over_3500"}};
    for (int i = 0; i < a->rows.count; i++) {
        const bench_row* row = &a->rows.at[i];
        double ours = time_of(&a->rows, row->line, "sinew:field");
        for (size_t k = 0; k < sizeof RATIOS / sizeof RATIOS[0]; k++) {
            bool fits = strncmp(row->engine, RATIOS[k].engine, strlen(RATIOS[k].engine)) == 0 &&
                        strcmp(row->line, RATIOS[k].line) == 0;
            if (fits && row->median_us > 0) {
                bench_account_ratio(a, RATIOS[k].ratio, row->median_us / ours);
            }
        }
    }
}

void bench_molecule_account(bench_account* a, const bench_subject* subjects) {
    const bench_rows* rows = &a->rows;
    double full = time_of(rows, "forces-3500", "sinew:field");
    double window = time_of(rows, "window48-3500", "sinew:field");
    double step = time_of(rows, "step-ala20", "sinew:aba+field");
    double refresh = time_of(rows, "refresh-857", "sinew:dca");
    a->name = "molecule";
    a->heading = "Proteins: forces between atoms, torsions, hands";
    a->count_of = "atoms";
    a->method = METHOD;
    compare_peers(a);
    bench_account_ratio(a, "window48_over_full", window / full);
    bench_account_ratio(a, "paper_step_over_step", PAPER_STEP / step);
    bench_account_ratio(a, "paper_coupling_over_refresh", PAPER_COUPLING / refresh);
    const bench_subject *small = &subjects[SUBJECT_CRAMBIN], *large = &subjects[SUBJECT_RHODOPSIN];
    bench_sentences_add(
        &a->sentences,
        "All forces take %.3f ms on crambin (%d atoms, %s) and %.3f ms on "
        "bacteriorhodopsin (%d atoms, %d torsions, %s); with 48 torsions active %.3f "
        "ms.",
        1e-3 * time_of(rows, "forces-crambin", "sinew:field"),
        sn_molecule_atom_count(small->molecule), small->source, 1e-3 * full,
        sn_molecule_atom_count(large->molecule), large->torsions, large->source, 1e-3 * window);
    bench_sentences_add(
        &a->sentences,
        "Accelerations of its torsions take %.3f ms. The law of a grabbed residue of "
        "857 torsions takes %.2f us (paper: tens of us; about 50 us at 40 torsions).",
        1e-3 * time_of(rows, "multibody-768", "sinew:aba"), refresh);
    bench_sentences_add(
        &a->sentences,
        "A whole step of the helix, 40 torsions active, takes %.3f ms (paper: 10 to "
        "12 ms, on a 3 GHz Xeon of 2007).",
        1e-3 * step);
}
