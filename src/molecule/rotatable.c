// SPDX-License-Identifier: Apache-2.0
#include "molecule/rotatable.h"

#include <stdlib.h>
#include <string.h>

// ---- rings --------------------------------------------------------------------------------------

typedef struct ring_search {
    const sni_adjacency* adjacency;
    int32_t *order, *low, *at, *parent, *stack; ///< [atoms]
    int32_t next;
} ring_search;

/// Visits everything bonded to `root`, depth first. Where no way leads back above an atom but its own bond, that
/// bond is in no ring: parent[atom] stays, else it becomes -1.
static void search(ring_search* s, int32_t root) {
    int32_t depth = 0;
    s->stack[depth] = root;
    s->parent[root] = -1;
    s->order[root] = s->low[root] = ++s->next;
    s->at[root] = s->adjacency->first[root];
    while (depth >= 0) {
        int32_t a = s->stack[depth];
        if (s->at[a] < s->adjacency->first[a + 1]) {
            int32_t b = s->adjacency->neighbour[s->at[a]++];
            if (s->order[b] == 0) {
                s->parent[b] = a;
                s->order[b] = s->low[b] = ++s->next;
                s->at[b] = s->adjacency->first[b];
                s->stack[++depth] = b;
            } else if (b != s->parent[a] && s->order[b] < s->low[a]) {
                s->low[a] = s->order[b];
            }
            continue;
        }
        depth -= 1;
        if (depth < 0) break;
        int32_t above = s->stack[depth];
        if (s->low[a] < s->low[above]) s->low[above] = s->low[a];
        if (s->low[a] < s->order[a]) s->parent[a] = -1;
    }
}

/// Which bonds are in no ring [TAR74]. False without memory.
static bool find_bridges(const sn_molecule* m, const sni_adjacency* adjacency, bool* bridge) {
    size_t n = (size_t)m->atom_count + 1;
    int32_t* memory = calloc(5 * n, sizeof *memory);
    if (!memory) return false;
    ring_search s = {.adjacency = adjacency,
                     .order = memory,
                     .low = memory + n,
                     .at = memory + 2 * n,
                     .parent = memory + 3 * n,
                     .stack = memory + 4 * n};
    for (int32_t i = 0; i < m->atom_count; i++)
        if (s.order[i] == 0) search(&s, i);
    for (int32_t i = 0; i < m->bond_count; i++) {
        const sni_bond* b = &m->bonds[i];
        bridge[i] = !b->disulfide && (s.parent[b->a] == b->b || s.parent[b->b] == b->a);
    }
    free(memory);
    return true;
}

// ---- kinds --------------------------------------------------------------------------------------

static bool is_named(const sn_molecule* m, int32_t atom, const char* name) {
    return strcmp(m->atoms[atom].name, name) == 0;
}

static bool is_hydrogen(const sn_molecule* m, int32_t atom) {
    return strcmp(m->atoms[atom].element, "H") == 0;
}

static int degree(const sni_adjacency* adjacency, int32_t atom) {
    return adjacency->first[atom + 1] - adjacency->first[atom];
}

static int hydrogens_of(const sn_molecule* m, const sni_adjacency* adjacency, int32_t atom) {
    int count = 0;
    for (int32_t k = adjacency->first[atom]; k < adjacency->first[atom + 1]; k++)
        count += is_hydrogen(m, adjacency->neighbour[k]);
    return count;
}

/// How far from the backbone an atom of a side chain is, by the Greek letter in its name; -1: not in one.
static int remoteness(const sn_molecule* m, int32_t atom) {
    static const char LETTERS[] = "ABGDEZH";
    const char* name = m->atoms[atom].name;
    const char* at = name[0] && name[1] ? strchr(LETTERS, name[1]) : NULL;
    return at ? (int)(at - LETTERS) : -1;
}

/// The rotor of an outer atom that carries hydrogens only.
static sn_torsion_kind rotor_kind(const sn_molecule* m, int32_t outer, int hydrogens) {
    const char* element = m->atoms[outer].element;
    if (strcmp(element, "C") == 0) return SN_TORSION_METHYL;
    if (strcmp(element, "N") != 0) return SN_TORSION_HYDROXYL;
    const char* type = sni_atom_types[sni_atom_template(m, outer)->type].name;
    return hydrogens == 3 || strcmp(type, "N3") == 0 ? SN_TORSION_AMMONIUM : SN_TORSION_AMIDE;
}

static void sort_side_bond(const sn_molecule* m, const sni_adjacency* adjacency, sni_rotatable* r) {
    int hydrogens = hydrogens_of(m, adjacency, r->outer);
    if (hydrogens == degree(adjacency, r->outer) - 1) {
        r->kind = rotor_kind(m, r->outer, hydrogens);
        return;
    }
    r->number = (int8_t)(remoteness(m, r->inner) + 1);
    r->kind = is_named(m, r->inner, "NE") && is_named(m, r->outer, "CZ") ? SN_TORSION_CHI5
                                                                         : SN_TORSION_CHI;
}

