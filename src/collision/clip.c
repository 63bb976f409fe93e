// SPDX-License-Identifier: Apache-2.0
// A face or edge clipped by a face, both seen along the normal.
#include "collision/clip.h"

/// Signed distance of q from clip edge k, times the edge's length; inside is not negative. The clip is grown
/// by a little, so that corners of equal bodies that lie on each other keep their names.
typedef struct half_plane {
    double u, v, offset;
} half_plane;

static half_plane edge_of(const sni_flat* clip, int32_t k, double sign) {
    const sni_flat_point *p = &clip->at[k], *q = &clip->at[sni_next_around(k, clip->count)];
    double eu = q->u - p->u, ev = q->v - p->v;
    half_plane h = {-sign * ev, sign * eu, 0};
    h.offset = clip->slack * (fabs(eu) + fabs(ev)) - h.u * p->u - h.v * p->v;
    return h;
}

static sni_flat_point between(const sni_flat_point* p, const sni_flat_point* q, double t,
                              int32_t edge) {
    return (sni_flat_point){p->u + t * (q->u - p->u), p->v + t * (q->v - p->v),
                            p->z + t * (q->z - p->z), edge};
}

/// Sutherland and Hodgman's clipping by one half plane.   [SH74]
static int32_t clip_by(half_plane h, int32_t k, const sni_flat_point* in, int32_t count,
                       sni_flat_point* out) {
    int32_t made = 0;
    if (count == 0) return 0;
    const sni_flat_point* p = &in[count - 1];
    double d_p = h.u * p->u + h.v * p->v + h.offset;
    for (int32_t i = 0; i < count && made + 2 <= SN_CLIP_POINTS; i++) {
        const sni_flat_point* q = &in[i];
        double d_q = h.u * q->u + h.v * q->v + h.offset;
        if (d_p >= 0 && d_q < 0) out[made++] = between(p, q, d_p / (d_p - d_q), ~k);
        if (d_p < 0 && d_q >= 0) out[made++] = between(p, q, d_p / (d_p - d_q), p->edge);
        if (d_q >= 0) out[made++] = *q;
        p = q;
        d_p = d_q;
    }
    return made;
}

int32_t sni_clip_face(const sni_flat* subject, const sni_flat* clip, double sign,
                      sni_flat_point* out) {
    sni_flat_point other[SN_CLIP_POINTS];
    int32_t count = subject->count;
    sni_flat_point *from = clip->count % 2 ? other : out, *to = clip->count % 2 ? out : other;
    for (int32_t k = 0; k < count; k++) from[k] = subject->at[k];
    for (int32_t k = 0; k < clip->count; k++) {
        count = clip_by(edge_of(clip, k, sign), k, from, count, to);
        sni_flat_point* swapped = from;
        from = to;
        to = swapped;
    }
    return count;
}

int32_t sni_clip_edge(const sni_flat* subject, const sni_flat* clip, double sign,
                      sni_flat_point* out) {
    const sni_flat_point *p = &subject->at[0], *q = &subject->at[1];
    double low = 0, high = 1;
    int32_t low_by = 0, high_by = 0; // ~k: edge k of the clip
    for (int32_t k = 0; k < clip->count; k++) {
        half_plane h = edge_of(clip, k, sign);
        double d_p = h.u * p->u + h.v * p->v + h.offset, d_q = h.u * q->u + h.v * q->v + h.offset;
        if (d_p < 0 && d_q < 0) return 0;
        double t = d_p / (d_p - d_q);
        if (d_p < 0 && t > low) {
            low = t;
            low_by = ~k;
        }
        if (d_q < 0 && t < high) {
            high = t;
            high_by = ~k;
        }
    }
    if (low > high) return 0;
    out[0] = between(p, q, low, low_by);
    out[1] = between(p, q, high, high_by);
    return 2;
}

bool sni_clip_has(const sni_flat* clip, double sign, const sni_flat_point* p) {
    for (int32_t k = 0; k < clip->count; k++) {
        half_plane h = edge_of(clip, k, sign);
        if (!(h.u * p->u + h.v * p->v + h.offset >= 0)) return false;
    }
    return true;
}
