// SPDX-License-Identifier: Apache-2.0
// Areas of contact: how many points, where, and that they stay.
#include "collision/manifold.h"

#include <math.h>
#include <stdio.h>

#include "support/solids.h"

enum { MOST = 64 };

typedef struct scene {
    test_solid *a, *b;
    sn_pose X_a, X_b;
    sni_touch at[MOST];
    sni_touches found;
} scene;

static scene rest(test_solid* a, sn_vec3 p, test_solid* b) {
    scene s = {.a = a, .b = b, .X_a = sn_pose_identity(), .X_b = sn_pose_identity()};
    s.X_a.p = p;
    return s;
}

static void find(scene* s, double margin) {
    sni_pair_memory memory = {.hint = SNI_HINT_NONE};
    s->found = (sni_touches){s->at, 0, MOST, 0};
    sni_touch_pair(&s->a->solid, &s->X_a, &s->b->solid, &s->X_b, margin, &memory, &s->found);
}

static void end(scene* s) {
    solid_free(s->a);
    solid_free(s->b);
}

static test_solid* box(double x, double y, double z) {
    return solid_make(SN_SHAPE_BOX, sn_vec3_make(x, y, z));
}

static sn_mat3 turned(double x, double y, double z) {
    return sn_quat_matrix(sn_quat_exp(sn_vec3_make(x, y, z)));
}

/// A point with this x and y, z at height `z`, normal up, this gap.
static bool has_point(const scene* s, double x, double y, double z, double gap) {
    for (int k = 0; k < s->found.count; k++) {
        const sni_touch* t = &s->at[k];
        if (fabs(t->x.x - x) < 1e-9 && fabs(t->x.y - y) < 1e-9 && fabs(t->x.z - z) < 1e-9 &&
            fabs(t->gap - gap) < 1e-9 && fabs(t->n.z - 1) < 1e-9)
            return true;
    }
    return false;
}

static void check_names_differ(const scene* s) {
    for (int i = 0; i < s->found.count; i++)
        for (int j = 0; j < i; j++) assert_true(s->at[i].feature != s->at[j].feature);
}

// ---- boxes ----------------------------------------------------------------------------------------------

static void a_box_rests_on_a_box_with_four_corners(void** state) {
    (void)state;
    for (int flip = -1; flip <= 1; flip++) { // apart, touching, overlapping
        double gap = -0.001 * flip;
        scene s = rest(box(0.5, 0.4, 0.3), sn_vec3_make(0.1, 0.2, 1.3 + gap), box(2, 2, 1));
        find(&s, 0.01);
        assert_int_equal(s.found.count, 4);
        for (int k = 0; k < 4; k++)
            assert_true(has_point(&s, k & 1 ? 0.6 : -0.4, k & 2 ? 0.6 : -0.2, 1 + gap / 2, gap));
        check_names_differ(&s);
        end(&s);
    }
}

static void equal_boxes_in_a_stack_have_four_points_that_keep_their_names(void** state) {
    (void)state;
    test_rng rng = test_rng_make(test_case_seed(21, 0));
    scene s = rest(box(0.5, 0.5, 0.5), sn_vec3_make(0, 0, 1), box(0.5, 0.5, 0.5));
    find(&s, 0.01);
    assert_int_equal(s.found.count, 4);
    uint32_t name[4];
    for (int k = 0; k < 4; k++) name[k] = s.at[k].feature;
    for (int k = 0; k < 200; k++) {
        sn_vec3 off = test_vec3(&rng, 1e-8), turn = test_vec3(&rng, 1e-8);
        s.X_a.p = sn_vec3_add(sn_vec3_make(0, 0, 1), off);
        s.X_a.R = turned(turn.x, turn.y, turn.z);
        find(&s, 0.01);
        assert_int_equal(s.found.count, 4);
        for (int i = 0; i < 4; i++) {
            int same = 0;
            for (int j = 0; j < 4; j++) same += s.at[j].feature == name[i];
            assert_int_equal(same, 1);
        }
        assert_true(fabs(s.at[0].n.z - 1) < 1e-12);
    }
    end(&s);
}

static void turned_by_an_eighth_equal_boxes_touch_in_eight_points(void** state) {
    (void)state;
    scene s = rest(box(0.5, 0.5, 0.5), sn_vec3_make(0, 0, 0.999), box(0.5, 0.5, 0.5));
    s.X_a.R = turned(0, 0, M_PI / 4);
    find(&s, 0.01);
    assert_int_equal(s.found.count, 8);
    double near = 0.5, far = 0.5 * (M_SQRT2 - 1);
    for (int k = 0; k < 8; k++) {
        double u = k & 1 ? near : -near, v = k & 2 ? far : -far;
        assert_true(has_point(&s, k & 4 ? u : v, k & 4 ? v : u, 0.4995, -0.001));
    }
    check_names_differ(&s);
    end(&s);
}

