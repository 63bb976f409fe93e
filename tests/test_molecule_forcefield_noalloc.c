// SPDX-License-Identifier: Apache-2.0
// Evaluations allocate nothing, new lists and kept sums included.
#include "support/check.h"
#include "support/noalloc.h"
#include "support/peptide.h"

static void evaluating_allocates_nothing(void** state) {
    (void)state;
    uint64_t seed = test_case_seed(1, 0);
    peptide* m = peptide_random(seed, 20);
    peptide_cut(m, seed, 1);
    sn_forcefield_def def = sn_forcefield_def_default();
    sn_forcefield* field = NULL;
    CHECK_STATUS(sni_field_create(&m->input, &def, &field, NULL), SN_OK);
    int32_t groups = m->input.group_count;
    sn_wrench* wrenches = malloc(sizeof(sn_wrench) * (size_t)groups);
    int32_t* part = calloc((size_t)groups, sizeof *part);
    for (int32_t g = 0; g < groups; g++) part[g] = g / 3;
    sn_forcefield_report report;
    int32_t rebuilt = 0;
    for (int32_t step = 0; step < 12; step++) {
        armed = true;
        if (step % 4 == 0) sn_forcefield_set_parts(field, step % 8 ? NULL : part);
        CHECK_STATUS(sn_forcefield_evaluate(field, m->X_wg, wrenches, &report), SN_OK);
        armed = false;
        rebuilt += report.rebuilt;
        peptide_twist(m, seed + (uint64_t)step, 0.05);
    }
    CHECK(rebuilt > 3, seed);
    CHECK(violations == 0, seed);
    free(wrenches);
    free(part);
    sn_forcefield_free(field);
    peptide_free(m);
}

static void no_memory_is_an_error(void** state) {
    (void)state;
    peptide* m = peptide_random(test_case_seed(2, 0), 3);
    sn_forcefield_def def = sn_forcefield_def_default();
    sn_forcefield* field = NULL;
    sn_status status = SN_ERR_MEMORY;
    for (long calls = 1; status == SN_ERR_MEMORY && calls < 100; calls++) {
        refuse_after = calls;
        status = sni_field_create(&m->input, &def, &field, NULL);
        refuse_after = -1;
    }
    CHECK_STATUS(status, SN_OK);
    sn_forcefield_free(field);
    peptide_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluating_allocates_nothing),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
