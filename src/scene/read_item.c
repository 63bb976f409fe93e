// SPDX-License-Identifier: Apache-2.0
// Models, objects and environment: what each is made of, where it is, how it begins.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "load/sn_load.h"
#include "scene/read.h"

enum { BASE_AS_FILE, BASE_FREE, BASE_FIXED }; // sni_base_words
enum { ITEMS_BESIDES = 1000 };                // that may stand still besides as many as bodies

/// Errors of a model that was made here get the place of the mapping.
static sn_status at_place(const sni_reader* reader, const sni_node* node, sn_status status) {
    sn_error* error = reader->source.error;
    if (!status || !error || error->file[0]) return status;
    char text[sizeof error->text];
    memcpy(text, error->text, sizeof text);
    return sni_fail(error, status, sni_node_place(&reader->source, node), "%s", text);
}

/// A file that cannot be read is a mistake of the scene, unless another file names it: the error gets the place.
static sn_status at_name(const sni_reader* reader, const sni_value* value, sn_status status) {
    sn_error* error = reader->source.error;
    if (status != SN_ERR_FILE || !error || error->line > 0) return status;
    char text[sizeof error->text];
    snprintf(text, sizeof text, "%.250s: %.250s", error->file, error->text);
    return sni_fail(error, status, sni_node_place(&reader->source, value->at), "%s", text);
}

// ---- shapes -----------------------------------------------------------------------------------------

/// The solid that a mapping describes; false: it is none.
static bool solid_of(const sni_item_keys* k, bool fixed, sni_solid* solid) {
    const double* n = NULL;
    if (k->box.at) {
        solid->type = SN_SHAPE_BOX;
        solid->size = sni_vec3_or(&k->box, solid->size);
    } else if (k->sphere.at) {
        solid->type = SN_SHAPE_SPHERE;
        solid->size.x = k->sphere.number[0];
    } else if (k->cylinder.at) {
        solid->type = SN_SHAPE_CYLINDER;
        n = k->cylinder.number;
    } else if (k->capsule.at) {
        solid->type = SN_SHAPE_CAPSULE;
        n = k->capsule.number;
    } else if (k->plane.at) {
        solid->type = SN_SHAPE_PLANE;
    } else {
        return false;
    }
    if (n) solid->size = sn_vec3_make(n[0], 0, n[1]);
    if (!fixed)
        solid->mass = k->mass.at ? k->mass.number[0]
                                 : sni_number_or(&k->density, SN_WOOD) *
                                       sn_shape_volume(solid->type, solid->size);
    return true;
}

static void read_color(const sni_value* value, double color[4]) {
    const sn_shape_def plain = sn_shape_def_default();
    memcpy(color, plain.color, sizeof plain.color);
    if (!value->at) return;
    memcpy(color, value->number, 3 * sizeof *color);
    color[3] = value->count > 3 ? value->number[3] : 1;
}

/// The model of a solid, made once for all that are alike.
static sn_status solid_model(sni_reader* reader, const sni_solid* solid, sni_thing* thing) {
    sni_solid_model* known = NULL;
    sn_model* model = NULL;
    if (reader->scene) {
        known = &reader->solids[sni_hash(0, solid, sizeof *solid) % SN_SOLIDS];
        thing->shared = true;
        thing->item.model = known->model;
        if (known->model && memcmp(&known->solid, solid, sizeof *solid) == 0) return SN_OK;
    }
    sn_status status = sni_solid_make(solid, &model, reader->source.error);
    if (status) return status;
    thing->item.model = model;
    if (!reader->scene) return SN_OK;
    if (sni_scene_own(reader->scene, model)) {
        sn_model_free(model);
        return sni_fail_memory(reader);
    }
    memcpy(&known->solid, solid, sizeof *solid);
    known->model = model;
    return SN_OK;
}

static sn_vec3 scale_of(const sni_value* value) {
    if (!value->at) return sn_vec3_make(1, 1, 1);
    if (value->is == SN_ACCEPT_NUMBERS) return sni_vec3_or(value, sn_vec3_zero());
    return sn_vec3_make(value->number[0], value->number[0], value->number[0]);
}

static const char* ending_of(const char* path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot + 1 : "";
}

