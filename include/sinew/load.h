// SPDX-License-Identifier: Apache-2.0
/// Models from files: URDF, with meshes (docs/meshes.md) and SRDF, and Sinew's own JSON (docs/eval.md). What
/// a file says and we do not use is reported once through the log, with its line; what is wrong is an error
/// with line and reason.
#ifndef SINEW_LOAD_H
#define SINEW_LOAD_H

#include <stddef.h>

#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What to do with the root link of a URDF, which the format leaves open.
typedef enum sn_load_base {
    SN_BASE_AS_FILE, ///< as the file says: the root link is the world unless a joint says otherwise
    SN_BASE_FREE     ///< the root link floats: a free joint named root_joint carries it
} sn_load_base;

/// What to do with the mesh files that collision shapes name.
typedef enum sn_mesh_use {
    SN_MESH_SKIP,     ///< not read: such shapes are names, and nothing can touch them
    SN_MESH_HULL,     ///< the shape becomes the convex hull of its mesh, SN_SHAPE_HULL
    SN_MESH_TRIANGLES ///< the shape stays SN_SHAPE_MESH and gets the triangles of the file
} sn_mesh_use;

/// A fixed joint of a file that gives way in truth, such as a rubber bush: it becomes a ball joint, held by a spring and a
/// damper.
typedef struct sn_flexible_joint {
    const char* joint;
    double stiffness; ///< N m/rad
    double damping;   ///< N m s/rad
} sn_flexible_joint;

typedef struct sn_load_def {
    sn_load_base base;
    const char**
        package_paths; ///< folders searched for package://NAME/..., NULL-terminated or NULL
    bool check_meshes; ///< warn about mesh files that do not exist
    sn_mesh_use
        meshes; ///< a mesh that cannot be read is a warning. Reading any is for one thread at a time
    bool visual_meshes; ///< those of visual shapes are read, too, as triangles: for who draws them
    const char* srdf;   ///< file with <disable_collisions> for this model, NULL: none
    const sn_flexible_joint*
        flexible; ///< [flexible_count] of a URDF; masses on both sides must be positive
    int flexible_count;
    sn_log log;
} sn_load_def;

/// As the file says, meshes checked but not read, no SRDF, no log.
sn_load_def sn_load_def_default(void);

/// Loads by content: XML is taken as URDF, JSON as a Sinew model.
sn_status sn_model_load(const char* path, const sn_load_def* def, sn_model** model,
                        sn_error* error);
/// The same from memory. `name` stands for the file in messages and resolves relative mesh paths.
sn_status sn_model_load_memory(const char* text, size_t length, const char* name,
                               const sn_load_def* def, sn_model** model, sn_error* error);

/// The model as JSON text that sn_model_load reads back to the same model. Free with
/// sn_text_free.
sn_status sn_model_to_json(const sn_model* model, char** text, sn_error* error);
void sn_text_free(char* text);

/// The convex hull of points: its corners, in the order of the points, and the triangles of its surface, three
/// corners each, counter-clockwise seen from outside. Points in a plane (thinner than 1e-6 of their extent)
/// have a flat hull of two sides. SN_ERR_MODEL when they are on a line or at one place. Free with sn_hull_free.
sn_status sn_hull_compute(const sn_vec3* points, int count, sn_vec3** vertices, int* vertex_count,
                          int32_t** triangles, int* triangle_count, sn_error* error);
void sn_hull_free(sn_vec3* vertices, int32_t* triangles);

#ifdef __cplusplus
}
#endif
#endif
