// SPDX-License-Identifier: Apache-2.0
/// Scenes: what is there, how it is simulated, who looks and who pushes, as a YAML file says it.
///
/// An sn_scene is a description and does not move: items (models, free objects, what stands still) with their
/// places, options of the world, controllers, sensors, hands, recording, camera, and a script of what happens
/// when. sn_simulation (sinew/simulation.h) brings one to life. A model file alone is a scene, too: the model
/// stands on a floor. Every key of a scene file is a line in one table, from which `sinew check` knows what is
/// allowed and the JSON schema is made.   docs/scenes.md
///
/// Errors name file, line and column, what is allowed and the nearest key. After an error there is no scene.
#ifndef SINEW_SCENE_H
#define SINEW_SCENE_H

#include "sinew/balance.h"
#include "sinew/control.h"
#include "sinew/load.h"
#include "sinew/molecule_step.h"
#include "sinew/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_scene sn_scene;

typedef struct sn_scene_load_def {
    const char**
        model_paths; ///< folders searched for models by name ("hrp2"), NULL-terminated or NULL
    const char** scene_paths; ///< the same for scenes
    const char**
        package_paths; ///< folders searched for package://NAME/..., NULL-terminated or NULL
    bool
        foreign_modules; ///< names of dynamics, solvers, ... that are not ours are left to plugins; so they
                         ///< are when the scene has plugins of its own
    bool no_files;      ///< nothing is opened: for texts of strangers
    bool visual_meshes; ///< mesh files of visual shapes are read: for who draws them
    int most_bodies;    ///< of a scene; 0: two million
    sn_log log;
} sn_scene_load_def;

sn_scene_load_def sn_scene_load_def_default(void);

/// A scene file (YAML), a model file (URDF, JSON), the name of a shipped scene or model, or a generated model
/// ("chain:10", "stack:5"). Paths in a scene file are relative to it.
sn_status sn_scene_load(const char* path, const sn_scene_load_def* def, sn_scene** scene,
                        sn_error* error);
/// A scene file from memory; `name` stands for the file in messages and resolves relative paths.
sn_status sn_scene_load_memory(const char* text, size_t length, const char* name,
                               const sn_scene_load_def* def, sn_scene** scene, sn_error* error);
/// An empty scene with a world's defaults, contact on.
sn_scene* sn_scene_create(const char* name);
void sn_scene_free(sn_scene* scene);

/// JSON Schema of scene files, for editors. Free with sn_text_free.
sn_status sn_scene_schema(char** text, sn_error* error);

const char* sn_scene_name(const sn_scene* scene);
const char* sn_scene_about(const sn_scene* scene); ///< "" when the file says nothing
/// The text of the file, for recordings; "" for a scene that was not read.
const char* sn_scene_text(const sn_scene* scene);

// ---- items ------------------------------------------------------------------------------------------------

/// A model in the scene: a robot, a free object, or something that stands still (a model without bodies).
typedef struct sn_item {
    const char* name;      ///< unique in the scene
    const char* prefix;    ///< of its bodies, joints and frames in the whole: "NAME/", or ""
    const sn_model* model; ///< its own; owned by the scene
    sn_pose pose;          ///< of what the model hangs on, in the world
    const double* q;       ///< [nq] where it begins, NULL: neutral
    const double* v;       ///< [nv] NULL: at rest
    const bool* locked;    ///< [bodies] joints that are locked, NULL: none
    sn_place place;
} sn_item;

int sn_scene_item_count(const sn_scene* scene);
/// 0 <= i < count. Items come in the order of the file.
const sn_item* sn_scene_item(const sn_scene* scene, int i);
/// Copies strings and numbers; the model becomes the scene's when this succeeds. Without a name it is called as its
/// model is, without a prefix "NAME/".
/// SN_ERR_ARGUMENT: the name is taken, or a number is not finite.
sn_status sn_scene_add(sn_scene* scene, const sn_item* item, sn_error* error);

// ---- items made by hand ------------------------------------------------------------------------------------

/// A model of one shape.
typedef struct sn_solid_def {
    sn_shape_type type; ///< all but meshes and hulls
    sn_vec3 size;       ///< as sn_shape_def has it
    bool
        fixed; ///< a piece of the world; else a free body named "", which is called as its item's prefix
    double mass; ///< kg; 0: of wood
    sn_material material;
} sn_solid_def;

