// SPDX-License-Identifier: Apache-2.0
// Scenes that a program makes: solids, floors, how items begin, their surfaces, and what is refused.
#include <math.h>
#include <string.h>

#include "sinew/generate.h"
#include "sinew/simulation.h"
#include "support/check.h"

static const double TOL = 1e-12;

static sn_model* solid(sn_shape_type type, sn_vec3 size, double mass) {
    sn_solid_def def = sn_solid_def_default();
    sn_model* model = NULL;
    sn_error error = {0};
    def.type = type;
    def.size = size;
    def.mass = mass;
    CHECK_STATUS(sn_solid_make(&def, &model, &error), SN_OK);
    return model;
}

static int add(sn_scene* scene, const char* name, sn_model* model, sn_vec3 at) {
    sn_item item = {.name = name, .prefix = name, .model = model, .pose = sn_pose_identity()};
    item.pose.p = at;
    CHECK_STATUS(sn_scene_add(scene, &item, NULL), SN_OK);
    return sn_scene_item_count(scene) - 1;
}

static sn_model* chain(int count, bool free_base) {
    sn_generate_def def = sn_generate_def_default();
    sn_model_builder* builder = sn_model_builder_create("chain");
    sn_model* model = NULL;
    def.count = count;
    def.free_base = free_base;
    CHECK_STATUS(sn_generate(&def, builder), SN_OK);
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &model, NULL), SN_OK);
    sn_model_builder_free(builder);
    return model;
}

static void a_solid_has_the_mass_it_is_given_or_that_of_wood(void** state) {
    (void)state;
    sn_model* given = solid(SN_SHAPE_SPHERE, sn_vec3_make(0.1, 0, 0), 3);
    sn_model* wood = solid(SN_SHAPE_BOX, sn_vec3_make(0.2, 0.3, 0.4), 0);
    assert_true(sn_model_mass(given) == 3 && sn_model_nv(given) == 6);
    assert_true(fabs(sn_model_mass(wood) - 500 * 0.2 * 0.3 * 0.4) < TOL);
    sn_model_free(given);
    sn_model_free(wood);
    sn_solid_def plane = sn_solid_def_default();
    sn_model* model = NULL;
    plane.type = SN_SHAPE_PLANE;
    plane.fixed = true;
    CHECK_STATUS(sn_solid_make(&plane, &model, NULL), SN_OK);
    assert_true(sn_model_body_count(model) == 0 && sn_model_shape_count(model) == 1);
    sn_model_free(model);
    plane.type = SN_SHAPE_MESH;
    CHECK_STATUS(sn_solid_make(&plane, &model, NULL), SN_ERR_ARGUMENT);
    assert_true(model == NULL);
    CHECK_STATUS(sn_solid_make(NULL, &model, NULL), SN_ERR_ARGUMENT);
}

static void what_is_loose_is_lifted_onto_the_floor(void** state) {
    (void)state;
    sn_scene* scene = sn_scene_create("s");
    int ball = add(scene, "ball", solid(SN_SHAPE_SPHERE, sn_vec3_make(0.1, 0, 0), 1),
                   sn_vec3_make(1, 2, -7));
    sn_floor_def def = sn_floor_def_default();
    sn_floor_report report;
    double lowest;
    def.item = ball;
    def.drop = 0.25;
    CHECK_STATUS(sn_scene_add_floor(scene, &def, &report, NULL), SN_OK);
    assert_true(!report.held && !report.was_there && !report.no_shapes && report.height == 0);
    assert_true(fabs(report.lifted - 7.35) < TOL);
    assert_true(sn_item_lowest(sn_scene_item(scene, ball), &lowest) && fabs(lowest - 0.25) < TOL);
    assert_true(sn_scene_item(scene, ball)->pose.p.x == 1 && sn_scene_item_count(scene) == 2);
    CHECK_STATUS(sn_scene_add_floor(scene, &def, &report, NULL), SN_OK);
    assert_true(report.was_there && sn_scene_item_count(scene) == 2);
    def.item = 5;
    CHECK_STATUS(sn_scene_add_floor(scene, &def, NULL, NULL), SN_ERR_ARGUMENT);
    def.item = -1;
    def.mu = -1;
    CHECK_STATUS(sn_scene_add_floor(scene, &def, NULL, NULL), SN_ERR_ARGUMENT);
    sn_scene_free(scene);
}

