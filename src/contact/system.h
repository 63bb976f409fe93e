// SPDX-License-Identifier: Apache-2.0
/// A group of contacts in the form in which Gauss-Seidel sweeps and Newton steps want it: vectors padded to
/// whole lanes of four, blocks of W by columns, every contact with what its local problem needs again and
/// again. One of two spaces:
///   contact space  keeps u = W r + q; an impulse changes u of all contacts of the group
///   body space     keeps the velocities of bodies; an impulse changes those of two bodies, or of the
///                  contacting bodies of two trees
#ifndef SN_CONTACT_SYSTEM_H
#define SN_CONTACT_SYSTEM_H

#include "contact/sn_contact.h"

/// The local problem of a contact. For a point the tangent plane is turned to axes in which W, reduced
/// by the normal row, is diagonal: then one number alpha is all there is to find. Four cache lines, of which limits and
/// dry friction need two.
typedef struct sni_spot {
    _Alignas(64) int32_t place; ///< first number in padded vectors
    int32_t rows, width;
    int32_t kind; ///< sn_contact_kind
    int32_t own;  ///< place in sni_system.own; -1: it needs none
    int32_t a, b; ///< body space: slots of the two bodies; if only one moves, it is a
    int32_t
        only; ///< body space, of LIMIT and DRY in trees: the only number that C has, -1: there are more
    bool lone;         ///< each body is alone in its tree
    bool steady;       ///< friction does not depend on speed
    bool simple;       ///< POINT, steady, not viscous, not dead
    bool dead;         ///< W has nothing there: the impulse stays zero
    double compliance; ///< on the normal row (POINT, PATCH) or on all rows
    double weight;     ///< of a change of r in the natural map, about
    double nn;         ///< W_nn of a point, W of LIMIT and DRY
    union {
        struct {
            double low, high; ///< of LIMIT and DRY: what the impulse may be
        };
        struct {
            double mu;
            double alpha; ///< of the last visit: u_t = -alpha r_t
            double inverse_nn;
        };
    };
    double step_n, step_t; ///< 1/W_nn and 1/|W_tt|: steps of Alart and Curnier's equations
    double step_all;       ///< of projections: no more than 1/|W_ii|
    double mean;           ///< of the diagonal of W_ii
    double n1, n2;         ///< W of a point, symmetric
    double w11, w12, w22;  ///< the rest of it
    double slope1, slope2; ///< (n1, n2)/nn
    double cosine, sine;   ///< of the turned axes
    double along1, along2; ///< (n1, n2) in turned axes
    double l1, l2;         ///< reduced W in turned axes
    double inverse_l1, inverse_l2;
} sni_spot;

/// Whether C has a side for body a alone: in trees, where the other is the ground.
static inline bool sni_spot_is_one_sided(const sni_spot* spot) { return !spot->lone && !spot->b; }

/// Four contacts on free bodies that share no body that moves: they are visited at once, one a lane. Lanes
/// that nobody has come last and are at rest.
typedef struct sni_lanes {
    int32_t count; ///< that somebody has, 2 to 4
    int32_t contact[4];
    int32_t a[4], b[4]; ///< slots
    int32_t place[4];   ///< first number in padded vectors
    int64_t C[4];       ///< first number of its C
} sni_lanes;

/// Four simple points, and what a visit needs of them, in turned axes.
typedef struct sni_quad {
    sni_lanes at;
    double nn[4], inverse_nn[4];
    double cosine[4], sine[4];   ///< of the turned axes
    double slope1[4], slope2[4]; ///< W_tn/W_nn in them
    double l1[4], l2[4];         ///< reduced W
    double inverse_l1[4], inverse_l2[4];
    double mu[4], compliance[4], weight[4];
    double alpha[4];               ///< of the last visit
    double q_n[4], q_1[4], q_2[4]; ///< as given
} sni_quad;

/// Four limits.
typedef struct sni_row_quad {
    sni_lanes at;
    double step[4], compliance[4], weight[4], q[4];
} sni_row_quad;

/// A limit or dry friction about one number of a body in a tree; one cache line.
typedef struct sni_number {
    _Alignas(64) int32_t at; ///< the number in velocities of bodies: 8 slots + which
    int32_t place;           ///< in padded vectors
    double factor;           ///< C
    double low, high;        ///< what the impulse may be
    double step;             ///< 1/W
    double compliance, weight;
    const double* column; ///< what a unit of the number does to the body
} sni_number;

/// W_ii of PATCH and EQUAL, 6 x 6 each, and what inverts it (EQUAL). Of viscous points: the response
/// of the dry part, and what makes q of it.
typedef struct sni_own {
    double W[SN_CONTACT_ROWS_MAX][SN_CONTACT_ROWS_MAX];
    double inverse[SN_CONTACT_ROWS_MAX][SN_CONTACT_ROWS_MAX];
} sni_own;

