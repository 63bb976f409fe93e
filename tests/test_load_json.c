// SPDX-License-Identifier: Apache-2.0
// JSON models: what the format means, that writing and reading give the same model to the last
// bit, and that every mistake is named by its path.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/decorated.h"
#include "support/loading.h"
#include "support/random_state.h"

#define POSE "\"R\": [1,0,0, 0,1,0, 0,0,1], \"p\": [0,0,0]"
#define INERTIA "\"mass\": 2, \"com\": [0,0,0], \"inertia_com\": [1,0,0,1,0,1]"
/// A body but for what the test is about.
#define BODY(joint, parent, type, rest)                                                            \
    "{\"joint\": \"" joint "\", \"parent\": " parent ", \"type\": \"" type                         \
    "\", \"placement\": {" POSE "}, " INERTIA rest "}"
#define MODEL(bodies, rest) "{\"name\": \"m\", \"bodies\": [" bodies "]" rest "}"
#define AXIS ", \"axis\": [0,0,1]"

static loaded* load_json(const char* text) {
    sn_load_def def = sn_load_def_default();
    return load_bytes(text, strlen(text), "model.json", def);
}

// ---- what the format means ----------------------------------------------------------------------

static void every_joint_type_is_read(void** state) {
    (void)state;
    loaded* l = load_json(MODEL(
        BODY("a", "-1", "revolute", AXIS) "," BODY("b", "0", "prismatic", AXIS) "," BODY("c", "0", "helical", AXIS ", \"pitch\": 0.25") "," BODY(
            "d", "2", "cylindrical",
            AXIS) "," BODY("e", "-1", "planar",
                           AXIS) "," BODY("f", "4", "universal",
                                          AXIS
                                          ", \"axis2\": [0,1,0]") "," BODY("g", "5", "spherical",
                                                                           ", \"axis\": "
                                                                           "null") "," BODY("h",
                                                                                            "6",
                                                                                            "free",
                                                                                            ""),
        ""));
    CHECK_LOADS(l);
    assert_int_equal(l->warning_count, 0);
    static const struct {
        sn_joint_type type;
        int parent;
    } expected[] = {{SN_JOINT_REVOLUTE, -1},   {SN_JOINT_PRISMATIC, 0}, {SN_JOINT_HELICAL, 0},
                    {SN_JOINT_CYLINDRICAL, 2}, {SN_JOINT_PLANAR, -1},   {SN_JOINT_UNIVERSAL, 4},
                    {SN_JOINT_SPHERICAL, 5},   {SN_JOINT_FREE, 6}};
    for (int i = 0; i < 8; i++) {
        sn_body_info body = sn_model_body(l->model, sn_body(i));
        assert_int_equal(body.type, expected[i].type);
        assert_int_equal(body.parent.i, expected[i].parent);
    }
    CHECK_NEAR(sn_model_body(l->model, sn_body(2)).pitch, 0.25, 0, 0);
    loaded_free(l);
}

static void quaternions_are_xyzw_and_free_joints_linear_first_in_files(void** state) {
    (void)state;
    loaded* l = load_json(
        MODEL(BODY("a", "-1", "free",
                   ", \"rest\": [1,2,3, 0,0.6,0,0.8], \"damping\": [1,2,3,4,5,6], \"lower\": "
                   "[-1,-2,-3,null,null,null]") "," BODY("b", "0", "spherical",
                                                         ", \"rest\": [0.6,0,0,0.8]"),
              ""));
    CHECK_LOADS(l);
    sn_body_info a = sn_model_body(l->model, sn_body(0)), b = sn_model_body(l->model, sn_body(1));
    static const double rest_a[7] = {1, 2, 3, 0.8, 0, 0.6, 0}, rest_b[4] = {0.8, 0.6, 0, 0};
    static const double damping[6] = {4, 5, 6, 1, 2, 3};
    CHECK_VECTOR(a.rest, rest_a, 7, 0, 0);
    CHECK_VECTOR(b.rest, rest_b, 4, 0, 0);
    CHECK_VECTOR(a.damping, damping, 6, 0, 0);
    assert_true(a.lower[0] == -INFINITY && a.lower[3] == -1 && a.lower[5] == -3);
    loaded_free(l);
}

