// SPDX-License-Identifier: Apache-2.0
#include "support/standing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

sn_simulation* standing(const char* model, const char* more) {
    return standing_with(model, "true", more);
}

sn_simulation* standing_with(const char* model, const char* balance, const char* more) {
    char text[4000];
    bool robot = strcmp(model, "hrp2") == 0;
    const char* bend = robot ? "{l_hip_pitch: -20deg, l_knee: 40deg, l_ankle_pitch: -20deg, "
                               "r_hip_pitch: -20deg, r_knee: 40deg, r_ankle_pitch: -20deg, "
                               "l_elbow: -30deg, r_elbow: -30deg}"
                             : "{}";
    int length = snprintf(text, sizeof text,
                          "version: 1\nfloor: {mu: 0.8}\n"
                          "models:\n- {name: robot, file: " SN_TEST_MODELS_DIR
                          "/%s.urdf, stand: true, q: %s}\n"
                          "controllers:\n- {item: robot, balance: %s}\n%s",
                          model, bend, balance, more);
    CHECK(length > 0 && length < (int)sizeof text, 0);
    return running(text);
}

void standing_push(sn_simulation* sim, double force, double direction) {
    char text[200];
    snprintf(text, sizeof text, "push: {body: robot/chest, force: [%.12g, %.12g, 0]}",
             force * cos(direction), force * sin(direction));
    running_command(sim, text);
    running_step(sim, 200);
    running_command(sim, "push: {body: robot/chest}");
}

static sn_vec3 sole(sn_simulation* sim, const char* name) {
    sn_world* world = sn_simulation_world(sim);
    sn_frame_id frame = sn_model_find_frame(sn_world_model(world), name);
    CHECK(frame.i >= 0, 0);
    return sn_dynamics_frame_pose(sn_world_dynamics(world), frame).p;
}

sn_vec3 standing_middle(sn_simulation* sim) {
    sn_vec3 sum = sn_vec3_add(sole(sim, "robot/l_sole"), sole(sim, "robot/r_sole"));
    return sn_vec3_scale(0.5, sum);
}

bool standing_is_up(sn_simulation* sim) {
    sn_vec3 com = sn_world_momentum(sn_simulation_world(sim)).com, middle = standing_middle(sim);
    return com.z - middle.z > 0.6 && fabs(sole(sim, "robot/l_sole").z) < 0.01 &&
           fabs(sole(sim, "robot/r_sole").z) < 0.01;
}
