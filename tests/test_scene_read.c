// SPDX-License-Identifier: Apache-2.0
// Every key of a scene file ends where the API shows it.
#include <math.h>
#include <string.h>

#include "sinew/contact.h"
#include "support/scenes.h"

static const double PI = 3.14159265358979323846;

static bool is(const char* a, const char* b) { return strcmp(a, b) == 0; }

static void check_vec3(sn_vec3 a, double x, double y, double z) {
    const double actual[3] = {a.x, a.y, a.z}, expected[3] = {x, y, z};
    for (int k = 0; k < 3; k++) CHECK_NEAR(actual[k], expected[k], TOL_ROUNDOFF, (uint64_t)k);
}

// ---- heading and world ------------------------------------------------------------------------------

static void a_scene_of_a_version_alone_has_the_defaults_of_a_world(void** state) {
    (void)state;
    sn_scene* s = scene_of_text("");
    const sn_world_def *w = sn_scene_world(s), d = sn_world_def_default();
    CHECK(is(sn_scene_name(s), "test") && is(sn_scene_about(s), ""), 0);
    CHECK(is(sn_scene_text(s), "version: 1\n"), 0);
    CHECK(w->step == d.step && w->gravity.z == d.gravity.z && w->integrator == d.integrator, 0);
    CHECK(w->contact.on && w->dynamics == d.dynamics && w->simulator == d.simulator, 0);
    CHECK(w->contact.solver == d.contact.solver && w->contact.detector == d.contact.detector, 0);
    CHECK(w->contact.constraints == d.contact.constraints, 0);
    CHECK(sn_scene_item_count(s) == 0 && sn_scene_edit_count(s) == 0, 0);
    CHECK(!sn_scene_camera(s).given && is(sn_scene_recording(s).path, ""), 0);
    CHECK(sn_scene_duration(s) == 0, 0);
    sn_model* whole = NULL;
    CHECK_STATUS(sn_scene_compile(s, NULL, &whole, NULL), SN_OK);
    CHECK(sn_model_body_count(whole) == 0, 0);
    sn_model_free(whole);
    sn_scene_free(s);
}

static void heading_and_options_of_the_world_are_read(void** state) {
    (void)state;
    sn_scene* s = scene_of_text("name: my scene\n"
                                "about: 'what it shows'\n"
                                "duration: 2.5\n"
                                "step: 0.002\n"
                                "gravity: [0.5, -1, -1.62]\n"
                                "dynamics: adaptive\n"
                                "adaptive: {max_active: 7, threshold: 0.5, settling_time: 0.25, "
                                "period: 4, metric: unit}\n"
                                "integrator: rk4\n"
                                "simulator: sinew\n"
                                "contact: false\n");
    const sn_world_def* w = sn_scene_world(s);
    CHECK(is(sn_scene_name(s), "my scene") && is(sn_scene_about(s), "what it shows"), 0);
    CHECK(sn_scene_duration(s) == 2.5 && w->step == 0.002, 0);
    check_vec3(w->gravity, 0.5, -1, -1.62);
    CHECK(is(w->dynamics, "adaptive") && is(w->simulator, "sinew"), 0);
    CHECK(w->adaptivity.max_active == 7 && w->adaptivity.threshold == 0.5, 0);
    CHECK(w->adaptivity.settling_time == 0.25 && w->adaptivity.period == 4, 0);
    CHECK(w->adaptivity.metric == SN_METRIC_UNIT && w->integrator == SN_INTEGRATE_RK4, 0);
    CHECK(!w->contact.on, 0);
    sn_scene_free(s);
}

static void options_of_contact_are_read(void** state) {
    (void)state;
    sn_scene* s =
        scene_of_text("contact:\n"
                      "  solver: projection\n"
                      "  detector: sinew\n"
                      "  tolerance: 0.001\n"
                      "  sweeps: 31\n"
                      "  solve_time: 0.0005\n"
                      "  workers: 2\n"
                      "  contacts: 77\n"
                      "  constraints: 9\n"
                      "  margin: 0.003\n"
                      "  patch_points: 6\n"
                      "  skip_overlapping: false\n"
                      "  sleep: {speed: 0.02, time: 0.75}\n"
                      "objects:\n"
                      "- {box: [1, 1, 1], repeat: {count: [100, 1, 1], spacing: [2, 0, 0]}}\n");
    const sn_world_contact* c = &sn_scene_world(s)->contact;
    CHECK(c->on && is(c->solver, "projection") && is(c->detector, "sinew"), 0);
    CHECK(c->solve.tolerance == 0.001 && c->solve.iterations == 31, 0);
    CHECK(c->solve_time == 0.0005 && c->workers == 2 && c->solve.workers == 2, 0);
    CHECK(c->collider.contacts == 77 && c->constraints == 9, 0); // not by the number of shapes
    CHECK(c->collider.margin == 0.003 && c->collider.patch_points == 6, 0);
    CHECK(!c->skip_overlapping && c->rest_speed == 0.02 && c->rest_time == 0.75, 0);
    sn_scene_free(s);
    s = scene_of_text("contact: {sleep: false}\n");
    CHECK(isinf(sn_scene_world(s)->contact.rest_time), 0);
    sn_scene_free(s);
    s = scene_of_text("contact: {sleep: true}\n");
    CHECK(sn_scene_world(s)->contact.rest_time == sn_world_contact_default().rest_time, 0);
    sn_scene_free(s);
}

