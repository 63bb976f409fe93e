// SPDX-License-Identifier: Apache-2.0
// Contacts of meshes, against those of the plane, box or ball they are a mesh of.
#include <math.h>
#include <string.h>

#include "collision/pairs.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/solids.h"

enum {
    CASES = 400,
    MOST = 256,
    TEST_FLOOR = 1,
    TEST_SLIDE,
    TEST_CORNER,
    TEST_APART,
    TEST_DEEP,
    TEST_BALL,
    TEST_FINE,
    TEST_MOVED,
    TEST_MESHES,
    TEST_MESHES_FLOOR,
    TEST_PLANE,
    TEST_HEAP
};

typedef struct touches {
    sni_touch at[MOST];
    int32_t count, dropped;
} touches;

static touches touch(const sni_solid* a, const sn_pose* X_a, const sni_solid* b, const sn_pose* X_b,
                     double margin) {
    touches t;
    sni_pair_memory memory = {0};
    sni_touches out = {t.at, 0, MOST, 0};
    sni_touch_pair(a, X_a, b, X_b, margin, &memory, &out);
    t.count = out.count;
    t.dropped = out.dropped;
    return t;
}

/// The deepest point; INFINITY: there is none.
static double least_gap(const touches* t, sn_vec3* n) {
    double least = INFINITY;
    for (int32_t k = 0; k < t->count; k++)
        if (t->at[k].gap < least) {
            least = t->at[k].gap;
            if (n) *n = t->at[k].n;
        }
    return least;
}

static void check_sane(const touches* t, double margin, uint64_t seed) {
    for (int32_t k = 0; k < t->count; k++) {
        const sni_touch* at = &t->at[k];
        CHECK(isfinite(at->x.x) && isfinite(at->x.y) && isfinite(at->x.z), seed);
        CHECK_NEAR(sn_vec3_norm(at->n), 1, 1e-12, seed);
        CHECK(isfinite(at->gap) && at->gap <= margin, seed);
    }
}

static const sni_solid PLANE = {.type = SN_SHAPE_PLANE, .radius = INFINITY};

/// Lowest point of a solid, along z.
static double lowest(const test_solid* s, const sn_pose* X) {
    return -(double)solid_reach(s, X, (long3){0, 0, -1});
}

// ---- floors ---------------------------------------------------------------------------------------------

// Whatever triangles a floor is made of, it is a plane: no normal of any point leans, and none is missing.
static void a_floor_of_triangles_is_a_plane(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_FLOOR, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        test_mesh floor = test_mesh_floor(&rng, 10, 1 + i % 23);
        test_solid* s = solid_random(&rng, solid_types[i % SOLID_TYPES], 1);
        sn_pose X = test_pose(&rng, 4), identity = sn_pose_identity();
        if (i % 3 == 0)
            X.R = sn_quat_matrix(sn_quat_exp(sn_vec3_make(0, 0, test_uniform(&rng, 0, 6))));
        double margin = test_uniform(&rng, 0.01, 0.2);
        X.p = sn_vec3_make(test_uniform(&rng, -5, 5), test_uniform(&rng, -5, 5), 0);
        X.p.z = test_uniform(&rng, -0.05, 0.1) - lowest(s, &X);
        touches on_mesh = touch(&s->solid, &X, &floor.solid, &identity, margin);
        touches on_plane = touch(&s->solid, &X, &PLANE, &identity, margin);
        check_sane(&on_mesh, margin, seed);
        for (int32_t k = 0; k < on_mesh.count; k++)
            CHECK_NEAR(on_mesh.at[k].n.z, 1, TOL_ROUNDOFF, seed);
        CHECK((on_mesh.count > 0) == (on_plane.count > 0), seed);
        if (on_mesh.count > 0)
            CHECK_NEAR(least_gap(&on_mesh, NULL), least_gap(&on_plane, NULL), 1e-5, seed);
        solid_free(s);
        test_mesh_free(&floor);
    }
}

