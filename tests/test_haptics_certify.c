// SPDX-License-Identifier: Apache-2.0
// Certified gains keep the bounds of theory, say why they were cut, and bound how much a reaction amplifies.
#include <float.h>
#include <math.h>
#include <string.h>

#include "sinew/certify.h"
#include "support/check.h"
#include "support/fixture.h"

static const test_units si = {1, 1, 1};

static sn_certify_def def_of(const char* name) {
    sn_device_profile p;
    CHECK(sn_device_profile_find(name, &p), 0);
    return sn_certify_def_default(&p);
}

/// Smallest over frequency of what a device with friction b gains in a period when this spring and damper are sampled
/// and come `ticks` periods late:  b - T/2 Re((1 - z^-1) H) / (1 - cos wT).   [CS97]
static double passivity_margin(double b, double K, double B, double T, int ticks) {
    double least = HUGE_VAL;
    for (int i = 1; i <= 4000; i++) {
        double w = 3.14159265358979 * i / 4000, re = 0; // wT
        // (1 - z^-1) (K + B/T (1 - z^-1)) z^-ticks, z^-n = cos nw - j sin nw
        const double c[3] = {K + B / T, -K - 2 * B / T, B / T};
        for (int n = 0; n < 3; n++) re += c[n] * cos((n + ticks) * w);
        least = fmin(least, b - 0.5 * T * re / (1 - cos(w)));
    }
    return least;
}

static void certified_gains_are_passive_by_the_condition_in_the_frequency_domain(void** state) {
    (void)state;
    sn_device_profile p;
    for (int i = 0; sn_device_profile_at(i, &p); i++) {
        for (int ticks = 0; ticks < 6; ticks++) {
            for (int rate = 1; rate <= 4; rate++) {
                sn_certify_def def = sn_certify_def_default(&p);
                def.period = 1e-3 / rate;
                def.profile.lag = def.profile.latency = 0;
                def.delay = ticks * def.period;
                sn_certificate c;
                CHECK_STATUS(sn_certify(&def, &c, NULL, 0), SN_OK);
                CHECK(c.gains.stiffness > 0, 0);
                double left = passivity_margin(p.friction_viscous, c.gains.stiffness,
                                               c.gains.damping, def.period, ticks);
                CHECK(left > 0, 0);
                if (c.limit != SN_LIMIT_PASSIVITY) continue;
                left = passivity_margin(p.friction_viscous, 2.5 * c.gains.stiffness, 0, def.period,
                                        ticks);
                CHECK(left < 0, 0); // and it is not far from the bound
            }
        }
    }
}

static void a_device_gets_its_rated_stiffness_less_the_margin_and_less_with_delay(void** state) {
    (void)state;
    sn_certify_def def = def_of("omni");
    def.wanted.damping = 0;
    sn_certificate c;
    CHECK_STATUS(sn_certify(&def, &c, NULL, 0), SN_OK);
    CHECK_RELATIVE(c.gains.stiffness, 0.8 * 700, 1e-12, 0);
    CHECK_RELATIVE(c.most.stiffness, 0.8 * 700, 1e-12, 0);
    CHECK_RELATIVE(c.delay, 1e-3, 1e-12, 0);
    def.delay = 10e-3;
    CHECK_STATUS(sn_certify(&def, &c, NULL, 0), SN_OK);
    CHECK_RELATIVE(c.gains.stiffness, 0.8 * 700 / 11, 1e-12, 0);
    def.delay = 0, def.profile.friction_viscous = 0; // not known: from the rated stiffness
    CHECK_STATUS(sn_certify(&def, &c, NULL, 0), SN_OK);
    CHECK_RELATIVE(c.gains.stiffness, 0.8 * 700, 1e-12, 0);
    def.law = SN_LAW_REACTION, def.amplification = 4;
    CHECK_STATUS(sn_certify(&def, &c, NULL, 0), SN_OK);
    CHECK_RELATIVE(c.gains.stiffness, 0.2 * 700, 1e-12, 0);
    CHECK(c.needs_passivity_controller, 0);
}

static void damping_gets_its_quarter_and_what_stiffness_leaves(void** state) {
    (void)state;
    sn_certify_def def = def_of("omega3");
    sn_certificate c;
    double b = 0.8 * def.profile.friction_viscous, t = 0.7e-3;
    CHECK_STATUS(sn_certify(&def, &c, NULL, 0), SN_OK);
    CHECK_RELATIVE(c.gains.damping, 0.25 * b, 1e-12, 0);
    CHECK_RELATIVE(c.gains.stiffness, 0.75 * b / t, 1e-12, 0);
    def.wanted.stiffness = 100;
    CHECK_STATUS(sn_certify(&def, &c, NULL, 0), SN_OK);
    CHECK(c.gains.stiffness == 100 && c.limit == SN_LIMIT_NONE, 0);
    CHECK_RELATIVE(c.gains.damping, b - 100 * t, 1e-12, 0);
    def.wanted.damping = 0.1;
    char text[256] = "x";
    CHECK_STATUS(sn_certify(&def, &c, text, sizeof text), SN_OK);
    CHECK(c.gains.damping == 0.1, 0);
}

