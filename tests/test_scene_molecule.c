// SPDX-License-Identifier: Apache-2.0
// Molecules in scenes: read, alone or from a file, run, and refused with a reason.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/simulation.h"
#include "support/check.h"

static sn_scene* read(const char* text, sn_error* error) {
    sn_scene* scene;
    error->status = sn_scene_load_memory(text, strlen(text), "molecule.yaml", NULL, &scene, error);
    return scene;
}

static void a_scene_holds_molecules_in_their_own_units(void** state) {
    (void)state;
    sn_error error;
    sn_scene* scene =
        read("version: 1\n"
             "molecules:\n"
             "- {name: helix, build: 'ala:20', policy: C, friction: 10, temperature: 300}\n"
             "- {build: 'ala:3', at: [5, 0, 0], base: free, dielectric: distance}\n",
             &error);
    CHECK(scene != NULL, 0);
    CHECK(sn_scene_molecule_count(scene) == 2 && sn_scene_item_count(scene) == 2, 0);
    const sn_scene_molecule *a = sn_scene_molecule_at(scene, 0),
                            *b = sn_scene_molecule_at(scene, 1);
    CHECK(sn_torsion_tree_torsion_count(a->tree) == 61 && a->forces.temperature == 300, 0);
    CHECK(sn_model_nv(sn_scene_item(scene, b->item)->model) == 6 + 6, 0);
    CHECK(b->forces.field.dielectric == SN_DIELECTRIC_DISTANCE, 0);
    CHECK(strcmp(sn_scene_item(scene, 1)->name, "molecule_2") == 0, 0);
    const sn_world_def* world = sn_scene_world(scene);
    CHECK(world->field && !world->contact.on && world->gravity.z == 0, 0);
    sn_scene_free(scene);
}

static void mistakes_are_told_by_line(void** state) {
    (void)state;
    static const struct {
        const char *text, *says;
        int line;
    } cases[] = {
        {"version: 1\nmolecules:\n- {name: x}\n", "one of file, build", 3},
        {"version: 1\nmolecules:\n- {build: 'gly:3'}\n", "not a molecule", 3},
        {"version: 1\nmolecules:\n- {build: 'ala:3', policy: Q}\n", "policy", 3},
        {"version: 1\nmolecules:\n- {file: nowhere.pdb}\n", "no such file", 3},
        {"version: 1\nmolecules:\n- {build: 'ala:3', temprature: 3}\n", "temperature", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sn_error error;
        CHECK(read(cases[i].text, &error) == NULL, i);
        CHECK(strstr(error.text, cases[i].says) != NULL, i);
        CHECK(error.line == cases[i].line, i);
    }
}

static void a_molecule_alone_is_a_scene_that_runs(void** state) {
    (void)state;
    sn_simulation* sim;
    sn_error error;
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        CHECK_STATUS(sn_simulation_load("ala:8", NULL, &sim, &error), SN_OK);
        sn_molecule_forces* forces = sn_simulation_molecule(sim, 0);
        sn_molecule_forces_want_report(forces, true);
        CHECK_STATUS(sn_simulation_step(sim, NULL), SN_OK);
        double before = sn_molecule_forces_report(forces).energy.total;
        for (int i = 0; i < 500; i++) CHECK_STATUS(sn_simulation_step(sim, NULL), SN_OK);
        CHECK(sn_molecule_forces_report(forces).energy.total < before, 0); // friction: downhill
        CHECK(sn_simulation_molecule(sim, 1) == NULL, 0);
        hash[k] = sn_world_hash(sn_simulation_world(sim));
        sn_simulation_free(sim);
    }
    CHECK(hash[0] == hash[1], 0);
}

static void two_molecules_side_by_side_move_as_each_alone(void** state) {
    (void)state;
    sn_error error;
    sn_simulation *both, *alone;
    sn_scene* scene = read("version: 1\n"
                           "molecules:\n"
                           "- {name: a, build: 'ala:3'}\n"
                           "- {name: b, build: 'ala:4', at: [9, 1, 0]}\n",
                           &error);
    CHECK_STATUS(sn_simulation_create(scene, NULL, &both, &error), SN_OK);
    CHECK_STATUS(sn_simulation_load("ala:4", NULL, &alone, &error), SN_OK);
    for (int i = 0; i < 200; i++) {
        CHECK_STATUS(sn_simulation_step(both, NULL), SN_OK);
        CHECK_STATUS(sn_simulation_step(alone, NULL), SN_OK);
    }
    // elsewhere single precision rounds differently
    CHECK_VECTOR(sn_world_q(sn_simulation_world(both)) + 6, sn_world_q(sn_simulation_world(alone)),
                 8, 1e-3, 0);
    sn_simulation_free(both);
    sn_simulation_free(alone);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_holds_molecules_in_their_own_units),
        cmocka_unit_test(mistakes_are_told_by_line),
        cmocka_unit_test(a_molecule_alone_is_a_scene_that_runs),
        cmocka_unit_test(two_molecules_side_by_side_move_as_each_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
