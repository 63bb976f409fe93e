// SPDX-License-Identifier: Apache-2.0
// Forward dynamics by articulated bodies, on the fastest kernel of this machine ("aba") or on portable
// code ("aba-scalar").
#include "dynamics/aba.h"

#include "dynamics/fast.h"

// Bodies that `response` answers for at once: an answer for more has 300 MB, and is left to impulses.
enum { RESPONSE_MOST = 1024 };

typedef struct aba_memory {
    sni_fast fast;
    const sni_delassus_kernel* columns;
    sni_keys keys;   ///< of the last response
    sni_mixed mixed; ///< of the last response of handles
} aba_memory;

static void mixed_layout(sni_mixed* m, sni_arena* arena, const sn_model* model) {
    int32_t n = model->body_count;
    size_t rows = sni_paths_layout(&m->paths, arena, model);
    m->R = SN_ARENA_ARRAY(arena, sn_mat3, n);
    m->axes = SN_ARENA_ARRAY(arena, sn_mat3, n);
    m->waiting = SN_ARENA_ARRAY(arena, sni_mat6, n);
    m->tau = SN_ARENA_ARRAY(arena, sni_row6, rows);
    m->s = SN_ARENA_ARRAY(arena, sni_row6, rows);
    m->t = SN_ARENA_ARRAY(arena, sni_row6, model->nv);
}

static void aba_layout_with(sn_dynamics* d, sni_arena* arena, const sni_kernel* kernel,
                            const sni_delassus_kernel* columns) {
    int32_t n = d->model->body_count;
    aba_memory* m = SN_ARENA_ARRAY(arena, aba_memory, 1);
    aba_memory sized = {.columns = columns};
    sni_fast_layout(&sized.fast, kernel, d->model, arena);
    d->response_most = n < RESPONSE_MOST ? n : RESPONSE_MOST;
    sni_keys_layout(&sized.keys, arena, d->model, d->response_most);
    if (n <= RESPONSE_MOST) mixed_layout(&sized.mixed, arena, d->model);
    if (m) *m = sized;
    d->algorithm = m;
}

static void aba_layout(sn_dynamics* d, sni_arena* arena) {
    aba_layout_with(d, arena, sni_kernel_pick(), sni_delassus_kernel_pick());
}

static void aba_scalar_layout(sn_dynamics* d, sni_arena* arena) {
    aba_layout_with(d, arena, &sni_kernel_scalar, &sni_delassus_kernel_scalar);
}

static sni_fast* fast_of(const sn_dynamics* d) { return &((aba_memory*)d->algorithm)->fast; }
static const sni_fast* aba_fast(const sn_dynamics* d) { return fast_of(d); }

static void aba_start(sn_dynamics* d) { sni_fast_start(d, fast_of(d)); }

static void aba_kinematics(sn_dynamics* d) { sni_fast_kinematics(d, fast_of(d)); }

static sn_status aba_forward(sn_dynamics* d, const double* tau, double* qdd) {
    sni_fast* fast = fast_of(d);
    sni_fast_load(d, fast);
    if (!fast->kernel->backward(d->model, fast->memory, tau, d->armature, d->locked))
        return SN_ERR_NUMERIC;
    fast->kernel->accelerate(d->model, fast->memory, qdd);
    fast->solved = true;
    return SN_OK;
}

static void aba_inverse(sn_dynamics* d, const double* qdd, bool moving, double* tau) {
    sni_fast_inverse(d, fast_of(d), qdd, moving, tau);
}

static void aba_mass_matrix(sn_dynamics* d, const sni_rows* rows) {
    sni_fast_mass_matrix(d, fast_of(d), rows);
}

static sn_vec3 aba_momentum(sn_dynamics* d, sn_wrench* column) {
    return sni_fast_momentum(d, fast_of(d), column);
}

static void aba_impulse(sn_dynamics* d, const double* tau, const sn_body_wrench* impulses,
                        int count, double* dv) {
    const sni_fast* fast = fast_of(d);
    for (int k = 0; k < count; k++) {
        int32_t body = impulses[k].body.i;
        sn_mat3 R = fast->kernel->motion(fast->memory, body, false).R;
        sn_wrench f = sni_wrench_from_user(d, body, impulses[k].wrench);
        sn_wrench f_w = sn_wrench_make(sn_mat3_apply(R, f.n), sn_mat3_apply(R, f.f));
        fast->kernel->hit(fast->memory, body, f_w);
    }
    fast->kernel->impulse(d->model, fast->memory, tau, dv);
}

static sn_twist aba_change(const sn_dynamics* d, int32_t body) {
    const sni_fast* fast = fast_of(d);
    sn_mat3 R = fast->kernel->motion(fast->memory, body, false).R;
    sn_twist t = fast->kernel->change(fast->memory, body);
    return sn_twist_make(sn_mat3_apply_transposed(R, t.w), sn_mat3_apply_transposed(R, t.v));
}

