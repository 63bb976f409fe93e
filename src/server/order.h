// SPDX-License-Identifier: Apache-2.0
/// What a client wants: one message of it as a struct.   docs/protocol.md
///
/// Reading is a pure function of the bytes. What comes out is finite and has the right length, but may name bodies and
/// hands that are not there: who carries it out looks.
#ifndef SN_SERVER_ORDER_H
#define SN_SERVER_ORDER_H

#include "sinew/model.h"

/// X(name, number, form): form is that of what follows the eight bytes, a letter each:
/// u u32, z u32 that is 0, d f64, v f32 x 3, q f32 x 4 of length 1, n f64 x the u32 before, s text to the end.
#define SNI_ORDER_LIST(X)                                                                          \
    X(ACK, 1, "uz")                                                                                \
    X(GRAB, 2, "uuvv")                                                                             \
    X(MOVE, 3, "uzdvq")                                                                            \
    X(RELEASE, 4, "uz")                                                                            \
    X(PAUSE, 5, "uz")                                                                              \
    X(STEP, 6, "uz")                                                                               \
    X(RESET, 7, "")                                                                                \
    X(PACE, 8, "d")                                                                                \
    X(BUDGET, 9, "uz")                                                                             \
    X(DYNAMICS, 10, "s")                                                                           \
    X(SCENE, 11, "s")                                                                              \
    X(EDIT, 12, "s")                                                                               \
    X(RECORD, 13, "uz")                                                                            \
    X(JOINT, 14, "un")                                                                             \
    X(WATCH, 15, "s")                                                                              \
    X(INSPECT, 16, "uz")                                                                           \
    X(SEEK, 17, "d")                                                                               \
    X(PING, 18, "d")                                                                               \
    X(DRAWN, 19, "s")

#define SNI_ORDER_ENUM(name, number, form) SNI_ORDER_##name = number,
typedef enum sni_order_type { SNI_ORDER_LIST(SNI_ORDER_ENUM) SNI_ORDER_TYPES } sni_order_type;
#undef SNI_ORDER_ENUM

enum { SNI_GRAB_SIX = 1, SNI_GRAB_TOUCH = 2, SNI_JOINT_TARGET = 1 };

typedef struct sni_order {
    sni_order_type type;
    uint32_t flags;
    uint32_t request; ///< number of it; 0: wants no answer
    uint32_t number;  ///< the first u32
    uint32_t bits;    ///< the second, where it is not 0
    double value;     ///< the f64
    sn_vec3 vector[2];
    sn_quat turn; ///< of length 1
    int count;    ///< of `joint`
    double joint[SN_JOINT_MAX_NQ];
    const char* text; ///< within the message; no zero at its end
    size_t length;
} sni_order;

/// NULL: it is one; else why it is none.
const char* sni_order_read(const unsigned char* bytes, size_t count, sni_order* order);

#endif
