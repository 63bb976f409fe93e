// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <stdexcept>

namespace peer {

void fail(const std::string& reason) { throw std::runtime_error(reason); }

Json load_json(const std::string& path) {
    json_error_t error;
    Json root(json_load_file(path.c_str(), 0, &error), &json_decref);
    if (!root) {
        const std::string line = error.line > 0 ? ":" + std::to_string(error.line) : "";
        fail(path + line + ": " + error.text);
    }
    if (!json_is_object(root.get())) fail(path + ": not a JSON object");
    return root;
}

const json_t* member(const json_t* object, const char* key) {
    const json_t* value = json_object_get(object, key);
    if (!value) fail(std::string("no ") + key);
    return value;
}

double number(const json_t* value, const char* what) {
    if (!json_is_number(value)) fail(std::string(what) + " is not a number");
    return json_number_value(value);
}

int integer(const json_t* object, const char* key) {
    const json_t* value = member(object, key);
    if (!json_is_integer(value)) fail(std::string(key) + " is not an integer");
    return static_cast<int>(json_integer_value(value));
}

std::vector<double> numbers(const json_t* object, const char* key, size_t count) {
    const json_t* value = member(object, key);
    if (!json_is_array(value) || json_array_size(value) != count) {
        fail(std::string(key) + " is not an array of " + std::to_string(count) + " numbers");
    }
    std::vector<double> list;
    for (size_t i = 0; i < count; i++) list.push_back(number(json_array_get(value, i), key));
    return list;
}

Vec3 vec3(const json_t* object, const char* key) {
    const std::vector<double> x = numbers(object, key, 3);
    return {x[0], x[1], x[2]};
}

Pose pose(const json_t* object) {
    const std::vector<double> R = numbers(object, "R", 9);
    Pose X{};
    for (unsigned i = 0; i < 9; i++) X.R[i] = R[i];
    X.p = vec3(object, "p");
    return X;
}

} // namespace peer
