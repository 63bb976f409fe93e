// SPDX-License-Identifier: Apache-2.0
// Steps by stability: the fastest frequency is that of dense matrices, runs at the chosen step stay where they are, and
// longer steps than the bound blow up.
#include <math.h>
#include <string.h>

#include "sinew/molecule_step.h"
#include "support/check.h"
#include "support/molecule_world.h"

enum { MOST = 48 };

/// Largest eigenvalue of the symmetric matrix A, n x n, which is changed: Jacobi's rotations.
static double largest_eigenvalue(double (*A)[MOST], int n) {
    double most = -INFINITY;
    for (int sweep = 0; sweep < 60; sweep++) {
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                if (A[p][q] == 0) continue;
                double angle = 0.5 * atan2(2 * A[p][q], A[q][q] - A[p][p]);
                double c = cos(angle), s = sin(angle);
                for (int k = 0; k < n; k++) {
                    double x = A[k][p], y = A[k][q];
                    A[k][p] = c * x - s * y, A[k][q] = s * x + c * y;
                }
                for (int k = 0; k < n; k++) {
                    double x = A[p][k], y = A[q][k];
                    A[p][k] = c * x - s * y, A[q][k] = s * x + c * y;
                }
            }
        }
    }
    for (int p = 0; p < n; p++) most = fmax(most, A[p][p]);
    return most;
}

/// H by differences of torques, and L^-1 H L^-T with M = L L'.
static double dense_frequency(molecule_world* w) {
    static double H[MOST][MOST], L[MOST][MOST], M[MOST * MOST];
    const sn_model* model = sn_world_model(w->world);
    int n = sn_model_nv(model);
    double q[MOST], up[MOST], down[MOST];
    const double step = 1e-5;
    memcpy(q, sn_world_q(w->world), sizeof(double) * (size_t)n);
    for (int k = 0; k < n; k++) {
        double at = q[k];
        q[k] = at + step;
        CHECK_STATUS(sn_world_set_state(w->world, q, NULL), SN_OK);
        molecule_world_torques(w, up);
        q[k] = at - step;
        CHECK_STATUS(sn_world_set_state(w->world, q, NULL), SN_OK);
        molecule_world_torques(w, down);
        q[k] = at;
        for (int i = 0; i < n; i++) H[i][k] = (down[i] - up[i]) / (2 * step);
    }
    CHECK_STATUS(sn_world_set_state(w->world, q, NULL), SN_OK);
    CHECK_STATUS(sn_dynamics_mass_matrix(sn_world_dynamics(w->world), q, M), SN_OK);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = M[i * n + j];
            for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    }
    for (int side = 0; side < 2; side++) { // columns, then rows by symmetry
        for (int c = 0; c < n; c++) {
            for (int i = 0; i < n; i++) {
                double sum = side ? H[c][i] : H[i][c];
                for (int k = 0; k < i; k++) sum -= L[i][k] * (side ? H[c][k] : H[k][c]);
                *(side ? &H[c][i] : &H[i][c]) = sum / L[i][i];
            }
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) H[i][j] = H[j][i] = 0.5 * (H[i][j] + H[j][i]);
    return sqrt(largest_eigenvalue(H, n));
}

static void the_fastest_frequency_is_that_of_dense_matrices(void** state) {
    (void)state;
    static const char* const names[] = {"ala:3", "ala:8", "ala:20", "ala:12:strand"};
    for (int k = 0; k < 4; k++) {
        sn_molecule_forces_def def = sn_molecule_forces_def_default();
        sn_step_choice choice;
        sn_error error;
        check_context(names[k]);
        def.field.precision = SN_PRECISION_DOUBLE;
        molecule_world w = molecule_world_named(names[k], &def, NULL);
        CHECK_STATUS(sn_molecule_choose_step(w.tree, NULL, NULL, &choice, &error), SN_OK);
        // 2 % of its square by the search, and how stiffness changes over the differences it takes
        CHECK_RELATIVE(choice.frequency, dense_frequency(&w), 0.03, (uint64_t)k);
        double g = def.friction, h = choice.bound, wh = choice.frequency * h;
        CHECK_NEAR(wh * wh + 2 * g * h, 4, 1e-12, (uint64_t)k);
        CHECK(choice.step <= SN_STEP_SHARE * h * (1 + 1e-9) && choice.step <= SN_STEP_MOST, 0);
        CHECK(choice.step > 0.8 * fmin(SN_STEP_SHARE * h, SN_STEP_MOST), 0);
        molecule_world_free(&w);
    }
}