// A box that slides keeps its four corners, each by the same name, wherever the seams are.
static void a_box_slides_over_seams_on_its_corners(void** state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        uint64_t seed = test_case_seed(TEST_SLIDE, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        test_mesh floor = test_mesh_floor(&rng, 10, 40);
        test_solid* s = solid_make(SN_SHAPE_BOX, sn_vec3_make(1, 0.7, 0.4));
        sn_pose X = {sn_quat_matrix(sn_quat_exp(sn_vec3_make(0, 0, test_uniform(&rng, 0, 6)))),
                     sn_vec3_make(-5, test_uniform(&rng, -3, 3), 0.4 - 1e-4)};
        sn_pose identity = sn_pose_identity();
        uint32_t name[4] = {0};
        for (int step = 0; step < 100; step++, X.p.x += 0.1) {
            touches t = touch(&s->solid, &X, &floor.solid, &identity, 1e-3);
            CHECK(t.count == 4, seed);
            uint32_t now[4] = {0};
            for (int32_t k = 0; k < 4; k++) {
                CHECK_NEAR(t.at[k].n.z, 1, TOL_ROUNDOFF, seed);
                CHECK_NEAR(t.at[k].gap, -1e-4, TOL_CHAIN, seed);
                sn_vec3 x_s = sn_mat3_apply_transposed(X.R, sn_vec3_sub(t.at[k].x, X.p));
                now[(x_s.x > 0) + 2 * (x_s.y > 0)] = t.at[k].feature;
            }
            if (step > 0) CHECK(memcmp(now, name, sizeof now) == 0, seed);
            memcpy(name, now, sizeof now);
        }
        solid_free(s);
        test_mesh_free(&floor);
    }
}

/// Floor and wall that meet in a concave edge, as triangles; the wall is at x = 0, things are at x > 0.
static test_mesh room(void) {
    const sn_vec3 corner[6] = {{0, -5, 0}, {5, -5, 0}, {5, 5, 0}, {0, 5, 0}, {0, -5, 5}, {0, 5, 5}};
    const int32_t triangle[12] = {0, 1, 2, 0, 2, 3, 0, 3, 5, 0, 5, 4};
    sn_vec3* v = calloc(6, sizeof *v);
    int32_t* t = calloc(12, sizeof *t);
    memcpy(v, corner, sizeof corner);
    memcpy(t, triangle, sizeof triangle);
    return test_mesh_take(v, 6, t, 4);
}

static void a_box_pressed_into_a_corner_touches_both_sides(void** state) {
    (void)state;
    test_mesh m = room();
    sn_pose identity = sn_pose_identity();
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_CORNER, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        test_solid* s = solid_make(i % 2 ? SN_SHAPE_BOX : SN_SHAPE_CYLINDER, sn_vec3_make(1, 1, 1));
        sn_pose X = sn_pose_identity();
        double in_wall = test_uniform(&rng, -5e-3, 1e-2),
               in_floor = test_uniform(&rng, -5e-3, 1e-2);
        X.p = sn_vec3_make(1 - in_wall, test_uniform(&rng, -3, 3), 1 - in_floor);
        touches t = touch(&s->solid, &X, &m.solid, &identity, 1e-2);
        int on_floor = 0, on_wall = 0;
        for (int32_t k = 0; k < t.count; k++) {
            bool up = t.at[k].n.z > 0.5;
            CHECK_NEAR(up ? t.at[k].n.z : t.at[k].n.x, 1, TOL_ROUNDOFF, seed);
            CHECK_NEAR(t.at[k].gap, up ? -in_floor : -in_wall, 1e-5, seed);
            on_floor += up;
            on_wall += !up;
        }
        CHECK(on_floor >= 4 && on_wall >= 2, seed);
        solid_free(s);
    }
    test_mesh_free(&m);
}

// ---- closed boxes ---------------------------------------------------------------------------------------

/// Puts a solid at a distance from the box about the origin, over a random place of it.
static sn_pose place(test_rng* rng, const test_solid* s, const test_solid* box, double gap) {
    sn_pose X = test_pose(rng, 1), identity = sn_pose_identity();
    sn_vec3 d = test_pose(rng, 1).p;
    X.p = sn_vec3_scale(6 / (0.01 + sn_vec3_norm(d)), d);
    // nearer along one line until the gap is right: how far apart they are falls as they approach
    double far = 1, near = 0;
    sn_vec3 start = X.p;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (near + far);
        X.p = sn_vec3_scale(middle, start);
        touches t = touch(&s->solid, &X, &box->solid, &identity, 10);
        if (least_gap(&t, NULL) < gap)
            near = middle;
        else
            far = middle;
    }
    return X;
}

