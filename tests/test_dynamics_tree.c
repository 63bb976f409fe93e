// SPDX-License-Identifier: Apache-2.0
// The assembly tree, for models of many shapes: its order, its links, and, computed again from the
// bodies below each node, what leaves it.
#include "dynamics/tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/random_state.h"

// ---- models of many shapes --------------------------------------------------------------------------

/// Parent of body i of n, 0 <= i < n; -1: the world.
typedef int parent_rule(test_rng* rng, int i, int n);

static int broom(test_rng* rng, int i, int n) { // half of it handle
    (void)rng;
    return i <= n / 2 ? i - 1 : n / 2;
}

static int septenary(test_rng* rng, int i, int n) {
    (void)rng, (void)n;
    return i == 0 ? -1 : (i - 1) / 7;
}

/// A tree in which any body may be the parent of the next.
static int any_before(test_rng* rng, int i, int n) {
    (void)n;
    return i == 0 ? -1 : test_index(rng, i);
}

/// Few bodies carry most of the others.
static int few_hubs(test_rng* rng, int i, int n) {
    (void)n;
    return i == 0 ? -1 : (int)(i * pow(test_uniform(rng, 0, 1), 4));
}

static int many_trees(test_rng* rng, int i, int n) {
    (void)n;
    return test_chance(rng, 0.2) ? -1 : test_index(rng, i + 1) - 1;
}

static int on_the_world(test_rng* rng, int i, int n) {
    (void)rng, (void)i, (void)n;
    return -1;
}

static void add_body(sn_model_builder* builder, int i, int parent) {
    char name[16], parent_name[16];
    (void)snprintf(name, sizeof name, "b%d", i); // cannot be too long
    (void)snprintf(parent_name, sizeof parent_name, "b%d", parent);
    sn_body_def def = sn_body_def_default();
    def.name = name;
    def.parent = parent < 0 ? NULL : parent_name;
    def.joint.type = SN_JOINT_REVOLUTE;
    def.inertia = sn_inertia_sphere(1, 1);
    CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
}

static sn_model* model_by_rule(parent_rule* rule, int n, uint64_t seed) {
    test_rng rng = test_rng_make(seed);
    sn_model_builder* builder = sn_model_builder_create("by a rule");
    for (int i = 0; i < n; i++) add_body(builder, i, rule(&rng, i, n));
    return test_compile(builder);
}

typedef enum shape {
    CHAIN,
    BINARY_TREE,
    STAR,
    CATERPILLAR,
    RANDOM_FOREST,
    BROOM,
    SEPTENARY_TREE,
    RANDOM_TREE,
    TREE_WITH_HUBS,
    MANY_TREES,
    SINGLE_BODIES,
    SHAPES
} shape;

/// A shape by its rule, or one of the generator's where there is none.
static const struct {
    const char* name;
    parent_rule* rule;
    sn_generate_shape generate;
} shapes[SHAPES] = {
    [CHAIN] = {"chain", NULL, SN_GENERATE_CHAIN},
    [BINARY_TREE] = {"binary tree", NULL, SN_GENERATE_TREE},
    [STAR] = {"star", NULL, SN_GENERATE_STAR},
    [CATERPILLAR] = {"caterpillar", NULL, SN_GENERATE_CATERPILLAR},
    [RANDOM_FOREST] = {"random forest", NULL, SN_GENERATE_RANDOM},
    [BROOM] = {"broom", broom, SN_GENERATE_COUNT},
    [SEPTENARY_TREE] = {"tree of seven children each", septenary, SN_GENERATE_COUNT},
    [RANDOM_TREE] = {"random tree", any_before, SN_GENERATE_COUNT},
    [TREE_WITH_HUBS] = {"random tree with hubs", few_hubs, SN_GENERATE_COUNT},
    [MANY_TREES] = {"random forest of many trees", many_trees, SN_GENERATE_COUNT},
    [SINGLE_BODIES] = {"forest of single bodies", on_the_world, SN_GENERATE_COUNT},
};

static sn_model* model_of_shape(shape s, int n, uint64_t seed) {
    char text[80];
    (void)snprintf(text, sizeof text, "%s of %d bodies", shapes[s].name, n); // cut when too long
    check_context(text);
    if (shapes[s].rule) return model_by_rule(shapes[s].rule, n, seed);
    return test_generate(shapes[s].generate, n, seed, false, false, test_units_si());
}

