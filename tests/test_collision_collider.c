// SPDX-License-Identifier: Apache-2.0
// The collider around its pairs: who may touch whom, ids, margins, capacity, patches.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collision/sn_collision.h"
#include "support/check.h"
#include "support/random_state.h"

enum { LISTS = 980, PATCHES }; // first argument of test_case_seed

static sn_pose at(double x, double y, double z) {
    return sn_pose_make(sn_mat3_identity(), sn_vec3_make(x, y, z));
}

static void add_body(sn_model_builder* b, const char* name, const char* parent, sn_joint_type type,
                     sn_pose X) {
    sn_body_def body = sn_body_def_default();
    body.name = name;
    body.parent = parent;
    body.joint.type = type;
    body.joint.placement = X;
    assert_int_equal(sn_model_builder_add_body(b, &body), SN_OK);
}

static sn_shape_def ball(const char* body, double r, sn_pose X) {
    sn_shape_def s = sn_shape_def_default();
    s.body = body;
    s.size = sn_vec3_make(r, r, r);
    s.pose = X;
    return s;
}

static void add_ball(sn_model_builder* b, const char* body, double r, sn_pose X) {
    sn_shape_def s = ball(body, r, X);
    assert_int_equal(sn_model_builder_add_shape(b, &s), SN_OK);
}

static sn_model* compiled(sn_model_builder* b) {
    sn_model* model;
    sn_error error;
    if (sn_model_builder_compile(b, NULL, &model, &error)) fail_msg("%s", error.text);
    sn_model_builder_free(b);
    return model;
}

static sn_collider* collider_of(const sn_model* model, const sn_collider_def* def) {
    sn_collider* collider;
    sn_error error;
    if (sn_collider_create(model, def, NULL, &collider, &error)) fail_msg("%s", error.text);
    return collider;
}

static int32_t count_contacts(sn_collider* c) {
    const sn_contact* contacts;
    return sn_collider_collide(c, 1e-3, &contacts, NULL);
}

// ---- filters ----------------------------------------------------------------------------------------------

/// Three balls in a chain, all at the same place; a fourth one free.
static sn_model* chain_model(void) {
    sn_model_builder* b = sn_model_builder_create("chain");
    add_body(b, "a", NULL, SN_JOINT_FREE, sn_pose_identity());
    add_body(b, "b", "a", SN_JOINT_REVOLUTE, sn_pose_identity());
    add_body(b, "c", "b", SN_JOINT_REVOLUTE, sn_pose_identity());
    add_body(b, "d", NULL, SN_JOINT_FREE, sn_pose_identity());
    const char* names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++) add_ball(b, names[i], 0.1, at(0.01 * i, 0, 0));
    return compiled(b);
}

static void joined_bodies_do_not_touch_unless_allowed(void** state) {
    (void)state;
    sn_model* model = chain_model();
    sn_collider* c = collider_of(model, NULL);
    assert_int_equal(count_contacts(c), 4); // a-c, and d with all three
    assert_false(sn_collider_is_allowed(c, sn_body(0), sn_body(1)));
    assert_true(sn_collider_is_allowed(c, sn_body(0), sn_body(2)));
    assert_int_equal(sn_collider_allow(c, sn_body(1), sn_body(0), true), SN_OK);
    assert_int_equal(count_contacts(c), 5);
    assert_int_equal(sn_collider_allow(c, sn_body(3), sn_body(0), false), SN_OK);
    assert_int_equal(count_contacts(c), 4);
    assert_int_equal(sn_collider_allow(c, sn_body(4), sn_body(0), false), SN_ERR_ARGUMENT);
    assert_int_equal(sn_collider_allow(c, sn_body(0), sn_body(0), true), SN_ERR_ARGUMENT);
    sn_collider_free(c);
    sn_collider_def def = sn_collider_def_default();
    def.skip_joined = false;
    c = collider_of(model, &def);
    assert_int_equal(count_contacts(c), 6);
    sn_collider_free(c);
    sn_model_free(model);
}

static void what_overlaps_at_rest_is_switched_off_within_a_tree_only(void** state) {
    (void)state;
    sn_model* model = chain_model();
    sn_collider* c = collider_of(model, NULL);
    assert_int_equal(sn_collider_skip_overlapping(c), 1); // a-c
    assert_int_equal(count_contacts(c), 3);
    assert_int_equal(sn_collider_skip_overlapping(c), 0);
    sn_collider_free(c);
    sn_model_free(model);
}