static void bodies_are_named_by_name_link_or_joint(void** state) {
    (void)state;
    loaded* l = load_json(MODEL(
        BODY("ja", "-1", "spherical", ", \"name\": \"own\"") "," BODY(
            "jb", "0", "spherical", "") "," BODY("jc", "0", "spherical", ""),
        ", \"links\": [{\"name\": \"jb\", \"body\": 1, \"R\": [1,0,0,0,1,0,0,0,1], \"p\": [1,0,0]},"
        "{\"name\": \"fits\", \"body\": 1, " POSE "}, {\"name\": \"again\", \"body\": 1, " POSE "},"
        "{\"name\": \"ground\", \"body\": -1, " POSE "}]"));
    CHECK_LOADS(l);
    assert_string_equal(sn_model_body(l->model, sn_body(0)).name, "own");
    assert_string_equal(sn_model_body(l->model, sn_body(1)).name, "fits");
    assert_string_equal(sn_model_body(l->model, sn_body(2)).name, "jc");
    // A link may have the name of a joint, even of its own body's.
    sn_frame_info frame = sn_model_frame(l->model, sn_model_find_frame(l->model, "jb"));
    assert_true(frame.folded && frame.body.i == 1 && frame.X_bf.p.x == 1);
    assert_true(sn_model_frame(l->model, sn_model_find_frame(l->model, "again")).folded);
    assert_int_equal(sn_model_frame(l->model, sn_model_find_frame(l->model, "ground")).body.i, -1);
    // Links have no inertia of their own.
    CHECK_NEAR(sn_model_mass(l->model), 6, 0, 0);
    loaded_free(l);
}

static void unknown_keys_are_warned_about_once(void** state) {
    (void)state;
    loaded* l = load_json(MODEL(BODY("a", "-1", "spherical", ", \"massive\": 1") "," BODY(
                                    "b", "0", "spherical", ", \"massive\": 2"),
                                ", \"colour\": 3, \"source\": \"x\", \"urdf\": null"));
    CHECK_LOADS(l);
    CHECK_WARNED(l, 0, "'massive' is not known and has no effect (2 times");
    CHECK_WARNED(l, 0, "'colour'");
    assert_int_equal(l->warning_count, 2);
    loaded_free(l);
}

static void a_wish_for_a_free_base_is_refused_aloud(void** state) {
    (void)state;
    loaded* l = load_text(MODEL(BODY("a", "-1", "spherical", ""), ""), SN_BASE_FREE);
    CHECK_LOADS(l);
    CHECK_WARNED(l, 0, "free base is ignored");
    loaded_free(l);
}

static void a_model_may_have_no_moving_bodies(void** state) {
    (void)state;
    loaded* l = load_json("{\"bodies\": []}");
    CHECK_LOADS(l);
    assert_int_equal(sn_model_nv(l->model), 0);
    loaded_free(l);
}

static void shapes_are_read_with_defaults(void** state) {
    (void)state;
    loaded* l = load_json(MODEL(
        BODY("a", "-1", "spherical", ""),
        ", \"links\": [{\"name\": \"tip\", \"body\": 0, \"R\": [1,0,0,0,1,0,0,0,1], \"p\": "
        "[1,0,0]}]"
        ", \"shapes\": [{\"body\": 0, \"type\": \"box\", \"size\": [1,2,3]},"
        "{\"body\": 0, \"link\": \"tip\", \"type\": \"sphere\", \"size\": [1,0,0], \"use\": "
        "\"visual\", \"name\": \"s\"}, {\"body\": -1, \"type\": \"plane\"},"
        "{\"body\": 0, \"type\": \"mesh\", \"mesh\": \"no/such.stl\", \"color\": [1,0,0,1]}]"));
    CHECK_LOADS(l);
    assert_int_equal(sn_model_shape_count(l->model), 4);
    sn_shape_info box = sn_model_shape(l->model, 0), ball = sn_model_shape(l->model, 1),
                  plane = sn_model_shape(l->model, 2), mesh = sn_model_shape(l->model, 3);
    assert_true(box.use == (SN_SHAPE_VISUAL | SN_SHAPE_COLLISION) && box.size.z == 3);
    assert_true(ball.X_bs.p.x == 1 && ball.X_fs.p.x == 0 && ball.use == SN_SHAPE_VISUAL);
    assert_true(plane.frame.i == -1 && plane.type == SN_SHAPE_PLANE);
    assert_true(mesh.size.x == 1 && mesh.color[1] == 0);
    CHECK_WARNED(l, 0, "no/such.stl");
    loaded_free(l);
}

