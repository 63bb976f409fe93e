// SPDX-License-Identifier: Apache-2.0
/// Chardonnet 2012: a humanoid lifts 8.4 kg and 23.4 kg over its head.   [C12 6]
/// Here: the lift is planned (lift_plan.h) inside the torque limits of the model, written to a file, read back and followed by
/// springs and dampers at the joints with the planned torques ahead. The bar is held by ball holds once the grippers are
/// closed.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lift_plan.h"
#include "memory.h"
#include "message.h"
#include "scenario.h"

enum { MASSES = 2, EVERY = 20, SAMPLES_MOST = 640 };
static const double MASS[MASSES] = {8.4, 23.4}; // kg, as the scenes have them
static const char* const SCENES[MASSES] = {"lift", "lift_heavy"};
static const double CLOSE = 0.3, GRASP = 1.0, SETTLE = 2.0; // s; after the plan
static const double GRASP_AT = 0.25;                        // m: hands from the middle of the bar
static const char* const HIGHEST[MASSES] = {"8.4 kg: bar at the end, off the plan [m]",
                                            "23.4 kg: bar at the end, off the plan [m]"};
static const char* const TITLES[MASSES] = {"8.4 kg: torque over its limit",
                                           "23.4 kg: torque over its limit"};

/// The plan on its way to the joints: targets of the scene's controllers, and forces ahead of them.
typedef struct follower {
    const lift_plan* plan;
    sn_simulation* sim;
    const sn_item* robot;
    int first_v; ///< of the robot in the whole
} follower;

/// Joint of the plan that a joint of the robot is; -1: none.
static int part_of(const char* name) {
    bool side = name[0] && name[1] == '_';
    for (int j = 0; j < LIFT_JOINTS; j++)
        if (strcmp(side ? name + 2 : name, lift_joint_names[j]) == 0) return j;
    return -1;
}

/// The controller of the scene that drives a joint; NULL: none.
static const sn_controller_def* driver_of(const sn_simulation* sim, int iv) {
    const sn_scene* scene = sn_simulation_scene(sim);
    for (int i = 0; i < sn_scene_controller_count(scene); i++)
        if (sn_scene_controller(scene, i)->kp[iv] > 0) return sn_scene_controller(scene, i);
    return NULL;
}

/// Torques of the plan, and what dampers take from joints that move as planned.
static sn_status push_ahead(void* context, sn_simulation* sim, double* tau) {
    const follower* f = context;
    double time = sn_world_time(sn_simulation_world(sim)), angle[LIFT_JOINTS], rate[LIFT_JOINTS];
    double u = fmin(time / f->plan->interval, f->plan->knots - 1 - 1e-9);
    int k = (int)u;
    lift_plan_at(f->plan, time, angle, rate);
    for (int i = 1; i < sn_model_body_count(f->robot->model); i++) {
        sn_body_info joint = sn_model_body(f->robot->model, sn_body(i));
        int p = part_of(joint.joint_name);
        const sn_controller_def* driver = p >= 0 ? driver_of(sim, joint.iv) : NULL;
        if (!driver) continue;
        double ahead = (1 - (u - k)) * f->plan->tau[k][p] + (u - k) * f->plan->tau[k + 1][p];
        tau[f->first_v + joint.iv] = ahead + (driver->kd[joint.iv] + joint.damping[0]) * rate[p];
    }
    return SN_OK;
}

