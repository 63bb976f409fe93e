// SPDX-License-Identifier: Apache-2.0
// From types and bonds to terms. Which torsion types apply, and the order of atoms in impropers, follow OpenMM's
// reading of AMBER, so that energies can be compared.
#include "molecule/parameters.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "molecule/templates.h"

/// The bonds of a molecule seen from its atoms.
typedef struct bond_graph {
    int32_t count;
    const sni_typed_atom* atoms;
    int32_t* first;     // [count + 1]
    int32_t* neighbour; // ascending for each atom
} bond_graph;

static int compare_indices(const void* a, const void* b) {
    int32_t x = *(const int32_t*)a, y = *(const int32_t*)b;
    return (x > y) - (x < y);
}

/// Bonds to atoms that the force field does not know are no bonds to it.
static bool counts(const sni_typed_atom* atoms, sni_atom_pair bond) {
    return atoms[bond.a].type >= 0 && atoms[bond.b].type >= 0;
}

static bool create_graph(int32_t atom_count, const sni_typed_atom* atoms, int32_t bond_count,
                         const sni_atom_pair* bonds, bond_graph* graph) {
    graph->count = atom_count;
    graph->atoms = atoms;
    graph->first = calloc((size_t)atom_count + 2, sizeof(int32_t));
    graph->neighbour = malloc(sizeof(int32_t) * (2 * (size_t)bond_count + 1));
    if (!graph->first || !graph->neighbour) return false;
    for (int32_t i = 0; i < bond_count; ++i) {
        if (!counts(atoms, bonds[i])) continue;
        graph->first[bonds[i].a + 2]++;
        graph->first[bonds[i].b + 2]++;
    }
    for (int32_t i = 0; i < atom_count; ++i) {
        graph->first[i + 2] += graph->first[i + 1];
    }
    for (int32_t i = 0; i < bond_count; ++i) {
        if (!counts(atoms, bonds[i])) continue;
        graph->neighbour[graph->first[bonds[i].a + 1]++] = bonds[i].b;
        graph->neighbour[graph->first[bonds[i].b + 1]++] = bonds[i].a;
    }
    for (int32_t i = 0; i < atom_count; ++i) {
        qsort(graph->neighbour + graph->first[i], (size_t)(graph->first[i + 1] - graph->first[i]),
              sizeof(int32_t), compare_indices);
    }
    return true;
}

static int32_t degree(const bond_graph* g, int32_t atom) {
    return g->first[atom + 1] - g->first[atom];
}

static int32_t type_of(const bond_graph* g, int32_t atom) { return g->atoms[atom].type; }

// ---- bonds and angles -------------------------------------------------------------------------------

static sn_status add_bonds(const bond_graph* g, int32_t bond_count, const sni_atom_pair* bonds,
                           sni_parameters* out, sn_error* error) {
    out->bonds = malloc(sizeof(sni_bond_term) * ((size_t)bond_count + 1));
    if (!out->bonds) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory for bonds");
    for (int32_t i = 0; i < bond_count; ++i) {
        int32_t a = bonds[i].a, b = bonds[i].b;
        if (!counts(g->atoms, bonds[i])) continue;
        const sni_bond_type* type = sni_bond_type_find(type_of(g, a), type_of(g, b));
        if (!type) {
            return sni_fail(error, SN_ERR_MODEL, sni_nowhere(),
                            "no parameters for a bond between atom types %s and %s (atoms %d and "
                            "%d); are these atoms really bonded?",
                            sni_atom_types[type_of(g, a)].name, sni_atom_types[type_of(g, b)].name,
                            (int)a + 1, (int)b + 1);
        }
        out->bonds[out->bond_count++] = (sni_bond_term){a, b, type->length, type->k};
    }
    return SN_OK;
}

