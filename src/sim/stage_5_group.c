// SPDX-License-Identifier: Apache-2.0
// Stage 5: groups of bodies that touch each other, and which of them fall asleep.
#include "sim/sn_sim.h"

sn_status sni_stage_group(sn_world* world, sn_step_report* report) {
    if (!sni_has_contact(world)) return SN_OK;
    const sn_world_contact* def = &world->def.contact;
    sni_contacts* contacts = &world->contacts;
    sni_rest* rest = &world->state.rest;
    int32_t constraint_count;
    const sn_constraint* constraints =
        sni_contact_set_constraints(contacts->set, &constraint_count);
    sni_rest_group(rest, contacts->list, contacts->count, constraints, constraint_count);
    bool may_rest = def->rest_time != INFINITY && !sni_may_sleep(world->dynamics);
    if (may_rest && sni_rest_fall_asleep(rest, world->dynamics, def->rest_speed,
                                         def->rest_time / world->h, world->state.v))
        world->motion_is_current = false;
    report->contact.groups = sn_world_group_count(world);
    report->contact.resting = rest->resting_count;
    return SN_OK;
}
