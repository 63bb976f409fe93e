// SPDX-License-Identifier: Apache-2.0
// Joint forces of a step: the scene's controllers, then the user's, then those of plugins. What fails, or is not
// finite, is stopped and named; the others go on.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/numbers.h"
#include "run/movers.h"

// ---- postures -------------------------------------------------------------------------------------------

/// The first joint of an item in the whole; NULL: it is gone, or has none.
const sni_joint* sni_find_item(const sn_simulation* sim, const sni_plan* plan, int item) {
    int32_t body = plan->first_body[item];
    if (body < 0 || sn_scene_item(sim->scene, item)->model->body_count == 0) return NULL;
    return &plan->model->joint[body];
}

/// kp (target - q) - kd v, at most limit, of the joints that one controller drives.
static void add_posture(sn_simulation* sim, const sni_plan* plan, const sn_world* world, int i,
                        const sn_drive* drive) {
    const sn_controller_def* def = sn_scene_controller(sim->scene, i);
    const sn_model* item = sn_scene_item(sim->scene, def->item)->model;
    const sni_joint* first = sni_find_item(sim, plan, def->item);
    if (!first || !sni_is_active(sim, i)) return;
    const sni_mover* mover = &sim->mover[i];
    const double *speed = mover->speed, *ahead = mover->force;
    double h = sni_is_implicit(world) ? sn_world_step_size(world) : 0;
    const double *q = sn_world_q(world) + first->iq, *v = sn_world_v(world) + first->iv;
    for (int32_t j = 0; j < mover->driven_count; j++) {
        const sni_joint* joint = &item->joint[mover->driven[j]];
        double error[SN_JOINT_MAX_NV];
        sni_joint_difference(joint, q + joint->iq, sim->target[i] + joint->iq, error);
        for (int32_t k = joint->iv; k < joint->iv + joint->nv; k++) {
            if (def->kp[k] == 0 && def->kd[k] == 0) continue;
            sn_pull pull =
                sn_spring_pull(def->kp[k], def->kd[k], error[k - joint->iv], v[k], speed[k], h);
            drive->tau[first->iv + k] += pull.tau + ahead[k];
            drive->give[first->iv + k] += pull.give;
            plan->reach[first->iv + k] += def->limit[k];
        }
    }
}

/// What controllers do together reaches as far as their limits do.
static void bound_postures(const sni_plan* plan, const sn_drive* drive) {
    double* reach = plan->reach;
    for (int k = 0, nv = sn_model_nv(plan->model); k < nv; k++) {
        if (reach[k] > 0) {
            drive->lower[k] = -reach[k];
            drive->upper[k] = reach[k];
        }
        reach[k] = 0;
    }
}

// ---- motors ------------------------------------------------------------------------------------------------

/// No motor does more than it can, whoever asks.
static void bound_motors(const sn_simulation* sim, const sni_plan* plan, const sn_world* world,
                         const sn_actuator_def* def, const sn_drive* drive) {
    const sn_model* item = sn_scene_item(sim->scene, def->item)->model;
    const sni_joint* first = sni_find_item(sim, plan, def->item);
    if (!first || !isfinite(def->motor.torque)) return;
    for (int32_t b = 0; b < item->body_count; b++) {
        if (!def->driven[b]) continue;
        int32_t iv = first->iv + item->joint[b].iv;
        for (int32_t k = iv; k < iv + item->joint[b].nv; k++) {
            double lower, upper;
            sn_actuator_bounds(&def->motor, sn_world_v(world)[k], &lower, &upper);
            drive->lower[k] = fmax(lower, fmin(upper, drive->lower[k]));
            drive->upper[k] = fmax(lower, fmin(upper, drive->upper[k]));
        }
    }
}

// ---- others -----------------------------------------------------------------------------------------------

/// Adds the forces in plan->tau when all are finite; they are besides the limits of controllers.
static sn_status add_forces(const sni_plan* plan, const sn_drive* drive) {
    int nv = sn_model_nv(plan->model);
    if (!sni_are_finite(plan->tau, nv)) return SN_ERR_NUMERIC;
    for (int k = 0; k < nv; k++) {
        drive->tau[k] += plan->tau[k];
        drive->lower[k] += plan->tau[k];
        drive->upper[k] += plan->tau[k];
    }
    return SN_OK;
}

static void clear_forces(const sni_plan* plan) {
    memset(plan->tau, 0, (size_t)sn_model_nv(plan->model) * sizeof *plan->tau);
}

// ---- balance --------------------------------------------------------------------------------------------

