// SPDX-License-Identifier: Apache-2.0
#include "collision/manifold.h"

#include "collision/clip.h"
#include "sinew/contact_point.h"

// Over the scale: a point this little above the deepest is as deep.
static const double AS_DEEP = 1e-10;
// Over the size of what is clipped: how much slack may change a gap.
static const double SLACK_DEPTH = 1e-12;
// Over the radius, for caps, whose corners stand for the rim between them: a cap that lies flat up to the
// noise of a solver does not have a deepest point that runs around.
static const double AS_DEEP_RIM = 1e-5;
// Two edges lie along each other when they are this near at their ends, over the sum of their radii.
static const double ALONG = 0.2;

uint32_t sni_feature(uint32_t a0, uint32_t a1, uint32_t b0, uint32_t b1) {
    uint32_t a_low = a0 < a1 ? a0 : a1, a_high = a0 < a1 ? a1 : a0;
    uint32_t b_low = b0 < b1 ? b0 : b1, b_high = b0 < b1 ? b1 : b0;
    uint32_t low = a_low | a_high << 8 | b_low << 16 | b_high << 24;
    // indices above 255 spill into each other: stir what spilled
    uint32_t spilled = (a_low >> 8) ^ (a_high >> 8) * 0x9e3779b1u ^ (b_low >> 8) * 0x85ebca6bu ^
                       (b_high >> 8) * 0xc2b2ae35u;
    return low ^ spilled * 0x27d4eb2fu;
}

static bool is_face(const sni_facing* f) { return f->count > 2; }

/// Names of an edge or corner, or of a face as a whole.
static void name_whole(const sni_facing* f, uint32_t name[2]) {
    name[0] = is_face(f) ? SN_FEATURE_FACE : f->id[0];
    name[1] = is_face(f) ? SN_FEATURE_FACE : f->id[f->count - 1];
}

/// Two facings, seen along n.
typedef struct scene {
    const sni_facing *a, *b;
    sn_vec3 t1, t2, n;
    sn_vec3 origin; ///< world point that coordinates start from
    double slack;   ///< as near as this, points are the same
    int32_t count;
    sni_touch at[SN_CLIP_POINTS + 1];
} scene;

static sn_vec3 world(const scene* s, double u, double v, double z) {
    sn_vec3 across = sn_vec3_add(sn_vec3_scale(u, s->t1), sn_vec3_scale(v, s->t2));
    return sn_vec3_add(s->origin, sn_vec3_add(across, sn_vec3_scale(z, s->n)));
}

/// A point at (u, v), where the surfaces are at heights z_a and z_b.
static void add_at(scene* s, double u, double v, double z_a, double z_b, uint32_t feature) {
    s->at[s->count++] = (sni_touch){world(s, u, v, 0.5 * (z_a + z_b)), s->n, z_a - z_b, feature};
}

static void flatten(const scene* s, const sni_facing* f, sni_flat* flat) {
    flat->count = f->count;
    for (int32_t k = 0; k < f->count; k++) {
        sn_vec3 x = f->at[k];
        flat->at[k] =
            (sni_flat_point){sn_vec3_dot(s->t1, x), sn_vec3_dot(s->t2, x), sn_vec3_dot(s->n, x), k};
    }
    double u = flat->at[f->count / 2].u - flat->at[0].u,
           v = flat->at[f->count / 2].v - flat->at[0].v;
    flat->size = fabs(u) + fabs(v);
}

/// Height of a round edge's surface over (u, v), on the side where the other solid is.
///   |m|^2 - (m.e)^2 = r^2  with m = (u, v, z) from a point of the axis, e along it
/// A capsule ends in balls.
static bool height_of(const scene* s, const sni_facing* f, double u, double v, double* z) {
    double side = f == s->a ? -1 : 1, r = f->round;
    sn_vec3 from = f->axis[0], along = sn_vec3_sub(f->axis[1], from);
    double length = sn_vec3_norm(along);
    sn_vec3 e = sn_vec3_scale(1 / length, along);
    double mu = u - sn_vec3_dot(s->t1, from), mv = v - sn_vec3_dot(s->t2, from);
    double ez = sn_vec3_dot(s->n, e);
    double q = mu * sn_vec3_dot(s->t1, e) + mv * sn_vec3_dot(s->t2, e);
    double c = 1 - ez * ez, square = q * q * ez * ez - c * (mu * mu + mv * mv - q * q - r * r);
    if (!(c > 0 && square >= 0)) return false;
    double high = (q * ez + side * sqrt(square)) / c, t = q + high * ez;
    *z = high + sn_vec3_dot(s->n, from);
    if (t >= 0 && t <= length) return true;
    if (!(f->lift > 0)) return false;
    sn_vec3 end = f->axis[t < 0 ? 0 : 1];
    double bu = u - sn_vec3_dot(s->t1, end), bv = v - sn_vec3_dot(s->t2, end);
    square = r * r - bu * bu - bv * bv;
    if (!(square >= 0)) return false;
    *z = sn_vec3_dot(s->n, end) + side * sqrt(square);
    return true;
}

