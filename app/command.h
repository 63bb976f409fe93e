// SPDX-License-Identifier: Apache-2.0
/// Commands of the sinew program. A command is one function that gets the words after its name and
/// returns the exit status; it parses them with options.h and prints its own --help.
#ifndef SINEW_APP_COMMAND_H
#define SINEW_APP_COMMAND_H

/// Exit status of every command.
enum {
    STATUS_DONE = 0,
    STATUS_FAILED = 1, ///< failed while running
    STATUS_USAGE = 2   ///< bad usage or bad input
};

int command_info(int argc, char** argv);
int command_build(int argc, char** argv);
int command_check(int argc, char** argv);
int command_eval(int argc, char** argv);
int command_sim(int argc, char** argv);
int command_run(int argc, char** argv);
int command_replay(int argc, char** argv);
int command_export(int argc, char** argv);
int command_energy(int argc, char** argv);
int command_solve(int argc, char** argv);
int command_draw(int argc, char** argv);
int command_reproduce(int argc, char** argv);
int command_bench(int argc, char** argv);
int command_zwidth(int argc, char** argv);
int command_devices(int argc, char** argv);
int command_doctor(int argc, char** argv);

#endif
