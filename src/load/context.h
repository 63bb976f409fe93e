// SPDX-License-Identifier: Apache-2.0
/// One load in progress: whose file, which options, what was found worth a warning.
#ifndef SN_LOAD_CONTEXT_H
#define SN_LOAD_CONTEXT_H

#include "base/warnings.h"
#include "sinew/load.h"

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
    sni_warnings warnings;
} sni_load;

/// Notes a warning, as sni_warnings_note does.
void sni_warn(sni_load* load, const char* key, sn_place place, const char* format, ...)
    SN_PRINTF(4, 5);
/// Hands the warnings to the log.
void sni_warn_flush(sni_load* load);

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
