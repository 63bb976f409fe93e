// SPDX-License-Identifier: Apache-2.0
// A model that was written and read again is the same model: what it tells, and what it does, to the bit.
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "record/model_code.h"
#include "sinew/load.h"
#include "support/decorated.h"
#include "support/fixture.h"

enum { TELLING = 500, BEHAVING, ZEROS, CUT, STEPS = 1000 };

static sn_model* again(const sn_model* model) {
    sni_bytes bytes = {0};
    sni_coder writer = sni_writer(&bytes);
    sni_write_model(&writer, model);
    sni_coder reader = sni_reader(bytes.at, bytes.count);
    sn_model* copy = NULL;
    sn_error error;
    check_context(sn_model_name(model));
    CHECK_STATUS(sni_read_model(&reader, &copy, &error), SN_OK);
    CHECK(reader.place == bytes.count, 0);
    sni_bytes_free(&bytes);
    return copy;
}

#define SAME(a, b) CHECK(memcmp(&(a), &(b), sizeof(a)) == 0, 0)
#define SAME_TEXT(a, b) assert_string_equal(a, b)
#define SAME_NUMBERS(a, b, count) CHECK(memcmp(a, b, (size_t)(count) * sizeof *(a)) == 0, 0)

static void check_body(sn_body_info a, sn_body_info b) {
    SAME_TEXT(a.name, b.name);
    SAME_TEXT(a.joint_name, b.joint_name);
    CHECK(a.parent.i == b.parent.i && a.type == b.type && a.iq == b.iq && a.iv == b.iv, 0);
    SAME(a.placement, b.placement);
    SAME(a.axis, b.axis);
    SAME(a.axis2, b.axis2);
    SAME(a.pitch, b.pitch);
    SAME(a.inertia, b.inertia);
    SAME_NUMBERS(a.armature, b.armature, a.nv);
    SAME_NUMBERS(a.damping, b.damping, a.nv);
    SAME_NUMBERS(a.stiffness, b.stiffness, a.nv);
    SAME_NUMBERS(a.rest, b.rest, a.nq);
    SAME_NUMBERS(a.friction, b.friction, a.nv);
    SAME_NUMBERS(a.lower, b.lower, a.nv);
    SAME_NUMBERS(a.upper, b.upper, a.nv);
    SAME_NUMBERS(a.velocity, b.velocity, a.nv);
    SAME_NUMBERS(a.effort, b.effort, a.nv);
}

static void check_frame(sn_frame_info a, sn_frame_info b) {
    SAME_TEXT(a.name, b.name);
    SAME_TEXT(a.joint_name, b.joint_name);
    CHECK(a.body.i == b.body.i && a.folded == b.folded, 0);
    SAME(a.X_bf, b.X_bf);
}

static void check_shape(sn_shape_info a, sn_shape_info b) {
    SAME_TEXT(a.name, b.name);
    SAME_TEXT(a.mesh, b.mesh);
    CHECK(a.body.i == b.body.i && a.frame.i == b.frame.i && a.type == b.type && a.use == b.use, 0);
    CHECK(a.group == b.group && a.mask == b.mask, 0);
    SAME(a.X_bs, b.X_bs);
    SAME(a.X_fs, b.X_fs);
    SAME(a.size, b.size);
    SAME(a.material, b.material);
    SAME(a.color, b.color);
    CHECK(a.vertex_count == b.vertex_count && a.triangle_count == b.triangle_count, 0);
    CHECK(!a.vertices == !b.vertices && !a.triangles == !b.triangles, 0);
    if (a.vertices) SAME_NUMBERS(a.vertices, b.vertices, a.vertex_count);
    if (a.triangles) SAME_NUMBERS(a.triangles, b.triangles, 3 * a.triangle_count);
}

static void check_end(sn_loop_end a, sn_loop_end b) {
    CHECK(a.body.i == b.body.i && a.frame.i == b.frame.i, 0);
    SAME(a.X_bc, b.X_bc);
    SAME(a.X_fc, b.X_fc);
}

