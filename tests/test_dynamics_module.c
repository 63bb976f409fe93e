// SPDX-License-Identifier: Apache-2.0
// Forward dynamics by a user's functions. Those of examples/plugins/dense_dynamics.c pass the suite of our own
// algorithms; those here misbehave.
#include "../examples/plugins/dense_dynamics.c"

#include "sinew/coupling.h"
#include "sinew/delassus.h"
#include "suite_forward_dynamics.h"

// ---- a module that does what it is told to ------------------------------------------------------------

typedef struct rogue {
    sn_status create, forward, impulse; ///< what it returns
    bool bad_forward, bad_impulse;      ///< one of its numbers is not finite
    const char* says;                   ///< when it refuses a model
    int alive;                          ///< memories that are not freed
    int freed;
} rogue;

static sn_status rogue_create(void* context, const sn_model* model, void** memory,
                              sn_error* error) {
    rogue* r = context;
    if (r->create && r->says && error) {
        size_t length = strlen(r->says);
        memcpy(error->text, r->says, length + 1);
    }
    if (r->create) return r->create;
    sn_status status = dense_create(NULL, model, memory, error);
    r->alive += !status;
    return status;
}

static void rogue_free(void* context, void* memory) {
    rogue* r = context;
    r->alive--;
    r->freed++;
    dense_free(NULL, memory);
}

static sn_status rogue_forward(void* context, void* memory, const sn_dynamics_input* input,
                               double* qdd) {
    rogue* r = context;
    sn_status status = dense_forward(NULL, memory, input, qdd);
    if (r->bad_forward) qdd[0] = NAN;
    return status ? status : r->forward;
}

static sn_status rogue_impulse(void* context, void* memory, const double* tau,
                               const sn_body_wrench* impulses, int count, double* dv) {
    rogue* r = context;
    sn_status status = dense_impulse(NULL, memory, tau, impulses, count, dv);
    if (r->bad_impulse) dv[0] = INFINITY;
    return status ? status : r->impulse;
}

static sn_dynamics_module rogue_table(rogue* r) {
    return (sn_dynamics_module){.name = "rogue",
                                .about = "for tests",
                                .context = r,
                                .create = rogue_create,
                                .free = rogue_free,
                                .forward = rogue_forward,
                                .impulse = rogue_impulse};
}

typedef struct setting {
    fixture* f;
    rogue rogue;
    sn_dynamics* dynamics;
} setting;

static void begin(setting* s) {
    sn_error error;
    memset(s, 0, sizeof *s);
    s->f = fixture_of_list(5, test_units_si(), test_case_seed(900, 0));
    sn_dynamics_module table = rogue_table(&s->rogue);
    CHECK_STATUS(sn_dynamics_create_module(s->f->model, &table, &s->dynamics, &error), SN_OK);
    memset(&table, 0, sizeof table); // it was copied
}

static void end(setting* s) {
    sn_dynamics_free(s->dynamics);
    CHECK(s->rogue.alive == 0 && s->rogue.freed == 1, s->f->seed);
    fixture_free(s->f);
}

static bool all_zero(const double* x, int count) {
    for (int k = 0; k < count; k++)
        if (x[k] != 0) return false;
    return true;
}

// ---- creation -----------------------------------------------------------------------------------------

static void expect_refused(const sn_model* model, const sn_dynamics_module* table,
                           const char* reason) {
    sn_error error;
    sn_dynamics* dynamics = (sn_dynamics*)&error; // anything but NULL
    CHECK_STATUS(sn_dynamics_create_module(model, table, &dynamics, &error), SN_ERR_ARGUMENT);
    CHECK(!dynamics && strstr(error.text, reason), 0);
    CHECK_STATUS(sn_dynamics_create_module(model, table, &dynamics, NULL), SN_ERR_ARGUMENT);
}

static void a_table_that_is_not_complete_is_refused_with_what_it_lacks(void** state) {
    (void)state;
    rogue r = {0};
    fixture* f = fixture_of_list(0, test_units_si(), test_case_seed(900, 1));
    sn_dynamics_module table = rogue_table(&r);
    table.create = NULL;
    expect_refused(f->model, &table, "dynamics 'rogue' has no function 'create'");
    table = rogue_table(&r);
    table.free = NULL;
    expect_refused(f->model, &table, "'free'");
    table = rogue_table(&r);
    table.forward = NULL;
    expect_refused(f->model, &table, "'forward'");
    table = rogue_table(&r);
    table.impulse = NULL;
    expect_refused(f->model, &table, "'impulse'");
    table = rogue_table(&r);
    table.name = NULL;
    expect_refused(f->model, &table, "name");
    table.name = "";
    expect_refused(f->model, &table, "name");
    table = rogue_table(&r);
    expect_refused(NULL, &table, "no model");
    expect_refused(f->model, NULL, "no dynamics module");
    CHECK_STATUS(sn_dynamics_create_module(f->model, &table, NULL, NULL), SN_ERR_ARGUMENT);
    CHECK(r.alive == 0 && r.freed == 0, 0);
    fixture_free(f);
}

