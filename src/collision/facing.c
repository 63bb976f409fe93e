// SPDX-License-Identifier: Apache-2.0
#include "collision/facing.h"

// A face counts when its normal is within 20 degrees of the direction, an edge when it is within 20 degrees of being
// perpendicular to it. More would only matter to bodies that come nearer by a third of their size in one step.
static const double FACE_COSINE = 0.94;
static const double EDGE_SINE = 0.34;

static void add(sni_facing* out, const sni_core* core, sn_vec3 x_s, uint32_t id) {
    out->at[out->count] = sn_vec3_add(core->p, sn_mat3_apply(core->R, x_s));
    out->id[out->count++] = id;
}

// ---- boxes ----------------------------------------------------------------------------------------------

/// A corner of a box: bit k of its number says that it is at the positive end of axis k.
static void add_box_corner(sni_facing* out, const sni_core* core, uint32_t corner) {
    sn_vec3 h = core->solid->half;
    sn_vec3 x =
        sn_vec3_make(corner & 1 ? h.x : -h.x, corner & 2 ? h.y : -h.y, corner & 4 ? h.z : -h.z);
    add(out, core, x, corner);
}

static void box_facing(const sni_core* core, sn_vec3 d_s, sni_facing* out) {
    const double d[3] = {d_s.x, d_s.y, d_s.z};
    int32_t most = fabs(d[1]) > fabs(d[0]), least = !most;
    if (fabs(d[2]) > fabs(d[most])) most = 2;
    if (fabs(d[2]) <= fabs(d[least])) least = 2;
    uint32_t corner = 0;
    for (int32_t k = 0; k < 3; k++) corner |= (d[k] >= 0 ? 1u : 0u) << k;
    if (fabs(d[most]) >= FACE_COSINE) {
        uint32_t up = corner >> most & 1, u = 1u << (most + 1) % 3, v = 1u << (most + 2) % 3;
        uint32_t base = up << most;
        add_box_corner(out, core, base);
        add_box_corner(out, core, base | (up ? u : v));
        add_box_corner(out, core, base | u | v);
        add_box_corner(out, core, base | (up ? v : u));
        out->normal = sn_vec3_scale(up ? 1 : -1, sn_mat3_column(core->R, most));
        return;
    }
    if (fabs(d[least]) <= EDGE_SINE) {
        add_box_corner(out, core, corner & ~(1u << least));
        add_box_corner(out, core, corner | 1u << least);
        return;
    }
    add_box_corner(out, core, corner);
}

// ---- round solids ---------------------------------------------------------------------------------------

static void capsule_facing(const sni_core* core, sn_vec3 d_s, sni_facing* out) {
    double h = core->solid->half.z;
    if (fabs(d_s.z) <= EDGE_SINE && h > 0) {
        add(out, core, sn_vec3_make(0, 0, -h), 0);
        add(out, core, sn_vec3_make(0, 0, h), 1);
        out->round = core->radius;
        out->axis[0] = out->at[0];
        out->axis[1] = out->at[1];
        return;
    }
    add(out, core, sn_vec3_make(0, 0, copysign(h, d_s.z)), d_s.z >= 0);
}

/// Corners on the rim of a cap of radius 1.
static const double RIM[SN_RIM_CORNERS][2] = {
    {1, 0},  {M_SQRT1_2, M_SQRT1_2},   {0, 1},  {-M_SQRT1_2, M_SQRT1_2},
    {-1, 0}, {-M_SQRT1_2, -M_SQRT1_2}, {0, -1}, {M_SQRT1_2, -M_SQRT1_2}};

/// Ids of a cylinder: corners of the rims, then ends of the side, then the rims as such.
enum { ID_SIDE = 2 * SN_RIM_CORNERS, ID_RIM = ID_SIDE + 2 };