/// An arm on a base that is fixed to the world: it may be drawn into its base, and still touches the floor.
static void a_held_arm_skips_what_it_is_drawn_into_but_not_the_floor(void** state) {
    (void)state;
    sn_model_builder* b = sn_model_builder_create("arm");
    add_body(b, "arm", NULL, SN_JOINT_REVOLUTE, sn_pose_identity());
    add_ball(b, "arm", 0.1, at(0, 0, 0.05));
    add_ball(b, NULL, 0.1, sn_pose_identity());
    sn_shape_def floor = ball(NULL, 1, sn_pose_identity());
    floor.type = SN_SHAPE_PLANE;
    assert_int_equal(sn_model_builder_add_shape(b, &floor), SN_OK);
    sn_model* model = compiled(b);
    sn_collider* c = collider_of(model, NULL);
    assert_int_equal(count_contacts(c), 2);
    assert_int_equal(sn_collider_skip_overlapping(c), 1);
    assert_int_equal(count_contacts(c), 1);
    int first, second;
    sn_collider_contact_shapes(c, 0, &first, &second);
    assert_true(first == 2 || second == 2); // the plane
    sn_collider_free(c);
    sn_model_free(model);
}

static void groups_masks_and_exclusions_count(void** state) {
    (void)state;
    sn_model_builder* b = sn_model_builder_create("masks");
    const char* names[] = {"a", "b", "c", "d"};
    static const uint32_t group[] = {1, 1, 2, 1}, mask[] = {~0u, 1, ~0u, ~0u};
    for (int i = 0; i < 4; i++) {
        add_body(b, names[i], NULL, SN_JOINT_FREE, sn_pose_identity());
        sn_shape_def s = ball(names[i], 0.1, at(0.01 * i, 0, 0));
        s.group = group[i];
        s.mask = mask[i];
        assert_int_equal(sn_model_builder_add_shape(b, &s), SN_OK);
    }
    sn_place nowhere = {"", 0, 0};
    assert_int_equal(sn_model_builder_exclude(b, "d", "a", nowhere), SN_OK);
    sn_model* model = compiled(b);
    assert_int_equal(sn_model_exclusion_count(model), 1);
    sn_collider* c = collider_of(model, NULL);
    assert_int_equal(count_contacts(c), 4); // of six: b-c masked, a-d excluded
    sn_collider_free(c);
    sn_model_free(model);
}

static void an_exclusion_of_a_body_that_does_not_exist_is_an_error(void** state) {
    (void)state;
    sn_model_builder* b = sn_model_builder_create("bad");
    add_body(b, "a", NULL, SN_JOINT_FREE, sn_pose_identity());
    sn_place place = {"robot.srdf", 7, 0};
    assert_int_equal(sn_model_builder_exclude(b, "a", "nobody", place), SN_OK);
    sn_model* model;
    sn_error error;
    assert_int_equal(sn_model_builder_compile(b, NULL, &model, &error), SN_ERR_MODEL);
    assert_non_null(strstr(error.text, "nobody"));
    assert_int_equal(error.line, 7);
    sn_model_builder_free(b);
}

// ---- motion -----------------------------------------------------------------------------------------------

static sn_model* two_balls(void) {
    sn_model_builder* b = sn_model_builder_create("balls");
    add_body(b, "a", NULL, SN_JOINT_FREE, sn_pose_identity());
    add_body(b, "b", NULL, SN_JOINT_FREE, sn_pose_identity());
    add_ball(b, "a", 0.1, sn_pose_identity());
    add_ball(b, "b", 0.1, sn_pose_identity());
    return compiled(b);
}

/// With its start at x = -gap - 0.2 and speed v, a ball meets the other within h when gap <= h v.
static void a_contact_is_found_when_it_will_be_met_in_the_step(void** state) {
    (void)state;
    sn_model* model = two_balls();
    sn_collider* c = collider_of(model, NULL);
    for (int k = 0; k < 40; k++) {
        double gap = 0.05 * k, v = 1000, h = 1e-3;
        sn_twist to_it = sn_twist_make(sn_vec3_zero(), sn_vec3_make(v, 0, 0));
        sn_twist past_it = sn_twist_make(sn_vec3_zero(), sn_vec3_make(0, v, 0));
        sn_collider_move(c, sn_body(0), at(-gap - 0.2, 0, 0), to_it);
        const sn_contact* contact;
        int32_t count = sn_collider_collide(c, h, &contact, NULL);
        double slack = h * v - gap;
        if (fabs(slack) > 2e-3) CHECK(count == (slack > 0), (uint64_t)k);
        if (count) CHECK_NEAR(contact[0].gap, gap, 1e-12, (uint64_t)k);
        // one that flies past is left alone, but for the margin
        sn_collider_move(c, sn_body(0), at(-gap - 0.2, 0, 0), past_it);
        CHECK(sn_collider_collide(c, h, &contact, NULL) == (gap <= 1e-3), (uint64_t)k);
    }
    sn_collider_free(c);
    sn_model_free(model);
}

