// SPDX-License-Identifier: Apache-2.0
// Questions to a collider, against samples: whether points are inside of shapes is all that the oracle knows.
#include <math.h>
#include <stdio.h>

#include "collision/sn_collision.h"
#include "support/check.h"
#include "support/meshes.h"

enum {
    CASES = 40,
    SHAPES = 40,
    GROUPS = 0xff,
    SAMPLES = 300,
    TEST_RAY = 1,
    TEST_NEAR,
    TEST_TOOL,
    TEST_LOCAL,
    TEST_MOVED
};

// The step from a surface that is certainly on one side of it.
static const double ASIDE = 1e-6;

typedef struct scene {
    uint64_t seed;
    test_rng rng;
    sn_model* model;
    sn_collider* collider;
    int shapes;
    sn_shape_type type[SHAPES]; ///< meshes and hulls are boxes
    sn_vec3 half[SHAPES];
    uint32_t group[SHAPES];
    int body[SHAPES];
    sn_pose X_bs[SHAPES], X_ws[SHAPES];
} scene;

// ---- oracle ---------------------------------------------------------------------------------------------

static bool is_inside(const scene* s, int k, sn_vec3 p) {
    sn_vec3 x = sn_pose_apply(sn_pose_inverse(s->X_ws[k]), p), h = s->half[k];
    double across = hypot(x.x, x.y);
    switch (s->type[k]) {
    case SN_SHAPE_SPHERE: return sn_vec3_norm(x) < h.x;
    case SN_SHAPE_CYLINDER: return across < h.x && fabs(x.z) < h.z;
    case SN_SHAPE_CAPSULE: return hypot(across, fmax(fabs(x.z) - h.z, 0)) < h.x;
    case SN_SHAPE_PLANE: return x.z < 0;
    default: return fabs(x.x) < h.x && fabs(x.y) < h.y && fabs(x.z) < h.z;
    }
}

// ---- scenes ---------------------------------------------------------------------------------------------

static void add_shape(scene* s, sn_model_builder* b, int k, const char* body) {
    sn_shape_def def = sn_shape_def_default();
    const sn_shape_type types[] = {SN_SHAPE_SPHERE,  SN_SHAPE_BOX,  SN_SHAPE_CYLINDER,
                                   SN_SHAPE_CAPSULE, SN_SHAPE_MESH, SN_SHAPE_HULL};
    sn_vec3 h = sn_vec3_make(test_uniform(&s->rng, 0.1, 0.5), test_uniform(&s->rng, 0.1, 0.5),
                             test_uniform(&s->rng, 0.1, 0.5));
    def.body = body;
    def.type = k == 0 ? SN_SHAPE_PLANE : types[test_index(&s->rng, 6)];
    def.group = 1u << test_index(&s->rng, 4);
    def.pose = test_pose(&s->rng, k == 0 ? 0.1 : 0.3);
    if (k == 0) def.pose.p.z -= 4;
    bool box = def.type == SN_SHAPE_BOX || def.type == SN_SHAPE_MESH || def.type == SN_SHAPE_HULL;
    def.size = box ? sn_vec3_scale(2, h) : sn_vec3_make(h.x, h.x, 2 * h.z);
    test_mesh m = test_mesh_box(h, 1 + test_index(&s->rng, 3));
    if (def.type == SN_SHAPE_MESH || def.type == SN_SHAPE_HULL) {
        def.size = sn_vec3_make(1, 1, 1);
        def.vertices = m.mesh->vertex;
        def.vertex_count = m.mesh->vertex_count;
        int32_t* t = calloc((size_t)(3 * m.mesh->triangle_count), sizeof *t);
        for (int32_t i = 0; i < 3 * m.mesh->triangle_count; i++)
            t[i] = m.mesh->triangle[i / 3].corner[i % 3];
        def.triangles = t;
        def.triangle_count = m.mesh->triangle_count;
    }
    CHECK_STATUS(sn_model_builder_add_shape(b, &def), SN_OK);
    free((void*)def.triangles);
    test_mesh_free(&m);
    s->type[k] = def.type;
    s->half[k] = h;
    s->group[k] = def.group;
    s->X_bs[k] = def.pose;
}

