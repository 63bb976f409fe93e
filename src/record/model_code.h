// SPDX-License-Identifier: Apache-2.0
/// A model as bytes: all it was made of, as sn_model_* tell it, bit for bit.
#ifndef SN_RECORD_MODEL_CODE_H
#define SN_RECORD_MODEL_CODE_H

#include "record/coder.h"
#include "sinew/model.h"

void sni_write_model(sni_coder* coder, const sn_model* model);
/// Compiles what is there. SN_ERR_FORMAT when the bytes make no sense, else what the builder says.
sn_status sni_read_model(sni_coder* coder, sn_model** model, sn_error* error);

#endif
