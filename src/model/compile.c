// SPDX-License-Identifier: Apache-2.0
// From definitions to the immutable model: order, fold fixed joints, turn every joint's axis to z,
// lay the constants out in traversal order.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/order.h"
#include "model/sn_model.h"
#include "model/validate.h"

/// Where a definition ended up: the moving body that carries it and its pose there.
typedef struct carried {
    int32_t body; ///< -1: world
    sn_pose X_bf; ///< user frames
} carried;

typedef struct compiler {
    const sn_model_builder* builder;
    const sn_log* log;
    sni_order order;
    carried* carried;    ///< [definitions]
    int32_t* def_of;     ///< [bodies] definition of each moving body
    sn_inertia* inertia; ///< [bodies] with everything folded in
    sn_model sizes;      ///< counts, before there is memory
    size_t text_size;
} compiler;

/// Rounding may have left the two halves of a turned inertia different in the last digit.
static sn_inertia symmetric(sn_inertia a) {
    a.I = sni_symmetric_part(a.I);
    return a;
}

/// Walks the definitions in order: which move, which are folded, how large everything is.
static void count_and_fold(compiler* c) {
    const sn_model_builder* builder = c->builder;
    sn_model* sizes = &c->sizes;
    c->text_size = strlen(builder->name) + 1;
    for (size_t k = 0; k < builder->body_count; k++) {
        int32_t d = c->order.at[k], parent = c->order.parent[d];
        const sn_body_def* def = &builder->bodies[d];
        carried from = {-1, sn_pose_identity()};
        if (parent >= 0) from = c->carried[parent];
        c->text_size += strlen(def->name) + strlen(def->joint.name) + 2;
        if (def->joint.type != SN_JOINT_FIXED) {
            int32_t b = sizes->body_count++;
            sizes->nq += sn_joint_type_nq(def->joint.type);
            sizes->nv += sn_joint_type_nv(def->joint.type);
            c->def_of[b] = d;
            c->inertia[b] = symmetric(def->inertia);
            c->carried[d].body = b;
            c->carried[d].X_bf = sn_pose_identity();
            continue;
        }
        carried* to = &c->carried[d];
        to->body = from.body;
        to->X_bf = sn_pose_mul(from.X_bf, def->joint.placement);
        if (to->body >= 0 && def->inertia.mass > 0)
            c->inertia[to->body] = symmetric(
                sn_inertia_sum(c->inertia[to->body], sn_inertia_moved(to->X_bf, def->inertia)));
    }
    sizes->frame_count = (int32_t)builder->body_count;
    sizes->shape_count = (int32_t)builder->shape_count;
    for (size_t s = 0; s < builder->shape_count; s++) {
        const sn_shape_def* shape = &builder->shapes[s];
        c->text_size += strlen(shape->name) + strlen(shape->mesh) + 2;
        sizes->vertex_count += shape->vertex_count;
        sizes->triangle_count += shape->triangle_count;
    }
    sizes->exclusion_count = (int32_t)builder->exclusion_count;
    sizes->loop_count = (int32_t)builder->loop_count;
    for (size_t l = 0; l < builder->loop_count; l++)
        c->text_size += strlen(builder->loops[l].name) + 1;
}

static void layout(sn_model* model, sni_arena* arena, size_t text_size) {
    int32_t n = model->body_count;
    model->joint = SN_ARENA_ARRAY(arena, sni_joint, n);
    model->inertia = SN_ARENA_ARRAY(arena, sni_rigid, n);
#define TAKE(field) model->dof.field = SN_ARENA_ARRAY(arena, double, model->nv);
    SN_DOF_FIELDS(TAKE)
#undef TAKE
    model->dof.rest = SN_ARENA_ARRAY(arena, double, model->nq);
    model->R_bc = SN_ARENA_ARRAY(arena, sn_mat3, n);
    model->body = SN_ARENA_ARRAY(arena, sni_body_record, n);
    model->frame = SN_ARENA_ARRAY(arena, sni_frame_record, model->frame_count);
    model->shape = SN_ARENA_ARRAY(arena, sn_shape_info, model->shape_count);
    model->vertex = SN_ARENA_ARRAY(arena, sn_vec3, model->vertex_count);
    model->triangle = SN_ARENA_ARRAY(arena, int32_t, 3 * (size_t)model->triangle_count);
    model->exclusion = SN_ARENA_ARRAY(arena, sn_exclusion, model->exclusion_count);
    model->loop = SN_ARENA_ARRAY(arena, sni_loop, model->loop_count);
    model->loop_info = SN_ARENA_ARRAY(arena, sn_loop_info, model->loop_count);
    model->text = SN_ARENA_ARRAY(arena, char, text_size);
    sni_name_map_layout(&model->body_names, arena, n);
    sni_name_map_layout(&model->joint_names, arena, n);
    sni_name_map_layout(&model->frame_names, arena, model->frame_count);
    sni_name_map_layout(&model->loop_names, arena, model->loop_count);
}

