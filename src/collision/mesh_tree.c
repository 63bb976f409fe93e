// SPDX-License-Identifier: Apache-2.0
// The tree of boxes of a mesh: how it is made, and what is asked of it.
#include "collision/box.h"
#include "collision/mesh.h"

enum {
    LEAF = 4,  // triangles at most, unless none can be told from another
    BINS = 16, // places where a box is tried to be cut
    DEEP = 48, // below this, boxes are cut in half by count: no tree is deeper than DEEP + 31
    STACK = DEEP + 32
};

static double of(sn_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static sn_vec3 least(sn_vec3 a, sn_vec3 b) {
    return sn_vec3_make(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}
static sn_vec3 most(sn_vec3 a, sn_vec3 b) {
    return sn_vec3_make(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}
static sni_box around(sni_box a, sni_box b) {
    return (sni_box){least(a.low, b.low), most(a.high, b.high)};
}
static sni_box nothing(void) {
    sn_vec3 far = sn_vec3_make(INFINITY, INFINITY, INFINITY);
    return (sni_box){far, sn_vec3_neg(far)};
}
static double half_area(sni_box b) {
    sn_vec3 e = sn_vec3_sub(b.high, b.low);
    return e.x * e.y + e.y * e.z + e.z * e.x;
}

// ---- making ---------------------------------------------------------------------------------------------

typedef struct builder {
    sni_mesh* mesh;
    const sni_box* box; // by triangle as it was
    int32_t* order;     // triangles of the nodes
} builder;

static double middle_of(const builder* b, int32_t triangle, int axis) {
    return 0.5 * (of(b->box[triangle].low, axis) + of(b->box[triangle].high, axis));
}

static int bin_of(double x, double low, double per_metre) {
    double k = (x - low) * per_metre;
    return k < BINS - 1 ? k > 0 ? (int)k : 0 : BINS - 1;
}

/// The cut between bins that costs least by the area of both sides; 0: none.
static int best_cut(const builder* b, int32_t first, int32_t end, int axis, double low,
                    double per_metre) {
    sni_box box[BINS];
    int32_t count[BINS] = {0};
    for (int k = 0; k < BINS; k++) box[k] = nothing();
    for (int32_t i = first; i < end; i++) {
        int k = bin_of(middle_of(b, b->order[i], axis), low, per_metre);
        box[k] = around(box[k], b->box[b->order[i]]);
        count[k]++;
    }
    double above_cost[BINS];
    sni_box above = nothing(), below = nothing();
    int32_t many = 0;
    for (int k = BINS - 1; k > 0; k--) {
        above = around(above, box[k]);
        many += count[k];
        above_cost[k] = many ? many * half_area(above) : INFINITY;
    }
    int best = 0;
    double cost = INFINITY;
    many = 0;
    for (int k = 1; k < BINS; k++) {
        below = around(below, box[k - 1]);
        many += count[k - 1];
        double here = many ? many * half_area(below) + above_cost[k] : INFINITY;
        if (here < cost) {
            cost = here;
            best = k;
        }
    }
    return best;
}

/// Puts triangles of the lower part first; returns where the upper part begins.
static int32_t cut(builder* b, int32_t first, int32_t end, int depth) {
    sn_vec3 low = sn_vec3_make(INFINITY, INFINITY, INFINITY), high = sn_vec3_neg(low);
    for (int32_t i = first; i < end; i++) {
        const sni_box* box = &b->box[b->order[i]];
        sn_vec3 middle = sn_vec3_scale(0.5, sn_vec3_add(box->low, box->high));
        low = least(low, middle);
        high = most(high, middle);
    }
    sn_vec3 e = sn_vec3_sub(high, low);
    int axis = e.y > e.x ? 1 : 0;
    if (e.z > of(e, axis)) axis = 2;
    double per_metre = BINS / of(e, axis);
    int at = 0;
    if (depth < DEEP && isfinite(per_metre))
        at = best_cut(b, first, end, axis, of(low, axis), per_metre);
    if (at == 0) return first + (end - first) / 2;
    int32_t i = first;
    for (int32_t j = first; j < end; j++) {
        int32_t t = b->order[j];
        if (bin_of(middle_of(b, t, axis), of(low, axis), per_metre) >= at) continue;
        b->order[j] = b->order[i];
        b->order[i++] = t;
    }
    return i;
}

static void make_node(builder* b, int32_t first, int32_t end, int depth) {
    int32_t at = b->mesh->node_count++;
    sni_mesh_node* node = &b->mesh->node[at];
    node->box = nothing();
    for (int32_t i = first; i < end; i++) node->box = around(node->box, b->box[b->order[i]]);
    if (end - first <= LEAF) {
        node->first = first;
        node->count = end - first;
    } else {
        int32_t middle = cut(b, first, end, depth);
        make_node(b, first, middle, depth + 1);
        make_node(b, middle, end, depth + 1);
    }
    node->next = b->mesh->node_count;
}

/// Puts triangles in the order of the tree, each along its cycle.
static void reorder(sni_mesh* mesh, int32_t* order) {
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        if (order[i] < 0) continue;
        sni_mesh_triangle first = mesh->triangle[i];
        int32_t at = i;
        while (order[at] != i) {
            int32_t from = order[at];
            mesh->triangle[at] = mesh->triangle[from];
            order[at] = -1;
            at = from;
        }
        mesh->triangle[at] = first;
        order[at] = -1;
    }
}

void sni_mesh_make_tree(sni_mesh* mesh, sni_box* box, int32_t* order) {
    builder b = {mesh, box, order};
    for (int32_t i = 0; i < mesh->triangle_count; i++) order[i] = i;
    make_node(&b, 0, mesh->triangle_count, 0);
    reorder(mesh, order);
}

// ---- boxes ----------------------------------------------------------------------------------------------

sni_mesh_walk sni_mesh_walk_begin(const sni_mesh* mesh, const sni_box* box) {
    return (sni_mesh_walk){.mesh = mesh, .box = *box};
}

static bool triangle_overlaps(const sni_mesh* mesh, int32_t triangle, const sni_box* box) {
    sn_vec3 a = sni_mesh_corner(mesh, triangle, 0), b = sni_mesh_corner(mesh, triangle, 1),
            c = sni_mesh_corner(mesh, triangle, 2);
    sni_box own = {least(a, least(b, c)), most(a, most(b, c))};
    return sni_box_overlap(&own, box);
}

int32_t sni_mesh_walk_next(sni_mesh_walk* walk) {
    const sni_mesh* mesh = walk->mesh;
    for (;;) {
        while (walk->triangle < walk->end) {
            int32_t at = walk->triangle++;
            if (triangle_overlaps(mesh, at, &walk->box)) return at;
        }
        if (walk->node >= mesh->node_count) return -1;
        const sni_mesh_node* node = &mesh->node[walk->node];
        if (sni_box_overlap(&node->box, &walk->box)) {
            walk->triangle = node->first;
            walk->end = node->first + node->count;
            walk->node++;
        } else {
            walk->node = node->next;
        }
    }
}

// ---- nearest --------------------------------------------------------------------------------------------

// By the regions of a triangle that a point can be nearest to.   [E05 5.1.5]
sn_vec3 sni_triangle_nearest(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_vec3 p, int* part) {
    sn_vec3 ab = sn_vec3_sub(b, a), ac = sn_vec3_sub(c, a), ap = sn_vec3_sub(p, a);
    double d1 = sn_vec3_dot(ab, ap), d2 = sn_vec3_dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return *part = 4, a;
    sn_vec3 bp = sn_vec3_sub(p, b);
    double d3 = sn_vec3_dot(ab, bp), d4 = sn_vec3_dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return *part = 5, b;
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return *part = 1, sn_vec3_add(a, sn_vec3_scale(d1 / (d1 - d3), ab));
    sn_vec3 cp = sn_vec3_sub(p, c);
    double d5 = sn_vec3_dot(ab, cp), d6 = sn_vec3_dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return *part = 6, c;
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return *part = 3, sn_vec3_add(a, sn_vec3_scale(d2 / (d2 - d6), ac));
    double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return *part = 2, sn_vec3_add(b, sn_vec3_scale(w, sn_vec3_sub(c, b)));
    }
    sn_vec3 n = sn_vec3_cross(ab, ac);
    *part = 0;
    return sn_vec3_sub(p, sn_vec3_scale(sn_vec3_dot(n, ap) / sn_vec3_dot(n, n), n));
}

static double square_distance(const sni_box* box, sn_vec3 p) {
    sn_vec3 out = most(sn_vec3_zero(), most(sn_vec3_sub(box->low, p), sn_vec3_sub(p, box->high)));
    return sn_vec3_dot(out, out);
}

/// Mean of the normals around a part: tells inside from outside also where the part is an edge or a corner.   [BA05]
static sn_vec3 normal_at(const sni_mesh* mesh, int32_t triangle, int part) {
    const sni_mesh_triangle* t = &mesh->triangle[triangle];
    if (part >= 4) return mesh->normal[t->corner[part - 4]];
    if (part == 0 || t->beside[part - 1] < 0) return t->n;
    return sn_vec3_add(t->n, mesh->triangle[t->beside[part - 1]].n);
}

static sn_vec3 unit_or(sn_vec3 v, sn_vec3 otherwise) {
    double length = sn_vec3_norm(v);
    return length > 0 && isfinite(1 / length) ? sn_vec3_scale(1 / length, v) : otherwise;
}

sni_mesh_point sni_mesh_nearest(const sni_mesh* mesh, sn_vec3 p, double reach) {
    sni_mesh_point best = {.distance = INFINITY, .triangle = -1};
    double square = reach * reach;
    int best_part = 0;
    int32_t stack[STACK], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        int32_t at = stack[--depth];
        const sni_mesh_node* node = &mesh->node[at];
        if (square_distance(&node->box, p) > square) continue;
        for (int32_t i = node->first; i < node->first + node->count; i++) {
            int part;
            sn_vec3 x = sni_mesh_nearest_on(mesh, i, p, &part), to = sn_vec3_sub(p, x);
            double d = sn_vec3_dot(to, to);
            if (!(d < square || (d == square && best.triangle < 0))) continue;
            square = d;
            best.x = x;
            best.triangle = i;
            best_part = part;
        }
        if (node->count > 0) continue;
        int32_t near = at + 1, far = mesh->node[near].next;
        if (square_distance(&mesh->node[far].box, p) < square_distance(&mesh->node[near].box, p)) {
            int32_t swap = near;
            near = far;
            far = swap;
        }
        stack[depth++] = far;
        stack[depth++] = near;
    }
    if (best.triangle < 0) return best;
    const sni_mesh_triangle* t = &mesh->triangle[best.triangle];
    sn_vec3 to = sn_vec3_sub(p, best.x), around_it = normal_at(mesh, best.triangle, best_part);
    double side = sn_vec3_dot(to, around_it) < 0 ? -1 : 1;
    best.distance = side * sqrt(square);
    best.n = best_part == 0 ? t->n : unit_or(sn_vec3_scale(side, to), unit_or(around_it, t->n));
    return best;
}

