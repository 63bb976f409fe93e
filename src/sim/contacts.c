// SPDX-License-Identifier: Apache-2.0
// Contact in a world: what it needs, and questions about the last step's.
#include "base/error.h"
#include "sim/modules.h"

sn_world_contact sn_world_contact_default(void) {
    sn_world_contact contact = {
        .collider = sn_collider_def_default(),
        .skip_overlapping = true,
        .options = sn_contact_options_default(),
        .solve = sn_solve_options_default(),
        .solve_time = INFINITY,
        .constraints = 16,
        .rest_speed = 2e-3,
        .rest_time = 0.5,
    };
    contact.solve.tolerance = 1e-4;
    contact.solve.iterations = 100;
    return contact;
}

static sn_status check_contact(const sn_world_def* def, sn_error* error) {
    const sn_world_contact* contact = &def->contact;
    const char* trouble = NULL;
    if (def->integrator != SN_INTEGRATE_EULER)
        trouble = "contact needs the integrator euler";
    else if (!(contact->solve_time > 0))
        trouble = "solve_time must be positive; INFINITY: as long as it takes";
    else if (!(contact->rest_speed >= 0) || !(contact->rest_time >= 0))
        trouble = "rest_speed and rest_time must not be negative";
    else if (contact->workers < 0 || contact->servos < 0)
        trouble = "workers and servos must not be negative";
    return trouble ? sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "%s", trouble) : SN_OK;
}

sn_status sni_contacts_create(sn_world* world, sn_error* error) {
    const sn_world_contact* def = &world->def.contact;
    sni_contacts* contacts = &world->contacts;
    if (!def->on) return SN_OK;
    sn_status status = check_contact(&world->def, error);
    if (status) return status;
    sn_contact_set_def set = sn_contact_set_def_default();
    set.contacts = def->collider.contacts;
    set.constraints = def->constraints;
    set.servos = contacts->servos = def->servos < world->model->nv ? def->servos : world->model->nv;
    set.options = def->options;
    status = sni_make_collider(&world->def, world->model, &contacts->collider, error);
    if (!status) status = sn_contact_set_create(world->model, &set, &contacts->set, error);
    if (!status) status = sni_touching_create(world->dynamics, &contacts->touching, error);
    if (status) return status;
    sn_contact_capacity capacity = sn_contact_set_capacity(contacts->set);
    return sni_make_solver(&world->def, &capacity, &contacts->solver, error);
}

void sni_contacts_free(sni_contacts* contacts) {
    sni_touching_free(contacts->touching);
    sn_contact_solver_free(contacts->solver);
    sn_contact_set_free(contacts->set);
    sn_collider_free(contacts->collider);
}

void sni_contacts_move(sn_world* world) {
    sn_collider* collider = world->contacts.collider;
    const sni_places* at = sni_places_now(world->dynamics);
    if (at) sni_collider_move_all(collider, at->pose, at->twist, world->state.rest.resting);
    for (int32_t i = 0; !at && i < world->model->body_count; i++) {
        if (world->state.rest.resting[i] || !sni_collider_carries(collider, i)) continue;
        sn_body_id body = sn_body(i);
        sn_collider_move(collider, body, sn_dynamics_pose(world->dynamics, body),
                         sn_dynamics_velocity(world->dynamics, body));
    }
}

void sni_wake(sn_world* world, int32_t body) {
    if (body >= 0 && body < world->model->body_count) sni_rest_wake(&world->state.rest, body);
}

// ---- questions ------------------------------------------------------------------------------------------

sn_collider* sn_world_collider(sn_world* world) { return world->contacts.collider; }

// The set has the contacts of what was awake, in the order of their forces; the collider's list is another one in the
// step in which something falls asleep.
int32_t sn_world_contact_count(const sn_world* world) {
    return world->contacts.set ? sn_contact_set_count(world->contacts.set) : 0;
}
const sn_contact* sn_world_contacts(const sn_world* world) {
    return world->contacts.set ? sni_contact_set_at(world->contacts.set, 0) : NULL;
}

sn_wrench sn_world_contact_force(const sn_world* world, int32_t i) {
    return world->contacts.set ? sn_contact_set_force(world->contacts.set, i) : sn_wrench_zero();
}

sn_status sn_world_add_constraint(sn_world* world, const sn_constraint* constraint,
                                  sn_error* error) {
    if (!world || !constraint) return SN_ERR_ARGUMENT;
    if (!sni_has_contact(world))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "constraints are part of contact, which is off in this world");
    sn_status status = sn_contact_set_add_constraint(world->contacts.set, constraint, error);
    if (status) return status;
    sni_wake(world, constraint->a.i);
    sni_wake(world, constraint->b.i);
    sni_tell(world, &(sn_command){.type = SN_COMMAND_CONSTRAIN, .constraint = *constraint});
    return SN_OK;
}

sn_status sn_world_hold(sn_world* world, const sn_constraint* constraint, sn_error* error) {
    if (!world || !constraint) return SN_ERR_ARGUMENT;
    sn_constraint here = *constraint;
    int32_t count = world->model->body_count;
    if (here.a.i >= count || here.b.i >= count)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "there are %d bodies", count);
    sni_update_motion(world);
    sn_pose X_wa = sn_pose_identity(), X_wb = sn_pose_identity();
    if (here.a.i >= 0) X_wa = sn_dynamics_pose(world->dynamics, here.a);
    if (here.b.i >= 0) X_wb = sn_dynamics_pose(world->dynamics, here.b);
    sn_pose X_wc = here.b.i >= 0 ? X_wb : X_wa;
    here.X_ac = sn_pose_mul(sn_pose_inverse(X_wa), X_wc);
    here.X_bc = sn_pose_mul(sn_pose_inverse(X_wb), X_wc);
    return sn_world_add_constraint(world, &here, error);
}

sn_status sn_world_remove_constraint(sn_world* world, uint64_t id) {
    if (!world || !sni_has_contact(world)) return SN_ERR_ARGUMENT;
    sn_status status = sn_contact_set_remove_constraint(world->contacts.set, id);
    if (status) return status;
    sni_rest_wake_all(&world->state.rest);
    sni_tell(world, &(sn_command){.type = SN_COMMAND_RELEASE, .constraint.id = id});
    return SN_OK;
}

int32_t sn_world_group_count(const sn_world* world) {
    int32_t count = 0;
    for (int32_t t = 0; t < world->state.rest.tree_count; t++)
        count += world->state.rest.leader[t] == t;
    return count;
}

int32_t sn_world_group_of(const sn_world* world, sn_body_id body) {
    const sni_rest* rest = &world->state.rest;
    if (body.i < 0 || body.i >= world->model->body_count) return -1;
    int32_t leader = rest->leader[rest->tree[body.i]], group = 0;
    for (int32_t t = 0; t < leader; t++) group += rest->leader[t] == t;
    return group;
}

bool sn_world_is_resting(const sn_world* world, sn_body_id body) {
    return body.i >= 0 && body.i < world->model->body_count && world->state.rest.resting[body.i];
}

void sn_world_wake(sn_world* world, sn_body_id body) {
    if (body.i >= 0 && body.i < world->model->body_count)
        sni_rest_keep_awake(&world->state.rest, body.i);
    sni_tell_body(world, SN_COMMAND_WAKE, body);
}
