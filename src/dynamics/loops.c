// SPDX-License-Identifier: Apache-2.0
#include "dynamics/loops.h"

#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "dynamics/loop_conditions.h"
#include "math/pivoted.h"
#include "math/small.h"

// A condition whose pivot is below this part of the largest follows from the others.
static const double REDUNDANT = 1e-10;
// What rounding leaves of the response of bodies that cannot move at all, relative to free bodies.
static const double ROUNDING = 1e-13;

// ---- memory -------------------------------------------------------------------------------------------

static int32_t count_rows(const sn_model* model) {
    int32_t rows = 0;
    for (int32_t l = 0; l < model->loop_count; l++) rows += model->loop[l].rows;
    return rows;
}

sn_status sni_loops_check(const sn_model* model, sn_error* error) {
    const double GIGABYTE = 1e9, MOST = 4;
    double rows = count_rows(model);
    double size = rows * (rows + model->nv) * sizeof(double) / GIGABYTE;
    if (size <= MOST) return SN_OK;
    return sni_fail(error, SN_ERR_CAPACITY, sni_nowhere(),
                    "the %d loops of '%s' would need %.0f GB; there must be fewer",
                    model->loop_count, model->name, size);
}

void sni_loops_layout(sn_dynamics* d, sni_arena* arena) {
    const sn_model* model = d->model;
    d->loops = NULL;
    if (model->loop_count == 0) return;
    int32_t rows = count_rows(model);
    sni_loops* loops = SN_ARENA_ARRAY(arena, sni_loops, 1);
    sni_loops sized = {
        .row_count = rows,
        .row = SN_ARENA_ARRAY(arena, sni_loop_row, rows),
        .A = sni_arena_take(arena, (size_t)rows * (size_t)rows, sizeof(double)),
        .order = SN_ARENA_ARRAY(arena, int32_t, rows),
        .lambda = SN_ARENA_ARRAY(arena, double, rows),
        .x = SN_ARENA_ARRAY(arena, double, rows),
        .G = sni_arena_take(arena, (size_t)rows * (size_t)model->nv, sizeof(double)),
        .tau = SN_ARENA_ARRAY(arena, double, model->nv),
        .dv = SN_ARENA_ARRAY(arena, double, model->nv),
        .extra = SN_ARENA_ARRAY(arena, sn_twist, model->body_count),
    };
    if (loops) *loops = sized;
    d->loops = loops;
}

// ---- one loop -------------------------------------------------------------------------------------------

/// Two loop frames and how they move against each other.
typedef struct meeting {
    sn_pose X_ab;
    sn_twist v_b; ///< of frame B, in B
    sn_twist u;   ///< of B relative to A, in B
} meeting;

static meeting meet(const sn_dynamics* d, const sni_loop* loop) {
    sn_pose X_w[2];
    sn_twist v[2];
    for (int e = 0; e < 2; e++) { // the world stands still
        sn_body_id body = sn_body(loop->body[e]);
        X_w[e] = sn_pose_mul(sn_dynamics_pose(d, body), loop->X_bc[e]);
        v[e] = sn_pose_twist_inverse(loop->X_bc[e], sn_dynamics_velocity(d, body));
    }
    meeting m;
    m.X_ab = sn_pose_mul(sn_pose_inverse(X_w[0]), X_w[1]);
    m.v_b = v[1];
    m.u = sn_twist_sub(v[1], sn_pose_twist_inverse(m.X_ab, v[0]));
    return m;
}

/// f . I^-1 f of a free body: how it would yield to the wrench f.
static double compliance(const sn_inertia* inertia, sn_wrench f) {
    sn_vec3 about = sn_vec3_sub(f.n, sn_vec3_cross(inertia->com, f.f));
    double n[3] = {about.x, about.y, about.z}, x[3] = {about.x, about.y, about.z};
    double L[SN_SMALL_MAX][SN_SMALL_MAX];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) L[r][c] = inertia->I.m[r][c];
    double yielding = sn_vec3_dot(f.f, f.f) / inertia->mass;
    if (!sni_cholesky(L, 3)) return yielding; // the model was checked: does not happen
    sni_cholesky_solve((const double(*)[SN_SMALL_MAX])L, 3, x);
    for (int r = 0; r < 3; r++) yielding += n[r] * x[r];
    return yielding;
}

