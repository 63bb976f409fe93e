// SPDX-License-Identifier: Apache-2.0
// Molecules that were recorded: structure, forces, heat bath and hands come out again, bit for bit, from the file alone.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/coder.h"
#include "record/molecule_code.h"
#include "sinew/session.h"
#include "sinew/simulated_device.h"
#include "support/molecules.h"
#include "support/random_state.h"
#include "support/recorded.h"
#include "support/running.h"

enum { EDITED = 760 };
enum { STEPS_MOST = 400 };

/// A run that is recorded.
typedef struct taped {
    char path[256];
    sn_simulation* sim;
    uint64_t hash[STEPS_MOST];
    int steps;
} taped;

static taped begin(const char* name, const char* scene) {
    taped t = {.sim = running(scene)};
    recorded_path(t.path, name);
    return t;
}

static void record(taped* t) {
    CHECK_STATUS(sn_simulation_record(t->sim, t->path, 1, true, NULL), SN_OK);
}

static void step(taped* t, int steps) {
    for (int k = 0; k < steps; k++) {
        running_step(t->sim, 1);
        t->hash[t->steps++] = sn_world_hash(sn_simulation_world(t->sim));
    }
}

static void same_atoms(sn_molecule_forces* a, const sn_vec3* b, int count) {
    CHECK(memcmp(sn_molecule_forces_positions(a), b, (size_t)count * sizeof *b) == 0, 0);
}

/// Ends it; the file alone must give every step, and atoms where they were.
static void verify(taped* t, bool exact) {
    sn_recorder_status status;
    int molecules = sn_scene_molecule_count(sn_simulation_scene(t->sim));
    sn_vec3** last = calloc((size_t)molecules, sizeof *last);
    int* count = calloc((size_t)molecules, sizeof *count);
    for (int i = 0; i < molecules; i++) {
        count[i] =
            sn_molecule_atom_count(sn_scene_molecule_at(sn_simulation_scene(t->sim), i)->molecule);
        last[i] = malloc((size_t)count[i] * sizeof *last[i]);
        memcpy(last[i], sn_molecule_forces_positions(sn_simulation_molecule(t->sim, i)),
               (size_t)count[i] * sizeof *last[i]);
    }
    sn_simulation_end_recording(t->sim, &status);
    CHECK(status.state == SN_RECORDER_RUNS && status.lost == 0, 0);
    sn_simulation_free(t->sim);

    sn_recording* recording = NULL;
    sn_replay* replay = NULL;
    sn_error error = {0};
    if (sn_recording_open(t->path, NULL, &recording, &error)) fail_msg("%s", error.text);
    CHECK(sn_recording_ask(recording).exact == exact, 0);
    CHECK(sn_recording_world(recording)->units == SN_UNITS_MOLECULAR, 0);
    CHECK(sn_recording_molecule_count(recording) == molecules, 0);
    CHECK(!sn_recording_molecule(recording, molecules) && !sn_recording_molecule(recording, -1), 0);
    if (sn_replay_create(recording, NULL, &replay, &error)) fail_msg("%s", error.text);
    for (int k = 0; k < t->steps; k++) {
        bool same = false;
        CHECK_STATUS(sn_replay_step(replay, NULL, &same), SN_OK);
        CHECK(same && sn_world_hash(sn_replay_world(replay)) == t->hash[k], (uint64_t)k);
    }
    for (int i = 0; i < molecules; i++) {
        same_atoms(sn_replay_molecule(replay, i), last[i], count[i]);
        free(last[i]);
    }
    CHECK(!sn_replay_molecule(replay, molecules), 0);
    free(last);
    free(count);
    sn_replay_free(replay);
    sn_recording_free(recording);
    (void)remove(t->path);
}

// ---- runs -----------------------------------------------------------------------------------------------------

static void every_dynamics_and_integrator_is_replayed(void** state) {
    (void)state;
    static const char* const worlds[] = {
        "",
        "integrator: rk4\n",
        "integrator: midpoint\n",
        "dynamics: crba\n",
        "dynamics: dca\n",
        "dynamics: adaptive\nadaptive: {max_active: 6, period: 7}\n",
        "dynamics: adaptive\nadaptive: {max_active: 12, period: 3}\n",
    };
    for (size_t k = 0; k < sizeof worlds / sizeof *worlds; k++) {
        char scene[512];
        check_context(worlds[k]);
        snprintf(scene, sizeof scene,
                 "version: 1\n%smolecules:\n"
                 "- {name: helix, build: \"ala:12\", temperature: 300, seed: 5}\n",
                 worlds[k]);
        taped t = begin("molecule_dynamics", scene);
        record(&t);
        step(&t, 100);
        verify(&t, true);
    }
}

