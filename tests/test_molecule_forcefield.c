// SPDX-License-Identifier: Apache-2.0
// The force field against the oracle that sums all pairs, on random chains; precisions, machines and kept sums
// against each other; what is refused.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/forcefield.h"
#include "support/check.h"
#include "support/peptide.h"

/// Differences of long double energies with h = 1e-6 nm: truncation h^2/6 times a third derivative that, next to
/// the cut-off of softening, is a jump: h/r0 times the force. Relative to the largest force of the molecule.
static const double TOL_GRADIENT = 1e-6;
/// Single precision for a pair (12th power of a distance known to 1e-7), relative to the largest force.
static const double TOL_MIXED = 2e-5;

static sn_forcefield* create(const peptide* m, const sn_forcefield_def* def) {
    sn_forcefield* field = NULL;
    sn_error error = {0};
    sn_status status = sni_field_create(&m->input, def, &field, &error);
    if (status) check_context(error.text);
    CHECK_STATUS(status, SN_OK);
    return field;
}

/// One of the ways to compute, by number.
static sn_forcefield_def variant(int32_t k) {
    sn_forcefield_def def = sn_forcefield_def_exact();
    if (k % 2) def.cutoff = 0.7;
    if (k / 2 % 2) def.dielectric = SN_DIELECTRIC_DISTANCE, def.permittivity = 4;
    if (k / 4 % 2) def.soften = 0.8;
    return def;
}
enum { VARIANTS = 8 };

static void check_energies(const sn_forcefield_energy* e, const oracle_energy* o, uint64_t seed) {
    real total = oracle_energy_total(o);
    CHECK_RELATIVE(e->bond, o->bond, TOL_CHAIN, seed);
    CHECK_RELATIVE(e->angle, o->angle, TOL_CHAIN, seed);
    CHECK_RELATIVE(e->torsion, o->torsion, TOL_CHAIN, seed);
    CHECK_NEAR(e->lj_14, o->lj_14, TOL_SOLVE * fabs((double)total), seed);
    CHECK_NEAR(e->coulomb_14, o->coulomb_14, TOL_SOLVE * fabs((double)total), seed);
    CHECK_NEAR(e->lj_nonbonded, o->lj_nonbonded, TOL_SOLVE * fabs((double)total), seed);
    CHECK_NEAR(e->coulomb_nonbonded, o->coulomb_nonbonded, TOL_SOLVE * fabs((double)total), seed);
    CHECK_NEAR(e->total, total, TOL_SOLVE * fabs((double)total), seed);
}

static void energies_are_the_oracle_s_and_forces_their_gradient(void** state) {
    (void)state;
    for (int32_t k = 0; k < VARIANTS; k++) {
        uint64_t seed = test_case_seed(1, (uint64_t)k);
        peptide* m = peptide_random(seed, 5);
        int32_t n = m->input.atom_count;
        sn_forcefield_def def = variant(k);
        sn_forcefield* field = create(m, &def);
        sn_vec3* f = malloc(sizeof(sn_vec3) * (size_t)n);
        sn_forcefield_report report;
        CHECK_STATUS(sn_forcefield_evaluate_atoms(field, m->p, f, &report), SN_OK);
        real *p = malloc(sizeof(real) * 3 * (size_t)n),
             *expected = malloc(sizeof(real) * 3 * (size_t)n);
        for (int32_t i = 0; i < 3 * n; i++) p[i] = (&m->p[0].x)[i];
        oracle_energy e = oracle_forcefield(&field->parameters, m->atoms, &def, p);
        check_energies(&report.energy, &e, seed);
        for (int32_t i = 0; i < n; i++) {
            oracle_force(&field->parameters, m->atoms, &def, p, i, expected + 3 * i);
        }
        CHECK_VECTOR(&f[0].x, expected, 3 * n, TOL_GRADIENT, seed);
        free(p);
        free(expected);
        free(f);
        sn_forcefield_free(field);
        peptide_free(m);
    }
}

// ---- rigid groups ---------------------------------------------------------------------------------------

