// SPDX-License-Identifier: Apache-2.0
// From bonds that turn to a tree of rigid groups.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "molecule/geometry.h"
#include "molecule/torsion_tree.h"

typedef struct cutting {
    sn_torsion_tree* tree;
    const sn_molecule* m;
    sni_adjacency adjacency;
    sni_rotatable* bonds; ///< that turn
    int32_t bond_count;
    int32_t* root;          ///< [atoms] of union-find; later, number of the group by its first atom
    int32_t *first, *edge;  ///< bonds of every group, as sni_adjacency
    int32_t *order, *place; ///< groups in the order of the tree, and back
    int32_t group_count;
} cutting;

// ---- what moves together ------------------------------------------------------------------------

static int32_t find_root(int32_t* root, int32_t i) {
    while (root[i] != i) {
        root[i] = root[root[i]];
        i = root[i];
    }
    return i;
}

static void join(int32_t* root, int32_t a, int32_t b) {
    a = find_root(root, a);
    b = find_root(root, b);
    if (a < b) root[b] = a;
    if (b < a) root[a] = b;
}

static bool is_open_bond(const cutting* c, const sni_bond* b) {
    const sni_residue* r = &c->m->residues[c->m->atoms[b->a].residue];
    return c->tree->def.open_rings && r->template_index >= 0 &&
           strcmp(sni_templates[r->template_index].base, "PRO") == 0 &&
           strcmp(c->m->atoms[b->a].name, "N") == 0 && strcmp(c->m->atoms[b->b].name, "CD") == 0;
}

/// Two sides of a gap, and what is bonded to nothing, are held where they are.
static void join_residue(const cutting* c, int32_t i, int32_t before) {
    const sni_residue* r = &c->m->residues[i];
    if (r->template_index < 0)
        for (int32_t k = 1; k < r->atom_count; k++) join(c->root, r->first_atom, r->first_atom + k);
    if (r->carrier >= 0) join(c->root, r->first_atom, r->carrier);
    if (!r->after_gap || before < 0) return;
    int32_t carbon = sni_residue_atom(c->m, before, "C"), nitrogen = sni_residue_atom(c->m, i, "N");
    if (carbon >= 0 && nitrogen >= 0) join(c->root, carbon, nitrogen);
}

static bool join_atoms(cutting* c) {
    const sn_molecule* m = c->m;
    bool* turns = calloc((size_t)m->bond_count + 1, sizeof *turns);
    if (!turns) return false;
    for (int32_t i = 0; i < c->bond_count; i++) turns[c->bonds[i].bond] = true;
    for (int32_t i = 0; i < m->atom_count; i++) c->root[i] = i;
    for (int32_t i = 0; i < m->bond_count; i++) {
        const sni_bond* b = &m->bonds[i];
        if (!turns[i] && !b->disulfide && !is_open_bond(c, b)) join(c->root, b->a, b->b);
    }
    int32_t before = -1;
    for (int32_t i = 0; i < m->residue_count; i++) {
        join_residue(c, i, before);
        if (m->residues[i].template_index >= 0 && m->residues[i].atom_count > 1) before = i;
    }
    for (int32_t i = 0; i < m->atom_count; i++) { // roots are first atoms, so they come first
        int32_t top = find_root(c->root, i);
        c->tree->group_of[i] = top == i ? c->group_count++ : c->tree->group_of[top];
    }
    free(turns);
    return true;
}

/// The bonds that turn by the tree's policy.
static void choose_bonds(cutting* c) {
    const sn_torsion_tree_def* def = &c->tree->def;
    int32_t kept = 0;
    for (int32_t i = 0; i < c->bond_count; i++) {
        const sni_rotatable* b = &c->bonds[i];
        bool side =
            b->kind != SN_TORSION_PHI && b->kind != SN_TORSION_PSI && b->kind != SN_TORSION_OMEGA;
        bool frozen = def->rigid_first && side && b->residue == 0;
        if (sn_torsion_policy_has(def->policy, b->kind) && !frozen) c->bonds[kept++] = *b;
    }
    c->bond_count = kept;
}

// ---- the tree -----------------------------------------------------------------------------------

/// Bonds that turn, by group.
static void list_edges(cutting* c) {
    const int32_t* group_of = c->tree->group_of;
    int32_t* place = c->first + 1;
    for (int32_t i = 0; i < c->bond_count; i++) {
        place[group_of[c->bonds[i].inner] + 1] += 1;
        place[group_of[c->bonds[i].outer] + 1] += 1;
    }
    for (int32_t i = 1; i <= c->group_count; i++) place[i] += place[i - 1];
    for (int32_t i = 0; i < c->bond_count; i++) {
        c->edge[place[group_of[c->bonds[i].inner]]++] = i;
        c->edge[place[group_of[c->bonds[i].outer]]++] = i;
    }
}

static void name_torsion(const sn_molecule* m, const sni_rotatable* b, char* name) {
    char label[SN_RESIDUE_LABEL], what[16];
    if (b->number > 0)
        snprintf(what, sizeof what, "chi%d", b->number);
    else if (b->kind <= SN_TORSION_OMEGA)
        snprintf(what, sizeof what, "%s", sn_torsion_kind_name(b->kind));
    else
        snprintf(what, sizeof what, "%s-%s", m->atoms[b->inner].name, m->atoms[b->outer].name);
    sni_residue_label(m, b->residue, label);
    snprintf(name, SN_TORSION_NAME, "%s %s", label, what);
}

