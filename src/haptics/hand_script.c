// SPDX-License-Identifier: Apache-2.0
// What a hand wants, as knots in time.
#include "haptics/hand_script.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "math/least.h"

/// A segment from knot i to the next, made ready.
typedef struct segment {
    sn_vec3 move;         ///< way of the origin
    sn_quat from;         ///< orientation at its start
    sn_vec3 turn;         ///< rotation vector from there to the end, device axes
    double one_over_time; ///< 0: the last, which has no end
} segment;

struct sn_hand_script {
    int count;
    sn_hand_knot* knots;
    segment* segments;
};

void sn_hand_script_free(sn_hand_script* script) {
    if (!script) return;
    free(script->knots);
    free(script->segments);
    free(script);
}

static sn_hand_script* allocate(int count) {
    sn_hand_script* script = calloc(1, sizeof *script);
    if (!script) return NULL;
    script->count = count;
    script->knots = calloc((size_t)count, sizeof *script->knots);
    script->segments = calloc((size_t)count, sizeof *script->segments);
    if (script->knots && script->segments) return script;
    sn_hand_script_free(script);
    return NULL;
}

static segment segment_between(const sn_hand_knot* a, const sn_hand_knot* b) {
    segment s = {.from = sn_quat_from_matrix(a->pose.R)};
    if (!b) return s;
    sn_quat to = sn_quat_from_matrix(b->pose.R);
    s.move = sn_vec3_sub(b->pose.p, a->pose.p);
    s.turn = sn_quat_log(sn_quat_mul(to, sn_quat_conj(s.from)));
    s.one_over_time = 1 / (b->time - a->time);
    return s;
}

static bool pose_is_finite(const sn_pose* pose) {
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum += 0 * pose->R.m[i][j];
    return sum + 0 * sn_vec3_dot(pose->p, pose->p) == 0;
}

sn_status sn_hand_script_create(const sn_hand_knot* knots, int count, sn_hand_script** script,
                                sn_error* error) {
    *script = NULL;
    if (!knots || count < 1)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "a hand script has at least one knot");
    for (int i = 0; i < count; i++) {
        if (!isfinite(knots[i].time) || !pose_is_finite(&knots[i].pose))
            return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                            "knot %d of the hand script is not finite", i);
        if (i && !(isfinite(1 / (knots[i].time - knots[i - 1].time)) &&
                   knots[i].time > knots[i - 1].time))
            return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                            "knot %d of the hand script is not later than the one before", i);
    }
    sn_hand_script* made = allocate(count);
    if (!made) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "no memory for a hand script");
    memcpy(made->knots, knots, (size_t)count * sizeof *knots);
    for (int i = 0; i < count; i++)
        made->segments[i] = segment_between(&knots[i], i + 1 < count ? &knots[i + 1] : NULL);
    *script = made;
    return SN_OK;
}

sn_hand_script* sni_hand_script_copy(const sn_hand_script* script) {
    sn_hand_script* copy;
    return sn_hand_script_create(script->knots, script->count, &copy, NULL) ? NULL : copy;
}

int sn_hand_script_knots(const sn_hand_script* script, const sn_hand_knot** knots) {
    *knots = script->knots;
    return script->count;
}

double sn_hand_script_end(const sn_hand_script* script) {
    return script->knots[script->count - 1].time;
}

