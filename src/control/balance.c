// SPDX-License-Identifier: Apache-2.0
// Whole-body inverse dynamics of a model on its feet, in three steps:
//
//   1. the acceleration nearest to the one that leads to the posture, with the feet at rest and the centre of mass
//      coming back above them; it asks for a wrench of the soles about the centre of mass,
//   2. the forces nearest to that wrench that the soles can give,
//   3. the acceleration again, now with the wrench of these forces: joint forces by inverse dynamics.
//
// Step 1 asks for the momentum that the posture wishes, so nothing is lost where the soles can give all of it; where they
// cannot, step 2 gives up moments before forces, and step 3 turns trunk and arms.   [LG12]
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hot.h"
#include "control/balance.h"
#include "dynamics/sn_dynamics.h"
#include "math/padded.h"

sn_balance_def sn_balance_def_default(void) {
    return (sn_balance_def){
        .mu = 0.5, .margin = 0.01, .frequency = 0.8, .posture_frequency = 1.5, .turn_weight = 0.5};
}

// ---- rows ---------------------------------------------------------------------------------------------

/// First row of what momentum, foot i and the moment of momentum shall do.
static int momentum_at(void) { return 0; }
static int foot_at(int i) { return 3 + 6 * i; }
static int moment_at(const sn_balance* b) { return foot_at(b->def.foot_count); }

static double* row_at(const sn_balance* b, int i) { return b->rows + (size_t)i * b->wide; }

// ---- creation -------------------------------------------------------------------------------------------

static sn_status check(const sn_model* model, const sn_balance_def* def, sn_error* error) {
    if (sn_model_body_count(model) == 0 || sn_model_body(model, sn_body(0)).type != SN_JOINT_FREE)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "balance needs a model whose first body floats");
    if (def->foot_count < 1 || def->foot_count > SN_BALANCE_FEET)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "balance needs 1 to %d feet, not %d",
                        SN_BALANCE_FEET, def->foot_count);
    for (int i = 0; i < def->foot_count; i++) {
        const sn_sole* s = &def->foot[i];
        bool there = s->frame.i >= 0 && s->frame.i < sn_model_frame_count(model) &&
                     sn_model_frame(model, s->frame).body.i >= 0;
        if (!there || !(s->x1 > s->x0) || !(s->y1 > s->y0))
            return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                            "foot %d of balance is no frame of a body, or its sole is empty",
                            i + 1);
    }
    bool sense = def->mu > 0 && def->margin >= 0 && def->frequency > 0 &&
                 def->posture_frequency > 0 && def->turn_weight > 0;
    if (!sense)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "mu, frequencies and weight of balance are above 0, the margin at least 0");
    return SN_OK;
}

static void lay_out(sn_balance* b, sni_arena* arena) {
    int nv = b->nv, rays = b->def.foot_count * SN_SOLE_RAYS;
    b->limit = SN_ARENA_ARRAY(arena, double, nv);
    b->posture = SN_ARENA_ARRAY(arena, double, sn_model_nq(b->model));
    b->momentum = SN_ARENA_ARRAY(arena, sn_wrench, nv);
    b->bias = SN_ARENA_ARRAY(arena, double, nv);
    b->ease = SN_ARENA_ARRAY(arena, double, b->wide);
    b->wish = SN_ARENA_ARRAY(arena, double, b->wide);
    b->qdd = SN_ARENA_ARRAY(arena, double, b->wide);
    b->error = SN_ARENA_ARRAY(arena, double, b->wide);
    b->rows = SN_ARENA_ARRAY(arena, double, SN_BALANCE_PADDED * b->wide);
    b->scale = SN_ARENA_ARRAY(arena, double, SN_BALANCE_PADDED);
    b->factor = SN_ARENA_ARRAY(arena, double, SN_BALANCE_PADDED* SN_BALANCE_PADDED);
    b->given = SN_ARENA_ARRAY(arena, double, SN_BALANCE_ROWS);
    b->ray = sni_arena_take(arena, (size_t)rays, sizeof *b->ray);
    b->ray_at = SN_ARENA_ARRAY(arena, sn_vec3, rays);
    b->ray_along = SN_ARENA_ARRAY(arena, sn_vec3, rays);
    b->ray_force = SN_ARENA_ARRAY(arena, double, rays);
}

