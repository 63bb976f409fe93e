// SPDX-License-Identifier: Apache-2.0
/// How bodies touch, the same options in every command that steps a world.
#ifndef SINEW_APP_CONTACT_OPTIONS_H
#define SINEW_APP_CONTACT_OPTIONS_H

#include "model_argument.h"
#include "options.h"
#include "sinew/world.h"

/// As options.h fills it; start from contact_options_none().
typedef struct contact_options {
    int contact;                   ///< of CONTACT_CHOICES; negative: not given
    double margin;                 ///< m; negative: not given
    long contacts, pairs;          ///< most at once; 0: not given
    long patch_points;             ///< 0: not given
    const char *solver, *detector; ///< names, also of a plugin's; NULL: not given
    double tolerance, solve_time;  ///< 0: not given
    long iterations;               ///< 0: not given
    long workers;
    bool no_sleep;
    int meshes; ///< of sn_mesh_use; negative: not given
    const char* srdf;
} contact_options;

#define CONTACT_CHOICES "on|off"
#define CONTACT_OPTIONS(c, solvers)                                                                \
    {"contact", CONTACT_CHOICES,                                                                   \
     "whether shapes touch and joint limits and dry friction hold; on by default when the scene "  \
     "has a floor, objects or other shapes fixed to the world",                                    \
     OPTION_CHOICE, &(c).contact},                                                                 \
        {"margin", "M", "surfaces nearer than this are in contact, in m; 0.001 if not given",      \
         OPTION_LEAST, &(c).margin},                                                               \
        {"contacts", "N",                                                                          \
         "most contact points at once; if not given, 1024 or 16 for each shape that moves",        \
         OPTION_COUNT, &(c).contacts},                                                             \
        {"pairs", "N", "most pairs of near shapes at once; by the number of shapes if not given",  \
         OPTION_COUNT, &(c).pairs},                                                                \
        {"patch-points", "N",                                                                      \
         "of flat contact between two bodies keep N points, at least 4; all if not given",         \
         OPTION_COUNT, &(c).patch_points},                                                         \
        {"solver", solvers, "of contact; nsgs if not given", OPTION_TEXT, &(c).solver},            \
        {"tolerance", "X", "residual at which solving ends; 1e-4 if not given", OPTION_POSITIVE,   \
         &(c).tolerance},                                                                          \
        {"iterations", "N", "most iterations of a step's solve; 500 if not given", OPTION_COUNT,   \
         &(c).iterations},                                                                         \
        {"solve-time", "S", "solving a step ends after so long, in s, with what it has",           \
         OPTION_POSITIVE, &(c).solve_time},                                                        \
        {"workers", "N", "threads that help to solve; 0 if not given", OPTION_WHOLE,               \
         &(c).workers},                                                                            \
        {"meshes", MODEL_MESH_CHOICES,                                                             \
         "collision meshes: hull takes the convex hull (the default where things touch), "         \
         "triangles takes them as they are, skip leaves files unread",                             \
         OPTION_CHOICE, &(c).meshes},                                                              \
        {"srdf", "FILE", MODEL_SRDF_HELP, OPTION_TEXT, &(c).srdf}, {                               \
        "no-sleep", NULL, "bodies at rest do not fall asleep", OPTION_FLAG, &(c).no_sleep          \
    }

contact_options contact_options_none(void);
/// Changes what was given; `wanted`: contact is on unless the options say otherwise; `patient`: nobody waits for a
/// step, so solving may take longer than in a world by default.
void contact_options_set(const contact_options* options, bool wanted, bool patient,
                         sn_world_contact* contact);
/// What is to be read with the model; `wanted` as above.
model_extras contact_options_extras(const contact_options* options, bool wanted);
/// False, with the reason said, when something was given that makes no sense, or only with contact; `plugins`: they
/// may have solvers of other names.
bool contact_options_fit(const contact_options* options, bool on, bool plugins);

#endif
