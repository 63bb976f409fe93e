// SPDX-License-Identifier: Apache-2.0
/// Bodies and pushes of the command line: NAME, BODY=FX,FY,FZ[@T0-T1].
#ifndef SINEW_APP_BODY_ARGUMENT_H
#define SINEW_APP_BODY_ARGUMENT_H

#include <stdbool.h>

#include "sinew/model.h"

/// The moving body of that name; i = -1, with the reason said and a near name, when there is none.
/// `where` is what the message starts with, such as "--push".
sn_body_id body_argument_find(const sn_model* model, const char* where, const char* name);
/// Says that there is no `kind`, body or joint, of that name, and which one may have been meant.
void body_argument_unknown(const sn_model* model, const char* where, const char* name, bool joint);

/// A force on a body at its origin.
typedef struct body_push {
    sn_body_id body;
    sn_vec3 force;   ///< N, world axes
    double from, to; ///< s; 0 and infinity when no time was given
} body_push;

/// False, with the reason said, when the word is not a push of a body of the model.
bool body_push_parse(const sn_model* model, const char* word, body_push* push);

#endif
