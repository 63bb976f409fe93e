// SPDX-License-Identifier: Apache-2.0
// Which forces of control are at their bounds, without contact.
//
// With forces f(a) = clamp(tau - give a), the accelerations a solve  M a + b = f(a). That is where the gradient of
//   phi(a) = a' M a / 2 + b' a + sum psi(a_k),   psi' = -f
// is zero, which is strictly convex and piecewise quadratic: Newton's method takes the forces that are at a bound for
// constant, and solves; where phi rises again on the way there, it stops at the lowest point. It ends when the forces
// at bounds are those it was solved with, after a few passes in practice.
#include <math.h>

#include "sim/sn_sim.h"

enum { PASSES = 50 };

static double force_at(const sn_world* world, int32_t k, double qdd) {
    const double* drive = world->state.drive;
    int32_t nv = world->model->nv;
    double asked = world->state.control[k] - drive[k] * qdd;
    return fmax(drive[nv + k], fmin(drive[2 * nv + k], asked));
}

static bool gives(const sn_world* world, int32_t k) { return world->state.drive[k] > 0; }

/// The force that the last solve had: of one that was not held at a bound what it had given.
static double force_solved(const sn_world* world, int32_t k) {
    double extra = world->work.extra[k] - world->work.springs[k];
    return world->work.pull[k] - extra * world->work.qdd[k];
}

#define FOR_EACH_DOF(world, k)                                                                     \
    for (int32_t i_ = 0; i_ < (world)->dynamics->awake_count; i_++)                                \
        for (const sni_joint* joint_ = &(world)->model->joint[(world)->dynamics->awake[i_]];       \
             joint_; joint_ = NULL)                                                                \
            for (int32_t k = joint_->iv; k < joint_->iv + joint_->nv; k++)                         \
                if (gives(world, k))

sni_drive_search sni_drive_search_begin(sn_world* world) {
    FOR_EACH_DOF(world, k) {
        world->work.reached[k] = world->work.qdd[k];
        world->work.load[k] = force_solved(world, k);
    }
    return (sni_drive_search){0};
}

/// Slope of phi at a part t of the way from `reached` to qdd. load: M a + b, which is linear on the way.
static double slope(const sn_world* world, double t) {
    const sni_work* work = &world->work;
    double sum = 0;
    FOR_EACH_DOF(world, k) {
        double way = work->qdd[k] - work->reached[k];
        double load = work->load[k] + t * (force_solved(world, k) - work->load[k]);
        sum += way * (load - force_at(world, k, work->reached[k] + t * way));
    }
    return sum;
}

/// The part of the way where phi is lowest; its slope only grows.
static double lowest(const sn_world* world) {
    enum { HALVINGS = 30 };
    if (!(slope(world, 1) > 0)) return 1;
    double from = 0, to = 1;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (from + to);
        if (slope(world, middle) > 0)
            to = middle;
        else
            from = middle;
    }
    return to;
}

static void go(sn_world* world, double part) {
    sni_work* work = &world->work;
    FOR_EACH_DOF(world, k) {
        double force = force_solved(world, k);
        work->load[k] = part == 1 ? force : work->load[k] + part * (force - work->load[k]);
        work->reached[k] =
            part == 1 ? work->qdd[k] : work->reached[k] + part * (work->qdd[k] - work->reached[k]);
    }
}

/// Holds the forces at bounds that are there at the accelerations reached; false: they are those of the last solve.
static bool hold(sn_world* world) {
    sni_work* work = &world->work;
    bool changed = false;
    FOR_EACH_DOF(world, k) {
        double tau = world->state.control[k], give = world->state.drive[k];
        double asked = tau - give * work->reached[k], force = force_at(world, k, work->reached[k]);
        double pull = force == asked ? tau : force;
        double extra = work->springs[k] + (force == asked ? give : 0);
        changed = changed || pull != work->pull[k] || extra != work->extra[k];
        work->pull[k] = work->applied[k] = pull;
        work->extra[k] = extra;
    }
    return changed;
}

bool sni_drive_search_on(sn_world* world, sni_drive_search* search) {
    if (search->passes > 0) go(world, lowest(world));
    return search->passes++ < PASSES && hold(world);
}
