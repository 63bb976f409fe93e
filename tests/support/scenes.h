// SPDX-License-Identifier: Apache-2.0
/// Scenes and edits from a text in a test: the scene, or the error.
#ifndef SINEW_TESTS_SCENES_H
#define SINEW_TESTS_SCENES_H

#include "sinew/scene.h"
#include "support/check.h"

/// Where models and scenes that come with sinew are.
sn_scene_load_def scene_def(void);
/// A scene of a text that stands for the file "test.yaml"; "version: 1\n" comes before it. Fails the test when it
/// is none.
sn_scene* scene_of_text(const char* text);
/// An edit of a text.
sn_edit* edit_of_text(const char* text);

/// The text, as it is, is no scene: the error is at this line and column of test.yaml and holds `words`.
void scene_fails(const char* text, int at_line, int column, const char* words, check_place place);
void edit_fails(const char* text, int at_line, int column, const char* words, check_place place);
#define SCENE_FAILS(text, line, column, words)                                                     \
    scene_fails(text, line, column, words, CHECK_PLACE(words, 0))
#define EDIT_FAILS(text, line, column, words)                                                      \
    edit_fails(text, line, column, words, CHECK_PLACE(words, 0))

/// The item with this name; fails the test when there is none.
const sn_item* scene_item(const sn_scene* scene, const char* name);

#endif
