// SPDX-License-Identifier: Apache-2.0
// The motion of grabbed bodies between simulation steps: against a dense solve in long double, against
// the full simulation, and what happens at a new law and at bad numbers.
#include <math.h>
#include <string.h>

#include "sinew/coupling.h"
#include "support/fixture.h"

enum {
    MODELS = 120,
    TEST_TICK = 800,
    TEST_RADIUS,
    TEST_STEP,
    TEST_AVERAGE,
    TEST_BLEND,
    TEST_NAN,
    TEST_BAD,
    TEST_TWICE
};

static test_units units_of(void** state) { return *(const test_units*)*state; }

/// Hands on a random model, and room for what they do.
typedef struct scene {
    fixture* f;
    sn_dynamics* dynamics;
    test_units u;
    sn_coupling_law law;
    sn_local_model model;
    sn_grip grip[SN_GRAB_MAX];
    sn_hand hand[SN_GRAB_MAX];
    sn_wrench f_u[SN_GRAB_MAX];
    double twist_unit[6], wrench_unit[6]; ///< of a velocity, of a wrench
    double period;
    int n;
} scene;

static sn_twist random_twist(test_rng* rng, test_units u) {
    sn_vec3 w = test_vec3(rng, 1 / u.time);
    return sn_twist_make(w, test_vec3(rng, u.length / u.time));
}

/// A grip at a random point, stiffness and damping around the given sizes in natural units; some springs
/// or dampers are missing.
static sn_grip random_grip(test_rng* rng, test_units u, double stiffness, double damping) {
    double force = u.mass * u.length / (u.time * u.time), k[4];
    for (int i = 0; i < 4; i++)
        k[i] =
            test_chance(rng, 0.2) ? 0 : (i < 2 ? stiffness : damping) * test_uniform(rng, 0.2, 5);
    return sn_grip_at(test_vec3(rng, 0.3 * u.length), k[0] * force * u.length,
                      k[1] * force / u.length, k[2] * force * u.length * u.time,
                      k[3] * force / u.length * u.time);
}

/// The hand at displacement e from the pose of body i in the local model.
static sn_hand hand_at(const scene* c, int i, sn_twist e, sn_twist v_b) {
    sn_pose X = sn_local_model_pose(&c->model, i);
    sn_hand hand;
    hand.pose = sn_pose_mul(X, sn_pose_make(sn_quat_matrix(sn_quat_exp(e.w)), e.v));
    hand.velocity = sn_twist_make(sn_mat3_apply(X.R, v_b.w), sn_mat3_apply(X.R, v_b.v));
    return hand;
}

static void make_law(scene* c, int count) {
    sn_body_wrench none[SN_GRAB_MAX];
    for (int i = 0; i < count; i++)
        none[i] = (sn_body_wrench){sn_body(test_index(&c->f->rng, c->f->n)), sn_wrench_zero()};
    CHECK_STATUS(sn_dynamics_forward(c->dynamics, c->f->q, c->f->v, c->f->tau, c->f->x), SN_OK);
    CHECK_STATUS(sn_dynamics_coupling(c->dynamics, none, count, &c->law), SN_OK);
    c->n = 6 * count;
}

static scene* begin(test_units u, int test, int index, int most) {
    scene* c = calloc(1, sizeof *c);
    c->u = u;
    c->f = fixture_of_list(index, u, test_case_seed((uint64_t)test, (uint64_t)index));
    c->dynamics = test_dynamics(c->f->model, NULL);
    sn_dynamics_set_gravity(c->dynamics, c->f->gravity);
    if (index % 4 == 1) fixture_random_locks(c->f, c->dynamics, 0.4); // Lambda is singular
    make_law(c, 1 + test_index(&c->f->rng, most));
    test_unit_twist(u, 1, c->twist_unit);
    test_unit_wrench(u, c->wrench_unit);
    c->period = u.time * pow(10, test_uniform(&c->f->rng, -3, 0));
    double stiffness = pow(10, test_uniform(&c->f->rng, -1, 4));
    double damping = pow(10, test_uniform(&c->f->rng, -1, 2));
    for (int i = 0; i < c->law.count; i++)
        c->grip[i] = random_grip(&c->f->rng, u, stiffness, damping);
    return c;
}

static void end(scene* c) {
    sn_dynamics_free(c->dynamics);
    fixture_free(c->f);
    free(c);
}

static void prepare(scene* c, double blend_time) {
    CHECK_STATUS(sn_local_model_prepare(&c->model, &c->law, c->grip, c->period, blend_time), SN_OK);
}

// ---- one tick ------------------------------------------------------------------------------------