static void beside_a_closed_box_contacts_are_those_of_the_solid(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_APART, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        test_solid* box = solid_make(SN_SHAPE_BOX, sn_vec3_make(1, 1.2, 0.8));
        test_mesh m = test_mesh_box(box->solid.half, 1 + i % 5);
        test_solid* s = solid_random(&rng, solid_types[i / 5 % SOLID_TYPES], 1);
        sn_pose X = place(&rng, s, box, test_uniform(&rng, 1e-4, 0.1)),
                identity = sn_pose_identity();
        touches expected = touch(&s->solid, &X, &box->solid, &identity, 0.11);
        touches t = touch(&s->solid, &X, &m.solid, &identity, 0.11);
        check_sane(&t, 0.11, seed);
        sn_vec3 n = sn_vec3_zero(), n_expected = n;
        CHECK_NEAR(least_gap(&t, &n), least_gap(&expected, &n_expected), 1e-6, seed);
        CHECK_NEAR(sn_vec3_dot(n, n_expected), 1, 1e-5, seed);
        // no point is nearer than all of the solid is along its normal
        for (int32_t k = 0; k < t.count; k++) {
            long double apart = solids_apart(s, &X, box, &identity, long3_of(t.at[k].n));
            CHECK(t.at[k].gap >= (double)apart - 1e-6, seed);
        }
        test_mesh_free(&m);
        solid_free(s);
        solid_free(box);
    }
}

// Shallow overlap: out the same way, as deep.
static void a_little_inside_a_closed_box_the_way_out_is_that_of_the_solid(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_DEEP, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        test_solid* box = solid_make(SN_SHAPE_BOX, sn_vec3_make(1, 1.2, 0.8));
        test_mesh m = test_mesh_box(box->solid.half, 1 + i % 5);
        test_solid* s = solid_random(&rng, solid_types[i / 5 % SOLID_TYPES], 1);
        sn_pose X = place(&rng, s, box, -test_uniform(&rng, 1e-4, 2e-2)),
                identity = sn_pose_identity();
        touches expected = touch(&s->solid, &X, &box->solid, &identity, 1e-3);
        touches t = touch(&s->solid, &X, &m.solid, &identity, 1e-3);
        check_sane(&t, 1e-3, seed);
        CHECK(t.count > 0, seed);
        sn_vec3 n = sn_vec3_zero(), n_expected = n;
        CHECK_NEAR(least_gap(&t, &n), least_gap(&expected, &n_expected), 1e-6, seed);
        CHECK_NEAR(sn_vec3_dot(n, n_expected), 1, 1e-5, seed);
        test_mesh_free(&m);
        solid_free(s);
        solid_free(box);
    }
}

// ---- balls ----------------------------------------------------------------------------------------------

static void a_ball_of_triangles_is_a_ball_but_for_its_facets(void** state) {
    (void)state;
    enum { FINE = 3 }; // overlaps stay below a tenth of a triangle
    test_mesh m = test_mesh_ball(1, FINE);
    double flat = 0; // deepest middle of a facet below the sphere
    for (int32_t t = 0; t < m.mesh->triangle_count; t++)
        flat = fmax(flat, 1 - m.mesh->triangle[t].offset);
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_BALL, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        test_solid* ball = solid_make(SN_SHAPE_SPHERE, sn_vec3_make(1, 1, 1));
        test_solid* s = solid_random(&rng, solid_types[i % SOLID_TYPES], 1);
        sn_pose X = place(&rng, s, ball, test_uniform(&rng, -0.02, 0.1)),
                identity = sn_pose_identity();
        touches expected = touch(&s->solid, &X, &ball->solid, &identity, 0.15);
        touches t = touch(&s->solid, &X, &m.solid, &identity, 0.15);
        check_sane(&t, 0.15, seed);
        double gap = least_gap(&t, NULL), sphere = least_gap(&expected, NULL);
        CHECK(gap >= sphere - 1e-9 && gap <= sphere + flat + 1e-9, seed);
        solid_free(s);
        solid_free(ball);
    }
    test_mesh_free(&m);
}

