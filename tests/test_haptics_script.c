// SPDX-License-Identifier: Apache-2.0
// Hand scripts: minimum jerk between knots, and a text format whose errors name the line.
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "sinew/simulated_device.h"
#include "support/check.h"

static sn_hand_script* parse(const char* text) {
    sn_hand_script* script;
    sn_error error;
    CHECK_STATUS(sn_hand_script_parse(text, strlen(text), "hand.txt", &script, &error), SN_OK);
    return script;
}

static void a_hand_moves_with_minimum_jerk_and_rests_at_its_knots(void** state) {
    (void)state;
    for (uint64_t c = 0; c < 50; c++) {
        uint64_t seed = test_case_seed(1, c);
        sni_rng rng = {seed};
        sn_hand_knot knots[3];
        memset(knots, 0, sizeof knots);
        for (int i = 0; i < 3; i++) {
            knots[i].time = i + sni_rng_uniform(&rng, 0, 0.5);
            double x[6];
            for (int k = 0; k < 6; k++) x[k] = sni_rng_uniform(&rng, -1, 1);
            knots[i].pose.p = sn_vec3_make(x[0], x[1], x[2]);
            knots[i].pose.R = sn_quat_matrix(sn_quat_exp(sn_vec3_make(x[3], x[4], x[5])));
        }
        sn_hand_script* script;
        sn_hand_intent a, b, m;
        CHECK_STATUS(sn_hand_script_create(knots, 3, &script, NULL), SN_OK);
        for (int i = 0; i < 3; i++) {
            sn_hand_script_at(script, knots[i].time, &a);
            CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(a.pose.p, knots[i].pose.p)), 0, TOL_ROUNDOFF, seed);
            CHECK_NEAR(a.pose.R.m[0][1], knots[i].pose.R.m[0][1], 1e-13, seed);
            CHECK_NEAR(sn_vec3_norm(a.velocity.v) + sn_vec3_norm(a.velocity.w), 0, 1e-13, seed);
        }
        for (int k = 0; k < 20;
             k++) { // velocity against differences of pose; orientation is a rotation
            double t = sni_rng_uniform(&rng, knots[0].time + 1e-4, knots[2].time - 1e-4), h = 1e-5;
            sn_hand_script_at(script, t - h, &a);
            sn_hand_script_at(script, t + h, &b);
            sn_hand_script_at(script, t, &m);
            sn_vec3 v = sn_vec3_scale(0.5 / h, sn_vec3_sub(b.pose.p, a.pose.p));
            sn_mat3 d = sn_mat3_mul(b.pose.R, sn_mat3_transpose(a.pose.R));
            sn_vec3 w = sn_vec3_scale(0.5 / h, sn_quat_log(sn_quat_from_matrix(d)));
            CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(v, m.velocity.v)), 0, 1e-5, seed);
            CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(w, m.velocity.w)), 0, 1e-5, seed);
        }
        // halfway in time is halfway on the way
        sn_hand_script_at(script, 0.5 * (knots[0].time + knots[1].time), &m);
        sn_vec3 half = sn_vec3_scale(0.5, sn_vec3_add(knots[0].pose.p, knots[1].pose.p));
        CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(m.pose.p, half)), 0, TOL_ROUNDOFF, seed);
        CHECK_NEAR(sn_vec3_dot(m.velocity.v, m.velocity.v),
                   pow(1.875 * sn_vec3_norm(sn_vec3_sub(knots[1].pose.p, knots[0].pose.p)) /
                           (knots[1].time - knots[0].time),
                       2),
                   1e-12, seed);
        sn_hand_script_at(script, -5, &m);
        CHECK(m.pose.p.x == knots[0].pose.p.x && m.velocity.v.x == 0, seed);
        sn_hand_script_at(script, 50, &m);
        CHECK(m.pose.p.x == knots[2].pose.p.x && m.velocity.v.x == 0, seed);
        sn_hand_script_free(script);
    }
}

static void a_text_gives_the_knots_that_it_says(void** state) {
    (void)state;
    sn_hand_script* s = parse("# a hand\n\n0 0.1 -2e-2 3   # start\n"
                              "1 0 0 0 1 released\r\n2 0 0 0 0 0 1.5\n\t3.5 1 2 3 0 0 0 5");
    const sn_hand_knot* k;
    CHECK(sn_hand_script_knots(s, &k) == 4 && sn_hand_script_end(s) == 3.5, 0);
    CHECK(k[0].pose.p.y == -0.02 && k[0].buttons == 0 && !k[0].released, 0);
    CHECK(k[1].buttons == 1 && k[1].released && k[1].pose.R.m[0][0] == 1, 0);
    CHECK_NEAR(k[2].pose.R.m[1][0], sin(1.5), TOL_ROUNDOFF, 0);
    CHECK(k[3].buttons == 5 && k[3].pose.p.z == 3, 0);
    sn_hand_intent want;
    sn_hand_script_at(s, 1.5, &want);
    CHECK(want.released && want.buttons == 1, 0);
    sn_hand_script_free(s);
}

static void a_text_that_is_wrong_is_refused_with_its_line(void** state) {
    (void)state;
    const struct {
        const char* text;
        int line;
    } bad[] = {
        {"", 0},
        {"# nothing\n", 1},
        {"0 0 0\n", 1},
        {"0 0 0 0\n1 0 0 0 0 0\n", 2},
        {"0 0 0 0\n\n1 0 0 zero\n", 3},
        {"0 0 0 0\n0 1 0 0\n", 2},
        {"0 0 0 nan\n", 1},
        {"0 0 0 1e999\n", 1},
        {"0 0 0 0 1.5\n", 1},
        {"0 0 0 0 -1\n", 1},
        {"0 0 0 0 released 1\n", 1},
        {"released\n", 1},
        {"0 1 2 3 4 5 6 7 8\n", 1},
        {"0 0 0 0 1e300 1e300 0\n", 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        sn_hand_script* script = NULL;
        sn_error error = {SN_OK, "", -1, 0, ""};
        check_context(bad[i].text);
        CHECK_STATUS(sn_hand_script_parse(bad[i].text, strlen(bad[i].text), "f", &script, &error),
                     SN_ERR_FORMAT);
        CHECK(!script && error.line == bad[i].line && error.text[0], 0);
    }
    check_context(NULL);
    sn_hand_script* script;
    sn_error error;
    CHECK_STATUS(sn_hand_script_parse("0 0\0 0 0", 8, "f", &script, &error), SN_ERR_FORMAT);
    sn_hand_knot knots[2] = {{.time = 0, .pose = sn_pose_identity()},
                             {.time = 0, .pose = sn_pose_identity()}};
    CHECK_STATUS(sn_hand_script_create(knots, 2, &script, &error), SN_ERR_ARGUMENT);
    knots[1].time = 5e-324; // its inverse is none
    CHECK_STATUS(sn_hand_script_create(knots, 2, &script, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_hand_script_create(knots, 0, &script, &error), SN_ERR_ARGUMENT);
    knots[1].time = 1, knots[1].pose.p.x = INFINITY;
    CHECK_STATUS(sn_hand_script_create(knots, 2, &script, &error), SN_ERR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hand_moves_with_minimum_jerk_and_rests_at_its_knots),
        cmocka_unit_test(a_text_gives_the_knots_that_it_says),
        cmocka_unit_test(a_text_that_is_wrong_is_refused_with_its_line),
    };
    return cmocka_run_group_tests_name("haptics_script", tests, NULL, NULL);
}
