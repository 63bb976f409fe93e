// SPDX-License-Identifier: Apache-2.0
// What is wrong with a scene is said with file, line and column, what is allowed, and the nearest word.
#include <stdio.h>
#include <string.h>

#include "support/loading.h"
#include "support/scenes.h"

#define V "version: 1\n"

// ---- YAML -------------------------------------------------------------------------------------------

static void what_is_not_yaml_is_refused(void** state) {
    (void)state;
    SCENE_FAILS("", 0, 0, "the file is empty");
    SCENE_FAILS("# nothing but words\n", 0, 0, "the file is empty");
    SCENE_FAILS(V "floor: [", 3, 1, "this is not YAML");
    SCENE_FAILS(V "\tfloor: true", 2, 1, "this is not YAML");
    SCENE_FAILS(V "a: 'b", 2, 6, "this is not YAML");
    SCENE_FAILS(V "name: \"\xff\"", 2, 8, "this is not YAML");
    SCENE_FAILS("%YAML 9.9\n---\n" V, 1, 1, "this is not YAML");
}

static void yaml_beyond_data_is_refused(void** state) {
    (void)state;
    SCENE_FAILS(V "name: &a b\n", 2, 7, "anchors and aliases");
    SCENE_FAILS(V "floor: &a {mu: 1}\n", 2, 8, "anchors and aliases");
    SCENE_FAILS(V "objects: &a []\n", 2, 10, "anchors and aliases");
    SCENE_FAILS(V "name: *a\n", 2, 7, "anchors and aliases");
    SCENE_FAILS(V "name: !x b\n", 2, 7, "tags (!)");
    SCENE_FAILS(V "floor: !x {mu: 1}\n", 2, 8, "tags (!)");
    SCENE_FAILS(V "objects: !x []\n", 2, 10, "tags (!)");
    SCENE_FAILS(V "---\n" V, 2, 1, "a second document");
    SCENE_FAILS(V "name: \"a\\0b\"\n", 2, 7, "a zero byte");
}

static void deep_nesting_is_refused(void** state) {
    (void)state;
    char text[200] = V "objects: ";
    size_t head = strlen(text);
    memset(text + head, '[', 60);
    SCENE_FAILS(text, 2, 10 + 31, "nested deeper than 32 levels");
    char* bomb = repeated(V "objects: ", "[", 100000, "");
    sn_scene* scene;
    sn_error error;
    CHECK_STATUS(sn_scene_load_memory(bomb, strlen(bomb), NULL, NULL, &scene, &error),
                 SN_ERR_FORMAT);
    CHECK(strcmp(error.file, "memory") == 0, 0);
    free(bomb);
}

static void huge_files_are_refused(void** state) {
    (void)state;
    size_t length = ((size_t)64 << 20) + 1;
    char* text = calloc(length, 1); // never looked at
    sn_scene* scene;
    sn_error error;
    CHECK_STATUS(sn_scene_load_memory(text, length, "x", NULL, &scene, &error), SN_ERR_FILE);
    CHECK(strstr(error.text, "larger than 64 MB"), 0);
    free(text);
}