sn_solid_def sn_solid_def_default(void);
sn_status sn_solid_make(const sn_solid_def* def, sn_model** model, sn_error* error);

/// How an item begins; NULL leaves what it has. SN_ERR_ARGUMENT: a number is not finite, or no quaternion.
sn_status sn_scene_set_start(sn_scene* scene, int item, const double* q, const bool* locked,
                             sn_error* error);
void sn_scene_set_pose(sn_scene* scene, int item, sn_pose pose);
/// Its free roots move with the item about its origin: m/s and rad/s, world axes. SN_ERR_ARGUMENT: it has none.
sn_status sn_scene_set_motion(sn_scene* scene, int item, sn_vec3 v, sn_vec3 w, sn_error* error);
/// Friction, restitution and friction against rolling and spinning (m) of an item's shapes, -1: of all items; a
/// negative number leaves what is there.
sn_status sn_scene_set_surface(sn_scene* scene, int item, double mu, double restitution,
                               double roll, sn_error* error);
/// Lowest z of the collision shapes of an item's bodies where it begins; false: there are none.
bool sn_item_lowest(const sn_item* item, double* lowest);

typedef struct sn_floor_def {
    double mu;
    int item;    ///< that stands on it, if nothing holds it to the world; -1: none
    double drop; ///< m that the item begins above it
} sn_floor_def;

typedef struct sn_floor_report {
    bool was_there; ///< the scene has a floor already: nothing was done
    bool no_shapes; ///< the item has nothing to stand with
    bool held;      ///< the item is held to the world and stays where it is
    double height;  ///< m: z of the floor
    double lifted;  ///< m: how far the item was
} sn_floor_report;

sn_floor_def sn_floor_def_default(void);
/// A floor at z = 0, the item lifted onto it; free roots are counted from there, so positions in its q are left out.
/// Under an item that is held lower, the floor is where it can swing above it. report may be NULL.
sn_status sn_scene_add_floor(sn_scene* scene, const sn_floor_def* def, sn_floor_report* report,
                             sn_error* error);

/// The whole as one model, bodies item by item; free it before the scene.
sn_status sn_scene_compile(const sn_scene* scene, const sn_log* log, sn_model** model,
                           sn_error* error);

// ---- the world --------------------------------------------------------------------------------------------

// ---- molecules ---------------------------------------------------------------------------------------------

/// An item whose model is the torsion tree of a molecule. In a scene with molecules lengths are nm, times ps and masses
/// u; nothing touches and there is no gravity unless the scene says so.
typedef struct sn_scene_molecule {
    int item;
    const sn_molecule* molecule; ///< both owned by the scene
    const sn_torsion_tree* tree;
    sn_molecule_forces_def forces; ///< step is that of the world
} sn_scene_molecule;

int sn_scene_molecule_count(const sn_scene* scene);
const sn_scene_molecule* sn_scene_molecule_at(const sn_scene* scene, int i);
/// Adds a molecule, which becomes the scene's when this succeeds. tree and forces NULL: the default. A name of NULL is
/// "molecule", and bodies then have no prefix.
sn_status sn_scene_add_molecule(sn_scene* scene, const char* name, sn_molecule* molecule,
                                const sn_torsion_tree_def* tree,
                                const sn_molecule_forces_def* forces, sn_pose pose,
                                sn_error* error);

/// Gives the world the longest step that all molecules are stable with, as they begin (sinew/molecule_step.h): scenes
/// that are read have it unless they say otherwise. SN_ERR_ARGUMENT: there are no molecules.
sn_status sn_scene_choose_step(sn_scene* scene, sn_error* error);
/// Why its step is what it is, for people; "" where it was not chosen.
const char* sn_scene_step_reason(const sn_scene* scene);

/// Options of the world: step, gravity, algorithms by name, contact. Strings are the scene's.
const sn_world_def* sn_scene_world(const sn_scene* scene);
/// All but units and field, which what is in the scene decides.
void sn_scene_set_world(sn_scene* scene, const sn_world_def* def);

typedef struct sn_scene_plugin {
    const char* path;
    const char* options; ///< text for its init, "" when there is none
    sn_place place;
} sn_scene_plugin;

int sn_scene_plugin_count(const sn_scene* scene);
const sn_scene_plugin* sn_scene_plugin_at(const sn_scene* scene, int i);
/// One more; options may be NULL. Strings are copied.
sn_status sn_scene_add_plugin(sn_scene* scene, const char* path, const char* options,
                              sn_error* error);

