// SPDX-License-Identifier: Apache-2.0
/// What a PDB file says, before anything is made of it: the records of its first model, with alternate locations
/// settled. Columns and records as in the wwPDB's format 3.3 [PDB12].
#ifndef SN_MOLECULE_PDB_H
#define SN_MOLECULE_PDB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/warnings.h"
#include "molecule/molecule.h"
#include "sinew/math.h"

typedef struct sni_pdb_atom {
    sn_vec3 p; ///< nm
    double occupancy;
    int32_t serial; ///< -1: not a number
    int32_t line;
    char name[5];
    char residue_name[5]; ///< alternate locations may be of another residue
    char altloc;          ///< ' ': none
    char element[3];
} sni_pdb_atom;

typedef struct sni_pdb_residue {
    char name[5];
    char insertion; ///< ' ': none
    bool hetero;    ///< given by HETATM
    int32_t number;
    int32_t chain;
    int32_t first_atom, atom_count;
    int32_t line;
} sni_pdb_residue;

/// Residues between two ends of a chain: TER, or another chain id.
typedef struct sni_pdb_chain {
    char id;
    int32_t first_residue, residue_count;
} sni_pdb_chain;

/// A bond the file names: SSBOND, or one partner of CONECT.
typedef struct sni_pdb_ssbond {
    char chain[2], insertion[2];
    int32_t number[2];
    int32_t line;
} sni_pdb_ssbond;

typedef struct sni_pdb_conect {
    int32_t serial[2];
} sni_pdb_conect;

typedef struct sni_pdb {
    const char* file;
    sni_pdb_atom* atoms;
    sni_pdb_residue* residues;
    sni_pdb_chain* chains;
    sni_pdb_ssbond* ssbonds;
    sni_pdb_conect* conects;
    int32_t atom_count, residue_count, chain_count, ssbond_count, conect_count;
    int32_t atom_room, residue_room, chain_room, ssbond_room, conect_room;
} sni_pdb;

/// Reads the text; `file` must outlive the result. sni_pdb_free afterwards in any case.
sn_status sni_pdb_read(const char* text, size_t length, const char* file, sni_warnings* warnings,
                       sni_pdb* pdb, sn_error* error);
void sni_pdb_free(sni_pdb* pdb);

#endif
