// SPDX-License-Identifier: Apache-2.0
/// One spring and damper on the simulated device, in virtual time, with nothing between law and device.
#include <math.h>

#include "message.h"
#include "zwidth.h"

static const double DURATION = 3, LAST = 1; // s; of the last part the force is looked at
static const double PATIENCE =
    5; // times as long for a hand that only is a mass, which rings longest
static const double PRESS = 3e-3;   // m, into the wall
static const double OFF = 8e-3;     // m, where a grip starts
static const double NOTHING = 1e-6; // J; and what a step of the encoder is worth
const double ZWIDTH_FELT = 0.05;

static sn_pose pose_at(double x, double y) {
    return sn_pose_make(sn_mat3_identity(), sn_vec3_make(x, y, 0));
}

static sn_device* make_device(const zwidth_trial* t) {
    bool drawn = t->hand.stiffness > 0, wall = t->task == ZWIDTH_WALL;
    double out = fmin(0.03, 0.5 * t->profile.workspace);
    sn_pose start = wall ? pose_at(out, 0.004) : pose_at(OFF, 0);
    const sn_hand_knot wall_way[3] = {
        {.time = 0, .pose = start},
        {.time = 0.2, .pose = start},
        {.time = 0.7, .pose = pose_at(-PRESS, 0.004)},
    };
    const sn_hand_knot grip_way[2] = {{.time = 0, .pose = start},
                                      {.time = 1e-3, .pose = pose_at(0, 0)}};
    sn_simulated_device_def def = sn_simulated_device_def_default();
    sn_hand_script* script = NULL;
    sn_device* device = NULL;
    sn_error error = {0};
    def.profile = t->profile;
    def.hand = t->hand;
    if (wall && !drawn) def.velocity = sn_vec3_make(-0.3, 0.05, 0);
    error.status = sn_hand_script_create(wall ? wall_way : grip_way, wall ? (drawn ? 3 : 1) : 2,
                                         &script, &error);
    def.script = script;
    if (!error.status) error.status = sn_simulated_device_create(&def, &device, &error);
    if (error.status) message_error_from(&error);
    sn_hand_script_free(script);
    return device;
}

static sn_vec3 law(const zwidth_trial* t, const sn_device_sample* s) {
    sn_vec3 p = s->pose.p, v = s->velocity.v;
    if (t->task == ZWIDTH_GRIP)
        return sn_vec3_sub(sn_vec3_scale(-t->stiffness, p), sn_vec3_scale(t->damping, v));
    double push = p.x < 0 ? fmax(0, -t->stiffness * p.x - t->damping * v.x) : 0;
    return sn_vec3_make(push, 0, 0);
}

typedef struct range {
    double low, high;
} range;

static void widen(range* r, double x) {
    r->low = fmin(r->low, x);
    r->high = fmax(r->high, x);
}

static double half_width(const range* r) { return r->high > r->low ? 0.5 * (r->high - r->low) : 0; }

static void judge(const zwidth_trial* t, zwidth_result* result) {
    double step = t->profile.resolution;
    result->swings = !(result->cycle <= ZWIDTH_FELT);
    result->active = !(result->produced <= NOTHING + 0.5 * t->stiffness * step * step);
}

bool zwidth_try(const zwidth_trial* t, zwidth_result* result) {
    sn_device* device = make_device(t);
    if (!device) return false;
    bool rings = t->hand.mass > 0 && !(t->hand.stiffness > 0);
    long ticks = lround((rings ? PATIENCE : 1) * DURATION / t->period);
    double stored = t->task == ZWIDTH_GRIP ? 0.5 * t->stiffness * OFF * OFF : 0;
    range force[3] = {{HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}};
    *result = (zwidth_result){.produced = -stored};
    for (long i = 0; i < ticks; i++) {
        int64_t now = llround(1e9 * t->period * (double)i);
        sn_device_sample sample;
        sn_simulated_state state;
        (void)sn_device_read(device, now, &sample); // a simulated device without trouble answers
        sn_device_force f = {law(t, &sample), sn_vec3_zero()};
        (void)sn_device_write(device, now, &f);          // the same
        (void)sn_simulated_device_state(device, &state); // it is one
        result->produced = fmax(result->produced, state.motor_work - state.viscous_loss - stored);
        if ((double)(ticks - i) * t->period > LAST) continue;
        widen(&force[0], f.force.x);
        widen(&force[1], f.force.y);
        widen(&force[2], f.force.z);
    }
    for (int a = 0; a < 3; a++) result->cycle = fmax(result->cycle, half_width(&force[a]));
    judge(t, result);
    sn_device_free(device);
    return true;
}
