// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include "support/check.h"

static const char* nearest(const char* wanted, const char* a, const char* b, const char* c) {
    sni_nearest search = {.wanted = wanted};
    sni_nearest_offer(&search, a);
    sni_nearest_offer(&search, b);
    sni_nearest_offer(&search, c);
    return search.best ? search.best : "none";
}

static void slips_of_typing_are_understood(void** state) {
    (void)state;
    assert_string_equal(nearest("left_hadn", "right_hand", "left_hand", "left_arm"), "left_hand");
    assert_string_equal(nearest("revolut", "prismatic", "revolute", "fixed"), "revolute");
    assert_string_equal(nearest("fixd", "prismatic", "revolute", "fixed"), "fixed");
    assert_string_equal(nearest("l_1", "l_2", "l_1_", "x"), "l_2"); // the first of equals
}

static void other_names_are_not_suggested(void** state) {
    (void)state;
    assert_string_equal(nearest("gripper", "left_hand", "torso", "head"), "none");
    assert_string_equal(nearest("", "left_hand", "torso", "head"), "none");
    assert_string_equal(nearest("ab", "xy", "abcdef", "b__"), "none");
}

static void long_names_are_compared_by_their_start(void** state) {
    (void)state;
    char a[301], b[301];
    for (int i = 0; i < 300; i++) a[i] = b[i] = 'n';
    a[300] = b[300] = '\0';
    b[0] = 'm';
    assert_string_equal(nearest(a, "n", b, "x"), b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slips_of_typing_are_understood),
        cmocka_unit_test(other_names_are_not_suggested),
        cmocka_unit_test(long_names_are_compared_by_their_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
