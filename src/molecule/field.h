// SPDX-License-Identifier: Apache-2.0
/// Inside of a force field: terms with few atoms, pairs of clusters, and the kernels that go over them.
///
/// Atoms have two orders: that of the molecule ("atom") and that of the clusters ("slot", 4 or 8 to a cluster), which
/// is chosen anew with every pair list. The list is flat: for every cluster of four a run of clusters of eight with a
/// mask of the pairs that count. Pairs whose atoms move together, because they are in one rigid group or in groups
/// of one part, are not in it.
#ifndef SN_MOLECULE_FIELD_H
#define SN_MOLECULE_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "molecule/clusters.h"
#include "molecule/parameters.h"
#include "molecule/terms.h"
#include "sinew/forcefield.h"

// ---- what a field is made from ------------------------------------------------------------------------

typedef struct sni_field_input {
    int32_t atom_count, bond_count, group_count, joint_count;
    const sni_typed_atom* atoms;
    const sni_atom_pair* bonds;
    const sn_vec3* p;     ///< positions of atoms in the world, nm
    const int32_t* group; ///< of each atom
    const sn_pose* X_wg;  ///< of each group, where atoms are at p
    const sni_atom_pair*
        joints; ///< bonds that turn: a in one group, b in the other, both on the axis
    int32_t rod_count;
    const sni_atom_pair* rods; ///< bonds between groups that something else keeps at their length
} sni_field_input;

sn_status sni_field_create(const sni_field_input* input, const sn_forcefield_def* def,
                           sn_forcefield** field, sn_error* error);

// ---- pairs of clusters ----------------------------------------------------------------------------------

/// A cluster of eight beside a cluster of four: bit 8 row + lane of the mask is set when the pair counts.
typedef struct sni_cluster_pair {
    int32_t j;
    uint32_t mask;
} sni_cluster_pair;

#define SNI_MASK_FULL 0xffffffffu

typedef struct sni_pair_list {
    int32_t count_i; ///< clusters of four
    int32_t* first;  ///< [count_i + 1] in entries
    int32_t* full;   ///< [count_i] from here on to the end of its run masks are full
    sni_cluster_pair* entries;
    int64_t capacity;
    bool overflow; ///< did not fit: the list is not complete
} sni_pair_list;

/// Boxes of clusters, one array per side, in whole vectors.
typedef struct sni_boxes {
    float *low[3], *high[3];
} sni_boxes;

/// What a list is made of: everything by slot, padded to whole clusters of eight.
typedef struct sni_slots {
    int32_t count;         ///< multiple of 8; changes with the order of atoms
    int32_t *part, *group; ///< each its own negative number for padding
    float *x, *y, *z;      ///< nm, from an origin near the molecule
    sni_boxes i, j, super;
    /// Excluded partners of a slot's atom, as slots.
    const int32_t *first_excluded, *excluded; ///< by atom
    const int32_t* atom;                      ///< of a slot; -1: padding
    const int32_t* slot;                      ///< of an atom
    uint32_t* mask;                           ///< [clusters of eight] scratch
    int32_t* touched;                         ///< likewise
    sni_cluster_pair* run;                    ///< likewise
} sni_slots;

/// Which pairs a list shall have.
typedef enum sni_list_kind {
    SNI_LIST_BETWEEN_PARTS, ///< atoms of different parts
    SNI_LIST_WITHIN_PARTS,  ///< atoms of one part but different groups
    SNI_LIST_WITHIN_GROUPS  ///< atoms of one group
} sni_list_kind;

// ---- sums over pairs ------------------------------------------------------------------------------------

/// Sixth root of 2, so that the sixth power of a sum of two is 2 sigma^6.
#define SNI_SIGMA_SCALE 1.122462048309373

#define SNI_LANES(real)                                                                            \
    struct {                                                                                       \
        real *x, *y, *z;    /* nm */                                                               \
        real* charge;       /* e times the root of Coulomb's constant */                           \
        real* sigma;        /* half, nm, times SNI_SIGMA_SCALE */                                  \
        real* epsilon;      /* root of twelve times epsilon */                                     \
        real *fx, *fy, *fz; /* kJ/(mol nm) */                                                      \
    }
typedef SNI_LANES(float) sni_lanes_single;
typedef SNI_LANES(double) sni_lanes_double;

typedef struct sni_pair_totals {
    sni_pair_energy energy;
    int64_t overlaps;
} sni_pair_totals;

