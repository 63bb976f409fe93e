// SPDX-License-Identifier: Apache-2.0
// Hands on a helix: scales by device and molecule, parts that are held as one piece, forces that agree on both ends, and
// no chatter, on devices of every kind, with inertia and without.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/units.h"
#include "support/playing.h"

/// A helix with one hand; %s: more of the scene, more of the hand.
static const char* const HELIX = "version: 1\n%s"
                                 "molecules: [{name: helix, build: \"ala:10\"}]\n"
                                 "devices: [{name: d, driver: sim}]\n"
                                 "hands: [{name: h, device: d, item: helix, %s}]\n";

static playing begin(const char* world, const char* hand, const char* profile,
                     const sn_hand_knot* way, int knots) {
    char scene[1024];
    sn_session_def def = playing_def();
    (void)snprintf(scene, sizeof scene, HELIX, world, hand);
    playing p = playing_begin(scene, &def);
    // a step a millisecond
    CHECK_STATUS(
        sn_session_set_pace(p.session, 1e3 * sn_world_step_size(sn_simulation_world(p.sim))),
        SN_OK);
    playing_hand(&p, sn_scene_hand(sn_simulation_scene(p.sim), 0), profile, "firm", way, knots);
    return p;
}

static double pace_of(const playing* p) { return sn_session_pace(p->session); }

static void scales_fit_device_and_molecule(void** state) {
    (void)state;
    static const char* const profiles[] = {"touch", "falcon", "omega3", "premium30_6dof"};
    const sn_hand_knot rest[] = {playing_knot(0, 0, 0, 0)};
    for (int k = 0; k < 4; k++) {
        playing p = begin("", "body: A/11 CA", profiles[k], rest, 1);
        sn_hand_report hand = playing_report(&p, 0);
        double reach = hand.profile.workspace * hand.scale; // nm: the helix is 1.9 nm long
        check_context(hand.scales);
        CHECK(reach > 0.9 && reach < 1.5, (uint64_t)k);
        double strongest = hand.profile.peak_force * hand.force_scale * SN_MOLECULE_FORCE_PN;
        CHECK_RELATIVE(strongest, 1200, 0.04, (uint64_t)k); // but for rounding
        CHECK_RELATIVE(hand.most_force * SN_MOLECULE_FORCE_PN, 1200, 0.04, (uint64_t)k);
        double felt = hand.stiffness * hand.scale / hand.force_scale;
        CHECK(felt > 0.1 * hand.profile.stiffness && felt <= hand.profile.stiffness, (uint64_t)k);
        CHECK(strstr(hand.scales, "1 cm = ") && strstr(hand.scales, " pN; the spring"), 0);
        CHECK(strncmp(hand.scales, profiles[k], strlen(profiles[k])) == 0, 0);
        CHECK(hand.reason[0] == '\0', 0);
        playing_end(&p);
    }
    playing p = begin("", "body: A/11 CA, scale: 7, force_scale: 30, stiffness: 500", "touch", rest,
                      1); // as it says
    sn_hand_report hand = playing_report(&p, 0);
    CHECK(hand.scale == 7 && hand.force_scale == 30 && hand.scales[0] == '\0', 0);
    CHECK_NEAR(hand.stiffness, 500, 1e-9, 0); // 500 * 7 / 30 is 117 N/m in the hand
    playing_end(&p);
}

static const double RIPPLE = 0.05; // N: what a hand hardly feels

/// A pull by 2 cm of the hand, then rest.
static void pull_and_rest(const char* world, const char* held, const char* profile) {
    const sn_hand_knot way[] = {playing_knot(0, 0, 0, 0), playing_knot(0.6, 0, 0, 0),
                                playing_knot(1.6, 0.01, 0, 0.02)};
    playing p = begin(world, held, profile, way, 3);
    // slow changes of shape go on for long; what would be chatter does not end
    CHECK_STATUS(playing_settle(&p, RIPPLE, 3, 30), SN_OK);
    sn_hand_report hand = playing_report(&p, 0);
    double ripple = p.tap[0]->ripple, felt = sn_vec3_norm(hand.force.force);
    print_message("%.11s %s %s: ripple %.4f N, largest step %.3f N, felt %.2f N\n", world, held,
                  profile, ripple, hand.safety.max_force_step, felt);
    check_context(profile);
    CHECK(hand.safety.trips == 0 && !hand.safety.latched, 0);
    CHECK(ripple <= RIPPLE, 0);
    CHECK(felt > 0.1, 0);
    // what is felt is what pulls, by the scale of forces
    double pulls = sn_vec3_norm(hand.on_body) / hand.force_scale;
    CHECK_NEAR(felt, pulls, 0.02 + 0.01 * pulls, 0);
    playing_end(&p);
}

static void no_device_chatters(void** state) {
    (void)state;
    static const char* const held[] = {"body: A/11 CA", "body: A/8-9, six: true"};
    sn_device_profile profile;
    for (int k = 0; sn_device_profile_at(k, &profile); k++) {
        pull_and_rest("dynamics: aba\n", held[k % 2], profile.name);
        pull_and_rest("integrator: quasistatic\n", held[k % 2], profile.name);
    }
}

