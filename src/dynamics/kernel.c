// SPDX-License-Identifier: Apache-2.0
#include "dynamics/kernel.h"

const sni_kernel* sni_kernel_pick(void) {
    return sni_kernel_avx2.works() ? &sni_kernel_avx2 : &sni_kernel_scalar;
}
