// SPDX-License-Identifier: Apache-2.0
/// From contacts on articulated bodies to the contact problem (sinew/contact.h), and back to velocities.
///
/// An sn_contact_set collects what holds in one time step h: contact points and patches with their frames
/// and materials, constraints between bodies, and the limits and dry friction of the model's joints. After
/// sn_dynamics_forward at (q, v), with v_free = v + h qdd (sn_contact_free_velocity), it makes the problem u = W r + q of that step;
/// impulses r that solve it become wrenches on bodies and the velocity v+ at the end of the step.
/// sn_contact_set_solve does all of it. Where contacts come from is the caller's business. A set takes all
/// its memory when created; use one per thread.   docs/contact_set.md
///
/// Rows of the problems made here are speeds in m/s and impulses in N s throughout: rows that turn are
/// multiplied by one length of the set (sn_contact_set_length), moments divided by it.
#ifndef SINEW_CONTACT_SET_H
#define SINEW_CONTACT_SET_H

#include "sinew/contact.h"
#include "sinew/contact_point.h"
#include "sinew/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- patches ----------------------------------------------------------------------------------------

enum { SN_PATCH_POINTS = 64 };

/// One contact that stands for 3 to SN_PATCH_POINTS points of a flat area between the same two bodies, with
/// the id and material of the first. It acts at the centre of their convex hull. Its friction about the
/// normal is that of a pressure spread evenly over the hull, mu times the mean distance from the centre
/// (2/3 mu a for a disc of radius a). It tips when the pressure leaves the largest disc about the centre
/// that fits into the hull, so it never holds a moment that the points could not; towards farther edges
/// and corners the points would hold more. Skins of the points add up; gap is the smallest.
/// SN_ERR_ARGUMENT when the points are not flat, lie on a line, or are of several pairs of bodies.
sn_status sn_contact_patch(const sn_contact* points, int32_t count, sn_contact* patch,
                           sn_error* error);

// ---- constraints ------------------------------------------------------------------------------------

typedef enum sn_constraint_type {
    SN_CONSTRAINT_WELD,    ///< the two frames stay together
    SN_CONSTRAINT_BALL,    ///< their origins do
    SN_CONSTRAINT_HINGE,   ///< origins and z axes do
    SN_CONSTRAINT_DISTANCE ///< their origins stay `length` apart
} sn_constraint_type;

/// Holds a frame of body a and a frame of body b.
typedef struct sn_constraint {
    uint64_t id; ///< as of contacts; only constraints are compared
    sn_constraint_type type;
    sn_body_id a, b;       ///< two bodies, or one and the world (i = -1)
    sn_pose X_ac, X_bc;    ///< frame in each body (world: in the world)
    double length;         ///< m, positive; DISTANCE
    double stiffness;      ///< N/m against displacement; INFINITY: rigid
    double damping;        ///< N s/m; means nothing where it is rigid
    double turn_stiffness; ///< N m/rad against turning; WELD, HINGE
    double turn_damping;   ///< N m s/rad
} sn_constraint;

/// A rigid weld of the two origins.
sn_constraint sn_constraint_default(void);

// ---- the set ----------------------------------------------------------------------------------------

typedef struct sn_contact_set sn_contact_set;

typedef struct sn_contact_options {
    double restitution_threshold; ///< m/s: slower impacts do not bounce; negative: 2 g h
    double
        penetration_factor; ///< 0 to 1: part of an overlap that the velocities undo in one step. Adds
                            ///< energy; the position problem does not
    double constraint_factor; ///< 0 to 1: the same of what rigid constraints are off by
    double position_factor;   ///< 0 to 1: part that one solution of the position problem undoes
    double slop;              ///< m: overlap that the position problem leaves
    double push_speed;        ///< m/s: it undoes no overlap faster; INFINITY: no limit
    double
        limit_margin; ///< rad or m: joints nearer to a limit, or about to reach it in this step, get a
                      ///< row; INFINITY: all do
    bool limits;      ///< limits of the model's joints
    bool dry_friction; ///< dry friction of the model's joints
} sn_contact_options;