/// (6.5) of the design, all hands at once, natural units:
///   (1 + Lam (h Dc + h^2 Kc)) v+ = v + h a + h Lam (Kc e + Dc v_h)   f_u = Kc (e - h v+) + Dc (v_h - v+)
typedef struct dense {
    real v[SN_GRAB_ROWS], a[SN_GRAB_ROWS], e[SN_GRAB_ROWS], v_h[SN_GRAB_ROWS];
    real Lam[SN_GRAB_ROWS][SN_GRAB_ROWS], Kc[SN_GRAB_ROWS][SN_GRAB_ROWS],
        Dc[SN_GRAB_ROWS][SN_GRAB_ROWS];
    real v_next[SN_GRAB_ROWS], f_u[SN_GRAB_ROWS];
    double v_size, f_size; ///< of what is summed
} dense;

static void dense_fill(const scene* c, dense* d) {
    int n = c->n;
    for (int r = 0; r < n; r++) {
        for (int k = 0; k < n; k++) {
            real twist = c->twist_unit[r % 6] / (real)c->u.time, wrench = c->wrench_unit[k % 6];
            d->Lam[r][k] = (real)c->law.Lambda[r * n + k] * wrench / twist;
            d->Kc[r][k] = d->Dc[r][k] = 0;
            if (r / 6 != k / 6) continue;
            real per = (real)c->twist_unit[k % 6] / (real)c->wrench_unit[r % 6];
            d->Kc[r][k] = c->grip[r / 6].stiffness[r % 6][k % 6] * per * (real)c->u.time;
            d->Dc[r][k] = c->grip[r / 6].damping[r % 6][k % 6] * per;
        }
        const sn_grabbed* g = &c->law.hand[r / 6];
        real gravity[6] = {0, 0, 0, g->gravity.x, g->gravity.y, g->gravity.z};
        d->a[r] =
            ((real)c->law.a0[r] + gravity[r % 6]) * (real)c->u.time / (real)c->twist_unit[r % 6];
    }
}

static void dense_tick(const scene* c, dense* d) {
    int n = c->n;
    real h = (real)c->period / (real)c->u.time;
    enum { ALL = SN_GRAB_ROWS * SN_GRAB_ROWS };
    real *A = calloc(ALL, sizeof *A), *Z = calloc(ALL, sizeof *Z);
    real* pull = calloc(SN_GRAB_ROWS, sizeof *pull);
    d->v_size = d->f_size = 0;
    for (int r = 0; r < n; r++) {
        for (int k = 0; k < n; k++) {
            Z[r * n + k] = h * d->Dc[r][k] + h * h * d->Kc[r][k];
            pull[r] += d->Kc[r][k] * d->e[k] + d->Dc[r][k] * d->v_h[k];
            d->f_size = fmax(d->f_size, fabs((double)(d->Kc[r][k] * d->e[k])));
            d->f_size = fmax(d->f_size, fabs((double)(d->Dc[r][k] * (d->v_h[k] - d->v[k]))));
            d->f_size = fmax(d->f_size, fabs((double)(Z[r * n + k] * (d->v[k] / h + d->a[k]))));
        }
    }
    for (int r = 0; r < n; r++) {
        d->v_next[r] = d->v[r] + h * d->a[r];
        d->v_size = fmax(d->v_size, fabs((double)d->v[r]) + fabs((double)(h * d->a[r])));
        for (int k = 0; k < n; k++) {
            d->v_next[r] += h * d->Lam[r][k] * pull[k];
            d->v_size = fmax(d->v_size, fabs((double)(h * d->Lam[r][k])) * d->f_size);
            A[r * n + k] = r == k;
            for (int j = 0; j < n; j++) A[r * n + k] += d->Lam[r][j] * Z[j * n + k];
        }
    }
    CHECK(oracle_solve(n, A, d->v_next), c->f->seed);
    for (int r = 0; r < n; r++) {
        d->f_u[r] = 0;
        for (int k = 0; k < n; k++)
            d->f_u[r] += d->Kc[r][k] * (d->e[k] - h * d->v_next[k]) +
                         d->Dc[r][k] * (d->v_h[k] - d->v_next[k]);
    }
    free(A), free(pull), free(Z);
}

/// As contact that slides does: not symmetric any more.
static void skew(scene* c) {
    for (int r = 0; r < c->n; r++)
        for (int k = 0; k < c->n; k++)
            if (r != k) c->law.Lambda[r * c->n + k] *= r < k ? 1.05 : 0.95;
}