static void surfaces_are_read_with_defaults(void** state) {
    (void)state;
    loaded* l = load_json(MODEL(
        BODY("a", "-1", "free", "") "," BODY("b", "-1", "free", ""),
        ", \"shapes\": [{\"body\": 0, \"type\": \"hull\", \"vertices\": [0,0,0, 1,0,0, 0,1,0, "
        "0,0,1], \"triangles\": [0,2,1, 0,1,3, 0,3,2, 1,2,3],"
        "\"material\": {\"mu\": 0.75, \"stiffness\": 1e5, \"colour\": 1}},"
        "{\"body\": 1, \"type\": \"plane\", \"group\": 4294967295, \"mask\": 0,"
        "\"material\": {\"stiffness\": null, \"mu_kinetic\": 0.25, \"stribeck_speed\": 1}}],"
        "\"exclusions\": [{\"body_a\": 1, \"body_b\": -1}, {\"body_a\": 0, \"body_b\": 1}]"));
    CHECK_LOADS(l);
    sn_shape_info hull = sn_model_shape(l->model, 0), plane = sn_model_shape(l->model, 1);
    assert_true(hull.type == SN_SHAPE_HULL && hull.vertex_count == 4 && hull.triangle_count == 4);
    assert_true(hull.vertices[2].y == 1 && hull.triangles[11] == 3 && hull.size.x == 1);
    assert_true(hull.material.mu == 0.75 && hull.material.mu_kinetic == 0.75);
    assert_true(hull.material.stiffness == 1e5 && hull.group == 1 && hull.mask == UINT32_MAX);
    assert_true(plane.material.mu == 0.5 && plane.material.mu_kinetic == 0.25);
    assert_true(plane.material.stiffness == INFINITY && plane.vertices == NULL);
    assert_true(plane.group == UINT32_MAX && plane.mask == 0);
    assert_int_equal(sn_model_exclusion_count(l->model), 2);
    sn_exclusion first = sn_model_exclusion(l->model, 0);
    assert_true(first.a.i == -1 && first.b.i == 1);
    assert_int_equal(l->warning_count, 1);
    CHECK_WARNED(l, 0, "shapes[0]: key 'colour' is not known");
    loaded_free(l);
}

static void check_vector_model(const char* path) {
    loaded* l = load_file(path, SN_BASE_AS_FILE);
    CHECK_LOADS(l);
    for (int i = 0; i < l->warning_count; i++)
        assert_non_null(strstr(l->warnings[i].text, "triangle inequality"));
    loaded_free(l);
}

static void every_model_of_the_vectors_loads(void** state) {
    (void)state;
    int count =
        for_each_file(SN_TEST_SHARED_DIR "/vectors/dynamics/models", ".json", check_vector_model);
    if (count == 0) skip();
    print_message("%d models\n", count);
}

// ---- there and back -----------------------------------------------------------------------------

static void check_round_trip(const sn_model* model, uint64_t seed) {
    char *text, *again;
    sn_error error;
    CHECK_STATUS(sn_model_to_json(model, &text, &error), SN_OK);
    sn_load_def def = sn_load_def_default();
    def.check_meshes = false;
    loaded* l = load_bytes(text, strlen(text), "model.json", def);
    CHECK_LOADS(l);
    check_same_model(model, l->model, seed);
    CHECK_STATUS(sn_model_to_json(l->model, &again, &error), SN_OK);
    assert_string_equal(text, again);
    sn_text_free(text);
    sn_text_free(again);
    loaded_free(l);
}

static void models_with_all_a_model_can_have_come_back_exactly(void** state) {
    (void)state;
    for (uint64_t i = 0; i < 300; i++) {
        uint64_t seed = test_case_seed(1, i);
        sn_model* model = test_decorated_model(seed);
        check_round_trip(model, seed);
        sn_model_free(model);
    }
}