/// Torque about every joint, positive when it turns the far side forward, from wrenches on groups.
static void torques(const peptide* m, const sn_wrench* wrench_w, double* torque) {
    int32_t groups = m->input.group_count;
    bool* far = calloc((size_t)groups, sizeof(bool));
    for (int32_t j = 0; j < m->input.joint_count; j++) {
        sn_vec3 a = m->p[m->joints[j].a], b = m->p[m->joints[j].b], sum = sn_vec3_zero();
        memset(far, 0, sizeof(bool) * (size_t)groups);
        far[m->group[m->joints[j].b]] = true;
        for (int32_t k = j + 1; k < m->input.joint_count; k++) {
            if (far[m->parent[k]]) far[m->group[m->joints[k].b]] = true;
        }
        for (int32_t g = 0; g < groups; g++) {
            if (!far[g]) continue;
            sn_vec3 arm = sn_vec3_sub(m->X_wg[g].p, a);
            sum = sn_vec3_add(sum, sn_vec3_add(wrench_w[g].n, sn_vec3_cross(arm, wrench_w[g].f)));
        }
        sn_vec3 axis = sn_vec3_sub(b, a);
        torque[j] = sn_vec3_dot(sum, axis) / sn_vec3_norm(axis);
    }
    free(far);
}

/// The same molecule with single atoms at the same places: forces on them, as wrenches on the groups.
static double atomic_wrenches(const peptide* m, const sn_forcefield_def* def, sn_wrench* wrench_w) {
    int32_t n = m->input.atom_count;
    peptide loose = *m;
    int32_t* group = malloc(sizeof(int32_t) * (size_t)n);
    sn_pose* poses = malloc(sizeof(sn_pose) * (size_t)n);
    sn_vec3* f = malloc(sizeof(sn_vec3) * (size_t)n);
    for (int32_t i = 0; i < n; i++) {
        group[i] = i;
        poses[i] = (sn_pose){sn_mat3_identity(), m->p[i]};
    }
    loose.input.group = group;
    loose.input.X_wg = poses;
    loose.input.group_count = n;
    loose.input.joint_count = 0;
    sn_forcefield* field = create(&loose, def);
    sn_forcefield_report report;
    CHECK_STATUS(sn_forcefield_evaluate_atoms(field, m->p, f, &report), SN_OK);
    memset(wrench_w, 0, sizeof(sn_wrench) * (size_t)m->input.group_count);
    for (int32_t i = 0; i < n; i++) {
        sn_wrench* w = &wrench_w[m->group[i]];
        sn_vec3 arm = sn_vec3_sub(m->p[i], m->X_wg[m->group[i]].p);
        w->f = sn_vec3_add(w->f, f[i]);
        w->n = sn_vec3_add(w->n, sn_vec3_cross(arm, f[i]));
    }
    sn_forcefield_free(field);
    free(group);
    free(poses);
    free(f);
    return report.energy.total;
}

static void torques_of_rigid_groups_are_those_of_their_atoms(void** state) {
    (void)state;
    for (int32_t k = 0; k < VARIANTS; k++) {
        uint64_t seed = test_case_seed(2, (uint64_t)k);
        peptide* m = peptide_random(seed, 12);
        peptide_cut(m, seed, k < 4 ? 1 : 0.5);
        sn_forcefield_def def = variant(k);
        sn_forcefield* field = create(m, &def);
        size_t groups = (size_t)m->input.group_count, joints = (size_t)m->input.joint_count;
        CHECK(joints > 10, seed);
        sn_wrench *ours = malloc(sizeof(sn_wrench) * groups),
                  *theirs = malloc(sizeof(sn_wrench) * groups);
        double *a = malloc(sizeof(double) * joints), *b = malloc(sizeof(double) * joints);
        for (int32_t step = 0; step < 3; step++) {
            sn_forcefield_report report;
            CHECK_STATUS(sn_forcefield_evaluate(field, m->X_wg, ours, &report), SN_OK);
            double total = atomic_wrenches(m, &def, theirs);
            CHECK_RELATIVE(report.energy.total, total, TOL_SOLVE, seed);
            torques(m, ours, a);
            torques(m, theirs, b);
            CHECK_VECTOR(a, b, (int)joints, TOL_SOLVE, seed);
            peptide_twist(m, seed + (uint64_t)step, 0.3);
        }
        free(ours), free(theirs), free(a), free(b);
        sn_forcefield_free(field);
        peptide_free(m);
    }
}