/// Moves every body somewhere; shapes of one body follow each other.
static void scatter(scene* s) {
    sn_pose X = sn_pose_identity();
    for (int k = 0; k < s->shapes; k++) {
        if (s->body[k] >= 0 && s->body[k] != s->body[k - 1]) {
            X = test_pose(&s->rng, 1);
            sn_twist v = {test_vec3(&s->rng, 1), test_vec3(&s->rng, 1)};
            sn_collider_move(s->collider, sn_body(s->body[k]), X, v);
        }
        s->X_ws[k] = sn_pose_mul(X, s->X_bs[k]);
    }
}

static scene* begin(uint64_t test, int i) {
    scene* s = calloc(1, sizeof *s);
    sn_error error;
    s->seed = test_case_seed(test, (uint64_t)i);
    s->rng = test_rng_make(s->seed);
    s->shapes = 1 + test_index(&s->rng, SHAPES);
    if (i % 4 == 0) s->shapes = SHAPES;
    sn_model_builder* b = sn_model_builder_create("scene");
    char name[SHAPES][16];
    for (int k = 0, bodies = 0; k < s->shapes; k++) { // two shapes of the world, two of each body
        s->body[k] = k < 2 ? -1 : (k - 2) / 2;
        if (k >= 2 && s->body[k] == bodies) {
            sn_body_def body = sn_body_def_default();
            snprintf(name[bodies], sizeof name[0], "b%d", bodies);
            body.name = name[bodies++];
            body.joint.type = SN_JOINT_FREE;
            CHECK_STATUS(sn_model_builder_add_body(b, &body), SN_OK);
        }
        add_shape(s, b, k, s->body[k] < 0 ? NULL : name[s->body[k]]);
    }
    if (sn_model_builder_compile(b, NULL, &s->model, &error)) fail_msg("%s", error.text);
    sn_model_builder_free(b);
    if (sn_collider_create(s->model, NULL, NULL, &s->collider, &error)) fail_msg("%s", error.text);
    scatter(s);
    const sn_contact* contacts;
    if (i % 3) sn_collider_collide(s->collider, 1e-3, &contacts, NULL); // else: moved since
    return s;
}

static void end(scene* s) {
    sn_collider_free(s->collider);
    sn_model_free(s->model);
    free(s);
}

static sn_vec3 along(sn_vec3 p, double t, sn_vec3 d) { return sn_vec3_add(p, sn_vec3_scale(t, d)); }

static sn_vec3 in_ball(test_rng* rng, sn_vec3 c, double r) {
    return along(c, r * cbrt(test_uniform(rng, 0, 1)), test_direction(rng));
}

// ---- tests ----------------------------------------------------------------------------------------------

static void a_ray_stops_where_it_enters_the_first_shape(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        scene* s = begin(TEST_RAY, i);
        for (int q = 0; q < 40; q++) {
            sn_vec3 from = test_vec3(&s->rng, 2), d = test_direction(&s->rng);
            double length = q % 4 ? 6 : INFINITY, seen = fmin(length, 12);
            uint32_t groups = q % 3 ? GROUPS : 5;
            sn_ray_hit hit = {.distance = seen};
            bool any = sn_collider_ray(s->collider, from, d, length, groups, &hit);
            if (!any) hit.distance = seen;
            for (int k = 0; k < s->shapes; k++) {
                if (!(s->group[k] & groups) || is_inside(s, k, from)) continue;
                for (int n = 0; n < SAMPLES; n++) {
                    double t = hit.distance * (n + 0.5) / SAMPLES - ASIDE;
                    CHECK(t < 0 || !is_inside(s, k, along(from, t, d)), s->seed);
                }
            }
            if (!any) continue;
            CHECK(hit.distance <= length && (s->group[hit.shape] & groups), s->seed);
            CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(hit.x, along(from, hit.distance, d))), 0, 1e-12,
                       s->seed);
            CHECK_NEAR(sn_vec3_norm(hit.n), 1, 1e-12, s->seed);
            CHECK(hit.body.i == s->body[hit.shape], s->seed);
            // along the normal, not along the ray, which may graze
            CHECK(is_inside(s, hit.shape, along(hit.x, -ASIDE, hit.n)), s->seed);
            CHECK(!is_inside(s, hit.shape, along(hit.x, ASIDE, hit.n)), s->seed);
            CHECK((s->type[hit.shape] == SN_SHAPE_MESH) == (hit.triangle >= 0), s->seed);
        }
        end(s);
    }
}

