// SPDX-License-Identifier: Apache-2.0
/// sinew draw tree: the assembly tree of a model, with the regions that a grabbed body and adaptive
/// dynamics make of it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adaptive_options.h"
#include "body_argument.h"
#include "command.h"
#include "draw.h"
#include "json_writer.h"
#include "memory.h"
#include "message.h"
#include "model_argument.h"
#include "options.h"
#include "output_file.h"
#include "svg_tree.h"
#include "table.h"

enum { WARNINGS_MOST = 5 };

static const command_page PAGE = {
    "draw tree",
    "MODEL [--body NAME] [--max-active N] [-o FILE.svg] [OPTIONS]",
    "Draws how a model is put together from single bodies, two parts at a time, in O(log n) "
    "levels:\n"
    "the assembly tree of the dynamics dca and adaptive. With --body it shows what has to be\n"
    "visited to know what a hand feels that grabs this body: the up-region, which is also the\n"
    "coupling region, and its siblings, which with it are the extended region. With --max-active "
    "or\n"
    "--threshold it shows which joints adaptive dynamics would choose at rest in the neutral\n"
    "configuration, and the parts that then move as one body. Without -o the picture goes to\n"
    "standard output. More: docs/adaptive.md.\n" MODEL_HELP,
    "  sinew draw tree hrp2 --body r_wrist -o tree.svg\n"
    "  sinew draw tree chain:64 --max-active 8 > chain.svg\n"
    "  sinew draw tree hrp2 --pin --max-active 9 --push r_wrist=20,0,0 -o push.svg\n"
    "  sinew draw tree chain:100000 --body b012345 -o large.svg    the upper levels, and the way\n"
    "  sinew draw tree double_pendulum --json\n",
    "Of a tree with more than 600 leaves the upper levels are drawn, and below them the regions;\n"
    "triangles stand for what is left out, and the picture says how much that is. --json has all\n"
    "nodes.\n",
    1,
    1,
};

typedef struct tree_options {
    int base;
    adaptive_options adaptive;
    bool pin, json;
    text_list push;
    const char *body, *output; ///< or NULL
} tree_options;

typedef struct tree_run {
    const tree_options* options;
    model_source source;
    sn_dynamics* dynamics;
    sn_body_id body; ///< i = -1: none
    bool region;     ///< adaptive dynamics has chosen joints
    tree_layout layout;
} tree_run;

// ---- what is drawn ---------------------------------------------------------------------------------

static sn_status choose_joints(tree_run* run) {
    const sn_model* model = run->source.model;
    sn_adaptivity adaptivity = adaptive_options_make(&run->options->adaptive);
    sn_status status = sn_dynamics_set_adaptivity(run->dynamics, &adaptivity);
    if (status != SN_OK) return status;
    double* q = memory_take((size_t)sn_model_nq(model), sizeof *q);
    double* qdd = memory_take((size_t)sn_model_nv(model), sizeof *qdd);
    sn_model_neutral(model, q);
    status = sn_dynamics_forward(run->dynamics, q, NULL, NULL, qdd);
    free(q);
    free(qdd);
    return status;
}

static bool set_up(tree_run* run) {
    const tree_options* o = run->options;
    const sn_model* model = run->source.model;
    for (int i = 0; i < o->push.count; i++) {
        body_push push;
        if (!body_push_parse(model, o->push.items[i], &push)) return false;
        sn_wrench wrench = sn_wrench_make(sn_vec3_zero(), push.force);
        sn_dynamics_set_wrench(run->dynamics, push.body, SN_AXES_WORLD, wrench);
    }
    for (int i = 0; o->pin && i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        if (b.type == SN_JOINT_FREE && b.parent.i < 0) {
            sn_dynamics_lock(run->dynamics, sn_body(i), true);
        }
    }
    return true;
}

static bool prepare(tree_run* run, const char* text) {
    const tree_options* o = run->options;
    model_request request = {text, (model_base)o->base, false, NULL};
    if (!model_source_load(&request, &run->source)) return false;
    message_log_print(&run->source.log, WARNINGS_MOST);
    run->body = sn_body(-1);
    if (o->body) {
        run->body = body_argument_find(run->source.model, "--body", o->body);
        if (run->body.i < 0) return false;
    }
    sn_error error = {0};
    run->region = o->adaptive.max_active >= 0 || o->adaptive.threshold >= 0;
    error.status = sn_dynamics_create(run->source.model, run->region ? "adaptive" : "dca",
                                      &run->dynamics, &error);
    if (error.status == SN_OK && !set_up(run)) return false;
    if (error.status == SN_OK && run->region) error.status = choose_joints(run);
    if (error.status != SN_OK) {
        message_error_from(&error);
        return false;
    }
    if (sn_dynamics_tree_size(run->dynamics) == 0) {
        message_error("%s: has no moving bodies, and so no tree to draw", text);
        return false;
    }
    run->layout = tree_layout_make(run->dynamics, run->body, run->region);
    return true;
}

