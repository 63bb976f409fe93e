// SPDX-License-Identifier: Apache-2.0
// Collision detection by a user's functions. That of examples/plugins/sphere_detector.c finds what ours does; those
// here misbehave.
#include "../examples/plugins/sphere_detector.c"

#include <stdio.h>
#include <string.h>

#include "collision/sn_collision.h"
#include "support/check.h"
#include "support/random_state.h"

enum { AGREE = 970, LISTS }; // first argument of test_case_seed

// ---- models -------------------------------------------------------------------------------------------

static void add_shape(sn_model_builder* b, const char* body, sn_shape_type type, double r) {
    sn_shape_def s = sn_shape_def_default();
    s.body = body;
    s.type = type;
    s.size = sn_vec3_make(r, r, r);
    CHECK_STATUS(sn_model_builder_add_shape(b, &s), SN_OK);
}

static sn_model* compiled(sn_model_builder* b) {
    sn_model* model;
    sn_error error;
    if (sn_model_builder_compile(b, NULL, &model, &error)) fail_msg("%s", error.text);
    sn_model_builder_free(b);
    return model;
}

/// Balls over a floor; each second one hangs on the one before. The last body has no shape.
static sn_model* balls(int count) {
    sn_model_builder* b = sn_model_builder_create("balls");
    add_shape(b, NULL, SN_SHAPE_PLANE, 0);
    for (int i = 0; i <= count; i++) {
        char name[16], parent[16];
        (void)snprintf(name, sizeof name, "b%d", i); // cannot be too long
        (void)snprintf(parent, sizeof parent, "b%d", i - 1);
        sn_body_def body = sn_body_def_default();
        bool hangs = i % 2 == 1 && i < count;
        body.name = name;
        body.parent = hangs ? parent : NULL;
        body.joint.type = hangs ? SN_JOINT_SPHERICAL : SN_JOINT_FREE;
        CHECK_STATUS(sn_model_builder_add_body(b, &body), SN_OK);
        if (i < count) add_shape(b, name, SN_SHAPE_SPHERE, 0.1 + 0.02 * (i % 3));
    }
    return compiled(b);
}

// ---- agreement ------------------------------------------------------------------------------------------

static const sn_contact* find(const sn_contact* list, int32_t count, const sn_contact* like) {
    for (int32_t k = 0; k < count; k++)
        if ((list[k].a.i == like->a.i && list[k].b.i == like->b.i) ||
            (list[k].a.i == like->b.i && list[k].b.i == like->a.i))
            return &list[k];
    return NULL;
}

static void spheres_touch_where_ours_say_they_do(void** state) {
    (void)state;
    enum { BALLS = 12, CASES = 200 };
    sn_model* model = balls(BALLS);
    sn_collider *ours, *theirs;
    CHECK_STATUS(sn_collider_create(model, NULL, NULL, &ours, NULL), SN_OK);
    CHECK_STATUS(sn_collider_create_module(model, NULL, NULL, &sphere_detector, &theirs, NULL),
                 SN_OK);
    int touches = 0;
    for (uint64_t i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(AGREE, i);
        test_rng rng = test_rng_make(seed);
        for (int k = 0; k <= BALLS; k++) {
            sn_pose X = test_pose(&rng, 0.4);
            X.p.z += 0.2;
            sn_twist v = sn_twist_make(test_vec3(&rng, 5), test_vec3(&rng, 20));
            sn_collider_move(ours, sn_body(k), X, v);
            sn_collider_move(theirs, sn_body(k), X, v);
        }
        const sn_contact *expected, *found;
        sn_collision_report report;
        int32_t n = sn_collider_collide(ours, 1e-3, &expected, NULL);
        int32_t m = sn_collider_collide(theirs, 1e-3, &found, &report);
        CHECK(n == m && report.contacts == m && report.dropped_contacts == 0, seed);
        CHECK(report.lost == 0 && report.shapes == BALLS + 1, seed);
        for (int32_t k = 0; k < n; k++) {
            const sn_contact *e = &expected[k], *f = find(found, m, e);
            CHECK(f, seed);
            double sign = f->a.i == e->a.i ? 1 : -1;
            CHECK_NEAR(f->gap, e->gap, TOL_CHAIN, seed);
            CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(f->x, e->x)), 0, TOL_CHAIN, seed);
            CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(sn_vec3_scale(sign, f->n), e->n)), 0, TOL_CHAIN,
                       seed);
            CHECK_NEAR(f->material.mu, e->material.mu, TOL_ROUNDOFF, seed);
            CHECK(report.deepest >= -f->gap, seed);
        }
        touches += n;
    }
    CHECK(touches > CASES, 0); // there was something to compare
    sn_collider_free(ours);
    sn_collider_free(theirs);
    sn_model_free(model);
}

