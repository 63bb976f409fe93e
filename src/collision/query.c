// SPDX-License-Identifier: Apache-2.0
// Rays, near points, penetration and local geometry: questions to all shapes where they are now.
#include "base/hash.h"
#include "collision/collider.h"
#include "collision/mesh.h"
#include "model/sn_model.h"

// ---- candidates -----------------------------------------------------------------------------------------

/// Goes through the shapes near a box with a bit of `groups`, and puts them where they are. Boxes hold what they held at the
/// last collide, so of bodies that moved since every shape may answer.
typedef struct search {
    const sn_collider* collider;
    uint32_t groups;
    int32_t at, count; ///< of those found by their boxes
    int32_t moved, shape;
} search;

static search search_begin(const sn_collider* collider, const sni_box* box, uint32_t groups) {
    search s = {.collider = collider, .groups = groups};
    s.count = sni_broad_overlapping(collider->broad, box, collider->found, collider->shape_count);
    if (collider->moved_count > 0) s.shape = collider->carrier[collider->moved[0]].first;
    return s;
}

static const sni_placed* search_next(search* s) {
    const sn_collider* collider = s->collider;
    while (s->at < s->count) {
        const sni_placed* placed = &collider->shape[collider->found[s->at++]];
        sni_carrier* carrier = &collider->carrier[placed->body + 1];
        if (carrier->moved || carrier->lost || !(placed->group & s->groups)) continue;
        sni_collider_freshen(collider, carrier);
        return placed;
    }
    while (s->moved < collider->moved_count) {
        sni_carrier* carrier = &collider->carrier[collider->moved[s->moved]];
        if (carrier->lost || s->shape >= carrier->end) {
            if (++s->moved < collider->moved_count)
                s->shape = collider->carrier[collider->moved[s->moved]].first;
            continue;
        }
        const sni_placed* placed = &collider->shape[s->shape++];
        if (!(placed->group & s->groups)) continue;
        sni_collider_freshen(collider, carrier);
        return placed;
    }
    return NULL;
}

static sni_box box_around(sn_vec3 p, double reach) {
    return (sni_box){sn_vec3_make(p.x - reach, p.y - reach, p.z - reach),
                     sn_vec3_make(p.x + reach, p.y + reach, p.z + reach)};
}

static sn_vec3 to_shape(const sn_pose* X_ws, sn_vec3 x) {
    return sn_mat3_apply_transposed(X_ws->R, sn_vec3_sub(x, X_ws->p));
}

