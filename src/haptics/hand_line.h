// SPDX-License-Identifier: Apache-2.0
/// What passes between the loops for one hand: records that are never changed once they are published, each through
/// a mailbox of one writer and one reader.
///
///   simulation --law--> coupling --feel--> haptics        the newest law, made ready for this hand
///   simulation ------------shape---------> haptics        what the hand can touch
///   haptics ---pull---> simulation, coupling              what the hand does
///
/// A hold has a number, given by the simulation when the hand takes hold of something; records of another hold than
/// the one that goes on are of no use and are passed over.
#ifndef SN_HAPTICS_HAND_LINE_H
#define SN_HAPTICS_HAND_LINE_H

#include "base/mailbox.h"
#include "sinew/collision.h"
#include "sinew/coupling_contact.h"
#include "sinew/device.h"
#include "sinew/haptics.h"
#include "sinew/safety.h"

enum { SN_LINE_BUTTONS = 8, SN_LINE_PUSHES = 4 };

/// How a hand holds a body.
typedef struct sni_hold_terms {
    uint64_t hold;                       ///< number; 0: nothing is held
    sn_vec3 point;                       ///< m, in the body: where it is held
    double stiffness, damping;           ///< N/m, N s/m: of the grip, at the point
    double turn_stiffness, turn_damping; ///< Nm/rad, Nm s/rad
    double most_force;  ///< N: the spring is never stretched for more than this; 0: no limit
    double most_torque; ///< Nm, the same
    bool six;           ///< turns the body, too
    bool weight;        ///< the weight of the body is felt by the reaction law
} sni_hold_terms;

/// One simulation step for the hands that share a law. Hands are known by their places.
typedef struct sni_law_record {
    sn_coupling_contacts
        contacts;    ///< law without contact, and what touches; rows in the order of `hand`
    uint64_t number; ///< of the record, counted from 1
    int32_t hand[SN_GRAB_MAX];
    sni_hold_terms terms[SN_GRAB_MAX];
    int32_t idle[SN_GRAB_MAX]; ///< hands that hold nothing
    int32_t idle_count;
    double step; ///< s of the clock that a step of the simulation takes
    double pace; ///< simulated seconds in a second of the clock
} sni_law_record;

/// What a hand feels until the next record: the law of its body alone, with what the other hands do in a0 and f0.
typedef struct sni_feel {
    sn_local_model model; ///< made ready for ticks; law.count 0: nothing is held
    sni_hold_terms terms;
    uint64_t law_number; ///< of the simulation's record
    double step;         ///< s of the clock, of the simulation
    double pace;         ///< as of the record
} sni_feel;

/// What touching has given to one body, world axes.
typedef struct sni_push {
    sn_body_id body; ///< -1: none
    uint64_t number; ///< of this sum; another one begins from zero
    sn_vec3 impulse; ///< N s
    sn_vec3 moment;  ///< N m s, about the world's origin
} sni_push;

/// What a hand does. Sums go on for the whole life of the loop, so that none is lost when a record is passed over.
typedef struct sni_pull {
    uint64_t hold;     ///< that it is about
    uint64_t ticks;    ///< done
    sn_wrench impulse; ///< sum of period * f_u in this hold, body axes
    double elapsed;    ///< s in this hold
    sn_wrench wrench;  ///< f_u of the last tick
    sn_hand hand;      ///< where the hand is in the world
    sn_pose end;       ///< world: the hand's end of the spring; the hand while it holds nothing
    sni_push push[SN_LINE_PUSHES];
    double time;    ///< s, of all ticks
    double gripper; ///< 0 open to 1 closed
    uint32_t buttons;
    uint32_t pressed[SN_LINE_BUTTONS]; ///< times that a button was pressed
    bool lost;                         ///< the device does not answer, or the chain has let go
} sni_pull;

/// How the loop of a hand does, for who wants to know.
typedef struct sni_hand_state {
    sn_loop_meter meter;
    sn_safety_report safety;
    sn_device_force force; ///< on the hand, the device's axes
    sn_device_force felt;  ///< the same in the world, before scaling of force
    sn_latency_meter latency;
} sni_hand_state;

typedef struct sni_hand_line {
    sni_mailbox feel_box, shape_box, sim_box, coupling_box;
    sni_feel feel[SN_MAILBOX_SLOTS];
    sn_local_geometry shape[SN_MAILBOX_SLOTS];
    sni_pull to_sim[SN_MAILBOX_SLOTS], to_coupling[SN_MAILBOX_SLOTS];
    sni_hand_state state[SN_MAILBOX_SLOTS]; ///< goes with to_sim
} sni_hand_line;

#endif
