// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "collision/broad.h"
#include "support/check.h"

enum {
    CASES = 300,
    LARGEST = 400,
    TEST_PAIRS = 1,
    TEST_MOST,
    TEST_QUESTIONS,
    TEST_MOVED,
    TEST_CREPT,
    TEST_STILL
};

typedef struct scene {
    uint64_t seed;
    sni_rng rng;
    sni_arena arena;
    sni_broad* broad;
    int32_t n;
    sni_box box[LARGEST];
    bool still[LARGEST];
    sni_near_pair *all, *found; // [n n / 2]
    int32_t expected;
} scene;

// ---- boxes ----------------------------------------------------------------------------------------------

static double random_in(sni_rng* rng, double low, double high) {
    return sni_rng_uniform(rng, low, high);
}

static sni_box box_at(sn_vec3 c, sn_vec3 half) {
    return (sni_box){sn_vec3_sub(c, half), sn_vec3_add(c, half)};
}

static sn_vec3 random_vector(sni_rng* rng, double size) {
    double x = random_in(rng, -size, size), y = random_in(rng, -size, size);
    return sn_vec3_make(x, y, random_in(rng, -size, size));
}

static sn_vec3 positive(sn_vec3 v) { return sn_vec3_make(fabs(v.x), fabs(v.y), fabs(v.z)); }

/// Kinds of crowd: alike, of all sizes, a few huge, some far away, in a plane, on a line, coincident, points, on a
/// grid so that they just touch, stretched, infinite and empty ones among others, two heaps far apart.
static sni_box random_box(sni_rng* rng, int kind, int32_t k) {
    sn_vec3 c = random_vector(rng, 5), half = sn_vec3_make(0.5, 0.5, 0.5);
    switch (kind) {
    case 1: half = positive(random_vector(rng, pow(10, random_in(rng, -3, 1)))); break;
    case 2:
        if (k % 50 == 0) half = sn_vec3_make(4, 1e3, 4);
        break;
    case 3:
        if (k % 7 == 0) c = random_vector(rng, 1e9);
        break;
    case 4: c.y = 3; break;
    case 5: c = sn_vec3_make(2, -1, 20 * c.z); break;
    case 6: c = sn_vec3_make(k % 3, 0, 0); break;
    case 7:
        half = sn_vec3_zero();
        if (k % 2) c = sn_vec3_zero();
        break;
    case 8: c = sn_vec3_make(k % 7, k / 7 % 7, k / 49 % 7); break;
    case 9: half = positive(random_vector(rng, k % 3 ? 0.1 : 50)); break;
    case 10:
        if (k % 20 == 0) c.x = 0, half = sn_vec3_make(INFINITY, 1, INFINITY);
        if (k % 20 == 1) half = sn_vec3_make(-1, 1, 1);
        if (k % 20 == 2) return (sni_box){{-INFINITY, -INFINITY, -INFINITY}, {1, INFINITY, 1}};
        if (k % 20 == 3) c.z = NAN;
        break;
    case 11: c = sn_vec3_add(c, sn_vec3_make(1e4 * (k % 2), 0, 0)); break;
    default: break;
    }
    return box_at(c, half);
}
enum { KINDS = 12 };

static bool is_there(const sni_box* b) {
    return b->low.x <= b->high.x && b->low.y <= b->high.y && b->low.z <= b->high.z;
}

static bool overlap(const sni_box* a, const sni_box* b) {
    return is_there(a) && is_there(b) && a->low.x <= b->high.x && b->low.x <= a->high.x &&
           a->low.y <= b->high.y && b->low.y <= a->high.y && a->low.z <= b->high.z &&
           b->low.z <= a->high.z;
}

static bool wants_odd_sums(const void* context, int32_t a, int32_t b) {
    return !*(const bool*)context || (a + b) % 2 == 1;
}

// ---- scenes ---------------------------------------------------------------------------------------------

static void list_all(scene* s, bool odd) {
    s->expected = 0;
    for (int32_t a = 0; a < s->n; a++)
        for (int32_t b = a + 1; b < s->n; b++)
            if (overlap(&s->box[a], &s->box[b]) && wants_odd_sums(&odd, a, b) &&
                !(s->still[a] && s->still[b]))
                s->all[s->expected++] = (sni_near_pair){a, b};
}

static void fill(scene* s, int kind) {
    for (int32_t k = 0; k < s->n; k++) {
        s->box[k] = random_box(&s->rng, kind, k);
        sni_broad_set(s->broad, k, &s->box[k]);
    }
}

static scene* begin(uint64_t test, int i) {
    scene* s = calloc(1, sizeof *s);
    s->seed = test_case_seed(test, (uint64_t)i);
    s->rng.state = s->seed;
    s->n = i < 4 ? i : 1 + sni_rng_index(&s->rng, LARGEST);
    assert_null(sni_broad_layout(&s->arena, s->n));
    assert_true(sni_arena_allocate(&s->arena));
    s->broad = sni_broad_layout(&s->arena, s->n);
    s->all = calloc((size_t)(s->n * s->n + 1), sizeof *s->all);
    s->found = calloc((size_t)(s->n * s->n + 1), sizeof *s->found);
    return s;
}

static void end(scene* s) {
    sni_arena_free(&s->arena);
    free(s->all);
    free(s->found);
    free(s);
}

static void check_found(const scene* s, int32_t found, int32_t written) {
    CHECK(found == s->expected, s->seed);
    CHECK(memcmp(s->found, s->all, (size_t)written * sizeof *s->all) == 0, s->seed);
}

// ---- tests ----------------------------------------------------------------------------------------------

