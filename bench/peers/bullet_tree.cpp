// SPDX-License-Identifier: Apache-2.0
#include "bullet_tree.h"

#include <stdexcept>

namespace peer {

namespace {

void group_into_trees(const Model& model, BulletTrees& all) {
    std::vector<size_t> tree_of;
    for (size_t i = 0; i < model.bodies.size(); i++) {
        const Body& body = model.bodies[i];
        const bool free = body.type == JointType::free;
        if (body.parent < 0) {
            tree_of.push_back(all.trees.size());
            all.trees.emplace_back();
            all.trees.back().root = i;
            all.trees.back().free = free;
        } else {
            if (free) throw std::runtime_error("unsupported free joint that is not at a root");
            tree_of.push_back(tree_of[static_cast<size_t>(body.parent)]);
        }
        all.link_of.push_back(-1);
        if (free) continue;
        BulletTree& tree = all.trees[tree_of[i]];
        all.link_of.back() = static_cast<int>(tree.links.size());
        tree.links.push_back(i);
    }
}

void setup_link(const Model& model, const BulletTrees& all, int i, const BulletTree& tree) {
    const size_t index = tree.links[static_cast<size_t>(i)];
    const Body& body = model.bodies[index];
    const Pose& X_bc = all.frames[index].X_bc;
    const size_t p = static_cast<size_t>(body.parent);
    const Pose X_cp = body.parent < 0 ? Pose{identity3, {}} : inverse(all.frames[p].X_bc);
    const int parent = body.parent < 0 ? -1 : all.link_of[p];
    const Pose joint = X_cp * body.placement; // in the com frame of the parent
    const Mat3 R_cb = transpose(X_bc.R);
    const btQuaternion from_parent = bt(quaternion(R_cb * transpose(joint.R)));
    const btVector3 axis = bt(R_cb * body.axis), pivot = bt(joint.p), com = bt(R_cb * X_bc.p);
    const btVector3 moments = bt(all.frames[index].moments);
    btMultiBody& m = *tree.multibody;
    switch (body.type) {
    case JointType::revolute:
        m.setupRevolute(i, body.mass, moments, parent, from_parent, axis, pivot, com, true);
        break;
    case JointType::prismatic:
        m.setupPrismatic(i, body.mass, moments, parent, from_parent, axis, pivot, com, true);
        break;
    case JointType::spherical:
        m.setupSpherical(i, body.mass, moments, parent, from_parent, pivot, com, true);
        break;
    case JointType::free: break;
    }
}

void build(const Model& model, const BulletTrees& all, BulletTree& tree) {
    const double mass = tree.free ? model.bodies[tree.root].mass : 0;
    const Vec3 moments = tree.free ? all.frames[tree.root].moments : Vec3{};
    const int count = static_cast<int>(tree.links.size());
    tree.multibody = std::make_unique<btMultiBody>(count, mass, bt(moments), !tree.free, false);
    for (int i = 0; i < count; i++) setup_link(model, all, i, tree);
    tree.multibody->setLinearDamping(0);
    tree.multibody->setAngularDamping(0);
    tree.multibody->finalizeMultiDof();
}

} // namespace

ComFrame com_frame(const Body& body) {
    const Principal principal = principal_axes(body.inertia_com);
    return {{principal.R, body.com}, principal.moments};
}

BulletTrees bullet_trees(const Model& model) {
    BulletTrees all;
    for (const Body& body : model.bodies) all.frames.push_back(com_frame(body));
    group_into_trees(model, all);
    for (BulletTree& tree : all.trees) build(model, all, tree);
    return all;
}

std::string bullet_version() {
    const int number = btGetVersion(); // 324: 3.24
    return std::to_string(number / 100) + "." + std::to_string(number % 100);
}

} // namespace peer
