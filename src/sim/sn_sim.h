// SPDX-License-Identifier: Apache-2.0
/// Front door of `sim`: a world and the stages of its step.
///
/// The order of a step is the table in step.c and nothing else; each stage has a file of its own,
/// numbered as in docs/step.md, that takes data out of the world, calls the module that does the
/// work and puts the result back. Called by the public functions; after creation nothing here
/// allocates, locks, prints or touches a file.
#ifndef SN_SIM_SN_SIM_H
#define SN_SIM_SN_SIM_H

#include "base/mailbox.h"
#include "base/ring.h"
#include "collision/sn_collision.h"
#include "contact/sn_contact.h"
#include "dynamics/sn_dynamics.h"
#include "sim/groups.h"
#include "sim/rest.h"
#include "sinew/delassus.h"
#include "sinew/world.h"

/// What others may look at, one of three behind a mailbox.
struct sn_snapshot {
    const sn_model* model;
    uint64_t step;
    double time;
    unsigned events;
    sn_region_report region;
    bool sleeps;     ///< joints may sleep: `shape` holds the rest, and otherwise what follows it
    sni_shape shape; ///< made of what is awake
    sni_groups groups;
    sn_pose* group_pose;   // [groups.count] of [body_count]
    double* q;             // [nq]
    double* v;             // [nv]
    bool* resting;         // [body_count]
    uint64_t rest_version; ///< of it
    int32_t contact_count;
    sn_contact_view* contact; // [contact_count] of [contacts of the collider]
};

/// What the system remembers: copying it is a complete save.
typedef struct sni_state {
    uint64_t step;        ///< time is step times the step size
    double* q;            // [nq]
    double* v;            // [nv]
    double* force;        // [nv] joint forces of the user
    double* control;      // [nv] joint forces of control, as it asks for them
    double* drive;        // [3 nv] give, lower, upper of control
    sni_rest rest;        ///< which bodies sleep with their group
    int32_t spring_count; ///< numbers below it may be in use
    sn_spring* spring;    // [SN_SPRINGS_MOST] stiffness 0: none; NULL where there is inertia
    bool fault;           ///< the last step was not finite; latched
} sni_state;

/// Options that may change while the world runs.
typedef struct sni_settings {
    sn_vec3 gravity;
    sn_adaptivity adaptivity;
    double tolerance; ///< of the contact solver
    int64_t iterations;
} sni_settings;

/// A wrench of the user's while another one takes its place.
typedef struct sni_kept_wrench {
    sn_body_id body;
    sn_axes axes;
    sn_wrench wrench;
} sni_kept_wrench;

/// Scratch, written anew each step by the stage that names it.
typedef struct sni_work {
    double* tau;      // [nv] control: joint forces of user, springs and dampers
    double* springs;  // [nv] what implicit springs and dampers of the model add to the armature
    double* extra;    // [nv] that, and what control adds
    double* qdd;      // [nv] free: accelerations at the start of the step
    double* q;        // [nq] integrate: next configuration, until it is known to be finite
    double* v;        // [nv] integrate: next velocity
    double* v_free;   // [nv] delassus: at the end of the step without contact
    double* v_plus;   // [nv] solve: with it
    double* w;        // [nv] solve: what undoes overlap
    double* s;        // [rows] solve: impulses of the position problem
    double* control;  // [4 nv] control: what is computed anew, tau and drive
    double* pull;     // [nv] control: its force but for what gives
    double* applied;  // [nv] integrate: force of control in the step
    double* reached;  // [nv] free: accelerations that the search for forces at bounds has come to
    double* load;     // [nv] free: and the forces that they take
    sni_servo* servo; // [servo_count] of [servos] control: forces that may reach their bounds
    int32_t servo_count;
    bool drives;            ///< some force of control gives, or did in the last step
    sn_wrench* field;       // [body_count] free: of the force field; NULL: no room for one
    sn_body_wrench* wrench; // [body_count] solve
    double* joint_impulse;  // [nv] solve
    sni_kept_wrench* kept;  // [kept_count] of [body_count] free: user's, while joints are chosen
    int32_t kept_count;
    int32_t* was_awake; // [body_count] free: joints that were awake before it was decided anew
    sni_integrator_work integrator;
    sni_relax_work relax; ///< of a quasi-static world
} sni_work;

/// What a coupling law with contact needs (coupling.c).
typedef struct sni_touching sni_touching;
sn_status sni_touching_create(sn_dynamics* dynamics, sni_touching** touching, sn_error* error);
void sni_touching_free(sni_touching* touching);

/// What contact needs; all NULL where it is off.
typedef struct sni_contacts {
    sni_touching* touching;
    sn_collider* collider;
    sn_contact_set* set;
    sn_contact_solver* solver;
    int32_t servos;         ///< most
    int32_t count;          ///< contacts of this step
    const sn_contact* list; ///< of the collider
    bool built;             ///< there is a problem to solve in this step
    bool solved;            ///< the set holds impulses of the last step
    bool pushed;            ///< work.w is not zero
} sni_contacts;

