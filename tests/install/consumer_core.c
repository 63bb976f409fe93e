// SPDX-License-Identifier: Apache-2.0
// The smallest program a user could write, built against the installed core only.
#include <sinew/sinew.h>
#include <stdio.h>

int main(void) {
    puts(sn_status_text(SN_OK));
    return 0;
}
