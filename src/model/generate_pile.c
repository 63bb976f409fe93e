// SPDX-License-Identifier: Apache-2.0
// Free bodies on a floor. Lengths in m, masses in kg.
#include "sinew/generate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "model/generate.h"

static const double EDGE = 0.2;    // of cubes
static const double DENSITY = 500; // kg/m^3: wood
static const double PI = 3.14159265358979323846;

sn_pile_def sn_pile_def_default(void) {
    sn_pile_def def = {SN_PILE_STACK, 3, 0, 1, true};
    return def;
}

/// A scene while bodies are added to it.
typedef struct scene {
    sn_model_builder* builder;
    sn_status status;
    int count; ///< bodies
} scene;

// ---- one body -----------------------------------------------------------------------------------

static sn_pose at(double x, double y, double z) {
    return sn_pose_make(sn_mat3_identity(), sn_vec3_make(x, y, z));
}

/// `settling`, s: time in which spin fades, without which round things roll for ever; 0: it does not.
static void add(scene* s, sn_shape_type type, sn_vec3 size, double settling, sn_pose pose) {
    char name[16];
    if (s->status) return;
    snprintf(name, sizeof name, "b%06d", s->count++);
    sn_body_def body = sn_body_def_default();
    body.name = name;
    body.joint.type = SN_JOINT_FREE;
    body.joint.placement = pose;
    body.inertia = sn_inertia_solid(type, size, DENSITY * sn_shape_volume(type, size));
    for (int k = 0; k < 3 && settling > 0; k++) {
        body.joint.damping[k] = body.inertia.I.m[k][k] / settling;
    }
    s->status = sn_model_builder_add_body(s->builder, &body);
    if (s->status) return;
    sn_shape_def shape = sn_shape_def_default();
    shape.body = name;
    shape.type = type;
    shape.use = SN_SHAPE_VISUAL | SN_SHAPE_COLLISION;
    shape.size = size;
    s->status = sn_model_builder_add_shape(s->builder, &shape);
}

static void add_box(scene* s, sn_vec3 edges, sn_pose pose) { add(s, SN_SHAPE_BOX, edges, 0, pose); }

static void add_floor(scene* s) {
    sn_shape_def floor = sn_shape_def_default();
    floor.name = "floor";
    floor.type = SN_SHAPE_PLANE;
    floor.use = SN_SHAPE_VISUAL | SN_SHAPE_COLLISION;
    s->status = sn_model_builder_add_shape(s->builder, &floor);
}

// ---- scenes -------------------------------------------------------------------------------------

static void add_stack(scene* s, int count) {
    for (int i = 0; i < count; i++) {
        add_box(s, sn_vec3_make(EDGE, EDGE, EDGE), at(0, 0, EDGE * (i + 0.5)));
    }
}

static void add_apart(scene* s, int count) {
    for (int i = 0; i < count; i++) {
        double x = 1.5 * EDGE * (i - 0.5 * (count - 1));
        add_box(s, sn_vec3_make(EDGE, EDGE, EDGE), at(x, 0, 0.5 * EDGE));
    }
}

static void add_pyramid(scene* s, int rows) {
    for (int row = 0; row < rows; row++) {
        for (int i = 0; i < rows - row; i++) {
            double x = 1.1 * EDGE * (i - 0.5 * (rows - row - 1)); // neighbours do not touch
            add_box(s, sn_vec3_make(EDGE, EDGE, EDGE), at(x, 0, EDGE * (row + 0.5)));
        }
    }
}

/// Every other row begins and ends with half a brick, so that the wall has straight ends.
static void add_wall(scene* s, int rows, int columns) {
    const double length = 0.24, joint = 0.01, depth = 0.115, height = 0.07;
    const double pitch = length + joint;
    const sn_vec3 whole = {length, depth, height}, half = {0.5 * pitch - joint, depth, height};
    for (int row = 0; row < rows; row++) {
        double z = height * (row + 0.5), left = -0.5 * pitch * columns;
        bool shifted = row % 2;
        if (shifted) add_box(s, half, at(left + 0.25 * pitch, 0, z));
        for (int i = 0; i < columns - shifted; i++) {
            add_box(s, whole, at(left + pitch * (i + (shifted ? 1 : 0.5)), 0, z));
        }
        if (shifted) add_box(s, half, at(-left - 0.25 * pitch, 0, z));
    }
}

