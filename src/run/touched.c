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
        if (shape->body.i == body) most = fmax(most, sn_vec3_norm(shape->X_bs.p) + reach_of(shape));
    }
    return most;
}

/// Begins anew on another body, whose origin is as good as any point of it.
static void begin_probe(sni_probe* probe, int32_t body) {
    static const double KNOWN =
        1e-3; // N^2 s: a tenth of a newton for a tenth of a second counts more
    *probe = (sni_probe){.body = body};
    for (int k = 0; k < 3; k++) probe->A.m[k][k] = KNOWN;
}

// A hand at r does the moment n = r x f with its force f: least squares of that over the last seconds,
//   A r = b,   A = sum h (|f|^2 - f f'),   b = sum h f x n
// What it turns besides could lead far away, so r stays as near as the body reaches.
static sn_vec3 follow_probe(sni_probe* probe, sn_wrench f, double h, double extent) {
    static const double MEMORY = 2; // s
    double keep = exp(-h / MEMORY), size = sn_vec3_dot(f.f, f.f);
    const double x[3] = {f.f.x, f.f.y, f.f.z};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            probe->A.m[i][k] = keep * probe->A.m[i][k] + h * ((i == k ? size : 0) - x[i] * x[k]);
    probe->b =
        sn_vec3_add(sn_vec3_scale(keep, probe->b), sn_vec3_scale(h, sn_vec3_cross(f.f, f.n)));
    sn_vec3 c0 = sn_mat3_column(probe->A, 0), c1 = sn_mat3_column(probe->A, 1);
    sn_vec3 c2 = sn_mat3_column(probe->A, 2), across = sn_vec3_cross(c1, c2);
    double det = sn_vec3_dot(c0, across); // by Cramer's rule; A is symmetric, and definite
    sn_vec3 r = sn_vec3_make(sn_vec3_dot(across, probe->b) / det,
                             sn_vec3_dot(sn_vec3_cross(c2, c0), probe->b) / det,
                             sn_vec3_dot(sn_vec3_cross(c0, c1), probe->b) / det);
    double far = sn_vec3_norm(r);
    if (!isfinite(far)) return sn_vec3_zero();
    return far > extent ? sn_vec3_scale(extent / far, r) : r;
}

void sni_see_pushes(sn_simulation* sim) {
    static const double LEAST = 0.1; // N: less is not worth a look
    const sn_dynamics* d = sim->world->dynamics;
    double hardest = LEAST;
    int32_t at = -1;
    for (int32_t k = 0; k < d->wrenches.count; k++) {
        sn_mat3 R = d->ops->pose(d, d->wrenches.body[k]).R;
        double force = sn_vec3_norm(sni_external_wrench(d, k, R).f);
        if (force > hardest) hardest = force, at = k;
    }
    if (at >= 0) {
        int32_t body = d->wrenches.body[at];
        sn_pose X = d->ops->pose(d, body);
        sn_wrench f = sni_external_wrench(d, at, X.R);
        f = sn_wrench_make(sn_mat3_apply_transposed(X.R, f.n), sn_mat3_apply_transposed(X.R, f.f));
        if (!sim->was_touched || sim->probe.body != body) begin_probe(&sim->probe, body);
        sim->probe.r = follow_probe(&sim->probe, f, sim->world->h, extent_of(d->model, body));
        sim->was_touched = true;
        sim->touched_at = sn_pose_apply(X, sim->probe.r);
    } else if (sim->was_touched && sim->probe.body < d->model->body_count) {
        // the hand is still there, as far as anybody knows
        sim->touched_at = sn_pose_apply(d->ops->pose(d, sim->probe.body), sim->probe.r);
    }
}
