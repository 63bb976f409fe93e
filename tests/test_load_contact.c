// SPDX-License-Identifier: Apache-2.0
// Contact problems in files: every way to write a problem gives the same numbers, what is written comes
// back, and every mistake is named by its line.
#define _XOPEN_SOURCE 700 // mkdtemp
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "sinew/contact_file.h"
#include "support/loading.h"

#define DATA SN_TEST_DATA_DIR "/contact"
#define SHARED SN_TEST_SHARED_DIR "/data/contact"

// ---- support ----------------------------------------------------------------------------------------

static sn_contact_problem* load_problem(const char* path) {
    sn_contact_problem* problem;
    sn_error error;
    char said[1024];
    if (sn_contact_problem_load(path, &problem, &error) != SN_OK) {
        sn_error_format(&error, said, sizeof said);
        fail_msg("%s", said);
    }
    return problem;
}

static sn_contact_problem* load_again(const char* text) {
    sn_contact_problem* problem;
    sn_error error;
    char said[1024];
    if (sn_contact_problem_load_memory(text, strlen(text), "again", &problem, &error) != SN_OK) {
        sn_error_format(&error, said, sizeof said);
        fail_msg("%s", said);
    }
    return problem;
}

static double* dense_of(const sn_contact_problem* problem) {
    size_t n = (size_t)sn_contact_rows(problem);
    double* W = calloc(n * n + 1, sizeof *W);
    sn_contact_dense(problem, W);
    return W;
}

/// W, q and mu agree to `tolerance` of the largest of each.
static void check_same_problem(const sn_contact_problem* a, const sn_contact_problem* b,
                               double tolerance, uint64_t seed) {
    CHECK(a->count == b->count, seed);
    CHECK_STATUS(sn_contact_check(a, NULL), SN_OK);
    CHECK_STATUS(sn_contact_check(b, NULL), SN_OK);
    int n = sn_contact_rows(a);
    double *W_a = dense_of(a), *W_b = dense_of(b);
    CHECK_VECTOR(W_a, W_b, n * n, tolerance, seed);
    CHECK_VECTOR(a->q, b->q, n, tolerance, seed);
    for (int32_t i = 0; i < a->count; i++) {
        CHECK_NEAR(a->law[i].mu, b->law[i].mu, 0, seed);
        CHECK(a->law[i].kind == SN_CONTACT_POINT && a->law[i].mu_kinetic == a->law[i].mu, seed);
    }
    free(W_a);
    free(W_b);
}

static char* write_text(const sn_contact_problem* problem, sn_contact_format format) {
    char* text;
    sn_error error;
    char said[1024];
    if (sn_contact_problem_write(problem, format, &text, &error) != SN_OK) {
        sn_error_format(&error, said, sizeof said);
        fail_msg("%s", said);
    }
    return text;
}

/// A problem with room for whatever a test puts into it.
enum { MOST = 16, ROWS_MOST = 6 * MOST, BODIES_MOST = 8 };
typedef struct own_problem {
    sn_contact_problem problem;
    sn_contact_law law[MOST];
    int32_t first[MOST + 1], start[MOST + 1], column[MOST * MOST];
    int64_t offset[MOST * MOST];
    double q[ROWS_MOST], value[ROWS_MOST * ROWS_MOST];
    int32_t tree[BODIES_MOST + 1], a[MOST], b[MOST];
    int64_t response[BODIES_MOST + 1];
    double responses[36 * BODIES_MOST * BODIES_MOST], C_a[6 * ROWS_MOST], C_b[6 * ROWS_MOST];
} own_problem;

static void add_contact(own_problem* own, sn_contact_kind kind, int32_t rows, double mu) {
    int32_t i = own->problem.count++;
    own->law[i] = sn_contact_law_make(kind);
    own->law[i].rows = rows;
    own->law[i].mu = own->law[i].mu_kinetic = mu;
    own->first[i + 1] = own->first[i] + rows;
    own->problem.law = own->law;
    own->problem.first = own->first;
    own->problem.q = own->q;
}

static double uniform(sni_rng* rng) { return sni_rng_uniform(rng, -1, 1); }

static void fill_q(own_problem* own, sni_rng* rng) {
    for (int32_t r = 0; r < own->first[own->problem.count]; r++) own->q[r] = uniform(rng);
}

