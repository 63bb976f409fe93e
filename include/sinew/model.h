// SPDX-License-Identifier: Apache-2.0
/// What a system is: a forest of bodies, each carried by the joint that connects it to its parent, and
/// joints that close loops between bodies of the forest.
///
/// Describe bodies with definition structs (start from sn_body_def_default()), add them to an
/// sn_model_builder in any order, compile. The result, sn_model, never changes afterwards and may
/// be shared between threads. Fixed joints are folded away when compiling: their bodies become
/// frames of the moving body (or of the world) that carries them, still found by name.
/// Loaders (sinew/load.h) and generators (sinew/generate.h) produce models the same way.
///
/// The body frame is the frame after the joint: pose of body = pose of parent * placement *
/// joint motion(q). Units SI, radians.
#ifndef SINEW_MODEL_H
#define SINEW_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "sinew/material.h"
#include "sinew/math.h"
#include "sinew/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of joint: X(code, name, nq, nv). What q and v mean is in the table of docs/notation.md.
///   revolute     q: angle about the axis                    v: its rate
///   prismatic    q: distance along the axis                 v: its rate
///   helical      q: angle; moves `pitch` metres per radian  v: its rate
///   cylindrical  q: angle, distance, same axis              v: their rates
///   planar       q: angle about the axis, x, y              v: w, vx, vy in body axes
///   universal    q: angle about axis, then about axis2      v: their rates
///   spherical    q: quaternion w,x,y,z                      v: angular velocity in body axes
///   free         q: position, quaternion w,x,y,z            v: angular, then linear, body axes
#define SN_JOINT_LIST(X)                                                                           \
    X(SN_JOINT_FIXED, "fixed", 0, 0)                                                               \
    X(SN_JOINT_REVOLUTE, "revolute", 1, 1)                                                         \
    X(SN_JOINT_PRISMATIC, "prismatic", 1, 1)                                                       \
    X(SN_JOINT_HELICAL, "helical", 1, 1)                                                           \
    X(SN_JOINT_CYLINDRICAL, "cylindrical", 2, 2)                                                   \
    X(SN_JOINT_PLANAR, "planar", 3, 3)                                                             \
    X(SN_JOINT_UNIVERSAL, "universal", 2, 2)                                                       \
    X(SN_JOINT_SPHERICAL, "spherical", 4, 3)                                                       \
    X(SN_JOINT_FREE, "free", 7, 6)

#define SN_JOINT_ENUM(code, name, nq, nv) code,
typedef enum sn_joint_type { SN_JOINT_LIST(SN_JOINT_ENUM) SN_JOINT_TYPE_COUNT } sn_joint_type;
#undef SN_JOINT_ENUM

enum { SN_JOINT_MAX_NQ = 7, SN_JOINT_MAX_NV = 6 };

const char* sn_joint_type_name(sn_joint_type type);
int sn_joint_type_nq(sn_joint_type type);
int sn_joint_type_nv(sn_joint_type type);
/// Finds a joint type by name; false when there is none.
bool sn_joint_type_find(const char* name, sn_joint_type* type);

/// Index of a moving body, and of the joint that carries it. i = -1 is the world.
typedef struct sn_body_id {
    int32_t i;
} sn_body_id;

/// Index of a named frame fixed to a body or to the world.
typedef struct sn_frame_id {
    int32_t i;
} sn_frame_id;

static inline sn_body_id sn_body(int32_t i) {
    sn_body_id r;
    r.i = i;
    return r;
}
static inline sn_body_id sn_body_world(void) { return sn_body(-1); }

/// Mass distribution of a rigid body, in its body frame.
typedef struct sn_inertia {
    double mass;
    sn_vec3 com; ///< centre of mass
    sn_mat3 I;   ///< rotational inertia about the centre of mass, symmetric
} sn_inertia;