static void check_loop(sn_loop_info a, sn_loop_info b) {
    SAME_TEXT(a.name, b.name);
    CHECK(a.type == b.type, 0);
    check_end(a.a, b.a);
    check_end(a.b, b.b);
    SAME(a.axis, b.axis);
    SAME(a.axis2, b.axis2);
    SAME(a.pitch, b.pitch);
    SAME(a.t_s, b.t_s);
    SAME(a.length, b.length);
}

static void check_same(const sn_model* a, const sn_model* b) {
    check_context(sn_model_name(a));
    SAME_TEXT(sn_model_name(a), sn_model_name(b));
    CHECK(sn_model_nq(a) == sn_model_nq(b) && sn_model_nv(a) == sn_model_nv(b), 0);
    CHECK(sn_model_body_count(a) == sn_model_body_count(b), 0);
    CHECK(sn_model_frame_count(a) == sn_model_frame_count(b), 0);
    CHECK(sn_model_shape_count(a) == sn_model_shape_count(b), 0);
    CHECK(sn_model_loop_count(a) == sn_model_loop_count(b), 0);
    CHECK(sn_model_exclusion_count(a) == sn_model_exclusion_count(b), 0);
    CHECK(sn_model_mass(a) == sn_model_mass(b), 0);
    for (int k = 0; k < sn_model_body_count(a); k++)
        check_body(sn_model_body(a, sn_body(k)), sn_model_body(b, sn_body(k)));
    for (int k = 0; k < sn_model_frame_count(a); k++)
        check_frame(sn_model_frame(a, (sn_frame_id){k}), sn_model_frame(b, (sn_frame_id){k}));
    for (int k = 0; k < sn_model_shape_count(a); k++)
        check_shape(sn_model_shape(a, k), sn_model_shape(b, k));
    for (int k = 0; k < sn_model_loop_count(a); k++)
        check_loop(sn_model_loop(a, k), sn_model_loop(b, k));
    for (int k = 0; k < sn_model_exclusion_count(a); k++) {
        sn_exclusion x = sn_model_exclusion(a, k), y = sn_model_exclusion(b, k);
        CHECK(x.a.i == y.a.i && x.b.i == y.b.i, 0);
    }
}

/// Hash after some steps from a pose that is nothing special; of a state that stops being finite, where it stopped.
static uint64_t behave(const sn_model* model, bool contact) {
    sn_world_def def = sn_world_def_default();
    sn_world* world = NULL;
    def.contact.on = contact;
    def.contact.skip_overlapping = true;
    def.contact.solve.iterations = 10;
    CHECK_STATUS(sn_world_create(model, &def, &world, NULL), SN_OK);
    test_rng rng = test_rng_make(7);
    double* v = calloc((size_t)sn_model_nv(model) + 1, sizeof *v);
    for (int k = 0; k < sn_model_nv(model); k++) v[k] = test_uniform(&rng, -0.3, 0.3);
    CHECK_STATUS(sn_world_set_state(world, NULL, v), SN_OK);
    for (int k = 0; k < (contact ? STEPS / 10 : STEPS); k++) (void)sn_world_step(world, NULL);
    uint64_t hash = sn_world_hash(world);
    sn_world_free(world);
    free(v);
    return hash;
}

static void a_model_tells_the_same_when_it_was_written_and_read(void** state) {
    (void)state;
    for (uint64_t k = 0; k < 200; k++) {
        sn_model* model = test_decorated_model(test_case_seed(TELLING, k));
        sn_model* copy = again(model);
        check_same(model, copy);
        sn_model_free(model);
        sn_model_free(copy);
    }
}

/// Quarter turns, as people draw robots: rotations full of zeros of either sign.
static sn_pose quarter_turns(test_rng* rng) {
    sn_pose X = sn_pose_identity();
    for (int k = 0; k < 3; k++) {
        int i = test_index(rng, 3), j = (i + 1) % 3;
        sn_mat3 turn = {0};
        turn.m[3 - i - j][3 - i - j] = 1;
        turn.m[i][j] = test_chance(rng, 0.5) ? 1 : -1;
        turn.m[j][i] = -turn.m[i][j];
        X.R = sn_mat3_mul(X.R, turn);
    }
    X.p = sn_vec3_make(test_index(rng, 3) - 1, -0.0, test_index(rng, 3) - 1);
    return X;
}

