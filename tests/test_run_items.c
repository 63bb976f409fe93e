// SPDX-License-Identifier: Apache-2.0
// Ids: one that is gone is never taken for another, however often its place is used again.
#include <stdio.h>
#include <string.h>

#include "run/sn_run.h"
#include "support/random_state.h"
#include "support/running.h"

enum { ITEMS = 710, MOST = 4000 };

static const char* const EMPTY = "version: 1\ncontact: {contacts: 32, constraints: 64}\n";

/// Every id that was ever given, and whether it is still good.
typedef struct register_of_ids {
    sn_item_id id[MOST];
    char name[MOST][16];
    bool there[MOST];
    int count;
} register_of_ids;

static void check_all(const sn_simulation* sim, const register_of_ids* all, uint64_t seed) {
    int there = 0;
    for (int i = 0; i < all->count; i++) {
        const sn_item* item = sn_simulation_item(sim, all->id[i]);
        CHECK((item != NULL) == all->there[i], seed);
        if (item) CHECK(strcmp(item->name, all->name[i]) == 0, seed);
        if (!item) CHECK(sn_simulation_first_body(sim, all->id[i]) == -1, seed);
        there += item != NULL;
    }
    CHECK(there == sn_simulation_item_count(sim), seed);
}

static void put(sn_simulation* sim, register_of_ids* all) {
    int i = all->count++;
    char words[80];
    (void)snprintf(all->name[i], sizeof all->name[i], "n%d", i);
    (void)snprintf(words, sizeof words, "add: {name: n%d, sphere: 0.01, at: [%d, 0, 0]}", i, i);
    running_command(sim, words);
    all->id[i] = running_item(sim, all->name[i]);
    all->there[i] = true;
}

static void an_id_is_of_one_item_for_ever(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(ITEMS, 0);
    test_rng rng = test_rng_make(seed);
    sn_simulation* sim = running(EMPTY);
    register_of_ids* all = calloc(1, sizeof *all);
    for (int k = 0; k < 400; k++) {
        int victim = all->count ? test_index(&rng, all->count) : 0;
        if (all->count && all->there[victim] && test_chance(&rng, 0.6)) {
            CHECK_STATUS(sn_simulation_remove(sim, all->id[victim], NULL), SN_OK);
            all->there[victim] = false;
            CHECK_STATUS(sn_simulation_remove(sim, all->id[victim], NULL), SN_ERR_ARGUMENT);
        } else {
            put(sim, all);
        }
        if (test_chance(&rng, 0.02)) {
            CHECK_STATUS(sn_simulation_reset(sim, NULL), SN_OK);
            memset(all->there, 0, sizeof all->there);
        }
        if (k % 7 == 0) check_all(sim, all, seed);
        if (k % 11 == 0) running_step(sim, 1);
    }
    check_all(sim, all, seed);
    CHECK(sim->items.slots < all->count / 2, seed); // places are used again
    free(all);
    sn_simulation_free(sim);
}

static void ids_before_a_reset_stay_dead_when_places_grow_after_it(void** state) {
    (void)state;
    sn_simulation* sim = running(EMPTY);
    register_of_ids* all = calloc(1, sizeof *all);
    for (int k = 0; k < 40; k++) put(sim, all);
    CHECK_STATUS(sn_simulation_reset(sim, NULL), SN_OK);
    memset(all->there, 0, sizeof all->there);
    for (int k = 0; k < 40; k++) put(sim, all);
    check_all(sim, all, 0);
    free(all);
    sn_simulation_free(sim);
}

static void ids_that_were_never_given_are_nobody(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\nobjects: [{name: ball, sphere: 1}]\n");
    const sn_item_id strange[] = {{-1, 1}, {0, 0}, {0, 99}, {1, 0}, {5, 1}, {1000000, 1}};
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        sn_error error = {0};
        CHECK(!sn_simulation_item(sim, strange[i]), i);
        CHECK(sn_simulation_first_body(sim, strange[i]) == -1, i);
        CHECK_STATUS(sn_simulation_remove(sim, strange[i], &error), SN_ERR_ARGUMENT);
        running_says(error.text, "this item is gone");
    }
    CHECK(sn_simulation_item_at(sim, -1).generation == 0, 0);
    CHECK(sn_simulation_item_at(sim, 1).generation == 0, 0);
    CHECK(sn_simulation_item_at(sim, 0).generation > 0, 0);
    CHECK(sn_simulation_find_item(sim, "nobody").generation == 0, 0);
    sn_simulation_free(sim);
}

static void holds_have_ids_of_their_own(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\nobjects:\n"
                                 "  - {name: a, sphere: 0.1, at: [0, 0, 1]}\n"
                                 "  - {name: b, sphere: 0.1, at: [1, 0, 1]}\n");
    sn_constraint weld = sn_constraint_default();
    weld.a = sn_body(0), weld.b = sn_body(1);
    sn_hold_id first, second;
    sn_error error = {0};
    CHECK_STATUS(sn_simulation_hold(sim, "one", &weld, false, &first, &error), SN_OK);
    CHECK_STATUS(sn_simulation_hold(sim, "one", &weld, false, NULL, &error), SN_ERR_ARGUMENT);
    running_says(error.text, "there is a hold 'one' already");
    CHECK_STATUS(sn_simulation_release(sim, first, &error), SN_OK);
    CHECK_STATUS(sn_simulation_release(sim, first, &error), SN_ERR_ARGUMENT);
    running_says(error.text, "this hold is gone");
    CHECK_STATUS(sn_simulation_hold(sim, "two", &weld, false, &second, &error), SN_OK);
    CHECK(second.i == first.i && second.generation != first.generation, 0);
    CHECK_STATUS(sn_simulation_release(sim, first, &error), SN_ERR_ARGUMENT);
    CHECK(sn_simulation_find_hold(sim, "two").generation == second.generation, 0);
    // a hold goes with its body
    CHECK_STATUS(sn_simulation_remove(sim, running_item(sim, "b"), &error), SN_OK);
    CHECK_STATUS(sn_simulation_release(sim, second, &error), SN_ERR_ARGUMENT);
    CHECK(sn_simulation_find_hold(sim, "two").generation == 0, 0);
    running_step(sim, 5);
    sn_simulation_free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_id_is_of_one_item_for_ever),
        cmocka_unit_test(ids_before_a_reset_stay_dead_when_places_grow_after_it),
        cmocka_unit_test(ids_that_were_never_given_are_nobody),
        cmocka_unit_test(holds_have_ids_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