// ---- a module that does what it is told to ------------------------------------------------------------

enum { MOST = 8 };

typedef struct rogue {
    sn_status create; ///< what it returns
    const char* says; ///< when it refuses a model
    int32_t count;    ///< what it returns
    sn_contact contact[MOST];
    bool resting[MOST]; ///< what it was told
    sn_pose X_wb[MOST];
    sn_twist velocity[MOST];
    int bodies, alive, freed;
} rogue;

static sn_status rogue_create(void* context, const sn_model* model, const sn_collider_def* def,
                              void** memory, sn_error* error) {
    rogue* r = context;
    if (r->create && r->says && error) memcpy(error->text, r->says, strlen(r->says) + 1);
    if (r->create) return r->create;
    CHECK(def->contacts > 0 && memory, 0);
    r->bodies = sn_model_body_count(model);
    r->alive++;
    return SN_OK;
}

static void rogue_free(void* context, void* memory) {
    rogue* r = context;
    CHECK(!memory, 0); // as it was left
    r->alive--;
    r->freed++;
}

static int32_t rogue_collide(void* context, void* memory, const sn_pose* X_wb, const sn_twist* v,
                             const bool* resting, double h, sn_contact* out, int32_t most) {
    rogue* r = context;
    CHECK(!memory && h > 0, 0);
    for (int i = 0; i < r->bodies && i < MOST; i++) {
        r->X_wb[i] = X_wb[i];
        r->velocity[i] = v[i];
        r->resting[i] = resting[i];
    }
    for (int32_t k = 0; k < r->count && k < most; k++) out[k] = r->contact[k];
    return r->count;
}

static sn_detector_module rogue_table(rogue* r) {
    return (sn_detector_module){.name = "rogue",
                                .about = "for tests",
                                .context = r,
                                .create = rogue_create,
                                .free = rogue_free,
                                .collide = rogue_collide};
}

static sn_contact good_contact(int a, int b) {
    return sn_contact_make(7, sn_body(a), sn_body(b), sn_vec3_make(0, 0, 0.1),
                           sn_vec3_make(0, 0.6, 0.8), -0.01, sn_material_default());
}

typedef struct setting {
    sn_model* model;
    rogue rogue;
    sn_collider* collider;
    const sn_contact* found;
    sn_collision_report report;
} setting;

/// Four balls, the second hanging on the first and the fourth on the third, and a body without shape.
static void begin(setting* s, int32_t capacity) {
    sn_error error;
    memset(s, 0, sizeof *s);
    s->model = balls(4);
    sn_collider_def def = sn_collider_def_default();
    def.contacts = capacity;
    sn_detector_module table = rogue_table(&s->rogue);
    CHECK_STATUS(sn_collider_create_module(s->model, &def, NULL, &table, &s->collider, &error),
                 SN_OK);
    memset(&table, 0, sizeof table); // it was copied
}

static int32_t collide(setting* s) {
    return sn_collider_collide(s->collider, 1e-3, &s->found, &s->report);
}

static void end(setting* s) {
    sn_collider_free(s->collider);
    CHECK(s->rogue.alive == 0 && s->rogue.freed == 1, 0);
    sn_model_free(s->model);
}

