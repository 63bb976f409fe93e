// SPDX-License-Identifier: Apache-2.0
// Stage 6: the contact problem of the step, with the response of the bodies that touch.
#include "sim/sn_sim.h"

/// Whether it is between bodies that are awake and can move against each other.
static bool acts(const sn_world* world, const sn_contact* contact) {
    int32_t body = contact->a.i >= 0 ? contact->a.i : contact->b.i;
    if (world->state.rest.resting[body]) return false; // its group fell asleep in this step
    return !sni_contact_set_welds(world->contacts.set, contact->a, contact->b);
}

/// Contacts that act, as many at once as follow each other; the set is as large as the collider's list.
static void add_contacts(sn_world* world) {
    const sni_contacts* contacts = &world->contacts;
    int32_t added = 0; // or left out
    sn_contact_set_clear(contacts->set);
    for (int32_t k = 0; k <= contacts->count; k++) {
        if (k < contacts->count && acts(world, &contacts->list[k])) continue;
        if (k > added) sni_contact_set_push(contacts->set, contacts->list + added, k - added);
        added = k + 1;
    }
}

sn_status sni_stage_delassus(sn_world* world, sn_step_report* report) {
    if (!sni_has_contact(world)) return SN_OK;
    sni_contacts* contacts = &world->contacts;
    const sn_dynamics* dynamics = world->dynamics;
    int32_t moving;
    (void)sni_moving(world, &moving); // only whether there is anything
    add_contacts(world);
    sni_contact_free_velocity(world->model, dynamics->awake, dynamics->awake_count, world->state.v,
                              world->work.qdd, world->h, world->work.v_free);
    contacts->built = false;
    if (moving == 0) return SN_OK;
    sn_status status =
        sn_contact_set_build(contacts->set, world->dynamics, world->work.v_free, world->h, NULL);
    contacts->built = !status;
    report->contact.points = sn_contact_set_count(contacts->set);
    if (status) report->events |= SN_EVENT_NO_CONTACT;
    return sni_dynamics_trouble(world->dynamics);
}
