// SPDX-License-Identifier: Apache-2.0
#include "support/haptic_loop.h"

#include <string.h>

#include "support/check.h"

static const double LAST = 1.0;   // s, that is looked at
static const double PRESS = 3e-3; // m, into the wall
static const double OFF = 8e-3;   // m, where a grip starts
static const double TURNED = 0.2; // rad, the same
static const double PATIENCE =
    5.0; // times as long for a hand that only is a mass, which rings longest

haptic_trial haptic_trial_default(const char* profile, const char* hand) {
    haptic_trial t = {.period = 1e-3, .duration = 8};
    sn_certificate certificate;
    CHECK(sn_device_profile_find(profile, &t.profile) && sn_hand_model_find(hand, &t.hand), 0);
    sn_certify_def def = sn_certify_def_default(&t.profile);
    CHECK_STATUS(sn_certify(&def, &certificate, NULL, 0), SN_OK);
    t.gains = certificate.gains;
    return t;
}

static sn_device* make_device(const haptic_trial* t) {
    double out = fmin(0.03, 0.5 * t->profile.workspace);
    sn_hand_knot knots[3] = {{.time = 0, .pose = sn_pose_identity()}};
    knots[0].pose.p = sn_vec3_make(out, 0.004, 0);
    knots[1] = knots[2] = knots[0];
    knots[1].time = 0.2, knots[2].time = 0.7;
    knots[2].pose.p.x = -PRESS;
    for (int i = 0; i < 3; i++) knots[i].buttons = 1;
    sn_simulated_device_def def = sn_simulated_device_def_default();
    def.profile = t->profile;
    def.hand = t->hand;
    def.jitter = t->jitter;
    bool drawn = t->hand.stiffness > 0;
    if (t->task == HAPTIC_WALL && !drawn) def.velocity = sn_vec3_make(-0.3, 0.05, 0);
    if (t->task == HAPTIC_GRIP) { // starts off, and wants to be there
        knots[0].pose.p = sn_vec3_make(OFF, 0, 0);
        knots[0].pose.R = sn_quat_matrix(sn_quat_exp(sn_vec3_make(0, TURNED, 0)));
    }
    sn_hand_script* script;
    sn_device* device;
    if (t->task == HAPTIC_GRIP) { // a start that the hand leaves at once
        knots[1].pose = sn_pose_identity();
        knots[1].time = 1e-3;
    }
    int count = t->task == HAPTIC_GRIP ? 2 : drawn ? 3 : 1;
    CHECK_STATUS(sn_hand_script_create(knots, count, &script, NULL), SN_OK);
    def.script = script;
    CHECK_STATUS(sn_simulated_device_create(&def, &device, NULL), SN_OK);
    sn_hand_script_free(script);
    return device;
}

/// The spring, and how it is loaded.
static sn_device_force law(const haptic_trial* t, const sn_device_sample* s) {
    const sn_gains* g = &t->gains;
    sn_device_force f;
    memset(&f, 0, sizeof f);
    sn_vec3 p = s->pose.p, v = s->velocity.v;
    if (t->task == HAPTIC_WALL) {
        if (p.x < 0) f.force.x = fmax(0, -g->stiffness * p.x - g->damping * v.x);
        return f;
    }
    f.force =
        sn_vec3_neg(sn_vec3_add(sn_vec3_scale(g->stiffness, p), sn_vec3_scale(g->damping, v)));
    if (t->profile.outputs < 6) return f;
    sn_vec3 angle = sn_quat_log(sn_quat_from_matrix(s->pose.R));
    f.torque = sn_vec3_neg(sn_vec3_add(sn_vec3_scale(g->turn_stiffness, angle),
                                       sn_vec3_scale(g->turn_damping, s->velocity.w)));
    return f;
}

typedef struct range {
    double low, high, sum;
    long count;
} range;

static void range_add(range* r, double x) {
    r->low = r->count ? fmin(r->low, x) : x;
    r->high = r->count ? fmax(r->high, x) : x;
    r->sum += x;
    r->count++;
}
static double half_width(const range* r) { return 0.5 * (r->high - r->low); }
static double mean(const range* r) { return r->count ? r->sum / (double)r->count : 0; }

