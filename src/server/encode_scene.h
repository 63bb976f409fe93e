// SPDX-License-Identifier: Apache-2.0
/// SCENE: all that does not move, told once.   docs/protocol.md
#ifndef SN_SERVER_ENCODE_SCENE_H
#define SN_SERVER_ENCODE_SCENE_H

#include "server/cast.h"
#include "server/picture.h"

typedef struct sni_scene_parts {
    const sn_server_view* view;
    const char* name;
    const sn_scene* scene; ///< NULL: of a replay
    const sn_units* units;
    double step; ///< s
    const sni_cast* cast;
    const sni_picture* picture;
    const sni_facts* facts;
    uint32_t generation;
} sni_scene_parts;

/// Adds all after the first eight bytes, which are there.
void sni_encode_scene(const sni_scene_parts* parts, sni_bytes* out);

#endif
