// SPDX-License-Identifier: Apache-2.0
// The contacts of a step: boxes, near pairs, points, and which of those matter.
#include <string.h>

#include "base/hash.h"
#include "collision/guest.h"

static sni_known_pair meet(const sn_collider* collider, sni_near_pair at) {
    const sni_placed *a = &collider->shape[at.a], *b = &collider->shape[at.b];
    return (sni_known_pair){.shapes = at,
                            .material = sn_material_combine(a->material, b->material)};
}

/// Takes pairs that were near before; both lists are ordered by (a, b).
static void recall_pairs(sn_collider* collider) {
    const sni_known_pair *old = collider->last, *end = old + collider->last_count;
    for (int32_t k = 0; k < collider->pair_count; k++) {
        sni_near_pair at = collider->near[k];
        while (old < end &&
               (old->shapes.a < at.a || (old->shapes.a == at.a && old->shapes.b < at.b)))
            old++;
        bool known = old < end && old->shapes.a == at.a && old->shapes.b == at.b;
        collider->pair[k] = known ? *old : meet(collider, at);
    }
}

static bool are_as_before(const sn_collider* collider, int32_t count) {
    if (count != collider->pair_count) return false;
    for (int32_t k = 0; k < count; k++) {
        sni_near_pair now = collider->near[k], before = collider->pair[k].shapes;
        if (now.a != before.a || now.b != before.b) return false;
    }
    return true;
}

static void find_pairs(sn_collider* collider, sn_collision_report* report) {
    int32_t found = sni_collider_find_near(collider);
    int32_t count = found < collider->pair_most ? found : collider->pair_most;
    report->near = found;
    report->dropped_pairs = found - count;
    if (are_as_before(collider, count)) return;
    sni_known_pair* held = collider->last;
    collider->last = collider->pair;
    collider->last_count = collider->pair_count;
    collider->pair = held;
    collider->pair_count = count;
    recall_pairs(collider);
}

static sn_vec3 velocity_at(const sni_carrier* carrier, sn_vec3 x) {
    return sn_vec3_add(carrier->v, sn_vec3_cross(carrier->w, sn_vec3_sub(x, carrier->X_wb.p)));
}

/// Farthest that a point of the smaller shape can come nearer to the other within h seconds: by the relative
/// motion of its centre and by turning about it.
static double approach(const sni_placed* a, const sni_carrier* A, const sni_placed* b,
                       const sni_carrier* B, double h) {
    const sni_placed* small = a->solid.radius <= b->solid.radius ? a : b;
    sn_vec3 centre = small->X_ws.p;
    sn_vec3 v = sn_vec3_sub(velocity_at(A, centre), velocity_at(B, centre));
    double turn = sn_vec3_norm(sn_vec3_sub(A->w, B->w));
    return h * (sn_vec3_norm(v) + (turn > 0 ? turn * small->solid.radius : 0));
}

/// Never zero, which is no id.
static uint64_t contact_id(const sni_placed* a, const sni_placed* b, uint32_t feature) {
    const uint32_t key[4] = {(uint32_t)a->shape, (uint32_t)b->shape, feature, 0};
    uint64_t id = sni_hash(0, key, sizeof key);
    return id ? id : 1;
}

/// Whether a point is near, or will be within the step.
static bool will_be_near(const sni_touch* at, const sni_carrier* A, const sni_carrier* B, double h,
                         double margin) {
    if (at->gap <= margin) return true;
    double closing = -sn_vec3_dot(at->n, sn_vec3_sub(velocity_at(A, at->x), velocity_at(B, at->x)));
    return at->gap - h * closing <= margin;
}

static bool is_same(const sn_vec3* a, const sn_vec3* b) { return memcmp(a, b, sizeof *a) == 0; }

/// Points of one pair that are near, or will be within the step. `like` is the contact before, of any pair: most have its
/// normal, and so its frame.
static void add_contacts(sn_collider* collider, const sni_known_pair* pair,
                         const sni_touches* touches, double h, sn_contact* like) {
    if (touches->count == 0) return;
    sni_contact_shapes shapes = {pair->shapes.a, pair->shapes.b};
    const sni_placed *a = &collider->shape[shapes.a], *b = &collider->shape[shapes.b];
    const sni_carrier *A = &collider->carrier[a->body + 1], *B = &collider->carrier[b->body + 1];
    like->a = sn_body(a->body);
    like->b = sn_body(b->body);
    like->material = pair->material;
    for (int32_t k = 0; k < touches->count; k++) {
        const sni_touch* at = &touches->at[k];
        if (!will_be_near(at, A, B, h, collider->def.margin)) continue;
        sn_contact* room = sni_contact_list_add(&collider->contacts, at->gap, shapes);
        if (!room) continue;
        if (!is_same(&like->n, &at->n)) {
            like->n = at->n;
            sn_contact_frame(like->n, &like->t1, &like->t2);
        }
        *room = *like;
        room->id = contact_id(a, b, at->feature);
        room->x = at->x;
        room->gap = at->gap;
    }
}

static void touch_pair(sn_collider* collider, sni_known_pair* pair, double h, sn_contact* like,
                       sn_collision_report* report) {
    const sni_placed *a = &collider->shape[pair->shapes.a], *b = &collider->shape[pair->shapes.b];
    double margin = collider->def.margin + approach(a, &collider->carrier[a->body + 1], b,
                                                    &collider->carrier[b->body + 1], h);
    sni_touches touches = {collider->touch, 0, SNI_TOUCHES_MOST, 0};
    sni_touch_pair(&a->solid, &a->X_ws, &b->solid, &b->X_ws, margin, &pair->memory, &touches);
    collider->contacts.dropped += touches.dropped;
    int32_t before = collider->contacts.count + collider->contacts.dropped;
    add_contacts(collider, pair, &touches, h, like);
    report->touching += collider->contacts.count + collider->contacts.dropped > before;
}

/// Contacts of the shapes; how many there are.
static int32_t collide_shapes(sn_collider* collider, double h, sn_collision_report* report) {
    sni_contact_list* list = &collider->contacts;
    find_pairs(collider, report);
    sni_contact_list_clear(list);
    sn_contact like = {0};
    for (int32_t k = 0; k < collider->pair_count; k++)
        touch_pair(collider, &collider->pair[k], h, &like, report);
    sni_contact_list_finish(list);
    if (collider->def.patch_points > 0)
        sni_patch_reduce(list, &collider->patch, collider->def.patch_points,
                         0.1 * collider->def.margin);
    return list->count;
}

int32_t sn_collider_collide(sn_collider* collider, double h, const sn_contact** contacts,
                            sn_collision_report* report) {
    sn_collision_report unseen;
    if (!report) report = &unseen;
    *report = (sn_collision_report){.shapes = collider->shape_count, .lost = collider->lost_count};
    sni_collider_refit(collider, h);
    int32_t count = collider->guest ? sni_detector_guest_collide(collider, h)
                                    : collide_shapes(collider, h, report);
    const sni_contact_list* list = &collider->contacts;
    report->contacts = list->count;
    report->dropped_contacts = list->dropped;
    for (int32_t k = 0; k < list->count; k++)
        if (-list->contact[k].gap > report->deepest) report->deepest = -list->contact[k].gap;
    *contacts = list->contact;
    return count;
}

void sn_collider_contact_shapes(const sn_collider* collider, int32_t i, int* shape_a,
                                int* shape_b) {
    sni_contact_shapes at = collider->contacts.shapes[i];
    *shape_a = at.a < 0 ? -1 : collider->shape[at.a].shape; // a guest does not say
    *shape_b = at.b < 0 ? -1 : collider->shape[at.b].shape;
}
