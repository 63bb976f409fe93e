// SPDX-License-Identifier: Apache-2.0
// Touch and laws with contact never allocate once they are made.
#include <math.h>

#include "sinew/touch.h"
#include "support/check.h"
#include "support/noalloc.h"
#include "support/pieces.h"
#include "support/world_scene.h"

static void a_proxy_and_a_tool_do_not_allocate(void** state) {
    (void)state;
    sn_proxy* proxy = calloc(1, sizeof *proxy);
    sn_god_object* object = calloc(1, sizeof *object);
    sn_touch_def def = sn_touch_def_default();
    sn_tool tool = sn_tool_box(sn_pose_identity(), sn_vec3_make(0.02, 0.02, 0.02), 2);
    sn_local_geometry local = test_record();
    test_add_mesh_box(&local, 0, sn_vec3_make(0.1, 0.1, 0.02), 1, 0.5);
    test_add_piece(&local, SN_PIECE_SPHERE, sn_vec3_make(0.05, 0, 0), sn_pose_identity(), 0.5)
        ->velocity.v.x = 0.1;
    armed = true;
    sn_status status = sn_proxy_init(proxy, &def);
    if (!status) status = sn_god_object_init(object, &def, &tool);
    int touched = 0;
    for (int k = 0; k < 500 && !status; k++) {
        if (k % 10 == 0) {
            sn_proxy_refresh(proxy, &local);
            sn_god_object_refresh(object, &local);
        }
        sn_vec3 x = sn_vec3_make(0.08 * sin(0.01 * k), 0, 0.08 * cos(0.01 * k));
        sn_hand hand = {.pose = sn_pose_make(sn_mat3_identity(), x)};
        sn_touch touch;
        sn_tool_touch tool_touch;
        status = sn_proxy_tick(proxy, x, sn_vec3_zero(), 1e-3, &touch);
        if (!status) status = sn_god_object_tick(object, &hand, 1e-3, &tool_touch);
        touched += touch.count > 0 || tool_touch.count > 0;
    }
    armed = false;
    CHECK_STATUS(status, SN_OK);
    CHECK(touched > 50, 0);
    CHECK(violations == 0, 0);
    free(object);
    free(proxy);
}

static void a_law_with_contact_does_not_allocate(void** state) {
    (void)state;
    world_scene* s = world_scene_create();
    world_scene_floor(s, sn_pose_identity());
    world_scene_add(s, SN_SHAPE_BOX, sn_vec3_make(0.2, 0.2, 0.2), 2, at_height(0.1));
    world_scene_start(s);
    sn_coupling_contacts* contacts = calloc(1, sizeof *contacts);
    sn_coupling_law* law = calloc(1, sizeof *law);
    sn_coupling_bounds* bounds = calloc(1, sizeof *bounds);
    sn_coupling_solver* solver = NULL;
    CHECK_STATUS(sn_coupling_solver_create(&solver, NULL), SN_OK);
    sn_refresh_options options = sn_refresh_options_default();
    sn_body_wrench hand = {sn_body(0), sn_wrench_zero()};
    sn_refresh_report report = {0};
    armed = true;
    sn_status status = SN_OK;
    for (int k = 0; k < 100 && !status; k++) {
        status = sn_world_step(s->world, NULL);
        if (!status) status = sn_world_coupling(s->world, &hand, 1, contacts, law);
        if (!status)
            status =
                sn_coupling_refresh(solver, contacts, &hand.wrench, &options, law, bounds, &report);
    }
    armed = false;
    CHECK_STATUS(status, SN_OK);
    CHECK(report.closed == 4 && violations == 0, 0);
    sn_coupling_solver_free(solver);
    free(bounds);
    free(law);
    free(contacts);
    world_scene_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_proxy_and_a_tool_do_not_allocate),
        cmocka_unit_test(a_law_with_contact_does_not_allocate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
