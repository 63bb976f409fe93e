// SPDX-License-Identifier: Apache-2.0
#include "molecule/cells.h"

#include <math.h>
#include <stdlib.h>

enum { LOOKED_AT_MOST = 256 }; // points of one cell; real structures have some 100 in 1 nm^3

bool sni_cells_create(sni_cells* cells, int32_t room, double size) {
    *cells = (sni_cells){.size = size, .slots = 1};
    while (cells->slots < (uint32_t)room) cells->slots *= 2;
    size_t n = room > 0 ? (size_t)room : 1;
    cells->p = malloc(n * sizeof *cells->p);
    cells->tag = malloc(n * sizeof *cells->tag);
    cells->next = malloc(n * sizeof *cells->next);
    cells->head = malloc(cells->slots * sizeof *cells->head);
    if (!cells->p || !cells->tag || !cells->next || !cells->head) return false;
    for (uint32_t i = 0; i < cells->slots; i++) cells->head[i] = -1;
    return true;
}

void sni_cells_free(sni_cells* cells) {
    free(cells->p);
    free(cells->tag);
    free(cells->next);
    free(cells->head);
    *cells = (sni_cells){0};
}

static int64_t cell_index(const sni_cells* cells, double x) {
    return (int64_t)floor(x / cells->size);
}

static uint32_t slot_of(const sni_cells* cells, int64_t x, int64_t y, int64_t z) {
    uint64_t h = (uint64_t)x * 0x9e3779b97f4a7c15u + (uint64_t)y * 0xc2b2ae3d27d4eb4fu +
                 (uint64_t)z * 0x165667b19e3779f9u;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    return (uint32_t)(h >> 32) & (cells->slots - 1);
}

void sni_cells_add(sni_cells* cells, sn_vec3 p, int32_t tag) {
    int32_t i = cells->count++;
    uint32_t slot =
        slot_of(cells, cell_index(cells, p.x), cell_index(cells, p.y), cell_index(cells, p.z));
    cells->p[i] = p;
    cells->tag[i] = tag;
    cells->next[i] = cells->head[slot];
    cells->head[slot] = i;
}

/// Points of one cell; those of others that share its slot are told apart by where they are.
static int32_t look(const sni_cells* cells, const int64_t cell[3], sn_vec3 p, double radius,
                    int32_t most, int32_t* tags) {
    int32_t found = 0, looked = 0;
    int32_t i = cells->head[slot_of(cells, cell[0], cell[1], cell[2])];
    for (; i >= 0 && found < most && looked < LOOKED_AT_MOST; i = cells->next[i], looked++) {
        sn_vec3 q = cells->p[i];
        if (cell_index(cells, q.x) != cell[0] || cell_index(cells, q.y) != cell[1] ||
            cell_index(cells, q.z) != cell[2])
            continue;
        if (sn_vec3_norm(sn_vec3_sub(q, p)) <= radius) tags[found++] = cells->tag[i];
    }
    return found;
}

int32_t sni_cells_near(const sni_cells* cells, sn_vec3 p, double radius, int32_t most,
                       int32_t* tags) {
    int64_t centre[3] = {cell_index(cells, p.x), cell_index(cells, p.y), cell_index(cells, p.z)};
    int32_t found = 0;
    for (int k = 0; k < 27 && found < most; k++) {
        int64_t cell[3] = {centre[0] + k % 3 - 1, centre[1] + k / 3 % 3 - 1, centre[2] + k / 9 - 1};
        found += look(cells, cell, p, radius, most - found, tags + found);
    }
    return found;
}