static sn_status add_angle(const bond_graph* g, int32_t a, int32_t b, int32_t c,
                           sni_parameters* out, sn_error* error) {
    const sni_angle_type* type = sni_angle_type_find(type_of(g, a), type_of(g, b), type_of(g, c));
    if (!type) {
        return sni_fail(error, SN_ERR_MODEL, sni_nowhere(),
                        "no parameters for an angle between atom types %s, %s and %s (atoms %d, %d "
                        "and %d); are these atoms really bonded?",
                        sni_atom_types[type_of(g, a)].name, sni_atom_types[type_of(g, b)].name,
                        sni_atom_types[type_of(g, c)].name, (int)a + 1, (int)b + 1, (int)c + 1);
    }
    out->angles[out->angle_count++] = (sni_angle_term){a, b, c, type->angle, type->k};
    return SN_OK;
}

static sn_status add_angles(const bond_graph* g, sni_parameters* out, sn_error* error) {
    size_t count = 0;
    for (int32_t b = 0; b < g->count; ++b) {
        count += (size_t)(degree(g, b) * (degree(g, b) - 1) / 2);
    }
    out->angles = malloc(sizeof(sni_angle_term) * (count + 1));
    if (!out->angles) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory for angles");
    for (int32_t b = 0; b < g->count; ++b) {
        for (int32_t i = g->first[b]; i < g->first[b + 1]; ++i) {
            for (int32_t j = i + 1; j < g->first[b + 1]; ++j) {
                sn_status status = add_angle(g, g->neighbour[i], b, g->neighbour[j], out, error);
                if (status) return status;
            }
        }
    }
    return SN_OK;
}

// ---- torsions ---------------------------------------------------------------------------------------

static bool fits(int32_t pattern, int32_t type) { return pattern < 0 || pattern == type; }

static bool has_wildcard(const sni_torsion_type* t) {
    return t->type[0] < 0 || t->type[1] < 0 || t->type[2] < 0 || t->type[3] < 0;
}

/// The first specific type that fits a dihedral in either direction, else the first with wildcards, else NULL.
static const sni_torsion_type* find_proper(int32_t a, int32_t b, int32_t c, int32_t d) {
    const sni_torsion_type* found = NULL;
    for (int32_t i = 0; i < sni_propers_count; ++i) {
        const sni_torsion_type* t = &sni_propers[i];
        bool forward = fits(t->type[0], a) && fits(t->type[1], b) && fits(t->type[2], c) &&
                       fits(t->type[3], d);
        bool backward = fits(t->type[3], a) && fits(t->type[2], b) && fits(t->type[1], c) &&
                        fits(t->type[0], d);
        if (!forward && !backward) continue;
        if (!has_wildcard(t)) return t;
        if (!found) found = t;
    }
    return found;
}

/// Cosines of a torsion type as terms; with out NULL only their number.
static int32_t put_cosines(const sni_torsion_type* type, int32_t a, int32_t b, int32_t c, int32_t d,
                           sni_torsion_term* out) {
    for (int32_t i = 0; out && i < type->cosine_count; ++i) {
        const sni_cosine* cosine = &sni_cosines[type->first_cosine + i];
        out[i] = (sni_torsion_term){a, b, c, d, cosine->periodicity, cosine->phase, cosine->k};
    }
    return type->cosine_count;
}

/// All dihedrals about the bond b-c.
static int32_t put_propers(const bond_graph* g, int32_t b, int32_t c, sni_torsion_term* out) {
    int32_t count = 0;
    for (int32_t i = g->first[b]; i < g->first[b + 1]; ++i) {
        for (int32_t j = g->first[c]; j < g->first[c + 1]; ++j) {
            int32_t a = g->neighbour[i], d = g->neighbour[j];
            if (a == c || d == b || a == d) continue;
            const sni_torsion_type* type =
                find_proper(type_of(g, a), type_of(g, b), type_of(g, c), type_of(g, d));
            if (type) count += put_cosines(type, a, b, c, d, out ? out + count : NULL);
        }
    }
    return count;
}

static bool is_carbon(const bond_graph* g, int32_t atom) {
    return strcmp(sni_atom_types[type_of(g, atom)].element, "C") == 0;
}

