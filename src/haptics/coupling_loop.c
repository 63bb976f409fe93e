// SPDX-License-Identifier: Apache-2.0
#include "haptics/coupling_loop.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

sn_status sni_coupling_loop_init(sni_coupling_loop* loop, sni_hand_line* const* line, int hands,
                                 double period, sn_error* error) {
    memset(loop, 0, sizeof *loop);
    sni_mailbox_init(&loop->meter_box);
    loop->line = line;
    loop->period = period;
    int parties = (hands + SN_GRAB_MAX - 1) / SN_GRAB_MAX;
    loop->party = calloc((size_t)parties, sizeof *loop->party);
    sn_status status = loop->party ? SN_OK : SN_ERR_MEMORY;
    for (int i = 0; i < parties && !status; i++) {
        sni_party* party = aligned_alloc(alignof(sni_party), sizeof *party);
        if (!party) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
        memset(party, 0, sizeof *party);
        sni_mailbox_init(&party->law_box);
        loop->party[loop->parties++] = party;
        status = sn_coupling_solver_create(&party->solver, error);
    }
    return status;
}

void sni_coupling_loop_free(sni_coupling_loop* loop) {
    for (int i = 0; i < loop->parties; i++) {
        sn_coupling_solver_free(loop->party[i]->solver);
        free(loop->party[i]);
    }
    free(loop->party);
}

/// Block of row and column i, j of a matrix of n columns, times x, added to y.
static void add_block(int n, const double* A, int i, int j, const sn_wrench* x, double* y) {
    double numbers[6];
    memcpy(numbers, x, sizeof numbers);
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++) y[r] += A[(6 * i + r) * n + 6 * j + c] * numbers[c];
}

/// The law of hand i alone: what the others do with their newest wrenches is in a0 and f0.
static void single_out(const sn_coupling_law* law, int i, const sn_wrench* f_u,
                       sn_coupling_law* one) {
    int n = 6 * law->count;
    one->count = 1;
    one->nodes = law->nodes;
    one->step = law->step;
    one->time = law->time;
    one->hand[0] = law->hand[i];
    memcpy(one->a0, law->a0 + 6 * i, 6 * sizeof(double));
    memcpy(one->f0, law->f0 + 6 * i, 6 * sizeof(double));
    memcpy(one->weight, law->weight + 6 * i, 6 * sizeof(double));
    for (int r = 0; r < 6; r++) {
        memcpy(one->Lambda + 6 * r, law->Lambda + (6 * i + r) * n + 6 * i, 6 * sizeof(double));
        memcpy(one->K + 6 * r, law->K + (6 * i + r) * n + 6 * i, 6 * sizeof(double));
    }
    for (int j = 0; j < law->count; j++) {
        if (j == i) continue;
        add_block(n, law->Lambda, i, j, &f_u[j], one->a0);
        add_block(n, law->K, i, j, &f_u[j], one->f0);
    }
}

/// In the time of the simulation, where speeds are larger by 1/pace.
static sn_grip grip_of(const sni_hold_terms* terms, double pace) {
    return sn_grip_at(terms->point, terms->turn_stiffness, terms->stiffness,
                      pace * terms->turn_damping, pace * terms->damping);
}

static void give(sni_coupling_loop* loop, const sn_coupling_law* closed,
                 const sni_law_record* record, int row, const sn_wrench* f_u) {
    sni_hand_line* line = loop->line[record->hand[row]];
    sni_feel* feel = &line->feel[sni_mailbox_back(&line->feel_box)];
    sn_coupling_law one;
    single_out(closed, row, f_u, &one);
    feel->model.law.count = 0; // another body each time
    feel->terms = record->terms[row];
    feel->law_number = record->number;
    feel->step = record->step;
    feel->pace = record->pace;
    sn_grip grip = grip_of(&feel->terms, record->pace);
    double period = record->pace * loop->period;
    if (sn_local_model_prepare(&feel->model, &one, &grip, period, record->pace * record->step)) {
        loop->refused++;
        return; // the hand goes on with what it has, until its watchdog finds that old
    }
    sni_mailbox_publish(&line->feel_box);
    loop->made++;
}

/// Hands that hold nothing learn of it, and that the simulation goes on.
static void let_go(sni_coupling_loop* loop, const sni_law_record* record) {
    for (int i = 0; i < record->idle_count; i++) {
        sni_hand_line* line = loop->line[record->idle[i]];
        sni_feel* feel = &line->feel[sni_mailbox_back(&line->feel_box)];
        feel->model.law.count = 0;
        feel->terms = (sni_hold_terms){0};
        feel->law_number = record->number;
        feel->step = record->step;
        feel->pace = record->pace;
        sni_mailbox_publish(&line->feel_box);
    }
}

/// Newest wrenches of the hands in the record; true: one is new.
static bool hear_of_pulls(const sni_coupling_loop* loop, const sni_law_record* record,
                          sn_wrench* f_u) {
    bool any = false;
    for (int i = 0; i < record->contacts.free.count; i++) {
        bool fresh;
        sni_hand_line* line = loop->line[record->hand[i]];
        const sni_pull* pull = &line->to_coupling[sni_mailbox_fetch(&line->coupling_box, &fresh)];
        bool same = pull->hold == record->terms[i].hold;
        f_u[i] = same ? pull->wrench : sn_wrench_zero();
        any = any || fresh;
    }
    return any;
}

/// The law with what is closed now. What slides keeps its friction until the next refresh, so that the law is symmetric
/// and the local model cannot gain energy from it.
static sn_status close_contacts(sni_party* party, const sni_law_record* record, int64_t now_ns,
                                const sn_wrench* f_u) {
    sn_refresh_options options = sn_refresh_options_default();
    options.sliding = SN_SLIDING_FROZEN;
    options.settled = (double)(now_ns - party->law_ns) * 1e-9 >= record->step;
    return sn_coupling_refresh(party->solver, &record->contacts, f_u, &options, &party->closed,
                               NULL, NULL);
}

static void serve(sni_coupling_loop* loop, sni_party* party, int64_t now_ns) {
    bool fresh;
    const sni_law_record* record = &party->law[sni_mailbox_fetch(&party->law_box, &fresh)];
    int count = record->contacts.free.count;
    sn_wrench f_u[SN_GRAB_MAX];
    bool pulled = hear_of_pulls(loop, record, f_u);
    if (fresh) {
        party->law_ns = now_ns;
        let_go(loop, record);
    }
    bool matters =
        count > 1 || record->contacts.count > 0; // what hands do changes the law of others
    if (count == 0 || !(fresh || (pulled && matters))) return;
    if (close_contacts(party, record, now_ns, f_u)) {
        loop->refused++;
        return;
    }
    for (int i = 0; i < count; i++) give(loop, &party->closed, record, i, f_u);
}

void sni_coupling_loop_tick(sni_coupling_loop* loop, int64_t now_ns) {
    loop->shown[sni_mailbox_back(&loop->meter_box)] = loop->meter;
    sni_mailbox_publish(&loop->meter_box);
    for (int i = 0; i < loop->parties; i++) serve(loop, loop->party[i], now_ns);
}