static void a_tilted_box_has_gaps_that_grow_along_it(void** state) {
    (void)state;
    double tilt = 0.01;
    scene s = rest(box(0.5, 0.5, 0.5), sn_vec3_make(0, 0, 1.5), box(2, 2, 1));
    s.X_a.R = turned(0, tilt, 0);
    find(&s, 0.1);
    assert_int_equal(s.found.count, 4);
    for (int k = 0; k < 4; k++) {
        sn_vec3 corner =
            sn_pose_apply(s.X_a, sn_vec3_make(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, -0.5));
        assert_true(has_point(&s, corner.x, corner.y, 1 + (corner.z - 1) / 2, corner.z - 1));
    }
    end(&s);
}

static void boxes_on_edge_and_on_corner_touch_with_those(void** state) {
    (void)state;
    scene s = rest(box(0.5, 0.5, 0.5), sn_vec3_make(0, 0, 1 + M_SQRT1_2), box(2, 2, 1));
    s.X_a.R = turned(M_PI / 4, 0, 0); // on an edge along x
    find(&s, 0.1);
    assert_int_equal(s.found.count, 2);
    assert_true(has_point(&s, 0.5, 0, 1, 0) && has_point(&s, -0.5, 0, 1, 0));
    s.X_a.R = sn_mat3_mul(turned(0, atan(M_SQRT1_2), 0), s.X_a.R); // on a corner
    s.X_a.p.z = 1 + 0.5 * sqrt(3);
    find(&s, 0.1);
    assert_int_equal(s.found.count, 1);
    assert_true(has_point(&s, 0, 0, 1, 0));
    end(&s);
}

static void two_edges_that_cross_touch_in_one_point(void** state) {
    (void)state;
    for (int k = -1; k <= 1; k++) {
        double gap = 0.01 * k;
        scene s = rest(box(0.5, 0.5, 0.5), sn_vec3_make(0.1, 0.2, 2 * M_SQRT1_2 + gap),
                       box(0.5, 0.5, 0.5));
        s.X_a.R = turned(M_PI / 4, 0, 0); // edge along x below, edge along y above
        s.X_b.R = turned(0, M_PI / 4, 0);
        find(&s, 0.1);
        assert_int_equal(s.found.count, 1);
        assert_true(has_point(&s, 0, 0.2, M_SQRT1_2 + gap / 2, gap));
        end(&s);
    }
}

// ---- round solids ---------------------------------------------------------------------------------------

static void a_standing_cylinder_has_points_around_its_rim(void** state) {
    (void)state;
    scene s = rest(solid_make(SN_SHAPE_CYLINDER, sn_vec3_make(0.3, 0, 0.5)),
                   sn_vec3_make(0.1, 0, 1.499), box(2, 2, 1));
    find(&s, 0.01);
    assert_int_equal(s.found.count, SN_RIM_CORNERS);
    for (int k = 0; k < 8; k++)
        assert_true(
            has_point(&s, 0.1 + 0.3 * cos(k * M_PI / 4), 0.3 * sin(k * M_PI / 4), 0.9995, -0.001));
    check_names_differ(&s);
    s.X_a.R = turned(0.3 * 0.001, 0.001, 0); // and the deepest one, when it is tilted
    find(&s, 0.01);
    assert_int_equal(s.found.count, SN_RIM_CORNERS + 1);
    check_names_differ(&s);
    long double deep = solids_apart(s.a, &s.X_a, s.b, &s.X_b, (long3){0, 0, 1}), least = INFINITY;
    for (int k = 0; k < s.found.count; k++) least = fminl(least, s.at[k].gap);
    assert_true(fabsl(least - deep) < 1e-12);
    end(&s);
}

static void a_lying_cylinder_has_the_two_ends_of_its_side(void** state) {
    (void)state;
    for (int k = -1; k <= 1; k++) {
        double gap = 0.001 * k;
        scene s = rest(solid_make(SN_SHAPE_CYLINDER, sn_vec3_make(0.3, 0, 0.5)),
                       sn_vec3_make(0.1, 0.2, 1.3 + gap), box(2, 2, 1));
        s.X_a.R = turned(0, M_PI / 2, 0);
        find(&s, 0.01);
        assert_int_equal(s.found.count, 2);
        assert_true(has_point(&s, 0.6, 0.2, 1 + gap / 2, gap));
        assert_true(has_point(&s, -0.4, 0.2, 1 + gap / 2, gap));
        s.X_a.p.x = 1.8; // over the edge: where the edge cuts it
        find(&s, 0.01);
        assert_int_equal(s.found.count, 2);
        assert_true(has_point(&s, 2, 0.2, 1 + gap / 2, gap));
        end(&s);
    }
}

