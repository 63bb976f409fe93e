// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "bench_siconos.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_peer.h"
#include "memory.h"
#include "message.h"
#include "sinew/contact_file.h"

// s above twice the time limit, which it takes at most, for reading the problem and answering
static const double MARGIN = 5;

bool bench_siconos_start(bench_siconos* siconos, const char* folder) {
    char* where = bench_peers_folder(folder);
    *siconos = (bench_siconos){.path = memory_text("%s/sinew-peer-siconos", where)};
    free(where);
    if (access(siconos->path, X_OK) == 0 && child_start(&siconos->program, siconos->path))
        return true;
    if (folder)
        message_error("--peers %s: there is no sinew-peer-siconos; `make peers` builds it", folder);
    else
        message_note("Siconos is not compared: no %s; run `make peers`", siconos->path);
    free(siconos->path);
    siconos->path = NULL;
    return folder == NULL;
}

// The problem in a file without a name, gone when this program is.
static FILE* write_problem(const sn_contact_problem* problem) {
    char* text;
    if (sn_contact_problem_write(problem, SN_CONTACT_FC3D, &text, NULL) != SN_OK) return NULL;
    FILE* file = tmpfile();
    if (file && (fputs(text, file) < 0 || fflush(file) != 0)) {
        fclose(file);
        file = NULL;
    }
    sn_text_free(text);
    return file;
}

static double number_of(const json_t* object, const char* key) {
    const json_t* value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void read_answer(const char* line, siconos_answer* answer) {
    json_t* object = json_loads(line, 0, NULL);
    const char* engine = json_string_value(json_object_get(object, "engine"));
    const char* trouble = json_string_value(json_object_get(object, "trouble"));
    snprintf(answer->engine, sizeof answer->engine, "%s", engine ? engine : "siconos");
    snprintf(answer->trouble, sizeof answer->trouble, "%s",
             trouble  ? trouble
             : object ? ""
                      : "its answer is none");
    answer->seconds = number_of(object, "seconds");
    answer->iterations = number_of(object, "iterations");
    answer->error = number_of(object, "error");
    answer->ok = json_is_true(json_object_get(object, "ok"));
    json_decref(object);
}

bool bench_siconos_solve(bench_siconos* siconos, const sn_contact_problem* problem,
                         double tolerance, double limit, long repeat, siconos_answer* answer) {
    *answer =
        (siconos_answer){.engine = "siconos", .seconds = NAN, .iterations = NAN, .error = NAN};
    if (!siconos->path) return false;
    char command[160], how[80];
    const char* line = NULL;
    FILE* file = write_problem(problem);
    if (!file || (siconos->program.pid <= 0 && !child_start(&siconos->program, siconos->path))) {
        snprintf(answer->trouble, sizeof answer->trouble, "the problem cannot be handed over");
        if (file) fclose(file);
        return true;
    }
    snprintf(command, sizeof command, "solve %g %g %ld /proc/%ld/fd/%d", tolerance, limit, repeat,
             (long)getpid(), fileno(file));
    if (child_ask(&siconos->program, command, 2 * limit + MARGIN, &line) == CHILD_ANSWERED) {
        read_answer(line, answer);
    } else {
        child_end(&siconos->program, how, sizeof how);
        snprintf(answer->trouble, sizeof answer->trouble, "its program gave no answer: %s", how);
    }
    fclose(file);
    return true;
}

void bench_siconos_end(bench_siconos* siconos) {
    char how[80];
    child_end(&siconos->program, how, sizeof how);
    free(siconos->path);
    *siconos = (bench_siconos){0};
}
