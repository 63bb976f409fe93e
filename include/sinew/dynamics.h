// SPDX-License-Identifier: Apache-2.0
/// Rigid-body dynamics of a model at a given state: forward and inverse dynamics, inertia matrix,
/// motion of bodies, energy, momentum, response to forces.
///
/// An sn_dynamics is one algorithm with its memory for one model; use one per thread. It remembers
/// gravity, external wrenches (they persist until changed) and locked joints. sn_dynamics_forward
/// and sn_dynamics_kinematics set the state that the queries below refer to. Nothing here allocates
/// after creation. Algorithms are chosen by name:
///   "aba"       articulated-body algorithm, O(n)
///   "crba"      joint-space inertia and its sparse Cholesky factors, O(n depth^2)
///   "dca"       divide and conquer on an assembly tree, O(n); response of chosen bodies O(log n) each
///   "adaptive"  the same with some joints active and the others locked; a step costs the active ones
///
/// Loops (sn_loop_def) are closed by whatever algorithm: forward dynamics, impulses, responses and
/// accelerations are those of the constrained motion. Inverse dynamics, the inertia matrix and `M` in the
/// comments below are of the tree without its loops.
///
/// Joint springs, damping, dry friction and limits are not part of forward dynamics: pass their
/// forces in tau (sn_dynamics_passive_force computes springs and damping). Armature is.
#ifndef SINEW_DYNAMICS_H
#define SINEW_DYNAMICS_H

#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_dynamics sn_dynamics;

/// Name of the i-th algorithm, NULL past the last.
const char* sn_dynamics_algorithm(int i);

/// The model must outlive the sn_dynamics. algorithm NULL means "aba".
sn_status sn_dynamics_create(const sn_model* model, const char* algorithm, sn_dynamics** dynamics,
                             sn_error* error);
void sn_dynamics_free(sn_dynamics* dynamics);
const sn_model* sn_dynamics_model(const sn_dynamics* dynamics);
/// The algorithm in use. Where neighbouring bodies differ in mass by more than 1e6 it is "aba" when "dca"
/// or "adaptive" was asked for.
const char* sn_dynamics_name(const sn_dynamics* dynamics);
/// What a user should know about the algorithm and this model, such as the above; "" when nothing.
const char* sn_dynamics_advice(const sn_dynamics* dynamics);

/// Acceleration of gravity in world axes; (0, 0, -9.81) unless set.
void sn_dynamics_set_gravity(sn_dynamics* dynamics, sn_vec3 g_w);
sn_vec3 sn_dynamics_gravity(const sn_dynamics* dynamics);

typedef enum sn_axes {
    SN_AXES_BODY, ///< wrench in body axes: turns with the body
    SN_AXES_WORLD ///< wrench in world axes: keeps its direction while the body turns
} sn_axes;

/// External wrench on a body, moment about the body-frame origin. Replaces the one it had; zero
/// removes it.
sn_status sn_dynamics_set_wrench(sn_dynamics* dynamics, sn_body_id body, sn_axes axes,
                                 sn_wrench wrench);
/// The same of hands, in body axes: added to that one.
sn_status sn_dynamics_set_pull(sn_dynamics* dynamics, sn_body_id body, sn_wrench wrench);
/// Removes all of both.
void sn_dynamics_clear_wrenches(sn_dynamics* dynamics);

/// A locked joint keeps its velocity: its acceleration is zero whatever acts on it.
sn_status sn_dynamics_lock(sn_dynamics* dynamics, sn_body_id joint, bool locked);
bool sn_dynamics_is_locked(const sn_dynamics* dynamics, sn_body_id joint);

/// Poses and velocities of all bodies at (q, v). Here and below v NULL means at rest.
sn_status sn_dynamics_kinematics(sn_dynamics* dynamics, const double* q, const double* v);

/// qdd = M^-1 (tau - bias + J^T wrenches), the wrenches of the loop joints included; tau NULL means zero.
/// Loops that are open, or opening, are closed in their time t_s. Where the conditions of loops contradict
/// each other (more of them than the bodies can move, and not closed), some are left out.
/// SN_ERR_NUMERIC when the result is not finite.
sn_status sn_dynamics_forward(sn_dynamics* dynamics, const double* q, const double* v,
                              const double* tau, double* qdd);

/// Inverse dynamics: tau that gives qdd (NULL: zero) at (q, v) under gravity and the external wrenches.
/// Leaves the accelerations of all bodies to be asked for.
sn_status sn_dynamics_inverse(sn_dynamics* dynamics, const double* q, const double* v,
                              const double* qdd, double* tau);

/// Joint-space inertia at q with armature, nv x nv, row-major, full.
sn_status sn_dynamics_mass_matrix(sn_dynamics* dynamics, const double* q, double* M);

/// A wrench, or an impulse, on a body: body axes, moment about the body-frame origin.
typedef struct sn_body_wrench {
    sn_body_id body;
    sn_wrench wrench;
} sn_body_wrench;