static sn_mat3 about_y(double angle) {
    return sn_quat_matrix(sn_quat_exp(sn_vec3_make(0, angle, 0)));
}

static void add_dominoes(scene* s, int count) {
    const sn_vec3 size = {0.02, 0.1, 0.2};
    const double pitch = 0.09, tilt = 0.14; // past the balance at atan(0.02 / 0.2) = 0.0997
    for (int i = 0; i < count; i++) {
        sn_pose pose = at(pitch * (i - 0.5 * (count - 1)), 0, 0.5 * size.z);
        if (i == 0) { // about its lower edge ahead
            sn_vec3 edge = sn_vec3_make(pose.p.x + 0.5 * size.x, 0, 0);
            sn_mat3 R = about_y(tilt);
            pose = sn_pose_make(R, sn_vec3_add(edge, sn_mat3_apply(R, sn_vec3_sub(pose.p, edge))));
        }
        add_box(s, size, pose);
    }
}

/// Each storey is a row of pairs that lean on each other, under cards that lie.
static void add_cards(scene* s, int storeys) {
    const sn_vec3 card = {0.004, 0.12, 0.18}; // thickness, width, height: boards rather than paper
    const double lean = 0.35;                 // rad from upright: holds for mu above 0.18
    const double half_width = 0.5 * (card.z * sin(lean) + card.x * cos(lean));
    const double half_height = 0.5 * (card.z * cos(lean) + card.x * sin(lean));
    const double pitch = 4 * half_width + 2 * card.x;
    const sn_vec3 lying = {pitch - 0.5 * card.x, card.y, card.x}; // neighbours do not touch
    double z = 0;
    for (int storey = 0; storey < storeys; storey++) {
        int pairs = storeys - storey;
        for (int i = 0; i < pairs; i++) {
            double x = pitch * (i - 0.5 * (pairs - 1));
            for (int side = -1; side <= 1; side += 2) {
                sn_vec3 p = sn_vec3_make(x + side * half_width, 0, z + half_height);
                add_box(s, card, sn_pose_make(about_y(-side * lean), p));
            }
        }
        z += 2 * half_height;
        for (int i = 0; i + 1 < pairs; i++) {
            add_box(s, lying, at(pitch * (i - 0.5 * (pairs - 2)), 0, z + 0.5 * card.x));
        }
        z += card.x;
    }
}

/// Something of a random kind and size that fits into a cell, however it is turned.
static void add_random(scene* s, sni_rng* rng, sn_pose pose) {
    static const double SETTLING = 0.1; // s
    double a = sni_rng_uniform(rng, 0.05, 0.08), b = sni_rng_uniform(rng, 0.1, 0.14);
    double c = sni_rng_uniform(rng, 0.1, 0.14);
    switch (sni_rng_index(rng, 4)) {
    case 0: add(s, SN_SHAPE_SPHERE, sn_vec3_make(a, 0, 0), SETTLING, pose); break;
    case 1: add(s, SN_SHAPE_CYLINDER, sn_vec3_make(a, 0, b), SETTLING, pose); break;
    case 2: add(s, SN_SHAPE_CAPSULE, sn_vec3_make(a, 0, b), SETTLING, pose); break;
    default: add_box(s, sn_vec3_make(2 * a, b, c), pose);
    }
}

/// Four walls around a square, so that what falls stays together.
static void add_bin(scene* s, double width, double height) {
    const double thickness = 0.04;
    for (int side = 0; side < 4 && !s->status; side++) {
        bool along_x = side % 2;
        double out = (side < 2 ? -1 : 1) * 0.5 * (width + thickness),
               length = width + 2 * thickness;
        sn_shape_def wall = sn_shape_def_default();
        wall.name = "wall";
        wall.type = SN_SHAPE_BOX;
        wall.use = SN_SHAPE_VISUAL | SN_SHAPE_COLLISION;
        wall.size = along_x ? sn_vec3_make(length, thickness, height)
                            : sn_vec3_make(thickness, width, height);
        wall.pose = along_x ? at(0, out, 0.5 * height) : at(out, 0, 0.5 * height);
        s->status = sn_model_builder_add_shape(s->builder, &wall);
    }
}

