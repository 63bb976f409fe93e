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
#include "sinew/contact_set.h"
#include "sinew/coupling_contact.h"

// ---- used by `sim` ------------------------------------------------------------------------------------

/// SN_ERR_ARGUMENT with the reason when a user's table is not complete.
sn_status sni_solver_module_check(const sn_solver_module* table, sn_error* error);
/// What a user's functions returned in the last solve; SN_ERR_NUMERIC when an impulse was not finite.
sn_status sni_contact_solver_trouble(const sn_contact_solver* solver);
/// Whether one of ours has that name, listed or not.
bool sni_contact_solver_is_ours(const char* name);

/// Limits and dry friction of joints that rest have no rows: [body_count], kept by the caller; NULL: none rest.
void sni_contact_set_resting(sn_contact_set* set, const bool* resting);

/// A force tau - give (v+ - v)/h of control on one degree of freedom, of which at most `bound` either way is there.
typedef struct sni_servo {
    int32_t joint, dof; ///< dof of the joint
    double speed;       ///< v: at the beginning of the step, rad/s or m/s
    double tau;         ///< N m or N
    double give;        ///< positive, kg m^2 or kg
    double bound;       ///< not negative
} sni_servo;

/// Servos of the builds to come; the caller's, and at most as many as the set was made for.
void sni_contact_set_servos(sn_contact_set* set, const sni_servo* servos, int32_t count);
/// N m s or N s: of servo i in the last solve.
double sni_contact_set_servo_impulse(const sn_contact_set* set, int32_t i);
/// Adds contacts that are known to be valid, as many as there is room for.
void sni_contact_set_push(sn_contact_set* set, const sn_contact* contacts, int32_t count);
/// Whether a rigid weld leaves two bodies no motion against each other, so that contact between them could only contradict it.
bool sni_contact_set_welds(const sn_contact_set* set, sn_body_id a, sn_body_id b);
/// Whether any row of the position problem asks for a motion.
bool sni_contact_set_is_off(const sn_contact_set* set);
/// Contact i of the set.
const sn_contact* sni_contact_set_at(const sn_contact_set* set, int32_t i);
/// The problems have no meaning until the next build: their q is NaN.
void sni_contact_set_spoil(sn_contact_set* set);
/// SN_ERR_ARGUMENT with the reason: no set of this model takes it.
sn_status sni_constraint_check(const sn_model* model, const sn_constraint* constraint,
                               sn_error* error);
/// All constraints of a set.
const sn_constraint* sni_contact_set_constraints(const sn_contact_set* set, int32_t* count);
/// sn_contact_free_velocity and sn_contact_end_step for `count` joints; joints NULL: the first.
void sni_contact_free_velocity(const sn_model* model, const int32_t* joints, int32_t count,
                               const double* v, const double* qdd, double h, double* v_free);
void sni_contact_end_step(const sn_model* model, const int32_t* joints, int32_t count, double h,
                          const double* v_plus, const double* w, double* q, double* v);

/// Bodies whose contacts are asked for.
typedef struct sni_held_group {
    bool (*contains)(const void* context, int32_t body);
    const void* context;
} sni_held_group;
/// Rows of the entries of a record, on each of their bodies.
typedef struct sni_held_rows {
    double* C_a; // [6 SN_HELD_ROWS]
    double* C_b;
} sni_held_rows;
/// Entries of the last solve that act on a group, as they are where the bodies have come since: all of `out` but free,
/// h, W and G; q with all wrenches that act. After sn_dynamics_forward, v_free of the coming step.
void sni_contact_set_hold(const sn_contact_set* set, sn_dynamics* d, const double* v_free,
                          const sni_held_group* group, const sni_held_rows* to,
                          sn_coupling_contacts* out);

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

/// The numbers of a contact's rows; too few for a call.
static inline void sni_copy_rows(double* to, const double* from, int32_t rows) {
    switch (rows) {          // a loop would become a call of memcpy, which costs more than this
    case 6: to[5] = from[5]; // fall through
    case 5: to[4] = from[4]; // fall through
    case 4: to[3] = from[3]; // fall through
    case 3: to[2] = from[2]; // fall through
    case 2: to[1] = from[1]; // fall through
    case 1: to[0] = from[0]; // fall through
    default: break;
    }
}

/// What a verdict is made of: sums over contacts, mostly of squares.
typedef struct sni_tally {
    double q, r, u;
    double defect;       ///< of the scaled natural map
    double defect_given; ///< of the map of the problem as given
    double power;        ///< r'(u + q)
    double deepest;      ///< largest -u_n
} sni_tally;

// ---- groups -------------------------------------------------------------------------------------------

/// Contacts that influence each other, numbered within the group.
typedef struct sni_group {
    const sn_contact_problem* whole;
    int32_t count, rows;
    const int32_t* contact; ///< [count] number in the whole, increasing
    const int32_t* local;   ///< [whole->count] number within its group
    const int32_t* tree_of; ///< [bodies of the whole] tree of a body
    const int32_t* first;   ///< [count + 1] first row within the group
    double *q, *r;          ///< [rows] once they are gathered: as given; start, and result
    double size;            ///< |q|^2
    double scale;  ///< of the natural map by which it is judged: s, or 1 for Siconos' error
    double target; ///< solved when sni_group_defect is at most this
} sni_group;

/// The law of its contact i.
static inline const sn_contact_law* sni_group_law(const sni_group* group, int32_t i) {
    return &group->whole->law[group->contact[i]];
}

/// q and r of the whole to those of the group, and r back.
void sni_group_gather(const sni_group* group, const double* r);
void sni_group_scatter(const sni_group* group, double* r);
/// W of the group, rows x rows, row-major, compliance included, as given (not symmetrised).
void sni_group_dense(const sni_group* group, double* W);
/// |natural map| over the group, u = W r + q given.
double sni_group_defect(const sni_group* group, const double* r, const double* u);

// ---- solvers ------------------------------------------------------------------------------------------

/// One call of sn_contact_solve in progress.
typedef struct sni_solve {
    sni_group* group; ///< [group_count]
    int32_t group_count;
    int64_t shape; ///< of the groups: the same as long as contacts, their sizes and bodies are
    double* r;     ///< [rows of the whole] start, and result
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
    /// Takes the groups in, q and r of the whole, before scales and targets are known. Finds their sizes, and returns
    /// the trace of W, compliance included. NULL: q and r are gathered for it.
    double (*prepare)(void* memory, sni_solve* solve);
    /// Improves r, of every group if they were gathered, else of the whole.
    void (*solve)(void* memory, sni_solve* solve);
    /// What the verdict is made of, and the velocities of the bodies, six numbers each; false when it does
    /// not know these. NULL: the judge finds out for himself.
    bool (*tell)(void* memory, const sni_solve* solve, double scale, sni_tally* tally,
                 double* velocities);
} sni_solver_ops;

extern const sni_solver_ops sni_solver_nsgs; // default: Gauss-Seidel, accelerated, with Newton
extern const sni_solver_ops
    sni_solver_nsgs_scalar; // not in the list: the same for any machine, for tests
extern const sni_solver_ops sni_solver_projection; // projected Gauss-Seidel
extern const sni_solver_ops sni_solver_admm;
extern const sni_solver_ops sni_solver_lcp;
extern const sni_solver_ops sni_solver_penalty;

#endif
