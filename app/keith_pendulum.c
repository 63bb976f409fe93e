// SPDX-License-Identifier: Apache-2.0
#include "keith_pendulum.h"

#include <math.h>
#include <string.h>

const double KEITH_MASS_RATIO = 1e-9;
const double KEITH_LAUNCH = 8; // goes over the top: 64 rad2/s2 against 6 g / length = 58.9
const double KEITH_DURATION = 2;
const double KEITH_UNSTABLE = 0.1;

static const double ROD_MASS = 1, ROD_LENGTH = 1, ROD_RADIUS = 0.05; // kg, m

static double radians(double degrees) { return degrees * acos(-1) / 180; }

static sn_inertia rod_inertia(void) {
    sn_inertia rod = sn_inertia_cylinder(ROD_MASS, ROD_RADIUS, ROD_LENGTH);
    rod.com = sn_vec3_make(0, 0, -0.5 * ROD_LENGTH); // hangs down
    return rod;
}

static sn_status add_ball(sn_model_builder* builder) {
    sn_body_def def = sn_body_def_default();
    def.name = "rod";
    def.joint.name = "ball";
    def.joint.type = SN_JOINT_SPHERICAL;
    def.inertia = rod_inertia();
    return sn_model_builder_add_body(builder, &def);
}

static sn_status add_hinges(sn_model_builder* builder, double mass_ratio) {
    static const char* const names[3] = {"between_x_y", "between_y_z", "rod"};
    static const char* const joints[3] = {"hinge_x", "hinge_y", "hinge_z"};
    sn_status status = SN_OK;
    for (int i = 0; i < 3 && status == SN_OK; i++) {
        sn_body_def def = sn_body_def_default();
        def.name = names[i];
        def.parent = i > 0 ? names[i - 1] : NULL;
        def.joint.name = joints[i];
        def.joint.type = SN_JOINT_REVOLUTE;
        def.joint.axis = sn_vec3_make(i == 0, i == 1, i == 2);
        def.inertia = rod_inertia();
        if (i < 2) {
            double I = mass_ratio * ROD_MASS * ROD_LENGTH * ROD_LENGTH / 3;
            def.inertia.mass = mass_ratio * ROD_MASS;
            def.inertia.com = sn_vec3_zero();
            def.inertia.I = sn_mat3_diagonal(I, I, I);
        }
        status = sn_model_builder_add_body(builder, &def);
    }
    return status;
}

sn_model* keith_model(keith_joint joint, double mass_ratio, sn_error* error) {
    sn_model* model = NULL;
    sn_model_builder* builder =
        sn_model_builder_create(joint == KEITH_BALL ? "ball pendulum" : "three-hinge pendulum");
    sn_status status = !builder              ? SN_ERR_MEMORY
                       : joint == KEITH_BALL ? add_ball(builder)
                                             : add_hinges(builder, mass_ratio);
    *error = (sn_error){.status = status};
    if (status == SN_OK) {
        error->status = sn_model_builder_compile(builder, NULL, &model, error);
    }
    sn_model_builder_free(builder);
    return error->status == SN_OK ? model : NULL;
}

static double energy(sn_world* world) {
    sn_energy e = sn_world_energy(world);
    return e.kinetic + e.potential;
}

static void look(const sn_world* world, double error, keith_run* run) {
    const double* v = sn_world_v(world);
    for (int k = 0; k < 3; k++) run->largest_speed = fmax(run->largest_speed, fabs(v[k]));
    if (!(error <= run->energy_error)) run->energy_error = error;
    if (!(error <= KEITH_UNSTABLE) && run->unstable_at < 0) run->unstable_at = sn_world_time(world);
}

// From hanging straight down, launched towards the direction that is miss_deg off the first axis,
// so that the swing passes the singular pose at that angle. Both joints have their axes along x, y,
// z there, so the angular velocity is v for either.
sn_status keith_swing(const sn_model* model, keith_run* run, double* time, double* error,
                      int* count) {
    sn_world* world = NULL;
    sn_world_def def = sn_world_def_default();
    def.step = run->step;
    sn_status status = sn_world_create(model, &def, &world, NULL);
    if (status != SN_OK) return status;
    double miss = radians(run->miss_deg);
    double v[3] = {KEITH_LAUNCH * sin(miss), -KEITH_LAUNCH * cos(miss), 0};
    sn_world_set_state(world, NULL, v);
    double kinetic = sn_world_energy(world).kinetic, start = energy(world);
    int steps = (int)lround(KEITH_DURATION / run->step), done = 0;
    run->energy_error = run->largest_speed = 0;
    run->unstable_at = run->stopped_at = -1;
    for (int i = 0; i < steps; i++) {
        if (sn_world_step(world, NULL) != SN_OK) {
            run->stopped_at = sn_world_time(world) + run->step;
            run->energy_error = INFINITY;
            break;
        }
        double relative = fabs(energy(world) - start) / kinetic;
        look(world, relative, run);
        if (time) time[done] = sn_world_time(world), error[done] = relative;
        done += 1;
    }
    if (count) *count = done;
    sn_world_free(world);
    return SN_OK;
}

double keith_effective_inertia(const sn_model* hinges, double miss_deg) {
    sn_dynamics* dynamics = NULL;
    if (sn_dynamics_create(hinges, NULL, &dynamics, NULL) != SN_OK) return NAN;
    sn_dynamics_set_gravity(dynamics, sn_vec3_zero());
    double q[3] = {0, radians(90 - miss_deg), 0}, v[3] = {0}, tau[3] = {1, 0, 0}, qdd[3] = {0};
    sn_status status = sn_dynamics_forward(dynamics, q, v, tau, qdd); // qdd = M^-1 e1
    sn_dynamics_free(dynamics);
    return status == SN_OK ? 1 / qdd[0] : NAN;
}