static const char* const TWO =
    "version: 1\nstep: 0.001\n"
    "molecules:\n"
    "- {name: a, build: \"ala:6\", temperature: 300, seed: 1}\n"
    "- {name: b, build: \"ala:4:strand\", base: free, policy: F, friction: 2,\n"
    "   dielectric: distance, cutoff: 0.8, at: [3, 0, 0]}\n"
    "objects:\n"
    "- {name: ball, sphere: 0.1, at: [0, 3, 0]}\n";

static void act(sn_simulation* sim, test_rng* rng) {
    char words[200];
    switch (test_index(rng, 5)) {
    case 0:
        snprintf(words, sizeof words, "push: {body: \"a/A/4 psi\", force: [%g, 0, 20]}",
                 30 * test_normal(rng));
        break;
    case 1:
        snprintf(words, sizeof words, "move: {joint: \"a/A/3 phi\", value: %g}",
                 0.2 * test_normal(rng));
        break;
    case 2: snprintf(words, sizeof words, "gravity: [0, 0, %g]", test_normal(rng)); break;
    case 3: snprintf(words, sizeof words, "lock: \"a/A/2 psi\""); break;
    default: snprintf(words, sizeof words, "unlock: \"a/A/2 psi\""); break;
    }
    running_command(sim, words);
}

/// Molecules come and go, are pushed, turned and looked at.
static void edits_and_questions_are_replayed(void** state) {
    (void)state;
    for (uint64_t i = 0; i < 4; i++) {
        uint64_t seed = test_case_seed(EDITED, i);
        test_rng rng = test_rng_make(seed);
        char scene[1024];
        snprintf(scene, sizeof scene, "%s%s", TWO,
                 i % 2 ? "dynamics: adaptive\nadaptive: {max_active: 9, period: 4}\n" : "");
        taped t = begin("molecule_edits", scene);
        (void)sn_world_energy(sn_simulation_world(t.sim));
        record(&t);
        for (int k = 0; k < 30; k++) {
            if (test_chance(&rng, 0.5)) // whoever looks changes nothing
                (void)sn_world_energy(sn_simulation_world(t.sim));
            if (k != 15) act(t.sim, &rng);
            (void)sn_molecule_forces_want_report(sn_simulation_molecule(t.sim, 0), k % 3 == 0);
            if (k == 10) running_command(t.sim, "remove: b");
            if (k == 15) running_command(t.sim, "reset: true");
            if (k == 20) running_command(t.sim, "remove: ball");
            step(&t, 1 + test_index(&rng, 8));
        }
        verify(&t, true);
    }
}

/// Without adaptive dynamics a recording may begin anywhere.
static void a_recording_from_the_middle_is_exact(void** state) {
    (void)state;
    for (int adaptive = 0; adaptive < 2; adaptive++) {
        char scene[1024];
        snprintf(scene, sizeof scene, "%s%s", TWO,
                 adaptive ? "dynamics: adaptive\nadaptive: {max_active: 9, period: 4}\n" : "");
        taped t = begin("molecule_middle", scene);
        running_step(t.sim, 150);
        record(&t);
        step(&t, 100);
        if (adaptive) { // it says that it is not
            sn_recording* recording = NULL;
            sn_simulation_end_recording(t.sim, NULL);
            sn_simulation_free(t.sim);
            CHECK_STATUS(sn_recording_open(t.path, NULL, &recording, NULL), SN_OK);
            CHECK(!sn_recording_ask(recording).exact, 0);
            sn_recording_free(recording);
            (void)remove(t.path);
        } else {
            verify(&t, true);
        }
    }
}

static void a_file_that_is_gone_is_not_needed(void** state) {
    (void)state;
    char pdb[256], scene[512];
    recorded_path(pdb, "molecule.pdb");
    recorded_write(pdb, ALA_ALA, sizeof ALA_ALA - 1);
    snprintf(scene, sizeof scene, "version: 1\nmolecules:\n- {name: x, file: \"%s\"}\n", pdb);
    taped t = begin("molecule_file", scene);
    record(&t);
    CHECK(remove(pdb) == 0, 0);
    step(&t, 50);
    verify(&t, true);
}

