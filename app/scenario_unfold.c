// SPDX-License-Identifier: Apache-2.0
/// A hand pulls a helix apart: what it puts in is what the molecule has afterwards and what friction took.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "molecule_rig.h"
#include "scenario.h"

enum { SAMPLES = 240, SETTLE = 4000, STEPS_MOST = 3, STILL_STEPS = 8 };
static const double STIFFNESS = 1000; // kJ/(mol nm^2), of the hand: 166 pN/A

typedef struct pull {
    const char* molecule;
    double way;   ///< nm that the hand goes
    double speed; ///< nm/ps
    double step;  ///< ps; 0: without inertia, SAMPLES places
    // found, one number a sample
    double *at, *force, *work, *energy, *heat, *sum;
    int count;
    double imbalance; ///< of the work at the end
} pull;

/// A molecule, and the hand's end of the spring on its last alpha carbon.
typedef struct held {
    molecule_rig rig;
    int atom;
    sn_body_id body;
    sn_vec3 start, along; ///< where the hand begins, and its direction
} held;

static sn_status start(held* h, const pull* p, sn_error* error) {
    sn_world_def world = molecule_rig_world();
    sn_molecule_forces_def forces = sn_molecule_forces_def_default();
    world.integrator = p->step > 0 ? SN_INTEGRATE_EULER : SN_INTEGRATE_QUASISTATIC;
    if (p->step > 0) world.step = p->step;
    world.relaxation = (sn_relaxation){.evaluations = 100, .tolerance = 0.1};
    sn_status status = sn_molecule_build_named(p->molecule, &h->rig.molecule, error);
    if (!status) status = molecule_rig_start(&h->rig, &forces, &world, error);
    if (status) return status;
    h->atom = molecule_rig_atom(&h->rig, -2, "CA"); // the last is a cap
    h->body =
        sn_torsion_tree_group_body(h->rig.tree, sn_torsion_tree_atom_group(h->rig.tree, h->atom));
    return SN_OK;
}

/// Where the energy has a minimum, from a world that goes there.
static sn_status settle(held* h, const pull* p, sn_error* error) {
    held still = {0};
    pull quiet = {.molecule = p->molecule};
    sn_status status = start(&still, &quiet, error);
    sn_step_report report = {.events = SN_EVENT_NO_CONVERGE};
    for (int i = 0; !status && i < SETTLE && report.events & SN_EVENT_NO_CONVERGE; i++)
        status = sn_world_step(still.rig.world, &report);
    if (!status) status = sn_world_set_state(h->rig.world, sn_world_q(still.rig.world), NULL);
    molecule_rig_free(&still.rig);
    h->start = molecule_rig_place(&h->rig, h->atom);
    sn_vec3 whole =
        sn_vec3_sub(h->start, molecule_rig_place(&h->rig, molecule_rig_atom(&h->rig, 1, "CA")));
    h->along = sn_vec3_scale(1 / sn_vec3_norm(whole), whole);
    return status;
}

static sn_vec3 hand_at(const held* h, double way) {
    return sn_vec3_add(h->start, sn_vec3_scale(way, h->along));
}

static void take_sample(pull* p, double way, double force, double work, double energy,
                        double heat) {
    int k = p->count++;
    p->at[k] = 10 * way;
    p->force[k] = force * SN_MOLECULE_FORCE_PN;
    p->work[k] = work;
    p->energy[k] = energy;
    p->heat[k] = heat;
    p->sum[k] = energy + heat;
}

// ---- with inertia ------------------------------------------------------------------------------------------

/// The spring's force on the atom for the coming step.
static sn_status pull_atom(held* h, sn_vec3 hand, sn_vec3* force) {
    sn_vec3 at = molecule_rig_place(&h->rig, h->atom);
    sn_pose X = sn_dynamics_pose(sn_world_dynamics(h->rig.world), h->body);
    *force = sn_vec3_scale(STIFFNESS, sn_vec3_sub(hand, at));
    sn_vec3 arm = sn_vec3_sub(at, X.p);
    return sn_world_set_wrench(h->rig.world, h->body, SN_AXES_WORLD,
                               sn_wrench_make(sn_vec3_cross(arm, *force), *force));
}

