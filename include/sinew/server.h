// SPDX-License-Identifier: Apache-2.0
/// The viewer: a page in the browser that shows what runs, and lets people take part.
///
///     sn_server* server;
///     sn_server_create(&def, &server, &error);
///     puts(sn_server_address(server));                      // http://127.0.0.1:8570/?token=...
///     sn_server_show(server, &(sn_server_view){.name = "table", .sim = sim, .session = session});
///     sn_session_run(session, INFINITY, go_on, server);     // go_on calls sn_server_after
///     sn_server_show(server, NULL);
///
/// A thread of its own reads snapshots and talks to clients (role io); what they want is done by the thread that
/// steps, between two steps, in sn_server_after. Neither waits for the other, and nobody for a client: one that is slow
/// gets fewer pictures. It listens on 127.0.0.1, and knows who has the token.   docs/protocol.md
#ifndef SINEW_SERVER_H
#define SINEW_SERVER_H

#include "sinew/session.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_server sn_server;

/// Something that people can open from the page.
typedef struct sn_gallery_entry {
    const char* name;
    const char* about;
    bool is_model; ///< else a scene
} sn_gallery_entry;

typedef struct sn_server_def {
    int port;                        ///< 0: any that is free
    const sn_gallery_entry* gallery; ///< outlives the server
    int gallery_count;
    const char* recordings; ///< folder that recordings go to; outlives the server
    const char* token; ///< 32 letters and digits, the same as before a restart, say; NULL: random
} sn_server_def;

/// Port 8570, recordings in the current folder.
sn_server_def sn_server_def_default(void);

/// SN_ERR_FILE: the port cannot be had. SN_ERR_ARGUMENT: no such port, no such token.
sn_status sn_server_create(const sn_server_def* def, sn_server** server, sn_error* error);
/// Says good-bye to all clients. What is shown must have ended (sn_server_show with NULL).
void sn_server_free(sn_server* server);
/// That opens the page, token included.
const char* sn_server_address(const sn_server* server);
int sn_server_port(const sn_server* server);

// ---- what is shown: thread host, while nothing steps -----------------------------------------------------------------

/// What clients see until the next sn_server_show; all of it stays until then.
typedef struct sn_server_view {
    const char* name; ///< copied
    sn_world* world;  ///< of a replay; NULL: the simulation's
    sn_simulation* sim;
    sn_session* session;             ///< NULL: nobody can take hold
    bool is_replay;                  ///< the caller follows sn_server_player
    const sn_recording* recording;   ///< of a replay: molecules of it are shown; NULL: none
    double replay_begin, replay_end; ///< s
} sn_server_view;

/// Another thing is shown, or (NULL) nothing. Waits for the thread that looks at the one before.
sn_status sn_server_show(sn_server* server, const sn_server_view* view, sn_error* error);

// ---- between steps: thread sim ---------------------------------------------------------------------------------------

/// Does what clients want, and tells them how it goes: after each step, and some 100 times a second while there are none
/// (report NULL).
void sn_server_after(sn_server* server, const sn_step_report* report);
/// Something that people should know. Thread: sim, or host while nothing steps.
void sn_server_say(sn_server* server, sn_log_level level, const char* text);
/// The state is not what it was by itself: STATE of clients has the text until the next sn_server_show.
void sn_server_say_fault(sn_server* server, const char* text);

/// What clients want that only the caller can do.
typedef enum sn_wish_type {
    SN_WISH_NONE,
    SN_WISH_SCENE,    ///< another scene of the gallery: name
    SN_WISH_DYNAMICS, ///< the same with another algorithm: name
    SN_WISH_AGAIN     ///< the same from the beginning, where it cannot go on
} sn_wish_type;

typedef struct sn_wish {
    sn_wish_type type;
    char name[128];
} sn_wish;

/// Takes it; false: there is none.
bool sn_server_take_wish(sn_server* server, sn_wish* wish);
/// Whether there is one, so that a run should end.
bool sn_server_has_wish(const sn_server* server);

/// How a replay is to be played.
typedef struct sn_player {
    bool paused;
    double pace;
    uint32_t steps; ///< while paused, since asked last
    bool seek;      ///< since asked last
    double seek_time;
} sn_player;

sn_player sn_server_player(sn_server* server);
/// As if somebody had paused it, such as at its end.
void sn_server_pause_player(sn_server* server);

// ---- how it does: any thread, a copy of about now ----------------------------------------------------------------------

typedef struct sn_server_meter {
    int clients;
    uint64_t frames, bytes; ///< sent since the beginning
    double cpu;             ///< s of processor that the server's thread has used
    uint64_t moves;         ///< of pointers
    double pointer_ms; ///< from a move's arrival to the step that has it, mean of the last second
    double pointer_worst_ms;
} sn_server_meter;

sn_server_meter sn_server_ask(sn_server* server);

#ifdef __cplusplus
}
#endif
#endif
