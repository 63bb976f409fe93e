// SPDX-License-Identifier: Apache-2.0
// Pairs of convex solids. How far apart two are is the maximum, over all directions n, of how far apart they are along n;
// overlapping ones, too. So an answer n is judged by what any other direction gives, computed in long double.
#include "collision/solid.h"

#include <math.h>
#include <stdio.h>

#include "support/solids.h"

// Over the sizes.
#define TOL_GAP 1e-9
// Caps touch by fixed points of their rim unless another is deeper by 1e-5 of the radius.
#define TOL_RIM 1.1e-5
// Faces are grown by 1e-6 of their size before they are clipped.
#define TOL_SIDEWAYS 3e-6

enum { MOST = 64 };

typedef struct pair {
    uint64_t seed;
    test_rng rng;
    test_solid *a, *b;
    sn_pose X_a, X_b;
    double size, margin;
    sni_touch at[MOST];
    sni_touches found;
} pair;

static void find(pair* p, sni_pair_memory* memory) {
    sni_pair_memory fresh = {.hint = SNI_HINT_NONE};
    p->found = (sni_touches){p->at, 0, MOST, 0};
    sni_touch_pair(&p->a->solid, &p->X_a, &p->b->solid, &p->X_b, p->margin,
                   memory ? memory : &fresh, &p->found);
}

static const sni_touch* deepest(const pair* p) {
    const sni_touch* best = NULL;
    for (int k = 0; k < p->found.count; k++)
        if (!best || p->at[k].gap < best->gap) best = &p->at[k];
    return best;
}

static double slack_of(const pair* p) {
    bool rims = p->a->solid.type == SN_SHAPE_CYLINDER || p->b->solid.type == SN_SHAPE_CYLINDER;
    return (rims ? TOL_RIM : TOL_GAP) * p->size;
}

/// Two solids of random type and size, near enough to touch within the margin. Sizes are 1e-3 to 1e3.
static pair make(int test, int index, sn_shape_type type_a, sn_shape_type type_b, double spread) {
    pair p = {.seed = test_case_seed((uint64_t)test, (uint64_t)index)};
    p.rng = test_rng_make(p.seed);
    double size = pow(10, test_uniform(&p.rng, -3, 3));
    double other = size * pow(10, test_uniform(&p.rng, -0.7, 0.7));
    p.a = solid_random(&p.rng, type_a, size);
    p.b = solid_random(&p.rng, type_b, other);
    p.size = size + other;
    p.margin = 10 * p.size;
    sn_vec3 far = test_vec3(&p.rng, 10 * p.size);
    p.X_a =
        sn_pose_make(test_rotation(&p.rng), sn_vec3_add(far, test_vec3(&p.rng, spread * p.size)));
    p.X_b = sn_pose_make(test_rotation(&p.rng), far);
    return p;
}

static void end(pair* p) {
    solid_free(p->a);
    solid_free(p->b);
}

static void for_all_types(int test, int cases, double spread, void (*check)(pair* p)) {
    for (int i = 0; i < SOLID_TYPES; i++)
        for (int j = 0; j < SOLID_TYPES; j++)
            for (int k = 0; k < cases; k++) {
                char text[64];
                snprintf(text, sizeof text, "%s and %s", solid_type_name(solid_types[i]),
                         solid_type_name(solid_types[j]));
                check_context(text);
                pair p = make(test, (i * SOLID_TYPES + j) * cases + k, solid_types[i],
                              solid_types[j], spread);
                check(&p);
                end(&p);
            }
    check_context(NULL);
}

// ---- the deepest point ----------------------------------------------------------------------------------

/// How much better than gap any of many directions near and far is.
static long double excess(pair* p, sn_vec3 n, double gap) {
    long double most = -INFINITY;
    for (int k = 0; k < 200; k++) {
        sn_vec3 d = test_direction(&p->rng);
        if (k % 2) d = sn_vec3_add(n, sn_vec3_scale(pow(10, -test_uniform(&p->rng, 0, 8)), d));
        most = fmaxl(most, solids_apart(p->a, &p->X_a, p->b, &p->X_b, long3_unit(long3_of(d))));
    }
    return most - gap;
}

static void check_deepest(pair* p) {
    find(p, NULL);
    CHECK(p->found.count > 0 && p->found.dropped == 0, p->seed);
    const sni_touch* t = deepest(p);
    CHECK_NEAR(sn_vec3_norm(t->n), 1, 1e-12, p->seed);
    long double along = solids_apart(p->a, &p->X_a, p->b, &p->X_b, long3_of(t->n));
    CHECK_NEAR((double)(along - t->gap), 0, slack_of(p), p->seed);
    CHECK(excess(p, t->n, (double)along) <= TOL_GAP * p->size, p->seed);
}

