// SPDX-License-Identifier: Apache-2.0
// Rays, near points, penetration and local geometry of random scenes, against every shape asked one by one and against points
// along the way.
#include <math.h>
#include <stdio.h>

#include "collision/sn_collision.h"
#include "support/check.h"
#include "support/random_state.h"

enum { RAYS = 990, NEAR, TOOLS, LOCAL }; // first argument of test_case_seed
enum { SHAPES = 14 };
static const double TOL = 1e-9; // of lengths of about one

static sn_vec3 random3(test_rng* rng, double most) {
    double x = test_uniform(rng, -most, most), y = test_uniform(rng, -most, most);
    return sn_vec3_make(x, y, test_uniform(rng, -most, most));
}

static sn_pose random_pose(test_rng* rng, double most) {
    sn_vec3 turn = random3(rng, 2);
    return sn_pose_make(sn_quat_matrix(sn_quat_exp(turn)), random3(rng, most));
}

static const sn_vec3 corners[4] = {{0.2, 0, -0.1}, {-0.2, 0.1, -0.1}, {0, -0.2, -0.1}, {0, 0, 0.3}};
static const int32_t sides[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};

/// A plane and free bodies of all convex kinds; the first is the tool, far away.
typedef struct scene {
    sn_model* model;
    sn_collider* collider;
} scene;

static scene make_scene(test_rng* rng, uint64_t seed) {
    static const sn_shape_type types[] = {SN_SHAPE_SPHERE, SN_SHAPE_BOX, SN_SHAPE_CYLINDER,
                                          SN_SHAPE_CAPSULE, SN_SHAPE_HULL};
    sn_model_builder* b = sn_model_builder_create("scene");
    char name[16];
    for (int i = 0; i < SHAPES; i++) {
        snprintf(name, sizeof name, "b%d", i);
        sn_body_def body = sn_body_def_default();
        body.name = name;
        body.joint.type = SN_JOINT_FREE;
        assert_int_equal(sn_model_builder_add_body(b, &body), SN_OK);
        sn_shape_def s = sn_shape_def_default();
        s.body = name;
        s.type = i ? types[test_index(rng, 5)] : SN_SHAPE_SPHERE;
        double r = test_uniform(rng, 0.05, 0.3), w = test_uniform(rng, 0.05, 0.3);
        s.size = sn_vec3_make(r, w, test_uniform(rng, 0.05, 0.4));
        s.group = i % 2 ? 1 : 2;
        if (s.type == SN_SHAPE_HULL) {
            s.vertices = corners, s.vertex_count = 4;
            s.triangles = sides, s.triangle_count = 4;
        }
        assert_int_equal(sn_model_builder_add_shape(b, &s), SN_OK);
    }
    sn_shape_def floor = sn_shape_def_default();
    floor.type = SN_SHAPE_PLANE;
    floor.pose = sn_pose_make(sn_mat3_identity(), sn_vec3_make(0, 0, -1.5));
    assert_int_equal(sn_model_builder_add_shape(b, &floor), SN_OK);
    scene s;
    sn_error error;
    if (sn_model_builder_compile(b, NULL, &s.model, &error) ||
        sn_collider_create(s.model, NULL, NULL, &s.collider, &error))
        fail_msg("%s (seed %llu)", error.text, (unsigned long long)seed);
    sn_model_builder_free(b);
    for (int i = 0; i < SHAPES; i++) {
        sn_pose X = random_pose(rng, 1);
        if (i == 0) X.p.x = 50;
        sn_collider_move(s.collider, sn_body(i), X, sn_twist_zero());
    }
    const sn_contact* unused;
    (void)sn_collider_collide(s.collider, 1e-3, &unused, NULL); // poses are taken over
    return s;
}

static void free_scene(scene s) {
    sn_collider_free(s.collider);
    sn_model_free(s.model);
}

