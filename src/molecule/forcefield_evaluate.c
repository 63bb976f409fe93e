// SPDX-License-Identifier: Apache-2.0
// One evaluation: atoms to their places, a new list when they have gone far, sums, wrenches.
#include <math.h>
#include <string.h>

#include "molecule/field.h"

/// Groups of a part may differ by so much, nm or rad, from where they were to each other: rounding of kinematics.
static const double RIGID_ENOUGH = 1e-8;

// ---- places ---------------------------------------------------------------------------------------------

static void place_groups(sn_forcefield* field, const sn_pose* X_wg) {
    if (X_wg != field->X_wg) {
        memcpy(field->X_wg, X_wg, sizeof(sn_pose) * (size_t)field->group_count);
    }
    for (int32_t i = 0; i < field->atom_count; ++i) {
        field->p[i] = sn_pose_apply(X_wg[field->group[i]], field->p_g[i]);
    }
}

static bool all_finite(int32_t count, const sn_vec3* v) {
    double sum = 0; // NaN and infinity survive a sum of zeros
    for (int32_t i = 0; i < count; ++i) {
        sum += v[i].x * 0 + v[i].y * 0 + v[i].z * 0;
    }
    return sum == 0;
}

/// Whether an atom has moved so far since the list was made, seen from group 0, that a pair may be missing.
static bool list_is_old(const sn_forcefield* field) {
    if (!field->listed) return true;
    if (!isfinite(field->def.cutoff)) return false; // all pairs are listed
    double limit = 0.25 * field->def.skin * field->def.skin, most = 0;
    sn_pose X_w0 = field->X_wg[0];
    for (int32_t i = 0; i < field->atom_count; ++i) {
        sn_vec3 d = sn_vec3_sub(field->p[i], sn_pose_apply(X_w0, field->p_list[i]));
        most = fmax(most, sn_vec3_dot(d, d));
    }
    return !(most < limit);
}

static void remember_places(sn_forcefield* field) {
    for (int32_t i = 0; i < field->atom_count; ++i) {
        sn_vec3 d = sn_vec3_sub(field->p[i], field->X_wg[0].p);
        field->p_list[i] = sn_mat3_apply_transposed(field->X_wg[0].R, d);
    }
}

// ---- sums -----------------------------------------------------------------------------------------------

static void start_sums(sn_forcefield* field) {
    memset(field->f, 0, sizeof(sn_vec3) * (size_t)field->atom_count);
    memset(field->couple, 0, sizeof(sn_wrench) * (size_t)field->group_count);
}

/// Forces and couples as wrenches about the origins of groups, world axes.
static void sum_wrenches(const sn_forcefield* field, sn_wrench* wrench_w) {
    memcpy(wrench_w, field->couple, sizeof(sn_wrench) * (size_t)field->group_count);
    for (int32_t i = 0; i < field->atom_count; ++i) {
        sn_wrench* w = &wrench_w[field->group[i]];
        sn_vec3 arm = sn_vec3_sub(field->p[i], field->X_wg[field->group[i]].p);
        w->f = sn_vec3_add(w->f, field->f[i]);
        w->n = sn_vec3_add(w->n, sn_vec3_cross(arm, field->f[i]));
    }
}

void sn_forcefield_energy_add(sn_forcefield_energy* sum, const sn_forcefield_energy* other) {
    sum->bond += other->bond;
    sum->angle += other->angle;
    sum->torsion += other->torsion;
    sum->lj_nonbonded += other->lj_nonbonded;
    sum->lj_14 += other->lj_14;
    sum->coulomb_nonbonded += other->coulomb_nonbonded;
    sum->coulomb_14 += other->coulomb_14;
    sum->total += other->total;
}

/// Forces, and with energy not NULL energies and overlaps.
static void sum_all(sn_forcefield* field, bool active, sn_forcefield_energy* energy,
                    int64_t* overlaps) {
    sn_forcefield_energy sum = {0};
    sni_pair_totals pairs = {0};
    start_sums(field);
    sni_field_sum_pairs(field, energy ? &pairs : NULL);
    sni_field_sum_terms(field, active, &sum);
    if (!energy) return;
    sum.lj_nonbonded = pairs.energy.lj;
    sum.coulomb_nonbonded = pairs.energy.coulomb;
    *energy = sum;
    *overlaps = pairs.overlaps;
}

/// A group as the lead of its part sees it: origin, and a direction that no axis of a joint is likely to have.
static void seen_from_lead(const sn_forcefield* field, int32_t g, sn_vec3* p, sn_vec3* z) {
    const sn_vec3 direction = {0.6, 0.48, 0.64};
    sn_pose X_wl = field->X_wg[field->lead[g]], X_wg = field->X_wg[g];
    *p = sn_mat3_apply_transposed(X_wl.R, sn_vec3_sub(X_wg.p, X_wl.p));
    *z = sn_mat3_apply_transposed(X_wl.R, sn_mat3_apply(X_wg.R, direction));
}

/// Whether a part is not as rigid as was promised: somebody has moved a joint that should be at rest.
static bool parts_are_broken(const sn_forcefield* field) {
    double most = 0;
    for (int32_t g = 0; g < field->group_count; ++g) {
        if (field->lead[g] == g) continue;
        sn_vec3 p, z;
        seen_from_lead(field, g, &p, &z);
        p = sn_vec3_sub(p, field->lead_p[g]);
        z = sn_vec3_sub(z, field->lead_z[g]);
        most = fmax(most, sn_vec3_dot(p, p) + sn_vec3_dot(z, z));
    }
    return !(most < RIGID_ENOUGH * RIGID_ENOUGH);
}