/// Gives the scene's controllers the posture of the plan, and closes the grippers in time.
static bool aim(const follower* f) {
    double time = sn_world_time(sn_simulation_world(f->sim)), angle[LIFT_JOINTS], rate[LIFT_JOINTS];
    lift_plan_at(f->plan, time, angle, rate);
    for (int i = 1; i < sn_model_body_count(f->robot->model); i++) {
        sn_body_info joint = sn_model_body(f->robot->model, sn_body(i));
        int p = part_of(joint.joint_name);
        bool gripper = strstr(joint.joint_name, "gripper") && time > CLOSE;
        const sn_controller_def* driver = p >= 0 || gripper ? driver_of(f->sim, joint.iv) : NULL;
        if (!driver) continue;
        sn_error error = {0};
        sn_edit edit = {.type = SN_EDIT_TARGET,
                        .name = driver->name,
                        .body = joint.joint_name,
                        .number_count = 1,
                        .number = {p >= 0 ? angle[p] : -0.2}};
        if (!sn_simulation_apply(f->sim, &edit, &error)) continue;
        message_error_from(&error);
        return false;
    }
    return true;
}

/// Largest torque over limit of each joint of the plan in the last step.
static void loads(const follower* f, double* load) {
    const double* tau = sn_world_control(sn_simulation_world(f->sim));
    memset(load, 0, LIFT_JOINTS * sizeof *load);
    for (int i = 1; i < sn_model_body_count(f->robot->model); i++) {
        sn_body_info joint = sn_model_body(f->robot->model, sn_body(i));
        int p = part_of(joint.joint_name);
        if (p < 0) continue;
        load[p] = fmax(load[p], fabs(tau[f->first_v + joint.iv]) / joint.effort[0]);
    }
}

// ---- the file -----------------------------------------------------------------------------------------------

/// A row a knot: time, angles, torques.
static void write_plan(const lift_plan* p, FILE* out) {
    for (int k = 0; k < p->knots; k++) {
        fprintf(out, "%.6f", k * p->interval);
        for (int j = 0; j < LIFT_JOINTS; j++) fprintf(out, ",%.17g", p->q[k][j]);
        for (int j = 0; j < LIFT_JOINTS; j++) fprintf(out, ",%.17g", p->tau[k][j]);
        fputc('\n', out);
    }
}

static bool read_plan(FILE* in, lift_plan* p) {
    for (int k = 0; k < p->knots; k++) {
        double t;
        if (fscanf(in, "%lf", &t) != 1 || fabs(t - k * p->interval) > 1e-5) return false;
        for (int j = 0; j < LIFT_JOINTS; j++)
            if (fscanf(in, ",%lf", &p->q[k][j]) != 1) return false;
        for (int j = 0; j < LIFT_JOINTS; j++)
            if (fscanf(in, ",%lf", &p->tau[k][j]) != 1) return false;
    }
    return true;
}

/// Through a file and back, as a robot would get it.
static bool pass_through_file(lift_plan* p) {
    FILE* file = tmpfile();
    lift_plan from_file = *p;
    memset(from_file.q, 0, sizeof from_file.q);
    if (file) write_plan(p, file);
    bool good =
        file && !ferror(file) && fseek(file, 0, SEEK_SET) == 0 && read_plan(file, &from_file);
    if (file) fclose(file);
    if (!good) message_error("the plan could not be written to a file and read back");
    *p = from_file;
    return good;
}

// ---- one lift -----------------------------------------------------------------------------------------------

typedef struct lift {
    lift_plan plan;
    double *t, *height, *planned, *load[LIFT_JOINTS];
    int count;
    double load_most[LIFT_JOINTS];
    double bar_off;    ///< m at the end
    double height_end; ///< m of the centre of mass of robot and bar
    double speed;      ///< m/s of the bar at the end
} lift;

static int item_index(const sn_scene* scene, const char* name) {
    for (int i = 0; i < sn_scene_item_count(scene); i++)
        if (strcmp(sn_scene_item(scene, i)->name, name) == 0) return i;
    return -1;
}

/// The scene with the robot as the plan begins.
static sn_scene* set_up(const char* name, const lift_plan* plan, double* q) {
    sn_scene* scene = scenario_scene(name);
    if (!scene) return NULL;
    int robot = item_index(scene, "robot");
    lift_body* body = lift_body_create(sn_scene_item(scene, robot)->model);
    lift_body_pose(body, plan->q[0], q);
    lift_body_free(body);
    sn_scene_set_pose(scene, robot, sn_pose_identity());
    sn_error error = {0};
    if (sn_scene_set_start(scene, robot, q, NULL, &error)) message_error_from(&error);
    return scene;
}

