// SPDX-License-Identifier: Apache-2.0
// Creating a force field for a molecule.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "molecule/field.h"

/// 1/(4 pi epsilon_0), kJ nm / (mol e^2), of CODATA 2018 as OpenMM has it.
static const double COULOMB = 138.935457644382;
/// Two atoms without size are never treated as closer than this when forces are softened, nm.
static const double SOFT_FLOOR = 0.03;
/// A squared distance that no two atoms reach, nm^2; fits a float, and padding is farther away.
static const double NO_CUTOFF2 = 1e28;
/// Without a cut-off all pairs are listed: up to here, some 100 MB.
enum { ATOMS_MAX_WITHOUT_CUTOFF = 30000 };

sn_forcefield_def sn_forcefield_def_default(void) {
    return (sn_forcefield_def){.cutoff = 1.0,
                               .skin = 0.12,
                               .soften = 0.5,
                               .dielectric = SN_DIELECTRIC_VACUUM,
                               .permittivity = 1,
                               .precision = SN_PRECISION_MIXED,
                               .terms = SN_TERM_ALL};
}

sn_forcefield_def sn_forcefield_def_exact(void) {
    sn_forcefield_def def = sn_forcefield_def_default();
    def.cutoff = INFINITY;
    def.soften = 0;
    def.precision = SN_PRECISION_DOUBLE;
    return def;
}

static sn_status check_def(const sn_forcefield_def* def, int32_t atom_count, sn_error* error) {
    const char* wrong = NULL;
    if (!(def->cutoff > 0)) wrong = "the cut-off must be positive, or infinity for none";
    if (!(def->skin >= 0 && def->skin < 10)) wrong = "the skin must be 0 to 10 nm";
    if (!(def->soften >= 0 && def->soften <= 1)) wrong = "soften is a fraction of sigma, 0 to 1";
    if (!(def->permittivity > 0 && isfinite(def->permittivity))) {
        wrong = "the permittivity must be positive";
    }
    if (!isfinite(def->cutoff) && atom_count > ATOMS_MAX_WITHOUT_CUTOFF) {
        wrong = "so many atoms need a cut-off; 1 to 1.2 nm is usual";
    }
    if (wrong) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "force field: %s", wrong);
    return SN_OK;
}

static sni_pair_law law_of(const sn_forcefield_def* def) {
    bool cut = isfinite(def->cutoff);
    double k1 = cut ? 1 / def->cutoff : 0;
    double per_angstrom = def->dielectric == SN_DIELECTRIC_DISTANCE ? 10 : 1; // r/A = 10 r/nm
    return (sni_pair_law){.cutoff2 = cut ? def->cutoff * def->cutoff : NO_CUTOFF2,
                          .k2 = k1 * k1,
                          .k3 = k1 * k1 * k1,
                          .k6 = pow(k1, 6),
                          .soften2 = def->soften * def->soften,
                          .floor2 = def->soften > 0 ? SOFT_FLOOR * SOFT_FLOOR : 0,
                          .dielectric_r = def->dielectric == SN_DIELECTRIC_DISTANCE,
                          .coulomb = COULOMB / (def->permittivity * per_angstrom)};
}

// ---- memory ---------------------------------------------------------------------------------------------

static int32_t round_up(int32_t n, int32_t unit) { return (n + unit - 1) / unit * unit; }

/// Entries of the pair list: all there can be, or three times what a protein's density (110 atoms a nm^3) gives.
static int64_t list_capacity(const sn_forcefield_def* def, int32_t slots) {
    int64_t count_i = slots / SNI_CLUSTER_I, count_j = slots / SNI_CLUSTER_J;
    int64_t all = count_i * (count_j + 1) / 2 + count_i;
    if (!isfinite(def->cutoff)) return all;
    double reach = def->cutoff + def->skin + 0.35; // and the size of two clusters
    double sphere = 4.19 * reach * reach * reach * 110 / SNI_CLUSTER_J / 2;
    return (int64_t)fmin((double)all, (double)count_i * (64 + 3 * sphere));
}

static void lay_out_boxes(sni_arena* arena, int32_t count, sni_boxes* boxes) {
    for (int axis = 0; axis < 3; ++axis) {
        boxes->low[axis] = SN_ARENA_ARRAY(arena, float, count);
        boxes->high[axis] = SN_ARENA_ARRAY(arena, float, count);
    }
}