static void a_body_without_a_finite_pose_is_out_until_it_has_one(void** state) {
    (void)state;
    sn_model* model = two_balls();
    sn_collider* c = collider_of(model, NULL);
    const sn_contact* contact;
    sn_collision_report report;
    sn_collider_move(c, sn_body(0), at(NAN, 0, 0), sn_twist_zero());
    assert_int_equal(sn_collider_collide(c, 1e-3, &contact, &report), 0);
    assert_int_equal(report.lost, 1);
    sn_collider_move(c, sn_body(0), at(0.15, 0, 0),
                     sn_twist_make(sn_vec3_make(INFINITY, 0, 0), sn_vec3_zero()));
    assert_int_equal(sn_collider_collide(c, 1e-3, &contact, &report), 0);
    assert_int_equal(report.lost, 1);
    sn_collider_move(c, sn_body(0), at(0.15, 0, 0), sn_twist_zero());
    assert_int_equal(sn_collider_collide(c, 1e-3, &contact, &report), 1);
    assert_int_equal(report.lost, 0);
    sn_collider_free(c);
    sn_model_free(model);
}

static void two_bodies_at_rest_are_not_looked_at(void** state) {
    (void)state;
    sn_model* model = two_balls();
    sn_collider* c = collider_of(model, NULL);
    assert_int_equal(count_contacts(c), 1);
    sn_collider_rest(c, sn_body(0), true);
    assert_int_equal(count_contacts(c), 1);
    sn_collider_rest(c, sn_body(1), true);
    assert_int_equal(count_contacts(c), 0);
    sn_collider_rest(c, sn_body(0), false);
    assert_int_equal(count_contacts(c), 1);
    sn_collider_free(c);
    sn_model_free(model);
}

/// A box that is carried around on a floor keeps the ids of its corners, and no two are equal.
static void ids_stay_while_the_same_corners_touch(void** state) {
    (void)state;
    sn_model_builder* b = sn_model_builder_create("box");
    add_body(b, "a", NULL, SN_JOINT_FREE, sn_pose_identity());
    sn_shape_def s = ball("a", 1, sn_pose_identity());
    s.type = SN_SHAPE_BOX;
    s.size = sn_vec3_make(0.2, 0.3, 0.4);
    assert_int_equal(sn_model_builder_add_shape(b, &s), SN_OK);
    s = ball(NULL, 1, sn_pose_identity());
    s.type = SN_SHAPE_PLANE;
    assert_int_equal(sn_model_builder_add_shape(b, &s), SN_OK);
    sn_model* model = compiled(b);
    sn_collider* c = collider_of(model, NULL);
    uint64_t first[4];
    for (int k = 0; k < 20; k++) {
        sn_mat3 R = sn_quat_matrix(sn_quat_exp(sn_vec3_make(1e-4 * (k % 3), 0, 0.3 * k)));
        sn_collider_move(c, sn_body(0), sn_pose_make(R, sn_vec3_make(k, -k, 0.2)), sn_twist_zero());
        const sn_contact* contact;
        assert_int_equal(sn_collider_collide(c, 1e-3, &contact, NULL), 4);
        for (int i = 0; i < 4; i++) {
            if (k == 0) first[i] = contact[i].id;
            CHECK(contact[i].id == first[i] && contact[i].id != 0, (uint64_t)k);
            for (int j = 0; j < i; j++) CHECK(first[i] != first[j], (uint64_t)k);
        }
    }
    sn_collider_free(c);
    sn_model_free(model);
}

// ---- lists ------------------------------------------------------------------------------------------------

