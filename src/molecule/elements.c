// SPDX-License-Identifier: Apache-2.0
#include "molecule/elements.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

typedef struct element {
    char symbol[3];
    double mass; // u, standard atomic weight [PRO22]
} element;

static const element ELEMENTS[] = {
    {"H", 1.008},   {"C", 12.011},  {"N", 14.007},  {"O", 15.999},  {"S", 32.06},   {"P", 30.974},
    {"F", 18.998},  {"Na", 22.990}, {"Mg", 24.305}, {"Cl", 35.45},  {"K", 39.098},  {"Ca", 40.078},
    {"Mn", 54.938}, {"Fe", 55.845}, {"Co", 58.933}, {"Ni", 58.693}, {"Cu", 63.546}, {"Zn", 65.38},
    {"Se", 78.971}, {"Br", 79.904}, {"Cd", 112.41}, {"I", 126.90},  {"Hg", 200.59}, {"Li", 6.94},
    {"B", 10.81},   {"Al", 26.982}, {"Si", 28.085}, {"As", 74.922}, {"Mo", 95.95},  {"Cs", 132.91},
    {"Rb", 85.468}, {"Sr", 87.62},  {"Ba", 137.33}, {"Pt", 195.08}, {"Au", 196.97}, {"D", 2.014},
};
enum { ELEMENT_COUNT = sizeof ELEMENTS / sizeof ELEMENTS[0] };

static const element* find(const char* text, size_t length) {
    if (length == 0 || length > 2) return NULL;
    char symbol[3] = {(char)toupper((unsigned char)text[0]), '\0', '\0'};
    if (length == 2) symbol[1] = (char)tolower((unsigned char)text[1]);
    for (int i = 0; i < ELEMENT_COUNT; i++)
        if (strcmp(ELEMENTS[i].symbol, symbol) == 0) return &ELEMENTS[i];
    return NULL;
}

double sni_element_mass(const char* symbol) {
    const element* found = find(symbol, strlen(symbol));
    return found ? found->mass : 0;
}

void sni_element_guess(const char* text, const char* wide, const char* name, char out[3]) {
    const element* found = find(text, strlen(text));
    // HG12 is a hydrogen, not mercury; CA of four characters is a carbon.
    if (!found && wide && strlen(wide) == 2) found = find(wide, 2);
    while (!found && (isdigit((unsigned char)*name) || *name == '*' || *name == '\'')) name += 1;
    if (!found && *name) found = find(name, 1);
    memcpy(out, found ? found->symbol : "", found ? sizeof found->symbol : 1);
}