/// Distance of a point from one shape, point and normal in the world.
static double distance(const sni_placed* placed, sn_vec3 p, sn_vec3* x, sn_vec3* n) {
    sn_vec3 at, normal;
    double d = sni_solid_nearest(&placed->solid, sn_pose_apply(sn_pose_inverse(placed->X_ws), p),
                                 &at, &normal);
    *x = sn_pose_apply(placed->X_ws, at);
    *n = sn_mat3_apply(placed->X_ws.R, normal);
    return d;
}

/// The least distance of all shapes of the groups, and whose it is.
static double least(const sn_collider* c, sn_vec3 p, uint32_t groups, int32_t* which) {
    double best = INFINITY;
    sn_vec3 x, n;
    for (int32_t s = 0; s < c->shape_count; s++) {
        if (!(c->shape[s].group & groups)) continue;
        double d = distance(&c->shape[s], p, &x, &n);
        if (d < best) best = d, *which = s;
    }
    return best;
}

/// What a ray hits is on a surface, faces it, and nothing is before it; what it misses it does not go through.
static void a_ray_hits_the_first_surface(void** state) {
    (void)state;
    int hits = 0;
    for (int k = 0; k < 400; k++) {
        uint64_t seed = test_case_seed(RAYS, (uint64_t)k / 10);
        test_rng rng = test_rng_make(seed);
        scene s = make_scene(&rng, seed);
        rng = test_rng_make(test_case_seed(RAYS, 1000 + (uint64_t)k));
        uint32_t groups = k % 3 ? ~0u : 2;
        sn_vec3 from = random3(&rng, 1.4), d = random3(&rng, 1);
        d = sn_vec3_scale(1 / sn_vec3_norm(d), d);
        double length = test_uniform(&rng, 0.1, 4), end = length;
        int32_t which = 0;
        sn_ray_hit hit;
        bool found = sn_collider_ray(s.collider, from, d, length, groups, &hit);
        bool outside = least(s.collider, from, groups, &which) > 0;
        if (found) {
            hits++;
            CHECK(hit.distance >= 0 && hit.distance <= length, seed);
            sn_vec3 x = sn_vec3_add(from, sn_vec3_scale(hit.distance, d));
            CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(x, hit.x)), 0, TOL, seed);
            CHECK(sn_vec3_dot(hit.n, d) <= TOL, seed);
            CHECK_NEAR(sn_vec3_norm(hit.n), 1, TOL, seed);
            sn_vec3 on, n;
            bool is_it = false;
            for (int32_t i = 0; i < s.collider->shape_count; i++)
                if (s.collider->shape[i].shape == hit.shape)
                    is_it = fabs(distance(&s.collider->shape[i], x, &on, &n)) < TOL &&
                            s.collider->shape[i].body == hit.body.i;
            CHECK(is_it, seed);
            end = hit.distance;
        }
        for (int i = 0; outside && i < 200; i++) {
            sn_vec3 p = sn_vec3_add(from, sn_vec3_scale(end * i / 200, d));
            CHECK(least(s.collider, p, groups, &which) > -TOL, seed);
        }
        free_scene(s);
    }
    CHECK(hits > 40, 0);
}

static void near_points_are_those_of_every_shape_sorted(void** state) {
    (void)state;
    for (int k = 0; k < 200; k++) {
        uint64_t seed = test_case_seed(NEAR, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        scene s = make_scene(&rng, seed);
        uint32_t groups = k % 3 ? ~0u : 2;
        sn_vec3 p = random3(&rng, 1.3);
        double reach = test_uniform(&rng, 0, 1);
        sn_near_point near[SHAPES + 1];
        int32_t count = sn_collider_near(s.collider, p, reach, groups, near, SHAPES + 1);
        int32_t expected = 0;
        for (int32_t i = 0; i < s.collider->shape_count; i++) {
            const sni_placed* placed = &s.collider->shape[i];
            sn_vec3 x, n;
            double d = distance(placed, p, &x, &n);
            if (!(placed->group & groups) || d > reach) continue;
            expected++;
            bool listed = false;
            for (int32_t j = 0; j < count; j++)
                if (near[j].shape == placed->shape) {
                    CHECK_NEAR(near[j].distance, d, TOL, seed);
                    CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(near[j].x, x)), 0, TOL, seed);
                    // p is where it is said to be: d along the normal from the surface
                    sn_vec3 back =
                        sn_vec3_add(near[j].x, sn_vec3_scale(near[j].distance, near[j].n));
                    CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(back, p)), 0, 1e-7, seed);
                    listed = true;
                }
            CHECK(listed, seed);
        }
        CHECK(count == expected, seed);
        for (int32_t j = 1; j < count; j++) CHECK(near[j].distance >= near[j - 1].distance, seed);
        // fewer are the first of them
        sn_near_point one;
        CHECK(sn_collider_near(s.collider, p, reach, groups, &one, 1) == (count > 0), seed);
        if (count) CHECK(one.shape == near[0].shape, seed);
        free_scene(s);
    }
}

