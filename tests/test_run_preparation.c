// SPDX-License-Identifier: Apache-2.0
// Edits in three parts: what another thread makes while the simulation steps comes to the same bits as an edit that is made
// at once; what others change meanwhile, and what is given up, harms nobody. Run under the sanitizers. Checks are
// made by the main thread: cmocka's failures jump.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "run/sn_run.h"
#include "support/random_state.h"
#include "support/running.h"

static const char* const SCENE =
    "version: 1\n"
    "floor: {mu: 0.4}\n"
    "contact: {contacts: 64}\n" // little memory: an edit takes it anew
    "models:\n"
    "  - {name: arm, generate: 'chain:5', at: [0, 0, 4], q: {b000001: 0.7}}\n"
    "objects:\n"
    "  - {name: ball, sphere: 0.1, mass: 2, at: [0, 2, 0.5], v: [0.3, 0, 0], w: [1, 2, 3]}\n"
    "  - {name: box, box: [0.2, 0.3, 0.1], mass: 1, at: [0, -2, 0.3], rpy: [0.1, 0.2, 0.3]}\n";

/// One that is being made by a thread of its own.
typedef struct making {
    sn_edit* edit;
    sn_preparation* p;
    pthread_t thread;
    sn_status status;
    atomic_bool done;
} making;

static sn_edit* parse(const char* words) {
    sn_edit* edit = NULL;
    sn_error error = {0};
    CHECK_STATUS(sn_edit_parse(words, strlen(words), NULL, NULL, &edit, &error), SN_OK);
    return edit;
}

static void* make(void* context) {
    making* m = context;
    m->status = sn_preparation_make(m->p, NULL);
    atomic_store(&m->done, true);
    return NULL;
}

static void begin(sn_simulation* sim, const char* words, making* m) {
    *m = (making){.edit = parse(words)};
    CHECK_STATUS(sn_simulation_prepare(sim, m->edit, &m->p, NULL), SN_OK);
    CHECK(pthread_create(&m->thread, NULL, make, m) == 0, 0);
}

static sn_status finish(sn_simulation* sim, making* m, sn_error* error) {
    (void)pthread_join(m->thread, NULL);
    sn_status status = m->status ? m->status : sn_simulation_finish(sim, m->p, error);
    sn_preparation_free(m->p);
    sn_edit_free(m->edit);
    return status;
}

static void check_same(sn_simulation* a, sn_simulation* b) {
    sn_world *x = sn_simulation_world(a), *y = sn_simulation_world(b);
    int nq = sn_model_nq(sn_world_model(x)), nv = sn_model_nv(sn_world_model(x));
    CHECK(nq == sn_model_nq(sn_world_model(y)) && nv == sn_model_nv(sn_world_model(y)), 0);
    CHECK(memcmp(sn_world_q(x), sn_world_q(y), (size_t)nq * sizeof(double)) == 0, 0);
    CHECK(memcmp(sn_world_v(x), sn_world_v(y), (size_t)nv * sizeof(double)) == 0, 0);
    CHECK(sn_world_time(x) == sn_world_time(y), 0);
    CHECK(sn_simulation_item_count(a) == sn_simulation_item_count(b), 0);
    for (int i = 0; i < sn_simulation_item_count(a); i++) {
        sn_item_id id = sn_simulation_item_at(a, i), other = sn_simulation_item_at(b, i);
        CHECK(id.i == other.i && id.generation == other.generation, (uint64_t)i);
        CHECK(sn_simulation_first_body(a, id) == sn_simulation_first_body(b, other), (uint64_t)i);
    }
}

static const char* const EDITS[] = {
    "add: {name: new, box: [0.1, 0.1, 0.1], at: [0, 2, 1], v: [0, 0, 1]}",
    "remove: box",
    "surface: {item: ball, material: {mu: 0.01}}",
    "add: {name: two, sphere: 0.1, at: [0, 2, 2]}",
    "reset: true",
    "gravity: [0, 0, -2]", // nothing is to be made
    "remove: arm",
};
enum { EDIT_COUNT = sizeof EDITS / sizeof *EDITS };

static void what_is_prepared_beside_the_steps_is_the_same_to_the_bit(void** state) {
    (void)state;
    enum { MEANWHILE = 40, AFTER = 60 };
    sn_simulation *at_once = running(SCENE), *beside = running(SCENE);
    for (int e = 0; e < EDIT_COUNT; e++) {
        making m;
        begin(beside, EDITS[e], &m);
        running_step(beside, MEANWHILE);
        running_step(at_once, MEANWHILE);
        check_same(at_once, beside); // nothing has happened yet
        CHECK_STATUS(finish(beside, &m, NULL), SN_OK);
        running_command(at_once, EDITS[e]);
        check_same(at_once, beside);
        running_step(beside, AFTER);
        running_step(at_once, AFTER);
        check_same(at_once, beside);
    }
    sn_simulation_free(at_once);
    sn_simulation_free(beside);
}

static void only_what_needs_a_new_model_is_long(void** state) {
    (void)state;
    sn_simulation* sim = running(SCENE);
    for (int e = 0; e < EDIT_COUNT; e++) {
        sn_edit* edit = parse(EDITS[e]);
        sn_preparation* p = NULL;
        CHECK_STATUS(sn_simulation_prepare(sim, edit, &p, NULL), SN_OK);
        bool is_long = strncmp(EDITS[e], "gravity", 7) != 0;
        CHECK(sn_preparation_is_long(p) == is_long, (uint64_t)e);
        CHECK_STATUS(sn_preparation_make(p, NULL), SN_OK);
        CHECK(!sn_preparation_is_long(p), (uint64_t)e);
        sn_preparation_free(p);
        sn_edit_free(edit);
    }
    sn_simulation_free(sim);
}

