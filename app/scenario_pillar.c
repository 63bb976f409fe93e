// SPDX-License-Identifier: Apache-2.0
/// Chardonnet 2012: a humanoid on elastic ankles pushes a pillar with its hand.   [C12 6]
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "scenario.h"

enum { EVERY = 20, SAMPLES_MOST = 512, PLACES = 3 };
static const double REST = 3.9;                        // s: pushing, nothing moves
static const double SLIDES_FROM = 4, ENDS = 6;         // s: the hand goes up along the pillar
static const double AWAY[PLACES] = {-0.002, 0, 0.002}; // m: the pillar's place along y
static const char* const AWAY_NAMES[PLACES] = {"2 mm farther", "as planned", "2 mm nearer"};
static const double MU_HAND = 0.1;

/// One run of the scene.
typedef struct course {
    double *t, *y, *z, *ratio; ///< s; N on the hand; tangential over normal
    int count;
    double ratio_most;            ///< while it slides
    double normal;                ///< N at rest
    double force_off, moment_off; ///< whole-body balance at rest, N and N m
    double sensor_off;            ///< N: the wrist's sensor from contact and weight of the hand
} course;

static sn_vec3 force_of(const double* sensor) {
    return sn_vec3_make(sensor[3], sensor[4], sensor[5]);
}

static sn_vec3 hand_force(const sn_simulation* sim) {
    return sn_vec3_add(force_of(scenario_sensor(sim, "hand")),
                       force_of(scenario_sensor(sim, "finger")));
}

/// What all contact forces and the weight leave over, about the centre of mass.
static void whole_balance(sn_simulation* sim, course* c) {
    sn_world* world = sn_simulation_world(sim);
    sn_momentum m = sn_world_momentum(world);
    sn_vec3 force = sn_vec3_scale(m.mass, sn_world_gravity(world)), moment = sn_vec3_zero();
    for (int32_t i = 0; i < sn_world_contact_count(world); i++) {
        const sn_contact* contact = &sn_world_contacts(world)[i];
        double sign = (contact->a.i >= 0 ? 1 : 0) - (contact->b.i >= 0 ? 1 : 0);
        sn_wrench w = sn_world_contact_force(world, i);
        sn_vec3 f = sn_vec3_scale(sign, w.f), arm = sn_vec3_sub(contact->x, m.com);
        force = sn_vec3_add(force, f);
        moment = sn_vec3_add(moment, sn_vec3_cross(arm, f));
        moment = sn_vec3_add(moment, sn_vec3_scale(sign, w.n));
    }
    c->force_off = sn_vec3_norm(force);
    c->moment_off = sn_vec3_norm(moment);
}

/// The sensor in the wrist at rest: what touches the hand, and the hand's own weight.
static double sensor_off(sn_simulation* sim) {
    sn_world* world = sn_simulation_world(sim);
    const sn_model* model = sn_world_model(world);
    const double* q = scenario_sensor(sim, "wrist_pose") + 3;
    sn_mat3 R = sn_quat_matrix(sn_quat_make(q[0], q[1], q[2], q[3]));
    sn_vec3 reads = sn_mat3_apply(R, force_of(scenario_sensor(sim, "wrist")));
    double mass = sn_model_body(model, sn_model_find_body(model, "robot/r_wrist")).inertia.mass +
                  sn_model_body(model, sn_model_find_body(model, "robot/r_finger")).inertia.mass;
    sn_vec3 expected = sn_vec3_add(hand_force(sim), sn_vec3_scale(mass, sn_world_gravity(world)));
    return sn_vec3_norm(sn_vec3_sub(reads, expected));
}

static void look(sn_simulation* sim, double t, course* c) {
    sn_vec3 f = hand_force(sim);
    double tangential = hypot(f.x, f.z), ratio = f.y > 1 ? tangential / f.y : (double)NAN;
    if (t > SLIDES_FROM && ratio > c->ratio_most) c->ratio_most = ratio;
    if (c->count == SAMPLES_MOST) return;
    c->t[c->count] = t;
    c->y[c->count] = f.y;
    c->z[c->count] = f.z;
    c->ratio[c->count++] = ratio;
}

