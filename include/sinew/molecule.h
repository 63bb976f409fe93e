// SPDX-License-Identifier: Apache-2.0
/// Molecules: proteins from PDB and mmCIF files or built from a sequence, complete with hydrogens, and the articulated body that
/// they are when bond lengths and angles are kept and only torsions turn.
///
/// An sn_molecule holds atoms in residues in chains, with bonds, and never changes after it was made. An
/// sn_torsion_tree makes rigid groups of its atoms, joined by revolute joints, as an sn_model; it knows on which
/// body each atom sits. Which bonds may turn is a policy.
///
/// Units: nm, ps, u (atomic mass), e, kJ/mol, radians, also in the sn_model of a torsion tree: where a model of a
/// robot has metres, seconds and kilograms, that of a molecule has nm, ps and u, so its forces are in
/// kJ/(mol nm) = 1.66 pN and its energies in kJ/mol (docs/molecules.md). Angstroms appear in files only.
#ifndef SINEW_MOLECULE_H
#define SINEW_MOLECULE_H

#include <stddef.h>

#include "sinew/model.h"
#include "sinew/units.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_molecule sn_molecule;

// ---- from files ---------------------------------------------------------------------------------

typedef struct sn_molecule_read_def {
    bool hetero; ///< keep what the force field does not know, as rigid parts; false: leave it out
    sn_log log;
} sn_molecule_read_def;

/// With hetero groups, no log.
sn_molecule_read_def sn_molecule_read_def_default(void);

/// Whether a word looks like a molecule: a file by its ending (.pdb, .ent, .cif, .mmcif, also behind .gz, to be told what to
/// do), or one that can be built.
bool sn_molecule_is_name(const char* word);

/// Reads a PDB or mmCIF file: the first model, of alternate locations those with most occupancy. Adds hydrogens and side chain
/// atoms that are missing, finds disulfides, decides about histidines. What was added, left out or looks wrong
/// is said through the log with its line. Water is left out.
sn_status sn_molecule_read(const char* path, const sn_molecule_read_def* def,
                           sn_molecule** molecule, sn_error* error);
/// The same from memory; `name` stands for the file in messages.
sn_status sn_molecule_read_memory(const char* text, size_t length, const char* name,
                                  const sn_molecule_read_def* def, sn_molecule** molecule,
                                  sn_error* error);
void sn_molecule_free(sn_molecule* molecule);

// ---- built --------------------------------------------------------------------------------------

/// Shapes of a chain: X(code, letter, name, phi, psi in degrees). omega is 180, phi of proline always -63.
#define SN_FOLD_LIST(X)                                                                            \
    X(SN_FOLD_HELIX, 'H', "helix", -57, -47)                                                       \
    X(SN_FOLD_STRAND, 'E', "strand", -120, 130)                                                    \
    X(SN_FOLD_HELIX_3_10, 'G', "3-10", -49, -26)                                                   \
    X(SN_FOLD_HELIX_PI, 'I', "pi", -57, -70)                                                       \
    X(SN_FOLD_POLYPROLINE, 'P', "polyproline", -75, 145)                                           \
    X(SN_FOLD_EXTENDED, 'X', "extended", 180, 180)

typedef struct sn_molecule_build_def {
    const char* name;     ///< of the molecule
    const char* sequence; ///< one letter a residue
    /// One letter a residue, or one of the names, for all; NULL: helix.
    const char* structure;
    bool capped; ///< ACE before and NME behind; false: charged ends, NH3+ and COO-
} sn_molecule_build_def;

/// No sequence yet; a helix between caps.
sn_molecule_build_def sn_molecule_build_def_default(void);

/// Builds one chain, A, residues from 1 on (with caps from 2 on), with ideal bond lengths and angles.
sn_status sn_molecule_build(const sn_molecule_build_def* def, sn_molecule** molecule,
                            sn_error* error);

/// Whether a word is one of those below.
bool sn_molecule_is_built(const char* text);
/// Builds by name: "ala:20" (polyalanine, twenty residues between caps), "ala:20:strand", or "bacteriorhodopsin": the
/// sequence of the whole chain, 248 residues, as one long helix, which is not how it folds.
sn_status sn_molecule_build_named(const char* text, sn_molecule** molecule, sn_error* error);

/// PDB text of the molecule, with its atoms at `positions` (nm, one for each atom) or, when NULL, where they were
/// when it was made. To be freed with sn_text_free.
sn_status sn_molecule_to_pdb(const sn_molecule* molecule, const sn_vec3* positions, char** text,
                             sn_error* error);

// ---- asking -------------------------------------------------------------------------------------

typedef struct sn_atom_info {
    const char* name;    ///< PDB version 3, "HB2"
    const char* element; ///< "C"
    int residue;
    bool known;    ///< by the force field; hetero groups are not
    sn_vec3 p;     ///< nm
    double mass;   ///< u
    double charge; ///< e
    int line;      ///< in the file it was read from; 0: the file does not have it
} sn_atom_info;

typedef struct sn_residue_info {
    const char* name; ///< as in the file, "HIS"
    const char* form; ///< its template in the force field, "HIE", "NALA"; "" for a hetero group
    int number;
    char insertion; ///< ' ': none
    int chain;
    int first_atom, atom_count;
    bool after_gap; ///< residues before it are missing
} sn_residue_info;

typedef struct sn_chain_info {
    const char* label; ///< id of the file, "A"; "A2" for the second part with that id
    int first_residue, residue_count;
} sn_chain_info;

typedef struct sn_bond_info {
    int a, b; ///< atoms, a < b
    bool
        disulfide; ///< cut in every torsion tree, so that chains can move: held by a spring of the force field
} sn_bond_info;

const char* sn_molecule_name(const sn_molecule* molecule);
int sn_molecule_atom_count(const sn_molecule* molecule);
int sn_molecule_residue_count(const sn_molecule* molecule);
int sn_molecule_chain_count(const sn_molecule* molecule);
int sn_molecule_bond_count(const sn_molecule* molecule);
/// The index must be valid: 0 <= i < count.
sn_atom_info sn_molecule_atom(const sn_molecule* molecule, int atom);
sn_residue_info sn_molecule_residue(const sn_molecule* molecule, int residue);
sn_chain_info sn_molecule_chain(const sn_molecule* molecule, int chain);
sn_bond_info sn_molecule_bond(const sn_molecule* molecule, int bond);
/// u.
double sn_molecule_mass(const sn_molecule* molecule);

#ifdef __cplusplus
}
#endif
#endif