/// A full W out of rows x `freedoms` random numbers: J J'. Of lower rank when there are more rows.
static void fill_matrix(own_problem* own, int freedoms, sni_rng* rng) {
    int32_t rows = own->first[own->problem.count], count = own->problem.count, blocks = 0;
    double J[ROWS_MOST][ROWS_MOST];
    int64_t at = 0;
    for (int32_t r = 0; r < rows; r++)
        for (int k = 0; k < freedoms; k++) J[r][k] = uniform(rng);
    for (int32_t i = 0; i < count; i++) {
        own->start[i] = blocks;
        for (int32_t j = 0; j < count; j++) {
            own->column[blocks] = j;
            own->offset[blocks++] = at;
            for (int32_t r = own->first[i]; r < own->first[i + 1]; r++) {
                for (int32_t c = own->first[j]; c < own->first[j + 1]; c++) {
                    double sum = 0;
                    for (int k = 0; k < freedoms; k++) sum += J[r][k] * J[c][k];
                    own->value[at++] = sum;
                }
            }
        }
    }
    own->start[count] = blocks;
    own->problem.matrix = (sn_contact_matrix){own->start, own->column, own->offset, own->value};
}

/// Bodies in trees of one or two, with responses that have inverses.
static void fill_bodies(own_problem* own, int trees, sni_rng* rng) {
    int32_t bodies = 0;
    int64_t numbers = 0;
    for (int t = 0; t < trees; t++) {
        int32_t size = 6 * (1 + sni_rng_index(rng, 2));
        own->tree[t] = bodies;
        own->response[t] = numbers;
        double A[12][12];
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++) A[i][j] = uniform(rng);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                double sum = i == j ? 0.5 : 0;
                for (int k = 0; k < size; k++) sum += A[i][k] * A[j][k];
                own->responses[numbers + (int64_t)i * size + j] = sum;
            }
        }
        numbers += (int64_t)size * size;
        bodies += size / 6;
    }
    own->tree[trees] = bodies;
    own->response[trees] = numbers;
    for (int32_t i = 0; i < own->problem.count; i++) {
        own->a[i] = sni_rng_index(rng, bodies);
        own->b[i] = sni_rng_index(rng, bodies + 1) - 1;
        if (own->b[i] == own->a[i]) own->b[i] = -1;
    }
    for (int32_t k = 0; k < 6 * own->first[own->problem.count]; k++) {
        own->C_a[k] = uniform(rng);
        own->C_b[k] = uniform(rng);
    }
    own->problem.bodies = (sn_contact_bodies){trees,  own->tree, own->response, own->responses,
                                              own->a, own->b,    own->C_a,      own->C_b};
}

static own_problem* random_points(sni_rng* rng) {
    own_problem* own = calloc(1, sizeof *own);
    int count = 1 + sni_rng_index(rng, 8);
    for (int i = 0; i < count; i++)
        add_contact(own, SN_CONTACT_POINT, 3, sni_rng_uniform(rng, 0, 2));
    fill_q(own, rng);
    return own;
}

// ---- all ways to write a problem ----------------------------------------------------------------------

static void every_way_to_write_a_problem_gives_the_same_numbers(void** state) {
    (void)state;
    static const char* const NAMES[] = {"pair", "skew", "pebble", "apart"};
    static const char* const ENDINGS[] = {
        "_dense.dat",        "_blocks.dat",        "_triplets.dat",        "_columns.dat",
        "_global_dense.dat", "_global_blocks.dat", "_global_triplets.dat", "_global_columns.dat"};
    for (size_t n = 0; n < sizeof NAMES / sizeof NAMES[0]; n++) {
        char path[512];
        snprintf(path, sizeof path, DATA "/%s.fc3d", NAMES[n]);
        sn_contact_problem* plain = load_problem(path);
        for (size_t e = 0; e < sizeof ENDINGS / sizeof ENDINGS[0]; e++) {
            snprintf(path, sizeof path, DATA "/%s%s", NAMES[n], ENDINGS[e]);
            check_context(path);
            sn_contact_problem* other = load_problem(path);
            check_same_problem(other, plain, e < 4 ? 0 : TOL_CHAIN, 0);
            sn_contact_problem_free(other);
        }
        sn_contact_problem_free(plain);
    }
    check_context(NULL);
}

static void contacts_that_are_apart_have_no_blocks_between_them(void** state) {
    (void)state;
    static const char* const FILES[] = {DATA "/apart.fc3d", DATA "/apart_dense.dat",
                                        DATA "/apart_global_blocks.dat"};
    for (size_t f = 0; f < sizeof FILES / sizeof FILES[0]; f++) {
        sn_contact_problem* problem = load_problem(FILES[f]);
        assert_int_equal(problem->matrix.start[problem->count], 4 + 2); // two touch one body
        sn_contact_problem_free(problem);
    }
}