// ---- face and face, face and edge -----------------------------------------------------------------------

/// Name of a clipped point: a corner of the subject, a corner of the clip or where two edges cross.
static uint32_t name_point(const scene* s, const sni_facing* subject, const sni_facing* clip,
                           int32_t before, int32_t after) {
    uint32_t sub[2] = {SN_FEATURE_FACE, SN_FEATURE_FACE};
    uint32_t cut[2] = {SN_FEATURE_FACE, SN_FEATURE_FACE};
    if (before >= 0 && after >= 0) {
        sub[0] = sub[1] = subject->id[after];
    } else if (before < 0 && after < 0) {
        int32_t k = ~before, l = ~after;
        cut[0] = cut[1] = clip->id[sni_next_around(k, clip->count) == l ? l : k];
    } else {
        int32_t own = before >= 0 ? before : after, k = before >= 0 ? ~after : ~before;
        sub[0] = subject->id[own];
        sub[1] = subject->id[sni_next_around(own, subject->count)];
        cut[0] = clip->id[k];
        cut[1] = clip->id[sni_next_around(k, clip->count)];
    }
    bool a_first = subject == s->a;
    return a_first ? sni_feature(sub[0], sub[1], cut[0], cut[1])
                   : sni_feature(cut[0], cut[1], sub[0], sub[1]);
}

/// Signed distance of a point from edge k of the clip, times the edge's length.
static double from_edge(const sni_flat* by, int32_t k, const sni_flat_point* p) {
    const sni_flat_point *c = &by->at[k], *d = &by->at[sni_next_around(k, by->count)];
    return (d->u - c->u) * (p->v - c->v) - (d->v - c->v) * (p->u - c->u);
}

/// Takes back the slack that the clip was grown by: where edges cross, and corners of the clip.
static void settle(const sni_flat* flat, const sni_flat* by, int32_t before, int32_t after,
                   sni_flat_point* p) {
    if (before >= 0 && after >= 0) return;
    if (before < 0 && after < 0) {
        int32_t corner = sni_next_around(~before, by->count) == ~after ? ~after : ~before;
        p->u = by->at[corner].u;
        p->v = by->at[corner].v;
        return;
    }
    int32_t own = before >= 0 ? before : after, k = before >= 0 ? ~after : ~before;
    const sni_flat_point *c = &flat->at[own], *d = &flat->at[sni_next_around(own, flat->count)];
    double d_c = from_edge(by, k, c), d_d = from_edge(by, k, d);
    double t = d_c != d_d ? d_c / (d_c - d_d) : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    *p = (sni_flat_point){c->u + t * (d->u - c->u), c->v + t * (d->v - c->v),
                          c->z + t * (d->z - c->z), p->edge};
}

static int32_t clipped(const sni_flat* flat, const sni_flat* by, double sign,
                       sni_flat_point* point) {
    if (flat->count > 2) return sni_clip_face(flat, by, sign, point);
    if (flat->count == 2) return sni_clip_edge(flat, by, sign, point);
    point[0] = flat->at[0];
    return sni_clip_has(by, sign, &flat->at[0]);
}

/// Sine between a face, edge or corner and the plane across n.
static double slope_of(const scene* s, const sni_facing* f) {
    if (f->count == 1) return 0;
    if (is_face(f)) {
        double u = sn_vec3_dot(f->normal, s->t1), v = sn_vec3_dot(f->normal, s->t2);
        return sqrt(u * u + v * v);
    }
    sn_vec3 edge = sn_vec3_sub(f->at[1], f->at[0]);
    return fabs(sn_vec3_dot(edge, s->n)) / sn_vec3_norm(edge);
}

