// SPDX-License-Identifier: Apache-2.0
// A collider's memory and its filters.
#include "collision/collider.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collision/guest.h"
#include "model/sn_model.h"

sn_collider_def sn_collider_def_default(void) {
    return (sn_collider_def){.contacts = 1024, .margin = 1e-3, .skip_joined = true};
}

// ---- creation -------------------------------------------------------------------------------------------

static bool takes_part(const sn_shape_info* shape) {
    return (shape->use & SN_SHAPE_COLLISION) &&
           (shape->type != SN_SHAPE_MESH || shape->triangle_count > 0);
}

static sni_box box_about(sn_vec3 half) { return (sni_box){sn_vec3_neg(half), half}; }

static sni_box box_of_corners(const sn_vec3* corner, int32_t count) {
    sni_box box = {corner[0], corner[0]};
    for (int32_t k = 1; k < count; k++) {
        box.low = sn_vec3_make(fmin(box.low.x, corner[k].x), fmin(box.low.y, corner[k].y),
                               fmin(box.low.z, corner[k].z));
        box.high = sn_vec3_make(fmax(box.high.x, corner[k].x), fmax(box.high.y, corner[k].y),
                                fmax(box.high.z, corner[k].z));
    }
    return box;
}

static double farthest(const sn_vec3* corner, int32_t count) {
    double most = 0;
    for (int32_t k = 0; k < count; k++) most = fmax(most, sn_vec3_norm(corner[k]));
    return most;
}

/// Sizes and bounds; hull and mesh are made apart.
static sni_solid solid_of(const sn_shape_info* shape) {
    sni_solid solid = {.type = shape->type};
    sn_vec3 s = shape->size;
    double r = s.x, z = 0.5 * s.z;
    switch (shape->type) {
    case SN_SHAPE_SPHERE:
        solid.half = sn_vec3_make(r, r, r);
        solid.bounds = box_about(solid.half);
        solid.radius = r;
        break;
    case SN_SHAPE_BOX:
        solid.half = sn_vec3_scale(0.5, s);
        solid.bounds = box_about(solid.half);
        solid.radius = sn_vec3_norm(solid.half);
        break;
    case SN_SHAPE_CYLINDER:
        solid.half = sn_vec3_make(r, r, z);
        solid.bounds = box_about(solid.half);
        solid.radius = sqrt(r * r + z * z);
        break;
    case SN_SHAPE_CAPSULE:
        solid.half = sn_vec3_make(r, r, z);
        solid.bounds = box_about(sn_vec3_make(r, r, z + r));
        solid.radius = z + r;
        break;
    case SN_SHAPE_PLANE: solid.radius = INFINITY; break;
    case SN_SHAPE_MESH:
    case SN_SHAPE_HULL:
        solid.bounds = box_of_corners(shape->vertices, shape->vertex_count);
        solid.radius = farthest(shape->vertices, shape->vertex_count);
        break;
    }
    return solid;
}

static sn_status make_geometry(const sn_shape_info* shape, sni_solid* solid, sn_error* error) {
    sni_hull* hull = NULL;
    sni_mesh* mesh = NULL;
    sn_status status = SN_OK;
    if (shape->type == SN_SHAPE_HULL) status = sni_hull_create(shape, &hull, error);
    if (shape->type == SN_SHAPE_MESH) status = sni_mesh_create(shape, &mesh, error);
    solid->hull = hull;
    solid->mesh = mesh;
    return status;
}

/// Gives each carrier the places of its shapes.
static void share_places(sn_collider* collider) {
    const sn_model* model = collider->model;
    for (int32_t s = 0; s < model->shape_count; s++)
        collider->carrier[model->shape[s].body.i + 1].end += takes_part(&model->shape[s]);
    int32_t at = 0;
    for (int32_t c = 0; c <= model->body_count; c++) {
        sni_carrier* carrier = &collider->carrier[c];
        int32_t count = carrier->end;
        carrier->first = carrier->end = at; // the end moves on as shapes are placed
        carrier->X_wb = sn_pose_identity();
        at += count;
    }
}

