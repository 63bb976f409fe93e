// SPDX-License-Identifier: Apache-2.0
// Hands that hold a simulated device.
#include <string.h>

#include "sinew/simulated_device.h"

// Mass kg, damping N s/m, stiffness N/m: grips of a stylus from loose to tight, and an arm in posture.
#define HANDS(X)                                                                                   \
    X(light, .10, 2, 60)                                                                           \
    X(medium, .15, 5, 300)                                                                         \
    X(firm, .25, 10, 700)                                                                          \
    X(arm, .55, 6.5, 135)                                                                          \
    X(none, 0, 0, 0)                                                                               \
    X(mass, .50, 0, 0)

/// m: fingers resist turning as they do moving, at this distance from the axis.
static const double LEVER = 0.03;

typedef struct row {
    const char* name;
    double mass, damping, stiffness;
} row;

#define ROW(name, mass, damping, stiffness) {#name, mass, damping, stiffness},
static const row rows[] = {HANDS(ROW)};
#undef ROW

const char* sn_hand_model_at(int i, sn_hand_model* hand) {
    if (i < 0 || i >= (int)(sizeof rows / sizeof rows[0])) return NULL;
    const row* r = &rows[i];
    double square = LEVER * LEVER;
    *hand = (sn_hand_model){r->mass,          r->damping,          r->stiffness,
                            square * r->mass, square * r->damping, square * r->stiffness};
    return r->name;
}

bool sn_hand_model_find(const char* name, sn_hand_model* hand) {
    sn_hand_model found;
    const char* here;
    for (int i = 0; (here = sn_hand_model_at(i, &found)) != NULL; i++) {
        if (strcmp(here, name) != 0) continue;
        *hand = found;
        return true;
    }
    return false;
}
