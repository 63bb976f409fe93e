// SPDX-License-Identifier: Apache-2.0
// One step's problems out of a contact set: bodies and their responses, then rows.
#include <string.h>

#include "base/hot.h"
#include "contact/contact_set.h"
#include "math/numbers.h"

// ---- bodies -----------------------------------------------------------------------------------------------

static bool want(sni_set_bodies* bodies, int32_t body) {
    if (body < 0 || bodies->slot[body] >= 0) return true;
    if (bodies->wanted_count == bodies->most) return false;
    bodies->slot[body] = bodies->wanted_count;
    bodies->wanted[bodies->wanted_count++] = body;
    return true;
}

static bool want_joint(sn_contact_set* set, int32_t joint) {
    sni_set_bodies* bodies = &set->bodies;
    if (!bodies->by_joints)
        return want(bodies, joint) && want(bodies, set->model->joint[joint].parent);
    if (bodies->place[joint] < 0) bodies->wanted_joint[bodies->wanted_joints++] = joint;
    bodies->place[joint] = 0;
    return true;
}

/// Lists the bodies and joints that rows act on; false when they are too many.
static bool want_bodies(sn_contact_set* set) {
    sni_set_bodies* bodies = &set->bodies;
    bool room = true;
    bodies->wanted_count = bodies->wanted_joints = 0;
    for (int32_t i = 0; i < set->contact_count && room; i++)
        room = want(bodies, set->contact[i].a.i) && want(bodies, set->contact[i].b.i);
    for (int32_t i = 0; i < set->constraint_count && room; i++)
        room = want(bodies, set->constraint[i].a.i) && want(bodies, set->constraint[i].b.i);
    for (int32_t k = 0; k < set->joint_row_count && room; k++)
        room = want_joint(set, set->joint_row[k].dof->joint);
    return room;
}

static void forget_wanted(sni_set_bodies* bodies) {
    for (int32_t k = 0; k < bodies->wanted_count; k++) bodies->slot[bodies->wanted[k]] = -1;
    for (int32_t k = 0; k < bodies->wanted_joints; k++) bodies->place[bodies->wanted_joint[k]] = -1;
}

/// Cuts the slots of a component: a tree of bodies, then of joints. Its first slot and place come next.
static void cut_tree(sni_set_bodies* bodies, int32_t* bodies_next, int32_t* dofs_next,
                     int32_t* first, int64_t* number) {
    int32_t joints = (*dofs_next + 5) / 6, size = *bodies_next + joints, t = bodies->tree_count;
    bodies->joints[t] = *first + *bodies_next;
    *bodies_next = *first;
    *dofs_next = 6 * bodies->joints[t];
    *first += size;
    *number += 36 * (int64_t)size * size;
    for (int32_t slot = bodies->joints[t]; slot < *first; slot++) {
        bodies->body[slot] = sn_body_world();
        for (int k = 0; k < 6; k++) bodies->dof[6 * (ptrdiff_t)slot + k] = -1;
    }
    bodies->tree[t + 1] = *first;
    bodies->response[t + 1] = *number;
    bodies->tree_count++;
}

/// Gives the wanted bodies and joints their places: by component, then by number.
static void place_bodies(sni_set_bodies* bodies, const sn_model* model) {
    int32_t *next = bodies->member, *next_dof = bodies->member_dofs;
    size_t components = (size_t)bodies->component_count;
    memset(next, 0, components * sizeof *next);
    memset(next_dof, 0, components * sizeof *next_dof);
    for (int32_t k = 0; k < bodies->wanted_count; k++) next[bodies->component[bodies->wanted[k]]]++;
    for (int32_t k = 0; k < bodies->wanted_joints; k++) {
        int32_t joint = bodies->wanted_joint[k];
        next_dof[bodies->component[joint]] += model->joint[joint].nv;
    }
    int32_t first = 0;
    int64_t number = 0;
    bodies->tree_count = 0;
    bodies->tree[0] = 0;
    bodies->response[0] = 0;
    for (int32_t c = 0; c < bodies->component_count; c++)
        if (next[c] + next_dof[c] > 0) cut_tree(bodies, &next[c], &next_dof[c], &first, &number);
    for (int32_t i = 0; i < model->body_count; i++) {
        if (bodies->slot[i] < 0) continue;
        int32_t slot = next[bodies->component[i]]++;
        bodies->slot[i] = slot;
        bodies->body[slot] = sn_body(i);
    }
    for (int32_t k = 0; k < bodies->wanted_joints; k++) {
        const sni_joint* joint = &model->joint[bodies->wanted_joint[k]];
        int32_t* next_place = &next_dof[bodies->component[bodies->wanted_joint[k]]];
        bodies->place[bodies->wanted_joint[k]] = *next_place;
        for (int32_t i = 0; i < joint->nv; i++) bodies->dof[(*next_place)++] = joint->iv + i;
    }
    bodies->count = first;
}

