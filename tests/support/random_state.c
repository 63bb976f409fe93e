// SPDX-License-Identifier: Apache-2.0
#include "support/random_state.h"

#include <math.h>

test_rng test_rng_make(uint64_t seed) {
    test_rng r = {seed};
    return r;
}

uint64_t test_rng_next(test_rng* rng) {
    uint64_t z = rng->s += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double test_uniform(test_rng* rng, double low, double high) {
    double unit = (double)(test_rng_next(rng) >> 11) * 0x1p-53;
    return low + (high - low) * unit;
}

double test_normal(test_rng* rng) { // Box-Muller
    double r = sqrt(-2 * log(1 - test_uniform(rng, 0, 1)));
    return r * cos(2 * acos(-1.0) * test_uniform(rng, 0, 1));
}

int test_index(test_rng* rng, int n) { return (int)(test_rng_next(rng) % (uint64_t)n); }
bool test_chance(test_rng* rng, double probability) {
    return test_uniform(rng, 0, 1) < probability;
}

sn_vec3 test_vec3(test_rng* rng, double scale) {
    double x = test_normal(rng), y = test_normal(rng), z = test_normal(rng);
    return sn_vec3_make(scale * x, scale * y, scale * z);
}

sn_vec3 test_direction(test_rng* rng) {
    sn_vec3 a = test_vec3(rng, 1);
    return sn_vec3_scale(1 / sn_vec3_norm(a), a);
}

sn_quat test_quat(test_rng* rng) {
    double w = test_normal(rng);
    sn_vec3 a = test_vec3(rng, 1);
    double s = 1 / sqrt(w * w + sn_vec3_dot(a, a));
    return sn_quat_make(s * w, s * a.x, s * a.y, s * a.z);
}

sn_mat3 test_rotation(test_rng* rng) { return sn_quat_matrix(test_quat(rng)); }

sn_pose test_pose(test_rng* rng, double length) {
    sn_mat3 R = test_rotation(rng);
    return sn_pose_make(R, test_vec3(rng, length));
}

// ---- units ---------------------------------------------------------------------------------------

test_units test_units_si(void) {
    test_units u = {1, 1, 1};
    return u;
}

test_units test_units_molecular(void) {
    test_units u = {1e-27, 1e-10, 1e-15};
    return u;
}

bool test_is_translation(sn_joint_type type, int k) {
    switch (type) {
    case SN_JOINT_PRISMATIC: return true;
    case SN_JOINT_CYLINDRICAL:
    case SN_JOINT_PLANAR: return k >= 1;
    case SN_JOINT_FREE: return k >= 3;
    default: return false;
    }
}

/// angle for rotations, angle * length for translations; or divided by length for forces.
static void fill_units(const sn_model* model, double rotation, double translation, double* unit) {
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        for (int k = 0; k < b.nv; k++)
            unit[b.iv + k] = test_is_translation(b.type, k) ? translation : rotation;
    }
}

void test_unit_velocity(const sn_model* model, test_units u, double* unit) {
    fill_units(model, 1 / u.time, u.length / u.time, unit);
}

void test_unit_acceleration(const sn_model* model, test_units u, double* unit) {
    double t2 = u.time * u.time;
    fill_units(model, 1 / t2, u.length / t2, unit);
}

void test_unit_force(const sn_model* model, test_units u, double* unit) {
    double force = u.mass * u.length / (u.time * u.time);
    fill_units(model, force * u.length, force, unit);
}

void test_unit_twist(test_units u, int power, double unit[6]) {
    double angle = pow(u.time, -power);
    for (int k = 0; k < 3; k++) unit[k] = angle, unit[3 + k] = angle * u.length;
}

void test_unit_wrench(test_units u, double unit[6]) {
    double force = u.mass * u.length / (u.time * u.time);
    for (int k = 0; k < 3; k++) unit[k] = force * u.length, unit[3 + k] = force;
}

// ---- states --------------------------------------------------------------------------------------

void test_random_q(test_rng* rng, const sn_model* model, test_units u, double* q) {
    const double pi = acos(-1.0);
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        double* at = q + b.iq;
        for (int k = 0; k < b.nq; k++)
            at[k] = test_is_translation(b.type, k) ? u.length * test_uniform(rng, -1, 1)
                                                   : test_uniform(rng, -pi, pi);
        bool is_free = b.type == SN_JOINT_FREE;
        if (b.type != SN_JOINT_SPHERICAL && !is_free) continue;
        sn_quat r = test_quat(rng);
        double* quat = at + (is_free ? 3 : 0);
        quat[0] = r.w, quat[1] = r.x, quat[2] = r.y, quat[3] = r.z;
        for (int k = 0; is_free && k < 3; k++) at[k] = u.length * test_uniform(rng, -1, 1);
    }
}

static void random_tangent(test_rng* rng, const sn_model* model, double* x) {
    for (int k = 0; k < sn_model_nv(model); k++) x[k] *= test_uniform(rng, -1, 1);
}

void test_random_v(test_rng* rng, const sn_model* model, test_units u, double* v) {
    test_unit_velocity(model, u, v);
    random_tangent(rng, model, v);
}

void test_random_qdd(test_rng* rng, const sn_model* model, test_units u, double* qdd) {
    test_unit_acceleration(model, u, qdd);
    random_tangent(rng, model, qdd);
}

void test_random_tau(test_rng* rng, const sn_model* model, test_units u, double* tau) {
    test_unit_force(model, u, tau);
    random_tangent(rng, model, tau);
}

sn_wrench test_random_wrench(test_rng* rng, test_units u) {
    double force = u.mass * u.length / (u.time * u.time);
    sn_vec3 n = test_vec3(rng, force * u.length);
    return sn_wrench_make(n, test_vec3(rng, force));
}

sn_vec3 test_random_gravity(test_rng* rng, test_units u) {
    return test_vec3(rng, 10 * u.length / (u.time * u.time));
}
