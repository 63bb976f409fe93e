// SPDX-License-Identifier: Apache-2.0
#include "collision/loose.h"

#include <float.h>
#include <math.h>

#include "collision/box.h"
#include "collision/collider.h"
#include "model/sn_model.h"

void sni_loose_layout(sni_loose* loose, sni_arena* arena, int32_t shapes, int32_t carriers) {
    size_t n = sni_are_few(shapes) ? (size_t)shapes : 0;
    loose->strayed = SN_ARENA_ARRAY(arena, double, carriers);
    loose->leash = SN_ARENA_ARRAY(arena, double, carriers);
    loose->pair = SN_ARENA_ARRAY(arena, sni_loose_pair, n > 0 ? n * (n - 1) / 2 : 0);
    loose->count = -1;
}

void sni_loose_forget(sni_loose* loose) { loose->count = -1; }

/// How far boxes of a carrier reach out of those when pairs were chosen, at most.
static double strayed(const sni_carrier* carrier, double h) {
    return carrier->lost ? -INFINITY : carrier->away + h * carrier->speed + carrier->unsure;
}

// ---- choice ---------------------------------------------------------------------------------------------

/// A part of the mean edge of the boxes that have an end.
static double slack_of(const sni_box* box, int32_t boxes) {
    static const double PART = 0.05;
    double sum = 0;
    int32_t count = 0;
    for (int32_t k = 0; k < boxes; k++) {
        sn_vec3 edge = sn_vec3_sub(box[k].high, box[k].low);
        double mean = (edge.x + edge.y + edge.z) / 3;
        if (!(mean >= 0 && isfinite(mean))) continue;
        sum += mean;
        count++;
    }
    return count > 0 ? PART * sum / count : 0;
}

/// Boxes of all shapes as if they stood still. A plane of a body may be anywhere as soon as it tilts.
static void make_standing_boxes(sn_collider* collider) {
    static const sni_box anywhere = {{-INFINITY, -INFINITY, -INFINITY},
                                     {INFINITY, INFINITY, INFINITY}};
    double h = collider->h;
    collider->h = 0;
    for (int32_t c = 0; c <= collider->model->body_count; c++) {
        sni_collider_place(collider, &collider->carrier[c]);
        collider->carrier[c].fresh = false;
    }
    collider->h = h;
    for (int32_t s = collider->carrier[0].end; s < collider->shape_count; s++)
        if (collider->shape[s].solid.type == SN_SHAPE_PLANE) collider->box[s] = anywhere;
}

/// Carriers begin where they are. Those that are fast have a longer leash, so that pairs are not chosen in every step.
static void set_leashes(sn_collider* collider) {
    // of the coordinates that boxes are made from: what rounding makes of their ends
    static const double ROUNDING = 32 * DBL_EPSILON;
    static const double STEPS = 16;
    sni_loose* loose = &collider->loose;
    double slack = slack_of(collider->box, collider->shape_count);
    for (int32_t c = 0; c <= collider->model->body_count; c++) {
        sni_carrier* carrier = &collider->carrier[c];
        sn_vec3 p = carrier->X_wb.p;
        carrier->unsure = ROUNDING * (fabs(p.x) + fabs(p.y) + fabs(p.z) + carrier->reach);
        carrier->away = 0;
        loose->strayed[c] = strayed(carrier, collider->h);
        loose->leash[c] = loose->strayed[c] + slack + STEPS * collider->h * carrier->speed;
    }
}

/// Boxes that hold their shapes while carriers are on their leashes.
static void draw_larger(sn_collider* collider) {
    for (int32_t s = 0; s < collider->shape_count; s++) {
        double leash = collider->loose.leash[collider->shape[s].body + 1];
        sn_vec3 around = sn_vec3_make(leash, leash, leash);
        sni_box* box = &collider->box[s];
        *box = (sni_box){sn_vec3_sub(box->low, around), sn_vec3_add(box->high, around)};
        sni_broad_set(collider->broad, s, box);
    }
}

static double larger(double a, double b) { return a > b ? a : b; }

/// How far two boxes are apart along the axis along which they are most; negative: they overlap.
static double apart(const sni_box* a, const sni_box* b) {
    double x = larger(a->low.x - b->high.x, b->low.x - a->high.x);
    double y = larger(a->low.y - b->high.y, b->low.y - a->high.y);
    double z = larger(a->low.z - b->high.z, b->low.z - a->high.z);
    return larger(larger(x, y), z);
}

static void choose_pairs(sn_collider* collider) {
    sni_loose* loose = &collider->loose;
    const sni_box* box = collider->box;
    loose->count = 0;
    for (int32_t a = 0; a < collider->shape_count; a++) {
        int32_t A = collider->shape[a].body + 1;
        for (int32_t b = collider->carrier[A].end; b < collider->shape_count; b++) {
            if (!sni_box_overlap(&box[a], &box[b]) || !sni_collider_wants(collider, a, b)) continue;
            int32_t B = collider->shape[b].body + 1;
            double standing = apart(&box[a], &box[b]) + (loose->leash[A] + loose->leash[B]);
            loose->pair[loose->count++] = (sni_loose_pair){{a, b}, A, B, standing};
        }
    }
}

/// Looks where carriers that moved are; whether all are on their leashes.
static bool follow(const sn_collider* collider) {
    const sni_loose* loose = &collider->loose;
    bool held = true;
    for (int32_t k = 0; k < collider->moved_count; k++) {
        int32_t c = collider->moved[k];
        sni_carrier* carrier = &collider->carrier[c];
        carrier->moved = false;
        loose->strayed[c] = strayed(carrier, collider->h);
        held &= loose->strayed[c] <= loose->leash[c];
    }
    return held;
}

void sni_loose_update(sn_collider* collider) {
    if (follow(collider) && collider->loose.count >= 0) return;
    make_standing_boxes(collider);
    set_leashes(collider);
    draw_larger(collider);
    choose_pairs(collider);
}

// ---- find -----------------------------------------------------------------------------------------------

int32_t sni_loose_find(const sn_collider* collider, sni_near_pair* out, int32_t most) {
    const sni_loose* loose = &collider->loose;
    int32_t found = 0;
    for (int32_t k = 0; k < loose->count; k++) {
        const sni_loose_pair* at = &loose->pair[k];
        int32_t A = at->carrier_a, B = at->carrier_b;
        if (at->apart > loose->strayed[A] + loose->strayed[B]) continue;
        if (collider->resting[A] && collider->resting[B]) continue;
        sni_collider_freshen(collider, &collider->carrier[A]);
        sni_collider_freshen(collider, &collider->carrier[B]);
        if (!sni_box_overlap(&collider->box[at->shapes.a], &collider->box[at->shapes.b])) continue;
        if (found < most) out[found] = at->shapes;
        found++;
    }
    return found;
}
