// SPDX-License-Identifier: Apache-2.0
/// Which items a scene has, and which of them a body is of; as the side that steps has told, or by the names of bodies.
#ifndef SN_SERVER_CAST_H
#define SN_SERVER_CAST_H

#include "server/show.h"

typedef struct sni_cast_item {
    char* name;
    int32_t first, bodies;
} sni_cast_item;

typedef struct sni_cast {
    const sn_model* model; ///< NULL: nobody has told
    uint64_t show;
    sni_cast_item* item; // [count]
    int count;
    int32_t* item_of; // [bodies]
} sni_cast;

/// From what SNI_NEWS_ITEMS brought; without items there, bodies with the same name before their first '/' are one. False: no
/// memory, and there is none.
bool sni_cast_read(sni_cast* cast, const unsigned char* news);
void sni_cast_free(sni_cast* cast);

#endif