/// Triangles of a mesh file.
static sn_status read_mesh(sni_reader* reader, const sni_value* value, const sni_value* scale,
                           sni_triangles* mesh) {
    const char* path;
    char* bytes = NULL;
    size_t length;
    sni_number_scope scope;
    sn_status status = sni_read_path(reader, value, &path);
    if (!status)
        status = at_name(reader, value, sni_file_read(path, &bytes, &length, reader->source.error));
    if (!status && !sni_number_scope_begin(&scope)) status = sni_fail_memory(reader);
    if (!status) {
        status = sni_mesh_parse(bytes, length, ending_of(path), scale_of(scale), mesh,
                                reader->source.error);
        sni_number_scope_end(&scope);
        sn_error* error = reader->source.error;
        if (status && error && !error->file[0])
            snprintf(error->file, sizeof error->file, "%s", path);
    }
    free(bytes);
    return status;
}

/// Corners that the file lists.
static sn_status read_points(sni_reader* reader, const sni_value* value, sni_triangles* mesh) {
    const sni_node* at = sni_node_first(value->at);
    mesh->vertices = malloc(((size_t)value->at->count + 1) * sizeof *mesh->vertices);
    if (!mesh->vertices) return sni_fail_memory(reader);
    for (int32_t k = 0; k < value->at->count; k++, at = sni_node_next(reader->source.yaml, at)) {
        double p[3];
        int count;
        bool degrees;
        sn_status status = sni_numbers_read(&reader->source, at, "a point", 3, p, &count, &degrees);
        if (status) return status;
        if (count != 3 || degrees)
            return sni_node_fail(&reader->source, at, "a point is a list of 3 numbers");
        mesh->vertices[mesh->vertex_count++] = sn_vec3_make(p[0], p[1], p[2]);
    }
    return SN_OK;
}

static sn_status mesh_model(sni_reader* reader, const sni_item_keys* k, sni_solid* solid,
                            sni_thing* thing) {
    const sni_value* value = k->mesh.at ? &k->mesh : &k->hull;
    sn_error* error = reader->source.error;
    sni_triangles mesh = {0};
    sn_vec3* corners = NULL;
    int32_t* faces = NULL;
    int corner_count = 0, face_count = 0;
    sn_model* model = NULL;
    double density = sni_number_or(&k->density, SN_WOOD);
    solid->mass = sni_number_or(&k->mass, 0);
    solid->type = k->mesh.at ? SN_SHAPE_MESH : SN_SHAPE_HULL;
    solid->size = sn_vec3_make(1, 1, 1);
    sn_status status = value->is == SN_ACCEPT_POINTS ? read_points(reader, value, &mesh)
                                                     : read_mesh(reader, value, &k->scale, &mesh);
    if (!status && k->hull.at)
        status = sn_hull_compute(mesh.vertices, mesh.vertex_count, &corners, &corner_count, &faces,
                                 &face_count, error);
    if (!status && k->hull.at)
        status =
            sni_mesh_make(solid, density, corners, corner_count, faces, face_count, &model, error);
    else if (!status)
        status = sni_mesh_make(solid, density, mesh.vertices, mesh.vertex_count, mesh.triangles,
                               mesh.triangle_count, &model, error);
    sn_hull_free(corners, faces);
    sni_triangles_clear(&mesh);
    thing->item.model = model;
    return status;
}

// ---- models -----------------------------------------------------------------------------------------

static sn_status fail_model_name(const sni_reader* reader, const sni_value* value) {
    char best[256];
    if (reader->def.no_files)
        return sni_node_fail(&reader->source, value->at, "'%.60s': files are not opened here",
                             value->text);
    const char* near = sni_nearest_file(reader->def.model_paths, sni_model_endings, value->text,
                                        best, sizeof best);
    if (near)
        return sni_node_fail(&reader->source, value->at,
                             "there is no model '%.60s'; did you mean '%s'?", value->text, near);
    return sni_node_fail(&reader->source, value->at,
                         "there is no model '%.60s'; 'file' takes a path, 'generate' a word such "
                         "as chain:10",
                         value->text);
}

