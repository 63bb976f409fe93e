// SPDX-License-Identifier: Apache-2.0
// Whether a problem is one, and how large it is.
#include <math.h>
#include <string.h>

#include "contact/operator.h"
#include "math/lane4.h"

// ---- laws ---------------------------------------------------------------------------------------------

static const struct kind_rows {
    const char* name;
    int32_t least, most;
} kinds[SN_CONTACT_KIND_COUNT] = {
    [SN_CONTACT_POINT] = {"POINT", 3, 3}, [SN_CONTACT_PATCH] = {"PATCH", 6, 6},
    [SN_CONTACT_EQUAL] = {"EQUAL", 1, 6}, [SN_CONTACT_LIMIT] = {"LIMIT", 1, 1},
    [SN_CONTACT_DRY] = {"DRY", 1, 1},
};

static sn_status check_coefficient(int32_t i, const char* name, double value, sn_error* error) {
    if (!isfinite(value))
        return sni_fail(error, SN_ERR_NUMERIC, sni_nowhere(), "contact %d: %s is not finite", i,
                        name);
    if (value < 0)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "contact %d: %s is %g; it must not be negative", i, name, value);
    return SN_OK;
}

/// The first coefficient that makes no sense.
static sn_status check_coefficients(const sn_contact_law* law, int32_t i, sn_error* error) {
    const struct {
        const char* name;
        double value;
    } coefficient[] = {{"mu", law->mu},
                       {"mu_kinetic", law->mu_kinetic},
                       {"stribeck_speed", law->stribeck_speed},
                       {"viscous", law->viscous},
                       {"spin", law->spin},
                       {"roll", law->roll},
                       {"bound", law->bound},
                       {"compliance", law->compliance}};
    for (size_t k = 0; k < sizeof coefficient / sizeof coefficient[0]; k++) {
        sn_status status = check_coefficient(i, coefficient[k].name, coefficient[k].value, error);
        if (status) return status;
    }
    return SN_OK;
}

static sn_status check_law(const sn_contact_law* law, int32_t i, sn_error* error) {
    if ((int)law->kind < 0 || law->kind >= SN_CONTACT_KIND_COUNT)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "contact %d: there is no kind of number %d", i, (int)law->kind);
    const struct kind_rows* kind = &kinds[law->kind];
    if (law->rows < kind->least || law->rows > kind->most)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "contact %d: %s with %d rows; it has %d to %d", i, kind->name, law->rows,
                        kind->least, kind->most);
    double sum = law->mu + law->mu_kinetic + law->stribeck_speed + law->viscous + law->spin +
                 law->roll + law->bound + law->compliance;
    bool fine = sum < INFINITY && law->mu >= 0 && law->mu_kinetic >= 0 &&
                law->stribeck_speed >= 0 && law->viscous >= 0 && law->spin >= 0 && law->roll >= 0 &&
                law->bound >= 0 && law->compliance >= 0;
    sn_status status = fine ? SN_OK : check_coefficients(law, i, error);
    if (status) return status;
    if (law->mu_kinetic != law->mu && !(law->stribeck_speed > 0))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "contact %d: mu_kinetic differs from mu, so stribeck_speed must be "
                        "positive; for one coefficient set mu_kinetic = mu",
                        i);
    return SN_OK;
}

// ---- matrix -------------------------------------------------------------------------------------------

/// Zero times what is not finite is not zero, and stays so in a sum.
static bool are_finite(const double* x, int64_t count) {
    sni_lane4 sum = sni_lane4_zero(), four;
    double rest = 0;
    int64_t k = 0;
    for (; k + 4 <= count; k += 4) {
        memcpy(&four, x + k, sizeof four);
        sum += four * sni_lane4_zero();
    }
    for (; k < count; k++) rest += 0 * x[k];
    return sni_sum4(sum) + rest == 0;
}

static sn_status check_block(const sn_contact_problem* p, int32_t i, int32_t at, sn_error* error) {
    const sn_contact_matrix* W = &p->matrix;
    int32_t j = W->column[at];
    if (j < 0 || j >= p->count)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "contact %d: W couples it with contact %d; there are %d", i, j, p->count);
    if (at > W->start[i] && j <= W->column[at - 1])
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "contact %d: the columns of its blocks of W do not increase", i);
    if (W->offset[at] < 0)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "contact %d: block of W at a negative offset", i);
    if (!are_finite(W->value + W->offset[at], (int64_t)p->law[i].rows * p->law[j].rows))
        return sni_fail(error, SN_ERR_NUMERIC, sni_nowhere(),
                        "contact %d: W is not finite where it meets contact %d", i, j);
    return SN_OK;
}

static sn_status check_matrix(const sn_contact_problem* p, sn_error* error) {
    const sn_contact_matrix* W = &p->matrix;
    if (W->start[0] != 0)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "W does not start at block 0");
    for (int32_t i = 0; i < p->count; i++)
        if (W->start[i + 1] < W->start[i])
            return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                            "contact %d: its line of W ends before it starts", i);
    if (W->start[p->count] > 0 && (!W->column || !W->offset || !W->value))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "W has blocks but columns, offsets or values are missing");
    for (int32_t i = 0; i < p->count; i++) {
        for (int32_t at = W->start[i]; at < W->start[i + 1]; at++) {
            sn_status status = check_block(p, i, at, error);
            if (status) return status;
        }
    }
    return SN_OK;
}

// ---- bodies -------------------------------------------------------------------------------------------

