// SPDX-License-Identifier: Apache-2.0
/// Contact as algebra: which impulses r keep bodies apart, hold them by friction, and satisfy constraints,
/// when u = W r + q says how velocities follow from impulses. No geometry, no time.
///
/// A problem is a plain struct: contacts with their laws, q, and W either as a sparse matrix or as the
/// bodies' response to wrenches. Whoever makes one owns its arrays. Solvers are chosen by name, take all
/// their memory when created, and are all judged by the same residual (sn_contact_judge). Contacts that
/// do not influence each other form groups, which are solved apart.   [C12 3], docs/contact.md
///
/// Conventions: rows of a contact are (normal, tangent 1, tangent 2[, spin, roll 1, roll 2]); impulses in
/// N s, velocities in m/s at the end of the step; u_n > 0 separates.
#ifndef SINEW_CONTACT_H
#define SINEW_CONTACT_H

#include <stdbool.h>
#include <stdint.h>

#include "sinew/clock.h"
#include "sinew/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- the problem ------------------------------------------------------------------------------------

typedef enum sn_contact_kind {
    SN_CONTACT_POINT, ///< 3 rows: 0 <= u_n, r_n >= 0, one of them zero; Coulomb friction in the plane
    SN_CONTACT_PATCH, ///< 6 rows: also friction moments about the normal, and about the tangents
    SN_CONTACT_EQUAL, ///< 1 to 6 rows: u = 0
    SN_CONTACT_LIMIT, ///< 1 row: 0 <= u, r >= 0, one of them zero
    SN_CONTACT_DRY,   ///< 1 row: u = 0 while |r| < bound; at the bound r opposes u
    SN_CONTACT_KIND_COUNT
} sn_contact_kind;

enum { SN_CONTACT_ROWS_MAX = 6 };

typedef struct sn_contact_law {
    sn_contact_kind kind;
    int32_t rows;
    double mu; ///< friction at rest; POINT, PATCH
    double
        mu_kinetic; ///< friction far above stribeck_speed; equal to mu: one coefficient for all speeds
    double
        stribeck_speed; ///< m/s: mu(s) = mu_kinetic + (mu - mu_kinetic) exp(-(s/stribeck_speed)^2)
    double
        viscous; ///< N s per m/s: tangential impulse besides the dry one, -viscous u_t. POINT only
    double spin; ///< m: friction moment about the normal <= spin r_n. PATCH
    double roll; ///< m: moment about the tangents <= roll r_n. PATCH
    bool
        carries; ///< PATCH: the moment about the tangents is that of normal forces spread over a disc
    ///< of radius roll (a foot, which tips about its edge), not friction against rolling
    double bound; ///< N s or N m s; DRY
    double
        compliance; ///< added to the diagonal of W: the normal row of POINT and PATCH, all rows of others
} sn_contact_law;

/// No friction, rigid, and the rows that the kind has (of EQUAL: 1).
sn_contact_law sn_contact_law_make(sn_contact_kind kind);

/// W as blocks, one line of blocks a contact; need not be symmetric.
typedef struct sn_contact_matrix {
    const int32_t* start; ///< [count + 1] first block of a contact's line; NULL: there is no matrix
    const int32_t* column; ///< [start[count]] contact of the block's columns; increasing in a line
    const int64_t* offset; ///< [start[count]] first number of the block
    const double*
        value; ///< rows x columns of each block, row-major; blocks of zeros couple nothing
} sn_contact_matrix;

/// W by bodies: u = sum of C v over the two bodies, v = response C^T r. Bodies that respond to each other
/// (one articulated tree) are neighbours in the list.
typedef struct sn_contact_bodies {
    int32_t tree_count;      ///< 0: there are no bodies
    const int32_t* tree;     ///< [tree_count + 1] first body of a tree
    const int64_t* response; ///< [tree_count + 1] first number of a tree's 6k x 6k response
    const double* value;     ///< responses, row-major, symmetric; each block angular, linear
    const int32_t* a;        ///< [count] body of a contact, -1: it does not move
    const int32_t* b;        ///< [count]
    const double* C_a;       ///< [rows x 6] of body a; not read where a = -1
    const double* C_b;       ///< [rows x 6] of body b, with its sign: u = C_a v_a + C_b v_b
} sn_contact_bodies;

