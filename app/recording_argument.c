// SPDX-License-Identifier: Apache-2.0
#include "recording_argument.h"

#include "message.h"

static void say(void* context, sn_log_level level, sn_place place, const char* text) {
    (void)context;
    (void)level;
    message_warning("%s: %s", place.file, text);
}

sn_recording* recording_argument(const char* path) {
    sn_recording* recording = NULL;
    sn_error error = {0};
    sn_log log = {.write = say};
    if (sn_recording_open(path, &log, &recording, &error)) message_error_from(&error);
    return recording;
}

double recording_time(const sn_recording_info* info, uint64_t step) {
    return (double)step * info->step;
}

const sn_units* recording_units(const sn_recording* recording) {
    return sn_units_of(sn_recording_world(recording)->units);
}
