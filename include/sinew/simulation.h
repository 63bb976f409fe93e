// SPDX-License-Identifier: Apache-2.0
/// A scene that runs: a world with its items, controllers, sensors, plugins, recording and script.
///
///     sn_simulation* sim;
///     sn_simulation_load("humanoid", NULL, &sim, &error);      // a scene, a URDF, a generated model
///     for (int i = 0; i < 1000; i++) sn_simulation_step(sim, NULL);
///
/// Items can be added and removed, held together and changed while it runs: each edit is made at one step
/// boundary, the state of everything else goes on, and a recording holds it as an input. Items and holds are
/// known by ids with a generation, so that one that is gone is never taken for another.
///
/// Threads: "sim" steps and edits. With `edits_come_from_host` a second thread edits while the first steps: edits are
/// prepared there and take effect at the next step; it also calls sn_simulation_serve now and then.
/// docs/simulation.md
#ifndef SINEW_SIMULATION_H
#define SINEW_SIMULATION_H

#include "sinew/modules.h"
#include "sinew/record.h"
#include "sinew/scene.h"
#include "sinew/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_simulation sn_simulation;

typedef struct sn_simulation_def {
    sn_scene_load_def load;     ///< also of models that edits add
    const sn_world_def* world;  ///< instead of the scene's, NULL: the scene's
    const char* const* plugins; ///< paths, besides the scene's; NULL-terminated or NULL
    bool edits_come_from_host;  ///< a thread of their own edits; else that which steps
    bool ignore_recording;      ///< of the scene
    bool keep_replaced;         ///< what edits have replaced stays until sn_simulation_collect
    sn_log log;                 ///< what happens, while it runs too. Thread: that of the call
} sn_simulation_def;

sn_simulation_def sn_simulation_def_default(void);

/// Takes the scene, whether it succeeds or not.
sn_status sn_simulation_create(sn_scene* scene, const sn_simulation_def* def, sn_simulation** sim,
                               sn_error* error);
/// From a file or name, see sn_scene_load.
sn_status sn_simulation_load(const char* path, const sn_simulation_def* def, sn_simulation** sim,
                             sn_error* error);
/// Ends plugins and recording, then frees everything.
void sn_simulation_free(sn_simulation* sim);

/// For questions, forces, wrenches; the model of it changes with edits. Its control and tape are taken.
sn_world* sn_simulation_world(sn_simulation* sim);
const sn_scene* sn_simulation_scene(const sn_simulation* sim);

// ---- molecules: thread sim, between steps -----------------------------------------------------------------

/// Forces of molecule i of the scene; NULL: there is none.
sn_molecule_forces* sn_simulation_molecule(sn_simulation* sim, int i);
/// Where the atoms of molecule i are now (nm, one for each) and how fast (nm/ps; NULL: not wanted). SN_ERR_ARGUMENT: there is
/// none, or it was removed.
sn_status sn_simulation_atoms(sn_simulation* sim, int i, sn_vec3* p_w, sn_vec3* v_w);
/// Energies of molecule i now, with the options of its forces. The first call takes memory.
sn_status sn_simulation_molecule_energy(sn_simulation* sim, int i, sn_forcefield_report* report);
/// Of all molecules together, by kinds of terms.
sn_status sn_simulation_field_energy(sn_simulation* sim, sn_forcefield_energy* energy);

// ---- running: thread sim ----------------------------------------------------------------------------------

/// Script, control, one step of the world, sensors, plugins, recording. report may be NULL.
sn_status sn_simulation_step(sn_simulation* sim, sn_step_report* report);

typedef struct sn_run_def {
    uint64_t steps; ///< at most; 0: until told
    double pace;    ///< simulated seconds a second; 0: as fast as possible
    /// After each step; false ends the run. NULL: never.
    bool (*go_on)(void* context, sn_simulation* sim, const sn_step_report* report);
    void* context;
} sn_run_def;

typedef struct sn_run_report {
    uint64_t steps;
    double seconds;     ///< of the world's clock
    uint64_t late;      ///< steps that began after their time by more than a step
    double worst;       ///< s: latest beginning
    uint64_t caught_up; ///< times when it was too late to be made up for, and time was let go
    unsigned events;    ///< all that came
    int64_t stage_ns[SN_STAGE_MAX]; ///< sums
} sn_run_report;

/// Steps at a pace. A step that begins late is followed at once by the next until the time is made up for; what is
/// more than a tenth of a second behind is let go. Never steps by measured time. report may be NULL.
sn_status sn_simulation_run(sn_simulation* sim, const sn_run_def* def, sn_run_report* report);

/// Does what the script says is due, and frees what edits have replaced and nobody looks at. Where edits do not come from
/// a host, sn_simulation_step does it. Thread: of edits.
sn_status sn_simulation_serve(sn_simulation* sim, sn_error* error);
/// Frees what edits have replaced and nobody looks at; with keep_replaced pointers into the state before
/// (sn_world_q, ...) end here and not earlier. Thread: sim.
void sn_simulation_collect(sn_simulation* sim);

// ---- items: thread of edits --------------------------------------------------------------------------------

typedef struct sn_item_id {
    int32_t i;
    uint32_t generation; ///< 0: none
} sn_item_id;

