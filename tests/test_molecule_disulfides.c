// SPDX-License-Identifier: Apache-2.0
// Disulfides that are cut: held by the spring of the force field, or at their length by a constraint.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/molecule_step.h"
#include "support/check.h"
#include "support/molecule_world.h"
#include "support/molecules.h"

static sn_vec3 unit(sn_vec3 v) { return sn_vec3_scale(1 / sn_vec3_norm(v), v); }

static sn_vec3 combine(double a, sn_vec3 u, double b, sn_vec3 v) {
    return sn_vec3_add(sn_vec3_scale(a, u), sn_vec3_scale(b, v));
}

/// The place of an atom of the cysteine in the middle.
static sn_vec3 place_of(const sn_molecule* m, const char* name) {
    for (int i = 0; i < sn_molecule_atom_count(m); i++) {
        sn_atom_info atom = sn_molecule_atom(m, i);
        bool cysteine = strcmp(sn_molecule_residue(m, atom.residue).name, "CYS") == 0;
        if (cysteine && strcmp(atom.name, name) == 0) return atom.p;
    }
    return sn_vec3_zero();
}

/// Lines of a chain without hydrogens, which are added again; turned about an axis through the centre.
static size_t write_chain(const sn_molecule* m, char chain, bool turned, sn_vec3 centre,
                          sn_vec3 axis, char* text, size_t room) {
    size_t at = 0;
    for (int i = 0; i < sn_molecule_atom_count(m); i++) {
        sn_atom_info atom = sn_molecule_atom(m, i);
        sn_residue_info residue = sn_molecule_residue(m, atom.residue);
        sn_vec3 p = atom.p, d = sn_vec3_sub(p, centre);
        if (atom.element[0] == 'H') continue;
        if (turned) p = sn_vec3_add(centre, combine(2 * sn_vec3_dot(d, axis), axis, -1, d));
        at += (size_t)snprintf(text + at, room - at,
                               "ATOM  %5d  %-3s %3s %c%4d    %8.3f%8.3f%8.3f  1.00  0.00"
                               "           %s\n",
                               i + 1, atom.name, residue.name, chain, residue.number, 10 * p.x,
                               10 * p.y, 10 * p.z, atom.element);
    }
    return at + (size_t)snprintf(text + at, room - at, "TER\n");
}

/// Two chains of three residues with a cysteine in the middle; the second is the first after half a turn, so that their
/// sulfurs are 0.205 nm apart, at angles of 104 degrees and a dihedral of 90.
static sn_molecule* bridged(void) {
    static char text[2 * 64 * 81];
    sn_molecule_build_def def = sn_molecule_build_def_default();
    sn_molecule* half;
    sn_error error;
    def.sequence = "ACA";
    def.structure = "strand";
    CHECK_STATUS(sn_molecule_build(&def, &half, NULL), SN_OK);
    sn_vec3 sulfur = place_of(half, "SG"), carbon = place_of(half, "CB");
    sn_vec3 back = unit(sn_vec3_sub(carbon, sulfur));
    sn_vec3 aside = sn_vec3_sub(carbon, place_of(half, "CA"));
    aside = unit(sn_vec3_sub(aside, sn_vec3_scale(sn_vec3_dot(aside, back), back)));
    sn_vec3 out = combine(-0.242, back, 0.970, aside), centre = combine(1, sulfur, 0.1025, out);
    sn_vec3 e = unit(sn_vec3_sub(back, sn_vec3_scale(sn_vec3_dot(back, out), out)));
    sn_vec3 axis = unit(sn_vec3_add(e, sn_vec3_cross(out, e)));
    size_t at = write_chain(half, 'A', false, centre, axis, text, sizeof text);
    write_chain(half, 'B', true, centre, axis, text + at, sizeof text - at);
    sn_molecule_free(half);
    sn_molecule* m = read_molecule(text, NULL, &error);
    CHECK(m != NULL, 0);
    return m;
}

