// SPDX-License-Identifier: Apache-2.0
// Motions, compliance, turning by axes and the recogniser, against differences, closed forms and simulated hands.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/control.h"
#include "sinew/simulated_device.h"
#include "support/check.h"
#include "support/random_state.h"

enum { MOTIONS = 61, POSTURES = 5, NUMBERS = 40 };

/// Velocity is the difference of positions, postures are reached, and at the ends there is rest.
static void check_motion(sn_smooth smooth, bool spherical, uint64_t seed) {
    test_rng rng = test_rng_make(seed);
    sn_model* model =
        spherical ? test_one_joint(&rng, SN_JOINT_SPHERICAL)
                  : test_generate(SN_GENERATE_CHAIN, 4, seed, false, false, test_units_si());
    int nq = sn_model_nq(model), nv = sn_model_nv(model);
    double time[POSTURES], q[POSTURES * NUMBERS], at[NUMBERS], v[NUMBERS], scratch[3 * NUMBERS];
    for (int i = 0; i < POSTURES; i++) {
        time[i] = i + test_uniform(&rng, 0, 0.5);
        test_random_q(&rng, model, test_units_si(), q + i * nq);
    }
    sn_motion m = {POSTURES, time, q, smooth, false, NULL};
    for (int i = 0; i < POSTURES; i++) {
        double off[NUMBERS];
        sn_motion_at(model, &m, time[i], at, v, scratch);
        sn_model_difference(model, at, q + i * nq, off);
        for (int k = 0; k < nv; k++) {
            CHECK_NEAR(off[k], 0, 1e-12, seed);
            bool rests = smooth != SN_SMOOTH_LINEAR && (smooth != SN_SMOOTH_SPLINE || i == 0);
            if (rests) CHECK_NEAR(v[k], 0, 1e-12, seed);
        }
    }
    for (int n = 0; n < 50; n++) {
        double t = test_uniform(&rng, time[0], time[POSTURES - 1]), h = 1e-6;
        double a[NUMBERS], b[NUMBERS], unused[NUMBERS], difference[NUMBERS];
        sn_motion_at(model, &m, t - h, a, unused, scratch);
        sn_motion_at(model, &m, t + h, b, unused, scratch);
        sn_motion_at(model, &m, t, at, v, scratch);
        sn_model_difference(model, a, b, difference);
        bool knot = false;
        for (int i = 0; i < POSTURES; i++) knot = knot || fabs(t - time[i]) < 2 * h;
        // a spherical joint's spline turns about axes that change
        for (int k = 0; k < nv && !knot && !(spherical && smooth == SN_SMOOTH_SPLINE); k++)
            CHECK_NEAR(difference[k] / (2 * h), v[k], 1e-6, seed);
    }
    sn_model_free(model);
}

static void motions_pass_their_postures_at_the_speed_they_say(void** state) {
    (void)state;
    for (uint64_t i = 0; i < 20; i++) {
        for (int s = 0; s < SN_SMOOTH_COUNT; s++) {
            check_motion((sn_smooth)s, false, test_case_seed(MOTIONS, i));
            check_motion((sn_smooth)s, true, test_case_seed(MOTIONS, i));
        }
    }
}

/// Of all motions from rest to rest in a second this has the least integral of jerk squared, 720.
static void minimum_jerk_has_the_least_jerk(void** state) {
    (void)state;
    const sn_smooth way[] = {SN_SMOOTH_MINIMUM_JERK};
    double sum = 0, h = 1e-3, rate;
    for (int k = 2; k < 998; k++) {
        double x[4];
        for (int i = 0; i < 4; i++) x[i] = sn_smooth_way(way[0], (k + i - 1.5) * h, &rate);
        double jerk = (x[3] - 3 * x[2] + 3 * x[1] - x[0]) / (h * h * h);
        sum += h * jerk * jerk;
    }
    CHECK_NEAR(sum, 720, 15, 0); // the ends are left out
}

static void compliance_moves_as_its_equation_says(void** state) {
    (void)state;
    double x = 0.1, v = -0.2, M = 1.5, B = 4, f = 3, t = 0;
    for (int k = 0; k < 300; k++, t += 0.01) sn_admittance_step(M, B, 0, f, 0.01, &x, &v);
    double E = exp(-t * B / M), end = f / B; // steps of any length are exact
    CHECK_NEAR(v, E * -0.2 + (1 - E) * end, 1e-12, 0);
    CHECK_NEAR(x, 0.1 + M / B * (1 - E) * (-0.2 - end) + t * end, 1e-12, 0);
    x = 0.3, v = 0;
    for (int k = 0; k < 200000; k++) sn_admittance_step(1, 2, 10, 5, 1e-4, &x, &v);
    CHECK_NEAR(x, 0.5, 1e-9, 0);
    for (double K = 1e-3; K < 1e10; K *= 10) { // stable for any stiffness
        x = 1, v = 0;
        for (int k = 0; k < 1000; k++) sn_admittance_step(1, 0.1, K, 0, 1e-2, &x, &v);
        CHECK(fabs(x) <= 1.1 && isfinite(v), 0);
    }
}