/// What a bond in no ring is; false: it does not turn anything.
static bool sort_bond(const sn_molecule* m, const sni_adjacency* adjacency, int32_t bond,
                      sni_rotatable* r) {
    int32_t a = m->bonds[bond].a, b = m->bonds[bond].b;
    if (!sni_atom_template(m, a) || !sni_atom_template(m, b)) return false;
    if (degree(adjacency, a) < 2 || degree(adjacency, b) < 2) return false;
    *r = (sni_rotatable){.bond = bond, .inner = a, .outer = b, .residue = m->atoms[b].residue};
    if (m->atoms[a].residue != m->atoms[b].residue) {
        bool end = hydrogens_of(m, adjacency, b) == degree(adjacency, b) - 1; // NH2 of a cap
        r->kind = end ? SN_TORSION_AMIDE : SN_TORSION_OMEGA;
        return true;
    }
    if (is_named(m, a, "N") && is_named(m, b, "CA")) {
        r->kind = SN_TORSION_PHI;
        return true;
    }
    if (is_named(m, a, "CA") && is_named(m, b, "C")) {
        r->kind = SN_TORSION_PSI;
        return true;
    }
    bool cap = sni_residue_atom(m, r->residue, "CA") < 0;
    if (cap ? is_named(m, a, "CH3") : remoteness(m, a) > remoteness(m, b)) {
        r->inner = b;
        r->outer = a;
    }
    sort_side_bond(m, adjacency, r);
    return true;
}

/// phi of proline is in a ring, but may be asked for.
static bool is_proline_phi(const sn_molecule* m, const sni_bond* b) {
    int32_t residue = m->atoms[b->a].residue, t = m->residues[residue].template_index;
    return t >= 0 && strcmp(sni_templates[t].base, "PRO") == 0 && is_named(m, b->a, "N") &&
           is_named(m, b->b, "CA") && residue == m->atoms[b->b].residue;
}

static int by_residue(const void* x, const void* y) {
    const sni_rotatable *a = x, *b = y;
    if (a->residue != b->residue) return a->residue < b->residue ? -1 : 1;
    return (a->bond > b->bond) - (a->bond < b->bond);
}

sni_rotatable* sni_rotatable_find(const sn_molecule* m, const sni_adjacency* adjacency,
                                  bool open_rings, int32_t* count) {
    *count = 0;
    bool* bridge = calloc((size_t)m->bond_count + 1, sizeof *bridge);
    sni_rotatable* list = malloc(((size_t)m->bond_count + 1) * sizeof *list);
    bool done = bridge && list && find_bridges(m, adjacency, bridge);
    for (int32_t i = 0; done && i < m->bond_count; i++) {
        bool may = bridge[i] || (open_rings && is_proline_phi(m, &m->bonds[i]));
        if (may && sort_bond(m, adjacency, i, &list[*count])) *count += 1;
    }
    if (done) qsort(list, (size_t)*count, sizeof *list, by_residue);
    free(bridge);
    if (done) return list;
    free(list);
    return NULL;
}

// ---- dihedrals ----------------------------------------------------------------------------------

/// The neighbour of `atom` other than `but` that dihedrals are counted from: heavy before hydrogen, then the backbone
/// of this residue and the next, then by remoteness and number of the branch.
static int32_t reference(const sn_molecule* m, const sni_adjacency* adjacency, int32_t atom,
                         int32_t but) {
    static const char* const FIRST[] = {"N", "C", "CA"};
    int32_t best = -1, best_rank = 0;
    for (int32_t k = adjacency->first[atom]; k < adjacency->first[atom + 1]; k++) {
        int32_t other = adjacency->neighbour[k], rank = 3;
        if (other == but) continue;
        for (int i = 2; i >= 0; i--)
            if (is_named(m, other, FIRST[i])) rank = i;
        if (is_hydrogen(m, other)) rank = 4;
        bool better =
            best < 0 || rank < best_rank ||
            (rank == best_rank && strcmp(m->atoms[other].name + 1, m->atoms[best].name + 1) < 0);
        if (!better) continue;
        best = other;
        best_rank = rank;
    }
    return best;
}

void sni_rotatable_dihedral(const sn_molecule* m, const sni_adjacency* adjacency,
                            const sni_rotatable* bond, int32_t* i, int32_t* l) {
    *i = reference(m, adjacency, bond->inner, bond->outer);
    *l = reference(m, adjacency, bond->outer, bond->inner);
}
