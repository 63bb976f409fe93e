// SPDX-License-Identifier: Apache-2.0
// The public door of contact sets: memory, and what may be added.
#include <stdlib.h>
#include <string.h>

#include "contact/contact_set.h"

// Frames from files and from single precision are unit to six digits; beyond that it is a mistake.
static const double DIRECTION_TOLERANCE = 1e-6;

// ---- creation ---------------------------------------------------------------------------------------------

sn_contact_options sn_contact_options_default(void) {
    return (sn_contact_options){.restitution_threshold = -1,
                                .constraint_factor = 0.2,
                                .position_factor = 0.2,
                                .slop = 1e-4,
                                .push_speed = 1,
                                .limit_margin = 0.1,
                                .limits = true,
                                .dry_friction = true};
}

sn_contact_set_def sn_contact_set_def_default(void) {
    return (sn_contact_set_def){
        .contacts = 64, .constraints = 16, .options = sn_contact_options_default()};
}

/// Vectors of three numbers are written as four.
enum { BEYOND = 1 };

static void rows_layout(sni_set_rows* rows, sni_arena* arena, int32_t entries, int32_t numbers) {
    rows->law = SN_ARENA_ARRAY(arena, sn_contact_law, entries);
    rows->first = SN_ARENA_ARRAY(arena, int32_t, entries + 1);
    rows->id = SN_ARENA_ARRAY(arena, uint64_t, entries);
    rows->a = SN_ARENA_ARRAY(arena, int32_t, entries);
    rows->b = SN_ARENA_ARRAY(arena, int32_t, entries);
    rows->C_a = SN_ARENA_ARRAY(arena, double, 6 * (size_t)numbers + BEYOND);
    rows->C_b = SN_ARENA_ARRAY(arena, double, 6 * (size_t)numbers + BEYOND);
    rows->q = SN_ARENA_ARRAY(arena, double, (size_t)numbers + BEYOND);
}

/// What the sizes of the rest depend on.
static void components_layout(sni_set_bodies* bodies, sni_arena* arena, const sn_model* model) {
    int32_t n = model->body_count;
    bodies->component = SN_ARENA_ARRAY(arena, int32_t, n);
    bodies->member = SN_ARENA_ARRAY(arena, int32_t, 2 * (size_t)n + 1);
    bodies->member_dofs = SN_ARENA_ARRAY(arena, int32_t, n);
    bodies->slot = SN_ARENA_ARRAY(arena, int32_t, n);
    bodies->lone = SN_ARENA_ARRAY(arena, int32_t, n);
}

static void bodies_layout(sni_set_bodies* bodies, sni_arena* arena, int32_t body_count) {
    int32_t most = bodies->most;
    bodies->wanted = SN_ARENA_ARRAY(arena, int32_t, most);
    bodies->body = SN_ARENA_ARRAY(arena, sn_body_id, most);
    bodies->pose = SN_ARENA_ARRAY(arena, sn_pose, most);
    bodies->before = SN_ARENA_ARRAY(arena, sn_twist, most);
    bodies->free = SN_ARENA_ARRAY(arena, sn_twist, most);
    bodies->tree = SN_ARENA_ARRAY(arena, int32_t, most + 1);
    bodies->joints = SN_ARENA_ARRAY(arena, int32_t, most);
    bodies->dof = SN_ARENA_ARRAY(arena, int32_t, bodies->joints_most ? 6 * (size_t)most : 0);
    bodies->place = SN_ARENA_ARRAY(arena, int32_t, body_count);
    bodies->wanted_joint = SN_ARENA_ARRAY(arena, int32_t, body_count);
    bodies->response = SN_ARENA_ARRAY(arena, int64_t, most + 1);
    bodies->value = SN_ARENA_ARRAY(arena, double, bodies->value_most);
    bodies->lone_response = SN_ARENA_ARRAY(arena, double, 36 * (size_t)bodies->lone_count);
}

