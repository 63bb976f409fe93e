// SPDX-License-Identifier: Apache-2.0
/// A model with a random state, the oracle moved to that state, and the arrays tests need.
#ifndef SINEW_TESTS_FIXTURE_H
#define SINEW_TESTS_FIXTURE_H

#include "oracle/oracle.h"
#include "sinew/world.h"
#include "support/check.h"
#include "support/random_state.h"

typedef struct fixture {
    uint64_t seed;
    test_rng rng;
    test_units u;
    sn_model* model;
    oracle* o;
    int n, nq, nv;
    sn_vec3 gravity;
    double *q, *v, *qdd, *tau;       ///< random
    double *unit_qdd, *unit_tau;     ///< natural unit of each number
    double *x, *y;                   ///< nv numbers each, for results
    double* A;                       ///< nv x nv, for results
    real *q_l, *v_l, *qdd_l, *tau_l; ///< the same numbers, for the oracle
    real *x_l, *y_l, *A_l;
} fixture;

/// Takes the model over; state from the seed. The oracle stands at (q, v) under gravity.
fixture* fixture_create(sn_model* model, test_units u, uint64_t seed);
void fixture_free(fixture* f);
/// A new random state of the same model.
void fixture_random_state(fixture* f);
/// After a test changed q, v, qdd or tau: tells the oracle.
void fixture_update(fixture* f);

/// Model number `index` of an endless list: forests with every type of joint, chains, trees, stars,
/// caterpillars; 1 to 12 bodies; fixed and free bases; with and without armature and springs.
fixture* fixture_of_list(int index, test_units u, uint64_t seed);

/// Numbers of library values, in the order of the oracle.
void twist_numbers(sn_twist t, double out[6]);
void wrench_numbers(sn_wrench w, double out[6]);
void pose_numbers(sn_pose X, double out[12]); ///< rotation by rows, then origin

/// The same wrenches on the library and the oracle: each body with probability p, in either axes.
void fixture_random_wrenches(fixture* f, sn_dynamics* dynamics, double probability);
/// Locks each joint with probability p in both.
void fixture_random_locks(fixture* f, sn_dynamics* dynamics, double probability);

/// Compares poses and velocities of all bodies with the oracle.
void fixture_check_motion(fixture* f, const sn_dynamics* dynamics);
/// Compares accelerations of all bodies, for joint accelerations qdd, with the oracle.
void fixture_check_accelerations(fixture* f, const sn_dynamics* dynamics, const real* qdd,
                                 double tolerance);

/// A test that takes its units as state, in SI and in molecular units; `si` and `molecular` hold them.
#define TEST_IN_BOTH_UNITS(test)                                                                   \
    {#test, test, NULL, NULL, &si}, { #test "_in_molecular_units", test, NULL, NULL, &molecular }

sn_dynamics* test_dynamics(const sn_model* model, const char* algorithm);
/// From now on the two functions above and below know the module's name, too. It must stay.
void test_add_dynamics(const sn_dynamics_module* module);
/// Integrators with inertia are those before the quasi-static one.
enum { TEST_INTEGRATORS_MOVING = SN_INTEGRATE_QUASISTATIC };
sn_world* test_world(const sn_model* model, double step, sn_integrator integrator, sn_vec3 gravity);
/// Steps that must succeed.
void test_run(sn_world* world, int steps);
bool test_algorithm_exists(const char* algorithm);

#endif
