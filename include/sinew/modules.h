// SPDX-License-Identifier: Apache-2.0
/// Implementations of your own, found by name: forward dynamics, collision detection, contact solver, simulator.
///
/// A world is made of four parts that can each be exchanged. Fill the table of one, add it to an sn_modules
/// under a name, and give that name in sn_world_def (or in a scene file) where one of ours would stand. The
/// rest of the world stays as it is: an sn_dynamics of your own answers sn_dynamics_* questions, contacts of
/// your own detector are solved by our solver, and so on.   docs/plugins.md
///
/// Functions get the `context` of the table they are in. Those that run inside a step must not allocate,
/// lock or wait. Whatever they return is looked at: numbers that are not finite, or a status, stop the step
/// and latch a fault that names the module.
#ifndef SINEW_MODULES_H
#define SINEW_MODULES_H

#include "sinew/collision.h"
#include "sinew/contact.h"
#include "sinew/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_modules sn_modules;
typedef struct sn_world sn_world;

sn_modules* sn_modules_create(void);
/// After all worlds that use it.
void sn_modules_free(sn_modules* modules);

// ---- simulator ------------------------------------------------------------------------------------------------

/// What takes the place of everything between the joint forces of a step and its publication: stages free to
/// integrate.
typedef struct sn_simulator_module {
    const char* name;
    const char* about;
    void* context;
    /// For a world of this model; questions to the world are for `advance`.
    sn_status (*create)(void* context, const sn_model* model, void** memory, sn_error* error);
    void (*free)(void* context, void* memory);
    /// The state h seconds later: q (nq numbers) and v (nv), which hold the present one. tau: joint forces of
    /// user, control, springs and dampers at the present state. The world's parts are at hand: sn_world_dynamics,
    /// sn_world_collider (bodies are where they are now).
    sn_status (*advance)(void* context, void* memory, sn_world* world, double h, const double* tau,
                         double* q, double* v);
} sn_simulator_module;

// ---- names ------------------------------------------------------------------------------------------------------

/// Adds a copy of the table; name and about must outlive it. SN_ERR_ARGUMENT with the reason, nothing added,
/// when a function is missing or the name is taken (by one of ours, too).
sn_status sn_modules_add_dynamics(sn_modules* modules, const sn_dynamics_module* module,
                                  sn_error* error);
sn_status sn_modules_add_detector(sn_modules* modules, const sn_detector_module* module,
                                  sn_error* error);
sn_status sn_modules_add_solver(sn_modules* modules, const sn_solver_module* module,
                                sn_error* error);
sn_status sn_modules_add_simulator(sn_modules* modules, const sn_simulator_module* module,
                                   sn_error* error);

/// By name, NULL when there is none; modules may be NULL.
const sn_dynamics_module* sn_modules_dynamics(const sn_modules* modules, const char* name);
const sn_detector_module* sn_modules_detector(const sn_modules* modules, const char* name);
const sn_solver_module* sn_modules_solver(const sn_modules* modules, const char* name);
const sn_simulator_module* sn_modules_simulator(const sn_modules* modules, const char* name);

#ifdef __cplusplus
}
#endif
#endif
