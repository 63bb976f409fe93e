// SPDX-License-Identifier: Apache-2.0
#include "sinew/units.h"

#include <math.h>
#include <string.h>

#include "support/check.h"

// CODATA 2018, exact but for u
static const double AVOGADRO = 6.02214076e23;
static const double U = 1.66053906660e-27; // kg

static void a_molecular_force_is_so_many_piconewtons(void** state) {
    (void)state;
    const sn_units* u = sn_units_of(SN_UNITS_MOLECULAR);
    double newton = 1e3 / AVOGADRO / 1e-9; // of one kJ/(mol nm)
    CHECK_RELATIVE(u->force.factor, newton / 1e-12, 1e-9, 0);
    CHECK_RELATIVE(u->moment.factor, newton * 1e-9 / (1e-12 * 1e-9), 1e-9, 0);
    CHECK_RELATIVE(u->stiffness.factor, newton / 1e-9 / (1e-12 / 1e-9), 1e-9, 0);
    CHECK_RELATIVE(u->damping.factor, newton * 1e-12 / 1e-9 / (1e-12 * 1e-12 / 1e-9), 1e-9, 0);
    CHECK_RELATIVE(u->way.factor, 1e-9 / 1e-10, 1e-15, 0);
}

/// Mass, length and time make the energy, so that nothing has a factor inside.
static void molecular_units_fit_together(void** state) {
    (void)state;
    double joule = U * 1e-9 * 1e-9 / (1e-12 * 1e-12); // of one u nm2/ps2
    CHECK_RELATIVE(joule, 1e3 / AVOGADRO, 1e-9, 0);
}

static void si_is_shown_as_it_is_but_for_short_ways(void** state) {
    (void)state;
#define CHECK_SI(field, si, si_shown, si_factor, mol, mol_shown, mol_factor)                       \
    if (strcmp(#field, "way") != 0) {                                                              \
        CHECK(u->field.factor == 1, 0);                                                            \
        assert_string_equal(u->field.symbol, u->field.shown);                                      \
    }
    const sn_units* u = sn_units_of(SN_UNITS_SI);
    SN_UNIT_LIST(CHECK_SI)
#undef CHECK_SI
    assert_string_equal(u->way.shown, "mm");
    CHECK(u->way.factor == 1e3, 0);
}

static void what_is_no_system_is_si(void** state) {
    (void)state;
    CHECK(sn_units_of((sn_unit_system)17) == sn_units_of(SN_UNITS_SI), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_molecular_force_is_so_many_piconewtons),
        cmocka_unit_test(molecular_units_fit_together),
        cmocka_unit_test(si_is_shown_as_it_is_but_for_short_ways),
        cmocka_unit_test(what_is_no_system_is_si),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
