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
#include "sinew/coupling_contact.h"
#include "sinew/dynamics.h"
#include "sinew/modules.h"
#include "sinew/units.h"

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
    X(SN_INTEGRATE_MIDPOINT, "midpoint", "implicit midpoint, order 2, keeps energy best")          \
    X(SN_INTEGRATE_QUASISTATIC, "quasistatic",                                                     \
      "no inertia: each step goes downhill towards where all forces balance")

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
    const char* detector;       ///< by name, NULL: ours, "sinew"
    sn_contact_options options; ///< restitution, overlap, limits
    const char* solver;         ///< by name, NULL: the default
    sn_solve_options solve;     ///< clock and deadline are the world's
    double
        solve_time; ///< s: a step's solving ends then, with what it has, by the world's clock; INFINITY: never
    int workers;         ///< threads that help to solve
    int32_t constraints; ///< most constraints at once
    int32_t servos;      ///< most forces of control that are near their bounds at once and give
    double rest_speed;   ///< m/s: bodies that touch each other and are all slower than this
    double rest_time;    ///< for so long, s, fall asleep until touched; INFINITY: never
} sn_world_contact;

/// Off; residual 1e-4, at most 100 sweeps, as long as it takes; asleep after 0.5 s below 2 mm/s.
sn_world_contact sn_world_contact_default(void);

/// How a step of a quasi-static world relaxes.   docs/step.md
typedef struct sn_relaxation {
    int evaluations;  ///< of all forces, at most, in a step
    double tolerance; ///< N m, or N: balanced, when no joint feels more
} sn_relaxation;