static void a_module_that_refuses_the_model_is_named_with_its_reason(void** state) {
    (void)state;
    rogue r = {.create = SN_ERR_MODEL, .says = "too many wheels"};
    fixture* f = fixture_of_list(0, test_units_si(), test_case_seed(900, 2));
    sn_dynamics_module table = rogue_table(&r);
    sn_dynamics* dynamics = NULL;
    sn_error error;
    CHECK_STATUS(sn_dynamics_create_module(f->model, &table, &dynamics, &error), SN_ERR_MODEL);
    CHECK(!dynamics && strstr(error.text, "'rogue'") && strstr(error.text, "too many wheels"), 0);
    r.says = NULL; // then its status speaks
    CHECK_STATUS(sn_dynamics_create_module(f->model, &table, &dynamics, &error), SN_ERR_MODEL);
    CHECK(strstr(error.text, "'rogue'") && strstr(error.text, sn_status_text(SN_ERR_MODEL)), 0);
    CHECK(r.alive == 0 && r.freed == 0, 0); // there is nothing to free
    fixture_free(f);
}

static void the_module_is_what_the_dynamics_is_called(void** state) {
    (void)state;
    setting s;
    begin(&s);
    CHECK(strcmp(sn_dynamics_name(s.dynamics), "rogue") == 0, s.f->seed);
    CHECK(strcmp(sn_dynamics_advice(s.dynamics), "") == 0, s.f->seed);
    CHECK(sn_dynamics_tree_size(s.dynamics) == 0, s.f->seed);
    end(&s);
}

// ---- what it returns is looked at ------------------------------------------------------------------------

static void what_is_not_finite_goes_no_further(void** state) {
    (void)state;
    setting s;
    begin(&s);
    fixture* f = s.f;
    sn_body_id body = sn_body(f->n - 1);
    sn_body_wrench push = {body, test_random_wrench(&f->rng, f->u)};
    double Lambda[36];
    s.rogue.bad_forward = true;
    CHECK_STATUS(sn_dynamics_forward(s.dynamics, f->q, f->v, f->tau, f->x), SN_ERR_NUMERIC);
    CHECK(all_zero(f->x, f->nv), f->seed);
    CHECK_STATUS(sn_dynamics_impulse(s.dynamics, NULL, &push, 1, f->y), SN_ERR_ARGUMENT);
    s.rogue.bad_forward = false;
    s.rogue.bad_impulse = true;
    CHECK_STATUS(sn_dynamics_forward(s.dynamics, f->q, f->v, f->tau, f->x), SN_OK);
    CHECK_STATUS(sn_dynamics_impulse(s.dynamics, NULL, &push, 1, f->y), SN_ERR_NUMERIC);
    CHECK(all_zero(f->y, f->nv), f->seed);
    CHECK_STATUS(sn_dynamics_response(s.dynamics, &body, 1, Lambda), SN_ERR_NUMERIC);
    CHECK(all_zero(Lambda, 36), f->seed);
    s.rogue.bad_impulse = false; // and a new forward starts afresh
    CHECK_STATUS(sn_dynamics_forward(s.dynamics, f->q, f->v, f->tau, f->x), SN_OK);
    CHECK_STATUS(sn_dynamics_impulse(s.dynamics, NULL, &push, 1, f->y), SN_OK);
    CHECK(!all_zero(f->y, f->nv), f->seed);
    end(&s);
}

static void a_status_is_passed_on_by_whatever_needed_the_answer(void** state) {
    (void)state;
    setting s;
    begin(&s);
    fixture* f = s.f;
    sn_body_id body = sn_body(f->n - 1);
    sn_body_wrench push = {body, test_random_wrench(&f->rng, f->u)};
    sn_coupling_law law;
    sn_wrench felt;
    double Lambda[36];
    s.rogue.forward = SN_ERR_CAPACITY;
    CHECK_STATUS(sn_dynamics_forward(s.dynamics, f->q, f->v, f->tau, f->x), SN_ERR_CAPACITY);
    s.rogue.forward = SN_OK;
    s.rogue.impulse = SN_ERR_FILE;
    CHECK_STATUS(sn_dynamics_forward(s.dynamics, f->q, f->v, f->tau, f->x), SN_OK);
    CHECK_STATUS(sn_dynamics_impulse(s.dynamics, NULL, &push, 1, f->y), SN_ERR_FILE);
    CHECK_STATUS(sn_dynamics_response(s.dynamics, &body, 1, Lambda), SN_ERR_FILE);
    CHECK_STATUS(sn_dynamics_feel(s.dynamics, &push, 1, &felt), SN_ERR_FILE);
    CHECK_STATUS(sn_dynamics_coupling(s.dynamics, &push, 1, &law), SN_ERR_FILE);
    CHECK(law.count == 0, f->seed);
    sn_delassus_capacity capacity = {.bodies = 4};
    sn_delassus* delassus = NULL;
    CHECK_STATUS(sn_delassus_create(s.dynamics, NULL, &capacity, &delassus, NULL), SN_OK);
    CHECK_STATUS(sn_delassus_response(delassus, &body, 1, Lambda), SN_ERR_FILE);
    sn_delassus_free(delassus);
    end(&s);
}

