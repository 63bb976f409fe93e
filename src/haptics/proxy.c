// SPDX-License-Identifier: Apache-2.0
// A ball that follows the device and stays outside of everything.   [ZS95, RKK97]
//
// Instead of sweeping it along its path, each piece gives a plane between itself and the ball; the ball goes to the
// point nearest to its goal that is free of all of them, gets new planes there, and so on: every leg is free of every
// piece. The goal is the device, but for friction: with g the point nearest to the device x that is free of what the
// ball touches now, it goes towards g only until the spring is within the cone, |p - g| <= mu |g - x|.   [HM04]
#include <math.h>
#include <string.h>

#include "haptics/surfaces.h"

enum { LEGS = 8 };
// m: shorter legs lead nowhere.
static const double SHORT = 1e-9;

sn_touch_def sn_touch_def_default(void) {
    return (sn_touch_def){.stiffness = 800,
                          .damping = 1,
                          .turn_stiffness = 4,
                          .turn_damping = 5e-3,
                          .skin = 20e-6,
                          .friction = 1,
                          .push_gain = 1,
                          .horizon = 0.05};
}

static bool is_size(double x) { return x >= 0 && isfinite(x); }

const char* sn_touch_def_trouble(const sn_touch_def* def) {
    if (!is_size(def->stiffness) || !is_size(def->damping) || !is_size(def->turn_stiffness) ||
        !is_size(def->turn_damping))
        return "stiffness and damping must be finite and not negative";
    if (!is_size(def->radius)) return "radius must be finite and not negative";
    if (!(def->skin > 0 && isfinite(def->skin))) return "skin must be positive";
    if (!is_size(def->friction) || !is_size(def->push_gain))
        return "friction and push gain must be finite and not negative";
    if (!is_size(def->horizon)) return "horizon must be finite and not negative";
    return NULL;
}

sn_status sn_proxy_init(sn_proxy* proxy, const sn_touch_def* def) {
    if (!proxy || !def || sn_touch_def_trouble(def)) return SN_ERR_ARGUMENT;
    memset(proxy, 0, sizeof *proxy);
    proxy->def = *def;
    proxy->surfaces.horizon = def->horizon;
    proxy->held = -1;
    return SN_OK;
}

static double radius_of(const sn_proxy* proxy) { return proxy->def.radius + proxy->def.skin; }

// ---- legs -----------------------------------------------------------------------------------------------------------------

/// Planes between the ball at some place and what is near.
typedef struct near_planes {
    int32_t count;
    sni_plane plane[SN_LOCAL_PIECES];
} near_planes;

/// Of all pieces that a way from p to target can meet, or that are as near as `near`.
static void find_planes(sn_proxy* proxy, sn_vec3 p, sn_vec3 target, double near, near_planes* to) {
    double far = sn_vec3_norm(sn_vec3_sub(target, p)) + radius_of(proxy) + near;
    to->count = 0;
    for (int32_t k = 0; k < proxy->surfaces.count; k++) {
        if (proxy->clear[k] > far) continue;
        bool holds = sni_plane_between(&proxy->surfaces.piece[k], k, p, radius_of(proxy), target,
                                       &to->plane[to->count], &proxy->clear[k]);
        if (holds && proxy->clear[k] <= far) to->count++;
    }
    to->count = sni_planes_tidy(to->plane, to->count);
}

/// It moves: it may be as much nearer to everything.
static void move_to(sn_proxy* proxy, sn_vec3 p) {
    double step = sn_vec3_norm(sn_vec3_sub(p, proxy->p));
    for (int32_t k = 0; k < proxy->surfaces.count; k++) proxy->clear[k] -= step;
    proxy->p = p;
}