typedef struct watched_run {
    taped* tape;
    double most_pull; ///< kJ/(mol nm)
} watched_run;

static bool watch(void* context, sn_session* session, const sn_step_report* report) {
    watched_run* run = context;
    sn_hand_report hand;
    (void)report;
    CHECK(sn_session_ask_hand(session, 0, &hand), 0);
    run->most_pull = fmax(run->most_pull, sn_vec3_norm(hand.wrench.f));
    run->tape->hash[run->tape->steps++] = sn_world_hash(sn_simulation_world(run->tape->sim));
    return true;
}

static void pull_and_replay(const char* integrator) {
    char scene[1024];
    snprintf(scene, sizeof scene, "%s%s", TWO, integrator);
    taped t = begin("molecule_hand", scene);
    record(&t);
    sn_session_def def = sn_session_def_default();
    sn_session* session = NULL;
    sn_simulated_device_def simulated = sn_simulated_device_def_default();
    sn_device* device = NULL;
    sn_hand_knot knots[] = {{.pose = sn_pose_identity(), .buttons = 1},
                            {.time = 0.2, .pose = sn_pose_identity(), .buttons = 1}};
    knots[1].pose.p = sn_vec3_make(0.05, 0, 0);
    def.virtual_time = true;
    CHECK_STATUS(sn_session_create(t.sim, &def, &session, NULL), SN_OK);
    CHECK(sn_device_profile_find("touch", &simulated.profile), 0);
    CHECK(sn_hand_model_find("firm", &simulated.hand), 0);
    sn_hand_script* script = NULL;
    CHECK_STATUS(sn_hand_script_create(knots, 2, &script, NULL), SN_OK);
    simulated.script = script;
    CHECK_STATUS(sn_simulated_device_create(&simulated, &device, NULL), SN_OK);
    sn_hand_script_free(script);
    sn_hand_def hand = {.name = "hand",
                        .mode = SN_HAND_ATTACH,
                        .item = 0,
                        .body = {8},
                        .stiffness = 200,
                        .damping = 0.2,
                        .scale = 1,
                        .place_in = sn_pose_identity()};
    CHECK_STATUS(sn_session_add_hand(session, &hand, device, NULL, NULL), SN_OK);
    watched_run run = {.tape = &t};
    CHECK_STATUS(sn_session_run(session, 0.2, watch, &run), SN_OK);
    CHECK(t.steps == 200 && run.most_pull > 1, 0);
    sn_session_free(session);
    verify(&t, true);
}

static void a_hand_that_pulls_is_replayed(void** state) {
    (void)state;
    pull_and_replay("");
    pull_and_replay("integrator: quasistatic\n"); // by springs
}

// ---- structures -----------------------------------------------------------------------------------------------

