// SPDX-License-Identifier: Apache-2.0
#include "world_options.h"

#include <math.h>
#include <string.h>

#include "algorithms.h"
#include "message.h"

world_options world_options_none(void) {
    return (world_options){.gravity = {NAN, NAN, NAN}, .integrator = -1};
}

static bool set_step(const char* word, sn_scene* scene, double* step) {
    sn_error error = {0};
    if (word && strcmp(word, "auto") == 0) {
        if (sn_scene_choose_step(scene, &error)) {
            message_error("--step auto: %s", error.text);
            return false;
        }
        *step = sn_scene_world(scene)->step;
        word = NULL;
    }
    if (!word) {
        if (sn_scene_step_reason(scene)[0]) message_note("%s", sn_scene_step_reason(scene));
        return true;
    }
    if (parse_number(word, step) && *step > 0) return true;
    message_error("--step: '%s' is neither a time in s, such as 0.001, nor auto", word);
    return false;
}

// Names of ours, unless plugins may have others.
static bool set_dynamics(const world_options* o, bool foreign, sn_world_def* def) {
    int unused;
    choice_text known = algorithms_dynamics();
    if (o->dynamics && !foreign && !parse_choice("dynamics", known.text, o->dynamics, &unused))
        return false;
    if (o->dynamics) def->dynamics = o->dynamics;
    if (!def->dynamics) def->dynamics = sn_dynamics_algorithm(0);
    return true;
}

bool world_options_set(const world_options* o, opened_scene* scene, sn_world_def* def) {
    if (!isnan(o->gravity[0]))
        def->gravity = sn_vec3_make(o->gravity[0], o->gravity[1], o->gravity[2]);
    if (o->integrator >= 0) def->integrator = (sn_integrator)o->integrator;
    return set_step(o->step, scene->scene, &def->step) && set_dynamics(o, scene->has_plugins, def);
}

bool world_options_fit_contact(const sn_world_def* def) {
    if (!def->contact.on || def->integrator == SN_INTEGRATE_EULER) return true;
    message_error("--integrator %s: contact needs euler; leave out --integrator, or add --contact "
                  "off",
                  sn_integrator_name(def->integrator));
    return false;
}