static void check_ticks(test_units u, bool slides) {
    for (int m = 0; m < MODELS; m++) {
        scene* c = begin(u, TEST_TICK, m, m % 5 == 0 ? SN_GRAB_MAX : 2);
        if (slides) skew(c);
        dense* d = calloc(1, sizeof *d);
        prepare(c, 0);
        dense_fill(c, d);
        double numbers[6];
        for (int i = 0; i < c->law.count; i++) {
            sn_vec3 turn =
                sn_vec3_scale(test_uniform(&c->f->rng, 0, 2), test_direction(&c->f->rng));
            sn_twist e = sn_twist_make(turn, test_vec3(&c->f->rng, 0.3 * u.length));
            sn_twist v_h = random_twist(&c->f->rng, u);
            c->hand[i] = hand_at(c, i, e, v_h);
            twist_numbers(e, numbers);
            for (int k = 0; k < 6; k++)
                d->e[6 * i + k] = (real)numbers[k] / (real)(k < 3 ? 1 : u.length);
            twist_numbers(v_h, numbers);
            for (int k = 0; k < 6; k++)
                d->v_h[6 * i + k] = (real)numbers[k] / (real)c->twist_unit[k];
            twist_numbers(c->law.hand[i].velocity, numbers);
            for (int k = 0; k < 6; k++) d->v[6 * i + k] = (real)numbers[k] / (real)c->twist_unit[k];
        }
        dense_tick(c, d);
        CHECK_STATUS(sn_local_model_tick(&c->model, c->hand, c->f_u), SN_OK);
        for (int i = 0; i < c->law.count; i++) {
            wrench_numbers(c->f_u[i], numbers);
            for (int k = 0; k < 6; k++)
                CHECK_NEAR(numbers[k] / c->wrench_unit[k], d->f_u[6 * i + k], TOL_SOLVE * d->f_size,
                           c->f->seed);
            twist_numbers(c->model.hand[i].velocity, numbers);
            for (int k = 0; k < 6; k++)
                CHECK_NEAR(numbers[k] / c->twist_unit[k], d->v_next[6 * i + k],
                           TOL_SOLVE * d->v_size, c->f->seed);
        }
        free(d);
        end(c);
    }
}

static void the_tick_is_the_dense_implicit_step(void** state) {
    check_ticks(units_of(state), false);
}

static void it_is_so_when_the_law_is_not_symmetric(void** state) {
    check_ticks(units_of(state), true);
}

// ---- stability -----------------------------------------------------------------------------------

/// Column of the frozen map (e, p) -> (e - h v+, p + h f_u), where v = Lambda p: all velocities that the
/// body can have. By a tick of the library, in natural units.
static void map_column(scene* c, int column, double* A) {
    int n = c->n, count = c->law.count, i = column % n / 6, k = column % 6;
    double h = c->period / c->u.time, numbers[6];
    bool moved = column < n; // else pushed
    memset(&c->model, 0, sizeof c->model);
    for (int b = 0; b < count; b++) {
        double v[6];
        for (int r = 0; r < 6; r++)
            v[r] = c->law.Lambda[(6 * b + r) * n + 6 * i + k] * c->wrench_unit[k] * c->u.time;
        if (!moved) memcpy(&c->law.hand[b].velocity, v, sizeof v);
    }
    prepare(c, 0);
    double e[6] = {0};
    e[k] = k < 3 ? 1 : c->u.length;
    sn_twist one = sn_twist_make(sn_vec3_make(e[0], e[1], e[2]), sn_vec3_make(e[3], e[4], e[5]));
    for (int b = 0; b < count; b++) {
        c->law.hand[b].velocity = sn_twist_zero();
        c->hand[b] = hand_at(c, b, moved && b == i ? one : sn_twist_zero(), sn_twist_zero());
    }
    CHECK_STATUS(sn_local_model_tick(&c->model, c->hand, c->f_u), SN_OK);
    for (int r = 0; r < n; r++) {
        twist_numbers(c->model.hand[r / 6].velocity, numbers);
        A[r * 2 * n + column] = (r == column) - h * numbers[r % 6] / c->twist_unit[r % 6];
        wrench_numbers(c->f_u[r / 6], numbers);
        A[(n + r) * 2 * n + column] =
            (n + r == column) + h * numbers[r % 6] / c->wrench_unit[r % 6];
    }
}

/// Q of the energy (e' Kc e + p' Lambda p)/2, natural units.
static void energy_matrix(const scene* c, double* Q) {
    int n = c->n;
    dense* d = calloc(1, sizeof *d);
    dense_fill(c, d);
    memset(Q, 0, (size_t)(4 * n * n) * sizeof *Q);
    for (int r = 0; r < n; r++) {
        for (int k = 0; k < n; k++) {
            Q[r * 2 * n + k] = (double)d->Kc[r][k];
            Q[(n + r) * 2 * n + n + k] = (double)d->Lam[r][k];
        }
    }
    free(d);
}