/// Code for one kind of machine.
typedef struct sni_field_kernel {
    bool (*works)(void);
    const char* name;
    void (*list)(const sni_slots* slots, sni_list_kind kind, float range, sni_pair_list* list);
    /// Adds to the forces in the lanes, which must be zero.
    /// totals NULL: only forces.
    void (*sum_single)(const sni_pair_list* list, const sni_pair_law* law, sni_lanes_single* lanes,
                       sni_pair_totals* totals);
    void (*sum_double)(const sni_pair_list* list, const sni_pair_law* law, sni_lanes_double* lanes,
                       sni_pair_totals* totals);
} sni_field_kernel;

extern const sni_field_kernel sni_field_kernel_scalar;
extern const sni_field_kernel sni_field_kernel_avx2; ///< does not work on other machines

// ---- the field ------------------------------------------------------------------------------------------

/// Atoms from which on a part has clusters of its own.
enum { SNI_LARGE_PART = 64, SNI_HARMONICS = 6 };

/// All torsions about one bond that turns, as a function of one dihedral a-b-c-d about it: bond lengths and angles
/// being fixed, the others differ from it by constants. E = e0 + sum C_n cos n phi - S_n sin n phi.
typedef struct sni_joint_series {
    int32_t a, b, c, d;
    double e0, C[SNI_HARMONICS], S[SNI_HARMONICS]; ///< of n = 1 and up
} sni_joint_series;

/// Numbers of terms, those that are evaluated in every call first.
typedef struct sni_selection {
    int32_t* all;   ///< in their order
    int32_t* index; ///< those of every call in the same order, then the others
    int32_t count, active;
} sni_selection;

enum { SNI_KIND_BOND, SNI_KIND_ANGLE, SNI_KIND_TORSION, SNI_KIND_PAIR, SNI_KIND_SERIES, SNI_KINDS };

struct sn_forcefield {
    sni_arena arena;
    sn_forcefield_def def;
    sni_pair_law law, law_14; ///< of pairs, of those three bonds apart
    const sni_field_kernel* kernel;
    int32_t atom_count, group_count;
    sni_parameters parameters;
    int32_t series_count;
    sni_joint_series* series;
    sni_selection select[SNI_KINDS];
    sn_forcefield_energy constant; ///< of terms that no motion changes

    // by atom
    sni_typed_atom* atoms;
    int32_t* group;
    sn_vec3 *p_g, *p, *f;
    sn_vec3* p_list; ///< where they were when the list was made, in the frame of group 0
    // by group
    sn_pose* X_wg;
    sn_wrench* couple; ///< of joint series, in this evaluation
    sn_wrench* wrench; ///< for forces on single atoms
    int32_t* part;
    int32_t* part_size; ///< in atoms; scratch
    sn_wrench* kept_g;  ///< what groups of one part do to each other, in the group's frame
    int32_t* lead;      ///< first group of the same part
    sn_vec3 *lead_p,
        *lead_z; ///< origin and a direction of the group in the lead's frame, when sums were kept
    sn_forcefield_energy kept;
    int64_t kept_overlaps;
    bool parts_changed;

    bool single_atoms;  ///< every group is one atom that does not turn
    bool listed;        ///< there is a pair list
    int32_t mask_count; ///< of slots.mask
    int32_t order_age;  ///< lists made since atoms were put in order; 0: they are not
    int32_t *order, *slot;
    sni_slots slots;
    sni_pair_list list;
    sni_lanes_single single;
    sni_lanes_double twice;
};

/// Makes the pair list and puts it in use: new order of atoms, lanes filled with their constants.
void sni_field_make_list(sn_forcefield* field, sni_list_kind kind);
/// Forces of the listed pairs, added to field->f. totals may be NULL: then they take a third less time.
void sni_field_sum_pairs(sn_forcefield* field, sni_pair_totals* totals);
/// Forces of terms with few atoms, added to field->f, those of joint series to field->couple. active: those of every
/// call; otherwise those that parts keep.
void sni_field_sum_terms(sn_forcefield* field, bool active, sn_forcefield_energy* energy);
/// Looks at all terms once, with atoms in place: finds joint series, sums what is constant, and puts the others into
/// selections.
sn_status sni_field_sort_terms(sn_forcefield* field, const sni_field_input* input, sn_error* error);
/// As after creation: no list, no parts.
void sni_field_forget(sn_forcefield* field);
/// Sorts terms into those of every call and those that parts keep.
void sni_field_select(sn_forcefield* field);

#endif
