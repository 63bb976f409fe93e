// SPDX-License-Identifier: Apache-2.0
// Forces of control that give and have bounds, against the joint-space equation of motion.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/control.h"
#include "sinew/generate.h"
#include "sinew/world.h"
#include "support/check.h"
#include "support/random_state.h"

enum { DRIVES = 910, NV_MOST = 64 };

/// Numbers that control gives out in every step.
typedef struct fixed_drive {
    double tau[NV_MOST], give[NV_MOST], lower[NV_MOST], upper[NV_MOST];
} fixed_drive;

static sn_status give_out(void* context, const sn_world* world, const sn_drive* drive) {
    const fixed_drive* d = context;
    size_t size = (size_t)sn_model_nv(sn_world_model(world)) * sizeof(double);
    memcpy(drive->tau, d->tau, size);
    memcpy(drive->give, d->give, size);
    memcpy(drive->lower, d->lower, size);
    memcpy(drive->upper, d->upper, size);
    return SN_OK;
}

static fixed_drive random_drive(test_rng* rng, int nv) {
    fixed_drive d;
    memset(&d, 0, sizeof d);
    for (int k = 0; k < nv; k++) {
        d.tau[k] = test_uniform(rng, -20, 20);
        d.give[k] = k % 4 == 3 ? 0 : pow(10, test_uniform(rng, -6, 6));
        d.lower[k] = k % 3 == 2 ? -INFINITY : -test_uniform(rng, 0, 10);
        d.upper[k] = k % 3 == 2 ? INFINITY : test_uniform(rng, 0, 10);
    }
    return d;
}

/// The law of every force, and M qdd + bias = force with the forces that the world says it applied.
static void check_step(sn_world* world, sn_dynamics* oracle, const fixed_drive* d, double speed,
                       uint64_t seed, int* bounded) {
    int nv = sn_model_nv(sn_world_model(world)), nq = sn_model_nq(sn_world_model(world));
    double q[2 * NV_MOST], v[NV_MOST], qdd[NV_MOST], force[NV_MOST], h = sn_world_step_size(world);
    double fastest = 10;
    memcpy(q, sn_world_q(world), (size_t)nq * sizeof *q);
    memcpy(v, sn_world_v(world), (size_t)nv * sizeof *v);
    CHECK_STATUS(sn_world_step(world, NULL), SN_OK);
    for (int k = 0; k < nv; k++) {
        qdd[k] = (sn_world_v(world)[k] - v[k]) / h;
        fastest = fmax(fastest, fabs(qdd[k]));
    }
    CHECK_STATUS(sn_dynamics_inverse(oracle, q, v, qdd, force), SN_OK);
    const double* applied = sn_world_control(world);
    for (int k = 0; k < nv; k++) {
        double asked = d->tau[k] - d->give[k] * qdd[k];
        double law = fmax(d->lower[k], fmin(d->upper[k], asked));
        double digits = 4e-16 * (fabs(v[k]) + 1) * d->give[k] / h; // of a difference of velocities
        CHECK_NEAR(applied[k], force[k], TOL_CHAIN * 1e3 * fastest + digits, seed);
        CHECK_NEAR(applied[k], law, TOL_CHAIN * 1e3 + speed * d->give[k] / h, seed);
        *bounded += d->give[k] > 0 && law != asked;
    }
}

/// speed: rad/s or m/s by which velocities may be off.
static void check_drives(bool contact, double speed) {
    int bounded = 0, all = 0;
    for (uint64_t i = 0; i < 60; i++) {
        uint64_t seed = test_case_seed(DRIVES, i);
        test_rng rng = test_rng_make(seed);
        sn_model* model = test_generate(i % 2 ? SN_GENERATE_TREE : SN_GENERATE_CHAIN,
                                        2 + (int)(i % 9), seed, false, false, test_units_si());
        int nv = sn_model_nv(model), nq = sn_model_nq(model);
        assert_true(nv <= NV_MOST && nq <= 2 * NV_MOST);
        sn_world_def def = sn_world_def_default();
        sn_dynamics* oracle = NULL;
        sn_world* world = NULL;
        def.contact.on = contact;
        def.contact.options.limits = false;
        def.contact.servos = nv;
        def.contact.solve.tolerance = 1e-12;
        def.contact.solve.iterations = 0;
        CHECK_STATUS(sn_world_create(model, &def, &world, NULL), SN_OK);
        CHECK_STATUS(sn_dynamics_create(model, "reference", &oracle, NULL), SN_OK);
        double q[2 * NV_MOST], v[NV_MOST];
        test_random_q(&rng, model, test_units_si(), q);
        for (int k = 0; k < nv; k++) v[k] = test_uniform(&rng, -2, 2);
        CHECK_STATUS(sn_world_set_state(world, q, v), SN_OK);
        fixed_drive d = random_drive(&rng, nv);
        sn_world_set_control(world, &(sn_control){give_out, &d});
        for (int step = 0; step < 3; step++) check_step(world, oracle, &d, speed, seed, &bounded);
        all += 3 * nv;
        sn_world_free(world);
        sn_dynamics_free(oracle);
        sn_model_free(model);
    }
    CHECK(bounded > all / 20, 0);
}

static void forces_obey_their_law_without_contact(void** state) {
    (void)state;
    check_drives(false, 1e-13); // rounding
}

static void forces_obey_their_law_with_contact(void** state) {
    (void)state;
    check_drives(true, 1e-8); // the solver
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_obey_their_law_without_contact),
        cmocka_unit_test(forces_obey_their_law_with_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
