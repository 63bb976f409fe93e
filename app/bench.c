// SPDX-License-Identifier: Apache-2.0
/// sinew bench: the list of benchmarks.
#include "bench.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "json_writer.h"
#include "message.h"
#include "options.h"
#include "suggest.h"

typedef struct benchmark {
    const char* name;
    const char* about;
    int (*run)(const bench_options* options);
} benchmark;

static const benchmark benchmarks[] = {
    {"dynamics", "forward dynamics (q, v, tau) -> qdd, per evaluation and per joint",
     bench_dynamics},
    {"adaptive",
     "whole steps of worlds with few of many joints active, beside steps with all active",
     bench_adaptive},
    {"coupling", "what a hand feels: making the law of a grabbed body, and evaluating it",
     bench_coupling},
    {"delassus", "the Delassus operator of contacts, J M^-1 J^T, by every method", bench_delassus},
    {"solve", "contact problems to 1e-8 by every solver, Siconos beside them; cost of a sweep",
     bench_solve},
    {"contact", "whole steps of scenes with contact, other engines beside ours; the broad phase",
     bench_contact},
    {"haptics", "the haptic tick whatever is held, its parts, and the coupling loop",
     bench_haptics},
    {"world",
     "a running scene besides the work of its stages: overhead, loading, recording, Python",
     bench_world},
    {"molecule", "proteins: forces between atoms, torsions, what a hand feels, whole steps",
     bench_molecule},
    {"viewer", "the page and its server: frames of 10^4 bodies, a pointer's way, several viewers",
     bench_viewer},
};
enum { BENCHMARK_COUNT = sizeof benchmarks / sizeof benchmarks[0] };

static const command_page PAGE = {
    "bench",
    "[NAME] [--quick] [--lines LIST] [--peers DIR] [--report DIR] [--json]",
    "Measures speed on this machine, repetitions by turns so that a busy moment hits all alike.\n"
    "dynamics times every engine on every line, others beside ours when their helper programs are\n"
    "there (`make peers` builds them), and all must agree on the result. adaptive, coupling "
    "and\n"
    "delassus time our own. solve times our contact solvers, and Siconos beside them. contact\n"
    "steps whole scenes, other engines beside ours, and compares what happens with what must. "
    "haptics\n"
    "times the loops of an interaction. world is about what is around the stages of a step,\n"
    "loading, recording and Python. molecule is about proteins. viewer measures the server by "
    "clients\n"
    "over loopback, and the page in Chromium where there is one.\n"
    "Without a name it lists the benchmarks. How to read the numbers: docs/benchmarks.md.\n",
    "  sinew bench\n"
    "  sinew bench dynamics --lines chain128,hrp2           two lines only\n"
    "  sinew bench dynamics --lines arm --json > arm.json\n"
    "  sinew bench dynamics --lines arm,hrp2,human --report report    also report/report.html\n"
    "  sinew bench adaptive --quick --report steps          whole steps; also steps/report.html\n"
    "  sinew bench coupling --quick                         without the chain of 10^6 joints\n"
    "  sinew bench delassus --quick --lines snake           and the bodies of another model\n"
    "  sinew bench solve --quick                            contact problems made here\n"
    "  sinew bench contact --lines hrp2-32,pile-64          two scenes only\n"
    "  sinew bench haptics --quick                          the haptic tick, without 10^6 joints\n"
    "  sinew bench world --quick                            what is around the stages\n"
    "  sinew bench molecule --quick                         forces between atoms\n"
    "  sinew bench viewer --quick                           what the page and its server cost\n",
    "Each takes one to three minutes, contact with all engines twenty, --quick some seconds;\n"
    "adaptive, coupling and haptics want 5 to 9 GB of memory for 10^6 joints. An engine that\n"
    "disagrees with the others makes the exit status 1; one that fails is reported in its row.\n",
    0,
    1,
};

static void list_benchmarks(bool json) {
    json_writer w = jw_start(stdout);
    if (json) jw_object(&w);
    for (int i = 0; i < BENCHMARK_COUNT; i++) {
        if (json) {
            jw_key(&w, benchmarks[i].name);
            jw_text(&w, benchmarks[i].about);
        } else {
            printf("%-12s%s\n", benchmarks[i].name, benchmarks[i].about);
        }
    }
    if (!json) return;
    jw_object_end(&w);
    jw_finish(&w);
}

static int run_benchmark(const char* name, const bench_options* options) {
    const char* names[BENCHMARK_COUNT];
    if (options->files.count > 0 && strcmp(name, "solve") != 0) {
        message_error("--files belongs to `sinew bench solve`; leave it out");
        return STATUS_USAGE;
    }
    for (int i = 0; i < BENCHMARK_COUNT; i++) {
        names[i] = benchmarks[i].name;
        if (strcmp(name, names[i]) == 0) return benchmarks[i].run(options);
    }
    const char* near = suggest_name(name, names, BENCHMARK_COUNT);
    if (near) {
        message_error("there is no benchmark '%s'; did you mean '%s'?", name, near);
    } else {
        message_error("there is no benchmark '%s'; `sinew bench` lists them", name);
    }
    return STATUS_USAGE;
}

int command_bench(int argc, char** argv) {
    bench_options o = {.timeout = 30};
    text_list arguments = {0};
    const option options[] = {
        {"quick", NULL, "fewer and shorter repetitions, without the largest models", OPTION_FLAG,
         &o.quick},
        {"lines", "LIST",
         "dynamics: only these lines, separated by commas, such as chain128,hrp2; contact: only "
         "these scenes; delassus: also these models, names or files",
         OPTION_TEXT, &o.lines},
        {"peers", "DIR",
         "dynamics, solve, contact, molecule: folder of the helper programs; if not given, the "
         "folder "
         "peers beside this program",
         OPTION_TEXT, &o.peers},
        {"files", "FILE...", "solve: also these contact problems; a folder means all in it",
         OPTION_LIST, &o.files},
        {"report", "DIR",
         "also write report.html, its data report.json and its charts into this folder",
         OPTION_TEXT, &o.report},
        {"reps", "N", "timed repetitions of each row; if not given 21, quick 3 or 5", OPTION_COUNT,
         &o.reps},
        {"timeout", "S", "seconds a helper program has for an answer; 30 if not given",
         OPTION_POSITIVE, &o.timeout},
        {"json", NULL, "one JSON object on standard output", OPTION_FLAG, &o.json},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &arguments);
    int status = parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    if (parsed == OPTIONS_RUN && arguments.count == 0) {
        list_benchmarks(o.json);
    } else if (parsed == OPTIONS_RUN) {
        status = run_benchmark(arguments.items[0], &o);
    }
    text_list_free(&o.files);
    text_list_free(&arguments);
    return status;
}
