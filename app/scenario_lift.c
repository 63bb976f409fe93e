// SPDX-License-Identifier: Apache-2.0
/// Chardonnet 2012: a humanoid lifts 8.4 kg and 23.4 kg over its head.   [C12 6]
/// Here: lifts are planned (lift_plan.h) inside the torque limits of the model, and saved as motions of the scenes lift,
/// lift_heavy and lift_sitting, which replay them: springs and dampers at the joints with the planned torques ahead. What
/// the scenes do is measured, and that their files are what the planner finds.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "lift_plan.h"
#include "memory.h"
#include "message.h"
#include "output_file.h"
#include "scenario.h"

enum { EVERY = 20, SAMPLES_MOST = 640 };
static const double SETTLE = 2; // s after the plan

// ---- one lift -----------------------------------------------------------------------------------------------

typedef struct lift {
    lift_plan plan;
    double *t, *height, *planned, *load[LIFT_JOINTS];
    int count;
    double load_most[LIFT_JOINTS];
    double others_most; ///< torque over limit of joints that are not in the plan
    double file_off;    ///< rad: the scene's motion from the plan
    double bar_off;     ///< m at the end
    double height_end;  ///< m of the centre of mass
    double speed;       ///< m/s of all bodies together at the end
    double feet;        ///< of the weight that the feet carry at the end
} lift;

/// Joint of the plan that a joint of the robot is; -1: none.
static int part_of(const char* name) {
    bool side = name[0] && name[1] == '_';
    for (int j = 0; j < LIFT_JOINTS; j++)
        if (strcmp(side ? name + 2 : name, lift_joint_names[j]) == 0) return j;
    return -1;
}

static int item_index(const sn_scene* scene, const char* name) {
    for (int i = 0; i < sn_scene_item_count(scene); i++)
        if (strcmp(sn_scene_item(scene, i)->name, name) == 0) return i;
    return -1;
}

/// How far the motions of the scene's controllers are from the plan.
static double compare_files(const sn_scene* scene, const sn_model* robot, const lift_plan* plan) {
    double most = 0;
    size_t nq = (size_t)sn_model_nq(robot);
    for (int c = 0; c < sn_scene_controller_count(scene); c++) {
        const sn_motion* m = sn_scene_controller(scene, c)->motion;
        if (!m) continue;
        if (m->count != plan->knots) return INFINITY;
        for (int i = 1; i < sn_model_body_count(robot); i++) {
            sn_body_info joint = sn_model_body(robot, sn_body(i));
            int p = part_of(joint.joint_name);
            for (int k = 0; p >= 0 && k < m->count; k++)
                most = fmax(most, fabs(m->q[(size_t)k * nq + (size_t)joint.iq] - plan->q[k][p]));
        }
    }
    return most;
}

/// Torque over limit in the last step: the larger of both sides, of each joint of the plan; and of all others.
static void loads(const sn_world* world, const sn_model* robot, int first_v, double* load,
                  double* others) {
    const double* tau = sn_world_control(world);
    memset(load, 0, LIFT_JOINTS * sizeof *load);
    *others = 0;
    for (int i = 1; i < sn_model_body_count(robot); i++) {
        sn_body_info joint = sn_model_body(robot, sn_body(i));
        int p = part_of(joint.joint_name);
        double part = fabs(tau[first_v + joint.iv]) / joint.effort[0];
        double* most = p >= 0 ? &load[p] : others;
        *most = fmax(*most, part);
    }
}

static void look(lift* l, const double* load, const sn_simulation* sim, double time) {
    if (l->count == SAMPLES_MOST) return;
    int i = l->count++;
    double u = fmin(time / l->plan.interval, l->plan.knots - 1 - 1e-9);
    int k = (int)u;
    l->t[i] = time;
    l->height[i] = scenario_sensor(sim, "bar")[2];
    l->planned[i] = (1 - (u - k)) * l->plan.load[k].bar[1] + (u - k) * l->plan.load[k + 1].bar[1];
    for (int j = 0; j < LIFT_JOINTS; j++) l->load[j][i] = load[j];
}