/// Joints that are to give way.
static sn_status read_flexible(sni_reader* reader, const sni_value* list, sn_load_def* def) {
    if (!list->at) return SN_OK;
    sn_flexible_joint* joint =
        sni_memory_take(reader->memory, ((size_t)list->at->count + 1) * sizeof *joint);
    if (!joint) return sni_fail_memory(reader);
    def->flexible = joint;
    sni_walk w = sni_walk_list(list);
    for (const sni_node* node; (node = sni_walk_on(reader, &w));) {
        sni_flexible_keys k;
        sn_status status = SN_MAP_READ(&reader->source, node, &sni_flexible_map, &k);
        if (status) return status;
        joint[def->flexible_count++] =
            (sn_flexible_joint){k.joint.text, k.stiffness.number[0], sni_number_or(&k.damping, 0)};
    }
    return SN_OK;
}

static sn_status load_model(sni_reader* reader, const sni_item_keys* k, sn_model** model) {
    char found[4096];
    const char* path = found;
    sn_load_def def = sn_load_def_default();
    def.base = k->base.at && k->base.word == BASE_FREE ? SN_BASE_FREE : SN_BASE_AS_FILE;
    def.meshes = k->meshes.at ? (sn_mesh_use)k->meshes.word : SN_MESH_HULL;
    def.visual_meshes = reader->def.visual_meshes;
    def.package_paths = reader->def.package_paths;
    def.log = reader->def.log;
    sn_status status = SN_OK;
    if (k->srdf.at) status = sni_read_path(reader, &k->srdf, &def.srdf);
    if (!status) status = read_flexible(reader, &k->flexible, &def);
    if (!status && k->file.at)
        status = sni_read_path(reader, &k->file, &path);
    else if (!status &&
             (reader->def.no_files || !sni_find_file(reader->def.model_paths, sni_model_endings,
                                                     k->model.text, found, sizeof found)))
        status = fail_model_name(reader, &k->model);
    if (status) return status;
    status = sn_model_load(path, &def, model, reader->source.error);
    return at_name(reader, k->file.at ? &k->file : &k->model, status);
}

/// A model like the given one with other surfaces; takes it.
static sn_status with_material(sni_reader* reader, const sni_value* value, sn_model** model) {
    sn_material material = sn_material_default();
    sn_status status = sni_read_material(reader, value, &material);
    if (status || !value->at) return status;
    sn_model* before = *model;
    sn_model_builder* builder = sn_model_builder_create(sn_model_name(before));
    if (!builder || sn_model_builder_add_model(builder, before, NULL, sn_pose_identity())) {
        sn_model_builder_free(builder);
        return sni_fail_memory(reader);
    }
    for (int s = 0; s < sn_model_builder_shape_count(builder); s++)
        sn_model_builder_set_material(builder, s, material);
    status = sn_model_builder_compile(builder, NULL, model, reader->source.error);
    sn_model_builder_free(builder);
    if (status)
        *model = before;
    else
        sn_model_free(before);
    return status;
}

static sn_status generated_model(sni_reader* reader, const sni_item_keys* k, sn_model** model) {
    bool free_base = k->base.at && k->base.word == BASE_FREE;
    sn_status status = sni_generate_model(k->generate.text, free_base, false,
                                          reader->def.most_bodies, model, reader->source.error);
    if (status != SN_ERR_FORMAT) return at_place(reader, k->generate.at, status);
    return sni_node_fail(&reader->source, k->generate.at,
                         "'%.60s' is not SHAPE:COUNT[:SEED]; SHAPE is chain, tree, star, "
                         "caterpillar, random, pendulum or cable, or stack, apart, pyramid, wall, "
                         "dominoes, cards or heap",
                         k->generate.text);
}

static sn_status jointed_model(sni_reader* reader, const sni_item_keys* k, sni_thing* thing) {
    sn_model* model = NULL;
    sn_status status =
        k->generate.at ? generated_model(reader, k, &model) : load_model(reader, k, &model);
    if (!status) status = with_material(reader, &k->material, &model);
    thing->item.model = model;
    return status;
}

// ---- where it begins --------------------------------------------------------------------------------

static sn_status read_state(sni_reader* reader, const sni_item_keys* k, sn_item* item) {
    const sn_model* model = item->model;
    if (k->q.at || k->stand.at) {
        double* q = sni_memory_take(reader->memory, ((size_t)sn_model_nq(model) + 1) * sizeof *q);
        if (!q) return sni_fail_memory(reader);
        sn_model_neutral(model, q);
        sn_status status = sni_read_joints(reader, &k->q, model, false, q);
        if (status) return status;
        item->q = q;
    }
    if (!k->qd.at) return SN_OK;
    double* v = sni_memory_take(reader->memory, ((size_t)sn_model_nv(model) + 1) * sizeof *v);
    if (!v) return sni_fail_memory(reader);
    item->v = v;
    return sni_read_joints(reader, &k->qd, model, true, v);
}

