// SPDX-License-Identifier: Apache-2.0
// <visual>, <collision>, <geometry> and <material>.
#include <stdio.h>
#include <string.h>

#include "load/mesh.h"
#include "load/paths.h"
#include "load/urdf.h"

// ---- materials ----------------------------------------------------------------------------------

static sn_status read_color(sni_load* load, const xmlNode* material, sni_urdf_color* color,
                            bool* given) {
    const xmlNode* node = sni_xml_child(material, "color");
    *given = node != NULL;
    if (!node) return SN_OK;
    sn_status status = sni_xml_numbers(load, node, "rgba", 4, color->rgba);
    if (status) return status;
    for (int k = 0; k < 4; k++) {
        double clamped = fmin(fmax(color->rgba[k], 0), 1);
        if (clamped != color->rgba[k])
            sni_warn(load, "color", sni_xml_place(load, node),
                     "colour component %g is brought into 0 to 1", color->rgba[k]);
        color->rgba[k] = clamped;
    }
    return SN_OK;
}

/// The first definition of a name counts.
static sn_status add_material(sni_urdf* urdf, const xmlNode* material) {
    const char* name = sni_xml_get(material, "name");
    sni_urdf_color color;
    bool given;
    sn_status status = read_color(urdf->load, material, &color, &given);
    if (status || !given || !name || urdf->material_count == urdf->material_capacity) return status;
    int32_t index = urdf->material_count;
    if (sni_name_map_add(&urdf->material_names, name, index) >= 0) return SN_OK;
    urdf->materials[index] = color;
    urdf->material_count += 1;
    return SN_OK;
}

sn_status sni_urdf_materials(sni_urdf* urdf) {
    sn_status status = SN_OK;
    for (const xmlNode* node = urdf->robot->children; node && !status; node = node->next)
        if (sni_xml_is(node, "material")) status = add_material(urdf, node);
    for (int32_t i = 0; i < urdf->link_count && !status; i++) {
        for (const xmlNode* v = urdf->links[i].node->children; v && !status; v = v->next) {
            const xmlNode* material = sni_xml_is(v, "visual") ? sni_xml_child(v, "material") : NULL;
            if (material) status = add_material(urdf, material);
        }
    }
    return status;
}

/// A colour written here counts; otherwise the one the robot knows under that name.
static sn_status set_color(const sni_urdf* urdf, const xmlNode* visual, sn_shape_def* shape) {
    const xmlNode* material = sni_xml_child(visual, "material");
    if (!material) return SN_OK;
    sni_urdf_color color;
    bool given;
    sn_status status = read_color(urdf->load, material, &color, &given);
    if (status) return status;
    const char* name = sni_xml_get(material, "name");
    if (!given) {
        int32_t index = sni_name_map_find(&urdf->material_names, name);
        if (index < 0) {
            char key[160];
            snprintf(key, sizeof key, "material %.100s", name ? name : "");
            sni_warn(urdf->load, key, sni_xml_place(urdf->load, material),
                     "material '%.100s' has no colour anywhere in the file; drawn grey",
                     name ? name : "");
            return SN_OK;
        }
        color = urdf->materials[index];
    }
    memcpy(shape->color, color.rgba, sizeof shape->color);
    return SN_OK;
}

// ---- geometry -----------------------------------------------------------------------------------

static sn_status read_round(sni_load* load, const xmlNode* node, bool has_length, sn_vec3* size) {
    *size = sn_vec3_zero();
    sn_status status = sni_xml_numbers(load, node, "radius", 1, &size->x);
    size->y = size->x;
    if (status || !has_length) {
        size->z = size->x;
        return status;
    }
    return sni_xml_numbers(load, node, "length", 1, &size->z);
}

static sn_status read_mesh(sni_load* load, const xmlNode* node, char* path, size_t path_size,
                           sn_vec3* scale) {
    const char* reference;
    double s[3] = {1, 1, 1};
    sn_status status = sni_xml_need(load, node, "filename", &reference);
    if (!status) status = sni_xml_numbers_or(load, node, "scale", 3, s);
    if (status) return status;
    if (strlen(reference) >= path_size)
        return sni_fail(load->error, SN_ERR_FORMAT, sni_xml_place(load, node),
                        "the file name of a mesh is longer than %d characters; shorten it",
                        (int)path_size - 1);
    *scale = sn_vec3_make(s[0], s[1], s[2]);
    sni_path_resolve(load, sni_xml_place(load, node), reference, path, path_size);
    return SN_OK;
}