/// On slopes a clip that is grown by the slack would change gaps: there it is less.
static double slack_for(const scene* s, const sni_facing* a, const sni_facing* b) {
    double slope = slope_of(s, a) + slope_of(s, b);
    return SN_CLIP_SLACK * slope <= SLACK_DEPTH ? SN_CLIP_SLACK : SLACK_DEPTH / slope;
}

static void clip(scene* s, const sni_facing* subject, const sni_facing* clip_by) {
    sni_flat flat, by;
    sni_flat_point point[SN_CLIP_POINTS];
    flatten(s, subject, &flat);
    flatten(s, clip_by, &by);
    by.slack =
        slack_for(s, subject, clip_by) * (subject->count > 1 ? fmin(by.size, flat.size) : by.size);
    double sign = clip_by == s->b ? 1 : -1; // what faces -n runs clockwise
    int32_t count = clipped(&flat, &by, sign, point);
    // height of the clip's plane over (u, v)
    double down = 1 / sn_vec3_dot(clip_by->normal, s->n);
    double slope_u = sn_vec3_dot(clip_by->normal, s->t1) * down;
    double slope_v = sn_vec3_dot(clip_by->normal, s->t2) * down;
    for (int32_t k = 0; k < count; k++) {
        sni_flat_point p = point[k];
        int32_t before = point[k > 0 ? k - 1 : count - 1].edge, after = p.edge;
        if (!is_face(subject)) { // a corner, or cut off
            before = after < 0 ? 0 : k;
            after = after < 0 ? after : k;
        }
        settle(&flat, &by, before, after, &p);
        double z = by.at[0].z - slope_u * (p.u - by.at[0].u) - slope_v * (p.v - by.at[0].v);
        uint32_t name = name_point(s, subject, clip_by, before, after);
        bool a_first = subject == s->a, cut_off = !is_face(subject) && p.edge < 0;
        double own = p.z + (a_first ? -subject->lift : subject->lift);
        if (cut_off && subject->round > 0 && !height_of(s, subject, p.u, p.v, &own)) continue;
        add_at(s, p.u, p.v, a_first ? own : z, a_first ? z : own, name);
    }
}

// ---- edge and edge --------------------------------------------------------------------------------------

/// Point of an edge over place t along a direction (u, v).
static sni_flat_point at_place(const sni_flat* edge, double u, double v, double t) {
    const sni_flat_point *p = &edge->at[0], *q = &edge->at[1];
    double t_p = u * p->u + v * p->v, t_q = u * q->u + v * q->v;
    double part = t_q != t_p ? (t - t_p) / (t_q - t_p) : 0;
    part = fmin(fmax(part, 0), 1);
    return (sni_flat_point){p->u + part * (q->u - p->u), p->v + part * (q->v - p->v),
                            p->z + part * (q->z - p->z), 0};
}

/// An end of where two edges run beside each other: a corner of one, and the surface of the other below or above it.
static bool add_end(scene* s, const sni_facing* own, sni_flat_point corner, uint32_t id,
                    const sni_facing* other, sni_flat_point beside) {
    bool a_first = own == s->a;
    double off = hypot(corner.u - beside.u, corner.v - beside.v);
    if (!(off <= fmax(ALONG * other->round, s->slack))) return false;
    double z = corner.z + (a_first ? -own->lift : own->lift), z_other = beside.z;
    if (other->round > 0 && !height_of(s, other, corner.u, corner.v, &z_other)) return false;
    uint32_t face = SN_FEATURE_FACE;
    if (a_first)
        add_at(s, corner.u, corner.v, z, z_other, sni_feature(id, id, face, face));
    else
        add_at(s, corner.u, corner.v, z_other, z, sni_feature(face, face, id, id));
    return true;
}

/// Both ends of where two edges run beside each other; none when they cross.
static void run_beside(scene* s) {
    sni_flat a, b;
    flatten(s, s->a, &a);
    flatten(s, s->b, &b);
    s->slack = SN_CLIP_SLACK * fmin(a.size, b.size);
    double u = a.at[1].u - a.at[0].u, v = a.at[1].v - a.at[0].v, length = hypot(u, v);
    if (!(length > 0)) return;
    u /= length;
    v /= length;
    double a_place[2], b_place[2];
    for (int32_t k = 0; k < 2; k++) {
        a_place[k] = u * a.at[k].u + v * a.at[k].v;
        b_place[k] = u * b.at[k].u + v * b.at[k].v;
    }
    int32_t b_low = b_place[0] < b_place[1] ? 0 : 1, before = s->count;
    const int32_t b_end[2] = {b_low, 1 - b_low};
    double low = fmax(a_place[0], b_place[b_low]), high = fmin(a_place[1], b_place[1 - b_low]);
    if (!(high - low > s->slack)) return;
    for (int32_t end = 0; end < 2; end++) {
        double place = end ? high : low;
        bool of_a = place == a_place[end], added;
        if (of_a)
            added = add_end(s, s->a, a.at[end], s->a->id[end], s->b, at_place(&b, u, v, place));
        else
            added = add_end(s, s->b, b.at[b_end[end]], s->b->id[b_end[end]], s->a,
                            at_place(&a, u, v, place));
        if (!added) {
            s->count = before;
            return;
        }
    }
}

