// SPDX-License-Identifier: Apache-2.0
// Answers of another system, computed in long double, for every case file of
// shared/vectors/dynamics (its README has the format). The folder may be absent: then skipped.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "sinew/load.h"
#include "support/fixture.h"
#include "support/loading.h"

#define VECTORS SN_TEST_SHARED_DIR "/vectors/dynamics"

/// Issue 2: accelerations agree to 1e-9 relative, or ten times what the file says another
/// double-precision implementation reaches, where that is worse.
#define TOL_AGREEMENT 1e-9
/// Poses, velocities, sums and bias forces: rounding along up to 256 bodies in a row.
#define TOL_LONG_CHAIN 1e-11

// ---- one case ------------------------------------------------------------------------------------

typedef struct vector_case {
    const char* path;
    json_t* json;
    sn_model* model;
    sn_dynamics* dynamics;
    int n, nq, nv;
    double *q, *v, *tau, *qdd; ///< in the library's order
    uint64_t seed;             ///< 0: nothing here is random
} vector_case;

static const char* algorithm; ///< under test
static int cases_done;

static const json_t* field(const json_t* object, const char* key) {
    const json_t* f = json_object_get(object, key);
    if (!f) print_error("no field %s\n", key);
    CHECK(f != NULL, 0);
    return f;
}

/// Numbers of an array of arrays of ... numbers, flat; returns how many.
static int flatten(const json_t* a, double* out, int room) {
    if (json_is_number(a)) {
        CHECK(room > 0, 0);
        *out = json_number_value(a);
        return 1;
    }
    int count = 0;
    for (size_t i = 0; i < json_array_size(a); i++)
        count += flatten(json_array_get(a, i), out + count, room - count);
    return count;
}

static void get(const json_t* object, const char* key, double* out, int count) {
    CHECK(flatten(field(object, key), out, count) == count, 0);
}

static double* numbers(int count) {
    return calloc((size_t)(count > 0 ? count : 1), sizeof(double));
}

/// Six numbers, linear first in the files, angular first here.
static void swap_halves(double x[6]) {
    for (int k = 0; k < 3; k++) {
        double t = x[k];
        x[k] = x[3 + k];
        x[3 + k] = t;
    }
}

/// q of the files has quaternions x, y, z, w; ours w, x, y, z.
static void q_from_file(const sn_model* model, double* q) {
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        if (b.type != SN_JOINT_SPHERICAL && b.type != SN_JOINT_FREE) continue;
        double* at = q + b.iq + (b.type == SN_JOINT_FREE ? 3 : 0);
        double w = at[3];
        at[3] = at[2], at[2] = at[1], at[1] = at[0], at[0] = w;
    }
}

/// v, tau and qdd of a free joint are linear first in the files.
static void v_from_file(const sn_model* model, double* v) {
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        if (b.type == SN_JOINT_FREE) swap_halves(v + b.iv);
    }
}

static double agreement_tolerance(const json_t* json) {
    const json_t* accuracy = field(json, "accuracy");
    double local = json_number_value(field(accuracy, "pinocchio_double_local_rel_err"));
    double world = json_number_value(field(accuracy, "pinocchio_double_world_rel_err"));
    return fmax(TOL_AGREEMENT, 10 * fmax(local, world));
}

static void open_case(vector_case* c) {
    const json_t* json = c->json;
    c->n = sn_model_body_count(c->model);
    c->nq = sn_model_nq(c->model), c->nv = sn_model_nv(c->model);
    CHECK(json_integer_value(field(json, "nq")) == c->nq, 0);
    CHECK(json_integer_value(field(json, "nv")) == c->nv, 0);
    c->q = numbers(c->nq), c->v = numbers(c->nv), c->tau = numbers(c->nv), c->qdd = numbers(c->nv);
    get(json, "q", c->q, c->nq);
    get(json, "v", c->v, c->nv);
    get(json, "tau", c->tau, c->nv);
    q_from_file(c->model, c->q);
    v_from_file(c->model, c->v);
    v_from_file(c->model, c->tau);
    c->dynamics = test_dynamics(c->model, algorithm);
    double g[3];
    get(json, "gravity", g, 3);
    sn_dynamics_set_gravity(c->dynamics, sn_vec3_make(g[0], g[1], g[2]));
}

static void close_case(vector_case* c) {
    sn_dynamics_free(c->dynamics);
    free(c->q), free(c->v), free(c->tau), free(c->qdd);
}

