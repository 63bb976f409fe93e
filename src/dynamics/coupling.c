// SPDX-License-Identifier: Apache-2.0
// The coupling law of grabbed bodies, on top of any forward dynamics: their response to wrenches and
// their accelerations are all it takes.   [MR07]
//
// [MR07] evaluates f_feed = I a' + v x* I v - f_u by two passes over the coupling region each time f_u
// changes; sn_dynamics_feel does that. As a' is affine in f_u, so is f_feed, and the law is made once:
//   a' = Lambda f_u + a0      f_feed = (I Lambda - 1) f_u + (I a0 + v x* I v)
#include <string.h>

#include "dynamics/loops.h"
#include "sinew/coupling.h"

_Static_assert(sizeof(sn_wrench) == 6 * sizeof(double), "a wrench is six numbers");
_Static_assert(sizeof(sn_twist) == 6 * sizeof(double), "a twist is six numbers");

static bool is_finite(const double* x, size_t count) {
    double sum = 0; // stays zero unless one is not finite
    for (size_t i = 0; i < count; i++) sum += 0 * x[i];
    return sum == 0;
}

static sn_status check_hands(const sn_dynamics* d, const sn_body_wrench* hands, int count) {
    if (!d || !d->factored || !hands || count < 1) return SN_ERR_ARGUMENT;
    if (count > SN_GRAB_MAX) return SN_ERR_CAPACITY;
    for (int i = 0; i < count; i++) {
        if (hands[i].body.i < 0 || hands[i].body.i >= d->model->body_count) return SN_ERR_ARGUMENT;
        if (!is_finite(&hands[i].wrench.n.x, 6)) return SN_ERR_NUMERIC;
    }
    return SN_OK;
}

static sni_rigid rigid_of(sn_inertia I) { return sni_rigid_make(I.mass, I.com, I.I); }

// ---- by passes over the structure -------------------------------------------------------------------

/// Acceleration without gravity's, loops included; user's frame.
static sn_twist relative_acceleration(const sn_dynamics* d, sn_body_id body) {
    sn_twist a = d->ops->quick_acceleration ? d->ops->quick_acceleration(d, body.i)
                                            : d->ops->acceleration(d, body.i);
    if (d->loops && d->loops->solved) a = sn_twist_add(a, d->loops->extra[body.i]);
    return sni_twist_to_user(d, body.i, a);
}

/// Bodies of hands, each once however many hands hold it.
typedef struct body_set {
    int count;
    sn_body_wrench at[SN_GRAB_MAX]; ///< with all that is done to it
    int of_hand[SN_GRAB_MAX];
} body_set;

static body_set distinct(const sn_body_wrench* hands, int count) {
    body_set set = {0};
    for (int i = 0; i < count; i++) {
        int k = 0;
        while (k < set.count && set.at[k].body.i != hands[i].body.i) k++;
        if (k == set.count)
            set.at[set.count++] = hands[i];
        else
            set.at[k].wrench = sn_wrench_add(set.at[k].wrench, hands[i].wrench);
        set.of_hand[i] = k;
    }
    return set;
}

/// What the wrenches change in the accelerations of their bodies, canonical frames.
static void touch(sn_dynamics* d, const sn_body_wrench* hands, int count, sn_twist* change) {
    if (d->ops->touch) {
        body_set set = distinct(hands, count);
        sn_twist each[SN_GRAB_MAX];
        d->ops->touch(d, set.at, set.count, each);
        for (int i = 0; i < count; i++) change[i] = each[set.of_hand[i]];
    } else {
        d->ops->impulse(d, NULL, hands, count, d->rate);
        for (int i = 0; i < count; i++) change[i] = d->ops->change(d, hands[i].body.i);
    }
    if (!d->loops) return;
    sni_loops_impulse(d, NULL, hands, count, d->rate); // its last pass is what the loops do to that
    for (int i = 0; i < count; i++)
        change[i] = sn_twist_add(change[i], d->ops->change(d, hands[i].body.i));
}

sn_status sn_dynamics_feel(sn_dynamics* d, const sn_body_wrench* hands, int count,
                           sn_wrench* f_feed) {
    sn_status status = check_hands(d, hands, count);
    if (status) return status;
    if (!f_feed) return SN_ERR_ARGUMENT;
    sn_twist change[SN_GRAB_MAX];
    d->visited = d->model->body_count;
    touch(d, hands, count, change);
    if (d->trouble) return d->trouble;
    for (int i = 0; i < count; i++) { // I a' + v x* I v - f_u
        sn_body_id body = hands[i].body;
        sni_rigid I = rigid_of(d->model->body[body.i].inertia);
        sn_twist v = sn_dynamics_velocity(d, body);
        sn_twist a =
            sn_twist_add(relative_acceleration(d, body), sni_twist_to_user(d, body.i, change[i]));
        sn_wrench f = sn_twist_cross_wrench(v, sni_rigid_mul(&I, v));
        f_feed[i] = sn_wrench_sub(sn_wrench_add(sni_rigid_mul(&I, a), f), hands[i].wrench);
    }
    return is_finite(&f_feed[0].n.x, 6 * (size_t)count) ? SN_OK : SN_ERR_NUMERIC;
}

