// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coordinates.h"
#include "csv.h"
#include "memory.h"
#include "message.h"
#include "sim.h"

// A coordinate of a joint that was there at the beginning.
typedef struct column {
    char* joint;
    int k;     ///< of its numbers
    int index; ///< in q or v; -1: it is gone
} column;

struct sim_record {
    const sn_model* model;
    bool adaptive, contact;
    column *q, *v;
    int q_count, v_count;
    bool told; ///< that there is more than the columns hold
};

typedef void (*name_function)(const sn_body_info* joint, int k, const sn_units* units, char* name,
                              size_t size);

// Columns of all positions (or velocities) and their titles.
static column* add_columns(csv_writer* csv, const sn_model* model, const sn_units* u,
                           bool positions, int* count) {
    char name[512];
    name_function name_of = positions ? coordinates_q_name : coordinates_v_name;
    size_t room = (size_t)(positions ? sn_model_nq(model) : sn_model_nv(model));
    column* columns = memory_take(room, sizeof *columns);
    *count = 0;
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        int numbers = positions ? b.nq : b.nv, first = positions ? b.iq : b.iv;
        for (int k = 0; k < numbers; k++) {
            name_of(&b, k, u, name, sizeof name);
            csv_text(csv, name);
            columns[(*count)++] = (column){memory_copy(b.joint_name), k, first + k};
        }
    }
    return columns;
}

static void add_sensors(csv_writer* csv, const sn_simulation* sim) {
    for (int i = 0; i < sn_simulation_sensor_count(sim); i++) {
        const sn_sensor_def* sensor = sn_simulation_sensor_def(sim, i);
        for (int k = 0; k < sensor->numbers; k++) {
            char* name = sensor->numbers == 1 ? memory_text("sensor:%s", sensor->name)
                                              : memory_text("sensor:%s[%d]", sensor->name, k);
            csv_text(csv, name);
            free(name);
        }
    }
}

sim_record* sim_record_start(FILE* file, sn_simulation* sim, bool adaptive, bool contact) {
    sim_record* r = memory_take(1, sizeof *r);
    csv_writer csv = csv_start(file);
    const sn_world* world = sn_simulation_world(sim);
    const sn_units* u = sn_units_of(sn_world_units(world));
    r->model = sn_world_model(world);
    r->adaptive = adaptive;
    r->contact = contact;
    csv_unit(&csv, "time", u->time);
    r->q = add_columns(&csv, r->model, u, true, &r->q_count);
    r->v = add_columns(&csv, r->model, u, false, &r->v_count);
    csv_unit(&csv, "kinetic", u->energy);
    csv_unit(&csv, "potential", u->energy);
    csv_unit(&csv, "spring", u->energy);
    if (adaptive) {
        csv_text(&csv, "active_joints");
        csv_text(&csv, "remaining_error");
    }
    if (contact) {
        csv_text(&csv, "contacts");
        csv_unit(&csv, "deepest_overlap", u->length);
        csv_text(&csv, "residual");
    }
    add_sensors(&csv, sim);
    csv_end_row(&csv);
    return r;
}

static void follow_columns(column* columns, int count, const sn_model* model, bool positions) {
    for (int i = 0; i < count; i++) {
        sn_body_id joint = sn_model_find_joint(model, columns[i].joint);
        columns[i].index = -1;
        if (joint.i < 0) continue;
        sn_body_info b = sn_model_body(model, joint);
        if (columns[i].k < (positions ? b.nq : b.nv))
            columns[i].index = (positions ? b.iq : b.iv) + columns[i].k;
    }
}

static bool has_column(const sim_record* r, const char* joint) {
    for (int i = 0; i < r->q_count; i++) {
        if (strcmp(r->q[i].joint, joint) == 0) return true;
    }
    return false;
}

// Bodies came or went: the columns stay those of the beginning.
static void follow(sim_record* r, const sn_model* model) {
    r->model = model;
    follow_columns(r->q, r->q_count, model, true);
    follow_columns(r->v, r->v_count, model, false);
    for (int i = 0; i < sn_model_body_count(model) && !r->told; i++) {
        const char* joint = sn_model_body(model, sn_body(i)).joint_name;
        if (has_column(r, joint)) continue;
        message_note("--record: '%s' came later and has no columns in the CSV; a recording, "
                     "--record FILE.sinew, holds all",
                     joint);
        r->told = true;
    }
}

static void write_numbers(csv_writer* csv, const column* columns, int count, const double* from) {
    for (int i = 0; i < count; i++) {
        csv_number(csv, columns[i].index < 0 ? NAN : from[columns[i].index]);
    }
}

void sim_record_row(sim_record* r, FILE* file, sn_simulation* sim,
                    const sn_contact_summary* contact) {
    sn_world* world = sn_simulation_world(sim);
    if (sn_world_model(world) != r->model) follow(r, sn_world_model(world));
    sn_energy energy = sn_world_energy(world);
    csv_writer csv = csv_start(file);
    csv_number(&csv, sn_world_time(world));
    write_numbers(&csv, r->q, r->q_count, sn_world_q(world));
    write_numbers(&csv, r->v, r->v_count, sn_world_v(world));
    csv_number(&csv, energy.kinetic);
    csv_number(&csv, energy.potential);
    csv_number(&csv, energy.spring);
    if (r->adaptive) {
        sn_region_report region = sn_world_region(world);
        csv_number(&csv, region.active);
        csv_number(&csv, region.error);
    }
    if (r->contact) {
        csv_number(&csv, contact->points);
        csv_number(&csv, contact->found.deepest);
        csv_number(&csv, contact->residual);
    }
    int count;
    const double* sensors = sn_simulation_sensors(sim, &count);
    for (int i = 0; i < count; i++) csv_number(&csv, sensors[i]);
    csv_end_row(&csv);
}

static void free_columns(column* columns, int count) {
    for (int i = 0; i < count; i++) free(columns[i].joint);
    free(columns);
}

void sim_record_free(sim_record* r) {
    if (!r) return;
    free_columns(r->q, r->q_count);
    free_columns(r->v, r->v_count);
    free(r);
}
