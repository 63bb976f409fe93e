// SPDX-License-Identifier: Apache-2.0
/// Keith et al. 2008: avatars that work with a person. A basket that is carried together, by a robot and by a man; a can taken
/// from a sofa; a bar that two carry; a robot whose eyes follow the hand. Simulated hands take the place of the person.
/// [K08 5]
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "scenario_play.h"

static void add_panel(plot* p, const char* title, const char* label) {
    p->panels[p->panel_count++] =
        (plot_panel){.title = title, .x_label = "time [s]", .y_label = label};
}

static void add_line(plot* p, const char* name, const scenario_trace* a) {
    plot_add_series(&p->panels[p->panel_count - 1], name, a->t, a->value, a->count, false);
}

/// Values as differences from the first, in another unit.
static void count_from_start(scenario_trace* a, double unit) {
    double first = a->count ? a->value[0] : 0;
    for (int i = 0; i < a->count; i++) a->value[i] = unit * (a->value[i] - first);
}

// ---- a basket ---------------------------------------------------------------------------------------------

/// What the scripts of collaboration and collaboration_human do when.
static const double LED_AT = 2.9, LET_GO = 12.5, CARRIED_FROM = 4, PUT_DOWN = 8; // s

enum { BASKET_Y, BASKET_Z, HAND_X, CENTRE_Z, BASKET_TRACES };

/// What is judged of a scene with a basket: keys, and words for people.
typedef struct basket_words {
    const char *lifted, *moved, *down, *led, *stays, *stands;
    const char *lifted_what, *moved_what, *down_what, *led_what, *stays_what, *stands_what;
} basket_words;

static const basket_words ROBOT = {
    "basket",
    "basket_moved",
    "basket_down",
    "arm",
    "arm_stays",
    "robot_stands",
    "robot: basket is lifted by [m]",
    "robot: basket is carried aside by [m]",
    "robot: put down, it is higher than before by [m]",
    "robot: hand is led forward by [m]",
    "robot: hand moves in the end, when nobody leads it, by [m]",
    "robot: lowest centre of mass [m]",
};
static const basket_words MAN = {
    "man_basket",
    "man_basket_moved",
    "man_basket_down",
    "man_arm",
    "man_arm_stays",
    "man_stands",
    "man: basket is lifted by [m]",
    "man: basket is carried aside by [m]",
    "man: put down, it is higher than before by [m]",
    "man: hand is led forward by [m]",
    "man: hand moves in the end, when nobody leads it, by [m]",
    "man: lowest centre of mass [m]",
};

static bool carry_basket(scenario_result* result, const char* scene, const basket_words* w,
                         scenario_trace a[BASKET_TRACES]) {
    const scenario_trace traces[BASKET_TRACES] = {{"basket", 1, 0, 0, 0},
                                                  {"basket", 2, 0, 0, 0},
                                                  {"hand", 0, 0, 0, 0},
                                                  {"centre", 2, 0, 0, 0}};
    memcpy(a, traces, sizeof traces);
    if (!scenario_play(result, &(scenario_part){.name = scene, .by_hand = true}, a, BASKET_TRACES))
        return false;
    double z = scenario_value_at(&a[BASKET_Z], CARRIED_FROM);
    scenario_judge(result, w->led, w->led_what,
                   scenario_value_at(&a[HAND_X], LED_AT) - scenario_value_at(&a[HAND_X], 1), 0.05,
                   0.15, "0.05 to 0.15: it gives way");
    scenario_judge(result, w->lifted, w->lifted_what, scenario_highest(&a[BASKET_Z]) - z, 0.03, 0.2,
                   "at least 0.03: it is held");
    scenario_judge(result, w->moved, w->moved_what,
                   scenario_value_at(&a[BASKET_Y], PUT_DOWN) -
                       scenario_value_at(&a[BASKET_Y], CARRIED_FROM),
                   0.05, 0.3, "at least 0.05");
    scenario_judge(result, w->down, w->down_what, scenario_value_at(&a[BASKET_Z], 20) - z, -0.002,
                   0.002, "0 +- 0.002: it is let go");
    scenario_judge(result, w->stays, w->stays_what, scenario_range(&a[HAND_X], LET_GO), 0, 0.005,
                   "at most 0.005: it stays");
    scenario_judge(result, w->stands, w->stands_what, scenario_lowest(&a[CENTRE_Z]), 0.75, 1.1,
                   "above 0.75");
    return true;
}