static sn_status pull_moving(held* h, pull* p) {
    sn_world* world = h->rig.world;
    double friction = sn_molecule_forces_def_default().friction, work = 0, heat = 0, kinetic = 0;
    double before = molecule_rig_potential(&h->rig);
    long steps = lround(p->way / (p->speed * p->step)), stride = steps / SAMPLES + 1;
    sn_vec3 force, at = molecule_rig_place(&h->rig, h->atom);
    sn_status status = SN_OK;
    for (long i = 1; i <= steps && !status; i++) {
        double way = p->way * (double)i / (double)steps;
        status = pull_atom(h, hand_at(h, way), &force);
        if (!status) status = sn_world_step(world, NULL);
        sn_vec3 next = molecule_rig_place(&h->rig, h->atom);
        double kinetic_next = sn_world_energy(world).kinetic;
        work += sn_vec3_dot(force, sn_vec3_sub(next, at));
        heat += friction * p->step * (kinetic + kinetic_next); // friction takes 2 gamma K
        at = next, kinetic = kinetic_next;
        if (i % stride == 0 || i == steps)
            take_sample(p, way, sn_vec3_dot(force, h->along), work,
                        molecule_rig_potential(&h->rig) - before + kinetic, heat);
    }
    if (!status) p->imbalance = fabs(work - p->sum[p->count - 1]) / work;
    return status;
}

// ---- without -----------------------------------------------------------------------------------------------

/// The hand goes on when forces balance. Its work is all of the energy, but where the molecule snaps to another shape.
static sn_status pull_still(held* h, pull* p) {
    double before = molecule_rig_potential(&h->rig), work = 0, last = 0;
    sn_spring spring = {.body = h->body,
                        .point = sn_torsion_tree_atom_offset(h->rig.tree, h->atom),
                        .anchor = sn_pose_identity(),
                        .stiffness = STIFFNESS};
    sn_status status = SN_OK;
    for (int i = 0; i < SAMPLES && !status; i++) {
        double way = p->way * i / (SAMPLES - 1);
        sn_step_report report = {.events = SN_EVENT_NO_CONVERGE};
        spring.anchor.p = hand_at(h, way);
        status = sn_world_set_spring(h->rig.world, 0, &spring);
        for (int k = 0; k < STILL_STEPS && !status && report.events & SN_EVENT_NO_CONVERGE; k++)
            status = sn_world_step(h->rig.world, &report);
        sn_vec3 stretch = sn_vec3_sub(spring.anchor.p, molecule_rig_place(&h->rig, h->atom));
        double force = STIFFNESS * sn_vec3_dot(stretch, h->along);
        work += 0.5 * (force + last) * p->way / (SAMPLES - 1) * (i > 0);
        last = force;
        double stored = 0.5 * STIFFNESS * sn_vec3_dot(stretch, stretch);
        take_sample(p, way, force, work, molecule_rig_potential(&h->rig) - before + stored, 0);
    }
    return status;
}

static bool do_pull(pull* p, scenario_result* result) {
    held h = {0};
    sn_error error = {0};
    double** const arrays[] = {&p->at, &p->force, &p->work, &p->energy, &p->heat, &p->sum};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = scenario_numbers(result, SAMPLES + 2);
    error.status = start(&h, p, &error);
    if (!error.status) error.status = settle(&h, p, &error);
    if (!error.status) error.status = p->step > 0 ? pull_moving(&h, p) : pull_still(&h, p);
    if (error.status) molecule_rig_trouble(p->molecule, &error);
    molecule_rig_free(&h.rig);
    return error.status == SN_OK;
}

// ---- the whole ---------------------------------------------------------------------------------------------

