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
#include "dynamics/sn_dynamics.h"
#include "sim/groups.h"
#include "sinew/world.h"

/// What others may look at, one of three behind a mailbox.
struct sn_snapshot {
    const sn_model* model;
    uint64_t step;
    double time;
    unsigned events;
    sni_groups groups;
    sn_pose* group_pose; // [groups.count] of [body_count]
    double* q;           // [nq]
    double* v;           // [nv]
};

/// What the system remembers: copying it is a complete save.
typedef struct sni_state {
    uint64_t step; ///< time is step times the step size
    double* q;     // [nq]
    double* v;     // [nv]
    double* force; // [nv] joint forces of the user
    bool fault;    ///< the last step was not finite; latched
} sni_state;

/// Scratch, written anew each step by the stage that names it.
typedef struct sni_work {
    double* tau;   // [nv] control: joint forces of user, springs and dampers
    double* extra; // [nv] what implicit springs and dampers add to the armature; constant
    double* qdd;   // [nv] free: accelerations at the start of the step
    double* q;     // [nq] integrate: next configuration, until it is known to be finite
    double* v;     // [nv] integrate: next velocity
    sni_integrator_work integrator;
} sni_work;

struct sn_world {
    const sn_model* model;
    sni_arena arena;
    double h; ///< s
    sn_integrator integrator;
    sn_clock clock;
    sn_dynamics* dynamics;
    sni_state state;
    bool motion_is_current;  ///< dynamics holds the kinematics of `state`
    bool groups_are_current; ///< no joint was locked or freed and no state was set since
    sni_work work;
    sni_ring commands;
    sni_mailbox mailbox;
    sn_snapshot snapshot[SN_MAILBOX_SLOTS];
    sni_groups groups;
};

/// Parts of the world that stages read and write.
enum {
    BLK_INPUT = 1,    ///< commands waiting in the ring
    BLK_STATE = 2,    ///< q, v, user forces, wrenches, locks
    BLK_TAU = 4,      ///< work.tau
    BLK_FREE = 8,     ///< work.qdd
    BLK_SNAPSHOT = 16 ///< the mailbox
};

typedef struct sni_stage {
    const char* name;
    sn_status (*run)(sn_world* world, sn_step_report* report);
    unsigned reads, writes; ///< BLK_ bits
} sni_stage;

sn_status sni_stage_input(sn_world* world, sn_step_report* report);
sn_status sni_stage_control(sn_world* world, sn_step_report* report);
sn_status sni_stage_free(sn_world* world, sn_step_report* report);
sn_status sni_stage_integrate(sn_world* world, sn_step_report* report);
sn_status sni_stage_publish(sn_world* world, sn_step_report* report);

/// Sum of joint forces at (q, v): user, springs, dampers.
void sni_joint_forces(sn_world* world, const double* q, const double* v, double* tau);
/// Makes the dynamics hold the kinematics of the state.
void sni_update_motion(sn_world* world);
sn_status sni_apply_command(sn_world* world, const sn_command* command);

#endif
