// SPDX-License-Identifier: Apache-2.0
// Depth of two cores that overlap: the face of A - B that is nearest to the origin inside. A polytope of corners
// of A - B grows where it is nearest to the origin until that face is one of A - B itself.   [vdB03 ch 4]
#include "collision/gjk.h"
#include "sinew/contact_point.h"

enum { CORNERS = 160, FACES = 2 * CORNERS, HORIZON = CORNERS };
// Over the scale: a face is one of A - B when nothing lies farther out.
static const double EXACT = 1e-13;
// Normals of triangles of one plane differ by less.
static const double SAME_PLANE = 1e-6;
// Over the scale: a corner sees a face when it lies farther out than this.
static const double SEEN = 1e-15;
// How much directions about a guess are tilted.
static const double TILT = 0.01;
// Areas and volumes of no extent, over products of lengths.
static const double FLAT = 1e-12;

typedef struct face {
    int32_t corner[3]; ///< counter-clockwise from outside
    int32_t beside[3]; ///< the face across the edge from corner k to corner k + 1
    sn_vec3 d;         ///< unit, outward
    double distance;   ///< of the plane from the origin
    bool alive, closed;
} face;

/// An edge between what a new corner sees and what it does not.
typedef struct rim {
    int32_t face, edge; ///< of the side that stays
    int32_t from, to;   ///< corners, counter-clockwise as the side that goes has them
} rim;

typedef struct polytope {
    int32_t corner_count, face_count, rim_count, free_count;
    bool broken;
    double scale;
    sni_difference corner[CORNERS];
    face face[FACES];
    rim rim[HORIZON];
    int32_t free[FACES]; ///< faces that were taken away
} polytope;

// ---- a first tetrahedron --------------------------------------------------------------------------------

static sn_vec3 w_of(const polytope* p, int32_t k) { return p->corner[k].w; }

static void add_corner(polytope* p, sni_difference at) {
    p->scale = fmax(p->scale, sn_vec3_norm(at.a) + sn_vec3_norm(at.b));
    p->corner[p->corner_count++] = at;
}

/// How much of a new dimension w adds to the corners: a length, area or volume.
static double extent(const polytope* p, sn_vec3 w) {
    sn_vec3 from = sn_vec3_sub(w, w_of(p, 0));
    if (p->corner_count == 1) return sn_vec3_norm(from);
    sn_vec3 first = sn_vec3_sub(w_of(p, 1), w_of(p, 0));
    if (p->corner_count == 2) return sn_vec3_norm(sn_vec3_cross(first, from));
    sn_vec3 second = sn_vec3_sub(w_of(p, 2), w_of(p, 0));
    return fabs(sn_vec3_dot(sn_vec3_cross(first, second), from));
}

static double flat_extent(const polytope* p) {
    double flat = FLAT * p->scale;
    for (int32_t k = 1; k < p->corner_count; k++)
        flat *= sn_vec3_norm(sn_vec3_sub(w_of(p, k), w_of(p, 0)));
    return flat;
}

static sn_vec3 axis_of(int32_t k) { return sn_vec3_make(k == 0, k == 1, k == 2); }

/// Unit vector that is perpendicular to the corners there are.
static sn_vec3 perpendicular(const polytope* p, int32_t k) {
    if (p->corner_count == 1) return axis_of(k);
    sn_vec3 first = sn_vec3_sub(w_of(p, 1), w_of(p, 0)), d;
    if (p->corner_count == 2)
        d = sn_vec3_cross(first, axis_of(k));
    else
        d = sn_vec3_cross(first, sn_vec3_sub(w_of(p, 2), w_of(p, 0)));
    double norm = sn_vec3_norm(d);
    return norm > 0 ? sn_vec3_scale(1 / norm, d) : axis_of(k);
}

