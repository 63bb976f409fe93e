// SPDX-License-Identifier: Apache-2.0
/// The ways of handles to the roots. A handle is six columns: unit wrenches on a body, or unit impulses of six degrees
/// of freedom. On its way it stops at every body that carries it, children before parents.
#ifndef SN_DYNAMICS_PATHS_H
#define SN_DYNAMICS_PATHS_H

#include "dynamics/branches.h"
#include "dynamics/sn_dynamics.h"

typedef struct sni_stop {
    int32_t body;
    int32_t place, up; ///< in the branches, its own and its parent's (-1: the world)
    int32_t row, rows; ///< of its joint, among all rows of all handles
    bool begins;       ///< nothing comes from below
    bool pushed;       ///< some columns are impulses of its joint
    bool joins;        ///< something from another branch waits here
    bool waits;        ///< what leaves it waits at its parent, which is not the next stop
    bool adds;         ///< to what waits there already
} sni_stop;

typedef struct sni_paths {
    int32_t body_count, joint_count; ///< handles of the last question: bodies, then joints
    sn_body_id* bodies;              // [body_count]
    int32_t* dof;                    // [6 joint_count] -1: none
    int32_t* body_of_dof;            // [nv]
    sni_branches branches;           ///< of all of them
    sni_stop* stop;                  // handle by handle
    int32_t* start;                  // [handles + 1] first stop
    int32_t* row;                    // [handles + 1] first row
    int32_t* trunk;                  // [handles] stop from which on there is but one branch
    int32_t* stop_at;                // [handles][places] -1: not on the way
} sni_paths;

/// Room for handles of all bodies and all degrees of freedom. Returns the rows that their ways may have.
size_t sni_paths_layout(sni_paths* paths, sni_arena* arena, const sn_model* model);
/// The ways of the handles, kept while the same ones are asked for. True: they are other ones than before.
bool sni_paths_find(sni_paths* paths, const sn_model* model, const sni_handles* handles);

#endif
