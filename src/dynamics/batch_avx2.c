// SPDX-License-Identifier: Apache-2.0
// The passes on four states at once, a state per lane, for AVX2 with FMA.
#include "dynamics/batch.h"

#if defined(__AVX2__) && defined(__FMA__)

#include "math/lane4.h"
#include "math/sincos4.h"

#define REAL sni_lane4
#define WHOLE(x) sni_splat(x)
#define LEAST(a, b) sni_select((b) < (a), b, a)
#define SINCOS(x, s, c) sni_sincos4(x, s, c)
#define TYPE(name) lanes_##name
#include "dynamics/world_memory.h"
#include "dynamics/world_passes.h"

static void* lanes_layout(const sn_model* model, sni_arena* arena) {
    size_t n = (size_t)model->body_count + 1, nv = (size_t)model->nv;
    lanes_memory* memory = SN_ARENA_ARRAY(arena, lanes_memory, 1);
    lanes_memory sized = {
        .body = SN_ARENA_ARRAY(arena, lanes_body, n),
        .rows = SN_ARENA_ARRAY(arena, lanes_rows, n),
        .rate = SN_ARENA_ARRAY(arena, lanes_rate, n),
        .factor = SN_ARENA_ARRAY(arena, lanes_factor, nv),
        .axis = SN_ARENA_ARRAY(arena, lanes_axis, nv),
    };
    if (memory) *memory = sized;
    return memory;
}

static unsigned lanes_forward(const sn_model* model, void* memory, sn_vec3 ground_a,
                              const double* q, const double* v, const double* tau, double* qdd) {
    set_ground(memory, make(sni_splat(ground_a.x), sni_splat(ground_a.y), sni_splat(ground_a.z)));
    pass_forward(model, memory, (const sni_lane4*)q, (const sni_lane4*)v, NULL);
    sni_lane4 least =
        pass_backward(model, memory, (const sni_lane4*)tau, model->dof.armature, NULL);
    pass_accelerate(model, memory, NULL, (sni_lane4*)qdd);
    unsigned bad = 0;
    for (unsigned s = 0; s < SN_BATCH_LANES; s++) bad |= least[s] > 0 ? 0 : 1u << s;
    return bad;
}

static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

const sni_batch_kernel sni_batch_avx2 = {
    .works = has_avx2,
    .layout = lanes_layout,
    .forward = lanes_forward,
};

#else

static bool nowhere(void) { return false; }

const sni_batch_kernel sni_batch_avx2 = {.works = nowhere};

#endif