// No tick adds energy of motion and springs: Q - A' Q A is not negative. So no state grows but by drift of
// what is not held, and the spectral radius is at most one. (h^2 k / m goes up to a million here; what a hand
// can hold at 1 kHz is about one.)
static void no_stiffness_and_no_period_make_the_frozen_law_unstable(void** state) {
    enum { ALL = 24 * 24 };
    test_units u = units_of(state);
    static double A[ALL], Q[ALL], QA[ALL];
    static real loss[ALL], values[24];
    for (int m = 0; m < 2 * MODELS; m++) {
        scene* c = begin(u, TEST_RADIUS, m, 2);
        c->period = u.time * pow(10, test_uniform(&c->f->rng, -4, 0));
        memset(c->law.a0, 0, sizeof c->law.a0);
        for (int i = 0; i < c->law.count; i++) {
            c->law.hand[i].pose = sn_pose_identity();
            c->law.hand[i].velocity = sn_twist_zero();
            c->law.hand[i].gravity = sn_vec3_zero();
        }
        int rows = 2 * c->n;
        double size[24];
        for (int k = 0; k < rows; k++) map_column(c, k, A);
        energy_matrix(c, Q);
        for (int r = 0; r < rows; r++) size[r] = Q[r * rows + r] > 0 ? sqrt(Q[r * rows + r]) : 1;
        for (int r = 0; r < rows; r++) { // so that each number has about one unit of energy
            for (int k = 0; k < rows; k++) {
                A[r * rows + k] *= size[r] / size[k];
                Q[r * rows + k] /= size[r] * size[k];
            }
        }
        for (int r = 0; r < rows; r++) {
            for (int k = 0; k < rows; k++) {
                QA[r * rows + k] = 0;
                for (int j = 0; j < rows; j++)
                    QA[r * rows + k] += Q[r * rows + j] * A[j * rows + k];
            }
        }
        for (int r = 0; r < rows; r++) {
            for (int k = 0; k < rows; k++) {
                loss[r * rows + k] = Q[r * rows + k];
                for (int j = 0; j < rows; j++)
                    loss[r * rows + k] -= (real)A[j * rows + r] * (real)QA[j * rows + k];
            }
        }
        oracle_eigenvalues(rows, loss, values);
        for (int k = 0; k < rows; k++) CHECK(values[k] >= -TOL_SOLVE, c->f->seed);
        end(c);
    }
}

// ---- with the simulation ---------------------------------------------------------------------------

/// Pose and velocity of the grabbed body after dt: by ticks, and by the full simulation under the average
/// wrench of these ticks. Returns the largest difference in natural units.
static double difference_after(scene* c, sn_world* world, double dt) {
    enum { TICKS = 10, STEPS = 20 };
    sn_body_id body = c->law.hand[0].body;
    sn_wrench average;
    memset(&c->model, 0, sizeof c->model);
    c->period = dt / TICKS;
    prepare(c, dt);
    for (int k = 0; k < TICKS; k++)
        CHECK_STATUS(sn_local_model_tick(&c->model, c->hand, c->f_u), SN_OK);
    sn_local_model_average(&c->model, &average);
    CHECK_STATUS(sn_world_set_state(world, c->f->q, c->f->v), SN_OK);
    CHECK_STATUS(sn_world_set_wrench(world, body, SN_AXES_BODY, average), SN_OK);
    test_run(world, STEPS);
    CHECK_STATUS(sn_dynamics_kinematics(c->dynamics, sn_world_q(world), sn_world_v(world)), SN_OK);
    sn_pose X = sn_dynamics_pose(c->dynamics, body), Y = sn_local_model_pose(&c->model, 0);
    sn_twist v = sn_dynamics_velocity(c->dynamics, body);
    double a[18], b[18], most = 0;
    pose_numbers(X, a), pose_numbers(Y, b);
    twist_numbers(v, a + 12), twist_numbers(c->model.hand[0].velocity, b + 12);
    for (int k = 0; k < 18; k++) {
        double unit = k < 9 ? 1 : k < 12 ? c->u.length : c->twist_unit[k - 12];
        most = fmax(most, fabs(a[k] - b[k]) / unit);
    }
    return most;
}

