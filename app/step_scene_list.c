// SPDX-License-Identifier: Apache-2.0
/// The scenes of free bodies. Lengths in m, masses in kg; a step of 1 ms throughout.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "memory.h"
#include "message.h"
#include "step_scene.h"
#include "step_truth.h"

static const double G = 9.81, DEGREE = 3.14159265358979323846 / 180;
static const double STEP = 1e-3;

// ---- making -------------------------------------------------------------------------------------------

// A scene while bodies are added to it.
typedef struct maker {
    step_scene* scene;
    sn_model_builder* builder;
    sn_status status;
} maker;

static maker start(const char* name, const char* about, double mu, double restitution) {
    maker m = {.scene = memory_take(1, sizeof *m.scene)};
    m.builder = sn_model_builder_create(name);
    m.status = m.builder ? SN_OK : SN_ERR_MEMORY;
    snprintf(m.scene->name, sizeof m.scene->name, "%s", name);
    m.scene->about = about;
    m.scene->step = STEP;
    m.scene->every = 1;
    m.scene->gravity = sn_vec3_make(0, 0, -G);
    m.scene->mu = mu;
    m.scene->restitution = restitution;
    return m;
}

static sn_mat3 about_y(double angle) {
    return sn_quat_matrix(sn_quat_exp(sn_vec3_make(0, angle, 0)));
}

static sn_material material(const step_scene* s) {
    sn_material material = sn_material_default();
    material.mu = material.mu_kinetic = s->mu;
    material.restitution = s->restitution;
    return material;
}

// Through the origin, turned about y so that x points downhill.
static void add_plane(maker* m, double angle) {
    sn_shape_def shape = sn_shape_def_default();
    shape.name = "plane";
    shape.type = SN_SHAPE_PLANE;
    shape.use = SN_SHAPE_COLLISION;
    shape.pose = sn_pose_make(about_y(angle), sn_vec3_zero());
    shape.material = material(m->scene);
    m->scene->angle = angle;
    if (!m->status) m->status = sn_model_builder_add_shape(m->builder, &shape);
}

static void add_body(maker* m, sn_shape_type type, sn_vec3 size, double mass, step_root root) {
    step_scene* s = m->scene;
    char name[24];
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default();
    snprintf(name, sizeof name, "b%d", s->root_count);
    body.name = name;
    body.joint.type = SN_JOINT_FREE;
    body.inertia =
        type == SN_SHAPE_SPHERE ? sn_inertia_sphere(mass, size.x) : sn_inertia_box(mass, size);
    shape.body = shape.name = name;
    shape.type = type;
    shape.use = SN_SHAPE_COLLISION;
    shape.size = size;
    shape.material = material(s);
    if (!m->status) m->status = sn_model_builder_add_body(m->builder, &body);
    if (!m->status) m->status = sn_model_builder_add_shape(m->builder, &shape);
    size_t count = (size_t)s->root_count + 1;
    s->roots = memory_resize(s->roots, count, sizeof *s->roots);
    s->root_body = memory_resize(s->root_body, count, sizeof *s->root_body);
    s->roots[s->root_count] = root;
    s->root_body[s->root_count] = s->root_count;
    s->root_count += 1;
}

static step_root at(double x, double y, double z) {
    return (step_root){.position = {x, y, z}, .rotation = sn_quat_identity()};
}

// Touching an incline through the origin, with its lowest point `height` below its centre.
static step_root on_incline(double angle, double height) {
    step_root root = at(height * sin(angle), 0, height * cos(angle));
    root.rotation = sn_quat_exp(sn_vec3_make(0, angle, 0));
    return root;
}

static step_scene* finish(maker* m) {
    sn_error error = {.status = m->status, .text = "a scene cannot be made"};
    if (!m->status)
        m->status = sn_model_builder_compile(m->builder, NULL, &m->scene->model, &error);
    sn_model_builder_free(m->builder);
    if (!m->status) return m->scene;
    message_error_from(&error);
    step_scene_free(m->scene);
    return NULL;
}

// ---- one body -----------------------------------------------------------------------------------------

static step_scene* incline_holds(void) {
    const double angle = 20 * DEGREE;
    maker m =
        start("incline-holds", "creep of a block on an incline of 20 degrees, mu 0.5", 0.5, 0);
    add_plane(&m, angle);
    add_body(&m, SN_SHAPE_BOX, sn_vec3_make(0.2, 0.2, 0.1), 1, on_incline(angle, 0.05));
    m.scene->duration = 10;
    m.scene->settle = 0.5;
    m.scene->every = 10;
    m.scene->judge = step_judge_creep;
    return finish(&m);
}

static step_scene* incline_slides(void) {
    const double angle = 30 * DEGREE;
    maker m = start("incline-slides", "acceleration on an incline of 30 degrees, mu 0.3", 0.3, 0);
    add_plane(&m, angle);
    add_body(&m, SN_SHAPE_BOX, sn_vec3_make(0.2, 0.2, 0.1), 1, on_incline(angle, 0.05));
    m.scene->duration = 2;
    m.scene->settle = 0.5;
    m.scene->every = 10;
    m.scene->truth = G * (sin(angle) - m.scene->mu * cos(angle));
    m.scene->judge = step_judge_acceleration;
    return finish(&m);
}