static void cylinder_facing(const sni_core* core, sn_vec3 d_s, sni_facing* out) {
    double r = core->solid->half.x, h = core->solid->half.z, across = hypot(d_s.x, d_s.y);
    uint32_t up = d_s.z >= 0;
    if (fabs(d_s.z) >= FACE_COSINE) {
        for (uint32_t k = 0; k < SN_RIM_CORNERS; k++) { // seen from below they run the other way
            uint32_t at = up ? k : SN_RIM_CORNERS - 1 - k;
            add(out, core, sn_vec3_make(r * RIM[at][0], r * RIM[at][1], up ? h : -h),
                at + up * SN_RIM_CORNERS);
        }
        out->normal = sn_vec3_scale(up ? 1 : -1, sn_mat3_column(core->R, 2));
        out->disc = true;
        return;
    }
    double x = r * d_s.x / across, y = r * d_s.y / across;
    if (fabs(d_s.z) <= EDGE_SINE) {
        add(out, core, sn_vec3_make(x, y, -h), ID_SIDE);
        add(out, core, sn_vec3_make(x, y, h), ID_SIDE + 1);
        out->round = r;
        sn_vec3 half = sn_vec3_scale(h, sn_mat3_column(core->R, 2));
        out->axis[0] = sn_vec3_sub(core->p, half);
        out->axis[1] = sn_vec3_add(core->p, half);
        return;
    }
    add(out, core, sn_vec3_make(x, y, up ? h : -h), ID_RIM + up);
}

// ---- hulls ----------------------------------------------------------------------------------------------

static void add_face(sni_facing* out, const sni_core* core, int32_t face) {
    const sni_hull* hull = core->solid->hull;
    int32_t first = hull->face[face], corners = hull->face[face + 1] - first;
    int32_t taken = corners < SN_FACING_CORNERS ? corners : SN_FACING_CORNERS;
    for (int32_t k = 0; k < taken; k++) {
        int32_t corner = hull->corner[first + (int32_t)((int64_t)k * corners / taken)];
        add(out, core, hull->vertex[corner], (uint32_t)corner);
    }
    out->normal = sn_mat3_apply(core->R, hull->normal[face]);
}

static int32_t face_at(const sni_hull* hull, int32_t corner, sn_vec3 d) {
    int32_t best = -1;
    double most = FACE_COSINE;
    for (int32_t k = hull->meeting[corner]; k < hull->meeting[corner + 1]; k++) {
        double along = sn_vec3_dot(d, hull->normal[hull->around[k]]);
        if (along >= most) {
            most = along;
            best = hull->around[k];
        }
    }
    return best;
}

/// The neighbour that an edge within reach of the direction leads to; -1: none.
static int32_t edge_at(const sni_hull* hull, int32_t corner, sn_vec3 d) {
    int32_t best = -1;
    double least = EDGE_SINE;
    for (int32_t k = hull->neighbour[corner]; k < hull->neighbour[corner + 1]; k++) {
        sn_vec3 edge = sn_vec3_sub(hull->vertex[hull->next[k]], hull->vertex[corner]);
        double slope = -sn_vec3_dot(d, edge) / sn_vec3_norm(edge);
        if (slope <= least) {
            least = slope;
            best = hull->next[k];
        }
    }
    return best;
}

static void hull_facing(sni_core* core, sn_vec3 d_s, sni_facing* out) {
    const sni_hull* hull = core->solid->hull;
    int32_t corner = core->climb = sni_hull_farthest(hull, d_s, core->climb);
    int32_t face = face_at(hull, corner, d_s);
    if (face >= 0) {
        add_face(out, core, face);
        return;
    }
    int32_t other = edge_at(hull, corner, d_s);
    if (other >= 0) { // named the same from both ends
        int32_t low = other < corner ? other : corner, high = other < corner ? corner : other;
        add(out, core, hull->vertex[low], (uint32_t)low);
        add(out, core, hull->vertex[high], (uint32_t)high);
        return;
    }
    add(out, core, hull->vertex[corner], (uint32_t)corner);
}

void sni_facing_find(sni_core* core, sn_vec3 d, sni_facing* facing) {
    sn_vec3 d_s = sn_mat3_apply_transposed(core->R, d);
    facing->count = 0;
    facing->round = 0;
    facing->lift = core->radius;
    facing->disc = false;
    switch (core->solid->type) {
    case SN_SHAPE_BOX: box_facing(core, d_s, facing); return;
    case SN_SHAPE_CYLINDER: cylinder_facing(core, d_s, facing); return;
    case SN_SHAPE_CAPSULE: capsule_facing(core, d_s, facing); return;
    case SN_SHAPE_HULL: hull_facing(core, d_s, facing); return;
    default: add(facing, core, sn_vec3_zero(), 0); return;
    }
}
