// SPDX-License-Identifier: Apache-2.0
/// What a structure file says, before anything is made of it: the atoms of its first model in residues in chains, with
/// alternate locations settled. pdb.c and mmcif.c read files into it.
#ifndef SN_MOLECULE_RECORDS_H
#define SN_MOLECULE_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/warnings.h"
#include "molecule/molecule.h"
#include "sinew/math.h"

enum { SN_CHAIN_ID = 8 }; ///< bytes of a chain's id with its zero

typedef struct sni_record_atom {
    sn_vec3 p; ///< nm
    double occupancy;
    int32_t line, column; ///< of its name
    char name[5];
    char residue_name[SN_RESIDUE_NAME]; ///< alternate locations may be of another residue
    char altloc;                        ///< ' ': none
    char element[3];
} sni_record_atom;

typedef struct sni_record_residue {
    char name[SN_RESIDUE_NAME];
    char insertion; ///< ' ': none
    bool hetero;    ///< given by HETATM
    int32_t number;
    int32_t chain;
    int32_t first_atom, atom_count;
    int32_t line;
} sni_record_residue;

/// Residues between two ends of a chain: TER, or another chain id.
typedef struct sni_record_chain {
    char id[SN_CHAIN_ID];
    int32_t first_residue, residue_count;
} sni_record_chain;

/// A disulfide that the file names.
typedef struct sni_record_ssbond {
    char chain[2][SN_CHAIN_ID], insertion[2];
    int32_t number[2];
    int32_t line;
} sni_record_ssbond;

typedef struct sni_records {
    const char* file;
    sni_record_atom* atoms;
    sni_record_residue* residues;
    sni_record_chain* chains;
    sni_record_ssbond* ssbonds;
    int32_t atom_count, residue_count, chain_count, ssbond_count;
    int32_t atom_room, residue_room, chain_room, ssbond_room;
    bool chain_open, residue_open; ///< while it is read: the last one goes on
} sni_records;

/// Reads a text, PDB or mmCIF by what it begins with; `file` must outlive the result. sni_records_free afterwards in any case.
sn_status sni_records_read(const char* text, size_t length, const char* file,
                           sni_warnings* warnings, sni_records* records, sn_error* error);
void sni_records_free(sni_records* records);

/// The atom of a residue, or NULL.
const sni_record_atom* sni_records_find_atom(const sni_records* records, int32_t residue,
                                             const char* name);

// ---- for readers ----------------------------------------------------------------------------------

/// Adds an atom to the residue that `key` names (name, insertion, hetero, number), which may begin with it.
sn_status sni_records_add(sni_records* records, const char* chain, const sni_record_residue* key,
                          const sni_record_atom* atom, sni_warnings* warnings, sn_error* error);
sn_status sni_records_add_ssbond(sni_records* records, const sni_record_ssbond* bond,
                                 sn_error* error);
/// What follows is of another chain, whatever its id.
void sni_records_end_chain(sni_records* records, sni_warnings* warnings);
/// Angstroms of a file in nm; false: larger than any molecule.
bool sni_records_place(const double angstrom[3], sn_vec3* p, int* axis);
/// A whole number of at most 8 digits; false: something else.
bool sni_records_number(const char* text, int32_t* value);

#endif
