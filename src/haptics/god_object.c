// SPDX-License-Identifier: Apache-2.0
// A tool that follows the device and stays outside of everything.   [ORC07]
//
// Constrained quasi-statics: with d_u the motion (turn, move) that would take it to the device, it moves by
//   d = argmin 1/2 (d - d_u)' M (d - d_u) ,   J d + room >= 0
// Gauss' least constraint, a plane between each ball and each piece near it. M is the stiffness of the spring to the
// device, so where it comes to rest the multipliers are the contact forces, in balance with what the hand feels:
//   J' f = -M d_u.
// A step is taken as far as all balls are still on the free sides of all planes with the turn done exactly: no ball
// passes through anything.
#include <math.h>
#include <string.h>

#include "haptics/least_distance.h"
#include "haptics/surfaces.h"

enum { STEPS = 4, HALVES = 6 };
_Static_assert((int)SN_TOOL_CONTACTS <= (int)SNI_LEAST_MOST, "room for all contacts");
// rad: a larger turn takes several steps.
static const double MOST_TURN = 0.1;
// m: shorter steps lead nowhere.
static const double SHORT = 1e-9;
// Over the skin: a ball may be so far beyond a plane.
static const double GIVE = 0.25;
/// A point that was inside a piece when it started: not held until it is out.
static const double INSIDE = -INFINITY;

// ---- tools ------------------------------------------------------------------------------------------------------------------

sn_tool sn_tool_box(sn_pose X_hb, sn_vec3 edges, int divisions) {
    sn_tool tool = {0};
    int n = divisions < 1 ? 1 : divisions > 3 ? 3 : divisions;
    for (int k = 0; k < (n + 1) * (n + 1) * (n + 1); k++) {
        int at[3] = {k % (n + 1), k / (n + 1) % (n + 1), k / (n + 1) / (n + 1)};
        bool surface = false;
        for (int i = 0; i < 3; i++) surface = surface || at[i] == 0 || at[i] == n;
        if (!surface) continue;
        sn_vec3 p = {((double)at[0] / n - 0.5) * edges.x, ((double)at[1] / n - 0.5) * edges.y,
                     ((double)at[2] / n - 0.5) * edges.z};
        tool.point[tool.count++] = sn_pose_apply(X_hb, p);
    }
    return tool;
}

static bool is_finite(sn_vec3 x) { return isfinite(x.x + x.y + x.z); }

sn_status sn_god_object_init(sn_god_object* object, const sn_touch_def* def, const sn_tool* tool) {
    if (!object || !def || !tool || sn_touch_def_trouble(def)) return SN_ERR_ARGUMENT;
    if (!(def->stiffness > 0) || !(def->turn_stiffness > 0)) return SN_ERR_ARGUMENT;
    if (tool->count < 1 || tool->count > SN_TOOL_POINTS) return SN_ERR_ARGUMENT;
    for (int32_t j = 0; j < tool->count; j++)
        if (!is_finite(tool->point[j]) || !(tool->radius[j] >= 0 && isfinite(tool->radius[j])))
            return SN_ERR_ARGUMENT;
    memset(object, 0, sizeof *object);
    object->def = *def;
    object->tool = *tool;
    object->surfaces.horizon = def->horizon;
    object->X = sn_pose_identity();
    for (int32_t j = 0; j < tool->count; j++)
        object->size = fmax(object->size, sn_vec3_norm(tool->point[j]) + tool->radius[j]);
    return SN_OK;
}

// ---- constraints --------------------------------------------------------------------------------------------------------------

/// A ball of the tool against a piece.
typedef struct constraint {
    sni_plane plane;
    int32_t point;
    sn_vec3 lever; ///< of the point, from the handle; world
    double room;   ///< m
    double force;  ///< multiplier, N
} constraint;

typedef struct constraint_list {
    int32_t count;
    double known; ///< m: a step no longer than this meets nothing but what is listed
    constraint at[SN_TOOL_CONTACTS];
} constraint_list;

static double radius_of(const sn_god_object* object, int32_t point) {
    return object->tool.radius[point] + object->def.skin;
}

static sn_vec3 point_at(const sn_god_object* object, sn_pose X, int32_t point) {
    return sn_pose_apply(X, object->tool.point[point]);
}

/// Those with the least room stay when there are too many.
static void add(constraint_list* list, const constraint* c) {
    if (list->count < SN_TOOL_CONTACTS) {
        list->at[list->count++] = *c;
        return;
    }
    int32_t most = 0;
    for (int32_t k = 1; k < list->count; k++)
        if (list->at[k].room > list->at[most].room) most = k;
    list->known = fmin(list->known, fmax(c->room, list->at[most].room));
    if (c->room < list->at[most].room) list->at[most] = *c;
}

