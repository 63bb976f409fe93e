// SPDX-License-Identifier: Apache-2.0
// Energy tank: a new state of the simulation moves the far end of the spring that the hand feels, and that puts energy
// into it from nowhere:
//
//   E = (|f_new|^2 - |f_expected|^2) / 2k        f_expected = f_before - k (way of the handle)
#include "math/least.h"
#include "sinew/safety.h"

void sn_tank_reset(sn_tank* t) {
    t->level = t->capacity;
    t->before = t->held = sn_vec3_zero();
}

/// Energy that adding d to f puts into the spring.
static double energy_of(sn_vec3 f, sn_vec3 d, double stiffness) {
    return (sn_vec3_dot(f, d) + 0.5 * sn_vec3_dot(d, d)) / stiffness;
}

/// Largest share of d, up to 1, that costs no more than `level`: s (f.d) + s^2 |d|^2 / 2 = k level.
static double affordable(sn_vec3 f, sn_vec3 d, double stiffness, double level) {
    if (energy_of(f, d, stiffness) <= level) return 1;
    double a = 0.5 * sn_vec3_dot(d, d), b = sn_vec3_dot(f, d), c = stiffness * level;
    double root =
        sqrt(b * b + 4 * a * c); // the positive root, without cancellation for either sign of b
    double share = b > 0 ? 2 * c / (b + root) : (root - b) / (2 * a);
    return sni_least(sni_most(share, 0), 1);
}

static void pay(sn_tank* t, double energy) {
    if (!(energy > 0)) return;
    t->unpaid += sni_most(energy - t->level, 0);
    t->level = sni_most(t->level - energy, 0);
}

sn_vec3 sn_tank_apply(sn_tank* t, double h, bool fresh, sn_vec3 moved, double stiffness,
                      double taken, sn_vec3 force) {
    t->level = sni_least(t->level + h * t->refill + sni_most(taken, 0), t->capacity);
    sn_vec3 expected = sn_vec3_sub(t->before, sn_vec3_scale(stiffness, moved));
    t->before = force;
    if (fresh && stiffness > 0) {
        sn_vec3 jump = sn_vec3_sub(force, expected), now = sn_vec3_sub(expected, t->held);
        double share = affordable(now, jump, stiffness, t->level);
        pay(t, energy_of(now, sn_vec3_scale(share, jump), stiffness));
        t->held = sn_vec3_add(t->held, sn_vec3_scale(1 - share, jump));
    }
    double share = t->release > 0 ? sni_least(h / t->release, 1) : 1;
    sn_vec3 released = sn_vec3_scale(share, t->held);
    if (stiffness > 0) pay(t, energy_of(sn_vec3_sub(force, t->held), released, stiffness));
    t->held = sn_vec3_sub(t->held, released);
    return sn_vec3_sub(force, t->held);
}