/// Differences of the energy when one joint turns.
static void torques_are_slopes_of_the_energy(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(3, 0);
    peptide* m = peptide_random(seed, 8);
    peptide_cut(m, seed, 0.7);
    sn_forcefield_def def = variant(5);
    sn_forcefield* field = create(m, &def);
    size_t groups = (size_t)m->input.group_count;
    int32_t joints = m->input.joint_count;
    sn_wrench* w = malloc(sizeof(sn_wrench) * groups);
    sn_pose* start = malloc(sizeof(sn_pose) * groups);
    double *torque = malloc(sizeof(double) * (size_t)joints),
           *slope = malloc(sizeof(double) * (size_t)joints);
    sn_forcefield_report report;
    CHECK_STATUS(sn_forcefield_evaluate(field, m->X_wg, w, &report), SN_OK);
    torques(m, w, torque);
    memcpy(start, m->X_wg, sizeof(sn_pose) * groups);
    const double h = 1e-5; // rad
    for (int32_t j = 0; j < joints; j++) {
        double energy[2];
        for (int32_t side = 0; side < 2; side++) {
            sn_vec3 a = m->p[m->joints[j].a];
            sn_vec3 axis = sn_vec3_sub(m->p[m->joints[j].b], a);
            double angle = (side ? h : -h) / sn_vec3_norm(axis);
            sn_mat3 R = sn_quat_matrix(sn_quat_exp(sn_vec3_scale(angle, axis)));
            bool* far = calloc(groups, sizeof(bool));
            far[m->group[m->joints[j].b]] = true;
            for (int32_t k = j + 1; k < joints; k++) {
                if (far[m->parent[k]]) far[m->group[m->joints[k].b]] = true;
            }
            memcpy(m->X_wg, start, sizeof(sn_pose) * groups);
            for (size_t g = 0; g < groups; g++) {
                if (!far[g]) continue;
                m->X_wg[g].R = sn_mat3_mul(R, start[g].R);
                m->X_wg[g].p = sn_vec3_add(a, sn_mat3_apply(R, sn_vec3_sub(start[g].p, a)));
            }
            CHECK_STATUS(sn_forcefield_evaluate(field, m->X_wg, w, &report), SN_OK);
            energy[side] = report.energy.total;
            free(far);
        }
        slope[j] = (energy[0] - energy[1]) / (2 * h);
    }
    CHECK_VECTOR(torque, slope, joints, TOL_GRADIENT, seed);
    free(w), free(start), free(torque), free(slope);
    sn_forcefield_free(field);
    peptide_free(m);
}

// ---- lists ----------------------------------------------------------------------------------------------

static void a_kept_list_gives_what_a_new_one_gives(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(4, 0);
    peptide* m = peptide_random(seed, 40);
    peptide_cut(m, seed, 0.8);
    sn_forcefield_def def = variant(1);
    def.skin = 0.2;
    sn_forcefield* kept = create(m, &def);
    size_t groups = (size_t)m->input.group_count;
    sn_wrench *a = malloc(sizeof(sn_wrench) * groups), *b = malloc(sizeof(sn_wrench) * groups);
    int32_t rebuilt = 0;
    for (int32_t step = 0; step < 30; step++) {
        sn_forcefield_report with_kept, with_new;
        sn_forcefield* fresh = create(m, &def);
        CHECK_STATUS(sn_forcefield_evaluate(kept, m->X_wg, a, &with_kept), SN_OK);
        CHECK_STATUS(sn_forcefield_evaluate(fresh, m->X_wg, b, &with_new), SN_OK);
        // the new field rounds places in its groups anew: 1e-16 nm, times 13/0.1 nm in the force of a close pair
        CHECK_RELATIVE(with_kept.energy.total, with_new.energy.total, TOL_SOLVE, seed);
        CHECK_VECTOR(&a[0].n.x, &b[0].n.x, 6 * (int)groups, TOL_SOLVE, seed);
        rebuilt += with_kept.rebuilt;
        sn_forcefield_free(fresh);
        peptide_twist(m, seed + (uint64_t)step, 0.004);
    }
    CHECK(rebuilt > 1 && rebuilt < 30, seed);
    free(a), free(b);
    sn_forcefield_free(kept);
    peptide_free(m);
}