/// Against keeping everything and sorting.
static void a_full_list_keeps_the_deepest_in_the_order_they_came(void** state) {
    (void)state;
    enum { MOST = 64, ALL = 300 };
    for (int k = 0; k < 200; k++) {
        uint64_t seed = test_case_seed(LISTS, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        int most = test_index(&rng, MOST), all = test_index(&rng, ALL);
        sni_contact_list list = {0};
        sni_arena arena = {0};
        sni_contact_list_layout(&list, &arena, most);
        assert_true(sni_arena_allocate(&arena));
        sni_contact_list_layout(&list, &arena, most);
        double gap[ALL];
        for (int i = 0; i < all; i++) {
            gap[i] = test_index(&rng, 50); // many are equal
            sn_contact* room = sni_contact_list_add(&list, gap[i], (sni_contact_shapes){i, i});
            if (room) *room = (sn_contact){.id = (uint64_t)i + 1, .gap = gap[i]};
        }
        sni_contact_list_finish(&list);
        CHECK(list.count == (all < most ? all : most), seed);
        CHECK(list.count + list.dropped == all, seed);
        int next = 0;
        for (int i = 0; i < all; i++) {
            int before = 0; // how many go before it: deeper, or as deep and earlier
            for (int j = 0; j < all; j++) before += gap[j] < gap[i] || (gap[j] == gap[i] && j < i);
            if (before >= most) continue;
            CHECK(next < list.count && list.contact[next].id == (uint64_t)i + 1, seed);
            CHECK(list.shapes[next].a == i, seed);
            next++;
        }
        sni_arena_free(&arena);
    }
}

/// Points of a plane, and of two planes mixed: four of each are left, they have the deepest, and their area is a fair part
/// of the hull's.
static void a_patch_keeps_its_deepest_point_and_its_extent(void** state) {
    (void)state;
    enum { POINTS = 40 };
    for (int k = 0; k < 100; k++) {
        uint64_t seed = test_case_seed(PATCHES, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        sni_contact_list list = {0};
        sni_patch_work work = {0};
        sni_arena arena = {0};
        for (int turn = 0; turn < 2; turn++) {
            sni_contact_list_layout(&list, &arena, POINTS);
            sni_patch_layout(&work, &arena, POINTS);
            if (turn == 0) assert_true(sni_arena_allocate(&arena));
        }
        int floor_deepest = -1, wall = 0;
        double least = 1;
        for (int i = 0; i < POINTS; i++) {
            bool on_wall = test_index(&rng, 3) == 0;
            double x = test_uniform(&rng, 0, 1), y = test_uniform(&rng, 0, 2);
            sn_vec3 n = on_wall ? sn_vec3_make(1, 0, 0) : sn_vec3_make(0, 0, 1);
            sn_vec3 p = on_wall ? sn_vec3_make(0, y, x) : sn_vec3_make(x, y, 0);
            sn_contact contact = {
                .id = (uint64_t)i + 1, .b = {-1}, .x = p, .n = n, .gap = test_uniform(&rng, -1, 0)};
            wall += on_wall;
            if (!on_wall && contact.gap < least) {
                least = contact.gap;
                floor_deepest = i;
            }
            *sni_contact_list_add(&list, contact.gap, (sni_contact_shapes){0, 1}) = contact;
        }
        sni_patch_reduce(&list, &work, 4, 0);
        int on_wall = 0;
        bool has_deepest = false;
        double x_low = 1, x_high = 0, y_low = 2, y_high = 0;
        for (int i = 0; i < list.count; i++) {
            const sn_contact* c = &list.contact[i];
            on_wall += c->n.x == 1;
            has_deepest = has_deepest || c->id == (uint64_t)floor_deepest + 1;
            if (c->n.x == 1) continue;
            x_low = fmin(x_low, c->x.x), x_high = fmax(x_high, c->x.x);
            y_low = fmin(y_low, c->x.y), y_high = fmax(y_high, c->x.y);
        }
        CHECK(list.count - on_wall == 4 && on_wall == (wall < 4 ? wall : 4), seed);
        CHECK(has_deepest, seed);
        CHECK((x_high - x_low) * (y_high - y_low) > 0.5, seed);
        sni_arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined_bodies_do_not_touch_unless_allowed),
        cmocka_unit_test(what_overlaps_at_rest_is_switched_off_within_a_tree_only),
        cmocka_unit_test(a_held_arm_skips_what_it_is_drawn_into_but_not_the_floor),
        cmocka_unit_test(groups_masks_and_exclusions_count),
        cmocka_unit_test(an_exclusion_of_a_body_that_does_not_exist_is_an_error),
        cmocka_unit_test(a_contact_is_found_when_it_will_be_met_in_the_step),
        cmocka_unit_test(a_body_without_a_finite_pose_is_out_until_it_has_one),
        cmocka_unit_test(two_bodies_at_rest_are_not_looked_at),
        cmocka_unit_test(ids_stay_while_the_same_corners_touch),
        cmocka_unit_test(a_full_list_keeps_the_deepest_in_the_order_they_came),
        cmocka_unit_test(a_patch_keeps_its_deepest_point_and_its_extent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