/// Weights, limits, mass.
static void fill(sn_balance* b, const double* limit) {
    static const double BASE_TURN = 0.1, BASE_MOVE = 10; // the trunk stays upright before joints do
    for (int k = 0; k < b->nv; k++) {
        b->limit[k] = limit ? limit[k] : INFINITY;
        b->ease[k] = k < 3 ? BASE_TURN : k < 6 ? BASE_MOVE : 1;
    }
    b->mass = sn_model_mass(b->model);
    for (int i = 0; i < SN_BALANCE_ROWS; i++) b->reach[i] = b->wide;
    for (int i = 0; i < b->def.foot_count; i++) {
        b->foot_body[i] = sn_model_frame(b->model, b->def.foot[i].frame).body;
        const sni_joint* last = &b->model->joint[b->foot_body[i].i]; // of those that carry the foot
        for (int r = 0; r < 6; r++)
            b->reach[foot_at(i) + r] = sni_padded((size_t)(last->iv + last->nv));
    }
}

sn_status sn_balance_create(const sn_model* model, const sn_balance_def* def, sn_balance** balance,
                            sn_error* error) {
    if (!model || !def || !balance)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "needs a model and options");
    *balance = NULL;
    sn_status status = check(model, def, error);
    if (status) return status;
    sn_balance* b = calloc(1, sizeof *b);
    if (!b) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory for balance");
    b->def = *def;
    b->def.limit = NULL; // copied below
    b->model = model;
    b->nv = sn_model_nv(model);
    b->wide = sni_padded((size_t)b->nv);
    lay_out(b, &b->arena);
    if (!sni_arena_allocate(&b->arena)) {
        free(b);
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory for balance");
    }
    lay_out(b, &b->arena);
    status = sn_dynamics_create(model, NULL, &b->dynamics, error);
    if (status) {
        sn_balance_free(b);
        return status;
    }
    fill(b, def->limit);
    *balance = b;
    return SN_OK;
}

void sn_balance_free(sn_balance* b) {
    if (!b) return;
    sn_dynamics_free(b->dynamics);
    sni_arena_free(&b->arena);
    free(b);
}

// ---- one computation --------------------------------------------------------------------------------------

/// Middle of the soles at the state of the dynamics; w.
static sn_vec3 middle_of_soles(const sn_balance* b) {
    sn_vec3 sum = sn_vec3_zero();
    for (int i = 0; i < b->def.foot_count; i++) {
        const sn_sole* s = &b->def.foot[i];
        sn_pose X = sn_dynamics_frame_pose(b->dynamics, s->frame);
        sn_vec3 middle = {0.5 * (s->x0 + s->x1), 0.5 * (s->y0 + s->y1), 0};
        sum = sn_vec3_add(sum, sn_pose_apply(X, middle));
    }
    return sn_vec3_scale(1.0 / b->def.foot_count, sum);
}

/// How high the centre of mass is above the soles in the posture; looked at when it is another one.
static sn_status measure_posture(sn_balance* b, const double* posture) {
    size_t size = (size_t)sn_model_nq(b->model) * sizeof *posture;
    bool same = b->height != 0 && memcmp(&b->up, &b->posture_up, sizeof b->up) == 0;
    if (same && memcmp(posture, b->posture, size) == 0) return SN_OK;
    sn_status status = sn_dynamics_kinematics(b->dynamics, posture, NULL);
    if (status) return status;
    sn_vec3 com = sn_dynamics_momentum(b->dynamics).com;
    b->height = sn_vec3_dot(b->up, sn_vec3_sub(com, middle_of_soles(b)));
    b->posture_up = b->up;
    memcpy(b->posture, posture, size);
    return SN_OK;
}

/// A wrench on the base in its axes and about its origin, seen in w about the centre of mass.
static sn_wrench about_com(const sn_balance* b, const double base[6]) {
    sn_wrench f = {{base[0], base[1], base[2]}, {base[3], base[4], base[5]}};
    f = sn_pose_wrench(b->base, f);
    f.n = sn_vec3_sub(f.n, sn_vec3_cross(b->com, f.f));
    return f;
}

/// Where and how fast the centre of mass moves.
static void find_com(sn_balance* b, const double* v) {
    sn_vec3 moment = b->dynamics->ops->momentum(b->dynamics, b->momentum), p = sn_vec3_zero();
    for (int k = 0; k < b->nv; k++) p = sn_vec3_add(p, sn_vec3_scale(v[k], b->momentum[k].f));
    b->com = sn_vec3_scale(1 / b->mass, moment);
    b->v_com = sn_vec3_scale(1 / b->mass, p);
}