/// A user's functions in place of the stages from free to integrate.
typedef struct sni_simulator {
    sn_simulator_module table; ///< advance NULL: the stages are ours
    void* memory;              ///< the user's, for the model
} sni_simulator;

/// A whole world, made for another model, that waits to give its insides away; and what they were
/// exchanged for, as long as somebody may look at it.
struct sn_replacement {
    sn_world* other;
    const sn_model* before; ///< the model it replaces
    const sn_model* model;
    int32_t* from; // [body_count]
    double* q;     // [nq] where new bodies begin
    double* v;     // [nv]
    bool* locked;  // [body_count] joints of new bodies
    void*
        companion; ///< of the model: the world's while it is in, that of the model before afterwards
    sn_replacement* next;
};

struct sn_world {
    sn_world_def def; ///< as it was created
    sni_settings settings;
    sn_control control;
    sn_field field; ///< compute NULL: none
    sn_tape tape;
    bool is_controlled; ///< some force of control is not zero
    int64_t
        decided[2]; ///< iterations that a clock allowed the next step, by the tape; 0: it is asked
    const sn_model* model;
    int32_t first_shapes; ///< that moved and touched when it was created
    sni_arena arena;
    sni_arena command_arena;
    double h; ///< s
    sn_integrator integrator;
    sn_clock clock;
    sn_dynamics* dynamics;
    sni_contacts contacts;
    sni_simulator simulator;
    sni_state state;
    char fault[256];         ///< why state.fault is set
    bool motion_is_current;  ///< dynamics holds the kinematics of `state`
    bool state_is_new;       ///< not only what is awake has changed since
    bool is_thought_of;      ///< somebody asked about a new state, so it was decided what is awake
    uint64_t region_step;    ///< when it was last decided which joints are awake
    int region_period;       ///< steps until it is decided again
    bool region_due;         ///< it should not wait so long
    uint64_t sleeping_hash;  ///< sum of the hashes of joints that are not awake
    bool groups_are_current; ///< no joint was locked or freed and no state was set since
    sni_work work;
    void* companion; ///< what belongs to the model for whoever made the world; not touched here
    sni_ring commands;
    sni_mailbox mailbox;
    sn_snapshot snapshot[SN_MAILBOX_SLOTS];
    sni_groups groups;
    // after a replacement
    bool replaced;                               ///< since the last step
    bool slot_is_due[SN_MAILBOX_SLOTS];          ///< this slot still shows the model before
    sn_snapshot next_snapshot[SN_MAILBOX_SLOTS]; ///< what takes its place when it is written next
    sn_replacement* retired;                     ///< newest first
};

/// Parts of the world that stages read and write. What the world remembers from step to step is BLK_STATE; the
/// others are of one step.
enum {
    BLK_INPUT = 1, ///< commands waiting in the ring
    BLK_STATE =
        2, ///< state but for groups, wrenches, locks, which joints are awake, where bodies are; of
           ///< the last step: contacts and their impulses, in contacts.set
    BLK_TAU = 4,       ///< work.tau
    BLK_FREE = 8,      ///< work.qdd
    BLK_SNAPSHOT = 16, ///< the mailbox
    BLK_CONTACTS = 32, ///< contacts.list
    BLK_GROUPS = 64,   ///< state.rest.leader of what is awake
    BLK_PROBLEM = 128, ///< the problems of contacts.set, work.v_free
    BLK_IMPULSE = 256  ///< work.v_plus, work.w
};

typedef struct sni_stage {
    const char* name;
    sn_status (*run)(sn_world* world, sn_step_report* report);
    sn_status (*simulated)(sn_world* world,
                           sn_step_report* report); ///< instead, with a simulator; NULL: nothing
    unsigned reads, writes;                         ///< BLK_ bits
} sni_stage;

/// Stage i of the table in step.c; NULL past the last.
const sni_stage* sni_stage_at(int i);

sn_status sni_stage_input(sn_world* world, sn_step_report* report);
sn_status sni_stage_control(sn_world* world, sn_step_report* report);
sn_status sni_stage_free(sn_world* world, sn_step_report* report);
sn_status sni_stage_collide(sn_world* world, sn_step_report* report);
sn_status sni_stage_group(sn_world* world, sn_step_report* report);
sn_status sni_stage_delassus(sn_world* world, sn_step_report* report);
sn_status sni_stage_solve(sn_world* world, sn_step_report* report);
sn_status sni_stage_integrate(sn_world* world, sn_step_report* report);
sn_status sni_stage_simulate(sn_world* world, sn_step_report* report);
sn_status sni_stage_publish(sn_world* world, sn_step_report* report);

