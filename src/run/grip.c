// SPDX-License-Identifier: Apache-2.0
// A gripper closes while its controller is active, and holds what is squeezed between its fingers, or between a finger and
// the palm that carries it: from then on a hold keeps palm and thing together, until the controller is not active any
// more.
#include <math.h>
#include <string.h>

#include "run/movers.h"

enum { CANDIDATES = 32 };

/// A body that the item touches.
typedef struct candidate {
    int32_t body;
    double sum;    ///< N: of all forces
    sn_vec3 force; ///< of all of them together
    int32_t palm;  ///< of the finger that touches it hardest; -1: the world
    double hardest;
} candidate;

/// The bodies of a gripper.
typedef struct gripper {
    const sn_model* model; ///< of the world
    const bool* driven;    ///< of the item: fingers
    int32_t first;
    int count;
} gripper;

static bool is_of(const gripper* g, int32_t body) {
    return body >= g->first && body < g->first + g->count;
}

static bool is_finger(const gripper* g, int32_t body) {
    return is_of(g, body) && g->driven[body - g->first];
}

/// Whether a body of the item carries a finger.
static bool is_palm(const gripper* g, int32_t body) {
    bool carries = false;
    for (int32_t b = g->first; b < g->first + g->count && is_of(g, body); b++)
        carries = carries || (is_finger(g, b) && g->model->joint[b].parent == body);
    return carries && !is_finger(g, body);
}

/// Adds a contact force of a finger, or of the palm, on another body.
static void add_touch(candidate* list, int* count, const gripper* g, int32_t body, int32_t by,
                      sn_vec3 force) {
    int i = 0;
    while (i < *count && list[i].body != body) i++;
    if (i == CANDIDATES) return;
    if (i == *count) list[(*count)++] = (candidate){.body = body, .palm = -1};
    double size = sn_vec3_norm(force);
    list[i].sum += size;
    list[i].force = sn_vec3_add(list[i].force, force);
    if (!is_finger(g, by) || !(size > list[i].hardest)) return;
    list[i].hardest = size;
    list[i].palm = g->model->joint[by].parent;
}

static int find_touched(const sn_simulation* sim, const sni_plan* plan,
                        const sn_controller_def* def, candidate* list) {
    const sn_world* world = sim->world;
    gripper g = {world->model, def->driven, plan->first_body[def->item],
                 sn_model_body_count(sn_scene_item(sim->scene, def->item)->model)};
    int count = 0;
    for (int32_t i = 0; i < sn_world_contact_count(world); i++) {
        const sn_contact* c = &sn_world_contacts(world)[i];
        sn_vec3 on_a = sn_world_contact_force(world, i).f;
        bool a = is_of(&g, c->a.i), b = is_of(&g, c->b.i);
        if (a == b) continue; // none of its own, or itself
        int32_t other = a ? c->b.i : c->a.i, by = a ? c->a.i : c->b.i;
        if (other < 0 || !(is_finger(&g, by) || is_palm(&g, by))) continue;
        add_touch(list, &count, &g, other, by, sn_vec3_scale(a ? -1 : 1, on_a));
    }
    return count;
}

/// Numbers of holds that grippers have; those of edits count from 1.
static uint64_t hold_id(int controller) { return (UINT64_C(1) << 62) + (uint64_t)controller; }

static void try_hold(sn_simulation* sim, const sni_plan* plan, int i) {
    const sn_controller_def* def = sn_scene_controller(sim->scene, i);
    candidate list[CANDIDATES];
    int count = find_touched(sim, plan, def, list), best = -1;
    double most = def->grip->force;
    for (int k = 0; k < count; k++) { // forces that do not cancel push it away; the others squeeze
        double squeeze = 0.5 * (list[k].sum - sn_vec3_norm(list[k].force));
        if (list[k].hardest > 0 && squeeze >= most) most = squeeze, best = k;
    }
    if (best < 0) return;
    sn_constraint hold = sn_constraint_default();
    hold.id = hold_id(i);
    hold.a = sn_body(list[best].body);
    hold.b = sn_body(list[best].palm);
    sim->mover[i].holds = !sn_world_hold(sim->world, &hold, NULL); // else there is no room: later
}

void sni_let_go(sn_simulation* sim, int i) {
    (void)sn_world_remove_constraint(sim->world, hold_id(i)); // or what it held is gone
    sim->mover[i].holds = false;
}

void sni_grip(sn_simulation* sim, const sni_plan* plan, int i) {
    const sn_controller_def* def = sn_scene_controller(sim->scene, i);
    sni_mover* mover = &sim->mover[i];
    size_t nq = (size_t)sn_model_nq(sn_scene_item(sim->scene, def->item)->model);
    memcpy(sim->target[i], mover->active ? def->grip->closed : def->target, nq * sizeof(double));
    if (!mover->active && mover->holds) sni_let_go(sim, i);
    if (mover->active && !mover->holds) try_hold(sim, plan, i);
}
