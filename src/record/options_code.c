// SPDX-License-Identifier: Apache-2.0
#include "record/options_code.h"

/// Most of anything that a world may be asked to hold, and most threads: what is more is no recording of ours.
enum { CAPACITY_MOST = 1 << 24, WORKERS_MOST = 1 << 10 };

static void code_capacity(sni_coder* coder, int32_t* value) {
    sni_code_i32(coder, value);
    if (*value < 0 || *value > CAPACITY_MOST) coder->failed = true;
}

static void code_workers(sni_coder* coder, int* value) {
    int32_t number = *value;
    sni_code_i32(coder, &number);
    if (number < 0 || number > WORKERS_MOST) coder->failed = true;
    *value = number;
}

static void code_i64(sni_coder* coder, int64_t* value) { sni_code(coder, value, sizeof *value); }

void sni_code_adaptivity(sni_coder* coder, sn_adaptivity* a) {
    int32_t most = a->max_active, period = a->period;
    int metric = (int)a->metric;
    sni_code_i32(coder, &most);
    sni_code_f64(coder, &a->threshold);
    sni_code_f64(coder, &a->settling_time);
    sni_code_i32(coder, &period);
    sni_code_choice(coder, &metric, SN_METRIC_COUNT);
    a->max_active = most;
    a->period = period;
    a->metric = (sn_metric)metric;
}

static void code_collider(sni_coder* coder, sn_collider_def* def) {
    code_capacity(coder, &def->contacts);
    code_capacity(coder, &def->pairs);
    sni_code_f64(coder, &def->margin);
    code_capacity(coder, &def->patch_points);
    sni_code_bool(coder, &def->skip_joined);
}

static void code_contact_options(sni_coder* coder, sn_contact_options* o) {
    sni_code_f64(coder, &o->restitution_threshold);
    sni_code_f64(coder, &o->penetration_factor);
    sni_code_f64(coder, &o->constraint_factor);
    sni_code_f64(coder, &o->position_factor);
    sni_code_f64(coder, &o->slop);
    sni_code_f64(coder, &o->push_speed);
    sni_code_f64(coder, &o->limit_margin);
    sni_code_bool(coder, &o->limits);
    sni_code_bool(coder, &o->dry_friction);
}

static void code_solve(sni_coder* coder, sn_solve_options* o) {
    int space = (int)o->space, local = (int)o->local;
    int32_t facets = o->facets, workers = o->workers;
    sni_code_f64(coder, &o->tolerance);
    sni_code_bool(coder, &o->siconos_error);
    code_i64(coder, &o->iterations);
    sni_code_i32(coder, &workers);
    sni_code_choice(coder, &space, SN_SPACE_BODY + 1);
    sni_code_choice(coder, &local, SN_LOCAL_PROJECTION + 1);
    sni_code_f64(coder, &o->relaxation);
    sni_code_bool(coder, &o->accelerate);
    sni_code_bool(coder, &o->newton);
    sni_code_bool(coder, &o->alternate);
    sni_code_i32(coder, &facets);
    o->space = (sn_contact_space)space;
    o->local = (sn_contact_local)local;
    o->facets = facets;
    o->workers = workers;
}

static void code_contact(sni_coder* coder, sn_world_contact* c) {
    sni_code_bool(coder, &c->on);
    code_collider(coder, &c->collider);
    sni_code_bool(coder, &c->skip_overlapping);
    sni_code_text(coder, &c->detector, true);
    code_contact_options(coder, &c->options);
    sni_code_text(coder, &c->solver, true);
    code_solve(coder, &c->solve);
    sni_code_f64(coder, &c->solve_time);
    code_workers(coder, &c->workers);
    code_capacity(coder, &c->constraints);
    code_capacity(coder, &c->servos);
    sni_code_f64(coder, &c->rest_speed);
    sni_code_f64(coder, &c->rest_time);
}

void sni_code_options(sni_coder* coder, sn_world_def* def) {
    int integrator = (int)def->integrator;
    int32_t commands = def->command_capacity, evaluations = def->relaxation.evaluations;
    int units = (int)def->units;
    sni_code_f64(coder, &def->step);
    sni_code_vec3(coder, &def->gravity);
    sni_code_text(coder, &def->dynamics, true);
    sni_code_adaptivity(coder, &def->adaptivity);
    sni_code_choice(coder, &integrator, SN_INTEGRATOR_COUNT);
    if (integrator == SN_INTEGRATE_QUASISTATIC) { // recordings of others have none
        code_capacity(coder, &evaluations);
        sni_code_f64(coder, &def->relaxation.tolerance);
    }
    code_contact(coder, &def->contact);
    sni_code_text(coder, &def->simulator, true);
    code_capacity(coder, &commands);
    sni_code_choice(coder, &units, SN_UNITS_COUNT);
    def->units = (sn_unit_system)units;
    def->integrator = (sn_integrator)integrator;
    def->command_capacity = commands;
    def->relaxation.evaluations = evaluations;
}
