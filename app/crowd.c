// SPDX-License-Identifier: Apache-2.0
#include "crowd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "sinew/dynamics.h"

enum {
    LUMBAR = 5,
    THORACIC = 12,
    CERVICAL = 7,
    FINGERS = 5,
    PHALANGES = 3,
    BASE_DOF = 6,
    NAME_MOST = 32
};
static const double HIP_HEIGHT = 0.92; // m, of the pelvis' frame above the floor

// A joint that turns while all others are stiff comes to rest in this time.
static const double JOINT_TIME = 0.02; // s
// What stands in for the floor: sliding and turning of the whole body come to rest in this time.
static const double FLOOR_TIME = 0.3; // s

typedef enum hinge { ABOUT_X, ABOUT_Y, ABOUT_Z, BASE, NECK } hinge;

/// One body: a box or, with edges.x only, a ball.
typedef struct part {
    char name[NAME_MOST];
    int parent; ///< -1: the world
    hinge joint;
    sn_vec3 at;    ///< its joint, in the parent
    sn_vec3 edges; ///< m
    sn_vec3 com;
    double mass;
} part;

typedef struct human {
    part parts[CROWD_BODIES];
    int count;
    double damping[CROWD_DOF];
} human;

static int add_part(human* h, int parent, const char* name, hinge joint, sn_vec3 at, sn_vec3 edges,
                    sn_vec3 com, double mass) {
    part* p = &h->parts[h->count];
    *p = (part){
        .parent = parent, .joint = joint, .at = at, .edges = edges, .com = com, .mass = mass};
    snprintf(p->name, sizeof p->name, "%s", name);
    return h->count++;
}

// A box of that length below its joint.
static int add_hanging(human* h, int parent, const char* name, hinge joint, sn_vec3 at,
                       double width, double length, double mass) {
    return add_part(h, parent, name, joint, at, sn_vec3_make(width, width, length),
                    sn_vec3_make(0, 0, -0.5 * length), mass);
}

// A ball around its joint: what is between the axes of a shoulder, a hip or an ankle.
static int add_ball(human* h, int parent, const char* name, hinge joint, sn_vec3 at, double radius,
                    double mass) {
    return add_part(h, parent, name, joint, at, sn_vec3_make(radius, 0, 0), sn_vec3_zero(), mass);
}

// Vertebrae from `parent` up, bending forward, sideways, and turning by turns; the last one.
static int add_spine(human* h, int parent, const char* name, int count, double first_at,
                     sn_vec3 slice, double mass) {
    static const hinge axes[] = {ABOUT_Y, ABOUT_X, ABOUT_Z};
    char numbered[NAME_MOST];
    for (int i = 0; i < count; i++) {
        snprintf(numbered, sizeof numbered, "%s_%d", name, i + 1);
        parent = add_part(h, parent, numbered, axes[i % 3],
                          sn_vec3_make(0, 0, i == 0 ? first_at : slice.z), slice,
                          sn_vec3_make(0.02, 0, 0.5 * slice.z), mass);
    }
    return parent;
}

static const char* sided(char side, const char* name, char* text) {
    snprintf(text, NAME_MOST, "%c_%s", side, name);
    return text;
}

// Arms hang, palms inward: fingers lie side by side along x and bend about it.
static void add_hand(human* h, int palm, char side) {
    static const double lengths[PHALANGES] = {0.040, 0.025, 0.020};
    char name[NAME_MOST];
    for (int f = 0; f < FINGERS; f++) {
        int parent = palm;
        sn_vec3 at = sn_vec3_make(0.02 * (2 - f), 0, -0.085);
        for (int p = 0; p < PHALANGES; p++) {
            snprintf(name, sizeof name, "%c_finger_%d_%d", side, f + 1, p + 1);
            parent = add_hanging(h, parent, name, ABOUT_X, at, 0.015, lengths[p], 0.013);
            at = sn_vec3_make(0, 0, -lengths[p]);
        }
    }
}