/// After sn_dynamics_forward: change of joint velocity from joint impulses (NULL: none) and body
/// impulses, dv = M^-1 (tau + J^T wrenches), reusing the factors of that configuration. Loop joints add
/// the impulses that let dv open no loop.
/// SN_ERR_ARGUMENT when the state or a lock was changed, or something else computed, since.
sn_status sn_dynamics_impulse(sn_dynamics* dynamics, const double* tau,
                              const sn_body_wrench* wrenches, int count, double* dv);

/// After sn_dynamics_forward: response of bodies to wrenches on them, Lambda = J M^-1 J^T less what loops
/// hold back, 6 count x 6 count, row-major; each block ordered angular, linear; body axes and origins.
/// Refused as sn_dynamics_impulse is.
sn_status sn_dynamics_response(sn_dynamics* dynamics, const sn_body_id* bodies, int count,
                               double* Lambda);

/// J v: the velocities that bodies would have with joint velocity v, at the configuration of the last
/// kinematics, forward or inverse; body axes and origins, zero for the world (i = -1). Looks only at the
/// branches that carry the bodies, and changes neither the state nor what impulses and responses reuse.
sn_status sn_dynamics_twists(sn_dynamics* dynamics, const double* v, const sn_body_id* bodies,
                             int count, sn_twist* twists);

/// Motion of a body in its own axes, at its frame origin. Acceleration is the spatial one (the rate
/// of the velocity's components), true gravity included; it belongs to the last forward or inverse.
sn_pose sn_dynamics_pose(const sn_dynamics* dynamics, sn_body_id body);
sn_twist sn_dynamics_velocity(const sn_dynamics* dynamics, sn_body_id body);
sn_twist sn_dynamics_acceleration(const sn_dynamics* dynamics, sn_body_id body);
sn_pose sn_dynamics_frame_pose(const sn_dynamics* dynamics, sn_frame_id frame);

/// How far a loop is open, and how fast it opens: of its frame on body b against its frame on body a, in
/// the axes of the frame on b. Motions that the loop joint leaves free are zero. Angles of pose are exact
/// when small.
typedef struct sn_loop_error {
    sn_twist pose;     ///< rad, m
    sn_twist velocity; ///< rad/s, m/s: the rate of the above
} sn_loop_error;

/// At the state of the last kinematics or forward. 0 <= loop < sn_model_loop_count.
sn_loop_error sn_dynamics_loop_error(const sn_dynamics* dynamics, int loop);
/// The wrench that a loop joint exerts on body b, about the origin and in the axes of its frame there;
/// its opposite acts on body a. Of the last forward; zero when something else was computed since. Where
/// loops are redundant their wrenches are not unique: these are some that give the motion.
sn_wrench sn_dynamics_loop_wrench(const sn_dynamics* dynamics, int loop);

/// Springs and damping of the joints at (q, v): tau = -stiffness (q - rest) - damping v.
void sn_dynamics_passive_force(const sn_dynamics* dynamics, const double* q, const double* v,
                               double* tau);

// ---- adaptive dynamics: "adaptive" only -------------------------------------------------------------

/// Weights A of the metric sum qdd' A qdd by which the active joints are chosen.
typedef enum sn_metric {
    SN_METRIC_INERTIA, ///< inertia that the joint carries: one unit for all types of joint
    SN_METRIC_UNIT,    ///< 1
    SN_METRIC_GIVEN,   ///< sn_dynamics_set_metric_weights
    SN_METRIC_COUNT
} sn_metric;

/// How many joints are active. The others are locked where they are until it pays to free them.
typedef struct sn_adaptivity {
    int max_active;   ///< joints that may be active, negative: any number
    double threshold; ///< metric of the accelerations that may be left out, square root; 0: none
    double
        settling_time; ///< s; an active joint is kept while stopping it in this time would take more
                       ///< acceleration than the threshold
    int period;        ///< steps of a world between two choices
    sn_metric metric;
} sn_adaptivity;

/// All joints active.
sn_adaptivity sn_adaptivity_default(void);

/// SN_ERR_ARGUMENT when the algorithm is another or a number makes no sense. sn_dynamics_forward chooses
/// the joints for the state it is given; those that are not chosen do not accelerate (if they move, they
/// keep their velocity). A world chooses every `period` steps and stops those it locks.
sn_status sn_dynamics_set_adaptivity(sn_dynamics* dynamics, const sn_adaptivity* options);
sn_status sn_dynamics_adaptivity(const sn_dynamics* dynamics, sn_adaptivity* options);
/// nv positive numbers, and SN_METRIC_GIVEN.
sn_status sn_dynamics_set_metric_weights(sn_dynamics* dynamics, const double* weights);
/// Keeps the joint of a body, and all that is between the body and the rest, active, as far as max_active
/// allows.
sn_status sn_dynamics_keep_active(sn_dynamics* dynamics, sn_body_id body, bool active);