static bool carry_out(lift* l, sn_simulation* sim, const sn_model* robot) {
    const sn_world* world = sn_simulation_world(sim);
    double end = (l->plan.knots - 1) * l->plan.interval + SETTLE, h = sn_world_step_size(world);
    const sn_model* whole = sn_world_model(world);
    int first_v = sn_model_body(whole, sn_model_find_joint(whole, "robot/root")).iv;
    for (int step = 0; step * h < end; step++) {
        double load[LIFT_JOINTS], others;
        if (!scenario_step(sim, h)) return false;
        loads(world, robot, first_v, load, &others);
        for (int j = 0; j < LIFT_JOINTS; j++) l->load_most[j] = fmax(l->load_most[j], load[j]);
        l->others_most = fmax(l->others_most, others);
        if (step % EVERY == EVERY - 1) look(l, load, sim, (step + 1) * h);
    }
    return true;
}

static bool do_lift(scenario_result* result, const lift_task* task, lift* l) {
    sn_scene* scene = scenario_scene(task->name);
    if (!scene) return false;
    const sn_model* robot = sn_scene_item(scene, item_index(scene, "robot"))->model;
    if (!lift_plan_make(robot, task, &l->plan)) return false;
    l->file_off = compare_files(scene, robot, &l->plan);
    sn_simulation* sim = scenario_start(scene);
    if (!sim) return false;
    l->t = scenario_numbers(result, SAMPLES_MOST);
    l->height = scenario_numbers(result, SAMPLES_MOST);
    l->planned = scenario_numbers(result, SAMPLES_MOST);
    for (int j = 0; j < LIFT_JOINTS; j++) l->load[j] = scenario_numbers(result, SAMPLES_MOST);
    bool runs = carry_out(l, sim, robot);
    const double* bar = scenario_sensor(sim, "bar");
    const lift_phase* last = &task->phase[LIFT_PHASES - 1];
    sn_momentum momentum = sn_world_momentum(sn_simulation_world(sim));
    double feet = scenario_sensor(sim, "left_foot")[5] + scenario_sensor(sim, "right_foot")[5];
    l->bar_off = hypot(bar[0] - last->x, bar[2] - last->z);
    l->height_end = scenario_sensor(sim, "centre")[2];
    l->speed = sn_vec3_norm(momentum.linear) / momentum.mass;
    l->feet = feet / (9.81 * momentum.mass);
    sn_simulation_free(sim);
    return runs;
}

// ---- the whole ----------------------------------------------------------------------------------------------

static void draw(scenario_result* result, const lift* l) {
    static const char* const TITLES[LIFT_TASKS] = {"8.4 kg: torque over its limit",
                                                   "23.4 kg: torque over its limit",
                                                   "8.4 kg, sitting down: torque over its limit"};
    plot* p = &result->plot;
    p->title = "A humanoid lifts a bar";
    p->subtitle = "over its head: phases end at a 1, b 2, c 4, d 5.5, e 7.5, f 9 s; torques of one "
                  "side, the larger";
    p->panel_count = 1 + LIFT_TASKS;
    p->panels[0] =
        (plot_panel){.title = "Height of the bar", .x_label = "time [s]", .y_label = "z [m]"};
    for (int m = 0; m < LIFT_TASKS; m++) {
        if (m != 1) // both over the head have one path
            plot_add_series(&p->panels[0], m ? "plan, sitting" : "plan", l[m].t, l[m].planned,
                            l[m].count, false);
        plot_add_series(&p->panels[0], lift_tasks[m].title, l[m].t, l[m].height, l[m].count, false);
    }
    for (int m = 0; m < LIFT_TASKS; m++) {
        plot_panel* panel = &p->panels[1 + m];
        *panel = (plot_panel){.title = TITLES[m],
                              .x_label = "time [s]",
                              .y_label = "|torque| / limit",
                              .y_low = 0,
                              .y_high = 1.1,
                              .mark = 1,
                              .mark_label = "limit"};
        for (int j = 0; j < LIFT_JOINTS; j++)
            plot_add_series(panel, lift_joint_names[j], l[m].t, l[m].load[j], l[m].count, false);
    }
}

/// Words that live as long as the result.
static const char* words(scenario_result* result, const char* a, const char* b) {
    return scenario_keep(result, memory_text("%s%s", a, b));
}