// ---- gaze -------------------------------------------------------------------------------------------------

/// The angle between the line of sight and the hand.
typedef struct gaze {
    double *t, *angle; ///< s, deg
    int count, most;
} gaze;

static void see_hand(void* context, sn_simulation* sim, const sn_hand_report* hand) {
    gaze* g = context;
    const double* s = scenario_sensor(sim, "gaze");
    if (!hand || g->count == g->most) return;
    sn_mat3 R = sn_quat_matrix(sn_quat_make(s[3], s[4], s[5], s[6]));
    sn_vec3 away = sn_vec3_sub(hand->end, sn_vec3_make(s[0], s[1], s[2]));
    double cosine = sn_vec3_dot(sn_mat3_column(R, 0), away) / sn_vec3_norm(away);
    g->t[g->count] = sn_world_time(sn_simulation_world(sim));
    g->angle[g->count++] = acos(fmax(-1, fmin(1, cosine))) * 180 / M_PI;
}

static double mean_angle(const gaze* g, double from) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < g->count; i++)
        if (g->t[i] >= from) sum += g->angle[i], count++;
    return count ? sum / count : (double)NAN;
}

/// The same task with eyes that follow, and with eyes that look ahead.
static bool gaze_at_hand(scenario_result* result, gaze g[2]) {
    static const char* const COMMANDS[2] = {NULL, "signal: gaze"};
    for (int i = 0; i < 2; i++) {
        g[i] = (gaze){.most = 1024};
        g[i].t = scenario_numbers(result, (size_t)g[i].most);
        g[i].angle = scenario_numbers(result, (size_t)g[i].most);
        scenario_part part = {
            .name = "gaze", .by_hand = true, .command = COMMANDS[i], .watch = {see_hand, &g[i]}};
        if (!scenario_play(result, &part, NULL, 0)) return false;
    }
    scenario_judge(result, "gaze", "with gaze: line of sight from the hand, mean [deg]",
                   mean_angle(&g[0], 1), 0, 5, "at most 5");
    scenario_judge(result, "no_gaze", "without: the same [deg]", mean_angle(&g[1], 1), 15, 90,
                   "above 15: it looks ahead");
    return true;
}

// ---- manners ------------------------------------------------------------------------------------------------

/// States in the order in which they ought to come, and how many have.
typedef struct manners {
    const char* const* state;
    int count, seen;
} manners;

static void see_state(void* context, sn_simulation* sim, const sn_hand_report* hand) {
    manners* m = context;
    (void)hand; // where it is does not matter
    const char* now = sn_simulation_behaviour_state(sim, 0);
    if (m->seen < m->count && strcmp(now, m->state[m->seen]) == 0) m->seen++;
}

/// A tap, a pull and a shake are answered, each by its state.
static bool greet(scenario_result* result) {
    static const char* const STATES[] = {"rest", "attend", "follow", "rest", "greet", "rest"};
    manners m = {STATES, sizeof STATES / sizeof STATES[0], 0};
    scenario_part part = {.name = "greet", .by_hand = true, .watch = {see_state, &m}};
    if (!scenario_play(result, &part, NULL, 0)) return false;
    scenario_judge(result, "manners", "a tap, a pull, a shake: states of 6 that came in order",
                   m.seen, m.count, m.count, "6");
    return true;
}

// ---- the whole ----------------------------------------------------------------------------------------------

