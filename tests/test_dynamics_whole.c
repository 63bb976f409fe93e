// SPDX-License-Identifier: Apache-2.0
// Nodes of the assembly tree one by one: each is a free-floating system of its own, which the oracle
// solves with the wrenches on its boundary bodies applied.
#include <math.h>
#include <string.h>

#include "dynamics/tree_adaptive.h"
#include "support/adaptive.h"

enum { MODELS = 120, RIGID = 700, FREE, WRENCHES };

// ---- the bodies of a node as a system of their own --------------------------------------------------

typedef struct island {
    oracle* o;
    int* place; // [n] of a body of the model, -1: not here
    real *q, *v, *tau, *qdd;
} island;

/// First node below a node: nodes are in post-order.
static int first_below(const sni_tree* tree, int n) {
    while (tree->node[n].b >= 0) n = tree->node[n].a >= 0 ? tree->node[n].a : tree->node[n].b;
    return n;
}

/// The topmost body floats at the pose it has; its pieces that are elsewhere, and their share of the
/// wrench, are not here.
static void cut_free(oracle_body* b) {
    memcpy(b->R_T, b->R, sizeof b->R);
    memcpy(b->p_T, b->p, sizeof b->p);
    memset(b->armature, 0, sizeof b->armature);
    b->parent = -1;
    b->type = SN_JOINT_FREE;
    b->iq = b->iv = 0;
    b->nq = 7, b->nv = 6;
    b->locked = false;
}

static island make_island(const fixture* f, const sni_tree* tree, int node) {
    island s = {.o = calloc(1, sizeof *s.o), .place = calloc((size_t)f->n, sizeof *s.place)};
    double* share = calloc((size_t)f->n, sizeof *share);
    int first = first_below(tree, node);
    s.o->body = calloc((size_t)f->n, sizeof *s.o->body);
    s.q = calloc((size_t)f->nq + 7, sizeof *s.q), s.v = calloc((size_t)f->nv + 6, sizeof *s.v);
    s.tau = calloc((size_t)f->nv + 6, sizeof *s.tau);
    s.qdd = calloc((size_t)f->nv + 6, sizeof *s.qdd);
    for (int k = first; k <= node; k++)
        if (tree->node[k].kind == SNI_NODE_LEAF) share[tree->node[k].body] += tree->share[k];
    for (int i = 0; i < f->n; i++) {
        s.place[i] = -1;
        if (share[i] == 0) continue;
        oracle_body* b = &s.o->body[s.o->n];
        const oracle_body* from = &f->o->body[i];
        s.place[i] = s.o->n++;
        *b = *from;
        b->mass *= share[i];
        for (int k = 0; k < 9; k++) b->inertia[k] *= share[i];
        if (tree->leaf_of[i] < first || tree->leaf_of[i] > node)
            memset(b->f_ext, 0, sizeof b->f_ext);
        if (i == tree->node[node].u) {
            cut_free(b);
            s.q[3] = 1;
        } else {
            b->parent = s.place[from->parent];
            b->iq = s.o->nq, b->iv = s.o->nv;
            for (int k = 0; k < b->nq; k++) s.q[b->iq + k] = f->q_l[from->iq + k];
            for (int k = 0; k < b->nv; k++) s.v[b->iv + k] = f->v_l[from->iv + k];
            for (int k = 0; k < b->nv; k++) s.tau[b->iv + k] = f->tau_l[from->iv + k];
        }
        s.o->nq += b->nq, s.o->nv += b->nv;
    }
    free(share);
    return s;
}

static void free_island(island s) {
    oracle_free(s.o);
    free(s.place), free(s.q), free(s.v), free(s.tau), free(s.qdd);
}

/// Adds a wrench in body axes.
static void push_island(const island* s, int body, const double w[6]) {
    oracle_body* b = &s->o->body[s->place[body]];
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 3; k++) {
            b->f_ext[r] += b->R[3 * r + k] * w[k];
            b->f_ext[3 + r] += b->R[3 * r + k] * w[3 + k];
        }
    }
}

static void solve_island(const island* s, uint64_t seed) {
    memset(s->qdd, 0, (size_t)s->o->nv * sizeof *s->qdd);
    oracle_inverse(s->o, s->qdd, s->qdd);
    for (int k = 0; k < s->o->nv; k++) s->qdd[k] = s->tau[k] - s->qdd[k];
    CHECK(oracle_solve_mass(s->o, s->qdd, 1), seed);
}

