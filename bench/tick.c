// SPDX-License-Identifier: Apache-2.0
#include "tick.h"

#include <string.h>

#include "sinew/simulated_device.h"

enum { PERIOD_NS = 1000 * 1000, WARM_UP = 6000, KNOTS = 40 };
static const double KNOT_TIME = 0.5, SWING = 0.01, TURN = 0.1; // s, m, rad
static const char SCENE[] = "version: 1\ngravity: [0, 0, 0]\ncontact: false\nstep: 0.01\n"
                            "dynamics: dca\nmodels: [{name: chain, generate: 'chain:40'}]\n";

static sn_device* make_device(const char* profile) {
    sn_simulated_device_def def = sn_simulated_device_def_default();
    sn_hand_knot knots[KNOTS];
    sn_hand_script* script = NULL;
    sn_device* device = NULL;
    for (int i = 0; i < KNOTS; i++) { // to and fro
        double side = i % 2 ? 1 : -1;
        sn_mat3 R = sn_quat_matrix(sn_quat_exp(sn_vec3_make(0, side * TURN, side * TURN)));
        knots[i] = (sn_hand_knot){.time = KNOT_TIME * i, .buttons = 1};
        knots[i].pose = sn_pose_make(R, sn_vec3_make(side * SWING, side * SWING, 0));
    }
    (void)sn_hand_model_find("firm", &def.hand); // it is in the table
    if (sn_hand_script_create(knots, KNOTS, &script, NULL) == SN_OK &&
        sn_device_profile_find(profile, &def.profile)) {
        def.script = script;
        (void)sn_simulated_device_create(&def, &device, NULL); // NULL tells
    }
    sn_hand_script_free(script);
    return device;
}

static sn_status make_session(bench_tick* tick, const char* profile) {
    sn_scene* scene = NULL;
    sn_simulation_def def = sn_simulation_def_default();
    sn_session_def session = sn_session_def_default();
    const sn_hand_def hand = {.name = "hand",
                              .mode = SN_HAND_ATTACH,
                              .body = sn_body(20),
                              .six = true,
                              .stiffness = 300,
                              .damping = 0.3,
                              .turn_stiffness = 0.2,
                              .turn_damping = 1e-3,
                              .scale = 1,
                              .place_in = sn_pose_identity()};
    session.virtual_time = true;
    sn_status status = sn_scene_load_memory(SCENE, strlen(SCENE), "bench", &def.load, &scene, NULL);
    if (!status) status = sn_simulation_create(scene, &def, &tick->sim, NULL);
    if (!status) status = sn_session_create(tick->sim, &session, &tick->session, NULL);
    sn_device* device = make_device(profile);
    if (status) {
        sn_device_free(device);
        return status;
    }
    return sn_session_add_hand(tick->session, &hand, device, NULL, NULL);
}

const char* bench_tick_begin(bench_tick* tick, const char* profile) {
    *tick = (bench_tick){0};
    sn_status status = make_session(tick, profile);
    for (int i = 0; i < WARM_UP && !status; i++) {
        if (i % 1000 == 0) { // a simulation of 1 Hz: slow, not stopped
            status = sn_session_tick(tick->session, SN_LOOP_SIMULATION, 0, tick->now_ns);
            if (!status) status = sn_session_tick(tick->session, SN_LOOP_COUPLING, 0, tick->now_ns);
        }
        if (!status) status = bench_tick_run(tick);
    }
    if (status) return sn_status_text(status);
    status = sn_session_tick(tick->session, SN_LOOP_SIMULATION, 0, tick->now_ns);
    if (status) return sn_status_text(status);
    sn_hand_report report;
    sn_session_ask_hand(tick->session, 0, &report);
    return report.safety.gain > 0 ? NULL : sn_safety_cause_text(report.safety.cause);
}

sn_status bench_tick_run(bench_tick* tick) {
    sn_status status = sn_session_tick(tick->session, SN_LOOP_HAPTICS, 0, tick->now_ns);
    tick->now_ns += PERIOD_NS;
    return status;
}

void bench_tick_end(bench_tick* tick) {
    sn_session_free(tick->session);
    sn_simulation_free(tick->sim);
}
