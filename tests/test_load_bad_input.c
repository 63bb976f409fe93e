// SPDX-License-Identifier: Apache-2.0
// Nothing a file may hold makes the loader crash, hang or give a model that is silently wrong.
#define _XOPEN_SOURCE 700 // mkdtemp, mkfifo
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/loading.h"
#include "support/random_state.h"

#define BODY                                                                                       \
    "<inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"        \
    "</inertial>"
#define LINK(name) "<link name='" name "'>" BODY "</link>\n"
#define JOINT(name, parent, child)                                                                 \
    "<joint name='" name "' type='continuous'><parent link='" parent "'/><child link='" child      \
    "'/></joint>\n"
#define ROBOT(inside) "<robot name='r'>\n" inside "</robot>"

static loaded* load(const char* text) { return load_text(text, SN_BASE_AS_FILE); }

static void check_table(const char* const (*cases)[2], size_t count, int line) {
    for (size_t i = 0; i < count; i++) {
        loaded* l = load(cases[i][0]);
        CHECK_FAILS(l, line, cases[i][1]);
        assert_string_equal(l->error.file, "test.urdf");
        loaded_free(l);
    }
}
#define CHECK_TABLE(cases, line) check_table(cases, sizeof cases / sizeof cases[0], line)

// ---- robots that are none -----------------------------------------------------------------------

static void trees_that_are_none_are_refused_by_name_and_line(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int line;
        const char* error;
    } cases[] = {
        {ROBOT(""), 1, "no <link>"},
        {ROBOT(LINK("a") LINK("b") LINK("a")), 4,
         "link 'a' is defined twice, in line 2 and in line 4"},
        {ROBOT(LINK("a") LINK("b") LINK("c") JOINT("j", "a", "b") JOINT("j", "a", "c")), 6,
         "joint 'j' is defined twice, in line 5 and in line 6"},
        {ROBOT(LINK("left_hand") LINK("b") JOINT("j", "left_hadn", "b")), 4,
         "parent link 'left_hadn', which does not exist; did you mean 'left_hand'?"},
        {ROBOT(LINK("a") LINK("b") JOINT("j", "a", "elsewhere")), 4,
         "child link 'elsewhere', which does not exist; add"},
        {ROBOT(LINK("a") LINK("b") LINK("c") JOINT("i", "a", "c") JOINT("j", "b", "c")), 6,
         "link 'c' is the child of two joints, 'i' (line 5) and 'j'"},
        {ROBOT(LINK("a") LINK("b") JOINT("i", "a", "b") JOINT("j", "b", "a")), 0, "form a loop"},
        {ROBOT(LINK("a") JOINT("i", "a", "a")), 2,
         "form a loop, each the child of the next: a -> a"},
        {ROBOT(LINK("o") LINK("a") LINK("b") LINK("c") JOINT("i", "a", "b") JOINT("j", "b", "c")
                   JOINT("k", "c", "a")),
         0, "form a loop"},
        {ROBOT(LINK("a") LINK("b") LINK("c") JOINT("i", "a", "b")), 4,
         "2 links have no parent joint: a, c;"},
        {ROBOT("<link/>"), 2, "<link> has no attribute 'name'"},
        {ROBOT("<link name=''/>"), 2, "<link> has an empty attribute 'name'"},
        {ROBOT(LINK("a") "<joint type='fixed'/>"), 3, "<joint> has no attribute 'name'"},
        {ROBOT(LINK("a") "<joint name='j' type='fixed'/>"), 3, "joint 'j' has no <parent>"},
        {ROBOT(LINK("a") "<joint name='j' type='fixed'><parent link='a'/></joint>"), 3,
         "joint 'j' has no <child>"},
        {ROBOT(LINK("a") "<joint name='j' type='fixed'><parent/><child link='a'/></joint>"), 3,
         "<parent> has no attribute 'link'"},
        {ROBOT(LINK("a") LINK("b") "<joint name='j'><parent link='a'/><child link='b'/></joint>"),
         4, "<joint> has no attribute 'type'"},
        {ROBOT(LINK("a") LINK("b") "<joint name='j' type='revolut'><parent link='a'/><child "
                                   "link='b'/></joint>"),
         4, "unknown type 'revolut' (did you mean 'revolute'?)"},
        {ROBOT(LINK("a") LINK("b") "<joint name='j' type='screw'><parent link='a'/><child "
                                   "link='b'/></joint>"),
         4, "unknown type 'screw'; write revolute"},
        {"<mujoco/>", 1, "MJCF is not read yet"},
        {"<sdf/>", 1, "SDF is not read"},
        {"<html xmlns='x'/>", 1, "the root element is <html>"},
        {"<x:robot xmlns:x='x'/>", 1, "the root element is <x:robot>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        loaded* l = load(cases[i].text);
        CHECK_FAILS(l, cases[i].line, cases[i].error);
        loaded_free(l);
    }
}

