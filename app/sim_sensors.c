// SPDX-License-Identifier: Apache-2.0
// Sensors of a scene in the plot of `sinew sim`: a panel for each of the first few, a line for each number.
#include <stdlib.h>

#include "memory.h"
#include "sim.h"

enum { SENSORS_MOST = 6 };

struct sim_sensors {
    const sn_simulation* sim;
    int count;      ///< of sensors shown
    double* values; ///< [numbers][room]
    int numbers, room;
    char *title[SENSORS_MOST], *unit[SENSORS_MOST];
};

/// What the numbers of a kind of sensor are called; NULL: by their count.
static const char* const* names_of(sn_sensor_type type) {
    static const char* const wrench[] = {"moment x", "moment y", "moment z",
                                         "force x",  "force y",  "force z"};
    static const char* const pose[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    static const char* const twist[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
    static const char* const imu[] = {"wx", "wy", "wz", "ax", "ay", "az"};
    static const char* const centre[] = {"x", "y", "z", "vx", "vy", "vz"};
    static const char* const energy[] = {"kinetic", "gravity", "springs"};
    switch (type) {
    case SN_SENSOR_CONTACT:
    case SN_SENSOR_FORCE: return wrench;
    case SN_SENSOR_POSE: return pose;
    case SN_SENSOR_TWIST: return twist;
    case SN_SENSOR_IMU: return imu;
    case SN_SENSOR_CENTRE: return centre;
    case SN_SENSOR_ENERGY: return energy;
    case SN_SENSOR_POSITION:
    case SN_SENSOR_VELOCITY:
    case SN_SENSOR_CONTROL:
    case SN_SENSOR_TYPE_COUNT: break;
    }
    static const char* const plain[] = {"1", "2", "3", "4", "5", "6", "7"};
    return plain;
}

/// What its numbers are in, as they are.
static char* unit_of(sn_sensor_type type, const sn_units* u) {
    const char *first = "rad", *second = u->length.symbol, *between = ", ";
    switch (type) {
    case SN_SENSOR_CONTACT:
    case SN_SENSOR_FORCE: first = u->moment.symbol, second = u->force.symbol; break;
    case SN_SENSOR_IMU: first = u->turning.symbol, second = u->acceleration.symbol; break;
    case SN_SENSOR_TWIST: first = u->turning.symbol, second = u->speed.symbol; break;
    case SN_SENSOR_POSE: return memory_copy(u->length.symbol);
    case SN_SENSOR_CENTRE: first = u->length.symbol, second = u->speed.symbol; break;
    case SN_SENSOR_ENERGY: return memory_copy(u->energy.symbol);
    case SN_SENSOR_CONTROL:
        first = u->moment.symbol, second = u->force.symbol, between = " or ";
        break;
    case SN_SENSOR_VELOCITY:
        first = u->turning.symbol, second = u->speed.symbol, between = " or ";
        break;
    case SN_SENSOR_POSITION:
    case SN_SENSOR_TYPE_COUNT: between = " or "; break;
    }
    return memory_text("%s%s%s", first, between, second);
}

sim_sensors* sim_sensors_create(sn_simulation* sim, int room) {
    sim_sensors* s = memory_take(1, sizeof *s);
    const sn_units* units = sn_units_of(sn_world_units(sn_simulation_world(sim)));
    s->sim = sim;
    s->room = room;
    for (int i = 0; i < sn_simulation_sensor_count(sim) && i < SENSORS_MOST; i++) {
        const sn_sensor_def* def = sn_simulation_sensor_def(sim, i);
        s->unit[s->count] = unit_of(def->type, units);
        s->title[s->count++] = memory_text("Sensor %s", def->name);
        s->numbers += def->numbers;
    }
    s->values = memory_take((size_t)s->numbers * (size_t)room + 1, sizeof *s->values);
    return s;
}

void sim_sensors_add(sim_sensors* s, int at) {
    const double* shown = sn_simulation_sensors(s->sim, NULL);
    for (int k = 0; k < s->numbers; k++) s->values[(ptrdiff_t)k * s->room + at] = shown[k];
}

void sim_sensors_draw(const sim_sensors* s, const unit_labels* label, const double* time, int count,
                      plot* p) {
    const double* values = s->values;
    for (int i = 0; i < s->count; i++) {
        const sn_sensor_def* def = sn_simulation_sensor_def(s->sim, i);
        const char* const* names = names_of(def->type);
        plot_panel* panel = &p->panels[p->panel_count++];
        *panel = (plot_panel){.title = s->title[i], .x_label = label->time, .y_label = s->unit[i]};
        for (int k = 0; k < def->numbers; k++, values += s->room)
            plot_add_series(panel, def->numbers > 1 ? names[k] : def->name, time, values, count,
                            false);
    }
}

void sim_sensors_free(sim_sensors* s) {
    if (!s) return;
    for (int i = 0; i < s->count; i++) {
        free(s->title[i]);
        free(s->unit[i]);
    }
    free(s->values);
    free(s);
}