/// No energy added by contacts: penetration_factor 0; constraint_factor 0.2, position_factor 0.2, slop
/// 0.1 mm, push_speed 1 m/s, threshold 2 g h, limits nearer than 0.1, all dry friction.
sn_contact_options sn_contact_options_default(void);

typedef struct sn_contact_set_def {
    int32_t contacts;    ///< most contacts
    int32_t constraints; ///< most constraints
    int32_t servos;      ///< most forces of control that are rows; a world's, see sn_drive
    int32_t bodies;      ///< most bodies on which anything acts at once, joints included; 0: all
    int64_t blocks;      ///< most blocks of W as a matrix; 0: none is ever asked for
    double length;       ///< m: of rows that turn; 0: radius of gyration of the bodies
    sn_contact_options options;
} sn_contact_set_def;

/// 64 contacts, 16 constraints, all bodies, no matrix.
sn_contact_set_def sn_contact_set_def_default(void);

/// The model must outlive the set.
sn_status sn_contact_set_create(const sn_model* model, const sn_contact_set_def* def,
                                sn_contact_set** set, sn_error* error);
void sn_contact_set_free(sn_contact_set* set);
/// What a solver must be created for to take any problem of this set, matrix or bodies.
sn_contact_capacity sn_contact_set_capacity(const sn_contact_set* set);
double sn_contact_set_length(const sn_contact_set* set);
sn_status sn_contact_set_set_options(sn_contact_set* set, const sn_contact_options* options,
                                     sn_error* error);
sn_contact_options sn_contact_set_options(const sn_contact_set* set);

/// SN_ERR_CAPACITY when the set is full, SN_ERR_ARGUMENT or SN_ERR_NUMERIC with the reason when the contact
/// makes no sense; then nothing changed. Realtime: yes, as all that follows.
sn_status sn_contact_set_add(sn_contact_set* set, const sn_contact* contact, sn_error* error);
/// Forgets all contacts; constraints stay.
void sn_contact_set_clear(sn_contact_set* set);
sn_status sn_contact_set_add_constraint(sn_contact_set* set, const sn_constraint* constraint,
                                        sn_error* error);
/// SN_ERR_ARGUMENT when there is none of this id; of several, the first.
sn_status sn_contact_set_remove_constraint(sn_contact_set* set, uint64_t id);
void sn_contact_set_clear_constraints(sn_contact_set* set);
int32_t sn_contact_set_count(const sn_contact_set* set);
int32_t sn_contact_set_constraint_count(const sn_contact_set* set);

// ---- velocities of a step ---------------------------------------------------------------------------

/// v_free = v + h qdd, but of free and planar joints in the body axes at the beginning of the step, where
/// contacts are: their v is in axes that turn meanwhile, by h w x v, which is no small matter for a wheel.
/// v_free may be v.
void sn_contact_free_velocity(const sn_model* model, const double* v, const double* qdd, double h,
                              double* v_free);
/// Moves q by h (v+ + w), w NULL or what undoes overlap (sn_contact_set_position_problem), and writes v: v+ in
/// the axes that free and planar joints have there. v may be v_plus.
void sn_contact_end_step(const sn_model* model, double h, const double* v_plus, const double* w,
                         double* q, double* v);

// ---- a step, all at once ----------------------------------------------------------------------------

typedef struct sn_contact_report {
    sn_solve_report solve; ///< of the solve whose impulses were taken
    int32_t known;         ///< contacts that started from the impulse of the last step
    int32_t bounces;       ///< contacts that were to bounce
    int32_t calmed; ///< groups in which restitution would have created energy: solved again without
    int64_t iterations; ///< most of a group, of the first solve
    double energy;      ///< J: kinetic energy at v+ less that at v_free, exactly
} sn_contact_report;

