// SPDX-License-Identifier: Apache-2.0
// How worlds move: order of the integrators against a long-double simulation written another way,
// what they keep, and springs and dampers that cannot blow up.
#include <math.h>
#include <string.h>

#include "support/fixture.h"

enum { TEST_ORDER = 700, TEST_MOMENTUM, TEST_SPRINGS, TEST_TUMBLE };

static const sn_integrator INTEGRATORS[3] = {SN_INTEGRATE_EULER, SN_INTEGRATE_RK4,
                                             SN_INTEGRATE_MIDPOINT};
static const double ORDER[3] = {1, 4, 2};

// ---- models ----------------------------------------------------------------------------------------

/// Homogeneous rods of 1 kg, hanging from one another along -z.
static sn_model* rods(int count, sn_joint_type type, double length) {
    sn_model_builder* builder = sn_model_builder_create("rods");
    static const char* names[] = {"a", "b", "c"};
    for (int i = 0; i < count; i++) {
        sn_body_def def = sn_body_def_default();
        def.name = names[i];
        def.parent = i ? names[i - 1] : NULL;
        def.joint.type = type;
        def.joint.axis = sn_vec3_make(0, 1, 0);
        if (i) def.joint.placement.p = sn_vec3_make(0, 0, -length);
        def.inertia = sn_inertia_cylinder(1, length / 10, length);
        def.inertia.com = sn_vec3_make(0, 0, -length / 2);
        CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    }
    return test_compile(builder);
}

/// Energetic start: the first rod raised to the horizontal, moving.
static void raised(const sn_model* model, double speed, double* q, double* v) {
    sn_model_neutral(model, q);
    if (sn_model_body(model, sn_body(0)).type == SN_JOINT_REVOLUTE) {
        q[0] = -1.57;
        for (int i = 0; i < sn_model_nv(model); i++) v[i] = speed * (1 + i);
    } else {
        sn_quat up = sn_quat_exp(sn_vec3_make(0.2, -1.57, 0));
        q[0] = up.w, q[1] = up.x, q[2] = up.y, q[3] = up.z;
        for (int i = 0; i < sn_model_nv(model); i++)
            v[i] = speed * (i % 3 == 0 ? 1 : 0.5 * (i % 3));
    }
}

static const sn_vec3 DOWN = {0, 0, -9.81};

// ---- order -----------------------------------------------------------------------------------------

/// Distance of a world from a reference: tangent of the configurations, and velocities.
static double distance(fixture* f, const sn_world* world) {
    double* q = calloc((size_t)f->nq, sizeof *q);
    double worst = 0;
    for (int k = 0; k < f->nq; k++) q[k] = (double)f->q_l[k];
    sn_model_difference(f->model, q, sn_world_q(world), f->x);
    for (int k = 0; k < f->nv; k++) {
        worst = fmax(worst, fabs(f->x[k]));
        worst = fmax(worst, fabs(sn_world_v(world)[k] - (double)f->v_l[k]));
    }
    free(q);
    return worst;
}

/// Simulates `time` with the reference and with halved steps; the error must fall by 2^order.
static void check_order(fixture* f, double time, const int first_steps[3]) {
    enum { HALVINGS = 4 };
    int fine = 10 * (first_steps[1] << (HALVINGS - 1)); // 1e-4 of the smallest error of rk4
    oracle_set_gravity(f->o, DOWN);
    for (int k = 0; k < f->nv; k++) f->tau_l[k] = f->tau[k];
    oracle_simulate(f->o, f->q_l, f->v_l, f->tau_l, (real)time / fine, fine);
    for (int i = 0; i < 3; i++) {
        double error[HALVINGS];
        for (int k = 0; k < HALVINGS; k++) {
            int steps = first_steps[i] << k;
            sn_world* world = test_world(f->model, time / steps, INTEGRATORS[i], DOWN);
            CHECK_STATUS(sn_world_set_state(world, f->q, f->v), SN_OK);
            CHECK_STATUS(sn_world_set_force(world, f->tau), SN_OK);
            test_run(world, steps);
            error[k] = distance(f, world);
            sn_world_free(world);
        }
        double order = log2(error[HALVINGS - 2] / error[HALVINGS - 1]);
        if (!(fabs(order - ORDER[i]) <= 0.2)) // asymptotic up to the next term, a factor of h
            print_error("%s: errors %g %g %g %g\n", sn_integrator_name(INTEGRATORS[i]), error[0],
                        error[1], error[2], error[3]);
        CHECK_NEAR(order, ORDER[i], 0.2, f->seed);
    }
}

