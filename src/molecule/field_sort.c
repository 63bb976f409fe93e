// SPDX-License-Identifier: Apache-2.0
// Which terms can change when groups move: bonds and angles of a tree of torsions cannot, torsions about a bond
// that turns depend on one angle only, the rest depend on everything.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "molecule/field.h"

/// Joints by the atoms at their ends.
typedef struct joint_map {
    const sni_atom_pair* joints;
    int32_t* first;  // [atoms + 1]
    int32_t* joint;  // [2 joints]
    int32_t* series; // of a joint; -1: none yet
} joint_map;

static bool create_map(int32_t atom_count, int32_t joint_count, const sni_atom_pair* joints,
                       joint_map* map) {
    map->joints = joints;
    map->first = calloc((size_t)atom_count + 2, sizeof(int32_t));
    map->joint = malloc(sizeof(int32_t) * (2 * (size_t)joint_count + 1));
    map->series = malloc(sizeof(int32_t) * ((size_t)joint_count + 1));
    if (!map->first || !map->joint || !map->series) return false;
    for (int32_t j = 0; j < joint_count; ++j) {
        map->first[joints[j].a + 2]++;
        map->first[joints[j].b + 2]++;
        map->series[j] = -1;
    }
    for (int32_t i = 0; i < atom_count; ++i) {
        map->first[i + 2] += map->first[i + 1];
    }
    for (int32_t j = 0; j < joint_count; ++j) {
        map->joint[map->first[joints[j].a + 1]++] = j;
        map->joint[map->first[joints[j].b + 1]++] = j;
    }
    return true;
}

static void free_map(joint_map* map) {
    free(map->first);
    free(map->joint);
    free(map->series);
}

/// Whether an atom keeps its place in the frame of a group: it is of the group, or on the axis of a joint to it.
static bool stays_with(const sn_forcefield* field, const joint_map* map, int32_t atom,
                       int32_t group) {
    if (field->group[atom] == group) return true;
    for (int32_t k = map->first[atom]; k < map->first[atom + 1]; ++k) {
        sni_atom_pair joint = map->joints[map->joint[k]];
        int32_t other = joint.a == atom ? joint.b : joint.a;
        if (field->group[other] == group) return true;
    }
    return false;
}

/// Whether all atoms of a term keep their places in the frame of one group. atoms: -1 for none.
static bool is_constant(const sn_forcefield* field, const joint_map* map, const int32_t atoms[4]) {
    for (int32_t k = 0; k < 4 && atoms[k] >= 0; ++k) {
        bool all = true;
        for (int32_t m = 0; m < 4 && atoms[m] >= 0; ++m) {
            all = all && stays_with(field, map, atoms[m], field->group[atoms[k]]);
        }
        if (all) return true;
    }
    return false;
}

// ---- joint series ---------------------------------------------------------------------------------------

/// The joint between two atoms, or -1.
static int32_t joint_between(const joint_map* map, int32_t a, int32_t b) {
    for (int32_t k = map->first[a]; k < map->first[a + 1]; ++k) {
        sni_atom_pair joint = map->joints[map->joint[k]];
        if (joint.a == b || joint.b == b) return map->joint[k];
    }
    return -1;
}

static double angle_of(const sn_forcefield* field, int32_t a, int32_t b, int32_t c, int32_t d) {
    const sn_vec3* p = field->p;
    sni_dihedral phi = sni_dihedral_of(p[a], p[b], p[c], p[d]);
    return atan2(phi.sine, phi.cosine);
}

/// Adds a torsion to the series of its joint, if it is about one and its ends stay with the groups there.
static bool add_to_series(sn_forcefield* field, joint_map* map, const sni_torsion_term* t) {
    int32_t joint = joint_between(map, t->b, t->c);
    if (joint < 0 || t->n < 1 || t->n > SNI_HARMONICS ||
        !stays_with(field, map, t->a, field->group[t->b]) ||
        !stays_with(field, map, t->d, field->group[t->c])) {
        return false;
    }
    if (map->series[joint] < 0) {
        map->series[joint] = field->series_count;
        field->series[field->series_count++] =
            (sni_joint_series){.a = t->a, .b = t->b, .c = t->c, .d = t->d};
    }
    sni_joint_series* s = &field->series[map->series[joint]];
    double offset =
        t->n * (angle_of(field, t->a, t->b, t->c, t->d) - angle_of(field, s->a, s->b, s->c, s->d)) -
        t->phase;
    s->e0 += t->k;
    s->C[t->n - 1] += t->k * cos(offset);
    s->S[t->n - 1] += t->k * sin(offset);
    return true;
}