static double length_of(const sn_god_object* object, sn_twist d) {
    return sn_vec3_norm(d.v) + object->size * sn_vec3_norm(d.w);
}

/// Turn and move that take the tool to the goal.
static sn_twist way_to(const sn_god_object* object, sn_pose goal) {
    sn_mat3 R = sn_mat3_mul(goal.R, sn_mat3_transpose(object->X.R));
    return sn_twist_make(sn_quat_log(sn_quat_from_matrix(R)), sn_vec3_sub(goal.p, object->X.p));
}

/// Held at one end a ball may go farther than it would freely: twice the way of the whole tool.
static double far_of(const sn_god_object* object, sn_pose goal) {
    return 2 * length_of(object, way_to(object, goal)) + object->def.skin;
}

/// The plane of ball j against piece k, seen from `from`, for a way of `far` at most; false: there is none.
static bool look(sn_god_object* object, int32_t j, int32_t k, sn_vec3 from, sn_vec3 target,
                 double far, sni_plane* plane) {
    double* clear = &object->clear[j][k];
    bool ghost = *clear == INSIDE;
    double radius = radius_of(object, j), distance;
    if (!ghost && *clear > far + radius) return false;
    bool holds =
        sni_plane_between(&object->surfaces.piece[k], k, from, radius, target, plane, &distance);
    if (ghost && !(holds && distance >= radius)) return false;
    *clear = distance;
    return holds && distance <= far + radius;
}

/// All that a way to `goal` can meet. before: where pieces were when the tool was last free of them; NULL: here.
static void find_constraints(sn_god_object* object, sn_pose goal, const sn_piece* before,
                             constraint_list* list) {
    list->count = 0;
    list->known = INFINITY;
    for (int32_t j = 0; j < object->tool.count; j++) {
        sn_vec3 p = point_at(object, object->X, j), target = point_at(object, goal, j);
        double far = before ? INFINITY : far_of(object, goal);
        sni_plane plane[SN_LOCAL_PIECES];
        int32_t count = 0;
        for (int32_t k = 0; k < object->surfaces.count; k++) {
            sn_vec3 from = p;
            if (before) from = sni_carried(&before[k], &object->surfaces.piece[k], p);
            count += look(object, j, k, from, target, far, &plane[count]);
        }
        count = sni_planes_tidy(plane, count);
        for (int32_t k = 0; k < count; k++)
            add(list, &(constraint){.plane = plane[k],
                                    .point = j,
                                    .lever = sn_vec3_sub(p, object->X.p),
                                    .room = sni_plane_room(&plane[k], p)});
    }
}

// ---- least constraint -----------------------------------------------------------------------------------------------------------

static double speed_along(const constraint* c, sn_twist d) {
    return sn_vec3_dot(c->plane.n, sn_vec3_add(d.v, sn_vec3_cross(d.w, c->lever)));
}

