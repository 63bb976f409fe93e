// SPDX-License-Identifier: Apache-2.0
/// Where the mesh files a URDF names lie on this machine.
#ifndef SN_LOAD_PATHS_H
#define SN_LOAD_PATHS_H

#include "load/context.h"

enum { SN_PATH_MAX = 4096 };

/// Turns package://NAME/REST, file://PATH, an absolute path or one relative to the file being
/// loaded into a path, in out. What cannot be resolved stays as it is written. When the options ask
/// for it, warns (at place) about files that are not there.
void sni_path_resolve(sni_load* load, sn_place place, const char* reference, char* out,
                      size_t size);

bool sni_path_is_file(const char* path);

/// Warns about a mesh file that is not there, when the options ask for it.
void sni_path_check(sni_load* load, sn_place place, const char* path);

#endif
