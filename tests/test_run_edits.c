// SPDX-License-Identifier: Apache-2.0
// Items that come, go and change while the simulation runs: everything else goes on bit for bit, what fails changes
// nothing, and nothing is left behind.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/sn_run.h"
#include "support/random_state.h"
#include "support/running.h"

enum { CHURN = 700 };

#define MODELS                                                                                     \
    "version: 1\n"                                                                                 \
    "floor: {mu: 0.4}\n"                                                                           \
    "models:\n"                                                                                    \
    "  - {name: arm, generate: 'chain:5', at: [0, 0, 4], q: {b000001: 0.7}}\n"                     \
    "  - {name: robot, file: " SN_TEST_MODELS_DIR "/double_pendulum.urdf, at: [3, 0, 4]}\n"        \
    "objects:\n"                                                                                   \
    "  - {name: ball, sphere: 0.1, mass: 2, at: [0, 2, 0.5], v: [0.3, 0, 0], w: [1, 2, 3]}\n"      \
    "  - {name: box, box: [0.2, 0.3, 0.1], mass: 1, at: [0, -2, 0.3], rpy: [0.1, 0.2, 0.3]}\n"

static const char* const SCENE = MODELS "contact: {contacts: 64}\n"; // an edit takes it anew
static const char* const WITHOUT_CONTACT = MODELS "contact: false\n";
static const char* const ITEMS[] = {"arm", "robot", "ball", "box"};
enum { ITEM_COUNT = 4 };

/// An item of the words of an "add"; the edit is its owner.
static const sn_item* parse_item(const char* words, sn_edit** edit) {
    sn_error error = {0};
    CHECK_STATUS(sn_edit_parse(words, strlen(words), NULL, NULL, edit, &error), SN_OK);
    return (*edit)->item;
}

static sn_item_id add(sn_simulation* sim, const char* words) {
    sn_edit* edit = NULL;
    sn_item_id id = {0};
    sn_error error = {0};
    const sn_item* item = parse_item(words, &edit);
    sn_status status = sn_simulation_add(sim, item, &id, &error);
    if (status) print_error("%s: %s\n", words, error.text);
    CHECK_STATUS(status, SN_OK);
    sn_edit_free(edit); // everything was copied
    return id;
}

// ---- what goes on -------------------------------------------------------------------------------------------

/// State, forces and locks of one item.
typedef struct kept {
    int nq, nv, bodies;
    double q[32], v[32], force[32];
    bool locked[32];
} kept;

static kept keep(sn_simulation* sim, const char* name) {
    sn_world* world = sn_simulation_world(sim);
    const sn_model* model = sn_simulation_item(sim, running_item(sim, name))->model;
    sn_body_info first = running_body(sim, name);
    int32_t body = sn_simulation_first_body(sim, running_item(sim, name));
    kept k = {
        sn_model_nq(model), sn_model_nv(model), sn_model_body_count(model), {0}, {0}, {0}, {0}};
    memcpy(k.q, sn_world_q(world) + first.iq, (size_t)k.nq * sizeof *k.q);
    memcpy(k.v, sn_world_v(world) + first.iv, (size_t)k.nv * sizeof *k.v);
    memcpy(k.force, sn_world_force(world) + first.iv, (size_t)k.nv * sizeof *k.force);
    for (int i = 0; i < k.bodies; i++)
        k.locked[i] = sn_dynamics_is_locked(sn_world_dynamics(world), sn_body(body + i));
    return k;
}

static void check_same(const kept* a, const kept* b, uint64_t seed) {
    CHECK(a->nq == b->nq && a->nv == b->nv && a->bodies == b->bodies, seed);
    CHECK(memcmp(a->q, b->q, sizeof a->q) == 0, seed);
    CHECK(memcmp(a->v, b->v, sizeof a->v) == 0, seed);
    CHECK(memcmp(a->force, b->force, sizeof a->force) == 0, seed);
    CHECK(memcmp(a->locked, b->locked, sizeof a->locked) == 0, seed);
}