// ---- once, as a law ---------------------------------------------------------------------------------

/// Lambda of the hands, symmetric to the bit.
static sn_status respond(sn_dynamics* d, const sn_body_wrench* hands, sn_coupling_law* law) {
    body_set set = distinct(hands, law->count);
    sn_body_id bodies[SN_GRAB_MAX];
    for (int k = 0; k < set.count; k++) bodies[k] = set.at[k].body;
    double* few = law->K; // has the size, and is made later
    sn_status status = sn_dynamics_response(d, bodies, set.count, few);
    if (status) return status;
    size_t n = 6 * (size_t)law->count, m = 6 * (size_t)set.count;
    for (size_t r = 0; r < n; r++) {
        const double* row = few + (6 * (size_t)set.of_hand[r / 6] + r % 6) * m;
        for (size_t c = 0; c < n; c++)
            law->Lambda[r * n + c] = row[6 * (size_t)set.of_hand[c / 6] + c % 6];
    }
    for (size_t r = 0; r < n; r++) { // what rounding left
        for (size_t c = 0; c < r; c++) {
            double* across = &law->Lambda[c * n + r];
            law->Lambda[r * n + c] = *across = 0.5 * (law->Lambda[r * n + c] + *across);
        }
    }
    return SN_OK;
}

/// State of the body, its weight, and in a0 its acceleration, hands included.
static void describe(const sn_dynamics* d, sn_coupling_law* law, int i) {
    sn_grabbed* hand = &law->hand[i];
    sn_body_id body = hand->body;
    hand->pose = sn_dynamics_pose(d, body);
    hand->velocity = sn_dynamics_velocity(d, body);
    hand->gravity = sn_mat3_apply_transposed(hand->pose.R, d->gravity);
    hand->inertia = d->model->body[body.i].inertia;
    sn_twist a = relative_acceleration(d, body);
    memcpy(law->a0 + 6 * i, &a, sizeof a);
}

/// a0 -= Lambda * what the hands already do.
static void leave_out(sn_coupling_law* law, const sn_body_wrench* hands) {
    int n = 6 * law->count;
    double applied[SN_GRAB_ROWS];
    for (int i = 0; i < law->count; i++)
        memcpy(applied + 6 * i, &hands[i].wrench, 6 * sizeof(double));
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) law->a0[r] -= law->Lambda[r * n + c] * applied[c];
}

/// Rows of hand i in K = I Lambda - 1 and f0 = I a0 + v x* I v, and its weight.
static void weigh(sn_coupling_law* law, int i) {
    const sn_grabbed* hand = &law->hand[i];
    sni_rigid I = rigid_of(hand->inertia);
    int n = 6 * law->count;
    sn_twist t;
    sn_wrench f;
    for (int c = 0; c < n; c++) {
        double column[6];
        for (int r = 0; r < 6; r++) column[r] = law->Lambda[(6 * i + r) * n + c];
        memcpy(&t, column, sizeof t);
        f = sni_rigid_mul(&I, t);
        memcpy(column, &f, sizeof f);
        for (int r = 0; r < 6; r++) law->K[(6 * i + r) * n + c] = column[r] - (6 * i + r == c);
    }
    memcpy(&t, law->a0 + 6 * i, sizeof t);
    sn_wrench momentum = sni_rigid_mul(&I, hand->velocity);
    f = sn_wrench_add(sni_rigid_mul(&I, t), sn_twist_cross_wrench(hand->velocity, momentum));
    memcpy(law->f0 + 6 * i, &f, sizeof f);
    f = sni_rigid_mul(&I, sn_twist_make(sn_vec3_zero(), hand->gravity));
    memcpy(law->weight + 6 * i, &f, sizeof f);
}

void sni_coupling_weigh(sn_coupling_law* law) {
    for (int i = 0; i < law->count; i++) weigh(law, i);
}

sn_status sn_dynamics_coupling(sn_dynamics* d, const sn_body_wrench* hands, int count,
                               sn_coupling_law* law) {
    sn_status status = check_hands(d, hands, count);
    if (status) return status;
    if (!law) return SN_ERR_ARGUMENT;
    law->count = count;
    law->step = 0;
    law->time = 0;
    d->visited = d->model->body_count;
    for (int i = 0; i < count; i++) {
        law->hand[i].body = hands[i].body;
        describe(d, law, i);
    }
    status = respond(d, hands, law);
    if (status) law->count = 0;
    if (status) return status;
    law->nodes = d->visited;
    leave_out(law, hands);
    sni_coupling_weigh(law);
    size_t n = 6 * (size_t)count;
    if (is_finite(law->K, n * n) && is_finite(law->f0, n)) return SN_OK;
    law->count = 0;
    return SN_ERR_NUMERIC;
}