static void wrong_numbers_are_refused_with_attribute_and_line(void** state) {
    (void)state;
#define MASS(value)                                                                                \
    ROBOT("<link name='a'>\n<inertial>\n<mass value='" value                                       \
          "'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>")
    static const char* const cases[][2] = {
        {MASS("1,5"), "attribute 'value' of <mass>: '1,5' is not a number; write it as"},
        {MASS("0x10"), "'0x10' is not a number"},
        {MASS("nan"), "'nan' is not a number"},
        {MASS("inf"), "'inf' is not a number"},
        {MASS("-infinity"), "'-infinity' is not a number"},
        {MASS("1e400"), "'1e400' is too large"},
        {MASS("1e"), "'1e' is not a number"},
        {MASS("1e+"), "'1e+' is not a number"},
        {MASS("."), "'.' is not a number"},
        {MASS("-"), "'-' is not a number"},
        {MASS("--1"), "'--1' is not a number"},
        {MASS("1.0kg"), "'1.0kg' is not a number"},
        {MASS("1.0f"), "'1.0f' is not a number"},
        {MASS("1.2.3"), "'1.2.3' is not a number"},
        {MASS("${mass}"), "'${mass}' is not a number"},
        {MASS("1 2"), "has more than 1 number; write exactly 1"},
        {MASS(" "), "has 0 numbers; write exactly 1"},
        {MASS(""), "<mass> has an empty attribute 'value'"},
        {MASS("-1"), "mass -1 is negative"},
    };
    CHECK_TABLE(cases, 4);
    static const char* const right[] = {MASS("+1"),        MASS("1."),     MASS(".5"),
                                        MASS("\n 1E-3\t"), MASS("1e-400"), MASS("0000001"),
                                        MASS("&#49;")};
#undef MASS
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        loaded* l = load(right[i]);
        CHECK_LOADS(l);
        loaded_free(l);
    }
}

