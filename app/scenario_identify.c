// SPDX-License-Identifier: Apache-2.0
/// Chardonnet 2012: what a simulator must be told is measured first. Friction of a sole by a dynamometer, the matrix of a
/// force sensor by weights in many orientations of the hand, friction of a joint by its swings.   [C12 5]
/// Here the truth is in the scene; measures are simulated, noise is added, and the truth must come back.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "least_squares.h"
#include "memory.h"
#include "message.h"
#include "model_argument.h"
#include "scenario.h"
#include "sinew/dynamics.h"

enum { PULLS = 50, POSES = 60, SWINGS_MOST = 64 };
static const double MU = 0.983, FOOT_MASS = 6, G0 = 9.81;
static const double PULL_NOISE = 0.03;    // of a reading, standard deviation
static const double SENSOR_NOISE = 0.02;  // raw units of a signal; weights give some 10
static const double ENCODER_NOISE = 2e-5; // rad
static const double SLIPS =
    1e-4; // m/s: slow enough that the pull goes on by little until it is seen

// ---- noise ------------------------------------------------------------------------------------------------

/// splitmix64.
static double uniform(uint64_t* state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

/// Box and Muller's.
static double normal(uint64_t* state) {
    double u = uniform(state), w = uniform(state);
    return sqrt(-2 * log(u)) * cos(2 * M_PI * w);
}

// ---- mu of a sole -----------------------------------------------------------------------------------------

/// Pulls harder and harder until the foot slips: the force then, as a dynamometer of some noise reads it.
static bool pull(sn_simulation* sim, double rate, double noise, double* reading) {
    sn_world* world = sn_simulation_world(sim);
    sn_body_id foot = sn_model_find_body(sn_world_model(world), "second_foot");
    double force = 0, h = sn_world_step_size(world);
    bool runs = true;
    for (double speed = 0; runs && speed < SLIPS && force < 200; force += rate * h) {
        sn_wrench w = {sn_vec3_zero(), sn_vec3_make(force, 0, 0)};
        runs = !sn_world_set_wrench(world, foot, SN_AXES_WORLD, w) && scenario_step(sim, h);
        if (runs) speed = scenario_sensor(sim, "second_motion")[3];
    }
    *reading = force * (1 + PULL_NOISE * noise);
    return runs;
}

static bool find_mu(scenario_result* result, double** number, double** reading, double* mu) {
    uint64_t seed = 983;
    double sum = 0;
    *number = scenario_numbers(result, PULLS);
    *reading = scenario_numbers(result, PULLS);
    for (int i = 0; i < PULLS; i++) {
        sn_simulation* sim = scenario_start(scenario_scene("dynamometer"));
        double rate = 20 + 20 * uniform(&seed); // N/s: nobody pulls twice the same
        bool runs = sim && pull(sim, rate, normal(&seed), &(*reading)[i]);
        sn_simulation_free(sim);
        if (!runs) return false;
        (*number)[i] = i + 1;
        (*reading)[i] /= FOOT_MASS * G0;
        sum += (*reading)[i];
    }
    *mu = sum / PULLS;
    return true;
}

// ---- matrix of a sensor -----------------------------------------------------------------------------------

/// A sensor of six signals: f_s = G (f_l + f_d).   [C12 eq 20, as docs/references.md's errata have it]
typedef struct cell {
    double G[6][6], inverse[6][6], offset[6];
} cell;

/// Inverse by elimination; G is near a diagonal matrix.
static void invert(const double G[6][6], double inverse[6][6]) {
    double A[6][12];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 12; j++) A[i][j] = j < 6 ? G[i][j] : j - 6 == i;
    for (int p = 0; p < 6; p++)
        for (int i = 0; i < 6; i++) {
            if (i == p) continue;
            double factor = A[i][p] / A[p][p];
            for (int j = 0; j < 12; j++) A[i][j] -= factor * A[p][j];
        }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) inverse[i][j] = A[i][6 + j] / A[i][i];
}

static cell make_cell(uint64_t* seed) {
    static const double UNIT[6] = {0.1, 0.1, 0.1, 2, 2, 2}; // N m, N of one raw unit
    cell c;
    for (int i = 0; i < 6; i++) {
        c.offset[i] = 3 * normal(seed);
        for (int j = 0; j < 6; j++) c.G[i][j] = UNIT[i] * ((i == j) + 0.05 * normal(seed));
    }
    invert((const double(*)[6])c.G, c.inverse);
    return c;
}