static void check_order_of_rods(sn_joint_type type) {
    fixture* f = fixture_create(rods(2, type, 1), test_units_si(), 0);
    const int steps[3] = {400, 50, 100};
    raised(f->model, 1, f->q, f->v);
    memset(f->tau, 0, (size_t)f->nv * sizeof *f->tau); // thin rods would spin about themselves
    fixture_update(f);
    check_order(f, 0.5, steps);
    fixture_free(f);
}

static void the_error_on_a_double_pendulum_falls_with_the_order(void** state) {
    (void)state;
    check_order_of_rods(SN_JOINT_REVOLUTE);
}

static void the_error_on_a_spherical_pendulum_falls_with_the_order(void** state) {
    (void)state;
    check_order_of_rods(SN_JOINT_SPHERICAL);
}

static void the_error_on_a_model_with_all_joints_falls_with_the_order(void** state) {
    (void)state;
    for (int m = 0; m < 2; m++) { // floating with springs and dampers, fixed without
        uint64_t seed = test_case_seed(TEST_ORDER, (uint64_t)(10 + m));
        test_rng rng = test_rng_make(seed);
        fixture* f = fixture_create(test_all_joints(&rng, m == 0, m == 0), test_units_si(), seed);
        const int steps[3] = {200, 10, 50};
        for (int i = 0; i < f->n; i++) { // near rest: half a turn away the torque of a spring jumps
            sn_body_info b = sn_model_body(f->model, sn_body(i));
            memcpy(f->q + b.iq, b.rest, (size_t)b.nq * sizeof(double));
        }
        sn_model_integrate(f->model, f->q, f->qdd, f->q);
        fixture_update(f);
        check_order(f, 0.1, steps);
        fixture_free(f);
    }
}

// ---- what is kept ----------------------------------------------------------------------------------

/// Largest |E(t) - E(0)| over the steps.
static double energy_drift(sn_world* world, int steps) {
    sn_energy e = sn_world_energy(world);
    double start = e.kinetic + e.potential, worst = 0;
    for (int i = 0; i < steps; i++) {
        test_run(world, 1);
        e = sn_world_energy(world);
        double d = fabs(e.kinetic + e.potential - start);
        if (!(d <= worst)) worst = d; // keeps NaN
    }
    return worst;
}

/// Energy drifts over 2 s at 1 ms of MATH 1.5, for euler, rk4, midpoint. The systems there are
/// described by a word, so only the order of magnitude can be compared.
static void check_drift(double actual, double published, uint64_t seed) {
    const double factor = 10;
    if (!(actual <= factor * published)) print_error("drift %g, published %g\n", actual, published);
    CHECK(actual <= factor * published, seed);
    // far below would mean that something else was simulated, but rounding has no lower bound
    if (published > 1e-12) CHECK(actual >= published / factor, seed);
}

