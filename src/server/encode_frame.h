// SPDX-License-Identifier: Apache-2.0
/// FRAME: what has changed since the last one that a client got.   docs/protocol.md
#ifndef SN_SERVER_ENCODE_FRAME_H
#define SN_SERVER_ENCODE_FRAME_H

#include "server/picture.h"
#include "server/show.h"

/// What a client has been told of a scene.
typedef struct sni_seen {
    int bodies;         ///< of the scene
    sni_pose32* pose;   // [2 bodies + 2]
    sni_place32* place; // [bodies]
    uint8_t* shade;     // [bodies]
    uint64_t version;   ///< of the picture's arrangement
} sni_seen;

/// Nothing yet, of a scene of so many bodies. False: no memory.
bool sni_seen_begin(sni_seen* seen, int bodies);
void sni_seen_free(sni_seen* seen);

/// Samples that wait for a frame.
typedef struct sni_samples {
    int numbers;  ///< of each, besides its time
    sni_bytes at; ///< f64 time, then the numbers
    int count;
} sni_samples;

enum { SNI_SAMPLES_MOST = 4096 };

/// Adds one; beyond the most every second one goes.
void sni_samples_add(sni_samples* samples, double time, const double* number);

typedef struct sni_frame_parts {
    const sni_picture* picture;
    const sni_facts* facts; ///< NULL: none of this show yet
    uint32_t generation;
    const uint32_t* colour; // [SNI_CLIENTS_MOST + 1] rgba of slots, the last one of devices
    int slot;               ///< of the client
    uint32_t client;        ///< its number
} sni_frame_parts;

/// Adds all after the first eight bytes, which are there; `seen` is then what the client has, and the samples are gone.
void sni_encode_frame(const sni_frame_parts* parts, sni_seen* seen, sni_samples* samples,
                      sni_bytes* out);

#endif
