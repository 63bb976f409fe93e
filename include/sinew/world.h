// SPDX-License-Identifier: Apache-2.0
/// A running simulation: a model, its state, and the stages of one step (docs/step.md).
///
/// All memory is taken when the world is created; stepping never allocates, locks, prints or reads
/// a file. The step is fixed; time is counted in steps. Each function says which thread may call
/// it: "sim" is the one that steps, "io" one other thread that looks, "host" any one thread that
/// commands. Two worlds never share anything but the const model.
#ifndef SINEW_WORLD_H
#define SINEW_WORLD_H

#include "sinew/clock.h"
#include "sinew/collision.h"
#include "sinew/contact_set.h"
#include "sinew/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_world sn_world;
typedef struct sn_snapshot sn_snapshot;

/// How positions follow velocities: X(code, name, what it is). Springs and dampers of joints are
/// implicit in the first and explicit in the others.
#define SN_INTEGRATOR_LIST(X)                                                                      \
    X(SN_INTEGRATE_EULER, "euler", "semi-implicit Euler, order 1")                                 \
    X(SN_INTEGRATE_RK4, "rk4", "Munthe-Kaas Runge-Kutta, order 4")                                 \
    X(SN_INTEGRATE_MIDPOINT, "midpoint", "implicit midpoint, order 2, keeps energy best")

#define SN_INTEGRATOR_ENUM(code, name, text) code,
typedef enum sn_integrator {
    SN_INTEGRATOR_LIST(SN_INTEGRATOR_ENUM) SN_INTEGRATOR_COUNT
} sn_integrator;
#undef SN_INTEGRATOR_ENUM

const char* sn_integrator_name(sn_integrator integrator);
bool sn_integrator_find(const char* name, sn_integrator* integrator);

/// How the bodies of a world touch.   docs/step.md
typedef struct sn_world_contact {
    bool on; ///< collision shapes touch, joint limits and dry friction hold. Integrator: euler
    sn_collider_def collider;
    bool
        skip_overlapping; ///< shapes that overlap in the neutral configuration: see sn_collider_skip_overlapping
    sn_contact_options options; ///< restitution, overlap, limits
    const char* solver;         ///< by name, NULL: the default
    sn_solve_options solve;     ///< clock and deadline are the world's
    double
        solve_time; ///< s: a step's solving ends then, with what it has, by the world's clock; INFINITY: never
    int workers;         ///< threads that help to solve
    int32_t constraints; ///< most constraints at once
    double rest_speed;   ///< m/s: bodies that touch each other and are all slower than this
    double rest_time;    ///< for so long, s, fall asleep until touched; INFINITY: never
} sn_world_contact;

/// Off; residual 1e-4, at most 100 sweeps, as long as it takes; asleep after 0.5 s below 2 mm/s.
sn_world_contact sn_world_contact_default(void);

typedef struct sn_world_def {
    double step;              ///< s
    sn_vec3 gravity;          ///< m/s^2, world axes
    const char* dynamics;     ///< algorithm by name, NULL: "aba"
    sn_adaptivity adaptivity; ///< of "adaptive"
    sn_integrator integrator;
    sn_world_contact contact;
    const sn_log* log;    ///< of creation, NULL: none
    int command_capacity; ///< commands that may wait between two steps
    sn_clock clock;       ///< measures the stages
} sn_world_def;

sn_world_def sn_world_def_default(void);

/// Creates a world at the neutral configuration, at rest. The model must outlive it.
/// Thread: host.
sn_status sn_world_create(const sn_model* model, const sn_world_def* def, sn_world** world,
                          sn_error* error);
void sn_world_free(sn_world* world);

// ---- state: thread sim, between steps -------------------------------------------------------------

