// SPDX-License-Identifier: Apache-2.0
#include "body_argument.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "options.h"
#include "suggest.h"

void body_argument_unknown(const sn_model* model, const char* where, const char* name, bool joint) {
    const char* kind = joint ? "joint" : "body";
    int count = sn_model_body_count(model);
    const char** names = memory_take((size_t)count, sizeof *names);
    for (int i = 0; i < count; i++) {
        sn_body_info b = sn_model_body(model, sn_body(i));
        names[i] = joint ? b.joint_name : b.name;
    }
    const char* near = suggest_name(name, names, count);
    if (near) {
        message_error("%s: there is no %s '%s'; did you mean '%s'?", where, kind, name, near);
    } else {
        message_error("%s: there is no %s '%s'; `sinew info MODEL` lists them", where, kind, name);
    }
    free(names);
}

sn_body_id body_argument_find(const sn_model* model, const char* where, const char* name) {
    sn_body_id body = sn_model_find_body(model, name);
    if (body.i >= 0) return body;
    sn_frame_id frame = sn_model_find_frame(model, name);
    if (frame.i < 0) {
        body_argument_unknown(model, where, name, false);
        return body;
    }
    sn_body_id carrier = sn_model_frame(model, frame).body;
    message_error("%s: '%s' is fixed to '%s'; name that instead", where, name,
                  carrier.i < 0 ? "world" : sn_model_body(model, carrier).name);
    return body;
}

// "T0-T1" or "T0-" after the @.
static bool parse_span(const char* text, body_push* push) {
    char* end;
    push->from = strtod(text, &end);
    if (end == text || *end != '-' || !(push->from >= 0) || !isfinite(push->from)) return false;
    if (end[1] == '\0') return true;
    return parse_number(end + 1, &push->to) && push->to > push->from;
}

bool body_push_parse(const sn_model* model, const char* word, body_push* push) {
    double force[3];
    const char* equals = strchr(word, '=');
    *push = (body_push){.body = {-1}, .from = 0, .to = INFINITY};
    if (!equals || equals == word) equals = word + strlen(word);
    char* name = memory_text("%.*s", (int)(equals - word), word);
    char* numbers = memory_text("%s", *equals ? equals + 1 : "");
    char* at = strchr(numbers, '@');
    if (at) *at = '\0';
    bool timed = !at || parse_span(at + 1, push);
    if (parse_numbers(numbers, force, 3) != 3) {
        message_error("--push: '%s' is not BODY=fx,fy,fz or BODY=fx,fy,fz@t0-t1; write "
                      "hand=0,10,0 (N, world axes) or hand=0,10,0@1-2 (from 1 s to 2 s)",
                      word);
    } else if (!timed) {
        message_error("--push: '%s': after @ comes when to push, such as @1-2 from 1 s to 2 s, or "
                      "@1- from 1 s on",
                      word);
    } else {
        push->body = body_argument_find(model, "--push", name);
        push->force = sn_vec3_make(force[0], force[1], force[2]);
    }
    free(name);
    free(numbers);
    return push->body.i >= 0;
}
