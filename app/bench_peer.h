// SPDX-License-Identifier: Apache-2.0
/// Other engines as contenders: helper programs sinew-peer-NAME (bench/peers) that are started once
/// and asked line by line.
#ifndef SINEW_APP_BENCH_PEER_H
#define SINEW_APP_BENCH_PEER_H

#include <stdio.h>

#include "bench_contender.h"
#include "child.h"

typedef struct bench_peer {
    char name[48]; ///< NAME of its program; once it has told them, engine and version
    char* path;
    child program;
    double timeout; ///< s it has for an answer
    int failures;   ///< how often it died, fell silent or talked nonsense
} bench_peer;

/// Start from {0}; end with bench_peers_end.
typedef struct bench_peers {
    bench_peer* at;
    int count;
    FILE *model, *state; ///< what they read; files without a name, gone when this program is
} bench_peers;

/// The folder of the helper programs, to be freed: the one given, or "peers" beside this program.
char* bench_peers_folder(const char* given);
/// Starts the programs of `folder` (NULL: the folder "peers" beside this program). That there are
/// none is a note; false, with the reason said, when the folder was given and is not there.
bool bench_peers_start(bench_peers* peers, const char* folder, double timeout);
/// Writes the line's model and state for them; false, with the reason said, when that fails.
bool bench_peers_give(bench_peers* peers, const bench_line* line);
/// Number i of them on the line that was given last. One that failed before is started anew, once;
/// false when it has failed too often.
bool bench_open_peer(bench_contender* c, const bench_line* line, bench_peers* peers, int i);
void bench_peers_end(bench_peers* peers);

#endif
