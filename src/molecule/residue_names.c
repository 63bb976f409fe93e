// SPDX-License-Identifier: Apache-2.0
#include "molecule/residue_names.h"

#include <string.h>

#include "molecule/templates.h"

typedef struct name_pair {
    char from[5], to[5];
} name_pair;

// GROMACS, CHARMM, AMBER; selenomethionine is simulated as methionine.
static const name_pair RESIDUES[] = {
    {"HSD", "HID"},  {"HSE", "HIE"},  {"HSP", "HIP"},  {"HISD", "HID"}, {"HISE", "HIE"},
    {"HISH", "HIP"}, {"HISA", "HID"}, {"HISB", "HIE"}, {"CYSH", "CYS"}, {"CYS2", "CYX"},
    {"LYSH", "LYS"}, {"LYP", "LYS"},  {"ASPH", "ASH"}, {"ASPP", "ASH"}, {"GLUH", "GLH"},
    {"GLUP", "GLH"}, {"MSE", "MET"},  {"NH2", "NHE"},  {"CT3", "NME"},  {"NMA", "NME"},
};
static const name_pair COMMON[] = {{"ASH", "ASP"}, {"GLH", "GLU"}, {"LYN", "LYS"}, {"CYM", "CYS"}};
static const char* const WATERS[] = {"HOH", "WAT", "DOD", "SOL", "H2O", "TIP", "TIP3", "TP3"};
static const char* const CAPS[] = {"ACE", "NME", "NHE"};

typedef struct letter {
    char letter;
    char name[4];
} letter;

static const letter LETTERS[] = {{'A', "ALA"}, {'R', "ARG"}, {'N', "ASN"}, {'D', "ASP"},
                                 {'C', "CYS"}, {'Q', "GLN"}, {'E', "GLU"}, {'G', "GLY"},
                                 {'H', "HIE"}, {'I', "ILE"}, {'L', "LEU"}, {'K', "LYS"},
                                 {'M', "MET"}, {'F', "PHE"}, {'P', "PRO"}, {'S', "SER"},
                                 {'T', "THR"}, {'W', "TRP"}, {'Y', "TYR"}, {'V', "VAL"}};

typedef struct atom_name {
    char base[5]; ///< "": any
    char from[5], to[5];
} atom_name;

static const atom_name ATOMS[] = {{"MET", "SE", "SD"}, {"NME", "C", "CH3"}, {"ILE", "CD", "CD1"},
                                  {"", "OT1", "O"},    {"", "OT2", "OXT"},  {"", "O1", "O"},
                                  {"", "O2", "OXT"},   {"", "OC1", "O"},    {"", "OC2", "OXT"},
                                  {"", "HN", "H"},     {"", "H", "H1"},     {"", "HT1", "H1"},
                                  {"", "HT2", "H2"},   {"", "HT3", "H3"}};

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

static const char* replaced(const name_pair* pairs, int count, const char* name) {
    for (int i = 0; i < count; i++)
        if (strcmp(pairs[i].from, name) == 0) return pairs[i].to;
    return name;
}

static bool is_one_of(const char* const* names, int count, const char* name) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

static bool is_amino(const char* base) {
    if (strcmp(base, "HIS") == 0) return true;
    int32_t t = sni_template_find(base, SNI_END_NONE);
    return t >= 0 && sni_template_atom_find(&sni_templates[t], "CA") >= 0 &&
           sni_templates[t].atom_count > 1;
}

sni_residue_kind sni_residue_sort(const char* name, char base[SN_RESIDUE_NAME]) {
    const char* known = replaced(RESIDUES, COUNT(RESIDUES), name);
    // NALA and CALA of AMBER are ALA
    if (strlen(known) == 4 && (known[0] == 'N' || known[0] == 'C') && is_amino(known + 1)) known++;
    memcpy(base, known, strlen(known) + 1);
    if (is_one_of(WATERS, COUNT(WATERS), name)) return SNI_RESIDUE_WATER;
    if (is_one_of(CAPS, COUNT(CAPS), known)) return SNI_RESIDUE_CAP;
    if (is_amino(known)) return SNI_RESIDUE_AMINO;
    int32_t t = sni_template_find(known, SNI_END_NONE);
    if (t >= 0 && sni_templates[t].atom_count == 1) return SNI_RESIDUE_ION;
    return SNI_RESIDUE_HETERO;
}

const char* sni_residue_of_letter(char c) {
    for (int i = 0; i < COUNT(LETTERS); i++)
        if (LETTERS[i].letter == c) return LETTERS[i].name;
    return NULL;
}

const char* sni_atom_rename(const char* base, const char* name) {
    for (int i = 0; i < COUNT(ATOMS); i++)
        if (strcmp(ATOMS[i].from, name) == 0 &&
            (!ATOMS[i].base[0] || strcmp(ATOMS[i].base, base) == 0))
            return ATOMS[i].to;
    return name;
}

const char* sni_residue_common_form(const char* base) {
    return replaced(COMMON, COUNT(COMMON), base);
}
