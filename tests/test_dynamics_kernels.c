// SPDX-License-Identifier: Apache-2.0
// Vector code and its scalar twin do the same to the last digits; both follow the clear algorithms.
#include <math.h>
#include <stdio.h>

#include "support/fixture.h"

/// Two paths that differ only in the order of rounding, on models that do not amplify it.
#define TOL_TWINS 1e-12

/// max |a - b| / max |b| over nv numbers of forward dynamics at one random state.
static double difference(sn_model* model, uint64_t seed, const char* one, const char* other) {
    fixture* f = fixture_create(model, test_units_si(), seed);
    sn_dynamics *a = test_dynamics(f->model, one), *b = test_dynamics(f->model, other);
    for (int k = 0; k < f->nv; k++) f->v[k] *= 0.1; // long chains: no whip at the end
    CHECK_STATUS(sn_dynamics_forward(a, f->q, f->v, f->tau, f->x), SN_OK);
    CHECK_STATUS(sn_dynamics_forward(b, f->q, f->v, f->tau, f->y), SN_OK);
    double most = 0, size = 0;
    for (int k = 0; k < f->nv; k++) {
        double d = fabs(f->x[k] - f->y[k]);
        if (!(d <= most)) most = d; // NaN too
        size = fmax(size, fabs(f->y[k]));
    }
    sn_dynamics_free(a);
    sn_dynamics_free(b);
    fixture_free(f);
    return most / size;
}

static sn_model* generated(const char* text) {
    sn_generate_def def = sn_generate_def_default();
    assert_true(sn_generate_parse(text, &def));
    def.passive = true; // armature
    sn_model_builder* builder = sn_model_builder_create(text);
    CHECK_STATUS(sn_generate(&def, builder), SN_OK);
    return test_compile(builder);
}

static void vector_and_scalar_code_agree_to_the_last_digits(void** state) {
    (void)state;
    const char* const models[] = {"chain:1", "chain:5",        "chain:64",    "tree:63",
                                  "star:30", "caterpillar:40", "random:40:3", "random:57:8"};
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        for (uint64_t i = 0; i < 20; i++) {
            uint64_t seed = test_case_seed(910 + m, i);
            double twins = difference(generated(models[m]), seed, "aba", "aba-scalar");
            double clear = difference(generated(models[m]), seed, "aba", "reference");
            if (!(twins <= TOL_TWINS && clear <= TOL_TWINS))
                fail_msg("%s, seed %llu: vector against scalar %g, against reference %g", models[m],
                         (unsigned long long)seed, twins, clear);
        }
    }
}

/// Moves the model a little; the oracle follows.
static void move_on(fixture* f) {
    for (int k = 0; k < f->nv; k++) f->x[k] = 0.01 * f->v[k];
    sn_model_integrate(f->model, f->q, f->x, f->q);
    fixture_update(f);
}

static void kept_motion_of_bodies_follows_every_state(void** state) {
    (void)state;
    const char* const algorithms[] = {"aba", "aba-scalar", "crba"};
    for (int i = 0; i < 60; i++) { // asked for after everything that moves bodies
        fixture* f = fixture_of_list(i, test_units_si(), test_case_seed(930, (uint64_t)i));
        sn_dynamics* d = test_dynamics(f->model, algorithms[i % 3]);
        CHECK_STATUS(sn_dynamics_kinematics(d, f->q, f->v), SN_OK);
        fixture_check_motion(f, d);
        move_on(f);
        CHECK_STATUS(sn_dynamics_forward(d, f->q, f->v, NULL, f->x), SN_OK);
        fixture_check_motion(f, d);
        move_on(f);
        CHECK_STATUS(sn_dynamics_inverse(d, f->q, f->v, f->qdd, f->x), SN_OK);
        fixture_check_motion(f, d);
        sn_dynamics_set_gravity(d, sn_vec3_make(0, 1, 0));
        fixture_check_motion(f, d);
        for (int k = 0; k < f->nv; k++) f->v[k] = 0;
        move_on(f);
        CHECK_STATUS(sn_dynamics_mass_matrix(d, f->q, f->A), SN_OK);
        fixture_check_motion(f, d);
        sn_dynamics_free(d);
        fixture_free(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_and_scalar_code_agree_to_the_last_digits),
        cmocka_unit_test(kept_motion_of_bodies_follows_every_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