/// Puts the two atoms that a wildcard leaves undecided in AMBER's order: of one element by their place in the
/// molecule, otherwise carbon first, otherwise the heavier.
static void order_improper(const bond_graph* g, int32_t* a, int32_t* b) {
    const sni_atom_type *ta = &sni_atom_types[type_of(g, *a)],
                        *tb = &sni_atom_types[type_of(g, *b)];
    bool swap;
    if (strcmp(ta->element, tb->element) == 0) {
        swap = *a > *b;
    } else {
        swap = !is_carbon(g, *a) && (is_carbon(g, *b) || ta->mass < tb->mass);
    }
    if (swap) {
        int32_t t = *a;
        *a = *b, *b = t;
    }
}

/// Whether a type fits a centre with three neighbours, and in which order.
static bool fit_improper(const bond_graph* g, const sni_torsion_type* t, int32_t centre,
                         const int32_t near[3], int32_t order[3]) {
    static const int8_t permutations[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                              {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    if (!fits(t->type[0], type_of(g, centre))) return false;
    for (int32_t p = 0; p < 6; ++p) {
        for (int32_t i = 0; i < 3; ++i) {
            order[i] = near[permutations[p][i]];
        }
        if (fits(t->type[1], type_of(g, order[0])) && fits(t->type[2], type_of(g, order[1])) &&
            fits(t->type[3], type_of(g, order[2]))) {
            return true;
        }
    }
    return false;
}

/// The improper torsion about an atom with three neighbours; specific types go before wildcards.
static int32_t put_improper(const bond_graph* g, int32_t centre, const int32_t near[3],
                            sni_torsion_term* out) {
    const sni_torsion_type* found = NULL;
    int32_t a = 0, b = 0, d = 0;
    for (int32_t i = 0; i < sni_impropers_count; ++i) {
        const sni_torsion_type* t = &sni_impropers[i];
        int32_t order[3];
        if ((found && has_wildcard(t)) || !fit_improper(g, t, centre, near, order)) continue;
        found = t;
        a = order[0], b = order[1], d = order[2];
    }
    if (!found) return 0;
    order_improper(g, &a, &b);
    return put_cosines(found, a, b, centre, d, out);
}

static int32_t put_impropers(const bond_graph* g, int32_t centre, sni_torsion_term* out) {
    int32_t count = 0;
    const int32_t* near = g->neighbour + g->first[centre];
    for (int32_t i = 0; i < degree(g, centre); ++i) {
        for (int32_t j = i + 1; j < degree(g, centre); ++j) {
            for (int32_t k = j + 1; k < degree(g, centre); ++k) {
                const int32_t three[3] = {near[i], near[j], near[k]};
                count += put_improper(g, centre, three, out ? out + count : NULL);
            }
        }
    }
    return count;
}

static int32_t put_torsions(const bond_graph* g, sni_torsion_term* out) {
    int32_t count = 0;
    for (int32_t b = 0; b < g->count; ++b) {
        for (int32_t i = g->first[b]; i < g->first[b + 1]; ++i) {
            int32_t c = g->neighbour[i];
            if (c > b) count += put_propers(g, b, c, out ? out + count : NULL);
        }
        count += put_impropers(g, b, out ? out + count : NULL);
    }
    return count;
}

// ---- pairs ------------------------------------------------------------------------------------------

/// Atoms one, two or three bonds from an atom, ascending and once each, with the number of bonds in `distance`.
static int32_t atoms_near(const bond_graph* g, int32_t atom, int32_t* near, int32_t* distance) {
    int32_t count = 0, layer = 0;
    near[count] = atom, distance[count++] = 0;
    for (int32_t d = 1; d <= 3; ++d) {
        int32_t end = count;
        for (int32_t i = layer; i < end; ++i) {
            for (int32_t k = g->first[near[i]]; k < g->first[near[i] + 1]; ++k) {
                int32_t other = g->neighbour[k];
                bool seen = false;
                for (int32_t j = 0; j < count; ++j) {
                    seen |= near[j] == other;
                }
                if (!seen) near[count] = other, distance[count++] = d;
            }
        }
        layer = end;
    }
    return count;
}

static sni_pair_term scaled_pair(const bond_graph* g, int32_t a, int32_t b) {
    const sni_atom_type *ta = &sni_atom_types[type_of(g, a)], *tb = &sni_atom_types[type_of(g, b)];
    return (sni_pair_term){a, b, sni_scale_14_coulomb * g->atoms[a].charge * g->atoms[b].charge,
                           0.5 * (ta->sigma + tb->sigma),
                           sni_scale_14_lj * sqrt(ta->epsilon * tb->epsilon)};
}

/// No atom has more than this many within three bonds: 4 + 12 + 36 and itself.
enum { NEAR_MAX = 64, DEGREE_MAX = 4 };

/// Atoms near every atom and the pairs three bonds apart, or, without arrays in out, only their numbers.
static void put_pairs(const bond_graph* g, sni_parameters* out, int32_t* excluded_count) {
    out->pair_count = *excluded_count = 0;
    for (int32_t i = 0; i < g->count; ++i) {
        int32_t near[NEAR_MAX], distance[NEAR_MAX];
        int32_t count = atoms_near(g, i, near, distance) - 1;
        for (int32_t k = 1; k <= count; ++k) {
            if (distance[k] != 3 || near[k] < i) continue;
            if (out->pairs) out->pairs[out->pair_count] = scaled_pair(g, i, near[k]);
            out->pair_count++;
        }
        if (out->excluded) {
            int32_t* own = out->excluded + *excluded_count;
            memcpy(own, near + 1, sizeof(int32_t) * (size_t)count);
            qsort(own, (size_t)count, sizeof(int32_t), compare_indices);
            out->first_excluded[i + 1] = *excluded_count + count;
        }
        *excluded_count += count;
    }
}

static sn_status add_pairs(const bond_graph* g, sni_parameters* out, sn_error* error) {
    int32_t excluded_count;
    put_pairs(g, out, &excluded_count);
    out->first_excluded = calloc((size_t)g->count + 1, sizeof(int32_t));
    out->excluded = malloc(sizeof(int32_t) * ((size_t)excluded_count + 1));
    out->pairs = malloc(sizeof(sni_pair_term) * ((size_t)out->pair_count + 1));
    if (!out->first_excluded || !out->excluded || !out->pairs) {
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory for pairs of atoms");
    }
    put_pairs(g, out, &excluded_count);
    return SN_OK;
}

static sn_status check_degrees(const bond_graph* g, sn_error* error) {
    for (int32_t i = 0; i < g->count; ++i) {
        if (degree(g, i) > DEGREE_MAX) {
            return sni_fail(error, SN_ERR_MODEL, sni_nowhere(),
                            "atom %d has %d bonds; the force field knows at most %d", (int)i + 1,
                            (int)degree(g, i), DEGREE_MAX);
        }
    }
    return SN_OK;
}

static sn_status fill(const bond_graph* g, int32_t bond_count, const sni_atom_pair* bonds,
                      sni_parameters* out, sn_error* error) {
    sn_status status = check_degrees(g, error);
    if (!status) status = add_bonds(g, bond_count, bonds, out, error);
    if (!status) status = add_angles(g, out, error);
    if (!status) status = add_pairs(g, out, error);
    if (status) return status;
    int32_t count = put_torsions(g, NULL);
    out->torsions = malloc(sizeof(sni_torsion_term) * ((size_t)count + 1));
    if (!out->torsions) {
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory for torsions");
    }
    out->torsion_count = put_torsions(g, out->torsions);
    return SN_OK;
}

sn_status sni_parameters_create(int32_t atom_count, const sni_typed_atom* atoms, int32_t bond_count,
                                const sni_atom_pair* bonds, sni_parameters* parameters,
                                sn_error* error) {
    *parameters = (sni_parameters){.atom_count = atom_count};
    bond_graph graph = {0};
    sn_status status = create_graph(atom_count, atoms, bond_count, bonds, &graph)
                           ? fill(&graph, bond_count, bonds, parameters, error)
                           : sni_fail(error, SN_ERR_MEMORY, sni_nowhere(),
                                      "no memory for bonds of %d atoms", (int)atom_count);
    free(graph.first);
    free(graph.neighbour);
    return status;
}

void sni_parameters_free(sni_parameters* parameters) {
    free(parameters->bonds);
    free(parameters->angles);
    free(parameters->torsions);
    free(parameters->pairs);
    free(parameters->first_excluded);
    free(parameters->excluded);
    *parameters = (sni_parameters){0};
}
