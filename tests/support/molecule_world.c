// SPDX-License-Identifier: Apache-2.0
#include "support/molecule_world.h"

#include <string.h>

#include "support/check.h"

sn_world_def molecule_world_def(void) {
    sn_world_def def = sn_world_def_default();
    def.gravity = sn_vec3_zero();
    def.field = true;
    return def;
}

static sn_status compute(void* context, const sn_dynamics* d, uint64_t step, sn_wrench* w) {
    return sn_molecule_forces_compute(context, d, 0, sn_pose_identity(), step, w);
}

molecule_world molecule_world_of(sn_molecule* molecule, const sn_torsion_tree_def* tree,
                                 const sn_molecule_forces_def* forces, const sn_world_def* world) {
    molecule_world w = {.molecule = molecule};
    sn_world_def def = world ? *world : molecule_world_def();
    sn_error error;
    CHECK_STATUS(sn_torsion_tree_create(molecule, tree, &w.tree, &error), SN_OK);
    CHECK_STATUS(sn_molecule_forces_create(w.tree, forces, &w.forces, &error), SN_OK);
    if (forces) def.step = forces->step;
    const sn_model* model = sn_torsion_tree_model(w.tree);
    CHECK_STATUS(sn_world_create(model, &def, &w.world, &error), SN_OK);
    sn_field field = {.name = "molecule", .compute = compute, .context = w.forces};
    CHECK_STATUS(sn_world_set_field(w.world, &field), SN_OK);
    sn_molecule_forces_want_report(w.forces, true);
    w.scratch = calloc((size_t)sn_model_body_count(model), sizeof *w.scratch);
    return w;
}

molecule_world molecule_world_named(const char* name, const sn_molecule_forces_def* forces,
                                    const sn_world_def* world) {
    sn_molecule* molecule;
    sn_error error;
    CHECK_STATUS(sn_molecule_build_named(name, &molecule, &error), SN_OK);
    return molecule_world_of(molecule, NULL, forces, world);
}

void molecule_world_free(molecule_world* w) {
    sn_world_free(w->world);
    sn_molecule_forces_free(w->forces);
    sn_torsion_tree_free(w->tree);
    sn_molecule_free(w->molecule);
    free(w->scratch);
}

void molecule_world_run(molecule_world* w, int steps) {
    for (int i = 0; i < steps; i++) CHECK_STATUS(sn_world_step(w->world, NULL), SN_OK);
}

static void look(molecule_world* w) {
    const sn_model* model = sn_torsion_tree_model(w->tree);
    memset(w->scratch, 0, (size_t)sn_model_body_count(model) * sizeof *w->scratch);
    CHECK_STATUS(compute(w->forces, sn_world_dynamics(w->world), 0, w->scratch), SN_OK);
}

double molecule_world_potential(molecule_world* w) {
    look(w);
    return sn_molecule_forces_report(w->forces).energy.total;
}

double molecule_world_energy(molecule_world* w) {
    return molecule_world_potential(w) + sn_world_energy(w->world).kinetic;
}

void molecule_world_torques(molecule_world* w, double* tau) {
    const sn_model* model = sn_torsion_tree_model(w->tree);
    sn_dynamics* d;
    look(w);
    CHECK_STATUS(sn_dynamics_create(model, "reference", &d, NULL), SN_OK);
    sn_dynamics_set_gravity(d, sn_vec3_zero());
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_mat3 R = sn_dynamics_pose(sn_world_dynamics(w->world), sn_body(i)).R;
        sn_wrench pull = sn_world_pull(w->world, sn_body(i));
        sn_wrench all = sn_wrench_add(
            w->scratch[i], sn_wrench_make(sn_mat3_apply(R, pull.n), sn_mat3_apply(R, pull.f)));
        CHECK_STATUS(sn_dynamics_set_wrench(d, sn_body(i), SN_AXES_WORLD, all), SN_OK);
    }
    CHECK_STATUS(sn_dynamics_inverse(d, sn_world_q(w->world), NULL, NULL, tau), SN_OK);
    for (int k = 0; k < sn_model_nv(model); k++) tau[k] = -tau[k];
    sn_dynamics_free(d);
}

sn_vec3 molecule_world_atom(molecule_world* w, int atom) {
    int group = sn_torsion_tree_atom_group(w->tree, atom);
    sn_body_id body = sn_torsion_tree_group_body(w->tree, group);
    sn_pose X = body.i < 0 ? sn_torsion_tree_group_pose(w->tree, group)
                           : sn_dynamics_pose(sn_world_dynamics(w->world), body);
    return sn_pose_apply(X, sn_torsion_tree_atom_offset(w->tree, atom));
}