/// Copies a string into the model's text and moves the end on.
static const char* put_text(char** end, const char* text) {
    size_t length = strlen(text) + 1;
    char* at = *end;
    memcpy(at, text, length);
    *end += length;
    return at;
}

static sn_vec3 unit(sn_vec3 a) {
    double norm = sn_vec3_norm(a);
    return fabs(norm - 1) <= SN_UNIT_ROUNDING ? a : sn_vec3_scale(1 / norm, a);
}

/// A turn that takes z to the unit vector a: the shortest one, or, in the lower half where that one
/// loses digits, half a turn about x before the shortest one to -a.
static sn_mat3 turn_z_to(sn_vec3 a) {
    if (a.z < -0.5) return sn_mat3_mul(turn_z_to(sn_vec3_neg(a)), sn_mat3_diagonal(1, -1, -1));
    // R = 1 + [w]x + [w]x^2 / (1 + cos),  w = z x a,  cos = a.z
    double k = 1 / (1 + a.z);
    return sn_mat3_rows(sn_vec3_make(1 - k * a.x * a.x, -k * a.x * a.y, a.x),
                        sn_vec3_make(-k * a.x * a.y, 1 - k * a.y * a.y, a.y),
                        sn_vec3_make(-a.x, -a.y, a.z));
}

/// Axes of the canonical frame in the user's body frame.
static sn_mat3 canonical_axes(const sn_joint_def* joint, sn_vec3* axis, sn_vec3* axis2) {
    *axis = sn_vec3_make(0, 0, 1);
    *axis2 = sn_vec3_make(0, 1, 0);
    if (joint->type == SN_JOINT_SPHERICAL || joint->type == SN_JOINT_FREE ||
        joint->type == SN_JOINT_FIXED)
        return sn_mat3_identity();
    *axis = unit(joint->axis);
    if (joint->type != SN_JOINT_UNIVERSAL) return turn_z_to(*axis);
    *axis2 = unit(joint->axis2);
    double along = sn_vec3_dot(*axis, *axis2);
    if (fabs(along) > SN_UNIT_ROUNDING)
        *axis2 = unit(sn_vec3_sub(*axis2, sn_vec3_scale(along, *axis)));
    sn_vec3 z = sn_vec3_cross(*axis, *axis2);
    return sn_mat3_transpose(sn_mat3_rows(*axis, *axis2, z));
}

static void put_dof_constants(sn_model* model, const sni_joint* joint, const sn_joint_def* def) {
#define COPY(field) memcpy(model->dof.field + joint->iv, def->field, joint->nv * sizeof(double));
    SN_DOF_FIELDS(COPY)
#undef COPY
    double* rest = model->dof.rest + joint->iq;
    memcpy(rest, def->rest, joint->nq * sizeof(double));
    int at = sni_joint_quat_at(def->type);
    if (at < 0) return;
    sni_unit_quat(rest + at);
}

