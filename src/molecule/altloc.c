// SPDX-License-Identifier: Apache-2.0
#include "molecule/altloc.h"

#include <string.h>

/// The location with most occupancy; ' ' when there are none.
static char best_location(const sni_record_atom* atoms, int count) {
    double sum[256] = {0};
    for (int i = 0; i < count; i++) sum[(unsigned char)atoms[i].altloc] += atoms[i].occupancy;
    char best = ' ';
    for (int i = 0; i < count; i++) {
        char c = atoms[i].altloc;
        if (c == ' ' || c == best) continue;
        double d = best == ' ' ? 1 : sum[(unsigned char)c] - sum[(unsigned char)best];
        if (d > 0 || (d == 0 && (unsigned char)c < (unsigned char)best)) best = c;
    }
    return best;
}

/// Whether a takes the place of b, which has the same name.
static bool is_better(const sni_record_atom* a, const sni_record_atom* b, char best) {
    if ((a->altloc == best) != (b->altloc == best)) return a->altloc == best;
    return a->occupancy > b->occupancy;
}

/// The residue is the one its best location has.
static void settle_name(sni_record_residue* residue, const sni_record_atom* atoms, char best) {
    for (int i = 0; i < residue->atom_count; i++) {
        if (atoms[i].altloc != best) continue;
        memcpy(residue->name, atoms[i].residue_name, sizeof residue->name);
        return;
    }
}

void sni_records_settle(sni_records* records, sni_warnings* warnings) {
    sni_record_residue* residue = &records->residues[records->residue_count - 1];
    sni_record_atom* atoms = records->atoms + residue->first_atom;
    char best = best_location(atoms, residue->atom_count);
    int kept = 0;
    settle_name(residue, atoms, best);
    for (int i = 0; i < residue->atom_count; i++) {
        if (strcmp(atoms[i].residue_name, residue->name) != 0) continue;
        int same = 0;
        while (same < kept && strcmp(atoms[same].name, atoms[i].name) != 0) same += 1;
        if (same == kept) {
            atoms[kept++] = atoms[i];
            continue;
        }
        sn_place place = {records->file, atoms[i].line, atoms[i].column};
        if (atoms[i].altloc == ' ' && atoms[same].altloc == ' ')
            sni_warnings_note(warnings, "twice", place,
                              "%s is in residue %s %d twice; one of them is left out",
                              atoms[i].name, residue->name, (int)residue->number);
        else
            sni_warnings_note(warnings, "altloc", place,
                              "alternate location of %s in residue %s %d left out; those with most "
                              "occupancy are kept",
                              atoms[i].name, residue->name, (int)residue->number);
        if (is_better(&atoms[i], &atoms[same], best)) atoms[same] = atoms[i];
    }
    records->atom_count = residue->first_atom + kept;
    residue->atom_count = kept;
}
