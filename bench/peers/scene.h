// SPDX-License-Identifier: Apache-2.0
// A scene: bodies that touch each other, what they start with, and what holds between all of them.
#pragma once

#include "peer.h"

namespace peer {

enum class ShapeType { sphere, box, cylinder, capsule, plane };

struct Shape {
    int body; // -1: the world
    ShapeType type;
    Pose pose; // in the body
    Vec3 size; // as in docs/eval.md
    unsigned group,
        mask; // two shapes can touch when each one's group has a bit of the other's mask
};

// A free body without a parent: where it is and how its origin moves, all in world axes.
struct Root {
    Vec3 position;
    Quat rotation;
    Vec3 velocity, omega;
};

// Joints other than those of the roots start at zero, at rest, and springs and dampers hold them there.
struct Scene {
    Model model;
    std::vector<Shape> shapes;
    std::vector<Root> roots; // of the free bodies without a parent, in the order of the model
    Vec3 gravity;
    double step;               // s
    double mu, restitution;    // of every pair
    double stiffness, damping; // N m/rad, N m s/rad; both 0: no joint is held
};

inline bool is_root(const Body& body) { return body.type == JointType::free && body.parent < 0; }

// Reads the model, as docs/eval.md has it, and the scene that `sinew bench contact` writes beside it:
// "step", "gravity", "mu", "restitution", "stiffness", "damping"; "shapes" with "body", "type", "pose",
// "size", "group", "mask"; "roots", a list of 13 numbers each: position, quaternion x y z w, velocity of
// the origin, angular velocity.
Scene read_scene(const std::string& model_path, const std::string& scene_path);

} // namespace peer
