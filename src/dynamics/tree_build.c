// SPDX-License-Identifier: Apache-2.0
// Builds the assembly tree.
//
// The bodies are cut into heavy paths: from its first body, a path goes on to the child with the largest
// subtree until there is none. The other children are light; each begins a path of its own.
//   path      its bodies, each with all that hangs on its light children, joined by weighted bisection
//   body      few light children: joined to it one after the other, the smallest first;
//             many: one piece of the body for each, the pieces welded by weighted bisection
//   forest    the trees, each on its root joint, by weighted bisection
//
// Bisection cuts where the heavier side is least heavy. The depth that follows:
// Two cuts, from X0 by X1 to X2, give |X0| >= |X1| + |X2| unless X2 is a single item. Let e be the item
// of X1 next to the first cut, f that of X2 next to the second. That e and f were not moved across
// means that the sides left behind weigh at least |X1| - e and |X2| - f; so the first of them weighs at
// least |X2|, whether X2 holds e or not. Hence an item of weight w out of W lies under at most m cuts,
// where Fibonacci(m) <= W / w.
// A way from the root to a leaf passes at most log2 n light children. To one whose subtree is smaller
// than its path's by 2^r, r >= 1, lead m1 cuts of the path, then up to 3 joints, or m2 cuts of the split
// body and 1 joint; Fibonacci(m1) Fibonacci(m2) <= 2^r keeps either sum within 6 r. On the last path
// there are 5 more at most, above the first path 2 more cuts of the forest and the ground. With the
// leaf, n bodies need at most 6 log2 n + 9 levels.
#include "dynamics/tree.h"

#include <stdlib.h>

#include "base/assert.h"

enum { MOST_UNSPLIT = 3 }; // light children of a body that stays whole

// ---- memory ----------------------------------------------------------------------------------------

int32_t sni_tree_node_count(const sn_model* model) {
    int32_t n = model->body_count;
    if (n == 0) return 0;
    int32_t* children = calloc((size_t)n, sizeof *children);
    if (!children) return -1;
    int64_t trees = 0, leaves = n;
    for (int32_t i = 0; i < n; i++) {
        int32_t parent = model->joint[i].parent;
        if (parent < 0)
            trees++;
        else
            children[parent]++;
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t light = children[i] - 1;
        if (light > MOST_UNSPLIT) leaves += light - 1;
    }
    free(children);
    // every tree: its leaves, one joint or weld less, the ground
    int64_t nodes = 2 * leaves + trees - 1;
    return nodes <= INT32_MAX ? (int32_t)nodes : -1;
}

void sni_tree_layout(sni_tree* tree, sni_arena* arena, const sn_model* model) {
    int32_t count = sni_tree_node_count(model);
    if (count < 0) arena->overflow = true; // as if it could not be measured
    tree->count = count < 0 ? 0 : count;
    tree->node = SN_ARENA_ARRAY(arena, sni_node, tree->count);
    tree->share = SN_ARENA_ARRAY(arena, double, tree->count);
    tree->leaf_of = SN_ARENA_ARRAY(arena, int32_t, model->body_count);
    tree->node_of = SN_ARENA_ARRAY(arena, int32_t, model->body_count);
}

// ---- heavy paths -----------------------------------------------------------------------------------

/// Items first .. end - 1 of a sequence.
typedef struct range {
    int32_t first, end;
} range;

/// Bodies with weights, ranges of which are to be cut.
typedef struct sequence {
    int32_t* body;   // [n]
    int64_t* before; // [n + 1] sum of the weights of all items before this one
    range* of;       // [n + 1] where the items of a body are
} sequence;

typedef struct builder {
    sni_tree* tree;
    int32_t n;        ///< bodies; as a body, the ground
    int32_t used;     ///< nodes made so far
    int32_t* parent;  // [n] body, or the ground
    int32_t* size;    // [n + 1] bodies in the subtree of a body, itself included
    int32_t* heavy;   // [n] child that the path goes on to, -1: none
    int32_t* at;      // [n + 1] for sorting
    int32_t* by_size; // [n] bodies, ascending size
    int32_t* height;  // [nodes] levels
    sequence paths;   ///< of a path's first body: the path; weights without what hangs below
    sequence lights;  ///< of a body: its light children, ascending size; of the ground: roots
} builder;

static void layout_sequence(sequence* s, sni_arena* arena, int32_t n) {
    s->body = SN_ARENA_ARRAY(arena, int32_t, n);
    s->before = SN_ARENA_ARRAY(arena, int64_t, n + 1);
    s->of = SN_ARENA_ARRAY(arena, range, n + 1);
}

