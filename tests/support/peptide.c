// SPDX-License-Identifier: Apache-2.0
#include "support/peptide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "molecule/templates.h"
#include "support/check.h"

static peptide* peptide_create(int32_t atoms, int32_t bonds) {
    peptide* m = calloc(1, sizeof *m);
    size_t n = (size_t)atoms + 1, b = (size_t)bonds + 1;
    m->atoms = calloc(n, sizeof *m->atoms);
    m->bonds = calloc(b, sizeof *m->bonds);
    m->p = calloc(n, sizeof *m->p);
    m->group = calloc(n, sizeof *m->group);
    m->X_wg = calloc(n, sizeof *m->X_wg);
    m->joints = calloc(b, sizeof *m->joints);
    m->parent = calloc(b, sizeof *m->parent);
    m->input = (sni_field_input){.atom_count = atoms,
                                 .bond_count = bonds,
                                 .group_count = atoms,
                                 .atoms = m->atoms,
                                 .bonds = m->bonds,
                                 .p = m->p,
                                 .group = m->group,
                                 .X_wg = m->X_wg,
                                 .joints = m->joints};
    return m;
}

void peptide_free(peptide* m) {
    free(m->atoms);
    free(m->bonds);
    free(m->p);
    free(m->group);
    free(m->X_wg);
    free(m->joints);
    free(m->parent);
    free(m);
}

static void single_atoms(peptide* m) {
    m->input.group_count = m->input.atom_count;
    m->input.joint_count = 0;
    for (int32_t i = 0; i < m->input.atom_count; i++) {
        m->group[i] = i;
        m->X_wg[i] = (sn_pose){sn_mat3_identity(), m->p[i]};
    }
}

// ---- random ---------------------------------------------------------------------------------------------

static sn_vec3 random_direction(sni_rng* rng) {
    for (;;) {
        sn_vec3 d = sn_vec3_make(sni_rng_uniform(rng, -1, 1), sni_rng_uniform(rng, -1, 1),
                                 sni_rng_uniform(rng, -1, 1));
        double r = sn_vec3_norm(d);
        if (r > 0.1 && r < 1) return sn_vec3_scale(1 / r, d);
    }
}

/// Puts an atom at a bond's length from another, as far from the atoms before it as some tries allow.
static void hang(peptide* m, sni_rng* rng, int32_t atom, int32_t on) {
    double best = -1;
    double length = sni_bond_length(m->atoms[atom].type, m->atoms[on].type);
    length *= sni_rng_uniform(rng, 0.9, 1.1);
    for (int32_t attempt = 0; attempt < 200 && best < 0.15; attempt++) {
        sn_vec3 p = sn_vec3_add(m->p[on], sn_vec3_scale(length, random_direction(rng)));
        double nearest = INFINITY;
        for (int32_t i = 0; i < atom; i++) {
            if (i != on) nearest = fmin(nearest, sn_vec3_norm(sn_vec3_sub(p, m->p[i])));
        }
        if (nearest > best) best = nearest, m->p[atom] = p;
    }
}

static const sni_template* random_residue(sni_rng* rng, int32_t at, int32_t count) {
    sni_end end = at == 0 ? SNI_END_N : at == count - 1 ? SNI_END_C : SNI_END_NONE;
    for (;;) {
        const sni_template* t = &sni_templates[sni_rng_index(rng, sni_templates_count)];
        bool chained = t->link[SNI_LINK_PREVIOUS] >= 0 || t->link[SNI_LINK_NEXT] >= 0;
        if (chained && t->end == end && t->link[SNI_LINK_SIDE] < 0 && t->atom_count > 6) return t;
    }
}

peptide* peptide_random(uint64_t seed, int32_t residues) {
    sni_rng rng = {seed};
    peptide* m = peptide_create(residues * 30, residues * 32);
    int32_t n = 0, bonds = 0, tail = -1;
    for (int32_t r = 0; r < residues; r++) {
        const sni_template* t = random_residue(&rng, r, residues);
        for (int32_t i = 0; i < t->atom_count; i++) {
            const sni_template_atom* a = &sni_template_atoms[t->first_atom + i];
            m->atoms[n + i] = (sni_typed_atom){a->type, a->charge};
        }
        if (tail >= 0) m->bonds[bonds++] = (sni_atom_pair){tail, n + t->link[SNI_LINK_PREVIOUS]};
        for (int32_t i = 0; i < t->bond_count; i++) {
            sni_template_bond b = sni_template_bonds[t->first_bond + i];
            m->bonds[bonds++] = (sni_atom_pair){n + b.a, n + b.b};
        }
        for (int32_t i = 0; i < t->atom_count; i++) { // templates name N first, then along bonds
            int32_t on = -1;
            for (int32_t k = 0; k < bonds && on < 0; k++) {
                sni_atom_pair b = m->bonds[k];
                if (b.b == n + i && b.a < n + i) on = b.a;
                if (b.a == n + i && b.b < n + i) on = b.b;
            }
            if (on >= 0) hang(m, &rng, n + i, on);
        }
        tail = n + t->link[SNI_LINK_NEXT];
        n += t->atom_count;
    }
    m->input.atom_count = n;
    m->input.bond_count = bonds;
    single_atoms(m);
    return m;
}

