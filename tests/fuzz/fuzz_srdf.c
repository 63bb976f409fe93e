// SPDX-License-Identifier: Apache-2.0
// Any bytes as an SRDF for a chain: an error with a reason, or exclusions that the model takes.
#include <stdint.h>
#include <stdlib.h>

#include "load/srdf.h"
#include "sinew/generate.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void ignore(void* context, sn_log_level level, sn_place place, const char* text) {
    (void)context, (void)level;
    if (!place.file || !text || !*text) abort();
}

static void expect(bool holds) {
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    sn_generate_def def = sn_generate_def_default();
    def.count = 4;
    sn_model_builder* builder = sn_model_builder_create("chain");
    sn_model *model, *again;
    expect(builder && sn_generate(&def, builder) == SN_OK);
    expect(sn_model_builder_compile(builder, NULL, &model, NULL) == SN_OK);
    sn_error error;
    sni_load* load = calloc(1, sizeof *load);
    expect(load != NULL);
    load->file = "model";
    load->def = sn_load_def_default();
    load->def.log.write = ignore;
    load->error = &error;
    sn_status status = sni_srdf_read_memory(load, (const char*)data, size, "fuzz", model, builder);
    if (status)
        expect(error.status == status && error.text[0]);
    else
        expect(sn_model_builder_compile(builder, NULL, &again, NULL) == SN_OK);
    if (!status) sn_model_free(again);
    free(load);
    sn_model_free(model);
    sn_model_builder_free(builder);
    return 0;
}