// ---- control and sensors ------------------------------------------------------------------------------------

/// Motors at joints of an item. Armature, damping and friction of the item's model contain them already.
typedef struct sn_actuator_def {
    const char* name;
    int item;
    const bool* driven; ///< [bodies] of the item: whose joints have such a motor
    sn_actuator motor;
    sn_place place;
} sn_actuator_def;

int sn_scene_actuator_count(const sn_scene* scene);
const sn_actuator_def* sn_scene_actuator(const sn_scene* scene, int i);

/// The target moves as a mass in something viscous would, by the forces that people, scripts and programs push bodies
/// of the item with, and what it holds. Only joints between the touched body and the waist move.   [K08 22], [C12 16]
typedef struct sn_follow_def {
    double mass, damping,
        stiffness; ///< of each degree of freedom; stiffness to where it was when it became active
    sn_body_id waist; ///< of the item
} sn_follow_def;

typedef struct sn_look_def {
    sn_body_id eye; ///< of the item
    sn_vec3 at;     ///< m, in it: from where it looks
    sn_vec3 axis;   ///< that it looks along, unit, its axes
    int item;       ///< what is looked at; -1: the body that was pushed last
    sn_body_id body;
    double speed; ///< rad/s: of a joint, at most
} sn_look_def;

typedef struct sn_grip_def {
    const double* closed; ///< [nq] posture of the item with the fingers closed
    double force;         ///< N: a thing that the fingers touch so hard, all together, is held
} sn_grip_def;

/// Drives joints of an item to a posture: tau = kp (target - q) - kd v, at most `limit`; spherical and free joints
/// by the logarithm. Joint-side gains. With `balance` the forces are those of sinew/balance.h instead: kp and kd
/// are zero, and the limit of joints that it leaves alone.
typedef struct sn_controller_def {
    const char* name;
    int item;
    const double* kp;     ///< [nv] of the item; 0: not controlled
    const double* kd;     ///< [nv]
    const double* target; ///< [nq]
    const double* limit;  ///< [nv] INFINITY: none
    const bool* driven;   ///< [bodies] whose joints it drives
    // at most one of these: what moves the target; NULL: nothing does
    const sn_motion* motion;       ///< postures in time, from when the controller becomes active
    const sn_follow_def* follow;   ///< gives way to forces
    const sn_look_def* look;       ///< turns joints until something is seen
    const sn_grip_def* grip;       ///< closes, and holds what is between the fingers
    const sn_balance_def* balance; ///< NULL: to a posture, joint by joint
    double rate; ///< Hz: balance is computed so often, its forces stay in between; 0: every step
    sn_place place;
} sn_controller_def;

/// When a behaviour goes to another state; what is not given is NULL, 0 or -1.
typedef struct sn_transition_def {
    int to;           ///< state
    sn_pattern feel;  ///< a force of this pattern on the item
    double after;     ///< s in the state
    sn_body_id touch; ///< a body of the item touches something
    const char* word; ///< a signal: SN_EDIT_SIGNAL
} sn_transition_def;

typedef struct sn_behaviour_state_def {
    const char* name;
    const bool* active; ///< [controllers of the scene]
    const sn_transition_def* transition;
    int transition_count;
} sn_behaviour_state_def;

/// Which controllers are active, depending on what happened. It begins in its first state.
typedef struct sn_behaviour_def {
    const char* name;
    int item;   ///< that feels
    int sensor; ///< of force, that it feels by; -1: by all pushes on the item and what it holds
    const bool*
        masters; ///< [controllers of the scene] that some state names; it has no say in others
    const sn_behaviour_state_def* state;
    int state_count;
    sn_recogniser_def recogniser;
    sn_place place;
} sn_behaviour_def;

int sn_scene_behaviour_count(const sn_scene* scene);
const sn_behaviour_def* sn_scene_behaviour(const sn_scene* scene, int i);

int sn_scene_controller_count(const sn_scene* scene);
const sn_controller_def* sn_scene_controller(const sn_scene* scene, int i);

