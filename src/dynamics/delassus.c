// SPDX-License-Identifier: Apache-2.0
// The public door of the Delassus operator: which bodies and rows a question is about.
#include "dynamics/delassus.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/aba.h"
#include "dynamics/loops.h"

static const sni_delassus_method* const methods[] = {
    &sni_delassus_compressed,   &sni_delassus_tree,      &sni_delassus_per_body,
    &sni_delassus_chang_khatib, &sni_delassus_per_point, &sni_delassus_dense};
enum { METHOD_COUNT = sizeof methods / sizeof methods[0], TILE = SNI_TILE, NONE = -1 };

const char* sn_delassus_method(int i) {
    return i >= 0 && i < METHOD_COUNT ? methods[i]->name : NULL;
}

const char* sn_delassus_about(int i) {
    return i >= 0 && i < METHOD_COUNT ? methods[i]->about : NULL;
}

// ---- creation -------------------------------------------------------------------------------------------

static void layout(sn_delassus* x, sni_arena* arena) {
    const sn_model* model = x->d->model;
    size_t bodies = (size_t)x->most.bodies, groups = (size_t)x->most.groups;
    // every group may have a pair of its own, and then its last tile sticks out
    size_t padded = (size_t)x->most.rows + (TILE - 1) * groups;
    padded = (padded + TILE - 1) / TILE * TILE;
    x->bodies = SN_ARENA_ARRAY(arena, sn_body_id, bodies);
    x->slot = SN_ARENA_ARRAY(arena, int32_t, model->body_count);
    x->p.segment = SN_ARENA_ARRAY(arena, sni_segment, groups);
    x->p.first_segment = SN_ARENA_ARRAY(arena, int32_t, bodies);
    for (int e = 0; e < 2; e++) {
        x->p.row[e] = SN_ARENA_ARRAY(arena, const double*, padded);
        x->p.C[e] = SN_ARENA_ARRAY(arena, double, 6 * padded);
    }
    x->p.Y = sni_arena_take(arena, 6 * bodies, padded * sizeof(double));
    x->Omega = sni_arena_take(arena, 6 * bodies, 6 * bodies * sizeof(double));
    x->wrench = SN_ARENA_ARRAY(arena, sn_body_wrench, bodies > 2 ? bodies : 2);
    x->twist = SN_ARENA_ARRAY(arena, sn_twist, bodies);
    x->dv = SN_ARENA_ARRAY(arena, double, model->nv);
    if (x->method->layout) x->method->layout(x, arena);
}

static bool fits(const sni_delassus_method* method, const sn_dynamics* d) {
    return !method->fits || method->fits(d);
}

static const sni_delassus_method* find_method(const sn_dynamics* d, const char* name) {
    for (int i = 0; i < METHOD_COUNT; i++)
        if (name ? strcmp(methods[i]->name, name) == 0 : fits(methods[i], d)) return methods[i];
    return NULL;
}

sn_status sn_delassus_create(sn_dynamics* dynamics, const char* method,
                             const sn_delassus_capacity* capacity, sn_delassus** delassus,
                             sn_error* error) {
    if (!delassus) return SN_ERR_ARGUMENT;
    *delassus = NULL;
    if (!dynamics || !capacity || capacity->bodies < 0 || capacity->groups < 0 ||
        capacity->rows < 0)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "a Delassus operator needs a dynamics and a capacity that is not negative");
    const sni_delassus_method* found = find_method(dynamics, method);
    if (!found)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "there is no method '%s' for the Delassus operator; choose compressed, "
                        "tree, per-body, chang-khatib, per-point or dense",
                        method);
    if (!fits(found, dynamics))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "method '%s' of the Delassus operator works with %s, not with '%s'",
                        found->name, found->needs, dynamics->ops->name);
    sn_delassus* x = calloc(1, sizeof *x);
    if (!x) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    x->d = dynamics;
    x->method = found;
    x->kernel =
        sni_aba_has_factors(dynamics) ? sni_aba_columns(dynamics) : sni_delassus_kernel_pick();
    x->most = *capacity;
    int32_t n = dynamics->model->body_count;
    if (x->most.bodies > n) x->most.bodies = n;
    sni_arena arena = {0};
    layout(x, &arena);
    if (!sni_arena_allocate(&arena)) {
        free(x);
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(),
                        "not enough memory for the Delassus operator of %d rows on %d bodies",
                        capacity->rows, capacity->bodies);
    }
    layout(x, &arena);
    x->arena = arena;
    for (int32_t i = 0; i < n; i++) x->slot[i] = NONE;
    *delassus = x;
    return SN_OK;
}

void sn_delassus_free(sn_delassus* x) {
    if (!x) return;
    sni_arena_free(&x->arena);
    free(x);
}

const char* sn_delassus_name(const sn_delassus* x) { return x->method->name; }

// ---- the question ------------------------------------------------------------------------------------------

