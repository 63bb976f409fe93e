// SPDX-License-Identifier: Apache-2.0
// The passes on four states at once, a state per lane, for AVX2 with FMA.
#include <string.h>

#include "dynamics/batch.h"

#if defined(__AVX2__) && defined(__FMA__)

#include "math/lane4.h"
#include "math/sincos4.h"

#define REAL sni_lane4
#define WHOLE(x) sni_splat(x)
#define LEAST(a, b) sni_select((b) < (a), b, a)
#define SINCOS(x, s, c) sni_sincos4(x, s, c)
#define TYPE(name) lanes_##name
#include "dynamics/world_memory.inc"
#include "dynamics/world_passes.inc"

static void* lanes_layout(const sn_model* model, sni_arena* arena) {
    size_t n = (size_t)model->body_count + 1, nv = (size_t)model->nv;
    lanes_memory* memory = SN_ARENA_ARRAY(arena, lanes_memory, 1);
    lanes_memory sized = {
        .body = SN_ARENA_ARRAY(arena, lanes_body, n),
        .rows = SN_ARENA_ARRAY(arena, lanes_rows, n),
        .touched = SN_ARENA_ARRAY(arena, bool, n),
        .rate = SN_ARENA_ARRAY(arena, lanes_rate, n),
        .factor = SN_ARENA_ARRAY(arena, lanes_factor, nv),
        .axis = SN_ARENA_ARRAY(arena, lanes_axis, nv),
    };
    if (memory) *memory = sized;
    return memory;
}

static inline sni_lane4 load(const double* at) {
    sni_lane4 x;
    memcpy(&x, at, sizeof x);
    return x;
}

static inline void store(double* at, sni_lane4 x) { memcpy(at, &x, sizeof x); }

/// Rows of four states (some may be the same) to lanes, number by number.
static void lanes_spread(double* lanes, const double* const row[SN_BATCH_LANES], size_t width) {
    const double *r0 = row[0], *r1 = row[1], *r2 = row[2], *r3 = row[3];
    size_t k = 0;
    for (; k + 4 <= width; k += 4) {
        sni_lane4 a = load(r0 + k), b = load(r1 + k), c = load(r2 + k), d = load(r3 + k);
        sni_transpose4(&a, &b, &c, &d);
        double* to = lanes + 4 * k;
        store(to, a), store(to + 4, b), store(to + 8, c), store(to + 12, d);
    }
    for (; k < width; k++) store(lanes + 4 * k, sni_lane4_make(r0[k], r1[k], r2[k], r3[k]));
}

/// And back.
static void lanes_gather(double* const row[SN_BATCH_LANES], const double* lanes, size_t width) {
    double *r0 = row[0], *r1 = row[1], *r2 = row[2], *r3 = row[3];
    size_t k = 0;
    for (; k + 4 <= width; k += 4) {
        const double* from = lanes + 4 * k;
        sni_lane4 a = load(from), b = load(from + 4), c = load(from + 8), d = load(from + 12);
        sni_transpose4(&a, &b, &c, &d);
        store(r0 + k, a), store(r1 + k, b), store(r2 + k, c), store(r3 + k, d);
    }
    for (; k < width; k++) {
        sni_lane4 x = load(lanes + 4 * k);
        r0[k] = x[0], r1[k] = x[1], r2[k] = x[2], r3[k] = x[3];
    }
}

static unsigned lanes_forward(const sn_model* model, void* memory, sn_vec3 ground_a,
                              const double* q, const double* v, const double* tau, double* qdd) {
    set_ground(memory, make(sni_splat(ground_a.x), sni_splat(ground_a.y), sni_splat(ground_a.z)));
    pass_forward(model, memory, (const sni_lane4*)q, (const sni_lane4*)v, NULL);
    sni_lane4 least =
        pass_backward(model, memory, (const sni_lane4*)tau, model->dof.armature, NULL);
    pass_accelerate(model, memory, NULL, (sni_lane4*)qdd);
    sni_lane4 rest = sni_lane4_zero(); // x - x is zero, or NaN where x is not finite
    for (int32_t k = 0; k < model->nv; k++) {
        sni_lane4 x = ((const sni_lane4*)qdd)[k];
        rest += x - x;
    }
    return sni_mask_bits(~((least > 0.0) & (rest == 0.0)));
}

static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

const sni_batch_kernel sni_batch_avx2 = {
    .works = has_avx2,
    .layout = lanes_layout,
    .spread = lanes_spread,
    .gather = lanes_gather,
    .forward = lanes_forward,
};

#else

static bool nowhere(void) { return false; }

const sni_batch_kernel sni_batch_avx2 = {.works = nowhere};

#endif