/// What a weight at a place of the hand does to the sensor, in its axes.
static void weigh(sn_mat3 R_ws, double mass, sn_vec3 at, double f[6]) {
    sn_vec3 force = sn_mat3_apply_transposed(R_ws, sn_vec3_make(0, 0, -G0 * mass));
    sn_vec3 moment = sn_vec3_cross(at, force);
    const double add[6] = {moment.x, moment.y, moment.z, force.x, force.y, force.z};
    for (int i = 0; i < 6; i++) f[i] += add[i];
}

/// The arm somewhere: pose of the sensor.
static bool turn_hand(sn_dynamics* dynamics, const sn_model* model, uint64_t* seed, double* q,
                      sn_mat3* R_ws) {
    sn_frame_id sensor = sn_model_find_frame(model, "r_wrist_sensor");
    sn_model_neutral(model, q);
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info joint = sn_model_body(model, sn_body(i));
        bool arm = strncmp(joint.joint_name, "r_shoulder", 10) == 0 ||
                   strncmp(joint.joint_name, "r_elbow", 7) == 0 ||
                   strncmp(joint.joint_name, "r_wrist", 7) == 0;
        if (!arm) continue;
        q[joint.iq] = joint.lower[0] + (joint.upper[0] - joint.lower[0]) * uniform(seed);
    }
    if (sensor.i < 0 || sn_dynamics_kinematics(dynamics, q, NULL)) return false;
    *R_ws = sn_dynamics_frame_pose(dynamics, sensor).R;
    return true;
}

/// G and offset from weights in many orientations: each row of f_s = G f_l + G f_d is a fit of seven numbers.
static bool fit_cell(sn_dynamics* dynamics, const sn_model* model, const cell* truth, double* q,
                     uint64_t* seed, cell* found) {
    static const double WEIGHTS[4] = {0, 2, 2, 2};                                     // kg
    static const sn_vec3 AT[4] = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, -0.15}}; // m
    fit rows[6];
    for (int i = 0; i < 6; i++) rows[i] = (fit){.unknowns = 7};
    for (int k = 0; k < POSES; k++) {
        double f[6] = {0}, raw[7];
        sn_mat3 R;
        if (!turn_hand(dynamics, model, seed, q, &R)) return false;
        weigh(R, 0.45, sn_vec3_make(0, -0.006, -0.043), f); // the hand itself
        weigh(R, WEIGHTS[k % 4], AT[k % 4], f);
        for (int i = 0; i < 6; i++) { // f_l = G^-1 f_s - f_d
            raw[i] = SENSOR_NOISE * normal(seed) - truth->offset[i];
            for (int j = 0; j < 6; j++) raw[i] += truth->inverse[i][j] * f[j];
        }
        raw[6] = 1;
        for (int i = 0; i < 6; i++) fit_add(&rows[i], raw, f[i]);
    }
    double constant[6];
    for (int i = 0; i < 6; i++) {
        double x[FIT_MOST];
        if (!fit_solve(&rows[i], x)) return false;
        memcpy(found->G[i], x, sizeof found->G[i]);
        constant[i] = x[6];
    }
    invert((const double(*)[6])found->G, found->inverse);
    for (int i = 0; i < 6; i++) {
        found->offset[i] = 0;
        for (int j = 0; j < 6; j++) found->offset[i] += found->inverse[i][j] * constant[j];
    }
    return true;
}

/// Largest entry that is off, of the largest in its row.
static double matrix_error(const cell* a, const cell* truth) {
    double worst = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            worst = fmax(worst, fabs(a->G[i][j] - truth->G[i][j]) / fabs(truth->G[i][i]));
    return worst;
}

static bool find_cell(double* error) {
    model_source source;
    model_request request = {.text = "hrp2", .base = MODEL_BASE_UNSET};
    uint64_t seed = 20;
    cell truth = make_cell(&seed), found = {0};
    sn_dynamics* dynamics = NULL;
    if (!model_source_load(&request, &source)) return false;
    double* q = memory_take((size_t)sn_model_nq(source.model), sizeof *q);
    bool good = !sn_dynamics_create(source.model, NULL, &dynamics, NULL) &&
                fit_cell(dynamics, source.model, &truth, q, &seed, &found);
    if (!good) message_error("the sensor's matrix could not be found");
    *error = matrix_error(&found, &truth);
    sn_dynamics_free(dynamics);
    free(q);
    model_source_free(&source);
    return good;
}

// ---- friction of a joint ----------------------------------------------------------------------------------

/// Where the arm turns back, with what it has lost since: V_i - V_i+1 = dry |turn| + viscous integral of speed^2.
typedef struct swing {
    double *t, *angle;
    int count;
    double dry, viscous; ///< found, N m and N m s/rad
    double true_dry, true_viscous;
} swing;

