// SPDX-License-Identifier: Apache-2.0
#include "model/validate.h"

#include "base/error.h"
#include "math/small.h"
#include "model/joint.h"

// Files print rotations and quaternions with six digits or more; beyond that it is a mistake.
const double SN_DIRECTION_TOLERANCE = 1e-6;
// A principal moment below this fraction of the largest is zero up to the rounding of its file.
static const double MOMENT_TOLERANCE = 1e-12;
// Slack on I1 + I2 >= I3, the triangle inequality of real mass distributions.
static const double TRIANGLE_TOLERANCE = 1e-6;

static bool all_finite(const double* values, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

static bool finite_vec(sn_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

static bool finite_pose(sn_pose X) { return all_finite(&X.R.m[0][0], 9) && finite_vec(X.p); }

static bool is_rotation(sn_mat3 R) {
    sn_mat3 E = sn_mat3_mul(R, sn_mat3_transpose(R));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (!(fabs(E.m[i][j] - (i == j)) <= SN_DIRECTION_TOLERANCE)) return false;
    sn_vec3 z = sn_vec3_cross(sn_mat3_row(R, 0), sn_mat3_row(R, 1));
    return sn_vec3_dot(z, sn_mat3_row(R, 2)) > 0;
}

/// NULL, or what is wrong with the per-DOF numbers.
static const char* dof_trouble(const sn_joint_def* joint) {
    int nv = sn_joint_type_nv(joint->type), nq = sn_joint_type_nq(joint->type);
    if (!all_finite(joint->rest, nq)) return "rest position is not finite";
    for (int k = 0; k < nv; k++) {
        if (!(joint->armature[k] >= 0 && isfinite(joint->armature[k])))
            return "armature must be finite and not negative";
        if (!(joint->damping[k] >= 0 && isfinite(joint->damping[k])))
            return "damping must be finite and not negative";
        if (!(joint->stiffness[k] >= 0 && isfinite(joint->stiffness[k])))
            return "stiffness must be finite and not negative";
        if (!(joint->friction[k] >= 0)) return "friction must not be negative";
        if (!(joint->lower[k] <= joint->upper[k])) return "lower limit is above the upper limit";
        if (!(joint->velocity[k] >= 0)) return "velocity limit must not be negative";
        if (!(joint->effort[k] >= 0)) return "effort limit must not be negative";
    }
    return NULL;
}

/// A spring about axes that turn with the body stores energy only when they are equally stiff.
static const char* spring_trouble(const sn_joint_def* joint) {
    const double* k = joint->stiffness;
    bool rotations = joint->type == SN_JOINT_SPHERICAL || joint->type == SN_JOINT_FREE;
    if (rotations && !(k[0] == k[1] && k[1] == k[2]))
        return "the three rotational stiffnesses must be equal";
    if (joint->type == SN_JOINT_FREE && !(k[3] == k[4] && k[4] == k[5]))
        return "the three linear stiffnesses must be equal";
    if (joint->type == SN_JOINT_PLANAR && k[1] != k[2])
        return "the two linear stiffnesses must be equal";
    int at = sni_joint_quat_at(joint->type);
    if (at < 0) return NULL;
    const double* r = joint->rest + at;
    double norm = sn_quat_norm(sn_quat_make(r[0], r[1], r[2], r[3]));
    if (norm != 0 && !(fabs(norm - 1) <= SN_DIRECTION_TOLERANCE))
        return "rest quaternion is not of unit length";
    return NULL;
}

/// NULL, or what is wrong with the axes.
static const char* axis_trouble(const sn_joint_def* joint) {
    double a = sn_vec3_norm(joint->axis), b = sn_vec3_norm(joint->axis2);
    if (!(a > 0 && isfinite(a))) return "axis must be a vector of non-zero length";
    if (joint->type == SN_JOINT_HELICAL && !isfinite(joint->pitch)) return "pitch is not finite";
    if (joint->type != SN_JOINT_UNIVERSAL) return NULL;
    if (!(b > 0 && isfinite(b))) return "axis2 must be a vector of non-zero length";
    if (!(fabs(sn_vec3_dot(joint->axis, joint->axis2)) <= SN_DIRECTION_TOLERANCE * a * b))
        return "the two axes of a universal joint must be perpendicular";
    return NULL;
}

sn_status sni_validate_body(const sn_body_def* def, sn_error* error) {
    const sn_joint_def* joint = &def->joint;
    const char* trouble = NULL;
    if ((unsigned)joint->type >= SN_JOINT_TYPE_COUNT)
        return sni_fail(error, SN_ERR_MODEL, def->place, "joint '%s': unknown joint type %d",
                        joint->name, (int)joint->type);
    if (!finite_pose(joint->placement))
        trouble = "placement is not finite";
    else if (!is_rotation(joint->placement.R))
        trouble = "placement is not a rotation (its rows must be orthonormal, right-handed)";
    else if (joint->type != SN_JOINT_FIXED)
        trouble = axis_trouble(joint);
    if (!trouble) trouble = dof_trouble(joint);
    if (!trouble) trouble = spring_trouble(joint);
    if (trouble)
        return sni_fail(error, SN_ERR_MODEL, def->place, "joint '%s': %s", joint->name, trouble);

    const sn_inertia* inertia = &def->inertia;
    if (!isfinite(inertia->mass) || !finite_vec(inertia->com) ||
        !all_finite(&inertia->I.m[0][0], 9))
        trouble = "mass, centre of mass or inertia is not finite";
    else if (inertia->mass < 0)
        trouble = "mass is negative";
    if (trouble)
        return sni_fail(error, SN_ERR_MODEL, def->place, "body '%s': %s", def->name, trouble);
    return SN_OK;
}

sn_status sni_validate_inertia(const sn_body_def* def, const sn_inertia* inertia, const sn_log* log,
                               sn_error* error) {
    const char* type = sn_joint_type_name(def->joint.type);
    if (!(inertia->mass > 0))
        return sni_fail(error, SN_ERR_MODEL, def->place,
                        "body '%s' moves (%s joint '%s') but has no mass; give it an inertia or "
                        "make the joint fixed",
                        def->name, type, def->joint.name);
    double moment[3];
    sni_symmetric_eigenvalues(inertia->I, moment);
    if (!(moment[0] > MOMENT_TOLERANCE * moment[2]))
        return sni_fail(error, SN_ERR_MODEL, def->place,
                        "body '%s' moves (%s joint '%s') but its inertia is not positive definite "
                        "(principal moments %.3g, %.3g, %.3g kg m^2)",
                        def->name, type, def->joint.name, moment[0], moment[1], moment[2]);
    if (moment[0] + moment[1] < moment[2] * (1 - TRIANGLE_TOLERANCE))
        sni_say(log, SN_LOG_WARNING, def->place,
                "body '%s': no real body has this inertia: principal moments %.3g, %.3g, %.3g "
                "violate the triangle inequality; used as it is",
                def->name, moment[0], moment[1], moment[2]);
    return SN_OK;
}

static const char* corner_trouble(const sn_shape_def* def) {
    if (def->type == SN_SHAPE_HULL && !def->vertices) return "a hull has no corners";
    for (int32_t k = 0; k < def->vertex_count; k++)
        if (!finite_vec(def->vertices[k])) return "a corner is not finite";
    for (int32_t k = 0; k < 3 * def->triangle_count; k++)
        if (def->triangles[k] < 0 || def->triangles[k] >= def->vertex_count)
            return "a triangle has a corner that does not exist";
    return NULL;
}

sn_status sni_validate_shape(const sn_shape_def* def, sn_error* error) {
    const char* trouble = NULL;
    bool sized =
        def->type != SN_SHAPE_PLANE && def->type != SN_SHAPE_MESH && def->type != SN_SHAPE_HULL;
    bool has_length = def->type == SN_SHAPE_BOX || def->type == SN_SHAPE_CYLINDER ||
                      def->type == SN_SHAPE_CAPSULE;
    if (!finite_pose(def->pose) || !finite_vec(def->size))
        trouble = "pose or size is not finite";
    else if (!is_rotation(def->pose.R))
        trouble = "pose is not a rotation (its rows must be orthonormal, right-handed)";
    else if (sized && !(def->size.x > 0))
        trouble = "size must be positive";
    else if (has_length && !(def->size.z > 0))
        trouble = "length must be positive";
    else if (def->type == SN_SHAPE_BOX && !(def->size.y > 0))
        trouble = "box edges must be positive";
    if (!trouble) trouble = corner_trouble(def);
    if (!trouble) trouble = sn_material_trouble(&def->material);
    if (trouble)
        return sni_fail(error, SN_ERR_MODEL, def->place, "shape '%s' of '%s': %s", def->name,
                        def->body ? def->body : "world", trouble);
    return SN_OK;
}

sn_status sni_validate_loop(const sn_loop_def* def, const sn_log* log, sn_error* error) {
    if ((unsigned)def->type >= SN_JOINT_TYPE_COUNT)
        return sni_fail(error, SN_ERR_MODEL, def->place, "loop '%s': unknown joint type %d",
                        def->name, (int)def->type);
    const char* trouble = NULL;
    sn_joint_def joint = sni_loop_joint(def);
    if (!finite_pose(def->X_ac) || !finite_pose(def->X_bc))
        trouble = "the pose of a loop frame is not finite";
    else if (!is_rotation(def->X_ac.R) || !is_rotation(def->X_bc.R))
        trouble = "the pose of a loop frame is not a rotation (its rows must be orthonormal, "
                  "right-handed)";
    else if (def->type != SN_JOINT_FIXED)
        trouble = axis_trouble(&joint);
    if (!trouble && !(def->t_s >= 0 && isfinite(def->t_s)))
        trouble = "the stabilisation time t_s must be finite and not negative";
    if (!trouble && def->type == SN_JOINT_FREE && !(def->length >= 0 && isfinite(def->length)))
        trouble = "the length of a rod must be finite and not negative";
    if (trouble)
        return sni_fail(error, SN_ERR_MODEL, def->place, "loop '%s': %s", def->name, trouble);
    if (def->type == SN_JOINT_FREE && def->length == 0)
        sni_say(log, SN_LOG_WARNING, def->place,
                "loop '%s' is a free joint, which holds nothing together; it has no effect",
                def->name);
    return SN_OK;
}