typedef struct sn_world_def {
    double step;              ///< s
    sn_vec3 gravity;          ///< m/s^2, world axes
    const char* dynamics;     ///< algorithm by name, NULL: "aba"
    sn_adaptivity adaptivity; ///< of "adaptive"
    sn_integrator integrator;
    sn_relaxation relaxation; ///< of "quasistatic"
    sn_world_contact contact;
    sn_unit_system units;  ///< what the numbers of the model and of all this are in
    bool field;            ///< there is room for a force field, see sn_world_set_field
    const char* simulator; ///< by name, NULL: the stages of docs/step.md, "sinew"
    const sn_modules*
        modules;       ///< found by the names above before ours are; outlives the world; NULL: none
    const sn_log* log; ///< of creation, NULL: none
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
/// The world's dynamics, at the state it has now. Anything may be asked of it; where joints may sleep
/// ("adaptive") nothing that is given a state.
sn_dynamics* sn_world_dynamics(sn_world* world);
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
const double* sn_world_force(const sn_world* world);
/// External wrench on a body until changed; see sn_dynamics_set_wrench.
sn_status sn_world_set_wrench(sn_world* world, sn_body_id body, sn_axes axes, sn_wrench wrench);
/// Wrench of all hands on a body until changed, body axes: acts besides the one above.
sn_status sn_world_set_pull(sn_world* world, sn_body_id body, sn_wrench wrench);
/// What holds a body in a hand, for worlds without inertia, in which a body follows a pull that stays the same however
/// far.
typedef struct sn_spring {
    sn_body_id body;
    sn_vec3 point;         ///< m, in the body: one end
    sn_pose anchor;        ///< the other, world
    double stiffness;      ///< N/m
    double turn_stiffness; ///< N m/rad, to the orientation of the anchor; 0: free to turn
    double most_force;     ///< N; 0: no limit
} sn_spring;
enum { SN_SPRINGS_MOST = 64 };
/// Spring number `number`, below SN_SPRINGS_MOST, until changed; NULL: none. While there is one on a body, it is what
/// sn_world_pull says. Only of a quasi-static world: SN_ERR_ARGUMENT.
sn_status sn_world_set_spring(sn_world* world, int number, const sn_spring* spring);
/// What a spring does to its body as it is now, body axes; zero: there is none.
sn_wrench sn_world_spring_wrench(const sn_world* world, int number);
/// Wrench of all hands on a body as of the last step, body axes.
sn_wrench sn_world_pull(const sn_world* world, sn_body_id body);
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
/// That of a force field counts as potential.
sn_energy sn_world_energy(sn_world* world);
sn_momentum sn_world_momentum(sn_world* world);
/// Hash of time, q and v: equal bits, equal hash. Costs what is awake.
uint64_t sn_world_hash(const sn_world* world);
double sn_world_step_size(const sn_world* world); ///< s
sn_integrator sn_world_integrator(const sn_world* world);
/// What its numbers mean, where headers say m, s, kg, N and J.
sn_unit_system sn_world_units(const sn_world* world);
sn_vec3 sn_world_gravity(const sn_world* world);
sn_status sn_world_set_gravity(sn_world* world, sn_vec3 g_w);
/// Tolerance and iterations of the contact solver from now on.
sn_status sn_world_set_solve(sn_world* world, double tolerance, int64_t iterations);

// ---- control: thread sim ----------------------------------------------------------------------------

/// What control does to the joints in one step. The force on degree of freedom k is
///     tau[k] - give[k] qdd[k],   but not below lower[k] and not above upper[k],
/// with the acceleration qdd that comes of it and of everything else. So a spring and a damper are those of the end of
/// the step, and stable however stiff they are: tau = kp (target - q - h v) - kd v, give = h kd + h^2 kp. Where springs
/// and dampers of joints are explicit (see SN_INTEGRATOR_LIST) give does not count.
typedef struct sn_drive {
    double* tau;   ///< [nv] N or N m, without acceleration; 0 to begin with
    double* give;  ///< [nv] kg or kg m^2, not negative; 0 to begin with
    double* lower; ///< [nv] -INFINITY to begin with
    double* upper; ///< [nv] not below lower; INFINITY to begin with
} sn_drive;

/// Joint forces that are computed anew in every step, besides those of sn_world_set_force.
typedef struct sn_control {
    /// Fills `drive` for the state that the world has. Anything but SN_OK, or numbers that a drive cannot have, ends
    /// it: no more forces, SN_EVENT_CONTROL.
    sn_status (*compute)(void* context, const sn_world* world, const sn_drive* drive);
    void* context;
} sn_control;

/// NULL: none, and no more forces of it.
void sn_world_set_control(sn_world* world, const sn_control* control);
/// nv forces of control in the last step, as they were in the end.
const double* sn_world_control(const sn_world* world);

// ---- force field: thread sim, between steps ---------------------------------------------------------

/// Forces on bodies that are computed anew in every step, and wherever an integrator looks between two.
typedef struct sn_field {
    const char* name;
    /// Writes a wrench for each body of the model into wrench_w, which holds zeros: world axes, about the body's
    /// origin. Poses and velocities are those of `dynamics`; `step` counts the steps that were done, so that what
    /// is random can depend on it alone and happens again in a replay. Never allocates. Anything but SN_OK, or a
    /// number that is not finite, stops the world.
    sn_status (*compute)(void* context, const sn_dynamics* dynamics, uint64_t step,
                         sn_wrench* wrench_w);
    void* context;
    /// Its energy for the motion that `dynamics` has; NULL: it has none. Must not change what compute answers.
    double (*energy)(void* context, const sn_dynamics* dynamics);
    /// The state was set, or a recording begins: from now on it answers to the bit as one would that was made now. NULL: it
    /// remembers nothing of computations before.
    void (*forget)(void* context);
} sn_field;

/// NULL: none, and no more forces of it. SN_ERR_ARGUMENT when the world was created without room for one.
sn_status sn_world_set_field(sn_world* world, const sn_field* field);

// ---- contact: thread sim, between steps -------------------------------------------------------------

/// The shapes, at the poses of the beginning of the last step, for rays and near points and to switch pairs; NULL:
/// contact is off.
sn_collider* sn_world_collider(sn_world* world);
/// Contacts of the last step, of bodies that were awake.
int32_t sn_world_contact_count(const sn_world* world);
const sn_contact* sn_world_contacts(const sn_world* world);
/// Force of contact i on its body a, see sn_contact_set_force.
sn_wrench sn_world_contact_force(const sn_world* world, int32_t i);
/// Holds two bodies together until removed; see sn_contact_set_add_constraint.
sn_status sn_world_add_constraint(sn_world* world, const sn_constraint* constraint,
                                  sn_error* error);
/// The same, with both frames at the origin of b (of a, where b is the world) as the bodies are now.
sn_status sn_world_hold(sn_world* world, const sn_constraint* constraint, sn_error* error);
sn_status sn_world_remove_constraint(sn_world* world, uint64_t id);
/// Trees of bodies that touch each other, directly or through others but not through the world, are one group.
int32_t sn_world_group_count(const sn_world* world);
int32_t sn_world_group_of(const sn_world* world, sn_body_id body);
/// Whether a body sleeps with its group; and wakes it, or keeps it from falling asleep in the coming step.
bool sn_world_is_resting(const sn_world* world, sn_body_id body);
void sn_world_wake(sn_world* world, sn_body_id body);

/// What hands feel until the next step (docs/coupling.md): the law of the bodies hands[i].body without contact, and what
/// touches or holds their groups, into a record for the coupling loop. hands[i].wrench is what the wrenches of the
/// world contain of hand i. law: NULL, or the law for these wrenches with contact. The step to come is not changed by
/// asking. What sleeps is to be woken before: contacts->resting. Refused as sn_dynamics_coupling is; SN_ERR_ARGUMENT
/// in a world of a user's simulator. Realtime: yes.
sn_status sn_world_coupling(sn_world* world, const sn_body_wrench* hands, int count,
                            sn_coupling_contacts* contacts, sn_coupling_law* law);

// ---- bodies come and go ---------------------------------------------------------------------------

/// A model that will take the place of a world's: everything about it that takes long, such as its
/// assembly tree, is done before.
typedef struct sn_replacement sn_replacement;

/// Prepares a model, which must outlive the world, with the world's options. It takes the place of `before`, which
/// is the world's model then. from[i] is the body of that model that body i goes on from (position, velocity,
/// force, wrench, lock; the joints must be of one type), -1: body i is new, at its neutral position, at rest.
/// Constraints go on with their bodies. Where the model has more shapes than the first one, there is room for more
/// contacts in proportion. Thread: any, one at a time; only constants of the world are read.
sn_status sn_world_prepare(const sn_world* world, const sn_model* before, const sn_model* model,
                           const sn_body_id* from, sn_replacement** replacement, sn_error* error);
/// Where new bodies begin: nq and nv numbers of the new model; NULL leaves a part as it is. Those of bodies that
/// go on do not count. SN_ERR_NUMERIC as sn_world_set_state.
sn_status sn_replacement_set_state(sn_replacement* replacement, const double* q, const double* v);
/// Locks the joint of a new body.
sn_status sn_replacement_lock(sn_replacement* replacement, sn_body_id joint);
const sn_model* sn_replacement_model(const sn_replacement* replacement);
/// Body that body i goes on from.
sn_body_id sn_replacement_from(const sn_replacement* replacement, sn_body_id body);
/// As they begin; of bodies that go on: neutral, at rest.
const double* sn_replacement_q(const sn_replacement* replacement);
const double* sn_replacement_v(const sn_replacement* replacement);
bool sn_replacement_is_locked(const sn_replacement* replacement, sn_body_id joint);
/// Puts it in at this step boundary; time goes on. SN_ERR_ARGUMENT, nothing changed, when the world's
/// model is not the one it was prepared for. The world owns it from then on, and the next step reports
/// SN_EVENT_REPLACED. Thread: sim. Realtime: copies the state, never allocates.
sn_status sn_world_replace(sn_world* world, sn_replacement* replacement);
/// One that was never put in, or was taken back.
void sn_replacement_free(sn_replacement* replacement);
/// The model it took the place of.
const sn_model* sn_replacement_before(const sn_replacement* replacement);
/// One that was put in, and what it has left behind, when nobody looks at that any more; the caller frees it, by
/// sn_replacement_free, on any thread. NULL: there is none. Thread: sim. Realtime: yes.
sn_replacement* sn_world_take_retired(sn_world* world);
/// Takes and frees all such; returns how many are still looked at. Thread: sim. Realtime: no.
int sn_world_collect(sn_world* world);

// ---- stepping: thread sim -------------------------------------------------------------------------

enum { SN_STAGE_MAX = 9 };

/// Things that can happen inside a step; bits of sn_step_report.events.
typedef enum sn_event {
    SN_EVENT_NOT_FINITE =
        1, ///< the new state was not finite, or a module failed (sn_world_fault): the old one is
           ///< kept, steps stop
    SN_EVENT_NO_CONVERGE = 2,  ///< implicit midpoint stopped at its last sweep; forces do not
                               ///< balance yet in a quasi-static world
    SN_EVENT_BAD_COMMAND = 4,  ///< a posted command did not fit the model and was dropped
    SN_EVENT_REGION = 8,       ///< it was decided anew which joints are active
    SN_EVENT_REPLACED = 16,    ///< bodies came or went before this step
    SN_EVENT_FULL = 32,        ///< more contacts or near pairs than capacity: some were dropped
    SN_EVENT_LOST = 64,        ///< a body has no finite pose: it touches nothing
    SN_EVENT_UNSOLVED = 128,   ///< contact impulses are not within the tolerance
    SN_EVENT_LATE = 256,       ///< solving stopped at its time
    SN_EVENT_NO_CONTACT = 512, ///< the contact problem was refused: the step went without
    SN_EVENT_CONTROL = 1024    ///< control failed or was not finite: it is switched off
} sn_event;

/// Contact in one step.
typedef struct sn_contact_summary {
    sn_collision_report found;
    int32_t points;              ///< contacts solved
    int32_t groups;              ///< of trees of bodies that touch each other; a tree alone is one
    int32_t resting;             ///< bodies that sleep
    int32_t bounces;             ///< contacts that were to bounce
    int32_t calmed;              ///< groups whose restitution would have created energy
    int64_t iterations;          ///< most of a group
    int64_t position_iterations; ///< the same of the problem that undoes overlap
    double residual;             ///< see sn_contact_verdict
    double energy;               ///< J: what contact gave to the kinetic energy (negative: took)
    double push; ///< m: farthest that undoing overlap moved a joint's coordinate, m or rad
} sn_contact_summary;

typedef struct sn_step_report {
    uint64_t step;     ///< steps done, this one included
    double time;       ///< s, after the step
    unsigned events;   ///< sn_event bits
    int commands;      ///< commands taken from the ring
    int sweeps;        ///< evaluations of forward dynamics
    double unbalanced; ///< N m or N: largest force on a joint, of a quasi-static world
    int active;        ///< joints that are active
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
/// Shows the state as it is now to who looks, without a step. Thread: sim, between steps. Realtime: yes.
void sn_world_publish(sn_world* world);
/// Why the world stopped, for a person: "dynamics 'mine' returned: ...", where a module is at fault; "" while no
/// fault is latched.
const char* sn_world_fault(const sn_world* world);
/// Name of stage i as sn_step_report counts them; NULL past the last.
const char* sn_world_stage_name(int i);

// ---- commands -----------------------------------------------------------------------------------------

/// Everything that can reach a world from outside: X(code, what it uses).
#define SN_COMMAND_LIST(X)                                                                         \
    X(SN_COMMAND_WRENCH, "body, axes, wrench")                                                     \
    X(SN_COMMAND_FORCE, "body: joint; force: nv numbers of that joint")                            \
    X(SN_COMMAND_LOCK, "body: joint")                                                              \
    X(SN_COMMAND_UNLOCK, "body: joint")                                                            \
    X(SN_COMMAND_KEEP_ACTIVE, "body")                                                              \
    X(SN_COMMAND_LET_SLEEP, "body")                                                                \
    X(SN_COMMAND_ADAPTIVITY, "adaptivity")                                                         \
    X(SN_COMMAND_REPLACE, "replacement")                                                           \
    X(SN_COMMAND_STATE, "q: nq numbers, v: nv, either NULL")                                       \
    X(SN_COMMAND_FORCES, "v: forces on all joints, nv numbers")                                    \
    X(SN_COMMAND_CONTROL, "v: forces of control, nv numbers, until its next word")                 \
    X(SN_COMMAND_DRIVE,                                                                            \
      "v: give, lower and upper of control, nv numbers each, until its next word")                 \
    X(SN_COMMAND_GRAVITY, "vector")                                                                \
    X(SN_COMMAND_CONSTRAIN, "constraint; here: with the frames where the bodies are then")         \
    X(SN_COMMAND_RELEASE, "constraint.id")                                                         \
    X(SN_COMMAND_WAKE, "body")                                                                     \
    X(SN_COMMAND_SOLVE, "tolerance, iterations[0]")                                                \
    X(SN_COMMAND_SOLVED, "iterations of the next step: what a clock once decided")                 \
    X(SN_COMMAND_PULL, "body, wrench: of hands, body axes")                                        \
    X(SN_COMMAND_SPRING, "number, spring: of a hand in a quasi-static world; stiffness 0: none")

#define SN_COMMAND_ENUM(code, text) code,
typedef enum sn_command_type { SN_COMMAND_LIST(SN_COMMAND_ENUM) SN_COMMAND_COUNT } sn_command_type;
#undef SN_COMMAND_ENUM

/// What q, v and replacement point to must stay until the command was taken.
typedef struct sn_command {
    sn_command_type type;
    sn_body_id body;
    sn_axes axes;
    sn_wrench wrench;
    double force[SN_JOINT_MAX_NV];
    sn_adaptivity adaptivity;
    sn_replacement* replacement;
    const double* q;
    const double* v;
    sn_vec3 vector;
    sn_constraint constraint;
    int number;
    sn_spring spring;
    bool here;
    double tolerance;
    int64_t iterations[2]; ///< of velocities, of positions
} sn_command;

/// Does it now. Thread: sim, between steps.
sn_status sn_world_apply(sn_world* world, const sn_command* command);
/// Sends it to the next step, a replacement for good; SN_ERR_CAPACITY, nothing sent, when too many wait. Thread: host, while another
/// thread steps.
sn_status sn_world_post(sn_world* world, const sn_command* command);

/// Hears of everything that reached the world, as it is done, whichever function it came by, what a clock
/// decided included (SN_COMMAND_SOLVED, after the step). Given to another world in the same order between the
/// same steps, the same bits come out.
typedef struct sn_tape {
    /// Thread: sim; inside a step, too. Pointers are valid during the call.
    void (*write)(void* context, const sn_command* command);
    void* context;
} sn_tape;

/// NULL: none.
void sn_world_set_tape(sn_world* world, const sn_tape* tape);

// ---- looking: thread io, while another thread steps -----------------------------------------------

/// The newest published snapshot, the same until the next call. Never waits.
const sn_snapshot* sn_world_snapshot(sn_world* world);

/// What it shows: after a replacement the model before, until a step has published.
const sn_model* sn_snapshot_model(const sn_snapshot* snapshot);
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
/// Another number whenever, with the same model, groups, offsets or who rests may be others.
uint64_t sn_snapshot_arrangement(const sn_snapshot* snapshot);
/// Whether a joint cannot move: it is locked, or sleeps where joints may.
bool sn_snapshot_is_still(const sn_snapshot* snapshot, sn_body_id joint);
/// Whether a body sleeps with what it touches.
bool sn_snapshot_is_resting(const sn_snapshot* snapshot, sn_body_id body);
/// The body in its group.
sn_pose sn_snapshot_offset(const sn_snapshot* snapshot, sn_body_id body);
sn_pose sn_snapshot_pose(const sn_snapshot* snapshot, sn_body_id body);
/// Position and velocity of one joint; either may be NULL.
void sn_snapshot_joint(const sn_snapshot* snapshot, sn_body_id joint, double* q, double* v);

#ifdef __cplusplus
}
#endif
#endif
