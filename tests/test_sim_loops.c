// SPDX-License-Identifier: Apache-2.0
// A four-bar linkage: the same whichever joint closes it, closed as time goes by, stopped when its crank
// is; and the one that is shipped.
#include <math.h>
#include <string.h>

#include "sinew/load.h"
#include "support/fixture.h"

/// Links of a four-bar in the x-z plane; ground pivots at the origin and at (ground, 0, 0).
typedef struct four_bar {
    double crank, coupler, rocker, ground;
} four_bar;

static const four_bar BARS = {0.3, 0.9, 0.7, 0.8}; // 0.3 + 0.9 < 0.7 + 0.8: the crank turns fully

/// A uniform rod along x of its frame, on a hinge about y.
static sn_body_def rod(const char* name, const char* parent, double at, double length,
                       double mass) {
    sn_body_def def = sn_body_def_default();
    def.name = name;
    def.parent = parent;
    def.joint.axis = sn_vec3_make(0, 1, 0);
    def.joint.placement.p = sn_vec3_make(at, 0, 0);
    def.inertia = sn_inertia_box(mass, sn_vec3_make(length, 0.05, 0.05));
    def.inertia.com = sn_vec3_make(length / 2, 0, 0);
    return def;
}

/// Crank, coupler, rocker, cut where coupler and rocker meet, or at the rocker's pivot on the ground.
static sn_model* four_bar_model(bool cut_at_ground, sn_joint_type loop_type, double t_s) {
    sn_model_builder* builder = sn_model_builder_create("four_bar");
    sn_body_def crank = rod("crank", NULL, 0, BARS.crank, 0.5);
    sn_body_def coupler = rod("coupler", "crank", BARS.crank, BARS.coupler, 1.5);
    sn_body_def rocker = cut_at_ground ? rod("rocker", "coupler", BARS.coupler, BARS.rocker, 1.2)
                                       : rod("rocker", NULL, BARS.ground, BARS.rocker, 1.2);
    CHECK_STATUS(sn_model_builder_add_body(builder, &crank), SN_OK);
    CHECK_STATUS(sn_model_builder_add_body(builder, &coupler), SN_OK);
    CHECK_STATUS(sn_model_builder_add_body(builder, &rocker), SN_OK);
    sn_loop_def loop = sn_loop_def_default();
    loop.name = "closing";
    loop.type = loop_type;
    loop.axis = sn_vec3_make(0, 1, 0);
    loop.t_s = t_s;
    loop.body_a = cut_at_ground ? NULL : "coupler";
    loop.body_b = "rocker";
    loop.X_ac.p = sn_vec3_make(cut_at_ground ? BARS.ground : BARS.coupler, 0, 0);
    loop.X_bc.p = sn_vec3_make(BARS.rocker, 0, 0);
    CHECK_STATUS(sn_model_builder_add_loop(builder, &loop), SN_OK);
    return test_compile(builder);
}

/// Directions of coupler and rocker for a crank at `angle` (rotation about y takes x to -z).
static void four_bar_angles(double angle, double* coupler, double* rocker) {
    double bx = BARS.crank * cos(angle), bz = -BARS.crank * sin(angle); // end of the crank
    double dx = BARS.ground - bx, dz = -bz, d = hypot(dx, dz);
    double along = (BARS.coupler * BARS.coupler - BARS.rocker * BARS.rocker + d * d) / (2 * d);
    double up = sqrt(BARS.coupler * BARS.coupler - along * along);
    double cx = bx + (along * dx - up * dz) / d, cz = bz + (along * dz + up * dx) / d;
    *coupler = atan2(-(cz - bz), cx - bx);
    *rocker = atan2(-cz, cx - BARS.ground);
}

/// Joint angles of either tree.
static void four_bar_state(bool cut_at_ground, double angle, double q[3]) {
    const double pi = acos(-1.0);
    double coupler, rocker;
    four_bar_angles(angle, &coupler, &rocker);
    q[0] = angle;
    q[1] = coupler - angle;
    q[2] = cut_at_ground ? rocker + pi - coupler : rocker;
}