static void a_molecule_that_moves_as_a_whole_keeps_its_list(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(5, 0);
    peptide* m = peptide_random(seed, 10);
    peptide_cut(m, seed, 1);
    sn_forcefield_def def = sn_forcefield_def_default();
    sn_forcefield* field = create(m, &def);
    sn_wrench* w = malloc(sizeof(sn_wrench) * (size_t)m->input.group_count);
    sn_forcefield_report report;
    CHECK_STATUS(sn_forcefield_evaluate(field, m->X_wg, w, &report), SN_OK);
    double energy = report.energy.total;
    sn_mat3 R = sn_quat_matrix(sn_quat_exp(sn_vec3_make(0.3, -0.4, 0.5)));
    for (int32_t g = 0; g < m->input.group_count; g++) {
        m->X_wg[g] = sn_pose_mul(sn_pose_make(R, sn_vec3_make(3, 2, -5)), m->X_wg[g]);
    }
    CHECK_STATUS(sn_forcefield_evaluate(field, m->X_wg, w, &report), SN_OK);
    CHECK(!report.rebuilt, seed);
    CHECK_RELATIVE(report.energy.total, energy, TOL_MIXED, seed);
    free(w);
    sn_forcefield_free(field);
    peptide_free(m);
}

/// Parts: everything beyond one joint in the middle, and the rest; moved as such.
static void sums_kept_for_parts_are_the_sums(void** state) {
    (void)state;
    for (int32_t k = 0; k < VARIANTS; k++) {
        uint64_t seed = test_case_seed(6, (uint64_t)k);
        peptide* m = peptide_random(seed, 15);
        peptide_cut(m, seed, 0.8);
        sn_forcefield_def def = variant(k);
        sn_forcefield *whole = create(m, &def), *parted = create(m, &def);
        int32_t groups = m->input.group_count, joints = m->input.joint_count;
        int32_t* part = calloc((size_t)groups, sizeof *part);
        sn_wrench *a = malloc(sizeof(sn_wrench) * (size_t)groups),
                  *b = malloc(sizeof(sn_wrench) * (size_t)groups);
        int32_t middle = joints / 2;
        part[m->group[m->joints[middle].b]] = 1;
        for (int32_t j = middle + 1; j < joints; j++) {
            if (part[m->parent[j]]) part[m->group[m->joints[j].b]] = 1;
        }
        sn_forcefield_set_parts(parted, part);
        for (int32_t step = 0; step < 4; step++) {
            sn_forcefield_report ra, rb;
            CHECK_STATUS(sn_forcefield_evaluate(whole, m->X_wg, a, &ra), SN_OK);
            CHECK_STATUS(sn_forcefield_evaluate(parted, m->X_wg, b, &rb), SN_OK);
            CHECK_RELATIVE(rb.energy.total, ra.energy.total, TOL_SOLVE, seed);
            CHECK_VECTOR(&b[0].n.x, &a[0].n.x, 6 * groups, TOL_SOLVE, seed);
            if (isfinite(def.cutoff)) CHECK(rb.listed_pairs < ra.listed_pairs, seed);
            sn_vec3 at = m->p[m->joints[middle].a];
            sn_vec3 axis = sn_vec3_sub(m->p[m->joints[middle].b], at);
            sn_mat3 R = sn_quat_matrix(sn_quat_exp(sn_vec3_scale(1, axis)));
            for (int32_t g = 0; g < groups; g++) {
                if (!part[g]) continue;
                sn_vec3 arm = sn_vec3_sub(m->X_wg[g].p, at);
                m->X_wg[g] = sn_pose_make(sn_mat3_mul(R, m->X_wg[g].R),
                                          sn_vec3_add(at, sn_mat3_apply(R, arm)));
            }
        }
        sn_forcefield_set_parts(parted, NULL);
        CHECK_STATUS(sn_forcefield_evaluate(whole, m->X_wg, a, NULL), SN_OK);
        CHECK_STATUS(sn_forcefield_evaluate(parted, m->X_wg, b, NULL), SN_OK);
        CHECK_VECTOR(&b[0].n.x, &a[0].n.x, 6 * groups, TOL_SOLVE, seed);
        free(part), free(a), free(b);
        sn_forcefield_free(whole);
        sn_forcefield_free(parted);
        peptide_free(m);
    }
}

