// SPDX-License-Identifier: Apache-2.0
/// Front door of `load`: files -> model, files <-> contact problem. The only module of the library that
/// reads files.
///
/// load.c reads a file, looks whether it is XML or JSON and hands it to one of two readers:
///   urdf.c (with urdf_link.c, urdf_joint.c, urdf_tree.c)   docs/urdf.md
///   model_json.c (with model_json_body.c)                  docs/eval.md
/// Both describe what they find to an sn_model_builder, whose compiler judges the mechanics; the
/// readers judge only the text. model_json_write.c is the way back. mesh_shape.c reads the meshes of collision
/// shapes (mesh.c: formats, hull.c: convex hulls; docs/meshes.md), srdf.c the pairs of links that never touch.
/// contact_file.c does the same for contact problems (docs/contact_files.md): contact_fc3d.c and
/// contact_siconos.c read point contacts, contact_global.c reduces what is given by bodies, contact_write.c
/// is the way back, with contact_express.c for what is not a point contact.
/// A file is never trusted: its size, depth, numbers and names are checked, nothing is fetched, no
/// entity is expanded, and no recursion follows its depth. What is not used is reported, not
/// dropped in silence. Nothing here may run inside a step. Called by app, scene and tests; files, meshes,
/// numbers and text are there for scene, too.
#ifndef SN_LOAD_SN_LOAD_H
#define SN_LOAD_SN_LOAD_H

#include "base/number.h"
#include "load/file.h"
#include "load/mesh.h"
#include "load/text.h"
#include "sinew/load.h"

#endif