/// A joint. Per-DOF arrays use the first nv entries, `rest` the first nq.
typedef struct sn_joint_def {
    const char* name; ///< NULL: the body's name
    sn_joint_type type;
    sn_pose placement;                 ///< joint frame in the parent body frame, at q = neutral
    sn_vec3 axis;                      ///< in the joint frame; planar: docs/notation.md
    sn_vec3 axis2;                     ///< universal only: second axis, perpendicular to the first
    double pitch;                      ///< helical only, m/rad
    double armature[SN_JOINT_MAX_NV];  ///< reflected rotor inertia, added to the diagonal of M
    double damping[SN_JOINT_MAX_NV];   ///< viscous: force = -damping * v
    double stiffness[SN_JOINT_MAX_NV]; ///< force = -stiffness * (q - rest); equal over the
                                       ///< rotations, and over the translations, that form a group
    double rest[SN_JOINT_MAX_NQ];      ///< where the spring is slack (quaternion w,x,y,z)
    double friction[SN_JOINT_MAX_NV];  ///< dry friction, largest force
    double lower[SN_JOINT_MAX_NV];     ///< position limits; -INFINITY, INFINITY: none
    double upper[SN_JOINT_MAX_NV];
    double velocity[SN_JOINT_MAX_NV]; ///< velocity limit, INFINITY: none
    double effort[SN_JOINT_MAX_NV];   ///< actuator force limit, INFINITY: none
} sn_joint_def;

typedef struct sn_body_def {
    const char* name;   ///< unique in the model
    const char* parent; ///< name of the parent body, NULL: the world
    sn_joint_def joint; ///< connects the body to its parent
    sn_inertia inertia;
    sn_place place; ///< where the definition came from, for error messages
} sn_body_def;

typedef enum sn_shape_type {
    SN_SHAPE_SPHERE,   ///< size.x: radius
    SN_SHAPE_BOX,      ///< size: full edge lengths
    SN_SHAPE_CYLINDER, ///< size.x: radius, size.z: length along z
    SN_SHAPE_CAPSULE,  ///< size.x: radius, size.z: length of the cylindrical part along z
    SN_SHAPE_PLANE,    ///< half space z <= 0 of the shape frame is solid
    SN_SHAPE_MESH, ///< triangles, or only the name `mesh` of the file they are in; size: its scale
    SN_SHAPE_HULL  ///< a convex body: corners and the triangles of its surface
} sn_shape_type;

/// As files have it: "sphere", "box", ...
const char* sn_shape_type_name(sn_shape_type type);

typedef enum sn_shape_use { SN_SHAPE_VISUAL = 1, SN_SHAPE_COLLISION = 2 } sn_shape_use;

/// A shape carried by a body, kept for collision and drawing.
typedef struct sn_shape_def {
    const char* body; ///< name of a body or frame; NULL: the world
    const char* name; ///< may be NULL
    sn_shape_type type;
    int use;      ///< sn_shape_use bits
    sn_pose pose; ///< of the shape in the body frame
    sn_vec3 size;
    const char* mesh; ///< path of the mesh file, as resolved by the loader
    // MESH that was read, HULL: copied when the shape is added
    const sn_vec3* vertices; ///< corners, shape frame, scale applied; NULL: the file was not read
    int32_t vertex_count;
    const int32_t* triangles; ///< three corners each, counter-clockwise seen from outside
    int32_t triangle_count;
    sn_material material;
    uint32_t group,
        mask;        ///< two shapes can touch when each one's group has a bit of the other's mask
    double color[4]; ///< red, green, blue, opacity, 0 to 1
    sn_place place;
} sn_shape_def;

/// A joint that closes a loop: it holds frame c of body a and frame c of body b together, but for the
/// motions its type leaves free, as if a were the parent of b. The two frames coincide where the joint
/// is neutral. Loop joints have no coordinates, no springs and no limits; the bodies keep the joints of
/// their tree.
typedef struct sn_loop_def {
    const char* name;   ///< unique among the loops
    const char* body_a; ///< name of a body or frame; NULL: the world, but not both
    const char* body_b;
    sn_pose X_ac;       ///< loop frame in body a (or frame a)
    sn_pose X_bc;       ///< loop frame in body b (or frame b)
    sn_joint_type type; ///< what stays free: fixed nothing, free everything
    sn_vec3 axis;       ///< in the loop frame, as in sn_joint_def
    sn_vec3 axis2;      ///< universal only
    double pitch;       ///< helical only, m/rad; such a loop is closed again after every turn
    double length;      ///< free only, m: a rod, which keeps the two origins so far apart; 0: none
    double t_s;         ///< stabilisation: time constant in which what is open closes, s; 0: never
    sn_place place;
} sn_loop_def;

