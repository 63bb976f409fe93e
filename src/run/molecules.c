// SPDX-License-Identifier: Apache-2.0
// Molecules of the scene in the step: one force field for the world, made of theirs.
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "run/sn_run.h"

/// Where it is in the world's model; -1: there is none, or it is gone.
static int32_t first_body(const sn_simulation* sim, int i) {
    if (i < 0 || i >= sn_scene_molecule_count(sim->scene)) return -1;
    return sni_follow_plan(sim)->first_body[sn_scene_molecule_at(sim->scene, i)->item];
}

static sn_pose pose_of(const sn_simulation* sim, int i) {
    return sn_scene_item(sim->scene, sn_scene_molecule_at(sim->scene, i)->item)->pose;
}

static sn_status compute(void* context, const sn_dynamics* dynamics, uint64_t step,
                         sn_wrench* wrench_w) {
    sn_simulation* sim = context;
    sn_status status = SN_OK;
    for (int i = 0; i < sn_scene_molecule_count(sim->scene) && !status; i++)
        if (first_body(sim, i) >= 0)
            status = sn_molecule_forces_compute(sim->forces[i], dynamics, first_body(sim, i),
                                                pose_of(sim, i), step, wrench_w);
    return status;
}

/// Of all molecules that are there.
static sn_status measure(const sn_simulation* sim, const sn_dynamics* dynamics,
                         sn_forcefield_energy* sum) {
    *sum = (sn_forcefield_energy){0};
    for (int i = 0; sim->forces && i < sn_scene_molecule_count(sim->scene); i++) {
        if (first_body(sim, i) < 0) continue;
        sn_forcefield_report report;
        sn_status status = sn_molecule_forces_measure(sim->forces[i], dynamics, first_body(sim, i),
                                                      pose_of(sim, i), &report);
        if (status) return status;
        sn_forcefield_energy_add(sum, &report.energy);
    }
    return SN_OK;
}

static double energy(void* context, const sn_dynamics* dynamics) {
    sn_forcefield_energy sum;
    return measure(context, dynamics, &sum) ? NAN : sum.total;
}

static void forget(void* context) {
    sn_simulation* sim = context;
    for (int i = 0; i < sn_scene_molecule_count(sim->scene); i++)
        sn_molecule_forces_forget(sim->forces[i]);
}

/// Forces with the world's step; without inertia nothing has heat.
static sn_molecule_forces_def forces_in_world(const sn_simulation* sim,
                                              const sn_scene_molecule* m) {
    sn_molecule_forces_def def = m->forces;
    def.step = sn_world_step_size(sim->world);
    if (sn_world_integrator(sim->world) == SN_INTEGRATE_QUASISTATIC) def.temperature = 0;
    return def;
}

sn_status sni_molecules_create(sn_simulation* sim, sn_error* error) {
    int count = sn_scene_molecule_count(sim->scene);
    if (count == 0) return SN_OK;
    sim->forces = calloc((size_t)count, sizeof *sim->forces);
    if (!sim->forces) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    for (int i = 0; i < count; i++) {
        const sn_scene_molecule* m = sn_scene_molecule_at(sim->scene, i);
        sn_molecule_forces_def def = forces_in_world(sim, m);
        if (def.temperature < m->forces.temperature)
            sni_remark(sim, SN_LOG_NOTE,
                       "quasistatic: nothing has heat, so the temperature of %g K is left out",
                       m->forces.temperature);
        sn_status status = sn_molecule_forces_create(m->tree, &def, &sim->forces[i], error);
        if (status) return status;
    }
    sn_field field = {"molecules", compute, sim, energy, forget};
    return sn_world_set_field(sim->world, &field);
}

sn_world_molecule* sni_molecules_describe(const sn_simulation* sim) {
    int count = sn_scene_molecule_count(sim->scene);
    sn_world_molecule* list = calloc((size_t)count + 1, sizeof *list);
    for (int i = 0; list && i < count; i++) {
        const sn_scene_molecule* m = sn_scene_molecule_at(sim->scene, i);
        const sn_item* item = sn_scene_item(sim->scene, m->item);
        list[i] = (sn_world_molecule){item->prefix, m->tree, item->pose, forces_in_world(sim, m)};
    }
    return list;
}

void sni_molecules_free(sn_simulation* sim) {
    for (int i = 0; sim->forces && i < sn_scene_molecule_count(sim->scene); i++)
        sn_molecule_forces_free(sim->forces[i]);
    free(sim->forces);
}

sn_molecule_forces* sn_simulation_molecule(sn_simulation* sim, int i) {
    bool there = sim && sim->forces && i >= 0 && i < sn_scene_molecule_count(sim->scene);
    return there ? sim->forces[i] : NULL;
}

sn_status sn_simulation_atoms(sn_simulation* sim, int i, sn_vec3* p_w, sn_vec3* v_w) {
    if (!sim || !p_w || first_body(sim, i) < 0) return SN_ERR_ARGUMENT;
    sn_world_molecule molecule = {.tree = sn_scene_molecule_at(sim->scene, i)->tree,
                                  .pose = pose_of(sim, i)};
    sni_update_motion(sim->world);
    sn_world_molecule_place(&molecule, sim->world->dynamics, first_body(sim, i), p_w, v_w);
    return SN_OK;
}

sn_status sn_simulation_molecule_energy(sn_simulation* sim, int i, sn_forcefield_report* report) {
    if (!sim || !report || first_body(sim, i) < 0) return SN_ERR_ARGUMENT;
    sni_update_motion(sim->world);
    return sn_molecule_forces_measure(sim->forces[i], sim->world->dynamics, first_body(sim, i),
                                      pose_of(sim, i), report);
}

sn_status sn_simulation_field_energy(sn_simulation* sim, sn_forcefield_energy* energy_out) {
    if (!sim || !energy_out) return SN_ERR_ARGUMENT;
    sni_update_motion(sim->world);
    return measure(sim, sim->world->dynamics, energy_out);
}
