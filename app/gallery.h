// SPDX-License-Identifier: Apache-2.0
/// What people can open from the viewer's page: the scenes that come with sinew, and some models.
#ifndef SINEW_APP_GALLERY_H
#define SINEW_APP_GALLERY_H

#include "sinew/server.h"

typedef struct gallery {
    sn_gallery_entry* entries;
    char** words; ///< that open them: path of a scene file, or MODEL
    int count;
} gallery;

/// Reads what the scenes say about themselves; those that cannot be read are left out.
gallery gallery_read(void);
void gallery_free(gallery* g);
/// Word that opens what has that name; NULL: there is none.
const char* gallery_word(const gallery* g, const char* name);

#endif