static void what_is_cut_is_told_with_the_reason(void** state) {
    (void)state;
    sn_certify_def def = def_of("touch");
    sn_certificate c;
    char text[512];
    def.wanted = (sn_gains){1000, 0, 0, 0};
    CHECK_STATUS(sn_certify(&def, &c, text, sizeof text), SN_OK);
    CHECK(c.limit == SN_LIMIT_PASSIVITY && strstr(text, "1000 cut to 320 N/m") &&
              strstr(text, "touch"),
          0);
    def.wanted = (sn_gains){100, 0.01, 0, 0};
    CHECK_STATUS(sn_certify(&def, &c, text, sizeof text), SN_OK);
    CHECK(text[0] == 0 && c.gains.stiffness == 100 && c.gains.damping == 0.01, 0);
    def.wanted.turn_stiffness = 1;
    CHECK_STATUS(sn_certify(&def, &c, text, sizeof text), SN_OK);
    CHECK(c.turn_limit == SN_LIMIT_NO_OUTPUT && c.gains.turn_stiffness == 0 &&
              strstr(text, "no torque"),
          0);
    def.profile.resolution = 0.01;
    def.wanted.turn_stiffness = 0;
    CHECK_STATUS(sn_certify(&def, &c, text, sizeof text), SN_OK);
    CHECK(c.limit == SN_LIMIT_ENCODER && strstr(text, "encoder"), 0);
    CHECK_RELATIVE(c.gains.stiffness, 2 * 0.26 / 0.01, 1e-12, 0);
    def.law = SN_LAW_REACTION, def.amplification = 2.5;
    CHECK_STATUS(sn_certify(&def, &c, text, sizeof text), SN_OK);
    CHECK(strstr(text, "2.5 times") != NULL, 0);
    char little[8];
    CHECK_STATUS(sn_certify(&def, &c, little, sizeof little), SN_OK);
    CHECK(strlen(little) == 7, 0);
}

static void numbers_that_make_no_sense_are_refused(void** state) {
    (void)state;
    sn_certificate c;
    for (int k = 0; k < 8; k++) {
        sn_certify_def def = def_of("touch");
        if (k == 0) def.period = 0;
        if (k == 1) def.delay = -1;
        if (k == 2) def.wanted.stiffness = NAN;
        if (k == 3) def.wanted.turn_damping = -1;
        if (k == 4) def.margin = 0;
        if (k == 5) def.margin = 1.1;
        if (k == 6) def.law = SN_LAW_REACTION, def.amplification = 0.5;
        if (k == 7) def.period = INFINITY;
        CHECK_STATUS(sn_certify(&def, &c, NULL, 0), SN_ERR_ARGUMENT);
        CHECK(c.gains.stiffness == 0, 0);
    }
}

// ---- reaction -------------------------------------------------------------------------------------------------------

/// The reaction, at the point and in units of the grip, to a pull of size one.
static double answer(const sn_coupling_law* law, sn_vec3 point, const sn_gains* g,
                     const double pull[6]) {
    double move = sqrt(g->stiffness), turn = sqrt(g->turn_stiffness);
    sn_wrench at = {sn_vec3_scale(turn, sn_vec3_make(pull[0], pull[1], pull[2])),
                    sn_vec3_scale(move, sn_vec3_make(pull[3], pull[4], pull[5]))};
    sn_pose X = sn_pose_make(sn_mat3_identity(), point);
    sn_wrench f_u = sn_pose_wrench(X, at), felt, rest, zero = sn_wrench_zero();
    CHECK_STATUS(sn_coupling_tick(law, &f_u, &felt), SN_OK);
    CHECK_STATUS(sn_coupling_tick(law, &zero, &rest), SN_OK);
    felt = sn_pose_wrench_inverse(X, sn_wrench_sub(felt, rest));
    double n = g->turn_stiffness > 0 ? sn_vec3_norm(felt.n) / turn : 0,
           f = sn_vec3_norm(felt.f) / move;
    return sqrt(n * n + f * f);
}