const sn_model* sn_world_model(const sn_world* world);
/// What sn_dynamics_advice says of the world's dynamics.
const char* sn_world_advice(const sn_world* world);
double sn_world_time(const sn_world* world);
uint64_t sn_world_step_count(const sn_world* world);
/// nq and nv numbers, valid until the next step.
const double* sn_world_q(const sn_world* world);
const double* sn_world_v(const sn_world* world);
/// NULL leaves a part as it is. Refused, unchanged, when a number is not finite or a quaternion not
/// unit (SN_ERR_NUMERIC). Clears a latched fault.
sn_status sn_world_set_state(sn_world* world, const double* q, const double* v);
/// Joint forces added to springs and damping, until changed; nv numbers.
sn_status sn_world_set_force(sn_world* world, const double* tau);
/// External wrench on a body until changed; see sn_dynamics_set_wrench.
sn_status sn_world_set_wrench(sn_world* world, sn_body_id body, sn_axes axes, sn_wrench wrench);
/// Locks a joint where it is, by the impulse through that joint that stops it (the rest of the
/// body feels it), or frees it.
sn_status sn_world_lock(sn_world* world, sn_body_id joint, bool locked);
/// Adaptive dynamics, see sn_dynamics_set_adaptivity and sn_dynamics_keep_active; may be changed at any
/// time. SN_ERR_ARGUMENT when the world's dynamics are not adaptive.
sn_status sn_world_set_adaptivity(sn_world* world, const sn_adaptivity* options);
sn_status sn_world_keep_active(sn_world* world, sn_body_id body, bool active);
sn_region_report sn_world_region(const sn_world* world);
bool sn_world_is_active(const sn_world* world, sn_body_id joint);
/// Joints that may move in the next step: of adaptive dynamics those that are active, of others all.
/// Writes up to `most` of them, in no order; returns how many there are. Costs what is awake.
int sn_world_active(const sn_world* world, sn_body_id* joints, int most);
sn_energy sn_world_energy(sn_world* world);
sn_momentum sn_world_momentum(sn_world* world);
/// Hash of time, q and v: equal bits, equal hash. Costs what is awake.
uint64_t sn_world_hash(const sn_world* world);

// ---- contact: thread sim, between steps -------------------------------------------------------------

/// The shapes, at the poses of the beginning of the last step, for rays and near points and to switch pairs; NULL:
/// contact is off.
sn_collider* sn_world_collider(sn_world* world);
/// Contacts of the last step.
int32_t sn_world_contact_count(const sn_world* world);
const sn_contact* sn_world_contacts(const sn_world* world);
/// Force of contact i on its body a, see sn_contact_set_force.
sn_wrench sn_world_contact_force(const sn_world* world, int32_t i);
/// Holds two bodies together until removed; see sn_contact_set_add_constraint.
sn_status sn_world_add_constraint(sn_world* world, const sn_constraint* constraint,
                                  sn_error* error);
sn_status sn_world_remove_constraint(sn_world* world, uint64_t id);
/// Trees of bodies that touch each other, directly or through others but not through the world, are one group.
int32_t sn_world_group_count(const sn_world* world);
int32_t sn_world_group_of(const sn_world* world, sn_body_id body);
/// Whether a body sleeps with its group; and wakes it.
bool sn_world_is_resting(const sn_world* world, sn_body_id body);
void sn_world_wake(sn_world* world, sn_body_id body);

// ---- bodies come and go ---------------------------------------------------------------------------

/// A model that will take the place of a world's: everything about it that takes long, such as its
/// assembly tree, is done before.
typedef struct sn_replacement sn_replacement;

/// Prepares a model, which must outlive the world, with the world's options. from[i] is the body of the
/// present model that body i goes on from (position, velocity, force, wrench, lock; the joints must be of
/// one type), -1: body i is new, at its neutral position, at rest. Thread: any, one at a time; only
/// constants of the world are read.
sn_status sn_world_prepare(const sn_world* world, const sn_model* model, const sn_body_id* from,
                           sn_replacement** replacement, sn_error* error);
/// Puts it in at this step boundary; time goes on. SN_ERR_ARGUMENT, nothing changed, when the world's
/// model is not the one it was prepared for. The world owns it from then on, and the next step reports
/// SN_EVENT_REPLACED. Thread: sim. Realtime: copies the state, never allocates.
sn_status sn_world_replace(sn_world* world, sn_replacement* replacement);
/// One that was never put in.
void sn_replacement_free(sn_replacement* replacement);
/// Frees what replaced models have left behind and nobody looks at any more; returns how many are still
/// looked at. Thread: sim. Realtime: no.
int sn_world_collect(sn_world* world);

// ---- stepping: thread sim -------------------------------------------------------------------------

enum { SN_STAGE_MAX = 9 };

/// Things that can happen inside a step; bits of sn_step_report.events.
typedef enum sn_event {
    SN_EVENT_NOT_FINITE = 1,  ///< the new state was not finite: the old one is kept, steps stop
    SN_EVENT_NO_CONVERGE = 2, ///< implicit midpoint stopped at its last sweep
    SN_EVENT_BAD_COMMAND = 4, ///< a posted command did not fit the model and was dropped
    SN_EVENT_REGION = 8,      ///< it was decided anew which joints are active
    SN_EVENT_REPLACED = 16,   ///< bodies came or went before this step
    SN_EVENT_FULL = 32,       ///< more contacts or near pairs than capacity: some were dropped
    SN_EVENT_LOST = 64,       ///< a body has no finite pose: it touches nothing
    SN_EVENT_UNSOLVED = 128,  ///< contact impulses are not within the tolerance
    SN_EVENT_LATE = 256,      ///< solving stopped at its time
    SN_EVENT_NO_CONTACT = 512 ///< the contact problem was refused: the step went without
} sn_event;