static void no_direction_is_farther_apart(void** state) {
    (void)state;
    for_all_types(1, 60, 0.5, check_deepest);
    for_all_types(2, 20, 0.1, check_deepest); // deep
}

static void edge_directions(const test_solid* s, const sn_pose* X, long3* out, int* count) {
    *count = 0;
    if (s->solid.type == SN_SHAPE_BOX)
        for (int k = 0; k < 3; k++) out[(*count)++] = long3_of(sn_mat3_column(X->R, k));
    for (int t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            sn_vec3 p = s->corner[s->triangle[t][k]], q = s->corner[s->triangle[t][(k + 1) % 3]];
            out[(*count)++] = long3_of(sn_mat3_apply(X->R, sn_vec3_sub(q, p)));
        }
}

static void face_directions(const test_solid* s, const sn_pose* X, long3* out, int* count) {
    *count = 0;
    if (s->solid.type == SN_SHAPE_BOX)
        for (int k = 0; k < 3; k++) out[(*count)++] = long3_of(sn_mat3_column(X->R, k));
    for (int t = 0; t < s->triangle_count; t++) {
        sn_vec3 o = s->corner[s->triangle[t][0]];
        sn_vec3 u = sn_vec3_sub(s->corner[s->triangle[t][1]], o),
                v = sn_vec3_sub(s->corner[s->triangle[t][2]], o);
        out[(*count)++] =
            long3_cross(long3_of(sn_mat3_apply(X->R, u)), long3_of(sn_mat3_apply(X->R, v)));
    }
}

static long double along_both(const pair* p, long3 n) {
    if (!(long3_dot(n, n) > 0)) return -INFINITY;
    long3 unit = long3_unit(n), back = {-unit.x, -unit.y, -unit.z};
    return fmaxl(solids_apart(p->a, &p->X_a, p->b, &p->X_b, unit),
                 solids_apart(p->a, &p->X_a, p->b, &p->X_b, back));
}

/// How far apart bodies with flat faces are along the best normal of a face or across an edge of each.
static long double best_axis(const pair* p) {
    static long3 a[400], b[400];
    int a_count, b_count;
    long double best = -INFINITY;
    face_directions(p->a, &p->X_a, a, &a_count);
    face_directions(p->b, &p->X_b, b, &b_count);
    for (int i = 0; i < a_count; i++) best = fmaxl(best, along_both(p, a[i]));
    for (int j = 0; j < b_count; j++) best = fmaxl(best, along_both(p, b[j]));
    edge_directions(p->a, &p->X_a, a, &a_count);
    edge_directions(p->b, &p->X_b, b, &b_count);
    for (int i = 0; i < a_count; i++)
        for (int j = 0; j < b_count; j++)
            best = fmaxl(best, along_both(p, long3_cross(long3_unit(a[i]), long3_unit(b[j]))));
    return best;
}

static void check_all_axes(pair* p) {
    bool flat_a = p->a->solid.type == SN_SHAPE_BOX || p->a->solid.type == SN_SHAPE_HULL;
    bool flat_b = p->b->solid.type == SN_SHAPE_BOX || p->b->solid.type == SN_SHAPE_HULL;
    if (!flat_a || !flat_b) return;
    find(p, NULL);
    long double best = best_axis(p);
    const sni_touch* t = deepest(p);
    if (t->gap < 0) CHECK_NEAR(t->gap, best, TOL_GAP * p->size, p->seed);
    CHECK(t->gap >= best - TOL_GAP * p->size, p->seed);
}

static void flat_bodies_overlap_least_along_one_of_their_axes(void** state) {
    (void)state;
    for_all_types(3, 25, 0.2, check_all_axes);
}

/// Points of solids that are apart prove their distance: each lies in its solid, and n says they cannot be nearer.
static void check_points(pair* p) {
    find(p, NULL);
    for (int k = 0; k < p->found.count; k++) {
        const sni_touch* t = &p->at[k];
        sn_vec3 half = sn_vec3_scale(0.5 * t->gap, t->n);
        long double a = solid_outside(p->a, &p->X_a, sn_vec3_add(t->x, half));
        long double b = solid_outside(p->b, &p->X_b, sn_vec3_sub(t->x, half));
        CHECK(a <= TOL_SIDEWAYS * p->size && b <= TOL_SIDEWAYS * p->size, p->seed);
        // on the surface, but for the raised end of a capsule that lies on something: that is a point of its end ball
        if (p->a->solid.type != SN_SHAPE_CAPSULE) CHECK(a >= -TOL_SIDEWAYS * p->size, p->seed);
        if (p->b->solid.type != SN_SHAPE_CAPSULE) CHECK(b >= -TOL_SIDEWAYS * p->size, p->seed);
        CHECK(t->gap <= p->margin, p->seed);
    }
}