static void capsules_lie_on_two_points(void** state) {
    (void)state;
    sn_vec3 half = sn_vec3_make(0.3, 0, 0.5);
    scene s = rest(solid_make(SN_SHAPE_CAPSULE, half), sn_vec3_make(0, 0, 1.3), box(2, 2, 1));
    s.X_a.R = turned(0, M_PI / 2, 0);
    find(&s, 0.01);
    assert_int_equal(s.found.count, 2);
    assert_true(has_point(&s, 0.5, 0, 1, 0) && has_point(&s, -0.5, 0, 1, 0));
    end(&s);
    s = rest(solid_make(SN_SHAPE_CAPSULE, half), sn_vec3_make(0.2, 0, 0.6),
             solid_make(SN_SHAPE_CAPSULE, half));
    s.X_a.R = s.X_b.R = turned(0, M_PI / 2, 0);
    find(&s, 0.01);
    assert_int_equal(s.found.count, 2);
    assert_true(has_point(&s, 0.5, 0, 0.3, 0) && has_point(&s, -0.3, 0, 0.3, 0));
    end(&s);
}

static void cylinders_side_by_side_touch_along_their_length(void** state) {
    (void)state;
    for (int k = -1; k <= 1; k++) {
        double gap = 0.001 * k;
        scene s = rest(solid_make(SN_SHAPE_CYLINDER, sn_vec3_make(0.3, 0, 0.5)),
                       sn_vec3_make(0, 0.2, 0.7 + gap),
                       solid_make(SN_SHAPE_CYLINDER, sn_vec3_make(0.4, 0, 1)));
        s.X_a.R = s.X_b.R = turned(M_PI / 2, 0, 0);
        find(&s, 0.01);
        assert_int_equal(s.found.count, 2);
        assert_true(has_point(&s, 0, 0.7, 0.4 + gap / 2, gap));
        assert_true(has_point(&s, 0, -0.3, 0.4 + gap / 2, gap));
        end(&s);
    }
}

// ---- hulls ----------------------------------------------------------------------------------------------

static void a_hull_rests_on_a_hull_with_all_corners_of_the_face(void** state) {
    (void)state;
    for (int sides = 3; sides <= 12; sides++) {
        scene s = rest(solid_prism(sides, 0.5, 0.25), sn_vec3_make(0.1, 0, 0.749),
                       solid_prism(7, 2, 0.5));
        find(&s, 0.01);
        assert_int_equal(s.found.count, sides);
        for (int k = 0; k < sides; k++)
            assert_true(has_point(&s, 0.1 + 0.5 * cos(2 * M_PI * k / sides),
                                  0.5 * sin(2 * M_PI * k / sides), 0.4995, -0.001));
        end(&s);
    }
}

static void of_too_many_points_the_outer_ones_stay(void** state) {
    (void)state;
    scene s = rest(solid_prism(30, 0.5, 0.25), sn_vec3_make(0, 0, 0.749), box(2, 2, 0.5));
    find(&s, 0.01);
    assert_true(s.found.count > 8 && s.found.count <= SN_MANIFOLD_POINTS);
    for (int k = 0; k < s.found.count; k++)
        assert_true(fabs(hypot(s.at[k].x.x, s.at[k].x.y) - 0.5) < 1e-12);
    check_names_differ(&s);
    end(&s);
}

static void a_triangle_is_a_flat_hull(void** state) {
    (void)state;
    sni_triangle triangle;
    sni_triangle_set(&triangle, sn_vec3_make(-2, -2, 0), sn_vec3_make(2.7, -2, 0),
                     sn_vec3_make(-2, 2.7, 0));
    test_solid* cube = box(0.5, 0.5, 0.5);
    for (int k = -1; k <= 1; k++) {
        double gap = 0.001 * k;
        sn_pose X = sn_pose_identity(), X_t = X;
        X.p.z = 0.5 + gap;
        sni_touch at[MOST];
        sni_touches found = {at, 0, MOST, 0};
        sni_pair_memory memory = {.hint = SNI_HINT_NONE};
        sni_touch_convex(&cube->solid, &X, &triangle.solid, &X_t, 0.01, &memory, &found);
        assert_int_equal(found.count, 5); // the triangle cuts one corner off
        for (int i = 0; i < found.count; i++) {
            assert_true(fabs(at[i].n.z - 1) < 1e-12);
            assert_true(fabs(at[i].gap - gap) < 1e-9);
        }
    }
    solid_free(cube);
}

