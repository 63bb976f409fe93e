// SPDX-License-Identifier: Apache-2.0
/// Collision detection: which shapes of a model touch, or are about to, and where.
///
/// An sn_collider holds the collision shapes of one model with their bounding volumes, the pairs that
/// are near, and what those remember from step to step. Tell it where bodies are (sn_collider_move),
/// then ask for the contacts of the coming step (sn_collider_collide): points with gap, normal and an id
/// that stays the same while the same features touch. Gaps may be positive: surfaces that are apart by
/// less than `margin`, or will meet within the step, are in contact too, so that fast bodies do not pass
/// through thin ones. Rays, near points and local geometry are asked of the same shapes at the same poses.
/// It takes all its memory when created; use one per thread.   docs/collision.md
///
/// Spheres, capsules, boxes, cylinders, planes, convex hulls and triangle meshes touch each other; two
/// planes do not. A plane is solid below; everything else is solid inside, but a mesh is a surface with an
/// outside, where its triangles are seen counter-clockwise.
#ifndef SINEW_COLLISION_H
#define SINEW_COLLISION_H

#include "sinew/contact_point.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_collider sn_collider;

typedef struct sn_collider_def {
    int32_t contacts; ///< most contact points at once
    int32_t pairs;    ///< most pairs of shapes that are near at once; 0: by the number of shapes
    double margin;    ///< m: surfaces nearer than this are in contact
    int32_t
        patch_points; ///< of flat contact between two bodies, keep so many points, at least 4; 0: all
    bool skip_joined; ///< bodies that a joint or loop connects do not touch each other
} sn_collider_def;

/// 1024 contacts, 1 mm, all points, joined bodies left out.
sn_collider_def sn_collider_def_default(void);

/// Shapes of the model that are there for collision. Meshes without triangles are left out, and said so by
/// the log (may be NULL). The model must outlive the collider. All bodies are at the origin until moved.
sn_status sn_collider_create(const sn_model* model, const sn_collider_def* def, const sn_log* log,
                             sn_collider** collider, sn_error* error);
void sn_collider_free(sn_collider* collider);

// ---- which pairs --------------------------------------------------------------------------------------

/// Whether the shapes of two bodies (i = -1: the world) may touch each other at all; each shape's group and
/// mask count besides. Off from the start: a body with itself, joined bodies, exclusions of the model.
/// Allocates; SN_ERR_MEMORY, nothing changed.
sn_status sn_collider_allow(sn_collider* collider, sn_body_id a, sn_body_id b, bool allowed);
bool sn_collider_is_allowed(const sn_collider* collider, sn_body_id a, sn_body_id b);
/// Switches off what overlaps where bodies are now, and returns how many pairs that are: pairs of bodies of one
/// tree; and bodies of a tree that a joint holds to the world with the world's shapes they overlap, but for
/// planes. Call it with the trees at rest: robots are often drawn with overlapping links. Allocates; -1: no
/// memory.
int32_t sn_collider_skip_overlapping(sn_collider* collider);
/// A body at rest: two such, or one and the world, are not looked at. Realtime: yes, as all that follows.
void sn_collider_rest(sn_collider* collider, sn_body_id body, bool resting);

// ---- contacts -----------------------------------------------------------------------------------------

/// Where a body is, and its velocity (twist at its origin, body axes). Bodies that do not move need not be
/// told again. A pose or velocity that is not finite takes the body out until it is.
void sn_collider_move(sn_collider* collider, sn_body_id body, sn_pose X_wb, sn_twist velocity);

typedef struct sn_collision_report {
    int32_t shapes;   ///< that take part
    int32_t near;     ///< pairs whose boxes overlap; of a module not known: 0
    int32_t touching; ///< pairs with contacts; the same
    int32_t contacts;
    int32_t
        dropped_contacts; ///< for lack of capacity, the deepest are kept; or not valid (modules)
    int32_t dropped_pairs;
    int32_t lost;   ///< bodies whose pose is not finite
    double deepest; ///< m: largest overlap, 0 when there is none
} sn_collision_report;

/// Contacts of a step of h seconds, ordered by pair and feature; valid until the next call. report may be NULL.
/// Same poses, same bits.
int32_t sn_collider_collide(sn_collider* collider, double h, const sn_contact** contacts,
                            sn_collision_report* report);
/// Shapes (of the model) that contact i of the last sn_collider_collide is between.
void sn_collider_contact_shapes(const sn_collider* collider, int32_t i, int* shape_a, int* shape_b);

// ---- questions ----------------------------------------------------------------------------------------

typedef struct sn_ray_hit {
    int shape; ///< of the model
    sn_body_id body;
    double distance;  ///< m along the ray
    sn_vec3 x, n;     ///< point and outward normal, world
    int32_t triangle; ///< of a mesh; -1
} sn_ray_hit;