static void
a_reaction_is_never_stiffer_than_its_gain_and_its_gain_never_above_the_bound(void** state) {
    (void)state;
    static sn_coupling_law law;
    double amplified = 0, closest = 0;
    for (int m = 0; m < 60; m++) {
        uint64_t seed = test_case_seed(7, (uint64_t)m);
        fixture* f = fixture_of_list(m, si, seed);
        sn_dynamics* d = test_dynamics(f->model, "aba");
        CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, f->tau, f->qdd), SN_OK);
        sn_body_wrench hand = {sn_body(f->n - 1), sn_wrench_zero()};
        memset(&hand.wrench, 0, sizeof hand.wrench);
        CHECK_STATUS(sn_dynamics_coupling(d, &hand, 1, &law), SN_OK);
        sn_vec3 point = test_vec3(&f->rng, 0.2);
        sn_gains g = {500, 0, m % 3 ? 2.0 : 0, 0};
        double gain, bound, found = 0;
        CHECK_STATUS(sn_reaction_gain(&law, &point, &g, &gain), SN_OK);
        CHECK_STATUS(sn_reaction_gain_bound(&law.hand[0].inertia, point, &g, &bound), SN_OK);
        for (int k = 0; k < 2000; k++) {
            double pull[6], size = 0;
            for (int i = 0; i < 6; i++) {
                pull[i] = i < 3 && !(g.turn_stiffness > 0) ? 0 : test_uniform(&f->rng, -1, 1);
                size += pull[i] * pull[i];
            }
            for (int i = 0; i < 6; i++) pull[i] /= sqrt(size);
            found = fmax(found, answer(&law, point, &g, pull));
        }
        CHECK(found <= gain + 1e-9, seed); // a free body's is nothing but rounding
        CHECK(found >= 0.5 * gain - 1e-9, seed);
        CHECK(gain <= bound * (1 + 1e-6), seed);
        amplified = fmax(amplified, gain);
        closest = fmax(closest, gain / bound);
        sn_dynamics_free(d);
        fixture_free(f);
    }
    CHECK(amplified > 1.2, 0); // it does amplify
    CHECK(closest > 0.3, 0);   // and the bound is of that size
}

static void a_body_that_cannot_move_answers_with_its_grip(void** state) {
    (void)state;
    static sn_coupling_law law;
    law.count = 2;
    for (int i = 0; i < 12; i++) law.K[i * 12 + i] = -1;
    const sn_vec3 points[2] = {{0.1, 0.2, 0.3}, {0, 0, -0.1}};
    const sn_gains g = {300, 0, 0.5, 0};
    double gain;
    CHECK_STATUS(sn_reaction_gain(&law, points, &g, &gain), SN_OK);
    CHECK_NEAR(gain, 1, 1e-12, 0);
    law.K[0 * 12 + 7] = 3; // a hand that turns the other
    const sn_vec3 origins[2] = {{0, 0, 0}, {0, 0, 0}};
    CHECK_STATUS(sn_reaction_gain(&law, origins, &g, &gain), SN_OK);
    CHECK_NEAR(gain, 0.5 * (3 + sqrt(13)), 1e-9, 0); // of ((-1, 3), (0, -1))
    sn_gains none = {0, 0, 0, 0};
    sn_inertia inertia = {1, {0, 0, 0}, sn_mat3_diagonal(1, 1, 1)};
    CHECK_STATUS(sn_reaction_gain(&law, points, &none, &gain), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_reaction_gain_bound(&inertia, points[0], &none, &gain), SN_ERR_ARGUMENT);
    inertia.mass = 0;
    CHECK_STATUS(sn_reaction_gain_bound(&inertia, points[0], &g, &gain), SN_ERR_ARGUMENT);
    law.K[5] = NAN;
    CHECK_STATUS(sn_reaction_gain(&law, points, &g, &gain), SN_ERR_NUMERIC);
    law.count = 0;
    CHECK_STATUS(sn_reaction_gain(&law, points, &g, &gain), SN_ERR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certified_gains_are_passive_by_the_condition_in_the_frequency_domain),
        cmocka_unit_test(a_device_gets_its_rated_stiffness_less_the_margin_and_less_with_delay),
        cmocka_unit_test(damping_gets_its_quarter_and_what_stiffness_leaves),
        cmocka_unit_test(what_is_cut_is_told_with_the_reason),
        cmocka_unit_test(numbers_that_make_no_sense_are_refused),
        cmocka_unit_test(
            a_reaction_is_never_stiffer_than_its_gain_and_its_gain_never_above_the_bound),
        cmocka_unit_test(a_body_that_cannot_move_answers_with_its_grip),
    };
    return cmocka_run_group_tests_name("haptics_certify", tests, NULL, NULL);
}
