// SPDX-License-Identifier: Apache-2.0
// Rigid groups and torsions of molecules: how many, what they turn, and that nothing else moves.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "sinew/dynamics.h"
#include "sinew/torsion_tree.h"
#include "support/molecules.h"

static const double PI = 3.14159265358979323846;

static sn_torsion_tree* tree_of(const sn_molecule* m, sn_torsion_policy policy, bool free_base) {
    sn_torsion_tree_def def = sn_torsion_tree_def_default();
    sn_torsion_tree* tree;
    sn_error error;
    def.policy = policy;
    def.free_base = free_base;
    CHECK_STATUS(sn_torsion_tree_create(m, &def, &tree, &error), SN_OK);
    return tree;
}

/// Atoms where the model's joints have these coordinates.
static void place_atoms(const sn_torsion_tree* tree, const double* q, sn_vec3* p) {
    const sn_model* model = sn_torsion_tree_model(tree);
    int groups = sn_torsion_tree_group_count(tree);
    sn_pose* X = calloc((size_t)groups, sizeof *X);
    double* v = calloc((size_t)sn_model_nv(model), sizeof *v);
    sn_dynamics* dynamics;
    sn_error error;
    CHECK_STATUS(sn_dynamics_create(model, NULL, &dynamics, &error), SN_OK);
    CHECK_STATUS(sn_dynamics_kinematics(dynamics, q, v), SN_OK);
    for (int g = 0; g < groups; g++) {
        sn_body_id body = sn_torsion_tree_group_body(tree, g);
        X[g] = body.i < 0 ? sn_torsion_tree_group_pose(tree, g) : sn_dynamics_pose(dynamics, body);
    }
    sn_torsion_tree_place_atoms(tree, X, p);
    sn_dynamics_free(dynamics);
    free(v);
    free(X);
}

static double dihedral(const sn_vec3* p, const int* a) {
    sn_vec3 b1 = sn_vec3_sub(p[a[1]], p[a[0]]), b2 = sn_vec3_sub(p[a[2]], p[a[1]]),
            b3 = sn_vec3_sub(p[a[3]], p[a[2]]);
    sn_vec3 n1 = sn_vec3_cross(b1, b2), n2 = sn_vec3_cross(b2, b3);
    return atan2(sn_vec3_norm(b2) * sn_vec3_dot(b1, n2), sn_vec3_dot(n1, n2));
}

static double distance(const sn_vec3* p, int a, int b) {
    return sn_vec3_norm(sn_vec3_sub(p[a], p[b]));
}

static void check_turning(const sn_molecule* m, sn_torsion_policy policy, uint64_t seed) {
    sn_torsion_tree* tree = tree_of(m, policy, false);
    int n = sn_molecule_atom_count(m), nq = sn_model_nq(sn_torsion_tree_model(tree));
    double* q = calloc((size_t)nq, sizeof *q);
    sn_vec3* p = calloc((size_t)n, sizeof *p);
    sni_rng rng = {seed};
    place_atoms(tree, q, p);
    for (int i = 0; i < n; i++) CHECK(distance(p, i, i) == 0, seed); // finite
    for (int i = 0; i < n; i++)
        CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(p[i], sn_molecule_atom(m, i).p)), 0, TOL_CHAIN, seed);
    for (int i = 0; i < nq; i++) q[i] = sni_rng_uniform(&rng, -3, 3);
    place_atoms(tree, q, p);
    for (int i = 0; i < sn_torsion_tree_torsion_count(tree); i++) {
        sn_torsion_info t = sn_torsion_tree_torsion(tree, i);
        double turned = dihedral(p, t.atoms) - t.dihedral -
                        q[sn_model_body(sn_torsion_tree_model(tree), t.body).iq];
        CHECK_NEAR(remainder(turned, 2 * PI), 0, 1e-9, seed);
        CHECK(strcmp(t.name, sn_model_body(sn_torsion_tree_model(tree), t.body).name) == 0, seed);
    }
    for (int i = 0; i < sn_molecule_bond_count(m); i++) {
        sn_bond_info b = sn_molecule_bond(m, i);
        double before =
            sn_vec3_norm(sn_vec3_sub(sn_molecule_atom(m, b.a).p, sn_molecule_atom(m, b.b).p));
        if (!b.disulfide) CHECK_NEAR(distance(p, b.a, b.b), before, 1e-11, seed);
    }
    free(q);
    free(p);
    sn_torsion_tree_free(tree);
}

static void turning_changes_a_dihedral_by_its_coordinate_and_no_bond(void** state) {
    (void)state;
    sn_molecule* m = read_molecule(ALA_ALA, NULL, NULL);
    for (int policy = 0; policy < SN_TORSION_POLICIES; policy++)
        check_turning(m, (sn_torsion_policy)policy, test_case_seed(1, (uint64_t)policy));
    sn_molecule_free(m);
}

static void the_same_in_crambin(void** state) {
    (void)state;
    sn_molecule* m = read_shared_molecule("proteins/1crn.pdb");
    for (int policy = 0; policy < SN_TORSION_POLICIES; policy++)
        check_turning(m, (sn_torsion_policy)policy, test_case_seed(2, (uint64_t)policy));
    sn_molecule_free(m);
}