/// Modules of its own, and besides them those of `others`, which outlive it; NULL: none.
sn_modules* sni_modules_beside(const sn_modules* others);
/// Says that a user's functions are at fault, and what their status was, which is returned.
sn_status sni_blame(sn_world* world, const char* kind, const char* name, sn_status status);
/// Stops the world for what a stage returned.
void sni_latch(sn_world* world, const char* stage, sn_status status);
static inline bool sni_is_quasistatic(const sn_world* world) {
    return world->integrator == SN_INTEGRATE_QUASISTATIC;
}
static inline bool sni_is_simulated(const sn_world* world) {
    return world->simulator.table.advance;
}
/// Whether springs and dampers are implicit in a step.
static inline bool sni_is_implicit(const sn_world* world) {
    return world->integrator == SN_INTEGRATE_EULER && !sni_is_simulated(world);
}

/// Collider, set and solver for the world's model; nothing where contact is off.
sn_status sni_contacts_create(sn_world* world, sn_error* error);
void sni_contacts_free(sni_contacts* contacts);
static inline bool sni_has_contact(const sn_world* world) { return world->contacts.collider; }
/// Joints that move in this step: awake, and not at rest with their group.
static inline const int32_t* sni_moving(const sn_world* world, int32_t* count) {
    const sni_rest* rest = &world->state.rest;
    bool some_rest = rest->resting_count > 0;
    *count = some_rest ? rest->moving_count : world->dynamics->awake_count;
    return some_rest ? rest->moving : world->dynamics->awake;
}
/// Tells the collider where bodies are that may have moved.
void sni_contacts_move(sn_world* world);
/// Lets contact forces of the last step act, and takes them back.
void sni_press(sn_world* world);
void sni_release(sn_world* world);
/// Wakes the group of a body.
void sni_wake(sn_world* world, int32_t body);

/// Something changed that decides what is awake. What was decided about a new state, because somebody asked, is dropped:
/// in a replay nobody asks.
void sni_rethink(sn_world* world);
/// What the force field, and relaxing, remember does not count any more.
void sni_forget_field(sn_world* world);
/// Wrenches of the force field, and of springs of hands, for the motion that the dynamics has now.
sn_status sni_ask_field(sn_world* world);
/// What springs pull with where bodies are by the dynamics now.
void sni_pull_springs(sn_world* world);
/// A step without inertia, from qdd at rest: work.q, and velocities of zero.
sn_status sni_step_quasistatic(sn_world* world, const sni_system* system, sn_step_report* report);
/// New forces of control; refused when one is not finite. New drive, 3 nv numbers; refused when one cannot be.
sn_status sni_set_control(sn_world* world, const double* tau);
sn_status sni_set_drive(sn_world* world, const double* numbers);
/// No control; the armature of springs and dampers.
void sni_drive_start(sn_world* world);
/// Decides how the forces of control act in a step: by work.pull and armature, or as rows of the contact problem.
void sni_drive_begin(sn_world* world);
/// Holds forces within their bounds at the accelerations in work.qdd, which are computed anew; with contact, chooses
/// those that become rows.
sn_status sni_drive_bound(sn_world* world, int* sweeps);
/// A search for the forces that are at bounds, from the accelerations in work.qdd.
typedef struct sni_drive_search {
    int passes;
} sni_drive_search;
sni_drive_search sni_drive_search_begin(sn_world* world);
/// True: pull and armature changed, and accelerations are to be computed anew.
bool sni_drive_search_on(sn_world* world, sni_drive_search* search);
/// What the forces of control were in the step, into work.applied.
void sni_drive_end(sn_world* world);
/// What is controlled does not sleep: its forces would follow every last bit of motion anyhow.
void sni_keep_controlled_awake(sn_world* world);
/// Sum of joint forces at (q, v): user, springs, dampers. Of `count` joints; joints NULL: the first.
void sni_joint_forces(sn_world* world, const int32_t* joints, int32_t count, const double* q,
                      const double* v, double* tau);
/// Joint forces of a step at the state, into work.tau.
void sni_step_forces(sn_world* world, const int32_t* joints, int32_t count);
/// Adds joints that fall asleep to the hash of what sleeps; takes joints that wake out of it.
void sni_hash_out(sn_world* world, const int32_t* joints, int32_t count);
void sni_hash_in(sn_world* world, const int32_t* joints, int32_t count);
/// Makes the dynamics hold the kinematics of the state.
void sni_update_motion(sn_world* world);
/// The force on a joint changed: it may have to wake.
void sni_wake_for_force(sn_world* world, int32_t joint);
/// Collision shapes that move.
int32_t sni_count_moving_shapes(const sn_model* model);
/// Frees all that replaced models have left behind.
void sni_free_retired(sn_world* world);
/// Tells the tape what was done.
static inline void sni_tell(const sn_world* world, const sn_command* command) {
    if (world->tape.write) world->tape.write(world->tape.context, command);
}
/// The same of an action that has a body and nothing else.
static inline void sni_tell_body(const sn_world* world, sn_command_type type, sn_body_id body) {
    if (world->tape.write) sni_tell(world, &(sn_command){.type = type, .body = body});
}

#endif
