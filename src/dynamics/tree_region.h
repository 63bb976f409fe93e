// SPDX-License-Identifier: Apache-2.0
/// The part of an assembly tree that moves: nodes whose joint is free to accelerate (active) and, below
/// them, parts that move as one rigid body each (the frontier). Everything a step computes lies here,
/// packed, so that its cost is that of the active joints and not of the whole tree. When all joints
/// are active the frontier is the single bodies, and the passes are divide-and-conquer.
///
/// Quantities of a part are in the frames of its bodies u and d (canonical axes), those of a joint in
/// the frame of its child. A part's accelerations answer wrenches on u and d from outside:
///     a_u = Phi_uu f_u + Phi_ud f_d + b_u       a_d = Phi_du f_u + Phi_dd f_d + b_d        [F99]
#ifndef SN_DYNAMICS_TREE_REGION_H
#define SN_DYNAMICS_TREE_REGION_H

#include "dynamics/tree.h"
#include "math/mat6.h"

/// Directions that a joint holds and those it leaves free, as rows of spatial vectors in the child
/// frame: first `held` rows hold. Two rows may have to be mixed first (helical, universal).
typedef struct sni_freedom {
    uint8_t held;
    uint8_t order[6];
    uint8_t mixed; ///< 0: no; else rows mix_i, mix_j become mix times them
    uint8_t mix_i, mix_j;
} sni_freedom;

/// How a joint of this type moves; locked: not at all.
const sni_freedom* sni_freedom_of(sn_joint_type type, bool locked);

/// An active joint, or a weld between pieces of a body.
typedef struct sni_hinge {
    const sni_freedom* freedom;
    int32_t joint;     ///< body it carries, -1: weld
    bool armed;        ///< some armature is not zero
    sn_pose X;         ///< child in its parent
    sn_twist c;        ///< velocity-product acceleration
    double mix[4];     ///< 2x2, when the freedom is mixed
    double root_Ia[6]; ///< square root of the armature
    // factors: f_J = -W r + P tau,  qdd = P' r + QYs tau
    sni_mat6 W;
    sni_row6 P[6];  ///< columns, one for each degree of freedom
    double QYs[21]; ///< packed lower triangle, symmetric
} sni_hinge;

/// A rigid part on the frontier.
typedef struct sni_lump {
    sni_rigid I;  ///< in the frame of u
    sn_pose X_ud; ///< d in u, when there is a d
    sn_wrench F;  ///< external wrench in the frame of u, set before each pass
} sni_lump;

/// Handle wrenches and what they add to, once per kind of pass.
typedef struct sni_flow {
    sni_row6 b_u, b_d; ///< acceleration (or velocity change) without outside wrenches
    sni_row6 f_u, f_d; ///< outside wrenches
} sni_flow;

typedef struct sni_part {
    int32_t node;      ///< of the assembly tree
    int32_t parent;    ///< part it is in, -1: none
    int32_t a, b;      ///< parts it is made of, -1: none
    int32_t u, d;      ///< boundary bodies, -1: none
    int32_t index;     ///< its hinge when active, its lump when rigid
    uint8_t kind;      ///< sni_node_kind; SNI_NODE_LEAF stands for any rigid part
    bool joined_below; ///< A is joined at its d
    bool keeps_top;    ///< d is B's u, not B's d
    sni_mat6* phi;     ///< uu, and if there is a d: du, dd. NULL: nothing leaves this part
} sni_part;

typedef struct sni_region {
    const sn_model* model;
    int32_t count;       ///< parts, in post-order
    sni_part* part;      // [count]
    sni_flow* flow;      // [count] of the last forward
    sni_flow* pulse;     // [count] of the last impulse
    int32_t order_count; ///< parts that pass motion on
    int32_t* order;      // [order_count] in this order: A, the node, B
    int32_t hinge_count; ///< active joints and welds
    sni_hinge* hinge;
    int32_t lump_count;
    sni_lump* lump;
    size_t block_count; ///< mat6 in use
    sni_mat6* block;
    sn_pose* X_wb; // [body_count] of boundary bodies
    sn_twist* v;   // [body_count] of boundary bodies
    sn_twist* a;   // [body_count] of boundary bodies, a' = a - gravity's
} sni_region;