// ---- rays -----------------------------------------------------------------------------------------------

/// A ray, and the plane across its longest axis it is seen in: there it is a point, whatever its direction.
typedef struct mesh_ray {
    sn_vec3 from, direction, inverse;
    double length;
    int across[2], along; ///< axes
    double slope[2];      ///< of the ray over the longest axis
} mesh_ray;

static mesh_ray ray_make(sn_vec3 from, sn_vec3 d, double length) {
    mesh_ray ray = {from, d, sn_vec3_make(1 / d.x, 1 / d.y, 1 / d.z), length, {0, 0}, 0, {0, 0}};
    if (fabs(d.y) > fabs(d.x)) ray.along = 1;
    if (fabs(d.z) > fabs(of(d, ray.along))) ray.along = 2;
    for (int k = 0; k < 2; k++) {
        ray.across[k] = (ray.along + 1 + k) % 3;
        ray.slope[k] = of(d, ray.across[k]) / of(d, ray.along);
    }
    return ray;
}

/// Where a ray enters a box; INFINITY: it does not.
static double enters(const sni_box* box, const mesh_ray* ray) {
    // a few roundings of the quotients must not lose a hit
    const double slack = 1e-14;
    double in = 0, out = ray->length;
    for (int k = 0; k < 3; k++) {
        double low = of(box->low, k) - of(ray->from, k), high = of(box->high, k) - of(ray->from, k);
        double inverse = of(ray->inverse, k);
        if (isinf(inverse)) { // along the sides
            if (low > 0 || high < 0) return INFINITY;
            continue;
        }
        in = fmax(in, fmin(low * inverse, high * inverse));
        out = fmin(out, fmax(low * inverse, high * inverse));
    }
    return in * (1 - slack) <= out * (1 + slack) ? in : INFINITY;
}