static void names_of_modules_that_plugins_bring_are_kept(void** state) {
    (void)state;
    sn_scene* s = scene_of_text("dynamics: mine\nsimulator: ours\n"
                                "contact: {solver: theirs, detector: yours}\n"
                                "plugins: [{file: a.so, options: quick}, {file: /b/c.so}]\n");
    const sn_world_def* w = sn_scene_world(s);
    CHECK(is(w->dynamics, "mine") && is(w->simulator, "ours"), 0);
    CHECK(is(w->contact.solver, "theirs") && is(w->contact.detector, "yours"), 0);
    CHECK(sn_scene_plugin_count(s) == 2, 0);
    const sn_scene_plugin *a = sn_scene_plugin_at(s, 0), *b = sn_scene_plugin_at(s, 1);
    CHECK(is(a->path, "a.so") && is(a->options, "quick"), 0);
    CHECK(is(b->path, "/b/c.so") && is(b->options, "") && b->place.line == 5, 0);
    sn_scene_free(s);
    // or when the program says that it has some
    sn_scene_load_def def = scene_def();
    def.foreign_modules = true;
    static const char text[] = "version: 1\ndynamics: mine\n";
    CHECK_STATUS(sn_scene_load_memory(text, sizeof text - 1, "x/test.yaml", &def, &s, NULL), SN_OK);
    CHECK(is(sn_scene_world(s)->dynamics, "mine"), 0);
    sn_scene_free(s);
}

static void camera_and_recording_are_read(void** state) {
    (void)state;
    sn_scene* s = scene_of_text("camera: {eye: [1, 2, 3], target: [4, 5, 6], fov: 60deg}\n"
                                "recording: {file: run.snr, every: 5}\n");
    sn_camera_def camera = sn_scene_camera(s);
    CHECK(camera.given, 0);
    check_vec3(camera.eye, 1, 2, 3);
    check_vec3(camera.target, 4, 5, 6);
    CHECK_NEAR(camera.fov, PI / 3, TOL_ROUNDOFF, 0);
    CHECK(is(sn_scene_recording(s).path, "run.snr") && sn_scene_recording(s).every == 5, 0);
    sn_scene_free(s);
    s = scene_of_text("camera: {eye: [1, 2, 3]}\nrecording: {file: run.snr}\n");
    check_vec3(sn_scene_camera(s).target, 0, 0, 0);
    CHECK_NEAR(sn_scene_camera(s).fov, PI / 4, TOL_ROUNDOFF, 0);
    CHECK(sn_scene_recording(s).every == 1, 0);
    sn_scene_free(s);
}

// ---- items ------------------------------------------------------------------------------------------

static sn_body_info body_of(const sn_scene* s, const char* item) {
    return sn_model_body(scene_item(s, item)->model, sn_body(0));
}

static sn_shape_info shape_of(const sn_scene* s, const char* item) {
    return sn_model_shape(scene_item(s, item)->model, 0);
}

static void solids_have_their_shape_mass_and_inertia(void** state) {
    (void)state;
    sn_scene* s =
        scene_of_text("objects:\n"
                      "- {name: a, box: [1, 2, 3], density: 10, color: [1, 0.5, 0]}\n"
                      "- {name: b, sphere: 0.5, mass: 7, color: [0, 0, 1, 0.25]}\n"
                      "- {name: c, cylinder: [0.5, 2]}\n"
                      "- {name: d, capsule: [0.5, 2]}\n"
                      "- {name: e, hull: [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[0.1,0.1,0.1]], "
                      "density: 6}\n");
    const double volumes[5] = {6, PI / 6, PI / 2, PI / 2 + PI / 6, 1.0 / 6};
    const double densities[5] = {10, 7 / (PI / 6), 500, 500, 6};
    const sn_shape_type types[5] = {SN_SHAPE_BOX, SN_SHAPE_SPHERE, SN_SHAPE_CYLINDER,
                                    SN_SHAPE_CAPSULE, SN_SHAPE_HULL};
    CHECK(sn_scene_item_count(s) == 5, 0);
    for (int i = 0; i < 5; i++) {
        const sn_item* item = sn_scene_item(s, i);
        const char name[2] = {(char)('a' + i), '\0'};
        CHECK(is(item->name, name) && is(item->prefix, name), (uint64_t)i);
        CHECK(sn_model_body_count(item->model) == 1 && sn_model_nv(item->model) == 6, (uint64_t)i);
        CHECK_RELATIVE(body_of(s, name).inertia.mass, volumes[i] * densities[i], TOL_CHAIN,
                       (uint64_t)i);
        CHECK(shape_of(s, name).type == types[i], (uint64_t)i);
        CHECK(shape_of(s, name).use == (SN_SHAPE_VISUAL | SN_SHAPE_COLLISION), (uint64_t)i);
    }
    check_vec3(shape_of(s, "a").size, 1, 2, 3);
    CHECK(shape_of(s, "a").color[1] == 0.5 && shape_of(s, "a").color[3] == 1, 0);
    CHECK(shape_of(s, "b").size.x == 0.5 && shape_of(s, "b").color[3] == 0.25, 0);
    CHECK(shape_of(s, "c").size.x == 0.5 && shape_of(s, "c").size.z == 2, 0);
    CHECK(shape_of(s, "e").vertex_count == 4, 0); // the inner point is no corner
    // 1 kg: int x^2 dm = 1/10, int xy dm = 1/20 about the corner, the centre is at a quarter of the edges
    sn_inertia corner = body_of(s, "e").inertia;
    CHECK_NEAR(corner.com.x, 0.25, TOL_CHAIN, 0);
    CHECK_NEAR(corner.I.m[0][0], 2.0 / 10 - 2.0 / 16, TOL_CHAIN, 0);
    CHECK_NEAR(corner.I.m[0][1], -(1.0 / 20 - 1.0 / 16), TOL_CHAIN, 0);
    sn_inertia box = body_of(s, "a").inertia;
    CHECK_NEAR(box.I.m[0][0], 60 * (4 + 9) / 12.0, TOL_SOLVE, 0);
    sn_scene_free(s);
}

