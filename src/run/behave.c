// SPDX-License-Identifier: Apache-2.0
// Behaviours: states that say which controllers are active, and what leads from one to another.
#include <math.h>
#include <string.h>

#include "run/movers.h"

/// From the first body of an item to a place.
static sn_vec3 outward_to(const sn_simulation* sim, const sni_plan* plan, int item, sn_vec3 at) {
    const sn_dynamics* d = sim->world->dynamics;
    sn_vec3 arm = sn_vec3_sub(at, d->ops->pose(d, plan->first_body[item]).p);
    double length = sn_vec3_norm(arm);
    return length > 0 ? sn_vec3_scale(1 / length, arm) : sn_vec3_zero();
}

/// What a force sensor feels beyond what it usually does, which is the weight of what it carries.
static sn_vec3 feel_by_sensor(const sn_simulation* sim, const sni_plan* plan,
                              const sn_behaviour_def* def, sni_behaving* b, sn_vec3* outward) {
    static const double MEMORY = 2; // s
    const sn_sensor_def* sensor = sn_scene_sensor(sim->scene, def->sensor);
    const double* shown = sim->numbers + sn_simulation_sensor_first(sim, def->sensor);
    double f[6];
    memcpy(f, shown, sizeof f);
    if (sensor->calibration) sn_force_sensor_feel(sensor->calibration, shown, f);
    sn_pose X = sni_sensor_pose(sim, plan, sensor);
    sn_vec3 force = sn_mat3_apply(X.R, sn_vec3_make(f[3], f[4], f[5]));
    *outward = outward_to(sim, plan, def->item, X.p);
    if (!(sn_vec3_norm(force) < INFINITY)) return sn_vec3_zero(); // it shows nothing
    if (!b->feels) b->usual = force;
    b->feels = true;
    double part = sim->world->h / MEMORY;
    b->usual = sn_vec3_add(sn_vec3_scale(1 - part, b->usual), sn_vec3_scale(part, force));
    return sn_vec3_sub(force, b->usual);
}

/// All pushes on an item together, and the direction from its first body to where the hardest acts.
static sn_vec3 feel(const sn_simulation* sim, const sni_plan* plan, int item, sn_vec3* outward) {
    const sn_dynamics* d = sim->world->dynamics;
    sn_vec3 sum = sn_vec3_zero(), at = sn_vec3_zero();
    double hardest = 0;
    *outward = sn_vec3_zero();
    for (int32_t k = 0; k < d->wrenches.count; k++) {
        sni_push push;
        if (!sni_push_on(sim, plan, item, k, &push)) continue;
        sum = sn_vec3_add(sum, push.f_w.f);
        double force = sn_vec3_norm(push.f_w.f);
        if (force > hardest) hardest = force, at = push.x;
    }
    if (hardest == 0) return sum;
    *outward = outward_to(sim, plan, item, at);
    return sum;
}

static bool touches(const sn_world* world, int32_t body) {
    for (int32_t i = 0; i < sn_world_contact_count(world); i++) {
        const sn_contact* c = &sn_world_contacts(world)[i];
        if ((c->a.i == body || c->b.i == body) &&
            sn_vec3_norm(sn_world_contact_force(world, i).f) > 0)
            return true;
    }
    return false;
}

static bool happens(const sn_simulation* sim, const sni_plan* plan, const sn_behaviour_def* def,
                    const sni_behaving* b, const sn_transition_def* t, sn_pattern felt) {
    if (t->feel != SN_PATTERN_NONE) return t->feel == felt;
    if (t->after > 0) return b->since >= t->after;
    if (t->word) return strcmp(t->word, sim->signal) == 0;
    return t->touch.i >= 0 && touches(sim->world, plan->first_body[def->item] + t->touch.i);
}

/// The pattern that is recognised now. When a state begins the item moves by itself, and what is felt of that means
/// nothing.
static sn_pattern listen(const sn_simulation* sim, const sni_plan* plan,
                         const sn_behaviour_def* def, sni_behaving* b) {
    static const double DEAF = 0.5; // s
    sn_vec3 outward, force = def->sensor >= 0 ? feel_by_sensor(sim, plan, def, b, &outward)
                                              : feel(sim, plan, def->item, &outward);
    if (b->since < DEAF) return SN_PATTERN_NONE;
    return sn_recogniser_feel(&b->recogniser, force, outward, sim->world->h);
}

static void behave(sn_simulation* sim, const sni_plan* plan, int i) {
    const sn_behaviour_def* def = sn_scene_behaviour(sim->scene, i);
    sni_behaving* b = &sim->behaving[i];
    if (plan->first_body[def->item] < 0) return;
    sn_pattern felt = listen(sim, plan, def, b);
    const sn_behaviour_state_def* state = &def->state[b->state];
    for (int k = 0; k < state->transition_count; k++) {
        if (!happens(sim, plan, def, b, &state->transition[k], felt)) continue;
        b->state = state->transition[k].to;
        b->since = 0;
        b->recogniser = (sn_recogniser){.def = def->recogniser};
        break;
    }
    b->since += sim->world->h;
    for (int c = 0; c < sn_scene_controller_count(sim->scene); c++)
        if (def->masters[c]) sim->mover[c].active = def->state[b->state].active[c];
}

void sni_behave(sn_simulation* sim, const sni_plan* plan) {
    for (int i = 0; i < sn_scene_behaviour_count(sim->scene); i++) behave(sim, plan, i);
    sim->signal[0] = '\0'; // heard
}

sn_status sni_set_signal(sn_simulation* sim, const sn_edit* edit, sn_error* error) {
    size_t length = strlen(edit->name);
    if (length >= sizeof sim->signal)
        return sni_fail(error, SN_ERR_ARGUMENT, edit->place, "signal: a word of at most %d letters",
                        (int)sizeof sim->signal - 1);
    memcpy(sim->signal, edit->name, length + 1);
    return SN_OK;
}

int sn_simulation_behaviour_count(const sn_simulation* sim) {
    return sn_scene_behaviour_count(sim->scene);
}

const char* sn_simulation_behaviour_name(const sn_simulation* sim, int i) {
    return sn_scene_behaviour(sim->scene, i)->name;
}

const char* sn_simulation_behaviour_state(const sn_simulation* sim, int i) {
    return sn_scene_behaviour(sim->scene, i)->state[sim->behaving[i].state].name;
}