sn_joint_def sn_joint_def_default(void);
sn_body_def sn_body_def_default(void);
sn_shape_def sn_shape_def_default(void);
/// A revolute loop with t_s = 0.02 s: twenty steps of the usual 1 ms, so that any integrator follows it,
/// and still short against what a mechanism of a few decimetres does in that time.
sn_loop_def sn_loop_def_default(void);

/// Inertias of homogeneous solids about their centre, axis along z where there is one.
sn_inertia sn_inertia_box(double mass, sn_vec3 edges);
sn_inertia sn_inertia_sphere(double mass, double radius);
sn_inertia sn_inertia_cylinder(double mass, double radius, double length);
/// Of a sphere, box, cylinder or capsule, sized as shapes are.
sn_inertia sn_inertia_solid(sn_shape_type type, sn_vec3 size, double mass);
/// m^3; 0 for planes, meshes and hulls.
double sn_shape_volume(sn_shape_type type, sn_vec3 size);
/// The same body seen from frame a, when frame b has pose X_ab.
sn_inertia sn_inertia_moved(sn_pose X_ab, sn_inertia I_b);
/// Two bodies in the same frame, welded together.
sn_inertia sn_inertia_sum(sn_inertia a, sn_inertia b);

// ---- building -----------------------------------------------------------------------------------

typedef struct sn_model sn_model;
typedef struct sn_model_builder sn_model_builder;

sn_model_builder* sn_model_builder_create(const char* model_name);
void sn_model_builder_free(sn_model_builder* builder);

/// Adds a copy of a body (strings included). Parents may come later.
sn_status sn_model_builder_add_body(sn_model_builder* builder, const sn_body_def* def);
sn_status sn_model_builder_add_shape(sn_model_builder* builder, const sn_shape_def* def);
sn_status sn_model_builder_add_loop(sn_model_builder* builder, const sn_loop_def* def);
/// Body whose joint (or, without one of its own name, itself) is called so; -1: none was added.
int sn_model_builder_find_joint(const sn_model_builder* builder, const char* joint);
/// The joint of a body, 0 <= body < those added so far, and another one in its place, which keeps its name.
sn_joint_def sn_model_builder_joint(const sn_model_builder* builder, int body);
void sn_model_builder_set_joint(sn_model_builder* builder, int body, const sn_joint_def* joint);
/// Shapes that were added so far, and the surface of one of them: 0 <= shape < count.
int sn_model_builder_shape_count(const sn_model_builder* builder);
sn_material sn_model_builder_material(const sn_model_builder* builder, int shape);
void sn_model_builder_set_material(sn_model_builder* builder, int shape, sn_material material);
/// Bodies or frames, by name, whose shapes never touch each other; NULL: the world. Names that do not exist
/// when compiling are an error there.
sn_status sn_model_builder_exclude(sn_model_builder* builder, const char* a, const char* b,
                                   sn_place place);
/// Adds all bodies, shapes, loops and exclusions of a model. Names get `prefix` before them (NULL or "": as they
/// are). What hangs on the world, joints, shapes and loops, is placed as if the world were at X_w.
sn_status sn_model_builder_add_model(sn_model_builder* builder, const sn_model* model,
                                     const char* prefix, sn_pose X_w);

/// Checks everything that was added and compiles it. On failure *model is NULL, the builder is
/// unchanged and error tells why. Bodies keep the order they were added in when every parent comes
/// before its children; otherwise they are put in depth-first order.
/// Warns through log (may be NULL) about inertias no real body can have.
sn_status sn_model_builder_compile(const sn_model_builder* builder, const sn_log* log,
                                   sn_model** model, sn_error* error);
void sn_model_free(sn_model* model);

// ---- asking -------------------------------------------------------------------------------------

/// A moving body and its joint, as compiled. Strings and pointers are owned by the model.
typedef struct sn_body_info {
    const char* name;
    const char* joint_name;
    sn_body_id parent;
    sn_joint_type type;
    int iq, nq;             ///< place in q
    int iv, nv;             ///< place in v
    sn_pose placement;      ///< joint frame in the parent body frame
    sn_vec3 axis;           ///< unit, body frame; z where the type has none
    sn_vec3 axis2;          ///< universal: second axis, unit
    double pitch;           ///< helical
    sn_inertia inertia;     ///< with everything that is fixed to it, body frame
    const double* armature; ///< nv numbers, as the rest
    const double* damping;
    const double* stiffness;
    const double* rest; ///< nq numbers
    const double* friction;
    const double* lower;
    const double* upper;
    const double* velocity;
    const double* effort;
} sn_body_info;