static void poses_are_given_in_five_ways(void** state) {
    (void)state;
    // a turn by 90 degrees about z, which takes x to y
    sn_scene* s = scene_of_text("objects:\n"
                                "- {sphere: 1, at: [1, 2, 3]}\n"
                                "- {sphere: 1, rpy: [0, 0, 90deg]}\n"
                                "- {sphere: 1, rpy: [0, 0, 1.5707963267948966]}\n"
                                "- {sphere: 1, quat_wxyz: [0.70711, 0, 0, 0.70711]}\n"
                                "- {sphere: 1, quat_xyzw: [0, 0, 0.70711, 0.70711]}\n"
                                "- {sphere: 1, axis: [0, 0, 3], angle: 90deg}\n"
                                "- {sphere: 1, rpy: [90deg, 90deg, 0]}\n");
    check_vec3(sn_scene_item(s, 0)->pose.p, 1, 2, 3);
    for (int i = 1; i < 6; i++) {
        sn_vec3 x = sn_mat3_apply(sn_scene_item(s, i)->pose.R, sn_vec3_make(1, 0, 0));
        check_vec3(x, 0, 1, 0);
    }
    // roll first: y to z, which pitch takes to x
    sn_vec3 y = sn_mat3_apply(sn_scene_item(s, 6)->pose.R, sn_vec3_make(0, 1, 0));
    check_vec3(y, 1, 0, 0);
    sn_scene_free(s);
}

static void things_without_a_name_get_one_that_is_free(void** state) {
    (void)state;
    sn_scene* s =
        scene_of_text("environment: [{box: [1, 1, 1]}, {plane: true}]\n"
                      "models: [{generate: 'chain:2'}, {model: snake}]\n"
                      "objects: [{box: [1, 1, 1]}, {name: box_7, sphere: 1}, {sphere: 1}, "
                      "{box: [1, 1, 1]}, {generate: 'stack:2'}]\n");
    const char* const names[] = {"box_1", "plane_2",  "model_3", "snake_4", "box_5",
                                 "box_7", "sphere_6", "box_8",   "model_9"};
    CHECK(sn_scene_item_count(s) == 9, 0);
    for (int i = 0; i < 9; i++) CHECK(is(sn_scene_item(s, i)->name, names[i]), (uint64_t)i);
    sn_scene_free(s);
}

static void repeat_makes_a_grid_x_first(void** state) {
    (void)state;
    sn_scene* s =
        scene_of_text("objects:\n"
                      "- {name: b, box: [1, 1, 1], at: [1, 1, 1], "
                      "repeat: {count: [2, 3, 2], spacing: [10, 20, 30]}}\n"
                      "environment:\n"
                      "- {name: e, sphere: 1, repeat: {count: [1, 1, 1], spacing: [0, 0, 0]}}\n");
    CHECK(sn_scene_item_count(s) == 13, 0);
    check_vec3(scene_item(s, "b_1")->pose.p, 1, 1, 1);
    check_vec3(scene_item(s, "b_2")->pose.p, 11, 1, 1);
    check_vec3(scene_item(s, "b_3")->pose.p, 1, 21, 1);
    check_vec3(scene_item(s, "b_12")->pose.p, 11, 41, 31);
    CHECK(scene_item(s, "b_1")->model == scene_item(s, "b_12")->model, 0); // made once
    CHECK(is(scene_item(s, "e")->name, "e"), 0);
    sn_model* whole = NULL;
    CHECK_STATUS(sn_scene_compile(s, NULL, &whole, NULL), SN_OK);
    CHECK(sn_model_body_count(whole) == 12 && sn_model_find_body(whole, "b_7").i >= 0, 0);
    sn_model_free(whole);
    sn_scene_free(s);
}

