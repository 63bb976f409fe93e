// SPDX-License-Identifier: Apache-2.0
/// Front door of `dynamics`: motion of a model under forces.
///
/// An sn_dynamics is one algorithm with its memory for one model. Every algorithm fills the same
/// table, sni_dynamics_ops, and passes the same tests (tests/suite_forward_dynamics.h). What they
/// share lives here: gravity, external wrenches, locked joints, the motion of the bodies.
/// Everything is in canonical frames (model/sn_model.h); accelerations inside are a' = a - a_g, so
/// gravity enters through the ground only. Called by `sim` and the public functions; never
/// allocates after creation, never reads a file, never knows a world.
#ifndef SN_DYNAMICS_SN_DYNAMICS_H
#define SN_DYNAMICS_SN_DYNAMICS_H

#include "dynamics/branches.h"
#include "dynamics/integrate.h"
#include "dynamics/relax.h"
#include "dynamics/tree_shape.h"
#include "model/sn_model.h"
#include "sinew/coupling.h"
#include "sinew/dynamics.h"

/// External wrenches, of the user and of hands, one each per body at most, as they were given; only set ones cost
/// anything.
typedef struct sni_wrench_set {
    int32_t count;
    int32_t* body;     // [count] of [body_count]
    sn_axes* axes;     // [count] of [body_count]
    sn_wrench* wrench; // [count] of [body_count], user's body axes or world axes
    sn_wrench* pull;   // [count] of [body_count], of hands, user's body axes
    int32_t* slot;     // [body_count] place in the lists above plus one, 0: none
    const sn_wrench*
        field; ///< [body_count] of a force field, world axes, about the origin of each body, besides
               ///< the user's; NULL: none. While there is one, every body is in the lists
} sni_wrench_set;

/// Where the entry M[i][j] (j an ancestor DOF of i, or i) is kept. NULL tables mean dense.
typedef struct sni_rows {
    double* values;
    const size_t* start;   ///< [nv] first entry of a row, dense: i * nv
    const int32_t* column; ///< [nv] place of a DOF in the rows of its descendants, dense: j
    int32_t nv;
} sni_rows;

static inline double* sni_rows_entry(const sni_rows* rows, int32_t i, int32_t j) {
    size_t start = rows->start ? rows->start[i] : (size_t)i * (size_t)rows->nv;
    return rows->values + start + (size_t)(rows->column ? rows->column[j] : j);
}

/// Joints that close loops (dynamics/loops.h).
typedef struct sni_loops sni_loops;
/// A user's functions that do forward dynamics (dynamics/guest.h).
typedef struct sni_dynamics_guest sni_dynamics_guest;
/// A kernel with its memory (dynamics/fast.h).
typedef struct sni_fast sni_fast;

/// Where all bodies are and how they move, found once for a state.
typedef struct sni_places {
    bool current;    ///< what follows belongs to the state
    sn_vec3* p;      // [body_count] origin, world
    sn_vec3* v;      // [body_count] its velocity, world axes
    sn_pose* pose;   // [body_count] of the user's axes, world
    sn_twist* twist; // [body_count] velocity in the user's axes
} sni_places;

/// Writes the joint forces of some joints anew, into the tau that was given with it.
typedef struct sni_forces {
    void (*compute)(void* context, const int32_t* joints, int32_t count);
    void* context;
} sni_forces;

/// Bodies that move as one.
typedef struct sni_moving_part {
    sni_rigid I;   ///< in the frame of the pose
    sn_pose X;     ///< in the world
    sn_twist v;    ///< in the frame of the pose
    double spring; ///< energy in the springs of joints inside
} sni_moving_part;

/// What responses are asked of: bodies, then joints, six degrees of freedom to a handle. No body and no degree of
/// freedom comes twice.
typedef struct sni_handles {
    int32_t body_count, joint_count;
    const sn_body_id* bodies; // [body_count]
    const int32_t* dof;       // [6 joint_count] -1: none; its row and column are zero
} sni_handles;