/// The least constrained motion; forces of the constraints are its multipliers. With x = M^1/2 (d - d_u) it is the
/// shortest x with J M^-1/2 x >= -room - J d_u. False: there is none, and it does not move.
static bool least_constrained(const sn_god_object* object, sn_twist wish, constraint_list* list,
                              sn_twist* d) {
    double turn = 1 / sqrt(object->def.turn_stiffness), move = 1 / sqrt(object->def.stiffness);
    sni_least_distance problem;
    problem.count = list->count;
    for (int32_t k = 0; k < list->count; k++) {
        const constraint* c = &list->at[k];
        sn_vec3 w = sn_vec3_scale(turn, sn_vec3_cross(c->lever, c->plane.n));
        sn_vec3 v = sn_vec3_scale(move, c->plane.n);
        const double g[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
        memcpy(problem.g[k], g, sizeof g);
        problem.h[k] = -c->room - speed_along(c, wish);
    }
    bool solved = sni_least_distance_solve(&problem);
    const double* x = problem.x;
    *d = sn_twist_make(sn_vec3_add(wish.w, sn_vec3_scale(turn, sn_vec3_make(x[0], x[1], x[2]))),
                       sn_vec3_add(wish.v, sn_vec3_scale(move, sn_vec3_make(x[3], x[4], x[5]))));
    if (!solved) *d = sn_twist_zero();
    for (int32_t k = 0; k < list->count; k++) list->at[k].force = problem.multiplier[k];
    return solved;
}

static sn_pose moved_by(sn_pose X, sn_twist d, double part) {
    sn_mat3 R = sn_quat_matrix(sn_quat_exp(sn_vec3_scale(part, d.w)));
    return sn_pose_make(sn_mat3_mul(R, X.R), sn_vec3_add(X.p, sn_vec3_scale(part, d.v)));
}

/// The smallest room of all at a pose.
static double least_room(const sn_god_object* object, const constraint_list* list, sn_pose X) {
    double least = INFINITY;
    for (int32_t k = 0; k < list->count; k++) {
        sn_vec3 p = point_at(object, X, list->at[k].point);
        least = fmin(least, sni_plane_room(&list->at[k].plane, p));
    }
    return least;
}

/// Takes as much of the step as keeps all balls free; how far that is.
static double take_step(sn_god_object* object, const constraint_list* list, sn_twist d) {
    double allowed = -GIVE * object->def.skin, part = 1, length = length_of(object, d);
    if (length > list->known) part = fmax(list->known, 0) / length;
    double before = least_room(object, list, object->X);
    sn_pose X = moved_by(object->X, d, part);
    for (int k = 0; k < HALVES && !(least_room(object, list, X) >= fmin(allowed, before)); k++) {
        part *= 0.5;
        X = moved_by(object->X, d, part);
    }
    if (!(least_room(object, list, X) >= fmin(allowed, before))) return 0;
    sn_quat r = sn_quat_normalized(sn_quat_from_matrix(X.R));
    object->X = sn_pose_make(sn_quat_matrix(r), X.p);
    double way = part * length;
    for (int32_t j = 0; j < object->tool.count; j++)
        for (int32_t k = 0; k < object->surfaces.count; k++) object->clear[j][k] -= way;
    return way;
}

/// One step towards a goal; how far it was.
static double step_to(sn_god_object* object, sn_pose goal, constraint_list* list) {
    sn_twist wish = way_to(object, goal);
    double far = far_of(object, goal);
    find_constraints(object, goal, NULL, list);
    sn_twist d;
    if (!least_constrained(object, wish, list, &d)) return 0;
    list->known = fmin(list->known, far);
    double turn = sn_vec3_norm(d.w);
    sn_twist step = turn > MOST_TURN ? sn_twist_scale(MOST_TURN / turn, d) : d;
    return take_step(object, list, step);
}

// ---- surfaces that move ------------------------------------------------------------------------------------------------------------

/// Surfaces have moved, from `before`: the tool makes way, as little as it can.
static bool make_way(sn_god_object* object, const sn_piece* before) {
    constraint_list list;
    for (int32_t j = 0; j < object->tool.count; j++)
        for (int32_t k = 0; k < object->surfaces.count; k++)
            if (object->clear[j][k] != INSIDE) object->clear[j][k] = 0;
    find_constraints(object, object->X, before, &list);
    if (least_room(object, &list, object->X) >= 0) return true;
    sn_twist d;
    if (!least_constrained(object, sn_twist_zero(), &list, &d)) return false;
    (void)take_step(object, &list, d);
    return least_room(object, &list, object->X) >= -GIVE * object->def.skin;
}

static bool advance(sn_god_object* object, double period) {
    sn_surfaces* surfaces = &object->surfaces;
    bool moves = false;
    for (int32_t k = 0; k < surfaces->count; k++)
        moves = moves || sni_piece_moves(&surfaces->piece[k]);
    if (!moves || surfaces->age + period > surfaces->horizon) {
        surfaces->age += period;
        return true;
    }
    sn_piece before[SN_LOCAL_PIECES];
    memcpy(before, surfaces->piece, (size_t)surfaces->count * sizeof *before);
    sni_surfaces_advance(surfaces, period);
    return make_way(object, before);
}

/// Balls that overlap a piece are not held by it.
static void find_inside(sn_god_object* object, int32_t k) {
    for (int32_t j = 0; j < object->tool.count; j++) {
        sni_plane plane;
        double distance;
        sn_vec3 p = point_at(object, object->X, j);
        bool holds = sni_plane_between(&object->surfaces.piece[k], k, p, radius_of(object, j), p,
                                       &plane, &distance);
        bool inside = holds && distance < object->tool.radius[j];
        object->clear[j][k] = inside ? INSIDE : 0;
    }
}

void sn_god_object_start(sn_god_object* object, sn_pose device) {
    object->X = device;
    object->started = true;
    for (int32_t k = 0; k < object->surfaces.count; k++) find_inside(object, k);
}

void sn_god_object_refresh(sn_god_object* object, const sn_local_geometry* local) {
    sn_piece before[SN_LOCAL_PIECES];
    int32_t from[SN_LOCAL_PIECES];
    bool any = sni_surfaces_take(&object->surfaces, local, before, from);
    if (!object->started) return;
    for (int32_t j = 0; j < object->tool.count; j++) {
        double was[SN_LOCAL_PIECES];
        memcpy(was, object->clear[j], sizeof was);
        for (int32_t k = 0; k < object->surfaces.count; k++)
            object->clear[j][k] = from[k] >= 0 && was[from[k]] == INSIDE ? INSIDE : 0;
    }
    for (int32_t k = 0; k < object->surfaces.count; k++)
        if (from[k] < 0) find_inside(object, k);
    if (any) (void)make_way(object, before); // the next tick tells of no room
}

// ---- a tick ------------------------------------------------------------------------------------------------------------------------

/// The pose of the device, moved so that no ball leaves the record.
static sn_pose within_reach(const sn_god_object* object, sn_pose device, bool* beyond) {
    const sn_surfaces* surfaces = &object->surfaces;
    sn_vec3 from = sn_vec3_sub(device.p, surfaces->centre);
    double distance = sn_vec3_norm(from);
    double most = fmax(surfaces->reach - object->size - object->def.skin, 0);
    *beyond = distance > most;
    if (*beyond) device.p = sn_vec3_add(surfaces->centre, sn_vec3_scale(most / distance, from));
    return device;
}

/// A spring's force with a damper along it, that never pulls.
static sn_vec3 damped(sn_vec3 force, double damping, sn_vec3 velocity) {
    double length = sn_vec3_norm(force);
    if (!(length > 0)) return force;
    sn_vec3 along = sn_vec3_scale(1 / length, force);
    double damper = fmax(-damping * sn_vec3_dot(along, velocity), -length);
    return sn_vec3_add(force, sn_vec3_scale(damper, along));
}

/// Sorts the forces of the tool in, the strongest first.
static void list_touched(const sn_god_object* object, const constraint_list* list,
                         sn_tool_touch* touch) {
    for (int32_t i = 0; i < list->count; i++) {
        const constraint* c = &list->at[i];
        if (!(c->force > 0)) continue;
        touch->count++;
        const sn_piece* piece = &object->surfaces.piece[c->plane.piece];
        sn_vec3 p = point_at(object, object->X, c->point);
        sn_touched at = {.body = piece->body,
                         .shape = piece->shape,
                         .triangle = piece->triangle,
                         .x =
                             sn_vec3_sub(p, sn_vec3_scale(radius_of(object, c->point), c->plane.n)),
                         .n = c->plane.n,
                         .force = sn_vec3_scale(-object->def.push_gain * c->force, c->plane.n)};
        double strength = sn_vec3_norm(at.force);
        int32_t k = touch->listed < SN_TOOL_TOUCHED ? touch->listed++ : SN_TOOL_TOUCHED;
        for (; k > 0 && sn_vec3_norm(touch->at[k - 1].force) < strength; k--)
            if (k < SN_TOOL_TOUCHED) touch->at[k] = touch->at[k - 1];
        if (k < SN_TOOL_TOUCHED) touch->at[k] = at;
    }
}

static bool pose_is_finite(sn_pose X) {
    return is_finite(X.p) && is_finite(sn_mat3_row(X.R, 0)) && is_finite(sn_mat3_row(X.R, 1)) &&
           is_finite(sn_mat3_row(X.R, 2));
}

sn_status sn_god_object_tick(sn_god_object* object, const sn_hand* device, double period,
                             sn_tool_touch* touch) {
    memset(touch, 0, sizeof *touch);
    if (!(period > 0)) return SN_ERR_ARGUMENT;
    if (!pose_is_finite(device->pose) || !is_finite(device->velocity.v) ||
        !is_finite(device->velocity.w)) {
        sni_surfaces_advance(&object->surfaces, period);
        return SN_ERR_NUMERIC;
    }
    if (!object->started) sn_god_object_start(object, device->pose);
    touch->squeezed = !advance(object, period);
    sn_pose goal = within_reach(object, device->pose, &touch->beyond);
    constraint_list list;
    for (int k = 0; k < STEPS; k++)
        if (step_to(object, goal, &list) < SHORT) break;
    sn_twist left = way_to(object, goal);
    if (length_of(object, left) < SHORT) return SN_OK; // touches nothing
    // what holds it where it is
    find_constraints(object, goal, NULL, &list);
    sn_twist d;
    (void)least_constrained(object, left, &list, &d); // its multipliers
    list_touched(object, &list, touch);
    sn_twist away = way_to(object, device->pose);
    sn_vec3 force = sn_vec3_scale(-object->def.stiffness, away.v);
    sn_vec3 torque = sn_vec3_scale(-object->def.turn_stiffness, away.w);
    touch->wrench.f = damped(force, object->def.damping, device->velocity.v);
    touch->wrench.n = damped(torque, object->def.turn_damping, device->velocity.w);
    return SN_OK;
}