static void a_near_point_has_nothing_nearer(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        scene* s = begin(TEST_NEAR, i);
        for (int q = 0; q < 40; q++) {
            sn_vec3 p = test_vec3(&s->rng, 1.5);
            double reach = test_uniform(&s->rng, 0, 1);
            uint32_t groups = q % 3 ? GROUPS : 6;
            sn_near_point out[SHAPES];
            int32_t most = q % 5 ? SHAPES : 2;
            int32_t count = sn_collider_near(s->collider, p, reach, groups, out, most);
            bool listed[SHAPES] = {false};
            for (int32_t k = 0; k < count; k++) {
                const sn_near_point* at = &out[k];
                listed[at->shape] = true;
                bool inside = is_inside(s, at->shape, p);
                if (fabs(at->distance) > ASIDE) CHECK(inside == (at->distance < 0), s->seed);
                CHECK(at->distance <= reach && (s->group[at->shape] & groups), s->seed);
                CHECK(k == 0 || out[k - 1].distance <= at->distance, s->seed);
                CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(p, at->x)), fabs(at->distance), 1e-12, s->seed);
                CHECK(is_inside(s, at->shape, along(at->x, -ASIDE, at->n)), s->seed);
                CHECK(!is_inside(s, at->shape, along(at->x, ASIDE, at->n)), s->seed);
                for (int n = 0; n < SAMPLES / 4; n++) {
                    sn_vec3 x = in_ball(&s->rng, p, fmax(fabs(at->distance) - ASIDE, 0));
                    CHECK(is_inside(s, at->shape, x) == inside, s->seed);
                }
            }
            CHECK(count <= most, s->seed);
            for (int k = 0; k < s->shapes && count < most; k++)
                for (int n = 0; n < SAMPLES / 4 && !listed[k] && (s->group[k] & groups); n++)
                    CHECK(!is_inside(s, k, in_ball(&s->rng, p, reach - ASIDE)), s->seed);
        }
        end(s);
    }
}

/// The first ball of a scene; -1: there is none.
static int find_ball(const scene* s) {
    for (int k = 2; k < s->shapes; k++)
        if (s->type[k] == SN_SHAPE_SPHERE) return k;
    return -1;
}

// A ball touches what is nearest to its centre, a radius nearer.
static void a_ball_penetrates_as_deep_as_its_centre_is_near(void** state) {
    (void)state;
    for (int i = 0; i < 2 * CASES; i++) {
        scene* s = begin(TEST_TOOL, i);
        int tool = find_ball(s);
        for (int q = 0; q < 20 && tool >= 0; q++) {
            sn_pose X = test_pose(&s->rng, 1);
            double margin = test_uniform(&s->rng, 0, 0.2), r = s->half[tool].x;
            uint32_t groups = q % 3 ? GROUPS : 6;
            sn_contact contact[256];
            int32_t count =
                sn_collider_penetration(s->collider, tool, X, margin, groups, contact, 256);
            double least[SHAPES / 2 + 1];
            for (int k = 0; k <= SHAPES / 2; k++) least[k] = INFINITY;
            for (int32_t k = 0; k < count; k++) {
                const sn_contact* c = &contact[k];
                CHECK(c->a.i == s->body[tool] && c->b.i != c->a.i && c->gap <= margin, s->seed);
                CHECK_NEAR(sn_vec3_norm(c->n), 1, 1e-9, s->seed);
                least[c->b.i + 1] = fmin(least[c->b.i + 1], c->gap);
            }
            sn_near_point out[SHAPES];
            int32_t near = sn_collider_near(s->collider, X.p, r + margin, groups, out, SHAPES);
            for (int32_t k = near - 1; k >= 0; k--) {
                int32_t b = out[k].body.i;
                bool first =
                    true; // of that body, and not inside a mesh, which has no inside to push from
                for (int32_t l = 0; l < near; l++) first = first && (l == k || out[l].body.i != b);
                if (b == s->body[tool] || !first || out[k].distance < -0.4 * r) continue;
                CHECK_NEAR(least[b + 1], out[k].distance - r, 1e-9, s->seed);
            }
        }
        end(s);
    }
}