static void expect_refused(const sn_model* model, const sn_detector_module* table,
                           const char* reason) {
    sn_error error;
    sn_collider* collider = (sn_collider*)&error; // anything but NULL
    CHECK_STATUS(sn_collider_create_module(model, NULL, NULL, table, &collider, &error),
                 SN_ERR_ARGUMENT);
    CHECK(!collider && strstr(error.text, reason), 0);
    CHECK_STATUS(sn_collider_create_module(model, NULL, NULL, table, &collider, NULL),
                 SN_ERR_ARGUMENT);
}

static void a_table_that_is_not_complete_is_refused_with_what_it_lacks(void** state) {
    (void)state;
    rogue r = {0};
    sn_model* model = balls(2);
    sn_detector_module table = rogue_table(&r);
    table.create = NULL;
    expect_refused(model, &table, "detector 'rogue' has no function 'create'");
    table = rogue_table(&r);
    table.free = NULL;
    expect_refused(model, &table, "'free'");
    table = rogue_table(&r);
    table.collide = NULL;
    expect_refused(model, &table, "'collide'");
    table = rogue_table(&r);
    table.name = "";
    expect_refused(model, &table, "name");
    table = rogue_table(&r);
    expect_refused(NULL, &table, "no model");
    expect_refused(model, NULL, "no detector module");
    sn_collider* collider = NULL;
    sn_collider_def def = sn_collider_def_default();
    def.margin = NAN; // what we refuse it never sees
    CHECK_STATUS(sn_collider_create_module(model, &def, NULL, &table, &collider, NULL),
                 SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_collider_create_module(model, NULL, NULL, &table, NULL, NULL), SN_ERR_ARGUMENT);
    CHECK(!collider && r.alive == 0 && r.freed == 0, 0);
    sn_model_free(model);
}

static void a_module_that_refuses_the_model_is_named_with_its_reason(void** state) {
    (void)state;
    rogue r = {.create = SN_ERR_MODEL, .says = "cubes only"};
    sn_model* model = balls(2);
    sn_detector_module table = rogue_table(&r);
    sn_collider* collider = NULL;
    sn_error error;
    CHECK_STATUS(sn_collider_create_module(model, NULL, NULL, &table, &collider, &error),
                 SN_ERR_MODEL);
    CHECK(!collider && strstr(error.text, "'rogue'") && strstr(error.text, "cubes only"), 0);
    CHECK(r.alive == 0 && r.freed == 0, 0);
    sn_model_free(model);
}

// ---- what it returns is looked at ------------------------------------------------------------------------

static void bodies_are_told_where_they_are_those_without_shapes_too(void** state) {
    (void)state;
    setting s;
    begin(&s, 10);
    test_rng rng = test_rng_make(test_case_seed(LISTS, 0));
    sn_pose X[5];
    sn_twist v[5];
    for (int i = 0; i < 5; i++) {
        X[i] = test_pose(&rng, 1);
        v[i] = sn_twist_make(test_vec3(&rng, 1), test_vec3(&rng, 1));
        sn_collider_move(s.collider, sn_body(i), X[i], v[i]);
    }
    sn_collider_rest(s.collider, sn_body(2), true);
    CHECK(collide(&s) == 0, 0);
    CHECK(memcmp(s.rogue.X_wb, X, sizeof X) == 0, 0);
    CHECK(memcmp(s.rogue.velocity, v, sizeof v) == 0, 0);
    for (int i = 0; i < 5; i++) CHECK(s.rogue.resting[i] == (i == 2), 0);
    end(&s);
}

