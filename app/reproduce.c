// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
/// sinew reproduce: the list of experiments.
#include "reproduce.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "machine.h"
#include "markup.h"
#include "message.h"
#include "options.h"
#include "output_file.h"
#include "reproduce_paper.h"
#include "suggest.h"
#include "table.h"

static const experiment experiments[] = {
    {"keith-joints", "K08",
     "a ball joint built of three hinges is unstable near its singularity, a true one is not",
     reproduce_keith_joints},
    {"morin-fig5", "MR07",
     "a hand feels proteins at more than 10 kHz, whatever their size; 857 active joints become 48",
     reproduce_morin_fig5},
    {"unfold", "MR07",
     "a hand that unfolds a helix puts in what the molecule gains and friction takes",
     reproduce_unfold},
    {"rotamer", "MR07",
     "a side chain pulled over the barrier between two rotamers lets go, and a hand feels it",
     reproduce_rotamer},
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
    {"pushes", "K08",
     "a standing humanoid that balances survives pushes at the chest from every side",
     reproduce_pushes},
    {"chardonnet-pillar", "C12",
     "a humanoid on elastic ankles pushes a pillar: forces of hand and feet, friction, 2 mm",
     reproduce_chardonnet_pillar},
    {"chardonnet-identify", "C12",
     "friction of a sole, a force sensor's matrix and a joint's friction from noisy measures",
     reproduce_chardonnet_identify},
    {"chardonnet-lift", "C12",
     "a humanoid lifts 8.4 kg and 23.4 kg over its head inside its torque limits",
     reproduce_chardonnet_lift},
    {"chardonnet-penalty", "C12", "with springs at contacts the pillar and the lift diverge",
     reproduce_chardonnet_penalty},
    {"keith-avatars", "K08",
     "a person leads avatars' arms, carries a basket with them, is looked at; sofa, bar",
     reproduce_keith_avatars},
};
enum { EXPERIMENT_COUNT = sizeof experiments / sizeof experiments[0] };

typedef struct paper {
    const char *name, *source, *heading;
} paper;

static const paper papers[] = {
    {"keith", "K08", "Keith et al. 2008: haptic interaction with avatars, done again"},
    {"chardonnet", "C12", "Chardonnet 2012: an interactive dynamic simulator, done again"},
};
enum { PAPER_COUNT = sizeof papers / sizeof papers[0] };

static const command_page PAGE = {
    "reproduce",
    "[NAME] [--plot FILE] [--report FILE] [--save FOLDER] [--quick] [--json]",
    "Does an experiment of the papers again, on this machine, and prints what was measured beside\n"
    "what the paper claims. Without a name it lists the experiments; keith or chardonnet does all\n"
    "of a paper's and writes one HTML report, keith.html unless --report says otherwise.\n",
    "  sinew reproduce\n"
    "  sinew reproduce keith-joints --plot keith.svg\n"
    "  sinew reproduce redon-pendulum --quick --plot pendulum.svg\n"
    "  sinew reproduce redon-crowd --quick\n"
    "  sinew reproduce chardonnet-fig3 --quick --plot fig3.svg\n"
    "  sinew reproduce chardonnet-identify --plot identify.svg\n",
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

// What a study prints, and what comes of it.
static void print_all(const reproduce_study* r, bool holds, FILE* out) {
    r->print(r->study, out);
    fprintf(out, "\n%s\n", holds ? "The claim holds." : "The claim did NOT show.");
}

static void write_all(const reproduce_study* r, bool holds) {
    json_writer w = jw_start(stdout);
    machine here = machine_ask();
    jw_object(&w);
    jw_key(&w, "reproduce");
    jw_text(&w, r->name);
    jw_key(&w, "holds");
    jw_boolean(&w, holds);
    machine_write(&here, &w);
    r->write(r->study, &w);
    jw_object_end(&w);
    jw_finish(&w);
}

// What a study prints, as it stands.
static void write_text(const reproduce_study* r, FILE* page) {
    char* text = NULL;
    size_t length = 0;
    FILE* out = open_memstream(&text, &length);
    if (!out) return;
    r->print(r->study, out);
    fclose(out);
    fputs("<div class=\"wide\"><pre>", page);
    for (char *line = text, *end; *line; line = end) { // line by line: markup has no breaks
        end = line + strcspn(line, "\n");
        if (*end) *end++ = '\0';
        markup_write(page, line);
        fputc('\n', page);
    }
    fputs("</pre></div>\n", page);
    free(text);
}

// What a study adds to the report of its paper. The picture is an image of its own, so that its names and styles do not
// meet those of others.
static void write_section(const reproduce_study* r, FILE* page) {
    char* text = NULL;
    size_t length = 0;
    if (r->page)
        r->page(r->study, page);
    else
        write_text(r, page);
    FILE* picture = open_memstream(&text, &length);
    if (!picture) return;
    r->draw(r->study, picture);
    fclose(picture);
    fputs("<figure><img alt=\"what was measured\" src=\"data:image/svg+xml,", page);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (isalnum(c) || strchr(" .,:;/=()-_", c))
            fputc(c, page);
        else
            fprintf(page, "%%%02X", c);
    }
    fputs("\"></figure>\n", page);
    free(text);
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
        if (options->page) write_section(r, options->page);
        if (!options->json)
            print_all(r, holds, stdout);
        else if (!options->page) // a whole paper tells of all at the end
            write_all(r, holds);
        if (holds && drawn) status = STATUS_DONE;
    }
    output_discard(&picture);
    return status;
}

static int run_experiment(const char* name, const reproduce_options* options) {
    const char* names[EXPERIMENT_COUNT + PAPER_COUNT];
    for (int i = 0; i < EXPERIMENT_COUNT; i++) {
        names[i] = experiments[i].name;
        if (strcmp(name, names[i]) == 0) return experiments[i].run(options);
    }
    for (int i = 0; i < PAPER_COUNT; i++) {
        const paper* p = &papers[i];
        names[EXPERIMENT_COUNT + i] = p->name;
        if (strcmp(name, p->name) == 0)
            return reproduce_paper(p->name, p->heading, p->source, experiments, EXPERIMENT_COUNT,
                                   options);
    }
    const char* near = suggest_name(name, names, EXPERIMENT_COUNT + PAPER_COUNT);
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
        {"report", "FILE.html", "of a paper: where it is written", OPTION_TEXT, &o.report},
        {"save", "FOLDER", "of chardonnet-lift: only plan, and write the motions there",
         OPTION_TEXT, &o.save},
        {"quick", NULL, "a short run, to see that it works", OPTION_FLAG, &o.quick},
        {"json", NULL, "the numbers as JSON on standard output", OPTION_FLAG, &o.json},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &arguments);
    int status = parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    if (parsed == OPTIONS_RUN && arguments.count == 0) {
        list_experiments(o.json);
    } else if (parsed == OPTIONS_RUN && o.save &&
               strcmp(arguments.items[0], "chardonnet-lift") != 0) {
        message_error("--save is for chardonnet-lift, whose motions are files");
        status = STATUS_USAGE;
    } else if (parsed == OPTIONS_RUN) {
        status = run_experiment(arguments.items[0], &o);
    }
    text_list_free(&arguments);
    return status;
}
