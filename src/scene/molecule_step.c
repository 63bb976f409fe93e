// SPDX-License-Identifier: Apache-2.0
// Steps of a scene with molecules: what all of them are stable with.
#include <stdio.h>

#include "base/error.h"
#include "scene/read.h"
#include "sinew/molecule_step.h"

static const double WAVES = 5.30884; // 1/cm of an angular frequency of 1 rad/ps

static void give_reason(sn_scene* scene, const sn_torsion_tree* tree,
                        const sn_step_choice* choice) {
    if (!(choice->frequency > 0)) return;
    snprintf(scene->step_reason, sizeof scene->step_reason,
             "step %.2g fs: the fastest motion, about %s, has %.0f/cm; steps up to %.2g fs are "
             "stable, and at most a tenth of that is used",
             1e3 * choice->step, sn_torsion_tree_torsion(tree, choice->torsion).name,
             WAVES * choice->frequency, 1e3 * choice->bound);
}

sn_status sn_scene_choose_step(sn_scene* scene, sn_error* error) {
    sn_step_choice shortest = {.torsion = -1};
    const sn_torsion_tree* tree = NULL;
    for (int i = 0; scene && i < scene->molecule_count; i++) {
        const sn_scene_molecule* m = &scene->molecule[i];
        sn_step_choice choice;
        sn_status status =
            sn_molecule_choose_step(m->tree, &m->forces, scene->item[m->item].q, &choice, error);
        if (status) return status;
        if (tree && !(choice.step < shortest.step)) continue;
        shortest = choice;
        tree = m->tree;
    }
    if (!tree)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "there are no molecules whose steps could be chosen");
    scene->world.step = shortest.step;
    give_reason(scene, tree, &shortest);
    return SN_OK;
}

const char* sn_scene_step_reason(const sn_scene* scene) { return scene->step_reason; }

void sni_choose_step(sn_scene* scene, const sn_log* log) {
    sn_error error = {0};
    if (sn_scene_choose_step(scene, &error))
        sni_say(log, SN_LOG_WARNING, sni_nowhere(), "the step stays %g ps: %s", scene->world.step,
                error.text);
}