static void layout(sn_contact_set* set, sni_arena* arena) {
    sn_contact_capacity most = sn_contact_set_capacity(set);
    int32_t bodies = set->bodies.most;
    set->contact = SN_ARENA_ARRAY(arena, sn_contact, set->contact_most);
    set->last = SN_ARENA_ARRAY(arena, sn_contact, set->contact_most);
    set->heir = SN_ARENA_ARRAY(arena, int32_t, set->contact_most);
    set->fresh = SN_ARENA_ARRAY(arena, int32_t, set->contact_most);
    set->constraint = SN_ARENA_ARRAY(arena, sn_constraint, set->constraint_most);
    set->row_dof = SN_ARENA_ARRAY(arena, sni_row_dof, set->model->nv);
    set->rowed = SN_ARENA_ARRAY(arena, int32_t, set->model->nv);
    set->joint_row = SN_ARENA_ARRAY(arena, sni_joint_row, set->joint_row_most);
    bodies_layout(&set->bodies, arena, set->model->body_count);
    rows_layout(&set->rows, arena, most.contacts, most.rows);
    rows_layout(&set->positions, arena, most.contacts, most.rows);
    set->position_of = SN_ARENA_ARRAY(arena, int32_t, most.contacts);
    set->u_free = SN_ARENA_ARRAY(arena, double, (size_t)most.rows + BEYOND);
    set->u_work = SN_ARENA_ARRAY(arena, double, (size_t)most.rows + BEYOND);
    set->bounce = SN_ARENA_ARRAY(arena, double, set->contact_most);
    set->pressed = SN_ARENA_ARRAY(arena, double, set->contact_most);
    set->constraint_rows = SN_ARENA_ARRAY(arena, sni_constraint_rows, set->constraint_most);
    if (set->block_most > 0) {
        set->block_start = SN_ARENA_ARRAY(arena, int32_t, most.contacts + 1);
        set->block_column = SN_ARENA_ARRAY(arena, int32_t, set->block_most);
        set->block_offset = SN_ARENA_ARRAY(arena, int64_t, set->block_most);
        set->block_value = SN_ARENA_ARRAY(
            arena, double, set->block_most* SN_CONTACT_ROWS_MAX* SN_CONTACT_ROWS_MAX);
        set->of_tree_start = SN_ARENA_ARRAY(arena, int32_t, bodies + 1);
        set->of_tree = SN_ARENA_ARRAY(arena, int32_t, 2 * (size_t)most.contacts);
    }
    set->r = SN_ARENA_ARRAY(arena, double, most.rows);
    set->dv = SN_ARENA_ARRAY(arena, double, set->model->nv);
    set->tau = SN_ARENA_ARRAY(arena, double, set->model->nv);
    set->push = SN_ARENA_ARRAY(arena, double, 8 * (size_t)bodies);
    set->leader = SN_ARENA_ARRAY(arena, int32_t, bodies);
    set->gained = SN_ARENA_ARRAY(arena, double, bodies);
    set->traded = SN_ARENA_ARRAY(arena, double, bodies);
    set->wrench = SN_ARENA_ARRAY(arena, sn_body_wrench, bodies);
    set->held = SN_ARENA_ARRAY(arena, int32_t, most.contacts);
    set->load = SN_ARENA_ARRAY(arena, double, most.contacts);
}

/// sqrt of (mean of the principal moments) / mass, over all bodies; 1 where there is none.
static double gyration_radius(const sn_model* model) {
    double moment = 0, mass = 0;
    for (int32_t i = 0; i < model->body_count; i++) {
        const sn_inertia* I = &model->body[i].inertia;
        mass += I->mass;
        moment += (I->I.m[0][0] + I->I.m[1][1] + I->I.m[2][2]) / 3;
    }
    double radius = sqrt(moment / mass);
    return radius > 0 && isfinite(radius) ? radius : 1;
}

static bool is_part(double x) { return x >= 0 && x <= 1; }