/// Whether the forces of balance are due again.
static bool is_due(const sn_world* world, double rate) {
    if (rate == 0) return true;
    uint64_t every = (uint64_t)fmax(1, round(1 / (rate * sn_world_step_size(world))));
    return world->state.step % every == 0;
}

/// Forces of a controller that balances; one that fails gives none.
static void add_balance(sn_simulation* sim, const sni_plan* plan, const sn_world* world, int i,
                        const sn_drive* drive) {
    const sn_controller_def* def = sn_scene_controller(sim->scene, i);
    const sn_item* item = sn_scene_item(sim->scene, def->item);
    const sni_joint* first = sni_find_item(sim, plan, def->item);
    if (!first || !sni_is_active(sim, i)) return;
    sn_vec3 gravity = sn_mat3_apply_transposed(item->pose.R, sn_world_gravity(world));
    size_t size = (size_t)sn_model_nv(item->model) * sizeof(double);
    double* held = sim->mover[i].held;
    if (is_due(world, def->rate) &&
        sn_balance_compute(sim->balance[i], sn_world_q(world) + first->iq,
                           sn_world_v(world) + first->iv, gravity, sim->target[i], held, NULL))
        memset(held, 0, size);
    clear_forces(plan);
    memcpy(plan->tau + first->iv, held, size);
    (void)add_forces(plan, drive); // refused when one is not finite
}

static void add_user(sn_simulation* sim, const sni_plan* plan, const sn_drive* drive) {
    sni_user_control* user = &sim->user;
    if (!user->compute) return;
    clear_forces(plan);
    sn_status status = user->compute(user->context, sim, plan->tau);
    if (!status) status = add_forces(plan, drive);
    if (!status) return;
    user->compute = NULL;
    sni_remark(sim, SN_LOG_WARNING,
               "controller '%s' is stopped, the simulation goes on without it: %s", user->name,
               sn_status_text(status));
}

static void add_plugin(sn_simulation* sim, const sni_plan* plan, sni_plugin* plugin,
                       const sn_drive* drive) {
    if (!sni_plugin_runs(plugin) || !plugin->table->control) return;
    clear_forces(plan);
    sn_status status = plugin->table->control(plugin->memory, sim, plan->tau);
    if (!status) status = add_forces(plan, drive);
    if (status) sni_plugin_stop(plugin, sim, "its control failed", status);
}

sn_status sni_compute_control(void* context, const sn_world* world, const sn_drive* drive) {
    sn_simulation* sim = context;
    const sni_plan* plan = sni_follow_plan(sim);
    sim->in_control = true;
    for (int i = 0; i < sn_scene_controller_count(sim->scene); i++)
        if (!sim->balance[i]) add_posture(sim, plan, world, i, drive);
    bound_postures(plan, drive);
    for (int i = 0; i < sn_scene_controller_count(sim->scene); i++)
        if (sim->balance[i]) add_balance(sim, plan, world, i, drive);
    add_user(sim, plan, drive);
    for (int i = 0; i < sim->plugins.count; i++) add_plugin(sim, plan, &sim->plugins.at[i], drive);
    for (int i = 0; i < sn_scene_actuator_count(sim->scene); i++)
        bound_motors(sim, plan, world, sn_scene_actuator(sim->scene, i), drive);
    sim->in_control = false;
    return SN_OK;
}

static int count_motors(const sn_scene* scene, const sn_actuator_def* def) {
    const sn_model* model = sn_scene_item(scene, def->item)->model;
    int count = 0;
    for (int b = 0; isfinite(def->motor.torque) && b < sn_model_body_count(model); b++)
        if (def->driven[b]) count += sn_model_body(model, sn_body(b)).nv;
    return count;
}

int sni_count_bounded(const sn_scene* scene) {
    int count = 0;
    for (int i = 0; i < sn_scene_actuator_count(scene); i++)
        count += count_motors(scene, sn_scene_actuator(scene, i));
    for (int i = 0; i < sn_scene_controller_count(scene); i++) {
        const sn_controller_def* def = sn_scene_controller(scene, i);
        int nv = sn_model_nv(sn_scene_item(scene, def->item)->model);
        for (int k = 0; k < nv; k++)
            count += (def->kp[k] != 0 || def->kd[k] != 0) && isfinite(def->limit[k]);
    }
    return count;
}

bool sni_is_controlled(const sn_simulation* sim) {
    if (sn_scene_controller_count(sim->scene) > 0 || sim->user.compute) return true;
    for (int i = 0; i < sim->plugins.count; i++)
        if (sim->plugins.at[i].table->control) return true;
    return false;
}