/// The corner among six directions that adds most; false when A - B has no more dimensions.
static bool grow(polytope* p, sni_core* a, sni_core* b) {
    sni_difference best = p->corner[0];
    double most = -1;
    for (int32_t k = 0; k < 6; k++) {
        sn_vec3 d = perpendicular(p, k / 2);
        sni_difference at = sni_difference_farthest(a, b, k % 2 ? sn_vec3_neg(d) : d);
        double adds = extent(p, at.w);
        if (adds > most) {
            most = adds;
            best = at;
        }
    }
    p->scale = fmax(p->scale, sn_vec3_norm(best.a) + sn_vec3_norm(best.b));
    if (!(most > flat_extent(p))) return false;
    add_corner(p, best);
    return true;
}

static void add_if_new(polytope* p, sni_difference at) {
    p->scale = fmax(p->scale, sn_vec3_norm(at.a) + sn_vec3_norm(at.b));
    if (p->corner_count == 0 || extent(p, at.w) > flat_extent(p)) add_corner(p, at);
}

/// A guess of n that is right has the nearest face of A - B below it. Three corners of that face, far apart, and one
/// from the other side: then nothing is nearer, and the search is over at once.
static void corners_of_guess(polytope* p, sni_core* a, sni_core* b, sn_vec3 n) {
    sn_vec3 t1, t2;
    sn_contact_frame(n, &t1, &t2);
    static const double around[3][2] = {{1, 0}, {-0.5, 0.866}, {-0.5, -0.866}};
    for (int32_t k = 0; k < 3; k++) {
        sn_vec3 side =
            sn_vec3_add(sn_vec3_scale(around[k][0], t1), sn_vec3_scale(around[k][1], t2));
        add_if_new(p, sni_difference_farthest(a, b, sn_vec3_sub(sn_vec3_scale(TILT, side), n)));
    }
    add_if_new(p, sni_difference_farthest(a, b, n));
}

/// The origin need not be inside: faces that have it outside are nearest, and grow first.
static bool first_corners(polytope* p, sni_core* a, sni_core* b, sn_vec3 guess) {
    corners_of_guess(p, a, b, guess);
    while (p->corner_count < 4)
        if (!grow(p, a, b)) return false;
    return true;
}

// ---- faces ----------------------------------------------------------------------------------------------

static bool set_plane(polytope* p, face* f) {
    sn_vec3 u = w_of(p, f->corner[0]), v = w_of(p, f->corner[1]), w = w_of(p, f->corner[2]);
    sn_vec3 d = sn_vec3_cross(sn_vec3_sub(v, u), sn_vec3_sub(w, u));
    double norm = sn_vec3_norm(d);
    if (!(norm > 0)) return false;
    f->d = sn_vec3_scale(1 / norm, d);
    f->distance = sn_vec3_dot(f->d, u);
    return true;
}

static int32_t new_face(polytope* p, int32_t i, int32_t j, int32_t k) {
    if (p->free_count == 0 && p->face_count == FACES) {
        p->broken = true;
        return 0;
    }
    int32_t at = p->free_count > 0 ? p->free[--p->free_count] : p->face_count++;
    face* f = &p->face[at];
    *f = (face){.corner = {i, j, k}, .alive = true};
    if (!set_plane(p, f)) p->broken = true;
    return at;
}

static void tetrahedron(polytope* p) {
    sn_vec3 o = w_of(p, 0);
    double volume =
        sn_vec3_dot(sn_vec3_cross(sn_vec3_sub(w_of(p, 1), o), sn_vec3_sub(w_of(p, 2), o)),
                    sn_vec3_sub(w_of(p, 3), o));
    if (volume > 0) { // 0, 1, 2 must be seen counter-clockwise from outside
        sni_difference swapped = p->corner[1];
        p->corner[1] = p->corner[2];
        p->corner[2] = swapped;
    }
    static const int32_t corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int32_t beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int32_t f = 0; f < 4; f++) {
        new_face(p, corner[f][0], corner[f][1], corner[f][2]);
        for (int32_t k = 0; k < 3; k++) p->face[f].beside[k] = beside[f][k];
    }
}

