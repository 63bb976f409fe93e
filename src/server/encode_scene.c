// SPDX-License-Identifier: Apache-2.0
#include "server/encode_scene.h"

#include <jansson.h>
#include <math.h>

#include "server/encode_atoms.h"
#include "server/json_text.h"

// ---- small pieces of JSON -------------------------------------------------------------------------------------------

/// null where it is not finite.
static json_t* number(double x) { return isfinite(x) ? json_real(x) : json_null(); }

static json_t* vector(sn_vec3 v) {
    return json_pack("[o,o,o]", number(v.x), number(v.y), number(v.z));
}

/// Names come from files: what is no UTF-8 in them is left out.
static json_t* text(const char* word) {
    json_t* t = json_string(word);
    return t ? t : json_string("");
}

// ---- lists that may be long: items, bodies, shapes ---------------------------------------------------------------------

static void put_vector(sni_bytes* out, sn_vec3 v) {
    const double x[3] = {v.x, v.y, v.z};
    sni_write_numbers(out, x, 3);
}

static void put_pose(sni_bytes* out, sn_pose X) {
    sni_pose32 p = sni_pose32_of(X);
    double x[7];
    for (int k = 0; k < 7; k++) x[k] = (double)p.at[k];
    sni_write_numbers(out, x, 7);
}

static void put_field(sni_bytes* out, const char* key, double value) {
    sni_write_raw(out, key);
    sni_write_number(out, value);
}

static void put_item(sni_bytes* out, const sni_cast_item* item) {
    sni_write_raw(out, "{\"name\":");
    sni_write_text(out, item->name);
    put_field(out, ",\"first_body\":", item->first);
    put_field(out, ",\"bodies\":", item->bodies);
    sni_write_raw(out, "}");
}

static bool has_axis(sn_joint_type type) {
    return type != SN_JOINT_SPHERICAL && type != SN_JOINT_FREE && type != SN_JOINT_FIXED;
}

static void put_joint(sni_bytes* out, const sn_body_info* info) {
    sni_write_raw(out, "{\"name\":");
    sni_write_text(out, info->joint_name);
    sni_write_raw(out, ",\"type\":");
    sni_write_text(out, sn_joint_type_name(info->type));
    put_field(out, ",\"nq\":", info->nq);
    put_field(out, ",\"nv\":", info->nv);
    sni_write_raw(out, ",\"axis\":");
    if (has_axis(info->type))
        put_vector(out, info->axis);
    else
        sni_write_raw(out, "null");
    sni_write_raw(out, ",\"lower\":");
    sni_write_numbers(out, info->lower, info->nv);
    sni_write_raw(out, ",\"upper\":");
    sni_write_numbers(out, info->upper, info->nv);
    sni_write_raw(out, "}");
}

static void put_body(sni_bytes* out, const sn_body_info* info, int item) {
    sni_write_raw(out, "{\"name\":");
    sni_write_text(out, info->name);
    put_field(out, ",\"item\":", item);
    put_field(out, ",\"parent\":", info->parent.i);
    put_field(out, ",\"mass\":", info->inertia.mass);
    sni_write_raw(out, ",\"com\":");
    put_vector(out, info->inertia.com);
    sni_write_raw(out, ",\"joint\":");
    put_joint(out, info);
    sni_write_raw(out, "}");
}

static void put_shape(sni_bytes* out, const sn_shape_info* shape, int mesh) {
    put_field(out, "{\"body\":", shape->body.i);
    sni_write_raw(out, ",\"type\":");
    sni_write_text(out, sn_shape_type_name(shape->type));
    sni_write_raw(out, ",\"size\":");
    put_vector(out, shape->size);
    sni_write_raw(out, ",\"pose\":");
    put_pose(out, shape->X_bs);
    sni_write_raw(out, ",\"colour\":");
    sni_write_numbers(out, shape->color, 4);
    put_field(out, ",\"mesh\":", mesh);
    sni_write_raw(out,
                  shape->use & SN_SHAPE_COLLISION ? ",\"collision\":true" : ",\"collision\":false");
    sni_write_raw(out, shape->use & SN_SHAPE_VISUAL ? ",\"visual\":true}" : ",\"visual\":false}");
}

