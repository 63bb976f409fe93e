// SPDX-License-Identifier: Apache-2.0
#include "support/meshes.h"

#include "support/check.h"

void test_mesh_free(test_mesh* m) {
    sni_mesh_free(m->mesh);
    free((void*)m->shape.vertices);
    free((void*)m->shape.triangles);
}

test_mesh test_mesh_take(sn_vec3* vertices, int32_t vertex_count, int32_t* triangles,
                         int32_t triangle_count) {
    test_mesh m = {.shape = {.name = "test",
                             .mesh = "",
                             .type = SN_SHAPE_MESH,
                             .vertices = vertices,
                             .vertex_count = vertex_count,
                             .triangles = triangles,
                             .triangle_count = triangle_count}};
    CHECK_STATUS(sni_mesh_create(&m.shape, &m.mesh, NULL), SN_OK);
    m.solid = (sni_solid){.type = SN_SHAPE_MESH, .mesh = m.mesh, .bounds = m.mesh->node[0].box};
    for (int32_t i = 0; i < vertex_count; i++)
        m.solid.radius = fmax(m.solid.radius, sn_vec3_norm(vertices[i]));
    return m;
}

test_mesh test_mesh_floor(test_rng* rng, double half, int n) {
    int32_t side = n + 1, count = 0;
    sn_vec3* v = calloc((size_t)(side * side), sizeof *v);
    int32_t* t = calloc((size_t)(6 * n * n), sizeof *t);
    double cell = 2 * half / n;
    for (int32_t i = 0; i < side; i++)
        for (int32_t j = 0; j < side; j++) {
            bool inner = i > 0 && i < n && j > 0 && j < n;
            double x = inner ? test_uniform(rng, -0.2, 0.2) : 0;
            double y = inner ? test_uniform(rng, -0.2, 0.2) : 0;
            v[i * side + j] = sn_vec3_make(-half + cell * (i + x), -half + cell * (j + y), 0);
        }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            int32_t a = i * side + j, b = a + side, c = b + 1, d = a + 1;
            bool other = test_index(rng, 2);
            const int32_t cut[2][6] = {{a, b, c, a, c, d}, {a, b, d, b, c, d}};
            for (int k = 0; k < 6; k++) t[count++] = cut[other][k];
        }
    return test_mesh_take(v, side * side, t, 2 * n * n);
}

test_mesh test_mesh_box(sn_vec3 half, int n) {
    int32_t count = 0, most = 6 * n * n * 6;
    sn_vec3* v = calloc((size_t)most, sizeof *v);
    int32_t* t = calloc((size_t)most, sizeof *t);
    const double h[3] = {half.x, half.y, half.z};
    for (int side = 0; side < 6; side++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int axis = side / 2, up = side % 2;
                const int corner[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
                for (int k = 0; k < 6; k++) {
                    const int* c = corner[up ? k : 5 - k];
                    double x[3];
                    x[axis] = up ? h[axis] : -h[axis];
                    x[(axis + 1) % 3] = h[(axis + 1) % 3] * (2.0 * (i + c[0]) / n - 1);
                    x[(axis + 2) % 3] = h[(axis + 2) % 3] * (2.0 * (j + c[1]) / n - 1);
                    t[count] = count;
                    v[count++] = sn_vec3_make(x[0], x[1], x[2]);
                }
            }
    return test_mesh_take(v, count, t, count / 3);
}

static sn_vec3 at_radius(sn_vec3 x, double radius) {
    return sn_vec3_scale(radius / sn_vec3_norm(x), x);
}

test_mesh test_mesh_ball(double radius, int n) {
    int32_t count = 8, most = 8;
    for (int k = 0; k < n; k++) most *= 4;
    sn_vec3* v = calloc((size_t)(3 * most), sizeof *v);
    for (int side = 0; side < 8; side++) {
        sn_vec3 x = sn_vec3_make(side & 1 ? -1 : 1, 0, 0),
                y = sn_vec3_make(0, side & 2 ? -1 : 1, 0);
        bool turned = ((side ^ side >> 1 ^ side >> 2) & 1) != 0;
        v[3 * side] = turned ? y : x;
        v[3 * side + 1] = turned ? x : y;
        v[3 * side + 2] = sn_vec3_make(0, 0, side & 4 ? -1 : 1);
    }
    for (int step = 0; step < n; step++, count *= 4)
        for (int32_t i = count - 1; i >= 0; i--) { // last first: four take the place of one
            sn_vec3 a = v[3 * i], b = v[3 * i + 1], c = v[3 * i + 2];
            sn_vec3 d = at_radius(sn_vec3_add(a, b), 1), e = at_radius(sn_vec3_add(b, c), 1),
                    f = at_radius(sn_vec3_add(c, a), 1);
            const sn_vec3 four[12] = {a, d, f, d, b, e, f, e, c, d, e, f};
            for (int k = 0; k < 12; k++) v[12 * i + k] = four[k];
        }
    int32_t* t = calloc((size_t)(3 * count), sizeof *t);
    for (int32_t i = 0; i < 3 * count; i++) {
        v[i] = sn_vec3_scale(radius, v[i]);
        t[i] = i;
    }
    return test_mesh_take(v, 3 * count, t, count);
}

test_mesh test_mesh_heap(test_rng* rng, double size, int triangles) {
    int32_t vertices = 2 * triangles + 1;
    sn_vec3* v = calloc((size_t)vertices, sizeof *v);
    int32_t* t = calloc((size_t)(3 * triangles), sizeof *t);
    for (int32_t i = 0; i < vertices; i++) {
        double x = test_uniform(rng, -size, size), y = test_uniform(rng, -size, size);
        v[i] = sn_vec3_make(x, y, test_uniform(rng, -size, size));
    }
    for (int32_t i = 0; i < 3 * triangles; i++) t[i] = test_index(rng, vertices);
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) t[0] = 0, t[1] = 1, t[2] = 2;
    return test_mesh_take(v, vertices, t, triangles);
}