static void generated_models_come_back_exactly(void** state) {
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        uint64_t seed = test_case_seed(2, i);
        sn_generate_shape shape = (sn_generate_shape)(i % SN_GENERATE_COUNT);
        test_units units = i % 3 ? test_units_si() : test_units_molecular();
        sn_model* model = test_generate(shape, 1 + (int)(i % 40), seed, i % 2, true, units);
        check_round_trip(model, seed);
        sn_model_free(model);
    }
}

static void check_file_round_trip(const char* path) {
    for (int base = SN_BASE_AS_FILE; base <= SN_BASE_FREE; base++) {
        sn_load_def def = sn_load_def_default();
        def.base = (sn_load_base)base;
        sn_model* model;
        if (sn_model_load(path, &def, &model, NULL) != SN_OK) continue;
        check_round_trip(model, 0);
        sn_model_free(model);
    }
}

static void robots_come_back_exactly(void** state) {
    (void)state;
    for_each_file(SN_TEST_MODELS_DIR, ".urdf", check_file_round_trip);
    for_each_file(SN_TEST_MODELS_DIR, ".json", check_file_round_trip);
    for_each_file(SN_TEST_SHARED_DIR "/data/robots", ".urdf", check_file_round_trip);
    for_each_file(SN_TEST_SHARED_DIR "/vectors/dynamics/models", ".json", check_file_round_trip);
}

