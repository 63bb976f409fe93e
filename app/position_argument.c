// SPDX-License-Identifier: Apache-2.0
#include "position_argument.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_argument.h"
#include "coordinates.h"
#include "memory.h"
#include "message.h"

enum { NUMBERS_MOST = 6 };

typedef struct setting {
    sn_body_id joint;
    double value[NUMBERS_MOST];
    bool degrees[NUMBERS_MOST];
    int count;
} setting;

// "1.2,30deg,..." into numbers; false when it is not that.
static bool parse_values(const char* text, setting* s) {
    for (s->count = 0; s->count < NUMBERS_MOST; text += 1) {
        char* end;
        double value = strtod(text, &end);
        if (end == text || !isfinite(value)) return false;
        bool degrees = strncmp(end, "deg", 3) == 0;
        s->degrees[s->count] = degrees;
        s->value[s->count++] = degrees ? value * acos(-1) / 180 : value;
        text = degrees ? end + 3 : end;
        if (*text == '\0') return true;
        if (*text != ',') return false;
    }
    return false;
}

// How many numbers a joint takes, as a person should read it.
static bool check_count(const char* name, const sn_body_info* joint, const setting* s) {
    if (joint->type == SN_JOINT_SPHERICAL) {
        if (s->count == 3) return true;
        message_error(
            "--q0: joint '%s' is spherical; give its rotation vector, three angles rx,ry,rz", name);
    } else if (joint->type == SN_JOINT_FREE) {
        if (s->count == 3 || s->count == 6) return true;
        message_error("--q0: joint '%s' is free; give its position x,y,z, or x,y,z,rx,ry,rz with a "
                      "rotation vector",
                      name);
    } else {
        if (s->count == joint->nq) return true;
        message_error("--q0: joint '%s' takes %d number%s, not %d", name, joint->nq,
                      joint->nq == 1 ? "" : "s", s->count);
    }
    return false;
}

static bool check_degrees(const char* name, const sn_body_info* joint, const setting* s) {
    for (int k = 0; k < s->count; k++) {
        bool angle = joint->type == SN_JOINT_FREE        ? k >= 3
                     : joint->type == SN_JOINT_SPHERICAL ? true
                                                         : coordinates_q_is_angle(joint->type, k);
        if (s->degrees[k] && !angle) {
            message_error("--q0: number %d of joint '%s' is a distance in m; leave out deg", k + 1,
                          name);
            return false;
        }
    }
    return true;
}

static void put_quaternion(double* out, const double* rotation) {
    sn_quat x = sn_quat_exp(sn_vec3_make(rotation[0], rotation[1], rotation[2]));
    out[0] = x.w, out[1] = x.x, out[2] = x.y, out[3] = x.z;
}

// One JOINT=VALUES of --q0 into q.
static bool set_position(const sn_model* model, const char* word, double* q) {
    setting s = {0};
    const char* equals = strchr(word, '=');
    if (!equals || equals == word || !parse_values(equals + 1, &s)) {
        message_error("--q0: '%s' is not JOINT=VALUE; write knee=0.5 (rad), knee=30deg or "
                      "base=0,0,1",
                      word);
        return false;
    }
    char* name = memory_text("%.*s", (int)(equals - word), word);
    s.joint = sn_model_find_joint(model, name);
    if (s.joint.i < 0) s.joint = sn_model_find_body(model, name);
    bool good = s.joint.i >= 0;
    if (!good) {
        body_argument_unknown(model, "--q0", name, true);
    } else {
        sn_body_info joint = sn_model_body(model, s.joint);
        double* place = q + joint.iq;
        good = check_count(name, &joint, &s) && check_degrees(name, &joint, &s);
        if (good && joint.type == SN_JOINT_SPHERICAL) {
            put_quaternion(place, s.value);
        } else if (good) {
            int plain = joint.type == SN_JOINT_FREE ? 3 : s.count;
            memcpy(place, s.value, (size_t)plain * sizeof *place);
            if (s.count > plain) put_quaternion(place + 3, s.value + 3);
        }
    }
    free(name);
    return good;
}

bool position_arguments_set(const sn_model* model, const text_list* words, double* q) {
    for (int i = 0; i < words->count; i++) {
        if (!set_position(model, words->items[i], q)) return false;
    }
    return true;
}
