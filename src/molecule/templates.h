// SPDX-License-Identifier: Apache-2.0
/// Residues and atoms as the force field knows them: AMBER99SB, plain data (amber99sb.inc, written by
/// tools/make_amber99sb.py).
///
/// A template is a residue at one place of a chain: ALA inside, NALA at its N end, CALA at its C end. Its atoms
/// carry two names: the wwPDB's and the one GROMACS writes (HB2 HB3 there, HB1 HB2 here; CD1, CD; O OXT, OC1 OC2).
/// Units: u, e, nm, kJ/mol, rad. Thread: any; nothing here changes.
#ifndef SN_MOLECULE_TEMPLATES_H
#define SN_MOLECULE_TEMPLATES_H

#include <stdint.h>

/// An atom type ("class") of the force field.
typedef struct sni_atom_type {
    char name[4];
    char element[3];
    double mass;    // u
    double sigma;   // nm; Lorentz-Berthelot: half the sum of two
    double epsilon; // kJ/mol; root of the product of two
} sni_atom_type;

typedef struct sni_template_atom {
    char name[5];  // wwPDB
    char alias[5]; // GROMACS; often the same
    int8_t type;   // in sni_atom_types
    double charge; // e
} sni_template_atom;

typedef struct sni_template_bond {
    int8_t a, b; // atoms of the template, from 0
} sni_template_bond;

/// Where in a chain a template stands.
typedef enum sni_end { SNI_END_NONE, SNI_END_N, SNI_END_C } sni_end;

/// Which of its atoms a template bonds to another residue, -1 for none.
enum { SNI_LINK_PREVIOUS, SNI_LINK_NEXT, SNI_LINK_SIDE, SNI_LINK_COUNT };

typedef struct sni_template {
    char name[5]; // NALA
    char base[5]; // ALA
    sni_end end;
    int16_t first_atom, atom_count; // in sni_template_atoms
    int16_t first_bond, bond_count; // in sni_template_bonds
    int8_t link[SNI_LINK_COUNT];    // N to the residue before, C to the next, SG of a disulfide
} sni_template;

/// One cosine of a torsion: k (1 + cos(periodicity phi - phase)).
typedef struct sni_cosine {
    int8_t periodicity;
    double phase, k;
} sni_cosine;

/// A torsion by the types of its four atoms, -1 for any; of an improper the first is the centre.
typedef struct sni_torsion_type {
    int8_t type[4];
    int16_t first_cosine, cosine_count; // in sni_cosines; none: a specific type without a barrier
} sni_torsion_type;

typedef struct sni_bond_type {
    int8_t type[2];
    double length, k; // nm; kJ/mol/nm^2 in k/2 (r - length)^2
} sni_bond_type;

typedef struct sni_angle_type {
    int8_t type[3];
    double angle, k; // rad; kJ/mol/rad^2 in k/2 (theta - angle)^2
} sni_angle_type;

/// Atoms of hydrogen rules that the residue before has.
enum { SNI_ATOM_NONE = -1, SNI_ATOM_PREVIOUS_C = -2, SNI_ATOM_PREVIOUS_CA = -3 };

/// Where hydrogens go; control[0] is the heavy atom they are on, the others define directions.
///   kind 1: one, in the plane, opposite the bisector of control[1], control[2] (NH, aromatic CH)
///        2: one, hydroxyl: trans to control[2] about control[0]-control[1]
///        3: two, planar: NH2; the first trans to control[2]
///        4: three, tetrahedral: CH3, NH3; the first trans to control[2]
///        5: one, tetrahedral CH with three heavy neighbours control[1..3]
///        6: two, tetrahedral CH2 with two heavy neighbours control[1..2]
typedef struct sni_hydrogen_rule {
    int16_t template_index;
    int8_t kind, count;
    int8_t hydrogen[3]; // atoms of the template
    int8_t control[4];  // the same, or SNI_ATOM_*
} sni_hydrogen_rule;

extern const sni_atom_type sni_atom_types[];
extern const sni_template sni_templates[];
extern const sni_template_atom sni_template_atoms[];
extern const sni_template_bond sni_template_bonds[];
extern const sni_torsion_type sni_propers[], sni_impropers[];
extern const sni_cosine sni_cosines[];
extern const sni_bond_type sni_bond_types[];
extern const sni_angle_type sni_angle_types[];
extern const sni_hydrogen_rule sni_hydrogen_rules[]; // those of a template follow each other
extern const int32_t sni_atom_types_count, sni_templates_count, sni_propers_count,
    sni_impropers_count, sni_bond_types_count, sni_angle_types_count, sni_hydrogen_rules_count;
extern const double sni_scale_14_lj, sni_scale_14_coulomb; // of atoms three bonds apart

/// The template of a residue, by the name without its end (ALA, HIE, CYX, HOH, NA), or -1.
int32_t sni_template_find(const char* base, sni_end end);

/// The atom of a template by its wwPDB name, from 0, or -1.
int32_t sni_template_atom_find(const sni_template* t, const char* name);

/// Which atom of the template each of `count` named atoms is, -1 where none. The naming (wwPDB or GROMACS) that
/// knows more of them is taken; the number it knows is returned.
int32_t sni_template_match(const sni_template* t, int32_t count, const char* const* names,
                           int32_t* atoms);

/// The bond between atoms of two types, or NULL.
const sni_bond_type* sni_bond_type_find(int32_t a, int32_t b);
/// The angle a-b-c between two bonds, by the types of its atoms, or NULL.
const sni_angle_type* sni_angle_type_find(int32_t a, int32_t b, int32_t c);

/// Length of a bond between two types, nm, or 0 when there is none.
double sni_bond_length(int32_t a, int32_t b);
/// Angle a-b-c between two bonds of types, rad, or 0 when there is none.
double sni_bond_angle(int32_t a, int32_t b, int32_t c);

#endif
