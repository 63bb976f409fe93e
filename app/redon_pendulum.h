// SPDX-License-Identifier: Apache-2.0
/// The pendulum of `sinew reproduce redon-pendulum`: what is measured at one state, and over one run.
/// [RGL05] has a pendulum of 300 bodies; sizes, damping and start are ours: the generated pendulum:300,
/// released at rest from lying along x.
#ifndef SINEW_APP_REDON_PENDULUM_H
#define SINEW_APP_REDON_PENDULUM_H

#include "sinew/world.h"

extern const double REDON_STEP; ///< s

sn_model* redon_pendulum(int bodies, sn_error* error);

// ---- one state ------------------------------------------------------------------------------------

/// Forward dynamics of one model, full and adaptive, at states that are given.
typedef struct redon_probe {
    sn_dynamics *full, *adaptive, *inertia;
    double *exact, *hybrid, *difference, *product, *tau; ///< nv numbers each
} redon_probe;

/// Accelerations with few joints active against those with all, relative to the latter. Square roots.
typedef struct redon_error {
    int active;
    double remaining; ///< metric of what the exact accelerations of the locked joints are
    double m_norm;    ///< |qdd_h - qdd*|_M: of the motion that follows               MATH 5.3
    double bound; ///< of m_norm: |qdd* of the locked joints|_M                   (5.4), left side
} redon_error;

sn_status redon_probe_start(redon_probe* probe, const sn_model* model, sn_error* error);
void redon_probe_free(redon_probe* probe);
/// The error at (q, v) with at most `budget` joints active; v NULL: at rest.
sn_status redon_probe_error(redon_probe* probe, const double* q, const double* v, int budget,
                            redon_error* result);

// ---- one run --------------------------------------------------------------------------------------

typedef struct redon_run {
    const char* dynamics;
    int budget;     ///< joints that may be active, of "adaptive"
    sn_vec3* tip;   ///< free end, at the start and after each step
    double seconds; ///< a step takes, on average, in the fastest of some runs
} redon_run;

/// Called with the world at the start and after each step.
typedef void redon_look(sn_world* world, int step, void* context);

/// Runs for so many steps and fills in tip; look may be NULL.
sn_status redon_swing(const sn_model* model, redon_run* run, int steps, redon_look* look,
                      void* context);
/// Runs again without looking, `repeats` times, and fills in seconds.
sn_status redon_time(const sn_model* model, redon_run* run, int steps, int repeats);

#endif