static void a_tumbling_body_keeps_its_energy_as_published(void** state) {
    (void)state;
    static const double published[3] = {8e-4, 4e-13, 5e-15};
    for (int i = 0; i < 3; i++) {
        sn_model_builder* builder = sn_model_builder_create("brick");
        sn_body_def def = sn_body_def_default();
        def.name = "brick";
        def.joint.type = SN_JOINT_FREE;
        def.inertia = sn_inertia_box(1, sn_vec3_make(0.3, 0.2, 0.1));
        CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
        sn_model* model = test_compile(builder);
        sn_world* world = test_world(model, 1e-3, INTEGRATORS[i], sn_vec3_zero());
        const double v[6] = {2.5, 4, 1.66, 0, 0, 0}; // 5 rad/s
        CHECK_STATUS(sn_world_set_state(world, NULL, v), SN_OK);
        double kinetic = sn_world_energy(world).kinetic;
        check_drift(energy_drift(world, 2000) / kinetic, published[i], 0);
        sn_world_free(world);
        sn_model_free(model);
    }
}

static void pendulums_keep_their_energy_as_published(void** state) {
    (void)state;
    static const double spherical[3] = {0.5, 2e-7, 1e-3}, planar[3] = {0.5, 4e-7, 3e-3};
    for (int i = 0; i < 6; i++) {
        sn_joint_type type = i < 3 ? SN_JOINT_SPHERICAL : SN_JOINT_REVOLUTE;
        sn_model* model = rods(3, type, i < 3 ? 0.4 : 0.5);
        sn_world* world = test_world(model, 1e-3, INTEGRATORS[i % 3], DOWN);
        double q[12], v[9];
        raised(model, i < 3 ? 1 : 2, q, v);
        CHECK_STATUS(sn_world_set_state(world, q, v), SN_OK);
        check_drift(energy_drift(world, 2000), (i < 3 ? spherical : planar)[i % 3], (uint64_t)i);
        sn_world_free(world);
        sn_model_free(model);
    }
}

/// |change| of linear momentum, and of angular momentum about the centre of mass, after `steps`.
static double momentum_drift(fixture* f, sn_integrator integrator, double time, int steps) {
    sn_world* world = test_world(f->model, time / steps, integrator, sn_vec3_zero());
    CHECK_STATUS(sn_world_set_state(world, f->q, f->v), SN_OK);
    sn_momentum a = sn_world_momentum(world);
    test_run(world, steps);
    sn_momentum b = sn_world_momentum(world);
    sn_world_free(world);
    return sn_vec3_norm(sn_vec3_sub(a.linear, b.linear)) +
           sn_vec3_norm(sn_vec3_sub(a.angular, b.angular));
}

static void momentum_of_a_floating_tree_is_kept_to_the_order(void** state) {
    (void)state;
    static const int steps[3] = {400, 20, 100};
    for (int m = 0; m < 4; m++) {
        uint64_t seed = test_case_seed(TEST_MOMENTUM, (uint64_t)m);
        fixture* f =
            fixture_create(test_generate(m % 2 ? SN_GENERATE_TREE : SN_GENERATE_CATERPILLAR, 5 + m,
                                         seed, true, false, test_units_si()),
                           test_units_si(), seed);
        for (int i = 0; i < 3; i++) {
            double coarse = momentum_drift(f, INTEGRATORS[i], 0.2, 2 * steps[i]);
            double fine = momentum_drift(f, INTEGRATORS[i], 0.2, 4 * steps[i]);
            // it may be kept better than the order says, to rounding at best
            const double floor = TOL_CHAIN * sn_model_mass(f->model);
            if (!(fine <= floor)) CHECK(log2(coarse / fine) >= ORDER[i] - 0.3, seed);
        }
        fixture_free(f);
    }
}

static void momentum_of_a_floating_model_with_all_joints_is_kept_by_rk4(void** state) {
    (void)state;
    // springs, dampers and armature act between bodies and change no momentum of the whole --
    // except armature, which is inertia that the bodies do not know of: leave it out
    for (int m = 0; m < 3; m++) {
        uint64_t seed = test_case_seed(TEST_MOMENTUM, (uint64_t)(100 + m));
        test_rng rng = test_rng_make(seed);
        fixture* f = fixture_create(test_all_joints(&rng, true, false), test_units_si(), seed);
        double drift = momentum_drift(f, SN_INTEGRATE_RK4, 0.1, 400);
        const double tolerance = 1e-8; // h^4 = 4e-15 times fifth derivatives of a whipping chain
        CHECK_NEAR(drift, 0, tolerance * sn_model_mass(f->model), seed);
        fixture_free(f);
    }
}

