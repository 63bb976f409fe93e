// SPDX-License-Identifier: Apache-2.0
/// What passes between the two sides of the viewer: the thread that steps ("sim") and the one that talks ("io").
///
///   orders  io -> sim   ring: what clients want, in the order they said it
///   news    sim -> io   stream: answers, events, samples, which items there are
///   facts   sim -> io   mailbox: how it is now, the latest counts
///
/// and the world's snapshots, which io reads. Nobody waits. Pointers that pass belong to who gets them.
#ifndef SN_SERVER_SHOW_H
#define SN_SERVER_SHOW_H

#include "base/mailbox.h"
#include "base/ring.h"
#include "base/stream.h"
#include "base/thread.h"
#include "server/order.h"
#include "sinew/server.h"

enum {
    SNI_CLIENTS_MOST = 16,
    SNI_HANDS_MOST = 32,
    SNI_QUANTITIES_MOST = 32,
    SNI_ORDERS = 256,
    SNI_NEWS_BYTES = 4 << 20,
    SNI_NEWS_SPARE = 1 << 20 ///< that samples leave for what must not be lost
};

/// A client as both sides know it: its place, and a number that nobody else gets.
typedef struct sni_client_id {
    int32_t slot;
    uint32_t number; ///< from 1
} sni_client_id;

// ---- watching -----------------------------------------------------------------------------------------------------

/// X(name in the protocol, what it needs: b body, i index, h hand, n name, - nothing)
#define SNI_QUANTITY_LIST(X)                                                                       \
    X(ENERGY, "energy", "i")                                                                       \
    X(JOINT, "joint", "bi")                                                                        \
    X(VELOCITY, "velocity", "bi")                                                                  \
    X(CONTACT, "contact", "b")                                                                     \
    X(FELT, "felt", "h")                                                                           \
    X(PULL, "pull", "h")                                                                           \
    X(RATE, "rate", "n")                                                                           \
    X(ACTIVE, "active", "")                                                                        \
    X(RESIDUAL, "residual", "")                                                                    \
    X(POINTS, "points", "")                                                                        \
    X(SENSOR, "sensor", "ni")

#define SNI_QUANTITY_ENUM(code, name, needs) SNI_WATCH_##code,
typedef enum sni_quantity_kind {
    SNI_QUANTITY_LIST(SNI_QUANTITY_ENUM) SNI_QUANTITIES
} sni_quantity_kind;
#undef SNI_QUANTITY_ENUM

typedef struct sni_quantity {
    sni_quantity_kind kind;
    int32_t body;  ///< -1: none
    int32_t index; ///< of a sensor: in the numbers of all; of a rate: the loop
    int32_t hand;
    double factor; ///< from its number to what is shown
} sni_quantity;

typedef struct sni_watch {
    int count;
    sni_quantity at[SNI_QUANTITIES_MOST];
} sni_watch;

// ---- io to sim ------------------------------------------------------------------------------------------------------

/// Of every order.
typedef struct sni_envelope {
    sni_client_id from;
    uint64_t show;         ///< that the client saw
    const sn_model* model; ///< whose bodies it counted
    bool gone;             ///< the client is: no order
    sni_order order;
    sn_device* device; ///< GRAB: a pointer, already where the hand is
    sn_edit* edit;     ///< EDIT: to be sent back for freeing
    sni_watch watch;   ///< WATCH
} sni_envelope;

/// The names that orders have fit; of others the text is not needed any more.
enum { SNI_ORDER_TEXT = 128 };

typedef struct sni_parcel {
    sni_envelope envelope;
    char text[SNI_ORDER_TEXT]; ///< order.length bytes of it
} sni_parcel;

// ---- sim to io ------------------------------------------------------------------------------------------------------

typedef enum sni_news_kind {
    SNI_NEWS_ANSWER, ///< sni_answer, then JSON without its braces
    SNI_NEWS_EVENT,  ///< sni_event, then text
    SNI_NEWS_SAMPLE, ///< sni_sample_head, then that many doubles
    SNI_NEWS_ITEMS, ///< sni_items_head, then that many sni_item_place, then their names, each with its zero
    SNI_NEWS_HAND, ///< sni_hand_news: somebody has one now, or (device NULL) does not
    SNI_NEWS_EDIT  ///< sn_edit*: to be freed
} sni_news_kind;

typedef struct sni_answer {
    sni_client_id to;
    uint32_t request;
    uint32_t good;
} sni_answer;

typedef struct sni_event {
    double time; ///< s
    uint32_t level;
    uint32_t zero;
} sni_event;

typedef struct sni_sample_head {
    sni_client_id to;
    uint32_t request; ///< of the WATCH that it belongs to
    uint32_t count;
    double time;
} sni_sample_head;

typedef struct sni_items_head {
    const sn_model* model;
    uint64_t show;
    uint32_t count, name_bytes;
} sni_items_head;

typedef struct sni_item_place {
    int32_t first, bodies;
} sni_item_place;

typedef struct sni_hand_news {
    sni_client_id to;
    int32_t hand;
    uint32_t zero;
    sn_device* device;
    sn_vec3 position; ///< m, where the pointer is
    uint64_t show;
} sni_hand_news;

/// A hand as of the last step.
typedef struct sni_hand_fact {
    uint32_t owner; ///< number of the client; 0: a device
    int32_t slot;   ///< of the client; -1: a device
    char name[48];
    sn_hand_report report; ///< its name is the one above
} sni_hand_fact;

/// The joint that a client inspects.
typedef struct sni_joint_fact {
    uint32_t client; ///< number; 0: nobody looks
    int32_t body;    ///< -1: none
    int nq, nv;
    double q[SN_JOINT_MAX_NQ], v[SN_JOINT_MAX_NV], force[SN_JOINT_MAX_NV];
} sni_joint_fact;

/// Of the last half second.
typedef struct sni_means {
    double real_time_factor;
    int stage_count;
    double stage_us[SN_STAGE_MAX], step_us;
    sn_loop_meter simulation, coupling; ///< as they are at its end
    double rate[2];                     ///< Hz, of these
    double pointer_ms, pointer_worst_ms;
} sni_means;

typedef struct sni_facts {
    uint64_t show; ///< that they are of
    double time;   ///< s
    bool paused;
    double pace;
    int max_active, active, joints;
    sn_vec3 gravity;
    char dynamics[32], recording[256], fault[256];
    sn_contact_summary contact; ///< of the last step
    sni_means means;
    int hand_count;
    sni_hand_fact hand[SNI_HANDS_MOST];
    sni_joint_fact joint[SNI_CLIENTS_MOST];
} sni_facts;

/// The place where the two sides meet.
typedef struct sni_meeting {
    sni_ring orders; ///< of sni_parcel
    sni_stream news;
    sni_mailbox facts_box;
    sni_facts facts[SN_MAILBOX_SLOTS];
    sni_shown moved_ns
        [SNI_HANDS_MOST]; ///< when the pointer of a hand last moved, by hand number modulo the most
    sni_shown moves;
    sni_arena arena;
} sni_meeting;

#endif
