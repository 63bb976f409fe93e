// SPDX-License-Identifier: Apache-2.0
// The problem that a contact set makes, against the dense oracle: W = J M^-1 J' and q = J v_free with J from
// differences of positions; and impulses back to velocities and energy.
#include <math.h>
#include <string.h>

#include "support/contact_scene.h"
#include "support/fixture.h"

enum {
    MODELS = 60,
    CONTACTS = 6,
    // first argument of test_case_seed
    ALGEBRA = 900,
    INDEPENDENT,
    MATERIALS,
    PATCHES,
    MOMENTUM,
    FRAMES
};

static test_units si, molecular;
static const char* const algorithms[] = {"aba", "crba", "dca"};

// ---- J by differences ----------------------------------------------------------------------------------

typedef struct placed {
    real R[9], p[3];
} placed;

static placed place_of(const oracle* o, int body) {
    placed X = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    if (body < 0) return X;
    memcpy(X.R, o->body[body].R, sizeof X.R);
    memcpy(X.p, o->body[body].p, sizeof X.p);
    return X;
}

static void apply3(const real R[9], const real x[3], const real p[3], real out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2] + p[i];
}

/// How a point x that moves with a body has been displaced since X0, and how it was turned (small angles).
static void displacement(const placed* X0, const placed* X1, const real x[3], real moved[3],
                         real turned[3]) {
    real from_origin[3], local[3], now[3], D[9];
    for (int i = 0; i < 3; i++) from_origin[i] = x[i] - X0->p[i];
    for (int i = 0; i < 3; i++)
        local[i] = X0->R[i] * from_origin[0] + X0->R[3 + i] * from_origin[1] +
                   X0->R[6 + i] * from_origin[2];
    apply3(X1->R, local, X1->p, now);
    for (int i = 0; i < 3; i++) moved[i] = now[i] - x[i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            D[3 * i + j] = X1->R[3 * i] * X0->R[3 * j] + X1->R[3 * i + 1] * X0->R[3 * j + 1] +
                           X1->R[3 * i + 2] * X0->R[3 * j + 2];
    turned[0] = (D[7] - D[5]) / 2;
    turned[1] = (D[2] - D[6]) / 2;
    turned[2] = (D[3] - D[1]) / 2;
}

/// Displacement of a's point against b's, and relative turn, at q (+) step along one degree of freedom.
static void relative_at(fixture* f, const sn_contact* c, int k, real step, real out[6]) {
    const int body[2] = {c->a.i, c->b.i};
    const real x[3] = {c->x.x, c->x.y, c->x.z};
    real* dv = calloc((size_t)f->nv, sizeof *dv);
    real* q = calloc((size_t)f->nq, sizeof *q);
    placed X0[2], X1[2];
    oracle_move(f->o, f->q_l, f->v_l);
    for (int s = 0; s < 2; s++) X0[s] = place_of(f->o, body[s]);
    dv[k] = step;
    oracle_integrate(f->o, f->q_l, dv, q);
    oracle_move(f->o, q, f->v_l);
    for (int s = 0; s < 2; s++) X1[s] = place_of(f->o, body[s]);
    for (int i = 0; i < 6; i++) out[i] = 0;
    for (int s = 0; s < 2; s++) {
        real moved[3], turned[3];
        displacement(&X0[s], &X1[s], x, moved, turned);
        for (int i = 0; i < 3; i++) {
            out[i] += (s ? -1 : 1) * moved[i];
            out[3 + i] += (s ? -1 : 1) * turned[i];
        }
    }
    oracle_move(f->o, f->q_l, f->v_l);
    free(dv), free(q);
}

/// Six rows of a contact: along n, t1, t2, then about them.
static void contact_rows(fixture* f, const sn_contact* c, real* J) {
    const sn_vec3 axis[3] = {c->n, c->t1, c->t2};
    for (int k = 0; k < f->nv; k++) {
        real step = 1e-4L * (real)(f->unit_qdd[k] * f->u.time * f->u.time), near[6], far[6];
        real minus_near[6], minus_far[6];
        relative_at(f, c, k, step, near);
        relative_at(f, c, k, -step, minus_near);
        relative_at(f, c, k, 2 * step, far);
        relative_at(f, c, k, -2 * step, minus_far);
        real rate[6];
        for (int i = 0; i < 6; i++) // one Richardson step
            rate[i] = (4 * (near[i] - minus_near[i]) / (2 * step) -
                       (far[i] - minus_far[i]) / (4 * step)) /
                      3;
        for (int i = 0; i < 6; i++) {
            const real* r = rate + (i < 3 ? 0 : 3);
            sn_vec3 d = axis[i % 3];
            J[i * f->nv + k] = d.x * r[0] + d.y * r[1] + d.z * r[2];
        }
    }
}

// ---- random contacts -----------------------------------------------------------------------------------

static sn_contact random_contact(fixture* f, uint64_t id, bool patch) {
    int a = test_index(&f->rng, f->n), b = test_index(&f->rng, f->n + 1) - 1;
    if (b == a) b = -1;
    if (test_chance(&f->rng, 0.5)) { // either side may be the world
        int other = a;
        a = b, b = other;
    }
    sn_material m = sn_material_default();
    m.mu = m.mu_kinetic = test_uniform(&f->rng, 0, 1);
    if (patch) m.spin = 0.1 * f->u.length, m.roll = 0.05 * f->u.length;
    sn_contact c = sn_contact_make(id, sn_body(a), sn_body(b), test_vec3(&f->rng, f->u.length),
                                   test_direction(&f->rng), 0, m);
    double turn = test_uniform(&f->rng, 0, 6.28); // any frame will do
    sn_vec3 t1 = sn_vec3_add(sn_vec3_scale(cos(turn), c.t1), sn_vec3_scale(sin(turn), c.t2));
    c.t1 = t1;
    c.t2 = sn_vec3_cross(c.n, t1);
    return c;
}

/// Turns the normal to where the velocity w takes the bodies apart, so that some velocity opens all contacts
/// and impulses exist; false when it does not.
static bool open_along(fixture* f, const double* w, real* six, sn_contact* c) {
    sn_vec3 z = sn_vec3_make(0, 0, 1), u = sn_vec3_zero(), turn = sn_vec3_zero();
    sn_contact plain = sn_contact_make(c->id, c->a, c->b, c->x, z, c->gap, c->material);
    contact_rows(f, &plain, six); // along and about z, x, y
    for (int k = 0; k < f->nv; k++) {
        const real* at = six + k;
        const int nv = f->nv;
        u = sn_vec3_add(u, sn_vec3_scale(w[k], sn_vec3_make((double)at[nv], (double)at[2 * nv],
                                                            (double)at[0])));
        turn = sn_vec3_add(turn,
                           sn_vec3_scale(w[k], sn_vec3_make((double)at[4 * nv], (double)at[5 * nv],
                                                            (double)at[3 * nv])));
    }
    double speed = sn_vec3_norm(u), rate = sn_vec3_norm(turn), unit = f->u.length / f->u.time;
    if (!(speed > 1e-3 * unit)) return false;
    plain =
        sn_contact_make(c->id, c->a, c->b, c->x, sn_vec3_scale(1 / speed, u), c->gap, c->material);
    // moments, too, must leave it open
    if (plain.material.spin > 0 && rate > 0)
        plain.material.spin = plain.material.roll = fmin(0.1 * f->u.length, 0.3 * speed / rate);
    *c = plain;
    return true;
}

typedef struct algebra {
    fixture* f;
    sn_dynamics* d;
    sn_contact_set* set;
    int rows;
    real* J;     // [rows x nv]
    real* MinvJ; // [nv x rows]
    double* v_free;
    double h;
} algebra;

static algebra algebra_begin(int index, test_units u, uint64_t seed, bool solvable) {
    algebra c = {.f = fixture_of_list(index, u, seed), .h = 0.01 * u.time};
    fixture* f = c.f;
    sn_contact_set_def def = sn_contact_set_def_default();
    def.blocks = CONTACTS * CONTACTS;
    def.contacts = CONTACTS;
    def.options.limits = def.options.dry_friction = false;
    CHECK_STATUS(sn_contact_set_create(f->model, &def, &c.set, NULL), SN_OK);
    c.d = test_dynamics(f->model, algorithms[index % 3]);
    sn_dynamics_set_gravity(c.d, f->gravity);
    CHECK_STATUS(sn_dynamics_forward(c.d, f->q, f->v, f->tau, f->x), SN_OK);
    c.v_free = calloc((size_t)f->nv, sizeof *c.v_free);
    for (int k = 0; k < f->nv; k++) c.v_free[k] = f->v[k] + c.h * f->x[k];
    c.J = calloc((size_t)(6 * CONTACTS * f->nv), sizeof *c.J);
    real* six = calloc((size_t)(6 * f->nv), sizeof *six);
    test_random_v(&f->rng, f->model, u, f->y);
    for (int i = 0; i < CONTACTS; i++) {
        bool patch = test_chance(&f->rng, 0.3);
        sn_contact contact = random_contact(f, (uint64_t)i + 1, patch);
        if (solvable) {
            contact.gap = test_uniform(&f->rng, -0.01, 0.01) * f->u.length;
            if (!open_along(f, f->y, six, &contact)) continue;
        }
        CHECK_STATUS(sn_contact_set_add(c.set, &contact, NULL), SN_OK);
        contact_rows(f, &contact, six);
        for (int k = 0; k < (patch ? 6 : 3); k++, c.rows++)
            for (int j = 0; j < f->nv; j++)
                c.J[c.rows * f->nv + j] =
                    six[k * f->nv + j] * (k < 3 ? 1 : (real)sn_contact_set_length(c.set));
    }
    free(six);
    c.MinvJ = calloc((size_t)(f->nv * c.rows), sizeof *c.MinvJ);
    for (int r = 0; r < c.rows; r++)
        for (int j = 0; j < f->nv; j++) c.MinvJ[j * c.rows + r] = c.J[r * f->nv + j];
    CHECK(oracle_solve_mass(f->o, c.MinvJ, c.rows), seed);
    return c;
}

static void algebra_end(algebra c) {
    free(c.J), free(c.MinvJ), free(c.v_free);
    sn_contact_set_free(c.set);
    sn_dynamics_free(c.d);
    fixture_free(c.f);
}

static void expected_W(const algebra* c, real* W) {
    int nv = c->f->nv, n = c->rows;
    for (int r = 0; r < n; r++)
        for (int s = 0; s < n; s++) {
            real sum = 0;
            for (int j = 0; j < nv; j++) sum += c->J[r * nv + j] * c->MinvJ[j * n + s];
            W[r * n + s] = sum;
        }
}

/// W by bodies and as a matrix, and q, are J M^-1 J' and J v_free.
static void the_problem_is_that_of_the_oracle(void** state) {
    test_units u = *(test_units*)*state;
    for (int index = 0; index < MODELS; index++) {
        uint64_t seed = test_case_seed(ALGEBRA, (uint64_t)index);
        algebra c = algebra_begin(index, u, seed, false);
        sn_error error = {0};
        CHECK_STATUS(sn_contact_set_build(c.set, c.d, c.v_free, c.h, &error), SN_OK);
        const sn_contact_problem* p = sn_contact_set_problem(c.set);
        CHECK(p->count == CONTACTS && sn_contact_rows(p) == c.rows, seed);
        size_t size = (size_t)(c.rows * c.rows);
        double* W = calloc(size, sizeof *W);
        real* expected = calloc(size, sizeof *expected);
        expected_W(&c, expected);
        sn_contact_dense(p, W);
        CHECK_VECTOR(W, expected, c.rows * c.rows, TOL_SOLVE, seed);
        CHECK_STATUS(sn_contact_set_make_matrix(c.set, &error), SN_OK);
        sn_contact_problem alone = *p;
        alone.bodies.tree_count = 0;
        CHECK_STATUS(sn_contact_check(&alone, &error), SN_OK);
        sn_contact_dense(&alone, W);
        CHECK_VECTOR(W, expected, c.rows * c.rows, TOL_SOLVE, seed);
        // u is small where J v cancels: relative to what was added
        real* q = calloc((size_t)c.rows + 1, sizeof *q);
        double* got = calloc((size_t)c.rows + 1, sizeof *got);
        for (int r = 0; r < c.rows; r++) {
            real terms = 0;
            for (int j = 0; j < c.f->nv; j++) {
                q[r] += c.J[r * c.f->nv + j] * (real)c.v_free[j];
                terms += fabsl(c.J[r * c.f->nv + j] * (real)c.v_free[j]);
            }
            if (terms > q[c.rows]) q[c.rows] = terms;
            got[r] = p->q[r];
        }
        got[c.rows] = (double)q[c.rows];
        CHECK_VECTOR(got, q, c.rows + 1, TOL_SOLVE, seed);
        free(W), free(expected), free(q), free(got);
        algebra_end(c);
    }
}

/// v+ = v_free + M^-1 J' r and the energy of the report is that of the oracle's M, gaps or not.
static void impulses_move_the_bodies_and_the_energy_is_exact(void** state) {
    test_units u = *(test_units*)*state;
    for (int index = 0; index < MODELS; index++) {
        uint64_t seed = test_case_seed(ALGEBRA, (uint64_t)index);
        algebra c = algebra_begin(index, u, seed, true);
        fixture* f = c.f;
        sn_contact_capacity capacity = sn_contact_set_capacity(c.set);
        sn_contact_solver* solver = NULL;
        sn_solve_options options = sn_solve_options_default();
        sn_contact_report report;
        sn_error error = {0};
        CHECK_STATUS(sn_contact_solver_create(NULL, &capacity, 0, &solver, &error), SN_OK);
        CHECK_STATUS(sn_contact_set_solve(c.set, c.d, c.v_free, c.h, solver, &options, f->y,
                                          &report, &error),
                     SN_OK);
        const double* r = sn_contact_set_impulses(c.set);
        real* v = calloc(2 * (size_t)f->nv, sizeof *v);
        for (int j = 0; j < f->nv; j++) {
            v[j] = c.v_free[j];
            for (int k = 0; k < c.rows; k++) v[j] += c.MinvJ[j * c.rows + k] * (real)r[k];
        }
        // v+ may be next to nothing: relative to what is left of v_free, too
        double* unit = calloc(2 * (size_t)f->nv, sizeof *unit);
        double* got = calloc(2 * (size_t)f->nv, sizeof *got);
        test_unit_velocity(f->model, f->u, unit);
        memcpy(unit + f->nv, unit, (size_t)f->nv * sizeof *unit);
        memcpy(got, f->y, (size_t)f->nv * sizeof *got);
        memcpy(got + f->nv, c.v_free, (size_t)f->nv * sizeof *got);
        for (int j = 0; j < f->nv; j++) v[f->nv + j] = c.v_free[j];
        CHECK_SCALED(got, v, unit, 2 * f->nv, TOL_SOLVE, seed);
        real before = 0, after = 0;
        oracle_mass_matrix(f->o, f->A_l);
        for (int i = 0; i < f->nv; i++)
            for (int j = 0; j < f->nv; j++) {
                real M = f->A_l[i * f->nv + j] / 2;
                before += (real)c.v_free[i] * M * (real)c.v_free[j];
                after += v[i] * M * v[j];
            }
        CHECK_NEAR(report.energy, after - before, TOL_SOLVE * (double)(before + after), seed);
        free(v), free(unit), free(got);
        sn_contact_solver_free(solver);
        algebra_end(c);
    }
}

// ---- what does not meet ----------------------------------------------------------------------------------

/// Trees of a forest, and free bodies, are separate trees of the problem and separate groups; a loop
/// between two trees makes them one.
static void trees_that_do_not_touch_are_separate_groups(void** state) {
    (void)state;
    for (int looped = 0; looped < 2; looped++) {
        uint64_t seed = test_case_seed(INDEPENDENT, (uint64_t)looped);
        test_rng rng = test_rng_make(seed);
        sn_model_builder* builder = sn_model_builder_create("forest");
        // bodies of two trees and a free one, added in turns
        const char* const name[] = {"a0", "b0", "a1", "free", "b1", "a2"};
        const char* const parent[] = {NULL, NULL, "a0", NULL, "b0", "a1"};
        for (int i = 0; i < 6; i++) {
            sn_body_def def = test_random_body(&rng, name[i], parent[i],
                                               i == 3 ? SN_JOINT_FREE : SN_JOINT_SPHERICAL);
            CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
        }
        sn_loop_def loop = sn_loop_def_default();
        loop.name = "loop", loop.body_a = "a2", loop.body_b = "b1", loop.type = SN_JOINT_SPHERICAL;
        if (looped) CHECK_STATUS(sn_model_builder_add_loop(builder, &loop), SN_OK);
        sn_contact_set_def def = sn_contact_set_def_default();
        scene* s = scene_create(test_compile(builder), &def, 0.01);
        test_random_q(&rng, s->model, test_units_si(), s->q);
        CHECK_STATUS(sn_dynamics_forward(s->d, s->q, s->v, NULL, s->qdd), SN_OK);
        for (int k = 0; k < s->nv; k++) s->v_free[k] = s->h * s->qdd[k];
        for (int i = 0; i < 6; i++) {
            sn_contact c = sn_contact_make((uint64_t)i + 1, sn_model_find_body(s->model, name[i]),
                                           sn_body_world(), test_vec3(&rng, 0.3),
                                           test_direction(&rng), 0, sn_material_default());
            scene_add(s, &c);
        }
        CHECK_STATUS(sn_contact_set_solve(s->set, s->d, s->v_free, s->h, s->solver, &s->options,
                                          s->v, &s->report, NULL),
                     SN_OK);
        const sn_contact_problem* p = sn_contact_set_problem(s->set);
        CHECK(p->bodies.tree_count == (looped ? 2 : 3), seed);
        CHECK(s->report.solve.groups == (looped ? 2 : 3), seed);
        double W[18 * 18];
        sn_contact_dense(p, W);
        bool apart = W[0 * 18 + 3] == 0 && W[2 * 18 + 4 * 3] == 0; // a0 and b0, a0 and b1
        CHECK(apart == !looped, seed);
        CHECK(W[0 * 18 + 2 * 3] != 0, seed); // a0 and a1
        scene_free(s);
    }
}

/// Two free bodies collide, with friction and a bounce, and keep their momenta.
static void a_collision_keeps_both_momenta(void** state) {
    (void)state;
    for (int index = 0; index < 50; index++) {
        uint64_t seed = test_case_seed(MOMENTUM, (uint64_t)index);
        test_rng rng = test_rng_make(seed);
        sn_model_builder* builder = sn_model_builder_create("two");
        for (int i = 0; i < 2; i++) {
            sn_body_def def = test_random_body(&rng, i ? "b" : "a", NULL, SN_JOINT_FREE);
            CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
        }
        sn_contact_set_def def = sn_contact_set_def_default();
        scene* s = scene_create(test_compile(builder), &def, 1e-3);
        sn_dynamics_set_gravity(s->d, sn_vec3_zero());
        test_random_q(&rng, s->model, test_units_si(), s->q);
        test_random_v(&rng, s->model, test_units_si(), s->v);
        sn_material m = sn_material_default();
        m.restitution = 0.5;
        if (index % 2) m.spin = 0.1, m.roll = 0.05;
        CHECK_STATUS(sn_dynamics_forward(s->d, s->q, s->v, NULL, s->qdd), SN_OK);
        // impulses alone, not the step
        sn_momentum before = sn_dynamics_momentum(s->d);
        memcpy(s->v_free, s->v, (size_t)s->nv * sizeof *s->v);
        for (int k = 0; k < 3; k++) {
            sn_contact c = sn_contact_make((uint64_t)k, sn_body(0), sn_body(1),
                                           test_vec3(&rng, 0.5), test_direction(&rng), 0, m);
            scene_add(s, &c);
        }
        sn_constraint weld = sn_constraint_default(); // far off, and still it keeps momenta
        weld.type = (sn_constraint_type)(index % 4);
        weld.a = sn_body(0), weld.b = sn_body(1), weld.length = 1;
        weld.X_ac = test_pose(&rng, 0.3);
        if (index % 3 == 0) scene_add_constraint(s, &weld);
        s->options.tolerance = 1e-6; // whatever the impulses are
        CHECK_STATUS(sn_contact_set_solve(s->set, s->d, s->v_free, s->h, s->solver, &s->options,
                                          s->v, &s->report, NULL),
                     SN_OK);
        CHECK_STATUS(sn_dynamics_kinematics(s->d, s->q, s->v), SN_OK);
        sn_momentum after = sn_dynamics_momentum(s->d);
        double size = 0;
        for (int k = 0; k < sn_contact_rows(sn_contact_set_problem(s->set)); k++)
            size += fabs(sn_contact_set_impulses(s->set)[k]);
        CHECK(size > 0 || index % 3 != 0, seed);
        double tol = TOL_CHAIN * (1 + size);
        CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(after.linear, before.linear)), 0, tol, seed);
        CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(after.angular, before.angular)), 0, tol, seed);
        scene_free(s);
    }
}