static void layout_builder(builder* b, sni_arena* arena) {
    b->parent = SN_ARENA_ARRAY(arena, int32_t, b->n);
    b->size = SN_ARENA_ARRAY(arena, int32_t, b->n + 1);
    b->heavy = SN_ARENA_ARRAY(arena, int32_t, b->n);
    b->at = SN_ARENA_ARRAY(arena, int32_t, b->n + 1);
    b->by_size = SN_ARENA_ARRAY(arena, int32_t, b->n);
    b->height = SN_ARENA_ARRAY(arena, int32_t, b->tree->count);
    layout_sequence(&b->paths, arena, b->n);
    layout_sequence(&b->lights, arena, b->n);
}

static bool is_light(const builder* b, int32_t body) {
    int32_t parent = b->parent[body];
    return parent == b->n || b->heavy[parent] != body;
}

/// Parents, subtree sizes and heavy children; of equal children the first is heavy.
static void find_heavy(builder* b, const sni_joint* joint) {
    for (int32_t i = 0; i < b->n; i++) {
        b->parent[i] = joint[i].parent < 0 ? b->n : joint[i].parent;
        b->size[i] = 1;
        b->heavy[i] = -1;
    }
    for (int32_t i = b->n - 1; i >= 0; i--) { // children before parents
        int32_t parent = b->parent[i];
        b->size[parent] += b->size[i];
        if (parent == b->n) continue;
        int32_t rival = b->heavy[parent];
        if (rival < 0 || b->size[i] >= b->size[rival]) b->heavy[parent] = i;
    }
}

static void fill_paths(builder* b) {
    sequence* s = &b->paths;
    int32_t used = 0;
    for (int32_t first = 0; first < b->n; first++) {
        if (!is_light(b, first)) continue;
        s->of[first].first = used;
        for (int32_t i = first; i >= 0; i = b->heavy[i]) {
            int32_t below = b->heavy[i] < 0 ? 0 : b->size[b->heavy[i]];
            s->body[used] = i;
            s->before[used + 1] = s->before[used] + b->size[i] - below;
            used++;
        }
        s->of[first].end = used;
    }
}

/// Bodies by ascending size, in their order where sizes are equal: counting sort.
static void sort_by_size(builder* b) {
    for (int32_t i = 0; i < b->n; i++) b->at[b->size[i]]++;
    int32_t sum = 0;
    for (int32_t size = 0; size <= b->n; size++) {
        int32_t count = b->at[size];
        b->at[size] = sum;
        sum += count;
    }
    for (int32_t i = 0; i < b->n; i++) b->by_size[b->at[b->size[i]]++] = i;
}

static void fill_lights(builder* b) {
    sequence* s = &b->lights;
    for (int32_t i = 0; i < b->n; i++)
        if (is_light(b, i)) s->of[b->parent[i]].end++; // counts, for now
    int32_t used = 0;
    for (int32_t i = 0; i <= b->n; i++) {
        int32_t count = s->of[i].end;
        s->of[i] = (range){used, used};
        used += count;
    }
    sort_by_size(b);
    for (int32_t k = 0; k < b->n; k++) {
        int32_t i = b->by_size[k];
        if (is_light(b, i)) s->body[s->of[b->parent[i]].end++] = i;
    }
    for (int32_t k = 0; k < used; k++) s->before[k + 1] = s->before[k] + b->size[s->body[k]];
}

// ---- bisection -------------------------------------------------------------------------------------

/// First item of the second side, when two or more items are cut so that the heavier side is lightest.
static int32_t find_cut(const sequence* s, range r) {
    const int64_t* before = s->before;
    int64_t start = before[r.first], end = before[r.end];
    int32_t low = r.first + 1, high = r.end - 1;
    while (low < high) { // the first cut where the left side is not the lighter one
        int32_t middle = low + (high - low) / 2;
        if (before[middle] - start < end - before[middle])
            low = middle + 1;
        else
            high = middle;
    }
    bool earlier = low - 1 > r.first && end - before[low - 1] <= before[low] - start;
    return earlier ? low - 1 : low;
}

// ---- nodes, in post-order --------------------------------------------------------------------------

// The functions below call each other in a circle, but every round adds a level to the tree: the stack
// is as deep as the tree is, not as the model.

static int32_t add_path(builder* b, int32_t first);

static int32_t add_node(builder* b, sni_node node) {
    int32_t i = b->used++, part[2] = {node.a, node.b};
    bool has_joint = node.kind == SNI_NODE_JOINT || node.kind == SNI_NODE_GROUND;
    SN_ASSERT(i < b->tree->count);
    node.parent = -1;
    node.joints = has_joint ? 1 : 0;
    b->height[i] = 1;
    for (int k = 0; k < 2; k++) {
        if (part[k] < 0) continue;
        b->tree->node[part[k]].parent = i;
        node.joints += b->tree->node[part[k]].joints;
        if (b->height[i] <= b->height[part[k]]) b->height[i] = b->height[part[k]] + 1;
    }
    if (has_joint) b->tree->node_of[node.body] = i;
    b->tree->node[i] = node;
    b->tree->share[i] = 0;
    return i;
}

