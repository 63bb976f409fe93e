// SPDX-License-Identifier: Apache-2.0
// URDF -> model builder: collect links and joints by name, check the tree, add bodies in its order.
#include "load/urdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- collecting ---------------------------------------------------------------------------------

static void count_elements(sni_urdf* urdf) {
    for (const xmlNode* node = urdf->robot->children; node; node = node->next) {
        if (sni_xml_is(node, "joint")) urdf->joint_count++;
        if (sni_xml_is(node, "material")) urdf->material_capacity++;
        if (!sni_xml_is(node, "link")) continue;
        urdf->link_count++;
        for (const xmlNode* child = node->children; child; child = child->next)
            if (sni_xml_is(child, "visual")) urdf->material_capacity++;
    }
}

static void layout(sni_urdf* urdf, sni_arena* arena) {
    urdf->links = SN_ARENA_ARRAY(arena, sni_urdf_link, urdf->link_count);
    urdf->joints = SN_ARENA_ARRAY(arena, sni_urdf_joint, urdf->joint_count);
    urdf->children = SN_ARENA_ARRAY(arena, int32_t, urdf->joint_count);
    urdf->materials = SN_ARENA_ARRAY(arena, sni_urdf_color, urdf->material_capacity);
    sni_name_map_layout(&urdf->link_names, arena, urdf->link_count);
    sni_name_map_layout(&urdf->joint_names, arena, urdf->joint_count);
    sni_name_map_layout(&urdf->material_names, arena, urdf->material_capacity);
}

static sn_status fail_twice(sni_load* load, const xmlNode* node, const char* name,
                            const xmlNode* first) {
    return sni_fail(load->error, SN_ERR_MODEL, sni_xml_place(load, node),
                    "%s '%.60s' is defined twice, in line %d and in line %d; rename one",
                    (const char*)node->name, name, sni_xml_place(load, first).line,
                    sni_xml_place(load, node).line);
}

static sn_status add_link(sni_urdf* urdf, const xmlNode* node, int32_t index) {
    sni_urdf_link* link = &urdf->links[index];
    sn_status status = sni_xml_need(urdf->load, node, "name", &link->name);
    if (status) return status;
    link->node = node;
    link->parent_joint = -1;
    int32_t first = sni_name_map_add(&urdf->link_names, link->name, index);
    return first < 0 ? SN_OK : fail_twice(urdf->load, node, link->name, urdf->links[first].node);
}

static sn_status add_joint(sni_urdf* urdf, const xmlNode* node, int32_t index) {
    sni_urdf_joint* joint = &urdf->joints[index];
    sn_status status = sni_xml_need(urdf->load, node, "name", &joint->name);
    if (status) return status;
    joint->node = node;
    int32_t first = sni_name_map_add(&urdf->joint_names, joint->name, index);
    return first < 0 ? SN_OK : fail_twice(urdf->load, node, joint->name, urdf->joints[first].node);
}

static sn_status collect(sni_urdf* urdf) {
    sni_load* load = urdf->load;
    count_elements(urdf);
    if (urdf->link_count == 0)
        return sni_fail(load->error, SN_ERR_FORMAT, sni_xml_place(load, urdf->robot),
                        "the robot has no <link>; a URDF needs at least one%s",
                        urdf->robot->children ? "" : " (the file may be a xacro template)");
    sni_arena arena = {0};
    layout(urdf, &arena);
    if (!sni_arena_allocate(&arena))
        return sni_fail(load->error, SN_ERR_MEMORY, sni_load_place(load),
                        "not enough memory for %d links", urdf->link_count);
    layout(urdf, &arena);
    urdf->arena = arena;
    sn_status status = SN_OK;
    int32_t links = 0, joints = 0;
    for (const xmlNode* node = urdf->robot->children; node && !status; node = node->next) {
        if (sni_xml_is(node, "link")) status = add_link(urdf, node, links++);
        if (sni_xml_is(node, "joint")) status = add_joint(urdf, node, joints++);
    }
    return status;
}

// ---- adding bodies ------------------------------------------------------------------------------

static sn_status add_body(sni_urdf* urdf, const sni_urdf_link* link, sn_body_def* body,
                          sn_model_builder* builder) {
    sni_load* load = urdf->load;
    body->name = link->name;
    sn_status status = sni_urdf_inertia(load, link->node, &body->inertia);
    if (status) return status;
    status = sn_model_builder_add_body(builder, body);
    if (status)
        return sni_fail(load->error, status, body->place, "not enough memory for the bodies");
    return sni_urdf_shapes(urdf, link, builder);
}

/// A root that is only the name of the world, with the robot floating below it.
static bool already_floats(const sni_urdf* urdf, const sni_urdf_link* root) {
    if (root->count == 0 || sni_xml_child(root->node, "inertial")) return false;
    for (int32_t k = 0; k < root->count; k++) {
        const sni_urdf_joint* joint = &urdf->joints[urdf->children[root->first + k]];
        const char* type = sni_xml_get(joint->node, "type");
        if (!type || strcmp(type, "floating") != 0) return false;
    }
    return true;
}