static void what_is_no_contact_is_dropped_and_counted(void** state) {
    (void)state;
    setting s;
    begin(&s, 10);
    for (int wrong = 0; wrong < 12; wrong++) {
        s.rogue.count = 3;
        s.rogue.contact[0] = good_contact(0, -1);
        s.rogue.contact[2] = good_contact(2, 0);
        sn_contact bad = good_contact(1, 2);
        switch (wrong) {
        case 0: bad.x.y = NAN; break;
        case 1: bad.n.x = INFINITY; break;
        case 2: bad.gap = NAN; break;
        case 3: bad.n.z = 0.9; break;
        case 4: bad.n = sn_vec3_zero(); break;
        case 5: bad.a = sn_body(5); break;
        case 6: bad.b = sn_body(-2); break;
        case 7: bad.b = bad.a; break;
        case 8: bad.a = bad.b = sn_body(-1); break;
        case 9: bad.material.mu = -1; break;
        case 10: bad.material.restitution = NAN; break;
        default: bad.material.stiffness = 0; break;
        }
        s.rogue.contact[1] = bad;
        CHECK(collide(&s) == 2, (uint64_t)wrong);
        CHECK(s.report.contacts == 2 && s.report.dropped_contacts == 1, (uint64_t)wrong);
        CHECK(s.found[0].a.i == 0 && s.found[1].a.i == 2, (uint64_t)wrong); // in their order
        CHECK(sni_collider_trouble(s.collider) == (wrong < 3 ? SN_ERR_NUMERIC : SN_OK),
              (uint64_t)wrong);
    }
    end(&s);
}

static void tangents_are_made_and_shapes_are_not_known(void** state) {
    (void)state;
    setting s;
    begin(&s, 10);
    s.rogue.count = 1;
    s.rogue.contact[0] = good_contact(0, -1);
    s.rogue.contact[0].t1 = s.rogue.contact[0].t2 = sn_vec3_make(NAN, 3, 4);
    CHECK(collide(&s) == 1 && s.report.dropped_contacts == 0, 0);
    sn_contact expected = good_contact(0, -1);
    CHECK(memcmp(&s.found[0].t1, &expected.t1, sizeof expected.t1) == 0, 0);
    CHECK(memcmp(&s.found[0].t2, &expected.t2, sizeof expected.t2) == 0, 0);
    CHECK(s.found[0].id == 7 && s.report.deepest == 0.01, 0);
    int a = 5, b = 5;
    sn_collider_contact_shapes(s.collider, 0, &a, &b);
    CHECK(a == -1 && b == -1, 0);
    end(&s);
}

static void more_than_there_is_room_for_is_dropped_and_counted(void** state) {
    (void)state;
    setting s;
    begin(&s, 2);
    s.rogue.count = 5;
    for (int k = 0; k < 5; k++) s.rogue.contact[k] = good_contact(k % 2 ? 2 : 0, -1);
    CHECK(collide(&s) == 2, 0);
    CHECK(s.report.contacts == 2 && s.report.dropped_contacts == 3, 0);
    CHECK(sni_collider_trouble(s.collider) == SN_OK, 0); // many is no fault
    end(&s);
}

static void a_negative_number_comes_back_without_contacts(void** state) {
    (void)state;
    setting s;
    begin(&s, 4);
    s.rogue.count = 1;
    s.rogue.contact[0] = good_contact(0, -1);
    CHECK(collide(&s) == 1, 0);
    s.rogue.count = -3;
    CHECK(collide(&s) == -3, 0);
    CHECK(s.report.contacts == 0 && sni_collider_trouble(s.collider) == SN_ERR_FAULT, 0);
    s.rogue.count = 1;
    CHECK(collide(&s) == 1 && sni_collider_trouble(s.collider) == SN_OK, 0);
    end(&s);
}

static void bodies_that_rest_or_must_not_touch_are_left_out(void** state) {
    (void)state;
    setting s;
    begin(&s, 10);
    s.rogue.count = 3;
    s.rogue.contact[0] = good_contact(0, 2);
    s.rogue.contact[1] = good_contact(0, 1); // joined
    s.rogue.contact[2] = good_contact(2, -1);
    CHECK(collide(&s) == 2 && s.report.dropped_contacts == 0, 0);
    sn_collider_rest(s.collider, sn_body(2), true); // with the world only
    CHECK(collide(&s) == 1 && s.found[0].b.i == 2, 0);
    sn_collider_rest(s.collider, sn_body(0), true);
    CHECK(collide(&s) == 0, 0);
    sn_collider_rest(s.collider, sn_body(0), false);
    sn_collider_rest(s.collider, sn_body(2), false);
    CHECK_STATUS(sn_collider_allow(s.collider, sn_body(0), sn_body(1), true), SN_OK);
    CHECK_STATUS(sn_collider_allow(s.collider, sn_body(0), sn_body(2), false), SN_OK);
    CHECK(collide(&s) == 2 && s.found[0].b.i == 1, 0);
    end(&s);
}