// ---- OpenMM ---------------------------------------------------------------------------------------------

/// Names of a residue that a PDB file may have and the templates do not.
static const char* template_base(const char* residue, bool disulfide) {
    if (strcmp(residue, "CYS") == 0 && disulfide) return "CYX";
    return residue;
}

typedef struct pdb_atom {
    char name[5], residue[4];
    int number;
} pdb_atom;

static int32_t read_pdb(const char* path, pdb_atom* atoms, int32_t capacity) {
    FILE* file = fopen(path, "r");
    if (!file) return 0;
    char line[128];
    int32_t count = 0;
    while (count < capacity && fgets(line, sizeof line, file)) {
        if (strncmp(line, "ATOM", 4) != 0) continue;
        pdb_atom* a = &atoms[count++];
        sscanf(line + 12, "%4s", a->name);
        sscanf(line + 17, "%3s", a->residue);
        a->number = atoi(line + 22);
    }
    fclose(file);
    return count;
}

static void type_residue(peptide* m, const pdb_atom* pdb, int32_t first, int32_t count,
                         int32_t total) {
    const char* names[32];
    int32_t found[32];
    bool disulfide = true;
    for (int32_t i = 0; i < count; i++) {
        names[i] = pdb[first + i].name;
        if (strcmp(names[i], "HG") == 0) disulfide = false;
    }
    bool cap = strcmp(pdb[first].residue, "ACE") == 0 || strcmp(pdb[first].residue, "NME") == 0;
    sni_end end = SNI_END_NONE;
    if (!cap && first == 0) end = SNI_END_N;
    if (!cap && first + count == total) end = SNI_END_C;
    const sni_template* t =
        &sni_templates[sni_template_find(template_base(pdb[first].residue, disulfide), end)];
    check_context(pdb[first].residue);
    CHECK(sni_template_match(t, count, names, found) == count, (uint64_t)pdb[first].number);
    for (int32_t i = 0; i < count; i++) {
        const sni_template_atom* a = &sni_template_atoms[t->first_atom + found[i]];
        m->atoms[first + i] = (sni_typed_atom){a->type, a->charge};
    }
}

peptide* peptide_from_openmm(json_t* oracle, const char* pdb_path) {
    int32_t atoms = (int32_t)json_integer_value(json_object_get(oracle, "n_atoms"));
    json_t* bonds = json_object_get(json_object_get(oracle, "parameters"), "bonds_i_j_r0_k");
    peptide* m = peptide_create(atoms, (int32_t)json_array_size(bonds));
    for (int32_t i = 0; i < m->input.bond_count; i++) {
        json_t* b = json_array_get(bonds, (size_t)i);
        m->bonds[i] = (sni_atom_pair){(int32_t)json_integer_value(json_array_get(b, 0)),
                                      (int32_t)json_integer_value(json_array_get(b, 1))};
    }
    pdb_atom* pdb = calloc((size_t)atoms, sizeof *pdb);
    CHECK(read_pdb(pdb_path, pdb, atoms) == atoms, 0);
    for (int32_t first = 0, end; first < atoms; first = end) {
        for (end = first; end < atoms && pdb[end].number == pdb[first].number; end++) {
        }
        type_residue(m, pdb, first, end - first, atoms);
    }
    free(pdb);
    single_atoms(m);
    return m;
}

void peptide_place(peptide* m, json_t* conformation) {
    json_t* positions = json_object_get(conformation, "positions_nm");
    for (int32_t i = 0; i < m->input.atom_count; i++) {
        json_t* p = json_array_get(positions, (size_t)i);
        m->p[i] = sn_vec3_make(json_number_value(json_array_get(p, 0)),
                               json_number_value(json_array_get(p, 1)),
                               json_number_value(json_array_get(p, 2)));
    }
    single_atoms(m);
}

// ---- rigid groups ---------------------------------------------------------------------------------------

/// Marks the atoms that can be reached from one without a bond.
static int32_t reach(const peptide* m, int32_t from, int32_t without, bool* reached) {
    int32_t count = 1;
    memset(reached, 0, sizeof(bool) * (size_t)m->input.atom_count);
    reached[from] = true;
    for (bool more = true; more;) {
        more = false;
        for (int32_t k = 0; k < m->input.bond_count; k++) {
            sni_atom_pair b = m->bonds[k];
            if (k == without || reached[b.a] == reached[b.b]) continue;
            reached[b.a] = reached[b.b] = more = true;
            count++;
        }
    }
    return count;
}

