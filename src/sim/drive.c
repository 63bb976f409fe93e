// SPDX-License-Identifier: Apache-2.0
// Forces of control in a step: tau - give qdd, within bounds (sn_drive).
//
// What gives weighs on the joint as its armature does, (M + give) qdd = tau + ..., so an implicit spring costs nothing.
// A force that reaches its bound does not give any more. Without contact the accelerations say which forces do
// (drive_search.c). With contact impulses decide, too: forces near a bound then become rows of the contact problem, of
// the kind of dry friction, and are solved with everything else.
#include <math.h>
#include <string.h>

#include "math/numbers.h"
#include "sim/sn_sim.h"

static const double* give_of(const sn_world* world) { return world->state.drive; }
static const double* lower_of(const sn_world* world) {
    return world->state.drive + world->model->nv;
}
static const double* upper_of(const sn_world* world) {
    return world->state.drive + 2 * (ptrdiff_t)world->model->nv;
}

// ---- what control says ------------------------------------------------------------------------------------

static bool is_controlled(const sn_world* world, const sni_joint* joint) {
    for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++)
        if (world->state.control[k] != 0 || give_of(world)[k] != 0) return true;
    return false;
}

void sni_keep_controlled_awake(sn_world* world) {
    sni_rest* rest = &world->state.rest;
    if (!world->is_controlled) return;
    for (int32_t t = 0; t < rest->tree_count; t++) {
        int32_t k = rest->first[t], end = rest->first[t + 1];
        while (k < end && !is_controlled(world, &world->model->joint[rest->member[k]])) k++;
        if (k < end) sni_rest_keep_awake(rest, rest->member[k]); // its whole tree
    }
}

static void find_controlled(sn_world* world) {
    world->is_controlled = false;
    for (int32_t i = 0; i < world->model->body_count && !world->is_controlled; i++)
        world->is_controlled = is_controlled(world, &world->model->joint[i]);
}

/// Joints may have to wake whose force is another one now.
static void wake_changed(sn_world* world, const double* tau) {
    const sn_model* model = world->model;
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        const double* before = world->state.control + joint->iv;
        if (memcmp(before, tau + joint->iv, joint->nv * sizeof *tau) != 0)
            sni_wake_for_force(world, i);
    }
}

static void tell_numbers(const sn_world* world, sn_command_type type, const double* numbers) {
    if (world->tape.write) sni_tell(world, &(sn_command){.type = type, .v = numbers});
}

sn_status sni_set_control(sn_world* world, const double* tau) {
    int32_t nv = world->model->nv;
    if (!tau) return SN_ERR_ARGUMENT;
    if (!sni_are_finite(tau, nv)) return SN_ERR_NUMERIC;
    if (sni_may_sleep(world->dynamics)) wake_changed(world, tau);
    memcpy(world->state.control, tau, (size_t)nv * sizeof *tau);
    find_controlled(world);
    tell_numbers(world, SN_COMMAND_CONTROL, tau);
    return SN_OK;
}

sn_status sni_set_drive(sn_world* world, const double* numbers) {
    if (!numbers) return SN_ERR_ARGUMENT;
    int32_t nv = world->model->nv;
    const double *give = numbers, *lower = give + nv, *upper = lower + nv;
    for (int32_t k = 0; k < nv; k++)
        if (!(give[k] >= 0 && isfinite(give[k]) && lower[k] <= upper[k])) return SN_ERR_NUMERIC;
    memcpy(world->state.drive, numbers, 3 * (size_t)nv * sizeof *numbers);
    find_controlled(world);
    tell_numbers(world, SN_COMMAND_DRIVE, numbers);
    return SN_OK;
}

static void write_nothing(double* numbers, int32_t nv) {
    memset(numbers, 0, (size_t)nv * sizeof *numbers);
    for (int32_t k = 0; k < nv; k++) {
        numbers[nv + k] = -INFINITY;
        numbers[2 * nv + k] = INFINITY;
    }
}

