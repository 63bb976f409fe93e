// SPDX-License-Identifier: Apache-2.0
#include "tree_layout.h"

#include <stdlib.h>

#include "memory.h"

enum {
    WHOLE_MOST = 600, // leaves of a tree that is drawn whole
    CUT_MOST = 200,   // marks at the bottom when it is not
    ACTIVE_MOST = 150 // active nodes that are shown below the levels drawn
};

typedef struct maker {
    const sn_dynamics* dynamics;
    int size;
    bool* up;       // [size] in the up-region
    bool* open_for; // [size] shown with its parts, however deep
    int* leaves;    // [size] under the node
    bool region;
} maker;

static sn_tree_node node_at(const maker* m, int id) {
    return sn_dynamics_tree_node(m->dynamics, id);
}

// Nodes come after their parts, so one pass counts leaves upwards.
static void count_leaves(maker* m) {
    for (int i = 0; i < m->size; i++) {
        sn_tree_node n = node_at(m, i);
        m->leaves[i] = n.kind == SN_TREE_BODY;
        if (n.a >= 0) m->leaves[i] += m->leaves[n.a];
        if (n.b >= 0) m->leaves[i] += m->leaves[n.b];
    }
}

// A body may be split into pieces: all of them are its leaves.
static void mark_up_region(maker* m, sn_body_id body) {
    if (body.i < 0) return;
    for (int i = 0; i < m->size; i++) {
        sn_tree_node n = node_at(m, i);
        if (n.kind == SN_TREE_BODY && n.body.i == body.i) m->up[i] = true;
        if (m->up[i] && n.parent >= 0) m->up[n.parent] = true;
        m->open_for[i] = m->up[i];
    }
}

static void open_active(maker* m) {
    int active = 0;
    for (int i = 0; m->region && i < m->size; i++) active += node_at(m, i).active;
    if (active > ACTIVE_MOST) return;
    for (int i = 0; m->region && i < m->size; i++) {
        if (node_at(m, i).active) m->open_for[i] = true;
    }
}

bool tree_node_active(const sn_dynamics* dynamics, const sn_tree_node* node) {
    bool joint = node->kind == SN_TREE_JOINT || node->kind == SN_TREE_GROUND;
    return node->active && (!joint || sn_dynamics_is_active(dynamics, node->body));
}

// ---- which nodes are drawn -------------------------------------------------------------------------

static bool is_open(const maker* m, int id, int level, int deepest) {
    return node_at(m, id).kind != SN_TREE_BODY && (level < deepest || m->open_for[id]);
}

// Marks of the node and what is below it, when nodes of levels below `deepest` are opened.
static int add_marks(const maker* m, int id, int parent, int level, int deepest, tree_layout* out) {
    sn_tree_node node = node_at(m, id);
    bool open = is_open(m, id, level, deepest);
    int place = out->count++;
    bool sibling = parent >= 0 && out->marks[parent].up && !m->up[id];
    out->marks[place] = (tree_mark){.node = node,
                                    .id = id,
                                    .parent = parent,
                                    .level = level,
                                    .bottom = !open,
                                    .cut = !open && node.kind != SN_TREE_BODY,
                                    .up = m->up[id],
                                    .sibling = sibling,
                                    .active = tree_node_active(m->dynamics, &node)};
    out->up_count += m->up[id];
    out->sibling_count += sibling;
    if (level + 1 > out->levels) out->levels = level + 1;
    if (!open) {
        out->marks[place].x = out->width + 0.5;
        out->width += 1;
        return place;
    }
    double sum = 0;
    int parts = 0;
    for (int k = 0; k < 2; k++) {
        int part = k == 0 ? node.a : node.b;
        if (part < 0) continue;
        int at = add_marks(m, part, place, level + 1, deepest, out);
        sum += out->marks[at].x;
        parts += 1;
    }
    out->marks[place].x = parts ? sum / parts : out->width + 0.5;
    return place;
}

// Marks at the bottom that opening levels below `deepest` would make, no more than `most` + 1.
static int count_bottom(const maker* m, int id, int level, int deepest, int most) {
    if (!is_open(m, id, level, deepest)) return 1;
    sn_tree_node node = node_at(m, id);
    int count = 0;
    if (node.a >= 0) count += count_bottom(m, node.a, level + 1, deepest, most);
    if (node.b >= 0 && count <= most) {
        count += count_bottom(m, node.b, level + 1, deepest, most - count);
    }
    return count;
}

// How many levels can be drawn in full.
static int choose_levels(const maker* m) {
    int depth = sn_dynamics_tree_depth(m->dynamics), root = m->size - 1;
    if (m->leaves[root] <= WHOLE_MOST) return depth;
    int deepest = 1;
    while (deepest < depth &&
           count_bottom(m, root, 0, deepest + 1, CUT_MOST + ACTIVE_MOST) <= CUT_MOST) {
        deepest += 1;
    }
    return deepest;
}

tree_layout tree_layout_make(const sn_dynamics* dynamics, sn_body_id body, bool region) {
    tree_layout out = {0};
    maker m = {.dynamics = dynamics, .size = sn_dynamics_tree_size(dynamics), .region = region};
    if (m.size == 0) return out;
    m.up = memory_take((size_t)m.size, sizeof *m.up);
    m.open_for = memory_take((size_t)m.size, sizeof *m.open_for);
    m.leaves = memory_take((size_t)m.size, sizeof *m.leaves);
    count_leaves(&m);
    mark_up_region(&m, body);
    open_active(&m);
    int deepest = choose_levels(&m), root = m.size - 1;
    // twice the bottom, and nodes with one part on top of it
    int most = 4 * count_bottom(&m, root, 0, deepest, m.size) + 8;
    out.marks = memory_take((size_t)(most < m.size ? most : m.size), sizeof *out.marks);
    add_marks(&m, root, -1, 0, deepest, &out);
    out.left_out = m.size - out.count;
    out.all_above = deepest + 1;
    free(m.up);
    free(m.open_for);
    free(m.leaves);
    return out;
}

void tree_layout_free(tree_layout* layout) {
    free(layout->marks);
    *layout = (tree_layout){0};
}
