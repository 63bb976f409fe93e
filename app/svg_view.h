// SPDX-License-Identifier: Apache-2.0
/// A scene projected along one direction onto a rectangle of the paper.
#ifndef SINEW_APP_SVG_VIEW_H
#define SINEW_APP_SVG_VIEW_H

#include "svg_scene.h"

/// Ways to tell groups apart, used in turn.
enum { VIEW_COLOURS = 8, VIEW_HATCHES = 6 };

typedef struct view {
    const scene_picture* p;
    FILE* out;
    int number;                 ///< names the frame that cuts off what is outside
    sn_vec3 right, up, towards; ///< axes of the paper, and the one that points to the reader, world
    double scale;               ///< SVG units per m
    double low[2], high[2];     ///< m along right and up: what is shown
    double x, y;                ///< left upper corner on the paper
    double force;               ///< N that has the longest arrow
    bool plain;                 ///< without numbers of groups, outlines with fewer corners
} view;

/// What is to be seen of one or more pictures, m along x, y, z. Starts from {0}.
typedef struct view_frame {
    bool filled;
    double low[3], high[3];
} view_frame;

/// Widens the frame by what a picture shows, a floor not far below included; false when there is nothing.
bool view_frame_include(view_frame* frame, const scene_picture* picture);
/// From the side where the frame is wider, with room around; at most so large on the paper.
view view_from_side(const view_frame* frame, double width, double height_most);
/// From above, the same direction to the right, at the same scale.
view view_from_above(const view_frame* frame, const view* side);
double view_height(const view* v); ///< on the paper
void view_write(const view* v);

/// Style and patterns that the views use.
void view_write_style(const scene_picture* picture, FILE* out);
/// The class of a group's shapes.
void view_write_class(FILE* out, const scene_picture* picture, int group);
/// An arrow of a force from one point of the paper to another.
void view_write_arrow(FILE* out, double x0, double y0, double x1, double y1);

#endif
