// SPDX-License-Identifier: Apache-2.0
/// A hand turns a side chain all around: over each barrier between two rotamers the force falls, changes its sign and comes
/// back, and with a soft spring the side chain snaps.
#include <math.h>
#include <stdlib.h>

#include "molecule_rig.h"
#include "scenario.h"

enum { PLACES = 361, STEPS_MOST = 40, SPRINGS = 2 };
// Of the hand, kJ/(mol nm^2): about what a Touch can render on a small molecule, and less than a barrier's curvature.
static const double STIFFNESS[SPRINGS] = {2260, 350};
static const double TOUCH_PN_PER_N = 360; // as hands on molecules scale that device
static const double JUST_FELT = 0.1;      // of a force: its least difference that a hand feels

/// Once around and back: the hand's angle, the force that it feels along its circle, chi1 (all turns counted), energy.
typedef struct turn {
    double *hand, *force, *chi, *energy;
    double work; ///< kJ/mol, of going around and back: what snaps have lost
} turn;

typedef struct side_chain {
    molecule_rig rig;
    int atom;
    sn_spring spring;
    sn_vec3 centre, x, y; ///< of the circle
    double radius;        ///< nm
    int chi;              ///< torsion
} side_chain;

static sn_vec3 combine(double a, sn_vec3 u, double b, sn_vec3 v) {
    return sn_vec3_add(sn_vec3_scale(a, u), sn_vec3_scale(b, v));
}

/// Phenylalanine between two alanines of a strand; its backbone is held, so that the hand feels the side chain alone.
static sn_status start(side_chain* s, sn_error* error) {
    sn_molecule_build_def def = sn_molecule_build_def_default();
    sn_world_def world = molecule_rig_world();
    def.name = "AFA";
    def.sequence = "AFA";
    def.structure = "strand";
    world.integrator = SN_INTEGRATE_QUASISTATIC;
    world.relaxation.tolerance = 0.02;
    sn_status status = sn_molecule_build(&def, &s->rig.molecule, error);
    if (!status) status = molecule_rig_start(&s->rig, NULL, &world, error);
    for (int t = 0; !status && t < sn_torsion_tree_torsion_count(s->rig.tree); t++) {
        sn_torsion_info torsion = sn_torsion_tree_torsion(s->rig.tree, t);
        if (torsion.kind != SN_TORSION_CHI)
            status = sn_world_lock(s->rig.world, torsion.body, true);
        else if (s->chi < 0)
            s->chi = t;
    }
    return status;
}

/// The circle about CA-CB on which the far end of the ring, CZ, can go.
static void find_circle(side_chain* s) {
    const molecule_rig* rig = &s->rig;
    sn_vec3 ca = molecule_rig_place(rig, molecule_rig_atom(rig, 2, "CA"));
    sn_vec3 cb = molecule_rig_place(rig, molecule_rig_atom(rig, 2, "CB"));
    s->atom = molecule_rig_atom(rig, 2, "CZ");
    sn_vec3 at = molecule_rig_place(rig, s->atom), axis = sn_vec3_sub(cb, ca);
    axis = sn_vec3_scale(1 / sn_vec3_norm(axis), axis);
    s->centre = sn_vec3_add(ca, sn_vec3_scale(sn_vec3_dot(sn_vec3_sub(at, ca), axis), axis));
    sn_vec3 out = sn_vec3_sub(at, s->centre);
    s->radius = sn_vec3_norm(out);
    s->x = sn_vec3_scale(1 / s->radius, out);
    s->y = sn_vec3_cross(axis, s->x);
    int group = sn_torsion_tree_atom_group(rig->tree, s->atom);
    s->spring = (sn_spring){.body = sn_torsion_tree_group_body(rig->tree, group),
                            .point = sn_torsion_tree_atom_offset(rig->tree, s->atom),
                            .anchor = sn_pose_identity()};
}

/// The hand at an angle, until all forces balance; the force on the hand against its way.
static sn_status go_to(side_chain* s, double angle, double* force) {
    sn_vec3 out = combine(cos(angle), s->x, sin(angle), s->y);
    sn_vec3 along = combine(-sin(angle), s->x, cos(angle), s->y);
    sn_step_report report = {.events = SN_EVENT_NO_CONVERGE};
    s->spring.anchor.p = sn_vec3_add(s->centre, sn_vec3_scale(s->radius, out));
    sn_status status = sn_world_set_spring(s->rig.world, 0, &s->spring);
    for (int k = 0; k < STEPS_MOST && !status && report.events & SN_EVENT_NO_CONVERGE; k++)
        status = sn_world_step(s->rig.world, &report);
    sn_vec3 stretch = sn_vec3_sub(s->spring.anchor.p, molecule_rig_place(&s->rig, s->atom));
    *force = s->spring.stiffness * sn_vec3_dot(stretch, along);
    return status;
}

static double chi_of(const side_chain* s) {
    sn_torsion_info torsion = sn_torsion_tree_torsion(s->rig.tree, s->chi);
    int iq = sn_model_body(sn_torsion_tree_model(s->rig.tree), torsion.body).iq;
    return (torsion.dihedral + sn_world_q(s->rig.world)[iq]) * 180 / M_PI;
}