static sn_bond_info bridge_of(const sn_molecule* m, int which) {
    for (int i = 0; i < sn_molecule_bond_count(m); i++) {
        sn_bond_info bond = sn_molecule_bond(m, i);
        if (bond.disulfide && which-- == 0) return bond;
    }
    return (sn_bond_info){-1, -1, false};
}

static double length_of(molecule_world* w, sn_bond_info bond) {
    return sn_vec3_norm(
        sn_vec3_sub(molecule_world_atom(w, bond.a), molecule_world_atom(w, bond.b)));
}

static molecule_world world_of(sn_molecule* m, sn_disulfide disulfides, sn_integrator integrator,
                               double friction) {
    sn_torsion_tree_def tree = sn_torsion_tree_def_default();
    sn_molecule_forces_def forces = sn_molecule_forces_def_default();
    sn_world_def world = molecule_world_def();
    tree.disulfides = disulfides;
    forces.friction = friction;
    forces.field.precision = SN_PRECISION_DOUBLE;
    world.integrator = integrator;
    return molecule_world_of(m, &tree, &forces, &world);
}

static void a_rod_keeps_the_length_and_all_other_terms_stay(void** state) {
    (void)state;
    molecule_world spring = world_of(bridged(), SN_DISULFIDE_SPRING, SN_INTEGRATE_EULER, 5);
    molecule_world rod = world_of(bridged(), SN_DISULFIDE_BILATERAL, SN_INTEGRATE_EULER, 5);
    CHECK(bridge_of(rod.molecule, 0).a >= 0 && bridge_of(rod.molecule, 1).a < 0, 0);
    CHECK(sn_model_loop_count(sn_torsion_tree_model(rod.tree)) == 1, 0);
    CHECK(sn_model_loop_count(sn_torsion_tree_model(spring.tree)) == 0, 0);
    // the same energy, torques but for the bond
    CHECK_RELATIVE(molecule_world_potential(&rod), molecule_world_potential(&spring), 1e-12, 0);
    double q[64] = {0};
    int n = sn_model_nv(sn_torsion_tree_model(rod.tree));
    for (int k = 0; k < n; k++) q[k] = 0.05 * (k % 3 - 1);
    CHECK_STATUS(sn_world_set_state(rod.world, q, NULL), SN_OK);
    CHECK_STATUS(sn_world_set_state(spring.world, q, NULL), SN_OK);
    sn_bond_info bridge = bridge_of(rod.molecule, 0);
    double now = length_of(&rod, bridge),
           begun = sn_vec3_norm(sn_vec3_sub(sn_molecule_atom(rod.molecule, bridge.a).p,
                                            sn_molecule_atom(rod.molecule, bridge.b).p));
    const double k = 138908.8, rest = 0.2038; // S-S of AMBER99SB
    double stretch = 0.5 * k * ((now - rest) * (now - rest) - (begun - rest) * (begun - rest));
    CHECK_NEAR(molecule_world_potential(&spring) - molecule_world_potential(&rod), stretch,
               1e-6 * fabs(stretch), 0);
    molecule_world_free(&spring);
    molecule_world_free(&rod);
}

static void it_moves_with_its_length_kept(void** state) {
    (void)state;
    static const sn_integrator integrators[] = {SN_INTEGRATE_EULER, SN_INTEGRATE_RK4,
                                                SN_INTEGRATE_QUASISTATIC};
    for (int k = 0; k < 3; k++) {
        molecule_world w = world_of(bridged(), SN_DISULFIDE_BILATERAL, integrators[k], 5);
        sn_bond_info bridge = bridge_of(w.molecule, 0);
        double begun = length_of(&w, bridge), worst = 0;
        double energy = molecule_world_energy(&w);
        sn_vec3 place = molecule_world_atom(&w, bridge.b);
        for (int i = 0; i < 400; i++) {
            molecule_world_run(&w, 5);
            worst = fmax(worst, fabs(length_of(&w, bridge) - begun));
        }
        double way = sn_vec3_norm(sn_vec3_sub(molecule_world_atom(&w, bridge.b), place));
        print_message("%s: moved %.3f nm, length off by %.1e nm at most\n",
                      sn_integrator_name(integrators[k]), way, worst);
        CHECK(way > 0.005, (uint64_t)k);
        CHECK(worst < 2e-5, (uint64_t)k);                           // a ten thousandth
        CHECK(molecule_world_energy(&w) < energy - 1, (uint64_t)k); // friction leads downhill
        molecule_world_free(&w);
    }
}

