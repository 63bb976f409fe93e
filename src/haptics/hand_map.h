// SPDX-License-Identifier: Apache-2.0
/// From the handle of a device to a frame in the world, and from a wrench there back to the handle: where the device
/// stands, how large its movements become, the clutch, and rate control.
#ifndef SN_HAPTICS_HAND_MAP_H
#define SN_HAPTICS_HAND_MAP_H

#include "sinew/coupling.h"
#include "sinew/device.h"

typedef struct sni_hand_map_def {
    sn_pose X_wd; ///< the device's frame in the world
    double scale; ///< m of the world for a m of the device
    double gain;  ///< N on the hand for a N in the world
    double
        rate_radius; ///< m of the device: farther out the frame drifts on outward; INFINITY: never
    double rate;     ///< m/s of the device for each m beyond
} sni_hand_map_def;

typedef struct sni_hand_map {
    sni_hand_map_def def;
    sn_vec3 offset; ///< m, world: what clutch and drift have added
    sn_mat3 turn;   ///< the same of the orientation
    sn_mat3 turned; ///< device axes to world axes, with that
    bool clutched;
    sn_pose held; ///< where the frame stays while it is
} sni_hand_map;

void sni_hand_map_init(sni_hand_map* map, const sni_hand_map_def* def);
/// Where the hand is in the world. While `clutch` is held the frame stays and the handle moves alone; afterwards it goes
/// on from there. Realtime: yes.
void sni_hand_map_follow(sni_hand_map* map, const sn_device_sample* sample, bool clutch,
                         double period, sn_hand* hand);
/// A force in the world, and a moment about the frame's origin, as the handle is to render them. Realtime: yes.
sn_device_force sni_hand_map_render(const sni_hand_map* map, sn_vec3 force_w, sn_vec3 moment_w);
/// The other way: what the handle renders, as force and moment in the world.
sn_device_force sni_hand_map_felt(const sni_hand_map* map, const sn_device_force* rendered);

#endif