// Deeper than triangles are large, the way out is a guess, but there is one.
static void nothing_gets_into_a_fine_mesh_unseen(void** state) {
    (void)state;
    test_mesh m = test_mesh_ball(1, 5);
    for (int i = 0; i < CASES / 4; i++) {
        uint64_t seed = test_case_seed(TEST_FINE, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        test_solid* ball = solid_make(SN_SHAPE_SPHERE, sn_vec3_make(1, 1, 1));
        test_solid* s = solid_random(&rng, solid_types[i % SOLID_TYPES], 1);
        double depth = test_uniform(&rng, 0.01, 0.1);
        sn_pose X = place(&rng, s, ball, -depth), identity = sn_pose_identity();
        touches t = touch(&s->solid, &X, &m.solid, &identity, 1e-3);
        check_sane(&t, 1e-3, seed);
        double gap = least_gap(&t, NULL);
        CHECK(gap < 0 && gap > -2, seed);
        solid_free(s);
        solid_free(ball);
    }
    test_mesh_free(&m);
}

// ---- poses ----------------------------------------------------------------------------------------------

static void contacts_move_with_the_mesh(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_MOVED, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        double far = i % 4 ? 10 : 1e4;
        test_mesh m = i % 2 ? test_mesh_box(sn_vec3_make(1, 1, 1), 2) : test_mesh_ball(1, 2);
        test_solid* s = solid_random(&rng, solid_types[i / 2 % SOLID_TYPES], 1);
        sn_pose X = test_pose(&rng, 1.2), identity = sn_pose_identity();
        sn_pose moved = test_pose(&rng, far), X_moved = sn_pose_mul(moved, X);
        touches t = touch(&s->solid, &X, &m.solid, &identity, 0.2);
        touches u = touch(&m.solid, &moved, &s->solid, &X_moved, 0.2);
        bool deep = least_gap(&t, NULL) < -0.1; // ways out are chosen among many
        double tolerance = 1e-9 * (1 + far * 1e-2);
        if (t.count && !deep && least_gap(&t, NULL) < 0.19)
            CHECK_NEAR(least_gap(&u, NULL), least_gap(&t, NULL), tolerance, seed);
        int32_t found = 0;
        for (int32_t k = 0; k < t.count; k++)
            for (int32_t l = 0; l < u.count; l++) {
                sn_vec3 x = sn_pose_apply(moved, t.at[k].x), n = sn_mat3_apply(moved.R, t.at[k].n);
                if (sn_vec3_norm(sn_vec3_sub(x, u.at[l].x)) <= 1e-6 &&
                    sn_vec3_norm(sn_vec3_add(n, u.at[l].n)) <= 1e-6) {
                    found++;
                    break;
                }
            }
        // rounding of a pose may decide whether a point at the margin is within
        CHECK(deep || found >= t.count - t.count / 10 - 1, seed);
        test_mesh_free(&m);
        solid_free(s);
    }
}

// ---- two meshes -----------------------------------------------------------------------------------------

static void two_closed_boxes_touch_as_two_solids(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_MESHES, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        test_solid* a = solid_make(SN_SHAPE_BOX, sn_vec3_make(0.5, 0.9, 0.7));
        test_solid* b = solid_make(SN_SHAPE_BOX, sn_vec3_make(1, 1.2, 0.8));
        test_mesh p = test_mesh_box(a->solid.half, 1 + i % 3),
                  q = test_mesh_box(b->solid.half, 1 + i % 4);
        double gap = i % 2 ? test_uniform(&rng, 1e-4, 0.1) : -test_uniform(&rng, 1e-4, 2e-2);
        sn_pose X = place(&rng, a, b, gap), identity = sn_pose_identity();
        touches expected = touch(&a->solid, &X, &b->solid, &identity, 0.11);
        touches t = touch(&p.solid, &X, &q.solid, &identity, 0.11);
        check_sane(&t, 0.11, seed);
        sn_vec3 n = sn_vec3_zero(), n_expected = n;
        CHECK_NEAR(least_gap(&t, &n), least_gap(&expected, &n_expected), 1e-6, seed);
        CHECK_NEAR(sn_vec3_dot(n, n_expected), 1, 1e-5, seed);
        test_mesh_free(&p);
        test_mesh_free(&q);
        solid_free(a);
        solid_free(b);
    }
}

