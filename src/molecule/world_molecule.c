// SPDX-License-Identifier: Apache-2.0
// Where a molecule is in the model of a world.
#include <string.h>

#include "molecule/torsion_tree.h"
#include "sinew/molecule_forces.h"

static bool is_named(const char* name, const char* prefix, size_t length, const char* own) {
    return strncmp(name, prefix, length) == 0 && strcmp(name + length, own) == 0;
}

int sn_world_molecule_find(const sn_world_molecule* molecule, const sn_model* model) {
    const sn_model* own = molecule->tree->model;
    int count = sn_model_body_count(own), whole = sn_model_body_count(model);
    size_t length = strlen(molecule->prefix);
    for (int first = 0; first + count <= whole; first++) {
        int same = 0;
        while (same < count &&
               is_named(sn_model_body(model, sn_body(first + same)).name, molecule->prefix, length,
                        sn_model_body(own, sn_body(same)).name))
            same++;
        if (same == count) return first;
    }
    return -1;
}

void sn_world_molecule_place(const sn_world_molecule* molecule, const sn_dynamics* dynamics,
                             int first_body, sn_vec3* p_w, sn_vec3* v_w) {
    const sn_torsion_tree* tree = molecule->tree;
    for (int32_t i = 0; i < tree->molecule->atom_count; i++) {
        const sni_group* group = &tree->groups[tree->group_of[i]];
        sn_vec3 offset = sn_torsion_tree_atom_offset(tree, i), v = sn_vec3_zero();
        sn_pose X = sn_pose_mul(molecule->pose, group->X_wg);
        if (group->body.i >= 0) {
            sn_body_id body = sn_body(first_body + group->body.i);
            sn_twist twist = sn_dynamics_velocity(dynamics, body);
            X = sn_dynamics_pose(dynamics, body);
            v = sn_mat3_apply(X.R, sn_vec3_add(twist.v, sn_vec3_cross(twist.w, offset)));
        }
        p_w[i] = sn_pose_apply(X, offset);
        if (v_w) v_w[i] = v;
    }
}