// Rates and moments have different units, and masses may be anything: rows are measured by how the two
// bodies would yield to them if no joint held them. In the tree they yield less.
static double scale_of(const sn_model* model, const sni_loop* loop, const sni_loop_row* row) {
    double yielding = 0;
    for (int e = 0; e < 2; e++)
        if (loop->body[e] >= 0)
            yielding += compliance(&model->body[loop->body[e]].inertia, row->on[e]);
    return yielding > 0 ? 1 / sqrt(yielding) : 0;
}

// value'' = g . (a_B - X a_A - v_B x u) + bias  is to be  -2/t_s value' - 1/t_s^2 value
static void describe_loop(const sn_dynamics* d, const sni_loop* loop, sni_loop_row* row) {
    meeting m = meet(d, loop);
    sni_condition condition[SN_LOOP_ROWS_MAX];
    sni_loop_conditions(loop, m.X_ab, m.u, condition);
    sn_twist turning = sn_twist_cross(m.v_b, m.u);
    double k = loop->t_s > 0 ? 1 / loop->t_s : 0;
    for (int i = 0; i < loop->rows; i++) {
        const sni_condition* c = &condition[i];
        sn_wrench on_a = sn_pose_wrench(m.X_ab, c->gradient);
        row[i].on[0] = sn_pose_wrench(loop->X_bc[0], sn_wrench_scale(-1, on_a));
        row[i].on[1] = sn_pose_wrench(loop->X_bc[1], c->gradient);
        row[i].scale = scale_of(d->model, loop, &row[i]);
        row[i].wanted = sn_power(c->gradient, turning) - c->bias -
                        2 * k * sn_power(c->gradient, m.u) - k * k * c->value;
    }
}

static void describe(sn_dynamics* d) {
    sni_loop_row* row = d->loops->row;
    for (int32_t l = 0; l < d->model->loop_count; l++) {
        describe_loop(d, &d->model->loop[l], row);
        row += d->model->loop[l].rows;
    }
}

// ---- all of them ------------------------------------------------------------------------------------------

/// A body's motion in its parent: what a wrench is carried over.
static sn_pose pose_in_parent(const sn_dynamics* d, const sni_joint* joint) {
    return sn_pose_mul(joint->X_pj, sni_joint_pose(joint, d->q + joint->iq));
}

/// Adds to the rows of G what wrenches on a body, one for each row, are to the joints that carry it.
static void climb(const sn_dynamics* d, int32_t body, sn_wrench* f, int rows, double* G) {
    size_t nv = (size_t)d->model->nv;
    for (int32_t i = body; i >= 0; i = d->model->joint[i].parent) {
        const sni_joint* joint = &d->model->joint[i];
        sn_twist S[SN_JOINT_MAX_NV];
        sni_joint_subspace(joint, d->q + joint->iq, S);
        sn_pose X_pb = pose_in_parent(d, joint);
        for (int r = 0; r < rows; r++) {
            for (int k = 0; k < joint->nv; k++)
                G[(size_t)r * nv + (size_t)(joint->iv + k)] += sn_power(f[r], S[k]);
            f[r] = sn_pose_wrench(X_pb, f[r]);
        }
    }
}

/// G = B J: the conditions by joint rates.
static void gather_rows(sn_dynamics* d) {
    sni_loops* loops = d->loops;
    size_t nv = (size_t)d->model->nv;
    const sni_loop_row* row = loops->row;
    double* G = loops->G;
    memset(G, 0, (size_t)loops->row_count * nv * sizeof *G);
    for (int32_t l = 0; l < d->model->loop_count; l++) {
        const sni_loop* loop = &d->model->loop[l];
        for (int e = 0; e < 2; e++) {
            sn_wrench f[SN_LOOP_ROWS_MAX];
            if (loop->body[e] < 0) continue;
            for (int r = 0; r < loop->rows; r++)
                f[r] = sni_wrench_from_user(d, loop->body[e], row[r].on[e]);
            climb(d, loop->body[e], f, loop->rows, G);
        }
        G += loop->rows * nv;
        row += loop->rows;
    }
}

/// out = G dv.
static void project(const sn_dynamics* d, const double* dv, double* out) {
    const double* G = d->loops->G;
    for (int32_t r = 0; r < d->loops->row_count; r++, G += d->model->nv) {
        out[r] = 0;
        for (int32_t k = 0; k < d->model->nv; k++) out[r] += G[k] * dv[k];
    }
}