// ---- together -------------------------------------------------------------------------------------------

/// Whether a point is as deep as the deepest, which is `gap`.
static bool has_deepest(const scene* s, double gap, double scale) {
    double as_deep = AS_DEEP * scale;
    for (int32_t side = 0; side < 2; side++) {
        const sni_facing* f = side ? s->b : s->a;
        if (f->disc)
            as_deep = fmax(as_deep, AS_DEEP_RIM * 0.5 *
                                        sn_vec3_norm(sn_vec3_sub(f->at[0], f->at[f->count / 2])));
    }
    for (int32_t k = 0; k < s->count; k++)
        if (s->at[k].gap <= gap + as_deep) return true;
    return false;
}

static void add_deepest(scene* s, const sni_apart* apart, double gap) {
    sn_vec3 middle = sn_vec3_scale(0.5, sn_vec3_add(apart->a, apart->b));
    middle = sn_vec3_add(middle, sn_vec3_scale(0.5 * (s->b->lift - s->a->lift), s->n));
    uint32_t a[2], b[2];
    name_whole(s->a, a);
    name_whole(s->b, b);
    s->at[s->count++] =
        (sni_touch){sn_vec3_add(s->origin, middle), s->n, gap, sni_feature(a[0], a[1], b[0], b[1])};
}

bool sni_manifold(const sni_facing* a, const sni_facing* b, const sni_apart* apart, bool complete,
                  double margin, sn_vec3 origin, sni_touches* out) {
    scene s;
    s.a = a;
    s.b = b;
    s.n = apart->n;
    s.origin = origin;
    s.slack = 0;
    s.count = 0;
    sn_contact_frame(s.n, &s.t1, &s.t2);
    if (is_face(b))
        clip(&s, a, b);
    else if (is_face(a))
        clip(&s, b, a);
    else if (a->count == 2 && b->count == 2)
        run_beside(&s);
    double gap = apart->s - a->lift - b->lift;
    if (!has_deepest(&s, gap, apart->scale)) {
        if (!complete) return false;
        add_deepest(&s, apart, gap);
    }
    int32_t near = 0;
    for (int32_t k = 0; k < s.count; k++)
        if (s.at[k].gap <= margin) s.at[near++] = s.at[k];
    sni_touches_spread(s.at, near, s.n, out);
    return true;
}

static int32_t farthest_along(const sni_touch* at, int32_t count, sn_vec3 d) {
    int32_t best = 0;
    for (int32_t k = 1; k < count; k++)
        if (sn_vec3_dot(d, at[k].x) > sn_vec3_dot(d, at[best].x)) best = k;
    return best;
}

void sni_touches_spread(const sni_touch* at, int32_t count, sn_vec3 n, sni_touches* out) {
    enum { MOST = 4 * SN_CLIP_POINTS, DIRECTIONS = SN_MANIFOLD_POINTS - 1 };
    if (count <= SN_MANIFOLD_POINTS) {
        for (int32_t k = 0; k < count; k++) sni_touches_add(out, at[k]);
        return;
    }
    bool chosen[MOST] = {false};
    int32_t deepest = 0;
    for (int32_t k = 1; k < count; k++)
        if (at[k].gap < at[deepest].gap) deepest = k;
    chosen[deepest] = true;
    sn_vec3 t1, t2;
    sn_contact_frame(n, &t1, &t2);
    for (int32_t k = 0; k < DIRECTIONS; k++) {
        double angle = 2 * M_PI * k / DIRECTIONS;
        sn_vec3 d = sn_vec3_add(sn_vec3_scale(cos(angle), t1), sn_vec3_scale(sin(angle), t2));
        chosen[farthest_along(at, count, d)] = true;
    }
    for (int32_t k = 0; k < count; k++)
        if (chosen[k]) sni_touches_add(out, at[k]);
}
