// SPDX-License-Identifier: Apache-2.0
/// One load in progress: whose file, which options, what was found worth a warning.
#ifndef SN_LOAD_CONTEXT_H
#define SN_LOAD_CONTEXT_H

#include "base/error.h"
#include "sinew/load.h"

/// Different kinds of warning that are kept apart; further kinds are only counted.
enum { SN_LOAD_WARNINGS = 64 };

/// One kind of warning: said once, with the first place and how often it happened.
typedef struct sni_warning {
    char key[64];
    char text[384];
    sn_place place;
    int count;
} sni_warning;

/// The last package folder that was looked for: files name the same one over and over.
typedef struct sni_package {
    char name[128];
    char folder[1024]; ///< "": there is none
} sni_package;

typedef struct sni_load {
    const char* file; ///< as the caller named it; stands in every message
    sn_load_def def;
    sn_error* error; ///< may be NULL
    sni_package package;
    int warning_count, warnings_dropped;
    sni_warning warnings[SN_LOAD_WARNINGS];
} sni_load;

/// Notes a warning. Those with the same key become one; the text of the first is kept. The text
/// says what the user gets because of it.
void sni_warn(sni_load* load, const char* key, sn_place place, const char* format, ...)
    SN_PRINTF(4, 5);
/// Hands the warnings to the log, in order of their first place in the file, and forgets them.
void sni_warnings_flush(sni_load* load);

/// The file as a whole.
static inline sn_place sni_load_place(const sni_load* load) {
    sn_place place = {load->file, 0, 0};
    return place;
}

/// Reads XML text as URDF into the builder.
sn_status sni_urdf_read(sni_load* load, const char* text, size_t length,
                        sn_model_builder** builder);
/// Reads JSON text as a Sinew model into the builder.
sn_status sni_model_json_read(sni_load* load, const char* text, size_t length,
                              sn_model_builder** builder);

#endif