static sn_status check_options(const sn_contact_options* o, sn_error* error) {
    if (!is_part(o->penetration_factor) || !is_part(o->constraint_factor) ||
        !is_part(o->position_factor))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "factors of contact options must be from 0 to 1");
    if (!isfinite(o->restitution_threshold) || !(o->slop >= 0 && isfinite(o->slop)) ||
        !(o->limit_margin >= 0) || !(o->push_speed >= 0))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "restitution_threshold must be finite, slop, push_speed and limit_margin "
                        "not negative");
    return SN_OK;
}

/// Sizes that the def gives; zero where memory would pass what an int32_t counts.
static bool take_sizes(sn_contact_set* set, const sn_contact_set_def* def) {
    const int64_t most = INT32_MAX / 16;
    const sn_model* model = set->model;
    if (def->contacts < 0 || def->contacts > most || def->constraints < 0 ||
        def->constraints > most || def->servos < 0 || def->servos > model->nv || def->bodies < 0 ||
        def->blocks < 0 || def->blocks > (int64_t)INT32_MAX ||
        !(def->length >= 0 && isfinite(def->length)))
        return false;
    set->contact_most = def->contacts;
    set->constraint_most = def->constraints;
    set->block_most = def->blocks;
    set->joint_row_most = sni_joint_rows_most(model) + def->servos;
    set->servo_most = def->servos;
    // a row acts on two bodies; joints may have slots of their own besides
    int64_t touched = 2 * ((int64_t)def->contacts + def->constraints + set->joint_row_most);
    if (touched > model->body_count) touched = model->body_count;
    if (def->bodies > 0 && def->bodies < touched) touched = def->bodies;
    set->bodies.most = (int32_t)touched;
    set->length = def->length > 0 ? def->length : gyration_radius(model);
    return true;
}

/// Finds the components in memory of their own, then lays out the rest with them.
static bool allocate(sn_contact_set* set) {
    sni_arena scratch = {0};
    components_layout(&set->bodies, &scratch, set->model);
    if (!sni_arena_allocate(&scratch)) return false;
    components_layout(&set->bodies, &scratch, set->model);
    sni_set_bodies_find(&set->bodies, set->model);
    sni_set_bodies_measure(&set->bodies, set->model, set->servo_most);
    sni_arena_free(&scratch);

    components_layout(&set->bodies, &set->arena, set->model);
    layout(set, &set->arena);
    if (!sni_arena_allocate(&set->arena)) return false;
    components_layout(&set->bodies, &set->arena, set->model);
    layout(set, &set->arena);
    sni_set_bodies_find(&set->bodies, set->model);
    sni_set_bodies_respond(&set->bodies, set->model);
    sni_row_dofs_make(set);
    for (int32_t i = 0; i < set->model->body_count; i++)
        set->bodies.slot[i] = set->bodies.place[i] = -1;
    return true;
}

sn_status sn_contact_set_create(const sn_model* model, const sn_contact_set_def* def,
                                sn_contact_set** set, sn_error* error) {
    if (!set) return SN_ERR_ARGUMENT;
    *set = NULL;
    if (!model || !def)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "no model or no sizes given");
    sn_status status = check_options(&def->options, error);
    if (status) return status;
    sn_contact_set* s = calloc(1, sizeof *s);
    if (!s) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    s->model = model;
    s->options = def->options;
    if (!take_sizes(s, def)) {
        free(s);
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "sizes of a contact set must not be negative, nor beyond %d",
                        (int)(INT32_MAX / 16));
    }
    if (!allocate(s)) {
        free(s);
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(),
                        "not enough memory for a set of %d contacts on %d bodies", def->contacts,
                        model->body_count);
    }
    s->problem.first = s->rows.first;
    s->position_problem.first = s->positions.first;
    *set = s;
    return SN_OK;
}

void sn_contact_set_free(sn_contact_set* set) {
    if (!set) return;
    sni_arena_free(&set->arena);
    free(set);
}