/// Symmetric to the bit: what rounding left is halved.
static void symmetrise(double* A, size_t n) {
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c < r; c++)
            A[r * n + c] = A[c * n + r] = 0.5 * (A[r * n + c] + A[c * n + r]);
}

/// Whether a lone body moves as its inertia alone says.
static bool is_free(const sni_set_bodies* bodies, const sn_dynamics* d, int32_t body) {
    if (bodies->lone[body] < 0 || d->locked[body] || sni_may_sleep(d)) return false;
    const double* armature = d->armature + d->model->joint[body].iv;
    for (int k = 0; k < 6; k++)
        if (armature[k] != 0) return false;
    return true;
}

static sn_status ask_response(sni_set_bodies* bodies, sn_dynamics* d, int32_t t) {
    int32_t first = bodies->tree[t], count = bodies->tree[t + 1] - first;
    int32_t body = bodies->body[first].i, joints = bodies->joints[t];
    double* value = bodies->value + bodies->response[t];
    if (joints == first + 1 && count == 1 && is_free(bodies, d, body)) {
        memcpy(value, bodies->lone_response + 36 * (ptrdiff_t)bodies->lone[body],
               36 * sizeof *value);
        return SN_OK;
    }
    bodies->all_free = false;
    if (joints == first + count) {
        sn_status status = sn_dynamics_response(d, bodies->body + first, count, value);
        symmetrise(value, 6 * (size_t)count);
        return status;
    }
    sni_handles handles = {joints - first, first + count - joints, bodies->body + first,
                           bodies->dof + 6 * (ptrdiff_t)joints};
    sni_handles_response(d, &handles, value);
    return SN_OK;
}

/// Velocities without impulses, of bodies.
static sn_status ask_free(sni_set_bodies* bodies, sn_dynamics* d, const double* v_free) {
    if (bodies->wanted_joints == 0)
        return sn_dynamics_twists(d, v_free, bodies->body, bodies->count, bodies->free);
    sn_status status = SN_OK;
    for (int32_t t = 0; t < bodies->tree_count && !status; t++) {
        int32_t first = bodies->tree[t];
        status = sn_dynamics_twists(d, v_free, bodies->body + first, bodies->joints[t] - first,
                                    bodies->free + first);
    }
    return status;
}

static sn_status ask_bodies(sni_set_bodies* bodies, sn_dynamics* d, const double* v_free) {
    sn_status status = ask_free(bodies, d, v_free);
    for (int32_t k = 0; k < bodies->count; k++) {
        if (sni_is_of_joints(bodies, k)) continue;
        bodies->pose[k] = sn_dynamics_pose(d, bodies->body[k]);
        bodies->before[k] = sn_dynamics_velocity(d, bodies->body[k]);
    }
    bodies->all_free = true;
    for (int32_t t = 0; t < bodies->tree_count && !status; t++) status = ask_response(bodies, d, t);
    return status;
}

// ---- rows -------------------------------------------------------------------------------------------------

static sn_contact_problem problem_of(const sni_set_rows* rows, const sni_set_bodies* bodies) {
    return (sn_contact_problem){.count = rows->count,
                                .law = rows->law,
                                .first = rows->first,
                                .id = rows->id,
                                .q = rows->q,
                                .bodies = {.tree_count = bodies->tree_count,
                                           .tree = bodies->tree,
                                           .response = bodies->response,
                                           .value = bodies->value,
                                           .a = rows->a,
                                           .b = rows->b,
                                           .C_a = rows->C_a,
                                           .C_b = rows->C_b}};
}

static void write_rows(sn_contact_set* set, const sn_dynamics* d, const double* v_free) {
    double threshold = set->options.restitution_threshold;
    if (threshold < 0) threshold = 2 * sn_vec3_norm(d->gravity) * set->h;
    set->rows.count = set->positions.count = 0;
    set->off = false;
    sni_set_contact_rows(set, threshold);
    sni_set_constraint_rows(set);
    sni_set_joint_rows(set, d, v_free);
    set->problem = problem_of(&set->rows, &set->bodies);
    set->position_problem = problem_of(&set->positions, &set->bodies);
}