/// Distance along the ray to a triangle, from either side; INFINITY: none. On which side of an edge the ray passes is
/// told by comparing two products of its ends. Rounding can make them equal, which counts as a hit, but never
/// turns them round: no ray slips between two triangles.   [WBW13]
static double hits(const sni_mesh* mesh, int32_t triangle, const mesh_ray* ray) {
    const sni_mesh_triangle* t = &mesh->triangle[triangle];
    double x[3][2];
    for (int k = 0; k < 3; k++) {
        sn_vec3 v = sn_vec3_sub(mesh->vertex[t->corner[k]], ray->from);
        for (int c = 0; c < 2; c++)
            x[k][c] = of(v, ray->across[c]) - ray->slope[c] * of(v, ray->along);
    }
    int left = 0, right = 0;
    for (int k = 0; k < 3; k++) {
        const double *a = x[k], *b = x[(k + 1) % 3];
        double p = a[0] * b[1], q = a[1] * b[0];
        left += p > q;
        right += p < q;
    }
    if (left && right) return INFINITY;
    double along = sn_vec3_dot(t->n, ray->direction);
    double height = t->offset - sn_vec3_dot(t->n, ray->from);
    double distance = height / along;
    return distance >= 0 && distance <= ray->length ? distance : INFINITY; // NaN: in its plane
}

sni_mesh_point sni_mesh_ray(const sni_mesh* mesh, sn_vec3 from, sn_vec3 direction, double length) {
    sni_mesh_point best = {.distance = INFINITY, .triangle = -1};
    mesh_ray ray = ray_make(from, direction, length);
    int32_t stack[STACK], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        int32_t at = stack[--depth];
        const sni_mesh_node* node = &mesh->node[at];
        if (enters(&node->box, &ray) == INFINITY) continue;
        for (int32_t i = node->first; i < node->first + node->count; i++) {
            double distance = hits(mesh, i, &ray);
            if (!(distance < best.distance)) continue;
            best.distance = ray.length = distance;
            best.triangle = i;
        }
        if (node->count > 0) continue;
        int32_t near = at + 1, far = mesh->node[near].next;
        if (enters(&mesh->node[far].box, &ray) < enters(&mesh->node[near].box, &ray)) {
            int32_t swap = near;
            near = far;
            far = swap;
        }
        stack[depth++] = far;
        stack[depth++] = near;
    }
    if (best.triangle >= 0) {
        best.x = sn_vec3_add(from, sn_vec3_scale(best.distance, direction));
        best.n = mesh->triangle[best.triangle].n;
    }
    return best;
}