/// Bias, momentum, centre of mass, soles at the state.
static sn_status look(sn_balance* b, const double* q, const double* v) {
    sn_dynamics* d = b->dynamics;
    sn_status status = sn_dynamics_inverse(d, q, v, NULL, b->bias);
    if (status) return status;
    b->base = sn_dynamics_pose(d, sn_body(0));
    find_com(b, v);
    for (int i = 0; i < b->def.foot_count; i++) {
        b->foot[i] = sn_dynamics_pose(d, b->foot_body[i]);
        b->sole[i] = sn_dynamics_frame_pose(d, b->def.foot[i].frame);
    }
    return SN_OK;
}

static void put(double* rows, size_t stride, sn_vec3 a) {
    rows[0] = a.x;
    rows[stride] = a.y;
    rows[2 * stride] = a.z;
}

/// Rows of the momentum's rate, about the centre of mass.
static void momentum_rows(sn_balance* b) {
    for (int k = 0; k < b->nv; k++) {
        sn_wrench rate = b->momentum[k];
        rate.n = sn_vec3_sub(rate.n, sn_vec3_cross(b->com, rate.f));
        put(row_at(b, moment_at(b)) + k, b->wide, rate.n);
        put(row_at(b, momentum_at()) + k, b->wide, rate.f);
    }
}

/// The Jacobian of a foot: the axes of all joints that carry it, seen from it. The others stay zero.
static void foot_jacobian(sn_balance* b, int foot) {
    const sn_dynamics* d = b->dynamics;
    const sn_model* model = b->model;
    double* rows = row_at(b, foot_at(foot));
    sn_pose X_fw = sn_pose_inverse(b->foot[foot]);
    for (int32_t i = b->foot_body[foot].i; i >= 0; i = model->joint[i].parent) {
        const sni_joint* joint = &model->joint[i];
        sn_pose X_fi = sn_pose_mul(X_fw, d->ops->pose(d, i));
        sn_twist S[SN_JOINT_MAX_NV];
        sni_joint_subspace(joint, d->q + joint->iq, S);
        for (int k = 0; k < joint->nv; k++) {
            sn_twist t = sn_pose_twist(X_fi, S[k]);
            put(rows + joint->iv + k, b->wide, t.w);
            put(rows + 3 * b->wide + joint->iv + k, b->wide, t.v);
        }
    }
}

/// Rows of the feet's accelerations, body axes, and what they shall be: what is left of their motion dies away.
static void foot_rows(sn_balance* b) {
    static const double DECAY = 40; // 1/s
    for (int i = 0; i < b->def.foot_count; i++) {
        foot_jacobian(b, i);
        sn_twist drift = sn_dynamics_acceleration(b->dynamics, b->foot_body[i]);
        sn_twist now = sn_dynamics_velocity(b->dynamics, b->foot_body[i]);
        sn_twist want = sn_twist_sub(sn_twist_scale(-DECAY, now), drift);
        put(b->given + foot_at(i), 1, want.w);
        put(b->given + foot_at(i) + 3, 1, want.v);
    }
}

/// Acceleration of a spring and critical damper to the posture, of the base's turn too.
static void wish_posture(sn_balance* b, const double* q, const double* v, const double* posture) {
    double w = 2 * M_PI * b->def.posture_frequency;
    sn_model_difference(b->model, q, posture, b->error);
    for (int k = 0; k < b->nv; k++) b->wish[k] = w * w * b->error[k] - 2 * w * v[k];
    for (int k = 3; k < 6; k++) b->wish[k] = 0; // that is the centre of mass's
}

static void give_wrench(sn_balance* b, sn_wrench total) {
    sn_wrench bias = about_com(b, b->bias);
    put(b->given + moment_at(b), 1, sn_vec3_sub(total.n, bias.n));
    put(b->given + momentum_at(), 1, sn_vec3_sub(total.f, bias.f));
}

static sn_vec3 product(const sn_balance* b, int row, const double* x) {
    return sn_vec3_make(sni_padded_dot(row_at(b, row), x, b->wide),
                        sni_padded_dot(row_at(b, row + 1), x, b->wide),
                        sni_padded_dot(row_at(b, row + 2), x, b->wide));
}

/// The wrench about the centre of mass that the momentum's rows give for an acceleration.
static sn_wrench wrench_of(const sn_balance* b, const double* qdd) {
    sn_wrench w = {product(b, moment_at(b), qdd), product(b, momentum_at(), qdd)};
    return sn_wrench_add(w, about_com(b, b->bias));
}

/// The force that brings the centre of mass back, weight included.
static sn_vec3 wanted_force(const sn_balance* b, sn_vec3 wanted, sn_vec3 gravity) {
    double w = 2 * M_PI * b->def.frequency;
    sn_vec3 a = sn_vec3_sub(sn_vec3_scale(w * w, sn_vec3_sub(wanted, b->com)),
                            sn_vec3_scale(2 * w, b->v_com));
    return sn_vec3_scale(b->mass, sn_vec3_sub(a, gravity));
}

