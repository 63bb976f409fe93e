// SPDX-License-Identifier: Apache-2.0
// Scenes stand as they begin: asked of collision detection, which knows nothing of how they were made.
#include <math.h>
#include <string.h>

#include "sinew/collision.h"
#include "sinew/generate.h"
#include "support/check.h"

static sn_model* make(const char* text) {
    sn_model* model;
    sn_error error = {0};
    sn_pile_def def = sn_pile_def_default();
    assert_true(sn_pile_parse(text, &def));
    sn_model_builder* builder = sn_model_builder_create(text);
    CHECK_STATUS(sn_generate_pile(&def, builder), SN_OK);
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &model, &error), SN_OK);
    sn_model_builder_free(builder);
    return model;
}

/// Contacts of the scene as it begins; the bodies of pairs that touch go to `pairs`.
static sn_collision_report look(const sn_model* model, int (*pairs)[2], int most, int* pair_count) {
    sn_collider* collider;
    sn_error error = {0};
    sn_collider_def def = sn_collider_def_default();
    const sn_contact* contacts;
    sn_collision_report report;
    def.contacts = 8192;
    CHECK_STATUS(sn_collider_create(model, &def, NULL, &collider, &error), SN_OK);
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_collider_move(collider, sn_body(i), sn_model_body(model, sn_body(i)).placement,
                         sn_twist_zero());
    }
    int32_t count = sn_collider_collide(collider, 1e-3, &contacts, &report);
    *pair_count = 0;
    for (int32_t i = 0; i < count; i++) {
        int a = contacts[i].a.i, b = contacts[i].b.i;
        bool known = *pair_count > 0 && pairs[*pair_count - 1][0] == a &&
                     pairs[*pair_count - 1][1] == b; // contacts of a pair come together
        if (known) continue;
        assert_true(*pair_count < most);
        pairs[*pair_count][0] = a;
        pairs[(*pair_count)++][1] = b;
    }
    sn_collider_free(collider);
    return report;
}

enum { PAIRS = 4096 };
static const double TOUCH = 1e-9; // m: cubes of 0.2 m that touch, up to rounding

static void nothing_overlaps_where_a_scene_begins(void** state) {
    (void)state;
    static const char* const scenes[] = {"floor",      "stack:1",     "stack:20",  "apart:7",
                                         "pyramid:1",  "pyramid:9",   "wall:6x8",  "wall:3",
                                         "dominoes:1", "dominoes:15", "cards:1",   "cards:4",
                                         "heap:1",     "heap:100",    "heap:64:9", "heap:300:5"};
    static int pairs[PAIRS][2];
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        int count;
        sn_model* model = make(scenes[i]);
        sn_collision_report report = look(model, pairs, PAIRS, &count);
        if (!(report.deepest <= TOUCH)) fail_msg("%s: %g", scenes[i], report.deepest);
        assert_int_equal(report.dropped_contacts + report.lost, 0);
        sn_model_free(model);
    }
}

/// What touches what in a scene whose bodies all stand.
typedef struct standing {
    const char* text;
    int bodies, on_floor, on_bodies; ///< pairs that touch
} standing;

static void scenes_touch_as_they_are_named(void** state) {
    (void)state;
    static const standing scenes[] = {
        {"floor", 0, 0, 0},
        {"stack:3", 3, 1, 2},
        {"apart:3", 3, 3, 0},
        {"pyramid:4", 10, 4, 12},   // each of the 6 above is on two
        {"wall:4x5", 22, 5, 6 * 5}, // 5, 4 and two halves, 5, 4 and two halves; each half on one
        {"wall:2", 5, 2, 4},        // 2 bricks, then one on both between two halves
        {"cards:1", 2, 2, 1},
        {"cards:2", 7, 4, 2 + 2 + 1 + 2}, // two pairs, a card on both, a pair on that
    };
    static int pairs[PAIRS][2];
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        const standing* s = &scenes[i];
        int count, floor = 0;
        sn_model* model = make(s->text);
        (void)look(model, pairs, PAIRS, &count);
        for (int k = 0; k < count; k++) floor += pairs[k][0] < 0 || pairs[k][1] < 0;
        if (sn_model_body_count(model) != s->bodies || floor != s->on_floor ||
            count - floor != s->on_bodies) {
            fail_msg("%s: %d bodies, %d on the floor, %d pairs", s->text,
                     sn_model_body_count(model), floor, count - floor);
        }
        sn_model_free(model);
    }
}

