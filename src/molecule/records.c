// SPDX-License-Identifier: Apache-2.0
#include "molecule/records.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "molecule/altloc.h"
#include "molecule/array.h"
#include "molecule/mmcif.h"
#include "molecule/pdb.h"

static const double NM_PER_ANGSTROM = 0.1;
/// No structure is this large; such a coordinate is damage.
static const double COORDINATE_MOST = 1e5; // nm

// ---- formats --------------------------------------------------------------------------------------

static sn_status refuse_packed(const char* text, size_t length, const char* file, sn_error* error) {
    sn_place place = {file, 0, 0};
    if (length >= 2 && memcmp(text, "\x1f\x8b", 2) == 0)
        return sni_fail(error, SN_ERR_FORMAT, place,
                        "compressed by gzip; unpack it first: gunzip -k FILE");
    return SN_OK;
}

sn_status sni_records_read(const char* text, size_t length, const char* file,
                           sni_warnings* warnings, sni_records* records, sn_error* error) {
    *records = (sni_records){.file = file};
    sn_status status = refuse_packed(text, length, file, error);
    if (status) return status;
    bool cif = sni_mmcif_is(text, length);
    status = cif ? sni_mmcif_read(text, length, warnings, records, error)
                 : sni_pdb_read(text, length, warnings, records, error);
    if (status) return status;
    sni_records_end_chain(records, warnings);
    if (records->atom_count > 0) return SN_OK;
    sn_place place = {file, 0, 0};
    return sni_fail(error, SN_ERR_FORMAT, place,
                    cif ? "mmCIF without atoms (_atom_site); is it a structure, and is it complete?"
                        : "no ATOM or HETATM record; is it a PDB file, and is it complete?");
}

void sni_records_free(sni_records* records) {
    free(records->atoms);
    free(records->residues);
    free(records->chains);
    free(records->ssbonds);
    *records = (sni_records){0};
}

const sni_record_atom* sni_records_find_atom(const sni_records* records, int32_t residue,
                                             const char* name) {
    const sni_record_residue* r = &records->residues[residue];
    for (int32_t i = r->first_atom; i < r->first_atom + r->atom_count; i++)
        if (strcmp(records->atoms[i].name, name) == 0) return &records->atoms[i];
    return NULL;
}

// ---- atoms ----------------------------------------------------------------------------------------

static sn_status no_memory(const sni_records* records, int32_t line, sn_error* error) {
    sn_place place = {records->file, line, 0};
    return sni_fail(error, SN_ERR_MEMORY, place, "not enough memory");
}

/// Cuts and ends of chains make a new one; so does another id.
static bool open_chain(sni_records* records, const char* id) {
    if (records->chain_open && strcmp(records->chains[records->chain_count - 1].id, id) == 0)
        return true;
    if (!SN_GROW(records->chains, records->chain_count, records->chain_room)) return false;
    sni_record_chain* chain = &records->chains[records->chain_count++];
    *chain = (sni_record_chain){.first_residue = records->residue_count};
    memcpy(chain->id, id, strlen(id) + 1);
    records->chain_open = true;
    return true;
}

/// Whether an atom goes on with the last residue. Alternate locations may have names of their own.
static bool same_residue(const sni_records* records, const sni_record_residue* key, char altloc) {
    if (!records->residue_open) return false;
    const sni_record_residue* last = &records->residues[records->residue_count - 1];
    return last->chain == records->chain_count - 1 && last->number == key->number &&
           last->insertion == key->insertion && last->hetero == key->hetero &&
           (altloc != ' ' || strcmp(last->name, key->name) == 0);
}

static void close_residue(sni_records* records, sni_warnings* warnings) {
    if (records->residue_open) sni_records_settle(records, warnings);
    records->residue_open = false;
}

static sn_status open_residue(sni_records* records, const char* chain,
                              const sni_record_residue* key, const sni_record_atom* atom,
                              sni_warnings* warnings, sn_error* error) {
    sn_place place = {records->file, atom->line, atom->column};
    if (!open_chain(records, chain)) return no_memory(records, atom->line, error);
    if (same_residue(records, key, atom->altloc)) {
        if (records->residues[records->residue_count - 1].atom_count < SN_RESIDUE_ATOMS_MOST)
            return SN_OK;
        return sni_fail(error, SN_ERR_FORMAT, place,
                        "residue %s %s%d has more than %d atoms; are residues numbered?", key->name,
                        chain, (int)key->number, SN_RESIDUE_ATOMS_MOST);
    }
    close_residue(records, warnings);
    if (!SN_GROW(records->residues, records->residue_count, records->residue_room))
        return no_memory(records, atom->line, error);
    sni_record_residue* residue = &records->residues[records->residue_count++];
    *residue = *key;
    residue->chain = records->chain_count - 1;
    residue->first_atom = records->atom_count;
    residue->line = atom->line;
    records->chains[records->chain_count - 1].residue_count += 1;
    records->residue_open = true;
    return SN_OK;
}

sn_status sni_records_add(sni_records* records, const char* chain, const sni_record_residue* key,
                          const sni_record_atom* atom, sni_warnings* warnings, sn_error* error) {
    sn_status status = open_residue(records, chain, key, atom, warnings, error);
    if (status) return status;
    if (!SN_GROW(records->atoms, records->atom_count, records->atom_room))
        return no_memory(records, atom->line, error);
    records->atoms[records->atom_count++] = *atom;
    records->residues[records->residue_count - 1].atom_count += 1;
    return SN_OK;
}

sn_status sni_records_add_ssbond(sni_records* records, const sni_record_ssbond* bond,
                                 sn_error* error) {
    if (!SN_GROW(records->ssbonds, records->ssbond_count, records->ssbond_room))
        return no_memory(records, bond->line, error);
    records->ssbonds[records->ssbond_count++] = *bond;
    return SN_OK;
}

void sni_records_end_chain(sni_records* records, sni_warnings* warnings) {
    close_residue(records, warnings);
    records->chain_open = false;
}

// ---- numbers --------------------------------------------------------------------------------------

bool sni_records_place(const double angstrom[3], sn_vec3* p, int* axis) {
    double nm[3];
    for (*axis = 0; *axis < 3; ++*axis) {
        nm[*axis] = angstrom[*axis] * NM_PER_ANGSTROM;
        if (nm[*axis] > COORDINATE_MOST || nm[*axis] < -COORDINATE_MOST) return false;
    }
    *p = sn_vec3_make(nm[0], nm[1], nm[2]);
    return true;
}

bool sni_records_number(const char* text, int32_t* value) {
    bool minus = text[0] == '-';
    const char* digit = text + minus;
    int32_t sum = 0;
    if (!*digit || strlen(digit) > 8) return false;
    for (; *digit; digit++) {
        if (*digit < '0' || *digit > '9') return false;
        sum = 10 * sum + (*digit - '0');
    }
    *value = minus ? -sum : sum;
    return true;
}
