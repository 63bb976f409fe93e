// SPDX-License-Identifier: Apache-2.0
// Molecules without inertia: they come to rest in a minimum, the one that another minimiser finds, always downhill; and
// a hand feels the slope of the energy.
#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/molecule_world.h"
#include "support/random_state.h"

enum { TEST_RANDOM = 1700, STEPS_MOST = 600 };

static molecule_world still_world(const char* name, double tolerance) {
    sn_molecule_forces_def forces = sn_molecule_forces_def_default();
    sn_world_def world = molecule_world_def();
    forces.field.precision = SN_PRECISION_DOUBLE;
    world.integrator = SN_INTEGRATE_QUASISTATIC;
    world.relaxation.tolerance = tolerance;
    return molecule_world_named(name, &forces, &world);
}

static double largest_torque(molecule_world* w) {
    int nv = sn_model_nv(sn_world_model(w->world));
    double *tau = calloc((size_t)nv, sizeof *tau), most = 0;
    molecule_world_torques(w, tau);
    for (int k = 0; k < nv; k++) most = fmax(most, fabs(tau[k]));
    free(tau);
    return most;
}

/// Until forces balance. The energy never rises: but for what the pair list leaves, far below what is felt.
static void relax(molecule_world* w, uint64_t seed) {
    double last = molecule_world_potential(w);
    sn_step_report report;
    for (int i = 0; i < STEPS_MOST; i++) {
        CHECK_STATUS(sn_world_step(w->world, &report), SN_OK);
        double now = molecule_world_potential(w);
        CHECK(now <= last + 1e-9 * fabs(last), seed);
        last = now;
        if (!(report.events & SN_EVENT_NO_CONVERGE)) return;
    }
    const bool balanced = false; // or it would have returned
    CHECK(balanced, seed);
}

static void it_rests_where_no_torsion_feels_a_torque(void** state) {
    (void)state;
    molecule_world w = still_world("ala:20", 1e-5);
    double before = molecule_world_potential(&w);
    relax(&w, 0);
    CHECK(largest_torque(&w) < 2e-5, 0);
    CHECK(molecule_world_potential(&w) < before - 10, 0);
    molecule_world_free(&w);
}

static void energy_never_rises_from_random_starts(void** state) {
    (void)state;
    for (uint64_t i = 0; i < 12; i++) {
        uint64_t seed = test_case_seed(TEST_RANDOM, i);
        test_rng rng = test_rng_make(seed);
        molecule_world w = still_world("ala:6", 1e-3);
        double q[12];
        for (int k = 0; k < 12; k++) q[k] = test_uniform(&rng, -0.6, 0.6);
        CHECK_STATUS(sn_world_set_state(w.world, q, NULL), SN_OK);
        relax(&w, seed);
        CHECK(largest_torque(&w) < 2e-3, seed);
        molecule_world_free(&w);
    }
}

// ---- another minimiser ---------------------------------------------------------------------------------

/// Energy of turning, by the world as a calculator.
static double energy_at(molecule_world* w, const double* q) {
    CHECK_STATUS(sn_world_set_state(w->world, q, NULL), SN_OK);
    return molecule_world_potential(w);
}

/// Coordinate by coordinate, each to the bottom of a parabola through three energies; no torque is ever asked for.
static void descend_by_energies(molecule_world* w, double* q, int n) {
    double reach = 0.02;
    for (int round = 0; round < 400 && reach > 1e-6; round++) {
        double before = energy_at(w, q);
        for (int k = 0; k < n; k++) {
            double at = q[k], e[3];
            for (int i = 0; i < 3; i++) {
                q[k] = at + reach * (i - 1);
                e[i] = energy_at(w, q);
            }
            double bend = e[0] - 2 * e[1] + e[2];
            double step = bend > 0      ? 0.5 * reach * (e[0] - e[2]) / bend
                          : e[0] < e[2] ? -reach
                                        : reach;
            q[k] = at + fmax(-4 * reach, fmin(4 * reach, step));
            if (energy_at(w, q) > e[1]) q[k] = at;
        }
        if (before - energy_at(w, q) < 1e-9) reach *= 0.5;
    }
}

