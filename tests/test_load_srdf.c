// SPDX-License-Identifier: Apache-2.0
// SRDF: pairs of links that never touch, and what is said about the rest of the file.
#define _XOPEN_SOURCE 700 // mkdtemp
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/loading.h"

#define BODY                                                                                       \
    "<inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"        \
    "</inertial>"
#define LINK(name) "<link name='" name "'>" BODY "</link>"
#define JOINT(type, parent, child)                                                                 \
    "<joint name='" parent child "' type='" type "'><parent link='" parent                         \
    "'/><child link='" child "'/></joint>"

/// The world is base; shoulder, elbow and hand move, tool is fixed to the hand.
static const char ARM[] =
    "<robot name='arm'>" LINK("base") LINK("shoulder") LINK("elbow") LINK("hand") LINK("tool")
        JOINT("continuous", "base", "shoulder") JOINT("continuous", "shoulder", "elbow")
            JOINT("continuous", "elbow", "hand") JOINT("fixed", "hand", "tool") "</robot>";

/// The arm with an SRDF of that text.
static loaded* load_arm(const char* srdf) {
    char folder[64], path[96], command[128];
    make_scratch_folder(folder);
    snprintf(path, sizeof path, "%s/arm.srdf", folder);
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(srdf, file);
    fclose(file);
    sn_load_def def = sn_load_def_default();
    def.srdf = path;
    loaded* l = load_bytes(ARM, strlen(ARM), "arm.urdf", def);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    return l;
}

static bool excludes(const sn_model* model, int a, int b) {
    for (int i = 0; i < sn_model_exclusion_count(model); i++) {
        sn_exclusion pair = sn_model_exclusion(model, i);
        if (pair.a.i == a && pair.b.i == b) return true;
    }
    return false;
}

static void pairs_of_links_become_pairs_of_bodies(void** state) {
    (void)state;
    loaded* l = load_arm("<robot name='arm'>\n"
                         "<group name='g'><link name='hand'/></group>\n"
                         "<disable_collisions link1='shoulder' link2='elbow' reason='Adjacent'/>\n"
                         "<disable_collisions link1='tool' link2='shoulder' reason='Never'/>\n"
                         "<disable_collisions link1='elbow' link2='base'/>\n"
                         "</robot>");
    CHECK_LOADS(l);
    assert_int_equal(l->warning_count, 0);
    assert_int_equal(sn_model_exclusion_count(l->model), 3);
    assert_true(excludes(l->model, 0, 1));
    assert_true(excludes(l->model, 0, 2)); // the tool is part of the hand
    assert_true(excludes(l->model, -1, 1));
    loaded_free(l);
}

static void unknown_links_and_elements_are_warned_about_with_their_line(void** state) {
    (void)state;
    loaded* l = load_arm("<robot name='leg'>\n"
                         "<disable_collisions link1='shoulder' link2='elbo'/>\n"
                         "<disable_collisions link1='elbo' link2='hand'/>\n"
                         "<disable_collisions link1='hand' link2='shoulder'/>\n"
                         "<enable_collisions link1='hand' link2='shoulder'/>\n"
                         "<group_state name='s' group='g'/>\n"
                         "</robot>");
    CHECK_LOADS(l);
    assert_int_equal(sn_model_exclusion_count(l->model), 1);
    CHECK_WARNED(l, 1, "for the robot 'leg', the model is 'arm'");
    CHECK_WARNED(l, 2, "'elbo', which the model does not have (did you mean 'elbow'?)");
    CHECK_WARNED(l, 5, "<enable_collisions> is not used");
    assert_int_equal(l->warning_count, 3);
    assert_non_null(strstr(l->warnings[0].file, "arm.srdf"));
    loaded_free(l);
}

static void what_is_wrong_with_the_file_is_an_error_in_it(void** state) {
    (void)state;
    static const struct {
        const char *text, *reason;
        int line;
    } cases[] = {
        {"<robot>\n<disable_collisions link1='hand'/></robot>", "no attribute 'link2'", 2},
        {"<robot>\n", "not well-formed XML", 0},
        {"<srdf/>", "the root element is <srdf>, not <robot>", 1},
        {"", "not well-formed XML", 0},
        {"<!DOCTYPE r [<!ENTITY a 'b'>]><robot/>", "entities are not allowed", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        loaded* l = load_arm(cases[i].text);
        CHECK_FAILS(l, cases[i].line, cases[i].reason);
        assert_non_null(strstr(l->error.file, "arm.srdf"));
        loaded_free(l);
    }
    sn_load_def def = sn_load_def_default();
    def.srdf = "/not/there.srdf";
    loaded* l = load_bytes(ARM, strlen(ARM), "arm.urdf", def);
    CHECK_FAILS(l, 0, "no such file");
    assert_string_equal(l->error.file, "/not/there.srdf");
    loaded_free(l);
}

/// The model is compiled twice; what the compiler warns about is said once.
static void warnings_of_the_model_are_said_once(void** state) {
    (void)state;
    static const char text[] =
        "<robot name='arm'><link name='base'><inertial><mass value='1'/>"
        "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='9'/></inertial></link></robot>";
    char folder[64], path[96], command[128];
    make_scratch_folder(folder);
    snprintf(path, sizeof path, "%s/arm.srdf", folder);
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs("<robot name='arm'/>", file);
    fclose(file);
    sn_load_def def = sn_load_def_default();
    def.srdf = path;
    def.base = SN_BASE_FREE;
    loaded* l = load_bytes(text, strlen(text), "arm.urdf", def);
    CHECK_LOADS(l);
    CHECK_WARNED(l, 0, "triangle inequality");
    assert_int_equal(l->warning_count, 1);
    loaded_free(l);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_links_become_pairs_of_bodies),
        cmocka_unit_test(unknown_links_and_elements_are_warned_about_with_their_line),
        cmocka_unit_test(what_is_wrong_with_the_file_is_an_error_in_it),
        cmocka_unit_test(warnings_of_the_model_are_said_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