/// First surface within `length` of `from` in the unit direction; a shape that `from` is inside of is not hit, but
/// for planes and meshes, seen from behind. Only shapes with a bit of `groups` in their group.
bool sn_collider_ray(const sn_collider* collider, sn_vec3 from, sn_vec3 direction, double length,
                     uint32_t groups, sn_ray_hit* hit);

/// The point of a shape's surface that is nearest to a given one.
typedef struct sn_near_point {
    int shape;
    sn_body_id body;
    double distance;  ///< m, negative inside
    sn_vec3 x, n;     ///< on the surface, outward normal, world
    int32_t triangle; ///< of a mesh; -1
} sn_near_point;

/// Shapes whose surface is within `reach` of p, or that p is inside of; nearest first, at most `most`. Returns how
/// many were written. A mesh counts as inside when p is behind the triangle that is nearest.
int32_t sn_collider_near(const sn_collider* collider, sn_vec3 p, double reach, uint32_t groups,
                         sn_near_point* out, int32_t most);

/// Contacts that a shape of the model (a tool that does not take part, say) would have at pose X_ws with everything
/// of `groups` that is not on its own body, nearer than `margin`; n pushes it out. Returns how many were written.
int32_t sn_collider_penetration(sn_collider* collider, int shape, sn_pose X_ws, double margin,
                                uint32_t groups, sn_contact* out, int32_t most);

// ---- local geometry -----------------------------------------------------------------------------------

enum { SN_LOCAL_PIECES = 64 };

typedef enum sn_piece_type {
    SN_PIECE_PLANE,
    SN_PIECE_SPHERE,
    SN_PIECE_CAPSULE,
    SN_PIECE_CYLINDER,
    SN_PIECE_BOX,
    SN_PIECE_TRIANGLE ///< of a mesh or hull
} sn_piece_type;

/// Part of a surface near a point.
typedef struct sn_piece {
    sn_piece_type type;
    sn_body_id body; ///< -1: the world
    int shape;
    int32_t triangle;  ///< -1: not one
    sn_pose X_wp;      ///< of the primitive
    sn_vec3 size;      ///< as of the shape
    sn_vec3 corner[3]; ///< of a triangle, world, counter-clockwise seen from outside
    sn_twist
        velocity; ///< of the body at X_wp's origin (triangles: at the first corner), world axes
    sn_material material;
} sn_piece;

/// All that a point can touch while it stays within `radius` of `centre`: enough for a haptic loop to find the
/// nearest surface without knowing bodies. Bounded: where there is more, the nearest pieces are kept and
/// `complete` is false.
typedef struct sn_local_geometry {
    sn_vec3 centre;
    double radius;
    int32_t count;
    bool complete;
    sn_piece piece[SN_LOCAL_PIECES];
} sn_local_geometry;

void sn_collider_local(const sn_collider* collider, sn_vec3 centre, double radius, uint32_t groups,
                       sn_local_geometry* local);
/// Nearest surface of the record to p, which is within its radius; distance negative inside (triangles: behind). Of hulls and
/// meshes only what the record reaches: a p deeper inside one than that is not known to be. False when there is
/// none. Thread: any. Realtime: yes.
bool sn_local_geometry_near(const sn_local_geometry* local, sn_vec3 p, sn_near_point* out,
                            int32_t* piece);

// ---- a detector of your own ---------------------------------------------------------------------------

/// Finds contacts by functions of your own. `collide` runs inside a step: it must not allocate, lock or
/// wait.   docs/plugins.md
typedef struct sn_detector_module {
    const char* name;
    const char* about; ///< one line
    void* context;     ///< given to every function
    /// Memory for a model, which outlives it.
    sn_status (*create)(void* context, const sn_model* model, const sn_collider_def* def,
                        void** memory, sn_error* error);
    void (*free)(void* context, void* memory);
    /// Contacts of a step of h seconds, bodies at poses X_wb with velocities v (twists at their origins, body
    /// axes); `resting` bodies touch neither each other nor the world. Writes at most `most`, returns how many
    /// there are; a negative number is a fault. Ids must stay the same while the same features touch.
    int32_t (*collide)(void* context, void* memory, const sn_pose* X_wb, const sn_twist* v,
                       const bool* resting, double h, sn_contact* out, int32_t most);
} sn_detector_module;

/// A collider whose sn_collider_collide asks the module: it returns the module's number when that is
/// negative, and contacts are then none. Contacts are looked at: those of bodies that must not touch
/// (sn_collider_allow) or rest are left out; those that are not finite, whose normal is no unit vector, whose bodies
/// or material are none, are dropped and counted. Tangents are made from the normal. Shapes of
/// contacts are not known (-1). Rays, near points, local geometry and penetration are those of the model's
/// shapes, as ever. Copies the table; name and about must outlive the collider.
sn_status sn_collider_create_module(const sn_model* model, const sn_collider_def* def,
                                    const sn_log* log, const sn_detector_module* module,
                                    sn_collider** collider, sn_error* error);

#ifdef __cplusplus
}
#endif
#endif
