// SPDX-License-Identifier: Apache-2.0
// Who is pushed, and how: a push on something that an item holds goes through the hand that holds it.   [K08 22]
#include "run/movers.h"

static bool is_of(const sni_plan* plan, const sn_simulation* sim, int item, int32_t body) {
    int32_t first = plan->first_body[item];
    int count = sn_model_body_count(sn_scene_item(sim->scene, item)->model);
    return first >= 0 && body >= first && body < first + count;
}

/// The body of the item that holds another one; -1: none does.
static int32_t holder_of(const sn_simulation* sim, const sni_plan* plan, int item, int32_t body) {
    const sn_contact_set* set = sim->world->contacts.set;
    int32_t count = 0;
    const sn_constraint* list = set ? sni_contact_set_constraints(set, &count) : NULL;
    for (int32_t i = 0; i < count; i++) {
        if (list[i].a.i == body && is_of(plan, sim, item, list[i].b.i)) return list[i].b.i;
        if (list[i].b.i == body && is_of(plan, sim, item, list[i].a.i)) return list[i].a.i;
    }
    return -1;
}

bool sni_push_on(const sn_simulation* sim, const sni_plan* plan, int item, int32_t k,
                 sni_push* push) {
    const sn_dynamics* d = sim->world->dynamics;
    int32_t body = d->wrenches.body[k];
    push->body = is_of(plan, sim, item, body) ? body : holder_of(sim, plan, item, body);
    if (push->body < 0) return false;
    sn_pose X = d->ops->pose(d, body);
    sn_wrench f = sni_external_wrench(d, k, X.R);
    push->f_w = sn_wrench_make(sn_vec3_add(f.n, sn_vec3_cross(X.p, f.f)), f.f);
    push->x = X.p;
    return true;
}
