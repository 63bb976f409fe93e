// SPDX-License-Identifier: Apache-2.0
// Loads the model file it is given, built against the installed libraries only.
#include <sinew/load.h>
#include <stdio.h>

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    sn_load_def def = sn_load_def_default();
    sn_model* model = NULL;
    sn_status status = sn_model_load(argv[1], &def, &model, NULL);
    puts(sn_status_text(status));
    sn_model_free(model);
    return status != SN_OK;
}