static void disturb(sn_simulation* sim) {
    running_command(sim, "force: {joint: arm/b000000, value: 0.3}");
    running_command(sim, "lock: arm/b000003");
    running_command(sim, "push: {body: ball, force: [0, 0, 5], moment: [0.01, 0, 0]}");
}

/// Bodies of an item follow each other from its first, with its names.
static void check_numbers(sn_simulation* sim) {
    const sn_model* whole = sn_world_model(sn_simulation_world(sim));
    int next = 0;
    for (int i = 0; i < sn_simulation_item_count(sim); i++) {
        sn_item_id id = sn_simulation_item_at(sim, i);
        const sn_item* item = sn_simulation_item(sim, id);
        CHECK(sn_simulation_first_body(sim, id) == next, 0);
        for (int b = 0; b < sn_model_body_count(item->model); b++) {
            char name[200];
            (void)snprintf(name, sizeof name, "%s%s", item->prefix,
                           sn_model_body(item->model, sn_body(b)).name);
            CHECK(strcmp(sn_model_body(whole, sn_body(next + b)).name, name) == 0, 0);
        }
        next += sn_model_body_count(item->model);
    }
    CHECK(next == sn_model_body_count(whole), 0);
}

typedef void (*edit_function)(sn_simulation* sim);

static void edit_add(sn_simulation* sim) {
    (void)add(sim, "add: {name: new, box: [0.1, 0.1, 0.1], at: [5, 5, 1]}");
}
static void edit_add_static(sn_simulation* sim) {
    // an item without bodies moves no number
    sn_model_builder* builder = sn_model_builder_create("wall");
    sn_shape_def shape = sn_shape_def_default();
    sn_model* model = NULL;
    shape.type = SN_SHAPE_BOX;
    shape.use = SN_SHAPE_COLLISION;
    shape.size = sn_vec3_make(1, 1, 1);
    CHECK_STATUS(sn_model_builder_add_shape(builder, &shape), SN_OK);
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &model, NULL), SN_OK);
    sn_model_builder_free(builder);
    sn_item item = {.name = "wall", .model = model, .pose = sn_pose_identity()};
    item.pose.p.x = 20;
    CHECK_STATUS(sn_simulation_add(sim, &item, NULL, NULL), SN_OK);
    sn_model_free(model);
    CHECK(strcmp(sn_simulation_item(sim, running_item(sim, "wall"))->prefix, "wall/") == 0, 0);
}
static void edit_surface(sn_simulation* sim) {
    sn_material ice = sn_material_default();
    ice.mu = ice.mu_kinetic = 0.01;
    CHECK_STATUS(sn_simulation_set_surface(sim, running_item(sim, "ball"), &ice, NULL), SN_OK);
}
static void edit_remove_floor(sn_simulation* sim) {
    CHECK_STATUS(sn_simulation_remove(sim, running_item(sim, "floor"), NULL), SN_OK);
}

static void edits_keep_the_state_of_everything_else_bit_for_bit(void** state) {
    (void)state;
    const edit_function edits[] = {edit_add, edit_add_static, edit_surface, edit_remove_floor};
    sn_simulation* sim = running(SCENE);
    disturb(sim);
    for (size_t e = 0; e < sizeof edits / sizeof *edits; e++) {
        kept before[ITEM_COUNT];
        running_step(sim, 60);
        double time = sn_world_time(sn_simulation_world(sim));
        for (int i = 0; i < ITEM_COUNT; i++) before[i] = keep(sim, ITEMS[i]);
        edits[e](sim);
        CHECK(sn_world_time(sn_simulation_world(sim)) == time, e);
        check_numbers(sim);
        for (int i = 0; i < ITEM_COUNT; i++) {
            kept after = keep(sim, ITEMS[i]);
            check_same(&before[i], &after, e);
        }
    }
    sn_simulation_free(sim);
}

