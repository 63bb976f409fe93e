// SPDX-License-Identifier: Apache-2.0
// Molecules of the scene in the step: one force field for the world, made of theirs.
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "run/sn_run.h"

static sn_status compute(void* context, const sn_dynamics* dynamics, uint64_t step,
                         sn_wrench* wrench_w) {
    sn_simulation* sim = context;
    const sni_plan* plan = sni_follow_plan(sim);
    sn_status status = SN_OK;
    for (int i = 0; i < sn_scene_molecule_count(sim->scene) && !status; i++) {
        int item = sn_scene_molecule_at(sim->scene, i)->item;
        if (plan->first_body[item] < 0) continue; // it is gone
        status = sn_molecule_forces_compute(sim->forces[i], dynamics, plan->first_body[item],
                                            sn_scene_item(sim->scene, item)->pose, step, wrench_w);
    }
    return status;
}

static void add_energy(sn_forcefield_energy* sum, const sn_forcefield_energy* e) {
    sum->bond += e->bond;
    sum->angle += e->angle;
    sum->torsion += e->torsion;
    sum->lj_nonbonded += e->lj_nonbonded;
    sum->lj_14 += e->lj_14;
    sum->coulomb_nonbonded += e->coulomb_nonbonded;
    sum->coulomb_14 += e->coulomb_14;
    sum->total += e->total;
}

/// Of all molecules that are there.
static sn_status measure(const sn_simulation* sim, const sn_dynamics* dynamics,
                         sn_forcefield_energy* sum) {
    const sni_plan* plan = sni_follow_plan(sim);
    *sum = (sn_forcefield_energy){0};
    for (int i = 0; sim->forces && i < sn_scene_molecule_count(sim->scene); i++) {
        int item = sn_scene_molecule_at(sim->scene, i)->item;
        if (plan->first_body[item] < 0) continue;
        sn_forcefield_report report;
        sn_status status =
            sn_molecule_forces_measure(sim->forces[i], dynamics, plan->first_body[item],
                                       sn_scene_item(sim->scene, item)->pose, &report);
        if (status) return status;
        add_energy(sum, &report.energy);
    }
    return SN_OK;
}

static double energy(void* context, const sn_dynamics* dynamics) {
    sn_forcefield_energy sum;
    return measure(context, dynamics, &sum) ? NAN : sum.total;
}

sn_status sn_simulation_field_energy(sn_simulation* sim, sn_forcefield_energy* energy_out) {
    if (!sim || !energy_out) return SN_ERR_ARGUMENT;
    return measure(sim, sn_world_dynamics(sim->world), energy_out);
}

static void forget(void* context) {
    sn_simulation* sim = context;
    for (int i = 0; i < sn_scene_molecule_count(sim->scene); i++)
        sn_molecule_forces_forget(sim->forces[i]);
}

sn_status sni_molecules_create(sn_simulation* sim, sn_error* error) {
    int count = sn_scene_molecule_count(sim->scene);
    if (count == 0) return SN_OK;
    sim->forces = calloc((size_t)count, sizeof *sim->forces);
    if (!sim->forces) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    for (int i = 0; i < count; i++) {
        const sn_scene_molecule* m = sn_scene_molecule_at(sim->scene, i);
        sn_molecule_forces_def def = m->forces;
        def.step = sn_world_step_size(sim->world);
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
        list[i] = (sn_world_molecule){item->prefix, m->tree, item->pose, m->forces};
        list[i].forces.step = sn_world_step_size(sim->world);
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