typedef struct sn_contact_problem {
    int32_t count;             ///< contacts
    const sn_contact_law* law; ///< [count]
    const int32_t* first;      ///< [count + 1] first row of a contact
    const uint64_t* id;        ///< [count] for warm starts, 0: none; NULL: none has one
    const double* q; ///< [first[count]] velocity without impulses, restitution and gaps included
    sn_contact_matrix matrix; ///< one of the two is enough; with both, they are the same W
    sn_contact_bodies bodies;
} sn_contact_problem;

/// SN_ERR_ARGUMENT or SN_ERR_NUMERIC with the contact and the reason when sizes do not fit, a number is
/// not finite, a coefficient negative.
sn_status sn_contact_check(const sn_contact_problem* problem, sn_error* error);

static inline int32_t sn_contact_rows(const sn_contact_problem* problem) {
    return problem->first[problem->count];
}

/// out = W r, compliance included. Realtime: no, where W comes by bodies (takes scratch memory).
void sn_contact_apply(const sn_contact_problem* problem, const double* r, double* out);
/// W as rows x rows numbers, row-major, compliance included.
void sn_contact_dense(const sn_contact_problem* problem, double* W);

/// The nearest impulse that a law allows (no compliance, mu at rest unless speed > 0): on cone K.
void sn_contact_project(const sn_contact_law* law, double speed, const double* x, double* r);

/// How far r is from a solution.   docs/contact.md
typedef struct sn_contact_verdict {
    double
        residual; ///< of the natural map, scaled by s = mean of W's diagonal: |r - proj_K(r - u^/s)| /
                  ///< max(|q/s|, |r|, |u/s|); 0 when all are zero
    double
        unmet; ///< the same map over |q/s|: where conditions contradict each other, impulses grow
               ///< without end and hide in the residual what is not met
    double error;       ///< of the natural map as given (s = 1), over |q|: the figure of Siconos
    double energy;      ///< r'u - r'Wr/2: kinetic energy gained by the impulses, J
    double penetration; ///< largest -u_n of all POINT, PATCH, LIMIT, m/s
} sn_contact_verdict;

/// Realtime: as sn_contact_apply; a solve reports its verdict without. All NAN without memory.
sn_contact_verdict sn_contact_judge(const sn_contact_problem* problem, const double* r);

// ---- solvers ----------------------------------------------------------------------------------------

typedef struct sn_contact_solver sn_contact_solver;

/// Name of the i-th solver, NULL past the last; the first is the default.
const char* sn_contact_solver_name(int i);
/// One line about it.
const char* sn_contact_solver_about(int i);

/// Sizes of the largest problem that a solver will meet.
typedef struct sn_contact_capacity {
    int32_t contacts;
    int32_t rows;
    int64_t blocks; ///< of W, as a matrix or as contact space makes one of bodies; 0: bodies only
    int32_t bodies; ///< when problems come by bodies; 0: none do
    int64_t responses; ///< numbers in the bodies' responses
    int32_t tree;      ///< bodies of the largest tree; 0: as many as responses allow
} sn_contact_capacity;

sn_contact_capacity sn_contact_capacity_of(const sn_contact_problem* problem);

typedef enum sn_contact_space {
    SN_SPACE_AUTO,    ///< bodies when they are given and it pays
    SN_SPACE_CONTACT, ///< sweeps keep u and W: O(m^2)
    SN_SPACE_BODY ///< sweeps keep the velocities of bodies: O(m) for free ones, O(m C) for trees
} sn_contact_space;

typedef enum sn_contact_local {
    SN_LOCAL_EXACT,  ///< root of one equation in one unknown
    SN_LOCAL_NEWTON, ///< Newton on Alart and Curnier's equations, the exact one when it fails [AC91]
    SN_LOCAL_PROJECTION ///< one projected step
} sn_contact_local;