/// A body, or one of `pieces` of it.
static int32_t add_leaf(builder* b, int32_t body, int32_t pieces) {
    sni_node leaf = {.kind = SNI_NODE_LEAF, .a = -1, .b = -1, .body = body, .u = body, .d = -1};
    int32_t i = add_node(b, leaf);
    b->tree->share[i] = 1.0 / pieces;
    if (b->tree->leaf_of[body] < 0) b->tree->leaf_of[body] = i;
    return i;
}

/// A light child, with all that hangs on it, joined to the node of its parent body.
static int32_t add_child(builder* b, int32_t node, int32_t child) {
    int32_t below = add_path(b, child), u = b->parent[child];
    sni_node join = {.kind = SNI_NODE_JOINT, .a = node, .b = below, .body = child, .u = u, .d = -1};
    return add_node(b, join);
}

/// As many pieces of a body as there are light children in the range, each with its child.
static int32_t add_pieces(builder* b, int32_t body, range r) {
    if (r.end - r.first == 1) {
        range all = b->lights.of[body];
        int32_t piece = add_leaf(b, body, all.end - all.first);
        return add_child(b, piece, b->lights.body[r.first]);
    }
    int32_t cut = find_cut(&b->lights, r);
    int32_t left = add_pieces(b, body, (range){r.first, cut});
    int32_t right = add_pieces(b, body, (range){cut, r.end});
    sni_node weld = {
        .kind = SNI_NODE_WELD, .a = left, .b = right, .body = body, .u = body, .d = -1};
    return add_node(b, weld);
}

/// A body with its light children.
static int32_t add_body(builder* b, int32_t body) {
    range r = b->lights.of[body];
    if (r.end - r.first > MOST_UNSPLIT) return add_pieces(b, body, r);
    int32_t node = add_leaf(b, body, 1);
    for (int32_t k = r.first; k < r.end; k++) node = add_child(b, node, b->lights.body[k]);
    return node;
}

/// Part of a path.
static int32_t add_stretch(builder* b, range r) {
    const int32_t* body = b->paths.body;
    if (r.end - r.first == 1) return add_body(b, body[r.first]);
    int32_t cut = find_cut(&b->paths, r), last = body[r.end - 1];
    int32_t upper = add_stretch(b, (range){r.first, cut});
    int32_t lower = add_stretch(b, (range){cut, r.end});
    int32_t u = body[r.first], d = b->heavy[last] < 0 ? -1 : last; // nothing leaves a path's end
    sni_node join = {
        .kind = SNI_NODE_JOINT, .a = upper, .b = lower, .body = body[cut], .u = u, .d = d};
    return add_node(b, join);
}

static int32_t add_path(builder* b, int32_t first) { return add_stretch(b, b->paths.of[first]); }

static int32_t add_tree(builder* b, int32_t root) {
    int32_t whole = add_path(b, root);
    sni_node ground = {
        .kind = SNI_NODE_GROUND, .a = -1, .b = whole, .body = root, .u = -1, .d = -1};
    return add_node(b, ground);
}

/// Some of the trees.
static int32_t add_forest(builder* b, range r) {
    if (r.end - r.first == 1) return add_tree(b, b->lights.body[r.first]);
    int32_t cut = find_cut(&b->lights, r);
    int32_t left = add_forest(b, (range){r.first, cut});
    int32_t right = add_forest(b, (range){cut, r.end});
    sni_node both = {.kind = SNI_NODE_FOREST, .a = left, .b = right, .body = -1, .u = -1, .d = -1};
    return add_node(b, both);
}

bool sni_tree_build(sni_tree* tree, const sn_model* model) {
    tree->depth = 0;
    if (tree->count == 0) return model->body_count == 0; // else the layout could not count
    builder b = {.tree = tree, .n = model->body_count};
    sni_arena scratch = {0};
    layout_builder(&b, &scratch);
    if (!sni_arena_allocate(&scratch)) return false;
    layout_builder(&b, &scratch);
    for (int32_t i = 0; i < b.n; i++) tree->leaf_of[i] = -1;
    find_heavy(&b, model->joint);
    fill_paths(&b);
    fill_lights(&b);
    int32_t root = add_forest(&b, b.lights.of[b.n]);
    SN_ASSERT(b.used == tree->count);
    tree->depth = b.height[root];
    sni_arena_free(&scratch);
    return true;
}