// ---- springs and dampers -----------------------------------------------------------------------------

/// One joint on the world with springs and dampers and a rest pose anywhere.
static sn_model* sprung_joint(test_rng* rng, sn_joint_type type, double stiffness, double damping) {
    sn_model_builder* builder = sn_model_builder_create("sprung");
    sn_body_def def = test_random_body(rng, "body", NULL, type);
    for (int k = 0; k < sn_joint_type_nv(type); k++)
        def.joint.stiffness[k] = stiffness, def.joint.damping[k] = damping;
    for (int k = 0; k < sn_joint_type_nq(type); k++) def.joint.rest[k] = test_uniform(rng, -1, 1);
    if (type == SN_JOINT_SPHERICAL || type == SN_JOINT_FREE) {
        sn_quat r = test_quat(rng);
        double* at = def.joint.rest + (type == SN_JOINT_FREE ? 3 : 0);
        at[0] = r.w, at[1] = r.x, at[2] = r.y, at[3] = r.z;
    }
    CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    return test_compile(builder);
}

/// How far the springs are stretched: the oracle's force per stiffness.
static void stretch_of(fixture* f, const sn_world* world, double stiffness, double* out) {
    for (int k = 0; k < f->nq; k++) f->q_l[k] = sn_world_q(world)[k];
    memset(f->v_l, 0, (size_t)f->nv * sizeof *f->v_l);
    oracle_passive_force(f->o, f->q_l, f->v_l, f->x_l);
    for (int k = 0; k < f->nv; k++) out[k] = -(double)f->x_l[k] / stiffness;
}

static void a_damped_spring_settles_at_force_over_stiffness(void** state) {
    (void)state;
    const double stiffness = 50, damping = 10, h = 1e-3;
    for (int t = SN_JOINT_FIXED + 1; t < SN_JOINT_TYPE_COUNT; t++) {
        for (int i = 0; i < 3; i++) {
            uint64_t seed = test_case_seed(TEST_SPRINGS, (uint64_t)(10 * t + i));
            test_rng rng = test_rng_make(seed);
            fixture* f = fixture_create(sprung_joint(&rng, (sn_joint_type)t, stiffness, damping),
                                        test_units_si(), seed);
            sn_world* world = test_world(f->model, h, INTEGRATORS[i], sn_vec3_zero());
            sn_body_info b = sn_model_body(f->model, sn_body(0));
            for (int k = 0; k < f->nv; k++) f->tau[k] *= 10; // stretches of up to 0.2
            CHECK_STATUS(sn_world_set_state(world, b.rest, f->v), SN_OK);
            CHECK_STATUS(sn_world_set_force(world, f->tau), SN_OK);
            test_run(world, 12000); // slowest rate damping / (2 mass) = 2.5 / s: 1e-13 remains
            const double tolerance = 1e-8;
            stretch_of(f, world, stiffness, f->x);
            for (int k = 0; k < f->nv; k++) {
                CHECK_NEAR(f->x[k], f->tau[k] / stiffness, tolerance, seed);
                CHECK_NEAR(sn_world_v(world)[k], 0, tolerance, seed);
            }
            if (t == SN_JOINT_SPHERICAL) { // the rotation vector from rest, by the library's own
                sn_model_difference(f->model, b.rest, sn_world_q(world), f->x);
                for (int k = 0; k < 3; k++)
                    CHECK_NEAR(f->x[k], f->tau[k] / stiffness, tolerance, seed);
            }
            sn_world_free(world);
            fixture_free(f);
        }
    }
}