static void a_body_without_a_finite_pose_stays_where_it_was_and_touches_nothing(void** state) {
    (void)state;
    setting s;
    begin(&s, 10);
    sn_pose X = sn_pose_make(sn_mat3_identity(), sn_vec3_make(1, 2, 3));
    sn_collider_move(s.collider, sn_body(4), X, sn_twist_zero());
    sn_pose bad = X;
    bad.p.x = NAN;
    sn_collider_move(s.collider, sn_body(4), bad, sn_twist_zero());
    s.rogue.count = 1;
    s.rogue.contact[0] = good_contact(4, -1);
    CHECK(collide(&s) == 0 && s.report.lost == 1, 0);
    CHECK(s.rogue.X_wb[4].p.x == 1, 0);
    sn_collider_move(s.collider, sn_body(4), X, sn_twist_zero());
    CHECK(collide(&s) == 1 && s.report.lost == 0, 0);
    end(&s);
}

static void questions_are_answered_by_our_own_shapes(void** state) {
    (void)state;
    setting s;
    begin(&s, 10);
    sn_collider_move(s.collider, sn_body(0),
                     sn_pose_make(sn_mat3_identity(), sn_vec3_make(5, 0, 2)), sn_twist_zero());
    CHECK(collide(&s) == 0, 0);
    sn_ray_hit hit;
    CHECK(sn_collider_ray(s.collider, sn_vec3_make(5, 0, 4), sn_vec3_make(0, 0, -1), 10, ~0u, &hit),
          0);
    CHECK(hit.body.i == 0, 0);
    CHECK_NEAR(hit.distance, 1.9, TOL_CHAIN, 0);
    sn_near_point near[2];
    CHECK(sn_collider_near(s.collider, sn_vec3_make(5, 0, 2.2), 0.5, ~0u, near, 2) == 1, 0);
    CHECK_NEAR(near[0].distance, 0.1, TOL_CHAIN, 0);
    static sn_local_geometry local;
    sn_collider_local(s.collider, sn_vec3_make(5, 0, 2), 0.5, ~0u, &local);
    CHECK(local.count == 1 && local.piece[0].body.i == 0, 0);
    sn_contact out[4];
    CHECK(sn_collider_penetration(s.collider, 2, // the second ball
                                  sn_pose_make(sn_mat3_identity(), sn_vec3_make(5, 0, 2.1)), 1e-3,
                                  ~0u, out, 4) == 1,
          0);
    end(&s);
}

int main(void) {
    (void)test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_touch_where_ours_say_they_do),
        cmocka_unit_test(a_table_that_is_not_complete_is_refused_with_what_it_lacks),
        cmocka_unit_test(a_module_that_refuses_the_model_is_named_with_its_reason),
        cmocka_unit_test(bodies_are_told_where_they_are_those_without_shapes_too),
        cmocka_unit_test(what_is_no_contact_is_dropped_and_counted),
        cmocka_unit_test(tangents_are_made_and_shapes_are_not_known),
        cmocka_unit_test(more_than_there_is_room_for_is_dropped_and_counted),
        cmocka_unit_test(a_negative_number_comes_back_without_contacts),
        cmocka_unit_test(bodies_that_rest_or_must_not_touch_are_left_out),
        cmocka_unit_test(a_body_without_a_finite_pose_stays_where_it_was_and_touches_nothing),
        cmocka_unit_test(questions_are_answered_by_our_own_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
