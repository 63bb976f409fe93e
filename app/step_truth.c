// SPDX-License-Identifier: Apache-2.0
#include "step_truth.h"

#include <math.h>

static const double MM = 1e3, PERCENT = 100;

static sn_vec3 position(const step_track* t, int look, int root) {
    return step_track_roots(t, look)[root].position;
}

static int last_look(const step_track* t) { return t->look_count - 1; }

// Down the incline, which is turned about y.
static sn_vec3 downhill(const step_scene* s) {
    return sn_vec3_make(cos(s->angle), 0, -sin(s->angle));
}

static double percent_off(double value, double truth) { return PERCENT * (value / truth - 1); }

// ---- energy and momentum ------------------------------------------------------------------------------

typedef struct motion_sum {
    double energy;   ///< J, of motion and gravity
    sn_vec3 linear;  ///< kg m/s
    sn_vec3 angular; ///< kg m^2/s about the origin
} motion_sum;

static motion_sum add_up(const step_scene* s, const step_root* roots) {
    motion_sum sum = {0};
    for (int i = 0; i < s->root_count; i++) {
        const step_root* r = &roots[i];
        sn_inertia b = sn_model_body(s->model, sn_body(s->root_body[i])).inertia;
        sn_mat3 R = sn_quat_matrix(r->rotation);
        sn_vec3 com = sn_mat3_apply(R, b.com), x = sn_vec3_add(r->position, com);
        sn_vec3 v = sn_vec3_add(r->velocity, sn_vec3_cross(r->omega, com));
        sn_vec3 spin = sn_mat3_apply(R, sn_mat3_apply(b.I, sn_mat3_apply_transposed(R, r->omega)));
        sn_vec3 p = sn_vec3_scale(b.mass, v);
        sum.energy += 0.5 * sn_vec3_dot(p, v) + 0.5 * sn_vec3_dot(r->omega, spin) -
                      b.mass * sn_vec3_dot(s->gravity, x);
        sum.linear = sn_vec3_add(sum.linear, p);
        sum.angular = sn_vec3_add(sum.angular, sn_vec3_add(spin, sn_vec3_cross(x, p)));
    }
    return sum;
}

// The most that energy rises above what it had been at an earlier look.
static double energy_rise(const step_track* t, int first) {
    double least = INFINITY, rise = 0;
    for (int i = first; i < t->look_count; i++) {
        double energy = add_up(t->scene, step_track_roots(t, i)).energy;
        if (!(energy - least <= rise)) rise = energy - least;
        least = fmin(least, energy);
    }
    return rise;
}

// ---- scenes -------------------------------------------------------------------------------------------

int step_judge_creep(const step_scene* s, const step_track* t, step_fact* facts) {
    int first = step_track_find(t, s->settle);
    facts[0] = (step_fact){"creep_mm", NAN};
    if (!step_track_complete(t)) return 1;
    sn_vec3 moved = sn_vec3_sub(position(t, last_look(t), 0), position(t, first, 0));
    sn_vec3 up = sn_vec3_make(sin(s->angle), 0, cos(s->angle));
    sn_vec3 along = sn_vec3_sub(moved, sn_vec3_scale(sn_vec3_dot(moved, up), up));
    facts[0].value = MM * sn_vec3_norm(along);
    return 1;
}

// The whole gain over the whole time: what single steps do does not matter.
int step_judge_acceleration(const step_scene* s, const step_track* t, step_fact* facts) {
    int first = step_track_find(t, s->settle);
    facts[0] = (step_fact){"acceleration_pct", NAN};
    if (!step_track_complete(t)) return 1;
    sn_vec3 v0 = step_track_roots(t, first)[0].velocity;
    sn_vec3 v1 = step_track_roots(t, last_look(t))[0].velocity;
    double gain = sn_vec3_dot(sn_vec3_sub(v1, v0), downhill(s));
    double time = t->looks[last_look(t)].time - t->looks[first].time;
    facts[0].value = percent_off(gain / time, s->truth);
    return 1;
}

