// SPDX-License-Identifier: Apache-2.0
// Molecules in a world: energy is kept without friction, lost with it, and shared out by a heat bath.
#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/molecule_world.h"

static const double KT_300 = 2.494338785; // kJ/mol

static molecule_world start(const char* name, const sn_molecule_forces_def* def,
                            const char* dynamics) {
    sn_world_def world = molecule_world_def();
    if (dynamics) world.dynamics = dynamics;
    return molecule_world_named(name, def, &world);
}

/// How far energy is off after half a picosecond without friction, kJ/mol.
static double drift_of(sn_integrator integrator, double step) {
    sn_molecule_forces_def def = sn_molecule_forces_def_default();
    sn_world_def world = molecule_world_def();
    def.field = sn_forcefield_def_exact();
    def.friction = 0;
    def.step = step;
    world.integrator = integrator;
    molecule_world w = molecule_world_named("ala:4", &def, &world);
    double q[8] = {0.3, -0.2, 0.2, 0.1, -0.3, 0.2, 0.1, -0.1};
    CHECK_STATUS(sn_world_set_state(w.world, q, NULL), SN_OK);
    double before = molecule_world_energy(&w);
    molecule_world_run(&w, (int)lround(0.5 / step));
    CHECK(sn_world_energy(w.world).kinetic > 0.1, 0);
    double drift = fabs(molecule_world_energy(&w) - before);
    molecule_world_free(&w);
    return drift;
}

static void energy_is_kept_at_the_order_of_the_integrator(void** state) {
    (void)state;
    static const struct {
        sn_integrator integrator;
        double order, step, most; ///< kJ/mol at 2 fs
    } cases[] = {{SN_INTEGRATE_EULER, 1, 2e-3, 2},
                 {SN_INTEGRATE_MIDPOINT, 2, 2e-3, 0.05},
                 {SN_INTEGRATE_RK4, 4, 8e-3, 0.05}}; // at shorter steps it is at rounding
    for (int k = 0; k < 3; k++) {
        double coarse = drift_of(cases[k].integrator, cases[k].step),
               fine = drift_of(cases[k].integrator, 0.5 * cases[k].step);
        double order = log2(coarse / fine);
        print_message("%s: off by %.2e at %g fs, %.2e at half of it: order %.2f\n",
                      sn_integrator_name(cases[k].integrator), coarse, 1e3 * cases[k].step, fine,
                      order);
        CHECK(coarse < cases[k].most, (uint64_t)k);
        CHECK(order > cases[k].order - 0.3, (uint64_t)k);
    }
}

static void friction_leads_downhill_to_rest(void** state) {
    (void)state;
    sn_molecule_forces_def def = sn_molecule_forces_def_default();
    def.friction = 20;
    molecule_world r = start("ala:6", &def, NULL);
    double last = molecule_world_energy(&r);
    for (int k = 0; k < 8; k++) {
        molecule_world_run(&r, 500);
        double now = molecule_world_energy(&r);
        CHECK(now < last + 1e-3,
              (uint64_t)k); // the cut-off's list and single precision leave traces
        last = now;
    }
    CHECK(sn_world_energy(r.world).kinetic < 0.05, 0);
    molecule_world_free(&r);
}

static void a_heat_bath_gives_every_degree_of_freedom_its_share(void** state) {
    (void)state;
    sn_molecule_forces_def def = sn_molecule_forces_def_default();
    def.friction = 50;
    def.temperature = 300;
    molecule_world r = start("ala:6", &def, NULL);
    double sum = 0;
    int count = 0;
    for (int k = 0; k < 4000; k++) {
        molecule_world_run(&r, 5);
        if (k < 400) continue; // 2 ps to get warm
        sum += sn_world_energy(r.world).kinetic;
        count += 1;
    }
    // twelve torsions; energies of 18 ps at 50/ps are some 900 independent ones, each off by 0.4: 1.4 %
    double share = sum / count / (12 * 0.5 * KT_300);
    print_message("kinetic energy over (nv/2) kT: %.3f\n", share);
    CHECK_NEAR(share, 1, 0.07, 0);
    molecule_world_free(&r);
}