/// Builds the problem, starts from the impulses of the last step, solves, solves groups again without
/// restitution where it created energy, remembers the impulses, and writes v+ (nv numbers; may be v_free).
/// An error of any part is returned and v_plus is not written. That the solver did not converge is no
/// error: report->solve says so.
sn_status sn_contact_set_solve(sn_contact_set* set, sn_dynamics* dynamics, const double* v_free,
                               double h, sn_contact_solver* solver, const sn_solve_options* options,
                               double* v_plus, sn_contact_report* report, sn_error* error);

/// What follows the build in sn_contact_set_solve, for the problem of the last sn_contact_set_build with the same
/// v_free.
sn_status sn_contact_set_solve_built(sn_contact_set* set, sn_dynamics* dynamics,
                                     const double* v_free, sn_contact_solver* solver,
                                     const sn_solve_options* options, double* v_plus,
                                     sn_contact_report* report, sn_error* error);

/// Impulses of the last sn_contact_set_solve; rows of sn_contact_set_problem.
const double* sn_contact_set_impulses(const sn_contact_set* set);
/// Force of contact i, or constraint i, on its body a in the last sn_contact_set_solve (the mean over the
/// step), and moment about the point x of the contact, or about the origin of the constraint's frame on a;
/// world axes. Zero when something was added or removed since.
sn_wrench sn_contact_set_force(const sn_contact_set* set, int32_t i);
sn_wrench sn_contact_set_constraint_force(const sn_contact_set* set, int32_t i);

// ---- a step, part by part ---------------------------------------------------------------------------

/// After sn_dynamics_forward at (q, v): makes the problems of a step of h seconds from v_free (nv numbers).
/// SN_ERR_CAPACITY when more than `bodies` bodies are concerned; then, and on other errors of the
/// arguments, the problems are still those of the build before. SN_ERR_NUMERIC: something is not finite.
sn_status sn_contact_set_build(sn_contact_set* set, sn_dynamics* dynamics, const double* v_free,
                               double h, sn_error* error);
/// By bodies. Contacts in the order they were added, then constraints (a compliant one may be two), then
/// joints. Valid until the next build.
const sn_contact_problem* sn_contact_set_problem(const sn_contact_set* set);
/// Gives the problem its W as a matrix, too. SN_ERR_CAPACITY when it takes more than `blocks`.
sn_status sn_contact_set_make_matrix(sn_contact_set* set, sn_error* error);

/// Overlaps and what constraints are off by, to be undone by moving bodies without giving them velocity:
/// solve it from zero, turn s into wrenches, those into w by sn_dynamics_impulse, move by h (v+ + w) and
/// forget w. Rigid contacts and limits 0 <= N s + g' _|_ s >= 0, rigid constraints N s + g' = 0, no
/// friction; g' is position_factor (g + slop)/h where bodies overlap by more than slop, at most push_speed, else
/// (g + slop)/h, so that nothing is pushed into anything else.
const sn_contact_problem* sn_contact_set_position_problem(sn_contact_set* set);

/// Impulses for sn_dynamics_impulse: tau [nv] of joints, and on bodies, one entry a body; out has room for the bodies
/// of the problem, which is one of the two of this set. Returns how many.
int sn_contact_set_wrenches(const sn_contact_set* set, const sn_contact_problem* problem,
                            const double* r, double* tau, sn_body_wrench* out);

/// Kinetic energy at v+ less that at v_free, of impulses r: r'J v_free + r'J M^-1 J'r/2.
double sn_contact_set_energy(const sn_contact_set* set, const double* r);
/// Newton's restitution with friction can create energy (Kane's paradox). Where impulses r do, beyond
/// `tolerance` of the energy that the group exchanges, takes restitution out of q, for the whole group.
/// What removes overlaps, and skins and constraints that spring back, does not count. Returns how many
/// groups were changed: when there are any, solve again.
int32_t sn_contact_set_calm(sn_contact_set* set, const double* r, double tolerance);

#ifdef __cplusplus
}
#endif
#endif
