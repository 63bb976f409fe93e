// SPDX-License-Identifier: Apache-2.0
#include "device/link.h"

#include <string.h>

#include "support/check.h"

enum { MS = 1000000 };
static const int64_t T0 = 1000000000;

static sn_device_sample sample_at(int64_t time_ns) {
    sn_device_sample s = {.time_ns = time_ns, .buttons = 3};
    s.pose.R = sn_mat3_identity();
    return s;
}

static const sn_device_force FORCE = {{1, -2, 4}, {8, 16, -32}};

static void there_is_no_sample_before_the_first(void** state) {
    (void)state;
    sni_link link;
    sn_device_sample sample;
    sni_link_init(&link);
    CHECK_STATUS(sni_link_read(&link, T0, &sample), SN_ERR_FAULT);
    CHECK(sni_link_trouble(&link, T0)[0], 0);
    sn_device_sample s = sample_at(T0);
    sni_link_publish(&link, &s);
    CHECK_STATUS(sni_link_read(&link, T0, &sample), SN_OK);
    CHECK(sample.time_ns == T0 && sample.buttons == 3, 0);
    CHECK(!sni_link_trouble(&link, T0)[0], 0);
}

static void the_newest_sample_is_read_until_it_is_stale(void** state) {
    (void)state;
    sni_link link;
    sn_device_sample sample;
    sni_link_init(&link);
    for (int i = 0; i <= 10; i++) {
        sn_device_sample s = sample_at(T0 + i * MS);
        sni_link_publish(&link, &s);
    }
    int64_t newest = T0 + 10 * MS;
    CHECK_STATUS(sni_link_read(&link, newest + SNI_LINK_STALE_NS, &sample), SN_OK);
    CHECK(sample.time_ns == newest, 0);
    CHECK_STATUS(sni_link_read(&link, newest + SNI_LINK_STALE_NS + 1, &sample), SN_ERR_FAULT);
    CHECK(strstr(sni_link_trouble(&link, newest + SNI_LINK_STALE_NS + 1), "does not answer"), 0);
    sn_device_sample s = sample_at(newest + 40 * MS);
    sni_link_publish(&link, &s); // it comes back
    CHECK_STATUS(sni_link_read(&link, newest + 41 * MS, &sample), SN_OK);
}

static void there_is_no_force_before_the_first_is_written(void** state) {
    (void)state;
    sni_link link;
    sni_link_init(&link);
    sn_device_force f = sni_link_force_at(&link, T0);
    CHECK(sn_vec3_norm(f.force) == 0 && sn_vec3_norm(f.torque) == 0, 0);
}

/// A loop that died leaves no force behind, and takes it away without a jump.
static void a_force_is_held_then_fades_then_is_gone(void** state) {
    (void)state;
    sni_link link;
    sni_link_init(&link);
    (void)sni_link_write(&link, T0, &FORCE);
    double before = 1;
    for (int64_t age = 0; age < 100 * MS; age += MS / 10) {
        sn_device_force f = sni_link_force_at(&link, T0 + age);
        double share = f.force.z / FORCE.force.z;
        CHECK_NEAR(f.torque.z, share * FORCE.torque.z, TOL_ROUNDOFF * 32, 0);
        CHECK_NEAR(f.force.x, share * FORCE.force.x, TOL_ROUNDOFF, 0);
        if (age <= SNI_LINK_FRESH_NS) CHECK(share == 1, 0);
        if (age >= SNI_LINK_FRESH_NS + SNI_LINK_FADE_NS) CHECK(share == 0, 0);
        CHECK(share <= before && before - share <= 0.1 * MS / SNI_LINK_FADE_NS + TOL_ROUNDOFF, 0);
        before = share;
    }
    (void)sni_link_write(&link, T0 + 200 * MS, &FORCE);
    CHECK(sni_link_force_at(&link, T0 + 201 * MS).force.z == FORCE.force.z, 0);
}

static void writing_to_nobody_is_told_but_zero_is_always_well(void** state) {
    (void)state;
    sni_link link;
    sni_link_init(&link);
    const sn_device_force zero = {{0, 0, 0}, {0, 0, 0}};
    CHECK_STATUS(sni_link_write(&link, T0, &FORCE), SN_ERR_FAULT);
    CHECK_STATUS(sni_link_write(&link, T0, &zero), SN_OK);
    sn_device_sample s = sample_at(T0);
    sni_link_publish(&link, &s);
    CHECK_STATUS(sni_link_write(&link, T0 + MS, &FORCE), SN_OK);
    CHECK_STATUS(sni_link_write(&link, T0 + 21 * MS, &FORCE), SN_ERR_FAULT);
}

static void what_was_told_comes_before_what_is_seen(void** state) {
    (void)state;
    sni_link link;
    sni_link_init(&link);
    sni_link_tell(&link, "warm motors");
    CHECK(strcmp(sni_link_trouble(&link, T0), "warm motors") == 0, 0);
    sn_device_sample s = sample_at(T0);
    sni_link_publish(&link, &s);
    CHECK(strcmp(sni_link_trouble(&link, T0), "warm motors") == 0, 0);
    sni_link_tell(&link, "");
    CHECK(!sni_link_trouble(&link, T0)[0], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_no_sample_before_the_first),
        cmocka_unit_test(the_newest_sample_is_read_until_it_is_stale),
        cmocka_unit_test(there_is_no_force_before_the_first_is_written),
        cmocka_unit_test(a_force_is_held_then_fades_then_is_gone),
        cmocka_unit_test(writing_to_nobody_is_told_but_zero_is_always_well),
        cmocka_unit_test(what_was_told_comes_before_what_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
