// SPDX-License-Identifier: Apache-2.0
/// The compressed tree of some bodies: only they and the bodies where their branches meet (keys) are
/// left, and what lies between two of them is one run of joints. Between keys the response of the bodies is
/// a matter of 6x6 products, whatever the number of joints.   [WFO12]
#ifndef SN_DYNAMICS_KEYS_H
#define SN_DYNAMICS_KEYS_H

#include "dynamics/branches.h"
#include "math/mat6.h"

typedef struct sni_key {
    int32_t body;
    int32_t up;           ///< key above, -1: the world
    int32_t root;         ///< uppermost key of its tree
    int32_t last;         ///< one past the last key that it carries: keys are in depth-first order
    int32_t slot;         ///< place of the body in the question, -1: branches meet here, no more
    int32_t run, run_end; ///< its joints in `path`, from the body up to that of `up`
} sni_key;

typedef struct sni_keys {
    int32_t most;       ///< bodies that may be asked about
    int32_t asked;      ///< bodies of the last question
    sn_body_id* bodies; // [asked] of [most]
    int32_t* first;     // [asked] first place of the same body in the question
    int32_t count, tree_count;
    sni_key* key;  // [count]
    int32_t* path; // [body_count] runs
    sni_branches branches;
    // scratch of sni_keys_find, by place in the branches
    int32_t *forks, *child, *sibling, *near, *slot; // [body_count]
    // scratch of the passes
    sn_mat3* R;       // [asked] axes that the answer is wanted in, in the world
    sni_row6 *s, *t;  // [nv] of a run: S' A and D^-1 S' A
    sni_mat6* lifted; // [count] unit wrenches on a key, as they arrive at the key above
    sni_mat6* own;    // [count] response of a key to wrenches on it
    sni_mat6* above;  // [count] response of the key above to wrenches on it
    sni_mat6* column; // [count] response of the keys to wrenches on one of them
} sni_keys;

/// Room for questions about up to `most` bodies.
void sni_keys_layout(sni_keys* keys, sni_arena* arena, const sn_model* model, int32_t most);
/// The compressed tree of the bodies, which may come twice; kept while the same ones are asked for.
void sni_keys_find(sni_keys* keys, const sn_model* model, const sn_body_id* bodies, int32_t count);

#endif