// ---- trees ------------------------------------------------------------------------------------------

/// A tree with what is known of its nodes and bodies from looking at them one by one.
typedef struct built {
    sn_model* model;
    sni_arena arena;
    sni_tree tree;
    uint64_t seed;
    int32_t* first;    // [nodes] where the nodes below this one begin
    int32_t* children; // [bodies]
    int32_t* pieces;   // [bodies]
    // of the node that is being looked at, per body
    int32_t *pieces_here, *welds_here, *ends_here;
} built;

static int32_t* numbers(int32_t count) { return calloc((size_t)count + 1, sizeof(int32_t)); }

/// Takes the model over.
static built* build(sn_model* model, uint64_t seed) {
    built* b = calloc(1, sizeof *b);
    b->model = model;
    b->seed = seed;
    sni_tree_layout(&b->tree, &b->arena, model);
    CHECK(sni_arena_allocate(&b->arena), seed);
    memset(b->arena.base, 0x5a, b->arena.size); // nothing may depend on what was there
    sni_tree_layout(&b->tree, &b->arena, model);
    CHECK(b->tree.count == sni_tree_node_count(model), seed);
    CHECK(sni_tree_build(&b->tree, model), seed);

    int32_t n = model->body_count;
    b->first = numbers(b->tree.count);
    b->children = numbers(n);
    b->pieces = numbers(n);
    b->pieces_here = numbers(n);
    b->welds_here = numbers(n);
    b->ends_here = numbers(n);
    for (int32_t i = 0; i < n; i++)
        if (model->joint[i].parent >= 0) b->children[model->joint[i].parent]++;
    return b;
}

static void free_built(built* b) {
    sn_model_free(b->model);
    sni_arena_free(&b->arena);
    free(b->first);
    free(b->children);
    free(b->pieces);
    free(b->pieces_here);
    free(b->welds_here);
    free(b->ends_here);
    free(b);
}

static int32_t parent_body(const built* b, int32_t body) { return b->model->joint[body].parent; }

static bool has_joint(const sni_node* node) {
    return node->kind == SNI_NODE_JOINT || node->kind == SNI_NODE_GROUND;
}

// ---- what must hold ---------------------------------------------------------------------------------

/// All of A, then all of B, then the node; links in both directions; counts.
static void check_order(built* b) {
    const sni_tree* tree = &b->tree;
    int32_t* depth = numbers(tree->count);
    int32_t deepest = 0;
    for (int32_t i = 0; i < tree->count; i++) {
        const sni_node* node = &tree->node[i];
        int32_t joints = has_joint(node) ? 1 : 0;
        CHECK((node->b < 0) == (node->kind == SNI_NODE_LEAF), b->seed);
        CHECK((node->a < 0) == (node->kind == SNI_NODE_LEAF || node->kind == SNI_NODE_GROUND),
              b->seed);
        b->first[i] = i;
        if (node->b >= 0) {
            CHECK(node->b == i - 1, b->seed);
            CHECK(tree->node[node->b].parent == i, b->seed);
            joints += tree->node[node->b].joints;
            b->first[i] = b->first[node->b];
        }
        if (node->a >= 0) {
            CHECK(node->a == b->first[node->b] - 1, b->seed);
            CHECK(tree->node[node->a].parent == i, b->seed);
            joints += tree->node[node->a].joints;
            b->first[i] = b->first[node->a];
        }
        CHECK(node->joints == joints, b->seed);
    }
    CHECK(b->first[tree->count - 1] == 0, b->seed);
    for (int32_t i = tree->count - 1; i >= 0; i--) {
        int32_t parent = tree->node[i].parent;
        CHECK((parent < 0) == (i == tree->count - 1), b->seed);
        depth[i] = parent < 0 ? 1 : depth[parent] + 1;
        if (depth[i] > deepest) deepest = depth[i];
    }
    CHECK(tree->depth == deepest, b->seed);
    free(depth);
}

