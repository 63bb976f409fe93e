// SPDX-License-Identifier: Apache-2.0
#include "coordinates.h"
#include "csv.h"
#include "sim.h"

void sim_record_header(FILE* file, const sn_model* model, bool adaptive, bool contact) {
    char name[512];
    csv_writer csv = csv_start(file);
    csv_text(&csv, "time_s");
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        for (int k = 0; k < b.nq; k++) {
            coordinates_q_name(&b, k, name, sizeof name);
            csv_text(&csv, name);
        }
    }
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        for (int k = 0; k < b.nv; k++) {
            coordinates_v_name(&b, k, name, sizeof name);
            csv_text(&csv, name);
        }
    }
    csv_text(&csv, "kinetic_J");
    csv_text(&csv, "potential_J");
    csv_text(&csv, "spring_J");
    if (adaptive) {
        csv_text(&csv, "active_joints");
        csv_text(&csv, "remaining_error");
    }
    if (contact) {
        csv_text(&csv, "contacts");
        csv_text(&csv, "deepest_overlap_m");
        csv_text(&csv, "residual");
    }
    csv_end_row(&csv);
}

void sim_record_row(FILE* file, sn_world* world, bool adaptive, const sn_contact_summary* contact) {
    const sn_model* model = sn_world_model(world);
    sn_energy energy = sn_world_energy(world);
    csv_writer csv = csv_start(file);
    csv_number(&csv, sn_world_time(world));
    const double* q = sn_world_q(world);
    const double* v = sn_world_v(world);
    for (int k = 0; k < sn_model_nq(model); k++) csv_number(&csv, q[k]);
    for (int k = 0; k < sn_model_nv(model); k++) csv_number(&csv, v[k]);
    csv_number(&csv, energy.kinetic);
    csv_number(&csv, energy.potential);
    csv_number(&csv, energy.spring);
    if (adaptive) {
        sn_region_report region = sn_world_region(world);
        csv_number(&csv, region.active);
        csv_number(&csv, region.error);
    }
    if (contact) {
        csv_number(&csv, contact->points);
        csv_number(&csv, contact->found.deepest);
        csv_number(&csv, contact->residual);
    }
    csv_end_row(&csv);
}