sn_contact_capacity sn_contact_set_capacity(const sn_contact_set* set) {
    return (sn_contact_capacity){
        .contacts = set->contact_most + 2 * set->constraint_most + set->joint_row_most,
        .rows =
            SN_CONTACT_ROWS_MAX * (set->contact_most + set->constraint_most) + set->joint_row_most,
        .blocks = set->block_most,
        .bodies = set->bodies.most,
        .responses = set->bodies.value_most,
        .tree_bodies = set->bodies.tree_most};
}

double sn_contact_set_length(const sn_contact_set* set) { return set->length; }

sn_status sn_contact_set_set_options(sn_contact_set* set, const sn_contact_options* options,
                                     sn_error* error) {
    if (!set || !options) return SN_ERR_ARGUMENT;
    sn_status status = check_options(options, error);
    if (!status) set->options = *options;
    return status;
}

const sn_contact* sni_contact_set_at(const sn_contact_set* set, int32_t i) {
    return &set->contact[i];
}
const sn_constraint* sni_contact_set_constraints(const sn_contact_set* set, int32_t* count) {
    *count = set->constraint_count;
    return set->constraint;
}
void sni_contact_set_resting(sn_contact_set* set, const bool* resting) { set->resting = resting; }

sn_contact_options sn_contact_set_options(const sn_contact_set* set) { return set->options; }

// ---- contacts ---------------------------------------------------------------------------------------------

static sn_status check_pair(const sn_model* model, sn_body_id a, sn_body_id b, sn_error* error) {
    if (a.i < -1 || b.i < -1 || a.i >= model->body_count || b.i >= model->body_count)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "bodies %d and %d; the model has 0 to %d, and -1 is the world", a.i, b.i,
                        model->body_count - 1);
    if (a.i == b.i)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "both sides are %s %d; nothing acts between a body and itself",
                        a.i < 0 ? "the world," : "body", a.i);
    return SN_OK;
}

static bool finite3(sn_vec3 x) { return isfinite(x.x) && isfinite(x.y) && isfinite(x.z); }

/// Orthonormal and right-handed; NaN is neither.
static bool is_frame(sn_vec3 x, sn_vec3 y, sn_vec3 z) {
    double tol = DIRECTION_TOLERANCE; // squares are off by twice as much
    sn_vec3 off = sn_vec3_sub(sn_vec3_cross(x, y), z);
    return fabs(sn_vec3_dot(x, x) - 1) <= 2 * tol && fabs(sn_vec3_dot(y, y) - 1) <= 2 * tol &&
           fabs(sn_vec3_dot(x, y)) <= tol && sn_vec3_dot(off, off) <= 16 * tol * tol;
}

static bool is_coefficient(double x) { return x >= 0 && isfinite(x); }

sn_status sn_contact_set_add(sn_contact_set* set, const sn_contact* contact, sn_error* error) {
    if (!set || !contact) return SN_ERR_ARGUMENT;
    if (set->contact_count == set->contact_most)
        return sni_fail(error, SN_ERR_CAPACITY, sni_nowhere(), "the set is full with %d contacts",
                        set->contact_most);
    sn_status status = check_pair(set->model, contact->a, contact->b, error);
    if (status) return status;
    if (!finite3(contact->x) || !isfinite(contact->gap))
        return sni_fail(error, SN_ERR_NUMERIC, sni_nowhere(), "point or gap is not finite");
    if (!is_frame(contact->n, contact->t1, contact->t2))
        return sni_fail(
            error, SN_ERR_ARGUMENT, sni_nowhere(),
            "n, t1, t2 are no orthonormal right-handed frame; sn_contact_frame makes one");
    const char* trouble = sn_material_trouble(&contact->material);
    if (trouble) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "material: %s", trouble);
    sni_contact_set_push(set, contact, 1);
    return SN_OK;
}

bool sni_contact_set_welds(const sn_contact_set* set, sn_body_id a, sn_body_id b) {
    for (int32_t i = 0; i < set->constraint_count; i++) {
        const sn_constraint* c = &set->constraint[i];
        bool these = (c->a.i == a.i && c->b.i == b.i) || (c->a.i == b.i && c->b.i == a.i);
        if (these && c->type == SN_CONSTRAINT_WELD && c->stiffness == INFINITY &&
            c->turn_stiffness == INFINITY)
            return true;
    }
    return false;
}

