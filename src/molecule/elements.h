// SPDX-License-Identifier: Apache-2.0
/// Chemical elements that structures of proteins contain.
#ifndef SN_MOLECULE_ELEMENTS_H
#define SN_MOLECULE_ELEMENTS_H

/// Standard atomic weight, u; 0 for what is no element here.
double sni_element_mass(const char* symbol);

/// The element of an atom: the text of the element columns where it is one; else the first two letters of `wide`
/// (a name that begins in column 13, or NULL) where they are a metal or halogen; else the first letter of `name`.
/// "" when nothing fits.
void sni_element_guess(const char* text, const char* wide, const char* name, char element[3]);

#endif
