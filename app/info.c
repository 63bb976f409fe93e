// SPDX-License-Identifier: Apache-2.0
/// sinew info: what was loaded.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "coordinates.h"
#include "info_molecule.h"
#include "info_shapes.h"
#include "info_tree.h"
#include "memory.h"
#include "message.h"
#include "model_argument.h"
#include "molecule_argument.h"
#include "options.h"
#include "sinew/load.h"
#include "sinew/sinew.h"
#include "table.h"

enum {
    ROWS_MOST = 60,    // longest table that is not shortened
    ROWS_ENDS = 20,    // rows shown at each end of a shortened one
    ROOTS_MOST = 10,   // trees listed apart
    WARNINGS_MOST = 20 // printed without --all
};

static const command_page PAGE = {
    "info",
    "MODEL [--json] [--all] [--base free|file] [--meshes hull|triangles] [--srdf FILE]",
    "Shows what a model holds: bodies, joints, degrees of freedom, masses, limits, what can be\n"
    "touched, the tree, and everything in its file that was not used or looks wrong. Of a\n"
    "molecule: atoms, residues, chains, and how many bonds turn.\n" MODEL_HELP
    "MODEL may also be a molecule:\n" MOLECULE_HELP,
    "  sinew info hrp2                     the humanoid that comes with sinew\n"
    "  sinew info hrp2 --json > hrp2.json  the same model as JSON, which every command reads\n"
    "  sinew info random:12:7              twelve random bodies, from seed 7\n"
    "  sinew info ala:20                   a molecule: its atoms, and torsions by policy\n",
    NULL,
    1,
    1,
};

// ---- summary ------------------------------------------------------------------------------------

typedef struct tree_total {
    int root, bodies, dof;
    double mass;
} tree_total;

// Totals of every tree of the forest, in the order of their roots; how many.
static int sum_trees(const sn_model* model, tree_total** totals) {
    int count = sn_model_body_count(model), trees = 0;
    int* tree_of = memory_take((size_t)count, sizeof *tree_of);
    tree_total* sums = memory_take((size_t)count, sizeof *sums);
    for (int i = 0; i < count; i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        if (b.parent.i < 0) {
            tree_of[i] = trees;
            sums[trees++].root = i;
        } else {
            tree_of[i] = tree_of[b.parent.i];
        }
        sums[tree_of[i]].bodies += 1;
        sums[tree_of[i]].dof += b.nv;
        sums[tree_of[i]].mass += b.inertia.mass;
    }
    free(tree_of);
    *totals = sums;
    return trees;
}

static char* joint_census(const sn_model* model) {
    int by_type[SN_JOINT_TYPE_COUNT] = {0};
    for (int i = 0; i < sn_model_body_count(model); i++) {
        by_type[sn_model_body(model, sn_body(i)).type] += 1;
    }
    char text[256] = "none";
    int length = 0;
    for (int t = 0; t < SN_JOINT_TYPE_COUNT; t++) {
        if (by_type[t] == 0) continue;
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%d %s",
                           length ? ", " : "", by_type[t], sn_joint_type_name((sn_joint_type)t));
    }
    return memory_copy(text);
}

static int deepest(const sn_model* model) {
    int count = sn_model_body_count(model), most = 0;
    int* depth = memory_take((size_t)count, sizeof *depth);
    for (int i = 0; i < count; i++) {
        int parent = sn_model_body(model, sn_body(i)).parent.i;
        depth[i] = parent < 0 ? 1 : depth[parent] + 1;
        if (depth[i] > most) most = depth[i];
    }
    free(depth);
    return most;
}