/// With a disulfide between chains, an ion, a ligand, an insertion code and a gap.
static const char STRUCTURE[] =
    "ATOM      1  N   GLY A   1       0.000   0.000   0.000  1.00  0.00           N\n"
    "ATOM      2  CA  GLY A   1       1.458   0.000   0.000  1.00  0.00           C\n"
    "ATOM      3  C   GLY A   1       2.009   1.420   0.000  1.00  0.00           C\n"
    "ATOM      4  O   GLY A   1       1.251   2.390   0.000  1.00  0.00           O\n"
    "ATOM      5  N   CYS A   1A      3.332   1.536   0.000  1.00  0.00           N\n"
    "ATOM      6  CA  CYS A   1A      3.988   2.839   0.000  1.00  0.00           C\n"
    "ATOM      7  C   CYS A   1A      3.591   3.660   1.220  1.00  0.00           C\n"
    "ATOM      8  O   CYS A   1A      3.210   4.830   1.100  1.00  0.00           O\n"
    "ATOM      9  CB  CYS A   1A      5.505   2.683   0.000  1.00  0.00           C\n"
    "ATOM     10  SG  CYS A   1A      6.200   1.900  -1.480  1.00  0.00           S\n"
    "ATOM     11  N   ALA A   9       9.332   9.536   0.000  1.00  0.00           N\n"
    "ATOM     12  CA  ALA A   9       9.988  10.839   0.000  1.00  0.00           C\n"
    "ATOM     13  C   ALA A   9       9.591  11.660   1.220  1.00  0.00           C\n"
    "ATOM     14  O   ALA A   9       9.210  12.830   1.100  1.00  0.00           O\n"
    "ATOM     15  CB  ALA A   9      11.505  10.683   0.000  1.00  0.00           C\n"
    "TER\n"
    "ATOM     16  N   CYS B   1      11.400   3.100  -1.500  1.00  0.00           N\n"
    "ATOM     17  CA  CYS B   1      10.500   1.950  -1.500  1.00  0.00           C\n"
    "ATOM     18  C   CYS B   1      10.900   0.900  -2.500  1.00  0.00           C\n"
    "ATOM     19  O   CYS B   1      11.900   1.000  -3.200  1.00  0.00           O\n"
    "ATOM     20  CB  CYS B   1       9.100   2.500  -1.700  1.00  0.00           C\n"
    "ATOM     21  SG  CYS B   1       8.230   1.700  -1.500  1.00  0.00           S\n"
    "ATOM     32  N   GLY B   2      10.100  -0.150  -2.560  1.00  0.00           N\n"
    "ATOM     33  CA  GLY B   2      10.400  -1.260  -3.450  1.00  0.00           C\n"
    "ATOM     34  C   GLY B   2       9.300  -2.300  -3.400  1.00  0.00           C\n"
    "ATOM     35  O   GLY B   2       8.300  -2.100  -2.700  1.00  0.00           O\n"
    "TER\n"
    "HETATM   22 ZN    ZN A 201       2.000  -3.000   0.000  1.00  0.00          ZN\n"
    "HETATM   23  C1  LIG A 202       4.000  -3.000   0.000  1.00  0.00           C\n"
    "HETATM   24  O1  LIG A 202       5.200  -3.000   0.000  1.00  0.00           O\n";

static sni_bytes bytes_of(const sn_world_molecule* molecule) {
    sni_bytes bytes = {0};
    sni_coder coder = sni_writer(&bytes);
    CHECK(sni_write_molecule(&coder, molecule) && !bytes.failed, 0);
    return bytes;
}

/// Bytes are read where memory of malloc ends, so that a checker of memory sees one too many.
static sn_status read_copy(const unsigned char* bytes, size_t count, sni_recorded_molecule* back) {
    unsigned char* copy = malloc(count ? count : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, count);
    sni_coder coder = sni_reader(copy, count);
    sn_error error;
    sn_status status = sni_read_molecule(&coder, back, &error);
    back->world.prefix = "";
    free(copy);
    return status;
}

typedef struct described {
    sn_molecule* molecule;
    sn_torsion_tree* tree;
    sn_world_molecule world;
} described;

static described describe(const char* text) {
    described d = {.molecule = read_molecule(text, NULL, NULL)};
    sn_torsion_tree_def def = sn_torsion_tree_def_default();
    def.policy = SN_TORSION_POLICY_E;
    def.free_base = true;
    CHECK_STATUS(sn_torsion_tree_create(d.molecule, &def, &d.tree, NULL), SN_OK);
    d.world =
        (sn_world_molecule){"x/", d.tree, sn_pose_identity(), sn_molecule_forces_def_default()};
    d.world.forces.seed = 77;
    d.world.forces.field.cutoff = INFINITY;
    return d;
}

static void described_free(described* d) {
    sn_torsion_tree_free(d->tree);
    sn_molecule_free(d->molecule);
}

static void a_structure_is_kept_whole(void** state) {
    (void)state;
    described d = describe(STRUCTURE);
    int disulfides = 0;
    for (int i = 0; i < sn_molecule_bond_count(d.molecule); i++)
        disulfides += sn_molecule_bond(d.molecule, i).disulfide;
    CHECK(disulfides == 1, 0);
    sni_bytes bytes = bytes_of(&d.world);
    sni_recorded_molecule back = {0};
    CHECK_STATUS(read_copy(bytes.at, bytes.count, &back), SN_OK);
    check_same_molecule(d.molecule, back.molecule, true);
    back.world.prefix = d.world.prefix;
    sni_bytes again = bytes_of(&back.world);
    CHECK(again.count == bytes.count && memcmp(again.at, bytes.at, bytes.count) == 0, 0);
    sni_bytes_free(&again);
    CHECK(sn_torsion_tree_torsion_count(back.tree) == sn_torsion_tree_torsion_count(d.tree), 0);
    CHECK(sn_model_nq(sn_torsion_tree_model(back.tree)) ==
              sn_model_nq(sn_torsion_tree_model(d.tree)),
          0);
    sni_recorded_molecule_free(&back);
    sni_bytes_free(&bytes);
    described_free(&d);
}

