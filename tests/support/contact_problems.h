// SPDX-License-Identifier: Apache-2.0
/// Random contact problems whose arrays a test may change, with room for answers.
///
///     contact_case* c = contact_box(seed, 8, 0.5);
///     sn_contact_solve(solver, &c->p, &options, c->r, &report, NULL);
///     contact_case_free(c);
///
/// The view c->p points into the arrays, which may be written until the next solve.
#ifndef SINEW_TESTS_CONTACT_PROBLEMS_H
#define SINEW_TESTS_CONTACT_PROBLEMS_H

#include <stdbool.h>
#include <stdint.h>

#include "sinew/contact.h"

typedef struct contact_case {
    uint64_t seed;
    sn_contact_problem p;
    int32_t count, rows;
    sn_contact_law* law;
    int32_t* first;
    uint64_t* id; ///< 1, 2, ...
    double* q;
    // bodies
    int32_t *tree, *a, *b;
    int64_t* response;
    double *response_value, *C_a, *C_b;
    double* v_free; ///< [6 bodies] q = C v_free, before a test adds to it
    // matrix
    int32_t *start, *column;
    int64_t* offset;
    double* value;
    // room for answers
    double *r, *u;
} contact_case;

void contact_case_free(contact_case* c);

/// A free box on the ground: `contacts` points under it, more than hold it. It slides, turns and falls.
contact_case* contact_box(uint64_t seed, int32_t contacts, double mu);
/// Boxes on top of each other, four points between two of them; mass ratio between neighbours.
contact_case* contact_pile(uint64_t seed, int32_t boxes, double mu, double mass_ratio);
/// One point with a random positive definite W and an approaching q; by matrix.
contact_case* contact_single(uint64_t seed, double mu);
/// Points with W = J J', J of random numbers with `freedoms` columns, q in the range of W; by matrix.
contact_case* contact_random(uint64_t seed, int32_t contacts, int32_t freedoms, double mu);
/// Articulated trees, and contacts of the kinds whose bits (1 << kind) are in `kinds`.
contact_case* contact_mixed(uint64_t seed, int32_t contacts, unsigned kinds);
/// Several problems of bodies in one, which do not touch each other: some boxes, some piles.
contact_case* contact_heap(uint64_t seed, int32_t parts, double mu);

/// The same W as blocks, without bodies.
contact_case* contact_by_matrix(const contact_case* c);
/// The same problem with its contacts in another order: contact k was order[k].
contact_case* contact_in_order(const contact_case* c, const int32_t* order);

/// One coefficient at all speeds.
void contact_set_mu(contact_case* c, double mu);
void contact_random_order(uint64_t seed, int32_t count, int32_t* order);

#endif
