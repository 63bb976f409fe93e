// SPDX-License-Identifier: Apache-2.0
// Stage 4: contacts at the poses of the beginning of the step. What they wake is looked at again, with its own
// contacts, before anything is solved.
#include "sim/sn_sim.h"

sn_status sni_stage_collide(sn_world* world, sn_step_report* report) {
    if (!sni_has_contact(world)) return SN_OK;
    sni_contacts* contacts = &world->contacts;
    sn_collision_report* found = &report->contact.found;
    sni_contacts_move(world);
    do {
        sni_collider_rest_all(contacts->collider, world->state.rest.resting);
        contacts->count = sn_collider_collide(contacts->collider, world->h, &contacts->list, found);
    } while (sni_rest_wake_touched(&world->state.rest, contacts->list, contacts->count));
    sn_status trouble = sni_collider_trouble(contacts->collider);
    if (trouble) return sni_blame(world, "detector", world->def.contact.detector, trouble);
    if (found->dropped_contacts || found->dropped_pairs) report->events |= SN_EVENT_FULL;
    if (found->lost) report->events |= SN_EVENT_LOST;
    return SN_OK;
}
