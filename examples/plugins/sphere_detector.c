// SPDX-License-Identifier: Apache-2.0
// Collision detection of your own: spheres against spheres and planes, every pair, every step.
//
//   sinew sim SCENE --plugin build/examples/plugins/sphere_detector.so --detector spheres
//
// All other shapes are left out. A scene of granules needs no more, and a grid instead of the two loops would
// make it quick. Contacts are solved by whatever solver the world has.
#include <math.h>
#include <stdlib.h>

#include "sinew/plugin.h"

/// A sphere or a plane of the model.
typedef struct round_shape {
    int body; // -1: the world
    sn_pose X_bs;
    double radius;
    sn_material material;
    uint32_t group, mask;
} round_shape;

typedef struct detector_memory {
    int sphere_count, plane_count;
    round_shape *sphere, *plane;
    double margin; // m
} detector_memory;

static void detector_free(void* context, void* memory) {
    detector_memory* m = memory;
    (void)context;
    if (!m) return;
    free(m->sphere), free(m->plane);
    free(m);
}

static sn_status detector_create(void* context, const sn_model* model, const sn_collider_def* def,
                                 void** memory, sn_error* error) {
    detector_memory* m = calloc(1, sizeof *m);
    (void)error; // the status says enough
    if (!m) return SN_ERR_MEMORY;
    size_t count = (size_t)sn_model_shape_count(model) + 1;
    m->margin = def->margin;
    m->sphere = calloc(count, sizeof *m->sphere);
    m->plane = calloc(count, sizeof *m->plane);
    if (!m->sphere || !m->plane) {
        detector_free(context, m);
        return SN_ERR_MEMORY;
    }
    for (int s = 0; s < sn_model_shape_count(model); s++) {
        sn_shape_info info = sn_model_shape(model, s);
        round_shape shape = {info.body.i,   info.X_bs,  info.size.x,
                             info.material, info.group, info.mask};
        if (!(info.use & SN_SHAPE_COLLISION)) continue;
        if (info.type == SN_SHAPE_SPHERE) m->sphere[m->sphere_count++] = shape;
        if (info.type == SN_SHAPE_PLANE) m->plane[m->plane_count++] = shape;
    }
    *memory = m;
    return SN_OK;
}

// ---- a step -----------------------------------------------------------------------------------------------

/// Where bodies are, how they move, and the contacts found so far.
typedef struct scan {
    const sn_pose* X_wb;
    const sn_twist* v;
    const bool* resting;
    double h, margin;
    sn_contact* out;
    int32_t most, count;
} scan;

static sn_vec3 centre_of(const scan* s, const round_shape* shape) {
    return shape->body < 0 ? shape->X_bs.p : sn_pose_apply(s->X_wb[shape->body], shape->X_bs.p);
}

/// Velocity of the body at a point of the world.
static sn_vec3 velocity_at(const scan* s, int body, sn_vec3 x) {
    if (body < 0) return sn_vec3_zero();
    sn_pose X = s->X_wb[body];
    sn_vec3 r_b = sn_mat3_apply_transposed(X.R, sn_vec3_sub(x, X.p));
    sn_vec3 v_b = sn_vec3_add(s->v[body].v, sn_vec3_cross(s->v[body].w, r_b));
    return sn_mat3_apply(X.R, v_b);
}

static bool is_still(const scan* s, int body) { return body < 0 || s->resting[body]; }

static bool may_touch(const scan* s, const round_shape* a, const round_shape* b) {
    return a->body != b->body && (a->group & b->mask) && (b->group & a->mask) &&
           !(is_still(s, a->body) && is_still(s, b->body));
}

/// One pair has one contact, so the pair is its id; planes are numbered after the spheres.
static uint64_t id_of(int a, int b) { return ((uint64_t)a + 1) << 32 | (uint64_t)(b + 1); }

