// SPDX-License-Identifier: Apache-2.0
/// A molecule as an articulated body: bond lengths and angles are kept, bonds of the chosen kinds turn. Atoms between
/// them are rigid groups; the tree of groups, joined by revolute joints, is an sn_model that everything else in Sinew
/// can simulate. Rings stay rigid, disulfides are cut, and held by a spring of the force field or by a rod.
///
/// Coordinate q of a torsion is how far it was turned from where the molecule was made: its dihedral is
/// sn_torsion_info.dihedral + q, counted as IUPAC does. Units as in sinew/molecule.h: nm, ps, u, kJ/mol.
#ifndef SINEW_TORSION_TREE_H
#define SINEW_TORSION_TREE_H

#include "sinew/molecule.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of bonds that can turn: X(code, name, what turns).
#define SN_TORSION_LIST(X)                                                                         \
    X(SN_TORSION_PHI, "phi", "N-CA of the backbone; not in proline, whose ring holds it")          \
    X(SN_TORSION_PSI, "psi", "CA-C of the backbone")                                               \
    X(SN_TORSION_CHI, "chi", "side chains, where atoms other than hydrogen turn")                  \
    X(SN_TORSION_OMEGA, "omega", "the peptide bond C-N")                                           \
    X(SN_TORSION_CHI5, "chi5", "NE-CZ of arginine, nearly a double bond")                          \
    X(SN_TORSION_AMIDE, "amide", "planar NH2")                                                     \
    X(SN_TORSION_HYDROXYL, "hydroxyl", "OH and SH")                                                \
    X(SN_TORSION_AMMONIUM, "ammonium", "NH3")                                                      \
    X(SN_TORSION_METHYL, "methyl", "CH3")

#define SN_TORSION_ENUM(code, name, text) code,
typedef enum sn_torsion_kind { SN_TORSION_LIST(SN_TORSION_ENUM) SN_TORSION_KINDS } sn_torsion_kind;
#undef SN_TORSION_ENUM

/// Which kinds turn: X(code, name, what it is).
#define SN_TORSION_POLICY_LIST(X)                                                                  \
    X(SN_TORSION_POLICY_A, "A", "phi and psi")                                                     \
    X(SN_TORSION_POLICY_B, "B", "phi, psi and chi")                                                \
    X(SN_TORSION_POLICY_C, "C", "B and omega")                                                     \
    X(SN_TORSION_POLICY_D, "D", "B and OH, SH, NH3")                                               \
    X(SN_TORSION_POLICY_E, "E", "D and CH3")                                                       \
    X(SN_TORSION_POLICY_F, "F", "every bond that can turn")

#define SN_TORSION_POLICY_ENUM(code, name, text) code,
typedef enum sn_torsion_policy {
    SN_TORSION_POLICY_LIST(SN_TORSION_POLICY_ENUM) SN_TORSION_POLICIES
} sn_torsion_policy;
#undef SN_TORSION_POLICY_ENUM

const char* sn_torsion_kind_name(sn_torsion_kind kind);
const char* sn_torsion_policy_name(sn_torsion_policy policy);
/// Finds a policy by name, in either case; false when there is none.
bool sn_torsion_policy_find(const char* name, sn_torsion_policy* policy);
/// Whether a kind turns.
bool sn_torsion_policy_has(sn_torsion_policy policy, sn_torsion_kind kind);

/// Radius of the homogeneous spheres that atoms are for their inertia, nm: small beside a bond, large enough that two
/// atoms in a line can be turned in every direction.
#define SN_ATOM_INERTIA_RADIUS 0.01

/// What holds disulfides, which are cut so that the chain can move: X(code, name, what it is).
#define SN_DISULFIDE_LIST(X)                                                                       \
    X(SN_DISULFIDE_SPRING, "spring", "the bond of the force field, 500/cm")                        \
    X(SN_DISULFIDE_BILATERAL, "bilateral", "a rod of the length they have: a loop of the model")

#define SN_DISULFIDE_ENUM(code, name, text) code,
typedef enum sn_disulfide { SN_DISULFIDE_LIST(SN_DISULFIDE_ENUM) SN_DISULFIDES } sn_disulfide;
#undef SN_DISULFIDE_ENUM