static void turns_by_axes_are_the_turn_where_they_can(void** state) {
    (void)state;
    for (uint64_t i = 0; i < 100; i++) {
        uint64_t seed = test_case_seed(62, i);
        test_rng rng = test_rng_make(seed);
        sn_vec3 from = test_direction(&rng), to = test_direction(&rng);
        sn_vec3 turn = sn_turn_between(from, to);
        sn_mat3 R = sn_quat_matrix(sn_quat_exp(turn));
        CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(sn_mat3_apply(R, from), to)), 0, 1e-12, seed);
        sn_vec3 axes[3] = {test_direction(&rng), test_direction(&rng), test_direction(&rng)};
        double angles[3];
        sn_turn_by_axes(turn, axes, 3, 1e-7, angles);
        sn_vec3 sum = sn_vec3_zero();
        for (int k = 0; k < 3; k++) sum = sn_vec3_add(sum, sn_vec3_scale(angles[k], axes[k]));
        double volume = sn_vec3_dot(axes[0], sn_vec3_cross(axes[1], axes[2]));
        if (fabs(volume) > 0.05) CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(sum, turn)), 0, 1e-6, seed);
    }
}

// ---- patterns ---------------------------------------------------------------------------------------------------

/// What a hand of this kind, on a handle of 0.1 kg, makes felt on a hand of a robot that is held softly. Wants x(t) in
/// metres, outward positive. Writes how often each pattern was recognised.
static void gesture(const sn_hand_model* hand, const char* script_text, int* seen) {
    sn_hand_script* script;
    CHECK_STATUS(sn_hand_script_parse(script_text, strlen(script_text), "hand", &script, NULL),
                 SN_OK);
    const double h = 1e-4, k = 500, d = 5, body = 2, kp = 2000, kd = 120;
    double x = 0, v = 0, y = 0, w = 0, m = hand->mass + 0.1;
    sn_recogniser r = {.def = sn_recogniser_def_default()};
    memset(seen, 0, SN_PATTERN_COUNT * sizeof *seen);
    for (int i = 0; i < 30000; i++) {
        sn_hand_intent want;
        sn_hand_script_at(script, i * h, &want);
        double f = k * (x - y) + d * (v - w); // on the robot
        double hold = want.released ? 0
                                    : hand->stiffness * (want.pose.p.x - x) +
                                          hand->damping * (want.velocity.v.x - v);
        v += h / m * (hold - f);
        w += h / body * (f - kp * y - kd * w);
        x += h * v;
        y += h * w;
        if (i % 10 == 0) // in steps of the simulation
            seen[sn_recogniser_feel(&r, sn_vec3_make(f, 0, 0), sn_vec3_make(1, 0, 0), 1e-3)]++;
    }
    sn_hand_script_free(script);
}

static void every_kind_of_hand_is_understood(void** state) {
    (void)state;
    static const char* const scripts[SN_PATTERN_COUNT] = {
        [SN_PATTERN_NONE] = "0 0 0 0\n1 0.001 0 0\n",
        [SN_PATTERN_TAP] = "0 0 0 0\n0.5 0 0 0\n0.58 -0.05 0 0\n0.66 0 0 0\n",
        [SN_PATTERN_PUSH] = "0 0 0 0\n0.5 0 0 0\n0.8 -0.06 0 0\n2.5 -0.06 0 0\n2.8 0 0 0\n",
        [SN_PATTERN_PULL] = "0 0 0 0\n0.5 0 0 0\n0.8 0.06 0 0\n2.5 0.06 0 0\n2.8 0 0 0\n",
        [SN_PATTERN_SHAKE] = ("0 0 0 0\n0.5 0 0 0\n0.65 0.06 0 0\n0.9 -0.06 0 0\n1.15 0.06 0 0\n"
                              "1.4 -0.06 0 0\n1.65 0.06 0 0\n1.9 -0.06 0 0\n2.05 0 0 0\n"),
    };
    sn_hand_model hand;
    int understood = 0, wrong = 0;
    const char* name;
    for (int i = 0; (name = sn_hand_model_at(i, &hand)); i++) {
        for (int p = 0; p < SN_PATTERN_COUNT; p++) {
            int seen[SN_PATTERN_COUNT];
            gesture(&hand, scripts[p], seen);
            bool can = hand.stiffness > 0; // a hand that does not hold cannot say anything
            for (int s = 1; s < SN_PATTERN_COUNT; s++) {
                if (seen[s] != (can && s == p))
                    print_message("hand %s, script %d: pattern %d was seen %d times\n", name, p, s,
                                  seen[s]);
                wrong += seen[s] != (can && s == p);
            }
            understood += can;
        }
    }
    CHECK(wrong == 0 && understood >= 3 * SN_PATTERN_COUNT, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_pass_their_postures_at_the_speed_they_say),
        cmocka_unit_test(minimum_jerk_has_the_least_jerk),
        cmocka_unit_test(compliance_moves_as_its_equation_says),
        cmocka_unit_test(turns_by_axes_are_the_turn_where_they_can),
        cmocka_unit_test(every_kind_of_hand_is_understood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