/// Triangles of a shape into the blob.
static json_t* add_mesh(const sn_shape_info* shape, sni_bytes* blob) {
    size_t vertices_at = blob->count;
    for (int32_t k = 0; k < shape->vertex_count; k++) {
        sni_put_f32(blob, shape->vertices[k].x);
        sni_put_f32(blob, shape->vertices[k].y);
        sni_put_f32(blob, shape->vertices[k].z);
    }
    sni_put_padding(blob);
    size_t index_at = blob->count;
    for (int32_t k = 0; k < 3 * shape->triangle_count; k++)
        sni_put_u32(blob, (uint32_t)shape->triangles[k]);
    sni_put_padding(blob);
    return json_pack("{s:o,s:o}", "vertex",
                     sni_place_in_blob(vertices_at, (size_t)shape->vertex_count), "index",
                     sni_place_in_blob(index_at, (size_t)shape->triangle_count));
}

static void put_lists(const sni_scene_parts* parts, json_t* meshes, sni_bytes* blob,
                      sni_bytes* out) {
    const sn_model* model = parts->picture->model;
    const sni_cast* cast = parts->cast;
    sni_write_raw(out, "\"items\":[");
    for (int i = 0; i < cast->count; i++) {
        if (i > 0) sni_write_raw(out, ",");
        put_item(out, &cast->item[i]);
    }
    sni_write_raw(out, "],\"bodies\":[");
    for (int b = 0; b < sn_model_body_count(model); b++) {
        sn_body_info info = sn_model_body(model, sn_body(b));
        if (b > 0) sni_write_raw(out, ",");
        put_body(out, &info, cast->item_of[b]);
    }
    sni_write_raw(out, "],\"shapes\":[");
    for (int s = 0; s < sn_model_shape_count(model); s++) {
        sn_shape_info shape = sn_model_shape(model, s);
        bool has_mesh = shape.vertices && shape.triangle_count > 0;
        if (s > 0) sni_write_raw(out, ",");
        put_shape(out, &shape, has_mesh ? (int)json_array_size(meshes) : -1);
        if (has_mesh) (void)json_array_append_new(meshes, add_mesh(&shape, blob));
    }
    sni_write_raw(out, "]");
}

// ---- where it is ------------------------------------------------------------------------------------------------------

static bool has_floor(const sn_model* model) {
    for (int s = 0; s < sn_model_shape_count(model); s++) {
        sn_shape_info shape = sn_model_shape(model, s);
        if (shape.body.i < 0 && shape.type == SN_SHAPE_PLANE) return true;
    }
    return false;
}

/// How far a shape reaches from its origin, m.
static double reach(const sn_shape_info* shape) {
    double most = 0;
    switch (shape->type) {
    case SN_SHAPE_SPHERE: return shape->size.x;
    case SN_SHAPE_BOX: return 0.5 * sn_vec3_norm(shape->size);
    case SN_SHAPE_CYLINDER: return hypot(shape->size.x, 0.5 * shape->size.z);
    case SN_SHAPE_CAPSULE: return shape->size.x + 0.5 * shape->size.z;
    case SN_SHAPE_PLANE: return 0;
    case SN_SHAPE_MESH:
    case SN_SHAPE_HULL:
        for (int32_t k = 0; shape->vertices && k < shape->vertex_count; k++)
            most = fmax(most, sn_vec3_norm(shape->vertices[k]));
        return most;
    }
    return 0;
}

typedef struct extent {
    sn_vec3 low, high;
} extent;

