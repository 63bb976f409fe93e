// SPDX-License-Identifier: Apache-2.0
/// Positions from internal coordinates, and back. Angles in radians; dihedrals as IUPAC counts them: 0 is cis, positive
/// turns the far bond clockwise seen along the axis.
#ifndef SN_MOLECULE_GEOMETRY_H
#define SN_MOLECULE_GEOMETRY_H

#include "sinew/math.h"

#define SN_DEGREE 0.017453292519943295

static inline sn_vec3 sni_direction(sn_vec3 from, sn_vec3 to) {
    sn_vec3 d = sn_vec3_sub(to, from);
    double length = sn_vec3_norm(d);
    return length > 0 ? sn_vec3_scale(1 / length, d) : sn_vec3_make(0, 0, 1);
}

/// A direction perpendicular to a, which has length 1, and as near to `like` as can be.
static inline sn_vec3 sni_perpendicular(sn_vec3 a, sn_vec3 like) {
    sn_vec3 p = sn_vec3_sub(like, sn_vec3_scale(sn_vec3_dot(like, a), a));
    double length = sn_vec3_norm(p);
    if (length > 1e-9 * sn_vec3_norm(like)) return sn_vec3_scale(1 / length, p);
    sn_vec3 other = a.x * a.x < 0.5 ? sn_vec3_make(1, 0, 0) : sn_vec3_make(0, 1, 0);
    p = sn_vec3_sub(other, sn_vec3_scale(sn_vec3_dot(other, a), a));
    return sn_vec3_scale(1 / sn_vec3_norm(p), p);
}

/// The point at distance r from a, with angle `angle` to b and dihedral `dihedral` c-b-a-point. Where c, b, a are on a
/// line, any of the points that fit.
static inline sn_vec3 sni_place_atom(sn_vec3 c, sn_vec3 b, sn_vec3 a, double r, double angle,
                                     double dihedral) {
    sn_vec3 axis = sni_direction(b, a);
    sn_vec3 m = sni_perpendicular(axis, sn_vec3_sub(c, b)); // where dihedral 0 lies
    sn_vec3 n = sn_vec3_cross(axis, m);
    sn_vec3 d = sn_vec3_scale(-r * cos(angle), axis);
    d = sn_vec3_add(d, sn_vec3_scale(r * sin(angle) * cos(dihedral), m));
    d = sn_vec3_add(d, sn_vec3_scale(r * sin(angle) * sin(dihedral), n));
    return sn_vec3_add(a, d);
}

/// Dihedral i-j-k-l, in (-pi, pi].
static inline double sni_dihedral(sn_vec3 i, sn_vec3 j, sn_vec3 k, sn_vec3 l) {
    sn_vec3 axis = sni_direction(j, k);
    sn_vec3 a = sn_vec3_sub(i, j), b = sn_vec3_sub(l, k);
    sn_vec3 m = sn_vec3_sub(a, sn_vec3_scale(sn_vec3_dot(a, axis), axis));
    return atan2(sn_vec3_dot(sn_vec3_cross(axis, m), b), sn_vec3_dot(m, b));
}

static inline double sni_distance(sn_vec3 a, sn_vec3 b) { return sn_vec3_norm(sn_vec3_sub(a, b)); }

#endif
