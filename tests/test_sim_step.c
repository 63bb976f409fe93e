// SPDX-License-Identifier: Apache-2.0
// The table of stages: every block is written before it is read, and in builds with assertions it holds what nobody
// can work with until then. Modules and a controller look at each stage from inside.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "sim/sn_sim.h"
#include "support/check.h"

// ---- the table ----------------------------------------------------------------------------------------------

static void every_block_is_written_before_it_is_read(void** state) {
    (void)state;
    unsigned written = BLK_INPUT | BLK_STATE; // from outside, and from the step before
    for (int i = 0; sni_stage_at(i); i++) {
        const sni_stage* stage = sni_stage_at(i);
        check_context(stage->name);
        CHECK((stage->reads & ~written) == 0, 0);
        CHECK(stage->writes != 0 && stage->run, 0);
        written |= stage->writes;
    }
    check_context(NULL);
    CHECK(written == 2 * BLK_IMPULSE - 1, 0); // all there are
    CHECK(!sni_stage_at(-1) && !sn_world_stage_name(SN_STAGE_MAX), 0);
}

// ---- poison -------------------------------------------------------------------------------------------------

#ifndef NDEBUG

enum { BODIES = 2 }; // boxes on a floor

/// Which blocks hold what can be worked with, as seen from a stage.
static unsigned readable(const sn_world* world) {
    const sni_work* work = &world->work;
    const sn_contact_problem* problem = sn_contact_set_problem(world->contacts.set);
    unsigned blocks = 0;
    if (!isnan(work->tau[0]) && !isnan(work->tau[11])) blocks |= BLK_TAU;
    if (!isnan(work->qdd[0]) && !isnan(work->qdd[11])) blocks |= BLK_FREE;
    if (world->contacts.count >= 0 && world->contacts.list) blocks |= BLK_CONTACTS;
    if (world->state.rest.leader[0] >= 0) blocks |= BLK_GROUPS;
    if (!isnan(work->v_free[0]) && sn_contact_rows(problem) > 0 && !isnan(problem->q[0]))
        blocks |= BLK_PROBLEM;
    if (!isnan(work->v_plus[0]) && !isnan(work->w[0])) blocks |= BLK_IMPULSE;
    return blocks;
}

/// What the watchers saw in the last step.
typedef struct watch {
    sn_world* world;
    unsigned at_control, at_forward, at_collide, at_solve;
    bool list_is_empty; ///< the detector's list is what it fills now
    sn_dynamics* dynamics;
} watch;

static sn_status watch_control(void* context, const sn_world* world, const sn_drive* drive) {
    watch* w = context;
    (void)drive;
    w->at_control = readable(world);
    return SN_OK;
}

static sn_status make_dynamics(void* context, const sn_model* model, void** memory,
                               sn_error* error) {
    sn_dynamics* dynamics = NULL;
    sn_status status = sn_dynamics_create(model, "aba", &dynamics, error);
    *memory = dynamics;
    (void)context;
    return status;
}

static void free_dynamics(void* context, void* memory) {
    (void)context;
    sn_dynamics_free(memory);
}

static sn_status watch_forward(void* context, void* memory, const sn_dynamics_input* in,
                               double* qdd) {
    watch* w = context;
    if (w->world) w->at_forward = readable(w->world);
    sn_dynamics_set_gravity(memory, in->gravity);
    return sn_dynamics_forward(memory, in->q, in->v, in->tau, qdd);
}

static sn_status give_impulse(void* context, void* memory, const double* tau,
                              const sn_body_wrench* impulses, int count, double* dv) {
    (void)context;
    return sn_dynamics_impulse(memory, tau, impulses, count, dv);
}

static sn_status make_detector(void* context, const sn_model* model, const sn_collider_def* def,
                               void** memory, sn_error* error) {
    (void)context, (void)model, (void)def, (void)memory, (void)error;
    return SN_OK;
}

static void free_nothing(void* context, void* memory) { (void)context, (void)memory; }

/// The four lower corners of each box against the floor.
static int32_t watch_collide(void* context, void* memory, const sn_pose* X_wb, const sn_twist* v,
                             const bool* resting, double h, sn_contact* out, int32_t most) {
    watch* w = context;
    int32_t count = 0;
    (void)memory, (void)v, (void)h;
    if (w->world) w->at_collide = readable(w->world);
    for (int i = 0; i < BODIES && !resting[i]; i++) {
        for (int k = 0; k < 4 && count < most; k++) {
            sn_vec3 corner = sn_vec3_make(k & 1 ? 0.1 : -0.1, k & 2 ? 0.1 : -0.1, -0.1);
            sn_vec3 x = sn_pose_apply(X_wb[i], corner);
            out[count++] = sn_contact_make((uint64_t)(4 * i + k), sn_body(i), sn_body_world(), x,
                                           sn_vec3_make(0, 0, 1), x.z, sn_material_default());
        }
    }
    return count;
}