static void a_run_happens_again_bit_for_bit(void** state) {
    (void)state;
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        sn_molecule_forces_def def = sn_molecule_forces_def_default();
        def.temperature = 300;
        def.seed = k < 2 ? 1 : 2;
        molecule_world r = start("ala:8", &def, NULL);
        molecule_world_run(&r, 300);
        hash[k] = sn_world_hash(r.world);
        molecule_world_free(&r);
    }
    CHECK(hash[0] == hash[1] && hash[0] != hash[2], 0);
}

static void few_active_torsions_do_not_gain_energy(void** state) {
    (void)state;
    sn_molecule_forces_def def = sn_molecule_forces_def_default();
    def.friction = 20;
    molecule_world r = start("ala:20", &def, "adaptive");
    sn_adaptivity adaptivity;
    CHECK_STATUS(sn_dynamics_adaptivity(sn_world_dynamics(r.world), &adaptivity), SN_OK);
    adaptivity.max_active = 10;
    CHECK_STATUS(sn_world_set_adaptivity(r.world, &adaptivity), SN_OK);
    double before = molecule_world_energy(&r);
    molecule_world_run(&r, 500);
    CHECK(sn_world_active(r.world, NULL, 0) == 10, 0);
    CHECK(molecule_world_energy(&r) < before, 0);
    molecule_world_free(&r);
}

static void what_sleeps_is_not_computed_again_and_yet_the_same(void** state) {
    (void)state;
    sn_error error;
    sn_molecule_forces_def def = sn_molecule_forces_def_default();
    def.field.precision = SN_PRECISION_DOUBLE;
    molecule_world r = start("ala:20", &def, "adaptive");
    int n = sn_model_body_count(sn_torsion_tree_model(r.tree));
    sn_wrench *kept = calloc((size_t)n, sizeof *kept), *fresh = calloc((size_t)n, sizeof *fresh);
    sn_adaptivity adaptivity;
    CHECK_STATUS(sn_dynamics_adaptivity(sn_world_dynamics(r.world), &adaptivity), SN_OK);
    adaptivity.max_active = 6;
    adaptivity.period = 30; // long enough for sums to be kept
    CHECK_STATUS(sn_world_set_adaptivity(r.world, &adaptivity), SN_OK);
    for (int k = 0; k < 20; k++) {
        molecule_world_run(&r, 7);
        sn_molecule_forces* other;
        CHECK_STATUS(sn_molecule_forces_create(r.tree, &def, &other, &error), SN_OK);
        memset(kept, 0, (size_t)n * sizeof *kept);
        memset(fresh, 0, (size_t)n * sizeof *fresh);
        const sn_dynamics* d = sn_world_dynamics(r.world);
        CHECK_STATUS(sn_molecule_forces_compute(r.forces, d, 0, sn_pose_identity(), 0, kept),
                     SN_OK);
        CHECK_STATUS(sn_molecule_forces_compute(other, d, 0, sn_pose_identity(), 0, fresh), SN_OK);
        CHECK_VECTOR(&kept[0].n.x, &fresh[0].n.x, 6 * n, 1e-9, (uint64_t)k);
        sn_molecule_forces_free(other);
    }
    free(kept);
    free(fresh);
    molecule_world_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_kept_at_the_order_of_the_integrator),
        cmocka_unit_test(friction_leads_downhill_to_rest),
        cmocka_unit_test(a_heat_bath_gives_every_degree_of_freedom_its_share),
        cmocka_unit_test(a_run_happens_again_bit_for_bit),
        cmocka_unit_test(few_active_torsions_do_not_gain_energy),
        cmocka_unit_test(what_sleeps_is_not_computed_again_and_yet_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
