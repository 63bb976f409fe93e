// SPDX-License-Identifier: Apache-2.0
// What hands on bodies of a world feel until the next step: forward dynamics of the state after the last one, and the
// contacts of that step where the bodies have come.
#include <stdlib.h>
#include <string.h>

#include "sim/sn_sim.h"

enum { ALL_ROWS = SN_HELD_ROWS + SN_GRAB_ROWS };

/// Memory of sn_world_coupling.
struct sni_touching {
    sn_delassus* delassus;
    sn_coupling_solver* solver;
    double C_a[6 * SN_HELD_ROWS], C_b[6 * SN_HELD_ROWS];
    double W[ALL_ROWS * ALL_ROWS]; ///< rows of contacts, then of hands
};

sn_status sni_touching_create(sn_dynamics* dynamics, sni_touching** touching, sn_error* error) {
    sni_touching* made = calloc(1, sizeof *made);
    if (!made) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    *touching = made;
    int bodies = SN_HELD_BODIES + SN_GRAB_MAX;
    if (bodies > dynamics->model->body_count) bodies = dynamics->model->body_count;
    sn_delassus_capacity capacity = {bodies, SN_HELD_MAX + SN_GRAB_MAX, ALL_ROWS};
    sn_status status = sn_delassus_create(dynamics, NULL, &capacity, &made->delassus, error);
    return status ? status : sn_coupling_solver_create(&made->solver, error);
}

void sni_touching_free(sni_touching* touching) {
    if (!touching) return;
    sn_delassus_free(touching->delassus);
    sn_coupling_solver_free(touching->solver);
    free(touching);
}

/// The groups of the hands.
typedef struct hand_groups {
    const sni_rest* rest;
    int count;
    int32_t leader[SN_GRAB_MAX];
} hand_groups;

static bool is_grabbed(const void* context, int32_t body) {
    const hand_groups* groups = context;
    int32_t leader = groups->rest->leader[groups->rest->tree[body]];
    for (int i = 0; i < groups->count; i++)
        if (groups->leader[i] == leader) return true;
    return false;
}

/// Accelerations of the coming step, as it will find them.
static sn_status look_ahead(sn_world* world) {
    sn_dynamics* dynamics = world->dynamics;
    sni_update_motion(world);
    sni_step_forces(world, dynamics->awake, dynamics->awake_count);
    return sni_forward(dynamics, world->work.tau, world->work.qdd);
}

/// W and G of the record by one question: hands are rows of their own.
static sn_status respond(sni_touching* t, sn_coupling_contacts* out) {
    static const double one[6][6] = {{1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0},
                                     {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 1}};
    sn_delassus_rows group[SN_HELD_MAX + SN_GRAB_MAX];
    int32_t m = out->rows, n = 6 * out->free.count, count = 0;
    for (int32_t i = 0; i < out->count; i++) {
        ptrdiff_t at = (ptrdiff_t)6 * out->first[i];
        group[count++] =
            (sn_delassus_rows){out->a[i], out->b[i], out->law[i].rows, t->C_a + at, t->C_b + at};
    }
    for (int32_t i = 0; i < out->free.count; i++)
        group[count++] =
            (sn_delassus_rows){out->free.hand[i].body, sn_body_world(), 6, one[0], NULL};
    sn_status status = sn_delassus_matrix(t->delassus, group, count, t->W);
    if (status) return status;
    for (int32_t k = 0; k < m; k++) {
        const double* row = t->W + (ptrdiff_t)k * (m + n);
        memcpy(out->W + (ptrdiff_t)k * m, row, (size_t)m * sizeof *row);
        memcpy(out->G + (ptrdiff_t)k * n, row + m, (size_t)n * sizeof *row);
    }
    return SN_OK;
}

/// q -= h G f of what the hands already do.
static void leave_out(sn_coupling_contacts* out, const sn_body_wrench* hands) {
    int32_t n = 6 * out->free.count;
    double f[SN_GRAB_ROWS];
    for (int32_t i = 0; i < out->free.count; i++)
        memcpy(f + (ptrdiff_t)6 * i, &hands[i].wrench, 6 * sizeof *f);
    for (int32_t k = 0; k < out->rows; k++)
        for (int32_t c = 0; c < n; c++) out->q[k] -= out->h * out->G[k * n + c] * f[c];
}

static sn_status hold_contacts(sn_world* world, const sn_body_wrench* hands,
                               sn_coupling_contacts* out) {
    const sni_contacts* contacts = &world->contacts;
    const sni_rest* rest = &world->state.rest;
    hand_groups groups = {.rest = rest, .count = out->free.count};
    for (int i = 0; i < groups.count; i++) {
        groups.leader[i] = rest->leader[rest->tree[hands[i].body.i]];
        if (rest->resting[hands[i].body.i]) out->resting = true;
    }
    sn_dynamics* dynamics = world->dynamics;
    sni_contact_free_velocity(world->model, dynamics->awake, dynamics->awake_count, world->state.v,
                              world->work.qdd, world->h, world->work.v_free);
    sni_held_group group = {is_grabbed, &groups};
    sni_held_rows rows = {contacts->touching->C_a, contacts->touching->C_b};
    if (!contacts->solved) return SN_OK; // or a state was set since
    sni_contact_set_hold(contacts->set, dynamics, world->work.v_free, &group, &rows, out);
    sn_status status = out->count > 0 ? respond(contacts->touching, out) : SN_OK;
    leave_out(out, hands);
    return status;
}

sn_status sn_world_coupling(sn_world* world, const sn_body_wrench* hands, int count,
                            sn_coupling_contacts* out, sn_coupling_law* law) {
    if (!world || !hands || !out || count < 1 || sni_is_simulated(world)) return SN_ERR_ARGUMENT;
    out->count = out->rows = out->dropped = 0;
    out->first[0] = 0;
    out->resting = false;
    out->h = sni_has_contact(world) ? world->h : 0;
    if (world->state.fault) return SN_ERR_FAULT;
    sn_status status = look_ahead(world);
    if (!status) status = sn_dynamics_coupling(world->dynamics, hands, count, &out->free);
    if (status) return status;
    out->free.step = world->state.step;
    out->free.time = sn_world_time(world);
    if (sni_has_contact(world)) status = hold_contacts(world, hands, out);
    if (status || !law) return status;
    if (out->count == 0) {
        sn_coupling_copy(&out->free, law);
        return SN_OK;
    }
    sn_wrench f_u[SN_GRAB_MAX];
    for (int i = 0; i < count; i++) f_u[i] = hands[i].wrench;
    sn_refresh_options options = sn_refresh_options_default();
    return sn_coupling_refresh(world->contacts.touching->solver, out, f_u, &options, law, NULL,
                               NULL);
}
