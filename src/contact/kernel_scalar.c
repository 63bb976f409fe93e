// SPDX-License-Identifier: Apache-2.0
// Sweeps and Newton steps for any machine.
#include "contact/judge.h"
#include "contact/system.h"

static bool works_everywhere(void) { return true; }

#include "contact/sweep.inc"

#include "contact/band.inc"

#include "contact/newton.inc"

#include "contact/factor.inc"

#include "contact/course.inc"

#include "contact/tell.inc"

const sni_contact_kernel sni_contact_kernel_scalar = {works_everywhere, fill_bodies, start_system,
                                                      advance, tell};
