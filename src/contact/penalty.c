// SPDX-License-Identifier: Apache-2.0
// "penalty": spring-dampers at the contacts, what the papers argue against [C12 1], in this algebra.
//
// A penalty force looks at one contact alone: how fast its bodies would approach, and how heavy they are
// there. Its stiffest useful setting takes the whole of that velocity away within the step,
//     r_n = max(0, -q_n / W_nn),   r_t = -min( 1/tr(W_tt), mu r_n / |q_t| ) q_t,
// which is right for a single contact without coupling of its rows, and wrong as soon as contacts share a
// body: each of four feet pushes as if it stood alone. Friction is regularised: below the speed at which
// the cone is reached it is a damper, so nothing ever holds. The report says how far off it is.
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/operator.h"

enum { ROWS = SN_CONTACT_ROWS_MAX };

static void* penalty_layout(const sn_contact_capacity* capacity, int workers, sni_arena* arena) {
    (void)capacity, (void)workers; // a contact at a time needs no memory, and nobody's help
    return SN_ARENA_ARRAY(arena, char, 1);
}

/// A damper on rows first .. last - 1, as strong as brings them to rest, and of length `most` at most.
static void damp(const double* W, int32_t rows, int32_t first, int32_t last, double most,
                 const double* q, double* r) {
    double heaviest = 0, length = 0; // trace: at least the largest eigenvalue
    for (int32_t k = first; k < last; k++) {
        heaviest += W[k * rows + k];
        length += q[k] * q[k];
    }
    length = sqrt(length);
    double gain = heaviest > 0 ? 1 / heaviest : 0;
    if (gain * length > most) gain = most / length;
    for (int32_t k = first; k < last; k++) r[k] = -gain * q[k];
}

static void push(const sn_contact_law* law, const double* W, const double* q, double* r) {
    int32_t rows = law->rows;
    double alone = W[0] > 0 ? fmax(0, -q[0] / W[0]) : 0;
    switch (law->kind) {
    case SN_CONTACT_POINT:
    case SN_CONTACT_PATCH:
        r[0] = alone;
        damp(W, rows, 1, 3, sni_law_mu(law, hypot(q[1], q[2])) * alone, q, r);
        if (law->kind == SN_CONTACT_POINT) {
            for (int32_t k = 1; k < 3 && alone > 0;
                 k++) // the viscous part, of what friction leaves
                r[k] -= law->viscous * (q[k] + W[k * rows + k] * r[k]) /
                        (1 + law->viscous * W[k * rows + k]);
            return;
        }
        damp(W, rows, 3, 4, law->spin * alone, q, r);
        damp(W, rows, 4, 6, law->roll * alone, q, r);
        return;
    case SN_CONTACT_LIMIT: r[0] = alone; return;
    case SN_CONTACT_DRY: damp(W, rows, 0, 1, law->bound, q, r); return;
    case SN_CONTACT_EQUAL:
    case SN_CONTACT_KIND_COUNT: break;
    }
    for (int32_t k = 0; k < rows; k++) damp(W, rows, k, k + 1, INFINITY, q, r);
}

static void penalty_solve(void* memory, sni_solve* solve) {
    (void)memory;
    for (int32_t g = 0; g < solve->group_count; g++) {
        const sni_group* group = &solve->group[g];
        for (int32_t i = 0; i < group->count; i++) {
            const sn_contact_law* law = sni_group_law(group, i);
            double W[ROWS * ROWS] = {0};
            (void)sni_operator_block(group->whole, group->contact[i], group->contact[i], W);
            for (int32_t k = 0; k < law->rows; k++)
                W[k * law->rows + k] += sni_law_compliance(law, k);
            push(law, W, group->q + group->first[i], group->r + group->first[i]);
        }
    }
    solve->report->iterations = solve->report->sweeps = solve->group_count > 0;
}

const sni_solver_ops sni_solver_penalty = {
    .name = "penalty",
    .about =
        "a spring-damper per contact: one pass, nothing converges; what others are compared with",
    .layout = penalty_layout,
    .solve = penalty_solve,
};
