// SPDX-License-Identifier: Apache-2.0
#include "suggest.h"

#include <string.h>

enum { LONGEST = 64 }; // longer names are compared by their first letters

static int least(int a, int b) { return a < b ? a : b; }

// Edits that turn a into b, a swap of neighbours counting as one (optimal string alignment).
static int distance(const char* a, const char* b) {
    int na = least((int)strlen(a), LONGEST), nb = least((int)strlen(b), LONGEST);
    int row[3][LONGEST + 1];
    for (int j = 0; j <= nb; j++) row[1][j] = j;
    for (int i = 1; i <= na; i++) {
        int *now = row[(i + 1) % 3], *last = row[i % 3], *before = row[(i + 2) % 3];
        now[0] = i;
        for (int j = 1; j <= nb; j++) {
            int change = last[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = least(change, least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                now[j] = least(now[j], before[j - 2] + 1);
            }
        }
    }
    return row[(na + 1) % 3][nb];
}

const char* suggest_name(const char* word, const char* const* names, int count) {
    size_t length = strlen(word);
    const char* best = NULL;
    int best_distance = 1 + (int)(length / 3 > 2 ? length / 3 : length > 3 ? 2 : 1);
    for (int i = 0; i < count; i++) {
        int d = distance(word, names[i]);
        if (length >= 3 && strncmp(names[i], word, length) == 0) d = least(d, 1);
        if (d < best_distance) best = names[i], best_distance = d;
    }
    return best;
}
