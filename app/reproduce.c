// SPDX-License-Identifier: Apache-2.0
/// sinew reproduce: the list of experiments.
#include "reproduce.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "json_writer.h"
#include "message.h"
#include "options.h"
#include "output_file.h"
#include "suggest.h"
#include "table.h"

typedef struct experiment {
    const char* name;
    const char* source; ///< key of docs/references.md
    const char* claim;
    int (*run)(const reproduce_options* options);
} experiment;

static const experiment experiments[] = {
    {"keith-joints", "K08",
     "a ball joint built of three hinges is unstable near its singularity, a true one is not",
     reproduce_keith_joints},
    {"redon-pendulum", "RGL05",
     "a pendulum with few of its 300 joints active: the fewer, the faster and the less exact",
     reproduce_redon_pendulum},
    {"redon-crowd", "RGL05",
     "200 humans, 19,000 degrees of freedom, are pushed away with few joints active",
     reproduce_redon_crowd},
    {"chardonnet-fig3", "C12",
     "the Delassus operator by unit wrenches per body is 6.5 times faster than by forces per point",
     reproduce_chardonnet_fig3},
    {"lcp-vs-nsgs", "C12",
     "pyramids in place of friction cones bend friction, and cost more the less they do",
     reproduce_lcp_vs_nsgs},
    {"keith-timing", "K08",
     "10 s of a humanoid take 92 s with 32 contact points, 300 s with more than 100",
     reproduce_keith_timing},
    {"chardonnet-contacts", "C12",
     "a humanoid is simulated in real time with fewer than 100 contact points",
     reproduce_chardonnet_contacts},
    {"penalty-divergence", "C12",
     "springs at contacts sink or throw bodies up where constraints let them rest",
     reproduce_penalty_divergence},
};
enum { EXPERIMENT_COUNT = sizeof experiments / sizeof experiments[0] };

static const command_page PAGE = {
    "reproduce",
    "[NAME] [--plot FILE.svg] [--quick] [--json]",
    "Does an experiment of the papers again, on this machine, and prints what was measured beside\n"
    "what the paper claims. Without a name it lists the experiments.\n",
    "  sinew reproduce\n"
    "  sinew reproduce keith-joints --plot keith.svg\n"
    "  sinew reproduce redon-pendulum --quick --plot pendulum.svg\n"
    "  sinew reproduce redon-crowd --quick\n"
    "  sinew reproduce chardonnet-fig3 --quick --plot fig3.svg\n",
    "When the claim does not show, the exit status is 1.\n",
    0,
    1,
};

static void list_experiments(bool json) {
    if (!json) {
        table* t = table_create("lll", "name|source|claim");
        for (int i = 0; i < EXPERIMENT_COUNT; i++) {
            table_cell(t, "%s", experiments[i].name);
            table_cell(t, "%s", experiments[i].source);
            table_cell(t, "%s", experiments[i].claim);
        }
        table_print(t, 0, stdout);
        return;
    }
    json_writer w = jw_start(stdout);
    jw_array(&w);
    for (int i = 0; i < EXPERIMENT_COUNT; i++) {
        jw_object_line(&w);
        jw_key(&w, "name");
        jw_text(&w, experiments[i].name);
        jw_key(&w, "source");
        jw_text(&w, experiments[i].source);
        jw_key(&w, "claim");
        jw_text(&w, experiments[i].claim);
        jw_object_end(&w);
    }
    jw_array_end(&w);
    jw_finish(&w);
}

int reproduce_run(const reproduce_options* options, const reproduce_study* r) {
    output_file picture = {0};
    if (options->plot && !output_open(&picture, options->plot)) return STATUS_USAGE;
    int status = STATUS_FAILED;
    bool holds = false, drawn = true;
    if (r->measure(r->study, &holds)) {
        if (options->plot) {
            r->draw(r->study, picture.stream);
            drawn = output_commit(&picture);
        }
        if (options->json) {
            r->write(r->study);
        } else {
            r->print(r->study);
        }
        if (holds && drawn) status = STATUS_DONE;
    }
    output_discard(&picture);
    return status;
}

static int run_experiment(const char* name, const reproduce_options* options) {
    const char* names[EXPERIMENT_COUNT];
    for (int i = 0; i < EXPERIMENT_COUNT; i++) {
        names[i] = experiments[i].name;
        if (strcmp(name, names[i]) == 0) return experiments[i].run(options);
    }
    const char* near = suggest_name(name, names, EXPERIMENT_COUNT);
    if (near) {
        message_error("there is no experiment '%s'; did you mean '%s'?", name, near);
    } else {
        message_error("there is no experiment '%s'; `sinew reproduce` lists them", name);
    }
    return STATUS_USAGE;
}

int command_reproduce(int argc, char** argv) {
    reproduce_options o = {0};
    text_list arguments = {0};
    const option options[] = {
        {"plot", "FILE.svg", "draw what was measured", OPTION_TEXT, &o.plot},
        {"quick", NULL, "a short run, to see that it works", OPTION_FLAG, &o.quick},
        {"json", NULL, "the numbers as JSON on standard output", OPTION_FLAG, &o.json},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &arguments);
    int status = parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    if (parsed == OPTIONS_RUN && arguments.count == 0) {
        list_experiments(o.json);
    } else if (parsed == OPTIONS_RUN) {
        status = run_experiment(arguments.items[0], &o);
    }
    text_list_free(&arguments);
    return status;
}