// ---- response -----------------------------------------------------------------------------------------------

bool sni_aba_has_factors(const sn_dynamics* d) {
    return d->ops == &sni_aba || d->ops == &sni_aba_scalar;
}

const sni_delassus_kernel* sni_aba_columns(const sn_dynamics* d) {
    return ((const aba_memory*)d->algorithm)->columns;
}

const sni_keys* sni_aba_keys(const sn_dynamics* d) {
    return &((const aba_memory*)d->algorithm)->keys;
}

sni_factors sni_aba_factors(const sn_dynamics* d) {
    const sni_fast* fast = fast_of(d);
    return fast->kernel->factors(fast->memory);
}

sn_mat3 sni_aba_user_axes(const sn_dynamics* d, int32_t body) {
    const sni_fast* fast = fast_of(d);
    sn_mat3 R_wc = fast->kernel->motion(fast->memory, body, false).R;
    return sn_mat3_mul(R_wc, sn_mat3_transpose(d->model->R_bc[body]));
}

static void aba_response(sn_dynamics* d, const sn_body_id* bodies, int count, double* Lambda) {
    aba_memory* m = d->algorithm;
    sni_factors factors = sni_aba_factors(d);
    sni_keys_find(&m->keys, d->model, bodies, count);
    for (int k = 0; k < count; k++) m->keys.R[k] = sni_aba_user_axes(d, bodies[k].i);
    m->columns->compressed(d->model, &factors, &m->keys, Lambda);
    d->visited = m->keys.branches.count;
}

static bool aba_has_handles(const sn_dynamics* d) { return d->model->body_count <= RESPONSE_MOST; }

/// Impulses of the joints of handles, as new ways have them.
static void set_impulses(sni_mixed* m, const sn_model* model) {
    const sni_paths* p = &m->paths;
    for (int32_t k = 0; k < p->start[p->body_count + p->joint_count]; k++)
        for (int d = 0; p->stop[k].pushed && d < p->stop[k].rows; d++)
            m->tau[p->stop[k].row + d] = sni_row6_zero();
    for (int32_t k = 0; k < 6 * p->joint_count; k++) {
        if (p->dof[k] < 0) continue;
        int32_t body = p->body_of_dof[p->dof[k]], g = p->body_count + k / 6;
        int32_t stop = p->stop_at[(ptrdiff_t)g * p->branches.count + p->branches.place[body]];
        m->tau[p->stop[stop].row + p->dof[k] - model->joint[body].iv].x[k % 6] = 1;
    }
}

static void aba_handles(sn_dynamics* d, const sni_handles* handles, double* Lambda) {
    aba_memory* memory = d->algorithm;
    sni_mixed* m = &memory->mixed;
    const sni_paths* p = &m->paths;
    sni_factors factors = sni_aba_factors(d);
    if (sni_paths_find(&m->paths, d->model, handles)) set_impulses(m, d->model);
    for (int32_t k = 0; k < p->body_count; k++) m->R[k] = sni_aba_user_axes(d, p->bodies[k].i);
    for (int32_t k = 0; k < 6 * p->joint_count; k++) {
        int32_t body = p->dof[k] < 0 ? -1 : p->body_of_dof[p->dof[k]];
        if (body >= 0 && factors.way[body] == SNI_WAY_BALL)
            m->axes[body] = memory->fast.kernel->motion(memory->fast.memory, body, false).R;
    }
    memory->columns->mixed(d->model, &factors, m, Lambda);
    d->visited = p->branches.count;
}

// ---- motion -------------------------------------------------------------------------------------------------

static void aba_place(const sn_dynamics* d) { sni_fast_place(d, fast_of(d)); }
static sn_pose aba_pose(const sn_dynamics* d, int32_t body) {
    return sni_fast_pose(d, fast_of(d), body);
}
static sn_twist aba_velocity(const sn_dynamics* d, int32_t body) {
    return sni_fast_velocity(d, fast_of(d), body);
}
static sn_twist aba_acceleration(const sn_dynamics* d, int32_t body) {
    return sni_fast_acceleration(d, fast_of(d), body);
}

#define ABA_OPS(NAME, LAYOUT)                                                                      \
    {                                                                                              \
        .name = NAME, .layout = LAYOUT, .start = aba_start, .kinematics = aba_kinematics,          \
        .forward = aba_forward, .inverse = aba_inverse, .mass_matrix = aba_mass_matrix,            \
        .momentum = aba_momentum, .impulse = aba_impulse, .change = aba_change,                    \
        .response = aba_response, .has_handles = aba_has_handles, .handles = aba_handles,          \
        .fast = aba_fast, .place = aba_place, .pose = aba_pose, .velocity = aba_velocity,          \
        .acceleration = aba_acceleration,                                                          \
    }

const sni_dynamics_ops sni_aba = ABA_OPS("aba", aba_layout);
const sni_dynamics_ops sni_aba_scalar = ABA_OPS("aba-scalar", aba_scalar_layout);