/// out = B a for the accelerations of the tree.
static void project_accelerations(const sn_dynamics* d, double* out) {
    const sni_loop_row* row = d->loops->row;
    for (int32_t l = 0; l < d->model->loop_count; l++) {
        const sni_loop* loop = &d->model->loop[l];
        sn_twist a = sn_dynamics_acceleration(d, sn_body(loop->body[0]));
        sn_twist b = sn_dynamics_acceleration(d, sn_body(loop->body[1]));
        for (int i = 0; i < loop->rows; i++, row++)
            *out++ = sn_power(row->on[0], a) + sn_power(row->on[1], b);
    }
}

/// One impulse pass with G^T lambda: dv of the loops.
static void push(sn_dynamics* d, const double* lambda) {
    sni_loops* loops = d->loops;
    int32_t nv = d->model->nv;
    const double* G = loops->G;
    memset(loops->tau, 0, (size_t)nv * sizeof *loops->tau);
    for (int32_t r = 0; r < loops->row_count; r++, G += nv)
        for (int32_t k = 0; k < nv && lambda[r] != 0; k++) loops->tau[k] += lambda[r] * G[k];
    d->ops->impulse(d, loops->tau, NULL, 0, loops->dv);
}

/// What the joint accelerations of the last push are for the bodies.
static void accelerate_bodies(sn_dynamics* d) {
    sni_loops* loops = d->loops;
    for (int32_t i = 0; i < d->model->body_count; i++) {
        const sni_joint* joint = &d->model->joint[i];
        sn_twist a = sn_twist_zero(), S[SN_JOINT_MAX_NV];
        sni_joint_subspace(joint, d->q + joint->iq, S);
        if (joint->parent >= 0)
            a = sn_pose_twist_inverse(pose_in_parent(d, joint), loops->extra[joint->parent]);
        for (int k = 0; k < joint->nv; k++)
            a = sn_twist_add(a, sn_twist_scale(loops->dv[joint->iv + k], S[k]));
        loops->extra[i] = a;
    }
}

/// A = G M^-1 G^T, a column an impulse pass; scaled.
static void assemble(sn_dynamics* d) {
    sni_loops* loops = d->loops;
    size_t n = (size_t)loops->row_count;
    for (size_t c = 0; c < n; c++) {
        memset(loops->lambda, 0, n * sizeof *loops->lambda);
        loops->lambda[c] = loops->row[c].scale;
        push(d, loops->lambda);
        project(d, loops->dv, loops->x);
        for (size_t r = c; r < n; r++)
            loops->A[r * n + c] = loops->A[c * n + r] = loops->row[r].scale * loops->x[r];
    }
}

static bool factor(sni_loops* loops) {
    size_t n = (size_t)loops->row_count;
    double most = 0;
    for (size_t r = 0; r < n; r++) {
        if (!isfinite(loops->A[r * n + r])) return false;
        most = fmax(most, loops->A[r * n + r]);
    }
    double smallest = fmax(REDUNDANT * most, ROUNDING);
    loops->rank = sni_pivoted_cholesky(loops->row_count, loops->A, smallest, loops->order);
    return true;
}

/// From what G (rates) lacks, in x, to the lambda that gives it, in x too.
static void solve(sni_loops* loops, double* x) {
    for (int32_t r = 0; r < loops->row_count; r++) x[r] *= loops->row[r].scale;
    sni_pivoted_solve(loops->row_count, loops->A, loops->rank, loops->order, x);
    for (int32_t r = 0; r < loops->row_count; r++) x[r] *= loops->row[r].scale;
}

sn_status sni_loops_forward(sn_dynamics* d, double* qdd) {
    sni_loops* loops = d->loops;
    loops->solved = false;
    describe(d);
    gather_rows(d);
    project_accelerations(d, loops->x);
    for (int32_t r = 0; r < loops->row_count; r++) loops->row[r].wanted -= loops->x[r];
    assemble(d);
    if (!factor(loops)) return SN_ERR_NUMERIC;
    for (int32_t r = 0; r < loops->row_count; r++) loops->lambda[r] = loops->row[r].wanted;
    solve(loops, loops->lambda);
    push(d, loops->lambda);
    for (int32_t k = 0; k < d->model->nv; k++) qdd[k] += loops->dv[k];
    accelerate_bodies(d);
    loops->solved = true;
    return SN_OK;
}

