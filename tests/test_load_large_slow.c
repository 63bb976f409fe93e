// SPDX-License-Identifier: Apache-2.0
// Files at the limits of size: what is large but right loads in seconds, what is too large is
// refused before it takes all memory.
#define _XOPEN_SOURCE 700 // clock_gettime
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "support/loading.h"

#define BODY                                                                                       \
    "<inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"        \
    "</inertial>"

static sn_load_def quiet(void) {
    sn_load_def def = sn_load_def_default();
    def.check_meshes = false;
    return def;
}

static void too_many_parts_are_refused(void** state) {
    (void)state;
    char* text = repeated("<robot name='r'>", "<a/>", 8000001, "</robot>");
    loaded* l = load_text(text, SN_BASE_AS_FILE);
    CHECK_FAILS(l, 1, "more than 8 million elements");
    loaded_free(l);
    free(text);
    text = repeated("{\"bodies\": [1", ",1", 12000001, "]}");
    l = load_text(text, SN_BASE_AS_FILE);
    CHECK_FAILS(l, 0, "more than 12 million values");
    loaded_free(l);
    free(text);
}

/// Of processor time: other programs on the machine do not count.
static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void a_chain_of_100000_joints_loads_in_seconds(void** state) {
    (void)state;
    enum { COUNT = 100000 };
    char* text = malloc((size_t)COUNT * 400);
    assert_non_null(text);
    char* at = text + sprintf(text, "<robot name='chain'>\n<link name='l0'/>\n");
    for (int i = 1; i <= COUNT; i++)
        at += sprintf(at,
                      "<link name='l%d'>" BODY "</link><joint name='j%d' type='revolute'><origin "
                      "xyz='0 0 1'/><parent link='l%d'/><child link='l%d'/><axis xyz='0 1 0'/>"
                      "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>\n",
                      i, i, i - 1, i);
    at += sprintf(at, "</robot>");
    double start = seconds();
    loaded* l = load_bytes(text, (size_t)(at - text), "chain.urdf", quiet());
    double read = seconds() - start;
    CHECK_LOADS(l);
    assert_int_equal(sn_model_body_count(l->model), COUNT);
    assert_string_equal(sn_model_body(l->model, sn_body(COUNT - 1)).name, "l100000");
    free(text);

    CHECK_STATUS(sn_model_to_json(l->model, &text, NULL), SN_OK);
    start = seconds();
    loaded* again = load_bytes(text, strlen(text), "chain.json", quiet());
    print_message("URDF %.2f s, JSON %.2f s\n", read, seconds() - start);
    CHECK_LOADS(again);
    check_same_model(l->model, again->model, 0);
    assert_true(read < 30); // a second or two; sanitizers are slow
    sn_text_free(text);
    loaded_free(again);
    loaded_free(l);
}

static void a_star_and_a_loop_of_100000_joints_are_no_trouble(void** state) {
    (void)state;
    enum { COUNT = 100000 };
    char* text = malloc((size_t)COUNT * 200);
    assert_non_null(text);
    for (int loop = 0; loop < 2; loop++) {
        char* at = text + sprintf(text, "<robot name='r'>\n<link name='l0'/>\n");
        for (int i = 1; i <= COUNT; i++)
            at += sprintf(at,
                          "<link name='l%d'/><joint name='j%d' type='fixed'><parent link='l%d'/>"
                          "<child link='l%d'/></joint>\n",
                          i, i, loop ? (i == 1 ? COUNT : i - 1) : 0, i);
        sprintf(at, "</robot>");
        loaded* l = load_text(text, SN_BASE_AS_FILE);
        if (loop) {
            CHECK_FAILS(l, 0, "form a loop");
        } else {
            CHECK_LOADS(l);
            assert_int_equal(sn_model_frame_count(l->model), COUNT + 1);
        }
        loaded_free(l);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_many_parts_are_refused),
        cmocka_unit_test(a_chain_of_100000_joints_loads_in_seconds),
        cmocka_unit_test(a_star_and_a_loop_of_100000_joints_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