/// Rotation and place of a free joint at q, in its joint frame.
static sn_pose free_pose(const double* q) {
    return sn_pose_make(sn_quat_matrix(sn_quat_make(q[3], q[4], q[5], q[6])),
                        sn_vec3_make(q[0], q[1], q[2]));
}

// Free roots move with the item about its origin; v of a free joint is in body axes.
bool sni_item_throw(const sn_item* item, sn_vec3 v, sn_vec3 w, double* numbers) {
    bool any = false;
    for (int i = 0; i < sn_model_body_count(item->model); i++) {
        sn_body_info b = sn_model_body(item->model, sn_body(i));
        if (b.parent.i >= 0 || b.type != SN_JOINT_FREE) continue;
        sn_pose X = sn_pose_mul(item->pose, b.placement);
        if (item->q) X = sn_pose_mul(X, free_pose(item->q + b.iq));
        sn_vec3 arm = sn_vec3_sub(X.p, item->pose.p);
        sn_vec3 v_b = sn_mat3_apply_transposed(X.R, sn_vec3_add(v, sn_vec3_cross(w, arm)));
        sn_vec3 w_b = sn_mat3_apply_transposed(X.R, w);
        const double six[6] = {w_b.x, w_b.y, w_b.z, v_b.x, v_b.y, v_b.z};
        memcpy(numbers + b.iv, six, sizeof six);
        any = true;
    }
    return any;
}

static sn_status read_motion(sni_reader* reader, const sni_item_keys* k, sn_item* item) {
    if (!k->v.at && !k->w.at) return SN_OK;
    sn_vec3 v = sni_vec3_or(&k->v, sn_vec3_zero()), w = sni_vec3_or(&k->w, sn_vec3_zero());
    size_t size = ((size_t)sn_model_nv(item->model) + 1) * sizeof(double);
    double* numbers = (double*)item->v;
    if (!numbers) numbers = sni_memory_take(reader->memory, size);
    if (!numbers) return sni_fail_memory(reader);
    item->v = numbers;
    if (sni_item_throw(item, v, w, numbers)) return SN_OK;
    return sni_node_fail(&reader->source, k->v.at ? k->v.at : k->w.at,
                         "its root is held by the world, so it cannot move as a whole; 'qd' has "
                         "the speeds of joints");
}

static sn_status read_locks(sni_reader* reader, const sni_item_keys* k, sn_item* item) {
    bool fixed = k->base.at && k->base.word == BASE_FIXED;
    if (!k->lock.at && !fixed) return SN_OK;
    const sn_model* model = item->model;
    int bodies = sn_model_body_count(model);
    bool* locked = sni_memory_take(reader->memory, (size_t)bodies + 1);
    if (!locked) return sni_fail_memory(reader);
    sn_status status = SN_OK;
    if (k->lock.at) status = sni_read_joint_names(reader, &k->lock, model, locked);
    for (int i = 0; i < bodies && fixed; i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        if (b.parent.i < 0 && b.type == SN_JOINT_FREE) locked[i] = true;
    }
    item->locked = locked;
    return status;
}

/// Lifts it until its lowest point is as far above the floor as 'at' says.
static sn_status stand_up(sni_reader* reader, const sni_item_keys* k, sn_item* item) {
    if (!sni_truth_or(&k->stand, false)) return SN_OK;
    double above = item->pose.p.z, lowest;
    item->pose.p.z = 0;
    if (!sni_lowest(item->model, item->pose, item->q, &lowest)) return sni_fail_memory(reader);
    if (!isfinite(lowest))
        return sni_node_fail(&reader->source, k->stand.at,
                             "it has no collision shapes on bodies that move, so it cannot stand; "
                             "give its place with 'at'");
    item->pose.p.z = reader->floor_height + above - lowest;
    return SN_OK;
}

// ---- keys without use -------------------------------------------------------------------------------