static void add_arm(human* h, int chest, char side) {
    char name[NAME_MOST];
    double y = side == 'l' ? 1 : -1;
    sn_vec3 here = sn_vec3_zero();
    int at =
        add_part(h, chest, sided(side, "clavicle", name), ABOUT_X, sn_vec3_make(0, 0.03 * y, 0),
                 sn_vec3_make(0.05, 0.14, 0.05), sn_vec3_make(0, 0.07 * y, 0), 0.5);
    at = add_ball(h, at, sided(side, "shoulder_1", name), ABOUT_Y, sn_vec3_make(0, 0.16 * y, 0),
                  0.05, 0.25);
    at = add_ball(h, at, sided(side, "shoulder_2", name), ABOUT_X, here, 0.05, 0.25);
    at = add_hanging(h, at, sided(side, "upper_arm", name), ABOUT_Z, here, 0.08, 0.282, 1.48);
    at = add_hanging(h, at, sided(side, "forearm", name), ABOUT_Y, sn_vec3_make(0, 0, -0.282), 0.07,
                     0.135, 0.65);
    at = add_hanging(h, at, sided(side, "wrist", name), ABOUT_Z, sn_vec3_make(0, 0, -0.135), 0.06,
                     0.134, 0.53);
    at = add_part(h, at, sided(side, "hand", name), ABOUT_X, sn_vec3_make(0, 0, -0.134),
                  sn_vec3_make(0.09, 0.03, 0.086), sn_vec3_make(0, 0, -0.043), 0.25);
    add_hand(h, at, side);
}

static void add_leg(human* h, int pelvis, char side) {
    char name[NAME_MOST];
    double y = side == 'l' ? 0.09 : -0.09;
    sn_vec3 here = sn_vec3_zero();
    int at =
        add_ball(h, pelvis, sided(side, "hip_1", name), ABOUT_Y, sn_vec3_make(0, y, 0), 0.07, 1);
    at = add_ball(h, at, sided(side, "hip_2", name), ABOUT_X, here, 0.07, 1);
    at = add_hanging(h, at, sided(side, "thigh", name), ABOUT_Z, here, 0.14, 0.422, 8.34);
    at = add_hanging(h, at, sided(side, "shank", name), ABOUT_Y, sn_vec3_make(0, 0, -0.422), 0.1,
                     0.434, 3.16);
    at = add_ball(h, at, sided(side, "ankle", name), ABOUT_Y, sn_vec3_make(0, 0, -0.434), 0.03,
                  0.15);
    at = add_part(h, at, sided(side, "heel", name), ABOUT_X, here, sn_vec3_make(0.12, 0.07, 0.05),
                  sn_vec3_make(0, 0, -0.035), 0.4);
    at = add_part(h, at, sided(side, "midfoot", name), ABOUT_Y, sn_vec3_make(0.06, 0, -0.035),
                  sn_vec3_make(0.08, 0.08, 0.04), sn_vec3_make(0.04, 0, 0), 0.3);
    double inner = side == 'l' ? -0.03 : 0.03;
    add_part(h, at, sided(side, "big_toe", name), ABOUT_Y, sn_vec3_make(0.08, inner, -0.01),
             sn_vec3_make(0.05, 0.03, 0.02), sn_vec3_make(0.025, 0, 0), 0.06);
    add_part(h, at, sided(side, "toes", name), ABOUT_Y, sn_vec3_make(0.08, -0.5 * inner, -0.01),
             sn_vec3_make(0.04, 0.06, 0.02), sn_vec3_make(0.02, 0, 0), 0.09);
}

static void add_everything(human* h) {
    int pelvis = add_part(h, -1, "pelvis", BASE, sn_vec3_zero(), sn_vec3_make(0.2, 0.32, 0.15),
                          sn_vec3_make(0, 0, 0.05), 8.15);
    int chest = add_spine(h, pelvis, "lumbar", LUMBAR, 0.12, sn_vec3_make(0.2, 0.28, 0.035), 1.33);
    chest = add_spine(h, chest, "thoracic", THORACIC, 0.035, sn_vec3_make(0.22, 0.3, 0.0235), 1.33);
    int neck =
        add_spine(h, chest, "cervical", CERVICAL, 0.0235, sn_vec3_make(0.11, 0.11, 0.016), 0.12);
    int head = add_part(h, neck, "head", NECK, sn_vec3_make(0, 0, 0.016),
                        sn_vec3_make(0.19, 0.15, 0.22), sn_vec3_make(0.02, 0, 0.11), 4.03);
    add_part(h, head, "jaw", ABOUT_Y, sn_vec3_make(0.03, 0, 0.03), sn_vec3_make(0.08, 0.1, 0.03),
             sn_vec3_make(0.04, 0, 0), 0.2);
    for (int i = 0; i < 2; i++) {
        add_arm(h, chest, "lr"[i]);
        add_leg(h, pelvis, "lr"[i]);
    }
}

// ---- as bodies of a model ---------------------------------------------------------------------------

static sn_inertia part_inertia(const part* p) {
    sn_inertia I =
        p->edges.y > 0 ? sn_inertia_box(p->mass, p->edges) : sn_inertia_sphere(p->mass, p->edges.x);
    I.com = p->com;
    return I;
}

