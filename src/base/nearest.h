// SPDX-License-Identifier: Apache-2.0
/// "Did you mean ...?": which of many names is closest to one that was not found.
#ifndef SN_BASE_NEAREST_H
#define SN_BASE_NEAREST_H

/// Running search: start from {wanted}, offer every candidate, then look at `best`.
typedef struct sni_nearest {
    const char* wanted;
    const char* best; ///< NULL: none is close enough to be worth mentioning
    int distance;     ///< edits from wanted to best
} sni_nearest;

/// Keeps the candidate when it is closer than what was offered before. Candidates are borrowed.
void sni_nearest_offer(sni_nearest* search, const char* candidate);

#endif
