// SPDX-License-Identifier: Apache-2.0
// Molecules in a world: energy is kept without friction, lost with it, and shared out by a heat bath.
#include <math.h>
#include <string.h>

#include "sinew/molecule_forces.h"
#include "sinew/world.h"
#include "support/molecules.h"

static const double KT_300 = 2.494338785; // kJ/mol

typedef struct rig {
    sn_molecule* molecule;
    sn_torsion_tree* tree;
    sn_molecule_forces* forces;
    sn_world* world;
} rig;

static sn_status compute(void* context, const sn_dynamics* d, uint64_t step, sn_wrench* w) {
    rig* r = context;
    return sn_molecule_forces_compute(r->forces, d, 0, sn_pose_identity(), step, w);
}

static void start(rig* r, const char* name, const sn_molecule_forces_def* def,
                  sn_integrator integrator, const char* dynamics) {
    sn_error error;
    sn_world_def world = sn_world_def_default();
    CHECK_STATUS(sn_molecule_build_named(name, &r->molecule, &error), SN_OK);
    CHECK_STATUS(sn_torsion_tree_create(r->molecule, NULL, &r->tree, &error), SN_OK);
    CHECK_STATUS(sn_molecule_forces_create(r->tree, def, &r->forces, &error), SN_OK);
    world.step = def->step;
    world.gravity = sn_vec3_zero();
    world.integrator = integrator;
    world.dynamics = dynamics;
    world.field = true;
    CHECK_STATUS(sn_world_create(sn_torsion_tree_model(r->tree), &world, &r->world, &error), SN_OK);
    sn_field field = {"molecule", compute, r, NULL, NULL};
    CHECK_STATUS(sn_world_set_field(r->world, &field), SN_OK);
    sn_molecule_forces_want_report(r->forces, true);
}

static void end(rig* r) {
    sn_world_free(r->world);
    sn_molecule_forces_free(r->forces);
    sn_torsion_tree_free(r->tree);
    sn_molecule_free(r->molecule);
}

static void run(rig* r, int steps) {
    for (int i = 0; i < steps; i++) CHECK_STATUS(sn_world_step(r->world, NULL), SN_OK);
}

/// Kinetic and potential energy at the world's state, kJ/mol.
static double total_energy(rig* r) {
    sn_wrench* w = calloc((size_t)sn_model_body_count(sn_torsion_tree_model(r->tree)), sizeof *w);
    CHECK_STATUS(compute(r, sn_world_dynamics(r->world), 0, w), SN_OK);
    free(w);
    return sn_world_energy(r->world).kinetic + sn_molecule_forces_report(r->forces).energy.total;
}

static void energy_is_kept_at_the_order_of_the_integrator(void** state) {
    (void)state;
    double drift[2];
    for (int k = 0; k < 2; k++) {
        rig r;
        sn_molecule_forces_def def = sn_molecule_forces_def_default();
        def.field = sn_forcefield_def_exact();
        def.friction = 0;
        def.step = k == 0 ? 2e-3 : 1e-3;
        start(&r, "ala:4", &def, SN_INTEGRATE_RK4, NULL);
        double q[8] = {0.3, -0.2, 0.2, 0.1, -0.3, 0.2, 0.1, -0.1};
        CHECK_STATUS(sn_world_set_state(r.world, q, NULL), SN_OK);
        double before = total_energy(&r);
        run(&r, k == 0 ? 250 : 500); // half a picosecond
        CHECK(sn_world_energy(r.world).kinetic > 0.1, 0);
        drift[k] = fabs(total_energy(&r) - before);
        end(&r);
    }
    // order 4: sixteen times less at half the step, or as little as rounding
    CHECK(drift[0] < 1e-3 && drift[1] < fmax(drift[0] / 8, 1e-9), 0);
}

