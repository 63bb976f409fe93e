// SPDX-License-Identifier: Apache-2.0
// Models from a shape, a size and a seed.
#include "sinew/generate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "model/generate.h"
#include "model/joint.h"

sn_generate_def sn_generate_def_default(void) {
    sn_generate_def def = {SN_GENERATE_CHAIN, 10, 1, false, false, 1, 1, 1};
    return def;
}

static sn_vec3 random_vec(sni_rng* rng, double size) {
    double x = sni_rng_uniform(rng, -size, size), y = sni_rng_uniform(rng, -size, size);
    return sn_vec3_make(x, y, sni_rng_uniform(rng, -size, size));
}

static sn_vec3 random_direction(sni_rng* rng) {
    for (;;) {
        sn_vec3 a = random_vec(rng, 1);
        double norm = sn_vec3_norm(a);
        if (norm > 0.1 && norm < 1) return sn_vec3_scale(1 / norm, a);
    }
}

static sn_quat random_turn(sni_rng* rng) {
    double angle = sni_rng_uniform(rng, 0, 3); // drawn first: arguments have no order of their own
    return sn_quat_exp(sn_vec3_scale(angle, random_direction(rng)));
}

/// A rod of length 1 along x with alternating hinges: the body of every regular shape.
static sn_body_def regular_body(const sn_generate_def* def, int i, bool at_tip) {
    double L = def->length_unit;
    sn_body_def body = sn_body_def_default();
    body.joint.axis = i % 2 ? sn_vec3_make(0, 1, 0) : sn_vec3_make(0, 0, 1);
    if (at_tip) body.joint.placement.p = sn_vec3_make(L, 0, 0);
    body.inertia = sn_inertia_box(def->mass_unit, sn_vec3_make(L, 0.1 * L, 0.1 * L));
    body.inertia.com = sn_vec3_make(0.5 * L, 0, 0);
    return body;
}

/// A cylinder along x from the body's origin on.
static sn_inertia rod_inertia(double mass, double radius, double length) {
    sn_inertia rod = sn_inertia_cylinder(mass, radius, length); // along z
    rod.I = sn_mat3_diagonal(rod.I.m[2][2], rod.I.m[1][1], rod.I.m[0][0]);
    rod.com = sn_vec3_make(0.5 * length, 0, 0);
    return rod;
}

/// A piece of one rod: cut into however many, it has the same length and mass, and resists bending as
/// slowly, which keeps links from rattling.
static sn_body_def pendulum_body(const sn_generate_def* def, int i) {
    double M = def->mass_unit, L = def->length_unit, T = def->time_unit;
    double share = 1.0 / def->count, length = 3 * share * L;
    sn_body_def body = sn_body_def_default();
    body.joint.axis = sn_vec3_make(0, 1, 0);
    if (i > 0) body.joint.placement.p = sn_vec3_make(length, 0, 0);
    body.joint.damping[0] = 3e-5 / share * M * L * L / T;
    body.inertia = rod_inertia(3 * share * M, 0.005 * L, length);
    return body;
}

/// A link as in models/cable.urdf, lying and with stronger damping. However many, the links are the same.
static sn_body_def cable_body(const sn_generate_def* def, int i) {
    double M = def->mass_unit, L = def->length_unit, T = def->time_unit;
    sn_body_def body = sn_body_def_default();
    body.joint.type = SN_JOINT_SPHERICAL;
    if (i > 0) body.joint.placement.p = sn_vec3_make(0.04 * L, 0, 0);
    for (int k = 0; k < 3; k++) body.joint.damping[k] = 2e-3 * M * L * L / T;
    body.inertia = rod_inertia(0.016 * M, 0.005 * L, 0.04 * L);
    return body;
}

/// A box of random size, mass and orientation.
static sn_inertia random_inertia(sni_rng* rng, const sn_generate_def* def) {
    double L = def->length_unit;
    double x = sni_rng_uniform(rng, 0.1, 0.5), y = sni_rng_uniform(rng, 0.1, 0.5);
    sn_vec3 edges = sn_vec3_make(x * L, y * L, sni_rng_uniform(rng, 0.1, 0.5) * L);
    sn_inertia box = sn_inertia_box(sni_rng_uniform(rng, 0.5, 3) * def->mass_unit, edges);
    sn_mat3 turn = sn_quat_matrix(random_turn(rng));
    return sn_inertia_moved(sn_pose_make(turn, random_vec(rng, 0.2 * L)), box);
}

/// True where the k-th degree of freedom of this type is a length.
static bool is_length(sn_joint_type type, int k) {
    switch (type) {
    case SN_JOINT_PRISMATIC: return true;
    case SN_JOINT_CYLINDRICAL: return k == 1;
    case SN_JOINT_PLANAR: return k >= 1;
    case SN_JOINT_FREE: return k >= 3;
    default: return false;
    }
}

static void random_passive(sni_rng* rng, const sn_generate_def* def, sn_joint_def* joint) {
    double M = def->mass_unit, L = def->length_unit, T = def->time_unit;
    double armature[2], damping[2], stiffness[2]; // of rotations, of translations
    for (int linear = 0; linear < 2; linear++) {
        double inertia = linear ? M : M * L * L;
        armature[linear] = inertia * sni_rng_uniform(rng, 0, 0.1);
        damping[linear] = inertia / T * sni_rng_uniform(rng, 0, 0.5);
        stiffness[linear] = inertia / (T * T) * sni_rng_uniform(rng, 0, 5);
    }
    for (int k = 0; k < sn_joint_type_nv(joint->type); k++) {
        bool linear = is_length(joint->type, k);
        joint->armature[k] = armature[linear];
        joint->damping[k] = damping[linear];
        joint->stiffness[k] = stiffness[linear];
    }
    sni_joint like = {.type = (uint8_t)joint->type, .nv = (uint8_t)sn_joint_type_nv(joint->type)};
    double neutral[SN_JOINT_MAX_NQ], away[SN_JOINT_MAX_NV];
    sni_joint_neutral(joint->type, neutral);
    for (int k = 0; k < like.nv; k++)
        away[k] = sni_rng_uniform(rng, -0.5, 0.5) * (is_length(joint->type, k) ? L : 1);
    sni_joint_integrate(&like, neutral, away, joint->rest);
}