/// X(code, name, numbers, what they are); numbers 0: as many as the joint has
#define SN_SENSOR_LIST(X)                                                                          \
    X(SN_SENSOR_POSITION, "position", 0, "of a joint: nq numbers")                                 \
    X(SN_SENSOR_VELOCITY, "velocity", 0, "of a joint: nv numbers")                                 \
    X(SN_SENSOR_CONTROL, "control", 0, "force of controllers on a joint: nv numbers")              \
    X(SN_SENSOR_POSE, "pose", 7, "of a body or frame: x, y, z, quaternion w, x, y, z; world")      \
    X(SN_SENSOR_TWIST, "twist", 6, "of a body or frame at its origin: angular, linear; world")     \
    X(SN_SENSOR_CONTACT, "contact", 6, "on a body, about its origin: moment, force; world")        \
    X(SN_SENSOR_CENTRE, "centre", 6, "of mass of an item: position, velocity; world")              \
    X(SN_SENSOR_ENERGY, "energy", 3, "of the world: kinetic, of gravity, of springs")              \
    X(SN_SENSOR_FORCE, "force", 6,                                                                 \
      "of a body on its parent, through its joint: moment about the origin of the frame, force; "  \
      "axes of the frame")                                                                         \
    X(SN_SENSOR_IMU, "imu", 6,                                                                     \
      "of a body or frame: turning, acceleration without gravity (at rest 9.81 upward); its axes")

#define SN_SENSOR_ENUM(code, name, numbers, text) code,
typedef enum sn_sensor_type { SN_SENSOR_LIST(SN_SENSOR_ENUM) SN_SENSOR_TYPE_COUNT } sn_sensor_type;
#undef SN_SENSOR_ENUM

typedef struct sn_sensor_def {
    const char* name;
    sn_sensor_type type;
    int item;          ///< -1: none
    sn_body_id body;   ///< joint or body, in the item's model; -1: none
    sn_frame_id frame; ///< pose and twist: frame of the item's model; -1: the body itself
    int numbers;       ///< that it gives
    double noise;      ///< standard deviation
    double bias[SN_JOINT_MAX_NQ];
    double delay; ///< s
    double rate;  ///< Hz: measures so often, and holds in between; 0: in every step
    uint64_t seed;
    const sn_force_sensor* calibration; ///< NULL: none
    sn_place place;
} sn_sensor_def;

int sn_scene_sensor_count(const sn_scene* scene);
const sn_sensor_def* sn_scene_sensor(const sn_scene* scene, int i);

// ---- hands --------------------------------------------------------------------------------------------------

typedef enum sn_hand_mode { SN_HAND_ATTACH, SN_HAND_TOUCH } sn_hand_mode;
typedef enum sn_feedback_law { SN_FEEDBACK_SPRING, SN_FEEDBACK_REACTION } sn_feedback_law;

/// A device that a hand holds.
typedef struct sn_device_def {
    const char* name;
    const char* driver;  ///< "simulated", "pointer", or a vendor's
    const char* profile; ///< of its limits, "" for the driver's own
    sn_place place;
} sn_device_def;

/// What a device's button does.
typedef struct sn_button_def {
    int button; ///< counted from 0, without the one that must be held for force
    const char* action;
} sn_button_def;

enum { SN_HAND_BUTTONS = 8 };

/// A hand in the scene.
typedef struct sn_hand_def {
    const char* name;
    int device; ///< of the scene
    sn_hand_mode mode;
    sn_feedback_law law;
    int item;        ///< that it begins to hold, -1: none
    sn_body_id body; ///< of the item
    sn_vec3 point;   ///< m, in the body
    const sn_body_id*
        still; ///< [still_count] of the item: joints that are locked while it holds that
    int still_count;
    bool six;              ///< holds the orientation, too
    bool fit;              ///< the four gains are made to fit what is held, whatever they are
    double stiffness;      ///< N/m; 0: the gains are the most that the device can render
    double damping;        ///< N s/m
    double turn_stiffness; ///< N m/rad
    double turn_damping;   ///< N m s/rad
    double scale; ///< metres of the scene for a metre of the device; 0: by workspace and molecule
    double force_scale; ///< newtons of the scene for one of the device; 0: 1, or by the molecule
    sn_pose place_in;   ///< of the device's frame in the world
    double strength;    ///< times the device's peak force that it pulls with; 0: no limit
    double
        rate_from; ///< m of the device from its middle, beyond which it drifts on outward; 0: never
    double rate;   ///< m/s of the device for each m beyond
    sn_vec3 tool;  ///< m, edges of a box about the handle that it touches with; zero: a point
    int enable; ///< button that must be held for force, counted from 1; 0: the device's own, -1: none
    bool weight; ///< weight of what is held is felt
    int button_count;
    sn_button_def button[SN_HAND_BUTTONS];
    sn_place place;
} sn_hand_def;

