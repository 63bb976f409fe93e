// SPDX-License-Identifier: Apache-2.0
// <joint>: type, placement, axis, limits, dynamics.
#include <string.h>

#include "base/nearest.h"
#include "load/urdf.h"

typedef struct joint_kind {
    const char* name;
    sn_joint_type type;
    bool has_axis;
    bool has_range; ///< lower and upper mean something, and URDF requires a <limit>
} joint_kind;

static const joint_kind kinds[] = {
    {"revolute", SN_JOINT_REVOLUTE, true, true},     {"continuous", SN_JOINT_REVOLUTE, true, false},
    {"prismatic", SN_JOINT_PRISMATIC, true, true},   {"fixed", SN_JOINT_FIXED, false, false},
    {"floating", SN_JOINT_FREE, false, false},       {"planar", SN_JOINT_PLANAR, true, false},
    {"spherical", SN_JOINT_SPHERICAL, false, false}, // Bullet's extension
};

static sn_status find_kind(sni_load* load, const sni_urdf_joint* joint, const joint_kind** kind) {
    const char* type;
    sn_status status = sni_xml_need(load, joint->node, "type", &type);
    if (status) return status;
    sni_nearest nearest = {.wanted = type};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].name, type) == 0) {
            *kind = &kinds[i];
            return SN_OK;
        }
        sni_nearest_offer(&nearest, kinds[i].name);
    }
    return sni_fail(load->error, SN_ERR_FORMAT, sni_xml_place(load, joint->node),
                    "joint '%.60s' has unknown type '%.60s'%s%s%s; write revolute, continuous, "
                    "prismatic, fixed, floating, planar or spherical",
                    joint->name, type, nearest.best ? " (did you mean '" : "",
                    nearest.best ? nearest.best : "", nearest.best ? "'?)" : "");
}

/// Unit axis, (1,0,0) when the file has none.
static sn_status read_axis(sni_load* load, const sni_urdf_joint* joint, sn_vec3* axis) {
    *axis = sn_vec3_make(1, 0, 0);
    const xmlNode* node = sni_xml_child(joint->node, "axis");
    if (!node) return SN_OK;
    double a[3];
    sn_status status = sni_xml_numbers(load, node, "xyz", 3, a);
    if (status) return status;
    double largest = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
    if (largest == 0)
        return sni_fail(load->error, SN_ERR_FORMAT, sni_xml_place(load, node),
                        "joint '%.60s' has the axis 0 0 0; write a direction, such as 0 0 1",
                        joint->name);
    // Scaled first, so that the squares of tiny or huge numbers stay numbers.
    sn_vec3 scaled = sn_vec3_make(a[0] / largest, a[1] / largest, a[2] / largest);
    *axis = sn_vec3_scale(1 / sn_vec3_norm(scaled), scaled);
    return SN_OK;
}

static void set_all(double* values, sn_joint_type type, double value) {
    for (int k = 0; k < sn_joint_type_nv(type); k++) values[k] = value;
}

/// effort or velocity: a bound on the size of something; INFINITY when the file has none.
static sn_status read_bound(sni_load* load, const sni_urdf_joint* joint, const xmlNode* limit,
                            const char* attribute, bool required, double* bound) {
    *bound = INFINITY;
    sn_status status = sni_xml_numbers_or(load, limit, attribute, 1, bound);
    if (status) return status;
    if (*bound < 0) {
        sni_warn(load, "negative bound", sni_xml_place(load, limit),
                 "joint '%.60s' has a negative %s limit; taken as no limit", joint->name,
                 attribute);
        *bound = INFINITY;
    } else if (required && *bound == INFINITY) {
        sni_warn(load, attribute, sni_xml_place(load, limit),
                 "joint '%.60s' has no %s in its <limit>, which URDF requires; taken as no limit",
                 joint->name, attribute);
    }
    return SN_OK;
}

static sn_status read_range(sni_load* load, const sni_urdf_joint* joint, const xmlNode* limit,
                            sn_joint_def* def) {
    double lower = -INFINITY, upper = INFINITY;
    sn_status status = sni_xml_numbers_or(load, limit, "lower", 1, &lower);
    if (!status) status = sni_xml_numbers_or(load, limit, "upper", 1, &upper);
    if (status) return status;
    if (lower == -INFINITY || upper == INFINITY)
        sni_warn(load, "open range", sni_xml_place(load, limit),
                 "joint '%.60s' has a <limit> without %s; it is not limited on that side",
                 joint->name, lower == -INFINITY ? "lower" : "upper");
    if (lower > upper) {
        sni_warn(load, "empty range", sni_xml_place(load, limit),
                 "joint '%.60s' has lower %g above upper %g; taken as no limit, as Bullet does. "
                 "Swap them if they were meant",
                 joint->name, lower, upper);
        return SN_OK;
    }
    def->lower[0] = lower;
    def->upper[0] = upper;
    return SN_OK;
}