static sn_status make_solver(void* context, const sn_contact_capacity* capacity, void** memory,
                             sn_error* error) {
    sn_contact_solver* solver = NULL;
    sn_status status = sn_contact_solver_create(NULL, capacity, 0, &solver, error);
    *memory = solver;
    (void)context;
    return status;
}

static void free_solver(void* context, void* memory) {
    (void)context;
    sn_contact_solver_free(memory);
}

static sn_status watch_solve(void* context, void* memory, const sn_contact_problem* problem,
                             const sn_solve_options* options, double* r, int64_t* iterations) {
    watch* w = context;
    sn_solve_report report;
    if (w->world && !w->at_solve) w->at_solve = readable(w->world); // of velocities
    sn_status status = sn_contact_solve(memory, problem, options, r, &report, NULL);
    *iterations = report.iterations;
    return status;
}

static sn_modules* make_modules(watch* w) {
    sn_modules* modules = sn_modules_create();
    const sn_dynamics_module dynamics = {.name = "watch",
                                         .context = w,
                                         .create = make_dynamics,
                                         .free = free_dynamics,
                                         .forward = watch_forward,
                                         .impulse = give_impulse};
    const sn_detector_module detector = {"watch",       "",           w,
                                         make_detector, free_nothing, watch_collide};
    const sn_solver_module solver = {"watch", "", w, make_solver, free_solver, watch_solve};
    CHECK_STATUS(sn_modules_add_dynamics(modules, &dynamics, NULL), SN_OK);
    CHECK_STATUS(sn_modules_add_detector(modules, &detector, NULL), SN_OK);
    CHECK_STATUS(sn_modules_add_solver(modules, &solver, NULL), SN_OK);
    return modules;
}

static sn_model* two_boxes(void) {
    sn_model_builder* builder = sn_model_builder_create("boxes");
    sn_model* model = NULL;
    for (int i = 0; i < BODIES; i++) {
        sn_body_def body = sn_body_def_default();
        body.name = i ? "b" : "a";
        body.joint.type = SN_JOINT_FREE;
        body.joint.placement.p = sn_vec3_make(i, 0, 0.1 - 1e-3); // 1 mm in the floor
        body.inertia = sn_inertia_box(1, sn_vec3_make(0.2, 0.2, 0.2));
        CHECK_STATUS(sn_model_builder_add_body(builder, &body), SN_OK);
    }
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &model, NULL), SN_OK);
    sn_model_builder_free(builder);
    return model;
}

static void check_seen(const watch* w) {
    CHECK(w->at_control == 0, 0);
    CHECK(w->at_forward == BLK_TAU, 0);
    CHECK(w->at_collide == (BLK_TAU | BLK_FREE), 0);
    // what undoes overlap comes after
    CHECK(w->at_solve == (BLK_TAU | BLK_FREE | BLK_CONTACTS | BLK_GROUPS | BLK_PROBLEM), 0);
}

static void a_block_that_was_not_written_yet_cannot_be_used(void** state) {
    (void)state;
    watch w = {0};
    sn_modules* modules = make_modules(&w);
    sn_model *model = two_boxes(), *other = two_boxes();
    sn_world_def def = sn_world_def_default();
    def.modules = modules;
    def.dynamics = def.contact.detector = def.contact.solver = "watch";
    def.contact.on = true;
    CHECK_STATUS(sn_world_create(model, &def, &w.world, NULL), SN_OK);
    const sn_control control = {watch_control, &w};
    sn_world_set_control(w.world, &control);
    for (int k = 0; k < 5; k++) {
        w.at_control = w.at_forward = w.at_collide = w.at_solve = 0;
        CHECK_STATUS(sn_world_step(w.world, NULL), SN_OK);
        check_seen(&w);
    }
    // an exchange in the first stage brings blocks that nobody spoilt yet
    const sn_body_id from[BODIES] = {{0}, {1}};
    sn_replacement* r = NULL;
    sn_world* world = w.world;
    w.world = NULL; // not the other one's
    CHECK_STATUS(sn_world_prepare(world, model, other, from, &r, NULL), SN_OK);
    w.world = world;
    const sn_command replace = {.type = SN_COMMAND_REPLACE, .replacement = r};
    CHECK_STATUS(sn_world_post(w.world, &replace), SN_OK);
    w.at_solve = 0;
    CHECK_STATUS(sn_world_step(w.world, NULL), SN_OK);
    CHECK(sn_world_model(w.world) == other, 0);
    check_seen(&w);
    sn_world_free(w.world);
    sn_modules_free(modules);
    sn_model_free(model);
    sn_model_free(other);
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_is_written_before_it_is_read),
#ifndef NDEBUG
        cmocka_unit_test(a_block_that_was_not_written_yet_cannot_be_used),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
