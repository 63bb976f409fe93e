// SPDX-License-Identifier: Apache-2.0
/// sinew eval: dynamics of a model at given states, in the interchange format of docs/eval.md.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adaptive_options.h"
#include "algorithms.h"
#include "command.h"
#include "coordinates.h"
#include "eval_answer.h"
#include "eval_case.h"
#include "eval_compare.h"
#include "eval_qdd.h"
#include "memory.h"
#include "message.h"
#include "model_argument.h"
#include "options.h"

enum { WARNINGS_MOST = 5, FREE_NQ = 7 };
enum { ONLY_QDD = 0, EVERYTHING = -1 }; // choices of --only

static const command_page PAGE = {
    "eval",
    "MODEL --cases FILE... [--algorithm NAME] [--with LIST | --only qdd] [--json]",
    "Computes the dynamics of a model at given states: joint accelerations, bias forces, poses,\n"
    "velocities and accelerations of all bodies, energies, momentum, and on request the inertia\n"
    "matrix M and the response of bodies to wrenches (Delassus matrix). Where hands grab bodies,\n"
    "what they feel: Lambda, a0, K, f0, weight, f_feed. Where a case file holds answers, they are\n"
    "compared: OK within 1e-9 of their size. Adaptive dynamics also answers which joints are\n"
    "active and the accelerations it leaves out. Format: docs/eval.md.\n" MODEL_HELP,
    "  echo '{\"q\": [0.3, -0.2]}' > case.json\n"
    "  sinew eval chain:2 --cases case.json              a table\n"
    "  sinew eval chain:2 --cases case.json --json       everything, as JSON\n"
    "  sinew eval chain:2 --cases case.json --only qdd --json\n"
    "  sinew eval chain:2 --cases case.json --with M --json > expected.json\n"
    "  sinew eval chain:2 --cases expected.json --algorithm crba   compare with what was stored\n"
    "  sinew eval chain:2 --cases case.json --algorithm adaptive --max-active 1\n",
    "A case is an object with q, and where they are not zero v, tau, fext, gravity (if missing:\n"
    "0,0,-9.81). A file holds one case or a list. Springs, damping, dry friction and limits of\n"
    "joints are not applied: put their forces into tau. A case that cannot be evaluated, or that\n"
    "differs from its stored answer, makes the exit status 1.\n"
    "\n"
    "\"grab\": [{\"body\": ..., \"wrench\": [force; moment]}, ...] asks what hands feel that pull "
    "at\n"
    "bodies with these wrenches f_u: f_feed = K f_u + f0, with K = I Lambda - 1 and\n"
    "f0 = I a0 + v x* I v, a0 the acceleration less gravity's without the hands. Body axes. "
    "f_feed\n"
    "is without the weight of the grabbed body; add `weight`. The wrenches of grab enter f_feed\n"
    "only, not qdd and the other answers.\n",
    1,
    1,
};

typedef struct eval_run {
    text_list paths;
    int base, algorithm;
    unsigned wants;
    bool json;
    int only; ///< ONLY_QDD or EVERYTHING
    adaptive_options adaptive;
    eval_files files;
    model_source source;
    int *q_order, *v_order;
    sn_dynamics* dynamics;
} eval_run;

// Loads the model. A URDF whose cases have seven numbers more gets the free root they were made
// with, unless --base says otherwise.
static bool load_model(eval_run* run, const char* text) {
    model_request request = {text, (model_base)run->base, false, NULL};
    if (!model_source_load(&request, &run->source)) return false;
    int missing = eval_case_nq(&run->files.cases[0]) - sn_model_nq(run->source.model);
    if (run->base != MODEL_BASE_UNSET || missing != FREE_NQ || !run->source.path ||
        strcmp(run->source.path, "-") == 0) { // standard input cannot be read twice
        return true;
    }
    model_source freed;
    request.base = MODEL_BASE_FREE;
    if (!model_source_load(&request, &freed)) return false;
    if (sn_model_nq(freed.model) == eval_case_nq(&run->files.cases[0])) {
        model_source swap = run->source;
        run->source = freed;
        freed = swap;
        message_note("%s: loaded with a free root, because the cases have seven numbers more; "
                     "--base free or --base file decides it",
                     run->source.path);
    }
    model_source_free(&freed);
    return true;
}

static bool prepare(eval_run* run, const char* text) {
    sn_error error = {0};
    if (!eval_files_read(&run->paths, &run->files)) return false;
    if (!load_model(run, text)) return false;
    message_log_print(&run->source.log, WARNINGS_MOST);
    const sn_model* model = run->source.model;
    run->q_order = coordinates_q_order(model);
    run->v_order = coordinates_v_order(model);
    for (int i = 0; i < run->files.count; i++) {
        if (!eval_case_read(&run->files.cases[i], model, run->q_order, run->v_order, run->wants)) {
            return false;
        }
    }
    error.status =
        sn_dynamics_create(model, sn_dynamics_algorithm(run->algorithm), &run->dynamics, &error);
    if (run->dynamics && *sn_dynamics_advice(run->dynamics))
        message_warning("%s", sn_dynamics_advice(run->dynamics));
    if (error.status == SN_OK && strcmp(sn_dynamics_name(run->dynamics), "adaptive") == 0) {
        sn_adaptivity adaptivity = adaptive_options_make(&run->adaptive);
        error.status = sn_dynamics_set_adaptivity(run->dynamics, &adaptivity);
    }
    if (error.status == SN_OK) return true;
    message_error_from(&error);
    return false;
}

// What came of the cases so far.
typedef struct tally {
    int failed, compared, different;
} tally;

