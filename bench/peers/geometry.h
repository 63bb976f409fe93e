// SPDX-License-Identifier: Apache-2.0
// The little geometry it takes to tell a model to an engine that places its frames elsewhere:
// rotations as matrices and quaternions, poses, principal axes of an inertia.
// Frames as in the rest of Sinew: X_to_from, p_to = X_to_from p_from.
#pragma once

#include <array>
#include <cmath>

namespace peer {

using Vec3 = std::array<double, 3>;

// Row-major.
using Mat3 = std::array<double, 9>;

struct Quat {
    double x, y, z, w;
};

struct Pose {
    Mat3 R;
    Vec3 p;
};

constexpr Mat3 identity3 = {1, 0, 0, 0, 1, 0, 0, 0, 1};

inline Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

inline Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

inline Vec3 operator-(const Vec3& a) { return {-a[0], -a[1], -a[2]}; }

inline Vec3 operator*(double s, const Vec3& a) { return {s * a[0], s * a[1], s * a[2]}; }

inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

inline Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Vec3 operator*(const Mat3& A, const Vec3& x) {
    return {A[0] * x[0] + A[1] * x[1] + A[2] * x[2], A[3] * x[0] + A[4] * x[1] + A[5] * x[2],
            A[6] * x[0] + A[7] * x[1] + A[8] * x[2]};
}

inline Mat3 operator*(const Mat3& A, const Mat3& B) {
    Mat3 C{};
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned j = 0; j < 3; j++) {
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
        }
    }
    return C;
}

inline Mat3 transpose(const Mat3& A) {
    return {A[0], A[3], A[6], A[1], A[4], A[7], A[2], A[5], A[8]};
}

inline Pose operator*(const Pose& X_ab, const Pose& X_bc) {
    return {X_ab.R * X_bc.R, X_ab.R * X_bc.p + X_ab.p};
}

inline Pose inverse(const Pose& X) {
    const Mat3 Rt = transpose(X.R);
    return {Rt, -(Rt * X.p)};
}

inline Quat operator*(const Quat& a, const Quat& b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

inline Quat conjugate(const Quat& a) { return {-a.x, -a.y, -a.z, a.w}; }

inline Quat normalized(const Quat& a) {
    const double s = 1.0 / std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w);
    return {s * a.x, s * a.y, s * a.z, s * a.w};
}

// Of a unit quaternion.
Mat3 matrix(const Quat& a);

// Of a rotation; w >= 0 where it is the largest part.
Quat quaternion(const Mat3& R);

// A rotation whose column `column` is the unit vector `axis`: the identity when it already is.
Mat3 rotation_with_column(unsigned column, const Vec3& axis);

// I = R diag(moments) R', R a rotation from principal to body axes; exactly the identity when I is
// diagonal.
struct Principal {
    Mat3 R;
    Vec3 moments;
};
Principal principal_axes(const Mat3& inertia);

} // namespace peer
