// SPDX-License-Identifier: Apache-2.0
/// What a molecule is made of. Atoms of a residue follow each other, in the order of its template; residues of a
/// chain likewise.
#ifndef SN_MOLECULE_MOLECULE_H
#define SN_MOLECULE_MOLECULE_H

#include "molecule/templates.h"
#include "sinew/molecule.h"

/// More than any known residue or ligand has; a file with more in one residue is damaged.
enum { SN_RESIDUE_ATOMS_MOST = 512 };
enum { SN_RESIDUE_NAME = 8 }; ///< bytes of a residue's name with its zero

typedef struct sni_atom {
    sn_vec3 p; ///< nm
    int32_t residue;
    int32_t line;          ///< in the file; 0: the file does not have it
    int16_t template_atom; ///< of the residue's template; -1: a hetero group
    char name[5];
    char element[3];
} sni_atom;

typedef struct sni_residue {
    char name[SN_RESIDUE_NAME]; ///< as in the file
    char insertion;             ///< ' ': none
    bool after_gap;
    bool repeated;          ///< its chain had that number before; then names need more
    int16_t template_index; ///< in sni_templates; -1: a hetero group
    int32_t number, chain, first_atom, atom_count;
    int32_t line; ///< in the file; 0: built
    int32_t
        carrier; ///< of a group that is bonded to nothing: the atom whose rigid group carries it; -1: none
} sni_residue;

typedef struct sni_chain {
    char label[16];
    int32_t first_residue, residue_count;
} sni_chain;

typedef struct sni_bond {
    int32_t a, b; ///< a < b
    bool disulfide;
} sni_bond;

struct sn_molecule {
    char name[64];
    sni_atom* atoms;
    sni_residue* residues;
    sni_chain* chains;
    sni_bond* bonds; ///< in order of a, then b
    int32_t atom_count, residue_count, chain_count, bond_count;
    bool every_phi; ///< built to be counted as [MR07] may have done: see sn_torsion_tree_def_for
};

// ---- making one: these in this order ------------------------------------------------------------

/// An empty molecule with room for residues and chains, which the caller fills; NULL without memory.
sn_molecule* sni_molecule_create(const char* name, int32_t residues, int32_t chains);
/// Room for the atoms of all residues, by their templates or, for hetero groups, atom_count; fills everything of
/// known atoms but where they are. False without memory.
bool sni_molecule_make_atoms(sn_molecule* m);
/// Gives the molecule its bonds, when all atoms are placed: of templates, of the chain, disulfides between the
/// partners (by residue, -1: none), and by distance in hetero groups. False without memory.
bool sni_molecule_bond_atoms(sn_molecule* m, const int32_t* partner);
/// Finds who carries hetero groups and ions. False without memory.
bool sni_molecule_find_carriers(sn_molecule* m);

// ---- asking -------------------------------------------------------------------------------------

/// Type of an atom that the force field knows.
static inline const sni_template_atom* sni_atom_template(const sn_molecule* m, int32_t atom) {
    const sni_atom* a = &m->atoms[atom];
    const sni_residue* r = &m->residues[a->residue];
    if (a->template_atom < 0) return NULL;
    return &sni_template_atoms[sni_templates[r->template_index].first_atom + a->template_atom];
}

/// The atom of a residue by its wwPDB name, as an index into the molecule, or -1.
int32_t sni_residue_atom(const sn_molecule* m, int32_t residue, const char* name);

enum { SN_RESIDUE_LABEL = 40 };
/// "A/12", with insertion code "A/12B", and where a number is used again "A/12#345"; of no other residue.
void sni_residue_label(const sn_molecule* m, int32_t residue, char label[SN_RESIDUE_LABEL]);

/// Bonds of every atom, as indices: those of atom i are at neighbour[first[i]] to neighbour[first[i + 1]].
typedef struct sni_adjacency {
    int32_t* first;     // [atoms + 1]
    int32_t* neighbour; // [2 bonds]
} sni_adjacency;

/// Without disulfides. False without memory; sni_adjacency_free afterwards in any case.
bool sni_adjacency_create(const sn_molecule* m, sni_adjacency* adjacency);
void sni_adjacency_free(sni_adjacency* adjacency);

#endif
