// SPDX-License-Identifier: Apache-2.0
// A plugin that takes part in a simulation: it holds the posture that the scene begins in, by gravity compensation
// and a spring and damper in every joint, and counts contacts. Free joints are nobody's to drive.
//
//   sinew sim SCENE --plugin build/examples/plugins/posture.so
//
// Options: the spring's frequency in Hz (3 unless given). Commands: "contacts", "frequency HZ". It draws the
// centre of mass and a line from there down, as long as the weight seems.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/plugin.h"

typedef struct posture {
    double frequency;      // Hz
    sn_dynamics* dynamics; // of our own: the world's is busy with the step
    double* target;        // [nq]
    double *error, *force; // [nv]
    double* M;             // [nv nv]
    bool* driven;          // [nv] not of a free joint
    long contacts;         // seen so far
    int touching;          // of the last step
} posture;

static void posture_cleanup(void* memory) {
    posture* p = memory;
    if (!p) return;
    sn_dynamics_free(p->dynamics);
    free(p->target), free(p->error), free(p->force), free(p->M), free(p->driven);
    free(p);
}

static bool read_frequency(const char* text, double* frequency) {
    char* end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= 0 && value < 1e3)) return false;
    *frequency = value;
    return true;
}

static sn_status posture_init(sn_simulation* sim, const char* options, void** memory,
                              sn_error* error) {
    const sn_world* world = sn_simulation_world(sim);
    const sn_model* model = sn_world_model(world);
    size_t nq = (size_t)sn_model_nq(model), nv = (size_t)sn_model_nv(model);
    posture* p = calloc(1, sizeof *p);
    if (!p) return SN_ERR_MEMORY;
    p->frequency = 3;
    if (options[0] && !read_frequency(options, &p->frequency)) {
        (void)snprintf(error->text, sizeof error->text, "'%.40s' is no frequency in Hz", options);
        posture_cleanup(p);
        return SN_ERR_ARGUMENT;
    }
    p->target = calloc(nq + 1, sizeof *p->target);
    p->error = calloc(nv + 1, sizeof *p->error);
    p->force = calloc(nv + 1, sizeof *p->force);
    p->M = calloc(nv * nv + 1, sizeof *p->M);
    p->driven = calloc(nv + 1, sizeof *p->driven);
    sn_status status = sn_dynamics_create(model, "aba", &p->dynamics, error);
    if (!status && !(p->target && p->error && p->force && p->M && p->driven))
        status = SN_ERR_MEMORY;
    if (status) {
        posture_cleanup(p);
        return status;
    }
    memcpy(p->target, sn_world_q(world), nq * sizeof *p->target);
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info body = sn_model_body(model, sn_body(i));
        for (int k = body.iv; k < body.iv + body.nv; k++) p->driven[k] = body.type != SN_JOINT_FREE;
    }
    *memory = p;
    return SN_OK;
}

/// tau = M (w^2 (target - q) - 2 w v) + gravity: every joint answers as one mass on one spring, critically damped.
static sn_status posture_control(void* memory, sn_simulation* sim, double* tau) {
    posture* p = memory;
    sn_world* world = sn_simulation_world(sim);
    const sn_model* model = sn_dynamics_model(p->dynamics);
    if (sn_world_model(world) != model) return SN_ERR_MODEL; // edited: it is not ours any more
    const double *q = sn_world_q(world), *v = sn_world_v(world);
    int nv = sn_model_nv(model);
    double w = 2 * 3.14159265358979323846 * p->frequency;
    sn_dynamics_set_gravity(p->dynamics, sn_world_gravity(world));
    sn_status status = sn_dynamics_mass_matrix(p->dynamics, q, p->M);
    if (!status) status = sn_dynamics_inverse(p->dynamics, q, NULL, NULL, p->force);
    if (status) return status;
    sn_model_difference(model, q, p->target, p->error);
    for (int k = 0; k < nv; k++) p->error[k] = w * w * p->error[k] - 2 * w * v[k];
    for (int r = 0; r < nv; r++) {
        if (!p->driven[r]) continue;
        tau[r] += p->force[r];
        for (int c = 0; c < nv; c++)
            if (p->driven[c]) tau[r] += p->M[r * nv + c] * p->error[c];
    }
    return SN_OK;
}

static sn_status posture_step(void* memory, sn_simulation* sim) {
    posture* p = memory;
    p->touching = (int)sn_world_contact_count(sn_simulation_world(sim));
    p->contacts += p->touching;
    return SN_OK;
}

static sn_status posture_command(void* memory, sn_simulation* sim, const char* words, char* answer,
                                 size_t room) {
    static const char* const FREQUENCY = "frequency ";
    posture* p = memory;
    (void)sim;
    if (strcmp(words, "contacts") == 0) {
        (void)snprintf(answer, room, "%d now, %ld so far", p->touching, p->contacts);
        return SN_OK;
    }
    if (strncmp(words, FREQUENCY, strlen(FREQUENCY)) == 0 &&
        read_frequency(words + strlen(FREQUENCY), &p->frequency)) {
        (void)snprintf(answer, room, "%g Hz", p->frequency);
        return SN_OK;
    }
    (void)snprintf(answer, room, "say \"contacts\" or \"frequency HZ\"");
    return SN_ERR_ARGUMENT;
}

static void posture_draw(void* memory, sn_simulation* sim, sn_drawing* drawing) {
    static const double RED[4] = {0.9, 0.2, 0.1, 1};
    char text[32];
    (void)memory;
    sn_momentum all = sn_world_momentum(sn_simulation_world(sim));
    sn_vec3 g = sn_world_gravity(sn_simulation_world(sim));
    sn_drawing_line(drawing, all.com, sn_vec3_add(all.com, sn_vec3_scale(0.02, g)), RED);
    (void)snprintf(text, sizeof text, "%.3g kg", all.mass);
    sn_drawing_text(drawing, all.com, text, RED);
}

const sn_plugin sn_plugin_table = {
    SN_PLUGIN_HEAD,
    .name = "posture",
    .about = "holds the posture of the beginning against gravity, counts contacts",
    .init = posture_init,
    .step = posture_step,
    .cleanup = posture_cleanup,
    .control = posture_control,
    .command = posture_command,
    .draw = posture_draw,
};