static void judge(scenario_result* result, const lift_task* task, const lift* l) {
    const char* key = words(result, task->name, "_");
    const char* what = words(result, task->title, ": ");
    for (int j = 0; j < LIFT_JOINTS; j++)
        scenario_judge(
            result, words(result, key, lift_joint_names[j]),
            words(result, words(result, what, lift_joint_names[j]), ", largest torque over limit"),
            l->load_most[j], 0, 0.999, "below 1");
    scenario_judge(result, words(result, key, "others"),
                   words(result, what, "the largest of all other joints"), l->others_most, 0, 0.999,
                   "below 1");
    scenario_judge(result, words(result, key, "bar"),
                   words(result, what, "bar at the end, off the plan [m]"), l->bar_off, 0, 0.04,
                   "at most 0.04");
    if (task->sits)
        scenario_judge(result, words(result, key, "feet"),
                       words(result, what, "weight on the feet at the end, of all"), l->feet, 0,
                       0.6, "at most 0.6: it sits");
    else
        scenario_judge(result, words(result, key, "height"),
                       words(result, what, "centre of mass at the end [m]"), l->height_end, 0.7,
                       1.1, "above 0.7: it stands");
    scenario_judge(result, words(result, key, "speed"), words(result, what, "speed then [m/s]"),
                   l->speed, 0, 0.01, "at most 0.01: it rests");
    scenario_judge(result, words(result, key, "file"),
                   words(result, what, "its file from a plan made now [rad]"), l->file_off, 0, 1e-3,
                   "at most 0.001");
}

static bool run(scenario_result* result, bool quick) {
    lift* l = scenario_keep(result, memory_take(LIFT_TASKS, sizeof *l));
    (void)quick; // there is nothing to leave out
    for (int m = 0; m < LIFT_TASKS; m++)
        if (!do_lift(result, &lift_tasks[m], &l[m])) return false;
    scenario_add(result, "mass_light", "lifted, light [kg]", lift_tasks[0].mass)->paper = "8.4";
    scenario_add(result, "mass_heavy", "lifted, heavy [kg]", lift_tasks[1].mass)->paper = "23.4";
    for (int m = 0; m < LIFT_TASKS; m++) judge(result, &lift_tasks[m], &l[m]);
    scenario_add(result, "iterations", "iterations of the planner, heavy", l[1].plan.iterations);
    draw(result, l);
    return true;
}

/// Plans all lifts anew, and writes their motions.
static int save(const char* folder) {
    sn_scene* scene = scenario_scene(lift_tasks[0].name);
    if (!scene) return STATUS_FAILED;
    const sn_model* robot = sn_scene_item(scene, item_index(scene, "robot"))->model;
    bool good = true;
    for (int m = 0; m < LIFT_TASKS && good; m++) {
        lift_plan plan;
        output_file file = {0};
        char* path = memory_text("%s/%s.csv", folder, lift_tasks[m].name);
        good = lift_plan_make(robot, &lift_tasks[m], &plan) && output_open(&file, path);
        if (good) lift_plan_write(&plan, file.stream);
        good = good && output_commit(&file);
        if (good)
            message_note("%s: %d postures, cost %.3g after %d iterations", path, plan.knots,
                         plan.cost, plan.iterations);
        output_discard(&file);
        free(path);
    }
    sn_scene_free(scene);
    return good ? STATUS_DONE : STATUS_FAILED;
}

int reproduce_chardonnet_lift(const reproduce_options* options) {
    static const scenario s = {
        "chardonnet-lift", "A humanoid lifts a bar over its head",
        "Chardonnet's HRP-2 lifts 8.4 kg and 23.4 kg over its head by optimised motions, through "
        "phases a to f. Here: our model with its torque limits (our estimates, fixed in "
        "models/hrp2.urdf before), our planner, our phases; from stands before the shanks past "
        "belly, chest and face to above the head, planned to end standing; and one that ends "
        "sitting on a stool, the bar before the chest. Motions are files (--save writes them), "
        "which the scenes lift, lift_heavy and lift_sitting follow.",
        run};
    return options->save ? save(options->save) : scenario_reproduce(&s, options);
}