static void points_are_on_both_surfaces(void** state) {
    (void)state;
    for_all_types(4, 60, 0.5, check_points);
}

static void check_moved(pair* p) {
    find(p, NULL);
    const sni_touch* t = deepest(p);
    p->X_a.p = sn_vec3_sub(p->X_a.p, sn_vec3_scale(t->gap, t->n));
    find(p, NULL);
    CHECK(p->found.count > 0, p->seed);
    CHECK_NEAR(deepest(p)->gap, 0, 2 * slack_of(p), p->seed);
}

static void moved_by_the_gap_they_just_touch(void** state) {
    (void)state;
    for_all_types(5, 40, 0.4, check_moved);
}

// ---- symmetries -----------------------------------------------------------------------------------------

/// Where the deepest touch of two results must agree: its gap, and its direction unless another is as good.
static void check_same(const pair* p, const sni_touch* t, double gap, sn_vec3 n, double tolerance) {
    CHECK_NEAR(t->gap, gap, tolerance * p->size, p->seed);
    double along = (double)solids_apart(p->a, &p->X_a, p->b, &p->X_b, long3_of(n));
    CHECK_NEAR(along, gap, slack_of(p) + tolerance * p->size, p->seed);
}

static void check_swapped(pair* p) {
    find(p, NULL);
    sni_touch t = *deepest(p);
    int count = p->found.count;
    sni_touch other[MOST];
    sni_touches found = {other, 0, MOST, 0};
    sni_pair_memory memory = {.hint = SNI_HINT_NONE};
    sni_touch_pair(&p->b->solid, &p->X_b, &p->a->solid, &p->X_a, p->margin, &memory, &found);
    double gap = INFINITY;
    sn_vec3 n = sn_vec3_zero();
    for (int k = 0; k < found.count; k++)
        if (other[k].gap < gap) {
            gap = other[k].gap;
            n = sn_vec3_neg(other[k].n);
        }
    check_same(p, &t, gap, n, TOL_GAP);
    if (p->a->solid.type != p->b->solid.type) { // the very same computation, turned round
        CHECK(found.count == count, p->seed);
        CHECK(gap == t.gap && n.x == t.n.x && n.y == t.n.y && n.z == t.n.z, p->seed);
    }
}

static void swapping_them_turns_the_normal_round(void** state) {
    (void)state;
    for_all_types(6, 20, 0.4, check_swapped);
}

static void check_motion(pair* p) {
    find(p, NULL);
    sni_touch t = *deepest(p);
    sn_pose X = test_pose(&p->rng, p->size);
    p->X_a = sn_pose_mul(X, p->X_a);
    p->X_b = sn_pose_mul(X, p->X_b);
    find(p, NULL);
    check_same(p, deepest(p), t.gap, sn_mat3_apply(X.R, t.n), 1e-5 * TOL_GAP + TOL_RIM);
}

static void moving_both_changes_nothing(void** state) {
    (void)state;
    for_all_types(7, 20, 0.4, check_motion);
}

/// A direction that was kept from before they touched may be worse by half the overlap.   kept.h
static void check_memory(pair* p) {
    sni_pair_memory memory = {.hint = SNI_HINT_NONE};
    sn_vec3 step = test_vec3(&p->rng, 0.03 * p->size), turn = test_vec3(&p->rng, 0.03);
    double margin = p->margin = 0.1 * p->size;
    for (int k = 0; k < 12; k++) {
        find(p, &memory);
        double warm = p->found.count ? deepest(p)->gap : INFINITY;
        find(p, NULL);
        double cold = p->found.count ? deepest(p)->gap : INFINITY;
        double slack = TOL_SIDEWAYS * p->size + slack_of(p);
        CHECK((warm < INFINITY) == (cold < INFINITY) || fmin(warm, cold) >= margin - slack,
              p->seed);
        if (warm < INFINITY && cold < INFINITY) {
            CHECK(warm <= cold + slack, p->seed);
            CHECK(warm >= cold + fmin(0.5 * cold, 0) - slack, p->seed);
            if (memory.hint != SNI_HINT_NEAREST) CHECK_NEAR(warm, cold, slack_of(p), p->seed);
        }
        p->X_a.p = sn_vec3_add(p->X_a.p, step);
        p->X_a.R = sn_mat3_mul(sn_quat_matrix(sn_quat_exp(turn)), p->X_a.R);
    }
}

