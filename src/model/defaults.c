// SPDX-License-Identifier: Apache-2.0
// Default definitions, and inertias of simple solids.
#include <string.h>

#include "math/inertia.h"
#include "model/joint.h"

sn_joint_def sn_joint_def_default(void) {
    sn_joint_def def;
    memset(&def, 0, sizeof def);
    def.type = SN_JOINT_REVOLUTE;
    def.placement = sn_pose_identity();
    def.axis = sn_vec3_make(0, 0, 1);
    def.axis2 = sn_vec3_make(0, 1, 0);
    for (int k = 0; k < SN_JOINT_MAX_NV; k++) {
        def.lower[k] = -INFINITY;
        def.upper[k] = INFINITY;
        def.velocity[k] = INFINITY;
        def.effort[k] = INFINITY;
    }
    return def;
}

sn_body_def sn_body_def_default(void) {
    sn_body_def def;
    memset(&def, 0, sizeof def);
    def.joint = sn_joint_def_default();
    def.inertia = sn_inertia_sphere(1, 0.1);
    def.place.file = "";
    return def;
}

sn_shape_def sn_shape_def_default(void) {
    sn_shape_def def;
    memset(&def, 0, sizeof def);
    def.type = SN_SHAPE_SPHERE;
    def.use = SN_SHAPE_VISUAL | SN_SHAPE_COLLISION;
    def.pose = sn_pose_identity();
    def.size = sn_vec3_make(1, 1, 1);
    def.material = sn_material_default();
    def.group = 1;
    def.mask = UINT32_MAX;
    for (int k = 0; k < 4; k++) def.color[k] = k < 3 ? 0.7 : 1.0;
    def.place.file = "";
    return def;
}

sn_loop_def sn_loop_def_default(void) {
    sn_loop_def def;
    memset(&def, 0, sizeof def);
    def.type = SN_JOINT_REVOLUTE;
    def.X_ac = def.X_bc = sn_pose_identity();
    def.axis = sn_vec3_make(0, 0, 1);
    def.axis2 = sn_vec3_make(0, 1, 0);
    def.t_s = 0.02;
    def.place.file = "";
    return def;
}

static sn_inertia centred(double mass, double xx, double yy, double zz) {
    sn_inertia r = {mass, sn_vec3_zero(), sn_mat3_diagonal(xx, yy, zz)};
    return r;
}

sn_inertia sn_inertia_box(double mass, sn_vec3 edges) {
    double k = mass / 12, xx = edges.x * edges.x, yy = edges.y * edges.y, zz = edges.z * edges.z;
    return centred(mass, k * (yy + zz), k * (xx + zz), k * (xx + yy));
}

sn_inertia sn_inertia_sphere(double mass, double radius) {
    double k = 0.4 * mass * radius * radius;
    return centred(mass, k, k, k);
}

sn_inertia sn_inertia_cylinder(double mass, double radius, double length) {
    double r2 = radius * radius, across = mass * (3 * r2 + length * length) / 12;
    return centred(mass, across, across, 0.5 * mass * r2);
}

sn_inertia sn_inertia_moved(sn_pose X_ab, sn_inertia I_b) {
    sn_inertia r = {I_b.mass, sn_pose_apply(X_ab, I_b.com),
                    sn_mat3_mul(sn_mat3_mul(X_ab.R, I_b.I), sn_mat3_transpose(X_ab.R))};
    return r;
}

/// Inertia of body b about the common centre of mass c, by the parallel-axis theorem.
static sn_mat3 about(sn_inertia b, sn_vec3 c) {
    return sni_rigid_make(b.mass, sn_vec3_sub(b.com, c), b.I).J;
}

sn_inertia sn_inertia_sum(sn_inertia a, sn_inertia b) {
    double mass = a.mass + b.mass;
    if (mass == 0) return a; // nothing and nothing
    sn_vec3 moment = sn_vec3_add(sn_vec3_scale(a.mass, a.com), sn_vec3_scale(b.mass, b.com));
    sn_vec3 c = sn_vec3_scale(1 / mass, moment);
    sn_inertia r = {mass, c, sn_mat3_add(about(a, c), about(b, c))};
    return r;
}