static void forget(sn_delassus* x) {
    for (int32_t g = 0; g < x->body_count; g++) x->slot[x->bodies[g].i] = NONE;
    x->body_count = 0;
    x->p.body_count = x->p.segment_count = x->p.rows = x->p.padded = 0;
    x->ready = false;
}

/// Adds a body to those that are asked about; false when there is no room.
static bool ask(sn_delassus* x, int32_t body) {
    if (body < 0 || x->slot[body] != NONE) return true;
    if (x->body_count == x->most.bodies) return false;
    x->slot[body] = x->body_count;
    x->bodies[x->body_count++] = sn_body(body);
    return true;
}

static bool exists(const sn_dynamics* d, sn_body_id body) {
    return body.i >= -1 && body.i < d->model->body_count;
}

static sn_status check_groups(const sn_delassus* x, const sn_delassus_rows* groups, int count) {
    if (!x || !x->d->factored || count < 0 || (count > 0 && !groups)) return SN_ERR_ARGUMENT;
    int64_t rows = 0;
    for (int g = 0; g < count; g++) {
        const sn_delassus_rows* group = &groups[g];
        if (!exists(x->d, group->a) || !exists(x->d, group->b) || group->rows < 0)
            return SN_ERR_ARGUMENT;
        if (group->rows > 0 &&
            ((group->a.i >= 0 && !group->C_a) || (group->b.i >= 0 && !group->C_b)))
            return SN_ERR_ARGUMENT;
        rows += group->rows;
    }
    return count > x->most.groups || rows > x->most.rows ? SN_ERR_CAPACITY : SN_OK;
}

/// Rows of a group to the places from `at` on, of the bodies that move.
static void take_rows(sni_projection* p, const sn_delassus_rows* group, int32_t at) {
    for (int r = 0; group->a.i >= 0 && r < group->rows; r++) p->row[0][at + r] = group->C_a + 6 * r;
    for (int r = 0; group->b.i >= 0 && r < group->rows; r++) p->row[1][at + r] = group->C_b + 6 * r;
}

/// Fills a segment up to its end.
static void close_segment(sni_projection* p) {
    static const double none[6] = {0};
    if (p->segment_count == 0) return;
    const sni_segment* s = &p->segment[p->segment_count - 1];
    for (int32_t at = s->place + s->rows; at < s->end; at++) p->row[0][at] = p->row[1][at] = none;
    p->padded = s->end;
}

/// Bodies, segments and rows of the groups.
static sn_status take_groups(sn_delassus* x, const sn_delassus_rows* groups, int count) {
    sn_status status = check_groups(x, groups, count);
    if (status) return status;
    sni_projection* p = &x->p;
    forget(x);
    for (int g = 0; g < count; g++) {
        const sn_delassus_rows* group = &groups[g];
        int32_t before = x->body_count;
        if (group->rows == 0) continue;
        if (!ask(x, group->a.i) || !ask(x, group->b.i)) {
            forget(x);
            return SN_ERR_CAPACITY;
        }
        int32_t a = group->a.i < 0 ? NONE : x->slot[group->a.i];
        int32_t b = group->b.i < 0 ? NONE : x->slot[group->b.i];
        sni_segment* s = p->segment_count > 0 ? &p->segment[p->segment_count - 1] : NULL;
        if (!s || s->a != a || s->b != b) { // another pair
            close_segment(p);
            s = &p->segment[p->segment_count++];
            *s = (sni_segment){.a = a, .b = b, .row = p->rows, .place = p->padded};
        }
        while (before < x->body_count) p->first_segment[before++] = p->segment_count - 1;
        take_rows(p, group, s->place + s->rows);
        s->rows += group->rows;
        s->end = s->place + (s->rows + TILE - 1) / TILE * TILE;
        p->rows += group->rows;
    }
    close_segment(p);
    p->body_count = x->body_count;
    return SN_OK;
}

// ---- answers -----------------------------------------------------------------------------------------------

/// Response of the bodies in hand.
static sn_status respond(sn_delassus* x, double* Omega) {
    sn_status status = x->method->omega(x, Omega);
    if (!status && x->d->loops) sni_loops_response(x->d, x->bodies, x->body_count, Omega);
    return status ? status : x->d->trouble;
}

sn_status sn_delassus_omega(sn_delassus* x, const sn_delassus_rows* groups, int count) {
    if (!x) return SN_ERR_ARGUMENT;
    sn_status status = take_groups(x, groups, count);
    if (status) return status;
    if (x->method->rows) {
        x->method->rows(x);
        status = x->d->trouble;
    } else {
        status = respond(x, x->Omega);
    }
    x->ready = !status;
    return status;
}

sn_status sn_delassus_project(sn_delassus* x, double* W) {
    if (!x || !x->ready || (x->p.rows > 0 && !W)) return SN_ERR_ARGUMENT;
    x->kernel->load(&x->p);
    if (!x->method->rows) x->kernel->respond(&x->p, x->Omega);
    x->kernel->project(&x->p, W);
    return SN_OK;
}

