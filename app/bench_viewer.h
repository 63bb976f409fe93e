// SPDX-License-Identifier: Apache-2.0
/// What the viewer costs: pieces of `sinew bench viewer`.
#ifndef SINEW_APP_BENCH_VIEWER_H
#define SINEW_APP_BENCH_VIEWER_H

#include "bench_account.h"
#include "sinew/server.h"

/// A scene that runs in threads, with a server that shows it.
typedef struct viewer_stage {
    sn_simulation* sim;
    sn_session* session;
    sn_server* server;
} viewer_stage;

/// False, with the reason in the row. Close either way.
bool viewer_stage_open(viewer_stage* stage, const char* scene, bench_row* row);
void viewer_stage_close(viewer_stage* stage);

/// Asked after every step, with the time; false ends the run.
typedef bool (*viewer_look)(void* context, const viewer_stage* stage, int64_t now_ns);
/// Runs until told, or for so many seconds of real time.
void viewer_stage_run(viewer_stage* stage, double seconds, viewer_look look, void* context);

/// 10^4 bodies that all move; two that rest until they are pulled.
extern const char VIEWER_MANY[], VIEWER_TWO[];

/// The time until a first picture in a browser, and pictures of many bodies there. False: there is no browser.
bool bench_viewer_browser(bench_rows* rows, long reps, double seconds);
/// Ratios, sentences and method.
void bench_viewer_account(bench_account* account);

#endif