// ---- numbers ------------------------------------------------------------------------------------------

static sni_row6 row_of_wrench(const sn_dynamics* d, int body, sn_wrench w) {
    return sni_row6_from_wrench(sni_wrench_from_user(d, body, w));
}

static void add_product(const sni_mat6* m, bool transposed, const sni_row6* x, sni_row6* sum) {
    for (int r = 0; r < 6; r++)
        for (int k = 0; k < 6; k++)
            sum->x[r] += (transposed ? m->row[k].x[r] : m->row[r].x[k]) * x->x[k];
}

static void check_symmetric(const sni_mat6* m, const double unit[6], uint64_t seed) {
    double most = 0;
    for (int r = 0; r < 6; r++)
        for (int k = 0; k < 6; k++) most = fmax(most, fabs(m->row[r].x[k]) * unit[r] * unit[k]);
    for (int r = 0; r < 6; r++)
        for (int k = 0; k < r; k++)
            CHECK_NEAR(m->row[r].x[k] * unit[r] * unit[k], m->row[k].x[r] * unit[r] * unit[k],
                       TOL_ROUNDOFF * most, seed);
}

/// a = Phi f + b of u and d against the island that was solved.
static void check_accelerations(const fixture* f, const sn_dynamics* d, const sni_node* node,
                                const island* s, const sni_mat6* phi, const sni_row6 force[2],
                                const sni_row6* b_u, const sni_row6* b_d) {
    double actual[12], unit[12];
    real expected[12];
    int handles = node->d >= 0 ? 2 : 1;
    sni_row6 a[2];
    a[0] = *b_u;
    add_product(&phi[0], false, &force[0], &a[0]);
    if (handles == 2) {
        add_product(&phi[1], true, &force[1], &a[0]);
        a[1] = *b_d;
        add_product(&phi[1], false, &force[0], &a[1]);
        add_product(&phi[2], false, &force[1], &a[1]);
    }
    for (int h = 0; h < handles; h++) {
        int body = h ? node->d : node->u;
        twist_numbers(sni_twist_to_user(d, body, sni_row6_twist(&a[h])), actual + 6 * h);
        oracle_acceleration(s->o, s->place[body], s->qdd, expected + 6 * h);
        test_unit_twist(f->u, 2, unit + 6 * h);
    }
    adaptive_check_scaled(actual, expected, unit, 6 * handles, f->seed);
}

/// Random wrenches on the boundary bodies, for the node and for the island.
static void push_handles(fixture* f, const sn_dynamics* d, const sni_node* node, const island* s,
                         sni_row6 force[2]) {
    for (int h = 0; h < 2; h++) {
        int body = h ? node->d : node->u;
        force[h] = sni_row6_zero();
        if (body < 0) continue;
        sn_wrench w = test_random_wrench(&f->rng, f->u);
        double x[6];
        wrench_numbers(w, x);
        force[h] = row_of_wrench(d, body, w);
        push_island(s, body, x);
    }
}

// ---- rigid nodes with all joints free -------------------------------------------------------------------

static sn_twist canonical_velocity(const island* s, const sn_dynamics* d, int body) {
    real v[6];
    oracle_velocity(s->o, s->place[body], v);
    sn_mat3 R = d->model->R_bc[body];
    return sn_twist_make(
        sn_mat3_apply_transposed(R, sn_vec3_make((double)v[0], (double)v[1], (double)v[2])),
        sn_mat3_apply_transposed(R, sn_vec3_make((double)v[3], (double)v[4], (double)v[5])));
}

/// Metric of the joints of an island; those of its root are not in the node.
static real island_metric(adaptive_case c, const island* s) {
    real sum = 0;
    for (int i = 0; i < c.f->n; i++) {
        if (s->place[i] < 0) continue;
        const oracle_body *b = &s->o->body[s->place[i]], *from = &c.f->o->body[i];
        for (int k = 0; k < b->nv && b->parent >= 0; k++)
            sum += c.weight[from->iv + k] * s->qdd[b->iv + k] * s->qdd[b->iv + k];
    }
    return sum;
}

