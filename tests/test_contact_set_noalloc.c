// SPDX-License-Identifier: Apache-2.0
// Nothing is allocated or freed by a contact set and its solver after creation.
#include <string.h>

#include "support/contact_scene.h"
#include "support/noalloc.h"

static void a_step_allocates_nothing(void** state) {
    (void)state;
    sn_contact_set_def def = sn_contact_set_def_default();
    def.blocks = 64;
    sn_vec3 edges = sn_vec3_make(0.4, 0.3, 0.1);
    scene* s = scene_create(scene_box(2, edges), &def, 1e-3);
    scene_box_on_floor box = {.edges = edges, .margin = 0.05, .material = sn_material_default()};
    box.material.restitution = 0.5;
    box.material.spin = box.material.roll = 0.01;
    sn_constraint rope = sn_constraint_default();
    rope.type = SN_CONSTRAINT_DISTANCE, rope.a = sn_body(0), rope.length = 0.5;
    rope.X_bc.p = sn_vec3_make(0, 0, 0.6);
    s->q[2] = 0.2;
    s->v[0] = 1, s->v[3] = 1;
    int touched = 0;
    for (int step = 0; step < 300; step++) {
        double r[32] = {0}, w[6], tau[6];
        sn_body_wrench wrench[1];
        sn_solve_report report;
        armed = true;
        sn_status status = sn_dynamics_forward(s->d, s->q, s->v, NULL, s->qdd);
        sn_contact_free_velocity(s->model, s->v, s->qdd, s->h, s->v_free);
        sn_contact_set_clear(s->set);
        sn_contact_set_clear_constraints(s->set);
        if (!status) status = sn_contact_set_add_constraint(s->set, &rope, NULL);
        scene_box_contacts(s, &box);
        if (!status)
            status = sn_contact_set_solve(s->set, s->d, s->v_free, s->h, s->solver, &s->options,
                                          s->v, &s->report, NULL);
        if (!status) status = sn_contact_set_make_matrix(s->set, NULL);
        const sn_contact_problem* p = sn_contact_set_position_problem(s->set);
        if (!status) status = sn_contact_solve(s->solver, p, &s->options, r, &report, NULL);
        int count = sn_contact_set_wrenches(s->set, p, r, tau, wrench);
        if (!status) status = sn_dynamics_impulse(s->d, tau, wrench, count, w);
        sn_contact_end_step(s->model, s->h, s->v, w, s->q, s->v);
        sn_wrench force = sn_contact_set_constraint_force(s->set, 0);
        armed = false;
        CHECK_STATUS(status, SN_OK);
        CHECK(force.f.x == force.f.x, 0);
        touched += box.added;
    }
    CHECK(touched > 0 && violations == 0, 0);
    scene_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_step_allocates_nothing)};
    return cmocka_run_group_tests_name("contact_set_noalloc", tests, NULL, NULL);
}