static int count_locked(const playing* p) {
    sn_dynamics* d = sn_world_dynamics(sn_simulation_world(p->sim));
    int count = 0;
    for (int i = 0; i < sn_model_body_count(sn_dynamics_model(d)); i++)
        count += sn_dynamics_is_locked(d, sn_body(i));
    return count;
}

static void what_is_held_as_one_piece_moves_as_one(void** state) {
    (void)state;
    static const struct {
        const char* hand;
        int locked;
    } cases[] = {{"body: A/6 CA", 0}, {"body: A/6", 2}, {"body: A/6-8", 6}, {"body: A/6 phi", 0}};
    const sn_hand_knot way[] = {playing_knot(0, 0, 0, 0), playing_knot(1, 0.02, 0, 0)};
    for (int k = 0; k < 4; k++) {
        playing p = begin("", cases[k].hand, "omega3", way, 2);
        check_context(cases[k].hand);
        CHECK(count_locked(&p) == cases[k].locked, (uint64_t)k);
        double before[20];
        memcpy(before, sn_world_q(sn_simulation_world(p.sim)), sizeof before);
        CHECK_STATUS(playing_run(&p, 1.5 * pace_of(&p)), SN_OK);
        const double* after = sn_world_q(sn_simulation_world(p.sim));
        int moved = 0;
        for (int i = 0; i < 20; i++) moved += after[i] != before[i];
        CHECK(moved == 20 - cases[k].locked, (uint64_t)k);
        CHECK_STATUS(sn_session_hold(p.session, 0, sn_body_world(), sn_vec3_zero()), SN_OK);
        CHECK(count_locked(&p) == 0, (uint64_t)k);
        playing_end(&p);
    }
}

static void the_middle_of_a_part_is_held(void** state) {
    (void)state;
    const sn_hand_knot rest[] = {playing_knot(0, 0, 0, 0)};
    playing p = begin("", "body: A/6-8", "omega3", rest, 1);
    const sn_scene_molecule* m = sn_scene_molecule_at(sn_simulation_scene(p.sim), 0);
    sn_vec3 sum = sn_vec3_zero();
    double mass = 0;
    for (int i = 0; i < sn_molecule_atom_count(m->molecule); i++) {
        sn_atom_info atom = sn_molecule_atom(m->molecule, i);
        int number = sn_molecule_residue(m->molecule, atom.residue).number;
        if (number < 6 || number > 8) continue;
        sum = sn_vec3_add(sum, sn_vec3_scale(atom.mass, atom.p));
        mass += atom.mass;
    }
    CHECK_STATUS(playing_run(&p, 1e-3 * pace_of(&p)), SN_OK); // a step
    sn_hand_report hand = playing_report(&p, 0);
    sn_vec3 off = sn_vec3_sub(hand.anchor, sn_vec3_scale(1 / mass, sum));
    CHECK_NEAR(sn_vec3_norm(off), 0, 1e-3, 0);
    playing_end(&p);
}

static void refused(const char* hand, const char* why) {
    char scene[1024];
    sn_error error = {0};
    (void)snprintf(scene, sizeof scene, HELIX, "", hand);
    CHECK(running_try(scene, NULL, &error) != SN_OK, 0);
    running_says(error.text, why);
    CHECK(error.line == 4, 0);
}

static void parts_that_are_not_there_are_named(void** state) {
    (void)state;
    refused("body: A/99", "'A/99' is no atom");
    refused("body: A/6 CZ", "did you mean 'A/6 C");
    refused("body: A/8-6", "'A/8-6' is no atom");
    refused("body: A/1 CH3", "is fixed to the world");
    refused("body: A/1-3", "is fixed to the world");
}

static void a_pointer_pulls_at_molecules_as_they_bear(void** state) {
    (void)state;
    const sn_hand_knot rest[] = {playing_knot(0, 0, 0, 0)};
    playing p =
        begin("", "body: A/11 CA, stiffness: auto, scale: 1, force_scale: 300", "omega3", rest, 1);
    CHECK_STATUS(playing_run(&p, 0.1 * pace_of(&p)), SN_OK);
    sn_hand_report hand = playing_report(&p, 0);
    CHECK_RELATIVE(hand.most_force * SN_MOLECULE_FORCE_PN, 1200, 1e-9, 0);
    CHECK_NEAR(hand.stiffness, 2000, 1e-6, 0);
    playing_end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scales_fit_device_and_molecule),
        cmocka_unit_test(no_device_chatters),
        cmocka_unit_test(what_is_held_as_one_piece_moves_as_one),
        cmocka_unit_test(the_middle_of_a_part_is_held),
        cmocka_unit_test(parts_that_are_not_there_are_named),
        cmocka_unit_test(a_pointer_pulls_at_molecules_as_they_bear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
