// SPDX-License-Identifier: Apache-2.0
// Constraints, joint limits and joint friction of contact sets: against the dense solution with J from
// differences of what is off, and in time.
#include <math.h>
#include <string.h>

#include "oracle/vectors.h"
#include "support/contact_scene.h"
#include "support/fixture.h"

enum {
    MODELS = 80,
    // first argument of test_case_seed
    DENSE = 960,
    COMPLIANT,
    JOINT_ROWS,
    PENDULUM,
    CLOSING
};

static test_units si, molecular;
/// Constraints that hardly move anything are near a singular position: passed over. Relative eigenvalue.
static const real WEAKEST = 1e-5L;
/// Of the velocity after a solve to 1e-10, with the condition that WEAKEST leaves.
#define TOL_DENSE 1e-6

// ---- what is off, written for the oracle --------------------------------------------------------------------

typedef struct frame {
    real R[9], p[3];
} frame;

static frame frame_of(const oracle* o, int body, sn_pose X_bc) {
    real R[9], p[3] = {X_bc.p.x, X_bc.p.y, X_bc.p.z};
    for (int i = 0; i < 9; i++) R[i] = X_bc.R.m[i / 3][i % 3];
    frame f;
    memcpy(f.R, R, sizeof R);
    memcpy(f.p, p, sizeof p);
    if (body < 0) return f;
    r33_mul(f.R, o->body[body].R, R);
    r3_apply(f.p, o->body[body].R, p);
    r3_add(f.p, o->body[body].p);
    return f;
}

/// Rotation vector of R, angles below pi.
static void rotation_vector(const real R[9], real phi[3]) {
    real axis[3] = {(R[7] - R[5]) / 2, (R[2] - R[6]) / 2, (R[3] - R[1]) / 2};
    real sine = sqrtl(r3_dot(axis, axis)), cosine = (R[0] + R[4] + R[8] - 1) / 2;
    real scale = sine > 0 ? atan2l(sine, cosine) / sine : 1;
    for (int i = 0; i < 3; i++) phi[i] = scale * axis[i];
}

static int rows_of(sn_constraint_type type) {
    return type == SN_CONSTRAINT_WELD    ? 6
           : type == SN_CONSTRAINT_BALL  ? 3
           : type == SN_CONSTRAINT_HINGE ? 5
                                         : 1;
}

/// Place of a in the axes of b; turns times a length.
static void off_by(const oracle* o, const sn_constraint* c, real length, real* off) {
    frame a = frame_of(o, c->a.i, c->X_ac), b = frame_of(o, c->b.i, c->X_bc);
    real d[3], R_t[9], R[9];
    r3_sub(d, a.p, b.p);
    if (c->type == SN_CONSTRAINT_DISTANCE) {
        off[0] = sqrtl(r3_dot(d, d)) - c->length;
        return;
    }
    r3_apply_transposed(off, b.R, d);
    if (c->type == SN_CONSTRAINT_BALL) return;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) R_t[3 * i + j] = b.R[3 * j + i];
    r33_mul(R, R_t, a.R); // b to a
    if (c->type == SN_CONSTRAINT_WELD) {
        rotation_vector(R, off + 3);
        for (int i = 3; i < 6; i++) off[i] *= length;
        return;
    }
    off[3] = -length * R[5]; // z of a leans by this about x of b, and about y
    off[4] = length * R[2];
}

/// J of `off_by`, by central differences with one Richardson step.
static void constraint_rows(fixture* f, const sn_constraint* c, real length, int rows, real* J) {
    real *dv = calloc((size_t)f->nv, sizeof *dv), *q = calloc((size_t)f->nq, sizeof *q);
    for (int k = 0; k < f->nv; k++) {
        real step = 1e-4L * (real)(f->unit_qdd[k] * f->u.time * f->u.time), value[4][6];
        const real at[4] = {1, -1, 2, -2};
        for (int s = 0; s < 4; s++) {
            memset(dv, 0, (size_t)f->nv * sizeof *dv);
            dv[k] = at[s] * step;
            oracle_integrate(f->o, f->q_l, dv, q);
            oracle_move(f->o, q, f->v_l);
            off_by(f->o, c, length, value[s]);
        }
        for (int r = 0; r < rows; r++)
            J[r * f->nv + k] = (4 * (value[0][r] - value[1][r]) / (2 * step) -
                                (value[2][r] - value[3][r]) / (4 * step)) /
                               3;
    }
    oracle_move(f->o, f->q_l, f->v_l);
    free(dv), free(q);
}

