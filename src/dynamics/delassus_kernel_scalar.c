// SPDX-License-Identifier: Apache-2.0
// The Delassus operator for any machine.
#include "dynamics/delassus_passes.inc"

#include "dynamics/delassus_joints.inc"

#include "dynamics/delassus_project.inc"

static bool works_everywhere(void) { return true; }

const sni_delassus_kernel sni_delassus_kernel_scalar = {
    .works = works_everywhere,
    .compressed = compressed,
    .per_body = per_body,
    .chang_khatib = chang_khatib,
    .mixed = mixed,
    .load = load,
    .respond = respond,
    .project = project,
};

const sni_delassus_kernel* sni_delassus_kernel_pick(void) {
    return sni_delassus_kernel_avx2.works() ? &sni_delassus_kernel_avx2
                                            : &sni_delassus_kernel_scalar;
}