static void two_alanines_between_caps_have_four_backbone_torsions(void** state) {
    (void)state;
    static const int expected[SN_TORSION_POLICIES] = {4, 4, 7, 4, 8, 11};
    sn_molecule* m = read_molecule(ALA_ALA, NULL, NULL);
    for (int policy = 0; policy < SN_TORSION_POLICIES; policy++) {
        sn_torsion_tree* tree = tree_of(m, (sn_torsion_policy)policy, true);
        CHECK(sn_torsion_tree_torsion_count(tree) == expected[policy], (uint64_t)policy);
        CHECK(sn_model_nv(sn_torsion_tree_model(tree)) == expected[policy] + 6, (uint64_t)policy);
        sn_torsion_tree_free(tree);
    }
    sn_torsion_tree* tree = tree_of(m, SN_TORSION_POLICY_B, false);
    static const char* const names[] = {"A/2 phi", "A/2 psi", "A/3 phi", "A/3 psi"};
    for (int i = 0; i < 4; i++)
        CHECK(strcmp(sn_torsion_tree_torsion(tree, i).name, names[i]) == 0, (uint64_t)i);
    sn_torsion_tree_free(tree);
    sn_molecule_free(m);
}

static void groups_have_the_mass_of_their_atoms_and_can_be_turned_every_way(void** state) {
    (void)state;
    sn_molecule* m = read_molecule(ALA_ALA, NULL, NULL);
    for (int policy = 0; policy < SN_TORSION_POLICIES; policy++) {
        sn_torsion_tree* tree = tree_of(m, (sn_torsion_policy)policy, true);
        const sn_model* model = sn_torsion_tree_model(tree);
        CHECK_RELATIVE(sn_model_mass(model), sn_molecule_mass(m), TOL_CHAIN, 0);
        for (int i = 0; i < sn_model_body_count(model); i++) {
            sn_mat3 I = sn_model_body(model, sn_body(i)).inertia.I;
            sn_vec3 a = sn_mat3_row(I, 0), b = sn_mat3_row(I, 1), c = sn_mat3_row(I, 2);
            double two = a.x * b.y - a.y * b.x, three = sn_vec3_dot(a, sn_vec3_cross(b, c));
            CHECK(a.x > 0 && two > 0 && three > 0, (uint64_t)i); // positive definite
        }
        sn_torsion_tree_free(tree);
    }
    sn_molecule_free(m);
}

static void counts_of_crambin_and_bacteriorhodopsin(void** state) {
    (void)state;
    static const struct {
        const char* path;
        int kinds[SN_TORSION_KINDS]; // phi psi chi omega chi5 amide hydroxyl ammonium methyl
        int policies[SN_TORSION_POLICIES];
    } cases[] = {
        {"proteins/1crn.pdb", {41, 46, 53, 45, 2, 7, 10, 0, 27}, {87, 140, 185, 150, 177, 231}},
        {"proteins/1c3w.pdb",
         {213, 222, 333, 220, 7, 19, 37, 6, 188},
         {435, 768, 988, 811, 999, 1245}},
        {"proteins/ala20_helix_capped.pdb",
         {20, 20, 0, 21, 0, 0, 0, 0, 22},
         {40, 40, 61, 40, 62, 83}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sn_molecule* m = read_shared_molecule(cases[i].path);
        int counts[SN_TORSION_KINDS];
        sn_error error;
        CHECK_STATUS(sn_molecule_count_torsions(m, counts, &error), SN_OK);
        CHECK(memcmp(counts, cases[i].kinds, sizeof counts) == 0, i);
        for (int policy = 0; policy < SN_TORSION_POLICIES; policy++) {
            sn_torsion_tree* tree = tree_of(m, (sn_torsion_policy)policy, false);
            CHECK(sn_torsion_tree_torsion_count(tree) == cases[i].policies[policy], i);
            CHECK(sn_torsion_tree_group_count(tree) == cases[i].policies[policy] + 1, i);
            sn_torsion_tree_free(tree);
        }
        sn_molecule_free(m);
    }
}

static void policies_have_names(void** state) {
    (void)state;
    sn_torsion_policy policy;
    CHECK(sn_torsion_policy_find("d", &policy) && policy == SN_TORSION_POLICY_D, 0);
    CHECK(sn_torsion_policy_find("F", &policy) && policy == SN_TORSION_POLICY_F, 0);
    CHECK(!sn_torsion_policy_find("G", &policy) && !sn_torsion_policy_find("AB", &policy), 0);
    CHECK(!sn_torsion_policy_find("", &policy), 0);
    CHECK(strcmp(sn_torsion_policy_name(SN_TORSION_POLICY_C), "C") == 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turning_changes_a_dihedral_by_its_coordinate_and_no_bond),
        cmocka_unit_test(the_same_in_crambin),
        cmocka_unit_test(two_alanines_between_caps_have_four_backbone_torsions),
        cmocka_unit_test(groups_have_the_mass_of_their_atoms_and_can_be_turned_every_way),
        cmocka_unit_test(counts_of_crambin_and_bacteriorhodopsin),
        cmocka_unit_test(policies_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