/// *known is false when the geometry is none we can use.
static sn_status read_geometry(sni_load* load, const xmlNode* geometry, sn_shape_def* shape,
                               char* path, size_t path_size, bool* known) {
    const xmlNode* node;
    *known = true;
    if ((node = sni_xml_child(geometry, "box"))) {
        double edges[3] = {0, 0, 0};
        sn_status status = sni_xml_numbers(load, node, "size", 3, edges);
        shape->type = SN_SHAPE_BOX;
        shape->size = sn_vec3_make(edges[0], edges[1], edges[2]);
        return status;
    }
    if ((node = sni_xml_child(geometry, "sphere"))) {
        shape->type = SN_SHAPE_SPHERE;
        return read_round(load, node, false, &shape->size);
    }
    if ((node = sni_xml_child(geometry, "cylinder"))) {
        shape->type = SN_SHAPE_CYLINDER;
        return read_round(load, node, true, &shape->size);
    }
    if ((node = sni_xml_child(geometry, "capsule"))) {
        shape->type = SN_SHAPE_CAPSULE;
        return read_round(load, node, true, &shape->size);
    }
    if ((node = sni_xml_child(geometry, "mesh"))) {
        shape->type = SN_SHAPE_MESH;
        shape->mesh = path;
        return read_mesh(load, node, path, path_size, &shape->size);
    }
    *known = false;
    return SN_OK;
}

/// A size of zero is a placeholder some exporters write; a negative one is a mistake.
static sn_status check_size(sni_load* load, const xmlNode* geometry, const sn_shape_def* shape,
                            bool* usable) {
    sn_vec3 s = shape->size;
    bool mesh = shape->type == SN_SHAPE_MESH;
    if (!mesh && (s.x < 0 || s.y < 0 || s.z < 0))
        return sni_fail(load->error, SN_ERR_FORMAT, sni_xml_place(load, geometry),
                        "a shape has a negative size; write lengths in metres, above zero");
    *usable = s.x != 0 && s.y != 0 && s.z != 0;
    if (!*usable)
        sni_warn(load, "size zero", sni_xml_place(load, geometry),
                 "a shape of size zero is left out");
    return SN_OK;
}

static sn_status add_shape(const sni_urdf* urdf, const sni_urdf_link* link, const xmlNode* node,
                           sn_shape_use use, sn_model_builder* builder) {
    sni_load* load = urdf->load;
    char path[SN_PATH_MAX];
    sn_shape_def shape = sn_shape_def_default();
    shape.body = link->name;
    shape.name = sni_xml_get(node, "name");
    shape.use = (int)use;
    shape.place = sni_xml_place(load, node);
    const xmlNode* geometry = sni_xml_child(node, "geometry");
    bool known = false, usable = true;
    sn_status status = SN_OK;
    if (geometry) status = read_geometry(load, geometry, &shape, path, sizeof path, &known);
    if (status) return status;
    if (!known) {
        sni_warn(load, "no geometry", shape.place,
                 "a <%s> without box, sphere, cylinder, capsule or mesh is left out",
                 (const char*)node->name);
        return SN_OK;
    }
    status = check_size(load, geometry, &shape, &usable);
    if (!status) status = sni_xml_origin(load, node, &shape.pose);
    if (!status && use == SN_SHAPE_VISUAL) status = set_color(urdf, node, &shape);
    if (!status && use == SN_SHAPE_COLLISION)
        status = sni_urdf_material(load, link->node, node, &shape.material);
    if (status || !usable) return status;
    sni_triangles mesh;
    status = sni_mesh_load(load, &shape, &mesh);
    if (status) return status;
    status = sn_model_builder_add_shape(builder, &shape);
    sni_triangles_clear(&mesh);
    return status ? sni_fail(load->error, status, shape.place, "not enough memory for the shapes")
                  : SN_OK;
}

sn_status sni_urdf_shapes(const sni_urdf* urdf, const sni_urdf_link* link,
                          sn_model_builder* builder) {
    sn_status status = SN_OK;
    for (const xmlNode* node = link->node->children; node && !status; node = node->next) {
        if (sni_xml_is(node, "visual"))
            status = add_shape(urdf, link, node, SN_SHAPE_VISUAL, builder);
        else if (sni_xml_is(node, "collision"))
            status = add_shape(urdf, link, node, SN_SHAPE_COLLISION, builder);
    }
    return status;
}
