// SPDX-License-Identifier: Apache-2.0
/// Front door of `dynamics`: motion of a model under forces.
///
/// An sn_dynamics is one algorithm with its memory for one model. Every algorithm fills the same
/// table, sni_dynamics_ops, and passes the same tests (tests/suite_forward_dynamics.h). What they
/// share lives here: gravity, external wrenches, locked joints, the motion of the bodies.
/// Everything is in canonical frames (model/sn_model.h); accelerations inside are a' = a - a_g, so
/// gravity enters through the ground only. Called by `sim` and the public functions; never
/// allocates after creation, never reads a file, never knows a world.
#ifndef SN_DYNAMICS_SN_DYNAMICS_H
#define SN_DYNAMICS_SN_DYNAMICS_H

#include "dynamics/integrate.h"
#include "model/sn_model.h"
#include "sinew/dynamics.h"

/// External wrenches, one per body at most, as the user gave them; only set ones cost anything.
typedef struct sni_wrench_set {
    int32_t count;
    int32_t* body;     // [count] of [body_count]
    sn_axes* axes;     // [count] of [body_count]
    sn_wrench* wrench; // [count] of [body_count], user's body axes or world axes
    int32_t* slot;     // [body_count] place in the lists above plus one, 0: none
} sni_wrench_set;

/// Where the entry M[i][j] (j an ancestor DOF of i, or i) is kept. NULL tables mean dense.
typedef struct sni_rows {
    double* values;
    const size_t* start;   ///< [nv] first entry of a row, dense: i * nv
    const int32_t* column; ///< [nv] place of a DOF in the rows of its descendants, dense: j
    int32_t nv;
} sni_rows;

static inline double* sni_rows_entry(const sni_rows* rows, int32_t i, int32_t j) {
    size_t start = rows->start ? rows->start[i] : (size_t)i * (size_t)rows->nv;
    return rows->values + start + (size_t)(rows->column ? rows->column[j] : j);
}

/// What a forward-dynamics algorithm does. The state has been set by `kinematics` before the others
/// are called; `forward` before `impulse` and `response`.
typedef struct sni_dynamics_ops {
    const char* name;
    /// Refuses a model it cannot handle. May be NULL.
    sn_status (*check)(const sn_model* model, sn_error* error);
    void (*layout)(sn_dynamics* d, sni_arena* arena);
    /// Once, when there is memory. May be NULL.
    void (*start)(sn_dynamics* d);
    void (*kinematics)(sn_dynamics* d);
    sn_status (*forward)(sn_dynamics* d, const double* tau, double* qdd);
    /// tau of qdd (NULL: zero), and the accelerations of the bodies. `moving` false: no velocities, no
    /// gravity, no external wrenches, so tau = M qdd, and the motion is not to be asked for. Needs the
    /// state only, not `kinematics`.
    void (*inverse)(sn_dynamics* d, const double* qdd, bool moving, double* tau);
    /// Joint-space inertia: lower part, entries between degrees of freedom of one branch.
    void (*mass_matrix)(sn_dynamics* d, const sni_rows* rows);
    /// dv = M^-1 (tau + J^T impulses) at the configuration of the last forward; impulses in the
    /// user's body frames, tau may be NULL.
    void (*impulse)(sn_dynamics* d, const double* tau, const sn_body_wrench* impulses, int count,
                    double* dv);
    /// Velocity change of a body in the last impulse.
    sn_twist (*change)(const sn_dynamics* d, int32_t body);
    /// Lambda of sn_dynamics_response, the user's body frames. NULL: one impulse per column.
    void (*response)(sn_dynamics* d, const sn_body_id* bodies, int count, double* Lambda);
    sn_pose (*pose)(const sn_dynamics* d, int32_t body);
    sn_twist (*velocity)(const sn_dynamics* d, int32_t body);
    sn_twist (*acceleration)(const sn_dynamics* d, int32_t body);
} sni_dynamics_ops;

struct sn_dynamics {
    const sni_dynamics_ops* ops;
    const sn_model* model;
    sni_arena arena;
    // what persists
    sn_vec3 gravity; ///< world axes
    sni_wrench_set wrenches;
    bool* locked;     // [body_count]
    double* armature; // [nv] model's armature plus what an implicit integrator adds
    // the state of the last kinematics
    double* q;       // [nq]
    double* v;       // [nv]
    bool factored;   ///< the algorithm holds factors of this state, locks and armature
    double* rate;    // [nv] scratch
    void* algorithm; ///< memory of the algorithm itself
};

extern const sni_dynamics_ops sni_aba;
extern const sni_dynamics_ops sni_aba_scalar;
extern const sni_dynamics_ops sni_crba;
extern const sni_dynamics_ops sni_reference;

// ---- used by `sim` ----------------------------------------------------------------------------------

/// Sets state and motion.
void sni_kinematics(sn_dynamics* d, const double* q, const double* v);
/// Forward dynamics at the state of the last sni_kinematics.
sn_status sni_forward(sn_dynamics* d, const double* tau, double* qdd);
/// Replaces the inertia an implicit integrator adds to joint k: nv numbers, NULL: none.
void sni_set_extra_armature(sn_dynamics* d, const double* extra);
/// The velocity after impulses through the locked joints have stopped them; v_out may be v.
sn_status sni_stop_locked(sn_dynamics* d, const double* q, const double* v, double* v_out);

// ---- used by the algorithms -------------------------------------------------------------------------

/// Between a body's own axes, which users know, and the canonical ones.
static inline sn_wrench sni_wrench_from_user(const sn_dynamics* d, int32_t body, sn_wrench f) {
    sn_mat3 R = d->model->R_bc[body];
    return sn_wrench_make(sn_mat3_apply_transposed(R, f.n), sn_mat3_apply_transposed(R, f.f));
}
static inline sn_twist sni_twist_to_user(const sn_dynamics* d, int32_t body, sn_twist t) {
    sn_mat3 R = d->model->R_bc[body];
    return sn_twist_make(sn_mat3_apply(R, t.w), sn_mat3_apply(R, t.v));
}
static inline sn_pose sni_pose_to_user(const sn_dynamics* d, int32_t body, sn_pose X_wb) {
    return sn_pose_make(sn_mat3_mul(X_wb.R, sn_mat3_transpose(d->model->R_bc[body])), X_wb.p);
}

/// The external wrench in slot k of the set, in world axes about the origin of its body, whose
/// canonical axes are R_wb.
sn_wrench sni_external_wrench(const sn_dynamics* d, int32_t k, sn_mat3 R_wb);

#endif
