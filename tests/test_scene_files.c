// SPDX-License-Identifier: Apache-2.0
// Scenes that come from files or by name, and files that scenes name.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/loading.h"
#include "support/scenes.h"

static char folder[64];

static void write_text(const char* name, const char* text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "w");
    CHECK(file, 0);
    fputs(text, file);
    fclose(file);
}

static sn_status load(const char* name, const sn_scene_load_def* def, sn_scene** scene,
                      sn_error* error) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return sn_scene_load(path, def, scene, error);
}

static sn_scene* loads(const char* name) {
    sn_scene_load_def def = scene_def();
    sn_scene* scene = NULL;
    sn_error error = {0};
    sn_status status = load(name, &def, &scene, &error);
    if (status) print_error("%s:%d:%d: %s\n", error.file, error.line, error.column, error.text);
    CHECK_STATUS(status, SN_OK);
    return scene;
}

/// A tetrahedron with corners at the origin and at 1 on each axis.
static const char TETRAHEDRON[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                  "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
static const char ARM[] =
    "<robot name='arm'><link name='base'><inertial><mass value='1'/>"
    "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link><joint name='j' "
    "type='continuous'><parent link='base'/>"
    "<child link='rod'/><axis xyz='0 1 0'/></joint><link name='rod'><inertial><origin xyz='0 0 "
    "-0.5'/>"
    "<mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
    "<collision><origin xyz='0 0 -0.5'/><geometry><box size='0.1 0.1 1'/></geometry></collision>"
    "</link></robot>";

static int prepare(void** state) {
    (void)state;
    char deep[128];
    make_scratch_folder(folder);
    snprintf(deep, sizeof deep, "%s/parts", folder);
    mkdir(deep, 0777);
    write_text("parts/wedge.obj", TETRAHEDRON);
    write_text("parts/arm.urdf", ARM);
    write_text("parts/bad.obj", "v 0 0\nf 1 2 3\n");
    write_text("parts/bad.urdf", "<robot name='x'>\n<link/>\n</robot>");
    return 0;
}

static int clean_up(void** state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

// ---- files that scenes name ---------------------------------------------------------------------------

static void paths_are_relative_to_the_scene(void** state) {
    (void)state;
    char absolute[512];
    snprintf(absolute, sizeof absolute,
             "version: 1\n"
             "models:\n- {name: a, file: parts/arm.urdf}\n- {name: b, file: %s/parts/arm.urdf, "
             "base: free}\n"
             "objects:\n- {name: hull, hull: parts/wedge.obj, scale: 2, density: 3}\n"
             "- {name: mesh, mesh: parts/wedge.obj, mass: 7, scale: [1, 2, 3]}\n"
             "environment:\n- {name: rock, mesh: parts/wedge.obj}\n"
             "plugins: [{file: parts/p.so}]\nrecording: {file: out.snr}\n",
             folder);
    write_text("scene.yaml", absolute);
    sn_scene* s = loads("scene.yaml");
    CHECK(strcmp(sn_scene_name(s), "scene") == 0, 0);
    CHECK(sn_model_body(scene_item(s, "b")->model, sn_body(0)).type == SN_JOINT_FREE, 0);
    sn_shape_info hull = sn_model_shape(scene_item(s, "hull")->model, 0);
    CHECK(hull.type == SN_SHAPE_HULL && hull.vertex_count == 4, 0);
    CHECK_RELATIVE(sn_model_mass(scene_item(s, "hull")->model), 3 * 8.0 / 6, TOL_CHAIN, 0);
    const sn_model* mesh = scene_item(s, "mesh")->model;
    CHECK(sn_model_shape(mesh, 0).type == SN_SHAPE_MESH && sn_model_mass(mesh) == 7, 0);
    sn_vec3 centre = sn_model_body(mesh, sn_body(0)).inertia.com;
    CHECK_NEAR(centre.x, 0.25, TOL_CHAIN, 0);
    CHECK_NEAR(centre.y, 0.5, TOL_CHAIN, 0);
    CHECK_NEAR(centre.z, 0.75, TOL_CHAIN, 0);
    CHECK(sn_model_body_count(scene_item(s, "rock")->model) == 0, 0);
    char plugin[256];
    snprintf(plugin, sizeof plugin, "%s/parts/p.so", folder);
    CHECK(strcmp(sn_scene_plugin_at(s, 0)->path, plugin) == 0, 0);
    CHECK(strcmp(sn_scene_recording(s).path, "out.snr") == 0, 0); // where the program runs
    sn_model* whole = NULL;
    CHECK_STATUS(sn_scene_compile(s, NULL, &whole, NULL), SN_OK);
    sn_model_free(whole);
    sn_scene_free(s);
}

static void fails_with(const char* text, int line, int column, const char* words) {
    sn_scene_load_def def = scene_def();
    sn_scene* scene = NULL;
    sn_error error = {0};
    write_text("bad.yaml", text);
    sn_status status = load("bad.yaml", &def, &scene, &error);
    bool right = status && !scene && error.line == line && error.column == column &&
                 strstr(error.text, words);
    if (!right) print_error("%s:%d:%d: %s\n", error.file, error.line, error.column, error.text);
    check_true(right, CHECK_PLACE(words, 0));
}

static void files_that_are_missing_or_wrong_are_named(void** state) {
    (void)state;
    fails_with("version: 1\nmodels: [{file: no.urdf}]\n", 2, 17,
               "/no.urdf: no such file; check the path");
    fails_with("version: 1\nmodels: [{file: parts}]\n", 2, 17, "/parts: is a folder");
    fails_with("version: 1\nobjects: [{mesh: no.obj}]\n", 2, 18, "/no.obj: no such file");
    fails_with("version: 1\nobjects: [{hull: no.obj}]\n", 2, 18, "/no.obj: no such file");
    fails_with("version: 1\nmodels: [{file: parts/arm.urdf, srdf: no.srdf}]\n", 2, 17,
               "no.srdf: no such file");
    // what is wrong inside a file is at its place in that file
    fails_with("version: 1\nmodels: [{file: parts/bad.urdf}]\n", 2, 1, "name");
    fails_with("version: 1\nobjects: [{mesh: parts/bad.obj}]\n", 0, 0, "assimp cannot read it");
    // an open surface encloses nothing
    write_text("parts/flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    fails_with("version: 1\nobjects: [{mesh: parts/flat.obj}]\n", 2, 11,
               "the surface encloses no volume");
    fails_with("version: 1\nobjects: [{hull: parts/flat.obj}]\n", 2, 11, "");
}

static void texts_of_strangers_open_nothing(void** state) {
    (void)state;
    static const char* const texts[] = {
        "version: 1\nmodels: [{file: parts/arm.urdf}]\n",
        "version: 1\nmodels: [{model: hrp2}]\n",
        "version: 1\nobjects: [{mesh: parts/wedge.obj}]\n",
        "version: 1\nobjects: [{hull: parts/wedge.obj}]\n",
        "version: 1\nplugins: [{file: parts/p.so}]\n",
    };
    char name[128];
    sn_scene_load_def def = scene_def();
    def.no_files = true;
    snprintf(name, sizeof name, "%s/stranger.yaml", folder);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        sn_scene* scene = NULL;
        sn_error error = {0};
        CHECK_STATUS(sn_scene_load_memory(texts[i], strlen(texts[i]), name, &def, &scene, &error),
                     SN_ERR_FORMAT);
        CHECK(strstr(error.text, "files are not opened here") && error.line == 2, i);
    }
    sn_scene* scene = NULL;
    sn_edit* edit = NULL;
    sn_error error = {0};
    CHECK_STATUS(load("scene.yaml", &def, &scene, &error), SN_ERR_FILE);
    CHECK(strstr(error.text, "files are not opened here"), 0);
    CHECK_STATUS(sn_scene_load("table", &def, &scene, &error), SN_ERR_FILE);
    static const char add[] = "add: {name: a, model: hrp2}";
    CHECK_STATUS(sn_edit_parse(add, strlen(add), NULL, &def, &edit, &error), SN_ERR_FORMAT);
    CHECK_STATUS(sn_scene_load("chain:3", &def, &scene, &error), SN_OK);
    sn_scene_free(scene);
}

// ---- scenes by name -------------------------------------------------------------------------------------

static void scenes_and_models_are_found_by_name(void** state) {
    (void)state;
    sn_scene_load_def def = scene_def();
    sn_scene* scene = NULL;
    sn_error error = {0};
    CHECK_STATUS(sn_scene_load("table", &def, &scene, &error), SN_OK);
    CHECK(strcmp(sn_scene_name(scene), "table") == 0, 0);
    sn_scene_free(scene);
    CHECK_STATUS(sn_scene_load("hrp2", &def, &scene, &error), SN_OK);
    CHECK(sn_scene_item_count(scene) == 2, 0);
    sn_scene_free(scene);
    CHECK_STATUS(sn_scene_load("tabel", &def, &scene, &error), SN_ERR_FILE);
    CHECK(strstr(error.text, "did you mean 'table'?"), 0);
    CHECK_STATUS(sn_scene_load("hrp3", &def, &scene, &error), SN_ERR_FILE);
    CHECK(strstr(error.text, "did you mean 'hrp2'?"), 0);
    CHECK_STATUS(sn_scene_load("zzzzzzzzzz", &def, &scene, &error), SN_ERR_FILE);
    CHECK(strstr(error.text, "SHAPE:COUNT"), 0);
    CHECK_STATUS(sn_scene_load("no/where.yaml", &def, &scene, &error), SN_ERR_FILE);
    CHECK(strstr(error.text, "no such file; check the path"), 0);
    CHECK_STATUS(sn_scene_load(folder, &def, &scene, &error), SN_ERR_FILE);
    CHECK(strstr(error.text, "is a folder"), 0);
    CHECK(!scene, 0);
}

static void a_folder_does_not_hide_a_scene_of_its_name(void** state) {
    (void)state;
    char here[4096], trap[128];
    CHECK(getcwd(here, sizeof here) && chdir(folder) == 0, 0);
    snprintf(trap, sizeof trap, "%s/stairs", folder);
    CHECK(mkdir(trap, 0777) == 0, 0);
    sn_scene_load_def def = scene_def();
    sn_scene* scene = NULL;
    sn_status status = sn_scene_load("stairs", &def, &scene, NULL);
    CHECK(chdir(here) == 0, 0);
    CHECK_STATUS(status, SN_OK);
    sn_scene_free(scene);
}

static void a_model_alone_stands_on_a_floor(void** state) {
    (void)state;
    sn_scene_load_def def = scene_def();
    sn_scene* s = NULL;
    // loose: it is lifted onto the floor
    CHECK_STATUS(sn_scene_load("hrp2", &def, &s, NULL), SN_OK);
    CHECK(scene_item(s, "floor")->pose.p.z == 0, 0);
    sn_frame_info sole = sn_model_frame(
        scene_item(s, "hrp2")->model, sn_model_find_frame(scene_item(s, "hrp2")->model, "l_sole"));
    CHECK(sole.body.i > 0 && scene_item(s, "hrp2")->pose.p.z > 0.6, 0);
    CHECK(strcmp(scene_item(s, "hrp2")->prefix, "") == 0, 0); // names are the file's
    CHECK(sn_scene_world(s)->contact.on && strcmp(sn_scene_text(s), "") == 0, 0);
    sn_scene_free(s);
    // hanging: the floor is below all it can reach: the corners of the box, however it turns
    s = loads("parts/arm.urdf");
    double reach = hypot(hypot(0.1, 0.1), 1) + 0.5;
    CHECK(scene_item(s, "arm")->pose.p.z == 0, 0);
    CHECK(scene_item(s, "floor")->pose.p.z <= -1 && scene_item(s, "floor")->pose.p.z >= -reach, 0);
    sn_scene_free(s);
    // a pile comes with its floor
    CHECK_STATUS(sn_scene_load("stack:3", &def, &s, NULL), SN_OK);
    CHECK(sn_scene_item_count(s) == 1, 0);
    sn_scene_free(s);
}

static void a_text_that_begins_like_a_model_is_one(void** state) {
    (void)state;
    write_text("plain", ARM);
    sn_scene* s = loads("plain");
    CHECK(sn_scene_item_count(s) == 2, 0);
    sn_scene_free(s);
    write_text("flow.yaml", "{version: 1, floor: true}"); // begins like JSON, but is called YAML
    s = loads("flow.yaml");
    CHECK(sn_scene_item_count(s) == 1, 0);
    sn_scene_free(s);
    sn_scene_load_def def = scene_def();
    sn_error error = {0};
    write_text("broken.urdf", "<robot");
    CHECK_STATUS(load("broken.urdf", &def, &s, &error), SN_ERR_FORMAT);
    CHECK(error.line == 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_relative_to_the_scene),
        cmocka_unit_test(files_that_are_missing_or_wrong_are_named),
        cmocka_unit_test(texts_of_strangers_open_nothing),
        cmocka_unit_test(scenes_and_models_are_found_by_name),
        cmocka_unit_test(a_folder_does_not_hide_a_scene_of_its_name),
        cmocka_unit_test(a_model_alone_stands_on_a_floor),
        cmocka_unit_test(a_text_that_begins_like_a_model_is_one),
    };
    return cmocka_run_group_tests(tests, prepare, clean_up);
}
