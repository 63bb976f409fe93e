// SPDX-License-Identifier: Apache-2.0
/// What is written behind numbers of a scene: labels of plots, keys of JSON, the pace of a run.
#ifndef SINEW_APP_UNIT_TEXT_H
#define SINEW_APP_UNIT_TEXT_H

#include "json_writer.h"
#include "sinew/units.h"

enum { UNIT_TEXT = 64 };

/// Labels of axes, with units as people see them.
typedef struct unit_labels {
    char time[UNIT_TEXT], energy[UNIT_TEXT], distance[UNIT_TEXT], overlap[UNIT_TEXT],
        way[UNIT_TEXT], metric[UNIT_TEXT];
} unit_labels;

unit_labels unit_labels_of(const sn_units* units);

/// "3.2x real time"; where times are not seconds "3.2 ps a second". Returns text.
const char* unit_pace(const sn_units* units, double ratio, char text[UNIT_TEXT]);

/// A number as it is, under a key that ends with its unit: "simulated_s", "simulated_ps".
void unit_write(json_writer* w, const char* name, sn_unit unit, double value);
/// "units": what all other numbers are in.
void unit_write_all(json_writer* w, const sn_units* units);

#endif
