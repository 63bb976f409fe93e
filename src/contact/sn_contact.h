// SPDX-License-Identifier: Apache-2.0
/// Front door of `contact`: impulses at contacts and constraints.
///
/// Every solver fills the same table, sni_solver_ops, gets the same groups, stops by the same defect and
/// passes the same tests (tests/suite_contact_solver.h). What is shared lives here: groups, laws, the
/// natural map. Called by `sim` and the public functions; never allocates after creation, knows neither
/// shapes nor time.
#ifndef SN_CONTACT_SN_CONTACT_H
#define SN_CONTACT_SN_CONTACT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/workers.h"
#include "sinew/contact.h"

// ---- one law ------------------------------------------------------------------------------------------

/// Friction coefficient at a sliding speed.
double sni_law_mu(const sn_contact_law* law, double speed);

/// The natural map of one contact, F = r - proj_K(r - u^/scale) of its law; u includes compliance.
/// A zero of F solves the contact.   docs/contact.md
void sni_law_defect(const sn_contact_law* law, double scale, const double* r, const double* u,
                    double* F);

/// De Saxce's shift: what is added to u_n so that u^ is dual to r.   [DSF98]
/// A patch that carries gets none for its roll: the edge about which it tips stays, so its middle, where
/// u_n is taken, must rise at roll |w_t|.
double sni_law_shift(const sn_contact_law* law, const double* u);
/// r that obeys the law together with u^ = scale (r - x): the projection of x, but for viscous friction.
void sni_law_answer(const sn_contact_law* law, double speed, double scale, const double* x,
                    double* r);

// ---- groups -------------------------------------------------------------------------------------------

/// Contacts that influence each other, numbered within the group.
typedef struct sni_group {
    const sn_contact_problem* whole;
    int32_t count, rows;
    const int32_t* contact;    ///< [count] number in the whole, increasing
    const int32_t* local;      ///< [whole->count] number within its group
    const int32_t* first;      ///< [count + 1] first row within the group
    const sn_contact_law* law; ///< [count]
    const double* q;           ///< [rows] as given
    double* r;                 ///< [rows] start, and result
    double scale;  ///< of the natural map by which it is judged: s, or 1 for Siconos' error
    double target; ///< solved when sni_group_defect is at most this
} sni_group;

/// W of the group, rows x rows, row-major, compliance included, as given (not symmetrised).
void sni_group_dense(const sni_group* group, double* W);
/// |natural map| over the group, u = W r + q given.
double sni_group_defect(const sni_group* group, const double* r, const double* u);

// ---- solvers ------------------------------------------------------------------------------------------

/// One call of sn_contact_solve in progress.
typedef struct sni_solve {
    sni_group* group; ///< [group_count]
    int32_t group_count;
    const sn_solve_options* options; ///< as checked
    int64_t start_ns;
    sni_workers* workers;    ///< NULL: none
    int helpers;             ///< of them, at most so many may help
    sn_solve_report* report; ///< the solver fills iterations, sweeps, newton, late, asymmetry
} sni_solve;

/// Whether the deadline has passed.
bool sni_solve_is_late(const sni_solve* solve);

typedef struct sni_solver_ops {
    const char* name;
    const char* about;
    /// Refuses what it cannot solve, with the reason. May be NULL.
    sn_status (*check)(const sn_contact_problem* problem, const sn_solve_options* options,
                       sn_error* error);
    /// Memory for problems of this size; NULL while measuring.
    void* (*layout)(const sn_contact_capacity* capacity, int workers, sni_arena* arena);
    /// Improves r of every group.
    void (*solve)(void* memory, sni_solve* solve);
} sni_solver_ops;

extern const sni_solver_ops sni_solver_nsgs; // default: Gauss-Seidel, accelerated, with Newton
extern const sni_solver_ops
    sni_solver_nsgs_scalar; // not in the list: the same for any machine, for tests
extern const sni_solver_ops sni_solver_projection; // projected Gauss-Seidel
extern const sni_solver_ops sni_solver_admm;
extern const sni_solver_ops sni_solver_lcp;
extern const sni_solver_ops sni_solver_penalty;

#endif
