// SPDX-License-Identifier: Apache-2.0
/// The verdict on impulses, with memory of the caller's.
#ifndef SN_CONTACT_JUDGE_H
#define SN_CONTACT_JUDGE_H

#include "contact/sn_contact.h"

/// Of a problem whose scale is known; scratch: sni_operator_scratch numbers.
sn_contact_verdict sni_judge(const sn_contact_problem* problem, double scale, const double* r,
                             double* scratch);

/// Adds a contact, at which impulses r leave the velocity u.
void sni_tally_add(sni_tally* tally, const sn_contact_law* law, double scale, const double* q,
                   const double* r, const double* u);
sn_contact_verdict sni_tally_verdict(const sni_tally* tally, double scale);

#endif