/// Position limits of joints that have none here.
static void warn_range(sni_load* load, const sni_urdf_joint* joint, const joint_kind* kind,
                       const xmlNode* limit) {
    bool given = sni_xml_get(limit, "lower") || sni_xml_get(limit, "upper");
    bool twist = sni_xml_get(limit, "twist") != NULL;
    if (kind->type == SN_JOINT_SPHERICAL && (given || twist))
        sni_warn(load, "cone", sni_xml_place(load, limit),
                 "joint '%.60s': Bullet's swing and twist limits of spherical joints are not "
                 "applied; the joint turns freely",
                 joint->name);
    else if (strcmp(kind->name, "continuous") == 0 && given)
        sni_warn(load, "continuous", sni_xml_place(load, limit),
                 "joint '%.60s' is continuous: lower and upper are ignored, it turns without end",
                 joint->name);
    else if (twist)
        sni_warn(load, "twist", sni_xml_place(load, limit),
                 "joint '%.60s': attribute 'twist' has no effect on a %s joint", joint->name,
                 kind->name);
}

static bool is_mixed(sn_joint_type type) {
    return type == SN_JOINT_FREE || type == SN_JOINT_PLANAR;
}

static sn_status read_limit(sni_load* load, const sni_urdf_joint* joint, const joint_kind* kind,
                            sn_joint_def* def) {
    const xmlNode* limit = sni_xml_child(joint->node, "limit");
    if (!limit) {
        if (kind->has_range)
            sni_warn(load, "no limit", sni_xml_place(load, joint->node),
                     "joint '%.60s' has no <limit>, which URDF requires for a %s joint; it moves "
                     "without limits",
                     joint->name, kind->name);
        return SN_OK;
    }
    if (is_mixed(kind->type)) {
        sni_warn(load, "mixed limit", sni_xml_place(load, limit),
                 "joint '%.60s': <limit> has no effect on a %s joint", joint->name, kind->name);
        return SN_OK;
    }
    double effort, velocity;
    sn_status status = read_bound(load, joint, limit, "effort", kind->has_range, &effort);
    if (!status) status = read_bound(load, joint, limit, "velocity", kind->has_range, &velocity);
    if (status) return status;
    set_all(def->effort, kind->type, effort);
    set_all(def->velocity, kind->type, velocity);
    if (kind->has_range) status = read_range(load, joint, limit, def);
    if (!status && (!kind->has_range || sni_xml_get(limit, "twist")))
        warn_range(load, joint, kind, limit);
    return status;
}

static sn_status read_dynamics(sni_load* load, const sni_urdf_joint* joint, const joint_kind* kind,
                               sn_joint_def* def) {
    const xmlNode* dynamics = sni_xml_child(joint->node, "dynamics");
    if (!dynamics) return SN_OK;
    double damping = 0, friction = 0, spring = 0;
    sn_status status = sni_xml_numbers_or(load, dynamics, "damping", 1, &damping);
    if (!status) status = sni_xml_numbers_or(load, dynamics, "friction", 1, &friction);
    if (!status) status = sni_xml_numbers_or(load, dynamics, "spring_stiffness", 1, &spring);
    if (status) return status;
    if (damping < 0 || friction < 0 || spring < 0)
        return sni_fail(load->error, SN_ERR_FORMAT, sni_xml_place(load, dynamics),
                        "joint '%.60s' has negative %s, which would drive it; write zero or more",
                        joint->name,
                        damping < 0    ? "damping"
                        : friction < 0 ? "friction"
                                       : "spring_stiffness");
    if (is_mixed(kind->type)) {
        if (damping > 0 || friction > 0 || spring > 0)
            sni_warn(load, "mixed dynamics", sni_xml_place(load, dynamics),
                     "joint '%.60s': <dynamics> has no effect on a %s joint", joint->name,
                     kind->name);
        return SN_OK;
    }
    set_all(def->damping, kind->type, damping);
    set_all(def->friction, kind->type, friction);
    set_all(def->stiffness, kind->type, spring);
    return SN_OK;
}

/// Makes a fixed joint one that gives way, where that is asked for.
static void give_way(const sni_load* load, sn_joint_def* def) {
    for (int i = 0; i < load->def.flexible_count; i++) {
        const sn_flexible_joint* f = &load->def.flexible[i];
        if (strcmp(f->joint, def->name) != 0) continue;
        def->type = SN_JOINT_SPHERICAL;
        set_all(def->stiffness, def->type, f->stiffness);
        set_all(def->damping, def->type, f->damping);
    }
}

sn_status sni_urdf_joint_def(sni_load* load, const sni_urdf_joint* joint, sn_joint_def* def) {
    *def = sn_joint_def_default();
    const joint_kind* kind = NULL;
    sn_status status = find_kind(load, joint, &kind);
    if (status) return status;
    def->name = joint->name;
    def->type = kind->type;
    status = sni_xml_origin(load, joint->node, &def->placement);
    if (!status && kind->has_axis) status = read_axis(load, joint, &def->axis);
    if (!status && kind->type != SN_JOINT_FIXED) status = read_limit(load, joint, kind, def);
    if (!status && kind->type != SN_JOINT_FIXED) status = read_dynamics(load, joint, kind, def);
    if (!status && kind->type == SN_JOINT_FIXED) give_way(load, def);
    return status;
}
