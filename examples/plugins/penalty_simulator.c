// SPDX-License-Identifier: Apache-2.0
// A simulator of your own: everything between the joint forces of a step and its new state. Here contact is a stiff
// spring with a damper and friction that grows with sliding speed, and the step is explicit:
//
//   v+ = v + h qdd(q, v, tau) + M^-1 J' (h f)        q+ = q (+) h v+
//
//   sinew sim SCENE --plugin build/examples/plugins/penalty_simulator.so --simulator penalty
//
// What lies on a floor sinks in until the springs carry it, and nothing ever holds quite still by friction: that
// is the price of a method without a solver. Joint limits, dry friction in joints and constraints are left out.
#include <math.h>
#include <stdlib.h>

#include "sinew/plugin.h"

// Springs of a contact are as stiff as the step allows for the lighter body: k h^2 / m. Above about one they ring,
// and with many contacts on one body they add up.
static const double STIFFNESS = 0.05;
// Of critical damping.
static const double DAMPING = 0.5;
// m/s: slower than this, friction is less than mu times the normal force.
static const double CREEP = 0.01;

typedef struct penalty_memory {
    int bodies;
    double* mass;         // [bodies]
    sn_body_wrench* push; // [bodies] impulses of contact in the step
    double *qdd, *dv;     // [nv]
} penalty_memory;

static void penalty_free(void* context, void* memory) {
    penalty_memory* m = memory;
    (void)context;
    if (!m) return;
    free(m->mass), free(m->push), free(m->qdd), free(m->dv);
    free(m);
}

static sn_status penalty_create(void* context, const sn_model* model, void** memory,
                                sn_error* error) {
    penalty_memory* m = calloc(1, sizeof *m);
    (void)error; // the status says enough
    if (!m) return SN_ERR_MEMORY;
    size_t nv = (size_t)sn_model_nv(model);
    m->bodies = sn_model_body_count(model);
    m->mass = calloc((size_t)m->bodies + 1, sizeof *m->mass);
    m->push = calloc((size_t)m->bodies + 1, sizeof *m->push);
    m->qdd = calloc(nv + 1, sizeof *m->qdd);
    m->dv = calloc(nv + 1, sizeof *m->dv);
    if (!m->mass || !m->push || !m->qdd || !m->dv) {
        penalty_free(context, m);
        return SN_ERR_MEMORY;
    }
    for (int i = 0; i < m->bodies; i++) m->mass[i] = sn_model_body(model, sn_body(i)).inertia.mass;
    *memory = m;
    return SN_OK;
}

// ---- contact ------------------------------------------------------------------------------------------------

/// Velocity of the body at a point of the world.
static sn_vec3 velocity_of(const sn_dynamics* d, sn_body_id body, sn_vec3 x) {
    sn_pose X = sn_dynamics_pose(d, body); // of the world: still
    sn_twist v = sn_dynamics_velocity(d, body);
    sn_vec3 r = sn_mat3_apply_transposed(X.R, sn_vec3_sub(x, X.p));
    return sn_mat3_apply(X.R, sn_vec3_add(v.v, sn_vec3_cross(v.w, r)));
}

/// Adds a force at a point of the world to what acts on a body.
static void push(penalty_memory* m, const sn_dynamics* d, sn_body_id body, sn_vec3 x, sn_vec3 f) {
    if (body.i < 0) return;
    sn_pose X = sn_dynamics_pose(d, body);
    sn_vec3 r = sn_mat3_apply_transposed(X.R, sn_vec3_sub(x, X.p));
    sn_vec3 f_b = sn_mat3_apply_transposed(X.R, f);
    sn_wrench* sum = &m->push[body.i].wrench;
    *sum = sn_wrench_add(*sum, sn_wrench_make(sn_vec3_cross(r, f_b), f_b));
}

static double lighter(const penalty_memory* m, const sn_contact* c) {
    double a = c->a.i < 0 ? INFINITY : m->mass[c->a.i], b = c->b.i < 0 ? INFINITY : m->mass[c->b.i];
    return fmin(a, b);
}