static void wrong_contents_of_elements_are_refused(void** state) {
    (void)state;
#define IN_LINK(inside) ROBOT("<link name='a'>" inside "</link>")
#define SHAPE(inside) IN_LINK("<collision><geometry>" inside "</geometry></collision>")
#define IN_JOINT(inside)                                                                           \
    ROBOT("<link name='a'/><link name='b'>" BODY "</link><joint name='j' type='revolute'><parent " \
          "link='a'/><child link='b'/>" inside "</joint>")
    static const char* const cases[][2] = {
        {IN_LINK("<inertial/>"), "<inertial> has no <mass>"},
        {IN_LINK("<inertial><mass value='1'/></inertial>"), "<inertial> has no <inertia>"},
        {IN_LINK("<inertial><mass/><inertia/></inertial>"), "<mass> has no attribute 'value'"},
        {IN_LINK("<inertial><mass value='1'/><inertia ixx='1' iyy='1'/></inertial>"),
         "<inertia> has no attribute 'izz'"},
        {IN_LINK("<inertial><origin xyz='1 2'/><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
                 "</inertial>"),
         "attribute 'xyz' of <origin> has 2 numbers; write exactly 3"},
        {IN_LINK(
             "<inertial><origin rpy='1 2 x'/><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
             "</inertial>"),
         "attribute 'rpy' of <origin>: 'x' is not a number"},
        {SHAPE("<box/>"), "<box> has no attribute 'size'"},
        {SHAPE("<box size='1 2'/>"), "attribute 'size' of <box> has 2 numbers"},
        {SHAPE("<box size='1 2 -3'/>"), "negative size"},
        {SHAPE("<sphere radius='-1'/>"), "negative size"},
        {SHAPE("<sphere/>"), "<sphere> has no attribute 'radius'"},
        {SHAPE("<cylinder radius='1'/>"), "<cylinder> has no attribute 'length'"},
        {SHAPE("<capsule length='1'/>"), "<capsule> has no attribute 'radius'"},
        {SHAPE("<mesh/>"), "<mesh> has no attribute 'filename'"},
        {SHAPE("<mesh filename='a' scale='1'/>"), "attribute 'scale' of <mesh> has 1 number;"},
        {ROBOT("<link name='a'/><material name='m'><color rgba='1 1 1'/></material>"),
         "attribute 'rgba' of <color> has 3 numbers"},
        {ROBOT("<link name='a'/><material name='m'><color/></material>"),
         "<color> has no attribute 'rgba'"},
        {IN_JOINT("<axis/>"), "<axis> has no attribute 'xyz'"},
        {IN_JOINT("<axis xyz='0 0 0'/>"), "axis 0 0 0"},
        {IN_JOINT("<limit lower='a'/>"), "attribute 'lower' of <limit>"},
        {IN_JOINT("<limit upper='a'/>"), "attribute 'upper' of <limit>"},
        {IN_JOINT("<limit effort='inf'/>"), "attribute 'effort' of <limit>"},
        {IN_JOINT("<limit velocity='1 1'/>"), "attribute 'velocity' of <limit>"},
        {IN_JOINT("<dynamics damping='-1'/>"), "negative damping"},
        {IN_JOINT("<dynamics friction='-1'/>"), "negative friction"},
        {IN_JOINT("<dynamics friction='x'/>"), "attribute 'friction' of <dynamics>"},
    };
    CHECK_TABLE(cases, 2);
#undef SHAPE
#undef IN_LINK
#undef IN_JOINT
}

static void a_mesh_name_longer_than_a_path_is_refused(void** state) {
    (void)state;
    static char text[8192];
    sprintf(text,
            "<robot name='r'><link name='a'><visual><geometry><mesh filename='%05000d'/>"
            "</geometry></visual></link></robot>",
            1);
    loaded* l = load(text);
    CHECK_FAILS(l, 1, "longer than 4095 characters");
    loaded_free(l);
}

// ---- texts that are none ------------------------------------------------------------------------

static void texts_that_are_not_xml_are_refused(void** state) {
    (void)state;
    static const char* const cases[][2] = {
        {"", "empty"},
        {" \n\t", "empty"},
        {"\xef\xbb\xbf", "empty"},
        {"hello", "neither XML nor JSON"},
        {"\x7f"
         "ELF",
         "neither XML nor JSON"},
        {"\xff\xfe<", "UTF-16"},
        {"<", "not well-formed XML"},
        {"<robot", "not well-formed XML"},
        {"<robot name='r'>", "not well-formed XML"},
        {"<robot></link>", "not well-formed XML"},
        {"<robot name='a' name='b'/>", "not well-formed XML"},
        {"<robot name='\xff'/>", "not well-formed XML"},
        {"<robot>&nothing;</robot>", "not well-formed XML"},
        {"<robot/>text", "after the end of the root element"},
        {"<robot/><robot/>", "after the end of the root element"},
        {"<!-- only a comment -->", "not well-formed XML"},
        {"<?xml version='1.0' encoding='no-such-code'?><robot/>", "not well-formed XML"},
    };
    CHECK_TABLE(cases, 0);
}

