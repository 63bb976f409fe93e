// SPDX-License-Identifier: Apache-2.0
// What a force sensor in a joint feels: the wrench that a body and all it carries exert on the parent.
//
// The change of their momentum over the step is what acts on them: weight, pushes, contacts, holds, and the joint,
//   (P+ - P-)/h = outside + f_r,     felt = -f_r = outside - (P+ - P-)/h
// all about the origin of the world, so that internal joints, their motors and their friction do not matter.   [C12 18-20]
#include "run/sn_run.h"

/// Whether a body hangs on another one, or is it.
static bool is_carried(const sn_model* model, int32_t body, int32_t by) {
    while (body > by) body = model->joint[body].parent;
    return body == by;
}

/// Bodies come after their parents.
#define FOR_EACH_CARRIED(model, first, b)                                                          \
    for (int32_t b = (first); b < (model)->body_count; b++)                                        \
        if (is_carried(model, b, first))

/// A force with a moment about x, about the origin of the world.
static sn_wrench about_world(sn_vec3 x, sn_wrench f) {
    return sn_wrench_make(sn_vec3_add(f.n, sn_vec3_cross(x, f.f)), f.f);
}

static sn_wrench momentum_of(const sn_dynamics* d, int32_t first) {
    sn_wrench sum = sn_wrench_zero();
    FOR_EACH_CARRIED(d->model, first, b) {
        const sn_inertia* I = &d->model->body[b].inertia;
        sn_pose X = sn_dynamics_pose(d, sn_body(b));
        sn_twist v = sn_dynamics_velocity(d, sn_body(b));
        sn_vec3 speed = sn_vec3_add(v.v, sn_vec3_cross(v.w, I->com));
        sn_wrench p = {sn_mat3_apply(X.R, sn_mat3_apply(I->I, v.w)),
                       sn_mat3_apply(X.R, sn_vec3_scale(I->mass, speed))};
        sum = sn_wrench_add(sum, about_world(sn_pose_apply(X, I->com), p));
    }
    return sum;
}

static sn_wrench weight_of(const sn_dynamics* d, int32_t first) {
    sn_wrench sum = sn_wrench_zero();
    FOR_EACH_CARRIED(d->model, first, b) {
        const sn_inertia* I = &d->model->body[b].inertia;
        sn_vec3 centre = sn_pose_apply(sn_dynamics_pose(d, sn_body(b)), I->com);
        sn_wrench weight = {sn_vec3_zero(), sn_vec3_scale(I->mass, d->gravity)};
        sum = sn_wrench_add(sum, about_world(centre, weight));
    }
    return sum;
}

static sn_wrench pushes_on(const sn_dynamics* d, int32_t first) {
    sn_wrench sum = sn_wrench_zero();
    for (int32_t k = 0; k < d->wrenches.count; k++) {
        if (!is_carried(d->model, d->wrenches.body[k], first)) continue;
        sn_pose X = d->ops->pose(d, d->wrenches.body[k]);
        sum = sn_wrench_add(sum, about_world(X.p, sni_external_wrench(d, k, X.R)));
    }
    return sum;
}

/// 1: acts on what is carried, -1: what is carried acts on something else, 0: neither, or within.
static double side(const sn_model* model, sn_body_id a, sn_body_id b, int32_t first) {
    return (a.i >= first && is_carried(model, a.i, first)) -
           (b.i >= first && is_carried(model, b.i, first));
}

static sn_wrench contacts_on(const sn_world* world, int32_t first) {
    sn_wrench sum = sn_wrench_zero();
    const sn_contact* contacts = sn_world_contacts(world);
    int32_t count = sn_world_contact_count(world);
    for (int32_t i = 0; i < count; i++) {
        const sn_contact* contact = &contacts[i];
        double sign = side(world->model, contact->a, contact->b, first);
        if (sign == 0) continue;
        sn_wrench f = about_world(contact->x, sn_world_contact_force(world, i));
        sum = sn_wrench_add(sum, sn_wrench_scale(sign, f));
    }
    return sum;
}

static sn_wrench holds_on(const sn_world* world, int32_t first) {
    sn_wrench sum = sn_wrench_zero();
    const sn_contact_set* set = world->contacts.set;
    int32_t count = 0;
    const sn_constraint* list = set ? sni_contact_set_constraints(set, &count) : NULL;
    for (int32_t i = 0; i < count; i++) {
        const sn_constraint* c = &list[i];
        double sign = side(world->model, c->a, c->b, first);
        if (sign == 0) continue;
        sn_vec3 x = c->X_ac.p;
        if (c->a.i >= 0) x = sn_pose_apply(sn_dynamics_pose(world->dynamics, c->a), x);
        sn_wrench f = about_world(x, sn_contact_set_constraint_force(set, i));
        sum = sn_wrench_add(sum, sn_wrench_scale(sign, f));
    }
    return sum;
}

void sni_felt_begin(const sn_simulation* sim, int32_t body, sni_before* before) {
    const sn_dynamics* d = sim->world->dynamics;
    before->momentum = momentum_of(d, body);
    before->outside = sn_wrench_add(weight_of(d, body), pushes_on(d, body));
}

sn_wrench sni_felt_wrench(const sn_simulation* sim, int32_t body, const sni_before* before) {
    const sn_world* world = sim->world;
    const sn_dynamics* d = world->dynamics;
    if (!before->known) return weight_of(d, body); // as if at rest
    sn_wrench change = sn_wrench_add(momentum_of(d, body), sn_wrench_scale(-1, before->momentum));
    sn_wrench touch = sn_wrench_add(contacts_on(world, body), holds_on(world, body));
    return sn_wrench_add(sn_wrench_add(before->outside, touch),
                         sn_wrench_scale(-1 / world->h, change));
}