static void what_a_pair_remembers_changes_little(void** state) {
    (void)state;
    for_all_types(8, 10, 0.4, check_memory);
}

/// Of solids that are apart by a part of their size, the direction turns about as much as they move.
static void check_continuous(pair* p) {
    const double move = 1e-7, apart = 0.05, turn = 100 * move / apart;
    find(p, NULL);
    sni_touch t = *deepest(p);
    if (t.gap < apart * p->size) return;
    p->X_a.p = sn_vec3_add(p->X_a.p, test_vec3(&p->rng, move * p->size));
    p->X_a.R = sn_mat3_mul(sn_quat_matrix(sn_quat_exp(test_vec3(&p->rng, move))), p->X_a.R);
    find(p, NULL);
    CHECK(sn_vec3_norm(sn_vec3_sub(deepest(p)->n, t.n)) <= turn, p->seed);
}

static void normals_do_not_jump(void** state) {
    (void)state;
    for_all_types(11, 40, 0.6, check_continuous);
}

// ---- margins --------------------------------------------------------------------------------------------

static void check_margin(pair* p) {
    find(p, NULL);
    double gap = deepest(p)->gap, rim = slack_of(p);
    p->margin = gap + 2 * rim;
    find(p, NULL);
    CHECK(p->found.count > 0, p->seed);
    for (int k = 0; k < p->found.count; k++) CHECK(p->at[k].gap <= p->margin, p->seed);
    p->margin = gap - 2 * rim;
    find(p, NULL);
    CHECK(p->found.count == 0, p->seed);
}

static void what_is_beyond_the_margin_is_left_out(void** state) {
    (void)state;
    for_all_types(9, 20, 0.5, check_margin);
}

// ---- planes ---------------------------------------------------------------------------------------------

static void solids_touch_planes_with_all_that_is_near(void** state) {
    (void)state;
    test_solid* plane = solid_make(SN_SHAPE_PLANE, sn_vec3_zero());
    for (int i = 0; i < SOLID_TYPES; i++)
        for (int k = 0; k < 100; k++) {
            pair p = make(10, i * 100 + k, solid_types[i], SN_SHAPE_SPHERE, 0.5);
            solid_free(p.b);
            p.b = plane;
            find(&p, NULL);
            sn_vec3 n = sn_mat3_column(p.X_b.R, 2);
            long3 down = long3_of(sn_vec3_neg(n));
            long double low =
                -solid_reach(p.a, &p.X_a, down) - long3_dot(long3_of(n), long3_of(p.X_b.p));
            CHECK_NEAR(deepest(&p)->gap, low, slack_of(&p), p.seed);
            int corners = p.a->solid.type == SN_SHAPE_HULL ? p.a->hull->vertex_count : 8;
            if (p.a->corner_count)
                CHECK(p.found.count == (corners < 16 ? corners : p.found.count), p.seed);
            for (int t = 0; t < p.found.count; t++) {
                sn_vec3 half = sn_vec3_scale(0.5 * p.at[t].gap, n);
                CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(p.at[t].n, n)), 0, 1e-15, p.seed);
                CHECK_NEAR((double)solid_outside(plane, &p.X_b, sn_vec3_sub(p.at[t].x, half)), 0,
                           TOL_GAP * p.size, p.seed);
                CHECK(solid_outside(p.a, &p.X_a, sn_vec3_add(p.at[t].x, half)) <= TOL_GAP * p.size,
                      p.seed);
            }
            solid_free(p.a);
        }
    solid_free(plane);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_direction_is_farther_apart),
        cmocka_unit_test(flat_bodies_overlap_least_along_one_of_their_axes),
        cmocka_unit_test(points_are_on_both_surfaces),
        cmocka_unit_test(moved_by_the_gap_they_just_touch),
        cmocka_unit_test(swapping_them_turns_the_normal_round),
        cmocka_unit_test(moving_both_changes_nothing),
        cmocka_unit_test(what_a_pair_remembers_changes_little),
        cmocka_unit_test(normals_do_not_jump),
        cmocka_unit_test(what_is_beyond_the_margin_is_left_out),
        cmocka_unit_test(solids_touch_planes_with_all_that_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
