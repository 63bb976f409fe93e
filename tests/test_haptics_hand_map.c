// SPDX-License-Identifier: Apache-2.0
#include "haptics/hand_map.h"

#include "support/check.h"
#include "support/random_state.h"

enum { CASES = 200, MAP_SEED = 0x6d6170 };
static const double PERIOD = 1e-3; // s

static sni_hand_map random_map(test_rng* rng) {
    sni_hand_map map;
    sni_hand_map_def def = {.X_wd = sn_pose_make(test_rotation(rng), test_vec3(rng, 1)),
                            .scale = test_uniform(rng, 0.2, 5),
                            .gain = test_uniform(rng, 0.1, 2),
                            .rate_radius = INFINITY};
    sni_hand_map_init(&map, &def);
    return map;
}

static sn_device_sample random_sample(test_rng* rng) {
    sn_device_sample sample = {.pose = sn_pose_make(test_rotation(rng), test_vec3(rng, 0.1))};
    sample.velocity = sn_twist_make(test_vec3(rng, 3), test_vec3(rng, 0.5));
    return sample;
}

static void check_pose(sn_pose a, sn_pose b, uint64_t seed) {
    CHECK_VECTOR(&a.R.m[0][0], &b.R.m[0][0], 9, TOL_ROUNDOFF, seed);
    CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(a.p, b.p)), 0, TOL_ROUNDOFF, seed);
}

/// Moves the handle as its velocity says for a while.
static sn_device_sample later(sn_device_sample s, double time) {
    s.pose.p = sn_vec3_add(s.pose.p, sn_vec3_scale(time, s.velocity.v));
    sn_mat3 turned = sn_quat_matrix(sn_quat_exp(sn_vec3_scale(time, s.velocity.w)));
    s.pose.R = sn_mat3_mul(turned, s.pose.R);
    return s;
}

static void velocity_is_the_derivative_of_the_pose_also_after_a_clutch(void** state) {
    (void)state;
    static const double TIME = 1e-5;
    for (uint64_t i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(MAP_SEED, i);
        test_rng rng = test_rng_make(seed);
        sni_hand_map map = random_map(&rng);
        sn_hand at = {.pose = sn_pose_identity()}, before, after;
        sn_device_sample start = random_sample(&rng), sample = random_sample(&rng);
        sni_hand_map_follow(&map, &start, false, PERIOD, &at);
        sni_hand_map_follow(&map, &sample, true, PERIOD, &at);
        sn_device_sample back = later(sample, -TIME), on = later(sample, TIME);
        sni_hand_map_follow(&map, &sample, false, PERIOD, &at);
        before = after = at;
        sni_hand_map_follow(&map, &back, false, PERIOD, &before);
        sni_hand_map_follow(&map, &on, false, PERIOD, &after);
        sn_vec3 v = sn_vec3_scale(0.5 / TIME, sn_vec3_sub(after.pose.p, before.pose.p));
        sn_mat3 R = sn_mat3_mul(after.pose.R, sn_mat3_transpose(before.pose.R));
        sn_vec3 w = sn_vec3_scale(0.5 / TIME, sn_quat_log(sn_quat_from_matrix(R)));
        CHECK_VECTOR(&at.velocity.v.x, &v.x, 3, TOL_DIFFERENCES, seed);
        CHECK_VECTOR(&at.velocity.w.x, &w.x, 3, TOL_DIFFERENCES, seed);
    }
}

// Power on the hand is power in the world times gain/scale, for force and moment alike: what is passive in the world
// is passive in the hand.
static void force_and_moment_keep_power_in_proportion(void** state) {
    (void)state;
    for (uint64_t i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(MAP_SEED + 1, i);
        test_rng rng = test_rng_make(seed);
        sni_hand_map map = random_map(&rng);
        sn_hand hand = {.pose = sn_pose_identity()};
        sn_device_sample one = random_sample(&rng), two = random_sample(&rng);
        sni_hand_map_follow(&map, &one, false, PERIOD, &hand);
        sni_hand_map_follow(&map, &two, true, PERIOD, &hand);
        sni_hand_map_follow(&map, &one, false, PERIOD, &hand);
        sn_vec3 force = test_vec3(&rng, 10), moment = test_vec3(&rng, 1);
        sn_device_force out = sni_hand_map_render(&map, force, moment);
        double on_hand =
            sn_vec3_dot(out.force, one.velocity.v) + sn_vec3_dot(out.torque, one.velocity.w);
        double in_world =
            sn_vec3_dot(force, hand.velocity.v) + sn_vec3_dot(moment, hand.velocity.w);
        CHECK_NEAR(on_hand, map.def.gain / map.def.scale * in_world, 1e3 * TOL_ROUNDOFF, seed);
    }
}

static void the_frame_stays_while_clutched_and_goes_on_without_a_jump(void** state) {
    (void)state;
    for (uint64_t i = 0; i < CASES; i++) {
        uint64_t seed = test_case_seed(MAP_SEED + 2, i);
        test_rng rng = test_rng_make(seed);
        sni_hand_map map = random_map(&rng);
        sn_hand hand = {.pose = sn_pose_identity()};
        sn_device_sample sample = random_sample(&rng);
        sni_hand_map_follow(&map, &sample, false, PERIOD, &hand);
        sn_pose held = hand.pose;
        for (int k = 0; k < 5; k++) {
            sample = random_sample(&rng);
            sni_hand_map_follow(&map, &sample, true, PERIOD, &hand);
            check_pose(hand.pose, held, seed);
            CHECK(sn_vec3_norm(hand.velocity.v) == 0 && sn_vec3_norm(hand.velocity.w) == 0, seed);
        }
        sni_hand_map_follow(&map, &sample, false, PERIOD, &hand);
        check_pose(hand.pose, held, seed);
    }
}

static void far_out_the_frame_drifts_outward_at_a_rate(void** state) {
    (void)state;
    sni_hand_map map;
    sni_hand_map_def def = {sn_pose_identity(), 2, 1, 0.05, 10};
    sni_hand_map_init(&map, &def);
    sn_hand hand = {.pose = sn_pose_identity()};
    sn_device_sample inside = {.pose = sn_pose_identity()}, outside = inside;
    inside.pose.p.x = 0.049;
    outside.pose.p.x = 0.07;
    for (int k = 0; k < 100; k++) sni_hand_map_follow(&map, &inside, false, PERIOD, &hand);
    CHECK_NEAR(hand.pose.p.x, 2 * 0.049, TOL_ROUNDOFF, 0);
    for (int k = 0; k < 100; k++) sni_hand_map_follow(&map, &outside, false, PERIOD, &hand);
    // 2 m a m, 10/s of 2 cm beyond, for 0.1 s
    CHECK_NEAR(hand.pose.p.x, 2 * 0.07 + 2 * 10 * 0.02 * 0.1, TOL_CHAIN, 0);
    CHECK_NEAR(hand.velocity.v.x, 2 * 10 * 0.02, TOL_ROUNDOFF, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocity_is_the_derivative_of_the_pose_also_after_a_clutch),
        cmocka_unit_test(force_and_moment_keep_power_in_proportion),
        cmocka_unit_test(the_frame_stays_while_clutched_and_goes_on_without_a_jump),
        cmocka_unit_test(far_out_the_frame_drifts_outward_at_a_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
