// SPDX-License-Identifier: Apache-2.0
/// Inputs of a world as bytes. What is long and often the same as before takes two bytes then.
#ifndef SN_RECORD_COMMAND_CODE_H
#define SN_RECORD_COMMAND_CODE_H

#include "record/coder.h"
#include "sinew/world.h"

/// Forces that came last in this block, by which those that follow may be "the same": nothing at its beginning.
/// Start from {0}.
typedef struct sni_command_memory {
    sni_bytes control, drive, forces;
    bool has_control, has_drive, has_forces;
    sni_bytes q, v; ///< of the command that was read last, which points here
} sni_command_memory;

void sni_command_memory_begin(sni_command_memory* memory);
void sni_command_memory_free(sni_command_memory* memory);

/// nq and nv are those of the world's model when the command reaches it. A command to replace the model is
/// followed by the number of the block that has it. Read: q and v point into the memory.
void sni_code_command(sni_coder* coder, sni_command_memory* memory, sn_command* command, int nq,
                      int nv, uint64_t* block);

#endif
