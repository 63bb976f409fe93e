// SPDX-License-Identifier: Apache-2.0
// The doors of a torsion tree, and its model.
#include "molecule/torsion_tree.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "molecule/geometry.h"

// ---- names --------------------------------------------------------------------------------------

#define NAME(code, name, text) name,
static const char* const KINDS[] = {SN_TORSION_LIST(NAME)};
static const char* const POLICIES[] = {SN_TORSION_POLICY_LIST(NAME)};
#undef NAME

#define BIT(kind) (1u << (kind))
enum {
    BACKBONE = BIT(SN_TORSION_PHI) | BIT(SN_TORSION_PSI),
    USUAL = BACKBONE | BIT(SN_TORSION_CHI),
    POLAR = USUAL | BIT(SN_TORSION_HYDROXYL) | BIT(SN_TORSION_AMMONIUM),
};
static const unsigned POLICY_KINDS[SN_TORSION_POLICIES] = {
    BACKBONE,
    USUAL,
    USUAL | BIT(SN_TORSION_OMEGA),
    POLAR,
    POLAR | BIT(SN_TORSION_METHYL),
    BIT(SN_TORSION_KINDS) - 1,
};

const char* sn_torsion_kind_name(sn_torsion_kind kind) { return KINDS[kind]; }
const char* sn_torsion_policy_name(sn_torsion_policy policy) { return POLICIES[policy]; }

bool sn_torsion_policy_find(const char* name, sn_torsion_policy* policy) {
    for (int i = 0; i < SN_TORSION_POLICIES; i++) {
        if (toupper((unsigned char)name[0]) != POLICIES[i][0] || name[1]) continue;
        *policy = (sn_torsion_policy)i;
        return true;
    }
    return false;
}

bool sn_torsion_policy_has(sn_torsion_policy policy, sn_torsion_kind kind) {
    return (POLICY_KINDS[policy] & BIT(kind)) != 0;
}

// ---- the model ----------------------------------------------------------------------------------

/// Mass, centre and inertia of every group, its atoms being small spheres.
static void sum_inertias(sn_torsion_tree* tree) {
    for (int32_t i = 0; i < tree->molecule->atom_count; i++) {
        sni_group* g = &tree->groups[tree->group_of[i]];
        sn_inertia atom =
            sn_inertia_sphere(sn_molecule_atom(tree->molecule, i).mass, SN_ATOM_INERTIA_RADIUS);
        atom.com = sn_torsion_tree_atom_offset(tree, i);
        g->inertia = g->inertia.mass > 0 ? sn_inertia_sum(g->inertia, atom) : atom;
    }
}

static void name_group(const sn_torsion_tree* tree, int32_t group, char* name) {
    const sni_group* g = &tree->groups[group];
    char label[SN_RESIDUE_LABEL];
    sni_residue_label(tree->molecule, g->residue, label);
    if (g->torsion >= 0)
        snprintf(name, SN_TORSION_NAME, "%s", tree->torsions[g->torsion].name);
    else
        snprintf(name, SN_TORSION_NAME, "%s base", label);
}

static sn_body_def body_of(const sn_torsion_tree* tree, int32_t group) {
    const sni_group* g = &tree->groups[group];
    sn_body_def body = sn_body_def_default();
    body.inertia = g->inertia;
    body.joint.placement = g->X_wg;
    if (g->parent < 0) {
        body.joint.type = tree->def.free_base ? SN_JOINT_FREE : SN_JOINT_FIXED;
        return body;
    }
    const sni_torsion* t = &tree->torsions[g->torsion];
    const sni_atom* atoms = tree->molecule->atoms;
    body.joint.type = SN_JOINT_REVOLUTE;
    body.joint.axis = sni_direction(atoms[t->atoms[1]].p, atoms[t->atoms[2]].p);
    body.joint.placement.p = sn_vec3_sub(g->X_wg.p, tree->groups[g->parent].X_wg.p);
    return body;
}

/// Closes in twenty steps of 1 fs, or four of the longest that are chosen.
static const double ROD_CLOSES = 0.02; // ps

