// SPDX-License-Identifier: Apache-2.0
/// Local-geometry records made by hand, for tests of touch.
#ifndef SINEW_TESTS_PIECES_H
#define SINEW_TESTS_PIECES_H

#include "sinew/collision.h"
#include "support/random_state.h"

/// A record with nothing in it, of 10 m about the origin.
sn_local_geometry test_record(void);
/// Adds a primitive on body `count`, shape `count`, that rubs with mu; returns it.
sn_piece* test_add_piece(sn_local_geometry* local, sn_piece_type type, sn_vec3 size, sn_pose X,
                         double mu);
/// A triangle of shape `shape` on body `body`.
sn_piece* test_add_triangle(sn_local_geometry* local, int shape, sn_vec3 a, sn_vec3 b, sn_vec3 c,
                            double mu);
/// A closed box of n x n cells a side, all of one shape.
void test_add_mesh_box(sn_local_geometry* local, int shape, sn_vec3 half, int n, double mu);
/// Distance of p from a piece, negative inside; of triangles infinite behind them.
double test_piece_distance(const sn_piece* piece, sn_vec3 p);

#endif