/// As much of the leg from p to g as all planes allow: all of it but for rounding.
static sn_vec3 stop_short(const near_planes* planes, sn_vec3 p, sn_vec3 g) {
    sn_vec3 leg = sn_vec3_sub(g, p);
    double part = 1;
    for (int32_t k = 0; k < planes->count; k++) {
        double rate = sn_vec3_dot(planes->plane[k].n, leg);
        double room = sni_plane_room(&planes->plane[k], p);
        if (rate < 0 && room + part * rate < -SHORT) part = fmax(room, 0) / -rate;
    }
    return sn_vec3_add(p, sn_vec3_scale(part, leg));
}

/// Goes as near to the goal as it can.
static void go(sn_proxy* proxy, sn_vec3 goal) {
    near_planes planes;
    for (int leg = 0; leg < LEGS; leg++) {
        sni_corner corner;
        find_planes(proxy, proxy->p, goal, 0, &planes);
        if (!sni_nearest_free(planes.plane, planes.count, goal, &corner)) return;
        sn_vec3 next = stop_short(&planes, proxy->p, corner.x);
        double step = sn_vec3_norm(sn_vec3_sub(next, proxy->p));
        move_to(proxy, next);
        if (corner.count == 0 || step < SHORT) return; // there, or no nearer
    }
}

// ---- what is touched ---------------------------------------------------------------------------------------------------------

/// What presses against it, for a device at x.
typedef struct pressing {
    near_planes planes;
    sni_corner corner; ///< nearest to x that is free of it; count 0: nothing presses
    double share[3];   ///< of the normals in the way from x to there
    int best;          ///< the one that presses most
} pressing;

/// Planes nearer than this touch; a piece that held it may have curved away a little.
static double touching(const sn_proxy* proxy, int32_t piece, sn_vec3 x) {
    double near = 0.5 * proxy->def.skin;
    if (piece != proxy->held) return near;
    return near + 0.1 * sn_vec3_norm(sn_vec3_sub(x, proxy->p));
}

static void find_pressing(sn_proxy* proxy, sn_vec3 x, pressing* p) {
    near_planes* planes = &p->planes;
    int32_t kept = 0;
    find_planes(proxy, proxy->p, x, proxy->def.skin, planes);
    for (int32_t k = 0; k < planes->count; k++)
        if (sni_plane_room(&planes->plane[k], proxy->p) <=
            touching(proxy, planes->plane[k].piece, x))
            planes->plane[kept++] = planes->plane[k];
    planes->count = kept;
    p->best = 0;
    if (!sni_nearest_free(planes->plane, kept, x, &p->corner)) p->corner.count = 0;
    sni_corner_shares(planes->plane, &p->corner, x, p->share);
    for (int k = 1; k < p->corner.count; k++)
        if (p->share[k] > p->share[p->best]) p->best = k;
}

static const sni_plane* plane_of(const pressing* p, int k) {
    return &p->planes.plane[p->corner.plane[k]];
}

/// Where friction lets it go.
static sn_vec3 rub(sn_proxy* proxy, const pressing* p, sn_vec3 x) {
    bool slipped = proxy->slips;
    proxy->slips = false;
    if (p->corner.count == 0) return x;
    const sn_material* m = &proxy->surfaces.piece[plane_of(p, p->best)->piece].material;
    double mu = proxy->def.friction * (slipped ? m->mu_kinetic : m->mu);
    sn_vec3 g = p->corner.x, back = sn_vec3_sub(proxy->p, g);
    double limit = mu * sn_vec3_norm(sn_vec3_sub(g, x)), length = sn_vec3_norm(back);
    if (limit == 0) return x;
    if (length <= limit) return proxy->p;
    proxy->slips = true;
    return sn_vec3_add(g, sn_vec3_scale(limit / length, back));
}

// ---- surfaces that move ----------------------------------------------------------------------------------------------------

