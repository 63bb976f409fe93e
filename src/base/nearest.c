// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <string.h>

enum { LONGEST = 64 }; // longer names are compared by their first LONGEST characters

static int least(int a, int b) { return a < b ? a : b; }

static int length_of(const char* text) {
    int n = 0;
    while (n < LONGEST && text[n]) n++;
    return n;
}

/// Insertions, deletions and replacements that turn a into b (Levenshtein).
static int edits(const char* a, int na, const char* b, int nb) {
    int row[LONGEST + 1];
    for (int j = 0; j <= nb; j++) row[j] = j;
    for (int i = 1; i <= na; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            int replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[nb];
}

void sni_nearest_offer(sni_nearest* search, const char* candidate) {
    int na = length_of(search->wanted), nb = length_of(candidate);
    int difference = na > nb ? na - nb : nb - na;
    int allowed = 1 + na / 4; // a name further away than this is another name, not a slip
    if (search->best) allowed = search->distance - 1;
    if (difference > allowed) return;
    int distance = edits(search->wanted, na, candidate, nb);
    if (distance > allowed) return;
    search->best = candidate;
    search->distance = distance;
}
