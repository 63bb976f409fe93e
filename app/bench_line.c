// SPDX-License-Identifier: Apache-2.0
#include "bench_line.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinates.h"
#include "json_writer.h"
#include "memory.h"
#include "model_argument.h"
#include "sinew/load.h"

static const bench_line_spec LINES[] = {
    {"chain8", "chain:8", LINE_PEERS},
    {"chain32", "chain:32", LINE_PEERS},
    {"chain128", "chain:128", LINE_PEERS | LINE_BATCH},
    {"chain512", "chain:512", LINE_PEERS},
    {"chain2048", "chain:2048", LINE_PEERS},
    {"tree7", "tree:7", LINE_PEERS},
    {"tree31", "tree:31", LINE_PEERS},
    {"tree127", "tree:127", LINE_PEERS},
    {"tree511", "tree:511", LINE_PEERS},
    {"tree2047", "tree:2047", LINE_PEERS},
    {"arm", "arm", LINE_PEERS | LINE_ROBOT},
    {"hrp2", "hrp2", LINE_PEERS | LINE_BATCH | LINE_ROBOT},
    {"human", "human", LINE_PEERS | LINE_ROBOT},
    {"chain1e3", "chain:1000", LINE_LONG},
    {"chain1e4", "chain:10000", LINE_LONG},
    {"chain1e5", "chain:100000", LINE_LONG},
    {"chain1e6", "chain:1000000", LINE_LONG | LINE_SLOW},
};
enum { LINE_COUNT = sizeof LINES / sizeof LINES[0] };

// How far the two states that take turns are apart, as in bench/peers: far above rounding, far below
// anything that changes the work.
static const double NUDGE = 1e-6; // m, rad

const bench_line_spec* bench_line_at(int i) { return i < LINE_COUNT ? &LINES[i] : NULL; }

// Numbers between -1 and 1, the same on every machine.
static double next_number(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

static void fill(double* x, size_t count, uint64_t* random) {
    for (size_t k = 0; k < count; k++) x[k] = next_number(random);
}

static void make_states(bench_line* line) {
    uint64_t random = 1;
    size_t nq = (size_t)sn_model_nq(line->model), nv = (size_t)line->dof;
    size_t count = (size_t)line->state_count;
    double* step = memory_take(nv, sizeof *step);
    line->q = memory_take(count * nq, sizeof *line->q);
    line->v = memory_take(count * nv, sizeof *line->v);
    line->tau = memory_take(count * nv, sizeof *line->tau);
    for (size_t s = 0; s < count; s++) {
        double *q = line->q + s * nq, *v = line->v + s * nv, *tau = line->tau + s * nv;
        if (s == 1) {
            for (size_t k = 0; k < nv; k++) step[k] = NUDGE;
            sn_model_integrate(line->model, line->q, step, q);
            memcpy(v, line->v, nv * sizeof *v);
            memcpy(tau, line->tau, nv * sizeof *tau);
            continue;
        }
        fill(step, nv, &random);
        sn_model_neutral(line->model, q);
        sn_model_integrate(line->model, q, step, q);
        fill(v, nv, &random);
        fill(tau, nv, &random);
    }
    free(step);
}

static sn_model* make_model(const char* text, bool floats) {
    bool arm = strcmp(text, "arm") == 0;
    if (arm || strcmp(text, "protein") == 0) {
        sn_error error = {0};
        sn_model* made = arm ? bench_arm(&error) : bench_protein(&error);
        if (!made) message_error_from(&error);
        return made;
    }
    model_source source;
    model_request request = {text, floats ? MODEL_BASE_FREE : MODEL_BASE_UNSET, false, NULL};
    if (!model_source_load(&request, &source)) return NULL;
    sn_model* model = source.model;
    source.model = NULL; // ours from here
    model_source_free(&source);
    return model;
}

bool bench_line_make(const bench_line_spec* spec, bench_line* line) {
    *line = (bench_line){.spec = spec};
    line->model = make_model(spec->model, spec->flags & LINE_FREE);
    if (!line->model) return false;
    line->joints = sn_model_body_count(line->model);
    line->dof = sn_model_nv(line->model);
    line->state_count = spec->flags & LINE_BATCH ? BENCH_BATCH : 2;
    make_states(line);
    return true;
}

void bench_line_free(bench_line* line) {
    sn_model_free(line->model);
    free(line->q);
    free(line->v);
    free(line->tau);
    *line = (bench_line){0};
}

bool bench_line_write_model(const bench_line* line, FILE* out) {
    char* text = NULL;
    if (sn_model_to_json(line->model, &text, NULL) != SN_OK) return false;
    bool good = fputs(text, out) >= 0 && fflush(out) == 0;
    sn_text_free(text);
    return good;
}

static void write_list(json_writer* w, const char* key, const double* api, int* order, int count) {
    jw_key(w, key);
    jw_array_line(w);
    for (int k = 0; k < count; k++) jw_number(w, api[order[k]]);
    jw_array_end(w);
    free(order);
}

bool bench_line_write_state(const bench_line* line, FILE* out) {
    json_writer w = jw_start(out);
    jw_object(&w);
    write_list(&w, "q", line->q, coordinates_q_order(line->model), sn_model_nq(line->model));
    write_list(&w, "v", line->v, coordinates_v_order(line->model), line->dof);
    write_list(&w, "tau", line->tau, coordinates_v_order(line->model), line->dof);
    jw_object_end(&w);
    jw_finish(&w);
    return fflush(out) == 0 && !ferror(out);
}
