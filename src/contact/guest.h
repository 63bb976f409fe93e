// SPDX-License-Identifier: Apache-2.0
/// A user's functions that solve contact problems (sn_solver_module) inside a solver of ours, which remembers
/// impulses, brings what it gets into the cones and judges it.
#ifndef SN_CONTACT_GUEST_H
#define SN_CONTACT_GUEST_H

#include "contact/solver.h"

struct sni_solver_guest {
    sn_solver_module table;
    void* memory;      ///< the user's
    double* r;         // [rows] what it works on
    sn_status trouble; ///< what the last solve returned; SN_ERR_NUMERIC: an impulse was not finite
};

/// Makes the user's memory. *guest is NULL when it fails.
sn_status sni_solver_guest_create(const sn_solver_module* table,
                                  const sn_contact_capacity* capacity, sni_solver_guest** guest,
                                  sn_error* error);
void sni_solver_guest_free(sni_solver_guest* guest);
void sni_solver_guest_layout(sni_solver_guest* guest, const sn_contact_capacity* capacity,
                             sni_arena* arena);
/// Improves r, which ends finite and within the cones. False: what it found was not finite, and r is zero. Its status
/// when it refuses, r untouched.
sn_status sni_solver_guest_solve(sni_solver_guest* guest, const sn_contact_problem* problem,
                                 const sn_solve_options* options, double* r, int64_t* iterations,
                                 bool* finite, sn_error* error);

#endif