// Writes or prints one answer.
static void give_answer(const eval_run* run, const eval_case* c, const eval_answer* answer,
                        sn_status status, json_writer* w, tally* t) {
    const sn_model* model = run->source.model;
    const char* trouble = status == SN_OK ? NULL : sn_status_text(status);
    if (trouble) {
        message_error("%s: case \"%s\": cannot be evaluated: %s; look for huge numbers or masses "
                      "near zero",
                      c->file, c->name, trouble);
        t->failed += 1;
    }
    if (run->json && run->only == ONLY_QDD) {
        eval_answer_write_qdd(w, c, model, answer, trouble);
    } else if (run->json) {
        eval_answer_write(w, c, model, run->q_order, run->v_order, answer, trouble);
    } else if (!trouble) {
        eval_verdict verdict = eval_compare_print(c, model, run->q_order, run->v_order, answer);
        t->compared += verdict.compared > 0;
        t->different += verdict.different > 0;
    }
}

static void evaluate_all(eval_run* run, json_writer* w, tally* t) {
    for (int i = 0; i < run->files.count; i++) {
        eval_answer answer;
        const eval_case* c = &run->files.cases[i];
        sn_status status = eval_answer_compute(c, run->dynamics, run->v_order, &answer);
        give_answer(run, c, &answer, status, w, t);
        eval_answer_free(&answer);
    }
}

static void evaluate_qdd(eval_run* run, json_writer* w, tally* t) {
    const sn_model* model = run->source.model;
    int nv = sn_model_nv(model);
    bool aba = strcmp(sn_dynamics_algorithm(run->algorithm), "aba") == 0;
    eval_qdd qdd = eval_qdd_compute(&run->files, run->dynamics, run->v_order, aba);
    for (int i = 0; i < run->files.count; i++) {
        eval_answer answer = {.nv = nv, .bodies = sn_model_body_count(model)};
        answer.qdd = qdd.at + (size_t)i * (size_t)nv;
        give_answer(run, &run->files.cases[i], &answer, qdd.status[i], w, t);
    }
    eval_qdd_free(&qdd);
}

static int evaluate(eval_run* run) {
    tally t = {0};
    json_writer w = jw_start(stdout);
    if (run->json) jw_array(&w);
    if (run->only == ONLY_QDD) {
        evaluate_qdd(run, &w, &t);
    } else {
        evaluate_all(run, &w, &t);
    }
    if (run->json) {
        jw_array_end(&w);
        jw_finish(&w);
    } else {
        printf("%d case%s", run->files.count, run->files.count == 1 ? "" : "s");
        if (t.compared) printf(", %d compared, %d different", t.compared, t.different);
        if (t.failed) printf(", %d could not be evaluated", t.failed);
        printf("\n");
    }
    return t.failed || t.different ? STATUS_FAILED : STATUS_DONE;
}

static int run_parsed(eval_run* run, const char* text, const char* with) {
    if (run->paths.count == 0) {
        message_error("no cases given; usage: sinew eval %s", PAGE.usage);
        return STATUS_USAGE;
    }
    if (!eval_wants_parse(with, &run->wants)) return STATUS_USAGE;
    if (!adaptive_options_fit(&run->adaptive, sn_dynamics_algorithm(run->algorithm), "--algorithm"))
        return STATUS_USAGE;
    if (run->only == ONLY_QDD && run->wants) {
        message_error("--only qdd answers nothing else; leave out --with, or --only");
        return STATUS_USAGE;
    }
    if (!prepare(run, text)) return STATUS_USAGE;
    return evaluate(run);
}

int command_eval(int argc, char** argv) {
    eval_run run = {
        .base = MODEL_BASE_UNSET, .only = EVERYTHING, .adaptive = adaptive_options_none()};
    const char* with = "";
    choice_text algorithms = algorithms_dynamics();
    text_list arguments = {0};
    const option options[] = {
        {"cases", "FILE...", "case files, each one case or a list; answers keep their order",
         OPTION_LIST, &run.paths},
        {"algorithm", algorithms.text, "forward dynamics to use; the first is the default",
         OPTION_CHOICE, &run.algorithm},
        {"max-active", "N", MAX_ACTIVE_HELP, OPTION_WHOLE, &run.adaptive.max_active},
        {"threshold", "X", THRESHOLD_HELP, OPTION_LEAST, &run.adaptive.threshold},
        {"metric", METRIC_CHOICES, METRIC_HELP, OPTION_CHOICE, &run.adaptive.metric},
        {"with", "LIST",
         "also answer these, separated by commas: M, delassus_local, delassus_world_aligned; cases "
         "that hold them get them anyway",
         OPTION_TEXT, &with},
        {"only", "qdd",
         "answer the joint accelerations and nothing else: faster, and many cases of one gravity "
         "without fext are computed together (algorithm aba)",
         OPTION_CHOICE, &run.only},
        {"base", MODEL_BASE_CHOICES,
         "root of a URDF: free or file, as the file says; by default whichever the cases fit",
         OPTION_CHOICE, &run.base},
        {"json", NULL, "answers as a JSON array, one object a case, on standard output",
         OPTION_FLAG, &run.json},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &arguments);
    int status = parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    if (parsed == OPTIONS_RUN) status = run_parsed(&run, arguments.items[0], with);
    sn_dynamics_free(run.dynamics);
    free(run.q_order);
    free(run.v_order);
    model_source_free(&run.source);
    eval_files_free(&run.files);
    text_list_free(&run.paths);
    text_list_free(&arguments);
    return status;
}