static void widen(extent* e, sn_vec3 p, double r) {
    if (!isfinite(p.x + p.y + p.z)) return;
    e->low =
        sn_vec3_make(fmin(e->low.x, p.x - r), fmin(e->low.y, p.y - r), fmin(e->low.z, p.z - r));
    e->high =
        sn_vec3_make(fmax(e->high.x, p.x + r), fmax(e->high.y, p.y + r), fmax(e->high.z, p.z + r));
}

static sni_molecule_source molecules_of(const sni_scene_parts* parts) {
    return (sni_molecule_source){parts->scene, parts->view->recording, parts->cast};
}

static void widen_by_atoms(extent* e, const sni_scene_parts* parts) {
    sni_molecule_source source = molecules_of(parts);
    sni_shown_molecule shown;
    for (int next = 0; sni_next_molecule(&source, &next, &shown);)
        for (int a = 0; a < sn_molecule_atom_count(sn_torsion_tree_molecule(shown.of.tree)); a++) {
            sni_atom_place atom = sni_place_atom(&shown, a);
            sn_pose X = atom.body < 0 ? sn_pose_identity()
                                      : sn_snapshot_pose(parts->picture->shot, sn_body(atom.body));
            widen(e, sn_pose_apply(X, atom.p), atom.radius);
        }
}

/// Of what moves and of molecules, as it is now; *radius m about the centre.
static sn_vec3 centre_of(const sni_scene_parts* parts, double* radius) {
    const sni_picture* picture = parts->picture;
    extent e = {sn_vec3_make(INFINITY, INFINITY, INFINITY),
                sn_vec3_make(-INFINITY, -INFINITY, -INFINITY)};
    for (int b = 0; b < picture->bodies; b++)
        widen(&e, sn_snapshot_pose(picture->shot, sn_body(b)).p, 0);
    for (int s = 0; s < sn_model_shape_count(picture->model); s++) {
        sn_shape_info shape = sn_model_shape(picture->model, s);
        if (shape.body.i < 0) continue;
        sn_pose X = sn_snapshot_pose(picture->shot, shape.body);
        widen(&e, sn_pose_apply(X, shape.X_bs.p), reach(&shape));
    }
    widen_by_atoms(&e, parts);
    bool any = e.high.x >= e.low.x;
    *radius = any ? 0.5 * sn_vec3_norm(sn_vec3_sub(e.high, e.low)) : 1;
    return any ? sn_vec3_scale(0.5, sn_vec3_add(e.low, e.high)) : sn_vec3_zero();
}

static json_t* camera_of(const sn_scene* scene) {
    sn_camera_def camera = scene ? sn_scene_camera(scene) : (sn_camera_def){0};
    if (!camera.given) return json_null();
    return json_pack("{s:o,s:o,s:o}", "eye", vector(camera.eye), "target", vector(camera.target),
                     "fov", number(camera.fov));
}

// ---- who looks and pushes -----------------------------------------------------------------------------------------------

static const char* sensor_type(sn_sensor_type type) {
#define NAME(code, name, count, words) [code] = (name),
    static const char* const names[] = {SN_SENSOR_LIST(NAME)};
#undef NAME
    return names[type];
}

static json_t* sensors_of(const sn_scene* scene) {
    json_t* list = json_array();
    for (int i = 0; scene && i < sn_scene_sensor_count(scene); i++) {
        const sn_sensor_def* sensor = sn_scene_sensor(scene, i);
        (void)json_array_append_new(list, json_pack("{s:o,s:s,s:i}", "name", text(sensor->name),
                                                    "type", sensor_type(sensor->type), "numbers",
                                                    sensor->numbers));
    }
    return list;
}

static json_t* controllers_of(const sn_scene* scene) {
    json_t* list = json_array();
    for (int i = 0; scene && i < sn_scene_controller_count(scene); i++)
        (void)json_array_append_new(list, text(sn_scene_controller(scene, i)->name));
    return list;
}

static json_t* hands_of(const sni_facts* facts) {
    json_t* list = json_array();
    for (int i = 0; facts && i < facts->hand_count; i++)
        if (facts->hand[i].owner == 0)
            (void)json_array_append_new(list,
                                        json_pack("{s:o,s:s}", "name", text(facts->hand[i].name),
                                                  "device", facts->hand[i].report.profile.name));
    return list;
}

