// SPDX-License-Identifier: Apache-2.0
// <inertial> of a link.
#include <stdio.h>

#include "load/urdf.h"

static sn_status need_child(sni_load* load, const xmlNode* parent, const char* name,
                            const xmlNode** child) {
    *child = sni_xml_child(parent, name);
    if (*child) return SN_OK;
    return sni_fail(load->error, SN_ERR_FORMAT, sni_xml_place(load, parent),
                    "<%s> has no <%s>; add one, or leave the <%s> out", (const char*)parent->name,
                    name, (const char*)parent->name);
}

/// The six numbers of <inertia>. Products of inertia may be left out, moments may not.
static sn_status read_matrix(sni_load* load, const xmlNode* node, sn_mat3* I) {
    static const struct {
        const char* name;
        int row, column;
    } entries[] = {{"ixx", 0, 0}, {"iyy", 1, 1}, {"izz", 2, 2},
                   {"ixy", 0, 1}, {"ixz", 0, 2}, {"iyz", 1, 2}};
    for (int k = 0; k < 6; k++) {
        double value = 0;
        bool given = sni_xml_get(node, entries[k].name) != NULL;
        if (!given && k >= 3)
            sni_warn(load, "product", sni_xml_place(load, node),
                     "<inertia> has no %s, which URDF requires; taken as zero", entries[k].name);
        sn_status status =
            given || k < 3 ? sni_xml_numbers(load, node, entries[k].name, 1, &value) : SN_OK;
        if (status) return status;
        I->m[entries[k].row][entries[k].column] = value;
        I->m[entries[k].column][entries[k].row] = value;
    }
    return SN_OK;
}

sn_status sni_urdf_inertia(sni_load* load, const xmlNode* link, sn_inertia* inertia) {
    inertia->mass = 0;
    inertia->com = sn_vec3_zero();
    inertia->I = sn_mat3_diagonal(0, 0, 0);
    const xmlNode *inertial = sni_xml_child(link, "inertial"), *mass, *matrix;
    if (!inertial) return SN_OK;
    sn_status status = need_child(load, inertial, "mass", &mass);
    if (!status) status = need_child(load, inertial, "inertia", &matrix);
    if (!status) status = sni_xml_numbers(load, mass, "value", 1, &inertia->mass);
    if (!status && inertia->mass < 0)
        status = sni_fail(load->error, SN_ERR_FORMAT, sni_xml_place(load, mass),
                          "the mass %g is negative; write it in kg, zero or more", inertia->mass);
    if (!status) status = read_matrix(load, matrix, &inertia->I);
    sn_pose X_lc; // frame of the inertia in the link
    if (!status) status = sni_xml_origin(load, inertial, &X_lc);
    if (!status) *inertia = sn_inertia_moved(X_lc, *inertia);
    return status;
}
