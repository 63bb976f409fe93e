// SPDX-License-Identifier: Apache-2.0
// A molecule whose torsions sleep and wake: forces with kept sums are those without.
#include <math.h>
#include <string.h>

#include "sinew/molecule_forces.h"
#include "sinew/world.h"
#include "support/check.h"

/// Kept sums are those of places that were a little different in the last bits; relative to the largest wrench.
static const double TOL_KEPT = 1e-9;

typedef struct rig {
    sn_molecule* molecule;
    sn_torsion_tree* tree;
    sn_molecule_forces* forces;
    sn_forcefield* plain;
    sn_world* world;
    sn_pose* X_wg;
    sn_wrench *ours, *expected, *field_w;
} rig;

static sn_status compute(void* context, const sn_dynamics* d, uint64_t step, sn_wrench* w) {
    return sn_molecule_forces_compute(context, d, 0, sn_pose_identity(), step, w);
}

static void start(rig* r, int budget) {
    sn_molecule_forces_def def = sn_molecule_forces_def_default();
    def.field.precision = SN_PRECISION_DOUBLE;
    def.friction = 0;
    CHECK_STATUS(sn_molecule_build_named("ala:12", &r->molecule, NULL), SN_OK);
    CHECK_STATUS(sn_torsion_tree_create(r->molecule, NULL, &r->tree, NULL), SN_OK);
    CHECK_STATUS(sn_molecule_forces_create(r->tree, &def, &r->forces, NULL), SN_OK);
    CHECK_STATUS(sn_forcefield_create(r->molecule, r->tree, &def.field, &r->plain, NULL), SN_OK);
    sn_world_def world = sn_world_def_default();
    world.step = def.step;
    world.gravity = sn_vec3_zero();
    world.dynamics = "adaptive";
    world.adaptivity.max_active = budget;
    world.adaptivity.period = 7;
    world.field = true;
    CHECK_STATUS(sn_world_create(sn_torsion_tree_model(r->tree), &world, &r->world, NULL), SN_OK);
    sn_field field = {"molecule", compute, r->forces, NULL, NULL};
    CHECK_STATUS(sn_world_set_field(r->world, &field), SN_OK);
    size_t n = (size_t)sn_torsion_tree_group_count(r->tree);
    r->X_wg = calloc(n, sizeof *r->X_wg);
    r->ours = calloc(n, sizeof *r->ours);
    r->expected = calloc(n, sizeof *r->expected);
    r->field_w = calloc(n, sizeof *r->field_w);
}

static void end(rig* r) {
    sn_world_free(r->world);
    sn_forcefield_free(r->plain);
    sn_molecule_forces_free(r->forces);
    sn_torsion_tree_free(r->tree);
    sn_molecule_free(r->molecule);
    free(r->X_wg), free(r->ours), free(r->expected), free(r->field_w);
}

/// Wrenches on bodies as the world would get them, against a field that keeps nothing.
static void check_wrenches(rig* r, uint64_t step) {
    const sn_dynamics* d = sn_world_dynamics(r->world);
    int groups = sn_torsion_tree_group_count(r->tree), bodies = 0;
    for (int g = 0; g < groups; g++) {
        sn_body_id body = sn_torsion_tree_group_body(r->tree, g);
        r->X_wg[g] =
            body.i < 0 ? sn_torsion_tree_group_pose(r->tree, g) : sn_dynamics_pose(d, body);
        bodies += body.i >= 0;
    }
    CHECK_STATUS(sn_forcefield_evaluate(r->plain, r->X_wg, r->field_w, NULL), SN_OK);
    for (int g = 0; g < groups; g++) {
        sn_body_id body = sn_torsion_tree_group_body(r->tree, g);
        if (body.i >= 0) r->expected[body.i] = r->field_w[g];
    }
    memset(r->ours, 0, sizeof *r->ours * (size_t)groups);
    CHECK_STATUS(compute(r->forces, d, step, r->ours), SN_OK);
    CHECK_VECTOR(&r->ours[0].n.x, &r->expected[0].n.x, 6 * bodies, TOL_KEPT, step);
}

static void forces_of_a_world_with_sleeping_torsions_are_exact(void** state) {
    (void)state;
    for (int budget = 0; budget <= 12; budget += 4) {
        rig r = {0};
        start(&r, budget);
        for (uint64_t step = 0; step < 60; step++) {
            check_wrenches(&r, step);
            CHECK_STATUS(sn_world_step(r.world, NULL), SN_OK);
            CHECK(sn_world_region(r.world).active <= budget, step);
        }
        end(&r);
    }
}

static void a_joint_moved_in_its_sleep_is_noticed(void** state) {
    (void)state;
    rig r = {0};
    start(&r, 2);
    for (int step = 0; step < 10; step++) CHECK_STATUS(sn_world_step(r.world, NULL), SN_OK);
    const sn_model* model = sn_torsion_tree_model(r.tree);
    double* q = calloc((size_t)sn_model_nq(model), sizeof *q);
    memcpy(q, sn_world_q(r.world), sizeof *q * (size_t)sn_model_nq(model));
    for (int i = 0; i < sn_model_nq(model); i++) q[i] += 0.01 * (i % 3);
    CHECK_STATUS(sn_world_set_state(r.world, q, NULL), SN_OK);
    check_wrenches(&r, 11);
    free(q);
    end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_of_a_world_with_sleeping_torsions_are_exact),
        cmocka_unit_test(a_joint_moved_in_its_sleep_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