static void a_four_bar_moves_the_same_wherever_it_is_cut(void** state) {
    (void)state;
    for (int i = 0; sn_dynamics_algorithm(i); i++) {
        for (int m = 0; m < 20; m++) {
            double angle = 0.3 * m, qdd0[2];
            for (int cut = 0; cut < 2; cut++) {
                double q[3], v[3], plus[3], minus[3], qdd[3], tau[3] = {0.7, 0, 0}, h = 1e-4;
                sn_model* model = four_bar_model(cut, SN_JOINT_REVOLUTE, 0);
                sn_dynamics* d = test_dynamics(model, sn_dynamics_algorithm(i));
                four_bar_state(cut, angle, q);
                four_bar_state(cut, angle + h, plus);
                four_bar_state(cut, angle - h, minus);
                for (int k = 0; k < 3; k++) v[k] = 3 * remainder(plus[k] - minus[k], 6) / (2 * h);
                CHECK_STATUS(sn_dynamics_forward(d, q, v, tau, qdd), SN_OK);
                qdd0[cut] = qdd[0];
                // the other angles follow from the crank's: q'' = dq/da a'' + d2q/da2 a'^2
                for (int k = 1; k < 3; k++) {
                    double slope = v[k] / v[0];
                    double second = (plus[k] - 2 * q[k] + minus[k]) / (h * h);
                    CHECK_NEAR(qdd[k], slope * qdd[0] + second * v[0] * v[0], 1e-5, test_seed());
                }
                sn_dynamics_free(d);
                sn_model_free(model);
            }
            // rates are differences: truncation h^2 = 1e-8 times derivatives of order ten
            CHECK_NEAR(qdd0[0], qdd0[1], 1e-5, test_seed());
        }
    }
}

static void a_planar_loop_needs_no_more_than_a_point(void** state) {
    // in a plane a spherical, a revolute and a cylindrical loop joint hold the same: the others' rows are
    // redundant
    (void)state;
    static const sn_joint_type type[] = {SN_JOINT_REVOLUTE, SN_JOINT_SPHERICAL,
                                         SN_JOINT_CYLINDRICAL};
    double q[3], v[3] = {0, 0, 0}, qdd[3][3];
    four_bar_state(false, 1.1, q);
    for (int i = 0; sn_dynamics_algorithm(i); i++) {
        for (int t = 0; t < 3; t++) {
            sn_model* model = four_bar_model(false, type[t], 0.02);
            sn_dynamics* d = test_dynamics(model, sn_dynamics_algorithm(i));
            CHECK_STATUS(sn_dynamics_forward(d, q, v, NULL, qdd[t]), SN_OK);
            CHECK_VECTOR(qdd[t], qdd[0], 3, TOL_CHAIN, test_seed());
            sn_dynamics_free(d);
            sn_model_free(model);
        }
    }
}

typedef struct drift {
    double open;   ///< largest distance of the loop frames, m
    double energy; ///< largest change of energy, J
} drift;

/// Drops the four-bar from rest, or spins it, for some seconds.
static drift simulate_four_bar(sn_integrator integrator, double h, double seconds) {
    drift most = {0, 0};
    double q[3], v[3] = {0, 0, 0};
    sn_model* model = four_bar_model(false, SN_JOINT_REVOLUTE, 0.02);
    sn_world* world = test_world(model, h, integrator, sn_vec3_make(0, 0, -9.81));
    sn_dynamics* d = test_dynamics(model, NULL);
    four_bar_state(false, 0.4, q);
    CHECK_STATUS(sn_world_set_state(world, q, v), SN_OK);
    CHECK_STATUS(sn_dynamics_kinematics(d, q, v), SN_OK);
    sn_energy e0 = sn_dynamics_energy(d);
    int steps = (int)lround(seconds / h);
    for (int s = 0; s < steps; s++) {
        test_run(world, 1);
        CHECK_STATUS(sn_dynamics_kinematics(d, sn_world_q(world), sn_world_v(world)), SN_OK);
        sn_energy e = sn_dynamics_energy(d);
        double change = e.kinetic + e.potential - e0.kinetic - e0.potential;
        most.open = fmax(most.open, sn_vec3_norm(sn_dynamics_loop_error(d, 0).pose.v));
        most.energy = fmax(most.energy, fabs(change));
    }
    sn_dynamics_free(d);
    sn_world_free(world);
    sn_model_free(model);
    return most;
}