/// Adds the contact when surfaces are near, or will be before the step ends. What does not fit is counted.
static void offer(scan* s, uint64_t id, const round_shape* a, const round_shape* b, sn_vec3 x,
                  sn_vec3 n, double gap) {
    sn_vec3 apart = sn_vec3_sub(velocity_at(s, a->body, x), velocity_at(s, b->body, x));
    if (gap + fmin(0, s->h * sn_vec3_dot(n, apart)) > s->margin) return;
    if (s->count < s->most)
        s->out[s->count] = sn_contact_make(id, sn_body(a->body), sn_body(b->body), x, n, gap,
                                           sn_material_combine(a->material, b->material));
    s->count++;
}

static void sphere_and_sphere(scan* s, uint64_t id, const round_shape* a, const round_shape* b) {
    sn_vec3 p_a = centre_of(s, a), p_b = centre_of(s, b), way = sn_vec3_sub(p_a, p_b);
    double distance = sn_vec3_norm(way);
    if (!may_touch(s, a, b) || !(distance > 0)) return; // one in the other: no direction is right
    sn_vec3 n = sn_vec3_scale(1 / distance, way);
    double gap = distance - a->radius - b->radius;
    offer(s, id, a, b, sn_vec3_add(p_b, sn_vec3_scale(b->radius + 0.5 * gap, n)), n, gap);
}

/// A plane is z = 0 of its frame, solid below.
static void sphere_and_plane(scan* s, uint64_t id, const round_shape* a, const round_shape* b) {
    if (!may_touch(s, a, b)) return;
    sn_pose X = b->body < 0 ? b->X_bs : sn_pose_mul(s->X_wb[b->body], b->X_bs);
    sn_vec3 n = sn_mat3_apply(X.R, sn_vec3_make(0, 0, 1)), p = centre_of(s, a);
    double gap = sn_vec3_dot(n, sn_vec3_sub(p, X.p)) - a->radius;
    offer(s, id, a, b, sn_vec3_sub(p, sn_vec3_scale(a->radius + 0.5 * gap, n)), n, gap);
}

static int32_t detector_collide(void* context, void* memory, const sn_pose* X_wb, const sn_twist* v,
                                const bool* resting, double h, sn_contact* out, int32_t most) {
    const detector_memory* m = memory;
    scan s = {X_wb, v, resting, h, m->margin, out, most, 0};
    (void)context;
    for (int a = 0; a < m->sphere_count; a++) {
        for (int b = 0; b < a; b++)
            sphere_and_sphere(&s, id_of(a, b), &m->sphere[a], &m->sphere[b]);
        for (int b = 0; b < m->plane_count; b++)
            sphere_and_plane(&s, id_of(a, m->sphere_count + b), &m->sphere[a], &m->plane[b]);
    }
    return s.count;
}

static const sn_detector_module sphere_detector = {
    .name = "spheres",
    .about = "spheres against spheres and planes, all pairs",
    .create = detector_create,
    .free = detector_free,
    .collide = detector_collide,
};

// ---- the plugin ---------------------------------------------------------------------------------------------

static sn_status detector_provide(sn_modules* modules, sn_error* error) {
    return sn_modules_add_detector(modules, &sphere_detector, error);
}

// It has nothing to do while the simulation runs but what the module does.

static sn_status detector_init(sn_simulation* sim, const char* options, void** memory,
                               sn_error* error) {
    (void)sim, (void)options, (void)memory, (void)error;
    return SN_OK;
}

static sn_status detector_step(void* memory, sn_simulation* sim) {
    (void)memory, (void)sim;
    return SN_OK;
}

static void detector_cleanup(void* memory) { (void)memory; }

const sn_plugin sn_plugin_table = {
    SN_PLUGIN_HEAD,
    .name = "sphere_detector",
    .about = "collision detector \"spheres\"",
    .provide = detector_provide,
    .init = detector_init,
    .step = detector_step,
    .cleanup = detector_cleanup,
};
