// SPDX-License-Identifier: Apache-2.0
// Arena, name map, hash, errors: the small tools everything stands on.
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/name_map.h"
#include "base/rng.h"
#include "sinew/clock.h"
#include "support/check.h"

static void an_arena_hands_out_what_it_measured_zeroed_and_aligned(void** state) {
    (void)state;
    sni_arena arena = {0};
    assert_null(SN_ARENA_ARRAY(&arena, char, 3));
    assert_null(SN_ARENA_ARRAY(&arena, double, 7));
    assert_true(sni_arena_allocate(&arena));
    char* a = SN_ARENA_ARRAY(&arena, char, 3);
    double* b = SN_ARENA_ARRAY(&arena, double, 7);
    assert_int_equal((uintptr_t)a % SN_ARENA_ALIGNMENT, 0);
    assert_int_equal((uintptr_t)b % SN_ARENA_ALIGNMENT, 0);
    assert_int_equal(arena.used, arena.size);
    for (int i = 0; i < 7; i++) assert_true(b[i] == 0);
    sni_arena_free(&arena);
    assert_null(arena.base);
}

/// Large blocks come from elsewhere than small ones, again and again zeroed.
static void arenas_of_all_sizes_are_zeroed(void** state) {
    (void)state;
    for (size_t numbers = 1; numbers <= (size_t)1 << 20; numbers *= 16) {
        for (int turn = 0; turn < 3; turn++) {
            sni_arena arena = {0};
            SN_ARENA_ARRAY(&arena, double, numbers);
            assert_true(sni_arena_allocate(&arena));
            double* x = SN_ARENA_ARRAY(&arena, double, numbers);
            assert_true((uintptr_t)x % SN_ARENA_ALIGNMENT == 0 && arena.used == arena.size);
            for (size_t k = 0; k < numbers; k++) {
                assert_true(x[k] == 0);
                x[k] = 1;
            }
            sni_arena_free(&arena);
        }
    }
}

static void a_size_beyond_memory_is_refused_not_wrapped(void** state) {
    (void)state;
    sni_arena arena = {0};
    SN_ARENA_ARRAY(&arena, double, SIZE_MAX / 4);
    assert_true(arena.overflow);
    assert_false(sni_arena_allocate(&arena));
}

static void names_are_found_and_keep_their_first_value(void** state) {
    (void)state;
    enum { NAMES = 1000 };
    static char text[NAMES][8];
    sni_arena arena = {0};
    sni_name_map map;
    sni_name_map_layout(&map, &arena, NAMES);
    assert_true(sni_arena_allocate(&arena));
    sni_name_map_layout(&map, &arena, NAMES);
    for (int i = 0; i < NAMES; i++) {
        snprintf(text[i], sizeof text[i], "n%d", i);
        assert_int_equal(sni_name_map_add(&map, text[i], i), -1);
    }
    assert_int_equal(sni_name_map_add(&map, "n17", 5), 17);
    for (int i = 0; i < NAMES; i++) assert_int_equal(sni_name_map_find(&map, text[i]), i);
    assert_int_equal(sni_name_map_find(&map, "other"), -1);
    assert_int_equal(sni_name_map_find(&map, NULL), -1);
    sni_arena_free(&arena);
}

static void a_hash_depends_on_every_bit_and_on_the_length(void** state) {
    (void)state;
    unsigned char bytes[21] = {0};
    uint64_t seen[sizeof bytes * 8 + sizeof bytes + 1], count = 0;
    for (size_t length = 0; length <= sizeof bytes; length++)
        seen[count++] = sni_hash(0, bytes, length);
    for (size_t bit = 0; bit < sizeof bytes * 8 - 1; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        seen[count++] = sni_hash(0, bytes, sizeof bytes);
        bytes[bit / 8] = 0;
    }
    for (uint64_t i = 0; i < count; i++)
        for (uint64_t j = 0; j < i; j++) assert_true(seen[i] != seen[j]);
}

static void random_numbers_repeat_and_fill_their_range(void** state) {
    (void)state;
    sni_rng a = {7}, b = {7};
    double least = 1, most = 0, sum = 0;
    enum { DRAWS = 10000 };
    for (int i = 0; i < DRAWS; i++) {
        double x = sni_rng_uniform(&a, 0, 1);
        assert_true(x == sni_rng_uniform(&b, 0, 1));
        assert_true(x >= 0 && x < 1);
        least = x < least ? x : least;
        most = x > most ? x : most;
        sum += x;
    }
    assert_true(least < 0.01 && most > 0.99);
    // standard deviation of the mean is 0.289 / sqrt(10000) = 0.003; five of them
    assert_true(sum / DRAWS > 0.485 && sum / DRAWS < 0.515);
}

static void an_error_is_printed_with_as_much_place_as_is_known(void** state) {
    (void)state;
    const struct {
        sn_place place;
        const char* text;
    } cases[] = {
        {{"", 0, 0}, "no x"},
        {{"a.urdf", 0, 0}, "a.urdf: no x"},
        {{"a.urdf", 3, 0}, "a.urdf:3: no x"},
        {{"a.urdf", 3, 9}, "a.urdf:3:9: no x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sn_error error;
        char text[64];
        CHECK_STATUS(sni_fail(&error, SN_ERR_MODEL, cases[i].place, "no %c", 'x'), SN_ERR_MODEL);
        sn_error_format(&error, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
    CHECK_STATUS(sni_fail(NULL, SN_ERR_FILE, sni_nowhere(), "nobody listens"), SN_ERR_FILE);
    assert_string_equal(sn_status_text((sn_status)99), "unknown status");
}

static void the_real_clock_runs_and_the_virtual_one_obeys(void** state) {
    (void)state;
    int64_t now = 5;
    sn_clock real = sn_clock_real(), virtual = sn_clock_virtual(&now);
    int64_t before = real.now_ns(real.context);
    assert_true(real.now_ns(real.context) >= before);
    assert_int_equal(virtual.now_ns(virtual.context), 5);
    now = 9;
    assert_int_equal(virtual.now_ns(virtual.context), 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arena_hands_out_what_it_measured_zeroed_and_aligned),
        cmocka_unit_test(arenas_of_all_sizes_are_zeroed),
        cmocka_unit_test(a_size_beyond_memory_is_refused_not_wrapped),
        cmocka_unit_test(names_are_found_and_keep_their_first_value),
        cmocka_unit_test(a_hash_depends_on_every_bit_and_on_the_length),
        cmocka_unit_test(random_numbers_repeat_and_fill_their_range),
        cmocka_unit_test(an_error_is_printed_with_as_much_place_as_is_known),
        cmocka_unit_test(the_real_clock_runs_and_the_virtual_one_obeys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