static void a_simulated_four_bar_stays_closed_at_the_order_of_the_integrator(void** state) {
    (void)state;
    static const struct {
        sn_integrator integrator;
        double h, order, open;
    } runs[] = {
        // at these steps; the bound on the gap is what is seen times about three
        {SN_INTEGRATE_EULER, 1e-3, 1, 1.5e-3},
        {SN_INTEGRATE_MIDPOINT, 1e-3, 2, 1e-5},
        {SN_INTEGRATE_RK4, 2e-3, 4, 5e-8},
    };
    for (int i = 0; i < 3; i++) {
        drift coarse = simulate_four_bar(runs[i].integrator, runs[i].h, 3);
        drift fine = simulate_four_bar(runs[i].integrator, runs[i].h / 2, 3);
        double open = log2(coarse.open / fine.open), energy = log2(coarse.energy / fine.energy);
        print_message("%s h = %g: open %.2e m, energy %.2e J; orders %.2f, %.2f\n",
                      sn_integrator_name(runs[i].integrator), runs[i].h, coarse.open, coarse.energy,
                      open, energy);
        CHECK(coarse.open <= runs[i].open, test_seed());
        CHECK(open >= runs[i].order - 0.3, test_seed());
        CHECK(energy >= runs[i].order - 0.3, test_seed());
    }
}

static void an_open_loop_closes_in_its_time(void** state) {
    // critically damped: e(t) = (1 + t / t_s) exp(-t / t_s) e(0)
    (void)state;
    double q[3], v[3] = {0, 0, 0}, t_s = 0.02, h = 1e-4;
    sn_model* model = four_bar_model(false, SN_JOINT_REVOLUTE, t_s);
    sn_world* world = test_world(model, h, SN_INTEGRATE_RK4, sn_vec3_make(0, 0, -9.81));
    sn_dynamics* d = test_dynamics(model, NULL);
    four_bar_state(false, 0.4, q);
    q[2] += 1e-3;
    CHECK_STATUS(sn_world_set_state(world, q, v), SN_OK);
    CHECK_STATUS(sn_dynamics_kinematics(d, q, v), SN_OK);
    double start = sn_vec3_norm(sn_dynamics_loop_error(d, 0).pose.v);
    CHECK(start > 1e-4, test_seed());
    for (int step = 1; step <= 1000; step++) {
        test_run(world, 1);
        CHECK_STATUS(sn_dynamics_kinematics(d, sn_world_q(world), sn_world_v(world)), SN_OK);
        double t = step * h / t_s, open = sn_vec3_norm(sn_dynamics_loop_error(d, 0).pose.v);
        CHECK_NEAR(open, (1 + t) * exp(-t) * start, 1e-6 * start, test_seed());
    }
    sn_dynamics_free(d);
    sn_world_free(world);
    sn_model_free(model);
}