/// A key that has nothing to work on: what the other keys make of the thing has no use for it.
static sn_status check_use(const sni_reader* reader, const sni_item_keys* k) {
    bool file = k->file.at || k->model.at, jointed = file || k->generate.at;
    bool mesh = k->mesh.at || (k->hull.at && k->hull.is == SN_ACCEPT_TEXT);
    const struct {
        const sni_value* value;
        bool used;
        const char* where;
    } keys[] = {
        {&k->base, jointed, "a model"},
        {&k->q, jointed, "a model"},
        {&k->qd, jointed, "a model"},
        {&k->lock, jointed, "a model"},
        {&k->meshes, file, "a model from a file"},
        {&k->scale, mesh, "a mesh file"},
        {&k->color, !jointed, "a shape"},
        {&k->mass, !jointed, "a shape, this model has its own masses"},
        {&k->density, !jointed, "a shape, this model has its own masses"},
    };
    const sni_value* first = &k->name;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].value->at && !keys[i].used)
            return sni_node_fail(&reader->source, keys[i].value->at, "'%s' is for %s; leave it out",
                                 sni_model_map.key[keys[i].value - first].name, keys[i].where);
    return SN_OK;
}

// ---- things -----------------------------------------------------------------------------------------

static sn_status read_repeat(sni_reader* reader, const sni_value* value, sni_thing* thing) {
    if (!value->at) return SN_OK;
    sni_repeat_keys k;
    sn_status status = SN_MAP_READ(&reader->source, value->at, &sni_repeat_map, &k);
    if (status) return status;
    double all = 1;
    for (int d = 0; d < 3; d++) {
        double count = k.count.number[d];
        if (count != floor(count))
            return sni_node_fail(&reader->source, k.count.at, "'count' must be whole numbers");
        all *= count;
        if (all > reader->def.most_bodies)
            return sni_node_fail(&reader->source, k.count.at, "more than %d of it",
                                 reader->def.most_bodies);
        thing->copies[d] = (int)count;
    }
    thing->spacing = sni_vec3_or(&k.spacing, sn_vec3_zero());
    return SN_OK;
}

static const char* kind_of(const sni_item_keys* k) {
    return k->box.at        ? "box"
           : k->sphere.at   ? "sphere"
           : k->cylinder.at ? "cylinder"
           : k->capsule.at  ? "capsule"
           : k->hull.at     ? "hull"
           : k->mesh.at     ? "mesh"
           : k->plane.at    ? "plane"
           : k->model.at    ? k->model.text
                            : "model";
}

static sn_status read_name(sni_reader* reader, const sni_item_keys* k, sni_thing* thing) {
    char made[96];
    const char* name = k->name.at ? k->name.text : made;
    if (k->name.at && strchr(name, '/'))
        return sni_node_fail(&reader->source, k->name.at,
                             "a name has no '/': that stands between item and body");
    while (!k->name.at) {
        snprintf(made, sizeof made, "%.60s_%d", kind_of(k), ++reader->unnamed);
        if (!reader->scene || sni_scene_find(reader->scene, made) < 0) break;
    }
    thing->item.name = sni_memory_text(reader->memory, name);
    return thing->item.name ? SN_OK : sni_fail_memory(reader);
}

static sn_status read_content(sni_reader* reader, const sni_item_keys* k, const sni_map* map,
                              sni_thing* thing) {
    sni_solid solid;
    memset(&solid, 0, sizeof solid); // compared byte by byte
    solid.fixed = map == &sni_environment_map;
    if (k->file.at || k->model.at || k->generate.at) return jointed_model(reader, k, thing);
    if (k->plane.at && !k->plane.truth)
        return sni_node_fail(&reader->source, k->plane.at, "'plane' is true, or is left out");
    solid.material = sn_material_default();
    sn_status status = sni_read_material(reader, &k->material, &solid.material);
    if (status) return status;
    read_color(&k->color, solid.color);
    thing->own_body = !solid.fixed;
    if (solid_of(k, solid.fixed, &solid)) return solid_model(reader, &solid, thing);
    return mesh_model(reader, k, &solid, thing);
}