/// What a forward-dynamics algorithm does, for the tree: loops are closed around it, through `impulse`
/// and `change`, so no algorithm knows of them. The state has been set by `kinematics` before the others
/// are called; `forward` before `impulse`, `response` and `touch`.
typedef struct sni_dynamics_ops {
    const char* name;
    bool inverts; ///< works with inverse inertias: see disparity.h
    /// Refuses a model it cannot handle. May be NULL.
    sn_status (*check)(const sn_model* model, sn_error* error);
    /// Makes what the sizes of the memory depend on. May be NULL.
    sn_status (*prepare)(sn_dynamics* d);
    void (*layout)(sn_dynamics* d, sni_arena* arena);
    /// Once, when there is memory. May be NULL.
    void (*start)(sn_dynamics* d);
    void (*kinematics)(sn_dynamics* d);
    // For algorithms in which joints sleep; NULL where all are awake.
    /// Motion after joints that are awake have moved; the others have not.
    void (*move)(sn_dynamics* d);
    /// What sni_update_awake does.
    sn_status (*update)(sn_dynamics* d, const double* tau, double* v, const sni_forces* forces);
    /// Takes the velocity of locked joints away, by impulses through them: changes d->v.
    void (*stop)(sn_dynamics* d);
    /// The external wrench on a body, the force of a joint, the lock of a joint has changed.
    void (*push)(sn_dynamics* d, int32_t body);
    /// The wrenches of the force field are others now.
    void (*push_all)(sn_dynamics* d);
    void (*pull)(sn_dynamics* d, int32_t joint, const double* tau);
    void (*lock)(sn_dynamics* d, int32_t joint);
    /// Whether joints that sleep wish to move so much that an update should not wait.
    bool (*restless)(const sn_dynamics* d);
    /// Part number k that moves as one body; false past the last.
    bool (*part)(const sn_dynamics* d, int32_t k, sni_moving_part* part);

    sn_status (*forward)(sn_dynamics* d, const double* tau, double* qdd);
    /// tau of qdd (NULL: zero), and the accelerations of the bodies. `moving` false: no velocities, no
    /// gravity, no external wrenches, so tau = M qdd, and the motion is not to be asked for. Needs the
    /// state only, not `kinematics`.
    void (*inverse)(sn_dynamics* d, const double* qdd, bool moving, double* tau);
    /// Joint-space inertia: lower part, entries between degrees of freedom of one branch.
    void (*mass_matrix)(sn_dynamics* d, const sni_rows* rows);
    /// Momentum of all bodies for a unit velocity of each degree of freedom, world axes, about its origin, at the
    /// configuration of the last kinematics or `inverse`; returns mass times centre of mass. NULL: it cannot.
    sn_vec3 (*momentum)(sn_dynamics* d, sn_wrench* column);
    /// dv = M^-1 (tau + J^T impulses) at the configuration of the last forward; impulses in the
    /// user's body frames, tau may be NULL.
    void (*impulse)(sn_dynamics* d, const double* tau, const sn_body_wrench* impulses, int count,
                    double* dv);
    /// Velocity change of a body in the last impulse.
    sn_twist (*change)(const sn_dynamics* d, int32_t body);
    /// Lambda of sn_dynamics_response, the user's body frames; a body may come twice, but there are no more
    /// than response_most. NULL: one impulse per column.
    void (*response)(sn_dynamics* d, const sn_body_id* bodies, int count, double* Lambda);
    /// The same of bodies and joints; whether it can for this model. NULL: it cannot.
    bool (*has_handles)(const sn_dynamics* d);
    void (*handles)(sn_dynamics* d, const sni_handles* handles, double* Lambda);
    /// What wrenches (user's body frames, one a body) change in the accelerations of exactly the bodies they
    /// are on, canonical frames. NULL: one impulse.
    void (*touch)(sn_dynamics* d, const sn_body_wrench* wrenches, int count, sn_twist* change);
    /// The kernel that holds poses and motion subspaces of the state. NULL: there is none.
    const sni_fast* (*fast)(const sn_dynamics* d);
    /// Makes d->places current. NULL: there are none, users get what the two below say.
    void (*place)(const sn_dynamics* d);
    sn_pose (*pose)(const sn_dynamics* d, int32_t body);
    sn_twist (*velocity)(const sn_dynamics* d, int32_t body);
    sn_twist (*acceleration)(const sn_dynamics* d, int32_t body);
    /// The same of one body, without looking at all of them. NULL: there is nothing quicker.
    sn_twist (*quick_acceleration)(const sn_dynamics* d, int32_t body);
} sni_dynamics_ops;

