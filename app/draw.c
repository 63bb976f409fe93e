// SPDX-License-Identifier: Apache-2.0
/// sinew draw: the list of pictures.
#include "draw.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "json_writer.h"
#include "message.h"
#include "options.h"
#include "suggest.h"

typedef struct picture {
    const char* name;
    const char* about;
    int (*run)(int argc, char** argv);
} picture;

static const picture pictures[] = {
    {"tree", "the assembly tree of a model: how it is put together in O(log n) levels", draw_tree},
    {"groups", "a scene with its collision groups: what touches what, and how hard", draw_groups},
};
enum { PICTURE_COUNT = sizeof pictures / sizeof pictures[0] };

static const command_page PAGE = {
    "draw",
    "[NAME ...] [--json]",
    "Draws what is inside, as SVG. Without a name it lists the pictures; each has options of its\n"
    "own: `sinew draw tree --help`.\n",
    "  sinew draw\n"
    "  sinew draw tree hrp2 --body r_wrist --output tree.svg\n"
    "  sinew draw groups stack:3 --output groups.svg\n",
    NULL,
    0,
    0,
};

static void list_pictures(bool json) {
    json_writer w = jw_start(stdout);
    if (json) jw_object(&w);
    for (int i = 0; i < PICTURE_COUNT; i++) {
        if (json) {
            jw_key(&w, pictures[i].name);
            jw_text(&w, pictures[i].about);
        } else {
            printf("%-10s%s\n", pictures[i].name, pictures[i].about);
        }
    }
    if (!json) return;
    jw_object_end(&w);
    jw_finish(&w);
}

static int draw_named(const char* name, int argc, char** argv) {
    const char* names[PICTURE_COUNT];
    for (int i = 0; i < PICTURE_COUNT; i++) {
        names[i] = pictures[i].name;
        if (strcmp(name, names[i]) == 0) return pictures[i].run(argc, argv);
    }
    const char* near = suggest_name(name, names, PICTURE_COUNT);
    if (near) {
        message_error("there is no picture '%s'; did you mean '%s'?", name, near);
    } else {
        message_error("there is no picture '%s'; `sinew draw` lists them", name);
    }
    return STATUS_USAGE;
}

int command_draw(int argc, char** argv) {
    if (argc > 0 && argv[0][0] != '-') return draw_named(argv[0], argc - 1, argv + 1);
    bool json = false;
    text_list arguments = {0};
    const option options[] = {
        {"json", NULL, "the list of pictures, or what a picture shows, as JSON", OPTION_FLAG,
         &json},
    };
    options_result parsed = options_parse(&PAGE, options, 1, argc, argv, &arguments);
    if (parsed == OPTIONS_RUN) list_pictures(json);
    text_list_free(&arguments);
    return parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
}