static void a_floor_is_where_what_is_held_can_swing_above_it(void** state) {
    (void)state;
    sn_scene* scene = sn_scene_create("s");
    sn_item item = {.prefix = "", .pose = sn_pose_identity()};
    sn_model* model = NULL;
    sn_floor_def def = sn_floor_def_default();
    sn_floor_report report;
    double lowest;
    CHECK_STATUS(sn_model_load(SN_TEST_MODELS_DIR "/double_pendulum.urdf", NULL, &model, NULL),
                 SN_OK);
    item.model = model;
    item.pose.p.z = 0.25;
    CHECK_STATUS(sn_scene_add(scene, &item, NULL), SN_OK);
    assert_string_equal(sn_scene_item(scene, 0)->name, "double_pendulum"); // as its model
    def.item = 0;
    CHECK_STATUS(sn_scene_add_floor(scene, &def, &report, NULL), SN_OK);
    assert_true(report.held && report.lifted == 0 && !report.no_shapes);
    assert_true(sn_scene_item(scene, 0)->pose.p.z == 0.25);
    assert_true(sn_item_lowest(sn_scene_item(scene, 0), &lowest) && lowest < 0);
    assert_true(report.height <= lowest && report.height > lowest - 1);
    sn_scene_free(scene);
}

static void what_has_no_shapes_does_not_stand(void** state) {
    (void)state;
    sn_scene* scene = sn_scene_create("s");
    sn_item item = {.prefix = "", .model = chain(3, true), .pose = sn_pose_identity()};
    sn_floor_def def = sn_floor_def_default();
    sn_floor_report report;
    CHECK_STATUS(sn_scene_add(scene, &item, NULL), SN_OK);
    def.item = 0;
    CHECK_STATUS(sn_scene_add_floor(scene, &def, &report, NULL), SN_OK);
    assert_true(report.no_shapes && !report.held && report.lifted == 0 && report.height == 0);
    sn_scene_free(scene);
}