static void the_content_of_a_file_tells_its_format(void** state) {
    (void)state;
    static const char* const TEXTS[] = {
        "1 3 1\n0.5\n-1 2 3\n0 0 2\n",                            // plain, without a comment
        "\r\n# c\r\n1 3 1\r\n0.5\r\n-1 2 3\r\n0 0 2",             // lines of another system, no end
        "3 1 0 3 3 3 3 2 0 0 0 0 0 0 0 0 -1 2 3 0.5",             // Siconos' on one line
        "3 1 0\n3 3\n3 3\n2 0 0\n0 0 0\n0 0 0\n-1 2 3\n0.5\n1\n", // three words on the first
    };
    for (size_t k = 0; k < sizeof TEXTS / sizeof TEXTS[0]; k++) {
        sn_contact_problem* problem = load_again(TEXTS[k]);
        assert_int_equal(problem->count, 1);
        CHECK_NEAR(problem->matrix.value[0], 2, 0, k);
        CHECK_NEAR(problem->q[0], -1, 0, k);
        CHECK_NEAR(problem->law[0].mu, 0.5, 0, k);
        sn_contact_problem_free(problem);
    }
}

/// The same problem in fc3d/, with the ending of the original taken off.
static void check_original(const char* path) {
    char name[256], plain_path[1024];
    const char* slash = strrchr(path, '/');
    snprintf(name, sizeof name, "%s", slash + 1);
    *strstr(name, ".dat") = '\0';
    if (strstr(name, ".hdf5")) *strstr(name, ".hdf5") = '\0';
    snprintf(plain_path, sizeof plain_path, SHARED "/fc3d/%s.fc3d", name);
    check_context(path);
    sn_contact_problem *original = load_problem(path), *plain = load_problem(plain_path);
    check_same_problem(original, plain, TOL_SOLVE, 0);
    sn_contact_problem_free(original);
    sn_contact_problem_free(plain);
}

static void originals_of_siconos_are_what_they_were_converted_to(void** state) {
    (void)state;
    int count = for_each_file(SHARED "/original", ".dat", check_original);
    check_context(NULL);
    if (count == 0) skip();
    assert_int_equal(count, 23);
}

static void check_reference(const char* path) {
    char name[256], ref_path[1024], line[256];
    snprintf(name, sizeof name, "%s", strrchr(path, '/') + 1);
    *strstr(name, ".fc3d") = '\0';
    snprintf(ref_path, sizeof ref_path, SHARED "/ref/%s.r", name);
    check_context(path);
    sn_contact_problem* problem = load_problem(path);
    FILE* file = fopen(ref_path, "r");
    assert_non_null(file);
    double* r = calloc((size_t)sn_contact_rows(problem) + 1, sizeof *r);
    int count = 0;
    while (fgets(line, sizeof line, file))
        if (line[0] != '#' && count < sn_contact_rows(problem)) r[count++] = atof(line);
    fclose(file);
    assert_int_equal(count, sn_contact_rows(problem));
    sn_contact_verdict verdict = sn_contact_judge(problem, r);
    CHECK(verdict.error < 1e-8, 0);
    free(r);
    sn_contact_problem_free(problem);
}

static void references_solve_their_problems(void** state) {
    (void)state;
    int count = for_each_file(SHARED "/fc3d", ".fc3d", check_reference);
    check_context(NULL);
    if (count == 0) skip();
    assert_int_equal(count, 26);
}

// ---- writing ------------------------------------------------------------------------------------------

static void point_contacts_come_back_to_the_last_bit(void** state) {
    (void)state;
    for (uint64_t k = 0; k < 300; k++) {
        uint64_t seed = test_case_seed(1, k);
        sni_rng rng = {seed};
        own_problem* own = random_points(&rng);
        fill_matrix(own, 1 + sni_rng_index(&rng, 20), &rng);
        for (int32_t b = 0; b < own->start[own->problem.count]; b++) // not symmetric, not full
            for (int e = 0; e < 9; e++)
                if (sni_rng_index(&rng, 4) == 0) own->value[own->offset[b] + e] = 0;
        own->q[0] *= 1e-300;
        for (int format = SN_CONTACT_FC3D; format <= SN_CONTACT_SICONOS; format++) {
            char* text = write_text(&own->problem, (sn_contact_format)format);
            sn_contact_problem* again = load_again(text);
            check_same_problem(again, &own->problem, 0, seed);
            sn_text_free(text);
            sn_contact_problem_free(again);
        }
        free(own);
    }
}

static void compliance_is_part_of_what_is_written(void** state) {
    (void)state;
    for (uint64_t k = 0; k < 100; k++) {
        uint64_t seed = test_case_seed(2, k);
        sni_rng rng = {seed};
        own_problem* own = random_points(&rng);
        for (int32_t i = 0; i < own->problem.count; i++)
            if (sni_rng_index(&rng, 2)) own->law[i].compliance = sni_rng_uniform(&rng, 0, 1);
        fill_matrix(own, 6, &rng);
        char* text = write_text(&own->problem, SN_CONTACT_SICONOS);
        sn_contact_problem* again = load_again(text);
        check_same_problem(again, &own->problem, TOL_ROUNDOFF, seed);
        sn_text_free(text);
        sn_contact_problem_free(again);
        free(own);
    }
}