static void heaps_repeat_and_differ_by_seed(void** state) {
    (void)state;
    sn_model *a = make("heap:30:4"), *b = make("heap:30:4"), *c = make("heap:30:5");
    int same = 0;
    bool kinds[SN_SHAPE_HULL + 1] = {false};
    for (int i = 0; i < 30; i++) {
        sn_pose p = sn_model_body(a, sn_body(i)).placement;
        sn_pose q = sn_model_body(b, sn_body(i)).placement;
        sn_pose r = sn_model_body(c, sn_body(i)).placement;
        assert_memory_equal(&p, &q, sizeof p);
        same += memcmp(&p, &r, sizeof p) == 0;
    }
    for (int s = 0; s < sn_model_shape_count(a); s++) kinds[sn_model_shape(a, s).type] = true;
    assert_int_equal(same, 0);
    assert_true(kinds[SN_SHAPE_SPHERE] && kinds[SN_SHAPE_BOX] && kinds[SN_SHAPE_CYLINDER] &&
                kinds[SN_SHAPE_CAPSULE] && kinds[SN_SHAPE_PLANE]);
    sn_model_free(a);
    sn_model_free(b);
    sn_model_free(c);
}

static void texts_that_are_no_scene_are_refused(void** state) {
    (void)state;
    static const char* const bad[] = {"",         "stack",     "stack:",   "stack:0",
                                      "stack:-1", "stack:3x2", "wall:3x",  "wall:0x3",
                                      "wall:3x0", "heap:5:",   "heap:5:x", "heap:5:1:1",
                                      "floor:1",  "stacks:3",  "heap:1e3", "apart:99999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        sn_pile_def def = {SN_PILE_CARDS, 77, 5, 9, false}, before = def;
        if (sn_pile_parse(bad[i], &def)) fail_msg("'%s' was taken", bad[i]);
        assert_memory_equal(&def, &before, sizeof def);
    }
    sn_pile_def def = sn_pile_def_default();
    assert_true(sn_pile_parse("wall:3x7", &def) && def.count == 3 && def.columns == 7);
    assert_true(sn_pile_parse("heap:5:12", &def) && def.count == 5 && def.seed == 12);
    sn_model_builder* builder = sn_model_builder_create("large");
    assert_true(sn_pile_parse("pyramid:1000000", &def));
    CHECK_STATUS(sn_generate_pile(&def, builder), SN_ERR_CAPACITY);
    CHECK_STATUS(sn_generate_pile(NULL, builder), SN_ERR_ARGUMENT);
    def = sn_pile_def_default();
    def.count = 0;
    CHECK_STATUS(sn_generate_pile(&def, builder), SN_ERR_ARGUMENT);
    sn_model_builder_free(builder);
}

static void without_a_floor_only_bodies_are_added(void** state) {
    (void)state;
    sn_model* model;
    sn_error error = {0};
    sn_pile_def def = sn_pile_def_default();
    assert_true(sn_pile_parse("heap:10", &def));
    def.floor = false;
    sn_model_builder* builder = sn_model_builder_create("bare");
    CHECK_STATUS(sn_generate_pile(&def, builder), SN_OK);
    sn_material slippery = sn_model_builder_material(builder, 3);
    slippery.mu = slippery.mu_kinetic = 0.125;
    sn_model_builder_set_material(builder, 3, slippery);
    assert_int_equal(sn_model_builder_shape_count(builder), 10);
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &model, &error), SN_OK);
    sn_model_builder_free(builder);
    for (int s = 0; s < sn_model_shape_count(model); s++) {
        assert_true(sn_model_shape(model, s).body.i >= 0);
        assert_true(sn_model_shape(model, s).material.mu == (s == 3 ? 0.125 : 0.5));
    }
    sn_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_overlaps_where_a_scene_begins),
        cmocka_unit_test(scenes_touch_as_they_are_named),
        cmocka_unit_test(heaps_repeat_and_differ_by_seed),
        cmocka_unit_test(texts_that_are_no_scene_are_refused),
        cmocka_unit_test(without_a_floor_only_bodies_are_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