// ---- terms ----------------------------------------------------------------------------------------------

static void choose(sni_selection* s, int32_t term) { s->all[s->count++] = term; }

static bool is_rod(const sni_field_input* input, int32_t a, int32_t b) {
    for (int32_t i = 0; i < input->rod_count; ++i) {
        sni_atom_pair rod = input->rods[i];
        if ((rod.a == a && rod.b == b) || (rod.a == b && rod.b == a)) return true;
    }
    return false;
}

static void sort_bonds_and_angles(sn_forcefield* field, const joint_map* map,
                                  const sni_field_input* input) {
    const sni_parameters* t = &field->parameters;
    for (int32_t i = 0; i < t->bond_count; ++i) {
        const sni_bond_term* bond = &t->bonds[i];
        const int32_t atoms[4] = {bond->a, bond->b, -1, -1};
        if (is_constant(field, map, atoms) || is_rod(input, bond->a, bond->b)) {
            field->constant.bond += sni_bond_energy(bond, field->p, field->f);
        } else {
            choose(&field->select[SNI_KIND_BOND], i);
        }
    }
    for (int32_t i = 0; i < t->angle_count; ++i) {
        const sni_angle_term* angle = &t->angles[i];
        const int32_t atoms[4] = {angle->a, angle->b, angle->c, -1};
        if (is_constant(field, map, atoms)) {
            field->constant.angle += sni_angle_energy(angle, field->p, field->f);
        } else {
            choose(&field->select[SNI_KIND_ANGLE], i);
        }
    }
}

static void sort_torsions(sn_forcefield* field, joint_map* map) {
    const sni_parameters* t = &field->parameters;
    for (int32_t i = 0; i < t->torsion_count; ++i) {
        const sni_torsion_term* torsion = &t->torsions[i];
        const int32_t atoms[4] = {torsion->a, torsion->b, torsion->c, torsion->d};
        if (is_constant(field, map, atoms)) {
            field->constant.torsion += sni_torsion_energy(torsion, field->p, field->f);
        } else if (!add_to_series(field, map, torsion)) {
            choose(&field->select[SNI_KIND_TORSION], i);
        }
    }
    for (int32_t i = 0; i < field->series_count; ++i) {
        choose(&field->select[SNI_KIND_SERIES], i);
    }
}

static void sort_pairs(sn_forcefield* field, const joint_map* map) {
    const sni_parameters* t = &field->parameters;
    for (int32_t i = 0; i < t->pair_count; ++i) {
        const int32_t atoms[4] = {t->pairs[i].a, t->pairs[i].b, -1, -1};
        if (is_constant(field, map, atoms)) {
            sni_pair_energy e = sni_scaled_energy(&field->law_14, &t->pairs[i], field->p, field->f);
            field->constant.lj_14 += e.lj;
            field->constant.coulomb_14 += e.coulomb;
        } else {
            choose(&field->select[SNI_KIND_PAIR], i);
        }
    }
}

/// What the atoms of each group do to each other without being bonded.
static bool sum_inside_groups(sn_forcefield* field) {
    sni_field_make_list(field, SNI_LIST_WITHIN_GROUPS);
    sni_pair_totals totals;
    sni_field_sum_pairs(field, &totals);
    field->constant.lj_nonbonded = totals.energy.lj;
    field->constant.coulomb_nonbonded = totals.energy.coulomb;
    return !field->list.overflow;
}

sn_status sni_field_sort_terms(sn_forcefield* field, const sni_field_input* input,
                               sn_error* error) {
    joint_map map = {0};
    sn_status status = SN_OK;
    if (!create_map(field->atom_count, input->joint_count, input->joints, &map)) {
        status = sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory for terms");
    } else {
        sort_bonds_and_angles(field, &map, input);
        sort_torsions(field, &map);
        sort_pairs(field, &map);
        sni_field_select(field);
        if (!sum_inside_groups(field)) {
            status = sni_fail(error, SN_ERR_CAPACITY, sni_nowhere(),
                              "atoms are packed too densely for the cut-off of %g nm; do they lie "
                              "on top of each other?",
                              field->def.cutoff);
        }
    }
    free_map(&map);
    return status;
}
