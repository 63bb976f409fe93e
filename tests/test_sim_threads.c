// SPDX-License-Identifier: Apache-2.0
// Worlds and threads: worlds that share a model do not notice each other, and a world that is
// looked at and commanded while it steps shows only whole states. Run under the thread sanitizer.
// Checks are made by the main thread after joining: cmocka's failures jump.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "support/fixture.h"

enum { THREADS = 4, STEPS = 400, TEST_ALONE = 900, TEST_LOOK };

static const sn_vec3 DOWN = {0, 0, -9.81};

// ---- several worlds --------------------------------------------------------------------------------

typedef struct job {
    const fixture* f;
    sn_world* world;
    int index; ///< each starts with other forces
    sn_status status;
    uint64_t hash;
} job;

static void* run_job(void* context) {
    job* j = context;
    sn_wrench w = sn_wrench_make(sn_vec3_zero(), sn_vec3_make(j->index, 1, 0));
    j->status = sn_world_set_wrench(j->world, sn_body(1), SN_AXES_WORLD, w);
    for (int i = 0; i < STEPS && j->status == SN_OK; i++) j->status = sn_world_step(j->world, NULL);
    j->hash = sn_world_hash(j->world);
    return NULL;
}

static job make_job(const fixture* f, int index) {
    job j;
    memset(&j, 0, sizeof j);
    j.f = f;
    j.index = index;
    j.world = test_world(f->model, 1e-3, (sn_integrator)(index % SN_INTEGRATOR_COUNT), DOWN);
    CHECK_STATUS(sn_world_set_state(j.world, f->q, f->v), SN_OK);
    return j;
}

static void worlds_in_threads_give_the_bits_they_give_alone(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(TEST_ALONE, 0);
    test_rng rng = test_rng_make(seed);
    fixture* f = fixture_create(test_all_joints(&rng, true, true), test_units_si(), seed);
    uint64_t alone[THREADS];
    for (int i = 0; i < THREADS; i++) {
        job j = make_job(f, i);
        (void)run_job(&j); // in this thread
        CHECK_STATUS(j.status, SN_OK);
        alone[i] = j.hash;
        sn_world_free(j.world);
        for (int k = 0; k < i; k++) CHECK(alone[i] != alone[k], seed);
    }
    job jobs[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) jobs[i] = make_job(f, i);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, run_job, &jobs[i]) == 0, seed);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0, seed);
    for (int i = 0; i < THREADS; i++) {
        CHECK_STATUS(jobs[i].status, SN_OK);
        CHECK(jobs[i].hash == alone[i], seed);
        sn_world_free(jobs[i].world);
    }
    fixture_free(f);
}

// ---- one world, three threads ----------------------------------------------------------------------

typedef struct shared_world {
    fixture* f;
    sn_world* world;
    sn_dynamics* dynamics; ///< of the thread that looks
    double *q, *v;         ///< of the thread that looks
    atomic_bool stop;
    atomic_long posted, new_ones; ///< what the other two have done so far
    sn_status step_status;
    uint64_t steps;
    long commands; ///< taken, as the reports say
    long torn, backwards;
    double worst; ///< largest distance of a pose from that of the snapshot's joints
} shared_world;

/// Steps until the others have had their turns, however busy the machine is.
static void* run_steps(void* context) {
    enum { ENOUGH = 50, MOST = 2000000 };
    shared_world* s = context;
    sn_step_report report;
    for (s->steps = 0; s->steps < MOST; s->steps++) {
        bool met = atomic_load(&s->posted) >= ENOUGH && atomic_load(&s->new_ones) >= ENOUGH;
        if (met && s->steps >= 10 * STEPS) break;
        s->step_status = sn_world_step(s->world, &report);
        if (s->step_status != SN_OK) break;
        s->commands += report.commands;
    }
    atomic_store(&s->stop, true);
    return NULL;
}

/// Poses, joints, time and step of one snapshot belong together, and steps never go back.
static void* run_looks(void* context) {
    shared_world* s = context;
    uint64_t last = 0;
    bool stop = false;
    while (!stop) {
        stop = atomic_load(&s->stop); // look once more after the last step
        const sn_snapshot* snapshot = sn_world_snapshot(s->world);
        uint64_t step = sn_snapshot_step(snapshot);
        if (step < last) s->backwards++;
        if (step > last) atomic_fetch_add(&s->new_ones, 1);
        last = step;
        double late = sn_snapshot_time(snapshot) - (double)step * 1e-3;
        if (!(late <= 1e-9 && late >= -1e-9)) s->torn++;
        for (int i = 0; i < s->f->n; i++) {
            const oracle_body* b = &s->f->o->body[i];
            sn_snapshot_joint(snapshot, sn_body(i), s->q + b->iq, s->v + b->iv);
        }
        if (sn_dynamics_kinematics(s->dynamics, s->q, s->v) != SN_OK) s->torn++;
        for (int i = 0; i < s->f->n; i++) {
            double seen[12], expected[12];
            pose_numbers(sn_snapshot_pose(snapshot, sn_body(i)), seen);
            pose_numbers(sn_dynamics_pose(s->dynamics, sn_body(i)), expected);
            for (int k = 0; k < 12; k++) {
                double d = seen[k] < expected[k] ? expected[k] - seen[k] : seen[k] - expected[k];
                if (!(d <= s->worst)) s->worst = d;
            }
        }
    }
    return NULL;
}