static void finds_what_comparing_all_pairs_finds(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        scene* s = begin(TEST_PAIRS, i);
        bool odd = i % 5 == 4;
        fill(s, i % KINDS);
        list_all(s, odd);
        check_found(s, sni_broad_find(s->broad, wants_odd_sums, &odd, s->found, s->n * s->n),
                    s->expected);
        end(s);
    }
}

static void writes_the_first_when_there_are_too_many(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        scene* s = begin(TEST_MOST, i);
        bool odd = i % 5 == 4;
        fill(s, i % KINDS);
        list_all(s, odd);
        int32_t most = s->expected ? sni_rng_index(&s->rng, s->expected + 1) : 0;
        s->found[most].a = -7;
        check_found(s, sni_broad_find(s->broad, wants_odd_sums, &odd, s->found, most), most);
        CHECK(s->found[most].a == -7, s->seed);
        end(s);
    }
}

static void tells_which_boxes_overlap_one(void** state) {
    (void)state;
    int32_t found[LARGEST];
    for (int i = 0; i < CASES; i++) {
        scene* s = begin(TEST_QUESTIONS, i);
        fill(s, i % KINDS);
        for (int q = 0; q < 20; q++) { // the first ones are answered without sorting
            sni_box ask = random_box(&s->rng, (i + q) % KINDS, q);
            int32_t most = q % 4 ? LARGEST : 3, expected = 0;
            int32_t n = sni_broad_overlapping(s->broad, &ask, found, most);
            for (int32_t k = 0; k < s->n; k++)
                if (overlap(&s->box[k], &ask)) {
                    if (expected < most) CHECK(found[expected] == k, s->seed);
                    expected++;
                }
            CHECK(n == expected, s->seed);
        }
        end(s);
    }
}

static void follows_boxes_that_move(void** state) {
    (void)state;
    const bool odd = false;
    for (int i = 0; i < CASES / 10; i++) {
        scene* s = begin(TEST_MOVED, i);
        fill(s, i % KINDS);
        for (int step = 0; step < 10; step++) {
            for (int32_t k = 0; k < s->n; k += 1 + step) {
                s->box[k] = random_box(&s->rng, (i + step) % KINDS, k);
                sni_broad_set(s->broad, k, &s->box[k]);
            }
            list_all(s, odd);
            check_found(s, sni_broad_find(s->broad, NULL, NULL, s->found, s->n * s->n),
                        s->expected);
        }
        end(s);
    }
}

/// Boxes that go on and on by little: what is kept of finds before must not be missed or stale.
static void follows_boxes_that_creep(void** state) {
    (void)state;
    const bool odd = false;
    for (int i = 0; i < CASES / 6; i++) {
        scene* s = begin(TEST_CREPT, i);
        double speed = pow(10, random_in(&s->rng, -4, -1));
        fill(s, i % KINDS);
        for (int step = 0; step < 40; step++) {
            for (int32_t k = 0; k < s->n; k++) {
                sn_vec3 way = sn_vec3_make(speed * cos(k + 0.1 * step), speed * sin(k), -speed);
                s->box[k] =
                    (sni_box){sn_vec3_add(s->box[k].low, way), sn_vec3_add(s->box[k].high, way)};
                if (k % 97 == 5 && step % 10 == 9) s->box[k].high.x = s->box[k].low.x - 1; // gone
                sni_broad_set(s->broad, k, &s->box[k]);
            }
            list_all(s, odd);
            check_found(s, sni_broad_find(s->broad, NULL, NULL, s->found, s->n * s->n),
                        s->expected);
        }
        end(s);
    }
}

/// Boxes come to rest and move again, and who is wanted changes, while boxes stay where they are.
static void leaves_out_two_that_are_still_and_hears_of_other_wishes(void** state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        scene* s = begin(TEST_STILL, i);
        bool odd = i % 2;
        fill(s, i % KINDS);
        for (int step = 0; step < 6; step++) {
            for (int32_t k = 0; k < s->n; k++) {
                s->still[k] = sni_rng_index(&s->rng, 3) > 0;
                sni_broad_still(s->broad, k, s->still[k]);
            }
            if (step % 2) odd = !odd;
            list_all(s, odd);
            int32_t most =
                step < 4 || !s->expected ? s->n * s->n : sni_rng_index(&s->rng, s->expected);
            check_found(s, sni_broad_find(s->broad, wants_odd_sums, &odd, s->found, most),
                        most < s->expected ? most : s->expected);
        }
        end(s);
    }
}

static void counts_thousands_that_coincide(void** state) {
    (void)state;
    enum { N = 3000, MOST = 500 };
    sni_arena arena = {0};
    sni_near_pair out[MOST];
    const sni_box box = {{1, 2, 3}, {1.5, 2, 4}};
    sni_broad_layout(&arena, N);
    assert_true(sni_arena_allocate(&arena));
    sni_broad* broad = sni_broad_layout(&arena, N);
    for (int32_t k = 0; k < N; k++) sni_broad_set(broad, k, &box);
    CHECK(sni_broad_find(broad, NULL, NULL, out, MOST) == N * (N - 1) / 2, 0);
    for (int32_t k = 0; k < MOST; k++) CHECK(out[k].a == 0 && out[k].b == k + 1, 0);
    sni_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_comparing_all_pairs_finds),
        cmocka_unit_test(writes_the_first_when_there_are_too_many),
        cmocka_unit_test(tells_which_boxes_overlap_one),
        cmocka_unit_test(follows_boxes_that_move),
        cmocka_unit_test(follows_boxes_that_creep),
        cmocka_unit_test(leaves_out_two_that_are_still_and_hears_of_other_wishes),
        cmocka_unit_test(counts_thousands_that_coincide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