static void a_mesh_lies_on_a_floor_of_triangles_with_its_corners(void** state) {
    (void)state;
    for (int i = 0; i < 60; i++) {
        uint64_t seed = test_case_seed(TEST_MESHES_FLOOR, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        test_mesh floor = test_mesh_floor(&rng, 5, 20),
                  box = test_mesh_box(sn_vec3_make(1, 0.8, 0.3), 1 + i % 3);
        sn_pose X = {sn_quat_matrix(sn_quat_exp(sn_vec3_make(0, 0, test_uniform(&rng, 0, 6)))),
                     sn_vec3_make(test_uniform(&rng, -2, 2), test_uniform(&rng, -2, 2), 0)};
        double gap = test_uniform(&rng, -2e-3, 5e-3);
        X.p.z = 0.3 + gap;
        sn_pose identity = sn_pose_identity();
        touches t = touch(&box.solid, &X, &floor.solid, &identity, 1e-2);
        int corners = 0;
        for (int32_t k = 0; k < t.count; k++) {
            CHECK_NEAR(t.at[k].n.z, 1, TOL_ROUNDOFF, seed);
            CHECK_NEAR(t.at[k].gap, gap, TOL_CHAIN, seed);
            sn_vec3 x_s = sn_mat3_apply_transposed(X.R, sn_vec3_sub(t.at[k].x, X.p));
            corners += fabs(fabs(x_s.x) - 1) < 1e-9 && fabs(fabs(x_s.y) - 0.8) < 1e-9;
        }
        CHECK(corners == 4, seed);
        test_mesh_free(&floor);
        test_mesh_free(&box);
    }
}

static void a_mesh_on_a_plane_is_the_solid_on_it(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_PLANE, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        test_solid* box = solid_make(SN_SHAPE_BOX, sn_vec3_make(1, 1.2, 0.8));
        test_mesh m = test_mesh_box(box->solid.half, 1 + i % 8);
        sn_pose X = test_pose(&rng, 3), X_plane = test_pose(&rng, 3);
        double margin = test_uniform(&rng, 0.1, 5);
        touches expected = touch(&box->solid, &X, &PLANE, &X_plane, margin);
        touches t = touch(&m.solid, &X, &PLANE, &X_plane, margin);
        check_sane(&t, margin, seed);
        CHECK((t.count > 0) == (expected.count > 0) && t.count <= 16, seed);
        if (t.count) CHECK_NEAR(least_gap(&t, NULL), least_gap(&expected, NULL), TOL_CHAIN, seed);
        test_mesh_free(&m);
        solid_free(box);
    }
}

// ---- trouble --------------------------------------------------------------------------------------------

static void nothing_is_nan_whatever_the_sizes(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(TEST_HEAP, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        double size = pow(10, test_uniform(&rng, -3, 3)),
               other = pow(10, test_uniform(&rng, -3, 3));
        test_mesh m = i % 3 == 0 ? test_mesh_heap(&rng, size, 60)
                                 : test_mesh_box(sn_vec3_make(size, size, 0.1 * size), 1 + i % 3);
        test_mesh q = i % 2 ? test_mesh_heap(&rng, other, 40) : test_mesh_ball(other, 2);
        test_solid* s = solid_random(&rng, solid_types[i % SOLID_TYPES], other);
        sn_pose X = test_pose(&rng, size), identity = sn_pose_identity();
        if (i % 5 == 0) X = identity;
        if (i % 7 == 0)
            X.p = sn_vec3_scale(0.1 * size, sn_vec3_make(0, 0, 1)); // on a side, exactly
        double margin = i % 4 ? 1e-3 * size : 10 * size;
        if (i % 11 == 0) X.p = sn_vec3_make(1e4, -1e4, 0);
        touches t = touch(&s->solid, &X, &m.solid, &identity, margin);
        check_sane(&t, margin, seed);
        t = touch(&m.solid, &X, &q.solid, &identity, margin);
        check_sane(&t, margin, seed);
        t = touch(&m.solid, &X, &m.solid, &X, margin); // coincident
        check_sane(&t, margin, seed);
        t = touch(&PLANE, &identity, &m.solid, &X, margin);
        check_sane(&t, margin, seed);
        test_mesh_free(&m);
        test_mesh_free(&q);
        solid_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_floor_of_triangles_is_a_plane),
        cmocka_unit_test(a_box_slides_over_seams_on_its_corners),
        cmocka_unit_test(a_box_pressed_into_a_corner_touches_both_sides),
        cmocka_unit_test(beside_a_closed_box_contacts_are_those_of_the_solid),
        cmocka_unit_test(a_little_inside_a_closed_box_the_way_out_is_that_of_the_solid),
        cmocka_unit_test(a_ball_of_triangles_is_a_ball_but_for_its_facets),
        cmocka_unit_test(nothing_gets_into_a_fine_mesh_unseen),
        cmocka_unit_test(contacts_move_with_the_mesh),
        cmocka_unit_test(two_closed_boxes_touch_as_two_solids),
        cmocka_unit_test(a_mesh_lies_on_a_floor_of_triangles_with_its_corners),
        cmocka_unit_test(a_mesh_on_a_plane_is_the_solid_on_it),
        cmocka_unit_test(nothing_is_nan_whatever_the_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