static void put_body(compiler* c, sn_model* model, int32_t b, int32_t* iq, int32_t* iv) {
    int32_t d = c->def_of[b], parent_def = c->order.parent[d];
    const sn_joint_def* def = &c->builder->bodies[d].joint;
    carried from = {-1, sn_pose_identity()};
    if (parent_def >= 0) from = c->carried[parent_def];
    sni_body_record* record = &model->body[b];
    sni_joint* joint = &model->joint[b];

    sn_mat3 R_bc = canonical_axes(def, &record->axis, &record->axis2);
    record->placement = sn_pose_mul(from.X_bf, def->placement);
    record->inertia = c->inertia[b];
    model->R_bc[b] = R_bc;

    joint->parent = from.body;
    joint->above = from.body < 0 ? 0 : model->joint[from.body].above + model->joint[from.body].nv;
    joint->type = (uint8_t)def->type;
    joint->nq = (uint8_t)sn_joint_type_nq(def->type);
    joint->nv = (uint8_t)sn_joint_type_nv(def->type);
    joint->iq = *iq;
    joint->iv = *iv;
    *iq += joint->nq;
    *iv += joint->nv;
    joint->pitch = def->type == SN_JOINT_HELICAL ? def->pitch : 0;
    joint->X_pj = sn_pose_mul(record->placement, sn_pose_make(R_bc, sn_vec3_zero()));
    if (from.body >= 0) {
        sn_mat3 R_cp = sn_mat3_transpose(model->R_bc[from.body]);
        joint->X_pj = sn_pose_mul(sn_pose_make(R_cp, sn_vec3_zero()), joint->X_pj);
    }
    sn_inertia turned =
        sn_inertia_moved(sn_pose_make(sn_mat3_transpose(R_bc), sn_vec3_zero()), c->inertia[b]);
    model->inertia[b] = sni_rigid_make(turned.mass, turned.com, turned.I);
    model->mass += turned.mass;
    put_dof_constants(model, joint, def);
}

/// Frames in definition order; moving bodies share their strings with their frame.
static void put_names(compiler* c, sn_model* model, char** text) {
    model->name = put_text(text, c->builder->name);
    for (int32_t k = 0; k < model->frame_count; k++) {
        int32_t d = c->order.at[k];
        const sn_body_def* def = &c->builder->bodies[d];
        const carried* at = &c->carried[d];
        sni_frame_record* frame = &model->frame[k];
        frame->name = put_text(text, def->name);
        frame->joint_name = put_text(text, def->joint.name);
        frame->body = at->body;
        frame->X_bf = at->X_bf;
        frame->folded = def->joint.type == SN_JOINT_FIXED;
        sni_name_map_add(&model->frame_names, frame->name, k);
        if (frame->folded) continue;
        model->body[at->body].name = frame->name;
        model->body[at->body].joint_name = frame->joint_name;
        sni_name_map_add(&model->body_names, frame->name, at->body);
        sni_name_map_add(&model->joint_names, frame->joint_name, at->body);
    }
}

/// Copies a shape's corners and triangles to where *vertex and *triangle are, and moves those on.
static void put_corners(const sn_shape_def* def, sn_shape_info* shape, sn_vec3** vertex,
                        int32_t** triangle) {
    if (!def->vertices) return;
    size_t corners = (size_t)def->vertex_count, indices = 3 * (size_t)def->triangle_count;
    shape->vertices = memcpy(*vertex, def->vertices, corners * sizeof **vertex);
    shape->triangles = memcpy(*triangle, def->triangles, indices * sizeof **triangle);
    shape->vertex_count = def->vertex_count;
    shape->triangle_count = def->triangle_count;
    *vertex += corners;
    *triangle += indices;
}

static sn_status put_shapes(compiler* c, sn_model* model, char** text, sn_error* error) {
    sn_vec3* vertex = model->vertex;
    int32_t* triangle = model->triangle;
    for (int32_t s = 0; s < model->shape_count; s++) {
        const sn_shape_def* def = &c->builder->shapes[s];
        sn_shape_info* shape = &model->shape[s];
        sn_status status = sni_validate_shape(def, error);
        if (status) return status;
        sni_frame_record world = {"world", "", -1, true, sn_pose_identity()};
        const sni_frame_record* frame = &world;
        shape->frame.i = -1;
        if (def->body) {
            shape->frame.i = sni_name_map_find(&model->frame_names, def->body);
            if (shape->frame.i < 0)
                return sni_fail(error, SN_ERR_MODEL, def->place,
                                "shape '%s' belongs to body '%s', which does not exist", def->name,
                                def->body);
            frame = &model->frame[shape->frame.i];
        }
        shape->name = put_text(text, def->name);
        shape->mesh = put_text(text, def->mesh);
        shape->body = sn_body(frame->body);
        shape->type = def->type;
        shape->use = def->use;
        shape->X_bs = sn_pose_mul(frame->X_bf, def->pose);
        shape->X_fs = def->pose;
        shape->size = def->size;
        shape->material = def->material;
        shape->group = def->group;
        shape->mask = def->mask;
        put_corners(def, shape, &vertex, &triangle);
        memcpy(shape->color, def->color, sizeof shape->color);
    }
    return SN_OK;
}