static json_t* dynamics_choices(void) {
    json_t* list = json_array();
    for (int i = 0; sn_dynamics_algorithm(i); i++)
        (void)json_array_append_new(list, json_string(sn_dynamics_algorithm(i)));
    return list;
}

static json_t* replay_of(const sni_scene_parts* parts) {
    const sn_server_view* view = parts->view;
    if (!view->is_replay) return json_null();
    double seconds = view->replay_end - view->replay_begin;
    return json_pack("{s:I,s:o,s:o}", "steps", (json_int_t)llround(seconds / parts->step),
                     "seconds", number(seconds), "begin", number(view->replay_begin));
}

// ---- all ------------------------------------------------------------------------------------------------------------------

/// What numbers are multiplied with to be shown, and what they then are.   docs/decisions/0012
static json_t* unit_of(const sn_units* u) {
    return json_pack("{s:f,s:s,s:f,s:s,s:f,s:s,s:s,s:s,s:s}", "length", u->length.factor, "symbol",
                     u->length.shown, "force", u->force.factor, "force_symbol", u->force.shown,
                     "way", u->way.factor, "way_symbol", u->way.shown, "time_symbol", u->time.shown,
                     "mass_symbol", u->mass.shown, "energy_symbol", u->energy.shown);
}

/// All but the long lists.
static json_t* describe(const sni_scene_parts* parts, json_t* meshes, sni_bytes* blob) {
    const sn_model* model = parts->picture->model;
    const sni_facts* facts = parts->facts;
    double radius;
    sn_vec3 centre = centre_of(parts, &radius);
    json_t* scene = json_pack(
        "{s:I,s:o,s:o,s:o,s:f,s:o,s:i,s:s,s:o,s:b,s:b}", "generation",
        (json_int_t)parts->generation, "name", text(parts->name), "about",
        text(parts->scene ? sn_scene_about(parts->scene) : ""), "unit", unit_of(parts->units),
        "step", parts->step, "gravity", vector(facts ? facts->gravity : sn_vec3_zero()), "dof",
        sn_model_nv(model), "dynamics", facts ? facts->dynamics : "", "dynamics_choices",
        dynamics_choices(), "adaptive", parts->picture->adaptive, "floor", has_floor(model));
    json_t* more =
        json_pack("{s:o,s:o,s:o,s:O,s:o,s:o,s:o,s:o}", "radius", number(radius), "centre",
                  vector(centre), "camera", camera_of(parts->scene), "meshes", meshes, "sensors",
                  sensors_of(parts->scene), "controllers", controllers_of(parts->scene), "hands",
                  hands_of(facts), "replay", replay_of(parts));
    (void)json_object_update(scene, more);
    json_decref(more);
    sni_molecule_source molecules = molecules_of(parts);
    sni_encode_atoms(&molecules, scene, blob);
    return scene;
}

void sni_encode_scene(const sni_scene_parts* parts, sni_bytes* out) {
    enum { DIGITS = 9 }; // floats are exact with nine
    sni_bytes blob = {0};
    json_t* meshes = json_array();
    size_t length_at = out->count;
    sni_put_u32(out, 0);
    size_t begin = out->count;
    sni_write_raw(out, "{");
    put_lists(parts, meshes, &blob, out);
    json_t* scene = describe(parts, meshes, &blob);
    char* words = scene ? json_dumps(scene, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS)) : NULL;
    json_decref(scene);
    json_decref(meshes);
    if (!words || blob.failed) {
        out->failed = true;
    } else {
        words[0] = ','; // instead of the brace: the lists were first
        sni_write_raw(out, words);
        sni_set_u32(out, length_at, (uint32_t)(out->count - begin));
        sni_put_padding(out);
        sni_put(out, blob.at, blob.count);
    }
    free(words);
    sni_bytes_free(&blob);
}