static void draw(scenario_result* result, const pull* fine, const pull* still, double* steps,
                 double* off) {
    plot* p = &result->plot;
    p->title = "A hand pulls a helix apart";
    p->subtitle = "a spring of 166 pN/A on the last alpha carbon, the other end of the helix fixed";
    p->panel_count = 3;
    p->panels[0] = (plot_panel){.title = "Force along the helix",
                                .x_label = "way of the hand [A]",
                                .y_label = "force [pN]"};
    plot_add_series(&p->panels[0], "moving, friction 5/ps", fine->at, fine->force, fine->count,
                    false);
    plot_add_series(&p->panels[0], "quasi-static", still->at, still->force, still->count, false);
    p->panels[1] = (plot_panel){.title = "Where the work goes, moving",
                                .x_label = "way of the hand [A]",
                                .y_label = "energy [kJ/mol]"};
    plot_add_series(&p->panels[1], "work of the hand", fine->at, fine->work, fine->count, false);
    plot_add_series(&p->panels[1], "energy gained and heat", fine->at, fine->sum, fine->count,
                    false);
    plot_add_series(&p->panels[1], "energy gained", fine->at, fine->energy, fine->count, false);
    plot_add_series(&p->panels[1], "heat of friction", fine->at, fine->heat, fine->count, false);
    p->panels[2] = (plot_panel){.title = "What is missing at the end, of the work",
                                .x_label = "step [fs]",
                                .y_label = "missing [%]",
                                .y_low = 0,
                                .y_high = 1.2 * off[0]};
    plot_add_series(&p->panels[2], "semi-implicit Euler", steps, off, STEPS_MOST, true);
}

static bool run(scenario_result* result, bool quick) {
    static const double STEPS[STEPS_MOST] = {4e-3, 2e-3, 1e-3}; // ps
    const char* molecule = quick ? "ala:10" : "ala:20";
    double way = quick ? 0.8 : 3, speed = quick ? 0.2 : 0.05;
    double *steps = scenario_numbers(result, STEPS_MOST),
           *off = scenario_numbers(result, STEPS_MOST);
    pull moving[STEPS_MOST], still = {.molecule = molecule, .way = way};
    for (int k = 0; k < STEPS_MOST; k++) {
        moving[k] = (pull){.molecule = molecule, .way = way, .speed = speed, .step = STEPS[k]};
        if (!do_pull(&moving[k], result)) return false;
        steps[k] = 1e3 * STEPS[k];
        off[k] = 100 * moving[k].imbalance;
    }
    if (!do_pull(&still, result)) return false;
    const pull* fine = &moving[STEPS_MOST - 1];
    int last = fine->count - 1;
    double strongest = 0;
    for (int i = 0; i < fine->count; i++) strongest = fmax(strongest, fine->force[i]);
    scenario_add(result, "way_A", "way of the hand [A]", 10 * way);
    scenario_add(result, "force_pN", "strongest pull [pN]", strongest);
    scenario_add(result, "work", "work of the hand, steps of 1 fs [kJ/mol]", fine->work[last]);
    scenario_add(result, "energy", "energy that the molecule gained [kJ/mol]", fine->energy[last]);
    scenario_add(result, "heat", "heat that friction took [kJ/mol]", fine->heat[last]);
    scenario_judge(result, "missing_1fs", "missing of the work, 1 fs [%]", off[2], 0, 1,
                   "at most 1");
    scenario_add(result, "missing_2fs", "the same at 2 fs [%]", off[1]);
    scenario_add(result, "missing_4fs", "the same at 4 fs [%]", off[0]);
    scenario_judge(result, "order", "order of what is missing: log2 of 4 fs over 1 fs, halved",
                   0.5 * log2(off[0] / off[2]), 0.7, 10, "at least 0.7: Euler has 1");
    scenario_judge(result, "never_more", "energy gained quasi-statically, of the work there",
                   still.energy[still.count - 1] / still.work[still.count - 1], 0.3, 1.02,
                   "at most 1: the rest is lost in snaps");
    draw(result, fine, &still, steps, off);
    return true;
}

int reproduce_unfold(const reproduce_options* options) {
    static const scenario s = {
        "unfold", "A hand unfolds a helix, and its work is accounted for",
        "Morin and Redon let a person pull polyalanine. Here a spring pulls its last residue away "
        "from the fixed first one, by semi-implicit Euler with friction: the work of the hand is "
        "the energy that the molecule has gained, and the heat that friction took. The same "
        "without inertia: each place of the hand is left when all forces balance.",
        run};
    return scenario_reproduce(&s, options);
}