static sn_pose random_pose(sni_rng* rng, sn_vec3 near) {
    sn_quat q = sn_quat_exp(sn_vec3_scale(sni_rng_uniform(rng, 0, 3), random_direction(rng)));
    return (sn_pose){sn_quat_matrix(q),
                     sn_vec3_add(near, sn_vec3_scale(0.2, random_direction(rng)))};
}

void peptide_cut(peptide* m, uint64_t seed, double share) {
    sni_rng rng = {seed};
    int32_t n = m->input.atom_count, groups = 1, joints = 0;
    bool *turns = calloc((size_t)m->input.bond_count + 1, sizeof(bool)),
         *reached = calloc((size_t)n, sizeof(bool));
    for (int32_t k = 0; k < m->input.bond_count; k++) {
        int32_t side = reach(m, m->bonds[k].a, k, reached);
        bool in_ring = reached[m->bonds[k].b];
        turns[k] = !in_ring && side > 1 && side < n - 1 && sni_rng_uniform(&rng, 0, 1) < share;
    }
    for (int32_t i = 0; i < n; i++) m->group[i] = -1;
    m->group[0] = 0;
    for (bool more = true; more;) { // outwards from atom 0: all of a group before the next joint
        more = false;
        for (int32_t k = 0; k < m->input.bond_count; k++) {
            sni_atom_pair b = m->bonds[k];
            if (turns[k] || (m->group[b.a] < 0) == (m->group[b.b] < 0)) continue;
            m->group[b.a] = m->group[b.b] = m->group[b.a] < 0 ? m->group[b.b] : m->group[b.a];
            more = true;
        }
        for (int32_t k = 0; k < m->input.bond_count && !more; k++) {
            sni_atom_pair b = m->bonds[k];
            if (!turns[k] || (m->group[b.a] < 0) == (m->group[b.b] < 0)) continue;
            if (m->group[b.a] < 0) b = (sni_atom_pair){b.b, b.a};
            m->parent[joints] = m->group[b.a];
            m->joints[joints++] = b;
            m->group[b.b] = groups++;
            more = true;
        }
    }
    m->input.group_count = groups;
    m->input.joint_count = joints;
    for (int32_t g = 0; g < groups; g++) {
        m->X_wg[g] = random_pose(&rng, m->p[g]);
    }
    free(turns);
    free(reached);
}

static void turn_about(sn_quat q, sn_vec3 centre, sn_pose* X) {
    sn_mat3 R = sn_quat_matrix(q);
    X->R = sn_mat3_mul(R, X->R);
    X->p = sn_vec3_add(centre, sn_mat3_apply(R, sn_vec3_sub(X->p, centre)));
}

void peptide_twist(peptide* m, uint64_t seed, double most) {
    sni_rng rng = {seed};
    int32_t n = m->input.atom_count;
    sn_vec3* p_g = calloc((size_t)n, sizeof *p_g);
    bool* moved = calloc((size_t)m->input.group_count, sizeof(bool));
    for (int32_t i = 0; i < n; i++) {
        sn_pose X = m->X_wg[m->group[i]];
        p_g[i] = sn_mat3_apply_transposed(X.R, sn_vec3_sub(m->p[i], X.p));
    }
    for (int32_t j = 0; j < m->input.joint_count; j++) {
        sn_vec3 a = sn_pose_apply(m->X_wg[m->group[m->joints[j].a]], p_g[m->joints[j].a]);
        sn_vec3 b = sn_pose_apply(m->X_wg[m->group[m->joints[j].b]], p_g[m->joints[j].b]);
        sn_vec3 axis = sn_vec3_sub(b, a);
        double angle = sni_rng_uniform(&rng, -most, most);
        sn_quat q = sn_quat_exp(sn_vec3_scale(angle / sn_vec3_norm(axis), axis));
        memset(moved, 0, sizeof(bool) * (size_t)m->input.group_count);
        moved[m->group[m->joints[j].b]] = true;
        turn_about(q, a, &m->X_wg[m->group[m->joints[j].b]]);
        for (int32_t k = j + 1; k < m->input.joint_count; k++) { // everything beyond
            int32_t child = m->group[m->joints[k].b];
            if (!moved[m->parent[k]]) continue;
            moved[child] = true;
            turn_about(q, a, &m->X_wg[child]);
        }
    }
    for (int32_t i = 0; i < n; i++) {
        m->p[i] = sn_pose_apply(m->X_wg[m->group[i]], p_g[i]);
    }
    free(moved);
    free(p_g);
}
