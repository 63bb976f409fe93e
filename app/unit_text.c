// SPDX-License-Identifier: Apache-2.0
#include "unit_text.h"

#include <stdio.h>
#include <string.h>

unit_labels unit_labels_of(const sn_units* u) {
    unit_labels l;
    snprintf(l.time, UNIT_TEXT, "time [%s]", u->time.shown);
    snprintf(l.energy, UNIT_TEXT, "energy [%s]", u->energy.shown);
    snprintf(l.distance, UNIT_TEXT, "distance [%s]", u->length.shown);
    snprintf(l.overlap, UNIT_TEXT, "overlap [%s]", u->way.shown);
    snprintf(l.way, UNIT_TEXT, "way [%s]", u->way.shown);
    snprintf(l.metric, UNIT_TEXT, "metric [%s]", u->metric.shown);
    return l;
}

const char* unit_pace(const sn_units* u, double ratio, char text[UNIT_TEXT]) {
    bool seconds = strcmp(u->time.symbol, "s") == 0;
    if (seconds) {
        snprintf(text, UNIT_TEXT, "%.3gx real time", ratio);
    } else {
        snprintf(text, UNIT_TEXT, "%.3g %s a second", ratio, u->time.shown);
    }
    return text;
}

void unit_write(json_writer* w, const char* name, sn_unit unit, double value) {
    char key[UNIT_TEXT];
    snprintf(key, sizeof key, "%s_%s", name, unit.symbol);
    jw_key(w, key);
    jw_number(w, value);
}

void unit_write_all(json_writer* w, const sn_units* u) {
#define ROW(field, si, si_shown, si_factor, mol, mol_shown, mol_factor) {#field, u->field.symbol},
    const struct { const char *name, *symbol; } rows[] = {SN_UNIT_LIST(ROW)};
#undef ROW
    jw_key(w, "units");
    jw_object_line(w);
    jw_key(w, "system");
    jw_text(w, u->name);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        jw_key(w, rows[i].name);
        jw_text(w, rows[i].symbol);
    }
    jw_object_end(w);
}
