// SPDX-License-Identifier: Apache-2.0
// Parts of JSON files. What is missing or of another kind is thrown as std::runtime_error.
#pragma once

#include "geometry.h"

#include <memory>
#include <string>
#include <vector>

#include <jansson.h>

namespace peer {

using Json = std::unique_ptr<json_t, decltype(&json_decref)>;

[[noreturn]] void fail(const std::string& reason);

// A file that holds an object.
Json load_json(const std::string& path);

const json_t* member(const json_t* object, const char* key);
double number(const json_t* value, const char* what);
int integer(const json_t* object, const char* key);
std::vector<double> numbers(const json_t* object, const char* key, size_t count);
Vec3 vec3(const json_t* object, const char* key);
Pose pose(const json_t* object); // "R" and "p"

} // namespace peer
