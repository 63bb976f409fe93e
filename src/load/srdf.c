// SPDX-License-Identifier: Apache-2.0
// SRDF: which links of a robot never touch each other. The rest of the format is for planners.
#include "load/srdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "load/file.h"
#include "load/xml.h"

typedef struct reader {
    sni_load* load; ///< of the SRDF itself
    const sn_model* model;
    sn_model_builder* builder;
} reader;

/// Elements that say something about collisions in a way that is not read.
static const char* const unused[] = {"disable_default_collisions", "enable_collisions",
                                     "link_sphere_approximation"};

static void warn_element(sni_load* load, const xmlNode* node) {
    for (size_t k = 0; k < sizeof unused / sizeof unused[0]; k++)
        if (sni_xml_is(node, unused[k]))
            sni_warn(load, unused[k], sni_xml_place(load, node),
                     "<%s> is not used and has no effect", unused[k]);
}

/// Warns about the name of a link that the model does not have; one warning for each name.
static void warn_unknown(const reader* r, const xmlNode* node, const char* name) {
    sni_nearest nearest = {.wanted = name};
    for (int i = 0; i < sn_model_frame_count(r->model); i++)
        sni_nearest_offer(&nearest, sn_model_frame(r->model, (sn_frame_id){i}).name);
    char key[64];
    snprintf(key, sizeof key, "link %.50s", name);
    sni_warn(r->load, key, sni_xml_place(r->load, node),
             "<disable_collisions> names the link '%.60s', which the model does not have%s%.60s%s; "
             "the line has no effect",
             name, nearest.best ? " (did you mean '" : "", nearest.best ? nearest.best : "",
             nearest.best ? "'?)" : "");
}

static sn_status read_pair(const reader* r, const xmlNode* node) {
    const char* name[2];
    sn_status status = sni_xml_need(r->load, node, "link1", &name[0]);
    if (!status) status = sni_xml_need(r->load, node, "link2", &name[1]);
    if (status) return status;
    for (int k = 0; k < 2; k++) {
        if (sn_model_find_frame(r->model, name[k]).i >= 0) continue;
        warn_unknown(r, node, name[k]);
        return SN_OK;
    }
    status = sn_model_builder_exclude(r->builder, name[0], name[1], sni_xml_place(r->load, node));
    return status ? sni_fail(r->load->error, status, sni_xml_place(r->load, node),
                             "not enough memory for the pairs")
                  : SN_OK;
}

static sn_status read_robot(const reader* r, const xmlNode* robot) {
    sni_load* load = r->load;
    if (!sni_xml_is(robot, "robot"))
        return sni_fail(load->error, SN_ERR_FORMAT, sni_xml_place(load, robot),
                        "the root element is <%.60s>, not <robot>; is this an SRDF?",
                        (const char*)robot->name);
    const char *name = sni_xml_get(robot, "name"), *of_model = sn_model_name(r->model);
    if (name && strcmp(name, of_model) != 0)
        sni_warn(load, "robot", sni_xml_place(load, robot),
                 "the file is for the robot '%.60s', the model is '%.60s'; used all the same", name,
                 of_model);
    sn_status status = SN_OK;
    for (const xmlNode* node = robot->children; node && !status; node = node->next) {
        if (node->type != XML_ELEMENT_NODE) continue;
        if (sni_xml_is(node, "disable_collisions"))
            status = read_pair(r, node);
        else
            warn_element(load, node);
    }
    return status;
}

static sn_status read_text(const reader* r, const char* text, size_t length) {
    xmlDoc* doc;
    sn_status status = sni_xml_parse(r->load, text, length, &doc);
    if (status) return status;
    status = read_robot(r, xmlDocGetRootElement(doc));
    xmlFreeDoc(doc);
    return status;
}

sn_status sni_srdf_read_memory(const sni_load* load, const char* text, size_t length,
                               const char* name, const sn_model* model, sn_model_builder* builder) {
    sni_load* own = calloc(1, sizeof *own); // warnings are ordered by line, so a file has its own
    if (!own)
        return sni_fail(load->error, SN_ERR_MEMORY, sni_load_place(load), "not enough memory");
    own->file = name;
    own->def = load->def;
    own->error = load->error;
    reader r = {own, model, builder};
    sn_status status = read_text(&r, text, length);
    sni_warn_flush(own);
    free(own);
    return status;
}

sn_status sni_srdf_read(const sni_load* load, const char* path, const sn_model* model,
                        sn_model_builder* builder) {
    char* text;
    size_t length;
    sn_status status = sni_file_read(path, &text, &length, load->error);
    if (!status) status = sni_srdf_read_memory(load, text, length, path, model, builder);
    free(text);
    return status;
}
