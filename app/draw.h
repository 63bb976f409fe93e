// SPDX-License-Identifier: Apache-2.0
/// Pictures of `sinew draw`; each parses its own options and prints its own --help.
#ifndef SINEW_APP_DRAW_H
#define SINEW_APP_DRAW_H

int draw_tree(int argc, char** argv);
int draw_groups(int argc, char** argv);

#endif