/// v += M^-1 J' x with (J M^-1 J' + compliance) x = -(J v + target); false when nearly singular.
static bool solve_dense(fixture* f, int rows, const real* J, const real* target, real compliance,
                        real* v) {
    real W[36], eigen[36], values[6], x[6];
    real* B = calloc((size_t)(f->nv * rows), sizeof *B);
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < f->nv; j++) B[j * rows + r] = J[r * f->nv + j];
    CHECK(oracle_solve_mass(f->o, B, rows), f->seed);
    for (int r = 0; r < rows; r++)
        for (int s = 0; s < rows; s++) {
            W[r * rows + s] = r == s ? compliance : 0;
            for (int j = 0; j < f->nv; j++) W[r * rows + s] += J[r * f->nv + j] * B[j * rows + s];
        }
    memcpy(eigen, W, sizeof W);
    oracle_eigenvalues(rows, eigen, values);
    real least = values[0], most = values[0];
    for (int r = 1; r < rows; r++) {
        least = values[r] < least ? values[r] : least;
        most = values[r] > most ? values[r] : most;
    }
    bool good = least > WEAKEST * most;
    if (good) {
        for (int r = 0; r < rows; r++) {
            x[r] = -target[r];
            for (int j = 0; j < f->nv; j++) x[r] -= J[r * f->nv + j] * v[j];
        }
        CHECK(oracle_solve(rows, W, x), f->seed);
        for (int j = 0; j < f->nv; j++)
            for (int r = 0; r < rows; r++) v[j] += B[j * rows + r] * x[r];
    }
    free(B);
    return good;
}

// ---- against the dense solution --------------------------------------------------------------------------------

/// A constraint between two random bodies (or one and the world), off by about `opening` of the units.
static sn_constraint random_constraint(fixture* f, sn_dynamics* d, sn_constraint_type type,
                                       double opening) {
    sn_constraint c = sn_constraint_default();
    int a = test_index(&f->rng, f->n), b = test_index(&f->rng, f->n + 1) - 1;
    if (b == a) b = -1;
    c.id = 1, c.type = type;
    c.a = sn_body(a), c.b = sn_body(b);
    if (test_chance(&f->rng, 0.3)) c.a = sn_body(b), c.b = sn_body(a);
    c.X_ac = test_pose(&f->rng, 0.5 * f->u.length);
    sn_vec3 turn = test_vec3(&f->rng, opening);
    sn_pose leap =
        sn_pose_make(sn_quat_matrix(sn_quat_exp(turn)), test_vec3(&f->rng, opening * f->u.length));
    sn_pose X_wc = sn_pose_mul(sn_dynamics_pose(d, c.a), c.X_ac);
    c.X_bc = sn_pose_mul(sn_pose_inverse(sn_dynamics_pose(d, c.b)), sn_pose_mul(X_wc, leap));
    if (type == SN_CONSTRAINT_DISTANCE) {
        c.X_bc.p = test_vec3(&f->rng, f->u.length);
        sn_vec3 p = sn_pose_mul(sn_dynamics_pose(d, c.b), c.X_bc).p;
        c.length = sn_vec3_norm(sn_vec3_sub(p, X_wc.p)) * (1 + opening);
    }
    return c;
}

typedef struct rig {
    fixture* f;
    sn_dynamics* d;
    sn_contact_set* set;
    sn_contact_solver* solver;
    sn_solve_options options;
    double* v_free;
    double h;
} rig;

