// SPDX-License-Identifier: Apache-2.0
/// Inside of an sn_contact_set (sinew/contact_set.h): what was added, the bodies concerned, and the rows of
/// the two problems, velocities and positions, that a build makes of them.
///
/// A build goes through contact_set_build.c: joints choose their rows, bodies get places (slots) and
/// answer with pose, motion and response; then contacts, constraints and joints write their rows, one file
/// each. All rows are in m/s: those that turn are times set->length.
///
/// Rows of joints act on the joints themselves where the dynamics can say how these respond: six degrees of freedom share a
/// slot, whose six numbers are their velocities, in place of the two bodies of each. So a robot with friction in all its
/// joints has a few slots more than it has feet, not one for each link.
#ifndef SN_CONTACT_CONTACT_SET_H
#define SN_CONTACT_CONTACT_SET_H

#include "base/hash.h"
#include "contact/sn_contact.h"
#include "dynamics/sn_dynamics.h"
#include "sinew/contact_set.h"

/// Bodies and joints on which rows act. Those that respond to each other, through joints or loops, are a component
/// of the model; its bodies that are concerned are a tree of the problem.
typedef struct sni_set_bodies {
    int32_t component_count;
    int32_t* component; // [body_count]
    int32_t* member;    // [2 body_count + 1] scratch: bodies of a component that are concerned
    int32_t* slot;      // [body_count] place in the lists below while building, else -1
    int32_t*
        lone; // [body_count] free bodies that no joint or loop ties to others get numbers, else -1
    int32_t lone_count;
    double* lone_response; // [36 lone_count] in body axes, where it never changes
    int32_t* wanted;       // [count] of [most]
    int32_t wanted_count;
    int32_t most, count;
    sn_body_id* body; // [count] of [most]; -1: the slot is one of joints
    sn_pose* pose;    // [count] of [most] in the world
    sn_twist* before; // [count] of [most] velocity at the beginning of the step, body axes
    sn_twist* free;   // [count] of [most] at its end without impulses
    int32_t tree_count;
    int32_t* tree;     // [tree_count + 1] first slot: bodies, then joints
    int32_t* joints;   // [tree_count] first slot of joints
    int64_t* response; // [tree_count + 1] first number in value
    double* value;
    bool all_free; ///< all of them are lone bodies whose response is that of their inertia
    // joints
    bool by_joints;      ///< rows of joints act on joints
    int32_t joints_most; ///< slots that they may have
    int32_t* dof;        // [6 most] of slots of joints: degrees of freedom, -1: none
    int32_t* place;      // [body_count] 6 slot + number of a joint's first degree of freedom while
                         // building, else -1; the others follow
    int32_t* wanted_joint; // [wanted_joints] of [body_count]
    int32_t wanted_joints;
    int32_t* member_dofs; // [component_count] scratch: degrees of freedom of a component
    int64_t value_most;
    int32_t tree_most; ///< bodies of the largest tree
} sni_set_bodies;

/// Rows of a problem, entry by entry; an entry is a contact of sinew/contact.h.
typedef struct sni_set_rows {
    int32_t count;
    sn_contact_law* law;
    int32_t* first; // [count + 1]
    uint64_t* id;
    int32_t *a, *b;    // slots
    double *C_a, *C_b; // [rows x 6]
    double* q;         // [rows]
} sni_set_rows;

typedef enum sni_joint_row_kind {
    SNI_LOWER,
    SNI_UPPER,
    SNI_DRY,
    SNI_SERVO,
    SNI_JOINT_ROW_KINDS
} sni_joint_row_kind;

/// What rows of a degree of freedom need of the model and never changes.
typedef struct sni_row_dof {
    int32_t joint, dof;  ///< dof of the joint
    int32_t iq, iv;      ///< first number of the joint in q, own number in v
    bool single;         ///< the joint has no other
    bool limited;        ///< there is a limit
    double scale;        ///< velocities are times this in rows: set->length where it turns
    double lower, upper; ///< rad or m; NAN: no limit
    double friction;     ///< dry, N m or N
    uint64_t id[SNI_JOINT_ROW_KINDS];
} sni_row_dof;

/// A row of a joint: a limit, the dry friction or the bounded force of control of one degree of freedom.
typedef struct sni_joint_row {
    const sni_row_dof* dof;
    sni_joint_row_kind kind;
    double gap; ///< to the limit, rad or m
    const sni_servo* servo;
} sni_joint_row;

/// Where the rows of a constraint are.
typedef struct sni_constraint_rows {
    int32_t first, count; ///< entries
    sn_vec3 x;            ///< where it acts, world
} sni_constraint_rows;