static void arguments_are_checked(void** state) {
    (void)state;
    sn_scene* scene = NULL;
    sn_error error = {0};
    char* text = NULL;
    CHECK_STATUS(sn_scene_load_memory(NULL, 1, "x", NULL, &scene, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_scene_load_memory("", 0, "x", NULL, NULL, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_scene_load_memory(NULL, 0, "x", NULL, &scene, &error), SN_ERR_FORMAT);
    CHECK_STATUS(sn_scene_load(NULL, NULL, &scene, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_scene_load("chain:3", NULL, NULL, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_scene_schema(NULL, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_scene_schema(&text, NULL), SN_OK);
    sn_text_free(text);
}

// ---- keys -------------------------------------------------------------------------------------------

static void a_scene_is_a_mapping_with_a_version(void** state) {
    (void)state;
    SCENE_FAILS("hello\n", 1, 1, "a scene is a mapping of version, name, about");
    SCENE_FAILS("[1, 2]\n", 1, 1, "not a list of 2");
    SCENE_FAILS("{}\n", 1, 1, "a scene needs the key 'version': of this format: 1");
    SCENE_FAILS("version: 2\n", 1, 10, "version 2 of scene files is not known; this is version 1");
    SCENE_FAILS("version: 1.5\n", 1, 10, "'version' must be a whole number; not '1.5'");
    SCENE_FAILS("version: '1'\n", 1, 10, "'version' must be a whole number; not the text '1'");
}

static void unknown_keys_are_named_with_the_nearest(void** state) {
    (void)state;
    SCENE_FAILS(V "gravty: [0, 0, 0]\n", 2, 1,
                "there is no key 'gravty' in a scene; did you mean 'gravity'?");
    SCENE_FAILS(V "zzzzzzzz: 1\n", 2, 1,
                "there is no key 'zzzzzzzz' in a scene; allowed are version, name");
    SCENE_FAILS(V "objects:\n- {shpere: 1}\n", 3, 4, "in an object; did you mean 'sphere'?");
    SCENE_FAILS(V "objects:\n- {model: hrp2}\n", 3, 4, "there is no key 'model' in an object");
    SCENE_FAILS(V "models:\n- {sphere: 1}\n", 3, 4, "there is no key 'sphere' in a model");
    SCENE_FAILS(V "environment:\n- {sphere: 1, mass: 2}\n", 3, 15, "in a shape of the environment");
    SCENE_FAILS(V "? [a]\n: 1\n", 2, 3, "a key must be a word");
}

static void keys_are_given_once(void** state) {
    (void)state;
    SCENE_FAILS(V "step: 0.1\nstep: 0.2\n", 3, 1, "'step' is given twice; the first is in line 2");
    SCENE_FAILS(V "materials: {a: {}, a: {}}\n", 2, 20, "the material 'a' is given twice");
    SCENE_FAILS(V "models: [{model: double_pendulum, q: {upper_hinge: 0, upper_hinge: 1}}]\n", 2,
                55, "the joint 'upper_hinge' is given twice");
}

static void groups_of_keys_exclude_each_other(void** state) {
    (void)state;
    SCENE_FAILS(V "objects: [{sphere: 1, box: [1, 1, 1]}]\n", 2, 20,
                "'box' and 'sphere' exclude each other");
    SCENE_FAILS(V "objects: [{name: a}]\n", 2, 11,
                "an object needs one of box, sphere, cylinder, capsule, hull, mesh, generate");
    SCENE_FAILS(V "models: [{name: a}]\n", 2, 10, "a model needs one of file, model, generate");
    SCENE_FAILS(V "objects: [{sphere: 1, rpy: [0, 0, 0], axis: [1, 0, 0], angle: 1}]\n", 2, 45,
                "'rpy' and 'axis' exclude each other");
    SCENE_FAILS(V "objects: [{sphere: 1, mass: 1, density: 1}]\n", 2, 41, "exclude each other");
    SCENE_FAILS(V "floor: {mu: 1, material: {}}\n", 2, 26,
                "'mu' and 'material' exclude each other");
    SCENE_FAILS(V "objects: [{name: a, sphere: 1}]\nscript: [{at: 1}]\n", 3, 10,
                "needs one of add, remove, hold");
}

static void keys_that_need_another_say_so(void** state) {
    (void)state;
    SCENE_FAILS(V "objects: [{sphere: 1, axis: [1, 0, 0]}]\n", 2, 29,
                "'axis' has no meaning without 'angle'");
    SCENE_FAILS(V "objects: [{sphere: 1, angle: 1}]\n", 2, 30,
                "'angle' has no meaning without 'axis'");
    SCENE_FAILS(V "materials: {a: {damping: 1}}\n", 2, 26,
                "'damping' has no meaning without 'stiffness'");
    SCENE_FAILS(V "materials: {a: {mu_kinetic: 1}}\n", 2, 29, "without 'stribeck_speed'");
    SCENE_FAILS(V "models: [{model: hrp2, srdf: a}]\n", 2, 30,
                "'srdf' has no meaning without 'file'");
    SCENE_FAILS(V "objects: [{sphere: 1, repeat: {count: [1, 1, 1]}}]\n", 2, 31,
                "a repeat needs the key 'spacing'");
    SCENE_FAILS(V "camera: {target: [0, 0, 0]}\n", 2, 9, "'camera' needs the key 'eye'");
}

// ---- values -----------------------------------------------------------------------------------------

static void values_of_the_wrong_kind_are_refused(void** state) {
    (void)state;
    SCENE_FAILS(V "step: fast\n", 2, 7,
                "'step' must be a number above 0, or one of auto (s); not 'fast'");
    SCENE_FAILS(V "duration: '0.1'\n", 2, 11, "not the text '0.1'");
    SCENE_FAILS(V "step:\n", 2, 6, "not nothing");
    SCENE_FAILS(V "step: null\n", 2, 7, "not nothing");
    SCENE_FAILS(V "step: [1]\n", 2, 7, "not a list of 1");
    SCENE_FAILS(V "step: {a: 1}\n", 2, 7, "not a mapping");
    SCENE_FAILS(V "step: true\n", 2, 7, "not 'true'");
    SCENE_FAILS(V "duration: 0\n", 2, 11, "above 0 (s); not '0'");
    SCENE_FAILS(V "step: -1\n", 2, 7, "not '-1'");
    SCENE_FAILS(V "name: 12\n", 2, 7, "'name' must be a text; not '12'");
    SCENE_FAILS(V "name: ''\n", 2, 7, "'name' must be a text");
    SCENE_FAILS(V "contact: yes\n", 2, 10,
                "'contact' must be true or false, or a mapping of solver");
    SCENE_FAILS(V "contact: {sweeps: 0}\n", 2, 19, "a whole number of at least 1; not '0'");
    SCENE_FAILS(V "contact: {sweeps: 1.5}\n", 2, 19, "a whole number of at least 1; not '1.5'");
    SCENE_FAILS(V "contact: {sweeps: 3000000000}\n", 2, 19, "a whole number of at least 1");
    SCENE_FAILS(V "objects: {sphere: 1}\n", 2, 10,
                "'objects' must be a list of mappings; not a mapping");
    SCENE_FAILS(V "objects: [1]\n", 2, 10, "'objects' must be a list of mappings");
    SCENE_FAILS(V "materials: []\n", 2, 12, "'materials' must be a mapping of names to mappings");
    SCENE_FAILS(V "materials: {a: 1}\n", 2, 16, "a material is a mapping of mu, mu_kinetic");
    SCENE_FAILS(V "materials: {'': {}}\n", 2, 13, "a material needs a name");
    SCENE_FAILS(V "objects: [{sphere: 1, color: [1, 2, 3]}]\n", 2, 34,
                "3 to 4 numbers from 0 to 1; not '2'");
    SCENE_FAILS(V "controllers: [{item: a, kp: 1, joints: [[]]}]\n", 2, 40,
                "one of all, or a list of names");
}

static void lists_of_numbers_are_looked_at_one_by_one(void** state) {
    (void)state;
    SCENE_FAILS(V "gravity: [0, 0]\n", 2, 10,
                "'gravity' must be a list of 3 numbers (m/s^2); not a list of 2");
    SCENE_FAILS(V "gravity: [0, x, 0]\n", 2, 14, "not 'x'");
    SCENE_FAILS(V "gravity: [0, 0, 90deg]\n", 2, 17, "not '90deg'");
    SCENE_FAILS(V "objects: [{box: [1, 0, 1]}]\n", 2, 21, "numbers above 0 (m); not '0'");
    SCENE_FAILS(V "objects: [{sphere: 1, rpy: [0, 0, 9grad]}]\n", 2, 35, "a list of 3 angles");
    SCENE_FAILS(V "objects: [{hull: [[0, 0, 0], [1, 0]]}]\n", 2, 30,
                "a point is a list of 3 numbers");
    SCENE_FAILS(V "objects: [{hull: [[0, 0, 0], [1, 0, a]]}]\n", 2, 37, "a point must be numbers");
    SCENE_FAILS(V "objects: [{hull: [[0, 0, 0], [1, 0, 0, 0]]}]\n", 2, 30, "at most 3");
    SCENE_FAILS(V "objects: [{hull: [1, 2]}]\n", 2, 18, "a list of points [x, y, z]");
}

static void numbers_that_are_none_or_too_large_are_refused(void** state) {
    (void)state;
    SCENE_FAILS(V "step: 1e999\n", 2, 7, "'step': the number is too large");
    SCENE_FAILS(V "gravity: [0, 0, -1e999]\n", 2, 17, "'gravity': the number is too large");
    SCENE_FAILS(V "step: .nan\n", 2, 7, "not '.nan'");
    SCENE_FAILS(V "step: .inf\n", 2, 7, "not '.inf'");
    SCENE_FAILS(V "step: nan\n", 2, 7, "not 'nan'");
    SCENE_FAILS(V "step: inf\n", 2, 7, "not 'inf'");
    SCENE_FAILS(V "step: 0x10\n", 2, 7, "not '0x10'");
    SCENE_FAILS(V "step: 1_000\n", 2, 7, "not '1_000'");
    SCENE_FAILS(V "step: 1,5\n", 2, 7, "not '1,5'");
    SCENE_FAILS(V "name: 1e999\n", 2, 7, "the number is too large");
    SCENE_FAILS(V "camera: {eye: [0, 0, 1], fov: 1e999deg}\n", 2, 31,
                "'fov': the number is too large");
}

static void the_locale_does_not_change_numbers(void** state) {
    (void)state;
    use_comma_locale();
    sn_scene* s = scene_of_text("step: 0.25\n");
    CHECK(sn_scene_world(s)->step == 0.25, 0);
    sn_scene_free(s);
    SCENE_FAILS(V "step: 0,25\n", 2, 7, "not '0,25'");
}

static void words_are_named_with_the_nearest(void** state) {
    (void)state;
    SCENE_FAILS(V "integrator: euller\n", 2, 13,
                "one of euler, rk4, midpoint, quasistatic; not 'euller'; did you mean 'euler'?");
    SCENE_FAILS(V "step: auto\n", 2, 7, "only the steps of molecules can be chosen");
    SCENE_FAILS(V "integrator: zzzzzz\n", 2, 13,
                "one of euler, rk4, midpoint, quasistatic; not 'zzzzzz'");
    SCENE_FAILS(V "dynamics: abba\n", 2, 11, "'abba' is none, and the scene has no 'plugins'");
    SCENE_FAILS(V "simulator: mine\n", 2, 12,
                "'simulator' must be one of sinew or what a plugin brings");
    SCENE_FAILS(V "contact: {solver: ngs}\n", 2, 19, "'solver' must be one of nsgs, projection");
    SCENE_FAILS(V "contact: {detector: mine}\n", 2, 21, "'detector' must be");
}

static void numbers_that_make_no_sense_together_are_refused(void** state) {
    (void)state;
    SCENE_FAILS(V "integrator: rk4\n", 2, 13,
                "contact needs the integrator euler; write 'contact: false'");
    SCENE_FAILS(V "contact: {patch_points: 3}\n", 2, 25, "3 points are too few to hold a body");
    SCENE_FAILS(V "camera: {eye: [0, 0, 1], fov: 180deg}\n", 2, 31,
                "a field of view is below 180deg");
    SCENE_FAILS(V "objects: [{sphere: 1, quat_wxyz: [1, 1, 0, 0]}]\n", 2, 34,
                "a quaternion of length 1.414; it must be 1");
    SCENE_FAILS(V "objects: [{sphere: 1, quat_xyzw: [0, 0, 0, 0]}]\n", 2, 34,
                "a quaternion of length 0");
    SCENE_FAILS(V "objects: [{sphere: 1, axis: [0, 0, 0], angle: 1}]\n", 2, 29,
                "the axis has no direction");
    SCENE_FAILS(V "materials: {a: {viscous: 1, roll: 0.1}}\n", 2, 16,
                "a material: viscous friction is of points");
    SCENE_FAILS(V "environment: [{plane: false}]\n", 2, 23, "'plane' is true, or is left out");
    SCENE_FAILS(V "objects: [{sphere: 1, repeat: {count: [1.5, 1, 1], spacing: [1, 1, 1]}}]\n", 2,
                39, "whole numbers");
    SCENE_FAILS(V "objects: [{hull: [[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}]\n", 2, 11,
                "the surface encloses no volume");
}

static void keys_without_use_are_refused(void** state) {
    (void)state;
    SCENE_FAILS(V "objects: [{sphere: 1, scale: 2}]\n", 2, 30,
                "'scale' is for a mesh file; leave it out");
    SCENE_FAILS(V "objects: [{generate: 'stack:2', mass: 1}]\n", 2, 39,
                "this model has its own masses");
    SCENE_FAILS(V "objects: [{generate: 'stack:2', density: 1}]\n", 2, 42,
                "this model has its own masses");
    SCENE_FAILS(V "objects: [{generate: 'stack:2', color: [1, 1, 1]}]\n", 2, 40,
                "'color' is for a shape");
    SCENE_FAILS(V "models: [{generate: 'chain:2', meshes: skip}]\n", 2, 40,
                "'meshes' is for a model from a file");
    SCENE_FAILS(V "script: [{at: 1, add: {sphere: 1, q: {a: 1}}}]\n", 2, 38, "'q' is for a model");
    SCENE_FAILS(V "models: [{model: double_pendulum, v: [1, 0, 0]}]\n", 2, 38,
                "its root is held by the world");
    SCENE_FAILS(V "models: [{generate: 'chain:2', stand: true}]\n", 2, 39, "it cannot stand");
}

static void more_bodies_than_allowed_are_refused(void** state) {
    (void)state;
    static const char* const texts[] = {
        V "objects: [{sphere: 1, repeat: {count: [11, 1, 1], spacing: [1, 1, 1]}}]\n",
        V "objects: [{sphere: 1, repeat: {count: [1e30, 1e30, 1e30], spacing: [1, 1, 1]}}]\n",
        V "objects: [{sphere: 1, repeat: {count: [6, 1, 1], spacing: [1, 1, 1]}}, {sphere: 1, "
          "repeat: {count: [6, 1, 1], spacing: [1, 1, 1]}}]\n",
        V "models: [{generate: 'chain:11'}]\n",
        V "objects: [{generate: 'wall:100000x100000'}]\n",
        V "objects: [{generate: 'pyramid:100'}]\n",
    };
    sn_scene_load_def def = scene_def();
    def.most_bodies = 10;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        sn_scene* scene;
        sn_error error = {0};
        sn_status status =
            sn_scene_load_memory(texts[i], strlen(texts[i]), "test.yaml", &def, &scene, &error);
        CHECK(status == SN_ERR_CAPACITY || status == SN_ERR_FORMAT, i);
        CHECK(strstr(error.text, "more than 10") && error.line == 2 && error.column > 1, i);
    }
    sn_scene* scene;
    CHECK_STATUS(sn_scene_load("chain:11", &def, &scene, NULL), SN_ERR_CAPACITY);
    CHECK_STATUS(sn_scene_load("chain:10", &def, &scene, NULL), SN_OK);
    sn_scene_free(scene);
    // what stands still has a limit, too
    char* many =
        repeated(V "environment:\n",
                 "- {sphere: 1, repeat: {count: [10, 1, 1], spacing: [1, 1, 1]}}\n", 102, "");
    sn_error error = {0};
    CHECK_STATUS(sn_scene_load_memory(many, strlen(many), NULL, &def, &scene, &error),
                 SN_ERR_CAPACITY);
    CHECK(strstr(error.text, "more than 1010 items"), 0);
    free(many);
}

// ---- names ------------------------------------------------------------------------------------------

#define ARM "models: [{name: arm, model: double_pendulum}, {name: robot, model: hrp2}]\n"

static void names_that_are_taken_are_refused(void** state) {
    (void)state;
    SCENE_FAILS(V "objects:\n- {name: a, sphere: 1}\n- {name: a, sphere: 1}\n", 4, 3,
                "the name 'a' is taken by the item in line 3");
    SCENE_FAILS(V "floor: true\nobjects: [{name: floor, sphere: 1}]\n", 3, 11,
                "the name 'floor' is taken");
    SCENE_FAILS(V "objects: [{name: world, sphere: 1}]\n", 2, 11, "cannot be named 'world'");
    SCENE_FAILS(V "objects: [{name: a/b, sphere: 1}]\n", 2, 18, "a name has no '/'");
    SCENE_FAILS(V ARM "controllers: [{item: arm, kp: 1}, {item: arm, kp: 1}]\n", 3, 42,
                "the name 'arm' is taken");
    SCENE_FAILS(V "sensors: [{name: e, type: energy}, {name: e, type: energy}]\n", 2, 43,
                "the name 'e' is taken");
    SCENE_FAILS(V "devices: [{name: d, driver: a}, {name: d, driver: a}]\n", 2, 40,
                "the name 'd' is taken");
    SCENE_FAILS(
        V "devices: [{name: d, driver: a}]\nhands: [{name: h, device: d}, {name: h, device: d}]\n",
        3, 38, "the name 'h' is taken");
}

static void names_that_are_not_there_are_named_with_the_nearest(void** state) {
    (void)state;
    SCENE_FAILS(V "models: [{model: hrp3}]\n", 2, 18,
                "there is no model 'hrp3'; did you mean 'hrp2'?");
    SCENE_FAILS(V "models: [{model: zzzzzzzzzz}]\n", 2, 18, "'generate' a word such as chain:10");
    SCENE_FAILS(V "models: [{model: ../models/hrp2}]\n", 2, 18, "there is no model");
    SCENE_FAILS(V "models: [{generate: 'chian:3'}]\n", 2, 21,
                "'chian:3' is not SHAPE:COUNT[:SEED]");
    SCENE_FAILS(V "models: [{generate: 'chain:2000000000'}]\n", 2, 21, "is not SHAPE:COUNT[:SEED]");
    SCENE_FAILS(V "objects: [{sphere: 1, material: ice}]\n", 2, 33, "name it under 'materials'");
    SCENE_FAILS(V "materials: {ice: {}}\nobjects: [{sphere: 1, material: icy}]\n", 3, 33,
                "did you mean 'ice'?");
    SCENE_FAILS(V "models: [{model: hrp2, q: {l_nee: 1}}]\n", 2, 28,
                "no joint 'l_nee' that moves in hrp2; did you mean 'l_knee'?");
    SCENE_FAILS(V "models: [{model: hrp2, q: {zzzzzzzzzzzz: 1}}]\n", 2, 28,
                "`sinew info` lists them");
    SCENE_FAILS(V "models: [{model: hrp2, lock: [l_nee]}]\n", 2, 31, "did you mean 'l_knee'?");
    SCENE_FAILS(V ARM "controllers: [{item: rob0t, kp: 1}]\n", 3, 22,
                "there is no item 'rob0t'; did you mean 'robot'?");
    SCENE_FAILS(V "controllers: [{item: a, kp: 1}]\n", 2, 22, "name one of 'models' or 'objects'");
    SCENE_FAILS(V ARM "controllers: [{item: robot, kp: 1, joints: [l_nee]}]\n", 3, 45,
                "did you mean 'l_knee'?");
    SCENE_FAILS(V ARM "controllers: [{item: robot, kp: 1, target: {l_nee: 0}}]\n", 3, 45,
                "did you mean 'l_knee'?");
    SCENE_FAILS(V ARM "sensors: [{name: a, type: pose, item: robot, body: chset}]\n", 3, 52,
                "did you mean 'chest'?");
    SCENE_FAILS(V ARM "sensors: [{name: a, type: pose, item: robot, body: zzzzzzzzzz}]\n", 3, 52,
                "`sinew info` lists them");
    SCENE_FAILS(V ARM "sensors: [{name: a, type: pose, item: robot, frame: gace}]\n", 3, 53,
                "there is no frame 'gace'; did you mean 'gaze'?");
    SCENE_FAILS(V ARM "sensors: [{name: a, type: pose, item: robot, frame: zzzzzzzzz}]\n", 3, 53,
                "there is no frame 'zzzzzzzzz'");
    SCENE_FAILS(V ARM "sensors: [{name: a, type: position, item: robot, joint: l_nee}]\n", 3, 57,
                "did you mean 'l_knee'?");
    SCENE_FAILS(V "devices: [{name: left, driver: a}]\nhands: [{name: h, device: lest}]\n", 3, 27,
                "did you mean 'left'?");
    SCENE_FAILS(V "hands: [{name: h, device: a}]\n", 2, 27, "name it under 'devices'");
}

static void numbers_of_joints_are_as_many_as_the_joint_has(void** state) {
    (void)state;
    SCENE_FAILS(V "models: [{model: cable, q: {ball_01: 1}}]\n", 2, 38,
                "joint 'ball_01' (spherical) has 4 numbers, not 1");
    SCENE_FAILS(V "models: [{model: cable, qd: {ball_01: [1, 2]}}]\n", 2, 39,
                "has 3 numbers, not 2");
    SCENE_FAILS(V "models: [{model: cable, q: {ball_01: [1, 1, 0, 0]}}]\n", 2, 38,
                "a quaternion of length 1.414");
    SCENE_FAILS(V "models: [{model: hrp2, q: {root: [0, 0, 0, 2, 0, 0, 0]}}]\n", 2, 34,
                "a quaternion of length 2");
    SCENE_FAILS(V "models: [{model: hrp2, q: {l_knee: [1, 2]}}]\n", 2, 36, "has 1 number, not 2");
    SCENE_FAILS(V "models: [{model: hrp2, q: {l_knee: straight}}]\n", 2, 36,
                "must be numbers; angles may be such as 30deg");
    SCENE_FAILS(V "models: [{model: hrp2, q: {l_knee: {}}}]\n", 2, 36, "a number or a list");
    SCENE_FAILS(V "models: [{model: hrp2, q: {l_knee: []}}]\n", 2, 36, "a number or a list");
    SCENE_FAILS(V "models: [{model: hrp2, q: [1]}]\n", 2, 27,
                "'q' must be a mapping of joints to numbers");
}

static void sensors_have_what_their_kind_needs_and_no_more(void** state) {
    (void)state;
    SCENE_FAILS(V ARM "sensors: [{name: a, type: pose}]\n", 3, 11,
                "a sensor of type pose needs the key 'item'");
    SCENE_FAILS(V ARM "sensors: [{name: a, type: position, item: arm}]\n", 3, 11,
                "needs the key 'joint'");
    SCENE_FAILS(V ARM "sensors: [{name: a, type: pose, item: arm, joint: upper_hinge}]\n", 3, 51,
                "has no use for this");
    SCENE_FAILS(V ARM "sensors: [{name: a, type: centre, item: arm, body: x}]\n", 3, 52,
                "has no use for this");
    SCENE_FAILS(V ARM "sensors: [{name: a, type: contact, item: robot, frame: gaze}]\n", 3, 56,
                "has no use for this");
    SCENE_FAILS(V ARM "sensors: [{name: a, type: energy, item: arm}]\n", 3, 41,
                "has no use for this");
    SCENE_FAILS(V ARM "sensors: [{name: a, type: pose, item: arm, body: x, frame: y}]\n", 3, 60,
                "exclude each other");
    SCENE_FAILS(V "sensors: [{name: a, type: pose, body: x}]\n", 2, 39,
                "'body' has no meaning without 'item'");
    SCENE_FAILS(V "sensors: [{name: a, type: speed}]\n", 2, 27,
                "'type' must be one of position, velocity, control");
    SCENE_FAILS(V "floor: true\nsensors: [{name: a, type: contact, item: floor}]\n", 3, 11,
                "'floor' has no body that moves");
    SCENE_FAILS(V "floor: true\nsensors: [{name: a, type: centre, item: floor}]\n", 3, 11,
                "'floor' has no body that moves");
}

static void hands_have_at_most_eight_buttons(void** state) {
    (void)state;
    SCENE_FAILS(V "devices: [{name: d, driver: a}]\n"
                  "hands: [{name: h, device: d, buttons: [a, b, c, d, e, f, g, h, i]}]\n",
                3, 39, "more than 8 buttons");
    SCENE_FAILS(V "floor: true\ndevices: [{name: d, driver: a}]\nhands: [{name: h, device: d, "
                  "item: floor}]\n",
                4, 9, "'floor' has no body that moves");
}

#define TWO "objects: [{name: ball, sphere: 1}]\nmodels: [{name: arm, model: double_pendulum}]\n"

static void names_in_the_script_must_be_there(void** state) {
    (void)state;
    SCENE_FAILS(V TWO "script: [{at: 1, remove: bal}]\n", 4, 10,
                "there is no item 'bal'; did you mean 'ball'?");
    SCENE_FAILS(V TWO "script: [{at: 1, push: {body: zzzzzzzz}}]\n", 4, 10,
                "there is no item 'zzzzzzzz'");
    SCENE_FAILS(V TWO "script: [{at: 1, push: {body: arm}}]\n", 4, 10,
                "'arm' has several bodies; name one as arm/BODY");
    SCENE_FAILS(V TWO "script: [{at: 1, push: {body: arm/lower_rot}}]\n", 4, 10,
                "did you mean 'lower_rod'?");
    SCENE_FAILS(V TWO "script: [{at: 1, lock: arm}]\n", 4, 10, "name one as arm/JOINT");
    SCENE_FAILS(V TWO "script: [{at: 1, lock: arm/lower_rod}]\n", 4, 10,
                "there is no joint 'arm/lower_rod'");
    SCENE_FAILS(V TWO "script: [{at: 1, release: h}]\n", 4, 10, "there is no hold 'h'");
    SCENE_FAILS(V TWO
                "holds: [{name: grip, type: weld, body: ball}]\nscript: [{at: 1, release: grap}]\n",
                5, 10, "did you mean 'grip'?");
    SCENE_FAILS(V TWO
                "script: [{at: 1, target: {controller: c, joint: arm/lower_hinge, value: 1}}]\n",
                4, 10, "there is no controller 'c'");
    SCENE_FAILS(V TWO "holds: [{name: h, type: weld, body: ball, other: amr/x}]\n", 4, 9,
                "there is no item 'amr'");
    SCENE_FAILS(V "floor: true\nscript: [{at: 1, push: {body: floor}}]\n", 3, 10,
                "'floor' has no body that moves");
    SCENE_FAILS(V TWO "script: [{remove: ball}]\n", 4, 10, "needs the key 'at': when it happens");
    SCENE_FAILS(V TWO "script: [{at: -1, remove: ball}]\n", 4, 15,
                "'at' must be a number of at least 0 (s)");
    SCENE_FAILS(V TWO "script: [{at: 1, remove: ball, reset: true}]\n", 4, 39,
                "'remove' and 'reset' exclude each other");
}

// ---- edits ------------------------------------------------------------------------------------------

static void edits_that_are_wrong_are_refused(void** state) {
    (void)state;
    EDIT_FAILS("", 0, 0, "the file is empty");
    EDIT_FAILS("fly: away", 1, 1, "there is no key 'fly' in an edit");
    EDIT_FAILS("{}", 1, 1, "an edit needs one of add, remove, hold");
    EDIT_FAILS("{at: 1, remove: a}", 1, 2, "there is no key 'at' in an edit");
    EDIT_FAILS("{remove: a, release: b}", 1, 22, "'remove' and 'release' exclude each other");
    EDIT_FAILS("reset: false", 1, 8, "'reset' is true");
    EDIT_FAILS("hold: {name: a, type: distance, body: b}", 1, 7, "needs 'length'");
    EDIT_FAILS("hold: {name: a, type: glue, body: b}", 1, 23, "one of weld, ball, hinge, distance");
    EDIT_FAILS("hold: {name: a, type: weld}", 1, 7, "a hold needs the key 'body'");
    EDIT_FAILS("hold: {name: a, type: weld, body: b, frame: {quat_wxyz: [2, 0, 0, 0]}}", 1, 57,
               "a quaternion");
    EDIT_FAILS("force: {joint: a}", 1, 8, "a joint's value needs the key 'value'");
    EDIT_FAILS("force: {joint: a, value: [1, 2, 3, 4, 5, 6, 7, 8]}", 1, 26, "a list of 1 to 7");
    EDIT_FAILS("add: {name: a}", 1, 6, "what is added needs one of file, model, box");
    EDIT_FAILS("add: {sphere: 1, base: free}", 1, 24, "'base' is for a model");
    EDIT_FAILS("add: {name: a, sphere: 1, repeat: {}}", 1, 27,
               "there is no key 'repeat' in what is added");
    EDIT_FAILS("add: {name: a, file: nowhere.urdf}", 1, 22, "nowhere.urdf: no such file");
    EDIT_FAILS("add: {name: a, model: hrp2, q: {l_nee: 1}}", 1, 33, "did you mean 'l_knee'?");
    EDIT_FAILS("add: {name: a, sphere: 1, material: ice}", 1, 37, "there is no material 'ice'");
    EDIT_FAILS("surface: {item: a, material: {mu: -1}}", 1, 35, "a number of at least 0");
    EDIT_FAILS("active: {period: 0}", 1, 18, "a whole number of at least 1");
    EDIT_FAILS("plugin: {words: a}", 1, 9, "needs the key 'name'");
    sn_edit* edit = NULL;
    CHECK_STATUS(sn_edit_parse(NULL, 1, NULL, NULL, &edit, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_edit_parse("", 0, NULL, NULL, NULL, NULL), SN_ERR_ARGUMENT);
    sn_edit_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_yaml_is_refused),
        cmocka_unit_test(yaml_beyond_data_is_refused),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(huge_files_are_refused),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(a_scene_is_a_mapping_with_a_version),
        cmocka_unit_test(unknown_keys_are_named_with_the_nearest),
        cmocka_unit_test(keys_are_given_once),
        cmocka_unit_test(groups_of_keys_exclude_each_other),
        cmocka_unit_test(keys_that_need_another_say_so),
        cmocka_unit_test(values_of_the_wrong_kind_are_refused),
        cmocka_unit_test(lists_of_numbers_are_looked_at_one_by_one),
        cmocka_unit_test(numbers_that_are_none_or_too_large_are_refused),
        cmocka_unit_test(words_are_named_with_the_nearest),
        cmocka_unit_test(numbers_that_make_no_sense_together_are_refused),
        cmocka_unit_test(keys_without_use_are_refused),
        cmocka_unit_test(more_bodies_than_allowed_are_refused),
        cmocka_unit_test(names_that_are_taken_are_refused),
        cmocka_unit_test(names_that_are_not_there_are_named_with_the_nearest),
        cmocka_unit_test(numbers_of_joints_are_as_many_as_the_joint_has),
        cmocka_unit_test(sensors_have_what_their_kind_needs_and_no_more),
        cmocka_unit_test(hands_have_at_most_eight_buttons),
        cmocka_unit_test(names_in_the_script_must_be_there),
        cmocka_unit_test(edits_that_are_wrong_are_refused),
        cmocka_unit_test(the_locale_does_not_change_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