static rig rig_begin(fixture* f, const char* algorithm, sn_contact_options options) {
    rig r = {.f = f, .h = 0.01 * f->u.time};
    sn_contact_set_def def = sn_contact_set_def_default();
    def.options = options;
    CHECK_STATUS(sn_contact_set_create(f->model, &def, &r.set, NULL), SN_OK);
    sn_contact_capacity capacity = sn_contact_set_capacity(r.set);
    CHECK_STATUS(sn_contact_solver_create(NULL, &capacity, 0, &r.solver, NULL), SN_OK);
    r.options = sn_solve_options_default();
    r.options.tolerance = 1e-10;
    r.d = test_dynamics(f->model, algorithm);
    sn_dynamics_set_gravity(r.d, f->gravity);
    CHECK_STATUS(sn_dynamics_forward(r.d, f->q, f->v, f->tau, f->x), SN_OK);
    r.v_free = calloc((size_t)f->nv, sizeof *r.v_free);
    for (int k = 0; k < f->nv; k++) r.v_free[k] = f->v[k] + r.h * f->x[k];
    return r;
}

static void rig_end(rig r) {
    free(r.v_free);
    sn_contact_solver_free(r.solver);
    sn_contact_set_free(r.set);
    sn_dynamics_free(r.d);
    fixture_free(r.f);
}

static void rig_solve(rig* r, sn_contact_report* report) {
    sn_error error = {0};
    sn_status status = sn_contact_set_solve(r->set, r->d, r->v_free, r->h, r->solver, &r->options,
                                            r->f->y, report, &error);
    if (status) print_error("%s\n", error.text);
    CHECK_STATUS(status, SN_OK);
}

static sn_contact_options no_joints(double factor) {
    sn_contact_options options = sn_contact_options_default();
    options.limits = options.dry_friction = false;
    options.constraint_factor = factor;
    return options;
}

/// f->y against v, relative to velocities before and after.
static void check_velocity(const rig* r, const real* v) {
    fixture* f = r->f;
    size_t n = (size_t)f->nv;
    double *got = calloc(2 * n, sizeof *got), *unit = calloc(2 * n, sizeof *unit);
    real* all = calloc(2 * n, sizeof *all);
    test_unit_velocity(f->model, f->u, unit);
    for (size_t k = 0; k < n; k++) {
        got[k] = f->y[k], got[n + k] = r->v_free[k];
        all[k] = v[k], all[n + k] = r->v_free[k];
        unit[n + k] = unit[k];
    }
    CHECK_SCALED(got, all, unit, 2 * f->nv, TOL_DENSE, f->seed);
    free(got), free(unit), free(all);
}

/// Weld, ball, distance (also far off) and hinge (closed): v+ is that of the KKT system with the derivative
/// of what is off, so that the part `constraint_factor` of it is gone at the end of the step.
static void constraints_agree_with_the_dense_solution(void** state) {
    test_units u = *(test_units*)*state;
    int done = 0;
    for (int index = 0; index < 4 * MODELS; index++) {
        uint64_t seed = test_case_seed(DENSE, (uint64_t)index);
        fixture* f = fixture_of_list(index / 4 + 3, u, seed);
        double factor = index % 8 < 4 ? 0.2 : 0;
        rig r = rig_begin(f, index % 5 ? "aba" : "dca", no_joints(factor));
        sn_constraint_type type = (sn_constraint_type)(index % 4);
        double opening = type == SN_CONSTRAINT_HINGE ? 0 : 0.3;
        sn_constraint c = random_constraint(f, r.d, type, opening);
        CHECK_STATUS(sn_contact_set_add_constraint(r.set, &c, NULL), SN_OK);
        int rows = rows_of(type);
        real J[6 * 80], target[6], v[80], length = sn_contact_set_length(r.set);
        CHECK(f->nv <= 80, seed);
        constraint_rows(f, &c, length, rows, J);
        off_by(f->o, &c, length, target);
        for (int k = 0; k < rows; k++) target[k] *= factor / r.h;
        for (int k = 0; k < f->nv; k++) v[k] = r.v_free[k];
        if (solve_dense(f, rows, J, target, 0, v)) {
            sn_contact_report report;
            rig_solve(&r, &report);
            CHECK(report.solve.converged, seed);
            CHECK(sn_contact_rows(sn_contact_set_problem(r.set)) == rows, seed);
            check_velocity(&r, v);
            done++;
        }
        rig_end(r);
    }
    print_message("%d of %d constraints were not near a singular position\n", done, 4 * MODELS);
    CHECK(done > MODELS, 0);
}