static void problems_by_bodies_are_the_same_local_and_global(void** state) {
    (void)state;
    for (uint64_t k = 0; k < 200; k++) {
        uint64_t seed = test_case_seed(3, k);
        sni_rng rng = {seed};
        own_problem* own = random_points(&rng);
        fill_bodies(own, 1 + sni_rng_index(&rng, 3), &rng);
        for (int32_t i = 0; i < own->problem.count; i++)
            if (sni_rng_index(&rng, 3) == 0) own->law[i].compliance = sni_rng_uniform(&rng, 0.1, 1);
        for (int format = SN_CONTACT_FC3D; format <= SN_CONTACT_SICONOS_GLOBAL; format++) {
            char* text = write_text(&own->problem, (sn_contact_format)format);
            sn_contact_problem* again = load_again(text);
            check_same_problem(again, &own->problem,
                               format == SN_CONTACT_SICONOS_GLOBAL ? TOL_SOLVE : TOL_CHAIN, seed);
            sn_text_free(text);
            sn_contact_problem_free(again);
        }
        free(own);
    }
}

/// u = W r + q of the whole, for impulses of the contacts that stay and those of the equalities that make
/// their u zero, found by dense elimination.
static void closed_velocity(const own_problem* own, double* r, double* u) {
    const sn_contact_problem* problem = &own->problem;
    int32_t n = sn_contact_rows(problem), equal[ROWS_MOST], m = 0;
    double A[ROWS_MOST][ROWS_MOST + 1], *W = dense_of(problem);
    for (int32_t i = 0; i < problem->count; i++)
        for (int32_t row = own->first[i];
             own->law[i].kind == SN_CONTACT_EQUAL && row < own->first[i + 1]; row++)
            equal[m++] = row;
    sn_contact_apply(problem, r, u);
    for (int32_t i = 0; i < m; i++) {
        for (int32_t j = 0; j < m; j++) A[i][j] = W[equal[i] * n + equal[j]];
        A[i][m] = -(u[equal[i]] + own->q[equal[i]]);
    }
    for (int32_t i = 0; i < m; i++) {
        int32_t best = i;
        for (int32_t k = i + 1; k < m; k++)
            if (fabs(A[k][i]) > fabs(A[best][i])) best = k;
        for (int32_t j = 0; j <= m; j++) {
            double kept = A[i][j];
            A[i][j] = A[best][j];
            A[best][j] = kept;
        }
        for (int32_t k = 0; k < m; k++)
            for (int32_t j = m; j >= i && k != i; j--) A[k][j] -= A[k][i] / A[i][i] * A[i][j];
    }
    for (int32_t i = 0; i < m; i++) r[equal[i]] = A[i][m] / A[i][i];
    sn_contact_apply(problem, r, u);
    for (int32_t row = 0; row < n; row++) u[row] += own->q[row];
    free(W);
}

/// Writes, reads, and compares u of both for random impulses.
static void check_eliminated(const own_problem* own, sni_rng* rng, uint64_t seed) {
    double r[ROWS_MOST] = {0}, u[ROWS_MOST], r_left[ROWS_MOST] = {0}, u_left[ROWS_MOST];
    char* text = write_text(&own->problem, SN_CONTACT_FC3D);
    sn_contact_problem* left = load_again(text);
    int32_t to = 0;
    for (int32_t i = 0; i < own->problem.count; i++) {
        if (own->law[i].kind == SN_CONTACT_EQUAL) continue;
        for (int32_t k = 0; k < own->law[i].rows; k++)
            r[own->first[i] + k] = r_left[3 * to + k] = uniform(rng);
        CHECK(left->law[to].mu == (own->law[i].kind == SN_CONTACT_POINT ? own->law[i].mu : 0),
              seed);
        to += 1;
    }
    CHECK(left->count == to, seed);
    closed_velocity(own, r, u);
    sn_contact_apply(left, r_left, u_left);
    to = 0;
    for (int32_t i = 0; i < own->problem.count; i++) {
        if (own->law[i].kind == SN_CONTACT_EQUAL) continue;
        for (int32_t k = 0; k < 3; k++) {
            double expected = k < own->law[i].rows ? u[own->first[i] + k] : 0;
            CHECK_NEAR(u_left[3 * to + k] + left->q[3 * to + k], expected, 1e-9, seed);
        }
        to += 1;
    }
    sn_text_free(text);
    sn_contact_problem_free(left);
}

