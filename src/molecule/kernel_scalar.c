// SPDX-License-Identifier: Apache-2.0
// Pairs of atoms for any machine.
#include "molecule/kernel.inc"

static bool works_everywhere(void) { return true; }

const sni_field_kernel sni_field_kernel_scalar = {works_everywhere, "portable", make_list,
                                                  single_pairs, double_pairs};