static void what_is_cut_off_or_damaged_is_refused_or_harmless(void** state) {
    (void)state;
    described d = describe(STRUCTURE);
    sni_bytes bytes = bytes_of(&d.world);
    for (size_t count = 0; count < bytes.count; count++) {
        sni_recorded_molecule back = {0};
        CHECK(read_copy(bytes.at, count, &back) != SN_OK, count);
        sni_recorded_molecule_free(&back);
    }
    int refused = 0;
    for (size_t at = 0; at < bytes.count; at++) {
        sni_recorded_molecule back = {0};
        unsigned char was = bytes.at[at];
        bytes.at[at] = (unsigned char)(was ^ 0xff);
        refused += read_copy(bytes.at, bytes.count, &back) != SN_OK;
        sni_recorded_molecule_free(&back);
        bytes.at[at] = was;
    }
    CHECK(refused > 100, 0); // counts, names, choices
    sni_bytes_free(&bytes);
    described_free(&d);
}

/// Two molecules whose bodies have the same names apart from the prefix.
static void a_molecule_is_found_in_the_model_of_the_world(void** state) {
    (void)state;
    sn_simulation* sim = running(TWO);
    sn_model* whole = NULL;
    CHECK_STATUS(sn_scene_compile(sn_simulation_scene(sim), NULL, &whole, NULL), SN_OK);
    for (int i = 0; i < 2; i++) {
        const sn_scene_molecule* m = sn_scene_molecule_at(sn_simulation_scene(sim), i);
        const sn_item* item = sn_scene_item(sn_simulation_scene(sim), m->item);
        sn_world_molecule world = {item->prefix, m->tree, item->pose, m->forces};
        int first = sn_world_molecule_find(&world, whole);
        CHECK(first == sn_simulation_first_body(sim, running_item(sim, item->name)), 0);
        world.prefix = "c/";
        CHECK(sn_world_molecule_find(&world, whole) == -1, 0);
    }
    // where atoms are by the dynamics is where the forces had them
    sn_world* world = sn_simulation_world(sim);
    const sn_scene_molecule* m = sn_scene_molecule_at(sn_simulation_scene(sim), 1);
    const sn_item* item = sn_scene_item(sn_simulation_scene(sim), m->item);
    sn_world_molecule b = {item->prefix, m->tree, item->pose, m->forces};
    int first = sn_world_molecule_find(&b, sn_world_model(world));
    int atoms = sn_molecule_atom_count(m->molecule);
    sn_vec3* p = malloc((size_t)atoms * sizeof *p);
    running_step(sim, 20);
    sn_forcefield_report report;
    (void)sn_world_energy(world); // the dynamics has the motion of now
    CHECK_STATUS(sn_molecule_forces_measure(sn_simulation_molecule(sim, 1),
                                            sn_world_dynamics(world), first, item->pose, &report),
                 SN_OK);
    sn_world_molecule_place(&b, sn_world_dynamics(world), first, p, NULL);
    running_step(sim, 1); // computes forces there
    const sn_vec3* had = sn_molecule_forces_positions(sn_simulation_molecule(sim, 1));
    for (int i = 0; i < atoms; i++)
        CHECK(sn_vec3_norm(sn_vec3_sub(p[i], had[i])) < 1e-12, (uint64_t)i);
    free(p);
    sn_model_free(whole);
    sn_simulation_free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dynamics_and_integrator_is_replayed),
        cmocka_unit_test(edits_and_questions_are_replayed),
        cmocka_unit_test(a_recording_from_the_middle_is_exact),
        cmocka_unit_test(a_file_that_is_gone_is_not_needed),
        cmocka_unit_test(a_hand_that_pulls_is_replayed),
        cmocka_unit_test(a_structure_is_kept_whole),
        cmocka_unit_test(what_is_cut_off_or_damaged_is_refused_or_harmless),
        cmocka_unit_test(a_molecule_is_found_in_the_model_of_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