/// Whether all of q can be squared; sn_contact_check wants at most 1e140.
static bool are_moderate(const double* q, int32_t count) {
    const double LARGE = 1e14;
    return isfinite(sni_sum_squares(q, count, LARGE));
}

/// Whether nothing is wrong with rows that were written here: q is made of C, so it tells of both. Sums up compliances.
static bool look_fine(sn_contact_set* set) {
    const sni_set_rows *rows = &set->rows, *positions = &set->positions;
    double compliance = 0, others = 0;
    for (int32_t i = 0; i < rows->count; i++) {
        const sn_contact_law* law = &rows->law[i];
        compliance += law->compliance;
        others += law->bound + law->viscous + law->spin + law->roll;
    }
    set->compliance = compliance;
    return isfinite(compliance + others) && are_moderate(rows->q, rows->first[rows->count]) &&
           are_moderate(positions->q, positions->first[positions->count]);
}

/// Whether the responses are finite. They are sums of squares, so no number is larger than the largest on the diagonal.
static bool respond_finitely(const sni_set_bodies* bodies) {
    double sum = 0;
    for (int32_t t = 0; t < bodies->tree_count; t++) {
        ptrdiff_t n = 6 * (ptrdiff_t)(bodies->tree[t + 1] - bodies->tree[t]);
        const double* value = bodies->value + bodies->response[t];
        for (ptrdiff_t k = 0; k < n; k++) sum += 0 * value[k * (n + 1)];
    }
    return sum == 0;
}

/// The reason comes from sn_contact_check, which looks at everything.
SN_HOT static sn_status check_problems(sn_contact_set* set, sn_error* error) {
    if (look_fine(set) && respond_finitely(&set->bodies)) return SN_OK;
    sn_status status = sn_contact_check(&set->problem, error);
    return status ? status : sn_contact_check(sn_contact_set_position_problem(set), error);
}

static sn_status check_build(const sn_contact_set* set, const sn_dynamics* d, const double* v_free,
                             double h, sn_error* error) {
    if (!set || !d || !v_free)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "no set, dynamics or velocity given");
    if (d->model != set->model)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "the dynamics is of another model than the contact set");
    if (!d->factored)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "call sn_dynamics_forward before: the state or a lock was changed since");
    if (!(h > 0 && isfinite(h)))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "a step of %g s", h);
    if (!sni_are_finite(v_free, set->model->nv))
        return sni_fail(error, SN_ERR_NUMERIC, sni_nowhere(), "v_free is not finite");
    return SN_OK;
}

sn_status sn_contact_set_build(sn_contact_set* set, sn_dynamics* d, const double* v_free, double h,
                               sn_error* error) {
    sn_status status = check_build(set, d, v_free, h, error);
    if (status) return status;
    sni_joint_rows_choose(set, d, v_free, h);
    set->bodies.by_joints = sni_has_handles(d);
    if (!want_bodies(set)) {
        forget_wanted(&set->bodies);
        return sni_fail(error, SN_ERR_CAPACITY, sni_nowhere(),
                        "contacts, constraints and joints act on more than %d bodies",
                        set->bodies.most);
    }
    set->h = h;
    set->built = set->contact_count;
    set->solved = false;
    place_bodies(&set->bodies, set->model);
    status = ask_bodies(&set->bodies, d, v_free);
    write_rows(set, d, v_free);
    forget_wanted(&set->bodies);
    if (status) return sni_fail(error, status, sni_nowhere(), "the bodies' response cannot be had");
    return check_problems(set, error);
}

static void spoil_rows(sni_set_rows* rows) {
    for (int32_t k = 0; k < rows->first[rows->count]; k++) rows->q[k] = NAN;
}

void sni_contact_set_spoil(sn_contact_set* set) {
    spoil_rows(&set->rows);
    spoil_rows(&set->positions);
}

const sn_contact_problem* sn_contact_set_problem(const sn_contact_set* set) {
    return &set->problem;
}

bool sni_contact_set_is_off(const sn_contact_set* set) { return set->off; }

const sn_contact_problem* sn_contact_set_position_problem(sn_contact_set* set) {
    sni_positions_complete(set);
    return &set->position_problem;
}