typedef struct sn_solve_options {
    double tolerance;   ///< of sn_contact_verdict.residual
    bool siconos_error; ///< tolerance is of sn_contact_verdict.error instead
    int64_t
        iterations; ///< at most so many in a group; 0: the solver's own limit, and nsgs may ask admm
                    ///< for a new start where it is stuck
    int64_t deadline_ns; ///< by `clock`: stop then, with what there is; 0: none
    sn_clock clock;      ///< of the deadline
    int workers;         ///< threads that solve groups side by side, at most those of its creation
    // of the Gauss-Seidel solvers
    sn_contact_space space;
    sn_contact_local local;
    double relaxation; ///< 1: none; 1.3 gains with forward sweeps
    bool accelerate;   ///< conjugate gradients over sweeps
    bool newton;       ///< stubborn groups are handed to a semismooth Newton method
    bool alternate;    ///< every second sweep backward
    // of "lcp"
    int facets; ///< of the pyramid that stands for the cone: even, 4 to 16
} sn_solve_options;

/// Tolerance 1e-8, everything that makes the default fast.
sn_solve_options sn_solve_options_default(void);

typedef struct sn_solve_report {
    int32_t contacts, groups;
    /// Most iterations that a group took. Of a solve that had a deadline or a limit: given back as
    /// sn_solve_options.iterations, without a deadline, the same impulses come out.
    int64_t iterations;
    int64_t sweeps; ///< over all groups
    int64_t newton; ///< Newton steps over all groups
    sn_contact_verdict verdict;
    bool converged;   ///< to the tolerance, and `unmet` to its square root
    bool late;        ///< stopped at the deadline
    double asymmetry; ///< of W, relative, where the solver needs it symmetric and took (W + W')/2
    int64_t nanoseconds; ///< by `clock`
} sn_solve_report;

/// name NULL: the default. workers: threads besides the caller's that may help.
sn_status sn_contact_solver_create(const char* name, const sn_contact_capacity* capacity,
                                   int workers, sn_contact_solver** solver, sn_error* error);
void sn_contact_solver_free(sn_contact_solver* solver);

/// Improves r (rows numbers, a start: zero or what sn_contact_recall gave). r is always finite and within
/// the cones afterwards, converged or not. SN_ERR_CAPACITY, SN_ERR_ARGUMENT, SN_ERR_NUMERIC: refused, r
/// untouched. Realtime: "nsgs" and "projection"; the others look at the deadline between iterations only,
/// and one of theirs may take long.
sn_status sn_contact_solve(sn_contact_solver* solver, const sn_contact_problem* problem,
                           const sn_solve_options* options, double* r, sn_solve_report* report,
                           sn_error* error);

/// Starts from the impulses that contacts of the same id (and as many rows) had in the last
/// sn_contact_remember; zero for others. Returns how many were known.
int32_t sn_contact_recall(const sn_contact_solver* solver, const sn_contact_problem* problem,
                          double* r);
void sn_contact_remember(sn_contact_solver* solver, const sn_contact_problem* problem,
                         const double* r);

// ---- a solver of your own -----------------------------------------------------------------------------

/// Solves by functions of your own. `solve` runs inside a step: it must not allocate, lock or wait.
/// docs/plugins.md
typedef struct sn_solver_module {
    const char* name;
    const char* about; ///< one line
    void* context;     ///< given to every function
    sn_status (*create)(void* context, const sn_contact_capacity* capacity, void** memory,
                        sn_error* error);
    void (*free)(void* context, void* memory);
    /// Improves r; what is outside the cones is projected afterwards, and all is judged as of any
    /// solver. Writes how many iterations were done. The problem has passed sn_contact_check and fits the capacity.
    sn_status (*solve)(void* context, void* memory, const sn_contact_problem* problem,
                       const sn_solve_options* options, double* r, int64_t* iterations);
} sn_solver_module;

/// A solver that is the module. Its status is that of sn_contact_solve, r untouched; impulses that are not
/// finite become zero, not converged. Copies the table; name and about must outlive the solver.
sn_status sn_contact_solver_create_module(const sn_solver_module* module,
                                          const sn_contact_capacity* capacity,
                                          sn_contact_solver** solver, sn_error* error);

#ifdef __cplusplus
}
#endif
#endif
