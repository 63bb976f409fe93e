// SPDX-License-Identifier: Apache-2.0
/// What a hand feels of contact: the coupling law (sinew/coupling.h) of grabbed bodies that touch, are at a joint's
/// limit, or are held by constraints, between two steps of the simulation.   docs/coupling.md
///
///   sn_world_coupling      (sinew/world.h) the simulation: law without contact, and the contacts, as one record
///   sn_coupling_refresh    the coupling loop: which contacts are closed, stick, slide with the newest wrenches of the
///                          hands; the law with these as constraints, and how far it holds
///   sn_coupling_reach      the haptic loop: how far towards a wrench it does
///
/// A record is plain: no pointer leads out of it, so it goes through a mailbox, and who refreshes needs nothing else.
/// Rows are those of the contact problem of the step: m/s and N s, as of sinew/contact_set.h.
#ifndef SINEW_COUPLING_CONTACT_H
#define SINEW_COUPLING_CONTACT_H

#include "sinew/contact.h"
#include "sinew/coupling.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SN_HELD_MAX = 96, SN_HELD_ROWS = 128, SN_HELD_BODIES = 64 };

/// Contacts, limits, dry friction and constraints of the groups of the grabbed bodies, W frozen. With wrenches f_u of
/// the hands for a time h, and impulses r:
///   u = W r + q + h G f_u         speeds of the rows at its end
///   a' = Lambda f_u + a0 + G' r/h of the grabbed bodies
/// Only the first count, rows, or rows times n numbers are used; n = 6 free.count.
typedef struct sn_coupling_contacts {
    sn_coupling_law free;      ///< the law without any of them
    double h;                  ///< s: a step of the simulation; 0: contact is off
    int32_t count;             ///< entries
    int32_t rows;              ///< of all of them
    int32_t dropped;           ///< entries left out for lack of room; the most loaded are kept
    bool resting;              ///< a grabbed body sleeps: what touches it is not known
    sn_body_id a[SN_HELD_MAX]; ///< bodies of an entry; -1: the world
    sn_body_id b[SN_HELD_MAX]; ///< pushed the other way
    uint64_t id[SN_HELD_MAX];  ///< as in the step
    sn_contact_law law[SN_HELD_MAX];
    int32_t first[SN_HELD_MAX + 1]; ///< row
    double q[SN_HELD_ROWS];         ///< u without hands and impulses
    double start[SN_HELD_ROWS]; ///< of q, what is there at the start: speeds then, gaps, springs
    double r[SN_HELD_ROWS];     ///< impulses of the last step
    double W[SN_HELD_ROWS * SN_HELD_ROWS];
    double G[SN_HELD_ROWS * SN_GRAB_ROWS]; ///< J_c M^-1 J_g'
} sn_coupling_contacts;

/// Copies what is used.
void sn_coupling_contacts_copy(const sn_coupling_contacts* contacts, sn_coupling_contacts* out);

// ---- where a law holds --------------------------------------------------------------------------------------------

typedef enum sn_bound_kind {
    SN_BOUND_POSITIVE, ///< value >= 0: force that presses; speed at which something separates or slides on
    SN_BOUND_CONE, ///< |the values after the first| <= limit times the first: what sticks
    SN_BOUND_BAND  ///< |value| <= limit: dry friction that sticks
} sn_bound_kind;

typedef struct sn_bound {
    sn_bound_kind kind;
    int32_t entry; ///< of the contacts
    int32_t row;   ///< its first value
    int32_t rows;  ///< how many
    double limit;
} sn_bound;

/// Values that are affine in the wrenches of the hands, value = at + slope f_u, in N or m/s, and what they must obey for
/// a law to hold.
typedef struct sn_coupling_bounds {
    int32_t count, rows;
    int32_t hands;
    sn_wrench f_u[SN_GRAB_MAX]; ///< wrenches for which the law was made
    sn_bound bound[2 * SN_HELD_ROWS];
    double at[2 * SN_HELD_ROWS];
    double slope[2 * SN_HELD_ROWS * SN_GRAB_ROWS];
} sn_coupling_bounds;

/// How far from the wrenches for which the law was made, 0, to f_u, 1, all bounds hold; `broken` (may be NULL): the
/// number of the bound that ends it, -1 when none does. Realtime: yes.
double sn_coupling_reach(const sn_coupling_bounds* bounds, const sn_wrench* f_u, int32_t* broken);

/// sn_coupling_tick of a law with contact as far as it holds; from there on, contact forces stay what they are at
/// that point. Returns SN_ERR_NUMERIC as that does. reach (may be NULL): see above. Realtime: yes.
sn_status sn_coupling_contact_tick(const sn_coupling_law* law, const sn_coupling_law* free,
                                   const sn_coupling_bounds* bounds, const sn_wrench* f_u,
                                   sn_wrench* f_feed, double* reach);

// ---- making a law ---------------------------------------------------------------------------------------------------

typedef enum sn_sliding {
    SN_SLIDING_COUPLED, ///< friction of what slides follows its normal force: the law's Lambda is not symmetric
    SN_SLIDING_FROZEN ///< it stays as it is until the next refresh: Lambda is symmetric, not negative
} sn_sliding;

typedef struct sn_refresh_options {
    sn_solve_options solve; ///< tolerance, sweeps, deadline
    sn_sliding sliding;
    bool settled; ///< h has passed since the record was made: speeds that contacts stop are stopped
} sn_refresh_options;

/// Tolerance 1e-6, at most 50 sweeps, no deadline, coupled, not settled.
sn_refresh_options sn_refresh_options_default(void);

typedef struct sn_refresh_report {
    sn_solve_report solve;
    int32_t closed;    ///< entries that press or hold
    int32_t sliding;   ///< parts of them that slide
    int32_t rank;      ///< independent constraints
    int32_t redundant; ///< constraints beyond those
} sn_refresh_report;

/// Memory for refreshes, one per thread.
typedef struct sn_coupling_solver sn_coupling_solver;
sn_status sn_coupling_solver_create(sn_coupling_solver** solver, sn_error* error);
void sn_coupling_solver_free(sn_coupling_solver* solver);

/// Impulses for wrenches f_u (one a hand), starting from those of the last refresh of the same record (or of its step),
/// then the law with what is closed then as constraints (MATH 6.6), and its bounds. Without any it is the free law, to
/// the bit. bounds and report may be NULL. SN_ERR_ARGUMENT, SN_ERR_NUMERIC: no law was made. Realtime: yes.
sn_status sn_coupling_refresh(sn_coupling_solver* solver, const sn_coupling_contacts* contacts,
                              const sn_wrench* f_u, const sn_refresh_options* options,
                              sn_coupling_law* law, sn_coupling_bounds* bounds,
                              sn_refresh_report* report);
/// Impulses of the last refresh: rows of its record.
const double* sn_coupling_impulses(const sn_coupling_solver* solver);

#ifdef __cplusplus
}
#endif
#endif