/// Every body has its joint once; it is whole, or in as many equal pieces as it has light children.
static void check_bodies(built* b) {
    const sni_tree* tree = &b->tree;
    int32_t n = b->model->body_count;
    int32_t* joints = numbers(n);
    double* shares = calloc((size_t)n, sizeof *shares);
    for (int32_t i = 0; i < tree->count; i++) {
        const sni_node* node = &tree->node[i];
        if (has_joint(node)) {
            joints[node->body]++;
            CHECK(tree->node_of[node->body] == i, b->seed);
        }
        if (node->kind == SNI_NODE_LEAF) {
            if (b->pieces[node->body]++ == 0) CHECK(tree->leaf_of[node->body] == i, b->seed);
            shares[node->body] += tree->share[i];
            CHECK(tree->share[i] == tree->share[tree->leaf_of[node->body]], b->seed);
        } else
            CHECK(tree->share[i] == 0, b->seed);
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t light = b->children[i] - 1;
        CHECK(joints[i] == 1, b->seed);
        CHECK(b->pieces[i] == (light > 3 ? light : 1), b->seed);
        CHECK_NEAR(shares[i], 1, b->pieces[i] * TOL_ROUNDOFF, b->seed);
    }
    CHECK(tree->node[tree->count - 1].joints == n, b->seed);
    free(joints);
    free(shares);
}

/// What a node is joined by fits its parts.
static void check_joins(const built* b) {
    for (int32_t i = 0; i < b->tree.count; i++) {
        const sni_node* node = &b->tree.node[i];
        const sni_node* A = node->a < 0 ? NULL : &b->tree.node[node->a];
        const sni_node* B = node->b < 0 ? NULL : &b->tree.node[node->b];
        CHECK(node->kind <= SNI_NODE_FOREST, b->seed);
        switch ((sni_node_kind)node->kind) {
        case SNI_NODE_LEAF: CHECK(node->u == node->body && node->d < 0, b->seed); break;
        case SNI_NODE_JOINT:
            CHECK(parent_body(b, node->body) == sni_node_low(A), b->seed);
            CHECK(node->body == B->u, b->seed);
            CHECK(node->u == A->u, b->seed);
            break;
        case SNI_NODE_WELD:
            CHECK(A->u == node->body && A->d < 0, b->seed);
            CHECK(B->u == node->body && B->d < 0, b->seed);
            CHECK(node->u == node->body && node->d < 0, b->seed);
            break;
        case SNI_NODE_GROUND:
            CHECK(parent_body(b, node->body) < 0, b->seed);
            CHECK(B->u == node->body && B->d < 0, b->seed);
            CHECK(node->u < 0 && node->d < 0, b->seed);
            break;
        case SNI_NODE_FOREST:
            CHECK(A->kind == SNI_NODE_GROUND || A->kind == SNI_NODE_FOREST, b->seed);
            CHECK(B->kind == SNI_NODE_GROUND || B->kind == SNI_NODE_FOREST, b->seed);
            CHECK(node->body < 0 && node->u < 0 && node->d < 0, b->seed);
            break;
        }
    }
}

/// Counts pieces, welds and ends of joints of every body below a node; returns how many separate
/// parts its bodies form. The ground is no body: what hangs on it is no part.
static int32_t count_parts(built* b, int32_t i) {
    int32_t parts = 0;
    for (int32_t k = b->first[i]; k <= i; k++) {
        const sni_node* node = &b->tree.node[k];
        if (node->kind == SNI_NODE_LEAF && b->pieces_here[node->body]++ == 0) parts++;
        if (node->kind == SNI_NODE_WELD) b->welds_here[node->body]++;
        if (!has_joint(node)) continue;
        int32_t parent = parent_body(b, node->body);
        parts--; // joints of a forest close no loop
        b->ends_here[node->body]++;
        CHECK(b->pieces_here[node->body] > 0, b->seed);
        if (parent < 0) continue;
        b->ends_here[parent]++;
        CHECK(b->pieces_here[parent] > 0, b->seed);
    }
    return parts;
}

/// Whether a joint of this body leaves the node that was counted, or a weld to a piece elsewhere.
static bool is_boundary(const built* b, int32_t body) {
    int32_t ends = 1 + b->children[body];
    return b->ends_here[body] < ends || b->pieces_here[body] < b->pieces[body];
}