static sn_body_def random_body(sni_rng* rng, const sn_generate_def* def, bool first) {
    double L = def->length_unit;
    sn_body_def body = sn_body_def_default();
    sn_joint_def* joint = &body.joint;
    joint->type = (sn_joint_type)(1 + sni_rng_index(rng, SN_JOINT_TYPE_COUNT - 1));
    if (first && def->free_base) joint->type = SN_JOINT_FREE;
    sn_mat3 turn = sn_quat_matrix(random_turn(rng));
    joint->placement = sn_pose_make(turn, random_vec(rng, 0.5 * L));
    joint->axis = random_direction(rng);
    joint->axis2 = sn_vec3_cross(joint->axis, random_direction(rng));
    joint->pitch = sni_rng_uniform(rng, -0.3, 0.3) * L;
    body.inertia = random_inertia(rng, def);
    if (def->passive) random_passive(rng, def, joint);
    return body;
}

static sn_body_def any_body(sni_rng* rng, const sn_generate_def* def, int i, int parent) {
    switch (def->shape) {
    case SN_GENERATE_RANDOM: return random_body(rng, def, i == 0);
    case SN_GENERATE_PENDULUM: return pendulum_body(def, i);
    case SN_GENERATE_CABLE: return cable_body(def, i);
    default: return regular_body(def, i, parent >= 0);
    }
}

/// Index of the parent of body i, -1: world.
static int parent_of(sni_rng* rng, const sn_generate_def* def, int i) {
    switch (def->shape) {
    case SN_GENERATE_CHAIN:
    case SN_GENERATE_PENDULUM:
    case SN_GENERATE_CABLE: return i - 1;
    case SN_GENERATE_TREE: return i == 0 ? -1 : (i - 1) / 2;
    case SN_GENERATE_STAR: return i == 0 ? -1 : 0;
    case SN_GENERATE_CATERPILLAR: // even: spine, odd: leg on the link before it
        return i % 2 ? i - 1 : i - 2 < 0 ? -1 : i - 2;
    case SN_GENERATE_RANDOM: {
        int parent = sni_rng_index(rng, i + 1) - 1;      // one in i + 1 starts a new tree
        bool near = i > 0 && sni_rng_index(rng, 2) == 0; // half the bodies prolong a chain
        return near ? i - 1 : parent;
    }
    case SN_GENERATE_COUNT: break;
    }
    return -1;
}

/// Adds body `i`, named b000001 and so on.
static sn_status add(sn_model_builder* builder, sn_body_def* body, int i, int parent) {
    char name[16], parent_name[16];
    snprintf(name, sizeof name, "b%06d", i);
    snprintf(parent_name, sizeof parent_name, "b%06d", parent);
    body->name = name;
    body->parent = parent < 0 ? NULL : parent_name;
    return sn_model_builder_add_body(builder, body);
}

// A balanced tree is numbered breadth first; bodies are added depth first so that each branch lies
// together in memory.
static int tree_next(int i, int count) {
    if (2 * i + 1 < count) return 2 * i + 1;
    while (i > 0) {
        bool left = i % 2 == 1;
        if (left && i + 1 < count) return i + 1;
        i = (i - 1) / 2;
    }
    return count;
}

sn_status sn_generate(const sn_generate_def* def, sn_model_builder* builder) {
    if (!def || !builder || def->count < 1 || (unsigned)def->shape >= SN_GENERATE_COUNT)
        return SN_ERR_ARGUMENT;
    sni_rng rng = {def->seed};
    int i = 0;
    for (int k = 0; k < def->count; k++) {
        int parent = parent_of(&rng, def, i);
        sn_body_def body = any_body(&rng, def, i, parent);
        if (i == 0 && def->free_base) body.joint.type = SN_JOINT_FREE;
        sn_status status = add(builder, &body, i, parent);
        if (status) return status;
        i = def->shape == SN_GENERATE_TREE ? tree_next(i, def->count) : i + 1;
    }
    return SN_OK;
}

static const char* const shape_names[] = {
#define NAME(code, name, text) name,
    SN_GENERATE_LIST(NAME)
#undef NAME
};

bool sni_generate_number(const char** text, uint64_t max, uint64_t* value) {
    if (!isdigit((unsigned char)**text)) return false;
    uint64_t sum = 0;
    for (; isdigit((unsigned char)**text); ++*text) {
        uint64_t digit = (uint64_t)(**text - '0');
        if (sum > (max - digit) / 10) return false;
        sum = 10 * sum + digit;
    }
    *value = sum;
    return true;
}

bool sn_generate_parse(const char* text, sn_generate_def* def) {
    for (int s = 0; s < SN_GENERATE_COUNT; s++) {
        size_t length = strlen(shape_names[s]);
        if (strncmp(text, shape_names[s], length) != 0 || text[length] != ':') continue;
        const char* at = text + length + 1;
        uint64_t count, seed = 1;
        if (!sni_generate_number(&at, SN_GENERATE_MOST, &count) || count == 0) return false;
        if (*at == ':' && (++at, !sni_generate_number(&at, UINT64_MAX, &seed))) return false;
        if (*at) return false;
        def->shape = (sn_generate_shape)s;
        def->count = (int)count;
        def->seed = seed;
        return true;
    }
    return false;
}
