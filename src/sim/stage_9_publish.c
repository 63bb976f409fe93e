// SPDX-License-Identifier: Apache-2.0
// Stage 9: a snapshot for whoever looks. The motion it needs is that of the new state, which the
// next step starts from: it is computed once.
#include <string.h>

#include "sim/sn_sim.h"

static void publish_poses(const sn_world* world, sn_snapshot* shot) {
    const sni_places* at = sni_places_now(world->dynamics);
    const sni_groups* groups = &shot->groups;
    if (at && groups->count == world->model->body_count) { // every body is a group of its own
        memcpy(shot->group_pose, at->pose, (size_t)groups->count * sizeof *at->pose);
        return;
    }
    for (int32_t g = 0; g < groups->count; g++)
        shot->group_pose[g] = sn_dynamics_pose(world->dynamics, sn_body(groups->leader[g]));
}

/// Where nothing sleeps: every body, and which of them are locked together.
static void publish_groups(sn_world* world, sn_snapshot* shot) {
    const sn_model* model = world->model;
    if (!world->groups_are_current) sni_groups_find(&world->groups, world->dynamics);
    world->groups_are_current = true;
    if (shot->groups.version != world->groups.version)
        sni_groups_copy(&shot->groups, &world->groups, model);
    publish_poses(world, shot);
    memcpy(shot->q, world->state.q, (size_t)model->nq * sizeof *shot->q);
    memcpy(shot->v, world->state.v, (size_t)model->nv * sizeof *shot->v);
}

static void publish_contacts(const sn_world* world, sn_snapshot* shot) {
    const sni_contacts* contacts = &world->contacts;
    shot->contact_count = contacts->set ? sn_contact_set_count(contacts->set) : 0;
    for (int32_t i = 0; i < shot->contact_count; i++) {
        const sn_contact* at = sni_contact_set_at(contacts->set, i);
        sn_wrench force = sn_contact_set_force(contacts->set, i);
        shot->contact[i] =
            (sn_contact_view){at->a, at->b, at->x, at->n, at->gap, at->material.mu, force.f};
    }
}

static void publish_rest(const sni_rest* rest, sn_snapshot* shot) {
    if (shot->rest_version == rest->version) return;
    memcpy(shot->resting, rest->resting, (size_t)shot->model->body_count * sizeof *shot->resting);
    shot->rest_version = rest->version;
}

void sn_world_publish(sn_world* world) {
    sn_step_report report = {0};
    (void)sni_stage_publish(world, &report); // it does not fail
}

sn_status sni_stage_publish(sn_world* world, sn_step_report* report) {
    unsigned back = sni_mailbox_back(&world->mailbox);
    sn_snapshot* shot = &world->snapshot[back];
    if (world->slot_is_due[back]) *shot = world->next_snapshot[back]; // of the new model
    world->slot_is_due[back] = false;
    sni_update_motion(world);
    shot->step = world->state.step;
    shot->time = sn_world_time(world);
    shot->events = report->events;
    shot->region = sn_dynamics_region(world->dynamics);
    if (sni_may_sleep(world->dynamics))
        sni_shape_renew(&shot->shape, world->dynamics, world->state.q, world->state.v);
    else
        publish_groups(world, shot);
    publish_rest(&world->state.rest, shot);
    publish_contacts(world, shot);
    sni_mailbox_publish(&world->mailbox);
    report->active = shot->region.active;
    report->region_error = shot->region.error;
    return SN_OK;
}