static int32_t nearest_face(const polytope* p) {
    int32_t best = -1;
    for (int32_t f = 0; f < p->face_count; f++)
        if (p->face[f].alive && !p->face[f].closed &&
            (best < 0 || p->face[f].distance < p->face[best].distance))
            best = f;
    return best;
}

static int32_t edge_from(const face* f, int32_t corner) {
    return f->corner[0] == corner ? 0 : f->corner[1] == corner ? 1 : 2;
}

/// A new corner on the line of an edge would make a face without area there; then it takes the face beyond, too.
static bool on_line(const polytope* p, int32_t from, int32_t to, sn_vec3 w) {
    sn_vec3 edge = sn_vec3_sub(w_of(p, to), w_of(p, from)), out = sn_vec3_sub(w, w_of(p, from));
    double area = sn_vec3_norm(sn_vec3_cross(edge, out));
    return !(area > FLAT * sn_vec3_norm(edge) * p->scale);
}

/// Takes away the face and all that w sees beyond its edges; the rim comes out in counter-clockwise order.
static void remove_seen(polytope* p, int32_t at, int32_t came_by, sn_vec3 w) {
    face* f = &p->face[at];
    f->alive = false;
    p->free[p->free_count++] = at;
    for (int32_t k = came_by < 0 ? 0 : 1; k < 3; k++) {
        int32_t edge = came_by < 0 ? k : (came_by + k) % 3;
        int32_t beyond = f->beside[edge], from = f->corner[edge], to = f->corner[(edge + 1) % 3];
        const face* g = &p->face[beyond];
        if (!g->alive) continue;
        int32_t back = edge_from(g, to);
        if (sn_vec3_dot(g->d, w) - g->distance > SEEN * p->scale || on_line(p, from, to, w))
            remove_seen(p, beyond, back, w);
        else if (p->rim_count < HORIZON)
            p->rim[p->rim_count++] = (rim){beyond, back, from, to};
        else
            p->broken = true;
    }
}

/// Faces from the rim to the newest corner.
static void close_rim(polytope* p) {
    int32_t top = p->corner_count - 1, first = -1, last = -1;
    for (int32_t k = 0; k < p->rim_count && !p->broken; k++) {
        const rim* r = &p->rim[k];
        if (!p->face[r->face].alive || r->to != p->rim[(k + 1) % p->rim_count].from) {
            p->broken = true; // rounding made a hole; what was found so far must do
            return;
        }
        int32_t made = new_face(p, r->from, r->to, top);
        if (p->broken) return;
        p->face[made].beside[0] = r->face;
        p->face[r->face].beside[r->edge] = made;
        if (last >= 0) {
            p->face[made].beside[2] = last;
            p->face[last].beside[1] = made;
        } else {
            first = made;
        }
        last = made;
    }
    if (first < 0) {
        p->broken = true;
        return;
    }
    p->face[first].beside[2] = last;
    p->face[last].beside[1] = first;
}

static bool known_corner(const polytope* p, sn_vec3 w) {
    for (int32_t k = 0; k < p->corner_count; k++) {
        sn_vec3 at = w_of(p, k);
        if (at.x == w.x && at.y == w.y && at.z == w.z) return true;
    }
    return false;
}

// ---- the search -----------------------------------------------------------------------------------------

/// Points of the face that are nearest to the origin's projection. Returns how far from it they are.
static double set_points(const polytope* p, const face* f, sni_apart* apart) {
    sni_simplex simplex = {.count = 3};
    sn_vec3 origin = sn_vec3_scale(f->distance, f->d); // nearest point of the plane
    apart->count = 3;
    for (int32_t k = 0; k < 3; k++) {
        apart->corner[k] = simplex.at[k] = p->corner[f->corner[k]];
        simplex.at[k].w = sn_vec3_sub(simplex.at[k].w, origin);
    }
    double off = sn_vec3_norm(sni_simplex_nearest(&simplex));
    apart->a = apart->b = sn_vec3_zero();
    for (int32_t k = 0; k < simplex.count; k++) {
        apart->a = sn_vec3_add(apart->a, sn_vec3_scale(simplex.weight[k], simplex.at[k].a));
        apart->b = sn_vec3_add(apart->b, sn_vec3_scale(simplex.weight[k], simplex.at[k].b));
    }
    return off;
}

