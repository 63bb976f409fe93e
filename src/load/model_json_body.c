// SPDX-License-Identifier: Apache-2.0
// One body and one loop of a JSON model.
#include <math.h>
#include <string.h>

#include "base/nearest.h"
#include "load/model_json.h"

/// loop: of a loop, which may be fixed.
static sn_status read_type(const sni_json_at* at, bool loop, sn_joint_type* type) {
    const char* name;
    sn_status status = sni_json_field_text(at, "type", &name);
    if (status) return status;
    if (!name) return sni_json_fail(at, "type", "missing; write revolute, free, ...");
    if (sn_joint_type_find(name, type) && (loop || *type != SN_JOINT_FIXED)) return SN_OK;
    if (strcmp(name, "fixed") == 0)
        return sni_json_fail(at, "type",
                             "bodies move; put what is fixed to another body into links");
    sni_nearest nearest = {.wanted = name};
    for (int t = loop ? SN_JOINT_FIXED : SN_JOINT_FIXED + 1; t < SN_JOINT_TYPE_COUNT; t++)
        sni_nearest_offer(&nearest, sn_joint_type_name((sn_joint_type)t));
    return sni_json_fail(at, "type",
                         "unknown joint type '%.60s'%s%s%s; write %srevolute, prismatic, helical, "
                         "cylindrical, planar, universal, spherical or free",
                         name, nearest.best ? " (did you mean '" : "",
                         nearest.best ? nearest.best : "", nearest.best ? "'?)" : "",
                         loop ? "fixed, " : "");
}

static sn_status read_axes(const sni_json_at* at, sn_joint_def* joint) {
    if (joint->type == SN_JOINT_SPHERICAL || joint->type == SN_JOINT_FREE ||
        joint->type == SN_JOINT_FIXED)
        return SN_OK;
    sn_status status = sni_json_field_vector(at, "axis", &joint->axis);
    if (!status && joint->type == SN_JOINT_UNIVERSAL)
        status = sni_json_field_vector(at, "axis2", &joint->axis2);
    if (!status && joint->type == SN_JOINT_HELICAL)
        status = sni_json_field_number(at, "pitch", &joint->pitch);
    return status;
}

/// One array of nv numbers; left alone when it is not there.
static sn_status read_dof(const sni_json_at* at, const char* field, sn_joint_type type,
                          double when_null, double* out) {
    json_t* value = json_object_get(at->object, field);
    if (!value) return SN_OK;
    int nv = sn_joint_type_nv(type);
    if (!json_is_array(value) || json_array_size(value) != (size_t)nv)
        return sni_json_fail(at, field, "expected an array of %d number%s, as the joint has", nv,
                             nv == 1 ? "" : "s");
    for (int k = 0; k < nv; k++) {
        const json_t* element = json_array_get(value, (size_t)k);
        bool null = json_is_null(element) && !isnan(when_null);
        if (!null && !json_is_number(element))
            return sni_json_fail(at, field, "expected %s at place %d",
                                 isnan(when_null) ? "a number" : "a number or null", k);
        out[sni_model_json_v(type, k)] = null ? when_null : json_number_value(element);
    }
    return SN_OK;
}

static sn_status read_constants(const sni_json_at* at, sn_joint_def* joint) {
    sn_status status = SN_OK;
#define READ(key, when_null)                                                                       \
    if (!status) status = read_dof(at, #key, joint->type, when_null, joint->key);
    SN_MODEL_JSON_DOF_LIST(READ)
#undef READ
    if (status || !json_object_get(at->object, "rest")) return status;
    double rest[SN_JOINT_MAX_NQ];
    int nq = sn_joint_type_nq(joint->type);
    status = sni_json_field_numbers(at, "rest", nq, rest);
    for (int k = 0; k < nq && !status; k++) joint->rest[sni_model_json_q(joint->type, k)] = rest[k];
    return status;
}

static sn_status read_inertia(const sni_json_at* at, sn_inertia* inertia) {
    double I[6];
    sn_status status = sni_json_field_number(at, "mass", &inertia->mass);
    if (!status) status = sni_json_field_vector(at, "com", &inertia->com);
    if (!status) status = sni_json_field_numbers(at, "inertia_com", 6, I);
    if (status) return status;
    inertia->I = sn_mat3_rows(sn_vec3_make(I[0], I[1], I[2]), sn_vec3_make(I[1], I[3], I[4]),
                              sn_vec3_make(I[2], I[4], I[5]));
    return SN_OK;
}

/// index, iq, iv, nq, nv follow from the order of the bodies; a file that says otherwise means
/// another order of q and v than we would use.
static sn_status check_places(const sni_json_at* at, sn_joint_type type, int64_t* iq, int64_t* iv) {
    int nq = sn_joint_type_nq(type), nv = sn_joint_type_nv(type);
    sn_status status = sni_json_expect(at, "index", at->index);
    if (!status) status = sni_json_expect(at, "iq", *iq);
    if (!status) status = sni_json_expect(at, "iv", *iv);
    if (!status) status = sni_json_expect(at, "nq", nq);
    if (!status) status = sni_json_expect(at, "nv", nv);
    *iq += nq;
    *iv += nv;
    return status;
}

sn_status sni_model_json_body(const sni_json_at* at, sn_body_def* def, int64_t* iq, int64_t* iv) {
    *def = sn_body_def_default();
    def->place = sni_load_place(at->load);
    sni_json_warn_unknown(at, "index name joint parent type axis axis2 pitch iq iv nq nv placement "
                              "mass com inertia_com armature damping stiffness rest friction lower "
                              "upper velocity effort");
    sn_joint_def* joint = &def->joint;
    sn_status status = read_type(at, false, &joint->type);
    if (!status) status = check_places(at, joint->type, iq, iv);
    if (!status) status = read_axes(at, joint);
    json_t* placement = json_object_get(at->object, "placement");
    if (!status) status = sni_json_pose(at, "placement.", placement, &joint->placement);
    if (!status) status = read_inertia(at, &def->inertia);
    if (!status) status = read_constants(at, joint);
    return status;
}

sn_status sni_model_json_loop(const sni_json_at* at, sn_loop_def* def) {
    *def = sn_loop_def_default();
    def->place = sni_load_place(at->load);
    sni_json_warn_unknown(
        at, "name type axis axis2 pitch length t_s body_a link_a pose_a body_b link_b "
            "pose_b");
    sn_joint_def joint = sn_joint_def_default();
    sn_status status = sni_json_field_text(at, "name", &def->name);
    if (!status && (!def->name || !*def->name))
        status = sni_json_fail(at, "name", "missing; every loop has a name");
    if (!status) status = read_type(at, true, &joint.type);
    if (!status) status = read_axes(at, &joint);
    json_t *pose_a = json_object_get(at->object, "pose_a"),
           *pose_b = json_object_get(at->object, "pose_b");
    if (!status && pose_a) status = sni_json_pose(at, "pose_a.", pose_a, &def->X_ac);
    if (!status && pose_b) status = sni_json_pose(at, "pose_b.", pose_b, &def->X_bc);
    if (!status && json_object_get(at->object, "t_s"))
        status = sni_json_field_number(at, "t_s", &def->t_s);
    if (!status && json_object_get(at->object, "length"))
        status = sni_json_field_number(at, "length", &def->length);
    def->type = joint.type;
    def->axis = joint.axis;
    def->axis2 = joint.axis2;
    def->pitch = joint.pitch;
    return status;
}
