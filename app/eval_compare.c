// SPDX-License-Identifier: Apache-2.0
#include "eval_compare.h"

#include <math.h>
#include <stdio.h>

#include "table.h"

// Agreement wanted of two systems; for ill-conditioned cases within ten times of the error that
// the file says a double-precision computation has.
static const double TOLERANCE = 1e-9;
static const double TOLERANCE_OF_FILE = 10;
// A stored answer smaller than this share of its natural size is zero but for rounding; it is then
// judged against the natural size.
static const double NOTHING = 1e-9;

enum {
    ROWS_MOST = 40,  // of a table of accelerations
    ACTIVE_MOST = 20 // active joints that are listed
};

// Natural sizes of a case's quantities.
typedef struct sizes {
    double length, speed, acceleration, force, energy, momentum, inertia;
} sizes;

static double largest(const double* x, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static sizes natural_sizes(const eval_case* c, const sn_model* model, const eval_answer* a) {
    double mass = sn_model_mass(model);
    sizes s;
    s.length = largest(a->com, 3);
    for (int i = 0; i < a->bodies; i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        s.length = fmax(s.length, largest(a->body_p + 3 * i, 3));
        s.length = fmax(s.length, sn_vec3_norm(b.inertia.com));
    }
    double g = sn_vec3_norm(c->gravity);
    s.speed = fmax(largest(a->body_vel, 6 * a->bodies), sqrt(g * s.length));
    s.acceleration = fmax(largest(a->body_acc, 6 * a->bodies), g);
    s.force = fmax(largest(c->tau, a->nv), mass * s.acceleration * fmax(s.length, 1));
    s.energy = mass * s.speed * s.speed;
    s.momentum = mass * s.speed * fmax(s.length, 1);
    s.inertia = mass * s.length * s.length;
    return s;
}

typedef struct comparison {
    table* rows;
    double tolerance;
    eval_verdict verdict;
} comparison;

// Adds up differences of one field.
typedef struct field {
    double difference, size;
    bool whole; ///< as many numbers as the answer
} field;

static void add_numbers(field* f, const json_t* stored, const double* answer, int count) {
    if ((int)json_array_size(stored) != count) {
        f->whole = false;
        return;
    }
    for (int i = 0; i < count; i++) {
        double there = json_number_value(json_array_get(stored, (size_t)i));
        double difference = fabs(there - answer[i]);
        f->size = fmax(f->size, fabs(there));
        if (!(difference <= f->difference)) f->difference = difference;
    }
}

static void add_rows(field* f, const json_t* stored, const double* answer, int rows, int width) {
    if ((int)json_array_size(stored) != rows) {
        f->whole = false;
        return;
    }
    for (int i = 0; i < rows && f->whole; i++) {
        add_numbers(f, json_array_get(stored, (size_t)i), answer + (size_t)i * (size_t)width,
                    width);
    }
}

static void judge(comparison* to, const char* name, field f, double natural) {
    double size = f.size > NOTHING * natural ? f.size : natural;
    double relative = size > 0 ? f.difference / size : f.difference;
    bool good = f.whole && relative <= to->tolerance;
    to->verdict.compared += 1;
    to->verdict.different += !good;
    table_cell(to->rows, "%s", name);
    if (f.whole) {
        table_cell(to->rows, "%.3g", f.size);
        table_cell(to->rows, "%.2g", relative);
    } else {
        table_cell(to->rows, "%s", "?");
        table_cell(to->rows, "%s", "other size");
    }
    table_cell(to->rows, "%s", good ? "OK" : "DIFFERENT");
}

static void compare_list(comparison* to, const eval_case* c, const char* key, const double* answer,
                         int count, double natural) {
    const json_t* stored = json_object_get(c->object, key);
    if (!stored) return;
    field f = {0, 0, true};
    if (json_is_array(stored)) {
        add_numbers(&f, stored, answer, count);
    } else if (json_is_number(stored)) { // a single number
        f.size = fabs(json_number_value(stored));
        f.difference = fabs(json_number_value(stored) - answer[0]);
    } else {
        f.whole = false;
    }
    judge(to, key, f, natural);
}

static void compare_rows(comparison* to, const char* key, const json_t* stored,
                         const double* answer, int rows, int width, double natural) {
    if (!stored || !answer) return;
    field f = {0, 0, true};
    add_rows(&f, stored, answer, rows, width);
    judge(to, key, f, natural);
}

static void compare_poses(comparison* to, const eval_case* c, const eval_answer* a, double length) {
    const json_t* stored = json_object_get(c->object, "body_pose");
    if (!stored) return;
    field p = {0, 0, true}, R = {0, 0, true};
    p.whole = R.whole = (int)json_array_size(stored) == a->bodies;
    for (int i = 0; i < a->bodies && p.whole; i++) {
        const json_t* pose = json_array_get(stored, (size_t)i);
        add_numbers(&p, json_object_get(pose, "p"), a->body_p + 3 * i, 3);
        add_numbers(&R, json_object_get(pose, "R"), a->body_R + 9 * i, 9);
    }
    judge(to, "body_pose.p", p, length);
    judge(to, "body_pose.R", R, 1);
}

static double tolerance_of(const eval_case* c) {
    const json_t* accuracy = json_object_get(c->object, "accuracy");
    double local = json_number_value(json_object_get(accuracy, "pinocchio_double_local_rel_err"));
    double world = json_number_value(json_object_get(accuracy, "pinocchio_double_world_rel_err"));
    return fmax(TOLERANCE, TOLERANCE_OF_FILE * fmax(local, world));
}

static const json_t* stored_matrix(const eval_case* c, const char* key) {
    return json_object_get(json_object_get(c->object, key), "matrix");
}

static void print_accelerations(const eval_case* c, const sn_model* model, const int* q_order,
                                const int* v_order, const eval_answer* a) {
    int rows = 0;
    table* t = table_create("lrrrrr", "joint|#|q|v|tau|qdd");
    for (int i = 0; i < a->bodies; i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        int numbers = b.nq > b.nv ? b.nq : b.nv;
        for (int k = 0; k < numbers && rows < ROWS_MOST; k++, rows++) {
            table_cell(t, "%s", k == 0 ? b.joint_name : "");
            table_cell(t, "%d", k);
            table_cell(t, "%.6g", k < b.nq ? c->q[q_order[b.iq + k]] : 0);
            if (k >= b.nv) {
                for (int m = 0; m < 3; m++) table_cell(t, "%s", "");
                continue;
            }
            table_cell(t, "%.6g", c->v[v_order[b.iv + k]]);
            table_cell(t, "%.6g", c->tau[v_order[b.iv + k]]);
            table_cell(t, "%.9g", a->qdd[b.iv + k]);
        }
    }
    table_print(t, 2, stdout);
    if (rows == ROWS_MOST) printf("  and more; --json has everything\n");
}

static void compare_motion(comparison* to, const eval_case* c, const eval_answer* a, sizes s) {
    compare_list(to, c, "nle", a->nle, a->nv, s.force);
    compare_list(to, c, "gravity_torque", a->gravity_torque, a->nv, s.force);
    compare_poses(to, c, a, s.length);
    compare_rows(to, "body_vel", json_object_get(c->object, "body_vel"), a->body_vel, a->bodies, 6,
                 s.speed);
    compare_rows(to, "body_acc", json_object_get(c->object, "body_acc"), a->body_acc, a->bodies, 6,
                 s.acceleration);
    compare_list(to, c, "kinetic_energy", &a->kinetic_energy, 1, s.energy);
    compare_list(to, c, "potential_energy", &a->potential_energy, 1, s.energy);
    compare_list(to, c, "com", a->com, 3, s.length);
    compare_list(to, c, "centroidal_momentum", a->centroidal_momentum, 6, s.momentum);
    compare_rows(to, "M", json_object_get(c->object, "M"), a->M, a->nv, a->nv, s.inertia);
    compare_rows(to, "delassus_local", stored_matrix(c, "delassus_local"), a->delassus_local,
                 6 * c->local.count, 6 * c->local.count, 0);
    compare_rows(to, "delassus_world_aligned", stored_matrix(c, "delassus_world_aligned"),
                 a->delassus_world_aligned, 6 * c->world.count, 6 * c->world.count, 0);
}

static void compare_coupling(comparison* to, const eval_case* c, const eval_answer* a, sizes s) {
    int rows = 6 * c->grab_count;
    double force = s.force;
    for (int i = 0; i < c->grab_count; i++) force = fmax(force, largest(&c->grab[i].wrench.n.x, 6));
    compare_rows(to, "Lambda", json_object_get(c->object, "Lambda"), a->Lambda, rows, rows, 0);
    compare_list(to, c, "a0", a->a0, rows, s.acceleration);
    compare_rows(to, "K", json_object_get(c->object, "K"), a->K, rows, rows, 1);
    compare_list(to, c, "f0", a->f0, rows, force);
    compare_list(to, c, "weight", a->weight, rows, force);
    compare_list(to, c, "f_feed", a->f_feed, rows, force);
}

// Errors are square roots of differences, so they agree as their squares do: relative to the total.
static void compare_error(comparison* to, const eval_case* c, const eval_answer* a) {
    const json_t* stored = json_object_get(c->object, "remaining_error");
    if (!stored) return;
    double there = json_number_value(stored), here = a->region.error, all = a->region.total;
    double difference = all > 0 ? fabs(there * there - here * here) / all : fabs(there - here);
    field f = {difference, all, json_is_number(stored)};
    judge(to, "remaining_error", f, 0);
}

static void compare_region(comparison* to, const eval_case* c, const eval_answer* a) {
    compare_list(to, c, "active", a->active, a->region.active, 1);
    compare_error(to, c, a);
    compare_list(to, c, "total_metric", &a->region.total, 1, 0);
}

// What each hand feels, force then moment; the matrices are for --json.
static void print_hands(const eval_case* c, const sn_model* model, const eval_answer* a) {
    for (int h = 0; h < c->grab_count; h++) {
        const double *f = a->f_feed + 6 * h, *w = a->weight + 6 * h;
        printf("  hand on %s feels force %.6g, %.6g, %.6g N and moment %.6g, %.6g, %.6g N m "
               "(body axes), besides its weight %.6g, %.6g, %.6g N\n",
               sn_model_body(model, c->grab[h].body).name, f[0], f[1], f[2], f[3], f[4], f[5], w[0],
               w[1], w[2]);
    }
}

static void print_region(const eval_answer* a) {
    printf("  %d of %d joints active, remaining error %.6g of %.6g", a->region.active, a->bodies,
           a->region.error, a->region.total);
    int shown = a->region.active < ACTIVE_MOST ? a->region.active : ACTIVE_MOST;
    for (int i = 0; i < shown; i++) printf("%s%.0f", i ? ", " : "\n  active: ", a->active[i]);
    printf("%s\n", shown < a->region.active ? ", ...; --json has all" : "");
}

eval_verdict eval_compare_print(const eval_case* c, const sn_model* model, const int* q_order,
                                const int* v_order, const eval_answer* a) {
    bool only_qdd = a->nle == NULL;
    sizes s = {.acceleration = sn_vec3_norm(c->gravity)};
    if (!only_qdd) s = natural_sizes(c, model, a);
    comparison to = {.tolerance = tolerance_of(c)};
    to.rows = table_create("lrrl", "field|largest|relative difference|");
    compare_list(&to, c, "qdd", a->qdd, a->nv, s.acceleration);
    if (!only_qdd) compare_motion(&to, c, a, s);
    if (a->Lambda) compare_coupling(&to, c, a, s);
    if (a->active) compare_region(&to, c, a);
    printf("%s: case \"%s\"", c->file, c->name);
    if (to.verdict.compared == 0) {
        printf("\n");
        table_free(to.rows);
        print_accelerations(c, model, q_order, v_order, a);
        if (!only_qdd) {
            printf("  kinetic energy %.9g J, potential energy %.9g J\n", a->kinetic_energy,
                   a->potential_energy);
        }
        if (a->active) print_region(a);
        if (a->f_feed) print_hands(c, model, a);
        printf("\n");
        return to.verdict;
    }
    printf(", tolerance %.2g\n", to.tolerance);
    table_print(to.rows, 2, stdout);
    if (a->active) print_region(a);
    printf("\n");
    return to.verdict;
}