static step_scene* ball_bounces(void) {
    const double radius = 0.1, height = 1;
    maker m = start("ball-bounces", "height of a ball's first and third bounce, restitution 0.8",
                    0.5, 0.8);
    add_plane(&m, 0);
    add_body(&m, SN_SHAPE_SPHERE, sn_vec3_make(radius, 0, 0), 1, at(0, 0, height + radius));
    m.scene->duration = 2.4;
    m.scene->truth = radius;
    m.scene->judge = step_judge_bounce;
    return finish(&m);
}

static step_scene* box_stops(void) {
    const double speed = 2;
    step_root root = at(0, 0, 0.05);
    root.velocity.x = speed;
    maker m = start("box-stops", "distance in which a box at 2 m/s comes to rest, mu 0.4", 0.4, 0);
    add_plane(&m, 0);
    add_body(&m, SN_SHAPE_BOX, sn_vec3_make(0.3, 0.3, 0.1), 1, root);
    m.scene->duration = 1;
    m.scene->every = 10;
    m.scene->truth = speed * speed / (2 * m.scene->mu * G);
    m.scene->judge = step_judge_distance;
    return finish(&m);
}

static step_scene* sphere_rolls(void) {
    const double angle = 10 * DEGREE, radius = 0.1;
    maker m = start("sphere-rolls", "acceleration of a ball that rolls down 10 degrees", 0.5, 0);
    add_plane(&m, angle);
    add_body(&m, SN_SHAPE_SPHERE, sn_vec3_make(radius, 0, 0), 1, on_incline(angle, radius));
    m.scene->duration = 2;
    m.scene->settle = 0.5;
    m.scene->every = 10;
    m.scene->truth = 5.0 / 7 * G * sin(angle);
    m.scene->judge = step_judge_acceleration;
    return finish(&m);
}

// ---- several ------------------------------------------------------------------------------------------

// Cubes, whose spin does not wander: all that changes momentum is contact.
static step_scene* boxes_collide(void) {
    const sn_vec3 cube = {0.2, 0.2, 0.2};
    step_root a = at(-0.3, 0, 0), b = at(0.1, 0.07, 0.05);
    a.velocity = sn_vec3_make(2, 0, 0);
    a.omega = sn_vec3_make(0.5, 1, 2);
    b.rotation = sn_quat_exp(sn_vec3_make(0.3, 0.5, 0.2));
    b.omega = sn_vec3_make(0, -1, 0.5);
    maker m =
        start("boxes-collide", "momentum and energy of two cubes that meet in space", 0.5, 0.5);
    add_body(&m, SN_SHAPE_BOX, cube, 1, a);
    add_body(&m, SN_SHAPE_BOX, cube, 2, b);
    m.scene->gravity = sn_vec3_zero();
    m.scene->duration = 0.6;
    m.scene->judge = step_judge_collision;
    return finish(&m);
}

static step_scene* tower(void) {
    const double edge = 0.2;
    maker m =
        start("tower-20", "where the top of a tower of 20 boxes is after it stood 60 s", 0.5, 0);
    add_plane(&m, 0);
    for (int i = 0; i < 20; i++) {
        add_body(&m, SN_SHAPE_BOX, sn_vec3_make(edge, edge, edge), 1, at(0, 0, edge * (i + 0.5)));
    }
    m.scene->duration = 60;
    m.scene->settle = 0.5;
    m.scene->every = 100;
    m.scene->judge = step_judge_tower;
    return finish(&m);
}

step_scene* step_scene_pyramid(int base, int count) {
    const double edge = 0.2, spacing = 0.22, gap = 2e-4; // between rows, so that all land
    int points = 0;
    maker m = start("pile", "energy and motion of a pyramid of boxes after it has landed", 0.5, 0);
    add_plane(&m, 0);
    for (int row = 0; row < base && m.scene->root_count < count; row++) {
        for (int i = 0; i < base - row && m.scene->root_count < count; i++) {
            double x = spacing * (i - 0.5 * (base - row - 1)), z = edge * (row + 0.5);
            add_body(&m, SN_SHAPE_BOX, sn_vec3_make(edge, edge, edge), 1,
                     at(x, 0, z + gap * (row + 1)));
            points += row ? 8 : 4;
        }
    }
    snprintf(m.scene->name, sizeof m.scene->name, "pile-%d", points);
    m.scene->duration = 1.5;
    m.scene->settle = 0.5;
    m.scene->every = 10;
    m.scene->judge = step_judge_pile;
    return finish(&m);
}

static step_scene* pile_64(void) { return step_scene_pyramid(4, 10); }

static step_scene* pile_744(void) { return step_scene_pyramid(14, 100); }

static step_scene* pile_1024(void) { return step_scene_pyramid(16, 136); }

static step_scene* hrp2(void) { return step_scene_standing("hrp2", "hrp2-32", 0, 0); }

static step_scene* human(void) { return step_scene_standing("human", "human-112", 0, 0); }

// ---- all ----------------------------------------------------------------------------------------------

bool step_scene_make(int i, bool quick, step_scene** scene) {
    static const struct {
        step_scene* (*make)(void);
        double quick; ///< s that it takes when it must be quick; 0: as ever
    } all[] = {
        {incline_holds, 3}, {incline_slides, 0}, {box_stops, 0}, {sphere_rolls, 0},
        {ball_bounces, 0},  {boxes_collide, 0},  {tower, 2},     {pile_64, 0.8},
        {pile_744, 0.7},    {pile_1024, 0.7},    {hrp2, 0.5},    {human, 0.5},
    };
    if (i < 0 || i >= (int)(sizeof all / sizeof all[0])) return false;
    *scene = all[i].make();
    if (*scene && quick && all[i].quick > 0) (*scene)->duration = all[i].quick;
    return true;
}