static void over_one_step_the_ticks_stay_close_to_the_simulation(void** state) {
    test_units u = units_of(state);
    double log_ratio = 0;
    int counted = 0;
    for (int m = 0; m < 40; m++) {
        scene* c = begin(u, TEST_STEP, 4 * m, 1); // no locks; a world stops what it locks
        memset(c->f->tau, 0, (size_t)c->f->nv * sizeof(double));
        for (int i = 0; i < c->f->nv; i++) c->f->v[i] *= 0.3;
        // what the world adds by itself has to be in the law
        sn_dynamics_passive_force(c->dynamics, c->f->q, c->f->v, c->f->tau);
        make_law(c, 1);
        c->grip[0] = random_grip(&c->f->rng, u, 5, 0.5);
        prepare(c, 0);
        sn_twist e =
            sn_twist_make(test_vec3(&c->f->rng, 0.3), test_vec3(&c->f->rng, 0.3 * u.length));
        c->hand[0] = hand_at(c, 0, e, sn_twist_zero());
        double dt = 0.0005 * u.time, error[2];
        for (int half = 0; half < 2; half++, dt /= 2) {
            sn_world* world = test_world(c->f->model, dt / 20, SN_INTEGRATE_RK4, c->f->gravity);
            error[half] = difference_after(c, world, dt);
            sn_world_free(world);
        }
        // half the step, a quarter of the difference; where it is rounding there is nothing to see
        if (error[1] > 1e-9) {
            log_ratio += log2(error[0] / error[1]);
            counted += 1;
            CHECK(error[0] > 3 * error[1], c->f->seed);
        }
        end(c);
    }
    CHECK(counted > 20, test_seed());
    CHECK_NEAR(log_ratio / counted, 2, 0.1, test_seed());
}

static void the_average_wrench_gives_the_same_momentum(void** state) {
    test_units u = units_of(state);
    for (int m = 0; m < MODELS; m++) {
        enum { TICKS = 16 };
        scene* c = begin(u, TEST_AVERAGE, m, 3);
        prepare(c, 0);
        for (int i = 0; i < c->law.count; i++) {
            sn_twist e = sn_twist_make(test_vec3(&c->f->rng, 0.5), test_vec3(&c->f->rng, u.length));
            c->hand[i] = hand_at(c, i, e, random_twist(&c->f->rng, u));
        }
        double v0[SN_GRAB_ROWS], average[SN_GRAB_ROWS], v[6], most = 0;
        for (int i = 0; i < c->law.count; i++) twist_numbers(c->law.hand[i].velocity, v0 + 6 * i);
        for (int k = 0; k < TICKS; k++) {
            CHECK_STATUS(sn_local_model_tick(&c->model, c->hand, c->f_u), SN_OK);
            for (int i = 0; i < c->law.count; i++) { // impulses that may cancel later
                wrench_numbers(c->f_u[i], v);
                for (int r = 0; r < c->n; r++)
                    for (int s = 0; s < 6; s++)
                        most = fmax(most, fabs(c->law.Lambda[r * c->n + 6 * i + s] * v[s]) *
                                              c->period * TICKS / c->twist_unit[r % 6]);
            }
        }
        sn_wrench mean[SN_GRAB_MAX], last[SN_GRAB_MAX];
        sn_local_model_average(&c->model, mean);
        for (int i = 0; i < c->law.count; i++) wrench_numbers(mean[i], average + 6 * i);
        for (int r = 0; r < c->n; r++) {
            // v = v0 + dt (Lambda average + a0 + gravity)
            double dt = c->period * TICKS, unit = c->twist_unit[r % 6], expected = v0[r];
            expected += dt * c->model.acceleration[r];
            most = fmax(most, (fabs(v0[r]) + fabs(dt * c->model.acceleration[r])) / unit);
            for (int k = 0; k < c->n; k++)
                expected += dt * c->law.Lambda[r * c->n + k] * average[k];
            twist_numbers(c->model.hand[r / 6].velocity, v);
            CHECK_NEAR(v[r % 6] / unit, expected / unit, TOL_CHAIN * most, c->f->seed);
        }
        sn_local_model_average(&c->model, last); // no tick since: the hand still pulls as it did
        CHECK(memcmp(last, c->f_u, (size_t)c->law.count * sizeof *last) == 0, c->f->seed);
        end(c);
    }
}

// ---- a new law -------------------------------------------------------------------------------------

static double distance(sn_vec3 a, sn_vec3 b) { return sn_vec3_norm(sn_vec3_sub(a, b)); }

/// Angle between two orientations.
static double angle(sn_mat3 a, sn_mat3 b) {
    return sn_vec3_norm(sn_quat_log(sn_quat_from_matrix(sn_mat3_mul(sn_mat3_transpose(a), b))));
}