/// The bodies below every node are connected, and what leaves them does so at u and d.
static void check_boundaries(built* b) {
    for (int32_t i = 0; i < b->tree.count; i++) {
        const sni_node* node = &b->tree.node[i];
        bool closed = node->kind == SNI_NODE_GROUND || node->kind == SNI_NODE_FOREST;
        CHECK(count_parts(b, i) == (closed ? 0 : 1), b->seed);
        int found = 0;
        for (int32_t k = b->first[i]; k <= i; k++) {
            int32_t body = b->tree.node[k].body;
            if (b->tree.node[k].kind != SNI_NODE_LEAF || b->pieces_here[body] == 0) continue;
            CHECK(b->welds_here[body] == b->pieces_here[body] - 1, b->seed);
            if (is_boundary(b, body)) {
                CHECK(body == node->u || body == node->d, b->seed);
                found++;
            }
            b->pieces_here[body] = b->welds_here[body] = b->ends_here[body] = 0;
        }
        CHECK(found == (node->u >= 0) + (node->d >= 0), b->seed);
        CHECK(node->u < 0 || node->u != node->d, b->seed);
    }
}

/// The child whose joint comes last goes on along the path; no other may have a larger subtree.
static int32_t* find_heavy(const built* b) {
    int32_t n = b->model->body_count;
    int32_t *size = numbers(n), *heavy = numbers(n);
    for (int32_t i = 0; i < n; i++) heavy[i] = -1;
    for (int32_t i = n - 1; i >= 0; i--) {
        int32_t p = parent_body(b, i);
        size[i]++;
        if (p < 0) continue;
        size[p] += size[i];
        if (heavy[p] < 0 || b->tree.node_of[i] > b->tree.node_of[heavy[p]]) heavy[p] = i;
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t p = parent_body(b, i);
        CHECK(p < 0 || size[i] <= size[heavy[p]], b->seed);
    }
    free(size);
    return heavy;
}

/// Whether two parts of one node came from a cut through a path, a split body or the forest.
static bool same_cut(const built* b, const int32_t* heavy, int32_t i, int32_t part) {
    const sni_node *x = &b->tree.node[i], *y = &b->tree.node[part];
    if (x->kind != y->kind) return false;
    if (x->kind == SNI_NODE_WELD || x->kind == SNI_NODE_FOREST) return true;
    return x->kind == SNI_NODE_JOINT && heavy[parent_body(b, x->body)] == x->body &&
           heavy[parent_body(b, y->body)] == y->body;
}

/// What bisection goes by: the bodies of a stretch of a path, else the joints.
static int32_t weight(const built* b, int32_t i) {
    return b->tree.node[i].joints + (b->tree.node[i].kind == SNI_NODE_JOINT);
}

/// Two cuts after another leave a part that weighs no more than what the first cut took away; the
/// depth that tree_build.c proves rests on it.
static void check_cuts(const built* b) {
    int32_t* heavy = find_heavy(b);
    for (int32_t part = 0; part < b->tree.count - 1; part++) {
        int32_t middle = b->tree.node[part].parent, whole = b->tree.node[middle].parent;
        if (whole < 0 || !same_cut(b, heavy, whole, middle) || !same_cut(b, heavy, middle, part))
            continue;
        CHECK(weight(b, whole) >= weight(b, middle) + weight(b, part), b->seed);
    }
    free(heavy);
}

/// tree_build.c proves it.
static int most_levels(int n) { return (int)(6 * log2(n) + 9); }

static void check_all(built* b) {
    check_order(b);
    check_bodies(b);
    check_joins(b);
    check_boundaries(b);
    check_cuts(b);
    CHECK(b->tree.depth <= most_levels(b->model->body_count), b->seed);
}

static void check_shape(shape s, int n, uint64_t seed) {
    built* b = build(model_of_shape(s, n, seed), seed);
    check_all(b);
    free_built(b);
    check_context(NULL);
}

// ---- tests ------------------------------------------------------------------------------------------

static void a_model_without_bodies_has_no_nodes(void** state) {
    (void)state;
    sn_model* model = test_compile(sn_model_builder_create("empty"));
    built* b = build(model, 0);
    CHECK(b->tree.count == 0 && b->tree.depth == 0, 0);
    free_built(b);
}

static void one_body_is_a_leaf_on_the_ground(void** state) {
    (void)state;
    built* b = build(model_by_rule(on_the_world, 1, 0), 0);
    CHECK(b->tree.count == 2 && b->tree.depth == 2, 0);
    CHECK(b->tree.node[0].kind == SNI_NODE_LEAF, 0);
    CHECK(b->tree.node[1].kind == SNI_NODE_GROUND, 0);
    check_all(b);
    free_built(b);
}