// ---- the picture -----------------------------------------------------------------------------------

static char* size_line(const tree_run* run) {
    int bodies = sn_model_body_count(run->source.model);
    return memory_text("%d %s, %d nodes in %d levels", bodies, bodies == 1 ? "body" : "bodies",
                       sn_dynamics_tree_size(run->dynamics), sn_dynamics_tree_depth(run->dynamics));
}

static char* body_line(const tree_run* run) {
    int up = run->layout.up_count, extended = up + run->layout.sibling_count;
    return memory_text("%s grabbed: up-region %d nodes, extended region %d",
                       sn_model_body(run->source.model, run->body).name, up, extended);
}

static char* region_line(const tree_run* run) {
    sn_region_report r = sn_dynamics_region(run->dynamics);
    sn_metric metric = adaptive_options_make(&run->options->adaptive).metric;
    const sn_units* si = sn_units_of(SN_UNITS_SI); // models of files are
    return memory_text("adaptive dynamics at rest%s%s: %d joint%s active, %d moving part%s, "
                       "remaining error %.3g of %.3g%s%s",
                       run->options->pin ? ", root pinned" : "",
                       run->options->push.count ? ", pushed" : "", r.active,
                       r.active == 1 ? "" : "s", r.rigid, r.rigid == 1 ? "" : "s", r.error, r.total,
                       metric_unit(metric, si)[0] ? " " : "", metric_unit(metric, si));
}

static char* left_out_line(const tree_run* run) {
    const tree_layout* t = &run->layout;
    int active = 0;
    for (int i = 0; i < t->count; i++) active += t->marks[i].level >= t->all_above;
    return memory_text("shown: the upper %d levels%s; %d of %d nodes are left out, below the "
                       "triangles",
                       t->all_above, active ? ", and the regions below them" : "", t->left_out,
                       sn_dynamics_tree_size(run->dynamics));
}

static void write_picture(const tree_run* run, FILE* out) {
    char* lines[TREE_LINES_MOST] = {NULL};
    int count = 0;
    lines[count++] = size_line(run);
    if (run->body.i >= 0) lines[count++] = body_line(run);
    if (run->region) lines[count++] = region_line(run);
    if (run->layout.left_out > 0) lines[count++] = left_out_line(run);
    char* title = memory_text("Assembly tree of %s", sn_model_name(run->source.model));
    tree_picture picture = {.layout = &run->layout,
                            .model = run->source.model,
                            .title = title,
                            .body = run->body,
                            .region = run->region};
    for (int i = 0; i < count; i++) picture.lines[i] = lines[i];
    svg_tree_write(&picture, out);
    for (int i = 0; i < count; i++) free(lines[i]);
    free(title);
}

// ---- text and JSON ---------------------------------------------------------------------------------

static void print_report(const tree_run* run) {
    char* size = size_line(run);
    table* t = table_create("ll", NULL);
    table_pair(t, "model", "%s", sn_model_name(run->source.model));
    table_pair(t, "tree", "%s", size);
    if (run->body.i >= 0) {
        int up = run->layout.up_count, extended = up + run->layout.sibling_count;
        table_pair(t, "body", "%s", sn_model_body(run->source.model, run->body).name);
        table_pair(t, "up-region", "%d nodes (the coupling region is the same)", up);
        table_pair(t, "extended", "%d nodes, with siblings", extended);
    }
    if (run->region) {
        sn_region_report r = sn_dynamics_region(run->dynamics);
        table_pair(t, "active joints", "%d of %d", r.active,
                   sn_model_body_count(run->source.model));
        table_pair(t, "moving parts", "%d", r.rigid);
        table_pair(t, "remaining error", "%.4g of %.4g", r.error, r.total);
    }
    if (run->layout.left_out > 0) {
        char* left_out = left_out_line(run);
        table_pair(t, "left out", "%s", left_out);
        free(left_out);
    }
    table_pair(t, "picture", "%s", run->options->output);
    table_print(t, 0, stdout);
    free(size);
}

static void write_node(json_writer* w, const tree_run* run, const sn_tree_node* n) {
    static const char* const kinds[] = {"body", "joint", "weld", "ground", "forest"};
    jw_object_line(w);
    jw_key(w, "kind");
    jw_text(w, kinds[n->kind]);
    jw_key(w, "parent");
    jw_integer(w, n->parent);
    jw_key(w, "a");
    jw_integer(w, n->a);
    jw_key(w, "b");
    jw_integer(w, n->b);
    jw_key(w, "body");
    jw_integer(w, n->body.i);
    jw_key(w, "u");
    jw_integer(w, n->u.i);
    jw_key(w, "d");
    jw_integer(w, n->d.i);
    jw_key(w, "joints");
    jw_integer(w, n->joints);
    if (run->region) {
        jw_key(w, "active");
        jw_boolean(w, tree_node_active(run->dynamics, n));
        jw_key(w, "inside");
        jw_boolean(w, n->inside);
    }
    jw_object_end(w);
}