static void a_new_law_is_blended_in_without_a_jump(void** state) {
    test_units u = units_of(state);
    for (int m = 0; m < 40; m++) {
        scene* c = begin(u, TEST_BLEND, m, 2);
        int count = c->law.count;
        memset(c->grip, 0,
               sizeof c->grip); // no hand pulls, nothing accelerates: it is all blending
        memset(c->law.a0, 0, sizeof c->law.a0);
        for (int i = 0; i < count; i++) {
            c->law.hand[i].gravity = sn_vec3_zero();
            c->law.hand[i].velocity = sn_twist_zero();
        }
        c->period = 1e-3 * u.time;
        double blend_time = 9e-3 * u.time; // a tenth each tick
        prepare(c, blend_time);
        for (int i = 0; i < count; i++)
            c->hand[i] = hand_at(c, i, sn_twist_zero(), sn_twist_zero());
        CHECK_STATUS(sn_local_model_tick(&c->model, c->hand, c->f_u), SN_OK);
        sn_pose before[SN_GRAB_MAX];
        double far[SN_GRAB_MAX], turned[SN_GRAB_MAX];
        for (int i = 0; i < count; i++) {
            sn_pose* X = &c->law.hand[i].pose;
            before[i] = sn_local_model_pose(&c->model, i);
            CHECK(distance(before[i].p, X->p) <= TOL_CHAIN * sn_vec3_norm(X->p), c->f->seed);
            X->p = sn_vec3_add(X->p, test_vec3(&c->f->rng, 0.1 * u.length));
            X->R = sn_mat3_mul(X->R, sn_quat_matrix(sn_quat_exp(test_vec3(&c->f->rng, 0.3))));
            far[i] = distance(before[i].p, X->p);
            turned[i] = angle(before[i].R, X->R);
        }
        prepare(c, blend_time);
        for (int i = 0; i < count; i++) { // nothing has jumped
            sn_pose now = sn_local_model_pose(&c->model, i);
            CHECK(memcmp(&now, &before[i], sizeof now) == 0, c->f->seed);
        }
        double left = 1;
        for (int k = 0; k < 200; k++) {
            CHECK_STATUS(sn_local_model_tick(&c->model, c->hand, c->f_u), SN_OK);
            left *= 0.9;
            for (int i = 0; i < count; i++) {
                const sn_pose* X = &c->law.hand[i].pose;
                sn_pose now = sn_local_model_pose(&c->model, i);
                double size = fmax(sn_vec3_norm(X->p), u.length);
                CHECK_NEAR(distance(now.p, X->p) / size, left * far[i] / size, TOL_CHAIN,
                           c->f->seed);
                CHECK_NEAR(angle(now.R, X->R), left * turned[i], TOL_CHAIN, c->f->seed);
            }
        }
        // another body starts where the law has it
        c->law.hand[0].body = sn_body(c->law.hand[0].body.i + 1);
        c->law.hand[0].pose = test_pose(&c->f->rng, u.length);
        prepare(c, blend_time);
        sn_pose now = sn_local_model_pose(&c->model, 0);
        CHECK(distance(now.p, c->law.hand[0].pose.p) == 0, c->f->seed);
        CHECK(angle(now.R, c->law.hand[0].pose.R) <= TOL_CHAIN, c->f->seed);
        end(c);
    }
}

static void forces_do_not_jump_at_a_new_law(void** state) {
    test_units u = units_of(state);
    for (int m = 0; m < 40; m++) {
        scene* c = begin(u, TEST_BLEND, 1000 + m, 1);
        c->period = 1e-3 * u.time;
        c->grip[0] = random_grip(&c->f->rng, u, 10, 1);
        prepare(c, 0.01 * u.time);
        sn_twist e =
            sn_twist_make(test_vec3(&c->f->rng, 0.3), test_vec3(&c->f->rng, 0.3 * u.length));
        c->hand[0] = hand_at(c, 0, e, sn_twist_zero());
        for (int k = 0; k < 12; k++)
            CHECK_STATUS(sn_local_model_tick(&c->model, c->hand, c->f_u), SN_OK);
        // one goes on with the old law; the other is told that the body is elsewhere
        sn_local_model* old = malloc(sizeof *old);
        memcpy(old, &c->model, sizeof *old);
        c->law.hand[0].pose = sn_local_model_pose(&c->model, 0);
        c->law.hand[0].pose.p.x += 0.5 * u.length;
        c->law.hand[0].velocity = random_twist(&c->f->rng, u);
        prepare(c, 0.01 * u.time);
        sn_wrench f_old, f_new;
        double a[6], b[6];
        CHECK_STATUS(sn_local_model_tick(old, c->hand, &f_old), SN_OK);
        CHECK_STATUS(sn_local_model_tick(&c->model, c->hand, &f_new), SN_OK);
        wrench_numbers(f_new, a);
        wrench_numbers(f_old, b);
        for (int k = 0; k < 6; k++)
            CHECK_NEAR(a[k] / c->wrench_unit[k], b[k] / c->wrench_unit[k], TOL_CHAIN, c->f->seed);
        free(old);
        end(c);
    }
}

