// SPDX-License-Identifier: Apache-2.0
#include "bench_forces_peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_peer.h"
#include "child.h"
#include "memory.h"
#include "sinew/load.h"
#include "temporary_file.h"

static const char* const NAMES[BENCH_FORCES_PEERS] = {"gromacs", "openmm"};

typedef struct forces_peer {
    child program;
    double timeout; ///< s for an answer
    char* path;     ///< of the molecule's file; NULL: none
} forces_peer;

/// The answer after "ok ", or NULL with the reason in the row.
static const char* ask(bench_contender* c, const char* question) {
    forces_peer* peer = c->self;
    const char* answer;
    child_result result = child_ask(&peer->program, question, peer->timeout, &answer);
    if (result != CHILD_ANSWERED) {
        bench_trouble(&c->row, "%s", result == CHILD_SILENT ? "no answer in time" : "it ended");
        return NULL;
    }
    if (strncmp(answer, "ok ", 3) == 0) return answer + 3;
    bench_trouble(&c->row, "%.150s", answer);
    return NULL;
}

static double time_peer(bench_contender* c, long count) {
    char question[40];
    snprintf(question, sizeof question, "time %ld", count);
    const char* answer = ask(c, question);
    return answer ? atof(answer) : -1;
}

static void close_peer(bench_contender* c) {
    forces_peer* peer = c->self;
    char how[80];
    child_end(&peer->program, how, sizeof how);
    temporary_file_remove(peer->path);
    free(peer);
}

static const bench_kind KIND = {NULL, time_peer, close_peer};

/// The molecule as a file of its own.
static bool write_molecule(forces_peer* peer, const sn_molecule* molecule) {
    char* text;
    if (sn_molecule_to_pdb(molecule, NULL, &text, NULL)) return false;
    peer->path = temporary_file_make(".pdb", text);
    sn_text_free(text);
    return peer->path != NULL;
}

bool bench_open_forces_peer(bench_contender* c, int i, const char* folder, const char* line,
                            const sn_molecule* molecule, double cutoff, long count,
                            double timeout) {
    char* where = bench_peers_folder(folder);
    char* path = memory_text("%s/sinew-forces-%s", where, NAMES[i]);
    forces_peer* peer = memory_take(1, sizeof *peer);
    *c = (bench_contender){
        .kind = &KIND, .self = peer, .states = 1, .patient = true, .count = count};
    c->row = bench_row_on(line, sn_molecule_atom_count(molecule), 0);
    c->row.peer = true;
    snprintf(c->row.engine, sizeof c->row.engine, "%s", NAMES[i]);
    peer->timeout = timeout;
    bool there = access(path, X_OK) == 0 && child_start(&peer->program, path);
    if (there && write_molecule(peer, molecule)) {
        char* question = memory_text("load %s %g", peer->path, cutoff);
        const char* engine = ask(c, question);
        free(question);
        if (engine) snprintf(c->row.engine, sizeof c->row.engine, "%s", engine);
    } else if (there) {
        bench_trouble(&c->row, "no file for the molecule");
    } else {
        free(peer);
        *c = (bench_contender){0};
    }
    free(path);
    free(where);
    return there;
}
