// SPDX-License-Identifier: Apache-2.0
/// A viewer without a picture: takes what the server sends over loopback, in a thread of its own, and says what came when.
/// docs/protocol.md
#ifndef SINEW_APP_BENCH_VIEWER_CLIENT_H
#define SINEW_APP_BENCH_VIEWER_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum viewer_client_kind {
    CLIENT_LOOKS,  ///< acknowledges every frame
    CLIENT_STALLS, ///< takes nothing, once it is connected
    CLIENT_PULLS   ///< also holds body 0, and moves it now and then
} viewer_client_kind;

typedef struct viewer_client viewer_client;

/// Connects to the address that a server prints. NULL: it cannot be.
viewer_client* viewer_client_start(const char* address, viewer_client_kind kind);
void viewer_client_end(viewer_client* client);

/// Whole frames that came.
uint64_t viewer_client_frames(const viewer_client* client);
/// Bytes of the last one.
uint64_t viewer_client_frame_bytes(const viewer_client* client);
/// ms from connecting until the first frame was there; 0: it is not.
double viewer_client_first_ms(const viewer_client* client);
/// ns, by sn_clock_real, when the newest move of what it pulls at was sent; 0: none yet.
int64_t viewer_client_moved_ns(const viewer_client* client);

/// One request to a server on this machine; the text that it answered, to be freed. NULL: none.
char* viewer_http(int port, const char* method, const char* path);
/// The page as a browser fetches it, all files of it. False: it could not be had.
bool viewer_page_fetch(const char* address, double* bytes, double* ms);

#endif