/// What acts in a pass, besides the wrenches F on lumps.
typedef struct sni_load {
    sn_vec3 gravity;   ///< world axes
    const double* tau; ///< by degree of freedom, NULL: zero
    bool moving;       ///< gravity and the gyroscopic forces of lumps count
    bool biased;       ///< the c of hinges counts
} sni_load;

/// Bodies that are asked about together: each is a handle of every part it is in, on the way up to the
/// root. Only parts with such a body in them are visited: the union of their up-regions.   [MR07]
typedef struct sni_climb {
    int32_t count;
    int32_t* part;    // [count] the lump each is in
    sn_pose* X_ug;    // [count] body in the lump's u, axes that answers are wanted in
    sni_mat6* Phi_ug; // [count] response of the u of the part reached to wrenches on the body
    sni_mat6* Phi_dg; // [count] the same of its d
    sni_mat6* x;      // [count] scratch: what the joint reached sees of a wrench on the body
    sni_mat6* Wx;     // [count] scratch: what it transmits of it
    int32_t* sorted;  // [count] by part, so that bodies of a part are contiguous
    int32_t* first;   // [parts] first body of the part, in `sorted`
    int32_t* last;    // [parts] one past the last
    uint32_t* mark;   // [parts] equal to `stamp`: visited
    uint32_t stamp;
    int32_t visited; ///< parts in the last climb
} sni_climb;

/// The passes over a region: portable code, and code for the vector unit of the machine.
typedef struct sni_tree_kernel {
    bool (*works)(void);
    /// Poses and velocities of boundary bodies, joints' X and c, top down.
    void (*move)(sni_region* region, const double* q, const double* v);
    /// Phi and factors of the active parts, bottom up, and with them what `gather` does. False when a
    /// joint has no inertia behind it.
    bool (*factor)(sni_region* region, sni_flow* flow, const sni_load* load);
    /// Bias accelerations, bottom up; those of lumps first from their F and velocities.
    void (*gather)(sni_region* region, sni_flow* flow, const sni_load* load);
    /// Wrenches and joint accelerations, top down.
    void (*spread)(const sni_region* region, sni_flow* flow, const sni_load* load, double* qdd);
    /// Lambda of the bodies of the climb, 6 count square, row-major, in their given order.
    void (*respond)(const sni_region* region, sni_climb* climb, double* Lambda);
    /// Velocity changes of the bodies by wrenches on them, both in their axes; uses region->pulse.
    void (*touch)(sni_region* region, sni_climb* climb, const sn_wrench* wrench, sn_twist* change);
} sni_tree_kernel;

extern const sni_tree_kernel sni_tree_kernel_scalar;
extern const sni_tree_kernel sni_tree_kernel_avx2;
const sni_tree_kernel* sni_tree_kernel_pick(void);

/// Room for a region with this many active nodes.
void sni_region_layout(sni_region* region, sni_arena* arena, const sn_model* model,
                       int32_t active_most);
/// Room for questions about all bodies in a region of that size.
void sni_climb_layout(sni_climb* climb, sni_arena* arena, const sn_model* model,
                      int32_t active_most);
/// Starts an empty region.
void sni_region_clear(sni_region* region, const sn_model* model);
/// Adds a rigid part for a node; lump inertia and pose of d are given. Returns the part.
int32_t sni_region_add_lump(sni_region* region, const sni_tree* tree, int32_t node,
                            const sni_rigid* I, sn_pose X_ud);
/// Adds an active part for a node whose children are parts a and b; locks and armatures of all joints.
int32_t sni_region_add_active(sni_region* region, const sni_tree* tree, int32_t node, int32_t a,
                              int32_t b, const bool* locked, const double* armature);
/// A hinge for a joint, -1: a weld.
void sni_hinge_begin(sni_hinge* hinge, int32_t joint);
/// X and mix of its joint at q.
void sni_hinge_place(sni_hinge* hinge, const sn_model* model, const double* q);
/// Accelerations of boundary bodies for joint accelerations qdd, after a move. Sums along the bodies: more
/// accurate than what wrenches on light parts give.
void sni_region_accelerate(sni_region* region, sn_vec3 gravity, const double* q, const double* qdd);
/// Tells a hinge that locks or armatures may have changed.
void sni_hinge_update(sni_hinge* hinge, const sn_model* model, const bool* locked,
                      const double* armature);
/// Acceleration (or velocity change) of the u of a part in a flow that was spread.
sn_twist sni_part_motion(const sni_part* part, const sni_flow* flow);

#endif