/// A compliant ball is an implicit spring and damper: 1/(h^2 k + h d) on the diagonal.
static void a_compliant_ball_is_an_implicit_spring(void** state) {
    test_units u = *(test_units*)*state;
    for (int index = 0; index < MODELS; index++) {
        uint64_t seed = test_case_seed(COMPLIANT, (uint64_t)index);
        fixture* f = fixture_of_list(index + 3, u, seed);
        rig r = rig_begin(f, "aba", no_joints(0.2));
        sn_constraint c = random_constraint(f, r.d, SN_CONSTRAINT_BALL, 0.2);
        c.stiffness = 50 * u.mass / (u.time * u.time);
        c.damping = test_uniform(&f->rng, 0, 2) * u.mass / u.time;
        CHECK_STATUS(sn_contact_set_add_constraint(r.set, &c, NULL), SN_OK);
        real J[3 * 80], target[3], v[80], h = r.h;
        real yield = h * h * (real)c.stiffness + h * (real)c.damping;
        constraint_rows(f, &c, 1, 3, J);
        off_by(f->o, &c, 1, target);
        for (int i = 0; i < 3; i++) target[i] *= h * (real)c.stiffness / yield;
        for (int i = 0; i < f->nv; i++) v[i] = r.v_free[i];
        sn_contact_report report;
        rig_solve(&r, &report);
        CHECK(report.solve.converged, seed);
        CHECK(solve_dense(f, 3, J, target, 1 / yield, v), seed);
        check_velocity(&r, v);
        rig_end(r);
    }
}