int step_judge_bounce(const step_scene* s, const step_track* t, step_fact* facts) {
    const double dropped = s->roots[0].position.z - s->truth, e = s->restitution;
    const double never = step_track_complete(t) ? -PERCENT : (double)NAN;
    int bounces = 0;
    facts[0] = (step_fact){"bounce1_pct", never};
    facts[1] = (step_fact){"bounce3_pct", never};
    for (int i = 1; i + 1 < t->look_count && bounces < 3; i++) {
        double z = position(t, i, 0).z, height = z - s->truth;
        if (!(position(t, i - 1, 0).z < z && z >= position(t, i + 1, 0).z)) continue;
        bounces += 1;
        if (bounces == 1) facts[0].value = percent_off(height, e * e * dropped);
        if (bounces == 3) facts[1].value = percent_off(height, pow(e, 6) * dropped);
    }
    return 2;
}

int step_judge_tower(const step_scene* s, const step_track* t, step_fact* facts) {
    int top = s->root_count - 1;
    facts[0] = (step_fact){"top_mm", NAN};
    facts[1] = (step_fact){"fallen", NAN};
    if (!step_track_complete(t)) return 2;
    sn_vec3 moved = sn_vec3_sub(position(t, last_look(t), top), s->roots[top].position);
    double box = s->root_count > 1 ? s->roots[1].position.z - s->roots[0].position.z : INFINITY;
    facts[0].value = MM * hypot(moved.x, moved.y);
    facts[1].value = !(fabs(moved.z) < 0.5 * box);
    return 2;
}

int step_judge_pile(const step_scene* s, const step_track* t, step_fact* facts) {
    int first = step_track_find(t, s->settle);
    facts[0] = (step_fact){"energy_rise_mJ", NAN};
    facts[1] = (step_fact){"moved_mm", NAN};
    if (!step_track_complete(t)) return 2;
    double farthest = 0;
    for (int i = 0; i < s->root_count; i++) {
        sn_vec3 moved = sn_vec3_sub(position(t, last_look(t), i), position(t, first, i));
        farthest = fmax(farthest, sn_vec3_norm(moved));
    }
    facts[0].value = 1e3 * energy_rise(t, first);
    facts[1].value = MM * farthest;
    return 2;
}

int step_judge_collision(const step_scene* s, const step_track* t, step_fact* facts) {
    motion_sum before = add_up(s, s->roots);
    facts[0] = (step_fact){"momentum_pct", NAN};
    facts[1] = (step_fact){"angular_pct", NAN};
    facts[2] = (step_fact){"energy_gain_pct", NAN};
    if (!step_track_complete(t)) return 3;
    motion_sum after = add_up(s, step_track_roots(t, last_look(t)));
    facts[0].value = PERCENT * sn_vec3_norm(sn_vec3_sub(after.linear, before.linear)) /
                     sn_vec3_norm(before.linear);
    facts[1].value = PERCENT * sn_vec3_norm(sn_vec3_sub(after.angular, before.angular)) /
                     sn_vec3_norm(before.angular);
    // Not while they touch: soft contacts give back what they took.
    facts[2].value = fmax(0, percent_off(after.energy, before.energy));
    return 3;
}

int step_judge_distance(const step_scene* s, const step_track* t, step_fact* facts) {
    facts[0] = (step_fact){"distance_pct", NAN};
    if (!step_track_complete(t)) return 1;
    sn_vec3 moved = sn_vec3_sub(position(t, last_look(t), 0), s->roots[0].position);
    facts[0].value = percent_off(hypot(moved.x, moved.y), s->truth);
    return 1;
}

int step_judge_standing(const step_scene* s, const step_track* t, step_fact* facts) {
    int first = step_track_find(t, s->settle);
    double farthest = 0;
    facts[0] = (step_fact){"drift_mm", NAN};
    if (!step_track_complete(t)) return 1;
    for (int i = 0; i < s->root_count; i++) {
        sn_vec3 moved = sn_vec3_sub(position(t, last_look(t), i), position(t, first, i));
        farthest = fmax(farthest, sn_vec3_norm(moved));
    }
    facts[0].value = MM * farthest;
    return 1;
}
