// SPDX-License-Identifier: Apache-2.0
#include "morin_protein.h"

#include <math.h>
#include <stdlib.h>

#include "bench_contender.h"
#include "median.h"
#include "memory.h"
#include "molecule_rig.h"
#include "sinew/coupling_contact.h"

enum { TICKS = 200, PERIOD = 10, LAST_FULL_GRAB = 3 }; // of a timed tick; steps between choices; d
static const double PULL = 60;                         // kJ/(mol nm): 100 pN

typedef struct rig {
    morin_run* run;
    molecule_rig in;
    sn_coupling_contacts* contacts; // what the simulation hands to the coupling loop
    sn_coupling_law* law;
} rig;

static sn_status start(rig* r, sn_error* error) {
    sn_world_def def = molecule_rig_world();
    def.dynamics = "adaptive";
    def.adaptivity.period = PERIOD;
    sn_status status = sn_molecule_build_named(r->run->molecule, &r->in.molecule, error);
    return status ? status : molecule_rig_start(&r->in, NULL, &def, error);
}

/// The residue that grab k takes: along the chain, from one end to the other and back.
static sn_body_id held_body(const rig* r, int k) {
    static const double PLACES[MORIN_GRABS] = {0.95, 0.5, 0.25, 0.75, 0.6, 0.4};
    int torsion = (int)(PLACES[k] * (r->run->dof - 1));
    return sn_torsion_tree_torsion(r->in.tree, torsion).body;
}

/// One step of the simulation, and, with something grabbed, what it prepares for the coupling loop; seconds.
static sn_status step_once(rig* r, const sn_body_wrench* hand, double* seconds) {
    double began = bench_now();
    sn_status status = sn_world_step(r->in.world, NULL);
    if (!status && hand) status = sn_world_coupling(r->in.world, hand, 1, r->contacts, NULL);
    *seconds = bench_now() - began;
    return status;
}

/// The law for the haptic loop, and its ticks.
static sn_status feel(rig* r, const sn_body_wrench* hand, morin_phase* phase, double* coupling,
                      double* tick) {
    sn_wrench f_feed;
    double began = bench_now();
    sn_status status = sn_dynamics_coupling(sn_world_dynamics(r->in.world), hand, 1, r->law);
    double made = bench_now();
    for (int i = 0; i < TICKS && !status; i++) {
        sn_wrench f_u = hand->wrench;
        f_u.f.x += 1e-3 * (i & 7); // another one each time, so that nothing can be kept
        status = sn_coupling_tick(r->law, &f_u, &f_feed);
    }
    *tick = 1e6 * (bench_now() - made) / TICKS;
    *coupling = 1e6 * (made - began);
    if (!status) {
        phase->felt_pn = fmax(phase->felt_pn, sn_vec3_norm(f_feed.f) * SN_MOLECULE_FORCE_PN);
    }
    return status;
}

static sn_status run_phase(rig* r, int p) {
    morin_run* run = r->run;
    morin_phase* phase = &run->phases[p];
    int grab = p % 2 ? p / 2 : -1;
    sn_body_wrench hand = {.body = held_body(r, grab < 0 ? 0 : grab)};
    sn_status status = SN_OK;
    *phase = (morin_phase){.grabbed = grab >= 0, .tick_us = NAN, .coupling_us = NAN};
    snprintf(phase->name, sizeof phase->name, grab < 0 ? "rest" : "%c", 'a' + grab);
    if (p == 2 * (LAST_FULL_GRAB + 1) && run->budget > 0) {
        sn_adaptivity few = sn_adaptivity_default();
        few.max_active = run->budget;
        few.period = PERIOD;
        status = sn_world_set_adaptivity(r->in.world, &few);
    }
    if (grab >= 0) {
        hand.wrench.f = sn_vec3_make(grab % 2 ? -PULL : PULL, PULL, 0);
        if (!status) status = sn_world_keep_active(r->in.world, hand.body, true);
        if (!status)
            status = sn_world_set_wrench(r->in.world, hand.body, SN_AXES_BODY, hand.wrench);
    }
    double* ticks = memory_take((size_t)run->steps, sizeof *ticks);
    for (int i = 0; i < run->steps && !status; i++) {
        int at = p * run->steps + i;
        double seconds, coupling = NAN, tick = NAN;
        status = step_once(r, grab >= 0 ? &hand : NULL, &seconds);
        if (!status && grab >= 0) status = feel(r, &hand, phase, &coupling, &tick);
        run->at[at] = at;
        run->step_us[at] = 1e6 * seconds;
        run->coupling_us[at] = coupling;
        ticks[i] = tick;
        run->worst_coupling_us =
            fmax(run->worst_coupling_us, coupling + tick); // NAN does not count
    }
    double* copy = memory_take((size_t)run->steps, sizeof *copy);
    for (int i = 0; i < run->steps; i++) copy[i] = run->step_us[p * run->steps + i];
    phase->step_us = median_of(copy, run->steps);
    for (int i = 0; i < run->steps; i++) copy[i] = run->coupling_us[p * run->steps + i];
    if (grab >= 0) {
        phase->coupling_us = median_of(copy, run->steps);
        phase->tick_us = median_of(ticks, run->steps);
        if (!status) status = sn_world_keep_active(r->in.world, hand.body, false);
        if (!status)
            status = sn_world_set_wrench(r->in.world, hand.body, SN_AXES_BODY, sn_wrench_zero());
    }
    phase->active = sn_world_region(r->in.world).active;
    free(copy);
    free(ticks);
    return status;
}

bool morin_interact(morin_run* run) {
    rig r = {.run = run};
    sn_error error = {0};
    r.contacts = memory_take(1, sizeof *r.contacts);
    r.law = memory_take(1, sizeof *r.law);
    error.status = start(&r, &error);
    if (!error.status) {
        run->atoms = sn_molecule_atom_count(r.in.molecule);
        run->dof = sn_torsion_tree_torsion_count(r.in.tree);
        run->count = MORIN_PHASES * run->steps;
        run->at = memory_take((size_t)run->count, sizeof *run->at);
        run->step_us = memory_take((size_t)run->count, sizeof *run->step_us);
        run->coupling_us = memory_take((size_t)run->count, sizeof *run->coupling_us);
    }
    for (int p = 0; p < MORIN_PHASES && !error.status; p++) error.status = run_phase(&r, p);
    if (error.status) molecule_rig_trouble(run->molecule, &error);
    molecule_rig_free(&r.in);
    free(r.contacts);
    free(r.law);
    return error.status == SN_OK;
}

void morin_free(morin_run* run) {
    free(run->at);
    free(run->step_us);
    free(run->coupling_us);
}
