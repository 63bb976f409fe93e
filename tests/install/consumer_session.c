// SPDX-License-Identifier: Apache-2.0
// A simulated hand in a scene, in virtual time, built against the installed libraries only.
#include <sinew/session.h>
#include <sinew/simulated_device.h>
#include <stdio.h>

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    sn_simulation* sim = NULL;
    sn_session* session = NULL;
    sn_device* device = NULL;
    sn_error error = {0};
    sn_session_def def = sn_session_def_default();
    def.virtual_time = true;
    const sn_hand_def hand = {
        .name = "hand", .item = 0, .stiffness = 200, .scale = 1, .place_in = sn_pose_identity()};
    sn_status status = sn_simulation_load(argv[1], NULL, &sim, &error);
    if (!status) status = sn_session_create(sim, &def, &session, &error);
    if (!status) status = sn_device_open("sim:omega3,firm", &device, &error);
    if (!status) status = sn_session_add_hand(session, &hand, device, NULL, &error);
    if (!status) status = sn_session_run(session, 0.1, NULL, NULL);
    if (error.text[0]) puts(error.text);
    puts(sn_status_text(status));
    sn_session_free(session);
    sn_simulation_free(sim);
    return status != SN_OK;
}