#define LAY_OUT_LANES(arena, lanes, real, n)                                                       \
    do {                                                                                           \
        (lanes)->x = SN_ARENA_ARRAY(arena, real, n), (lanes)->y = SN_ARENA_ARRAY(arena, real, n);  \
        (lanes)->z = SN_ARENA_ARRAY(arena, real, n);                                               \
        (lanes)->charge = SN_ARENA_ARRAY(arena, real, n);                                          \
        (lanes)->sigma = SN_ARENA_ARRAY(arena, real, n);                                           \
        (lanes)->epsilon = SN_ARENA_ARRAY(arena, real, n);                                         \
        (lanes)->fx = SN_ARENA_ARRAY(arena, real, n);                                              \
        (lanes)->fy = SN_ARENA_ARRAY(arena, real, n);                                              \
        (lanes)->fz = SN_ARENA_ARRAY(arena, real, n);                                              \
    } while (0)

static void lay_out_list(sni_arena* arena, sn_forcefield* field) {
    sni_slots* s = &field->slots;
    // every large part may need padding
    int32_t padding = (field->atom_count / SNI_LARGE_PART + 1) * SNI_CLUSTER_J;
    int32_t n = round_up(field->atom_count + padding, SNI_CLUSTER_J), count_j = n / SNI_CLUSTER_J;
    int32_t supers = round_up(count_j, SNI_CLUSTER_SUPER) / SNI_CLUSTER_SUPER;
    s->part = SN_ARENA_ARRAY(arena, int32_t, n);
    s->group = SN_ARENA_ARRAY(arena, int32_t, n);
    lay_out_boxes(arena, n / SNI_CLUSTER_I, &s->i);
    lay_out_boxes(arena, supers * SNI_CLUSTER_SUPER, &s->j);
    lay_out_boxes(arena, round_up(supers, 8), &s->super);
    s->mask = SN_ARENA_ARRAY(arena, uint32_t, count_j);
    field->mask_count = count_j;
    s->touched = SN_ARENA_ARRAY(arena, int32_t, count_j);
    s->run = SN_ARENA_ARRAY(arena, sni_cluster_pair, count_j);
    field->order = SN_ARENA_ARRAY(arena, int32_t, n);
    field->slot = SN_ARENA_ARRAY(arena, int32_t, n);
    field->list.capacity = list_capacity(&field->def, n);
    field->list.first = SN_ARENA_ARRAY(arena, int32_t, n / SNI_CLUSTER_I + 1);
    field->list.full = SN_ARENA_ARRAY(arena, int32_t, n / SNI_CLUSTER_I);
    field->list.entries = SN_ARENA_ARRAY(arena, sni_cluster_pair, field->list.capacity);
    if (field->def.precision == SN_PRECISION_DOUBLE) {
        LAY_OUT_LANES(arena, &field->twice, double, n);
        s->x = SN_ARENA_ARRAY(arena, float, n), s->y = SN_ARENA_ARRAY(arena, float, n);
        s->z = SN_ARENA_ARRAY(arena, float, n);
    } else {
        LAY_OUT_LANES(arena, &field->single, float, n);
        s->x = field->single.x, s->y = field->single.y, s->z = field->single.z;
    }
}

static void lay_out(sni_arena* arena, sn_forcefield* field, int32_t joint_count) {
    int32_t n = field->atom_count, groups = field->group_count;
    const sni_parameters* terms = &field->parameters;
    field->atoms = SN_ARENA_ARRAY(arena, sni_typed_atom, n);
    field->group = SN_ARENA_ARRAY(arena, int32_t, n);
    field->p_g = SN_ARENA_ARRAY(arena, sn_vec3, n);
    field->p = SN_ARENA_ARRAY(arena, sn_vec3, n);
    field->f = SN_ARENA_ARRAY(arena, sn_vec3, n);
    field->p_list = SN_ARENA_ARRAY(arena, sn_vec3, n);
    field->X_wg = SN_ARENA_ARRAY(arena, sn_pose, groups);
    field->couple = SN_ARENA_ARRAY(arena, sn_wrench, groups);
    field->wrench = SN_ARENA_ARRAY(arena, sn_wrench, groups);
    field->part = SN_ARENA_ARRAY(arena, int32_t, groups);
    field->part_size = SN_ARENA_ARRAY(arena, int32_t, groups);
    field->kept_g = SN_ARENA_ARRAY(arena, sn_wrench, groups);
    field->lead = SN_ARENA_ARRAY(arena, int32_t, groups);
    field->lead_p = SN_ARENA_ARRAY(arena, sn_vec3, groups);
    field->lead_z = SN_ARENA_ARRAY(arena, sn_vec3, groups);
    field->series = SN_ARENA_ARRAY(arena, sni_joint_series, joint_count);
    int32_t counts[SNI_KINDS] = {terms->bond_count, terms->angle_count, terms->torsion_count,
                                 terms->pair_count, joint_count};
    for (int32_t kind = 0; kind < SNI_KINDS; ++kind) {
        field->select[kind].all = SN_ARENA_ARRAY(arena, int32_t, counts[kind]);
        field->select[kind].index = SN_ARENA_ARRAY(arena, int32_t, counts[kind]);
    }
    lay_out_list(arena, field);
}