static void print_summary(const sn_model* model, const char* path) {
    int folded = 0, visual = 0, collision = 0;
    for (int i = 0; i < sn_model_frame_count(model); i++) {
        folded += sn_model_frame(model, (sn_frame_id){i}).folded;
    }
    for (int i = 0; i < sn_model_shape_count(model); i++) {
        int use = sn_model_shape(model, i).use;
        visual += (use & SN_SHAPE_VISUAL) != 0;
        collision += (use & SN_SHAPE_COLLISION) != 0;
    }
    char* joints = joint_census(model);
    table* t = table_create("ll", NULL);
    table_pair(t, "model", "%s", sn_model_name(model));
    if (path) table_pair(t, "file", "%s", path);
    table_pair(t, "moving bodies", "%d, deepest chain %d", sn_model_body_count(model),
               deepest(model));
    table_pair(t, "joints", "%s", joints);
    table_pair(t, "degrees of freedom", "%d (q has %d numbers)", sn_model_nv(model),
               sn_model_nq(model));
    if (sn_model_loop_count(model) > 0) {
        table_pair(t, "loops", "%d, closed by joints of their own", sn_model_loop_count(model));
    }
    table_pair(t, "mass", "%.6g kg", sn_model_mass(model));
    table_pair(t, "fixed frames", "%d", folded);
    table_pair(t, "shapes", "%d (%d visual, %d collision)", sn_model_shape_count(model), visual,
               collision);
    table_print(t, 0, stdout);
    free(joints);
}

static void print_trees(const sn_model* model) {
    tree_total* totals;
    int trees = sum_trees(model, &totals);
    if (trees > 1) {
        printf("\nTrees\n");
        table* t = table_create("lrrr", "root|bodies|DOF|mass [kg]");
        for (int i = 0; i < trees && i < ROOTS_MOST; i++) {
            table_cell(t, "%s", sn_model_body(model, sn_body(totals[i].root)).name);
            table_cell(t, "%d", totals[i].bodies);
            table_cell(t, "%d", totals[i].dof);
            table_cell(t, "%.6g", totals[i].mass);
        }
        table_print(t, 2, stdout);
        if (trees > ROOTS_MOST) printf("  and %d more trees\n", trees - ROOTS_MOST);
    }
    free(totals);
}

// ---- table of bodies ----------------------------------------------------------------------------

// Limits of a joint's first coordinate, in degrees or metres; "-" when it has none.
static void format_limits(const sn_body_info* b, char* text, size_t size) {
    bool limited = b->nv > 0 && (isfinite(b->lower[0]) || isfinite(b->upper[0]));
    if (!limited) {
        snprintf(text, size, "-");
        return;
    }
    bool angle = coordinates_v_is_angular(b->type, 0);
    double unit = angle ? 180 / acos(-1) : 1;
    snprintf(text, size, "%.4g .. %.4g %s%s", unit * b->lower[0], unit * b->upper[0],
             angle ? "deg" : "m", b->nv > 1 ? " ..." : "");
}

static void format_range(int first, int count, char* text, size_t size) {
    if (count == 1) {
        snprintf(text, size, "%d", first);
    } else {
        snprintf(text, size, "%d-%d", first, first + count - 1);
    }
}

static void add_body_row(table* t, const sn_model* model, int i) {
    char range[32], limits[64];
    sn_body_info b = sn_model_body(model, sn_body(i));
    format_range(b.iv, b.nv, range, sizeof range);
    format_limits(&b, limits, sizeof limits);
    table_cell(t, "%d", i);
    table_cell(t, "%s", b.name);
    table_cell(t, "%s", b.joint_name);
    table_cell(t, "%s", sn_joint_type_name(b.type));
    table_cell(t, "%s", b.parent.i < 0 ? "world" : sn_model_body(model, b.parent).name);
    table_cell(t, "%s", range);
    table_cell(t, "%.4g", b.inertia.mass);
    table_cell(t, "%s", limits);
}

static void print_bodies(const sn_model* model, bool all) {
    int count = sn_model_body_count(model);
    bool cut = !all && count > ROWS_MOST;
    printf("\nBodies, each with the joint that carries it\n");
    table* t = table_create("rllllrrl", "#|body|joint|type|parent|DOF|mass [kg]|limits");
    for (int i = 0; i < count; i++) {
        if (cut && i == ROWS_ENDS) {
            for (int c = 0; c < 8; c++) table_cell(t, "%s", c == 1 ? "..." : "");
            i = count - ROWS_ENDS;
        }
        add_body_row(t, model, i);
    }
    table_print(t, 2, stdout);
    if (cut) printf("  %d rows left out; --all shows them\n", count - 2 * ROWS_ENDS);
}

