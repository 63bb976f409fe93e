// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "message.h"
#include "sim.h"

static const double LOOK_EVERY = 0.01; // s: bodies are not measured in every step

static double gyration_radius(const sn_inertia* I) {
    double moment = (I->I.m[0][0] + I->I.m[1][1] + I->I.m[2][2]) / 2;
    return I->mass > 0 ? sqrt(moment / I->mass) : 0;
}

// Measures speeds of another model from now on.
static bool follow(sim_rest* rest, const sn_model* model) {
    sn_error error = {0};
    sn_dynamics_free(rest->dynamics);
    rest->dynamics = NULL;
    error.status = sn_dynamics_create(model, NULL, &rest->dynamics, &error);
    if (error.status != SN_OK) message_error_from(&error);
    return error.status == SN_OK;
}

bool sim_rest_start(sim_rest* rest, const sn_world* world, const sim_options* options) {
    *rest = (sim_rest){.asked = options->until_rest, .body = -1};
    if (!rest->asked) return true;
    sn_world_contact def = sn_world_contact_default();
    rest->speed = def.rest_speed;
    rest->quiet_time = 2 * def.rest_time; // where bodies fall asleep, that comes first
    rest->period = (uint64_t)fmax(1, round(LOOK_EVERY / sn_world_step_size(world)));
    rest->since = 0;
    return follow(rest, sn_world_model(world));
}

// Speed of a body's centre of mass, and of its mass about it.
static double speed_of(const sn_dynamics* dynamics, const sn_model* model, int i) {
    sn_inertia I = sn_model_body(model, sn_body(i)).inertia;
    sn_twist v = sn_dynamics_velocity(dynamics, sn_body(i));
    return sn_vec3_norm(sn_vec3_add(v.v, sn_vec3_cross(v.w, I.com))) +
           sn_vec3_norm(v.w) * gyration_radius(&I);
}

static void find_fastest(sim_rest* rest, const sn_world* world) {
    const sn_model* model = sn_world_model(world);
    rest->fastest = 0;
    rest->body = -1;
    if (!rest->dynamics ||
        sn_dynamics_kinematics(rest->dynamics, sn_world_q(world), sn_world_v(world))) {
        rest->fastest = NAN;
        return;
    }
    for (int i = 0; i < sn_model_body_count(model); i++) {
        double speed = speed_of(rest->dynamics, model, i);
        if (speed > rest->fastest) {
            rest->fastest = speed;
            rest->body = i;
        }
    }
}

bool sim_rest_reached(sim_rest* rest, const sn_world* world, const sn_step_report* report) {
    if (!rest->asked) return false;
    const sn_model* model = sn_world_model(world);
    if (!rest->dynamics || sn_dynamics_model(rest->dynamics) != model) (void)follow(rest, model);
    rest->reached = report->contact.resting == sn_model_body_count(model);
    if (rest->reached || report->step % rest->period != 0) return rest->reached;
    find_fastest(rest, world);
    if (!(rest->fastest <= rest->speed)) rest->since = report->time;
    rest->reached = report->time - rest->since >= rest->quiet_time;
    return rest->reached;
}

void sim_rest_free(sim_rest* rest) {
    sn_dynamics_free(rest->dynamics);
    *rest = (sim_rest){0};
}