// ---- precisions and machines ----------------------------------------------------------------------------

static void mixed_precision_and_every_kernel_agree_with_double(void** state) {
    (void)state;
    const sni_field_kernel* kernels[] = {&sni_field_kernel_scalar, &sni_field_kernel_avx2};
    for (int32_t k = 0; k < VARIANTS; k++) {
        uint64_t seed = test_case_seed(7, (uint64_t)k);
        peptide* m = peptide_random(seed, 30);
        int32_t n = m->input.atom_count;
        sn_forcefield_def def = variant(k);
        sn_forcefield* exact = create(m, &def);
        exact->kernel = &sni_field_kernel_scalar;
        sn_vec3 *a = malloc(sizeof(sn_vec3) * (size_t)n), *b = malloc(sizeof(sn_vec3) * (size_t)n);
        sn_forcefield_report ra, rb;
        CHECK_STATUS(sn_forcefield_evaluate_atoms(exact, m->p, a, &ra), SN_OK);
        for (int32_t c = 0; c < 4; c++) {
            if (!kernels[c % 2]->works()) continue;
            def.precision = c < 2 ? SN_PRECISION_DOUBLE : SN_PRECISION_MIXED;
            double tolerance = c < 2 ? TOL_CHAIN : TOL_MIXED;
            sn_forcefield* field = create(m, &def);
            field->kernel = kernels[c % 2];
            CHECK_STATUS(sn_forcefield_evaluate_atoms(field, m->p, b, &rb), SN_OK);
            CHECK_RELATIVE(rb.energy.total, ra.energy.total, tolerance, seed);
            CHECK(rb.overlaps == ra.overlaps, seed);
            CHECK_VECTOR(&b[0].x, &a[0].x, 3 * n, tolerance, seed);
            sn_forcefield_free(field);
        }
        free(a), free(b);
        sn_forcefield_free(exact);
        peptide_free(m);
    }
}

static void the_same_call_gives_the_same_bits(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(8, 0);
    peptide* m = peptide_random(seed, 20);
    sn_forcefield_def def = sn_forcefield_def_default();
    sn_forcefield *one = create(m, &def), *two = create(m, &def);
    size_t size = sizeof(sn_vec3) * (size_t)m->input.atom_count;
    sn_vec3 *a = malloc(size), *b = malloc(size);
    CHECK_STATUS(sn_forcefield_evaluate_atoms(one, m->p, a, NULL), SN_OK);
    CHECK_STATUS(sn_forcefield_evaluate_atoms(two, m->p, b, NULL), SN_OK);
    CHECK(memcmp(a, b, size) == 0, seed);
    free(a), free(b);
    sn_forcefield_free(one);
    sn_forcefield_free(two);
    peptide_free(m);
}

// ---- bad input ------------------------------------------------------------------------------------------