static void a_name_that_is_not_utf8_cannot_be_written(void** state) {
    (void)state;
    sn_model_builder* builder = sn_model_builder_create("\xff");
    sn_model* model = test_compile(builder);
    char* text = (char*)"not touched";
    sn_error error;
    CHECK_STATUS(sn_model_to_json(model, &text, &error), SN_ERR_MODEL);
    assert_null(text);
    assert_non_null(strstr(error.text, "UTF-8"));
    CHECK_STATUS(sn_model_to_json(NULL, &text, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_model_to_json(model, NULL, NULL), SN_ERR_ARGUMENT);
    sn_model_free(model);
}

// ---- mistakes -----------------------------------------------------------------------------------

#define LINKS(link) MODEL(BODY("a", "-1", "spherical", ""), ", \"links\": [" link "]")
#define SHAPES(shape) MODEL(BODY("a", "-1", "spherical", ""), ", \"shapes\": [" shape "]")

/// Two bodies and a loop; PIN(rest) is a revolute one between them.
#define LOOPS(loop)                                                                                \
    MODEL(BODY("a", "-1", "spherical", "") "," BODY("b", "-1", "spherical", ""),                   \
          ", \"loops\": [" loop "]")
#define PIN(rest) LOOPS("{\"name\": \"pin\", \"type\": \"revolute\"" AXIS rest "}")

static void loops_are_read_with_defaults(void** state) {
    (void)state;
    loaded* l = load_json(LOOPS(
        "{\"name\": \"pin\", \"type\": \"fixed\", \"body_a\": 1, \"body_b\": -1},"
        "{\"name\": \"nut\", \"type\": \"helical\", \"axis\": [0,2,0], \"pitch\": 0.5, \"t_s\": 0,"
        " \"body_a\": 0, \"link_a\": \"a\", \"body_b\": 1, \"pose_b\": {\"R\": [1,0,0,0,1,0,0,0,1],"
        " \"p\": [1,2,3]}},"
        "{\"name\": \"rod\", \"type\": \"free\", \"length\": 0.5, \"body_a\": 0, \"body_b\": 1}"));
    CHECK_LOADS(l);
    assert_int_equal(l->warning_count, 0);
    assert_int_equal(sn_model_loop_count(l->model), 3);
    sn_loop_info rod = sn_model_loop(l->model, 2);
    assert_true(rod.length == 0.5 && rod.rows == 1);
    sn_loop_info pin = sn_model_loop(l->model, 0), nut = sn_model_loop(l->model, 1);
    assert_true(pin.type == SN_JOINT_FIXED && pin.a.body.i == 1 && pin.b.body.i == -1);
    assert_true(pin.t_s == 0.02 && pin.a.X_bc.R.m[0][0] == 1 && pin.a.X_bc.p.x == 0);
    assert_true(nut.type == SN_JOINT_HELICAL && nut.axis.y == 1 && nut.pitch == 0.5);
    assert_true(nut.t_s == 0 && nut.a.frame.i == 0 && nut.b.X_bc.p.z == 3);
    loaded_free(l);
    l = load_json(PIN(", \"body_a\": 0, \"body_b\": 1, \"slack\": 1"));
    CHECK_LOADS(l);
    CHECK_WARNED(l, 0, "loops[0]: key 'slack' is not known");
    loaded_free(l);
}

static void every_mistake_is_named_by_its_path(void** state) {
    (void)state;
    // clang-format off
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"{\"name\": 3}", "name: expected a string, got a whole number"},
        {"[]", "an object, not an array"},
        {"{}", "bodies: missing"},
        {"{\"qdd\": []}", "this is a case"},
        {"{\"bodies\": 3}", "bodies: expected an array"},
        {"{\"bodies\": [3]}", "bodies[0]: expected an object"},
        {"{\"bodies\": [{}]}", "bodies[0].joint: missing"},
        {"{\"bodies\": [], \"links\": {}}", "links: expected an array"},
        {"{\"bodies\": [], \"format\": \"other\"}", "format: expected 'sinew-model'"},
        {"{\"bodies\": [], \"version\": 2}", "version: 2 is not from 1 to 1"},
        {"{\"bodies\": [], \"nq\": 1}", "nq: the file says 1"},
        {"{\"bodies\": [], \"nv\": 0.5}", "nv: expected a whole number"},
        {MODEL(BODY("a", "-1", "spherica", ""), ""), "bodies[0].type: unknown joint type 'spherica' (did you mean 'spherical'?)"},
        {MODEL(BODY("a", "-1", "fixed", ""), ""), "bodies[0].type: bodies move"},
        {MODEL(BODY("a", "0", "free", ""), ""), "bodies[0].parent: 0 is not from -1 to -1"},
        {MODEL(BODY("a", "\"w\"", "free", ""), ""), "bodies[0].parent: expected a whole number"},
        {MODEL(BODY("a", "-1", "free", "") "," BODY("a", "-1", "free", ""), ""), "bodies[1].joint: there is another"},
        {MODEL(BODY("a", "-1", "free", ", \"name\": \"n\"") "," BODY("b", "-1", "free", ", \"name\": \"n\""), ""), "bodies[1].name: there is another"},
        {MODEL(BODY("a", "-1", "revolute", ""), ""), "bodies[0].axis: expected 3 numbers in an array, got nothing"},
        {MODEL(BODY("a", "-1", "revolute", ", \"axis\": [0,0]"), ""), "bodies[0].axis: expected 3 numbers, got 2"},
        {MODEL(BODY("a", "-1", "revolute", ", \"axis\": [0,0,0]"), ""), "axis must be a vector of non-zero length"},
        {MODEL(BODY("a", "-1", "universal", AXIS), ""), "bodies[0].axis2: expected 3 numbers"},
        {MODEL(BODY("a", "-1", "helical", AXIS), ""), "bodies[0].pitch: expected a number"},
        {MODEL(BODY("a", "-1", "free", ", \"index\": 1"), ""), "bodies[0].index: the file says 1"},
        {MODEL(BODY("a", "-1", "free", ", \"iq\": 1"), ""), "bodies[0].iq: the file says 1"},
        {MODEL(BODY("a", "-1", "free", ", \"iv\": 1"), ""), "bodies[0].iv: the file says 1"},
        {MODEL(BODY("a", "-1", "free", ", \"nq\": 6"), ""), "bodies[0].nq: the file says 6"},
        {MODEL(BODY("a", "-1", "free", ", \"nv\": 7"), ""), "bodies[0].nv: the file says 7"},
        {MODEL(BODY("a", "-1", "free", ", \"damping\": [1]"), ""), "bodies[0].damping: expected an array of 6 numbers"},
        {MODEL(BODY("a", "-1", "spherical", ", \"damping\": [1,null,1]"), ""), "bodies[0].damping: expected a number at place 1"},
        {MODEL(BODY("a", "-1", "spherical", ", \"upper\": [1,\"inf\",1]"), ""), "bodies[0].upper: expected a number or null"},
        {MODEL(BODY("a", "-1", "spherical", ", \"rest\": [0,0,1]"), ""), "bodies[0].rest: expected 4 numbers, got 3"},
        {MODEL(BODY("a", "-1", "spherical", ", \"rest\": [0,0,1,1]"), ""), "rest quaternion"},
        {"{\"bodies\": [{\"joint\": \"a\", \"parent\": -1, \"type\": \"free\", " INERTIA "}]}", "bodies[0].placement.R: expected 9 numbers"},
        {"{\"bodies\": [{\"joint\": \"a\", \"parent\": -1, \"type\": \"free\", \"placement\": {\"R\": [1,0,0,0,1,0,0,0,1], \"p\": [0,0]}, " INERTIA "}]}", "bodies[0].placement.p: expected 3 numbers, got 2"},
        {"{\"bodies\": [{\"joint\": \"a\", \"parent\": -1, \"type\": \"free\", \"placement\": {\"R\": [1,0,0,0,1,0,0,0,1.001], \"p\": [0,0,0]}, " INERTIA "}]}", "bodies[0].placement.R: not a rotation (off by 0.002)"},
        {"{\"bodies\": [{\"joint\": \"a\", \"parent\": -1, \"type\": \"free\", \"placement\": {\"R\": [1,0,0,0,1,0,0,0,-1], \"p\": [0,0,0]}, " INERTIA "}]}", "bodies[0].placement.R: not a rotation"},
        {"{\"bodies\": [{\"joint\": \"a\", \"parent\": -1, \"type\": \"free\", \"placement\": {" POSE "}, \"mass\": null}]}", "bodies[0].mass: expected a number, got null"},
        {"{\"bodies\": [{\"joint\": \"a\", \"parent\": -1, \"type\": \"free\", \"placement\": {" POSE "}, \"mass\": 1, \"com\": [0,0,0], \"inertia_com\": [1,0,0,1,0]}]}", "bodies[0].inertia_com: expected 6 numbers, got 5"},
        {"{\"bodies\": [{\"joint\": \"a\", \"parent\": -1, \"type\": \"free\", \"placement\": {" POSE "}, \"mass\": 1, \"com\": [0,true,0]}]}", "bodies[0].com: expected numbers, got true or false at place 1"},
        {"{\"bodies\": [{\"joint\": \"a\", \"parent\": -1, \"type\": \"free\", \"placement\": {" POSE "}, \"mass\": 0, \"com\": [0,0,0], \"inertia_com\": [1,0,0,1,0,1]}]}", "no mass"},
        {LINKS("{}"), "links[0].name: missing"},
        {LINKS("3"), "links[0]: expected an object"},
        {LINKS("{\"name\": \"l\", \"body\": 1, " POSE "}"), "links[0].body: 1 is not from -1 to 0"},
        {LINKS("{\"name\": \"l\", \"body\": 0}"), "links[0].R: expected 9 numbers"},
        {LINKS("{\"name\": \"a\", \"body\": -1, " POSE "}"), "links[0].name: there is another link or body 'a'"},
        {LINKS("{\"name\": \"a\", \"body\": 0, \"R\": [1,0,0,0,1,0,0,0,1], \"p\": [1,0,0]}"), "links[0].R: link 'a' has the name of its body"},
        {LINKS("{\"name\": \"k\", \"body\": -1, " POSE "}, {\"name\": \"k\", \"body\": -1, " POSE "}"), "links[1].name: there is another"},
        {LINKS("{\"name\": \"k\", \"body\": -1, \"joint\": \"a\", " POSE "}"), "links[0].joint: there is another joint 'a'"},
        {SHAPES("{}"), "shapes[0].type: expected sphere"},
        {SHAPES("{\"type\": \"sphere\", \"size\": [1,1,1]}"), "shapes[0].body: expected a whole number"},
        {SHAPES("{\"type\": \"sphere\", \"body\": 0}"), "shapes[0].size: expected 3 numbers"},
        {SHAPES("{\"type\": \"sphere\", \"body\": 0, \"size\": [-1,1,1]}"), "size must be positive"},
        {SHAPES("{\"type\": \"mesh\", \"body\": 0}"), "shapes[0].mesh: missing"},
        {SHAPES("{\"type\": \"plane\", \"body\": 0, \"link\": \"x\"}"), "shapes[0].link: there is no link 'x' on body 0"},
        {SHAPES("{\"type\": \"plane\", \"body\": 0, \"use\": \"x\"}"), "shapes[0].use: expected visual"},
        {SHAPES("{\"type\": \"plane\", \"body\": 0, \"color\": [1,1,1]}"), "shapes[0].color: expected 4 numbers, got 3"},
        {SHAPES("{\"type\": \"plane\", \"body\": 0, \"pose\": {}}"), "shapes[0].pose.R: expected 9"},
        {SHAPES("{\"type\": \"hull\", \"body\": 0}"), "shapes[0].vertices: missing"},
        {SHAPES("{\"type\": \"hull\", \"body\": 0, \"triangles\": [0,1,2]}"), "shapes[0].vertices: expected numbers in an array, three for each corner"},
        {SHAPES("{\"type\": \"hull\", \"body\": 0, \"vertices\": [0,0,0]}"), "shapes[0].triangles: expected numbers in an array, three for each triangle"},
        {SHAPES("{\"type\": \"mesh\", \"body\": 0, \"vertices\": [0,0], \"triangles\": [0,0,0]}"), "shapes[0].vertices: expected numbers in an array"},
        {SHAPES("{\"type\": \"mesh\", \"body\": 0, \"vertices\": [0,0,null], \"triangles\": [0,0,0]}"), "shapes[0].vertices: expected numbers, got null at place 2"},
        {SHAPES("{\"type\": \"mesh\", \"body\": 0, \"vertices\": [0,0,1], \"triangles\": [0,1,0]}"), "shapes[0].triangles: expected a whole number from 0 to 0 at place 1"},
        {SHAPES("{\"type\": \"mesh\", \"body\": 0, \"vertices\": [0,0,1], \"triangles\": [0,0,0.5]}"), "shapes[0].triangles: expected a whole number from 0 to 0 at place 2"},
        {SHAPES("{\"type\": \"plane\", \"body\": 0, \"material\": 3}"), "shapes[0].material: expected an object"},
        {SHAPES("{\"type\": \"plane\", \"body\": 0, \"material\": {\"mu\": \"high\"}}"), "shapes[0].material.mu: expected a number"},
        {SHAPES("{\"type\": \"plane\", \"body\": 0, \"material\": {\"restitution\": 2}}"), "shapes[0].material: restitution must be from 0 to 1"},
        {SHAPES("{\"type\": \"plane\", \"body\": 0, \"group\": -1}"), "shapes[0].group: expected a whole number of 32 bits"},
        {SHAPES("{\"type\": \"plane\", \"body\": 0, \"mask\": 4294967296}"), "shapes[0].mask: expected a whole number of 32 bits"},
        {"{\"bodies\": [], \"exclusions\": 1}", "exclusions: expected an array"},
        {"{\"bodies\": [], \"exclusions\": [1]}", "exclusions[0]: expected an object"},
        {"{\"bodies\": [], \"exclusions\": [{\"body_a\": 0}]}", "exclusions[0].body_a: 0 is not from -1 to -1"},
        {"{\"bodies\": [], \"exclusions\": [{\"body_a\": -1}]}", "exclusions[0].body_b: expected a whole number"},
        {"{\"bodies\": [], \"loops\": {}}", "loops: expected an array"},
        {LOOPS("3"), "loops[0]: expected an object"},
        {LOOPS("{}"), "loops[0].name: missing"},
        {LOOPS("{\"name\": \"l\"}"), "loops[0].type: missing"},
        {LOOPS("{\"name\": \"l\", \"type\": \"fixe\"}"), "loops[0].type: unknown joint type 'fixe' (did you mean 'fixed'?); write fixed, revolute"},
        {LOOPS("{\"name\": \"l\", \"type\": \"revolute\"}"), "loops[0].axis: expected 3 numbers"},
        {LOOPS("{\"name\": \"l\", \"type\": \"universal\"" AXIS "}"), "loops[0].axis2: expected 3 numbers"},
        {LOOPS("{\"name\": \"l\", \"type\": \"helical\"" AXIS "}"), "loops[0].pitch: expected a number"},
        {PIN(""), "loops[0].body_a: expected a whole number, got nothing"},
        {PIN(", \"body_a\": 2"), "loops[0].body_a: 2 is not from -1 to 1"},
        {PIN(", \"body_a\": 0, \"link_a\": \"x\""), "loops[0].link_a: there is no link 'x' on body 0"},
        {PIN(", \"body_a\": 0, \"body_b\": \"b\""), "loops[0].body_b: expected a whole number"},
        {PIN(", \"body_a\": 0, \"body_b\": 1, \"link_b\": \"a\""), "loops[0].link_b: there is no link 'a' on body 1"},
        {PIN(", \"body_a\": 0, \"body_b\": 1, \"pose_a\": {}"), "loops[0].pose_a.R: expected 9"},
        {PIN(", \"body_a\": 0, \"body_b\": 1, \"pose_b\": {\"R\": [1,0,0,0,1,0,0,0,1]}"), "loops[0].pose_b.p: expected 3"},
        {PIN(", \"body_a\": 0, \"body_b\": 1, \"t_s\": \"x\""), "loops[0].t_s: expected a number"},
        {PIN(", \"body_a\": 0, \"body_b\": 1, \"t_s\": -1"), "loop 'pin': the stabilisation time t_s"},
        {PIN(", \"body_a\": 0, \"body_b\": 0"), "loop 'pin' holds 'a' and 'a', which are parts of one body"},
        {PIN(", \"body_a\": 0, \"body_b\": 1}, {\"name\": \"pin\", \"type\": \"spherical\", \"body_a\": 0, \"body_b\": 1"), "there is another loop 'pin'"},
    };
    // clang-format on
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        loaded* l = load_json(cases[i].text);
        CHECK_FAILS(l, 0, cases[i].error);
        assert_string_equal(l->error.file, "model.json");
        loaded_free(l);
    }
}

