// SPDX-License-Identifier: Apache-2.0
/// What a solver owns, whichever it is.
#ifndef SN_CONTACT_SOLVER_H
#define SN_CONTACT_SOLVER_H

#include "base/workers.h"
#include "contact/groups.h"
#include "contact/warm_start.h"

struct sn_contact_solver {
    const sni_solver_ops* ops;
    void* memory; ///< of ops
    sn_contact_capacity capacity;
    sni_workers* workers; ///< NULL: only the caller's thread
    int helpers;          ///< threads among the workers
    sni_groups_work groups;
    sni_warm_start warm_start;
    double* scratch; // [12 bodies] of the judge
    sni_arena arena;
};

#endif