static void floors_and_environment_stand_still(void** state) {
    (void)state;
    sn_scene* s =
        scene_of_text("floor: {height: -0.5, mu: 0.9, color: [0, 1, 0]}\n"
                      "environment:\n"
                      "- {name: ramp, box: [1, 1, 1], rpy: [0, 10deg, 0], material: {mu: 0.1}}\n"
                      "- {name: wall, plane: true, at: [3, 0, 0], rpy: [0, -90deg, 0]}\n");
    const sn_item* floor = scene_item(s, "floor");
    CHECK(floor->pose.p.z == -0.5 && sn_model_body_count(floor->model) == 0, 0);
    sn_shape_info shape = shape_of(s, "floor");
    CHECK(shape.type == SN_SHAPE_PLANE && shape.material.mu == 0.9 && shape.color[1] == 1, 0);
    CHECK(shape_of(s, "ramp").material.mu == 0.1 && shape_of(s, "ramp").body.i < 0, 0);
    check_vec3(sn_mat3_apply(scene_item(s, "wall")->pose.R, sn_vec3_make(0, 0, 1)), -1, 0, 0);
    sn_scene_free(s);
    s = scene_of_text("floor: true\n");
    CHECK(sn_scene_item_count(s) == 1 && shape_of(s, "floor").material.mu == 0.5, 0);
    sn_scene_free(s);
    s = scene_of_text("floor: false\n");
    CHECK(sn_scene_item_count(s) == 0, 0);
    sn_scene_free(s);
}

static void materials_are_read_by_name_and_in_place(void** state) {
    (void)state;
    sn_scene* s = scene_of_text("materials:\n"
                                "  ice: {mu: 0.05}\n"
                                "  all: {mu: 0.7, mu_kinetic: 0.6, stribeck_speed: 0.1, "
                                "restitution: 0.5, roll: 0.01, spin: 0.02,\n"
                                "        stiffness: 1000, damping: 4}\n"
                                "floor: {material: ice}\n"
                                "objects:\n"
                                "- {name: a, sphere: 1, material: all}\n"
                                "- {name: b, sphere: 1, material: {restitution: 1, viscous: 3}}\n"
                                "models:\n"
                                "- {name: c, model: snake, material: all}\n");
    sn_material m = shape_of(s, "a").material;
    CHECK(m.mu == 0.7 && m.mu_kinetic == 0.6 && m.stribeck_speed == 0.1 && m.restitution == 0.5, 0);
    CHECK(m.roll == 0.01 && m.spin == 0.02, 0);
    CHECK(m.stiffness == 1000 && m.damping == 4, 0);
    m = shape_of(s, "floor").material;
    CHECK(m.mu == 0.05 && m.mu_kinetic == 0.05 && isinf(m.stiffness), 0);
    m = shape_of(s, "b").material;
    CHECK(m.mu == 0.5 && m.restitution == 1 && m.viscous == 3, 0);
    const sn_model* snake = scene_item(s, "c")->model;
    for (int i = 0; i < sn_model_shape_count(snake); i++)
        CHECK(sn_model_shape(snake, i).material.roll == 0.01, (uint64_t)i);
    sn_scene_free(s);
}

static void joints_of_models_begin_as_the_scene_says(void** state) {
    (void)state;
    sn_scene* s = scene_of_text("models:\n"
                                "- name: arm\n"
                                "  model: double_pendulum\n"
                                "  q: {upper_hinge: 90deg, lower_hinge: -0.5}\n"
                                "  qd: {lower_hinge: 2}\n"
                                "  lock: [upper_hinge]\n"
                                "- {name: rope, model: cable, q: {ball_02: [0.6, 0.8, 0, 0]}}\n"
                                "- {name: still, model: hrp2, base: fixed}\n"
                                "- {name: stiff, model: hrp2, lock: all}\n");
    const sn_item *arm = scene_item(s, "arm"), *rope = scene_item(s, "rope");
    CHECK_NEAR(arm->q[0], PI / 2, TOL_ROUNDOFF, 0);
    CHECK(arm->q[1] == -0.5 && arm->v[0] == 0 && arm->v[1] == 2, 0);
    CHECK(arm->locked[0] && !arm->locked[1] && is(arm->prefix, "arm/"), 0);
    CHECK(rope->q[4] == 0.6 && rope->q[5] == 0.8 && rope->q[0] == 1 && !rope->v, 0);
    // what is fixed is the free root alone; "all" is all but it
    const sn_item *still = scene_item(s, "still"), *stiff = scene_item(s, "stiff");
    int bodies = sn_model_body_count(still->model);
    for (int i = 0; i < bodies; i++) {
        CHECK(still->locked[i] == (i == 0), (uint64_t)i);
        CHECK(stiff->locked[i] == (i > 0), (uint64_t)i);
    }
    sn_scene_free(s);
}