static void equalities_are_eliminated_and_limits_have_no_tangents(void** state) {
    (void)state;
    for (uint64_t k = 0; k < 300; k++) {
        uint64_t seed = test_case_seed(4, k);
        sni_rng rng = {seed};
        own_problem* own = calloc(1, sizeof *own);
        int count = 2 + sni_rng_index(&rng, 6), equal = 0;
        for (int i = 0; i < count; i++) {
            int kind = sni_rng_index(&rng, 3), rows = 1 + sni_rng_index(&rng, 3);
            if (kind == 0) add_contact(own, SN_CONTACT_POINT, 3, sni_rng_uniform(&rng, 0, 1));
            if (kind == 1) add_contact(own, SN_CONTACT_LIMIT, 1, 0);
            if (kind == 2) add_contact(own, SN_CONTACT_EQUAL, rows, 0);
            if (kind == 2) equal += rows;
            if (kind && sni_rng_index(&rng, 2)) own->law[i].compliance = 0.1;
        }
        fill_q(own, &rng);
        fill_matrix(own, equal + 12, &rng); // enough freedoms: the equalities are independent
        check_eliminated(own, &rng, seed);
        free(own);
    }
}

static void an_equality_given_twice_is_eliminated_once(void** state) {
    (void)state;
    sni_rng rng = {test_case_seed(5, 0)};
    own_problem* own = calloc(1, sizeof *own);
    add_contact(own, SN_CONTACT_EQUAL, 1, 0);
    add_contact(own, SN_CONTACT_POINT, 3, 0.5);
    add_contact(own, SN_CONTACT_EQUAL, 1, 0);
    fill_q(own, &rng);
    fill_matrix(own, 6, &rng);
    double* W = dense_of(&own->problem);
    for (int32_t k = 0; k < 5; k++) W[5 * 4 + k] = W[k]; // row 4 = row 0, then column 4 = column 0
    for (int32_t k = 0; k < 5; k++) W[5 * k + 4] = W[5 * k];
    int64_t at = 0;
    for (int32_t i = 0; i < 3; i++)
        for (int32_t j = 0; j < 3; j++)
            for (int32_t r = own->first[i]; r < own->first[i + 1]; r++)
                for (int32_t c = own->first[j]; c < own->first[j + 1]; c++)
                    own->value[at++] = W[5 * r + c];
    own->q[4] = own->q[0];
    char* text = write_text(&own->problem, SN_CONTACT_FC3D);
    sn_contact_problem* left = load_again(text);
    double* W_left = dense_of(left);
    for (int r = 0; r < 3; r++) {
        CHECK_NEAR(left->q[r], own->q[1 + r] - W[5 * (1 + r)] / W[0] * own->q[0], TOL_CHAIN, 0);
        for (int c = 0; c < 3; c++)
            CHECK_NEAR(W_left[3 * r + c], W[5 * (1 + r) + 1 + c] - W[5 * (1 + r)] * W[1 + c] / W[0],
                       TOL_CHAIN, 0);
    }
    sn_text_free(text);
    sn_contact_problem_free(left);

    own->q[4] = own->q[0] + 1; // and now they contradict each other
    sn_error error;
    assert_int_equal(sn_contact_problem_write(&own->problem, SN_CONTACT_FC3D, &text, &error),
                     SN_ERR_NUMERIC);
    assert_null(text);
    assert_non_null(strstr(error.text, "contradicts others"));
    free(W);
    free(W_left);
    free(own);
}

static void what_files_cannot_hold_is_refused_by_contact(void** state) {
    (void)state;
    static const struct {
        sn_contact_kind kind;
        int32_t rows;
        double viscous, mu_kinetic;
        sn_contact_format format;
        const char* text;
    } cases[] = {
        {SN_CONTACT_DRY, 1, 0, 0, SN_CONTACT_FC3D, "contact 1 is dry friction"},
        {SN_CONTACT_PATCH, 6, 0, 0, SN_CONTACT_SICONOS, "contact 1 is a patch"},
        {SN_CONTACT_POINT, 3, 2, 0, SN_CONTACT_FC3D, "contact 1 has viscous friction"},
        {SN_CONTACT_POINT, 3, 0, 0.5, SN_CONTACT_SICONOS, "contact 1 has friction that depends"},
        {SN_CONTACT_EQUAL, 2, 0, 0, SN_CONTACT_SICONOS_GLOBAL, "contact 1 is an equality"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        sni_rng rng = {test_case_seed(6, k)};
        own_problem* own = calloc(1, sizeof *own);
        add_contact(own, SN_CONTACT_POINT, 3, 0.5);
        add_contact(own, cases[k].kind, cases[k].rows, 0);
        own->law[1].viscous = cases[k].viscous;
        own->law[1].mu_kinetic = cases[k].mu_kinetic;
        own->law[1].stribeck_speed = 0.1;
        fill_q(own, &rng);
        fill_bodies(own, 2, &rng);
        char* text;
        sn_error error;
        assert_int_equal(sn_contact_problem_write(&own->problem, cases[k].format, &text, &error),
                         SN_ERR_ARGUMENT);
        assert_null(text);
        if (!strstr(error.text, cases[k].text)) fail_msg("%s", error.text);
        free(own);
    }
}

static void a_global_problem_needs_bodies_that_have_an_inverse(void** state) {
    (void)state;
    sni_rng rng = {test_case_seed(7, 0)};
    own_problem* own = random_points(&rng);
    char* text;
    sn_error error;
    fill_matrix(own, 6, &rng);
    assert_int_equal(
        sn_contact_problem_write(&own->problem, SN_CONTACT_SICONOS_GLOBAL, &text, &error),
        SN_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "not by bodies"));
    own->problem.matrix = (sn_contact_matrix){0};
    fill_bodies(own, 2, &rng);
    for (int64_t k = own->response[1]; k < own->response[2]; k++) own->responses[k] = 1; // rank 1
    assert_int_equal(
        sn_contact_problem_write(&own->problem, SN_CONTACT_SICONOS_GLOBAL, &text, &error),
        SN_ERR_NUMERIC);
    assert_non_null(strstr(error.text, "the response of tree 1"));
    free(own);
}