static bool grasp(sn_simulation* sim) {
    // the bar lies along y, its own z towards -y; l_grasp and r_grasp are 0.14 m below the wrists' origins
    return scenario_command(sim,
                            "hold: {name: left, type: ball, body: bar, frame: {at: [0, 0, %g]}, "
                            "other: robot/l_wrist, other_frame: {at: [0, 0, -0.14]}}",
                            -GRASP_AT) &&
           scenario_command(sim,
                            "hold: {name: right, type: ball, body: bar, frame: {at: [0, 0, %g]}, "
                            "other: robot/r_wrist, other_frame: {at: [0, 0, -0.14]}}",
                            GRASP_AT);
}

static void look(lift* l, const double* load, const sn_simulation* sim, double time) {
    if (l->count == SAMPLES_MOST) return;
    int i = l->count++;
    double u = fmin(time / l->plan.interval, l->plan.knots - 1 - 1e-9);
    int k = (int)u;
    l->t[i] = time;
    l->height[i] = scenario_sensor(sim, "bar")[2];
    l->planned[i] = (1 - (u - k)) * l->plan.bar[k][1] + (u - k) * l->plan.bar[k + 1][1];
    for (int j = 0; j < LIFT_JOINTS; j++) l->load[j][i] = load[j];
}

static bool carry_out(lift* l, const follower* f) {
    double end = (l->plan.knots - 1) * l->plan.interval + SETTLE, h = 1e-3, load[LIFT_JOINTS];
    bool held = false, runs = true;
    for (int step = 0; step * h < end && runs; step++) {
        if (!held && step * h >= GRASP) runs = held = grasp(f->sim);
        runs = runs && aim(f) && scenario_step(f->sim, h);
        loads(f, load);
        for (int j = 0; j < LIFT_JOINTS; j++) l->load_most[j] = fmax(l->load_most[j], load[j]);
        if (step % EVERY == EVERY - 1) look(l, load, f->sim, (step + 1) * h);
    }
    return runs;
}

static bool do_lift(scenario_result* result, int m, lift* l) {
    sn_scene* plain = scenario_scene(SCENES[m]);
    if (!plain) return false;
    const sn_model* model = sn_scene_item(plain, item_index(plain, "robot"))->model;
    double* q = scenario_numbers(result, (size_t)sn_model_nq(model));
    bool planned = lift_plan_make(model, MASS[m], &l->plan) && pass_through_file(&l->plan);
    sn_scene_free(plain);
    sn_scene* scene = planned ? set_up(SCENES[m], &l->plan, q) : NULL;
    sn_simulation* sim = scenario_start(scene);
    if (!sim) return false;
    follower f = {&l->plan, sim, sn_scene_item(scene, item_index(scene, "robot")), 0};
    sn_world* world = sn_simulation_world(sim);
    sn_body_info root = sn_model_body(sn_world_model(world),
                                      sn_model_find_joint(sn_world_model(world), "robot/root"));
    f.first_v = root.iv;
    l->t = scenario_numbers(result, SAMPLES_MOST);
    l->height = scenario_numbers(result, SAMPLES_MOST);
    l->planned = scenario_numbers(result, SAMPLES_MOST);
    for (int j = 0; j < LIFT_JOINTS; j++) l->load[j] = scenario_numbers(result, SAMPLES_MOST);
    bool runs = !sn_simulation_set_controller(sim, "lift", push_ahead, &f) && carry_out(l, &f);
    const double* bar = scenario_sensor(sim, "bar");
    const lift_phase* last = &lift_phases[LIFT_PHASES - 1];
    l->bar_off = hypot(bar[0] - last->x, bar[2] - last->z);
    l->height_end = scenario_sensor(sim, "centre")[2];
    l->speed = sn_vec3_norm(sn_world_momentum(world).linear) / sn_world_momentum(world).mass;
    sn_simulation_free(sim);
    return runs;
}

