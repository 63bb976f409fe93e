// SPDX-License-Identifier: Apache-2.0
#include "support/solids.h"

#include <math.h>
#include <string.h>

const sn_shape_type solid_types[SOLID_TYPES] = {SN_SHAPE_SPHERE, SN_SHAPE_BOX, SN_SHAPE_CYLINDER,
                                                SN_SHAPE_CAPSULE, SN_SHAPE_HULL};

const char* solid_type_name(sn_shape_type type) {
    static const char* const name[] = {"sphere", "box",  "cylinder", "capsule",
                                       "plane",  "mesh", "hull"};
    return name[type];
}

// ---- making ---------------------------------------------------------------------------------------------

static double farthest_corner(const test_solid* s) {
    double most = 0;
    for (int k = 0; k < s->corner_count; k++) most = fmax(most, sn_vec3_norm(s->corner[k]));
    return most;
}

test_solid* solid_make(sn_shape_type type, sn_vec3 half) {
    test_solid* s = calloc(1, sizeof *s);
    s->solid.type = type;
    s->solid.half = half;
    switch (type) {
    case SN_SHAPE_BOX:
        for (int k = 0; k < 8; k++)
            s->corner[k] = sn_vec3_make(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y,
                                        k & 4 ? half.z : -half.z);
        s->corner_count = 8;
        s->solid.radius = farthest_corner(s);
        break;
    case SN_SHAPE_CYLINDER: s->solid.radius = hypot(half.x, half.z); break;
    case SN_SHAPE_CAPSULE: s->solid.radius = half.x + half.z; break;
    case SN_SHAPE_PLANE: s->solid.radius = INFINITY; break;
    default: s->solid.radius = half.x;
    }
    return s;
}

test_solid* solid_hull(const sn_vec3* corner, int corners, const int (*triangle)[3],
                       int triangles) {
    test_solid* s = solid_make(SN_SHAPE_HULL, sn_vec3_zero());
    memcpy(s->corner, corner, (size_t)corners * sizeof *corner);
    s->corner_count = corners;
    memcpy(s->triangle, triangle, (size_t)triangles * sizeof *triangle);
    s->triangle_count = triangles;
    sn_shape_info shape = {.name = "hull",
                           .type = SN_SHAPE_HULL,
                           .vertices = s->corner,
                           .vertex_count = corners,
                           .triangles = &s->triangle[0][0],
                           .triangle_count = triangles};
    sn_error error;
    CHECK_STATUS(sni_hull_create(&shape, &s->hull, &error), SN_OK);
    s->solid.hull = s->hull;
    s->solid.radius = farthest_corner(s);
    return s;
}

void solid_free(test_solid* s) {
    if (!s) return;
    sni_hull_free(s->hull);
    free(s);
}

static bool all_below(const sn_vec3* x, int count, int i, int j, int k) {
    sn_vec3 n = sn_vec3_cross(sn_vec3_sub(x[j], x[i]), sn_vec3_sub(x[k], x[i]));
    for (int c = 0; c < count; c++)
        if (c != i && c != j && c != k && sn_vec3_dot(n, sn_vec3_sub(x[c], x[i])) > 0) return false;
    return true;
}

/// Hull of points on an ellipsoid, all of them corners, by looking at all triples.
static test_solid* random_hull(test_rng* rng, double size) {
    sn_vec3 x[20];
    int triangle[64][3], count = 0, corners = 4 + test_index(rng, 14);
    sn_vec3 axes = sn_vec3_make(size * test_uniform(rng, 0.2, 1), size * test_uniform(rng, 0.2, 1),
                                size * test_uniform(rng, 0.2, 1));
    sn_vec3 centre = test_vec3(rng, 0.2 * size);
    for (int k = 0; k < corners; k++) {
        sn_vec3 d = test_direction(rng);
        x[k] = sn_vec3_add(centre, sn_vec3_make(axes.x * d.x, axes.y * d.y, axes.z * d.z));
    }
    for (int i = 0; i < corners; i++)
        for (int j = i + 1; j < corners; j++)
            for (int k = i + 1; k < corners; k++) {
                if (k == j || !all_below(x, corners, i, j, k)) continue;
                triangle[count][0] = i;
                triangle[count][1] = j;
                triangle[count++][2] = k;
            }
    return solid_hull(x, corners, (const int(*)[3])triangle, count);
}

test_solid* solid_prism(int sides, double radius, double half_length) {
    sn_vec3 x[64];
    int triangle[128][3], count = 0;
    for (int k = 0; k < sides; k++) {
        double angle = 2 * M_PI * k / sides;
        x[2 * k] = sn_vec3_make(radius * cos(angle), radius * sin(angle), -half_length);
        x[2 * k + 1] = sn_vec3_make(radius * cos(angle), radius * sin(angle), half_length);
    }
    for (int k = 0; k < sides; k++) {
        int low = 2 * k, next = 2 * ((k + 1) % sides);
        const int side[2][3] = {{low, next, next + 1}, {low, next + 1, low + 1}};
        memcpy(triangle[count], side, sizeof side);
        count += 2;
        if (k == 0 || k == sides - 1) continue;
        const int caps[2][3] = {{0, next, low}, {1, low + 1, next + 1}};
        memcpy(triangle[count], caps, sizeof caps);
        count += 2;
    }
    return solid_hull(x, 2 * sides, (const int(*)[3])triangle, count);
}