// ---- what a case holds -----------------------------------------------------------------------------

static void check_bias(vector_case* c) { // before any wrench is set
    double *zero = numbers(c->nv), *tau = numbers(c->nv), *expected = numbers(c->nv);
    get(c->json, "nle", expected, c->nv);
    v_from_file(c->model, expected);
    CHECK_STATUS(sn_dynamics_inverse(c->dynamics, c->q, c->v, zero, tau), SN_OK);
    CHECK_VECTOR(tau, expected, c->nv, TOL_LONG_CHAIN, c->seed);
    double *still = numbers(c->nv), size = 0;
    for (int k = 0; k < c->nv; k++) size = fmax(size, fabs(expected[k]));
    get(c->json, "gravity_torque", expected, c->nv);
    v_from_file(c->model, expected);
    CHECK_STATUS(sn_dynamics_inverse(c->dynamics, c->q, still, zero, tau), SN_OK);
    for (int k = 0; k < c->nv; k++) // may vanish, as sums of weights do
        CHECK_NEAR(tau[k], expected[k], TOL_LONG_CHAIN * fmax(size, 1), c->seed);
    free(zero), free(tau), free(expected), free(still);
}

static void check_mass_matrix(vector_case* c) {
    if (!json_object_get(c->json, "M")) return;
    int size = c->nv * c->nv;
    double *M = numbers(size), *expected = numbers(size), *row = numbers(c->nv);
    get(c->json, "M", expected, size);
    for (int r = 0; r < c->nv; r++) v_from_file(c->model, expected + r * c->nv); // columns
    double* turned = numbers(size);
    for (int k = 0; k < c->nv; k++) { // rows
        for (int r = 0; r < c->nv; r++) row[r] = expected[r * c->nv + k];
        v_from_file(c->model, row);
        for (int r = 0; r < c->nv; r++) turned[r * c->nv + k] = row[r];
    }
    CHECK_STATUS(sn_dynamics_mass_matrix(c->dynamics, c->q, M), SN_OK);
    CHECK_VECTOR(M, turned, size, TOL_LONG_CHAIN, c->seed);
    free(M), free(expected), free(row), free(turned);
}

static void set_wrenches(vector_case* c) {
    const json_t* list = field(c->json, "fext");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t* entry = json_array_get(list, i);
        double w[6];
        get(entry, "wrench", w, 6);
        int body = (int)json_integer_value(field(entry, "body"));
        sn_wrench wrench =
            sn_wrench_make(sn_vec3_make(w[3], w[4], w[5]), sn_vec3_make(w[0], w[1], w[2]));
        CHECK_STATUS(sn_dynamics_set_wrench(c->dynamics, sn_body(body), SN_AXES_BODY, wrench),
                     SN_OK);
    }
}

static void check_accelerations(vector_case* c) {
    double tolerance = agreement_tolerance(c->json);
    double *expected = numbers(c->nv), *acc = numbers(6 * c->n), *expected_acc = numbers(6 * c->n);
    get(c->json, "qdd", expected, c->nv);
    v_from_file(c->model, expected);
    CHECK_STATUS(sn_dynamics_forward(c->dynamics, c->q, c->v, c->tau, c->qdd), SN_OK);
    CHECK_VECTOR(c->qdd, expected, c->nv, tolerance, c->seed);
    get(c->json, "body_acc", expected_acc, 6 * c->n);
    for (int i = 0; i < c->n; i++) {
        swap_halves(expected_acc + 6 * i);
        twist_numbers(sn_dynamics_acceleration(c->dynamics, sn_body(i)), acc + 6 * i);
    }
    CHECK_VECTOR(acc, expected_acc, 6 * c->n, tolerance, c->seed);
    free(expected), free(acc), free(expected_acc);
}

