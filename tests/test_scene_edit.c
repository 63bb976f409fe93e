// SPDX-License-Identifier: Apache-2.0
// Every kind of edit, as a command of a stream says it.
#include <math.h>
#include <string.h>

#include "support/scenes.h"

static const double PI = 3.14159265358979323846;

static bool is(const char* a, const char* b) { return strcmp(a, b) == 0; }

static void an_object_is_added_with_everything_it_has(void** state) {
    (void)state;
    sn_edit* e =
        edit_of_text("add: {name: ball, sphere: 0.5, at: [1, 2, 3], mass: 2, v: [0, 0, 4], "
                     "material: {mu: 0.9}}");
    CHECK(e->type == SN_EDIT_ADD && is(e->name, "ball") && e->time == 0, 0);
    const sn_item* item = e->item;
    CHECK(is(item->name, "ball") && is(item->prefix, "ball") && item->pose.p.y == 2, 0);
    CHECK(sn_model_mass(item->model) == 2 && item->v[5] == 4, 0);
    CHECK(sn_model_shape(item->model, 0).material.mu == 0.9, 0);
    CHECK(is(e->place.file, "test.yaml") && e->place.line == 1, 0);
    sn_edit_free(e);
    e = edit_of_text("add: {sphere: 0.5}");
    CHECK(is(e->name, "sphere_1"), 0);
    sn_edit_free(e);
}

static void a_model_is_added_with_its_joints(void** state) {
    (void)state;
    sn_edit* e = edit_of_text("add: {name: arm, model: double_pendulum, q: {lower_hinge: 90deg}, "
                              "qd: {upper_hinge: 1}, lock: all, material: {mu: 0.2}}");
    CHECK(is(e->item->prefix, "arm/") && sn_model_body_count(e->item->model) == 2, 0);
    CHECK_NEAR(e->item->q[1], PI / 2, TOL_ROUNDOFF, 0);
    CHECK(e->item->v[0] == 1 && e->item->locked[0] && e->item->locked[1], 0);
    sn_edit_free(e);
    e = edit_of_text("add: {name: pile, generate: 'stack:3', stand: true, at: [0, 0, 1]}");
    CHECK(sn_model_body_count(e->item->model) == 3, 0);
    sn_edit_free(e);
}

