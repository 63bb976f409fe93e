// SPDX-License-Identifier: Apache-2.0
// Any bytes: an error with a reason, or a contact problem that can be written, read again, and solved by
// every solver to impulses that are finite.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/contact_file.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { CONTACTS_MOST = 24, ITERATIONS = 8 };

static void expect(bool holds) {
    if (!holds) abort();
}

static void check_round_trip(const sn_contact_problem* problem) {
    for (int format = SN_CONTACT_FC3D; format <= SN_CONTACT_SICONOS; format++) {
        char *text, *again;
        sn_error error;
        sn_contact_problem* copy;
        if (problem->count == 0 && format == SN_CONTACT_SICONOS) return; // there is no such file
        expect(sn_contact_problem_write(problem, (sn_contact_format)format, &text, &error) ==
               SN_OK);
        expect(sn_contact_problem_load_memory(text, strlen(text), "again", &copy, &error) == SN_OK);
        expect(sn_contact_problem_write(copy, (sn_contact_format)format, &again, &error) == SN_OK);
        expect(strcmp(text, again) == 0);
        sn_text_free(text);
        sn_text_free(again);
        sn_contact_problem_free(copy);
    }
}

static void check_solver(const char* name, const sn_contact_problem* problem, double* r) {
    sn_contact_capacity capacity = sn_contact_capacity_of(problem);
    sn_solve_options options = sn_solve_options_default();
    sn_solve_report report;
    sn_contact_solver* solver;
    sn_error error;
    int32_t rows = sn_contact_rows(problem);
    options.iterations = ITERATIONS;
    memset(r, 0, (size_t)rows * sizeof *r);
    expect(sn_contact_solver_create(name, &capacity, 0, &solver, &error) == SN_OK);
    (void)sn_contact_solve(solver, problem, &options, r, &report, &error); // it may refuse
    for (int32_t i = 0; i < rows; i++) expect(isfinite(r[i]));
    sn_contact_solver_free(solver);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    sn_contact_problem* problem;
    sn_error error;
    sn_status status =
        sn_contact_problem_load_memory((const char*)data, size, "fuzz", &problem, &error);
    expect((status == SN_OK) == (problem != NULL));
    if (status != SN_OK) {
        expect(error.status == status && error.text[0] && error.file[0]);
        return 0;
    }
    expect(sn_contact_check(problem, &error) == SN_OK);
    check_round_trip(problem);
    double* r = calloc((size_t)sn_contact_rows(problem) + 1, sizeof *r);
    expect(r != NULL);
    for (int i = 0; sn_contact_solver_name(i) && problem->count <= CONTACTS_MOST; i++)
        check_solver(sn_contact_solver_name(i), problem, r);
    free(r);
    sn_contact_problem_free(problem);
    return 0;
}