/// A ball as a tool touches by what its centre is from each surface, less its radius.
static void a_tool_touches_what_it_would_at_that_pose(void** state) {
    (void)state;
    for (int k = 0; k < 200; k++) {
        uint64_t seed = test_case_seed(TOOLS, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        scene s = make_scene(&rng, seed);
        double r = sn_model_shape(s.model, 0).size.x, margin = 0.05;
        sn_vec3 p = random3(&rng, 1.3);
        sn_contact out[64];
        int32_t count = sn_collider_penetration(s.collider, 0, sn_pose_make(sn_mat3_identity(), p),
                                                margin, ~0u, out, 64);
        int32_t expected = 0;
        for (int32_t i = 0; i < s.collider->shape_count; i++) {
            const sni_placed* placed = &s.collider->shape[i];
            sn_vec3 x, n;
            double gap = distance(placed, p, &x, &n) - r;
            if (placed->shape == 0 || gap > margin) continue;
            expected++;
            double nearest = INFINITY;
            for (int32_t j = 0; j < count; j++)
                if (out[j].b.i == placed->body) {
                    CHECK(out[j].a.i == 0, seed);
                    nearest = fmin(nearest, fabs(out[j].gap - gap));
                }
            CHECK(nearest < 1e-7, seed);
        }
        CHECK(count == expected, seed);
        free_scene(s);
    }
}

/// Where the record is complete, it answers as the collider does, at any point within its radius.
static void the_local_record_answers_as_the_collider_does(void** state) {
    (void)state;
    static sn_local_geometry local;
    int complete = 0;
    for (int k = 0; k < 200; k++) {
        uint64_t seed = test_case_seed(LOCAL, (uint64_t)k);
        test_rng rng = test_rng_make(seed);
        scene s = make_scene(&rng, seed);
        sn_vec3 centre = random3(&rng, 1.3);
        double radius = test_uniform(&rng, 0.05, 0.5);
        sn_collider_local(s.collider, centre, radius, ~0u, &local);
        complete += local.complete;
        for (int i = 0; i < 20 && local.complete; i++) {
            sn_vec3 p = sn_vec3_add(centre, random3(&rng, radius / sqrt(3)));
            int32_t which = 0, piece = -1;
            double d = least(s.collider, p, ~0u, &which);
            sn_near_point near;
            bool some = sn_local_geometry_near(&local, p, &near, &piece);
            // what is farther than p can go is not in it
            if (sn_vec3_norm(sn_vec3_sub(p, centre)) + fabs(d) > radius) continue;
            CHECK(some && piece >= 0 && piece < local.count, seed);
            // inside a hull the nearest of its triangles counts, as of the hull
            CHECK_NEAR(near.distance, d, 1e-7, seed);
        }
        free_scene(s);
    }
    CHECK(complete > 150, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ray_hits_the_first_surface),
        cmocka_unit_test(near_points_are_those_of_every_shape_sorted),
        cmocka_unit_test(a_tool_touches_what_it_would_at_that_pose),
        cmocka_unit_test(the_local_record_answers_as_the_collider_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
