// SPDX-License-Identifier: Apache-2.0
// Models of one shape: a free body, or a piece of the world.
#include <string.h>

#include "scene/read.h"

/// Compiles a body (NULL: the world) with one shape.
static sn_status make(const sn_inertia* inertia, const sn_shape_def* shape, sn_model** model,
                      sn_error* error) {
    sn_model_builder* builder = sn_model_builder_create("object");
    sn_status status = builder ? SN_OK : SN_ERR_MEMORY;
    if (!status && inertia) {
        sn_body_def body = sn_body_def_default();
        body.name = "";
        body.joint.type = SN_JOINT_FREE;
        body.inertia = *inertia;
        status = sn_model_builder_add_body(builder, &body);
    }
    if (!status) status = sn_model_builder_add_shape(builder, shape);
    if (status)
        sni_fail(error, status, sni_nowhere(), "not enough memory");
    else
        status = sn_model_builder_compile(builder, NULL, model, error);
    sn_model_builder_free(builder);
    return status;
}

static sn_shape_def shape_of(const sni_solid* solid) {
    sn_shape_def shape = sn_shape_def_default();
    shape.body = solid->fixed ? NULL : "";
    shape.type = solid->type;
    shape.use = SN_SHAPE_VISUAL | SN_SHAPE_COLLISION;
    shape.size = solid->size;
    shape.material = solid->material;
    memcpy(shape.color, solid->color, sizeof shape.color);
    return shape;
}

sn_status sni_solid_make(const sni_solid* solid, sn_model** model, sn_error* error) {
    sn_shape_def shape = shape_of(solid);
    if (solid->fixed) return make(NULL, &shape, model, error);
    sn_inertia inertia = sn_inertia_solid(solid->type, solid->size, solid->mass);
    return make(&inertia, &shape, model, error);
}

// Sums over tetrahedra from the origin to each triangle (a, b, c) of volume V = a.(b x c) / 6, in which
//   int x dV = V (a + b + c) / 4,   int x x' dV = V (a a' + b b' + c c' + s s') / 20,   s = a + b + c.
sn_inertia sni_inertia_polyhedron(const sn_vec3* vertices, const int32_t* triangles,
                                  int triangle_count) {
    double volume = 0, second[3][3] = {{0}};
    sn_vec3 first = sn_vec3_zero();
    for (int t = 0; t < triangle_count; t++) {
        sn_vec3 p[4];
        p[3] = sn_vec3_zero();
        for (int k = 0; k < 3; k++) {
            p[k] = vertices[triangles[3 * t + k]];
            p[3] = sn_vec3_add(p[3], p[k]);
        }
        double V = sn_vec3_dot(p[0], sn_vec3_cross(p[1], p[2])) / 6;
        volume += V;
        first = sn_vec3_add(first, sn_vec3_scale(V / 4, p[3]));
        for (int k = 0; k < 4; k++) {
            const double x[3] = {p[k].x, p[k].y, p[k].z};
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) second[i][j] += V / 20 * x[i] * x[j];
        }
    }
    sn_inertia inertia = {.mass = volume};
    if (!(volume > 0)) return inertia;
    inertia.com = sn_vec3_scale(1 / volume, first);
    const double c[3] = {inertia.com.x, inertia.com.y, inertia.com.z};
    double trace = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) second[i][j] -= volume * c[i] * c[j];
    for (int i = 0; i < 3; i++) trace += second[i][i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) inertia.I.m[i][j] = (i == j ? trace : 0) - second[i][j];
    return inertia;
}

static sn_inertia scaled(sn_inertia inertia, double factor) {
    inertia.mass *= factor;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) inertia.I.m[i][j] *= factor;
    return inertia;
}

sn_status sni_mesh_make(const sni_solid* solid, double density, const sn_vec3* vertices,
                        int vertex_count, const int32_t* triangles, int triangle_count,
                        sn_model** model, sn_error* error) {
    sn_shape_def shape = shape_of(solid);
    shape.vertices = vertices;
    shape.vertex_count = vertex_count;
    shape.triangles = triangles;
    shape.triangle_count = triangle_count;
    if (solid->fixed) return make(NULL, &shape, model, error);
    sn_inertia inertia = sni_inertia_polyhedron(vertices, triangles, triangle_count);
    if (!(inertia.mass > 0))
        return sni_fail(error, SN_ERR_MODEL, sni_nowhere(),
                        "the surface encloses no volume, so it has no mass distribution; are its "
                        "triangles counter-clockwise seen from outside?");
    inertia = scaled(inertia, solid->mass > 0 ? solid->mass / inertia.mass : density);
    return make(&inertia, &shape, model, error);
}
