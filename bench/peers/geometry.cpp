// SPDX-License-Identifier: Apache-2.0
#include "geometry.h"

namespace peer {

Mat3 matrix(const Quat& a) {
    const double x = a.x, y = a.y, z = a.z, w = a.w;
    return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
            2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
}

// Divides by the largest of the four parts, so that nothing cancels.
Quat quaternion(const Mat3& R) {
    const double xx = R[0], yy = R[4], zz = R[8];
    const Vec3 skew = {R[7] - R[5], R[2] - R[6], R[3] - R[1]};
    Quat a{};
    if (xx + yy + zz > 0) {
        a = {skew[0], skew[1], skew[2], 1 + xx + yy + zz};
    } else if (xx >= yy && xx >= zz) {
        a = {1 + xx - yy - zz, R[1] + R[3], R[2] + R[6], skew[0]};
    } else if (yy >= zz) {
        a = {R[1] + R[3], 1 + yy - xx - zz, R[5] + R[7], skew[1]};
    } else {
        a = {R[2] + R[6], R[5] + R[7], 1 + zz - xx - yy, skew[2]};
    }
    return normalized(a);
}

Mat3 rotation_with_column(unsigned column, const Vec3& axis) {
    const unsigned next = (column + 1) % 3, last = (column + 2) % 3;
    if (axis[column] == 1) return identity3;
    // The second column: of two basis vectors one that is far from the axis, made orthogonal to it.
    Vec3 helper{};
    helper[std::fabs(axis[next]) < 0.7 ? next : last] = 1;
    Vec3 second = helper - dot(helper, axis) * axis;
    second = (1 / std::sqrt(dot(second, second))) * second;
    const Vec3 third = cross(axis, second);
    Mat3 R{};
    for (unsigned i = 0; i < 3; i++) {
        R[3 * i + column] = axis[i];
        R[3 * i + next] = second[i];
        R[3 * i + last] = third[i];
    }
    return R;
}

// One Jacobi rotation: A <- J' A J, R <- R J with J the rotation by phi in the plane (i, j) that makes
// A_ij zero: cot 2 phi = (A_jj - A_ii) / (2 A_ij), t = tan phi the smaller of its two solutions.
static void jacobi_rotate(unsigned i, unsigned j, Mat3& A, Mat3& R) {
    const double a_ij = A[3 * i + j];
    if (a_ij == 0) return;
    const double cot_2phi = (A[3 * j + j] - A[3 * i + i]) / (2 * a_ij);
    const double t = std::copysign(1 / (std::fabs(cot_2phi) + std::hypot(cot_2phi, 1.0)), cot_2phi);
    const double c = 1 / std::hypot(t, 1.0), s = t * c;
    Mat3 J = identity3;
    J[3 * i + i] = J[3 * j + j] = c;
    J[3 * i + j] = s;
    J[3 * j + i] = -s;
    A = transpose(J) * A * J;
    A[3 * i + j] = A[3 * j + i] = 0;
    R = R * J;
}

Principal principal_axes(const Mat3& inertia) {
    Mat3 A = inertia, R = identity3;
    // It converges quadratically: five sweeps do for any 3x3 matrix, the rest find zeros.
    constexpr int sweeps = 12;
    for (int sweep = 0; sweep < sweeps; sweep++) {
        jacobi_rotate(0, 1, A, R);
        jacobi_rotate(0, 2, A, R);
        jacobi_rotate(1, 2, A, R);
    }
    return {R, {A[0], A[4], A[8]}};
}

} // namespace peer