test_solid* solid_random(test_rng* rng, sn_shape_type type, double size) {
    if (type == SN_SHAPE_HULL) {
        if (test_chance(rng, 0.7)) return random_hull(rng, size);
        return solid_prism(3 + test_index(rng, 10), size * test_uniform(rng, 0.2, 1),
                           size * test_uniform(rng, 0.2, 1));
    }
    sn_vec3 half = sn_vec3_make(size * test_uniform(rng, 0.1, 1), size * test_uniform(rng, 0.1, 1),
                                size * test_uniform(rng, 0.1, 1));
    return solid_make(type, half);
}

// ---- what is true ---------------------------------------------------------------------------------------

long3 long3_of(sn_vec3 v) { return (long3){v.x, v.y, v.z}; }
long double long3_dot(long3 a, long3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
long3 long3_cross(long3 a, long3 b) {
    return (long3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
long3 long3_unit(long3 a) {
    long double norm = sqrtl(long3_dot(a, a));
    return (long3){a.x / norm, a.y / norm, a.z / norm};
}

static long3 into_frame(const sn_pose* X, long3 d) {
    return (long3){X->R.m[0][0] * d.x + X->R.m[1][0] * d.y + X->R.m[2][0] * d.z,
                   X->R.m[0][1] * d.x + X->R.m[1][1] * d.y + X->R.m[2][1] * d.z,
                   X->R.m[0][2] * d.x + X->R.m[1][2] * d.y + X->R.m[2][2] * d.z};
}

long double solid_reach(const test_solid* s, const sn_pose* X, long3 d) {
    long3 e = into_frame(X, d);
    long double reach = long3_dot(d, long3_of(X->p)), most = -INFINITY;
    long double r = s->solid.half.x, h = s->solid.half.z, norm = sqrtl(long3_dot(d, d));
    switch (s->solid.type) {
    case SN_SHAPE_CYLINDER: return reach + r * sqrtl(e.x * e.x + e.y * e.y) + h * fabsl(e.z);
    case SN_SHAPE_CAPSULE: return reach + r * norm + h * fabsl(e.z);
    case SN_SHAPE_SPHERE: return reach + r * norm;
    default:
        for (int k = 0; k < s->corner_count; k++)
            most = fmaxl(most, long3_dot(e, long3_of(s->corner[k])));
        return reach + most;
    }
}

long double solids_apart(const test_solid* a, const sn_pose* X_a, const test_solid* b,
                         const sn_pose* X_b, long3 n) {
    long3 back = {-n.x, -n.y, -n.z};
    return -solid_reach(a, X_a, back) - solid_reach(b, X_b, n);
}

static long double outside_hull(const test_solid* s, long3 x) {
    long double most = -INFINITY;
    for (int t = 0; t < s->triangle_count; t++) {
        long3 p = long3_of(s->corner[s->triangle[t][0]]),
              q = long3_of(s->corner[s->triangle[t][1]]),
              r = long3_of(s->corner[s->triangle[t][2]]);
        long3 pq = {q.x - p.x, q.y - p.y, q.z - p.z}, pr = {r.x - p.x, r.y - p.y, r.z - p.z};
        long3 n = long3_unit(long3_cross(pq, pr)), px = {x.x - p.x, x.y - p.y, x.z - p.z};
        most = fmaxl(most, long3_dot(n, px));
    }
    return most;
}

long double solid_outside(const test_solid* s, const sn_pose* X, sn_vec3 x) {
    long3 from = {(long double)x.x - X->p.x, (long double)x.y - X->p.y, (long double)x.z - X->p.z};
    long3 e = into_frame(X, from);
    long double r = s->solid.half.x, h = s->solid.half.z;
    switch (s->solid.type) {
    case SN_SHAPE_BOX:
        return fmaxl(fabsl(e.x) - s->solid.half.x,
                     fmaxl(fabsl(e.y) - s->solid.half.y, fabsl(e.z) - s->solid.half.z));
    case SN_SHAPE_CYLINDER: return fmaxl(hypotl(e.x, e.y) - r, fabsl(e.z) - h);
    case SN_SHAPE_CAPSULE: {
        long double over = fmaxl(fabsl(e.z) - h, 0);
        return sqrtl(e.x * e.x + e.y * e.y + over * over) - r;
    }
    case SN_SHAPE_PLANE: return e.z;
    case SN_SHAPE_HULL: return outside_hull(s, e);
    default: return sqrtl(long3_dot(e, e)) - r;
    }
}