static void what_is_removed_takes_nothing_with_it(void** state) {
    (void)state;
    for (int gone = 0; gone < ITEM_COUNT; gone++) {
        sn_simulation* sim = running(SCENE);
        kept before[ITEM_COUNT];
        disturb(sim);
        running_step(sim, 100);
        for (int i = 0; i < ITEM_COUNT; i++) before[i] = keep(sim, ITEMS[i]);
        CHECK_STATUS(sn_simulation_remove(sim, running_item(sim, ITEMS[gone]), NULL), SN_OK);
        CHECK(sn_simulation_find_item(sim, ITEMS[gone]).generation == 0, 0);
        check_numbers(sim);
        for (int i = 0; i < ITEM_COUNT; i++) {
            if (i == gone) continue;
            kept after = keep(sim, ITEMS[i]);
            check_same(&before[i], &after, (uint64_t)gone);
        }
        running_step(sim, 20);
        sn_simulation_free(sim);
    }
}

// Without contact nothing that one item does reaches another, so edits of others leave no trace at all.
static void an_item_moves_as_if_nothing_had_been_edited(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(CHURN, 0);
    test_rng rng = test_rng_make(seed);
    sn_simulation *edited = running(WITHOUT_CONTACT), *alone = running(WITHOUT_CONTACT);
    disturb(edited);
    disturb(alone);
    int added = 0;
    for (int k = 0; k < 300; k++) {
        char words[160];
        (void)snprintf(words, sizeof words, "add: {name: n%d, generate: 'chain:%d', at: [9, 0, 4]}",
                       added, 1 + test_index(&rng, 4));
        if (test_chance(&rng, 0.1)) {
            (void)add(edited, words);
            added++;
        }
        if (k == 150) running_command(edited, "remove: robot");
        if (k == 170) running_command(edited, "remove: box");
        running_step(edited, 1);
        running_step(alone, 1);
        kept a = keep(edited, "arm"), b = keep(alone, "arm");
        check_same(&a, &b, seed);
        a = keep(edited, "ball"), b = keep(alone, "ball");
        check_same(&a, &b, seed);
    }
    CHECK(added > 10, seed);
    sn_simulation_free(edited);
    sn_simulation_free(alone);
}

static void a_new_item_begins_where_it_was_told(void** state) {
    (void)state;
    sn_simulation* sim = running(SCENE);
    running_step(sim, 10);
    running_command(
        sim, "add: {name: new, file: " SN_TEST_MODELS_DIR
             "/double_pendulum.urdf, at: [8, 0, 4], q: {upper_hinge: 0.4}, qd: {lower_hinge: 2}, "
             "lock: [upper_hinge]}");
    const sn_item* item = sn_simulation_item(sim, running_item(sim, "new"));
    const double *q = running_q(sim, "new"), *v = running_v(sim, "new");
    CHECK(memcmp(q, item->q, (size_t)sn_model_nq(item->model) * sizeof *q) == 0, 0);
    CHECK(memcmp(v, item->v, (size_t)sn_model_nv(item->model) * sizeof *v) == 0, 0);
    CHECK(q[0] == 0.4 && v[1] == 2, 0);
    running_step(sim, 10);
    CHECK(running_q(sim, "new")[0] == 0.4, 0); // locked
    CHECK(running_q(sim, "new")[1] != item->q[1], 0);
    sn_simulation_free(sim);
}

static void what_is_added_later_touches_what_was_there(void** state) {
    (void)state;
    sn_simulation* sim = running("version: 1\nfloor: true\n");
    running_step(sim, 5);
    for (int i = 0; i < 12; i++) {
        char words[200];
        (void)snprintf(words, sizeof words,
                       "add: {name: n%d, box: [0.2, 0.2, 0.2], mass: 1, at: [0, 0, %g]}", i,
                       0.1 + 0.2 * i);
        running_command(sim, words);
        running_step(sim, 20);
    }
    running_step(sim, 300);
    for (int i = 0; i < 12; i++) {
        char name[8];
        (void)snprintf(name, sizeof name, "n%d", i);
        CHECK_NEAR(running_pose(sim, name).p.z, 0.1 + 0.2 * i, 0.004, 0);
    }
    sn_simulation_free(sim);
}