int sn_scene_device_count(const sn_scene* scene);
const sn_device_def* sn_scene_device(const sn_scene* scene, int i);
int sn_scene_hand_count(const sn_scene* scene);
const sn_hand_def* sn_scene_hand(const sn_scene* scene, int i);

// ---- looking ------------------------------------------------------------------------------------------------

typedef struct sn_camera_def {
    bool given;
    sn_vec3 eye, target; ///< m, world
    double fov;          ///< rad, vertical
} sn_camera_def;

typedef struct sn_recording_def {
    const char* path; ///< "": none
    int every;        ///< steps between two samples
} sn_recording_def;

sn_camera_def sn_scene_camera(const sn_scene* scene);
sn_recording_def sn_scene_recording(const sn_scene* scene);
double
sn_scene_duration(const sn_scene* scene); ///< s that a batch run takes unless told; 0: not said

// ---- edits: what changes while it runs ------------------------------------------------------------------------

/// X(code, key in files)
#define SN_EDIT_LIST(X)                                                                            \
    X(SN_EDIT_ADD, "add")         /* item */                                                       \
    X(SN_EDIT_REMOVE, "remove")   /* name: item */                                                 \
    X(SN_EDIT_HOLD, "hold")       /* name, body, other, constraint: a bilateral constraint */      \
    X(SN_EDIT_RELEASE, "release") /* name: of a hold */                                            \
    X(SN_EDIT_PUSH, "push")       /* body, wrench: until changed; zero ends it */                  \
    X(SN_EDIT_FORCE, "force")     /* body: joint; number: its nv forces */                         \
    X(SN_EDIT_MOVE, "move")       /* body: joint; number: its nq coordinates, at rest */           \
    X(SN_EDIT_LOCK, "lock")       /* body: joint */                                                \
    X(SN_EDIT_UNLOCK, "unlock")   /* body: joint */                                                \
    X(SN_EDIT_SURFACE, "surface") /* name: item, material: of all its shapes */                    \
    X(SN_EDIT_GRAVITY, "gravity") /* vector */                                                     \
    X(SN_EDIT_ACTIVE, "active")   /* adaptivity */                                                 \
    X(SN_EDIT_TARGET, "target")   /* name: controller, body: joint, number: nq coordinates */      \
    X(SN_EDIT_SIGNAL, "signal")   /* name: a word that behaviours wait for */                      \
    X(SN_EDIT_PLUGIN, "plugin")   /* name, words: a command for a plugin */                        \
    X(SN_EDIT_RESET, "reset")     /* back to the beginning, items and all */

#define SN_EDIT_ENUM(code, name) code,
typedef enum sn_edit_type { SN_EDIT_LIST(SN_EDIT_ENUM) SN_EDIT_TYPE_COUNT } sn_edit_type;
#undef SN_EDIT_ENUM

/// One change. Bodies and joints by their names in the whole ("robot/hand"); "" or "world": the world.
typedef struct sn_edit {
    sn_edit_type type;
    double time;              ///< s, of a script
    const char* name;         ///< of an item, hold, controller or plugin
    const char* body;         ///< or joint
    const char* other;        ///< the second body of a hold
    const char* words;        ///< for a plugin
    const sn_item* item;      ///< ADD; the model passes to who applies the edit
    sn_constraint constraint; ///< HOLD: type and numbers; ids and bodies are filled in when applied
    bool frames_given; ///< HOLD: X_ac and X_bc are; else: where the bodies are then, b's origin
    sn_wrench wrench;  ///< world axes, about the body's origin
    sn_vec3 vector;
    sn_adaptivity adaptivity;
    sn_material material;
    int number_count;
    double number[SN_JOINT_MAX_NQ];
    sn_place place;
} sn_edit;

/// The script of the scene, by time.
int sn_scene_edit_count(const sn_scene* scene);
const sn_edit* sn_scene_edit(const sn_scene* scene, int i);

/// One command of a stream: "add: {name: ball, sphere: 0.1, at: [0, 0, 2]}", "gravity: [0, 0, -1.6]". Everything
/// in it, and the model of an added item if nobody took it, is freed by sn_edit_free.
sn_status sn_edit_parse(const char* text, size_t length, const char* name,
                        const sn_scene_load_def* def, sn_edit** edit, sn_error* error);
void sn_edit_free(sn_edit* edit);

#ifdef __cplusplus
}
#endif
#endif