static void find_leads(sn_forcefield* field) {
    int32_t* first = field->part_size; // of a part; scratch
    for (int32_t g = 0; g < field->group_count; ++g) first[g] = -1;
    for (int32_t g = 0; g < field->group_count; ++g) {
        int32_t part = field->part[g];
        if (first[part] < 0) first[part] = g;
        field->lead[g] = first[part];
        seen_from_lead(field, g, &field->lead_p[g], &field->lead_z[g]);
    }
}

/// What groups of one part do to each other, in the frames of the groups.
static void keep_sums(sn_forcefield* field, sn_wrench* scratch_w) {
    find_leads(field);
    sni_field_select(field);
    sni_field_make_list(field, SNI_LIST_WITHIN_PARTS);
    sum_all(field, false, &field->kept, &field->kept_overlaps);
    sum_wrenches(field, scratch_w);
    for (int32_t g = 0; g < field->group_count; ++g) {
        sn_mat3 R = field->X_wg[g].R;
        field->kept_g[g] = sn_wrench_make(sn_mat3_apply_transposed(R, scratch_w[g].n),
                                          sn_mat3_apply_transposed(R, scratch_w[g].f));
    }
    field->parts_changed = field->listed = false;
}

/// A list that fits where atoms are; false when it does not fit into memory.
static bool renew_list(sn_forcefield* field, sn_wrench* scratch_w, bool* rebuilt) {
    if (field->parts_changed || parts_are_broken(field)) {
        keep_sums(field, scratch_w);
        if (field->list.overflow) return false;
    }
    *rebuilt = list_is_old(field);
    if (*rebuilt) {
        sni_field_make_list(field, SNI_LIST_BETWEEN_PARTS);
        remember_places(field);
        field->listed = !field->list.overflow;
    }
    return field->listed;
}

static void tell(const sn_forcefield* field, const sn_forcefield_energy* energy, int64_t overlaps,
                 bool rebuilt, sn_forcefield_report* report) {
    sn_forcefield_energy* e = &report->energy;
    *e = *energy;
    sn_forcefield_energy_add(e, &field->constant);
    sn_forcefield_energy_add(e, &field->kept);
    e->total = e->bond + e->angle + e->torsion + e->lj_nonbonded + e->lj_14 + e->coulomb_nonbonded +
               e->coulomb_14;
    report->overlaps = (int32_t)fmin((double)(overlaps + field->kept_overlaps), INT32_MAX);
    report->rebuilt = rebuilt;
    report->listed_pairs =
        (int64_t)field->list.first[field->list.count_i] * SNI_CLUSTER_I * SNI_CLUSTER_J;
}

/// With atoms in place: forces in field->f and couples, wrench_w only as scratch.
static sn_status evaluate_placed(sn_forcefield* field, sn_wrench* wrench_w,
                                 sn_forcefield_report* report) {
    bool rebuilt;
    if (!all_finite(field->atom_count, field->p)) return SN_ERR_NUMERIC;
    if (!renew_list(field, wrench_w, &rebuilt)) return SN_ERR_CAPACITY;
    sn_forcefield_energy energy;
    int64_t overlaps;
    sum_all(field, true, report ? &energy : NULL, &overlaps);
    if (report) tell(field, &energy, overlaps, rebuilt, report);
    return all_finite(field->atom_count, field->f) ? SN_OK : SN_ERR_NUMERIC;
}

sn_status sn_forcefield_evaluate(sn_forcefield* field, const sn_pose* X_wg, sn_wrench* wrench_w,
                                 sn_forcefield_report* report) {
    if (!field || !X_wg || !wrench_w) return SN_ERR_ARGUMENT;
    place_groups(field, X_wg);
    sn_status status = evaluate_placed(field, wrench_w, report);
    if (status) {
        memset(wrench_w, 0, sizeof(sn_wrench) * (size_t)field->group_count);
        return status;
    }
    sum_wrenches(field, wrench_w);
    for (int32_t g = 0; g < field->group_count; ++g) {
        sn_mat3 R = X_wg[g].R;
        wrench_w[g].n = sn_vec3_add(wrench_w[g].n, sn_mat3_apply(R, field->kept_g[g].n));
        wrench_w[g].f = sn_vec3_add(wrench_w[g].f, sn_mat3_apply(R, field->kept_g[g].f));
    }
    return SN_OK;
}

sn_status sn_forcefield_evaluate_atoms(sn_forcefield* field, const sn_vec3* p_w, sn_vec3* f_w,
                                       sn_forcefield_report* report) {
    if (!field || !p_w || !f_w || !field->single_atoms) return SN_ERR_ARGUMENT;
    for (int32_t i = 0; i < field->atom_count; ++i) {
        field->X_wg[i].p = p_w[i];
    }
    sn_status status = sn_forcefield_evaluate(field, field->X_wg, field->wrench, report);
    for (int32_t i = 0; i < field->atom_count; ++i) {
        f_w[i] = field->wrench[i].f;
    }
    return status;
}

void sn_forcefield_set_parts(sn_forcefield* field, const int32_t* part) {
    for (int32_t g = 0; g < field->group_count; ++g) {
        field->part[g] = part ? part[g] : g;
    }
    field->parts_changed = true;
    field->order_age = 0;
}

void sni_field_forget(sn_forcefield* field) {
    for (int32_t g = 0; g < field->group_count; ++g) {
        field->part[g] = field->lead[g] = g;
        field->kept_g[g] = (sn_wrench){0};
    }
    field->kept = (sn_forcefield_energy){0};
    field->kept_overlaps = 0;
    field->parts_changed = field->listed = false;
    field->order_age = 0;
    sni_field_select(field);
}

const sn_vec3* sn_forcefield_atom_positions(const sn_forcefield* field) { return field->p; }