static void there_is_room_for_the_contacts_of_what_is_added(void** state) {
    (void)state;
    sn_simulation* sim =
        running("version: 1\nfloor: true\n"
                "contact: {contacts: 16}\n"
                "objects: [{name: one, box: [0.1, 0.1, 0.1], at: [0, 0, 0.05]}]\n");
    sn_step_report report;
    for (int i = 0; i < 20; i++) {
        char words[200];
        (void)snprintf(words, sizeof words,
                       "add: {name: n%d, box: [0.1, 0.1, 0.1], at: [%g, 0, 0.05]}", i, 1.0 + i);
        running_command(sim, words);
    }
    for (int k = 0; k < 10; k++) {
        CHECK_STATUS(sn_simulation_step(sim, &report), SN_OK);
        CHECK(!(report.events & SN_EVENT_FULL), 0);
    }
    CHECK(report.contact.points >= 21 * 3, 0);
    sn_simulation_free(sim);
}

static void a_surface_changes_friction_and_nothing_else(void** state) {
    (void)state;
    // a box pushed by 0.3 of its weight: held at mu 0.4, slides with (0.3 - 0.1) g at mu 0.1
    sn_simulation* sim = running("version: 1\nfloor: {mu: 0.4}\n"
                                 "objects: [{name: box, box: [0.4, 0.4, 0.1], mass: 1, "
                                 "at: [0, 0, 0.05], material: {mu: 0.4}}]\n"
                                 "contact: {sleep: false}\n");
    running_command(sim, "push: {body: box, force: [2.943, 0, 0]}");
    running_step(sim, 500);
    CHECK_NEAR(running_pose(sim, "box").p.x, 0, 1e-3, 0);
    running_command(sim, "surface: {item: box, material: {mu: 0.1}}"); // with 0.4: mean 0.2
    running_command(sim, "surface: {item: floor, material: {mu: 0.1}}");
    double x = running_pose(sim, "box").p.x;
    running_step(sim, 1000);
    CHECK_NEAR(running_pose(sim, "box").p.x - x, 0.5 * 0.2 * 9.81, 0.02, 0);
    sn_simulation_free(sim);
}

// ---- what fails ---------------------------------------------------------------------------------------------