/// Largest kinetic energy of a run from a bit beside a minimum; INFINITY when the world stops.
static double run_from_rest(double step, double friction, double temperature, int steps) {
    sn_molecule_forces_def def = sn_molecule_forces_def_default();
    sn_world_def still = molecule_world_def();
    def.field.precision = SN_PRECISION_DOUBLE;
    still.integrator = SN_INTEGRATE_QUASISTATIC;
    still.relaxation.evaluations = 2000;
    molecule_world found = molecule_world_named("ala:4", &def, &still);
    molecule_world_run(&found, 1);
    double q[8], most = 0;
    memcpy(q, sn_world_q(found.world), sizeof q);
    molecule_world_free(&found);
    def.step = step;
    def.friction = friction;
    def.temperature = temperature;
    molecule_world w = molecule_world_named("ala:4", &def, NULL);
    for (int k = 0; k < 8; k++) q[k] += 1e-3 * (k % 3 - 1);
    CHECK_STATUS(sn_world_set_state(w.world, q, NULL), SN_OK);
    for (int i = 0; i < steps && most < INFINITY; i++) {
        if (sn_world_step(w.world, NULL)) most = INFINITY;
        double kinetic = most < INFINITY ? sn_world_energy(w.world).kinetic : 0;
        most = fmax(most, kinetic);
    }
    molecule_world_free(&w);
    return most;
}

static void longer_steps_than_the_bound_blow_up(void** state) {
    (void)state;
    sn_molecule_forces_def def = sn_molecule_forces_def_default();
    sn_step_choice choice;
    sn_error error;
    for (int k = 0; k < 2; k++) {
        def.friction = k ? 5 : 0;
        molecule_world w = molecule_world_named("ala:4", &def, NULL);
        CHECK_STATUS(sn_molecule_choose_step(w.tree, &def, NULL, &choice, &error), SN_OK);
        molecule_world_free(&w);
        double small = run_from_rest(choice.step, def.friction, 0, 4000);
        print_message("friction %g: frequency %.1f rad/ps, bound %.1f fs, step %.2g fs; kinetic "
                      "energy at most %.2g, at twice the bound %.2g, at three times %.2g kJ/mol\n",
                      def.friction, choice.frequency, 1e3 * choice.bound, 1e3 * choice.step, small,
                      run_from_rest(2 * choice.bound, def.friction, 0, 400),
                      run_from_rest(3 * choice.bound, def.friction, 0, 400));
        CHECK(small < 0.05, (uint64_t)k); // a thousandth of a radian stays one
        CHECK(run_from_rest(2 * choice.bound, def.friction, 0, 400) > 10, (uint64_t)k);
        CHECK(run_from_rest(3 * choice.bound, def.friction, 0, 400) > 10, (uint64_t)k);
    }
}

static void heat_does_not_blow_up_the_chosen_step(void** state) {
    (void)state;
    molecule_world w = molecule_world_named("ala:4", NULL, NULL);
    sn_step_choice choice;
    CHECK_STATUS(sn_molecule_choose_step(w.tree, NULL, NULL, &choice, NULL), SN_OK);
    molecule_world_free(&w);
    // eight degrees of freedom at 300 K have 10 kJ/mol on average
    CHECK(run_from_rest(choice.step, 5, 300, 20000) < 60, 0);
}

static void what_makes_no_sense_is_refused(void** state) {
    (void)state;
    sn_step_choice choice;
    sn_error error;
    CHECK_STATUS(sn_molecule_choose_step(NULL, NULL, NULL, &choice, &error), SN_ERR_ARGUMENT);
    CHECK(choice.torsion == -1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_frequency_is_that_of_dense_matrices),
        cmocka_unit_test(longer_steps_than_the_bound_blow_up),
        cmocka_unit_test(heat_does_not_blow_up_the_chosen_step),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
