// SPDX-License-Identifier: Apache-2.0
/// Runs one core kernel some times, and nothing else that takes long: tools/bench_check.py counts its
/// instructions and subtracts those of zero times.
///
/// usage: sinew-kernels                 list: name, joints that one run covers, times
///        sinew-kernels NAME [TIMES]    run; zero times: only what comes before
///        sinew-kernels --build         compiler, flags and C library
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "sinew/load.h"
#include "sinew/sinew.h"
#include "tick.h"

enum { BATCH = 64 };

// A model with two states that take turns, and what the kernels need.
typedef struct bench {
    sn_model* model;
    sn_dynamics* dynamics;
    sn_batch* batch;
    size_t nq, nv;
    double *q, *v, *tau; ///< BATCH states
    double* out;         ///< nv x nv, or BATCH rows of nv
    bench_tick tick;
} bench;

// ---- kernels -------------------------------------------------------------------------------------

static sn_status forward(bench* b, size_t s) {
    return sn_dynamics_forward(b->dynamics, b->q + s * b->nq, b->v + s * b->nv, b->tau + s * b->nv,
                               b->out);
}

static sn_status inverse(bench* b, size_t s) {
    return sn_dynamics_inverse(b->dynamics, b->q + s * b->nq, b->v + s * b->nv, b->tau + s * b->nv,
                               b->out);
}

static sn_status mass_matrix(bench* b, size_t s) {
    return sn_dynamics_mass_matrix(b->dynamics, b->q + s * b->nq, b->out);
}

// Needs forward before it, which the run does.
static sn_status impulse(bench* b, size_t s) {
    sn_wrench push = sn_wrench_make(sn_vec3_make(0.1, 0.2, 0.3), sn_vec3_make(1, 2, 3));
    sn_body_wrench on = {sn_body(sn_model_body_count(b->model) - 1), push};
    return sn_dynamics_impulse(b->dynamics, b->tau + s * b->nv, &on, 1, b->out);
}

// The same; of four bodies spread over the model.
static sn_status response(bench* b, size_t s) {
    (void)s;
    int last = sn_model_body_count(b->model) - 1;
    const sn_body_id bodies[4] = {sn_body(last / 4), sn_body(last / 2), sn_body(3 * last / 4),
                                  sn_body(last)};
    return sn_dynamics_response(b->dynamics, bodies, 4, b->out);
}

static sn_status batch(bench* b, size_t s) {
    (void)s;
    return sn_dynamics_batch(b->batch, BATCH, b->q, b->v, b->tau, b->out, NULL);
}

static sn_status haptic_tick(bench* b, size_t s) {
    (void)s;
    return bench_tick_run(&b->tick);
}

typedef struct kernel {
    const char* name;
    const char* model; ///< of a haptic tick: profile of the device
    const char* algorithm;
    sn_status (*run)(bench* b, size_t state);
    int states; ///< of one run
    long times; ///< enough for a steady count, few enough for valgrind
} kernel;

static const kernel KERNELS[] = {
    {"aba_chain1000", "chain:1000", "aba", forward, 1, 20},
    {"aba_tree1023", "tree:1023", "aba", forward, 1, 20},
    {"aba_hrp2", "hrp2", "aba", forward, 1, 400},
    {"aba_human", "human", "aba", forward, 1, 400},
    {"aba_scalar_chain1000", "chain:1000", "aba-scalar", forward, 1, 20},
    {"reference_chain1000", "chain:1000", "reference", forward, 1, 10},
    {"batch64_chain128", "chain:128", "aba", batch, BATCH, 4},
    {"inverse_hrp2", "hrp2", "aba", inverse, 1, 400},
    {"mass_matrix_hrp2", "hrp2", "aba", mass_matrix, 1, 200},
    {"impulse_hrp2", "hrp2", "aba", impulse, 1, 400},
    {"response_hrp2", "hrp2", "aba", response, 1, 400},
    {"tick_omega3", "omega3", NULL, haptic_tick, 1, 1000},
    {"tick_touch", "touch", NULL, haptic_tick, 1, 1000},
    {"tick_premium15_6dof", "premium15_6dof", NULL, haptic_tick, 1, 1000},
};
enum { KERNEL_COUNT = sizeof KERNELS / sizeof KERNELS[0] };

// ---- setting up ----------------------------------------------------------------------------------

static void fail(const char* what, const char* why) {
    fprintf(stderr, "sinew-kernels: %s: %s\n", what, why);
    exit(1);
}

static void* take(size_t count) {
    void* got = calloc(count, sizeof(double));
    if (!got) fail("memory", "not enough");
    return got;
}

