// SPDX-License-Identifier: Apache-2.0
/// A scene seen from the side and from above as SVG: outlines of shapes in the colour and hatch of their
/// collision group, contact points with their normals and forces, a legend.
#ifndef SINEW_APP_SVG_SCENE_H
#define SINEW_APP_SVG_SCENE_H

#include <stdio.h>

#include "sinew/plugin.h"

enum { SCENE_LINES_MOST = 3 };

/// A collision group.
typedef struct scene_group {
    int bodies, contacts;
    bool asleep;
} scene_group;

typedef struct scene_picture {
    const char* title;
    const char* lines[SCENE_LINES_MOST]; ///< below the title; NULL after the last
    const sn_model* model;
    const sn_units* units;
    const sn_pose* poses; ///< of bodies, world
    const int* group_of;  ///< per body
    const scene_group* groups;
    int group_count;
    const sn_contact_view* contacts;
    int contact_count;
    const sn_stroke* strokes; ///< lines and words of plugins
    int stroke_count;
} scene_picture;

/// Writes the picture; write errors stay on the stream for its owner to find.
void svg_scene_write(const scene_picture* picture, FILE* out);

#endif
