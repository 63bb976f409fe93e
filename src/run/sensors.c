// SPDX-License-Identifier: Apache-2.0
// What the sensors of the scene show after a step. One whose item is gone shows NaN.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hot.h"
#include "run/sn_run.h"

static double* put_vector(double* out, sn_vec3 a) {
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
    return out + 3;
}

/// The sensor's body in the whole, or the first of its item.
static int32_t body_of(const sni_plan* plan, const sn_sensor_def* def) {
    return plan->first_body[def->item] + (def->body.i > 0 ? def->body.i : 0);
}

/// Its frame in that body; NULL: the body's own.
static const sn_pose* offset_of(const sn_simulation* sim, const sn_sensor_def* def) {
    if (def->frame.i < 0) return NULL;
    return &sn_scene_item(sim->scene, def->item)->model->frame[def->frame.i].X_bf;
}

sn_pose sni_sensor_pose(const sn_simulation* sim, const sni_plan* plan, const sn_sensor_def* def) {
    const sn_pose* X_bf = offset_of(sim, def);
    bool fixed = def->body.i < 0; // to the world
    sn_pose X_wb = fixed ? sn_scene_item(sim->scene, def->item)->pose
                         : sn_dynamics_pose(sim->world->dynamics, sn_body(body_of(plan, def)));
    return X_bf ? sn_pose_mul(X_wb, *X_bf) : X_wb;
}

/// Velocity of its frame, world axes, at the frame's origin.
static sn_twist velocity_of(const sn_simulation* sim, const sni_plan* plan,
                            const sn_sensor_def* def) {
    const sn_dynamics* dynamics = sim->world->dynamics;
    if (def->body.i < 0) return sn_twist_zero(); // fixed to the world
    sn_body_id body = sn_body(body_of(plan, def));
    const sn_pose* X_bf = offset_of(sim, def);
    sn_mat3 R_wb = sn_dynamics_pose(dynamics, body).R;
    sn_twist v = sn_dynamics_velocity(dynamics, body);
    if (X_bf) v.v = sn_vec3_add(v.v, sn_vec3_cross(v.w, X_bf->p));
    return sn_twist_make(sn_mat3_apply(R_wb, v.w), sn_mat3_apply(R_wb, v.v));
}

static void read_pose(const sn_simulation* sim, const sni_plan* plan, const sn_sensor_def* def,
                      double* out) {
    sn_pose X = sni_sensor_pose(sim, plan, def);
    out = put_vector(out, X.p);
    sn_quat turn = sn_quat_from_matrix(X.R);
    out[0] = turn.w;
    out[1] = turn.x;
    out[2] = turn.y;
    out[3] = turn.z;
}

static void read_twist(const sn_simulation* sim, const sni_plan* plan, const sn_sensor_def* def,
                       double* out) {
    sn_twist v = velocity_of(sim, plan, def);
    put_vector(put_vector(out, v.w), v.v);
}

/// Moment about the body's origin, and force.
static void read_contact(const sn_simulation* sim, const sni_plan* plan, const sn_sensor_def* def,
                         double* out) {
    const sn_world* world = sim->world;
    int32_t body = body_of(plan, def);
    sn_vec3 origin = sn_dynamics_pose(world->dynamics, sn_body(body)).p;
    sn_vec3 force = sn_vec3_zero(), moment = sn_vec3_zero();
    for (int32_t i = 0; i < sn_world_contact_count(world); i++) {
        const sn_contact* contact = &sn_world_contacts(world)[i];
        if (contact->a.i != body && contact->b.i != body) continue;
        sn_wrench on_a = sn_world_contact_force(world, i); // about the point, on body a
        double sign = contact->a.i == body ? 1 : -1;
        sn_vec3 arm = sn_vec3_sub(contact->x, origin);
        force = sn_vec3_add(force, sn_vec3_scale(sign, on_a.f));
        moment = sn_vec3_add(moment,
                             sn_vec3_scale(sign, sn_vec3_add(on_a.n, sn_vec3_cross(arm, on_a.f))));
    }
    put_vector(put_vector(out, moment), force);
}

/// Mass, mass times place and momentum of bodies.
typedef struct moving_mass {
    double mass;
    sn_vec3 place, momentum;
} moving_mass;

static void add_body(moving_mass* sum, const sn_inertia* I, const sn_pose* X, const sn_twist* v) {
    sn_vec3 speed = sn_vec3_add(v->v, sn_vec3_cross(v->w, I->com));
    sn_vec3 centre = sn_vec3_add(sn_mat3_apply(X->R, I->com), X->p);
    sum->mass += I->mass;
    sum->place = sn_vec3_add(sum->place, sn_vec3_scale(I->mass, centre));
    sum->momentum = sn_vec3_add(sum->momentum, sn_vec3_scale(I->mass, sn_mat3_apply(X->R, speed)));
}