/// Puts it as near to `wish` as surfaces allow that have moved since it was at p: before[k] is where piece k was.
static bool make_way(sn_proxy* proxy, const sn_piece* before, sn_vec3 wish) {
    sni_plane plane[SN_LOCAL_PIECES];
    int32_t count = 0;
    plane[0].piece = -1; // there may be none
    for (int32_t k = 0; k < proxy->surfaces.count; k++) {
        const sn_piece* now = &proxy->surfaces.piece[k];
        sn_vec3 with = sni_carried(&before[k], now, proxy->p);
        double distance;
        if (sni_plane_between(now, k, with, radius_of(proxy), wish, &plane[count], &distance))
            count++;
    }
    memset(proxy->clear, 0, sizeof proxy->clear); // not known any more
    sni_corner corner;
    bool room = sni_nearest_free(plane, count, wish, &corner);
    if (room) proxy->p = corner.x;
    for (int round = 0; !room && round < LEGS; round++) { // squeezed: each pushes in turn
        for (int32_t k = 0; k < count; k++) {
            double inside = sni_plane_room(&plane[k], proxy->p);
            if (inside < 0)
                proxy->p = sn_vec3_sub(proxy->p, sn_vec3_scale(0.5 * inside, plane[k].n));
        }
    }
    return room;
}

static bool anything_moves(const sn_surfaces* surfaces, double period) {
    if (surfaces->age + period > surfaces->horizon) return false;
    for (int32_t k = 0; k < surfaces->count; k++)
        if (sni_piece_moves(&surfaces->piece[k])) return true;
    return false;
}

/// What holds it by friction takes it along.
static sn_vec3 wish_of(const sn_proxy* proxy, const sn_piece* before) {
    if (proxy->held < 0 || proxy->slips) return proxy->p;
    return sni_carried(&before[proxy->held], &proxy->surfaces.piece[proxy->held], proxy->p);
}

/// False: surfaces leave no room.
static bool advance(sn_proxy* proxy, double period) {
    if (!anything_moves(&proxy->surfaces, period)) {
        proxy->surfaces.age += period;
        return true;
    }
    sn_piece before[SN_LOCAL_PIECES];
    memcpy(before, proxy->surfaces.piece, (size_t)proxy->surfaces.count * sizeof *before);
    sni_surfaces_advance(&proxy->surfaces, period);
    return make_way(proxy, before, wish_of(proxy, before));
}

void sn_proxy_refresh(sn_proxy* proxy, const sn_local_geometry* local) {
    sn_piece before[SN_LOCAL_PIECES];
    int32_t from[SN_LOCAL_PIECES], held = proxy->held;
    bool any = sni_surfaces_take(&proxy->surfaces, local, before, from);
    memset(proxy->clear, 0, sizeof proxy->clear);
    proxy->held = -1;
    for (int32_t k = 0; k < proxy->surfaces.count && held >= 0; k++)
        if (from[k] == held) proxy->held = k;
    if (any && proxy->started) (void)make_way(proxy, before, wish_of(proxy, before));
}

void sn_proxy_start(sn_proxy* proxy, sn_vec3 device) {
    proxy->p = device;
    proxy->held = -1;
    proxy->slips = false;
    proxy->started = true;
    for (int round = 0; round < LEGS; round++) // each time out of what is nearest
        if (make_way(proxy, proxy->surfaces.piece, proxy->p)) break;
}

// ---- a tick --------------------------------------------------------------------------------------------------------------------

/// The device, or where the record ends on the way there.
static sn_vec3 within_reach(const sn_proxy* proxy, sn_vec3 device, bool* beyond) {
    const sn_surfaces* surfaces = &proxy->surfaces;
    sn_vec3 from = sn_vec3_sub(device, surfaces->centre);
    double distance = sn_vec3_norm(from), most = fmax(surfaces->reach - radius_of(proxy), 0);
    *beyond = distance > most;
    if (!*beyond) return device;
    return sn_vec3_add(surfaces->centre, sn_vec3_scale(most / distance, from));
}

static sn_vec3 surface_velocity(const sn_proxy* proxy, int32_t piece, sn_vec3 x) {
    const sn_surfaces* surfaces = &proxy->surfaces;
    if (surfaces->age > surfaces->horizon) return sn_vec3_zero();
    return sni_piece_velocity(&surfaces->piece[piece], x);
}

