// SPDX-License-Identifier: Apache-2.0
// Balance as a controller of a scene: it stands, it survives pushes, and its errors are said where they are.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/standing.h"

static void it_stands_still(void** state) {
    (void)state;
    static const char* const MODELS[] = {"hrp2", "human"};
    for (int m = 0; m < 2; m++) {
        sn_simulation* sim = standing(MODELS[m], "");
        running_step(sim, 2000);
        sn_world* world = sn_simulation_world(sim);
        CHECK(sn_world_energy(world).kinetic < 1e-4, 0);
        sn_vec3 com = sn_world_momentum(world).com, soles = standing_middle(sim);
        CHECK_NEAR(com.x, soles.x, 0.005, 0);
        CHECK_NEAR(com.y, soles.y, 0.005, 0);
        sn_simulation_free(sim);
    }
}

static void contact_carries_the_weight_where_the_centre_of_mass_is(void** state) {
    (void)state;
    sn_simulation* sim = standing("hrp2", "");
    running_step(sim, 2000);
    sn_world* world = sn_simulation_world(sim);
    sn_momentum body = sn_world_momentum(world);
    sn_vec3 force = sn_vec3_zero(), moment = sn_vec3_zero();
    for (int32_t i = 0; i < sn_world_contact_count(world); i++) {
        const sn_contact* contact = &sn_world_contacts(world)[i];
        sn_wrench f = sn_world_contact_force(world, i);
        double sign = contact->a.i >= 0 ? 1 : -1;
        sn_vec3 on_robot = sn_vec3_scale(sign, f.f);
        force = sn_vec3_add(force, on_robot);
        sn_vec3 arm = sn_vec3_sub(contact->x, body.com);
        moment = sn_vec3_add(moment, sn_vec3_cross(arm, on_robot));
    }
    double weight = 9.81 * body.mass;
    CHECK_RELATIVE(force.z, weight, 1e-3, 0);
    CHECK(hypot(force.x, force.y) < 1e-3 * weight, 0);
    CHECK(sn_vec3_norm(moment) < 1e-3 * weight, 0); // N m: a millimetre
    sn_simulation_free(sim);
}

static void it_survives_a_push_of_50_newtons_from_every_side(void** state) {
    (void)state;
    enum { SIDES = 6 };
    for (int i = 0; i < SIDES; i++) {
        sn_simulation* sim = standing("hrp2", "");
        standing_push(sim, 50, 2 * M_PI * i / SIDES);
        running_step(sim, 1000);
        CHECK(standing_is_up(sim), (uint64_t)i);
        sn_simulation_free(sim);
    }
}

static void a_push_that_is_too_hard_throws_it_over(void** state) {
    (void)state;
    sn_simulation* sim = standing("hrp2", "");
    standing_push(sim, 400, 0);
    running_step(sim, 1300);
    CHECK(!standing_is_up(sim), 0);
    sn_simulation_free(sim);
}

static void joints_that_it_leaves_alone_get_no_force(void** state) {
    (void)state;
    sn_simulation* sim = running(
        "version: 1\nfloor: true\nmodels: [{name: r, file: " SN_TEST_MODELS_DIR
        "/hrp2.urdf, stand: true}]\n"
        "controllers: [{item: r, balance: {mu: 0.4}, joints: [l_knee, r_knee], limit: 3}]\n");
    running_step(sim, 20);
    sn_world* world = sn_simulation_world(sim);
    const sn_model* model = sn_world_model(world);
    int used = 0;
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info joint = sn_model_body(model, sn_body(i));
        bool knee = strstr(joint.joint_name, "knee");
        double force = sn_world_control(world)[joint.iv];
        CHECK(knee ? fabs(force) <= 3 : force == 0, 0);
        used += knee && force != 0;
    }
    CHECK(used == 2, 0);
    sn_simulation_free(sim);
}

/// At 250 Hz forces stay for four steps; it stands as well.
static void forces_stay_between_computations(void** state) {
    (void)state;
    sn_simulation* sim = standing_with("hrp2", "{rate: 250}", "");
    sn_world* world = sn_simulation_world(sim);
    int nv = sn_model_nv(sn_world_model(world)), changes = 0;
    double before[64];
    running_step(sim, 1);
    for (int step = 1; step < 40; step++) {
        memcpy(before, sn_world_control(world), (size_t)nv * sizeof *before);
        running_step(sim, 1);
        bool same = memcmp(before, sn_world_control(world), (size_t)nv * sizeof *before) == 0;
        CHECK(same || step % 4 == 0, (uint64_t)step);
        changes += !same;
    }
    CHECK(changes == 9, 0);
    standing_push(sim, 50, 0);
    running_step(sim, 3000);
    CHECK(standing_is_up(sim), 0);
    sn_simulation_free(sim);
}

static void refused(const char* controller, const char* why) {
    char text[600];
    sn_error error = {0};
    snprintf(text, sizeof text,
             "version: 1\nmodels:\n- {name: r, file: " SN_TEST_MODELS_DIR
             "/hrp2.urdf}\n- {name: p, file: " SN_TEST_MODELS_DIR "/double_pendulum.urdf}\n"
             "controllers:\n- %s\n",
             controller);
    CHECK(running_try(text, NULL, &error) != SN_OK, 0);
    running_says(error.text, why);
    CHECK(error.line == 6, 0);
}

static void what_cannot_balance_is_said_with_its_line(void** state) {
    (void)state;
    refused("{item: p, balance: true}", "floats");
    refused("{item: r, balance: false}", "true, or a mapping");
    refused("{item: r, balance: {feet: [l_soul]}}", "did you mean 'l_sole'");
    refused("{item: r, balance: {feet: [gaze]}}", "no sole");
    refused("{item: r, balance: {feet: []}}", "foot");
    refused("{item: r, balance: {mu: 0}}", "mu");
    refused("{item: r, balance: true, kp: 3}", "balance");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_stands_still),
        cmocka_unit_test(contact_carries_the_weight_where_the_centre_of_mass_is),
        cmocka_unit_test(it_survives_a_push_of_50_newtons_from_every_side),
        cmocka_unit_test(a_push_that_is_too_hard_throws_it_over),
        cmocka_unit_test(joints_that_it_leaves_alone_get_no_force),
        cmocka_unit_test(forces_stay_between_computations),
        cmocka_unit_test(what_cannot_balance_is_said_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