static bool run(scenario_result* result, bool quick) {
    scenario_trace robot[BASKET_TRACES], man[BASKET_TRACES];
    scenario_trace can[] = {{"can", 2, 0, 0, 0}, {"hand", 2, 0, 0, 0}, {"pelvis", 2, 0, 0, 0}};
    scenario_trace bar[] = {{"bar", 1, 0, 0, 0},
                            {"bar", 2, 0, 0, 0},
                            {"one_centre", 2, 0, 0, 0},
                            {"two_centre", 2, 0, 0, 0}};
    gaze eyes[2];
    (void)quick; // there is nothing to leave out
    if (!carry_basket(result, "collaboration", &ROBOT, robot) ||
        !carry_basket(result, "collaboration_human", &MAN, man) ||
        !scenario_play(result, &(scenario_part){.name = "sofa"}, can, 3) ||
        !scenario_play(result, &(scenario_part){.name = "carry"}, bar, 4) ||
        !gaze_at_hand(result, eyes) || !greet(result))
        return false;
    scenario_judge(result, "can", "sofa: can is higher at the end by [m]",
                   scenario_value_at(&can[0], 8) - scenario_value_at(&can[0], 0.5), 0.1, 0.5,
                   "at least 0.1");
    scenario_judge(result, "seat", "sofa: pelvis moves up and down by [m]",
                   scenario_range(&can[2], 0.5), 0, 0.03, "at most 0.03: it sits");
    scenario_judge(result, "bar", "bar: pushed aside by 15 N [m]", scenario_range(&bar[0], 1.9),
                   0.01, 0.5, "at least 0.01: they give way");
    scenario_judge(result, "bar_back", "bar: from where it was, at the end [m]",
                   fabs(scenario_value_at(&bar[0], 8) - scenario_value_at(&bar[0], 1.9)), 0, 0.01,
                   "at most 0.01");
    scenario_judge(result, "bar_robots", "bar: lowest centre of mass of both [m]",
                   fmin(scenario_lowest(&bar[2]), scenario_lowest(&bar[3])), 0.7, 1,
                   "above 0.7: they stand");
    plot* p = &result->plot;
    p->title = "Avatars that work with a person";
    p->subtitle =
        "simulated hands in place of the person; sofa and carry follow scripts of their own";
    add_panel(p, "A basket is carried together: gripped at 3 s, let go at 8.3 s",
              "height above the table [m]");
    count_from_start(&robot[BASKET_Z], 1), count_from_start(&man[BASKET_Z], 1);
    add_line(p, "with a robot", &robot[BASKET_Z]), add_line(p, "with a man", &man[BASKET_Z]);
    add_panel(p, "The hand that is led", "ahead [m]");
    add_line(p, "robot", &robot[HAND_X]), add_line(p, "man", &man[HAND_X]);
    add_panel(p, "Line of sight from the person's hand", "angle [deg]");
    plot_add_series(&p->panels[p->panel_count - 1], "with gaze", eyes[0].t, eyes[0].angle,
                    eyes[0].count, false);
    plot_add_series(&p->panels[p->panel_count - 1], "without", eyes[1].t, eyes[1].angle,
                    eyes[1].count, false);
    add_panel(p, "From a sofa: the gripper closes at 3.6 s", "height [m]");
    add_line(p, "can", &can[0]), add_line(p, "hand", &can[1]);
    add_panel(p, "Two robots carry a bar: pushed aside at 2 s, down at 3 s, along it at 4 s",
              "from where it was [mm]");
    count_from_start(&bar[0], 1e3), count_from_start(&bar[1], 1e3);
    add_line(p, "bar, y", &bar[0]), add_line(p, "bar, z", &bar[1]);
    return true;
}

int reproduce_keith_avatars(const reproduce_options* options) {
    static const scenario s = {
        "keith-avatars", "Avatars that work with a person",
        "Keith et al. let a person guide an avatar's arm with a haptic device, close its gripper "
        "by "
        "a button and move an object together at a table, with HRP-2 and with a human; let an "
        "HRP-2 sit in a sofa and take a can; and compare a task with and without gaze. Here: our "
        "models in scenes/papers, a simulated hand on a simulated device in place of the person. "
        "Arms give way and stay, who stands balances, and what a gripper has closed on is held by "
        "a constraint.",
        run};
    return scenario_reproduce(&s, options);
}
