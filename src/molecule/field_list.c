// SPDX-License-Identifier: Apache-2.0
// The pair list of a field, and sums over it.
#include <math.h>
#include <string.h>

#include "molecule/field.h"
#include "molecule/templates.h"

/// Rounding of positions in single precision must not lose a pair at the very edge, nm.
static const double RANGE_MARGIN = 1e-4;

/// Boxes of no cluster are nowhere: as far as the square of a float goes.
static const float NOWHERE = 1e18f;

static void box_of(const sni_slots* s, int32_t first, int32_t count, const sni_boxes* boxes,
                   int32_t k) {
    const float* at[3] = {s->x, s->y, s->z};
    for (int axis = 0; axis < 3; ++axis) {
        float low = NOWHERE, high = -NOWHERE;
        for (int32_t i = first; i < first + count && i < s->count; ++i) {
            if (s->atom[i] < 0) continue;
            low = fminf(low, at[axis][i]);
            high = fmaxf(high, at[axis][i]);
        }
        boxes->low[axis][k] = low;
        boxes->high[axis][k] = low < NOWHERE ? high : NOWHERE;
    }
}

static void make_boxes(sni_slots* s) {
    for (int32_t k = 0; k < s->count / SNI_CLUSTER_I; ++k) {
        box_of(s, k * SNI_CLUSTER_I, SNI_CLUSTER_I, &s->i, k);
    }
    int32_t count_j = s->count / SNI_CLUSTER_J;
    int32_t supers = (count_j + SNI_CLUSTER_SUPER - 1) / SNI_CLUSTER_SUPER;
    for (int32_t k = 0; k < supers * SNI_CLUSTER_SUPER; ++k) {
        box_of(s, k * SNI_CLUSTER_J, SNI_CLUSTER_J, &s->j, k);
    }
    for (int32_t k = 0; k < (supers + 7) / 8 * 8; ++k) {
        box_of(s, k * SNI_CLUSTER_J * SNI_CLUSTER_SUPER, SNI_CLUSTER_J * SNI_CLUSTER_SUPER,
               &s->super, k);
    }
}

/// Where atoms are, seen from the middle of the molecule's first atom, so that single precision serves well.
static void place_atoms(sn_forcefield* field) {
    sn_vec3 origin = field->p[field->atom_count / 2];
    bool twice = field->def.precision == SN_PRECISION_DOUBLE;
    for (int32_t slot = 0; slot < field->slots.count; ++slot) {
        if (field->order[slot] < 0) continue;
        sn_vec3 d = sn_vec3_sub(field->p[field->order[slot]], origin);
        if (twice) {
            field->twice.x[slot] = d.x, field->twice.y[slot] = d.y, field->twice.z[slot] = d.z;
        } else {
            field->single.x[slot] = (float)d.x, field->single.y[slot] = (float)d.y;
            field->single.z[slot] = (float)d.z;
        }
    }
}

static void set_constants(sn_forcefield* field, int32_t slot, int32_t atom) {
    double charge = 0, sigma = 0, epsilon = 0;
    if (atom >= 0 && field->atoms[atom].type >= 0) {
        const sni_atom_type* type = &sni_atom_types[field->atoms[atom].type];
        charge = field->def.terms & SN_TERM_COULOMB
                     ? field->atoms[atom].charge * sqrt(field->law.coulomb)
                     : 0;
        epsilon = field->def.terms & SN_TERM_LJ ? sqrt(12 * type->epsilon) : 0;
        sigma = 0.5 * SNI_SIGMA_SCALE * type->sigma;
    }
    if (field->def.precision == SN_PRECISION_DOUBLE) {
        field->twice.charge[slot] = charge;
        field->twice.sigma[slot] = sigma;
        field->twice.epsilon[slot] = epsilon;
    } else {
        field->single.charge[slot] = (float)charge;
        field->single.sigma[slot] = (float)sigma;
        field->single.epsilon[slot] = (float)epsilon;
    }
}

/// Padding is nowhere near anything, nor near other padding: it counts for nothing without being asked about.
static const float PADDING = 1e14f; // nm, times up to 10^5 slots

static void set_padding(sn_forcefield* field, int32_t slot) {
    float x = PADDING * (float)(1 + slot);
    field->slots.x[slot] = x;
    if (field->def.precision == SN_PRECISION_DOUBLE) field->twice.x[slot] = (double)x;
    field->slots.group[slot] = field->slots.part[slot] = -1 - slot;
}