/// With stiffness and damping far above what an explicit step of 1 ms could bear.
static void check_stiff(double stiffness, double damping, int test) {
    for (int t = SN_JOINT_FIXED + 1; t < SN_JOINT_TYPE_COUNT; t++) {
        uint64_t seed = test_case_seed(TEST_SPRINGS, (uint64_t)(test + t));
        test_rng rng = test_rng_make(seed);
        fixture* f = fixture_create(sprung_joint(&rng, (sn_joint_type)t, stiffness, damping),
                                    test_units_si(), seed);
        sn_world* world = test_world(f->model, 1e-3, SN_INTEGRATE_EULER, sn_vec3_zero());
        sn_body_info b = sn_model_body(f->model, sn_body(0));
        for (int k = 0; k < f->nv; k++) f->x[k] = test_uniform(&f->rng, -0.5, 0.5);
        sn_model_integrate(f->model, b.rest, f->x, f->q); // stretched at the start
        CHECK_STATUS(sn_world_set_state(world, f->q, f->v), SN_OK);
        sn_energy e = sn_world_energy(world);
        double start = e.kinetic + e.spring, before = start;
        for (int step = 0; step < 2000; step++) {
            test_run(world, 1);
            e = sn_world_energy(world);
            CHECK(e.kinetic + e.spring <= before * (1 + TOL_CHAIN) + TOL_CHAIN, seed);
            before = e.kinetic + e.spring;
        }
        CHECK(e.kinetic <= 1e-9 * start, seed); // at rest
        // with springs alone, or as strong as the damping is slow (k h = d h / 1000), all the way;
        if (damping == 0) CHECK(e.spring <= 1e-9 * start, seed);
        sn_world_free(world);
        fixture_free(f);
    }
}

static void a_spring_of_1e8_at_1_ms_comes_to_rest(void** state) {
    (void)state;
    check_stiff(1e8, 0, 1000);
}

static void a_damper_of_1e8_at_1_ms_comes_to_rest(void** state) {
    (void)state;
    check_stiff(0, 1e8, 2000);
}

static void a_spring_and_damper_of_1e8_at_1_ms_come_to_rest(void** state) {
    (void)state;
    check_stiff(1e8, 1e8, 3000);
}

static void a_stiff_chain_of_all_joints_comes_to_rest(void** state) {
    (void)state;
    for (int m = 0; m < 2; m++) {
        uint64_t seed = test_case_seed(TEST_SPRINGS, (uint64_t)(5000 + m));
        test_rng rng = test_rng_make(seed);
        sn_model_builder* builder = sn_model_builder_create("stiff chain");
        static const char* names[] = {"", "a", "b", "c", "d", "e", "f", "g", "h"};
        for (int t = SN_JOINT_FIXED + 1; t < SN_JOINT_TYPE_COUNT; t++) {
            sn_body_def def =
                test_random_body(&rng, names[t], t > 1 ? names[t - 1] : NULL, (sn_joint_type)t);
            for (int k = 0; k < sn_joint_type_nv((sn_joint_type)t); k++)
                def.joint.stiffness[k] = m ? 0 : 1e8, def.joint.damping[k] = m ? 1e8 : 0;
            CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
        }
        fixture* f = fixture_create(test_compile(builder), test_units_si(), seed);
        sn_world* world = test_world(f->model, 1e-3, SN_INTEGRATE_EULER, sn_vec3_zero());
        CHECK_STATUS(sn_world_set_state(world, NULL, f->v), SN_OK);
        sn_energy start = sn_world_energy(world);
        for (int step = 0; step < 5000; step++) {
            test_run(world, 1);
            sn_energy e = sn_world_energy(world);
            CHECK(e.kinetic + e.spring <= 10 * start.kinetic, seed); // never blows up
        }
        sn_energy e = sn_world_energy(world);
        CHECK(e.kinetic + (m ? 0 : e.spring) <= 1e-6 * start.kinetic, seed);
        sn_world_free(world);
        fixture_free(f);
    }
}

