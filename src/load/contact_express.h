// SPDX-License-Identifier: Apache-2.0
/// Any problem of points, limits and equalities, told as point contacts only.
#ifndef SN_LOAD_CONTACT_EXPRESS_H
#define SN_LOAD_CONTACT_EXPRESS_H

#include "load/contact_parts.h"

/// SN_ERR_ARGUMENT, naming the contact, when it is of a kind that files do not know. `equal`: whether
/// SN_CONTACT_EQUAL may be among them.
sn_status sni_express_check(const sn_contact_problem* problem, bool equal, sn_error* error);

/// W and q of the point contacts. EQUAL rows are eliminated, LIMIT rows get zero tangential rows,
/// compliance is in W.
sn_status sni_express(const sn_contact_problem* problem, sni_points* points, sn_error* error);

#endif