static bool turn_around(scenario_result* result, double stiffness, turn* t) {
    side_chain s = {.chi = -1};
    sn_error error = {0};
    double last = 0, least = INFINITY, before = 0;
    t->hand = scenario_numbers(result, 2 * PLACES);
    t->force = scenario_numbers(result, 2 * PLACES);
    t->chi = scenario_numbers(result, 2 * PLACES);
    t->energy = scenario_numbers(result, 2 * PLACES);
    error.status = start(&s, &error);
    if (!error.status) find_circle(&s);
    s.spring.stiffness = stiffness;
    for (int i = 0; i < 2 * PLACES && !error.status; i++) {
        int place = i < PLACES ? i : 2 * PLACES - 1 - i;
        double angle = 2 * M_PI * place / (PLACES - 1), force;
        error.status = go_to(&s, angle, &force);
        if (i > 0) t->work += 0.5 * (force + before) * s.radius * (angle - last);
        before = force, last = angle;
        t->hand[i] = angle * 180 / M_PI;
        t->force[i] = force * SN_MOLECULE_FORCE_PN;
        t->chi[i] = chi_of(&s);
        t->energy[i] = molecule_rig_potential(&s.rig);
        least = fmin(least, t->energy[i]);
    }
    for (int i = 0; i < 2 * PLACES; i++) t->energy[i] -= least;
    if (error.status) molecule_rig_trouble("AFA", &error);
    molecule_rig_free(&s.rig);
    return error.status == SN_OK;
}

/// On the way there, the deepest fall of the force within 60 degrees, and the force it falls from.
static double deepest_fall(const turn* t, double* from) {
    double most = 0;
    for (int i = 0; i < PLACES; i++) {
        for (int j = i; j < PLACES && t->hand[j] <= t->hand[i] + 60; j++) {
            if (t->force[i] - t->force[j] <= most) continue;
            most = t->force[i] - t->force[j];
            *from = t->force[i];
        }
    }
    return most;
}

static void draw(scenario_result* result, const turn* turns) {
    static const char* const NAMES[SPRINGS][2] = {{"stiff, there", "stiff, back"},
                                                  {"soft, there", "soft, back"}};
    plot* p = &result->plot;
    p->title = "A hand turns phenylalanine through its rotamers";
    p->subtitle = "quasi-static; the far end of the ring on a circle about CA-CB, there and back; "
                  "springs of 375 and 58 pN/A";
    p->panel_count = 3;
    p->panels[0] = (plot_panel){.title = "What the hand feels against its way",
                                .x_label = "hand on its circle [deg]",
                                .y_label = "force [pN]"};
    p->panels[1] = (plot_panel){.title = "Where the side chain is",
                                .x_label = "hand on its circle [deg]",
                                .y_label = "chi1 [deg]"};
    for (int k = 0; k < SPRINGS; k++) {
        for (int back = 0; back < 2; back++) {
            const double *x = turns[k].hand + (size_t)back * PLACES,
                         *y = turns[k].force + (size_t)back * PLACES,
                         *z = turns[k].chi + (size_t)back * PLACES;
            plot_add_series(&p->panels[0], NAMES[k][back], x, y, PLACES, false);
            plot_add_series(&p->panels[1], NAMES[k][back], x, z, PLACES, false);
        }
    }
    p->panels[2] = (plot_panel){.title = "Energy of the molecule, stiff spring",
                                .x_label = "chi1 [deg]",
                                .y_label = "energy [kJ/mol]"};
    plot_add_series(&p->panels[2], "phenylalanine", turns[0].chi, turns[0].energy, PLACES, false);
}

static bool run(scenario_result* result, bool quick) {
    turn turns[SPRINGS] = {0};
    (void)quick; // a second
    for (int k = 0; k < SPRINGS; k++)
        if (!turn_around(result, STIFFNESS[k], &turns[k])) return false;
    double from = 0, barrier = 0, fall = deepest_fall(&turns[0], &from);
    for (int i = 0; i < PLACES; i++) barrier = fmax(barrier, turns[0].energy[i]);
    scenario_add(result, "barrier", "highest barrier [kJ/mol]", barrier);
    scenario_add(result, "peak_pN", "force before the deepest fall [pN]", from);
    scenario_add(result, "fall_pN", "how far it falls [pN]", fall);
    scenario_add(result, "fall_N", "the same on a Touch, 1 N = 360 pN [N]", fall / TOUCH_PN_PER_N);
    scenario_judge(result, "felt", "fall over the least difference that is felt, a tenth",
                   fall / (JUST_FELT * from), 5, INFINITY, "at least 5");
    scenario_judge(result, "changes_sign", "fall over the force before it: above 1 it pushes on",
                   fall / from, 1, INFINITY, "above 1");
    scenario_judge(result, "stiff_loss", "lost there and back, stiff spring [kJ/mol]",
                   turns[0].work, -0.5, 0.5, "within 0.5: nothing snaps");
    scenario_judge(result, "soft_loss", "lost there and back, soft spring [kJ/mol]", turns[1].work,
                   10, INFINITY, "above 10: it snaps");
    draw(result, turns);
    return true;
}

int reproduce_rotamer(const reproduce_options* options) {
    static const scenario s = {
        "rotamer", "A hand feels the barriers between rotamers",
        "Side chains prefer three angles about CA-CB. A hand pulls phenylalanine around, there and "
        "back, each place until all forces balance. Before a barrier the force rises, on its top "
        "it is zero, behind it the side chain pushes on: a dip that a hand feels. With a spring "
        "softer than the barrier is curved the side chain snaps over, at other places there than "
        "back: hysteresis.",
        run};
    return scenario_reproduce(&s, options);
}