static void items_begin_as_they_are_told(void** state) {
    (void)state;
    sn_scene* scene = sn_scene_create("s");
    sn_item item = {.prefix = "", .model = chain(3, true), .pose = sn_pose_identity()};
    sn_simulation* sim = NULL;
    CHECK_STATUS(sn_scene_add(scene, &item, NULL), SN_OK);
    int nq = sn_model_nq(item.model);
    double q[32];
    const bool locked[3] = {false, true, false};
    sn_model_neutral(item.model, q);
    q[nq - 1] = 0.5;
    CHECK_STATUS(sn_scene_set_start(scene, 0, q, locked, NULL), SN_OK);
    q[nq - 1] = NAN;
    CHECK_STATUS(sn_scene_set_start(scene, 0, q, NULL, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_scene_set_start(scene, 1, NULL, NULL, NULL), SN_ERR_ARGUMENT);
    sn_scene_set_pose(scene, 0, sn_pose_make(sn_mat3_identity(), sn_vec3_make(0, 0, 4)));
    CHECK_STATUS(sn_scene_set_motion(scene, 0, sn_vec3_make(1, 2, 3), sn_vec3_zero(), NULL), SN_OK);
    CHECK_STATUS(sn_simulation_create(scene, NULL, &sim, NULL), SN_OK);
    const sn_world* world = sn_simulation_world(sim);
    assert_true(sn_world_q(world)[nq - 1] == 0.5);
    assert_true(sn_dynamics_is_locked(sn_world_dynamics(sn_simulation_world(sim)), sn_body(1)));
    sn_momentum p = sn_world_momentum(sn_simulation_world(sim));
    for (int k = 0; k < 3; k++) {
        const double v[3] = {p.linear.x, p.linear.y, p.linear.z};
        CHECK_NEAR(v[k], p.mass * (k + 1), TOL * p.mass, 0);
    }
    sn_simulation_free(sim);
}

static void what_the_world_holds_cannot_be_thrown(void** state) {
    (void)state;
    sn_scene* scene = sn_scene_create("s");
    sn_item item = {.prefix = "", .model = chain(2, false), .pose = sn_pose_identity()};
    sn_error error = {0};
    CHECK_STATUS(sn_scene_add(scene, &item, NULL), SN_OK);
    CHECK_STATUS(sn_scene_set_motion(scene, 0, sn_vec3_zero(), sn_vec3_zero(), &error),
                 SN_ERR_ARGUMENT);
    assert_true(strstr(error.text, "is held by the world"));
    assert_true(sn_scene_item(scene, 0)->v == NULL);
    sn_scene_free(scene);
}

static sn_material surface_of(const sn_scene* scene, int item) {
    return sn_model_shape(sn_scene_item(scene, item)->model, 0).material;
}

static void surfaces_change_for_one_item_or_for_all(void** state) {
    (void)state;
    sn_scene* scene = sn_scene_create("s");
    sn_vec3 size = sn_vec3_make(0.1, 0.1, 0.1);
    int a = add(scene, "a", solid(SN_SHAPE_BOX, size, 1), sn_vec3_zero());
    int b = add(scene, "b", solid(SN_SHAPE_BOX, size, 1), sn_vec3_make(1, 0, 0));
    CHECK_STATUS(sn_scene_set_surface(scene, a, 0.9, -1, 0.01, NULL), SN_OK);
    assert_true(surface_of(scene, a).mu == 0.9 && surface_of(scene, a).mu_kinetic == 0.9);
    assert_true(surface_of(scene, a).roll == 0.01 && surface_of(scene, a).spin == 0.01);
    assert_true(surface_of(scene, a).restitution == 0 && surface_of(scene, b).mu == 0.5);
    CHECK_STATUS(sn_scene_set_surface(scene, -1, -1, 0.3, -1, NULL), SN_OK);
    assert_true(surface_of(scene, a).mu == 0.9 && surface_of(scene, b).mu == 0.5);
    assert_true(surface_of(scene, a).restitution == 0.3 && surface_of(scene, b).restitution == 0.3);
    CHECK_STATUS(sn_scene_set_surface(scene, a, 0.1, 7, -1, NULL), SN_ERR_MODEL); // over 1
    assert_true(surface_of(scene, a).mu == 0.9);
    CHECK_STATUS(sn_scene_set_surface(scene, 9, 0.1, -1, -1, NULL), SN_ERR_ARGUMENT);
    sn_scene_free(scene);
}

static void plugins_are_kept_with_their_options(void** state) {
    (void)state;
    sn_scene* scene = sn_scene_create("s");
    char path[] = "a.so";
    CHECK_STATUS(sn_scene_add_plugin(scene, path, NULL, NULL), SN_OK);
    CHECK_STATUS(sn_scene_add_plugin(scene, "b.so", "gain: 2", NULL), SN_OK);
    path[0] = 'x';
    assert_true(strcmp(sn_scene_plugin_at(scene, 0)->path, "a.so") == 0);
    assert_true(strcmp(sn_scene_plugin_at(scene, 0)->options, "") == 0);
    assert_true(strcmp(sn_scene_plugin_at(scene, 1)->options, "gain: 2") == 0);
    CHECK_STATUS(sn_scene_add_plugin(scene, NULL, NULL, NULL), SN_ERR_ARGUMENT);
    sn_scene_free(scene);
}

/// Once the room for contact was counted as if one tree could have all bodies: a hundred gigabytes.
static void thousands_of_bodies_have_room_to_touch(void** state) {
    enum { BODIES = 20000 };
    (void)state;
    sn_scene* scene = NULL;
    sn_simulation* sim = NULL;
    static const char text[] = "version: 1\nfloor: true\nobjects:\n"
                               "  - {box: [0.1, 0.1, 0.1], at: [0, 0, 0.05], repeat: {count: "
                               "[200, 100, 1], spacing: [0.2, 0.2, 0]}}\n";
    CHECK_STATUS(sn_scene_load_memory(text, sizeof text - 1, "t", NULL, &scene, NULL), SN_OK);
    CHECK_STATUS(sn_simulation_create(scene, NULL, &sim, NULL), SN_OK);
    sn_step_report report;
    CHECK_STATUS(sn_simulation_step(sim, &report), SN_OK);
    assert_true(report.contact.points == 4 * BODIES && report.contact.groups == BODIES);
    assert_true((report.events & SN_EVENT_FULL) == 0);
    sn_simulation_free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solid_has_the_mass_it_is_given_or_that_of_wood),
        cmocka_unit_test(what_is_loose_is_lifted_onto_the_floor),
        cmocka_unit_test(a_floor_is_where_what_is_held_can_swing_above_it),
        cmocka_unit_test(what_has_no_shapes_does_not_stand),
        cmocka_unit_test(items_begin_as_they_are_told),
        cmocka_unit_test(what_the_world_holds_cannot_be_thrown),
        cmocka_unit_test(surfaces_change_for_one_item_or_for_all),
        cmocka_unit_test(plugins_are_kept_with_their_options),
        cmocka_unit_test(thousands_of_bodies_have_room_to_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