static void mistakes_of_xml_have_line_and_column(void** state) {
    (void)state;
    loaded* l = load("<robot name='r'>\n  <link name='a'>\n  </lnk>\n</robot>");
    CHECK_FAILS(l, 3, "link line 2 and lnk");
    assert_true(l->error.column > 1);
    loaded_free(l);
}

static void a_zero_byte_inside_is_refused(void** state) {
    (void)state;
    static const char text[] = "<robot name='r'>\n\0<link name='a'/></robot>";
    loaded* l = load_bytes(text, sizeof text - 1, "zero.urdf", sn_load_def_default());
    CHECK_FAILS(l, 2, "zero byte in the middle");
    loaded_free(l);
}

static void entities_are_refused_before_they_grow(void** state) {
    (void)state;
    static const char* const cases[][2] = {
        {"<!DOCTYPE robot [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"
         "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'>]><robot name='&c;'><link name='a'/></robot>",
         "entities are not allowed"},
        {"<!DOCTYPE robot [<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;]><robot/>",
         "entities are not allowed"},
        {"<!DOCTYPE robot [<!ENTITY p SYSTEM 'file:///etc/passwd'>]><robot name='r'>&p;<link "
         "name='a'/></robot>",
         "entities are not allowed"},
    };
    CHECK_TABLE(cases, 1);
    loaded* l = load("<!DOCTYPE robot SYSTEM 'http://127.0.0.1:9/robot.dtd'><robot name='r'><link "
                     "name='a&lt;&#66;&amp;'/></robot>");
    CHECK_LOADS(l); // nothing is fetched
    assert_true(sn_model_find_frame(l->model, "a<B&").i >= 0);
    loaded_free(l);
}

static void depth_is_bounded(void** state) {
    (void)state;
    char* text = repeated("<robot name='r'>", "<a>", 1000000, "");
    loaded* l = load(text);
    CHECK_FAILS(l, 1, "nested more than 256 deep");
    loaded_free(l);
    free(text);
    text = repeated("{\"bodies\": ", "[", 1000000, "");
    l = load(text);
    CHECK_FAILS(l, 1, "not valid JSON");
    loaded_free(l);
    free(text);
}

static void absurd_attributes_are_refused_quickly(void** state) {
    (void)state;
    char* text = repeated("<robot name='r' ", "x=\"\" ", 200000, "/>");
    loaded* l = load(text);
    CHECK_FAILS(l, 1, "more than 100 attributes");
    loaded_free(l);
    free(text);
    // An equals sign in a value, a comment or text is none.
    text = repeated("<robot name='r'><!-- ", "=", 1000, " --><link name='a>===='/>======</robot>");
    l = load(text);
    CHECK_LOADS(l);
    loaded_free(l);
    free(text);
}

static void a_flood_of_warnings_is_cut_short(void** state) {
    (void)state;
    static char text[8192];
    int used = sprintf(text, "<robot name='r'><link name='a'/>");
    for (int i = 0; i < 200; i++) used += sprintf(text + used, "<x%d/>", i);
    sprintf(text + used, "</robot>");
    loaded* l = load(text);
    CHECK_LOADS(l);
    assert_int_equal(l->warning_count, 65);
    CHECK_WARNED(l, 1, "<x0>");
    CHECK_WARNED(l, 1, "<x63>");
    CHECK_WARNED(l, 0, "136 further warnings are left out");
    loaded_free(l);
}

// ---- files that are none ------------------------------------------------------------------------

static void check_path(const char* path, const char* text) {
    loaded* l = load_file(path, SN_BASE_AS_FILE);
    CHECK_FAILS(l, 0, text);
    assert_int_equal(l->status, SN_ERR_FILE);
    assert_string_equal(l->error.file, path);
    loaded_free(l);
}