// ---- mistakes -----------------------------------------------------------------------------------------

typedef struct mistake {
    const char* text;
    int line;
    const char* said;
} mistake;

static void check_mistakes(const mistake* cases, size_t count) {
    int wrong = 0;
    for (size_t k = 0; k < count; k++) {
        sn_contact_problem* problem = (sn_contact_problem*)&count;
        sn_error error = {0};
        sn_status status = sn_contact_problem_load_memory(cases[k].text, strlen(cases[k].text),
                                                          "bad.txt", &problem, &error);
        if (status == SN_OK) fail_msg("loaded: %s", cases[k].text);
        assert_null(problem);
        assert_int_equal(error.status, status);
        assert_string_equal(error.file, "bad.txt");
        if (error.line == cases[k].line && strstr(error.text, cases[k].said)) continue;
        print_error("case %d says in line %d: %s\n", (int)k, error.line, error.text);
        wrong += 1;
    }
    assert_int_equal(wrong, 0);
}
#define CHECK_MISTAKES(cases) check_mistakes(cases, sizeof cases / sizeof cases[0])

static void mistakes_in_plain_problems_are_named_by_line(void** state) {
    (void)state;
    static const mistake cases[] = {
        {"", 0, "the file is empty"},
        {" \n\t\n", 0, "the file is empty"},
        {"# nothing\n", 2, "number of contacts: expected a whole number from 0"},
        {"\x89HDF\r\n\x1a\n", 0, "an HDF5 file"},
        {"# a\n1 3 x\n", 2, "entries of W: expected a whole number from 0 to"},
        {"# a\n1 4 0\n", 2, "rows, 3 a contact: expected 3, found '4'"},
        {"# a\n-1 -3 0\n", 2, "number of contacts: expected"},
        {"# a\n1 3 1.5\n", 2, "found '1.5'"},
        {"# a\n1 3 1\n0.5\n1 2 3\n0 0", 5, "W[0]: expected a number, found the end of the file"},
        {"# a\n1 3 1\n0.5\n1 2 nan\n0 0 1\n", 4, "q[2]: expected a finite number, found 'nan'"},
        {"# a\n1 3 1\n0.5\n1 -inf 2\n0 0 1\n", 4, "q[1]: expected a finite number, found '-inf'"},
        {"# a\n1 3 1\n0.5\n1 1e999 2\n0 0 1\n", 4, "q[1]: expected a number that fits a double"},
        {"# a\n1 3 1\n0.5\n1 0x10 2\n0 0 1\n", 4, "q[1]: expected a finite number, found '0x10'"},
        {"# a\n1 3 1\n-0.5\n1 2 3\n0 0 1\n", 3, "mu[0]: expected a coefficient of friction of at"},
        {"# a\n1 3 1\n0.5\n1 2 3\n0 3 1\n", 5, "column of W: expected a whole number from 0 to 2"},
        {"# a\n1 3 1\n0.5\n1 2 3\n-1 0 1\n", 5, "row of W: expected a whole number from 0 to 2"},
        {"# a\n1 3 2\n0.5\n1 2 3\n2 1 1\n2 1 1\n", 6,
         "W: row 2, column 1: expected each place once, found it in line 5 already"},
        {"# a\n1 3 1\n0.5\n1 2 3\n0 0 1\n1 1 1\n", 6,
         "expected the end of the file after 1 entries"},
        {"# a\n1 3 1\n0.5 # and\n1 2 3\n0 0 one\n", 5,
         "W[0]: expected a finite number, found 'one'"},
        {"# a\n50000000 150000000 5\n0.5\n", 2,
         "expected 200000015 numbers, found room for at most"},
        {"# a\n1 3 2000000000\n0.5\n1 2 3\n", 2, "expected 6000000004 numbers, found room"},
        {"# a\n99999999999999999999 3 1\n", 2, "number of contacts: expected a whole number"},
        {"# a\n1 3 1\n0.5\n1 2 averyveryverylongwordthatisnonumber\n0 0 1\n", 4,
         "found 'averyveryverylongwordtha...'"},
    };
    CHECK_MISTAKES(cases);
}