struct sn_dynamics {
    const sni_dynamics_ops* ops;
    const sn_model* model;
    sni_arena arena;
    double disparity; ///< of neighbours' masses, when the algorithm minds
    char advice[320];
    // what persists
    sn_vec3 gravity; ///< world axes
    sni_wrench_set wrenches;
    bool* locked;     // [body_count]
    double* armature; // [nv] model's armature plus what an implicit integrator adds
    uint32_t version; ///< of locks and armature
    // the state of the last kinematics
    double* q;                // [nq]
    double* v;                // [nv]
    bool factored;            ///< the algorithm holds factors of this state, locks and armature
    const sni_places* places; ///< NULL: the algorithm keeps none
    double* rate;             // [nv] scratch
    int32_t awake_count;
    int32_t*
        awake; // [awake_count] joints that may accelerate; all, unless the algorithm says otherwise
    int32_t
        visited; ///< bodies or nodes that the last response or touch looked at; those that do not
                 ///< look at all bodies set it
    int32_t response_most;     ///< bodies that the algorithm's response answers for at once
    sni_branches branches;     ///< of the last sn_dynamics_twists
    sn_twist* twist;           // [body_count] scratch
    sni_loops* loops;          ///< NULL: the model has none
    struct sni_tree* tree;     ///< assembly tree, NULL where the algorithm needs none
    void* algorithm;           ///< memory of the algorithm itself
    sni_dynamics_guest* guest; ///< NULL: the algorithm is one of ours
    sn_status trouble;         ///< what the guest returned, in the last forward or since
};

extern const sni_dynamics_ops sni_aba;
extern const sni_dynamics_ops sni_aba_scalar;
extern const sni_dynamics_ops sni_crba;
extern const sni_dynamics_ops sni_dca;
extern const sni_dynamics_ops sni_adaptive_ops;
extern const sni_dynamics_ops sni_reference;

// ---- used by `sim` ----------------------------------------------------------------------------------

/// SN_ERR_ARGUMENT with the reason when a user's table is not complete.
sn_status sni_dynamics_module_check(const sn_dynamics_module* table, sn_error* error);
/// What a user's functions have returned, in the last forward or since; SN_OK of ours.
static inline sn_status sni_dynamics_trouble(const sn_dynamics* d) { return d->trouble; }

/// Sets state and motion.
void sni_kinematics(sn_dynamics* d, const double* q, const double* v);
/// The same when only joints that are awake have moved since.
void sni_move(sn_dynamics* d, const double* q, const double* v);
/// Decides anew which joints are awake; joint forces tau of those that are, or (after sni_kinematics) of
/// all. Joints that fall asleep are stopped; v gets the velocities this changes, and `forces` (NULL: tau
/// does not depend on v) is asked for tau of the joints concerned.
sn_status sni_update_awake(sn_dynamics* d, const double* tau, double* v, const sni_forces* forces);
/// Forward dynamics at the state of the last sni_kinematics or sni_move; qdd of joints that are awake.
sn_status sni_forward(sn_dynamics* d, const double* tau, double* qdd);
/// f = M x at the configuration of the last sni_forward, of joints that may accelerate; keeps what impulses reuse.
void sni_inertia_times(sn_dynamics* d, const double* x, double* f);
/// Springs and dampers of `count` joints; joints NULL: the first.
void sni_passive_force(const sn_model* model, const int32_t* joints, int32_t count, const double* q,
                       const double* v, double* tau);
