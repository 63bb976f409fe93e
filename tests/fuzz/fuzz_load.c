// SPDX-License-Identifier: Apache-2.0
// Any bytes: an error with a reason, or a model that can be written and read again.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/load.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void ignore(void* context, sn_log_level level, sn_place place, const char* text) {
    (void)context, (void)level;
    if (!place.file || !text || !*text) abort();
}

static void expect(bool holds) {
    if (!holds) abort();
}

static void check_round_trip(const sn_model* model) {
    char *text, *again;
    sn_error error;
    expect(sn_model_to_json(model, &text, &error) == SN_OK);
    sn_model* copy;
    expect(sn_model_load_memory(text, strlen(text), "again", NULL, &copy, &error) == SN_OK);
    expect(sn_model_to_json(copy, &again, &error) == SN_OK);
    expect(strcmp(text, again) == 0);
    sn_text_free(text);
    sn_text_free(again);
    sn_model_free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    sn_load_def def = sn_load_def_default();
    def.log.write = ignore;
    for (int base = SN_BASE_AS_FILE; base <= SN_BASE_FREE; base++) {
        def.base = (sn_load_base)base;
        sn_model* model;
        sn_error error;
        sn_status status =
            sn_model_load_memory((const char*)data, size, "fuzz", &def, &model, &error);
        expect((status == SN_OK) == (model != NULL));
        if (status == SN_OK)
            check_round_trip(model);
        else
            expect(error.status == status && error.text[0] && error.file[0]);
        sn_model_free(model);
    }
    return 0;
}