static void check_whole(adaptive_case c, int n) {
    fixture* f = c.f;
    const sni_node* node = &c.d->tree->node[n];
    island s = make_island(f, c.d->tree, n);
    sni_whole room;
    const sni_whole* whole = sni_frozen_whole(&sni_adaptive_of(c.d)->frozen, c.d, n, &room);
    double unit[6], wrench[6];
    sni_row6 force[2];
    sni_moment moment;
    test_unit_twist(f->u, 1, unit);
    test_unit_wrench(f->u, wrench);
    bool still = test_chance(&f->rng, 0.2);
    for (int k = 0; k < 6; k++) s.v[k] = still ? 0 : unit[k] * test_uniform(&f->rng, -2, 2);
    oracle_move(s.o, s.q, s.v);
    push_handles(f, c.d, node, &s, force);
    solve_island(&s, f->seed);

    bool has_d = node->d >= 0, has_joints = sni_node_has_joints(node);
    sn_twist v_u = canonical_velocity(&s, c.d, node->u);
    sn_twist v_d = has_d ? canonical_velocity(&s, c.d, node->d) : sn_twist_zero();
    sni_whole_at(whole, has_joints, v_u, v_d, has_d, &moment);
    check_accelerations(f, c.d, node, &s, whole->phi, force, &moment.b_u, &moment.b_d);
    check_symmetric(&whole->phi[0], wrench, f->seed);
    if (has_d) check_symmetric(&whole->phi[2], wrench, f->seed);
    if (has_joints) {
        sni_view view = sni_moment_view(whole, true, &moment);
        real expected = island_metric(c, &s);
        double metric = sni_view_metric(&view, has_d, &force[0], &force[1]);
        for (int h = 0; h < 2; h++) sni_row6_scale(&force[h], -1);
        double other = sni_view_metric(&view, has_d, &force[0], &force[1]);
        // f' Psi f + eta is the mean of the two; f' p may cancel it
        CHECK_NEAR(metric, expected, TOL_SOLVE * (metric + other) / 2, f->seed);
        check_symmetric(&whole->psi[0], wrench, f->seed);
        if (has_d) check_symmetric(&whole->psi[2], wrench, f->seed);
    }
    free_island(s);
}

static fixture* fixture_of_test(int test, int index, test_units u) {
    uint64_t seed = test_case_seed((uint64_t)test, (uint64_t)index);
    if (index % 10 != 9) return fixture_of_list(index, u, seed);
    static const sn_generate_shape shapes[] = {SN_GENERATE_CHAIN, SN_GENERATE_TREE,
                                               SN_GENERATE_STAR, SN_GENERATE_CATERPILLAR,
                                               SN_GENERATE_RANDOM};
    sn_model* model =
        test_generate(shapes[index / 10 % 5], 30, seed, index / 20 % 2 == 0, index % 4 < 2, u);
    return fixture_create(model, u, seed);
}

static void a_rigid_part_knows_how_its_joints_would_move_it(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < MODELS; m++) {
        adaptive_case c = adaptive_begin(fixture_of_test(RIGID, m, *u), ADAPTIVE_AT_REST,
                                         (sn_metric)(m % SN_METRIC_COUNT));
        if (m % 2) sni_adaptive_of(c.d)->frozen.kernel = &sni_whole_kernel_scalar;
        adaptive_limit(c, 0, 0);
        adaptive_forward(c); // nothing moves: every node is rigid
        for (int n = 0; n < c.d->tree->count; n++)
            if (c.d->tree->node[n].u >= 0) check_whole(c, n);
        adaptive_end(c);
    }
}

// ---- divide and conquer with all joints moving ----------------------------------------------------------

typedef struct conquest {
    fixture* f;
    sn_dynamics* d;
} conquest;

static conquest begin_conquest(int test, int index, test_units u) {
    conquest c = {.f = fixture_of_test(test, index, u)};
    c.d = test_dynamics(c.f->model, "dca");
    sn_dynamics_set_gravity(c.d, c.f->gravity);
    if (index % 2) sni_tree_of(c.d)->kernel = &sni_tree_kernel_scalar;
    fixture_random_wrenches(c.f, c.d, 0.4);
    if (index % 3 == 0) fixture_random_locks(c.f, c.d, 0.2);
    CHECK_STATUS(sn_dynamics_forward(c.d, c.f->q, c.f->v, c.f->tau, c.f->x), SN_OK);
    return c;
}

static void end_conquest(conquest c) {
    sn_dynamics_free(c.d);
    fixture_free(c.f);
}