static void what_fails_changes_nothing(void** state) {
    (void)state;
    static const struct {
        const char* words;
        sn_status status;
        const char* why;
    } bad[] = {
        {"add: {name: ball, sphere: 0.1}", SN_ERR_ARGUMENT, "there is an item 'ball' already"},
        {"remove: boll", SN_ERR_ARGUMENT, "there is no item 'boll'; did you mean 'ball'?"},
        {"surface: {item: bax, material: {mu: 1}}", SN_ERR_ARGUMENT, "did you mean 'box'?"},
        {"hold: {name: h, type: weld, body: ball, other: bix}", SN_ERR_ARGUMENT,
         "there is no body or joint 'bix'; did you mean 'box'?"},
        {"hold: {name: h, type: weld, body: ball, other: ball}", SN_ERR_ARGUMENT, "itself"},
        {"hold: {name: h, type: weld, body: world}", SN_ERR_ARGUMENT, "itself"},
        {"release: nothing", SN_ERR_ARGUMENT, "there is no hold 'nothing'"},
        {"push: {body: bull, force: [1, 0, 0]}", SN_ERR_ARGUMENT, "did you mean 'ball'?"},
        {"force: {joint: arm/b000000, value: [1, 2]}", SN_ERR_ARGUMENT, "takes 1 numbers, not 2"},
        {"force: {joint: nowhere, value: 1}", SN_ERR_ARGUMENT, "there is no body or joint"},
        {"move: {joint: arm/b000000, value: [1, 2]}", SN_ERR_ARGUMENT, "takes 1 numbers, not 2"},
        {"move: {joint: ball, value: [0, 0, 1, 2, 0, 0, 0]}", SN_ERR_NUMERIC, "cannot be there"},
        {"lock: arm/nothing", SN_ERR_ARGUMENT, "there is no body or joint"},
        {"unlock: arm/nothing", SN_ERR_ARGUMENT, "there is no body or joint"},
        {"active: {max_active: 3}", SN_ERR_ARGUMENT, "dynamics is 'aba', not 'adaptive'"},
        {"target: {controller: none, joint: arm/b000000, value: 1}", SN_ERR_ARGUMENT,
         "there is no controller 'none'"},
        {"plugin: {name: none, words: hello}", SN_ERR_ARGUMENT, "there is no plugin"},
        {"reset: false", SN_ERR_FORMAT, "'reset' is true"},
        {"ad: {name: x}", SN_ERR_FORMAT, "there is no key 'ad'"},
        {"add: {name: x, sphere: -1}", SN_ERR_FORMAT, "above 0"},
        {"", SN_ERR_FORMAT, ""},
    };
    sn_simulation* sim = running(SCENE);
    disturb(sim);
    running_step(sim, 30);
    sn_world* world = sn_simulation_world(sim);
    uint64_t hash = sn_world_hash(world);
    const sn_model* model = sn_world_model(world);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        running_refuse(sim, bad[i].words, bad[i].status, bad[i].why);
        CHECK(sn_world_hash(world) == hash && sn_world_model(world) == model, i);
        CHECK(sn_simulation_item_count(sim) == ITEM_COUNT + 1 && sim->model_count == 1, i);
        check_numbers(sim);
    }
    running_step(sim, 10);
    sn_simulation_free(sim);
}

static void items_that_make_no_sense_are_refused(void** state) {
    (void)state;
    sn_simulation* sim = running(SCENE);
    running_step(sim, 3);
    sn_world* world = sn_simulation_world(sim);
    uint64_t hash = sn_world_hash(world);
    const sn_model* model = sn_world_model(world);
    sn_edit* edit = NULL;
    sn_error error = {0};
    const sn_item* good = parse_item("add: {name: new, sphere: 0.1, at: [7, 0, 1]}", &edit);
    const double nowhere[7] = {NAN, 0, 0, 1, 0, 0, 0}, too_fast[6] = {INFINITY, 0, 0, 0, 0, 0};
    sn_item bad = *good;
    bad.q = nowhere;
    CHECK_STATUS(sn_simulation_add(sim, &bad, NULL, &error), SN_ERR_NUMERIC);
    running_says(error.text, "an item cannot begin like this");
    bad = *good;
    bad.v = too_fast;
    CHECK_STATUS(sn_simulation_add(sim, &bad, NULL, &error), SN_ERR_NUMERIC);
    bad = *good;
    bad.pose.p.x = NAN;
    CHECK(sn_simulation_add(sim, &bad, NULL, &error) != SN_OK, 0);
    bad = *good;
    bad.prefix = "ball"; // its body would be a second "ball"
    CHECK_STATUS(sn_simulation_add(sim, &bad, NULL, &error), SN_ERR_MODEL);
    running_says(error.text, "ball");
    bad = *good;
    bad.name = NULL;
    CHECK_STATUS(sn_simulation_add(sim, &bad, NULL, &error), SN_ERR_ARGUMENT);
    bad = *good;
    bad.model = NULL;
    CHECK_STATUS(sn_simulation_add(sim, &bad, NULL, &error), SN_ERR_ARGUMENT);
    sn_material rough = sn_material_default();
    rough.mu = -1;
    CHECK_STATUS(sn_simulation_set_surface(sim, running_item(sim, "box"), &rough, &error),
                 SN_ERR_ARGUMENT);
    CHECK(sn_world_hash(world) == hash && sn_world_model(world) == model, 0);
    CHECK(sn_simulation_item_count(sim) == ITEM_COUNT + 1, 0);
    check_numbers(sim);
    CHECK_STATUS(sn_simulation_add(sim, good, NULL, &error), SN_OK);
    sn_edit_free(edit);
    running_step(sim, 3);
    sn_simulation_free(sim);
}

