// SPDX-License-Identifier: Apache-2.0
// The part of URDF that has an effect here, as a table; everything else is reported.
#include <stdio.h>
#include <string.h>

#include "load/urdf.h"

typedef struct element {
    const char* name;
    const char* attributes; ///< that are read, separated by blanks
    const char* children;   ///< that are read; a '*' marks those that may stand more than once
} element;

// clang-format off
static const element elements[] = {
    {"robot",     "name version",                   "link* joint* material*"},
    {"link",      "name",                           "inertial visual* collision* contact contact_coefficients"},
    {"inertial",  "",                               "origin mass inertia"},
    {"mass",      "value",                          ""},
    {"inertia",   "ixx ixy ixz iyy iyz izz",        ""},
    {"visual",    "name",                           "origin geometry material"},
    {"collision", "name",                           "origin geometry contact_coefficients"},
    {"contact",   "",                               "lateral_friction restitution rolling_friction spinning_friction stiffness damping"},
    {"lateral_friction",     "value", ""},
    {"restitution",          "value", ""},
    {"rolling_friction",     "value", ""},
    {"spinning_friction",    "value", ""},
    {"stiffness",            "value", ""},
    {"damping",              "value", ""},
    {"contact_coefficients", "mu",    ""},
    {"geometry",  "",                               "box cylinder sphere capsule mesh"},
    {"box",       "size",                           ""},
    {"cylinder",  "radius length",                  ""},
    {"sphere",    "radius",                         ""},
    {"capsule",   "radius length",                  ""},
    {"mesh",      "filename scale",                 ""},
    {"material",  "name",                           "color"},
    {"color",     "rgba",                           ""},
    {"joint",     "name type",                      "origin parent child axis limit dynamics"},
    {"origin",    "xyz rpy",                        ""},
    {"parent",    "link",                           ""},
    {"child",     "link",                           ""},
    {"axis",      "xyz",                            ""},
    {"limit",     "lower upper effort velocity twist", ""},
    {"dynamics",  "damping friction spring_stiffness", ""},
};

/// Elements of URDF and its dialects that have no effect, and what that means for the user.
static const struct { const char *name, *meaning; } unused[] = {
    {"mimic",             "the joint moves independently of the one it should follow"},
    {"safety_controller", "its soft limits are not applied"},
    {"calibration",       "reference positions are not needed in simulation"},
    {"transmission",      "gear ratios and motor inertias have no effect"},
    {"gazebo",            "settings and plugins for Gazebo have no effect"},
    {"sensor",            "no sensor is created"},
    {"texture",           "the shape is drawn in its plain colour"},
    {"inertia_scaling",   "the inertia is used as it is"},
    {"contact_cfm",       "how soft the constraint is follows from stiffness and damping"},
    {"contact_erp",       "how soft the constraint is follows from stiffness and damping"},
    {"friction_anchor",   "friction holds what is at rest without it"},
};
// clang-format on

static const element* find_element(const char* name) {
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
        if (strcmp(elements[i].name, name) == 0) return &elements[i];
    return NULL;
}

/// Index of a word in a list like "link* joint", -1 when it is not there.
static int find_word(const char* list, const char* word, bool* repeats) {
    size_t length = strlen(word);
    for (int index = 0; *list; index++) {
        size_t end = strcspn(list, " ");
        bool star = end > 0 && list[end - 1] == '*';
        if (end - star == length && memcmp(list, word, length) == 0) {
            *repeats = star;
            return index;
        }
        list += end;
        while (*list == ' ') list++;
    }
    return -1;
}

static const char* meaning_of(const xmlNode* node) {
    const char* name = (const char*)node->name;
    const char* prefix = node->ns && node->ns->prefix ? (const char*)node->ns->prefix : "";
    if (strcmp(prefix, "xacro") == 0 || strncmp(name, "xacro:", 6) == 0)
        return "macros are not expanded; run xacro on the file first if something is missing";
    for (size_t i = 0; i < sizeof unused / sizeof unused[0]; i++)
        if (!*prefix && strcmp(unused[i].name, name) == 0) return unused[i].meaning;
    return "it is not part of URDF as Sinew reads it and has no effect";
}

static void warn_element(sni_load* load, const xmlNode* node) {
    char name[128], key[160];
    sni_xml_name(node, name, sizeof name);
    snprintf(key, sizeof key, "element %s", name);
    sni_warn(load, key, sni_xml_place(load, node), "<%s> is not used: %s", name, meaning_of(node));
}

static void warn_repeated(sni_load* load, const xmlNode* node) {
    char key[160];
    snprintf(key, sizeof key, "repeated %s", (const char*)node->name);
    sni_warn(load, key, sni_xml_place(load, node),
             "a second <%s> in the same <%s> is ignored; the first one counts",
             (const char*)node->name, (const char*)node->parent->name);
}

static void warn_attributes(sni_load* load, const xmlNode* node, const element* known) {
    for (const xmlAttr* a = node->properties; a; a = a->next) {
        bool repeats;
        if (a->ns && a->ns->prefix) continue; // schema locations and the like
        if (find_word(known->attributes, (const char*)a->name, &repeats) >= 0) continue;
        char key[160];
        snprintf(key, sizeof key, "attribute %s %.100s", known->name, (const char*)a->name);
        sni_warn(load, key, sni_xml_place(load, node),
                 "attribute '%.100s' of <%s> is not used and has no effect", (const char*)a->name,
                 known->name);
    }
}

/// Looks at one element; its children are followed as deep as the table goes, which is five levels.
static void check(sni_load* load, const xmlNode* node) {
    const element* known = find_element((const char*)node->name);
    if (!known) return;
    warn_attributes(load, node, known);
    unsigned seen = 0;
    for (const xmlNode* child = node->children; child; child = child->next) {
        if (child->type != XML_ELEMENT_NODE) continue;
        bool plain = !(child->ns && child->ns->prefix), repeats = false;
        int index = plain ? find_word(known->children, (const char*)child->name, &repeats) : -1;
        if (index < 0) {
            warn_element(load, child);
        } else if (!repeats && (seen & (1u << index))) {
            warn_repeated(load, child);
        } else {
            seen |= 1u << index;
            check(load, child);
        }
    }
}

void sni_urdf_warn_unused(sni_load* load, const xmlNode* robot) {
    if (load->def.log.write) check(load, robot);
}