/// A compliant weld between a free body and the world: moment -k phi - d w and force -k x - d v at the end of
/// the step, each with its own numbers.
static void a_compliant_weld_is_two_implicit_springs(void** state) {
    (void)state;
    for (int index = 0; index < 20; index++) {
        uint64_t seed = test_case_seed(COMPLIANT, 500 + (uint64_t)index);
        test_rng rng = test_rng_make(seed);
        sn_contact_set_def def = sn_contact_set_def_default();
        double m = 2, I = m * 0.2 * 0.2 / 6, h = 1e-2; // a cube: its inertia knows no axes
        scene* s = scene_create(scene_box(m, sn_vec3_make(0.2, 0.2, 0.2)), &def, h);
        sn_dynamics_set_gravity(s->d, sn_vec3_zero());
        sn_constraint c = sn_constraint_default();
        c.a = sn_body(0), c.id = 9;
        c.stiffness = test_uniform(&rng, 1, 100), c.damping = test_uniform(&rng, 0, 10);
        c.turn_stiffness = test_uniform(&rng, 0.01, 1), c.turn_damping = test_uniform(&rng, 0, 0.1);
        scene_add_constraint(s, &c);
        sn_vec3 phi = test_vec3(&rng, 0.3), x = test_vec3(&rng, 0.1);
        sn_quat turn = sn_quat_exp(phi);
        s->q[0] = x.x, s->q[1] = x.y, s->q[2] = x.z;
        s->q[3] = turn.w, s->q[4] = turn.x, s->q[5] = turn.y, s->q[6] = turn.z;
        scene_impulses(s, NULL, NULL);
        CHECK(sn_contact_set_problem(s->set)->count == 2, seed);
        // m v = -h k (x + h v) - h d v, both along x; the frame on a is the body's, so no lever
        sn_vec3 v = sn_vec3_scale(-h * c.stiffness / (m + h * (h * c.stiffness + c.damping)), x);
        double slow = I + h * (h * c.turn_stiffness + c.turn_damping);
        sn_vec3 w = sn_vec3_scale(-h * c.turn_stiffness / slow, phi); // along its own axis
        v = sn_mat3_apply_transposed(sn_quat_matrix(turn), v);        // body axes
        const double expected[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
        CHECK_VECTOR(s->v, expected, 6, TOL_DENSE, seed);
        scene_free(s);
    }
}

/// Open constraints close by their factor each step, a hinge with a tilt, too; slow motions.
static void open_constraints_close(void** state) {
    (void)state;
    for (int index = 0; index < 12; index++) {
        uint64_t seed = test_case_seed(CLOSING, (uint64_t)index);
        test_rng rng = test_rng_make(seed);
        sn_model_builder* builder = sn_model_builder_create("two");
        for (int i = 0; i < 2; i++) {
            sn_body_def body = test_random_body(&rng, i ? "b" : "a", NULL, SN_JOINT_FREE);
            body.joint.placement = sn_pose_identity();
            CHECK_STATUS(sn_model_builder_add_body(builder, &body), SN_OK);
        }
        sn_contact_set_def def = sn_contact_set_def_default();
        scene* s = scene_create(test_compile(builder), &def, 1e-3);
        sn_dynamics_set_gravity(s->d, sn_vec3_zero());
        sn_constraint c = sn_constraint_default();
        c.type = (sn_constraint_type)(index % 4);
        c.a = sn_body(0), c.b = sn_body(1), c.length = 0.5, c.id = 3;
        c.X_ac.p = test_vec3(&rng, 0.3);
        c.X_bc = test_pose(&rng, 0.2);
        scene_add_constraint(s, &c);
        oracle* o = oracle_create(s->model);
        real off[6], first = 0, last = 0;
        for (int step = 0; step <= 60; step++) {
            real q[14], v[12];
            for (int k = 0; k < 14; k++) q[k] = s->q[k];
            for (int k = 0; k < 12; k++) v[k] = 0;
            oracle_move(o, q, v);
            off_by(o, &c, 1, off);
            last = 0;
            for (int k = 0; k < rows_of(c.type); k++) last += off[k] * off[k];
            if (step == 0) first = last;
            if (step > 0) memset(s->v, 0, 12 * sizeof(double)); // only the bias moves it
            scene_step(s, NULL, NULL);
            CHECK(s->report.solve.converged, seed);
        }
        // 0.8^60 = 1.5e-6; large turns bend the way a little
        CHECK(sqrtl(last) < 1e-4L * (1 + sqrtl(first)), seed);
        oracle_free(o);
        scene_free(s);
    }
}

/// A weight hangs from a distance constraint: the force is its weight, along the rope.
static void a_constraint_shows_its_force(void** state) {
    (void)state;
    sn_contact_set_def def = sn_contact_set_def_default();
    scene* s = scene_create(scene_box(2, sn_vec3_make(0.1, 0.1, 0.1)), &def, 1e-3);
    sn_constraint c = sn_constraint_default();
    c.type = SN_CONSTRAINT_DISTANCE, c.length = 1, c.id = 1;
    c.a = sn_body(0);
    c.X_bc.p = sn_vec3_make(0, 0, 1);
    scene_add_constraint(s, &c);
    for (int step = 0; step < 10; step++) scene_step(s, NULL, NULL);
    sn_wrench w = sn_contact_set_constraint_force(s->set, 0);
    CHECK_NEAR(w.f.z, 2 * 9.81, 1e-6, 0);
    CHECK_NEAR(sn_vec3_norm(w.n), 0, 1e-9, 0);
    CHECK_NEAR(s->q[2], 0, 1e-9, 0);
    c.type = SN_CONSTRAINT_WELD, c.X_bc.p = sn_vec3_zero(), c.a = sn_body_world(), c.b = sn_body(0);
    sn_contact_set_clear_constraints(s->set);
    scene_add_constraint(s, &c);
    for (int step = 0; step < 10; step++) scene_step(s, NULL, NULL);
    w = sn_contact_set_constraint_force(s->set, 0); // on the world
    CHECK_NEAR(w.f.z, -2 * 9.81, 1e-6, 0);
    scene_free(s);
}

// ---- joints ------------------------------------------------------------------------------------------------------

/// What a limit is about: coordinate k of a joint at q, by its own formulas.
static real limited(sn_joint_type type, const real* q, int k) {
    real R[9], phi[3];
    if (type == SN_JOINT_SPHERICAL || (type == SN_JOINT_FREE && k < 3)) {
        r33_quaternion(R, type == SN_JOINT_FREE ? q + 3 : q);
        rotation_vector(R, phi);
        return phi[k];
    }
    return type == SN_JOINT_FREE ? q[k - 3] : q[k];
}

/// Rows of limits and dry friction of every type of joint, armature included: W = J M^-1 J', u = J v with J
/// from differences of the limited coordinates; friction is on v itself.
static void joint_rows_are_those_of_the_coordinates(void** state) {
    (void)state;
    for (int index = 0; index < 64; index++) {
        uint64_t seed = test_case_seed(JOINT_ROWS, (uint64_t)index);
        test_rng rng = test_rng_make(seed);
        sn_joint_type type = (sn_joint_type)(1 + index % (SN_JOINT_TYPE_COUNT - 1));
        sn_model_builder* builder = sn_model_builder_create("limited");
        sn_body_def base = test_random_body(&rng, "base", NULL, SN_JOINT_FREE);
        CHECK_STATUS(sn_model_builder_add_body(builder, &base), SN_OK);
        bool rooted = index % 3 == 0;
        sn_body_def body = test_random_body(&rng, "body", rooted ? NULL : "base", type);
        for (int k = 0; k < sn_joint_type_nv(type); k++) {
            body.joint.lower[k] = -10 - k, body.joint.upper[k] = 20 + k;
            body.joint.friction[k] = 3 + k;
            body.joint.armature[k] = test_uniform(&rng, 0, 0.5);
        }
        CHECK_STATUS(sn_model_builder_add_body(builder, &body), SN_OK);
        fixture* f = fixture_create(test_compile(builder), test_units_si(), seed);
        sn_contact_options options = sn_contact_options_default();
        options.limit_margin = INFINITY;
        rig r = rig_begin(f, index % 2 ? "aba" : "crba", options);
        CHECK_STATUS(sn_contact_set_build(r.set, r.d, r.v_free, r.h, NULL), SN_OK);
        const sn_contact_problem* p = sn_contact_set_problem(r.set);
        sn_body_info info = sn_model_body(f->model, sn_model_find_body(f->model, "body"));
        int rows = 3 * info.nv;
        CHECK(p->count == rows && sn_contact_rows(p) == rows, seed);
        real J[18 * 12] = {0}, expected[18 * 18], q[18], B[12 * 18], dv[12], moved[14];
        double W[18 * 18], got[18];
        for (int i = 0; i < rows; i++) {
            int k = i / 3, kind = i % 3; // lower, upper, friction
            real scale = test_is_translation(type, k) ? 1 : (real)sn_contact_set_length(r.set);
            real sign = kind == 1 ? -1 : 1, y = limited(type, f->q_l + info.iq, k), gap;
            for (int j = 0; j < info.nv && kind == 2; j++) J[i * f->nv + info.iv + j] = j == k;
            for (int j = 0; j < info.nv && kind < 2; j++) {
                const real step = 1e-4L, at[4] = {1, -1, 2, -2};
                real value[4];
                for (int s = 0; s < 4; s++) {
                    memset(dv, 0, sizeof dv);
                    dv[info.iv + j] = at[s] * step;
                    oracle_integrate(f->o, f->q_l, dv, moved);
                    value[s] = limited(type, moved + info.iq, k);
                }
                J[i * f->nv + info.iv + j] =
                    sign * (8 * (value[0] - value[1]) - (value[2] - value[3])) / (12 * step);
            }
            gap = kind == 0 ? y - info.lower[k] : kind == 1 ? info.upper[k] - y : 0;
            q[i] = scale * gap / r.h;
            for (int j = 0; j < f->nv; j++) {
                J[i * f->nv + j] *= scale;
                q[i] += J[i * f->nv + j] * (real)r.v_free[j];
            }
            got[i] = p->q[i];
            CHECK(p->law[i].kind == (kind == 2 ? SN_CONTACT_DRY : SN_CONTACT_LIMIT), seed);
            if (kind == 2)
                CHECK_RELATIVE(p->law[i].bound, r.h * (3 + k) / (double)scale, TOL_ROUNDOFF, seed);
        }
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < f->nv; j++) B[j * rows + i] = J[i * f->nv + j];
        CHECK(oracle_solve_mass(f->o, B, rows), seed);
        for (int i = 0; i < rows; i++)
            for (int s = 0; s < rows; s++) {
                expected[i * rows + s] = 0;
                for (int j = 0; j < f->nv; j++)
                    expected[i * rows + s] += J[i * f->nv + j] * B[j * rows + s];
            }
        sn_contact_dense(p, W);
        CHECK_VECTOR(W, expected, rows * rows, TOL_SOLVE, seed);
        CHECK_VECTOR(got, q, rows, TOL_SOLVE, seed);
        rig_end(r);
    }
}