SN_HOT static void read_centre(const sn_simulation* sim, const sni_plan* plan,
                               const sn_sensor_def* def, double* out) {
    const sn_dynamics* dynamics = sim->world->dynamics;
    const sni_places* at = sni_places_now(dynamics);
    int32_t first = plan->first_body[def->item];
    int count = sn_model_body_count(sn_scene_item(sim->scene, def->item)->model);
    moving_mass sum = {0};
    for (int32_t b = first; b < first + count; b++) {
        const sn_inertia* I = &plan->model->body[b].inertia;
        if (at) {
            add_body(&sum, I, &at->pose[b], &at->twist[b]);
            continue;
        }
        sn_pose X = sn_dynamics_pose(dynamics, sn_body(b));
        sn_twist v = sn_dynamics_velocity(dynamics, sn_body(b));
        add_body(&sum, I, &X, &v);
    }
    double share = sum.mass > 0 ? 1 / sum.mass : NAN; // nothing has no centre
    put_vector(put_vector(out, sn_vec3_scale(share, sum.place)),
               sn_vec3_scale(share, sum.momentum));
}

/// Turning and acceleration without gravity, of which a point that falls freely has none; axes of the frame.
static void read_imu(const sn_simulation* sim, const sni_plan* plan, const sn_sensor_def* def,
                     const sni_before* before, double* out) {
    sn_pose X = sni_sensor_pose(sim, plan, def);
    sn_twist v = velocity_of(sim, plan, def);
    double h = sn_world_step_size(sim->world);
    sn_vec3 a = sn_vec3_scale(before->known ? 1 / h : 0, sn_vec3_sub(v.v, before->speed));
    a = sn_vec3_sub(a, sn_world_gravity(sim->world));
    put_vector(put_vector(out, sn_mat3_apply_transposed(X.R, v.w)),
               sn_mat3_apply_transposed(X.R, a));
}

/// What a force sensor shows of the wrench in its frame.
static void read_force(const sn_simulation* sim, const sni_plan* plan, const sn_sensor_def* def,
                       const sni_before* before, double* out) {
    sn_pose X = sni_sensor_pose(sim, plan, def);
    double f[6];
    sn_wrench felt = sn_pose_wrench_inverse(X, sni_felt_wrench(sim, body_of(plan, def), before));
    put_vector(put_vector(f, felt.n), felt.f);
    if (def->calibration)
        sn_force_sensor_show(def->calibration, f, out);
    else
        memcpy(out, f, sizeof f);
}

static void read_sensor(sn_simulation* sim, const sni_plan* plan, int i, double* out) {
    const sn_sensor_def* def = sn_scene_sensor(sim->scene, i);
    const sni_before* before = &sim->measure[i].before;
    size_t size = (size_t)def->numbers * sizeof *out;
    const sni_joint* joint = def->item >= 0 ? plan->model->joint + body_of(plan, def) : NULL;
    switch (def->type) {
    case SN_SENSOR_POSITION: memcpy(out, sn_world_q(sim->world) + joint->iq, size); return;
    case SN_SENSOR_VELOCITY: memcpy(out, sn_world_v(sim->world) + joint->iv, size); return;
    case SN_SENSOR_CONTROL: memcpy(out, sn_world_control(sim->world) + joint->iv, size); return;
    case SN_SENSOR_POSE: read_pose(sim, plan, def, out); return;
    case SN_SENSOR_TWIST: read_twist(sim, plan, def, out); return;
    case SN_SENSOR_CONTACT: read_contact(sim, plan, def, out); return;
    case SN_SENSOR_CENTRE: read_centre(sim, plan, def, out); return;
    case SN_SENSOR_FORCE: read_force(sim, plan, def, before, out); return;
    case SN_SENSOR_IMU: read_imu(sim, plan, def, before, out); return;
    case SN_SENSOR_ENERGY: {
        sn_energy energy = sn_world_energy(sim->world);
        put_vector(out, sn_vec3_make(energy.kinetic, energy.potential, energy.spring));
        return;
    }
    case SN_SENSOR_TYPE_COUNT: return;
    }
}

// ---- time -------------------------------------------------------------------------------------------------

/// Whether the sensor measures in this step: so many times a second, counted from the beginning of time.
static bool is_due(const sn_simulation* sim, const sn_sensor_def* def, const sni_measure* m) {
    if (def->rate == 0 || m->count == 0) return true;
    double h = sn_world_step_size(sim->world), step = (double)sn_world_step_count(sim->world);
    const double rounding = 1e-9; // of a step: times that fall together
    return floor((step + rounding) * h * def->rate) > floor((step - 1 + rounding) * h * def->rate);
}