/// Shapes in the order of their carriers, so that those of a body are neighbours.
static sn_status place_shapes(sn_collider* collider, const sn_log* log, sn_error* error) {
    const sn_model* model = collider->model;
    sn_status status = SN_OK;
    share_places(collider);
    for (int32_t s = 0; s < model->shape_count && !status; s++) {
        const sn_shape_info* shape = &model->shape[s];
        if ((shape->use & SN_SHAPE_COLLISION) && !takes_part(shape))
            sni_say(log, SN_LOG_WARNING, sni_nowhere(),
                    "mesh '%s' was not read: its shape touches nothing", shape->mesh);
        if (!takes_part(shape)) continue;
        sni_placed* placed = &collider->shape[collider->carrier[shape->body.i + 1].end++];
        *placed = (sni_placed){.solid = solid_of(shape),
                               .X_ws = shape->X_bs,
                               .shape = s,
                               .body = shape->body.i,
                               .group = shape->group,
                               .mask = shape->mask,
                               .X_bs = shape->X_bs,
                               .material = shape->material};
        sni_placed_measure(placed, &collider->carrier[shape->body.i + 1]);
        status = make_geometry(shape, &placed->solid, error);
    }
    return status;
}

/// Bodies of one tree get the number of its first body; trees that loops join, one number.
static void find_trees(sn_collider* collider) {
    const sn_model* model = collider->model;
    for (int32_t i = 0; i < model->body_count; i++) {
        int32_t parent = model->joint[i].parent;
        collider->tree[i] = parent < 0 ? i : collider->tree[parent];
        collider->held[i] =
            parent < 0 ? model->joint[i].type != SN_JOINT_FREE : collider->held[parent];
    }
    for (int32_t l = 0; l < model->loop_count; l++) {
        const int32_t* body = model->loop[l].body;
        if (body[0] < 0 || body[1] < 0) continue;
        int32_t from = collider->tree[body[1]], to = collider->tree[body[0]];
        for (int32_t i = 0; from != to && i < model->body_count; i++)
            if (collider->tree[i] == from) collider->tree[i] = to;
    }
}

static bool switch_off_joined(sn_collider* collider) {
    const sn_model* model = collider->model;
    bool ok = true;
    for (int32_t l = 0; l < model->loop_count && ok && collider->def.skip_joined; l++) {
        const int32_t* body = model->loop[l].body;
        if (body[0] >= 0 && body[1] >= 0)
            ok = sni_switches_set(&collider->bodies, body[0], body[1], SNI_OFF);
    }
    for (int32_t k = 0; k < model->exclusion_count && ok; k++)
        ok = sni_switches_set(&collider->bodies, model->exclusion[k].a.i, model->exclusion[k].b.i,
                              SNI_OFF);
    return ok;
}

static void layout(sn_collider* collider, sni_arena* arena) {
    int32_t carriers = collider->model->body_count + 1;
    collider->shape = SN_ARENA_ARRAY(arena, sni_placed, collider->shape_count);
    collider->carrier = SN_ARENA_ARRAY(arena, sni_carrier, carriers);
    collider->tree = SN_ARENA_ARRAY(arena, int32_t, carriers - 1);
    collider->held = SN_ARENA_ARRAY(arena, bool, carriers - 1);
    collider->moved = SN_ARENA_ARRAY(arena, int32_t, carriers);
    collider->resting = SN_ARENA_ARRAY(arena, bool, carriers);
    collider->box = SN_ARENA_ARRAY(arena, sni_box, collider->shape_count);
    sni_loose_layout(&collider->loose, arena, collider->shape_count, carriers);
    collider->near = SN_ARENA_ARRAY(arena, sni_near_pair, collider->pair_most);
    collider->pair = SN_ARENA_ARRAY(arena, sni_known_pair, collider->pair_most);
    collider->last = SN_ARENA_ARRAY(arena, sni_known_pair, collider->pair_most);
    collider->broad = sni_broad_layout(arena, collider->shape_count);
    collider->found = SN_ARENA_ARRAY(arena, int32_t, collider->shape_count);
    sni_contact_list_layout(&collider->contacts, arena, collider->def.contacts);
    sni_patch_layout(&collider->patch, arena, collider->def.contacts);
    if (collider->guest) sni_detector_guest_layout(collider->guest, arena, collider->model);
}

static sn_status check_def(const sn_collider_def* def, sn_error* error) {
    enum { MOST = INT32_MAX / 16 };
    if (def->contacts < 0 || def->contacts > MOST || def->pairs < 0 || def->pairs > MOST)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "contacts and pairs of a collider must be from 0 to %d", MOST);
    if (!(def->margin >= 0 && isfinite(def->margin)))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "the margin of a collider must be finite and not negative");
    if (def->patch_points != 0 && def->patch_points < 4)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "patch_points must be 0 (all) or at least 4");
    return SN_OK;
}