/// Appends padding up to a whole cluster of eight.
static int32_t pad(sn_forcefield* field, int32_t count) {
    while (count % SNI_CLUSTER_J) field->order[count++] = -1;
    return count;
}

/// Puts atoms in order. Those of a large part are among themselves: a cluster of them has no pairs that count with
/// another of them, and the list need not have it.
static void order_atoms(sn_forcefield* field) {
    int32_t count = 0;
    memset(field->part_size, 0, sizeof(int32_t) * (size_t)field->group_count);
    for (int32_t i = 0; i < field->atom_count; ++i) {
        field->part_size[field->part[field->group[i]]]++;
    }
    for (int32_t part = 0; part <= field->group_count; ++part) {
        bool rest = part == field->group_count; // small parts, all together
        if (!rest && field->part_size[part] < SNI_LARGE_PART) continue;
        int32_t first = count;
        for (int32_t i = 0; i < field->atom_count; ++i) {
            int32_t own = field->part[field->group[i]];
            bool here = rest ? field->part_size[own] < SNI_LARGE_PART : own == part;
            if (here) field->order[count++] = i;
        }
        sni_clusters_sort(field->p, field->order + first, count - first);
        count = pad(field, count);
    }
    field->slots.count = count;
    field->list.count_i = count / SNI_CLUSTER_I;
}

/// Puts atoms in order, and what kernels know of them in the same order.
static void put_in_order(sn_forcefield* field) {
    order_atoms(field);
    for (int32_t slot = 0; slot < field->slots.count; ++slot) {
        int32_t atom = field->order[slot];
        set_constants(field, slot, atom);
        if (atom < 0) {
            set_padding(field, slot);
        } else {
            field->slot[atom] = slot;
            field->slots.group[slot] = field->group[atom];
        }
    }
}

/// Atoms keep their order for so many lists: they move little from one to the next.
enum { ORDER_AGE_MAX = 16 };

void sni_field_make_list(sn_forcefield* field, sni_list_kind kind) {
    sni_slots* s = &field->slots;
    if (field->order_age == 0 || field->order_age == ORDER_AGE_MAX) {
        put_in_order(field);
        field->order_age = 0;
    }
    field->order_age++;
    for (int32_t slot = 0; slot < s->count; ++slot) {
        if (field->order[slot] >= 0) s->part[slot] = field->part[s->group[slot]];
    }
    place_atoms(field);
    if (field->def.precision == SN_PRECISION_DOUBLE) {
        for (int32_t slot = 0; slot < s->count; ++slot) {
            s->x[slot] = (float)field->twice.x[slot];
            s->y[slot] = (float)field->twice.y[slot];
            s->z[slot] = (float)field->twice.z[slot];
        }
    }
    make_boxes(s);
    double range = field->def.cutoff + field->def.skin + RANGE_MARGIN;
    field->kernel->list(s, kind, isfinite(range) ? (float)range : NOWHERE, &field->list);
}

void sni_field_sum_pairs(sn_forcefield* field, sni_pair_totals* totals) {
    size_t count = (size_t)field->slots.count;
    place_atoms(field);
    if (field->def.precision == SN_PRECISION_DOUBLE) {
        sni_lanes_double* l = &field->twice;
        memset(l->fx, 0, sizeof(double) * count);
        memset(l->fy, 0, sizeof(double) * count);
        memset(l->fz, 0, sizeof(double) * count);
        field->kernel->sum_double(&field->list, &field->law, l, totals);
        for (int32_t i = 0; i < field->atom_count; ++i) {
            int32_t slot = field->slot[i];
            sn_vec3* f = &field->f[i];
            *f = sn_vec3_add(*f, sn_vec3_make(l->fx[slot], l->fy[slot], l->fz[slot]));
        }
    } else {
        sni_lanes_single* l = &field->single;
        memset(l->fx, 0, sizeof(float) * count);
        memset(l->fy, 0, sizeof(float) * count);
        memset(l->fz, 0, sizeof(float) * count);
        field->kernel->sum_single(&field->list, &field->law, l, totals);
        for (int32_t i = 0; i < field->atom_count; ++i) {
            int32_t slot = field->slot[i];
            sn_vec3* f = &field->f[i];
            *f = sn_vec3_add(
                *f, sn_vec3_make((double)l->fx[slot], (double)l->fy[slot], (double)l->fz[slot]));
        }
    }
}