void sni_contact_set_push(sn_contact_set* set, const sn_contact* contacts, int32_t count) {
    int32_t room = set->contact_most - set->contact_count;
    if (count > room) count = room;
    memcpy(set->contact + set->contact_count, contacts, (size_t)count * sizeof *contacts);
    set->contact_count += count;
    set->solved = false;
}

void sn_contact_set_clear(sn_contact_set* set) {
    sn_contact* solved = set->contact;
    set->last_count = set->solved ? set->built : 0;
    set->contact = set->last;
    set->last = solved;
    set->contact_count = 0;
    set->solved = false;
}
int32_t sn_contact_set_count(const sn_contact_set* set) { return set->contact_count; }

// ---- constraints ------------------------------------------------------------------------------------------

sn_constraint sn_constraint_default(void) {
    return (sn_constraint){.type = SN_CONSTRAINT_WELD,
                           .a = sn_body_world(),
                           .b = sn_body_world(),
                           .X_ac = sn_pose_identity(),
                           .X_bc = sn_pose_identity(),
                           .stiffness = INFINITY,
                           .turn_stiffness = INFINITY};
}

static bool is_pose(sn_pose X) {
    return finite3(X.p) &&
           is_frame(sn_mat3_column(X.R, 0), sn_mat3_column(X.R, 1), sn_mat3_column(X.R, 2));
}

static bool is_spring(double stiffness, double damping) {
    return stiffness > 0 && (stiffness == INFINITY || is_coefficient(damping));
}

static const char* constraint_trouble(const sn_constraint* c) {
    if ((int)c->type < 0 || c->type > SN_CONSTRAINT_DISTANCE) return "there is no such type";
    if (!is_pose(c->X_ac) || !is_pose(c->X_bc)) return "a frame is no rotation or not finite";
    if (c->type == SN_CONSTRAINT_DISTANCE && !(c->length > 0 && isfinite(c->length)))
        return "length must be positive; a ball holds two points together";
    if (!is_spring(c->stiffness, c->damping) || !is_spring(c->turn_stiffness, c->turn_damping))
        return "stiffness must be positive (INFINITY for rigid), damping finite and not negative";
    return NULL;
}

sn_status sni_constraint_check(const sn_model* model, const sn_constraint* constraint,
                               sn_error* error) {
    sn_status status = check_pair(model, constraint->a, constraint->b, error);
    if (status) return status;
    const char* trouble = constraint_trouble(constraint);
    if (trouble) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "constraint: %s", trouble);
    return SN_OK;
}

sn_status sn_contact_set_add_constraint(sn_contact_set* set, const sn_constraint* constraint,
                                        sn_error* error) {
    if (!set || !constraint) return SN_ERR_ARGUMENT;
    if (set->constraint_count == set->constraint_most)
        return sni_fail(error, SN_ERR_CAPACITY, sni_nowhere(),
                        "the set is full with %d constraints", set->constraint_most);
    sn_status status = sni_constraint_check(set->model, constraint, error);
    if (status) return status;
    set->constraint[set->constraint_count++] = *constraint;
    set->solved = false;
    return SN_OK;
}

sn_status sn_contact_set_remove_constraint(sn_contact_set* set, uint64_t id) {
    int32_t i = 0;
    while (i < set->constraint_count && set->constraint[i].id != id) i++;
    if (i == set->constraint_count) return SN_ERR_ARGUMENT;
    size_t after = (size_t)(--set->constraint_count - i);
    set->solved = false;
    memmove(&set->constraint[i], &set->constraint[i + 1], after * sizeof *set->constraint);
    return SN_OK;
}

void sn_contact_set_clear_constraints(sn_contact_set* set) {
    set->constraint_count = 0;
    set->solved = false;
}
int32_t sn_contact_set_constraint_count(const sn_contact_set* set) { return set->constraint_count; }