static void numbers_that_are_not_finite_are_refused(void** state) {
    (void)state;
    sn_simulation* sim = running(SCENE);
    uint64_t hash = sn_world_hash(sn_simulation_world(sim));
    const sn_edit bad[] = {
        {.type = SN_EDIT_GRAVITY, .vector = {0, NAN, 0}},
        {.type = SN_EDIT_PUSH, .body = "ball", .wrench.f = {INFINITY, 0, 0}},
        {.type = SN_EDIT_PUSH, .body = "ball", .wrench.n = {0, 0, NAN}},
        {.type = SN_EDIT_FORCE, .body = "arm/b000000", .number_count = 1, .number = {NAN}},
        {.type = SN_EDIT_MOVE, .body = "arm/b000000", .number_count = 1, .number = {NAN}},
    };
    sn_error error = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_STATUS(sn_simulation_apply(sim, &bad[i], &error), SN_ERR_NUMERIC);
    // texts that are not given, and a kind that there is not
    const sn_edit empty = {.type = SN_EDIT_REMOVE}, none = {.type = SN_EDIT_TYPE_COUNT};
    CHECK_STATUS(sn_simulation_apply(sim, &empty, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_apply(sim, &none, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_apply(sim, NULL, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_command(sim, NULL, NULL, 0, &error), SN_ERR_ARGUMENT);
    CHECK(sn_world_hash(sn_simulation_world(sim)) == hash, 0);
    sn_simulation_free(sim);
}

// ---- memory -------------------------------------------------------------------------------------------------

static void what_edits_have_replaced_is_given_back(void** state) {
    (void)state;
    sn_simulation* sim = running(SCENE);
    for (int k = 0; k < 200; k++) {
        running_command(sim, "add: {name: guest, generate: 'chain:3', at: [9, 9, 9]}");
        running_step(sim, k % 3);
        running_command(sim, "remove: guest");
        running_step(sim, 1);
        CHECK(sim->model_count <= 4, 0); // three snapshots may show what was before
    }
    // nobody looked, so the snapshot for those who look is still of the beginning
    running_step(sim, 4);
    CHECK(sim->model_count == 2, 0);
    for (int k = 0; k < 4; k++) {
        (void)sn_world_snapshot(sn_simulation_world(sim));
        running_step(sim, 1);
    }
    CHECK(sim->model_count == 1, 0);
    CHECK(sim->items.slots == 16, 0);
    sn_simulation_free(sim);
}

static void replaced_states_stay_readable_when_they_are_kept(void** state) {
    (void)state;
    sn_simulation_def def = sn_simulation_def_default();
    def.keep_replaced = true;
    sn_simulation* sim = running_with(SCENE, &def);
    running_step(sim, 10);
    const double* q = sn_world_q(sn_simulation_world(sim));
    int nq = sn_model_nq(sn_world_model(sn_simulation_world(sim)));
    double before = 0, after = 0;
    for (int k = 0; k < nq; k++) before += q[k];
    for (int k = 0; k < 10; k++) {
        running_command(sim, k % 2 ? "remove: guest" : "add: {name: guest, sphere: 1}");
        running_step(sim, 2);
        (void)sn_world_snapshot(sn_simulation_world(sim));
    }
    for (int k = 0; k < nq; k++) after += q[k]; // the address sanitizer looks at this
    CHECK(before == after && sim->model_count == 11, 0);
    sn_simulation_collect(sim);
    CHECK(sim->model_count <= 4, 0);
    sn_simulation_free(sim);
}

// ---- from the beginning -------------------------------------------------------------------------------------

static void reset_brings_the_scene_back_as_it_was_loaded(void** state) {
    (void)state;
    sn_simulation *sim = running(SCENE), *fresh = running(SCENE);
    disturb(sim);
    running_command(sim, "hold: {name: grip, type: weld, body: ball, other: box}");
    running_command(sim, "add: {name: new, sphere: 0.2, at: [4, 4, 4]}");
    running_command(sim, "remove: robot");
    running_command(sim, "surface: {item: box, material: {mu: 0}}");
    running_command(sim, "gravity: [1, 2, 3]");
    CHECK_STATUS(sn_world_set_solve(sn_simulation_world(sim), 0.1, 1), SN_OK);
    sn_item_id old = running_item(sim, "arm");
    running_step(sim, 100);
    running_command(sim, "reset: true");
    CHECK(sn_world_step_count(sn_simulation_world(sim)) == 100, 0); // time goes on
    CHECK(!sn_simulation_item(sim, old), 0);
    CHECK(sn_simulation_find_hold(sim, "grip").generation == 0, 0);
    check_numbers(sim);
    for (int k = 0; k < 400; k++) {
        for (int i = 0; i < ITEM_COUNT; i++) {
            kept a = keep(sim, ITEMS[i]), b = keep(fresh, ITEMS[i]);
            check_same(&a, &b, (uint64_t)k);
        }
        running_step(sim, 1);
        running_step(fresh, 1);
    }
    sn_simulation_free(sim);
    sn_simulation_free(fresh);
}

static void reset_ends_a_fault(void** state) {
    (void)state;
    sn_simulation* sim = running(SCENE);
    double v[64];
    for (int k = 0; k < 64; k++) v[k] = 1e308;
    CHECK_STATUS(sn_world_set_state(sn_simulation_world(sim), NULL, v), SN_OK);
    sn_status status = SN_OK;
    for (int k = 0; k < 10 && !status; k++) status = sn_simulation_step(sim, NULL);
    CHECK_STATUS(status, SN_ERR_NUMERIC);
    CHECK_STATUS(sn_simulation_step(sim, NULL), SN_ERR_FAULT);
    CHECK_STATUS(sn_simulation_reset(sim, NULL), SN_OK);
    running_step(sim, 10);
    sn_simulation_free(sim);
}

static void nothing_is_asked_of_nobody(void** state) {
    (void)state;
    sn_simulation* sim = NULL;
    sn_error error = {0};
    CHECK_STATUS(sn_simulation_create(NULL, NULL, &sim, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_create(sn_scene_create("s"), NULL, NULL, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_load(NULL, NULL, &sim, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_load("no_such_scene", NULL, &sim, &error), SN_ERR_FILE);
    CHECK(!sim, 0);
    CHECK_STATUS(sn_simulation_step(NULL, NULL), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_add(NULL, NULL, NULL, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_remove(NULL, (sn_item_id){0}, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_set_surface(NULL, (sn_item_id){0}, NULL, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_reset(NULL, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_simulation_serve(NULL, &error), SN_ERR_ARGUMENT);
    sn_simulation_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_keep_the_state_of_everything_else_bit_for_bit),
        cmocka_unit_test(what_is_removed_takes_nothing_with_it),
        cmocka_unit_test(an_item_moves_as_if_nothing_had_been_edited),
        cmocka_unit_test(a_new_item_begins_where_it_was_told),
        cmocka_unit_test(what_is_added_later_touches_what_was_there),
        cmocka_unit_test(there_is_room_for_the_contacts_of_what_is_added),
        cmocka_unit_test(a_surface_changes_friction_and_nothing_else),
        cmocka_unit_test(what_fails_changes_nothing),
        cmocka_unit_test(items_that_make_no_sense_are_refused),
        cmocka_unit_test(numbers_that_are_not_finite_are_refused),
        cmocka_unit_test(what_edits_have_replaced_is_given_back),
        cmocka_unit_test(replaced_states_stay_readable_when_they_are_kept),
        cmocka_unit_test(reset_brings_the_scene_back_as_it_was_loaded),
        cmocka_unit_test(reset_ends_a_fault),
        cmocka_unit_test(nothing_is_asked_of_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