static void two_hands_on_one_body_move_it_as_one(void** state) {
    test_units u = units_of(state);
    for (int m = 0; m < 40; m++) {
        scene* c = begin(u, TEST_TWICE, m, 1);
        sn_body_wrench twice[2] = {{c->law.hand[0].body, sn_wrench_zero()},
                                   {c->law.hand[0].body, sn_wrench_zero()}};
        CHECK_STATUS(sn_dynamics_coupling(c->dynamics, twice, 2, &c->law), SN_OK);
        c->grip[1] = random_grip(&c->f->rng, u, 10, 1);
        prepare(c, 0);
        for (int i = 0; i < 2; i++) {
            sn_twist e =
                sn_twist_make(test_vec3(&c->f->rng, 0.5), test_vec3(&c->f->rng, 0.5 * u.length));
            c->hand[i] = hand_at(c, i, e, random_twist(&c->f->rng, u));
        }
        for (int k = 0; k < 100; k++) {
            CHECK_STATUS(sn_local_model_tick(&c->model, c->hand, c->f_u), SN_OK);
            CHECK(memcmp(&c->model.hand[0].velocity, &c->model.hand[1].velocity,
                         sizeof(sn_twist)) == 0,
                  c->f->seed);
        }
        end(c);
    }
}

// ---- bad numbers -------------------------------------------------------------------------------------

static void samples_that_are_not_finite_pull_at_nothing(void** state) {
    test_units u = units_of(state);
    for (int m = 0; m < 60; m++) {
        scene* c = begin(u, TEST_NAN, m, 3);
        prepare(c, 0);
        for (int i = 0; i < c->law.count; i++)
            c->hand[i] = hand_at(c, i, sn_twist_make(test_vec3(&c->f->rng, 0.5), sn_vec3_zero()),
                                 sn_twist_zero());
        for (int i = 0; i < c->law.count; i++) // every number of a sample matters
            c->grip[i] =
                sn_grip_at(sn_vec3_zero(), c->wrench_unit[0], c->wrench_unit[3] / u.length,
                           c->wrench_unit[0] * u.time, c->wrench_unit[3] / u.length * u.time);
        prepare(c, 0);
        CHECK_STATUS(sn_local_model_tick(&c->model, c->hand, c->f_u), SN_OK);
        sn_local_model* before = malloc(sizeof *before);
        memcpy(before, &c->model, sizeof *before);
        const double bad[] = {NAN, INFINITY, -INFINITY};
        int which = m % c->law.count;
        sn_hand good = c->hand[which];
        double* number = m % 18 < 9    ? &c->hand[which].pose.R.m[m % 9 / 3][m % 3]
                         : m % 18 < 12 ? &c->hand[which].pose.p.x + m % 18 - 9
                                       : &c->hand[which].velocity.w.x + m % 18 - 12;
        *number = bad[m / 18 % 3];
        CHECK_STATUS(sn_local_model_tick(&c->model, c->hand, c->f_u), SN_ERR_NUMERIC);
        sn_wrench zero[SN_GRAB_MAX] = {0};
        CHECK(memcmp(c->f_u, zero, (size_t)c->law.count * sizeof *zero) == 0, c->f->seed);
        c->hand[which] = good;
        for (int i = 0; i < c->law.count; i++) { // nothing moved
            sn_pose a = sn_local_model_pose(before, i), b = sn_local_model_pose(&c->model, i);
            CHECK(memcmp(&a, &b, sizeof a) == 0, c->f->seed);
        }
        sn_wrench after[SN_GRAB_MAX];
        CHECK_STATUS(sn_local_model_tick(before, c->hand, after), SN_OK);
        CHECK_STATUS(sn_local_model_tick(&c->model, c->hand, c->f_u),
                     SN_OK); // and no trace is left
        CHECK(memcmp(after, c->f_u, (size_t)c->law.count * sizeof *after) == 0, c->f->seed);
        free(before);
        end(c);
    }
}

