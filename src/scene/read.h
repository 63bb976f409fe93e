// SPDX-License-Identifier: Apache-2.0
/// A read in progress, and the parts it is made of.
#ifndef SN_SCENE_READ_H
#define SN_SCENE_READ_H

#include "scene/sn_scene.h"
#include "scene/tables.h"

enum {
    SN_SOLIDS = 1024,
    SN_WOOD = 500 ///< kg/m^3: what solids are made of unless told
};

/// What a solid is made of; compared byte by byte, so zeroed before it is filled.
typedef struct sni_solid {
    sn_shape_type type;
    bool fixed; ///< belongs to the world
    sn_vec3 size;
    double mass;
    sn_material material;
    double color[4];
} sni_solid;

typedef struct sni_solid_model {
    sni_solid solid;
    sn_model* model; ///< NULL: none
} sni_solid_model;

typedef struct sni_reader {
    sni_text_source source;
    sni_yaml yaml;
    sn_scene_load_def def;
    sn_scene* scene;    ///< NULL: an edit is read
    sni_memory* memory; ///< the scene's or the edit's
    sni_arena arena;
    sni_name_map material_names;
    sn_material* material; ///< [materials of the file]
    double floor_height;   ///< m
    int unnamed;           ///< things whose name was made
    sni_solid_model
        solids[SN_SOLIDS]; ///< models made so far, to be shared; by hash, the last one stays
} sni_reader;

/// What a mapping of models, objects, environment or add says.
typedef struct sni_thing {
    sn_item item;     ///< prefix NULL: "NAME/"; the model is not owned
    const char* kind; ///< to make a name of
    bool own_body;    ///< its one body has the item's name
    bool shared;      ///< the scene owns the model already
    int copies[3];
    sn_vec3 spacing;
} sni_thing;

/// Reads one thing. Its model is the caller's unless shared; q, v and locked are in reader->memory.
sn_status sni_read_thing(sni_reader* reader, const sni_node* node, const sni_map* map,
                         sni_thing* thing);
/// Lists of a scene.
sn_status sni_read_things(sni_reader* reader, const sni_value* list, const sni_map* map);
sn_status sni_read_molecules(sni_reader* reader, const sni_scene_keys* keys);
sn_status sni_read_floor(sni_reader* reader, const sni_value* value);
sn_status sni_read_world(sni_reader* reader, const sni_scene_keys* keys);
sn_status sni_read_actuators(sni_reader* reader, const sni_value* list);
sn_status sni_read_controllers(sni_reader* reader, const sni_value* list);
/// The options of a controller that balances an item, its limits aside.
sn_status sni_read_balance(sni_reader* reader, const sni_value* value, int item,
                           sn_balance_def* balance, double* rate);
/// What moves the target of a controller whose other numbers are there.
sn_status sni_read_mover(sni_reader* reader, const sni_node* node, const sni_controller_keys* keys,
                         sn_controller_def* controller);
sn_status sni_read_behaviours(sni_reader* reader, const sni_value* list);
sn_status sni_read_sensors(sni_reader* reader, const sni_value* list);
sn_status sni_read_devices(sni_reader* reader, const sni_value* list);
sn_status sni_read_hands(sni_reader* reader, const sni_value* list);
sn_status sni_read_plugins(sni_reader* reader, const sni_value* list);
/// Holds and script become edits, by time.
sn_status sni_read_script(sni_reader* reader, const sni_value* holds, const sni_value* script);

// ---- lists ---------------------------------------------------------------------------------------------

/// Goes through a list of mappings.
typedef struct sni_walk {
    const sni_node* at;
    int left;
} sni_walk;

sni_walk sni_walk_list(const sni_value* list);
/// The next one, or NULL.
const sni_node* sni_walk_on(const sni_reader* reader, sni_walk* walk);
/// A name that must be new among `count` structs of `size` bytes which begin with their name.
sn_status sni_read_new_name(sni_reader* reader, const sni_value* value, const void* others,
                            int count, size_t size, const char** name);

// ---- values that several parts have --------------------------------------------------------------------

sn_status sni_read_materials(sni_reader* reader, const sni_value* materials);
/// A name of the materials, or a mapping; a value that was not given leaves *material as it is.
sn_status sni_read_material(sni_reader* reader, const sni_value* value, sn_material* material);
sn_status sni_read_adaptive(sni_reader* reader, const sni_value* value, sn_adaptivity* options);
/// The pose keys of a mapping, given one after the other as SN_POSE_KEYS has them.
sn_status sni_read_pose(const sni_reader* reader, const sni_value* keys, sn_pose* pose);
/// Numbers of joints into q (speeds: v) of a model; joints not mentioned stay.
sn_status sni_read_joints(sni_reader* reader, const sni_value* value, const sn_model* model,
                          bool speeds, double* numbers);
/// Marks joints of a model: "all", which free ones are no part of, or a list of names.
sn_status sni_read_joint_names(sni_reader* reader, const sni_value* value, const sn_model* model,
                               bool* marked);
/// The item that a key names, -1 when it was not given.
sn_status sni_read_item_name(sni_reader* reader, const sni_value* value, int* item);
/// A joint of an item by its name.
sn_status sni_read_joint_name(sni_reader* reader, const sni_value* value, int item,
                              sn_body_id* joint);
/// A body of an item by name; the first when not given. `node` is who asks.
sn_status sni_read_body_name(sni_reader* reader, const sni_node* node, const sni_value* value,
                             int item, sn_body_id* body);
sn_status sni_fail_memory(const sni_reader* reader);

// ---- models ---------------------------------------------------------------------------------------------

/// A path of the file, relative to the file's folder; kept in reader->memory.
sn_status sni_read_path(sni_reader* reader, const sni_value* value, const char** path);
/// folder/NAME.ending for the first folder and ending that has it; false when none does.
bool sni_find_file(const char* const* folders, const char* const* endings, const char* name,
                   char* path, size_t size);
/// Offers the names of all such files.
const char* sni_nearest_file(const char* const* folders, const char* const* endings,
                             const char* name, char* best, size_t size);
extern const char* const sni_model_endings[];
extern const char* const sni_scene_endings[];
/// What holds in a scene with molecules where nothing else is said: no gravity, nothing touches, coarser balance.
void sni_become_molecular(sn_scene* scene);
/// Gives the scene a step that its molecules are stable with; a warning when none can be found.
void sni_choose_step(sn_scene* scene, const sn_log* log);
/// A scene of one molecule alone.
sn_status sni_scene_of_molecule(const char* word, const sn_log* log, sn_scene** scene,
                                sn_error* error);
/// A generated model; SN_ERR_FORMAT without a text when the word is none.
sn_status sni_generate_model(const char* word, bool free_base, bool floor, int most_bodies,
                             sn_model** model, sn_error* error);

/// A body of one shape, its name "", or a shape of the world.
sn_status sni_solid_make(const sni_solid* solid, sn_model** model, sn_error* error);
/// The same of corners and triangles; hull: a convex body. Density counts when mass is 0.
sn_status sni_mesh_make(const sni_solid* solid, double density, const sn_vec3* vertices,
                        int vertex_count, const int32_t* triangles, int triangle_count,
                        sn_model** model, sn_error* error);
/// Mass distribution of a closed surface of unit density.
sn_inertia sni_inertia_polyhedron(const sn_vec3* vertices, const int32_t* triangles,
                                  int triangle_count);

/// Puts the model of a file alone onto a floor: the whole scene.
sn_status sni_scene_of_model(sn_scene* scene, sn_model* model, sn_error* error);

#endif
