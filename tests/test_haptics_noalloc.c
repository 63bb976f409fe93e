// SPDX-License-Identifier: Apache-2.0
// Nothing is allocated or freed by devices and the safety chain after creation.
#include <string.h>

#include "sinew/safety.h"
#include "sinew/simulated_device.h"
#include "support/check.h"
#include "support/noalloc.h"

static void ticks_allocate_nothing(void** state) {
    (void)state;
    const char text[] = "0 0.02 0 0 1\n0.5 -0.01 0 0 0 0.4 0 1\n1 0.02 0 0 1 released\n";
    sn_hand_script* script;
    CHECK_STATUS(sn_hand_script_parse(text, strlen(text), "t", &script, NULL), SN_OK);
    sn_simulated_device_def def = sn_simulated_device_def_default();
    CHECK(sn_device_profile_find("sigma7", &def.profile), 0);
    def.script = script;
    def.jitter = 1e-4;
    sn_device_sample replay[2];
    memset(replay, 0, sizeof replay);
    replay[0].pose = replay[1].pose = sn_pose_identity();
    replay[1].time_ns = 1000000000;
    sn_device* devices[3];
    CHECK_STATUS(sn_simulated_device_create(&def, &devices[0], NULL), SN_OK);
    CHECK_STATUS(sn_scripted_device_create(&def.profile, script, 10, &devices[1], NULL), SN_OK);
    CHECK_STATUS(sn_replayed_device_create(&def.profile, replay, 2, &devices[2], NULL), SN_OK);
    sn_safety_def safety_def = sn_safety_def_default(&def.profile, 1e-3);
    static sn_safety safety;
    CHECK_STATUS(sn_safety_init(&safety, &safety_def, NULL), SN_OK);
    double moved = 0;
    armed = true;
    for (int i = 0; i < 6000; i++) {
        sn_device* device = devices[i / 2000];
        sn_device_sample sample;
        sn_safety_input in;
        sn_device_force out;
        memset(&in, 0, sizeof in);
        in.now_ns = in.law_ns = (int64_t)i * 1000000;
        in.read = i % 997 ? sn_device_read(device, in.now_ns, &sample) : SN_ERR_FAULT;
        in.sample = &sample;
        in.engaged = true;
        in.stiffness = 500, in.turn_stiffness = 0.3;
        if (!in.read) in.wanted.force = sn_vec3_scale(-500, sample.pose.p);
        if (i == 5500) in.wanted.force.x = NAN;
        (void)sn_safety_apply(&safety, &in, &out); // latches at the end, as it should
        if (sn_device_write(device, in.now_ns, &out) == SN_OK) moved += out.force.x * out.force.x;
    }
    armed = false;
    CHECK(violations == 0 && moved > 0 && safety.report.latched, 0);
    for (int i = 0; i < 3; i++) sn_device_free(devices[i]);
    sn_hand_script_free(script);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ticks_allocate_nothing)};
    return cmocka_run_group_tests_name("haptics_noalloc", tests, NULL, NULL);
}
