// SPDX-License-Identifier: Apache-2.0
// Passivity in the time domain: what the rendering has given to the hand beyond what it had got is counted, and taken
// back by damping.   [HR02]
//
// Three things make the count sharper than the plain product of force and velocity. Work is force times way, and the
// force is the one that acted while the way was made, not the one that is being computed. A spring's energy is known
// from its force, so pressing and letting go cost nothing and do not hide what is produced meanwhile. And the
// device's own friction pays for what sampling costs: K h/2 x' x' for a spring, so a certified one is left alone.
#include <string.h>

#include "math/least.h"
#include "sinew/safety.h"

void sn_passivity_reset(sn_passivity* p) {
    p->energy = p->damping = p->stored = 0;
    memset(p->sent, 0, sizeof p->sent);
    p->newest = 0;
}

/// The force that acted in the tick that ends now: sent at its start, `delay` earlier, between two ticks.
static sn_vec3 acting(const sn_passivity* p, double h) {
    double ticks = sni_least(h > 0 ? p->delay / h : 0, SN_PASSIVITY_KEPT - 2);
    int whole = (int)ticks;
    double part = ticks - whole;
    sn_vec3 later = p->sent[(p->newest + SN_PASSIVITY_KEPT - whole) % SN_PASSIVITY_KEPT];
    sn_vec3 earlier = p->sent[(p->newest + SN_PASSIVITY_KEPT - whole - 1) % SN_PASSIVITY_KEPT];
    return sn_vec3_add(sn_vec3_scale(1 - part, later), sn_vec3_scale(part, earlier));
}

static double stored_by(const sn_passivity_input* in, sn_vec3 force) {
    if (!(in->stiffness > 0)) return 0;
    double size = sni_least(sn_vec3_norm(force), in->limit);
    return size * size / (2 * in->stiffness);
}

sn_vec3 sn_passivity_apply(sn_passivity* p, const sn_passivity_input* in, sn_vec3 force) {
    double stored = stored_by(in, force);
    double way2 = sn_vec3_dot(in->moved, in->moved);
    double energy = p->energy - sn_vec3_dot(acting(p, in->h), in->moved) + in->supplied -
                    in->share * (stored - p->stored);
    if (in->h > 0) energy += p->friction * way2 / in->h;
    if (p->forget > 0) energy *= 1 - sni_least(in->h / p->forget, 1);
    p->energy = sni_least(energy, p->credit);
    p->least = sni_least(p->least, p->energy);
    if (p->most_debt > 0) p->energy = sni_most(p->energy, -p->most_debt);
    p->stored = stored;
    p->damping = 0;
    double speed2 = sn_vec3_dot(in->velocity, in->velocity), debt = -p->slack - p->energy;
    if (!(debt > 0 && speed2 > 0 && in->h > 0)) return force;
    p->damping = sni_least(debt / (in->h * speed2), p->most_damping);
    return sn_vec3_sub(force, sn_vec3_scale(p->damping, in->velocity));
}

void sn_passivity_sent(sn_passivity* p, sn_vec3 force) {
    p->newest = (p->newest + 1) % SN_PASSIVITY_KEPT;
    p->sent[p->newest] = force;
}