static void zeros_keep_their_sign(void** state) {
    (void)state;
    for (uint64_t k = 0; k < 200; k++) {
        uint64_t seed = test_case_seed(ZEROS, k);
        test_rng rng = test_rng_make(seed);
        sn_model_builder* builder = sn_model_builder_create("turns");
        char name[8][8];
        for (int b = 0; b < 8; b++) {
            snprintf(name[b], sizeof name[b], "b%d", b);
            sn_body_def def =
                test_random_body(&rng, name[b], b ? name[test_index(&rng, b)] : NULL,
                                 test_chance(&rng, 0.5) ? SN_JOINT_FIXED : SN_JOINT_REVOLUTE);
            def.joint.placement = quarter_turns(&rng);
            CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
            sn_shape_def shape = sn_shape_def_default();
            shape.body = name[b];
            shape.pose = quarter_turns(&rng);
            CHECK_STATUS(sn_model_builder_add_shape(builder, &shape), SN_OK);
        }
        sn_model* model = test_compile(builder);
        sn_model* copy = again(model);
        check_same(model, copy);
        sn_model_free(model);
        sn_model_free(copy);
    }
}

static void a_model_does_the_same_when_it_was_written_and_read(void** state) {
    (void)state;
    for (int k = 0; k < 20; k++) {
        fixture* f = fixture_of_list(k, test_units_si(), test_case_seed(BEHAVING, (uint64_t)k));
        sn_model* copy = again(f->model);
        check_same(f->model, copy);
        CHECK(behave(f->model, false) == behave(copy, false), f->seed);
        sn_model_free(copy);
        fixture_free(f);
    }
}

static void check_file(const char* path) {
    sn_model* model = NULL;
    sn_error error;
    sn_load_def def = sn_load_def_default();
    check_context(path);
    CHECK_STATUS(sn_model_load(path, &def, &model, &error), SN_OK);
    sn_model* copy = again(model);
    check_same(model, copy);
    CHECK(behave(model, false) == behave(copy, false), 0);
    CHECK(behave(model, true) == behave(copy, true), 0);
    sn_model_free(model);
    sn_model_free(copy);
}

static void every_model_of_ours_is_the_same_when_it_was_written_and_read(void** state) {
    (void)state;
    DIR* directory = opendir(SN_TEST_MODELS_DIR);
    assert_non_null(directory);
    int seen = 0;
    for (struct dirent* entry; (entry = readdir(directory));) {
        const char* dot = strrchr(entry->d_name, '.');
        if (!dot || (strcmp(dot, ".urdf") != 0 && strcmp(dot, ".json") != 0)) continue;
        char path[600];
        snprintf(path, sizeof path, "%s/%s", SN_TEST_MODELS_DIR, entry->d_name);
        check_file(path);
        seen++;
    }
    closedir(directory);
    CHECK(seen >= 7, 0);
}

static void a_model_that_is_cut_short_anywhere_is_refused(void** state) {
    (void)state;
    sn_model* model = test_decorated_model(test_case_seed(CUT, 0));
    sni_bytes bytes = {0};
    sni_coder writer = sni_writer(&bytes);
    sni_write_model(&writer, model);
    for (size_t count = 0; count < bytes.count; count += 1 + count / 64) {
        void* part = malloc(count + 1); // so that a sanitizer sees who reads beyond
        memcpy(part, bytes.at, count);
        sni_coder reader = sni_reader(part, count);
        sn_model* copy = NULL;
        sn_error error = {0};
        CHECK(sni_read_model(&reader, &copy, &error) != SN_OK && !copy && error.text[0], 0);
        free(part);
    }
    sni_bytes_free(&bytes);
    sn_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_tells_the_same_when_it_was_written_and_read),
        cmocka_unit_test(zeros_keep_their_sign),
        cmocka_unit_test(a_model_does_the_same_when_it_was_written_and_read),
        cmocka_unit_test(every_model_of_ours_is_the_same_when_it_was_written_and_read),
        cmocka_unit_test(a_model_that_is_cut_short_anywhere_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