static void what_is_not_a_plain_file_is_refused(void** state) {
    (void)state;
    char folder[64], path[80];
    make_scratch_folder(folder);
    check_path(folder, "is a folder");
    check_path("/dev/zero", "not a regular file");
    snprintf(path, sizeof path, "%s/none.urdf", folder);
    check_path(path, "no such file");
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    check_path(path, "not a regular file");
    unlink(path);
    snprintf(path, sizeof path, "%s/empty.urdf", folder);
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    loaded* l = load_file(path, SN_BASE_AS_FILE);
    CHECK_FAILS(l, 0, "empty");
    loaded_free(l);
    // One byte more than 256 MB, none of them on the disk.
    assert_int_equal(ftruncate(fileno(file), ((off_t)256 << 20) + 1), 0);
    fclose(file);
    check_path(path, "larger than 256 MB");
    unlink(path);
    rmdir(folder);
}

static void bad_arguments_are_refused(void** state) {
    (void)state;
    sn_model* model;
    sn_error error;
    CHECK_STATUS(sn_model_load(NULL, NULL, &model, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_model_load("x", NULL, NULL, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_model_load_memory(NULL, 3, NULL, NULL, &model, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_model_load_memory(NULL, 0, NULL, NULL, &model, &error), SN_ERR_FORMAT);
    assert_string_equal(error.file, "memory");
    CHECK_STATUS(sn_model_load_memory("<robot/>", 8, NULL, NULL, &model, NULL), SN_ERR_FORMAT);
    assert_null(model);
    sn_text_free(NULL);
}

// ---- cut, damaged -------------------------------------------------------------------------------

static sn_load_def quiet(void) {
    sn_load_def def = sn_load_def_default();
    def.check_meshes = false;
    return def;
}

/// Loads whatever it is; true when it became a model.
static bool survives(const char* text, size_t length) {
    loaded* l = load_bytes(text, length, "cut", quiet());
    bool loads = l->status == SN_OK;
    assert_true(loads == (l->model != NULL));
    if (!loads) assert_true(l->error.text[0] && l->error.file[0]);
    loaded_free(l);
    return loads;
}

static const char small_urdf[] =
    "<?xml version='1.0'?>\n<robot name='r'>\n<!-- c -->\n<material name='m'><color rgba='1 0 0 "
    "1'/>"
    "</material>\n" LINK(
        "a") "<link name='b'>" BODY "<visual><origin xyz='0 0 1' rpy='0 1 0'/><geometry><box "
             "size='1 2 3'/></geometry><material "
             "name='m'/></visual><collision><geometry><mesh "
             "filename='package://p/m.stl'/></geometry>"
             "</collision></link>\n<joint name='j' type='revolute'><parent link='a'/><child "
             "link='b'/><axis "
             "xyz='0 0 1'/><limit lower='-1' upper='1' effort='2' velocity='3'/></joint>\n</robot>";

static void a_urdf_cut_anywhere_gives_an_error(void** state) {
    (void)state;
    size_t length = strlen(small_urdf);
    for (size_t cut = 0; cut < length; cut++) assert_false(survives(small_urdf, cut));
    assert_true(survives(small_urdf, length));
}

static void the_humanoid_cut_anywhere_gives_an_error(void** state) {
    (void)state;
    size_t length;
    char* text = read_whole_file(SN_TEST_MODELS_DIR "/hrp2.urdf", &length);
    assert_non_null(text);
    while (length > 0 && text[length - 1] != '>') length--;
    for (size_t cut = 0; cut < length; cut += 211) assert_false(survives(text, cut));
    assert_true(survives(text, length));
    free(text);
}

static void a_json_model_cut_anywhere_gives_an_error(void** state) {
    (void)state;
    sn_model* model = test_generate(SN_GENERATE_RANDOM, 5, 3, true, true, test_units_si());
    char* text;
    CHECK_STATUS(sn_model_to_json(model, &text, NULL), SN_OK);
    size_t length = strlen(text) - 1; // without the last newline
    for (size_t cut = 0; cut < length; cut++) assert_false(survives(text, cut));
    assert_true(survives(text, length));
    sn_text_free(text);
    sn_model_free(model);
}

static void damaged_and_random_bytes_never_crash(void** state) {
    (void)state;
    uint64_t seed = test_seed();
    test_rng rng = test_rng_make(seed);
    sn_model* model = test_generate(SN_GENERATE_RANDOM, 3, 5, true, true, test_units_si());
    char* json;
    CHECK_STATUS(sn_model_to_json(model, &json, NULL), SN_OK);
    const char* originals[] = {small_urdf, json};
    char bytes[8192];
    for (int i = 0; i < 4000; i++) {
        const char* original = originals[i % 2];
        size_t length = strlen(original);
        assert_true(length < sizeof bytes);
        memcpy(bytes, original, length);
        int edits = 1 + test_index(&rng, 4);
        for (int k = 0; k < edits; k++) {
            static const char alphabet[] = "<>&'\"/=! 0-e.{}[],:\n";
            char c = test_chance(&rng, 0.5) ? (char)test_index(&rng, 256)
                                            : alphabet[test_index(&rng, (int)sizeof alphabet)];
            bytes[test_index(&rng, (int)length)] = c;
        }
        survives(bytes, length);
    }
    for (int i = 0; i < 1000; i++) {
        int length = test_index(&rng, 200);
        for (int k = 0; k < length; k++) bytes[k] = (char)test_index(&rng, 256);
        if (length > 0) bytes[0] = "<{[ "[i % 4];
        survives(bytes, (size_t)length);
    }
    sn_text_free(json);
    sn_model_free(model);
}

// ---- language -----------------------------------------------------------------------------------

static void a_comma_locale_changes_nothing(void** state) {
    (void)state;
    use_comma_locale();
    char comma[8];
    snprintf(comma, sizeof comma, "%.1f", 0.5);
    assert_string_equal(comma, "0,5");
    loaded* l = load(ROBOT(
        "<link name='a'/><link name='b'><inertial><mass value='0.5'/><inertia "
        "ixx='1.5' ixy='0' ixz='0' iyy='1.5' iyz='0' izz='1.5'/></inertial></link>" JOINT("j", "a",
                                                                                          "b")));
    CHECK_LOADS(l);
    CHECK_NEAR(sn_model_mass(l->model), 0.5, 0, 0);
    char* text;
    CHECK_STATUS(sn_model_to_json(l->model, &text, NULL), SN_OK);
    assert_non_null(strstr(text, "\"mass\": 0.5,"));
    loaded* again = load(text);
    CHECK_LOADS(again);
    check_same_model(l->model, again->model, 0);
    loaded_free(again);
    loaded_free(l);
    sn_text_free(text);
    l = load(ROBOT("<link name='a'><inertial><mass value='0,5'/><inertia ixx='1' iyy='1' izz='1'/>"
                   "</inertial></link>"));
    CHECK_FAILS(l, 2, "'0,5' is not a number");
    loaded_free(l);
    // The caller's own locale is as it was.
    snprintf(comma, sizeof comma, "%.1f", 0.5);
    assert_string_equal(comma, "0,5");
    setlocale(LC_ALL, "C");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_that_are_none_are_refused_by_name_and_line),
        cmocka_unit_test(wrong_numbers_are_refused_with_attribute_and_line),
        cmocka_unit_test(wrong_contents_of_elements_are_refused),
        cmocka_unit_test(a_mesh_name_longer_than_a_path_is_refused),
        cmocka_unit_test(texts_that_are_not_xml_are_refused),
        cmocka_unit_test(mistakes_of_xml_have_line_and_column),
        cmocka_unit_test(a_zero_byte_inside_is_refused),
        cmocka_unit_test(entities_are_refused_before_they_grow),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(absurd_attributes_are_refused_quickly),
        cmocka_unit_test(a_flood_of_warnings_is_cut_short),
        cmocka_unit_test(what_is_not_a_plain_file_is_refused),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(a_urdf_cut_anywhere_gives_an_error),
        cmocka_unit_test(the_humanoid_cut_anywhere_gives_an_error),
        cmocka_unit_test(a_json_model_cut_anywhere_gives_an_error),
        cmocka_unit_test(damaged_and_random_bytes_never_crash),
        cmocka_unit_test(a_comma_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