sn_status sn_simulation_set_controller(sn_simulation* sim, const char* name,
                                       sn_status (*compute)(void* context, sn_simulation* sim,
                                                            double* tau),
                                       void* context) {
    if (!sim) return SN_ERR_ARGUMENT;
    char* copy = strdup(name ? name : "controller");
    if (!copy) return SN_ERR_MEMORY;
    free(sim->user.name);
    sim->user = (sni_user_control){copy, compute, context};
    return SN_OK;
}

// ---- targets ----------------------------------------------------------------------------------------------

sn_status sni_targets_create(sn_simulation* sim) {
    int count = sn_scene_controller_count(sim->scene);
    sim->target = calloc((size_t)count + 1, sizeof *sim->target);
    sim->balance = calloc((size_t)count + 1, sizeof *sim->balance);
    if (!sim->target || !sim->balance) return SN_ERR_MEMORY;
    for (int i = 0; i < count; i++) {
        const sn_controller_def* def = sn_scene_controller(sim->scene, i);
        size_t nq = (size_t)sn_model_nq(sn_scene_item(sim->scene, def->item)->model);
        sim->target[i] = malloc((nq + 1) * sizeof *sim->target[i]);
        if (!sim->target[i]) return SN_ERR_MEMORY;
        if (!def->balance) continue;
        const sn_model* model = sn_scene_item(sim->scene, def->item)->model;
        sn_status status = sn_balance_create(model, def->balance, &sim->balance[i], NULL);
        if (status) return status;
    }
    sni_reset_targets(sim);
    return SN_OK;
}

void sni_targets_free(sn_simulation* sim) {
    for (int i = 0; sim->target && i < sn_scene_controller_count(sim->scene); i++)
        free(sim->target[i]);
    for (int i = 0; sim->balance && i < sn_scene_controller_count(sim->scene); i++)
        sn_balance_free(sim->balance[i]);
    free(sim->target);
    free(sim->balance);
}

/// Changes one joint of a target, or nothing when there is no such configuration.
static sn_status put_target(sn_simulation* sim, int i, const sn_item* item,
                            const sn_body_info* joint, const sn_edit* edit, sn_error* error) {
    double before[SN_JOINT_MAX_NQ];
    double* q = sim->target[i] + joint->iq;
    size_t size = (size_t)joint->nq * sizeof *q;
    memcpy(before, q, size);
    memcpy(q, edit->number, size);
    if (sn_model_check_q(item->model, sim->target[i], NULL)) return SN_OK;
    memcpy(q, before, size);
    return sni_fail(
        error, SN_ERR_NUMERIC, edit->place,
        "target: joint '%s' cannot be there: numbers are finite, quaternions of length 1",
        edit->body);
}

void sni_reset_targets(sn_simulation* sim) {
    for (int i = 0; i < sn_scene_controller_count(sim->scene); i++) {
        const sn_controller_def* def = sn_scene_controller(sim->scene, i);
        size_t nq = (size_t)sn_model_nq(sn_scene_item(sim->scene, def->item)->model);
        memcpy(sim->target[i], def->target, nq * sizeof *def->target);
    }
}

sn_status sni_set_target(sn_simulation* sim, const sn_edit* edit, sn_error* error) {
    for (int i = 0; i < sn_scene_controller_count(sim->scene); i++) {
        const sn_controller_def* def = sn_scene_controller(sim->scene, i);
        if (strcmp(def->name, edit->name) != 0) continue;
        const sn_item* item = sn_scene_item(sim->scene, def->item);
        size_t prefix = strlen(item->prefix);
        const char* joint_name = edit->body;
        if (strncmp(joint_name, item->prefix, prefix) == 0) joint_name += prefix;
        sn_body_id joint = sn_model_find_joint(item->model, joint_name);
        if (joint.i < 0)
            return sni_fail(error, SN_ERR_ARGUMENT, edit->place, "target: '%s' has no joint '%s'",
                            item->name, joint_name);
        sn_body_info info = sn_model_body(item->model, joint);
        if (edit->number_count != info.nq)
            return sni_fail(error, SN_ERR_ARGUMENT, edit->place,
                            "target: joint '%s' takes %d numbers, not %d", joint_name, info.nq,
                            edit->number_count);
        return put_target(sim, i, item, &info, edit, error);
    }
    return sni_fail(error, SN_ERR_ARGUMENT, edit->place, "target: there is no controller '%s'",
                    edit->name);
}
