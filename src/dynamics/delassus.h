// SPDX-License-Identifier: Apache-2.0
/// The methods behind sinew/delassus.h, which all fill the same table.
#ifndef SN_DYNAMICS_DELASSUS_H
#define SN_DYNAMICS_DELASSUS_H

#include "dynamics/delassus_kernel.h"
#include "sinew/delassus.h"

typedef struct sni_delassus_method {
    const char* name;
    const char* about;
    const char* needs;                  ///< algorithms it works with, for an error message
    bool (*fits)(const sn_dynamics* d); ///< NULL: with any
    /// Takes its memory from the arena. May be NULL.
    void (*layout)(sn_delassus* x, sni_arena* arena);
    /// Response of x->bodies, none of which comes twice, to Omega; loops come later.
    sn_status (*omega)(sn_delassus* x, double* Omega);
    /// Motions of the bodies under unit forces along the rows, to the projection's Y, loops included; then
    /// `omega` is for responses only. NULL: from the response of the bodies.
    void (*rows)(sn_delassus* x);
    /// Multiplications of the last question. NULL: not counted.
    double (*work)(const sn_delassus* x);
} sni_delassus_method;

/// Memory of "dense".
typedef struct sni_dense {
    double* M;  // [nv][nv] lower part, then its Cholesky factor
    double* J;  // [6 bodies][nv] Jacobian, then L^-1 J' by rows
    bool* held; // [nv] locked or asleep
} sni_dense;

struct sn_delassus {
    sni_arena arena;
    sn_dynamics* d;
    const sni_delassus_method* method;
    const sni_delassus_kernel* kernel;
    sn_delassus_capacity most;
    // the question in hand
    int32_t body_count;
    sn_body_id* bodies; // [body_count] of [most.bodies] those that move, none twice
    int32_t* slot;      // [model bodies] place in `bodies`, -1: none
    sni_projection p;
    double* Omega; // [6 body_count][6 body_count]
    bool ready;    ///< there is something to project
    // scratch
    sn_body_wrench* wrench; // [most.bodies]
    sn_twist* twist;        // [most.bodies]
    double* dv;             // [nv]
    sni_sweep sweep;        ///< "per-body", "chang-khatib"
    sni_dense dense;        ///< "dense"
};

extern const sni_delassus_method sni_delassus_compressed;
extern const sni_delassus_method sni_delassus_tree;
extern const sni_delassus_method sni_delassus_per_body;
extern const sni_delassus_method sni_delassus_chang_khatib;
extern const sni_delassus_method sni_delassus_per_point;
extern const sni_delassus_method sni_delassus_dense;

/// dv of impulses in x->wrench (a body may come twice), and the velocities it gives to x->bodies, in
/// x->twist.
void sni_delassus_push(sn_delassus* x, int count);

static inline sn_wrench sni_wrench_from_numbers(const double* f) {
    return sn_wrench_make(sn_vec3_make(f[0], f[1], f[2]), sn_vec3_make(f[3], f[4], f[5]));
}

#endif