// Joints in the order of the parts: their dampers are so, too.
static sn_status add_human(sn_model_builder* builder, const human* h, const char* prefix,
                           sn_vec3 place) {
    sn_status status = SN_OK;
    for (int i = 0, iv = 0; i < h->count && !status; i++) {
        const part* p = &h->parts[i];
        sn_body_def def = sn_body_def_default();
        char* name = memory_text("%s%s", prefix, p->name);
        char* parent = p->parent < 0 ? NULL : memory_text("%s%s", prefix, h->parts[p->parent].name);
        def.name = name;
        def.parent = parent;
        def.inertia = part_inertia(p);
        def.joint.placement.p = p->at;
        def.joint.type = p->joint == BASE   ? SN_JOINT_FREE
                         : p->joint == NECK ? SN_JOINT_UNIVERSAL
                                            : SN_JOINT_REVOLUTE;
        def.joint.axis = sn_vec3_make(p->joint == ABOUT_X, p->joint == ABOUT_Y || p->joint == NECK,
                                      p->joint == ABOUT_Z);
        if (p->joint == NECK) def.joint.axis2 = sn_vec3_make(1, 0, 0);
        if (p->joint == BASE) {
            def.joint.axis = sn_vec3_make(0, 0, 1);
            def.joint.placement.p = sn_vec3_add(place, sn_vec3_make(0, 0, HIP_HEIGHT));
        }
        for (int k = 0; k < sn_joint_type_nv(def.joint.type); k++, iv++) {
            def.joint.damping[k] = h->damping[iv];
        }
        status = sn_model_builder_add_body(builder, &def);
        free(name);
        free(parent);
    }
    return status;
}

static sn_status compile_one(const human* h, sn_model** model, sn_error* error) {
    sn_model_builder* builder = sn_model_builder_create("human");
    sn_status status = builder ? add_human(builder, h, "", sn_vec3_zero()) : SN_ERR_MEMORY;
    if (!status) status = sn_model_builder_compile(builder, NULL, model, error);
    sn_model_builder_free(builder);
    return status;
}

// Dampers from the inertia that each joint alone would have to move.
static sn_status set_dampers(human* h, sn_error* error) {
    sn_model* model = NULL;
    sn_dynamics* dynamics = NULL;
    double* M = memory_take((size_t)CROWD_DOF * CROWD_DOF, sizeof *M);
    double q[CROWD_DOF + 1]; // a quaternion has one number more
    sn_status status = compile_one(h, &model, error);
    if (!status) status = sn_dynamics_create(model, "crba", &dynamics, error);
    if (!status) {
        sn_model_neutral(model, q);
        status = sn_dynamics_mass_matrix(dynamics, q, M);
    }
    for (int k = 0; k < CROWD_DOF && !status; k++) {
        h->damping[k] = M[k * CROWD_DOF + k] / (k < BASE_DOF ? FLOOR_TIME : JOINT_TIME);
    }
    sn_dynamics_free(dynamics);
    sn_model_free(model);
    free(M);
    return status;
}

sn_vec3 crowd_place(int rows, int columns, double spacing, int which) {
    return sn_vec3_make(spacing * (which % columns), spacing * (which / columns - 0.5 * (rows - 1)),
                        0);
}

sn_model* crowd_create(int rows, int columns, double spacing, sn_error* error) {
    sn_model* model = NULL;
    human* h = memory_take(1, sizeof *h);
    *error = (sn_error){0};
    add_everything(h);
    sn_status status = set_dampers(h, error);
    sn_model_builder* builder = status ? NULL : sn_model_builder_create("crowd");
    if (!status && !builder) status = SN_ERR_MEMORY;
    for (int i = 0; i < rows * columns && !status; i++) {
        char* prefix = memory_text("h%03d_", i + 1);
        status = add_human(builder, h, prefix, crowd_place(rows, columns, spacing, i));
        free(prefix);
    }
    if (!status) status = sn_model_builder_compile(builder, NULL, &model, error);
    sn_model_builder_free(builder);
    free(h);
    error->status = status;
    return status ? NULL : model;
}

sn_body_id crowd_body(const sn_model* crowd, int which, crowd_part member) {
    static const char* const names[CROWD_PART_COUNT] = {"pelvis", "thoracic_8", "head"};
    char* name = memory_text("h%03d_%s", which + 1, names[member]);
    sn_body_id body = sn_model_find_body(crowd, name);
    free(name);
    return body;
}
