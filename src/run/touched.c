// SPDX-License-Identifier: Apache-2.0
// Who is pushed, and how: a push on something that an item holds goes through the hand that holds it.   [K08 22]
#include <math.h>

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

// ---- where a hand is ------------------------------------------------------------------------------------------

/// How far a shape reaches from its middle.
static double reach_of(const sn_shape_info* shape) {
    sn_vec3 size = shape->size;
    double most = 0;
    switch (shape->type) {
    case SN_SHAPE_BOX: return 0.5 * sn_vec3_norm(size);
    case SN_SHAPE_SPHERE: return size.x;
    case SN_SHAPE_CYLINDER: return hypot(size.x, 0.5 * size.z);
    case SN_SHAPE_CAPSULE: return size.x + 0.5 * size.z;
    case SN_SHAPE_HULL:
    case SN_SHAPE_MESH:
        for (int32_t i = 0; i < shape->vertex_count; i++)
            most = fmax(most, sn_vec3_norm(shape->vertices[i]));
        return most;
    case SN_SHAPE_PLANE: break;
    }
    return most;
}

/// How far a body reaches from its origin.
static double extent_of(const sn_model* model, int32_t body) {
    double most = 0;
    for (int32_t s = 0; s < model->shape_count; s++) {
        const sn_shape_info* shape = &model->shape[s];
        if (shape->body.i == body)
            most = fmax(most, sn_vec3_norm(shape->X_bs.p) + reach_of(shape));
    }
    return most;
}

/// The point of the line along which a force acts that is nearest to the origin of its body: where the hand is, as far as
/// the force can tell. It is never farther from the hand than the origin is. What a hand turns besides could lead
/// far away, so it stays as near as the body reaches.
static sn_vec3 line_point(sn_wrench f, double extent) {
    sn_vec3 away = sn_vec3_scale(1 / sn_vec3_dot(f.f, f.f), sn_vec3_cross(f.f, f.n));
    double far = sn_vec3_norm(away);
    return far > extent ? sn_vec3_scale(extent / far, away) : away;
}

void sni_see_pushes(sn_simulation* sim) {
    static const double LEAST = 0.1; // N: less has no direction worth a look
    const sn_dynamics* d = sim->world->dynamics;
    double hardest = LEAST;
    for (int32_t k = 0; k < d->wrenches.count; k++) {
        int32_t body = d->wrenches.body[k];
        sn_pose X = d->ops->pose(d, body);
        sn_wrench f = sni_external_wrench(d, k, X.R);
        double force = sn_vec3_norm(f.f);
        if (!(force > hardest)) continue;
        hardest = force;
        sim->touched_at = sn_vec3_add(X.p, line_point(f, extent_of(d->model, body)));
        sim->was_touched = true;
    }
}