int sn_simulation_item_count(const sn_simulation* sim);
/// The i-th item that is there, 0 <= i < count.
sn_item_id sn_simulation_item_at(const sn_simulation* sim, int i);
sn_item_id sn_simulation_find_item(const sn_simulation* sim,
                                   const char* name); ///< generation 0: none
/// NULL: it is gone.
const sn_item* sn_simulation_item(const sn_simulation* sim, sn_item_id item);
/// First body of an item in the whole, as of the last edit; its bodies follow each other. -1: it is gone.
int32_t sn_simulation_first_body(const sn_simulation* sim, sn_item_id item);

// ---- edits: thread of edits ----------------------------------------------------------------------------------

/// Adds an item; everything of it is copied, its model included.
sn_status sn_simulation_add(sn_simulation* sim, const sn_item* item, sn_item_id* id,
                            sn_error* error);
sn_status sn_simulation_remove(sn_simulation* sim, sn_item_id item, sn_error* error);

typedef struct sn_hold_id {
    int32_t i;
    uint32_t generation;
} sn_hold_id;

/// Holds two bodies (of the whole; -1: the world) together, such as an object in a closed gripper. frames_given
/// false: as they are now, at b's origin. The id of `constraint` is given by the simulation.
sn_status sn_simulation_hold(sn_simulation* sim, const char* name, const sn_constraint* constraint,
                             bool frames_given, sn_hold_id* id, sn_error* error);
sn_status sn_simulation_release(sn_simulation* sim, sn_hold_id id, sn_error* error);
sn_hold_id sn_simulation_find_hold(const sn_simulation* sim, const char* name);
/// Surface of all shapes of an item.
sn_status sn_simulation_set_surface(sn_simulation* sim, sn_item_id item,
                                    const sn_material* material, sn_error* error);
/// Back to the scene as it was loaded; time goes on, the script begins anew.
sn_status sn_simulation_reset(sn_simulation* sim, sn_error* error);

/// Any edit; what it adds is copied. SN_EDIT_PLUGIN, MOVE and TARGET only where edits come from the thread that steps.
sn_status sn_simulation_apply(sn_simulation* sim, const sn_edit* edit, sn_error* error);
/// An edit in three parts, for who must not wait: what takes long, such as new models and the room for their contacts,
/// is done by another thread while the simulation steps. What comes of it is the same as by sn_simulation_apply.
///
///     sn_simulation_prepare(sim, edit, &p, &error);    // thread of edits
///     sn_preparation_make(p, &error);                  // any thread; needed where sn_preparation_is_long
///     sn_simulation_finish(sim, p, &error);            // thread of edits, between two steps
///     sn_preparation_free(p);                          // thread of edits, before the simulation is freed
typedef struct sn_preparation sn_preparation;

/// The edit, and what it names, stays until the preparation is freed.
sn_status sn_simulation_prepare(sn_simulation* sim, const sn_edit* edit, sn_preparation** p,
                                sn_error* error);
/// Whether there is anything to be made.
bool sn_preparation_is_long(const sn_preparation* p);
/// Meanwhile the simulation may step, and others may be edited into it.
sn_status sn_preparation_make(sn_preparation* p, sn_error* error);
/// Makes the edit. Where others came in between it is made ready anew, here. On failure nothing has changed.
sn_status sn_simulation_finish(sn_simulation* sim, sn_preparation* p, sn_error* error);
void sn_preparation_free(sn_preparation* p);

/// One command as text: see sn_edit_parse. answer (may be NULL): what a plugin says.
sn_status sn_simulation_command(sn_simulation* sim, const char* text, char* answer, size_t room,
                                sn_error* error);

// ---- sensors: thread sim ---------------------------------------------------------------------------------------

int sn_simulation_sensor_count(const sn_simulation* sim);
const sn_sensor_def* sn_simulation_sensor_def(const sn_simulation* sim, int i);
/// Numbers of all sensors, one after the other, as of the last step; the same place until an edit.
const double* sn_simulation_sensors(const sn_simulation* sim, int* count);
/// Of sensor i: first number in the above.
int sn_simulation_sensor_first(const sn_simulation* sim, int i);

// ---- controllers -----------------------------------------------------------------------------------------------

/// A controller of your own, besides the scene's and the plugins': adds to tau (nv numbers of the whole). One that fails, or
/// whose forces are not finite, is stopped and named (the log says so). NULL removes it. Thread: sim.
sn_status sn_simulation_set_controller(sn_simulation* sim, const char* name,
                                       sn_status (*compute)(void* context, sn_simulation* sim,
                                                            double* tau),
                                       void* context);

int sn_simulation_behaviour_count(const sn_simulation* sim);
const char* sn_simulation_behaviour_name(const sn_simulation* sim, int i);
/// Name of the state that behaviour i of the scene is in.
const char* sn_simulation_behaviour_state(const sn_simulation* sim, int i);

// ---- recording -------------------------------------------------------------------------------------------------

/// Begins one; there is one at a time. `wait`: see sn_recorder_def. Thread: sim.
sn_status sn_simulation_record(sn_simulation* sim, const char* path, int every, bool wait,
                               sn_error* error);
/// Ends it; status may be NULL.
void sn_simulation_end_recording(sn_simulation* sim, sn_recorder_status* status);
/// False: there is none.
bool sn_simulation_recording(sn_simulation* sim, sn_recorder_status* status);

#ifdef __cplusplus
}
#endif
#endif