static int32_t count_shapes(const sn_model* model) {
    int32_t count = 0;
    for (int32_t s = 0; s < model->shape_count; s++) count += takes_part(&model->shape[s]);
    return count;
}

static void set_still(sn_collider* collider, int32_t carrier, bool still) {
    const sni_carrier* at = &collider->carrier[carrier];
    collider->resting[carrier] = still;
    for (int32_t s = at->first; s < at->end; s++) sni_broad_still(collider->broad, s, still);
}

/// Memory, shapes and filters of a collider that knows its model, def and guest.
static sn_status build(sn_collider* collider, const sn_log* log, sn_error* error) {
    enum { PAIRS_A_SHAPE = 8, PAIRS_AT_LEAST = 4096 };
    const sn_model* model = collider->model;
    int32_t shapes = count_shapes(model);
    collider->pair_most =
        collider->def.pairs ? collider->def.pairs : PAIRS_A_SHAPE * shapes + PAIRS_AT_LEAST;
    collider->shape_count = shapes;
    layout(collider, &collider->arena);
    if (!sni_arena_allocate(&collider->arena)) {
        collider->shape_count = 0; // there are none to free
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory for %d shapes",
                        shapes);
    }
    layout(collider, &collider->arena);
    find_trees(collider);
    sn_status status = place_shapes(collider, log, error);
    if (!status && !switch_off_joined(collider))
        status = sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    if (status) return status;
    set_still(collider, 0, true); // the world
    for (int32_t c = 0; c <= model->body_count; c++)
        sn_collider_move(collider, sn_body(c - 1), sn_pose_identity(), sn_twist_zero());
    return SN_OK;
}

/// Contacts are ours to find, or a user's functions'.
static sn_status create(const sn_model* model, const sn_collider_def* def, const sn_log* log,
                        const sn_detector_module* table, sn_collider** out, sn_error* error) {
    sn_collider_def defaults = sn_collider_def_default();
    if (!def) def = &defaults;
    if (!model) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "no model given");
    sn_status status = check_def(def, error);
    if (status) return status;
    sn_collider* collider = calloc(1, sizeof *collider);
    if (!collider) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    collider->model = model;
    collider->def = *def;
    if (table) status = sni_detector_guest_create(collider, table, &collider->guest, error);
    if (!status) status = build(collider, log, error);
    if (status) {
        sn_collider_free(collider);
        return status;
    }
    *out = collider;
    return SN_OK;
}

sn_status sn_collider_create(const sn_model* model, const sn_collider_def* def, const sn_log* log,
                             sn_collider** out, sn_error* error) {
    if (!out) return SN_ERR_ARGUMENT;
    *out = NULL;
    return create(model, def, log, NULL, out, error);
}

sn_status sn_collider_create_module(const sn_model* model, const sn_collider_def* def,
                                    const sn_log* log, const sn_detector_module* module,
                                    sn_collider** out, sn_error* error) {
    if (!out) return SN_ERR_ARGUMENT;
    *out = NULL;
    sn_status status = sni_detector_module_check(module, error);
    return status ? status : create(model, def, log, module, out, error);
}

void sn_collider_free(sn_collider* collider) {
    if (!collider) return;
    sni_detector_guest_free(collider->guest);
    for (int32_t s = 0; s < collider->shape_count; s++) {
        sni_hull_free((sni_hull*)collider->shape[s].solid.hull); // made by make_geometry
        sni_mesh_free((sni_mesh*)collider->shape[s].solid.mesh);
    }
    sni_switches_free(&collider->bodies);
    sni_switches_free(&collider->shapes);
    sni_arena_free(&collider->arena);
    free(collider);
}

// ---- which pairs ----------------------------------------------------------------------------------------

bool sni_is_carrier(const sn_collider* collider, int32_t body) {
    return body >= -1 && body < collider->model->body_count;
}

/// Whether a joint connects two bodies; the world is joined with nobody, so that an arm may touch the floor
/// it stands on.
static bool are_joined(const sn_collider* collider, int32_t a, int32_t b) {
    const sni_joint* joint = collider->model->joint;
    return a >= 0 && b >= 0 && (joint[a].parent == b || joint[b].parent == a);
}

