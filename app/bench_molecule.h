// SPDX-License-Identifier: Apache-2.0
/// `sinew bench molecule`: its proteins, and what the rows come down to.
#ifndef SINEW_APP_BENCH_MOLECULE_H
#define SINEW_APP_BENCH_MOLECULE_H

#include "bench_account.h"
#include "bench_contender.h"
#include "sinew/coupling.h"
#include "sinew/molecule_forces.h"
#include "sinew/world.h"

/// A molecule with its torsion tree and all that is timed on it.
typedef struct bench_subject {
    const char* name;   ///< "crambin"
    const char* source; ///< where it comes from, for the reader
    sn_molecule* molecule;
    sn_torsion_tree* tree;
    sn_forcefield* field;
    sn_dynamics* dynamics;
    int groups, torsions;
    double *q[2], *v, *qdd; ///< two positions a hair apart
    sn_pose* X_wg[2];       ///< of groups there
    sn_wrench* wrench_w;
} bench_subject;

/// Which protein: X(code, name, file of the Protein Data Bank or NULL, what is built without it, dynamics).
#define BENCH_SUBJECTS(X)                                                                          \
    X(SUBJECT_CRAMBIN, "crambin", "1crn.pdb", CRAMBIN, "aba")                                      \
    X(SUBJECT_RHODOPSIN, "bacteriorhodopsin", "br227_allH.pdb", "bacteriorhodopsin", "aba")        \
    X(SUBJECT_WINDOW, "bacteriorhodopsin", "br227_allH.pdb", "bacteriorhodopsin", "aba")           \
    X(SUBJECT_TORSIONS, "bacteriorhodopsin 1C3W", "1c3w.pdb", "bacteriorhodopsin", "aba")          \
    X(SUBJECT_SEQUENCE, "bacteriorhodopsin, whole sequence", NULL, "bacteriorhodopsin", "dca")     \
    X(SUBJECT_HELIX, "polyalanine", NULL, "ala:20", "aba")
#define SUBJECT_ENUM(code, name, file, built, dynamics) code,
enum { BENCH_SUBJECTS(SUBJECT_ENUM) SUBJECTS };
#undef SUBJECT_ENUM

/// Joints of the active window of SUBJECT_WINDOW; others get all.
enum { BENCH_WINDOW = 48 };

/// False, with the reason said, when it cannot be made.
bool bench_subject_make(bench_subject* s, int which);
void bench_subject_free(bench_subject* s);

/// Fills in everything but the rows.
void bench_molecule_account(bench_account* account, const bench_subject* subjects);

#endif
