// SPDX-License-Identifier: Apache-2.0
/// A URDF in the middle of being read: its links, joints and materials by name, and its tree.
/// Strings and nodes belong to the XML document, which outlives this.
#ifndef SN_LOAD_URDF_H
#define SN_LOAD_URDF_H

#include "base/arena.h"
#include "base/name_map.h"
#include "load/xml.h"

typedef struct sni_urdf_link {
    const char* name;
    const xmlNode* node;
    int32_t parent_joint; ///< -1: root
    int32_t first, count; ///< its child joints in sni_urdf.children
} sni_urdf_link;

typedef struct sni_urdf_joint {
    const char* name;
    const xmlNode* node;
    int32_t parent, child; ///< links
} sni_urdf_joint;

typedef struct sni_urdf_color {
    double rgba[4];
} sni_urdf_color;

typedef struct sni_urdf {
    sni_load* load;
    const xmlNode* robot;
    sni_arena arena;
    int32_t link_count, joint_count;
    int32_t material_count, material_capacity;
    sni_urdf_link* links;
    sni_urdf_joint* joints;
    int32_t* children; ///< [joint_count] joints, by parent link and then by name
    int32_t root;      ///< link
    sni_name_map link_names, joint_names, material_names;
    sni_urdf_color* materials;
} sni_urdf;

// ---- urdf_known.c: what we read, and words for what we do not -----------------------------------

/// Warns about every element and attribute that has no effect, once for each name.
void sni_urdf_warn_unused(sni_load* load, const xmlNode* robot);

// ---- urdf_link.c, urdf_shape.c ------------------------------------------------------------------

/// <inertial> in the link frame; zero mass when there is none.
sn_status sni_urdf_inertia(sni_load* load, const xmlNode* link, sn_inertia* inertia);

/// Collects <material> elements that carry a colour: those of the robot, then those of visuals.
sn_status sni_urdf_materials(sni_urdf* urdf);

/// Adds the shapes of every <visual> and <collision> of the link.
sn_status sni_urdf_shapes(const sni_urdf* urdf, const sni_urdf_link* link,
                          sn_model_builder* builder);

// ---- urdf_contact.c ------------------------------------------------------------------------------

/// Changes what the file says of the surface of a collision shape.
sn_status sni_urdf_material(sni_load* load, const xmlNode* link, const xmlNode* collision,
                            sn_material* material);

// ---- urdf_joint.c -------------------------------------------------------------------------------

/// Type, placement, axis, limits and dynamics.
sn_status sni_urdf_joint_def(sni_load* load, const sni_urdf_joint* joint, sn_joint_def* def);

// ---- urdf_tree.c --------------------------------------------------------------------------------

/// Finds the links each joint connects, the root, and the order of children. Fails, with names and
/// lines, on anything that is not one tree.
sn_status sni_urdf_tree(sni_urdf* urdf);

#endif