// ---- trouble --------------------------------------------------------------------------------------------

static bool is_finite(sn_vec3 x) { return isfinite(x.x) && isfinite(x.y) && isfinite(x.z); }

static void check_sane(scene* s, double margin) {
    find(s, margin);
    for (int k = 0; k < s->found.count; k++) {
        const sni_touch* t = &s->at[k];
        assert_true(is_finite(t->x) && is_finite(t->n) && isfinite(t->gap));
        assert_true(fabs(sn_vec3_norm(t->n) - 1) < 1e-12);
        assert_true(t->gap <= margin);
    }
}

static test_solid* flat_hull(void) {
    const sn_vec3 corner[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    const int triangle[2][3] = {{0, 1, 2}, {0, 2, 3}};
    return solid_hull(corner, 4, triangle, 2);
}

static test_solid* odd_solid(int k) {
    switch (k) {
    case 0: return solid_make(SN_SHAPE_SPHERE, sn_vec3_make(1, 0, 0));
    case 1: return box(1, 1, 1);
    case 2: return solid_make(SN_SHAPE_CYLINDER, sn_vec3_make(1, 0, 1));
    case 3: return solid_make(SN_SHAPE_CAPSULE, sn_vec3_make(1, 0, 1));
    case 4: return solid_prism(6, 1, 1);
    case 5: return flat_hull();
    case 6: return box(1000, 1000, 0.001);
    case 7: return solid_make(SN_SHAPE_CYLINDER, sn_vec3_make(1000, 0, 1e-3));
    case 8: return solid_make(SN_SHAPE_CAPSULE, sn_vec3_make(1e-3, 0, 1000));
    case 9: return solid_make(SN_SHAPE_SPHERE, sn_vec3_make(1e-3, 0, 0));
    case 10: return box(1e-3, 1e-3, 1e-3);
    case 11: return solid_make(SN_SHAPE_CAPSULE, sn_vec3_make(1, 0, 0));
    default: return solid_make(SN_SHAPE_CYLINDER, sn_vec3_make(1e-3, 0, 1000));
    }
}

/// Coincident, touching exactly, parallel, flat, of very different sizes, very far: never NaN, always unit normals.
static void awkward_poses_give_sane_answers(void** state) {
    (void)state;
    const double place[] = {0, 1e-12, 1e-6, 1, 2, 2 + 1e-15, 1000, 1e4};
    enum { ODD = 13, PLACES = sizeof place / sizeof *place };
    for (int i = 0; i < ODD; i++)
        for (int j = 0; j < ODD; j++)
            for (int k = 0; k < PLACES; k++)
                for (int axis = 0; axis < 4; axis++)
                    for (int turn = 0; turn < 3; turn++) {
                        sn_vec3 p = sn_vec3_make(axis == 0 || axis == 3 ? place[k] : 0,
                                                 axis == 1 || axis == 3 ? place[k] : 0,
                                                 axis == 2 ? place[k] : 0);
                        scene s = rest(odd_solid(i), p, odd_solid(j));
                        s.X_a.R = turned(turn == 1 ? M_PI / 2 : 0, turn == 2 ? M_PI / 2 : 0, 0);
                        check_sane(&s, k % 2 ? 1e-3 : 10);
                        if (i == j && k == 0 && turn == 0) assert_true(s.found.count > 0);
                        end(&s);
                    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_rests_on_a_box_with_four_corners),
        cmocka_unit_test(equal_boxes_in_a_stack_have_four_points_that_keep_their_names),
        cmocka_unit_test(turned_by_an_eighth_equal_boxes_touch_in_eight_points),
        cmocka_unit_test(a_tilted_box_has_gaps_that_grow_along_it),
        cmocka_unit_test(boxes_on_edge_and_on_corner_touch_with_those),
        cmocka_unit_test(two_edges_that_cross_touch_in_one_point),
        cmocka_unit_test(a_standing_cylinder_has_points_around_its_rim),
        cmocka_unit_test(a_lying_cylinder_has_the_two_ends_of_its_side),
        cmocka_unit_test(capsules_lie_on_two_points),
        cmocka_unit_test(cylinders_side_by_side_touch_along_their_length),
        cmocka_unit_test(a_hull_rests_on_a_hull_with_all_corners_of_the_face),
        cmocka_unit_test(of_too_many_points_the_outer_ones_stay),
        cmocka_unit_test(a_triangle_is_a_flat_hull),
        cmocka_unit_test(awkward_poses_give_sane_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
