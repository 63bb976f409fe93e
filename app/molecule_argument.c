// SPDX-License-Identifier: Apache-2.0
#include "molecule_argument.h"

bool molecule_source_load(const char* text, molecule_source* source) {
    *source = (molecule_source){0};
    sn_error error = {0};
    if (sn_molecule_is_built(text)) {
        error.status = sn_molecule_build_named(text, &source->molecule, &error);
    } else {
        sn_molecule_read_def def = sn_molecule_read_def_default();
        def.log = message_log_sink(&source->log);
        error.status = sn_molecule_read(text, &def, &source->molecule, &error);
    }
    if (error.status) message_error_from(&error);
    return error.status == SN_OK;
}

void molecule_source_free(molecule_source* source) {
    sn_molecule_free(source->molecule);
    message_log_clear(&source->log);
    *source = (molecule_source){0};
}
