// SPDX-License-Identifier: Apache-2.0
/// "Did you mean": the known name nearest to a misspelt one.
#ifndef SINEW_APP_SUGGEST_H
#define SINEW_APP_SUGGEST_H

/// The nearest of count names, NULL when none is near. Counts inserted, dropped, changed and
/// swapped letters; a name that `word` begins is near too.
const char* suggest_name(const char* word, const char* const* names, int count);

#endif