/// The wrench of the found forces on a foot, w, about a point.
static sn_wrench on_foot(const sn_balance* b, int foot, sn_vec3 about) {
    sn_wrench sum = sn_wrench_zero();
    for (int j = foot * SN_SOLE_RAYS; j < (foot + 1) * SN_SOLE_RAYS; j++) {
        sn_vec3 f = sn_vec3_scale(b->ray_force[j], b->ray_along[j]);
        sn_vec3 n = sn_vec3_cross(sn_vec3_sub(b->ray_at[j], about), f);
        sum = sn_wrench_add(sum, sn_wrench_make(n, f));
    }
    return sum;
}

// tau = M qdd + bias - J' f, less springs and dampers of the joints, which push besides
static sn_status joint_forces(sn_balance* b, const double* q, const double* v, double* tau,
                              int* limited) {
    size_t nv = (size_t)b->nv;
    double* others = b->error; // springs, dampers, soles
    sn_status status = sn_dynamics_inverse(b->dynamics, q, v, b->qdd, tau);
    if (status) return status;
    sn_dynamics_passive_force(b->dynamics, q, v, others);
    for (int i = 0; i < b->def.foot_count; i++) {
        sn_wrench f = sn_pose_wrench_inverse(b->foot[i], on_foot(b, i, sn_vec3_zero()));
        const double wrench[6] = {f.n.x, f.n.y, f.n.z, f.f.x, f.f.y, f.f.z};
        for (int r = 0; r < 6; r++)
            sni_padded_add(wrench[r], row_at(b, foot_at(i) + r), others, b->reach[foot_at(i) + r]);
    }
    for (size_t k = 0; k < nv; k++) {
        tau[k] -= others[k];
        if (k < 6) tau[k] = 0;                                     // what is left there is rounding
        *limited += b->limit[k] > 0 && fabs(tau[k]) > b->limit[k]; // 0: not its joint
        tau[k] = fmax(-b->limit[k], fmin(b->limit[k], tau[k]));
    }
    return SN_OK;
}

static void tell(const sn_balance* b, sn_vec3 wanted, sn_wrench missing,
                 sn_balance_report* report) {
    report->com = b->com;
    report->com_wanted = wanted;
    report->missing = missing;
    for (int i = 0; i < b->def.foot_count; i++) {
        sn_wrench f = on_foot(b, i, b->sole[i].p);
        report->foot[i] = (sn_wrench){sn_mat3_apply_transposed(b->sole[i].R, f.n),
                                      sn_mat3_apply_transposed(b->sole[i].R, f.f)};
    }
}

SN_HOT static sn_status compute(sn_balance* b, const double* q, const double* v, sn_vec3 gravity,
                                const double* posture, double* tau, sn_balance_report* report) {
    sn_balance_report told = {0};
    double g = sn_vec3_norm(gravity);
    int rows = moment_at(b) + 3;
    b->up = g > 0 ? sn_vec3_scale(-1 / g, gravity) : sn_vec3_make(0, 0, 1);
    sn_dynamics_set_gravity(b->dynamics, gravity);
    sn_status status = measure_posture(b, posture);
    if (!status) status = look(b, q, v);
    if (status) return status;
    momentum_rows(b);
    foot_rows(b);
    sni_balance_factor(b, rows);
    wish_posture(b, q, v, posture);
    sn_vec3 wanted = sn_vec3_add(middle_of_soles(b), sn_vec3_scale(b->height, b->up));
    sn_wrench total = {sn_vec3_zero(), wanted_force(b, wanted, gravity)};
    give_wrench(b, total);
    sni_balance_nearest(b, moment_at(b), b->qdd); // all but the moments
    total = wrench_of(b, b->qdd);
    sn_wrench given = sni_balance_forces(b, total, &told.iterations);
    give_wrench(b, given);
    sni_balance_nearest(b, rows, b->qdd);
    status = joint_forces(b, q, v, tau, &told.limited);
    if (status || !report) return status;
    tell(b, wanted, sn_wrench_sub(total, given), &told);
    *report = told;
    return SN_OK;
}

sn_status sn_balance_compute(sn_balance* b, const double* q, const double* v, sn_vec3 gravity,
                             const double* posture, double* tau, sn_balance_report* report) {
    if (!b || !q || !v || !posture || !tau) return SN_ERR_ARGUMENT;
    return compute(b, q, v, gravity, posture, tau, report);
}