// ---- creation -------------------------------------------------------------------------------------------

static void copy_input(sn_forcefield* field, const sni_field_input* input) {
    size_t n = (size_t)input->atom_count, groups = (size_t)input->group_count;
    memcpy(field->atoms, input->atoms, sizeof(sni_typed_atom) * n);
    memcpy(field->group, input->group, sizeof(int32_t) * n);
    memcpy(field->p, input->p, sizeof(sn_vec3) * n);
    memcpy(field->X_wg, input->X_wg, sizeof(sn_pose) * groups);
    for (int32_t i = 0; i < input->atom_count; ++i) {
        sn_pose X = input->X_wg[input->group[i]];
        field->p_g[i] = sn_mat3_apply_transposed(X.R, sn_vec3_sub(input->p[i], X.p));
        bool at_origin = sn_vec3_norm(field->p_g[i]) == 0;
        field->single_atoms = field->single_atoms && at_origin;
    }
    for (int32_t g = 0; g < field->group_count; ++g) {
        field->part[g] = field->lead[g] = g;
    }
    sni_slots* s = &field->slots;
    for (int32_t j = 0; j < field->mask_count; ++j) {
        s->mask[j] = SNI_MASK_FULL;
    }
    s->first_excluded = field->parameters.first_excluded;
    s->excluded = field->parameters.excluded;
    s->atom = field->order;
    s->slot = field->slot;
}

/// Terms that are not wanted vanish from the parameters.
static void drop_terms(sni_parameters* terms, int wanted) {
    if (!(wanted & SN_TERM_BOND)) terms->bond_count = 0;
    if (!(wanted & SN_TERM_ANGLE)) terms->angle_count = 0;
    if (!(wanted & SN_TERM_TORSION)) terms->torsion_count = 0;
    for (int32_t i = 0; i < terms->pair_count; ++i) {
        if (!(wanted & SN_TERM_LJ)) terms->pairs[i].epsilon = 0;
        if (!(wanted & SN_TERM_COULOMB)) terms->pairs[i].qq = 0;
    }
}

static sn_status fill(sn_forcefield* field, const sni_field_input* input, sn_error* error) {
    sn_status status = sni_parameters_create(input->atom_count, input->atoms, input->bond_count,
                                             input->bonds, &field->parameters, error);
    if (status) return status;
    drop_terms(&field->parameters, field->def.terms);
    lay_out(&field->arena, field, input->joint_count);
    if (!sni_arena_allocate(&field->arena)) {
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory for the forces of %d atoms",
                        (int)input->atom_count);
    }
    lay_out(&field->arena, field, input->joint_count);
    copy_input(field, input);
    return sni_field_sort_terms(field, input, error);
}

sn_status sni_field_create(const sni_field_input* input, const sn_forcefield_def* def,
                           sn_forcefield** field, sn_error* error) {
    *field = NULL;
    sn_status status = check_def(def, input->atom_count, error);
    if (status) return status;
    sn_forcefield* made = calloc(1, sizeof *made);
    if (!made) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory");
    made->def = *def;
    made->law = made->law_14 = law_of(def);
    made->law_14.k2 = made->law_14.k3 = made->law_14.k6 = 0;
    made->kernel =
        sni_field_kernel_avx2.works() ? &sni_field_kernel_avx2 : &sni_field_kernel_scalar;
    made->atom_count = input->atom_count;
    made->group_count = input->group_count;
    made->single_atoms = input->group_count == input->atom_count;
    status = fill(made, input, error);
    if (status) {
        sn_forcefield_free(made);
        return status;
    }
    *field = made;
    return SN_OK;
}

void sn_forcefield_free(sn_forcefield* field) {
    if (!field) return;
    sni_parameters_free(&field->parameters);
    sni_arena_free(&field->arena);
    free(field);
}

int32_t sn_forcefield_atom_count(const sn_forcefield* field) { return field->atom_count; }
int32_t sn_forcefield_group_count(const sn_forcefield* field) { return field->group_count; }
