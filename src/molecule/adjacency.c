// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "molecule/molecule.h"

bool sni_adjacency_create(const sn_molecule* m, sni_adjacency* adjacency) {
    size_t n = (size_t)m->atom_count;
    adjacency->first = calloc(n + 2, sizeof *adjacency->first);
    adjacency->neighbour = malloc((2 * (size_t)m->bond_count + 1) * sizeof *adjacency->neighbour);
    if (!adjacency->first || !adjacency->neighbour) return false;
    int32_t* place = adjacency->first + 1; // counts, then where the next one goes, then the ends
    for (int32_t i = 0; i < m->bond_count; i++) {
        if (m->bonds[i].disulfide) continue;
        place[m->bonds[i].a + 1] += 1;
        place[m->bonds[i].b + 1] += 1;
    }
    for (size_t i = 1; i <= n; i++) place[i] += place[i - 1];
    for (int32_t i = 0; i < m->bond_count; i++) {
        if (m->bonds[i].disulfide) continue;
        adjacency->neighbour[place[m->bonds[i].a]++] = m->bonds[i].b;
        adjacency->neighbour[place[m->bonds[i].b]++] = m->bonds[i].a;
    }
    return true;
}

void sni_adjacency_free(sni_adjacency* adjacency) {
    free(adjacency->first);
    free(adjacency->neighbour);
    *adjacency = (sni_adjacency){0};
}