sn_status sni_read_thing(sni_reader* reader, const sni_node* node, const sni_map* map,
                         sni_thing* thing) {
    sni_item_keys k;
    *thing = (sni_thing){.copies = {1, 1, 1}};
    sn_item* item = &thing->item;
    item->place = sni_node_place(&reader->source, node);
    sn_status status = SN_MAP_READ(&reader->source, node, map, &k);
    if (!status) status = check_use(reader, &k);
    if (!status) status = read_name(reader, &k, thing);
    if (!status) status = sni_read_pose(reader, &k.at, &item->pose);
    if (!status) status = read_repeat(reader, &k.repeat, thing);
    if (!status) status = at_place(reader, node, read_content(reader, &k, map, thing));
    if (!status) status = read_state(reader, &k, item);
    if (!status) status = stand_up(reader, &k, item);
    if (!status) status = read_motion(reader, &k, item);
    if (!status) status = read_locks(reader, &k, item);
    if (thing->own_body) item->prefix = item->name;
    if (!status || thing->shared) return status;
    sn_model_free((sn_model*)item->model);
    item->model = NULL;
    return status;
}

/// Puts the copies of a thing into the scene, x first.
static sn_status put_thing(sni_reader* reader, const sni_thing* thing) {
    sn_scene* scene = reader->scene;
    sn_item item = thing->item;
    const int* n = thing->copies;
    int all = n[0] * n[1] * n[2];
    int most = reader->def.most_bodies;
    if ((int64_t)all * sn_model_body_count(item.model) + scene->body_count > most)
        return sni_fail(reader->source.error, SN_ERR_CAPACITY, item.place,
                        "more than %d bodies in the scene", most);
    if ((int64_t)all + scene->item_count > (int64_t)most + ITEMS_BESIDES)
        return sni_fail(reader->source.error, SN_ERR_CAPACITY, item.place,
                        "more than %d items in the scene", most + ITEMS_BESIDES);
    for (int i = 0; i < all; i++) {
        char name[320];
        sn_vec3 cell = sn_vec3_make(i % n[0], i / n[0] % n[1], i / n[0] / n[1]);
        sn_vec3 s = thing->spacing;
        item.pose.p =
            sn_vec3_add(thing->item.pose.p, sn_vec3_make(s.x * cell.x, s.y * cell.y, s.z * cell.z));
        if (all > 1) {
            snprintf(name, sizeof name, "%.255s_%d", thing->item.name, i + 1);
            item.name = name;
            if (thing->own_body) item.prefix = name;
        }
        sn_status status = sni_scene_put(scene, &item, reader->source.error);
        if (status) return status;
    }
    return SN_OK;
}

sn_status sni_read_things(sni_reader* reader, const sni_value* list, const sni_map* map) {
    if (!list->at) return SN_OK;
    const sni_node* at = sni_node_first(list->at);
    for (int i = 0; i < list->at->count; i++, at = sni_node_next(reader->source.yaml, at)) {
        sni_thing thing;
        sn_status status = sni_read_thing(reader, at, map, &thing);
        if (status) return status;
        if (!thing.shared && sni_scene_own(reader->scene, (sn_model*)thing.item.model)) {
            sn_model_free((sn_model*)thing.item.model);
            return sni_fail_memory(reader);
        }
        status = put_thing(reader, &thing);
        if (status) return status;
    }
    return SN_OK;
}

sn_status sni_read_floor(sni_reader* reader, const sni_value* value) {
    if (!value->at || (value->is == SN_ACCEPT_BOOL && !value->truth)) return SN_OK;
    sni_floor_keys k;
    memset(&k, 0, sizeof k);
    sni_solid solid;
    memset(&solid, 0, sizeof solid);
    solid.type = SN_SHAPE_PLANE;
    solid.fixed = true;
    solid.material = sn_material_default();
    sn_status status = SN_OK;
    if (value->is == SN_ACCEPT_MAP)
        status = SN_MAP_READ(&reader->source, value->at, &sni_floor_map, &k);
    if (!status) status = sni_read_material(reader, &k.material, &solid.material);
    if (status) return status;
    if (k.mu.at) solid.material.mu = solid.material.mu_kinetic = k.mu.number[0];
    read_color(&k.color, solid.color);
    sni_thing thing = {.copies = {1, 1, 1}};
    thing.item.name = "floor";
    thing.item.pose = sn_pose_identity();
    thing.item.pose.p.z = reader->floor_height = sni_number_or(&k.height, 0);
    thing.item.place = sni_node_place(&reader->source, value->at);
    status = solid_model(reader, &solid, &thing);
    return status ? status : put_thing(reader, &thing);
}
