// SPDX-License-Identifier: Apache-2.0
#include "molecule_rig.h"

#include <math.h>
#include <string.h>

#include "message.h"

sn_world_def molecule_rig_world(void) {
    sn_world_def def = sn_world_def_default();
    def.step = sn_molecule_forces_def_default().step;
    def.gravity = sn_vec3_zero();
    def.units = SN_UNITS_MOLECULAR;
    def.field = true;
    return def;
}

static sn_status compute(void* context, const sn_dynamics* dynamics, uint64_t step,
                         sn_wrench* wrench_w) {
    return sn_molecule_forces_compute(context, dynamics, 0, sn_pose_identity(), step, wrench_w);
}

sn_status molecule_rig_start(molecule_rig* rig, const sn_molecule_forces_def* forces,
                             const sn_world_def* world, sn_error* error) {
    sn_molecule_forces_def def = forces ? *forces : sn_molecule_forces_def_default();
    sn_torsion_tree_def tree = sn_torsion_tree_def_for(rig->molecule);
    def.step = world->step;
    sn_status status = sn_torsion_tree_create(rig->molecule, &tree, &rig->tree, error);
    if (!status) status = sn_molecule_forces_create(rig->tree, &def, &rig->forces, error);
    if (!status)
        status = sn_world_create(sn_torsion_tree_model(rig->tree), world, &rig->world, error);
    sn_field field = {.name = "molecule", .compute = compute, .context = rig->forces};
    return status ? status : sn_world_set_field(rig->world, &field);
}

void molecule_rig_free(molecule_rig* rig) {
    sn_world_free(rig->world);
    sn_molecule_forces_free(rig->forces);
    sn_torsion_tree_free(rig->tree);
    sn_molecule_free(rig->molecule);
    *rig = (molecule_rig){0};
}

void molecule_rig_trouble(const char* what, const sn_error* error) {
    if (error->text[0]) {
        message_error_from(error);
    } else {
        message_error("%s: %s", what, sn_status_text(error->status));
    }
}

int molecule_rig_atom(const molecule_rig* rig, int residue, const char* name) {
    int count = sn_molecule_residue_count(rig->molecule);
    sn_residue_info r = sn_molecule_residue(rig->molecule, residue < 0 ? count + residue : residue);
    for (int i = r.first_atom; i < r.first_atom + r.atom_count; i++)
        if (strcmp(sn_molecule_atom(rig->molecule, i).name, name) == 0) return i;
    return -1;
}

sn_vec3 molecule_rig_place(const molecule_rig* rig, int atom) {
    int group = sn_torsion_tree_atom_group(rig->tree, atom);
    sn_body_id body = sn_torsion_tree_group_body(rig->tree, group);
    sn_pose X = body.i < 0 ? sn_torsion_tree_group_pose(rig->tree, group)
                           : sn_dynamics_pose(sn_world_dynamics(rig->world), body);
    return sn_pose_apply(X, sn_torsion_tree_atom_offset(rig->tree, atom));
}

double molecule_rig_potential(const molecule_rig* rig) {
    sn_forcefield_report report;
    sn_status status = sn_molecule_forces_measure(rig->forces, sn_world_dynamics(rig->world), 0,
                                                  sn_pose_identity(), &report);
    return status ? NAN : report.energy.total;
}