static bool is_finite(sn_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

// ---- rays -----------------------------------------------------------------------------------------------

/// Where a ray is after a distance, which may be infinite.
static double after(double from, double direction, double distance) {
    return direction != 0 ? from + direction * distance : from;
}

static sni_box box_of_ray(sn_vec3 from, sn_vec3 d, double begin, double end) {
    sn_vec3 p = sn_vec3_add(from, sn_vec3_scale(begin, d));
    sn_vec3 q =
        sn_vec3_make(after(from.x, d.x, end), after(from.y, d.y, end), after(from.z, d.z, end));
    return (sni_box){sn_vec3_make(fmin(p.x, q.x), fmin(p.y, q.y), fmin(p.z, q.z)),
                     sn_vec3_make(fmax(p.x, q.x), fmax(p.y, q.y), fmax(p.z, q.z))};
}

static void hit_shape(const sni_placed* placed, sn_vec3 from, sn_vec3 direction, sn_ray_hit* hit) {
    sn_vec3 from_s = to_shape(&placed->X_ws, from), n = sn_vec3_zero();
    sn_vec3 direction_s = sn_mat3_apply_transposed(placed->X_ws.R, direction);
    // a sphere about the origin of the shape is missed faster than the shape
    double nearest = -sn_vec3_dot(from_s, direction_s), r = placed->solid.radius;
    sn_vec3 aside = sn_vec3_add(from_s, sn_vec3_scale(nearest, direction_s));
    if (sn_vec3_dot(aside, aside) > r * r * (1 + 1e-9) + 1e-9 * sn_vec3_dot(from_s, from_s)) return;
    double distance = INFINITY;
    int32_t triangle = -1;
    if (placed->solid.type == SN_SHAPE_MESH) {
        sni_mesh_point at = sni_mesh_ray(placed->solid.mesh, from_s, direction_s, hit->distance);
        distance = at.distance;
        n = at.n;
        if (at.triangle >= 0) triangle = placed->solid.mesh->triangle[at.triangle].original;
    } else {
        distance = sni_solid_ray(&placed->solid, from_s, direction_s, hit->distance, &n);
    }
    if (distance == INFINITY || !(distance < hit->distance || hit->shape < 0)) return;
    *hit = (sn_ray_hit){.shape = placed->shape,
                        .body = sn_body(placed->body),
                        .distance = distance,
                        .x = sn_vec3_add(from, sn_vec3_scale(distance, direction)),
                        .n = sn_mat3_apply(placed->X_ws.R, n),
                        .triangle = triangle};
}

bool sn_collider_ray(const sn_collider* collider, sn_vec3 from, sn_vec3 direction, double length,
                     uint32_t groups, sn_ray_hit* hit) {
    // long rays are asked in pieces, so that a hit nearby is found without looking at everything
    enum { PIECES = 16, MANY = 64 };
    if (!is_finite(from) || !is_finite(direction) || !(length >= 0)) return false;
    int pieces = collider->shape_count > MANY && isfinite(length) ? PIECES : 1;
    sn_ray_hit best = {.shape = -1, .distance = length};
    for (int k = 0; k < pieces; k++) {
        double begin = k ? k * length / pieces : 0, end = (k + 1) * length / pieces;
        if (best.shape >= 0 && best.distance < begin) break;
        sni_box box = box_of_ray(from, direction, begin, end);
        search s = search_begin(collider, &box, groups);
        for (const sni_placed* at = search_next(&s); at; at = search_next(&s))
            hit_shape(at, from, direction, &best);
    }
    if (best.shape < 0) return false;
    *hit = best;
    return true;
}

// ---- near points ----------------------------------------------------------------------------------------

static bool is_within(const sni_box* box, sn_vec3 p) {
    return p.x >= box->low.x && p.x <= box->high.x && p.y >= box->low.y && p.y <= box->high.y &&
           p.z >= box->low.z && p.z <= box->high.z;
}

/// Nearest point of a shape's surface to p; false: it is farther than reach.
static bool near_shape(const sni_placed* placed, sn_vec3 p, double reach, sn_near_point* out) {
    const sni_solid* solid = &placed->solid;
    sn_vec3 p_s = to_shape(&placed->X_ws, p), x, n;
    if (sn_vec3_norm(p_s) > solid->radius + reach) return false;
    double distance;
    int32_t triangle = -1;
    if (solid->type == SN_SHAPE_MESH) {
        sni_mesh_point at =
            sni_mesh_nearest(solid->mesh, p_s, is_within(&solid->bounds, p_s) ? INFINITY : reach);
        if (at.triangle < 0) return false;
        distance = at.distance;
        x = at.x;
        n = at.n;
        triangle = solid->mesh->triangle[at.triangle].original;
    } else {
        distance = sni_solid_nearest(solid, p_s, &x, &n);
    }
    if (!(distance <= reach)) return false;
    *out = (sn_near_point){.shape = placed->shape,
                           .body = sn_body(placed->body),
                           .distance = distance,
                           .x = sn_pose_apply(placed->X_ws, x),
                           .n = sn_mat3_apply(placed->X_ws.R, n),
                           .triangle = triangle};
    return true;
}

int32_t sn_collider_near(const sn_collider* collider, sn_vec3 p, double reach, uint32_t groups,
                         sn_near_point* out, int32_t most) {
    if (!is_finite(p) || !(reach >= 0) || most <= 0) return 0;
    int32_t count = 0;
    sni_box box = box_around(p, reach);
    search s = search_begin(collider, &box, groups);
    sn_near_point at;
    for (const sni_placed* placed = search_next(&s); placed; placed = search_next(&s)) {
        if (!near_shape(placed, p, reach, &at)) continue;
        if (count == most && !(at.distance < out[count - 1].distance)) continue;
        int32_t place = count < most ? count++ : most - 1;
        for (; place > 0 && out[place - 1].distance > at.distance; place--)
            out[place] = out[place - 1];
        out[place] = at;
    }
    return count;
}

// ---- penetration ----------------------------------------------------------------------------------------

static const sni_placed* find_shape(const sn_collider* collider, int shape) {
    for (int32_t k = 0; k < collider->shape_count; k++)
        if (collider->shape[k].shape == shape) return &collider->shape[k];
    return NULL;
}

/// Keeps the deepest when there are too many.
static int32_t keep(sn_contact* out, int32_t count, int32_t most, const sn_contact* contact) {
    if (count < most) {
        out[count] = *contact;
        return count + 1;
    }
    int32_t farthest = 0;
    for (int32_t k = 1; k < count; k++)
        if (out[k].gap > out[farthest].gap) farthest = k;
    if (contact->gap < out[farthest].gap) out[farthest] = *contact;
    return count;
}

int32_t sn_collider_penetration(sn_collider* collider, int shape, sn_pose X_ws, double margin,
                                uint32_t groups, sn_contact* out, int32_t most) {
    const sni_placed* tool = find_shape(collider, shape);
    if (!tool || !is_finite(X_ws.p) || !(margin >= 0) || most <= 0) return 0;
    int32_t count = 0;
    sni_box box = box_around(X_ws.p, tool->solid.radius + margin);
    search s = search_begin(collider, &box, groups);
    for (const sni_placed* other = search_next(&s); other; other = search_next(&s)) {
        if (other == tool || (tool->body >= 0 && other->body == tool->body)) continue;
        sni_touches touches = {collider->touch, 0, SNI_TOUCHES_MOST, 0};
        sni_pair_memory memory = {0};
        sni_touch_pair(&tool->solid, &X_ws, &other->solid, &other->X_ws, margin, &memory, &touches);
        sn_material material = sn_material_combine(tool->material, other->material);
        for (int32_t k = 0; k < touches.count; k++) {
            const sni_touch* at = &touches.at[k];
            const uint32_t key[4] = {(uint32_t)shape, (uint32_t)other->shape, at->feature, 1};
            sn_contact contact =
                sn_contact_make(sni_hash(0, key, sizeof key), sn_body(tool->body),
                                sn_body(other->body), at->x, at->n, at->gap, material);
            count = keep(out, count, most, &contact);
        }
    }
    return count;
}

// ---- local geometry -------------------------------------------------------------------------------------

/// The record while it is written: pieces nearest first.
typedef struct recorder {
    sn_local_geometry* local;
    double distance[SN_LOCAL_PIECES];
} recorder;

static void record(recorder* r, const sn_piece* piece, double distance) {
    sn_local_geometry* local = r->local;
    if (local->count == SN_LOCAL_PIECES) {
        local->complete = false;
        if (!(distance < r->distance[local->count - 1])) return;
        local->count--;
    }
    int32_t at = local->count++;
    for (; at > 0 && r->distance[at - 1] > distance; at--) {
        r->distance[at] = r->distance[at - 1];
        local->piece[at] = local->piece[at - 1];
    }
    r->distance[at] = distance;
    local->piece[at] = *piece;
}

static sn_piece_type piece_type(sn_shape_type type) {
    switch (type) {
    case SN_SHAPE_PLANE: return SN_PIECE_PLANE;
    case SN_SHAPE_SPHERE: return SN_PIECE_SPHERE;
    case SN_SHAPE_CAPSULE: return SN_PIECE_CAPSULE;
    case SN_SHAPE_CYLINDER: return SN_PIECE_CYLINDER;
    case SN_SHAPE_BOX: return SN_PIECE_BOX;
    default: return SN_PIECE_TRIANGLE;
    }
}

static sn_twist velocity_at(const sn_collider* collider, const sni_placed* placed, sn_vec3 x) {
    const sni_carrier* carrier = &collider->carrier[placed->body + 1];
    sn_vec3 arm = sn_vec3_sub(x, carrier->X_wb.p);
    return sn_twist_make(carrier->w, sn_vec3_add(carrier->v, sn_vec3_cross(carrier->w, arm)));
}

/// A triangle of a shape, when it is within the radius.
static void record_triangle(recorder* r, const sn_collider* collider, const sni_placed* placed,
                            const sn_vec3 corner_s[3], int32_t number) {
    int part;
    sn_vec3 centre = to_shape(&placed->X_ws, r->local->centre);
    sn_vec3 x = sni_triangle_nearest(corner_s[0], corner_s[1], corner_s[2], centre, &part);
    double distance = sn_vec3_norm(sn_vec3_sub(centre, x));
    if (!(distance <= r->local->radius)) return;
    sn_piece piece = {.type = SN_PIECE_TRIANGLE,
                      .body = sn_body(placed->body),
                      .shape = placed->shape,
                      .triangle = number,
                      .X_wp = placed->X_ws,
                      .size = collider->model->shape[placed->shape].size,
                      .material = placed->material};
    for (int k = 0; k < 3; k++) piece.corner[k] = sn_pose_apply(placed->X_ws, corner_s[k]);
    piece.velocity = velocity_at(collider, placed, piece.corner[0]);
    record(r, &piece, distance);
}

static void record_mesh(recorder* r, const sn_collider* collider, const sni_placed* placed) {
    const sni_mesh* mesh = placed->solid.mesh;
    sni_box box = box_around(to_shape(&placed->X_ws, r->local->centre), r->local->radius);
    sni_mesh_walk walk = sni_mesh_walk_begin(mesh, &box);
    for (int32_t i = sni_mesh_walk_next(&walk); i >= 0; i = sni_mesh_walk_next(&walk)) {
        const sn_vec3 corner[3] = {sni_mesh_corner(mesh, i, 0), sni_mesh_corner(mesh, i, 1),
                                   sni_mesh_corner(mesh, i, 2)};
        record_triangle(r, collider, placed, corner, mesh->triangle[i].original);
    }
}

/// Faces of a hull as fans of triangles, numbered in that order.
static void record_hull(recorder* r, const sn_collider* collider, const sni_placed* placed) {
    const sni_hull* hull = placed->solid.hull;
    int32_t number = 0;
    for (int32_t f = 0; f < hull->face_count; f++)
        for (int32_t k = hull->face[f] + 1; k + 1 < hull->face[f + 1]; k++) {
            const sn_vec3 corner[3] = {hull->vertex[hull->corner[hull->face[f]]],
                                       hull->vertex[hull->corner[k]],
                                       hull->vertex[hull->corner[k + 1]]};
            record_triangle(r, collider, placed, corner, number++);
        }
}

static void record_whole(recorder* r, const sn_collider* collider, const sni_placed* placed) {
    sn_near_point at;
    if (!near_shape(placed, r->local->centre, r->local->radius, &at)) return;
    sn_piece piece = {.type = piece_type(placed->solid.type),
                      .body = sn_body(placed->body),
                      .shape = placed->shape,
                      .triangle = -1,
                      .X_wp = placed->X_ws,
                      .size = collider->model->shape[placed->shape].size,
                      .velocity = velocity_at(collider, placed, placed->X_ws.p),
                      .material = placed->material};
    record(r, &piece, at.distance);
}

void sn_collider_local(const sn_collider* collider, sn_vec3 centre, double radius, uint32_t groups,
                       sn_local_geometry* local) {
    local->centre = centre;
    local->radius = radius;
    local->count = 0;
    local->complete = is_finite(centre) && radius >= 0;
    if (!local->complete) return;
    recorder r = {.local = local};
    sni_box box = box_around(centre, radius);
    search s = search_begin(collider, &box, groups);
    for (const sni_placed* placed = search_next(&s); placed; placed = search_next(&s)) {
        if (placed->solid.type == SN_SHAPE_MESH)
            record_mesh(&r, collider, placed);
        else if (placed->solid.type == SN_SHAPE_HULL)
            record_hull(&r, collider, placed);
        else
            record_whole(&r, collider, placed);
    }
}