// ---- frames, materials, patches ---------------------------------------------------------------------------

static void frames_are_orthonormal_and_right_handed(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(FRAMES, 0);
    test_rng rng = test_rng_make(seed);
    for (int index = 0; index < 500; index++) {
        sn_vec3 n = test_direction(&rng), t1, t2;
        if (index % 2) { // close to the pole, and to its opposite
            double tilt = pow(10, test_uniform(&rng, -17, 0)), side = index % 4 == 1 ? -1 : 1;
            n = sn_vec3_add(sn_vec3_scale(tilt, n), sn_vec3_scale(side / 7, sn_vec3_make(2, 3, 6)));
            n = sn_vec3_scale(1 / sn_vec3_norm(n), n);
        }
        sn_contact_frame(n, &t1, &t2);
        CHECK_NEAR(sn_vec3_norm(t1), 1, TOL_ROUNDOFF, seed);
        CHECK_NEAR(sn_vec3_norm(sn_vec3_sub(sn_vec3_cross(n, t1), t2)), 0, TOL_ROUNDOFF, seed);
        CHECK_NEAR(sn_vec3_dot(n, t1), 0, TOL_ROUNDOFF, seed);
    }
}

/// What lies level, or leans against a wall, has the same tangents in the next step.
static void frames_along_the_axes_stay_as_they_are(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(FRAMES, 1);
    test_rng rng = test_rng_make(seed);
    const double tilt = 1e-6;
    for (int index = 0; index < 600; index++) {
        double side = index % 2 ? -1 : 1;
        sn_vec3 axis =
            sn_vec3_make(side * (index % 3 == 0), side * (index % 3 == 1), side * (index % 3 == 2));
        sn_vec3 n = sn_vec3_add(axis, sn_vec3_scale(tilt, test_direction(&rng))), t1, t2, s1, s2;
        n = sn_vec3_scale(1 / sn_vec3_norm(n), n);
        sn_contact_frame(axis, &t1, &t2);
        sn_contact_frame(n, &s1, &s2);
        CHECK(sn_vec3_norm(sn_vec3_sub(t1, s1)) <= 20 * tilt, seed); // 2/|n + s|, squared at most
        CHECK(sn_vec3_norm(sn_vec3_sub(t2, s2)) <= 20 * tilt, seed);
    }
}