static void another_minimiser_ends_at_the_same_place(void** state) {
    (void)state;
    molecule_world w = still_world("ala:3", 1e-6), other = still_world("ala:3", 1e-6);
    double q[6] = {0};
    relax(&w, 0);
    descend_by_energies(&other, q, 6);
    CHECK_NEAR(molecule_world_potential(&w), energy_at(&other, q), 1e-6, 0);
    CHECK_VECTOR(sn_world_q(w.world), q, 6, 1e-3, 0);
    molecule_world_free(&w);
    molecule_world_free(&other);
}

// ---- a hand ----------------------------------------------------------------------------------------------

static const double STIFFNESS = 2000; // kJ/(mol nm^2)

/// Pulls an atom to a place by a spring until all balances; the force of the spring on it, and all energy.
static sn_vec3 pull_to(molecule_world* w, int atom, sn_vec3 anchor, double* energy) {
    int group = sn_torsion_tree_atom_group(w->tree, atom);
    sn_spring spring = {.body = sn_torsion_tree_group_body(w->tree, group),
                        .point = sn_torsion_tree_atom_offset(w->tree, atom),
                        .anchor = sn_pose_make(sn_mat3_identity(), anchor),
                        .stiffness = STIFFNESS};
    sn_step_report report = {.events = SN_EVENT_NO_CONVERGE};
    CHECK_STATUS(sn_world_set_spring(w->world, 0, &spring), SN_OK);
    for (int i = 0; i < STEPS_MOST && report.events & SN_EVENT_NO_CONVERGE; i++)
        CHECK_STATUS(sn_world_step(w->world, &report), SN_OK);
    CHECK(!(report.events & SN_EVENT_NO_CONVERGE), 0);
    CHECK(largest_torque(w) < 2e-6, 0);
    sn_vec3 f_w = sn_vec3_scale(STIFFNESS, sn_vec3_sub(anchor, molecule_world_atom(w, atom)));
    *energy = molecule_world_potential(w) + 0.5 / STIFFNESS * sn_vec3_dot(f_w, f_w);
    return f_w;
}

// With E(a) the least energy of molecule and spring when the hand is at a, dE/da is the force of the hand.
static void a_hand_feels_the_slope_of_the_energy(void** state) {
    (void)state;
    const double step = 1e-3; // nm
    molecule_world w = still_world("ala:8", 1e-6);
    int atom = sn_molecule_atom_count(w.molecule) - 2;
    relax(&w, 0);
    sn_vec3 start = molecule_world_atom(&w, atom);
    sn_vec3 along = sn_vec3_make(0.6, 0.48, 0.64);
    double energy[3], last = molecule_world_potential(&w);
    for (int k = 1; k <= 5; k++) { // 0.03 nm at a time
        sn_vec3 f = sn_vec3_zero(), at = sn_vec3_add(start, sn_vec3_scale(0.03 * k, along));
        for (int i = 0; i < 3; i++) {
            sn_vec3 place = sn_vec3_add(at, sn_vec3_scale(step * (i - 1), along));
            sn_vec3 one = pull_to(&w, atom, place, &energy[i]);
            if (i == 1) f = one;
        }
        double slope = (energy[2] - energy[0]) / (2 * step);
        CHECK_RELATIVE(sn_vec3_dot(f, along), slope, 2e-3, (uint64_t)k);
        CHECK(energy[1] > last, (uint64_t)k); // it takes work
        last = energy[1];
    }
    molecule_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_rests_where_no_torsion_feels_a_torque),
        cmocka_unit_test(energy_never_rises_from_random_starts),
        cmocka_unit_test(another_minimiser_ends_at_the_same_place),
        cmocka_unit_test(a_hand_feels_the_slope_of_the_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
