// SPDX-License-Identifier: Apache-2.0
// The default solver without vector instructions.
#include "suite_contact_solver.h"

int main(void) {
    return suite_contact_solver((suite){.solver = "nsgs-scalar",
                                        .share = 1,
                                        .worst = 1e-8,
                                        .starts = true,
                                        .kinds = SUITE_ALL_KINDS,
                                        .speed = true});
}