/// Whether joints may sleep: not all of them are awake.
static inline bool sni_may_sleep(const sn_dynamics* d) { return d->ops->update; }
/// Whether the user keeps a body active.
bool sni_is_kept_active(const sn_dynamics* d, int32_t body);
/// Tells that the force on a joint that may be asleep changed.
void sni_force_changed(sn_dynamics* d, int32_t joint, const double* tau);
/// Whether the choice of the active region should not wait for its turn.
bool sni_is_restless(const sn_dynamics* d);
/// Replaces the inertia an implicit integrator adds to joint k: nv numbers, NULL: none.
void sni_set_extra_armature(sn_dynamics* d, const double* extra);
/// The velocity after impulses through the locked joints have stopped them, of joints that are awake;
/// v_out may be v. An impulse takes no time, so what an implicit integrator adds does not count; it is
/// `extra` again afterwards.
sn_status sni_stop_locked(sn_dynamics* d, const double* q, const double* v, const double* extra,
                          double* v_out);

// ---- used by `contact` ------------------------------------------------------------------------------

/// Whether sni_handles_response can be asked.
static inline bool sni_has_handles(const sn_dynamics* d) {
    return !d->loops && d->ops->has_handles && d->ops->has_handles(d);
}
/// Where all bodies are in the state that is set. NULL: the algorithm keeps none, and has to be asked body by body.
const sni_places* sni_places_now(const sn_dynamics* d);
/// Lambda [6 handles][6 handles]: motion of bodies (user's frames) and velocities of joints under unit wrenches and unit
/// impulses of joints, symmetric to the bit. After sni_forward.
static inline void sni_handles_response(sn_dynamics* d, const sni_handles* handles,
                                        double* Lambda) {
    d->ops->handles(d, handles, Lambda);
}

// ---- used by the algorithms -------------------------------------------------------------------------

/// Between a body's own axes, which users know, and the canonical ones.
static inline sn_wrench sni_wrench_from_user(const sn_dynamics* d, int32_t body, sn_wrench f) {
    sn_mat3 R = d->model->R_bc[body];
    return sn_wrench_make(sn_mat3_apply_transposed(R, f.n), sn_mat3_apply_transposed(R, f.f));
}
static inline sn_twist sni_twist_to_user(const sn_dynamics* d, int32_t body, sn_twist t) {
    sn_mat3 R = d->model->R_bc[body];
    return sn_twist_make(sn_mat3_apply(R, t.w), sn_mat3_apply(R, t.v));
}
static inline sn_pose sni_pose_to_user(const sn_dynamics* d, int32_t body, sn_pose X_wb) {
    return sn_pose_make(sn_mat3_mul(X_wb.R, sn_mat3_transpose(d->model->R_bc[body])), X_wb.p);
}

/// The external wrench in slot k of the set, in world axes about the origin of its body, whose
/// canonical axes are R_wb.
sn_wrench sni_external_wrench(const sn_dynamics* d, int32_t k, sn_mat3 R_wb);
/// Of entry k, what turns with the body: user's body axes.
sn_wrench sni_turning_wrench(const sn_dynamics* d, int32_t k);
/// Wrenches that a force field computes anew in every step, for all bodies, world axes; they stay with the caller. To
/// be called whenever they have changed. NULL: no more field. Refused, unchanged, when one is not finite.
sn_status sni_set_field(sn_dynamics* d, const sn_wrench* wrench_w);

/// K, f0 and weight of a law from its Lambda and a0.
void sni_coupling_weigh(sn_coupling_law* law);

#endif
