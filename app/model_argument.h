// SPDX-License-Identifier: Apache-2.0
/// The MODEL word of the command line: a file (URDF or Sinew JSON), a generated model or scene such as
/// chain:100 or stack:3, or the name of a model that comes with sinew, such as hrp2.
#ifndef SINEW_APP_MODEL_ARGUMENT_H
#define SINEW_APP_MODEL_ARGUMENT_H

#include <stdbool.h>

#include "message.h"
#include "sinew/load.h"

/// Folders of the models that come with sinew: those of the source tree, then where they are installed; NULL at the end.
extern const char* model_folders[];

/// Choices of --base, in the order of MODEL_BASE_CHOICES.
typedef enum model_base { MODEL_BASE_FREE, MODEL_BASE_FILE, MODEL_BASE_UNSET } model_base;
#define MODEL_BASE_CHOICES "free|file"
#define MODEL_BASE_HELP                                                                            \
    "root of a URDF, which the format leaves open: free floats, file (the default) is fixed to "   \
    "the world unless a joint of the file says otherwise"

/// What --help says of MODEL.
#define MODEL_HELP                                                                                 \
    "MODEL is a URDF or JSON file, the name of a model that comes with sinew (hrp2, human,\n"      \
    "double_pendulum, snake, cable, four_bar), or a generated one, SHAPE:COUNT[:SEED] with "       \
    "SHAPE\n"                                                                                      \
    "chain, tree, star, caterpillar, random, pendulum or cable, or, on a floor, stack, apart,\n"   \
    "pyramid, wall (also wall:ROWSxCOLUMNS), dominoes, cards or heap; floor is empty. A - reads\n" \
    "from standard input.\n"

typedef struct model_source {
    sn_model* model;
    char* path;      ///< file it came from, "-" standard input, NULL when generated
    message_log log; ///< what the loader said
} model_source;

typedef struct model_request {
    const char* text; ///< the MODEL word
    model_base base;
    bool check_meshes;
    const char** package_paths; ///< NULL-terminated, or NULL
} model_request;

/// What is read besides the model: meshes of its collision shapes, and an SRDF.
typedef struct model_extras {
    sn_mesh_use meshes;
    const char* srdf;   ///< NULL: none
    bool visual_meshes; ///< those of its visual shapes, too
} model_extras;

/// Choices of --meshes, in the order of sn_mesh_use.
#define MODEL_MESH_CHOICES "skip|hull|triangles"
#define MODEL_MESH_HELP                                                                            \
    "collision meshes: skip (the default) leaves files unread, hull takes the convex hull, "       \
    "triangles takes them as they are"
#define MODEL_SRDF_HELP "pairs of links that never touch: <disable_collisions> of this file"

/// The same as model_source_load, and what `extras` (NULL: none) asks for.
bool model_source_load_with(const model_request* request, const model_extras* extras,
                            model_source* source);
/// Whether there is such a file, or a model that comes with sinew or is generated.
bool model_argument_is_known(const char* text);
/// Loads or makes the model. False, with the reason said, when that fails.
bool model_source_load(const model_request* request, model_source* source);
void model_source_free(model_source* source);

#endif