bool sni_torsion_tree_has_rod(const sn_torsion_tree* tree, const sni_bond* bond) {
    sn_body_id a = tree->groups[tree->group_of[bond->a]].body,
               b = tree->groups[tree->group_of[bond->b]].body;
    return tree->def.disulfides == SN_DISULFIDE_BILATERAL && bond->disulfide && a.i != b.i;
}

/// The name of an atom's group as loops want it, and where the atom is in it; in the world where that holds the group.
static const char* rod_end(const sn_torsion_tree* tree, int32_t atom, char* name, sn_pose* X) {
    int32_t group = tree->group_of[atom];
    bool fixed = tree->groups[group].body.i < 0;
    X->p = fixed ? tree->molecule->atoms[atom].p : sn_torsion_tree_atom_offset(tree, atom);
    name_group(tree, group, name);
    return fixed ? NULL : name;
}

static sn_status add_rods(const sn_torsion_tree* tree, sn_model_builder* builder) {
    const sn_molecule* m = tree->molecule;
    sn_status status = SN_OK;
    for (int32_t i = 0; i < m->bond_count && !status; i++) {
        const sni_bond* bond = &m->bonds[i];
        char name[2 * SN_RESIDUE_LABEL + 16], a[SN_TORSION_NAME], b[SN_TORSION_NAME];
        char label[2][SN_RESIDUE_LABEL];
        if (!sni_torsion_tree_has_rod(tree, bond)) continue;
        sni_residue_label(m, m->atoms[bond->a].residue, label[0]);
        sni_residue_label(m, m->atoms[bond->b].residue, label[1]);
        snprintf(name, sizeof name, "%s SG-%s SG", label[0], label[1]);
        sn_loop_def rod = sn_loop_def_default();
        rod.name = name;
        rod.type = SN_JOINT_FREE;
        rod.t_s = ROD_CLOSES;
        rod.length = sn_vec3_norm(sn_vec3_sub(m->atoms[bond->a].p, m->atoms[bond->b].p));
        rod.body_a = rod_end(tree, bond->a, a, &rod.X_ac);
        rod.body_b = rod_end(tree, bond->b, b, &rod.X_bc);
        status = sn_model_builder_add_loop(builder, &rod);
    }
    return status;
}

sn_status sni_torsion_tree_compile(sn_torsion_tree* tree, sn_error* error) {
    sn_model_builder* builder = sn_model_builder_create(tree->molecule->name);
    sn_status status = builder ? SN_OK : SN_ERR_MEMORY;
    int32_t moving = 0;
    sum_inertias(tree);
    for (int32_t i = 0; i < tree->group_count && !status; i++) {
        char name[SN_TORSION_NAME], parent[SN_TORSION_NAME];
        sn_body_def body = body_of(tree, i);
        name_group(tree, i, name);
        body.name = name;
        if (tree->groups[i].parent >= 0) {
            name_group(tree, tree->groups[i].parent, parent);
            body.parent = parent;
        }
        bool fixed = body.joint.type == SN_JOINT_FIXED;
        tree->groups[i].body = sn_body(fixed ? -1 : moving++);
        status = sn_model_builder_add_body(builder, &body);
    }
    if (!status && tree->def.disulfides == SN_DISULFIDE_BILATERAL) status = add_rods(tree, builder);
    if (status)
        status = sni_fail(error, status, sni_nowhere(), "not enough memory");
    else
        status = sn_model_builder_compile(builder, NULL, &tree->model, error);
    sn_model_builder_free(builder);
    return status;
}

// ---- doors --------------------------------------------------------------------------------------

sn_torsion_tree_def sn_torsion_tree_def_default(void) {
    sn_torsion_tree_def def = {.policy = SN_TORSION_POLICY_B};
    return def;
}

sn_torsion_tree_def sn_torsion_tree_def_for(const sn_molecule* molecule) {
    sn_torsion_tree_def def = sn_torsion_tree_def_default();
    def.open_rings = def.rigid_first = molecule->every_phi;
    return def;
}