static void check_motion(vector_case* c) {
    const json_t* poses = field(c->json, "body_pose");
    double *velocity = numbers(6 * c->n), *expected = numbers(6 * c->n);
    double *pose = numbers(12 * c->n), *expected_pose = numbers(12 * c->n);
    CHECK(json_array_size(poses) == (size_t)c->n, 0);
    get(c->json, "body_vel", expected, 6 * c->n);
    double fastest = 0;
    for (int i = 0; i < c->n; i++) {
        const json_t* p = json_array_get(poses, (size_t)i);
        get(p, "R", expected_pose + 12 * i, 9);
        get(p, "p", expected_pose + 12 * i + 9, 3);
        pose_numbers(sn_dynamics_pose(c->dynamics, sn_body(i)), pose + 12 * i);
        swap_halves(expected + 6 * i);
        twist_numbers(sn_dynamics_velocity(c->dynamics, sn_body(i)), velocity + 6 * i);
        for (int k = 0; k < 6; k++) fastest = fmax(fastest, fabs(expected[6 * i + k]));
    }
    CHECK_VECTOR(pose, expected_pose, 12 * c->n, TOL_LONG_CHAIN, c->seed);
    for (int k = 0; k < 6 * c->n; k++) // some cases are at rest
        CHECK_NEAR(velocity[k], expected[k], TOL_LONG_CHAIN * fastest, c->seed);
    free(velocity), free(expected), free(pose), free(expected_pose);
}

static void check_energy_and_momentum(vector_case* c) {
    sn_energy energy = sn_dynamics_energy(c->dynamics);
    sn_momentum p = sn_dynamics_momentum(c->dynamics);
    double com[3], momentum[6];
    get(c->json, "com", com, 3);
    get(c->json, "centroidal_momentum", momentum, 6);
    double kinetic = json_number_value(field(c->json, "kinetic_energy"));
    double potential = json_number_value(field(c->json, "potential_energy"));
    double weight = p.mass * sn_vec3_norm(sn_dynamics_gravity(c->dynamics)); // times one metre
    CHECK_NEAR(energy.kinetic, kinetic, TOL_LONG_CHAIN * kinetic, c->seed);
    CHECK_NEAR(energy.potential, potential, TOL_LONG_CHAIN * fmax(weight, fabs(potential)),
               c->seed);
    const double actual_com[3] = {p.com.x, p.com.y, p.com.z};
    const double actual[6] = {p.linear.x,  p.linear.y,  p.linear.z,
                              p.angular.x, p.angular.y, p.angular.z};
    double size = 0, far = 1;
    for (int k = 0; k < 6; k++) size = fmax(size, fabs(momentum[k]));
    for (int k = 0; k < 3; k++) far = fmax(far, fabs(com[k]));
    for (int k = 0; k < 3; k++) CHECK_NEAR(actual_com[k], com[k], TOL_LONG_CHAIN * far, c->seed);
    for (int k = 0; k < 6; k++) CHECK_NEAR(actual[k], momentum[k], TOL_LONG_CHAIN * size, c->seed);
}

/// Row and column of our Lambda that the files have at i: linear first there.
static int swapped(int i) { return i / 6 * 6 + (i % 6 + 3) % 6; }

/// Turns rows and columns of Lambda, body axes, to world axes.
static void to_world(const vector_case* c, const int* bodies, int count, double* Lambda) {
    int rows = 6 * count;
    for (int pass = 0; pass < 2; pass++) { // rows, then columns
        int step = pass ? 1 : rows, other = pass ? rows : 1;
        for (int block = 0; block < 2 * count; block++) {
            sn_mat3 R = sn_dynamics_pose(c->dynamics, sn_body(bodies[block / 2])).R;
            for (int k = 0; k < rows; k++) {
                double* x = Lambda + 3 * block * step + k * other;
                sn_vec3 y = sn_mat3_apply(R, sn_vec3_make(x[0], x[step], x[2 * step]));
                x[0] = y.x, x[step] = y.y, x[2 * step] = y.z;
            }
        }
    }
}

static void check_response(vector_case* c, const char* key, bool world) {
    enum { MOST = 64 };
    const json_t* d = json_object_get(c->json, key);
    if (!d) return;
    const json_t* list = field(d, "bodies");
    int count = (int)json_array_size(list), rows = 6 * count, bodies[MOST];
    sn_body_id ids[MOST];
    CHECK(count <= MOST, 0);
    for (int i = 0; i < count; i++) {
        bodies[i] = (int)json_integer_value(json_array_get(list, (size_t)i));
        ids[i] = sn_body(bodies[i]);
    }
    double *actual = numbers(rows * rows), *file = numbers(rows * rows),
           *expected = numbers(rows * rows);
    get(d, "matrix", file, rows * rows);
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < rows; k++)
            expected[swapped(r) * rows + swapped(k)] = file[r * rows + k];
    CHECK_STATUS(sn_dynamics_response(c->dynamics, ids, count, actual), SN_OK);
    if (world) to_world(c, bodies, count, actual);
    CHECK_VECTOR(actual, expected, rows * rows, agreement_tolerance(c->json), c->seed);
    free(actual), free(file), free(expected);
}

