// SPDX-License-Identifier: Apache-2.0
/// sinew: the command line. Each command is a function in its own file; this is their table.
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "message.h"
#include "suggest.h"

#ifndef SN_VERSION_STRING
#define SN_VERSION_STRING "unknown"
#endif

typedef struct command {
    const char* name;
    const char* summary;
    int (*run)(int argc, char** argv);
} command;

static const command commands[] = {
    {"info", "what a model holds: bodies, joints, masses, tree, warnings", command_info},
    {"build", "protein chains from a sequence, as PDB files", command_build},
    {"check", "whether a scene is right, and what is in it; its JSON schema", command_check},
    {"eval", "dynamics at given states: accelerations, inertia, body motion", command_eval},
    {"sim", "simulate for a while: progress, summary, CSV, plot", command_sim},
    {"run", "hands in a scene, on haptic devices or simulated ones", command_run},
    {"replay", "what a recording holds, and whether it happens again, bit for bit", command_replay},
    {"export", "recordings to HDF5, CSV, PDB or DCD, for other programs", command_export},
    {"energy", "forces between the atoms of a protein, and their energy by term", command_energy},
    {"solve", "contact problems from files: impulses, residuals, times", command_solve},
    {"draw", "pictures of what is inside: assembly tree, collision groups", command_draw},
    {"reproduce", "experiments of the papers, done again", command_reproduce},
    {"bench", "how fast it is, on this machine", command_bench},
    {"zwidth", "what stiffness and damping a haptic device can render, as a map", command_zwidth},
    {"devices", "haptic devices: what is connected, what can be simulated", command_devices},
    {"doctor", "whether this machine is good for haptics, and what to do", command_doctor},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(void) {
    printf("sinew %s: feel and simulate articulated bodies\n\n"
           "usage: sinew COMMAND [ARGUMENTS]\n\ncommands:\n",
           SN_VERSION_STRING);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        printf("  %-12s%s\n", commands[i].name, commands[i].summary);
    }
    printf("\nfirst steps:\n"
           "  sinew info hrp2                      a humanoid that comes with sinew\n"
           "  sinew sim hrp2 --floor --until-rest --film fall.svg   let it fall, and watch\n"
           "  sinew sim hrp2 --pin --duration 5    let it hang by its pelvis and swing\n"
           "  sinew info my_robot.urdf             your own robot\n"
           "  sinew info my_protein.pdb            your own protein\n"
           "  sinew help sim                       all about one command\n");
}

static const command* find_command(const char* name) {
    const char* names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++) {
        names[i] = commands[i].name;
        if (strcmp(name, names[i]) == 0) return &commands[i];
    }
    const char* near = suggest_name(name, names, COMMAND_COUNT);
    if (near) {
        message_error("there is no command '%s'; did you mean '%s'?", name, near);
    } else {
        message_error("there is no command '%s'; `sinew --help` lists them", name);
    }
    return NULL;
}

static int run(int argc, char** argv) {
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        (strcmp(argv[1], "help") == 0 && argc == 2)) {
        print_help();
        return STATUS_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("sinew %s\n", SN_VERSION_STRING);
        return STATUS_DONE;
    }
    if (argv[1][0] == '-') {
        message_error("there is no option %s before a command; `sinew --help` shows the usage",
                      argv[1]);
        return STATUS_USAGE;
    }
    if (strcmp(argv[1], "help") == 0) {
        const command* about = find_command(argv[2]);
        char word[] = "--help";
        char* words[] = {word};
        return about ? about->run(1, words) : STATUS_USAGE;
    }
    const command* found = find_command(argv[1]);
    return found ? found->run(argc - 2, argv + 2) : STATUS_USAGE;
}

int main(int argc, char** argv) {
    setlocale(LC_CTYPE, ""); // characters only: numbers keep their point in every language
    int status = run(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        message_error("the output cannot be written; is the disk full?");
        if (status == STATUS_DONE) status = STATUS_FAILED;
    }
    return status;
}