typedef struct sn_region_report {
    int active;       ///< joints that are active
    int rigid;        ///< parts that move as one body
    double error;     ///< metric of the accelerations left out at the last choice, square root
    double total;     ///< metric of all accelerations, square root
    uint64_t updates; ///< choices so far
} sn_region_report;

sn_region_report sn_dynamics_region(const sn_dynamics* dynamics);
bool sn_dynamics_is_active(const sn_dynamics* dynamics, sn_body_id joint);

// ---- the assembly tree of "dca" and "adaptive" -------------------------------------------------------

typedef enum sn_tree_kind {
    SN_TREE_BODY,   ///< leaf: a body, or a piece of a body that carries many joints
    SN_TREE_JOINT,  ///< parts a and b, connected by the joint of `body`, which is in b
    SN_TREE_WELD,   ///< parts a and b that share the body u
    SN_TREE_GROUND, ///< a whole tree, b, on the joint of its root `body`; a is none
    SN_TREE_FOREST  ///< parts a and b that do not touch
} sn_tree_kind;

/// A node stands for a connected part; at most two of its bodies, u and d, have joints that leave it.
typedef struct sn_tree_node {
    sn_tree_kind kind;
    int parent, a, b; ///< nodes, -1: none. Nodes come after their parts; the root is the last
    sn_body_id body;  ///< i = -1: none, as for u and d
    sn_body_id u, d;
    int joints;  ///< in the part
    bool active; ///< its joint may accelerate; for leaves false
    bool inside; ///< inside a part that moves as one body
} sn_tree_node;

/// Nodes of the tree, 0 for algorithms that have none.
int sn_dynamics_tree_size(const sn_dynamics* dynamics);
sn_tree_node sn_dynamics_tree_node(const sn_dynamics* dynamics, int node);
/// The leaf of a body: its up-region is this leaf and all nodes above it.
int sn_dynamics_tree_leaf(const sn_dynamics* dynamics, sn_body_id body);
int sn_dynamics_tree_depth(const sn_dynamics* dynamics);

typedef struct sn_energy {
    double kinetic;   ///< of bodies and armatures
    double potential; ///< of gravity, zero at the world origin; in a world also of its force field
    double spring;    ///< stored in joint springs
} sn_energy;

/// Energy at the state of the last kinematics or forward.
sn_energy sn_dynamics_energy(const sn_dynamics* dynamics);

typedef struct sn_momentum {
    double mass;
    sn_vec3 com;     ///< world
    sn_vec3 linear;  ///< world axes
    sn_vec3 angular; ///< about the centre of mass, world axes
} sn_momentum;

/// Momentum of all moving bodies at the state of the last kinematics or forward.
sn_momentum sn_dynamics_momentum(const sn_dynamics* dynamics);

// ---- an algorithm of your own ------------------------------------------------------------------------

/// What forward dynamics starts from. Pointers are valid during the call.
typedef struct sn_dynamics_input {
    const double* q;                ///< [nq]
    const double* v;                ///< [nv]
    const double* tau;              ///< [nv] joint forces
    const double* armature;         ///< [nv] model's, and what an implicit integrator adds
    const bool* locked;             ///< [bodies] joints whose acceleration is zero
    sn_vec3 gravity;                ///< m/s^2, world axes
    const sn_body_wrench* wrenches; ///< [wrench_count] external, body axes and origins
    int wrench_count;
} sn_dynamics_input;

/// Forward dynamics by functions of your own; everything else about an sn_dynamics (motion of bodies, inverse
/// dynamics, inertia matrix, loops) is ours. forward and impulse run inside a step: they must not
/// allocate, lock or wait. A status other than SN_OK, or a number that is not finite, goes no further: the call that
/// needed it fails.   docs/plugins.md
typedef struct sn_dynamics_module {
    const char* name;
    const char* about; ///< one line
    void* context;     ///< given to every function
    /// Memory for a model, which outlives it.
    sn_status (*create)(void* context, const sn_model* model, void** memory, sn_error* error);
    void (*free)(void* context, void* memory);
    /// qdd = M^-1 (tau - bias + J^T wrenches), exactly zero for locked joints; of the tree without its loops,
    /// which are closed around it.
    sn_status (*forward)(void* context, void* memory, const sn_dynamics_input* input, double* qdd);
    /// dv = M^-1 (tau + J^T impulses) at the configuration, locks and armature of the last forward; tau may be
    /// NULL.
    sn_status (*impulse)(void* context, void* memory, const double* tau,
                         const sn_body_wrench* impulses, int count, double* dv);
} sn_dynamics_module;

/// Copies the table; name and about must outlive the sn_dynamics. SN_ERR_ARGUMENT when a function is missing.
sn_status sn_dynamics_create_module(const sn_model* model, const sn_dynamics_module* module,
                                    sn_dynamics** dynamics, sn_error* error);

#ifdef __cplusplus
}
#endif
#endif
