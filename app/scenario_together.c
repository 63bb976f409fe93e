// SPDX-License-Identifier: Apache-2.0
/// Keith et al. 2008: avatars that work with a person. A tray at a table, a can taken from a sofa, a bar that two carry, each
/// with a script in place of the person's hand.   [K08 5]
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "scenario.h"

enum { EVERY = 20, SAMPLES_MOST = 512 };

/// Numbers of a sensor over time.
typedef struct trace {
    const char* sensor;
    int number;
    double *t, *value;
    int count;
} trace;

/// Runs a scene as long as it says, and keeps what the traces look at.
static bool play(scenario_result* result, const char* name, trace* traces, int count) {
    sn_simulation* sim = scenario_start(scenario_scene(name));
    if (!sim) return false;
    sn_world* world = sn_simulation_world(sim);
    double duration = sn_scene_duration(sn_simulation_scene(sim)), h = sn_world_step_size(world);
    bool runs = true;
    for (int i = 0; i < count; i++) {
        traces[i].t = scenario_numbers(result, SAMPLES_MOST);
        traces[i].value = scenario_numbers(result, SAMPLES_MOST);
    }
    while (runs && sn_world_time(world) < duration - h) {
        runs = scenario_step(sim, EVERY * h);
        for (int i = 0; i < count && runs; i++) {
            trace* a = &traces[i];
            if (a->count == SAMPLES_MOST) continue;
            a->t[a->count] = sn_world_time(world);
            a->value[a->count++] = scenario_sensor(sim, a->sensor)[a->number];
        }
    }
    sn_simulation_free(sim);
    return runs;
}

static double lowest(const trace* a) {
    double low = INFINITY;
    for (int i = 0; i < a->count; i++) low = fmin(low, a->value[i]);
    return low;
}

static double at_time(const trace* a, double time) {
    for (int i = 0; i < a->count; i++)
        if (a->t[i] >= time) return a->value[i];
    return a->count ? a->value[a->count - 1] : (double)NAN;
}

static double range(const trace* a, double from) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < a->count; i++) {
        if (a->t[i] < from) continue;
        low = fmin(low, a->value[i]), high = fmax(high, a->value[i]);
    }
    return high - low;
}

static void add_panel(plot* p, const char* title, const char* label) {
    p->panels[p->panel_count++] =
        (plot_panel){.title = title, .x_label = "time [s]", .y_label = label};
}

static void add_line(plot* p, const char* name, const trace* a) {
    plot_add_series(&p->panels[p->panel_count - 1], name, a->t, a->value, a->count, false);
}

static bool run(scenario_result* result, bool quick) {
    trace tray[] = {{"tray", 0, 0, 0, 0},
                    {"tray", 1, 0, 0, 0},
                    {"robot_centre", 2, 0, 0, 0},
                    {"human_centre", 2, 0, 0, 0}};
    trace can[] = {{"can", 2, 0, 0, 0}, {"hand", 2, 0, 0, 0}, {"pelvis", 2, 0, 0, 0}};
    trace bar[] = {{"bar", 1, 0, 0, 0},
                   {"bar", 2, 0, 0, 0},
                   {"one_centre", 2, 0, 0, 0},
                   {"two_centre", 2, 0, 0, 0}};
    (void)quick; // some twenty seconds
    if (!play(result, "collaboration", tray, 4) || !play(result, "sofa", can, 3) ||
        !play(result, "carry", bar, 4))
        return false;
    scenario_judge(result, "tray", "tray: moved by 8 N of the person [m]", range(&tray[0], 1.9),
                   0.005, 0.5, "it gives way");
    scenario_judge(result, "tray_robot", "tray: lowest centre of mass, robot [m]", lowest(&tray[2]),
                   0.7, 1, "it stands");
    scenario_judge(result, "tray_human", "tray: lowest centre of mass, human [m]", lowest(&tray[3]),
                   0.8, 1.1, "they stand");
    scenario_judge(result, "can", "sofa: can is higher at the end by [m]",
                   at_time(&can[0], 8) - at_time(&can[0], 0.5), 0.1, 0.5, "at least 0.1");
    scenario_judge(result, "seat", "sofa: pelvis moves up and down by [m]", range(&can[2], 0.5), 0,
                   0.03, "it sits");
    scenario_judge(result, "bar", "bar: pushed aside by 15 N [m]", range(&bar[0], 1.9), 0.01, 0.5,
                   "it gives way");
    scenario_judge(result, "bar_back", "bar: from where it was, at the end [m]",
                   fabs(at_time(&bar[0], 8) - at_time(&bar[0], 1.9)), 0, 0.01, "at most 0.01");
    scenario_judge(result, "bar_robots", "bar: lowest centre of mass of both [m]",
                   fmin(lowest(&bar[2]), lowest(&bar[3])), 0.7, 1, "they stand");
    plot* p = &result->plot;
    p->title = "Avatars that work with a person";
    p->subtitle = "scenes collaboration, sofa and carry, with a script in place of the hand";
    add_panel(p, "A tray that the robot holds is pulled at from 2 to 4 s", "position [m]");
    add_line(p, "tray, x", &tray[0]), add_line(p, "tray, y", &tray[1]);
    add_panel(p, "From a sofa: the gripper closes at 3.6 s", "height [m]");
    add_line(p, "can", &can[0]), add_line(p, "hand", &can[1]);
    add_panel(p, "Two robots carry a bar that is pushed from 2 to 5 s", "position [m]");
    add_line(p, "bar, y", &bar[0]), add_line(p, "bar, z", &bar[1]);
    add_panel(p, "Who stands keeps standing", "height of the centre of mass [m]");
    add_line(p, "robot at the table", &tray[2]), add_line(p, "human at the table", &tray[3]);
    add_line(p, "first with the bar", &bar[2]), add_line(p, "second", &bar[3]);
    return true;
}

int reproduce_keith_avatars(const reproduce_options* options) {
    static const scenario s = {
        "keith-avatars", "Avatars that work with a person",
        "Keith et al. let a person guide an avatar's arm with a haptic device, move an object "
        "together at a table, and let an HRP-2 sit in a sofa and take a can. Here: our models in "
        "scenes/papers, a script in place of the person. Arms are springs that a hand can move, "
        "who stands balances, and what a gripper has closed on is held by a constraint.",
        run};
    return scenario_reproduce(&s, options);
}
