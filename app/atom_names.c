// SPDX-License-Identifier: Apache-2.0
#include "atom_names.h"

#include <stdio.h>
#include <strings.h>

const char* atom_label(const sn_molecule* m, int atom, char text[ATOM_LABEL]) {
    sn_atom_info a = sn_molecule_atom(m, atom);
    sn_residue_info r = sn_molecule_residue(m, a.residue);
    char insertion[2] = {r.insertion == ' ' ? '\0' : r.insertion, '\0'};
    snprintf(text, ATOM_LABEL, "%s/%d%s %s %s", sn_molecule_chain(m, r.chain).label, r.number,
             insertion, r.name, a.name);
    return text;
}

int atomic_number(const char* element) {
    static const char* const symbols[] = {
        "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si",
        "P",  "S",  "Cl", "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni",
        "Cu", "Zn", "Ga", "Ge", "As", "Se", "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo",
        "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb", "Te", "I",  "Xe", "Cs", "Ba",
        "La", "Ce", "Pr", "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er", "Tm", "Yb",
        "Lu", "Hf", "Ta", "W",  "Re", "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po",
        "At", "Rn", "Fr", "Ra", "Ac", "Th", "Pa", "U"};
    for (int i = 0; i < (int)(sizeof symbols / sizeof *symbols); i++)
        if (strcasecmp(symbols[i], element) == 0) return i + 1;
    return strcasecmp(element, "D") == 0 ? 1 : 0;
}