// ---- table of loops -----------------------------------------------------------------------------

static const char* end_name(const sn_model* model, const sn_loop_end* end) {
    return end->frame.i < 0 ? "world" : sn_model_frame(model, end->frame).name;
}

static void print_loops(const sn_model* model, bool all) {
    int count = sn_model_loop_count(model);
    int shown = all || count <= ROWS_MOST ? count : ROWS_ENDS;
    if (count == 0) return;
    printf("\nLoops, each with the joint that closes it\n");
    table* t = table_create("llllrr", "loop|type|from|to|held|t_s [s]");
    for (int i = 0; i < shown; i++) {
        sn_loop_info loop = sn_model_loop(model, i);
        table_cell(t, "%s", loop.name);
        table_cell(t, "%s", loop.length > 0 ? "rod" : sn_joint_type_name(loop.type));
        table_cell(t, "%s", end_name(model, &loop.a));
        table_cell(t, "%s", end_name(model, &loop.b));
        table_cell(t, "%d", loop.rows);
        table_cell(t, "%.4g", loop.t_s);
    }
    table_print(t, 2, stdout);
    if (shown < count) printf("  %d rows left out; --all shows them\n", count - shown);
}

// ---- the command ---------------------------------------------------------------------------------

static int print_json(const sn_model* model) {
    sn_error error = {0};
    char* text = NULL;
    error.status = sn_model_to_json(model, &text, &error);
    if (error.status != SN_OK) {
        message_error_from(&error);
        return STATUS_FAILED;
    }
    fputs(text, stdout);
    if (text[0] && text[strlen(text) - 1] != '\n') putchar('\n');
    sn_text_free(text);
    return STATUS_DONE;
}

static void print_everything(const model_source* source, bool all) {
    print_summary(source->model, source->path);
    print_trees(source->model);
    print_bodies(source->model, all);
    print_loops(source->model, all);
    info_shapes_print(source->model, all, stdout);
    printf("\nTree (revolute joints unless said)\n");
    info_tree_print(source->model, all, stdout);
    int warnings = message_log_warnings(&source->log);
    if (warnings > 0) {
        printf("\n%d warning%s:\n", warnings, warnings == 1 ? "" : "s");
    } else {
        printf("\nno warnings\n");
    }
    fflush(stdout);
}

int command_info(int argc, char** argv) {
    bool json = false, all = false;
    int base = MODEL_BASE_UNSET, meshes = SN_MESH_SKIP;
    const char* srdf = NULL;
    text_list packages = {0}, arguments = {0};
    const option options[] = {
        {"json", NULL, "the model as JSON (docs/eval.md) on standard output", OPTION_FLAG, &json},
        {"all", NULL, "leave nothing out, however large the model", OPTION_FLAG, &all},
        {"base", MODEL_BASE_CHOICES, MODEL_BASE_HELP, OPTION_CHOICE, &base},
        {"meshes", MODEL_MESH_CHOICES, MODEL_MESH_HELP, OPTION_CHOICE, &meshes},
        {"srdf", "FILE", MODEL_SRDF_HELP, OPTION_TEXT, &srdf},
        {"package-path", "DIR...", "folders in which package://NAME/... of a URDF is looked for",
         OPTION_LIST, &packages},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &arguments);
    int status = parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    model_source source = {0};
    if (parsed == OPTIONS_RUN && sn_molecule_is_name(arguments.items[0])) {
        status = info_molecule(arguments.items[0], json, all);
    } else if (parsed == OPTIONS_RUN) {
        if (packages.count > 0) text_list_add(&packages, NULL);
        model_request request = {arguments.items[0], (model_base)base, true, packages.items};
        model_extras extras = {(sn_mesh_use)meshes, srdf, false};
        if (!model_source_load_with(&request, &extras, &source)) {
            status = STATUS_USAGE;
        } else {
            if (json) {
                status = print_json(source.model);
            } else {
                print_everything(&source, all);
            }
            message_log_print(&source.log, all ? 0 : WARNINGS_MOST);
        }
    }
    model_source_free(&source);
    text_list_free(&packages);
    text_list_free(&arguments);
    return status;
}
