// SPDX-License-Identifier: Apache-2.0
/// W of a problem, whichever way it is given: products, blocks, diagonal.
#ifndef SN_CONTACT_OPERATOR_H
#define SN_CONTACT_OPERATOR_H

#include "contact/sn_contact.h"

/// What the law adds to a diagonal entry of W.
double sni_law_compliance(const sn_contact_law* law, int32_t row);

int32_t sni_bodies_count(const sn_contact_bodies* bodies);
/// Bodies of the largest tree.
int32_t sni_bodies_largest_tree(const sn_contact_bodies* bodies);
/// Tree of a body.
int32_t sni_bodies_tree(const sn_contact_bodies* bodies, int32_t body);

/// f = C'r, what impulses are to the bodies: six numbers each. There is room for eight.
void sni_operator_wrenches(const sn_contact_problem* problem, const double* r, double* f);
/// Numbers that sni_operator_spread needs: none for a matrix.
int64_t sni_operator_scratch(const sn_contact_problem* problem);
/// Before rows are asked for: what r does to the bodies, kept in scratch: the velocities that it gives them,
/// six numbers each, then its wrenches on them.
void sni_operator_spread(const sn_contact_problem* problem, const double* r, double* scratch);
/// The rows of W r of one contact, compliance included.
void sni_operator_row(const sn_contact_problem* problem, int32_t i, const double* r,
                      const double* scratch, double* out);

/// Block (i, j) of W, row-major, without compliance. False: it is zero, and nothing is written.
bool sni_operator_block(const sn_contact_problem* problem, int32_t i, int32_t j, double* block);
/// Sum of the diagonal, compliance included.
double sni_operator_trace(const sn_contact_problem* problem);
/// Its mean, by which the natural map is scaled; 1 when it is not positive.
double sni_operator_scale(const sn_contact_problem* problem);

#endif