static bool run_course(scenario_result* result, double away, course* c) {
    sn_scene* scene = scenario_scene("pillar");
    for (int i = 0; scene && i < sn_scene_item_count(scene); i++) {
        const sn_item* item = sn_scene_item(scene, i);
        sn_pose pose = item->pose;
        pose.p.y += away;
        if (strcmp(item->name, "pillar") == 0) sn_scene_set_pose(scene, i, pose);
    }
    sn_simulation* sim = scenario_start(scene);
    c->t = scenario_numbers(result, SAMPLES_MOST), c->y = scenario_numbers(result, SAMPLES_MOST);
    c->z = scenario_numbers(result, SAMPLES_MOST),
    c->ratio = scenario_numbers(result, SAMPLES_MOST);
    bool runs = sim, rested = false;
    while (runs && sn_world_time(sn_simulation_world(sim)) < ENDS) {
        double h = sn_world_step_size(sn_simulation_world(sim));
        runs = scenario_step(sim, EVERY * h);
        double t = sn_world_time(sn_simulation_world(sim));
        if (runs) look(sim, t, c);
        if (!runs || rested || t < REST) continue;
        rested = true;
        c->normal = hand_force(sim).y;
        c->sensor_off = sensor_off(sim);
        whole_balance(sim, c);
    }
    sn_simulation_free(sim);
    return runs;
}

// ---- rocking on the bushes --------------------------------------------------------------------------------

/// What turns about the bushes: all but the feet. Frequency of a rigid body on springs, gravity against them:
///     w^2 = (sum k - m g l) / I
static double analytic_frequency(sn_simulation* sim) {
    sn_world* world = sn_simulation_world(sim);
    const sn_model* model = sn_world_model(world);
    sn_body_id foot = sn_model_find_body(model, "robot/l_foot");
    sn_body_info bush = sn_model_body(model, foot);
    sn_vec3 axis = sn_dynamics_pose(sn_world_dynamics(world), foot).p;
    double inertia = 0, tipping = 0;
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        if (strstr(b.name, "_foot")) continue;
        sn_pose X = sn_dynamics_pose(sn_world_dynamics(world), sn_body(i));
        sn_vec3 arm = sn_vec3_sub(sn_pose_apply(X, b.inertia.com), axis);
        sn_mat3 I = sn_mat3_mul(X.R, sn_mat3_mul(b.inertia.I, sn_mat3_transpose(X.R)));
        inertia += I.m[1][1] + b.inertia.mass * (arm.x * arm.x + arm.z * arm.z);
        tipping += b.inertia.mass * 9.81 * arm.z;
    }
    return sqrt((2 * bush.stiffness[0] - tipping) / inertia) / (2 * M_PI);
}

/// Angle of the bush about y over time after the tap, and the mean frequency of its swings.
static bool rock(scenario_result* result, double** t, double** angle, int* count, double* measured,
                 double* analytic) {
    sn_simulation* sim = scenario_start(scenario_scene("rocking"));
    bool runs = sim && scenario_step(sim, 0.49);
    double rest = 0, first = NAN, last = NAN, before = 0;
    int crossings = 0;
    *t = scenario_numbers(result, 2000), *angle = scenario_numbers(result, 2000);
    *count = 0;
    if (runs) *analytic = analytic_frequency(sim);
    if (runs) rest = 2 * scenario_sensor(sim, "bush")[2];
    while (runs && *count < 800) {
        runs = scenario_step(sim, 1e-3);
        double now = sn_world_time(sn_simulation_world(sim));
        double swing = 2 * scenario_sensor(sim, "bush")[2] - rest; // of a small quaternion
        if (now > 0.53 && before * swing < 0) {
            double at = now - 1e-3 * swing / (swing - before);
            if (crossings++ == 0) first = at;
            last = at;
        }
        before = swing;
        (*t)[*count] = now;
        (*angle)[(*count)++] = 1e3 * swing;
    }
    *measured = crossings > 1 ? (crossings - 1) / (2 * (last - first)) : (double)NAN;
    sn_simulation_free(sim);
    return runs;
}

// ---- the whole --------------------------------------------------------------------------------------------