static void implicit_midpoint_says_when_it_did_not_converge(void** state) {
    (void)state;
    // its springs are explicit: at 1 ms one of 1e8 N m/rad cannot be followed
    uint64_t seed = test_case_seed(TEST_SPRINGS, 9000);
    test_rng rng = test_rng_make(seed);
    fixture* f =
        fixture_create(sprung_joint(&rng, SN_JOINT_REVOLUTE, 1e8, 0), test_units_si(), seed);
    sn_world* world = test_world(f->model, 1e-3, SN_INTEGRATE_MIDPOINT, sn_vec3_zero());
    sn_step_report report;
    memset(&report, 0, sizeof report);
    CHECK_STATUS(sn_world_set_state(world, f->q, f->v), SN_OK);
    (void)sn_world_step(world, &report); // whatever becomes of the state
    CHECK(report.events & (SN_EVENT_NO_CONVERGE | SN_EVENT_NOT_FINITE), seed);
    sn_world_free(world);
    fixture_free(f);
}

static void sweeps_count_evaluations(void** state) {
    (void)state;
    sn_model* model = rods(2, SN_JOINT_SPHERICAL, 1);
    for (int i = 0; i < 3; i++) {
        sn_world* world = test_world(model, 1e-3, INTEGRATORS[i], DOWN);
        sn_step_report report;
        double q[8], v[6];
        raised(model, 1, q, v);
        CHECK_STATUS(sn_world_set_state(world, q, v), SN_OK);
        CHECK_STATUS(sn_world_step(world, &report), SN_OK);
        CHECK(report.events == 0, 0);
        if (INTEGRATORS[i] == SN_INTEGRATE_EULER) CHECK(report.sweeps == 1, 0);
        if (INTEGRATORS[i] == SN_INTEGRATE_RK4) CHECK(report.sweeps == 4, 0);
        if (INTEGRATORS[i] == SN_INTEGRATE_MIDPOINT) CHECK(report.sweeps >= 2, 0);
        sn_world_free(world);
    }
    sn_model_free(model);
}

static void integrators_are_found_by_name(void** state) {
    (void)state;
    for (int i = 0; i < SN_INTEGRATOR_COUNT; i++) {
        sn_integrator found = SN_INTEGRATOR_COUNT;
        CHECK(sn_integrator_find(sn_integrator_name((sn_integrator)i), &found), 0);
        CHECK((int)found == i, 0);
    }
    sn_integrator found;
    CHECK(!sn_integrator_find("leapfrog", &found), 0);
}

int main(void) {
    (void)test_seed(); // print it first
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_on_a_double_pendulum_falls_with_the_order),
        cmocka_unit_test(the_error_on_a_spherical_pendulum_falls_with_the_order),
        cmocka_unit_test(the_error_on_a_model_with_all_joints_falls_with_the_order),
        cmocka_unit_test(a_tumbling_body_keeps_its_energy_as_published),
        cmocka_unit_test(pendulums_keep_their_energy_as_published),
        cmocka_unit_test(momentum_of_a_floating_tree_is_kept_to_the_order),
        cmocka_unit_test(momentum_of_a_floating_model_with_all_joints_is_kept_by_rk4),
        cmocka_unit_test(a_damped_spring_settles_at_force_over_stiffness),
        cmocka_unit_test(a_spring_of_1e8_at_1_ms_comes_to_rest),
        cmocka_unit_test(a_damper_of_1e8_at_1_ms_comes_to_rest),
        cmocka_unit_test(a_spring_and_damper_of_1e8_at_1_ms_come_to_rest),
        cmocka_unit_test(a_stiff_chain_of_all_joints_comes_to_rest),
        cmocka_unit_test(implicit_midpoint_says_when_it_did_not_converge),
        cmocka_unit_test(sweeps_count_evaluations),
        cmocka_unit_test(integrators_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