static sn_model* make_model(const char* text) {
    sn_error error = {0};
    sn_model* model = NULL;
    sn_generate_def def = sn_generate_def_default();
    if (sn_generate_parse(text, &def)) {
        sn_model_builder* builder = sn_model_builder_create(text);
        if (builder && sn_generate(&def, builder) == SN_OK) {
            sn_model_builder_compile(builder, NULL, &model, &error);
        }
        sn_model_builder_free(builder);
    } else {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s.urdf", SN_MODELS_DIR, text);
        sn_model_load(path, NULL, &model, &error);
    }
    if (!model) fail(text, error.text);
    return model;
}

// Numbers between -1 and 1, the same on every machine.
static double next_number(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

static bench set_up_tick(const kernel* k) {
    bench b = {0};
    const char* why = bench_tick_begin(&b.tick, k->model);
    if (why) fail(k->name, why);
    return b;
}

static bench set_up(const kernel* k) {
    if (k->run == haptic_tick) return set_up_tick(k);
    uint64_t random = 1;
    bench b = {.model = make_model(k->model)};
    b.nq = (size_t)sn_model_nq(b.model), b.nv = (size_t)sn_model_nv(b.model);
    b.q = take(BATCH * b.nq), b.v = take(BATCH * b.nv), b.tau = take(BATCH * b.nv);
    b.out = take(b.nv * (b.nv > BATCH ? b.nv : BATCH));
    for (size_t s = 0; s < BATCH; s++) {
        double *q = b.q + s * b.nq, *v = b.v + s * b.nv, *tau = b.tau + s * b.nv;
        for (size_t i = 0; i < b.nv; i++) v[i] = next_number(&random);
        sn_model_neutral(b.model, q);
        sn_model_integrate(b.model, q, v, q);
        for (size_t i = 0; i < b.nv; i++) tau[i] = next_number(&random);
    }
    sn_status status = sn_dynamics_create(b.model, k->algorithm, &b.dynamics, NULL);
    if (status == SN_OK) status = sn_batch_create(b.model, &b.batch, NULL);
    if (status == SN_OK) status = forward(&b, 0);
    if (status == SN_OK) status = k->run(&b, 1); // the first time may fetch and set up
    if (status != SN_OK) fail(k->name, sn_status_text(status));
    return b;
}

static void tear_down(bench* b) {
    bench_tick_end(&b->tick);
    sn_dynamics_free(b->dynamics);
    sn_batch_free(b->batch);
    sn_model_free(b->model);
    free(b->q);
    free(b->v);
    free(b->tau);
    free(b->out);
}

// Joints that one run covers; a tick is one, whatever is held.
static int joints_of(const kernel* k) {
    if (k->run == haptic_tick) return 1;
    sn_model* model = make_model(k->model);
    int joints = k->states * sn_model_body_count(model);
    sn_model_free(model);
    return joints;
}

// ---- asking --------------------------------------------------------------------------------------

static void run(const kernel* k, long times) {
    bench b = set_up(k);
    sn_clock clock = sn_clock_real();
    sn_status status = SN_OK;
    int64_t start = clock.now_ns(clock.context);
    for (long i = 0; i < times && status == SN_OK; i++) status = k->run(&b, i & 1);
    int64_t taken = clock.now_ns(clock.context) - start;
    if (status != SN_OK) fail(k->name, sn_status_text(status));
    double joints = (double)times * joints_of(k);
    printf("%s: %ld times", k->name, times);
    if (times > 0) printf(", %.1f ns a joint", (double)taken / joints);
    printf("\n");
    tear_down(&b);
}

static void list(void) {
    for (int i = 0; i < KERNEL_COUNT; i++)
        printf("%s %d %ld\n", KERNELS[i].name, joints_of(&KERNELS[i]), KERNELS[i].times);
}

static void print_build(void) {
#ifdef __clang__
    printf("compiler %s\n", __VERSION__);
#else
    printf("compiler gcc %s\n", __VERSION__);
#endif
    printf("flags %s\n", SN_BUILD_FLAGS);
#ifdef __GLIBC__
    printf("libc glibc %s\n", gnu_get_libc_version());
#else
    printf("libc unknown\n");
#endif
}

int main(int argc, char** argv) {
    if (argc == 1) {
        list();
        return 0;
    }
    if (strcmp(argv[1], "--build") == 0) {
        print_build();
        return 0;
    }
    for (int i = 0; i < KERNEL_COUNT; i++) {
        if (strcmp(argv[1], KERNELS[i].name) != 0) continue;
        run(&KERNELS[i], argc > 2 ? strtol(argv[2], NULL, 10) : KERNELS[i].times);
        return 0;
    }
    fail(argv[1], "no such kernel; without a name they are listed");
}