static sn_status check_trees(const sn_contact_bodies* bodies, sn_error* error) {
    if (bodies->tree[0] != 0 || bodies->response[0] < 0)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "trees of bodies start before the first body or response");
    for (int32_t t = 0; t < bodies->tree_count; t++) {
        int64_t size = (int64_t)6 * ((int64_t)bodies->tree[t + 1] - bodies->tree[t]);
        if (size <= 0)
            return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "tree %d: it has no body", t);
        if (bodies->response[t + 1] - bodies->response[t] != size * size)
            return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                            "tree %d: a response of %lld numbers; its bodies need %lld", t,
                            (long long)(bodies->response[t + 1] - bodies->response[t]),
                            (long long)(size * size));
        if (!are_finite(bodies->value + bodies->response[t], size * size))
            return sni_fail(error, SN_ERR_NUMERIC, sni_nowhere(),
                            "tree %d: its response is not finite", t);
    }
    return SN_OK;
}

static sn_status check_side(const sn_contact_problem* p, int32_t i, int32_t body, int32_t count,
                            const double* C, sn_error* error) {
    if (body < -1 || body >= count)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "contact %d: on body %d; there are %d", i, body, count);
    if (body < 0) return SN_OK;
    if (!C)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "contact %d: the rows of its body are missing", i);
    if (!are_finite(C + (ptrdiff_t)6 * p->first[i], (int64_t)6 * p->law[i].rows))
        return sni_fail(error, SN_ERR_NUMERIC, sni_nowhere(),
                        "contact %d: the rows of its body are not finite", i);
    return SN_OK;
}

static sn_status check_bodies(const sn_contact_problem* p, sn_error* error) {
    const sn_contact_bodies* bodies = &p->bodies;
    if (bodies->tree_count < 0 || !bodies->tree || !bodies->response || !bodies->value ||
        !bodies->a || !bodies->b)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "bodies are given without trees, responses or which contact is on which");
    sn_status status = check_trees(bodies, error);
    int32_t count = sni_bodies_count(bodies);
    for (int32_t i = 0; i < p->count && !status; i++) {
        status = check_side(p, i, bodies->a[i], count, bodies->C_a, error);
        if (!status) status = check_side(p, i, bodies->b[i], count, bodies->C_b, error);
    }
    return status;
}

// ---- all of it ----------------------------------------------------------------------------------------

/// Squares must be numbers. Those that vanish do no harm: what moves as slowly as that is at rest.
static sn_status check_size(const sn_contact_problem* p, sn_error* error) {
    const double MOST = 1e140;
    for (int32_t k = 0; k < sn_contact_rows(p); k++)
        if (fabs(p->q[k]) > MOST)
            return sni_fail(error, SN_ERR_NUMERIC, sni_nowhere(),
                            "row %d: q is %g; choose units in which it is at most %g", k, p->q[k],
                            MOST);
    return SN_OK;
}

static sn_status check_rows(const sn_contact_problem* p, sn_error* error) {
    if (p->first[0] != 0)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "rows do not start at 0");
    for (int32_t i = 0; i < p->count; i++) {
        sn_status status = check_law(&p->law[i], i, error);
        if (status) return status;
        if ((int64_t)p->first[i] + p->law[i].rows != p->first[i + 1])
            return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                            "contact %d: rows %d to %d; its law has %d", i, p->first[i],
                            p->first[i + 1], p->law[i].rows);
        if (!are_finite(p->q + p->first[i], p->law[i].rows))
            return sni_fail(error, SN_ERR_NUMERIC, sni_nowhere(), "contact %d: q is not finite", i);
    }
    return check_size(p, error);
}

sn_status sn_contact_check(const sn_contact_problem* problem, sn_error* error) {
    if (!problem || problem->count < 0 || !problem->first ||
        (problem->count > 0 && (!problem->law || !problem->q)))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "contact problem without laws, rows or q");
    sn_status status = check_rows(problem, error);
    if (status || problem->count == 0) return status;
    if (!problem->matrix.start && !problem->bodies.tree_count)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "contact problem without W: neither a matrix nor bodies");
    if (problem->matrix.start) status = check_matrix(problem, error);
    if (!status && problem->bodies.tree_count) status = check_bodies(problem, error);
    return status;
}

/// Whether two contacts touch one tree.
static bool are_coupled(const sn_contact_bodies* bodies, int32_t i, int32_t j) {
    const int32_t of_i[2] = {bodies->a[i], bodies->b[i]}, of_j[2] = {bodies->a[j], bodies->b[j]};
    for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++)
            if (of_i[p] >= 0 && of_j[q] >= 0 &&
                sni_bodies_tree(bodies, of_i[p]) == sni_bodies_tree(bodies, of_j[q]))
                return true;
    return false;
}

sn_contact_capacity sn_contact_capacity_of(const sn_contact_problem* problem) {
    sn_contact_capacity capacity = {.contacts = problem->count, .rows = sn_contact_rows(problem)};
    const sn_contact_bodies* bodies = &problem->bodies;
    if (bodies->tree_count) {
        capacity.bodies = sni_bodies_count(bodies);
        capacity.responses = bodies->response[bodies->tree_count];
        capacity.tree = sni_bodies_largest_tree(bodies);
    }
    if (problem->matrix.start) {
        capacity.blocks = problem->matrix.start[problem->count];
        return capacity;
    }
    for (int32_t i = 0; i < problem->count; i++)
        for (int32_t j = 0; j <= i; j++)
            if (j == i || are_coupled(bodies, i, j)) capacity.blocks += j == i ? 1 : 2;
    return capacity;
}