static void every_part_answers_wrenches_as_if_it_floated(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < MODELS; m++) {
        conquest c = begin_conquest(FREE, m, *u);
        const sni_region* region = &sni_tree_of(c.d)->region;
        double wrench[6];
        test_unit_wrench(*u, wrench);
        for (int p = 0; p < region->count; p++) {
            const sni_part* part = &region->part[p];
            const sni_node* node = &c.d->tree->node[part->node];
            if (node->u < 0) continue;
            island s = make_island(c.f, c.d->tree, part->node);
            sni_row6 force[2];
            oracle_velocity(c.f->o, node->u, s.v);
            oracle_move(s.o, s.q, s.v);
            push_handles(c.f, c.d, node, &s, force);
            solve_island(&s, c.f->seed);
            check_accelerations(c.f, c.d, node, &s, part->phi, force, &region->flow[p].b_u,
                                &region->flow[p].b_d);
            check_symmetric(&part->phi[0], wrench, c.f->seed);
            if (node->d >= 0) check_symmetric(&part->phi[2], wrench, c.f->seed);
            free_island(s);
        }
        end_conquest(c);
    }
}

/// Wrench through the joint of an active part on its child, which B feels besides what the part feels.
static sn_wrench joint_wrench(const sni_region* region, const sni_part* part) {
    sni_row6 f = region->flow[part->b].f_u;
    if (part->keeps_top) sni_row6_subtract(&f, &region->flow[part - region->part].f_d);
    return sni_row6_wrench(&f);
}

static void joint_wrenches_are_those_of_the_oracle(void** state) {
    const test_units* u = *state;
    for (int m = 0; m < MODELS; m++) {
        if (m % 10 == 9) continue; // twelve unknowns per body
        conquest c = begin_conquest(WRENCHES, m, *u);
        fixture* f = c.f;
        const sni_region* region = &sni_tree_of(c.d)->region;
        double *actual = calloc(6 * (size_t)f->n, sizeof *actual),
               *units = calloc(6 * (size_t)f->n, sizeof *units), most = 0;
        real* expected = calloc(6 * (size_t)f->n, sizeof *expected);
        CHECK(oracle_forward(f->o, f->tau_l, f->x_l, expected), f->seed);
        for (int i = 0; i < f->n; i++) test_unit_wrench(*u, units + 6 * i);
        for (int i = 0; i < 6 * f->n; i++) most = fmax(most, fabs((double)expected[i]) / units[i]);
        for (int p = 0; p < region->count; p++) {
            const sni_part* part = &region->part[p];
            if (part->kind != SNI_NODE_JOINT && part->kind != SNI_NODE_GROUND) continue;
            int i = c.d->tree->node[part->node].body;
            const oracle_body* b = &f->o->body[i];
            const sni_joint* joint = &c.d->model->joint[i];
            sn_wrench w = joint_wrench(region, part);
            sn_mat3 R = c.d->ops->pose(c.d, i).R;
            wrench_numbers(sn_wrench_make(sn_mat3_apply(R, w.n), sn_mat3_apply(R, w.f)),
                           actual + 6 * i);
            sn_twist S[SN_JOINT_MAX_NV]; // S' f_J = tau - Ia qdd
            sni_joint_subspace(joint, c.d->q + joint->iq, S);
            for (int k = 0; k < b->nv && !b->locked; k++) {
                double tau = f->tau[b->iv + k] - (double)b->armature[k] * f->x[b->iv + k];
                CHECK_NEAR(sn_power(w, S[k]) / f->unit_tau[b->iv + k], tau / f->unit_tau[b->iv + k],
                           TOL_CHAIN * fmax(1, most), f->seed);
            }
        }
        adaptive_check_scaled(actual, expected, units, 6 * f->n, f->seed);
        free(actual), free(units), free(expected);
        end_conquest(c);
    }
}

int main(void) {
    (void)test_seed(); // print it first
    static test_units si, molecular;
    si = test_units_si();
    molecular = test_units_molecular();
    const struct CMUnitTest tests[] = {
        TEST_IN_BOTH_UNITS(a_rigid_part_knows_how_its_joints_would_move_it),
        TEST_IN_BOTH_UNITS(every_part_answers_wrenches_as_if_it_floated),
        TEST_IN_BOTH_UNITS(joint_wrenches_are_those_of_the_oracle),
    };
    return cmocka_run_group_tests_name("whole", tests, NULL, NULL);
}