// ---- what is built on it -----------------------------------------------------------------------------------

/// A chain whose tip is held at a point of the world.
static sn_model* held_chain(uint64_t seed) {
    sn_generate_def def = sn_generate_def_default();
    def.shape = SN_GENERATE_CHAIN;
    def.count = 6;
    def.seed = seed;
    sn_model_builder* builder = sn_model_builder_create("held chain");
    sn_model *tree = NULL, *model = NULL;
    CHECK_STATUS(sn_generate(&def, builder), SN_OK);
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &tree, NULL), SN_OK);
    sn_dynamics* placed = test_dynamics(tree, "aba");
    sn_loop_def loop = sn_loop_def_default();
    loop.name = "held";
    loop.type = SN_JOINT_SPHERICAL;
    loop.body_a = sn_model_body(tree, sn_body(5)).name;
    loop.X_bc = sn_dynamics_pose(placed, sn_body(5));
    CHECK_STATUS(sn_model_builder_add_loop(builder, &loop), SN_OK);
    CHECK_STATUS(sn_model_builder_compile(builder, NULL, &model, NULL), SN_OK);
    sn_model_builder_free(builder);
    sn_dynamics_free(placed);
    sn_model_free(tree);
    return model;
}

static void loops_hands_and_responses_are_those_of_our_own(void** state) {
    (void)state;
    for (uint64_t index = 0; index < 10; index++) {
        uint64_t seed = test_case_seed(901, index);
        test_rng rng = test_rng_make(seed);
        sn_model* model = held_chain(seed);
        sn_dynamics *guest = test_dynamics(model, "dense"), *ours = test_dynamics(model, "aba");
        enum { MOST = 16 };
        int nv = sn_model_nv(model);
        double q[MOST], v[MOST], tau[MOST], a[MOST], b[MOST], A[144], B[144];
        CHECK(nv <= MOST && sn_model_nq(model) <= MOST, seed);
        sn_model_neutral(model, q);
        for (int k = 0; k < nv; k++) v[k] = test_uniform(&rng, -1, 1), tau[k] = v[k] * v[k];
        CHECK_STATUS(sn_dynamics_forward(guest, q, v, tau, a), SN_OK);
        CHECK_STATUS(sn_dynamics_forward(ours, q, v, tau, b), SN_OK);
        CHECK_VECTOR(a, b, nv, TOL_SOLVE, seed);
        sn_body_id bodies[2] = {sn_body(2), sn_body(5)};
        CHECK_STATUS(sn_dynamics_response(guest, bodies, 2, A), SN_OK);
        CHECK_STATUS(sn_dynamics_response(ours, bodies, 2, B), SN_OK);
        CHECK_VECTOR(A, B, 144, TOL_SOLVE, seed);
        sn_body_wrench hand = {sn_body(3), test_random_wrench(&rng, test_units_si())};
        sn_wrench felt[2];
        double f[2][6];
        CHECK_STATUS(sn_dynamics_feel(guest, &hand, 1, &felt[0]), SN_OK);
        CHECK_STATUS(sn_dynamics_feel(ours, &hand, 1, &felt[1]), SN_OK);
        for (int k = 0; k < 2; k++) wrench_numbers(felt[k], f[k]);
        CHECK_VECTOR(f[0], f[1], 6, TOL_SOLVE, seed);
        sn_dynamics_free(guest);
        sn_dynamics_free(ours);
        sn_model_free(model);
    }
}

int main(void) {
    test_add_dynamics(&dense_dynamics);
    int failed = suite_forward_dynamics("dense");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_that_is_not_complete_is_refused_with_what_it_lacks),
        cmocka_unit_test(a_module_that_refuses_the_model_is_named_with_its_reason),
        cmocka_unit_test(the_module_is_what_the_dynamics_is_called),
        cmocka_unit_test(what_is_not_finite_goes_no_further),
        cmocka_unit_test(a_status_is_passed_on_by_whatever_needed_the_answer),
        cmocka_unit_test(loops_hands_and_responses_are_those_of_our_own),
    };
    return failed + cmocka_run_group_tests_name("modules", tests, NULL, NULL);
}
