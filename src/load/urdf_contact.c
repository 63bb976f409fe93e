// SPDX-License-Identifier: Apache-2.0
// How surfaces of a link touch, as two dialects of URDF say it: <contact> of Bullet in a link, and the older
// <contact_coefficients>, in a link or in one of its collisions.
#include <stddef.h>
#include <string.h>

#include "load/urdf.h"

/// Elements of <contact>, each with a value.
static const struct {
    const char* name;
    size_t at; ///< in sn_material
} values[] = {
    {"lateral_friction", offsetof(sn_material, mu)},
    {"restitution", offsetof(sn_material, restitution)},
    {"rolling_friction", offsetof(sn_material, roll)},
    {"spinning_friction", offsetof(sn_material, spin)},
    {"stiffness", offsetof(sn_material, stiffness)},
    {"damping", offsetof(sn_material, damping)},
};

static sn_status read_value(sni_load* load, const xmlNode* contact, const char* name,
                            double* value) {
    const xmlNode* node = sni_xml_child(contact, name);
    return node ? sni_xml_numbers(load, node, "value", 1, value) : SN_OK;
}

static sn_status read_contact(sni_load* load, const xmlNode* contact, sn_material* material) {
    sn_status status = SN_OK;
    for (size_t k = 0; k < sizeof values / sizeof values[0] && !status; k++)
        status = read_value(load, contact, values[k].name,
                            (double*)(void*)((char*)material + values[k].at));
    material->mu_kinetic = material->mu;
    return status;
}

static sn_status read_coefficients(sni_load* load, const xmlNode* node, sn_material* material) {
    sn_status status = sni_xml_numbers_or(load, node, "mu", 1, &material->mu);
    material->mu_kinetic = material->mu;
    return status;
}

static sn_status check(sni_load* load, const xmlNode* node, const sn_material* material) {
    const char* trouble = sn_material_trouble(material);
    if (!trouble) return SN_OK;
    return sni_fail(load->error, SN_ERR_FORMAT, sni_xml_place(load, node), "<%s>: %s",
                    (const char*)node->name, trouble);
}

sn_status sni_urdf_material(sni_load* load, const xmlNode* link, const xmlNode* collision,
                            sn_material* material) {
    const xmlNode* contact = sni_xml_child(link, "contact");
    const xmlNode* coefficients = sni_xml_child(collision, "contact_coefficients");
    if (!coefficients) coefficients = sni_xml_child(link, "contact_coefficients");
    sn_status status = SN_OK;
    if (contact) {
        status = read_contact(load, contact, material);
        if (!status) status = check(load, contact, material);
    }
    if (!status && coefficients) {
        status = read_coefficients(load, coefficients, material);
        if (!status) status = check(load, coefficients, material);
    }
    return status;
}