#define LOCAL(middle) "3\n1\n" middle "1 2 3\n0.5\n"
#define DENSE "0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n"

static void mistakes_in_siconos_problems_are_named_by_line(void** state) {
    (void)state;
    static const mistake cases[] = {
        {"2\n1\n" DENSE "1 2 3\n0.5\n", 1, "dimension of a contact: expected 3, found 2"},
        {"3\n0\n" DENSE "1 2 3\n0.5\n", 2, "number of contacts: expected a whole number from 1"},
        {"hello\n", 1, "dimension of a contact: expected a whole number"},
        {LOCAL("7\n3\n3\n"), 3, "storage of a matrix (0 dense, 1 sparse block, 2 sparse)"},
        {LOCAL("0\n3\n4\n3 4\n"), 6, "W (or M): expected 12 numbers, found room for at most 6"},
        {LOCAL("0\n3\n3\n3 4\n"), 6, "columns, again: expected 3, found '4'"},
        {"3\n2\n" DENSE "1 2 3 4 5 6\n0.5 0.5\n", 5, "W: expected 6 rows for 2 contacts"},
        {"3\n1\n0\n2\n3\n2 3\n1 0 0\n0 1 0\n1 2 3\n0.5\n", 5,
         "first matrix: expected as many rows as columns, found 2 x 3"},
        {"3\n1\n" DENSE "1 2 nan\n0.5\n", 10, "q[2]: expected a finite number, found 'nan'"},
        {"3\n1\n" DENSE "1 2 3\n-1\n", 11, "mu[0]: expected a coefficient of friction"},
        {"3\n1\n" DENSE "1 2 3\n", 11, "mu[0]: expected a number, found the end of the file"},
        {"3\n1\n" DENSE "1 2 3\n0.5\n1\n1\n", 13, "expected the end of the file after mu"},
        {"3\n1\n" DENSE "1 2 3\n0.5\nend\n", 12, "flag at the end: expected a finite number"},
        {"3\n80000000\n0\n3\n3\n", 2, "q and mu: expected 320000000 numbers, found room"},
        {"3\n1\n0\n90000000\n90000000\n90000000 90000000\n1 2 3 4 5 6", 6,
         "W (or M): expected 8100000000000000 numbers, found room"},
        // sparse block: blocks, lines, columns, ends, starts, columns, blocks
        {LOCAL("1\n3\n3\n1\n4\n1\n"), 7, "lines of blocks: expected a whole number from 1 to 3"},
        {LOCAL("1\n3\n3\n1\n1\n1\n2\n3\n2\n1\n0 1\n0\n0\n1 0 0 0 1 0 0 0 1\n"), 9,
         "end of a line of blocks: expected 3, found '2'"},
        {LOCAL("1\n3\n3\n1\n1\n1\n3\n3\n2\n1\n0 2\n0\n0\n1 0 0 0 1 0 0 0 1\n"), 13,
         "first block of a line: expected 1, found '2'"},
        {LOCAL("1\n3\n3\n1\n1\n1\n3\n3\n2\n1\n0 1\n1\n0\n1 0 0 0 1 0 0 0 1\n"), 14,
         "column of a block: expected 0, found '1'"},
        {LOCAL("1\n3\n3\n1\n1\n1\n3\n3\n2\n1\n0 1\n0\n5\n1 0 0 0 1 0 0 0 1\n"), 15,
         "number of a block: expected 0, found '5'"},
        {LOCAL("1\n3\n3\n2\n1\n1\n3\n3\n2\n2\n0 2\n0 0\n0\n1 0 0 0 1 0 0 0 1\n"), 14,
         "block 1: expected each place once"},
        {LOCAL("1\n3\n3\n2000000000\n1\n1\n3\n3\n2\n2000000000\n0 2000000000\n0\n"), 13,
         "columns of the blocks: expected 2000000000 numbers"},
        // sparse
        {LOCAL("2\n3\n3\n1\nSparse\n"), 7, "sparse matrix: expected 'CSparse', found 'Sparse'"},
        {LOCAL("2\n3\n3\n1\nCSparse x\ntriplet: 3-by-3, nzmax: 4 nnz: 900000000\n"), 8,
         "expected 3600000000 numbers, found room"},
        {LOCAL("2\n3\n3\n1\nCSparse x\ntriplet: 3-by-3, nzmax: 4 nnz: 1\n0 3 : 1\n"), 9,
         "column: expected a whole number from 0 to 2, found '3'"},
        {LOCAL("2\n3\n3\n1\nCSparse x\ntriplet: 3-by-3, nzmax: 4 nnz: 2\n0 2 : 1\n0 2 : 3\n"), 10,
         "W: row 0, column 2: expected each place once, found it in line 9 already"},
        {LOCAL("2\n3\n3\n2\nCSparse x\n3-by-3, nzmax: 4 nnz: 2, 1-norm: 1\ncol 1 : locations 0 to "
               "0\n"),
         9, "column: expected 0, found '1'"},
        // global
        {"3\n1\n0\n2\n2\n2 2\n1 2 2 4\n0\n2\n3\n2 3\n1 0 0 1 1 1\n1 2\n1 2 3\n0.5\n", 0,
         "M: expected a matrix that has an inverse, found it singular"},
        {"3\n1\n0\n2\n2\n2 2\n1 0 0 1\n0\n2\n3\n2 3\n1 0 0 1 1 x\n1 2\n1 2 3\n0.5\n", 12,
         "H[5]: expected a finite number, found 'x'"},
        {"3\n1\n0\n2\n2\n2 2\n1 0 0 1\n0\n2\n3\n2 3\n1 0 0 1 1 1\n1 2\n1 2\n0.5\n", 16,
         "mu[0]: expected a number"},
        {"3\n1\n0\n1\n1\n1 1\n1e-200\n0\n1\n3\n1 3\n1e200 0 0\n1\n1 2 3\n0.5\n", 0,
         "numbers are too large for a double"},
    };
    CHECK_MISTAKES(cases);
}

