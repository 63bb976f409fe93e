// SPDX-License-Identifier: Apache-2.0
#include "haptics/hand_map.h"

#include <math.h>

void sni_hand_map_init(sni_hand_map* map, const sni_hand_map_def* def) {
    *map = (sni_hand_map){.def = *def, .turn = sn_mat3_identity(), .turned = def->X_wd.R};
}

/// Where the frame would be without clutch and drift.
static sn_vec3 plain_place(const sni_hand_map_def* def, const sn_device_sample* sample) {
    return sn_pose_apply(def->X_wd, sn_vec3_scale(def->scale, sample->pose.p));
}

static sn_pose plain_pose(const sni_hand_map* map, const sn_device_sample* sample) {
    const sni_hand_map_def* def = &map->def;
    return sn_pose_make(sn_mat3_mul(def->X_wd.R, sample->pose.R), plain_place(def, sample));
}

/// m/s, device axes: outward, where the handle is far out.
static sn_vec3 drift(const sni_hand_map_def* def, sn_vec3 p) {
    if (!(sn_vec3_dot(p, p) > def->rate_radius * def->rate_radius)) return sn_vec3_zero();
    double out = sn_vec3_norm(p), beyond = out - def->rate_radius;
    return beyond > 0 ? sn_vec3_scale(def->rate * beyond / out, p) : sn_vec3_zero();
}

/// What must be added to a plain pose so that the frame is at `held`.
static void hold(sni_hand_map* map, sn_pose plain) {
    map->offset = sn_vec3_sub(map->held.p, plain.p);
    map->turn = sn_mat3_mul(map->held.R, sn_mat3_transpose(plain.R));
    map->turned = sn_mat3_mul(map->turn, map->def.X_wd.R);
}

void sni_hand_map_follow(sni_hand_map* map, const sn_device_sample* sample, bool clutch,
                         double period, sn_hand* hand) {
    const sni_hand_map_def* def = &map->def;
    if (clutch && !map->clutched) map->held = hand->pose;
    if (clutch || map->clutched) hold(map, plain_pose(map, sample));
    map->clutched = clutch;
    if (clutch) {
        *hand = (sn_hand){.pose = map->held};
        return;
    }
    sn_vec3 on = sn_vec3_scale(def->scale, drift(def, sample->pose.p));
    sn_vec3 speed = sn_vec3_add(sn_vec3_scale(def->scale, sample->velocity.v), on);
    map->offset = sn_vec3_add(map->offset, sn_mat3_apply(def->X_wd.R, sn_vec3_scale(period, on)));
    sn_vec3 p = sn_vec3_add(plain_place(def, sample), map->offset);
    hand->pose = sn_pose_make(sn_mat3_mul(map->turned, sample->pose.R), p);
    hand->velocity.w = sn_mat3_apply(map->turned, sample->velocity.w);
    hand->velocity.v = sn_mat3_apply(def->X_wd.R, speed);
}

sn_device_force sni_hand_map_render(const sni_hand_map* map, sn_vec3 force_w, sn_vec3 moment_w) {
    const sni_hand_map_def* def = &map->def;
    return (sn_device_force){
        .force = sn_vec3_scale(def->gain, sn_mat3_apply_transposed(def->X_wd.R, force_w)),
        // a moment in the world is a moment on the hand over the lever: gain and scale go together
        .torque =
            sn_vec3_scale(def->gain / def->scale, sn_mat3_apply_transposed(map->turned, moment_w))};
}

sn_device_force sni_hand_map_felt(const sni_hand_map* map, const sn_device_force* rendered) {
    const sni_hand_map_def* def = &map->def;
    return (sn_device_force){
        .force = sn_vec3_scale(1 / def->gain, sn_mat3_apply(def->X_wd.R, rendered->force)),
        .torque =
            sn_vec3_scale(def->scale / def->gain, sn_mat3_apply(map->turned, rendered->torque))};
}
