// SPDX-License-Identifier: Apache-2.0
/// The one figure by which all solvers are judged, with memory of the caller.
#ifndef SN_CONTACT_JUDGE_H
#define SN_CONTACT_JUDGE_H

#include "contact/sn_contact.h"

/// scratch: sni_operator_scratch numbers. scale: sni_operator_scale.
sn_contact_verdict sni_judge(const sn_contact_problem* problem, double scale, const double* r,
                             double* scratch);

#endif