static void write_region(json_writer* w, const tree_run* run, const char* key, bool siblings) {
    jw_key(w, key);
    jw_array_line(w);
    for (int i = run->layout.count - 1; i >= 0; i--) {
        const tree_mark* mark = &run->layout.marks[i];
        if (mark->up || (siblings && mark->sibling)) jw_integer(w, mark->id);
    }
    jw_array_end(w);
}

static void print_json(const tree_run* run) {
    int size = sn_dynamics_tree_size(run->dynamics);
    json_writer w = jw_start(stdout);
    jw_object(&w);
    jw_key(&w, "model");
    jw_text(&w, sn_model_name(run->source.model));
    jw_key(&w, "bodies");
    jw_integer(&w, sn_model_body_count(run->source.model));
    jw_key(&w, "depth");
    jw_integer(&w, sn_dynamics_tree_depth(run->dynamics));
    if (run->body.i >= 0) {
        jw_key(&w, "body");
        jw_integer(&w, run->body.i);
        write_region(&w, run, "up_region", false);
        write_region(&w, run, "extended_region", true);
    }
    if (run->region) {
        sn_region_report r = sn_dynamics_region(run->dynamics);
        jw_key(&w, "active_joints");
        jw_integer(&w, r.active);
        jw_key(&w, "moving_parts");
        jw_integer(&w, r.rigid);
        jw_key(&w, "remaining_error");
        jw_number(&w, r.error);
        jw_key(&w, "total_metric");
        jw_number(&w, r.total);
    }
    jw_key(&w, "left_out");
    jw_integer(&w, run->layout.left_out);
    jw_key(&w, "nodes");
    jw_array(&w);
    for (int i = 0; i < size; i++) {
        sn_tree_node node = sn_dynamics_tree_node(run->dynamics, i);
        write_node(&w, run, &node);
    }
    jw_array_end(&w);
    jw_object_end(&w);
    jw_finish(&w);
}

// ---- the command -----------------------------------------------------------------------------------

static int run_parsed(const tree_options* o, const char* text) {
    tree_run run = {.options = o};
    output_file file = {0};
    int status = STATUS_USAGE;
    if (!o->output || output_open(&file, o->output)) {
        if (prepare(&run, text)) {
            status = STATUS_DONE;
            if (o->output || !o->json) write_picture(&run, o->output ? file.stream : stdout);
            if (o->output && !output_commit(&file)) status = STATUS_FAILED;
            if (o->json) {
                print_json(&run);
            } else if (o->output && status == STATUS_DONE) {
                print_report(&run);
            }
        }
    }
    output_discard(&file);
    tree_layout_free(&run.layout);
    sn_dynamics_free(run.dynamics);
    model_source_free(&run.source);
    return status;
}

// What belongs to adaptive dynamics makes sense only with a region.
static bool options_fit(const tree_options* o) {
    bool region = o->adaptive.max_active >= 0 || o->adaptive.threshold >= 0;
    const char* given = o->adaptive.metric >= 0 ? "metric"
                        : o->pin                ? "pin"
                        : o->push.count > 0     ? "push"
                                                : NULL;
    if (region || !given) return true;
    message_error("--%s: changes which joints adaptive dynamics chooses; say how many with "
                  "--max-active, or --threshold",
                  given);
    return false;
}

int draw_tree(int argc, char** argv) {
    tree_options o = {.base = MODEL_BASE_UNSET, .adaptive = adaptive_options_none()};
    text_list arguments = {0};
    const option options[] = {
        {"body", "NAME", "show the regions of a hand that grabs this body", OPTION_TEXT, &o.body},
        {"max-active", "N", MAX_ACTIVE_HELP, OPTION_WHOLE, &o.adaptive.max_active},
        {"threshold", "X", THRESHOLD_HELP, OPTION_LEAST, &o.adaptive.threshold},
        {"metric", METRIC_CHOICES, METRIC_HELP, OPTION_CHOICE, &o.adaptive.metric},
        {"push", "BODY=FX,FY,FZ...",
         "adaptive dynamics: force on a body at its origin, in N, "
         "world axes",
         OPTION_LIST, &o.push},
        {"pin", NULL, "adaptive dynamics: hold every free root where it is", OPTION_FLAG, &o.pin},
        {"base", MODEL_BASE_CHOICES, MODEL_BASE_HELP, OPTION_CHOICE, &o.base},
        {"output", "FILE.svg", "where to write the picture; also -o FILE.svg", OPTION_TEXT,
         &o.output},
        {"json", NULL, "the tree as JSON on standard output: all nodes and regions", OPTION_FLAG,
         &o.json},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &arguments);
    int status = parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    if (parsed == OPTIONS_RUN) {
        status = options_fit(&o) ? run_parsed(&o, arguments.items[0]) : STATUS_USAGE;
    }
    text_list_free(&o.push);
    text_list_free(&arguments);
    return status;
}
