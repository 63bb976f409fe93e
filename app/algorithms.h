// SPDX-License-Identifier: Apache-2.0
/// Names of the library's algorithms as choices of an option: "aba|crba".
#ifndef SINEW_APP_ALGORITHMS_H
#define SINEW_APP_ALGORITHMS_H

typedef struct choice_text {
    char text[128];
} choice_text;

choice_text algorithms_dynamics(void);
choice_text algorithms_integrators(void);
choice_text algorithms_contact(void);

#endif
