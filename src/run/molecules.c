// SPDX-License-Identifier: Apache-2.0
// Molecules of the scene in the step: one force field for the world, made of theirs.
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

sn_status sni_molecules_create(sn_simulation* sim, sn_error* error) {
    int count = sn_scene_molecule_count(sim->scene);
    if (count == 0) return SN_OK;
    sim->forces = calloc((size_t)count, sizeof *sim->forces);
    if (!sim->forces) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    for (int i = 0; i < count; i++) {
        const sn_scene_molecule* m = sn_scene_molecule_at(sim->scene, i);
        sn_molecule_forces_def def = m->forces;
        def.step = sn_world_step_size(sim->world);
        if (sn_world_integrator(sim->world) == SN_INTEGRATE_QUASISTATIC) {
            if (def.temperature > 0)
                sni_remark(sim, SN_LOG_NOTE,
                           "quasistatic: nothing has heat, so the temperature of %g K is left out",
                           def.temperature);
            def.temperature = 0;
        }
        sn_status status = sn_molecule_forces_create(m->tree, &def, &sim->forces[i], error);
        if (status) return status;
    }
    sn_field field = {"molecules", compute, sim};
    return sn_world_set_field(sim->world, &field);
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
