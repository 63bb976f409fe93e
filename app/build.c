// SPDX-License-Identifier: Apache-2.0
/// sinew build: molecules from a sequence, as PDB files.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "message.h"
#include "molecule_argument.h"
#include "options.h"
#include "output_file.h"
#include "sinew/load.h"
#include "sinew/torsion_tree.h"

static const command_page PAGE = {
    "build",
    "MOLECULE | --sequence LETTERS [--structure S] [--ends caps|charged] [-o FILE.pdb]",
    "Builds a protein chain with ideal bond lengths and angles, complete with hydrogens, and "
    "writes\n"
    "it as a PDB file (without -o, to standard output). MOLECULE is ala:COUNT, polyalanine "
    "between\n"
    "caps, or bacteriorhodopsin, its whole sequence of 248 residues as one long helix: 857 "
    "torsions\n"
    "where every residue has two and side chains the rest, but not how the protein folds.\n",
    "  sinew build ala:20 -o helix.pdb           ACE, twenty alanines, NME: 40 torsions\n"
    "  sinew build bacteriorhodopsin -o br.pdb   248 residues\n"
    "  sinew build --sequence GWTLNSAGYLLG --structure strand -o peptide.pdb\n"
    "  sinew build --sequence AAAAAAGGGKKKKKK --structure HHHHHHXXXHHHHHH -o hairpin.pdb\n"
    "  sinew info helix.pdb                      what it holds\n",
    "Structures: helix (H, phi -57, psi -47 degrees), strand (E, -120, 130), 3-10 (G, -49, -26), "
    "pi\n"
    "(I, -57, -70), polyproline (P, -75, 145), extended (X, 180, 180); a name for all residues, or "
    "a\n"
    "letter for each. phi of proline is always -63. Nothing is folded: atoms far apart in the "
    "chain\n"
    "may meet.\n",
    0,
    1,
};

static bool build(const char* name, const char* sequence, const char* structure, bool capped,
                  sn_molecule** molecule) {
    sn_error error = {0};
    if (name) {
        error.status = sn_molecule_build_named(name, molecule, &error);
    } else {
        sn_molecule_build_def def = sn_molecule_build_def_default();
        def.sequence = sequence;
        def.structure = structure;
        def.capped = capped;
        error.status = sn_molecule_build(&def, molecule, &error);
    }
    error.column = 0;
    if (error.status) message_error_from(&error);
    return error.status == SN_OK;
}

static int write(const sn_molecule* m, const char* path) {
    sn_error error;
    char* text;
    error.status = sn_molecule_to_pdb(m, NULL, &text, &error);
    if (error.status) {
        message_error_from(&error);
        return STATUS_FAILED;
    }
    bool done = true;
    output_file file = {0};
    if (path) {
        done = output_open(&file, path);
        if (done) {
            fputs(text, file.stream);
            done = output_commit(&file);
        }
        if (done)
            message_note("%s: %d residues, %d atoms", path, sn_molecule_residue_count(m),
                         sn_molecule_atom_count(m));
    } else {
        fputs(text, stdout);
    }
    sn_text_free(text);
    return done ? STATUS_DONE : STATUS_FAILED;
}

int command_build(int argc, char** argv) {
    const char *sequence = NULL, *structure = NULL, *output = NULL;
    int ends = 0;
    text_list arguments = {0};
    const option options[] = {
        {"sequence", "LETTERS", "one letter for each residue: ACDEFGHIKLMNPQRSTVWY", OPTION_TEXT,
         &sequence},
        {"structure", "S", "shape of the chain, a name or a letter for each residue; helix",
         OPTION_TEXT, &structure},
        {"ends", "caps|charged", "ACE and NME (the default), or NH3+ and COO-", OPTION_CHOICE,
         &ends},
        {"output", "FILE.pdb", "where it goes; standard output", OPTION_TEXT, &output},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &arguments);
    int status = parsed == OPTIONS_HELP ? STATUS_DONE : STATUS_USAGE;
    sn_molecule* molecule = NULL;
    if (parsed == OPTIONS_RUN) {
        const char* name = arguments.count > 0 ? arguments.items[0] : NULL;
        if (!name == !sequence) {
            message_error("give either a molecule, such as ala:20, or --sequence");
        } else if (name && structure) {
            message_error("--structure goes with --sequence; %s:strand is a strand", name);
        } else if (build(name, sequence, structure, ends == 0, &molecule)) {
            status = write(molecule, output);
        }
    }
    sn_molecule_free(molecule);
    text_list_free(&arguments);
    return status;
}
