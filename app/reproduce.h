// SPDX-License-Identifier: Apache-2.0
/// Experiments of the papers, done again: each is a function that measures, prints what it found
/// beside what the paper claims, and returns an exit status: 1 when the claim did not show.
#ifndef SINEW_APP_REPRODUCE_H
#define SINEW_APP_REPRODUCE_H

#include <stdbool.h>
#include <stdio.h>

#include "json_writer.h"

typedef struct reproduce_options {
    const char* plot; ///< SVG file to write, or NULL
    bool json;
    bool quick; ///< a short run, to see that it works; experiments that are short anyway ignore it
    const char* report; ///< HTML file of a whole paper, NULL: named after it
    const char* save;   ///< folder for the motions of chardonnet-lift, NULL: it is measured
    FILE* page;         ///< part of such a report goes here besides; NULL: there is none
} reproduce_options;

/// An experiment in the making: how it is measured and shown. Whether it holds is said by who runs it.
typedef struct reproduce_study {
    const char* name;
    void* study;
    bool (*measure)(void* study, bool* holds); ///< false, with the reason said, when it cannot be
    void (*draw)(const void* study, FILE* out);
    void (*write)(const void* study, json_writer* w); ///< members of a JSON object
    void (*print)(const void* study, FILE* out);      ///< as text
    void (*page)(const void* study,
                 FILE* out); ///< HTML before its picture in a report; NULL: the text
} reproduce_study;

/// Measures, draws, prints; returns the exit status.
int reproduce_run(const reproduce_options* options, const reproduce_study* study);

int reproduce_morin_fig5(const reproduce_options* options);
int reproduce_unfold(const reproduce_options* options);
int reproduce_rotamer(const reproduce_options* options);
int reproduce_keith_joints(const reproduce_options* options);
int reproduce_redon_pendulum(const reproduce_options* options);
int reproduce_redon_crowd(const reproduce_options* options);
int reproduce_chardonnet_fig3(const reproduce_options* options);
int reproduce_lcp_vs_nsgs(const reproduce_options* options);
int reproduce_keith_timing(const reproduce_options* options);
int reproduce_chardonnet_contacts(const reproduce_options* options);
int reproduce_penalty_divergence(const reproduce_options* options);
int reproduce_pushes(const reproduce_options* options);
int reproduce_chardonnet_pillar(const reproduce_options* options);
int reproduce_chardonnet_identify(const reproduce_options* options);
int reproduce_chardonnet_lift(const reproduce_options* options);
int reproduce_chardonnet_penalty(const reproduce_options* options);
int reproduce_keith_avatars(const reproduce_options* options);

#endif