static void free_bases_stand_move_and_spin(void** state) {
    (void)state;
    sn_scene* s =
        scene_of_text("floor: {height: 0.25}\n"
                      "models:\n"
                      "- {name: robot, model: hrp2, stand: true}\n"
                      "- {name: chain, generate: 'chain:3', base: free}\n"
                      "objects:\n"
                      "- {name: box, box: [1, 1, 2], rpy: [90deg, 0, 0], at: [0, 0, 0.1], "
                      "stand: true, v: [1, 2, 3], w: [0, 4, 0]}\n");
    // "the standing height of the pelvis is minus the height of the frame l_sole when all joints are zero"
    const sn_item* robot = scene_item(s, "robot");
    sn_frame_id sole = sn_model_find_frame(robot->model, "l_sole");
    CHECK(sole.i >= 0, 0);
    sn_model* whole = NULL;
    sn_dynamics* dynamics = NULL;
    CHECK_STATUS(sn_scene_compile(s, NULL, &whole, NULL), SN_OK);
    CHECK_STATUS(sn_dynamics_create(whole, NULL, &dynamics, NULL), SN_OK);
    double* q = malloc((size_t)sn_model_nq(whole) * sizeof *q);
    sn_model_neutral(whole, q);
    CHECK_STATUS(sn_dynamics_kinematics(dynamics, q, NULL), SN_OK);
    sn_frame_info frame = sn_model_frame(whole, sn_model_find_frame(whole, "robot/l_sole"));
    sn_pose X = sn_pose_mul(sn_dynamics_pose(dynamics, frame.body), frame.X_bf);
    CHECK_NEAR(X.p.z, 0.25, 1e-6, 0); // the file has six digits
    free(q);
    sn_dynamics_free(dynamics);
    sn_model_free(whole);

    const sn_model* chain = scene_item(s, "chain")->model;
    CHECK(sn_model_body(chain, sn_body(0)).type == SN_JOINT_FREE, 0);
    // 1 wide and 2 long, it lies: its centre is half a metre above the floor, and a tenth
    const sn_item* box = scene_item(s, "box");
    CHECK_NEAR(box->pose.p.z, 0.25 + 0.1 + 0.5, TOL_ROUNDOFF, 0);
    // v of a free joint is in body axes: world y is body -z, world z is body y
    const double expected[6] = {0, 0, -4, 1, 3, -2};
    CHECK_VECTOR(box->v, expected, 6, TOL_ROUNDOFF, 0);
    sn_scene_free(s);
}

static void generated_piles_are_objects(void** state) {
    (void)state;
    sn_scene* s = scene_of_text("objects: [{name: wall, generate: 'stack:6', at: [5, 0, 0]}]\n");
    const sn_item* wall = scene_item(s, "wall");
    CHECK(sn_model_body_count(wall->model) == 6 && is(wall->prefix, "wall/"), 0);
    for (int i = 0; i < sn_model_shape_count(wall->model);
         i++) // the scene says whether there is a floor
        CHECK(sn_model_shape(wall->model, i).type != SN_SHAPE_PLANE, (uint64_t)i);
    sn_scene_free(s);
}

// ---- control and sensors ----------------------------------------------------------------------------

static void gains_come_from_the_inertia_a_joint_carries(void** state) {
    (void)state;
    sn_scene* s = scene_of_text(
        "models: [{name: arm, model: double_pendulum, q: {lower_hinge: 1}}]\n"
        "controllers:\n"
        "- {item: arm, frequency: 2, damping_ratio: 0.7, target: {upper_hinge: 30deg}}\n"
        "- {name: second, item: arm, kp: 5, kd: 0.25, joints: [lower_hinge], limit: 3}\n"
        "- {name: third, item: arm, kp: 5, joints: all, limit: effort}\n");
    CHECK(sn_scene_controller_count(s) == 3, 0);
    const sn_controller_def *c = sn_scene_controller(s, 0), *d = sn_scene_controller(s, 1);
    const sn_model* arm = scene_item(s, "arm")->model;
    sn_dynamics* dynamics = NULL;
    double M[4];
    CHECK_STATUS(sn_dynamics_create(arm, NULL, &dynamics, NULL), SN_OK);
    CHECK_STATUS(sn_dynamics_mass_matrix(dynamics, scene_item(s, "arm")->q, M), SN_OK);
    double w = 2 * PI * 2;
    for (int k = 0; k < 2; k++) {
        CHECK_RELATIVE(c->kp[k], M[3 * k] * w * w, TOL_CHAIN, (uint64_t)k);
        CHECK_RELATIVE(c->kd[k], 2 * 0.7 * M[3 * k] * w, TOL_CHAIN, (uint64_t)k);
        CHECK(isinf(c->limit[k]), (uint64_t)k); // the file gives none
    }
    CHECK(is(c->name, "arm") && c->item == 0, 0);
    CHECK_NEAR(c->target[0], PI / 6, TOL_ROUNDOFF, 0);
    CHECK(c->target[1] == 1, 0); // where it begins
    CHECK(is(d->name, "second") && d->kp[0] == 0 && d->kp[1] == 5 && d->kd[1] == 0.25, 0);
    CHECK(d->limit[1] == 3 && d->target[0] == 0, 0);
    CHECK(sn_scene_controller(s, 2)->kp[0] == 5 && sn_scene_controller(s, 2)->kd[0] == 0, 0);
    sn_dynamics_free(dynamics);
    sn_scene_free(s);
}