static sn_status add_root(sni_urdf* urdf, sn_model_builder* builder) {
    sni_load* load = urdf->load;
    const sni_urdf_link* root = &urdf->links[urdf->root];
    sn_body_def body = sn_body_def_default();
    body.joint.type = SN_JOINT_FIXED;
    body.place = sni_xml_place(load, root->node);
    if (load->def.base == SN_BASE_FREE && already_floats(urdf, root))
        sni_warn(load, "floats", body.place,
                 "the root link '%.60s' has no mass and carries a floating joint: the robot floats "
                 "already, no root_joint is added",
                 root->name);
    else if (load->def.base == SN_BASE_FREE)
        body.joint.type = SN_JOINT_FREE;
    // A joint of the file may have that name already; ours then steps back.
    char name[64] = "root_joint";
    for (int k = 2; sni_name_map_find(&urdf->joint_names, name) >= 0; k++)
        snprintf(name, sizeof name, "root_joint_%d", k);
    body.joint.name = name;
    return add_body(urdf, root, &body, builder);
}

static void push_children(const sni_urdf* urdf, const sni_urdf_link* link, int32_t* stack,
                          int32_t* depth) {
    for (int32_t k = link->count - 1; k >= 0; k--)
        stack[(*depth)++] = urdf->children[link->first + k];
}

static sn_status add_bodies(sni_urdf* urdf, sn_model_builder* builder) {
    sn_status status = add_root(urdf, builder);
    if (status) return status;
    int32_t* stack = malloc(((size_t)urdf->joint_count + 1) * sizeof *stack);
    if (!stack)
        return sni_fail(urdf->load->error, SN_ERR_MEMORY, sni_load_place(urdf->load),
                        "not enough memory for %d joints", urdf->joint_count);
    int32_t depth = 0;
    push_children(urdf, &urdf->links[urdf->root], stack, &depth);
    while (depth > 0 && !status) {
        const sni_urdf_joint* joint = &urdf->joints[stack[--depth]];
        const sni_urdf_link* link = &urdf->links[joint->child];
        sn_body_def body = sn_body_def_default();
        body.parent = urdf->links[joint->parent].name;
        body.place = sni_xml_place(urdf->load, joint->node);
        status = sni_urdf_joint_def(urdf->load, joint, &body.joint);
        if (!status) status = add_body(urdf, link, &body, builder);
        push_children(urdf, link, stack, &depth);
    }
    free(stack);
    return status;
}

// ---- the whole ----------------------------------------------------------------------------------

static sn_status fail_on_root(sni_load* load, const xmlNode* root) {
    char name[128];
    sni_xml_name(root, name, sizeof name);
    const char* advice = "is this a URDF?";
    if (strcmp(name, "mujoco") == 0) advice = "MJCF is not read yet, convert it to URDF";
    if (strcmp(name, "sdf") == 0) advice = "SDF is not read, convert it to URDF";
    return sni_fail(load->error, SN_ERR_FORMAT, sni_xml_place(load, root),
                    "the root element is <%s>, not <robot>; %s", name, advice);
}

static const char* name_of_robot(sni_load* load, const xmlNode* robot) {
    const char* name = sni_xml_get(robot, "name");
    if (name && *name) return name;
    sni_warn(load, "robot name", sni_xml_place(load, robot),
             "the robot has no name, which URDF requires; it is called 'robot'");
    return "robot";
}

static sn_status read_robot(sni_urdf* urdf, sn_model_builder* builder) {
    sn_status status = collect(urdf);
    if (!status) status = sni_urdf_tree(urdf);
    if (!status) status = sni_urdf_materials(urdf);
    if (!status) status = add_bodies(urdf, builder);
    sni_arena_free(&urdf->arena);
    return status;
}

sn_status sni_urdf_read(sni_load* load, const char* text, size_t length,
                        sn_model_builder** builder) {
    xmlDoc* doc;
    sn_status status = sni_xml_parse(load, text, length, &doc);
    if (status) return status;
    sni_urdf urdf = {.load = load, .robot = xmlDocGetRootElement(doc)};
    if (!sni_xml_is(urdf.robot, "robot")) {
        status = fail_on_root(load, urdf.robot);
    } else {
        sni_urdf_warn_unused(load, urdf.robot);
        *builder = sn_model_builder_create(name_of_robot(load, urdf.robot));
        status = *builder ? read_robot(&urdf, *builder)
                          : sni_fail(load->error, SN_ERR_MEMORY, sni_load_place(load),
                                     "not enough memory for the model");
    }
    xmlFreeDoc(doc);
    return status;
}
