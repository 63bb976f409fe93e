// SPDX-License-Identifier: Apache-2.0
/// Models made from a shape, a size and a seed, for tests, benchmarks and first experiments: bodies on
/// joints, and free bodies on a floor.
/// The same numbers give the same model on every machine.
#ifndef SINEW_GENERATE_H
#define SINEW_GENERATE_H

#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// X(code, name, what it is)
#define SN_GENERATE_LIST(X)                                                                        \
    X(SN_GENERATE_CHAIN, "chain", "serial chain, revolute joints with alternating axes")           \
    X(SN_GENERATE_TREE, "tree", "balanced binary tree of revolute joints")                         \
    X(SN_GENERATE_STAR, "star", "every body hinged to the first one")                              \
    X(SN_GENERATE_CATERPILLAR, "caterpillar", "chain with a leg on every link")                    \
    X(SN_GENERATE_RANDOM, "random", "random forest with every type of joint")                      \
    X(SN_GENERATE_PENDULUM, "pendulum", "rod of 3 m and 3 kg along x, cut into hinged links")      \
    X(SN_GENERATE_CABLE, "cable", "steel rope along x: links of 40 mm on damped ball joints")

#define SN_GENERATE_ENUM(code, name, text) code,
typedef enum sn_generate_shape {
    SN_GENERATE_LIST(SN_GENERATE_ENUM) SN_GENERATE_COUNT
} sn_generate_shape;
#undef SN_GENERATE_ENUM

typedef struct sn_generate_def {
    sn_generate_shape shape;
    int count; ///< bodies, at least 1
    uint64_t seed;
    bool free_base; ///< the first body gets a free joint
    bool passive;   ///< random: joints also get armature, damping and springs
    /// Units of mass, length and time, 1 for SI; molecules live near 1e-27, 1e-10, 1e-15.
    double mass_unit, length_unit, time_unit;
} sn_generate_def;

sn_generate_def sn_generate_def_default(void);

/// Adds the bodies to a builder, so that the caller can look at or change the definitions.
sn_status sn_generate(const sn_generate_def* def, sn_model_builder* builder);

/// Reads "chain:100", "tree:127", "random:20:7" (shape:count[:seed]) into def; false when the text
/// is not of that form.
bool sn_generate_parse(const char* text, sn_generate_def* def);

// ---- free bodies on a floor ---------------------------------------------------------------------

/// X(code, name, what it is)
#define SN_PILE_LIST(X)                                                                            \
    X(SN_PILE_FLOOR, "floor", "nothing but the floor")                                             \
    X(SN_PILE_STACK, "stack", "cubes on each other")                                               \
    X(SN_PILE_APART, "apart", "cubes side by side that do not touch")                              \
    X(SN_PILE_PYRAMID, "pyramid", "rows of cubes, each on two others")                             \
    X(SN_PILE_WALL, "wall", "rows of bricks, each on two others")                                  \
    X(SN_PILE_DOMINOES, "dominoes", "a row of dominoes, the first of which falls")                 \
    X(SN_PILE_CARDS, "cards", "storeys of a house of cards, leaning on each other")                \
    X(SN_PILE_HEAP, "heap", "boxes, balls, cylinders and capsules that fall into a bin")

#define SN_PILE_ENUM(code, name, text) code,
typedef enum sn_pile_kind { SN_PILE_LIST(SN_PILE_ENUM) SN_PILE_COUNT } sn_pile_kind;
#undef SN_PILE_ENUM

/// Bodies that nothing holds, where the scene begins when q is neutral, and a plane z = 0 fixed to the
/// world. Cubes have edges of 0.2 m; friction is 0.5.
typedef struct sn_pile_def {
    sn_pile_kind kind;
    int count; ///< bodies; of a pyramid, wall or house of cards rows; at least 1, without meaning to a floor
    int columns; ///< wall: bricks in a row; 0: as many as rows
    uint64_t seed;
    bool floor; ///< false: without, and a heap without its bin
} sn_pile_def;

sn_pile_def sn_pile_def_default(void);

/// Adds floor and bodies to a builder.
sn_status sn_generate_pile(const sn_pile_def* def, sn_model_builder* builder);

/// Reads "floor", "stack:3", "wall:6x8" (rows x columns), "heap:50:7" (kind:count[:seed]) into def; false when
/// the text is not of that form.
bool sn_pile_parse(const char* text, sn_pile_def* def);

#ifdef __cplusplus
}
#endif
#endif
