// SPDX-License-Identifier: Apache-2.0
/// Groups of trees of bodies that touch each other, and which of them sleep.   [C12 3.3]
///
/// A whole tree is one element; the world is none and joins nobody. A group that has contacts and whose bodies have all been
/// slow for a while falls asleep: it keeps its place until something awake touches it, a user pushes it, or its
/// state is set. What sleeps remembers its group, so that it wakes as a whole.
#ifndef SN_SIM_REST_H
#define SN_SIM_REST_H

#include "dynamics/sn_dynamics.h"
#include "sinew/contact_set.h"

typedef struct sni_rest {
    int32_t tree_count;
    int32_t* tree;   // [body_count] tree of a body; loops join trees
    int32_t* first;  // [tree_count + 1] first body in `member`
    int32_t* member; // [body_count] bodies of the trees
    int32_t* leader; // [tree_count] a tree of the group that all its trees lead to
    bool* touches;   // [tree_count] of a leader: its group has contacts
    bool* slow;      // [tree_count] of a leader: all of its group is slow
    int32_t* quiet;  // [tree_count] steps for which its group was
    bool* asleep;    // [tree_count]
    bool* resting;   // [body_count] its tree sleeps
    double* radius;  // [body_count] of gyration, m
    int32_t resting_count, moving_count;
    uint64_t version; ///< counts changes of `resting`
    int32_t* moving;  // [moving_count] of [body_count] joints whose tree is awake
} sni_rest;

void sni_rest_layout(sni_rest* rest, sni_arena* arena, const sn_model* model);
/// Finds the trees; all are awake.
void sni_rest_start(sni_rest* rest, const sn_model* model);
/// Groups of the trees that are awake, by contacts and constraints; those asleep keep theirs.
void sni_rest_group(sni_rest* rest, const sn_contact* contacts, int32_t count,
                    const sn_constraint* constraints, int32_t constraint_count);
/// Joins the groups of two bodies; -1, the world, joins nothing.
void sni_rest_join(sni_rest* rest, int32_t a, int32_t b);
/// Wakes what sleeps and is in contact with something awake; returns whether anything woke.
bool sni_rest_wake_touched(sni_rest* rest, const sn_contact* contacts, int32_t count);
/// Wakes the group of a body.
void sni_rest_wake(sni_rest* rest, int32_t body);
void sni_rest_wake_all(sni_rest* rest);
/// The same, and it does not fall asleep in this step.
void sni_rest_keep_awake(sni_rest* rest, int32_t body);
/// Counts how long groups have been slower than `speed` and puts those to sleep that were for `steps`: their
/// velocities v become zero. Returns whether any was.
bool sni_rest_fall_asleep(sni_rest* rest, const sn_dynamics* dynamics, double speed, double steps,
                          double* v);

#endif