// ---- the whole ----------------------------------------------------------------------------------------------

static void draw(scenario_result* result, const lift* l) {
    plot* p = &result->plot;
    p->title = "A humanoid lifts a bar over its head";
    p->subtitle =
        "phases end at a 1, b 2, c 4, d 5.5, e 7.5, f 9 s; torques of one side, the larger";
    p->panel_count = 3;
    p->panels[0] =
        (plot_panel){.title = "Height of the bar", .x_label = "time [s]", .y_label = "z [m]"};
    plot_add_series(&p->panels[0], "plan", l[0].t, l[0].planned, l[0].count, false);
    plot_add_series(&p->panels[0], "8.4 kg", l[0].t, l[0].height, l[0].count, false);
    plot_add_series(&p->panels[0], "23.4 kg", l[1].t, l[1].height, l[1].count, false);
    for (int m = 0; m < MASSES; m++) {
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

static bool run(scenario_result* result, bool quick) {
    static const char* const KEYS[MASSES][LIFT_JOINTS] = {
        {"hip_8", "knee_8", "ankle_8", "waist_8", "shoulder_8", "elbow_8"},
        {"hip_23", "knee_23", "ankle_23", "waist_23", "shoulder_23", "elbow_23"}};
    static const char* const WHATS[MASSES][LIFT_JOINTS] = {
        {"8.4 kg: hip pitch, largest torque over limit", "knee", "ankle pitch", "waist pitch",
         "shoulder pitch", "elbow"},
        {"23.4 kg: hip pitch, largest torque over limit", "knee", "ankle pitch", "waist pitch",
         "shoulder pitch", "elbow"}};
    lift* l = scenario_keep(result, memory_take(MASSES, sizeof *l));
    (void)quick; // there is nothing to leave out
    for (int m = 0; m < MASSES; m++)
        if (!do_lift(result, m, &l[m])) return false;
    scenario_add(result, "mass_light", "lifted, light [kg]", MASS[0])->paper = "8.4";
    scenario_add(result, "mass_heavy", "lifted, heavy [kg]", MASS[1])->paper = "23.4";
    for (int m = 0; m < MASSES; m++) {
        for (int j = 0; j < LIFT_JOINTS; j++)
            scenario_judge(result, KEYS[m][j], WHATS[m][j], l[m].load_most[j], 0, 0.999, "below 1");
        scenario_judge(result, m ? "bar_23" : "bar_8", HIGHEST[m], l[m].bar_off, 0, 0.04,
                       "at most 0.04");
        scenario_judge(result, m ? "height_23" : "height_8",
                       "centre of mass at the end: it stands [m]", l[m].height_end, 0.7, 1.1,
                       "above 0.7");
        scenario_judge(result, m ? "speed_23" : "speed_8", "and rests: speed [m/s]", l[m].speed, 0,
                       0.01, "at most 0.01");
    }
    scenario_add(result, "iterations", "iterations of the planner, heavy", l[1].plan.iterations);
    draw(result, l);
    return true;
}

int reproduce_chardonnet_lift(const reproduce_options* options) {
    static const scenario s = {
        "chardonnet-lift", "A humanoid lifts a bar over its head",
        "Chardonnet's HRP-2 lifts 8.4 kg and 23.4 kg over its head by optimised motions, through "
        "phases a to f. Here: our model with its torque limits (our estimates, fixed in "
        "models/hrp2.urdf before), our planner, our phases; from stands before the shanks past "
        "belly, chest and face to above the head. The plan goes through a file and is followed by "
        "springs and dampers at the joints; both lifts are planned to end standing.",
        run};
    return scenario_reproduce(&s, options);
}