/// A face of A - B may be several triangles: the points are in the one that the origin is above.
static void choose_triangle(const polytope* p, double tolerance, double off, sni_apart* apart) {
    for (int32_t f = 0; f < p->face_count && off > 0; f++) {
        const face* g = &p->face[f];
        bool same = g->alive && fabs(g->distance + apart->s) <= tolerance &&
                    sn_vec3_norm(sn_vec3_add(g->d, apart->n)) <= SAME_PLANE;
        if (!same) continue;
        sni_apart other = *apart;
        double its_off = set_points(p, g, &other);
        if (!(its_off < off)) continue;
        off = its_off;
        *apart = other;
    }
}

/// A - B lies in a plane: both are flat, in parallel planes, or segments. Across it the overlap is none.
static void flat_difference(const polytope* p, sni_core* a, sni_core* b, sni_apart* apart) {
    sn_vec3 n = sn_vec3_make(0, 0, 1);
    double longest = 0;
    for (int32_t k = 0; k < 3; k++) {
        sn_vec3 d = perpendicular(p, k);
        if (p->corner_count == 2) { // any normal of the line; the one whose axis is least along it
            double norm =
                sn_vec3_norm(sn_vec3_cross(sn_vec3_sub(w_of(p, 1), w_of(p, 0)), axis_of(k)));
            if (!(norm > longest)) continue;
            longest = norm;
        }
        n = d;
    }
    sn_vec3 centres = sn_vec3_sub(a->p, b->p);
    if (sn_vec3_dot(centres, n) < 0) n = sn_vec3_neg(n);
    apart->n = n;
    apart->s = sni_cores_apart(a, b, n);
    apart->a = p->corner[0].a;
    apart->b = p->corner[0].b;
    apart->count = 0;
    apart->most = INFINITY;
}

void sni_epa(sni_core* a, sni_core* b, sn_vec3 guess, sni_apart* apart) {
    polytope p;
    p.corner_count = p.face_count = p.rim_count = p.free_count = 0;
    p.broken = false;
    p.scale = 0;
    bool solid = first_corners(&p, a, b, guess);
    apart->scale = p.scale;
    if (!solid) {
        flat_difference(&p, a, b, apart);
        return;
    }
    tetrahedron(&p);
    apart->s = -INFINITY;
    apart->most = INFINITY;
    double tolerance = fmax(sni_search_tolerance(a, b), EXACT), off = 0;
    while (!p.broken) {
        int32_t at = nearest_face(&p);
        if (at < 0) break;
        face* f = &p.face[at];
        apart->most = -f->distance;
        if (f->distance >= -apart->s) break; // nothing can be nearer
        sni_difference out = sni_difference_farthest(a, b, f->d);
        double farthest = sn_vec3_dot(f->d, out.w);
        if (-farthest > apart->s) {
            apart->s = -farthest;
            apart->n = sn_vec3_neg(f->d);
            off = set_points(&p, f, apart);
        }
        if (farthest - f->distance <= tolerance * p.scale) break;
        if (known_corner(&p, out.w)) {
            f->closed = true; // it cannot grow: thinner than rounding
            continue;
        }
        if (p.corner_count == CORNERS) break;
        add_corner(&p, out);
        p.rim_count = 0;
        remove_seen(&p, at, -1, out.w);
        close_rim(&p);
    }
    choose_triangle(&p, tolerance * p.scale, off, apart);
    apart->scale = p.scale;
}