static bool follow(scenario_result* result, swing* s) {
    enum { STEPS = 5000 };
    sn_simulation* sim = scenario_start(scenario_scene("swing"));
    if (!sim) return false;
    sn_world* world = sn_simulation_world(sim);
    const sn_model* model = sn_world_model(world);
    sn_body_info joint = sn_model_body(model, sn_model_find_joint(model, "robot/r_shoulder_pitch"));
    uint64_t seed = 22;
    fit losses = {.unknowns = 2};
    double before = 0, squares = 0;
    double height = sn_world_energy(world).potential, last_angle = sn_world_q(world)[joint.iq];
    int turns = 0;
    s->t = scenario_numbers(result, STEPS), s->angle = scenario_numbers(result, STEPS);
    s->true_dry = joint.friction[0], s->true_viscous = joint.damping[0];
    bool runs = true;
    for (int i = 0; i < STEPS && runs; i++) {
        runs = scenario_step(sim, sn_world_step_size(world));
        double angle = scenario_sensor(sim, "angle")[0] + ENCODER_NOISE * normal(&seed);
        double speed = scenario_sensor(sim, "speed")[0];
        squares += speed * speed * sn_world_step_size(world);
        s->t[s->count] = sn_world_time(world);
        s->angle[s->count++] = angle * 180 / M_PI;
        if (before * speed < 0 && fabs(angle - last_angle) > 0.02) { // it turns back
            double potential = scenario_sensor(sim, "energy")[1];
            const double row[2] = {fabs(angle - last_angle), squares};
            fit_add(&losses, row, height - potential);
            height = potential, last_angle = angle, squares = 0, turns++;
        }
        if (speed != 0) before = speed;
    }
    double x[FIT_MOST] = {NAN, NAN};
    bool found = runs && turns >= 3 && fit_solve(&losses, x);
    s->dry = x[0], s->viscous = x[1];
    sn_simulation_free(sim);
    if (runs && !found) message_error("the arm does not swing often enough to tell its friction");
    return found;
}

// ---- the whole --------------------------------------------------------------------------------------------

static bool run(scenario_result* result, bool quick) {
    double *number, *reading, mu, matrix;
    swing s = {0};
    (void)quick; // some seconds
    if (!find_mu(result, &number, &reading, &mu) || !find_cell(&matrix) || !follow(result, &s))
        return false;
    scenario_fact* count = scenario_add(result, "pulls", "pulls at a foot", PULLS);
    count->paper = "50";
    scenario_judge(result, "mu", "mean of their friction", mu, 0.98 * MU, 1.02 * MU,
                   "0.983 within 2 %");
    result->fact[result->fact_count - 1].paper = "0.983";
    scenario_add(result, "orientations", "orientations of the hand, three weights", POSES);
    scenario_judge(result, "matrix", "sensor matrix G: largest error of an entry, of its row's",
                   matrix, 0, 0.01, "at most 0.01");
    scenario_judge(result, "dry", "dry friction of the shoulder, found over true",
                   s.dry / s.true_dry, 0.9, 1.1, "within 0.1 of 1");
    scenario_judge(result, "viscous", "its viscous friction, found over true",
                   s.viscous / s.true_viscous, 0.95, 1.05, "within 0.05 of 1");
    plot* p = &result->plot;
    p->title = "What a simulator must be told, from noisy measures";
    p->panel_count = 2;
    p->panels[0] = (plot_panel){.title = "A foot is pulled until it slips, 50 times",
                                .x_label = "measure",
                                .y_label = "pull over weight",
                                .mark = MU,
                                .mark_label = "mu 0.983"};
    plot_add_series(&p->panels[0], "readings, 3 % of noise", number, reading, PULLS, true);
    p->panels[1] = (plot_panel){.title = "An arm swings about the shoulder until friction stops it",
                                .x_label = "time [s]",
                                .y_label = "angle [deg]"};
    plot_add_series(&p->panels[1], "r_shoulder_pitch", s.t, s.angle, s.count, false);
    return true;
}

int reproduce_chardonnet_identify(const reproduce_options* options) {
    static const scenario s = {
        "chardonnet-identify", "Friction, a force sensor and a joint are identified",
        "Chardonnet measures friction under the foot with a dynamometer (50 measures), the matrix "
        "of the hand's force sensor by turning the hand, and friction in joints. Here the measures "
        "are simulated with noise, and what the scene was made of must come back: "
        "scenes/papers/dynamometer.yaml, the wrist of hrp2, scenes/papers/swing.yaml.",
        run};
    return scenario_reproduce(&s, options);
}