/// A named frame: every body that was added has one, fixed ones included.
typedef struct sn_frame_info {
    const char* name;
    sn_body_id body; ///< moving body that carries it, or the world
    sn_pose X_bf;    ///< frame in that body
    const char* joint_name;
    bool folded; ///< true: the body was attached by a fixed joint
} sn_frame_info;

typedef struct sn_shape_info {
    const char* name; ///< "" when it has none
    sn_body_id body;
    sn_frame_id frame; ///< frame it was attached to; -1: the world
    sn_shape_type type;
    int use;
    sn_pose X_bs; ///< shape in the body
    sn_pose X_fs; ///< shape in the frame, as it was given
    sn_vec3 size;
    const char* mesh;        ///< "" unless from a file
    const sn_vec3* vertices; ///< NULL: has none
    int32_t vertex_count;
    const int32_t* triangles; // [3 triangle_count]
    int32_t triangle_count;
    sn_material material;
    uint32_t group, mask;
    double color[4];
} sn_shape_info;

/// Two bodies that never touch each other, as the model says.
typedef struct sn_exclusion {
    sn_body_id a, b; ///< a.i < b.i; -1: the world
} sn_exclusion;

/// One side of a loop.
typedef struct sn_loop_end {
    sn_body_id body;   ///< moving body, or the world
    sn_frame_id frame; ///< frame it was attached to; -1: the world
    sn_pose X_bc;      ///< loop frame in the body
    sn_pose X_fc;      ///< loop frame in the frame, as it was given
} sn_loop_end;

typedef struct sn_loop_info {
    const char* name;
    sn_joint_type type;
    sn_loop_end a, b;
    sn_vec3 axis;  ///< unit, loop frame; z where the type has none
    sn_vec3 axis2; ///< universal: second axis, unit
    double pitch;  ///< helical
    double length; ///< free: of a rod, m; 0: none
    int rows;      ///< motions that it holds
    double t_s;    ///< stabilisation, s
} sn_loop_info;

const char* sn_model_name(const sn_model* model);
int sn_model_body_count(const sn_model* model);
int sn_model_frame_count(const sn_model* model);
int sn_model_shape_count(const sn_model* model);
int sn_model_loop_count(const sn_model* model);
int sn_model_exclusion_count(const sn_model* model);
int sn_model_nq(const sn_model* model);
int sn_model_nv(const sn_model* model);
/// Mass of all moving bodies, kg.
double sn_model_mass(const sn_model* model);

/// The id must be valid: 0 <= i < count.
sn_body_info sn_model_body(const sn_model* model, sn_body_id body);
sn_frame_info sn_model_frame(const sn_model* model, sn_frame_id frame);
sn_shape_info sn_model_shape(const sn_model* model, int shape);
sn_loop_info sn_model_loop(const sn_model* model, int loop);
sn_exclusion sn_model_exclusion(const sn_model* model, int exclusion);

/// Find by name; i = -1 when there is none.
sn_body_id sn_model_find_body(const sn_model* model, const char* name);
sn_body_id sn_model_find_joint(const sn_model* model, const char* name);
sn_frame_id sn_model_find_frame(const sn_model* model, const char* name);
int sn_model_find_loop(const sn_model* model, const char* name); ///< -1 when there is none

// ---- configurations -----------------------------------------------------------------------------

/// Zero angles and distances, unit quaternions.
void sn_model_neutral(const sn_model* model, double* q);
/// q_out = q (+) dv: moves along the manifold by the tangent vector dv (nv); q_out may be q.
void sn_model_integrate(const sn_model* model, const double* q, const double* dv, double* q_out);
/// dv with q1 = q0 (+) dv, the shortest.
void sn_model_difference(const sn_model* model, const double* q0, const double* q1, double* dv);
/// True when every number is finite and every quaternion is unit to 1e-6; otherwise *body is the
/// joint at fault.
bool sn_model_check_q(const sn_model* model, const double* q, sn_body_id* body);

#ifdef __cplusplus
}
#endif
#endif
