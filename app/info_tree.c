// SPDX-License-Identifier: Apache-2.0
#include "info_tree.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "terminal.h"

enum {
    LINES_MOST = 60, // of a shortened picture
    RUN_ENDS = 4,    // bodies shown at each end of a shortened run
    RUN_MOST = 12,   // longest run that is not shortened
    LEVELS_MOST = 40 // deeper branches are not indented further
};

typedef struct strokes {
    const char *tee, *corner, *bar, *blank, *link, *dots;
} strokes;

static const strokes BOX = {"├─ ", "└─ ", "│  ", "   ", " ─ ", "…"};
static const strokes ASCII = {"|- ", "`- ", "|  ", "   ", " - ", "..."};

typedef struct picture {
    const sn_model* model;
    FILE* out;
    strokes s;
    bool all;
    int width;
    int* first_child; ///< of each body, -1: none
    int* next_sibling;
    bool* last; ///< of each level above: no more branches follow there
    int levels;
    int column;
    int lines;
} picture;

static void print_prefix(picture* p, int levels) {
    int shown = levels < LEVELS_MOST ? levels : LEVELS_MOST;
    for (int i = 0; i < shown; i++) fputs(p->last[i] ? p->s.blank : p->s.bar, p->out);
    p->column = 3 * shown;
}

static void end_line(picture* p) {
    fputc('\n', p->out);
    p->lines += 1;
}

// One name of a run; a run that gets too long goes on below, indented under its first name.
static void print_name(picture* p, const char* name, bool first) {
    int columns = terminal_columns(name);
    if (!first && p->column + 3 + columns > p->width) {
        end_line(p);
        print_prefix(p, p->levels);
        fputs(p->s.link + 1, p->out); // without the space before the dash
        p->column += 2;
    } else if (!first) {
        fputs(p->s.link, p->out);
        p->column += 3;
    }
    fputs(name, p->out);
    p->column += columns;
}

static void print_body(picture* p, int i, bool first) {
    sn_body_info body = sn_model_body(p->model, sn_body(i));
    if (body.type == SN_JOINT_REVOLUTE) {
        print_name(p, body.name, first);
        return;
    }
    char* text = memory_text("%s (%s)", body.name, sn_joint_type_name(body.type));
    print_name(p, text, first);
    free(text);
}

static bool has_one_child(const picture* p, int i) {
    int child = p->first_child[i];
    return child >= 0 && p->next_sibling[child] < 0;
}

// The run of only children that starts at body i; the body that ends it.
static int print_run(picture* p, int i) {
    int length = 1;
    for (int k = i; has_one_child(p, k); k = p->first_child[k]) length += 1;
    bool cut = !p->all && length > RUN_MOST;
    for (int n = 0;; n++) {
        if (cut && n == RUN_ENDS) {
            char* text = memory_text("%s %d more %s", p->s.dots, length - 2 * RUN_ENDS, p->s.dots);
            print_name(p, text, false);
            free(text);
        } else if (!cut || n < RUN_ENDS || n >= length - RUN_ENDS) {
            print_body(p, i, n == 0);
        }
        if (n == length - 1) return i;
        i = p->first_child[i];
    }
}

// Lists children of every body in body order.
static int link_children(picture* p, int count) {
    int* tail = memory_take((size_t)count, sizeof *tail);
    int root = -1, root_tail = -1;
    for (int i = 0; i < count; i++) p->first_child[i] = p->next_sibling[i] = -1;
    for (int i = 0; i < count; i++) {
        int parent = sn_model_body(p->model, sn_body(i)).parent.i;
        int* first = parent < 0 ? &root : &p->first_child[parent];
        int* end = parent < 0 ? &root_tail : &tail[parent];
        if (*first < 0) {
            *first = i;
        } else {
            p->next_sibling[*end] = i;
        }
        *end = i;
    }
    free(tail);
    return root;
}

static void print_branches(picture* p, int root, int count) {
    int* stack = memory_take((size_t)count + 1, sizeof *stack); // next branch of each open level
    int depth = 0;
    stack[0] = root;
    while (depth >= 0) {
        int i = stack[depth];
        if (i < 0) {
            depth -= 1;
            continue;
        }
        if (!p->all && p->lines >= LINES_MOST) {
            fprintf(p->out, "%s and more of the %d bodies; --all shows everything\n", p->s.dots,
                    count);
            break;
        }
        stack[depth] = p->next_sibling[i];
        p->last[depth] = stack[depth] < 0;
        print_prefix(p, depth);
        fputs(p->last[depth] ? p->s.corner : p->s.tee, p->out);
        p->column += 3;
        p->levels = depth + 1;
        int end = print_run(p, i);
        end_line(p);
        stack[++depth] = p->first_child[end];
    }
    free(stack);
}

void info_tree_print(const sn_model* model, bool all, FILE* out) {
    int count = sn_model_body_count(model);
    picture p = {.model = model, .out = out, .all = all};
    p.s = terminal_utf8() ? BOX : ASCII;
    p.width = terminal_width(out);
    p.first_child = memory_take((size_t)count, sizeof *p.first_child);
    p.next_sibling = memory_take((size_t)count, sizeof *p.next_sibling);
    p.last = memory_take((size_t)count + 1, sizeof *p.last);
    int root = link_children(&p, count);
    fputs("world\n", out);
    print_branches(&p, root, count);
    free(p.first_child);
    free(p.next_sibling);
    free(p.last);
}
