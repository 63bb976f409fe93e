// SPDX-License-Identifier: Apache-2.0
#include "coordinates.h"

#include <stdio.h>

#include "memory.h"

// Orders of one joint's numbers in a file, by place in the API.
static const int FREE_Q[7] = {0, 1, 2, 4, 5, 6, 3}; // position, x,y,z,w <- position, w,x,y,z
static const int FREE_V[6] = {3, 4, 5, 0, 1, 2};    // linear, angular <- angular, linear
static const int SPHERICAL_Q[4] = {1, 2, 3, 0};     // x,y,z,w <- w,x,y,z

int* coordinates_q_order(const sn_model* model) {
    int* order = memory_take((size_t)sn_model_nq(model), sizeof *order);
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        const int* local = b.type == SN_JOINT_FREE        ? FREE_Q
                           : b.type == SN_JOINT_SPHERICAL ? SPHERICAL_Q
                                                          : NULL;
        for (int k = 0; k < b.nq; k++) order[b.iq + k] = b.iq + (local ? local[k] : k);
    }
    return order;
}

int* coordinates_v_order(const sn_model* model) {
    int* order = memory_take((size_t)sn_model_nv(model), sizeof *order);
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        const int* local = b.type == SN_JOINT_FREE ? FREE_V : NULL;
        for (int k = 0; k < b.nv; k++) order[b.iv + k] = b.iv + (local ? local[k] : k);
    }
    return order;
}

bool coordinates_v_is_angular(sn_joint_type type, int k) {
    switch (type) {
    case SN_JOINT_REVOLUTE:
    case SN_JOINT_HELICAL:
    case SN_JOINT_UNIVERSAL:
    case SN_JOINT_SPHERICAL: return true;
    case SN_JOINT_CYLINDRICAL:
    case SN_JOINT_PLANAR: return k == 0;
    case SN_JOINT_FREE: return k < 3;
    default: return false;
    }
}

bool coordinates_q_is_angle(sn_joint_type type, int k) {
    return type != SN_JOINT_FREE && type != SN_JOINT_SPHERICAL && coordinates_v_is_angular(type, k);
}

static const char* const QUATERNION[4] = {"qw", "qx", "qy", "qz"};

static void write_name(const sn_body_info* joint, char letter, const char* part, const char* unit,
                       char* name, size_t size) {
    snprintf(name, size, "%c:%s%s%s%s%s%s", letter, joint->joint_name, part ? "[" : "",
             part ? part : "", part ? "]" : "", unit[0] ? "_" : "", unit);
}

void coordinates_q_name(const sn_body_info* joint, int k, const sn_units* units, char* name,
                        size_t size) {
    static const char* const POSITION[3] = {"x", "y", "z"};
    static const char* const CYLINDRICAL[2] = {"angle", "distance"};
    static const char* const PLANAR[3] = {"angle", "x", "y"};
    static const char* const UNIVERSAL[2] = {"1", "2"};
    const char* part = NULL;
    switch (joint->type) {
    case SN_JOINT_CYLINDRICAL: part = CYLINDRICAL[k]; break;
    case SN_JOINT_PLANAR: part = PLANAR[k]; break;
    case SN_JOINT_UNIVERSAL: part = UNIVERSAL[k]; break;
    case SN_JOINT_SPHERICAL: part = QUATERNION[k]; break;
    case SN_JOINT_FREE: part = k < 3 ? POSITION[k] : QUATERNION[k - 3]; break;
    default: break;
    }
    bool quaternion = part && part[0] == 'q';
    const char* unit = quaternion                               ? ""
                       : coordinates_q_is_angle(joint->type, k) ? "rad"
                                                                : units->length.symbol;
    write_name(joint, 'q', part, unit, name, size);
}

void coordinates_v_name(const sn_body_info* joint, int k, const sn_units* units, char* name,
                        size_t size) {
    static const char* const FREE[6] = {"wx", "wy", "wz", "vx", "vy", "vz"};
    static const char* const CYLINDRICAL[2] = {"w", "v"};
    static const char* const PLANAR[3] = {"w", "vx", "vy"};
    static const char* const UNIVERSAL[2] = {"w1", "w2"};
    const char* part = NULL;
    switch (joint->type) {
    case SN_JOINT_CYLINDRICAL: part = CYLINDRICAL[k]; break;
    case SN_JOINT_PLANAR: part = PLANAR[k]; break;
    case SN_JOINT_UNIVERSAL: part = UNIVERSAL[k]; break;
    case SN_JOINT_SPHERICAL:
    case SN_JOINT_FREE: part = FREE[k]; break;
    default: break;
    }
    const char* unit =
        coordinates_v_is_angular(joint->type, k) ? units->turning.symbol : units->speed.symbol;
    write_name(joint, 'v', part, unit, name, size);
}
