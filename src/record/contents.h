// SPDX-License-Identifier: Apache-2.0
/// What blocks hold besides models, options and commands: what is sampled, where a recording begins, the heads of
/// steps and samples, and a model that takes another's place.
#ifndef SN_RECORD_CONTENTS_H
#define SN_RECORD_CONTENTS_H

#include "record/coder.h"
#include "record/command_code.h"
#include "sinew/record.h"

/// Bits of the byte that a step begins with.
enum { SN_STEP_HAS_INPUTS = 1, SN_STEP_STOOD_STILL = 2, SN_STEP_FLAGS = 4 };

/// A sample's first bytes; q, v and sensors follow.
typedef struct sni_sample_head {
    uint64_t step, hash;
    uint32_t events;
    int32_t contacts;
    double deepest, residual;
} sni_sample_head;

/// A samples block's first bytes.
typedef struct sni_samples_head {
    uint32_t count, nq, nv, sensors; ///< samples, and numbers in each
} sni_samples_head;

/// Steps between two samples, and the sensors in them.
typedef struct sni_sampled {
    uint32_t every;
    uint32_t sensors;
} sni_sampled;

void sni_code_sampled(sni_coder* coder, sni_sampled* sampled);
void sni_code_sensor(sni_coder* coder, const char** name, uint32_t* numbers);

/// Options that a world made now would need to go on as this one.
sn_world_def sni_options_now(const sn_world* world, const sn_world_def* def);
/// A world forgets what its force field remembers; one that has done no step also what it has thought of its state so
/// far, such as which joints are to be active, so that one that is brought to the same state by other ways goes on to the bit.
void sni_forget_thoughts(sn_world* world);
/// Steps done, whether a world that is given the commands that follow goes on to the bit, and these commands.
void sni_write_start(sni_coder* coder, sni_command_memory* memory, const sn_world* world);

/// The model, then for its bodies where they go on from, where new ones begin, and which are locked.
void sni_write_replacement(sni_coder* coder, const sn_replacement* replacement);
/// What follows the model in such a block; pointers into it.
typedef struct sni_replacement_parts {
    const int32_t* from;         ///< [bodies]
    const double *q, *v;         ///< [nq], [nv]
    const unsigned char* locked; ///< [bodies] 0 or 1
} sni_replacement_parts;
void sni_code_replacement_parts(sni_coder* coder, const sn_model* model,
                                sni_replacement_parts* parts);

#endif