static void mistakes_of_syntax_have_line_and_column(void** state) {
    (void)state;
    loaded* l = load_json("{\n\"bodies\": [\n  1 2]}");
    CHECK_FAILS(l, 3, "not valid JSON");
    assert_true(l->error.column > 0);
    loaded_free(l);
    l = load_json("{\"bodies\": [],\n\"bodies\": []}");
    CHECK_FAILS(l, 2, "duplicate");
    loaded_free(l);
    l = load_json("{\"bodies\": [1e999]}");
    CHECK_FAILS(l, 1, "not valid JSON");
    loaded_free(l);
    l = load_json("{\"bodies\": []} x");
    CHECK_FAILS(l, 1, "not valid JSON");
    loaded_free(l);
}

static void a_rotation_that_is_slightly_off_is_kept_as_it_is(void** state) {
    (void)state;
    loaded* l = load_json(
        "{\"bodies\": [{\"joint\": \"a\", \"parent\": -1, \"type\": \"free\", "
        "\"placement\": {\"R\": [1,0,0,0,1,0,0,0,1.0000001], \"p\": [0,0,0]}, " INERTIA "}]}");
    CHECK_LOADS(l);
    CHECK_NEAR(sn_model_body(l->model, sn_body(0)).placement.R.m[2][2], 1.0000001, 0, 0);
    loaded_free(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_joint_type_is_read),
        cmocka_unit_test(quaternions_are_xyzw_and_free_joints_linear_first_in_files),
        cmocka_unit_test(bodies_are_named_by_name_link_or_joint),
        cmocka_unit_test(unknown_keys_are_warned_about_once),
        cmocka_unit_test(a_wish_for_a_free_base_is_refused_aloud),
        cmocka_unit_test(a_model_may_have_no_moving_bodies),
        cmocka_unit_test(shapes_are_read_with_defaults),
        cmocka_unit_test(surfaces_are_read_with_defaults),
        cmocka_unit_test(every_model_of_the_vectors_loads),
        cmocka_unit_test(loops_are_read_with_defaults),
        cmocka_unit_test(models_with_all_a_model_can_have_come_back_exactly),
        cmocka_unit_test(generated_models_come_back_exactly),
        cmocka_unit_test(robots_come_back_exactly),
        cmocka_unit_test(a_name_that_is_not_utf8_cannot_be_written),
        cmocka_unit_test(every_mistake_is_named_by_its_path),
        cmocka_unit_test(mistakes_of_syntax_have_line_and_column),
        cmocka_unit_test(a_rotation_that_is_slightly_off_is_kept_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