static void atoms_on_top_of_each_other_are_told_and_forces_bounded(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(9, 0);
    peptide* m = peptide_random(seed, 10);
    int32_t n = m->input.atom_count;
    sn_vec3* f = malloc(sizeof(sn_vec3) * (size_t)n);
    m->p[n - 1] = m->p[3]; // far apart along the chain
    m->X_wg[n - 1].p = m->p[3];
    sn_forcefield_def def = sn_forcefield_def_default();
    def.terms = SN_TERM_LJ | SN_TERM_COULOMB;
    sn_forcefield_report report;
    sn_forcefield* field = create(m, &def);
    CHECK_STATUS(sn_forcefield_evaluate_atoms(field, m->p, f, &report), SN_OK);
    CHECK(report.overlaps >= 1, seed);
    for (int32_t i = 0; i < 3 * n; i++) CHECK(fabs((&f[0].x)[i]) < 1e8, seed);
    sn_forcefield_free(field);
    def = sn_forcefield_def_exact();
    field = create(m, &def);
    f[0].x = 1;
    CHECK_STATUS(sn_forcefield_evaluate_atoms(field, m->p, f, &report), SN_ERR_NUMERIC);
    CHECK(f[0].x == 0, seed);
    sn_forcefield_free(field);
    free(f);
    peptide_free(m);
}

static void numbers_that_are_not_finite_stop_at_the_door(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(10, 0);
    peptide* m = peptide_random(seed, 4);
    sn_forcefield_def def = sn_forcefield_def_default();
    sn_forcefield* field = create(m, &def);
    sn_vec3* f = malloc(sizeof(sn_vec3) * (size_t)m->input.atom_count);
    double good = m->p[5].y;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int32_t k = 0; k < 3; k++) {
        m->p[5].y = bad[k];
        CHECK_STATUS(sn_forcefield_evaluate_atoms(field, m->p, f, NULL), SN_ERR_NUMERIC);
    }
    m->p[5].y = good;
    CHECK_STATUS(sn_forcefield_evaluate_atoms(field, m->p, f, NULL), SN_OK); // nothing is latched
    CHECK_STATUS(sn_forcefield_evaluate_atoms(NULL, m->p, f, NULL), SN_ERR_ARGUMENT);
    free(f);
    sn_forcefield_free(field);
    peptide_free(m);
}

static void check_refused(const peptide* m, sn_forcefield_def def, sn_status status,
                          const char* text) {
    sn_forcefield* field = (sn_forcefield*)&def; // must be overwritten
    sn_error error = {0};
    CHECK_STATUS(sni_field_create(&m->input, &def, &field, &error), status);
    CHECK(field == NULL, 0);
    check_context(error.text);
    CHECK(strstr(error.text, text) != NULL, 0);
}

static void what_makes_no_sense_is_refused_with_a_reason(void** state) {
    (void)state;
    peptide* m = peptide_random(test_case_seed(11, 0), 4);
    sn_forcefield_def def = sn_forcefield_def_default();
    def.cutoff = 0;
    check_refused(m, def, SN_ERR_ARGUMENT, "cut-off");
    def = sn_forcefield_def_default();
    def.soften = NAN;
    check_refused(m, def, SN_ERR_ARGUMENT, "soften");
    def = sn_forcefield_def_default();
    def.permittivity = -1;
    check_refused(m, def, SN_ERR_ARGUMENT, "permittivity");
    def = sn_forcefield_def_default();
    m->bonds[m->input.bond_count++] = (sni_atom_pair){1, m->input.atom_count - 1};
    check_refused(m, def, SN_ERR_MODEL, "no parameters for a bond");
    peptide_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energies_are_the_oracle_s_and_forces_their_gradient),
        cmocka_unit_test(torques_of_rigid_groups_are_those_of_their_atoms),
        cmocka_unit_test(torques_are_slopes_of_the_energy),
        cmocka_unit_test(a_kept_list_gives_what_a_new_one_gives),
        cmocka_unit_test(a_molecule_that_moves_as_a_whole_keeps_its_list),
        cmocka_unit_test(sums_kept_for_parts_are_the_sums),
        cmocka_unit_test(mixed_precision_and_every_kernel_agree_with_double),
        cmocka_unit_test(the_same_call_gives_the_same_bits),
        cmocka_unit_test(atoms_on_top_of_each_other_are_told_and_forces_bounded),
        cmocka_unit_test(numbers_that_are_not_finite_stop_at_the_door),
        cmocka_unit_test(what_makes_no_sense_is_refused_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