/// Bodies in body space: six numbers and two zeros each. A body that is alone in its tree has coordinates
/// in which its response is the identity, so that one matrix serves both directions.
typedef struct sni_slot_tree {
    int32_t first, count; ///< slots
    int32_t tree;         ///< of the problem, -1: the ground
    int32_t unknown;      ///< of Newton's method: first, and how many
    int32_t unknowns;
    const double* response; ///< of several bodies, unknowns x unknowns; NULL: of one, or the ground
} sni_slot_tree;

/// Defects that a Newton step is compared with.
enum { SN_NEWTON_MEMORY = 4 };

/// How a group comes to its solution.
typedef struct sni_course {
    int64_t used; ///< iterations so far: sweeps and Newton steps
    int64_t sweeps, newton;
    int64_t next_newton,
        next_wait;     ///< sweeps after which Newton is tried, and how many more if it fails
    int64_t next_look; ///< sweeps after which the defect is looked at in any case
    bool symmetric;    ///< every second sweep goes backward
    bool plain;        ///< sweeps without conjugate gradients
    double mark;       ///< defect some time ago
    int64_t marked;    ///< sweeps then
    double relaxation; ///< of visits, besides the one of the options
    bool hopeless;     ///< nothing can be done
    bool gentle;       ///< points are projected, not solved: slower, but does not go in circles
    int failures;      ///< attempts of Newton that did not solve it
    int step;          ///< of the attempt under way, 0: there is none
    double eps;        ///< what makes W definite in it
    double start, before, recent[SN_NEWTON_MEMORY]; ///< defects when it began and of its last steps
    bool fresh;                                     ///< r does not come from a sweep
    double gain_before;                             ///< |change of r|^2 of the sweep before
    double defect;                                  ///< when last looked at
    double best;                                    ///< of all looks
    int64_t looked;                                 ///< sweeps then
    double seen_defect;                             ///< at the look before
    int64_t seen_sweeps;
    bool solved;
} sni_course;

typedef struct sni_system {
    const sni_group* group;
    const sn_solve_options* options;
    sni_course course;
    int32_t count;
    int32_t width; ///< of padded vectors
    bool plain;    ///< all are simple points
    bool by_bodies;
    bool exact;           ///< the velocities are those of r, as far as it matters
    bool known;           ///< and u is there
    bool prepared;        ///< points have what visits of another kind and Newton's equations need
    double trace;         ///< of W
    double target, scale; ///< of the group
    sni_spot* spot;       // [count]
    sni_own* own;         // PATCH, EQUAL, viscous points
    double* q;            // [width] padded, as the vectors below
    double* r;
    double* u; ///< contact space; in body space of the last look
    double *r_before, *u_before;
    double *r_way, *u_way; ///< direction of the conjugate gradients
    double* r_start;       ///< when an attempt of Newton began
    double* r_best;        ///< of all looks
    // contact space: for each contact the blocks that its impulse acts through
    int64_t* start;   // [count + 1]
    int32_t* touches; // contact that a block acts on
    int64_t* offset;  // first number of a block: columns one after the other
    double* block;
    // body space
    int32_t slot_count; ///< slot 0, alone in tree 0, is the ground
    int32_t tree_count;
    sni_slot_tree* tree;          // [tree_count]
    int32_t* tree_of_slot;        // [slot_count]
    double *v, *v_before, *v_way; // [8 slot_count]
    double* C;                    // of a contact 8 numbers of body a for each row, then 8 of body b
    double* f;           // [8 slot_count] impulses that only the bodies attended to know of
    int32_t attended[2]; ///< slots of the last visit, in trees of several bodies
    int32_t* tree_contacts_start; // [tree_count + 1]
    int32_t* tree_contacts;       // contacts of a tree; one on two bodies of it comes once
    double* factor;   // 6 x 8 of every slot but the ground: L of the response of lone bodies
    int64_t* C_start; // [count] first number of a contact's C
    bool listed;      ///< which contacts are on which tree
    int32_t quad_count;
    sni_quad* quad; // [quad_count] of [count / 2]
    int32_t row_quad_count;
    sni_row_quad* row_quad; // [row_quad_count] of [count / 2]
    int32_t
        alone_count; ///< the first of those that follow are visited one by one, the rest by row quads
    int32_t single_count;
    int32_t* single; // [single_count] of [count] contacts in no quad of points, and no numbers
    int32_t number_count;
    sni_number* number; // [number_count] of [count]
    uint64_t* occupied; // [slot_count] quads that a body is in, of those being filled
    int32_t four_count;
    sni_lanes* four; // [four_count] of [count] simple points that are visited one by one
} sni_system;