/// A pendulum of a point mass on a revolute joint about y.
static sn_model* pendulum(double friction, double lower, double upper, double armature) {
    sn_model_builder* builder = sn_model_builder_create("pendulum");
    sn_body_def def = sn_body_def_default();
    def.name = "rod";
    def.joint.type = SN_JOINT_REVOLUTE;
    def.joint.axis = sn_vec3_make(0, 1, 0);
    def.joint.friction[0] = friction;
    def.joint.lower[0] = lower, def.joint.upper[0] = upper;
    def.joint.armature[0] = armature;
    def.inertia = sn_inertia_box(1, sn_vec3_make(0.01, 0.01, 1));
    def.inertia.com = sn_vec3_make(0, 0, -0.5);
    CHECK_STATUS(sn_model_builder_add_body(builder, &def), SN_OK);
    return test_compile(builder);
}

/// A pendulum falls on its limit, lands there exactly and stays.
static void a_joint_stops_at_its_limit(void** state) {
    (void)state;
    for (int side = 0; side < 2; side++) {
        sn_contact_set_def def = sn_contact_set_def_default();
        scene* s = scene_create(pendulum(0, -0.3, 0.2, 0.05), &def, 1e-3);
        double sign = side ? 1 : -1, limit = side ? 0.2 : -0.3;
        s->q[0] = -sign * 0.15;
        s->v[0] = sign * 4;
        s->tau[0] = sign * 3; // and is kept there
        for (int step = 0; step < 1000; step++) {
            scene_step(s, NULL, NULL);
            CHECK(s->q[0] >= -0.3 - 1e-9 && s->q[0] <= 0.2 + 1e-9, (uint64_t)side);
        }
        CHECK_NEAR(s->q[0], limit, 1e-9, (uint64_t)side);
        CHECK_NEAR(s->v[0], 0, 1e-9, (uint64_t)side);
        scene_free(s);
    }
}

