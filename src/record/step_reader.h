// SPDX-License-Identifier: Apache-2.0
/// The steps of a recording, one after the other, and the inputs of each.
#ifndef SN_RECORD_STEP_READER_H
#define SN_RECORD_STEP_READER_H

#include "record/command_code.h"
#include "record/recording.h"

/// What a step begins with.
typedef struct sni_step_head {
    uint64_t hash;    ///< of the state after it
    bool stood_still; ///< the world had stopped
    uint32_t inputs;  ///< that follow
} sni_step_head;

/// Begins after the start of the recording; all inputs of a step are read before the next one.
void sni_step_reader_begin(sni_step_reader* reader, const sn_recording* recording);
void sni_step_reader_free(sni_step_reader* reader);
/// The next step. SN_ERR_CAPACITY: there is none, or (reader->next is that block then) steps are missing before
/// it; SN_ERR_FILE: the file changed or there is no memory; SN_ERR_FORMAT: what is there makes no sense.
sn_status sni_step_reader_next(sni_step_reader* reader, const sn_recording* recording,
                               sni_step_head* head);
/// Its next input, for a model of nq and nv numbers; *block: of a new model.
sn_status sni_step_reader_input(sni_step_reader* reader, int nq, int nv, sn_command* command,
                                uint64_t* block);

#endif
