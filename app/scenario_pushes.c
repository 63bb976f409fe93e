// SPDX-License-Identifier: Apache-2.0
/// Pushes at the chest of a standing humanoid from all sides: the hardest that it survives.
#include <math.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "scenario.h"
#include "svg_polar.h"

enum { SIDES = 12, QUICK_SIDES = 4, WAYS = 2, HALVINGS = 5, QUICK_HALVINGS = 3 };
static const double ASKED = 50, HARDEST = 320;               // N
static const double BEFORE = 0.4, LENGTH = 0.2, AFTER = 2.3; // s, less than the scene's own push
static const char* const SCENES[WAYS] = {"push", "humanoid"};
static const char* const NAMES[WAYS] = {"balance: whole-body inverse dynamics",
                                        "a spring and a damper at each joint"};

typedef struct survey {
    int sides;
    double angle[SIDES], hardest[WAYS][SIDES];
} survey;

/// 1: on its feet, 0: it fell, -1: it could not be run.
static int push(const char* scene, double force, double angle) {
    sn_simulation* sim = scenario_start(scenario_scene(scene));
    if (!sim) return -1;
    sn_world* world = sn_simulation_world(sim);
    double height = sn_world_momentum(world).com.z;
    bool runs = scenario_step(sim, BEFORE) &&
                scenario_command(sim, "push: {body: robot/chest, force: [%.12g, %.12g, 0]}",
                                 force * cos(angle), force * sin(angle)) &&
                scenario_step(sim, LENGTH) && scenario_command(sim, "push: {body: robot/chest}");
    bool up = true;
    for (double t = 0; t < AFTER && runs && up; t += 0.1) {
        runs = scenario_step(sim, 0.1);
        up = sn_world_momentum(world).com.z > 0.75 * height;
    }
    sn_simulation_free(sim);
    return runs ? up : -1;
}

/// Halves the range between a push that it survives and one that it does not.
static bool find_hardest(const char* scene, double angle, int halvings, double* hardest) {
    double good = 0, bad = HARDEST;
    int first = push(scene, ASKED, angle);
    if (first == 1)
        good = ASKED;
    else
        bad = ASKED;
    for (int i = 0; i < halvings && first >= 0; i++) {
        double force = 0.5 * (good + bad);
        int up = push(scene, force, angle);
        if (up < 0) return false;
        if (up)
            good = force;
        else
            bad = force;
    }
    *hardest = good;
    return first >= 0;
}

static void draw(const scenario_result* result, FILE* out) {
    const survey* s = result->picture_of;
    polar p = {.title = "Pushes that a standing humanoid survives",
               .subtitle = "largest force at the chest for 0.2 s, in the direction it is pushed to",
               .unit = "N",
               .sides = {"forward", "left", "backward", "right"},
               .mark = ASKED,
               .mark_label = "50 N",
               .series_count = WAYS};
    for (int w = 0; w < WAYS; w++)
        p.series[w] = (polar_series){NAMES[w], s->angle, s->hardest[w], s->sides};
    svg_polar_write(&p, out);
}

static bool run(scenario_result* result, bool quick) {
    survey* s = scenario_keep(result, memory_take(1, sizeof *s));
    int halvings = quick ? QUICK_HALVINGS : HALVINGS;
    s->sides = quick ? QUICK_SIDES : SIDES;
    double least[WAYS] = {INFINITY, INFINITY}, mean[WAYS] = {0};
    for (int i = 0; i < s->sides; i++) {
        s->angle[i] = 2 * M_PI * i / s->sides;
        for (int w = 0; w < WAYS; w++) {
            if (!find_hardest(SCENES[w], s->angle[i], halvings, &s->hardest[w][i])) return false;
            least[w] = fmin(least[w], s->hardest[w][i]);
            mean[w] += s->hardest[w][i] / s->sides;
        }
        message_note("pushed to %.0f deg: survives %.0f N, held by springs alone %.0f N",
                     s->angle[i] * 180 / M_PI, s->hardest[0][i], s->hardest[1][i]);
    }
    scenario_judge(result, "least_balance", "least of all sides, balance [N]", least[0], ASKED,
                   INFINITY, "at least 50");
    scenario_add(result, "mean_balance", "mean, balance [N]", mean[0]);
    scenario_add(result, "least_springs", "least of all sides, springs alone [N]", least[1]);
    scenario_add(result, "mean_springs", "mean, springs alone [N]", mean[1]);
    result->picture = draw;
    result->picture_of = s;
    return true;
}

int reproduce_pushes(const reproduce_options* options) {
    static const scenario s = {
        "pushes", "Pushes that a standing humanoid survives",
        "An HRP-2-class humanoid stands on the floor (mu 0.8) and is pushed at the chest for 0.2 s "
        "from all sides. For each side the largest force is searched after which it is still on "
        "its feet, once with balance, once with a spring and a damper at each joint. No paper "
        "prints such a number.",
        run};
    return scenario_reproduce(&s, options);
}
