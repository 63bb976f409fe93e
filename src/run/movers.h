// SPDX-License-Identifier: Apache-2.0
/// What moves the targets of controllers, before each step of the world: motions, giving way, looking, gripping; and
/// the behaviours that say which controllers are active.
///
/// movers.c goes through them, touched.c says who is pushed how, behave.c switches, grip.c holds.
#ifndef SN_RUN_MOVERS_H
#define SN_RUN_MOVERS_H

#include "run/sn_run.h"

/// Of one controller.
struct sni_mover {
    bool active;
    double since;    ///< s that it is active
    int32_t* driven; // [driven_count] joints that it drives, of the item
    int32_t driven_count;
    double* speed;   // [nv] of the target
    double* offset;  // [nv] follow: from where it began
    double* force;   // [nv] motion: what it asks for besides the springs
    double* held;    // [nv] balance: forces of the last computation
    double* scratch; // [3 nv]
    bool holds;      ///< grip: something
};

/// Of one behaviour.
struct sni_behaving {
    int state;
    double since; ///< s in the state
    sn_recogniser recogniser;
    sn_vec3 usual; ///< N: what its sensor feels on average, weight and all
    bool feels;    ///< it has felt something by its sensor
};

/// The first joint of an item in the whole; NULL: it is gone, or has none.
const sni_joint* sni_find_item(const sn_simulation* sim, const sni_plan* plan, int item);

/// A push on an item, or on what it holds.
typedef struct sni_push {
    int32_t body;  ///< of the item, in the whole
    sn_wrench f_w; ///< about the origin of the world
    sn_vec3 x;     ///< where the body that is pushed is
} sni_push;

/// Push number k of the world on this item; false: it is on something else.
bool sni_push_on(const sn_simulation* sim, const sni_plan* plan, int item, int32_t k,
                 sni_push* push);

/// Remembers where the hardest push is, for those who look.
void sni_see_pushes(sn_simulation* sim);

void sni_behave(sn_simulation* sim, const sni_plan* plan);
void sni_grip(sn_simulation* sim, const sni_plan* plan, int controller);
void sni_let_go(sn_simulation* sim, int controller);

#endif
