// SPDX-License-Identifier: Apache-2.0
// Asking the tree: names, attributes, numbers, poses.
#include "load/xml.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

bool sni_xml_is(const xmlNode* node, const char* name) {
    return node->type == XML_ELEMENT_NODE && !(node->ns && node->ns->prefix) &&
           strcmp((const char*)node->name, name) == 0;
}

void sni_xml_name(const xmlNode* node, char* out, size_t size) {
    const char* prefix = node->ns && node->ns->prefix ? (const char*)node->ns->prefix : "";
    snprintf(out, size, "%.100s%s%.100s", prefix, *prefix ? ":" : "", (const char*)node->name);
}

const xmlNode* sni_xml_child(const xmlNode* parent, const char* name) {
    for (const xmlNode* node = parent->children; node; node = node->next)
        if (sni_xml_is(node, name)) return node;
    return NULL;
}

/// Entities are refused, so the value of an attribute is one piece of text or nothing.
const char* sni_xml_get(const xmlNode* element, const char* attribute) {
    for (const xmlAttr* a = element->properties; a; a = a->next) {
        if ((a->ns && a->ns->prefix) || strcmp((const char*)a->name, attribute) != 0) continue;
        return a->children && a->children->content ? (const char*)a->children->content : "";
    }
    return NULL;
}

sn_status sni_xml_need(sni_load* load, const xmlNode* element, const char* attribute,
                       const char** text) {
    *text = sni_xml_get(element, attribute);
    if (*text && **text) return SN_OK;
    return sni_fail(load->error, SN_ERR_FORMAT, sni_xml_place(load, element),
                    "<%.60s> has %s '%s'; write %s=\"...\"", (const char*)element->name,
                    *text ? "an empty attribute" : "no attribute", attribute, attribute);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static sn_status bad_word(sni_load* load, const xmlNode* element, const char* attribute,
                          const char* word, size_t length, sni_number_result result) {
    const char* what =
        result == SN_NUMBER_TOO_BIG ? "is too large for a number" : "is not a number";
    return sni_fail(load->error, SN_ERR_FORMAT, sni_xml_place(load, element),
                    "attribute '%s' of <%.60s>: '%.*s' %s; write it as 0.5 or 5e-1", attribute,
                    (const char*)element->name, length > 60 ? 60 : (int)length, word, what);
}

static sn_status bad_count(sni_load* load, const xmlNode* element, const char* attribute,
                           int wanted, int found) {
    return sni_fail(load->error, SN_ERR_FORMAT, sni_xml_place(load, element),
                    "attribute '%s' of <%.60s> has %s%d number%s; write exactly %d", attribute,
                    (const char*)element->name, found > wanted ? "more than " : "",
                    found > wanted ? wanted : found,
                    (found > wanted ? wanted : found) == 1 ? "" : "s", wanted);
}

static sn_status read_numbers(sni_load* load, const xmlNode* element, const char* attribute,
                              const char* text, int count, double* numbers) {
    int found = 0;
    for (;;) {
        while (is_blank(*text)) text++;
        if (!*text) break;
        size_t length = 0;
        while (text[length] && !is_blank(text[length])) length++;
        double value = 0;
        sni_number_result result = sni_number_read(text, length, &value);
        if (result != SN_NUMBER_OK) return bad_word(load, element, attribute, text, length, result);
        if (found == count) return bad_count(load, element, attribute, count, count + 1);
        numbers[found++] = value;
        text += length;
    }
    return found == count ? SN_OK : bad_count(load, element, attribute, count, found);
}

sn_status sni_xml_numbers(sni_load* load, const xmlNode* element, const char* attribute, int count,
                          double* numbers) {
    const char* text;
    sn_status status = sni_xml_need(load, element, attribute, &text);
    return status ? status : read_numbers(load, element, attribute, text, count, numbers);
}

sn_status sni_xml_numbers_or(sni_load* load, const xmlNode* element, const char* attribute,
                             int count, double* numbers) {
    if (!sni_xml_get(element, attribute)) return SN_OK;
    return sni_xml_numbers(load, element, attribute, count, numbers);
}

/// Roll, pitch, yaw about the fixed axes x, y, z, in that order: R = Rz(yaw) Ry(pitch) Rx(roll).
static sn_mat3 from_rpy(const double rpy[3]) {
    double cr = cos(rpy[0]), sr = sin(rpy[0]);
    double cp = cos(rpy[1]), sp = sin(rpy[1]);
    double cy = cos(rpy[2]), sy = sin(rpy[2]);
    return sn_mat3_rows(sn_vec3_make(cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
                        sn_vec3_make(sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
                        sn_vec3_make(-sp, cp * sr, cp * cr));
}

sn_status sni_xml_origin(sni_load* load, const xmlNode* parent, sn_pose* pose) {
    *pose = sn_pose_identity();
    const xmlNode* origin = sni_xml_child(parent, "origin");
    if (!origin) return SN_OK;
    double xyz[3] = {0, 0, 0}, rpy[3] = {0, 0, 0};
    sn_status status = sni_xml_numbers_or(load, origin, "xyz", 3, xyz);
    if (!status) status = sni_xml_numbers_or(load, origin, "rpy", 3, rpy);
    if (status) return status;
    *pose = sn_pose_make(from_rpy(rpy), sn_vec3_make(xyz[0], xyz[1], xyz[2]));
    return SN_OK;
}