typedef struct sn_torsion_tree_def {
    sn_torsion_policy policy;
    sn_disulfide disulfides;
    bool free_base;  ///< the first group of every chain floats; false: it is fixed to the world
    bool open_rings; ///< phi of proline turns, too: its ring is left open between N and CD
    /// Keeps the side chain of the first residue rigid, as the ring of pyroglutamate would be.
    bool rigid_first;
} sn_torsion_tree_def;

/// Policy B, disulfides by springs, fixed base, rings closed.
sn_torsion_tree_def sn_torsion_tree_def_default(void);
/// The same for a molecule. The bacteriorhodopsin of sn_molecule_build_named gets open rings and its first side chain
/// rigid, so that it has 857 torsions as that of [MR07] had: two for each of 248 residues and 361 in side chains.
sn_torsion_tree_def sn_torsion_tree_def_for(const sn_molecule* molecule);

typedef struct sn_torsion_tree sn_torsion_tree;

typedef struct sn_torsion_info {
    const char* name; ///< "A/12 phi"; also the name of its joint and of the body it turns
    sn_torsion_kind kind;
    int residue;
    int atoms
        [4];   ///< of the dihedral; the bond is atoms[1]-atoms[2], atoms[2] on the side that turns
    int group; ///< that turns
    sn_body_id body; ///< the same in the model
    double dihedral; ///< where q = 0, rad, in (-pi, pi]
} sn_torsion_info;

/// The molecule must outlive the tree.
sn_status sn_torsion_tree_create(const sn_molecule* molecule, const sn_torsion_tree_def* def,
                                 sn_torsion_tree** tree, sn_error* error);
void sn_torsion_tree_free(sn_torsion_tree* tree);

const sn_molecule* sn_torsion_tree_molecule(const sn_torsion_tree* tree);
/// Owned by the tree.
const sn_model* sn_torsion_tree_model(const sn_torsion_tree* tree);

int sn_torsion_tree_torsion_count(const sn_torsion_tree* tree);
sn_torsion_info sn_torsion_tree_torsion(const sn_torsion_tree* tree, int torsion);

/// Rigid groups; parents come before their children.
int sn_torsion_tree_group_count(const sn_torsion_tree* tree);
/// The body of a group; the world (-1) for a group that is fixed to it.
sn_body_id sn_torsion_tree_group_body(const sn_torsion_tree* tree, int group);
/// Pose of a group that is fixed to the world; of others, where it is when q = 0.
sn_pose sn_torsion_tree_group_pose(const sn_torsion_tree* tree, int group);

/// The group an atom belongs to, and where it is in that group's frame, nm.
int sn_torsion_tree_atom_group(const sn_torsion_tree* tree, int atom);
sn_vec3 sn_torsion_tree_atom_offset(const sn_torsion_tree* tree, int atom);
/// Where all atoms are when the groups have these poses.
void sn_torsion_tree_place_atoms(const sn_torsion_tree* tree, const sn_pose* X_wg, sn_vec3* p_w);

/// What a hand can hold.
typedef struct sn_molecule_part {
    sn_body_id body; ///< of the model, that carries the atom nearest to its middle
    sn_vec3 point;   ///< nm, its middle of mass in that body, as the molecule was made
    int atom;        ///< that atom
    int still;       ///< torsions inside it: locked, it moves as one piece
} sn_molecule_part;

/// Finds a part by name: an atom "A/12 CA", a residue "A/12", a run of residues "A/10-15". `still` (may be NULL) gets up
/// to `most` of the joints inside. SN_ERR_ARGUMENT with the reason: there is none, or it is fixed to the world.
sn_status sn_torsion_tree_find_part(const sn_torsion_tree* tree, const char* text,
                                    sn_molecule_part* part, sn_body_id* still, int most,
                                    sn_error* error);

/// How many bonds of each kind could turn, whatever the policy: counts[SN_TORSION_KINDS].
sn_status sn_molecule_count_torsions(const sn_molecule* molecule, int* counts, sn_error* error);

#ifdef __cplusplus
}
#endif
#endif