static void materials_combine_alike_both_ways(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(MATERIALS, 0);
    test_rng rng = test_rng_make(seed);
    for (int index = 0; index < 100; index++) {
        sn_material m[2];
        for (int i = 0; i < 2; i++) {
            m[i] = sn_material_default();
            m[i].mu = test_uniform(&rng, 0, 1);
            m[i].restitution = test_uniform(&rng, 0, 1);
            if (test_chance(&rng, 0.7)) m[i].stiffness = test_uniform(&rng, 1, 1e5);
            m[i].damping = test_uniform(&rng, 0, 10);
        }
        sn_material ab = sn_material_combine(m[0], m[1]), ba = sn_material_combine(m[1], m[0]);
        CHECK_NEAR(ab.mu, sqrt(m[0].mu * m[1].mu), TOL_ROUNDOFF, seed);
        CHECK(ab.restitution == ba.restitution, seed);
        CHECK_NEAR(1 / ab.stiffness, 1 / m[0].stiffness + 1 / m[1].stiffness,
                   TOL_ROUNDOFF / ab.stiffness, seed);
        CHECK(ab.stiffness == INFINITY || ba.stiffness < INFINITY, seed);
        if (ab.stiffness < INFINITY) {
            CHECK_RELATIVE(ba.stiffness, ab.stiffness, TOL_ROUNDOFF, seed);
            CHECK_NEAR(ba.damping, ab.damping, TOL_ROUNDOFF * 10, seed);
            // a slow ramp of force F' dissipates sum d_i (F'/k_i)^2
            double lost = 0;
            for (int i = 0; i < 2; i++)
                if (m[i].stiffness < INFINITY) lost += m[i].damping / pow(m[i].stiffness, 2);
            CHECK_NEAR(ab.damping / pow(ab.stiffness, 2), lost, TOL_CHAIN * (lost + 1e-12), seed);
        }
    }
}