static void friction_leads_downhill_to_rest(void** state) {
    (void)state;
    rig r;
    sn_molecule_forces_def def = sn_molecule_forces_def_default();
    def.friction = 20;
    start(&r, "ala:6", &def, SN_INTEGRATE_EULER, NULL);
    double last = total_energy(&r);
    for (int k = 0; k < 8; k++) {
        run(&r, 500);
        double now = total_energy(&r);
        CHECK(now < last + 1e-3,
              (uint64_t)k); // the cut-off's list and single precision leave traces
        last = now;
    }
    CHECK(sn_world_energy(r.world).kinetic < 0.05, 0);
    end(&r);
}

static void a_heat_bath_gives_every_degree_of_freedom_its_share(void** state) {
    (void)state;
    rig r;
    sn_molecule_forces_def def = sn_molecule_forces_def_default();
    def.friction = 50;
    def.temperature = 300;
    start(&r, "ala:6", &def, SN_INTEGRATE_EULER, NULL);
    double sum = 0;
    int count = 0;
    for (int k = 0; k < 4000; k++) {
        run(&r, 5);
        if (k < 400) continue; // 2 ps to get warm
        sum += sn_world_energy(r.world).kinetic;
        count += 1;
    }
    // twelve torsions; energies of 18 ps at 50/ps are some 900 independent ones, each off by 0.4: 1.4 %
    double share = sum / count / (12 * 0.5 * KT_300);
    print_message("kinetic energy over (nv/2) kT: %.3f\n", share);
    CHECK_NEAR(share, 1, 0.07, 0);
    end(&r);
}

static void a_run_happens_again_bit_for_bit(void** state) {
    (void)state;
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        rig r;
        sn_molecule_forces_def def = sn_molecule_forces_def_default();
        def.temperature = 300;
        def.seed = k < 2 ? 1 : 2;
        start(&r, "ala:8", &def, SN_INTEGRATE_EULER, NULL);
        run(&r, 300);
        hash[k] = sn_world_hash(r.world);
        end(&r);
    }
    CHECK(hash[0] == hash[1] && hash[0] != hash[2], 0);
}

static void few_active_torsions_do_not_gain_energy(void** state) {
    (void)state;
    rig r;
    sn_molecule_forces_def def = sn_molecule_forces_def_default();
    def.friction = 20;
    start(&r, "ala:20", &def, SN_INTEGRATE_EULER, "adaptive");
    sn_adaptivity adaptivity;
    CHECK_STATUS(sn_dynamics_adaptivity(sn_world_dynamics(r.world), &adaptivity), SN_OK);
    adaptivity.max_active = 10;
    CHECK_STATUS(sn_world_set_adaptivity(r.world, &adaptivity), SN_OK);
    double before = total_energy(&r);
    run(&r, 500);
    CHECK(sn_world_active(r.world, NULL, 0) == 10, 0);
    CHECK(total_energy(&r) < before, 0);
    end(&r);
}

static void what_sleeps_is_not_computed_again_and_yet_the_same(void** state) {
    (void)state;
    rig r;
    sn_error error;
    sn_molecule_forces_def def = sn_molecule_forces_def_default();
    def.field.precision = SN_PRECISION_DOUBLE;
    start(&r, "ala:20", &def, SN_INTEGRATE_EULER, "adaptive");
    int n = sn_model_body_count(sn_torsion_tree_model(r.tree));
    sn_wrench *kept = calloc((size_t)n, sizeof *kept), *fresh = calloc((size_t)n, sizeof *fresh);
    sn_adaptivity adaptivity;
    CHECK_STATUS(sn_dynamics_adaptivity(sn_world_dynamics(r.world), &adaptivity), SN_OK);
    adaptivity.max_active = 6;
    adaptivity.period = 30; // long enough for sums to be kept
    CHECK_STATUS(sn_world_set_adaptivity(r.world, &adaptivity), SN_OK);
    for (int k = 0; k < 20; k++) {
        run(&r, 7);
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
    end(&r);
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