void sni_loops_impulse(sn_dynamics* d, const double* tau, const sn_body_wrench* impulses, int count,
                       double* dv) {
    sni_loops* loops = d->loops;
    d->ops->impulse(d, tau, impulses, count, dv);
    project(d, dv, loops->x);
    for (int32_t r = 0; r < loops->row_count; r++) loops->x[r] = -loops->x[r];
    solve(loops, loops->x);
    push(d, loops->x);
    for (int32_t k = 0; k < d->model->nv; k++) dv[k] += loops->dv[k];
}

static sn_twist change_of(const sn_dynamics* d, sn_body_id body) {
    return sni_twist_to_user(d, body.i, d->ops->change(d, body.i));
}

// With A = L L^T and z_k the motion of the bodies under the wrenches B^T (L^-T e_k):
//   Lambda - (Lambda B^T) A^-1 (B Lambda) = Lambda - sum z_k z_k^T
void sni_loops_response(sn_dynamics* d, const sn_body_id* bodies, int count, double* Lambda) {
    sni_loops* loops = d->loops;
    size_t size = 6 * (size_t)count;
    for (int32_t k = 0; k < loops->rank; k++) {
        memset(loops->x, 0, (size_t)loops->row_count * sizeof *loops->x);
        loops->x[loops->order[k]] = 1;
        sni_pivoted_back(loops->row_count, loops->A, loops->rank, loops->order, loops->x);
        for (int32_t r = 0; r < loops->row_count; r++) loops->x[r] *= loops->row[r].scale;
        push(d, loops->x);
        for (size_t i = 0; i < size; i += 6) {
            sn_twist t_i = change_of(d, bodies[i / 6]);
            double z_i[6] = {t_i.w.x, t_i.w.y, t_i.w.z, t_i.v.x, t_i.v.y, t_i.v.z};
            for (size_t j = 0; j < size; j += 6) {
                sn_twist t_j = change_of(d, bodies[j / 6]);
                double z_j[6] = {t_j.w.x, t_j.w.y, t_j.w.z, t_j.v.x, t_j.v.y, t_j.v.z};
                for (size_t r = 0; r < 6; r++)
                    for (size_t c = 0; c < 6; c++)
                        Lambda[(i + r) * size + j + c] -= z_i[r] * z_j[c];
            }
        }
    }
}

// ---- questions --------------------------------------------------------------------------------------------

static sn_twist turned(sn_mat3 R, sn_twist t) {
    return sn_twist_make(sn_mat3_apply(R, t.w), sn_mat3_apply(R, t.v));
}

sn_loop_error sn_dynamics_loop_error(const sn_dynamics* d, int index) {
    SN_ASSERT(index >= 0 && index < d->model->loop_count);
    const sni_loop* loop = &d->model->loop[index];
    meeting m = meet(d, loop);
    sni_condition condition[SN_LOOP_ROWS_MAX];
    sni_loop_conditions(loop, m.X_ab, m.u, condition);
    sn_loop_error error = {sn_twist_zero(), sn_twist_zero()};
    for (int i = 0; i < loop->rows; i++) {
        const sni_condition* c = &condition[i];
        double rate = sn_power(c->gradient, m.u);
        error.pose = sn_twist_add(error.pose, sn_twist_scale(c->value, c->direction));
        error.velocity = sn_twist_add(error.velocity, sn_twist_scale(rate, c->direction));
    }
    error.pose = turned(loop->R_lc, error.pose);
    error.velocity = turned(loop->R_lc, error.velocity);
    return error;
}

sn_wrench sn_dynamics_loop_wrench(const sn_dynamics* d, int index) {
    SN_ASSERT(index >= 0 && index < d->model->loop_count);
    const sni_loops* loops = d->loops;
    sn_wrench on_b = sn_wrench_zero();
    if (!loops->solved) return on_b;
    int32_t first = 0;
    for (int l = 0; l < index; l++) first += d->model->loop[l].rows;
    const sni_loop* loop = &d->model->loop[index];
    for (int32_t r = first; r < first + loop->rows; r++)
        on_b = sn_wrench_add(on_b, sn_wrench_scale(loops->lambda[r], loops->row[r].on[1]));
    sn_wrench f = sn_pose_wrench_inverse(loop->X_bc[1], on_b); // at the loop frame
    return sn_wrench_make(sn_mat3_apply(loop->R_lc, f.n), sn_mat3_apply(loop->R_lc, f.f));
}