static void check_case(vector_case* c) {
    open_case(c);
    check_bias(c);
    check_mass_matrix(c);
    set_wrenches(c);
    check_accelerations(c);
    check_motion(c);
    check_energy_and_momentum(c);
    check_response(c, "delassus_local", false);
    check_response(c, "delassus_world_aligned", true);
    close_case(c);
    cases_done++;
}

// ---- all cases -------------------------------------------------------------------------------------

static json_t* read_json(const char* path) {
    json_error_t error;
    json_t* json = json_load_file(path, 0, &error);
    if (!json) print_error("%s:%d: %s\n", path, error.line, error.text);
    CHECK(json != NULL, 0);
    return json;
}

/// The body order and the place of every joint are those of the model file.
static void check_layout(const sn_model* model, const json_t* file) {
    const json_t* bodies = field(file, "bodies");
    CHECK((size_t)sn_model_body_count(model) == json_array_size(bodies), 0);
    for (size_t i = 0; i < json_array_size(bodies); i++) {
        const json_t* b = json_array_get(bodies, i);
        sn_body_info info = sn_model_body(model, sn_body((int32_t)i));
        CHECK(strcmp(info.joint_name, json_string_value(field(b, "joint"))) == 0, 0);
        CHECK(info.parent.i == json_integer_value(field(b, "parent")), 0);
        CHECK(info.iq == json_integer_value(field(b, "iq")), 0);
        CHECK(info.iv == json_integer_value(field(b, "iv")), 0);
        CHECK(strcmp(sn_joint_type_name(info.type), json_string_value(field(b, "type"))) == 0, 0);
    }
}

static void load_and_check(const char* path, json_t* json, const char* model_path,
                           const json_t* model_json) {
    sn_load_def def = sn_load_def_default();
    sn_error error;
    vector_case c;
    memset(&c, 0, sizeof c);
    c.path = path;
    c.json = json;
    bool urdf = strstr(model_path, ".urdf") != NULL;
    if (urdf && json_is_true(field(model_json, "free_flyer_root_added"))) def.base = SN_BASE_FREE;
    sn_status status = sn_model_load(model_path, &def, &c.model, &error);
    if (status != SN_OK) print_error("%s:%d: %s\n", error.file, error.line, error.text);
    CHECK_STATUS(status, SN_OK);
    char context[1200];
    (void)snprintf(context, sizeof context, "%s with %s, %s", path, model_path, algorithm); // fits
    check_context(context);
    check_layout(c.model, model_json);
    check_case(&c);
    check_context(NULL);
    sn_model_free(c.model);
}

static bool exists(const char* path) {
    FILE* f = fopen(path, "r");
    if (f) (void)fclose(f); // only looked at
    return f != NULL;
}

static bool from_urdf; ///< which of the two model files

static void visit_case(const char* path) {
    char model_path[600];
    json_t* json = read_json(path);
    const char* name = json_string_value(field(json, "model"));
    (void)snprintf(model_path, sizeof model_path, VECTORS "/models/%s.json", name); // fits
    json_t* model_json = read_json(model_path);
    if (from_urdf) (void)snprintf(model_path, sizeof model_path, VECTORS "/models/%s.urdf", name);
    if (exists(model_path)) load_and_check(path, json, model_path, model_json);
    json_decref(json);
    json_decref(model_json);
}

static void run(const char* with_algorithm, bool urdf) {
    DIR* folder = opendir(VECTORS);
    if (!folder) {
        print_message("no %s: skipped\n", VECTORS);
        skip();
        return;
    }
    (void)closedir(folder); // only looked at
    algorithm = with_algorithm;
    from_urdf = urdf;
    cases_done = 0;
    int files = for_each_file(VECTORS, ".json", visit_case);
    CHECK(urdf ? cases_done > 0 : cases_done == files, 0);
    print_message("%d cases\n", cases_done);
}

static void aba_agrees_on_json_models(void** state) { (void)state, run("aba", false); }
static void aba_agrees_on_urdf_models(void** state) { (void)state, run("aba", true); }
static void crba_agrees_on_json_models(void** state) { (void)state, run("crba", false); }
static void crba_agrees_on_urdf_models(void** state) { (void)state, run("crba", true); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aba_agrees_on_json_models),
        cmocka_unit_test(aba_agrees_on_urdf_models),
        cmocka_unit_test(crba_agrees_on_json_models),
        cmocka_unit_test(crba_agrees_on_urdf_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