/// Mean distance and largest disc of polygons, by a grid of small squares.
static void a_patch_knows_its_area(void** state) {
    (void)state;
    for (int index = 0; index < 20; index++) {
        uint64_t seed = test_case_seed(PATCHES, (uint64_t)index);
        test_rng rng = test_rng_make(seed);
        sn_mat3 R = test_rotation(&rng);
        sn_vec3 origin = test_vec3(&rng, 1);
        int count = 3 + test_index(&rng, 10);
        sn_contact points[SN_PATCH_POINTS], patch;
        double xy[SN_PATCH_POINTS][2];
        sn_material m = sn_material_default();
        m.mu = 0.7, m.stiffness = 1000;
        for (int i = 0; i < count; i++) {
            xy[i][0] = test_uniform(&rng, -0.1, 0.1);
            xy[i][1] = test_uniform(&rng, -0.2, 0.2);
            sn_vec3 x = sn_vec3_add(origin, sn_mat3_apply(R, sn_vec3_make(xy[i][0], xy[i][1], 0)));
            points[i] =
                sn_contact_make(7, sn_body(0), sn_body(-1), x, sn_mat3_column(R, 2), 1e-4 * i, m);
        }
        sn_error error = {0};
        CHECK_STATUS(sn_contact_patch(points, count, &patch, &error), SN_OK);
        CHECK(patch.carries && patch.id == 7 && patch.gap == 0, seed);
        CHECK_NEAR(patch.material.stiffness, 1000.0 * count, 1e-9, seed);
        // a point is inside when it is left of every edge of the hull: all pairs with all on one side
        const int grid = 400;
        double area = 0, sx = 0, sy = 0, sd = 0, disc = INFINITY;
        int edges = 0;
        double edge[64][3];
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++) {
                if (i == j) continue;
                double nx = xy[i][1] - xy[j][1], ny = xy[j][0] - xy[i][0], l = hypot(nx, ny);
                bool all = true;
                for (int k = 0; k < count; k++)
                    if (nx * (xy[k][0] - xy[i][0]) + ny * (xy[k][1] - xy[i][1]) < -1e-15)
                        all = false;
                if (!all) continue;
                edge[edges][0] = nx / l, edge[edges][1] = ny / l;
                edge[edges][2] = (nx * xy[i][0] + ny * xy[i][1]) / l;
                edges++;
            }
        for (int pass = 0; pass < 2; pass++) // centre first
            for (int i = 0; i < grid * grid; i++) {
                double x = (i % grid + 0.5) * 0.2 / grid - 0.1;
                double y = ((double)(i / grid) + 0.5) * 0.4 / grid - 0.2;
                bool inside = true;
                for (int k = 0; k < edges; k++)
                    if (edge[k][0] * x + edge[k][1] * y < edge[k][2]) inside = false;
                if (!inside) continue;
                if (pass == 0)
                    area += 1, sx += x, sy += y;
                else
                    sd += hypot(x - sx / area, y - sy / area);
            }
        double cx = sx / area, cy = sy / area;
        for (int k = 0; k < edges; k++)
            disc = fmin(disc, edge[k][0] * cx + edge[k][1] * cy - edge[k][2]);
        const double tol_grid = 2e-3; // cells at the border
        sn_vec3 c = sn_mat3_apply_transposed(R, sn_vec3_sub(patch.x, origin));
        CHECK_NEAR(c.x, cx, tol_grid, seed);
        CHECK_NEAR(c.y, cy, tol_grid, seed);
        CHECK_NEAR(c.z, 0, TOL_ROUNDOFF * 10, seed);
        CHECK_NEAR(patch.material.roll, disc, tol_grid, seed);
        CHECK_NEAR(patch.material.spin / 0.7, sd / area, tol_grid, seed);
    }
    // a disc: 2/3 mu a
    sn_contact points[SN_PATCH_POINTS], patch;
    for (int i = 0; i < SN_PATCH_POINTS; i++) {
        double t = 6.283185307179586 * i / SN_PATCH_POINTS;
        points[i] = sn_contact_make(0, sn_body(0), sn_body(-1), sn_vec3_make(cos(t), sin(t), 0),
                                    sn_vec3_make(0, 0, 1), 0, sn_material_default());
    }
    CHECK_STATUS(sn_contact_patch(points, SN_PATCH_POINTS, &patch, NULL), SN_OK);
    CHECK_NEAR(patch.material.spin, 2.0 / 3 * 0.5, 2e-3, 0);
    CHECK_NEAR(patch.material.roll, 1, 2e-3, 0);
    sn_error error = {0};
    CHECK_STATUS(sn_contact_patch(points, 2, &patch, &error), SN_ERR_ARGUMENT);
    points[1] = points[0], points[2] = points[0];
    points[1].x.x += 1, points[2].x.x += 2; // a line
    CHECK_STATUS(sn_contact_patch(points, 3, &patch, &error), SN_ERR_ARGUMENT);
    points[2].x.y += 1, points[2].x.z = 1e300 * 1e300;
    CHECK_STATUS(sn_contact_patch(points, 3, &patch, &error), SN_ERR_NUMERIC);
}

