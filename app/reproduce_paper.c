// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "reproduce_paper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_page.h"
#include "command.h"
#include "json_writer.h"
#include "memory.h"
#include "message.h"
#include "output_file.h"

/// What came of each experiment of the list; -1: it is another paper's.
static int run_all(const char* source, const experiment* list, int count,
                   const reproduce_options* options, FILE* body, int* status) {
    int worst = STATUS_DONE;
    reproduce_options each = *options;
    each.page = body;
    each.plot = NULL;
    for (int i = 0; i < count; i++) {
        status[i] = -1;
        if (strcmp(list[i].source, source) != 0) continue;
        message_note("%s: %s", list[i].name, list[i].claim);
        fputs("<h2>", body);
        bench_page_element(body, "", list[i].name, "</h2>\n");
        bench_page_element(body, "<p><em>", list[i].claim, "</em></p>\n");
        status[i] = list[i].run(&each);
        fprintf(body, "<p class=\"%s\">%s</p>\n", status[i] ? "bad" : "ours",
                status[i] ? "Not all of it holds." : "It holds.");
        if (!options->json) printf("\n");
        if (status[i] > worst) worst = status[i];
    }
    return worst;
}

static void write_summary(const char* name, const experiment* list, int count, const int* status) {
    json_writer w = jw_start(stdout);
    jw_object(&w);
    jw_key(&w, "reproduce");
    jw_text(&w, name);
    jw_key(&w, "experiments");
    jw_array(&w);
    for (int i = 0; i < count; i++) {
        if (status[i] < 0) continue;
        jw_object_line(&w);
        jw_key(&w, "name");
        jw_text(&w, list[i].name);
        jw_key(&w, "holds");
        jw_boolean(&w, status[i] == STATUS_DONE);
        jw_object_end(&w);
    }
    jw_array_end(&w);
    jw_object_end(&w);
    jw_finish(&w);
}

int reproduce_paper(const char* name, const char* heading, const char* source,
                    const experiment* list, int count, const reproduce_options* options) {
    char* path = options->report ? memory_copy(options->report) : memory_text("%s.html", name);
    int* status = memory_take((size_t)count, sizeof *status);
    char* text = NULL;
    size_t length = 0;
    output_file file = {0};
    FILE* body = open_memstream(&text, &length);
    int result = STATUS_USAGE;
    if (body && output_open(&file, path)) {
        result = run_all(source, list, count, options, body, status);
        bench_sentences sentences = {0};
        for (int i = 0; i < count; i++)
            if (status[i] >= 0)
                bench_sentences_add(&sentences, "%s: %s. %s", list[i].name, list[i].claim,
                                    status[i] ? "Not all of it holds here." : "It holds here.");
        bench_page_start(file.stream, name, heading, &sentences);
        fclose(body), body = NULL;
        fwrite(text, 1, length, file.stream);
        bench_page_end(file.stream);
        if (!output_commit(&file)) result = STATUS_FAILED;
        if (options->json) write_summary(name, list, count, status);
        message_note("the report is %s", path);
    }
    if (body) fclose(body);
    output_discard(&file);
    free(text);
    free(status);
    free(path);
    return result;
}
