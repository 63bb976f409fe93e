// SPDX-License-Identifier: Apache-2.0
/// Random numbers, states and models for tests, from a seed; and natural units, so that the same
/// tests run for robots (kg, m, s) and for molecules (1e-27 kg, 1e-10 m, 1e-15 s).
#ifndef SINEW_TESTS_RANDOM_STATE_H
#define SINEW_TESTS_RANDOM_STATE_H

#include "sinew/dynamics.h"
#include "sinew/generate.h"

/// splitmix64: any seed is good.
typedef struct test_rng {
    uint64_t s;
} test_rng;

test_rng test_rng_make(uint64_t seed);
uint64_t test_rng_next(test_rng* rng);
double test_uniform(test_rng* rng, double low, double high);
double test_normal(test_rng* rng);
/// 0 <= result < n
int test_index(test_rng* rng, int n);
bool test_chance(test_rng* rng, double probability);
/// Components normal times scale.
sn_vec3 test_vec3(test_rng* rng, double scale);
sn_vec3 test_direction(test_rng* rng);
sn_quat test_quat(test_rng* rng);
sn_mat3 test_rotation(test_rng* rng);
sn_pose test_pose(test_rng* rng, double length);

/// Natural units of a model; times 1 is SI.
typedef struct test_units {
    double mass, length, time;
} test_units;

test_units test_units_si(void);
test_units test_units_molecular(void);

/// Whether v[k] of a joint is a length per time (otherwise an angle per time).
bool test_is_translation(sn_joint_type type, int k);

/// The unit of each of the nv numbers v, qdd, tau; scaled by length or not by joint type.
void test_unit_velocity(const sn_model* model, test_units u, double* unit);
void test_unit_acceleration(const sn_model* model, test_units u, double* unit);
void test_unit_force(const sn_model* model, test_units u, double* unit);
/// Of the six numbers of a twist per time^power, and of a wrench.
void test_unit_twist(test_units u, int power, double unit[6]);
void test_unit_wrench(test_units u, double unit[6]);

/// Angles in +-pi, lengths of order one unit, quaternions uniform; velocities and forces of order
/// one unit. The arrays have nq or nv numbers.
void test_random_q(test_rng* rng, const sn_model* model, test_units u, double* q);
void test_random_v(test_rng* rng, const sn_model* model, test_units u, double* v);
void test_random_qdd(test_rng* rng, const sn_model* model, test_units u, double* qdd);
void test_random_tau(test_rng* rng, const sn_model* model, test_units u, double* tau);
sn_wrench test_random_wrench(test_rng* rng, test_units u);
/// About ten units of acceleration, in any direction.
sn_vec3 test_random_gravity(test_rng* rng, test_units u);

// ---- models ----------------------------------------------------------------------------------------

sn_model* test_compile(sn_model_builder* builder); ///< frees the builder; fails the test on error
sn_model* test_generate(sn_generate_shape shape, int count, uint64_t seed, bool free_base,
                        bool passive, test_units u);
/// A body of random inertia on a joint of random placement and axes, SI. parent NULL: the world.
sn_body_def test_random_body(test_rng* rng, const char* name, const char* parent,
                             sn_joint_type type);
/// A chain in which every type of joint occurs once, in random order, after a free or a revolute
/// root; `links` springs, dampers and armature when passive.
sn_model* test_all_joints(test_rng* rng, bool free_base, bool passive);
/// One joint of the given type on a moving parent: a free body, then the joint.
sn_model* test_one_joint_on_free_body(test_rng* rng, sn_joint_type type);
/// One joint of the given type on the world.
sn_model* test_one_joint(test_rng* rng, sn_joint_type type);

#endif