/// Below mu_d a joint does not move at all; above, the rest of the torque moves it.
static void dry_friction_holds_below_and_slides_above(void** state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        double armature = k < 2 ? 0 : 0.3, torque = k % 2 ? 2.5 : 1.99;
        sn_contact_set_def def = sn_contact_set_def_default();
        scene* s = scene_create(pendulum(2, -INFINITY, INFINITY, armature), &def, 1e-3);
        sn_dynamics_set_gravity(s->d, sn_vec3_zero());
        s->tau[0] = torque;
        double inertia = 1.0 / 12 * (1 + 1e-4) + 0.25 + armature;
        for (int step = 1; step <= 200; step++) {
            scene_step(s, NULL, NULL);
            double expected = fmax(0, torque - 2) / inertia * step * s->h;
            CHECK_NEAR(s->v[0], expected, 1e-9 * (1 + expected), (uint64_t)k);
        }
        scene_free(s);
    }
}

/// A coasting joint stops in a finite time and stays; one that never slides, at once.
static void a_coasting_joint_stops(void** state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        sn_contact_set_def def = sn_contact_set_def_default();
        scene* s = scene_create(pendulum(k ? INFINITY : 2, -INFINITY, INFINITY, 0), &def, 1e-3);
        sn_dynamics_set_gravity(s->d, sn_vec3_zero());
        s->v[0] = 1;
        double inertia = 1.0 / 12 * (1 + 1e-4) + 0.25, q = 0;
        for (int step = 1; step <= 400; step++) {
            scene_step(s, NULL, NULL);
            double expected = k ? 0 : fmax(0, 1 - 2 / inertia * step * s->h);
            q += s->h * expected;
            CHECK_NEAR(s->v[0], expected, 1e-9, (uint64_t)k);
        }
        CHECK_NEAR(s->q[0], q, 1e-9, (uint64_t)k);
        scene_free(s);
    }
}