void sn_world_set_control(sn_world* world, const sn_control* control) {
    world->control = control ? *control : (sn_control){0};
    if (control || !world->is_controlled) return;
    int32_t nv = world->model->nv;
    double *none = world->work.control, *drive = none + nv;
    memset(none, 0, (size_t)nv * sizeof *none);
    memset(world->work.applied, 0, (size_t)nv * sizeof *none);
    write_nothing(drive, nv);
    (void)sni_set_control(world, none); // zeros are finite
    if (memcmp(drive, world->state.drive, 3 * (size_t)nv * sizeof *drive) != 0)
        (void)sni_set_drive(world, drive); // and there are no bounds
}

const double* sn_world_control(const sn_world* world) { return world->work.applied; }

// ---- a step -------------------------------------------------------------------------------------------------

void sni_drive_start(sn_world* world) {
    const sni_dof_constants* dof = &world->model->dof;
    sni_work* work = &world->work;
    double h = world->h;
    write_nothing(world->state.drive, world->model->nv);
    if (!sni_is_implicit(world)) return;
    for (int32_t k = 0; k < world->model->nv; k++)
        work->extra[k] = work->springs[k] = h * dof->damping[k] + h * h * dof->stiffness[k];
    sni_set_extra_armature(world->dynamics, work->extra);
}

/// What control adds to the armature; returns whether that is another than before.
static bool give_way(const sn_world* world) {
    const double *give = give_of(world), *springs = world->work.springs;
    double *extra = world->work.extra, part = sni_is_implicit(world) ? 1 : 0;
    bool changed = false;
    for (int32_t k = 0; k < world->model->nv; k++) {
        double before = extra[k];
        extra[k] = springs[k] + part * give[k];
        changed |= extra[k] != before;
    }
    return changed;
}

/// Forces that do not give are held within their bounds at once.
static void hold_stiff(const sn_world* world) {
    const double *control = world->state.control, *lower = lower_of(world),
                 *upper = upper_of(world);
    const double *extra = world->work.extra, *springs = world->work.springs;
    double* pull = world->work.pull;
    for (int32_t k = 0; k < world->model->nv; k++) {
        double tau = control[k], most = tau < upper[k] ? tau : upper[k];
        double held = most > lower[k] ? most : lower[k];
        pull[k] = extra[k] != springs[k] ? tau : held;
    }
}

void sni_drive_begin(sn_world* world) {
    sni_work* work = &world->work;
    if (!world->is_controlled && !work->drives) return;
    work->servo_count = 0;
    if (give_way(world)) sni_set_extra_armature(world->dynamics, work->extra);
    hold_stiff(world);
    memcpy(work->applied, work->pull, (size_t)world->model->nv * sizeof *work->pull);
    if (sni_has_contact(world)) sni_contact_set_servos(world->contacts.set, work->servo, 0);
    work->drives = world->is_controlled;
}