static void stopping_a_joint_of_a_loop_stops_the_loop(void** state) {
    (void)state;
    double q[3], v[3], plus[3], minus[3], h = 1e-4;
    sn_model* model = four_bar_model(false, SN_JOINT_REVOLUTE, 0.02);
    sn_world* world = test_world(model, 1e-3, SN_INTEGRATE_EULER, sn_vec3_make(0, 0, -9.81));
    four_bar_state(false, 0.4, q);
    four_bar_state(false, 0.4 + h, plus);
    four_bar_state(false, 0.4 - h, minus);
    for (int k = 0; k < 3; k++) v[k] = (plus[k] - minus[k]) / (2 * h);
    CHECK_STATUS(sn_world_set_state(world, q, v), SN_OK);
    CHECK_STATUS(sn_world_lock(world, sn_body(0), true), SN_OK);
    // one degree of freedom: nothing moves any more
    for (int k = 0; k < 3; k++) CHECK_NEAR(sn_world_v(world)[k], 0, TOL_SOLVE, test_seed());
    sn_world_free(world);
    sn_model_free(model);
}

static void numbers_that_are_not_finite_are_reported(void** state) {
    (void)state;
    double q[3], v[3] = {0, NAN, 0}, qdd[3];
    sn_model* model = four_bar_model(false, SN_JOINT_REVOLUTE, 0.02);
    four_bar_state(false, 0.4, q);
    for (int i = 0; sn_dynamics_algorithm(i); i++) {
        sn_dynamics* d = test_dynamics(model, sn_dynamics_algorithm(i));
        CHECK_STATUS(sn_dynamics_forward(d, q, v, NULL, qdd), SN_ERR_NUMERIC);
        CHECK_STATUS(sn_dynamics_impulse(d, NULL, NULL, 0, qdd), SN_ERR_ARGUMENT);
        CHECK_STATUS(sn_dynamics_forward(d, q, NULL, NULL, qdd), SN_OK);
        sn_dynamics_free(d);
    }
    sn_model_free(model);
}

static void the_shipped_four_bar_turns_and_stays_closed(void** state) {
    (void)state;
    sn_model* model;
    sn_error error;
    CHECK_STATUS(sn_model_load(SN_TEST_MODELS_DIR "/four_bar.json", NULL, &model, &error), SN_OK);
    assert_int_equal(sn_model_loop_count(model), 1);
    sn_world* world = test_world(model, 1e-3, SN_INTEGRATE_RK4, sn_vec3_make(0, 0, -9.81));
    sn_dynamics* d = test_dynamics(model, NULL);
    CHECK_STATUS(sn_dynamics_kinematics(d, sn_world_q(world), NULL), SN_OK);
    sn_loop_error closed = sn_dynamics_loop_error(d, 0);
    CHECK(sn_vec3_norm(closed.pose.v) <= TOL_ROUNDOFF, test_seed()); // where a world starts
    double start = sn_world_energy(world).potential, turned = 0;
    for (int s = 0; s < 3000; s++) {
        test_run(world, 1);
        CHECK_STATUS(sn_dynamics_kinematics(d, sn_world_q(world), sn_world_v(world)), SN_OK);
        CHECK(sn_vec3_norm(sn_dynamics_loop_error(d, 0).pose.v) <= 1e-6, test_seed());
        turned = fmax(turned, fabs(sn_world_q(world)[0]));
    }
    sn_energy end = sn_world_energy(world);
    CHECK(turned > 1, test_seed());
    CHECK_NEAR(end.kinetic + end.potential, start, 1e-6 * fabs(start), test_seed());
    sn_dynamics_free(d);
    sn_world_free(world);
    sn_model_free(model);
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_four_bar_moves_the_same_wherever_it_is_cut),
        cmocka_unit_test(a_planar_loop_needs_no_more_than_a_point),
        cmocka_unit_test(a_simulated_four_bar_stays_closed_at_the_order_of_the_integrator),
        cmocka_unit_test(an_open_loop_closes_in_its_time),
        cmocka_unit_test(stopping_a_joint_of_a_loop_stops_the_loop),
        cmocka_unit_test(numbers_that_are_not_finite_are_reported),
        cmocka_unit_test(the_shipped_four_bar_turns_and_stays_closed),
    };
    return cmocka_run_group_tests_name("four-bar", tests, NULL, NULL);
}