/// Makes the torsion of bond number `edge` that turns group `child`.
static void add_torsion(cutting* c, int32_t edge, int32_t child) {
    sn_torsion_tree* tree = c->tree;
    sni_rotatable b = c->bonds[edge];
    int32_t i, l;
    sni_rotatable_dihedral(c->m, &c->adjacency, &b, &i, &l);
    bool turned = tree->group_of[b.outer] != child; // the tree begins on the other side
    sni_torsion* t = &tree->torsions[tree->torsion_count];
    *t = (sni_torsion){.kind = b.kind,
                       .residue = b.residue,
                       .group = child,
                       .atoms = {turned ? l : i, turned ? b.outer : b.inner,
                                 turned ? b.inner : b.outer, turned ? i : l}};
    name_torsion(c->m, &b, t->name);
    tree->groups[child].torsion = tree->torsion_count++;
}

/// Everything that hangs on group `root`, depth first: children after their parents.
static void grow(cutting* c, int32_t root, int32_t* count) {
    sn_torsion_tree* tree = c->tree;
    int32_t depth = 0, *stack = c->place; // place is filled only later
    stack[depth++] = root;
    tree->groups[root].parent = tree->groups[root].torsion = -1;
    while (depth > 0) {
        int32_t g = stack[--depth];
        c->order[(*count)++] = g;
        for (int32_t k = c->first[g + 1] - 1; k >= c->first[g]; k--) {
            const sni_rotatable* b = &c->bonds[c->edge[k]];
            int32_t inner = tree->group_of[b->inner], outer = tree->group_of[b->outer];
            int32_t other = inner == g ? outer : inner;
            if (inner == outer || tree->groups[other].residue >= 0) continue; // was here before
            tree->groups[other].parent = g;
            tree->groups[other].residue = b->residue;
            add_torsion(c, c->edge[k], other);
            stack[depth++] = other;
        }
    }
}

static void build(cutting* c) {
    sn_torsion_tree* tree = c->tree;
    int32_t count = 0;
    for (int32_t g = 0; g < c->group_count; g++) tree->groups[g].residue = -1;
    for (int32_t i = 0; i < c->m->atom_count; i++) {
        int32_t g = tree->group_of[i];
        if (tree->groups[g].residue >= 0) continue;
        tree->groups[g].residue = c->m->atoms[i].residue;
        tree->groups[g].X_wg = sn_pose_make(sn_mat3_identity(), c->m->atoms[i].p);
        grow(c, g, &count);
    }
    tree->group_count = count;
}

// ---- order --------------------------------------------------------------------------------------

/// Numbers groups in the order of the tree, and torsions in that of their groups.
static bool renumber(cutting* c) {
    sn_torsion_tree* tree = c->tree;
    size_t n = (size_t)c->group_count;
    sni_group* groups = malloc((n + 1) * sizeof *groups);
    sni_torsion* torsions = malloc((n + 1) * sizeof *torsions);
    if (!groups || !torsions) {
        free(groups);
        free(torsions);
        return false;
    }
    for (int32_t k = 0; k < c->group_count; k++) c->place[c->order[k]] = k;
    int32_t count = 0;
    for (int32_t k = 0; k < c->group_count; k++) {
        groups[k] = tree->groups[c->order[k]];
        if (groups[k].parent < 0) continue;
        groups[k].parent = c->place[groups[k].parent];
        torsions[count] = tree->torsions[groups[k].torsion];
        torsions[count].group = k;
        groups[k].X_wg = sn_pose_make(sn_mat3_identity(), c->m->atoms[torsions[count].atoms[2]].p);
        groups[k].torsion = count++;
    }
    for (int32_t i = 0; i < c->m->atom_count; i++) tree->group_of[i] = c->place[tree->group_of[i]];
    free(tree->groups);
    free(tree->torsions);
    tree->groups = groups;
    tree->torsions = torsions;
    return true;
}

static bool cut(cutting* c) {
    const sn_molecule* m = c->m;
    sn_torsion_tree* tree = c->tree;
    if (!sni_adjacency_create(m, &c->adjacency)) return false;
    c->bonds = sni_rotatable_find(m, &c->adjacency, tree->def.open_rings, &c->bond_count);
    c->root = malloc(((size_t)m->atom_count + 1) * sizeof *c->root);
    if (!c->bonds || !c->root) return false;
    choose_bonds(c);
    if (!join_atoms(c)) return false;
    size_t n = (size_t)c->group_count;
    c->first = calloc(n + 2, sizeof *c->first);
    c->edge = malloc((2 * (size_t)c->bond_count + 1) * sizeof *c->edge);
    c->order = malloc((n + 1) * sizeof *c->order);
    c->place = malloc((n + 1) * sizeof *c->place);
    tree->groups = calloc(n + 1, sizeof *tree->groups);
    tree->torsions = calloc(n + 1, sizeof *tree->torsions);
    if (!c->first || !c->edge || !c->order || !c->place || !tree->groups || !tree->torsions)
        return false;
    list_edges(c);
    build(c);
    return renumber(c);
}

bool sni_torsion_tree_cut(sn_torsion_tree* tree) {
    cutting c = {.tree = tree, .m = tree->molecule};
    tree->group_of = malloc(((size_t)tree->molecule->atom_count + 1) * sizeof *tree->group_of);
    bool done = tree->group_of && cut(&c);
    sni_adjacency_free(&c.adjacency);
    free(c.bonds);
    free(c.root);
    free(c.first);
    free(c.edge);
    free(c.order);
    free(c.place);
    return done;
}