/// The joint that degree of freedom k is of: the last that does not begin after it.
static int32_t joint_of(const sn_model* model, int32_t k) {
    int32_t low = 0, high = model->body_count - 1;
    while (low < high) {
        int32_t middle = (low + high + 1) / 2;
        if (model->joint[middle].iv <= k)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/// A row for the part of the force that may change.
static void push_row(sn_world* world, int32_t k) {
    int32_t body = joint_of(world->model, k);
    double lower = lower_of(world)[k], upper = upper_of(world)[k];
    double middle = 0.5 * (lower + upper);
    world->work.pull[k] = world->work.applied[k] = middle;
    world->work.extra[k] = world->work.springs[k];
    world->work.servo[world->work.servo_count++] =
        (sni_servo){.joint = body,
                    .dof = k - world->model->joint[body].iv,
                    .speed = world->state.v[k],
                    .tau = world->state.control[k] - middle,
                    .give = give_of(world)[k],
                    .bound = 0.5 * (upper - lower)};
}

/// Whether a force is so near to a bound that contact may bring it there.
static bool is_near_bound(double lower, double upper, double force) {
    static const double NEAR = 0.5; // of the way from the middle
    double middle = 0.5 * (lower + upper);
    return isfinite(middle) && !(fabs(force - middle) < NEAR * (upper - middle));
}

/// Forces near their bounds, at rest or at the accelerations in work.qdd, become rows, as far as there is room.
static bool choose_rows(sn_world* world) {
    sni_work* work = &world->work;
    const double *control = world->state.control, *give = give_of(world);
    const double *lower = lower_of(world), *upper = upper_of(world);
    const double *extra = work->extra, *springs = work->springs;
    int32_t before = work->servo_count;
    const sn_dynamics* d = world->dynamics;
    for (int32_t i = 0; i < sni_piece_count(d->model, d->awake_count); i++) {
        sni_piece at = sni_piece_at(d->model, d->awake, d->awake_count, i);
        for (int32_t k = at.iv; k < at.iv + at.nv; k++) {
            if (extra[k] == springs[k]) continue; // gives nothing, or is a row
            bool near = is_near_bound(lower[k], upper[k], control[k]) ||
                        is_near_bound(lower[k], upper[k], control[k] - give[k] * work->qdd[k]);
            if (near && work->servo_count < world->contacts.servos) push_row(world, k);
        }
    }
    return work->servo_count > before;
}

static sn_status solve_again(sn_world* world, int* sweeps) {
    sn_dynamics* dynamics = world->dynamics;
    sni_set_extra_armature(dynamics, world->work.extra);
    sni_step_forces(world, dynamics->awake, dynamics->awake_count);
    ++*sweeps;
    return sni_forward(dynamics, world->work.tau, world->work.qdd);
}

/// With contact: which forces are rows. What is no row any more may bring others near their bounds.
static sn_status bound_by_rows(sn_world* world, int* sweeps) {
    enum { PASSES = 3 };
    sn_status status = SN_OK;
    for (int pass = 0; pass < PASSES && !status && choose_rows(world); pass++)
        status = solve_again(world, sweeps);
    sni_contact_set_servos(world->contacts.set, world->work.servo, world->work.servo_count);
    return status;
}

sn_status sni_drive_bound(sn_world* world, int* sweeps) {
    if (!world->is_controlled || !sni_is_implicit(world)) return SN_OK;
    if (sni_has_contact(world)) return bound_by_rows(world, sweeps);
    sni_drive_search search = sni_drive_search_begin(world);
    sn_status status = SN_OK;
    while (!status && sni_drive_search_on(world, &search)) status = solve_again(world, sweeps);
    return status;
}

void sni_drive_end(sn_world* world) {
    sni_work* work = &world->work;
    if (!world->is_controlled || !sni_is_implicit(world)) return;
    int32_t moving;
    const int32_t* joints = sni_moving(world, &moving);
    const double *after = sni_has_contact(world) ? work->v_plus : work->v, *give = give_of(world);
    const double *extra = work->extra, *springs = work->springs, *v = world->state.v;
    for (int32_t i = 0; i < sni_piece_count(world->model, moving); i++) {
        sni_piece at = sni_piece_at(world->model, joints, moving, i);
        for (int32_t k = at.iv; k < at.iv + at.nv; k++) {
            if (extra[k] == springs[k]) continue;
            work->applied[k] = work->pull[k] - give[k] * (after[k] - v[k]) / world->h;
        }
    }
    if (!world->contacts.solved) return;
    for (int32_t i = 0; i < work->servo_count; i++) {
        const sni_servo* servo = &work->servo[i];
        int32_t k = world->model->joint[servo->joint].iv + servo->dof;
        work->applied[k] =
            work->pull[k] + sni_contact_set_servo_impulse(world->contacts.set, i) / world->h;
    }
}