/// Contact in one step.
typedef struct sn_contact_summary {
    sn_collision_report found;
    int32_t points;     ///< contacts solved
    int32_t groups;     ///< of trees of bodies that touch each other; a tree alone is one
    int32_t resting;    ///< bodies that sleep
    int32_t bounces;    ///< contacts that were to bounce
    int32_t calmed;     ///< groups whose restitution would have created energy
    int64_t iterations; ///< most of a group
    double residual;    ///< see sn_contact_verdict
    double energy;      ///< J: what contact gave to the kinetic energy (negative: took)
    double push;        ///< m: farthest that undoing overlap moved a joint's coordinate, m or rad
} sn_contact_summary;

typedef struct sn_step_report {
    uint64_t step;   ///< steps done, this one included
    double time;     ///< s, after the step
    unsigned events; ///< sn_event bits
    int commands;    ///< commands taken from the ring
    int sweeps;      ///< evaluations of forward dynamics
    int active;      ///< joints that are active
    double
        region_error; ///< metric of the accelerations left out, at the last choice of active joints
    sn_contact_summary contact;
    int stage_count;
    int64_t stage_ns[SN_STAGE_MAX]; ///< time in each stage, by the injected clock
} sn_step_report;

/// One step. SN_ERR_NUMERIC when the state stopped being finite (it stays at the last good one and
/// the fault latches: SN_ERR_FAULT until sn_world_set_state). report may be NULL.
/// Realtime: yes.
sn_status sn_world_step(sn_world* world, sn_step_report* report);
/// Name of stage i as sn_step_report counts them; NULL past the last.
const char* sn_world_stage_name(int i);

// ---- commands: thread host, while another thread steps --------------------------------------------

typedef enum sn_command_type {
    SN_COMMAND_WRENCH,      ///< body, axes, wrench
    SN_COMMAND_FORCE,       ///< body: joint; force: nv numbers of that joint
    SN_COMMAND_LOCK,        ///< body: joint
    SN_COMMAND_UNLOCK,      ///< body: joint
    SN_COMMAND_KEEP_ACTIVE, ///< body
    SN_COMMAND_LET_SLEEP,   ///< body
    SN_COMMAND_ADAPTIVITY,  ///< adaptivity
    SN_COMMAND_REPLACE      ///< replacement
} sn_command_type;

typedef struct sn_command {
    sn_command_type type;
    sn_body_id body;
    sn_axes axes;
    sn_wrench wrench;
    double force[SN_JOINT_MAX_NV];
    sn_adaptivity adaptivity;
    sn_replacement* replacement;
} sn_command;

/// Sends a command to the next step; SN_ERR_CAPACITY, nothing sent, when too many wait.
sn_status sn_world_post(sn_world* world, const sn_command* command);

// ---- looking: thread io, while another thread steps -----------------------------------------------

/// The newest published snapshot, the same until the next call. Never waits.
const sn_snapshot* sn_world_snapshot(sn_world* world);

double sn_snapshot_time(const sn_snapshot* snapshot);
uint64_t sn_snapshot_step(const sn_snapshot* snapshot);
unsigned sn_snapshot_events(const sn_snapshot* snapshot);
/// Active joints, and what the others would do.
sn_region_report sn_snapshot_region(const sn_snapshot* snapshot);
/// Contacts of the step, with their forces.
typedef struct sn_contact_view {
    sn_body_id a, b;
    sn_vec3 x, n; ///< point and normal, from b to a, world
    double gap;   ///< m
    double mu;
    sn_vec3 force; ///< N on body a, world
} sn_contact_view;

int32_t sn_snapshot_contact_count(const sn_snapshot* snapshot);
const sn_contact_view* sn_snapshot_contacts(const sn_snapshot* snapshot);
/// Bodies that move as one form a group. A pose is that of its group times a constant offset.
int sn_snapshot_group_count(const sn_snapshot* snapshot);
int sn_snapshot_group_of(const sn_snapshot* snapshot, sn_body_id body);
sn_pose sn_snapshot_group_pose(const sn_snapshot* snapshot, int group);
/// The body in its group.
sn_pose sn_snapshot_offset(const sn_snapshot* snapshot, sn_body_id body);
sn_pose sn_snapshot_pose(const sn_snapshot* snapshot, sn_body_id body);
/// Position and velocity of one joint; either may be NULL.
void sn_snapshot_joint(const sn_snapshot* snapshot, sn_body_id joint, double* q, double* v);

#ifdef __cplusplus
}
#endif
#endif