static void* run_posts(void* context) {
    shared_world* s = context;
    test_rng rng = test_rng_make(s->f->seed);
    for (int i = 0; !atomic_load(&s->stop); i++) {
        sn_command c;
        memset(&c, 0, sizeof c);
        c.type = i % 16 == 5   ? SN_COMMAND_LOCK
                 : i % 16 == 9 ? SN_COMMAND_UNLOCK
                 : i % 2       ? SN_COMMAND_FORCE
                               : SN_COMMAND_WRENCH;
        c.body = sn_body(c.type == SN_COMMAND_LOCK || c.type == SN_COMMAND_UNLOCK
                             ? 2
                             : test_index(&rng, s->f->n));
        c.axes = i % 3 ? SN_AXES_BODY : SN_AXES_WORLD;
        if (c.type == SN_COMMAND_WRENCH)
            c.wrench.f = test_vec3(&rng, 0.1);
        else
            for (int k = 0; k < SN_JOINT_MAX_NV; k++) c.force[k] = test_uniform(&rng, -0.1, 0.1);
        if (sn_world_post(s->world, &c) == SN_OK) atomic_fetch_add(&s->posted, 1);
    }
    return NULL;
}

static void a_world_that_steps_can_be_looked_at_and_commanded(void** state) {
    const char* algorithm = *state;
    uint64_t seed = test_case_seed(TEST_LOOK, 0);
    test_rng rng = test_rng_make(seed);
    shared_world s;
    memset(&s, 0, sizeof s);
    atomic_init(&s.stop, false);
    atomic_init(&s.posted, 0);
    atomic_init(&s.new_ones, 0);
    // springs and dampers: four seconds of random pushing stay bounded
    s.f = fixture_create(test_all_joints(&rng, false, true), test_units_si(), seed);
    sn_world_def def = sn_world_def_default();
    sn_error error;
    def.dynamics = algorithm;
    def.gravity = sn_vec3_zero();
    def.adaptivity.max_active = 4; // of nine
    def.adaptivity.period = 3;
    CHECK_STATUS(sn_world_create(s.f->model, &def, &s.world, &error), SN_OK);
    s.dynamics = test_dynamics(s.f->model, NULL);
    s.q = calloc((size_t)s.f->nq, sizeof(double));
    s.v = calloc((size_t)s.f->nv, sizeof(double));
    pthread_t sim, io, host;
    CHECK(pthread_create(&io, NULL, run_looks, &s) == 0, seed);
    CHECK(pthread_create(&host, NULL, run_posts, &s) == 0, seed);
    CHECK(pthread_create(&sim, NULL, run_steps, &s) == 0, seed);
    CHECK(pthread_join(sim, NULL) == 0, seed);
    CHECK(pthread_join(io, NULL) == 0, seed);
    CHECK(pthread_join(host, NULL) == 0, seed);
    CHECK_STATUS(s.step_status, SN_OK);
    CHECK(s.torn == 0 && s.backwards == 0, seed);
    CHECK_NEAR(s.worst, 0, TOL_CHAIN, seed);
    CHECK(atomic_load(&s.new_ones) > 1, seed);                            // it did run side by side
    CHECK(sn_snapshot_step(sn_world_snapshot(s.world)) == s.steps, seed); // newest at the end
    // nothing posted was lost: what the steps did not take still waits
    sn_step_report report;
    CHECK_STATUS(sn_world_step(s.world, &report), SN_OK);
    CHECK(s.commands + report.commands == atomic_load(&s.posted), seed);
    free(s.q), free(s.v);
    sn_dynamics_free(s.dynamics);
    sn_world_free(s.world);
    fixture_free(s.f);
}

int main(void) {
    (void)test_seed(); // print it first
    static char plain[] = "aba", sleepy[] = "adaptive";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_in_threads_give_the_bits_they_give_alone),
        cmocka_unit_test_prestate(a_world_that_steps_can_be_looked_at_and_commanded, plain),
        cmocka_unit_test_prestate(a_world_that_steps_can_be_looked_at_and_commanded, sleepy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
