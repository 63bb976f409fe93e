// SPDX-License-Identifier: Apache-2.0
/// Molecules in tests: read from text with every warning kept, and files of ../shared where it is there.
#ifndef SINEW_TESTS_MOLECULES_H
#define SINEW_TESTS_MOLECULES_H

#include "sinew/molecule.h"
#include "support/check.h"

enum { HEARD_MOST = 64 };

/// What was said while a molecule was read.
typedef struct heard {
    int count;
    struct {
        sn_log_level level;
        int line, column;
        char text[512];
    } items[HEARD_MOST];
} heard;

/// Reads a text; the status goes to error->status. NULL when it fails. `h` may be NULL.
sn_molecule* read_molecule(const char* text, heard* h, sn_error* error);
/// Reads a file of ../shared/data; skips the test when the folder is not there.
sn_molecule* read_shared_molecule(const char* path);
/// Atoms, residues, chains and bonds are the same to the bit; same_file: name and lines, too.
void check_same_molecule(const sn_molecule* a, const sn_molecule* b, bool same_file);
/// Line of the first thing said that contains `text`; -1: nothing.
int heard_line(const heard* h, const char* text);

/// Two alanines between caps, in PDB columns, as a file would have them without hydrogens: 14 lines of atoms.
enum { ALA_ALA_SIZE = 14 * 79 + 1 };
extern const char ALA_ALA[ALA_ALA_SIZE];

#endif
