// SPDX-License-Identifier: Apache-2.0
/// The Delassus operator from the factors of the articulated-body algorithm: portable code, and the same
/// for the vector unit of the machine. Wrenches and motions go through the tree six at a time, in the
/// columns of a matrix, world axes, origin at each body. A joint is then one update of rank one for each
/// degree of freedom, and a shift:
///     up     A' = shift (1 - U D^-1 S') A             wrenches on a body, as its parent feels them
///     down   P' = (1 - S D^-1 U') shift P + S D^-1 s  motions of the parent, as they reach the body
#ifndef SN_DYNAMICS_DELASSUS_KERNEL_H
#define SN_DYNAMICS_DELASSUS_KERNEL_H

#include "dynamics/kernel.h"
#include "dynamics/keys.h"
#include "dynamics/paths.h"

/// Memory of the methods that go along whole branches. No body comes twice.
typedef struct sni_sweep {
    int32_t count; ///< bodies asked about
    const sn_body_id* bodies;
    sn_mat3* R;            // [count] axes that the answer is wanted in, in the world
    sni_branches branches; ///< of these bodies
    int32_t* path;         // [body_count] scratch
    sni_row6 *s, *t;       // [nv]
    bool* carries;         // [body_count] by place in the branches: it carries the body in hand
    sni_mat6* on;          // [body_count] by place: motions, or the response of a body to itself
} sni_sweep;

/// Memory of responses of bodies and joints together.
typedef struct sni_mixed {
    sni_paths paths;   ///< of the handles of the question
    sn_mat3* R;        // [bodies of the question] axes that the answer is wanted in, in the world
    sn_mat3* axes;     // [bodies of the model] axes of v of ball joints, in the world
    sni_mat6* waiting; // [bodies of the model] by place: wrenches on the way up
    sni_row6* tau;     // [rows of all ways] impulses of joints, where a stop is pushed
    sni_row6* s;       // the same: what a joint feels of six columns
    sni_row6* t;       // [nv] and D^-1 times it, of the handle in hand
} sni_mixed;

/// Rows of one body pair, which follow each other. Places are numbers of padded rows.
typedef struct sni_segment {
    int32_t a, b;      ///< slots of the bodies, -1: does not move
    int32_t row, rows; ///< in W
    int32_t place, end;
} sni_segment;

enum { SNI_TILE = 4 };

/// Rows by padded places: each segment starts at a multiple of four, its last four may be incomplete.
typedef struct sni_projection {
    int32_t body_count, segment_count, rows, padded;
    sni_segment* segment;   // [segment_count]
    int32_t* first_segment; // [body_count] first segment that a body is in
    const double** row[2];  // [padded] rows of bodies a and b, of zeros where there is none
    double* C[2];           // [padded / 4][6][4] rows of bodies a and b, transposed by four
    double*
        Y; // [body_count][padded / 4][6][4] motions of the bodies under unit forces along the rows
} sni_projection;

/// Where the six numbers of a place start, four apart.
static inline size_t sni_place_offset(size_t place) {
    return place / SNI_TILE * (6 * SNI_TILE) + place % SNI_TILE;
}

typedef struct sni_delassus_kernel {
    bool (*works)(void);
    /// Lambda of the bodies that the keys were found for; k->R is set.
    void (*compressed)(const sn_model* model, const sni_factors* f, sni_keys* keys, double* Lambda);
    void (*per_body)(const sn_model* model, const sni_factors* f, sni_sweep* sweep, double* Lambda);
    void (*chang_khatib)(const sn_model* model, const sni_factors* f, sni_sweep* sweep,
                         double* Lambda);
    void (*mixed)(const sn_model* model, const sni_factors* f, sni_mixed* mixed, double* Lambda);
    /// C from the rows.
    void (*load)(const sni_projection* p);
    /// Y from C and the response of the bodies.
    void (*respond)(const sni_projection* p, const double* Omega);
    /// W from C and Y.
    void (*project)(const sni_projection* p, double* W);
} sni_delassus_kernel;

extern const sni_delassus_kernel sni_delassus_kernel_scalar;
extern const sni_delassus_kernel sni_delassus_kernel_avx2; ///< does not work on other machines

/// The fastest that works here.
const sni_delassus_kernel* sni_delassus_kernel_pick(void);

#endif
