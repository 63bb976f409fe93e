// SPDX-License-Identifier: Apache-2.0
// Any bytes as a scene and as an edit: an error with a reason, or something that can be put together.
#include <stdint.h>
#include <stdlib.h>

#include "sinew/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void expect(bool holds) {
    if (!holds) abort();
}

static sn_scene_load_def stranger(void) {
    sn_scene_load_def def = sn_scene_load_def_default();
    def.no_files = true;
    def.most_bodies = 50;
    return def;
}

static void expect_reason(sn_status status, const sn_error* error) {
    expect(error->status == status && error->text[0]);
    expect(error->line >= 0 && error->column >= 0);
}

static void try_scene(const char* text, size_t size) {
    sn_scene_load_def def = stranger();
    sn_scene* scene = NULL;
    sn_error error = {0};
    sn_status status = sn_scene_load_memory(text, size, "fuzz", &def, &scene, &error);
    expect(!status == !!scene);
    if (status) {
        expect_reason(status, &error);
        return;
    }
    sn_model* whole = NULL;
    status = sn_scene_compile(scene, NULL, &whole, &error);
    if (status)
        expect_reason(status, &error); // a model that is none, such as of masses that are too small
    else
        expect(sn_model_body_count(whole) <= def.most_bodies);
    sn_model_free(whole);
    sn_scene_free(scene);
}

static void try_edit(const char* text, size_t size) {
    sn_scene_load_def def = stranger();
    sn_edit* edit = NULL;
    sn_error error = {0};
    sn_status status = sn_edit_parse(text, size, "fuzz", &def, &edit, &error);
    expect(!status == !!edit);
    if (status)
        expect_reason(status, &error);
    else
        expect(edit->type < SN_EDIT_TYPE_COUNT && (edit->type != SN_EDIT_ADD || edit->item->model));
    sn_edit_free(edit);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    try_scene((const char*)data, size);
    try_edit((const char*)data, size);
    return 0;
}
