// SPDX-License-Identifier: Apache-2.0
#include "scene.h"

#include "json.h"
#include "read.h"

#include <algorithm>

namespace peer {

namespace {

ShapeType shape_type(const json_t* value) {
    const std::string name = json_is_string(value) ? json_string_value(value) : "?";
    if (name == "sphere") return ShapeType::sphere;
    if (name == "box") return ShapeType::box;
    if (name == "cylinder") return ShapeType::cylinder;
    if (name == "capsule") return ShapeType::capsule;
    if (name == "plane") return ShapeType::plane;
    fail("unsupported shape " + name);
}

Shape read_shape(const json_t* object, const Model& model) {
    Shape shape{};
    shape.body = integer(object, "body");
    if (shape.body < -1 || shape.body >= static_cast<int>(model.bodies.size())) {
        fail("a shape of a body that there is not");
    }
    shape.type = shape_type(member(object, "type"));
    if (shape.type == ShapeType::plane && shape.body >= 0) fail("unsupported plane that moves");
    shape.pose = pose(member(object, "pose"));
    shape.size = vec3(object, "size");
    shape.group = static_cast<unsigned>(integer(object, "group"));
    shape.mask = static_cast<unsigned>(integer(object, "mask"));
    return shape;
}

std::vector<Root> read_roots(const json_t* scene, const Model& model) {
    const auto count = std::count_if(model.bodies.begin(), model.bodies.end(), is_root);
    const std::vector<double> x = numbers(scene, "roots", 13 * static_cast<size_t>(count));
    std::vector<Root> roots;
    for (unsigned i = 0; i < x.size(); i += 13) {
        const Quat a = {x[i + 3], x[i + 4], x[i + 5], x[i + 6]};
        roots.push_back({get3(x, i), normalized(a), get3(x, i + 7), get3(x, i + 10)});
    }
    return roots;
}

} // namespace

Scene read_scene(const std::string& model_path, const std::string& scene_path) {
    Scene scene{};
    scene.model = read_model(model_path);
    const Json file = load_json(scene_path);
    const json_t* root = file.get();
    scene.roots = read_roots(root, scene.model);
    scene.gravity = vec3(root, "gravity");
    scene.step = number(member(root, "step"), "step");
    scene.mu = number(member(root, "mu"), "mu");
    scene.restitution = number(member(root, "restitution"), "restitution");
    scene.stiffness = number(member(root, "stiffness"), "stiffness");
    scene.damping = number(member(root, "damping"), "damping");
    const json_t* shapes = member(root, "shapes");
    for (size_t i = 0; i < json_array_size(shapes); i++) {
        scene.shapes.push_back(read_shape(json_array_get(shapes, i), scene.model));
    }
    return scene;
}

} // namespace peer
