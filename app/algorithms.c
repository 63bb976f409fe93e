// SPDX-License-Identifier: Apache-2.0
#include "algorithms.h"

#include <stdio.h>
#include <string.h>

#include "sinew/contact.h"
#include "sinew/world.h"

static void append(choice_text* choices, const char* name) {
    size_t length = strlen(choices->text);
    snprintf(choices->text + length, sizeof choices->text - length, "%s%s", length ? "|" : "",
             name);
}

choice_text algorithms_dynamics(void) {
    choice_text choices = {""};
    for (int i = 0; sn_dynamics_algorithm(i); i++) append(&choices, sn_dynamics_algorithm(i));
    return choices;
}

choice_text algorithms_integrators(void) {
    choice_text choices = {""};
    for (int i = 0; i < SN_INTEGRATOR_COUNT; i++) {
        append(&choices, sn_integrator_name((sn_integrator)i));
    }
    return choices;
}

choice_text algorithms_contact(void) {
    choice_text choices = {""};
    for (int i = 0; sn_contact_solver_name(i); i++) append(&choices, sn_contact_solver_name(i));
    return choices;
}
