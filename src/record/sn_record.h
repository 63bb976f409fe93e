// SPDX-License-Identifier: Apache-2.0
/// Front door of `record`: recordings of worlds, written, read and replayed.
///
/// A recording is a file header and blocks (block.h); docs/recording.md has them byte by byte. What is in a
/// block is said once, by functions that both write and read it (coder.h): model_code.c, options_code.c,
/// command_code.c. recorder.c takes what happens from the simulation's thread, by copying it into a stream, and
/// recorder_thread.c makes blocks of it and writes them. recording.c finds the blocks of a file again, samples.c
/// reads states, replay.c lets a world go through it once more. Nothing in a file is believed: sizes are
/// checked against what is there, models go through the builder.
#ifndef SN_RECORD_SN_RECORD_H
#define SN_RECORD_SN_RECORD_H

#include "sinew/record.h"

#endif