/// Force on body a, world axes.
static sn_vec3 force_of(const penalty_memory* m, const sn_dynamics* d, const sn_contact* c,
                        double h) {
    sn_vec3 u = sn_vec3_sub(velocity_of(d, c->a, c->x), velocity_of(d, c->b, c->x));
    double mass = lighter(m, c), k = STIFFNESS * mass / (h * h);
    double u_n = sn_vec3_dot(c->n, u);
    double f_n = fmax(0, -k * c->gap - DAMPING * 2 * sqrt(k * mass) * u_n);
    sn_vec3 u_t = sn_vec3_sub(u, sn_vec3_scale(u_n, c->n));
    double drag = c->material.mu * f_n / fmax(sn_vec3_norm(u_t), CREEP);
    return sn_vec3_sub(sn_vec3_scale(f_n, c->n), sn_vec3_scale(drag, u_t));
}

/// Impulses of all contacts that overlap, by body.
static void find_pushes(penalty_memory* m, const sn_dynamics* d, sn_collider* collider, double h) {
    const sn_contact* contacts = NULL;
    for (int i = 0; i < m->bodies; i++) m->push[i] = (sn_body_wrench){sn_body(i), sn_wrench_zero()};
    int32_t count = collider ? sn_collider_collide(collider, h, &contacts, NULL) : 0;
    for (int32_t k = 0; k < count; k++) {
        const sn_contact* c = &contacts[k];
        if (c->gap >= 0) continue;
        sn_vec3 impulse = sn_vec3_scale(h, force_of(m, d, c, h));
        push(m, d, c->a, c->x, impulse);
        push(m, d, c->b, c->x, sn_vec3_scale(-1, impulse));
    }
}

// ---- the step -----------------------------------------------------------------------------------------------

static sn_status penalty_advance(void* context, void* memory, sn_world* world, double h,
                                 const double* tau, double* q, double* v) {
    penalty_memory* m = memory;
    const sn_model* model = sn_world_model(world);
    sn_dynamics* d = sn_world_dynamics(world);
    (void)context;
    find_pushes(m, d, sn_world_collider(world), h);
    // wrenches that users put on bodies act in forward, locks hold in both
    sn_status status = sn_dynamics_forward(d, q, v, tau, m->qdd);
    if (!status) status = sn_dynamics_impulse(d, NULL, m->push, m->bodies, m->dv);
    if (status) return status;
    for (int k = 0; k < sn_model_nv(model); k++) {
        v[k] += h * m->qdd[k] + m->dv[k];
        m->dv[k] = h * v[k];
    }
    sn_model_integrate(model, q, m->dv, q);
    return SN_OK;
}

static const sn_simulator_module penalty_simulator = {
    .name = "penalty",
    .about = "explicit steps, contact by springs",
    .create = penalty_create,
    .free = penalty_free,
    .advance = penalty_advance,
};

// ---- the plugin ---------------------------------------------------------------------------------------------

static sn_status penalty_provide(sn_modules* modules, sn_error* error) {
    return sn_modules_add_simulator(modules, &penalty_simulator, error);
}

// It has nothing to do while the simulation runs but what the module does.

static sn_status penalty_init(sn_simulation* sim, const char* options, void** memory,
                              sn_error* error) {
    (void)sim, (void)options, (void)memory, (void)error;
    return SN_OK;
}

static sn_status penalty_step(void* memory, sn_simulation* sim) {
    (void)memory, (void)sim;
    return SN_OK;
}

static void penalty_cleanup(void* memory) { (void)memory; }

const sn_plugin sn_plugin_table = {
    SN_PLUGIN_HEAD,
    .name = "penalty_simulator",
    .about = "simulator \"penalty\": explicit steps, contact by springs",
    .provide = penalty_provide,
    .init = penalty_init,
    .step = penalty_step,
    .cleanup = penalty_cleanup,
};