/// J, in the spring at the start.
static double stored_first(const haptic_trial* t) {
    if (t->task == HAPTIC_WALL) return 0;
    double turn = t->profile.outputs == 6 ? t->gains.turn_stiffness : 0;
    return 0.5 * (t->gains.stiffness * OFF * OFF + turn * TURNED * TURNED);
}

/// Through the chain.
static void guard(const haptic_trial* t, sn_safety* safety, int64_t now,
                  const sn_device_sample* sample, sn_device_force* force) {
    sn_safety_input in;
    memset(&in, 0, sizeof in);
    in.now_ns = now, in.law_ns = now - now % 10000000, in.sample = sample, in.engaged = true;
    in.wanted = *force;
    in.stiffness = t->gains.stiffness, in.turn_stiffness = t->gains.turn_stiffness;
    CHECK_STATUS(sn_safety_apply(safety, &in, force), SN_OK);
}

haptic_result haptic_run(const haptic_trial* t) {
    haptic_result result;
    memset(&result, 0, sizeof result);
    sn_device* device = make_device(t);
    sn_safety_def safety_def = sn_safety_def_default(&t->profile, t->period);
    static sn_safety safety; // large
    CHECK_STATUS(sn_safety_init(&safety, &safety_def, NULL), SN_OK);
    safety.ramp.gain = 1; // engaged for long, with the spring as it is at the start
    double loaded = fmin(t->gains.stiffness * OFF, t->profile.peak_force);
    double turned = fmin(t->gains.turn_stiffness * TURNED, t->profile.peak_torque);
    if (t->task == HAPTIC_GRIP && t->gains.stiffness > 0) {
        safety.move.passivity.stored = loaded * loaded / (2 * t->gains.stiffness);
        safety.move.slew.last.x = safety.move.tank.before.x = -loaded;
    }
    if (t->task == HAPTIC_GRIP && t->gains.turn_stiffness > 0) {
        safety.turn.passivity.stored = turned * turned / (2 * t->gains.turn_stiffness);
        safety.turn.slew.last.y = safety.turn.tank.before.y = -turned;
    }
    range force[3] = {{0}}, torque[3] = {{0}}, depth = {0};
    bool rings = t->hand.mass > 0 && !(t->hand.stiffness > 0);
    long ticks = (long)((rings ? PATIENCE : 1) * t->duration / t->period + 0.5);
    result.produced = -stored_first(t);
    for (long i = 0; i < ticks; i++) {
        int64_t now = (int64_t)((double)i * t->period * 1e9);
        sn_device_sample sample;
        sn_simulated_state state;
        CHECK_STATUS(sn_device_read(device, now, &sample), SN_OK);
        sn_device_force f = law(t, &sample);
        if (t->safety) guard(t, &safety, now, &sample, &f);
        CHECK_STATUS(sn_device_write(device, now, &f), SN_OK);
        CHECK(sn_simulated_device_state(device, &state), 0);
        result.produced =
            fmax(result.produced, state.motor_work - state.viscous_loss - stored_first(t));
        if ((double)(ticks - i) * t->period > LAST) continue;
        const double fx[3] = {f.force.x, f.force.y, f.force.z};
        const double nx[3] = {f.torque.x, f.torque.y, f.torque.z};
        for (int a = 0; a < 3; a++) range_add(&force[a], fx[a]), range_add(&torque[a], nx[a]);
        range_add(&depth, -sample.pose.p.x);
        result.furthest = fmax(result.furthest, sn_vec3_norm(state.pose.p));
    }
    for (int a = 0; a < 3; a++) {
        result.cycle = fmax(result.cycle, half_width(&force[a]));
        result.turn_cycle = fmax(result.turn_cycle, half_width(&torque[a]));
    }
    result.mean_force = mean(&force[0]);
    result.mean_depth = mean(&depth);
    result.report = safety.report;
    sn_device_free(device);
    return result;
}