static void draw(scenario_result* result, const course* c, const double* t, const double* angle,
                 int count) {
    plot* p = &result->plot;
    p->title = "A humanoid on elastic ankles pushes a pillar";
    p->subtitle =
        "steps of 1 ms; the push begins at 1 s, the hand goes up along the pillar from 4 s";
    p->panel_count = 4;
    p->panels[0] =
        (plot_panel){.title = "Force on the hand", .x_label = "time [s]", .y_label = "force [N]"};
    plot_add_series(&p->panels[0], "y, normal to the pillar", c[1].t, c[1].y, c[1].count, false);
    plot_add_series(&p->panels[0], "z, along it", c[1].t, c[1].z, c[1].count, false);
    p->panels[1] = (plot_panel){.title = "Tangential over normal force of the hand",
                                .x_label = "time [s]",
                                .y_label = "ratio",
                                .y_low = 0,
                                .y_high = 0.15,
                                .mark = MU_HAND,
                                .mark_label = "mu of hand and pillar"};
    plot_add_series(&p->panels[1], "|tangential| / normal", c[1].t, c[1].ratio, c[1].count, false);
    p->panels[2] = (plot_panel){.title = "Normal force with the pillar set up 2 mm off",
                                .x_label = "time [s]",
                                .y_label = "force [N]"};
    for (int i = 0; i < PLACES; i++)
        plot_add_series(&p->panels[2], AWAY_NAMES[i], c[i].t, c[i].y, c[i].count, false);
    p->panels[3] = (plot_panel){.title = "Joints locked: it rocks on the bushes after a tap",
                                .x_label = "time [s]",
                                .y_label = "turn of the bush [mrad]"};
    plot_add_series(&p->panels[3], "left bush, about y", t, angle, count, false);
}

static bool run(scenario_result* result, bool quick) {
    course c[PLACES] = {0};
    double *t, *angle, measured, analytic;
    int count;
    (void)quick; // some ten seconds
    for (int i = 0; i < PLACES; i++)
        if (!run_course(result, AWAY[i], &c[i])) return false;
    if (!rock(result, &t, &angle, &count, &measured, &analytic)) return false;
    const course* m = &c[1];
    scenario_add(result, "mu_feet", "friction of feet and floor", 0.983)->paper = "0.983";
    scenario_add(result, "mu_hand", "friction of hand and pillar", MU_HAND)->paper = "0.1";
    scenario_judge(result, "normal", "hand against the pillar, at rest [N]", m->normal, 20, 200,
                   "it pushes");
    scenario_judge(result, "sensor",
                   "force sensor of the wrist from contact and weight of the hand, of the push",
                   m->sensor_off / m->normal, 0, 0.02, "at most 0.02");
    scenario_judge(result, "force_balance", "contact forces and weight leave over, of the push",
                   m->force_off / m->normal, 0, 0.02, "at most 0.02");
    scenario_judge(result, "moment_balance",
                   "their moments about the centre of mass, of the push times 1 m",
                   m->moment_off / m->normal, 0, 0.02, "at most 0.02");
    scenario_judge(result, "ratio", "largest tangential over normal force while sliding",
                   m->ratio_most, 0.99 * MU_HAND, 1.001 * MU_HAND, "0.1, and not above");
    double change = 0.5 * (c[2].normal - c[0].normal);
    scenario_add(result, "two_mm", "2 mm of placement change the push by [N]", change)->paper =
        "behaviour changes";
    scenario_judge(result, "two_mm_share", "the same, of the push", change / m->normal, 0.01, 1,
                   "at least 0.01");
    scenario_add(result, "rocking_analytic", "rocking on the bushes, analytic [Hz]", analytic);
    scenario_judge(result, "rocking", "rocking on the bushes, simulated over analytic",
                   measured / analytic, 0.9, 1.1, "within 0.1 of 1");
    draw(result, c, t, angle, count);
    return true;
}

int reproduce_chardonnet_pillar(const reproduce_options* options) {
    static const scenario s = {
        "chardonnet-pillar", "A humanoid pushes a pillar",
        "Chardonnet's HRP-2 pushes a pillar with its hand, in an experiment and in the simulator: "
        "friction was measured as 0.983 under the feet and 0.1 at the hand, the rubber bushes of "
        "the ankles are springs, and setting the robot up 2 mm off changes what happens. Here: "
        "scenes/papers/pillar.yaml, our model and our motion, so the forces are not those of its "
        "figures; the laws they must follow are.",
        run};
    return scenario_reproduce(&s, options);
}
