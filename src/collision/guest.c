// SPDX-License-Identifier: Apache-2.0
#include "collision/guest.h"

#include <stdlib.h>
#include <string.h>

#include "base/guest.h"
#include "model/sn_model.h"

sn_status sni_detector_module_check(const sn_detector_module* table, sn_error* error) {
    if (!table) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "no detector module given");
    const sni_guest_function functions[] = {
        {"create", table->create},
        {"free", table->free},
        {"collide", table->collide},
    };
    enum { COUNT = sizeof functions / sizeof functions[0] };
    return sni_guest_check("detector", table->name, functions, COUNT, error);
}

sn_status sni_detector_guest_create(const sn_collider* collider, const sn_detector_module* table,
                                    sni_detector_guest** out, sn_error* error) {
    sn_error said = {0};
    *out = NULL;
    sni_detector_guest* guest = calloc(1, sizeof *guest);
    if (!guest) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    guest->table = *table;
    sn_status status =
        table->create(table->context, collider->model, &collider->def, &guest->memory, &said);
    if (status) {
        free(guest);
        return sni_guest_refused("detector", table->name, status, &said, error);
    }
    *out = guest;
    return SN_OK;
}

void sni_detector_guest_free(sni_detector_guest* guest) {
    if (!guest) return;
    guest->table.free(guest->table.context, guest->memory);
    free(guest);
}

void sni_detector_guest_layout(sni_detector_guest* guest, sni_arena* arena, const sn_model* model) {
    guest->X_wb = SN_ARENA_ARRAY(arena, sn_pose, model->body_count);
    guest->velocity = SN_ARENA_ARRAY(arena, sn_twist, model->body_count);
}

void sni_detector_guest_move(sni_detector_guest* guest, int32_t body, const sn_pose* X_wb,
                             const sn_twist* velocity) {
    if (body < 0) return; // the world stays
    guest->X_wb[body] = *X_wb;
    guest->velocity[body] = *velocity;
}

// ---- what it returns is looked at -----------------------------------------------------------------------

// Of a unit vector's square; what a contact set takes for one.
static const double UNIT_TOLERANCE = 2e-6;

static bool finite3(sn_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

static bool is_finite(const sn_contact* contact) {
    return finite3(contact->x) && finite3(contact->n) && isfinite(contact->gap);
}

static bool is_body(const sn_collider* collider, sn_body_id body) {
    return body.i >= -1 && body.i < collider->model->body_count;
}

static bool is_contact(const sn_collider* collider, const sn_contact* contact) {
    return is_finite(contact) && is_body(collider, contact->a) && is_body(collider, contact->b) &&
           contact->a.i != contact->b.i &&
           fabs(sn_vec3_dot(contact->n, contact->n) - 1) <= UNIT_TOLERANCE &&
           !sn_material_trouble(&contact->material);
}

/// Whether it is between bodies that may touch, are not both still and have a place.
static bool is_wanted(const sn_collider* collider, const sn_contact* contact) {
    int32_t a = contact->a.i + 1, b = contact->b.i + 1;
    return !(collider->resting[a] && collider->resting[b]) && !collider->carrier[a].lost &&
           !collider->carrier[b].lost && sn_collider_is_allowed(collider, contact->a, contact->b);
}

int32_t sni_detector_guest_collide(sn_collider* collider, double h) {
    static const sni_contact_shapes unknown = {-1, -1};
    sni_detector_guest* guest = collider->guest;
    sni_contact_list* list = &collider->contacts;
    sni_contact_list_clear(list);
    guest->broken = false;
    guest->answer =
        guest->table.collide(guest->table.context, guest->memory, guest->X_wb, guest->velocity,
                             collider->resting + 1, h, list->contact, list->most);
    if (guest->answer < 0) return guest->answer;
    int32_t written = guest->answer < list->most ? guest->answer : list->most;
    list->dropped = guest->answer - written;
    for (int32_t k = 0; k < written; k++) {
        sn_contact contact = list->contact[k];
        if (!is_finite(&contact)) guest->broken = true;
        if (!is_contact(collider, &contact)) {
            list->dropped++;
            continue;
        }
        if (!is_wanted(collider, &contact)) continue;
        sn_contact_frame(contact.n, &contact.t1, &contact.t2);
        list->contact[list->count] = contact; // k is not before it
        list->shapes[list->count++] = unknown;
    }
    return list->count;
}

sn_status sni_collider_trouble(const sn_collider* collider) {
    const sni_detector_guest* guest = collider->guest;
    if (!guest) return SN_OK;
    if (guest->answer < 0) return SN_ERR_FAULT;
    return guest->broken ? SN_ERR_NUMERIC : SN_OK;
}