/// Case number `index` of n!: the parent of body i is one of i + 1, the world included.
static sn_model* numbered_forest(int n, int index) {
    sn_model_builder* builder = sn_model_builder_create("numbered");
    for (int i = 0; i < n; i++) {
        add_body(builder, i, index % (i + 1) - 1);
        index /= i + 1;
    }
    return test_compile(builder);
}

static void every_forest_of_up_to_seven_bodies_is_put_together(void** state) {
    (void)state;
    for (int n = 1, cases = 1; n <= 7; n++, cases *= n)
        for (int index = 0; index < cases; index++) {
            built* b = build(numbered_forest(n, index), (uint64_t)index);
            check_all(b);
            free_built(b);
        }
}

static void small_models_of_all_shapes_are_put_together(void** state) {
    (void)state;
    uint64_t trial = 0;
    for (int n = 1; n <= 40; n++)
        for (shape s = 0; s < SHAPES; s++)
            for (int k = 0; k < 5; k++) check_shape(s, n, test_case_seed(1, trial++));
}

static void large_models_of_all_shapes_are_put_together(void** state) {
    (void)state;
    const int sizes[] = {100, 1000, 4000, 100000};
    uint64_t trial = 0;
    for (int i = 0; i < 4; i++)
        for (shape s = 0; s < SHAPES; s++) check_shape(s, sizes[i], test_case_seed(2, trial++));
}

// A chain is cut in the middle, again and again; a body is split in the same way.
static void regular_shapes_have_no_more_levels_than_halving_needs(void** state) {
    (void)state;
    for (int n = 1; n <= 300; n++) {
        built* chain = build(model_of_shape(CHAIN, n, 0), 0);
        built* star = build(model_of_shape(STAR, n, 0), 0);
        int halvings = (int)ceil(log2(n)), light = n - 2; // one end of the star is heavy
        CHECK(chain->tree.depth == 2 + halvings, 0);      // ground, leaf
        if (light > 3) CHECK(star->tree.depth == 4 + (int)ceil(log2(light)), 0);
        free_built(chain);
        free_built(star);
    }
    check_context(NULL);
}

/// Joins on the way from the deepest leaf to the root: levels without the leaf's own.
static int joins(shape s, int n, uint64_t seed) {
    built* b = build(model_of_shape(s, n, seed), seed);
    int depth = b->tree.depth;
    free_built(b);
    return depth - 1;
}

// As measured on a prototype of the method.
static void regular_shapes_are_no_deeper_than_measured(void** state) {
    (void)state;
    const int sizes[3] = {100, 1000, 4000};
    const struct {
        shape shape;
        int measured[3];
    } rows[] = {{CHAIN, {8, 11, 13}},
                {BINARY_TREE, {12, 18, 22}},
                {STAR, {10, 13, 15}},
                {BROOM, {10, 13, 15}},
                {CATERPILLAR, {9, 12, 14}}};
    for (int r = 0; r < 5; r++)
        for (int i = 0; i < 3; i++)
            CHECK(joins(rows[r].shape, sizes[i], 0) <= rows[r].measured[i], 0);
    check_context(NULL);
}

// The prototype needed 11, 17 and 23 joins for one random tree of each size. Single trees differ by
// three either way, so the mean of many is compared.
static void random_trees_are_as_deep_as_measured_on_average(void** state) {
    (void)state;
    enum { TREES = 40 };
    const int sizes[3] = {100, 1000, 4000}, measured[3] = {11, 17, 23};
    for (int i = 0; i < 3; i++) {
        int sum = 0;
        for (uint64_t k = 0; k < TREES; k++)
            sum += joins(RANDOM_TREE, sizes[i], test_case_seed(3 + (uint64_t)i, k));
        CHECK(sum <= (measured[i] + 2) * TREES, test_seed());
    }
    check_context(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_without_bodies_has_no_nodes),
        cmocka_unit_test(one_body_is_a_leaf_on_the_ground),
        cmocka_unit_test(every_forest_of_up_to_seven_bodies_is_put_together),
        cmocka_unit_test(small_models_of_all_shapes_are_put_together),
        cmocka_unit_test(large_models_of_all_shapes_are_put_together),
        cmocka_unit_test(regular_shapes_have_no_more_levels_than_halving_needs),
        cmocka_unit_test(regular_shapes_are_no_deeper_than_measured),
        cmocka_unit_test(random_trees_are_as_deep_as_measured_on_average),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
