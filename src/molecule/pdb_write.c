// SPDX-License-Identifier: Apache-2.0
// A molecule as PDB text, which sn_molecule_read reads back to the same molecule.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/sn_load.h"
#include "molecule/molecule.h"

static const double ANGSTROM_PER_NM = 10;
static const double COORDINATE_MOST = 9999; // Angstroms that fit the columns

/// Names of one-letter elements begin in column 14, unless they have four characters.
static void padded_name(const sni_atom* atom, char out[5]) {
    bool wide = strlen(atom->name) >= 4 || strlen(atom->element) == 2;
    snprintf(out, 5, wide ? "%-4s" : " %-3s", atom->name);
}

/// The number of a residue in four columns; beyond 9999 it goes on with letters [GK07]: A000 follows 9999.
static const char* residue_number(int32_t number, char out[8]) {
    enum { DECIMAL = 10000, BLOCK = 26 * 36 * 36 * 36 };
    if (number < DECIMAL || number >= DECIMAL + BLOCK) {
        snprintf(out, 8, "%4d", (int)(number % DECIMAL));
        return out;
    }
    int32_t rest = number - DECIMAL + 10 * 36 * 36 * 36;
    for (int k = 3; k >= 0; k--, rest /= 36)
        out[k] = (char)(rest % 36 < 10 ? '0' + rest % 36 : 'A' + rest % 36 - 10);
    out[4] = '\0';
    return out;
}

static void write_atom(sni_text* text, const sn_molecule* m, int32_t i, sn_vec3 p) {
    const sni_residue* r = &m->residues[m->atoms[i].residue];
    char name[5], number[8];
    padded_name(&m->atoms[i], name);
    sni_text_add(text, "%-6s%5d %s %-4.4s%c%s%c   %8.3f%8.3f%8.3f  1.00  0.00          %2s\n",
                 r->template_index < 0 ? "HETATM" : "ATOM", (int)((i + 1) % 100000), name, r->name,
                 m->chains[r->chain].label[0] == '_' ? ' ' : m->chains[r->chain].label[0],
                 residue_number(r->number, number), r->insertion, ANGSTROM_PER_NM * p.x,
                 ANGSTROM_PER_NM * p.y, ANGSTROM_PER_NM * p.z, m->atoms[i].element);
}

static void write_disulfides(sni_text* text, const sn_molecule* m) {
    int count = 0;
    char number[2][8];
    for (int32_t i = 0; i < m->bond_count; i++) {
        if (!m->bonds[i].disulfide) continue;
        const sni_residue* r[2] = {&m->residues[m->atoms[m->bonds[i].a].residue],
                                   &m->residues[m->atoms[m->bonds[i].b].residue]};
        sni_text_add(text, "SSBOND %3d CYS %c %s%c   CYS %c %s%c\n", ++count % 1000,
                     m->chains[r[0]->chain].label[0], residue_number(r[0]->number, number[0]),
                     r[0]->insertion, m->chains[r[1]->chain].label[0],
                     residue_number(r[1]->number, number[1]), r[1]->insertion);
    }
}

static bool fits(sn_vec3 p) {
    double most = COORDINATE_MOST / ANGSTROM_PER_NM;
    return fabs(p.x) < most && fabs(p.y) < most && fabs(p.z) < most; // NaN fails
}

sn_status sn_molecule_to_pdb(const sn_molecule* m, const sn_vec3* positions, char** out,
                             sn_error* error) {
    *out = NULL;
    for (int32_t i = 0; i < m->atom_count; i++)
        if (!fits(positions ? positions[i] : m->atoms[i].p))
            return sni_fail(error, SN_ERR_NUMERIC, sni_nowhere(),
                            "atom %d is farther out than the columns of a PDB file can say",
                            (int)i + 1);
    sni_text text = {0};
    sni_number_scope scope;
    if (!sni_number_scope_begin(&scope))
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    sni_text_add(&text, "TITLE     %s\n", m->name);
    write_disulfides(&text, m);
    for (int32_t i = 0; i < m->atom_count; i++) {
        const sni_atom* atom = &m->atoms[i];
        if (i > 0 && m->residues[atom->residue].chain != m->residues[m->atoms[i - 1].residue].chain)
            sni_text_add(&text, "TER\n");
        write_atom(&text, m, i, positions ? positions[i] : atom->p);
    }
    sni_text_add(&text, "TER\nEND\n");
    sni_number_scope_end(&scope);
    if (text.failed) {
        free(text.bytes);
        return sni_fail(error, text.failed, sni_nowhere(), "not enough memory");
    }
    *out = text.bytes;
    return SN_OK;
}