sn_status sn_torsion_tree_create(const sn_molecule* molecule, const sn_torsion_tree_def* def,
                                 sn_torsion_tree** out, sn_error* error) {
    if (out) *out = NULL;
    sn_torsion_tree_def options = def ? *def : sn_torsion_tree_def_default();
    if (!out || !molecule || options.policy < 0 || options.policy >= SN_TORSION_POLICIES)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "sn_torsion_tree_create needs a molecule, a policy that exists and a place "
                        "for the tree");
    sn_torsion_tree* tree = calloc(1, sizeof *tree);
    if (!tree) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    tree->molecule = molecule;
    tree->def = options;
    sn_status status = SN_OK;
    if (!sni_torsion_tree_cut(tree))
        status = sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    if (!status) status = sni_torsion_tree_compile(tree, error);
    if (status)
        sn_torsion_tree_free(tree);
    else
        *out = tree;
    return status;
}

void sn_torsion_tree_free(sn_torsion_tree* tree) {
    if (!tree) return;
    sn_model_free(tree->model);
    free(tree->groups);
    free(tree->torsions);
    free(tree->group_of);
    free(tree);
}

const sn_molecule* sn_torsion_tree_molecule(const sn_torsion_tree* tree) { return tree->molecule; }
const sn_model* sn_torsion_tree_model(const sn_torsion_tree* tree) { return tree->model; }
int sn_torsion_tree_torsion_count(const sn_torsion_tree* tree) { return tree->torsion_count; }
int sn_torsion_tree_group_count(const sn_torsion_tree* tree) { return tree->group_count; }

sn_torsion_info sn_torsion_tree_torsion(const sn_torsion_tree* tree, int torsion) {
    const sni_torsion* t = &tree->torsions[torsion];
    const sni_atom* a = tree->molecule->atoms;
    sn_torsion_info info = {.name = t->name,
                            .kind = t->kind,
                            .residue = t->residue,
                            .group = t->group,
                            .body = tree->groups[t->group].body};
    for (int k = 0; k < 4; k++) info.atoms[k] = t->atoms[k];
    info.dihedral =
        sni_dihedral(a[t->atoms[0]].p, a[t->atoms[1]].p, a[t->atoms[2]].p, a[t->atoms[3]].p);
    return info;
}

sn_body_id sn_torsion_tree_group_body(const sn_torsion_tree* tree, int group) {
    return tree->groups[group].body;
}

sn_pose sn_torsion_tree_group_pose(const sn_torsion_tree* tree, int group) {
    return tree->groups[group].X_wg;
}

int sn_torsion_tree_atom_group(const sn_torsion_tree* tree, int atom) {
    return tree->group_of[atom];
}

sn_vec3 sn_torsion_tree_atom_offset(const sn_torsion_tree* tree, int atom) {
    return sn_vec3_sub(tree->molecule->atoms[atom].p, tree->groups[tree->group_of[atom]].X_wg.p);
}

void sn_torsion_tree_place_atoms(const sn_torsion_tree* tree, const sn_pose* X_wg, sn_vec3* p_w) {
    for (int32_t i = 0; i < tree->molecule->atom_count; i++)
        p_w[i] = sn_pose_apply(X_wg[tree->group_of[i]], sn_torsion_tree_atom_offset(tree, i));
}

sn_status sn_molecule_count_torsions(const sn_molecule* m, int* counts, sn_error* error) {
    sni_adjacency adjacency;
    int32_t count = 0;
    sni_rotatable* bonds = NULL;
    if (sni_adjacency_create(m, &adjacency))
        bonds = sni_rotatable_find(m, &adjacency, false, &count);
    for (int k = 0; k < SN_TORSION_KINDS; k++) counts[k] = 0;
    for (int32_t i = 0; i < count; i++) counts[bonds[i].kind] += 1;
    sni_adjacency_free(&adjacency);
    bool done = bonds != NULL;
    free(bonds);
    return done ? SN_OK : sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
}