/// One side of a loop: the body that carries the frame it was attached to.
static sn_status put_loop_end(const sn_model* model, const sn_loop_def* def, const char* body,
                              sn_pose X_fc, sn_loop_end* end, sn_error* error) {
    end->frame.i = -1;
    end->body = sn_body_world();
    end->X_bc = end->X_fc = X_fc;
    if (!body) return SN_OK;
    end->frame.i = sni_name_map_find(&model->frame_names, body);
    if (end->frame.i < 0)
        return sni_fail(error, SN_ERR_MODEL, def->place,
                        "loop '%s' holds body '%s', which does not exist", def->name, body);
    const sni_frame_record* frame = &model->frame[end->frame.i];
    end->body = sn_body(frame->body);
    end->X_bc = sn_pose_mul(frame->X_bf, X_fc);
    return SN_OK;
}

static sn_status put_loop(compiler* c, sn_model* model, int32_t l, char** text, sn_error* error) {
    const sn_loop_def* def = &c->builder->loops[l];
    sn_loop_info* info = &model->loop_info[l];
    sni_loop* loop = &model->loop[l];
    sn_status status = sni_validate_loop(def, c->log, error);
    if (!status) status = put_loop_end(model, def, def->body_a, def->X_ac, &info->a, error);
    if (!status) status = put_loop_end(model, def, def->body_b, def->X_bc, &info->b, error);
    if (status) return status;
    if (info->a.body.i == info->b.body.i)
        return sni_fail(
            error, SN_ERR_MODEL, def->place,
            "loop '%s' holds '%s' and '%s', which are parts of one body and cannot move "
            "against each other; name two bodies",
            def->name, def->body_a ? def->body_a : "world", def->body_b ? def->body_b : "world");
    info->name = put_text(text, def->name);
    if (sni_name_map_add(&model->loop_names, info->name, l) >= 0)
        return sni_fail(error, SN_ERR_MODEL, def->place, "there is another loop '%s'; rename one",
                        def->name);
    sn_joint_def joint = sni_loop_joint(def);
    sn_mat3 R_lc = canonical_axes(&joint, &info->axis, &info->axis2);
    sn_pose turn = sn_pose_make(R_lc, sn_vec3_zero());
    info->type = def->type;
    info->pitch = loop->pitch = def->type == SN_JOINT_HELICAL ? def->pitch : 0;
    info->t_s = loop->t_s = def->t_s;
    loop->type = (uint8_t)def->type;
    info->length = loop->length = def->type == SN_JOINT_FREE ? def->length : 0;
    info->rows = loop->length > 0 ? 1 : 6 - sn_joint_type_nv(def->type);
    loop->rows = (uint8_t)info->rows;
    loop->R_lc = R_lc;
    loop->body[0] = info->a.body.i;
    loop->body[1] = info->b.body.i;
    loop->X_bc[0] = sn_pose_mul(info->a.X_bc, turn);
    loop->X_bc[1] = sn_pose_mul(info->b.X_bc, turn);
    return SN_OK;
}

static sn_status put_loops(compiler* c, sn_model* model, char** text, sn_error* error) {
    sn_status status = SN_OK;
    for (int32_t l = 0; l < model->loop_count && !status; l++)
        status = put_loop(c, model, l, text, error);
    return status;
}

static sn_status find_excluded(const sn_model* model, const char* name, sn_place place,
                               int32_t* body, sn_error* error) {
    *body = -1;
    if (!name) return SN_OK;
    int32_t frame = sni_name_map_find(&model->frame_names, name);
    if (frame < 0)
        return sni_fail(error, SN_ERR_MODEL, place,
                        "contact with body '%s' is excluded, but it does not exist", name);
    *body = model->frame[frame].body;
    return SN_OK;
}

static sn_status put_exclusions(compiler* c, sn_model* model, sn_error* error) {
    for (int32_t k = 0; k < model->exclusion_count; k++) {
        const sni_exclusion_def* def = &c->builder->exclusions[k];
        int32_t a, b;
        sn_status status = find_excluded(model, def->a, def->place, &a, error);
        if (!status) status = find_excluded(model, def->b, def->place, &b, error);
        if (status) return status;
        model->exclusion[k] = (sn_exclusion){sn_body(a < b ? a : b), sn_body(a < b ? b : a)};
    }
    return SN_OK;
}

static bool is_zero(const double* x, int count) {
    for (int k = 0; k < count; k++)
        if (x[k] != 0) return false;
    return true;
}