static void check_every_beginning(const char* path) {
    size_t length;
    char* text = read_whole_file(path, &length);
    assert_non_null(text);
    for (size_t cut = 0; cut < length; cut += 1 + cut / 97) {
        sn_contact_problem* problem;
        sn_error error = {0};
        sn_status status = sn_contact_problem_load_memory(text, cut, "cut", &problem, &error);
        assert_true((status == SN_OK) == (problem != NULL));
        if (status) assert_true(error.status == status && error.text[0]);
        sn_contact_problem_free(problem);
    }
    free(text);
}

static void a_file_cut_anywhere_is_refused_with_a_reason_or_still_whole(void** state) {
    (void)state;
    assert_true(for_each_file(DATA, ".dat", check_every_beginning) > 0);
    assert_true(for_each_file(DATA, ".fc3d", check_every_beginning) > 0);
}

static void files_that_are_none_are_refused(void** state) {
    (void)state;
    sn_contact_problem* problem;
    sn_error error;
    assert_int_equal(sn_contact_problem_load("/nowhere/x.dat", &problem, &error), SN_ERR_FILE);
    assert_non_null(strstr(error.text, "no such file"));
    assert_int_equal(sn_contact_problem_load("/", &problem, &error), SN_ERR_FILE);
    assert_non_null(strstr(error.text, "is a folder"));
    assert_int_equal(sn_contact_problem_load(NULL, &problem, &error), SN_ERR_ARGUMENT);
    assert_int_equal(sn_contact_problem_load_memory(NULL, 1, "x", &problem, NULL), SN_ERR_ARGUMENT);
    assert_int_equal(sn_contact_problem_write(NULL, SN_CONTACT_FC3D, NULL, NULL), SN_ERR_ARGUMENT);
    sn_contact_problem_free(NULL);
}

static void a_comma_locale_changes_nothing(void** state) {
    (void)state;
    use_comma_locale();
    sn_contact_problem* problem = load_problem(DATA "/pair.fc3d");
    char* text = write_text(problem, SN_CONTACT_SICONOS);
    assert_null(strchr(text, ','));
    sn_contact_problem* again = load_again(text);
    check_same_problem(again, problem, 0, 0);
    setlocale(LC_ALL, "C");
    sn_text_free(text);
    sn_contact_problem_free(problem);
    sn_contact_problem_free(again);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_to_write_a_problem_gives_the_same_numbers),
        cmocka_unit_test(contacts_that_are_apart_have_no_blocks_between_them),
        cmocka_unit_test(the_content_of_a_file_tells_its_format),
        cmocka_unit_test(originals_of_siconos_are_what_they_were_converted_to),
        cmocka_unit_test(references_solve_their_problems),
        cmocka_unit_test(point_contacts_come_back_to_the_last_bit),
        cmocka_unit_test(compliance_is_part_of_what_is_written),
        cmocka_unit_test(problems_by_bodies_are_the_same_local_and_global),
        cmocka_unit_test(equalities_are_eliminated_and_limits_have_no_tangents),
        cmocka_unit_test(an_equality_given_twice_is_eliminated_once),
        cmocka_unit_test(what_files_cannot_hold_is_refused_by_contact),
        cmocka_unit_test(a_global_problem_needs_bodies_that_have_an_inverse),
        cmocka_unit_test(mistakes_in_plain_problems_are_named_by_line),
        cmocka_unit_test(mistakes_in_siconos_problems_are_named_by_line),
        cmocka_unit_test(a_file_cut_anywhere_is_refused_with_a_reason_or_still_whole),
        cmocka_unit_test(files_that_are_none_are_refused),
        cmocka_unit_test(a_comma_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
