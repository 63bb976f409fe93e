// SPDX-License-Identifier: Apache-2.0
/// The branched body of `sinew bench coupling`, with as many hinges as the largest molecule of [MR07]: 857.
/// It is laid out as a chain of 248 residues: two hinges of the backbone each (phi, psi), and 361 in side
/// chains of none to four. Synthetic: no protein has just these side chains.
#include <stdio.h>

#include "bench_line.h"

enum { HINGES = 857, NAME_SIZE = 16 };

// Hinges of the side chains of residues, over and over: 16 for 11 residues, 361 for 248.
static const int SIDE[] = {1, 0, 2, 1, 4, 1, 2, 0, 3, 0, 2};
enum { SIDE_COUNT = sizeof SIDE / sizeof SIDE[0] };

// Adds body number `index` on number `parent` (-1: the world), its axis by `turn`; false when it fails.
static bool add_rod(sn_model_builder* builder, int index, int parent, int turn) {
    static const sn_vec3 AXES[] = {{0, 0, 1}, {0, 1, 0}, {0.6, 0.8, 0}};
    char name[NAME_SIZE], parent_name[NAME_SIZE];
    snprintf(name, sizeof name, "b%d", index);
    snprintf(parent_name, sizeof parent_name, "b%d", parent);
    sn_body_def body = sn_body_def_default();
    body.name = name;
    body.parent = parent < 0 ? NULL : parent_name;
    body.joint.axis = AXES[turn];
    if (parent >= 0) body.joint.placement.p = sn_vec3_make(1, 0, 0);
    body.inertia = sn_inertia_box(1, sn_vec3_make(1, 0.1, 0.1));
    body.inertia.com = sn_vec3_make(0.5, 0, 0);
    return sn_model_builder_add_body(builder, &body) == SN_OK;
}

static bool add_residues(sn_model_builder* builder) {
    int count = 0, last = -1; // bodies, end of the backbone
    for (int residue = 0; count < HINGES; residue++) {
        for (int k = 0; k < 2 && count < HINGES; k++) {
            if (!add_rod(builder, count, last, k)) return false;
            last = count++;
        }
        int at = last;
        for (int k = 0; k < SIDE[residue % SIDE_COUNT] && count < HINGES; k++) {
            if (!add_rod(builder, count, at, 2 - k % 2)) return false;
            at = count++;
        }
    }
    return true;
}

sn_model* bench_protein(sn_error* error) {
    sn_model* model = NULL;
    sn_model_builder* builder = sn_model_builder_create("protein");
    if (builder && add_residues(builder)) {
        (void)sn_model_builder_compile(builder, NULL, &model, error); // then model stays NULL
    }
    sn_model_builder_free(builder);
    return model;
}
