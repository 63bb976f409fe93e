// SPDX-License-Identifier: Apache-2.0
/// The side of the viewer that steps: carries out what clients want, between two steps, and tells what came of it.
///
/// Everything here runs in the thread that steps. It allocates nothing by itself; what clients ask for (a hand, an item, a
/// recording) may.
#ifndef SN_SERVER_SIM_SIDE_H
#define SN_SERVER_SIM_SIDE_H

#include "base/error.h"
#include "server/show.h"

typedef struct sni_sim_client {
    uint32_t number; ///< 0: nobody
    int32_t inspect; ///< body, -1: none
    uint32_t watch_request;
    sni_watch watch;
} sni_sim_client;

/// A hand of a client.
typedef struct sni_owned_hand {
    bool taken;
    int32_t hand; ///< its number in the session
    sni_client_id owner;
    bool is_told;      ///< its client knows that it has it
    uint32_t request;  ///< that asked for it
    sn_device* device; ///< a pointer, the session's
    sn_vec3 position;  ///< m, where that began
    int64_t since_ns;
    bool has_held;     ///< a body, since it is there
    bool is_lost;      ///< its client was told that it holds nothing any more
    uint64_t moved_ns; ///< move whose way into the simulation was measured last
} sni_owned_hand;

enum { SNI_EDITS_WAIT_MOST = 32 };

/// Edits of clients, one after the other. What takes long of the first one is made by a thread of its own.
typedef struct sni_editor {
    sni_envelope waiting[SNI_EDITS_WAIT_MOST];
    int count;
    sn_preparation* preparation; ///< of the first; NULL: it has not begun
    sni_thread* thread;          ///< that makes it; NULL: there is none
    sni_shown made;              ///< 1: the thread is done
    sn_status status;            ///< of the thread
    sn_error error;
} sni_editor;

/// What samples of one step share.
typedef struct sni_sampled {
    double time; ///< s: of the last sample
    bool has_energy, has_field, field_is_known;
    sn_energy energy;
    sn_forcefield_energy field;
} sni_sampled;

/// Sums since `since_ns`, and what the last ones came to.
typedef struct sni_sim_sums {
    int64_t since_ns;
    double since_time; ///< s, of the simulation
    uint64_t steps, ticks[2];
    int64_t stage_ns[SN_STAGE_MAX];
    int stage_count;
    double latency_ms, latency_worst_ms;
    uint64_t latencies;
} sni_sim_sums;

typedef struct sni_sim_side {
    sni_meeting* meeting;
    const char* recordings; ///< folder
    sn_server_view view;
    sn_world* world; ///< NULL: nothing is shown
    uint64_t show;
    const sn_model* told; ///< whose items were told
    sni_sim_client client[SNI_CLIENTS_MOST];
    sni_owned_hand hand[SNI_HANDS_MOST];
    sni_editor editor;
    sn_wish wish;
    sn_player player;
    char recording[256], fault[256];
    sn_step_report report; ///< last
    bool stepped;          ///< there was one
    sni_sampled sampled;
    sni_sim_sums sums;
    sni_means means;
    int64_t told_ns;
    sni_parcel parcel; ///< the order that is carried out
} sni_sim_side;

void sni_sim_side_show(sni_sim_side* side, const sn_server_view* view, uint64_t show);
void sni_sim_side_after(sni_sim_side* side, const sn_step_report* report);

// ---- news.c ---------------------------------------------------------------------------------------------------------

/// Answers a request, if one is wanted: JSON members such as "\"hand\":3", "" for none.
void sni_tell_good(sni_sim_side* side, const sni_envelope* to, const char* members);
void sni_tell_bad(sni_sim_side* side, const sni_envelope* to, const char* why);
void sni_tell_event(sni_sim_side* side, sn_log_level level, const char* text);
void sni_tell_hand(sni_sim_side* side, sni_client_id to, int hand, sn_device* device,
                   sn_vec3 position);
void sni_tell_items(sni_sim_side* side);

// ---- pointers.c: hands of clients -------------------------------------------------------------------------------------

void sni_pointer_grab(sni_sim_side* side, const sni_envelope* order);
void sni_pointer_release(sni_sim_side* side, const sni_envelope* order);
/// All hands of a client that is gone.
void sni_pointer_release_all(sni_sim_side* side, sni_client_id owner);
/// Tells clients of hands whose body is gone, and measures how long moves take.
void sni_pointer_look(sni_sim_side* side, int64_t now_ns);
/// NULL: it is a device's.
const sni_owned_hand* sni_pointer_find(const sni_sim_side* side, int hand);

// ---- edits.c ----------------------------------------------------------------------------------------------------------

/// EDIT, or RESET: is made when those before it are; its edit is kept until then.
void sni_edit_take(sni_sim_side* side, sni_envelope* order);
/// Begins what waits, and puts in what is ready.
void sni_edit_go_on(sni_sim_side* side);
/// Nothing of what waits is made any more: another thing is shown. Waits for the thread.
void sni_edit_give_up(sni_sim_side* side);

// ---- commands.c -------------------------------------------------------------------------------------------------------

/// Carries out what has come; returns how many orders that were.
int sni_carry_out(sni_sim_side* side);
/// Answers by what came of it.
void sni_reply(sni_sim_side* side, const sni_envelope* order, sn_status status,
               const sn_error* error);
/// An edit goes back to be freed.
void sni_give_back(sni_sim_side* side, sn_edit* edit);

// ---- watch.c ----------------------------------------------------------------------------------------------------------

/// After a step: a sample for each client that watches something.
void sni_watch_sample(sni_sim_side* side, const sn_step_report* report);

// ---- facts.c ----------------------------------------------------------------------------------------------------------

void sni_sums_add(sni_sim_side* side, const sn_step_report* report);
void sni_tell_facts(sni_sim_side* side, int64_t now_ns);

#endif