/// The truth with noise and bias, as it was measured last.
static void take_sample(sn_simulation* sim, const sni_plan* plan, int i) {
    const sn_sensor_def* def = sn_scene_sensor(sim->scene, i);
    sni_measure* m = &sim->measure[i];
    if (!is_due(sim, def, m)) return;
    read_sensor(sim, plan, i, m->last);
    for (int k = 0; k < def->numbers; k++) {
        if (def->noise > 0)
            m->last[k] +=
                def->noise * sn_sensor_noise(def->seed, sn_world_step_count(sim->world), k);
        m->last[k] += def->bias[k];
    }
}

/// What was measured so long ago; before that, the first.
static void show(const sn_sensor_def* def, sni_measure* m, double* out) {
    size_t size = (size_t)def->numbers * sizeof *out;
    uint64_t room = (uint64_t)m->late + 1;
    memcpy(m->kept + (m->count % room) * (size_t)def->numbers, m->last, size);
    uint64_t oldest = m->count < room ? 0 : (m->count + 1) % room;
    m->count++;
    memcpy(out, m->kept + oldest * (size_t)def->numbers, size);
}

void sni_sensors_forget(sn_simulation* sim) {
    for (int i = 0; i < sn_scene_sensor_count(sim->scene); i++) {
        sim->measure[i].count = 0;
        sim->measure[i].before.known = false;
    }
}

void sni_sensors_prepare(sn_simulation* sim) {
    if (!sim->compares) return;
    const sni_plan* plan = sni_follow_plan(sim);
    sni_update_motion(sim->world);
    for (int i = 0; i < sn_scene_sensor_count(sim->scene); i++) {
        const sn_sensor_def* def = sn_scene_sensor(sim->scene, i);
        sni_before* before = &sim->measure[i].before;
        bool gone = def->item >= 0 && plan->first_body[def->item] < 0;
        bool compares = def->type == SN_SENSOR_FORCE || def->type == SN_SENSOR_IMU;
        before->known = compares && !gone;
        if (!before->known) continue;
        if (def->type == SN_SENSOR_FORCE)
            sni_felt_begin(sim, body_of(plan, def), before);
        else
            before->speed = velocity_of(sim, plan, def).v;
    }
}

void sni_sensors_measure(sn_simulation* sim) {
    const sni_plan* plan = sni_follow_plan(sim);
    sni_update_motion(sim->world);
    double* out = sim->numbers;
    for (int i = 0; i < sn_scene_sensor_count(sim->scene); i++) {
        const sn_sensor_def* def = sn_scene_sensor(sim->scene, i);
        bool gone = def->item >= 0 && plan->first_body[def->item] < 0;
        for (int k = 0; gone && k < def->numbers; k++) out[k] = NAN;
        if (!gone) {
            take_sample(sim, plan, i);
            show(def, &sim->measure[i], out);
        }
        out += def->numbers;
    }
}

// ---- creation -----------------------------------------------------------------------------------------------

sn_status sni_sensors_create(sn_simulation* sim) {
    int count = sn_scene_sensor_count(sim->scene);
    double h = sim->world_def.step;
    sim->measure = calloc((size_t)count + 1, sizeof *sim->measure);
    if (!sim->measure) return SN_ERR_MEMORY;
    for (int i = 0; i < count; i++) {
        const sn_sensor_def* def = sn_scene_sensor(sim->scene, i);
        sni_measure* m = &sim->measure[i];
        sim->number_count += def->numbers;
        sim->compares = sim->compares || def->type == SN_SENSOR_FORCE || def->type == SN_SENSOR_IMU;
        m->late = (int32_t)round(def->delay / h);
        size_t numbers = (size_t)def->numbers;
        m->kept = calloc(numbers * ((size_t)m->late + 2), sizeof *m->kept);
        if (!m->kept) return SN_ERR_MEMORY;
        m->last = m->kept + numbers * ((size_t)m->late + 1);
    }
    sim->numbers = calloc((size_t)sim->number_count + 1, sizeof *sim->numbers);
    return sim->numbers ? SN_OK : SN_ERR_MEMORY;
}

void sni_sensors_free(sn_simulation* sim) {
    for (int i = 0; sim->measure && i < sn_scene_sensor_count(sim->scene); i++)
        free(sim->measure[i].kept);
    free(sim->measure);
    free(sim->numbers);
}

int sn_simulation_sensor_count(const sn_simulation* sim) {
    return sn_scene_sensor_count(sim->scene);
}

const sn_sensor_def* sn_simulation_sensor_def(const sn_simulation* sim, int i) {
    return sn_scene_sensor(sim->scene, i);
}

const double* sn_simulation_sensors(const sn_simulation* sim, int* count) {
    if (count) *count = sim->number_count;
    return sim->numbers;
}

int sn_simulation_sensor_first(const sn_simulation* sim, int i) {
    int first = 0;
    for (int k = 0; k < i; k++) first += sn_scene_sensor(sim->scene, k)->numbers;
    return first;
}