static int warnings;

static void count_warnings(void* context, sn_log_level level, sn_place place, const char* text) {
    (void)context;
    CHECK(place.line > 1 && text[0], 0);
    warnings += level == SN_LOG_WARNING;
}

#define EXPLICIT "contact: false\nintegrator: rk4\n"

/// Forces of the beginning of a step: 2 h kd + h^2 kp of the stiffest mode over its mass is at most 2, half of what would blow it up.
static void gains_stay_at_what_a_step_can_follow(void** state) {
    (void)state;
    sn_scene_load_def def = scene_def();
    def.log.write = count_warnings;
    static const char* const texts[] = {
        "version: 1\n" EXPLICIT "models: [{name: c, model: cable}]\n"
        "controllers: [{item: c, frequency: 1}]\n",
        "version: 1\n" EXPLICIT "models: [{name: c, model: cable}]\n"
        "controllers: [{item: c, kp: 1, kd: 1}]\n",
        "version: 1\n" EXPLICIT "models: [{name: c, model: double_pendulum}]\n"
        "controllers: [{item: c, kp: 1, kd: 1}]\n",
        // those of the end of a step are never too stiff
        "version: 1\n"
        "models: [{name: c, model: cable}]\n"
        "controllers: [{item: c, kp: 1, kd: 1e9}]\n",
    };
    const int warned[] = {1, 1, 0, 0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        sn_scene* s = NULL;
        warnings = 0;
        CHECK_STATUS(sn_scene_load_memory(texts[i], strlen(texts[i]), "x", &def, &s, NULL), SN_OK);
        CHECK(warnings == warned[i], i);
        if (i > 0) CHECK(sn_scene_controller(s, 0)->kp[0] == 1, i); // the user's
        sn_scene_free(s);
    }
    // two hinges: the largest eigenvalue of M^-1 D by its characteristic polynomial
    sn_scene* s =
        scene_of_text("step: 0.05\n" EXPLICIT "models: [{name: arm, model: double_pendulum}]\n"
                      "controllers: [{item: arm, frequency: 20}]\n");
    const sn_controller_def* c = sn_scene_controller(s, 0);
    sn_dynamics* dynamics = NULL;
    double M[4];
    CHECK_STATUS(sn_dynamics_create(scene_item(s, "arm")->model, NULL, &dynamics, NULL), SN_OK);
    CHECK_STATUS(sn_dynamics_mass_matrix(dynamics, c->target, M), SN_OK);
    double h = 0.05, D[2], determinant = M[0] * M[3] - M[1] * M[2];
    for (int k = 0; k < 2; k++) D[k] = 2 * h * c->kd[k] + h * h * c->kp[k];
    double trace = (M[3] * D[0] + M[0] * D[1]) / determinant, product = D[0] * D[1] / determinant;
    double largest = trace / 2 + sqrt(trace * trace / 4 - product);
    CHECK_NEAR(largest, 2, 1e-6, 0);
    sn_dynamics_free(dynamics);
    sn_scene_free(s);
}

static void every_sensor_knows_its_place_and_its_numbers(void** state) {
    (void)state;
    sn_scene* s = scene_of_text("models: [{name: robot, model: hrp2}, {name: rope, model: cable}]\n"
                                "sensors:\n"
                                "- {name: a, type: position, item: rope, joint: ball_03}\n"
                                "- {name: b, type: velocity, item: rope, joint: ball_03}\n"
                                "- {name: c, type: control, item: robot, joint: l_knee}\n"
                                "- {name: d, type: pose, item: robot, body: chest}\n"
                                "- {name: e, type: pose, item: robot, frame: gaze}\n"
                                "- {name: f, type: twist, item: robot}\n"
                                "- {name: g, type: contact, item: robot, body: l_ankle}\n"
                                "- {name: h, type: centre, item: robot}\n"
                                "- {name: i, type: energy}\n");
    const sn_model *robot = scene_item(s, "robot")->model, *rope = scene_item(s, "rope")->model;
    const int numbers[9] = {4, 3, 1, 7, 7, 6, 6, 6, 3};
    CHECK(sn_scene_sensor_count(s) == 9, 0);
    for (int i = 0; i < 9; i++) {
        CHECK(sn_scene_sensor(s, i)->numbers == numbers[i], (uint64_t)i);
        CHECK(sn_scene_sensor(s, i)->name[0] == 'a' + i, (uint64_t)i);
    }
    CHECK(sn_scene_sensor(s, 0)->item == 1 && sn_scene_sensor(s, 2)->item == 0, 0);
    CHECK(sn_scene_sensor(s, 0)->body.i == sn_model_find_joint(rope, "ball_03").i, 0);
    CHECK(sn_scene_sensor(s, 2)->body.i == sn_model_find_joint(robot, "l_knee").i, 0);
    CHECK(sn_scene_sensor(s, 3)->body.i == sn_model_find_body(robot, "chest").i, 0);
    sn_frame_id gaze = sn_model_find_frame(robot, "gaze");
    CHECK(sn_scene_sensor(s, 4)->frame.i == gaze.i, 0);
    CHECK(sn_scene_sensor(s, 4)->body.i == sn_model_frame(robot, gaze).body.i, 0);
    CHECK(sn_scene_sensor(s, 5)->body.i == 0 && sn_scene_sensor(s, 5)->frame.i < 0, 0);
    CHECK(sn_scene_sensor(s, 8)->item < 0 && sn_scene_sensor(s, 8)->type == SN_SENSOR_ENERGY, 0);
    sn_scene_free(s);
}

