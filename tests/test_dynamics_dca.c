// SPDX-License-Identifier: Apache-2.0
#include "suite_forward_dynamics.h"

int main(void) { return suite_forward_dynamics("dca"); }