/// The last knot that is not after `time`; the first before all of them.
static int knot_at(const sn_hand_script* script, double time) {
    int low = 0, high = script->count; // knots[low] is not after, knots[high] is
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (script->knots[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const sn_hand_script* script, int i, double time) {
    return script->knots[i].time <= time &&
           (i + 1 == script->count || time < script->knots[i + 1].time);
}

const sn_hand_knot* sni_hand_script_knot(const sn_hand_script* script, double time, int* near) {
    if (!is_at(script, *near, time)) *near = knot_at(script, time);
    return &script->knots[*near];
}

/// Share of a segment that is behind, and its rate: of least jerk, from rest to rest.
typedef struct progress {
    double way, rate;
} progress;

static inline progress progress_at(const segment* s, double since_knot) {
    double u = sni_most(since_knot * s->one_over_time, 0), rest = 1 - u;
    return (progress){u * u * u * (10 - u * (15 - 6 * u)),
                      30 * u * u * rest * rest * s->one_over_time};
}

const sn_hand_knot* sni_hand_script_way(const sn_hand_script* script, double time, int* near,
                                        sni_hand_way* way) {
    const sn_hand_knot* knot = sni_hand_script_knot(script, time, near);
    const segment* s = &script->segments[*near];
    progress done = progress_at(s, time - knot->time);
    way->p = sn_vec3_add(knot->pose.p, sn_vec3_scale(done.way, s->move));
    way->v = sn_vec3_scale(done.rate, s->move);
    return knot;
}

const sn_hand_knot* sni_hand_script_turn(const sn_hand_script* script, double time, int* near,
                                         sni_hand_turn* turn) {
    const sn_hand_knot* knot = sni_hand_script_knot(script, time, near);
    const segment* s = &script->segments[*near];
    *turn = (sni_hand_turn){s->from, sn_vec3_zero()};
    if (!(sn_vec3_dot(s->turn, s->turn) > 0)) return knot;
    progress done = progress_at(s, time - knot->time);
    turn->r = sn_quat_mul(sn_quat_exp(sn_vec3_scale(done.way, s->turn)), s->from);
    turn->w = sn_vec3_scale(done.rate, s->turn);
    return knot;
}

void sn_hand_script_at(const sn_hand_script* script, double time, sn_hand_intent* intent) {
    int near = 0;
    sni_hand_way way;
    sni_hand_turn turn;
    (void)sni_hand_script_way(script, time, &near, &way); // the same knot
    const sn_hand_knot* knot = sni_hand_script_turn(script, time, &near, &turn);
    *intent = (sn_hand_intent){sn_pose_make(sn_quat_matrix(turn.r), way.p),
                               {turn.w, way.v},
                               knot->buttons,
                               knot->released};
}

// ---- text -----------------------------------------------------------------------------------------------------------

enum { MOST_NUMBERS = 8, LONGEST_WORD = 63 };

typedef struct reader {
    const char *at, *end;
    sn_place place;
    sn_error* error;
    sn_hand_knot* knots;
    int count;
} reader;

/// The next word of the line; 0 at its end.
static size_t next_word(reader* r, char word[LONGEST_WORD + 1]) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')) r->at++;
    size_t length = 0;
    for (; r->at < r->end && !strchr(" \t\r\n#", *r->at); r->at++)
        if (length < LONGEST_WORD) word[length++] = *r->at;
    word[length] = 0;
    return length;
}

static sn_status read_buttons(reader* r, double number, uint32_t* buttons) {
    if (!(number >= 0 && number <= (double)UINT32_MAX && number == floor(number)))
        return sni_fail(r->error, SN_ERR_FORMAT, r->place, "buttons are a whole number of bits");
    *buttons = (uint32_t)number;
    return SN_OK;
}

static sn_status knot_of(reader* r, const double* number, int count, bool released) {
    sn_hand_knot knot = {number[0], sn_pose_identity(), 0, released};
    knot.pose.p = sn_vec3_make(number[1], number[2], number[3]);
    if (count >= 7)
        knot.pose.R = sn_quat_matrix(sn_quat_exp(sn_vec3_make(number[4], number[5], number[6])));
    sn_status status = SN_OK;
    if (count == 5 || count == 8) status = read_buttons(r, number[count - 1], &knot.buttons);
    if (status) return status;
    if (!pose_is_finite(&knot.pose))
        return sni_fail(r->error, SN_ERR_FORMAT, r->place, "the rotation is too large");
    if (r->count && !(knot.time > r->knots[r->count - 1].time))
        return sni_fail(r->error, SN_ERR_FORMAT, r->place,
                        "time %g is not later than the one before", knot.time);
    r->knots[r->count++] = knot;
    return SN_OK;
}

static sn_status read_line(reader* r) {
    double number[MOST_NUMBERS];
    char word[LONGEST_WORD + 1];
    int count = 0;
    bool released = false;
    while (next_word(r, word)) {
        if (released)
            return sni_fail(r->error, SN_ERR_FORMAT, r->place, "nothing follows `released`");
        released = strcmp(word, "released") == 0;
        if (released) continue;
        if (count == MOST_NUMBERS)
            return sni_fail(r->error, SN_ERR_FORMAT, r->place, "more than %d numbers",
                            MOST_NUMBERS);
        if (sni_number_read(word, strlen(word), &number[count++]) != SN_NUMBER_OK)
            return sni_fail(r->error, SN_ERR_FORMAT, r->place, "`%s` is not a number", word);
    }
    if (r->at < r->end && *r->at == '#')
        while (r->at < r->end && *r->at != '\n') r->at++;
    if (r->at < r->end && *r->at != '\n')
        return sni_fail(r->error, SN_ERR_FORMAT, r->place, "a zero byte");
    if (!count && !released) return SN_OK;
    if (count != 4 && count != 5 && count != 7 && count != 8)
        return sni_fail(r->error, SN_ERR_FORMAT, r->place,
                        "%d numbers; a line is: t x y z [rx ry rz] [buttons] [released]", count);
    return knot_of(r, number, count, released);
}

static int count_lines(const char* text, size_t length) {
    int lines = 1;
    for (size_t i = 0; i < length; i++) lines += text[i] == '\n';
    return lines;
}

static sn_status read_lines(reader* r) {
    sni_number_scope scope;
    if (!sni_number_scope_begin(&scope))
        return sni_fail(r->error, SN_ERR_MEMORY, r->place, "no memory for a hand script");
    sn_status status = SN_OK;
    while (!status && r->at < r->end) {
        r->place.line++;
        status = read_line(r);
        if (r->at < r->end) r->at++; // the end of the line
    }
    sni_number_scope_end(&scope);
    return status;
}

sn_status sn_hand_script_parse(const char* text, size_t length, const char* name,
                               sn_hand_script** script, sn_error* error) {
    *script = NULL;
    reader r = {.at = text, .end = text + length, .place = {name, 0, 0}, .error = error};
    r.knots = calloc((size_t)count_lines(text, length), sizeof *r.knots);
    if (!r.knots) return sni_fail(error, SN_ERR_MEMORY, r.place, "no memory for a hand script");
    sn_status status = read_lines(&r);
    if (!status && !r.count)
        status = sni_fail(error, SN_ERR_FORMAT, r.place, "a hand script has at least one line");
    if (!status) status = sn_hand_script_create(r.knots, r.count, script, error);
    free(r.knots);
    return status;
}
