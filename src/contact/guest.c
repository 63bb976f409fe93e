// SPDX-License-Identifier: Apache-2.0
#include "contact/guest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/guest.h"

sn_status sni_solver_module_check(const sn_solver_module* table, sn_error* error) {
    if (!table) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "no solver module given");
    const sni_guest_function functions[] = {
        {"create", table->create},
        {"free", table->free},
        {"solve", table->solve},
    };
    enum { COUNT = sizeof functions / sizeof functions[0] };
    return sni_guest_check("solver", table->name, functions, COUNT, error);
}

sn_status sni_solver_guest_create(const sn_solver_module* table,
                                  const sn_contact_capacity* capacity, sni_solver_guest** out,
                                  sn_error* error) {
    sn_error said = {0};
    *out = NULL;
    sni_solver_guest* guest = calloc(1, sizeof *guest);
    if (!guest) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    guest->table = *table;
    sn_status status = table->create(table->context, capacity, &guest->memory, &said);
    if (status) {
        free(guest);
        return sni_guest_refused("solver", table->name, status, &said, error);
    }
    *out = guest;
    return SN_OK;
}

void sni_solver_guest_free(sni_solver_guest* guest) {
    if (!guest) return;
    guest->table.free(guest->table.context, guest->memory);
    free(guest);
}

void sni_solver_guest_layout(sni_solver_guest* guest, const sn_contact_capacity* capacity,
                             sni_arena* arena) {
    guest->r = SN_ARENA_ARRAY(arena, double, capacity->rows);
}

/// Viscous friction acts beside the cone: of such contacts only the normal impulse has a bound.
static void bring_into_cone(const sn_contact_law* law, const double* x, double* r) {
    if (law->viscous > 0) {
        sni_copy_rows(r, x, law->rows);
        if (r[0] < 0) r[0] = 0;
        return;
    }
    sn_contact_project(law, 0, x, r);
}

sn_status sni_solver_guest_solve(sni_solver_guest* guest, const sn_contact_problem* problem,
                                 const sn_solve_options* options, double* r, int64_t* iterations,
                                 bool* finite, sn_error* error) {
    int32_t rows = sn_contact_rows(problem);
    *iterations = 0;
    *finite = true;
    memcpy(guest->r, r, (size_t)rows * sizeof *r);
    guest->trouble = guest->table.solve(guest->table.context, guest->memory, problem, options,
                                        guest->r, iterations);
    if (guest->trouble)
        return sni_fail(error, guest->trouble, sni_nowhere(), "solver '%s' returned: %s",
                        guest->table.name, sn_status_text(guest->trouble));
    for (int32_t k = 0; k < rows; k++) *finite = *finite && isfinite(guest->r[k]);
    if (!*finite) {
        guest->trouble = SN_ERR_NUMERIC;
        memset(r, 0, (size_t)rows * sizeof *r);
        return SN_OK;
    }
    for (int32_t i = 0; i < problem->count; i++)
        bring_into_cone(&problem->law[i], guest->r + problem->first[i], r + problem->first[i]);
    return SN_OK;
}

sn_status sni_contact_solver_trouble(const sn_contact_solver* solver) {
    return solver->guest ? solver->guest->trouble : SN_OK;
}