static void hands_and_devices_are_read(void** state) {
    (void)state;
    sn_scene* s = scene_of_text("objects: [{name: mug, sphere: 0.1}]\n"
                                "devices: [{name: left, driver: simulated, profile: small}, {name: "
                                "right, driver: pointer}]\n"
                                "hands:\n"
                                "- {name: h, device: right, mode: touch, law: reaction, item: mug, "
                                "point: [1, 2, 3], six: true,\n"
                                "   stiffness: 10, damping: 20, turn_stiffness: 30, turn_damping: "
                                "40, scale: 50, weight: false,\n"
                                "   buttons: [grab, drop], at: [4, 5, 6], rpy: [0, 0, 90deg]}\n"
                                "- {name: plain, device: left}\n"
                                "- {name: more, device: left, stiffness: auto, strength: 1.5, "
                                "rate_from: 0.05, rate: 2,\n"
                                "   tool: [0.1, 0.2, 0.3], enable: 2}\n"
                                "- {name: free, device: left, enable: false}\n");
    CHECK(sn_scene_device_count(s) == 2 && sn_scene_hand_count(s) == 4, 0);
    const sn_hand_def *m = sn_scene_hand(s, 2), *f = sn_scene_hand(s, 3);
    CHECK(m->fit && m->strength == 1.5 && m->rate_from == 0.05 && m->rate == 2, 0);
    CHECK(m->enable == 2 && f->enable == -1 && !f->fit, 0);
    check_vec3(m->tool, 0.1, 0.2, 0.3);
    CHECK(is(sn_scene_device(s, 0)->name, "left") && is(sn_scene_device(s, 0)->profile, "small"),
          0);
    CHECK(is(sn_scene_device(s, 1)->driver, "pointer") && is(sn_scene_device(s, 1)->profile, ""),
          0);
    const sn_hand_def *h = sn_scene_hand(s, 0), *p = sn_scene_hand(s, 1);
    CHECK(is(h->name, "h") && h->device == 1 && h->mode == SN_HAND_TOUCH, 0);
    CHECK(h->law == SN_FEEDBACK_REACTION && h->item == 0 && h->body.i == 0 && h->six, 0);
    check_vec3(h->point, 1, 2, 3);
    CHECK(h->stiffness == 10 && h->damping == 20 && h->turn_stiffness == 30, 0);
    CHECK(h->turn_damping == 40 && h->scale == 50 && !h->weight && h->button_count == 2, 0);
    CHECK(is(h->button[1].action, "drop") && h->button[1].button == 1, 0);
    check_vec3(h->place_in.p, 4, 5, 6);
    check_vec3(sn_mat3_apply(h->place_in.R, sn_vec3_make(1, 0, 0)), 0, 1, 0);
    CHECK(p->device == 0 && p->mode == SN_HAND_ATTACH && p->law == SN_FEEDBACK_SPRING, 0);
    CHECK(p->item < 0 && p->body.i < 0 && p->stiffness == 500 && p->damping == 2 && p->scale == 1,
          0);
    CHECK(p->turn_stiffness == 2 && p->turn_damping == 0.02 && p->weight && !p->six, 0);
    CHECK(!p->fit && p->strength == 0 && p->rate_from == 0 && p->enable == 0, 0);
    sn_scene_free(s);
}

// ---- script -----------------------------------------------------------------------------------------