static void items_holds_and_joints_are_named(void** state) {
    (void)state;
    static const struct {
        const char* text;
        sn_edit_type type;
        bool body;
    } cases[] = {{"remove: abc", SN_EDIT_REMOVE, false},
                 {"release: abc", SN_EDIT_RELEASE, false},
                 {"lock: abc", SN_EDIT_LOCK, true},
                 {"unlock: abc", SN_EDIT_UNLOCK, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sn_edit* e = edit_of_text(cases[i].text);
        CHECK(e->type == cases[i].type && is(cases[i].body ? e->body : e->name, "abc"), i);
        CHECK(is(cases[i].body ? e->name : e->body, "") && is(e->other, ""), i);
        sn_edit_free(e);
    }
}

static void holds_have_their_type_places_and_springs(void** state) {
    (void)state;
    sn_edit* e = edit_of_text("hold: {name: grip, type: weld, body: a/b, other: c}");
    CHECK(e->type == SN_EDIT_HOLD && is(e->name, "grip") && is(e->body, "a/b"), 0);
    CHECK(is(e->other, "c") && !e->frames_given, 0);
    CHECK(e->constraint.type == SN_CONSTRAINT_WELD && isinf(e->constraint.stiffness), 0);
    sn_edit_free(e);
    e = edit_of_text(
        "hold: {name: g, type: hinge, body: a, frame: {at: [1, 2, 3]}, "
        "other_frame: {at: [4, 5, 6], rpy: [0, 90deg, 0]}, stiffness: 100, damping: 2, "
        "turn_stiffness: 30, turn_damping: 4}");
    const sn_constraint* c = &e->constraint;
    CHECK(c->type == SN_CONSTRAINT_HINGE && e->frames_given && is(e->other, ""), 0);
    CHECK(c->X_ac.p.x == 1 && c->X_bc.p.z == 6, 0);
    CHECK_NEAR(sn_mat3_apply(c->X_bc.R, sn_vec3_make(0, 0, 1)).x, 1, TOL_ROUNDOFF, 0);
    CHECK(c->stiffness == 100 && c->damping == 2 && c->turn_stiffness == 30, 0);
    CHECK(c->turn_damping == 4, 0);
    sn_edit_free(e);
    e = edit_of_text("hold: {name: g, type: distance, body: a, length: 0.5}");
    CHECK(e->constraint.type == SN_CONSTRAINT_DISTANCE && e->constraint.length == 0.5, 0);
    sn_edit_free(e);
    e = edit_of_text("hold: {name: g, type: ball, body: a, frame: {at: [0, 0, 1]}}");
    CHECK(e->constraint.type == SN_CONSTRAINT_BALL && e->frames_given, 0);
    sn_edit_free(e);
}

static void forces_moves_and_targets_have_their_numbers(void** state) {
    (void)state;
    sn_edit* e = edit_of_text("push: {body: a, force: [1, 2, 3], moment: [4, 5, 6]}");
    CHECK(e->type == SN_EDIT_PUSH && is(e->body, "a"), 0);
    CHECK(e->wrench.f.y == 2 && e->wrench.n.z == 6, 0);
    sn_edit_free(e);
    e = edit_of_text("push: {body: a}");
    CHECK(e->wrench.f.x == 0 && e->wrench.n.x == 0, 0);
    sn_edit_free(e);
    e = edit_of_text("force: {joint: a/j, value: [1, 2, 3]}");
    CHECK(e->type == SN_EDIT_FORCE && is(e->body, "a/j") && e->number_count == 3, 0);
    CHECK(e->number[2] == 3, 0);
    sn_edit_free(e);
    e = edit_of_text("move: {joint: a/j, value: 180deg}");
    CHECK(e->type == SN_EDIT_MOVE && e->number_count == 1, 0);
    CHECK_NEAR(e->number[0], PI, TOL_ROUNDOFF, 0);
    sn_edit_free(e);
    e = edit_of_text("target: {controller: c, joint: a/j, value: [90deg, 2]}");
    CHECK(e->type == SN_EDIT_TARGET && is(e->name, "c") && is(e->body, "a/j"), 0);
    CHECK_NEAR(e->number[0], PI / 2, TOL_ROUNDOFF, 0);
    CHECK(e->number[1] == 2, 0);
    sn_edit_free(e);
}

static void the_world_is_changed(void** state) {
    (void)state;
    sn_edit* e = edit_of_text("gravity: [1, 2, 3]");
    CHECK(e->type == SN_EDIT_GRAVITY && e->vector.z == 3, 0);
    sn_edit_free(e);
    e = edit_of_text("surface: {item: a, material: {mu: 0.3, restitution: 0.5}}");
    CHECK(e->type == SN_EDIT_SURFACE && is(e->name, "a"), 0);
    CHECK(e->material.mu == 0.3 && e->material.restitution == 0.5, 0);
    sn_edit_free(e);
    e = edit_of_text("active: {max_active: 5, metric: inertia}");
    CHECK(e->type == SN_EDIT_ACTIVE && e->adaptivity.max_active == 5, 0);
    CHECK(e->adaptivity.metric == SN_METRIC_INERTIA, 0);
    sn_edit_free(e);
    e = edit_of_text("plugin: {name: p, words: 'go on'}");
    CHECK(e->type == SN_EDIT_PLUGIN && is(e->name, "p") && is(e->words, "go on"), 0);
    sn_edit_free(e);
    e = edit_of_text("reset: true");
    CHECK(e->type == SN_EDIT_RESET, 0);
    sn_edit_free(e);
}

/// Each name of the list is a key that makes an edit of that type: none was forgotten above.
static void every_type_has_a_key(void** state) {
    (void)state;
    char* schema = NULL;
    CHECK_STATUS(sn_scene_schema(&schema, NULL), SN_OK);
    const char* edit = strstr(schema, "\"edit\": {");
    CHECK(edit, 0);
#define KEY(code, name) CHECK(strstr(edit, "\"" name "\": {\"description\""), code);
    SN_EDIT_LIST(KEY)
#undef KEY
    sn_text_free(schema);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_is_added_with_everything_it_has),
        cmocka_unit_test(a_model_is_added_with_its_joints),
        cmocka_unit_test(items_holds_and_joints_are_named),
        cmocka_unit_test(holds_have_their_type_places_and_springs),
        cmocka_unit_test(forces_moves_and_targets_have_their_numbers),
        cmocka_unit_test(the_world_is_changed),
        cmocka_unit_test(every_type_has_a_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
