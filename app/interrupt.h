// SPDX-License-Identifier: Apache-2.0
/// Ctrl-C, for runs that end early and keep what they have.
#ifndef SINEW_APP_INTERRUPT_H
#define SINEW_APP_INTERRUPT_H

#include <stdbool.h>

/// From now on Ctrl-C (and SIGTERM) is noted; a second one ends the program at once.
void interrupt_catch(void);
bool interrupt_came(void);

#endif