static void holds_and_script_are_edits_by_time(void** state) {
    (void)state;
    sn_scene* s = scene_of_text("materials: {ice: {mu: 0.01}}\n"
                                "objects: [{name: a, sphere: 1}, {name: b, sphere: 1}]\n"
                                "models: [{name: arm, model: double_pendulum}]\n"
                                "holds: [{name: h, type: weld, body: a, other: b}]\n"
                                "script:\n"
                                "- {at: 3, release: h}\n"
                                "- {at: 1, push: {body: arm/lower_rod, force: [1, 0, 0]}}\n"
                                "- {at: 1, surface: {item: a, material: ice}}\n"
                                "- {at: 2, add: {name: c, box: [1, 1, 1]}}\n"
                                "- {at: 2.5, push: {body: c}}\n");
    const sn_edit_type types[6] = {SN_EDIT_HOLD, SN_EDIT_PUSH, SN_EDIT_SURFACE,
                                   SN_EDIT_ADD,  SN_EDIT_PUSH, SN_EDIT_RELEASE};
    const double times[6] = {0, 1, 1, 2, 2.5, 3};
    CHECK(sn_scene_edit_count(s) == 6, 0);
    for (int i = 0; i < 6; i++) {
        CHECK(sn_scene_edit(s, i)->type == types[i], (uint64_t)i);
        CHECK(sn_scene_edit(s, i)->time == times[i], (uint64_t)i);
    }
    CHECK(sn_scene_edit(s, 2)->material.mu == 0.01 && is(sn_scene_edit(s, 2)->name, "a"), 0);
    CHECK(is(sn_scene_edit(s, 1)->body, "arm/lower_rod"), 0);
    CHECK(is(sn_scene_edit(s, 3)->item->name, "c") && sn_scene_edit(s, 5)->place.line == 7, 0);
    // room for the holds that the file asks for
    CHECK(sn_scene_world(s)->contact.constraints == sn_world_contact_default().constraints + 1, 0);
    sn_scene_free(s);
}

// ---- scenes that are made in a program ---------------------------------------------------------------

static void a_program_makes_a_scene_of_its_own(void** state) {
    (void)state;
    sn_scene *s = sn_scene_create("mine"),
             *other = scene_of_text("models: [{name: m, model: snake}]\n");
    sn_model *copy = NULL, *whole = NULL;
    sn_error error = {0};
    CHECK_STATUS(sn_scene_compile(other, NULL, &copy, NULL), SN_OK);
    sn_item item = {.name = "one", .model = copy, .pose = sn_pose_identity()};
    CHECK_STATUS(sn_scene_add(s, &item, &error), SN_OK);
    CHECK_STATUS(sn_scene_add(s, &item, &error), SN_ERR_ARGUMENT);
    CHECK(strstr(error.text, "'one' is taken"), 0);
    item.name = "world";
    CHECK_STATUS(sn_scene_add(s, &item, &error), SN_ERR_ARGUMENT);
    CHECK(strstr(error.text, "cannot be named 'world'"), 0);
    item.name = "two";
    item.pose.p.x = NAN;
    CHECK_STATUS(sn_scene_add(s, &item, &error), SN_ERR_ARGUMENT);
    CHECK(strstr(error.text, "not finite"), 0);
    item.name = "";
    CHECK_STATUS(sn_scene_add(s, &item, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_scene_add(s, NULL, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_scene_add(NULL, &item, &error), SN_ERR_ARGUMENT);
    CHECK(sn_scene_item_count(s) == 1, 0);
    char dynamics[] = "dca";
    sn_world_def def = sn_world_def_default();
    def.dynamics = dynamics;
    sn_scene_set_world(s, &def);
    dynamics[0] = 'X'; // it was copied
    CHECK(is(sn_scene_world(s)->dynamics, "dca") && !sn_scene_world(s)->contact.on, 0);
    CHECK_STATUS(sn_scene_compile(s, NULL, &whole, &error), SN_OK);
    CHECK(sn_model_find_body(whole, "one/m/link_07").i >= 0, 0);
    CHECK_STATUS(sn_scene_compile(NULL, NULL, &whole, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_scene_compile(s, NULL, NULL, &error), SN_ERR_ARGUMENT);
    sn_model_free(whole);
    sn_scene_free(s);
    sn_scene_free(other);
    sn_scene_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_of_a_version_alone_has_the_defaults_of_a_world),
        cmocka_unit_test(heading_and_options_of_the_world_are_read),
        cmocka_unit_test(options_of_contact_are_read),
        cmocka_unit_test(names_of_modules_that_plugins_bring_are_kept),
        cmocka_unit_test(camera_and_recording_are_read),
        cmocka_unit_test(solids_have_their_shape_mass_and_inertia),
        cmocka_unit_test(poses_are_given_in_five_ways),
        cmocka_unit_test(things_without_a_name_get_one_that_is_free),
        cmocka_unit_test(repeat_makes_a_grid_x_first),
        cmocka_unit_test(floors_and_environment_stand_still),
        cmocka_unit_test(materials_are_read_by_name_and_in_place),
        cmocka_unit_test(joints_of_models_begin_as_the_scene_says),
        cmocka_unit_test(free_bases_stand_move_and_spin),
        cmocka_unit_test(generated_piles_are_objects),
        cmocka_unit_test(gains_come_from_the_inertia_a_joint_carries),
        cmocka_unit_test(gains_stay_at_what_a_step_can_follow),
        cmocka_unit_test(every_sensor_knows_its_place_and_its_numbers),
        cmocka_unit_test(hands_and_devices_are_read),
        cmocka_unit_test(holds_and_script_are_edits_by_time),
        cmocka_unit_test(a_program_makes_a_scene_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