static void bad_laws_and_grips_are_refused_and_change_nothing(void** state) {
    test_units u = units_of(state);
    scene* c = begin(u, TEST_BAD, 7, 2);
    sn_local_model* m = &c->model;
    prepare(c, 0);
    sn_local_model* before = malloc(sizeof *before);
    memcpy(before, m, sizeof *m);
    double h = c->period;
    CHECK_STATUS(sn_local_model_prepare(NULL, &c->law, c->grip, h, 0), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_local_model_prepare(m, NULL, c->grip, h, 0), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_local_model_prepare(m, &c->law, NULL, h, 0), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_local_model_prepare(m, &c->law, c->grip, 0, 0), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_local_model_prepare(m, &c->law, c->grip, NAN, 0), SN_ERR_ARGUMENT);
    CHECK_STATUS(sn_local_model_prepare(m, &c->law, c->grip, h, -1), SN_ERR_ARGUMENT);
    sn_grip good = c->grip[0];
    c->grip[0] = sn_grip_at(sn_vec3_zero(), 1, -1, 0, 0);
    CHECK_STATUS(sn_local_model_prepare(m, &c->law, c->grip, h, 0), SN_ERR_ARGUMENT);
    c->grip[0] = sn_grip_at(sn_vec3_zero(), 1, 1, 0, 0);
    c->grip[0].stiffness[1][4] = 0.5; // not symmetric
    CHECK_STATUS(sn_local_model_prepare(m, &c->law, c->grip, h, 0), SN_ERR_ARGUMENT);
    c->grip[0].stiffness[4][1] = 0.5;
    c->grip[0].stiffness[4][4] = 0; // symmetric, and negative in between
    CHECK_STATUS(sn_local_model_prepare(m, &c->law, c->grip, h, 0), SN_ERR_ARGUMENT);
    c->grip[0] = good;
    c->grip[0].damping[2][2] = NAN;
    CHECK_STATUS(sn_local_model_prepare(m, &c->law, c->grip, h, 0), SN_ERR_ARGUMENT);
    c->grip[0] = good;
    c->law.a0[3] = INFINITY;
    CHECK_STATUS(sn_local_model_prepare(m, &c->law, c->grip, h, 0), SN_ERR_NUMERIC);
    c->law.a0[3] = 0;
    c->law.Lambda[7] = NAN;
    CHECK_STATUS(sn_local_model_prepare(m, &c->law, c->grip, h, 0), SN_ERR_NUMERIC);
    CHECK(memcmp(m, before, sizeof *m) == 0, c->f->seed);
    free(before);
    end(c);
}

/// What is taken over ticks as what was prepared, to the bit, also where friction makes the law not symmetric.
static void a_model_that_is_taken_over_is_the_one_that_was_prepared(void** state) {
    test_units u = units_of(state);
    for (int skewed = 0; skewed < 2; skewed++) {
        scene* c = begin(u, 90, 0, 1);
        if (skewed) c->law.Lambda[1] *= 0.9, c->law.Lambda[6] *= 1.1;
        prepare(c, 0);
        CHECK(c->model.general == (skewed == 1 && c->law.Lambda[1] != c->law.Lambda[6]), 0);
        sn_local_model* taken = calloc(1, sizeof *taken);
        sn_local_model_take(taken, &c->model, true);
        sn_hand hand = hand_at(c, 0, random_twist(&c->f->rng, u), random_twist(&c->f->rng, u));
        for (int k = 0; k < 5; k++) {
            sn_wrench a, b;
            sn_status status = sn_local_model_tick(&c->model, &hand, &a);
            CHECK_STATUS(sn_local_model_tick(taken, &hand, &b), status);
            CHECK(memcmp(&a, &b, sizeof a) == 0, c->f->seed);
        }
        free(taken);
        end(c);
    }
}

int main(void) {
    (void)test_seed(); // print it first
    test_units si = test_units_si(), molecular = test_units_molecular();
    const struct CMUnitTest tests[] = {
        TEST_IN_BOTH_UNITS(the_tick_is_the_dense_implicit_step),
        TEST_IN_BOTH_UNITS(it_is_so_when_the_law_is_not_symmetric),
        TEST_IN_BOTH_UNITS(no_stiffness_and_no_period_make_the_frozen_law_unstable),
        TEST_IN_BOTH_UNITS(over_one_step_the_ticks_stay_close_to_the_simulation),
        TEST_IN_BOTH_UNITS(the_average_wrench_gives_the_same_momentum),
        TEST_IN_BOTH_UNITS(a_new_law_is_blended_in_without_a_jump),
        TEST_IN_BOTH_UNITS(forces_do_not_jump_at_a_new_law),
        TEST_IN_BOTH_UNITS(two_hands_on_one_body_move_it_as_one),
        TEST_IN_BOTH_UNITS(samples_that_are_not_finite_pull_at_nothing),
        TEST_IN_BOTH_UNITS(bad_laws_and_grips_are_refused_and_change_nothing),
        TEST_IN_BOTH_UNITS(a_model_that_is_taken_over_is_the_one_that_was_prepared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