static void energy_is_kept_with_rods(void** state) {
    (void)state;
    double drift[2];
    for (int k = 0; k < 2; k++) {
        sn_torsion_tree_def tree = sn_torsion_tree_def_default();
        sn_molecule_forces_def forces = sn_molecule_forces_def_default();
        sn_world_def world = molecule_world_def();
        tree.disulfides = SN_DISULFIDE_BILATERAL;
        forces.field = sn_forcefield_def_exact();
        forces.friction = 0;
        forces.step = k ? 1e-3 : 2e-3;
        world.integrator = SN_INTEGRATE_RK4;
        molecule_world w = molecule_world_of(bridged(), &tree, &forces, &world);
        double before = molecule_world_energy(&w);
        molecule_world_run(&w, k ? 200 : 100);
        drift[k] = fabs(molecule_world_energy(&w) - before);
        CHECK(sn_world_energy(w.world).kinetic > 1, (uint64_t)k);
        molecule_world_free(&w);
    }
    print_message("energy off by %.1e at 2 fs, %.1e at 1 fs, kJ/mol\n", drift[0], drift[1]);
    CHECK(drift[0] < 0.05 && drift[1] < drift[0] / 8, 0); // order 4
}

static void without_the_spring_steps_may_be_longer(void** state) {
    (void)state;
    sn_step_choice choice[2];
    for (int k = 0; k < 2; k++) {
        molecule_world w = world_of(bridged(), (sn_disulfide)k, SN_INTEGRATE_EULER, 5);
        CHECK_STATUS(sn_molecule_choose_step(w.tree, NULL, NULL, &choice[k], NULL), SN_OK);
        molecule_world_free(&w);
    }
    print_message("spring: %.0f rad/ps, bilateral: %.0f rad/ps\n", choice[0].frequency,
                  choice[1].frequency);
    CHECK(choice[1].bound > choice[0].bound, 0);
}

static void crambin_moves_with_three_bridges_kept(void** state) {
    (void)state;
    sn_molecule* m = read_shared_molecule("proteins/1crn.pdb");
    molecule_world w = world_of(m, SN_DISULFIDE_BILATERAL, SN_INTEGRATE_EULER, 20);
    CHECK(sn_model_loop_count(sn_torsion_tree_model(w.tree)) == 3, 0);
    double begun[3], worst = 0;
    for (int k = 0; k < 3; k++) begun[k] = length_of(&w, bridge_of(m, k));
    sn_vec3 place = molecule_world_atom(&w, sn_molecule_atom_count(m) - 1);
    for (int i = 0; i < 50; i++) {
        molecule_world_run(&w, 10);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(length_of(&w, bridge_of(m, k)) - begun[k]));
    }
    double way =
        sn_vec3_norm(sn_vec3_sub(molecule_world_atom(&w, sn_molecule_atom_count(m) - 1), place));
    print_message("crambin: its end moved %.3f nm, lengths off by %.1e nm at most\n", way, worst);
    CHECK(way > 0.01, 0);
    CHECK(worst < 5e-5, 0);
    molecule_world_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_keeps_the_length_and_all_other_terms_stay),
        cmocka_unit_test(it_moves_with_its_length_kept),
        cmocka_unit_test(energy_is_kept_with_rods),
        cmocka_unit_test(without_the_spring_steps_may_be_longer),
        cmocka_unit_test(crambin_moves_with_three_bridges_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
