// SPDX-License-Identifier: Apache-2.0
/// Pairs of links that never touch, from an SRDF beside the model.
#ifndef SN_LOAD_SRDF_H
#define SN_LOAD_SRDF_H

#include "load/context.h"

/// Adds an exclusion to the builder for every <disable_collisions> between links that the model has, which was
/// compiled from that builder. Others are warned about, with their line.
sn_status sni_srdf_read(const sni_load* load, const char* path, const sn_model* model,
                        sn_model_builder* builder);
/// The same from memory. `name` stands for the file in messages.
sn_status sni_srdf_read_memory(const sni_load* load, const char* text, size_t length,
                               const char* name, const sn_model* model, sn_model_builder* builder);

#endif
