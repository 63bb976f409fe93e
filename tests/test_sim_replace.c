// SPDX-License-Identifier: Apache-2.0
// Bodies come and go between two steps: what stays goes on as if nothing had happened, and whoever looks sees
// whole states of one model or the other.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "support/fixture.h"

enum { GROWING = 70, REFUSING, LOOKING };

static const char* const algorithms[] = {"aba", "adaptive"};

static sn_world* make_world(const sn_model* model, const char* algorithm) {
    sn_world_def def = sn_world_def_default();
    sn_world* world = NULL;
    def.dynamics = algorithm;
    def.adaptivity.max_active = algorithm[1] == 'd' ? 7 : -1;
    def.step = 1e-4; // thousands of steps stay tame
    CHECK_STATUS(sn_world_create(model, &def, &world, NULL), SN_OK);
    return world;
}

static sn_model* chain(int count) {
    return test_generate(SN_GENERATE_CHAIN, count, 5, false, true, test_units_si());
}

/// Bodies 0 .. count-1 are the same, those after are new.
static sn_replacement* prepare(const sn_world* world, const sn_model* model) {
    sn_body_id from[64];
    int before = sn_model_body_count(sn_world_model(world)), after = sn_model_body_count(model);
    sn_replacement* r = NULL;
    for (int i = 0; i < after; i++) from[i] = sn_body(i < before ? i : -1);
    CHECK_STATUS(sn_world_prepare(world, sn_world_model(world), model, from, &r, NULL), SN_OK);
    return r;
}

static void the_rest_goes_on_as_in_a_world_made_for_it(void** state) {
    (void)state;
    for (int a = 0; a < 2; a++) {
        for (int way = 0; way < 2; way++) { // bodies come, bodies go
            sn_model *one = chain(way ? 20 : 12), *two = chain(way ? 12 : 20);
            sn_world* world = make_world(one, algorithms[a]);
            sn_wrench push = sn_wrench_make(sn_vec3_make(0, 1, 0), sn_vec3_make(1, 2, 3));
            CHECK_STATUS(sn_world_set_wrench(world, sn_body(5), SN_AXES_WORLD, push), SN_OK);
            CHECK_STATUS(sn_world_lock(world, sn_body(3), true), SN_OK);
            test_run(world, 40);
            sn_replacement* r = prepare(world, two);
            test_run(world, 3); // it may wait
            sn_command command = {.type = SN_COMMAND_REPLACE, .replacement = r};
            CHECK_STATUS(sn_world_post(world, &command), SN_OK);

            int nv = way ? 12 : 20; // joints of one degree of freedom
            double q[20] = {0}, v[20] = {0};
            memcpy(q, sn_world_q(world), 12 * sizeof *q);
            memcpy(v, sn_world_v(world), 12 * sizeof *v);
            sn_step_report report;
            CHECK_STATUS(sn_world_step(world, &report), SN_OK);
            CHECK(report.events & SN_EVENT_REPLACED, 0);
            CHECK(!(report.events & SN_EVENT_BAD_COMMAND), 0);
            CHECK(report.step == 44 && sn_world_model(world) == two, 0);
            CHECK_STATUS(sn_world_step(world, &report), SN_OK);
            CHECK(!(report.events & SN_EVENT_REPLACED), 0);

            sn_world* fresh = make_world(two, algorithms[a]);
            CHECK_STATUS(sn_world_set_wrench(fresh, sn_body(5), SN_AXES_WORLD, push), SN_OK);
            CHECK_STATUS(sn_world_lock(fresh, sn_body(3), true), SN_OK);
            CHECK_STATUS(sn_world_set_state(fresh, q, v), SN_OK);
            test_run(fresh, 2);
            CHECK(memcmp(sn_world_q(world), sn_world_q(fresh), (size_t)nv * sizeof *q) == 0, 0);
            CHECK(memcmp(sn_world_v(world), sn_world_v(fresh), (size_t)nv * sizeof *v) == 0, 0);
            // until the reader has moved on, the old model is kept
            const sn_snapshot* shot = sn_world_snapshot(world);
            CHECK(sn_snapshot_group_of(shot, sn_body(nv - 1)) >= 0, 0);
            CHECK(sn_snapshot_group_of(shot, sn_body(nv)) < 0, 0);
            for (int k = 0; k < 4; k++) {
                test_run(world, 1);
                (void)sn_world_snapshot(world);
            }
            CHECK(sn_world_collect(world) == 0, 0);
            test_run(world, 5);
            sn_world_free(fresh);
            sn_world_free(world);
            sn_model_free(one), sn_model_free(two);
        }
    }
}

