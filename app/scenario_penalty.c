// SPDX-License-Identifier: Apache-2.0
/// The pillar and the lift with springs at contacts in place of constraints: they diverge, as Chardonnet says.   [C12 1, 6]
#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "scenario.h"

enum { SCENES = 2, WAYS = 2, EVERY = 2, SAMPLES_MOST = 1024 };
static const double DURATION = 1, QUICK_DURATION = 0.3; // s
static const double LOST = 1;                           // m from where it was: no use to go on
static const char* const NAMES[SCENES] = {"pillar", "lift"};
static const char* const SOLVERS[WAYS] = {"penalty", "nsgs"};

typedef struct course {
    double *t, *away; ///< s; mm that the centre of mass is from where it was
    int count;
    double most;    ///< m
    double lost_at; ///< s; DURATION: it was not
} course;

static bool follow(scenario_result* result, int scene_number, int way, double duration, course* c) {
    sn_scene* scene = scenario_scene(NAMES[scene_number]);
    if (!scene) return false;
    sn_world_def def = *sn_scene_world(scene);
    def.contact.solver = SOLVERS[way];
    sn_scene_set_world(scene, &def);
    sn_simulation* sim = scenario_start(scene);
    if (!sim) return false;
    sn_world* world = sn_simulation_world(sim);
    sn_vec3 first = sn_world_momentum(world).com;
    c->t = scenario_numbers(result, SAMPLES_MOST), c->away = scenario_numbers(result, SAMPLES_MOST);
    c->lost_at = duration;
    double h = sn_world_step_size(world);
    for (int step = 1; step * h <= duration + 0.5 * h; step++) {
        // a step that fails is what is looked for, so nothing is said
        bool runs = sn_simulation_step(sim, NULL) == SN_OK;
        double away = sn_vec3_norm(sn_vec3_sub(sn_world_momentum(world).com, first));
        if (!runs || !(away < LOST)) {
            c->lost_at = step * h;
            c->most = INFINITY;
            break;
        }
        c->most = fmax(c->most, away);
        if (step % EVERY || c->count == SAMPLES_MOST) continue;
        c->t[c->count] = step * h;
        c->away[c->count++] = 1e3 * away;
    }
    sn_simulation_free(sim);
    return true;
}

static bool run(scenario_result* result, bool quick) {
    static const char* const LOST_AT[SCENES] = {
        "pillar, penalty: centre of mass is 1 m away after [s]", "lift, penalty: the same [s]"};
    static const char* const STAYS[SCENES] = {"pillar, nsgs: centre of mass moves by at most [m]",
                                              "lift, nsgs: the same [m]"};
    static const char* const KEYS[SCENES][WAYS] = {{"pillar_penalty", "pillar_nsgs"},
                                                   {"lift_penalty", "lift_nsgs"}};
    static const char* const TITLES[SCENES] = {"Pillar", "Lift"};
    double duration = quick ? QUICK_DURATION : DURATION;
    plot* p = &result->plot;
    p->title = "Springs at contacts against constraints, with avatars";
    p->subtitle = "steps of 1 ms; lines end where the centre of mass is a metre away";
    p->panel_count = SCENES;
    for (int s = 0; s < SCENES; s++) {
        p->panels[s] = (plot_panel){.title = TITLES[s],
                                    .x_label = "time [s]",
                                    .y_label = "centre of mass, away [mm]",
                                    .y_low = 0,
                                    .y_high = 100};
        for (int w = 0; w < WAYS; w++) {
            course c = {0};
            if (!follow(result, s, w, duration, &c)) return false;
            plot_add_series(&p->panels[s], SOLVERS[w], c.t, c.away, c.count, false);
            if (w == 0)
                scenario_judge(result, KEYS[s][w], LOST_AT[s], c.lost_at, 0, 0.9 * duration,
                               "it diverges");
            else
                scenario_judge(result, KEYS[s][w], STAYS[s], c.most, 0, 0.03, "at most 0.03");
        }
    }
    return true;
}

int reproduce_chardonnet_penalty(const reproduce_options* options) {
    static const scenario s = {
        "chardonnet-penalty", "The pillar and the lift with penalty contact",
        "Chardonnet argues against springs at contacts: as stiff as a step of 1 ms allows for one "
        "point alone, 32 of them throw the robot away. Here: the scenes pillar and lift with the "
        "solver penalty in its stiffest setting, and with nsgs.",
        run};
    return scenario_reproduce(&s, options);
}