sn_status sn_delassus_matrix(sn_delassus* x, const sn_delassus_rows* groups, int count, double* W) {
    if (!x || (!W && count > 0)) return SN_ERR_ARGUMENT;
    sn_status status = sn_delassus_omega(x, groups, count);
    return status ? status : sn_delassus_project(x, W);
}

sn_status sn_delassus_response(sn_delassus* x, const sn_body_id* bodies, int count, double* Omega) {
    if (!x || !x->d->factored || count < 0 || (count > 0 && (!bodies || !Omega)))
        return SN_ERR_ARGUMENT;
    for (int k = 0; k < count; k++)
        if (bodies[k].i < 0 || bodies[k].i >= x->d->model->body_count) return SN_ERR_ARGUMENT;
    forget(x);
    for (int k = 0; k < count; k++) {
        if (ask(x, bodies[k].i)) continue;
        forget(x);
        return SN_ERR_CAPACITY;
    }
    bool twice = x->body_count < count;
    sn_status status = respond(x, twice ? x->Omega : Omega);
    size_t size = 6 * (size_t)count, few = 6 * (size_t)x->body_count;
    for (size_t r = 0; twice && r < size; r++) {
        size_t row = 6 * (size_t)x->slot[bodies[r / 6].i] + r % 6;
        for (size_t c = 0; c < size; c++)
            Omega[r * size + c] =
                x->Omega[row * few + 6 * (size_t)x->slot[bodies[c / 6].i] + c % 6];
    }
    forget(x);
    return status;
}

// ---- one impulse pass ----------------------------------------------------------------------------------------

void sni_delassus_push(sn_delassus* x, int count) {
    sn_dynamics* d = x->d;
    if (d->loops) { // their impulses come in a pass of their own
        (void)sn_dynamics_impulse(d, NULL, x->wrench, count, x->dv); // arguments were checked
        (void)sn_dynamics_twists(d, x->dv, x->bodies, x->body_count, x->twist);
        return;
    }
    d->ops->impulse(d, NULL, x->wrench, count, x->dv);
    for (int32_t g = 0; g < x->body_count; g++)
        x->twist[g] = sni_twist_to_user(d, x->bodies[g].i, d->ops->change(d, x->bodies[g].i));
}

/// Adds C' x to the wrench of a body.
static void add_impulses(const double* C, int rows, const double* x, sn_wrench* sum) {
    for (int r = 0; r < rows; r++)
        *sum = sn_wrench_add(*sum, sn_wrench_scale(x[r], sni_wrench_from_numbers(C + 6 * r)));
}

sn_status sn_delassus_apply(sn_delassus* x, const sn_delassus_rows* groups, int count,
                            const double* in, double* out) {
    if (!x) return SN_ERR_ARGUMENT;
    sn_status status = take_groups(x, groups, count);
    if (status) return status;
    if (x->p.rows > 0 && (!in || !out)) return SN_ERR_ARGUMENT;
    for (int32_t g = 0; g < x->body_count; g++)
        x->wrench[g] = (sn_body_wrench){x->bodies[g], sn_wrench_zero()};
    const double* r = in;
    for (int g = 0; g < count; r += groups[g++].rows) {
        int32_t a = groups[g].a.i, b = groups[g].b.i;
        if (a >= 0) add_impulses(groups[g].C_a, groups[g].rows, r, &x->wrench[x->slot[a]].wrench);
        if (b >= 0) add_impulses(groups[g].C_b, groups[g].rows, r, &x->wrench[x->slot[b]].wrench);
    }
    sni_delassus_push(x, x->body_count);
    double* u = out;
    for (int g = 0; g < count; g++) {
        int32_t a = groups[g].a.i, b = groups[g].b.i;
        for (int k = 0; k < groups[g].rows; k++) {
            double sum = 0;
            if (a >= 0)
                sum +=
                    sn_power(sni_wrench_from_numbers(groups[g].C_a + 6 * k), x->twist[x->slot[a]]);
            if (b >= 0)
                sum +=
                    sn_power(sni_wrench_from_numbers(groups[g].C_b + 6 * k), x->twist[x->slot[b]]);
            *u++ = sum;
        }
    }
    forget(x);
    return x->d->trouble;
}

// ---- counting --------------------------------------------------------------------------------------------------

sn_delassus_work sn_delassus_count(const sn_delassus* x) {
    sn_delassus_work w = {x->method->work ? x->method->work(x) : NAN, 0};
    const sni_projection* p = &x->p;
    for (int32_t g = 0; g < p->segment_count; g++) {
        const sni_segment* s = &p->segment[g];
        double ends = (s->a >= 0) + (s->b >= 0);
        w.projection += 6 * ends * s->rows * (p->rows - s->row - 0.5 * (s->rows - 1));
        for (int32_t b = 0; b < p->body_count && !x->method->rows; b++)
            if (p->first_segment[b] <= g) w.projection += 36 * ends * s->rows;
    }
    return w;
}