static void what_is_given_up_has_changed_nothing(void** state) {
    (void)state;
    sn_simulation *sim = running(SCENE), *other = running(SCENE);
    for (int e = 0; e < 2 * EDIT_COUNT; e++) {
        sn_edit* edit = parse(EDITS[e / 2]);
        sn_preparation* p = NULL;
        CHECK_STATUS(sn_simulation_prepare(sim, edit, &p, NULL), SN_OK);
        if (e % 2) CHECK_STATUS(sn_preparation_make(p, NULL), SN_OK);
        running_step(sim, 5);
        running_step(other, 5);
        sn_preparation_free(p);
        sn_edit_free(edit);
        check_same(sim, other);
    }
    sn_simulation_free(sim);
    sn_simulation_free(other);
}

static void what_was_not_made_cannot_be_finished(void** state) {
    (void)state;
    sn_simulation* sim = running(SCENE);
    sn_edit* edit = parse(EDITS[0]);
    sn_preparation* p = NULL;
    CHECK_STATUS(sn_simulation_prepare(sim, edit, &p, NULL), SN_OK);
    CHECK_STATUS(sn_simulation_finish(sim, p, NULL), SN_ERR_ARGUMENT);
    CHECK(sn_simulation_item_count(sim) == 4, 0);
    sn_preparation_free(p);
    sn_edit_free(edit);
    sn_simulation_free(sim);
}

static void edits_that_come_in_between_count(void** state) {
    (void)state;
    sn_simulation *beside = running(SCENE), *at_once = running(SCENE);
    making slow;
    begin(beside, "add: {name: new, sphere: 0.2, at: [3, 0, 1]}", &slow);
    for (int e = 1; e < 4; e++) {
        running_command(beside, EDITS[e]);
        running_command(at_once, EDITS[e]);
        running_step(beside, 3);
        running_step(at_once, 3);
    }
    CHECK_STATUS(finish(beside, &slow, NULL), SN_OK);
    running_command(at_once, "add: {name: new, sphere: 0.2, at: [3, 0, 1]}");
    running_step(beside, 50);
    running_step(at_once, 50);
    check_same(at_once, beside);
    sn_simulation_free(beside);
    sn_simulation_free(at_once);
}

static void what_an_edit_in_between_makes_impossible_is_refused(void** state) {
    (void)state;
    sn_simulation *sim = running(SCENE), *other = running(SCENE);
    sn_error error = {0};
    making add, leave;
    begin(sim, "add: {name: new, sphere: 0.2, at: [3, 0, 1]}", &add);
    begin(sim, "remove: box", &leave);
    for (int k = 0; k < 2; k++) {
        running_command(k ? other : sim, "add: {name: new, sphere: 0.1, at: [5, 0, 1]}");
        running_command(k ? other : sim, "remove: box");
    }
    CHECK_STATUS(finish(sim, &add, &error), SN_ERR_ARGUMENT);
    running_says(error.text, "another name");
    CHECK_STATUS(finish(sim, &leave, &error), SN_ERR_ARGUMENT);
    running_says(error.text, "gone");
    running_step(sim, 20);
    running_step(other, 20);
    check_same(sim, other);
    sn_simulation_free(sim);
    sn_simulation_free(other);
}

/// Any edits of this thread while others are made by two more: nothing that they read goes away under them.
static void anything_may_happen_while_one_is_made(void** state) {
    (void)state;
    enum { ROUNDS = 60 };
    uint64_t seed = test_seed();
    test_rng rng = test_rng_make(seed);
    sn_simulation* sim = running(SCENE);
    making m[2];
    int guests = 0, done = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < 2; k++) {
            char words[100];
            (void)snprintf(words, sizeof words, "add: {name: n%d, sphere: 0.05, at: [%d, %d, 1]}",
                           guests, guests, 6 + k);
            guests++;
            begin(sim, words, &m[k]);
        }
        running_step(sim, 1);
        if (test_chance(&rng, 0.3) && round > 0) {
            char words[40];
            int which = test_index(&rng, guests - 2);
            (void)snprintf(words, sizeof words, "remove: n%d", which);
            (void)sn_simulation_command(sim, words, NULL, 0, NULL); // it may be gone already
        }
        if (test_chance(&rng, 0.15)) running_command(sim, "reset: true");
        while (!atomic_load(&m[0].done)) running_step(sim, 1);
        for (int k = 0; k < 2; k++) {
            bool keep = test_chance(&rng, 0.7);
            if (keep) {
                CHECK_STATUS(finish(sim, &m[k], NULL), SN_OK);
                done++;
            } else {
                (void)pthread_join(m[k].thread, NULL);
                sn_preparation_free(m[k].p);
                sn_edit_free(m[k].edit);
            }
        }
    }
    CHECK(done > ROUNDS / 2, seed);
    CHECK(sn_simulation_find_item(sim, "ball").generation > 0, seed);
    running_step(sim, 20);
    sn_simulation_free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_prepared_beside_the_steps_is_the_same_to_the_bit),
        cmocka_unit_test(only_what_needs_a_new_model_is_long),
        cmocka_unit_test(what_is_given_up_has_changed_nothing),
        cmocka_unit_test(what_was_not_made_cannot_be_finished),
        cmocka_unit_test(edits_that_come_in_between_count),
        cmocka_unit_test(what_an_edit_in_between_makes_impossible_is_refused),
        cmocka_unit_test(anything_may_happen_while_one_is_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
