// SPDX-License-Identifier: Apache-2.0
/// What a solver owns, whichever it is.
#ifndef SN_CONTACT_SOLVER_H
#define SN_CONTACT_SOLVER_H

#include "base/workers.h"
#include "contact/groups.h"
#include "contact/warm_start.h"

/// A user's functions that solve (contact/guest.h).
typedef struct sni_solver_guest sni_solver_guest;

struct sn_contact_solver {
    const sni_solver_ops* ops;
    void* memory;            ///< of ops
    sni_solver_guest* guest; ///< solves; NULL: ops do
    sn_contact_capacity capacity;
    sni_workers* workers; ///< NULL: only the caller's thread
    int helpers;          ///< threads among the workers
    sni_groups_work groups;
    sni_warm_start warm_start;
    bool told;       ///< scratch begins with the velocities of the last solve
    double* scratch; // [14 bodies] of the judge
    sni_arena arena;
};

/// sn_contact_solve of a problem that sn_contact_check would pass; solver, options and r are there.
sn_status sni_contact_solve(sn_contact_solver* solver, const sn_contact_problem* problem,
                            const sn_solve_options* options, double* r, sn_solve_report* report,
                            sn_error* error);
/// Velocities that the impulses of the last solve, of this problem by bodies only, give the bodies; six numbers
/// each.
const double* sni_contact_solver_velocities(sn_contact_solver* solver,
                                            const sn_contact_problem* problem, const double* r);

#endif