static void find_alone(sn_model* model) {
    const sni_dof_constants* dof = &model->dof;
    for (int32_t b = 0; b < model->body_count; b++) {
        sni_joint* joint = &model->joint[b];
        joint->alone = joint->type == SN_JOINT_FREE && joint->parent < 0 &&
                       is_zero(dof->armature + joint->iv, joint->nv) &&
                       is_zero(dof->damping + joint->iv, joint->nv) &&
                       is_zero(dof->stiffness + joint->iv, joint->nv);
        if (joint->parent >= 0) model->joint[joint->parent].alone = false;
    }
    for (int32_t l = 0; l < model->loop_count; l++)
        for (int side = 0; side < 2; side++)
            if (model->loop[l].body[side] >= 0)
                model->joint[model->loop[l].body[side]].alone = false;
}

static sn_status validate(const compiler* c, sn_error* error) {
    const sn_model_builder* builder = c->builder;
    for (int32_t b = 0; b < c->sizes.body_count; b++) {
        const sn_body_def* def = &builder->bodies[c->def_of[b]];
        sn_status status = sni_validate_inertia(def, &c->inertia[b], c->log, error);
        if (status) return status;
    }
    return SN_OK;
}

static sn_status build(compiler* c, sn_model** out, sn_error* error) {
    sn_model* model = malloc(sizeof *model);
    if (!model) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    *model = c->sizes;
    sni_arena arena = {0};
    layout(model, &arena, c->text_size);
    if (!sni_arena_allocate(&arena)) {
        free(model);
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(),
                        "not enough memory for a model of %d bodies", c->sizes.body_count);
    }
    layout(model, &arena, c->text_size);
    model->arena = arena;

    char* text = model->text;
    int32_t iq = 0, iv = 0;
    for (int32_t b = 0; b < model->body_count; b++) put_body(c, model, b, &iq, &iv);
    put_names(c, model, &text);
    sn_status status = put_shapes(c, model, &text, error);
    if (!status) status = put_loops(c, model, &text, error);
    if (!status) status = put_exclusions(c, model, error);
    if (status) {
        sn_model_free(model);
        return status;
    }
    find_alone(model);
    model->sprung = !is_zero(model->dof.stiffness, model->nv);
    *out = model;
    return SN_OK;
}

static sn_status compile(compiler* c, sn_model** model, sn_error* error) {
    const sn_model_builder* builder = c->builder;
    for (size_t d = 0; d < builder->body_count; d++) {
        sn_status status = sni_validate_body(&builder->bodies[d], error);
        if (status) return status;
    }
    sn_status status = sni_order_find(builder, &c->order, error);
    if (status) return status;
    c->carried = malloc((builder->body_count + 1) * sizeof *c->carried);
    c->def_of = malloc((builder->body_count + 1) * sizeof *c->def_of);
    c->inertia = malloc((builder->body_count + 1) * sizeof *c->inertia);
    if (!c->carried || !c->def_of || !c->inertia)
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    count_and_fold(c);
    status = validate(c, error);
    return status ? status : build(c, model, error);
}

sn_status sn_model_builder_compile(const sn_model_builder* builder, const sn_log* log,
                                   sn_model** model, sn_error* error) {
    if (!model) return SN_ERR_ARGUMENT;
    *model = NULL;
    if (!builder) return SN_ERR_ARGUMENT;
    enum { BODY_MAX = 100000000 }; // keeps every index, times six, within int32
    int64_t corners = 0;
    for (size_t s = 0; s < builder->shape_count; s++)
        corners += builder->shapes[s].vertex_count + (int64_t)builder->shapes[s].triangle_count;
    if (builder->body_count > BODY_MAX || builder->shape_count > BODY_MAX ||
        builder->loop_count > BODY_MAX || builder->exclusion_count > BODY_MAX || corners > BODY_MAX)
        return sni_fail(error, SN_ERR_CAPACITY, sni_nowhere(),
                        "more than %d bodies, shapes, corners, loops or exclusions", BODY_MAX);
    compiler c = {.builder = builder, .log = log};
    sn_status status = compile(&c, model, error);
    sni_order_free(&c.order);
    free(c.carried);
    free(c.def_of);
    free(c.inertia);
    return status;
}

void sn_model_free(sn_model* model) {
    if (!model) return;
    sni_arena arena = model->arena;
    sni_arena_free(&arena);
    free(model);
}