/// The equations of a contact, and what they become for small changes: dF = E dr + G du.
typedef struct sni_equations {
    double F[SN_CONTACT_ROWS_MAX];
    double E[SN_CONTACT_ROWS_MAX][SN_CONTACT_ROWS_MAX], G[SN_CONTACT_ROWS_MAX][SN_CONTACT_ROWS_MAX];
} sni_equations;

/// The rows of B, W = B B', of a contact: zero outside one or two ranges of columns.
typedef struct sni_factor_rows {
    int32_t parts;
    int32_t first[2], width[2]; ///< columns
    int64_t start[2];           ///< first number, row-major
} sni_factor_rows;

/// Memory for Newton steps, one for each thread.
typedef struct sni_newton_memory {
    const sni_system* shaped; ///< whose rows, order and band these are
    const sni_system* owner;  ///< whose B this is
    double* B;                // [B_capacity]
    int64_t B_capacity, B_used;
    double* A; // [A_capacity] matrix with a band
    int64_t A_capacity, stride;
    int32_t unknowns, band;
    sni_factor_rows* rows;                                       // [contacts]
    int32_t *order, *mark, *pivots;                              // [contacts or trees]
    int32_t *pivot_contact, *pivot_row;                          // [rows]
    double (*inverse)[SN_CONTACT_ROWS_MAX][SN_CONTACT_ROWS_MAX]; // [contacts] of A_i
    double (*S)[SN_CONTACT_ROWS_MAX][SN_CONTACT_ROWS_MAX];       // [contacts]
    sni_equations* equations;                                    // [contacts]
    double** dense_row;                                          // [rows]
    double* x;                                                   // [unknowns]
    double *d, *base;                                            // [padded width]
    double* scratch;                                             // rows of B of one contact
} sni_newton_memory;

enum { SN_SYSTEM_VECTORS = 9 };

/// The memory of all groups of a problem, and how much of it is taken.
typedef struct sni_systems {
    sni_system* system; // [contacts] one a group
    sni_system* cut;    // [contacts] as they were cut
    int64_t shape;      ///< of the groups that they were cut for, 0: there were none
    int32_t space;      ///< that was asked for
    sni_spot* spot;
    sni_own* own;
    double* vector[SN_SYSTEM_VECTORS]; // [width] each
    int64_t width;
    int64_t* start;
    int32_t* touches;
    int64_t* offset;
    double* block;
    int32_t *slot_of_body, *tree_in_group; // [bodies]
    sni_slot_tree* tree;
    int32_t *tree_of_slot, *tree_contacts_start, *tree_contacts;
    double *v[3], *f;
    double *C, *factor;
    int64_t* C_start;
    sni_quad* quad;
    sni_row_quad* row_quad;
    int32_t* single;
    sni_number* number;
    uint64_t* occupied;
    sni_lanes* four;
    int64_t block_capacity, number_capacity;
    int64_t contacts_used, groups_used, own_used, width_used, slots_used, grounds_used, quads_used;
    int64_t blocks_used, numbers_used, C_used;
} sni_systems;

void sni_systems_layout(sni_systems* all, const sn_contact_capacity* capacity, sni_arena* arena);
/// A system for every group, with its memory and its space. Those of groups like the last ones are kept.
void sni_systems_cut(sni_systems* all, const sni_solve* solve);
/// Compliances, q and, of r of the whole, its part; in contact space W as well, in body space that is the kernel's.
void sni_system_fill(sni_system* system, const double* r);
/// W_ii of contact i into its spot, compliance added.
void sni_system_keep_own(sni_system* system, int32_t i, const double* W);
/// Which contacts are on which tree, in body space; once.
void sni_system_list_trees(sni_system* system);
/// Its part of r of the whole, and back: the best there was.
void sni_system_take(sni_system* system, const double* r);
void sni_system_give(sni_system* system, double* r);

/// Compiled twice: portable, and for the vector unit of the machine.
typedef struct sni_contact_kernel {
    bool (*works)(void);
    /// In body space: the rows of all contacts, and their W_ii.
    void (*fill)(sni_system* system);
    /// W_ii is in the spots: the rest of what they hold, quads, the velocities of r, the start of the course.
    void (*start)(sni_system* system);
    /// Sweeps and Newton steps until the group is solved, `budget` iterations have been used in all, or
    /// Newton has failed `patience` times.
    void (*advance)(sni_system* system, sni_newton_memory* newton, int64_t budget, int patience);
    /// Adds the group to the tally; in body space also the velocities of its bodies, six numbers each.
    void (*tell)(sni_system* system, double scale, sni_tally* tally, double* velocities);
} sni_contact_kernel;

extern const sni_contact_kernel sni_contact_kernel_scalar;
extern const sni_contact_kernel sni_contact_kernel_avx2; ///< does not work on other machines

#endif
