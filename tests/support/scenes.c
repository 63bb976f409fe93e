// SPDX-License-Identifier: Apache-2.0
#include "support/scenes.h"

#include <stdio.h>
#include <string.h>

static const char* model_folders[] = {SN_TEST_MODELS_DIR, NULL};
static const char* scene_folders[] = {SN_TEST_SCENES_DIR, SN_TEST_SCENES_DIR "/papers", NULL};

sn_scene_load_def scene_def(void) {
    sn_scene_load_def def = sn_scene_load_def_default();
    def.model_paths = model_folders;
    def.scene_paths = scene_folders;
    return def;
}

sn_scene* scene_of_text(const char* text) {
    static const char head[] = "version: 1\n";
    sn_scene_load_def def = scene_def();
    sn_scene* scene = NULL;
    sn_error error = {0};
    size_t length = strlen(text) + sizeof head;
    char* whole = malloc(length);
    snprintf(whole, length, "%s%s", head, text);
    sn_status status =
        sn_scene_load_memory(whole, strlen(whole), "test.yaml", &def, &scene, &error);
    if (status) print_error("%s:%d:%d: %s\n", error.file, error.line, error.column, error.text);
    free(whole);
    CHECK_STATUS(status, SN_OK);
    return scene;
}

sn_edit* edit_of_text(const char* text) {
    sn_scene_load_def def = scene_def();
    sn_edit* edit = NULL;
    sn_error error = {0};
    sn_status status = sn_edit_parse(text, strlen(text), "test.yaml", &def, &edit, &error);
    if (status) print_error("%s:%d:%d: %s\n", error.file, error.line, error.column, error.text);
    CHECK_STATUS(status, SN_OK);
    return edit;
}

static void check_error(const char* text, sn_status status, const sn_error* error, int at_line,
                        int column, const char* words, check_place place) {
    bool right = status != SN_OK && error->status == status &&
                 strcmp(error->file, "test.yaml") == 0 && error->line == at_line &&
                 error->column == column && strstr(error->text, words);
    if (!right)
        print_error("%s\ngives %s: %s:%d:%d: %s\nnot %d:%d: %s\n", text, sn_status_text(status),
                    error->file, error->line, error->column, error->text, at_line, column, words);
    check_true(right, place);
}

void scene_fails(const char* text, int at_line, int column, const char* words, check_place place) {
    sn_scene_load_def def = scene_def();
    sn_scene* scene = NULL;
    sn_error error = {0};
    sn_status status = sn_scene_load_memory(text, strlen(text), "test.yaml", &def, &scene, &error);
    check_error(text, status, &error, at_line, column, words, place);
    CHECK(!scene, 0);
    // nobody has to ask why
    CHECK_STATUS(sn_scene_load_memory(text, strlen(text), "test.yaml", &def, &scene, NULL), status);
}

void edit_fails(const char* text, int at_line, int column, const char* words, check_place place) {
    sn_scene_load_def def = scene_def();
    sn_edit* edit = NULL;
    sn_error error = {0};
    sn_status status = sn_edit_parse(text, strlen(text), "test.yaml", &def, &edit, &error);
    check_error(text, status, &error, at_line, column, words, place);
    CHECK(!edit, 0);
}

const sn_item* scene_item(const sn_scene* scene, const char* name) {
    for (int i = 0; i < sn_scene_item_count(scene); i++)
        if (strcmp(sn_scene_item(scene, i)->name, name) == 0) return sn_scene_item(scene, i);
    print_error("there is no item %s\n", name);
    CHECK(false, 0);
    return NULL;
}