/// In layers of a grid whose cells are wide enough for anything, turned anyhow.
static void add_heap(scene* s, int count, uint64_t seed, bool bin) {
    const double cell = 0.33, jitter = 0.01;
    sni_rng rng = {seed};
    int side = 1;
    while (6 * side * side * side < count) side++; // up to six times as many layers as rows
    if (bin) add_bin(s, cell * side, 0.6 * cell * side + 0.1);
    for (int i = 0; i < count; i++) {
        int layer = i / (side * side), place = i % (side * side);
        double x = sni_rng_uniform(&rng, -jitter, jitter),
               y = sni_rng_uniform(&rng, -jitter, jitter);
        sn_vec3 turn;
        turn.x = sni_rng_uniform(&rng, -PI, PI);
        turn.y = sni_rng_uniform(&rng, -PI, PI);
        turn.z = sni_rng_uniform(&rng, -PI, PI);
        x += cell * (place % side - 0.5 * (side - 1));
        y += cell * (place / side - 0.5 * (side - 1));
        sn_vec3 p = sn_vec3_make(x, y, cell * (layer + 0.5));
        add_random(s, &rng, sn_pose_make(sn_quat_matrix(sn_quat_exp(turn)), p));
    }
}

/// How many, about.
static double body_count(const sn_pile_def* def) {
    double n = def->count;
    switch (def->kind) {
    case SN_PILE_PYRAMID: return n * (n + 1) / 2;
    case SN_PILE_CARDS: return n * (3 * n + 1) / 2;
    case SN_PILE_WALL: return n * (def->columns ? def->columns : n);
    default: return n;
    }
}

sn_status sn_generate_pile(const sn_pile_def* def, sn_model_builder* builder) {
    if (!def || !builder || def->count < 1 || def->columns < 0) return SN_ERR_ARGUMENT;
    if (body_count(def) > SN_GENERATE_MOST) return SN_ERR_CAPACITY;
    scene s = {.builder = builder};
    if (def->floor) add_floor(&s);
    switch (def->kind) {
    case SN_PILE_FLOOR: break;
    case SN_PILE_STACK: add_stack(&s, def->count); break;
    case SN_PILE_APART: add_apart(&s, def->count); break;
    case SN_PILE_PYRAMID: add_pyramid(&s, def->count); break;
    case SN_PILE_WALL: add_wall(&s, def->count, def->columns ? def->columns : def->count); break;
    case SN_PILE_DOMINOES: add_dominoes(&s, def->count); break;
    case SN_PILE_CARDS: add_cards(&s, def->count); break;
    case SN_PILE_HEAP: add_heap(&s, def->count, def->seed, def->floor); break;
    default: return SN_ERR_ARGUMENT;
    }
    return s.status;
}

// ---- text ---------------------------------------------------------------------------------------

static const char* const kind_names[] = {
#define NAME(code, name, text) name,
    SN_PILE_LIST(NAME)
#undef NAME
};

/// What follows the name and its colon: COUNT, of a wall also ROWSxCOLUMNS, then :SEED where there is one.
static bool read_sizes(const char* text, sn_pile_def* def) {
    uint64_t count, columns = 0, seed = 1;
    if (!sni_generate_number(&text, SN_GENERATE_MOST, &count) || count == 0) return false;
    if (def->kind == SN_PILE_WALL && *text == 'x') {
        text += 1;
        if (!sni_generate_number(&text, SN_GENERATE_MOST, &columns) || columns == 0) return false;
    }
    if (*text == ':' && (++text, !sni_generate_number(&text, UINT64_MAX, &seed))) return false;
    if (*text) return false;
    def->count = (int)count;
    def->columns = (int)columns;
    def->seed = seed;
    return true;
}

bool sn_pile_parse(const char* text, sn_pile_def* def) {
    if (strcmp(text, kind_names[SN_PILE_FLOOR]) == 0) {
        def->kind = SN_PILE_FLOOR;
        return true;
    }
    for (int k = SN_PILE_FLOOR + 1; k < SN_PILE_COUNT; k++) {
        size_t length = strlen(kind_names[k]);
        if (strncmp(text, kind_names[k], length) != 0 || text[length] != ':') continue;
        sn_pile_def read = *def;
        read.kind = (sn_pile_kind)k;
        if (!read_sizes(text + length + 1, &read)) return false;
        *def = read;
        return true;
    }
    return false;
}