/// Force on the hand: spring to the proxy, damper along what presses while it does.
static sn_vec3 pull(const sn_proxy* proxy, const pressing* p, sn_vec3 device, sn_vec3 velocity) {
    const sn_touch_def* def = &proxy->def;
    sn_vec3 force = sn_vec3_scale(def->stiffness, sn_vec3_sub(proxy->p, device));
    if (p->corner.count == 0) return force;
    sn_vec3 n = sn_vec3_sub(p->corner.x, device);
    double length = sn_vec3_norm(n);
    if (!(length > 0)) return force;
    n = sn_vec3_scale(1 / length, n);
    sn_vec3 of_surface = surface_velocity(proxy, plane_of(p, p->best)->piece, proxy->p);
    double leaving = sn_vec3_dot(n, sn_vec3_sub(velocity, of_surface));
    double damper = fmax(-def->damping * leaving, -fmax(sn_vec3_dot(n, force), 0)); // never pulls
    return sn_vec3_add(force, sn_vec3_scale(damper, n));
}

/// What is touched gets its share of the force: along its normal, and of friction.
static void push_back(sn_proxy* proxy, const pressing* p, sn_touch* touch) {
    double all = 0;
    sn_vec3 sum = sn_vec3_zero();
    for (int k = 0; k < p->corner.count; k++) {
        all += p->share[k];
        sum = sn_vec3_add(sum, sn_vec3_scale(p->share[k], plane_of(p, k)->n));
    }
    proxy->held = -1;
    if (!(all > 0)) return;
    proxy->held = plane_of(p, p->best)->piece;
    double along = sn_vec3_dot(touch->force, sum) / sn_vec3_dot(sum, sum);
    sn_vec3 rest = sn_vec3_sub(touch->force, sn_vec3_scale(along, sum));
    for (int k = 0; k < p->corner.count; k++) {
        const sni_plane* plane = plane_of(p, k);
        const sn_piece* piece = &proxy->surfaces.piece[plane->piece];
        if (!(p->share[k] > 0)) continue;
        sn_vec3 part = sn_vec3_add(sn_vec3_scale(along * p->share[k], plane->n),
                                   sn_vec3_scale(p->share[k] / all, rest));
        touch->at[touch->count++] =
            (sn_touched){.body = piece->body,
                         .shape = piece->shape,
                         .triangle = piece->triangle,
                         .x = sn_vec3_sub(proxy->p, sn_vec3_scale(radius_of(proxy), plane->n)),
                         .n = plane->n,
                         .force = sn_vec3_scale(-proxy->def.push_gain, part)};
    }
}

/// Nothing is in its way to the target.
static bool is_there(const sn_proxy* proxy, sn_vec3 target) {
    return sn_vec3_norm(sn_vec3_sub(proxy->p, target)) <= SHORT;
}

static bool is_finite(sn_vec3 x) { return isfinite(x.x + x.y + x.z); }

sn_status sn_proxy_tick(sn_proxy* proxy, sn_vec3 device, sn_vec3 velocity, double period,
                        sn_touch* touch) {
    memset(touch, 0, sizeof *touch);
    if (!(period > 0)) return SN_ERR_ARGUMENT;
    if (!is_finite(device) || !is_finite(velocity)) {
        sni_surfaces_advance(&proxy->surfaces, period);
        return SN_ERR_NUMERIC;
    }
    if (!proxy->started) sn_proxy_start(proxy, device);
    touch->squeezed = !advance(proxy, period);
    sn_vec3 target = within_reach(proxy, device, &touch->beyond);
    pressing p;
    find_pressing(proxy, target, &p);
    go(proxy, rub(proxy, &p, target));
    if (is_there(proxy, target)) {
        proxy->held = -1;
        proxy->slips = false;
        return SN_OK; // touches nothing: no force, wherever the device is
    }
    find_pressing(proxy, target, &p);
    touch->slips = proxy->slips;
    touch->force = pull(proxy, &p, device, velocity);
    push_back(proxy, &p, touch);
    return SN_OK;
}