// ---- refusals ---------------------------------------------------------------------------------------------

static void check_refused(sn_contact_set* set, sn_contact contact, sn_status expected) {
    sn_error error = {0};
    int32_t count = sn_contact_set_count(set);
    CHECK_STATUS(sn_contact_set_add(set, &contact, &error), expected);
    CHECK(error.status == expected && error.text[0] && sn_contact_set_count(set) == count, 0);
}

static void what_makes_no_sense_is_refused(void** state) {
    (void)state;
    sn_contact_set_def def = sn_contact_set_def_default();
    def.contacts = 3, def.constraints = 1, def.bodies = 1;
    scene* s = scene_create(scene_box(1, sn_vec3_make(1, 1, 1)), &def, 0.01);
    sn_contact good = sn_contact_make(1, sn_body(0), sn_body_world(), sn_vec3_zero(),
                                      sn_vec3_make(0, 0, 1), 0, sn_material_default());
    sn_contact bad = good;
    bad.a = sn_body(1), check_refused(s->set, bad, SN_ERR_ARGUMENT), bad = good;
    bad.b = sn_body(0), check_refused(s->set, bad, SN_ERR_ARGUMENT), bad = good;
    bad.a = sn_body_world(), check_refused(s->set, bad, SN_ERR_ARGUMENT), bad = good;
    bad.x.x = NAN, check_refused(s->set, bad, SN_ERR_NUMERIC), bad = good;
    bad.gap = INFINITY, check_refused(s->set, bad, SN_ERR_NUMERIC), bad = good;
    bad.n.z = NAN, check_refused(s->set, bad, SN_ERR_ARGUMENT), bad = good;
    bad.t1 = bad.t2, check_refused(s->set, bad, SN_ERR_ARGUMENT), bad = good;
    bad.material.mu = -1, check_refused(s->set, bad, SN_ERR_ARGUMENT), bad = good;
    bad.material.mu_kinetic = 0.1, check_refused(s->set, bad, SN_ERR_ARGUMENT), bad = good;
    bad.material.restitution = 1.5, check_refused(s->set, bad, SN_ERR_ARGUMENT), bad = good;
    bad.material.stiffness = 0, check_refused(s->set, bad, SN_ERR_ARGUMENT), bad = good;
    bad.material.stiffness = 1, bad.material.damping = NAN;
    check_refused(s->set, bad, SN_ERR_ARGUMENT), bad = good;
    bad.material.spin = bad.material.viscous = 1;
    check_refused(s->set, bad, SN_ERR_ARGUMENT);
    for (int i = 0; i < 3; i++) scene_add(s, &good);
    check_refused(s->set, good, SN_ERR_CAPACITY);

    sn_error error = {0};
    sn_constraint c = sn_constraint_default(), wrong;
    c.a = sn_body(0), c.id = 5;
    wrong = c, wrong.a = sn_body_world();
    CHECK_STATUS(sn_contact_set_add_constraint(s->set, &wrong, &error), SN_ERR_ARGUMENT);
    wrong = c, wrong.type = SN_CONSTRAINT_DISTANCE;
    CHECK_STATUS(sn_contact_set_add_constraint(s->set, &wrong, &error), SN_ERR_ARGUMENT);
    wrong = c, wrong.X_ac.R.m[0][0] = NAN;
    CHECK_STATUS(sn_contact_set_add_constraint(s->set, &wrong, &error), SN_ERR_ARGUMENT);
    wrong = c, wrong.turn_stiffness = -1;
    CHECK_STATUS(sn_contact_set_add_constraint(s->set, &wrong, &error), SN_ERR_ARGUMENT);
    scene_add_constraint(s, &c);
    CHECK_STATUS(sn_contact_set_add_constraint(s->set, &c, &error), SN_ERR_CAPACITY);
    CHECK_STATUS(sn_contact_set_remove_constraint(s->set, 4), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_contact_set_remove_constraint(s->set, 5), SN_OK);
    CHECK(sn_contact_set_constraint_count(s->set) == 0, 0);

    // not after a forward; a step of no length; NaN
    CHECK_STATUS(sn_dynamics_kinematics(s->d, s->q, s->v), SN_OK);
    CHECK_STATUS(sn_contact_set_build(s->set, s->d, s->v_free, s->h, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_dynamics_forward(s->d, s->q, s->v, NULL, s->qdd), SN_OK);
    CHECK_STATUS(sn_contact_set_build(s->set, s->d, s->v_free, 0, &error), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_contact_set_build(s->set, s->d, s->v_free, NAN, &error), SN_ERR_ARGUMENT);
    s->v_free[2] = NAN;
    CHECK_STATUS(sn_contact_set_build(s->set, s->d, s->v_free, s->h, &error), SN_ERR_NUMERIC);
    s->v_free[2] = 0;
    CHECK_STATUS(sn_contact_set_build(s->set, s->d, s->v_free, s->h, &error), SN_OK);
    CHECK_STATUS(sn_contact_set_make_matrix(s->set, &error), SN_ERR_CAPACITY);
    sn_contact_options options = sn_contact_options_default();
    options.penetration_factor = 2;
    CHECK_STATUS(sn_contact_set_set_options(s->set, &options, &error), SN_ERR_ARGUMENT);
    sn_contact_set* none = NULL;
    def.contacts = -1;
    CHECK_STATUS(sn_contact_set_create(s->model, &def, &none, &error), SN_ERR_ARGUMENT);
    CHECK(!none, 0);
    scene_free(s);
}

/// More bodies than there is room for: refused, and the problem is still the last one.
static void too_many_bodies_change_nothing(void** state) {
    (void)state;
    sn_model_builder* builder = sn_model_builder_create("three");
    for (int i = 0; i < 3; i++) {
        const char* const name[] = {"a", "b", "c"};
        sn_body_def def = scene_free_body(name[i], sn_inertia_sphere(1, 0.1));
        CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    }
    sn_contact_set_def def = sn_contact_set_def_default();
    def.bodies = 2;
    scene* s = scene_create(test_compile(builder), &def, 0.01);
    CHECK_STATUS(sn_dynamics_forward(s->d, s->q, s->v, NULL, s->qdd), SN_OK);
    sn_error error = {0};
    for (int i = 0; i < 3; i++) {
        sn_contact c = sn_contact_make(0, sn_body(i), sn_body_world(), sn_vec3_zero(),
                                       sn_vec3_make(0, 0, 1), 0, sn_material_default());
        scene_add(s, &c);
        sn_status expected = i < 2 ? SN_OK : SN_ERR_CAPACITY;
        CHECK_STATUS(sn_contact_set_build(s->set, s->d, s->v_free, s->h, &error), expected);
        CHECK(sn_contact_set_problem(s->set)->count == (i < 2 ? i + 1 : 2), 0);
    }
    sn_contact_set_clear(s->set);
    CHECK_STATUS(sn_contact_set_build(s->set, s->d, s->v_free, s->h, &error), SN_OK);
    CHECK(sn_contact_set_problem(s->set)->count == 0, 0);
    scene_free(s);
}

int main(void) {
    si = test_units_si();
    molecular = test_units_molecular();
    const struct CMUnitTest tests[] = {
        TEST_IN_BOTH_UNITS(the_problem_is_that_of_the_oracle),
        TEST_IN_BOTH_UNITS(impulses_move_the_bodies_and_the_energy_is_exact),
        cmocka_unit_test(trees_that_do_not_touch_are_separate_groups),
        cmocka_unit_test(a_collision_keeps_both_momenta),
        cmocka_unit_test(frames_are_orthonormal_and_right_handed),
        cmocka_unit_test(frames_along_the_axes_stay_as_they_are),
        cmocka_unit_test(materials_combine_alike_both_ways),
        cmocka_unit_test(a_patch_knows_its_area),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(too_many_bodies_change_nothing),
    };
    return cmocka_run_group_tests_name("contact_set", tests, NULL, NULL);
}
