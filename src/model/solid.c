// SPDX-License-Identifier: Apache-2.0
// Shapes: their names, and homogeneous solids of them.
#include "sinew/model.h"

static const double PI = 3.14159265358979323846;

const char* sn_shape_type_name(sn_shape_type type) {
    switch (type) {
    case SN_SHAPE_SPHERE: return "sphere";
    case SN_SHAPE_BOX: return "box";
    case SN_SHAPE_CYLINDER: return "cylinder";
    case SN_SHAPE_CAPSULE: return "capsule";
    case SN_SHAPE_PLANE: return "plane";
    case SN_SHAPE_MESH: return "mesh";
    case SN_SHAPE_HULL: return "hull";
    }
    return "unknown";
}

static double ball(double r) { return 4.0 / 3 * PI * r * r * r; }
static double rod(double r, double length) { return PI * r * r * length; }

double sn_shape_volume(sn_shape_type type, sn_vec3 size) {
    switch (type) {
    case SN_SHAPE_SPHERE: return ball(size.x);
    case SN_SHAPE_BOX: return size.x * size.y * size.z;
    case SN_SHAPE_CYLINDER: return rod(size.x, size.z);
    case SN_SHAPE_CAPSULE: return rod(size.x, size.z) + ball(size.x);
    case SN_SHAPE_PLANE:
    case SN_SHAPE_MESH:
    case SN_SHAPE_HULL: break;
    }
    return 0;
}

/// A cylinder between two halves of a ball, whose centres of mass are 3/8 r from their flat sides.
static sn_inertia capsule(double mass, double r, double length) {
    double caps = mass * ball(r) / (ball(r) + rod(r, length));
    sn_inertia I = sn_inertia_cylinder(mass - caps, r, length);
    double along = caps * 2.0 / 5 * r * r;
    double across = along + caps * (length * length / 4 + 3.0 / 8 * length * r);
    I.mass = mass;
    I.I = sn_mat3_add(I.I, sn_mat3_diagonal(across, across, along));
    return I;
}

sn_inertia sn_inertia_solid(sn_shape_type type, sn_vec3 size, double mass) {
    switch (type) {
    case SN_SHAPE_SPHERE: return sn_inertia_sphere(mass, size.x);
    case SN_SHAPE_CYLINDER: return sn_inertia_cylinder(mass, size.x, size.z);
    case SN_SHAPE_CAPSULE: return capsule(mass, size.x, size.z);
    case SN_SHAPE_BOX:
    case SN_SHAPE_PLANE:
    case SN_SHAPE_MESH:
    case SN_SHAPE_HULL: break;
    }
    return sn_inertia_box(mass, size);
}