struct sn_contact_set {
    sni_arena arena;
    const sn_model* model;
    sn_contact_options options;
    double length;          ///< m
    const bool* resting;    ///< [body_count] joints that have no rows; NULL: none. The caller's.
    const sni_servo* servo; ///< [servo_count] the caller's
    int32_t servo_most, servo_count;
    sni_row_dof* row_dof; // [nv]
    int32_t* rowed;       // [rowed_count] of [nv] degrees of freedom with limits or dry friction
    int32_t rowed_count;
    // what was added
    int32_t contact_most, contact_count;
    sn_contact* contact;
    sn_contact*
        last; // [last_count] of [contact_most] those of the last solve, when they were cleared after it
    int32_t last_count;
    int32_t *heir, *fresh; // [contact_most] scratch: see contact_set_heirs.c
    int32_t constraint_most, constraint_count;
    sn_constraint* constraint;
    // what the last build made
    double h;
    int32_t built; ///< contacts of that build
    int32_t joint_row_most, joint_row_count;
    sni_joint_row* joint_row;
    sni_set_bodies bodies;
    sni_set_rows rows, positions;
    int32_t* position_of; // [entries] that a position is of
    bool off;             ///< a row of the position problem asks for a motion
    sn_contact_problem problem, position_problem;
    double compliance; ///< sum over the laws; 0: nothing gives way
    double* u_free;    // [rows] J v_free
    double* u_work;    // [rows] the same with what gives energy for a reason of its own: see calm
    double* bounce;    // [contact_most] restitution in q of the normal row
    double*
        pressed; // [contact_most] what forces do to the normal speed in the step, if they press; m/s
    sni_constraint_rows* constraint_rows; // [constraint_most]
    // W as a matrix
    int64_t block_most;
    int32_t* block_start;
    int32_t* block_column;
    int64_t* block_offset;
    double* block_value;
    int32_t* of_tree_start; // [trees + 1] contacts of a tree
    int32_t* of_tree;       // [2 contacts]
    // of the last solve
    bool solved;
    double* r;       // [rows]
    double* dv;      // [nv]
    double* tau;     // [nv] impulses of joints
    double* push;    // [8 bodies] C'r
    int32_t* leader; // [trees] groups of trees
    double* gained;  // [trees] energy of a group
    double* traded;  // [trees]
    sn_body_wrench* wrench;
    int32_t* held; // [entries] scratch of contact_set_held.c
    double* load;  // [entries]
};

// ---- used by the public door and build ----------------------------------------------------------------

/// Which bodies respond to each other; numbers of the largest response of `most` bodies.
void sni_set_bodies_find(sni_set_bodies* bodies, const sn_model* model);
/// Responses of the lone bodies.
void sni_set_bodies_respond(sni_set_bodies* bodies, const sn_model* model);
/// Room for bodies->most slots of bodies and for joints of which `servos` may be driven.
void sni_set_bodies_measure(sni_set_bodies* bodies, const sn_model* model, int32_t servos);

/// Whether a slot is one of joints.
static inline bool sni_is_of_joints(const sni_set_bodies* bodies, int32_t slot) {
    return bodies->body[slot].i < 0;
}

/// Whether a joint may have rows, of which `servos` come from control.
bool sni_joint_may_have_rows(const sn_model* model, int32_t joint, int32_t servos);
/// Rows that the model's joints may have at most.
int32_t sni_joint_rows_most(const sn_model* model);
/// What the rows of all degrees of freedom need.
void sni_row_dofs_make(sn_contact_set* set);
/// Decides which joints have rows in this step.
void sni_joint_rows_choose(sn_contact_set* set, const sn_dynamics* d, const double* v_free,
                           double h);

// Write their rows, in both problems.
void sni_set_contact_rows(sn_contact_set* set, double threshold);
void sni_set_constraint_rows(sn_contact_set* set);
void sni_set_joint_rows(sn_contact_set* set, const sn_dynamics* d, const double* v_free);

/// The row of a joint that an entry is; NULL: it is none.
static inline const sni_joint_row* sni_joint_row_of(const sn_contact_set* set, int32_t entry) {
    int32_t k = entry - (set->rows.count - set->joint_row_count);
    return k < 0 ? NULL : &set->joint_row[k];
}
/// It as a row of the joint's body (C_a) and of the body's parent (C_b), where they are now.
void sni_joint_row_sides(const sn_contact_set* set, const sn_dynamics* d, const sni_joint_row* row,
                         double* C_a, double* C_b);

/// Gives the impulses of contacts that are no more to those in their place. r: as recalled.
void sni_set_inherit(sn_contact_set* set, const sn_contact_solver* solver, double* r);