/// Limits that are far away cost nothing: no rows, no bodies.
static void only_limits_that_are_near_have_rows(void** state) {
    (void)state;
    sn_contact_set_def def = sn_contact_set_def_default();
    scene* s = scene_create(pendulum(0, -0.3, 2, 0), &def, 1e-3);
    const double at[] = {0, -0.25, 1.95, 1}, speed[] = {0, 0, 0, 2000};
    const int rows[] = {0, 1, 1, 2};
    for (int k = 0; k < 4; k++) {
        s->q[0] = at[k], s->v[0] = speed[k];
        scene_impulses(s, NULL, NULL);
        CHECK(sn_contact_set_problem(s->set)->count == rows[k], (uint64_t)k);
    }
    // a locked joint has none
    s->q[0] = -0.25, s->v[0] = 0;
    CHECK_STATUS(sn_dynamics_lock(s->d, sn_body(0), true), SN_OK);
    scene_impulses(s, NULL, NULL);
    CHECK(sn_contact_set_problem(s->set)->count == 0, 0);
    scene_free(s);
}

/// Limits and rigid constraints are in the position problem with what velocities leave of them; friction is
/// not, nor what is compliant.
static void the_position_problem_has_limits_and_constraints(void** state) {
    (void)state;
    sn_contact_set_def def = sn_contact_set_def_default();
    def.options.penetration_factor = 0.25, def.options.constraint_factor = 0.5;
    def.options.position_factor = 0.4, def.options.slop = 1e-3, def.length = 2;
    def.options.push_speed = INFINITY;
    scene* s = scene_create(pendulum(1, -0.3, 2, 0), &def, 1e-2);
    s->q[0] = -0.35;
    sn_constraint c = sn_constraint_default();
    c.type = SN_CONSTRAINT_BALL, c.a = sn_body(0);
    c.X_bc.p = sn_vec3_make(0.1, 0, 0);
    scene_add_constraint(s, &c);
    c.stiffness = 100;
    scene_add_constraint(s, &c);
    scene_impulses(s, NULL, NULL);
    const sn_contact_problem* p = sn_contact_set_position_problem(s->set);
    CHECK(p->count == 2 && sn_contact_rows(p) == 4, 0);
    CHECK(p->law[0].kind == SN_CONTACT_EQUAL && p->law[1].kind == SN_CONTACT_LIMIT, 0);
    CHECK_NEAR(p->q[0], 0.4 * 0.5 * -0.1 / s->h, TOL_CHAIN, 0);
    CHECK_NEAR(p->q[3], 0.4 * (2 * 0.75 * -0.05 + 1e-3) / s->h, TOL_CHAIN, 0);
    CHECK(sn_contact_set_problem(s->set)->count == 4, 0);
    // no faster than that
    def.options.push_speed = 0.7;
    CHECK_STATUS(sn_contact_set_set_options(s->set, &def.options, NULL), SN_OK);
    scene_impulses(s, NULL, NULL);
    CHECK_NEAR(sn_contact_set_position_problem(s->set)->q[3], -0.7, TOL_CHAIN, 0);
    scene_free(s);
}

int main(void) {
    si = test_units_si();
    molecular = test_units_molecular();
    const struct CMUnitTest tests[] = {
        TEST_IN_BOTH_UNITS(constraints_agree_with_the_dense_solution),
        TEST_IN_BOTH_UNITS(a_compliant_ball_is_an_implicit_spring),
        cmocka_unit_test(a_compliant_weld_is_two_implicit_springs),
        cmocka_unit_test(open_constraints_close),
        cmocka_unit_test(a_constraint_shows_its_force),
        cmocka_unit_test(joint_rows_are_those_of_the_coordinates),
        cmocka_unit_test(a_joint_stops_at_its_limit),
        cmocka_unit_test(dry_friction_holds_below_and_slides_above),
        cmocka_unit_test(a_coasting_joint_stops),
        cmocka_unit_test(only_limits_that_are_near_have_rows),
        cmocka_unit_test(the_position_problem_has_limits_and_constraints),
    };
    return cmocka_run_group_tests_name("contact_set_constraints", tests, NULL, NULL);
}