static bool bodies_may_touch(const sn_collider* collider, int32_t a, int32_t b) {
    if (a == b) return false;
    sni_switch set = sni_switches_get(&collider->bodies, a, b);
    if (set != SNI_UNSET) return set == SNI_ON;
    return !(collider->def.skip_joined && are_joined(collider, a, b));
}

bool sni_collider_wants(const void* context, int32_t a, int32_t b) {
    const sn_collider* collider = context;
    const sni_placed *A = &collider->shape[a], *B = &collider->shape[b];
    if (!(A->group & B->mask) || !(B->group & A->mask)) return false;
    if (A->solid.type == SN_SHAPE_PLANE && B->solid.type == SN_SHAPE_PLANE) return false;
    return bodies_may_touch(collider, A->body, B->body) &&
           sni_switches_get(&collider->shapes, a, b) != SNI_OFF;
}

sn_status sn_collider_allow(sn_collider* collider, sn_body_id a, sn_body_id b, bool allowed) {
    if (!collider || !sni_is_carrier(collider, a.i) || !sni_is_carrier(collider, b.i) || a.i == b.i)
        return SN_ERR_ARGUMENT;
    bool ok = sni_switches_set(&collider->bodies, a.i, b.i, allowed ? SNI_ON : SNI_OFF);
    sni_loose_forget(&collider->loose);
    return ok ? SN_OK : SN_ERR_MEMORY;
}

bool sn_collider_is_allowed(const sn_collider* collider, sn_body_id a, sn_body_id b) {
    return sni_is_carrier(collider, a.i) && sni_is_carrier(collider, b.i) &&
           bodies_may_touch(collider, a.i, b.i);
}

/// Of one tree; or held to the world, and the world, but for planes.
static bool may_be_drawn_overlapping(const sn_collider* collider, const sni_placed* a,
                                     const sni_placed* b) {
    if (a->body < 0) return collider->held[b->body] && a->solid.type != SN_SHAPE_PLANE;
    return collider->tree[a->body] == collider->tree[b->body];
}

// Surfaces that meet exactly, as of blocks side by side, differ by rounding: no overlap.
static const double OVERLAP = 1e-9; // of the size

static bool overlap(sn_collider* collider, const sni_placed* a, const sni_placed* b) {
    sni_touches touches = {collider->touch, 0, SNI_TOUCHES_MOST, 0};
    sni_pair_memory memory = {0};
    sni_touch_pair(&a->solid, &a->X_ws, &b->solid, &b->X_ws, 0, &memory, &touches);
    double size = fmin(a->solid.radius, b->solid.radius);
    for (int32_t k = 0; k < touches.count; k++)
        if (touches.at[k].gap < -OVERLAP * size) return true;
    return false;
}

int32_t sn_collider_skip_overlapping(sn_collider* collider) {
    sni_collider_refit(collider, 0);
    int32_t found = sni_collider_find_near(collider);
    int32_t count = found < collider->pair_most ? found : collider->pair_most, off = 0;
    for (int32_t k = 0; k < count; k++) {
        sni_near_pair near = collider->near[k];
        const sni_placed *a = &collider->shape[near.a], *b = &collider->shape[near.b];
        if (!may_be_drawn_overlapping(collider, a, b) ||
            !bodies_may_touch(collider, a->body, b->body) || !overlap(collider, a, b))
            continue;
        bool ok = a->body < 0 ? sni_switches_set(&collider->shapes, near.a, near.b, SNI_OFF)
                              : sni_switches_set(&collider->bodies, a->body, b->body, SNI_OFF);
        if (!ok) return -1;
        sni_loose_forget(&collider->loose);
        off++;
    }
    return off;
}

void sn_collider_rest(sn_collider* collider, sn_body_id body, bool resting) {
    if (body.i < 0 || !sni_is_carrier(collider, body.i)) return; // the world stays still
    if (collider->resting[body.i + 1] != resting) set_still(collider, body.i + 1, resting);
}

void sni_collider_rest_all(sn_collider* collider, const bool* resting) {
    int32_t bodies = collider->model->body_count;
    if (memcmp(collider->resting + 1, resting, (size_t)bodies * sizeof *resting) == 0) return;
    for (int32_t i = 0; i < bodies; i++) sn_collider_rest(collider, sn_body(i), resting[i]);
}