// ---- writing rows (contact_set_rows.c) ------------------------------------------------------------------

/// Rows of a new entry, to be written: the coefficients of its law, C of bodies that move, and q.
typedef struct sni_entry {
    int32_t index; ///< entry
    int32_t row;   ///< its first
    sn_contact_law* law;
    double *C_a, *C_b, *q;
} sni_entry;

static inline sni_entry sni_rows_push(sni_set_rows* rows, sn_contact_kind kind, int32_t count,
                                      uint64_t id, int32_t a, int32_t b) {
    int32_t i = rows->count++, row = rows->first[i];
    rows->law[i] = (sn_contact_law){.kind = kind, .rows = count};
    rows->id[i] = id;
    rows->a[i] = a;
    rows->b[i] = b;
    rows->first[i + 1] = row + count;
    ptrdiff_t at = 6 * (ptrdiff_t)row;
    return (sni_entry){i, row, &rows->law[i], rows->C_a + at, rows->C_b + at, rows->q + row};
}

/// Six numbers of a row or a wrench.
static inline sn_wrench sni_row_wrench(const double* C) {
    return sn_wrench_make(sn_vec3_make(C[0], C[1], C[2]), sn_vec3_make(C[3], C[4], C[5]));
}
static inline void sni_row_store(sn_wrench row, double* C) {
    C[0] = row.n.x, C[1] = row.n.y, C[2] = row.n.z;
    C[3] = row.f.x, C[4] = row.f.y, C[5] = row.f.z;
}

/// The first rows of an entry again, in the position problem, which has only q until it is completed: mostly nobody asks.
static inline void sni_positions_push(sn_contact_set* set, const sni_entry* entry, const double* q,
                                      int32_t rows) {
    sni_set_rows* positions = &set->positions;
    int32_t i = positions->count++, first = positions->first[i];
    bool equal = entry->law->kind == SN_CONTACT_EQUAL;
    positions->first[i + 1] = first + rows;
    set->position_of[i] = entry->index;
    for (int32_t k = 0; k < rows; k++) {
        positions->q[first + k] = q[k];
        set->off |= equal ? q[k] != 0 : q[k] < 0;
    }
}
/// Its laws, u = 0 of what is equal and else 0 <= u, and its bodies.
void sni_positions_complete(sn_contact_set* set);

/// Row that gives the speed of a body's point x along d (world), or how fast it turns about d; scale times.
/// Nothing for the world, slot -1.
void sni_row_move(const sni_set_bodies* bodies, int32_t slot, sn_vec3 x, sn_vec3 d, double scale,
                  double* C);
void sni_row_turn(const sni_set_bodies* bodies, int32_t slot, sn_vec3 d, double scale, double* C);

/// C_a v_a + C_b v_b of a row of an entry.
double sni_row_speed(const sni_set_rows* rows, int32_t entry, int32_t row, const sn_twist* v);

/// q of a position row whose surfaces are `gap` apart, of which the velocities undo the part `undone`.
static inline double sni_position_gap(const sn_contact_set* set, double gap, double undone) {
    double left = (gap < 0 ? (1 - undone) * gap : gap) + set->options.slop;
    if (!(left < 0)) return left / set->h;
    return fmax(set->options.position_factor * left / set->h, -set->options.push_speed);
}

/// What a contact's gap adds to q_n after it has grown by `moved`.
double sni_contact_shift(const sn_contact_set* set, const sn_contact* contact, double moved);
/// The same of a joint's limit, entry `last` from the end.
double sni_limit_shift(const sn_contact_set* set, int32_t last, double moved);
/// 1/s: what a constraint's entry adds to q for each metre that it is off.
double sni_constraint_pull(const sn_contact_set* set, int32_t entry);

/// A spring of stiffness k and damping d, stretched by `off`, taken at the end of the step: its impulse is
/// r = -h k (off + h u) - h d u, so  u + compliance r + off * pull = 0.
typedef struct sni_spring {
    double compliance; ///< 1/(h^2 k + h d)
    double pull;       ///< h k/(h^2 k + h d), 1/s
} sni_spring;

static inline sni_spring sni_spring_make(double k, double d, double h) {
    return (sni_spring){1 / (h * (h * k + d)), k / (h * k + d)};
}

/// Ids of what has no contact id: constraints, joints, rows of positions. Made so that they will not meet.
static inline uint64_t sni_made_id(uint64_t kind, uint64_t number) {
    uint64_t id = sni_hash(kind, &number, sizeof number);
    return id ? id : 1;
}
enum { SNI_ID_CONSTRAINT = 1, SNI_ID_CONSTRAINT_TURN, SNI_ID_JOINT, SNI_ID_POSITION };

#endif