static void what_does_not_fit_is_refused_and_nothing_changes(void** state) {
    (void)state;
    sn_model *one = chain(4), *two = chain(5), *three = chain(6);
    sn_world* world = make_world(one, "aba");
    sn_body_id from[6] = {{0}, {1}, {2}, {9}, {-1}, {-1}};
    sn_replacement *r = NULL, *late = NULL;
    sn_error error;
    CHECK_STATUS(sn_world_prepare(world, one, two, from, &r, &error), SN_ERR_ARGUMENT);
    CHECK(!r && strstr(error.text, "goes on from body 9"), 0);
    CHECK_STATUS(sn_world_prepare(world, one, NULL, from, &r, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_world_prepare(world, one, two, NULL, &r, NULL), SN_ERR_ARGUMENT);
    r = prepare(world, two);
    late = prepare(world, three);
    CHECK_STATUS(sn_world_replace(world, r), SN_OK);
    CHECK_STATUS(sn_world_replace(world, late), SN_ERR_ARGUMENT); // made for the model before
    CHECK(sn_world_model(world) == two, 0);
    test_run(world, 3);
    sn_replacement_free(late);
    CHECK_STATUS(sn_world_replace(world, NULL), SN_ERR_ARGUMENT);
    sn_world_free(world);
    sn_model_free(one), sn_model_free(two), sn_model_free(three);
}

// ---- with somebody looking ---------------------------------------------------------------------------

typedef struct watched {
    sn_world* world;
    atomic_bool stop;
    atomic_int looks;
    int bad;
} watched;

static void* look(void* context) {
    watched* w = context;
    while (!atomic_load(&w->stop)) {
        const sn_snapshot* s = sn_world_snapshot(w->world);
        int bodies = 0;
        while (sn_snapshot_group_of(s, sn_body(bodies)) >= 0) {
            sn_pose X = sn_snapshot_pose(s, sn_body(bodies));
            double length =
                X.R.m[0][0] * X.R.m[0][0] + X.R.m[1][0] * X.R.m[1][0] + X.R.m[2][0] * X.R.m[2][0];
            if (!(length > 0.999 && length < 1.001)) w->bad++; // no rotation: torn
            bodies++;
        }
        if (bodies < 8 || bodies > 15) w->bad++;
        atomic_fetch_add(&w->looks, 1);
    }
    return NULL;
}

static void a_reader_sees_one_model_or_the_other(void** state) {
    (void)state;
    enum { MODELS = 8 };
    sn_model* models[MODELS];
    for (int i = 0; i < MODELS; i++) models[i] = chain(8 + i);
    for (int a = 0; a < 2; a++) {
        watched w = {.world = make_world(models[0], algorithms[a])};
        atomic_init(&w.stop, false);
        atomic_init(&w.looks, 0);
        pthread_t reader;
        CHECK(pthread_create(&reader, NULL, look, &w) == 0, 0);
        for (int k = 1; k < 40; k++) {
            sn_replacement* r = prepare(w.world, models[(3 * k) % MODELS]);
            CHECK_STATUS(sn_world_replace(w.world, r), SN_OK);
            int seen = atomic_load(&w.looks);
            test_run(w.world, 200);
            while (atomic_load(&w.looks) < seen + 2) sched_yield();
            (void)sn_world_collect(w.world);
        }
        atomic_store(&w.stop, true);
        CHECK(pthread_join(reader, NULL) == 0, 0);
        CHECK(w.bad == 0 && atomic_load(&w.looks) > 0, 0);
        sn_world_free(w.world);
    }
    for (int i = 0; i < MODELS; i++) sn_model_free(models[i]);
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rest_goes_on_as_in_a_world_made_for_it),
        cmocka_unit_test(what_does_not_fit_is_refused_and_nothing_changes),
        cmocka_unit_test(a_reader_sees_one_model_or_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
