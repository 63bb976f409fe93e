// SPDX-License-Identifier: Apache-2.0
/// Adaptive dynamics: which joints are active, how that is decided and changed.   [RGL05; MR07]
#ifndef SN_DYNAMICS_TREE_ADAPTIVE_H
#define SN_DYNAMICS_TREE_ADAPTIVE_H

#include "dynamics/tree_dynamics.h"
#include "dynamics/tree_frozen.h"

/// Active nodes that there is room for; a model with fewer may have all of them active.
enum { SNI_ACTIVE_MOST = 16384 };
/// Updates after which a node that hardly wishes to move may become rigid.
enum { SNI_QUIET = 2 };

/// Nodes that became active or rigid, in order, the last ones of them: whoever keeps a copy of something
/// looks here for what to renew.
typedef struct sni_journal {
    int32_t capacity;
    int32_t* node; // [capacity] entry k is at k % capacity
    uint64_t written;
} sni_journal;

/// A node that the choice has reached.
typedef struct sni_candidate {
    int32_t node;
    double metric; ///< sum of qdd' A qdd over its joints
    double key;    ///< order in which candidates are taken
    sni_row6 f_u, f_d;
    sn_twist v_u; ///< of the u of a rigid node
} sni_candidate;

typedef struct sni_adaptive {
    sn_adaptivity options;
    sni_frozen frozen;
    bool reset_due;  ///< nothing of the state is known but the poses and velocities of all bodies
    bool all_placed; ///< those are in the region's arrays
    bool weights_due;
    bool* held;        // [body_count] of an active node's joint: it may not move all the same
    uint32_t* held_in; // [tree.count] equal to `stamp`: not by the user's lock
    // choosing
    uint32_t* chosen; // [tree.count] equal to `stamp`: active next
    uint32_t* forced; // [tree.count] equal to `forced_stamp`: above a body that must be active
    uint32_t stamp, forced_stamp;
    uint32_t version;    ///< of the region
    uint32_t* active_in; // [tree.count] the last version a node was active in
    sni_journal journal;
    int32_t* moved; // [body_count] scratch: joints of the region
    uint8_t* quiet; // [tree.count] updates in which an active node hardly wished to move, at most
                    // SNI_QUIET: then it need not stay active
    bool* wanted;   // [body_count] forced active by the user
    int32_t wanted_count;
    int32_t* wanted_list; // [wanted_count] of [body_count]
    int32_t candidate_count, heap_count;
    sni_candidate* candidate;
    int32_t* heap;
    // the current region with all joints free, by part
    sni_whole* working;
    sni_moment* moment;
    sni_view* view;
    double* velocity_metric;
    // bodies whose wrench or joint force changed since the last update
    int32_t stale_count;
    int32_t* stale; // [stale_count] of [body_count]
    bool* is_stale; // [body_count]
    bool all_stale; ///< every joint force may have changed
    int32_t active; ///< active joints
    double error2;  ///< remaining error, squared, at the last choice
    double total2;  ///< of all joints
    bool total_due; ///< all joints are active: the next forward knows
    double
        first_restless; ///< what slept, at the first look after the last choice; negative: not yet
    uint64_t updates, changes;
} sni_adaptive;

static inline sni_adaptive* sni_adaptive_of(const sn_dynamics* d) {
    return sni_tree_of(d)->adaptive;
}

/// Weights of the metric, when they are due.
void sni_weigh(sn_dynamics* d);
/// Chooses the active nodes for the current state: marks them with a new stamp.
void sni_choose(sn_dynamics* d);
/// Marks every node above a joint that moves, with a new stamp.
void sni_choose_moving(sn_dynamics* d);
/// The region of the marked nodes.
void sni_build_region(sn_dynamics* d);
/// Stops joints of active nodes that are not marked, by impulses through them; changes d->v.
void sni_stop_unmarked(sn_dynamics* d);

#endif
