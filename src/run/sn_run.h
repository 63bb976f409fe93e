// SPDX-License-Identifier: Apache-2.0
/// Front door of `run`: a scene brought to life (sinew/simulation.h).
///
/// Two sides share a simulation. The side of edits owns the items, the holds and the newest model of the whole; it has
/// new models made, here or by a thread of their own (preparation.h), and what they replace comes back to it to be
/// freed (edits.h). The side that steps owns the world,
/// the plugins, the sensors and the recorder; where the numbers of each item are it reads from the plan that is
/// the companion of the world's model (plan.h). Between the two there are the world's commands, one ring and a
/// number, so they may be one thread or two.
#ifndef SN_RUN_SN_RUN_H
#define SN_RUN_SN_RUN_H

#include "base/error.h"
#include "base/ring.h"
#include "base/thread.h"
#include "control/sn_control.h"
#include "record/sn_record.h"
#include "run/items.h"
#include "run/plan.h"
#include "run/plugins.h"
#include "scene/sn_scene.h"
#include "sim/sn_sim.h"
#include "sinew/plugin.h"
#include "sinew/simulation.h"

/// What holds two bodies together, as the side of edits knows it.
typedef struct sni_hold {
    char* name; ///< NULL: this place is free
    uint32_t generation;
    uint64_t constraint_id;
    sn_item_id a, b; ///< generation 0: the world
} sni_hold;

/// A controller of the user's.
typedef struct sni_user_control {
    char* name;
    sn_status (*compute)(void* context, sn_simulation* sim,
                         double* tau); ///< NULL: none, or stopped
    void* context;
} sni_user_control;

/// What a sensor needs of the state before the step.
typedef struct sni_before {
    bool known;
    sn_vec3 speed;      ///< of its point, world
    sn_wrench momentum; ///< of what a force sensor carries, about the origin of the world
    sn_wrench outside;  ///< weight and pushes on that
} sni_before;

/// What a sensor remembers.
typedef struct sni_measure {
    sni_before before;
    double* last;   // [numbers] measured last
    double* kept;   // [late + 1][numbers]
    int32_t late;   ///< steps of its delay
    uint64_t count; ///< steps it has seen
} sni_measure;

/// Where a hand is on a body, as far as its forces tell.
typedef struct sni_probe {
    int32_t body;
    sn_mat3 A; ///< N^2 s
    sn_vec3 b; ///< N^2 m s
    sn_vec3 r; ///< m, canonical axes of the body
} sni_probe;

/// Of a controller, of a behaviour (movers.h).
typedef struct sni_mover sni_mover;
typedef struct sni_behaving sni_behaving;
enum { SN_SIGNAL_LENGTH = 64 };

struct sn_simulation {
    sn_molecule_forces** forces; ///< [molecules of the scene]; NULL: there are none
    sn_scene* scene;
    sn_simulation_def def;
    sn_world_def world_def; ///< as the world was created
    sn_modules* modules;    ///< of the plugins
    // the side of edits
    sni_items items;
    const sn_model* whole; ///< the newest: the world has it, or will at its next step
    sn_model** models;     // [model_count] all that may still be looked at
    int model_count;
    sni_hold* holds; // [hold_count]
    int hold_count;
    uint64_t constraint_ids;  ///< given so far
    int next_edit;            ///< of the script
    double script_start;      ///< s
    int preparing;            ///< preparations that were not freed
    sn_preparation* prepared; ///< those that wait for the others
    // the side that steps
    sn_world* world;
    sni_plugins plugins;
    sni_user_control user;
    sn_control control;            ///< sni_compute_control of this simulation
    double** target;               // [controllers] nq numbers of the item each
    sn_balance** balance;          // [controllers] NULL: it does not balance
    sni_mover* mover;              // [controllers]
    sni_behaving* behaving;        // [behaviours]
    bool moves;                    ///< there is any of these that does something
    char signal[SN_SIGNAL_LENGTH]; ///< given since the last step
    sn_vec3 touched_at;            ///< where the hardest push was, when there was one last
    bool was_touched;
    sni_probe probe;
    sni_measure* measure; // [sensors]
    bool compares;        ///< some sensor looks at the state before the step
    double* numbers;      // [number_count] of all sensors
    int number_count;
    bool is_stepping;          ///< from the script to the plugins: there is no other step in it
    bool in_control;           ///< inside a step of the world: nothing can be edited
    sn_recorder* recorder;     ///< NULL: none runs
    sn_replacement* returning; ///< for which the ring had no room
    // between them
    sni_arena arena;
    sni_ring retired; ///< sn_replacement*: nobody looks at what it left behind
    sni_shown step;   ///< steps done
    sni_shown making; ///< a preparation is being made
};

/// Whether the world's joints may sleep, by its options.
bool sni_is_adaptive(const sn_simulation* sim);
/// Where items are in the world's model.
const sni_plan* sni_follow_plan(const sn_simulation* sim);
/// Drops the holds of an item that is gone; of all.
void sni_forget_holds(sn_simulation* sim, sn_item_id item);
void sni_free_holds(sn_simulation* sim);
/// Applies what is due of the script, up to the first that fails.
sn_status sni_follow_script(sn_simulation* sim, sn_error* error);

/// Joint forces of the scene's controllers, of the user's and the plugins': the world's control.
sn_status sni_compute_control(void* context, const sn_world* world, const sn_drive* drive);
/// Degrees of freedom whose forces of control have bounds.
int sni_count_bounded(const sn_scene* scene);
/// Whether there is anybody who controls.
bool sni_is_controlled(const sn_simulation* sim);
sn_status sni_targets_create(sn_simulation* sim);
void sni_targets_free(sn_simulation* sim);
/// Back to those of the scene.
void sni_reset_targets(sn_simulation* sim);
sn_status sni_set_target(sn_simulation* sim, const sn_edit* edit, sn_error* error);

sn_status sni_movers_create(sn_simulation* sim);
void sni_movers_free(sn_simulation* sim);
void sni_movers_reset(sn_simulation* sim);
/// Before a step of the world: moves targets, and says which controllers are active.
void sni_movers_step(sn_simulation* sim);
bool sni_is_active(const sn_simulation* sim, int controller);
sn_status sni_set_signal(sn_simulation* sim, const sn_edit* edit, sn_error* error);

sn_status sni_sensors_create(sn_simulation* sim);
void sni_sensors_free(sn_simulation* sim);
/// Before a step of the world; after it; and when the past does not count any more.
void sni_sensors_prepare(sn_simulation* sim);
void sni_sensors_measure(sn_simulation* sim);
void sni_sensors_forget(sn_simulation* sim);
/// Where a sensor is, in the world.
sn_pose sni_sensor_pose(const sn_simulation* sim, const sni_plan* plan, const sn_sensor_def* def);
/// Wrench of a body, with all it carries, on its parent over the step; about the origin of the world, its axes.
void sni_felt_begin(const sn_simulation* sim, int32_t body, sni_before* before);
sn_wrench sni_felt_wrench(const sn_simulation* sim, int32_t body, const sni_before* before);

/// Says something to the log of the simulation.
void sni_remark(const sn_simulation* sim, sn_log_level level, const char* format, ...)
    SN_PRINTF(3, 4);

/// Forces of the scene's molecules become the world's force field.
sn_status sni_molecules_create(sn_simulation* sim, sn_error* error);
void sni_molecules_free(sn_simulation* sim);
/// What a recording holds of them, to be freed; NULL: no memory.
sn_world_molecule* sni_molecules_describe(const sn_simulation* sim);

#endif
