// SPDX-License-Identifier: Apache-2.0
/// Options of the world, the same in every command that has them.
#ifndef SINEW_APP_WORLD_OPTIONS_H
#define SINEW_APP_WORLD_OPTIONS_H

#include "scene.h"

/// As options.h fills it; start from world_options_none().
typedef struct world_options {
    const char* step;     ///< a number or "auto"; NULL: not given
    double gravity[3];    ///< NAN: not given
    int integrator;       ///< negative: not given
    const char* dynamics; ///< name, also of a plugin's; NULL: not given
} world_options;

#define WORLD_OPTIONS(w, integrators, dynamics_names)                                              \
    {"step", "S|auto",                                                                             \
     "length of a step, in s, 0.001 if not given; auto: what molecules are stable with, which is " \
     "their default",                                                                              \
     OPTION_TEXT, &(w).step},                                                                      \
        {"integrator", integrators,                                                                \
         "semi-implicit Euler of order 1 (the default), Runge-Kutta of order 4, implicit "         \
         "midpoint "                                                                               \
         "of order 2, which keeps energy best, or quasistatic: no inertia, each step goes "        \
         "downhill to where forces balance",                                                       \
         OPTION_CHOICE, &(w).integrator},                                                          \
        {"dynamics", dynamics_names,                                                               \
         "forward dynamics to use, also a plugin's by its name; the first is the default",         \
         OPTION_TEXT, &(w).dynamics},                                                              \
    {                                                                                              \
        "gravity", "X,Y,Z", "acceleration of gravity in world axes; 0,0,-9.81 if not given",       \
            OPTION_VECTOR, (w).gravity                                                             \
    }

world_options world_options_none(void);
/// Changes the options of a scene's world as asked for. False, with the reason said, when something does not fit.
bool world_options_set(const world_options* options, opened_scene* scene, sn_world_def* def);
/// Whether contact can be, by the integrator; false, with the reason said.
bool world_options_fit_contact(const sn_world_def* def);

#endif