static void the_local_record_answers_as_the_collider_does(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        scene* s = begin(TEST_LOCAL, i);
        for (int q = 0; q < 10; q++) {
            sn_local_geometry local;
            double radius = test_uniform(&s->rng, 0.05, 1);
            uint32_t groups = q % 3 ? GROUPS : 6;
            sn_vec3 centre = test_vec3(&s->rng, 1.5);
            sn_collider_local(s->collider, centre, radius, groups, &local);
            CHECK(local.count <= SN_LOCAL_PIECES, s->seed);
            for (int n = 0; n < 20; n++) {
                sn_vec3 p = in_ball(&s->rng, centre, 0.5 * radius);
                sn_near_point expected, at;
                int32_t piece;
                bool found = sn_local_geometry_near(&local, p, &at, &piece);
                bool near = sn_collider_near(s->collider, p, 0.5 * radius, groups, &expected, 1);
                // a surface a point can touch is in the record; shapes the whole ball is inside of are not
                // known by their surface
                if (!near || !local.complete || expected.distance < -0.5 * radius) continue;
                CHECK(found, s->seed);
                CHECK_NEAR(at.distance, expected.distance, 1e-9, s->seed);
                CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(at.x, expected.x)), 0, 1e-6, s->seed);
                CHECK(local.piece[piece].shape == at.shape, s->seed);
            }
        }
        end(s);
    }
}

// Rotation of a body and the place of a piece give its velocity; so do two poses a moment apart.
static void pieces_know_their_velocity(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        scene* s = begin(TEST_MOVED, i);
        if (s->shapes > 2) {
            const double h = 1e-6;
            sn_twist v = {test_vec3(&s->rng, 1), test_vec3(&s->rng, 1)};
            sn_pose X = test_pose(&s->rng, 1);
            sn_pose turn = {sn_quat_matrix(sn_quat_exp(sn_vec3_scale(h, v.w))),
                            sn_vec3_scale(h, v.v)};
            sn_pose later = sn_pose_mul(X, turn);
            sn_collider_move(s->collider, sn_body(0), X, v);
            sn_local_geometry local;
            sn_collider_local(s->collider, X.p, 2, GROUPS, &local);
            for (int32_t k = 0; k < local.count; k++) {
                const sn_piece* piece = &local.piece[k];
                if (piece->body.i != 0) continue;
                bool triangle = piece->type == SN_PIECE_TRIANGLE;
                sn_vec3 x = triangle ? piece->corner[0] : piece->X_wp.p;
                sn_vec3 x_b = sn_pose_apply(sn_pose_inverse(X), x);
                sn_vec3 rate = sn_vec3_scale(1 / h, sn_vec3_sub(sn_pose_apply(later, x_b), x));
                CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(rate, piece->velocity.v)), 0, 1e-4, s->seed);
            }
        }
        end(s);
    }
}

static void nonsense_is_answered_with_nothing(void** state) {
    (void)state;
    scene* s = begin(TEST_MOVED, 0);
    sn_vec3 bad = sn_vec3_make(NAN, 0, 0), good = sn_vec3_zero(), x = sn_vec3_make(1, 0, 0);
    sn_ray_hit hit;
    sn_near_point near;
    sn_contact contact;
    sn_local_geometry local;
    assert_false(sn_collider_ray(s->collider, bad, x, 1, GROUPS, &hit));
    assert_false(sn_collider_ray(s->collider, good, bad, 1, GROUPS, &hit));
    assert_false(sn_collider_ray(s->collider, good, x, NAN, GROUPS, &hit));
    assert_false(sn_collider_ray(s->collider, good, x, 10, 0, &hit));
    assert_int_equal(sn_collider_near(s->collider, bad, 1, GROUPS, &near, 1), 0);
    assert_int_equal(sn_collider_near(s->collider, good, NAN, GROUPS, &near, 1), 0);
    assert_int_equal(sn_collider_near(s->collider, good, 1, GROUPS, &near, 0), 0);
    sn_pose X = {sn_mat3_identity(), bad};
    assert_int_equal(sn_collider_penetration(s->collider, 1, X, 0, GROUPS, &contact, 1), 0);
    assert_int_equal(
        sn_collider_penetration(s->collider, -1, sn_pose_identity(), 0, GROUPS, &contact, 1), 0);
    sn_collider_local(s->collider, bad, 1, GROUPS, &local);
    assert_int_equal(local.count, 0);
    assert_false(local.complete);
    assert_false(sn_local_geometry_near(&local, good, &near, NULL));
    end(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ray_stops_where_it_enters_the_first_shape),
        cmocka_unit_test(a_near_point_has_nothing_nearer),
        cmocka_unit_test(a_ball_penetrates_as_deep_as_its_centre_is_near),
        cmocka_unit_test(the_local_record_answers_as_the_collider_does),
        cmocka_unit_test(pieces_know_their_velocity),
        cmocka_unit_test(nonsense_is_answered_with_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
